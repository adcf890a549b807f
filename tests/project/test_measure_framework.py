"""The yardstick itself: what counts as worse, which layouts are held out, how a recorded answer is replayed."""

import json
from pathlib import Path
from typing import Any

import pytest
from layouts.split import HeldOut, designs_of, held_out, refuse_held_out
from measure import report
from measure.__main__ import compare, main
from measure.replay import Replay, json_in
from measure.rows import Context, Row, share
from measure.suites import run
from measure.values import PageText, fate_of, first_choice, folded, key_of


def row(value: float | None, better: Any = "lower", tolerance: float = 0.5) -> Row:
    return Row("a.b", "a thing", value, "%", better, tolerance)


@pytest.mark.parametrize(
    ("now", "better", "is_worse"),
    [(10.4, "lower", False), (10.6, "lower", True), (3, "lower", False), (9.6, "higher", False), (9.4, "higher", True)],
)
def test_a_figure_may_get_worse_by_its_tolerance_and_no_more(now: float, better: str, is_worse: bool) -> None:
    known: dict[str, dict[str, float | None]] = {"a.b": {"value": 10.0, "tolerance": 0.5}}
    assert bool(compare([row(now, better)], known)) is is_worse


def test_a_figure_that_is_gone_is_worse_and_named() -> None:
    known: dict[str, dict[str, float | None]] = {"a.b": {"value": 10.0, "tolerance": 0.5}}
    assert compare([row(None)], known) == ["a.b: was 10, could not be measured now"]
    assert compare([], known) == ["a.b: was 10, could not be measured now"]


def test_a_suite_that_breaks_is_named_and_gives_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    from measure import inventions

    monkeypatch.setattr(inventions, "inventions", lambda: 1 / 0)
    name, rows, notes, _ = run("inventions", None, quick=True, seed=1)
    assert (name, rows) == ("inventions", [])
    assert notes[0].startswith("FAILED inventions")
    assert "ZeroDivisionError" in notes[0]


def test_an_unknown_suite_is_refused_with_the_ones_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["recordet"])
    assert "no such suite: recordet; there are recorded" in capsys.readouterr().err


def test_the_check_part_of_the_layouts_is_opened_by_the_measurement_alone() -> None:
    with pytest.raises(HeldOut):
        designs_of("check")
    with pytest.raises(HeldOut):
        refuse_held_out([next(iter(held_out()))])
    developed = {design.name for design in designs_of("develop")}
    checked = {design.name for design in designs_of("check", is_measurement=True)}
    assert not developed & checked
    assert checked == held_out()
    assert 0.58 < len(developed) / len(developed | checked) < 0.62


def test_a_replayed_answer_holds_the_records_that_the_prompt_shows_and_names_the_pieces_without_one() -> None:
    model = Replay([{"name": "Larch jug", "price": 3}, {"name": "Fir bowl", "price": 4}])
    prompt = "<<<PAGE ab>>>\n[#3]\n**Larch jug** $3\n[#4]\nImprint\n<<<END ab>>>"
    assert json.loads(model(prompt)) == {"data": [{"name": "Larch jug", "price": 3}], "skipped": [4]}
    thing = Replay({"name": "Larch jug", "tags": ["a"]})
    assert json.loads(thing("nothing of it")) == {"data": {"name": "Larch jug", "tags": ["a"]}}
    assert json_in("Sure:\n```json\n[1]\n```") == [1]


@pytest.mark.parametrize(
    ("value", "is_stated"),
    [
        ("Larch Jug", True),
        ("jug", True),
        ("ug", False),
        (1299.5, True),
        ("1.299,50", True),
        (1299, False),
        (True, False),
    ],
)
def test_what_stands_on_a_page_is_a_run_of_whole_words_or_a_number(value: Any, is_stated: bool) -> None:
    assert PageText.of("| **Larch** jug | $1,299.50 |").states(value) is is_stated


def test_values_that_are_gone_are_told_from_those_that_are_others() -> None:
    page = PageText.of("Larch jug 3 blue. Fir bowl 4 red.")
    right = [{"name": "Larch jug", "price": 3, "colour": "blue"}, {"name": "Fir bowl", "price": 4, "colour": "red"}]
    found = [{"name": "Fir bowl", "price": None, "colour": "red"}, {"name": "Larch jug", "price": 3, "colour": "green"}]
    fate = fate_of(right, found, page)
    assert (fate.nulled, fate.wrong, fate.lost) == (["/1/price"], ['/0/colour: "green"'], 0)
    assert fate_of(right, found[:1], page).lost == 1


def test_of_a_truth_with_choices_the_one_on_the_page_is_taken() -> None:
    choices = {"brand": {"$any": ["ACME Inc", "Acme"]}}
    assert first_choice(choices, PageText.of("by Acme")) == {"brand": "Acme"}
    assert first_choice(choices) == {"brand": "ACME Inc"}
    assert (key_of({"url": "https://a.example/long", "name": "Jug"}), folded("**A**  b")) == ("jug", "a b")


def test_a_table_says_which_way_is_up_and_a_dash_for_what_was_not_measured(tmp_path: Path) -> None:
    lines = report.table([row(12.345), row(None)]).split("\n")
    assert "12.3 %" in lines[2]
    assert "–" in lines[3]
    assert (share(1, 4), share(1, 0)) == (25.0, None)
    context = Context(tmp_path)
    context.note("x/1", ValueError("broken"))
    assert (context.notes, context.cases("none")) == (["x/1: ValueError: broken"], [])


def test_a_note_names_no_layout_that_is_held_out() -> None:
    context = Context(None)
    for case in (name := min(held_out()), f"faults on {name}", "boats"):
        context.note(case, "fails")
    assert context.notes == ["a held-out layout: fails", "a held-out layout: fails", "boats: fails"]
