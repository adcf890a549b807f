"""The cells of a table in Markdown, by their places."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

CELL = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[ \t]*\|?[-| :\t]*-[-| :\t]*")


def row_cells(text: str, start: int, end: int) -> Iterator[dict[int, tuple[int, int]]]:
    """Give the filled cells of each row of a table, its rule left out, by their columns.

    >>> list(row_cells("| a | b |\\n|---|---|\\n|  | d |", 0, 29))
    [{1: (2, 3), 2: (6, 7)}, {2: (25, 26)}]
    """
    for line in re.finditer(r"[^\n]+", text[start:end]):
        if not _RULE.fullmatch(line[0]):
            edges = [start + line.start(), *(start + line.start() + match.start() for match in CELL.finditer(line[0]))]
            parts = enumerate(pairwise([*edges, start + line.end()]))
            trimmed = (
                (column, list(_trimmed(text, [(first + (column > 0), last)]))) for column, (first, last) in parts
            )
            yield {column: cell[0] for column, cell in trimmed if cell}


def _trimmed(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in spans:
        part = text[start:end]
        if part.strip():
            yield start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
