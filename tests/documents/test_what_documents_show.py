"""Tables, characters, and what is seen of a PDF, as real programs write them (DO-2)."""

from collections.abc import Callable, Sequence
from itertools import pairwise, product

import pytest
from gleaner.documents.page import PageContents, Word
from gleaner.documents.page_numbers import PageNumbers
from gleaner.documents.pdf.characters import join_touching
from gleaner.documents.reading import read_document
from gleaner.documents.tables.shared_starts import count_starts, shared_starts
from gleaner.markdown import extract_clean_markdown
from reportlab.pdfgen.canvas import Canvas

from tests.documents import made

pytestmark = pytest.mark.req("DO-2")

Rows = Sequence[tuple[str, ...]]
TRADE = [
    ("Country", "Domestic", "Imported", "Total"),
    ("Austria", "86.2", "13.8", "3,375"),
    ("Belgium", "0", "12.5", "3,973"),
    ("Cyprus", "81.0", "3.8", "158"),
    ("Denmark", "3.1", "10.2", "1,662"),
]
SHELF = [("Oak board", "12", "24.90"), ("Larch beam", "4", "61.00"), ("Pine lath", "40", "1.80")]
EDGES = (40, 140, 220, 300, 360)


def markdown_of(body: bytes) -> str:
    return extract_clean_markdown(read_document(body, "it.pdf").html)[0]


def table_of(head: tuple[str, ...], rows: Rows) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows))


def write(c: Canvas, rows: Rows, y: float, xs: Sequence[float] = EDGES, pitch: float = 18) -> None:
    """Write rows of cells from a height down, the first of them bold."""
    for at, cells in enumerate(rows):
        c.setFont("Helvetica-Bold" if at == 0 else "Helvetica", 9)
        for x, text in zip(xs, cells, strict=False):
            c.drawString(x + 4, y - 12 - pitch * at, text)


@pytest.mark.parametrize("is_closed", [True, False])
def test_rules_between_rows_alone_leave_each_value_in_its_column(is_closed: bool) -> None:
    def draw(c: Canvas) -> None:
        write(c, TRADE, 700)
        for at in range(len(TRADE) + 1):
            c.line(EDGES[0], 700 - 18 * at, EDGES[-1], 700 - 18 * at)
        for x in EDGES[:: len(EDGES) - 1] if is_closed else ():
            c.line(x, 700, x, 700 - 18 * len(TRADE))

    assert markdown_of(made.drawn(draw)) == table_of(TRADE[0], TRADE[1:])


def test_borders_drawn_in_pieces_are_one_table() -> None:
    def draw(c: Canvas) -> None:
        write(c, TRADE, 700)
        for at in range(len(TRADE)):
            for x in EDGES:
                c.line(x, 699.7 - 18 * at, x, 682.3 - 18 * at)
        for y in (700, 682, 700 - 18 * len(TRADE)):
            for left, right in pairwise(EDGES):
                c.line(left, y, right, y)

    assert markdown_of(made.drawn(draw)) == table_of(TRADE[0], TRADE[1:])


def test_tables_under_each_other_with_the_same_columns_are_one() -> None:
    def draw(c: Canvas) -> None:
        write(c, TRADE, 700)
        for top, count in ((700, 3), (700 - 18 * 3 - 2, 2)):
            for at in range(count + 1):
                c.line(EDGES[0], top - 17.5 * at, EDGES[-1], top - 17.5 * at)
            for x in EDGES:
                c.line(x, top, x, top - 17.5 * count)

    assert markdown_of(made.drawn(draw)) == table_of(TRADE[0], TRADE[1:])


def test_a_head_of_two_lines_is_one_and_the_title_above_it_no_row() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica-Bold", 9)
        for x, names in zip(EDGES, (("Lamp", "name"), ("Unit price", "(GBP)"), ("In stock", "")), strict=False):
            for at, text in enumerate(names):
                c.drawString(x, 700 - 11 * at, text)
        write(c, [("",), *SHELF], 695, [x - 4 for x in EDGES])

    head = ("Lamp name", "Unit price (GBP)", "In stock")
    assert markdown_of(made.drawn(draw)) == table_of(head, SHELF)


