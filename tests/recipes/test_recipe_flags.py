"""Flags, and values in several places, of pages about one thing: what one page can tell, and what must be doubted."""

from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, replay
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.selectors.columns import Wanted, fit_column
from gleaner.recipes.selectors.cuts import fixed_cuts
from gleaner.recipes.selectors.readers import Reader
from gleaner.recipes.texts.decoding import UNREAD

URL = "https://crafts.example/item/1"
TYPES: dict[str, Any] = {
    "name": "string",
    "price": "number",
    "handmade": "boolean",
    "stock": "boolean",
    "beds": "integer",
    "sku": ["string", "null"],
    "tags": "array",
}


def schema_of(*names: str) -> dict[str, Any]:
    properties = {name: {"type": TYPES[name]} for name in names}
    return {"type": "object", "properties": properties, "required": [*names]}


def page(inner: str, name: str = "Larch bowl") -> str:
    return f"<html><body><main><h1 data-is-title='true'>{name}</h1>{inner}</main></body></html>"


def learned(schema: dict[str, Any], *pages: tuple[str, dict[str, Any]]) -> Recipe | None:
    *earlier, (html, data) = pages
    return learn(html, URL, schema, data, earlier=[Example(one, URL, known) for one, known in earlier])


@pytest.mark.req("RC-1", "RC-2")
def test_a_flag_is_what_the_text_of_its_name_says_and_no_attribute_that_is_always_true() -> None:
    schema = schema_of("name", "handmade", "price")
    html = page("<p class='price'>$12.50</p><ul><li>Handmade</li><li>Oak</li></ul>")
    recipe = learned(schema, (html, {"name": "Larch bowl", "handmade": True, "price": 12.5}))
    assert recipe is not None
    other = replay(recipe, page("<p class='price'>$8.10</p><ul><li>Oak</li></ul>", "Fir mug"), URL, schema)
    assert other.holds
    assert other.data == {"name": "Fir mug", "handmade": False, "price": 8.1}
    assert not replay(recipe, html.replace("Handmade", "Made by hand"), URL, schema).holds


@pytest.mark.req("RC-2")
def test_a_flag_that_was_never_true_is_doubted_where_a_text_says_its_name() -> None:
    schema = schema_of("name", "handmade", "price")
    pages = [
        (
            page(f"<p class='price'>${n}.50</p><ul><li>{n} years old</li></ul>", f"Bowl {'ABC'[n]}"),
            {"name": f"Bowl {'ABC'[n]}", "handmade": False, "price": n + 0.5},
        )
        for n in (1, 2)
    ]
    recipe = learned(schema, *pages)
    assert recipe is not None
    assert replay(recipe, pages[0][0].replace("1 years", "7 years"), URL, schema).holds
    assert not replay(recipe, pages[0][0].replace("1 years old", "Handmade"), URL, schema).holds


@pytest.mark.req("RC-1", "RC-2")
def test_numbers_in_the_words_of_a_flag_may_be_others_but_not_none() -> None:
    schema = schema_of("name", "stock", "price")
    html = page("<p class='price'>$12.50</p><p class='stock'>12 in stock</p>")
    recipe = learned(schema, (html, {"name": "Larch bowl", "stock": True, "price": 12.5}))
    assert recipe is not None
    assert replay(recipe, html.replace("12 in", "1,300 in"), URL, schema).holds
    assert not replay(recipe, html.replace("12 in", "0 in"), URL, schema).holds


@pytest.mark.req("RC-1")
def test_small_numbers_that_happen_to_agree_on_two_pages_name_no_place() -> None:
    schema = schema_of("name", "beds")
    pages = [
        (page(f"<div class='size'>{n}</div><ul><li>{n}</li><li>9</li></ul>", name), {"name": name, "beds": n})
        for n, name in ((2, "Fir loft"), (1, "Oak loft"))
    ]
    recipe = learned(schema, *pages)
    assert recipe is None or all(one.selectors[0].value != "size" for one in recipe.fields if one.steps == ("beds",))


