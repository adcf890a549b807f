"""JSON: callers' texts read strictly, texts written as people read them or for comparing, the package's own files."""

import json
import re
from collections import Counter
from collections.abc import Callable
from importlib import resources
from typing import Any

_AS_IT_IS = json.JSONEncoder(ensure_ascii=False)
_IN_ONE_FORM = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class NameGivenTwice(ValueError):
    """An object gives a name twice."""


class NumberTooLong(ValueError):
    """A whole number of more digits than Python reads."""


class NestedTooDeeply(ValueError):
    """A text that may be JSON, of more levels than Python reads."""


def parse_json(text: str, *, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Give the value of a caller's JSON: ValueError for no JSON, NestedTooDeeply, NameGivenTwice, NumberTooLong.

    Which of two values counts is up to the reader (RFC 8259, section 4): what was checked might not be what is used. A
    byte order mark in front means nothing (section 8.1). Linear in the text.

    >>> parse_json('{"url": "https://a.example/", "url": "http://b.example/"}')
    Traceback (most recent call last):
    gleaner.contracts.json_text.NameGivenTwice: 'url' is given twice
    >>> parse_json("9" * 5_000)
    Traceback (most recent call last):
    gleaner.contracts.json_text.NumberTooLong: the number 99999999999999999999… has 5000 digits, which is too many
    """
    plain = text.removeprefix("\ufeff")
    try:
        return json.loads(plain, object_pairs_hook=_object, parse_constant=parse_constant, parse_int=_integer)
    except RecursionError:
        raise NestedTooDeeply("it is nested too deeply") from None


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise NumberTooLong(f"the number {digits[:20]}… has {len(digits)} digits, which is too many") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise NameGivenTwice(f"{twice[:100]!r} is given twice")
    return found


def json_text(value: Any) -> str:
    r"""Give the JSON text, letters as they are; half a surrogate pair, which no encoding can write, is escaped.

    >>> json_text({"a": "\u00fc\ud800"})
    '{"a": "ü\\ud800"}'
    """
    return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", _AS_IT_IS.encode(value))


def encodable(text: str) -> str:
    r"""Give the text with a replacement character (U+FFFD) for each half of a surrogate pair.

    >>> encodable("a\ud800") == "a\ufffd"
    True
    """
    return _LONE_SURROGATE.sub("\ufffd", text)


def canonical(value: Any) -> str:
    """Give a text that is the same for equal JSON values: keys sorted, 1.0 as 1.

    >>> canonical({"b": 1.0, "a": True}) == canonical({"a": True, "b": 1})
    True
    """
    return _IN_ONE_FORM.encode(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: item if type(item) is str else _plain(item) for key, item in value.items()}
    return value


def packaged(name: str) -> Any:
    """Give what a JSON file of the package's folder ``data`` holds, read anew each time."""
    return json.loads(resources.files("gleaner").joinpath(f"data/{name}.json").read_text("utf-8"))
