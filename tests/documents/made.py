"""PDFs with known content, as other programs write them: drawn by reportlab, in different layouts and fonts."""

import io
import random
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from PIL import Image
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.units import cm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    ListFlowable,
    ListItem,
    PageTemplate,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

STYLES = getSampleStyleSheet()
WOODS = ("Larch", "Cedar", "Oak", "Ash", "Beech", "Maple", "Walnut", "Cherry", "Elm", "Birch", "Pine", "Yew")
THINGS = ("jug", "bowl", "stool", "ladder", "tray", "spoon", "chest", "frame", "rack", "board")


def drawn(draw: Callable[[Canvas], None], size: tuple[float, float] = A4, **options: Any) -> bytes:
    """Give a PDF that a function draws."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=True, **options)
    draw(canvas)
    canvas.save()
    return buffer.getvalue()


def built(story: Sequence[Any], on_page: Callable[[Canvas, Any], None] | None = None, **options: Any) -> bytes:
    """Give a PDF of paragraphs and tables that flow."""
    buffer = io.BytesIO()
    document = SimpleDocTemplate(buffer, pagesize=A4, invariant=True, **options)
    on_page = on_page or (lambda _canvas, _document: None)
    document.build(list(story), onFirstPage=on_page, onLaterPages=on_page)
    return buffer.getvalue()


INVOICE_LINES = (
    ("Larch jug, hand turned", "4", "19.50", "78.00"),
    ("Oak ladder, 3 m, with hooks and a rail for the wall", "1", "240.00", "240.00"),
    ("Delivery to the workshop", "1", "12.00", "12.00"),
)


def invoice() -> bytes:
    """Two addresses side by side, details of the invoice, lines without rules, totals on the right."""

    def draw(c: Canvas) -> None:
        c.setFont("Helvetica-Bold", 20)
        c.drawString(50, 780, "INVOICE")
        c.setFont("Helvetica", 10)
        for at, line in enumerate(("Harbour Timber Ltd", "7 Quay Street", "Leith EH6 6AB", "VAT GB 123 4567 89")):
            c.drawString(50, 745 - 13 * at, line)
        details = (("Invoice number", "HT-2026-0117"), ("Invoice date", "12 March 2026"), ("Due date", "11 April 2026"))
        for at, (name, value) in enumerate(details):
            c.drawString(340, 745 - 13 * at, name)
            c.drawString(440, 745 - 13 * at, value)
        c.setFont("Helvetica-Bold", 10)
        c.drawString(50, 670, "Bill to")
        c.setFont("Helvetica", 10)
        for at, line in enumerate(("Morag Sinclair", "3 Glen Road", "Oban PA34 4DL")):
            c.drawString(50, 655 - 13 * at, line)
        c.setFont("Helvetica-Bold", 10)
        c.line(50, 600, 545, 600)
        c.drawString(50, 586, "Description")
        for x, name in ((340, "Quantity"), (440, "Unit price"), (545, "Amount")):
            c.drawRightString(x, 586, name)
        c.line(50, 580, 545, 580)
        c.setFont("Helvetica", 10)
        y = 565
        for what, *figures in INVOICE_LINES:
            first, _, second = what.partition(" and a ")
            c.drawString(50, y, f"{first} and a" if second else first)
            for x, figure in zip((340, 440, 545), figures, strict=True):
                c.drawRightString(x, y, figure)
            if second:
                y -= 12
                c.drawString(50, y, second)
            y -= 20
        c.line(50, y + 8, 545, y + 8)
        for name, figure in (("Net", "330.00"), ("VAT 20%", "66.00"), ("Total GBP", "396.00")):
            y -= 14
            c.drawRightString(440, y, name)
            c.drawRightString(545, y, figure)
        c.setFont("Helvetica", 8)
        c.drawString(50, 60, "Please pay within 30 days to Harbour Bank, IBAN GB29 NWBK 6016 1331 9268 19.")

    return drawn(draw)


def price_rows(count: int = 96) -> list[tuple[str, str, str, str]]:
    """Give the articles of the price list: code, name, unit, price."""
    picked = random.Random(7)
    return [
        (f"HT-{100 + at}", f"{WOODS[at % 12]} {THINGS[at % 10]} no. {at // 10 + 1}", ("each", "pair", "per m")[at % 3],
         f"{picked.randint(200, 250000) / 100:,.2f}")
        for at in range(count)
    ]  # fmt: skip


def price_list() -> bytes:
    """Three pages without rules: running head, page numbers, columns named on each page, right-aligned prices."""
    rows = price_rows()

    def draw(c: Canvas) -> None:
        for page in range(3):
            c.setFont("Times-Roman", 9)
            c.drawString(60, 810, "Harbour Timber Ltd")
            c.drawRightString(535, 810, "Price list 2026")
            c.drawCentredString(297, 30, f"Page {page + 1} of 3")
            y = 770
            if page == 0:
                c.setFont("Times-Bold", 22)
                c.drawString(60, 765, "Price list")
                c.setFont("Times-Roman", 11)
                c.drawString(60, 740, "All prices are in euros and include delivery within the harbour district.")
                y = 710
            c.setFont("Times-Bold", 11)
            c.drawString(60, y, "Code")
            c.drawString(150, y, "Article")
            c.drawString(360, y, "Unit")
            c.drawRightString(520, y, "Price")
            c.setFont("Times-Roman", 11)
            for code, name, unit, price in rows[32 * page : 32 * page + 32]:
                y -= 19
                c.drawString(60, y, code)
                c.drawString(150, y, name)
                c.drawString(360, y, unit)
                c.drawRightString(520, y, price)
            c.showPage()

    return drawn(draw)


def written(objects: Sequence[bytes]) -> bytes:
    """Give a PDF of objects, of which the first is the catalog, as no library would write them."""
    body, starts = b"%PDF-1.7\n", list[int]()
    for number, content in enumerate(objects, 1):
        starts.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (len(starts) + 1, table, len(starts) + 1, len(body))
    )


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """Give a stream object with its dictionary."""
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def page_of(content: int) -> bytes:
    """Give a page that draws the object of this number; its font is F."""
    font = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    return b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]%s/Contents %d 0 R>>" % (font, content)


def painted(content: bytes, meaning: bytes = b"") -> bytes:
    """Give a page of 400 by 300 points with this content: its font is F1, P1 a gradient from red to blue.

    ``meaning`` says which characters the codes of the font are: lines of a character map.
    """
    spread = b"/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>/Extend[true true]"
    shading = b"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 400 0]%s>>" % spread
    resources = b"<</Font<</F1 5 0 R>>/Pattern<</P1<</PatternType 2/Shading %s>>>>>>" % shading
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources %s>>" % resources
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica%s>>" % (b"/ToUnicode 6 0 R" if meaning else b"")
    codes = b"1 begincodespacerange <00> <FF> endcodespacerange " + meaning
    catalog, pages = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return written([catalog, pages, page, stream(content), font, stream(b"begincmap %s endcmap" % codes)])


def bomb(size: int) -> bytes:
    """Three pages, of which the second unpacks to so many bytes of nothing."""
    packed = zlib.compressobj(1)
    blanks = b"".join(packed.compress(b" " * 1_000_000) for _ in range(size // 1_000_000)) + packed.flush()
    hello = stream(b"BT /F 12 Tf 50 700 Td (Hello there, and welcome) Tj ET")
    pages = b"<</Type/Pages/Kids[5 0 R 6 0 R 5 0 R]/Count 3>>"
    catalog = b"<</Type/Catalog/Pages 2 0 R>>"
    return written([catalog, pages, stream(blanks, b"/Filter/FlateDecode"), hello, page_of(4), page_of(3)])


STATIONS = ("Harbour", "Quay Street", "Old Town", "Hospital", "University", "North Gate", "Airport")


def departures() -> list[tuple[str, ...]]:
    """Give the rows of the timetable: a station and its five departures; the third tram does not stop at all."""
    rows: list[tuple[str, ...]] = []
    for at, station in enumerate(STATIONS):
        times = [f"{6 + run + (10 * at) // 60:02d}:{(5 + 10 * at) % 60:02d}" for run in range(5)]
        rows.append((station, *times[:2], "–" if at in (2, 3) else times[2], *times[3:]))
    return rows


def timetable() -> bytes:
    """A page in landscape with narrow columns, shaded rows and a head in white on blue."""

    def draw(c: Canvas) -> None:
        c.setFont("Helvetica-Bold", 18)
        c.drawString(60, 530, "Tram 7: Harbour to Airport")
        c.setFont("Helvetica", 10)
        c.drawString(60, 508, "Monday to Friday, from 1 May 2026")
        c.setFillColor(colors.navy)
        c.rect(60, 470, 500, 22, stroke=0, fill=1)
        c.setFillColor(colors.white)
        c.setFont("Helvetica-Bold", 10)
        for at, name in enumerate(("Stop", "Tram 1", "Tram 2", "Tram 3", "Tram 4", "Tram 5")):
            c.drawString(66 + (150 + 65 * (at - 1) if at else 0), 477, name)
        c.setFont("Helvetica", 10)
        for at, row in enumerate(departures()):
            y = 448 - 22 * at
            c.setFillColor(colors.lightgrey if at % 2 else colors.white)
            c.rect(60, y, 500, 22, stroke=0, fill=1)
            c.setFillColor(colors.black)
            for column, text in enumerate(row):
                c.drawString(66 + (150 + 65 * (column - 1) if column else 0), y + 7, text)

    return drawn(draw, landscape(A4))


ARTICLE = (
    "The harbour was built in 1823 on the site of an older landing place, and for most of a century it was the only "
    "sheltered water between the two headlands. Ships that carried timber from the north waited here for the tide.",
    "When the railway arrived in 1871 the warehouses along the quay were rebuilt in brick. The management of the port "
    "passed to a board of nine members, which met every second Tuesday in the customs house above the lower basin.",
    "Fishing declined after the war, but the repair yard remained. Today it employs forty people, among them the last "
    "sailmaker of the coast, whose workshop is open to visitors on Thursdays from April to the end of September.",
    "A survey of the lower basin found that the oldest timbers are of larch and still sound. They will be left in "
    "place under the new walkway, where a window in the floor lets visitors see how the first builders joined them.",
)


def article() -> bytes:
    """A title over two columns of justified text with headings."""
    buffer = io.BytesIO()
    body = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=13, alignment=4, spaceAfter=7)
    heading = ParagraphStyle("h", fontName="Times-Bold", fontSize=13, leading=16, spaceBefore=6, spaceAfter=4)
    document = BaseDocTemplate(buffer, pagesize=A4, invariant=True)
    width, gap = 7.6 * cm, 0.9 * cm

    def title(c: Canvas, _document: Any) -> None:
        c.setFont("Times-Bold", 24)
        c.drawCentredString(A4[0] / 2, 770, "Two centuries of a small harbour")

    frames = [Frame(2.4 * cm + at * (width + gap), 8 * cm, width, 18 * cm, id=str(at), showBoundary=0) for at in (0, 1)]
    document.addPageTemplates([PageTemplate(id="two", frames=frames, onPage=title)])
    story: list[Any] = [Paragraph("The beginnings", heading)]
    for repeat in range(2):
        story += [Paragraph(text.replace("1823", str(1823 + repeat)), body) for text in ARTICLE]
        story += [Paragraph("The yard today", heading)] if not repeat else []
    document.build(story)
    return buffer.getvalue()


def register_rows(count: int = 120) -> list[tuple[str, str, str]]:
    """Give the rows of the register: number, entry, year."""
    return [(str(at + 1), f"{WOODS[at % 12]} boat, built for {THINGS[at % 10]} makers of the upper town and later sold",
             str(1850 + at)) for at in range(count)]  # fmt: skip


def register() -> bytes:
    """A ruled table over several pages with its head on each, and cells of two lines."""
    style = STYLES["Normal"]
    data: list[list[Any]] = [["No.", "Entry", "Year"]]
    data += [[number, Paragraph(entry, style), year] for number, entry, year in register_rows()]
    rules = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey)]
    table = Table(data, colWidths=[1.5 * cm, 8 * cm, 2 * cm], repeatRows=1, style=rules)

    def number(c: Canvas, document: Any) -> None:
        c.setFont("Helvetica", 8)
        c.drawRightString(19 * cm, 1.2 * cm, str(document.page))

    intro = Paragraph("Boats that were built in the harbour, in the order of their keels.", style)
    return built([Paragraph("Register of boats", STYLES["Title"]), intro, Spacer(1, 12), table], number)


def manual() -> bytes:
    """Headings of three levels, bullets, numbered steps, a link, a word parted at the end of a line."""
    normal = STYLES["Normal"]
    bullets = ListFlowable(
        [ListItem(Paragraph(text, normal)) for text in ("a plane", "a fine saw", "wax")], bulletType="bullet"
    )
    steps = [Paragraph(text, normal) for text in ("1. Sand the board.", "2. Warm the wax.", "3. Rub it in and wait.")]
    return built([
        Paragraph("Care of wooden boards", STYLES["Title"]),
        Paragraph("Tools", STYLES["Heading1"]),
        Paragraph("You need three things, which are in the box:", normal),
        bullets,
        Paragraph("Waxing", STYLES["Heading1"]),
        Paragraph("Before the winter", STYLES["Heading2"]),
        *steps,
        Spacer(1, 12),
        Paragraph('More is on <a href="https://harbour-timber.example/care">our page about care</a>.', normal),
    ])  # fmt: skip


JAPANESE = (
    ("商品", "数量", "価格"),
    ("木の椅子", "12", "4,800円"),
    ("木の机", "3", "26,500円"),
    ("本棚", "7", "18,200円"),
)


def japanese() -> bytes:
    """A table in Japanese."""
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiKakuGo-W5"))

    def draw(c: Canvas) -> None:
        c.setFont("HeiseiKakuGo-W5", 18)
        c.drawString(60, 770, "家具の価格表")
        c.setFont("HeiseiKakuGo-W5", 11)
        for at, row in enumerate(JAPANESE):
            for x, text in zip((60, 220, 320), row, strict=True):
                c.drawString(x, 730 - 20 * at, text)

    return drawn(draw)


def picture() -> ImageReader:
    """Give a picture to draw."""
    return ImageReader(Image.new("L", (60, 80), 200))


def scan(pages: int = 2) -> bytes:
    """Pages that are pictures."""

    def draw(c: Canvas) -> None:
        for _ in range(pages):
            c.drawImage(picture(), 0, 0, A4[0], A4[1])
            c.showPage()

    return drawn(draw)


def protected() -> bytes:
    """A document that opens with a password."""
    from reportlab.lib.pdfencrypt import StandardEncryption

    return drawn(lambda c: c.drawString(60, 700, "secret"), encrypt=StandardEncryption("open sesame"))


def plain_pages(count: int, lines: int = 3) -> bytes:
    """Many pages with a few lines each."""

    def draw(c: Canvas) -> None:
        for page in range(count):
            for line in range(lines):
                c.drawString(
                    60, 700 - 14 * line, f"Entry {page * lines + line + 1} of the log was written in the evening."
                )
            c.showPage()

    return drawn(draw)


MADE: dict[str, Callable[[], bytes]] = {
    "invoice": invoice, "price-list": price_list, "timetable": timetable, "article": article, "register": register,
    "manual": manual, "japanese": japanese, "scan": scan, "protected": protected,
}  # fmt: skip
