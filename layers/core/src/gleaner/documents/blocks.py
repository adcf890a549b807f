"""The blocks of a page, as the layout gives them and as they pass from the reading process: texts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Literal, TypeAlias

from gleaner.documents.lines import Piece, joined
from gleaner.documents.page import Word


@dataclass(slots=True)
class TextBlock:
    """A paragraph or an item of a list. ``html`` is its inline content, ``level`` the depth of an item.

    ``goes_on``: its last line is full and ends without a full stop, so the next page may continue it.
    """

    kind: Literal["paragraph", "item"]
    html: str
    text: str
    size: float
    is_bold: bool = False
    lines: int = 1
    marker: str = ""
    level: int = 0
    goes_on: bool = False


@dataclass(slots=True)
class Cell:
    """A cell of a table."""

    html: str
    colspan: int = 1
    rowspan: int = 1


@dataclass(slots=True)
class TableBlock:
    """A table: its rows, of which the first ``head`` name the columns, the left edges of its columns, its text's size.

    ``page_starts`` are the rows at which other pages begin, with the numbers of these pages.
    """

    rows: list[list[Cell]]
    head: int
    edges: list[float]
    size: float = 0.0
    page_starts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


Block: TypeAlias = TextBlock | TableBlock


def inline(lines: Sequence[Piece], vocabulary: frozenset[str], *, keeps_lines: bool = False) -> str:
    """Give lines as inline HTML with their links; ``keeps_lines`` breaks it where the lines end on purpose."""
    if not keeps_lines:
        return _words_as_html(joined(lines, vocabulary))
    right = max(line.x1 for line in lines)
    ends = [ends_on_purpose(line, following, right) for line, following in pairwise(lines)]
    is_verse = 2 * sum(ends) > len(ends)  # an address, a poem: its longest lines end on purpose, too
    parts: list[list[Piece]] = [[lines[0]]]
    for line, ends_before in zip(lines[1:], ends, strict=True):
        if ends_before or is_verse:
            parts.append([])
        parts[-1].append(line)
    return "<br>".join(_words_as_html(joined(part, vocabulary)) for part in parts)


def ends_on_purpose(line: Piece, following: Piece, right: float) -> bool:
    """Tell whether a line ends before the first word of the next has made it too long for its column."""
    first = following.words[0]
    return not line.is_broken and line.x1 + first.width + 0.3 * line.size < right


def _words_as_html(words: Sequence[Word]) -> str:
    parts: list[tuple[str, list[str]]] = []
    for word in words:
        if parts and parts[-1][0] == word.url:
            parts[-1][1].append(word.text)
        else:
            parts.append((word.url, [word.text]))
    said = ((url, escape(" ".join(texts), quote=False)) for url, texts in parts)
    return " ".join(f'<a href="{escape(url)}">{text}</a>' if url else text for url, text in said)


def plain(lines: Sequence[Piece], vocabulary: frozenset[str] = frozenset()) -> str:
    """Give lines as plain text."""
    return " ".join(word.text for word in joined(lines, vocabulary))
