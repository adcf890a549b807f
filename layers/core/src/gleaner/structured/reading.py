"""Texts of the page as values of a field: what one cell leaves open its column may settle; else there is no answer."""

import re
from collections.abc import Sequence
from typing import Any

from gleaner.coercion import coerce
from gleaner.coercion.numbers import CURRENCY
from gleaner.coercion.words import NOTHING, folded
from gleaner.contracts.ports import JsonValue
from gleaner.structured.decline import Declined
from gleaner.structured.fields import Field
from gleaner.structured.labels import Label, read_label, states_a_scale
from gleaner.structured.measures import CURRENCIES, unit_named, units_stated

ABSENT = object()
"""In place of a value: the page gives none, and the property is left out."""

_MEASURE = re.compile(r"(?P<before>[^\d+−-]*)(?P<number>[+−-]?\d[\d.,'’ \u00a0\u202f]*(?<! ))(?P<after>[^\d]*)")
_DECIMAL = re.compile(r"\d([.,])(?:\d{1,2}|\d{4,})$|^0([.,])")
_OPEN = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_SLASHED = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}")
_MONTHS = 12
_LONGEST_SHOWN = 40


def read_column(field: Field, label: str, texts: Sequence[str]) -> list[Any]:
    """Give the field's values, one for each text (ABSENT where there is none); Declined when one is in doubt."""
    if field.kind == "text" and not field.may_be_absent and "enum" not in field.schema:
        return list(texts)  # the schema has no other way to say that a cell is blank
    empty = [not text.strip() or (field.may_be_absent and folded(text) in NOTHING) for text in texts]
    if any(empty) and not field.may_be_absent:
        raise Declined(f"a row has no {field.name}")
    said = [text for text, is_empty in zip(texts, empty, strict=True) if not is_empty]
    if field.kind == "boolean" and any(empty) and len(set(map(folded, said))) == 1:
        raise Declined(f"an empty cell under {label!r} may mean no")
    values = iter(_read(field, label, said))
    nothing = None if field.is_nullable else ABSENT
    return [nothing if is_empty else next(values) for is_empty in empty]


def _read(field: Field, label: str, texts: Sequence[str]) -> list[Any]:
    if field.kind == "number" and texts:
        return _coerced(field, _bare_numbers(field, read_label(label), texts), decimal=_decimal_mark(field, texts))
    if field.kind == "date":
        return _coerced(field, texts, day_first=_day_first(texts))
    return _coerced(field, texts)


def _bare_numbers(field: Field, label: Label, texts: Sequence[str]) -> list[str]:
    """Give the numbers without their unit, which must be one throughout, and the field's."""
    if states_a_scale(label):
        raise Declined(f"{label.text!r} counts in thousands or more")
    if "%" in label.text and field.schema.get("maximum") == 1:
        raise Declined(f"{label.text!r} counts in percent")
    numbers: list[str] = []
    units: set[str] = set()
    for text in texts:
        match = _MEASURE.fullmatch(text)
        if match is None:
            return list(texts)
        before, after = match["before"].strip(), match["after"].strip()
        beside = (before or after).strip()
        unit = unit_named(beside) or (beside.casefold() if re.fullmatch(CURRENCY, beside) else None)
        if (before and after) or (beside and unit is None):
            return list(texts)
        units.add(unit or "")
        numbers.append(match["number"])
    stated = units | ({label.unit} if label.unit else set())
    if len(units) > 1 or len(stated - {""}) > 1:
        raise Declined(f"the numbers under {label.text!r} have different units")
    asked = units_stated(field.description) | ({field_unit} if (field_unit := _unit_of_name(field, label)) else set())
    unit = next(iter(stated - {""}), None)
    if asked and unit not in asked:
        raise Declined(f"the numbers under {label.text!r} are not in {' or '.join(sorted(asked))}")
    return numbers if not units & CURRENCIES else list(texts)


def _unit_of_name(field: Field, label: Label) -> str | None:
    words = field.path[-1].replace("-", "_").split("_")
    unit = unit_named(words[-1]) if len(words) > 1 else None
    return None if unit is None or label.words[-1:] == (words[-1].casefold(),) else unit


def _decimal_mark(field: Field, texts: Sequence[str]) -> str | None:
    """Give the decimal mark that the column's numbers leave no doubt about; Declined where it decides and is open."""
    numbers = [match[0].strip() for text in texts for match in re.finditer(r"\d[\d.,'’ \u00a0\u202f]*", text)]
    marks: set[str] = set()
    for number in numbers:
        used = re.findall(r"[.,]", number.rstrip(".,"))
        if len(set(used)) == 2:
            marks.add(used[-1])
        elif len(used) > 1:
            marks.add("," if used[0] == "." else ".")
        elif found := _DECIMAL.search(number):
            marks.add(found[1] or found[2])
    if len(marks) == 1:
        return marks.pop()
    doubtful = {number for number in numbers if _OPEN.fullmatch(number.rstrip(".,"))}
    if doubtful and field.schema.get("type") != "integer" and not all(map(_is_money, texts)):
        raise Declined(f"{min(doubtful)!r} may have thousands or decimals")
    return None


def _is_money(text: str) -> bool:
    return re.search(CURRENCY, text) is not None


def _day_first(texts: Sequence[str]) -> bool | None:
    """Give the order of day and month that a column of numeric dates shows; None when nothing shows it."""
    pairs = [(int(match[1]), int(match[2])) for text in texts if (match := _SLASHED.match(text))]
    first, second = any(day > _MONTHS for day, _ in pairs), any(day > _MONTHS for _, day in pairs)
    return None if first == second else first


def read_value(field: Field, value: JsonValue, url: str = "") -> Any:
    """Give one value of data as the field's; Declined where it is none."""
    return _coerced(field, [value], decimal=".", url=url)[0]


def _coerced(
    field: Field,
    values: Sequence[JsonValue],
    *,
    decimal: str | None = None,
    day_first: bool | None = None,
    url: str = "",
) -> list[Any]:
    """Give the values coerced as the field's own schema says; each different one is coerced once."""
    own = {key: value for key, value in field.schema.items() if key not in ("$defs", "$schema")}
    head = {key: field.schema[key] for key in ("$schema", "$defs") if key in field.schema}
    schema: Any = {**head, "properties": {field.path[-1]: {"type": "array", "items": own}}}
    known = {(type(value), value): value for value in values}
    data: Any = {field.path[-1]: list(known.values())}
    coerced: Any = coerce(schema, data, base_url=url or None, day_first=day_first, decimal=decimal).value
    read = dict(zip(known, coerced[field.path[-1]], strict=True))
    wrong = next((key for key, value in read.items() if not _fits(field, value)), None)
    if wrong is not None:
        raise Declined(f"{str(wrong[1])[:_LONGEST_SHOWN]!r} is no {field.name}")
    return [read[type(value), value] for value in values]


def _fits(field: Field, value: Any) -> bool:
    if field.kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if field.kind == "boolean":
        return isinstance(value, bool)
    listed = field.schema.get("enum")
    return isinstance(value, str) and bool(value) and (listed is None or value in listed)
