"""Classify single lines of Markdown (CommonMark 0.31, GFM tables)."""

import re
from collections.abc import Iterator

STRETCH = 1_000_000
BLANK_RUN = re.compile("\n{16,}")
LEVELS = {"#" * level: level for level in range(1, 7)}
SEPARATOR_CHARACTERS = "|-: \t\r"


def stretches(content: str, longest: int = STRETCH) -> Iterator[tuple[int, str]]:
    """Give runs of whole lines with their offsets, without the line break that ends each.

    Of sixteen or more blank lines in a row, which mean no more than one, the others are left out.

    >>> list(stretches("a\\nb" + "\\n" * 20 + "c"))
    [(0, 'a\\nb\\n'), (23, 'c')]
    """
    start = 0
    for run in BLANK_RUN.finditer(content):
        yield from _pieces(content, start, run.start() + 1, longest)
        start = run.end()
    yield from _pieces(content, start, len(content), longest)


def _pieces(content: str, start: int, end: int, longest: int) -> Iterator[tuple[int, str]]:
    """Cut a run of lines where it is long: a list of all lines takes five times the memory of the text."""
    while end - start > longest and (cut := content.find("\n", start + longest, end)) >= 0:
        yield start, content[start:cut]
        start = cut + 1
    yield start, content[start:end]


def is_separator(line: str) -> bool:
    """Tell whether a line can be the separator row of a table.

    >>> is_separator("| --- | :-: |"), is_separator("--- | ---"), is_separator("---")
    (True, True, False)
    """
    return "|" in line and "-" in line and not line.strip(SEPARATOR_CHARACTERS)


def heading_level(text: str) -> int:
    """Give the level of an ATX heading, 0 for any other line (``#tag`` is none)."""
    if level := LEVELS.get(text.partition(" ")[0]):
        return level
    level = len(text) - len(text.lstrip("#"))
    return level if level <= 6 and text[level : level + 1] in ("", " ", "\t", "\r") else 0


def fence_of(text: str) -> tuple[str, int] | None:
    """Give the character and length of the fence that a line (without indentation) opens, or None."""
    mark = text[:1]
    if mark not in ("`", "~"):
        return None
    length = len(text) - len(text.lstrip(mark))
    if length < 3 or (mark == "`" and "`" in text[length:]):
        return None
    return mark, length


def is_item(text: str) -> bool:
    """Tell whether a line (without indentation) starts a list item."""
    if text[:1] in ("-", "*", "+"):
        return text[1:2] in ("", " ", "\t", "\r")
    digits = text[:10].lstrip("0123456789")
    return len(digits) < min(len(text), 10) and digits[:1] in (".", ")") and digits[1:2] in ("", " ", "\t", "\r")


def is_rule(text: str) -> bool:
    """Tell whether a line (without indentation) is a thematic break."""
    marks = text.replace(" ", "").replace("\t", "").rstrip("\r")
    return len(marks) >= 3 and marks[0] in "-*_" and not marks.strip(marks[0])