@pytest.mark.req("RC-1", "RC-2")
def test_a_value_that_stands_in_another_place_on_some_pages_is_read_in_both() -> None:
    schema = schema_of("name", "price", "sku")
    alone = page("<p class='now'>$12.50</p><p class='sku'>A-1</p>", "Oak bowl")
    reduced = page("<p class='was'>$20.00</p><p class='sale'>$8.10</p><p class='sku'>A-2</p>", "Fir bowl")
    data = [{"name": "Oak bowl", "price": 12.5, "sku": "A-1"}, {"name": "Fir bowl", "price": 8.1, "sku": "A-2"}]
    recipe = learned(schema, (alone, data[0]), (reduced, data[1]))
    assert recipe is not None
    for html, name in ((alone, "Elm cup"), (reduced, "Ash cup")):
        read = replay(recipe, html.replace("Oak bowl", name).replace("Fir bowl", name), URL, schema)
        assert read.holds
        assert read.data == {**data[html is reduced], "name": name}
    assert not replay(recipe, alone.replace("</main>", "<p class='sale'>$3.00</p></main>"), URL, schema).holds


@pytest.mark.req("RC-1")
def test_words_around_a_value_hold_no_item_of_another_fields_list() -> None:
    schema = schema_of("name", "tags", "price")
    inner = "<nav class='way'>Home / {} / {}</nav><p class='price'>$12.50</p><p class='tags'><a>{}</a></p>"
    html = page(inner.format("Clay", "Larch bowl", "Clay"))
    recipe = learned(schema, (html, {"name": "Larch bowl", "tags": ["Clay"], "price": 12.5}))
    assert recipe is not None
    other = replay(recipe, page(inner.format("Wool", "Fir rug", "Wool"), "Fir rug"), URL, schema)
    assert other.holds
    assert other.data == {"name": "Fir rug", "tags": ["Wool"], "price": 12.5}


@pytest.mark.req("RC-2")
def test_headings_that_lead_to_other_pages_and_labels_within_a_value_are_no_news() -> None:
    schema = schema_of("name", "price", "sku")
    more = "<section><a href='/{0}'><h3>{0}</h3></a></section>"
    html = page(f"<p class='price'>$12.50</p>{more.format('Elm cup')}", "Show: a bowl")
    recipe = learned(schema, (html, {"name": "Show: a bowl", "price": 12.5, "sku": None}))
    assert recipe is not None
    other = page(f"<p class='price'>$9.00</p>{more.format('Ash tray')}", "Play: a mug")
    assert replay(recipe, other, URL, schema).holds
    assert not replay(recipe, other.replace("</main>", "<h3>SKU</h3></main>"), URL, schema).holds


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("label", ["<dt>Handmade</dt><dd>{}</dd>", "<b>Handmade</b> <i>{}</i>", "<p>Handmade: {}</p>"])
def test_the_label_of_a_flag_is_not_the_flag(label: str) -> None:
    schema = schema_of("name", "handmade", "price")
    html = page(f"<p class='price'>$12.50</p><div>{label.format('Yes')}</div>")
    recipe = learned(schema, (html, {"name": "Larch bowl", "handmade": True, "price": 12.5}))
    answer = replay(recipe, html.replace("Yes", "No"), URL, schema) if recipe else None
    assert answer is None or not answer.holds or answer.data["handmade"] is False  # type: ignore[index, call-overload]


@pytest.mark.req("RC-2")
def test_the_text_that_says_a_flag_is_no_more_than_that() -> None:
    schema = schema_of("name", "handmade", "price")
    inner = "<div><b>{}</b><i>{}</i></div><p class='price'>${}.50</p>"
    data = [{"name": f"Bowl {name}", "handmade": name == "B", "price": n + 0.5} for n, name in enumerate("ABC")]
    pages = [
        (page(inner.format(f"Town {one['name']}", "Handmade" if one["handmade"] else "Cast", n), str(one["name"])), one)
        for n, one in enumerate(data)
    ]
    recipe = learned(schema, *pages)
    assert recipe is not None
    other = page(inner.format("Town D", "Handmade", 7), "Bowl D")
    assert replay(recipe, other, URL, schema).data == {"name": "Bowl D", "handmade": True, "price": 7.5}


