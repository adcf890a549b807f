"""Fields that have changed places: by the texts that the other one held, by lengths, by writing, by their names."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, cast

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.model import FieldFigures, FieldRecipe

_ENOUGH_TEXTS = 8
_MUCH_LONGER = 1.5
_LOOKED_AT = 100
_LONGEST = 80
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ENDS = (
    ("low", "high"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("lowest", "highest"),
    ("from", "to"),
    ("start", "end"),
)
_RUN = re.compile(r"\d+|[^\W\d_]+|\S")


def find_exchanged(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Give the ways in which two fields seem to have changed places."""
    yield from _exchanged(fields, values)
    yield from _now_alike(fields, values)
    yield from _of_other_lengths(fields, values)
    yield from _written_as_each_other(fields, values)
    yield from _turned_with_lists(fields, values)
    yield from _ends_turned(fields, values)


def _turned_with_lists(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Notice a text and a list that have changed places: each says what only the other did."""
    held = [set(one.figures.common) for one in fields]
    for at in (at for at, one in enumerate(fields) if one.figures.kind == "text"):
        for other in (at for at, one in enumerate(fields) if one.figures.kind == "list" and held[at]):
            texts, items = set(_texts_in(values[at])), set(_texts_in(values[other]))
            own = held[at] - held[other]
            is_turned = not texts.isdisjoint(held[other] - held[at]) and not items.isdisjoint(own)
            if is_turned or (items and items <= own and texts.isdisjoint(held[at])):
                yield f"{fields[at].name} and {fields[other].name} hold what the other held"


def _ends_turned(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Notice the ends of a range, by the names of the fields, of which the lower one is the higher one.

    Of one thing: many records show by themselves which is which (``Recipe.orders``).
    """
    names = {one.steps: at for at, one in enumerate(fields) if one.steps}
    for steps, at in names.items():
        for low, high in _ENDS:
            other = names.get((*steps[:-1], re.sub(rf"(?<![^\W_]){low}(?![^\W_])", high, steps[-1])), at)
            ends = [column[0] for column in (values[at], values[other]) if len(column) == 1]
            if other != at and len(ends) > 1 and _are_ends(*ends) and cast(Any, ends[0]) > ends[1]:
                yield f"{fields[at].name} is above {fields[other].name}"


def _are_ends(one: Any, other: Any) -> bool:
    are_numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return are_numbers or all(isinstance(each, str) and _DAY.match(each) is not None for each in (one, other))


def signs_of(text: str) -> frozenset[str]:
    """Give what a text is written with: figures, words in capitals, with a capital, or without, and each sign.

    >>> sorted(signs_of("MERTON LTD, 12")), sorted(signs_of("Ada van Roe"))
    ([',', '9', 'AA'], ['Aa', 'a'])
    """
    return frozenset(map(_sign, _RUN.findall(text)))


@lru_cache(maxsize=256)
def _signs_of(texts: tuple[str, ...]) -> frozenset[frozenset[str]]:
    """Give what each of a recipe's own texts is written with: the same ones on each page."""
    return frozenset(map(signs_of, texts))


def _sign(run: str) -> str:
    if run[0].isdigit():
        return "9"
    if not run[0].isalpha():
        return run
    return "AA" if run.isupper() and len(run) > 1 else "Aa" if run[0].isupper() else "a"


def _written_as_each_other(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Notice two fields of which each is written as only the other one was, in most records."""
    known = [_signs_of(tuple(one.figures.common[:_LOOKED_AT])) for one in fields]
    now = [[signs_of(text) for text in _texts_in(column)] for column in values]
    strange = [at for at, column in enumerate(now) if known[at] and 2 * _outside(column, known[at]) > len(column)]
    for at in strange:
        for other in (one for one in strange if one > at):
            pairs = ((now[at], known[other]), (now[other], known[at]))
            if all(2 * _outside(column, held) < len(column) for column, held in pairs):
                yield f"{fields[at].name} and {fields[other].name} are written as each other were"


def _texts_in(column: Sequence[JsonValue]) -> list[str]:
    looked_at = column[:: max(1, len(column) // _LOOKED_AT)]
    items = (item for value in looked_at for item in (value if isinstance(value, list) else [value]))
    return [item[:_LONGEST] for item in items if isinstance(item, str)]


def _outside(column: Sequence[frozenset[str]], held: frozenset[frozenset[str]]) -> int:
    return sum(one not in held for one in column)


def _exchanged(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Notice two fields that have changed places."""
    texts = [at for at, one in enumerate(fields) if one.figures.kind == "text"]
    known = {at: _texts_of(one) for at, one in enumerate(fields)}
    for at in texts:
        said = Counter([value[:80] for value in values[at] if isinstance(value, str)])
        own = sum(map(said.__getitem__, known[at].intersection(said)))
        for other, held in known.items():
            theirs = sum(map(said.__getitem__, held.difference(known[at]).intersection(said)))
            if other != at and theirs > own and theirs >= max(1, 0.3 * said.total()):
                yield f"{fields[at].steps} holds what {fields[other].steps} held"


def _now_alike(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Notice two fields that say the same in most records and never shared a text before: both read one place now."""
    texts = [at for at, one in enumerate(fields) if one.figures.kind == "text" and one.figures.common]
    step = max(1, max(map(len, values), default=0) // _LOOKED_AT)
    for at, other in combinations(texts, 2):
        pairs = zip(values[at][::step], values[other][::step], strict=False)
        known = [left == right for left, right in pairs if left is not None and right is not None]
        were_apart = _texts_of(fields[at]).isdisjoint(_texts_of(fields[other]))
        if were_apart and 2 * sum(known) > len(known):
            yield f"{fields[at].name} and {fields[other].name} say the same now"


def _texts_of(one: FieldRecipe) -> set[str]:
    """Give the texts that were values of a field, or stood for some."""
    common = one.figures.common if one.figures.kind == "text" else []
    return {*common, *(text for selector in one.selectors for text, _ in selector.words or ())}


def _of_other_lengths(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    """Notice long texts where short ones of another field stood, or the other way round."""
    figures = [one.figures for one in fields]
    texts = [at for at, one in enumerate(figures) if one.kind == "text"]
    lengths = {at: [len(value) for value in values[at] if isinstance(value, str)] for at in texts}
    for low in texts:
        for high in texts:
            if low == high or not differ_in_length(figures[low], figures[high]):
                continue
            short = sum(map(figures[low].longest.__ge__, lengths[high]))
            long = sum(map(figures[high].shortest.__le__, lengths[low]))
            if short > 0.5 * len(lengths[high]) or long > 0.5 * len(lengths[low]):
                yield f"{fields[low].steps} and {fields[high].steps} have texts of each other's lengths"


def differ_in_length(low: FieldFigures, high: FieldFigures) -> bool:
    """Tell whether all texts of the first field were much shorter than all of the second, in records enough."""
    are_enough = min(low.count - low.nulls, high.count - high.nulls) >= _ENOUGH_TEXTS
    return are_enough and low.longest * _MUCH_LONGER <= high.shortest
