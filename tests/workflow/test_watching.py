"""Watches: what has changed since the last complete run, with the proof of old and new, told once (WA-1)."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from gleaner.contracts.errors import BlockedAddress, InvalidRequest, NotFound, WebhookFailed
from gleaner.contracts.settings import load_settings
from gleaner.jobs.record_changes import KeptRecord, Reading, compare, key_fields
from gleaner.jobs.watches import WatchOrder, public_watch
from gleaner.local.watching import due
from gleaner.steps.watch import begin_watch, finish_watch
from gleaner.steps.webhook import deliver_webhook, is_signed, signature
from gleaner.testing import ScriptedModel
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.support.asking import Make
from tests.support.paged_site import LISTED_SCHEMA, PagedSite, Trouble, listed_records, listed_truth
from tests.workflow.lamp_listing import LAMPS, LampListing, lamps

pytestmark = pytest.mark.req("WA-1")


@dataclass
class Receiver(LoopbackServer):
    """Takes webhooks: answers with the statuses that it is given, then with 200."""

    statuses: list[int] = field(default_factory=list[int])
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list[tuple[dict[str, str], bytes]])

    def __post_init__(self) -> None:
        super().__init__(_Hook)


class _Hook(LoopbackHandler):
    owner: Receiver

    def do_POST(self) -> None:
        body = self.read_body()
        self.owner.got.append((dict(self.headers), body))
        self.answer(self.owner.statuses.pop(0) if self.owner.statuses else 200, "text/plain", b"")


@pytest.fixture
def site() -> Iterator[PagedSite]:
    with PagedSite(records=listed_records(36)) as server:
        yield server


def watched(make: Make, site: PagedSite, *more: str, **order: Any) -> tuple[Any, dict[str, Any]]:
    gleaner = make(ScriptedModel(listed_truth(listed_records(48))), allow_hosts=[site.host, *more])
    request = {"url": f"{site.url}/next", "output_schema": LISTED_SCHEMA, "follow": 10, "enable_javascript": False}
    return gleaner, gleaner.gateway.create_watch({"request": request, "name": "lamps", **order})


def test_each_change_is_told_with_the_proof_of_old_and_new(make: Make, site: PagedSite) -> None:
    gleaner, _ = watched(make, site)
    assert gleaner.run_watch("lamps").status == "baseline"
    assert gleaner.run_watch("lamps").status == "unchanged"
    gone = site.records.pop(20)
    site.records[3] = {**site.records[3], "price": 5.5}
    site.records.append(listed_records(48)[40])
    run = gleaner.run_watch("lamps")
    changes = gleaner.watch_changes("lamps", run.run_id)
    assert (run.status, run.counts) == ("changed", {"new": 1, "changed": 1, "removed": 1})
    [change] = changes.changed[0].fields
    assert (change.field, change.old, change.new) == ("/price", 54.11, 5.5)
    assert change.old_proof is not None
    assert change.new_proof is not None
    assert (change.old_proof["text"], change.new_proof["text"]) == ("54.11", "5.50")
    assert changes.removed[0].record == gone
    assert changes.removed[0].proof["/name"]["text"] == gone["name"]
    assert gleaner.run_watch("lamps").status == "unchanged"


def test_a_partial_run_removes_nothing_and_is_not_compared_with(make: Make, site: PagedSite) -> None:
    gleaner, _ = watched(make, site)
    gleaner.run_watch("lamps")
    site.trouble = Trouble(login_at=3)
    run = gleaner.run_watch("lamps")
    assert (run.status, run.job_status) == ("incomplete", "partial")
    assert run.said.startswith("24 of 36 records were extracted from 2 pages: page 3: ")
    assert run.said.endswith(": nothing counts as removed")
    site.trouble = Trouble()
    assert gleaner.run_watch("lamps").status == "unchanged"


def test_one_run_at_a_time_and_what_did_not_run_is_said(make: Make, site: PagedSite) -> None:
    gleaner, record = watched(make, site, every="1m")
    watch = {"watch": {"watch_id": "lamps", "tenant": "default"}}
    first: Any = begin_watch({**watch, "run": "a"}, gleaner.services)
    assert begin_watch({**watch, "run": "a"}, gleaner.services) == first, "a run that begins again is the same"
    assert begin_watch({**watch, "run": "b"}, gleaner.services) == {"begun": False}
    finish_watch({**watch, "run_id": first["run_id"], "job": first["job"]}, gleaner.services)
    gleaner.gateway.watches.update("lamps", due_at=time.time() - 200)
    assert [watch_id for watch_id, _ in due(gleaner.services, "default")] == ["lamps"]
    assert begin_watch({**watch, "run": "c"}, gleaner.services)["begun"]
    history = [item.data for item in gleaner.gateway.watches.runs("lamps").items]
    assert sorted(str(run["status"]) for run in history) == ["failed", "missed", "skipped"]
    assert any(str(run["said"]).startswith("3 runs before this one were missed") for run in history)
    assert record["every_s"] == 60


@pytest.mark.parametrize(("age", "told"), [(0, 0), (70, 0), (130, 1)])
def test_the_first_run_of_a_schedule_has_missed_none(make: Make, site: PagedSite, age: int, told: int) -> None:
    """EventBridge Scheduler starts a rate's first run one interval after the schedule was made."""
    gleaner, _ = watched(make, site, every="1m")
    gleaner.gateway.watches.update("lamps", due_at=time.time() - age)
    begin_watch({"watch": {"watch_id": "lamps"}, "run": "a"}, gleaner.services)
    assert len(gleaner.gateway.watches.runs("lamps").items) == told
    assert 55 < gleaner.gateway.watches.record("lamps")["due_at"] - time.time() <= 60
    assert not list(due(gleaner.services, "default"))


