"""The faults of real models, as a table: which wrong values they give, how often, and why we think so.

Each fault spoils a true answer at one record, or in one column. ``MIX`` is how many wrong values of each kind there are
among 1,000 that a good model gives; within a kind the faults have weights of their own, as far as recorded answers tell
them. Faults that no model was seen to make weigh next to nothing. Records that are left out are in ``losses.py``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

Record = dict[str, Any]
Kind = Literal["flag", "number", "day", "link", "text", "none"]

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LINK = re.compile(r"https?://")
_DIGIT = re.compile(r"\d")
_TIME_UNITS = re.compile(r"(?i)(?<![^\W_])(?:min|mins|minutes?|hours?|hrs?|seconds?|secs?|duration|time)(?![^\W_])")
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Truth:
    """The true records of a page, the schema of one, and records of another page of the same site to invent from."""

    records: Sequence[Record]
    schema: Mapping[str, Any]
    donors: Sequence[Record] = ()

    def field(self, name: str) -> Mapping[str, Any]:
        """Give a field's own schema."""
        found = self.schema.get("properties", {}).get(name, {})
        return found if isinstance(found, dict) else {}

    def types(self, name: str) -> set[str]:
        """Give the types that a field may have."""
        given = self.field(name).get("type", [])
        return {given} if isinstance(given, str) else set(given)

    def is_free(self, name: str) -> bool:
        """Tell whether a field takes any value of its type."""
        return "enum" not in self.field(name) and "const" not in self.field(name)


@dataclass(frozen=True, slots=True)
class Change:
    """What a fault does: other values by record and field."""

    values: Mapping[tuple[int, str], Any] = field(default_factory=dict[tuple[int, str], Any])

    def applied(self, records: Sequence[Record]) -> list[Record]:
        """Give the records as the faulty answer has them."""
        spoilt = [{**one} for one in records]
        for (at, name), value in self.values.items():
            spoilt[at][name] = value
        return spoilt


FaultKind = Literal["nowhere", "neighbour", "other_field", "cut", "misread"]
MIX: Mapping[FaultKind, int] = {"nowhere": 8, "neighbour": 5, "other_field": 7, "cut": 3, "misread": 2}
"""Wrong values of each kind among 1,000 of a good model: it is right 49 times in 50 (recorded answers, 2026)."""

Spoil = Callable[[Truth, int, Random], Change | None]


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to be wrong. ``spoils`` says how much of an answer: one record's values, or a column.

    ``weight`` is its share among the faults of its kind.
    """

    name: str
    kind: FaultKind
    weight: float
    spoils: Literal["values", "column"]
    reason: str
    spoil: Spoil


def kind_of(value: Any) -> Kind:
    """Give the kind of a value: a fault puts in one that could stand there."""
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "day" if _DAY.match(value) else "link" if _LINK.match(value) else "text"
    return "none"


def _names(truth: Truth, at: int, random: Random) -> list[str]:
    """Give the fields of a record that hold one value, in a drawn order."""
    names = [name for name, value in truth.records[at].items() if kind_of(value) != "none" and value != ""]
    random.shuffle(names)
    return names


def _one(at: int, name: str, value: Any) -> Change:
    return Change({(at, name): value})


def _fits(truth: Truth, name: str, value: Any) -> bool:
    """Tell whether the schema lets a field hold a value of this kind."""
    types, form, kind = truth.types(name), truth.field(name).get("format"), kind_of(value)
    if not truth.is_free(name):
        return value in truth.field(name).get("enum", [])
    if kind == "number":
        return "number" in types or ("integer" in types and float(value).is_integer())
    if kind == "flag":
        return "boolean" in types
    expected = {"date": "day", "date-time": "day", "uri": "link"}.get(str(form), kind)
    return "string" in types and kind == expected


def _neighbours(truth: Truth, at: int, random: Random) -> Change | None:
    beside = [other for other in (at + 1, at - 1) if 0 <= other < len(truth.records)]
    for name in _names(truth, at, random) if beside else ():
        value = truth.records[beside[0]].get(name)
        if kind_of(value) not in ("none", "flag") and value != truth.records[at][name]:
            return _one(at, name, value)
    return None


def _others_of_the_kind(truth: Truth, at: int, random: Random) -> Iterator[tuple[str, str]]:
    """Give pairs of fields of a record whose values could stand in each other's place, and differ."""
    record, names = truth.records[at], _names(truth, at, random)
    for name in names:
        for other in names:
            is_alike = kind_of(record[name]) == kind_of(record[other]) != "flag"
            if name != other and is_alike and record[name] != record[other] and _fits(truth, name, record[other]):
                yield name, other


def _other_of_the_kind(truth: Truth, at: int, random: Random) -> Change | None:
    pairs = sorted(
        _others_of_the_kind(truth, at, random), key=lambda pair: kind_of(truth.records[at][pair[0]]) == "text"
    )
    return next((_one(at, name, truth.records[at][other]) for name, other in pairs), None)


