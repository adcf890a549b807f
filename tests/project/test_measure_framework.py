"""The yardstick itself: what counts as worse, which layouts are held out, how rows are made and shown."""

from pathlib import Path
from typing import Any

import pytest
from layouts.split import HeldOut, designs_of, held_out, refuse_held_out
from measure import report
from measure.__main__ import compare, is_held, main
from measure.cases import json_in
from measure.counting import Figure, Tally, count, ratio, rows_of, rows_over_all, tallies
from measure.counting import share as share_of
from measure.rows import Context, Row, share
from measure.suites import SUITES, is_job, jobs_of, run
from small_pages import SMALL_PAGES


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
    assert "no such suite: recordet; there are pages, recorded" in capsys.readouterr().err


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


FIGURES = (
    Figure("lost", "values lost", "per 1,000", "lower", 1.0, share_of("lost", "values", of=1000)),
    Figure("calls", "calls", "ratio", "lower", 0.05, ratio("calls", "pages")),
    Figure("wrong", "wrong answers", "count", "lower", 0, count("wrong", "pages"), "sum", is_drawn=True),
)


def test_a_corpus_has_a_row_for_each_figure_and_all_corpora_count_the_same() -> None:
    sums = {
        ("courts", "develop"): Tally(lost=2, values=100, calls=3, pages=2, wrong=1),
        ("layouts", "develop"): Tally(values=1000, pages=4, calls=4, wrong=2),
        ("layouts", "check"): Tally(lost=1, values=10, pages=1),
    }
    rows = {row.id: row for row in rows_of(FIGURES, sums, ["courts", "layouts", "tables"], quick=True)}
    assert (rows["courts.lost"].value, rows["courts.lost"].of) == (20.0, "2 of 100 values")
    assert (rows["layouts.lost"].value, rows["layouts.lost"].check) == (0.0, 100.0)
    assert rows["tables.lost"].value is None and rows["tables.lost"].note
    assert [rows[f"{name}.calls"].is_fitted for name in ("courts", "layouts")] == [False, True]
    over_all = {row.id: row.value for row in rows_over_all(FIGURES, [*rows.values()])}
    assert over_all == {"all.lost": 10.0, "all.calls": 1.25, "all.wrong": 3.0}


def test_few_drawn_faults_hold_a_ratchet_over_all_corpora_alone_and_times_never() -> None:
    sums = {("courts", "develop"): Tally(wrong=1, pages=2)}
    quick, whole = ([*rows_of(FIGURES, sums, ["courts"], quick=one)][-1] for one in (True, False))
    assert (is_held(quick), is_held(whole)) == (False, True)
    assert all(map(is_held, rows_over_all(FIGURES, [quick])))
    assert not is_held(Row("a.b", "a time", 1.0, "s", "lower", 1.0))


def test_a_case_that_fails_is_noted_and_not_counted() -> None:
    context = Context(None, quick=True)
    page = SMALL_PAGES[0]
    from measure.cases import read_cases

    cases = [*read_cases(context, "own")][:2]
    sums = tallies(context, cases, lambda case: Tally(pages=1) if case.name == page.name else Tally(pages=1 // 0))
    assert sums == {("own", "develop"): {"pages": 1}}
    assert len(context.notes) == 1 and "ZeroDivisionError" in context.notes[0]


def test_the_suite_of_pages_is_a_job_for_each_corpus() -> None:
    jobs = [*jobs_of(SUITES)]
    assert {"pages:courts", "pages:own", "recorded"} <= {*jobs}
    assert all(map(is_job, [*jobs, "pages"]))
    assert not is_job("pages:nowhere")
    assert json_in("Sure:\n```json\n[1]\n```") == [1]


def test_a_matrix_has_a_column_for_each_corpus_and_names_what_is_fitted() -> None:
    sums = {("courts", "develop"): Tally(values=10, lost=1), ("layouts", "develop"): Tally(values=10)}
    lines = report.matrix([*rows_of(FIGURES[:1], sums, ["courts", "layouts"], quick=False)]).splitlines()
    assert lines[0] == "| | | court lists | generated layouts * | held out |"
    assert lines[2] == "| values lost, per 1,000 | ↓ | 100.0 | 0.0 |  |"
    assert lines[-1].startswith("\\* ")
    assert report.matrix([row(1.0)]) == ""


def test_each_small_page_has_a_name_of_its_own_and_states_its_truth() -> None:
    from measure.cases import read_cases
    from measure.comparing import leaves

    cases = [*read_cases(Context(None), "own")]
    assert len({case.name for case in cases}) == len(cases) == len(SMALL_PAGES)
    derived = {"times and votes", "value not available", "reference marks in a text"}
    for case in cases:
        unstated = [pointer for pointer, value in leaves(case.truth) if not case.text.states(value)]
        assert case.name in derived or not unstated, (case.name, unstated)


def test_a_table_says_which_way_is_up_and_a_dash_for_what_was_not_measured(tmp_path: Path) -> None:
    lines = report.table([row(12.345), row(None)]).split("\n")
    assert "12.3 %" in lines[2]
    assert "–" in lines[3]
    assert (share(1, 4), share(1, 0)) == (25.0, None)
    context = Context(tmp_path)
    context.note("x/1", ValueError("broken"))
    assert context.cases("none") == []
    assert context.notes == ["x/1: ValueError: broken", "none: this folder is missing in the corpus"]


def test_a_note_names_no_layout_that_is_held_out() -> None:
    context = Context(None)
    for case in (name := min(held_out()), f"faults on {name}", "boats"):
        context.note(case, "fails")
    assert context.notes == ["a held-out layout: fails", "a held-out layout: fails", "boats: fails"]
