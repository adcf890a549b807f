"""Read the pages of a PDF with PDFium: words with their places, lines drawn, links. Nothing is run or fetched.

PDFium is C++ that reads untrusted bytes, so this module is only used in a process of its own (``worker``).
"""

import ctypes
from collections.abc import Callable
from typing import Any

from gleaner.documents.bindings import MOST_MARKS, Frame, pdfium
from gleaner.documents.drawings import Drawn
from gleaner.documents.page import Box, PageContents
from gleaner.documents.page_text import TextReader

_MOST_LINKS = 5_000


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

    @property
    def title(self) -> str:
        """The title that the document states, or an empty text."""
        return _wide_text(lambda buffer, size: pdfium.FPDF_GetMetaText(self._handle, b"Title", buffer, size))

    @property
    def language(self) -> str:
        """The language tag that the document states, or an empty text."""
        return _wide_text(lambda buffer, size: pdfium.FPDFCatalog_GetLanguage(self._handle, buffer, size))

    def read_page(self, index: int) -> PageContents | None:
        """Give what stands on a page; None if PDFium can't read it."""
        page = pdfium.FPDF_LoadPage(self._handle, index)
        if page and _has_form_fields(page) and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == 1:
            pdfium.FPDF_ClosePage(page)
            page = pdfium.FPDF_LoadPage(self._handle, index)
        if not page:
            return None
        try:
            return _read_page(self._handle, page, index + 1)
        finally:
            pdfium.FPDF_ClosePage(page)


def _wide_text(read: Callable[[Any, int], int]) -> str:
    size = read(None, 0)
    if not 2 < size < 10_000:
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    read(buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace").strip("\x00 ")


def _has_form_fields(page: Any) -> bool:
    """Tell whether a page has fields or text boxes that are drawn over it: what is filled in is part of its text."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), 1_000)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        pdfium.FPDFPage_CloseAnnot(annotation)
        if kind in (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT):
            return True
    return False


def _read_page(document: Any, page: Any, number: int) -> PageContents:
    frame = Frame(page)
    contents = PageContents(number, frame.width, frame.height)
    drawn = Drawn(frame)
    drawn.look_at_page(page)
    area = frame.width * frame.height
    contents.picture_share = min(1.0, drawn.picture_area / area) if area else 0.0
    contents.rules, contents.frames = drawn.rules, drawn.frames[:MOST_MARKS]
    text_page = pdfium.FPDFText_LoadPage(page)
    if text_page:
        try:
            TextReader(text_page, frame, drawn, _links(document, page, frame)).read_into(contents)
        finally:
            pdfium.FPDFText_ClosePage(text_page)
    return contents


def _links(document: Any, page: Any, frame: Frame) -> list[tuple[Box, str]]:
    """Give the links to other documents on the web and where they are."""
    found: list[tuple[Box, str]] = []
    position, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while len(found) < _MOST_LINKS and pdfium.FPDFLink_Enumerate(page, position, link):
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        buffer = ctypes.create_string_buffer(4_096)
        size = pdfium.FPDFAction_GetURIPath(document, action, buffer, len(buffer))
        url = buffer.raw[: max(size - 1, 0)].decode("utf-8", "replace").strip() if size <= len(buffer) else ""
        if url.startswith(("http://", "https://", "mailto:")) and pdfium.FPDFLink_GetAnnotRect(link, rectangle):
            found.append((frame.box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top), url))
    return found
