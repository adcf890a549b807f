"""The text of a page of a PDF as words with their places."""

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from gleaner.documents.lines import Walls
from gleaner.documents.page import MOSTLY, Box, PageContents, Word, around
from gleaner.documents.pdf.bindings import Frame, pdfium
from gleaner.documents.pdf.drawings import MOST_MARKS, Drawn
from gleaner.documents.pdf.seen import Sight

NEARLY_ALL = 0.8
"""Share of the characters that run in another direction, from which on the page is turned, and of words of a scan
that are drawn unseen, which is what somebody has read from it."""
SMALLEST_TEXT = 1.5
"""Points of text that nobody can read."""
OTHER_SIZE, OTHER_BASE = 0.85, 0.12
"""Letters of one word that differ by more, in size or in height over the line, are raised or lowered."""
_FARTHEST_MARK = 2.5
"""Sizes of the text between a drawn bullet and its item."""
_SAME_PLACE = 0.25
"""Sizes of the text by which a word that is printed twice, to be bold or to have a shadow, is moved."""
_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_FIXED = re.compile(r"courier|mono|consol|menlo|typewriter|cmtt", re.IGNORECASE)
_IS_FIXED, _IS_BOLD = 1, 1 << 18
"""Flags of a font (ISO 32000-2, table 121)."""
_TOKEN = re.compile("(?:[^\\s\x00\x02\ufffe]|[\x1c-\x1f]|(?<=\\d)[\xa0\u2009\u202f](?=\\d{3}(?!\\d)))+")
"""A word; a blank at which no line breaks may be within a number."""
_BREAKS = "\x02\ufffe"
"""What PDFium writes in place of a hyphen at the end of a line."""
_UNREADABLE = re.compile("[\x00\ufffd\ue000-\uf8ff]")
_CONTROL = re.compile("[\x01-\x1f]")
"""What no text has: fonts that say nothing of their characters give their codes instead."""
_FROM_THE_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_LAM_ALEF = [unicodedata.normalize("NFKC", chr(code)) for code in range(0xFEF5, 0xFEFD)]
_TURNED_ROUND = re.compile("|".join({spelled[::-1] for spelled in _LAM_ALEF}))
"""The ligatures of Arabic as PDFium gives those of some writers: it turns lines round character by character."""
_MARK = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
"""What stands over or under a letter, and is given behind it."""
_TOUCHING, _SPELLED = 0.1, 0.3
"""Sizes of the text between two parts of one word; blanks have 0.2 and more. Share of a page's words that touch."""
_DOTS = frozenset(".·․…‥")
_WRITTEN = str.maketrans(
    {chr(code): bytes([code]).decode("cp1252", "replace") for code in range(0x80, 0xA0)}
    | dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf0fc\uf06e\uf0a8\u0095", "•")
    | {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
    | dict.fromkeys("\x1c\x1d\x1e\x1f", "\ufffd")
)
"""Characters as they are meant: codes of windows-1252, bullets of the fonts Symbol and Wingdings, ligatures; and those
for blanks that Python knows and no font has, where ligatures without a name often are."""
_INVISIBLE = 3


@dataclass(frozen=True, slots=True)
class _Style:
    """What the characters of one text object have in common. ``turn``: quarter turns, -1 when oblique."""

    drawn: Any
    font: int
    turn: int
    size: float
    is_bold: bool
    is_fixed: bool
    heading: int


@dataclass(slots=True)
class _Turned:
    """A line that runs in another direction; ``foot`` is where it begins."""

    texts: list[str]
    box: Box
    foot: tuple[float, float]
    size: float
    turn: int


class TextReader:
    """Reads the text of one page. ``headings`` are the levels of marked content, ``rotation`` the page's own turns."""

    def __init__(self, text_page: Any, headings: dict[int, int], rotation: int) -> None:
        self._page, self._headings, self._rotation = text_page, headings, rotation
        self._rectangle, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._font, self._flags = ctypes.create_string_buffer(256), ctypes.c_int()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._styles: dict[int, _Style] = {}
        self._walls = Walls()
        self._text = _TURNED_ROUND.sub(self._as_spelled, self._read_text())
        self._tokens = [(*match.span(), self._style(match.start())) for match in _TOKEN.finditer(self._text)]
        self._unmapped = {start for start, _, _ in self._tokens if pdfium.FPDFText_HasUnicodeMapError(text_page, start)}

    def turn(self) -> int:
        """Give the quarter turns in which nearly all of the text runs; 0 if there is none."""
        directions = Counter[int]()
        for start, end, style in self._tokens:
            directions[style.turn] += end - start
        turn, count = directions.most_common(1)[0] if directions else (0, 0)
        return turn if turn > 0 and count >= NEARLY_ALL * directions.total() else 0

    def read_into(
        self, contents: PageContents, page: Any, frame: Frame, drawn: Drawn, links: Sequence[tuple[Box, str]]
    ) -> None:
        """Add the words to a page, and the lines beside them that run in another direction."""
        self._frame = frame
        self._walls = Walls(contents.rules)
        found: list[tuple[Word, Any]] = []
        turned: list[_Turned] = []
        last_end = -1
        for start, end, style in self._mapped(contents):
            turn = style.turn if style.turn < 0 else (style.turn - frame.turn) % 4
            if turn == 0:
                found += self._words(start, end, style)
            else:
                is_new = "\n" in self._text[max(last_end, 0) : start]
                self._add_turned(turned, start, end, replace(style, turn=turn), is_new=is_new)
            last_end = end
        contents.unreadable += sum(len(_UNREADABLE.findall(said)) for line in turned for said in line.texts)
        seen = self._seen(found, contents, Sight(page, frame, drawn.texts, drawn.pixels))
        seen = join_touching(seen)
        words = _without_leaders(_printed_once(seen))
        words = [replace(word, url=url) if (url := _link_at(word, links)) else word for word in words]
        words += _upright(turned, words, contents)
        contents.words = words + list(_bullets(words, drawn.marks))

    def _mapped(self, contents: PageContents) -> Iterator[tuple[int, int, _Style]]:
        """Give the tokens, without those of fonts that do not say which characters they draw; others may be right."""
        said = [(start, end, style.font) for start, end, style in self._tokens if start in self._unmapped]
        mute = {font for start, end, font in said if _CONTROL.search(self._text, start, end)}
        contents.unreadable += sum(end - start for start, end, font in said if font in mute)
        contents.doubtful += sum(end - start for start, end, font in said if font not in mute)
        return (token for token in self._tokens if token[0] not in self._unmapped or token[2].font not in mute)

    def _read_text(self) -> str:
        count = pdfium.FPDFText_CountChars(self._page)
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._page, 0, count, buffer)
        text = bytes(buffer)[: 2 * max(written - 1, 0)].decode("utf-16-le", "surrogatepass")
        if len(text) == count:
            return text
        codes = (pdfium.FPDFText_GetUnicode(self._page, index) for index in range(count))
        return "".join(chr(code) if code <= 0x10FFFF else "\ufffd" for code in codes)

    def _as_spelled(self, found: re.Match[str]) -> str:
        """Give lam and alef in their order where one glyph draws both; two glyphs may well be alef and lam."""
        return found[0][::-1] if self._place(found.start()) == self._place(found.start() + 1) else found[0]

    def _place(self, index: int) -> tuple[float, ...]:
        rectangle = self._rectangle
        pdfium.FPDFText_GetLooseCharBox(self._page, index, rectangle)
        return rectangle.left, rectangle.bottom, rectangle.right, rectangle.top

    def _style(self, index: int) -> _Style:
        drawn = pdfium.FPDFText_GetTextObject(self._page, index)
        address = ctypes.addressof(drawn.contents) if drawn else -index
        style = self._styles.get(address)
        if style is None:
            style = self._styles[address] = self._read_style(index, drawn)
        return style

    def _read_style(self, index: int, drawn: Any) -> _Style:
        matrix, angle, scale = self._matrix, 0.0, 1.0
        size = pdfium.FPDFText_GetFontSize(self._page, index)
        if pdfium.FPDFText_GetMatrix(self._page, index, matrix):
            sign = -1 if size < 0 else 1
            angle = math.degrees(math.atan2(sign * matrix.b, sign * matrix.a)) / 90 - self._rotation
            scale = math.hypot(matrix.c, matrix.d)
        written = pdfium.FPDFText_GetFontInfo(self._page, index, self._font, len(self._font), self._flags)
        name = self._font.raw[: max(min(written, 256) - 1, 0)].decode("utf-8", "replace")
        content = pdfium.FPDFPageObj_GetMarkedContentID(drawn) if drawn and self._headings else -1
        font: Any = pdfium.FPDFTextObj_GetFont(drawn) if drawn else None
        return _Style(
            drawn,
            font=ctypes.cast(font, ctypes.c_void_p).value or 0,
            turn=round(angle) % 4 if abs(angle - round(angle)) < 0.03 else -1,
            size=round(abs(size) * scale, 1),
            is_bold=_BOLD.search(name) is not None or bool(self._flags.value & _IS_BOLD),
            is_fixed=_FIXED.search(name) is not None or bool(self._flags.value & _IS_FIXED),
            heading=self._headings.get(content, 0),
        )

    def _box(self, index: int) -> Box:
        rectangle = self._rectangle
        if not pdfium.FPDFText_GetLooseCharBox(self._page, index, rectangle):
            return Box(0, 0, 0, 0)
        return self._frame.box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)

    def _origin(self, index: int) -> tuple[float, float]:
        pdfium.FPDFText_GetCharOrigin(self._page, index, self._x, self._y)
        return self._frame.point(self._x.value, self._y.value)

    def _words(self, start: int, end: int, style: _Style) -> Iterator[tuple[Word, Any]]:
        """Give the parts of a token that stand in one place and look the same, each with its text object."""
        first, last = self._box(start), self._box(end - 1)
        size = max(style.size, 0.1)
        if _MARK.search(self._text, start, end) and self._letters(start, end):
            yield self._marked_word(start, end), style.drawn
            return
        is_plain = self._style(end - 1) is style and abs(first.bottom - last.bottom) <= 0.4 * size
        is_plain = is_plain and -0.1 <= last.x1 - first.x0 <= 1.3 * max(size, first.height) * (end - start)
        if end - start == 1 or (is_plain and not self._walls.part(first.x0 + 1, last.x1 - 1, first.y)):
            yield self._word(start, end, around([first, last]), style), style.drawn
            return
        begin, box, base, is_glued = start, first, self._origin(start)[1], False
        for index in range(start + 1, end):
            other, height, here = self._style(index), self._origin(index)[1], self._box(index)
            is_far = abs(height - base) > 0.7 * size or abs(here.x0 - box.x1) > 1.5 * size
            is_far = is_far or self._walls.part(box.x, here.x, here.y)
            sizes = sorted((other.size, style.size))
            is_other = sizes[0] < OTHER_SIZE * sizes[1] or abs(height - base) > OTHER_BASE * sizes[1]
            if is_far or is_other:
                yield self._word(begin, index, around([first, box]), style, is_glued=is_glued), style.drawn
                begin, first, style, base, is_glued = index, here, other, height, not is_far
            box = here
        yield self._word(begin, end, around([first, box]), style, is_glued=is_glued), style.drawn

    def _letters(self, start: int, end: int) -> list[int]:
        return [index for index in range(start, end) if not _MARK.match(self._text[index])]

    def _marked_word(self, start: int, end: int) -> Word:
        """Give a word with each mark behind the letter that it stands over: PDFium gives marks as they are drawn."""
        places = {index: self._box(index) for index in self._letters(start, end)}
        marks: dict[int, str] = {}
        for index in sorted(set(range(start, end)) - set(places)):
            x = self._box(index).x
            under = min(places, key=lambda at: max(places[at].x0 - x, x - places[at].x1, 0.0))
            marks[under] = marks.get(under, "") + self._text[index]
        text = "".join(self._text[index] + marks.get(index, "") for index in places)
        first = min(places)
        return replace(self._word(first, first + 1, around(places.values()), self._style(first)), text=text)

    def _word(self, start: int, end: int, box: Box, style: _Style, *, is_glued: bool = False) -> Word:
        x0, x1 = box.x0, box.x1
        base, size = self._origin(start)[1], style.size
        if size < SMALLEST_TEXT:  # fonts of pictures count in pixels
            size = round(max(size, self._box(start).height, 1.2 * (x1 - x0) / (end - start)), 1)
        is_broken = end < len(self._text) and self._text[end] in _BREAKS
        text = self._text[start:end].translate(_WRITTEN)
        return Word(
            *(x0, base - 0.78 * size, x1, base + 0.22 * size),
            *(text, size, base, style.is_bold, style.is_fixed and text.isascii()),
            is_broken=is_broken,
            is_glued=is_glued,
            heading=style.heading,
        )

    def _seen(self, found: Sequence[tuple[Word, Any]], contents: PageContents, sight: Sight) -> list[Word]:
        """Give the words that can be seen, or on a scan those that somebody has read from it, and count the others."""
        contents.unreadable += sum(len(_UNREADABLE.findall(word.text)) for word, _ in found)
        readable = [(word, drawn) for word, drawn in found if not _UNREADABLE.fullmatch(word.text)]
        seen = [word for word, drawn in readable if word.size >= SMALLEST_TEXT and _is_seen(word, drawn, sight)]
        if contents.picture_share >= MOSTLY and len(readable) - len(seen) >= NEARLY_ALL * len(readable):
            return [word for word, _ in readable]
        contents.hidden += len(readable) - len(seen)
        return seen

    def _add_turned(self, lines: list[_Turned], start: int, end: int, style: _Style, *, is_new: bool) -> None:
        said, turn = self._text[start:end].translate(_WRITTEN), style.turn
        box = around([self._box(start), self._box(end - 1)])
        if lines and lines[-1].turn == turn and not is_new:
            lines[-1].texts.append(said)
            lines[-1].box = around([lines[-1].box, box])
        else:
            lines.append(_Turned([said], box, self._origin(start), style.size, turn))


