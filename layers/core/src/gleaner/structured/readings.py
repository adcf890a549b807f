"""A column's texts as values of a field. What one cell leaves open the column may settle; else there is no reading."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.coercion import coerce
from gleaner.coercion.numbers import COUNT_NOUNS, CURRENCY, MAX_CHARS, MINUS_SIGNS
from gleaner.coercion.words import NOTHING, folded
from gleaner.contracts.ports import JsonValue
from gleaner.schemas.formats import is_date
from gleaner.structured.fields import Field
from gleaner.structured.grids import Cell
from gleaner.structured.labels import Label, singular, states_a_scale, words_of
from gleaner.structured.measures import CURRENCIES, DOUBTFUL, listed, speaks_of_length, unit_named

ABSENT = object()
"""In place of a value: the page gives none, and the property is left out."""

_PLAIN_TEXT = frozenset(["type", "description", "title", "minLength", "maxLength", "x-aliases", "nullable", "examples"])
"""Keywords of a text that is taken as it stands."""

_PLAIN_VALUE = frozenset([*_PLAIN_TEXT, "format", "minimum", "maximum"])
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,12})(?:\.\d{1,3})?")
_PLAIN_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,12})")

_GROUPED = r"\d[\d.,'’ \u00a0\u202f]*"
_MEASURE = re.compile(rf"(?P<before>[^\d]*?)(?P<number>[+{MINUS_SIGNS}-]?(?:{_GROUPED}\d|\d))(?P<after>[^\d]*)")
_DECIMAL = re.compile(r"\d([.,])(?:\d{1,2}|\d{4,})$")
_OPEN = re.compile(r"[1-9]\d{0,2}[.,]\d{3}$")
_HUNDREDTHS = re.compile(r"[€£]|\b(?:EUR|GBP|CHF|PLN|CZK|DKK|NOK|SEK)\b|zł|Kč")
"""Signs of money that is never counted in thousandths."""
_MONEY = re.compile(rf"(?<![^\W\d_]){CURRENCY}(?![^\W\d_])")
_THOUSANDTHS = re.compile(r"\b(?:KWD|BHD|OMR|JOD|TND|IQD|LYD)\b")
"""Money that is counted in thousandths."""
_PARTS_OF_ONE = re.compile(r"[¢‰‱]|\(c\)")
"""Signs of a head that say of its numbers that they are hundredths, or less."""
_GROUP = 3
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\$\{|<%|%>")
_NOTE_MARKS = tuple("*†‡§¹²³⁴⁵⁶⁷⁸⁹")
_DITTO = frozenset(
    map(
        folded,
        ['"', "''", "″", "”", "“", "〃", "do.", "ditto", "idem", "id.", "dto.", "same", "same as above", "see above"],
    )
)
"""Cells that stand for the one above."""
UNSAID = listed("? ?? ??? … ... tba tbc tbd tbf") | {"to be announced", "to be confirmed", "to be determined"}
"""What stands for a value that is still to come."""
_EXPONENT = re.compile(r"\d[eE][+-]?\d")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-]\d{4}")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a page writes: its decimal mark, where that is known, and the base of its addresses."""

    decimal: str | None = None
    base_url: str | None = None


def decimal_mark(texts: Iterable[str], language: str, *, is_declared: bool = True) -> str | None:
    """Give the decimal mark that the numbers of a page leave no doubt about, else its language's.

    In a page that does not declare its language, "1.200" stays open, but "1,200" has thousands among English words.
    So does "1.200 €" in any: a shop's template may be in another language than its prices.

    >>> decimal_mark(["12,5", "1.200"], ""), decimal_mark(["1.200"], "en"), decimal_mark(["1.200"], "")
    (',', '.', None)
    """
    measures = [match for text in texts if (match := _measure(text))]
    marks = {mark for match in measures if (mark := _mark_of(match["number"]))}
    if marks:
        return marks.pop() if len(marks) == 1 else None
    mark = _mark_in(language)
    doubtful = (each for each in measures if mark and mark in each["number"] and _OPEN.fullmatch(each["number"]))
    return None if any(not is_declared or _HUNDREDTHS.search(each.string) for each in doubtful) else mark


