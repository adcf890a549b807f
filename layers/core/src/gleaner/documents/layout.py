"""Understand the layout of a page: the order in which it is read, its tables, paragraphs and lists."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise, takewhile

from gleaner.documents.blocks import Block, TextBlock, ends_on_purpose, inline, plain
from gleaner.documents.code import code_blocks
from gleaner.documents.lines import Piece, Row, Walls, bare, line_pitch, marker_of, rows_of, whole
from gleaner.documents.page import Box, PageContents, Word
from gleaner.documents.tables.areas import is_chart, names_above, rows_below, ruled_tables
from gleaner.documents.tables.carried_on import carried_on
from gleaner.documents.tables.rulings import Rules, bars_of, take_rules
from gleaner.documents.tables.runs import (
    Run,
    are_cards,
    beside,
    by_column,
    is_prose,
    is_table,
    names_columns,
    runs_of,
    side_by_side,
    trimmed,
)
from gleaner.documents.tables.shared_starts import are_at, are_counted, part_at
from gleaner.documents.tables.table import Table, table_of

_DEEPEST = 6
"""Columns within columns."""
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "؟", "।")
_NEW_PARAGRAPH = 1.3
"""Distance of two paragraphs, in distances of their lines."""
_FEW_LINES, _LONE_PITCH = 5, 1.5
"""Sizes of the text between two lines of one paragraph, where few lines do not say more."""
_OTHER_SIZE = 0.08
_APART = 4.0
"""Points between two cards; the cells of a table touch."""
_TWO_LINES = 8

_Placed = tuple[Box, Sequence[Block]]


def blocks_of(page: PageContents) -> list[Block]:
    """Give the blocks of a page in reading order."""
    vocabulary = frozenset(bare(word.text) for word in page.words)
    rules = take_rules(page)
    figures = [*page.figures, *bars_of(page, rules)]
    tables, words = ruled_tables(page.words, rules, figures, vocabulary)
    region = _Region(rules, figures, vocabulary, page.starts)
    placed: list[_Placed] = [(table.box, list(region.written(table))) for table in tables]
    found, words = code_blocks(words)
    placed += [(box, [block]) for box, block in found]
    for frame in _cards(page.frames, words):
        held = [word for word in words if frame.holds(word)]
        words = [word for word in words if not frame.holds(word)]
        placed.append((frame, list(region.read(rows_of(held, region.walls), (), 0))))
    rows = part_at(rows_of(words, region.walls), page.starts)
    rest, count = _carried_on(rows, placed, page, vocabulary)
    blocks = [*rest, *region.read(rows[count:], placed, 0)]
    aside = (TextBlock("paragraph", escape(line, quote=False), line, page.usual_size) for line in page.aside)
    for block in blocks:
        if isinstance(block, TextBlock) and not block.heading:
            block.heading = _outlined(block, page.outline)
    return [*blocks, *aside]


def _carried_on(
    rows: Sequence[Row], placed: Sequence[_Placed], page: PageContents, vocabulary: frozenset[str]
) -> tuple[list[Block], int]:
    """Give what goes on with the table of the page before in the first lines, but for those of a table of their own."""
    is_first = bool(rows) and not any(box.top < rows[0][0].y for box, _ in placed)
    if page.goes_on is None or not is_first:
        return [], 0
    is_own = is_table(trimmed(runs_of(rows)[0])[1])
    lines = list(takewhile(lambda row: len(row) == 1, rows)) if is_own else rows
    table, count = carried_on(lines, page.goes_on, vocabulary)
    return ([table] if table else []), count


def _outlined(text: TextBlock, outline: Sequence[tuple[str, int]]) -> int:
    """Give the level that the document's outline gives to a text, 0 for none."""
    said = _letters(f"{text.marker} {text.text}")
    return next((min(level, 6) for title, level in outline if said and _letters(title) == said), 0)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _cards(frames: Sequence[Box], words: Sequence[Word]) -> list[Box]:
    """Give the frames side by side, apart from each other, with several lines in each: each is read alone."""
    cards: list[Box] = []
    for frame in frames:
        beside = [
            other
            for other in frames
            if min(frame.bottom, other.bottom) - max(frame.top, other.top) > 0.5 * min(frame.height, other.height)
            and (other.x0 >= frame.x1 + _APART or other.x1 <= frame.x0 - _APART)
        ]
        heights = {round(word.y) for word in words if frame.holds(word)} if beside else set[int]()
        is_inner = any(frame != card and card.covers(frame, 0) for card in cards)
        if max(heights, default=0) - min(heights, default=0) > _TWO_LINES and not is_inner:
            cards.append(frame)
    return cards


