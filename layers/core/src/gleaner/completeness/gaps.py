"""What records that lack a field say in the place where the others state it, and no value claims (CM-2, EX-13). Pure.

Where a field stands is told by the fields before and behind it and the ends of its record, by its column, or by the
line over its record.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from gleaner.completeness.line_parts import TIMES_AS_LONG, Likeness, plain, words_of
from gleaner.page.blocks import cells_between
from gleaner.page.head_lines import placed_heads
from gleaner.page.model import Page, Span
from gleaner.schemas.leaves import Steps
from gleaner.values.flags import says_nothing

Key = tuple[str, ...]
"""A field of records: the steps to it within one, with ``*`` for records."""

_SHORT, _MOST_JOINS = 40, 8
"""Characters of what stands between two elements of a list, and how many such texts are looked for."""

_SAMPLE = 20
"""Records by which it is told whether a column has one field alone."""

_COLONS = (":", "：")
"""What ends a label."""

_IMAGE = re.compile(r"!\[([^\]\n]{0,200})\]\([^()\s]{0,2000}\)")
_TARGET = re.compile(r"\]\(([^()\s]{1,2000})\)")
_LINK = re.compile(
    r"(?<!!)\[((?:!\[[^\[\]\n]{0,200}\]\([^()\s]{0,2000}\)|[^\[\]\n]){1,300})\]\((?:https?:)?/[^()\s]{1,2000}\)"
)
_MARKER = re.compile(r"\s*(?:\d{1,4}[.)]|[-*+>#|]+)\s+")


class _Gap(NamedTuple):
    """A stretch between two claims of a record, and the fields of these; None for the record's end."""

    before: Key | None
    behind: Key | None
    start: int
    end: int


