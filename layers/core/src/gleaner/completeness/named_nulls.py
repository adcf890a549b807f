"""Nulls beside the very name of their field: in the label of a page about one thing, over a column of a table. Pure.

Where other records have a value of the field, ``gleaner.completeness.gaps`` tells more.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from gleaner.completeness.stated_values import StatedValues
from gleaner.contracts.json_pointers import pointer_of, value_at
from gleaner.judging.origins.regions import Stretches
from gleaner.page.model import Page
from gleaner.schemas.fields import field_of_leaf
from gleaner.schemas.leaves import Leaf, Steps, field_at
from gleaner.values.fields import Field, is_named_alone
from gleaner.values.flags import plain_answer, says_nothing
from gleaner.values.lookups import grouped

_EXCERPT = 80


def find_named(values: StatedValues, nulls: Sequence[Steps], page: Page) -> Iterator[str]:
    """Say which fields no object of a result has a value of, though the page has one beside their very name.

    What stands there must be a value of the field's type, and the name no other field's of the object.
    """
    names = grouped((field_at(steps), steps) for steps in nulls)

    @cache
    def fields_of(owner: Steps) -> dict[str, Field]:
        return {step: _field_of(values, (*owner, step)) for step in _members(values, owner)}

    for name, found in names.items():
        if name in values.by_field or name[-1] == "*" or name[:-1].count("*") > 1:
            continue
        fields = fields_of(found[0][:-1])
        own = fields[str(name[-1])]
        if "*" not in name:
            said = {
                pair.cell.text: pair.label for pair in page.pairs if is_named_alone(pair.label, own, fields.values())
            }
            if len(said) == 1 and _is_value(own, text := next(iter(said))):
                yield f'{pointer_of(found[0])} is null; the page says "{said[text]}: {text[:_EXCERPT]}"'
        elif len(found) > 1:
            regions = Stretches(place for steps in found if (place := values.region(values.record_of(steps))))
            for head, text in _cells_named(own, fields, regions, page):
                where = f'the column "{head}" says "{text[:_EXCERPT]}"'
                yield f"{pointer_of(name)} is null in {len(found)} records; {where}"


def _members(values: StatedValues, owner: Steps) -> Sequence[str]:
    found = value_at(values.data, pointer_of(owner))
    return [*found] if isinstance(found, dict) else []


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


def _cells_named(own: Field, fields: Mapping[str, Field], regions: Stretches, page: Page) -> Iterator[tuple[str, str]]:
    """Give the first cell with a value, and its head, in the rows of records, of the one column that a field names."""
    nodes = page.nodes
    for table in page.tables:
        heads = table.heads
        columns = range(len(heads[-1].slots)) if heads else ()
        labels = {at: nodes.said(heads[-1].slots[at]) for at in columns if heads[-1].slots[at] >= 0}
        fitting = [at for at, label in labels.items() if is_named_alone(label, own, fields.values())]
        if len(fitting) != 1:
            continue
        (column,) = fitting
        for row in table.of_kind("row"):
            cell = row.slots[column] if column < len(row.slots) else -1
            span = nodes.span(cell) if cell >= 0 else None
            if span and regions.touch(*span) and _is_value(own, nodes.said(cell)):
                yield labels[column], nodes.said(cell)
                return
