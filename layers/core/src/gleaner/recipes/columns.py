"""Which selectors read a field right in every container where its value is known."""

import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lxml.html import HtmlElement

from gleaner.coercion import transforms_for
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.numbers.conventions import day_comes_first
from gleaner.recipes.between import between_cuts
from gleaner.recipes.boxes import Box, squeeze, text_of
from gleaner.recipes.cuts import Cuts, fixed_cuts, marked_cuts, no_cuts, part_cuts, worded_cuts
from gleaner.recipes.decoding import NOTHING, Cell, Unread
from gleaner.recipes.empty_texts import texts_for_nothing, texts_for_zero
from gleaner.recipes.finders import steps_of
from gleaner.recipes.lengths import length_transform
from gleaner.recipes.locators import candidates, counted, deeper, hashed, headings
from gleaner.recipes.model import Columns, FieldSelector
from gleaner.recipes.notations import in_notations, in_other_words
from gleaner.recipes.readers import Reader
from gleaner.recipes.text_lines import LINE
from gleaner.recipes.told_words import in_words
from gleaner.recipes.unit_learning import with_units
from gleaner.recipes.unreadable import Unreadable
from gleaner.recipes.wordings import presence_selectors, worded_selectors

_SAMPLES = 8
_FORMS = {
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "date_time": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?"),
}
_MOST_LEFT = 8
_ENOUGH_MARKS = 2
_MARKED = frozenset(("attribute", "class", "column", "within"))
_DIGIT = re.compile(r"\d")
_RANK = {
    kind: rank
    for rank, kind in enumerate(
        (
            *("attribute", "class", "column", "label", "beside", "typed", "worded", "linked", "behind", "within"),
            *("self", "tag", "heading", "rest", "template", "path", "placed"),
        )
    )
}


Readings = Callable[[FieldSelector, Sequence[tuple[str, JsonValue]], "Wanted"], Iterator[FieldSelector]]


@dataclass(frozen=True)
class Wanted:
    """A field to learn: its steps, the schema of its value, and its value in each container.

    ``is_omitted`` when some records leave it out, ``is_zero_unsaid`` when null stands for 0.
    """

    steps: tuple[str, ...]
    schema: Any
    values: list[JsonValue]
    is_omitted: bool = False
    is_zero_unsaid: bool = False

    @cached_property
    def is_list(self) -> bool:
        """Whether its values are lists."""
        return any(isinstance(value, list) for value in self.values)

    @cached_property
    def transforms(self) -> tuple[str, ...]:
        """The declared transforms that may make a text such a value."""
        schema = self.schema
        if self.is_list and isinstance(schema, dict):
            definitions = {name: schema[name] for name in ("$defs", "definitions") if name in schema}
            items = schema.get("items", True)
            schema = {**definitions, **items} if isinstance(items, dict) else items
        names = tuple(name for name in transforms_for(schema) if name not in ("null", "string", "trim"))
        if "quantity" in names:
            return (*length_transform(self.steps), *names)
        return names or self._as_written

    @property
    def _as_written(self) -> tuple[str, ...]:
        """The transform for values that are days or times as RFC 3339 writes them, where the schema has no format."""
        known = [value for value in self.values if value is not None]
        return tuple(
            name
            for name, form in _FORMS.items()
            if known and all(isinstance(value, str) and form.fullmatch(value) for value in known)
        )


