"""Write JSON, readable or canonical for comparisons, and read the JSON that comes with the package."""

import json
import re
from importlib import resources
from typing import Any

_AS_IT_IS = json.JSONEncoder(ensure_ascii=False)
_IN_ONE_FORM = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


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
