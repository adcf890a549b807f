"""Which words of a page can be seen: the page is drawn with its text and without it, and compared."""

import ctypes
from collections.abc import Iterable
from typing import Any

from gleaner.documents.page import Box
from gleaner.documents.pdf.bindings import Frame, pdfium

FAINTEST = 16
"""Of 255, what text differs by from what is behind it in any colour: less is white on nearly white."""
MOST_PIXELS = 2_000_000
"""Of the picture that is compared: an A4 page at one and a half pixels a point has 1.1 million."""
MOST_OF_IMAGES = 60_000_000
"""Pixels of the images of a page that are drawn to compare it: a scan of 600 dpi has 35 million."""
_FINEST = 1.0
_STEPS = [bytes((level + offset) // (2 * FAINTEST) for level in range(256)) for offset in (0, FAINTEST)]
"""Two stairs of brightness, one half a step behind the other: colours closer than half a step are alike on one."""
_CLIPS = 7
"""The way of drawing text in which it only bounds what is painted next: gradients and pictures in the shape of text."""


class Sight:
    """The two pictures of a page. ``texts`` are its text objects. Where its images are too large, all is seen."""

    def __init__(self, page: Any, frame: Frame, texts: Iterable[Any], pixels_of_images: int) -> None:
        area = max(1.0, frame.width * frame.height)
        self._scale = min(_FINEST, (MOST_PIXELS / area) ** 0.5)
        self._width = max(1, round(frame.width * self._scale))
        self._height = max(1, round(frame.height * self._scale))
        self._stride = 0
        self._with = self._without = b""
        if pixels_of_images <= MOST_OF_IMAGES:
            self._with = self._drawn(page, frame)
            for text in texts:
                if pdfium.FPDFTextObj_GetTextRenderMode(text) != _CLIPS:
                    pdfium.FPDFPageObj_SetIsActive(text, False)
            self._without = self._drawn(page, frame)

    def _drawn(self, page: Any, frame: Frame) -> bytes:
        bitmap = pdfium.FPDFBitmap_CreateEx(self._width, self._height, pdfium.FPDFBitmap_BGR, None, 0)
        if not bitmap:
            return b""
        try:
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, self._width, self._height, 0xFFFFFFFF)
            pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, self._width, self._height, frame.turn, 0)
            self._stride = pdfium.FPDFBitmap_GetStride(bitmap)
            return ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), self._stride * self._height)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)

    def sees(self, box: Box, said: str, text: Any) -> bool:
        """Tell whether the text of an object that stands in a box can be seen."""
        if not self._with or not self._without:
            return True
        x0, x1 = max(0, int(box.x0 * self._scale)), min(self._width, int(box.x1 * self._scale) + 1)
        top, bottom = max(0, int(box.top * self._scale)), min(self._height, int(box.bottom * self._scale) + 1)
        if x0 >= x1 or top >= bottom:
            return False
        if not self._can_draw(text, said):
            return self._differs_in_color(text, x0, x1, top, bottom)
        width = 3 * (x1 - x0)
        starts = [y * self._stride + 3 * x0 for y in range(top, bottom)]
        starts = starts[len(starts) // 2 :] + starts[: len(starts) // 2]  # most letters are seen in the middle
        if pdfium.FPDFTextObj_GetTextRenderMode(text) == _CLIPS:
            plain = self._with[starts[0] : starts[0] + 3] * (x1 - x0)
            return any(_differs(self._with[start : start + width], plain) for start in starts)
        return any(
            _differs(self._with[start : start + width], self._without[start : start + width]) for start in starts
        )

    def _can_draw(self, text: Any, said: str) -> bool:
        """Tell whether the letters of a text are in the document, or are some that PDFium has."""
        return said.isascii() or pdfium.FPDFFont_GetIsEmbedded(pdfium.FPDFTextObj_GetFont(text)) != 0

    def _differs_in_color(self, text: Any, x0: int, x1: int, top: int, bottom: int) -> bool:
        """Tell whether a text has another colour than what is in the middle of its place."""
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        pdfium.FPDFPageObj_GetFillColor(text, red, green, blue, alpha)
        start = (top + bottom) // 2 * self._stride + 3 * ((x0 + x1) // 2)
        pixel = self._without[start : start + 3]
        inked = bytes(color.value for color in (blue, green, red))
        return alpha.value >= FAINTEST and _differs(inked, pixel)


def _differs(row: bytes, other: bytes) -> bool:
    return row != other and all(row.translate(steps) != other.translate(steps) for steps in _STEPS)
