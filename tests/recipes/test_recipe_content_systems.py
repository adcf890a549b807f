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


def products(page: int, sign: str) -> tuple[str, Any]:
    """Write prices as a shop system does: on sale the old one struck out before the new one, in one element."""
    wanted: Any = [
        {"title": f"{title} {page}", "price": 9.5 + at * 3 + page, "was": 50.25 + at if at % 3 == 0 else None}
        for at, title in enumerate(TITLES)
    ]
    amount = "<span class=amount><bdi>{:.2f}&nbsp;{}</bdi></span>"
    rows = (
        f"<li class=product><h2>{one['title']}</h2><span class=price>"
        + (f"<del>{amount.format(one['was'], sign)}</del> <ins>" if one["was"] else "")
        + f"{amount.format(one['price'], sign)}</span></li>"
        for one in wanted
    )
    return f"<main><ul>{''.join(rows)}</ul></main>", wanted


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("sign", ["€", "zł"])
def test_a_price_is_what_is_not_struck_out_in_its_element(sign: str) -> None:
    kinds: Any = {"title": TEXT, "price": {"type": "number"}, "was": {"type": ["number", "null"]}}
    schema = {"type": "array", "items": {"type": "object", "properties": kinds, "required": [*kinds]}}
    html, wanted = products(1, sign)
    recipe = learn(html, URL, schema, wanted)
    assert recipe is not None
    other, expected = products(4, sign)
    read = replay(recipe, other, URL, schema)
    assert (read.doubts, read.records) == ((), expected)


@pytest.mark.req("RC-1")
def test_a_day_behind_a_sign_that_all_days_have_is_read() -> None:
    def page(first: int) -> tuple[str, Any]:
        days: Any = [
            {"title": f"{title} {first}", "date": f"2021-05-{at + first:02}"} for at, title in enumerate(TITLES)
        ]
        days[2]["date"] = None
        said = [f"<time>@May {int(one['date'][-2:])}, 2021</time>" if one["date"] else "" for one in days]
        rows = (f"<tr><td>{one['title']}</td><td>{day}</td></tr>" for one, day in zip(days, said, strict=True))
        return f"<table>{''.join(rows)}</table>", days

    kinds: Any = {"title": TEXT, "date": {"type": ["string", "null"], "format": "date"}}
    schema = {"type": "array", "items": {"type": "object", "properties": kinds, "required": [*kinds]}}
    html, wanted = page(3)
    recipe = learn(html, URL, schema, wanted)
    assert recipe is not None
    other, expected = page(11)
    assert replay(recipe, other, URL, schema).records == expected
