"""Which phrase explains all texts of records that are made of several values, some of which may be missing."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise, product
from typing import Any

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box, squeeze
from gleaner.recipes.columns import Wanted, fit_column, is_shifting, reading_as, trust
from gleaner.recipes.cuts import Cut, Reads
from gleaner.recipes.lengths import length_transform
from gleaner.recipes.locators import counted
from gleaner.recipes.model import Columns, FieldSelector
from gleaner.recipes.phrases import (
    GROUPED,
    HARMLESS,
    KNOWN,
    NUMBER,
    SHAPED,
    START,
    WORDS,
    Joint,
    Slot,
    cases_of,
    parts_by,
    shape_of,
    written,
)

_LEAST_TEXTS = 5
_LONGEST = 400
_MOST_COLUMNS = 6
_MOST_PLACES = 5
_MOST_WORDS = 16
_MOST_TRIES = 120
_MOST_SLOTS = 12
_MOST_SHAPES = 4
_LEAST_OPEN = 8
_RARE = 6
_OFTEN = 3
_ENOUGH_NEW = 4
_LONGER = 2
_WORD = re.compile(r"(?<!\w)\w")
_WORD_END = re.compile(r"(?<=\w)(?!\w)")
_SAID = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_DIGIT = re.compile(r"\d")

Place = tuple[int, int]
Chosen = list[list[Place | None]]
"""For each text the place of each field in it."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The fields that texts state, and where each stands in each text; none where it is missing."""

    fields: list[int]
    places: list[list[list[Place]]]


def phrase_selectors(
    fields: Sequence[Wanted],
    lacking: Sequence[int],
    columns: Columns,
    boxes: Sequence[Box],
    base: str,
    *,
    others: Container[int] = (),
) -> dict[int, list[FieldSelector]]:
    """Give the slots of phrases that read fields for which there is no selector, as far as there are some.

    With them come those of ``others`` that stand in the same texts.
    """
    found: dict[int, list[FieldSelector]] = {}
    tried: dict[FieldSelector, dict[int, FieldSelector]] = {}
    for at in lacking:
        if at in found or fields[at].is_list:
            continue
        for selector, texts in _likely(fields[at], columns):
            if selector not in tried:
                tried[selector] = _learned(selector, texts, fields, base)
            if at in (made := tried[selector]):
                places = _same_places(texts, columns, boxes)
                chosen = {one: _at_places(made[one], places) for one in made if one in lacking or one in others}
                found = chosen | found
                break
    return {at: each for at, each in found.items() if each}


