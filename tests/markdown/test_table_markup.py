"""Tables that are made of other elements, and tables whose heads are headings (MD-2)."""

import pytest
from gleaner.markdown import extract_clean_markdown

EXPECTED = "| Boat | Berth |\n| --- | --- |\n| Alma | 4 |\n| Boreas | 9 |"
ROWS = (("Boat", "Berth"), ("Alma", "4"), ("Boreas", "9"))


def grid(row: str, cell: str, head: str = "", *, around: str = "div") -> str:
    """Write the three rows with these start tags; ``around`` is the table's."""
    name = {tag: tag.split()[0] for tag in (row, cell, head or cell, around)}
    lines: list[str] = []
    for at, texts in enumerate(ROWS):
        tag = head if head and not at else cell
        lines.append(f"<{row}>{''.join(f'<{tag}>{text}</{name[tag]}>' for text in texts)}</{name[row]}>")
    return f"<{around}>{''.join(lines)}</{name[around]}>"


SHEET = "<style>.b{display:table}.b .r{display:table-row} .c,div.d { padding:2px; display:table-cell }</style>"
MARK = "data-gleaner-display"
GRIDS = {
    "roles": grid("div role=row", "span role=cell", "span role=columnheader", around="div role=table"),
    "a grid of lists": grid("li role=row", "i role=gridcell", "b role=columnheader", around="ul role=grid"),
    "rows without a table": grid("p role=row", "i role=cell", "i role=columnheader", around="section"),
    "wrapped cells": grid("div role=row", "div><div role=gridcell", around="div role=grid").replace(
        "</div><div><div role=gridcell>", "</div></div><div><div role=gridcell>"
    ),
    "inline style": grid(
        "div style='display: table-row'", "p style='display:table-cell'", around="div style='color:red;display:table'"
    ),
    "style sheet": SHEET + grid("div class=r", "div class=c", "div class=d", around="div class=b"),
    "what the renderer says": grid(f"p {MARK}=table-row", f"span {MARK}=table-cell", around=f"div {MARK}=table"),
    "headings as heads": (
        "<table><tr><td><h3>Boat</h3></td><td><h3>Berth</h3></td></tr><tr><td>Alma</td><td>4</td></tr>"
        "<tr><td>Boreas</td><td>9</td></tr></table>"
    ),
    "headings in a column": (
        "<table><tr><td><h4>Boat</h4></td><td>Berth</td></tr><tr><td><h4>Alma</h4></td><td>4</td></tr>"
        "<tr><td><h4>Boreas</h4></td><td>9</td></tr></table>"
    ),
}


@pytest.mark.req("MD-2")
@pytest.mark.parametrize("html", GRIDS.values(), ids=GRIDS.keys())
def test_rows_and_cells_of_any_markup_become_a_table(html: str) -> None:
    assert extract_clean_markdown(html)[0] == EXPECTED


@pytest.mark.req("MD-2")
def test_what_stands_between_rows_stays_where_it_is() -> None:
    row = "<div role=row><b role=cell>{}</b><b role=cell>{}</b></div>"
    rows = [row.format(one, two) for one, two in (("a", 1), ("b", 2), ("c", 3), ("d", 4))]
    html = f"<div><h2>First</h2>{rows[0]}{rows[1]}<h2>Second</h2>{rows[2]}{rows[3]}</div>"
    first, second = "| a | 1 |\n| --- | --- |\n| b | 2 |", "| c | 3 |\n| --- | --- |\n| d | 4 |"
    assert extract_clean_markdown(html)[0].replace("**", "") == f"## First\n\n{first}\n\n## Second\n\n{second}"


@pytest.mark.req("MD-2")
@pytest.mark.parametrize(
    "html",
    [
        "<div style='display:table'><div style='display:table-cell'><h2>Tide</h2><p>High at nine.</p></div></div>",
        "<div role=grid><div role=row><div role=gridcell><h2>Tide</h2><p>High at nine.</p></div></div></div>",
        "<table><tr><td><h2>Tide</h2><p>High at nine.</p></td><td></td></tr><tr><td></td><td></td></tr></table>",
    ],
    ids=["a centred box", "a grid of one card", "a table that places things"],
)
def test_a_box_that_is_only_placed_like_a_table_is_none(html: str) -> None:
    assert extract_clean_markdown(html)[0] == "## Tide\n\nHigh at nine."
