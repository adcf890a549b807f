"""Where a record may take values from: its own place, and what the page says for all records."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from gleaner.page.blocks import TABLE_HEAD, Section, blocks_of
from gleaner.units.vocabulary import OTHER_THINGS
from gleaner.values.texts.text_index import Match

Span = tuple[int, int]
_SEVERAL = re.compile(r"[,;、·|\n]")
_LINE_END = re.compile(r"\n|(?<!\\)\|")
_SENTENCE_END = re.compile(r"(?<=[^\W_]{2})[.!?](?=[ \u00a0*_]*$|[ \u00a0]+\W*[^\W_])|[。！？]", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]{2,}|[\u2e80-\uffef]")
_LEAST_BESIDE = 2
"""Words beside a value that make a sentence of a line: "The judge is Ada." """
_MARGIN = re.compile(r"\n\n(?=[^\s\-*+|#])")
_LEAST_PIECES = 2
_LONGEST_LINE = 2_000
_MOST_BETWEEN = 12


class Stretches:
    """Stretches of a text, joined where they overlap: which places lie in one is a matter of looking up."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = _outermost(spans)
        self._starts = [start for start, _ in self._spans]

    def hold(self, position: int) -> bool:
        """Tell whether a place lies in one of them."""
        number = bisect_right(self._starts, position) - 1
        return number >= 0 and position < self._spans[number][1]

    def touch(self, start: int, end: int) -> bool:
        """Tell whether a run has something in common with one of them."""
        number = bisect_left(self._starts, end) - 1
        return number >= 0 and start < self._spans[number][1]


class Regions:
    """The places of all units of a page, and the text that belongs to none of them.

    A value that stands only in another record's unit proves nothing for this one. Headings count for the units of
    their section, a table's head for its table, what leads a line or a cell for the units
    in it, other text outside all units for texts of any record. ``lines`` are the page's head lines: start, end, and
    where what they head ends; they say more of what they head than the signs of Markdown do.
    """

    def __init__(self, text: str, units: Sequence[Span], lines: Sequence[tuple[int, int, int]] = ()) -> None:
        self._text = text
        self._units = Stretches(units)
        over = Stretches((start, end) for start, end, _ in lines)
        said = (one[:3] for one in blocks_of(text).sections if one.is_heading or not over.touch(*one[:2]))
        self._heads = sorted({*said, *lines})
        self._head_starts = [start for start, _, _ in self._heads]

    def outside(self, matches: Iterable[Match]) -> list[Match]:
        """Give the matches in text that belongs to no unit."""
        return [match for match in matches if not match.weak and not self._units.hold(match.start)]

    def is_shared(self, match: Match, own: Span | None, *, is_text: bool) -> bool:
        """Tell whether a match outside of all units speaks for the record whose place is ``own``."""
        head = bisect_right(self._head_starts, match.start) - 1
        if head >= 0 and match.start < self._heads[head][1]:
            return own is None or self._heads[head][1] <= own[0] < self._heads[head][2]
        return (is_text and match.end - match.start > 1) or (own is not None and self.leads_to(match, own))

    def is_in_head(self, match: Match) -> bool:
        """Tell whether a match stands in a heading, a line over units or a table's head, of whatever they are."""
        head = bisect_right(self._head_starts, match.start) - 1
        return head >= 0 and match.start < self._heads[head][1]

    def heads(self, match: Match, own: Span) -> bool:
        """Tell whether a match stands in the nearest head before a place, and that heads the place."""
        head = bisect_right(self._head_starts, own[0]) - 1
        for start, end, last in reversed(self._heads[max(0, head - _MOST_BETWEEN) : head + 1]):
            if start <= match.start and match.end <= end:
                return end <= own[0] < last
            if self._text.startswith("#", start):
                return False
        return False

    def leads_to(self, match: Match, own: Span) -> bool:
        """Tell whether a place begins in the line, or the cell of a row, that a match stands in before it."""
        between = self._text[match.end : min(own[0], match.end + _LONGEST_LINE)]
        return match.end <= own[0] <= match.end + _LONGEST_LINE and _LINE_END.search(between) is None


def line_at(text: str, start: int, end: int | None = None) -> Span:
    """Give the line around a place, or around a stretch, which may be of several lines."""
    stop = text.find("\n", start if end is None else end)
    return text.rfind("\n", 0, start) + 1, stop if stop >= 0 else len(text)


def is_in_sentence(text: str, match: Match) -> bool:
    """Tell whether a line or cell has a mention within a sentence: behind no label, beside two words or more."""
    start, end = match.start, match.end
    line = max(text.rfind(sign, max(0, start - _LONGEST_LINE), start) for sign in "|\n") + 1
    stop = _LINE_END.search(text, end, end + _LONGEST_LINE)
    before = text[line:start]
    begins = max((one.end() for one in _SENTENCE_END.finditer(before)), default=0)
    closed = _SENTENCE_END.search(text, end, stop.end() if stop else end + _LONGEST_LINE)
    behind = text[end : closed.start()] if closed else ""
    said = before[begins:]
    if said.rstrip(" \u00a0*_").endswith((":", "：")) or not (begins or closed):
        return False
    return len(_WORD.findall(said)) + len(_WORD.findall(behind)) >= _LEAST_BESIDE


def related_sections(text: str) -> list[Span]:
    """Give the sections about other things than the page's own, such as "You may also like"; never the first one."""
    headed = [one for one in blocks_of(text).sections[1:] if one.level != TABLE_HEAD]
    found = (one for one in headed if OTHER_THINGS.search(text[one.start : one.end]))
    return [(one.start, _end_of_others(text, one, headed)) for one in found]


def listed_others(text: str, section: Span) -> Span | None:
    """Give what of a section "Related …" lists other things: up to the end of its list; None where it lists none.

    Other things come as pieces alike, or under smaller headings. Where they are the items of a list, what stands behind
    its last item at the margin is the page's own again.
    """
    start, end = section
    blocks = blocks_of(text).between(start + 1, end)
    if any(block.kind == "heading" for block in blocks):
        return section
    pieces = [one for one in blocks if one.kind in ("item", "row") or text.startswith(("[", "!["), one.said)]
    if len(pieces) < _LEAST_PIECES:
        return None
    behind = _MARGIN.search(text, pieces[-1].end, end)
    return start, behind.start() if behind else end


def _end_of_others(text: str, section: Section, headed: Sequence[Section]) -> int:
    """Give where a section about other things ends: before its one subsection, if it has listed them by then.

    "Related medicines" with a line of names, "Drug status" in a smaller heading below: that is the page's own again.
    """
    inside = [one for one in headed if section.end <= one.start < section.stop]
    parts = [one for one in inside if not any(other.start < one.start < other.stop for other in inside)]
    if len(parts) != 1 or OTHER_THINGS.search(text[parts[0].start : parts[0].end]):
        return section.stop
    named = text[section.end : parts[0].start].strip(" \t\n*_")
    return parts[0].start if _SEVERAL.search(named) and not named.endswith((":", "：")) else section.stop


def _outermost(units: Iterable[Span]) -> list[Span]:
    kept: list[Span] = []
    for start, end in sorted(set(units), key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
        elif end > kept[-1][1]:
            kept[-1] = (kept[-1][0], end)
    return kept