class Gaps:
    """The stretches of records that no value claims.

    ``regions`` are the places of the records, by the steps to each, ``claims`` the fields and places of their values.
    """

    def __init__(
        self, page: Page, regions: Mapping[Steps, Span], claims: Mapping[Steps, Iterable[tuple[Key, Span]]]
    ) -> None:
        self.page, self.text, self.regions = page, page.text, regions
        self._known: dict[str, Sequence[str]] = {}
        self._rows: dict[int, Mapping[int, Span]] = {}
        self.claims = {
            record: sorted(
                (*span, field) for field, span in claims.get(record, ()) if low <= span[0] and span[1] <= high
            )
            for record, (low, high) in regions.items()
        }
        self.gaps = {record: [*self._gaps(record)] for record in regions}
        self.outside = {
            record: [(*span, field) for field, span in claims.get(record, ()) if span[1] <= low or high <= span[0]]
            for record, (low, high) in regions.items()
        }

    def unsaid(self, field: Key) -> Iterator[tuple[Steps, Span, str]]:
        """Give each record without a field that says such a thing in its place: the steps to it, where, and what.

        Words that the others say beside their values are labels. Where the others have links, it is a link; where most
        values stand in one column of a table, it is that column's cell; where they stand in lines over the records, it
        is the line over this one.
        """
        own = {
            record: [(start, end) for start, end, key in claims if key[: len(field)] == field]
            for record, claims in self.claims.items()
        }
        stating = [record for record, places in own.items() if places]
        lacking = [record for record in own if not own[record]]
        yield from self._said_over(field, lacking)
        if not stating or len(stating) == len(own):
            return
        before, behind = self._neighbours(own)
        usual, joins, leads = set[str](), Counter[str](), list[str]()
        for record in stating:
            low, high = min(own[record])[0], max(end for _, end in own[record])
            for one in self.gaps[record]:
                if low <= one.end and one.start <= high:
                    usual.update(self._words(one.start, one.end))
                if one.start <= low == one.end:
                    leads.append(self.text[one.start : one.end])
            joins.update(self.text[one[1] : two[0]] for one, two in pairwise(own[record]) if two[0] - one[1] <= _SHORT)
        columns = Counter(self._column_at(place, record) for record, places in own.items() for place in places)
        column = columns.most_common(1)[0][0]
        is_alone = column is not None and not any(
            key[: len(field)] != field and self._column_at((start, end), record) == column
            for record in stating[:_SAMPLE]
            for start, end, key in self.claims[record]
        )
        fitting = [
            (record, part)
            for record in lacking
            for gap in self.gaps[record]
            if is_alone or (gap.before in before and gap.behind in behind)
            for part in ([gap] if column is None else self._cells_of(gap, column))
        ]
        if all(any(map(self._is_target, own[record])) for record in stating):
            yield from self._links(fitting, leads, usual)
            return
        like = Likeness.of([self._plain(*place) for places in own.values() for place in places])
        longest = max(TIMES_AS_LONG * like.longest, _SHORT)
        usual_joins = sorted((one for one, _ in joins.most_common(_MOST_JOINS) if one), key=len, reverse=True)
        parts = re.compile("|".join((*map(re.escape, usual_joins), r"\n")))
        for record, gap in fitting:
            for start, end in self._parted(gap, parts):
                whole = self._plain(start, end)
                own_words = (word for word in whole.split() if not usual.issuperset(words_of(word).split()))
                said = " ".join(own_words).strip(" ,;|·")
                is_label = said[-1:] in _COLONS and whole[-1:] not in _COLONS  # what it labels are usual words
                if says_nothing(said) or is_label or len(said) > longest:
                    continue
                if any(map(like.is_of_kind, (said, whole))):
                    yield record, (start, end), said

    def _neighbours(self, own: Mapping[Steps, Sequence[Span]]) -> tuple[set[Key | None], set[Key | None]]:
        """Give the fields that a stretch may lie behind and before, by the places of a field in each record.

        They stand on that side of it in all records, or right beside it in some; None is the end of a record.
        """
        before, behind = set[Key | None](), set[Key | None]()
        right_before, right_behind = set[Key | None]((None,)), set[Key | None]((None,))
        for record, places in own.items():
            if places:
                low, high = min(places)[0], max(end for _, end in places)
                before.update(key for _, end, key in self.claims[record] if end <= low)
                behind.update(key for start, _, key in self.claims[record] if start >= high)
                right_before.update(one.before for one in self.gaps[record] if one.start <= low == one.end)
                right_behind.update(one.behind for one in self.gaps[record] if one.start == high)
        return (before - behind) | right_before, (behind - before) | right_behind

    def _said_over(self, field: Key, lacking: Collection[Steps]) -> Iterator[tuple[Steps, Span, str]]:
        """Give what the line over a record says, where others take the field from such lines, or all from one place."""
        told = [
            {(start, end) for start, end, key in places if key[: len(field)] == field}
            for places in self.outside.values()
        ]
        claimed = sorted(set[Span]().union(*told))
        if not claimed or not lacking:
            return
        like = Likeness.of([self._plain(*place) for place in claimed])
        looks = {
            look for start, end, _, look in self._heads if bisect_left(claimed, (end,)) > bisect_left(claimed, (start,))
        }
        over = [(start, end, reach) for start, end, reach, look in self._heads if look in looks]
        if len(claimed) == 1 and not over and sum(map(bool, told)) + len(lacking) == len(told):
            over = [(*claimed[0], len(self.text))]
        for record in lacking:
            at = bisect_left(over, (self.regions[record][0] + 1,)) - 1
            if at >= 0 and self.regions[record][0] < over[at][2]:
                start, end, _ = over[at]
                marker = _MARKER.match(self.text, start, end)
                if like.is_of_kind(said := self._plain(marker.end() if marker else start, end)):
                    yield record, (start, end), said

    @cached_property
    def _heads(self) -> list[tuple[int, int, int, object]]:
        """The head lines: where each stands, where what it heads ends, and how it looks."""
        nodes = self.page.nodes
        return sorted(
            (
                (*span, reach, (head.group, nodes.tags[head.node], nodes.get(head.node, "class")))
                for head, span, reach in placed_heads(self.page)
            ),
            key=lambda one: one[:3],
        )

    def _links(
        self, gaps: Iterable[tuple[Steps, _Gap]], leads: Iterable[str], usual: Collection[str]
    ) -> Iterator[tuple[Steps, Span, str]]:
        """Give the links in stretches, or their targets alone where a link's text is what stands before a value.

        ``leads`` is what leads to the values. A text of ``usual`` words is one that the others have beside them, too.
        """
        are_whole = all("[" in lead for lead in leads)
        beside = {*usual}.difference(*(words_of(lead.rpartition("[")[2]).split() for lead in leads))
        for record, gap in gaps:
            for link in (_LINK if are_whole else _TARGET).finditer(self.text, gap.start, gap.end):
                said = _IMAGE.sub(r"\1", link[1]) if are_whole else link[1]
                words = words_of(said).split()
                if not are_whole or (words and not beside.issuperset(words)):
                    yield record, link.span(), said

    def _column_at(self, place: Span, record: Steps) -> int | None:
        """Give the column of a record's row that a place lies in, counted from 1; None for a record that is no row."""
        cells = self._cells_around(place[0]).items() if self.text.startswith("|", self.regions[record][0]) else ()
        return next((column for column, (start, end) in cells if start <= place[0] < end), None)

    def _cells_of(self, gap: _Gap, column: int) -> Iterator[_Gap]:
        """Give the parts of a stretch that are cells of a column; the whole of it outside of tables."""
        at, end = gap.start, gap.end
        while at < end:
            cells = self._cells_around(at)
            if not cells:
                yield gap._replace(start=at)
                return
            if column in cells and cells[column][0] < gap.end and gap.start < cells[column][1]:
                yield gap._replace(start=max(gap.start, cells[column][0]), end=min(gap.end, cells[column][1]))
            at = end if (line_end := self.text.find("\n", at, end)) < 0 else line_end + 1

    def _cells_around(self, place: int) -> Mapping[int, Span]:
        """Give the filled cells of the row around a place, by column; none outside of tables."""
        start = self.text.rfind("\n", 0, place) + 1
        if start not in self._rows:
            end = self.text.find("\n", place)
            is_row = self.text.startswith("|", start)
            self._rows[start] = cells_between(self.text, start, end if end >= 0 else len(self.text)) if is_row else {}
        return self._rows[start]

    def _is_target(self, place: Span) -> bool:
        return self.text.startswith("](", max(0, place[0] - 2))

    def _words(self, start: int, end: int) -> Sequence[str]:
        """Give the words of a stretch; most say what others do."""
        said = self.text[start:end]
        if said not in self._known:
            self._known[said] = words_of(self._plain(start, end)).split()
        return self._known[said]

    def _plain(self, start: int, end: int) -> str:
        """Give a stretch without images and signs of Markdown."""
        return plain(_IMAGE.sub("", self.text[start:end]))

    def _parted(self, gap: _Gap, joins: re.Pattern[str]) -> Iterator[Span]:
        """Give the parts of a stretch by what stands between values of the field."""
        at = gap.start
        for one in joins.finditer(self.text, gap.start, gap.end):
            yield at, one.start()
            at = one.end()
        yield at, gap.end

    def _gaps(self, record: Steps) -> Iterator[_Gap]:
        """Give the stretches between the claims of a record, and at its ends."""
        at, end = self.regions[record]
        marker = _MARKER.match(self.text, at, end)
        at, before = marker.end() if marker else at, None
        for first, last, field in self.claims[record]:
            yield _Gap(before, field, at, max(at, first))
            at, before = max(at, last), field
        if before is not None:
            yield _Gap(before, None, at, max(at, end))
