"""The tables of a page: what stands in which column, and what each row is."""

import pytest
from gleaner.page.opening import open_page

HEAD = "<tr><th>Name<th>Price<th>Made"
ROWS = "<tr><td>Ash<td>3<td>1990<tr><td>Elm<td>4<td>1991<tr><td>Fir<td>5<td>1992"
KINDS = {
    "a head, rows, a total": (f"{HEAD}{ROWS}<tr><td>Total<td>12<td>", "head row row row total"),
    "a head of two rows": (
        f"<tr><th rowspan=2>Name<th colspan=2>2024<tr><td>Price<td>Made{ROWS}",
        "head head row row row",
    ),
    "a title over the head": (f"<thead><tr><th colspan=3>Trees{HEAD}</thead>{ROWS}", "title head row row row"),
    "titles between rows": (f"{HEAD}{ROWS}<tr><td colspan=3>Old{ROWS}", "head row row row title row row row"),
    "a title in one of several cells": (f"{HEAD}{ROWS}<tr><td>Old<td><td>{ROWS}", "head row row row title row row row"),
    "a head said again": (f"{HEAD}{ROWS}<tr><td>Name<td>Price<td>Made{ROWS}", "head row row row head row row row"),
    "a head by its looks": (f"<tr><td><b>Name</b><td><b>Price</b><td><b>Made</b>{ROWS}", "head row row row"),
    "no head": (ROWS, "row row row"),
    "heads of rows": (
        "<tr><th>Mon<td>shut<tr><th>Tue<td>9 to 5<tr><th>Wed<td>9 to 4<tr><th>Thu<td>9 to 5",
        "row row row row",
    ),
    "a total in the second column, with another word": (
        f"{HEAD}{ROWS}<tr><td><td>Razem netto<td>",
        "head row row row total",
    ),
    "taxes among totals": (
        f"{HEAD}{ROWS}<tr><td>Sous-total<td><td>12<tr><td>TVA 20 %<td><td>2<tr><td>Net à payer<td><td>14",
        "head row row row total total total",
    ),
    "taxes over a note": (
        f"{HEAD}{ROWS}<tr><td colspan=2>Summe<td>12<tr><td colspan=2>MwSt. 19 %<td>2<tr><td colspan=3>Danke!",
        "head row row row total total title",
    ),
    "a last record that says as little as the total below it": (
        f"{HEAD}{ROWS}<tr><td>Delivery<td><td>12<tr><td>Total<td><td>24",
        "head row row row row total",
    ),
    "a record that says as little as the subtotal over it": (
        f"{HEAD}{ROWS}<tr><td>Subtotal<td><td>12<tr><td>Delivery<td><td>2{ROWS}<tr><td>Total<td><td>26",
        "head row row row total row row row row total",
    ),
    "records that are filled as their totals are": (
        f"{HEAD}{ROWS}<tr><td>Total<td>12<td>1991<tr><td>Oak<td>4<td>1993",
        "head row row row total row",
    ),
    "a row whose class calls it one of totals": (
        f"{HEAD}{ROWS}<tr class='row total'><td>All trees<td>12<td>1991",
        "head row row row total",
    ),
    "rows that all have such a class": (
        f"{HEAD}<tr class=total-score><td>Ash<td>12<td>1991<tr class=total-score><td>Oak<td>9<td>1992",
        "head row row",
    ),
    "a foot": (f"{HEAD}<tbody>{ROWS}</tbody><tfoot><tr><td>3 trees<td>12<td></tfoot>", "head row row row total"),
    "rows that say nothing": (f"{HEAD}{ROWS}<tr><td> <td><td>", "head row row row blank"),
    "two rows a record": ("<tr><td>Ash<td>3<tr><td colspan=2>Grows fast" * 3, "row row row row row row"),
}


@pytest.mark.req("MD-2")
@pytest.mark.parametrize("name", KINDS)
def test_what_a_row_is_is_told_by_its_section_its_cells_and_its_words(name: str) -> None:
    rows, kinds = KINDS[name]
    (table,) = open_page(f"<table>{rows}</table>").tables
    assert " ".join(table.kinds) == kinds
    assert table.period == (2 if name == "two rows a record" else 1)


@pytest.mark.req("MD-2")
def test_a_cell_stands_in_each_row_and_column_that_it_spans() -> None:
    page = open_page("<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<tr><td>4<td>5<td>6</table>")
    (table,) = page.tables
    said = [[page.nodes.said(cell) if cell >= 0 else "" for cell in row.slots] for row in table.rows]
    assert said == [["a", "b", "c"], ["1", "2", "2"], ["1", "3", ""], ["4", "5", "6"]]
    assert [row.above for row in table.rows] == [0, 0, 1, 0]


@pytest.mark.req("MD-2")
def test_a_cell_from_above_stands_in_its_own_column_below_a_row_that_is_cut_short() -> None:
    page = open_page("<table><tr><th>a<th>b<th>c<tr><td>1<td>2<td rowspan=2>3<tr><td>4<tr><td>5<td>6<td>7</table>")
    assert page.text.splitlines()[-2:] == ["| 4 |  | 3 |", "| 5 | 6 | 7 |"]


def test_tables_that_hold_tables_and_hidden_ones_are_none() -> None:
    table = f"<table>{HEAD}{ROWS}</table>"
    page = open_page(f"<table><tr><td>{table}<td>x</table><div hidden>{table}</div>")
    assert [page.nodes.tags[one.node] for one in page.tables] == ["table"]
    assert page.tables[0].named_by == "markup"
