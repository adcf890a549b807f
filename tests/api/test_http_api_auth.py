"""Who may see what: no token, a wrong one, a revoked one, and another tenant's, on every route."""

import json
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import httpx
import pytest
from gleaner.api.authorizer import authorize
from gleaner.contracts.errors import RateLimited
from gleaner.contracts.models import ExtractionResult
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.jobs.sessions import SessionList
from gleaner.jobs.site_maps import MapOrder
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.jobs.tokens import Tokens
from gleaner.jobs.watches import WatchOrder, WatchRun
from gleaner.service.gateway import Gateway, authorized_tenant
from gleaner.steps.batch import batches_of
from gleaner.steps.site.mapping import site_maps_of
from gleaner.steps.watch import watches_of
from gleaner.testing import Site
from gleaner.wrappers import RecipeBook

from tests.api.conftest import Server

DESCRIPTION = json.loads((Path(__file__).parents[2] / "docs/openapi.json").read_text("utf-8"))
ROUTES = [
    (method.upper(), path)
    for path, methods in DESCRIPTION["paths"].items()
    for method in methods
    if path not in ("/health", "/docs")
]
OWNED = [route for route in ROUTES if "{" in route[1]]
BODIES: dict[str, Any] = {
    "/v1/content": {"html": "<p>hi"},
    "/v1/similarity": {"text_a": "a", "text_b": "b"},
}


def call(client: httpx.Client, method: str, path: str, names: dict[str, str] | None = None) -> httpx.Response:
    filled = path.format_map(
        names
        or {
            "job_id": "x",
            "extraction_id": "x",
            "strategy_id": "x",
            "batch_id": "x",
            "watch_id": "x",
            "run_id": "x",
            "map_id": "x",
            "session": "x",
        }
    )
    body = BODIES.get(path, {"url": "http://127.0.0.1:9/"}) if method == "POST" else None
    return client.request(method, filled, json=body)


