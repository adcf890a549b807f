"""The HTTP API and MCP, asked in every way that they say of themselves, with a token and without."""

import json
from typing import Any

from gleaner.cli.demo import PRODUCTS
from gleaner.mcp.catalogue import BY_NAME, TOOLS

from tests.cloud.plays.watches import PAGE
from tests.cloud.stack import Cloud
from tests.template.asked import Call, api_calls

OPEN = {"get /health"}
"""Routes that ask for no token."""
ASKED = {"url": "http://shop.example/asked", "enable_javascript": False}
BODIES: dict[str, list[Any]] = {
    "/v1/scrape": [ASKED],
    "/v1/batches": [{"requests": [ASKED]}, {"list": "http://shop.example/in-a-list\n"}],
    "/v1/content": [{"html": "<p>x"}],
    "/v1/similarity": [{"text_a": "a", "text_b": "b"}],
    "/v1/browse": [ASKED],
    "/v1/watches": [{"request": PAGE, "name": "lamps"}],
    "/v1/watches/{watch_id}/runs": [None],
    "/v1/watches/{watch_id}/pause": [None],
    "/v1/watches/{watch_id}/resume": [None],
    "/v1/suggest": [ASKED],
    "/v1/maps": [{"url": "http://kiln.example/", "depth": 0}],
    "/v1/crawls": [{"url": "http://kiln.example/", "max_pages": 1, "request": {"enable_javascript": False}}],
}
"""What is posted to each route."""


def samples(cloud: Cloud) -> dict[str, list[Any]]:
    """Give values to ask with, by the name of the parameter."""
    known = cloud.known
    return {
        "source": ["inbox/default/monday.csv"], "limit": [1, 50], "after": ["0"], "wait": [0],
        "idempotency-key": ["cloud-check-api"], "url": ["http://kiln.example/products"],
        "batch_id": [known["batch"]], "job_id": [known["listing"], known["picture"], known["media"]],
        "strategy_id": [known["extraction"]], "extraction_id": [known["extraction"]],
        "query": ["all products"], "output_schema": [PRODUCTS], "html": ["<title>A</title><p>Text."],
        "text_a": ["one"], "text_b": ["two"], "page_id": [known["listing_page"]],
        "watch_id": ["lamps"], "run_id": [known["run"]],
        "map_id": [known["map"]], "session": [known["session"]],
    }  # fmt: skip


def calls(cloud: Cloud) -> list[Call]:
    """Give each route with each combination of its parameters; what deletes comes last."""
    description = cloud.ask("GET", "/openapi.json").json()
    return list(api_calls(description, samples(cloud), BODIES))


def routes_ask_for_a_token_and_open_one_tenant(cloud: Cloud) -> str:
    """Ask each route without a token, with one that is unknown or revoked, and with another tenant's."""
    first = {call.route: call for call in reversed(calls(cloud))}
    for route, call in first.items():
        if route in OPEN:
            assert cloud.ask(call.method, call.path, token=None).status_code == 200, route
            continue
        for token, wanted in ((None, 401), ("gl_unknown", 403), ("revoked", 403)):
            answer = cloud.ask(call.method, call.path, call.body, token, **call.headers)
            assert answer.status_code == wanted, (route, token, answer.status_code, answer.text[:300])
        if "{" in route and call.method == "GET":
            answer = cloud.ask(call.method, call.path, token="other")
            assert answer.status_code == 404 or not records(answer.json()), (route, answer.text[:300])
    return f"{len(first)} routes"


def records(body: Any) -> bool:
    """Tell whether an answer holds anything of somebody's."""
    return any(isinstance(value, list) and value for value in body.values())


def routes_answer_whatever_their_parameters(cloud: Cloud) -> str:
    """Ask each route in each way with its tenant's token: each is answered well once, and none with a server error."""
    asked = calls(cloud)
    well: set[str] = set()
    for call in asked:
        answer = cloud.ask(call.method, call.path, call.body, **call.headers)
        assert answer.status_code < 500, (call, answer.text[:500])
        well |= {call.route} if answer.status_code < 400 else set()
    assert well == {call.route for call in asked}, {call.route for call in asked} - well
    refused = cloud.ask("PUT", "/v1/jobs")
    assert refused.status_code == 405, refused.text
    return f"{len(asked)} requests over {len(well)} routes"


def mcp_tools_answer(cloud: Cloud) -> str:
    """Open a session of the 2025 era, list the tools, and call each with what it needs."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "cloud-check", "version": "1"}}
    assert "serverInfo" in called(cloud, "initialize", hello)
    listed = {tool["name"] for tool in called(cloud, "tools/list", {})["tools"]}
    assert listed == set(BY_NAME), listed
    for tool in TOOLS:
        arguments = least_arguments(cloud, tool.input_schema)
        result = called(cloud, "tools/call", {"name": tool.name, "arguments": arguments})
        assert not result.get("isError"), (tool.name, result)
    assert cloud.ask("POST", "/mcp", {}, None).status_code == 401
    return f"{len(listed)} tools"


def least_arguments(cloud: Cloud, schema: Any) -> dict[str, Any]:
    """Give what a tool needs, and a page where it reads one."""
    page = {"url": "http://shop.example/asked"} if "url" in schema["properties"] else {}
    return page | {name: samples(cloud)[name][0] for name in schema.get("required") or [] if name not in page}


def called(cloud: Cloud, method: str, params: Any) -> Any:
    """Call a method of MCP; give its result."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = cloud.ask("POST", "/mcp", message, **{"mcp-protocol-version": "2025-06-18"})
    assert answer.status_code == 200, answer.text
    found = json.loads(answer.text)
    assert "result" in found, found
    return found["result"]
