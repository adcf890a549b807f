"""Amounts that a value writes as text: a number with a currency or a unit."""

import re
from dataclasses import dataclass

from gleaner.values.numbers import Number, interpret

_SIGNS_OF = {
    "USD": "$ us$ usd dollar dollars", "EUR": "€ eur euro euros", "GBP": "£ gbp pound pounds", "JPY": "¥ jpy yen 円 ￥",
    "CNY": "¥ cny rmb yuan 元 ￥",
    "INR": "₹ inr rs rupee rupees", "KRW": "₩ krw won 원", "RUB": "₽ rub руб",
    "CHF": "chf fr sfr", "CAD": "c$ ca$ cad $", "AUD": "a$ au$ aud $", "NZD": "nz$ nzd $", "MXN": "mx$ mxn $",
    "BRL": "r$ brl", "SEK": "sek kr", "NOK": "nok kr", "DKK": "dkk kr", "PLN": "zł pln", "CZK": "kč czk",
    "HUF": "ft huf",
    "TRY": "₺ try tl", "ILS": "₪ ils nis", "UAH": "₴ uah грн", "VND": "₫ đ vnd", "THB": "฿ thb บาท", "PHP": "₱ php",
    "ZAR": "zar r", "SGD": "s$ sgd $", "HKD": "hk$ hkd $", "TWD": "nt$ twd $", "BTC": "₿ btc",
    "IDR": "rp idr", "AED": "aed درهم د.إ", "SAR": "sar ر.س ريال", "EGP": "egp ج.م جنيه", "MYR": "rm myr",
    "BGN": "лв bgn", "KZT": "₸ kzt", "GEL": "₾ gel", "NGN": "₦ ngn",
}  # fmt: skip
_SIGNS = {code: frozenset(signs.split()) for code, signs in _SIGNS_OF.items()}
CURRENCIES = frozenset(code.casefold() for code in _SIGNS) | {"euro", "euros", "dollar", "dollars"}
"""Words that surely name a currency, as fields are named."""

_ALL_SIGNS = frozenset(sign for signs in _SIGNS.values() for sign in signs)
_UNSURE = frozenset(["ft", "fr", "r", "tl", "won", "try", "pound", "pounds", "yen"])
_MEANT = {
    sign: frozenset(
        word for code, signs in _SIGNS.items() if sign in signs for word in (code.casefold(), *CURRENCIES & signs)
    )
    for sign in _ALL_SIGNS - _UNSURE
}
"""What each sign may mean, without signs that are common words or units."""

_ANY_SIGN = "|".join(re.escape(sign) for sign in sorted(_MEANT, key=len, reverse=True))
_SIGN_BEHIND = re.compile(rf"[*_~]{{0,4}}[ \u00a0\u202f]?(?P<sign>{_ANY_SIGN})(?![^\W_]|[ \u00a0\u202f]?\d)")
_SIGN_AHEAD = re.compile(rf"(?<![^\W_])(?<!\d[ \u00a0\u202f])(?P<sign>{_ANY_SIGN})[ \u00a0\u202f]?[*_~]{{0,4}}\Z")
_AMOUNT = re.compile(
    r"\s*(?P<before>[^\d\s.,+-]{0,4}?)\s*(?P<sign>[-−+]?)\s*(?P<number>\d[\d.,'’\s]*)(?P<after>[^\d]{0,24})"
)
_BESIDE = 12
_LONGEST_UNIT = 48


@dataclass(frozen=True, slots=True)
class Quantity:
    """The numbers that an amount can mean, with its currency's signs or its unit."""

    values: tuple[Number, ...]
    currency: frozenset[str]
    unit: str

    def fits(self, text: str, start: int, end: int) -> bool:
        """Tell whether the place of a number names no other currency, and the same unit."""
        before, after = text[max(0, start - _BESIDE) : start].casefold(), text[end : end + _BESIDE].casefold()
        if self.unit and not re.match(
            rf"\s*{re.escape(self.unit)}(?![^\W_])", text[end : end + _LONGEST_UNIT].casefold()
        ):
            return False
        if not self.currency:
            return True
        stated = {sign for sign in _ALL_SIGNS if _stands(sign, before.rstrip(), after.lstrip())}
        return not stated or bool(stated & self.currency)


def read_quantity(value: str) -> Quantity | None:
    """Read a text that is nothing but an amount; None for anything else.

    >>> read_quantity("$1,299.00").values
    (1299.0,)
    """
    match = _AMOUNT.fullmatch(value)
    if match is None:
        return None
    numbers = interpret(re.sub(r"\s", "", match["number"]).rstrip(".,'’"))
    sign = -1 if match["sign"] in ("-", "−") else 1
    words = [part.strip().casefold() for part in (match["before"], match["after"]) if part.strip()]
    currency = frozenset(sign for word in words for signs in _SIGNS.values() if word in signs for sign in signs)
    units = [word for word in words if word not in _ALL_SIGNS]
    if not numbers or len(units) > 1 or (units and match["before"].strip().casefold() in units):
        return None
    return Quantity(tuple(sign * number for number in numbers), currency, units[0] if units else "")


def currency_signs(value: str) -> tuple[str, ...]:
    """Give the ways to write a currency that a value names by its code or sign; none when it names no currency."""
    name = value.strip().casefold()
    if not name or name not in _ALL_SIGNS:
        return ()
    signs = {sign for signs in _SIGNS.values() if name in signs for sign in signs}
    return tuple(sorted(signs - {name}))


def currencies_at(text: str, start: int, end: int) -> frozenset[str]:
    """Give the codes, in lower case, and words of the currencies that a number may be of, by the sign beside it.

    A sign between two numbers may be of either, and is none here; nor is one that is repeated: "4.5 $$" is how dear.

    >>> sorted(currencies_at("US$ 5 / €7", 4, 5) & {"usd", "eur"}), sorted(currencies_at("5 € 7 m", 4, 5))
    (['usd'], [])
    >>> sorted(currencies_at("4 €€", 0, 1))
    []
    """
    before, after = text[max(0, start - _BESIDE) : start].casefold(), text[end : end + _BESIDE].casefold()
    behind = _SIGN_BEHIND.match(after)
    ahead = _SIGN_AHEAD.search(before)
    sign = behind["sign"] if behind else ahead["sign"] if ahead else ""
    is_repeated = bool(sign) and 2 * sign in (after if behind else before)
    return frozenset() if is_repeated else _MEANT.get(sign, frozenset())


def _stands(sign: str, before: str, after: str) -> bool:
    if sign[-1].isalpha():
        beside = re.search(r"([^\W\d_$]+)\s*$", before), re.match(r"[^\W\d_$]+", after)
        return any(found is not None and found[0].strip() == sign for found in beside)
    return before.endswith(sign) or after.startswith(sign)
