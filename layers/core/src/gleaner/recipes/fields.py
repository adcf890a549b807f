"""The fields of records: what their values are in each container, and the selectors that read all of them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from gleaner.coercion.dates import is_day
from gleaner.contracts.ports import JsonValue
from gleaner.recipes.absence import Claims
from gleaner.recipes.boxes import Box
from gleaner.recipes.columns import Wanted, candidate_columns, fit_column, fit_field, rest_selectors
from gleaner.recipes.cuts import fixed_cuts
from gleaner.recipes.decoding import Memory
from gleaner.recipes.disowning import with_shares
from gleaner.recipes.drift import can_be_told_apart, figures_of, orders_of
from gleaner.recipes.flags import is_flag, telling
from gleaner.recipes.lists import list_selectors
from gleaner.recipes.markers import OWN_TEXT, icons_of
from gleaner.recipes.model import NAMING_TAGS, Columns, FieldRecipe, FieldSelector, Recipe, RecordSelector
from gleaner.recipes.parting import with_parts
from gleaner.recipes.phrase_learning import phrase_selectors
from gleaner.recipes.readers import Reader
from gleaner.recipes.strays import with_sides
from gleaner.recipes.templates import find_templates, part_by_template, text_of_box
from gleaner.schemas import declared_properties

_ALTERNATIVES = 3
_MOST_NOISE = 100
_FEWEST_LED = 2
_DIGIT = re.compile(r"\d")
Schema = dict[str, Any] | bool


def fields_of(schema: Schema, records: Sequence[JsonValue]) -> list[Wanted]:
    """Give the fields of the records: their scalars through objects, and their lists as a whole.

    A property that the schema declares and no record has is a field that was never seen.
    """
    names: dict[tuple[str, ...], None] = {}
    for record in records:
        for steps, _ in _walk(record):
            names.setdefault(steps)
    if any(isinstance(record, dict) for record in records):
        for name in declared_properties(schema):
            if not any(steps[0] == name for steps in names if steps):
                names.setdefault((name,))
    leaves = [steps for steps in names if not any(other != steps and other[: len(steps)] == steps for other in names)]
    return [
        Wanted(
            steps,
            _schema_at(schema, steps),
            [_value_at(record, steps) for record in records],
            is_omitted=any(_leaves_out(record, steps) for record in records),
        )
        for steps in leaves
    ]


def without_zeros(fields: Sequence[Wanted]) -> list[Wanted]:
    """Give the fields with null in place of 0 where all are counts: pages leave that out. Empty when there is no 0."""
    counts = [at for at, one in enumerate(fields) if {type(value) for value in one.values} == {int}]
    bare = [at for at in counts if 0 < fields[at].values.count(0) < len(fields[at].values)]
    made = [*fields]
    for at in bare:
        made[at] = replace(fields[at], values=[value or None for value in fields[at].values], is_zero_unsaid=True)
    return made if bare else []


def _walk(value: JsonValue, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(inner, (*steps, name))
    else:
        yield steps, value


def _leaves_out(record: JsonValue, steps: Sequence[str]) -> bool:
    """Tell whether a record has no property there, rather than null."""
    for step in steps:
        if not isinstance(record, dict) or step not in record:
            return True
        record = record[step]
    return False


def _value_at(value: JsonValue, steps: Sequence[str]) -> JsonValue:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _schema_at(schema: Schema, steps: Sequence[str]) -> Schema:
    for step in steps:
        schema = declared_properties(schema).get(step, True)
    return schema


def captions_of(boxes: Sequence[Box], fields: Sequence[Wanted]) -> frozenset[str]:
    """Give the texts that are nobody's value, and labels without a colon.

    They stand in many containers, or before each value of a field that may be absent, and nowhere else.
    """
    values = {str(value) for one in fields for value in one.values if value is not None}
    counts: Counter[str] = Counter()
    leading: dict[str, list[tuple[int, str]]] = {}
    for at, box in enumerate(boxes):
        texts = {text for _, text in box.pieces}
        for (_, text), (_, after) in pairwise(box.pieces):
            leading.setdefault(text, []).append((at, after))
        heads = {
            head
            for text in texts
            for head, blank, rest in (text.partition(" "),)
            if blank and not rest[0].isalpha() and not is_day(text)
        }
        counts.update(texts | heads)
    least = max(2, 0.3 * len(boxes))
    words = {
        word
        for one in fields
        for value in one.values
        if isinstance(value, bool)
        for word in ("in stock", "out of stock")
    }
    return frozenset(
        text
        for text, count in counts.items()
        if (count >= least or _leads_to_one(leading.get(text, ()), count, fields))
        and text not in values
        and text.isascii()
        and text[0].isalpha()
        and len(text) <= 30
        and text.lower() not in words
        and not any(value.startswith(text + " ") for value in values)
    )


def _leads_to_one(found: Sequence[tuple[int, str]], count: int, fields: Sequence[Wanted]) -> bool:
    """Tell whether a text stands before each value of a field that may be absent, and nowhere else."""
    if count < _FEWEST_LED or len(found) != count:
        return False
    after = dict(found)
    return any(
        [at for at, value in enumerate(one.values) if value is not None and value != []] == [*after]
        and all(_may_say(text, one.values[at]) for at, text in found)
        for one in fields
    )


def _may_say(text: str, value: JsonValue) -> bool:
    if isinstance(value, bool | list | dict):
        return False
    return value == text or bool(_DIGIT.search(text) and _DIGIT.search(str(value)))


@dataclass(frozen=True, slots=True)
class Learned:
    """Fields with what reads them, and the selectors that go by the type of their values."""

    wanted: list[Wanted]
    fields: list[FieldRecipe]
    rivals: list[FieldSelector]


def learn_fields(
    fields: list[Wanted],
    boxes: Sequence[Box],
    base: str,
    columns: Columns | None = None,
    *,
    of_pages: Sequence[Wanted] = (),
) -> Learned | None:
    """Give what reads every field in all containers; None when a value of one can't be read.

    ``columns`` are the texts that selectors read, if they are known. ``of_pages`` are all fields of a few pages about
    one thing each: what goes by their values is left out.
    """
    columns = candidate_columns(boxes, fields=fields) if columns is None else columns
    said = frozenset(map(str, _items_of(fields)))
    fitted = [[each for each in fit(one, boxes, columns, base) if not _goes_by_value(each, said)] for one in fields]
    if of_pages:
        fitted = [
            [each for each in found if not each.is_strong or is_general(each, of_pages, one)]
            for one, found in zip(fields, fitted, strict=True)
        ]
        fitted = [
            telling(one, found, boxes) if is_flag(one) else found for one, found in zip(fields, fitted, strict=True)
        ]
    rivals = [one for found in fitted if (one := next(filter(_tells_its_texts, found), None))]
    for one, found in zip(fields, fitted, strict=True):
        if not any(selector.is_strong for selector in found):
            others = [Reader(rival, base) for rival in rivals if rival not in found]
            found.extend(rest_selectors(one, boxes, others, base))
    if any(_lacks(one, found) for one, found in zip(fields, fitted, strict=True)):
        lacking = [at for at, (one, found) in enumerate(zip(fields, fitted, strict=True)) if _is_loose(one, found)]
        parted = [at for at, found in enumerate(fitted) if found and all(one.mark or one.nothing for one in found)]
        for at, found in phrase_selectors(fields, lacking, columns, boxes, base, others=parted).items():
            fitted[at] = found
    if any(_lacks(one, found) for one, found in zip(fields, fitted, strict=True)):
        for at, selector in template_selectors(fields, boxes, base).items():
            fitted[at] = fitted[at] or [selector]
    if any(_lacks(one, found) for one, found in zip(fields, fitted, strict=True)):
        return None
    return Learned(fields, [field_recipe(one, found) for one, found in zip(fields, fitted, strict=True)], rivals)


def _tells_its_texts(selector: FieldSelector) -> bool:
    """Tell whether a text is known as a field's wherever it stands: by its type, or by the words in it."""
    words = selector.prefix + selector.suffix
    is_worded = selector.kind == "worded" and not (selector.presence or selector.many or selector.attribute)
    return selector.kind == "typed" or (is_worded and any(map(str.isalpha, words)))


