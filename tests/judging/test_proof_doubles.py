"""Of two fields that are proven by one mention, the one that stands elsewhere in the other records is refused."""

import re
from itertools import pairwise
from typing import Any

import pytest
from gleaner.judging.judge import judge as prove

CARDS = "\n\n".join(f"### {name}\n\n{maker} · {town}\n\n{low} to {high} £" for name, maker, town, low, high in (
    ("Kettle", "Fjord", "Oslo", 80, 120), ("Toaster", "Nordlys", "Bergen", 65, 90), ("Mixer", "Luch", "Perm", 70, 95)
))  # fmt: skip
RECORDS = [
    {"name": "Kettle", "maker": "Fjord", "town": "Oslo", "low": 80, "high": 120},
    {"name": "Toaster", "maker": "Nordlys", "town": "Bergen", "low": 65, "high": 90},
    {"name": "Mixer", "maker": "Luch", "town": "Perm", "low": 70, "high": 95},
]
TABLE = (
    "| a | b | c |\n| --- | --- | --- |\n| Kettle | 1,385.50 | -4.20 |\n| Toaster | 921.35 | +2.15 |\n"
    "| Mixer | 2.11 | -1.05 |\n"
)
ROWS = [
    {"what": "Kettle", "rate": 1385.5, "change": -4.2},
    {"what": "Toaster", "rate": 921.35, "change": 2.15},
    {"what": "Mixer", "rate": 2.11, "change": -1.05},
]


def unproven(data: Any, text: str) -> set[str]:
    starts = [found.start() for found in re.finditer(r"^### ", text, re.MULTILINE)]
    spans = [*pairwise([*starts, len(text)])] if starts else None
    return {entry.pointer for entry in prove(data, text, spans=spans) if entry.status == "ungrounded"}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(("records", "text"), [(RECORDS, CARDS), (ROWS, TABLE)])
def test_a_value_that_is_another_fields_is_refused_where_three_records_tell(
    records: list[dict[str, Any]], text: str
) -> None:
    assert unproven(records, text) == set()
    pairs = [(one, other) for one in records[0] for other in records[0] if one != other]
    for number, record in enumerate(records):
        for one, other in pairs:
            if type(record[one]) is type(record[other]) or isinstance(record[one], str):
                taken = [*records[:number], {**record, one: record[other]}, *records[number + 1 :]]
                assert unproven(taken, text) == {f"/{number}/{one}"}, (number, one, other)


@pytest.mark.req("PR-2")
def test_two_values_that_one_of_three_records_exchanged_are_refused() -> None:
    assert unproven([{**RECORDS[0], "maker": "Oslo", "town": "Fjord"}, *RECORDS[1:]], CARDS) == {"/0/maker", "/0/town"}
    assert unproven([*RECORDS[:2], {**RECORDS[2], "low": 95, "high": 70}], CARDS) == {"/2/low", "/2/high"}
    other_order = CARDS.replace("Fjord · Oslo", "Oslo, by Fjord")
    assert unproven(RECORDS, other_order) == set()


@pytest.mark.req("PR-1")
def test_one_mention_may_say_two_fields_where_others_have_them_in_one_place_too() -> None:
    text = "- Kettle: 80\n- Toaster: 65\n- Mixer: 70\n"
    rows = [{"name": "Kettle", "low": 80, "high": 80}, {"name": "Toaster", "low": 65, "high": 65}]
    assert unproven([*rows, {"name": "Mixer", "low": 70, "high": 70}], text) == set()


@pytest.mark.req("PR-1")
def test_two_records_do_not_tell() -> None:
    taken = [{**RECORDS[0], "town": "Fjord"}, RECORDS[1]]
    assert unproven(taken, CARDS.split("\n\n### Mixer")[0]) == set()


@pytest.mark.req("PR-2")
def test_a_mention_in_one_fields_place_proves_no_field_that_never_stands_there() -> None:
    lines = [("Kettle", "Fjord · Oslo · new"), ("Toaster", "Nordlys · Bergen"), ("Mixer", "Luch · Perm · new")]
    cards = "\n\n".join(f"### {name}\n\n{line}" for name, line in lines)
    records = [{"name": one["name"], "maker": one["maker"], "town": one["town"]} for one in RECORDS]
    assert unproven(records, cards) == set()
    assert unproven([{**records[0], "town": "Fjord"}, *records[1:]], cards) == {"/0/town"}
    assert unproven([*records[:2], {**records[2], "maker": "Perm"}], cards) == {"/2/maker"}
    shop = [{**record, "shop": "Hearth"} for record in records]
    assert unproven(shop, f"# Hearth\n\n{cards}") == set()
    assert unproven([{**shop[0], "shop": "Kettle"}, *shop[1:]], f"# Hearth\n\n{cards}") == {"/0/shop"}
