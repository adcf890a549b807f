"""Words of a text against the wanted ones, and rows of a table against the lines of the Markdown."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from measure.comparing import squeezed

WORD = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W_]+")
_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\]\((?:<[^>]*>|(?:[^()\\]|\\.|\([^()]*\))*)\)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKUP = re.compile(r"[*_`~]+|<br ?/?>")
_SIGNS = {"check": "✓", "cross": "✗"}
"""What the truth calls the signs of an icon font, and the sign that Markdown has for them."""


def words(text: str) -> Counter[str]:
    """Give the words of a text as a bag; characters of scripts without spaces are words."""
    return Counter(WORD.findall(text.lower()))


def rates(text: str, wanted: str) -> tuple[float, float, float]:
    """Give precision, recall and F1 of the words.

    >>> rates("a b", "b c")
    (0.5, 0.5, 0.5)
    """
    mine, theirs = words(text), words(wanted)
    shared = (mine & theirs).total()
    return (
        shared / max(1, mine.total()),
        shared / max(1, theirs.total()),
        2 * shared / max(1, mine.total() + theirs.total()),
    )


def holds_words(text: str, snippet: str) -> bool:
    """Tell whether the words of a snippet stand in a text one after another; punctuation and markup do not count."""
    wanted = WORD.findall(snippet.lower())
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(WORD.findall(text.lower()))} "


def holds_passage(text: str, passage: str) -> bool:
    """Tell whether a passage stands in a text, be it from within a word; white space and markup do not count."""
    return holds_words(text, passage) or squeezed(passage) in squeezed(_MARKUP.sub("", text))


def plain_lines(markdown: str) -> list[str]:
    """Give the lines of a Markdown text as they read: no emphasis, escapes, or targets of links."""
    return [squeezed(_ESCAPED.sub(r"\1", _MARKUP.sub(" ", _LINK.sub(r"\1", line)))) for line in markdown.splitlines()]


def values_in_line(line: str, values: Sequence[str]) -> int:
    """Count the values that stand in a line one after another, each as a whole."""
    start = found = 0
    for value in values:
        at = _find_whole(line, value, start)
        if at >= 0:
            start, found = at + len(value), found + 1
    return found


def rows_in_markdown(markdown: str, rows: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """Count the values of rows that stand in the line of their row, and all of them.

    A row's line is the one that holds the most of its values in order: so a "1" elsewhere on the page proves nothing.
    """
    lines = [line for line in plain_lines(markdown) if line]
    kept = whole = 0
    for row in rows:
        values = [text for value in row.values() if (text := _cell(value))]
        signs = [_SIGNS.get(value, value) for value in values]
        whole += len(values)
        kept += max((values_in_line(line, some) for line in lines for some in (values, signs)), default=0)
    return kept, whole


def _cell(value: Any) -> str:
    return squeezed(_MARKUP.sub(" ", str(value))) if value is not None else ""


def _find_whole(line: str, value: str, start: int) -> int:
    at = line.find(value, start)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(value) : at + len(value) + 1]
        if not (before.isalnum() and value[0].isalnum()) and not (after.isalnum() and value[-1].isalnum()):
            return at
        at = line.find(value, at + 1)
    return -1
