"""Which lines of a printed table are its head, its rows and their totals (DO-2)."""

from collections.abc import Callable, Sequence

import pytest
from gleaner.documents.reading import read_document
from gleaner.markdown import extract_clean_markdown
from gleaner.page.opening import open_page
from reportlab.pdfgen.canvas import Canvas

from tests.documents import made

pytestmark = pytest.mark.req("DO-2")

Rows = Sequence[Sequence[str]]
MEETINGS = (
    ("Date", "Meeting", "Venue", "Papers"),
    ("12 Mar", "Planning committee", "Council chamber", "Agenda"),
    ("19 Mar", "Full council", "Town hall", "Agenda"),
    ("2 Apr", "Parks working group", "Online", "Cancelled"),
)
XS = (60, 140, 290, 420)


def printed(rows: Rows, xs: Sequence[float] = XS, *, bold: int = 0, pitch: float = 20, rules: str = "") -> bytes:
    """Print rows, the first ones bold, with rules below each, between the head and the others, or around all."""

    def draw(c: Canvas) -> None:
        right = xs[-1] + 80
        for at, row in enumerate(rows):
            y = 700 - pitch * at
            c.setFont("Helvetica-Bold" if at < bold else "Helvetica", 9)
            for x, text in zip(xs, row, strict=True):
                for line, said in enumerate(text.split("\n")):
                    c.drawString(x, y - 11 * line, said)
            if (
                rules == "below"
                or (rules == "below rows" and at)
                or (rules == "between" and at == 0)
                or rules == "grid"
            ):
                c.line(xs[0] - 4, y - 7, right, y - 7)
        if rules == "grid":
            c.line(xs[0] - 4, 713, right, 713)
            for x in (*(x - 4 for x in xs), right):
                c.line(x, 713, x, 693 - pitch * (len(rows) - 1))

    return made.drawn(draw)


def cells_of(body: bytes) -> tuple[int, list[list[str]]]:
    """Give how many rows of the only table are heads, and the texts of all."""
    page = open_page(read_document(body, "it.pdf").html)
    (table,) = page.tables
    rows = [[page.nodes.said(cell) for cell in row.cells] for row in table.rows]
    return sum(row.section == "thead" for row in table.rows), rows


HEADS: dict[str, Callable[[], bytes]] = {
    "bold over a rule, each row over one": lambda: printed(MEETINGS, bold=1, rules="below"),
    "plain over a rule, each row over one": lambda: printed(MEETINGS, rules="below"),
    "bold over a rule": lambda: printed(MEETINGS, bold=1, rules="between"),
    "bold": lambda: printed(MEETINGS, bold=1),
}


@pytest.mark.parametrize("name", HEADS)
def test_names_of_columns_are_the_head_however_they_are_set_off(name: str) -> None:
    heads, rows = cells_of(HEADS[name]())
    assert (heads, rows) == (1, list(map(list, MEETINGS)))


TRAMS = (
    ("Route", "12", "12A", "X12"),
    *((stop, f"06:0{at}", f"07:0{at}", f"08:1{at}") for at, stop in enumerate("ABCD")),
)
LESSONS = (
    ("Day", "Hour", "Subject", "Room"),
    ("Monday", "9:00", "English", "First"),
    ("Monday", "10:40", "Algebra", "Third"),
    ("Tuesday", "9:00", "Physics", "Laboratory"),
)


@pytest.mark.parametrize("rules", ["", "between", "below", "grid"])
def test_bold_numbers_of_lines_name_the_columns_of_a_timetable(rules: str) -> None:
    assert cells_of(printed(TRAMS, bold=1, rules=rules)) == (1, list(map(list, TRAMS)))


def test_plain_names_over_one_column_of_figures_are_a_head() -> None:
    assert cells_of(printed(LESSONS, rules="grid")) == (1, list(map(list, LESSONS)))


