"""The steps of a batch by themselves: each host's turn, and the summary."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.contracts.errors import InvalidRequest, UnreachableHost
from gleaner.contracts.ports import FetchedPage, Item, JsonObject
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list, share_out
from gleaner.jobs.robots import RobotRules
from gleaner.local.runner import LocalRunner
from gleaner.service.gateway import Gateway
from gleaner.steps import batch
from gleaner.steps.batch import admit_page, batches_of, summarize_batch
from gleaner.wiring import WiredServices

A, B = "https://a.example/1", "https://b.example/2"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[WiredServices]:
    services = WiredServices(load_settings({}, home=tmp_path))
    yield services
    services.close()


@pytest.fixture(autouse=True)
def chance(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses are as short as chance may make them; a number in the list is what it gives instead."""
    given = list[float]()
    monkeypatch.setattr(batch, "uniform", lambda least, _most: given[0] if given else least)
    return given


@pytest.mark.req("AC-6")
def test_the_pause_between_two_pages_of_a_host_varies(services: WiredServices, chance: list[float]) -> None:
    chance.append(1 + batch.MOST_JITTER)
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    waits: list[float] = []
    for number in range(2):
        item: JsonObject = {"job": {"job_id": f"b-{number}"}, "request": {"url": A}}
        event: JsonObject = {
            "batch": {"job_id": "b"},
            "item": item,
            "politeness": {"delay_ms": 20_000, "ignore_robots": True},
        }
        admit_page(event, services, waits.append)
    assert waits == pytest.approx([0, 25], abs=1)


@pytest.mark.req("WF-2")
def test_pages_of_a_host_keep_their_distance(services: WiredServices) -> None:
    parsed = parse_list(b"https://a.example/1\nhttps://A.EXAMPLE/2\nhttps://b.example/1")
    batches_of(services, "default").prepare("b", parsed, Politeness())
    waits: list[float] = []
    for line, request in parsed.requests:
        item: JsonObject = {"job": {"job_id": f"b-{line:06}"}, "request": request}
        politeness: JsonObject = {"delay_ms": 5_000, "ignore_robots": True}
        event: JsonObject = {"batch": {"job_id": "b"}, "item": item, "politeness": politeness}
        assert admit_page(event, services, waits.append) == {"admitted": True}
    assert waits[0] == 0
    assert 4 < waits[1] <= 5
    assert waits[2] == 0


