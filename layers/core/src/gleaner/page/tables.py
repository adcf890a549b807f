"""The tables of a page: what stands in which row and column, what names the columns, parts the rows and sums them up.

A table is what the markup lays out as one, by its tags, by roles or by styles; a table that holds tables only places
them on the page. Spans are filled once, as the Markdown has them (``gleaner.html.table_spans``). Who reads a table asks
here what a row is; what a cell says is a matter of its node.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from statistics import median
from typing import Literal, NamedTuple, TypeAlias

from gleaner.html.table_spans import Spanned, lay_out, spans_of
from gleaner.page.model import READ, Nodes
from gleaner.page.totals import is_total
from gleaner.values.names import words_of

RowKind: TypeAlias = Literal["head", "title", "row", "total", "blank"]
"""head: names the columns · title: heads the rows below · row: what the table is about · total: sums up other rows, or
stands in the foot · blank: says nothing."""

NamedBy: TypeAlias = Literal["markup", "looks", "nothing"]
"""How a table says what its columns are: by header cells, by a first row that looks like one, or not at all."""

_RULE = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t:-]*+)*+")

_SECTIONS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")
_SHOWN = ("img", "svg", "input")
_NONE: Mapping[str, str] = {}
_SAMPLE = 60
"""Rows by which a table is judged."""

_TOTALS = frozenset(("total", "subtotal", "grandtotal"))
_LONGEST_TOTAL, _LONGEST_NAME = 40, 40
_FULL = 3
"""Filled cells in most rows, from which on a row with a single one heads those below."""

_LEAST_TURNS, _UNLABELLED_TURN, _LONGEST_TURN = 3, 3, 20
_MOST_HEADS = 3
_MOSTLY = 0.9
_NOTE = re.compile(r"\[\w{1,3}\]$")
"""The mark of a note behind a name: "Deaths[42]"."""

_YEAR = re.compile(r"(?:19|20)\d\d")
"""What may stand over the days of a year, in bold type as the other names."""


class TableRow(NamedTuple):
    """A row: its node, the section that it stands in ("" for none), its own cells, and what stands in each column.

    A cell that spans columns or rows stands in each of them; -1 is no cell. ``above`` counts the columns that cells of
    rows above reach into.
    """

    node: int
    section: str
    cells: tuple[int, ...]
    slots: tuple[int, ...]
    above: int


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table: its node, its rows with a cell, what each of them is, and how many of them make one record.

    ``node`` is what holds the rows. ``period`` is 1 for most; 2 or 3 where rows of unlike cells take steady turns.
    """

    node: int
    rows: tuple[TableRow, ...]
    kinds: tuple[RowKind, ...]
    named_by: NamedBy
    period: int = 1

    def of_kind(self, *kinds: RowKind) -> list[TableRow]:
        """Give the rows of some kinds."""
        return [row for row, kind in zip(self.rows, self.kinds, strict=True) if kind in kinds]

    @property
    def heads(self) -> list[TableRow]:
        """The rows at the top that name the columns, those before them that head the whole table left out."""
        first = next((at for at, kind in enumerate(self.kinds) if kind not in ("title", "blank")), len(self.kinds))
        last = next((at for at in range(first, len(self.kinds)) if self.kinds[at] != "head"), len(self.kinds))
        return list(self.rows[first:last])


def is_rule(line: str) -> bool:
    """Tell whether a line of Markdown parts the heads of a table from its rows.

    >>> is_rule("| --- | :-: |"), is_rule("--- | ---"), is_rule("---"), is_rule("| a | - |")
    (True, True, False, False)
    """
    return "-" in line and "|" in line and _RULE.fullmatch(line) is not None


def find_tables(nodes: Nodes) -> tuple[Table, ...]:
    """Give the tables of a page in their order, but for those that hold tables."""
    holders = set(_holders(nodes))
    tables = (node for node in nodes.tagged("table") if node not in holders and nodes.layers[node] in READ)
    return tuple(table for node in tables if (table := _read(nodes, node)) is not None)


def _holders(nodes: Nodes) -> Iterator[int]:
    around: list[int] = []
    for node in nodes.tagged("table"):
        while around and nodes.ends[around[-1]] <= node:
            around.pop()
        yield from around[-1:]
        around.append(node)


def _read(nodes: Nodes, node: int) -> Table | None:
    found = [(row, section, part, cells) for row, section, part, cells in _rows_of(nodes, node) if cells]
    if not found:
        return None
    spans = [[Spanned(cell, *spans_of(_attribute(nodes, cell))) for cell in cells] for *_, cells in found]
    lines = lay_out(spans, [part for _, _, part, _ in found])
    rows: list[TableRow] = []
    for (row, section, _, cells), own, line in zip(found, spans, lines, strict=True):
        slots = tuple(cells) if line is own else tuple(cell.item if cell else -1 for cell in line)
        above = 0 if line is own else sum(cell >= 0 for cell in slots) - sum(map(slots.count, cells))
        rows.append(TableRow(row, section, slots if line is own else tuple(cells), slots, above))
    tall = max(span.rows for span in spans[0])
    return _settle(nodes, node, rows, tall)


