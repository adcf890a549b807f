"""``gleaner scrape``: one page."""

import json
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from gleaner.cli.display import OWN_SERVER, Progress, plain, records_shown, show_result, stderr
from gleaner.cli.exit_codes import INTERRUPTED, PARTIAL, Said
from gleaner.cli.options import (
    Action,
    AllowHost,
    AsJson,
    Consent,
    Home,
    Model,
    Proxy,
    Session,
    check_output,
    given,
    read_action_options,
    read_json_option,
)
from gleaner.cli.outputs import WITH_PROOFS, check_fits, ending_of, write_result
from gleaner.cli.places import opened
from gleaner.contracts import errors
from gleaner.contracts.models import ScrapeResult, parse_request
from gleaner.contracts.web_addresses import with_scheme
from gleaner.jobs.blob_texts import find_text
from gleaner.jobs.jobs import JobRef


def scrape(
    url: Annotated[
        str | None,
        typer.Argument(metavar="URL", help="URL of the page (http or https), or a file of yours. Or --page-id."),
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", "-q", metavar="WORDS", help="What to extract, in words.")
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option("--schema", "-s", metavar="FILE|JSON", help="JSON Schema of the answer, or an example of it."),
    ] = None,
    format: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="markdown, links, screenshot or fullscreenshot (repeatable). [default: markdown]",
        ),
    ] = None,
    page_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Use the stored page of an earlier result; fetch nothing.")
    ] = None,
    selector: Annotated[
        str | None, typer.Option(metavar="CSS", help="CSS selector; only its first match is read.")
    ] = None,
    extraction_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Reuse an earlier extraction; new records are added to it.")
    ] = None,
    extract_links: Annotated[bool, typer.Option("--extract-links", help="Keep link targets in the Markdown.")] = False,
    start_from_char: Annotated[
        int | None, typer.Option(metavar="N", help="Start at this character of the Markdown.")
    ] = None,
    wait_for: Annotated[
        int | None,
        typer.Option(metavar="MS", help="Wait this many ms after loading, instead of until the page is still."),
    ] = None,
    action: Action = None,
    session: Session = None,
    consent: Consent = None,
    proxy: Proxy = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Browser profile: default, or master (logged in).")
    ] = None,
    javascript: Annotated[bool, typer.Option(help="Use the browser, or plain HTTP.")] = True,
    documents: Annotated[
        bool, typer.Option("--documents", help="Read a PDF as Markdown; with --query or --schema it is read anyway.")
    ] = False,
    parser: Annotated[
        str | None, typer.Option(metavar="NAME", help="Page parser whose text replaces the page's Markdown.")
    ] = None,
    follow: Annotated[
        int | None, typer.Option(metavar="N", help="Read the listing's next pages too, N pages at the most.")
    ] = None,
    max_records: Annotated[
        int | None, typer.Option(metavar="N", help="With --follow: stop after so many records.")
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE|JSON", help="ExtractionConfig.")] = None,
    max_tokens: Annotated[int | None, typer.Option(metavar="N", help="Limit on model tokens.")] = None,
    max_usd: Annotated[float | None, typer.Option(metavar="USD", help="Limit on model cost, in US dollars.")] = None,
    deadline: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time limit in seconds for page and model together.")
    ] = None,
    model: Model = None,
    home: Home = None,
    allow_host: AllowHost = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write this file, by its ending: .csv, .ndjson or .xlsx records, .html report, .json all, .md, .png.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Turn a page into Markdown, links, a screenshot or records.

    With --schema you get records that match it, with --query alone an answer in words.
    """
    check_output("--output", output)
    if (url is None) == (page_id is None):
        raise errors.InvalidRequest("give either a URL or --page-id; see `gleaner scrape --help`")
    if max_records is not None and follow is None:
        raise errors.InvalidRequest("--max-records goes with --follow; give how many pages to read at the most")
    budget = given(max_tokens=max_tokens, max_usd=max_usd, deadline_s=deadline)
    file = local_file(url)
    request = given(
        url=with_scheme(url) if url is not None and file is None else None,
        page_id=page_id,
        query=query,
        output_schema=read_json_option("--schema", schema),
        **_formats(format or []),
        css_selector=selector,
        extraction_id=extraction_id,
        start_from_char=start_from_char,
        wait_for=wait_for,
        actions=read_action_options(action),
        session=session,
        consent=consent,
        proxy=proxy,
        profile=profile,
        parser=parser,
        follow=given(max_pages=follow, max_records=max_records) or None,
        config=read_json_option("--config", config),
        budget=budget or None,
        extract_links=extract_links or None,
        enable_javascript=None if javascript else False,
        documents=documents or None,
    )
    request = check_fits(output, request)
    settings: dict[str, Any] = {"model": model, "home": home, "allow_hosts": allow_host or None, **given(file=file)}
    result = with_advice(run_request(request, silent=as_json, **settings))
    text = _text_of(result, home) if ending_of(output) in WITH_PROOFS else ""
    unwritten = write_result(output, result, text) if output is not None else None
    if as_json:
        typer.echo(json.dumps(result.to_json(), ensure_ascii=False, indent=2))
    else:
        show_result(result, [f"{output}: {unwritten}" if unwritten else str(output)] if output else [])
    return exit_code_of(result)


def _text_of(result: ScrapeResult, home: Path | None) -> str:
    """Give the stored text that a result's provenance points into."""
    with opened(home) as services:
        return find_text(services.blobs, JobRef(result.job_id).key("content.md")) or result.markdown or ""


