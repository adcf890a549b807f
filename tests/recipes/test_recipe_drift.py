"""What makes a recipe doubt a page, one change at a time: absences, figures, lengths, forms, order, strange records."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from gleaner.recipes import Recipe, learn, refine, replay
from gleaner.recipes.guards.exchanges import find_exchanged
from gleaner.recipes.guards.parting import with_parts
from gleaner.recipes.model import FieldFigures, FieldRecipe, FieldSelector
from gleaner.recipes.page.boxes import Box, open_page

URL = "https://trees.example/list"
NAMES = ["Alder", "Beech", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper"]
TEXT, NUMBER = {"type": ["string", "null"]}, {"type": ["number", "null"]}
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {"type": "object", "properties": {"name": TEXT, "low": NUMBER, "high": NUMBER, "code": TEXT}},
}
Record = dict[str, Any]
RECORDS: list[Record] = [
    {"name": name, "low": 5 + at, "high": 20 + 2 * at, "code": f"AB-{10 + at}"} for at, name in enumerate(NAMES)
]


def cards(records: list[Record]) -> str:
    """Write a card for each record; ``class`` is the card's own."""
    written = [
        f"<div class='{record.get('class', 'card')}'>"
        + "".join(f"<p class={name}>{value}</p>" for name, value in record.items() if value and name != "class")
        + "</div>"
        for record in records
    ]
    return f"<h1>Trees</h1><div class=list>{''.join(written)}</div>"


@cache
def learned() -> Recipe:
    recipe = learn(cards(RECORDS), URL, SCHEMA, RECORDS)
    assert recipe is not None
    return recipe


def each(change: Callable[[Record], Record]) -> list[Record]:
    return [{**record, **change(record)} for record in RECORDS]


CHANGES: dict[str, tuple[list[Record], str]] = {
    "a field that is gone": (each(lambda _: {"high": None}), "high: 10 of 10 are absent"),
    "a field that is gone from every other": (
        [{**record, "high": None} if at % 2 else record for at, record in enumerate(RECORDS)],
        "holds some of a record's fields",
    ),
    "a text where a number was": (each(lambda one: {"low": f"x{one['name']}"}), "low: "),
    "figures of another size": (each(lambda one: {"high": one["high"] * 100_000}), "high: is about"),
    "texts many times as long": (each(lambda one: {"name": one["name"] * 20}), "name: has 60 to 140 characters"),
    "codes written otherwise": (each(lambda one: {"code": f"no code {one['low']} yet"}), "code: is written like"),
    "numbers that changed places": (
        each(lambda one: {"low": one["high"], "high": one["low"]}),
        "('low',) was never above ('high',), and now mostly is",
    ),
    "texts that changed places": (
        each(lambda one: {"name": one["code"], "code": one["name"]}),
        "('name',) holds what ('code',) held",
    ),
    "texts that say the same": (
        each(lambda one: {"name": f"{one['name']} tree", "code": f"{one['name']} tree"}),
        "name and code say the same now",
    ),
    "a total at the end": (
        [*RECORDS, {"name": "All", "low": 95, "high": 290, "code": "AB-99"}],
        "low: the last one is the sum of the others",
    ),
    "a record of another look": (
        [*RECORDS[:5], {**RECORDS[5], "class": "card promo"}, *RECORDS[6:]],
        "records of the class promo were not seen",
    ),
}


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("change", CHANGES)
def test_a_page_that_changed_is_doubted_for_what_has_changed(change: str) -> None:
    records, doubt = CHANGES[change]
    replayed = replay(learned(), cards(records), URL, SCHEMA)
    assert not replayed.holds
    assert any(doubt in one for one in replayed.doubts), replayed.doubts


@pytest.mark.req("RC-2")
def test_a_page_with_other_records_of_the_same_kind_is_read() -> None:
    others = [
        {"name": f"{name}wood", "low": 7 + at, "high": 31 + at, "code": f"AB-{40 + at}"}
        for at, name in enumerate(NAMES)
    ]
    replayed = replay(learned(), cards(others), URL, SCHEMA)
    assert (replayed.holds, replayed.data) == (True, others)


def with_turned(count: int) -> Any:
    """Give the records, of which the first ``count`` have the lower number where the higher one was."""
    return [{**one, "low": one["high"], "high": one["low"]} if at < count else one for at, one in enumerate(RECORDS)]


