"""Does a page still look like the one that the recipe was learned from? In doubt: no (RC-2)."""

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from operator import gt, le, ne
from statistics import median
from typing import Any, cast

from gleaner.coercion.words import HOLLOW_SPELLINGS
from gleaner.contracts.ports import JsonValue
from gleaner.recipes.advertisements import ad_labels
from gleaner.recipes.boxes import Box
from gleaner.recipes.exchanges import differ_in_length, find_exchanged
from gleaner.recipes.model import FieldFigures, FieldRecipe, FieldSelector, Recipe
from gleaner.recipes.parting import newly_parted
from gleaner.recipes.phrases import leads_of
from gleaner.recipes.record_selectors import looks_of

_COMMON = 400
_PATTERNS = 12
_LOOKED_AT = 100
_FARTHEST = 1e300
_ENOUGH_TEXTS = 8
_ENOUGH_ALIKE = 5
_NUMBERS = frozenset({int, float})
_LIST_MARKS = re.compile("[,;/|·•]")
_ADDRESS = re.compile(r"https?://[^\s,;|]+")
_WORDS = re.compile(r"[^\W\d_]{2}")
_RUN = re.compile(r"\d+|[^\W\d_]+|\s+")


def pattern_of(text: str) -> str:
    """Give the kinds of characters that a text begins with.

    >>> pattern_of("12 Mar 2026")
    '9 a 9'
    """
    return characters_of(text)[:24]


def characters_of(text: str) -> str:
    """Give the kinds of characters of a text: a letter or digit for each run of such, signs as they are."""
    return _RUN.sub(lambda run: "9" if run[0][0].isdigit() else " " if run[0][0].isspace() else "a", text)


def figures_of(values: Sequence[JsonValue], *, is_brief: bool = False) -> FieldFigures:
    """Say what the values of one field look like; ``is_brief`` leaves out the samples of texts."""
    is_full = None not in values and [] not in values
    known = values if is_full else [value for value in values if value is not None and value != []]
    base = FieldFigures(count=len(values), nulls=len(values) - len(known))
    if not known:
        return base
    types = set(map(type, known))
    if types & {list, dict}:
        return base.model_copy(update={"kind": "list", "patterns": _marks_in(known), "common": _samples_in(known)})
    if types == {bool}:
        return base.model_copy(update={"kind": "boolean", "distinct": len(set(known))})
    if types <= _NUMBERS:
        return base.model_copy(update={"kind": "number", **_ends(cast(list[int | float], known))})
    texts = [*map(str, known)]
    lengths = list(map(len, texts))
    told = base.model_copy(update={"kind": "text", "shortest": min(lengths), "longest": max(lengths)})
    return told if is_brief else _with_samples(told, texts)


def _samples_in(lists: Iterable[JsonValue]) -> list[str]:
    """Give the first texts that stand in lists."""
    items = (item[:80] for one in lists if isinstance(one, list) for item in one if isinstance(item, str))
    return [*dict.fromkeys(islice(items, _LOOKED_AT))]


def _marks_in(lists: Iterable[JsonValue]) -> list[str]:
    """Give the signs that could part items in the only text of a list; those in addresses part none."""
    items = [one[0] for one in lists if isinstance(one, list) and len(one) == 1 and isinstance(one[0], str)]
    items = [_ADDRESS.sub("", item) for item in items]
    return sorted(set(_LIST_MARKS.findall("\n".join(items))))


def _ends(numbers: Sequence[int | float]) -> dict[str, float]:
    floats = _as_floats(numbers)
    return {"low": min(floats), "high": max(floats), "middle": median(floats), "distinct": len(set(floats))}


def figures_of_lists(counts: Sequence[int]) -> FieldFigures:
    """Say how many lists there were, how many of them empty, and how many items they had."""
    return FieldFigures(
        count=len(counts),
        nulls=sum(not count for count in counts),
        kind="list",
        shortest=min(counts, default=0),
        longest=max(counts, default=0),
    )


def _with_samples(told: FieldFigures, texts: Sequence[str]) -> FieldFigures:
    patterns = Counter(map(pattern_of, texts)).most_common(_PATTERNS)
    return told.model_copy(
        update={
            "patterns": [pattern for pattern, _ in patterns],
            "distinct": len(set(texts)),
            "common": [text[:80] for text, _ in Counter(texts).most_common(_COMMON)],
        }
    )