def suggest(
    url: Annotated[
        str | None, typer.Argument(metavar="URL", help="URL of the page (http or https). Or --page-id.")
    ] = None,
    page_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Use the stored page of an earlier result; fetch nothing.")
    ] = None,
    javascript: Annotated[bool, typer.Option(help="Use the browser, or plain HTTP.")] = True,
    home: Home = None,
    allow_host: AllowHost = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all suggestions, with examples.")] = False,
) -> int:
    """Print a JSON Schema that fits a page. No model is asked.

    It comes from the page's tables, embedded data, lists or labels. Rename and drop fields as you like.
    """
    if (url is None) == (page_id is None):
        raise errors.InvalidRequest("give either a URL or --page-id; see `gleaner suggest --help`")
    from gleaner.library import Gleaner

    address = with_scheme(url) if url is not None else None
    with (
        Progress(silent=as_json) as progress,
        Gleaner("none", home, on_step=progress.step, **given(allow_hosts=allow_host or None)) as gleaner,
    ):
        found = gleaner.suggest(address, page_id=page_id, enable_javascript=javascript)
    if as_json:
        typer.echo(json.dumps([one.to_json() for one in found], ensure_ascii=False, indent=2))
    elif found:
        typer.echo(json.dumps(found[0].schema, ensure_ascii=False, indent=2))
        stderr.print(records_shown([dict(one) for one in found[0].examples], stderr.width))
        counted = f"{found[0].records} records" if found[0].records > 1 else "one thing"
        stderr.print(f"  from        {found[0].source}: {counted}; {len(found) - 1} more with --json")
        page = f"--page-id {page_id}" if page_id else shlex.quote(address or "")
        stderr.print(f"  next        gleaner scrape {plain(page)} --schema schema.json", soft_wrap=True)
        if found[0].needs_model:
            reads = next((at for at, one in enumerate(found, start=1) if not one.needs_model), 0)
            instead = f"; suggestion {reads} of --json needs none" if reads else ""
            need = f"a model: add --model ollama:qwen3:8b or another one, or set GLEANER_MODEL{instead}"
            stderr.print(f"  needs       {need}", soft_wrap=True)
    else:
        stderr.print("no suggestion: the page has no table, no embedded data, no labels, and nothing on it repeats")
    return 0 if found else PARTIAL


def local_file(url: str | None) -> Path | None:
    """Give the file of this machine that was named in place of a URL; None if none was.

    InvalidRequest for the name of a PDF that is not there.
    """
    if url is None or "://" in url:
        return None
    path, is_there = Path(url), False
    with suppress(OSError):  # a text too long for a path names no file
        is_there = path.is_file()
    if url.lower().endswith(".pdf") and not is_there and ("/" not in url or with_scheme(url) == url):
        raise errors.InvalidRequest(f"there is no file {url}; a URL begins with http:// or https://")
    return path if is_there else None


def run_request(request: dict[str, Any], *, silent: bool, file: Path | None = None, **settings: Any) -> ScrapeResult:
    """Run one request on this machine, showing its steps; over a ``file`` where there is one."""
    whole = request if file is None else {**request, "page_id": "document"}
    parse_request(whole)  # before the engine is loaded, which takes longer than to see what is wrong
    from gleaner.library import Gleaner

    with Progress(silent=silent) as progress, Gleaner(on_step=progress.step, **settings) as gleaner:
        gleaner.services.on_writing = progress.written.add if progress.is_shown else None
        if file is not None:
            return gleaner.extract_document(file, **request)
        return gleaner.resume_listing(request) if request.get("follow") else gleaner.scrape(**request)


def with_advice(result: ScrapeResult) -> ScrapeResult:
    """Give the result; where a server of the caller's own was refused, the error names the option that allows it."""
    error = result.error
    if error is not None and error.error_type == "blocked_address" and OWN_SERVER.search(error.message):
        refused = error.message.partition(" ")[0].strip("'")  # not the page's address where that leads on
        host = urlsplit(refused if refused.startswith("http") else result.url or "")
        port = host.port or (443 if host.scheme == "https" else 80)
        shown = f"[{host.hostname}]" if ":" in (host.hostname or "") else host.hostname
        error.message += f"; if it is a server of your own: --allow-host {shown}:{port}"
    return result


def exit_code_of(result: ScrapeResult) -> int:
    """Give the command's exit code for a result."""
    from gleaner.local.listings import was_interrupted

    if was_interrupted(result):
        return Said(INTERRUPTED)
    if result.status != "failed":
        return 0 if result.status == "complete" else PARTIAL
    return errors.error_of(result.error.error_type, "").exit_code if result.error else errors.InternalError.exit_code


def _formats(named: list[str]) -> dict[str, Any]:
    return {"formats": named} if len(named) > 1 else {"format": [*named, "markdown"][0]}
