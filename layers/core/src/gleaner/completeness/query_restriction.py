"""Decide whether a query asks for only some of the page's records (EX-6)."""

import re
from itertools import takewhile
from typing import Any

from gleaner.contracts.word_lists import any_word, words_in
from gleaner.page.blocks import blocks_of
from gleaner.schemas import declared_properties, record_path
from gleaner.values.names import name_words, singular

_VOWEL_SIGNS = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0980-\u0dff\u0e31-\u0e4e\u1000-\u109f\u1780-\u17d3"
)
_WORD = re.compile(rf"(?:[^\W_]|[{_VOWEL_SIGNS}])+")
"""A word with the signs that stand over and under its letters, which are no letters to ``\\w``."""
DIGIT = re.compile(r"\d")


_GENERIC = words_in("query_words", "asks_for_all")
"""Words of a question for everything, of things that may be anything, of where they stand and what all have."""

LIMITING = words_in("query_words", "limits")
"""Words that end the name of what is asked for; what follows them says which of them."""

_EVERY = words_in("query_words", "every")
_JOINING = words_in("query_words", "joins")
_UNSPACED_GENERIC = re.compile(any_word("query_words", "asks_for_all_unspaced"))
"""Words for everything in scripts that put no spaces between words."""

_LONGEST_END, _SHORTEST_STEM = 2, 4
"""Letters that a word's end may have more in one place than in another, and those that both begin with."""

_UNSPACED = re.compile("[\u3040-\u9fff\u0e00-\u0e7f]")


def restricts(query: str | None, schema: Any, text: str, *, has_records: bool = True, around: str = "") -> bool:
    """Tell whether a question may want some of a page's records only.

    It does not when it says nothing beyond the schema's own names and descriptions, the page's headings, words such as
    "all", and one word for each thing it asks for, which nothing goes with: "all lamps", "lamps and chairs", but not
    "red lamps" or "the cheapest". Where the page has no records of it (``has_records``) that word may be what it has
    none of. ``around`` is the text outside of the records: in scripts without spaces, what stands there names what is
    listed.

    >>> restricts("all lamps", {}, "# Our shop"), restricts("lamps under 20 euros", {}, "# Our lamps")
    (False, True)
    """
    unknown = unknown_words(query, schema, text, around)
    return bool(unknown) and not (has_records and unknown <= things_asked_for(query or ""))


def asks_for_every(query: str) -> bool:
    """Tell whether a question says that it wants all of something.

    >>> asks_for_every("all opinions on the page"), asks_for_every("the red lamps")
    (True, False)
    """
    return not _EVERY.isdisjoint(word.casefold() for word in _WORD.findall(query))


def unknown_words(query: str | None, schema: Any, text: str, around: str) -> frozenset[str]:
    """Give the words of a question that may say which records it wants."""
    headings = blocks_of(text).titles
    named = stems(" ".join([*_names_in(schema), *headings]))
    said = f"{around}\n{' '.join(headings)}".casefold()
    asked = words_asked_for(query or "") - named
    return frozenset(word for word in asked if not _is_inflected(word, named) and not _is_named_around(word, said))


def words_asked_for(text: str) -> frozenset[str]:
    """Give the words of a question, or of a heading, that name things: none for everything, none that joins.

    >>> sorted(words_asked_for("all the lamps and chairs"))
    ['chair', 'lamp']
    """
    return stems(text) - _GENERIC - _JOINING


def _is_inflected(word: str, known: frozenset[str]) -> bool:
    """Tell whether a word is a known one with another end: "offenen" where the page is headed "Offene Stellen"."""
    longer = (word[:-cut] for cut in range(1, _LONGEST_END + 1))
    is_longer = any(len(stem) >= _SHORTEST_STEM and stem in known for stem in longer)
    return is_longer or (
        len(word) >= _SHORTEST_STEM
        and any(other.startswith(word) and len(other) - len(word) <= _LONGEST_END for other in known)
    )


def _is_named_around(word: str, around: str) -> bool:
    """Tell whether a word of a script without spaces says no more than what the page lists: 全部房源 over 5 套房源."""
    if not _UNSPACED.search(word):
        return False
    thing = _UNSPACED_GENERIC.sub("", word)
    return not thing or (len(thing) > 1 and thing in around)


def things_asked_for(query: str) -> frozenset[str]:
    """Give the last word before any that limits of each part of a question that "and" joins."""
    parts: list[list[str]] = [[]]
    for word in _WORD.findall(query):
        parts = [*parts, []] if word.casefold() in _JOINING else [*parts[:-1], [*parts[-1], word]]
    return frozenset().union(*(stems(thing_asked_for(" ".join(part))) for part in parts))


def thing_asked_for(query: str) -> str:
    """Give the last word before any that limits; "" if it may be no name of things."""
    words = [word.casefold() for word in _WORD.findall(query)]
    first = next((at for at, word in enumerate(words) if word not in _GENERIC), len(words))
    named = list(takewhile(lambda word: word not in LIMITING, words[first:]))
    thing = next((word for word in reversed(named) if not {word, singular(word)} & _GENERIC), "")
    return "" if thing.endswith("est") or _UNSPACED.search(thing) or DIGIT.search(thing) else thing


def _names_in(schema: Any) -> list[str]:
    """Give the names, titles and descriptions that a schema gives to what it asks for."""
    path = record_path(schema)
    fields = {**declared_properties(schema), **(declared_properties(path.item_schema) if path else {})}
    parts = [schema, *([path.item_schema] if path else ()), *fields.values()]
    said = (part.get(key) for part in parts if isinstance(part, dict) for key in ("title", "description"))
    return [*fields, *(text for text in said if isinstance(text, str))]


def stems(text: str) -> frozenset[str]:
    """Give the words of a text, without the ends that plurals have."""
    return frozenset(word if word in _GENERIC else singular(word) for word in name_words(text))
