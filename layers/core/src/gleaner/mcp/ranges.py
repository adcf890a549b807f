"""Cut long answers into pieces that can be continued by a number."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.errors import InvalidRequest

MAX_CHARS = 20_000
"""Characters of text in one answer: about 5,000 tokens."""


@dataclass(frozen=True, slots=True)
class TextRange:
    """A piece of a text: its offsets, and the length of the whole."""

    text: str
    start: int
    end: int
    total: int

    @property
    def following(self) -> int | None:
        """Where to read on, None at the end."""
        return self.end if self.end < self.total else None


def cut_text(text: str, start: int, limit: int = MAX_CHARS) -> TextRange:
    """Give at most ``limit`` characters from ``start``, ending after a line when one ends in the last quarter.

    A heading stays with what follows it. The pieces, one after the other, are the text. InvalidRequest when the text is
    not that long.

    >>> cut_text("line one\\nline two", 0, 10)
    TextRange(text='line one\\n', start=0, end=9, total=17)
    """
    if start > len(text):
        raise InvalidRequest(f"start_from_char is {start}; the text has {len(text)} characters")
    end = min(len(text), start + limit)
    if end < len(text):
        line_end = text.rfind("\n", end - limit // 4, end) + 1
        end = _before_headings(text, end - limit // 4, line_end) or end
    return TextRange(text[start:end], start, end, len(text))


def _before_headings(text: str, start: int, end: int) -> int:
    """Give the end of the lines in that range without the headings that they end in; the end if nothing is left."""
    lines = text[start:end].splitlines(keepends=True)
    kept = len(lines)
    while kept and (lines[kept - 1].startswith("#") or lines[kept - 1].isspace()):
        kept -= 1
    size = sum(map(len, lines[:kept]))
    return start + size if kept and any(line.startswith("#") for line in lines[kept:]) else end


def fitting(items: Sequence[Any], start: int, limit: int = MAX_CHARS) -> int:
    """Give how many items from ``start`` fit in so many characters of JSON; InvalidRequest when there is none there.

    >>> fitting(["aaaa", "bbbb", "cccc"], 0, 18)
    2
    """
    if start > max(0, len(items) - 1):
        raise InvalidRequest(f"start_from_record is {start}; there are {len(items)} records, counted from 0")
    size = 0
    for count, item in enumerate(items[start:]):
        size += len(as_json(item)) + 2
        if size > limit:
            return count
    return len(items) - start


def as_json(value: Any) -> str:
    """Give the value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def writable(value: Any) -> Any:
    """Give the value with ``?`` for half surrogates, which JSON on a wire can't carry; lengths stay as they are.

    >>> writable({"a": ["\\ud800b"]})
    {'a': ['?b']}
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [writable(item) for item in value]
    if isinstance(value, dict):
        return {writable(key): writable(item) for key, item in value.items()}
    return value