def test_no_row_is_taken_for_a_head_where_nothing_sets_it_off() -> None:
    rows = [*LESSONS[1:], *LESSONS[1:]]
    assert cells_of(printed(rows, rules="grid")) == (0, list(map(list, rows)))


def test_lines_of_full_cells_that_stand_closer_are_one_row() -> None:
    rows = [
        ("Applicant", "Purpose", "Decision"),
        ("Coastal Path\nAssociation", "Repair of the signposts between\nthe lighthouse and the bay", "Approved"),
        ("Elm Tree Nursery", "Outdoor play area", "Approved"),
        ("Harbour Youth\nTheatre", "Lighting desk and staging for\nthe halls of the villages", "Declined"),
    ]

    def draw(c: Canvas) -> None:
        y = 700
        for at, row in enumerate(rows):
            c.setFont("Helvetica-Bold" if at == 0 else "Helvetica", 9)
            for x, text in zip((60, 140, 300), row, strict=True):
                for line, said in enumerate(text.split("\n")):
                    c.drawString(x, y - 11 * line, said)
            y -= 16 + 11 * row[0].count("\n")

    assert cells_of(made.drawn(draw)) == (1, [[text.replace("\n", " ") for text in row] for row in rows])


def test_rows_set_in_groups_stay_rows() -> None:
    rows = [("Country", "Capital", "Speech"), *((f"Land{at:02}", f"Town{at:02}", "plain") for at in range(9))]

    def draw(c: Canvas) -> None:
        for at, row in enumerate(rows):
            c.setFont("Helvetica-Bold" if at == 0 else "Helvetica", 9)
            for x, text in zip((60, 140, 220), row, strict=True):
                c.drawString(x, 700 - 11 * at - 6 * ((at + 2) // 3), text)

    assert cells_of(made.drawn(draw)) == (1, list(map(list, rows)))


@pytest.mark.parametrize(
    ("total", "tax", "due"), [("Subtotal", "VAT 20%", "Total due"), ("Sous-total", "TVA", "Net à payer")]
)
def test_taxes_among_the_totals_of_an_invoice_are_totals(total: str, tax: str, due: str) -> None:
    lines = [("Item", "Qty", "Price", "Amount"), ("Survey", "1", "42.00", "42.00"), ("Posts", "5", "14.20", "71.00")]
    sums = [(total, "", "", "113.00"), (tax, "", "", "22.60"), (due, "", "", "135.60")]
    page = open_page(read_document(printed([*lines, *sums], bold=1, rules="below"), "it.pdf").html)
    assert page.tables[0].kinds == ("head", "row", "row", "total", "total", "total")
    assert "135.60" in extract_clean_markdown(read_document(printed([*lines, *sums], bold=1), "it.pdf").html)[0]


def test_sums_without_a_number_below_rows_that_are_counted_are_the_foot() -> None:
    lines = [("Lp.", "Nazwa", "Netto", "VAT"), ("1", "Deska", "498,00", "23%"), ("2", "Klej", "81,00", "23%")]
    sums = [("", "Netto", "579,00", ""), ("", "Podatek", "133,17", ""), ("", "Do zapłaty", "712,17", "")]
    page = open_page(read_document(printed([*lines, *sums], bold=1, rules="grid"), "it.pdf").html)
    assert page.tables[0].kinds == ("head", "row", "row", "total", "total", "total")


def test_labels_over_a_framed_table_are_no_names_of_its_columns() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        for x, text in zip((56, 140, 290, 360), ("Email:", "ingrid@larsson.example", "Post:", "SY8 2HD"), strict=True):
            c.drawString(x, 732, text)
        for at, row in enumerate(
            (("Child", "Born", "Class"), ("Mia", "12.03.2018", "Two"), ("Otto", "30.09.2020", "One"))
        ):
            for x, text in zip((60, 200, 320), row, strict=True):
                c.drawString(x, 705 - 18 * at, text)
        for at in range(4):
            c.line(56, 717 - 18 * at, 420, 717 - 18 * at)
        for x in (56, 196, 316, 420):
            c.line(x, 717, x, 717 - 18 * 3)

    _, rows = cells_of(made.drawn(draw))
    assert rows[0] == ["Child", "Born", "Class"]
    assert len(rows) == 3


def test_coloured_tables_with_a_line_between_them_and_other_columns_are_two() -> None:
    def draw(c: Canvas) -> None:
        for top, edges in ((700, (60, 160, 230, 300, 370, 440)), (560, (60, 190, 300, 440))):
            c.setFont("Helvetica-Bold", 9)
            c.drawString(60, top + 22, "Mondays to Fridays" if top == 700 else "Sundays")
            for at in range(5):
                c.setFont("Helvetica-Bold" if at == 0 else "Helvetica", 10)
                for column, x in enumerate(edges[:-1]):
                    if at % 2:
                        c.setFillGray(0.9)
                        c.rect(x, top - 6 - 18 * at, edges[column + 1] - x, 18, stroke=0, fill=1)
                        c.setFillGray(0)
                    stop = "Stop" if at == 0 else f"Place {at}"
                    c.drawString(x + 4, top - 18 * at, stop if column == 0 else f"{6 + column + at}:1{at}")

    page = open_page(read_document(made.drawn(draw), "it.pdf").html)
    assert [(len(table.rows), len(table.rows[0].cells)) for table in page.tables] == [(5, 5), (5, 3)]
    assert "# Sundays" in page.text


def test_two_addresses_beside_each_other_are_not_the_head_of_what_ends_in_numbers() -> None:
    rows = [
        ("Seller", "Buyer"),
        ("Wood Ltd", "Stools and Sons"),
        ("4 Forest Road", "17 Field Lane"),
        ("NIP 8441234567", "NIP 8487654321"),
    ]
    heads, found = cells_of(printed(rows, (60, 300), pitch=14))
    assert (heads, found) == (0, list(map(list, rows)))


def test_titles_side_by_side_stand_over_tables_of_their_own() -> None:
    menu = {
        "Starters": ("Leek soup", "Terrine", "Goat cheese"),
        "Mains": ("Salmon", "Duck leg"),
        "Sweets": ("Tart", "Jelly"),
    }

    def draw(c: Canvas) -> None:
        for column, (title, dishes) in enumerate(menu.items()):
            c.setFont("Times-Bold", 14)
            c.drawString(40 + 170 * column, 700, title)
            c.setFont("Times-Roman", 11)
            for at, dish in enumerate(dishes):
                c.drawString(40 + 170 * column, 680 - 16 * at, dish)
                c.drawRightString(180 + 170 * column, 680 - 16 * at, f"{7 + column}.{at}0 EUR")

    page = open_page(read_document(made.drawn(draw), "it.pdf").html)
    assert [[page.nodes.said(row.cells[0]) for row in table.rows] for table in page.tables] == list(
        map(list, menu.values())
    )
    assert all(f"# {title}" in page.text for title in menu)


def test_a_title_beside_the_number_of_a_page_names_no_column() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica-Bold", 13)
        c.drawString(56, 738, "Your statement")
        c.setFont("Helvetica", 8)
        c.drawRightString(400, 738, "Page 1 of 2")
        for at, row in enumerate(
            (
                ("Date", "Posted", "Payee", "Amount"),
                *((f"0{k} MAR", f"0{k + 1} MAR", "SHOP", f"{k}.10") for k in range(1, 6)),
            )
        ):
            c.setFont("Helvetica-Bold" if at == 0 else "Helvetica", 8)
            for x, text in zip((56, 120, 180), row[:3], strict=True):
                c.drawString(x, 722 - 15 * at, text)
            c.drawRightString(400, 722 - 15 * at, row[3])

    heads, rows = cells_of(made.drawn(draw))
    assert (heads, rows[0], len(rows)) == (1, ["Date", "Posted", "Payee", "Amount"], 6)


def test_headings_in_frames_part_lists_of_labels_and_values() -> None:
    parts = {
        "Personal details": (("Surname", "Achterberg"), ("First name", "Willem Jan"), ("Telephone", "0117 496 0022")),
        "Medical questions": (("Blood group", "0"), ("Allergies", "Penicillin, latex"), ("Diabetes", "none")),
    }

    def draw(c: Canvas) -> None:
        for title, top in zip(parts, (700, 600), strict=True):
            c.setFont("Helvetica-Bold", 15)
            c.rect(56, top - 5, 480, 20)
            c.drawString(56, top, title)
            c.setFont("Helvetica", 10)
            for at, (name, value) in enumerate(parts[title]):
                c.drawString(56, top - 26 - 22 * at, name)
                c.drawString(200, top - 26 - 22 * at, value)

    page = open_page(read_document(made.drawn(draw), "it.pdf").html)
    found = [[tuple(page.nodes.said(cell) for cell in row.cells) for row in table.rows] for table in page.tables]
    assert found == list(map(list, parts.values()))


def test_labels_over_a_head_between_two_rules_are_no_names_of_its_columns() -> None:
    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        for at, row in enumerate((("Sample", "W-26", "Sampled", "11 May"), ("Place", "Kitchen", "Received", "12 May"))):
            for x, text in zip((56, 140, 230, 320), row, strict=True):
                c.drawString(x, 760 - 18 * at, text)
        rows = (
            ("Parameter", "Result", "Unit", "Limit"),
            ("Nitrate", "18.2", "mg/l", "50"),
            ("Iron", "0.21", "mg/l", "0.2"),
        )
        for at, row in enumerate(rows):
            for x, text in zip((60, 150, 240, 330), row, strict=True):
                c.drawString(x, 720 - 18 * at, text)
        for y in (732, 714, 678):
            c.line(56, y, 400, y)

    page = open_page(read_document(made.drawn(draw), "it.pdf").html)
    assert [page.nodes.said(cell) for cell in page.tables[-1].rows[0].cells] == ["Parameter", "Result", "Unit", "Limit"]


def test_names_at_the_left_of_figures_at_the_right_of_wide_columns_stand_over_their_own() -> None:
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"]
    rows = [[str(at * times) for at in range(6)] for times in range(1, 6)]

    def draw(c: Canvas) -> None:
        for x, name in zip(range(60, 420, 60), names, strict=True):
            c.drawString(x, 700, name)
        for line, row in enumerate(rows, 1):
            for x, text in zip(range(118, 478, 60), row, strict=True):
                c.drawRightString(x, 700 - 16 * line, text)

    assert cells_of(made.drawn(draw)) == (1, [names, *rows])


def test_rows_above_a_list_that_begins_with_one_are_rows_of_their_own() -> None:
    things = (("alpha", "1.5"), ("beta", "22.75"), ("gamma", "333"), ("delta", "0.125"))

    def draw(c: Canvas) -> None:
        for line, (name, value) in enumerate((("Thing", "Value"), *things)):
            c.drawString(140, 700 - 18 * line, name)
            c.drawString(260, 700 - 18 * line, value)
        for line, text in enumerate(("first of the notes", "second of them"), 5):
            c.drawString(60, 700 - 18 * line, str(line - 4))
            c.drawString(140, 700 - 18 * line, text)

    said = extract_clean_markdown(read_document(made.drawn(draw), "it.pdf").html)[0]
    assert all(any(name in line and value in line for line in said.splitlines()) for name, value in things)
    assert "alpha beta" not in said


def test_names_right_under_addresses_belong_to_the_table_below_them() -> None:
    head = ("Description", "Qty", "Unit price", "Amount")
    lines = (
        ("Rope of hemp, tarred, 10 m, for use on boats alone", "2", "12.50", "25.00"),
        ("Delivery to the island by ferry, weather permitting", "1", "15.00", "15.00"),
        ("Anchor", "1", "199.00", "199.00"),
    )

    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 10)
        for line, (left, right) in enumerate(
            (("Anna Smith", "Bob Brown"), ("4 Quay Street", "9 Mill Lane"), ("Leith", "Hull"))
        ):
            c.drawString(60, 740 - 12 * line, left)
            c.drawString(270, 740 - 12 * line, right)
        for line, row in enumerate((head, *lines)):
            c.drawString(60, 690 - 17 * line, row[0])
            for x, text in zip((350, 420, 490), row[1:], strict=True):
                c.drawRightString(x, 690 - 17 * line, text)

    said = extract_clean_markdown(read_document(made.drawn(draw), "it.pdf").html)[0]
    shown = [f"| {' | '.join(row)} |" for row in (head, *lines)]
    assert "\n".join([shown[0], "| --- | --- | --- | --- |", *shown[1:]]) in said


@pytest.mark.parametrize("rules", [False, True])
def test_a_high_cell_beside_its_number_in_the_middle_is_one_row(*, rules: bool) -> None:
    texts = (
        "The lamp by the gate\nhas been out since\nMonday",
        "Bins were left full",
        "A tree has fallen\nover the path",
    )
    heads = ("No.", "Received", "Street", "Complaint", "Status")

    def draw(c: Canvas) -> None:
        xs, y = (60, 110, 190, 280, 420), 700
        c.setFont("Helvetica-Bold", 12)
        for x, text in zip(xs, heads, strict=True):
            c.drawString(x, y, text)
        c.setFont("Helvetica", 12)
        c.line(56, y - 8, 470, y - 8)
        for at, text in enumerate(texts * 3):
            lines = text.split("\n")
            y -= 12 + 13 * len(lines)
            middle = y + 6.5 * (len(lines) - 1)
            for x, said in zip(xs, (str(41 + at), f"{at + 3} May", f"Quay {at}", "", "open"), strict=True):
                c.drawString(x, middle, said)
            for line, said in enumerate(reversed(lines)):
                c.drawString(xs[3], y + 13 * line, said)
            if rules:
                c.line(56, y - 8, 470, y - 8)

    rows = [[str(41 + at), f"{at + 3} May", f"Quay {at}", text, "open"] for at, text in enumerate(texts * 3)]
    assert cells_of(made.drawn(draw)) == (1, [list(heads), *([s.replace("\n", " ") for s in row] for row in rows)])


def test_a_row_of_many_lines_between_two_rules_parts_no_table() -> None:
    texts = ("Bins", "The lamp by\nthe gate has\nbeen out\nsince some\nday in May", "Dogs")
    rows = [("No.", "Received", "Street", "Complaint", "Status")]
    rows += [
        (str(at), f"{at} May", "Quay\nStreet" if "\n" in text else "Elm Way", text, "open")
        for at, text in enumerate(texts * 2, 4)
    ]

    def draw(c: Canvas) -> None:
        xs, y = (60, 110, 190, 280, 420), 700
        for row in rows:
            c.setFont("Helvetica-Bold" if y == 700 else "Helvetica", 12)
            for x, text in zip(xs, row, strict=True):
                for line, said in enumerate(text.split("\n")):
                    c.drawString(x, y - 13 * line, said)
            y -= 13 * max(text.count("\n") for text in row)
            for left, right in zip(xs, (*xs[1:], 480), strict=True):
                c.line(left, y - 8, right, y - 8)
            y -= 22

    assert cells_of(made.drawn(draw)) == (1, [[text.replace("\n", " ") for text in row] for row in rows])


@pytest.mark.parametrize("bold", [0, 1])
def test_the_first_row_stands_over_the_first_of_rules_that_are_below_rows_alone(bold: int) -> None:
    rows = [("Name", "Price", "Pieces", "Place"), *((f"Jug {at}", f"{at}.50", str(at), "Shelf") for at in range(1, 9))]
    found = cells_of(printed(rows, bold=bold, rules="below rows"))
    assert found == (1, list(map(list, rows)))
