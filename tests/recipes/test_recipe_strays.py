"""Fields that may be absent and are what others leave: new texts are theirs once those of a second page were."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, refine, replay
from gleaner.recipes.learning import same_data

URL = "https://homes.example/list"
FIELDS = {
    "address": {"type": "string"},
    "rooms": {"type": "integer"},
    "agent": {"type": ["string", "null"]},
    "price": {"type": "number"},
}
SCHEMA: dict[str, Any] = {"type": "array", "items": {"type": "object", "properties": FIELDS}}
FIRST = ["Ines", "Olaf", "Mara", "Juno", "Theo", "Ayla", "Bram", "Cato"]
LAST = ["Berg", "O'Dea", "Quist", "Paz", "Lund", "Vega"]
COUNT = 12
Record = dict[str, Any]


def homes(page: int) -> list[Record]:
    numbers = (COUNT * page + at for at in range(COUNT))
    return [
        {
            "address": f"{number} {LAST[number % 5]} Lane",
            "rooms": 1 + number % 6,
            "agent": f"{FIRST[number % 8]} {LAST[number // 8]}" if (number + page) % 3 else None,
            "price": 90_000 + 1_750.0 * number,
        }
        for number in numbers
    ]


def pieces_of(one: Record) -> list[str]:
    agent = [one["agent"]] if one["agent"] else []
    return [one["address"], f"Rooms {one['rooms']}", *agent, f"£{one['price']:,.2f}"]


def written(rows: Sequence[Sequence[str]], *, in_spans: bool) -> str:
    parts = ((f"<span>{piece}</span>" for piece in row) if in_spans else [" - ".join(row)] for row in rows)
    return f"<h1>Homes</h1><ul>{''.join(f'<li>{chr(10).join(part)}</li>' for part in parts)}</ul>"


def page_of(page: int, *, in_spans: bool) -> str:
    return written([*map(pieces_of, homes(page))], in_spans=in_spans)


def learned(*pages: int, in_spans: bool) -> Recipe:
    *others, last = pages
    earlier = [Example(page_of(one, in_spans=in_spans), URL, [*homes(one)]) for one in others]
    recipe = learn(page_of(last, in_spans=in_spans), URL, SCHEMA, [*homes(last)], earlier=earlier)
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("in_spans", [False, True])
def test_new_texts_that_others_leave_are_the_fields_once_those_of_a_second_page_were(*, in_spans: bool) -> None:
    third = page_of(3, in_spans=in_spans)
    assert not replay(learned(1, in_spans=in_spans), third, URL, SCHEMA).holds
    replayed = replay(learned(1, 2, in_spans=in_spans), third, URL, SCHEMA)
    assert replayed.holds
    assert same_data(replayed.data, [*homes(3)])


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("in_spans", [False, True])
@pytest.mark.parametrize(
    ("text", "place"), [("Sold", 2), ("Price reduced", 2), ("Top 10", 2), ("New Listing", 1), ("New Listing", 3)]
)
def test_a_text_that_is_written_or_stands_otherwise_is_not(text: str, place: int, *, in_spans: bool) -> None:
    rows = [*map(pieces_of, homes(3))]
    without = next(at for at, one in enumerate(homes(3)) if one["agent"] is None)
    rows[without].insert(place, text)
    page = written(rows, in_spans=in_spans)
    recipe = learned(1, 2, in_spans=in_spans)
    assert not replay(recipe, page, URL, SCHEMA).holds
    refined = refine(recipe, page_of(3, in_spans=in_spans), URL, [*homes(3)])
    assert refined is not None
    assert not replay(refined, page, URL, SCHEMA).holds
