"""Batches over HTTP: started, seen, and their results read by pages."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.service.gateway import Gateway
from gleaner.testing import Site

from tests.api.conftest import Server

PATHS = ["/journal/kiln", "/nothing-here", "/journal/kiln?again", "/"]


@pytest.fixture(scope="module")
def batch(server: Server, site: Site) -> str:
    """Give the id of a batch of four pages, of which one is not there, that has ended."""
    body = {"requests": [site.url + path for path in PATHS], "defaults": {"enable_javascript": False}}
    with server.client() as http:
        batch_id = str(http.post("/v1/batches", json=body).json()["batch_id"])
        for _ in range(3_000):
            if http.get(f"/v1/batches/{batch_id}").json()["status"] != "running":
                return batch_id
    raise AssertionError("the batch does not end")


def pages_of(http: httpx.Client, path: str | None) -> Iterator[httpx.Response]:
    while path:
        answer = http.get(path)
        assert answer.status_code == 200, answer.text
        yield answer
        path = answer.links.get("next", {}).get("url")


@pytest.mark.req("WF-2", "AP-1")
@pytest.mark.parametrize("limit", [1, 3, 4, 100])
@pytest.mark.parametrize("format", ["json", "ndjson"])
def test_the_results_of_a_batch_are_read_page_by_page_in_the_order_of_its_list(
    http: httpx.Client, batch: str, site: Site, limit: int, format: str
) -> None:
    results: list[dict[str, Any]] = []
    for answer in pages_of(http, f"/v1/batches/{batch}/results?format={format}&limit={limit}"):
        found = answer.json()["results"] if format == "json" else [json.loads(one) for one in answer.text.splitlines()]
        assert len(found) <= limit
        results += found
    assert [result["url"] for result in results] == [site.url + path for path in PATHS]
    assert [result["status"] for result in results] == ["complete", "failed", "complete", "complete"]
    assert results[0] == http.get(f"/v1/jobs/{results[0]['job_id']}/result").json()


@pytest.mark.req("WF-2")
def test_a_page_of_results_ends_before_it_is_too_large(server: Server, batch: str) -> None:
    gateway = Gateway(server.services, server.runner)
    whole, _ = gateway.batch_results(batch)
    sizes, after = [], None
    while True:
        found, after = gateway.batch_results(batch, after=after, max_bytes=len(json.dumps(whole[0])) + 10)
        sizes.append(len(found))
        if after is None:
            break
    assert sum(sizes) == 4
    assert len(sizes) > 2


@pytest.mark.req("AP-1", "AU-1")
@pytest.mark.parametrize(
    ("query", "status"), [("format=csv", 422), ("limit=0", 422), ("after=%00", 422), ("after=zzz", 200)]
)
def test_what_is_wrong_in_a_question_for_results_is_told(
    http: httpx.Client, batch: str, query: str, status: int
) -> None:
    assert http.get(f"/v1/batches/{batch}/results?{query}").status_code == status
    assert http.get(f"/v1/batches/none/results?{query}").status_code == (404 if status == 200 else status)


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"requests": ["https://e.example"], "list": "https://e.example"},
        {"requests": []},
        {"list": ""},
        {"list": None},
        {"requests": ["https://e.example"], "per_host": 0},
        {"requests": ["https://e.example"], "colour": "red"},
        {"requests": ["ftp://e.example"]},
        [{"requests": ["https://e.example"]}],
    ],
)
def test_a_batch_that_is_wrong_in_itself_is_refused(http: httpx.Client, body: Any) -> None:
    answer = http.post("/v1/batches", json=body)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.req("AP-1")
@pytest.mark.parametrize("path", ["/v1/browse", "/v1/scrape", "/v1/content"])
def test_a_list_is_not_taken_for_its_first_item(http: httpx.Client, path: str) -> None:
    body = [{"url": "https://e.example/", "html": "<p>a</p>"}]
    answer = http.post(path, json=body)
    assert (answer.status_code, answer.json()["error_type"]) == (422, "invalid_request")


@pytest.mark.req("AP-1", "WF-2")
def test_a_batch_is_asked_for_by_its_key_and_politeness(http: httpx.Client) -> None:
    polite = {"concurrency": 3, "per_host": 1, "delay_ms": 5, "ignore_robots": True}
    body = {"list": "http://10.0.0.1/\n", "defaults": {"enable_javascript": False}, **polite}
    first, again, other = (
        http.post("/v1/batches", json=body, headers={"idempotency-key": key}) for key in ("a", "a", "b")
    )
    assert first.status_code == 202
    assert first.json()["politeness"] == polite
    assert first.json()["batch_id"] == again.json()["batch_id"] != other.json()["batch_id"]
    assert first.headers["location"] == f"/v1/batches/{first.json()['batch_id']}"
    changed = http.post("/v1/batches", json={**body, "per_host": 2}, headers={"idempotency-key": "a"})
    assert (changed.status_code, "idempotency key" in changed.json()["detail"]) == (422, True)


@pytest.mark.req("AP-1", "WF-2")
def test_a_batch_is_called_off(http: httpx.Client, server: Server, batch: str) -> None:
    batches = Gateway(server.services, server.runner).batches
    batches.prepare("unwanted", parse_list(b"https://a.example/"), Politeness())
    assert http.delete("/v1/batches/unwanted").json()["status"] == "cancelled"
    assert http.get("/v1/batches/unwanted").json()["status"] == "cancelled"
    assert http.delete(f"/v1/batches/{batch}").json()["status"] == "partial"  # it has ended, and stays so
