"""Find where a Markdown text may be cut, and how well each place suits, in one pass over its lines.

A border is the offset of a line's start with a rank; the lower the rank, the better the cut (CH-2). Ranks up to
``WEAKEST_STRONG`` lie between pieces; the ranks after it lie inside a piece (a list item, a header with what follows
it) and serve only when the piece alone is larger than the limit. Lines are split on ``\\n`` alone, so that offsets
stay exact with ``\\r``, form feeds and Unicode line separators. Block structure follows CommonMark and GFM, and where a
construct is in doubt (an indented line after a list item, an unclosed fence) the piece is taken as the larger one.
"""

from array import array
from dataclasses import dataclass, field

from gleaner.chunking.lines import fence_of, heading_level, is_item, is_rule, is_separator, stretches

PARAGRAPH = 7
QUOTED_PARAGRAPH = 8
ROW = 9
ITEM = 10
WEAKEST_STRONG = ITEM
INNER_PARAGRAPH = 20
NESTED_ITEM = 21
"""Plus the indentation of the nested item, up to DEEPEST."""
DEEPEST = 40
INNER_PIECE = 70
GLUE = 80
"""After a header, or between a table's separator and its first row; plus the level for a header after a header."""
SEPARATOR = 100
"""Between a table's header and its separator row."""

NONE, TEXT, TABLE, LIST, FENCE = range(5)
SPECIAL = frozenset(["", *" \t\r\x0b\x0c#|-*+_>`~=:0123456789"])
MAY_BE_RULE = "- \t\r"
LONGEST_UNDERLINED_TITLE = 300


@dataclass(slots=True)
class Region:
    """A table or a list: where it lies, and where its rows or items start (``starts[first : first + count]``)."""

    kind: str
    start: int
    first: int
    header_end: int
    end: int = -1
    count: int = 0


def _offsets() -> "array[int]":
    return array("q")


@dataclass(slots=True)
class Borders:
    """What the pass finds; all lists are in the order of the text. Arrays hold an offset in a fifth of the memory."""

    offsets: "array[int]" = field(default_factory=_offsets)
    ranks: bytearray = field(default_factory=bytearray)
    blanks: "array[int]" = field(default_factory=_offsets)
    """For each border, where the blank lines before it start; the border itself when there are none."""
    fences: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    headings: "array[int]" = field(default_factory=_offsets)
    levels: bytearray = field(default_factory=bytearray)
    regions: list[Region] = field(default_factory=list[Region])
    starts: "array[int]" = field(default_factory=_offsets)


def find_borders(content: str) -> Borders:
    """Give all borders of a Markdown text, and its headings, fences, tables and lists, in one pass."""
    scan = _Scan()
    for position, stretch in stretches(content):
        scan.read(stretch, position)
    return scan.close(len(content))


