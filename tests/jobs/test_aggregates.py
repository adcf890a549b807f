"""An aggregate holds each record once, whoever adds it and however often."""

import csv
import io
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.adapters.local.sqlite import SqliteTable
from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.models import ExtractionResult, ProvenanceEntry, ScrapeResult
from gleaner.contracts.ports import JsonValue
from gleaner.jobs.aggregates import ExtractionAggregator, records_of
from gleaner.results.exports import read_cell, to_csv, to_json_array, to_ndjson
from gleaner.results.records import columns_of, marked_records
from gleaner.wrappers.book import RecipeBook
from hypothesis import given
from hypothesis import strategies as st

from tests.support.schemas import INTEGER, list_of, object_of

SCHEMA = object_of(products=list_of(object_of(n=INTEGER)))


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
    whole = aggregator.aggregate()
    assert whole.data == [{"n": n} for n in range(40)]
    assert (whole.schema_used, whole.completeness.returned, whole.aggregate_summary) == (SCHEMA, 40, said)


@pytest.mark.req("AG-1", "AU-1")
def test_no_letters_of_a_tenants_name_reach_anothers_aggregate_or_recipes() -> None:
    table = MemoryTable()
    for tenant, extraction_id in (("a", "b#c"), ("a#b", "c"), ("a%23b", "c")):
        ExtractionAggregator(table, extraction_id, tenant).add(page(1, [{"n": len(tenant)}]))
        assert ExtractionAggregator(table, extraction_id, tenant).summary == "1 unique products from 1 page"
    assert len({RecipeBook(table, tenant)._partition(one) for tenant, one in (("a", "b#c"), ("a#b", "c"))}) == 2


@pytest.mark.req("AG-1")
def test_records_seen_before_are_not_counted_again() -> None:
    aggregator = ExtractionAggregator()
    aggregator.add(page(1, [{"n": 1}, {"n": 2}, {"n": 2}]))
    aggregator.add(page(2, [{"n": 2}, {"n": 3}]))
    assert aggregator.summary == "3 unique products from 2 pages; 2 more are the same as one of these"
    assert aggregator.counts()["equal"] == 2


@pytest.mark.req("AG-1")
def test_adding_a_page_twice_changes_nothing() -> None:
    aggregator = ExtractionAggregator()
    for _ in range(3):
        aggregator.add(page(1, [{"n": 1}, {"n": 2}]))
    assert aggregator.summary == "2 unique products from 1 page"
    assert [len(item["pages"]) for item in aggregator.all_items()] == [1, 1]


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
    seen: list[list[int]] = []
    after = None
    while True:
        items, after = aggregator.records(limit=10, after=after)
        seen.append([item["record"]["n"] for item in items])
        if after is None:
            break
    assert seen == [[*range(10)], [*range(10, 20)], [*range(20, 25)]]


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
    assert aggregator.summary == "21 unique products from 12 pages; 99 more are the same as one of these"
    table.close()


@pytest.mark.req("AG-1")
@given(st.lists(st.dictionaries(st.text(min_size=1), st.text(), min_size=1, max_size=4), max_size=8))
def test_csv_and_ndjson_hold_every_value(records: list[dict[str, str]]) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(to_csv(records)), newline="")))
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        read = {read_cell(name): read_cell(cell) for name, cell in row.items()}
        assert {name: read[name] for name in record} == record
    assert [json.loads(line) for line in to_ndjson(records)] == records


def gathered(*pages: ExtractionResult, **rule: Any) -> ExtractionAggregator:
    aggregator = ExtractionAggregator(**rule)
    for one in pages:
        aggregator.add(one)
    assert aggregator.counts()["records"] == len(list(aggregator.all_records()))
    return aggregator