def _mark_in(language: str) -> str | None:
    return {"en": ".", "ja": ".", "zh": ".", "ko": ".", "he": ".", "th": "."}.get(
        language, "," if language in _COMMAS else None
    )


_COMMAS = listed("de fr it nl pl ru uk sv da nb nn no fi cs sk hu ro bg hr sl sr el tr pt id vi et lv lt")


def _measure(text: str) -> re.Match[str] | None:
    return _MEASURE.fullmatch(text.strip()) if len(text) <= MAX_CHARS else None


def _mark_of(number: str) -> str | None:
    found = [mark for mark in number if mark in ".,"]
    if not found:
        return None
    if len(set(found)) == 2:
        return found[-1] if found.count(found[-1]) == 1 else None
    if len(found) > 1:
        groups = re.split(r"[.,]", number)
        return ("," if found[0] == "." else ".") if all(len(group) == 3 for group in groups[1:]) else None
    match = _DECIMAL.search(number)
    if match is None and re.search(r"[ '’\u00a0\u202f]\d{3}[.,]\d+$", number):
        return found[0]
    return match[1] if match else (found[0] if re.match(r"[+-]?0[.,]", number) else None)


def read_column(field: Field, label: Label, cells: Sequence[Cell], manner: Manner) -> list[Any] | None:
    """Give the field's values, one for each cell (ABSENT where there is none); None when one of them is in doubt."""
    if field.kind in ("address", "image"):
        return _targets(field, cells)
    if any(not cell.is_whole or (cell.has_marks and not cell.text) for cell in cells):
        return None
    texts = [cell.text for cell in cells]
    empty = [folded(text) in NOTHING for text in texts]
    if any(empty) and not field.may_be_absent:
        return None
    said = [text for text, is_empty in zip(texts, empty, strict=True) if not is_empty]
    if _marks_some(said) or any(_PLACEHOLDER.search(text) or folded(text) in _DITTO | UNSAID for text in said):
        return None
    if field.kind == "text" and "enum" not in field.schema and _are_names_and_remarks(said):
        return None
    values = iter(_values(field, label, said, manner) or ())
    read = [nothing_for(field) if is_empty else next(values, None) for is_empty in empty]
    if any(value is None for value, none in zip(read, empty, strict=True) if not none):
        return None
    if not all(field.holds(value) for value in read):
        return None
    return None if field.kind == "boolean" and _gaps_may_mean_no(texts, read) else read


def _are_names_and_remarks(texts: list[str]) -> bool:
    """Tell whether some cells say something in small letters, such as "vacant", among names with capitals."""
    small = sum(text[:1].isalpha() and text.islower() for text in texts)
    large = sum(text[:1].isupper() for text in texts)
    return 0 < small <= large and large > 1


def _marks_some(texts: list[str]) -> bool:
    """Tell whether some texts, but not all, end in the mark of a note, which is no part of a value."""
    marked = sum(text.endswith(_NOTE_MARKS) and unit_named(text.split()[-1]) is None for text in texts)
    return 0 < marked < max(len(texts), 2)


def _gaps_may_mean_no(texts: list[str], values: list[Any]) -> bool:
    """Tell whether a column has empty cells where the other cells only ever say yes (or only ever no)."""
    return "" in texts and not (True in values and False in values)


def nothing_for(field: Field) -> Any:
    """Give what stands for a value that the page does not give: null, or no property at all."""
    return None if field.is_nullable else ABSENT


def _targets(field: Field, cells: Sequence[Cell]) -> list[Any] | None:
    found: list[Any] = []
    for cell in cells:
        targets = cell.images if field.kind == "image" else cell.links
        if len(targets) > 1:
            return None
        if not targets and cell.text.startswith(("http://", "https://")) and cell.is_whole:
            targets = (cell.text,)
        if not targets and (cell.text or cell.has_marks or not field.may_be_absent):
            return None
        found.append(targets[0] if targets else nothing_for(field))
    return found