@pytest.mark.parametrize("angle", [45, 90])
def test_slanted_and_vertical_heads_stand_over_their_columns(angle: int) -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        for x, name in zip(EDGES[1:], TRADE[0][1:], strict=False):
            c.saveState()
            c.translate(x + 12, 700)
            c.rotate(angle)
            c.drawString(0, 0, name)
            c.restoreState()
        write(c, [("",), *TRADE[1:]], 700)

    assert markdown_of(made.drawn(draw)) == table_of(("", *TRADE[0][1:]), TRADE[1:])


def test_a_cell_that_its_text_fills_ends_at_the_wall() -> None:
    edges = (40, 150, 270, 340)

    def draw(c: Canvas) -> None:
        rows = [("Name", "Address", "Zip"), ("Anna", "12 Mill Lane", "55104"), ("", "2165 Prince Avenue", "55105")]
        write(c, rows, 700, [x - 4.2 for x in edges])
        c.drawRightString(edges[1] - 0.2, 652, "Maximilian & Elizab")
        for at in range(4):
            c.line(edges[0], 700 - 18 * at, edges[3], 700 - 18 * at)
        for x in edges:
            c.line(x, 700, x, 700 - 18 * 3)

    assert "| Maximilian & Elizab | 2165 Prince Avenue | 55105 |" in markdown_of(made.drawn(draw))


def test_the_end_of_a_page_cuts_no_row_in_two() -> None:
    def draw(c: Canvas) -> None:
        write(c, [("Article", "Pieces", "Price"), *SHELF, ("Ash pole", "3", "7.00")], 120)
        c.showPage()
        write(c, [("Article", "Pieces", "Price"), ("", "of best"), *SHELF], 780)

    assert "| Ash pole | 3 of best | 7.00 |\n| Oak board | 12 |" in markdown_of(made.drawn(draw))


def test_underlines_and_strikes_are_no_borders() -> None:
    def draw(c: Canvas) -> None:
        write(c, [("Article", "Pieces", "Price"), *SHELF], 700)
        c.line(EDGES[0] + 4, 667, EDGES[0] + 46, 667)
        c.line(EDGES[2] + 4, 655, EDGES[2] + 30, 655)

    rows = [SHELF[0], ("Larch beam", "4", "~~61.00~~"), SHELF[2]]
    assert markdown_of(made.drawn(draw)) == table_of(("Article", "Pieces", "Price"), rows)


def test_charts_are_no_tables() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        c.drawString(60, 780, "Sales grew.")
        for at in range(6):
            c.line(80, 500 + 40 * at, 400, 500 + 40 * at)
            c.drawRightString(75, 497 + 40 * at, str(20 * at))
            c.drawCentredString(80 + 64 * at, 485, str(2020 + at))
        for at, height in enumerate((90, 10, 170, 60, 190)):
            c.bezier(80 + 64 * at, 500 + height, 100 + 64 * at, 690, 120 + 64 * at, 510, 144 + 64 * at, 560)

    assert "| --- |" not in markdown_of(made.drawn(draw))


def lines(*texts: str, font: str = "Helvetica", size: float = 10, y: float = 700) -> Callable[[Canvas], None]:
    def draw(c: Canvas) -> None:
        c.setFont(font, size)
        for at, text in enumerate(texts):
            c.drawString(60, y - 1.3 * size * at, text)

    return draw


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("Please order the lamp with the code AB-", "1234 from us until the end of June."), "AB-1234"),
        (("Write about it to the address ann-", "roe@shop.example until the end of it."), "ann-roe@shop.example"),
        (("It is described on https://a.example/long-", "lamp where you find the sizes as well."), "long-lamp"),
        (("Call the workshop at the number 020-", "7946 between eight and five o'clock."), "020-7946"),
        (("The shop has been open since the 2026-", "05-01 and it is closed on each Monday."), "2026-05-01"),
        (("The lamps are still made by the manu-", "facturer who has made them for years."), "the manufacturer who"),
        (("P R I C E   L I S T", "of lamps"), "PRICE LIST"),
    ],
)
def test_words_are_what_a_person_reads(texts: tuple[str, ...], said: str) -> None:
    assert said in markdown_of(made.drawn(lines(*texts)))


def test_ligatures_and_bullets_of_old_encodings_are_the_characters_that_they_stand_for() -> None:
    meaning = b"2 beginbfchar <31> <FB01> <32> <0095> endbfchar 1 beginbfrange <41> <7A> <0041> endbfrange"
    content = b"BT /F1 20 Tf 40 200 Td (2) Tj 20 0 Td (Of1ce) Tj ET"
    assert markdown_of(made.painted(content, meaning)) == "- Office"


