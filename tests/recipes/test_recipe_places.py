"""Layouts without telling names: heads of two rows, grids of plain elements, lists and texts known by their places."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, replay
from gleaner.recipes.learning import same_data

URL = "https://league.example/table"
TOWNS = ["Elm", "Oak", "Ash", "Fir", "Bay", "Yew", "Fig", "Hop", "Box", "Larch", "Gorse", "Sloe"]
Team = dict[str, Any]


def teams(page: int) -> list[Team]:
    return [
        {
            "team": f"{town} {page}",
            "won": (at * 7 + page) % 19,
            "lost": (at * 5 + 2 * page) % 17,
            "home": 3 + (at * 3 + page) % 23,
            "away": 2 + (at * 11 + page) % 21,
            "fans": TOWNS[at % 4 : at % 4 + (at + page) % 3],
            "story": f"They came from {town} in year {page + at}, went on to play all the others, and stayed for long.",
        }
        for at, town in enumerate(TOWNS)
    ]


def schema_of(names: str) -> dict[str, Any]:
    kinds = {"team": "string", "story": "string", "fans": "array"}
    fields = {name: {"type": kinds.get(name, "integer")} for name in names.split()}
    return {"type": "array", "items": {"type": "object", "properties": fields}}


def truth(records: Sequence[Team], names: str) -> list[Any]:
    return [{name: one[name] for name in names.split()} for one in records]


def learned(html: str, names: str, page: int = 1) -> Recipe:
    recipe = learn(html, URL, schema_of(names), truth(teams(page), names))
    assert recipe is not None and recipe.transferable
    return recipe


def two_heads(order: str) -> str:
    """Write a table whose columns only the second row of heads tells apart."""
    heads = {"won": "W", "lost": "L", "home": "Home", "away": "Away"}
    first = "<tr><th rowspan=2>Team</th><th colspan=2>Matches</th><th colspan=2>Goals</th></tr>"
    second = "".join(f"<th>{heads[name]}</th>" for name in order.split())
    return f"<html><body><table>{first}<tr>{second}</tr>" + "{}</table></body></html>"


def rows(records: Sequence[Team], order: str) -> str:
    cells = [[f"<td>{one[name]}</td>" for name in order.split()] for one in records]
    return "".join(f"<tr><th>{one['team']}</th>{''.join(row)}</tr>" for one, row in zip(records, cells, strict=True))


@pytest.mark.req("RC-1", "RC-2")
def test_columns_are_known_by_the_lower_of_two_rows_of_heads() -> None:
    names = "team won lost home away"
    order, other = "won lost home away", "lost won home away"
    recipe = learned(two_heads(order).format(rows(teams(1), order)), names)
    assert {one.selectors[0].kind for one in recipe.fields[1:]} == {"column"}
    for written in (order, other):
        read = replay(recipe, two_heads(written).format(rows(teams(2), written)), URL, schema_of(names))
        assert written == other or not read.doubts
        assert read.doubts or all(map(same_data, read.records, truth(teams(2), names)))


def plain_grid(records: Sequence[Team], order: str) -> str:
    head = "".join(f"<div class='cell head'>{name.title()}</div>" for name in order.split())
    each = ["".join(f"<div class='cell'>{one[name]}</div>" for name in order.split()) for one in records]
    body = "".join(f"<div class='line'>{cells}</div>" for cells in each)
    return f"<html><body><div class='grid'><div class='line top'>{head}</div>{body}</div></body></html>"


@pytest.mark.req("RC-1", "RC-2")
def test_columns_of_a_grid_of_plain_elements_are_known_by_its_first_row() -> None:
    names = "team won lost home"
    recipe = learned(plain_grid(teams(1), "team won lost home"), names)
    assert {one.selectors[0].kind for one in recipe.fields} == {"column"}
    for written in (names, "team lost home won"):
        read = replay(recipe, plain_grid(teams(2), written), URL, schema_of(names))
        assert written != names or not read.doubts
        assert read.doubts or all(map(same_data, read.records, truth(teams(2), names)))


def nameless(records: Sequence[Team], *, swapped: bool = False) -> str:
    def each(one: Team) -> str:
        fans = "".join(f"<li>{fan}</li>" for fan in one["fans"])
        texts = (one["story"], one["team"]) if swapped else (one["team"], one["story"])
        inner = f"<div>{texts[0]}</div><div><div>{texts[1]}</div><ul>{fans}</ul><ul><li>More</li></ul></div>"
        return f"<li class='css-3fa91c'>{inner}</li>"

    return f"<html><body><ul>{''.join(map(each, records))}</ul></body></html>"


@pytest.mark.req("RC-1", "RC-2")
def test_lists_and_texts_without_names_are_known_by_their_places() -> None:
    names = "team fans story"
    read = replay(learned(nameless(teams(1)), names), nameless(teams(2)), URL, schema_of(names))
    assert not read.doubts
    assert all(map(same_data, read.records, truth(teams(2), names)))


@pytest.mark.req("RC-1", "RC-2")
def test_a_list_that_is_empty_in_every_record_is_given_as_an_empty_list() -> None:
    page = [[{**one, "fans": []} for one in teams(number)] for number in (1, 2)]
    recipe = learn(nameless(page[0]), URL, schema_of("team fans"), truth(page[0], "team fans"))
    assert recipe is not None
    read = replay(recipe, nameless(page[1]), URL, schema_of("team fans"))
    assert read.holds and read.records == truth(page[1], "team fans")
    assert not replay(recipe, nameless(teams(2)), URL, schema_of("team fans")).holds


@pytest.mark.req("RC-2")
def test_long_and_short_texts_that_change_places_are_noticed() -> None:
    recipe = learned(nameless(teams(1)), "team fans story")
    assert not replay(recipe, nameless(teams(2), swapped=True), URL, schema_of("team fans story")).holds


@pytest.mark.req("RC-2")
def test_numbers_in_classes_are_no_new_kind_of_record() -> None:
    def page(number: int) -> str:
        each = "<li class='post post-{}'><h3>{}</h3></li>"
        items = "".join(each.format(40 + number * at, one["team"]) for at, one in enumerate(teams(number)))
        return f"<html><body><ul>{items}</ul></body></html>"

    assert replay(learned(page(1), "team"), page(3), URL, schema_of("team")).holds


def thing(page: int) -> tuple[str, dict[str, Any]]:
    pay = f"${30 + page},000" if page % 2 else None
    data = {"title": f"Thing {page}{TOWNS[page]}", "in_stock": page % 3 != 0, "isbn": f"978-{page}55", "pay": pay}
    stock = "In stock, ships today" if data["in_stock"] else "Out of stock"
    labelled = f"<li><b>Pay:</b> {pay}</li>" if pay else ""
    facts = f"<ul><li><b>ISBN-13:</b> {data['isbn']}</li>{labelled}</ul>"
    prose = f"<p>It is made in {TOWNS[page]}, and {TOWNS[-page]} has none of it.</p>"
    return f"<html><body><main><h1>{data['title']}</h1><p>{stock}</p>{prose}{facts}</main></body></html>", data


@pytest.mark.req("RC-1", "RC-2")
def test_a_flag_by_its_name_and_a_labelled_text_that_may_be_absent_are_read_on_pages_about_one_thing() -> None:
    kinds = {"title": "string", "in_stock": "boolean", "isbn": "string", "pay": ["string", "null"]}
    schema = {"type": "object", "properties": {name: {"type": kind} for name, kind in kinds.items()}}
    seen = [Example(thing(page)[0], f"https://a.example/{page}", thing(page)[1]) for page in (1, 2, 3, 5)]
    html, data = thing(7)
    recipe = learn(html, "https://a.example/7", schema, data, earlier=seen)
    assert recipe is not None
    for page in (4, 6, 9):
        read = replay(recipe, thing(page)[0], f"https://a.example/{page}", schema)
        assert not read.doubts
        assert same_data(read.data, thing(page)[1])


def infobox(page: int, order: str = "country mayor site") -> tuple[str, dict[str, Any]]:
    country = "Peru" if page < 3 else "Norway"
    data = {"name": f"{TOWNS[page]} {page}", "mayor": f"{TOWNS[-page]} Roe", "country": country}
    cells = {"country": ("Country", country), "mayor": ("Mayor", data["mayor"]), "site": ("Website", "Official site")}
    rows = "".join(
        f"<tr><th>{cells[name][0]}</th><td class='data'>{cells[name][1]}</td></tr>" for name in order.split()
    )
    prose = f"<p><b>{data['name']}</b> is a town in {country}.</p>"
    return f"<html><body><main><h1>{data['name']}</h1><table>{rows}</table>{prose}</main></body></html>", data


@pytest.mark.req("RC-2")
def test_no_cell_of_a_table_of_facts_is_known_by_the_place_of_its_row_alone() -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in ("name", "mayor", "country")}}
    seen = [Example(infobox(1)[0], "https://a.example/1", infobox(1)[1])]
    recipe = learn(infobox(2)[0], "https://a.example/2", schema, infobox(2)[1], earlier=seen)
    html, data = infobox(4, "site mayor country")
    if recipe is not None:
        read = replay(recipe, html, "https://a.example/4", schema)
        assert read.doubts or same_data(read.data, data)
