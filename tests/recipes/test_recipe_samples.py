"""Recipes learned from some records of a long page: from the first ones, and from others farther down (RC-3)."""

from typing import Any

import pytest
from gleaner.contracts.ports import JsonValue
from gleaner.recipes import Example, Recipe, first_stranger, learn, replay
from gleaner.recipes.learning import same_data

URL = "https://board.example/topics"
ITEM = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "author": {"type": "string"}, "views": {"type": "integer"}},
}
SCHEMA: dict[str, Any] = {"type": "array", "items": ITEM}


def topics(count: int = 40) -> list[Any]:
    return [{"title": f"On lantern {n * 37}", "author": f"Ada{n}", "views": n * 79 % 400 + 3} for n in range(count)]


def post(one: dict[str, Any], more: str = "") -> str:
    views = f"<i class=views>{one['views']} views</i>" if one["views"] is not None else ""
    return f"<li class=topic><b class=title>{one['title']}</b> <u class=by>{one['author']}</u> {views}{more}</li>"


def listed(*posts: str) -> str:
    return f"<main><ul>{''.join(posts)}</ul></main>"


def below_headings(records: list[Any]) -> str:
    rows = [f"<li><b>{one['title']}</b> <i>{one['views']} views</i></li>" for one in records]
    halves = ((records[at]["author"], "".join(rows[at : at + 20])) for at in range(0, len(rows), 20))
    return "".join(f"<section><h3>{author}</h3><ul>{inside}</ul></section>" for author, inside in halves)


def learned_from(html: str, first: JsonValue, second: JsonValue = None, schema: Any = SCHEMA) -> Recipe | None:
    if second is None:
        return learn(html, URL, schema, first, is_whole=False, is_first=True)
    earlier = [Example(html, URL, first, is_whole=False, is_first=True)]
    return learn(html, URL, SCHEMA, second, earlier=earlier, is_whole=False)


@pytest.mark.req("RC-3")
def test_what_stands_above_two_parts_of_a_page_is_learned_from_both() -> None:
    records: Any = [{**one, "author": f"Ada{n // 20}"} for n, one in enumerate(topics())]
    html = below_headings(records)
    recipe = learned_from(html, records[:10], records[25:35])
    assert recipe is not None
    read = replay(recipe, html, URL, SCHEMA)
    assert read.holds
    assert same_data(read.data, records)  # type: ignore[arg-type]
    assert learned_from(html, records[:10]) is None


@pytest.mark.req("RC-3")
def test_days_with_one_record_each_do_not_hide_that_others_have_several() -> None:
    item = {"type": "object", "properties": {"title": {"type": "string"}, "day": {"type": "string", "format": "date"}}}
    schema: Any = {"type": "array", "items": item}
    groups = [1] * 12 + [2, 1, 3] * 4
    days = [n for n, count in enumerate(groups) for _ in range(count)]
    records: Any = [
        {"title": f"Oil lantern {at * 37}", "day": f"2021-{1 + day // 25:02}-{1 + day % 25:02}"}
        for at, day in enumerate(days)
    ]

    def group(day: int) -> str:
        rows = "".join(f"<li><b>{one['title']}</b></li>" for one, at in zip(records, days, strict=True) if at == day)
        month = "January" if day < 25 else "February"
        return f"<div class=group><h3>Commits on {month} {1 + day % 25}, 2021</h3><ul>{rows}</ul></div>"

    html = f"<main>{''.join(map(group, range(len(groups))))}</main>"
    earlier = [Example(html, URL, records[:10], is_whole=False, is_first=True)]
    recipe = learn(html, URL, schema, records[12:30], earlier=earlier, is_whole=False)
    assert recipe is not None
    read = replay(recipe, html, URL, schema)
    assert read.holds
    assert same_data(read.data, records)  # type: ignore[arg-type]