def test_a_webhook_is_signed_tried_again_and_told_once(make: Make, site: PagedSite) -> None:
    with Receiver(statuses=[500, 302]) as receiver:
        hook = {"url": f"{receiver.url}/hook", "secret": "a-secret-of-many-letters"}
        gleaner, record = watched(make, site, receiver.host, webhook=hook)
        gleaner.run_watch("lamps")
        site.records[3] = {**site.records[3], "price": 5.5}
        run = gleaner.run_watch("lamps")
        assert len(receiver.got) == 3
        headers, body = receiver.got[-1]
        assert is_signed(headers["Gleaner-Signature"], "a-secret-of-many-letters", body)
        assert not is_signed(headers["Gleaner-Signature"], "another-secret-of-many", body)
        told = json.loads(body)
        assert (told["type"], told["counts"]["changed"]) == ("RecordsChanged", 1)
        kept = gleaner.gateway.watches.run("lamps", run.run_id)
        assert (kept.delivery["status"], kept.delivery["tries"]) == ("delivered", 3)
        again = {"watch": {"watch_id": "lamps", "tenant": "default"}, "run_id": run.run_id}
        assert deliver_webhook(again, gleaner.services) == {"delivered": False}
        assert public_watch(record)["webhook"] == {"url": hook["url"]}


def test_a_webhook_that_never_accepts_is_given_up_and_kept(make: Make, site: PagedSite) -> None:
    with Receiver(statuses=[500] * 100) as receiver:
        gleaner, _ = watched(make, site, receiver.host, webhook={"url": receiver.url})
        gleaner.run_watch("lamps")
        site.records.pop()
        run = gleaner.run_watch("lamps")
        kept = gleaner.gateway.watches.run("lamps", run.run_id)
        assert kept.delivery["status"] == "dead"
        assert len(receiver.got) == 13
        with pytest.raises(WebhookFailed, match="answered 500"):
            deliver_webhook({"watch": {"watch_id": "lamps"}, "run_id": run.run_id}, gleaner.services)


def test_what_is_kept_of_a_webhook_holds_none_of_its_address(make: Make, site: PagedSite) -> None:
    with Receiver(statuses=[500] * 100) as receiver:
        url = f"{receiver.url}/T0/s3cret?token=s3cret"
        gleaner, _ = watched(make, site, receiver.host, webhook={"url": url})
        gleaner.run_watch("lamps")
        site.records.pop()
        run = gleaner.run_watch("lamps")
        place = {"watch": {"watch_id": "lamps"}, "run_id": run.run_id}
        with pytest.raises(WebhookFailed, match="answered 500") as refused:
            deliver_webhook(place, gleaner.services)
        assert "s3cret" not in str(refused.value)
        assert receiver.url in str(refused.value)
        deliver_webhook({**place, "failure": f"{url} answered 500"}, gleaner.services)
        assert "s3cret" not in str(gleaner.gateway.watches.run("lamps", run.run_id))
    gleaner.gateway.watches.note("lamps", run)
    with pytest.raises(WebhookFailed) as unreached:  # nobody listens there any more
        deliver_webhook(place, gleaner.services)
    assert "s3cret" not in str(unreached.value)
    assert unreached.value.__cause__ is None
    record = gleaner.gateway.watches.record("lamps")
    gleaner.gateway.watches.update("lamps", webhook={**record["webhook"], "url": "http://10.0.0.1/s3cret"})
    with pytest.raises(BlockedAddress, match="private") as blocked:
        deliver_webhook(place, gleaner.services)
    assert "s3cret" not in str(blocked.value)