def _values(field: Field, label: Label, texts: list[str], manner: Manner) -> list[Any] | None:
    if not texts:
        return []
    decimal, day_first = None, None
    if field.kind == "number":
        if "version" in known_words(field) or _PARTS_OF_ONE.search(label.text):
            return None
        if manner.decimal == "," and "miles" in label.text.casefold().split("(")[-1]:  # thousands, in Spanish
            return None
        bare = _without_units(field, label, texts)
        decimal = manner.decimal
        if bare is not None and decimal and _may_be_thousands(field, label, texts, bare, decimal):
            decimal = None
        if bare is not None and decimal is None:
            decimal = _mark_of_money(texts, bare)
        if bare is None or (decimal is None and _is_open(field, bare)):
            return None
        if field.schema.get("maximum") == 1 and ("%" in label.text or any("%" in text for text in texts)):
            return None
        texts = bare
    elif field.kind == "date":
        day_first = _day_first(texts)
    return coerce_all(field, texts, manner, decimal=decimal, day_first=day_first)


def coerce_all(
    field: Field,
    values: Sequence[JsonValue],
    manner: Manner,
    *,
    decimal: str | None = None,
    day_first: bool | None = None,
) -> list[Any]:
    """Give the values coerced as the field's own schema says; each different one is coerced once."""
    if field.kind == "text" and _PLAIN_TEXT.issuperset(field.schema):
        return list(values)
    if field.kind in ("number", "date") and decimal != "," and all(_is_plain(field, value) for value in values):
        return [json.loads(value) if field.kind == "number" else value for value in values]  # type: ignore[arg-type]
    own = field.schema
    item = {key: value for key, value in own.items() if key not in ("$defs", "$schema")}
    schema = {
        **{key: own[key] for key in ("$schema", "$defs") if key in own},
        "properties": {field.name: {"type": "array", "items": item}},
    }
    different = {(type(value), value): value for value in values}
    coerced: Any = coerce(
        schema,
        {field.name: list(different.values())},
        base_url=manner.base_url,
        day_first=day_first,
        decimal=decimal,
    ).value
    known = dict(zip(different, coerced[field.name], strict=True))
    return [known[type(value), value] for value in values]


def _is_plain(field: Field, value: JsonValue) -> bool:
    """Tell whether a text is a number or a day as JSON has it, with nothing to be read into it."""
    if not isinstance(value, str) or not _PLAIN_VALUE.issuperset(field.schema):
        return False
    if field.kind == "date":
        return field.schema.get("format") == "date" and is_date(value)
    return (_PLAIN_WHOLE if field.schema["type"] == "integer" else _PLAIN_NUMBER).fullmatch(value) is not None


def _mark_of_money(texts: list[str], numbers: list[str]) -> str | None:
    """Give the decimal mark of amounts of money with three digits at the end: these are no fractions of anything."""
    separators = {mark for number in numbers if _OPEN.fullmatch(number) for mark in number if mark in ".,"}
    # Petrol is sold at 1.599 a litre; nothing at 145.999.
    is_dear = any(len(re.split(r"[.,]", number)[0].lstrip("+-")) == _GROUP for number in numbers)
    if len(separators) != 1 or not is_dear or not all(_HUNDREDTHS.search(text) for text in texts):
        return None
    return "," if separators == {"."} else "."


def _may_be_thousands(field: Field, label: Label, texts: list[str], numbers: list[str], decimal: str) -> bool:
    """Tell whether the page's decimal mark stands in money with three digits behind it each time: "Rp 12.000".

    Templates are in another language than their prices, and the ratings beside them follow the template.
    """
    said = [label.text, *texts]
    is_money = ("price",) in field.names or any(_MONEY.search(text) for text in said)
    if not is_money or any(_THOUSANDTHS.search(text) for text in said):
        return False
    marked = [number for number in numbers if decimal in number]
    return bool(marked) and all(_OPEN.fullmatch(number.lstrip("+-")) for number in marked)


