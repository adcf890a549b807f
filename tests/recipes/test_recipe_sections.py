"""What stands above a value is its section only if it is no name; and lists of one item grow."""

from typing import Any

import pytest
from gleaner.recipes import Example, Recipe, learn, replay
from gleaner.recipes.learning import same_data

URL = "https://library.example/{}"
Data = dict[str, Any]
LIST = {"type": "array", "items": {"type": "string"}}
SCHEMA: Data = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("title", "author", "publisher")} | {"subjects": LIST},
}


def book(title: str, author: str, publisher: str, *subjects: str) -> Data:
    return {"title": title, "author": author, "publisher": publisher, "subjects": [*subjects]}


def page(one: Data, *, subjects: str = "", above: str = "") -> str:
    items = "".join(f"<li>{subject}</li>" for subject in one["subjects"])
    rows = {"Author": one["author"], "Publisher": one["publisher"], "Subjects": subjects or f"<ul>{items}</ul>"}
    table = "".join(f"<tr><th>{label}</th><td>{said}</td></tr>" for label, said in rows.items())
    return f"<main><h3>{one['title']}</h3>{above}<table>{table}</table></main>"


KNOWN = book("Quiet Harbors", "Ada Maple", "Elm Press", "Harbors")
OTHER = book("Loud Mills", "Bo Fir", "Oak House", "Mills", "Noise")


def recipe_of(*pages: tuple[str, Data]) -> Recipe:
    examples = [Example(html, URL.format(number), data) for number, (html, data) in enumerate(pages)]
    *earlier, last = examples
    recipe = learn(last.html, last.url, SCHEMA, last.data, earlier=earlier)
    assert recipe is not None
    return recipe


@pytest.mark.req("RC-2")
def test_a_heading_that_says_the_things_name_is_no_section() -> None:
    other = book("Loud Mills", "Bo Fir", "Oak House", "Mills")
    read = replay(recipe_of((page(KNOWN), KNOWN)), page(other), URL.format(1), SCHEMA)
    assert not read.doubts
    assert same_data(read.data, other)


@pytest.mark.req("RC-2")
def test_a_heading_that_recurs_is_a_section_and_another_one_is_doubted() -> None:
    second = book("Loud Mills", "Bo Fir", "Oak House", "Mills")
    known = [(page(one, above="<h4>This book</h4>"), one) for one in (KNOWN, second)]
    third = book("Old Roads", "Cy Ash", "Ivy Books", "Roads")
    assert not replay(recipe_of(*known), page(third, above="<h4>This book</h4>"), URL.format(2), SCHEMA).doubts
    assert replay(recipe_of(*known), page(third, above="<h4>Read next</h4>"), URL.format(2), SCHEMA).doubts


@pytest.mark.req("RC-2")
def test_headings_that_are_others_on_each_page_are_no_sections() -> None:
    second = book("Loud Mills", "Bo Fir", "Oak House", "Mills")
    third = book("Old Roads", "Cy Ash", "Ivy Books", "Roads")
    known = [(page(KNOWN, above="<h4>By the sea</h4>"), KNOWN), (page(second, above="<h4>In the valley</h4>"), second)]
    read = replay(recipe_of(*known), page(third, above="<h4>Over the hills</h4>"), URL.format(2), SCHEMA)
    assert not read.doubts
    assert same_data(read.data, third)


@pytest.mark.req("RC-3")
def test_a_list_of_one_item_may_have_several_on_the_next_page_and_one_again() -> None:
    recipe = recipe_of((page(KNOWN), KNOWN))
    several = replay(recipe, page(OTHER), URL.format(1), SCHEMA)
    assert not several.doubts
    assert same_data(several.data, OTHER)
    learned = recipe_of((page(OTHER), OTHER))
    assert not replay(learned, page(KNOWN), URL.format(2), SCHEMA).doubts


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    "subjects", ["<ul>Water <li>Mills</li><li>Noise</li></ul>", "<ul><li>Mills</li></ul>Noise", "Mills<br>Noise"]
)
def test_what_a_list_says_beside_its_items_is_doubted(subjects: str) -> None:
    assert replay(recipe_of((page(KNOWN), KNOWN)), page(OTHER, subjects=subjects), URL.format(1), SCHEMA).doubts
