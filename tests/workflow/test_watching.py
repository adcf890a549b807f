"""Watches: what has changed since the last complete run, with the proof of old and new, told once (WA-1)."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from gleaner.contracts.errors import BlockedAddress, InvalidRequest, NotFound, WebhookFailed
from gleaner.jobs.record_changes import KeptRecord, compare, key_fields
from gleaner.jobs.watches import WatchOrder, public_watch
from gleaner.local.watching import due
from gleaner.steps.watch import begin_watch, finish_watch
from gleaner.steps.webhook import deliver_webhook, is_signed
from gleaner.testing import ScriptedModel
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.testing.paged_site import LISTED_SCHEMA, PagedSite, Trouble, listed_records, listed_truth

from tests.workflow.conftest import Make

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
    assert (run.status, run.job_status) == ("unchanged", "partial")
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
    assert key_fields(old, new) == ("sku",)
    assert [one.key for one in compare(old, new).changed] == [{"sku": "b"}]


def test_twins_are_matched_in_their_order() -> None:
    twin = {"name": "x"}
    assert compare(kept(twin, twin), kept(twin, twin, twin)).counts == {"new": 1, "changed": 0, "removed": 0}


def test_a_value_that_is_not_proven_is_no_change() -> None:
    refused = KeptRecord(record={"id": 1, "price": None}, proof={"/price": {"status": "ungrounded"}})
    assert not compare(kept({"id": 1, "price": 5}), [refused], ["id"])
