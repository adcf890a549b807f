"""How a page, or a column, writes numbers and dates: what its unambiguous figures show, else what its language has."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gleaner.values import locales
from gleaner.values.mentions.calendars import Day
from gleaner.values.mentions.numerals import Numeral
from gleaner.values.money_signs import SIGN, SIGNS
from gleaner.values.text import plain

_NUMBER = re.compile(r"(?<![\d.,:/-])\d+(?:[.,' ]\d+)*(?![\d:/-]|[.,]\d)")
_DATE = re.compile(r"(\d(?<![\d/.-]\d)\d?)([/.-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-]|\.\d)")
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
        orders |= orders_told(written)
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


def orders_told(text: str) -> set[bool]:
    """Give in which orders dates of a text are written that can be read in one only: True for the day first."""
    pairs = {(int(match[1]) > _MONTHS, int(match[3]) > _MONTHS) for match in _DATE.finditer(text)}
    return {first for first, second in pairs if first != second}


_LEAST_VOTES = 3
# Patterns over whole texts begin with the digit and look behind it from there: Python's engine then skips what is no
# digit, three to eight times as fast as where a pattern begins by looking behind.
_SEVERAL_MARKS = re.compile(r"\d(?<![\d.,]\d)\d{0,2}(?:([.,])\d{3})+(?!\1)([.,])\d+(?![\d.,]\d)")
_ONE_MARK = re.compile(
    r"\d(?<![\d.,:/-]\d)(?:\d*([.,])\d\d|(?<=[|\n] \d)\d*([.,])\d(?= *[|\n])"
    r"|\d*([.,])\d(?=\s?(?:[%°€$£]|[a-zA-Z]{1,3}(?:[²³]|\b))))"
    r"(?![\d.,:/-]{0,9}\d)"
)
"""Two decimals, or one that ends its cell or stands before a unit: what is no list such as "Rooms 1,2"."""

_GROUPED = re.compile(r"\d(?<![\d.,]\d)\d{0,2}(?:([.,])\d{3}){2,}(?![\d]|[.,]\d)")
_EITHER = re.compile(r"\(?(\d{1,3})([.,])(\d{3})(?![\d]|[.,]\d)")
_ROUND_SUM = re.compile(
    rf"\d(?<![\d.,]\d)(?:(?<=[{SIGNS}]\d)|(?<=[{SIGNS}] \d)|(?<=\bRp\d)|(?<=\bRp \d)|(?=\d{{1,2}}[.,]\d{{3}}\s?{SIGN}))"
    r"\d{1,2}([.,])\d\d0(?![\d]|[.,]\d)"
)
"""Money of two or three digits and three more, the last a 0: nobody writes such decimals, so the mark groups."""

_NO_CENTS = re.compile(r"([.,])[-–—]{1,2}(?!\d)")
"""What stands for no cents behind an amount: "€ 1.299,–"."""

_TABLE = re.compile(r"(?:^[ \t]*\|.*(?:\n|\Z))+", re.MULTILINE)
_SIGN = r"[$€£¥₹]?[ \t]?"
_CELL = re.compile(
    r"\|[ \t]*"
    rf"(?:(?P<loss>\({_SIGN}(?P<number>\d[\d.,']*) ?%?\)(?: ?%)?)|(?P<gain>{_SIGN}[\d.,']*[1-9][\d.,']* ?%?))?[^|\n]*"
)
"""A cell of a table, with the number that fills it, in brackets or without."""

_ALONE = re.compile(rf"\|[ \t]*(?:{_SIGN}(?P<number>\d[\d.,]*\d)(?=[^\d|\n]*(?:\||$)))?[^|\n]*")
"""A cell of a table, with the one number that it has, if it begins with that."""

_LANGUAGE = re.compile(r"<html\b[^>]{0,400}?\slang\s*=\s*[\"']?([a-zA-Z]{2,3}(?:-[a-zA-Z]{2})?)(?![\w])")
_HEAD = 4_000


def decimal_mark(text: str) -> str:
    """Give the sign before decimals, "." or ","; "" where a text has no clear custom.

    >>> decimal_mark("4,50 €, 12,95 €, 3,20 €"), decimal_mark("$4.50, $1,295.00, $3.20"), decimal_mark("Rooms 1,2")
    (',', '.', '')
    """
    marks = [match[2] for match in _SEVERAL_MARKS.finditer(text)]
    marks += [match[1] or match[2] or match[3] for match in _ONE_MARK.finditer(text)]
    marks += [_OTHER[match[1]] for grouped in (_GROUPED, _ROUND_SUM) for match in grouped.finditer(text)]
    return marks[0] if len(marks) >= _LEAST_VOTES and len(set(marks)) == 1 else ""


def is_possible(numeral: Numeral, text: str, mark: str) -> bool:
    """Tell whether a reading of a numeral keeps to the text's custom; a round sum of money groups in any.

    >>> [is_possible(Numeral(0, 5, value), "5,406", ",") for value in (5.406, 5406)]
    [True, False]
    >>> [is_possible(Numeral(2, 9, value), "€ 285.000", "") for value in (285, 285000)]
    [False, True]
    """
    if not mark and (grouped := _ROUND_SUM.match(text, numeral.start)):
        mark = _OTHER[grouped[1]]
    if ended := _NO_CENTS.match(text, numeral.end):
        mark = ended[1]
    found = _EITHER.match(text, numeral.start) if mark and numeral.transform != "scale" else None
    whole = int(found[1] + found[3]) if found else 0
    if found is None or not whole:
        return True
    is_grouped = abs(numeral.value) in (whole, round(whole / 100, 12))
    return is_grouped != (found[2] == mark)


def marks_of_columns(text: str) -> dict[int, str]:
    """Give the decimal mark of numbers in tables that leave it open, by their starts: as their column's others have it.

    >>> marks_of_columns("| 1.234 | 1.234 |\\n| 5.67 | 2.000 |")
    {2: '.'}
    """
    found: dict[int, str] = {}
    for table in _TABLE.finditer(text):
        columns: dict[int, list[tuple[int, str]]] = {}
        for line in re.finditer(r".+", table[0]):
            for column, cell in enumerate(_ALONE.finditer(line[0])):
                if cell["number"]:
                    at = table.start() + line.start() + cell.start("number")
                    columns.setdefault(column, []).append((at, cell["number"]))
        for numbers in columns.values():
            marks = {mark for _, number in numbers if (mark := mark_of(number))}
            if len(marks) == 1:
                [mark] = marks
                found.update((at, mark) for at, number in numbers if _EITHER.fullmatch(number))
    return found


def losses(text: str) -> frozenset[int]:
    """Give the starts of the numbers in brackets that are losses: they fill cells of a column that has gains, too.

    >>> losses("| (64.35) | (3) |\\n| 12.00 | (7) |")
    frozenset({3})
    """
    found: set[int] = set()
    for table in _TABLE.finditer(text) if "(" in text and "|" in text else ():
        columns: dict[int, list[int]] = {}
        gains: set[int] = set()
        for line in re.finditer(r".+", table[0]) if "(" in table[0] else ():
            for column, cell in enumerate(_CELL.finditer(line[0])):
                if cell["loss"] and cell[0].rstrip().endswith((")", "%")):
                    columns.setdefault(column, []).append(table.start() + line.start() + cell.start("number"))
                elif cell["gain"] and cell[0].rstrip().endswith(cell["gain"].rstrip()):
                    gains.add(column)
        found.update(start for column in gains for start in columns.get(column, ()))
    return frozenset(found)


def day_comes_first(text: str) -> bool | None:
    """Tell whether dates such as 03/04/2026 begin with the day; None where no date of the text tells.

    >>> day_comes_first("03/04/2026, 28/04/2026"), day_comes_first("03/04/2026")
    (True, None)
    """
    orders = orders_told(text)
    return orders.pop() if len(orders) == 1 else None


def day_first_by_language(html: str) -> Literal[True] | None:
    """Give True where dates begin with the day in the language that a page says it is in; None where they may not.

    >>> [day_first_by_language(f'<html lang="{language}">') for language in ("nl", "en-GB", "en-us", "en")]
    [True, True, None, None]
    """
    found = _LANGUAGE.search(html[:_HEAD])
    order = locales.day_order(found[1]) if found else None
    return True if found and order in ("dmy", *(() if found[1][:2].lower() == "en" else ("ymd",))) else None


def countries_of(html: str, hosts: Iterable[str]) -> frozenset[str]:
    """Give the countries that a page's language and its hosts' names tell, as two capital letters.

    >>> sorted(countries_of('<html lang="ur-PK">', ["shop.example.lk"])), countries_of('<html lang="en">', ["a.com"])
    (['LK', 'PK'], frozenset())
    >>> sorted(countries_of("", ["shop.example.co.uk"]))  # its currency begins with GB
    ['GB', 'UK']
    """
    found = _LANGUAGE.search(html[:_HEAD])
    ends = [found[1].partition("-")[2]] if found else []
    ends += [host.partition(":")[0].rpartition(".")[2] for host in hosts]
    named = frozenset(end.upper() for end in ends if len(end) == len("PK") and end.isalpha())
    return named | {"GB"} if "UK" in named else named


def country_of_language(html: str) -> frozenset[str]:
    """Give the country whose currency is meant on pages in a language that one country with such a sign speaks.

    >>> [sorted(country_of_language(f"<html lang={language}>")) for language in ("sv", "en")]
    [['SE'], []]
    """
    found = _LANGUAGE.search(html[:_HEAD])
    country = locales.meanings("countries_of_languages").get(found[1][:2].lower()) if found else None
    return frozenset([country] if country else ())


def date_of_two_readings(text: str) -> str:
    """Give the date that a stretch of text states, if it may begin with the day or with the month; "" for any other.

    >>> date_of_two_readings("on 03/04/2026"), date_of_two_readings("28/04/2026"), date_of_two_readings("04/04/2026")
    ('03/04/2026', '', '')
    """
    found = next((one for one in _DATE.finditer(text) if one[2] != "."), None)
    is_open = found is not None and found[1] != found[3] and max(int(found[1]), int(found[3])) <= _MONTHS
    return found[0] if found is not None and is_open else ""


def in_order(
    dates: Iterable[tuple[int, int, tuple[Day, ...]]], text: str, language: bool | None = None
) -> Iterable[tuple[int, int, tuple[Day, ...]]]:
    """Give the dates written in numbers, each with the day that it can mean by the text's custom, or its language's."""
    orders = orders_told(text)
    day_first = orders.pop() if len(orders) == 1 else None if orders else language
    for start, end, days in dates:
        can_tell = day_first is not None and len(days) > 1 and _DATE.fullmatch(text, start, end)
        yield start, end, ((days[:1] if day_first else days[1:]) if can_tell else days)
