"""Recipes: learned from proven records, replayed under checks, and refused when the layout is another."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.ports import Item, JsonValue
from gleaner.recipes import KeptExample, Recipe, RecipeBook, learn, replay
from gleaner.recipes.book import LARGEST_EXAMPLE, MOST_EXAMPLES
from gleaner.recipes.learning import same_data
from gleaner.recipes.page.record_selectors import is_hashed, is_telling_class
from gleaner.testing.pages import KINDS, LIST_KINDS, MUTATIONS, make_layout, mutate_layout, render_page

URL = "https://shop.example/list"
FIELDS: dict[str, Any] = {"name": {"type": "string"}, "price": {"type": ["number", "null"]}}
PEOPLE = ["Ada", "Bea", "Cai", "Dov", "Eli", "Fay", "Gus", "Hal", "Ivo", "Jan"]


def array_of(**fields: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": fields}}


LISTING = array_of(**FIELDS)


def learned(html: str, schema: Any, data: JsonValue) -> Recipe:
    recipe = learn(html, URL, schema, data)
    assert recipe is not None
    return recipe


def page(body: str) -> str:
    return f"<html><head><title>t</title></head><body><main>{body}</main></body></html>"


def cards(rows: Sequence[tuple[str, str]], inner: str) -> str:
    return page("".join(f"<div class='card'>{inner.format(name=name, price=price)}</div>" for name, price in rows))


ROWS = [(name, f"{7 * number + 3}.50") for number, name in enumerate(PEOPLE)]
OTHERS = [(f"{name}bert", f"{5 * number + 4}.25") for number, name in enumerate(PEOPLE)]


def records(rows: Sequence[tuple[str, str]]) -> list[JsonValue]:
    return [{"name": name, "price": float(price)} for name, price in rows]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(
    "inner",
    [
        "<h3>{name}</h3><span class='price'>${price}</span>",
        "<b class='who'>{name}</b><p>Price: ${price}</p>",
        "<a href='/x' title='{name}'>more</a><span data-price='{price}'>see inside</span>",
        "<h3>{name}</h3><meta itemprop='price' content='{price}'>",
        "<h3>{name}</h3><dl><dt>Price</dt><dd>{price} €</dd></dl>",
        "<h3>{name}</h3><span class='css-4f2a91'>now only ${price} each</span>",
        "<p>{name} – ${price}</p>",
        "<h3><em>{name}</em></h3><p>Old or <i>new</i></p><p>about ${price} or so</p>",
    ],
)
def test_a_value_is_found_wherever_a_card_keeps_it(inner: str) -> None:
    recipe = learned(cards(ROWS, inner), LISTING, records(ROWS))
    answer = replay(recipe, cards(OTHERS, inner), URL, LISTING)
    assert answer.doubts == ()
    assert answer.data == records(OTHERS)


@pytest.mark.req("RC-1")
def test_a_recipe_that_can_not_give_the_records_again_is_not_made() -> None:
    html = cards(ROWS, "<h3>{name}</h3><span class='price'>${price}</span>")
    wrong = records(ROWS)
    wrong[4] = {"name": "Eli", "price": 1.0}
    assert learn(html, URL, LISTING, wrong) is None
    assert learn(html, URL, LISTING, records(OTHERS)) is None
    assert learn(html, URL, LISTING, []) is None


@pytest.mark.req("RC-1")
def test_a_recipe_is_plain_data_that_survives_json() -> None:
    layout = make_layout(11, "cards")
    first, second = render_page(layout, 12), render_page(layout, 12, data=1)
    recipe = learned(first.html, first.schema, first.truth)
    again = Recipe.model_validate_json(recipe.model_dump_json(exclude_defaults=True))
    assert again == recipe
    assert replay(again, second.html, second.url, second.schema).data == second.truth


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return page(f"<table><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr>{cells}</table>")


PRICED = array_of(name={"type": "string"}, price={"type": "number"}, before={"type": "number"})


@pytest.mark.req("RC-2")
def test_columns_that_change_places_with_their_headers_are_still_read_right() -> None:
    rows = [(name, f"{price}", f"{float(price) + 2}") for name, price in ROWS]
    data: JsonValue = [{"name": n, "price": float(p), "before": float(b)} for n, p, b in rows]
    recipe = learned(table(["Name", "Price", "Before"], rows), PRICED, data)
    swapped = table(["Name", "Before", "Price"], [(n, b, p) for n, p, b in rows])
    answer = replay(recipe, swapped, URL, PRICED)
    assert not answer.holds or answer.data == data


@pytest.mark.req("RC-2")
def test_columns_that_change_places_under_the_same_headers_are_noticed() -> None:
    rows = [(name, f"{price}", f"{float(price) + 2}") for name, price in ROWS]
    data: JsonValue = [{"name": n, "price": float(p), "before": float(b)} for n, p, b in rows]
    recipe = learned(table(["Name", "Price", "Before"], rows), PRICED, data)
    swapped = table(["Name", "Price", "Before"], [(n, b, p) for n, p, b in rows])
    assert not replay(recipe, swapped, URL, PRICED).holds


@pytest.mark.req("RC-2")
def test_two_texts_that_only_their_place_tells_apart_make_no_recipe_for_other_pages() -> None:
    schema = array_of(seller={"type": "string"}, buyer={"type": "string"})
    rows = [(f"{name} Alpha{number}", f"{name} Beta{number}") for number, name in enumerate(PEOPLE)]
    html = page("".join(f"<div><span>{a}</span><span>{b}</span></div>" for a, b in rows))
    recipe = learned(html, schema, [{"seller": a, "buyer": b} for a, b in rows])
    assert not recipe.transferable


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(page("<p>We have moved.</p>"), id="no records"),
        pytest.param(cards(ROWS, "<h3>{name}</h3>"), id="field gone"),
        pytest.param(cards(ROWS, "<h3>{name}</h3><span class='price'>on request</span>"), id="other type"),
        pytest.param(cards(ROWS, "<h3>{name}</h3><span class='price'>{price} kg</span>"), id="other unit"),
        pytest.param(cards(ROWS, "<h3>{name}</h3><span class='price'>$9{price}0000</span>"), id="other size"),
        pytest.param(cards(ROWS, "<h3>{name}</h3><span class='cost'>from ${price}</span>"), id="other class"),
        pytest.param(
            cards(ROWS, "<h3>{name}</h3><span class='price'>$99.00</span><span class='price'>${price}</span>"),
            id="two in place of one",
        ),
        pytest.param(
            page("".join(f"<div class='card'><h3>{n}</h3><span class='{'price' if i % 2 else 'sale'}'>${p}</span></div>"
                         for i, (n, p) in enumerate(ROWS))),
            id="some in another class",
        ),
    ],
)  # fmt: skip
def test_a_page_of_another_layout_is_doubted(changed: str) -> None:
    recipe = learned(cards(ROWS, "<h3>{name}</h3><span class='price'>${price}</span>"), LISTING, records(ROWS))
    assert replay(recipe, changed, URL, LISTING).doubts


def is_right(answer: JsonValue, truth: JsonValue) -> bool:
    if isinstance(answer, list) and isinstance(truth, list):
        return len(answer) == len(truth) and all(map(same_data, answer, truth))
    return same_data(answer, truth)


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("kind", LIST_KINDS)
def test_the_next_pages_of_a_layout_are_read_right(kind: Any) -> None:
    served = made = 0
    for seed in range(60, 64):
        layout = make_layout(seed, kind)
        first = render_page(layout, 20)
        recipe = learn(first.html, first.url, first.schema, first.truth)
        if recipe is None:
            continue
        for data in (1, 2):
            made += 1
            after = render_page(layout, 17, data=data)
            answer = replay(recipe, after.html, after.url, after.schema)
            assert not answer.holds or is_right(answer.data, after.truth)
            served += answer.holds
    assert made >= 6
    assert served >= made - 2


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_no_change_of_a_layout_makes_a_recipe_serve_wrong_data(kind: Any, mutation: Any) -> None:
    for seed in (31, 32):
        layout = make_layout(seed, kind, links=kind in LIST_KINDS and seed == 32)
        first, after = render_page(layout, 15), render_page(mutate_layout(layout, mutation), 15, data=1)
        recipe = learn(first.html, first.url, first.schema, first.truth)
        if recipe is not None and recipe.transferable:
            answer = replay(recipe, after.html, after.url, after.schema)
            assert not answer.holds or is_right(answer.data, after.truth)


@pytest.mark.req("RC-1")
def test_advertisements_headers_and_totals_are_no_records() -> None:
    card = "<div class='card'><h3>{name}</h3><span class='price'>${price}</span></div>"
    ad = "<div class='card'><em>Advertisement</em><a href='/ad'>Buy socks</a></div>"
    whole = "".join(card.format(name=name, price=price) for name, price in ROWS)
    recipe = learned(page(whole), LISTING, records(ROWS))
    mixed = ad.join(card.format(name=name, price=price) for name, price in OTHERS)
    answer = replay(recipe, page(mixed), URL, LISTING)
    assert answer.doubts == ()
    assert answer.data == records(OTHERS)


@pytest.mark.req("RC-1")
def test_hidden_rows_are_not_read() -> None:
    inner = "<h3>{name}</h3><span class='price'>${price}</span>"
    recipe = learned(cards(ROWS, inner), LISTING, records(ROWS))
    trap = "<div class='card' hidden><h3>Trap</h3><span class='price'>$1.00</span></div></main>"
    answer = replay(recipe, cards(OTHERS, inner).replace("</main>", trap), URL, LISTING)
    assert answer.data == records(OTHERS)


@pytest.mark.req("RC-1")
def test_records_inside_an_object_come_with_what_stands_around_them() -> None:
    schema = {
        "type": "object",
        "properties": {"shop": {"type": "string"}, "items": LISTING},
    }
    body = "<h1>{shop}</h1>" + "".join(f"<p class='card'><b>{name}</b> ${price}</p>" for name, price in ROWS)
    recipe = learned(page(body.format(shop="North")), schema, {"shop": "North", "items": records(ROWS)})
    answer = replay(recipe, page(body.format(shop="South")), URL, schema)
    assert answer.doubts == ()
    assert answer.data == {"shop": "South", "items": records(ROWS)}


@pytest.mark.req("RC-1")
def test_a_page_about_one_thing_is_read_by_its_labels() -> None:
    body = "<h1>{name}</h1><table><tr><th>Price</th><td>${price}</td></tr><tr><th>Colour</th><td>red</td></tr></table>"
    schema = {"type": "object", "properties": FIELDS}
    recipe = learned(page(body.format(name="Lamp", price="12.50")), schema, {"name": "Lamp", "price": 12.5})
    answer = replay(recipe, page(body.format(name="Sofa", price="99.00")), URL, schema)
    assert answer.doubts == ()
    assert answer.data == {"name": "Sofa", "price": 99.0}


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("name", "hashed", "telling"),
    [("price", False, True), ("css-3fa91c", True, False), ("sc-9a8b", True, False), ("mt-2", False, False),
     ("product-card__title", False, True), ("text-gray-700", False, False)],
)  # fmt: skip
def test_class_names_that_say_nothing_are_known(name: str, hashed: bool, telling: bool) -> None:
    assert (is_hashed(name), is_telling_class(name)) == (hashed, telling)


def some_recipe(name: str = "price") -> Recipe:
    inner = f"<h3>{{name}}</h3><span class='{name}'>${{price}}</span>"
    return learned(cards(ROWS, inner), LISTING, records(ROWS))


@pytest.mark.req("RC-1", "RC-2")
def test_the_book_keeps_versions_and_counts_what_became_of_them() -> None:
    book = RecipeBook(tenant="one")
    first, second = book.save("ex_a", some_recipe()), book.save("ex_a", some_recipe("cost"))
    assert (first, second) == (1, 2)
    assert book.save("ex_a", some_recipe()) == 1
    book.record("ex_a", 1, hit=True)
    book.record("ex_a", 1, hit=False)
    book.record("ex_a", 2, hit=False)
    history = book.history("ex_a")
    assert history == {"hits": 1, "misses": 2, "repairs": 1, "learned": 2, "versions": [1, 2]}
    assert [kept.version for kept in book.recipes("ex_a")] == [1, 2]
    assert book.recipes("ex_a")[0].recipe == some_recipe()


@pytest.mark.req("RC-1")
def test_the_book_forgets_the_worst_of_too_many_and_numbers_are_not_used_twice() -> None:
    book = RecipeBook()
    for number in range(8):
        book.save("ex_a", some_recipe(f"price{'abcdefgh'[number]}"))
    assert [kept.version for kept in book.recipes("ex_a")] == [8, 7, 6, 5, 4]
    assert book.delete("ex_a")
    assert not book.delete("ex_a")
    assert book.recipes("ex_a") == []


@pytest.mark.req("RC-1")
def test_the_book_loses_nothing_to_another_writer_and_reads_no_recipe_of_another_make(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = MemoryTable()
    book = RecipeBook(table)
    book.save("ex_a", some_recipe())
    book.save("ex_b", some_recipe("cost"))
    assert [kept.recipe for kept in book.recipes("ex_a")] == [some_recipe()]
    data: dict[str, Any] = {"recipe": some_recipe("title").model_dump(mode="json")}
    table.put(Item("RECIPE#default#ex_a", "0002", data))
    monkeypatch.setattr(book, "_items", lambda _: [])  # the look of one who came before that was written
    assert book.save("ex_a", some_recipe("cost")) == 3
    monkeypatch.undo()
    assert {kept.version for kept in book.recipes("ex_a")} == {1, 2, 3}
    table.put(Item("RECIPE#default#ex_a", "0003", {"recipe": {**data["recipe"], "format": 0}}))
    assert {kept.version for kept in book.recipes("ex_a")} == {1, 2}

    def read_and_overtaken(pk: str, sk: str) -> Item | None:
        monkeypatch.undo()
        item = table.get(pk, sk)
        table.put(Item(pk, sk, data))
        return item

    monkeypatch.setattr(table, "get", read_and_overtaken)
    assert not book.replace("ex_a", 1, some_recipe("cost"))


@pytest.mark.req("RC-2")
def test_a_use_that_is_told_again_is_counted_once() -> None:
    book = RecipeBook()
    version = book.save("ex_a", some_recipe())
    for use in ("job-1", "job-1", "job-2", "job-2", "job-1"):
        book.record("ex_a", version, hit=use == "job-1", use=use)
    history = book.history("ex_a")
    assert (history["hits"], history["misses"]) == (1, 1)


@pytest.mark.req("RC-1")
def test_the_book_keeps_the_last_pages_that_a_model_read_and_why_nothing_was_learned() -> None:
    book = RecipeBook(tenant="one")
    last = MOST_EXAMPLES + 1
    for number in range(last + 1):
        book.remember("ex_a", KeptExample(f"page{number}", URL, [{"n": number}], is_whole=number != last))
    book.remember("ex_a", KeptExample("large", URL, "x" * (LARGEST_EXAMPLE + 1)))
    kept = book.examples("ex_a")
    assert [one.page_id for one in kept] == [f"page{number}" for number in range(2, last + 1)]
    assert kept[-1] == KeptExample(f"page{last}", URL, [{"n": last}], is_whole=False)
    book.note("ex_a", "not_learned", "two fields look alike")
    assert book.history("ex_a")["not_learned"] == "two fields look alike"
    book.save("ex_a", some_recipe())
    assert book.delete("ex_a")
    assert book.examples("ex_a") == []
    assert "not_learned" not in book.history("ex_a")


@pytest.mark.req("AU-1", "RC-1")
def test_tenants_do_not_see_each_others_recipes() -> None:
    book = RecipeBook(tenant="one")
    book.save("ex_a", some_recipe())
    other = RecipeBook(book._table, tenant="two")  # pyright: ignore[reportPrivateUsage]
    assert other.recipes("ex_a") == []
    book.remember("ex_a", KeptExample("page", URL, []))
    assert other.examples("ex_a") == []


def as_items(tags: Sequence[str]) -> str:
    return "<ul class='tags'>" + "".join(f"<li>{tag}</li>" for tag in tags) + "</ul>"


def as_links(tags: Sequence[str]) -> str:
    return "".join(f"<a class='tag' href='/t'>{tag}</a> " for tag in tags)


def as_labelled_text(tags: Sequence[str]) -> str:
    return f"<p>Tags: {', '.join(tags)}</p>" if tags else ""


def as_text(tags: Sequence[str]) -> str:
    return f"<p class='tags'>{' / '.join(tags)}</p>"


def tagged(rows: Sequence[tuple[str, str]], write: Callable[[Sequence[str]], str]) -> tuple[str, list[JsonValue]]:
    pool = ["new", "red", "soft", "round"]
    chosen = [pool[: number % 4] for number in range(len(rows))]
    pairs = list(zip(rows, chosen, strict=True))
    body = "".join(f"<div class='card'><h3>{name}</h3>{write(given)}</div>" for (name, _), given in pairs)
    return page(body), [{"name": name, "tags": [*given]} for (name, _), given in pairs]


TAGGED = array_of(name={"type": "string"}, tags={"type": "array", "items": {"type": "string"}})


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("write", [as_items, as_links, as_labelled_text, as_text])
def test_a_list_inside_a_record_is_read_whole(write: Callable[[Sequence[str]], str]) -> None:
    html, data = tagged(ROWS, write)
    after, truth = tagged(OTHERS[::-1], write)
    recipe = learned(html, TAGGED, data)
    answer = replay(recipe, after, URL, TAGGED)
    assert answer.doubts == ()
    assert answer.data == truth
    renamed = replay(recipe, after.replace("tag", "pill").replace("Tag", "Pill"), URL, TAGGED)
    assert not renamed.holds or renamed.data == truth


@pytest.mark.req("RC-2")
def test_an_enumeration_where_lists_had_one_item_is_not_taken_for_one() -> None:
    def fact_sheets(*tongues: str) -> str:
        pairs = zip(PEOPLE, tongues, strict=False)
        return page("".join(f"<div class=card><h3>{name}</h3><p class=tongues>{one}</p></div>" for name, one in pairs))

    schema = array_of(name={"type": "string"}, languages={"type": "array", "items": {"type": "string"}})
    data: list[JsonValue] = [
        {"name": name, "languages": [one]} for name, one in zip(PEOPLE, ("Dutch", "Thai", "Malay"), strict=False)
    ]
    recipe = learned(fact_sheets("Dutch", "Thai", "Malay"), schema, data)
    assert replay(recipe, fact_sheets("Thai", "Thai", "Dutch"), URL, schema).holds
    assert not replay(recipe, fact_sheets("Thai", "Thai, Malay", "Dutch"), URL, schema).holds


@pytest.mark.req("RC-2")
def test_a_numbering_is_not_taken_for_numbers_and_their_sum() -> None:
    def places(*names: str) -> str:
        return page("".join(f"<li><b>{at}</b> <i>{name}</i></li>" for at, name in enumerate(names, start=1)))

    schema = array_of(place={"type": "integer"}, name={"type": "string"})
    data: list[JsonValue] = [{"place": at, "name": name} for at, name in enumerate(PEOPLE, start=1)]
    recipe = learned(places(*PEOPLE), schema, data)
    assert replay(recipe, places("Kim", "Lev", "Mia"), URL, schema).holds
