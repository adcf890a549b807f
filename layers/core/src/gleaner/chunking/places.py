"""The context of a chunk: the lines before it, and its heading path in the page (CH-4)."""

import re
from bisect import bisect_left, bisect_right

from gleaner.chunking.borders import Borders, Region

LONGEST_TITLE = 120
LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)")
SAID = re.compile(r"\S")
MARKS = re.compile(r"[*_`]+|\\(?=[^\w\s])")


class Places:
    """Walks over the regions and headings in step with the chunks, which come in order."""

    def __init__(self, content: str, borders: Borders, limit: int, overlap_lines: int) -> None:
        self.content = content
        self.borders = borders
        self.limit = limit
        self.overlap_lines = overlap_lines
        self.region = 0
        self.heading = 0
        self.path: list[tuple[int, int]] = []

    def describe(self, start: int, end: int) -> tuple[str, str]:
        """Give the overlap prefix and the structural context of the next chunk."""
        regions = self.borders.regions
        while self.region < len(regions) and regions[self.region].end <= start:
            self.region += 1
        return self.overlap(start, end), self.context(start, end)

    def overlap(self, start: int, end: int) -> str:
        """Give the last lines before the chunk; a table that continues has its header and separator rows first."""
        if start == 0:
            return ""
        table = self.table_at(start, end)
        header = self.header_of(table, start)
        room = self.limit - len(header)
        lines_start = self.lines_before(start, room) if room else start
        if table:
            lines_start = max(lines_start, self.end_of_other_header(table))
        if table and self.content[lines_start : table.start].isspace():
            lines_start = table.start  # blank lines before a table are no context
        if header and table and lines_start < table.header_end:
            # The lines reach up to the header itself: it comes once, with what stands before it.
            first = min(lines_start, table.start)
            while self.content[first] == "\n":
                first += 1
            return self.content[first:start]
        return header + self.content[lines_start:start]

    def table_at(self, start: int, end: int) -> Region | None:
        """Give the table that the chunk continues or starts with."""
        if self.region >= len(self.borders.regions):
            return None
        region = self.borders.regions[self.region]
        if region.kind != "rows" or region.start >= end:
            return None
        begins = region.start <= start or self.content[start : region.start].isspace()
        return region if begins else None

    def header_of(self, table: Region | None, start: int) -> str:
        """Give the header and separator rows of the table that goes on at ``start``, when they are of use."""
        if table is None or table.header_end < 0 or start < table.header_end:
            return ""
        if SAID.search(self.content, start, table.end) is None or table.header_end - table.start > self.limit:
            return ""
        return self.content[table.start : table.header_end]

    def end_of_other_header(self, table: Region) -> int:
        """Give the end of the header of the table before this one: no line of it may be read as this one's."""
        for region in reversed(self.borders.regions[max(0, self.region - 1) : self.region]):
            if region is not table and region.kind == "rows":
                return region.header_end
        return 0

    def lines_before(self, start: int, room: int) -> int:
        """Give where the last ``overlap_lines`` lines before an offset start.

        Whole lines are taken, the newest first, while they fit. The newest one, when it is longer, or cut by the
        chunk itself, gives its last tenth of the limit (200 characters where the limit is small).
        """
        tail = min(room, max(self.limit // 10, min(self.limit, 200)))
        position = start
        for _ in range(self.overlap_lines):
            if position == 0:
                break
            line_start = self.content.rfind("\n", max(0, start - room - 1), position - 1) + 1
            found = line_start > 0 or position - 1 <= room
            partial = position == start and self.content[start - 1] != "\n"
            if partial and (not found or start - line_start > tail):
                return start - tail
            if not found or start - line_start > room:
                return position if position < start else start - tail
            position = line_start
        return position

    def context(self, start: int, end: int) -> str:
        """Name the headings above the chunk, and which rows or items of how many it holds."""
        self.pass_headings(self.first_text(start, end), end)
        path = self.path_text()
        parts = self.parts_of_regions(start, end)
        if not parts:
            return path
        names: list[str] = []
        for region, label in parts:
            if region.start > start:
                self.pass_headings(region.start, region.start)
            place = self.path_text()
            names.append(f"{place} ({label})" if place else label)
        return "; ".join(names)

    def first_text(self, start: int, end: int) -> int:
        """Give where the chunk's text starts, past blank lines (looked for in its first part only)."""
        head = self.content[start : min(end, start + 2_000)]
        return start + len(head) - len(head.lstrip())

    def pass_headings(self, position: int, end: int) -> None:
        """Take in all headings up to the position, and those that follow the heading there directly."""
        headings = self.borders.headings
        self.skip_to(bisect_right(headings, position, self.heading))
        while self.heading < len(headings) and headings[self.heading] < max(end, position + 1):
            offset = headings[self.heading]
            if offset > position and not self.follows_heading(offset, position):
                break
            level = self.borders.levels[self.heading]
            while self.path and self.path[-1][0] >= level:
                self.path.pop()
            self.path.append((level, offset))
            self.heading += 1

    def skip_to(self, past: int) -> None:
        """Take in the headings before an index: of each level the last counts, unless a higher one comes after it."""
        levels, low = self.borders.levels, self.heading
        if low == past:
            return
        highest = min(levels[low:past])
        while self.path and self.path[-1][0] >= highest:
            self.path.pop()
        for level in range(highest, 7):
            last = levels.rfind(level, low, past)
            if last >= 0:
                self.path.append((level, self.borders.headings[last]))
                low = last + 1
        self.heading = past

    def follows_heading(self, offset: int, position: int) -> bool:
        """Tell whether only the heading before it stands between a position in the path and this heading."""
        if not self.path or self.path[-1][1] < position or self.borders.levels[self.heading] <= self.path[-1][0]:
            return False
        line_end = self.content.find("\n", self.path[-1][1], offset)
        return line_end >= 0 and not self.content[line_end:offset].strip()

    def path_text(self) -> str:
        """Name the headings of the path."""
        return " > ".join(filter(None, (heading_text(self.content, offset) for _, offset in self.path)))

    def parts_of_regions(self, start: int, end: int) -> list[tuple[Region, str]]:
        """Give the tables and lists that the chunk holds a part of; a whole table only when it is the only one."""
        regions = self.borders.regions
        last = self.region
        tables = 0
        while last < len(regions) and regions[last].start < end:
            tables += regions[last].kind == "rows"
            last += 1
        edges = dict.fromkeys([self.region, last - 1]) if last > self.region else {}
        parts = [(regions[index], self.label(regions[index], start, end)) for index in edges]
        parts = [(region, label) for region, label in parts if label and (region.start < start or region.end > end)]
        if parts or tables != 1:
            return parts
        only = next(regions[index] for index in range(self.region, last) if regions[index].kind == "rows")
        return [(only, self.label(only, start, end))] if only.count else []

    def label(self, region: Region, start: int, end: int) -> str:
        """Give "rows 51-100 of 200" for the part of the region in the chunk, "" when it holds none."""
        starts, first, past = self.borders.starts, region.first, region.first + region.count
        low = bisect_left(starts, start, first, past)
        high = bisect_left(starts, end, first, past)
        cut = low > first and (low == past or starts[low] != start)
        piece_end = min(region.end, end if low == past else min(starts[low], end))
        if cut and not self.content[start:piece_end].isspace() and start < piece_end:
            low -= 1
        if low >= high:
            return ""
        numbers = f"{low - first + 1}-{high - first}" if high - low > 1 else str(high - first)
        noun = region.kind if high - low > 1 else region.kind[:-1]
        return f"{noun} {numbers} of {region.count}"


def heading_text(content: str, offset: int) -> str:
    """Give the plain text of the heading that starts at the offset, at most 120 characters."""
    line_end = content.find("\n", offset, offset + 1_000)
    line = content[offset : offset + 1_000 if line_end < 0 else line_end].strip()
    title = LINK.sub(r"\1", line.lstrip("#").rstrip("#"))
    title = MARKS.sub("", title).strip()
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1].rstrip() + "…"
