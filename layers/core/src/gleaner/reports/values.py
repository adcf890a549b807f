"""A result as tables of values, each with what proves it: what all reports show."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.json_pointers import pointer_of, value_at
from gleaner.contracts.models import ExtractionResult, ProvenanceEntry, ScrapeResult, Withheld
from gleaner.contracts.ports import JsonValue
from gleaner.results.records import place_of_records, records_of

_WORST = ("ungrounded", "inferred", "normalized", "verbatim")
STATUS_WORDS: Mapping[str, str] = {
    "verbatim": "word for word",
    "normalized": "in another form",
    "inferred": "inferred",
    "ungrounded": "not on the page",
    "": "no proof",
}
TIER_NAMES = {"structured": "data in the page", "recipe": "a learned recipe", "model": "a model"}
_DEEPEST = 3
"""Objects within a record that are spread into columns."""
_LONGEST_ADDRESS = 2_000
_WEB = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value at its pointer in the data, None for none, and the proofs of it and of what is in it."""

    pointer: str
    value: JsonValue
    proofs: tuple[ProvenanceEntry, ...] = ()

    @property
    def status(self) -> str:
        """The weakest status of its proofs; "" without any."""
        found = {proof.status for proof in self.proofs}
        return next((status for status in _WORST if status in found), "")

    @property
    def words(self) -> str:
        """The value as a person reads it; a rejected one where none is left."""
        said = words_of(self.value)
        return said or ", ".join(filter(None, (words_of(proof.value) for proof in self.proofs)))

    @property
    def is_gone(self) -> bool:
        """Whether a value was rejected, and nothing is left in its place."""
        return self.value is None and any(proof.status == "ungrounded" for proof in self.proofs)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of a result: its title, the names of its columns, and a row for each record."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[ShownValue, ...], ...]


def tables_of(result: ExtractionResult) -> list[ShownTable]:
    """Give the records as a table, and before it one of what stands beside them; none for an answer in words."""
    data = result.data
    if data is None or isinstance(data, str):
        return []
    proofs = _Proofs(result.provenance)
    place = place_of_records(result)
    if place is None:
        return [_table("Record", [("", data)], proofs)]
    beside = {name: value for name, value in data.items() if [name] != place[:1]} if isinstance(data, dict) else {}
    root = pointer_of(place)
    rows = [(f"{root}/{at}", record) for at, record in enumerate(records_of(result)[0])]
    records = [_table("Records", rows, proofs)]
    return [_table("The page", [("", beside)], proofs), *records] if beside else records