def _filled_null(truth: Truth, at: int, random: Random) -> Change | None:
    record, names = truth.records[at], _names(truth, at, random)
    empty = [name for name in truth.schema.get("properties", {}) if record.get(name) is None]
    random.shuffle(empty)
    for name in empty:
        beside = [record[other] for other in names]
        near = [one.get(name) for one in truth.records[max(0, at - 1) : at + 2]]
        for value in (*near, *beside):
            if kind_of(value) not in ("none", "flag") and _fits(truth, name, value):
                return _one(at, name, value)
    return None


def _wrong_unit(truth: Truth, at: int, random: Random) -> Change | None:
    for name in _names(truth, at, random):
        value = truth.records[at][name]
        if kind_of(value) != "number" or not value:
            continue
        said = f"{name} {truth.field(name).get('description', '')}"
        factor = 60 if _TIME_UNITS.search(said.replace("_", " ")) else random.choice((100, 1000))
        smaller = value / factor
        scaled = value * factor if truth.types(name) >= {"integer"} or random.random() < 0.5 else smaller
        scaled = int(scaled) if float(scaled).is_integer() else round(scaled, 4)
        if truth.is_free(name) and scaled != value:
            return _one(at, name, scaled)
    return None


def _cut_text(truth: Truth, at: int, random: Random) -> Change | None:
    for name in _names(truth, at, random):
        value = truth.records[at][name]
        if kind_of(value) == "text" and len(words := value.split()) >= _LEAST_WORDS and truth.is_free(name):
            return _one(at, name, " ".join(words[: random.randint(max(1, len(words) // 2), len(words) - 1)]))
    return None


def _glued(truth: Truth, at: int, random: Random) -> Change | None:
    """End a text with another field's, or with its last word: both stand in the record, and are no one text."""
    record, names = truth.records[at], _names(truth, at, random)
    is_whole = random.random() < 0.5
    for name in names:
        value = record[name]
        if kind_of(value) != "text" or len(words := value.split()) < _LEAST_WORDS or not truth.is_free(name):
            continue
        others = [str(record[other]) for other in names if other != name and kind_of(record[other]) != "link"]
        fitting = [one for one in others if one.split()[-1] != words[-1]]
        if fitting and is_whole:
            return _one(at, name, f"{value} {fitting[0]}")
        if fitting:
            return _one(at, name, " ".join([*words[:-1], fitting[0].split()[-1]]))
    return None


def _guessed_flag(truth: Truth, at: int, random: Random) -> Change | None:
    record = truth.records[at]
    for name in truth.schema.get("properties", {}):
        if "boolean" in truth.types(name):
            value = record.get(name)
            return _one(at, name, random.random() < 0.5 if value is None else not value)
    return None


def _made_up(truth: Truth, at: int, name: str, random: Random) -> Any:
    """Give a value of a field that is another page's, or else a made-up one; None where there is none."""
    known = {repr(one.get(name)) for one in truth.records}
    drawn = [value for one in truth.donors if repr(value := one.get(name)) not in known and kind_of(value) != "none"]
    drawn = [value for value in drawn if kind_of(value) != "flag"]
    if drawn:
        return drawn[(at + random.randrange(len(drawn))) % len(drawn)]
    value = truth.records[at].get(name)
    if not truth.is_free(name):
        return None
    if kind_of(value) == "number":
        return type(value)(value * 3 + random.randint(7, 77))
    if kind_of(value) == "text":
        return " ".join(random.sample(("Harlow", "Quinby", "Verdane", "Ostrel", "Tamsin", "Brackwell"), 2))
    return None


def _invented_value(truth: Truth, at: int, random: Random) -> Change | None:
    for name in _names(truth, at, random):
        value = _made_up(truth, at, name, random)
        if value is not None and value != truth.records[at][name]:
            return _one(at, name, value)
    return None


def _invented_column(truth: Truth, at: int, random: Random) -> Change | None:
    required = set(truth.schema.get("required", ()))
    for name in sorted(_names(truth, at, random), key=lambda one: one not in required):
        made = {(row, name): _made_up(truth, row, name, random) for row in range(len(truth.records))}
        if None not in made.values():
            return Change(made)
    return None


def _empty_text(truth: Truth, at: int, random: Random) -> Change | None:
    required = set(truth.schema.get("required", ()))
    for name in _names(truth, at, random):
        is_plain = "format" not in truth.field(name) and truth.is_free(name)
        if name in required and kind_of(truth.records[at][name]) in ("text", "day") and is_plain:
            return _one(at, name, "")
    return None


def _one_text_in_many(truth: Truth, at: int, random: Random) -> Change | None:
    record = truth.records[at]
    names = [name for name in _names(truth, at, random) if kind_of(record[name]) == "text" and truth.is_free(name)]
    names = [name for name in names if "format" not in truth.field(name)]
    if len(names) < _LEAST_WORDS:
        return None
    return Change({(at, name): record[names[0]] for name in names[1:] if record[name] != record[names[0]]})


def _changed_digit(truth: Truth, at: int, random: Random) -> Change | None:
    for name in sorted(_names(truth, at, random), key=lambda one: kind_of(truth.records[at][one]) != "number"):
        value, kind = truth.records[at][name], kind_of(truth.records[at][name])
        if not truth.is_free(name) or kind not in ("number", "day", "text"):
            continue
        if kind == "number":
            return _one(at, name, value + random.choice((1, 10)) if isinstance(value, int) else round(value + 0.1, 4))
        figures = [*_DIGIT.finditer(value)]
        if figures:
            last = figures[-1]
            digit = str((int(last[0]) + 1) % 10) if kind == "text" else "1" if last[0] != "1" else "2"
            return _one(at, name, f"{value[: last.start()]}{digit}{value[last.end() :]}")
    return None


def _wrong_choice(truth: Truth, at: int, random: Random) -> Change | None:
    for name in _names(truth, at, random):
        others = [one for one in truth.field(name).get("enum", []) if one not in (None, truth.records[at][name])]
        if others:
            return _one(at, name, random.choice(others))
    return None


def _exchanged(truth: Truth, at: int, random: Random) -> Change | None:
    record = truth.records[at]
    for name, other in _others_of_the_kind(truth, at, random):
        if _fits(truth, other, record[name]):
            return Change({(at, name): record[other], (at, other): record[name]})
    return None


def _turned_range(truth: Truth, at: int, random: Random) -> Change | None:
    record = truth.records[at]
    for name in _names(truth, at, random):
        other = re.sub(r"min|low|from|start", lambda end: _OTHER_END[end[0]], name)
        if other != name and kind_of(record.get(other)) == kind_of(record[name]) and record[other] != record[name]:
            return Change({(at, name): record[other], (at, other): record[name]})
    return None


_OTHER_END = {"min": "max", "low": "high", "from": "to", "start": "end"}

FAULTS: tuple[Fault, ...] = (
    Fault(
        "invented_value", "nowhere", 0.5, "values", "what the page lacks is known from elsewhere, or made up",
        _invented_value,
    ),
    Fault("invented_column", "nowhere", 0.3, "column", "a required field that the page lacks", _invented_column),
    Fault("empty_text", "nowhere", 0.2, "values", '"" satisfies a required string', _empty_text),
    Fault("neighbours_value", "neighbour", 1.0, "values", "rows slip in dense lists and tables", _neighbours),
    Fault(
        "filled_null", "other_field", 0.5, "values", "a model would rather give something nearby than nothing",
        _filled_null,
    ),
    Fault(
        "other_of_the_kind", "other_field", 0.35, "values", "the list price for the price, the update for the day",
        _other_of_the_kind,
    ),
    Fault(
        "one_text_in_many", "other_field", 0.11, "values", "small models repeat one text in all fields of a record",
        _one_text_in_many,
    ),
    Fault("exchanged", "other_field", 0.02, "values", "not seen with real models; it stays covered", _exchanged),
    Fault("turned_range", "other_field", 0.02, "values", "not seen with real models; it stays covered", _turned_range),
    Fault("cut_text", "cut", 0.75, "values", "long names and texts are shortened", _cut_text),
    Fault("glued_pieces", "cut", 0.25, "values", "a citation ends with the number of something else", _glued),
    Fault(
        "wrong_unit", "misread", 0.3, "values", "cents, thousands, minutes for hours: the unit is in the field's name",
        _wrong_unit,
    ),
    Fault("guessed_flag", "misread", 0.3, "values", "a flag must be given and the page says nothing", _guessed_flag),
    Fault("changed_digit", "misread", 0.3, "values", "a digit misread in a number or a code", _changed_digit),
    Fault("wrong_choice", "misread", 0.1, "values", "another of the schema's own words", _wrong_choice),
)  # fmt: skip
KINDS: Mapping[str, FaultKind] = {one.name: one.kind for one in FAULTS}


def weighted(shares: Mapping[str, tuple[float, float]]) -> float | None:
    """Give the weighted share of hits, in per cent, from (hits, tries) by fault; faults never tried do not count.

    >>> weighted({"cut_text": (1, 2), "glued_pieces": (0, 5)})
    37.5
    """
    weights = {one.name: one.weight for one in FAULTS}
    tried = {name: hits / tries for name, (hits, tries) in shares.items() if tries}
    total = sum(weights[name] for name in tried)
    return 100 * sum(weights[name] * each for name, each in tried.items()) / total if total else None
