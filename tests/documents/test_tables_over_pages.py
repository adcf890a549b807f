"""Tables that go on over pages, and what stands at their ends (DO-2)."""

from collections.abc import Sequence

import pytest
from gleaner.documents.reading import read_document
from gleaner.markdown import extract_clean_markdown
from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table

from tests.documents import made

pytestmark = pytest.mark.req("DO-2")

XS = (60, 150, 300, 400)


def markdown_of(body: bytes) -> str:
    """Give the Markdown of a document."""
    return extract_clean_markdown(read_document(body, "it.pdf").html)[0]


def rows_in(markdown: str) -> list[list[str]]:
    """Give the cells of all rows of tables, but for the lines under heads."""
    lines = [line.strip("| ").split(" | ") for line in markdown.splitlines() if line.startswith("|")]
    return [cells for cells in lines if set("".join(cells)) != {"-"}]


def draw_rows(c: Canvas, rows: Sequence[Sequence[str]], y: float) -> None:
    """Draw rows under each other from a height on."""
    for at, row in enumerate(rows):
        for x, text in zip(XS, row, strict=True):
            c.drawString(x, y - 18 * at, text)


def ranking(count: int) -> list[list[str]]:
    """Give the names of columns and rows of a ranking."""
    return [
        ["Date", "Member", "City", "Points"],
        *([f"2026-03-{at + 1:02}", f"Anna Abel {at}", "Cork", str(at * 7)] for at in range(count)),
    ]


@pytest.mark.parametrize("last", [2, 3])
def test_the_last_rows_of_a_ruled_table_on_a_page_of_their_own_are_no_head(last: int) -> None:
    rows = ranking(35 + last)
    rules = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONT", (0, 0), (-1, 0), "Helvetica-Bold")]
    rules += [("FONTSIZE", (0, 0), (-1, -1), 9)]
    markdown = markdown_of(made.built([Paragraph("Ranking", made.STYLES["Title"]), Table(rows, style=rules)]))
    assert "*Pages 1–2*" in markdown
    assert rows_in(markdown) == rows
