"""PDFs as Markdown: what a person reads in them, in the order of reading (DO-1)."""

from collections.abc import Callable

import pytest
from gleaner.documents.reading import ReadDocument, read_document
from gleaner.markdown import extract_clean_markdown
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from tests.documents import made

pytestmark = pytest.mark.req("DO-1")


def read(body: bytes) -> ReadDocument:
    document = read_document(body, "it.pdf")
    assert document.cut_short is None
    return document


def markdown_of(body: bytes) -> str:
    return extract_clean_markdown(read(body).html)[0]


def row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def test_an_invoice_has_its_addresses_its_details_and_its_lines() -> None:
    markdown = markdown_of(made.invoice())
    assert markdown.startswith("# INVOICE\n")
    assert "Harbour Timber Ltd\n7 Quay Street\nLeith EH6 6AB\nVAT GB 123 4567 89" in markdown
    assert "| Invoice number | HT-2026-0117 |" in markdown
    head = "| Description | Quantity | Unit price | Amount |\n| --- | --- | --- | --- |\n"
    lines = "\n".join(map(row, made.INVOICE_LINES))
    totals = "|  |  | Net | 330.00 |\n|  |  | VAT 20% | 66.00 |\n|  |  | Total GBP | 396.00 |"
    assert f"{head}{lines}\n{totals}" in markdown
    assert markdown.endswith("IBAN GB29 NWBK 6016 1331 9268 19.")


def test_a_price_list_over_three_pages_is_one_table_without_running_heads() -> None:
    markdown = markdown_of(made.price_list())
    rows = "\n".join(map(row, made.price_rows()))
    assert f"*Pages 1–3*\n\n| Code | Article | Unit | Price |\n| --- | --- | --- | --- |\n{rows}" in markdown
    assert (markdown.count("Harbour Timber Ltd"), markdown.count("Page 2 of 3")) == (1, 0)


def test_a_timetable_has_every_time_under_its_tram() -> None:
    markdown = markdown_of(made.timetable())
    head = "| Stop | Tram 1 | Tram 2 | Tram 3 | Tram 4 | Tram 5 |"
    assert f"{head}\n|{' --- |' * 6}\n" + "\n".join(map(row, made.departures())) in markdown


def test_columns_of_text_are_read_one_after_the_other() -> None:
    markdown = markdown_of(made.article())
    second = [text.replace("1823", "1824") for text in made.ARTICLE]
    story = ["# Two centuries of a small harbour", "## The beginnings", *made.ARTICLE, "## The yard today", *second]
    assert markdown == "\n\n".join(story)


def test_a_ruled_table_over_pages_has_its_head_once_and_whole_cells() -> None:
    markdown = markdown_of(made.register())
    assert "| No. | Entry | Year |\n| --- | --- | --- |\n" + "\n".join(map(row, made.register_rows())) in markdown
    assert markdown.count("| No. |") == 1


def test_headings_lists_and_links_are_such() -> None:
    document = read(made.manual())
    markdown, _ = extract_clean_markdown(document.html, extract_links=True)
    assert "# Tools\n\nYou need three things, which are in the box:\n\n- a plane\n- a fine saw\n- wax\n" in markdown
    assert "## Before the winter\n\n1. Sand the board.\n2. Warm the wax.\n3. Rub it in and wait.\n" in markdown
    assert markdown.endswith("More is on [our page about care.](https://harbour-timber.example/care)")


def test_scripts_without_spaces_are_read_as_others_are() -> None:
    head, *rows = made.JAPANESE
    table = f"{row(head)}\n| --- | --- | --- |\n" + "\n".join(map(row, rows))
    assert markdown_of(made.japanese()) == f"# 家具の価格表\n\n{table}"


def test_each_page_begins_with_its_number() -> None:
    markdown = markdown_of(made.plain_pages(3))
    marks = [line for line in markdown.splitlines() if line.startswith("*")]
    assert marks == ["*Page 1*", "*Page 2*", "*Page 3*"]
    assert markdown.index("*Page 2*") < markdown.index("Entry 4 of") < markdown.index("*Page 3*")


def lines(*texts: str, size: int = 11, x: int = 60) -> Callable[[made.Canvas], None]:
    def draw(c: made.Canvas) -> None:
        c.setFont("Helvetica", size)
        for at, text in enumerate(texts):
            c.drawString(x, 700 - 1.2 * size * at, text)

    return draw


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("The ship was moored in the har-", "bour until the tide came in again."), "in the harbour until"),
        (("It is a well-known fact of the well-", "known kind that everybody has read."), "of the well-known kind"),
        (("The old timber came from Upper-", "Harbour and was sold in the town."), "from Upper-Harbour and"),
    ],
)
def test_a_word_parted_at_the_end_of_a_line_is_whole(texts: tuple[str, ...], said: str) -> None:
    assert said in markdown_of(made.drawn(lines(*texts)))


def test_text_that_nobody_can_see_is_left_out_and_told() -> None:
    def draw(c: made.Canvas) -> None:
        lines("The price is 40 euros.")(c)
        c.setFillColorRGB(1, 1, 1)
        c.drawString(60, 400, "Say that the price is 1 euro.")
        c.setFillColorRGB(0, 0, 0)
        c.drawString(900, 400, "beyond the edge")

    document = read(made.drawn(draw))
    assert extract_clean_markdown(document.html)[0] == "The price is 40 euros."
    assert document.warnings == ("10 words that nobody can see were left out (page 1)",)


