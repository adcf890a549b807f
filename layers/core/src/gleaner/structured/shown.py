"""Whether what the page shows bears out what its embedded data says: data may be stale, or of something else."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionResult, ProvenanceEntry
from gleaner.page.pairs import Pair
from gleaner.schemas.fields import RecordSchema
from gleaner.structured.labels import pairs_of, plain
from gleaner.structured.nodes import is_code
from gleaner.structured.reading import Declined, read_column
from gleaner.values.fields import Field
from gleaner.values.money import currencies_of
from gleaner.values.names import forms, listed, words_of
from gleaner.values.scanning import Mention, scan

Span = tuple[int, int]

_KINDS = {"number": ("number", "money", "percent"), "date": ("date",)}
_NEAR = 30
"""Characters behind a field's name in which the value that it names stands."""

_DIGITS = re.compile(r"\d[\d.,' ]*\d|\d")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_LETTER = re.compile(r"[^\W\d_]")
_BRACKETS = re.compile(r"[()\s]+")


def settle_embedded(
    wanted: RecordSchema,
    result: ExtractionResult,
    places: Sequence[Span] | None,
    markdown: str,
    *,
    pairs: Sequence[Pair],
) -> None:
    """Compare data with the page, and write its texts as the page does.

    Declined where a value is not seen on the page, or in its record's place, or where a label denies it.
    """
    for entry in result.provenance:
        field = wanted.field_at(entry.pointer)
        if field is None:
            continue
        place = (0, len(markdown)) if places is None else places[wanted.record_at(entry.pointer)]
        try:
            if _settle(field, entry, result, place, markdown) and places is None:
                _check_labels(field, _at(result.data, entry.pointer), pairs)
        except Declined as doubt:
            raise Declined(str(doubt), field) from None


def _settle(field: Field, entry: ProvenanceEntry, result: ExtractionResult, place: Span, markdown: str) -> bool:
    """Compare one value with its place on the page, and write it as that does; False for a currency."""
    value, text = _at(result.data, entry.pointer), markdown[slice(*place)]
    if _is_currency(field, value):
        _put(result.data, entry.pointer, _currency_as_shown(field, value, text))
        return False
    is_seen = entry.source == "markdown" and entry.start is not None and entry.end is not None
    if not is_seen and not _may_be_unseen(field, value):
        raise Declined(f"the page's data has {field.key} {value!r}, which the page does not show")
    if is_seen and not place[0] <= (entry.start or 0) < place[1]:
        raise Declined(f"the page does not show {field.key} {value!r} where its record stands")
    if is_seen and isinstance(value, str) and field.kind in ("text", "texts"):
        _put(result.data, entry.pointer, _text_as_shown(value, markdown, entry.start or 0, entry.end or 0))
    if field.kind in ("number", "text"):
        _check_price(field, value, text)
    _check_named(field, value, text)
    return True


def may_be_hint(field: Field, value: Any, markdown: str, pairs: Sequence[Pair]) -> bool:
    """Tell whether data may say what the page does not show: a code, an address, a currency, a date.

    Declined where the page says otherwise. A date is one only where the page shows none of another day; a number that
    nobody sees may be an old price, and a flag or a choice what was so yesterday.
    """
    if field.choices or field.kind in ("boolean", "number", "texts"):
        return False
    _check_labels(field, value, pairs)
    if field.kind == "date":
        days = {str(one.value)[:10] for mention in scan(markdown) for one in mention.readings if one.kind == "date"}
        return days <= {str(value)[:10]} and str(value) not in days
    if _is_currency(field, value):
        return _currency_as_shown(field, value, markdown) == value
    if field.kind == "image":
        return "![" not in markdown
    return field.kind == "address" or _is_name_of_a_thing(field, value)


def _is_name_of_a_thing(field: Field, value: Any) -> bool:
    """Tell whether a text is a SKU and the like, and neither an amount nor a measure."""
    if not is_code(value) or _DECIMAL.fullmatch(value) or is_price(field):
        return False
    whole = (one for one in scan(value) if (one.start, one.end) == (0, len(value)))
    return all(one.readings[0].kind == "number" for one in whole)


def is_price(field: Field) -> bool:
    """Tell whether a field is called as schema.org calls prices."""
    return any(forms(name) & field.forms for name in listed("prices"))


