"""Texts of the page as values of a field: what one cell leaves open its table may settle; else there is no answer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.coercion import coerce
from gleaner.contracts.ports import JsonValue
from gleaner.page.model import Span
from gleaner.schemas.fields import RecordSchema, read_schema
from gleaner.values.conventions import NOTHING_KNOWN, Conventions
from gleaner.values.fields import Field
from gleaner.values.flags import is_nothing
from gleaner.values.measures import convert, units_stated
from gleaner.values.money import currencies_stated
from gleaner.values.names import forms
from gleaner.values.numbers import OPEN, read_ordinal
from gleaner.values.quantities import Quantity, read_quantity
from gleaner.values.scales import scale_stated

ABSENT = object()
"""In place of a value: the page gives none, and the property is left out."""

PLACEHOLDER = re.compile(
    r"\{\{[^{}]*\}\}|\$\{[^{}]*\}|<%[^%]*%>|(?<!\w)%[a-z_]{3,40}%(?!\w)|^\$[a-z_]\w*$|^\[\[\w+\]\]$", re.IGNORECASE
)
"""What templates leave where nobody filled them in."""

_SCHEMA_ORG = re.compile(r"https?://schema\.org/")
_LONGEST_SHOWN = 40


class Declined(Exception):
    """Tier 0 gives no answer: the message says why, as in "two tables have these columns", and ``field`` of which."""

    def __init__(self, why: str, field: Field | None = None) -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True)
class Found:
    """Records that match a schema, of one source, and where the page shows them.

    ``rows`` are the places of a table's rows in the Markdown, ``texts`` what else must stand in each record's place.
    ``unread`` says of each field that was not read why, by its name; a table may hold those that are ``in_doubt``.
    """

    wanted: RecordSchema
    records: Sequence[Mapping[str, Any]]
    source: str
    texts: tuple[tuple[str, ...], ...] = ()
    rows: tuple[Span, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    in_doubt: frozenset[str] = frozenset()

    @property
    def data(self) -> JsonValue:
        """The instance of the schema that holds the records."""
        return self.wanted.wrap(self.records)

    @property
    def is_embedded(self) -> bool:
        """Whether the records are of data that readers do not see."""
        return self.source not in ("table", "pairs")


def read_wanted(schema: Any) -> RecordSchema:
    """Give the fields of a schema's records; Declined where tables and embedded data can't hold what it asks for."""
    wanted = read_schema(schema)
    if wanted.problem:
        raise Declined(wanted.problem)
    return wanted


def read_column(field: Field, label: str, texts: Sequence[str], page: Conventions = NOTHING_KNOWN) -> list[Any]:
    """Give the field's values, one for each text (ABSENT where there is none); Declined when one is in doubt."""
    if field.kind == "text" and not field.may_be_absent and not field.choices:
        return list(texts)  # the schema has no other way to say that a cell is blank
    empty = [not text.strip() or (field.may_be_absent and is_nothing(text)) for text in texts]
    if any(empty) and not field.may_be_absent:
        raise Declined(f"a row has no {field.key}")
    said = [text for text, is_empty in zip(texts, empty, strict=True) if not is_empty]
    if field.kind == "boolean" and any(empty) and len({text.casefold() for text in said}) == 1:
        raise Declined(f"an empty cell under {label!r} may mean no")
    read = _numbers(field, label, said, page) if field.kind == "number" else _coerced(field, said, page)
    values = iter(read)
    nothing = None if field.is_nullable else ABSENT
    return [nothing if is_empty else next(values) for is_empty in empty]


def read_value(field: Field, value: JsonValue, url: str = "") -> Any:
    """Give one value of data as the field's; Declined where it is none."""
    if isinstance(value, str) and field.kind in ("text", "boolean"):
        value = _SCHEMA_ORG.sub("", value)
    return _coerced(field, [value], Conventions(decimal="."), url)[0]


