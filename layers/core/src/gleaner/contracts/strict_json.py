"""Read callers' JSON strictly, so that no two readers understand it differently."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any


class NameGivenTwice(ValueError):
    """An object gives a name twice."""


class NestedTooDeeply(ValueError):
    """A text that may be JSON, of more levels than Python reads."""


def parse_json(text: str, *, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Give the value; ValueError where it is none, NestedTooDeeply or NameGivenTwice where it does that.

    Which of two values counts is up to the reader (RFC 8259, section 4): what was checked might not be what is used. A
    byte order mark in front means nothing (section 8.1). Linear in the text.

    >>> parse_json('{"url": "https://a.example/", "url": "http://b.example/"}')
    Traceback (most recent call last):
    gleaner.contracts.strict_json.NameGivenTwice: 'url' is given twice
    """
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_constant=parse_constant)
    except RecursionError:
        raise NestedTooDeeply("it is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise NameGivenTwice(f"{twice[:100]!r} is given twice")
    return found
