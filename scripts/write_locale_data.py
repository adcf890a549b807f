"""Writes ``gleaner/data/locales.json``: what Unicode's CLDR says of numbers, dates, units and currencies.

Reduced to what reading values needs, from the CLDR that Babel carries (a tool of the workspace, never of a Lambda).
Names are folded as the reader folds texts: lower case, plain blanks, no full stop at the end.

    python scripts/write_locale_data.py
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel import Locale, localedata
from babel.core import get_global

DATA = Path(__file__).parents[1] / "layers/core/src/gleaner/data/locales.json"
_LANGUAGES = """
ar bg bn ca cs da de el en es et fa fi fil fr he hi hr hu id is it ja ko lt lv mk ms nb nl pl pt ro ru sk sl sr sv th
tr uk vi zh zh_Hant
"""
LANGUAGES = _LANGUAGES.split()
_UNITS = """
length-kilometer length-meter length-centimeter length-millimeter length-mile length-yard length-foot length-inch
length-nautical-mile mass-kilogram mass-gram mass-milligram mass-microgram mass-pound mass-ounce mass-tonne mass-stone
volume-liter volume-milliliter volume-centiliter volume-deciliter volume-gallon volume-pint volume-quart volume-cup
volume-fluid-ounce volume-tablespoon volume-teaspoon volume-cubic-meter volume-cubic-centimeter area-square-meter
area-square-kilometer area-square-centimeter area-square-foot area-square-mile area-hectare area-acre
temperature-celsius temperature-fahrenheit temperature-kelvin speed-kilometer-per-hour speed-mile-per-hour
speed-meter-per-second speed-knot duration-millisecond duration-second duration-minute duration-hour duration-day
duration-week duration-month duration-year digital-bit digital-byte digital-kilobyte digital-megabyte digital-gigabyte
digital-terabyte digital-megabit digital-gigabit energy-kilowatt-hour energy-kilocalorie energy-kilojoule energy-joule
power-watt power-kilowatt power-megawatt power-horsepower frequency-hertz frequency-kilohertz frequency-megahertz
frequency-gigahertz electric-volt electric-ampere electric-ohm pressure-bar pressure-hectopascal pressure-kilopascal
graphics-pixel graphics-megapixel
"""
UNITS = _UNITS.split()
_CURRENCIES = """
AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY KRW NOK PLN RON RUB SEK TRY UAH USD
"""
CURRENCIES = _CURRENCIES.split()
"""Those whose names are kept beside their codes and signs."""

_PLACE = re.compile(r"\{0\}|#[#,.0]*|[0０]+")
_QUOTED = re.compile(r"'([^']*)'")
_LETTERS = re.compile(r"[^\W\d_]+")


def main() -> None:
    """Write the file."""
    locales = {language: Locale.parse(language) for language in LANGUAGES}
    data = {
        "marks": {name: marks(one) for name, one in locales.items()},
        "orders": {name: day_order(one) for name, one in orders_of().items()},
        "months": {name: months(one) for name, one in locales.items()},
        "weekdays": {name: sorted(weekdays(one)) for name, one in locales.items()},
        "periods": {name: periods(one) for name, one in locales.items()},
        "links": {name: sorted(links(one)) for name, one in locales.items()},
        "scales": {name: scales(one) for name, one in locales.items()},
        "units": by_meaning(units(locales.values())),
        "units_in_english": by_meaning(units([locales["en"]])),
        "currency_signs": currency_signs(),
        "currency_names": by_meaning(currency_names(locales.values())),
        "currency_digits": currency_digits(),
    }
    DATA.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")


def fold(text: str) -> str:
    """Fold a name as ``gleaner.values`` folds texts before it looks them up."""
    return " ".join(text.replace("\u200f", "").replace("\u200e", "").casefold().split()).rstrip(".")


def marks(locale: Locale) -> str:
    """Give the decimal mark and the grouping sign, as ASCII has them where it has."""
    symbols: Any = locale.number_symbols.get("latn") or locale.number_symbols[locale.default_numbering_system]
    return symbols["decimal"] + symbols["group"].replace("\u202f", " ").replace("\u00a0", " ")


def orders_of() -> dict[str, Locale]:
    """Give the locales whose order of day and month is kept: every language, and countries that differ from theirs."""
    known = {name.split("_")[0] for name in LANGUAGES}
    names = [name for name in localedata.locale_identifiers() if name.count("_") <= 1 and name.split("_")[0] in known]
    every = {name: Locale.parse(name) for name in names}
    own = {name: day_order(one) for name, one in every.items()}
    return {name: one for name, one in every.items() if "_" not in name or own[name] != own.get(name.split("_")[0])}


def day_order(locale: Locale) -> str:
    """Give the order of a short date: "dmy", "mdy" or "ymd"."""
    pattern = locale.date_formats["short"].pattern
    return "".join(dict.fromkeys(letter for letter in _QUOTED.sub("", pattern).lower() if letter in "dmy"))


def months(locale: Locale) -> dict[str, int]:
    """Give the number of each month's names; a name of two months is left out."""
    found: dict[str, set[int]] = defaultdict(set)
    for form in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[form][width].items():
                found[fold(name)].add(number)
    return {name: min(numbers) for name, numbers in found.items() if len(numbers) == 1 and not name.isdigit()}


