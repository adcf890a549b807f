"""Records that nothing wraps, told apart by what each begins with or comes after; pieces that come and go in them."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from gleaner.recipes import Recipe, learn, refine, replay
from gleaner.recipes.learning import same_data
from gleaner.recipes.model import FieldSelector

URL = "https://cellar.example/list"
NUMBER_OR_NULL = {"type": ["number", "null"]}
TEXT_OR_NULL = {"type": ["string", "null"]}
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "wine": TEXT_OR_NULL,
            "region": TEXT_OR_NULL,
            "alcohol": NUMBER_OR_NULL,
            "medal": TEXT_OR_NULL,
            "price": NUMBER_OR_NULL,
        },
    },
}
HILLS = ["Clos Amber", "Villa Onyx", "Monte Clay", "Quinta Coral", "Clos Birch", "Villa Slate", "Monte Cedar", "Oxhill"]
REGIONS = ["Mosel", "Jura", "Rioja", "Douro", "Baden"]
Record = dict[str, Any]
Piece = tuple[str, str]
Write = Callable[[Sequence[Sequence[Piece]]], str]


def records_of(page: int) -> list[Record]:
    return [
        {
            "wine": f"{hill} {1990 + 5 * page + at}",
            "region": REGIONS[(at + page) % 5],
            "alcohol": round(11 + (3 * at + page) % 35 / 10, 1) if (at + page) % 3 else None,
            "medal": ("Gold", "Silver")[at // 4] if (at + page) % 4 == 1 else None,
            "price": 10 * page + 3 * at + 0.5,
        }
        for at, hill in enumerate(HILLS)
    ]


def pieces_of(record: Record) -> list[Piece]:
    said = [("wine", record["wine"]), ("region", record["region"])]
    said += [("alcohol", f"{record['alcohol']} % vol")] if record["alcohol"] else []
    said += [("medal", f"{record['medal']} medal")] if record["medal"] else []
    return [*said, ("price", f"{record['price']:.2f} €".replace(".", ","))]


def in_elements(tag: str, mark: str = "") -> Write:
    def write(records: Sequence[Sequence[Piece]]) -> str:
        pieces = (piece for one in records for piece in one)
        marked = ((f"<{mark}>{said}</{mark}>" if mark and name == "wine" else said) for name, said in pieces)
        return f"<h1>Our wines</h1><div>{''.join(f'<{tag}>{said}</{tag}>' for said in marked)}</div>"

    return write


def in_lines(records: Sequence[Sequence[Piece]]) -> str:
    return f"<h1>Our wines</h1><p>{'<br>'.join(said for one in records for _, said in one)}</p>"


def between_rules(records: Sequence[Sequence[Piece]]) -> str:
    return f"<div>{'<hr>'.join(''.join(f'<p>{said}</p>' for _, said in one) for one in records)}</div>"


def with_labels(records: Sequence[Sequence[Piece]]) -> str:
    pieces = (piece for one in records for piece in one)
    return f"<div>{''.join(f'<p>{name.title()}: {said}</p>' for name, said in pieces)}</div>"


WAYS: dict[str, Write] = {
    "bold names": in_elements("p", "b"),
    "links": in_elements("p", "a"),
    "only texts": in_elements("p"),
    "list items": in_elements("li"),
    "lines": in_lines,
    "rules": between_rules,
    "labels": with_labels,
}


@cache
def learned(write: Write) -> Recipe | None:
    records = records_of(1)
    return learn(write([pieces_of(one) for one in records]), URL, SCHEMA, [*records])


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("name", WAYS)
def test_records_that_nothing_wraps_are_read_though_pieces_come_and_go(name: str) -> None:
    recipe, records = learned(WAYS[name]), records_of(2)
    assert recipe is not None
    assert recipe.transferable
    found = replay(recipe, WAYS[name]([pieces_of(one) for one in records]), URL, SCHEMA)
    assert found.doubts == ()
    assert same_data(found.data, [*records])


@pytest.mark.req("RC-1")
def test_a_day_may_begin_a_record_whose_name_comes_after_it() -> None:
    def write(page: int) -> str:
        lines = (f"<p>{1 + at} May 2024</p><p>{one['wine']}</p><p>{at + 3} seats</p>" for at, one in days(page))
        return f"<main>{''.join(lines)}</main>"

    def days(page: int) -> list[tuple[int, Record]]:
        return [*enumerate(records_of(page))]

    def data(page: int) -> list[Any]:
        return [{"wine": one["wine"], "day": f"2024-05-{1 + at:02}", "seats": at + 3} for at, one in days(page)]

    fields = {"wine": {"type": "string"}, "day": {"type": "string", "format": "date"}, "seats": {"type": "integer"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    recipe = learn(write(1), URL, schema, data(1))
    assert recipe is not None
    assert same_data(replay(recipe, write(2), URL, schema).data, data(2))


Change = Callable[[list[list[Piece]]], None]


def _put(at: int, *pieces: Piece, instead: int = 0) -> Change:
    def change(records: list[list[Piece]]) -> None:
        records[3][at : at + instead] = pieces

    return change


def _turned(records: list[list[Piece]]) -> None:
    for one in records:
        one[0], one[-1] = one[-1], one[0]


CHANGES: dict[str, Change] = {
    "no price": _put(-1, ("price", "on request"), instead=1),
    "no region": _put(1, instead=1),
    "no name": _put(0, instead=1),
    "a new piece before the region": _put(1, ("new", "Organic")),
    "a new piece behind it": _put(2, ("new", "Shipped by land")),
    "a piece that looks like a name": _put(2, ("wine", "Sold out")),
    "an advertisement": _put(9, ("new", "Try our cellar app")),
    "an old price": _put(-1, ("new", "120,00 €")),
    "turned": _turned,
}


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("change", CHANGES)
def test_records_that_are_no_longer_parted_as_they_were_are_doubted(name: str, change: str) -> None:
    recipe, records = learned(WAYS[name]), [pieces_of(one) for one in records_of(2)]
    CHANGES[change](records)
    assert recipe is not None
    found = replay(recipe, WAYS[name](records), URL, SCHEMA)
    assert not found.holds


@pytest.mark.req("RC-2")
def test_a_name_without_its_mark_does_not_hide_a_record() -> None:
    recipe, records = learned(WAYS["bold names"]), [pieces_of(one) for one in records_of(2)]
    records[3][0] = ("new", records[3][0][1])
    assert recipe is not None
    assert not replay(recipe, WAYS["bold names"](records), URL, SCHEMA).holds


def in_entries(records: Sequence[Sequence[Piece]]) -> str:
    entries = ("".join(f"<p>{said}</p>" for _, said in one) for one in records)
    return f"<div>{''.join(f'<section>{one}</section>' for one in entries)}</div>"


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("change", ["no price", "no region", "a new piece before the region"])
def test_a_place_that_holds_what_it_never_did_is_doubted(change: str) -> None:
    """In records of their own elements too: "12 % vol" in the region's place, and a record without its price."""
    recipe, records = learned(in_entries), [pieces_of(one) for one in records_of(2)]
    assert recipe is not None
    assert same_data(replay(recipe, in_entries(records), URL, SCHEMA).data, [*records_of(2)])
    CHANGES[change](records)
    assert not replay(recipe, in_entries(records), URL, SCHEMA).holds


