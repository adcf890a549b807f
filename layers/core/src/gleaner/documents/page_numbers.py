"""The pages of a document on which the places in its Markdown are."""

import re
from bisect import bisect_right
from collections.abc import Iterator

_MARK = re.compile(r"^\*Pages? (\d+)(–\d+)?\*$", re.MULTILINE)
"""The line with which a page begins; ``as_html`` writes it, and text that looks like it is escaped in Markdown."""
_TABLE = re.compile(r"<table>(.*?)</table>", re.DOTALL)
_ROW = re.compile(r'<tr(?: data-page="(\d+)")?>')
_LINES_OF_TABLE = re.compile(r"\n+((?:\|.*\n?)+)")


class PageNumbers:
    """Gives the page of a place in the Markdown of a document. ``html`` is what the Markdown was made from."""

    def __init__(self, markdown: str, html: str, pages: int) -> None:
        found = [(0, 1 if pages == 1 else None), *(_begins(markdown, html) if pages > 1 else ())]
        self._starts = [start for start, _ in found]
        self._numbers = [number for _, number in found]

    def at(self, offset: int) -> int | None:
        """Give the number of the page, from 1; None where it is not known."""
        return self._numbers[bisect_right(self._starts, offset) - 1]


def _begins(markdown: str, html: str) -> Iterator[tuple[int, int | None]]:
    """Give where pages begin, within tables that go on over pages too, and their numbers."""
    tables = [rows for table in _TABLE.finditer(html) if any(rows := _ROW.findall(table[1]))]
    for mark in _MARK.finditer(markdown):
        yield mark.start(), int(mark[1])
        if mark[2] is None:
            continue
        rows = tables.pop(0) if tables else []
        lines = _LINES_OF_TABLE.match(markdown, mark.end())
        starts = [found.start() for found in re.finditer(r"^", lines[1], re.MULTILINE)][-len(rows) :] if lines else []
        if lines is None or not rows or len(starts) < len(rows):  # not written as rows: each may be on any of the pages
            yield mark.end(), None
            continue
        yield from ((lines.start(1) + start, int(number)) for start, number in zip(starts, rows, strict=True) if number)
