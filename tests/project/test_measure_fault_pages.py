"""Faults, losses and harm: how answers are spoilt, what is counted of what comes out, and what it is weighed as."""

from dataclasses import replace
from typing import Any

import pytest
from measure.answering import Reader
from measure.asking import PAID_TIERS, fate_of, installation
from measure.cases import Case, read_cases
from measure.counting import Tally
from measure.fault_pages import FAULT_FIGURES, SPOILT_RECORDS, count_faults, served_by_kind, spoilt_answers
from measure.faults import FAULTS
from measure.harm import harm
from measure.losses import count_losses
from measure.pages import measure
from measure.rows import Context
from measure.strengths import absent_pages, count_list, swapped_days
from measure.truths import count_truth

from tests.support.schemas import MAYBE_INTEGER, NUMBER, TEXT, object_of

NAMES = ("Fern bowl", "Slate jug", "Reed basket", "Clay oven", "Birch ladle", "Wool rug", "Iron hook", "Glass bell")
RECORDS: list[dict[str, Any]] = [
    {"name": name, "price": 12.5 + at, "grams": 300 + 7 * at, "made": f"2031-05-{at + 10}"}
    for at, name in enumerate(NAMES)
]
ITEM = object_of(
    "name", "price", name=TEXT, price=NUMBER, grams=MAYBE_INTEGER, made={"type": ["string", "null"], "format": "date"}
)


def shop(**changes: Any) -> Case:
    rows = "".join(
        f"<tr><td>{r['name']}</td><td>${r['price']:.2f}</td><td>{r['grams']}</td><td>{r['made']}</td></tr>"
        for r in RECORDS
    )
    head = "<tr><th>Name</th><th>Price</th><th>Grams</th><th>Made</th></tr>"
    html = f"<h1>Shop</h1><table>{head}{rows}</table>"
    schema = {"type": "array", "items": ITEM}
    made = Case("own", "shop", "shop", html, "https://shop.example/", schema, None, RECORDS)
    return replace(made, **changes)


def test_an_answer_is_spoilt_in_a_quarter_of_its_records_and_names_the_fault_of_each_value() -> None:
    answers = [*spoilt_answers(shop(), 1)]
    assert {fault for one in answers for fault in one.by.values()} <= {one.name for one in FAULTS}
    for one in answers:
        assert set(one.by) == set(one.change.values)
        if "invented_column" not in one.by.values():
            assert len({at for at, _ in one.by}) <= len(RECORDS) // SPOILT_RECORDS
    assert any("invented_column" in one.by.values() for one in answers)
    assert answers == [*spoilt_answers(shop(), 1)]


def test_the_true_answer_of_a_page_costs_one_call_and_nothing_is_lost() -> None:
    tally = count_truth(shop())
    assert (tally["values"], tally["refused"], tally["spoilt"], tally["partial"]) == (32, 0, 0, 0)
    assert (tally["calls"], tally["needed"], tally["tier0_right"], tally["same_right"]) == (1, 1, 1, 1)
    assert tally["recipe_wrong"] == tally["paging"] == 0
    assert tally["unpaged"] == 1


def test_a_value_that_the_page_does_not_state_is_refused_and_counted_as_such() -> None:
    claimed = shop(wanted=[{**RECORDS[0], "grams": 999}, *RECORDS[1:]])
    tally = count_truth(claimed)
    assert (tally["refused"], tally["refused_complete"], tally["given"]) == (1, 1, 32)


def test_invented_values_are_told_and_the_right_ones_beside_them_come_through() -> None:
    tally = count_faults(shop(), 3, most=9)
    assert tally["tried/invented_value"] >= 1 and tally["served/invented_value"] == 0
    assert (tally["columns"], tally["columns_complete"]) == (1, 0)
    assert tally["beside"] > 60 and tally["collateral"] <= 2
    value, of = FAULT_FIGURES[0].of(tally)
    assert value is not None and value < 60 and of.endswith("values")


def test_records_left_out_are_loud_or_made_good() -> None:
    tally = count_losses(shop(), 1)
    assert (tally["lost"], tally["lost_complete"], tally["unnamed"]) == (2, 0, 0)
    assert (tally["late"], tally["late_complete"]) == (2, 0)
    assert count_losses(shop(is_whole=False), 1) == {}


def test_an_item_left_out_of_a_list_in_a_record_is_counted() -> None:
    (school,) = [case for case in read_cases(Context(None), "own") if case.name == "meetings inside schools"]
    tally = count_losses(school, 1)
    assert tally["items"] == 1


def test_days_are_exchanged_two_by_two_and_told() -> None:
    changes = swapped_days(shop())
    assert changes == {(0, "made"): "2031-05-11", (1, "made"): "2031-05-10"}
    tally = count_list(shop(), 1)
    assert (tally["swapped_days/tried"], tally["swapped_days/served"]) == (2, 0)
    assert (tally["values"], tally["slipped"]) == (32, 0)


def test_a_fact_that_is_always_absent_is_absent_from_every_page() -> None:
    pages = [*absent_pages(1, 5)]
    assert len({page.url for page in pages}) == 5
    assert all(page.truth["guarantee_years"] is None and "uarantee" not in page.html for page in pages)
    assert pages == [*absent_pages(1, 5)]


def test_a_record_is_lost_whole_if_a_required_value_is_refused() -> None:
    claimed = shop(wanted=[{**RECORDS[0], "price": 999.0}, *RECORDS[1:]])
    with installation() as asked:
        result = asked.ask(claimed, Reader(claimed), PAID_TIERS)
    fate = fate_of(claimed, result)
    assert sorted(fate.lost) == [f"/0/{name}" for name in sorted(RECORDS[0])]


def test_harm_weighs_what_is_refused_ten_times_and_what_is_served_five_times() -> None:
    quiet = {f"tried/{one.name}": 1 for one in FAULTS}
    assert harm(Tally(given=1000) + Tally(quiet))[0] == pytest.approx(25)
    served = {f"served/{one.name}": 1 for one in FAULTS}
    assert harm(Tally(given=1000) + Tally(quiet) + Tally(served))[0] == pytest.approx(125)
    assert harm(Tally(given=1000, refused=2, doubted=4) + Tally(quiet))[0] == pytest.approx(25 + 0.975 * 24)
    assert harm(Tally(given=10)) == (None, "")
    assert served_by_kind(Tally({"tried/neighbours_value": 4, "served/neighbours_value": 1})) == {"neighbour": 25.0}


def test_the_rows_are_there_without_a_corpus_and_are_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("measure.pages.read_cases", lambda context, *names: iter([shop()]))
    first, again = (
        {
            row.id: (row.value, row.of, row.note)
            for row in measure(Context(None, quick=True), "own", "courts")
            if row.unit != "s"
        }
        for _ in range(2)
    )
    assert first == again
    assert first["courts.harm"] == (None, "", "no case of this corpus is here")
    assert first["own.refused"][:2] == (0.0, "0 of 32 values")


def test_a_page_that_breaks_is_named_and_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = shop(name="broken", wanted=[{"name": object()}])
    monkeypatch.setattr("measure.pages.read_cases", lambda context, *names: iter([broken, shop()]))
    context = Context(None, quick=True)
    rows = {row.id: row for row in measure(context, "own")}
    assert any(note.startswith("own/broken: ") for note in context.notes)
    assert rows["own.refused"].of == "0 of 32 values"
