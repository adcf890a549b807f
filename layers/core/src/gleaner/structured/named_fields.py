"""Single fields that a page's labels name, beside others that are known already: tier 0's judgement, field by field."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import visible_text
from gleaner.page.model import Page
from gleaner.page.pairs import Pair
from gleaner.schemas import declared_properties
from gleaner.structured.decline import Declined, read_wanted
from gleaner.structured.pairs import pairs_of
from gleaner.structured.places import plain
from gleaner.structured.reading import ABSENT, read_column
from gleaner.values.fields import VERY_NAME, Field

_SHORT = 2


def read_named_fields(
    page: Page, schema: Any, wanted: Collection[str], known: Mapping[str, JsonValue]
) -> dict[str, tuple[JsonValue, str]]:
    """Give those of the ``wanted`` fields of an object of which the page has the one label, with its value and text.

    ``known`` are the other fields with their values: a label that names one of them better is that field's, and labels
    count where those of known fields stand, under the same heading.
    """
    fields = [field for name in declared_properties(schema) if (field := _field_of(schema, name)) is not None]
    if not any(field.path[0] in wanted for field in fields):
        return {}
    pairs = page.pairs
    told = [value for value in known.values() if isinstance(value, str) and len(value) > _SHORT]
    headings = _headings(page.tree, fields, known, pairs)
    found: dict[str, tuple[JsonValue, str]] = {}
    for field in fields:
        pair = _pair_of(field, fields, pairs) if field.path[0] in wanted else None
        if pair is None or pair.heading not in headings or any(one in pair.cell.text for one in told):
            continue
        if (value := _value_of(field, pair)) is not ABSENT:
            found[field.path[0]] = value, pair.cell.text
    return found


def _field_of(schema: Any, name: str) -> Field | None:
    """Give one property of an object as a field; None where no label can have its value."""
    part = {"type": "object", "properties": {name: declared_properties(schema)[name]}}
    required = [name] if name in schema.get("required", ()) else []
    try:
        (field,) = read_wanted({**part, "required": required}).fields
    except (Declined, ValueError):
        return None
    return field if field.path == (name,) else None


def _headings(
    root: HtmlElement, fields: Sequence[Field], known: Mapping[str, JsonValue], pairs: Sequence[Pair]
) -> frozenset[str]:
    """Give the headings under which the page speaks of its one thing: its own, and those over known fields."""
    found = {visible_text(each) for each in root.iter("h1")}
    for field in fields:
        value = known.get(field.path[0])
        if value is not None:
            said = plain(str(value))
            found |= {pair.heading for pair in pairs_of(field, pairs) if said and said in plain(pair.cell.text)}
    return frozenset(found)


def _pair_of(field: Field, fields: Sequence[Field], pairs: Sequence[Pair]) -> Pair | None:
    """Give the one label of a field with its value; None where there are several, or it is as well another field's."""
    found = pairs_of(field, pairs)
    if len(found) != 1:
        return None
    label = found[0].label
    # Meaning alone does not tell one field of a page from another.
    others = max((other.likeness(label) for other in fields if other is not field), default=0)
    return found[0] if field.likeness(label) == VERY_NAME > others else None


def _value_of(field: Field, pair: Pair) -> Any:
    if field.kind in ("address", "image"):
        addresses = pair.cell.images if field.kind == "image" else pair.cell.links
        return addresses[0] if len(addresses) == 1 else ABSENT
    try:
        return read_column(field, pair.label, [pair.cell.text])[0]
    except Declined:
        return ABSENT