@pytest.mark.req("RC-2", "RC-3")
def test_an_order_of_two_named_numbers_that_some_records_break_was_chance() -> None:
    assert not replay(learned(), cards(with_turned(4)), URL, SCHEMA).doubts
    assert replay(learned(), cards(with_turned(6)), URL, SCHEMA).doubts


@pytest.mark.req("RC-3")
def test_an_order_that_a_proven_page_has_turned_is_not_asked_about_again() -> None:
    turned = with_turned(9)
    better = refine(learned(), cards(turned), URL, turned)
    assert better is not None
    assert replay(better, cards(turned), URL, SCHEMA).holds


@pytest.mark.req("RC-2", "SC-1")
def test_data_that_breaks_the_schema_is_doubted() -> None:
    least = {**SCHEMA, "minItems": 11}
    assert any("too short" in one for one in replay(learned(), cards(RECORDS), URL, least).doubts)


@pytest.mark.req("RC-1")
def test_a_recipe_is_kept_only_if_it_gives_just_the_proven_records() -> None:
    page = cards(RECORDS)
    assert learn(page, URL, SCHEMA, RECORDS[:9]) is None
    assert learn(page, URL, SCHEMA, RECORDS[:9], is_whole=False) is not None
    assert learn(page, URL, SCHEMA, [*RECORDS[:9], {**RECORDS[9], "low": 99}]) is None


@pytest.mark.req("RC-1", "RC-2")
def test_the_value_of_another_field_is_no_label_of_what_stands_after_it() -> None:
    rows = "".join(f"<li><b>{one['name']}</b> <i>Evergreen</i> <u>{one['low']}</u></li>" for one in RECORDS)
    records: list[Any] = [{"name": one["name"], "low": one["low"], "code": "Evergreen"} for one in RECORDS]
    recipe = learn(f"<h1>Trees</h1><ul>{rows}</ul>", URL, SCHEMA, records)
    assert recipe is not None
    assert not [one for field in recipe.fields for one in field.selectors if one.value == "Evergreen"]


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(("more", "is_parted"), [("", False), ("<i class=new>Oslo</i>", True), ("<sup>2</sup>", False)])
def test_a_second_element_glued_into_a_value_is_noticed(more: str, is_parted: bool) -> None:
    rows = open_page(f"<ul><li><p class=place>Flat, <i>Oslo</i>{more}</p></li></ul>").iter("li")
    place = FieldSelector(kind="class", tag="p", value="place", prefix="Flat, ")
    one = FieldRecipe(steps=("town",), selectors=[place], figures=FieldFigures(count=9, nulls=0, kind="text"))
    assert [each.parted for each in with_parts([one], [Box([row]) for row in rows])] == [is_parted]


@pytest.mark.req("RC-2")
def test_the_only_number_of_a_row_is_not_read_for_two_fields() -> None:
    """Where heights of four figures have a comma, only a year is a plain number; a height of three is one, too."""
    whole = {"type": ["integer", "null"]}
    kinds = {"name": {"type": "string"}, "height": whole, "climbed": whole}
    schema = {"type": "array", "items": {"type": "object", "properties": kinds}}

    def page(*heights: str, year: str = "19{}") -> str:
        cells = [
            f"<td>{name}</td><td>{high}</td><td>{year.format(20 + at)}</td>"
            for at, (name, high) in enumerate(zip(NAMES, heights, strict=False))
        ]
        rows = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><tr><th>Peak</th><th>Height</th><th>Climbed</th></tr>{rows}</table>"

    heights = [1200, 3400, 2100, 4300]
    records: list[Any] = [
        {"name": name, "height": high, "climbed": None if at == 1 else 1920 + at}
        for at, (name, high) in enumerate(zip(NAMES, heights, strict=False))
    ]
    first = (
        page(*(f"{high:,}" for high in heights))
        .replace("<td>1921</td>", "<td>—</td>")
        .replace("</td></tr>", "<sup>[2]</sup></td></tr>")
    )
    recipe = learn(first, URL, schema, records)
    assert recipe is not None
    assert not replay(recipe, page("1,100", "862", year="—"), URL, schema).holds


@pytest.mark.req("RC-2")
def test_fields_of_which_some_were_not_read_at_all_are_compared_as_far_as_they_go() -> None:
    fields = [
        FieldRecipe(
            steps=(name,), selectors=[], figures=FieldFigures(kind="text", count=2, nulls=0, common=[name.title()])
        )
        for name in ("club", "city")
    ]
    assert not list(find_exchanged(fields, [[], ["Porto"]]))