class _Scan:
    """The state between two lines."""

    __slots__ = (
        *("after_fence", "base_indent", "blank_at", "end", "fence", "fence_start", "found", "glued", "line_before"),
        *("mode", "mode_before_fence", "quote_gap", "region", "start_before", "text_start"),
    )

    def __init__(self) -> None:
        self.found = Borders()
        self.mode = NONE
        self.mode_before_fence = NONE
        self.blank_at = -1
        self.glued = False
        self.base_indent = 0
        self.region: Region | None = None
        self.fence = ("`", 3, 0, False)
        self.fence_start = 0
        self.after_fence = False
        self.quote_gap = False
        self.line_before = ""
        self.start_before = 0
        self.text_start = -1
        self.end = 0

    def read(self, stretch: str, position: int) -> None:
        """Take in whole lines, of which the first starts at the position."""
        for line in stretch.split("\n"):
            if self.mode == FENCE:
                self.inside_fence(line, position)
            elif line[:1] not in SPECIAL:
                if self.mode != TEXT:
                    self.plain(line, position)
            elif line[:2] == "- " and self.mode == LIST and line[2:3] not in MAY_BE_RULE:
                self.end = position + len(line) + 1
                self.item(0, position)
            elif line[:1] == ">":
                self.end = position + len(line) + 1
                self.quote(line, position)
            elif line[:1] == "#" and (level := heading_level(line)):
                self.end = position + len(line) + 1
                self.heading(level, position)
            elif not line or line.isspace():
                self.blank(position)
            else:
                self.special(line, position)
            self.line_before, self.start_before = line, position
            position += len(line) + 1

    def border(self, position: int, rank: int) -> None:
        """Note a border; after a header it holds the piece to the header."""
        if self.glued:
            rank = GLUE + (rank if rank < PARAGRAPH else 0)
        self.found.offsets.append(position)
        self.found.ranks.append(rank)
        self.found.blanks.append(position if self.blank_at < 0 else self.blank_at)
        self.blank_at = -1
        self.glued = False

    def blank(self, position: int) -> None:
        if self.blank_at < 0:
            self.blank_at = position
        if self.mode == TABLE:
            self.leave(position)
        elif self.mode == TEXT:
            self.mode = NONE

    def leave(self, position: int) -> None:
        """End the table or list that is open."""
        if self.region:
            self.region.end = position if self.blank_at < 0 else self.blank_at
            if self.region.count == 0 and self.region.header_end < 0:
                self.add_start(self.region.start)
        self.region = None
        self.mode = NONE

    def add_start(self, position: int) -> None:
        if self.region:
            self.found.starts.append(position)
            self.region.count += 1

    def plain(self, line: str, position: int) -> None:
        """A line of text, which may continue what is open."""
        self.end = position + len(line) + 1
        if self.mode == LIST and self.blank_at < 0:
            return
        if self.mode == TABLE and "|" in line and self.region and self.region.header_end >= 0:
            self.row(line, position)
            return
        if self.mode != TEXT:
            self.start_text(position)

    def start_text(self, position: int) -> None:
        self.leave(position)
        self.mode = TEXT
        self.text_start = position
        if self.glued:
            self.glued, self.blank_at = False, -1
        else:
            self.border(position, PARAGRAPH)

    def special(self, line: str, position: int) -> None:
        """A line that starts with white space or with a character that may mean something."""
        self.end = position + len(line) + 1
        text = line.lstrip()
        indent = len(line) - len(text)
        if self.mode == LIST and indent > self.base_indent:
            self.continue_item(text, indent, position)
        elif text[0] == "|":
            self.row(line, position)
        elif indent > 3 or "\t" in line[:indent]:
            self.indented(line, text, indent, position)
        else:
            self.block(line, text, indent, position)

    def indented(self, line: str, text: str, indent: int, position: int) -> None:
        if self.mode != TEXT and is_item(text) and not is_rule(text):
            self.item(indent, position)
        else:
            self.plain(line, position)

    def block(self, line: str, text: str, indent: int, position: int) -> None:
        mark = text[0]
        level = heading_level(text) if mark == "#" else 0
        fence = fence_of(text) if mark in "`~" else None
        if level:
            self.heading(level, position)
        elif fence:
            self.open_fence((*fence, indent, False), position, PARAGRAPH)
        elif mark == ">":
            self.quote(text, position)
        elif mark in "-:=" and self.is_below(text):
            if "|" in text:
                self.bare_separator(line, position)
            else:
                self.underline(text)
        elif mark in "-*_" and is_rule(text):
            self.start_text(position)
            self.mode = NONE
        elif is_item(text):
            self.item(indent, position)
        else:
            self.plain(line, position)

    def is_below(self, text: str) -> bool:
        """Tell whether the line makes a header of the line before: of a table, or a heading."""
        if self.blank_at >= 0 or self.mode not in (TEXT, TABLE):
            return False
        return (is_separator(text) and "|" in self.line_before) or (self.mode == TEXT and self.can_underline(text))

    def heading(self, level: int, position: int) -> None:
        self.leave(position)
        self.border(position, level)
        self.found.headings.append(position)
        self.found.levels.append(level)
        self.glued = True

    def can_underline(self, text: str) -> bool:
        """Tell whether the line underlines a paragraph of one line, which makes that a heading (setext)."""
        if text.strip(text[0] + " \t\r") or len(self.line_before) > LONGEST_UNDERLINED_TITLE or text[0] == ":":
            return False
        return self.text_start == self.start_before

    def underline(self, text: str) -> None:
        level = 1 if text[0] == "=" else 2
        self.rank_line_before(level)
        self.found.headings.append(self.start_before)
        self.found.levels.append(level)
        self.mode = NONE
        self.glued = True

    def rank_line_before(self, rank: int) -> None:
        """Make the line before a border; where it is the first text after a header, it holds to that."""
        found = self.found
        if found.offsets and found.offsets[-1] == self.start_before:
            found.ranks[-1] = rank
            return
        self.glued = self.text_start == self.start_before
        self.border(self.start_before, rank)

    def open_fence(self, fence: tuple[str, int, int, bool], position: int, rank: int) -> None:
        inside_list = self.mode == LIST and rank > WEAKEST_STRONG
        if not inside_list:
            self.leave(position)
        self.border(position, rank)
        self.mode_before_fence = self.mode
        self.mode = FENCE
        self.fence = fence
        self.fence_start = position

    def inside_fence(self, line: str, position: int) -> None:
        mark, length, indent, quoted = self.fence
        if quoted:
            if line.lstrip()[:1] != ">":
                self.close_fence(position)
                self.unquoted(line, position)
                return
            line = line.lstrip("> \t")
        elif mark not in line:
            return
        text = line.strip()
        if len(text) >= length and not text.strip(mark) and len(line) - len(line.lstrip()) <= indent + 3:
            self.close_fence(position + len(line) + 1)

    def unquoted(self, line: str, position: int) -> None:
        """The line after a quote whose fence was left open: the end of the quote ends the fence."""
        if line.strip():
            self.special(line, position)
        else:
            self.blank(position)

    def close_fence(self, end: int) -> None:
        self.found.fences.append((self.fence_start, end))
        self.mode = self.mode_before_fence
        self.after_fence = self.mode == LIST

    def quote(self, text: str, position: int) -> None:
        """A quoted line: rows and paragraphs inside a quote are borders too."""
        inner = text.lstrip("> \t").rstrip("\r")
        gap, self.quote_gap = self.quote_gap, not inner
        mark = inner[:1]
        if mark in "`~" and (fence := fence_of(inner)):
            self.open_fence((*fence, 3, True), position, PARAGRAPH)
        elif mark == "|":
            self.row(inner, position)
        elif self.mode != TEXT:
            self.start_text(position)
        elif inner and (gap or is_item(inner)):
            self.border(position, QUOTED_PARAGRAPH if gap else ITEM)

    def row(self, line: str, position: int) -> None:
        """A line of a table."""
        table = self.region if self.mode == TABLE else None
        if table is None:
            self.leave(position)
            self.border(position, PARAGRAPH)
            self.open_table(position)
        elif table.header_end < 0 and table.count == 0 and is_separator(line):
            table.header_end = self.end
            self.border(position, SEPARATOR)
        elif table.count and self.starts_new_table(line):
            self.reopen_table()
        else:
            self.add_row(table, position)

    def open_table(self, position: int) -> None:
        self.mode = TABLE
        self.region = Region("rows", position, len(self.found.starts), -1)
        self.found.regions.append(self.region)

    def add_row(self, table: Region, position: int) -> None:
        if table.header_end < 0 and table.count == 0:
            self.add_start(table.start)
        self.border(position, ROW if table.count else GLUE)
        self.add_start(position)

    def starts_new_table(self, line: str) -> bool:
        """Tell a second separator (the row before it heads a new table) from a row of dashes for "nothing"."""
        if not is_separator(line) or is_separator(self.line_before):
            return False
        return all(len(cell.strip(" \t:")) >= 3 for cell in line.strip().strip("|").split("|"))

    def reopen_table(self) -> None:
        if self.region:
            self.found.starts.pop()
            self.region.count -= 1
            self.region.end = self.start_before
        self.found.ranks[-1] = PARAGRAPH
        self.open_table(self.start_before)
        if self.region:
            self.region.header_end = self.end

    def bare_separator(self, line: str, position: int) -> None:
        """The separator of a table without outer pipes: the line before is its header."""
        if self.mode == TABLE:
            self.row(line, position)
            return
        self.rank_line_before(PARAGRAPH)
        self.open_table(self.start_before)
        if self.region:
            self.region.header_end = self.end
        self.border(position, SEPARATOR)

    def item(self, indent: int, position: int) -> None:
        if self.mode != LIST or not self.region:
            self.leave(position)
            self.border(position, PARAGRAPH)
            self.mode = LIST
            self.region = Region("items", position, len(self.found.starts), -1)
            self.found.regions.append(self.region)
        else:
            self.border(position, ITEM)
        self.base_indent = indent
        self.after_fence = False
        self.add_start(position)

    def continue_item(self, text: str, indent: int, position: int) -> None:
        """A line of a list item after its first: borders inside the item, for items above the limit."""
        fence = fence_of(text)
        if fence:
            self.open_fence((*fence, indent, False), position, INNER_PIECE)
        elif is_item(text) and not is_rule(text):
            self.border(position, NESTED_ITEM + min(indent, DEEPEST))
        elif text[0] == "|" or self.line_before.lstrip()[:1] == "|" or self.after_fence:
            self.border(position, INNER_PIECE)
        elif self.blank_at >= 0:
            self.border(position, INNER_PARAGRAPH)
        self.after_fence = False

    def close(self, end: int) -> Borders:
        """End what is open, and add the end of the text as the last border."""
        if self.mode == FENCE:
            self.close_fence(end)
        self.leave(end)
        self.glued = False
        self.border(end, 0)
        return self.found