def _is_seen(word: Word, drawn: Any, sight: Sight) -> bool:
    return pdfium.FPDFTextObj_GetTextRenderMode(drawn) != _INVISIBLE and sight.sees(word, word.text, drawn)


def _link_at(word: Word, links: Sequence[tuple[Box, str]]) -> str:
    return next((url for place, url in links if place.holds(word)), "")


def join_touching(words: Sequence[Word]) -> list[Word]:
    """Join words that touch: PDFium reads blanks between letters that are set apart, from right to left.

    On pages that it takes for vertical text, as some with few lines, it reads a line's end between any letters.
    """
    touching = [_touch(before, word) for before, word in pairwise(words)]
    is_spelled = sum(touching) > _SPELLED * len(words)
    joined = list(words[:1])
    for word, is_near in zip(words[1:], touching, strict=True):
        before = joined[-1]
        if is_near and (is_spelled or _are_from_the_right(before, word)):
            joined[-1] = replace(
                before, x0=min(before.x0, word.x0), x1=max(before.x1, word.x1), text=before.text + word.text
            )
        else:
            joined.append(word)
    return joined


def _are_from_the_right(before: Word, word: Word) -> bool:
    return bool(_FROM_THE_RIGHT.match(word.text) and _FROM_THE_RIGHT.match(before.text[-1]))


