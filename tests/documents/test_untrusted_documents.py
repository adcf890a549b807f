"""PDFs that can't be read, or not whole: each gets a clear answer, and none ends the process (DO-1, SS-2)."""

import random
import sys

import pytest
from gleaner.contracts.errors import (
    DamagedDocument,
    GleanerError,
    InternalError,
    LockedDocument,
    NoTextLayer,
    PageTooLarge,
)
from gleaner.documents.reading import DocumentLimits, read_document

from tests.documents import made

pytestmark = pytest.mark.req("DO-1", "SS-2")


@pytest.mark.parametrize(
    ("body", "error", "said"),
    [
        (made.protected(), LockedDocument, "plan.pdf is protected by a password"),
        (made.scan(), NoTextLayer, "plan.pdf is a scan: its 2 pages hold pictures and no text; run OCR"),
        (made.drawn(lambda c: c.rect(9, 9, 20, 20)), NoTextLayer, "plan.pdf has 1 page without any text"),
        (b"%PDF-1.7\n" + b"x" * 3_000, DamagedDocument, "plan.pdf is damaged or no PDF"),
        (b"", DamagedDocument, "plan.pdf is damaged or no PDF"),
        (made.invoice()[:700], DamagedDocument, "plan.pdf is damaged"),
    ],
    ids=["password", "scan", "no text", "no PDF", "empty", "broken off"],
)
def test_what_can_not_be_read_is_said_in_an_error_of_its_own(body: bytes, error: type[GleanerError], said: str) -> None:
    with pytest.raises(error) as caught:
        read_document(body, "plan.pdf")
    assert str(caught.value).startswith(said)


def test_pages_beyond_the_limit_are_named_and_the_others_kept() -> None:
    document = read_document(made.plain_pages(5), "log.pdf", DocumentLimits(pages=3))
    assert document.pages == 5
    assert document.cut_short == (
        *("page_too_large", "3 of 5 pages were read: 3 pages are the limit (max_document_pages)"),
    )
    assert "Entry 9 of" in document.html
    assert "Entry 10 of" not in document.html


def test_more_text_than_a_page_may_have_is_cut_at_a_page() -> None:
    document = read_document(made.plain_pages(30, 40), "log.pdf", DocumentLimits(bytes_of_html=40_000))
    assert document.cut_short is not None
    assert document.cut_short[0] == "page_too_large"
    assert "max_page_size" in document.cut_short[1]
    assert len(document.html) <= 40_000


def test_time_that_is_over_is_said_so() -> None:
    with pytest.raises(PageTooLarge, match=r"log.pdf can't be opened: the time limit of 0 s \(document_timeout_s\)"):
        read_document(made.plain_pages(3), "log.pdf", DocumentLimits(seconds=0))


def test_a_page_that_needs_too_much_memory_is_said_so_and_costs_itself_alone() -> None:
    document = read_document(made.bomb(400_000_000), "plan.pdf", DocumentLimits(memory=400_000_000))
    said = "page 2 can't be read: more than the 400 MB of memory (max_document_memory) that it gets would be needed"
    assert document.cut_short == ("page_too_large", said)
    assert document.html.count("<p>Hello there") == 2


def test_scanned_pages_among_others_are_named() -> None:
    def draw(c: made.Canvas) -> None:
        c.drawString(60, 700, "This page has text.")
        c.showPage()
        c.drawImage(made.picture(), 0, 0, 595, 842)

    document = read_document(made.drawn(draw), "mixed.pdf")
    assert document.cut_short == ("no_text_layer", "page 2 is a picture without text")


@pytest.mark.parametrize("seed", range(12))
def test_damaged_bytes_end_in_pages_or_in_an_error(seed: int) -> None:
    picked = random.Random(seed)
    body = bytearray(made.MADE[picked.choice(["invoice", "timetable", "register", "japanese"])]())
    for _ in range(picked.randint(1, 80)):
        body[picked.randrange(len(body))] = picked.randrange(256)
    if seed % 3 == 0:
        body = body[: picked.randrange(len(body))]
    try:
        assert read_document(bytes(body), "it.pdf", DocumentLimits(seconds=60)).html
    except GleanerError as error:
        assert isinstance(error, DamagedDocument | NoTextLayer | LockedDocument)


def test_a_process_that_dies_at_a_page_costs_that_page_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleaner.documents.reading.WORKER", "tests.documents.dying_worker")
    document = read_document(made.plain_pages(6), "log.pdf")
    assert document.cut_short == ("damaged_document", "page 4 can't be read: damaged")
    assert "Entry 9 of" in document.html
    assert "Entry 10 of" not in document.html
    assert "Entry 18 of" in document.html


def test_a_process_that_does_not_start_is_no_fault_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(InternalError, match="did not start"):
        read_document(made.plain_pages(1), "log.pdf")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no filters of system calls")
def test_a_reading_process_that_was_taken_over_reaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleaner.documents.reading.WORKER", "tests.documents.prying_worker")
    with pytest.raises(InternalError, match="it reaches: nothing"):
        read_document(made.plain_pages(1), "log.pdf")


def test_the_reading_process_has_the_paths_of_libraries_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/var/lang/lib")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret")
    monkeypatch.setattr("gleaner.documents.reading.WORKER", "tests.documents.telling_worker")
    with pytest.raises(InternalError, match=r"LD_LIBRARY_PATH=/var/lang/lib AWS_SECRET_ACCESS_KEY=None"):
        read_document(made.plain_pages(1), "log.pdf")