@pytest.mark.req("RC-1", "RC-2")
def test_the_button_of_a_shop_says_whether_a_thing_is_in_stock_once_pages_have_said_both() -> None:
    schema = schema_of("name", "stock", "price")
    html = page("<p class='price'>$12.50</p><form><button name='add'>Add to cart</button></form>")
    gone = html.replace("Add to cart", "Sold out").replace("Larch", "Oak")
    known = (html, {"name": "Larch bowl", "stock": True, "price": 12.5})
    assert learned(schema, known) is None
    recipe = learned(schema, known, (gone, {"name": "Oak bowl", "stock": False, "price": 12.5}))
    assert recipe is not None
    assert replay(recipe, html.replace("Larch", "Fir"), URL, schema).data["stock"] is True  # type: ignore[index, call-overload]
    assert not replay(recipe, html.replace("Add to cart", "Notify me"), URL, schema).holds


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    "inner", ["<dl><dt>Codes</dt><dd>{0}<br>{1}</dd></dl>", "<p><b>Codes:</b> {0}; {1}.</p>", "<p>Codes: {0}, {1}.</p>"]
)
def test_lists_in_lines_and_lists_that_end_like_a_sentence_are_read_from_one_page(inner: str) -> None:
    schema = schema_of("name", "tags", "price")
    html = page(f"<p class='price'>$12.50</p>{inner.format('A17', 'B4')}")
    recipe = learned(schema, (html, {"name": "Larch bowl", "tags": ["A17", "B4"], "price": 12.5}))
    assert recipe is not None
    other = replay(recipe, html.replace("A17", "C5").replace("B4", "D91"), URL, schema)
    assert other.holds
    assert other.data == {"name": "Larch bowl", "tags": ["C5", "D91"], "price": 12.5}


@pytest.mark.req("RC-2")
def test_prose_that_begins_like_a_label_is_no_news_where_all_of_it_does() -> None:
    schema = schema_of("name", "price", "sku")
    rows = "<table><tr><td class='said'>{}</td></tr></table><p class='price'>$12.50</p>"
    data = {"price": 12.5, "sku": None}
    said = {"Oak cup": "The old harbor: a history", "Fir cup": "Why bells ring: some reasons"}
    pages = [(page(rows.format(text), name), {"name": name, **data}) for name, text in said.items()]
    recipe = learned(schema, *pages)
    assert recipe is not None
    assert replay(recipe, page(rows.format("How to sail: a plan"), "Elm cup"), URL, schema).holds


@pytest.mark.req("RC-1")
def test_a_box_of_several_blocks_does_not_say_a_flag() -> None:
    schema = schema_of("name", "stock", "price")
    inner = "<p class='price'>${0}.50</p><div class='stock-box'><p class='stock'>In stock</p><p>Code {0}-{1}</p></div>"
    html = page(inner.format(12, "AB"))
    recipe = learned(schema, (html, {"name": "Larch bowl", "stock": True, "price": 12.5}))
    assert recipe is not None
    assert replay(recipe, page(inner.format(9, "XY")), URL, schema).data["stock"] is True  # type: ignore[index, call-overload]


