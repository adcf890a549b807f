"""Tables as regular grids (MD-2)."""

import re

import pytest
from gleaner.markdown import extract_clean_markdown
from hypothesis import given
from hypothesis import strategies as st


def convert(html: str) -> str:
    return extract_clean_markdown(html)[0]


def lines(*rows: str) -> str:
    return "\n".join(rows)


TABLES = {
    "header from the first row": (
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        lines("| a | b |", "| --- | --- |", "| c | d |"),
    ),
    "short rows are padded": (
        "<table><tr><th>a<th>b<th>c<tr><td>1<tr><td>2<td>3</table>",
        lines("| a | b | c |", "| --- | --- | --- |", "| 1 |  |  |", "| 2 | 3 |  |"),
    ),
    "rowspan": (
        "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>",
        lines("| a | b |", "| --- | --- |", "| 1 | 2 |", "| 1 | 3 |"),
    ),
    "rowspan over three rows": (
        "<table><tr><th>a<th>b<tr><td rowspan=3>1<td>2<tr><td>3<tr><td>4</table>",
        lines("| a | b |", "| --- | --- |", "| 1 | 2 |", "| 1 | 3 |", "| 1 | 4 |"),
    ),
    "colspans of which none are alike": (
        "<table><tr><th colspan=2>a<th>b<tr><td>1<td colspan=2>2<tr><td colspan=2>3<td>4</table>",
        lines("| a | a | b |", "| --- | --- | --- |", "| 1 | 2 | 2 |", "| 3 | 3 | 4 |"),
    ),
    "colspan in the header, two header rows": (
        "<table><tr><th rowspan=2>n<th colspan=2>2024<tr><th>q1<th>q2<tr><td>x<td>1<td>2</table>",
        lines("| n | 2024 q1 | 2024 q2 |", "| --- | --- | --- |", "| x | 1 | 2 |"),
    ),
    "a rowspan past the end": (
        "<table><tr><th>a<th>b<tr><td rowspan=65534>1<td>2</table>",
        lines("| a | b |", "| --- | --- |", "| 1 | 2 |"),
    ),
    "a rowspan ends with its section": (
        "<table><thead><tr><th>a<th>b</thead><tbody><tr><td rowspan=0>1<td>2<tr><td>3"
        "</tbody><tbody><tr><td>4<td>5</table>",
        lines("| a | b |", "| --- | --- |", "| 1 | 2 |", "| 1 | 3 |", "| 4 | 5 |"),
    ),
    "cells with pipes and line breaks": (
        "<table><tr><th>a<th>b<tr><td>x|y<td>1<br>2<p>3</p></table>",
        lines("| a | b |", "| --- | --- |", "| x\\|y | 1 2 3 |"),
    ),
    "caption": ("<table><caption>Cap</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
        lines("Cap", "", "| a | b |", "| --- | --- |", "| 1 | 2 |")),
    "foot at the end": (
        "<table><thead><tr><th>a<th>b</thead><tfoot><tr><td>sum<td>3</tfoot><tbody><tr><td>x<td>3</table>",
        lines("| a | b |", "| --- | --- |", "| x | 3 |", "| sum | 3 |"),
    ),
    "section rows": (
        "<table><tr><th>a<th>b<tr><td colspan=2>Fruit<tr><td>1<td>2</table>",
        lines("| a | b |", "| --- | --- |", "| Fruit |  |", "| 1 | 2 |"),
    ),
    "row headers": (
        "<table><tr><th>kg<td>1<tr><th>W<td>2</table>",
        lines("| kg | 1 |", "| --- | --- |", "| W | 2 |"),
    ),
    "a table in a cell": (
        "<table><tr><th>k<th>v<tr><td>x<td><table><tr><td>a<td>1<tr><td>b<td>2</table></table>",
        lines("| k | v |", "| --- | --- |", "| x | a: 1; b: 2 |"),
    ),
    "empty columns": (
        "<table><tr><th>a<th><th>b<tr><td>1<td> <td>2</table>",
        lines("| a | b |", "| --- | --- |", "| 1 | 2 |"),
    ),
    "an empty column beside a cell over two": (
        "<table><tr><th>a<th>b<th>c<th>d<th><th>e"
        "<tr><td>1<td colspan=2>2<td>3<td><td>4<tr><td>5<td>6<td>7<td>8<td><td>9</table>",
        lines(
            "| a | b | c | d | e |",
            "| --- | --- | --- | --- | --- |",
            "| 1 | 2 | 2 | 3 | 4 |",
            "| 5 | 6 | 7 | 8 | 9 |",
        ),
    ),
    "a list in a cell": (
        "<table><tr><th>a<th>b<tr><td>1<td><ul><li>New York<li><li>Los Angeles</ul><tr><td>2<td>p ; q</table>",
        lines("| a | b |", "| --- | --- |", "| 1 | New York; Los Angeles |", "| 2 | p ; q |"),
    ),
    "a span over more columns than there are": (
        "<table><tr><th>a<th>b<tr><td>1<td colspan=100>2<tr><td>3<td>4</table>",
        lines("| a | b |", "| --- | --- |", "| 1 | 2 |", "| 3 | 4 |"),
    ),
    "cells without rows": ("<table><td>a<td>b<tr><td>c</table>", lines("| a | b |", "| --- | --- |", "| c |  |")),
    "a form across rows": (
        "<table><form><tr><th>a<th>b</tr><tr><td>1<td>2</tr></form></table>",
        lines("| a | b |", "| --- | --- |", "| 1 | 2 |"),
    ),
    "text between the cells": (
        "<table>lost?<tr><th>a<th>b</tr>found<tr><td>1<td>2</tr></table>",
        lines("lost? found", "", "| a | b |", "| --- | --- |", "| 1 | 2 |"),
    ),
    "unclosed emphasis in cells": (
        "<table><tr><td><b>a<td><b>b<tr><td>1<td>2</table>",
        lines("| **a** | **b** |", "| --- | --- |", "| 1 | 2 |"),
    ),
    "one cell is no table": ("<table><tr><td><p>a</p><p>b</p></table>", "a\n\nb"),
    "layout": ("<table><tr><td>Menu<td><h2>Hi</h2><p>text</p></table>", "Menu\n\n## Hi\n\ntext"),
    "a table in a layout table": (
        "<table><tr><td>side<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>",
        lines("side", "", "| a | b |", "| --- | --- |", "| 1 | 2 |"),
    ),
    "line numbers beside code": (
        "<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>x\ny</pre></table>",
        "```\nx\ny\n```",
    ),
}  # fmt: skip


