"""Recipes per field: learned from proven records, replayed on other pages, and what makes them doubt."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.ports import Item
from gleaner.page.opening import open_page
from gleaner.wrappers import Example, Recipe, RecipeBook, learn_from, misreads, replay, told_apart
from gleaner.wrappers.book import described

from tests.support.schemas import MAYBE_INTEGER, NUMBER, TEXT, object_of

Ware = dict[str, Any]
URL = "https://shop.example/jugs"
WARES: list[Any] = [
    {"name": f"{wood} jug {at}", "town": town, "price": 3.95 + 7 * at, "old": None if at % 3 else 60.0 + at}
    for at, (wood, town) in enumerate(
        zip(["Larch", "Gorse", "Fir", "Oak", "Elm", "Ash", "Yew", "Box"], ["Leeds", "Graz"] * 4, strict=True)
    )
]
FIELDS: Ware = {
    "name": {"type": "string"},
    "town": {"type": "string"},
    "price": {"type": "number"},
    "old": {"type": ["number", "null"]},
}


def schema(fields: Ware = FIELDS) -> Ware:
    required = [name for name in ("name", "price") if name in fields]
    return {"type": "array", "items": {"type": "object", "properties": fields, "required": required}}


def card(one: Ware) -> str:
    old = f'<s class="was">${one["old"]:.2f}</s>' if one["old"] else ""
    return (
        f'<li class="card"><h3 class="name">{one["name"]}</h3><p>From <i>{one["town"]}</i></p>'
        f'<b class="price">${one["price"]:.2f}</b>{old}</li>'
    )


def row(one: Ware) -> str:
    old = f"${one['old']:.2f}" if one["old"] else "-"
    return f"<tr><td>{one['name']}</td><td>{one['town']}</td><td>${one['price']:.2f}</td><td>{old}</td></tr>"


def cards(records: Sequence[Ware] = WARES, write: Callable[[Ware], str] = card) -> str:
    return f'<main><h1>Jugs</h1><ul class="shop">{"".join(map(write, records))}</ul><p>Call us.</p></main>'


def table(records: Sequence[Ware] = WARES) -> str:
    heads = "".join(f"<th>{name}</th>" for name in ("Jug", "Made in", "Price", "Before"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(map(row, records))}</tbody></table>"


def learned(html: str, data: Any = WARES, asked: Any = None) -> Recipe:
    recipe = learn_from([Example(open_page(html, URL), data)], asked or schema()).recipe
    assert recipe is not None
    return recipe


CHANGES: dict[str, Callable[[str], str]] = {
    "another order and fewer records": lambda _: cards([WARES[at] for at in (5, 0, 3, 7, 2, 6)]),
    "other classes": lambda html: html.replace("card", "x1").replace('"name"', '"x2"').replace('"price"', '"x3"'),
    "one more box in each record": lambda html: html.replace('<li class="card">', '<li class="card"><div>').replace(
        "</li>", "</div></li>"
    ),
    "one more box around the list": lambda html: f"<section><div>{html}</div></section>",
    "a notice above": lambda html: html.replace("<h1>", '<p class="note">From $1.99</p><h1>'),
}


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("change", CHANGES)
def test_a_recipe_serves_nothing_wrong_after_a_change_of_the_layout(change: str) -> None:
    changed = CHANGES[change](cards())
    read = replay(learned(cards()), open_page(changed, URL), schema())
    truth = [WARES[at] for at in (5, 0, 3, 7, 2, 6)] if change.startswith("another") else WARES
    left = {pointer.lstrip("/") for pointer in read.unread}
    if not read.doubts:
        assert read.records == [{name: one[name] for name in one if name not in left} for one in truth]
    if change in ("another order and fewer records", "one more box around the list", "a notice above"):
        assert read.holds


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("page", [cards, table])
def test_a_recipe_reads_its_own_page_and_the_next_one(page: Callable[[Sequence[Ware]], str]) -> None:
    recipe = learned(page(WARES))
    assert not any(one.unread for one in recipe.fields)
    for records in (WARES, WARES[2:7]):
        read = replay(recipe, open_page(page(records), URL), schema())
        assert (read.data, read.doubts, dict(read.unread)) == ([*records], (), {})


def labelled(one: Ware) -> str:
    """Give a record whose facts stand behind labels, and in elements that all look alike."""
    said = (f"<p><b>{label}:</b> <i>{fact}</i></p>" for label, fact in (("Jug", one["name"]), ("Costs", one["price"])))
    return f"<li class=card>{''.join(said)}</li>"


@pytest.mark.req("RC-1", "RC-2")
def test_a_page_that_is_open_is_learned_from_and_read_as_if_it_had_just_been_opened() -> None:
    for html, wanted, data in ((cards(), schema(), WARES), (table(), schema(), WARES)):
        page = open_page(html, URL)
        recipe = learn_from([Example(page, data)], wanted).recipe
        assert recipe is not None
        read = replay(recipe, page, wanted)
        assert (read.data, read.holds) == (data, True)
        assert learn_from([Example(page, data)], wanted).recipe == recipe == learned(html, data, wanted)
        assert not misreads(recipe, Example(page, data), wanted)


def test_a_page_of_which_one_label_was_asked_shows_the_others_when_it_is_asked_again() -> None:
    html = cards(write=labelled)
    page = open_page(html, URL)
    for names in (["name"], ["name", "price"]):
        asked = schema({name: FIELDS[name] for name in names})
        data = [{name: one[name] for name in names} for one in WARES]
        recipe = learn_from([Example(page, data)], asked).recipe
        assert recipe is not None
        assert recipe == learn_from([Example(open_page(html, URL), data)], asked).recipe


def twice(alt: Sequence[str], names: Sequence[str], again: Sequence[str]) -> str:
    """Give a list in which each name stands twice as text, and once behind a picture."""
    said = zip(alt, names, again, strict=True)
    rows = [f"<li><img class=pic alt='{a}'><b class=wide>{b}</b><i class=narrow>{c}</i></li>" for a, b, c in said]
    return f"<ul>{''.join(rows)}</ul>"


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("changed", [0, 1, 2])
def test_a_copy_of_a_text_that_says_something_else_puts_the_field_in_doubt(changed: int) -> None:
    names = [str(one["name"]) for one in WARES]
    items = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    example = Example(open_page(twice(names, names, names), URL), [{"name": one} for one in names])
    recipe = learn_from([example], items).recipe
    assert recipe is not None
    copies = [[*names], [*names], [*names]]
    copies[changed][3] = "Clay bowl"
    assert "two ways to read it" in replay(recipe, open_page(twice(*copies), URL), items).unread["/name"]


DOUBTFUL: dict[str, tuple[Callable[[str], str], str]] = {
    "a value that can't be read": (lambda html: html.replace("$3.95", "on request"), "/price"),
    "a value that was always there is gone": (
        lambda html: html.replace('<h3 class="name">Fir jug 2</h3>', ""),
        "/name",
    ),
    "a text where a number was": (lambda html: html.replace("Oak jug 3", "12.50"), "/name"),
    "another currency": (lambda html: html.replace("$10.95", "10,95 €"), "/price"),
    "a text that could be the absent value": (
        lambda html: html.replace("$17.95</b>", "$17.95</b><em>$99.00</em>"),
        "/old",
    ),
}


@pytest.mark.req("RC-2", "RC-5")
@pytest.mark.parametrize("case", DOUBTFUL)
def test_a_doubt_names_its_field_and_nothing_of_that_field_is_served(case: str) -> None:
    change, pointer = DOUBTFUL[case]
    read = replay(learned(cards()), open_page(change(cards()), URL), schema())
    assert not read.holds
    assert read.doubts or pointer in read.unread


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    "odd",
    [
        '<li class="card promoted"><h4>The best mattress</h4></li>',
        card(WARES[0]).replace("<p>", "<em>Sponsored</em><p>").replace("Larch jug 0", "Paid jug"),
    ],
)
def test_what_stands_among_the_records_and_was_never_there_puts_the_page_in_doubt(odd: str) -> None:
    html = cards().replace(card(WARES[4]), card(WARES[4]) + odd)
    assert replay(learned(cards()), open_page(html, URL), schema()).doubts


@pytest.mark.req("RC-5")
def test_a_field_that_no_selector_reads_is_left_to_the_model_and_the_others_are_read() -> None:
    moods = ["calm", "bold", "warm", "cool", "dark", "pale", "soft", "loud"]
    data = [{**one, "mood": mood} for one, mood in zip(WARES, moods, strict=True)]
    asked = schema({**FIELDS, "mood": {"type": "string"}})
    recipe = learned(cards(), data, asked)
    assert [one.name for one in recipe.fields if one.unread] == ["mood"]
    read = replay(recipe, open_page(cards(WARES[1:]), URL), asked)
    assert (read.doubts, [*read.unread]) == ((), ["/mood"])
    assert read.records == WARES[1:]


@pytest.mark.req("RC-1")
def test_a_page_that_says_nothing_of_the_records_teaches_nothing_and_says_why() -> None:
    made = learn_from([Example(open_page("<p>Nothing here.</p>", URL), WARES)], schema())
    assert made.recipe is None
    assert "no parts of the page" in made.reason


@pytest.mark.req("RC-5")
def test_a_flag_that_some_records_leave_open_is_read_by_its_words() -> None:
    """Where neither is said, that the words for one of both are missing says nothing."""

    def listed(one: Ware) -> str:
        said = {True: "In stock", False: "Out of stock", None: "-"}[one["ready"]]
        return f"<tr><td>{one['name']}</td><td>{said}</td></tr>"

    def written(records: Sequence[Ware]) -> str:
        return f"<table><tr><th>Jug</th><th>Availability</th></tr>{''.join(map(listed, records))}</table>"

    states = (True, None, False, True, True, None, True, False)
    wares = [{"name": one["name"], "ready": ready} for one, ready in zip(WARES, states, strict=True)]
    asked = schema({"name": {"type": "string"}, "ready": {"type": ["boolean", "null"]}})
    asked["items"]["required"] = ["name"]
    recipe = learned(written(wares), wares, asked)
    other = wares[::-1]
    assert replay(recipe, open_page(written(other), URL), asked).data == other


@pytest.mark.req("RC-1")
def test_a_flag_is_read_by_what_only_some_records_have() -> None:
    data = [{"name": one["name"], "sold": at % 3 == 1} for at, one in enumerate(WARES)]
    asked = schema({"name": {"type": "string"}, "sold": {"type": "boolean"}})
    asked["items"]["required"] = ["name"]

    def write(one: Ware) -> str:
        return f"<li><b>{one['name']}</b>{'<i class=gone>Sold out</i>' if one['sold'] else ''}</li>"

    recipe = learned(cards(data, write), data, asked)
    assert replay(recipe, open_page(cards(data[::-1], write), URL), asked).data == data[::-1]


@pytest.mark.req("RC-1")
def test_a_flag_that_one_record_has_is_read_by_the_fields_name_among_its_words() -> None:
    asked = schema({"name": {"type": "string"}, "sold": {"type": "boolean"}})
    asked["items"]["required"] = ["name"]
    texts = [f"{one['name']}{', SOLD' if not at else ''}" for at, one in enumerate(WARES)]
    data = [{"name": text, "sold": not at} for at, text in enumerate(texts)]

    def write(one: Ware) -> str:
        return f"<li><b>{one['name']}</b></li>"

    recipe = learned(cards(data, write), data, asked)
    others = [{"name": f"{one['name']}{' (sold)' if at > 5 else ''}", "sold": at > 5} for at, one in enumerate(WARES)]
    assert replay(recipe, open_page(cards(others, write), URL), asked).data == others


@pytest.mark.req("RC-5")
@pytest.mark.parametrize(("badge", "read"), [("E", True), ("18+", None), ("", None)])
def test_a_flag_that_was_the_same_everywhere_is_read_by_a_sign_of_its_name_and_by_nothing_else(
    badge: str, read: bool | None
) -> None:
    asked: Ware = {"type": "object", "properties": {"title": {"type": "string"}, "explicit": {"type": "boolean"}}}

    def page(title: str, sign: str) -> str:
        shown = f'<p><span class="badge-explicit">{sign}</span></p>' if sign else ""
        return f'<main><h1 class="title">{title}</h1>{shown}<p>Listen to it here.</p></main>'

    titles = ("Larks at noon", "A kettle sings", "Why ropes hum")
    known = [
        Example(open_page(page(one, "E"), f"{URL}/{at}"), {"title": one, "explicit": True})
        for at, one in enumerate(titles)
    ]
    recipe = learn_from(known, asked).recipe
    assert recipe is not None
    replayed = replay(recipe, open_page(page("Four wet roads", badge), f"{URL}/9"), asked)
    assert isinstance(replayed.data, dict)
    assert replayed.data.get("explicit") is read
    assert bool(replayed.doubts or "/explicit" in replayed.unread) is (read is None)


@pytest.mark.req("RC-1")
def test_lists_of_objects_inside_records_are_recipes_inside_the_recipe() -> None:
    sizes = [[{"size": f"S{at}", "cost": 5 + at + n} for n in range(1 + at % 3)] for at in range(8)]
    data = [{"name": one["name"], "sizes": each} for one, each in zip(WARES, sizes, strict=True)]
    item: Ware = {"type": "object", "properties": {"size": {"type": "string"}, "cost": {"type": "integer"}}}
    asked = schema({"name": {"type": "string"}, "sizes": {"type": "array", "items": item}})
    asked["items"]["required"] = ["name"]

    def write(one: Ware) -> str:
        lines = "".join(f'<li class="size"><b>{s["size"]}</b> <i>{s["cost"]}</i></li>' for s in one["sizes"])
        return f'<div class="ware"><h3>{one["name"]}</h3><ul>{lines}</ul></div>'

    html = f"<main>{''.join(map(write, data))}</main>"
    recipe = learned(html, data, asked)
    assert [one.name for one in recipe.lists] == ["sizes"]
    later = f"<main>{''.join(map(write, data[3:]))}</main>"
    assert replay(recipe, open_page(later, URL), asked).data == data[3:]


HOUSE: Ware = object_of("title", "price", title=TEXT, price=NUMBER, floor=MAYBE_INTEGER)


def house(title: str, price: int, floor: int | None) -> str:
    facts = f"<dt>Price</dt><dd>${price}</dd>" + (f"<dt>Floor</dt><dd>{floor}</dd>" if floor else "")
    return f"<main><h1>{title}</h1><dl>{facts}</dl></main>"


@pytest.mark.req("RC-1", "RC-5")
def test_a_page_about_one_thing_is_read_by_what_names_its_fields_and_the_rest_waits_for_a_second_page() -> None:
    first = Example(open_page(house("Loft", 900, None), URL), {"title": "Loft", "price": 900, "floor": None})
    recipe = learn_from([first], HOUSE).recipe
    assert recipe is not None
    read = replay(recipe, open_page(house("Villa", 1200, 2), URL), HOUSE)
    assert (read.data, [*read.unread]) == ({"title": "Villa", "price": 1200}, ["/floor"])
    second = Example(open_page(house("Villa", 1200, 2), URL), {"title": "Villa", "price": 1200, "floor": 2})
    recipe = learn_from([first, second], HOUSE).recipe
    assert recipe is not None
    for floor in (3, None):
        read = replay(recipe, open_page(house("Studio", 700, floor), URL), HOUSE)
        assert (read.data, read.holds) == ({"title": "Studio", "price": 700, "floor": floor}, True)


@pytest.mark.req("RC-2")
def test_a_recipe_that_reads_a_known_page_otherwise_misreads_it() -> None:
    recipe = learned(cards())
    assert not misreads(recipe, Example(open_page(cards(), URL), WARES), schema())
    other = [{**one, "town": "Oslo"} for one in WARES]
    assert misreads(recipe, Example(open_page(cards(), URL), other), schema())


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("sign", "first", "is_apart"),
    [
        ("id=featured", WARES[0], True),
        ("class=hero", WARES[0], True),
        ("class=css-1x2y3z", WARES[0], False),
        ("class=note", WARES[0], False),
        ("id=featured", {**WARES[0], "town": "Oslo"}, False),
    ],
    ids=["by an id", "by a class", "a class of a build tool", "a class of the other page, too", "not on the page"],
)
def test_a_page_with_a_featured_record_in_other_markup_is_told_apart_by_a_sign_around_it(
    sign: str, first: Ware, *, is_apart: bool
) -> None:
    plain = cards(WARES[1:]) + "<aside class=note>Open on Sundays.</aside>"
    featured = f"<aside {sign}><h2>{WARES[0]['name']}</h2><p>{WARES[0]['town']}, $3.95</p></aside>{plain}"
    recipe, odd = learned(plain, WARES[1:]), open_page(featured, URL)
    example = Example(odd, [first, *WARES[1:]])
    assert misreads(recipe, example, schema())
    apart = told_apart(recipe, example, schema(), [open_page(plain, URL)])
    assert (apart is not None) == is_apart
    if apart is not None:
        assert replay(apart, open_page(plain, URL), schema()).holds
        assert not misreads(apart, example, schema())


@pytest.mark.req("RC-2", "RC-5")
def test_the_book_says_of_each_field_how_it_is_read_or_why_not() -> None:
    book = RecipeBook(MemoryTable())
    data = [{**one, "mood": f"mood {at}"} for at, one in enumerate(WARES)]
    book.save("jugs", learned(cards(), data, schema({**FIELDS, "mood": {"type": "string"}})))
    kept = described(book, "jugs")["kept"]
    assert isinstance(kept, list)
    fields = kept[0]["fields"]  # type: ignore[index, call-overload]
    assert fields["price"]["selectors"][0]["reads"] == "the element of class price, as money"
    assert "no text of record 1 says 'mood 0'" in fields["mood"]["asked_of_the_model"]


@pytest.mark.req("RC-1")
def test_recipes_of_an_older_format_are_dropped_and_that_is_said_once() -> None:
    table = MemoryTable()
    book = RecipeBook(table)
    version = book.save("jugs", learned(cards()))
    stored = book._items("jugs")[0]
    old = {**stored.data, "recipe": {"format": 1, "url": URL}}
    table.put(Item(stored.pk, stored.sk, old), if_version=stored.version)
    assert book.recipes("jugs") == []
    assert "were dropped" in str(book.history("jugs")["dropped"])
    assert book._items("jugs") == []
    assert book.save("jugs", learned(cards())) > version


LINED = "".join(
    f"<b>{one['name']}</b>, {one['town']}<br>Was {one['old'] or '-'}<br>${one['price']:.2f}<br><br>" for one in WARES
)
IN_RUNS = "".join(
    f"<h2>{one['name']}</h2><h3>Towns</h3><ul><li>{one['town']}</li><li>Bath</li></ul><p>${one['price']:.2f}</p>"
    for one in WARES
)
CONTENTS = "".join(f"<a href='#{at}'>{one['name']}</a> " for at, one in enumerate(WARES))
OF_DAYS = [{"held": f"2026-03-{at:02}", "url": f"https://shop.example/files/{at}.pdf"} for at in range(2, 10)]
DAYS = "".join(
    f"<div class=day>Monday, March {at}, 2026</div><p><a href='files/{at}.pdf'>Minutes</a></p>" for at in range(2, 10)
)
OF_RUNS = [{"name": one["name"], "towns": [one["town"], "Bath"], "price": one["price"]} for one in WARES]
RUN_FIELDS = {
    "name": {"type": "string"},
    "towns": {"type": "array", "items": {"type": "string"}},
    "price": {"type": "number"},
}


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("html", "data", "fields"),
    [
        (f"<main><p>{LINED}</p></main>", [{**one, "old": one["old"]} for one in WARES], FIELDS),
        (f"<main>{IN_RUNS}</main>", OF_RUNS, RUN_FIELDS),
        (f"<nav>{CONTENTS}</nav><main>{IN_RUNS}</main>", OF_RUNS, RUN_FIELDS),
        (f"<main>{DAYS}</main>", OF_DAYS, {"held": {"type": "string", "format": "date"}, "url": {"type": "string"}}),
    ],
)
def test_records_are_found_among_lines_and_in_runs_of_siblings(html: str, data: Any, fields: Ware) -> None:
    read = replay(learned(html, data, schema(fields)), open_page(html, URL), schema(fields))
    assert (read.records, read.doubts, dict(read.unread)) == (data, (), {})


FLAGGED = [{"name": one["name"], "price": one["price"], "sold": at % 3 == 0} for at, one in enumerate(WARES)]
SEATS = [{"name": one["name"], "price": one["price"], "seats": 11 + at} for at, one in enumerate(WARES)]


def flagged(one: Ware) -> str:
    mark = "<em>Sold out</em>" if one["sold"] else ""
    return f'<li class="card"><h3>{one["name"]}</h3>{mark}<b class="price">${one["price"]:.2f}</b></li>'


def seated(one: Ware) -> str:
    return (
        f'<li class="card"><h3>{one["name"]}</h3><i>{one["seats"]} seats</i><b class="price">${one["price"]}</b></li>'
    )


@pytest.mark.req("RC-2", "RC-5")
@pytest.mark.parametrize(
    ("field", "kind", "records", "write", "old", "new"),
    [
        ("sold", "boolean", FLAGGED * 2, flagged, "Sold out", "Vergriffen"),
        ("seats", "integer", SEATS, seated, " seats", " rooms"),
    ],
)
def test_a_field_whose_words_are_gone_from_all_records_is_asked_of_the_model(
    field: str, kind: str, records: Any, write: Callable[[Ware], str], old: str, new: str
) -> None:
    records = [{**one, "name": f"{one['name']} no. {at}"} for at, one in enumerate(records)]
    asked = schema({"name": {"type": "string"}, "price": {"type": "number"}, field: {"type": kind}})
    html = cards(records, write)
    recipe = learned(html, records, asked)
    assert replay(recipe, open_page(html, URL), asked).holds
    changed = replay(recipe, open_page(html.replace(old, new), URL), asked)
    assert (changed.doubts, [*changed.unread]) == ((), [f"/{field}"])


@pytest.mark.req("RC-2")
def test_a_paragraph_of_one_line_beside_those_of_many_is_a_record_too() -> None:
    def lines(records: Sequence[Ware]) -> str:
        return "<br>".join(f"{one['name']}, {one['town']} ..... ${one['price']:.2f}" for one in records)

    def listed(*paragraphs: Sequence[Ware]) -> str:
        return f"<main><h1>Jugs</h1>{''.join(f'<p>{lines(one)}</p>' for one in paragraphs)}</main>"

    fields = {name: FIELDS[name] for name in ("name", "town", "price")}
    wares: list[Any] = [{name: one[name] for name in fields} for one in WARES]
    recipe = learned(listed(wares[:4], wares[4:]), wares, schema(fields))
    found = replay(recipe, open_page(listed(wares[:4], wares[4:7], wares[7:]), URL), schema(fields))
    assert found.holds and found.records == wares