def test_a_secret_is_changed_without_a_call_that_a_receiver_refuses(make: Make, site: PagedSite) -> None:
    old, new = "the-secret-of-before", "the-secret-from-now-on"
    with Receiver() as receiver:
        gleaner, _ = watched(make, site, receiver.host, webhook={"url": receiver.url, "secret": old})
        gleaner.run_watch("lamps")
        _, again = watched(lambda *_, **__: gleaner, site, webhook={"url": receiver.url, "secret": new})
        assert again["webhook"] == {"url": receiver.url, "secret": new}
        site.records.pop()
        gleaner.run_watch("lamps")
        headers, body = receiver.got[-1]
        assert all(is_signed(headers["Gleaner-Signature"], secret, body) for secret in (old, new))
        record = gleaner.gateway.watches.record("lamps")
        former = {**record["webhook"]["former"], "until": time.time() - 1}
        gleaner.gateway.watches.update("lamps", webhook={**record["webhook"], "former": former})
        site.records.pop()
        gleaner.run_watch("lamps")
        headers, body = receiver.got[-1]
        assert [is_signed(headers["Gleaner-Signature"], secret, body) for secret in (old, new)] == [False, True]


HOSTILE_HEADERS = [
    "", ",", "=", "t", "t=", "t={t}", "v1={v1}", "t=²,v1={v1}", "t=٣,v1={v1}", "t={t},v1=é", "t={t},v1=\ud800",
    f"t={'9' * 5000},v1=0", "t=-{t},v1={v1}", "t=+{t},v1={v1}", "t={t},v0={v1}", f"t={{t}}{',v1=0' * 100},v1={{v1}}",
    "t=1,v1={v1}", "t=9999999999999,v1={v1}",
]  # fmt: skip


@pytest.mark.parametrize("header", HOSTILE_HEADERS)
def test_no_header_is_taken_for_a_signature_or_raises(header: str) -> None:
    now = int(time.time())
    stamp, _, right = signature("secret", b"{}", now).partition(",v1=")
    assert not is_signed(header.format(t=stamp.removeprefix("t="), v1=right), "secret", b"{}")
    assert is_signed(f" v1={'0' * 64}, {stamp} ,v1={right}", "secret", b"{}")


@pytest.mark.parametrize("keys", [["k"] * 21, ["k" * 201], [""]])
def test_the_keys_of_a_watch_are_few_and_short(keys: list[str]) -> None:
    request = {"url": "https://a.example", "output_schema": LISTED_SCHEMA}
    with pytest.raises(InvalidRequest, match="keys"):
        WatchOrder.read({"request": request, "keys": keys})


class _Uncoded(LoopbackHandler):
    def do_GET(self) -> None:
        self.answer(200, "text/csv", b"code,name\n,Gorse\n,Slate\n")


def test_a_key_that_no_record_has_is_no_base_to_compare_with(make: Make) -> None:
    fields = {"code": {"type": ["string", "null"]}, "name": {"type": "string"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    with LoopbackServer(_Uncoded) as server:
        gleaner = make(allow_hosts=[server.host])
        request = {"url": f"{server.url}/lamps.csv", "output_schema": schema, "enable_javascript": False}
        gleaner.gateway.create_watch({"request": request, "name": "uncoded", "keys": ["code"]})
        run = gleaner.run_watch("uncoded")
    assert (run.status, run.records) == ("incomplete", 2)
    assert "no record has a value of its key (code)" in run.said


def test_a_webhook_may_not_lead_inside(make: Make, site: PagedSite) -> None:
    with pytest.raises(BlockedAddress):
        watched(make, site, webhook={"url": "http://169.254.169.254/latest"})


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"every": "30s"}, "whole minutes"),
        ({"every": "soon"}, "a duration"),
        ({"request": {"url": "https://a.example/"}}, "output_schema"),
        ({"colour": 1}, "unknown field"),
        ({"keys": ["sku"]}, "no field 'sku'; their fields are "),
    ],
)
def test_an_order_that_can_not_be_kept_is_refused(order: dict[str, Any], said: str) -> None:
    request = {"url": "https://a.example/", "output_schema": LISTED_SCHEMA}
    with pytest.raises(InvalidRequest, match=said):
        WatchOrder.read({"request": request, **order})


