"""PDFium's functions, and the frame of a page in which its points are given."""

from typing import Any

import pypdfium2.raw as _raw

from gleaner.documents.page import Box

pdfium: Any = _raw  # ctypes has no types to check
NEARLY_WHITE = 250
"""Of 255, in each colour."""
MOST_MARKS = 300
"""Bullets and frames of a page that are looked at."""


class Frame:
    """Where points of the page's own space are on the page as it is shown."""

    def __init__(self, page: Any) -> None:
        bounds = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, bounds)
        self._left, self._top, self._right, self._bottom = bounds.left, bounds.top, bounds.right, bounds.bottom
        self.turns: int = pdfium.FPDFPage_GetRotation(page) % 4
        sides = (abs(bounds.right - bounds.left), abs(bounds.top - bounds.bottom))
        self.width, self.height = sides if self.turns % 2 == 0 else sides[::-1]

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Give a point of the page's space as x and y from its upper left corner."""
        if self.turns == 1:
            return y - self._bottom, x - self._left
        if self.turns == 2:
            return self._right - x, y - self._bottom
        if self.turns == 3:
            return self._top - y, self._right - x
        return x - self._left, self._top - y

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Give a rectangle of the page's space as it is shown."""
        (ax, ay), (bx, by) = self.point(x0, y0), self.point(x1, y1)
        return Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
