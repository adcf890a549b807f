"""Units that only the text separates: lines, paragraphs, sections under similar headings."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, islice, pairwise
from operator import itemgetter
from statistics import median

from gleaner.units.groups import ROUND_SCORE, SPARE_SCORE, TURN_SCORE, PlacedUnit
from gleaner.units.rounds import rounds, turns
from gleaner.units.segments import cells, columns_in_turn, enumerations, row_cells, sentences, typed_columns

_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LINE = re.compile(r"^[^\n]*\S[^\n]*$", re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})\s")
_LISTED = re.compile(r"[ \t]*(?:\||[-*+]\s|\d{1,9}[.)]\s)")
_RULE = re.compile(r"(?:[| +:\t]|[-=]{1,2}(?![-=]))*+[-=]{3}[-=| +:\t]*+")
_TITLE_ROW = re.compile(r"^\|[ \t]*[^\s|][^|\n]*\|(?:[ \t]*\|)+[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_FENCE_LINE = re.compile(rf"^{_FENCE.pattern}", re.MULTILINE)
_FEWEST = 2
_NEARLY_ALL = 0.9
_MOST_GROUPS = 200
_MOST_IN_ALL = 100_000
_MOST_PIECES = 20_000
"""Pieces of a group: more are words of a text, or a page beyond all asking."""

Spans = list[tuple[int, int]]
_Block = tuple[int, int, bool]
"""Where a run of lines begins and ends, and whether it is text."""


def line_units(markdown: str, first: int, known: Iterable[PlacedUnit] = ()) -> tuple[PlacedUnit, ...]:
    """Give the runs of ``_line_groups`` as units of no weight of their own, and pieces joined to runs of still less.

    Groups are numbered from ``first``. ``known`` are the page's other units: lines with the marks of a list are text
    where none of them is an item or a row, as in ``<p>- Larch jug</p>``, and in what is shown as it is typed.
    """
    listed = sorted(unit.start for unit in known if unit.kind in ("item", "row"))
    blocks = list(_blocks(markdown, listed))
    sequences = list(_sequences(markdown, blocks))
    joined = _usable(way for pieces in sequences for way in rounds(markdown, pieces))
    turning = _usable(way for pieces in sequences for way in turns(pieces))
    scored = [(SPARE_SCORE, _line_groups(markdown, blocks, listed)), (ROUND_SCORE, joined), (TURN_SCORE, turning)]
    groups = [(score, group) for score, groups in scored for group in groups]
    return tuple(
        PlacedUnit(first + at, index, start, end, score, "entry")
        for at, (score, group) in enumerate(groups)
        for index, (start, end) in enumerate(group)
    )


def _line_groups(markdown: str, blocks: list[_Block], listed: Sequence[int] = ()) -> list[Spans]:
    """Give runs of the Markdown that could each hold a record though no element does, as lists of places.

    Such are poems and addresses too: a group counts only once records are seen to come from it, one from each place.
    All blocks of text are one more group. ``listed`` are where the items and rows begin that are units by themselves:
    where some of a table's are joined, each row is one more piece.

    >>> text = "Ann, Director\\nBen, Porter\\nCy, Chef"
    >>> _line_groups(text, list(_blocks(text)))
    [[(0, 34)], [(0, 13), (14, 25), (26, 34)], [(0, 3), (5, 17), (19, 28), (30, 34)]]
    """
    texts = [(start, end) for start, end, is_text in blocks if is_text]
    return _usable(_ways_to_part(markdown, blocks, texts, listed), texts)


def _ways_to_part(markdown: str, blocks: list[_Block], texts: Spans, listed: Sequence[int]) -> Iterator[Spans]:
    yield texts
    yield from _sections(markdown, blocks)
    for run in _runs(blocks):
        lines = [line for start, end in run for line in _lines(markdown, start, end)]
        yield run
        yield sentences(markdown, run)
        if len(lines) > len(run):
            yield lines
    of_width: dict[int, list[Spans]] = {}
    for (above, _, is_caption), (start, end, is_text) in pairwise([(0, 0, False), *blocks]):
        if is_text:
            several = markdown.find("\n", start, end) >= 0
            lines = _lines(markdown, start, end) if several else []
            yield lines
            yield from typed_columns(markdown, lines)
            yield from enumerations(markdown, start, end)
        elif markdown.startswith("|", start):
            rows = list(islice(row_cells(markdown, start, end), _MOST_PIECES + 1))
            filled = cells(rows)
            yield filled
            of_width.setdefault(max(map(len, rows), default=0), []).append(filled)
            yield cells([_without_the_first(row) for row in rows[: len(rows) > 1]])
            units = bisect_left(listed, end) - bisect_left(listed, start)
            yield _lines(markdown, start, end) if 0 < 2 * units < len(rows) else []  # the first row is the head
            yield _titled(markdown, above if is_caption else start, start, end)
            yield _alternating(markdown, rows, end)
            yield from _side_by_side(markdown, rows)
    for several in of_width.values():  # a year may have its table of days each
        yield [cell for table in several for cell in table] if len(several) > 1 else []


def _usable(found: Iterable[Spans], whole: Spans | None = None) -> list[Spans]:
    """Give the groups of several pieces, and the ``whole`` one whatever it has, each once and no more than go.

    Nothing behind those that go is worked out: a long page has thousands of lines that could be parted.
    """
    known: dict[tuple[tuple[int, int], ...], Spans] = {}
    for group in found:
        if group and len(group) <= _MOST_PIECES and (len(group) >= _FEWEST or group is whole):
            known.setdefault(tuple(group), group)
            if len(known) == _MOST_GROUPS:
                break
    unique = list(known.values())
    sums = accumulate(map(len, unique))
    return [group for group, total in zip(unique, sums, strict=True) if total <= _MOST_IN_ALL]


def _sequences(markdown: str, blocks: list[_Block]) -> Iterator[Spans]:
    """Give the pieces that follow one another: blocks of text, the lines of one, the rows of a table, items."""
    yield from _runs(blocks)
    for start, end, is_text in blocks:
        if is_text:
            yield _lines(markdown, start, end) if markdown.find("\n", start, end) >= 0 else []
        elif _LISTED.match(markdown, start):
            yield _rows(markdown, start, end)


def _runs(blocks: list[_Block]) -> Iterator[Spans]:
    """Give the blocks of text that no other block parts."""
    for is_text, run in groupby(blocks, key=itemgetter(2)):
        if is_text:
            yield [(start, end) for start, end, _ in run]


def _lines(markdown: str, start: int, end: int) -> Spans:
    """Give the lines of a run, without fences and without a table's rules and its head, above the first of them."""
    found = ((start + match.start(), start + match.end()) for match in _LINE.finditer(markdown[start:end]))
    places = [place for place in found if not _FENCE.match(markdown, place[0])]
    rules = [number for number, (first, last) in enumerate(places) if _RULE.fullmatch(markdown, first, last)]
    head = next((number - 1 for at, number in enumerate(rules) if number and rules[at - 1 : at] != [number - 1]), None)
    left_out = {*rules, *(() if _are_parting(rules, len(places)) else (head,))}
    return [place for number, place in enumerate(places) if number not in left_out]


