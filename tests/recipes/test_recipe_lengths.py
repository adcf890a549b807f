"""Lengths of time in fields that count them in one unit (RC-1, RC-2)."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.text.codes import scan_durations
from gleaner.recipes import learn, replay

URL = "https://films.test/"
NAMES = ("Emma", "Larch", "Heron", "Meadow", "Quarry", "Lantern")


def page(said: Sequence[str]) -> str:
    rows = (f"<li><h3>{name}</h3><span class=len>{one}</span></li>" for name, one in zip(NAMES, said, strict=False))
    return f"<main><ul>{''.join(rows)}</ul></main>"


def read(field: str, known: dict[str, float], said: Sequence[str]) -> list[JsonValue] | None:
    """Give the values that a recipe of known ones reads on the next page; None in doubt."""
    item: Any = {"type": "object", "properties": {"name": {"type": "string"}, field: {"type": ["number", "null"]}}}
    schema: Any = {"type": "array", "items": item}
    records: list[JsonValue] = [{"name": name, field: one} for name, one in zip(NAMES, known.values(), strict=False)]
    recipe = learn(page([*known]), URL, schema, records)
    assert recipe is not None
    found = replay(recipe, page(said), URL, schema)
    return [one[field] for one in found.records if isinstance(one, dict)] if found.holds else None


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("field", "known", "said", "expected"),
    [
        ("duration_minutes", {"1 hr 4 min": 64, "45 min": 45, "2 hr": 120}, ["3 hr", "1 hr 1 min"], [180, 61]),
        ("runtime", {"1h05": 65, "0h45": 45, "2h10": 130}, ["1h59", "3h00"], [119, 180]),
        ("seconds", {"3:45": 225, "12:01": 721, "1:02:03": 3723}, ["0:59", "2:00:00"], [59, 7200]),
        ("cook_hours", {"90 Min.": 1.5, "2 Std.": 2, "1 Std. 15 Min.": 1.25}, ["3 Std.", "30 Min."], [3, 0.5]),
    ],
)
def test_a_length_of_time_is_read_in_the_unit_of_its_field(
    field: str, known: dict[str, float], said: list[str], expected: list[float]
):
    assert read(field, known, said) == expected


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("said", [["2 hr", "1 hr 5 min"], ["2 h", "30 min"]])
def test_hours_are_no_minutes_where_only_minutes_were_seen(said: list[str]):
    found = read("duration_minutes", {"45 min": 45, "30 min": 30, "50 min": 50}, said)
    assert found is None or found[0] == 120


@pytest.mark.req("PR-1")
def test_metres_before_a_length_of_time_are_no_part_of_it():
    assert 146 * 60 in [seconds for _, _, seconds in scan_durations("6 km, ↑ 900 m, 2h 26min")]