def merge_figures(old: FieldFigures, new: FieldFigures) -> FieldFigures:
    """Give the figures of the values of both."""
    if old.kind == "none" or new.kind == "none":
        kept = new if old.kind == "none" else old
        return kept.model_copy(update={"count": old.count + new.count, "nulls": old.nulls + new.nulls})
    lows = [value for value in (old.low, new.low) if value is not None]
    highs = [value for value in (old.high, new.high) if value is not None]
    return old.model_copy(
        update={
            "count": old.count + new.count,
            "nulls": old.nulls + new.nulls,
            "patterns": list(dict.fromkeys([*old.patterns, *new.patterns]))[: 2 * _PATTERNS],
            "shortest": min(old.shortest, new.shortest),
            "longest": max(old.longest, new.longest),
            "low": min(lows, default=None),
            "high": max(highs, default=None),
            "distinct": len({*old.common, *new.common}) or max(old.distinct, new.distinct),
            "common": list(dict.fromkeys([*old.common, *new.common]))[:_COMMON],
        }
    )


def find_drift(recipe: Recipe, values: Sequence[Sequence[JsonValue]], boxes: Sequence[Box]) -> list[str]:
    """Give the ways in which the values differ from what was learned."""
    if not values:
        return []
    doubts = find_strange_values(recipe.fields, values)
    doubts += _order_doubts(recipe, values)
    doubts += _strange_records(recipe, values, boxes)
    doubts += newly_parted(recipe, boxes)
    if _has_unseen_field(recipe):
        strange = [box for box in boxes if box.shape not in recipe.shapes]
        doubts += (
            [f"{len(strange)} containers are built in a way that was not seen when the recipe was learned"]
            if strange
            else []
        )
    return doubts


def find_strange_values(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]]) -> list[str]:
    """Give the ways in which the fields' values are not what they were, and in which two fields are exchanged."""
    doubts: list[str] = []
    for one, column in zip(fields, values, strict=True):
        others = {pattern for other in fields if other is not one for pattern in other.figures.patterns}
        doubts += [f"{one.name}: {doubt}" for doubt in _field_doubts(one, column, others)]
    return [*doubts, *find_exchanged(fields, values)]


def _strange_records(recipe: Recipe, values: Sequence[Sequence[JsonValue]], boxes: Sequence[Box]) -> Iterator[str]:
    """Notice what is no record: an advertisement or a total that stands among them, and was not there before."""
    if recipe.pointer is None:
        return
    builds = {box.build: box for box in boxes}
    kinds = list({box.elements[0].get("class"): box for box in (boxes if None in builds else builds.values())}.values())
    common = set(looks_of(kinds[:1])).intersection(*(looks_of([box]) for box in kinds))
    if strange := [token for token in looks_of(kinds) if token not in recipe.looks and token not in common]:
        yield f"records of the class {strange[0]} were not seen when the recipe was learned"
    for one, column in zip(recipe.fields, values, strict=True):
        if len(column) < 3 or not column[-1] or not _NUMBERS.issuperset(map(type, column)):
            continue
        *numbers, last = _as_floats(cast(Sequence[int | float], column))
        if not math.isclose(sum(numbers), last, abs_tol=0.005):
            continue
        if [*numbers, last] != [numbers[0] + at for at in range(len(column))]:
            yield f"{'/'.join(one.steps)}: the last one is the sum of the others"


def first_stranger(recipe: Recipe, boxes: Sequence[Box]) -> int | None:
    """Give the number of the first container that is unlike those learned from: by its class, its make or a badge."""
    known, shapes = {*recipe.looks, *looks_of(boxes[:1])}, frozenset(recipe.shapes)
    for at, box in enumerate(boxes):
        is_new = not known.issuperset(looks_of([box])) or not ad_labels(box.elements).issubset(recipe.badges)
        if is_new or (_has_unseen_field(recipe) and box.shape not in shapes):
            return at
    return None


def _are_elements(one: FieldRecipe, column: Sequence[JsonValue]) -> bool:
    """Tell whether the items of lists are list items of the page, several in some record: then no text parts them."""
    is_item = bool(one.selectors) and one.selectors[0].tag.rpartition("/")[2] == "li" and not one.selectors[0].separator
    return is_item and any(isinstance(value, list) and len(value) > 1 for value in column)


def _has_unseen_field(recipe: Recipe) -> bool:
    """Tell whether a field was null in every record, so that nobody knows where its value would stand."""
    return not recipe.places and any(not one.selectors for one in recipe.fields)


def _field_doubts(one: FieldRecipe, column: Sequence[JsonValue], others: Container[str]) -> Iterator[str]:
    old, new = one.figures, figures_of(column, is_brief=True)
    if not new.count:
        return
    if nulls_differ(old, new):
        yield f"{new.nulls} of {new.count} are absent, where {old.nulls} of {old.count} were"
    if new.kind == "none" or old.kind == "none":
        return
    if old.kind != new.kind:
        yield f"is {new.kind}, where it was {old.kind}"
    elif old.kind == "boolean":
        if new.count > 1 and one.selectors and one.selectors[0].presence and True not in column:
            yield "is true of none, which may be because its mark has another name now"
    elif old.kind == "number":
        yield from _number_doubts(old, new)
    elif old.kind == "list":
        marks = [mark for mark in new.patterns if mark not in old.patterns]
        if marks and not _are_elements(one, column):
            yield f"has {marks[0]!r} in a list's only item, which none had: it may be several"
    elif old.kind == "text":
        yield from _text_doubts(one, new, column, others)