def _is_open(field: Field, numbers: list[str]) -> bool:
    """Tell whether a number may have thousands or three decimals; a whole number can only have thousands."""
    return field.schema.get("type") != "integer" and any(_OPEN.fullmatch(number.lstrip("+-")) for number in numbers)


def _day_first(texts: list[str]) -> bool | None:
    """Give the order of day and month that a column of numeric dates shows; None when nothing shows it."""
    pairs = [(int(match[1]), int(match[2])) for text in texts if (match := _SLASHED.match(text))]
    first, second = any(day > 12 for day, _ in pairs), any(day > 12 for _, day in pairs)
    return None if first == second else first


def _without_units(field: Field, label: Label, texts: list[str]) -> list[str] | None:
    """Give the numbers without what stands around them, which must be the same unit throughout, and the field's."""
    numbers: list[str] = []
    around: set[str | None] = set()
    for text in texts:
        match = _measure(text)
        if match is None:
            if len({part.partition("/")[2].strip() for part in texts if "/" in part}) > 1:
                return None
            if any(_EXPONENT.search(each) for each in texts):
                return None
            is_bare = label.unit is None and field.unit_under(label.words) is None
            return texts if is_bare and not states_a_scale(label) else None
        sign, before = _sign_of(match["before"].strip())
        unit = _unit_around(before, match["after"].strip(), field, label)
        if unit is None or (sign and (not before or match["number"][0] in f"+{MINUS_SIGNS}-")):
            return None
        around.add(unit)
        numbers.append(sign + match["number"])
    if len(around) != 1 or states_a_scale(label):
        return None
    return numbers if _agree(field, label, around.pop() or "", numbers) else None


def _sign_of(before: str) -> tuple[str, str]:
    """Give the minus before a currency's sign, "-£310", and the rest."""
    return ("-", before[1:].strip()) if before[:1] in ("-", *MINUS_SIGNS) else ("", before)


def _unit_around(before: str, after: str, field: Field, label: Label) -> str | None:
    """Give the unit beside a number, "" for none; None for anything else that is said there."""
    if before and after:
        return None
    beside = before or after
    if not beside:
        return ""
    unit = unit_named(beside)
    if unit in DOUBTFUL and beside.casefold() == unit:
        return unit if _is_sure_of(unit, beside, field, label) else None
    if unit is not None:
        return unit if after or unit in CURRENCIES else None
    if re.fullmatch(CURRENCY, beside):
        return beside.casefold().rstrip(".")
    if after and folded(after) in COUNT_NOUNS:
        known = {*field.names[0], *label.words}
        return "" if singular(folded(after)) in known or "count" in known else None
    return None


def _is_sure_of(unit: str, beside: str, field: Field, label: Label) -> bool:
    """Tell whether "5 m" is metres and no millions: label or field says so, or speaks of a length."""
    if unit in (label.unit, field.unit_under(label.words)):
        return True
    return unit == "m" and beside == "m" and speaks_of_length({*label.words, *known_words(field)})


def _agree(field: Field, label: Label, beside: str, numbers: Sequence[str]) -> bool:
    """Tell whether label, cells and field state the same unit; where the field states none, the page's is its own.

    The year in which something was done, "founded_year", is no number of years.
    """
    if beside and label.unit and beside != label.unit:
        return False
    stated, asked = beside or label.unit, field.unit_under(label.words)
    if asked is None or asked == stated:
        return True
    return asked == "yr" and stated is None and all(_YEAR.fullmatch(number) for number in numbers)


def known_words(field: Field) -> set[str]:
    """Give all words by which a field is named."""
    return {word for words in field.names for word in words} | set(words_of(field.name))
