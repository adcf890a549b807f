"""Each way that the functions of a stack can go, gone once."""

import json
import re
from contextlib import closing, nullcontext, suppress
from shutil import rmtree
from typing import Any
from urllib.parse import urlencode

import boto3
from aws_lambda_powertools.utilities.parameters import clear_caches
from gleaner.adapters.browser.fonts import FONTS_KEY
from gleaner.cli.demo import PRODUCTS
from gleaner.contracts.errors import WebhookFailed
from gleaner.contracts.ports import Item, JsonObject, JsonValue
from gleaner.contracts.settings import load_settings
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import jobs_of
from gleaner.jobs.robots import RobotRules
from gleaner.jobs.site_maps import MapOrder
from gleaner.jobs.tokens import Tokens
from gleaner.jobs.watches import WatchOrder
from gleaner.mcp.catalogue import BY_NAME
from gleaner.service.gateway import Gateway
from gleaner.steps.batch import batches_of
from gleaner.steps.site.mapping import site_maps_of
from gleaner.steps.watch import watches_of
from gleaner.wiring import starter_for

from tests.square_font import square_font, zipped
from tests.template.asked import Call, api_calls, requests, tool_calls
from tests.template.cloud import FUNCTION, Cloud
from tests.template.stack import SECRET

JOBS = ["listing", "next", "picture", "media", "lost"]
SAMPLES: dict[str, list[Any]] = {
    "source": ["inbox/list.txt"],
    "limit": [1, 50],
    "after": ["0"],
    "wait": [0],
    "wait_for": [1],
    "waitFor": [1],
    "idempotency-key": ["one-key"],
    "query": ["the kiln"],
    "output_schema": [PRODUCTS],
    "css_selector": ["body"],
    "parser": ["DefaultParser"],
    "dedupe_keys": [["name"]],
    "tiers": [["structured"], ["recipe"], ["model"]],
    "deadline_s": [60],
    "max_chunk_chars": [20_000],
    "max_usd": [1],
    "max_tokens": [100_000],
    "actions": [["scroll"], ["click: css=.not-there"]],
    "follow": [2],
    "watch_id": ["lamps"],
    "run_id": ["0"],
    "every": ["1d"],
    "keys": [["name"]],
    "name": ["lamps"],
    "map_id": ["site"],
    "crawl_id": ["site"],
    "start_from_page": ["0"],
    "include": [["/*"]],
    "formats": [["markdown", "links"]],
    "session": ["ada"],
    "consent": ["reject"],
    "proxy": ["de"],
    "exclude": [["/files/*"]],
}
NEEDS_BROWSER = frozenset(
    {"format", "profile", "session", "consent", "proxy", "wait_for", "actions", "enable_javascript"}
)
ABOUT_RECORDS = frozenset({"extraction_id", "config", "budget"})


def play(cloud: Cloud) -> None:
    """Go every way that a function can go as far as AWS is concerned."""
    play_pages(cloud)
    play_failures(cloud)
    play_stops(cloud)
    play_model_server(cloud)
    play_starts(cloud)
    play_batch(cloud)
    play_watch(cloud)
    play_map(cloud)
    play_crawl(cloud)
    play_requests(cloud)
    play_api(cloud)


def play_pages(cloud: Cloud) -> None:
    question = {"output_schema": PRODUCTS, "query": "all products"}
    first = cloud.scrape("/products", "listing", **question)
    assert first["status"] == "complete", first.get("error") or {**first["extraction"], "data": 0, "provenance": 0}
    assert cloud.scrape("/products?page=2", "next", **question)["status"] == "complete"
    whole = cloud.scrape("/products", "whole", follow=10, **question)
    assert whole["extraction"]["completeness"]["returned"] == 48, whole
    spoil_recipes(cloud)
    assert cloud.scrape("/products?page=3", "again", **question)["status"] == "complete"
    cloud.scrape("/", "work-again", page_id=first["page_id"])
    assert cloud.scrape("/journal/kiln", "plain", enable_javascript=False)["status"] == "complete"
    assert cloud.scrape("/forum/glaze", "picture", format="screenshot")["status"] == "complete"
    secret = json.dumps({"value": "correct horse", "hosts": [cloud.site.url]})
    boto3.client("secretsmanager").create_secret(Name="gleaner/secrets/default/shop-password", SecretString=secret)
    login = ['fill: text=Password => {"secret": "shop-password"}']
    filled = cloud.scrape("/login", "filled", actions=login, session="ada")
    assert filled["status"] == "complete", filled
    play_proxy(cloud)
    play_fonts(cloud)
    assert cloud.scrape("/files/price-list.pdf", "media")["format"] == "media"
    assert cloud.scrape("/files/price-list.pdf", "document", documents=True)["status"] == "complete"
    assert cloud.scrape("/journal/kiln", "as-me", profile="master")["status"] == "complete"


