"""Pages about one thing: values told by their place in a named part, a column, addresses; and what is news."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, refine, replay
from gleaner.recipes.guards.absence import Claims
from gleaner.recipes.learning import same_data

URL = "https://cars.example/adverts/{}"
Car = dict[str, Any]
Page = tuple[str, Car]

GEARS = ["Manual", "Automatic", "Manual"]
FUELS = ["Petrol", "Diesel", "Electric"]
RANGES = ["210 mi", "95 mi", "340 mi"]


def car(at: int, **other: Any) -> Car:
    return {"name": f"Vela {at}00", "gear": GEARS[at], "fuel": FUELS[at], "range": RANGES[at], **other}


def facts(one: Car, *, order: str = "gear fuel range") -> str:
    items = "".join(f"<li>{one[name]}</li>" for name in order.split())
    return page(one, f"<ul class=facts>{items}</ul>")


def page(one: Car, part: str = "", menu: str = "<p>Cars</p>") -> str:
    return f"<html><body><header>{menu}</header><main><h1>{one['name']}</h1>{part}</main></body></html>"


def schema_of(example: Car) -> dict[str, Any]:
    kinds = {str: "string", int: "integer", bool: "boolean", list: "array", type(None): "string"}
    made = {name: {"type": [kinds[type(value)], "null"]} for name, value in example.items()}
    flags = {name: {"type": "boolean"} for name, value in example.items() if isinstance(value, bool)}
    return {"type": "object", "properties": {**made, **flags}}


def learned(pages: Sequence[Page]) -> tuple[Recipe | None, dict[str, Any]]:
    *earlier, last = [Example(html, URL.format(at), data) for at, (html, data) in enumerate(pages)]
    schema = schema_of({name: value for _, data in pages for name, value in data.items() if value is not None})
    return learn(last.html, last.url, schema, last.data, earlier=earlier), schema


def doubts(pages: Sequence[Page], html: str, truth: Car | None = None) -> Sequence[str]:
    recipe, schema = learned(pages)
    assert recipe is not None
    read = replay(recipe, html, URL.format(9), schema)
    assert truth is None or (same_data(read.data, truth) and not read.doubts), read
    return read.doubts


CARS = [(facts(one), one) for one in (car(0), car(1), car(0, name="Vela 900", range="150 mi"))]


@pytest.mark.req("RC-1", "RC-2")
def test_values_in_a_named_row_are_read_by_their_place_where_their_form_vouches_for_it() -> None:
    one = car(2, fuel="Diesel")
    doubts(CARS, facts(one), one)


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("order", "other", "reason"),
    [
        ("fuel gear range", {}, "never was"),
        ("gear fuel range", {"fuel": "Hydrogen"}, "never was"),
        ("gear fuel range", {"range": "Unknown"}, "never was"),
        ("gear fuel range gear", {}, "agree"),
        ("gear fuel", {}, "agree"),
    ],
)
def test_another_form_or_number_of_values_in_such_a_row_is_doubted(order: str, other: Car, reason: str) -> None:
    assert reason in doubts(CARS, facts(car(0, **other), order=order))[0]


@pytest.mark.req("RC-2")
def test_a_text_beside_it_that_could_be_the_value_is_doubted() -> None:
    html = facts(car(0)).replace("<ul class=facts>", "<ul class=facts><b>Automatic</b>")
    assert "could be it" in doubts(CARS, html)[0]


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("count", [1, 2])
def test_no_place_is_learned_for_words_that_no_two_pages_share(count: int) -> None:
    assert learned(CARS[:count])[0] is None


def table(one: Car, heads: str = "<th>Name</th><th>Until</th>") -> str:
    rows = "".join(f"<tr><td>{name}</td><td>20{at}1</td></tr>" for at, name in enumerate(one["former"], 1))
    part = f"<p>Number <b>{one['number']}</b></p>"
    return page(one, part + (f"<h2>Former names</h2><table><tr>{heads}</tr>{rows}</table>" if rows else ""))


def firm(at: int, *former: str) -> Car:
    return {"name": f"Firm {at}", "number": 7100 + at, "former": [*former]}


@pytest.mark.req("RC-1", "RC-2")
def test_a_list_is_a_column_of_the_table_with_those_heads() -> None:
    pages = [(table(one), one) for one in (firm(0, "ELM", "OAK"), firm(1))]
    third = firm(2, "FIR")
    doubts(pages, table(third), third)
    assert doubts(pages, table(third, "<th>Until</th><th>Name</th>"))


def tagged(one: Car, path: str = "/keywords/") -> str:
    tags = "".join(f'<li><a href="{path}{tag}"><i>#</i>{tag}</a></li>' for tag in one["former"])
    links = '<ul><li><a href="/about">About</a></li></ul>'
    return page(one, f"<p>Number <b>{one['number']}</b></p>{links}" + (f"<ul>{tags}</ul>" if tags else ""))


@pytest.mark.req("RC-1", "RC-2")
def test_a_list_is_all_links_whose_addresses_begin_alike() -> None:
    pages = [(tagged(one), one) for one in (firm(0, "elm", "oak"), firm(1, "ash"))]
    third = firm(2, "fir", "yew", "bay")
    doubts(pages, tagged(third), third)
    assert not same_data(replay_of(pages, tagged(third, "/topics/")), third)


def replay_of(pages: Sequence[Page], html: str) -> Any:
    recipe, schema = learned(pages)
    assert recipe is not None
    read = replay(recipe, html, URL.format(9), schema)
    return read.data if not read.doubts else None


def lot(at: int, low: int, high: int) -> Page:
    one = {"name": f"Vase {at}", "number": 7100 + at, "low": low, "high": high}
    also = f"<h2>Others</h2><div class=also><div class=guess>Guess: € {low + 7} - € {high + 7}</div></div>"
    part = f"<p>Number <b>{one['number']}</b></p><div class=lot><div class=guess>Guess: € {low} - € {high}</div></div>"
    return page(one, part + also), one


@pytest.mark.req("RC-1", "RC-2")
def test_a_number_after_words_and_before_another_number_is_read_inside_a_named_part() -> None:
    html, truth = lot(2, 80, 240)
    doubts([lot(0, 120, 150), lot(1, 900, 1400)], html, truth)


def house(at: int, **facts_: str) -> Page:
    kinds = {"Beds": "beds", "Size": "size"}
    facts_ = {"Type": ["Flat", "House", "Cabin"][at], "Beds": f"{at + 2} beds", **facts_}
    rows = "".join(
        f"<div><dt><span>{label}</span></dt><dd><i></i><p>{said}</p></dd></div>" for label, said in facts_.items()
    )
    read = {kinds[label]: int(said.split()[0]) for label, said in facts_.items() if label in kinds}
    one = {"name": f"Larch {at}", "number": 7100 + at, "beds": None, "size": None, **read}
    return page(one, f"<p>Number <b>{one['number']}</b></p><dl>{rows}</dl>"), one


@pytest.mark.req("RC-2")
def test_a_label_inside_a_naming_element_is_news_where_a_value_was_never_seen() -> None:
    recipe, schema = learned([house(0), house(1)])
    assert recipe is not None
    schema["properties"]["size"] = {"type": ["integer", "null"]}
    *_, (html, data) = [house(0), house(1)]
    recipe = learn(html, URL.format(1), schema, data, earlier=[Example(house(0)[0], URL.format(0), house(0)[1])])
    assert recipe is not None
    html, truth = house(2)
    assert same_data(replay(recipe, html, URL.format(9), schema).data, truth)
    assert "Size" in replay(recipe, house(2, Size="420 ft")[0], URL.format(9), schema).doubts[0]


def shop(at: int, grade: str | None, *, also: str = "", extra: str = "", pets: bool = False) -> Page:
    one = {"name": f"Lamp {at}", "number": 7100 + at, "grade": grade, "pets": pets}
    said = f"<dl><dt>Grade</dt><dd>{grade or 'N/A'}</dd></dl><ul><li>Price {at + 3} EUR</li>{extra}</ul>"
    return page(one, f"<p>Number <b>{one['number']}</b></p>{said}{also}"), one


@pytest.mark.req("RC-2")
def test_one_letter_in_place_of_words_for_nothing_is_news() -> None:
    pages = [shop(0, None), shop(1, None)]
    assert not doubts(pages, shop(2, None)[0])
    assert doubts(pages, shop(2, "B")[0])


@pytest.mark.req("RC-2")
def test_a_figure_is_no_part_of_a_date_that_has_it() -> None:
    recipe, _ = learned(CARS)
    assert recipe is not None
    is_claimed = Claims(recipe.fields, URL.format(9)).claimed(["2025-01-20", "Vela 2", "Diesel", "95 mi"])
    assert [is_claimed(text) for text in ("2", "20", "1", "Vela", "95")] == [True, False, False, True, True]


@pytest.mark.req("RC-2")
def test_a_new_text_among_texts_of_which_only_the_numbers_change_may_say_a_flag_that_was_never_true() -> None:
    pages = [shop(0, "A"), shop(1, "B")]
    assert not doubts(pages, shop(2, "C")[0])
    assert "Tiere erlaubt" in doubts(pages, shop(2, "C", extra="<li>Tiere erlaubt</li>")[0])[0]


def also(at: int, tag: str = "h3") -> str:
    names = ["Elm", "Oak", "Ash", "Fir", "Bay", "Yew", "Fig", "Hop", "Box"]
    cards = (f"<div class=card><{tag}>{names[3 * at + n]}</{tag}><span>{at}{n} EUR</span></div>" for n in range(3))
    return f"<h2>Others</h2>{''.join(cards)}"


@pytest.mark.req("RC-2")
def test_what_stands_below_the_titles_of_related_things_is_no_news() -> None:
    pages = [shop(0, "A", also=also(0)), shop(1, None, also=also(1))]
    html, truth = shop(2, None, also=also(2))
    doubts(pages, html, truth)


@pytest.mark.req("RC-1")
def test_a_menu_above_the_part_of_a_page_is_no_label() -> None:
    menu = "<nav><a>Cars</a><a>Vans</a></nav>"
    made = [
        (page(one, f"<p class=sub><b>{one['fuel']}</b></p>", menu), one) for one in ({"name": "Vela", "fuel": "Gas"},)
    ]
    recipe, _ = learned(made)
    selectors = [each for one in recipe.fields for each in one.selectors] if recipe else []
    assert selectors
    assert all("CarsVans" not in each.value for each in selectors)


def repository(at: int, *, archived: bool) -> Page:
    said = "<div class=flash>This repository has been archived by the owner. It is now read-only.</div>"
    one = {"name": f"Tool {at}", "number": 7100 + at, "archived": archived}
    return page(one, f"<p>Number <b>{one['number']}</b></p>{said if archived else ''}"), one


@pytest.mark.req("RC-1", "RC-2")
def test_a_flag_is_said_by_a_whole_sentence_with_its_name() -> None:
    pages = [repository(0, archived=True), repository(1, archived=False)]
    for archived in (True, False):
        html, truth = repository(2, archived=archived)
        doubts(pages, html, truth)
    moved = repository(2, archived=True)[0].replace("archived by the owner", "moved by the owner")
    assert doubts(pages, moved)


def versioned(at: int, version: str | None) -> Page:
    one = {"name": f"Tool {at}", "number": 7100 + at, "version": version}
    said = f"<div data-role=least><i></i><span>v{version}</span></div>" if version else ""
    return page(one, f"<p>Number <b>{one['number']}</b></p>{said}"), one


@pytest.mark.req("RC-1", "RC-2")
def test_a_value_that_one_of_several_pages_has_is_cut_as_on_a_single_page() -> None:
    html, truth = versioned(2, "1.70")
    doubts([versioned(0, None), versioned(1, "1.81")], html, truth)


@pytest.mark.req("RC-2")
def test_the_beginning_of_a_related_title_is_no_label_that_is_news() -> None:
    def linked(at: int) -> str:
        titles = ["The elm: a history", "Oak and ash", "Why fir wins", "Yew for bows", "The fig: a bath", "Hops: how"]
        return "".join(f"<li><a href='/a/{at}'>{one}</a></li>" for one in titles[2 * at : 2 * at + 2])

    pages = [shop(0, "A", also=linked(0)), shop(1, None, also=linked(1))]
    html, truth = shop(2, None, also=linked(2))
    doubts(pages, html, truth)
    assert doubts(pages, html.replace("<ul>", "<ul><li>Grade of it: B</li>"))


def driven(at: int, owners: int | None) -> Page:
    one = {"name": f"Vela {at}", "number": 7100 + at, "miles": 24_146 + at, "owners": owners}
    items = f"<li>{one['miles']:,} miles</li>" + (f"<li>{owners} owners</li>" if owners else "")
    return page(one, f"<p>Number <b>{one['number']}</b></p><ul>{items}</ul>"), one


@pytest.mark.req("RC-2")
def test_a_text_that_is_read_with_words_cut_off_is_no_news_where_another_number_is_absent() -> None:
    html, truth = driven(2, None)
    doubts([driven(0, 3), driven(3, 4), driven(1, None)], html, truth)


def _made_by_a_tool(page: int, *, brand: str, made: str = "css-17a86f", stock: bool = True) -> str:
    said = f"<p class='css-e0c177'>In stock {page}</p>" if stock else ""
    said += f"<p class='{made}'>{brand}</p>" if brand else ""
    said += "<p class='css-351efa'>Oak</p>"
    return f"<main id=content><h1>Kettle {page}</h1><div class='css-b5257a'>{said}</div></main>"


@pytest.mark.req("RC-1", "RC-2")
def test_a_class_that_a_build_tool_made_vouches_for_new_names_in_a_place_until_the_next_build() -> None:
    text = {"type": ["string", "null"]}
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "brand": text}}
    url = "https://shop.example/kettles/1"
    brands = ["Aster", "Borealis", "Cinder"]
    data = [{"name": f"Kettle {page}", "brand": brand} for page, brand in enumerate(brands)]
    first, second, third = (_made_by_a_tool(page, brand=brand) for page, brand in enumerate(brands))
    recipe = learn(second, url, schema, data[1], earlier=[Example(first, url, data[0])])
    assert recipe is not None
    replayed = replay(recipe, third, url, schema)
    assert (replayed.doubts, replayed.data) == ((), data[2])
    new_build = _made_by_a_tool(2, brand="Cinder", made="css-99d1c0")
    assert not replay(recipe, new_build, url, schema).holds
    assert not replay(recipe, _made_by_a_tool(2, brand=""), url, schema).holds
    assert not replay(recipe, third.replace("css-351efa", "css-17a86f"), url, schema).holds
    learned_anew = refine(recipe, new_build, url, data[2])
    assert learned_anew is not None
    assert replay(learned_anew, new_build.replace("Cinder", "Dunlin"), url, schema).holds


def _plain(page: int, *, brand: str, badge: str = "") -> str:
    stock = "In stock" if page % 2 and not badge else ""
    pieces = [badge, brand, f"{10 + page}.50 €", stock, "Oak"]
    said = "".join(f"<div>{piece}</div>" for piece in pieces if piece)
    return f"<main id=content><h1>Kettle {page}</h1><div>{said}</div></main>"


@pytest.mark.req("RC-1", "RC-2")
def test_a_place_that_had_four_names_on_all_pages_has_another_unless_a_new_text_beside_it_could_be_that() -> None:
    text = {"type": ["string", "null"]}
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "brand": text}}
    url = "https://shop.example/kettles/1"
    brands = ["Aster", "Borealis", "Cinder Works", "Dunlin", "Ember"]
    data = [{"name": f"Kettle {page}", "brand": brand} for page, brand in enumerate(brands)]
    examples = [Example(_plain(page, brand=brand), url, data[page]) for page, brand in enumerate(brands)]

    def learned_from(count: int) -> Recipe | None:
        *earlier, last = examples[:count]
        return learn(last.html, url, schema, last.data, earlier=earlier)

    assert (early := learned_from(3)) is None or not replay(early, examples[4].html, url, schema).holds
    recipe = learned_from(4)
    assert recipe is not None
    replayed = replay(recipe, examples[4].html, url, schema)
    assert (replayed.doubts, replayed.data) == ((), data[4])
    for strange in (_plain(4, brand="Ember", badge="Bestseller"), _plain(4, brand=""), _plain(4, brand="on sale")):
        assert not replay(recipe, strange, url, schema).holds