@pytest.mark.req("AU-1", "AP-1")
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_route_wants_a_token_that_is_known(guarded: Server, method: str, path: str) -> None:
    token_id, revoked = guarded.token("acme")
    Tokens(guarded.services.table).revoke(token_id)
    for headers in (
        {},
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": "Bearer gl_wrong"},
        {"authorization": f"Bearer {revoked}"},
        {"authorization": f"Basic {revoked}"},
    ):
        with guarded.client() as client:
            client.headers.update(headers)
            answer = call(client, method, path)
        assert answer.status_code == 401, (headers, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["error_type"] == "unauthorized"


@pytest.mark.req("AU-1", "AP-1")
@pytest.mark.parametrize("path", ["/v1/scrape", "/mcp", "/health"])
@pytest.mark.parametrize("size", ["Content-Length: 5000000", "Transfer-Encoding: chunked"])
def test_no_body_is_read_of_somebody_without_a_token(guarded: Server, path: str, size: str) -> None:
    lines = (f"POST {path} HTTP/1.1", "Host: a.example", "Content-Type: application/json", size, "Expect: 100-continue")
    with speaking(guarded, lines) as answer:
        assert answer.readline() == b"HTTP/1.1 401 Unauthorized\r\n"


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(("size", "status"), [(900_000, 408), (1_000_001, 413)])
def test_a_body_that_does_not_come_is_not_waited_for(
    guarded: Server, monkeypatch: pytest.MonkeyPatch, size: int, status: int
) -> None:
    monkeypatch.setattr("gleaner.local.serve.BODY_S", 0.05)
    monkeypatch.setattr("gleaner.local.serve.DRAIN_S", 0.05)
    token = f"Authorization: Bearer {guarded.token('acme')[1]}"
    lines = ("POST /v1/scrape HTTP/1.1", "Host: a.example", token, f"Content-Length: {size}", "", '{"url": ')
    with speaking(guarded, lines) as answer:
        assert answer.readline().startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.req("SS-2", "AP-1")
def test_who_never_comes_to_the_end_of_a_request_s_head_is_hung_up_on(
    guarded: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gleaner.local.connections.HEAD_S", 0.1)  # uvicorn's own limit, of silence, is 5 s
    head = b"GET /health HTTP/1.1\r\nHost: a.example\r\n"
    for asked_before in (b"", head + b"\r\n"):
        with speaking(guarded, asked_before + head) as answer:
            said = answer.read()
        assert said.count(b"HTTP/1.1 200 OK") == bool(asked_before)


@pytest.mark.req("AP-1")
def test_who_waits_for_an_answer_is_not_hung_up_on(
    guarded: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gleaner.local.connections.HEAD_S", 0.1)
    schema = {"type": "object", "properties": {"headline": {"type": "string"}}}
    body = {"url": f"{site.url}/journal/kiln", "enable_javascript": False, "query": "slow", "output_schema": schema}
    with guarded.client(guarded.token("acme")[1]) as client:
        assert [client.post("/v1/scrape?wait=0.4", json=body).status_code for _ in range(2)] == [202, 202]
    guarded.model.gate.set()


@pytest.mark.req("SS-2", "AP-1")
def test_strangers_who_only_connect_or_never_end_a_body_shut_nobody_out(
    guarded: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gleaner.local.connections.MOST", 4)
    token = f"Authorization: Bearer {guarded.token('acme')[1]}"
    begun = ("POST /v1/scrape HTTP/1.1", "Host: a.example", token, "Content-Length: 90", "", '{"url": ')
    with ExitStack() as strangers:
        first, *_ = [strangers.enter_context(speaking(guarded, said)) for said in (b"", begun, b"GET ", b"", b"")]
        assert first.read() == b""
        for _ in range(5):
            client = strangers.enter_context(guarded.client())
            assert client.get("/health").status_code == 200


@pytest.mark.req("SS-2", "AP-1")
def test_where_all_connections_wait_for_answers_a_newcomer_is_told_to_come_back(
    guarded: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gleaner.local.connections.MOST", 1)
    schema = {"type": "object", "properties": {"headline": {"type": "string"}}}
    asked = {"url": f"{site.url}/journal/kiln", "enable_javascript": False, "query": "slow", "output_schema": schema}
    body = json.dumps(asked)
    token = f"Authorization: Bearer {guarded.token('waiting')[1]}"
    guarded.model.gate.clear()
    head = ("POST /v1/scrape?wait=25 HTTP/1.1", "Host: a.example", token, "Content-Type: application/json")
    with speaking(guarded, [*head, f"Content-Length: {len(body)}", "", body]) as answer, guarded.client() as client:
        while not Gateway(guarded.services, guarded.runner, "waiting").list_jobs().items:
            time.sleep(0.01)
        answers = (httpx.get(f"{guarded.url}/health") for _ in range(20))
        refused = next(one for one in answers if one.status_code != 200)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert refused.json()["detail"].startswith("the server has 1 requests in progress")
        guarded.model.gate.set()
        assert answer.readline().startswith(b"HTTP/1.1 200 ")
        assert client.get("/health").status_code == 200


@contextmanager
def speaking(server: Server, said: Sequence[str] | bytes) -> Iterator[BinaryIO]:
    """Send bytes, or the lines of a request, and give what is answered."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection, connection.makefile("rb") as answer:
        connection.sendall(said if isinstance(said, bytes) else "\r\n".join([*said, "", ""]).encode())
        yield answer


@pytest.fixture(scope="module")
def owned(guarded: Server, site: Site) -> dict[str, str]:
    """What tenant acme has: a job, an extraction, a strategy."""
    _, token = guarded.token("acme")
    request = {"url": site.url + "/journal/kiln", "enable_javascript": False}
    with guarded.client(token) as client:
        job_id = client.post("/v1/scrape", json=request).json()["job_id"]
    table = guarded.services.table
    ExtractionAggregator(table, "shared", "acme").add(ExtractionResult(data=[{"a": 1}], source_url="https://a.example"))
    strategy_id = ExtractionCache(table, "acme").register(ExtractionStrategy(url_pattern="https://a.example/*"))
    batches_of(guarded.services, "acme").prepare("list", parse_list(b"https://a.example/"), Politeness())
    watches = watches_of(guarded.services, "acme")
    asked = {**request, "output_schema": {"type": "array"}}
    watches.create(WatchOrder.read({"name": "lamps", "request": asked, "every": "1h"}))
    watches.note("lamps", WatchRun(run_id="run", at=1.0, status="unchanged"))
    SessionList(table, "acme", 7).note("ada")
    site_maps_of(guarded.services, "acme").open("site", MapOrder(url="https://a.example"))
    names = {"strategy_id": strategy_id, "batch_id": "list", "watch_id": "lamps", "run_id": "run", "map_id": "site"}
    names["session"] = "ada"
    return {"job_id": job_id, "extraction_id": "shared", "token": token, **names}


@pytest.mark.req("AU-1")
@pytest.mark.parametrize(("method", "path"), OWNED)
def test_what_belongs_to_another_tenant_is_not_found(
    guarded: Server, owned: dict[str, str], method: str, path: str
) -> None:
    _, other = guarded.token("umbrella")
    with guarded.client(other) as client:
        answer = call(client, method, path, owned)
    assert answer.status_code == 404, answer.text


@pytest.mark.req("AU-1")
@pytest.mark.parametrize("path", [path for method, path in OWNED if method == "GET" and "screenshot" not in path])
def test_what_is_a_tenant_s_own_is_found(guarded: Server, owned: dict[str, str], path: str) -> None:
    with guarded.client(owned["token"]) as client:
        answer = call(client, "GET", path, owned)
    assert answer.status_code == 200, answer.text


@pytest.mark.req("AU-1", "AP-1")
def test_a_strategy_is_shown_with_its_own_recipes(guarded: Server, owned: dict[str, str]) -> None:
    for tenant in ("acme", "default"):
        book = RecipeBook(guarded.services.table, tenant)
        book.note(owned["strategy_id"], "refused", f"seen by {tenant}")
    with guarded.client(owned["token"]) as client:
        shown = client.get(f"/v1/strategies/{owned['strategy_id']}").json()
    assert shown["recipes"]["refused"] == "seen by acme"


ODD_NAMES = [
    "acme%23shared", "%23acme%23shared", "default%23acme%23shared", "..%2Facme%2Fshared", "shared%2F", "shared%00",
    "shared%0A", "shared%20", "SHARED", "%EF%BD%93hared", "sh%CE%B1red", "shared%ED%A0%80", "*", "%25", "%2E%2E",
    "s" * 81, "s" * 5000,
]  # fmt: skip


@pytest.mark.req("AU-1", "AG-1", "ST-1")
@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("kind", ["extractions", "strategies"])
def test_no_spelling_of_a_name_leads_to_another_tenant(
    guarded: Server, owned: dict[str, str], kind: str, name: str
) -> None:
    _, other = guarded.token("umbrella")
    with guarded.client(other) as client:
        answers = [client.get(f"/v1/{kind}/{name}"), client.delete(f"/v1/{kind}/{name}")]
    assert {answer.status_code for answer in answers} <= {404, 422}
    with guarded.client(owned["token"]) as client:
        assert client.get("/v1/extractions/shared").status_code == 200


@pytest.mark.req("AU-1", "AG-1", "ST-1")
def test_a_cursor_of_another_tenant_leads_to_nothing_of_theirs(guarded: Server) -> None:
    tokens = {tenant: guarded.token(tenant)[1] for tenant in ("initech", "hooli")}
    table = guarded.services.table
    for tenant in tokens:
        page = ExtractionResult(data=[{"of": tenant, "n": n} for n in range(3)], source_url="https://a.example")
        ExtractionAggregator(table, "same", tenant).add(page)
        for number in range(3):
            strategy = ExtractionStrategy(id=f"s{number}", url_pattern="https://a.example/*", query_template=tenant)
            ExtractionCache(table, tenant).register(strategy)
    with guarded.client(tokens["initech"]) as client:
        cursors = [
            client.get("/v1/extractions/same", params={"limit": 1}).json()["next"],
            client.get("/v1/strategies", params={"limit": 1}).json()["next"],
        ]
    edited = [
        "RECORD#",
        "KEY#",
        "SUMMARY#0",
        "~",
        " ",
        "AGG#initech#same",
        '["STRATEGY#initech", "s0"]',
        "../s0",
        "%00",
    ]
    with guarded.client(tokens["hooli"]) as client:
        for after in [*cursors, *edited]:
            answer = client.get("/v1/extractions/same", params={"after": after})
            assert answer.status_code in (200, 422), after
            records = answer.json().get("records", [])
            assert {item["record"]["of"] for item in records} <= {"hooli"}, after
            strategies = client.get("/v1/strategies", params={"after": after}).json()["strategies"]
            assert {one["query_template"] for one in strategies} <= {"hooli"}, after
        for after in ("ü", "\n", "x" * 1001):
            assert client.get("/v1/extractions/same", params={"after": after}).status_code == 422
        assert client.delete("/v1/strategies/s0").status_code == 204
        assert client.delete("/v1/extractions/same").status_code == 204
    assert ExtractionCache(table, "initech").get("s0") is not None
    assert ExtractionAggregator(table, "same", "initech").counts()["records"] == 3


@pytest.mark.req("AP-1", "ST-1")
def test_strategies_with_large_schemas_are_listed_in_answers_of_a_bounded_size(guarded: Server) -> None:
    _, token = guarded.token("wordy")
    for number in range(7):
        schema = {"type": "object", "description": "x" * 1_500_000}
        strategy = ExtractionStrategy(id=f"s{number}", url_pattern="https://a.example/*", output_schema=schema)
        ExtractionCache(guarded.services.table, "wordy").register(strategy)
    seen: list[str] = []
    after: str | None = None
    with guarded.client(token) as client:
        while True:
            answer = client.get("/v1/strategies", params={"after": after} if after else {})
            assert len(answer.content) < 4_500_000
            seen += [one["id"] for one in answer.json()["strategies"]]
            after = answer.json().get("next")
            if after is None:
                break
    assert seen == [f"s{number}" for number in range(7)]


@pytest.mark.req("AU-1", "ST-2", "RC-2")
def test_the_same_id_of_two_tenants_is_two_extractions(guarded: Server, site: Site) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"station": {"type": "string"}}}}
    request = {"url": site.url + "/stations", "enable_javascript": False, "extraction_id": "weather"}
    tokens = [guarded.token(tenant)[1] for tenant in ("north", "south")]
    with guarded.client(tokens[0]) as north, guarded.client(tokens[1]) as south:
        first = north.post("/v1/scrape", json={**request, "output_schema": schema}).json()
        assert first["extraction"]["extraction_id"] == "weather"
        other = south.post("/v1/scrape", json=request).json()
        assert other["error"]["error_type"] == "not_found"
        assert south.get("/v1/extractions/weather").status_code == 404
        assert south.get("/v1/strategies/weather").status_code == 404
        again = north.post("/v1/scrape", json=request).json()
        assert again["extraction"]["aggregate_summary"] == first["extraction"]["aggregate_summary"]


@pytest.mark.req("AU-1")
def test_lists_show_only_ones_own(guarded: Server, owned: dict[str, str]) -> None:
    _, other = guarded.token("stranger")
    with guarded.client(other) as client:
        assert client.get("/v1/jobs").json()["jobs"] == []
        for kind in ("strategies", "watches", "batches"):
            assert client.get(f"/v1/{kind}").json()[kind] == []
    with guarded.client(owned["token"]) as client:
        assert [watch["watch_id"] for watch in client.get("/v1/watches").json()["watches"]] == [owned["watch_id"]]
        assert owned["job_id"] in [job["job_id"] for job in client.get("/v1/jobs").json()["jobs"]]
        assert client.get(f"/v1/jobs/{owned['job_id']}/markdown").status_code == 200


@pytest.mark.req("AU-1")
def test_a_page_of_another_tenant_can_not_be_worked_on(guarded: Server, owned: dict[str, str]) -> None:
    with guarded.client(owned["token"]) as client:
        page_id = client.get(f"/v1/jobs/{owned['job_id']}/result").json()["page_id"]
        assert client.post("/v1/scrape", json={"page_id": page_id}).json()["status"] == "complete"
    _, other = guarded.token("umbrella")
    with guarded.client(other) as client:
        answer = client.post("/v1/scrape", json={"page_id": page_id}).json()
        assert answer["error"]["error_type"] == "not_found"
        body = {"url": "https://a.example", "extraction_id": owned["strategy_id"]}
        assert client.post("/v1/scrape", json=body).json()["error"]["error_type"] == "not_found"


@pytest.mark.req("AU-1")
def test_the_same_idempotency_key_of_two_tenants_is_two_jobs(guarded: Server, site: Site) -> None:
    request = {"url": site.url + "/journal/kiln", "enable_javascript": False}
    jobs: set[str] = set()
    for tenant in ("north", "south"):
        with guarded.client(guarded.token(tenant)[1]) as client:
            answer = client.post("/v1/scrape?wait=0", json=request, headers={"idempotency-key": "k"})
            jobs.add(answer.json()["job_id"])
    assert len(jobs) == 2


@pytest.mark.req("AU-1")
def test_a_tenant_over_its_rate_is_told_when_to_come_back(guarded: Server) -> None:
    _, token = guarded.token("eager", rate_per_minute=2)
    with guarded.client(token) as client:
        answers = [client.get("/v1/parsers") for _ in range(6)]  # a minute may end between two of them
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert 1 <= int(refused[-1].headers["retry-after"]) <= 60
    assert refused[-1].json()["error_type"] == "rate_limited"


@pytest.mark.req("AU-1")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Powertools leaves a file open
@pytest.mark.parametrize("path", ["/health", "/docs", "/openapi.json", "/"])
def test_what_holds_no_data_is_open(guarded: Server, path: str) -> None:
    with guarded.client() as client:
        assert client.get(path).status_code == 200


@pytest.mark.req("AU-1")
def test_with_tokens_any_host_name_is_answered(guarded: Server) -> None:
    _, token = guarded.token("acme")
    with guarded.client(token) as client:
        assert client.get("/v1/parsers", headers={"host": "scraper.example"}).status_code == 200


@pytest.mark.req("AU-1")
def test_the_clouds_authorizer_gives_the_tenant_or_refuses(guarded: Server) -> None:
    token_id, token = guarded.token("acme", rate_per_minute=1000)
    event: dict[str, Any] = {"version": "2.0", "headers": {"authorization": f"Bearer {token}"}}
    allowed = {"isAuthorized": True, "context": {"tenant": "acme", "token_id": token_id}}
    assert authorize(event, guarded.services) == allowed
    for headers in ({}, None, {"authorization": "Bearer gl_wrong"}, {"authorization": 7}):
        refused = authorize({"version": "2.0", "headers": headers}, guarded.services)
        assert refused == {"isAuthorized": False, "context": {}}
    _, slow = guarded.token("acme", rate_per_minute=1)
    event = {"version": "2.0", "headers": {"authorization": f"Bearer {slow}"}}
    first, second = (authorize(event, guarded.services) for _ in range(2))
    assert first["context"]["tenant"] == "acme"
    assert second["isAuthorized"]
    assert second["context"].keys() == {"retry_after"}
    with pytest.raises(RateLimited, match="requests per minute") as refused:
        authorized_tenant({"requestContext": {"authorizer": {"lambda": second["context"]}}})
    assert refused.value.retry_after == float(second["context"]["retry_after"])
