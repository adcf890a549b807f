"""What a page's labels say: which of them name a field, and the values beside them (RC-5, RC-6)."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import visible_text
from gleaner.page.model import Page
from gleaner.page.pairs import Pair
from gleaner.schemas import declared_properties
from gleaner.structured.reading import ABSENT, Declined, read_column, read_wanted
from gleaner.values.fields import ALIKE, Field, VeryNames
from gleaner.values.names import words_of

_BORDER = re.compile(r"[|\n:：]|\*\*|(?<=[.!?;])\s")
"""What parts a label from the text before it and from its value."""

_VALUE = re.compile(r"[\d$€£¥₹]")
_SIGNS = " \t*_#>+-•\\[]()"
_SIGN = re.compile(r"[\W_]+")
_LONGEST, _MOST_WORDS, _SHORT = 60, 6, 2
"""Characters and words of a label, and characters of a text that may stand anywhere."""


def plain(text: str) -> str:
    """Give letters and digits alone, in lower case: Markdown escapes and spaces differ from the page's own text."""
    return _SIGN.sub("", text.casefold())


def labelled(names: Collection[str], fields: Sequence[Field], markdown: str) -> frozenset[str]:
    """Give those of the named fields of which the text has a label that fits no other field better.

    A label is a short piece before a colon, a cell's or a line's end, or a figure: the field's name, what means the
    same, or a part of the name ("Date" of ``publication_date``).

    >>> text = "# Mug\\n\\nGlazed. Guarantee: 24 months"
    >>> sorted(labelled(["guarantee", "gtin"], [Field(name) for name in ("name", "guarantee", "gtin")], text))
    ['guarantee']
    """
    searched = frozenset[str]().union(*(field.label_words for field in fields if field.key in names))
    found: set[str] = set()
    for label in {*_pieces(markdown)}:
        if searched.isdisjoint(words_of(label)):
            continue
        fits = {field.key: field.likeness(label) for field in fields}
        best = max(fits.values())
        found.update(name for name in names if best and fits.get(name) == best)
    return frozenset(found)


def _pieces(markdown: str) -> Iterator[str]:
    for piece in _BORDER.split(markdown):
        label = _VALUE.split(piece, maxsplit=1)[0].strip(_SIGNS)
        if label and len(label) <= _LONGEST and label.count(" ") < _MOST_WORDS:
            yield label


def pairs_of(field: Field, pairs: Sequence[Pair]) -> list[Pair]:
    """Give the pairs whose label fits a field best; those of one text once."""
    scores = [field.likeness(pair.label) for pair in pairs]
    best = max([ALIKE, *scores])
    fitting = [pair for pair, score in zip(pairs, scores, strict=True) if score == best]
    return list({pair.cell.text.casefold(): pair for pair in fitting}.values())


def pair_of(field: Field, pairs: Sequence[Pair]) -> Pair | None:
    """Give the one label that a page has for a field; None without any, Declined where it has several."""
    found = pairs_of(field, pairs)
    if len(found) > 1:
        raise Declined(f"the page has two labels for {field.key}")
    return found[0] if found else None


def value_beside(field: Field, pair: Pair) -> Any:
    """Give the value beside a label; Declined where what stands there is none."""
    if field.kind in ("address", "image"):
        addresses = pair.cell.images if field.kind == "image" else pair.cell.links
        if len(addresses) != 1:
            raise Declined(f"the label {pair.label!r} has no single address")
        return addresses[0]
    if field.kind == "texts":
        raise Declined(f"{field.key} is a list, and the page has one text for it")
    return read_column(field, pair.label, [pair.cell.text])[0]


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
    names, found = VeryNames(fields), dict[str, tuple[JsonValue, str]]()
    for field in fields:
        pair = _pair_of(field, names, pairs) if field.path[0] in wanted else None
        if pair is None or pair.heading not in headings or any(one in pair.cell.text for one in told):
            continue
        try:
            value = value_beside(field, pair)
        except Declined:
            continue
        if value is not ABSENT:
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


def _pair_of(field: Field, names: VeryNames, pairs: Sequence[Pair]) -> Pair | None:
    """Give the one label of a field with its value; None where there are several, or it is as well another field's."""
    found = pairs_of(field, pairs)
    if len(found) != 1:
        return None
    # Meaning alone does not tell one field of a page from another.
    return found[0] if names.alone(found[0].label) == field else None