def test_leader_dots_are_drawing_and_the_numbers_of_headings_text() -> None:
    markdown = markdown_of(made.drawn(lines("1 Lamps " + "." * 60 + " 4", "2 Chairs " + "." * 58 + " 17")))
    assert ".." not in markdown
    assert all(text in markdown for text in ("Lamps", "4", "Chairs", "17"))


@pytest.mark.parametrize("size", [6, 8])
def test_raised_figures_are_marks(size: float) -> None:
    def draw(c: Canvas) -> None:
        write(c, [("Article", "Price", "Stock"), ("Oak board", "1,250", "12"), ("Larch beam", "980", "4")], 700)
        c.setFont("Helvetica", size)
        for y, text, mark in ((670, "1,250", "1"), (652, "980", "2")):
            c.drawString(EDGES[1] + 4 + c.stringWidth(text, "Helvetica", 9), y + 4, mark)

    rows = [("Oak board", "1,250^1", "12"), ("Larch beam", "980^2", "4")]
    assert markdown_of(made.drawn(draw)) == table_of(("Article", "Price", "Stock"), rows)


@pytest.mark.parametrize("shift", [(0.4, 0), (0.6, 0.6)])
def test_words_that_are_printed_twice_are_one(shift: tuple[float, float]) -> None:
    def draw(c: Canvas) -> None:
        for times in (0, 1):
            write(
                c,
                [("Article", "Pieces", "Price"), *SHELF],
                700 - shift[1] * times,
                [x + shift[0] * times for x in EDGES],
            )

    assert markdown_of(made.drawn(draw)) == table_of(("Article", "Pieces", "Price"), SHELF)


def test_letters_from_right_to_left_that_touch_are_one_word() -> None:
    def word(x0: float, x1: float, text: str) -> Word:
        return Word(x0, 70, x1, 80, text, base=78)

    parts = [word(91, 117, "الأ"), word(67, 91, "س"), word(30, 67.5, "عار"), word(5, 27, "كل"), word(0, 5, "one")]
    parts += [word(130 + 20 * at, 140 + 20 * at, "far") for at in range(5)]
    assert [one.text for one in join_touching(parts)] == ["الأسعار", "كل", "one", *["far"] * 5]


def test_letters_that_are_drawn_one_by_one_under_each_other_are_words() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        for column, row in product(range(3), range(6)):
            x = 60 + 180 * column
            for letter in f"Keller {column}{row}":
                c.drawString(x, 780 - 14 * row, letter)
                x += c.stringWidth(letter, "Helvetica", 9)

    said = markdown_of(made.drawn(draw))
    assert all(f"Keller {column}{row}" in said for column, row in product(range(3), range(6)))


@pytest.mark.parametrize("glyph", [b"06440627", b"06270644"])
def test_a_glyph_of_two_letters_is_read_as_it_is_spelled_whichever_way_round_it_is_given(glyph: bytes) -> None:
    meaning = b"3 beginbfchar <4D> <0645> <4C> <%s> <53> <0633> endbfchar" % glyph
    assert markdown_of(made.painted(b"BT /F1 20 Tf 40 200 Td (MLS) Tj ET", meaning)) == "سلام"


def test_a_mark_stands_behind_the_letter_that_it_is_drawn_over() -> None:
    meaning = b"5 beginbfchar <41> <0639> <4D> <0645> <4C> <0627> <4E> <0646> <53> <0651> endbfchar"
    letters = b"BT /F1 20 Tf 40 200 Td (NLMA) Tj ET BT /F1 10 Tf 1 0 0 1 72 214 Tm (S) Tj ET"
    assert markdown_of(made.painted(letters, meaning)) == "عمّان"


def test_a_blank_at_which_no_line_breaks_is_within_a_number_and_between_words_only() -> None:
    meaning = b"1 beginbfchar <7E> <202F> endbfchar 2 beginbfrange <20> <7D> <0020> endbfrange"
    content = b"".join(
        b"BT /F1 10 Tf 1 0 0 1 %d %d Tm (%s) Tj ET " % (x, 250 - 18 * at, text)
        for at, row in enumerate(
            [(b"Lamp", b"17", b"1~004,93"), (b"Vase", b"27", b"520,79"), (b"Tray", b"12", b"3~520,79")]
        )
        for x, text in zip((40, 140, 200 + 9 * (len(row[2]) < 8)), row, strict=True)
    )
    assert "| Lamp | 17 | 1\u202f004,93 |" in markdown_of(made.painted(content, meaning))


