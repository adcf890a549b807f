"""One contract for both tables and both blob stores: SQLite and files here, DynamoDB and S3 against moto."""

import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gleaner.adapters.aws.dynamodb import DynamoTable
from gleaner.adapters.local.files import FileBlobs
from gleaner.adapters.local.sqlite import SqliteTable
from gleaner.contracts.errors import InternalError, InvalidRequest, NotFound, StorageFull, StoreThrottled
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import BlobStore, Item, JsonObject, JsonValue, TableStore
from gleaner.contracts.settings import load_settings
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.wiring import WiredServices

from tests.adapters.atomic import OneCallAtATime
from tests.adapters.conftest import SimulatedAws


@pytest.fixture(params=["sqlite", "dynamodb"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TableStore]:
    if request.param == "sqlite":
        store = SqliteTable(tmp_path / "gleaner.db")
        yield store
        store.close()
        return
    calls: Any = OneCallAtATime(request.getfixturevalue("aws").make_table(), threading.Lock())
    yield DynamoTable(calls)


def test_an_item_comes_back_as_it_was_put(table: TableStore) -> None:
    data = {"text": "Grüße 😀", "number": 1.5, "none": None, "list": [1, {"a": True}]}
    assert table.put(Item("a", "b", data, host="example.com", ttl=int(time.time()) + 100))
    item = table.get("a", "b")
    assert item is not None
    assert (item.data, item.host, item.version) == (data, "example.com", 1)


def test_what_was_never_put_is_none(table: TableStore) -> None:
    assert table.get("a", "b") is None


def test_an_item_past_its_ttl_is_gone(table: TableStore) -> None:
    table.put(Item("a", "b", {}, ttl=int(time.time()) - 1))
    assert table.get("a", "b") is None
    assert table.query("a").items == ()
    assert table.put(Item("a", "b", {"new": 1}), if_version=0)


def test_a_conditional_put_goes_through_only_for_the_version_it_names(table: TableStore) -> None:
    assert table.put(Item("a", "b", {"n": 1}), if_version=0)
    assert not table.put(Item("a", "b", {"n": 2}), if_version=0)
    assert table.put(Item("a", "b", {"n": 3}), if_version=1)
    assert not table.put(Item("a", "b", {"n": 4}), if_version=1)
    item = table.get("a", "b")
    assert item is not None
    assert (item.data, item.version) == ({"n": 3}, 2)


def test_an_item_past_its_ttl_has_no_version_to_write_over(table: TableStore) -> None:
    table.put(Item("a", "b", {}, ttl=int(time.time()) - 1))
    assert not table.put(Item("a", "b", {"n": 1}), if_version=1)
    assert table.put(Item("a", "b", {"n": 1}), if_version=0)
    assert table.put(Item("a", "b", {"n": 2}, ttl=int(time.time()) + 100), if_version=1)
    assert table.put(Item("a", "b", {"n": 3}), if_version=2)


def test_of_many_items_those_that_are_absent_are_written(table: TableStore) -> None:
    table.put(Item("p", "3", {"old": True}))
    table.put(Item("p", "4", {"old": True}, ttl=int(time.time()) - 1))
    items = [Item("p", str(number), {"n": number}) for number in range(25)]
    assert [number for number, new in enumerate(table.put_new(items)) if not new] == [3]
    assert not any(table.put_new(items))
    assert table.put_new([]) == []
    found = table.get_many("p", ["24", "3", "none", "0"])
    assert [item and (item.sk, item.data, item.version) for item in found] == [
        ("24", {"n": 24}, 1),
        ("3", {"old": True}, 1),
        None,
        ("0", {"n": 0}, 1),
    ]
    assert table.get_many("p", []) == []


def large(letter: str, characters: int = 1_000_000) -> JsonObject:
    return {"text": letter * characters, "more": [1, {"a": None}]}


@pytest.mark.req("AG-1")
def test_an_item_may_be_larger_than_the_table_takes_in_one_piece(table: TableStore) -> None:
    for number, letter in enumerate(["a", "ü", "😀"]):
        assert table.put(Item("p", f"RECORD#{number}", large(letter), host="example.com"), if_version=0)
    table.put(Item("p", "RECORD#3", {"n": 3}, host="example.com"))
    for number, letter in enumerate(["a", "ü", "😀"]):
        item = table.get("p", f"RECORD#{number}")
        assert item is not None
        assert (item.data, item.host, item.version) == (large(letter), "example.com", 1)
    expected = [large("a"), large("ü"), large("😀"), {"n": 3}]
    first = table.query("p", prefix="RECORD#", limit=2)
    rest = table.query("p", prefix="RECORD#", limit=2, after=first.next)
    assert [item.data for item in first.items + rest.items] == expected
    assert [item.data for item in table.query_host("example.com").items] == expected


@pytest.mark.req("AG-1")
def test_a_large_item_is_written_over_and_deleted_whole(table: TableStore) -> None:
    table.put(Item("p", "x", large("a")))
    assert not table.put(Item("p", "x", large("b")), if_version=0)
    assert table.put(Item("p", "x", large("c")), if_version=1)
    assert table.add("p", "x", {"n": 1}) == {**large("c"), "n": 1}
    assert table.put(Item("p", "x", {"n": 2}), if_version=3)
    item = table.get("p", "x")
    assert item is not None
    assert item.data == {"n": 2}
    table.put(Item("p", "x", large("d")))
    assert table.delete("p", "x")
    assert table.get("p", "x") is None
    assert table.query("p").items == ()


def test_what_is_left_of_a_large_item_expires(aws: SimulatedAws) -> None:
    stored = aws.make_table()
    table = DynamoTable(stored)
    table.put(Item("p", "x", large("a")))
    table.put(Item("p", "x", large("b")), if_version=0)  # refused: its parts are nobody's
    table.put(Item("p", "x", large("c")))
    table.delete("p", "x")
    left = stored.scan()["Items"]
    assert left
    assert all(item["ttl"] <= time.time() and "data" not in item for item in left)


class Interrupted:
    """A DynamoDB table that is written to between a reader's look at an item and its look at the item's parts."""

    def __init__(self, table: Any, between: Callable[[], object]) -> None:
        self._table, self._between, self._is_first = table, between, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def get_item(self, **named: Any) -> Any:
        answer = self._table.get_item(**named)
        if self._is_first:
            self._is_first = False
            self._between()
        return answer


@pytest.mark.parametrize("again", [large("b"), {"n": 1}, None], ids=["large", "small", "deleted"])
@pytest.mark.parametrize("is_new", [False, True])
def test_a_reader_sees_all_of_one_version_of_a_large_item(
    again: JsonObject | None, is_new: bool, aws: SimulatedAws
) -> None:
    stored = aws.make_table()
    table = DynamoTable(stored)
    table.put(Item("p", "x", large("a")))

    def between() -> None:
        if is_new or again is None:
            table.delete("p", "x")
        if again is not None:
            table.put(Item("p", "x", again))

    found = DynamoTable(Interrupted(stored, between)).get("p", "x")  # pyright: ignore[reportArgumentType]
    assert (found.data if found else None) == again


def test_text_that_no_encoding_can_write_comes_back_as_it_was_put(table: TableStore) -> None:
    data: JsonObject = {"half a pair": "a\ud800", "nothing": "\0", "key \udfff": 1}
    table.put(Item("a", "b", data))
    item = table.get("a", "b")
    assert item is not None
    assert item.data == data


@pytest.mark.parametrize("key", ["", "x" * 1_025, "ü" * 600, "a\ud800"])
def test_a_key_that_no_item_can_have_leads_to_nothing(key: str, table: TableStore) -> None:
    assert table.get("p", key) is None
    assert not table.delete("p", key)
    assert table.query(f"p{'x' * 1_100}{key}").items == ()
    assert table.query_host(3 * key).items == ()
    with pytest.raises(InvalidRequest, match="a key is 1 to 1,024 bytes"):
        table.put(Item("p", key, {}))


def test_counters_stop_at_their_ceiling_and_change_nothing_then(table: TableStore) -> None:
    assert table.add("budget", "x", {"tokens": 60, "calls": 1}, ceilings={"tokens": 100}) == {"tokens": 60, "calls": 1}
    assert table.add("budget", "x", {"tokens": 60, "calls": 1}, ceilings={"tokens": 100}) is None
    assert table.add("budget", "x", {"tokens": 40}, ceilings={"tokens": 100}) == {"tokens": 100, "calls": 1}
    assert table.add("budget", "x", {"tokens": -50}) == {"tokens": 50, "calls": 1}


def test_counters_vanish_when_the_last_who_counted_said(table: TableStore) -> None:
    later = int(time.time()) + 1_000
    for given, kept in ((None, None), (later, later), (later + 5, later + 5), (None, later + 5)):
        table.add("budget", "x", {"tokens": 1}, ttl=given)
        assert (item := table.get("budget", "x")) and item.ttl == kept
    table.add("budget", "x", {"tokens": 1}, ttl=1)
    assert table.add("budget", "x", {"tokens": 1}) == {"tokens": 1}


def test_counters_lose_nothing_between_writers(table: TableStore) -> None:
    def count() -> None:
        for _ in range(10):
            table.add("counter", "x", {"n": 1})
        close = getattr(table, "close", None)
        if close:
            close()

    run_at_once([count] * 4)
    item = table.get("counter", "x")
    assert item is not None
    assert item.data == {"n": 40}


def run_at_once(tasks: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.req("AG-1")
@pytest.mark.timeout(400)
def test_fifteen_writers_add_overlapping_records_to_one_aggregate(table: TableStore) -> None:
    writers, each = 15, 6

    def add(number: int) -> None:
        records: list[JsonValue] = [{"n": n} for n in range(number, number + each)]
        page = ExtractionResult(data=records, source_url=f"https://a.example/{number}")
        ExtractionAggregator(table, "ex").add(page)
        ExtractionAggregator(table, "ex").add(page)
        if isinstance(table, SqliteTable):
            table.close()

    run_at_once([partial(add, number) for number in range(writers)])
    aggregate = ExtractionAggregator(table, "ex")
    kept = list(aggregate.all_records())
    assert sorted(int(str(one["n"])) for one in kept if isinstance(one, dict)) == list(range(writers + each - 1))
    unique = writers + each - 1
    sums = {"pages": writers, "records": unique, "equal": writers * each - unique, "noun": "records"}
    assert aggregate.counts() == sums
    after, behind = None, 0
    while True:
        items, after = aggregate.records(limit=50, after=after)
        behind += sum(len(item["pages"]) for item in items if isinstance(item["pages"], list))
        if after is None:
            break
    assert behind == writers * each


def test_a_query_gives_the_prefix_in_order_page_by_page(table: TableStore) -> None:
    for number in range(25):
        table.put(Item("p", f"RECORD#{number:02}", {"n": number}))
    table.put(Item("p", "PAGE#1", {}))
    table.put(Item("other", "RECORD#00", {}))
    seen: list[str] = []
    after = None
    while True:
        page = table.query("p", prefix="RECORD#", limit=10, after=after)
        seen += [item.sk for item in page.items]
        after = page.next
        if after is None:
            break
        assert len(page.items) == 10
    assert seen == [f"RECORD#{number:02}" for number in range(25)]


def test_a_query_may_start_outside_of_its_prefix(table: TableStore) -> None:
    for name in ("a1", "b1", "b2", "c1"):
        table.put(Item("p", name, {"name": name}))
    for after, found in [("a", ["b1", "b2"]), ("b1", ["b2"]), ("b1x", ["b2"]), ("c", []), (" ", ["b1", "b2"])]:
        assert [item.sk for item in table.query("p", prefix="b", after=after).items] == found


def test_items_are_found_by_host(table: TableStore) -> None:
    for number in range(5):
        table.put(Item(f"STRATEGY#{number}", "S", {"n": number}, host="example.com"))
    table.put(Item("STRATEGY#9", "S", {}, host="example.org"))
    first = table.query_host("example.com", limit=3)
    rest = table.query_host("example.com", limit=3, after=first.next)
    assert [item.data["n"] for item in first.items + rest.items] == [0, 1, 2, 3, 4]
    assert rest.next is None


def test_a_deleted_item_is_gone_and_deleting_twice_says_so(table: TableStore) -> None:
    table.put(Item("a", "b", {}))
    assert table.delete("a", "b")
    assert not table.delete("a", "b")
    assert table.get("a", "b") is None


def test_a_blob_comes_back_as_it_was_written_last(blobs: BlobStore) -> None:
    blobs.write("jobs/1/result.json", b"{}", "application/json")
    blobs.write("jobs/1/result.json", b'{"a": 1}', "application/json")
    assert blobs.read("jobs/1/result.json") == b'{"a": 1}'
    assert blobs.exists("jobs/1/result.json")


def test_an_absent_blob_is_not_found_and_the_error_names_its_key(blobs: BlobStore) -> None:
    assert not blobs.exists("jobs/2/result.json")
    with pytest.raises(NotFound, match=r"jobs/2/result\.json"):
        blobs.read("jobs/2/result.json")


def test_a_blob_has_a_url_that_reads_it(blobs: BlobStore) -> None:
    blobs.write("screenshots/1.png", b"png", "image/png")
    assert "screenshots/1.png" in blobs.url("screenshots/1.png", expires_s=60)


def test_a_blob_is_replaced_only_where_the_writer_knows_its_version(blobs: BlobStore) -> None:
    assert blobs.find("profiles/a/lease.json") is None
    assert blobs.write_if("profiles/a/lease.json", b"0", "unknown") is None
    first = blobs.write_if("profiles/a/lease.json", b"1", None)
    assert first
    assert blobs.write_if("profiles/a/lease.json", b"2", None) is None
    second = blobs.write_if("profiles/a/lease.json", b"3", first)
    assert second
    assert blobs.write_if("profiles/a/lease.json", b"4", first) is None
    found = blobs.find("profiles/a/lease.json")
    assert found is not None
    assert (found.body, found.tag) == (b"3", second)
    assert -1 <= found.age_s < 60


def test_of_many_that_replace_one_version_one_wins(clients: tuple[BlobStore, ...]) -> None:
    start = clients[0].write_if("profiles/a/lease.json", b"start", None)
    barrier, won = threading.Barrier(6), list[bytes]()

    def replace(number: int) -> None:
        barrier.wait(60)
        if clients[number % 2].write_if("profiles/a/lease.json", b"%d" % number, start):
            won.append(b"%d" % number)

    run_at_once([partial(replace, number) for number in range(6)])
    assert [clients[0].read("profiles/a/lease.json")] == won


@pytest.mark.parametrize("key", ["../secret", "/etc/passwd", "a//b", "a/../../b", "", "a/\0b"])
def test_no_key_leads_out_of_the_folder(key: str, tmp_path: Path) -> None:
    store = FileBlobs(tmp_path / "blobs")
    with pytest.raises(InternalError, match="not a blob key"):
        store.write(key, b"x")


def test_state_survives_the_process_that_wrote_it(tmp_path: Path) -> None:
    first = SqliteTable(tmp_path / "gleaner.db")
    first.put(Item("a", "b", {"n": 1}))
    first.close()
    second = SqliteTable(tmp_path / "gleaner.db")
    item = second.get("a", "b")
    second.close()
    assert item is not None
    assert item.data == {"n": 1}


def test_a_full_disk_is_told_as_such_and_the_table_goes_on_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "gleaner.db"
    store = SqliteTable(path)
    connection = store._connection()
    pages = connection.execute("pragma page_count").fetchone()[0]
    connection.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(StorageFull, match=f"^{re.escape(str(path))}: no space is left"):
        store.put(Item("a", "b", {"text": "x" * 100_000}))
    connection.execute("pragma max_page_count = 100000")
    assert store.put(Item("a", "b", {"text": "x" * 100_000}))
    store.close()


def test_a_table_that_another_process_holds_is_asked_again_later(tmp_path: Path) -> None:
    path = tmp_path / "gleaner.db"
    store = SqliteTable(path)
    store._connection().execute("pragma busy_timeout = 1")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("begin immediate")
    with pytest.raises(StoreThrottled, match=r"gleaner\.db is in use"):
        store.put(Item("a", "b", {}))
    holder.execute("rollback")
    assert store.put(Item("a", "b", {}))
    holder.close()
    store.close()


def test_the_data_folder_gives_up_what_is_past_its_time_and_keeps_the_rest(tmp_path: Path) -> None:
    settings = load_settings({}, home=tmp_path, job_ttl_days=3)
    blobs, old = FileBlobs(tmp_path / "blobs"), time.time() - 4 * 86_400
    kept = {"jobs/t/new/result.json", "profiles/master.json", "jobs/t/half/new.json"}
    gone = {"jobs/t/old/result.json", "pages/t/old/page.json", "jobs/t/half/old.json", "screenshots/t/old.png"}
    for key in kept | gone:
        blobs.write(key, b"{}")
    for key in (*gone, "profiles/master.json", "jobs/t/old", "pages/t/old"):
        os.utime(tmp_path / "blobs" / key, (old, old))
    table = SqliteTable(tmp_path / "gleaner.db")
    table.put(Item("JOB#t", "old", {}, ttl=int(old)))
    table.put(Item("JOB#t", "new", {}, ttl=int(time.time()) + 100))
    table.close()
    services = WiredServices(settings)
    assert services.table.get("JOB#t", "new")
    services.close()
    assert {key for key in kept | gone if blobs.exists(key)} == kept
    assert not (tmp_path / "blobs/jobs/t/old").exists()
    with closing(sqlite3.connect(tmp_path / "gleaner.db")) as connection:
        assert connection.execute("select sk from items where pk = 'JOB#t'").fetchall() == [("new",)]


def test_what_is_past_its_time_is_looked_for_once_a_day(tmp_path: Path) -> None:
    settings, blobs = load_settings({}, home=tmp_path), FileBlobs(tmp_path / "blobs")
    for _ in range(2):
        services = WiredServices(settings)
        services.table.get("any", "thing")
        services.close()
        blobs.write("jobs/t/old/result.json", b"{}")
        os.utime(tmp_path / "blobs/jobs/t/old/result.json", (0, 0))
    assert blobs.exists("jobs/t/old/result.json")


@pytest.mark.req("SC-3", "ST-1")
def test_an_item_keeps_the_order_of_its_names(table: TableStore) -> None:
    """A schema's fields go to the model in the order in which the caller wrote them."""
    names = ["venue", "day", "act", "admission"]
    data: JsonObject = {"schema": {"properties": {name: {"type": "string"} for name in names}}}
    table.put(Item("order", "1", data, host="t#concerts.example"))
    stored = [table.get("order", "1"), *table.query("order").items, *table.query_host("t#concerts.example").items]
    for item in stored:
        assert item is not None
        assert list(item.data["schema"]["properties"]) == names  # type: ignore[index,call-overload]


def test_the_keys_of_a_folder_are_listed_and_deleted(blobs: BlobStore) -> None:
    for key in ("jobs/acme/a/plan.json", "jobs/acme/b/result.json", "jobs/acme2/a/plan.json"):
        blobs.write(key, b"1")
    assert sorted(blobs.keys("jobs/acme")) == ["jobs/acme/a/plan.json", "jobs/acme/b/result.json"]
    blobs.delete([*blobs.keys("jobs/acme"), "jobs/acme/nothing"])
    assert (list(blobs.keys("jobs/acme")), list(blobs.keys("jobs/acme2"))) == ([], ["jobs/acme2/a/plan.json"])


def test_the_keys_of_all_items_are_listed(table: TableStore) -> None:
    for number in range(3):
        table.put(Item(f"JOB#{number}", "a", {"text": "x" * 400_000 if number == 2 else ""}))
    assert {("JOB#0", "a"), ("JOB#1", "a"), ("JOB#2", "a")} <= set(table.every_key())
