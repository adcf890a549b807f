"""The HTTP API over real HTTP: scrapes, jobs, extractions, strategies and tools."""

import csv
import gzip
import io
import json
import re
import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from gleaner.contracts.errors import NotFound
from gleaner.contracts.models import ExtractionResult
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.local.runner import LocalRunner
from gleaner.local.unfinished import Execution
from gleaner.service.gateway import Gateway
from gleaner.testing import Site
from gleaner.testing.site import TYPES

from tests.api.conftest import Server
from tests.support.schemas import TEXT, records_of

HEADLINE = {"type": "object", "properties": {"headline": {"type": "string"}}, "required": ["headline"]}
STATIONS = records_of(station=TEXT)
Wait = Callable[[str], dict[str, Any]]


def plain(site: Site, path: str, **more: Any) -> dict[str, Any]:
    return {"url": site.url + path, "enable_javascript": False, **more}


def slow(site: Site) -> dict[str, Any]:
    """A request whose job waits at the model's gate."""
    return plain(site, "/journal/kiln", query="slow please", output_schema=HEADLINE)


def check_problem(answer: httpx.Response, status: int, error_type: str | None = None) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert set(body) >= {"type", "title", "status", "detail", "error_type"}
    assert body["status"] == status
    assert "Traceback" not in answer.text
    if error_type is not None:
        assert body["error_type"] == error_type
    return body


@pytest.mark.req("AP-1")
def test_a_scrape_answers_with_its_result(http: httpx.Client, site: Site) -> None:
    answer = http.post("/v1/scrape", json=plain(site, "/journal/kiln"))
    assert answer.status_code == 200
    assert answer.json()["status"] == "complete"
    assert "# " in answer.json()["markdown"]


@pytest.mark.req("AP-1")
def test_a_scrape_that_is_not_waited_for_gives_its_job(http: httpx.Client, site: Site, wait_for: Wait) -> None:
    answer = http.post("/v1/scrape?wait=0", json=plain(site, "/journal/kiln"))
    assert (answer.status_code, answer.headers["retry-after"]) == (202, "2")
    place = answer.headers["location"]
    assert place == f"/v1/jobs/{answer.json()['job_id']}"
    job = wait_for(answer.json()["job_id"])
    assert job["status"] == "complete"
    assert [step["name"] for step in job["steps"]] == ["plan_scrape", "probe_media", "chunk_page", "aggregate_results"]
    assert all(step["status"] == "succeeded" and step["ended_at"] >= step["started_at"] for step in job["steps"])
    assert {"request_digest", "result_key"}.isdisjoint(job)
    result = http.get(f"{place}/result").json()
    assert result["job_id"] == job["job_id"]
    report = http.get(f"{place}/report")
    assert report.headers["content-security-policy"].endswith("; sandbox")
    assert "<h1>" in report.text
    markdown = http.get(f"{place}/markdown")
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.text == result["markdown"]