def _touch(before: Word, word: Word) -> bool:
    gap = before.x0 - word.x1 if _are_from_the_right(before, word) else word.x0 - before.x1
    size = max(word.size, 0.1)
    return abs(gap) <= _TOUCHING * size and abs(before.base - word.base) <= OTHER_BASE * size and not word.is_glued


def _printed_once(words: Sequence[Word]) -> list[Word]:
    """Leave out words that stand on themselves."""
    places: dict[str, list[Word]] = {}
    kept: list[Word] = []
    for word in words:
        others = places.setdefault(word.text, [])
        far = _SAME_PLACE * word.size
        if not any(abs(word.x0 - other.x0) <= far and abs(word.base - other.base) <= far for other in others[-4:]):
            others.append(word)
            kept.append(word)
    return kept


def _without_leaders(words: Sequence[Word]) -> list[Word]:
    """Leave out the dots that lead from a title to its page."""
    kept: list[Word] = []
    dots: list[Word] = []
    for word in words:
        if word.text in _DOTS and (not dots or abs(dots[-1].base - word.base) < 1):
            dots.append(word)
            continue
        kept += [] if len(dots) > 2 else dots
        if len(dots) > 2 and kept and abs(kept[-1].base - dots[0].base) < 1:
            kept[-1] = replace(kept[-1], text=kept[-1].text.rstrip("."), is_led=True)
        dots = []
        text = _without_leader(word.text)
        if text:
            width = word.width * len(text) / len(word.text)
            kept.append(word if text == word.text else replace(word, text=text, x1=word.x0 + width, is_led=True))
        elif kept and abs(kept[-1].base - word.base) < 1:
            kept[-1] = replace(kept[-1], is_led=True)
    return kept + ([] if len(dots) > 2 else dots)


