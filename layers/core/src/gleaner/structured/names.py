"""When two names mean the same: spellings, usual abbreviations, word order, and the few plain synonyms."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from unicodedata import normalize

from gleaner.contracts.word_lists import listed
from gleaner.structured.labels import Words, words_of

_SHORTENED = """
qty: quantity
num nr nbr: number
avg: average
max: maximum
min: minimum
temp: temperature
pop: population
dept: department
desc descr: description
ref: reference
addr: address
yr: year
amt: amount
pct percentage: percent
lat: latitude
lon lng: longitude
org organisation: organization
mfr mfg: manufacturer
wt: weight
elev: elevation
pt pts: point
tel: telephone
dob: birth date
isbn13: isbn 13
colour: color
grey: gray
licence: license
catalogue: catalog
programme: program
centre: center
theatre: theater
metre: meter
litre: liter
tyre: tire
labour: labor
favourite: favorite
harbour: harbor
id identifier: id
"""
"""Usual abbreviations in English tables, and British spellings: each stands for the words after the colon."""

_SAME = """
telephone: phone, telephone number, phone number, phone no, tel no, telephone no
email: e mail, email address, e mail address
postcode: postal code, zip code, zip, post code, zip postal code
website: web site, web page, web address, website url, website address, homepage, home page
last name: surname, family name
first name: forename, given name
birth date: birthday, date born, born date
serial number: serial no
model number: model no
product code: item code, article code
sku: sku code, sku number, sku no
isbn: isbn number, isbn no
image: image url, photo, picture
"""
"""Names that say the same of any thing that has them; the first of a line stands for the others."""

_LINKING = listed("of the a an de du des del della di der von")
_MARKS = re.compile("[\u0300-\u036f]")
_PLAIN_LETTERS = MappingProxyType({"ł": "l", "đ": "d", "ı": "i", "ø": "o", "æ": "ae", "œ": "oe", "ß": "ss"})
"""Letters that have no mark to take away."""
_LETTERS = MappingProxyType({**_PLAIN_LETTERS, "ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_COUNTING = (("number", "of"), ("no", "of"), ("count", "of"), ("total", "number", "of"), ("total", "no", "of"))
_BORN_OR_MADE = """
released release
published publication publish
posted posting post
opened opening open
updated update
founded founding
created creation
started starting start
ended ending end
"""
_EVENTS = {words_of(each)[0]: line.split()[0] for line in _BORN_OR_MADE.strip().splitlines() for each in line.split()}
_DATING = listed("date at on day datetime timestamp")


def _shortened() -> dict[str, Words]:
    pairs = (line.split(":") for line in _SHORTENED.strip().splitlines())
    return {words_of(short)[0]: words_of(long) for shorts, long in pairs for short in shorts.split()}


_LONG = _shortened()


@lru_cache(maxsize=8192)
def spelled_out(words: Words) -> Words:
    """Give the words without abbreviations, in one spelling, a count as "... count".

    >>> spelled_out(("qty",)), spelled_out(("number", "of", "page")), spelled_out(("num", "page"))
    (('quantity',), ('page', 'count'), ('page', 'count'))
    """
    for head in _COUNTING:
        if words[: len(head)] == head and len(words) > len(head):
            words = (*words[len(head) :], "count")
    if words[:1] in (("num",), ("nb",), ("n",)) and len(words) > 1:
        words = (*words[1:], "count")
    if words[-1:] == ("no",):
        words = (*words[:-1], "number")
    return tuple(long for word in words for long in _LONG.get(word, (word,)))


@lru_cache(maxsize=8192)
def meanings(words: Words) -> frozenset[str]:
    """Give the forms in which names are compared: written as one word, and as a set of words ("date of birth").

    >>> meanings(("e", "mail")) & meanings(("email", "address")) != frozenset()
    True
    """
    long = spelled_out(words)
    bare = tuple(word for word in long if word not in _LINKING)
    if not bare:
        return frozenset()
    same = _STANDS_FOR.get("".join(bare))
    return _forms(bare) | (_forms(same) if same else frozenset())


def _forms(words: Words) -> frozenset[str]:
    spellings = (
        [words]
        if all(map(str.isascii, words))
        else [words, _without_marks(words, _PLAIN_LETTERS), _without_marks(words, _LETTERS)]
    )
    return frozenset(form for each in spellings for form in ("".join(each), " ".join(sorted(each))))


def _without_marks(words: Words, letters: Mapping[str, str]) -> Words:
    """Give the words as names in code are written: "linea" for "línea", "groesse" (by ``letters``) for "größe"."""
    spelled = ("".join(letters.get(each, each) for each in word) for word in words)
    return tuple(_MARKS.sub("", normalize("NFD", word)) for word in spelled)


def _stands_for() -> dict[str, Words]:
    found: dict[str, Words] = {}
    for line in _SAME.strip().splitlines():
        first, _, others = line.partition(":")
        for each in (first, *others.split(",")):
            found["".join(spelled_out(words_of(each)))] = spelled_out(words_of(first))
    return found


_STANDS_FOR = _stands_for()


def mean_the_same(one: Words, other: Words) -> bool:
    """Tell whether two names mean the same.

    >>> mean_the_same(("birth", "date"), ("date", "of", "birth")), mean_the_same(("page", "number"), ("page", "count"))
    (True, False)
    """
    return not meanings(one).isdisjoint(meanings(other))


def name_one_event(one: str, other: str) -> bool:
    """Tell whether two words speak of one event: "publication" and "published"."""
    return one in _EVENTS and _EVENTS[one] == _EVENTS.get(other)


def name_one_date(one: Words, other: Words) -> bool:
    """Tell whether two names of dates mean the same day: "published_at" and "Publication date"."""
    return bool(_event(one)) and _event(one) == _event(other)


def _event(words: Words) -> frozenset[str]:
    bare = (word for word in words if word not in _DATING and word not in _LINKING)
    return frozenset(_EVENTS.get(word, word) for word in bare)
