"""Which pieces of a page a replayed answer says: as many pieces as records are not always the records."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from gleaner.schemas import record_path
from gleaner.tiers.unit_account import _account, outcomes
from gleaner.units import PlacedUnit
from gleaner.wrappers import Replay

from tests.support.schemas import INTEGER, TEXT, list_of, object_of

RECORDS = [{"name": name, "price": price} for name, price in (("Brie", 7), ("Gouda", 5), ("Feta", 9))]
SCHEMA: dict[str, Any] = list_of(object_of(name=TEXT, price=INTEGER))
PARTS = [["Cart is empty"], [f"{one['name']} {one['price']} €" for one in RECORDS], ["Write to us"]]


@pytest.mark.req("RC-2", "CM-1")
def test_three_parts_of_a_page_are_not_its_three_records() -> None:
    lines = [[f"- {text}\n" for text in part] for part in PARTS]
    parts, rows, markdown = [], [], ""
    for number, part in enumerate(lines):
        parts.append(PlacedUnit(0, number, len(markdown), len(markdown) + len("".join(part)), 0.9, "item"))
        for line in part:
            rows += [PlacedUnit(1, len(rows), len(markdown), len(markdown) + len(line), 0.9, "item")] * (number == 1)
            markdown += line
    units = [*parts, *rows]
    work = SimpleNamespace(
        records_at=record_path(SCHEMA),
        markdown=markdown,
        content=SimpleNamespace(whole_units=units, placed_units=units),
    )
    replayed = Replay(data=cast(Any, RECORDS), records=cast(Any, RECORDS))
    found = next(outcomes(cast(Any, work), replayed))
    assert [markdown[start:end] for start, end in filter(None, found.record_spans)] == lines[1]
    assert found.answered == [3, 4, 5]


@pytest.mark.req("RC-2", "CM-1")
def test_pieces_that_reach_over_into_the_next_record_are_the_record_in_which_most_of_them_stands() -> None:
    regions, reaching = [(0, 10), (10, 20), (20, 30)], [(2, 12), (12, 22), (22, 30)]
    units = [PlacedUnit(0, at, 0, 0, 0.9, "entry", region=region) for at, region in enumerate([*reaching, (30, 40)])]
    account = _account(regions, units, range(4))
    assert (account.inside, account.outside) == ([[0], [1], [2]], [3])
    mostly_next = [PlacedUnit(0, 0, 0, 0, 0.9, "entry", region=(8, 18))]
    assert _account(regions, mostly_next, range(1)).outside == [0]