def test_program_text_keeps_its_indentation() -> None:
    def draw(c: Canvas) -> None:
        lines("Run this:", y=720)(c)
        lines("def total(rows):", "    for row in rows:", "        n += row.price", font="Courier", size=9)(c)
        lines("Then look at the number.", y=640)(c)

    code = "```\ndef total(rows):\n    for row in rows:\n        n += row.price\n```"
    assert markdown_of(made.drawn(draw)) == f"Run this:\n\n{code}\n\nThen look at the number."


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F1 -11 Tf -1 0 0 -1 40 250 Tm (Special price 49.90) Tj ET",
        b"/Pattern cs /P1 scn BT /F1 20 Tf 40 200 Td (Special price 49.90) Tj ET",
        b"1 g 0 G 0.6 w 2 Tr BT /F1 20 Tf 40 200 Td (Special price 49.90) Tj ET",
        b"q BT /F1 20 Tf 7 Tr 40 200 Td (Special price 49.90) Tj ET 1 0 0 rg 0 0 400 300 re f Q",
        b"0 g 30 190 300 40 re f 1 g BT /F1 20 Tf 40 200 Td (Special price 49.90) Tj ET",
    ],
    ids=["negative size", "gradient", "outlined", "clip of an area", "white on black"],
)
def test_what_is_seen_is_text_however_it_is_painted(content: bytes) -> None:
    assert "Special price 49.90" in markdown_of(made.painted(content))


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F1 20 Tf 40 200 Td (Special price 49.90) Tj ET 0.8 g 30 190 300 40 re f",
        b"0 g 30 190 300 40 re f BT /F1 20 Tf 40 200 Td (Special price 49.90) Tj ET",
        b"q 0 0 10 10 re W n BT /F1 20 Tf 40 200 Td (Special price 49.90) Tj ET Q",
        b"BT /F1 20 Tf 40 900 Td (Special price 49.90) Tj ET",
        b"BT 3 Tr /F1 20 Tf 40 200 Td (Special price 49.90) Tj ET",
        b"/Span << /ActualText (Special price 49.90) >> BDC BT /F1 20 Tf 40 200 Td (Plain) Tj ET EMC",
    ],
    ids=["covered", "dark on dark", "clipped", "off the page", "invisible", "said beside the letters"],
)
def test_what_is_not_seen_is_no_text_and_counted(content: bytes) -> None:
    document = read_document(made.painted(content + b" 0 Tr 0 g BT /F1 10 Tf 40 100 Td (Article A-1) Tj ET"), "it.pdf")
    assert "Special" not in document.html
    assert document.warnings == ("3 words that nobody can see were left out (page 1)",)


def test_a_margin_note_neither_turns_the_page_nor_is_lost() -> None:
    def draw(c: Canvas) -> None:
        write(c, [("Article", "Pieces", "Price"), *SHELF], 700, (60, 180, 260))
        c.translate(20, 20)
        c.rotate(90)
        c.setFont("Helvetica", 6)
        c.drawString(0, 0, "Registered office: 4 Mill Lane, Ashford. Company number 01234567. All prices without tax.")

    markdown = markdown_of(made.drawn(draw))
    assert table_of(("Article", "Pieces", "Price"), SHELF) in markdown
    assert markdown.endswith("Company number 01234567. All prices without tax.")


def test_a_page_whose_long_lines_all_stand_in_the_margin_is_read() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 10)
        c.drawString(60, 270, "Invoice 1001")
        c.translate(20, 20)
        c.rotate(90)
        c.drawString(0, 0, "Registered office: 4 Mill Lane. Company no. 01234567.")

    assert "Invoice 1001" in markdown_of(made.drawn(draw, size=(400, 300)))


