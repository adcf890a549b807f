"""Texts in the form in which values are read: digits, blanks and signs of all scripts as ASCII has them."""

import unicodedata

from gleaner.values.lookups import Remembered

_KEPT = "²³℃℉″′"
"""Signs of units that compatibility forms would turn into other words."""

_MINUS = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"
_SIGNS = (
    dict.fromkeys(_MINUS, "-")
    | dict.fromkeys("\u00a0\u202f\u2007\u2009\u200a\u2002\u2003\u3000", " ")
    | {
        "\u2019": "'",
        "\u02bc": "'",
        "\u066b": ".",
        "\u066c": "'",
        "\u066a": "%",
        "\uff05": "%",
        "\u2044": "/",
        "\u2215": "/",
    }
)


def _plain(code: int) -> str:
    """Give what to write for a character."""
    character = chr(code)
    if character in _SIGNS:
        return _SIGNS[character]
    if unicodedata.category(character) == "Nd":
        return str(unicodedata.digit(character))
    if "\uff01" <= character <= "\uff5e":
        return chr(code - 0xFEE0)
    return character


_PLAIN = Remembered(_plain)


def plain(text: str) -> str:
    """Give a text of the same length with digits, blanks, signs and marks of all scripts as ASCII has them.

    >>> plain("１\u202f２９９,５ €"), plain("٣٫٥"), plain("−5")
    ('1 299,5 €', '3.5', '-5')
    """
    return text if text.isascii() else text.translate(_PLAIN)


def fold(text: str) -> str:
    """Give a text in lower case, compatibility forms resolved, with single blanks and no full stop at its end.

    >>> fold("  Sq.  Ft. "), fold("ＫＧ")
    ('sq. ft', 'kg')
    """
    if not text.isascii() and not any(sign in text for sign in _KEPT):
        text = unicodedata.normalize("NFKC", text.replace("\u200e", "").replace("\u200f", ""))
    return " ".join(text.casefold().split()).rstrip(".")


def without_accents(text: str) -> str:
    """Give a text without accents.

    >>> without_accents("février"), without_accents("марта")
    ('fevrier', 'марта')
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    kept = "".join(character for character in decomposed if not unicodedata.combining(character))
    return unicodedata.normalize("NFC", kept)
