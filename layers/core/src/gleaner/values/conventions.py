"""How a page, or a column, writes numbers and dates: what its unambiguous figures show, else what its language has."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from gleaner.values import locales
from gleaner.values.text import plain

_NUMBER = re.compile(r"(?<![\d.,:/-])\d+(?:[.,' ]\d+)*(?![\d:/-]|[.,]\d)")
_DATE = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-])")
_MONTHS = 12
_OTHER = {",": ".", ".": ","}


@dataclass(frozen=True, slots=True)
class Conventions:
    """The decimal mark ("." or ","), the order of days and months in figures, and the language; None: not known."""

    decimal: str | None = None
    day_first: bool | None = None
    language: str = ""


NOTHING_KNOWN = Conventions()


def conventions(texts: Iterable[str], language: str = "") -> Conventions:
    """Give the conventions that texts show; those of the language where they show none; none where they disagree.

    >>> conventions(["4,50 €", "1.299 €"]), conventions(["13/04/2026", "03/04/2026"]).day_first
    (Conventions(decimal=',', day_first=None, language=''), True)
    >>> conventions(["1.299"], "de").decimal, conventions(["1,5", "2.5"], "de").decimal
    (',', None)
    """
    marks: set[str] = set()
    orders: set[bool] = set()
    for text in texts:
        written = plain(text)
        marks.update(filter(None, (mark_of(match[0]) for match in _NUMBER.finditer(written))))
        for match in _DATE.finditer(written):
            first, second = int(match[1]) > _MONTHS, int(match[3]) > _MONTHS
            if first != second:
                orders.add(first)
    order = locales.day_order(language) if language else None
    return Conventions(
        next(iter(marks)) if len(marks) == 1 else locales.decimal_mark(language) if not marks and language else None,
        next(iter(orders)) if len(orders) == 1 else None if orders or order in (None, "ymd") else order == "dmy",
        language,
    )


def mark_of(number: str) -> str | None:
    """Give the decimal mark that a number leaves no doubt about.

    >>> mark_of("1.299,00"), mark_of("12.5"), mark_of("1.299.000"), mark_of("1.299"), mark_of("1 299,5")
    (',', '.', ',', None, ',')
    """
    used = [mark for mark in number if mark in ".,"]
    if not used:
        return None
    if len(set(used)) > 1:
        return used[-1] if used.count(used[-1]) == 1 else None
    if len(used) > 1:
        groups = re.split(r"[.,]", number)
        return _OTHER[used[0]] if all(len(group) == 3 for group in groups[1:]) else None
    whole, _, fraction = number.partition(used[0])
    is_open = len(fraction) == 3 and 0 < len(whole) <= 3 and not whole.startswith("0")
    return None if is_open else used[0]