@pytest.mark.req("WF-2")
def test_two_pages_of_a_host_that_come_at_once_take_turns(
    services: WiredServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    waits: list[float] = []
    read = services.table.get

    def admit(job_id: str) -> None:
        politeness: JsonObject = {"delay_ms": 5_000, "ignore_robots": True}
        item: JsonObject = {"job": {"job_id": job_id}, "request": {"url": A}}
        admit_page({"batch": {"job_id": "b"}, "item": item, "politeness": politeness}, services, waits.append)

    def get_while_another_is_let_in(pk: str, sk: str) -> Item | None:
        found = read(pk, sk)
        if pk.startswith("TURN#"):
            monkeypatch.setattr(services.table, "get", read)
            admit("b-2")
        return found

    monkeypatch.setattr(services.table, "get", get_while_another_is_let_in)
    admit("b-1")
    assert waits == pytest.approx([0, 5], abs=1)


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(
    ("status", "rules", "is_admitted"),
    [(200, "User-agent: *\nDisallow: /a", False), (403, "Disallow: /", True), (404, "", True), (503, "", False)],
)
def test_robots_that_a_server_fails_to_give_forbid_all_and_those_that_it_has_not_forbid_nothing(
    services: WiredServices, monkeypatch: pytest.MonkeyPatch, status: int, rules: str, is_admitted: bool
) -> None:
    """RFC 9309, section 2.3.1."""

    def fetch(_: object, url: str) -> FetchedPage:
        return FetchedPage(url, status, {}, rules.encode(), rules)

    monkeypatch.setattr(WiredServices, "fetcher", type("Fetcher", (), {"fetch": fetch})())
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    item: JsonObject = {"job": {"job_id": "b-1"}, "request": {"url": "https://a.example/a"}}
    assert admit_page({"batch": {"job_id": "b"}, "item": item}, services)["admitted"] is is_admitted


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(("status", "days_kept"), [(None, 0), (503, 0), (404, 1), (200, 1)])
def test_robots_that_could_not_be_had_are_asked_for_again_soon(
    services: WiredServices, monkeypatch: pytest.MonkeyPatch, status: int | None, days_kept: int
) -> None:
    """One fault of the network must not let a day's pages through, nor one of the server stop them."""

    def fetch(_: object, url: str) -> FetchedPage:
        if status is None:
            raise UnreachableHost(f"{url} has no address")
        return FetchedPage(url, status, {}, b"", "")

    monkeypatch.setattr(WiredServices, "fetcher", type("Fetcher", (), {"fetch": fetch})())
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    item: JsonObject = {"job": {"job_id": "b-1"}, "request": {"url": "https://a.example/a"}}
    admit_page({"batch": {"job_id": "b"}, "item": item}, services)
    kept = services.table.get("ROBOTS", "https://a.example")
    assert kept is not None and kept.ttl is not None
    assert round((kept.ttl - time.time()) / 86_400) == days_kept


@pytest.mark.req("SS-1")
@pytest.mark.req("WF-2")
@pytest.mark.parametrize(
    "host", ["a" * 2_000, "a." * 600 + "example", "me:secret@a.example", "\ud800", "a.example:abc"]
)
def test_a_url_of_no_host_is_let_in_so_that_its_own_job_says_what_is_wrong(services: WiredServices, host: str) -> None:
    """Nothing is kept or asked under a name that is none: not under one too long for a key, nor under a password."""
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    item: JsonObject = {"job": {"job_id": "b-1"}, "request": {"url": f"https://{host}/a"}}
    event: JsonObject = {"batch": {"job_id": "b"}, "item": item, "politeness": {"delay_ms": 5_000}}
    assert admit_page(event, services, pytest.fail) == {"admitted": True}
    assert services.table.query("ROBOTS").items == ()


@pytest.mark.req("WF-2")
def test_a_host_has_one_turn_and_one_set_of_rules_however_it_is_written(services: WiredServices) -> None:
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    services.table.put(
        Item("ROBOTS", "https://a.example", RobotRules("User-agent: *\nDisallow: /s\nCrawl-delay: 7").to_json())
    )
    waits: list[float] = []

    def admit(number: int, url: str) -> JsonObject:
        item: JsonObject = {"job": {"job_id": f"b-{number}"}, "request": {"url": url}}
        return admit_page({"batch": {"job_id": "b"}, "item": item}, services, waits.append)

    assert not admit(0, "HTTPS://A.example:443/s")["admitted"]
    for number, host in enumerate(("a.example", "A.EXAMPLE:443", "a.example:0443"), start=1):
        assert admit(number, f"https://{host}/")["admitted"]
    assert waits == pytest.approx([0, 7, 14], abs=1)


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(("asked_s", "kept_s"), [(7, 7), (9_000, 20)])
def test_a_host_is_given_the_time_that_its_robots_ask_for_within_reason(
    services: WiredServices, asked_s: float, kept_s: float
) -> None:
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    rules = RobotRules(f"User-agent: *\nDisallow: /s?q=\nCrawl-delay: {asked_s}")
    services.table.put(Item("ROBOTS", "https://a.example", rules.to_json()))
    waits: list[float] = []

    def admit(path: str) -> JsonObject:
        item: JsonObject = {"job": {"job_id": f"b-{path[1]}"}, "request": {"url": f"https://a.example{path}"}}
        return admit_page({"batch": {"job_id": "b"}, "item": item}, services, waits.append)

    assert [admit(path)["admitted"] for path in ("/1", "/s?q=1", "/2", "/3")] == [True, False, True, True]
    assert [admit(path)["admitted"] for path in ("/4/../s?q=1", "/5/%2E%2e/./s?q=1")] == [False] * 2
    assert waits == pytest.approx([0, kept_s, 2 * kept_s], abs=1)


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(
    ("concurrency", "per_host", "lanes", "at_a_host"),
    [(8, 2, 4, 2), (4, 2, 2, 2), (5, 2, 2, 2), (1, 2, 1, 1), (3, 20, 1, 3)],
)
def test_no_more_pages_are_worked_on_at_a_time_than_is_allowed_in_all(
    services: WiredServices, concurrency: int, per_host: int, lanes: int, at_a_host: int
) -> None:
    parsed = parse_list("\n".join(f"https://{n}.example/" for n in range(9)).encode())
    politeness = Politeness(concurrency=concurrency, per_host=per_host)
    payload: Any = batches_of(services, "default").prepare("b", parsed, politeness)
    assert (payload["max_lanes"], payload["politeness"]["per_host"]) == (lanes, at_a_host)
    assert lanes * at_a_host <= concurrency


@pytest.mark.req("WF-2")
def test_lanes_are_of_like_length_and_the_hosts_of_one_take_turns() -> None:
    items: list[JsonObject] = [{"host": host, "request": {"url": f"https://{host}.example/"}} for host in "aaaaabbccd"]
    shares = share_out(items, 2)
    assert ["".join(str(item["host"]) for item in share) for share in shares] == ["aaaaa", "bcdbc"]


@pytest.mark.req("WF-2")
def test_a_list_without_a_request_is_refused_with_the_reason_of_its_first_line(services: WiredServices) -> None:
    with pytest.raises(InvalidRequest, match=r"no request; line 1: .*'nowhere'"):
        batches_of(services, "default").prepare("b", parse_list(b"nowhere"), Politeness())


@pytest.mark.req("WF-2")
def test_a_batch_names_the_first_bad_lines_counts_all_and_expires(
    services: WiredServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gleaner.jobs.batches.REPORTED_LINES", 1)
    batches_of(services, "default").prepare("b", parse_list(f"one\ntwo\n{A}\nthree".encode()), Politeness())
    record = batches_of(services, "default").record("b")
    assert (len(record["bad_lines"]), record["bad_line_count"], record["total"]) == (1, 3, 1)  # pyright: ignore
    item = services.table.get("BATCH#default", "b")
    assert item is not None
    assert item.ttl is not None


@pytest.mark.req("WF-2")
def test_the_summary_of_a_batch_that_was_called_off_says_so_and_names_the_first_failures(
    services: WiredServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gleaner.steps.batch.FAILURES_NAMED", 2)
    batches = batches_of(services, "default")
    batches.prepare("b", parse_list(f"{A}\n{A}?2\n{A}?3\n{B}".encode()), Politeness())
    for number in (1, 2, 3):
        services.table.put(Item("JOB#default", f"b-{number:06}", {"job_id": f"b-{number:06}", "status": "failed"}))
    batches.update("b", status="cancelled")
    assert summarize_batch({"batch": {"job_id": "b"}}, services)["status"] == "cancelled"
    record = batches.record("b")
    assert record["status"] == "cancelled"
    assert record["counts"] == {"failed": 3, "done": 3, "not_run": 1}
    assert [failure["job_id"] for failure in record["failures"]] == ["b-000001", "b-000002"]  # pyright: ignore
    assert float(str(record["finished_at"])) >= float(str(record["created_at"]))


@pytest.mark.req("WF-2")
def test_no_more_pages_of_a_cancelled_batch_are_let_in(services: WiredServices) -> None:
    batches_of(services, "default").prepare("b", parse_list(A.encode()), Politeness())
    gateway = Gateway(services, LocalRunner(services))
    assert gateway.cancel_batch("b")["status"] == "cancelled"
    event: JsonObject = {"batch": {"job_id": "b"}, "item": {"job": {"job_id": "b-000001"}, "request": {"url": A}}}
    assert admit_page(event, services) == {"admitted": False}