@pytest.mark.req("AG-1")
@given(st.lists(st.tuples(st.integers(1, 3), st.lists(st.integers(0, 5), max_size=4)), max_size=8))
def test_the_sums_are_those_of_the_records_whatever_pages_change_to(pages: list[tuple[int, list[int]]]) -> None:
    aggregator = gathered(*(page(number, [{"n": n} for n in records]) for number, records in pages))
    unique = {n for _, records in pages for n in records}
    assert sorted(record["n"] for record in aggregator.all_records()) == sorted(unique)
    assert aggregator.counts()["records"] == len(unique)
    assert aggregator.counts()["pages"] == len({number for number, _ in pages})


@pytest.mark.req("AG-1")
@pytest.mark.parametrize(
    ("records", "kept"),
    [
        ([{"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}], 1),
        ([{"a": 1}, {"a": 1.0}], 1),
        ([{"a": 1}, {"a": "1"}, {"a": True}, {"a": None}, {}], 5),
        ([1, "1", True, None, "", [], [1]], 7),
        ([{"a": [1, 2]}, {"a": [2, 1]}], 2),
        ([{"a": "x"}, {"a": "x "}], 2),
        ([{"a": "\ud800"}, {"a": "\0"}], 2),
    ],
)
def test_records_are_the_same_when_their_json_is(records: list[Any], kept: int, tmp_path: Path) -> None:
    table = SqliteTable(tmp_path / "gleaner.db")
    aggregator = gathered(page(1, records), page(2, records[::-1]), table=table)
    assert aggregator.counts()["records"] == kept
    assert "".join(to_ndjson(aggregator.all_records())).count("\n") == kept
    table.close()


@pytest.mark.req("AG-1")
def test_records_without_any_of_the_key_fields_are_not_taken_for_one() -> None:
    records = [{"a": 1}, {"a": 2, "n": None}, {"n": 7}, {"n": 7, "a": 3}, 7, [7]]
    assert gathered(page(1, records), dedupe="keys", dedupe_keys=["n"]).counts()["records"] == 5


@pytest.mark.req("AG-1")
def test_a_record_that_is_found_again_by_its_keys_gets_the_fields_that_it_lacked() -> None:
    pages = [
        page(1, [{"n": 1, "price": None}]),
        page(2, [{"n": 1, "price": 6, "size": "L"}]),
        page(3, [{"n": 1, "price": 9}]),
    ]
    together = page(1, [record for one in pages for record in one.data["products"]])
    for found in (pages, [together]):
        aggregator = gathered(*found, dedupe="keys", dedupe_keys=["n"])
        assert list(aggregator.all_records()) == [{"n": 1, "price": 6, "size": "L"}]


@pytest.mark.req("AG-1")
def test_without_a_rule_of_sameness_each_record_of_each_page_is_kept() -> None:
    table = MemoryTable()
    ExtractionAggregator(table, dedupe="none").add(page(1, [{"n": 1}, {"n": 1}]))
    assert ExtractionAggregator(table).add(page(2, [{"n": 1}, {"n": 1}])) == "4 unique products from 2 pages"
    assert ExtractionAggregator(table).add(page(2, [{"n": 1}, {"n": 1}])) == "4 unique products from 2 pages"


@pytest.mark.req("AG-1")
def test_an_aggregate_of_more_records_than_are_read_at_a_time_is_whole_and_is_deleted_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gleaner.jobs.aggregates.ITEMS_AT_ONCE", 3)
    aggregator = gathered(page(1, [{"n": n} for n in range(8)]))
    assert [record["n"] for record in aggregator.all_records()] == [*range(8)]
    assert not aggregator.delete(most=2)
    assert len(list(aggregator.all_records())) >= 6
    assert aggregator.delete()
    assert aggregator.counts() == {"pages": 0, "records": 0, "equal": 0}
    assert list(aggregator.all_records()) == []


@pytest.mark.req("AG-1")
def test_a_record_of_many_pages_names_some_of_them_and_records_without_a_name_are_called_so() -> None:
    aggregator = ExtractionAggregator()
    for number in range(60):
        said = aggregator.add(ExtractionResult(data=[{"n": 1}], source_url=f"https://shop.example/{number}"))
        if number == 0:
            assert said == "1 unique record from 1 page"
    assert [len(item["pages"]) for item in aggregator.all_items()] == [50]


@pytest.mark.req("AG-1")
def test_the_rule_that_an_aggregate_was_begun_with_holds_for_pages_that_name_none() -> None:
    table = MemoryTable()
    ExtractionAggregator(table, dedupe="keys", dedupe_keys=["n"]).add(page(1, [{"n": 1, "price": 5}]))
    said = ExtractionAggregator(table).add(page(2, [{"n": 1, "price": 6}]))
    assert said == "1 unique products from 2 pages; 1 more is the same as one of these"
    own = ExtractionAggregator(table, dedupe="exact")
    assert own.add(page(3, [{"n": 1, "price": 7}])).startswith("2 unique products from 3 pages; 1 more")


@pytest.mark.req("AG-1")
def test_results_without_a_url_are_told_apart_by_their_records() -> None:
    first, second = ExtractionResult(data=[{"n": 1}, {"n": 2}]), ExtractionResult(data=[{"n": 2}, {"n": 3}])
    assert gathered(first, second, first).summary == "3 unique records from 2 pages; 1 more is the same as one of these"
    assert gathered(first, second, first, dedupe="none").summary == "4 unique records from 2 pages"


@pytest.mark.req("AG-1")
def test_what_a_scrape_gives_can_be_added_as_it_is() -> None:
    aggregator = ExtractionAggregator()
    scraped = ScrapeResult(status="complete", job_id="1", url="https://shop.example", extraction=page(1, [{"n": 1}]))
    assert aggregator.add(scraped) == "1 unique products from 1 page"
    with pytest.raises(InvalidRequest, match="has no extraction"):
        aggregator.add(scraped.model_copy(update={"extraction": None}))


DEEP = {"type": "object", "properties": {"shop": SCHEMA}}


@pytest.mark.req("AG-1")
@pytest.mark.parametrize(
    ("data", "schema", "expected"),
    [
        ({"shop": {"products": [{"n": 1}, {"n": 2}]}}, DEEP, ([{"n": 1}, {"n": 2}], "products")),
        ({"shop": {}}, DEEP, ([], "products")),
        ({"products": None}, SCHEMA, ([], "products")),
        ({"products": [{"n": 1}]}, None, ([{"n": 1}], "products")),
        ({"products": [{"n": 1}], "page": 2}, None, ([{"n": 1}], "products")),
        (
            {"n": 1, "sizes": ["L"], "colours": ["red"]},
            None,
            ([{"n": 1, "sizes": ["L"], "colours": ["red"]}], "records"),
        ),
        ({"n": 1}, {"type": "object", "properties": {"n": {"type": "integer"}}}, ([{"n": 1}], "records")),
        ([1, 2], None, ([1, 2], "records")),
        ("in words", None, (["in words"], "records")),
        (None, SCHEMA, ([], "records")),
        ({}, SCHEMA, ([], "products")),
    ],
)
def test_the_records_of_a_result_are_found_where_its_schema_says(data: Any, schema: Any, expected: Any) -> None:
    assert records_of(ExtractionResult(data=data, schema_used=schema)) == expected


@pytest.mark.req("AG-1")
def test_csv_has_the_fields_of_the_schema_then_those_of_every_page_and_a_column_for_what_is_no_object() -> None:
    aggregator = gathered(page(1, [{"b": 1}]), page(2, [{"a": "x", "b": [1, {"c": 2}]}, 5, {}]))
    assert aggregator.columns == ["n", "b", "a", "value"]
    rows = list(csv.reader(io.StringIO("".join(to_csv(aggregator.all_records(), aggregator.columns)), newline="")))
    assert [row[0] for row in rows] == ["n", "", "", "", ""]
    found = [row[1:] for row in rows]
    assert found == [["b", "a", "value"], ["1", "", ""], ['[1, {"c": 2}]', "x", ""], ["", "", "5"], ["", "", ""]]
    assert [*csv.reader("".join(to_csv(aggregator.all_records())).splitlines())] == found
    assert "".join(to_csv([])) == "value\r\n"


@pytest.mark.req("AG-1")
@pytest.mark.parametrize("schema", [{"type": "array", "items": {"$ref": "https://e.example/other"}}, True, None])
def test_records_whose_schema_names_no_fields_have_the_columns_that_they_have(schema: Any) -> None:
    assert columns_of(ExtractionResult(data=[{"b": 1}, {"a": 2}], schema_used=schema)) == ["b", "a"]


@pytest.mark.req("AG-1")
def test_exports_are_written_while_records_are_read() -> None:
    read = 0

    def endless() -> Iterator[JsonValue]:
        nonlocal read
        while True:
            read += 1
            yield {"n": read}

    for lines in (to_ndjson(endless()), to_json_array(endless()), to_csv(endless(), ["n"])):
        read = 0
        assert sum(1 for _ in zip(range(10), lines, strict=False)) == 10
        assert read <= 11


@pytest.mark.req("AG-1")
def test_a_page_of_records_ends_at_its_bytes_and_goes_on_after_them() -> None:
    aggregator = gathered(page(1, [{"n": n, "text": "x" * 100} for n in range(25)]))
    seen: list[int] = []
    after = None
    while True:
        items, after = aggregator.records(limit=10, after=after, max_bytes=700)
        assert len(items) in (3, 1)
        seen += [item["record"]["n"] for item in items]
        if after is None:
            break
    assert seen == list(range(25))


@pytest.mark.req("AG-1")
def test_a_record_that_is_larger_than_a_page_of_them_comes_alone() -> None:
    aggregator = gathered(page(1, [{"n": n} for n in range(3)]))
    first, after = aggregator.records(max_bytes=1)
    assert ([item["record"] for item in first], after is None) == ([{"n": 0}], False)


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


class OvertakenTable(MemoryTable):
    """A table in which somebody else writes right before one of the calls."""

    def __init__(self, at: int = 0) -> None:
        super().__init__()
        self.calls, self.at = 0, at
        self.other: Callable[[], object] = lambda: None

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.at:
            self.other()

    def get(self, *arguments: Any) -> Any:
        self._count()
        return super().get(*arguments)

    def get_many(self, *arguments: Any) -> Any:
        self._count()
        return super().get_many(*arguments)

    def put(self, *arguments: Any, **named: Any) -> Any:
        self._count()
        return super().put(*arguments, **named)

    def put_new(self, *arguments: Any) -> Any:
        self._count()
        return super().put_new(*arguments)


@pytest.mark.req("AG-1")
@pytest.mark.parametrize("again", [2, 1])
def test_a_writer_that_is_overtaken_at_any_of_its_calls_loses_nothing(again: int) -> None:
    first, second = page(1, [{"n": 1}, {"n": 2, "p": None}]), page(again, [{"n": 2, "p": 5}, {"n": 3}])
    rule: Any = {"dedupe": "keys", "dedupe_keys": ["n"]}
    clean = OvertakenTable()
    ExtractionAggregator(clean, **rule).add(first)
    for at in range(1, clean.calls + 1):
        table = OvertakenTable(at)
        aggregator = ExtractionAggregator(table, **rule)
        table.other = lambda: ExtractionAggregator(table, **rule).add(second)  # noqa: B023 (called before the next turn)
        aggregator.add(first)
        assert aggregator.counts() == {"pages": again, "records": 3, "equal": again - 1, "noun": "products"}, (
            f"overtaken at call {at}"
        )
        found = {item["record"]["n"]: item for item in aggregator.all_items()}
        assert found[2]["record"] == {"n": 2, "p": 5}
        assert len(found[2]["pages"]) == again


@pytest.mark.req("AG-1")
def test_a_page_whose_writer_died_is_counted_once_however_many_came_since() -> None:
    urls = [f"https://shop.example/{number}" for number in range(900)]
    of_one_sum = [url for url in urls if digest_of(url).startswith("0")][:34]
    late, *others = (ExtractionResult(data=[{"url": url}], source_url=url) for url in of_one_sum)
    clean = DyingTable()
    ExtractionAggregator(clean).add(late)
    for before_the_end in range(4):
        table = DyingTable()
        table.dies_at = clean.calls - before_the_end
        aggregator = ExtractionAggregator(table)
        with pytest.raises(ConnectionError):
            aggregator.add(late)
        for one in others:
            aggregator.add(one)
        aggregator.add(late)
        assert aggregator.counts() == {"pages": 34, "records": 34, "equal": 0, "noun": "records"}, (
            f"died at call {table.dies_at}"
        )


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
        said = aggregator.add(first)
        assert said == "3 unique products from 2 pages; 1 more is the same as one of these", f"died at call {dies_at}"
        assert len(list(aggregator.all_records())) == 3


@pytest.mark.req("AG-1")
@pytest.mark.parametrize("rule", [{}, {"dedupe": "keys", "dedupe_keys": ["n"]}, {"dedupe": "none"}])
def test_a_writer_that_dies_while_it_adds_a_changed_page_and_comes_again_counts_it_right(rule: Any) -> None:
    first, changed = page(1, [{"n": 1, "p": 1}, {"n": 2}]), page(1, [{"n": 3}, {"n": 1, "p": None}, {"n": 4}])
    dies_at = 0
    while True:
        dies_at += 1
        table = DyingTable()
        aggregator = ExtractionAggregator(table, **rule)
        aggregator.add(first)
        table.calls, table.dies_at = 0, dies_at
        try:
            aggregator.add(changed)
        except ConnectionError:
            aggregator.add(changed)
        else:
            break
        kept = len(list(aggregator.all_records()))
        sums = {"pages": 1, "records": kept, "equal": 0, "noun": "products"}
        assert aggregator.counts() == sums, f"died at call {dies_at}"
        assert kept == (4 if rule.get("dedupe") == "keys" else 5)
    assert dies_at > 10


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


@pytest.mark.req("AG-1")
def test_where_to_go_on_can_stand_in_a_url_and_another_place_is_refused() -> None:
    aggregator = ExtractionAggregator()
    aggregator.add(page(1, [{"n": n} for n in range(5)]))
    _, after = aggregator.records(limit=2)
    assert after is not None
    assert not set("#?&%/ ") & set(after)
    for other in ("RECORD", "zzz", after[:5]):
        with pytest.raises(InvalidRequest, match=f"after: '{other}'"):
            aggregator.records(after=other)


def kept_without_proof(page: str, *unproven: str) -> ExtractionResult:
    entries = [ProvenanceEntry(pointer=pointer, status="ungrounded") for pointer in unproven]
    data = {"jugs": [{"name": "Fern", "price": 5}, {"name": "Moss", "price": 6}]}
    schema: dict[str, Any] = {"properties": {"jugs": {"type": "array", "items": {}}}}
    return ExtractionResult(data=data, schema_used=schema, source_url=page, provenance=entries)


@pytest.mark.req("PR-2", "AG-1")
def test_a_value_without_proof_is_marked_in_every_export_until_a_page_proves_it() -> None:
    first = kept_without_proof("https://a.example/1", "/jugs/1/price", "/jugs/0/colour")
    plain = records_of(first)[0]
    marked = [{"name": "Fern", "price": 5}, {"name": "Moss", "price": 6, "_unproven": ["/price"]}]
    assert marked_records(first) == marked
    aggregator = ExtractionAggregator(MemoryTable(), "ex")
    aggregator.add(first)
    assert [*aggregator.exported_records()] == marked
    assert [*aggregator.all_records()] == plain
    whole = aggregator.aggregate()
    assert [(one.pointer, one.status) for one in whole.provenance] == [("/1/price", "ungrounded")]
    csv_text = "".join(to_csv(aggregator.exported_records(), aggregator.columns))
    assert csv_text.splitlines() == ["name,price,_unproven", "Fern,5,", 'Moss,6,"[""/price""]"']
    aggregator.add(kept_without_proof("https://a.example/2", "/jugs/0/price"))
    assert [*aggregator.exported_records()] == plain