def _numbers(field: Field, label: str, texts: Sequence[str], page: Conventions) -> list[Any]:
    """Give the numbers of a column, which must all be of one kind, in the field's unit and currency."""
    if scale_stated(label):
        raise Declined(f"{label!r} counts in thousands or more")
    read = [_quantity(field, text, page) for text in texts]
    asked = field.units
    if len({one.kind for one in read}) > 1 or (len({one.units for one in read}) > 1 and not asked):
        raise Declined(f"the numbers under {label!r} have different units")
    _check_currency(field, label, read)
    values = [one.value for one in read]
    if field.maximum == 1 and any(one.kind == "percent" for one in read):
        return _coerced(field, texts, page)
    is_called_so = not forms(field.name).isdisjoint(forms(label))
    if asked and read and read[0].kind != "duration":
        stated = tuple(units_stated(label))
        values = [_converted(field, label, one, stated, asked, is_called_so=is_called_so) for one in read]
    elif asked:
        values = [_in_unit(field, label, value, ("second",), asked) for value in values]
    return _coerced(field, values, page)


def _quantity(field: Field, text: str, page: Conventions) -> Quantity:
    is_whole = field.schema.get("type") == "integer"
    if page.decimal is None and not is_whole and OPEN.fullmatch(text.strip()) and "." in text:
        raise Declined(f"{text!r} may have thousands or decimals")
    if is_whole and (ordinal := read_ordinal(text)) is not None:
        return Quantity(ordinal, "number")
    try:
        return read_quantity(text, page)
    except ValueError:
        raise Declined(f"{text[:_LONGEST_SHOWN]!r} is no {field.key}") from None


def _check_currency(field: Field, label: str, read: Sequence[Quantity]) -> None:
    codes = [one.currencies for one in read if one.currencies]
    common = frozenset.intersection(*codes) if codes else currencies_stated(label)
    asked = field.currencies
    if codes and not common:
        raise Declined(f"the amounts under {label!r} are in several currencies")
    if asked and common.isdisjoint(asked):
        raise Declined(f"the amounts under {label!r} are not in {' or '.join(sorted(asked))}")


def _converted(
    field: Field, label: str, read: Quantity, stated: Sequence[str], asked: Sequence[str], *, is_called_so: bool
) -> Any:
    """Give a number in the field's unit. It is in the unit beside it, or in the label's (``stated``).

    Without either it is in the field's own, if field and label have the same name.
    """
    if own := read.units or stated:
        return _in_unit(field, label, read.value, own, asked)
    if is_called_so:
        return read.value
    raise Declined(f"{label!r} does not say whether it is in {' or '.join(asked)}")


def _in_unit(field: Field, label: str, value: Any, stated: Sequence[str], asked: Sequence[str]) -> Any:
    for unit in stated:
        for wanted in asked:
            try:
                return convert(value, unit, wanted)
            except ValueError:
                continue
    raise Declined(f"the numbers under {label!r} are not in the unit of {field.key}")


def _coerced(field: Field, values: Sequence[JsonValue], page: Conventions, url: str = "") -> list[Any]:
    """Give the values coerced as the field's own schema says; each different one is coerced once."""
    own = {key: value for key, value in field.schema.items() if key not in ("$defs", "$schema")}
    head = {key: field.schema[key] for key in ("$schema", "$defs") if key in field.schema}
    schema: Any = {**head, "properties": {field.name: {"type": "array", "items": own}}}
    known = {(type(value), value): value for value in values}
    data: Any = {field.name: list(known.values())}
    coerced: Any = coerce(
        schema, data, base_url=url or None, day_first=page.day_first, decimal=page.decimal, language=page.language
    ).value
    read = dict(zip(known, coerced[field.name], strict=True))
    wrong = next((key for key, value in read.items() if not _fits(field, value)), None)
    if wrong is not None:
        raise Declined(f"{str(wrong[1])[:_LONGEST_SHOWN]!r} is no {field.key}")
    return [read[type(value), value] for value in values]


def _fits(field: Field, value: Any) -> bool:
    if field.kind == "number":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and (field.schema.get("type") != "integer" or value == int(value))
    if field.kind == "boolean":
        return isinstance(value, bool)
    return isinstance(value, str) and bool(value) and (not field.choices or value in field.choices)
