"""A table cell that holds for several rows is a value of each of those rows' records."""

from typing import Any

import pytest
from gleaner.recipes import learn, replay
from gleaner.recipes.page.boxes import open_page, text_of
from gleaner.recipes.page.headers import table_headers
from gleaner.recipes.page.spans import spread_cells

URL = "https://sport.example/fixtures"
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"day": {"type": "string"}, "home": {"type": "string"}, "seats": {"type": "integer"}},
        "required": ["day", "home", "seats"],
    },
}
Days = list[tuple[str, list[tuple[str, int]]]]
FIRST: Days = [
    ("Friday", [("Ajax", 120), ("Genk", 95)]),
    ("Saturday", [("Lyon", 310)]),
    ("Sunday", [("Porto", 42), ("Bern", 67), ("Graz", 88)]),
]
SECOND: Days = [
    ("Monday", [("Turin", 51)]),
    ("Tuesday", [("Leeds", 77), ("Nice", 200), ("Brno", 130), ("Cork", 91)]),
    ("Thursday", [("Riga", 64), ("Oslo", 230)]),
]


def page(days: Days, *, is_last: bool = False) -> str:
    rows: list[str] = []
    for day, matches in days:
        for at, (home, seats) in enumerate(matches):
            span = f' rowspan="{len(matches)}"' if len(matches) > 1 else ""
            cell = f"<td{span}>{day}</td>" if at == 0 else ""
            rest = f"<td>{home}</td><td>{seats}</td>"
            rows.append(f"<tr>{rest}{cell}</tr>" if is_last else f"<tr>{cell}{rest}</tr>")
    names = ["Home", "Seats", "Day"] if is_last else ["Day", "Home", "Seats"]
    head = "".join(f"<th>{name}</th>" for name in names)
    return f"<h1>Fixtures</h1><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def records(days: Days) -> list[Any]:
    return [{"day": day, "home": home, "seats": seats} for day, matches in days for home, seats in matches]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("is_last", [False, True])
def test_a_value_that_holds_for_several_rows_is_learned_and_read(is_last: bool) -> None:
    recipe = learn(page(FIRST, is_last=is_last), URL, SCHEMA, records(FIRST))
    assert recipe is not None
    after = replay(recipe, page(SECOND, is_last=is_last), URL, SCHEMA)
    assert (after.records, after.doubts) == (records(SECOND), ())


def grid(rows: str) -> list[list[str]]:
    root = open_page(f"<table>{rows}</table>")
    return [[text_of(cell) for cell in row] for row in root.iter("tr")]


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "<tr><td rowspan=2>a<td>b<td>1<td>2<td rowspan=0>c<tr><td>d<td>3<td>4<tr><td>e<td>f<td>5<td>6",
            [["a", "b", "1", "2", "c"], ["a", "d", "3", "4", "c"], ["e", "f", "5", "6", "c"]],
        ),
        ("<tr><td>a<td rowspan=2 colspan=2>b<td>c<tr><td>d<td>e", [["a", "b", "c"], ["d", "b", "e"]]),
        ("<tr><td rowspan=99>a<td>b<tr><td>c", [["a", "b"], ["a", "c"]]),
        ("<tr><th rowspan=2>a<th>b<tr><th>c<tr><td>d<td>e", [["a", "b"], ["c"], ["d", "e"]]),
        ("<tr><td rowspan=2>a<td rowspan=2>b<td>c<tr><td>d", [["a", "b", "c"], ["d"]]),
        (f"<tr><td rowspan=2>{'a' * 400}<td>b<tr><td>c", [["a" * 400, "b"], ["c"]]),
        ("<tr><td rowspan=x>a<td>b<tr><td>c<td>d", [["a", "b"], ["c", "d"]]),
    ],
)
def test_rows_are_filled_by_column_but_not_those_of_one_record(rows: str, expected: list[list[str]]) -> None:
    assert grid(rows) == expected


@pytest.mark.req("RC-1")
def test_spans_cannot_make_a_page_much_larger() -> None:
    cells = "<td rowspan=65534>a</td>" * 500
    root = open_page(f"<table><tr>{cells}</tr>{'<tr><td>b</td></tr>' * 5_000}</table>")
    spread_cells(root)
    assert sum(1 for _ in root.iter("td")) == 5_500


def test_a_page_of_100_000_cells_with_a_span_is_opened_in_time_that_grows_with_it() -> None:
    rows = "<tr><td rowspan=1>a</td><td rowspan=1>b</td></tr>" * 50_000
    assert sum(1 for _ in open_page(f"<table>{rows}</table>").iter("td")) == 100_000


@pytest.mark.req("RC-2", "SS-2")
@pytest.mark.parametrize("span", ["9" * 5_000, "0", "-3", "many", ""])
def test_names_of_columns_are_read_whatever_a_page_says_that_they_span(span: str) -> None:
    heads = f"<tr><th colspan='{span}'>Home</th><th>Away</th></tr><tr><th>Goals</th><th>Shots</th></tr>"
    root = open_page(f"<table><thead>{heads}</thead><tr><td>1</td><td>2</td></tr></table>")
    assert table_headers(list(root.iter("tr"))[2]) == ["Home Goals", "Away Shots"]