def play_proxy(cloud: Cloud) -> None:
    """Ask for a page through a proxy whose credentials are there, and that is not."""
    secret = json.dumps({"value": "ada:correct horse", "hosts": ["127.0.0.1"]})
    boto3.client("secretsmanager").create_secret(Name="gleaner/secrets/default/proxy-de", SecretString=secret)
    error = cloud.scrape("/journal/kiln", "abroad", proxy="de")["error"]
    assert "proxy de (DE) 127.0.0.1:9 can't be reached" in error["message"], error
    assert "horse" not in json.dumps(error)


def play_fonts(cloud: Cloud) -> None:
    """Show a page with letters that no font draws, and once more when the bucket has a font for them."""
    rmtree(cloud.services("render_page").settings.home / "fonts", ignore_errors=True)  # of an earlier run
    lacks = [one for one in cloud.scrape("/greetings", "signs", format="screenshot")["warnings"] if "lacks" in one]
    assert lacks, "no warning of missing fonts"
    archive = zipped(signs=square_font("\U00012000\U00012079\U00012097"))
    boto3.client("s3").put_object(Bucket=cloud.stack.name("Bucket"), Key=FONTS_KEY, Body=archive)
    cloud.scrape("/greetings", "signs-again", format="screenshot")


def spoil_recipes(cloud: Cloud) -> None:
    """Put recipes of another version in the place of those that were learned: the next page learns, and clears up."""
    table = boto3.resource("dynamodb").Table(cloud.stack.name("Table"))
    for item in table.scan()["Items"]:
        if str(item["pk"]).startswith("RECIPE#default#"):
            store = cloud.services("aggregate_results").table
            store.delete(str(item["pk"]), str(item["sk"]))
            store.put(Item(str(item["pk"]), "0099", {"recipe": {"format": 0}}))


def play_failures(cloud: Cloud) -> None:
    assert cloud.scrape("/nowhere", "lost")["status"] == "failed"
    failure: JsonObject = {"Error": "RateLimited", "Cause": "{}"}
    chunk: JsonObject = {"index": 7}
    job: JsonObject = {"job_id": "listing", "tenant": "default"}
    cloud.invoke("record_failure", {"job": job, "chunk": chunk, "failure": failure})
    forget_result(cloud, "whole")
    whole: JsonObject = {"job": {"job_id": "whole", "tenant": "default"}, "request": {}}
    kept: Any = cloud.invoke("record_failure", {"input": whole, "execution": "whole", "failure": failure})
    assert kept["status"] == "complete", kept


def play_stops(cloud: Cloud) -> None:
    """Let executions be stopped where it hurts most: with every piece there, and no result."""
    spoil_recipes(cloud)
    for name, path, request in (
        ("stopped", "/products?page=4", {"output_schema": PRODUCTS, "query": "all products"}),
        ("stopped-picture", "/forum/glaze", {"format": "screenshot"}),
        ("stopped-media", "/files/price-list.pdf", {}),
        ("stopped-early", "/nowhere", {}),
    ):
        cloud.scrape(path, name, **request)
        forget_result(cloud, name)
        payload = {"job": {"job_id": name, "tenant": "default"}, "request": {"url": cloud.site.url + path, **request}}
        detail: JsonObject = {"status": "TIMED_OUT", "name": name, "input": json.dumps(payload)}
        closed: Any = cloud.invoke("close_stopped", {"detail": detail})
        assert closed["status"] == ("failed" if name == "stopped-early" else "complete"), (name, closed)


