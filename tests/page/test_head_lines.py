"""The lines over runs of units: whatever their tag, they head the units behind them and no others."""

import pytest
from gleaner.page.head_lines import head_spans
from gleaner.page.opening import open_page

DAYS = ("July 5, 2024", "June 28, 2024", "June 21, 2024")


def cases(day: int, markup: str) -> str:
    return "".join(markup.format(name=f"Smith{day}{at}", number=f"S-2{day}-{at}") for at in range(3))


def runs(run: str, markup: str) -> str:
    return "".join(run.format(day=day, cases=cases(at, markup)) for at, day in enumerate(DAYS))


HEAD = "<tr><th>Case Number<th>Title"
ROW = "<tr><td>{number}<td>{name} v. State"
CARD = "<div class=card><b>{name}</b> <span>{number}</span></div>"
ITEM = "<li><b>{name}</b> <span>{number}</span>"
TABLE = f"<table>{HEAD}{{cases}}</table>"
FORMS = {
    **{
        tag: runs(f"<{tag}>{{day}}</{tag}>{TABLE}", ROW)
        for tag in ("h3", "p", "div", "time", "span", "strong", "section")
    },
    "a paragraph with a word more": runs(f"<p>Filed: {{day}}</p>{TABLE}", ROW),
    "a caption": runs(f"<table><caption>{{day}}</caption>{HEAD}{{cases}}</table>", ROW),
    "a row over rows": f"<table>{HEAD}{runs('<tr><td colspan=2>{day}{cases}', ROW)}</table>",
    "a row over rows of a table without heads": f"<table>{runs('<tr><td colspan=2><b>{day}</b>{cases}', ROW)}</table>",
    "a summary": runs("<details open><summary>{day}</summary><ul>{cases}</ul></details>", ITEM),
    "a legend": runs("<fieldset><legend>{day}</legend>{cases}</fieldset>", CARD),
    "an item of the same list": f"<ul>{runs('<li class=day>{day}{cases}', ITEM)}</ul>",
    "a group of its own": runs("<div class=group><div class=day>{day}</div>{cases}</div>", CARD),
    "a list in an item": f"<ol>{runs('<li><h2>{day}</h2><ol>{cases}</ol>', ITEM)}</ol>",
}


@pytest.mark.req("PR-5")
@pytest.mark.parametrize("form", FORMS)
def test_a_line_over_each_run_of_units_heads_these_and_no_others(form: str) -> None:
    page = open_page(f"<h1>Opinions</h1>{FORMS[form]}<p>Set in Oslo.</p>")
    found = {day: [] for day in DAYS}
    for start, end, last in head_spans(page):
        day = next((day for day in DAYS if day in page.text[start:end]), None)
        if day is not None:
            found[day].append(page.text[end:last])
    for at, day in enumerate(DAYS):
        longest = max(found[day], key=len)
        assert all(f"Smith{at}{one}" in longest for one in range(3))
        assert not any(f"Smith{other}" in longest for other in range(3) if other != at)


@pytest.mark.req("PR-5")
@pytest.mark.parametrize(
    "markup",
    [
        "<div class=card><b>{name}</b> <span>{number}</span></div><p class=note>Appealed</p>",
        "<div class=card><b>{name}</b> <span>{number}</span></div><hr>",
    ],
)
def test_what_stands_behind_each_unit_heads_none(markup: str) -> None:
    page = open_page(f"<div>{cases(1, markup)}</div>")
    cards = {unit.group for unit in page.units if unit.kind == "card"}
    assert cards
    assert not any(head.group in cards for head in page.head_lines)


@pytest.mark.req("PR-5")
def test_what_sums_up_a_run_heads_none() -> None:
    page = open_page(runs(f"<table>{HEAD}{{cases}}<tr><td colspan=2>3 cases of {{day}}</table>", ROW))
    assert not any("3 cases" in page.text[start:end] for start, end, _ in head_spans(page))
