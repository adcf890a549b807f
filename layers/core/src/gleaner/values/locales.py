"""What languages call months, units and currencies: CLDR's data, and our own tables for what it lacks.

``data/locales.json`` is CLDR, reduced by ``scripts/write_locale_data.py``; ``data/units.json`` and
``data/value_words.json`` are ours, each entry under its language. All load in a few milliseconds, once.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from unicodedata import category

from gleaner.contracts.json_text import packaged
from gleaner.values.lookups import grouped
from gleaner.values.text import fold, without_accents

_BY_SPEAKERS = (
    *("en", "zh", "hi", "es", "ar", "fr", "bn", "pt", "ru", "id", "de", "ja", "tr", "vi", "ko", "it", "fa", "th", "pl"),
    *("uk", "nl", "ro", "el", "hu", "cs", "sv", "he", "da", "fi", "nb", "sk", "bg", "sr", "hr"),
)
"""Of two languages that disagree about a name, the one with more speakers is believed where no language is known."""


_TOO_SHORT = 2


_table = cache(packaged)


@cache
def words(name: str) -> frozenset[str]:
    """Give the words of one of our lists in all languages, folded.

    >>> "ausverkauft" in words("out_of_stock")
    True
    """
    return frozenset(fold(word) for listed in _table("value_words")[name].values() for word in listed)


@cache
def month_numbers(language: str = "") -> Mapping[str, int]:
    """Give the number of each name of a month, folded, with and without accents; the language's own names go first.

    >>> month_numbers()["marzo"], month_numbers("hr")["listopada"], month_numbers("pl")["listopada"]
    (3, 10, 11)
    """
    found: dict[str, int] = {}
    for _, name, number in _entries("months", language):
        for spelled in (name, without_accents(name)):
            found.setdefault(spelled, number)
    return found


def _entries(table: str, language: str) -> Iterator[tuple[str, str, int]]:
    """Give the entries of a table of CLDR's and ours: language, word, what it means; those of a language go first."""
    named = {one: dict(words) for one, words in _table("locales")[table].items()}
    for one, words in _table("value_words")[table].items():
        named.setdefault(one, {}).update(words)
    known = dict.fromkeys([language.split("-", maxsplit=1)[0].split("_", maxsplit=1)[0].lower(), *_BY_SPEAKERS])
    ranks = {one: at for at, one in enumerate(known)}
    for one in sorted(named, key=lambda one: (ranks.get(one.split("_")[0], len(ranks)), one)):
        yield from ((one, word, meant) for word, meant in named[one].items())


@cache
def weekdays() -> frozenset[str]:
    """Give the names of the days of the week in all languages, with and without accents."""
    lists = [*_table("locales")["weekdays"].values(), *_table("value_words")["weekdays"].values()]
    return frozenset(spelled for names in lists for name in names for spelled in (name, without_accents(name)))


@cache
def weekday_numbers() -> Mapping[str, frozenset[int]]:
    """Give which days of the week, from Monday as 0, each name stands for in some language, with and without accents.

    >>> sorted(weekday_numbers()["montag"])
    [0]
    """
    named = (
        (name.casefold(), at) for at, names in enumerate(_table("code_names")["weekdays"].values()) for name in names
    )
    found = grouped((spelled, at) for name, at in named for spelled in (name, without_accents(name)))
    return {name: frozenset(numbers) for name, numbers in found.items()}


@cache
def date_links() -> frozenset[str]:
    """Give the words that stand between the parts of a date: "de", "of"."""
    lists = [*_table("locales")["links"].values(), *_table("value_words")["date_links"].values()]
    return frozenset(without_accents(word) for listed in lists for word in listed)


@cache
def half_days() -> Mapping[str, int]:
    """Give by how many hours the signs for before and after noon move an hour, without stops and blanks."""
    periods = _table("locales")["periods"].values()
    return {"".join(name.replace(".", "").split()): hours for table in periods for name, hours in table.items()}