def _are_parting(rules: Sequence[int], count: int) -> bool:
    """Tell whether rules among lines part records of as many lines each, rather than a head from a table's rows.

    >>> _are_parting([1, 3, 5], 7), _are_parting([1], 5), _are_parting([0, 2, 4, 6], 7)
    (True, False, False)
    """
    sizes = [last - first - 1 for first, last in pairwise([-1, *rules, count])]
    return len(sizes) > 3 and sizes[0] > 0 and sizes[0] == median(sizes[:-1])


def _rows(markdown: str, start: int, end: int) -> Spans:
    """Give the rows of a table but its rule, or the lines of a list."""
    places = ((start + match.start(), start + match.end()) for match in _LINE.finditer(markdown[start:end]))
    return [place for place in places if not _RULE.fullmatch(markdown, *place)]


def _titled(markdown: str, above: int, start: int, end: int) -> Spans:
    """Give a table's rows from each title, a row with its first cell alone filled, to the next one.

    The rows above the first title are one run, together with the text ``above`` the table: that is their title.
    """
    titles = [start + match.start() for match in _TITLE_ROW.finditer(markdown[start:end])]
    edges = [*([] if titles[:1] == [start] else [above]), *titles, end]
    runs = ((first, first + len(markdown[first:last].rstrip())) for first, last in pairwise(edges))
    return list(runs) if titles else []