def words_of(value: JsonValue) -> str:
    """Give a value as a person reads it in a cell.

    >>> words_of(["red", "blue"]), words_of(True), words_of(None), words_of({"a": 1}), words_of(900.0)
    ('red, blue', 'yes', '', '{"a": 1}', '900')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, str | int | float):
        return "" if value is None else str(value).removesuffix(".0") if isinstance(value, float) else str(value)
    if isinstance(value, list) and not any(isinstance(one, list | dict) for one in value):
        return ", ".join(map(words_of, value))
    return json.dumps(value, ensure_ascii=False)


def excerpt_of(text: str) -> str:
    """Give an excerpt of Markdown as one line, without the signs at its begin and those of stress.

    >>> excerpt_of("## Jug\\n\\n**£4.50**")
    'Jug £4.50'
    """
    return " ".join(text.replace("**", "").lstrip("#>*|- \n").split())


def web_address(value: JsonValue) -> str:
    """Give a value that is an http or https address, and nothing else; "" for any other."""
    return value if isinstance(value, str) and len(value) < _LONGEST_ADDRESS and _WEB.fullmatch(value) else ""


def doubts_of(proof: ProvenanceEntry) -> list[str]:
    """Say what speaks against a proof: why a value was rejected, a doubt, another value that the page states."""
    doubt, rival = getattr(proof, "doubt", None), getattr(proof, "rival", None)
    held: Any = rival.get("value") if isinstance(rival, dict) else getattr(rival, "value", rival)
    return [
        *([proof.reason] if proof.reason else []),
        *([str(doubt)] if doubt else []),
        *([f"the page also says {words_of(held)}"] if held is not None else []),
    ]


def quote_of(proof: ProvenanceEntry, text: str) -> str:
    """Give the words of the page that prove a value; "" where its place is not in the text."""
    if proof.source != "markdown" or proof.start is None or proof.end is None or proof.status == "ungrounded":
        return ""
    return text[proof.start : proof.end]


def place_of(proof: ProvenanceEntry) -> str:
    """Say where the words of a proof stand: in the text, on a page of a document, or in the data of the HTML."""
    if proof.source == "snapshot":
        return "data in the HTML"
    return "text" if proof.page is None else f"page {proof.page}"


def facts_of(result: ScrapeResult[Any]) -> list[tuple[str, str]]:
    """Give what a result says of itself at a glance: the records, what answered, what it cost."""
    extraction = result.extraction
    if extraction is None:
        return []
    counted, usage = extraction.completeness, extraction.usage
    of = f" of {counted.expected}" if counted.expected is not None else ""
    asked = (
        f"{usage.calls} model call{'' if usage.calls == 1 else 's'}, {usage.input_tokens + usage.output_tokens} tokens"
    )
    return [
        ("Records", f"{counted.returned}{of}"),
        *([("Read by", TIER_NAMES[extraction.tier])] if extraction.tier in TIER_NAMES else []),
        ("Cost", asked if usage.calls else "no model call"),
    ]


def notices_of(result: ScrapeResult[Any]) -> list[tuple[str, list[str]]]:
    """Give what a reader has to know, loudest first: errors, fields that were not read, warnings, what declined."""
    extraction = result.extraction
    shown = {"missing_units": extraction.completeness.missing, "ungrounded": extraction.withheld} if extraction else {}
    errors = [*([result.error] if result.error else []), *(extraction.errors if extraction else [])]
    errors = [error for error in errors if not shown.get(error.error_type)]  # what has a place of its own
    warned = [*result.warnings, *(extraction.warnings + extraction.conflicts if extraction else [])]
    warned = [line for line in warned if not (shown.get("ungrounded") and line.startswith("Withheld "))]
    unread = extraction.completeness.unread if extraction else []
    declined = extraction.declined if extraction else {}
    found = [
        ("Errors", [f"{error.error_type}: {error.message}" for error in errors]),
        ("Withheld", [withheld_line(one) for one in extraction.withheld] if extraction else []),
        ("Fields that were not read", [f"{name}: the page may state it all the same" for name in unread]),
        ("To know", list(dict.fromkeys(warned))),
        ("Tried without an answer", [f"{TIER_NAMES.get(tier, tier)}: {why}" for tier, why in declined.items()]),
    ]
    return [(title, lines) for title, lines in found if lines]


def withheld_line(one: Withheld) -> str:
    """Say what was withheld and why.

    >>> withheld_line(Withheld(item={"name": "Jug", "price": None}, pointer="/-/price", reason="no value was given"))
    'name: Jug (price: no value was given)'
    """
    item = one.item if isinstance(one.item, dict) else {"value": one.item}
    words = " · ".join(f"{name}: {words_of(value)}" for name, value in item.items() if value is not None)
    return f"{words} ({one.pointer.rpartition('/')[2]}: {one.reason})"


class _Proofs:
    """The proofs of a value and of all that is in it, by its pointer."""

    def __init__(self, entries: Sequence[ProvenanceEntry]) -> None:
        self.below: dict[str, list[ProvenanceEntry]] = {}
        for entry in entries:
            pointer = entry.pointer
            self.below.setdefault(pointer, []).append(entry)
            while pointer:
                pointer = pointer[: pointer.rindex("/")]
                self.below.setdefault(pointer, []).append(entry)

    def of(self, pointer: str) -> tuple[ProvenanceEntry, ...]:
        return tuple(self.below.get(pointer, ()))


def _table(title: str, records: Sequence[tuple[str, JsonValue]], proofs: _Proofs) -> ShownTable:
    paths = list(dict.fromkeys(path for _, record in records for path in _paths(record, ())))
    inner = {path[:depth] for path in paths for depth in range(len(path))}
    columns = [path for path in paths if path not in inner or not path]
    rows = tuple(
        tuple(
            ShownValue(root + below, value_at(record, below), proofs.of(root + below))
            for below in map(pointer_of, columns)
        )
        for root, record in records
    )
    return ShownTable(title, tuple(".".join(path) or "value" for path in columns), rows)


def _paths(value: JsonValue, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give the ways to the values of a record: objects are spread, lists are values."""
    if not isinstance(value, dict) or not value or len(path) >= _DEEPEST:
        yield path
        return
    for name, inner in value.items():
        yield from _paths(inner, (*path, name))
