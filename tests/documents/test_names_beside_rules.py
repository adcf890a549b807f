"""Names of rows that stand beside the rules of a table, far from its figures, belong to their rows (DO-2)."""

import pytest
from gleaner.documents.reading import read_document
from gleaner.page.opening import open_page
from reportlab.pdfgen.canvas import Canvas

from tests.documents import made

pytestmark = pytest.mark.req("DO-2")
WARDS = ("Alne", "Byland and Coxwold", "Crayke", "Dalton in Topcliffe", "Easingwold", "Husthwaite")
PROSE = (
    "The polling stations of the ward were",
    "open from seven to ten and most of the",
    "votes were cast before noon, as in the",
    "years before, when the count took until",
    "the next morning and its result was not",
    "known to the candidates until late that",
)


def with_beside(texts: tuple[str, ...], step: float = 20) -> bytes:
    """Print a table of three ruled columns, with texts to the left of it."""

    def draw(c: Canvas) -> None:
        c.setFont("Helvetica", 9)
        for at, text in enumerate(texts):
            c.drawString(50, 680 - step * at, text)
        for column, name in enumerate(("Voters", "Ballots", "Spoilt")):
            c.drawString(254 + 80 * column, 700, name)
            for at in range(len(WARDS)):
                c.drawRightString(320 + 80 * column, 680 - 20 * at, str(900 + 37 * at * (column + 1)))
        for line in range(len(WARDS) + 2):
            c.line(250, 713 - 20 * line, 490, 713 - 20 * line)
        for side in range(4):
            c.line(250 + 80 * side, 713, 250 + 80 * side, 713 - 20 * (len(WARDS) + 1))

    return made.drawn(draw)


def rows_of(body: bytes) -> list[list[str]]:
    page = open_page(read_document(body, "it.pdf").html)
    (table,) = page.tables
    return [[page.nodes.said(cell) for cell in row.cells] for row in table.rows]


def test_names_under_each_other_are_the_first_column_however_far_they_end_from_the_rules() -> None:
    rows = rows_of(with_beside(WARDS))
    assert [row[0] for row in rows] == ["", *WARDS]
    assert rows[2] == ["Byland and Coxwold", "937", "974", "1011"]


@pytest.mark.parametrize(("texts", "step"), [(PROSE, 20.0), (WARDS, 14.0), (WARDS[:2], 20.0)])
def test_text_beside_a_table_that_names_no_rows_stays_beside_it(texts: tuple[str, ...], step: float) -> None:
    body = with_beside(texts, step)
    assert {len(row) for row in rows_of(body)} == {3}
    text = " ".join(open_page(read_document(body, "it.pdf").html).text.split())
    assert all(said in text for said in texts)