def forget_result(cloud: Cloud, name: str) -> None:
    """Put a job back to where it was before its last state, its strategy and recipe too."""
    services, ref = cloud.services("aggregate_results"), JobRef(name)
    jobs_of(services).update(ref, status="running")
    boto3.client("s3").delete_object(Bucket=cloud.stack.name("Bucket"), Key=ref.key("result.json"))
    spoil_recipes(cloud)


def play_model_server(cloud: Cloud) -> None:
    from gleaner.adapters.models.openai_compatible import OpenAICompatibleModel
    from gleaner.contracts.ports import ModelRequest

    for function in ("plan_scrape", "extract_chunk"):  # the one asks whether it can be asked, the other asks
        settings = load_settings({**cloud.stack.environment(function), "GLEANER_MODEL": "openai:scripted"})
        llm = settings.llm.model_copy(update={"openai_base_url": cloud._model.openai_base_url})
        arn = boto3.client("secretsmanager").describe_secret(SecretId="key")["ARN"]
        assert settings.llm.api_key_secret_arn == SECRET
        llm = llm.model_copy(update={"api_key_secret_arn": arn})
        clear_caches()
        before = FUNCTION.set(function)
        with closing(OpenAICompatibleModel("scripted", settings.model_copy(update={"llm": llm}))) as model:
            model.answer(ModelRequest("", "", None))
        FUNCTION.reset(before)


def play_starts(cloud: Cloud) -> None:
    detail: JsonObject = {"url": cloud.site.url + "/"}
    cloud.invoke("start_scrape", {"detail-type": "ScrapeRequested", "id": "e-1", "detail": detail})
    bucket = cloud.stack.name("Bucket")
    boto3.client("s3").put_object(Bucket=bucket, Key="inbox/list.txt", Body=f"{cloud.site.url}/\n".encode())
    uploaded: JsonObject = {"bucket": {"name": bucket}, "object": {"key": "inbox/list.txt", "version-id": "v"}}
    cloud.invoke("start_batch", {"detail-type": "Object Created", "id": "e-2", "detail": uploaded})


def play_watch(cloud: Cloud) -> None:
    """Watch a listing: a first run, one that finds a change and tells a webhook, one that gives up to tell it."""
    order: JsonObject = {
        "request": {"url": f"{cloud.site.url}/products", "output_schema": PRODUCTS, "query": "all products"},
        "name": "lamps",
        "webhook": {"url": f"{cloud.site.url}/hook", "secret": "a-secret-of-many-letters"},
    }
    watches_of(cloud.services("begin_watch"), "default").create(WatchOrder.read(order))
    watch: JsonObject = {"watch_id": "lamps", "tenant": "default"}
    for run in ("first", "second", "third"):
        begun: Any = cloud.invoke("begin_watch", {"watch": watch, "run": run})
        assert begun["begun"], begun
        cloud.scrape("/products", begun["job"]["job_id"], output_schema=PRODUCTS, query="all products")
        SAMPLES["run_id"] = [begun["run_id"]]
        if run == "second":
            base = watches_of(cloud.services("finish_watch"), "default")
            base.write_base("lamps", list(base.base("lamps") or [])[1:])
        done: JsonObject = {"watch": watch, "run_id": begun["run_id"], "job": begun["job"]}
        finished: Any = cloud.invoke("finish_watch", done)
        if finished["deliver"]:
            with suppress(WebhookFailed):
                cloud.invoke("deliver_webhook", done)
            cloud.invoke("deliver_webhook", {**done, "failure": "no answer"})


