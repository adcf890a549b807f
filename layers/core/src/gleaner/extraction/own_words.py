"""Texts of an answer as the page has them: without marks of Markdown, tags and escapes that the model has added.

The proof reads through all of these (``values.texts.folding``), so such a text would be served as it was written.
"""

import re
from functools import cache

from markdown_it import MarkdownIt

from gleaner.contracts.ports import JsonValue
from gleaner.values.texts.folding import fold

_SIGN = re.compile(r"[\\&<*_`\[]")
_WRITTEN_OUT = re.compile(r"\\u|[&<]")
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_OF_MARKUP = ("markdown", "html")
"""Fields that are called so ask for the markup."""


def in_own_words(value: JsonValue, page: str) -> JsonValue:
    """Give a value of an answer with its texts as ``page``, the Markdown that the model was shown, has them.

    What the page itself shows, as in a guide to HTML, stays. Asterisks in its Markdown mark emphasis; underscores are
    its own.

    >>> in_own_words({"by": r"S\u00f6hne &amp; <b>Co</b>", "note": "**new**"}, "Söhne & Co: **new**")
    {'by': 'Söhne & Co', 'note': 'new'}
    >>> in_own_words(["&ouml;", "__init__"], "Write &ouml; for ö, and __init__ first")
    ['&ouml;', '__init__']
    """
    if isinstance(value, str):
        return _plain(value, page)
    if isinstance(value, list):
        return [in_own_words(item, page) for item in value]
    if isinstance(value, dict):
        return {
            name: item if any(kind in name.casefold() for kind in _OF_MARKUP) else in_own_words(item, page)
            for name, item in value.items()
        }
    return value


def _plain(text: str, page: str) -> str:
    if _SIGN.search(text) is None:
        return text
    is_copied = text in page
    if is_copied and _WRITTEN_OUT.search(text) is not None:
        return text
    written = _UNICODE.sub(lambda match: chr(int(match[1], 16)), text)
    lines = (written.replace("_", r"\_") if is_copied else written).splitlines(keepends=True)
    plain = "".join(map(_said, lines))
    if plain == written:
        return plain
    said, letters = _letters(plain), _letters(written)
    is_same = said == letters or ("](" in text and letters.startswith(said))  # the addresses of links come last
    return plain if is_same else text


def _said(line: str) -> str:
    """Give what a line of Markdown says: its text, without emphasis, tags and the addresses of links."""
    if _SIGN.search(line) is None and "\0" not in line:
        return line
    bare = line.strip()
    [inline] = _parser().parseInline(bare)
    tokens = (token for token in inline.children or () if token.type != "html_inline" or _letters(token.content))
    return line.replace(bare, "".join(token.content for token in tokens), 1) if bare else line


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text).text))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark")
