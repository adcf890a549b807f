"""Sites are mapped and crawled from a terminal and over HTTP (MP-1, MP-2)."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from gleaner.cli import run
from gleaner.contracts.settings import load_settings
from gleaner.local.runner import LocalRunner
from gleaner.local.serve import serving
from gleaner.wiring import WiredServices

from tests.asgi_server import served
from tests.support.mapped_site import ITEM_SCHEMA, MappedSite, SiteTrouble

pytestmark = pytest.mark.req("MP-1")
Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def mapped_site() -> Iterator[MappedSite]:
    with MappedSite() as made:
        yield made


@pytest.fixture(autouse=True)
def no_trouble(mapped_site: MappedSite) -> None:
    mapped_site.trouble = SiteTrouble()


@pytest.fixture(scope="module")
def api(mapped_site: MappedSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    home = tmp_path_factory.mktemp("home")
    services = WiredServices(load_settings({}, home=home, allow_hosts=[mapped_site.host]))
    runner = LocalRunner(services)
    with (
        serving(services, runner, require_token=False) as front,
        served(front) as url,
        httpx.Client(base_url=url, timeout=90, verify=False) as client,
    ):
        yield client
    runner.close()
    services.close()


@pytest.fixture
def gleaner_map(mapped_site: MappedSite, tmp_path: Path, capsys: Captured) -> Any:
    """Run the command; give its exit code and what it printed on both sides."""

    homes = (str(tmp_path / f"home-{number}") for number in range(9))

    def call(*arguments: str) -> tuple[int, str, str]:
        places = ["--home", next(homes), "--allow-host", mapped_site.host]
        code = run(["map", mapped_site.url, *places, *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_the_command_prints_a_line_of_json_for_each_url_and_a_summary_beside_them(gleaner_map: Any) -> None:
    code, out, said = gleaner_map("--include", "/parts/[12]")
    assert json.loads(out.splitlines()[0]).keys() == {"url", "title", "last_modified", "source"}
    assert len(out.splitlines()) == 2
    assert code == 0
    assert "complete: 2 URLs from 6 sitemaps, 1 feed, 1 page" in said
    assert "left out" in said


def test_the_command_writes_a_file_and_gives_the_rest_as_json(gleaner_map: Any, tmp_path: Path) -> None:
    out = tmp_path / "urls.ndjson"
    code, printed, _ = gleaner_map("--max-urls", "7", "--out", str(out), "--json")
    assert (code, json.loads(printed)["status"], json.loads(printed)["url_count"]) == (3, "partial", 7)
    assert len(out.read_text("utf-8").splitlines()) == 7
    code, printed, said = gleaner_map("--max-urls", "7", "--json")
    assert (len(json.loads(printed)["urls"]), said) == (7, "")


def test_the_command_says_what_is_missing_and_what_is_wrong(gleaner_map: Any, mapped_site: MappedSite) -> None:
    mapped_site.trouble.files["/sitemap-1.xml"] = (503, "text/html", b"no")
    code, _, said = gleaner_map()
    assert (code, "5 of 6 sitemaps were read" in said) == (3, True)
    code, _, said = gleaner_map("--include", "parts")
    assert (code, "include.0: a glob begins with /, * or http" in said) == (2, True)
    mapped_site.trouble.files["/"] = (404, "text/html", b"no")
    mapped_site.trouble.files["/robots.txt"] = (404, "text/plain", b"")
    code, out, said = gleaner_map()
    assert (code, out, "answered 404 Not Found" in said) == (69, "", True)


def test_the_api_maps_a_site_and_gives_its_urls_page_by_page(api: httpx.Client, mapped_site: MappedSite) -> None:
    made = api.post("/v1/maps", json={"url": mapped_site.url, "include": ["/parts/1?"]})
    assert (made.status_code, made.json()["status"], made.json()["url_count"]) == (200, "complete", 9)
    place = made.headers["location"]
    assert api.get(place).json() == made.json()
    first = api.get(f"{place}/urls", params={"limit": 5}).json()
    rest = api.get(f"{place}/urls", params={"limit": 5, "after": first["next"]}).json()
    assert (len(first["urls"]), len(rest["urls"]), rest["next"]) == (5, 4, None)
    lines = api.get(f"{place}/urls", params={"format": "ndjson", "limit": 5})
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in lines.text.splitlines()] == first["urls"]
    assert lines.headers["link"] == f'<{place}/urls?format=ndjson&limit=5&after=5>; rel="next"'


def test_the_api_answers_at_once_when_asked_to_and_a_map_can_be_stopped(
    api: httpx.Client, mapped_site: MappedSite
) -> None:
    order = {"url": mapped_site.url, "depth": 12}
    made = api.post("/v1/maps", json=order, params={"wait": 0}, headers={"Idempotency-Key": "all"})
    assert (made.status_code, made.json()["status"]) == (202, "running")
    stopped = api.delete(made.headers["location"]).json()
    assert stopped["status"] in ("cancelled", "complete")
    again = api.post("/v1/maps", json=order, headers={"Idempotency-Key": "all"}).json()
    assert again["map_id"] == stopped["map_id"]


def test_the_api_names_what_is_wrong(api: httpx.Client, mapped_site: MappedSite) -> None:
    wrong = api.post("/v1/maps", json={"url": "nowhere"})
    assert (wrong.status_code, "http or https URL" in wrong.json()["detail"]) == (422, True)
    assert api.get("/v1/maps/none").status_code == 404
    place = api.post("/v1/maps", json={"url": mapped_site.url, "max_urls": 1}).headers["location"]
    assert api.get(f"{place}/urls", params={"after": "the next"}).status_code == 422


# Crawls


@pytest.fixture
def gleaner_crawl(mapped_site: MappedSite, tmp_path: Path, capsys: Captured) -> Any:
    """Run the command over pages 50 to 59; give its exit code and what it printed on both sides."""

    def call(*arguments: str) -> tuple[int, str, str]:
        places = ["--home", str(tmp_path / "home"), "--allow-host", mapped_site.host, "--model", "none"]
        pages = ["--include", "/parts/5?", "--depth", "0", "--no-javascript", "--schema", json.dumps(ITEM_SCHEMA)]
        code = run(["crawl", mapped_site.url, *places, *pages, *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.mark.req("MP-2")
def test_the_command_crawls_and_writes_results_or_records(gleaner_crawl: Any, tmp_path: Path) -> None:
    out, sheet = tmp_path / "pages.ndjson", tmp_path / "parts.csv"
    code, _, said = gleaner_crawl("--out", str(out))
    assert (code, "10 complete of 10 pages" in said) == (0, True)
    results = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [len(one["extraction"]["data"]) for one in results] == [3] * 10
    code, _, _ = gleaner_crawl("--out", str(sheet))
    assert (code, len(sheet.read_text("utf-8").splitlines())) == (0, 31)


@pytest.mark.req("MP-2")
def test_a_crawl_that_has_run_is_not_run_again_but_by_another_word(gleaner_crawl: Any, mapped_site: MappedSite) -> None:
    gleaner_crawl("--json")
    before = mapped_site.asked.total()
    code, printed, _ = gleaner_crawl("--json")
    assert (code, json.loads(printed)["status"], mapped_site.asked.total()) == (0, "complete", before)
    gleaner_crawl("--json", "--again", "today")
    assert mapped_site.asked.total() > before


@pytest.mark.req("MP-2")
def test_the_command_says_why_a_crawl_is_partial_or_failed(gleaner_crawl: Any, mapped_site: MappedSite) -> None:
    code, _, said = gleaner_crawl("--max-pages", "4")
    assert (code, "the cap of 4 URLs is reached" in said) == (3, True)
    mapped_site.trouble.files["/sitemap-index.xml"] = (200, "text/html", b"<!doctype html><p>No")
    mapped_site.trouble.files["/"] = (503, "text/html", b"no")
    code, out, said = gleaner_crawl("--json")
    assert (code, json.loads(out)["status"], "answered 503 Service Unavailable" in said) == (69, "failed", True)


@pytest.mark.req("MP-2")
def test_the_api_crawls_a_site_as_a_batch(api: httpx.Client, mapped_site: MappedSite) -> None:
    order = {"url": mapped_site.url, "include": ["/parts/5?"], "depth": 0, "request": {"enable_javascript": False}}
    begun = api.post("/v1/crawls", json=order)
    assert (begun.status_code, begun.json()["status"]) == (202, "mapping")
    place = begun.headers["location"]
    for _ in range(12_000):
        record = api.get(place).json()
        if record["status"] not in ("mapping", "running"):
            break
        threading.Event().wait(0.01)
    assert (record["status"], record["total"], record["counts"]["complete"]) == ("complete", 10, 10)
    urls = [one["url"] for one in api.get(f"{place}/results").json()["results"]]
    listed = api.get(f"/v1/maps/{record['batch_id']}/urls").json()["urls"]
    assert urls == [one["url"] for one in listed]
    assert api.delete(place).json()["status"] == "complete"
    wrong = api.post("/v1/crawls", json={**order, "request": {"page_id": "12345678"}})
    assert (wrong.status_code, "leave out page_id" in wrong.json()["detail"]) == (422, True)