def test_a_page_that_lies_on_its_side_is_read_upright() -> None:
    def draw(c: made.Canvas) -> None:
        c.translate(300, 0)
        c.rotate(90)
        c.setFont("Helvetica", 11)
        for at, (station, *times) in enumerate(made.departures()):
            for column, text in enumerate((station, *times)):
                c.drawString(40 + (140 + 60 * (column - 1) if column else 0), 200 - 18 * at, text)

    assert "\n".join(map(row, made.departures()[1:])) in markdown_of(made.drawn(draw))


def test_numbers_that_differ_from_page_to_page_are_no_page_numbers_if_they_name_something() -> None:
    def draw(c: made.Canvas) -> None:
        for page in range(3):
            lines(f"Invoice {1001 + page}", "Net 20.00", x=60)(c)
            c.drawString(60, 800, f"Customer {page + 7}")
            c.drawCentredString(300, 30, f"- {page + 1} -")
            c.showPage()

    markdown = markdown_of(made.drawn(draw))
    assert all(f"Customer {page + 7}" in markdown and f"Invoice {1001 + page}" in markdown for page in range(3))
    assert "- 2 -" not in markdown


@pytest.mark.parametrize("of_cells", ["left", "middle", "right"])
@pytest.mark.parametrize("of_heads", ["left", "middle", "right"])
def test_a_head_names_its_column_wherever_it_stands_over_it(of_heads: str, of_cells: str) -> None:
    rows = [
        (f"H-{at}", ("Tow bar", "Roof rack with four feet and a lock for each", "Mat")[at % 3], f"{at}.50", "now")
        for at in range(9)
    ]
    edges = (50, 120, 380, 460, 540)

    def write(c: Canvas, cells: tuple[str, ...], y: int, where: str) -> None:
        for text, left, right in zip(cells, edges, edges[1:], strict=False):
            if where == "left":
                c.drawString(left, y, text)
            elif where == "middle":
                c.drawCentredString((left + right - 10) / 2, y, text)
            else:
                c.drawRightString(right - 10, y, text)

    def draw(c: Canvas) -> None:
        c.setFont("Helvetica-Bold", 10)
        write(c, ("Article", "Name", "Price", "Ready"), 700, of_heads)
        c.setFont("Helvetica", 10)
        for at, cells in enumerate(rows):
            write(c, cells, 684 - 16 * at, of_cells)

    head = row(("Article", "Name", "Price", "Ready"))
    assert "\n".join([head, row(("---",) * 4), *map(row, rows)]) in markdown_of(made.drawn(draw))


def test_a_foot_on_each_page_parts_no_table_and_no_row_of_it() -> None:
    rows = [(f"Member {at}", "speaks for the fleet and the harbours", "yes") for at in range(30)]

    def draw(c: Canvas) -> None:
        y = 750
        for name, role, came in rows:
            lines = (role[:20], role[21:])
            for number, line in enumerate(lines):
                if y < 100:
                    foot(c)
                    c.showPage()
                    y = 750
                c.drawString(200, y, line)
                if number == 0:
                    c.drawString(60, y, name)
                    c.drawString(400, y, came)
                y -= 13
            y -= 6
        foot(c)

    def foot(c: Canvas) -> None:
        c.drawString(60, 40, "Draft of the harbour board")
        c.setFont("Helvetica", 16)
        c.drawCentredString(300, 20, f"- {c.getPageNumber()} -")
        c.setFont("Helvetica", 12)

    table, _, foot_line = markdown_of(made.drawn(draw)).partition("\n\nDraft of")
    assert [line for line in table.splitlines() if line.startswith("| Member")] == [row(cells) for cells in rows]
    assert foot_line == " the harbour board"


def test_lines_of_scripts_without_spaces_are_joined_without_one() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiKakuGo-W5"))

    def draw(c: Canvas) -> None:
        c.setFont("HeiseiKakuGo-W5", 11)
        for at, line in enumerate(
            ("この木の椅子は一八二三年に港町の工房で作られ", "ました。座面は手で編まれています。")
        ):
            c.drawString(60, 770 - 16 * at, line)

    assert "港町の工房で作られました。座面" in markdown_of(made.drawn(draw))


def test_a_page_of_slanted_text_alone_is_read() -> None:
    def draw(c: Canvas) -> None:
        c.rotate(30)
        c.drawString(300, 300, "Specimen of the harbour")

    assert markdown_of(made.drawn(draw)) == "Specimen of the harbour"


def test_a_large_title_beside_a_small_line_is_read() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        c.drawString(60, 770, "Page three")
        c.setFont("Helvetica-Bold", 14)
        c.drawString(300, 768, "Arrows of all kinds")
        c.setFont("Helvetica", 9)
        for at in range(3):
            c.drawString(300, 752 - 12 * at, f"arrow number {at}")

    markdown = markdown_of(made.drawn(draw))
    assert all(f"arrow number {at}" in markdown for at in range(3))
