"""Numbers as words before what they count: "three bedrooms" says 3 of ``bedrooms``, "two" alone says nothing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gleaner.contracts.word_lists import listed, words_in
from gleaner.judging.amounts.nearby_words import with_english, words_beside
from gleaner.judging.flags import fills_a_part
from gleaner.schemas.leaves import Leaf
from gleaner.values import locales
from gleaner.values.mentions.number_words import compound_of, value_of_word, words_that_count
from gleaner.values.names import name_words
from gleaner.values.texts.spellings import label_words
from gleaner.values.texts.text_index import Match, TextIndex, start_of

_QUIET = listed("number num count total no of amount")
_TWO = 2
_NONE, _FREE = words_in("answer_words", "nothing_of"), words_in("answer_words", "free")
_COSTS = listed(
    "price cost costs fee fees charge charges rate shipping delivery postage admission entry entrance ticket"
)
_ENTRY = sorted(words_in("answer_words", "free_entry"))
"""What says that it costs nothing to come in."""

_OF_ENTRY = listed("price cost fee admission entry entrance ticket")
_LONGEST_WORD = 40
_JOINED = re.compile(r"(?<![^\W_])(?:twen|thir|for|fif|six|seven|eigh|nine)ty[-\u2010\u2011]\Z", re.IGNORECASE)
_JOINS = re.compile(r"[-\u2010\u2011]([^\W\d_]+)")
_LEAST_STEM = 4
_LONGEST_ENDING = 3
_NEAR = 2


def find_counted_words(leaf: Leaf, value: float, index: TextIndex) -> list[Match]:
    """Give where a word for a number stands right before a word of its field's name, in a language or in English."""
    if not isinstance(value, int) or leaf.field[-1:] in ((), ("*",)):
        return []
    if value == 0:
        return _nothing(leaf, index)
    names = _counted(leaf)
    said = filter(None, (*words_that_count(value), compound_of(value)))
    found = [match for word in said for match in index.find(word) if _counts(match, names, index)]
    duals = (word for word, name in locales.meanings("duals").items() if value == _TWO and name in names)
    found += [match for word in duals for match in index.find(word)]
    return _as_number_words(found)


def _counted(leaf: Leaf) -> list[str]:
    """Give the words of what a field counts or prices."""
    return [word for word in label_words(leaf.name) if word not in _QUIET]


def _as_number_words(found: Iterable[Match]) -> list[Match]:
    return [replace(match, status="normalized", transform="number_word") for match in sorted(found, key=start_of)]


def _nothing(leaf: Leaf, index: TextIndex) -> list[Match]:
    """Give where a word says that there is none of what a field counts, or that what it prices is free."""
    names = _counted(leaf)
    words = [*_NONE, *(() if _COSTS.isdisjoint(names) else _FREE)]
    found = [match for word in words for match in index.find(word) if _leads_to_name(match, leaf, index)]
    if not _OF_ENTRY.isdisjoint(names) and _COSTS.issuperset(names):
        stated = (match for phrase in _ENTRY for match in index.find(phrase))
        found += [match for match in stated if fills_a_part(index.text, match.start, match.end)]
    return _as_number_words(found)


def is_none_of_another(leaf: Leaf, match: Match, index: TextIndex) -> bool:
    """Tell whether a word for zero leads to another thing than the field counts: "No reply information"."""
    if not match.weak or leaf.value != 0 or leaf.field[-1:] in ((), ("*",)):
        return False
    is_word = index.text[match.start : match.end].casefold() in _NONE
    leads_on = is_word and bool(words_beside(index.text, (match.start, match.end))[1])
    return leads_on and not _leads_to_name(match, leaf, index)


def _leads_to_name(match: Match, leaf: Leaf, index: TextIndex) -> bool:
    """Tell whether what there is none of is what a field counts: "No replies yet", but not "No reply information"."""
    behind = words_beside(index.text, (match.start, match.end))[1]
    is_named = any(_is_form(word, name) for word in with_english(behind[:1]) for name in _counted(leaf))
    written = name_words(index.text[match.end : match.end + _LONGEST_WORD])[:1]
    return is_named and (len(behind) < _NEAR or not set(written).isdisjoint(name_words(leaf.name)))


def _counts(match: Match, names: Sequence[str], index: TextIndex) -> bool:
    if _JOINED.search(index.text[max(0, match.start - _LONGEST_WORD) : match.start]) or _joins(index.text, match.end):
        return False  # the "one" of "twenty-one rooms"
    behind = words_beside(index.text, (match.start, match.end))[1][:_NEAR]
    return any(_is_form(word, name) for word in with_english(behind) for name in names)


def _joins(text: str, end: int) -> bool:
    found = _JOINS.match(text, end, end + _LONGEST_WORD)
    return found is not None and value_of_word(found[1]) > 0


def _is_form(one: str, other: str) -> bool:
    """Tell whether two words have one stem: "chambre" and "chambres", "спальни" and "спальнями"."""
    shared = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    length = min(len(one), len(other)) if shared is None else shared
    return one == other or (length >= _LEAST_STEM and max(len(one), len(other)) - length <= _LONGEST_ENDING)