def nulls_differ(old: FieldFigures, new: FieldFigures) -> bool:
    """Tell whether values are absent more or less often than chance explains."""
    if new.count <= 1:
        return False
    before, now = old.nulls / max(1, old.count), new.nulls / new.count
    if old.count < 3 or before == 1:
        return old.nulls == 0 and new.nulls > 0
    if new.nulls == new.count:
        return before**new.count < 0.02
    pooled = (old.nulls + new.nulls + 1) / (old.count + new.count + 2)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / old.count + 1 / new.count))
    return abs(before - now) > 3.5 * spread


def _number_doubts(old: FieldFigures, new: FieldFigures) -> Iterator[str]:
    if old.count - old.nulls < 3 or old.low is None or old.high is None or new.middle is None:
        return
    far = 10 if new.count > 1 else 1000
    wide = max(abs(old.high), abs(old.low), 1.0) * far
    if not -wide <= new.middle <= wide or (old.low > 0 and new.middle < old.low / far):
        yield f"is about {new.middle:g}, where it was between {old.low:g} and {old.high:g}"


def _text_doubts(
    one: FieldRecipe, new: FieldFigures, column: Sequence[JsonValue], others: Container[str]
) -> Iterator[str]:
    old = one.figures
    known = old.count - old.nulls
    if new.count > 1 and (hollow := HOLLOW_SPELLINGS.intersection(column).difference(old.common)):
        yield f"is {min(hollow)!r} in a record, which may say that there is none"
    if known < 3:
        first = next((value for value in column if isinstance(value, str) and value), "")
        if known == 2 and _are_coded(old) and first and pattern_of(first)[0] != old.patterns[0][0]:
            yield f"begins like {first[:40]!r}, where it began like {old.common[0]!r}"
        return
    if new.shortest > 4 * old.longest or new.longest * 4 < old.shortest:
        yield f"has {new.shortest} to {new.longest} characters, where it had {old.shortest} to {old.longest}"
    is_regular = _are_coded(old) or (len(old.patterns) <= 3 and known >= 8)
    texts = [value for value in column if isinstance(value, str)] if is_regular else []
    looked_at = texts[:: max(1, len(texts) // _LOOKED_AT)]
    strange = [value for value in looked_at if pattern_of(value) not in old.patterns]
    if len(strange) > 0.5 * len(looked_at):
        yield f"is written like {strange[0]!r}, where it was like {old.common[0]!r}"
    elif known >= _ENOUGH_TEXTS and _are_written_anew(column, old.patterns):
        yield f"is written like {column[0]!r} in all records, and was in none"
    if not one.selectors[0].is_strong and known >= 8 and old.distinct <= 0.7 * known:
        seen = set(old.common)
        forms = {pattern for pattern in old.patterns if "9" in pattern and pattern not in others}
        fresh = [text for text in column if isinstance(text, str) and text[:80] not in seen]
        # days and counts are other ones on each page: written as no other field's, at a counted place, they may be
        fresh = [text for text in fresh if not one.selectors[0].counts or pattern_of(text) not in forms]
        if len(fresh) > 0.6 * (new.count - new.nulls):
            yield "has other values than it had, and stands only by its place"


def _are_coded(old: FieldFigures) -> bool:
    """Tell whether all texts were written alike, with a figure or a sign first."""
    return len(old.patterns) == 1 and not old.patterns[0].startswith("a")


def _are_written_anew(column: Sequence[JsonValue], patterns: Container[str]) -> bool:
    """Tell whether all of several texts are written alike, with digits ("Lot 12") or without letters, as none was."""
    first = pattern_of(column[0]) if len(column) >= _ENOUGH_ALIKE and isinstance(column[0], str) else ""
    if not first or first in patterns or ("9" not in first and "a" in first):
        return False
    return all(isinstance(value, str) and pattern_of(value) == first for value in column[:_LOOKED_AT])


def _order_doubts(recipe: Recipe, values: Sequence[Sequence[JsonValue]]) -> Iterator[str]:
    for low, high in recipe.orders:
        if _is_turned(values[low], values[high]):
            yield f"{recipe.fields[low].steps} was never above {recipe.fields[high].steps}, and now mostly is"


def _is_turned(low: Sequence[JsonValue], high: Sequence[JsonValue]) -> bool:
    """Tell whether the lower one of two numbers is the higher one in more records than not.

    Two fields that have changed places are in nearly all; an order that was chance is broken in some.
    """
    lows, highs = _numbers_in(low, high)
    above = sum(map(gt, lows, highs))
    return above > 0 and 2 * above > sum(map(ne, lows, highs))


def orders_after(recipe: Recipe, values: Sequence[Sequence[JsonValue]]) -> list[tuple[int, int]]:
    """Give the orders but for those that a page, read right, has turned; those that tell two fields apart stay."""
    strong = {at for at, one in enumerate(recipe.fields) if one.selectors and one.selectors[0].is_strong}
    return [
        pair for pair in recipe.orders if strong.isdisjoint(pair) or not _is_turned(values[pair[0]], values[pair[1]])
    ]


def _numbers_in(low: Sequence[JsonValue], high: Sequence[JsonValue]) -> tuple[Sequence[float], Sequence[float]]:
    """Give the values of two fields, of the records that have a number in both."""
    if _NUMBERS.issuperset(map(type, low)) and _NUMBERS.issuperset(map(type, high)):
        return cast(Any, (low, high))
    pairs = zip(low, high, strict=True)
    kept = [pair for pair in pairs if type(pair[0]) in _NUMBERS and type(pair[1]) in _NUMBERS]
    return cast(Any, ([one for one, _ in kept], [other for _, other in kept]))


def _as_floats(numbers: Sequence[int | float]) -> list[float]:
    """Give finite floats: the figures are kept as JSON."""
    if min(numbers) < -_FARTHEST or max(numbers) > _FARTHEST:
        numbers = [max(-_FARTHEST, min(_FARTHEST, number)) for number in numbers]
    return list(map(float, numbers))


def orders_of(values: Sequence[Sequence[JsonValue]]) -> list[tuple[int, int]]:
    """Give the pairs of number fields of which the first is never above the second."""
    numeric = [at for at, column in enumerate(values) if figures_of(column).kind == "number"]
    found: list[tuple[int, int]] = []
    for low in numeric:
        for high in numeric:
            lows, highs = _numbers_in(values[low], values[high])
            if low != high and len(lows) >= 5 and all(map(le, lows, highs)):
                found.append((low, high))
    return found


def can_be_told_apart(fields: Sequence[FieldRecipe], values: Sequence[Sequence[JsonValue]] = ()) -> bool:
    """Tell whether no two fields that go by place only could change places unnoticed.

    ``values`` are those of each field: two numbers of which one is nearly always the lower one would be noticed.
    """
    ordered = {frozenset(pair) for pair in orders_of(values) if _is_strict(*(values[at] for at in pair))}
    weak = [at for at, one in enumerate(fields) if one.selectors and not one.selectors[0].is_strong]
    for number, at in enumerate(weak):
        for other in weak[number + 1 :]:
            figures, others = fields[at].figures, fields[other].figures
            is_alike = figures.kind == others.kind and not _are_distinct(figures, others)
            if is_alike and frozenset((at, other)) not in ordered and not _are_led_apart(fields[at], fields[other]):
                return False
    return True


def _are_led_apart(one: FieldRecipe, other: FieldRecipe) -> bool:
    """Tell whether each of two fields has words of its own before its values, in the same text or in its own."""
    firsts, seconds = (_leads(each.selectors[0]) for each in (one, other))
    if not all(map(_WORDS.search, firsts | seconds)):
        return False
    return not any(first.endswith(second) or second.endswith(first) for first in firsts for second in seconds)


def _leads(selector: FieldSelector) -> set[str]:
    """Give what stands before the values that a selector reads."""
    return leads_of(selector.phrase, selector.slot) if selector.phrase else {selector.prefix}


def _is_strict(lows: Sequence[JsonValue], highs: Sequence[JsonValue]) -> bool:
    first, second = _numbers_in(lows, highs)
    return sum(map(ne, first, second)) > 0.5 * len(first)


def _are_distinct(one: FieldFigures, other: FieldFigures) -> bool:
    if one.kind == "number" and None not in (one.low, one.high, other.low, other.high):
        return float(str(one.high)) < float(str(other.low)) or float(str(other.high)) < float(str(one.low))
    if one.kind != "text":
        return False
    if differ_in_length(one, other) or differ_in_length(other, one):
        return True
    if not set(one.patterns) & set(other.patterns) and min(len(one.patterns), len(other.patterns)) <= 3:
        return True
    is_listed = [each.distinct <= 0.7 * (each.count - each.nulls) for each in (one, other)]
    return any(is_listed) and not set(one.common) & set(other.common)
