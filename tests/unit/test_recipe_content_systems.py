"""Layouts as content systems write them: terms among the classes, links before values, two dates in one table row."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.recipes import learn, replay

URL = "https://blog.example/list"
TITLES = ["Larch", "Maple", "Nutmeg", "Olive", "Poplar", "Quince"]
TEXT = {"type": "string"}
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {"type": "object", "properties": {"title": TEXT, "date": TEXT}, "required": ["title", "date"]},
}
Record = dict[str, str]


def records(page: int) -> list[Record]:
    return [{"title": f"{title} {page}", "date": f"{at + 1} May 20{10 + page}"} for at, title in enumerate(TITLES)]


def posts(page: int, terms: Sequence[str], counts: str = "No comments") -> str:
    """Write each record as a post of WordPress, filed under one of the terms, with a link before its date."""
    written = [
        f"<article class='post-{page}{at} post hentry {terms[at % len(terms)]}'><h2>{one['title']}</h2>"
        f"<p><a href='#c'>{counts}</a> <span class='updated'>{one['date']}</span></p></article>"
        for at, one in enumerate(records(page))
    ]
    return f"<main>{''.join(written)}</main>"


def topics(page: int, *, turned: bool = False) -> str:
    """Write each record as a row of a forum: who wrote first and when, who last and when."""
    heads = ["Topic", "Last post", "Begun"] if turned else ["Topic", "Begun", "Last post"]
    rows = []
    for at, one in enumerate(records(page)):
        begun = f"<td><a href='#u'>Ada {at}</a><span>{at + 1} April 2009</span></td>"
        last = f"<td><a href='#u'>Bo {at}</a><span>{one['date']}</span></td>"
        rows.append(f"<tr><td>{one['title']}</td>{last + begun if turned else begun + last}</tr>")
    return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{''.join(rows)}</table>"


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("term", ["category-travel", "tag-walks", "product_cat-jugs", "post_type-note"])
def test_a_new_term_is_no_new_kind_of_record(term: str) -> None:
    recipe = learn(posts(1, ["category-news"]), URL, SCHEMA, records(1))
    assert recipe is not None
    read = replay(recipe, posts(2, ["category-news", term]), URL, SCHEMA)
    assert read.doubts == () and read.data == records(2)


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("term", ["tag-sponsored", "category-advertorial", "card-promo"])
def test_a_term_that_says_advertisement_is_a_new_kind_of_record(term: str) -> None:
    recipe = learn(posts(1, ["category-news"]), URL, SCHEMA, records(1))
    assert recipe is not None
    assert not replay(recipe, posts(2, ["category-news", term]), URL, SCHEMA).holds


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("counts", ["3 comments", "$49.99"])
def test_a_link_or_figure_before_a_value_is_not_its_label(counts: str) -> None:
    for first, then in ((counts, "No comments"), ("No comments", counts)):
        recipe = learn(posts(1, ["a"], first), URL, SCHEMA, records(1))
        assert recipe is not None
        read = replay(recipe, posts(2, ["a"], then), URL, SCHEMA)
        assert read.doubts == () and read.data == records(2)


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("more", [" <s>3 May 1999</s>", "<b> (moved)</b>"])
def test_a_second_text_in_the_element_of_a_value_is_noticed(more: str) -> None:
    recipe = learn(posts(1, ["a"]), URL, SCHEMA, records(1))
    assert recipe is not None
    one = "<span class='updated'>3 May 2012"
    assert replay(recipe, posts(2, ["a"]), URL, SCHEMA).holds
    read = replay(recipe, posts(2, ["a"]).replace(one, f"{one}{more}"), URL, SCHEMA)
    assert any("says several texts now" in doubt for doubt in read.doubts) or not read.holds


@pytest.mark.req("RC-1", "RC-2")
def test_a_part_of_a_cell_is_known_by_the_head_of_its_column() -> None:
    recipe = learn(topics(1), URL, SCHEMA, records(1))
    assert recipe is not None and recipe.transferable
    for page, turned in ((2, False), (3, True)):
        read = replay(recipe, topics(page, turned=turned), URL, SCHEMA)
        assert read.data == records(page) if read.holds else turned
