"""Nulls beside the very name of their field: in a label of the page or of records, over a column of a table. Pure.

Where other records have a value of the field, ``gleaner.completeness.gaps`` tells more.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

from gleaner.completeness.stated_values import StatedValues
from gleaner.contracts.json_pointers import pointer_of, value_at
from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.regions import Stretches
from gleaner.page.model import Page, Span
from gleaner.page.pairs import Pair
from gleaner.schemas.fields import field_of_leaf
from gleaner.schemas.leaves import Leaf, Steps, field_at
from gleaner.values.fields import Field, VeryNames
from gleaner.values.flags import plain_answer, says_nothing
from gleaner.values.lookups import grouped
from gleaner.values.scanning import scan

_EXCERPT = 80

_SEVERAL = 3
"""Records from which on it is told that none has a field, whatever the page says."""

_DAYS = frozenset(("date", "date-time"))
_SAMPLE, _OFTEN = 20, 0.8
"""Records by which it is told whether they state a value of a kind that no field has, and the share that must."""


def find_named(values: StatedValues, nulls: Sequence[Steps], page: Page) -> Iterator[str]:
    """Say which fields no object of a result has a value of, though the page has one beside their very name.

    What stands there must be a value of the field's type, and the name no other field's of the object. A field that
    several records all lack is told in any case: whoever reads thousands of them does not see it.
    """
    nulls_by_field = grouped((field_at(steps), steps) for steps in nulls)
    seen = _Seen(values, page)
    for name, found in nulls_by_field.items():
        if name in values.by_field or name[-1] == "*" or name[:-1].count("*") > 1:
            continue
        if "*" not in name:
            own = _field_of(values, found[0])
            said = {pair.cell.text: pair.label for pair in seen.labels(seen.names(found[0])).get(own, ())}
            if len(said) == 1 and _is_value(own, text := next(iter(said))):
                yield f'{pointer_of(found[0])} has no value; the page says "{said[text]}: {text[:_EXCERPT]}"'
        elif len(found) > 1:
            stated = seen.in_records(found)
            if stated or len(found) == len(_objects(values, found[0])) >= _SEVERAL:
                yield f"{pointer_of(name)} has no value in {len(found)} records{stated and f'; {stated}'}"


def find_refused(values: StatedValues, page: Page) -> Iterator[str]:
    """Say of which fields the proof refused all values of several records, though the page states some in these.

    Then the model misread a column, or the proof did: in both cases it is not read.
    """
    nulls = grouped((field_at(steps), steps) for steps in values.nulls)
    seen = _Seen(values, page)
    for name, found in nulls.items():
        refused = [steps for steps in found if values.removed.get(steps)]
        if name in values.by_field or name.count("*") != 1 or name[-1] == "*" or len(refused) < _SEVERAL:
            continue
        if len(found) == len(_objects(values, found[0])) and (stated := seen.in_records(found)):
            yield f"{pointer_of(name)}: none of {len(refused)} values is proven; {stated}"


def find_empty(values: StatedValues, told: Set[str]) -> Iterator[str]:
    """Say which lists are empty wherever they stand, but for those at the pointers ``told``, and what was refused."""
    lists = grouped((field_at(steps), (steps, value)) for steps, value, _ in values.lists)
    for name, found in lists.items():
        pointers = [pointer_of(steps) for steps, _ in found]
        is_known = not told.isdisjoint(pointers) or any(values.removed.get(steps) for steps, _ in found)
        if not is_known and not any(value for _, value in found):
            yield f"{pointer_of(name)} is empty in {len(found)} records" if found[1:] else f"{pointers[0]} is empty"


def _objects(values: StatedValues, steps: Steps) -> Sequence[JsonValue]:
    """Give the objects of the list in which a field stands."""
    found = value_at(values.data, pointer_of(steps[: field_at(steps).index("*")]))
    return found if isinstance(found, list) else []


def _field_of(values: StatedValues, steps: Steps) -> Field:
    return field_of_leaf(Leaf(pointer_of(steps), steps, field_at(steps), None, values.views.of(field_at(steps))))


def _is_value(field: Field, text: str) -> bool:
    """Tell whether a text may be a value of a field: of a choice, one of the choices; what is no text has a figure."""
    if says_nothing(text):
        return False
    if field.choices:
        return text.casefold() in {str(choice).casefold() for choice in field.choices}
    if field.kind == "boolean":
        return plain_answer(text) is not None
    return field.kind == "text" or any(map(str.isdecimal, text))


class _Seen:
    """What a page says beside the names of fields, each worked out once."""

    def __init__(self, values: StatedValues, page: Page) -> None:
        self.values, self.page = values, page
        self._names: dict[Steps, VeryNames] = {}
        self._labels: dict[VeryNames, Mapping[Field | None, Sequence[Pair]]] = {}

    def names(self, steps: Steps) -> VeryNames:
        """Give the names of a field and of all others of its object, those that it lacks too."""
        owner = steps[:-1]
        kind = field_at(owner)
        if kind not in self._names:
            found = value_at(self.values.data, pointer_of(owner))
            members = {*self.values.views.members(kind), *(found if isinstance(found, dict) else ())}
            self._names[kind] = VeryNames(_field_of(self.values, (*owner, step)) for step in members)
        return self._names[kind]

    def labels(self, names: VeryNames) -> Mapping[Field | None, Sequence[Pair]]:
        """Give the labels of the page with their values, by the field that each names alone."""
        if names not in self._labels:
            self._labels[names] = grouped((names.alone(pair.label), pair) for pair in self.page.pairs)
        return self._labels[names]

    def in_records(self, nulls: Sequence[Steps]) -> str:
        """Say what stands in records beside the very name of a field that they lack, or is of its kind; "" if nothing.

        ``nulls`` are the steps to the field in each of the records.
        """
        own, names = _field_of(self.values, nulls[0]), self.names(nulls[0])
        places = sorted(place for one in nulls if (place := self.values.region(self.values.record_of(one))))
        regions = Stretches(places)
        found = chain(self.cells(own, names, regions), self.in_labels(own, names, regions), self.of_kind(own, places))
        return next(found, "")

    def in_labels(self, own: Field, names: VeryNames, regions: Stretches) -> Iterator[str]:
        """Say what stands in records beside the labels that a field names alone."""
        for pair in self.labels(names).get(own, ()):
            span = self.page.nodes.span(pair.node) if _is_value(own, pair.cell.text) else None
            if span and regions.touch(*span):
                yield f'the label "{pair.label}" says "{pair.cell.text[:_EXCERPT]}"'

    def cells(self, own: Field, names: VeryNames, regions: Stretches) -> Iterator[str]:
        """Say what the first filled cell of records says in the one column of a table that a field names."""
        nodes = self.page.nodes
        for table in self.page.tables:
            heads = table.heads
            columns = range(len(heads[-1].slots)) if heads else ()
            labels = {at: nodes.said(heads[-1].slots[at]) for at in columns if heads[-1].slots[at] >= 0}
            fitting = [at for at, label in labels.items() if names.alone(label) == own]
            if len(fitting) != 1:
                continue
            (column,) = fitting
            for row in table.of_kind("row"):
                cell = row.slots[column] if column < len(row.slots) else -1
                span = nodes.span(cell) if cell >= 0 else None
                if span and regions.touch(*span) and _is_value(own, nodes.said(cell)):
                    yield f'the column "{labels[column]}" says "{nodes.said(cell)[:_EXCERPT]}"'
                    break

    def of_kind(self, own: Field, places: Sequence[Span]) -> Iterator[str]:
        """Say which day or amount no value claims, where the field is one and most records state one."""
        kind = "money" if own.is_paid and own.kind == "number" else "date" if own.kind == "date" else ""
        sample = places[:_SAMPLE] if kind and not _DAYS.isdisjoint(own.formats or _DAYS) else ()
        stating = [said for place in sample if (said := next(self._unclaimed(place, kind), None))]
        if stating and len(stating) >= _OFTEN * len(sample):
            yield f'the records state "{stating[0][:_EXCERPT]}", which no field has'

    def _unclaimed(self, place: Span, kind: str) -> Iterator[str]:
        start, text = place[0], self.page.text[slice(*place)]
        for one in scan(text):
            if one.readings[0].kind == kind and not self._claimed.touch(start + one.start, start + one.end):
                yield text[one.start : one.end]

    @cached_property
    def _claimed(self) -> Stretches:
        return Stretches(place for _, place in self.values.claims)