def _goes_by_value(selector: FieldSelector, said: frozenset[str]) -> bool:
    """Tell whether what a selector takes for a label is a value of a record: of another one it will be another."""
    return selector.kind in ("label", "beside", "behind") and selector.value.removeprefix(OWN_TEXT) in said


def _items_of(fields: Sequence[Wanted]) -> Iterator[JsonValue]:
    """Give all values of fields, of lists their items; no nulls."""
    for one in fields:
        for value in one.values:
            yield from (item for item in (value if isinstance(value, list) else [value]) if item is not None)


def _lacks(one: Wanted, found: Sequence[FieldSelector]) -> bool:
    return not found and any(value is not None and value != [] for value in one.values)


def _is_loose(one: Wanted, found: Sequence[FieldSelector]) -> bool:
    """Tell whether a field has no selector, or only what others leave."""
    return _lacks(one, found) or (bool(found) and all(each.kind == "rest" for each in found))


def template_selectors(fields: Sequence[Wanted], boxes: Sequence[Box], base: str) -> dict[int, FieldSelector]:
    """Give the slots of one sentence that all records are, for the fields that it states; none when there is none."""
    texts = [text_of_box(box) for box in boxes]
    stated = [at for at, one in enumerate(fields) if not one.is_list and None not in one.values]
    stated = [at for at in stated if next(find_templates(texts[0], [fields[at].values[0]]), None)]
    for template, slots in find_templates(texts[0], [fields[at].values[0] for at in stated]):
        parts = [parted for text in texts if (parted := part_by_template(template, text))]
        if len(parts) < len(texts):
            continue
        found = {
            at: fit_column(
                FieldSelector(kind="template", value=template, nth=slot),
                [parted[slot] for parted in parts],
                fields[at],
                base,
                fixed_cuts,
            )
            for at, slot in zip(stated, slots, strict=True)
        }
        fitting = {at: selector for at, selector in found.items() if selector is not None}
        if len(fitting) == len(found):
            return fitting
    return {}


