"""Whether the description of a field says no more than its name does: what it adds may mean something else."""

import re
from collections.abc import Sequence, Set

from gleaner.structured.fields import Field
from gleaner.structured.labels import Words, words_of
from gleaner.structured.measures import shorten_units, unit_named
from gleaner.structured.names import name_one_event, spelled_out
from gleaner.structured.readings import known_words
from gleaner.structured.vocabulary import GENERIC, THINGS

_SAYS_NOTHING = frozenset(
    words_of(
        "a an the of for in on at to as by and or with its it s this that which be is was are if each one any from "
        "full given stated shown listed displayed printed written found page row record item table column "
        "cell value number numeric amount string text integer float decimal boolean true false whether date "
        "datetime day month year yyyy mm dd iso 8601 rfc 3339 format formatted absolute url link address null none "
        "empty missing optional required e g eg ie example i when available present known otherwise without "
        "currency symbol sign unit name title label measured "
        "where when who whose has have had was were been does current single exact actual plain "
        "only digit appear appearing appeared exactly verbatim information detail info about there should must can "
        "may no not here extract extracted return returned provide human readable online site website webpage "
        "currently four unique short brief "
    )
)
_OF_FIELDS = """
area population count number point score vote seat amount: total
rating score star: rated average star out scale customer user reviewer visitor between
date start end time begin: take taking place happen event held start end begin
email e mail phone telephone: contact reach call us tel tél tlf fon t ring
location place venue: meet meeting held where ort lieu lugar luogo plaats
city country location address place town venue: located location lie situated based city town country origin
address: street postal full
capacity: seat people person guest spectator hold
author writer: person people who wrote written writer author book text word story novel posted published recipe poem
author writer: article report guide essay
author: autor auteur autore verfasser schrijver
population inhabitant: inhabitant people resident living live
capital: city
height elevation altitude: above sea level
stock available availability: available buy purchase order stock currently
quantity stock: how many item piece hand stock available left
department: works working employed belong
identifier id: unique identifier key number
sku: stock keeping unit code
rank position place: starting place position first field pitch role
description: short brief text
seller vendor merchant: sold sell offered dispatched
provider organizer organiser: offered provided organized organised run hosted host
brand manufacturer maker: brand manufacturer maker made manufactured
brand manufacturer maker: marke hersteller marque fabricant marca fabricante merk fabrikant märke
brand manufacturer maker: varumärke varemerke varemærke značka
symbol ticker: ticker
point goal: scored earned won
company employer: hiring company employer
currency: code three letter
image photo picture thumbnail: main lead cover hero
code: three two letter digit unique
voltage power frequency: nominal rated
cost fee fare rent sold bid charge: price amount paid
"""
_SHORTEST_STEM = 4
_ENDING = re.compile(r"(?:ing|ed|y)$")
_SHORTEST_QUALITY = 3
_DIGITS = re.compile(r"\d+")
_PIECES = re.compile(r"[\s,;:()\[\]]+|\.(?=\s|$)")
_EXAMPLE = re.compile(r"[(,;.]?\s*\b(?:e\.\s?g\.|eg\b|for (?:example|instance)|such as)[^)]*\)?$", re.IGNORECASE)


def _of_fields() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    lines = (line.partition(":") for line in _OF_FIELDS.strip().splitlines())
    return tuple((frozenset(words_of(names)), frozenset(words_of(added))) for names, _, added in lines)


_MEANT_ANYWAY = _of_fields()
"""By the words of names: what a description may add, since it is meant without it, too."""


def adds_nothing(field: Field, label: Words, others: Set[str], nouns: Sequence[Words], *, is_list: bool = True) -> bool:
    """Tell whether the field's description says no more than its name does.

    It may name the thing whose field it is, but for a thing that one of the ``others``, the labels beside, speaks of.
    ``nouns`` are the page's and the schema's for its records; ``is_list``: they are a table's, all alike.
    """
    is_of_anything = any(words in GENERIC for words in field.names)
    of_records = {word for noun in nouns for word in noun} - (
        others if is_of_anything and is_list else frozenset[str]()
    )
    known = {*known_words(field), *label, *of_records}
    known |= {long for word in known for long in spelled_out((word,))}
    known |= {word for names, added in _MEANT_ANYWAY if not known.isdisjoint(names) for word in added}
    things = THINGS - others if is_list or not is_of_anything else frozenset[str]()
    if is_of_anything and not THINGS.isdisjoint(word for noun in nouns for word in noun):
        things = frozenset()
    return all(is_known(word, known | things) for word in words_of(_without_units(field.description)))


def _without_units(text: str) -> str:
    said = shorten_units(_EXAMPLE.sub("", text))
    return " ".join(piece for piece in _PIECES.split(said) if not unit_named(piece))


def words_beside(field: Field) -> set[str]:
    """Give the words that go with the field's names without another meaning."""
    named = known_words(field)
    return {word for names, added in _MEANT_ANYWAY if not named.isdisjoint(names) for word in added}


def is_known(word: str, known: Set[str]) -> bool:
    """Tell whether a word is one of the known ones, of their stems or events, or says nothing."""
    if word in _SAYS_NOTHING or word in known or _DIGITS.fullmatch(word) or spelled_out((word,))[0] in known:
        return True
    return any(_is_akin(word, other) or name_one_event(word, other) for other in known)


def _is_akin(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    if long == short + "est" and len(short) >= _SHORTEST_QUALITY:
        return True
    stem = _stem(short)
    return len(short) >= _SHORTEST_STEM and (long.startswith(short) or (stem != short and long.startswith(stem)))


def _stem(word: str) -> str:
    """Give the word without the ending that makes it a noun or a participle: "discovery", "discovered"."""
    bare = _ENDING.sub("", word)
    return bare if len(bare) > _SHORTEST_STEM else word
