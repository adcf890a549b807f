"""Values that no class names: fixed words around them, flags that are there or not, texts that stand for nothing."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Recipe, learn, replay
from gleaner.recipes.learning import same_data

URL = "https://homes.example/list"
STREETS = ["Elm", "Oak", "Ash", "Fir", "Bay", "Yew", "Fig", "Hop", "Box", "Larch", "Gorse", "Sloe"]
Home = dict[str, Any]
Write = Callable[[Home, str], str]


def homes(page: int, *, new: bool = True) -> list[Home]:
    return [
        {
            "street": f"{street} {10 * page + at}",
            "price": round(90.5 + 37.25 * ((at * 7 + page) % 12), 2),
            "before": round(700.5 + 11 * at, 2) if (at + page) % 3 else None,
            "beds": None if (at + page) % 4 == 3 else 1 + (at * 5 + page) % 7,
            "fee": None if (at + page) % 3 == 1 else 3.5 + at,
            "new": new and (at * 3 + page) % 5 < 2,
            "tags": STREETS[at % 5 : at % 5 + (at + page) % 4],
        }
        for at, street in enumerate(STREETS)
    ]


def by_units(one: Home, salt: str) -> str:
    beds = f"<li><b>{one['beds']}</b> <abbr>bds</abbr></li>" if one["beds"] else ""
    return f"<li class='css-{salt}'><h3>{one['street']}</h3><ul>{beds}<li><b>{one['price']}</b> kr</li></ul></li>"


def by_spoken_words(one: Home, salt: str) -> str:
    beds = f"<span aria-label='Beds: {one['beds']}.'>{one['beds']}</span>" if one["beds"] else ""
    return f"<li class='css-{salt}'><h3>{one['street']}</h3><span>9</span><span>8</span>{beds}</li>"


def by_presence(one: Home, salt: str) -> str:
    badge = "<i class='badge-new'></i>" if one["new"] else ""
    return f"<li class='css-{salt}'>{badge}<h3>{one['street']}</h3></li>"


def by_label(one: Home, salt: str) -> str:
    badge = f"<span class='css-{salt}'>New</span>" if one["new"] else ""
    return f"<li class='css-{salt}'>{badge}<h3>{one['street']}</h3><span class='css-{salt}'>Ask us</span></li>"


def beside_a_number(one: Home, salt: str) -> str:
    return (
        f"<li class='css-{salt}'><h3>{one['street']}</h3><b>{one['price']:.2f} €{' VB' if one['new'] else ''}</b></li>"
    )


def by_names_of_controls(one: Home, salt: str) -> str:
    beds = f"<button aria-label='Beds'><i><b>{one['beds']}</b></i></button>" if one["beds"] else ""
    price = f"<button aria-label='Price'><i><b>{one['price']}</b></i></button>"
    return f"<li class='css-{salt}'><h3>{one['street']}</h3><div>{beds}{price}</div></li>"


def in_the_singular(one: Home, salt: str) -> str:
    count = f"{one['beds']} bed{'s' if one['beds'] > 1 else ''} to let" if one["beds"] else ""
    beds = f"<p class='room'>| {count}</p>" if count else ""
    return f"<li class='css-{salt}'><h3>{one['street']}</h3>{beds}</li>"


def by_words_for_nothing(one: Home, salt: str) -> str:
    fee = f"<i class='fee'>+${one['fee']:.2f} fee</i>" if one["fee"] else "<i class='fee'>No fee</i>"
    return f"<li class='css-{salt}'><h3>{one['street']}</h3>{fee}</li>"


def twice(one: Home, salt: str) -> str:
    price = f"<b class='cost'>${one['price']:.2f}</b>"
    return f"<li class='css-{salt}'>{price}<h3>{one['street']}</h3>{price}</li>"


def deep_lists(one: Home, salt: str) -> str:
    tags = "".join(f"<li><span>{tag}</span></li>" for tag in one["tags"])
    more = "<div><ul><li><span>Save</span></li></ul></div>"
    return f"<li class='css-{salt}'><h3>{one['street']}</h3>{more}<div class='topics'><ul>{tags}</ul></div></li>"


def lists_behind_a_label(one: Home, salt: str) -> str:
    tags = f"<p class='css-{salt}'><b>Trees:</b> {' | '.join(one['tags'])}</p>" if one["tags"] else ""
    return f"<li class='css-{salt}'><h3>{one['street']}</h3>{tags}<p class='css-{salt}'>Ask us | Call us</p></li>"


def lists_in_nameless_cells(one: Home, salt: str) -> str:
    return f"<li><b>{one['street']}</b><i>{one['price']:.2f}</i><i>{' | '.join(one['tags'])}</i><i>Ask us</i></li>"


def ordered_prices(one: Home, salt: str) -> str:
    before = f"<div class='css-{salt}c'>${one['before']:.2f}</div>" if one["before"] else ""
    price = f"<div class='css-{salt}b'>${one['price']:.2f}</div>"
    return f"<li class='css-{salt}'><h3>{one['street']}</h3>{price}{before}</li>"


def page_of(write: Write, records: Sequence[Home], salt: str = "3fa91c") -> str:
    return f"<html><body><main><ul>{''.join(write(one, salt) for one in records)}</ul></main></body></html>"


LAYOUTS: list[tuple[Write, str]] = [
    (by_units, "street price beds"),
    (by_spoken_words, "street beds"),
    (by_presence, "street new"),
    (by_label, "street new"),
    (by_names_of_controls, "street beds price"),
    (beside_a_number, "street new price"),
    (by_words_for_nothing, "street fee"),
    (twice, "street price"),
    (deep_lists, "street tags"),
    (lists_behind_a_label, "street tags"),
    (lists_in_nameless_cells, "street price tags"),
    (ordered_prices, "street price before"),
]
TYPES: dict[str, Any] = {"street": "string", "new": "boolean", "tags": "array"}


def schema_of(names: str) -> dict[str, Any]:
    fields = {name: {"type": TYPES.get(name, ["number", "null"])} for name in names.split()}
    return {"type": "array", "items": {"type": "object", "properties": fields}}


def truth(records: Sequence[Home], names: str) -> list[JsonValue]:
    return [{name: one[name] for name in names.split()} for one in records]


def learned(write: Write, names: str) -> Recipe:
    recipe = learn(page_of(write, homes(1)), URL, schema_of(names), truth(homes(1), names))
    assert recipe is not None and recipe.transferable
    return recipe


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(("write", "names"), LAYOUTS, ids=lambda one: getattr(one, "__name__", one))
def test_what_no_class_names_is_read_on_the_next_page_and_after_a_new_deploy(write: Write, names: str) -> None:
    for page, salt in ((2, "3fa91c"), (3, "77e0d2")):
        read = replay(learned(write, names), page_of(write, homes(page), salt), URL, schema_of(names))
        assert not read.doubts
        assert all(map(same_data, read.records, truth(homes(page), names)))


@pytest.mark.req("RC-2")
def test_a_flag_that_is_true_of_no_record_is_doubted_since_its_mark_may_have_another_name() -> None:
    recipe = learned(by_presence, "street new")
    read = replay(recipe, page_of(by_presence, homes(2)).replace("badge-new", "label-fresh"), URL, schema_of("new"))
    assert not read.holds


@pytest.mark.req("RC-2")
def test_a_flag_whose_label_says_another_word_is_doubted() -> None:
    recipe = learned(by_label, "street new")
    assert not replay(recipe, page_of(by_label, homes(2)).replace(">New<", ">Fresh<"), URL, schema_of("new")).holds


@pytest.mark.req("RC-2")
def test_a_flag_beside_a_number_that_is_said_in_other_words_is_doubted() -> None:
    recipe = learned(beside_a_number, "street new price")
    html = page_of(beside_a_number, homes(2)).replace("€ VB", "€ oB", 1)
    assert not replay(recipe, html, URL, schema_of("street new price")).holds


@pytest.mark.req("RC-2")
def test_a_control_of_another_name_is_not_read_for_the_known_one() -> None:
    recipe = learned(by_names_of_controls, "street beds price")
    html = page_of(by_names_of_controls, homes(2)).replace("Price", "Deposit")
    assert not replay(recipe, html, URL, schema_of("street beds price")).holds


def by_unit_words(one: Home, salt: str) -> str:
    beds = f"<li><b>{one['beds']}</b> <abbr>bds</abbr></li>" if one["beds"] else ""
    baths = f"<li><b>{one['fee']}</b> <abbr>ba</abbr></li>"
    return f"<li class='css-{salt}'><h3>{one['street']}</h3><ul>{beds}{baths}</ul></li>"


@pytest.mark.req("RC-2")
def test_a_number_is_not_read_from_another_one_where_it_is_absent() -> None:
    def with_baths(page: int, baths: float) -> list[Home]:
        return [{**one, "fee": at + 1.5 if one["beds"] else baths} for at, one in enumerate(homes(page))]

    seen, schema = with_baths(1, 2.5), schema_of("street beds")
    schema["items"]["properties"]["beds"] = {"type": ["integer", "null"]}
    recipe = learn(page_of(by_unit_words, seen), URL, schema, truth(seen, "street beds"))
    assert recipe is not None
    read = replay(recipe, page_of(by_unit_words, with_baths(2, 3)), URL, schema)
    assert read.doubts or read.records == truth(homes(2), "street beds")


@pytest.mark.req("RC-1", "RC-2")
def test_the_singular_is_read_where_only_plurals_were_seen() -> None:
    seen = [{**one, "beds": one["beds"] and one["beds"] + 1} for one in homes(1)]
    recipe = learn(page_of(in_the_singular, seen), URL, schema_of("street beds"), truth(seen, "street beds"))
    assert recipe is not None
    html = page_of(in_the_singular, homes(2))
    assert "1 bed " in html
    read = replay(recipe, html, URL, schema_of("street beds"))
    assert read.holds
    assert read.records == truth(homes(2), "street beds")
    assert not replay(recipe, html.replace("1 bed ", "1 bath "), URL, schema_of("street beds")).holds


def counted(one: Home, salt: str) -> str:
    said = {0: "Nobody wrote"}.get(one["beds"], f"{one['beds']} letters")
    return f"<li class='css-{salt}'><h3>{one['street']}</h3><p class='post'>{said}</p></li>"


@pytest.mark.req("RC-1", "RC-2")
def test_words_for_none_are_read_as_0_once_a_model_has_read_them_so() -> None:
    def letters(page: int) -> list[Home]:
        return [{**one, "beds": one["beds"] and one["beds"] - 1} for one in homes(page) if one["beds"]]

    data = [truth(letters(page), "street beds") for page in (1, 2)]
    recipe = learn(page_of(counted, letters(1)), URL, schema_of("street beds"), data[0])
    assert recipe is not None
    read = replay(recipe, page_of(counted, letters(2)), URL, schema_of("street beds"))
    assert read.holds
    assert read.records == data[1]
    other = page_of(counted, letters(2)).replace("Nobody wrote", "Nobody called")
    assert not replay(recipe, other, URL, schema_of("street beds")).holds


@pytest.mark.req("RC-2")
def test_another_text_for_nothing_is_doubted() -> None:
    recipe = learned(by_words_for_nothing, "street fee")
    html = page_of(by_words_for_nothing, homes(2)).replace("No fee", "Fee on request")
    assert not replay(recipe, html, URL, schema_of("street fee")).holds


@pytest.mark.req("RC-2")
def test_two_prices_known_by_their_places_that_change_these_are_noticed_by_which_is_lower() -> None:
    recipe = learned(ordered_prices, "street price before")
    swapped = [{**one, "price": one["before"], "before": one["price"]} for one in homes(2) if one["before"]]
    assert not replay(recipe, page_of(ordered_prices, swapped), URL, schema_of("street price before")).holds


@pytest.mark.req("RC-2")
def test_two_places_that_say_different_things_are_no_value() -> None:
    recipe = learned(twice, "street price")
    html = page_of(twice, homes(2)).replace("</h3><b class='cost'>$", "</h3><b class='cost'>$1", 1)
    assert not replay(recipe, html, URL, schema_of("street price")).holds


def stated(one: Home, salt: str, *, moved: bool = False) -> str:
    agent, word = f"Agent {one['street'][:3]}", "Newly listed" if one["new"] else "Known for long"
    badge = f"<i class='state'>{word}</i>"
    by, rest = (badge, agent) if moved else (agent, badge)
    return f"<li class='css-{salt}'><h3>{one['street']}</h3><a class='by'>{by}</a><p>{rest}</p></li>"


@pytest.mark.req("RC-2")
def test_words_for_a_flag_are_noticed_where_another_field_stood() -> None:
    schema = schema_of("street new by")
    schema["items"]["properties"]["by"] = {"type": "string"}
    data = [{**one, "by": f"Agent {one['street'][:3]}"} for one in homes(1)]
    recipe = learn(page_of(stated, homes(1)), URL, schema, truth(data, "street new by"))
    assert recipe is not None
    html = page_of(lambda one, salt: stated(one, salt, moved=True), homes(2))
    assert replay(recipe, page_of(stated, homes(2)), URL, schema).holds
    assert not replay(recipe, html, URL, schema).holds


def listed(one: Home, salt: str) -> str:
    links = ", ".join(f"<a href='/t'>{tag}</a>" for tag in one["tags"])
    return f"<li class='css-{salt}'><h3>{one['street']}</h3><p class='tags'>In <span>{links}</span></p></li>"


@pytest.mark.req("RC-2")
def test_a_second_place_like_that_of_a_list_in_one_text_is_doubted() -> None:
    recipe = learned(listed, "street tags")
    assert replay(recipe, page_of(listed, homes(2)), URL, schema_of("street tags")).holds
    twice = page_of(listed, homes(2)).replace("</span></p>", "</span><span>Elm, Oak</span></p>")
    assert not replay(recipe, twice, URL, schema_of("street tags")).holds


@pytest.mark.req("RC-1", "RC-2")
def test_a_flag_is_told_by_what_an_icon_of_some_records_is_said_to_show() -> None:
    def write(number: int, alt: str = "Takes cars") -> str:
        rows = "".join(
            f"<li><b>Ferry {number}{at}</b><img src='/boat.svg' alt='Boat'>"
            + (f"<img src='/i.svg' alt='{alt}'>" if (at + number) % 3 == 0 else "")
            + f"<i>{at + number} EUR</i></li>"
            for at in range(12)
        )
        return f"<html><body><h1>Ferries</h1><ul>{rows}</ul></body></html>"

    def ferries(number: int) -> list[Any]:
        return [
            {"name": f"Ferry {number}{at}", "cars": (at + number) % 3 == 0, "fare": at + number} for at in range(12)
        ]

    fields = {"name": {"type": "string"}, "cars": {"type": "boolean"}, "fare": {"type": "integer"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    url = "https://ferries.example/list"
    recipe = learn(write(1), url, schema, ferries(1))
    assert recipe is not None and recipe.transferable
    read = replay(recipe, write(2), url, schema)
    assert not read.doubts and read.records == ferries(2)
    assert replay(recipe, write(2, "Autos erlaubt"), url, schema).doubts
