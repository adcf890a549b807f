"""Faults on pages: how answers are spoilt, and how what comes out is compared with what went in."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from measure.fault_pages import SPOILT_RECORDS, figures_of, matched, measure, same, spoilt_answers, tally_of
from measure.faults import FAULTS
from measure.rows import Context
from measure.true_pages import GivenAnswer, TruePage, extracted

NAMES = ("Fern bowl", "Slate jug", "Reed basket", "Clay oven", "Birch ladle", "Wool rug", "Iron hook", "Glass bell")
RECORDS = [{"name": name, "price": 12.5 + at, "grams": 300 + 7 * at} for at, name in enumerate(NAMES)]
ITEM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "price": {"type": "number"}, "grams": {"type": ["integer", "null"]}},
    "required": ["name", "price"],
}


def shop() -> TruePage:
    rows = "".join(f"<tr><td>{r['name']}</td><td>${r['price']:.2f}</td><td>{r['grams']}</td></tr>" for r in RECORDS)
    html = f"<h1>Shop</h1><table><tr><th>Name</th><th>Price</th><th>Grams</th></tr>{rows}</table>"
    schema = {"type": "array", "items": ITEM}
    return TruePage("shop", "develop", "list", html, "https://shop.example/", schema, RECORDS, NAMES, {})


def test_a_record_is_known_again_by_the_values_that_are_left_of_it_in_the_same_order() -> None:
    given = [{"a": "x", "b": 1}, {"a": "y", "b": 2}, {"a": "x", "b": 1}, {"a": "z", "b": 4}]
    found = [{"a": "x", "b": 1.0}, {"a": None, "b": 1}, {"a": "z", "b": None}]
    assert matched(given, found) == [0, None, 1, 2]
    assert matched(given, []) == [None] * 4


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [(1, 1.0, True), (True, 1, False), (" a", "a ", True), ("a", "b", False), (None, None, True), (0, None, False)],
)
def test_values_are_the_same_by_what_they_say(one: object, other: object, are_same: bool) -> None:
    assert same(one, other) is are_same


def test_an_answer_is_spoilt_in_a_quarter_of_its_records_and_names_the_fault_of_each_value() -> None:
    page = shop()
    answers = [*spoilt_answers(page, 1)]
    assert {fault for one in answers for fault in one.by.values()} <= {one.name for one in FAULTS}
    for one in answers:
        assert set(one.by) == set(one.change.values)
        if not one.lacks:
            assert len({at for at, _ in one.by}) <= len(RECORDS) // SPOILT_RECORDS
    assert {one.lacks for one in answers} >= {"record_left_out", "list_stops_early", "invented_column"}
    assert answers == [*spoilt_answers(page, 1)]


def test_the_model_gives_the_answers_records_that_stand_in_the_text_it_is_shown() -> None:
    answer = [None if at == 2 else {**one, "price": 1.0} for at, one in enumerate(RECORDS)]
    given = GivenAnswer(shop(), answer)
    told = json.loads(given.answer_to("<<<PAGE ab>>>\nReed basket, Clay oven and a Wool rug\n<<<END ab>>>"))
    assert told["data"] == [{**RECORDS[3], "price": 1.0}, {**RECORDS[5], "price": 1.0}]


def test_records_that_the_first_call_lacks_are_asked_for_and_given() -> None:
    page = shop()
    late = GivenAnswer(page, RECORDS, frozenset({1, 6}))
    result = extracted(page, late)
    assert late.calls == 2
    assert page.unwrapped(result.data) == RECORDS
    stubborn = GivenAnswer(page, [None if at == 1 else one for at, one in enumerate(RECORDS)])
    assert extracted(page, stubborn).is_partial


def test_the_true_answer_is_served_whole_and_an_invented_price_is_not() -> None:
    page = shop()
    figures = figures_of(tally_of(page, 3))
    assert figures["faults.refused.list"] == (0.0, "0 of 24 values")
    assert figures["faults.served.real"] == (None, "0 of 0 values")
    served = figures["faults.served.list"][0]
    assert served is not None and served < 60
    assert figures["faults.claimed"][1].endswith("of 3 results")


def test_the_rows_are_there_without_a_corpus_and_are_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("measure.fault_pages._pages", lambda context: iter([shop()]))
    rows = measure(Context(None, quick=True))
    assert rows == measure(Context(None, quick=True))
    real = next(row for row in rows if row.id == "faults.served.real")
    assert real.value is None and real.note == "no corpus"
    assert 6 <= len(rows) <= 7


def test_a_page_that_breaks_is_named_and_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    page = shop()
    bad = [{"name": object()}]
    broken = TruePage("broken", "develop", "list", page.html, page.url, page.schema, bad, NAMES[:1], {})
    monkeypatch.setattr("measure.fault_pages._pages", lambda context: iter([broken, page]))
    context = Context(None)
    rows = {row.id: row for row in measure(context)}
    assert any(note.startswith("faults on broken: ") for note in context.notes)
    assert rows["faults.refused.list"].of == "0 of 24 values"
