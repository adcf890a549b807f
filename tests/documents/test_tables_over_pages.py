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


def test_a_row_alone_on_the_next_page_is_one_of_the_table() -> None:
    rows = [(f"{wood} soup", "Vegan.", f"{at + 3}.50") for at, wood in enumerate(made.WOODS)]

    def draw(c: Canvas) -> None:
        for at, (name, note, price) in enumerate(rows):
            y = 700 - 40 * at if at < 11 else 780
            if at == 11:
                c.showPage()
            c.setFont("Helvetica", 10)
            c.drawString(60, y, name)
            c.drawRightString(500, y, price)
            c.setFont("Helvetica", 8)
            c.drawString(60, y - 11, note)

    assert rows_in(markdown_of(made.drawn(draw))) == [[f"{name} {note}", price] for name, note, price in rows]


def test_the_rest_of_a_cell_alone_on_the_next_page_is_in_its_cell() -> None:
    rows = [("Date", "Event", "Place"), *((f"{at} May", "Concert", "Cork") for at in range(1, 6))]

    def draw(c: Canvas) -> None:
        for at, row in enumerate([*rows, ("6 May", "A walk along the", "Derry")]):
            draw_rows(c, [(*row, "")], 600 - 18 * at)
        c.showPage()
        c.drawString(XS[1], 780, "river and back")
        c.drawString(XS[0], 700, "The fee stays at 30 euros for members and for guests of theirs.")

    said = markdown_of(made.drawn(draw))
    assert rows_in(said)[-1] == ["6 May", "A walk along the river and back", "Derry"]
    assert said.endswith("*Page 2*\n\nThe fee stays at 30 euros for members and for guests of theirs.")


@pytest.mark.parametrize("is_ruled", [False, True])
def test_a_statement_of_an_account_has_a_row_for_each_payment(*, is_ruled: bool) -> None:
    """The days of dates do not count rows, and what stands apart above the names of all columns is none of these."""
    heads = ("Date", "Details", "Money out", "Money in", "Balance")
    rows = [
        (
            f"{2 + at * 27 // 37 % 28:02} {'Jan' if at < 37 else 'Feb'} 26",
            f"Card payment {at}",
            *(("", f"{at}.10")[:: 1 - 2 * (at % 2)]),
            f"{1000 + at}.55",
        )
        for at in range(75)
    ]

    def draw(c: Canvas) -> None:
        for page in range(0, len(rows), 26):
            if not page:
                c.drawString(45, 780, "Account: 4471 9920 3")
                c.drawString(300, 780, "Sort code: 20-44-18")
                c.drawString(45, 766, "Period: 1 January 2026 to 31 March 2026")
            for at, row in enumerate([heads, *rows[page : page + 26]]):
                c.setFont("Helvetica", 9)
                y = 740 - 23 * at
                for x, text in zip((45, 100), row[:2], strict=True):
                    c.drawString(x, y, text)
                for x, text in zip((330, 420, 545), row[2:], strict=True):
                    c.drawRightString(x, y, text)
                c.setFont("Helvetica", 8)
                c.drawString(100, y - 10, f"REF {500 + page + at}" if at else "")
            if is_ruled:
                c.line(40, 736, 550, 736)
            c.showPage()

    found = rows_in(markdown_of(made.drawn(draw)))
    wanted = [heads, *((row[0], f"{row[1]} REF {501 + at}", *row[2:]) for at, row in enumerate(rows))]
    assert found == [list(row) for row in wanted]


def test_entries_with_numbers_in_brackets_in_two_columns_are_items_one_by_one() -> None:
    titles = [
        (f"Anna Abel {at}. Notes on amber ladles and their", f"owners in the towns. Craft, {1990 + at}.")
        for at in range(16)
    ]

    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        for at, (first, second) in enumerate(titles):
            x, y = (60, 700 - 26 * at) if at < 8 else (310, 694 - 26 * (at - 8))
            c.drawString(x, y, f"[{at + 1}]")
            c.drawString(x + 18, y, first)
            c.drawString(x + 18, y - 12, second)

    assert markdown_of(made.drawn(draw)).split("\n") == [
        f"- [{at + 1}] {' '.join(title)}" for at, title in enumerate(titles)
    ]
