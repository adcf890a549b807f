"""The words of a name: one reading for fields, column heads, labels and keys of data, in any language."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from gleaner.contracts.json_text import packaged

Words = tuple[str, ...]

_CAMEL = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])")
_TOKEN = re.compile(r"[^\W_](?:[^\W_]|[\u0900-\u0d7f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0591-\u05c7\u064b-\u065f])*")
"""A word with the signs that are no letters in Unicode: vowels of Hindi and Thai, points of Hebrew and Arabic."""

_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_MARKS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that names of fields write without their marks, and that Unicode does not take apart."""

_SHORTEST_PLURAL = 4


def split_name(name: str) -> list[str]:
    """Give the words of a name as they are written.

    >>> split_name("weightKg"), split_name("total_IDs"), split_name("pdfURL (new)")
    (['weight', 'Kg'], ['total', 'IDs'], ['pdf', 'URL', 'new'])
    """
    return _TOKEN.findall(_CAMEL.sub(" ", name))


@lru_cache(maxsize=8192)
def name_words(name: str) -> Words:
    """Give the words of a name in small letters.

    >>> name_words("weightKg"), name_words("weight_kg"), name_words("Weight (kg)")
    (('weight', 'kg'), ('weight', 'kg'), ('weight', 'kg'))
    """
    return tuple(map(str.casefold, split_name(name)))


@lru_cache(maxsize=8192)
def words_of(text: str) -> Words:
    """Give the words of a name in small letters and in the singular, abbreviations spelled out.

    >>> words_of("releaseDate"), words_of("Release dates:"), words_of("release_date")
    (('release', 'date'), ('release', 'date'), ('release', 'date'))
    """
    words = map(singular, name_words(unicodedata.normalize("NFKC", text).replace("№", "No")))
    return tuple(long for word in words for long in _abbreviations().get(word, (word,)))


def singular(word: str) -> str:
    """Give the word without an English plural's ending; both sides of a comparison go through it.

    >>> [singular(word) for word in ("reviews", "countries", "boxes", "address")]
    ['review', 'country', 'box', 'address']
    """
    if len(word) < _SHORTEST_PLURAL or word.endswith(("ss", "us", "is", "ís", "ús")):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    return word.removesuffix("s")


def without_marks(text: str) -> str:
    """Give a text with plain letters for those with accents and strokes: "Größe" as "Große", "Łódź" as "Lodz"."""
    return _MARKS.sub("", unicodedata.normalize("NFD", text)).translate(_LETTERS)


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
    return frozenset(
        form for spelled in spellings for form in ("".join(spelled), " ".join(sorted(telling_words(spelled))))
    )


def telling_words(words: Words) -> Words:
    """Give words without those that only link others; all where there is no other."""
    return tuple(word for word in words if word not in listed("linking")) or words


def _without_accents(words: Words, umlaut: str) -> Words:
    """Give the words without accents; an umlaut becomes an "e" behind its vowel where ``umlaut`` says so."""
    apart = (unicodedata.normalize("NFD", word.replace("ß", "ss")) for word in words)
    return tuple(_MARKS.sub("", word.replace("\u0308", umlaut)).translate(_LETTERS) for word in apart)


def without_brackets(text: str) -> str:
    """Give a label without what it adds in brackets, such as a unit."""
    return _BRACKETS.sub(" ", text).strip()


def same_names(text: str) -> frozenset[str]:
    """Give the forms of the names that mean the same in any table or data (``data/field_names.json``)."""
    return _groups().get("".join(words_of(text)), frozenset())


def schema_org_paths(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Give where schema.org keeps what goes by one of these names, likeliest first.

    >>> schema_org_paths(["currency"])
    [('priceCurrency',), ('offers', 'priceCurrency'), ('offers', 'priceSpecification', 'priceCurrency')]
    """
    paths = [path for name in names for path in _paths().get("".join(words_of(name)), ())]
    return [tuple(path.split(".")) for path in dict.fromkeys(paths)]


@cache
def listed(name: str) -> frozenset[str]:
    """Give one of the lists of ``data/field_names.json``: ``prices`` and ``quantities`` are keys of schema.org."""
    stored = _tables()[name]
    return frozenset(stored if isinstance(stored, list) else (word for words in stored.values() for word in words))


@cache
def roles_of(name: str) -> frozenset[str]:
    """Give what the words of a field's name say that it is: "year", "country", "rating" (``data/field_roles.json``).

    A role's words are of any language. "last" ones have to end the name, "whole" ones to be all of it.

    >>> sorted(roles_of("yearFounded")), sorted(roles_of("image_url")), sorted(roles_of("name"))
    (['year'], ['link'], ['name'])
    """
    words = name_words(without_marks(name))
    return frozenset(
        role
        for place, said in (("any", words), ("last", words[-1:]), ("whole", ("".join(words),)))
        for word in said
        for role in _roles()[place].get(word, ())
    )


@cache
def _roles() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Give the roles by word, for words at any place of a name, at its end, and for whole names."""
    found: dict[str, dict[str, list[str]]] = {"any": {}, "last": {}, "whole": {}}
    for role, entry in packaged("field_roles").items():
        for words in entry["words"].values():
            for word in words:
                found[entry["where"]].setdefault(without_marks(word.casefold()), []).append(role)
    return found


@cache
def _tables() -> dict[str, Any]:
    return packaged("field_names")


@cache
def _abbreviations() -> dict[str, Words]:
    tables = _tables()["abbreviations"].values()
    return {short: tuple(long.split()) for table in tables for short, long in table.items()}


@cache
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for groups in _tables()["same"].values():
        for group in groups:
            together = frozenset(form for name in group for form in forms(name))
            found.update({"".join(words_of(name)): together for name in group})
    return found


@cache
def _paths() -> dict[str, Sequence[str]]:
    return {"".join(words_of(name)): paths for name, paths in _tables()["schema_org"].items()}
