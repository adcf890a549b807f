"""Read JSON as pages embed it: with comments, a byte order mark, trailing commas."""

import html
import json
import re
from contextlib import suppress
from typing import Any

MOST_CHARS = 5_000_000
_WRAPPERS = (
    *("<!--", "-->", "<![CDATA[", "//<![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */"),
    *("]]>", "//]]>", "/*]]>*/", "/* ]]> */", "//", ";", "\ufeff", "\u200b", "\u2060"),
)
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?(?:\*/|\Z)|//[^\n]*|<!--.*?(?:-->|\Z)|[\ufeff\u200b\u2060]', re.DOTALL)
_TRAILING_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
_OPENER = re.compile(r"[\[{]")


def read_json(text: str) -> Any | None:
    """Read JSON as pages have it: in a comment or with comments, with trailing commas; None when it is no JSON.

    >>> read_json('<!-- {"a": [1, 2,],} -->'), read_json('/* shop */ {"a": "http://b"} // end')
    ({'a': [1, 2]}, {'a': 'http://b'})
    """
    if len(text) > MOST_CHARS:
        return None
    bare = _unwrapped(text)
    with suppress(ValueError, RecursionError):
        return json.loads(bare, strict=False)
    plain = _without_comments_and_commas(bare)
    for candidate in (plain, html.unescape(bare)):
        with suppress(ValueError, RecursionError):
            return json.loads(candidate, strict=False)
    return _first_value(plain)


def _first_value(text: str) -> Any | None:
    """Give the first object or list of a text that says more, as a second one or an end of a statement."""
    start = _OPENER.search(text)
    if start is None:
        return None
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start.start())[0]
    except (ValueError, RecursionError):
        return None


def _unwrapped(text: str) -> str:
    bare, before = text.strip(), ""
    while bare != before:
        before = bare
        for mark in _WRAPPERS:
            bare = bare.removeprefix(mark).removesuffix(mark).strip()
    return bare


def _without_comments_and_commas(text: str) -> str:
    plain = _PIECE.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    return _TRAILING_COMMA.sub(lambda match: match[0] if match[0].startswith('"') else "", plain)
