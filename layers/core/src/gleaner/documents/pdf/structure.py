"""What a PDF says of itself: its links, and the state of its fields."""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from gleaner.documents.page import Box, Word
from gleaner.documents.pdf.bindings import Frame, pdfium, wide_text

_MOST_LINKS, _MOST_FIELDS = 5_000, 1_000
_MOST_FRAMES, _INSET = 300, 0.2
"""Fields whose frames are looked for, and points by which these are within the field: borders of cells are not."""
_HIDDEN = 0x02 | 0x20
"""The flags of an annotation that is hidden or not shown."""


def links_of(document: Any, page: Any, frame: Frame) -> list[tuple[Box, str]]:
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


class Fields:
    """The fields and text boxes that are drawn over a page. ``are_drawn``: some have a look that is part of the page.

    A check box or option says whether it is on; a field that has a value and no look says the value.
    """

    def __init__(self, page: Any) -> None:
        self.are_drawn = False
        self._states: list[tuple[Any, str]] = []
        self._rectangles: list[Any] = []
        for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_FIELDS)):
            annotation = pdfium.FPDFPage_GetAnnot(page, index)
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind in (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT):
                self.are_drawn = True
                if kind == pdfium.FPDF_ANNOT_WIDGET and not pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
                    self._take(annotation)
            pdfium.FPDFPage_CloseAnnot(annotation)

    def _take(self, widget: Any) -> None:
        state = _value(widget, b"AS")
        said = ("☐" if state == "Off" else "☑") if state else ""
        if not state and not pdfium.FPDFAnnot_HasKey(widget, b"AP"):
            said = _value(widget, b"V")
        rectangle = pdfium.FS_RECTF()
        if not pdfium.FPDFAnnot_GetRect(widget, rectangle):
            return
        self._rectangles.append(rectangle)
        if said:
            self._states.append((rectangle, said))

    def without_their_frames(self, rules: Sequence[Box], frame: Frame) -> list[Box]:
        """Give rules or coloured areas but for those that are drawn within a field: they part no cells."""
        fields = [frame.box(one.left, one.bottom, one.right, one.top) for one in self._rectangles[:_MOST_FRAMES]]
        return [rule for rule in rules if not any(field.covers(rule, -_INSET) for field in fields)]

    def words(self, frame: Frame) -> Iterator[Word]:
        """Give the states and values as words."""
        for rectangle, said in self._states:
            box = frame.box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            size = min(box.height, 12.0)
            base = box.y + 0.28 * size
            x = box.x0
            for text in said.split():
                width = 0.5 * size * len(text)
                yield Word(x, base - 0.78 * size, x + width, base + 0.22 * size, text, size, base)
                x += width + 0.3 * size


def _value(annotation: Any, key: bytes) -> str:
    return wide_text(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size))