@pytest.mark.req("AP-1", "ME-2")
def test_the_picture_of_a_job_is_read_as_it_is_under_an_address_that_is_good_now(
    http: httpx.Client, server: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here that is a route of the API; on AWS the bucket's own, made anew for each reader."""
    job_id = http.post("/v1/scrape", json=plain(site, "/files/lamp.png")).json()["job_id"]
    picture = http.get(f"/v1/jobs/{job_id}/screenshot")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content == (site.folder / "lamp.png").read_bytes()
    monkeypatch.setattr(server.services.blobs, "url", lambda key: f"https://signed.example/{key}")
    media = http.get(f"/v1/jobs/{job_id}/result").json()["media"]
    assert http.get(media["url"]).content == picture.content
    deployed = Gateway(server.services, server.runner).result(job_id).media
    assert deployed is not None
    assert deployed.url == f"https://signed.example/{media['key']}"


@pytest.mark.req("AP-1")
def test_a_fault_is_told_to_the_caller_by_its_kind_and_to_the_operator_whole(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("its insides")

    monkeypatch.setattr(Gateway, "list_jobs", broken)
    problem = check_problem(http.get("/v1/jobs"), 500, "internal_error")
    assert problem["detail"] == "internal error in Gleaner: KeyError"
    assert "GET '/v1/jobs'" in caplog.text
    assert "its insides" in caplog.text


@pytest.mark.req("AP-1", "SS-1")
def test_nothing_that_a_site_has_sent_is_run_as_a_page_of_this_origin(
    http: httpx.Client, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TYPES, ".png", "image/svg+xml")  # a picture may hold scripts, and an attachment be a page
    job_id = http.post("/v1/scrape", json=plain(site, "/files/lamp.png")).json()["job_id"]
    read = http.post("/v1/scrape", json=plain(site, "/journal/kiln")).json()["job_id"]
    picture = http.get(f"/v1/jobs/{job_id}/screenshot")
    assert picture.headers["content-type"] == "image/svg+xml"
    for answer in (picture, http.get(f"/v1/jobs/{read}/markdown")):
        assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.req("AP-1")
def test_the_text_of_a_page_that_can_not_be_had_is_missing_in_words(http: httpx.Client, site: Site) -> None:
    job_id = http.post("/v1/scrape", json=plain(site, "/nowhere")).json()["job_id"]
    answer = http.get(f"/v1/jobs/{job_id}/markdown")
    assert answer.status_code == 404
    assert answer.json()["detail"] == f"job {job_id} is failed: it has no Markdown"


@pytest.mark.req("AP-1")
@pytest.mark.parametrize("path", ["/", "/health", "/openapi.json", "/v1/jobs"])
def test_what_can_be_read_can_be_looked_at_by_its_head(http: httpx.Client, path: str) -> None:
    answer = http.head(path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"] == http.get(path).headers["content-type"]


@pytest.mark.req("AP-1")
def test_a_failed_scrape_is_a_result_that_says_why(http: httpx.Client, site: Site) -> None:
    answer = http.post("/v1/scrape", json=plain(site, "/nowhere"))
    assert answer.status_code == 200
    assert answer.json()["status"] == "failed"
    assert answer.json()["error"]["error_type"] == "http_status_error"


@pytest.mark.req("AP-1")
def test_a_slow_scrape_holds_up_nobody_and_can_be_called_off(server: Server, site: Site, wait_for: Wait) -> None:
    answers: list[httpx.Response] = []

    def start() -> None:
        with server.client() as client:
            answers.append(client.post("/v1/scrape?wait=25", json=slow(site)))

    waiting = threading.Thread(target=start)
    waiting.start()
    assert server.model.asked.wait(60)
    with server.client() as client:
        assert client.get("/health").json()["status"] == "ok"
        running = [job for job in client.get("/v1/jobs?limit=1000").json()["jobs"] if job["status"] == "running"]
        assert len(running) == 1
        place = f"/v1/jobs/{running[0]['job_id']}"
        detail = check_problem(client.get(f"{place}/result"), 404, "not_found")["detail"]
        assert "running" in detail
        job = client.get(place).json()
        assert (job["chunks_done"], job["chunks_total"]) == (0, 1)
        assert client.delete(place).json()["status"] == "cancelled"
        check_problem(client.get(f"{place}/result"), 404, "not_found")
    waiting.join()
    server.model.gate.set()
    check_problem(answers[0], 404, "not_found")
    assert wait_for(running[0]["job_id"])["status"] == "cancelled"


@pytest.mark.req("AP-1", "EX-9")
def test_a_job_of_several_chunks_that_is_called_off_asks_for_none_of_the_others(
    server: Server, http: httpx.Client, site: Site
) -> None:
    server.model.asked.clear()
    server.model.gate.clear()
    before = len(server.model.prompts)
    config = {"max_chunk_chars": 400, "max_concurrent_chunks": 1, "tiers": ["model"]}
    place = http.post("/v1/scrape?wait=0", json={**slow(site), "config": config}).headers["location"]
    assert server.model.asked.wait(60)
    assert http.get(place).json()["chunks_total"] > 2
    http.delete(place)
    server.model.gate.set()
    while "aggregate_results" not in [step["name"] for step in http.get(place).json()["steps"]]:
        threading.Event().wait(0.01)
    assert len(server.model.prompts) == before + 1


@pytest.mark.req("AP-1")
def test_a_job_that_has_ended_stays_as_it_is_when_called_off(http: httpx.Client, site: Site) -> None:
    job_id = http.post("/v1/scrape", json=plain(site, "/journal/kiln")).json()["job_id"]
    assert http.delete(f"/v1/jobs/{job_id}").json()["status"] == "complete"
    assert http.get(f"/v1/jobs/{job_id}/result").status_code == 200


@pytest.mark.req("AP-1")
def test_the_same_idempotency_key_starts_one_job(http: httpx.Client, site: Site) -> None:
    request, key = plain(site, "/journal/kiln"), {"idempotency-key": "order 1"}
    first = http.post("/v1/scrape", json=request, headers=key).json()
    again = http.post("/v1/scrape", json=request, headers=key).json()
    assert again["job_id"] == first["job_id"]
    other = http.post("/v1/scrape", json=plain(site, "/stations"), headers=key)
    assert "idempotency key" in check_problem(other, 422, "invalid_request")["detail"]
    check_problem(http.post("/v1/scrape", json=request, headers={"idempotency-key": "x" * 256}), 422)


@pytest.mark.req("AP-1")
def test_jobs_are_listed_page_by_page(http: httpx.Client, site: Site) -> None:
    made = [http.post("/v1/scrape", json=plain(site, "/journal/kiln")).json()["job_id"] for _ in range(3)]
    seen: list[str] = []
    after: str | None = None
    while True:
        page = http.get("/v1/jobs", params={"limit": 2} | ({"after": after} if after else {})).json()
        assert len(page["jobs"]) <= 2
        seen += [job["job_id"] for job in page["jobs"]]
        assert all("url" in job and "steps" not in job and "chunks_total" not in job for job in page["jobs"])
        after = page.get("next")
        if after is None:
            break
    assert len(seen) == len(set(seen))
    assert set(made) <= set(seen)


@pytest.mark.req("AP-1", "AG-1")
def test_an_aggregate_is_read_as_json_ndjson_and_csv(http: httpx.Client, site: Site) -> None:
    result = http.post("/v1/scrape", json=plain(site, "/stations", output_schema=STATIONS)).json()
    place = f"/v1/extractions/{result['extraction']['extraction_id']}"
    names = [record["station"] for record in result["extraction"]["data"]]
    assert len(names) > 100
    first = http.get(place, params={"limit": 70}).json()
    rest = http.get(place, params={"limit": 1000, "after": first["next"]}).json()
    assert [one["record"]["station"] for one in first["records"] + rest["records"]] == list(dict.fromkeys(names))
    assert rest.get("next") is None
    assert first["records"][0]["pages"][0]["url"].startswith(site.url)
    lines = http.get(place, params={"format": "ndjson"})
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line)["station"] for line in lines.text.splitlines()] == list(dict.fromkeys(names))
    table = http.get(place, params={"format": "csv"})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert table.headers["x-content-type-options"] == "nosniff"
    assert [row["station"] for row in csv.DictReader(io.StringIO(table.text))] == list(dict.fromkeys(names))
    check_problem(http.get(place, params={"format": "xml"}), 422)
    check_problem(http.get("/v1/extractions/none"), 404)


def gather(server: Server, name: str, records: list[Any]) -> None:
    for number in range(0, len(records), 500):
        page = ExtractionResult(data=records[number : number + 500], source_url=f"https://a.example/{number}")
        ExtractionAggregator(server.services.table, name).add(page)


@pytest.mark.req("AP-1", "AG-1")
@pytest.mark.parametrize("format", ["json", "ndjson", "csv"])
def test_an_aggregate_larger_than_an_answer_is_read_by_following_links(
    http: httpx.Client, server: Server, format: str
) -> None:
    records = [{"n": n, "text": f"{n} " * 400} for n in range(3500)]
    gather(server, f"large-{format}", [*records, 7, {"late": "field"}])
    bodies: list[str] = []
    path = f"/v1/extractions/large-{format}?format={format}&limit=50000"
    while path:
        answer = http.get(path)
        assert answer.status_code == 200
        assert len(answer.content) < 4_500_000
        bodies.append(answer.text)
        path = answer.links.get("next", {}).get("url", "")
    assert len(bodies) > 1
    match format:
        case "json":
            found = [item["record"] for body in bodies for item in json.loads(body)["records"]]
            assert found == [*records, 7, {"late": "field"}]
        case "ndjson":
            assert [json.loads(line) for line in "".join(bodies).splitlines()] == [*records, 7, {"late": "field"}]
        case _:
            rows = list(csv.DictReader(io.StringIO("".join(bodies), newline="")))
            assert [row["n"] for row in rows] == [*(str(n) for n in range(3500)), "", ""]
            assert [(row["value"], row["late"]) for row in rows[-2:]] == [("7", ""), ("", "field")]


@pytest.mark.req("AP-1", "AG-1")
def test_an_aggregate_is_deleted_in_as_many_calls_as_it_takes(http: httpx.Client, server: Server) -> None:
    gather(server, "unwanted", [{"n": n} for n in range(1500)])
    gather(server, "unwanted-2", [{"n": 1}])
    place = "/v1/extractions/unwanted"
    answers = [http.delete(place) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 204]
    check_problem(http.get(place), 404, "not_found")
    check_problem(http.delete(place), 404, "not_found")
    assert http.get("/v1/extractions/unwanted-2").json()["records"][0]["record"] == {"n": 1}


@pytest.mark.req("AP-1", "ST-2")
def test_strategies_are_listed_seen_and_deleted(http: httpx.Client, server: Server) -> None:
    strategy_id = ExtractionCache(server.services.table).register(ExtractionStrategy(url_pattern="https://a.example/*"))
    assert strategy_id in [one["id"] for one in http.get("/v1/strategies").json()["strategies"]]
    for url, ids in (("https://A.example/x?y=1", [strategy_id]), ("https://b.example/", []), ("[", [])):
        found = http.get("/v1/strategies", params={"url": url}).json()
        assert ([one["id"] for one in found["strategies"]], found.get("next")) == (ids, None)
    other = ExtractionCache(server.services.table).register(ExtractionStrategy(url_pattern="https://a.example/x*"))
    asked = {"url": "https://a.example/x", "limit": 1}
    first = http.get("/v1/strategies", params=asked).json()
    second = http.get("/v1/strategies", params={**asked, "after": first["next"]}).json()
    assert {page["strategies"][0]["id"] for page in (first, second)} == {strategy_id, other}
    assert second.get("next") is None
    check_problem(http.get("/v1/strategies", params={**asked, "after": "here"}), 422, "invalid_request")
    place = f"/v1/strategies/{strategy_id}"
    seen = http.get(place).json()
    assert (seen["url_pattern"], seen["recipes"]["hits"], seen["recipes"]["kept"]) == ("https://a.example/*", 0, [])
    gone = http.delete(place)
    assert (gone.status_code, gone.content) == (204, b"")
    check_problem(http.get(place), 404, "not_found")
    check_problem(http.delete(place), 404, "not_found")


@pytest.mark.req("AP-1", "GT-3")
def test_the_tools_answer(http: httpx.Client, site: Site) -> None:
    page = "<title>T</title><h1>Hi</h1><p>two words</p>"
    assert http.post("/v1/content", json={"html": page}).json()["title"] == "T"
    assert http.post("/v1/similarity", json={"text_a": "a b", "text_b": "a"}).json()["similarity"] == 0.5
    browsed = http.post("/v1/browse", json={"url": site.url + "/journal/kiln", "enable_javascript": False}).json()
    assert browsed["error"] is None
    asked = {"url": site.url + "/stations", "enable_javascript": False}
    found = http.post("/v1/suggest", json=asked).json()
    assert found["suggestions"][0]["source"] == "table"
    again = http.post("/v1/suggest", json={"page_id": found["page_id"]}).json()
    assert again["suggestions"] == found["suggestions"]
    done = http.post("/v1/scrape?wait=20", json=asked).json()["job_id"]
    assert any(
        step.startswith("click: role=link[name=") for step in http.get(f"/v1/jobs/{done}/controls").json()["controls"]
    )
    check_problem(http.get("/v1/jobs/none/controls"), 404, "not_found")
    check_problem(http.post("/v1/suggest", json={}), 422, "invalid_request")
    assert "default" in http.get("/v1/parsers").json()["parsers"]


@pytest.mark.req("AP-1", "PA-3")
def test_a_page_is_browsed_as_it_is_asked_for(http: httpx.Client, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    body = plain(site, "/journal/kiln", query="kiln")
    chunks = http.post("/v1/browse", json=body).json()["visible_text_chunks"]
    assert max(chunk["query_score"] for chunk in chunks) > min(chunk["query_score"] for chunk in chunks)
    media = http.post("/v1/browse", json=plain(site, "/files/lamp.png")).json()
    assert media["error"].endswith("is a file, not a page; scrape returns it")
    asked: list[Any] = []

    def scrape(_: Gateway, request: Any, **__: Any) -> Any:
        asked.append(request)
        raise NotFound("no page")

    monkeypatch.setattr(Gateway, "scrape", scrape)
    assert http.post("/v1/browse", json=body).json()["error"] == "Failed to fetch URL: no page"
    assert asked == [{"url": body["url"], "format": "links", "enable_javascript": False}]


@pytest.mark.req("AP-1")
def test_a_page_may_be_sent_that_is_as_large_as_lambda_takes(http: httpx.Client) -> None:
    answer = http.post("/v1/content", json={"html": "<p>a word</p>" * 450_000})
    assert answer.json()["word_count"] == 900_000


@pytest.mark.req("AP-1")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Powertools leaves a file open
def test_the_documentation_needs_no_network(http: httpx.Client) -> None:
    page = http.get("/docs")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "cdn" not in page.text[:20_000]
    assert http.get("/openapi.json").json()["openapi"].startswith("3.1")


DEEP = "[" * 100_000


@pytest.mark.req("AP-1", "SS-2")
@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("POST", "/v1/scrape", {"content": "{"}, 422),
        ("POST", "/v1/scrape", {"content": DEEP}, 422),
        ("POST", "/v1/scrape", {"content": '{"url": ' + "9" * 5_000 + "}"}, 422),
        ("POST", "/v1/scrape", {"content": b"\xff\xfe"}, 400),
        ("POST", "/v1/scrape", {"content": ""}, 422),
        ("POST", "/v1/scrape", {"json": []}, 422),
        ("POST", "/v1/scrape", {"json": None}, 422),
        ("POST", "/v1/scrape", {"json": {}}, 422),
        ("POST", "/v1/scrape", {"json": {"url": "https://e.example", "colour": "red"}}, 422),
        ("POST", "/v1/scrape", {"json": {"url": "https://e.example", "format": "html"}}, 422),
        ("POST", "/v1/scrape", {"json": {"url": "file:///etc/passwd"}}, 422),
        ("POST", "/v1/scrape", {"json": {"url": "https://e.example"}, "params": {"wait": "26"}}, 422),
        ("POST", "/v1/scrape", {"json": {"url": "https://e.example"}, "params": {"wait": "nan"}}, 422),
        ("POST", "/v1/scrape", {"data": {"url": "https://e.example"}}, 415),
        ("POST", "/v1/scrape", {"files": {"url": b"https://e.example"}}, 415),
        ("POST", "/v1/scrape", {"content": "a: b", "headers": {"content-type": "text/yaml"}}, 415),
        ("POST", "/v1/scrape", {"content": gzip.compress(b"{}"), "headers": {"content-encoding": "gzip"}}, 415),
        ("POST", "/v1/scrape", {"content": '{"url": "https://e.example", "url": "https://f.example"}'}, 422),
        ("POST", "/v1/scrape", {"json": {"url": "https://e.example"}, "params": {"wiat": "0"}}, 422),
        ("POST", "/v1/scrape", {"content": " " * 1_000_001}, 413),
        ("POST", "/v1/browse", {"content": " " * 1_000_001}, 413),
        ("POST", "/v1/similarity", {"json": {f"text_{number}": "" for number in range(101)}}, 422),
        ("POST", "/v1/content", {"content": " " * 6_100_000}, 413),
        ("POST", "/v1/content", {"json": {"html": 1}}, 422),
        ("POST", "/v1/content", {"json": {"html": "", "more": 1}}, 422),
        ("POST", "/v1/similarity", {"json": {"text_a": "a"}}, 422),
        ("GET", "/v1/jobs", {"params": {"limit": "0"}}, 422),
        ("GET", "/v1/jobs", {"params": {"limit": "many"}}, 422),
        ("GET", "/v1/jobs/none", {}, 404),
        ("GET", "/v1/jobs/none/result", {}, 404),
        ("GET", "/v1/jobs/none/markdown", {}, 404),
        ("GET", "/v1/jobs/none/screenshot", {}, 404),
        ("DELETE", "/v1/jobs/none", {}, 404),
        ("GET", "/v1/jobs/a.b", {}, 422),
        ("GET", "/v1/jobs/%2e%2e%2fetc", {}, 404),
        ("GET", "/v1/nothing", {}, 404),
        ("GET", "/../../etc/passwd", {}, 404),
        ("GET", "/.env", {}, 404),
        ("PUT", "/v1/jobs/none", {}, 405),
        ("GET", "/v1/scrape", {}, 405),
        ("POST", "/health", {"json": {}}, 405),
    ],
)
def test_what_is_wrong_is_a_problem(
    http: httpx.Client, method: str, path: str, options: dict[str, Any], status: int
) -> None:
    check_problem(http.request(method, path, **options), status)


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("/v1/content", {"html": "x", "colour": 1}, "colour: unknown field"),
        (
            "/v1/batches",
            {"requests": ["https://e.example/"], "defaults": 5},
            "defaults: Input should be an object, not 5",
        ),
        ("/v1/similarity", 5, "body: Input should be an object, not 5"),
        ("/v1/scrape", {"url": "https://e.example/", "config": 5}, "config: Input should be an object, not 5"),
        (
            "/v1/scrape",
            {"url": "https://e.example/", "follow": "all"},
            "follow: Input should be a number of pages, or an object, not 'all'",
        ),
    ],
)
def test_a_problem_is_told_in_the_same_words_on_every_route(
    http: httpx.Client, path: str, body: Any, detail: str
) -> None:
    assert check_problem(http.post(path, json=body), 422, "invalid_request")["detail"] == detail


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/v1/jobs/a.b", "job_id: an id has at most 80 letters, digits, _ and -; .*, not 'a.b'"),
        ("/v1/jobs?after=%00", "after: use the `next` of the previous page, not "),
        ("/v1/extractions/x?format=xml", "format: Input should be 'json', 'ndjson' or 'csv', not 'xml'"),
    ],
)
def test_a_problem_says_what_would_be_right_and_no_pattern(http: httpx.Client, path: str, detail: str) -> None:
    assert re.match(detail, check_problem(http.get(path), 422)["detail"])


