"""Pages about one thing: what is news where a value seems absent, and what only seems to be."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, Replay, learn, replay
from gleaner.recipes.drift import figures_of
from gleaner.recipes.guards.novelty import ground_of, short
from gleaner.recipes.learning import same_data
from gleaner.recipes.model import FieldRecipe, FieldSelector, RecordSelector
from gleaner.recipes.page.boxes import Box, open_page
from gleaner.recipes.whole_pages import grounds

URL = "https://ships.example/ship/{}"
Data = dict[str, Any]
Page = tuple[str, Data]
NUMBERS = {"built", "price"}


def page(one: Data, part: str, title: str = "") -> Page:
    head = f"<head><title>{title or one['name']}</title></head>"
    return f"<html>{head}<body><main><h1>{one['name']}</h1>{part}</main></body></html>", one


def learned(pages: Sequence[Page]) -> tuple[Recipe, Data]:
    *earlier, last = [Example(html, URL.format(at), data) for at, (html, data) in enumerate(pages)]
    kinds = {
        name: "integer" if name in NUMBERS else "array" if name == "made_of" else "string" for name in pages[-1][1]
    }
    fields = {name: {"type": [kind, "null"], "items": {"type": "string"}} for name, kind in kinds.items()}
    schema = {"type": "object", "properties": fields}
    recipe = learn(last.html, last.url, schema, pages[-1][1], earlier=earlier)
    assert recipe is not None
    return recipe, schema


def replayed(pages: Sequence[Page], html: str) -> Replay:
    recipe, schema = learned(pages)
    return replay(recipe, html, URL.format(99), schema)


def is_right(pages: Sequence[Page], one: Page) -> bool:
    read = replayed(pages, one[0])
    assert not read.doubts, read.doubts
    return same_data(read.data, one[1])


PORTS = ["Oslo", "Kyoto", "Lima", "Bergen", "Perth", "Turin"]


def ship(at: int, sign: str | None, also: str = "") -> Page:
    one = {"name": f"Elm {at}", "sign": sign, "built": 1994 + at}
    rows = f"<tr><td>Callsign</td><td>{sign or '-'}</td></tr><tr><td>Year of build</td><td>{1994 + at}</td></tr>"
    return page(one, f"<table>{rows}<tr><td>Last port</td><td>{PORTS[at]}</td></tr></table>{also}")


@pytest.mark.req("RC-2")
def test_a_value_of_which_the_page_says_that_there_is_none_is_absent_whatever_else_is_new() -> None:
    pages = [ship(0, "D40M"), ship(1, "LX2")]
    assert is_right(pages, ship(2, None))
    assert replayed(pages, ship(2, None)[0].replace("Callsign", "Call")).doubts


def dish(at: int, serves: int, note: str = "") -> Page:
    one = {"name": f"Soup {at}", "built": serves}
    return page(one, f"<div class=facts><b>Built:</b> <span>{serves}</span></div><p class=note><i>{note}</i></p>")


@pytest.mark.req("RC-2")
def test_a_label_says_in_which_of_two_like_texts_a_value_stands() -> None:
    pages = [dish(0, 14), dish(1, 12, "so")]
    assert is_right(pages, dish(2, 2, "2"))
    assert "never stood" in replayed(pages, dish(2, 2)[0].replace("class=facts", "class=other")).doubts[0]


def offer(at: int, price: int, unit: str = "") -> Page:
    one = {"name": ["Red Lamp", "Oak Chair", "Blue Vase"][at], "price": price}
    said = f"<div class=offer><p class=price>Buy {one['name']} ${price}{unit}</p></div>"
    return page(one, f"{said}<div class=offer><p class=other>Buy all ${price + 90}</p></div>")


@pytest.mark.req("RC-2")
def test_the_name_of_the_thing_is_no_unit_of_its_price() -> None:
    pages = [offer(0, 19), offer(1, 240)]
    assert is_right(pages, offer(2, 35))
    assert replayed(pages, offer(2, 35, " a dozen")[0]).doubts


def record(at: int, price: int | None, years: Sequence[int]) -> Page:
    one = {"name": f"Elm {at}", "sign": f"AX-{at}", "price": price}
    others = "".join(f"<li class=rec><a href='/r'>{PORTS[year % 6]} {'x' * at}</a><i>{year}</i></li>" for year in years)
    said = f"<li class=low><a href='/sell'>{price}</a></li>" if price else ""
    return page(one, f"<p class=sign>{one['sign']}</p><ul>{said}</ul><ul>{others}</ul>")


@pytest.mark.req("RC-2")
def test_numbers_in_a_place_that_always_held_numbers_are_no_news() -> None:
    pages = [record(0, 30, [1974, 1975, 1976]), record(1, 45, [1974, 1975, 1990]), record(2, 47, [1975, 1976, 1990])]
    assert is_right(pages, record(3, None, [1974, 1999]))
    assert replayed(pages, record(3, None, [1974])[0].replace("</h1>", "</h1><b>From 31 up</b>")).doubts


@pytest.mark.req("RC-2")
def test_a_long_title_says_no_more_than_a_short_one() -> None:
    def titled(name: str, sign: str | None) -> Page:
        one = {"name": name, "sign": sign}
        return page(one, f"<p>Sign: {sign}</p>" if sign else "", f"{name} - Harbour")

    short = [
        titled(f"The good ship of {place}", sign) for place, sign in (("Oslo", "D4"), ("Lima", None), ("Ulm", "F"))
    ]
    assert is_right(short, titled("The good and swift ship of Turin", None))


def craft(at: int, made_of: list[str], place: str) -> Page:
    one = {"name": f"Bowl {at}", "made_of": made_of, "port": place}
    said = f"<div class=facts><p>Made of: {', '.join(made_of)}</p></div>"
    return page(one, f"{said}<p class=port>{place}</p>")


@pytest.mark.req("RC-2")
def test_a_value_beside_the_part_that_is_read_is_checked_like_those_in_it() -> None:
    recipe, schema = learned([craft(0, ["Oak"], "Oslo"), craft(1, ["Elm"], "Lima")])
    fields = {one.name: one for one in recipe.fields}
    made_of = fields.pop("made_of")
    recipe = recipe.model_copy(update={"fields": [*fields.values()], "outer": [made_of], "places": {}})
    one, several = (replay(recipe, craft(2, items, "Turin")[0], URL, schema) for items in (["Fir"], ["Fir", "Clay"]))
    assert not one.doubts
    assert "it may be several" in several.doubts[0]


def varied(at: int, place: str) -> Page:
    one = {"name": f"Bowl {at}", "port": place}
    return page(one, f"<p>Bowl</p><div class=way><b>{place}</b><b>by ship {'soon' * at}</b></div>")


@pytest.mark.req("RC-1", "RC-2")
def test_words_around_a_value_that_each_page_has_others_of_name_no_place() -> None:
    (html, known), (last, data) = varied(0, "Oslo"), varied(1, "Lima")
    schema = {"type": "object", "properties": {name: {"type": ["string", "null"]} for name in data}}
    assert learn(last, URL, schema, data, earlier=[Example(html, URL, known)]) is None


def way(said: str) -> Page:
    return page({"name": "Elm", "port": "Oslo"}, f"<div class=way>Port: {said}</div>")


@pytest.mark.req("RC-2")
def test_a_label_in_a_part_that_is_built_otherwise_now_names_nothing() -> None:
    recipe, schema = learned([way("<b>Oslo</b>")])
    known = [FieldSelector(kind="label", value="Port"), FieldSelector(kind="path", value="b:0", counts=((1,),))]
    port = recipe.fields[-1].model_copy(update={"selectors": known})
    part = RecordSelector(kind="element", by="class", tag="div", value="way")
    recipe = recipe.model_copy(update={"record": [part], "fields": [port], "places": {}})
    assert not replay(recipe, way("<b>Lima</b>")[0], URL, schema).doubts
    assert replay(recipe, way("<i>closed</i>")[0], URL, schema).doubts


def test_a_value_between_words_stands_in_what_the_element_with_the_words_holds() -> None:
    page = open_page("<main><div class=way><b>Oslo</b><i>by ship</i></div></main>")
    by_words = FieldSelector(kind="worded", tag="div", suffix="by ship")
    one = FieldRecipe(steps=("port",), selectors=[by_words], figures=figures_of(["Oslo"]))
    inside = page.find(".//b")
    assert short(ground_of(inside)) in [*grounds(one, Box([page]))]


def test_signs_in_an_address_part_no_list() -> None:
    lists: list[Any] = [["https://a.example/b/d?e=f"], ["Oak / Elm"], ["https://a.example/b, https://a.example/c"]]
    assert [figures_of([one]).patterns for one in lists] == [[], ["/"], [","]]
