"""What is drawn on a page of a PDF besides text: rules, frames, coloured areas, figures, bullets, pictures."""

import ctypes
from collections.abc import Iterator
from typing import Any

from gleaner.documents.page import Box, PageContents
from gleaner.documents.pdf.bindings import Frame, Matrix, matrix_of, moved, objects_of, pdfium, times
from gleaner.documents.pdf.tick_boxes import LARGEST_BOX, is_square

MOST_MARKS = 300
"""Bullets, frames and coloured areas of a page that are looked at."""
THIN = 3.0
"""Points up to which a filled rectangle is a line: thick rules of tables have 2."""
SMALLEST_FRAME = 20.0
"""Points of a rectangle that may be drawn around several lines."""
SMALLEST_MARK, LARGEST_MARK = 1.6, 6.0
"""Points of a dot or square that is drawn as the bullet of an item."""
SMALLEST_FIGURE, SLOPED = 8.0, 0.3
"""Points of a figure, and the share of its outline that slopes or is curved: rounded corners are less."""
NEARLY_WHITE = 250
"""Of 255, in each colour."""
_MOST_SEGMENTS = 5_000
_FEWEST_SIDES = 3
_MOST_RULES = 10_000


class Drawn:
    """The drawings of one page.

    ``marks`` are dots and squares of the size of a bullet, ``squares`` the drawn ones of the size of a box to be ticked
    and ``ticks`` what may tick one, ``texts`` its text objects; ``pixels`` are those of images.
    """

    def __init__(self, page: Any, frame: Frame, contents: PageContents) -> None:
        self._frame, self._contents = frame, contents
        self._picture_area = 0.0
        self.pixels = 0
        self.marks: list[Box] = []
        self.squares: list[Box] = []
        self.ticks: list[Box] = []
        self.texts: list[Any] = []
        for drawn, kind, matrix in objects_of(page):
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._look_at_path(drawn, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                self._look_at_image(drawn, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.texts.append(drawn)
        area = frame.width * frame.height
        contents.picture_share = min(1.0, self._picture_area / area) if area else 0.0

    def _look_at_image(self, image: Any, matrix: Matrix) -> None:
        box = self._box_of(image, matrix)
        width, height = ctypes.c_uint(), ctypes.c_uint()
        if box is not None and pdfium.FPDFImageObj_GetImagePixelSize(image, width, height):
            self._picture_area += box.width * box.height
            self.pixels += width.value * height.value

    def _box_of(self, drawn: Any, matrix: Matrix) -> Box | None:
        """Give the box of an object as far as it is on the page; None if it is not."""
        sides = [ctypes.c_float() for _ in range(4)]
        if not pdfium.FPDFPageObj_GetBounds(drawn, *sides):
            return None
        left, bottom, right, top = (side.value for side in sides)
        box = self._frame.box(*moved(left, bottom, matrix), *moved(right, top, matrix))
        x0, x1 = max(box.x0, 0.0), min(box.x1, self._frame.width)
        y0, y1 = max(box.top, 0.0), min(box.bottom, self._frame.height)
        return Box(x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else None

    def _look_at_path(self, path: Any, matrix: Matrix) -> None:
        box = self._box_of(path, matrix)
        if box is None:
            return
        narrow, wide = sorted((box.width, box.height))
        if narrow >= SMALLEST_MARK and wide <= LARGEST_MARK:
            self.marks.append(box)
            self.ticks.append(box)
            return
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
        is_filled = bool(fill.value) and not _is_white(path)
        if stroke.value and not is_filled and is_square(box) and pdfium.FPDFPath_CountSegments(path) > _FEWEST_SIDES:
            self.squares.append(box)
        elif wide <= LARGEST_BOX and len(self.ticks) < _MOST_SEGMENTS:
            self.ticks.append(box)
        if narrow >= SMALLEST_FRAME and (stroke.value or is_filled) and len(self._contents.frames) < MOST_MARKS:
            self._contents.frames.append(box)
        if is_filled and narrow <= THIN:
            self._add_rule(box)
        elif is_filled and len(self._contents.fills) < MOST_MARKS:
            self._contents.fills.append(box)
        if not stroke.value and (narrow < SMALLEST_FIGURE or not is_filled):
            return
        sloped = 0.0
        for line in self._lines(path, times(matrix_of(path), matrix)):
            if min(line.width, line.height) > THIN:
                sloped += line.width + line.height
            elif stroke.value:
                self._add_rule(line)
        if narrow >= SMALLEST_FIGURE and sloped >= SLOPED * (box.width + box.height):
            self._contents.figures.append(box)

    def _lines(self, path: Any, matrix: Matrix) -> Iterator[Box]:
        """Give the lines of a path, curves by their ends, each as the box that it fills."""
        start = last = None
        x, y = ctypes.c_float(), ctypes.c_float()
        for index in range(min(pdfium.FPDFPath_CountSegments(path), _MOST_SEGMENTS)):
            segment = pdfium.FPDFPath_GetPathSegment(path, index)
            if not pdfium.FPDFPathSegment_GetPoint(segment, x, y):
                continue
            point = self._frame.point(*moved(x.value, y.value, matrix))
            if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
                start = point
            elif last is not None:
                yield _between(last, point)
            if start is not None and pdfium.FPDFPathSegment_GetClose(segment):
                yield _between(point, start)
            last = point

    def _add_rule(self, line: Box) -> None:
        if len(self._contents.rules) < _MOST_RULES:
            self._contents.rules.append(line)


def _between(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return Box(min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1]))


def _is_white(path: Any) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha):
        return False
    return alpha.value == 0 or min(red.value, green.value, blue.value) >= NEARLY_WHITE
