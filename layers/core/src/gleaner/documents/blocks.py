"""The blocks of a page, as the layout gives them and as they pass from the reading process: texts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import pairwise
from typing import Literal, TypeAlias

from gleaner.documents.lines import Piece, is_raised, joined
from gleaner.documents.page import Word

_NARROW = 0.6
"""Share of its room that a block without full lines has at most: columns of text are full."""


@dataclass(slots=True)
class TextBlock:
    """A paragraph, an item of a list or a program text. ``html`` is its inline content, ``level`` the depth of an item.

    ``goes_on``: its last line is full and ends without a full stop, so the next page may continue it. ``heading``: the
    level that the document itself gives it, 0 for none.
    """

    kind: Literal["paragraph", "item", "code"]
    html: str
    text: str
    size: float
    is_bold: bool = False
    lines: int = 1
    marker: str = ""
    level: int = 0
    goes_on: bool = False
    heading: int = 0


@dataclass(slots=True)
class Cell:
    """A cell of a table."""

    html: str
    colspan: int = 1
    rowspan: int = 1


@dataclass(slots=True)
class TableBlock:
    """A table: its rows, of which the first ``head`` name the columns, the left edges of its columns, its text's size.

    ``right`` is its right edge. ``page_starts`` are the rows at which other pages begin, with their numbers.
    """

    rows: list[list[Cell]]
    head: int
    edges: list[float]
    size: float = 0.0
    page_starts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    right: float = 0.0


Block: TypeAlias = TextBlock | TableBlock


def inline(lines: Sequence[Piece], vocabulary: frozenset[str], *, keeps_lines: bool = False, room: float = 0.0) -> str:
    """Give lines as inline HTML with their links; ``keeps_lines`` breaks it where the lines end on purpose.

    ``room`` is where the text around these lines ends; 0 where they fill their place.
    """
    if not keeps_lines or len(lines) == 1:
        return _words_as_html(joined(lines, vocabulary))
    ends = _ends_on_purpose(lines, room)
    is_verse = 2 * sum(ends) > len(ends)  # an address, a poem: its longest lines end on purpose, too
    parts: list[list[Piece]] = [[lines[0]]]
    for line, ends_before in zip(lines[1:], ends, strict=True):
        if ends_before or is_verse:
            parts.append([])
        parts[-1].append(line)
    return "<br>".join(_words_as_html(joined(part, vocabulary)) for part in parts)


def _ends_on_purpose(lines: Sequence[Piece], room: float) -> list[bool]:
    """Tell of each line but the last whether it ends before it is full.

    Where text has far more room, or lines end at one place and begin at several, they are those of an address or of a
    name if they begin in capitals or with figures.
    """
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    is_ragged = left < max(line.x0 for line in lines) - lines[0].size and min(line.x1 for line in lines) > right - 1
    is_narrow = right - left < _NARROW * (room - left)
    if (is_narrow or is_ragged) and not any(line.text[:1].islower() for line in lines):
        return [not line.is_broken for line in lines[:-1]]
    return [ends_on_purpose(line, following, right) for line, following in pairwise(lines)]


def ends_on_purpose(line: Piece, following: Piece, right: float) -> bool:
    """Tell whether a line ends before the first word of the next has made it too long for its column."""
    first = following.words[0]
    return not line.is_broken and line.x1 + first.width + 0.3 * line.size < right


def _words_as_html(words: Sequence[Word]) -> str:
    """Give words with what is raised, struck out or a link; those that look the same are in one element."""
    html = ""
    runs: list[tuple[tuple[str, bool, bool], str]] = []
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        raised = before is not None and is_raised(before, word)
        if before is None and len(words) > 1:
            raised = is_raised(_mirrored(words[1]), word)
        blank = "" if before is None or word.is_glued or raised else " "
        look = (word.url, word.is_struck, raised)
        said = escape(word.text, quote=False)
        if runs and runs[-1][0] == look:
            runs[-1] = (look, runs[-1][1] + blank + said)
        else:
            runs.append((look, said) if not blank else (look, blank + said))
    for (url, struck, raised), said in runs:
        blank, text = (" ", said[1:]) if said.startswith(" ") else ("", said)
        text = f"<sup>{text}</sup>" if raised else text
        text = f"<del>{text}</del>" if struck else text
        html += blank + (f'<a href="{escape(url)}">{text}</a>' if url else text)
    return html


def _mirrored(word: Word) -> Word:
    """Give the word behind a raised figure as if it stood before it."""
    return replace(word, x0=0.0, x1=word.x0 + word.size)


def plain(lines: Sequence[Piece], vocabulary: frozenset[str] = frozenset()) -> str:
    """Give lines as plain text."""
    return "".join(word.text if word.is_glued else f" {word.text}" for word in joined(lines, vocabulary)).strip()