@cache
def scales(language: str = "") -> Mapping[str, int]:
    """Give the power of ten of each word or letter for thousands and more; letters in English and the language only.

    >>> scales()["mio"], scales()["万"], scales("de")["billion"], scales("en")["billion"]
    (6, 4, 12, 9)
    """
    found: dict[str, int] = {}
    for one, name, power in _entries("scales", language):
        is_spoken = one in ("en", language.partition("-")[0].lower())
        if is_spoken or len(name) > 1 or name.casefold() == name.upper():
            found.setdefault(name, power)
    return {name: power for name, power in found.items() if power}


@cache
def meanings(name: str) -> Mapping[str, Any]:
    """Give the words of one of our tables in all languages, each with what it stands for: a power, seconds, hours."""
    return {word: meant for table in _table("value_words")[name].values() for word, meant in table.items()}


@cache
def english_units() -> frozenset[str]:
    """Give the spellings of units in English and in no language: "time" is an hour in Danish alone."""
    own, cldr = _table("units")["spellings"], _table("locales")["units_in_english"].values()
    return frozenset([*own[""], *own["en"], *(name for spellings in cldr for name in spellings.split("|"))])


@cache
def units() -> Mapping[str, tuple[str, ...]]:
    """Give the units that each spelling may stand for, folded: "m" is metres, and months in some languages."""
    found: dict[str, list[str]] = {}
    for language, spelled in _table("units")["spellings"].items():
        for name, unit in spelled.items():
            listed = found.setdefault(name, [])
            if unit not in listed and (not language or not listed or language == "en"):
                listed.append(unit)
    own = frozenset(found)
    for unit, spellings in _table("locales")["units"].items():
        for name in spellings.split("|"):
            if name not in own and unit not in (listed := found.setdefault(name, [])):
                listed.append(unit)
    return {name: tuple(listed) for name, listed in found.items()}


@cache
def time_words() -> Mapping[str, str]:
    """Give the words for units of time that may stand behind a figure, from seconds to years; "m" is minutes there.

    Two letters of other languages than English may be anything; those of other scripts are none of ours.

    >>> time_words()["stunden"], time_words()["m"], time_words()["分"], "sa" in time_words()
    ('hour', 'minute', 'minute', False)
    """
    of_time = {*_table("units")["factors"]["duration"], *_table("units")["factors"]["calendar"]}
    doubtful = unit_words("doubtful")
    return {"m": "minute"} | {
        word: named[0]
        for word, named in units().items()
        if named[0] in of_time
        and word not in doubtful
        and " " not in word
        and (len(word) > _TOO_SHORT or word in english_units() or not word.isascii())
    }


@cache
def own_units() -> Mapping[str, str]:
    """Give the spellings of our own table, of three letters and more, each with its unit."""
    tables = _table("units")["spellings"].values()
    return {name: unit for table in tables for name, unit in table.items() if len(name) > _TOO_SHORT}


@cache
def unit_words(name: str) -> frozenset[str]:
    """Give the words of one of our lists about units, in all languages."""
    return frozenset(word for listed in _table("units")[name].values() for word in listed)


@cache
def binary_ratios() -> Mapping[str, Mapping[str, int]]:
    """Give how many of a smaller unit of data a unit holds where people count in powers of two."""
    return _table("units")["binary"]


@cache
def units_beside() -> Mapping[str, str]:
    """Give the words that name a unit before its number or behind it: "EU 42", "42 EU"."""
    return {word: unit for table in _table("units")["beside"].values() for word, unit in table.items()}


@cache
def dimensions() -> Mapping[str, str]:
    """Give the dimension of each unit that has others beside it."""
    return {unit: dimension for dimension, table in _table("units")["factors"].items() for unit in table}


@cache
def factors() -> Mapping[str, tuple[str, float]]:
    """Give the dimension of each unit, and how many of the dimension's basic unit it holds.

    Units that are no multiples of each other, as temperatures and sizes of shoes are, have no number and are left out.
    """
    tables = _table("units")["factors"].items()
    return {unit: (kind, factor) for kind, table in tables for unit, factor in table.items() if factor is not None}


