"""Amounts of money: a number beside a currency's sign, code or name. What "$" means is any of twenty currencies."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType

from gleaner.values import locales
from gleaner.values.names import name_words
from gleaner.values.numbers import OPEN, clean, parse_number, times_ten
from gleaner.values.scales import suffix_behind
from gleaner.values.text import fold

_AMOUNT = re.compile(
    r"(?P<minus>-?)\s*(?P<before>[^\d+\-(),]*?)\s*(?P<number>[+-]?\s*\d(?:[\d., ']*\d)?)(?P<dash>[.,:]\s?--?)?\s*"
    r"(?P<after>[^\d]*)"
)
_USUAL = re.compile(r"[$£€] ?((?:0|[1-9]\d{0,11}|[1-9]\d{0,2}(?:,\d{3}){1,3})\.\d\d)", re.ASCII)
"""How most amounts with cents are written: nothing else about them needs a look."""
CENTS = 2
"""The power of ten by which an amount has more cents than units."""
_WHOLE = frozenset(["IDR", "HUF"])
"""Currencies that have decimals by law and none in prices, beside those that have none at all."""
_WITH_POINT = frozenset(["USD", "GBP", "INR", "AUD", "CAD", "SGD", "HKD", "AED", "NZD", "ILS", "MYR", "PHP", "THB"])
"""Currencies of countries that write decimals behind a point: a comma before three digits groups wherever signs are."""


@lru_cache(maxsize=4096)
def currencies_of(text: str) -> frozenset[str]:
    """Give the codes of the currencies that a sign, a code or a name may stand for; none for another text.

    >>> sorted(currencies_of("kr.")), currencies_of("metres"), sorted(currencies_of("US dollars"))
    (['DKK', 'ISK', 'NOK', 'SEK'], frozenset(), ['USD'])
    """
    folded = fold(text)
    if folded in locales.units() and text.strip().islower():  # "50 ft" are feet, "50 Ft" are forints
        return frozenset()
    return locales.currencies().get(folded, frozenset())


def without_lead(text: str) -> str:
    """Give a text without the word before it that says that it is the least amount.

    >>> without_lead("From £12.50"), without_lead("à partir de 10 €"), without_lead("Fee: £5")
    ('£12.50', '10 €', 'Fee: £5')
    """
    found = _least_words().match(text.strip())
    return found[1] if found else text


@cache
def _least_words() -> re.Pattern[str]:
    words = sorted(locales.words("at_least"), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})[:.]?\s+(.+)", re.IGNORECASE)


def split_money(text: str, *, decimal: str | None = None) -> tuple[int | float, frozenset[str]]:
    """Give the amount and the currencies that it may be in; ValueError for what is no amount, or in doubt.

    >>> split_money("1.299,00 €") == (1299.0, frozenset({"EUR"}))
    True
    >>> split_money("£5m")[0], split_money("$12 USD")[1]
    (5000000, frozenset({'USD'}))
    """
    if text.isascii() and text[:1].isdigit() and text[-1:].isdigit():
        raise ValueError(f"no currency: {text[:80]!r}")
    cleaned = clean(text)
    accounting = cleaned.startswith("(") and cleaned.endswith(")")
    match = _AMOUNT.fullmatch(cleaned[1:-1].strip() if accounting else cleaned)
    if match is None:
        raise ValueError(f"not an amount of money: {text[:80]!r}")
    before, (after, power) = match["before"], _without_scale(match["after"], has_sign=bool(match["before"]))
    stated = [currencies_of(side) for side in (before, after) if side]
    codes = frozenset.intersection(*stated) if stated else frozenset[str]()
    if any(not side for side in stated) or not (codes or (match["dash"] and not stated)):
        raise ValueError(f"not an amount of money: {text[:80]!r}")
    number = match["number"].replace(" ", "") if match["number"][0] in "+-" else match["number"]
    value = parse_number(number, decimal=decimal or _decimal_mark(number, codes, is_before=bool(before)))
    if (accounting or match["minus"]) and value < 0:
        raise ValueError(f"two minus signs: {text[:80]!r}")
    value = times_ten(value, power) if power else value
    return (-value if accounting or match["minus"] else value), codes


@lru_cache(maxsize=4096)
def _without_scale(after: str, *, has_sign: bool) -> tuple[str, int]:
    """Give what stands behind a number without a scale ("5 Mio. €"), and the scale's power of ten."""
    after = fold(after)
    first, _, rest = after.partition(" ")
    name = first.rstrip(".")
    power = locales.scales().get(name, 0)
    if power > 0 and (rest or has_sign) and not (rest and not currencies_of(rest)):
        return rest, power
    return after, 0


