"""Run a tool call: arguments to the gateway, its answer to the protocol."""

import json
import logging
from collections.abc import Callable
from typing import Any

from mcp.types import CallToolResult, TextContent

from gleaner.contracts.errors import GleanerError, InvalidRequest
from gleaner.contracts.items import every_item
from gleaner.contracts.json_text import parse_json
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.html.statistics import scrape_extract_content, scrape_text_similarity
from gleaner.jobs.batches import UNDER_WAY
from gleaner.jobs.jobs import JobRef
from gleaner.mcp.catalogue import BY_NAME
from gleaner.mcp.ranges import MAX_CHARS, as_json, fitting, writable
from gleaner.mcp.results import failure, failure_of, show_part, show_result, still_running
from gleaner.service.gateway import CallerGone, Gateway

Arguments = dict[str, Any]
SHARES = {"visible_text_chunks": 0.6, "headings": 0.6, "links": 0.25, "media": 0.1}
"""What the long lists of an overview get of an answer."""

MAX_DIGITS = 15
"""Of an offset that came as text."""

log = logging.getLogger("gleaner.mcp")


def call_tool(gateway: Gateway, name: str, arguments: Arguments, wait_s: float) -> CallToolResult:
    """Do one call and give its answer; whatever goes wrong is a tool error that says what would be right."""
    answer = _call_tool(gateway, name, arguments, wait_s)
    return CallToolResult.model_validate(writable(answer.model_dump()))


def _call_tool(gateway: Gateway, name: str, arguments: Arguments, wait_s: float) -> CallToolResult:
    try:
        given = {key: value for key, value in arguments.items() if value is not None}
        _check_names(name, given)
        return _CALLS[name](gateway, given, wait_s)
    except CallerGone:
        return failure("cancelled", "the call was cancelled")
    except GleanerError as error:
        return failure_of(error)
    except Exception as error:  # the boundary: a fault of ours is an answer, not a broken connection
        log.exception("a fault in %s", name)
        return failure("internal_error", f"internal error in Gleaner: {type(error).__name__}")


def _check_names(name: str, given: Arguments) -> None:
    schema = BY_NAME[name].input_schema
    known = list(schema["properties"])
    unknown = [key for key in given if key not in known]
    if unknown:
        raise InvalidRequest(f"{name} has no argument {unknown[0][:100]!r}; its arguments are {', '.join(known)}")
    missing = [
        key for key in schema.get("required", []) if key not in given or (key == "query" and _is_blank(given[key]))
    ]
    if missing:
        raise InvalidRequest(f"{name} needs {missing[0]}: {schema['properties'][missing[0]]['description']}")


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _scrape(gateway: Gateway, given: Arguments, wait_s: float) -> CallToolResult:
    request = {**given, **{key: _as_object(key, given[key]) for key in ("config", "budget", "follow") if key in given}}
    ref, result = gateway.scrape(request, wait_s=wait_s)
    if result is None:
        return still_running(ref.job_id, gateway.job(ref.job_id))
    return show_result(gateway, result)


def _as_object(name: str, value: Any) -> Any:
    """Read an object that came as JSON text, as models send them."""
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)
    except ValueError as error:
        raise InvalidRequest(f"{name} is not valid JSON: {error}") from None


def _get_result(gateway: Gateway, given: Arguments, wait_s: float) -> CallToolResult:
    job_id = given["job_id"]
    part = given.get("part", "result")
    if not isinstance(job_id, str):
        raise InvalidRequest(f"job_id is of type {type(job_id).__name__}; it must be a string")
    if part not in ("result", "markdown", "links", "provenance"):
        raise InvalidRequest(f"part is {part!r}; it must be result, markdown, links or provenance")
    start, record = _offset(given, "start_from_char"), _offset(given, "start_from_record")
    result = gateway.wait(JobRef(job_id, gateway.tenant), wait_s)
    if result is None:
        return still_running(job_id, gateway.job(job_id))
    if part != "result":
        return show_part(gateway, result, part, start or 0)
    return show_result(gateway, result, start_from_char=start, start_from_record=record or 0)