@cache
def currencies() -> Mapping[str, frozenset[str]]:
    """Give the currencies that a sign, a code or a name may stand for, folded.

    >>> sorted(currencies()["kr"]), sorted(currencies()["€"]), sorted(currencies()["eur"])
    (['DKK', 'ISK', 'NOK', 'SEK'], ['EUR'], ['EUR'])
    """
    cldr = _table("locales")
    signs = (
        (fold(sign), code)
        for sign, codes in cldr["currency_signs"].items()
        if not (sign.isascii() and sign.isalpha() and len(sign) <= _TOO_SHORT)  # "km", "k" and "g" are other things
        for code in codes
    )
    names = ((name, code) for code, names in cldr["currency_names"].items() for name in names.split("|"))
    found = grouped((*signs, *names, *((fold(sign), code) for sign, code in _own_signs())))
    known = {code for codes in found.values() for code in codes} | set(cldr["currency_digits"])
    return {sign: frozenset(codes) for sign, codes in found.items()} | {
        code.lower(): frozenset([code]) for code in known
    }


def _own_signs() -> Iterator[tuple[str, str]]:
    """Give the signs and words for money of our table, each with each currency that it may mean."""
    tables = _table("value_words")["currency_signs"].values()
    return ((sign, code) for table in tables for sign, codes in table.items() for code in codes)


@cache
def main_currencies() -> frozenset[str]:
    """Give the codes that names and pages also write in small letters: "try" and "gel" may be other words."""
    return words("currency_codes") - words("doubtful_currencies")


@cache
def sure_currencies() -> Mapping[str, frozenset[str]]:
    """Give those of ``marks_of_money`` that can stand for nothing but money."""
    doubtful = words("doubtful_currencies") | (units().keys() - words("currency_codes"))
    return {sign: codes for sign, codes in marks_of_money().items() if sign not in doubtful}


@cache
def marks_of_money() -> Mapping[str, frozenset[str]]:
    """Give the signs, codes and words that stand at amounts, in small letters, with the currencies that each may mean.

    >>> sorted(marks_of_money()["kr"]), sorted(marks_of_money()["usd"])
    (['DKK', 'ISK', 'NOK', 'SEK'], ['USD'])
    """
    named = ((code, code.upper()) for code in words("currency_codes"))
    signs = (
        (sign, code)
        for sign, codes in _table("locales")["currency_signs"].items()
        if any(category(letter) == "Sc" for letter in sign) or not sign.isascii()
        if " " not in sign and "\u202f" not in sign and (len(sign) > 1 or not sign.isalpha())
        for code in codes
    )
    found = grouped((sign.casefold(), code) for sign, code in (*named, *_own_signs(), *signs))
    return {sign: frozenset(codes) for sign, codes in found.items()}


@cache
def currencies_with_signs() -> frozenset[str]:
    """Give the codes of the currencies that have a sign of their own, or share one."""
    return frozenset(code for codes in marks_of_money().values() for code in codes)


@cache
def currency_digits() -> Mapping[str, int]:
    """Give how many decimals amounts have, for the currencies that have none, or other than two."""
    return _table("locales")["currency_digits"]


def decimal_mark(language: str) -> str | None:
    """Give the decimal mark of a language, "." or ","; None where CLDR's is another or the language is not known.

    >>> decimal_mark("de-AT"), decimal_mark("en"), decimal_mark("tlh")
    (',', '.', None)
    """
    marks = _table("locales")["marks"].get(language.split("-", maxsplit=1)[0].split("_", maxsplit=1)[0].lower())
    return marks[0] if marks and marks[0] in ".," else None


def day_order(language: str) -> str | None:
    """Give the order of day and month in a language and country: "dmy", "mdy" or "ymd"; None where it is not known.

    "en" alone says nothing: it is what sites of every country say.

    >>> day_order("en-US"), day_order("en-GB"), day_order("de"), day_order("en")
    ('mdy', 'dmy', 'dmy', None)
    """
    orders = _table("locales")["orders"]
    own, _, country = language.replace("-", "_").partition("_")
    if country.upper() == "US":
        return "mdy"
    if own.lower() == "en":
        return orders.get(f"en_{country.upper()}", "mdy" if country else None)
    return orders.get(f"{own.lower()}_{country.upper()}") or orders.get(own.lower())