@pytest.mark.req("RC-2")
def test_the_name_of_the_site_says_no_flag_that_shares_a_word_with_it() -> None:
    schema = schema_of("name", "price", "handmade")

    def shop(name: str, price: str, mark: str) -> str:
        frame = "<header><a class=logo href='/'>Handmade Goods</a></header>"
        inner = f"<p class=marks>{mark}</p><p class=price>{price}</p>"
        return page(inner, name).replace("<main>", f"{frame}<main>")

    mark = "<b class=mark>Handmade</b>"
    known = [("Bowl", 12.5), ("Mug", 8.1)]
    pages = [(shop(name, f"${at}", mark), {"name": name, "price": at, "handmade": True}) for name, at in known]
    recipe = learned(schema, *pages)
    assert recipe is not None
    other = replay(recipe, shop("Jug", "$9.30", ""), URL, schema)
    assert not other.holds or other.data == {"name": "Jug", "price": 9.3, "handmade": False}
    assert replay(recipe, shop("Jug", "$9.30", mark), URL, schema).holds


@pytest.mark.req("RC-1", "RC-2")
def test_items_of_a_list_are_read_without_the_badge_behind_each() -> None:
    schema = schema_of("name", "tags")
    gone = "<span class='hidden-note'>sold out</span>"

    def shop(name: str, *sizes: str, badge: str = gone) -> str:
        labels = "".join(f"<input type=radio><label for=o{at}>{size}{badge}</label>" for at, size in enumerate(sizes))
        return page(f"<fieldset><legend>Size</legend>{labels}</fieldset>", name)

    first, second = ("XL", "M", "S"), ("S", "M")
    pages = [(shop(str(sizes), *sizes), {"name": str(sizes), "tags": [*sizes]}) for sizes in (first, second)]
    recipe = learned(schema, *pages)
    assert recipe is not None
    read = replay(recipe, shop("Jug", "XXL", "XS"), URL, schema)
    assert (read.data, read.doubts) == ({"name": "Jug", "tags": ["XXL", "XS"]}, ())
    assert not replay(recipe, shop("Jug", "XXL", badge="<b class=new>New</b>"), URL, schema).holds


@pytest.mark.req("RC-1", "RC-2")
def test_a_price_where_the_flags_name_may_stand_denies_it_whatever_it_is() -> None:
    wanted = Wanted(("free_entry",), {"type": "boolean"}, [False, True, False])
    texts = ["€ 60,50", "Free entry", "€ 7,00"]
    made = fit_column(FieldSelector(kind="class", value="entry"), texts, wanted, URL, fixed_cuts)
    assert made is not None
    read = Reader(made).decoded
    assert [read[text] for text in ("€ 12,50", "Free entry", "€ 0,00")] == [False, True, UNREAD]


@pytest.mark.req("RC-1", "RC-2")
def test_a_flag_behind_another_label_is_told_by_its_two_answers_and_doubted_at_a_third() -> None:
    def item(status: str, name: str, number: int) -> str:
        main = f"<h1>{name}</h1><p class='price'>${number}.50</p><div><strong>State:</strong> {status}</div>"
        return f"<html><body><main>{main}</main></body></html>"

    schema = schema_of("name", "handmade", "price")
    by_hand = item("Handmade", "Larch bowl", 12), {"name": "Larch bowl", "handmade": True, "price": 12.5}
    by_machine = item("Made in series", "Fir mug", 8), {"name": "Fir mug", "handmade": False, "price": 8.5}
    recipe = learned(schema, by_hand, by_machine)
    assert recipe is not None
    for status, told in (("Handmade", True), ("Made in series", False)):
        read = replay(recipe, item(status, "Ash cup", 9), URL, schema)
        assert read.holds
        assert read.data == {"name": "Ash cup", "handmade": told, "price": 9.5}
    assert not replay(recipe, item("Made to order", "Ash cup", 9), URL, schema).holds


@pytest.mark.req("RC-1", "RC-2")
def test_a_heading_with_a_word_of_a_flags_name_says_nothing_of_one_that_never_was_true() -> None:
    schema = schema_of("name", "handmade")
    told = "<h2>About handmade things</h2><p>We ask each maker how it was made, and write down what we are told.</p>"
    recipe = learned(schema, (page(told), {"name": "Larch bowl", "handmade": False}))
    other = page("<p class='mark'>All handmade</p>" + told, "Fir mug")
    assert recipe is None or not replay(recipe, other, URL, schema).holds
