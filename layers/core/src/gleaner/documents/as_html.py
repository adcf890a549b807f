"""Join the pages of a document to one page in HTML: headings, paragraphs, lists, tables, page numbers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from gleaner.documents.blocks import Block, Cell, TableBlock, TextBlock
from gleaner.documents.tables.carried_on import columns_of
from gleaner.documents.tables.columns import FIGURE

LARGER = 1.12
"""Size of a heading in sizes of the text: headings have 1.2 and more, figures and notes differ by less."""
_ONE_SIZE = 1.06
_SMALLER_THAN_CELLS = 1.5
"""Points by which bold lines over tables are smaller than the cells of these, where there is no other text."""
_FEW = 8
"""A size that one of so many lines has, or fewer, is that of a note, however long this is."""
_MOST_LEVELS = 4
_LONGEST_HEADING, _MOST_HEADING_LINES = 160, 3
_SAME_COLUMN = 12.0
"""Points by which the left edges of a column differ from page to page where right-aligned numbers get longer."""
_NESTED, _NEXT_COLUMN = 6, 72
"""Points by which an item stands farther right than one that it is part of, and than one in the column before."""
_MOST_FOOT, _LEAST_SUMMED = 8, 3
_NO_TITLES = ("untitled", "(anonymous)", "(unspecified)")


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page of a document and its blocks, and what of it is missing, as ``PageContents`` counts it."""

    number: int
    blocks: tuple[Block, ...]
    is_scan: bool = False
    hidden: int = 0
    unreadable: int = 0
    doubtful: int = 0


@dataclass(frozen=True, slots=True)
class _PageMark:
    """Where a page begins; ``last`` is the last of several that one table fills."""

    first: int
    last: int


def document_as_html(pages: Sequence[ReadPage], title: str = "", language: str = "") -> str:
    """Give a document as a page in HTML.

    Each page begins with its number, where the document has several; a table that goes on over pages is one table
    below the numbers of all of them.
    """
    parts = _joined(pages)
    blocks = [part for part in parts if not isinstance(part, _PageMark)]
    levels = _Levels(blocks)
    body = "".join(_written(parts, levels, shows_pages=len(pages) > 1))
    named = title if title and title.lower() not in _NO_TITLES else _first_heading(blocks, levels)
    head = f'<head><meta charset="utf-8"><title>{escape(named)}</title></head>'
    return f'<!doctype html><html lang="{escape(language)}">{head}<body><main>{body}</main></body></html>'


def _joined(pages: Sequence[ReadPage]) -> list[Block | _PageMark]:
    """Give the blocks of all pages and the marks between them; what a page's end parts is one block."""
    parts: list[Block | _PageMark] = []
    for page in pages:
        blocks = list(page.blocks)
        mark = _PageMark(page.number, page.number)
        last = next((part for part in reversed(parts) if not isinstance(part, _PageMark)), None)
        if blocks and isinstance(last, TableBlock) and parts[-1] is last:
            while blocks and _continues(last, blocks[0]):
                _append(last, blocks.pop(0), page.number)
        elif blocks and isinstance(last, TextBlock) and parts[-1] is last and _is_continued(last, blocks[0]):
            parts[-1] = _continued(last, blocks.pop(0))
        if blocks or not page.blocks:
            parts.append(mark)
        parts += blocks
    return _with_ranges(parts)


def _continues(table: TableBlock, block: Block) -> bool:
    """Tell whether a block goes on with the table above: the same columns at the same places, or the same head."""
    if not isinstance(block, TableBlock):
        return False
    if _has_same_head(table, block):
        return True
    if len(table.edges) != len(block.edges) or (block.head and table.head and not _begins_with_row(block, table)):
        return False
    near = sum(abs(one - other) <= _SAME_COLUMN for one, other in zip(table.edges, block.edges, strict=True))
    return 2 * near >= len(table.edges) + 1


def _begins_with_row(block: TableBlock, table: TableBlock) -> bool:
    """Tell whether what looks like the head of a table is a row of the one above: it has figures where that has some.

    Three rows at the top of a page tell little of their columns: a table that goes on there is taken for a new one.
    """
    first, figures = block.rows[0], columns_of(table).figures
    is_row = block.head == 1 and len(first) == len(table.edges)
    return is_row and bool(figures) and all(FIGURE.fullmatch(first[at].html) for at in figures)


def _append(table: TableBlock, block: Block, number: int) -> None:
    if isinstance(block, TableBlock):
        rows = block.rows[block.head :] if _has_same_head(table, block) else block.rows
        if rows and _is_rest(rows[0], table.rows[-1]):
            for cell, rest in zip(table.rows[-1], rows[0], strict=True):
                cell.html = f"{cell.html} {rest.html}".strip()
            rows = rows[1:]
        if rows and table.page_starts[-1:] != [(len(table.rows), number)]:
            table.page_starts.append((len(table.rows), number))
        table.rows += rows


