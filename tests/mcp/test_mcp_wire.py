"""MCP on its wires, with the SDK's own client: both eras of the protocol, stdio and HTTP, tokens, handles."""

import base64
import json
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from gleaner.cli.demo import PRODUCTS
from gleaner.contracts.errors import RateLimited
from gleaner.contracts.settings import load_settings
from gleaner.jobs.tokens import Tokens
from gleaner.local.runner import LocalContext, LocalRunner
from gleaner.local.serve import serving
from gleaner.mcp import asgi_app, make_server
from gleaner.mcp.lambda_app import answer_event
from gleaner.service.gateway import Gateway, by_token
from gleaner.testing import Site
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.wiring import WiredServices
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tests.asgi_server import served
from tests.mcp.conftest import talk

ROOT = Path(__file__).parents[2]
NAMES = [
    *("scrape", "browser_extract_content", "browse_url", "suggest_schema", "scrape_extract_content"),
    *("scrape_text_similarity", "get_result", "watch", "watch_changes", "map", "crawl"),
]
ERAS = ["legacy", "auto", MODERN_PROTOCOL_VERSIONS[-1]]
JSON = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def message(method: str, **parameters: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}


@pytest.mark.req("MC-1")
@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("id", '{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list"}'),
        ("method", '{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "tools/list"}'),
        ("name", '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "scrape", "name": "map"}}'),
        (
            "url",
            '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "scrape", "arguments":'
            ' {"url": "https://a.example/", "url": "http://10.0.0.1/"}}}',
        ),
    ],
)
def test_a_message_that_gives_a_name_twice_is_refused(http_url: str, name: str, body: str) -> None:
    """What a proxy has checked might not be what is used (RFC 8259, section 4)."""
    answer = httpx.post(http_url, content=body, headers=JSON, verify=False)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32600
    assert answer.json()["error"]["message"] == f"the message is ambiguous: '{name}' is given twice"


@pytest.mark.req("MC-1", "SS-2")
def test_a_message_that_is_too_large_is_refused(http_url: str) -> None:
    answer = httpx.post(http_url, content=b" " * 6_000_001, headers=JSON, verify=False)
    assert (answer.status_code, answer.json()["error_type"]) == (413, "body_too_large")


HELLO = message(
    "initialize",
    protocolVersion="2025-06-18",
    capabilities={},
    clientInfo={"name": "test", "version": "1"},
)


