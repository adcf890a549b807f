"""Find where a text states a value of a field."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import merge

from gleaner.contracts.ports import JsonValue
from gleaner.judging.code_names import asked_code, places_of_code
from gleaner.judging.flags import name_of
from gleaner.schemas.leaves import Leaf
from gleaner.values import locales
from gleaner.values.text import fold
from gleaner.values.texts.text_index import Match, TextIndex, start_of

_MOST_WORDS = 6
_LEAST_OF_WORD = 3
_CODE = re.compile(r"[^\W\d_][\w-]*")
_NAME_WORD = re.compile(r"[^\W\d_][^\d_]*")
_AND = r"and|und|et|y|e|en|och|og|i"
_OPENS = re.compile(
    rf"(?:\A|[|\n#>:：;,(/&·•–—]|(?<![^\W_])(?:by|von|par|de|di|door|av|af|por|{_AND}))[\s*_`\"[-]*\Z", re.IGNORECASE
)
_CLOSES = re.compile(rf"[\s*_`\"]*(?:\Z|[|\n:：;,.()/&·•–—\]]|(?:{_AND})(?![^\W_]))", re.IGNORECASE)
_REACH = 12
_GONE = locales.words("sold_out_names") - {"out"}


def places_of(leaf: Leaf, value: JsonValue, index: TextIndex) -> Sequence[Match]:
    """Give the places that would state a value of a leaf: "In stock" says no to ``sold_out``, "Germany" DE."""
    if isinstance(value, str):
        asked = asked_code(leaf, value)
        if asked and (named := places_of_code(*asked, value, index)):
            return named
        if asked and len(value) < _LEAST_OF_WORD:
            return ()  # two letters are a word of some language: "it", "no"
        found = index.find(value) or _by_letters(leaf, value, index) or _turned_name(value, index)
        return [*merge(found, _by_initial(leaf, value, index), key=start_of)]
    found = index.find(value)
    if not asks_whether_gone(leaf):
        return found
    turned = (match for match in index.find(not value) if _is_of_stock(index.text[match.start : match.end]))
    plain = (match for match in found if not _is_of_stock(index.text[match.start : match.end]))
    return [*merge(plain, turned, key=start_of)]


def _by_letters(leaf: Leaf, value: str, index: TextIndex) -> Sequence[Match]:
    """Give where a text says a choice that the schema writes as a code: "Sold out" is ``sold_out``."""
    return index.find_letters(value) if leaf.choices and _CODE.fullmatch(value) else ()


def _by_initial(leaf: Leaf, value: str, index: TextIndex) -> Sequence[Match]:
    """Give where a letter says a choice, as no other one begins with it: "W" and "L" are a win and a loss."""
    initials = [choice[:1].casefold() for choice in leaf.choices if isinstance(choice, str) and len(choice) > 1]
    return index.find_initial(value) if len(initials) > 1 and initials.count(value[:1].casefold()) == 1 else ()


def _turned_name(value: str, index: TextIndex) -> Sequence[Match]:
    """Give where a person's name stands with the last name first, as a text of its own: "Roe, Anna" is Anna Roe."""
    words = value.split()
    if not 1 < len(words) <= _MOST_WORDS or not all(map(_NAME_WORD.fullmatch, words)):
        return ()
    if not (words[0][0].isupper() and words[-1][0].isupper()):
        return ()
    ways = (f"{' '.join(words[at:])}, {' '.join(words[:at])}" for at in range(1, len(words)))
    found = (match for way in ways for match in index.find(way.replace(",,", ",")))
    alone = (match for match in found if _is_alone(match, index.text))
    return sorted((replace(match, status="normalized", transform="name_order") for match in alone), key=start_of)


def _is_alone(match: Match, text: str) -> bool:
    before = text[max(0, match.start - _REACH) : match.start]
    if "," not in text[match.start : match.end]:
        return False
    return _OPENS.search(before) is not None and _CLOSES.match(text, match.end) is not None


def asks_whether_gone(leaf: Leaf) -> bool:
    """Tell whether a flag is true for what can't be had: ``sold_out``, ``is_unavailable``."""
    name = name_of(leaf) if leaf.field and isinstance(leaf.value, bool) else ""
    return "out of" in name or not _GONE.isdisjoint(name.split())


@lru_cache(maxsize=1024)
def _is_of_stock(text: str) -> bool:
    said = fold(text)
    return said in locales.words("in_stock") or said in locales.words("out_of_stock")