def _is_rest(row: Sequence[Cell], above: Sequence[Cell]) -> bool:
    """Tell whether the first row of a page goes on with the last one: in small letters, without a name."""
    filled = [at for at, cell in enumerate(row) if cell.html]
    is_small = bool(filled) and filled[0] > 0 and all(row[at].html[:1].islower() for at in filled)
    return is_small and len(row) == len(above) and all(above[at].html for at in filled)


def _has_same_head(table: TableBlock, block: TableBlock) -> bool:
    """Tell whether two tables begin with the same names of columns, which are a head then even without other signs."""
    heads = [[[cell.html for cell in row] for row in each.rows[: max(each.head, 1)]] for each in (table, block)]
    is_same = heads[0] == heads[1] and len([html for html in heads[0][0] if html]) > 1
    if is_same:
        table.head, block.head = max(table.head, 1), max(block.head, 1)
    return is_same


def _is_continued(text: TextBlock, block: Block) -> bool:
    is_alike = isinstance(block, TextBlock) and block.kind == "paragraph" and abs(block.size - text.size) < 0.5
    return is_alike and text.goes_on and isinstance(block, TextBlock) and block.text[:1].islower()


def _continued(text: TextBlock, block: Block) -> TextBlock:
    if not isinstance(block, TextBlock):
        return text
    is_cut = text.text.endswith("-") and text.text[-2:-1].isalpha()
    one, glue = (text.html[:-1], "") if is_cut and text.html.endswith("-") else (text.html, " ")
    return replace(text, html=one + glue + block.html, text=f"{text.text} {block.text}", goes_on=block.goes_on)


def _with_ranges(parts: Sequence[Block | _PageMark]) -> list[Block | _PageMark]:
    """Put the numbers of all pages of a table above it."""
    ranged: list[Block | _PageMark] = []
    page = 0
    for part in parts:
        if isinstance(part, _PageMark):
            page = part.first
        elif isinstance(part, TableBlock) and part.page_starts:
            last = part.page_starts[-1][1]
            if ranged and isinstance(ranged[-1], _PageMark):
                ranged.pop()
            ranged.append(_PageMark(page, last))
            page = last
        ranged.append(part)
    return ranged


