"""Selectors of flags and of values that are few: by words, by what only some records have, by a sign of the name."""

from collections.abc import Iterator, Mapping, Sequence

from gleaner.values.plurals import is_same_word
from gleaner.wrappers.container import Container
from gleaner.wrappers.induction.mentions import MOST_TRIED, MOST_WORDS, Hypothesis, Wanted, common, seeds_of
from gleaner.wrappers.labels import BEHIND
from gleaner.wrappers.marks import EXACT, SHOWN, is_answer, marks_on, names_flag, start_of
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

_LINKS = frozenset(("is", "has"))
"""Words that begin names of flags, and that no page says."""
_PAGES_FOR_ONE_ANSWER = 2
"""So many pages with one answer show what goes with it, if that names the flag."""
_PAGES_OF_EACH = 2
"""So many pages with each answer show which marks a flag goes by that name it nowhere."""
_MOST_MARKS = 60
_PAGES_FOR_SIGNS = 3
"""So many records show what only those have of which a flag is true."""


def shows_both(wanted: Wanted) -> bool:
    """Tell whether enough pages had each answer of a flag to tell by what it goes if nothing names it."""
    return all(sum(one is value for one in wanted.values) >= _PAGES_OF_EACH for value in (True, False))


def worded_selectors(
    wanted: Wanted, boxes: Sequence[Container], known: Sequence[int], *, is_single: bool
) -> Iterator[Selector]:
    """Give selectors of texts or classes that have a value each: "Sold out" is false, ``label-warning`` true.

    A flag that was the same everywhere is told by a sign of its name that says the same each time: where the sign says
    something else, no page has shown what that means. Where it is missing there is no value.
    """
    is_same = len({repr(wanted.values[at]) for at in known}) < 2
    if len(known) < 2 or (is_same and (is_single or not isinstance(wanted.values[known[0]], bool))):
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
            if is_single and not is_named and place.value.startswith(BEHIND):
                continue  # what happens to stand before something else: the last part of a page
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


def marked_selectors(wanted: Wanted, boxes: Sequence[Container]) -> Iterator[Selector]:
    """Give the selector of a flag by the marks of pages about one thing, as far as these tell its answers apart.

    All marks that go with an answer so far are kept, and must agree: which of them it goes by, no page says. Those that
    name the flag are enough after one page with each answer, or two with one; any others after two pages with each.
    """
    words = (wanted.words - _LINKS) or wanted.words
    pages = [marks_on(box) for box in boxes]
    by_value = {
        value: [page for page, one in zip(pages, wanted.values, strict=True) if one is value]
        for value in (True, False, None)
    }
    marks = _one_sided(by_value, words) or _two_sided(wanted, by_value, words)
    if 0 < len(marks) <= _MOST_MARKS:
        place, may_lack = Place("marks", " ".join(sorted(words))), bool(by_value[None])
        yield Selector(place=place, marks=marks, reading="", optional=may_lack, survival=WEAK)


_Pages = dict[bool | None, list[Mapping[str, str]]]


def _one_sided(by_value: _Pages, words: frozenset[str]) -> dict[str, bool | None]:
    """Give what names a flag, exactly as it stands, on all pages, where all had one answer.

    Not a label with a yes or no behind it: that says which.
    """
    (value, pages), *others = ((value, pages) for value, pages in by_value.items() if pages)
    if others or value is None or len(pages) < _PAGES_FOR_ONE_ANSWER:
        return {}
    shared = set.intersection(*({*page} for page in pages))
    asked = {label_name(start_of(one)) for one in shared if is_answer(one)}
    shared = {one for one in shared if label_name(one.partition("=")[2].partition(SHOWN)[0]) not in asked}
    named = (one for one in shared if one.startswith(EXACT) and names_flag(one, words))
    return {one: value for one in sorted(named) if not any(map(str.isdigit, one.partition("=")[2]))}


def _two_sided(wanted: Wanted, by_value: _Pages, words: frozenset[str]) -> dict[str, bool | None]:
    """Give the marks that all pages with an answer have, and no others."""
    yes, no, silent = by_value[True], by_value[False], by_value[None]
    if not yes or not no:
        return {}
    apart = {
        value: [
            mark
            for mark in sorted(set.intersection(*({*page} for page in by_value[value])))
            if not mark.startswith(EXACT)
            and not any(mark in page for other, pages in by_value.items() if other is not value for page in pages)
        ]
        for value in (True, False)
    }
    named = {value: _plainest([one for one in marks if _is_named(one, words)]) for value, marks in apart.items()}
    about = {start_of(one) for marks in named.values() for one in marks} - {""}
    named = {
        value: [one for one in marks if one in named[value] or start_of(one) in about] for value, marks in apart.items()
    }
    free = {
        value: [one for one in marks if not any(text in one for text in wanted.told)] for value, marks in apart.items()
    }
    partly = {
        value: [one for one in marks if SHOWN not in one and not words.isdisjoint(words_in(one))]
        for value, marks in apart.items()
    }
    count = len(yes) + len(no) + len(silent)
    are_enough = {
        "named": True,
        "partly": count >= _PAGES_FOR_SIGNS,
        "free": shows_both(wanted),
    }
    for name, found in (("named", named), ("partly", partly), ("free", free)):
        has_any = bool(found[True] and found[False]) if silent else bool(found[True] or found[False])
        if are_enough[name] and has_any:
            made: dict[str, bool | None] = {mark: value for value, marks in found.items() for mark in _plainest(marks)}
            lacking = [value for value, marks in found.items() if not marks]
            pages = [page for value in lacking for page in by_value[value]]
            known = {mark for page in pages for mark in page if not mark.startswith(EXACT)}
            if not about.isdisjoint(map(start_of, known)):
                continue  # it is said each time, in changing words
            return made | dict[str, bool | None].fromkeys(
                mark for mark in sorted(known - {*made}) if names_flag(mark, words)
            )
    return {}


def _is_named(mark: str, words: frozenset[str]) -> bool:
    """Tell whether a mark names a flag, of a text with icons by the text itself."""
    return names_flag(start_of(mark) if SHOWN in mark else mark, words)


def _plainest(marks: Sequence[str]) -> list[str]:
    """Leave out marks that say what another does, and more: whole texts with it, what stands beside it or behind it."""
    plain = [one for one in marks if not any(other != one and _is_in(other, one) for other in marks)]
    return [one for one in plain if start_of(one)[:1] in ("=", "")] or plain


def _is_in(mark: str, other: str) -> bool:
    return f" {mark.lstrip('=').replace(SHOWN, ' ')} " in f" {other.lstrip('=').replace(SHOWN, ' ').replace(',', ' ')} "
