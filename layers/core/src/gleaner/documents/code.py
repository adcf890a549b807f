"""Program text within other text: lines in letters of one width, which keep their indentation."""

from collections.abc import Sequence
from html import escape

from gleaner.documents.blocks import TextBlock
from gleaner.documents.lines import Row, Walls, rows_of
from gleaner.documents.page import Box, Word, around

MOST_OF_PAGE = 0.6
"""Share of a page's words in letters of one width from which on it is typewritten text."""
_FEWEST_LINES = 2
_NEXT_LINE, _BLANK_LINE = 3.2, 1.7
"""Distance of two lines of one text, and of lines with an empty one between, in sizes of the text."""


def code_blocks(words: Sequence[Word]) -> tuple[list[tuple[Box, TextBlock]], list[Word]]:
    """Give the program texts of a page, and the words outside of them."""
    fixed = [word for word in words if word.is_fixed]
    if not fixed or len(fixed) > MOST_OF_PAGE * len(words):
        return [], list(words)
    others = [word for word in words if not word.is_fixed]
    texts: list[list[Row]] = []
    for row in rows_of(fixed, Walls()):
        line = around(row)
        if any(abs(word.y - line.y) <= 0.5 * word.size and _is_beside(word, line) for word in others):
            continue
        if texts and line.y - texts[-1][-1][0].y <= _NEXT_LINE * row[0].size:
            texts[-1].append(row)
        else:
            texts.append([row])
    texts = [rows for rows in texts if len(rows) >= _FEWEST_LINES]
    held = {id(word) for rows in texts for row in rows for piece in row for word in piece.words}
    found = [(around(piece for row in rows for piece in row), _block(rows)) for rows in texts]
    return found, [word for word in words if id(word) not in held]


def _is_beside(word: Word, line: Box) -> bool:
    return word.x1 > line.x0 - 2 * word.size and word.x0 < line.x1 + 2 * word.size


def _block(rows: Sequence[Row]) -> TextBlock:
    words = [word for row in rows for piece in row for word in piece.words]
    letter = sum(word.width for word in words) / max(1, sum(len(word.text) for word in words))
    left = min(word.x0 for word in words)
    lines: list[str] = []
    for at, row in enumerate(rows):
        if at and row[0].y - rows[at - 1][0].y > _BLANK_LINE * row[0].size:
            lines.append("")
        line = ""
        for word in sorted((word for piece in row for word in piece.words), key=lambda word: word.x0):
            column = round((word.x0 - left) / max(letter, 0.1))
            line += " " * max(column - len(line), 1 if line else 0) + word.text
        lines.append(line)
    text = "\n".join(lines)
    return TextBlock("code", escape(text, quote=False), text, words[0].size, lines=len(lines))
