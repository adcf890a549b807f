"""Read the pages of a PDF with PDFium: words with their places, lines drawn, links. Nothing is run or fetched.

PDFium is C++ that reads untrusted bytes, so this module is only used in a process of its own (``worker``).
"""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as _raw

from gleaner.documents.page import MOSTLY, Box, PageContents, Word, around

pdfium: Any = _raw  # ctypes has no types to check

MOST_OBJECTS = 50_000
"""Drawn objects of a page that are looked at. Maps and plans have more, and no tables."""
THIN = 3.0
"""Points up to which a filled rectangle is a line: thick rules of tables have 2."""
SHORTEST_RULE = 6.0
SMALLEST_FRAME = 20.0
"""Points of a rectangle that may be drawn around several lines."""
SMALLEST_MARK, LARGEST_MARK = 1.6, 6.0
"""Points of a dot or square that is drawn as the bullet of an item."""
_FARTHEST_MARK = 2.5
"""Sizes of the text between such a bullet and its item."""
SMALLEST_TEXT = 1.5
"""Points of text that nobody can read."""
_MOST_SEGMENTS = 5_000
_MOST_MARKS = 300
_DEEPEST_FORM = 4
_NEARLY_WHITE = 250
_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s\x00\x02\ufffe]+")
_BREAKS = "\x02\ufffe"
"""What PDFium writes in place of a hyphen at the end of a line."""
_UNREADABLE = re.compile("[\x00\ufffd\ue000-\uf8ff]")
_BULLETS = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf0fc\uf06e\uf0a8", "•"))
"""Bullets of the fonts Symbol and Wingdings, which have no characters of their own."""
_INVISIBLE = 3
_ON_THE_PAGE = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_Matrix = tuple[float, float, float, float, float, float]


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
    frame = _Frame(page)
    contents = PageContents(number, frame.width, frame.height)
    drawn = _Drawn(frame)
    drawn.look_at(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, _ON_THE_PAGE, 0)
    area = frame.width * frame.height
    contents.picture_share = min(1.0, drawn.picture_area / area) if area else 0.0
    contents.rules, contents.frames = drawn.rules, drawn.frames[:_MOST_MARKS]
    text_page = pdfium.FPDFText_LoadPage(page)
    if text_page:
        try:
            _TextReader(text_page, frame, drawn, _links(document, page, frame)).read_into(contents)
        finally:
            pdfium.FPDFText_ClosePage(text_page)
    return contents


class _Frame:
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


def _links(document: Any, page: Any, frame: _Frame) -> list[tuple[Box, str]]:
    """Give the links to other documents on the web and where they are."""
    found: list[tuple[Box, str]] = []
    position, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while len(found) < MOST_OBJECTS and pdfium.FPDFLink_Enumerate(page, position, link):
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        buffer = ctypes.create_string_buffer(4_096)
        size = pdfium.FPDFAction_GetURIPath(document, action, buffer, len(buffer))
        url = buffer.raw[: max(size - 1, 0)].decode("utf-8", "replace").strip() if size <= len(buffer) else ""
        if url.startswith(("http://", "https://", "mailto:")) and pdfium.FPDFLink_GetAnnotRect(link, rectangle):
            found.append((frame.box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top), url))
    return found


class _Drawn:
    """What is drawn on a page besides text: rules, coloured areas, pictures."""

    def __init__(self, frame: _Frame) -> None:
        self._frame = frame
        self._left = MOST_OBJECTS
        self.rules: list[Box] = []
        self.grounds: list[Box] = []
        self.picture_area = 0.0
        self.marks: list[Box] = []
        self.frames: list[Box] = []

    def look_at(self, owner: Any, count: Any, get: Any, matrix: _Matrix, depth: int) -> None:
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
                self.look_at(drawn, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, inner, depth + 1)

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
    return alpha.value == 0 or min(red.value, green.value, blue.value) >= _NEARLY_WHITE


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


@dataclass(frozen=True, slots=True)
class _Style:
    """What the characters of one text object have in common. ``turn``: quarter turns, -1 when oblique."""

    turn: int
    size: float
    is_bold: bool
    is_invisible: bool
    is_white: bool


class _TextReader:
    """Reads the text of one page as words."""

    def __init__(self, text_page: Any, frame: _Frame, drawn: _Drawn, links: list[tuple[Box, str]]) -> None:
        self._page, self._frame, self._drawn, self._links = text_page, frame, drawn, links
        self._rectangle, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._font, self._flags = ctypes.create_string_buffer(256), ctypes.c_int()
        self._color = [ctypes.c_uint() for _ in range(4)]
        self._styles: dict[int, _Style] = {}

    def read_into(self, contents: PageContents) -> None:
        """Add the words to a page; those that run in another direction than most become lines beside it."""
        text = self._text()
        found = [piece for match in _TOKEN.finditer(text) for piece in self._pieces(text, match.start(), match.end())]
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
        for mark in self._drawn.marks[:_MOST_MARKS]:
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

    def _pieces(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, Box, int]]:
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
            is_white=min(paint[:3]) >= _NEARLY_WHITE,
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
