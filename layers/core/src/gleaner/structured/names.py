"""When two names mean the same: one normalisation for fields, headers, labels and keys of data."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from gleaner.contracts.json_text import packaged

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TOKEN = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_ACCENTS = re.compile("[\u0300-\u036f]")
_SHORTEST_PLURAL = 4

Words = tuple[str, ...]


@cache
def _tables() -> dict[str, Any]:
    return packaged("field_names")


@cache
def _abbreviations() -> dict[str, Words]:
    tables = _tables()["abbreviations"].values()
    return {short: tuple(long.split()) for table in tables for short, long in table.items()}


@cache
def _linking() -> frozenset[str]:
    return frozenset(word for words in _tables()["linking"].values() for word in words)


@lru_cache(maxsize=8192)
def words_of(text: str) -> Words:
    """Give the words of a name in any case and number, abbreviations spelled out.

    >>> words_of("releaseDate"), words_of("Release dates:"), words_of("release_date")
    (('release', 'date'), ('release', 'date'), ('release', 'date'))
    """
    spaced = _CAMEL.sub(" ", unicodedata.normalize("NFKC", text).replace("№", "No"))
    words = (singular(word) for word in _TOKEN.findall(spaced.casefold()))
    return tuple(long for word in words for long in _abbreviations().get(word, (word,)))


def singular(word: str) -> str:
    """Give the word without an English plural's ending; both sides of a comparison go through it."""
    if len(word) < _SHORTEST_PLURAL or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    return word.removesuffix("s")


@lru_cache(maxsize=8192)
def forms(text: str) -> frozenset[str]:
    """Give the forms in which a name is compared: its words as one, and in any order without those that link them.

    >>> bool(forms("e-mail") & forms("email")), bool(forms("birthDate") & forms("Date of birth"))
    (True, True)
    >>> bool(forms("Größe") & forms("groesse")), bool(forms("#") & forms("C#"))
    (True, False)
    """
    words = words_of(text)
    if not words:
        sign = "".join(text.split()).casefold()
        return frozenset([sign] if sign else [])
    spellings = {words, _without_accents(words, ""), _without_accents(words, "e")}
    found: set[str] = set()
    for spelled in spellings:
        bare = [word for word in spelled if word not in _linking()] or list(spelled)
        found |= {"".join(spelled), " ".join(sorted(bare))}
    return frozenset(found)


def _without_accents(words: Words, umlaut: str) -> Words:
    """Give the words without accents; an umlaut becomes an "e" behind its vowel where ``umlaut`` says so."""
    plain = (
        unicodedata.normalize("NFD", word.replace("ß", "ss").replace("ł", "l").replace("ø", "o")) for word in words
    )
    return tuple(_ACCENTS.sub("", word.replace("\u0308", umlaut)) for word in plain)


def without_brackets(text: str) -> str:
    """Give a label without what it adds in brackets, such as a unit."""
    return _BRACKETS.sub(" ", text).strip()


def same_names(text: str) -> frozenset[str]:
    """Give the forms of the names that mean the same in any table or data (``data/field_names.json``)."""
    return _groups().get("".join(words_of(text)), frozenset())


@cache
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for groups in _tables()["same"].values():
        for group in groups:
            together = frozenset(form for name in group for form in forms(name))
            found.update({"".join(words_of(name)): together for name in group})
    return found


def schema_org_paths(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Give where schema.org keeps what goes by one of these names, likeliest first.

    >>> schema_org_paths(["currency"])
    [('priceCurrency',), ('offers', 'priceCurrency'), ('offers', 'priceSpecification', 'priceCurrency')]
    """
    paths = [path for name in names for path in _paths().get("".join(words_of(name)), ())]
    return [tuple(path.split(".")) for path in dict.fromkeys(paths)]


@cache
def _paths() -> dict[str, Sequence[str]]:
    return {"".join(words_of(name)): paths for name, paths in _tables()["schema_org"].items()}


@cache
def listed(name: str) -> frozenset[str]:
    """Give one of the lists of ``data/field_names.json``: ``prices`` and ``quantities`` are keys of schema.org."""
    stored = _tables()[name]
    return frozenset(stored if isinstance(stored, list) else (word for words in stored.values() for word in words))
