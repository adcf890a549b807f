"""What a PDF says of itself: its outline, the headings of its structure tree, links, and the state of its fields."""

import ctypes
import re
from collections.abc import Iterator, Sequence
from typing import Any

from gleaner.documents.page import Box, Word
from gleaner.documents.pdf.bindings import Frame, pdfium, wide_text

_MOST_LINKS, _MOST_FIELDS, _MOST_OUTLINED, _MOST_ELEMENTS = 5_000, 1_000, 5_000, 20_000
_DEEPEST = 40
_MOST_FRAMES, _INSET = 300, 0.2
"""Fields whose frames are looked for, and points by which these are within the field: borders of cells are not."""
_HEADING = re.compile(r"H([1-6])?")
_HIDDEN = 0x02 | 0x20
"""The flags of an annotation that is hidden or not shown."""


def outline_of(document: Any) -> dict[int, list[tuple[str, int]]]:
    """Give the titles of the outline with their levels, from 1, by the index of the page that they lead to."""
    found: dict[int, list[tuple[str, int]]] = {}
    left = _MOST_OUTLINED
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and left > 0:
        bookmark, level = waiting.pop()
        if not bookmark:
            continue
        left -= 1
        title = wide_text(lambda buffer, size, at=bookmark: pdfium.FPDFBookmark_GetTitle(at, buffer, size))
        goal = pdfium.FPDFBookmark_GetDest(document, bookmark)
        if not goal:
            goal = pdfium.FPDFAction_GetDest(document, pdfium.FPDFBookmark_GetAction(bookmark))
        if goal and title:
            found.setdefault(pdfium.FPDFDest_GetDestPageIndex(document, goal), []).append((title, level))
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document, bookmark), level))
        if level < _DEEPEST:
            waiting.append((pdfium.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))
    return found


def tagged_headings(page: Any) -> dict[int, int]:
    """Give the levels of what the structure tree calls headings, by the number of their marked content."""
    levels: dict[int, int] = {}
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return levels
    try:
        waiting = [
            (pdfium.FPDF_StructTree_GetChildAtIndex(tree, index), 0, 0)
            for index in range(min(pdfium.FPDF_StructTree_CountChildren(tree), _MOST_ELEMENTS))
        ]
        left = _MOST_ELEMENTS
        while waiting and left > 0:
            element, level, depth = waiting.pop()
            left -= 1
            if not element or depth > _DEEPEST:
                continue
            kind = wide_text(lambda buffer, size, at=element: pdfium.FPDF_StructElement_GetType(at, buffer, size))
            heading = _HEADING.fullmatch(kind)
            level = int(heading[1] or 1) if heading else level
            for index in range(min(pdfium.FPDF_StructElement_CountChildren(element), left)):
                waiting.append((pdfium.FPDF_StructElement_GetChildAtIndex(element, index), level, depth + 1))
                content = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)
                if level and content >= 0:
                    levels[content] = level
    finally:
        pdfium.FPDF_StructTree_Close(tree)
    return levels


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