def test_check_boxes_and_choices_say_their_state() -> None:
    def draw(c: Canvas) -> None:
        lines("Newsletter", "", "Telephone", "", "Country", y=700)(c)
        form = c.acroForm
        form.checkbox(name="c", checked=True, x=140, y=696, size=14)
        form.checkbox(name="d", checked=False, x=140, y=670, size=14)
        form.choice(name="o", value="Austria", options=["Austria", "Belgium"], x=140, y=642, width=120, height=16)

    markdown = markdown_of(made.drawn(draw))
    assert all(said in markdown for said in ("| Newsletter | ☑ |", "| Telephone | ☐ |", "| Country | Austria |"))


def test_the_outline_of_a_document_gives_its_headings() -> None:
    def draw(c: Canvas) -> None:
        lines("Care of boards", y=740)(c)
        lines("Wax them before each winter and keep them dry.")(c)
        c.bookmarkPage("care")
        c.addOutlineEntry("Care of boards", "care", 0)

    assert markdown_of(made.drawn(draw)).startswith("# Care of boards\n")


def test_cards_side_by_side_are_read_one_by_one() -> None:
    def draw(c: Canvas) -> None:
        for at, name in enumerate(("Floor lamp", "Desk lamp", "Wall lamp")):
            x = 50 + 170 * at
            c.rect(x, 600, 150, 100)
            c.setFont("Helvetica-Bold", 11)
            c.drawString(x + 10, 680, name)
            c.setFont("Helvetica", 9)
            c.drawString(x + 10, 660, "It is made of ash and")
            c.drawString(x + 10, 648, "stands on its own.")
            c.drawString(x + 10, 620, f"{40 + at}.50")

    markdown = markdown_of(made.drawn(draw))
    places = [markdown.index(said) for said in ("Floor lamp", "40.50", "Desk lamp", "41.50", "Wall lamp", "42.50")]
    assert places == sorted(places)


