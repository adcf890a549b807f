"""Items of lists that count in letters or Roman numerals: text elsewhere refers to "clause B" and "part ii"."""

import re
from string import ascii_lowercase
from typing import Final

from lxml.html import HtmlElement

_BY_TYPE: Final = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_STYLE = re.compile(r"list-style(?:-type)?\s*:[^;]*?\b(lower|upper)-(alpha|latin|roman)\b", re.IGNORECASE)
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_ROMAN = 3_999
"""CSS Counter Styles Level 3: what is beyond its range a browser counts in figures."""


def numbering_of(element: HtmlElement) -> str:
    """Give how a list or an item counts, as CSS calls it ("lower-roman"); "" for figures, and where nothing is said."""
    style = _STYLE.search(element.get("style") or "")
    if style is not None:
        return f"{style[1]}-{style[2]}".lower().replace("latin", "alpha")
    return _BY_TYPE.get(element.get("type") or "", "")


def in_letters(number: int, numbering: str) -> str:
    """Give a number as a list shows it; "" where it shows figures.

    >>> in_letters(28, "upper-alpha"), in_letters(14, "lower-roman"), in_letters(0, "upper-roman"), in_letters(3, "")
    ('AB', 'xiv', '', '')
    """
    is_roman = numbering.endswith("roman")
    if number < 1 or not numbering or (is_roman and number > _MOST_ROMAN):
        return ""
    said = _roman(number) if is_roman else _alphabetic(number)
    return said.upper() if numbering.startswith("upper") else said


def _alphabetic(number: int) -> str:
    said = ""
    while number:
        number, at = divmod(number - 1, len(ascii_lowercase))
        said = ascii_lowercase[at] + said
    return said


def _roman(number: int) -> str:
    said = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        said += letters * times
    return said