def _offset(given: Arguments, name: str) -> int | None:
    value = given.get(name)
    if isinstance(value, str) and value.isdecimal() and len(value) <= MAX_DIGITS:
        value = int(value)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
        raise InvalidRequest(f"{name} is {str(value)[:100]!r}; it must be a whole number, 0 or more")
    return value


def _browse(gateway: Gateway, given: Arguments, _: float) -> CallToolResult:
    if not isinstance(given.get("enable_javascript", True), bool):
        raise InvalidRequest(f"enable_javascript is {given['enable_javascript']!r}; it must be true or false")
    found = gateway.browse(given)
    if found.get("error"):
        return _json_answer(found, is_error=True)
    return _json_answer(_within_limit(found, "scrape the page to read all of it, with format links for all links"))


def _suggest(gateway: Gateway, given: Arguments, _: float) -> CallToolResult:
    return _json_answer(gateway.suggest(given))


def _extract_content(_: Gateway, given: Arguments, __: float) -> CallToolResult:
    found = scrape_extract_content(given["html"], given.get("base_url", ""))
    kept = _within_limit(found, "give a part of the HTML to see its headings")
    return _json_answer(kept, is_error=found["status"] == "error")


def _text_similarity(_: Gateway, given: Arguments, __: float) -> CallToolResult:
    found = scrape_text_similarity(given["text_a"], given["text_b"])
    return _json_answer(found, is_error=found["status"] == "error")


def _watch(gateway: Gateway, given: Arguments, _: float) -> CallToolResult:
    order: dict[str, Any] = {name: given[name] for name in ("every", "keys", "name") if name in given}
    request = {name: _as_object(name, given[name]) if name == "follow" else given[name]
               for name in ("url", "query", "output_schema", "follow") if name in given}  # fmt: skip
    record = gateway.create_watch({**order, "request": request})
    gateway.run_watch(str(record["watch_id"]))
    shown = {"watch_id": record["watch_id"], "every_s": record["every_s"]}
    return _json_answer({**shown, "read_on": f'watch_changes(watch_id="{record["watch_id"]}")'})


def _watch_changes(gateway: Gateway, given: Arguments, _: float) -> CallToolResult:
    watch_id, run_id = str(given["watch_id"]), given.get("run_id")
    record = gateway.watches.record(watch_id)
    if run_id is None:
        history = every_item(lambda at: gateway.watches.runs(watch_id, after=at))
        runs: list[JsonValue] = [item.data for item in history]
        return _json_answer({"watch_id": watch_id, "running": bool(record.get("running")), "runs": runs[-20:]})
    changes = gateway.watches.changes(watch_id, str(run_id)).model_dump(mode="json", exclude_none=True)
    advice = f"read all of it at /v1/watches/{watch_id}/runs/{run_id}"
    return _json_answer(_within_limit({"watch_id": watch_id, "run_id": str(run_id), **changes}, advice))


def _map(gateway: Gateway, given: Arguments, wait_s: float) -> CallToolResult:
    start = _offset(given, "start_from_url") or 0
    order = {name: given[name] for name in given if name not in ("map_id", "start_from_url")}
    if "map_id" not in given:
        record = gateway.sites.map(order, wait_s=wait_s)
    elif order:
        raise InvalidRequest("give url, or the map_id of an earlier answer with start_from_url alone")
    else:
        record = gateway.sites.wait(str(given["map_id"]), wait_s)
    map_id = str(record["map_id"])
    shown = {name: record.get(name) for name in ("map_id", "status", "url", "url_count", "warnings", "error")}
    if record["status"] == "running":
        return _json_answer({**shown, "read_on": f'map(map_id="{map_id}") waits for its end'})
    if record["status"] == "failed":
        return _json_answer(shown, is_error=True)
    urls: list[JsonValue] = [parse_json(line) for line in gateway.sites.maps.urls(map_id)]
    count = fitting(urls, start) if start < len(urls) else 0
    more = {"read_on": f'map(map_id="{map_id}", start_from_url={start + count})'} if start + count < len(urls) else {}
    return _json_answer({**shown, "urls": urls[start : start + count], **more})