@pytest.mark.parametrize("gap", [9, 14])
def test_cards_in_columns_without_frames_are_read_one_by_one(gap: float) -> None:
    cards = [(f"{wood} tray", f"Item K{100 + at}", f"{at + 3}.50 €") for at, wood in enumerate(made.WOODS)]

    def draw(c: Canvas) -> None:
        for at, card in enumerate(cards):
            for line, text in enumerate(card):
                c.setFont("Helvetica" if line else "Helvetica-Bold", 9)
                c.drawString(60 + 160 * (at % 3), 700 - (33 + gap) * (at // 3) - 11 * line, text)

    said = markdown_of(made.drawn(draw))
    assert all(f"# {name}\n\n{item}\n{price}" in said for name, item, price in cards)
    assert "|" not in said


def test_each_place_of_the_markdown_has_the_number_of_its_page() -> None:
    document = read_document(made.price_list(), "it.pdf")
    markdown = extract_clean_markdown(document.html)[0]
    numbers = PageNumbers(markdown, document.html, document.pages)
    found = [numbers.at(markdown.index(code)) for code, *_ in made.price_rows()]
    assert found == [1] * 32 + [2] * 32 + [3] * 32


COUNTED = [
    (
        ("1", "C 17/26", "C 18/26"),
        ("ALDER AND OTHERS", "v. HARBOUR BOARD OF", "THE NORTHERN TOWNS"),
        ("MR. BECK AND SONS",),
    ),
    (("2", "C 40/26"), ("BIRCH", "v. STATE"), ("MS. CARR, MR. DEAN,", "MR. EYRE FOR A.", "MRS. FINNEGAN  FOR R.")),
    (("3", "C 41/26", "C 77/26"), ("CEDAR (MINOR)", "v. STATE"), ("MR. GRAY FOR A.",)),
]
"""The number and the codes, the parties and the counsel of three cases, by lines."""


def court_list(c: Canvas) -> None:
    """Draw two pages of cases, the lines of each cell on heights of their own and the blanks between cases uneven."""
    for page in (0, 1):
        c.setFont("Courier-Bold", 9)
        for x, text in ((60, "COURT :"), (160, "5"), (240, f"({188 + page})"), (420, "14/08/26")):
            c.drawString(x, 800, text)
        c.setFont("Courier-Bold", 15)
        c.drawString(60, 750, "BEFORE NOTICE")
        c.setFont("Courier-Bold", 9)
        y = 725.0
        for case, blank in zip(COUNTED, (3, 20, 3), strict=True):
            (number, *codes), *others = case
            c.drawString(35, y, str(int(number) + 3 * page))
            for x, down, texts in zip((65, 200, 360), (0, 1.5, 0.8), (codes, *others), strict=True):
                for at, text in enumerate(texts):
                    c.drawString(x, y - down - 11 * at, text)
            y -= 11 * max(map(len, (codes, *others))) + blank
        c.showPage()


def test_rows_that_are_counted_are_rows_whatever_the_blanks_between_them_are() -> None:
    markdown = markdown_of(made.drawn(court_list))
    rows = [line for line in markdown.splitlines() if line.startswith("| ") and "---" not in line]
    said = [
        f"| {' | '.join((str(int(number) + 3 * page), *(' '.join(' '.join(cell).split()) for cell in cells)))} |"
        for page in (0, 1)
        for (number, *codes), *others in COUNTED
        for cells in [(codes, *others)]
    ]
    assert rows == said
    assert "COURT" not in markdown  # a head that numbers the pages is left out


NUMBERS = ((117, 118, 119), (127,), (137, 138), (147,))
COUNSEL = ("MR. R. FELL, MS. O.", "PIKE FOR PET.", "MR. K. AMIN FOR RES.")
PARTIES = ("TAMSIN HOLLOWAY AND", "OTHERS", "Vs HARBOUR TIMBER")


def codes_of(number: int) -> tuple[str, ...]:
    """Give the codes of a case: some have a gap as wide as one between columns."""
    return ("CM(5084/2026)  IN" if number in (117, 138) else "WP(C) 1900/2026", "RFA 40/2025", "STAY OF ALL ORDERS")


def test_columns_of_a_page_with_one_row_are_those_of_the_pages_around_it() -> None:
    def draw(c: Canvas) -> None:
        for numbers in NUMBERS:
            c.setFont("Courier", 10)
            for at, number in enumerate(numbers):
                cells = ((str(number),), codes_of(number), PARTIES, COUNSEL)
                for x, lines in zip((40, 66, 180, 300), cells, strict=True):
                    for line, text in enumerate(lines):
                        c.drawString(x, 700 - 60 * at - 12 * line, text)
            c.showPage()

    said = markdown_of(made.drawn(draw))
    assert [line for line in said.splitlines() if line.startswith("| 1")] == [
        f"| {number} | {' '.join(' '.join(codes_of(number)).split())} | {' '.join(PARTIES)} | {' '.join(COUNSEL)} |"
        for numbers in NUMBERS
        for number in numbers
    ]


def test_figures_that_a_cell_beside_the_head_names_are_part_of_it() -> None:
    stops = [("From", "Quay", "10.00", "11.10"), ("", "Mill", "10.03", "11.13"), ("To", "Hill", "10.09", "11.18")]
    xs = (40, 80, 180, 240, 300)

    def draw(c: Canvas) -> None:
        for at, cells in enumerate([("", "", "Steam", "Diesel"), ("", "Train no.:", "71", "93"), *stops]):
            c.setFont("Helvetica-Bold" if at < 3 else "Helvetica", 9)
            for x, text in zip(xs, cells, strict=False):
                c.drawString(x + 4, 688 - 18 * at, text)
            c.line(xs[2] if at == 1 else xs[0], 700 - 18 * at, xs[-1], 700 - 18 * at)
        c.line(xs[0], 700 - 18 * 5, xs[-1], 700 - 18 * 5)
        for x in xs:
            c.line(x, 700, x, 700 - 18 * 5)

    head = ("", "Train no.:", "Steam 71", "Diesel 93")
    assert markdown_of(made.drawn(draw)) == table_of(head, stops)


@pytest.mark.parametrize(("first", "starts"), [("{}", (40, 200, 360)), ("line {}", ())])
def test_columns_go_over_pages_where_the_first_one_counts_and_text_in_columns_has_none(
    first: str, starts: tuple[int, ...]
) -> None:
    def page(number: int) -> PageContents:
        texts = [(first.format(20 * number + at), "some words", "other words") for at in range(20)]
        words = [
            Word(x, 10 * at, x + 40, 10 * at + 8, text, 8, 10 * at + 7)
            for at, row in enumerate(texts)
            for x, text in zip((40, 200, 360), row, strict=True)
        ]
        return PageContents(number, 600, 800, words)

    assert shared_starts([count_starts(page(number)) for number in range(3)]) == starts