def play_map(cloud: Cloud) -> None:
    """Map a site: once to its end, once stopped before it."""
    for map_id in ("site", "stopped-site"):
        site_maps_of(cloud.services("http_api"), "default").open(map_id, MapOrder(url=f"{cloud.site.url}/"))
        site: JsonObject = {"job_id": map_id, "tenant": "default"}
        if map_id == "site":
            cloud.invoke("map_site", {"site": site, "failure": "{}"})
            assert cloud.invoke("map_site", {"site": site}) == {"status": "complete"}
        else:
            detail: JsonObject = {"status": "ABORTED", "name": map_id, "input": json.dumps({"site": site})}
            assert cloud.invoke("close_stopped", {"detail": detail}) == {"status": "partial"}


def play_crawl(cloud: Cloud) -> None:
    """Crawl a site: one to its pages, one whose map fails, one that is stopped while it is mapped."""
    services = cloud.services("http_api")
    sites = Gateway(services, starter_for(services.settings, None)).sites
    for path, status in (("/", "mapped"), ("/nowhere", "failed")):
        order = {"url": cloud.site.url + path, "depth": 1, "request": {"enable_javascript": False}}
        record = sites.start_crawl(order, idempotency_key=path)
        site: JsonObject = {"job_id": str(record["batch_id"]), "tenant": "default"}
        answer: Any = cloud.invoke("map_site", {"site": site})
        assert answer["status"] == status, answer
        cloud.invoke("map_site", {"site": site, "failure": "{}"})
        stopped: JsonObject = {"status": "ABORTED", "name": "crawl", "input": json.dumps({"site": site})}
        cloud.invoke("close_stopped", {"detail": stopped})
    record = sites.start_crawl({"url": f"{cloud.site.url}/"}, idempotency_key="stopped")
    site = {"job_id": str(record["batch_id"]), "tenant": "default"}
    assert cloud.invoke("map_site", {"site": site, "failure": "{}"}) == {"status": "partial"}


def play_batch(cloud: Cloud) -> None:
    pages: JsonValue = [{"url": f"{cloud.site.url}/{name}"} for name in ("open", "closed")]
    record: Any = cloud.invoke("start_batch", {"requests": pages})
    batch: JsonObject = {"job_id": str(record["batch_id"]), "tenant": "default"}
    admitted = [admit(cloud, batch, "/open"), admit(cloud, batch, "/open", delay_ms=1)]
    rules = RobotRules("User-agent: *\nDisallow: /closed").to_json()
    cloud.services("admit_page").table.put(Item("ROBOTS", cloud.site.url, rules))
    assert [*admitted, admit(cloud, batch, "/closed")] == [True, True, False]
    assert cloud.invoke("summarize_batch", {"batch": batch})


def admit(cloud: Cloud, batch: JsonObject, path: str, **politeness: Any) -> bool:
    job: JsonObject = {"job_id": f"page{path.replace('/', '-')}", "tenant": "default"}
    item: JsonObject = {"job": job, "request": {"url": cloud.site.url + path}}
    answer: Any = cloud.invoke("admit_page", {"batch": batch, "item": item, "politeness": politeness})
    return answer["admitted"]


def play_requests(cloud: Cloud) -> None:
    """Send each field of a request, each with each of its values; by plain HTTP where it needs no browser."""
    samples = {
        **SAMPLES, "url": [cloud.site.url + "/journal/kiln"], "page_id": [cloud.scrape("/", "first-page")["page_id"]],
        "extraction_id": ["asked-again", "asked-again"],
    }  # fmt: skip
    for number, fields in enumerate(requests(samples)):
        plain = {} if fields.keys() & NEEDS_BROWSER else {"enable_javascript": False}
        question = {"output_schema": PRODUCTS, "query": "all products"} if fields.keys() & ABOUT_RECORDS else {}
        cloud.scrape("/products?page=2", f"field-{number}", **{**plain, **question, **fields})


