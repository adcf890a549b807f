"""Read the pages of a PDF with PDFium: words with their places, lines drawn, links. Nothing is run or fetched.

PDFium is C++ that reads untrusted bytes, so this module is only used in a process of its own (``worker``).
"""

from typing import Any

from gleaner.documents.page import PageContents, Word
from gleaner.documents.pdf.bindings import Frame, pdfium, wide_text
from gleaner.documents.pdf.characters import TextReader
from gleaner.documents.pdf.drawings import Drawn
from gleaner.documents.pdf.spoken import load_text
from gleaner.documents.pdf.structure import Fields, links_of, outline_of, tagged_headings
from gleaner.documents.pdf.tick_boxes import read_tick_boxes


class NotOpened(Exception):
    """PDFium refuses a document; ``code`` is its reason."""

    def __init__(self, code: int) -> None:
        super().__init__(f"PDFium error {code}")
        self.code = code


class Document:
    """An open document."""

    def __init__(self, body: bytes) -> None:
        pdfium.FPDF_InitLibrary()
        self._body = body  # PDFium reads from it as long as the document is open
        self._handle = pdfium.FPDF_LoadMemDocument64(body, len(body), None)
        if not self._handle:
            raise NotOpened(pdfium.FPDF_GetLastError())
        self.page_count: int = pdfium.FPDF_GetPageCount(self._handle)
        self._outline = outline_of(self._handle)

    @property
    def title(self) -> str:
        """The title that the document states, or an empty text."""
        return wide_text(lambda buffer, size: pdfium.FPDF_GetMetaText(self._handle, b"Title", buffer, size))

    @property
    def language(self) -> str:
        """The language tag that the document states, or an empty text."""
        return wide_text(lambda buffer, size: pdfium.FPDFCatalog_GetLanguage(self._handle, buffer, size))

    def read_page(self, index: int) -> PageContents | None:
        """Give what stands on a page; None if PDFium can't read it."""
        page = pdfium.FPDF_LoadPage(self._handle, index)
        fields = Fields(page) if page else None
        if fields and fields.are_drawn and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == 1:
            pdfium.FPDF_ClosePage(page)
            page = pdfium.FPDF_LoadPage(self._handle, index)
        if not page or fields is None:
            return None
        try:
            return self._read(page, index, fields)
        finally:
            pdfium.FPDF_ClosePage(page)

    def _read(self, page: Any, index: int, fields: Fields) -> PageContents:
        text_page, spoken = load_text(self._handle, page)
        try:
            reader = TextReader(text_page, tagged_headings(page), pdfium.FPDFPage_GetRotation(page))
            frame = Frame(page, reader.turn())
            contents = PageContents(index + 1, frame.width, frame.height, hidden=spoken)
            drawn = Drawn(page, frame, contents)
            contents.rules = fields.without_their_frames(contents.rules, frame)
            contents.fills = fields.without_their_frames(contents.fills, frame)
            reader.read_into(contents, page, frame, drawn, links_of(self._handle, page, frame))
        finally:
            pdfium.FPDFText_ClosePage(text_page)
        states = list(fields.words(frame))
        contents.words = [word for word in contents.words if not _is_tick(word, states)] + states
        squares = [square for square in drawn.squares if not any(map(square.holds, states))]
        if squares:
            read_tick_boxes(contents, squares, drawn.ticks)
        contents.outline = self._outline.get(index, [])
        return contents


def _is_tick(word: Word, states: list[Word]) -> bool:
    """Tell whether a word is the tick that a check box draws."""
    return len(word.text) == 1 and any(state.holds(word) and state.text in "☐☑" for state in states)