def _crawl(gateway: Gateway, given: Arguments, wait_s: float) -> CallToolResult:
    fields = ("query", "output_schema", "enable_javascript", "budget")
    request = {name: _as_object(name, given[name]) if name == "budget" else given[name]
               for name in fields if name in given}  # fmt: skip
    order = {name: given[name] for name in given if name not in (*fields, "crawl_id", "start_from_page")}
    if "crawl_id" in given:
        if order or request:
            raise InvalidRequest("give url, or the crawl_id of an earlier answer with start_from_page alone")
        return _crawled(gateway, str(given["crawl_id"]), given.get("start_from_page"), wait_s)
    started = gateway.sites.start_crawl({"max_pages": 100, **order, "request": request})
    return _crawled(gateway, str(started["batch_id"]), None, 0)


def _crawled(gateway: Gateway, crawl_id: str, after: str | None, wait_s: float) -> CallToolResult:
    """Say how far a crawl is, and give results of its pages from a place on."""
    ref = JobRef(crawl_id, gateway.tenant)
    gateway.wait_until(lambda: gateway.batches.record(crawl_id)["status"] not in UNDER_WAY, ref, wait_s)
    record = gateway.batches.view(crawl_id)
    shown = {name: record[name] for name in ("status", "url", "total", "counts", "warnings", "error") if name in record}
    results, following = gateway.batch_results(crawl_id, limit=50, after=after, max_bytes=MAX_CHARS)
    pages: list[JsonValue] = [_page_line(result) for result in results]
    count = fitting(pages, 0) if pages else 0
    if count < len(pages):
        following = str(results[count - 1]["job_id"]) if count else after
    more: JsonObject = {"next": following} if following else {}
    if record["status"] in UNDER_WAY:
        more["read_on"] = f'crawl(crawl_id="{crawl_id}") waits for more'
    return _json_answer({"crawl_id": crawl_id, **shown, "pages": pages[:count], **more})


def _page_line(result: JsonObject) -> JsonObject:
    """Give what one page of a crawl came to: its data where it was asked for, else where its text is read."""
    kept = {name: result[name] for name in ("url", "status", "title", "job_id", "error") if name in result}
    extraction = result.get("extraction")
    return {**kept, "data": extraction.get("data")} if isinstance(extraction, dict) else kept


def _json_answer(found: JsonObject, *, is_error: bool = False) -> CallToolResult:
    text = TextContent(text=json.dumps(found, ensure_ascii=False, indent=1))
    return CallToolResult(content=[text], structured_content=dict(found), is_error=is_error)


def _within_limit(found: JsonObject, advice: str) -> JsonObject:
    """Shorten the long lists of an overview, and say in ``omitted`` what was left out and how to get it."""
    if len(as_json(found)) <= MAX_CHARS:
        return found
    kept, omitted = dict(found), dict[str, Any]()
    for name, share in SHARES.items():
        items = found.get(name)
        if not isinstance(items, list) or not items:
            continue
        count = fitting(items, 0, int(MAX_CHARS * share))
        kept[name] = items[:count]
        if count < len(items):
            omitted[name] = len(items) - count
    return {**kept, "omitted": {**omitted, "advice": advice}}


_CALLS: dict[str, Callable[[Gateway, Arguments, float], CallToolResult]] = {
    "scrape": _scrape,
    "watch": _watch,
    "watch_changes": _watch_changes,
    "map": _map,
    "crawl": _crawl,
    "browser_extract_content": _scrape,
    "browse_url": _browse,
    "suggest_schema": _suggest,
    "scrape_extract_content": _extract_content,
    "scrape_text_similarity": _text_similarity,
    "get_result": _get_result,
}