def _decimal_mark(number: str, codes: frozenset[str], *, is_before: bool) -> str | None:
    """Give the mark that the currency implies for one mark with three digits after it; ValueError in doubt."""
    doubtful = OPEN.fullmatch(number)
    if doubtful is None:
        return None
    mark = doubtful[1]
    digits = _digits()
    if any(digits.get(code) == 3 for code in codes):
        raise ValueError(f"{number!r} may have thousands or three decimals")
    groups = bool(codes) and all(digits.get(code) == 0 for code in codes)
    if mark == ",":
        groups = groups or is_before or not codes.isdisjoint(_WITH_POINT)
    if not groups:
        raise ValueError(f"{number!r} may have thousands or three decimals")
    return "." if mark == "," else ","


@cache
def _digits() -> Mapping[str, int]:
    return MappingProxyType({**locales.currency_digits(), **dict.fromkeys(_WHOLE, 0)})


def parse_money(text: str, *, decimal: str | None = None) -> int | float:
    """Give the amount of a price with its currency (or the dash of "5,-"); the currency itself is not kept.

    >>> parse_money("$1,299.00"), parse_money("1.299,00 €"), parse_money("1'299.-"), parse_money("($5.20)")
    (1299.0, 1299.0, 1299, -5.2)
    """
    if decimal != "," and (usual := _USUAL.fullmatch(text)) is not None:
        return float(usual[1].replace(",", ""))
    return split_money(text, decimal=decimal)[0]


def parse_minor(text: str, *, decimal: str | None = None) -> int | float:
    """Give an amount of cents, pence and the like; ValueError for anything else.

    >>> parse_minor("99p"), parse_minor("50 Cent"), parse_minor("99¢")
    (99, 50, 99)
    """
    cleaned = clean(text)
    figures = _FIGURES.match(cleaned)
    suffix = suffix_behind(cleaned, figures.end()) if figures else None
    is_minor = suffix is not None and not suffix.is_share and suffix.power == -CENTS
    if figures is None or suffix is None or not is_minor or cleaned[suffix.end :].strip(" ."):
        raise ValueError(f"not an amount of cents: {text[:80]!r}")
    return parse_number(figures[0], decimal=decimal)


_WORD = re.compile(r"[^\s,;:()\[\]/]+")
_LEAST_OF_NAME = 5
"""Letters of a currency's name that is no other word: "real" and "won" are."""
_CODE = 3
_FIGURES = re.compile(r"\d(?:[\d., ']*\d)?")
_LONGEST_AMOUNT = 40


def currencies_stated(text: str) -> frozenset[str]:
    """Give the currencies that a label names by a sign, a code, or a name of two words or of five letters.

    >>> sorted(currencies_stated("Price (EUR)")), currencies_stated("all of it"), sorted(currencies_stated("in $"))[-3:]
    (['EUR'], frozenset(), ['USD', 'UYU', 'XCD'])
    >>> sorted(currencies_stated("in US dollars")), sorted(currencies_stated("in euros")), currencies_stated("real")
    (['USD'], ['EUR'], frozenset())
    """
    words = _WORD.findall(text)
    pairs = [codes for pair in pairwise(words) if len(codes := currencies_of(" ".join(pair))) == 1]
    return frozenset[str]().union(*(pairs or map(_currencies_named, words)))


def _currencies_named(word: str) -> frozenset[str]:
    codes = currencies_of(word)
    is_code = len(word) == _CODE and list(codes) == [word]
    return codes if is_code or not word.isalpha() or len(word) >= _LEAST_OF_NAME else frozenset()


def parse_currency(text: str, known: str) -> str:
    """Give the code of the currency that a short text with at most one amount is in; ``known`` where others share it.

    >>> parse_currency("€ 60 per night", "EUR"), parse_currency("5 kr", "SEK"), parse_currency("5 zł", "EUR")
    ('EUR', 'SEK', 'PLN')
    """
    bare, amounts = _FIGURES.subn(" ", text)
    codes = currencies_stated(bare) if len(text) <= _LONGEST_AMOUNT and amounts <= 1 else frozenset[str]()
    codes = codes or (currencies_of(bare.strip()) if amounts == 1 else codes)
    if known in codes:
        return known
    if len(codes) != 1:
        raise ValueError(f"not one currency: {text[:80]!r}")
    return next(iter(codes))


def currency_of_name(name: str) -> frozenset[str]:
    """Give the currency that ends a field's name.

    >>> currency_of_name("price_usd"), currency_of_name("for_all")
    (frozenset({'USD'}), frozenset())
    """
    last = name_words(name)[-1:]
    return frozenset(word.upper() for word in last if word in locales.main_currencies())
