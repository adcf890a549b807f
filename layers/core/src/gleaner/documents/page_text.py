"""The text of a page of a PDF as words with their places."""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gleaner.documents.bindings import MOST_MARKS, NEARLY_WHITE, Frame, pdfium
from gleaner.documents.drawings import Drawn
from gleaner.documents.page import MOSTLY, Box, PageContents, Word, around

_FARTHEST_MARK = 2.5
"""Sizes of the text between such a bullet and its item."""
SMALLEST_TEXT = 1.5
"""Points of text that nobody can read."""
_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s\x00\x02\ufffe]+")
_BREAKS = "\x02\ufffe"
"""What PDFium writes in place of a hyphen at the end of a line."""
_UNREADABLE = re.compile("[\x00\ufffd\ue000-\uf8ff]")
_BULLETS = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf0fc\uf06e\uf0a8", "•"))
"""Bullets of the fonts Symbol and Wingdings, which have no characters of their own."""
_INVISIBLE = 3


@dataclass(frozen=True, slots=True)
class _Style:
    """What the characters of one text object have in common. ``turn``: quarter turns, -1 when oblique."""

    turn: int
    size: float
    is_bold: bool
    is_invisible: bool
    is_white: bool


class TextReader:
    """Reads the text of one page as words."""

    def __init__(self, text_page: Any, frame: Frame, drawn: Drawn, links: list[tuple[Box, str]]) -> None:
        self._page, self._frame, self._drawn, self._links = text_page, frame, drawn, links
        self._rectangle, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._font, self._flags = ctypes.create_string_buffer(256), ctypes.c_int()
        self._color = [ctypes.c_uint() for _ in range(4)]
        self._styles: dict[int, _Style] = {}

    def read_into(self, contents: PageContents) -> None:
        """Add the words to a page; those that run in another direction than most become lines beside it."""
        text = self._text()
        found = [piece for match in _TOKEN.finditer(text) for piece in self._pieces(match.start(), match.end())]
        directions = Counter[int]()
        for start, end, _, turn in found:
            directions[turn] += end - start
        upright = directions.most_common(1)[0][0] if directions else 0
        if upright != 0:
            self._turn_page(contents, upright)
        aside: list[str] = []
        last_end = -1
        for start, end, box, turn in found:
            said = text[start:end]
            if turn == upright:
                self._add_word(contents, text, start, end, self._turned(box, upright, contents))
            elif turn in (0, 1, 2, 3) and aside and "\n" not in text[last_end:start]:
                aside[-1] += f" {said}"
            elif turn in (0, 1, 2, 3):
                aside.append(said)
            last_end = end
        contents.aside = aside
        contents.words += self._bullets(contents.words)

    def _bullets(self, words: list[Word]) -> Iterator[Word]:
        """Give the marks that are drawn right before a line as bullets."""
        for mark in self._drawn.marks[:MOST_MARKS]:
            y = (mark.top + mark.bottom) / 2
            line = [word for word in words if abs(word.middle - y) <= 0.35 * word.size]
            after = min((word for word in line if word.x0 >= mark.x1), key=lambda word: word.x0, default=None)
            is_first = all(word.x0 > mark.x1 or word.x1 < mark.x0 - 3 * word.size for word in line)
            if after is not None and is_first and after.x0 - mark.x1 <= _FARTHEST_MARK * after.size:
                box = (mark.x0, after.top, mark.x1, after.bottom)
                yield Word(*box, text="•", size=after.size, is_bold=after.is_bold)

    def _text(self) -> str:
        count = pdfium.FPDFText_CountChars(self._page)
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._page, 0, count, buffer)
        text = bytes(buffer)[: 2 * max(written - 1, 0)].decode("utf-16-le", "surrogatepass")
        if len(text) == count:
            return text
        codes = (pdfium.FPDFText_GetUnicode(self._page, index) for index in range(count))
        return "".join(chr(code) if code <= 0x10FFFF else "\ufffd" for code in codes)

    def _box(self, index: int) -> Box:
        rectangle = self._rectangle
        if not pdfium.FPDFText_GetLooseCharBox(self._page, index, rectangle):
            return Box(0, 0, 0, 0)
        return self._frame.box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, Box, int]]:
        """Give the runs of a token that stand in one place, each with its box and quarter turns (-1: oblique)."""
        turn = self._style(start).turn
        first, last = self._box(start), self._box(end - 1)
        whole = around([first, last])
        along, across = (whole.width, whole.height) if turn % 2 == 0 else (whole.height, whole.width)
        size = max(first.height if turn % 2 == 0 else first.width, 0.1)
        if end - start == 1 or turn < 0 or (across <= 1.4 * size and along <= 1.3 * size * (end - start)):
            yield start, end, whole, turn
            return
        begin, boxes = start, [first]
        for index in range(start + 1, end):
            box = self._box(index)
            before = boxes[-1]
            gap = (box.x0 - before.x1) if turn % 2 == 0 else (box.top - before.bottom)
            step = abs(box.top - before.top) if turn % 2 == 0 else abs(box.x0 - before.x0)
            if step > 0.7 * size or abs(gap) > 1.5 * size:
                yield begin, index, around(boxes), turn
                begin, boxes = index, []
            boxes.append(box)
        yield begin, end, around(boxes), turn

    def _style(self, index: int) -> _Style:
        drawn = pdfium.FPDFText_GetTextObject(self._page, index)
        address: int = ctypes.cast(drawn, ctypes.c_void_p).value or -index
        style = self._styles.get(address)
        if style is None:
            style = self._styles[address] = self._read_style(index, drawn)
        return style

    def _read_style(self, index: int, drawn: Any) -> _Style:
        matrix, turns, scale = self._matrix, 0.0, 1.0
        if pdfium.FPDFText_GetMatrix(self._page, index, matrix):
            turns = math.degrees(math.atan2(matrix.b, matrix.a)) / 90 - self._frame.turns
            scale = math.hypot(matrix.c, matrix.d)
        written = pdfium.FPDFText_GetFontInfo(self._page, index, self._font, len(self._font), self._flags)
        name = self._font.raw[: max(min(written, 256) - 1, 0)].decode("utf-8", "replace")
        paint = [255, 0, 0, 255]
        if pdfium.FPDFText_GetFillColor(self._page, index, *self._color):
            paint = [value.value for value in self._color]
        is_drawn = bool(drawn) and pdfium.FPDFTextObj_GetTextRenderMode(drawn) != _INVISIBLE
        return _Style(
            turn=round(turns) % 4 if abs(turns - round(turns)) < 0.03 else -1,
            size=round(pdfium.FPDFText_GetFontSize(self._page, index) * scale, 1),
            is_bold=_BOLD.search(name) is not None,
            is_invisible=paint[3] == 0 or not is_drawn,
            is_white=min(paint[:3]) >= NEARLY_WHITE,
        )

    def _turn_page(self, contents: PageContents, turn: int) -> None:
        if turn % 2:
            contents.width, contents.height = contents.height, contents.width
        contents.rules = [self._turned(rule, turn, contents) for rule in contents.rules]
        self._links = [(self._turned(box, turn, contents), url) for box, url in self._links]
        contents.frames = [self._turned(box, turn, contents) for box in contents.frames]
        self._drawn.marks = [self._turned(box, turn, contents) for box in self._drawn.marks]
        self._drawn.grounds = [self._turned(box, turn, contents) for box in self._drawn.grounds]

    def _turned(self, box: Box, turn: int, contents: PageContents) -> Box:
        """Give a box as it is when the page, whose sides are known already, is turned so that its text is upright."""
        width, height = contents.width, contents.height
        if turn == 1:  # written upwards: the page is turned clockwise
            return Box(width - box.bottom, box.x0, width - box.top, box.x1)
        if turn == 2:
            return Box(width - box.x1, height - box.bottom, width - box.x0, height - box.top)
        if turn == 3:
            return Box(box.top, height - box.x1, box.bottom, height - box.x0)
        return box

    def _add_word(self, contents: PageContents, text: str, start: int, end: int, box: Box) -> None:
        said = text[start:end].translate(_BULLETS)
        x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
        style = self._style(start)
        unreadable = len(_UNREADABLE.findall(said))
        contents.unreadable += unreadable
        if unreadable == len(said):
            return
        is_on_page = 0 <= x <= contents.width and 0 <= y <= contents.height
        if not is_on_page or style.size < SMALLEST_TEXT or self._is_hidden(style, x, y, contents):
            contents.hidden += 1
            return
        contents.words.append(
            Word(
                *(box.x0, box.top, box.x1, box.bottom),
                text=said,
                size=style.size,
                is_bold=style.is_bold,
                url=next((url for place, url in self._links if place.holds(x, y)), ""),
                is_broken=end < len(text) and text[end] in _BREAKS,
            )
        )

    def _is_hidden(self, style: _Style, x: float, y: float, contents: PageContents) -> bool:
        """Tell whether nobody can see a word: drawn with no ink, or in white on white.

        Text that is drawn invisibly over a scanned page is what somebody has read from it.
        """
        if style.is_invisible:
            return contents.picture_share < MOSTLY
        return style.is_white and not any(ground.holds(x, y) for ground in self._drawn.grounds)
