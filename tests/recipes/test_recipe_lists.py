"""Lists of objects inside records are learned and replayed like the records themselves, and never served short."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, refine, replay
from gleaner.recipes.description import in_words
from gleaner.recipes.learning import same_data
from gleaner.testing.pages.nests import NESTED, NestedLayout, NestedPage
from lxml import etree, html

BROKEN_BY_CHANCE = {"specs and reviews"}
"""Two numbers of stars may add up to the third, like a total: such a page is left to the model."""


def learned(layout: NestedLayout, first: int = 0, count: int = 1) -> Recipe:
    pages = [layout.page(first + number) for number in range(count)]
    recipe = learn_from(*pages)
    assert recipe is not None
    assert recipe.transferable
    return recipe


def learn_from(*pages: NestedPage) -> Recipe | None:
    earlier = [Example(page.html, page.url, page.truth) for page in pages[:-1]]
    return learn(pages[-1].html, pages[-1].url, pages[-1].schema, pages[-1].truth, earlier=earlier)


def doubts_of(recipe: Recipe, page: NestedPage) -> Sequence[str]:
    """Give why a page is refused; what is served must be right."""
    answer = replay(recipe, page.html, page.url, page.schema)
    assert answer.doubts or same_data(answer.data, page.truth), answer.data
    return answer.doubts


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("name", sorted(NESTED))
def test_lists_of_objects_are_read_on_other_pages_as_on_the_first(name: str) -> None:
    layout = NESTED[name]
    for first in (0, 100):
        recipe = learned(layout, first)
        refused = [doubts_of(recipe, layout.page(first + number)) for number in range(1, 9)]
        assert sum(map(bool, refused)) <= (2 if name in BROKEN_BY_CHANCE else 0), refused


@pytest.mark.req("RC-1")
def test_lists_inside_lists_are_learned_by_the_same_means() -> None:
    recipe = learned(NESTED["showings in cinemas"])
    cinemas = recipe.lists[0]
    assert [one.steps for one in recipe.lists] == [("cinemas",)]
    assert [one.steps for one in cinemas.items.lists] == [("showings",)]
    assert cinemas.items.lists[0].items.lists == []


@pytest.mark.req("RC-1")
def test_a_recipe_with_lists_is_plain_data() -> None:
    recipe = learned(NESTED["showings in cinemas"])
    again = Recipe.model_validate_json(recipe.model_dump_json(exclude_defaults=True))
    assert again == recipe
    page = NESTED["showings in cinemas"].page(5)
    assert same_data(replay(again, page.html, page.url, page.schema).data, page.truth)


@pytest.mark.req("RC-1", "RC-4")
def test_a_person_reads_how_the_items_of_a_list_are_found() -> None:
    words = in_words(learned(NESTED["variants in lists"]))
    fields = words["fields"]
    assert isinstance(fields, dict)
    assert fields["variants"] == [
        "a list: in each record, each li of class variant; each li at div/ul/li",
    ]
    assert fields["variants[].size"] == ["the span in the li of class variant", "the span", "the element at span:0"]


def once(old: str, new: str) -> Callable[[str], str]:
    def change(html: str) -> str:
        assert old in html
        head, _, tail = html.partition("</article>" if "</article>" in html else "<main>")
        return head + (_ or "") + tail.replace(old, new, 1)

    return change


def everywhere(old: str, new: str) -> Callable[[str], str]:
    def change(html: str) -> str:
        assert old in html
        return html.replace(old, new)

    return change


OLD_LIST = (
    "<ul class='variants'><li class='variant'><span class='size'>Old</span> <b class='price'>£1.50</b>"
    " <i class='stock'>Sold out</i></li></ul>"
)
LIST = "variants in lists"
SLOTS = "time slots"

LEFT_OUT: dict[str, tuple[str, Callable[[str], str]]] = {
    "an item of another class": (LIST, once("<li class='variant'>", "<li class='choice'>")),
    "an item of another tag": (SLOTS, once("<div class='slot'>", "<section class='slot'>")),
    "an item in one more wrapper": (SLOTS, once("<div class='slot'>", "<div><div class='slot'>")),
    "an item whose price can't be read": (LIST, once("<b class='price'>£", "<b class='price'>ask us £")),
    "an item without its price": (LIST, once("<b class='price'>£", "<b class='was'>£")),
    "an advertisement among the items": (
        LIST,
        once("<li class='variant'>", "<li>Win a lamp!</li><li class='variant'>"),
    ),
    "a strange text beside the items": (LIST, once("<ul class='variants'>", "<p>Also XXL £5</p><ul class='variants'>")),
    "more items of the class in a second list": (
        LIST,
        once("</ul></div>", "</ul>" + OLD_LIST + "</div>"),
    ),
    "prices of another size": (LIST, everywhere("<b class='price'>£", "<b class='price'>£99999")),
    "all items of another class and tag": (SLOTS, everywhere("<div class='slot'>", "<p class='gap'>")),
    "two columns with the other's contents": (
        SLOTS,
        lambda html: html.replace("<time>", "<x>").replace("class='left'>", "class='left'>at "),
    ),
}


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("change", sorted(LEFT_OUT))
def test_an_item_that_is_not_read_makes_the_page_doubtful(change: str) -> None:
    name, mutate = LEFT_OUT[change]
    recipe = learned(NESTED[name])
    for number in (3, 4, 5):
        page = NESTED[name].page(number, change=mutate)
        assert replay(recipe, page.html, page.url, page.schema).doubts, change


@pytest.mark.req("RC-2")
def test_renamed_classes_of_items_are_read_by_the_other_selectors_or_refused() -> None:
    recipe = learned(NESTED[LIST])
    for renamed in ("css-3fa91c", "choice"):
        doubts_of(recipe, NESTED[LIST].page(3, change=everywhere("class='variant'", f"class='{renamed}'")))
        assert not doubts_of(recipe, NESTED[LIST].page(3, change=everywhere("class='stock'", f"class='{renamed}'")))
    page = NESTED[LIST].page(3, change=lambda html: html.replace("variant", "choice").replace("<li ", "<p "))
    assert doubts_of(recipe, page)


def swapped(html: str) -> str:
    """Exchange the first two columns of each table, heads included."""
    pair = re.compile(r"<(t[hd])>([^<]*)</t[hd]><t[hd]>([^<]*)</t[hd]>")
    return pair.sub(lambda found: f"<{found[1]}>{found[3]}</{found[1]}><{found[1]}>{found[2]}</{found[1]}>", html)


@pytest.mark.req("RC-2")
def test_swapped_columns_of_inner_tables_are_noticed_or_read_by_their_heads() -> None:
    with_heads, without = NESTED["variants in tables"], NESTED["variants in rows"]
    doubts_of(learned(with_heads), with_heads.page(3, change=swapped))
    assert doubts_of(learned(without), without.page(3, change=swapped))


@pytest.mark.req("RC-2")
def test_a_list_that_is_empty_where_texts_remain_is_doubtful() -> None:
    recipe = learned(NESTED["ingredients in lists"])
    emptied = everywhere("<li>", "<div>")
    page = NESTED["ingredients in lists"].page(3, change=emptied)
    assert replay(recipe, page.html, page.url, page.schema).doubts


@pytest.mark.req("RC-2")
def test_a_total_below_the_items_is_known_by_its_look_and_another_row_is_not() -> None:
    layout = NESTED["order lines"]
    recipe = learned(layout)
    assert not doubts_of(recipe, layout.page(3))
    page = layout.page(3, change=everywhere("class='total'", "class='gift'"))
    assert doubts_of(recipe, page)


@pytest.mark.req("RC-1")
def test_one_page_is_enough_for_lists_whose_place_has_a_name() -> None:
    layout = NESTED["one profile"]
    recipe = learned(layout)
    assert [one.steps for one in recipe.outer_lists] == [("publications",)]
    bare = [layout.page(number, change=unnamed) for number in (0, 1)]
    assert learn_from(bare[0]) is None
    assert learn_from(*bare) is not None


def unnamed(html: str) -> str:
    bare = html.replace(" class='works'", "").replace("<h2>Publications</h2>", "")
    return bare.replace("<main>", "<main><section>").replace("</main>", "</section></main>")


@pytest.mark.req("RC-2")
def test_a_single_page_without_items_goes_to_the_model() -> None:
    layout = NESTED["one profile"]
    recipe = learned(layout)
    page = layout.page(
        3,
        change=lambda html: html.replace("<ul class='works'>", "<ul class='works'><!--").replace(
            "</ul></main>", "--></ul></main>"
        ),
    )
    assert replay(recipe, page.html, page.url, page.schema).doubts


@pytest.mark.req("RC-1")
def test_records_with_one_item_at_most_do_not_show_how_far_an_item_reaches() -> None:
    layout = NESTED[LIST]
    page = layout.page(0)
    few: list[Any] = [{**one, "variants": one["variants"][:1]} for one in page.records]
    single = NestedPage(layout.whole(few), page.url, page.schema, few)
    assert learn_from(single) is None


@pytest.mark.req("RC-1")
def test_items_that_only_their_places_tell_apart_are_good_for_their_page_alone() -> None:
    rows: list[Any] = [
        {"name": f"Jug {n}", "parts": [{"a": f"x{n}{m}", "b": f"y{m}{n}"} for m in range(2)]} for n in range(6)
    ]
    text = {"type": "string"}
    part = {"type": "object", "properties": {"a": text, "b": text}}
    schema: dict[str, Any] = {
        "type": "array",
        "items": {"type": "object", "properties": {"name": text, "parts": {"type": "array", "items": part}}},
    }

    def shown(one: dict[str, Any]) -> str:
        items = "".join(f"<li><span>{part['a']}</span><span>{part['b']}</span></li>" for part in one["parts"])
        return f"<div class='card'><h3>{one['name']}</h3><ul>{items}</ul></div>"

    html = f"<html><body><main>{''.join(map(shown, rows))}</main></body></html>"
    recipe = learn(html, "https://shop.example/a", schema, rows)
    assert recipe is not None
    assert not recipe.transferable


@pytest.mark.req("RC-2")
def test_a_record_of_another_tag_is_not_passed_over() -> None:
    layout = NESTED["specs and reviews"]
    recipe = learned(layout)

    def retagged(page: str) -> str:
        head, start, tail = page.partition("<div class='review'>")
        return head + start.replace("div", "section") + tail.replace("</div>", "</section>", 1)

    page = layout.page(3, change=retagged)
    assert replay(recipe, page.html, page.url, page.schema).doubts


@pytest.mark.req("RC-2")
def test_a_page_that_was_read_right_widens_the_figures_of_the_items() -> None:
    layout = NESTED["ingredients in lists"]
    recipe = learned(layout)
    page = layout.page(1)
    better = refine(recipe, page.html, page.url, page.truth)
    assert better is not None
    counts = [one.lists[0].figures.count for one in (recipe, better)]
    items = [one.lists[0].items.fields[0].figures.count for one in (recipe, better)]
    assert counts[1] == 2 * counts[0]
    assert items[1] > items[0]


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("name", sorted(NESTED))
def test_a_page_with_one_element_taken_out_is_never_read_as_if_it_were_whole(name: str) -> None:
    layout = NESTED[name]
    recipe = learned(layout)
    draw = random.Random(name)
    for number in range(3, 9):
        page = layout.page(number)
        tree: Any = html.document_fromstring(page.html)
        inner = [node for node in tree.iterfind(".//main//*") if node.tag in ("li", "tr", "dd", "td", "span", "time")]
        chosen = draw.choice(inner)
        for node in chosen.iter():
            node.tag = "q"
        broken = NestedPage(etree.tostring(tree, encoding="unicode", method="html"), page.url, page.schema, page.truth)
        answer = replay(recipe, broken.html, broken.url, broken.schema)
        assert answer.doubts or same_data(answer.data, page.truth) or lost(answer.data, page.truth)


def lost(data: Any, truth: Any) -> bool:
    """Tell whether a record is missing as a whole: that, the count of the page's units notices."""
    return isinstance(data, list) and isinstance(truth, list) and len(data) < len(truth)


