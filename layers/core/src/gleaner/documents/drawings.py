"""What is drawn on a page of a PDF besides text: rules, frames, coloured areas, bullets, pictures."""

import ctypes
from typing import Any

from gleaner.documents.bindings import NEARLY_WHITE, Frame, pdfium
from gleaner.documents.page import Box

MOST_OBJECTS = 50_000
"""Drawn objects of a page that are looked at. Maps and plans have more, and no tables."""
THIN = 3.0
"""Points up to which a filled rectangle is a line: thick rules of tables have 2."""
SHORTEST_RULE = 6.0
SMALLEST_FRAME = 20.0
"""Points of a rectangle that may be drawn around several lines."""
SMALLEST_MARK, LARGEST_MARK = 1.6, 6.0
"""Points of a dot or square that is drawn as the bullet of an item."""
_MOST_SEGMENTS = 5_000
_DEEPEST_FORM = 4
_ON_THE_PAGE = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_Matrix = tuple[float, float, float, float, float, float]


class Drawn:
    """The drawings of one page.

    ``grounds`` are areas that are not white, on which white text can be read.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._left = MOST_OBJECTS
        self.rules: list[Box] = []
        self.grounds: list[Box] = []
        self.picture_area = 0.0
        self.marks: list[Box] = []
        self.frames: list[Box] = []

    def look_at_page(self, page: Any) -> None:
        """Look at all that is drawn on a page."""
        self._look_at(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, _ON_THE_PAGE, 0)

    def _look_at(self, owner: Any, count: Any, get: Any, matrix: _Matrix, depth: int) -> None:
        """Look at the objects of a page or of a form that is drawn on it; ``matrix`` leads to the page's space."""
        for index in range(count(owner)):
            self._left -= 1
            if self._left < 0:
                return
            drawn = get(owner, index)
            kind = pdfium.FPDFPageObj_GetType(drawn)
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._look_at_path(drawn, matrix)
            elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
                box = self._box_of(drawn, matrix)
                if box is not None:
                    self.grounds.append(box)
                    self.picture_area += box.width * box.height if kind == pdfium.FPDF_PAGEOBJ_IMAGE else 0
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
                inner = _times(_matrix_of(drawn), matrix)
                self._look_at(drawn, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, inner, depth + 1)

    def _box_of(self, drawn: Any, matrix: _Matrix) -> Box | None:
        sides = [ctypes.c_float() for _ in range(4)]
        if not pdfium.FPDFPageObj_GetBounds(drawn, *sides):
            return None
        left, bottom, right, top = (side.value for side in sides)
        box = self._frame.box(*_moved(left, bottom, matrix), *_moved(right, top, matrix))
        width, height = self._frame.width, self._frame.height
        x0, x1 = max(box.x0, 0.0), min(box.x1, width)
        top, bottom = max(box.top, 0.0), min(box.bottom, height)
        return Box(x0, top, x1, bottom) if x0 <= x1 and top <= bottom else None

    def _look_at_path(self, path: Any, matrix: _Matrix) -> None:
        box = self._box_of(path, matrix)
        if box is None:
            return
        if max(box.width, box.height) <= LARGEST_MARK:
            if min(box.width, box.height) >= SMALLEST_MARK:
                self.marks.append(box)
            return
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
        if min(box.width, box.height) >= SMALLEST_FRAME and (stroke.value or not _is_white(path)):
            self.frames.append(box)
        if fill.value and not _is_white(path):
            if min(box.width, box.height) <= THIN:
                self._add(box)
            else:
                self.grounds.append(box)
        if stroke.value:
            self._add_strokes(path, matrix)

    def _add_strokes(self, path: Any, matrix: _Matrix) -> None:
        matrix = _times(_matrix_of(path), matrix)
        start = last = None
        x, y = ctypes.c_float(), ctypes.c_float()
        for index in range(min(pdfium.FPDFPath_CountSegments(path), _MOST_SEGMENTS)):
            segment = pdfium.FPDFPath_GetPathSegment(path, index)
            if not pdfium.FPDFPathSegment_GetPoint(segment, x, y):
                continue
            point = self._frame.point(*_moved(x.value, y.value, matrix))
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                start = point
            elif kind == pdfium.FPDF_SEGMENT_LINETO and last is not None:
                self._add(_between(last, point))
            if start is not None and pdfium.FPDFPathSegment_GetClose(segment):
                self._add(_between(point, start))
            last = point

    def _add(self, line: Box) -> None:
        if min(line.width, line.height) <= THIN and max(line.width, line.height) >= SHORTEST_RULE:
            self.rules.append(line)


def _between(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return Box(min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1]))


def _is_white(path: Any) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha):
        return False
    return alpha.value == 0 or min(red.value, green.value, blue.value) >= NEARLY_WHITE


def _matrix_of(drawn: Any) -> _Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(drawn, matrix):
        return _ON_THE_PAGE
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _times(inner: _Matrix, outer: _Matrix) -> _Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _moved(x: float, y: float, matrix: _Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