@pytest.mark.req("MD-2")
@pytest.mark.parametrize(("html", "expected"), TABLES.values(), ids=TABLES.keys())
def test_tables_become_regular(html: str, expected: str) -> None:
    assert convert(html) == expected


SPANS = st.integers(0, 70_000) | st.integers(0, 4)
CELLS = st.tuples(st.sampled_from(["td", "th"]), SPANS, SPANS)
ROWS = st.lists(st.lists(CELLS, max_size=5), min_size=1, max_size=6)


@pytest.mark.req("MD-2", "MD-6")
@given(ROWS, st.sampled_from(["", "thead", "tfoot", "tbody"]))
def test_every_cell_survives_and_every_row_has_the_width_of_the_rule(
    rows: list[list[tuple[str, int, int]]], section: str
) -> None:
    names: list[str] = []
    html = "<table>"
    for at, row in enumerate(rows):
        html += (f"<{section}>" if section and not at else "") + "<tr>"
        for tag, columns, height in row:
            names.append(f"c{len(names)}x")
            html += f"<{tag} colspan={columns} rowspan={height}>{names[-1]}</{tag}>"
        html += "</tr>" + (f"</{section}>" if section and not at else "")
    markdown = convert(html + "</table>")
    assert set(re.findall(r"c\d+x", markdown)) == set(names)
    widths = {line.count("|") for line in markdown.splitlines() if line.startswith("|")}
    assert len(widths) <= 1
    assert len(markdown) < 1_000_000


@pytest.mark.req("MD-6")
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "html",
    [
        "<table>" + ("<tr>" + "<td>x</td><td></td>" * 10_000 + "</tr>") * 2 + "</table>",
        "<code>x</code><table role=presentation><tr>" + "<td>x</td>" * 20_000 + "</tr></table>",
        "<table>" + "<tr><th>x</th></tr>" * 20_000 + "<tr><td>a</td><td>b</td></tr>" * 3 + "</table>",
    ],
    ids=["every other column is empty", "cells beside code", "rows of one title each"],
)
def test_tables_of_countless_cells_are_made_regular_in_seconds(html: str) -> None:
    assert convert(html).count("x") >= 20_000


@pytest.mark.req("MD-2", "MD-6")
@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td colspan=1000>a<td>b" * 200 + "</table>",
        "<table><tr>" + "<td rowspan=60000>x" * 100 + "<tr><td>b" * 1_000 + "</table>",
    ],
    ids=["columns", "rows"],
)
def test_spans_that_claim_more_than_there_is_do_not_make_a_page_grow(html: str) -> None:
    assert len(extract_clean_markdown(html)[0]) < 6 * len(html)