class _Region:
    """Reads a page, or one of its columns."""

    def __init__(
        self, rules: Rules, figures: Sequence[Box], vocabulary: frozenset[str], starts: Sequence[int] = ()
    ) -> None:
        self.walls = Walls(rules.down)
        self._rules, self._figures, self._vocabulary, self._starts = rules, figures, vocabulary, starts

    def read(self, rows: Sequence[Row], tables: Sequence[_Placed], depth: int) -> Iterator[Block]:
        """Give the blocks of some rows and of the tables among them."""
        found = _columns_of_text(rows) if depth < _DEEPEST else None
        if found is None:
            yield from self._read_down(rows, tables)
            return
        first, last, gutter = found
        top = min(piece.top for piece in rows[first])
        bottom = max(piece.bottom for row in rows[first : last + 1] for piece in row)
        above = [table for table in tables if table[0].y < top]
        below = [table for table in tables if table[0].y > bottom]
        amid = [table for table in tables if top <= table[0].y <= bottom]
        yield from self.read(rows[:first], above, depth + 1)
        for is_left in _reading_order(rows[first : last + 1]):
            words = [
                word
                for row in rows[first : last + 1]
                for piece in row
                if (piece.x1 <= gutter) == is_left
                for word in piece.words
            ]
            own = [table for table in amid if (table[0].x <= gutter) == is_left]
            yield from self.read(rows_of(words, self.walls), own, depth + 1)
        yield from self.read(rows[last + 1 :], below, depth + 1)

    def _read_down(self, rows: Sequence[Row], tables: Sequence[_Placed]) -> Iterator[Block]:
        """Give what stands in one column, from top to bottom."""
        waiting = sorted(tables, key=lambda table: (round(table[0].top / 4), table[0].x0))
        part: list[Row] = []
        room = max((piece.x1 for row in rows for piece in row), default=0.0)
        for row in rows:
            while waiting and waiting[0][0].top <= row[0].y:
                yield from self._read_rows(part, room)
                part = []
                yield from waiting.pop(0)[1]
            part.append(row)
        yield from self._read_rows(part, room)
        for _, blocks in waiting:
            yield from blocks

    def _read_rows(self, rows: Sequence[Row], room: float) -> Iterator[Block]:
        lines: list[Row] = []
        runs = runs_of(rows)
        for run, following in zip(runs, [*runs[1:], None], strict=False):
            above, core, below = trimmed(run)
            if following is not None and names_columns(run, following):
                lines += run.rows
                continue
            is_listed = are_counted(core, self._starts)
            if not is_listed and (not is_table(core) or is_chart(core.box, self._figures) or are_cards(core)):
                if (not run.spanning and is_prose(by_column(run), least=2)) or are_cards(core):
                    yield from self._read_text(lines, room)
                    lines = []
                    starts = [x0 for x0, _ in run.columns]
                    last = 2 * starts[-1] - starts[-2:][0]  # as wide as the column before
                    ends = [*starts[1:], max(room, last)]
                    for column, end in zip(by_column(run), ends, strict=True):
                        yield from self._read_text([[piece] for piece in column], end)
                else:
                    lines += run.rows
                continue
            lines += above
            gutter = None if is_listed else side_by_side(core)
            if gutter is not None:
                yield from self._read_text(lines, room)
                lines = list(below)
                for is_left in (True, False):
                    parts = beside(core.rows, gutter, is_left=is_left)
                    yield from self._read_rows(parts, gutter if is_left else room)
                continue
            names, rules = names_above(core.rows, core.box, lines), self._rules_of(core)
            more = rows_below(core.rows, rules.down, core.box, below)
            table = table_of([*names, *core.rows, *more], rules, self._vocabulary)
            if table is None:
                lines += [*core.rows, *below]
                continue
            yield from self._read_text(lines[: len(lines) - len(names)], room)
            lines = list(below[len(more) :])
            yield from self.written(table)
        yield from self._read_text(lines, room)

    def written(self, table: Table) -> Iterator[Block]:
        """Give a table with its title and its notes."""
        yield from self._read_text(table.above, 0.0)
        yield table.block
        yield from self._read_text(table.below, 0.0)

    def _rules_of(self, run: Run) -> Rules:
        box = run.box
        across = [
            rule for rule in self._rules.across if box.top - 40 <= rule.top <= box.bottom + 8 and rule.x1 > box.x0
        ]
        across = [rule for rule in across if rule.x0 < box.x1 and rule.width <= 1.3 * box.width]
        down = [wall for wall in self._rules.down if box.holds(wall)]
        return Rules(across, down, self._starts if are_at(run.rows, self._starts) else ())

    def _read_text(self, rows: Sequence[Row], room: float) -> Iterator[TextBlock]:
        """Give the paragraphs and items of lines of text; ``room`` is where the text around them ends."""
        lines = [whole(row) for row in rows]
        pitch = (
            line_pitch(rows) if len(rows) > 4 else min(line_pitch(rows), _LONE_PITCH * rows[0][0].size if rows else 0)
        )
        start = 0
        for at in range(1, len(lines) + 1):
            if at == len(lines) or _begins_anew(lines[start:at], lines[at], pitch):
                yield _text_block(lines[start:at], self._vocabulary, room)
                start = at