def test_a_watch_that_is_gone_runs_no_more(make: Make, site: PagedSite) -> None:
    gleaner, _ = watched(make, site)
    gleaner.gateway.delete_watch("lamps")
    with pytest.raises(NotFound):
        gleaner.gateway.watches.record("lamps")
    assert begin_watch({"watch": {"watch_id": "lamps"}, "run": "x"}, gleaner.services) == {"begun": False}


def kept(*records: dict[str, Any]) -> list[KeptRecord]:
    return [KeptRecord(record=record) for record in records]


def test_records_are_known_again_by_what_tells_them_apart() -> None:
    old = kept({"sku": "a", "name": "x", "price": 1}, {"sku": "b", "name": "x", "price": 2})
    new = kept({"sku": "b", "name": "x", "price": 3}, {"sku": "a", "name": "x", "price": 1})
    assert [one.key for one in compare(old, Reading(records=new), ["sku"])[0].changed] == [{"sku": "b"}]


KEYS = [
    ([{"price": 5, "name": "A", "id": 7}, {"price": 6, "name": "B", "id": 8}], ("id",)),
    ([{"price": 5, "stock": 3, "name": "A"}, {"price": 6, "stock": 4, "name": "B"}], ("name",)),
    ([{"price": "£5.00", "name": "A"}, {"price": "£6.00", "name": "B"}], ("name",)),
    ([{"name": "A", "page": "https://a.example/1"}, {"name": "B", "page": "https://a.example/2"}], ("page",)),
    ([{"name": "A", "maker": "x"}, {"name": "A", "maker": "y"}, {"name": "B", "maker": "y"}], ("name", "maker")),
    ([{"day": "2026-03-01", "title": "A"}, {"day": "2026-03-02", "title": "B"}], ("title",)),
    ([{"id": None, "name": "A"}, {"id": 2, "name": "B"}], ("name",)),
    ([{"price": 5}, {"price": 6}], ()),
]


@pytest.mark.parametrize(("records", "key"), KEYS)
def test_the_key_is_an_id_an_address_or_a_text_and_no_figure(
    records: list[dict[str, Any]], key: tuple[str, ...]
) -> None:
    assert key_fields(kept(*records)) == key


def changes(known: list[KeptRecord], *records: dict[str, Any], **reading: Any) -> dict[str, int]:
    return compare(known, Reading(records=kept(*records), **reading), ["name"])[0].counts


def test_twins_are_matched_in_their_order() -> None:
    twin = {"name": "x"}
    assert changes(kept(twin, twin), twin, twin, twin) == {"new": 1, "changed": 0, "removed": 0}


def test_letters_that_are_composed_and_spaces_are_no_change() -> None:
    known = kept({"name": "Caf\u00e9 lamp", "wood": "Oak"})
    assert changes(known, {"name": "Cafe\u0301  lamp", "wood": "\uff2fak"}) == {"new": 0, "changed": 0, "removed": 0}


def test_an_address_with_another_session_is_the_same_record() -> None:
    old, new = kept({"url": "https://a.example/1?sid=a"}), kept({"url": "https://a.example/1?sid=b"})
    assert not compare(old, Reading(records=new), ["url"])[0]


def test_what_was_not_read_is_known_as_before() -> None:
    known = kept({"name": "A", "price": 5}, {"name": "B", "price": 6})
    reading = Reading(records=kept({"name": "A", "price": None}), has_all=False, is_read=False)
    found, now = compare(known, reading, ["name"])
    assert (found.counts, now) == ({"new": 0, "changed": 0, "removed": 0}, known)
    assert changes(known, {"name": "A", "price": None}) == {"new": 0, "changed": 1, "removed": 1}
    assert changes(known, {"name": "A", "price": None}, unread=["price"], has_all=False)["changed"] == 0