def fit(one: Wanted, boxes: Sequence[Box], columns: Columns, base: str) -> list[FieldSelector]:
    """Give the selectors that read the field in all containers, best first; none for one that was never seen."""
    if all(value is None or value == [] for value in one.values):
        return []
    if one.is_list:
        return list_selectors(one, boxes, base)
    return fit_field(one, boxes, columns, base)


def field_recipe(one: Wanted, found: Sequence[FieldSelector], *, loose: bool = False) -> FieldRecipe:
    """Give the field with its best selectors and what its values look like."""
    return FieldRecipe(
        steps=one.steps,
        selectors=best(found),
        figures=figures_of(one.values),
        loose=loose,
        omitted=one.is_omitted,
        zero=one.is_zero_unsaid,
        types=() if found else one.transforms,
        empty=all(value == [] or (value is False and not found) for value in one.values),
    )


def is_general(selector: FieldSelector, fields: Sequence[Wanted], wanted: Wanted) -> bool:
    """Tell whether a selector goes by what a page says of a value, and not by values of the one page that has one."""
    texts = [str(item) for item in _items_of(fields) if not isinstance(item, bool)]
    is_of_one_page = sum(value is not None and value != [] for value in wanted.values) <= 1
    if not selector.is_strong or (
        selector.kind in ("label", "beside") and is_of_one_page and _DIGIT.search(selector.value)
    ):
        return False
    if selector.kind == "tag" and selector.tag in NAMING_TAGS:
        return False
    said = (selector.value, selector.prefix, selector.suffix)
    figures = re.sub(r"\D", "", selector.value) if selector.kind in ("label", "beside") else ""
    if len(figures) > 1 and any(re.sub(r"\D", "", text) == figures for text in texts):
        return False
    return not any(len(text) > 1 and text in part for text in texts for part in said) and not _is_inside_one(
        selector, texts
    )


def _is_inside_one(selector: FieldSelector, texts: Sequence[str]) -> bool:
    """Tell whether the words around a value are those of a single other value: "Larch jug, pack of " of a name."""
    begin, end = selector.prefix, selector.suffix
    if not any(map(str.isalpha, begin + end)):
        return False
    return len({text for text in texts if text.startswith(begin) and text.endswith(end)}) == 1


def best(found: Sequence[FieldSelector]) -> list[FieldSelector]:
    """Keep a few selectors of different kinds, most trusted first."""
    kept: dict[tuple[str, str], FieldSelector] = {}
    for selector in found:
        kept.setdefault((selector.kind, "" if selector.kind != "attribute" else selector.name), selector)
    return list(kept.values())[:_ALTERNATIVES]


def recipe_of(selectors: list[RecordSelector], learned: Learned, boxes: Sequence[Box]) -> Recipe:
    """Give a recipe of fields in containers."""
    return Recipe(
        pointer=None,
        record=selectors,
        fields=with_parts(learned.fields, boxes),
        rivals=learned.rivals,
        labels=sorted({label for box in boxes for label, _ in box.pieces if label}),
        icons=sorted(set[str]().union(*(icons_of(learned.fields, box) for box in boxes))),
        orders=orders_of([one.values for one in learned.wanted]),
        shapes=sorted({box.shape for box in boxes}),
        records=len(boxes),
        transferable=can_be_told_apart(learned.fields, [one.values for one in learned.wanted]),
    )


def with_absence(recipe: Recipe, learned: Learned, boxes: Sequence[Box], base: str) -> Recipe:
    """Note the texts that were nobody's, and the fields that such texts could still be values of."""
    rows = [[one.values[at] for one in learned.wanted] for at in range(len(boxes))]
    memory = Memory(base)
    claims = Claims(recipe.fields, base, recipe.labels, (), memory)
    counts = Counter(
        text for box, cells in zip(boxes, rows, strict=True) for _, text in dict.fromkeys(claims.unclaimed(box, cells))
    )
    noise = sorted(text for text, count in counts.items() if count >= max(2, 0.05 * len(boxes)))[:_MOST_NOISE]
    claims = Claims(recipe.fields, base, recipe.labels, noise, memory)
    read = list(zip(boxes, rows, strict=True))
    fields = [
        one.model_copy(update={"loose": any(claims.could_hold(at, box, cells) for box, cells in read)})
        for at, one in enumerate(recipe.fields)
    ]
    free = any(next(claims.unclaimed(box, cells), None) for box, cells in read)
    values = [one.values for one in learned.wanted]
    fields = with_shares(fields, values, boxes, memory)
    fields = with_sides(fields, recipe.rivals, values, boxes, memory)
    return recipe.model_copy(update={"fields": fields, "noise": noise, "accounted": not free})