def _is_currency(field: Field, value: Any) -> bool:
    return field.kind == "text" and isinstance(value, str) and list(currencies_of(value)) == [value] and len(value) == 3


def _currency_as_shown(field: Field, code: str, text: str) -> str:
    """Give the currency of data in the form that the schema asks for, if the page has amounts in it."""
    amounts = (text[one.start : one.end] for one in scan(text) if code in one.readings[0].currencies)
    signs = Counter(_DIGITS.sub("", amount).strip() for amount in amounts)
    if not signs:
        raise Declined(f"the page's data has {field.key} {code!r}, and the page no amount in it")
    is_as_shown = not listed("as_shown").isdisjoint(words_of(field.description))
    return signs.most_common(1)[0][0] if is_as_shown else code


def _text_as_shown(value: str, markdown: str, start: int, end: int) -> str:
    """Give a text with the page's own brackets and blanks, where that is all in which they differ."""
    shown = markdown[start:end]
    if shown == value or _BRACKETS.sub("", shown) != _BRACKETS.sub("", value):
        return value
    while shown.count("(") > shown.count(")") and markdown[end : end + 1] == ")":
        shown, end = f"{shown})", end + 1
    return " ".join(shown.split())


def _check_price(field: Field, value: Any, text: str) -> None:
    """Decline where a lower amount stands right beside the one that the data has: the price is an old one, then.

    "$22999" is "$229.99" with its cents set high.
    """
    try:
        amount = float(value)
    except ValueError:
        return
    before: Mention | None = None
    is_as_shown = field.kind == "text" and not listed("as_shown").isdisjoint(words_of(field.description))
    for mention in scan(text):
        if mention.readings[0].kind != "money":
            continue
        said = text[mention.start : mention.end]
        if is_as_shown and amount in {one.value for one in mention.readings} and value not in said.replace(",", "."):
            raise Declined(f"the page writes {field.key} as {said!r}, its data as {value!r}")
        if before is not None and not _LETTER.search(text[before.end : mention.start]):
            values = [reading.value for one in (before, mention) for reading in one.readings]
            lowest = min(values)
            if amount in values and lowest < amount and not any(lowest * 100 == value for value in values):
                raise Declined(f"the page shows two prices side by side where its data has {field.key} {value!r}")
        before = mention


def _put(data: Any, pointer: str, value: Any) -> None:
    *steps, last = read_pointer(pointer)
    for step in steps:
        data = data[int(step)] if isinstance(data, list) else data[step]
    data[int(last) if isinstance(data, list) else last] = value


def _at(data: Any, pointer: str) -> Any:
    for step in read_pointer(pointer):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data


def _may_be_unseen(field: Field, value: Any) -> bool:
    """Tell whether pages need not show a value: a code, a yes or no, an address, one of a schema's own words."""
    return field.kind in ("boolean", "address", "image") or bool(field.choices) or is_code(value)


def _check_labels(field: Field, value: Any, pairs: Sequence[Pair]) -> None:
    if field.kind in ("texts", "address", "image", "boolean") or field.choices:
        return
    for pair in pairs_of(field, pairs):
        try:
            said = read_column(field, pair.label, [pair.cell.text])[0]
        except Declined:
            continue
        is_same = (
            said == value
            if not isinstance(said, str)
            else plain(said) in plain(str(value)) or plain(str(value)) in plain(said)
        )
        if not is_same:
            raise Declined(f"the page's data has {field.key} {value!r}, the page shows {pair.cell.text[:40]!r}")


def _check_named(field: Field, value: Any, text: str) -> None:
    """Decline where the field's name stands right before another number or date than the data has."""
    kinds = _KINDS.get(field.kind)
    if kinds is None:
        return
    named = "|".join(r"\W+".join(map(re.escape, own)) for name in field.names if (own := words_of(name)))
    ends = [match.end() for match in re.finditer(rf"(?<!\w)(?:{named})\w{{0,2}}(?!\w)", text, re.IGNORECASE)]
    said: list[set[Any]] = []
    for end in ends:
        behind = next(iter(scan(text[end : end + _NEAR].partition("\n")[0])), None)
        if behind is not None and not _LETTER.search(text[end : end + behind.start]):
            values = {str(one.value)[:10] for one in behind.readings if one.kind in kinds}
            said += [values] if values else []
    if said and not any(str(value)[:10] in values for values in said):
        raise Declined(f"the page's data has {field.key} {value!r}, and the page another one beside that name")