def sums_in_bold(draw: random.Random, head: str) -> NestedPage:
    """Give a table of sums, each in bold above the rows that it is the sum of, below heads of columns or none."""
    parts = [{"part": f"part {draw.randint(100, 999)}", "cost": draw.randint(10, 99)} for _ in range(12)]
    sums: list[Any] = [{"name": f"Sum {at}", "total": draw.randint(100, 999), "parts": parts[at::4]} for at in range(4)]

    def shown(one: dict[str, Any]) -> str:
        rows = "".join(f"<tr class='part'><td>{each['part']}</td><td>{each['cost']}</td></tr>" for each in one["parts"])
        return f"<tr class='sum'><td><b>{one['name']}</b></td><td><b>{one['total']}</b></td></tr>{rows}"

    table = f"<table>{head}{''.join(map(shown, sums))}</table>"
    part = {"type": "object", "properties": {"part": {"type": "string"}, "cost": {"type": "integer"}}}
    fields = {"name": {"type": "string"}, "total": {"type": "integer"}, "parts": {"type": "array", "items": part}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    return NestedPage(f"<html><body><main>{table}</main></body></html>", "https://sums.example/", schema, [*sums])


@pytest.mark.req("RC-1")
def test_rows_in_bold_below_heads_of_columns_are_records_and_without_heads_no_reason_to_fail() -> None:
    draw = random.Random(8)
    head = "<tr><th>Name</th><th>Cost</th></tr>"
    recipe = learn_from(sums_in_bold(draw, head))
    assert recipe is not None
    assert not doubts_of(recipe, sums_in_bold(draw, head))
    assert learn_from(sums_in_bold(draw, "")) is None
