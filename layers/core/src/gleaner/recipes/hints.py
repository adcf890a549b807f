"""Texts that may state what nobody read: "It grows to 44 cm" where ``length_cm`` seems absent, and what flags say.

What stands in prose is new on each page, so that it is no news; a word of the field's name beside a number may be. A
flag that is not marked may be said in words of its name, and the element that marks one may say something else now.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.asides import direct_text
from gleaner.recipes.boxes import Box, text_of
from gleaner.recipes.field_names import name_words, shares
from gleaner.recipes.model import FieldRecipe, Recipe
from gleaner.recipes.novelty import bare_key_of
from gleaner.recipes.reading import PageReading
from gleaner.recipes.whole_pages import elements_of

_NUMBERS = frozenset({"number", "integer", "date"})
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LEAST_WORDS = 3
_MOST_TEXTS = 400
_MOST_HINTS = 12
_MOST_SAYINGS = 3
_MOST_MARKS = 4
_LONGEST_FLAG = 40

Hint = tuple[FieldRecipe, str]


def with_hints(recipe: Recipe, reading: PageReading, root: HtmlElement) -> Recipe:
    """Note what such texts a page has that was read right: there they say nothing, and the marks of flags say them."""
    hints = _keys_by_field(_hints(recipe, reading, root, are_all=True))
    said = _keys_by_field(_marks(recipe, reading, root))

    def noted(one: FieldRecipe) -> FieldRecipe:
        more, marks = hints.get(one.steps, set()), said.get(one.steps, set())
        update = {"hints": sorted({*one.hints, *more}), "said": sorted({*one.said, *marks})}
        return one.model_copy(update=update) if more or marks else one

    if not hints and not said:
        return recipe
    return recipe.model_copy(update={"fields": [*map(noted, recipe.fields)], "outer": [*map(noted, recipe.outer)]})


def _keys_by_field(found: Iterable[Hint]) -> dict[tuple[str, ...], set[str]]:
    keys: dict[tuple[str, ...], set[str]] = {}
    for one, text in found:
        keys.setdefault(one.steps, set()).add(bare_key_of(text))
    return keys


def doubts_of_hints(recipe: Recipe, reading: PageReading, root: HtmlElement) -> Iterator[str]:
    """Give for each field the first text that may state a value which was not read, or says what a mark never said."""
    yield from _first_new(_hints(recipe, reading, root), lambda one: one.hints, "is absent, and {!r} may state it")
    yield from _first_new(_marks(recipe, reading, root), lambda one: one.said, "is marked by {!r}, as it never was")


def _first_new(found: Iterable[Hint], known: Callable[[FieldRecipe], Sequence[str]], doubt: str) -> Iterator[str]:
    doubted: set[tuple[str, ...]] = set()
    for one, text in found:
        if one.steps not in doubted and bare_key_of(text) not in known(one):
            doubted.add(one.steps)
            yield f"{one.name} {doubt.format(text[:60])}"


def _hints(recipe: Recipe, reading: PageReading, root: HtmlElement, *, are_all: bool = False) -> Iterator[Hint]:
    """Give the fields with such texts: of a page about one thing all that are absent, of records those never seen.

    If ``are_all``, also those that a page has a value of: what else it says there is not the value.
    """
    if recipe.pointer is None:
        yield from _hints_on(Box([root]), *reading.columns, are_all=are_all)
        return
    pairs = zip(recipe.fields, reading.inner.values, strict=False)
    watched = [(one, column) for one, column in pairs if not one.selectors and None in column and _is_number(one)]
    fields = [one for one, _ in watched]
    for at, box in enumerate(reading.inner.boxes if watched else ()):
        yield from _hints_on(box, fields, [column[at : at + 1] for _, column in watched])


def _hints_on(
    box: Box, fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]], *, are_all: bool = False
) -> Iterator[Hint]:
    cells = [(one, column[0]) for one, column in zip(fields, values, strict=False) if column]
    watched = [
        (one, cell) for one, cell in cells if len(one.hints) < (_MOST_SAYINGS if _is_unseen(one) else _MOST_HINTS)
    ]
    numbers = [(one, name_words(one.steps)) for one, cell in watched if (are_all or cell is None) and _is_number(one)]
    flags = [(one, name_words(one.steps)) for one, cell in watched if cell is False and _is_unmarked(one)]
    unseen = [(one, name_words(one.steps)) for one, cell in watched if cell is None and _is_unseen(one)]
    texts = [text for text in map(direct_text, box.inside) if text] if numbers or flags or unseen else []
    for sentence in _sentences(texts) if unseen else ():
        yield from ((one, sentence) for one, words in unseen if shares(words, sentence))
    for sentence in _numbered(texts, _figures_in([cell for _, cell in cells])) if numbers else ():
        yield from ((one, sentence) for one, words in numbers if shares(words, sentence))
    for text in texts if flags else ():
        if len(text) <= _LONGEST_FLAG:
            yield from ((one, text) for one, words in flags if shares(words, text))


def _marks(recipe: Recipe, reading: PageReading, root: HtmlElement) -> Iterator[Hint]:
    """Give what the marks of flags say that are true of the thing that a page is about."""
    if recipe.pointer is not None:
        return
    for one, column in zip(*reading.columns, strict=False):
        is_marked = column[:1] == [True] and bool(one.selectors) and one.selectors[0].presence
        if is_marked and not one.selectors[0].inverse and len(one.said) < _MOST_MARKS:
            for element in elements_of(one.selectors[0], Box([root]))[:1]:
                yield one, text_of(element)[:_LONGEST_FLAG]


def _is_unmarked(one: FieldRecipe) -> bool:
    """Tell whether a flag is false because nothing marks it."""
    return one.empty or any(each.presence and not each.inverse for each in one.selectors)


def _is_number(one: FieldRecipe) -> bool:
    """Tell whether a field holds numbers or days, as far as is known."""
    return one.figures.kind == "number" or not _NUMBERS.isdisjoint(
        one.types if not one.selectors else (name for each in one.selectors for name in each.transforms)
    )


def _is_unseen(one: FieldRecipe) -> bool:
    """Tell whether a field holds any text, and no page has shown where."""
    return not (one.selectors or one.types or one.empty)


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    """Give the sentences of several words."""
    return (one for text in texts for one in _SENTENCE.split(text) if one.count(" ") >= _LEAST_WORDS - 1)


def _numbered(texts: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """Give the sentences of several words with a number that is none of those known."""
    numbered = (one for one in _sentences(texts) if any(_digits(n) not in known for n in _NUMBER.findall(one)))
    return islice(numbered, _MOST_TEXTS)


def _figures_in(values: Sequence[JsonValue]) -> frozenset[str]:
    """Give the digits of all numbers that were read, whatever stands between them."""
    said = [str(value) for value in values if value is not None]
    return frozenset(digits for text in said for found in (*_NUMBER.findall(text), text) if (digits := _digits(found)))


def _digits(text: str) -> str:
    return re.sub(r"\D+", "", text).lstrip("0")
