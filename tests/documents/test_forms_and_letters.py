"""Addresses, blocks beside each other, labels with values, boxes to be ticked, menus (DO-2)."""

import pytest
from gleaner.documents.reading import read_document
from gleaner.markdown import extract_clean_markdown
from reportlab.pdfgen.canvas import Canvas

from tests.documents import made

pytestmark = pytest.mark.req("DO-2")

PROSE = (
    "We have checked the area of your holding, which is now recorded as thirty-eight hectares.",
    "The rate that is due for this year is therefore payable in two equal parts, in June and in",
    "December. Please quote the reference above.",
)
ADDRESS = ("Mr Tomasz Wilk", "Reeds Farm", "Drove End", "Elmstead PE7 9ZZ")


def markdown_of(body: bytes) -> str:
    return extract_clean_markdown(read_document(body, "it.pdf").html)[0]


@pytest.mark.parametrize("align", ["left", "right"])
def test_the_lines_of_an_address_stay_lines_and_those_of_a_paragraph_go_on(align: str) -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Times-Roman", 11)
        for at, line in enumerate(ADDRESS):
            (c.drawString if align == "left" else c.drawRightString)(
                60 if align == "left" else 460, 740 - 14 * at, line
            )
        for at, line in enumerate(PROSE):
            c.drawString(60, 600 - 15 * at, line)

    markdown = markdown_of(made.drawn(draw))
    assert "\n".join(ADDRESS) in markdown
    assert " ".join(PROSE) in markdown


def test_an_address_beside_dates_and_numbers_on_lines_of_their_own_is_no_table() -> None:
    details = (("Rechnungsnummer", "RE-2026-044"), ("Datum", "14.03.2026"), ("Kunde", "20931"), ("Bis", "28.03.2026"))

    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9.5)
        for at, line in enumerate(("Firma", "Zimmerei Osterloh", "Am Deich 14", "26789 Leer")):
            c.drawString(60, 700 - 11 * at, line)
        for at, (name, value) in enumerate(details):
            c.drawString(350, 708.5 - 13 * at, name)
            c.drawString(450, 708.5 - 13 * at, value)

    markdown = markdown_of(made.drawn(draw))
    assert "Firma\nZimmerei Osterloh\nAm Deich 14\n26789 Leer" in markdown
    assert "| Datum | 14.03.2026 |" in markdown


FORM = (
    ("Full name", "Margaret O'Hare"),
    ("Date of birth", "7 June 1961"),
    ("Address", "18 Chapel Walk, Ludlow"),
    ("Permit zone", "C2"),
)


@pytest.mark.parametrize("tick", ["lines", "one path", "letter", "dot"])
def test_drawn_boxes_say_whether_they_are_ticked(tick: str) -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        for at, (name, value) in enumerate(FORM):
            c.drawString(50, 700 - 24 * at, name)
            c.drawString(190, 700 - 24 * at, value)
            c.line(185, 697 - 24 * at, 480, 697 - 24 * at)
        c.drawString(50, 604, "Permit type")
        for at, name in enumerate(("Resident", "Business", "Visitor")):
            x, y = 190 + 90 * at, 603
            c.rect(x, y, 9, 9)
            c.drawString(x + 14, 604, name)
            if at == 1 and tick == "lines":
                c.line(x, y, x + 9, y + 9)
                c.line(x, y + 9, x + 9, y)
            elif at == 1 and tick == "one path":
                path = c.beginPath()
                path.moveTo(x + 1, y + 4)
                path.lineTo(x + 4, y + 1)
                path.lineTo(x + 8, y + 8)
                c.drawPath(path)
            elif at == 1 and tick == "letter":
                c.drawCentredString(x + 4.5, y + 1.5, "X")
            elif at == 1:
                c.circle(x + 4.5, y + 4.5, 2.5, fill=1)
        c.drawString(50, 580, "Fee paid")
        c.drawString(190, 580, "64.50")

    rows = [*FORM, ("Permit type", "☐ Resident ☑ Business ☐ Visitor"), ("Fee paid", "64.50")]
    for name, value in rows:
        assert f"| {name} | {value} |" in markdown_of(made.drawn(draw))


def test_small_squares_in_rows_and_beside_nothing_are_no_boxes_to_tick() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        c.drawString(50, 700, "Postcode")
        for at, letter in enumerate("PE79ZZ"):
            c.rect(110 + 12 * at, 697, 12, 12)
            c.drawString(113 + 12 * at, 700, letter)
        c.rect(300, 500, 10, 10)

    markdown = markdown_of(made.drawn(draw))
    assert not set("☐☑") & set(markdown)
    assert set("PE79ZZ") <= set(markdown)