class _Levels:
    """Which texts are headings, and of which level: by their size, then bold ones of the size of the text."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        texts = [block for block in blocks if isinstance(block, TextBlock)]
        sizes = Counter[float]()
        for text in texts:
            is_title = text.is_bold and text.lines == 1
            sizes[text.size] += len(text.text) if len(text.text) > _LONGEST_HEADING // 4 and not is_title else 0
        tables = [block for block in blocks if isinstance(block, TableBlock)]
        self._smaller = 0.5 if sizes.total() else _SMALLER_THAN_CELLS
        for table in tables if not sizes.total() else ():
            sizes[table.size] += sum(len(cell.html) for row in table.rows for cell in row)
        lines = Counter(text.size for text in texts for _ in range(text.lines))
        lines += Counter(table.size for table in tables for _ in table.rows)
        usual = (sizes if sizes.total() else lines).most_common(1)
        self._body = usual[0][0] if usual else 0.0
        if sizes.total() and sum(text.lines for text in texts if text.size == self._body) * _FEW < lines.total():
            self._body = max(self._body, lines.most_common(1)[0][0])
        weights = Counter[bool]()
        for text in texts:
            weights[text.is_bold] += len(text.text) * (abs(text.size - self._body) < 0.5)
        self._bold_is_usual = weights[True] > weights[False]
        larger = sorted({text.size for text in texts if self._is_large(text)}, reverse=True)
        self._steps: list[float] = []
        for size in larger:
            if not self._steps or self._steps[-1] / size > _ONE_SIZE:
                self._steps.append(size)

    def _is_large(self, text: TextBlock) -> bool:
        is_short = len(text.text) <= _LONGEST_HEADING and text.lines <= _MOST_HEADING_LINES and text.kind != "code"
        return is_short and text.size >= LARGER * self._body and any(map(str.isalpha, text.text))

    def of(self, text: TextBlock) -> int:
        """Give the level of a heading, from 1; 0 for a text that is none."""
        if text.heading or text.kind == "code":
            return text.heading
        if self._is_large(text):
            at = next(
                (at for at, size in enumerate(self._steps) if size / text.size <= _ONE_SIZE), len(self._steps) - 1
            )
            return min(at + 1, _MOST_LEVELS)
        is_name = text.is_bold and not self._bold_is_usual and text.size >= self._body - self._smaller
        is_short = len(text.text) <= _LONGEST_HEADING // 2 and text.lines <= 2
        ends = text.text.rstrip().endswith((".", ",", ";", ":"))
        if is_name and is_short and not ends and any(map(str.isalpha, text.text)):
            return min(len(self._steps) + 1, _MOST_LEVELS + 1)
        return 0


def _first_heading(blocks: Sequence[Block], levels: _Levels) -> str:
    texts = [block for block in blocks if isinstance(block, TextBlock)]
    return next((text.text for text in texts if levels.of(text)), texts[0].text[:200] if texts else "")


def _written(parts: Sequence[Block | _PageMark], levels: _Levels, *, shows_pages: bool) -> Iterator[str]:
    items: list[TextBlock] = []
    for part in parts:
        if isinstance(part, TextBlock) and part.kind == "item" and not levels.of(_with_marker(part)):
            items.append(part)
            continue
        yield _list(list(_in_one_column(items)))
        items = []
        if isinstance(part, _PageMark):
            if shows_pages:
                many = f"Pages {part.first}–{part.last}" if part.last > part.first else f"Page {part.first}"
                yield f"<p><em>{many}</em></p>\n"
        elif isinstance(part, TableBlock):
            yield _table(part)
        else:
            yield _text(part, levels)
    yield _list(list(_in_one_column(items)))


def _with_marker(item: TextBlock) -> TextBlock:
    """Give an item as the text that it is with its number, which headings have too."""
    return replace(item, kind="paragraph", html=f"{item.marker} {item.html}", text=f"{item.marker} {item.text}")


def _text(text: TextBlock, levels: _Levels) -> str:
    if text.kind == "code":
        return f"<pre>{text.html}</pre>\n"
    text = _with_marker(text) if text.kind == "item" else text
    level = levels.of(text)
    tag = f"h{level}" if level else "p"
    said = text.html.replace("<br>", " ") if level else text.html
    return f"<{tag}>{said}</{tag}>\n"


def _in_one_column(items: Sequence[TextBlock]) -> Iterator[TextBlock]:
    """Give items as if those of further columns of text stood below the first ones."""
    shift, left = 0, items[0].level if items else 0
    for before, item in zip([*items[:1], *items], items, strict=False):
        if abs(item.level - before.level) > _NEXT_COLUMN:
            shift = max(0, item.level - left) if item.level > before.level else 0
        yield replace(item, level=item.level - shift)


def _list(items: Sequence[TextBlock]) -> str:
    """Give items as a list; those that stand farther right than the first are lists within it."""
    if not items:
        return ""
    base = min(item.level for item in items)
    html, tag = "", _tag(items[0])
    at = 0
    while at < len(items):
        inner: list[TextBlock] = []
        item = items[at]
        at += 1
        while at < len(items) and items[at].level > base + _NESTED:
            inner.append(items[at])
            at += 1
        nested = _list(inner) if min((each.level for each in inner), default=0) > base else ""
        said = (
            item.html if item.marker.rstrip(".").isdecimal() or not _is_number(item) else f"{item.marker} {item.html}"
        )
        html += f"<li>{said}{nested}</li>"
    start = items[0].marker.rstrip(".")
    first = f' start="{start}"' if tag == "ol" and start != "1" else ""
    return f"<{tag}{first}>{html}</{tag}>\n"


def _is_number(item: TextBlock) -> bool:
    return any(map(str.isalnum, item.marker))


def _tag(item: TextBlock) -> str:
    return "ol" if item.marker.endswith(".") and item.marker[:-1].isdecimal() else "ul"


def _table(table: TableBlock) -> str:
    begun, end = dict(table.page_starts), len(table.rows) - _foot(table)
    rows = [_row(row, "th" if at < table.head else "td", begun.get(at, 0)) for at, row in enumerate(table.rows)]
    named = (("thead", rows[: table.head]), ("tbody", rows[table.head : end]), ("tfoot", rows[end:]))
    parts = [(tag, "".join(part)) for tag, part in named]
    return f"<table>{''.join(f'<{tag}>{rows}</{tag}>' for tag, rows in parts if rows)}</table>\n"


def _foot(table: TableBlock) -> int:
    """Give how many of the last rows sum up the others: they begin far to the right, as net, tax and total do."""
    width, rows = len(table.edges), table.rows[table.head :]
    count = 0
    while count < min(len(rows) - 1, _MOST_FOOT) and width >= _LEAST_SUMMED and _is_sum(rows[-1 - count], width):
        count += 1
    return count


def _is_sum(row: Sequence[Cell], width: int) -> bool:
    filled = [cell for cell in row if cell.html]
    if not filled or not FIGURE.fullmatch(filled[-1].html):
        return False
    is_indented = not row[0].html and 2 * len(filled) <= width
    return is_indented or (
        row[0] is filled[0] and row[-1] is filled[-1] and 2 * row[0].colspan >= width and len(filled) == 2
    )


def _row(row: Sequence[Cell], tag: str, page: int) -> str:
    """Give a row; ``page`` is the number of the page that begins with it, which proofs are told by."""
    begins = f' data-page="{page}"' if page else ""
    cells = "".join(f"<{tag}{_spans(cell)}>{cell.html}</{tag}>" for cell in row)
    return f"<tr{begins}>{cells}</tr>\n"


def _spans(cell: Cell) -> str:
    across = f' colspan="{cell.colspan}"' if cell.colspan > 1 else ""
    return across + (f' rowspan="{cell.rowspan}"' if cell.rowspan > 1 else "")
