"""Amounts of money in a page's text: which of them may be the price, and in which currency they are."""

import re
from collections.abc import Iterator
from typing import Any

from gleaner.coercion.numbers import CURRENCY, parse_money
from gleaner.contracts.word_lists import listed
from gleaner.structured.fields import Field
from gleaner.structured.measures import CURRENCIES, unit_named
from gleaner.structured.silence import is_called

Span = tuple[int, int]

NEAR = 40
"""How many characters before and after a place may speak of it."""
RANGE = re.compile(rf"\s*(?:[-–—−~]|to|bis|à|a|til|tot)\s*(?:{CURRENCY})?\s?\d", re.IGNORECASE)
_NUMBER = r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?![\d.,]?\d)|\d(?:[\d.,']{0,20}\d)?)"
_AMOUNT = re.compile(rf"(?:{CURRENCY})\s?{_NUMBER}|(?<![\d.,']){_NUMBER}\s?(?:{CURRENCY})(?![\w])")
_SIGN = re.compile(CURRENCY)
_CODES = re.compile(r"(?<!\w)[A-Z]{3}(?!\w)")
_SHARED_SIGNS = {
    "$": listed("cad aud nzd sgd hkd twd mxn clp cop ars brl"),
    "¥": listed("cny"),
    "kr": listed("sek nok dkk isk"),
}
_FROM = re.compile(
    r"\b(?:from|starting at|over|under|up to|around|about|approx(?:imately)?|in excess of|guide(?: price)?|circa|ca|ab|"
    r"bis zu|dès|à partir de|jusqu'à|desde|hasta|a partire da|da|fino a|vanaf|tot|från|fra|od|от|"
    r"\d+ (?:for|für|pour|por|per|voor|za))\W*$",
    re.IGNORECASE,
)
_INSTALMENT = re.compile(
    r"[*_]{0,3}\s?(?:/|per|an?|pro|im|par|por|al|au|il)?\s?(?:mo|month|monat|mois|mese?|maand|week|woche)\b"
    r"\W{0,3}(?:for|over|x|×|über|pendant|durante|per|gedurende)\s?\d",
    re.IGNORECASE,
)
"""After an amount that is paid several times: "/month for 24 months"."""
_FORMER = re.compile(
    r"\b(?:sold for|sold at|was|were|old|former|formerly|before|previously|regular|regularly|list|rrp|msrp|uvp|original"
    r"|originally|instead of|reg|statt|war|bisher|vorher|ancien|avant|au lieu de|antes|prima|oorspronkelijk)\b"
    r"[^\d\n]{0,20}$",
    re.IGNORECASE,
)
_BESIDE_THE_PRICE = re.compile(
    r"\b(?:shipping|delivery|postage|orders? (?:over|above)|sav(?:e|ing)s?|deposit|parking|"
    r"(?:cleaning|booking|service) fee|"
    r"versand\w*|lieferung"
    r"|livraison|envío|spedizione|verzending|frakt)\b",
    re.IGNORECASE,
)
_BREAKS = re.compile(r"[\n,;+()|·]|\.\s")
_STRUCK = re.compile(r"~~.*?~~|<(?:s|del|strike)>.*?</(?:s|del|strike)>", re.DOTALL)


def currencies(field: Field, value: Any) -> Iterator[str]:
    """Give the currency that the record states, and the one that the schema asks for."""
    if is_called(field, "currency"):
        yield str(value).casefold()
    elif field.kind == "number" and (unit := field.unit_under(())) in CURRENCIES:
        yield unit


def currency_agrees(code: str, text: str) -> bool:
    """Tell whether no amount on the page has the sign of another currency; several have "$", "¥" and "kr".

    >>> currency_agrees("usd", "Only $30.00"), currency_agrees("usd", "Only $30.00 CAD")
    (True, False)
    """
    codes = CURRENCIES.intersection(map(str.casefold, _CODES.findall(text)))
    if codes and code not in codes:
        return False
    signs = {sign for match in _AMOUNT.finditer(text) for sign in _SIGN.findall(match[0])}
    return all(_may_stand_for(sign, code) for sign in signs)


def _may_stand_for(sign: str, code: str) -> bool:
    named = unit_named(sign)
    return named in (None, code) or named not in CURRENCIES or code in _SHARED_SIGNS.get(sign.casefold(), ())


def amounts_in(text: str) -> Iterator[tuple[float, bool]]:
    """Give the amounts of money in a text, and whether each is beside the price.

    One that can't be read, a former one, an instalment and an end of a range are no number: nothing equals them.
    """
    struck = [match.span() for match in _STRUCK.finditer(text)]
    for match in _AMOUNT.finditer(text):
        near = max(0, match.start() - NEAR)
        is_former = any(start <= match.start() < end for start, end in struck)
        is_end = (
            RANGE.match(text, match.end())
            or _INSTALMENT.match(text, match.end())
            or _FROM.search(text, near, match.start())
        )
        beside = _is_beside_the_price(text, match.span())
        if is_former or is_end or _FORMER.search(text, near, match.start()):
            yield float("nan"), beside
            continue
        try:
            yield parse_money(match[0].strip()), beside
        except ValueError:
            yield float("nan"), beside


def _is_beside_the_price(text: str, amount: Span) -> bool:
    """Tell whether the words next to an amount call it the cost of delivery, a saving, or the like."""
    before = _BREAKS.split(text[max(0, amount[0] - NEAR) : amount[0]])[-1]
    after = _BREAKS.split(text[amount[1] : amount[1] + NEAR])[0]
    return _BESIDE_THE_PRICE.search(f"{before} {after}") is not None