def candidate_columns(
    boxes: Sequence[Box], places: Container[HtmlElement] | None = None, fields: Sequence[Wanted] = ()
) -> Columns:
    """Give the texts that each possible selector reads in each container; of elements in ``places`` only, if given.

    Selectors are those of some containers, among them one at least with a value of each of the ``fields``.
    """
    ranked = sorted(range(len(boxes)), key=lambda at: -len(boxes[at].inside))
    chosen = dict.fromkeys([*ranked[: _SAMPLES // 2], *range(0, len(boxes), max(1, len(boxes) // _SAMPLES))])
    for one in fields:
        shown = [at for at, value in enumerate(one.values) if value is not None]
        chosen |= dict.fromkeys(shown[:1] if chosen.keys().isdisjoint(shown) else ())
    selectors = dict.fromkeys(selector for at in chosen for selector in candidates(boxes[at], places))
    columns: dict[FieldSelector, list[str | None]] = {}
    for selector in selectors:
        texts = [_raw(Reader(selector), box) for box in boxes]
        if any(text is not None for text in texts):
            columns[selector] = texts
    return columns


def _raw(reader: Reader, box: Box) -> str | None:
    try:
        return reader.text(box)
    except Unreadable as error:
        return f"\x00{error}"


def fit_field(wanted: Wanted, boxes: Sequence[Box], columns: Columns, base_url: str) -> list[FieldSelector]:
    """Give the selectors that give exactly the wanted values, most trusted first."""
    found = [*_fitted(wanted, columns, base_url, fixed_cuts), *_typed(wanted, boxes, base_url)]
    # where it is absent, the only text of its type may be another field's: words around it tell
    if not any(one.is_strong and one.kind != "typed" for one in found):
        found += presence_selectors(wanted.values, columns, boxes)
        found += _fitted(wanted, read_all(worded_selectors(wanted.values, boxes), boxes), base_url, no_cuts)
    if not any(one.is_strong and not is_first_of_several(one, boxes) for one in found):
        inner = read_all(deeper(wanted.values, boxes), boxes)
        found += _fitted(wanted, inner, base_url, fixed_cuts) or _fitted(wanted, inner, base_url, marked_cuts)
    if not any(one.is_strong for one in found):
        found += _fitted(wanted, columns, base_url, marked_cuts) or _fitted(wanted, columns, base_url, part_cuts)
    else:  # where a place stands for the value and for something else, it is the place that is wrong
        found = [one for one in found if one.is_strong or not one.nothing]
    if not found:
        parts = {one: texts for one, texts in columns.items() if one.kind != "self"}
        found = _fitted(wanted, parts, base_url, no_cuts, _in_notations)
    if not found:
        found = _fitted(wanted, dict(sorted(columns.items(), key=_length)), base_url, between_cuts)[:1]
        found = found or _fitted(wanted, columns, base_url, worded_cuts)
    if not found:
        above = read_all(headings(wanted.values, boxes), boxes)
        found = _fitted(wanted, above, base_url, fixed_cuts) or _fitted(wanted, above, base_url, worded_cuts)
    if not found:
        found = fit_hashed(wanted, boxes, base_url)
    found = [counted(one, boxes) for one in _without_chance(found, wanted, boxes)]
    return sorted((one for one in found if not is_shifting(one)), key=trust)


def is_shifting(one: FieldSelector) -> bool:
    """Tell whether a line, or an element of its make, is named by its number among more or fewer such ones.

    A new one would move it unnoticed.
    """
    steps = zip(steps_of(one.value), one.counts, strict=False) if one.kind == "path" else ()
    return any((step.tag == LINE or step.is_by_make) and len(seen) > 1 for step, seen in steps)


def is_first_of_several(one: FieldSelector, boxes: Sequence[Box]) -> bool:
    """Tell whether a tag names an element only as the first one of its tag."""
    return one.kind == "tag" and any(len(box.by_tag.get(one.tag, ())) > 1 for box in boxes)


def _length(column: tuple[FieldSelector, list[str | None]]) -> int:
    return sum(len(text or "") for text in column[1])


def trust(one: FieldSelector) -> tuple[bool, int, bool, int]:
    """Give what selectors are sorted by, the most trusted first."""
    return not one.is_strong, _RANK[one.kind], bool(one.prefix or one.suffix or one.mark), one.nth


def _fitted(
    wanted: Wanted, columns: Columns, base_url: str, cuts: Cuts, readings: Readings | None = None
) -> list[FieldSelector]:
    fitted = (
        fit_column(selector, texts, wanted, base_url, cuts, readings=readings) for selector, texts in columns.items()
    )
    return [one for one in fitted if one is not None]


def _without_chance(found: list[FieldSelector], wanted: Wanted, boxes: Sequence[Box]) -> list[FieldSelector]:
    """Leave out the bare text before a value, and the place of one that comes and goes, where marks say where it is.

    So is what stands beside it another value, and no label, where that has a figure or is a link: "No comments".
    """
    if any(one.kind in _MARKED and not (one.prefix or one.suffix) for one in found):
        links = {text for box in boxes[:_SAMPLES] for link in box.by_tag.get("a", ()) if (text := text_of(link))}
        found = [one for one in found if not _is_beside_a_value(one, links)]
    if sum(one.kind in ("attribute", "class", "within") for one in found) < _ENOUGH_MARKS:
        return found
    captions = frozenset[str]().union(*(box.captions.captions for box in boxes[:1]))
    kept = [one for one in found if one.kind != "label" or one.value not in captions]
    return [one for one in kept if one.kind != "path"] if None in wanted.values else kept


def _is_beside_a_value(selector: FieldSelector, links: Collection[str]) -> bool:
    """Tell whether what an element is known by, or cut off from, is written as values are: with a figure, as a link."""
    said = (selector.prefix, selector.suffix, selector.value if selector.kind == "beside" else "")
    return any(_DIGIT.search(words) or any(len(text) > 2 and text in words for text in links) for words in said)


def fit_hashed(wanted: Wanted, boxes: Sequence[Box], base_url: str) -> list[FieldSelector]:
    """Give selectors by class names that a build tool made: right until the site is built anew, and then gone."""
    return _fitted(wanted, read_all(hashed(wanted.values, boxes), boxes), base_url, fixed_cuts)


def read_all(selectors: Sequence[FieldSelector], boxes: Sequence[Box]) -> Columns:
    """Give the texts that selectors read in each container."""
    return {one: [_raw(Reader(one), box) for box in boxes] for one in selectors}


def fit_column(
    selector: FieldSelector,
    texts: Sequence[str | None],
    wanted: Wanted,
    base_url: str,
    cuts: Cuts,
    *,
    readings: Readings | None = None,
) -> FieldSelector | None:
    """Give the selector with the cut and the transforms that make its texts the wanted values; None when none does."""
    pairs = list(zip(texts, wanted.values, strict=True))
    if any(text is not None and text.startswith("\x00") for text in texts):
        return None
    if any(value is not None and (text is None or text in NOTHING) for text, value in pairs):
        return None
    zeros = texts_for_zero(pairs)
    known = [(text, value) for text, value in pairs if text is not None and value is not None and text not in zeros]
    if not known:
        return None
    is_sure = selector.is_strong and all(type(value) in (int, float) for _, value in known)
    selector = selector.model_copy(update={"nothing": texts_for_nothing(pairs, 1 if is_sure else 2), "zeros": zeros})
    for cut in cuts(known, reading_as(wanted, base_url)):
        for made in (readings or _readings)(selector.model_copy(update=cut), known, wanted):
            if _reproduces(Reader(made, base_url), pairs):
                return with_units(_narrowed(made, known, base_url), [text for text, _ in known], base_url)
    return None


def reading_as(wanted: Wanted, base_url: str) -> Callable[[str, JsonValue], bool]:
    """Give what tells whether a text reads as a value of the field."""
    made: dict[bool, list[Reader]] = {}

    def reads(text: str, value: JsonValue) -> bool:
        is_text = isinstance(value, str)
        if is_text not in made:
            hints = _hints(not is_text) if wanted.transforms else []
            selectors = [FieldSelector(kind="rest", transforms=wanted.transforms, **each) for each in hints]
            made[is_text] = [Reader(one, base_url) for one in selectors]
        return text == value or any(_reproduces(reader, [(text, value)]) for reader in made[is_text])

    return reads


def _readings(
    selector: FieldSelector, known: Sequence[tuple[str, JsonValue]], wanted: Wanted
) -> Iterator[FieldSelector]:
    if isinstance(known[0][1], str):
        yield selector
        if selector.attribute in ("href", "src", "data-src", "content"):
            yield selector.model_copy(update={"transforms": ("resolve",)})
    names = wanted.transforms
    custom = day_comes_first(" ".join(text for text, _ in known)) if isinstance(known[0][1], str) and names else None
    for hints in _hints(isinstance(known[0][1], int | float), custom) if names else ():
        yield selector.model_copy(update={"transforms": names, **hints})
    if isinstance(known[0][1], str):
        yield from in_other_words(selector, known)
    yield from in_words(selector, known, wanted.steps)


def _in_notations(
    selector: FieldSelector, known: Sequence[tuple[str, JsonValue]], wanted: Wanted
) -> Iterator[FieldSelector]:
    return in_notations(selector, known, wanted.steps, wanted.transforms)


def _narrowed(selector: FieldSelector, known: Sequence[tuple[str, JsonValue]], base_url: str) -> FieldSelector:
    """Keep the transforms that were needed: what needs another one later is something else."""
    if len(selector.transforms) < 2:
        return selector
    singles = {
        name: Reader(selector.model_copy(update={"transforms": (name,)}), base_url) for name in selector.transforms
    }
    used: set[str] = set()
    for text, _ in known:
        used |= set([name for name, reader in singles.items() if reader.accepts(text)][:1])
    return selector.model_copy(update={"transforms": tuple(name for name in selector.transforms if name in used)})


def _reproduces(reader: Reader, pairs: Sequence[tuple[str | None, JsonValue]]) -> bool:
    return all(is_read_as(None if text is None else reader.decoded[text], value) for text, value in pairs)


def same(left: JsonValue, right: JsonValue) -> bool:
    """Tell whether two values are the same to JSON: true is not 1, and 1.0 is 1."""
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, str) and isinstance(right, str):
        return left == right or squeeze(left) == squeeze(right)
    if left == [] or right == []:
        return not left and not right
    return left == right


def _typed(wanted: Wanted, boxes: Sequence[Box], base_url: str) -> Iterator[FieldSelector]:
    """Try the field as the only unlabelled piece of its type."""
    sample = next((value for value in wanted.values if value is not None), None)
    names = tuple(name for name in wanted.transforms if name != "trim")
    if sample is None or not names or (isinstance(sample, str) and names[0] not in ("date", "date_time", "url")):
        return
    said = (text for box in boxes for _, text in box.pieces) if isinstance(sample, str) else ()
    hinted = _hints(not isinstance(sample, str), day_comes_first(" ".join(said)))
    for chosen in [*((name,) for name in names), names]:
        for hints in hinted:
            selector = FieldSelector(kind="typed", transforms=chosen, **hints)
            if gives(Reader(selector, base_url), boxes, wanted.values):
                texts = (Reader(selector).sure_text(box) for box in boxes)
                yield with_units(selector, [text for text in texts if text is not None], base_url)
                return


def _hints(is_numeric: bool, day_first: bool | None = None) -> list[dict[str, Any]]:
    """Give the customs to try; first the one that the dates themselves show, since later ones may show none."""
    if is_numeric:
        return [{"decimal": mark} for mark in (None, ".", ",")]
    return [{"day_first": order} for order in dict.fromkeys((day_first, None, True, False))]


def rest_selectors(
    wanted: Wanted, boxes: Sequence[Box], rivals: Sequence[Reader], base_url: str
) -> Iterator[FieldSelector]:
    """Try the field as what is left of the record's text when the pieces of other fields' types are taken away."""
    if not all(value is None or isinstance(value, str) for value in wanted.values):
        return
    for nth in range(_MOST_LEFT):
        selector = FieldSelector(kind="rest", nth=nth)
        if gives(Reader(selector, base_url, rivals), boxes, wanted.values):
            yield selector
            return


def gives(reader: Reader, boxes: Sequence[Box], values: Sequence[JsonValue]) -> bool:
    """Tell whether a reader gives exactly these values."""
    pairs = zip(map(reader.cell, boxes), values, strict=True)
    return all(is_read_as(cell, value) for cell, value in pairs)


def is_read_as(cell: Cell, value: JsonValue) -> bool:
    """Tell whether a cell could be read, and is this value."""
    return not isinstance(cell, Unread) and same(cell, value)
