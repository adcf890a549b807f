"""The rows that the items of a record's own lists stand in: the players of a team, the teams of a division."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.regions import Span, Stretches
from gleaner.placing import align_records, find_text_units, is_convincing
from gleaner.schemas.leaves import Leaf, Steps
from gleaner.values.texts.text_index import Match, TextIndex, within

_FEWEST = 2
_LEAST_INSIDE = 0.85
"""Share of the values of a list, of those that its rows state, that stand in the rows of their own items: with less,
these are not the items' rows."""


def settle_items(
    records: Mapping[Steps, tuple[JsonValue, Span]],
    leaves: Mapping[Steps, Sequence[Leaf]],
    index: TextIndex,
    find: Callable[[Leaf], Sequence[Match]],
) -> dict[Steps, Span]:
    """Give the row of each item of the lists inside records, where those of a list have rows of their own.

    ``records`` gives each record with its place, by its steps, and ``leaves`` the values of each item.
    """
    found: dict[Steps, Span] = {}
    units: list[Span] | None = None
    for at, (record, own) in records.items():
        for steps, items in _inner_lists(record, at):
            units = find_text_units(index.text) if units is None else units
            inside = units[bisect_left(units, (own[0], -1)) : bisect_left(units, (own[1], -1))]
            rows = _rows_of(items, inside, index) if len(inside) >= len(items) else {}
            placed = {(*steps, number): row for number, row in rows.items()}
            if placed and _are_told_in_rows(placed, own, leaves, find):
                found |= placed
    return found


def _inner_lists(value: JsonValue, at: Steps) -> Iterator[tuple[Steps, list[Any]]]:
    for key, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, list) and len(inner) >= _FEWEST and all(isinstance(item, dict) for item in inner):
            yield (*at, key), inner
        elif isinstance(inner, dict):
            yield from _inner_lists(inner, (*at, key))


def _rows_of(items: Sequence[JsonValue], units: Sequence[Span], index: TextIndex) -> dict[int, Span]:
    numbers = align_records(items, index, units)
    given = {item: units[number] for item, number in enumerate(numbers) if number is not None}
    return given if is_convincing(numbers) and len({*given.values()}) == len(given) else {}


def _are_told_in_rows(
    placed: Mapping[Steps, Span],
    own: Span,
    leaves: Mapping[Steps, Sequence[Leaf]],
    find: Callable[[Leaf], Sequence[Match]],
) -> bool:
    """Tell whether what the rows of a list state is told in the rows of the items that say it."""
    inside, outside, rows = 0, 0, Stretches(placed.values())
    for steps, row in placed.items():
        for leaf in leaves.get(steps, ()):
            matches = find(leaf) if leaf.is_open and leaf.value is not None else ()
            is_inside = bool(within(matches, row))
            inside += is_inside
            outside += not is_inside and any(rows.hold(one.start) for one in within(matches, own))
    return inside >= _FEWEST and inside >= _LEAST_INSIDE * (inside + outside)