def _without_leader(text: str) -> str:
    """Give a word without the row of dots at its end: four, or two that are three each.

    >>> _without_leader("Contents....."), _without_leader("etc..."), _without_leader("Index……")
    ('Contents', 'etc...', 'Index')
    """
    before = text.rstrip("".join(_DOTS))
    return before if len(text) - len(before) >= 4 else text.rstrip("…") if text.endswith("……") else text


def _upright(lines: Sequence[_Turned], words: Sequence[Word], contents: PageContents) -> Iterator[Word]:
    """Give the turned lines that stand at one height amid the text as words at their feet: heads of columns.

    The others are beside the text.
    """
    around_text = around(words) if words else None
    for line in lines:
        text = " ".join(line.texts)
        feet = [other for other in lines if other.turn == line.turn and abs(other.foot[1] - line.foot[1]) <= 3]
        is_amid = around_text is not None and around_text.x0 <= line.box.x <= around_text.x1 + 3 * line.size
        if line.turn == 2 or not is_amid or len(feet) < 2:
            contents.aside.append(text)
            continue
        base = line.foot[1] - 0.3 * line.size
        x0 = line.box.x0 if line.turn > 0 else line.foot[0]
        x1 = line.box.x1 if line.turn > 0 else line.foot[0] + line.size
        yield Word(x0, base - 0.78 * line.size, x1, base + 0.22 * line.size, text, line.size, base)


def _bullets(words: Sequence[Word], marks: Sequence[Box]) -> Iterator[Word]:
    """Give the marks that are drawn right before a line as bullets."""
    for mark in marks[:MOST_MARKS]:
        line = [word for word in words if abs(word.y - mark.y) <= 0.35 * word.size]
        after = min((word for word in line if word.x0 >= mark.x1), key=lambda word: word.x0, default=None)
        is_first = all(word.x0 > mark.x1 or word.x1 < mark.x0 - 3 * word.size for word in line)
        if after is not None and is_first and after.x0 - mark.x1 <= _FARTHEST_MARK * after.size:
            yield replace(after, x0=mark.x0, x1=mark.x1, text="•", url="", is_broken=False, is_glued=False)