@pytest.mark.req("RC-1")
def test_words_that_stand_before_each_value_of_a_rare_field_are_its_label() -> None:
    item = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "opened": {"type": ["string", "null"], "format": "date"}},
    }
    item["properties"]["closed"] = item["properties"]["opened"]  # type: ignore[index]
    schema: Any = {"type": "array", "items": item}
    shut = (5, 26)
    records: Any = [
        {
            "title": f"Lantern {n * 37} Ltd",
            "opened": None if n in shut else f"2021-05-{1 + n % 28:02}",
            "closed": f"2021-06-{1 + n % 28:02}" if n in shut else None,
        }
        for n in range(40)
    ]
    rows = (
        f"<li><b>{one['title']}</b><p><span>{one['title'][8:-4]}</span> - "
        + (f"Opened on <span>{one['opened']}" if one["opened"] else f"Closed on <span>{one['closed']}")
        + "</span></p></li>"
        for one in records
    )
    html = listed(*rows)
    recipe = learned_from(html, records[:30], schema=schema)
    assert recipe is not None
    closed = next(one for one in recipe.fields if one.name == "closed")
    assert [(one.kind, one.value) for one in closed.selectors][:1] == [("label", "Closed on")]


@pytest.mark.req("RC-3")
@pytest.mark.parametrize("above", [{"title": "All boards", "author": "us", "views": None}, topics(50)[-1]])
def test_what_stands_before_the_first_records_is_none(above: dict[str, Any]) -> None:
    records = topics()
    shown = "<li class='topic pinned'>" + post(above).partition(">")[2]
    recipe = learned_from(listed(shown, *map(post, records)), records[:10])
    assert recipe is not None
    read = replay(recipe, listed(shown, *map(post, records)), URL, SCHEMA)
    assert read.holds
    assert same_data(read.data, records)  # type: ignore[arg-type]


@pytest.mark.req("RC-3")
@pytest.mark.parametrize("author", ["", "Ada"])
def test_nothing_is_learned_where_a_record_like_all_others_was_left_out(author: str) -> None:
    records: Any = [{**one, "author": author or one["author"]} for one in topics()]
    html = listed(*map(post, records))
    assert learned_from(html, records[1:11]) is None
    assert learned_from(html, [*records[:4], *records[5:11]]) is None


@pytest.mark.req("RC-3")
def test_the_first_record_unlike_those_known_is_where_a_doubt_is() -> None:
    records = topics()
    recipe = learned_from(listed(*map(post, records)), records[:10])
    assert recipe is not None
    badge = "<em>Sponsored</em>"
    read = replay(recipe, listed(*(post(one, badge * (n == 31)) for n, one in enumerate(records))), URL, SCHEMA)
    assert first_stranger(recipe, read.boxes) == 31
    classed = listed(*map(post, records)).replace("class=topic", "class='topic promo'", 7).replace(" promo", "", 6)
    assert first_stranger(recipe, replay(recipe, classed, URL, SCHEMA).boxes) == 6


@pytest.mark.req("RC-3")
def test_a_class_that_others_beside_the_records_have_is_no_way_to_find_those_of_a_long_page() -> None:
    records = topics()
    texts = (f"<dt class=mb-1>{r['title']}<dd class='by mb-1'>{r['author']}<dd>{r['views']} views" for r in records)
    html = f"<dl>{''.join(texts)}</dl>"
    recipe = learned_from(html, records[:10])
    assert recipe is not None
    read = replay(recipe, html, URL, SCHEMA)
    assert read.holds
    assert same_data(read.data, records)  # type: ignore[arg-type]


@pytest.mark.req("RC-2")
def test_another_field_s_number_is_no_day_where_only_its_type_tells_it() -> None:
    names = ("number", "closed")
    item = {"type": "object", "properties": {"number": {"type": "string"}, "closed": {"type": ["string", "null"]}}}
    item["properties"]["closed"]["format"] = "date"  # type: ignore[index]
    schema: Any = {"type": "array", "items": item}

    def row(n: int, number: str, *, closed: bool) -> str:
        said = "Closed" if closed else "Opened"
        return f"<li class=co><p><span>{number}</span> - {said} on <span>{n + 1} May 2021</span></p></li>"

    known: Any = [
        dict(zip(names, (f"9{n}75{n}67{n}", "2021-05-05" if n == 4 else None), strict=True)) for n in range(1, 9)
    ]
    html = listed(*(row(n, one["number"], closed=n == 4) for n, one in enumerate(known, 1)))
    recipe = learn(html, URL, schema, known)
    assert recipe is not None
    other = [row(1, "52690718", closed=False), *(row(n, f"8{n}75{n}67{n}", closed=n == 2) for n in range(2, 9))]
    read = replay(recipe, listed(*other), URL, schema)
    assert read.doubts or read.records[0] == {"number": "52690718", "closed": None}