@pytest.mark.req("RC-2")
def test_a_text_that_a_model_took_for_none_is_no_doubt_any_more() -> None:
    records = records_of(2)
    pieces = [pieces_of(one) for one in records]
    pieces[7].append(("new", "Shipped by land"))
    recipe, html = learned(in_entries), in_entries(pieces)
    assert recipe is not None
    assert not replay(recipe, html, URL, SCHEMA).holds
    better = refine(recipe, html, URL, [*records])
    assert better is not None
    assert replay(better, html, URL, SCHEMA).holds


@pytest.mark.req("RC-1")
def test_the_two_ends_of_a_range_are_read_by_the_dash_between_them() -> None:
    def write(page: int) -> str:
        return "".join(f"<p><b>{name} {page}</b> ({year}–{year + 50 + page})</p>" for name, year in people(page))

    def people(page: int) -> list[tuple[str, int]]:
        return [(name, 1900 + 7 * at + page) for at, name in enumerate(HILLS)]

    def data(page: int) -> list[Any]:
        return [{"name": f"{name} {page}", "born": year, "died": year + 50 + page} for name, year in people(page)]

    fields = {"name": {"type": "string"}, "born": {"type": "integer"}, "died": {"type": "integer"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    recipe = learn(write(1), URL, schema, data(1))
    assert recipe is not None
    assert same_data(replay(recipe, write(2), URL, schema).data, data(2))
    assert not replay(recipe, write(2).replace("(1909–1961)", "(1909)"), URL, schema).holds


@pytest.mark.req("RC-2")
def test_a_text_that_another_field_is_read_from_does_not_become_the_value_of_the_field_beside_it() -> None:
    def write(places: Sequence[Record]) -> str:
        said = ((one, f"<i>{one['area']}</i>" if one["area"] else "") for one in places)
        parts = (f"<h3>{one['name']}</h3><p><i class=level>{one['level']}</i>{area}</p>" for one, area in said)
        return f"<ul>{''.join(f'<li>{part}</li>' for part in parts)}</ul>"

    def places(page: int, without: int) -> list[Record]:
        levels = ["$$", "$", "$$$", "$$", "$", "$$$$", "$$$", "$$"]
        return [
            {"name": f"{hill} {page}", "level": level, "area": f"{REGIONS[at % 5]} East" if at != without else None}
            for at, (hill, level) in enumerate(zip(HILLS, levels, strict=True))
        ]

    fields: dict[str, Any] = {"name": {"type": "string"}, "level": {"type": "string"}, "area": TEXT_OR_NULL}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    recipe = learn(write(places(1, 5)), URL, schema, [*places(1, 5)])
    assert recipe is not None
    last = FieldSelector(kind="path", value="p:0/i:-1", counts=((1,), (1, 2)), nothing=("$$$$",))
    others = [one for one in recipe.fields if one.name != "area"]
    [area] = [one.model_copy(update={"selectors": [last]}) for one in recipe.fields if one.name == "area"]
    by_place = recipe.model_copy(update={"fields": [*others, area]})
    assert same_data(replay(by_place, write(places(2, 5)), URL, schema).data, [*places(2, 5)])
    assert not replay(by_place, write(places(2, 3)), URL, schema).holds


@pytest.mark.req("RC-2")
def test_what_other_fields_leave_is_a_field_that_may_be_absent_only_if_it_was_before() -> None:
    """Texts with words of another field ("Closes …", "Up to …") are that one's wherever they stand."""
    kinds = ["Schools", None, "Charities only", "Schools", None, None, "Charities only", None]

    def grants(page: int, kinds: Sequence[str | None]) -> list[Record]:
        days = (f"2024-05-{10 + at + page}" for at in range(len(HILLS)))
        named = zip(HILLS, days, kinds, strict=True)
        return [
            {"grant": f"{hill} {page}", "seats": 40 * at if at % 3 else None, "day": day, "for": kind}
            for at, (hill, day, kind) in enumerate(named)
        ]

    def write(page: int, kinds: Sequence[str | None]) -> str:
        return f"<dl>{''.join(map(_entry, grants(page, kinds)))}</dl>"

    def _entry(one: Record) -> str:
        said = [f"Up to {one['seats']} people" if one["seats"] else "", f"Closes {one['day']}", one["for"] or ""]
        return f"<dt>{one['grant']}</dt>{''.join(f'<dd>{text}</dd>' for text in said if text)}"

    day = {"type": "string", "format": "date"}
    fields = {"grant": {"type": "string"}, "seats": NUMBER_OR_NULL, "day": day, "for": TEXT_OR_NULL}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    recipe = learn(write(1, kinds), URL, schema, [*grants(1, kinds)])
    assert recipe is not None
    assert same_data(replay(recipe, write(2, kinds[::-1]), URL, schema).data, [*grants(2, kinds[::-1])])
    assert not replay(recipe, write(2, ["Apply online", *kinds[1:]]), URL, schema).holds