def test_a_record_whose_key_was_not_read_is_neither_new_nor_does_it_remove_another() -> None:
    known = kept({"name": "A", "price": 5})
    assert changes(known, {"name": None, "price": 5}) == {"new": 0, "changed": 0, "removed": 0}


def test_a_value_that_is_not_proven_is_no_change_and_the_next_one_is_compared_with_the_one_before() -> None:
    known = kept({"name": "A", "price": 5})
    refused = KeptRecord(record={"name": "A", "price": None}, proof={"/price": {"status": "ungrounded"}})
    found, now = compare(known, Reading(records=[refused]), ["name"])
    assert (bool(found), now[0].record) == (False, {"name": "A", "price": 5})
    assert changes(now, {"name": "A", "price": 6})["changed"] == 1


def test_one_object_is_known_again_whatever_changes() -> None:
    known = kept({"title": "A", "price": 5})
    assert compare(known, Reading(records=kept({"title": "B", "price": 6})), [])[0].counts["changed"] == 1


SORRY = ["<h1>Sorry</h1><p>We will be back soon.</p>", "<h1>Lamps</h1><p>Made by hand.</p>", '<input type="password">']


@pytest.mark.parametrize("body", SORRY)
def test_a_page_that_shows_no_record_and_does_not_say_so_removes_none(make: Make, body: str) -> None:
    with LampListing() as listing:
        gleaner = make(allow_hosts=[listing.host])
        request = {"url": f"{listing.url}/next", "output_schema": LAMPS, "enable_javascript": False}
        gleaner.gateway.create_watch({"request": request, "name": "lamps"})
        assert gleaner.run_watch("lamps").status == "baseline"
        listing.bodies[1] = body
        run = gleaner.run_watch("lamps")
        assert (run.status, run.counts) == ("incomplete", {"new": 0, "changed": 0, "removed": 0})
        listing.bodies[1] = "<p>No lamps found: 0 results.</p>"
        assert gleaner.run_watch("lamps").counts == {"new": 0, "changed": 0, "removed": 5}
        listing.bodies.clear()
        assert gleaner.run_watch("lamps").counts == {"new": 5, "changed": 0, "removed": 0}


def test_each_change_is_told_once_over_twenty_runs_with_faults_between(make: Make) -> None:
    """Prices change, lamps come and go, while pages fail, ask for a login or are cut off; nothing is told twice."""
    faults = ['<input type="password">', "<p>Back soon</p>", "<h1>Error 503</h1>"]
    told, wanted, named = Counter[tuple[str, str]](), Counter[tuple[str, str]](), [name for name, _ in lamps()]
    statuses: list[str] = []
    with LampListing(rows=lamps()) as listing:
        gleaner = make(allow_hosts=[listing.host])
        request = {"url": f"{listing.url}/next", "output_schema": LAMPS, "enable_javascript": False, "follow": 9}
        gleaner.gateway.create_watch({"request": request, "name": "lamps"})
        assert gleaner.run_watch("lamps").status == "baseline"
        for number in range(22):
            if number < 20 and number % 2 == 0:
                name = named[number // 2]
                listing.rows = [(one, f"{200 + number}.50" if one == name else price) for one, price in listing.rows]
                wanted["changed", name] += 1
            if number % 5 == 1:
                listing.rows.append((f"New lamp {chr(65 + number)}", "9.50"))
                wanted["new", listing.rows[-1][0]] += 1
            if number % 5 == 3:
                name = named[15 + number // 5]
                listing.rows = [row for row in listing.rows if row[0] != name]
                wanted["removed", name] += 1
            is_faulty = number % 3 == 0 and number < 20
            listing.bodies = {1 + number % 4: faults[number % len(faults)]} if is_faulty else {}
            run = gleaner.run_watch("lamps")
            statuses.append(run.status)
            found = gleaner.watch_changes("lamps", run.run_id)
            told.update(("new", one.record["name"]) for one in found.new)
            told.update(("changed", one.key["name"]) for one in found.changed)
            told.update(("removed", one.record["name"]) for one in found.removed)
    assert told == wanted
    assert {"changed", "incomplete"} <= set(statuses)


def test_the_secret_of_a_webhook_can_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANER_WEBHOOK_SECRET", "a-secret-of-many-letters")
    assert load_settings().model
