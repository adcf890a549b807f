"""What a PDF says in place of letters: taken where it is what is drawn, in the encoding that it is in (DO-2)."""

import pytest
from gleaner.documents.reading import ReadDocument, read_document
from gleaner.markdown import extract_clean_markdown

from tests.documents import made

pytestmark = pytest.mark.req("DO-2")


def said(text: str, drawn: str, codec: str = "utf-16") -> bytes:
    """Draw letters with a text in their place."""
    raw = text.encode("utf-16-be" if codec == "utf-16" else codec)
    mark = {"utf-16": b"FEFF", "utf-8": b"EFBBBF"}.get(codec, b"")
    return b"/Span <</ActualText <%s%s>>> BDC (%s) Tj EMC " % (mark, raw.hex().encode(), drawn.encode())


def document_of(*parts: bytes, meaning: bytes = b"") -> ReadDocument:
    content = b"BT /F1 20 Tf 40 200 Td " + b"".join(parts) + b"ET BT /F1 10 Tf 40 100 Td (Article A-1) Tj ET"
    return read_document(made.painted(content, meaning), "it.pdf")


@pytest.mark.parametrize("codec", ["utf-16", "utf-8", "cp1252"])
def test_capitals_that_are_drawn_with_small_letters_of_a_font_are_capitals(codec: str) -> None:
    document = document_of(said("N", "n", codec), b"(etherlands ) Tj ", said("MS", "ms", codec), b"(s) Tj ")
    assert "Netherlands MSs" in extract_clean_markdown(document.html)[0]
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("text", "drawn", "is_told"),
    [
        ("Special price", "Plain text", True),
        ("Sold out", "Hot", True),
        ("1.000", "1,000", False),
        ("A B", "a b", False),
    ],
)
@pytest.mark.parametrize("codec", ["utf-16", "cp1252"])
def test_a_text_that_is_not_what_is_drawn_is_not_read(text: str, drawn: str, is_told: bool, codec: str) -> None:
    document = document_of(said(text, drawn, codec))
    shown = extract_clean_markdown(document.html)[0]
    assert drawn in shown
    assert text not in shown
    assert document.warnings == (("2 words that nobody can see were left out (page 1)",) if is_told else ())


def test_what_is_said_of_letters_that_have_no_meaning_is_read() -> None:
    meaning = b"1 beginbfchar <46> <E001> endbfchar "
    document = document_of(b"(con) Tj ", said("fi", "F"), b"(rmed) Tj ", meaning=meaning)
    assert "confirmed" in extract_clean_markdown(document.html)[0]


def test_a_letter_without_a_meaning_leaves_no_gap_in_silence() -> None:
    document = document_of(b"(conFrmed) Tj ", meaning=b"1 beginbfchar <46> <001F> endbfchar ")
    assert "con\ufffdrmed" in extract_clean_markdown(document.html)[0]
    assert "fonts do not say which characters they draw" in document.warnings[0]