def _same_places(texts: Sequence[str | None], columns: Columns, boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give all that leads to the same texts, most trusted first."""
    alike = (counted(one, boxes) for one, others in columns.items() if others == texts and not one.attribute)
    return sorted((one for one in alike if not is_shifting(one)), key=trust)


def _at_places(made: FieldSelector, places: Sequence[FieldSelector]) -> list[FieldSelector]:
    """Give a slot of a phrase as it is read at each of the places."""
    read = {name: getattr(made, name) for name in ("phrase", "slot", "transforms", "decimal", "day_first", "words")}
    return [one.model_copy(update=read) for one in places]


def _likely(wanted: Wanted, columns: Columns) -> list[tuple[FieldSelector, list[str | None]]]:
    """Give the columns that could state a field, those by what the page says first, and short ones."""
    offered = [
        (selector, texts)
        for selector, texts in columns.items()
        if not (selector.attribute or selector.many or selector.presence) and _may_state(wanted, texts)
    ]
    offered.sort(key=lambda one: (sum(len(text or "") for text in one[1]), *trust(one[0])))
    distinct = {tuple(texts): (selector, texts) for selector, texts in reversed(offered)}
    return [*distinct.values()][: -_MOST_COLUMNS - 1 : -1]


def _may_state(wanted: Wanted, texts: Sequence[str | None]) -> bool:
    said = [text for text in texts if text is not None]
    if len(set(said)) < _LEAST_TEXTS or any(text.startswith("\x00") or len(text) > _LONGEST for text in said):
        return False
    pairs = zip(texts, wanted.values, strict=True)
    stated = [(text, value) for text, value in pairs if value is not None and value is not False]
    return all(text is not None and (not isinstance(value, str) or _may_say(text, value)) for text, value in stated)


def _may_say(text: str, value: str) -> bool:
    return squeeze(value) in text or bool(_DIGIT.search(value) and _DIGIT.search(text))


def _learned(
    selector: FieldSelector, texts: Sequence[str | None], fields: Sequence[Wanted], base: str
) -> dict[int, FieldSelector]:
    """Give what reads each field that a column states; nothing when no phrase explains all of its texts."""
    rows = [row for row, text in enumerate(texts) if text is not None]
    said = [text for text in texts if text is not None]
    stated = _stated(said, rows, fields, base)
    chosen = _chosen(said, stated.places)
    flags = _flags(said, rows, fields, chosen) if chosen else {}
    if chosen and flags:
        stated = _with_flags(stated, said, chosen, flags)
        chosen = _chosen(said, stated.places)
    phrase = _phrase(said, stated.fields, chosen, fields, flags) if chosen else ""
    made: dict[int, FieldSelector] = {}
    for nth, at in enumerate(stated.fields if phrase else ()):
        cut: dict[str, Any] = {"phrase": phrase, "slot": nth, "nothing": (), "zeros": ()}
        if at in flags:
            missing = (("", False),) if False in fields[at].values else ()
            made[at] = selector.model_copy(update=cut | {"words": ((flags[at], True), *missing)})
        elif one := fit_column(selector, texts, fields[at], base, partial(_that, cut)):
            made[at] = one
    return made


def _that(cut: Cut, _known: Sequence[tuple[str, JsonValue]], _reads: Reads) -> Iterator[Cut]:
    yield cut


def _phrase(
    texts: Sequence[str], stated: Sequence[int], chosen: Chosen, fields: Sequence[Wanted], flags: Mapping[int, str]
) -> str:
    """Give the phrase by which all texts are made; "" when it would not read one of them."""
    counted = Counter(one for text, places in zip(texts, chosen, strict=True) for one in {*_joints_of(text, places)})
    if not _are_told(counted, texts):
        return ""
    slots: list[Slot] = []
    for nth, at in enumerate(stated):
        said = [text[slice(*place)] for text, places in zip(texts, chosen, strict=True) if (place := places[nth])]
        leading = None if len(said) == len(texts) else [joint.between for joint in counted if joint.after == nth]
        marks = "".join(joint.between for joint in counted)
        slots.append(Slot(KNOWN, (flags[at],)) if at in flags else _slot(fields[at].values, said, leading, marks))
    phrase = written(slots, sorted(counted))
    return phrase if all(parts_by(phrase, text) for text in {*texts}) else ""


def _with_flags(stated: Stated, texts: Sequence[str], chosen: Chosen, flags: Mapping[int, str]) -> Stated:
    """Give the places that were chosen, and those of the words of flags."""
    places = [
        [*([one] if one else [] for one in row), *(_all(word, text) for word in flags.values())]
        for text, row in zip(texts, chosen, strict=True)
    ]
    return Stated([*stated.fields, *flags], places)


def _stated(texts: Sequence[str], rows: Sequence[int], fields: Sequence[Wanted], base: str) -> Stated:
    """Give the fields of which all values stand in the texts, flags and lists left out."""
    kept: list[int] = []
    columns: list[list[list[Place]]] = []
    for at, one in enumerate(fields):
        values = [one.values[row] for row in rows]
        known = [value for value in one.values if value is not None]
        if not known or one.is_list or isinstance(known[0], bool | dict) or len(kept) == _MOST_SLOTS:
            continue
        if sum(value is not None for value in values) < len(known):
            continue
        column = _column(texts, one, rows, base)
        if column is not None:
            kept.append(at)
            columns.append(column)
    return Stated(kept, [[column[row] for column in columns] for row in range(len(texts))])


def _column(texts: Sequence[str], wanted: Wanted, rows: Sequence[int], base: str) -> list[list[Place]] | None:
    reads, is_length = reading_as(wanted, base), bool(length_transform(wanted.steps))
    found: list[list[Place]] = []
    for text, row in zip(texts, rows, strict=True):
        value = wanted.values[row]
        places = [] if value is None else [*islice(_places(text, value, reads, is_length=is_length), _MOST_PLACES)]
        if value is not None and not places:
            return None
        found.append(places)
    return found


def _places(text: str, value: JsonValue, reads: Reads, *, is_length: bool) -> Iterator[Place]:
    """Give where a value stands in a text: word for word, as a numeral, or in as few words as can be.

    A length of time in as many: "4 h 5 min", and not the 45 alone of "45 min".
    """
    if isinstance(value, str) and (verbatim := _all(squeeze(value), text)):
        yield from verbatim
        return
    numerals = () if isinstance(value, str) or is_length else GROUPED.finditer(text)
    if found := [match.span() for match in numerals if reads(match[0], value)]:
        yield from found
        return
    if not _DIGIT.search(text):
        return
    starts = [match.start() for match in _WORD.finditer(text)][:_MOST_WORDS]
    ends = [match.start() for match in _WORD_END.finditer(text)][:_MOST_WORDS]
    spans = [(start, end) for start in starts for end in ends if start < end and reads(text[start:end], value)]
    for one in spans:
        others = [other for other in spans if other != one]
        if not any(_holds(other, one) if is_length else _holds(one, other) for other in others):
            yield one


def _holds(outer: Place, inner: Place) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _all(value: str, text: str) -> list[Place]:
    """Give where a value stands in a text, as words of their own."""
    if not value:
        return []
    before = r"(?<!\w)" if value[0].isalnum() else ""
    after = r"(?!\w)" if value[-1].isalnum() else ""
    return [match.span() for match in re.finditer(before + re.escape(value) + after, text)]


def _chosen(texts: Sequence[str], stated: Sequence[Sequence[Sequence[Place]]]) -> Chosen | None:
    """Give one place for each field in each text, so that texts are made as much alike as can be."""
    offered: list[list[tuple[list[Place | None], list[Joint]]]] = []
    votes: Counter[Joint] = Counter()
    for text, places in zip(texts, stated, strict=True):
        ways = [*_ways(text, places)]
        if not ways:
            return None
        offered.append(ways)
        for joint in {joint for _, joints in ways for joint in joints}:
            votes[joint] += 1
    return [max(ways, key=lambda way: sum(votes[one] for one in way[1]) / len(way[1]))[0] for ways in offered]


def _ways(text: str, places: Sequence[Sequence[Place]]) -> Iterator[tuple[list[Place | None], list[Joint]]]:
    offered: list[Sequence[Place | None]] = [each or (None,) for each in places]
    for chosen in islice(product(*offered), _MOST_TRIES):
        spans = sorted(one for one in chosen if one)
        if all(one[1] <= other[0] for one, other in pairwise(spans)):
            yield [*chosen], _joints_of(text, chosen)


def _joints_of(text: str, chosen: Sequence[Place | None]) -> list[Joint]:
    order = sorted((place, nth) for nth, place in enumerate(chosen) if place)
    joints: list[Joint] = []
    before, start = START, 0
    for (begin, end), nth in order:
        joints.append(Joint(before, nth, text[start:begin]))
        before, start = nth, end
    return [*joints, Joint(before, len(chosen), text[start:])]


def _are_told(counted: Counter[Joint], texts: Sequence[str]) -> bool:
    """Tell whether what stands between values is said by texts of the layout, and not by single records."""
    rare = [joint for joint, count in counted.items() if count == 1]
    if len(rare) > max(1, len(texts) // _RARE) or any(_DIGIT.search(joint.between) for joint in rare):
        return False
    return all(joint.between or START in joint[:2] or joint.after > joint.before for joint in counted)


def _flags(
    texts: Sequence[str], rows: Sequence[int], fields: Sequence[Wanted], chosen: Sequence[Sequence[Place | None]]
) -> dict[int, str]:
    """Give the words that stand in the texts of records for which a flag is true, and in no others."""
    joints = [_joints_of(text, places) for text, places in zip(texts, chosen, strict=True)]
    left = [" \x00 ".join(joint.between for joint in each) for each in joints]
    found: dict[int, str] = {}
    for at, one in enumerate(fields):
        values = [one.values[row] for row in rows]
        is_elsewhere = len(values) < len(one.values) - one.values.count(None)
        if not any(value is True for value in values) or len({*map(str, values)}) != 2 or is_elsewhere:
            continue
        yes = [text for text, value in zip(left, values, strict=True) if value is True]
        no = [text for text, value in zip(left, values, strict=True) if value is not True]
        for word in dict.fromkeys(_SAID.findall(yes[0])):
            if all(len(_all(word, text)) == 1 for text in yes) and not any(_all(word, text) for text in no):
                found[at] = word
                break
    return found


def _slot(values: Sequence[JsonValue], texts: Sequence[str], leading: Sequence[str] | None, marks: str) -> Slot:
    """Give what values of a field are made of; ``leading`` is what stands before them if they may be missing.

    Words that may be missing are others, too, only if a word leads to them or many that are known are seen once, words
    that always stand there unless all are seen often.
    """
    is_text = any(isinstance(value, str) for value in values)
    if not is_text and all(GROUPED.fullmatch(text) for text in texts):
        return Slot(NUMBER, (" ",) if any(" " in text for text in texts) else ())
    shapes = {shape_of(text) for text in texts}
    if all(map(_DIGIT.search, texts)) and len(shapes) <= min(_MOST_SHAPES, max(1, len(texts) // 3)):
        return Slot(SHAPED, tuple(sorted(shapes)))
    is_led = leading is None or all(map(_LETTERS.search, leading))
    distinct = set(texts)
    once = sum(count == 1 for count in Counter(texts).values())
    is_open = len(distinct) >= _LEAST_OPEN and once * _ENOUGH_NEW >= len(texts)
    if not (is_led or is_open) or len(distinct) * _OFTEN <= len(texts):
        return Slot(KNOWN, tuple(sorted(distinct)))
    said = {one for text in texts for one in text if not (one.isalnum() or one.isspace())}
    harmless = {*HARMLESS}.difference(marks)
    shared = [one for one in cases_of(texts[0]) if all(one in cases_of(text) for text in distinct)]
    case = shared[0] if shared and len(distinct) >= _LEAST_TEXTS else ""
    longest = 0 if is_led else _LONGER * max(map(len, texts))
    return Slot(WORDS, ("".join(sorted(said | harmless)),), any(map(_DIGIT.search, texts)), case, longest)