def _alternating(markdown: str, rows: list[dict[int, tuple[int, int]]], end: int) -> Spans:
    """Give the pairs or threes of a table's rows that fill other columns each, again and again: one record each."""
    filled = [tuple(row) for row in rows if row]
    starts = [markdown.rfind("\n", 0, min(row.values())[0]) + 1 for row in rows if row]
    ends = [markdown.find("\n", max(row.values())[1], end) for row in rows if row]
    ends = [end if last < 0 else last for last in ends]
    for period in (2, 3) if len(filled) <= _MOST_PIECES else ():
        shifted = list(zip(filled, filled[period:], strict=False))
        like = sum(one == other for one, other in shifted)
        if len(set(filled[:period])) > 1 and shifted and like >= _NEARLY_ALL * len(shifted):
            left = filled[len(filled) - len(filled) % period :]
            last = ends[-1:] if left and left[0] == filled[0] else []  # another row is a link to more records
            return list(zip(starts[::period], [*ends[period - 1 :: period], *last], strict=False))
    return []


def _without_the_first(row: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Give the cells that head the columns of a table which compares things; the first one heads the labels."""
    return {column: place for column, place in row.items() if column > 1}


def _side_by_side(markdown: str, rows: list[dict[int, tuple[int, int]]]) -> Iterator[Spans]:
    """Give the parts of rows that hold several records each: the names of columns come round again, or their kinds."""
    names = [(column, markdown[slice(*place)].casefold()) for column, place in (rows[0] if rows else {}).items()]
    for size in range(2, len(names) // 2 + 1):
        first = [name for _, name in names[:size]]
        if (
            len(set(first)) > 1
            and len(names) % size == 0
            and all(name == first[at % size] for at, (_, name) in enumerate(names))
        ):
            groups = [[column for column, _ in names[at : at + size]] for at in range(0, len(names), size)]
            parts = ([row[column] for column in group if column in row] for row in rows[1:] for group in groups)
            yield [(part[0][0], part[-1][1]) for part in parts if part]
            return
    yield from columns_in_turn(markdown, [[*row.values()] for row in rows])


def _blocks(markdown: str, listed: Sequence[int] = ()) -> Iterator[_Block]:
    """Give the runs of lines between blank lines, and whether they are text (no heading, table or list).

    ``listed`` are the starts of items and rows.
    """
    is_typed = False
    for match in _BLOCK.finditer(markdown):
        text, start = match[0], match.start()
        is_listed = _LISTED.match(text) is not None and not is_typed
        if is_listed and text[0] != "|":
            at = bisect_left(listed, start)
            is_listed = at < len(listed) and listed[at] < match.end()
        yield start, match.end() - text.endswith("\n"), not (_HEADING.match(text) or is_listed)
        is_typed ^= sum(1 for _ in _FENCE_LINE.finditer(text)) % 2 == 1


def _sections(markdown: str, blocks: Iterable[_Block]) -> list[Spans]:
    """Give, for each level of headings, the stretches from one heading to the next of this level or a higher one."""
    open_at: dict[int, int] = {}
    sections: dict[int, Spans] = {}

    def close(level: int, end: int) -> None:
        for known in [one for one in open_at if one >= level]:
            start = open_at.pop(known)
            sections.setdefault(known, []).append((start, start + len(markdown[start:end].rstrip())))

    for start, _, is_text in blocks:
        heading = None if is_text else _HEADING.match(markdown, start)
        if heading:
            close(len(heading[1]), start)
            open_at[len(heading[1])] = start
    close(1, len(markdown))
    return [sections[level] for level in sorted(sections)]
