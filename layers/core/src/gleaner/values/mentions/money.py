"""The currency beside a number, and amounts that a text consists of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from gleaner.values import locales
from gleaner.values.numbers import MAX_CHARS, Number, interpret

_AMOUNT = re.compile(
    r"\s*(?P<before>[^\d\s.,+-]{0,4}?)\s*(?P<sign>[-−+]?)\s*(?P<number>\d[\d.,'’\s]*)(?P<after>[^\d]{0,24})"
)

_EMPHASIS = "*_~"
_BLANKS = " \u00a0\u202f"
_BESIDE = 12
_LONGEST_UNIT = 48
_EVERYWHERE = "USD"
_USUAL = frozenset((_EVERYWHERE, "GBP"))
_NONE: frozenset[str] = frozenset()


@cache
def _longest() -> int:
    return max(map(len, locales.sure_currencies()))


@cache
def _ends() -> Mapping[int, frozenset[str]]:
    """Give the first and the last characters of the signs: most texts beside numbers have none of them there."""
    signs = locales.sure_currencies()
    return {1: frozenset(sign[0] for sign in signs), -1: frozenset(sign[-1] for sign in signs)}


def currencies_at(text: str, start: int, end: int) -> frozenset[str]:
    """Give the codes of the currencies that a number may be of, by the sign beside it.

    A sign between two numbers may be of either, and is none here; nor is one that is repeated: "4.5 $$" is how dear.

    >>> "USD" in currencies_at("US$ 5 / €7", 4, 5), sorted(currencies_at("5 € 7 m", 4, 5))
    (True, [])
    >>> sorted(currencies_at("4 €€", 0, 1)), len(currencies_at("$5", 1, 2)) > 10
    ([], True)
    """
    after = text[end : end + _BESIDE].casefold()
    sign, around = _sign_beside(after, 1), after
    if not sign:
        around = text[max(0, start - _BESIDE) : start].casefold()
        sign = _sign_beside(around, -1)
    return _NONE if not sign or 2 * sign in around else locales.sure_currencies()[sign]


def _sign_beside(text: str, step: Literal[1, -1]) -> str:
    """Give the sign that a text behind a number begins with, or that one before a number (``step`` -1) ends with."""
    beside = text[::step].lstrip(_EMPHASIS)
    beside = beside[1:] if beside[:1] and beside[0] in _BLANKS else beside
    if beside[:1] not in _ends()[step]:
        return ""
    for size in range(min(_longest(), len(beside)), 0, -1):
        sign, rest = beside[:size][::step], beside[size : size + 2]
        if sign in locales.sure_currencies() and not rest[:1].isalnum() and not rest.strip(_BLANKS)[:1].isdigit():
            return sign
    return ""


@dataclass(frozen=True, slots=True)
class Amount:
    """The numbers that an amount can mean, with the codes of its currencies or its unit."""

    values: tuple[Number, ...]
    currencies: frozenset[str]
    unit: str

    def fits(self, text: str, start: int, end: int) -> bool:
        """Tell whether the place of a number names no other currency, and the same unit."""
        behind = text[end : end + _LONGEST_UNIT].casefold()
        if self.unit and not re.match(rf"\s*{re.escape(self.unit)}(?![^\W_])", behind):
            return False
        if not self.currencies:
            return True
        before = text[max(0, start - _BESIDE) : start].casefold()
        signs = _sign_beside(behind[:_BESIDE], 1), _sign_beside(before, -1)
        stated = [locales.sure_currencies()[sign] for sign in signs if sign]
        return not stated or any(not codes.isdisjoint(self.currencies) for codes in stated)


def read_amount(value: str) -> Amount | None:
    """Read a text that is nothing but an amount; None for anything else.

    >>> read_amount("$1,299.00").values
    (1299.0,)
    """
    match = _AMOUNT.fullmatch(value) if len(value) <= MAX_CHARS else None
    if match is None:
        return None
    numbers = interpret(re.sub(r"\s", "", match["number"]).rstrip(".,'’"))
    sign = -1 if match["sign"] in ("-", "−") else 1
    words = [part.strip().casefold() for part in (match["before"], match["after"]) if part.strip()]
    currencies = frozenset(code for word in words for code in locales.marks_of_money().get(word, ()))
    units = [word for word in words if word not in locales.marks_of_money()]
    if not numbers or len(units) > 1 or (units and match["before"].strip().casefold() in units):
        return None
    return Amount(tuple(sign * number for number in numbers), currencies, units[0] if units else "")


def shared_sign(sign: str, code: str) -> frozenset[str]:
    """Give the currencies that a sign may mean where a code is one of several; none for the one that it mostly means.

    >>> sorted(shared_sign("¥", "CNY")), shared_sign("₹", "INR"), shared_sign("$", "USD")
    (['CNY', 'JPY'], frozenset(), frozenset())
    """
    codes = locales.marks_of_money().get(sign.casefold(), _NONE)
    return codes if len(codes) > 1 and code in codes and code not in _USUAL else _NONE


@cache
def currency_signs(value: str, countries: frozenset[str] = _NONE) -> tuple[str, ...]:
    """Give the other ways to write a currency that a value names by its code or sign; none when it names no currency.

    A sign of several currencies is, on a page of one of ``countries`` that has one of them, no sign of another. A code
    of ISO 4217 begins with the country's; dollars of the United States are quoted everywhere.

    >>> "€" in currency_signs("EUR"), currency_signs("lamp")
    (True, ())
    >>> ["rs" in currency_signs(code, frozenset(country)) for code in ("PKR", "INR") for country in ([], ["PK"])]
    [True, True, True, False]
    """
    name, known = value.strip().casefold(), locales.marks_of_money()
    codes = known.get(name) or frozenset({value.strip()} & locales.currencies_with_signs())
    others = {sign for sign, meant in known.items() if sign != name and not meant.isdisjoint(codes)}
    if not any(code[:2] in countries or code == _EVERYWHERE for code in codes):
        others = {sign for sign in others if not any(code[:2] in countries for code in known[sign])}
    return tuple(sorted(others))