@pytest.mark.req("AP-1")
def test_a_body_is_json_with_a_mark_in_front_and_of_levels_that_can_be_read(http: httpx.Client) -> None:
    texts = b'\xef\xbb\xbf{"text_a": "a", "text_b": "a"}'
    headers = {"content-type": "application/json"}
    assert http.post("/v1/similarity", content=texts, headers=headers).json()["similarity"] == 1.0
    deep = check_problem(http.post("/v1/similarity", content=DEEP, headers=headers), 422)
    assert deep["detail"] == "the body is not valid JSON: it is nested too deeply"


@pytest.mark.req("AP-1")
def test_what_is_no_utf_8_is_refused_at_once(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that is there whole leaves nothing to be thrown away."""
    monkeypatch.setattr("gleaner.local.serve.DRAIN_S", 1_000)
    check_problem(http.post("/v1/similarity", content=b"\xff", timeout=60), 400)
    for body in (b"\xff" * 6_100_000, iter([b"\xff" * 6_100_000])):  # of a stated length, and without one
        check_problem(http.post("/v1/scrape", content=body, timeout=60), 413)


@pytest.mark.req("AP-1")
def test_a_problem_names_the_field(http: httpx.Client) -> None:
    body = {"url": "https://e.example", "budget": {"max_usd": -1}}
    assert "budget.max_usd" in check_problem(http.post("/v1/scrape", json=body), 422)["detail"]
    assert "wait" in check_problem(http.post("/v1/scrape?wait=x", json=body), 422)["detail"]
    assert "wiat: unknown parameter" in check_problem(http.post("/v1/scrape?wiat=0", json=body), 422)["detail"]
    allowed = http.put("/v1/jobs/none")
    assert allowed.headers["allow"] == "DELETE, GET"


@pytest.mark.req("AP-1", "SS-1")
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "127.0.0.1@evil.example", "[::1].evil"])
def test_without_tokens_only_this_machines_names_are_answered(http: httpx.Client, host: str) -> None:
    check_problem(http.get("/v1/jobs", headers={"host": host}), 421, "blocked_address")


@pytest.mark.req("AP-1", "SS-1")
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://localhost:1"])
def test_without_tokens_no_other_sites_page_may_call(http: httpx.Client, site: Site, origin: str) -> None:
    answer = http.post("/v1/scrape", json=plain(site, "/journal/kiln"), headers={"origin": origin})
    check_problem(answer, 403, "blocked_address")


@pytest.mark.req("AP-1")
def test_the_playgrounds_own_page_may_call(server: Server, http: httpx.Client) -> None:
    answer = http.post("/v1/similarity", json={"text_a": "a", "text_b": "a"}, headers={"origin": server.url})
    assert answer.status_code == 200


@pytest.mark.req("LO-1", "AP-1")
def test_a_job_that_a_dead_process_left_is_finished_by_the_next(server: Server, site: Site, wait_for: Wait) -> None:
    payload: dict[str, Any] = {"job": {"job_id": "left", "tenant": "default"}, "request": plain(site, "/journal/kiln")}
    runner = server.runner
    runner._unfinished.note(Execution("scrape_page", payload, "left"))  # what a start writes, without the start
    later = LocalRunner(server.services)
    try:
        assert later.resume() == 1
        assert wait_for("left")["status"] == "complete"
    finally:
        later.close()
    assert later.resume() == 0