@pytest.mark.req("MC-1")
@pytest.mark.parametrize("mode", ["legacy", MODERN_PROTOCOL_VERSIONS[-1]])
def test_over_stdio_both_eras_see_the_tools_and_scrape(command: Any, shop: Site, mode: str) -> None:
    async def conversation(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        image = await client.call_tool("scrape", {"url": f"{shop.url}/files/lamp.png"})
        wrong = await client.call_tool("scrape", {"url": shop.url, "format": "html"})
        page = None
        if mode == "legacy":
            page = await client.call_tool("scrape", {"url": f"{shop.url}/products", "output_schema": PRODUCTS})
        return tools, image, wrong, page

    tools, image, wrong, page = talk(command, conversation, mode)
    assert [tool.name for tool in tools] == NAMES
    assert all(tool.description and tool.input_schema["type"] == "object" for tool in tools)
    assert base64.b64decode(image.content[1].data).startswith(b"\x89PNG")
    assert wrong.is_error
    if page is not None:
        names = [record["name"] for record in page.structured_content["data"]["products"]]
        assert names == [product["name"] for product in shop.products[:12]]


@pytest.mark.req("MC-1")
def test_on_stdio_nothing_but_protocol_is_written_to_stdout(command: Any, shop: Site) -> None:
    call = message(
        "tools/call", name="scrape", arguments={"url": f"{shop.url}/docs/client", "enable_javascript": False}
    )
    sent = [HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, {**call, "id": 2}]
    process = subprocess.Popen(
        [command.command, *command.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=command.env,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write("".join(json.dumps(one) + "\n" for one in sent) + "this is no JSON\n")
    process.stdin.flush()
    got = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.stdin.close()
    rest, process_errors = process.stdout.read(), process.stderr.read()
    process.stdout.close()
    process.stderr.close()
    assert process.wait(90) == 0
    answers = [*got, *(json.loads(line) for line in rest.splitlines())]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert {1, 2} <= {answer.get("id") for answer in answers}
    assert "Traceback" not in process_errors


@pytest.mark.req("MC-1")
@pytest.mark.parametrize("mode", ERAS)
def test_over_http_both_eras_see_and_call_the_tools(http_url: str, mode: str) -> None:
    async def conversation(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        alike = await client.call_tool("scrape_text_similarity", {"text_a": "a b", "text_b": "b c"})
        with pytest.raises(MCPError, match="there is no tool"):
            await client.call_tool("nonesuch", {})
        return tools, alike

    tools, alike = talk(http_url, conversation, mode)
    assert [tool.name for tool in tools] == NAMES
    assert alike.structured_content["similarity"] == pytest.approx(1 / 3)


@pytest.mark.req("MC-1")
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_over_http_only_post_is_answered(http_url: str, method: str) -> None:
    answer = httpx.request(method, http_url, headers=JSON, verify=False)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.req("MC-1")
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"jsonrpc": "2.0"}', b"5", b"null"])
def test_a_body_that_is_no_message_is_refused(http_url: str, body: bytes) -> None:
    answer = httpx.post(http_url, content=body, headers=JSON, verify=False)
    assert answer.status_code == 400


@pytest.mark.req("MC-1", "AU-1")
def test_over_http_with_tokens_each_caller_sees_its_own_jobs(gateway: Gateway, shop: Site) -> None:
    tokens = Tokens(gateway.services.table)
    _, ours = tokens.create("ours")
    token_id, theirs = tokens.create("theirs")
    call = message(
        "tools/call", name="scrape", arguments={"url": f"{shop.url}/docs/client", "enable_javascript": False}
    )
    with served(asgi_app(by_token(gateway.services, gateway.starter))) as url:

        def post(one: Mapping[str, Any], token: str | None) -> httpx.Response:
            headers = {**JSON, "authorization": f"Bearer {token}"} if token else JSON
            return httpx.post(f"{url}/mcp", json=one, headers=headers, timeout=60, verify=False)

        text = post(call, ours).json()["result"]["content"][0]["text"]
        job_id = text.partition("job_id: ")[2].partition("\n")[0]
        read = message("tools/call", name="get_result", arguments={"job_id": job_id})
        assert post(read, ours).json()["result"]["isError"] is False
        assert post(read, theirs).json()["result"]["structuredContent"]["error_type"] == "not_found"
        tokens.revoke(token_id)
        for token in (None, "gl_wrong", theirs):
            refused = post(HELLO, token)
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"] == "Bearer"


@pytest.mark.req("AU-1")
def test_a_caller_over_its_rate_is_told_when_to_come_back() -> None:
    def refuse(_: Mapping[str, str]) -> Gateway:
        raise RateLimited("more than 1 requests per minute; wait 7 s", 7.2)

    with served(asgi_app(refuse)) as url:
        refused = httpx.post(f"{url}/mcp", json=HELLO, headers=JSON, verify=False)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "7")
    problem = {"type": "urn:gleaner:error:rate_limited", "title": "Too Many Requests", "status": 429}
    assert problem.items() <= refused.json().items()


@pytest.fixture
def slow_page() -> Iterator[tuple[str, threading.Event]]:
    """A page that is not there before the event is set."""
    ready = threading.Event()

    class Handler(LoopbackHandler):
        def do_GET(self) -> None:
            ready.wait(90)
            self.answer(200, "text/html", b"<title>Late</title><h1>Here at last</h1>")

    with LoopbackServer(Handler) as server:
        yield server.host, ready
        ready.set()


@pytest.mark.req("MC-1")
def test_long_work_gives_a_handle_that_the_result_is_got_by(
    slow_page: tuple[str, threading.Event], tmp_path: Path
) -> None:
    host, ready = slow_page
    services = WiredServices(load_settings({}, home=tmp_path, allow_hosts=[host]))
    with (
        closing(services),
        closing(LocalRunner(services)) as runner,
        served(asgi_app(lambda _: Gateway(services, runner), wait_s=0.2)) as hasty,
        served(asgi_app(lambda _: Gateway(services, runner), wait_s=20)) as patient,
        ExitStack() as at_last,
    ):
        at_last.callback(ready.set)
        arguments = {"url": f"http://{host}/", "enable_javascript": False}
        first = talk(f"{hasty}/mcp", lambda client: client.call_tool("scrape", arguments))
        handle = first.structured_content
        assert handle["status"] in ("queued", "running")
        assert f'get_result with {{"job_id": "{handle["job_id"]}"}}' in first.content[0].text
        again = talk(f"{hasty}/mcp", lambda client: client.call_tool("get_result", handle | {"status": None}))
        assert again.structured_content["job_id"] == handle["job_id"]
        ready.set()
        done = talk(f"{patient}/mcp", lambda client: client.call_tool("get_result", {"job_id": handle["job_id"]}))
        assert "# Here at last" in done.content[0].text


@pytest.fixture
def slow(slow_page: tuple[str, threading.Event], tmp_path: Path) -> Iterator[Gateway]:
    """A gateway that may read the slow page."""
    services = WiredServices(load_settings({}, home=tmp_path, allow_hosts=[slow_page[0]]))
    with closing(services), closing(LocalRunner(services)) as runner, ExitStack() as at_last:
        at_last.callback(slow_page[1].set)
        yield Gateway(services, runner)


@pytest.mark.req("MC-1")
@pytest.mark.parametrize("mode", ["legacy", MODERN_PROTOCOL_VERSIONS[-1]])
@pytest.mark.parametrize("tool", ["scrape", "browse_url"])
def test_a_call_that_is_cancelled_calls_its_job_off(
    slow: Gateway, slow_page: tuple[str, threading.Event], tool: str, mode: str
) -> None:
    arguments = {"url": f"http://{slow_page[0]}/", "enable_javascript": False}

    async def conversation(client: Client) -> None:
        async with anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, tool, arguments)
            while not slow.list_jobs().items:
                await anyio.sleep(0.01)
            calls.cancel_scope.cancel()

    talk(make_server(lambda _: slow), conversation, mode)
    (job,) = slow.list_jobs().items
    end = time.monotonic() + 60
    while slow.job(job.sk)["status"] != "cancelled":
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.req("MC-1")
def test_a_reader_that_leaves_lets_the_job_go_on(slow: Gateway, slow_page: tuple[str, threading.Event]) -> None:
    ref = slow.start_scrape({"url": f"http://{slow_page[0]}/", "enable_javascript": False})

    async def conversation(client: Client) -> None:
        with anyio.move_on_after(0.2):
            await client.call_tool("get_result", {"job_id": ref.job_id})

    talk(make_server(lambda _: slow), conversation)
    slow_page[1].set()
    result = slow.wait(ref, 60)
    assert result is not None
    assert result.status == "complete"


@pytest.mark.req("MC-1")
def test_who_gives_a_progress_token_is_told_of_each_step(slow: Gateway, slow_page: tuple[str, threading.Event]) -> None:
    told: list[tuple[float, str | None]] = []

    async def note(progress: float, _: float | None, words: str | None) -> None:
        told.append((progress, words))
        slow_page[1].set()

    async def conversation(client: Client) -> Any:
        arguments = {"url": f"http://{slow_page[0]}/", "enable_javascript": False}
        return await client.call_tool("scrape", arguments, progress_callback=note)

    assert not talk(make_server(lambda _: slow), conversation, "legacy").is_error
    numbers = [number for number, _ in told]
    assert numbers == sorted(set(numbers))
    assert told[0][1] in ("plan", "probe")


def event(body: Mapping[str, Any], token: str | None) -> dict[str, Any]:
    headers = {**JSON, "host": "abc123.execute-api.eu-west-1.amazonaws.com"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    return {
        "version": "2.0",
        "routeKey": "POST /mcp",
        "rawPath": "/mcp",
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {
            "http": {"method": "POST", "path": "/mcp", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"},
            "stage": "$default",
        },
        "body": json.dumps(body),
        "isBase64Encoded": False,
    }


@pytest.mark.req("MC-1", "AU-1")
def test_behind_api_gateway_each_event_is_answered_for_its_token(gateway: Gateway) -> None:
    context = LocalContext("mcp_server", gateway.services)

    def send(body: Mapping[str, Any], token: str | None) -> Any:
        return answer_event(event(body, token), context, gateway.services, gateway.starter)

    _, token = Tokens(gateway.services.table).create("cloud")
    assert send(HELLO, None)["statusCode"] == 401
    for _ in range(2):
        hello = send(HELLO, token)
        assert hello["statusCode"] == 200
        assert json.loads(hello["body"])["result"]["serverInfo"]["name"] == "gleaner"
    call = message("tools/call", name="scrape_text_similarity", arguments={"text_a": "a", "text_b": "a"})
    answer = json.loads(send(call, token)["body"])
    assert answer["result"]["structuredContent"] == {"status": "ok", "similarity": 1.0}
    assert send(message("tools/list"), token)["statusCode"] == 200


@pytest.mark.req("MC-1", "AU-1")
def test_behind_the_authorizer_the_tenant_is_whom_it_let_in(gateway: Gateway, shop: Site) -> None:
    arguments = {"url": f"{shop.url}/docs/client", "enable_javascript": False}
    body = message("tools/call", name="scrape", arguments=arguments)
    let_in = event(body, None)
    let_in["requestContext"]["authorizer"] = {"lambda": {"tenant": "let-in"}}
    context = LocalContext("mcp_server", gateway.services)
    answer = answer_event(let_in, context, gateway.services, gateway.starter)
    assert json.loads(answer["body"])["result"]["isError"] is False
    assert len(Gateway(gateway.services, gateway.starter, "let-in").list_jobs().items) == 1
    let_in["requestContext"]["authorizer"] = {"lambda": {"retry_after": "7"}}
    refused = answer_event(let_in, context, gateway.services, gateway.starter)
    assert (refused["statusCode"], refused["headers"]["retry-after"]) == (429, "7")


@pytest.mark.req("MC-1")
@pytest.mark.parametrize("encoded", [False, True])
def test_the_sample_event_is_answered(gateway: Gateway, encoded: bool) -> None:
    sample = json.loads((ROOT / "events/mcp_server/call_tool.json").read_text("utf-8"))
    if encoded:
        sample |= {"body": base64.b64encode(sample["body"].encode()).decode(), "isBase64Encoded": True}
    context = LocalContext("mcp_server", gateway.services)
    answer = answer_event(sample, context, gateway.services, gateway.starter)
    assert answer["statusCode"] == 200
    assert json.loads(answer["body"])["result"]["structuredContent"] == {"status": "ok", "similarity": 0.6}


@pytest.mark.req("MC-1", "AU-1")
def test_gleaner_serve_answers_mcp_to_this_machine_alone(gateway: Gateway) -> None:
    with serving(gateway.services, gateway.starter, require_token=False) as front, served(front) as url:
        tools = talk(f"{url}/mcp", lambda client: client.list_tools()).tools
        stranger = httpx.post(f"{url}/mcp", json=HELLO, headers={**JSON, "host": "rebound.example"}, verify=False)
        page = httpx.post(f"{url}/mcp", json=HELLO, headers={**JSON, "origin": "https://other.example"}, verify=False)
    assert [tool.name for tool in tools] == NAMES
    assert (stranger.status_code, page.status_code) == (421, 403)
