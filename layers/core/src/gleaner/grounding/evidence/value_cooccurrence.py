"""Texts that occur together with an enum value in nearly all records.

A choice need not stand in the page in its own words. But in a list the same words mean the same: what is given for
"For rent" on one record can't be given for "For sale" on another.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.spellings import Field

_LEAST_RECORDS = 5
_LEAST = 2
_LEAST_ALONE = 3
_SELDOM = 0.25
_LONGEST = 60
_MOST_PARTS = 40
_BORDER = re.compile(r"\n|[|·•;]|,\s|\s[-–—]\s|\*\*|\]\([^)\s]*\)")
_DIGITS = re.compile(r"\d+")
_AROUND = " \t\u00a0*_#`>[]-"

_Parts = frozenset[str]
_Value = tuple[type, object]


@dataclass(frozen=True, slots=True)
class _Said:
    """The records of a value, and the parts that they have and hardly any record of another value."""

    count: int
    telling: frozenset[str]
    is_clear: bool


def find_unfitting(records: Mapping[int, Iterable[Leaf]], spans: Sequence[Span | None], text: str) -> set[str]:
    """Give the pointers of choices and flags whose records say all that goes with another value, and not with theirs.

    ``spans`` are the places of the records, in the order of their numbers. Lists inside of records are left out.
    """
    fields: dict[Field, dict[int, Leaf]] = {}
    for number, leaf in ((number, leaf) for number, own in records.items() for leaf in own):
        is_choice = not (leaf.is_open or leaf.is_derived) and leaf.value is not None
        if is_choice and leaf.field[-1:] != ("*",) and number < len(spans) and spans[number]:
            fields.setdefault(leaf.field, {})[number] = leaf
    parts: dict[int, _Parts] = {}
    found: set[str] = set()
    for own in fields.values():
        values = Counter(leaf.key for leaf in own.values())
        if len(own) >= _LEAST_RECORDS and len(values) > 1:
            parts |= {number: _parts_of(text, spans[number]) for number in own.keys() - parts.keys()}
            found |= _unfitting(own, values, parts)
    return found


def _unfitting(own: Mapping[int, Leaf], values: Counter[_Value], parts: Mapping[int, _Parts]) -> set[str]:
    have: dict[_Value, Counter[str]] = {value: Counter() for value in values}
    for number, leaf in own.items():
        have[leaf.key].update(parts[number])
    total = sum(have.values(), Counter[str]())
    said = {value: _said(value, values, have, total) for value in values}
    found: set[str] = set()
    for number, leaf in own.items():
        mine = said[leaf.key]
        if mine.telling and not mine.telling.isdisjoint(parts[number]):
            continue
        others = (other for value, other in said.items() if value != leaf.key and other.telling <= parts[number])
        if any(other.telling and (mine.telling or _is_flag_without(leaf, mine, other)) for other in others):
            found.add(leaf.pointer)
    return found


def _said(value: _Value, values: Counter[_Value], have: Mapping[_Value, Counter[str]], total: Counter[str]) -> _Said:
    count, others = values[value], values.total() - values[value]
    telling = {
        part: total[part] - having
        for part, having in have[value].items()
        if having >= max(_LEAST, count - max(1, _SELDOM * count))
        and total[part] - having <= max(1, _SELDOM * others)
        and total[part] - having < others
    }
    is_clear = count >= _LEAST_ALONE and all(elsewhere <= 1 for elsewhere in telling.values())
    return _Said(count, frozenset(telling), is_clear)


def _is_flag_without(leaf: Leaf, mine: _Said, other: _Said) -> bool:
    """Tell whether a flag's no goes without saying, and its yes never does."""
    return leaf.value is False and other.is_clear and mine.count > _LEAST_ALONE


def _parts_of(text: str, own: Span | None) -> _Parts:
    """Give the short texts of a record's place, figures left open; those of a row with the number of their cell."""
    said = text[slice(*own)] if own else ""
    is_row = said.lstrip().startswith("|")
    found: list[str] = []
    for at, cell in enumerate(said.split("|")) if is_row else [(0, said)]:
        for piece in _BORDER.split(cell.strip(), maxsplit=_MOST_PARTS):
            part = _DIGITS.sub("#", piece.strip(_AROUND).casefold())
            if 0 < len(part) <= _LONGEST:
                found.append(f"{at} {part}")
    return frozenset(found)
