"""Pack text greedily up to the limit: each chunk ends at the best border of its upper half.

Where the upper half has no border, the chunk ends at the last one before it if the next piece then fits whole; else
that piece is larger than the limit and is cut inside, at its best inner border or in its text. So two chunks in a row
hold more than the limit (or one of them more than half of it): the number of chunks stays within a small factor of the
least possible one. Each step looks at its own window only, so the time is linear in the text.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

from gleaner.chunking.borders import GLUE, SEPARATOR, WEAKEST_STRONG, Borders

SENTENCE_END = re.compile(r"""(?:(?<!\b\w)\.|[!?…])["'”’»)\]*_]*\s+|[。！？．｡]["'”’」』）〕]*\s*""")
CELL_BORDER = re.compile(r"(?<!\\)\|")
SPACE_END = re.compile(r"\s(?!\s)")
JOINERS = frozenset("\u200d\u2060\ufeff")
LONGEST_CLUSTER = 64
WITHOUT_LINE_BREAK = GLUE + 9
"""The rank of a cut that takes a line's break from it: poorer than one between a table's separator and a row."""

STRONG = bytes(1 if rank <= WEAKEST_STRONG else 0 for rank in range(256))


Move = Callable[[int, int], int]
"""Gives, for the start and the end of a chunk, an earlier end that parts nothing, or the same end."""


def cut_points(
    content: str, borders: Borders, limit: int, cuts: Sequence[int] = (), move: Move | None = None
) -> Iterator[int]:
    """Give the end of each chunk, the last one being the end of the text.

    Chunks end at each of ``cuts``; ``move`` may put the other ends farther up, but for the last one.
    """
    packer = _Packer(content, borders, limit)
    start = 0
    for stop in sorted({*cuts, len(content)}):
        while start < stop:
            end = min(packer.cut_after(start), stop)
            start = max(start + 1, move(start, end)) if move is not None and end < stop else end
            yield start


class _Packer:
    """The borders made ready for searching by window."""

    def __init__(self, content: str, borders: Borders, limit: int) -> None:
        self.content = content
        self.limit = limit
        self.offsets = borders.offsets
        self.ranks = borders.ranks
        self.strong = borders.ranks.translate(STRONG)
        self.blanks = borders.blanks
        self.fences = borders.fences

    def cut_after(self, start: int) -> int:
        """Give the end of the chunk that starts here."""
        high = start + self.limit
        if high >= len(self.content):
            return len(self.content)
        first = bisect_right(self.offsets, start)
        past = bisect_right(self.offsets, high, first)
        upper = bisect_right(self.offsets, start + self.limit // 2, first, past)
        return (
            self.best(upper, past, start, WEAKEST_STRONG)
            or self.last_before_whole_piece(first, upper, past)
            or self.best(upper, past, start, GLUE - 1)
            or self.before_glue(first, upper, past)
            or self.below_headings(first, past, start)
            or self.best(upper, past, start, 255)
            or self.inner_before_whole_piece(first, upper)
            or self.before_line_break(past, start)
            or self.cut_in_text(start, high)
        )

    def best(self, upper: int, past: int, start: int, weakest: int) -> int:
        """Give the last of the best-ranked borders of the upper half, 0 when none is good enough."""
        position, rank = self.before_blanks(past, start)
        inside = min(self.ranks[upper:past], default=255)
        if position and rank <= min(inside, weakest):
            return position
        if upper == past or inside > weakest:
            return 0
        return self.offsets[self.ranks.rindex(inside, upper, past)]

    def before_blanks(self, index: int, start: int) -> tuple[int, int]:
        """Give a cut before the first border past the window, when only blank lines reach past it.

        It is a poor cut where a line would lose its line break, and before the end of the text, where it leaves a last
        chunk of nothing but blank lines.
        """
        high = start + self.limit
        text_end = self.text_end(index)
        if text_end > high:
            return 0, 255
        line_end = self.content.rfind("\n", max(text_end, start), high) + 1
        if line_end > max(text_end, start):
            return line_end, self.ranks[index] or WEAKEST_STRONG + 1
        if self.ranks[index] >= GLUE:  # a header's own line would end the chunk
            return 0, 255
        return (text_end if text_end > start else high), WITHOUT_LINE_BREAK

    def before_line_break(self, index: int, start: int) -> int:
        """Give the end of the text before the first border past the window, when only a line break reaches past it."""
        text_end = self.text_end(index)
        return text_end if start < text_end <= start + self.limit else 0

    def text_end(self, index: int) -> int:
        """Give the end of the text before a border: without blank lines and without the last line break."""
        end = self.blanks[index]
        if end and self.content[end - 1] == "\n":
            end -= 1
        if end and self.content[end - 1] == "\r":
            end -= 1
        return end

    def last_before_whole_piece(self, first: int, upper: int, past: int) -> int:
        """Give the last strong border of the lower half if the piece after it fits the limit, else 0."""
        index = self.strong.rfind(b"\x01", first, upper)
        if index < 0:
            return 0
        reach = bisect_right(self.offsets, self.offsets[index] + self.limit, past)
        following = self.strong.find(b"\x01", past, reach + 1)
        return self.offsets[index] if following >= 0 and self.fits(index, following) else 0

    def before_glue(self, first: int, upper: int, past: int) -> int:
        """Give the last strong border of the lower half where any later one would only part a header from its text."""
        parts_a_header = upper < past or (upper > first and self.ranks[upper - 1] >= GLUE)
        index = self.strong.rfind(b"\x01", first, upper) if parts_a_header else -1
        return self.offsets[index] if index >= 0 else 0

    def below_headings(self, first: int, past: int, start: int) -> int:
        """Give a cut in the text below a header that follows a header, 0 where the window ends before that text."""
        if past == first or not GLUE < self.ranks[past - 1] < SEPARATOR:
            return 0
        high = start + self.limit
        line_end = self.content.find("\n", self.offsets[past - 1], high)
        if line_end < 0 or not (text := self.content[line_end:high].lstrip()):
            return 0
        return self.in_lines(high - len(text), max(start + self.limit // 2, high - len(text) + 1), high)

    def inner_before_whole_piece(self, first: int, upper: int) -> int:
        """The same for the borders inside a piece that is larger than the limit."""
        return self.offsets[upper - 1] if upper > first and self.fits(upper - 1, upper) else 0

    def fits(self, index: int, following: int) -> bool:
        return self.text_end(following) - self.offsets[index] <= self.limit

    def cut_in_text(self, start: int, high: int) -> int:
        """Cut inside a paragraph, row, fence or item text that no border divides."""
        low = start + self.limit // 2
        if self.in_fence(high):
            return (
                self.cut_at_line(start, low, high)
                or self.before_line(start, high)
                or self.cut_at_word(start, low, high)
            )
        line_start = self.content.rfind("\n", start, high) + 1 or start
        if self.is_row(line_start):
            cell = last_match(CELL_BORDER, self.content, low, high)
            return (cell if cell > start else 0) or self.cut_at_word(start, low, high)
        return self.in_lines(start, low, high) or self.before_line(start, high) or self.cut_at_word(start, low, high)

    def in_lines(self, start: int, low: int, high: int) -> int:
        """Cut between two lines that stand apart, else at a sentence's end, else between any two lines; 0 for none."""
        return (
            self.before_line_apart(start, low, high)
            or self.cut_at_sentence(start, low, high)
            or self.cut_at_line(start, low, high)
        )

    def in_fence(self, position: int) -> bool:
        index = bisect_left(self.fences, (position, 0)) - 1
        return index >= 0 and position < self.fences[index][1]

    def is_row(self, line_start: int) -> bool:
        """Tell whether a line, or what is left of one, is a table row."""
        return self.content[line_start : line_start + 200].lstrip(" \t>")[:1] == "|"

    def cut_at_sentence(self, start: int, low: int, high: int) -> int:
        """Cut after the last sentence end of the upper half; a small letter after it means that none ended there."""
        best = 0
        for match in SENTENCE_END.finditer(self.content, low, high):
            end = match.end()
            if end > start and not self.content[end : end + 1].islower():
                best = end
        return best

    def before_line_apart(self, start: int, low: int, high: int) -> int:
        """Cut before the last line that does not go on with a small letter, as wrapped prose does.

        It is one of the upper half, or longer than the rest of the window.
        """
        end = self.cut_at_line(start, low, high)
        while end and self.goes_on(end):
            end = self.cut_at_line(start, low, end - 1)
        whole = 0 if end else self.before_line(start, high)
        return end or (0 if whole and self.goes_on(whole) else whole)

    def goes_on(self, line_start: int) -> bool:
        """Tell whether a line begins with a small letter."""
        return self.content[line_start : line_start + LONGEST_CLUSTER].lstrip(" \t>")[:1].islower()

    def before_line(self, start: int, high: int) -> int:
        """Cut before the line that the window ends in, if that line fits a chunk of its own."""
        at = self.content.rfind("\n", start, high) + 1
        end = self.content.find("\n", high, at + self.limit) if at > start else -1
        return at if end >= 0 or (at > start and at + self.limit >= len(self.content)) else 0

    def cut_at_line(self, start: int, low: int, high: int) -> int:
        """Cut after the last whole line of the upper half."""
        end = self.content.rfind("\n", low, high) + 1
        return end if end > start else 0

    def cut_at_word(self, start: int, low: int, high: int) -> int:
        """Cut after the last space, else between two characters."""
        end = last_match(SPACE_END, self.content, low, high)
        return end + 1 if end >= low and start < end + 1 <= high else cut_between_characters(self.content, start, high)


def last_match(pattern: re.Pattern[str], text: str, low: int, high: int) -> int:
    """Give the start of the last match in a window, -1 when there is none."""
    last = -1
    for match in pattern.finditer(text, low, high):
        last = match.start()
    return last


def cut_between_characters(text: str, start: int, high: int) -> int:
    """Give the last offset up to ``high`` that parts no combining sequence, surrogate pair or line break.

    >>> cut_between_characters("cafe\\u0301s", 0, 4)
    3
    """
    lowest = max(start + 1, high - LONGEST_CLUSTER)
    for position in range(high, lowest - 1, -1):
        if not joins(text[position - 1], text[position]):
            return position
    return high


def joins(left: str, right: str) -> bool:
    """Tell whether two characters are seen as one, by the larger rules of UAX #29."""
    if left in JOINERS or right in JOINERS or (left == "\\" and right in "|`*_[]"):
        return True
    if (left == "\r" and right == "\n") or ("\ud800" <= left <= "\udbff" and "\udc00" <= right <= "\udfff"):
        return True
    if "\U0001f1e6" <= left <= "\U0001f1ff" and "\U0001f1e6" <= right <= "\U0001f1ff":
        return True
    return "\U0001f3fb" <= right <= "\U0001f3ff" or unicodedata.category(right) in ("Mn", "Me", "Mc")