def _attribute(nodes: Nodes, node: int) -> Callable[[str], str | None]:
    return (nodes.attributes[node] or _NONE).get


def _rows_of(nodes: Nodes, table: int) -> Iterator[tuple[int, str, int, list[int]]]:
    """Give the rows of a table: node, section, the number of the run of rows that spans stay in, and cells.

    Cells that stand in no row make one. What lies between table, row and cell is passed through.
    """
    row: tuple[int, str, int, list[int]] | None = None
    section, part, section_ends, row_ends = "", 0, 0, 0
    at, end = table + 1, nodes.ends[table]
    while at < end:
        tag = nodes.tags[at]
        if row is not None and at >= row_ends:
            yield row
            row = None
        if section and at >= section_ends:
            section, part = "", part + 1
        if nodes.layers[at] not in READ:
            at = nodes.ends[at]
            continue
        if tag in _CELLS:
            if row is None:
                row, row_ends = (at, section, part, []), section_ends or end
            row[3].append(at)
            at = nodes.ends[at]
            continue
        if tag == "tr":
            row, row_ends = (at, section, part, []), nodes.ends[at]
        elif tag in _SECTIONS:
            section, part, section_ends = tag, part + 1, nodes.ends[at]
        at += 1
    if row is not None:
        yield row


def _settle(nodes: Nodes, node: int, rows: Sequence[TableRow], tall: int) -> Table:
    """Tell what rows are, what names the columns, and how many rows make one record.

    ``tall`` is how many rows the tallest cell of the first one claims.
    """
    texts = [[nodes.said(cell) for cell in row.cells] for row in rows]
    filled = [sum(map(partial(_shows, nodes), row.cells, said)) for row, said in zip(rows, texts, strict=True)]
    counts = [len(row.cells) + row.above for row in rows]
    usual = Counter(count for count, some in zip(counts, filled, strict=True) if some).most_common(1)
    if not usual:
        blank: tuple[RowKind, ...] = ("blank",)
        return Table(node, tuple(rows), blank * len(rows), "nothing")
    kinds: list[RowKind] = [_kind(nodes, *one, usual[0][0]) for one in zip(rows, texts, filled, strict=True)]
    named = [at for at, row in enumerate(rows) if kinds[at] == "row" and _is_called_total(nodes, row.node)]
    for at in named if 2 * len(named) < kinds.count("row") else ():
        kinds[at] = "total"
    if "total" in kinds:
        _mark_totals(kinds, [_form(row, said) for row, said in zip(rows, texts, strict=True)])
    plain = [at for at, kind in enumerate(kinds) if kind == "row"]
    period = period_of([counts[at] for at in plain], [texts[at][0] for at in plain])
    if period == 1:
        is_full = median(some for some in filled if some) >= _FULL
        for at, row in enumerate(rows):
            is_single = len(row.cells) == 1 < usual[0][0] or (is_full and filled[at] == 1)
            if kinds[at] == "row" and is_single and not row.above:
                kinds[at] = "title"
    named_by = _name_columns(nodes, rows, texts, kinds, tall) if period == 1 else _named_by_markup(kinds)
    return Table(node, tuple(rows), tuple(kinds), named_by, period)


def _shows(nodes: Nodes, cell: int, said: str) -> bool:
    inside = range(cell + 1, nodes.ends[cell])
    return bool(said) or any(nodes.tags[one] in _SHOWN and nodes.layers[one] in READ for one in inside)


def _kind(nodes: Nodes, row: TableRow, texts: Sequence[str], filled: int, usual: int) -> RowKind:
    if not filled:
        return "blank"
    if row.section == "thead" or all(nodes.tags[cell] == "th" for cell in row.cells):
        spans = len(row.slots) > 1 == len(set(row.slots))
        return "title" if len(row.cells) == 1 and (spans or (usual > 1 and row.section != "thead")) else "head"
    label = next(filter(None, texts), "")
    sums_up = len(label) < _LONGEST_TOTAL and is_total(label, is_whole=filled >= usual > 1)
    return "total" if row.section == "tfoot" or sums_up else "row"


def _is_called_total(nodes: Nodes, row: int) -> bool:
    """Tell whether the class of a row says that it is one of totals."""
    return not _TOTALS.isdisjoint(words_of(_attribute(nodes, row)("class") or ""))


def _form(row: TableRow, texts: Sequence[str]) -> tuple[int, ...]:
    """Give which columns of a row are filled: for each, the first one of the cell that says something there, or -1."""
    filled = {cell for cell, text in zip(row.cells, texts, strict=True) if text}
    return tuple(row.slots.index(cell) if cell in filled else -1 for cell in row.slots)


