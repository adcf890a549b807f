"""Values that the page has, given for a field or a record that it does not say them of."""

from typing import Any

import pytest
from gleaner.judging.judge import judge as prove
from gleaner.judging.alignment import align_records, find_text_units

Record = dict[str, Any]


def refused(records: list[Record], text: str) -> set[str]:
    units = find_text_units(text)
    spans = [None if at is None else units[at] for at in align_records(records, text, units)] if units else None
    entries = prove(records, text, spans=spans, units=units or None)
    return {entry.pointer for entry in entries if entry.status == "ungrounded"}


SHOP = "".join(
    f"- **{name}**\n  by {brand}\n  **€ {price}** {stock} in stock\n"
    for name, brand, price, stock in (
        ("Oak stool", "Norby", 45, 12), ("Pine shelf", "Halden", 89, 7), ("Ash lamp", "Norby", 130, 9),
        ("Elm box", "Vester", 18, 31),
    )
) + "\nVisit Zorblax Tools\n"  # fmt: skip
STOOLS: list[Record] = [
    {"name": "Oak stool", "brand": "Norby", "price": 45, "stock": 12},
    {"name": "Pine shelf", "brand": "Halden", "price": 89, "stock": 7},
    {"name": "Ash lamp", "brand": "Norby", "price": 130, "stock": 9},
    {"name": "Elm box", "brand": "Vester", "price": 18, "stock": 31},
]
CLUBS = [("Varde", 22, 14, 48, 46), ("Skive", 21, 13, 45, 44), ("Hobro", 20, 9, 31, 33)]
LEAGUE = "| Club | P | W | GF | Pts |\n|---|---|---|---|---|\n" + "".join(
    f"| {' | '.join(map(str, club))} |\n" for club in CLUBS
)
MUSEUM = (
    "- **Boat** / *Boot*\n  Bronze, 1450\n  Inv. A 1\n- **Amber ring** / *Ring*\n  Amber, 1620\n  Inv. A 2\n"
    "- **Tin plate** / *Teller*\n  Tin, 1710\n  Inv. B 3\n- **Chest** / *Truhe*\n  Oak, 1585\n  Inv. B 4\n"
)
OBJECTS = [
    ("Boat", "Bronze", "1450"),
    ("Amber ring", "Amber", "1620"),
    ("Tin plate", "Tin", "1710"),
    ("Chest", "Oak", "1585"),
]
PUMPS = (
    "|  | TX-10 | TX-20 | TX-30 |\n|---|---|---|---|\n| Weight | 2 t | 3 t | 4 t |\n"
    "| Lowest | −10 °C | −20 °C | −25 °C |\n\nOnly 777!\n"
)
MODELS = [{"model": f"TX-{n}0", "weight_t": n + 1, "lowest": low} for n, low in ((1, -10), (2, -20), (3, -25))]


def changed(records: list[Record], number: int, **values: Any) -> list[Record]:
    return [{**record, **(values if at == number else {})} for at, record in enumerate(records)]


@pytest.mark.req("PR-2")
def test_what_stands_beside_the_list_is_of_no_record_where_the_others_have_theirs_in_their_places() -> None:
    assert refused(STOOLS, SHOP) == set()
    assert refused(changed(STOOLS, 1, brand="Zorblax Tools"), SHOP) == {"/1/brand"}


@pytest.mark.req("PR-2")
def test_a_number_before_the_name_of_what_it_counts_is_no_price() -> None:
    turned = [{**record, "price": record["stock"], "stock": record["price"]} for record in STOOLS]
    assert refused(turned, SHOP) >= {f"/{at}/price" for at in range(4)}


@pytest.mark.req("PR-2")
def test_a_text_that_many_titles_repeat_has_its_slot_all_the_same() -> None:
    objects: list[Record] = [{"title": title, "material": of, "year": year} for title, of, year in OBJECTS]
    assert refused(objects, MUSEUM) == set()
    assert refused(changed(objects, 2, material="1710", year="Tin"), MUSEUM) == {"/2/material", "/2/year"}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize("value", [20, 777, -10])
def test_a_record_in_a_column_takes_a_field_from_the_row_that_names_it(value: int) -> None:
    assert refused(MODELS, PUMPS) == set()
    assert refused(changed(MODELS, 1, lowest=value), PUMPS) == {"/1/lowest"}


@pytest.mark.req("PR-2")
def test_a_row_that_no_field_asks_for_states_nothing_for_one_that_has_its_own() -> None:
    table = "|  | A | B | C |\n|---|---|---|---|\n| Weight | 2 | 3 | 4 |\n| Power | 50 | 60 | 70 |\n"
    table += "| Name | Ash | Elm | Oak |\n"
    pumps: list[Record] = [{"name": name, "power": power} for name, power in (("Ash", 50), ("Elm", 60), ("Oak", 70))]
    assert refused(pumps, table) == set()
    assert refused(changed(pumps, 1, power=3), table) == {"/1/power"}


@pytest.mark.req("PR-2")
def test_the_value_of_a_list_of_definitions_stands_by_its_own_term() -> None:
    jobs = [
        ("Clerk", "City of Varde", "Varde", "June"),
        ("Cook", "Norr", "Ribe", "May"),
        ("Nurse", "South", "Kolding", "July"),
    ]
    text = "".join(f"## {a}\n\nEmployer\n:   {b}\n\nPlace\n:   {c}\n\nApply by\n:   {d}\n\n" for a, b, c, d in jobs)
    records: list[Record] = [{"title": a, "employer": b, "place": c, "apply_by": d} for a, b, c, d in jobs]
    starts = [text.index(f"## {a}") for a, *_ in jobs]
    spans = list(zip(starts, [*starts[1:], len(text)], strict=True))
    turned = changed(records, 0, place=None, apply_by="Varde")
    found = [
        {one.pointer for one in prove(data, text, spans=spans, units=spans) if one.status == "ungrounded"}
        for data in (records, turned)
    ]
    assert found == [set(), {"/0/apply_by"}]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("5 of high risk, 30 of low risk", {"high_risk": 5, "low_risk": 30}),
        ("From 100 to 80", {"from": 100, "to": 80}),
        ("Opens 22:00, closes 06:00", {"opens": "22:00", "closes": "06:00"}),
    ],
)
def test_what_is_no_range_may_be_in_any_order(text: str, data: dict[str, Any]) -> None:
    assert {one.status == "ungrounded" for one in prove(data, text)} == {False}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("Open 3 May 2026 – 9 June 2026", {"start_date": "2026-06-09", "end_date": "2026-05-03"}),
        ("For 5 to 10 kg", {"lowest": 10, "highest": 5}),
    ],
)
def test_ends_of_a_range_that_are_exchanged_are_refused(text: str, data: dict[str, Any]) -> None:
    assert {one.status for one in prove(data, text)} == {"ungrounded"}
