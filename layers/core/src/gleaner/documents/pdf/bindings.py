"""PDFium's functions, and the frame of a page in which its points are given."""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import pypdfium2.raw as _raw

from gleaner.documents.page import Box

pdfium: Any = _raw  # ctypes has no types to check
Matrix = tuple[float, float, float, float, float, float]
MOST_OBJECTS = 50_000
"""Drawn objects of a page that are looked at. Maps and plans have more, and no tables."""
_ON_THE_PAGE: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_DEEPEST_FORM = 4


class Frame:
    """Where points of the page's own space are on the page as it is shown.

    ``turn`` is how many quarters of a circle, clockwise, the page is turned beyond what its own rotation says.
    """

    def __init__(self, page: Any, turn: int = 0) -> None:
        bounds = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, bounds)
        self._left, self._top, self._right, self._bottom = bounds.left, bounds.top, bounds.right, bounds.bottom
        self.turn = turn
        self.turns: int = (pdfium.FPDFPage_GetRotation(page) + turn) % 4
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
        if not self.turns and x0 <= x1 and y0 <= y1:
            return Box(x0 - self._left, self._top - y1, x1 - self._left, self._top - y0)
        (ax, ay), (bx, by) = self.point(x0, y0), self.point(x1, y1)
        return Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def wide_text(read: Callable[[Any, int], int]) -> str:
    """Give a text that PDFium writes as UTF-16 into a buffer of the size that it asks for; empty if it is too long."""
    size = read(None, 0)
    if not 2 < size < 10_000:
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    read(buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace").strip("\x00 ")


def objects_of(page: Any) -> Iterator[tuple[Any, int, Matrix]]:
    """Give what is drawn on a page and on forms within it: the object, its kind, and the matrix that places it."""
    left = MOST_OBJECTS
    waiting = [(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, _ON_THE_PAGE, 0)]
    while waiting:
        owner, count, get, matrix, depth = waiting.pop()
        for index in range(min(count(owner), left)):
            left -= 1
            drawn = get(owner, index)
            kind: int = pdfium.FPDFPageObj_GetType(drawn)
            if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
                inner = times(matrix_of(drawn), matrix)
                form = (drawn, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, inner, depth + 1)
                waiting.append(form)
            yield drawn, kind, matrix


def matrix_of(drawn: Any) -> Matrix:
    """Give the matrix of a drawn object."""
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(drawn, matrix):
        return _ON_THE_PAGE
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """Give the matrix that does what one does, and then what the other does."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def moved(x: float, y: float, matrix: Matrix) -> tuple[float, float]:
    """Give where a matrix moves a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