def weekdays(locale: Locale) -> set[str]:
    """Give the names of the days of the week."""
    forms = [(form, width) for form in ("format", "stand-alone") for width in ("wide", "abbreviated")]
    return {fold(name) for form, width in forms for name in locale.days[form][width].values()}


def periods(locale: Locale) -> dict[str, int]:
    """Give what marks hours before and after noon: by how many hours it moves them."""
    found: dict[str, int] = {}
    for width in ("wide", "abbreviated"):
        named = locale.day_periods["format"].get(width, {})
        found |= {fold(named[name]): hours for name, hours in (("am", 0), ("pm", 12)) if name in named}
    return found


def links(locale: Locale) -> set[str]:
    """Give the words between the parts of a long date: "de" of "3 de mayo de 2026"."""
    patterns = (locale.date_formats[width].pattern for width in ("long", "medium", "full"))
    return {fold(word) for pattern in patterns for piece in _QUOTED.findall(pattern) for word in piece.split()} - {""}


def scales(locale: Locale) -> dict[str, int]:
    """Give the power of ten that each word or letter of a compact number stands for: "Mio." is 6."""
    found: dict[str, int] = {}
    for width in ("short", "long"):
        for patterns in locale.compact_decimal_formats.get(width, {}).values():
            for size, pattern in patterns.items():
                text = str(getattr(pattern, "pattern", pattern)).replace("'", "")
                digits = len(re.findall(r"0", text))
                name = fold(text.replace("0", ""))
                if name and not name.isdigit():
                    found[name] = len(size) - digits
    return found


def by_meaning(found: dict[str, list[str]]) -> dict[str, str]:
    """Give for each meaning its spellings in one text: JSON reads that faster than a table of all spellings."""
    turned: dict[str, list[str]] = defaultdict(list)
    for name, meanings in found.items():
        for meaning in meanings:
            turned[meaning].append(name)
    return {meaning: "|".join(names) for meaning, names in turned.items()}


def units(locales: Any) -> dict[str, list[str]]:
    """Give the units that each spelling may stand for."""
    found: dict[str, set[str]] = defaultdict(set)
    for locale in locales:
        for unit in UNITS:
            for width in ("long", "short"):
                for pattern in _plurals(locale._data["unit_patterns"].get(unit, {}).get(width, {})):
                    name = fold(_PLACE.sub("", pattern))
                    if name:
                        found[name].add(unit.partition("-")[2])
    return {name: sorted(names) for name, names in sorted(found.items())}


def _plurals(patterns: Any) -> Iterator[str]:
    for form, pattern in patterns.items():
        if form in ("zero", "one", "two", "few", "many", "other") and isinstance(pattern, str):
            yield pattern
        elif hasattr(pattern, "items"):
            yield from _plurals(pattern)


def currency_signs() -> dict[str, list[str]]:
    """Give the currencies that each sign stands for somewhere: "$" is the sign of twenty."""
    current = {
        code
        for territory in get_global("territory_currencies").values()
        for code, _, end, tender in territory
        if end is None and tender
    }
    found: dict[str, set[str]] = defaultdict(set)
    for name in localedata.locale_identifiers():
        for code, sign in Locale.parse(name).currency_symbols.items():
            plain = sign.replace("\u200f", "").replace("\u200e", "").replace("\u00a0", " ").strip(" .")
            is_sign = plain not in ("", code, "¤", "\u200b") and len(plain) <= 6 and not any(map(str.isdigit, plain))
            if is_sign and code in current:
                found[plain.casefold()].add(code)
    return {sign: sorted(codes) for sign, codes in sorted(found.items())}


def currency_names(locales: Any) -> dict[str, list[str]]:
    """Give the currencies that each name stands for."""
    found: dict[str, set[str]] = defaultdict(set)
    for locale in locales:
        for code in CURRENCIES:
            names = {*dict(locale._data["currency_names_plural"].get(code, {})).values(), locale.currencies.get(code)}
            for name in filter(None, names):
                found[fold(name)].add(code)
    return {name: sorted(codes) for name, codes in sorted(found.items())}


def currency_digits() -> dict[str, int]:
    """Give how many decimals amounts have, for currencies that have none, or other than two."""
    fractions: Any = get_global("currency_fractions")
    return {code: digits for code, (digits, *_) in sorted(fractions.items()) if code != "DEFAULT" and digits != 2}


if __name__ == "__main__":
    main()
