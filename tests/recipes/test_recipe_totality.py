"""Learning and replaying never fail: whatever page, schema and data they are given, they answer or give nothing."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Example, Recipe, learn, refine, replay
from hypothesis import example, given
from hypothesis import strategies as st

URL = "https://shop.example/list?page=1"
TAGS = [
    "div",
    "p",
    "span",
    "a",
    "li",
    "ul",
    "table",
    "tr",
    "td",
    "th",
    "h1",
    "foo:bar",
    "x{y",
    "dl",
    "dt",
    "dd",
    "br",
    "svg",
]
NAMES = [
    "class",
    "id",
    "href",
    "src",
    "data-x",
    "content",
    "itemprop",
    "style",
    "title",
    "rowspan",
    "aria-label",
    "x:y",
]
WORDS = [
    "Larch jug",
    "$5.00",
    "5",
    "Price: 7",
    "By Ada, 3 May 2024",
    "In stock",
    "http://[",
    "//",
    "a b",
    "–",
    "9" * 400,
]
VALUES = st.sampled_from([*WORDS, "", " ", "x" * 90, "card css-1a2b3c", "\x00", "ß", "١٢"])

texts = VALUES | st.text(max_size=12)
attributes = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3)


def element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def written(tag: str, named: dict[str, str], parts: list[str]) -> str:
        marks = "".join(f' {name}="{value}"' for name, value in named.items())
        return f"<{tag}{marks}>{''.join(parts)}</{tag}>"

    return st.builds(written, st.sampled_from(TAGS), attributes, st.lists(inner, max_size=4))


markup = st.recursive(texts, element, max_leaves=12)


def times(part: str, count: int) -> str:
    return part * count


repeated = st.builds(times, markup, st.integers(1, 4))
pages = st.lists(repeated, max_size=4).map("".join)
scalars = (
    texts | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none() | st.sampled_from([10**400, 5, 7])
)
values = st.recursive(scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=3), v, max_size=3))
records = st.dictionaries(st.sampled_from(["name", "price", "tags", "made"]), values, max_size=4)
TYPES: list[Any] = [
    *(True, {}, {"type": "string"}, {"type": ["number", "null"]}, {"type": "integer"}, {"type": "boolean"}),
    *({"type": "array", "items": {"type": "string"}}, {"type": "string", "format": "date"}, {"type": "object"}),
]
items = st.dictionaries(st.sampled_from(["name", "price", "tags", "made"]), st.sampled_from(TYPES), max_size=4).map(
    lambda properties: {"type": "object", "properties": properties}
)


def gone_through(schema: Any, data: Sequence[Any], html: Sequence[str]) -> Recipe | None:
    """Learn from the first page, then from both, replay and refine on both."""
    first = learn(html[0], URL, schema, data[0])
    both = learn(html[1], URL, schema, data[1], earlier=[Example(html[0], URL, data[0], is_whole=False)])
    for recipe in filter(None, (first, both)):
        stored = Recipe.model_validate_json(json.dumps(recipe.model_dump(mode="json", exclude_defaults=True)))
        for page, known in zip(html, data, strict=True):
            replay(stored, page, URL, schema)
            refine(stored, page, URL, known)
    return first or both


@pytest.mark.req("RC-1", "RC-2")
@given(items, st.lists(records, max_size=4), st.lists(records, max_size=4), pages, pages)
def test_any_listing_can_be_learned_from(item: Any, one: Any, other: Any, first: str, second: str) -> None:
    gone_through({"type": "array", "items": item}, (one, other), (first, second))
    around = {"type": "object", "properties": {"shop": {"type": "string"}, "rows": {"type": "array", "items": item}}}
    gone_through(around, ({"shop": "a b", "rows": one}, {"rows": other}), (first, second))


@pytest.mark.req("RC-1", "RC-2")
@given(items, records, records, pages, pages)
@example({"properties": {"name": {}}}, {"name": "Larch"}, {"name": "jug"}, "", '<div class=" ">Larch</div>')
@example({"properties": {"name": {}}}, {"name": "jug"}, {"name": "Larch"}, "", '<div class=" ">Larch</div>')
@example({"properties": {}}, {}, {"name": [""]}, "", "")
@example({"properties": {}}, {}, {"name": "Ash"}, "", "<p class='group/a'>Ash</p><p class='group/a'>Ash</p>")
def test_any_page_about_one_thing_can_be_learned_from(item: Any, one: Any, other: Any, first: str, second: str) -> None:
    gone_through(item, (one, other), (first, second))


@pytest.mark.req("RC-1", "RC-2")
@given(st.data())
def test_pages_that_state_their_data_can_be_learned_from(data: st.DataObject) -> None:
    stated = [data.draw(st.lists(st.tuples(texts, scalars), min_size=2, max_size=4)) for _ in range(2)]
    form = data.draw(element(st.sampled_from(["{0}", "{1}", "Price: {1}", "<i title='{1}'>{0}</i>", "By {0}, {1}"])))
    form = form if form.count("{") == form.count("}") and "x{y" not in form else "<p>{0}</p>{1}"
    html = ["<body>" + "".join(form.format(*pair) for pair in pairs) for pairs in stated]
    found: list[JsonValue] = [[{"name": name, "price": price} for name, price in pairs] for pairs in stated]
    item = {"type": "object", "properties": {"name": {"type": "string"}, "price": data.draw(st.sampled_from(TYPES))}}
    gone_through({"type": "array", "items": item}, found, html)


@pytest.mark.req("RC-1")
def test_deep_markup_can_be_learned_from() -> None:
    rows = "".join("<div>" * 90 + f"<b>Jug {n}</b><i>{n}.5</i>" + "</div>" * 90 for n in range(4))
    schema = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    jugs: list[JsonValue] = [{"name": f"Jug {n}"} for n in range(4)]
    gone_through(schema, (jugs, jugs), ("<p>" * 400 + rows, rows * 2))