def play_api(cloud: Cloud) -> None:
    _, token = Tokens(cloud.services("http_api").table).create("default")
    authorized: Any = cloud.invoke("authorize", {"headers": {"authorization": f"Bearer {token}"}})
    assert authorized["isAuthorized"]
    url = cloud.site.url
    batches = [str(item.data["batch_id"]) for item in batches_of(cloud.services("http_api"), "default").list().items]
    extraction = json.loads(cloud.call_api("GET", "/v1/strategies")["body"])["strategies"][0]["id"]
    run = watches_of(cloud.services("http_api"), "default").runs("lamps").items[1]
    samples = {
        **SAMPLES, "url": [f"{url}/products", "https://nobody.example/"], "batch_id": batches,
        "watch_id": ["lamps"], "run_id": [run.sk],
        "job_id": [*JOBS, "open"], "strategy_id": [extraction], "extraction_id": [extraction],
    }  # fmt: skip
    bodies: dict[str, list[Any]] = {
        "/v1/scrape": [{"url": f"{url}/"}],
        "/v1/batches": [{"requests": [{"url": f"{url}/"}]}, {"list": f"{url}/\n", "concurrency": 2}],
        "/v1/watches": [{"request": {"url": f"{url}/products", "output_schema": PRODUCTS}, "name": "lamps"}] * 2,
        "/v1/watches/{watch_id}/runs": [None],
        "/v1/watches/{watch_id}/pause": [None],
        "/v1/watches/{watch_id}/resume": [None],
        "/v1/maps": [{"url": f"{url}/"}],
        "/v1/crawls": [{"url": f"{url}/"}],
        "/v1/content": [{"html": "<p>x"}],
        "/v1/similarity": [{"text_a": "a", "text_b": "b"}],
        "/v1/browse": [{"url": f"{url}/", "enable_javascript": False}],
        "/v1/suggest": [{"url": f"{url}/", "enable_javascript": False}],
    }
    large = "over six megabytes of text\n" * 250_000
    boto3.client("s3").put_object(
        Bucket=cloud.stack.name("Bucket"), Key=JobRef("listing").key("content.md"), Body=large.encode()
    )
    answered: set[str] = set()
    description = json.loads(cloud.call_api("GET", "/openapi.json")["body"])
    calls = list(api_calls(description, samples, bodies))
    deletions = [call for call in calls if call.method == "DELETE"]
    with cloud.starting():
        for call in (one for one in calls if one not in deletions):
            answered |= ask(cloud, call)
    play_mcp(cloud, extraction)
    for call in deletions:
        answered |= ask(cloud, call)
    assert answered == {call.route for call in calls}, {call.route for call in calls} - answered


def ask(cloud: Cloud, call: Call) -> set[str]:
    """Send one call, and go on where its answer has a next page; give the route when it was answered well."""
    answer = cloud.call_api(call.method, call.path, call.body, **call.headers)
    assert answer["statusCode"] < 500, (call, answer)
    following = re.search(r'"next":"([^"]+)"', str(answer.get("body")).replace(" ", ""))
    if following and "after=" not in call.path:
        joined = f"{call.path}{'&' if '?' in call.path else '?'}{urlencode({'after': following[1]})}"
        assert cloud.call_api(call.method, joined)["statusCode"] < 500, joined
    return {call.route} if answer["statusCode"] < 400 else set()


def play_mcp(cloud: Cloud, extraction: str) -> None:
    url = cloud.site.url
    samples = {
        **SAMPLES, "url": [f"{url}/"], "job_id": JOBS, "html": ["<p>x"], "base_url": [url], "text_a": ["a"],
        "text_b": ["b"], "page_id": ["nosuchpage"], "extraction_id": [extraction], "config": [{}], "budget": [{}],
    }  # fmt: skip
    good: set[str] = set()
    for tool, arguments in tool_calls(samples):
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        with (
            cloud.starting() if tool in ("browse_url", "suggest_schema") else nullcontext()
        ):  # the others wait for nothing
            answer = cloud.call_api("POST", "/mcp", call, "mcp_server", **{"mcp-protocol-version": "2025-06-18"})
        assert answer["statusCode"] == 200, answer
        result = json.loads(answer["body"])["result"]
        assert "internal_error" not in str(result), (tool, arguments, result)
        good |= set() if result.get("isError") else {tool}
    assert good == set(BY_NAME), set(BY_NAME) - good
