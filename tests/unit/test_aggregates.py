"""An aggregate holds each record once, whoever adds it and however often."""

import csv
import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from gleaner.adapters.sqlite import SqliteTable
from gleaner.aggregates import ExtractionAggregator, to_csv, to_ndjson
from gleaner.memory import MemoryTable
from gleaner.models import ExtractionResult
from gleaner.spreadsheets import read_cell
from hypothesis import given
from hypothesis import strategies as st

SCHEMA = {
    "type": "object",
    "properties": {
        "products": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    },
}


def page(number: int, records: list[Any]) -> ExtractionResult:
    return ExtractionResult(
        data={"products": records}, schema_used=SCHEMA, source_url=f"https://shop.example/list?page={number}"
    )


@pytest.mark.req("AG-1")
def test_the_summary_says_how_many_unique_records_came_from_how_many_pages() -> None:
    aggregator = ExtractionAggregator()
    aggregator.add(page(1, [{"n": n} for n in range(20)]))
    said = aggregator.add(page(2, [{"n": n} for n in range(20, 40)]))
    assert said == "40 unique products from 2 pages"
    assert aggregator.aggregate().data == [{"n": n} for n in range(40)]


@pytest.mark.req("AG-1")
def test_records_seen_before_are_not_counted_again() -> None:
    aggregator = ExtractionAggregator()
    aggregator.add(page(1, [{"n": 1}, {"n": 2}, {"n": 2}]))
    aggregator.add(page(2, [{"n": 2}, {"n": 3}]))
    assert aggregator.summary == "3 unique products from 2 pages"


@pytest.mark.req("AG-1")
def test_adding_a_page_twice_changes_nothing() -> None:
    aggregator = ExtractionAggregator()
    for _ in range(3):
        aggregator.add(page(1, [{"n": 1}, {"n": 2}]))
    assert aggregator.summary == "2 unique products from 1 page"
    assert len(list(aggregator.all_records())) == 2


@pytest.mark.req("AG-1")
def test_a_page_that_brings_more_when_it_is_added_again_is_counted_right() -> None:
    aggregator = ExtractionAggregator()
    aggregator.add(page(1, [{"n": 1}]))
    aggregator.add(page(1, [{"n": 1}, {"n": 2}]))
    assert aggregator.summary == "2 unique products from 1 page"


@pytest.mark.req("AG-1")
def test_the_pages_behind_a_record_are_listed_with_it() -> None:
    aggregator = ExtractionAggregator()
    aggregator.add(page(1, [{"n": 1}]))
    aggregator.add(page(2, [{"n": 0}, {"n": 1}]))
    items, _ = aggregator.records()
    assert [[place["url"][-1] for place in item["pages"]] for item in items] == [["1", "2"], ["2"]]


@pytest.mark.req("AG-1")
def test_records_are_read_in_order_page_by_page() -> None:
    aggregator = ExtractionAggregator()
    aggregator.add(page(1, [{"n": n} for n in range(25)]))
    seen: list[int] = []
    after = None
    while True:
        items, after = aggregator.records(limit=10, after=after)
        seen += [item["record"]["n"] for item in items]
        if after is None:
            break
    assert seen == list(range(25))


@pytest.mark.req("AG-1")
def test_many_writers_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    table = SqliteTable(tmp_path / "gleaner.db")

    def add(number: int) -> None:
        ExtractionAggregator(table, "ex").add(page(number, [{"n": n} for n in range(number, number + 10)]))
        table.close()

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    aggregator = ExtractionAggregator(table, "ex")
    assert sorted(record["n"] for record in aggregator.all_records()) == list(range(21))
    assert aggregator.summary == "21 unique products from 12 pages"
    table.close()


@pytest.mark.req("AG-1")
def test_keys_decide_what_is_the_same_record() -> None:
    aggregator = ExtractionAggregator(dedupe="keys", dedupe_keys=["n"])
    aggregator.add(page(1, [{"n": 1, "price": 5}, {"n": 1, "price": 6}]))
    assert aggregator.counts()["records"] == 1


@pytest.mark.req("AG-1")
def test_an_aggregate_of_another_tenant_is_empty() -> None:
    table = MemoryTable()
    ExtractionAggregator(table, "ex", "one").add(page(1, [{"n": 1}]))
    assert list(ExtractionAggregator(table, "ex", "two").all_records()) == []


@pytest.mark.req("AG-1")
@given(st.lists(st.dictionaries(st.text(min_size=1), st.text(), min_size=1, max_size=4), max_size=8))
def test_csv_and_ndjson_hold_every_value(records: list[dict[str, str]]) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(to_csv(records)), newline="")))
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        read = {read_cell(name): read_cell(cell) for name, cell in row.items()}
        assert {name: read[name] for name in record} == record
    assert [json.loads(line) for line in to_ndjson(records)] == records


class DyingTable(MemoryTable):
    """A table whose writer dies at one of its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.dies_at: int | None = None

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.dies_at:
            raise ConnectionError("the writer died")

    def get(self, *arguments: Any) -> Any:
        self._count()
        return super().get(*arguments)

    def put(self, *arguments: Any, **named: Any) -> Any:
        self._count()
        return super().put(*arguments, **named)

    def query(self, *arguments: Any, **named: Any) -> Any:
        self._count()
        return super().query(*arguments, **named)


@pytest.mark.req("AG-1")
def test_a_writer_that_dies_anywhere_and_comes_again_counts_its_page_once() -> None:
    first, second = page(1, [{"n": 1}, {"n": 2}]), page(2, [{"n": 2}, {"n": 3}])
    clean = DyingTable()
    ExtractionAggregator(clean).add(first)
    for dies_at in range(1, clean.calls + 1):
        table = DyingTable()
        table.dies_at = dies_at
        aggregator = ExtractionAggregator(table)
        with pytest.raises(ConnectionError):
            aggregator.add(first)
        aggregator.add(second)
        assert aggregator.add(first) == "3 unique products from 2 pages", f"died at call {dies_at}"
        assert len(list(aggregator.all_records())) == 3


@pytest.mark.req("AG-1")
def test_sums_stay_small_and_right_over_many_pages() -> None:
    table = MemoryTable()
    aggregator = ExtractionAggregator(table)
    for number in range(700):
        aggregator.add(page(number, [{"n": number}]))
    aggregator.add(page(3, [{"n": 3}, {"n": "more"}]))
    assert aggregator.summary == "701 unique products from 700 pages"
    sums = table.query("AGG#default#default", prefix="SUMMARY#").items
    assert len(sums) == 16
    assert max(len(json.dumps(item.data)) for item in sums) < 5_000