def _mark_totals(kinds: list[RowKind], forms: Sequence[tuple[int, ...]]) -> None:
    """Mark the rows that go on with totals in place, as taxes do: they are filled as these are, and as few records are.

    They stand between two totals, or behind the last one at the end of the table, but for notes. What stands over the
    first total in the form of totals may be a record that has no more to say.
    """
    above = zip(forms[: kinds.index("total")], kinds, strict=False)
    usual = Counter(form for form, kind in above if kind == "row").most_common(1)
    totals: set[tuple[int, ...]] = set()
    waiting: list[int] = []
    for at, (kind, form) in enumerate(zip(kinds, forms, strict=True)):
        if kind == "total":
            for between in waiting:
                kinds[between] = "total"
            totals.add(form)
            waiting = []
        elif kind == "row" and form in totals and usual and form != usual[0][0]:
            waiting.append(at)
        elif kind != "blank":
            totals, waiting = set(), waiting if len({*form} - {-1}) < 2 else []
    for behind in waiting:
        kinds[behind] = "total"


def period_of(counts: Sequence[int], labels: Sequence[str]) -> int:
    """Give how many rows make one record, where rows of unlike numbers of cells take steady turns; else 1.

    ``labels`` are what the first cells say: more than three rows are one record only where most of them begin with the
    same label each time, since a title over rows takes turns with them, too. Fewer rows may be left at the end: a last
    record cut short, or a link to more of them.

    >>> period_of([1, 3, 1, 3, 1, 3, 1], "abcdefg"), period_of([3, 3, 3], "abc")
    (2, 1)
    >>> period_of([1, 2, 2, 2] * 3, "axyzbxyzcxyz"), period_of([1, 2, 2, 2] * 3, "abcdefghijkl")
    (4, 1)
    """
    for size in range(2, min(_LONGEST_TURN, len(counts) // _LEAST_TURNS) + 1):
        end = len(counts) - len(counts) % size
        if len(set(counts[:size])) > 1 and all(counts[at] == counts[at % size] for at in range(end)):
            said = [{labels[at] for at in range(first, end, size)} for first in range(size)]
            if size <= _UNLABELLED_TURN or 2 * sum(len(texts) == 1 for texts in said) > size:
                return size
    return 1


def _named_by_markup(kinds: Sequence[RowKind]) -> NamedBy:
    return "markup" if "head" in kinds else "nothing"


def _name_columns(
    nodes: Nodes, rows: Sequence[TableRow], texts: Sequence[Sequence[str]], kinds: list[RowKind], tall: int
) -> NamedBy:
    """Mark the heads that no markup calls so, in place: below a tall head, a first row by its looks, and heads said
    again; tell how the columns are named.
    """
    heads = [at for at, kind in enumerate(kinds) if kind == "head"]
    body = [at for at, kind in enumerate(kinds) if kind == "row"]
    named_by = _named_by_markup(kinds)
    if heads and len(heads) < tall <= _MOST_HEADS and heads == [*range(heads[0], heads[-1] + 1)] and body:
        for at in range(heads[-1] + 1, min(heads[0] + tall, body[-1])):
            kinds[at] = "head"
    elif not heads and len(body) > 1 and not _hangs_blank(nodes, rows[body[1]]):
        cells, said = [rows[at].cells for at in body], [texts[at] for at in body]
        if _looks_like_names(nodes, cells, said):
            kinds[body[0]], named_by, heads = "head", "looks", body[:1]
    if heads:
        for at in body:
            if texts[at] == texts[heads[-1]]:
                kinds[at] = "head"
    return named_by


def _hangs_blank(nodes: Nodes, row: TableRow) -> bool:
    """Tell whether cells of rows above reach into a row, and none of them has a text: a picture beside several rows."""
    return row.above > 0 and not any(nodes.said(cell) for cell in {*row.slots} - {*row.cells, -1})


def _looks_like_names(nodes: Nodes, cells: Sequence[Sequence[int]], texts: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row of plain cells names the columns: bold throughout, or no number above numbers.

    Where markup says that the first cell of each row heads it, the first row is one of them.
    """
    if all(nodes.tags[row[0]] == "th" for row in cells):
        return False
    head, rest = [_NOTE.sub("", text) for text in texts[0]], texts[1 : 1 + _SAMPLE]
    if any(len(text) > _LONGEST_NAME for text in head) or not any(head):
        return False
    is_bold = all(_is_bold(nodes, cell) for cell, text in zip(cells[0], head, strict=True) if text)
    has_figures = any(any(map(str.isdecimal, text)) for text in head if not (is_bold and _YEAR.fullmatch(text)))
    if has_figures:
        return False
    if is_bold and not all(_is_bold(nodes, row[0]) for row in cells[1 : 1 + _SAMPLE]):
        return True
    numeric = 0
    for column, name in enumerate(head):
        below = [row[column] for row in rest if column < len(row) and row[column]]
        digits = sum(any(map(str.isdigit, text)) for text in below)
        numeric += bool(name) and bool(below) and digits >= _MOSTLY * len(below)
    return numeric > 1 or (numeric == 1 and len(head) <= 2 and len(rest) >= 3)


def _is_bold(nodes: Nodes, cell: int) -> bool:
    inside = [*islice(nodes.children(cell), 2)]
    is_alone = len(inside) == 1 and not nodes.texts[cell].strip() and not nodes.tails[inside[0]].strip()
    return is_alone and (
        nodes.tags[inside[0]] in ("b", "strong") or (nodes.tags[inside[0]] == "span" and _is_bold(nodes, inside[0]))
    )