def _columns_of_text(rows: Sequence[Row]) -> tuple[int, int, float] | None:
    """Give the rows from first to last that stand in columns of text, and the middle of the first gutter."""
    runs = runs_of(rows)
    starts = [sum(len(run.rows) for run in runs[:at]) for at in range(len(runs) + 1)]
    for at, run in enumerate(runs):
        if not run.spanning and is_prose(by_column(run)):
            left, right = run.columns[0][1], run.columns[1][0]
            first, last = starts[at], starts[at + 1] - 1
            while first > 0 and _is_beside(rows[first - 1], left, right):
                first -= 1
            for other, start in zip(runs[at + 1 :], starts[at + 1 :], strict=False):
                beside_it = next(
                    (row for row in range(start, start + len(other.rows)) if not _is_beside(rows[row], left, right)),
                    start + len(other.rows),
                )
                last = beside_it - 1
                if beside_it < start + len(other.rows):
                    break
            while last > first and len(rows[last]) == 1 and _is_set_off(rows[last], rows[last - 1]):
                last -= 1
            return first, last, (left + right) / 2
    return None


def _is_set_off(row: Row, before: Row) -> bool:
    """Tell whether a line is a heading of what comes next: larger or bolder than the line before."""
    return row[0].size > before[0].size * (1 + _OTHER_SIZE) or (row[0].is_bold and not before[0].is_bold)


def _is_beside(row: Row, left: float, right: float) -> bool:
    """Tell whether a row leaves a gutter free."""
    middle = (left + right) / 2
    return all(piece.x1 <= middle or piece.x0 >= middle for piece in row)


def _reading_order(rows: Sequence[Row]) -> tuple[bool, bool]:
    """Give whether the left column comes first, and then whether the other does."""
    pieces = [piece for row in rows for piece in row if len(piece.words) > 1]
    reversed_lines = sum(piece.words[0].x0 > piece.words[-1].x0 for piece in pieces)
    return (False, True) if reversed_lines * 2 > len(pieces) else (True, False)


def _begins_anew(block: Sequence[Piece], line: Piece, pitch: float) -> bool:
    """Tell whether a line begins a new paragraph or item after the lines of one."""
    before, first = block[-1], block[0]
    step = line.y - before.y
    usual = min(step for step in (_steps(block) or [pitch])) if pitch else 0.0
    if step > max(_NEW_PARAGRAPH * usual, 1.05 * line.size) and step > 1.25 * line.size:
        return True
    if abs(line.size - before.size) > _OTHER_SIZE * before.size or line.is_bold != before.is_bold:
        return True
    if marker_of(line):
        return True
    if marker_of(first):
        return line.x0 < first.words[1].x0 - 0.8 * line.size
    right = max(each.x1 for each in block)
    if ends_on_purpose(before, line, right) and before.text.endswith(_ENDS):
        return True
    is_indented = line.x0 > before.x0 + 0.8 * line.size and abs(before.x0 - min(each.x0 for each in block)) < 1
    return is_indented and before.text.endswith(_ENDS)


def _steps(block: Sequence[Piece]) -> list[float]:
    return [below.y - above.y for above, below in pairwise(block)]


def _text_block(lines: Sequence[Piece], vocabulary: frozenset[str], room: float) -> TextBlock:
    marker = marker_of(lines[0])
    if marker:
        lines = [_without_first(lines[0]), *lines[1:]]
    last = lines[-1]
    headings = {word.heading for line in lines for word in line.words}
    return TextBlock(
        "item" if marker else "paragraph",
        inline(lines, vocabulary, keeps_lines=not marker, room=room),
        plain(lines, vocabulary),
        size=lines[0].size,
        is_bold=all(line.is_bold for line in lines),
        lines=len(lines),
        marker=marker,
        level=round(lines[0].x0),
        goes_on=last.is_broken or not last.text.endswith(_ENDS),
        heading=headings.pop() if len(headings) == 1 else 0,
    )


def _without_first(line: Piece) -> Piece:
    words: tuple[Word, ...] = line.words[1:]
    return Piece(words[0].x0, line.top, line.x1, line.bottom, words)
