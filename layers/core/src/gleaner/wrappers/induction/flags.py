"""Selectors of flags and of values that are few: by words, by what only some records have, by a sign of the name."""

from collections.abc import Iterator, Sequence

from gleaner.values.plurals import is_same_word
from gleaner.wrappers.container import Container
from gleaner.wrappers.induction.mentions import MOST_TRIED, MOST_WORDS, Hypothesis, Wanted, common, seeds_of
from gleaner.wrappers.model import Scalar, Selector
from gleaner.wrappers.places import (
    WEAK,
    Place,
    find,
    names_field,
    names_whole_field,
    places_of,
    survival_of,
    words_in,
)
from gleaner.wrappers.readings import mask, same
from gleaner.wrappers.selectors import said_by
from gleaner.wrappers.trees import label_name

_PAGES_FOR_SIGNS = 3
"""So many records show what only those have of which a flag is true."""


def worded_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], *, is_single: bool
) -> Iterator[Selector]:
    """Give selectors of texts or classes that have a value each: "Sold out" is false, ``label-warning`` true.

    A flag that was the same everywhere is told by a sign of its name that says the same each time: where the sign says
    something else, no page has shown what that means. Where it is missing there is no value.
    """
    is_same = len({repr(wanted.values[at]) for at in known}) < 2
    if len(known) < 2 or (is_same and not isinstance(wanted.values[known[0]], bool)):
        return
    shared = common(_every_place(boxes[at]) for at in seeds_of(known))
    for place, source in shared[: 2 * MOST_TRIED]:
        if is_same and (source or not _says_name(place, wanted, boxes[known[0]])):
            continue
        words: dict[str, Scalar] = {}
        for value, box in zip(wanted.values, boxes, strict=True):
            said = said_by(place, source, box)
            if said is None and value is None:
                continue
            if not isinstance(said, str):
                break
            said = mask(said)
            if isinstance(value, str) and "9" in said and not any(map(str.isalpha, said)):
                break  # a number alone stands for every number: it says no name
            if said in words and not same(words[said], value):
                break
            words[said] = value if isinstance(value, str | int | float) else None
            if len(words) > MOST_WORDS:
                break
        else:
            is_named = names_field(place, wanted.words) or not wanted.words.isdisjoint(words_in(" ".join(words)))
            is_enough = len(words) == 1 if is_same else (1 if is_single and is_named else 2) * len(words) < len(known)
            if is_enough:
                survival = survival_of(place, wanted.words, True)
                yield Selector(place=place, source=source, words=words, reading="", survival=survival)


def _says_name(place: Place, wanted: Wanted, box: Container) -> bool:
    """Tell whether a place, or the text there, has all words of the field's name, be it in another language's form."""
    said = said_by(place, "", box)
    words = words_in(said) if isinstance(said, str) else ()
    is_said = bool(wanted.words) and all(any(is_same_word(one, word) for word in words) for one in wanted.words)
    return is_said or names_whole_field(place, wanted.words)


def _every_place(box: Container) -> Iterator[Hypothesis]:
    for node in box.nodes[:200]:
        for place in places_of(node, box):
            if place.kind == "tag" or (place.kind == "path" and place.value) or place.inner:
                continue
            if 0 < len(box.text(node)) <= 60:
                yield place, ""
            if node.get("class"):
                yield place, "class"


def presence_selectors(wanted: Wanted, boxes: Sequence[Container]) -> Iterator[Selector]:
    """Give what all records of which a flag is true have, and none of the others; or the other way round.

    Such a sign knows two values only: it says nothing where some records have neither. The field's own name among the
    words of a record is a sign that one record is enough for.
    """
    if None in wanted.values:
        return
    named = Place("word", " ".join(sorted(wanted.words)))
    has_word = [bool(wanted.words) and bool(find(named, box)) for box in boxes]
    if has_word == wanted.values and any(has_word) and not all(has_word):
        yield Selector(place=named, presence=True, survival=WEAK)
    features = [_features(box) for box in boxes]
    for presence in (True, False):
        having = [one for one, value in zip(features, wanted.values, strict=True) if value is presence]
        others = [one for one, value in zip(features, wanted.values, strict=True) if value is not presence]
        if not having or not others or len(boxes) < _PAGES_FOR_SIGNS:
            continue
        found = frozenset.intersection(*having) - frozenset[Place]().union(*others)
        if len(having) < 2:
            found = frozenset(one for one in found if names_field(one, wanted.words))
        is_seen = len(others) > 1
        for place in sorted(one for one in found if is_seen or names_whole_field(one, wanted.words)):
            if place.kind == "says" and any(text in place.value for text in wanted.told):
                continue
            yield Selector(place=place, presence=presence, survival=survival_of(place, wanted.words, False))


def _features(box: Container) -> frozenset[Place]:
    found: set[Place] = {Place("class", token) for token in box.by_class}
    found.update(Place("attribute", value, "", name) for name, value in box.by_attribute if value and len(value) <= 60)
    said = (label_name(box.text(node)) for node in box.nodes)
    found.update(Place("says", text) for text in said if 0 < len(text) <= 40 and not any(map(str.isdigit, text)))
    return frozenset(found)
