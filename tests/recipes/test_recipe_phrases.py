"""Texts made of several values of which some may be missing (RC-1, RC-2)."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Recipe, learn, replay

URL = "https://museum.test/works"
NAMES = ("Jan Wubbe", "Ilse Moreau", "Karel Holm", "Nora Sorel", "Piet Tamm", "Elin Keane", "Hugo Ferrer", "Ruth Baum")
OTHERS = ("Otto Berger", "Tove Ricci", "Mira Dubois", "Emil Brandt", "Agnes Vlasov", "Bram Silva", "Sven Novak")
KINDS = ("oil", "bronze", "etching", "pastel")
Record = dict[str, Any]
DAY = {"type": "string", "format": "date"}


def schema_of(**properties: Any) -> Record:
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": [*properties]}}


def page(rows: Sequence[str]) -> str:
    return f"<main><h1>All</h1><ul>{''.join(f'<li class=work><p class=by>{row}</p></li>' for row in rows)}</ul></main>"


YEARS = schema_of(artist={"type": "string"}, year={"type": ["integer", "null"]})
LOTS = schema_of(
    artist={"type": "string"}, kind={"type": ["string", "null"]}, width={"type": "integer"}, signed={"type": "boolean"}
)


def works(names: Sequence[str]) -> list[Record]:
    return [{"artist": name, "year": 1600 + 7 * at if at % 3 else None} for at, name in enumerate(names)]


def said_work(one: Record) -> str:
    return f"{one['artist']}, {one['year']}" if one["year"] else one["artist"]


def lots(names: Sequence[str]) -> list[Record]:
    return [
        {"artist": name, "kind": KINDS[at % 4] if at % 3 else None, "width": 20 + at, "signed": at % 2 == 0}
        for at, name in enumerate(names)
    ]


def said_lot(one: Record) -> str:
    kind, signed = f" – {one['kind']}" if one["kind"] else "", ", signed" if one["signed"] else ""
    return f"{one['artist']}{kind}, {one['width']} cm{signed}"


def learned(records: Sequence[Record], said: Callable[[Record], str], schema: Record) -> Recipe:
    recipe = learn(page([*map(said, records)]), URL, schema, [*records])
    assert recipe is not None and recipe.transferable
    return recipe


def read(recipe: Recipe, rows: Sequence[str], schema: Record) -> JsonValue:
    """Give what is read without any doubt; None in doubt."""
    found = replay(recipe, page(rows), URL, schema)
    return found.data if found.holds else None


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("records", "said", "schema"), [(works, said_work, YEARS), (lots, said_lot, LOTS)], ids=["one part", "three parts"]
)
def test_a_text_of_which_parts_may_be_missing_is_read_on_the_next_page(
    records: Callable[[Sequence[str]], list[Record]], said: Callable[[Record], str], schema: Record
):
    recipe = learned(records([*NAMES, *NAMES[::-1]]), said, schema)
    others = records(OTHERS)
    assert read(recipe, [*map(said, others)], schema) == others


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    "strange",
    [
        "Tove Ricci, painter",
        "Tove Ricci, c. 1650",
        "Tove Ricci (school)",
        "Tove Ricci, 1650, 1660",
        "Tove Ricci and workshop",
        "unknown, 1650",
        "Tove Ricci 2, 1650",
        "Tove Ricci; 1650",
    ],
)
def test_a_text_that_is_not_made_so_is_a_miss(strange: str):
    recipe = learned(works(NAMES), said_work, YEARS)
    rows = [said_work(one) for one in works(OTHERS)]
    assert read(recipe, rows, YEARS) is not None
    assert read(recipe, [*rows[:3], strange, *rows[4:]], YEARS) is None


@pytest.mark.req("RC-2")
def test_a_text_that_could_be_parted_in_two_ways_is_a_miss():
    """Where a name and a town both may follow on a comma, and are any words, nobody can tell them apart."""
    schema = schema_of(**{name: {"type": ["string", "null"]} for name in ("artist", "pupil", "town")})
    towns = ("Oslo", "Graz", "Lyon", "Turin", "Leeds", "Porto", "Siena", "Bilbao")
    records: list[Record] = [
        {"artist": name, "pupil": NAMES[at - 3] if at % 2 else None, "town": towns[at] if at % 3 else None}
        for at, name in enumerate(NAMES)
    ]
    rows = [", ".join(filter(None, one.values())) for one in records]
    recipe = learn(page(rows), URL, schema, [*records])
    assert recipe is None or read(recipe, [*rows[:4], "Otto Berger, Emil Brandt", *rows[4:]], schema) is None


@pytest.mark.req("RC-2")
def test_words_that_may_be_missing_and_are_few_are_no_others():
    recipe = learned(lots([*NAMES, *OTHERS]), said_lot, LOTS)
    rows = [said_lot(one) for one in lots(OTHERS)]
    assert read(recipe, rows, LOTS) == lots(OTHERS)
    assert read(recipe, [*rows[:2], "Otto Berger – withdrawn, 22 cm", *rows[3:]], LOTS) is None


@pytest.mark.req("RC-2")
def test_a_record_whose_text_can_not_be_read_is_not_left_out():
    """Where nothing but the text tells a record, one that is not made so may be one all the same."""
    recipe = learned(works(NAMES), said_work, YEARS)
    found = replay(recipe, page([*map(said_work, works(OTHERS)), "Ada Roe (1650)"]), URL, YEARS)
    assert not found.holds


@pytest.mark.req("RC-1")
def test_what_stands_between_values_in_one_record_alone_makes_no_phrase():
    records = works(NAMES)
    rows = [f"{said_work(one)} {'ab' * at} {at}" for at, one in enumerate(records)]
    assert learn(page(rows), URL, YEARS, [*records]) is None


@pytest.mark.req("RC-1", "RC-2")
def test_two_days_in_one_text_are_told_apart_by_the_words_before_them() -> None:
    schema = schema_of(artist={"type": "string"}, made=DAY, sold={"type": ["string", "null"]})
    rows = [(name, f"{3 + at}. Juni 2024", f"{4 + at}. Juli 2025" if at % 3 else "") for at, name in enumerate(NAMES)]
    records: list[Record] = [
        {"artist": name, "made": f"2024-06-{3 + at:02}", "sold": f"2025-07-{4 + at:02}" if at % 3 else None}
        for at, name in enumerate(NAMES)
    ]

    def said(named: str, rows: Sequence[tuple[str, str, str]]) -> str:
        texts = ((name, f"{named} {made}{f', verkauft am {sold}' if sold else ''}") for name, made, sold in rows)
        return f"<main><ul>{''.join(f'<li><b>{name}</b> <span>{text}</span></li>' for name, text in texts)}</ul></main>"

    recipe = learn(said("Gemalt am", rows), URL, schema, [*records])
    assert recipe is not None and recipe.transferable
    assert replay(recipe, said("Gemalt am", rows[::-1]), URL, schema).data == records[::-1]
    assert not replay(recipe, said("Verkauft am", rows), URL, schema).holds
