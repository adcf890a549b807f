"""How recipes find fields without classes of their own: by marks, classes around them, places, headings above."""

from collections.abc import Callable
from typing import Any

import pytest
from gleaner.recipes.fields import captions_of
from gleaner.recipes.learning import learn, replay, same_data
from gleaner.recipes.model import RecordSelector
from gleaner.recipes.page.boxes import Box, open_page
from gleaner.recipes.page.record_selectors import boxes_of

Record = dict[str, Any]
Write = Callable[[list[Record], str], str]
URL = "https://shop.example/list"
NAMES = ["Kettle", "Lantern", "Violin", "Router", "Saddle", "Teapot", "Drill", "Blanket", "Compass", "Ledger"]
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "day": {"type": "string"},
            "price": {"type": "number"},
            "before": {"type": ["number", "null"]},
        },
        "required": ["name", "day", "price", "before"],
    },
}


def records_of(page: int) -> Any:
    return [
        {
            "name": f"{name} {at + page}",
            "day": f"{3 + (at // 3)} May {2020 + page}",
            "price": 10.5 + at + page,
            "before": 40.25 + at if (at + page) % 3 == 0 else None,
        }
        for at, name in enumerate(NAMES)
    ]


def data_marks(one: Record, salt: str) -> str:
    old = f"<span data-testid='old-price'>${one['before']}</span>" if one["before"] else ""
    return f"<b>{one['name']}</b><i>{one['day']}</i>{old}<span data-testid='new-price'>${one['price']}</span>"


def build_tool(one: Record, salt: str) -> str:
    old = f"<span class='Card_old__{salt}'>${one['before']}</span>" if one["before"] else ""
    return f"<b>{one['name']}</b><i>{one['day']}</i>{old}<span class='Card_now__{salt}'>${one['price']}</span>"


def classes_around(one: Record, salt: str) -> str:
    old = f"<p class='old'><em><span class='amount'>${one['before']}</span></em></p>" if one["before"] else ""
    new = f"<p class='now'><em><span class='amount'>${one['price']}</span></em></p>"
    return f"<b>{one['name']}</b><i>{one['day']}</i>{old}{new}"


def all_classes(one: Record, salt: str) -> str:
    old = f"<span class='amount struck'>${one['before']}</span>" if one["before"] else ""
    return f"<b>{one['name']}</b><i>{one['day']}</i>{old}<span class='amount'>${one['price']}</span>"


def links(one: Record, salt: str) -> str:
    old = f"<a class='meta' href='/p/{one['name']}/history'>{one['before']}</a>" if one["before"] else ""
    return (
        f"<b>{one['name']}</b><i>{one['day']}</i>{old}<a class='meta' href='/p/{one['name']}/offers'>{one['price']}</a>"
    )


def cards(write: Callable[[Record, str], str]) -> Write:
    return lambda records, salt: (
        "<ul>" + "".join(f"<li class='card'>{write(one, salt)}</li>" for one in records) + "</ul>"
    )


def under_days(records: list[Record], salt: str) -> str:
    """The day stands once, above the records of it."""
    html = ""
    for day in dict.fromkeys(one["day"] for one in records):
        same = [one for one in records if one["day"] == day]
        rows = "".join(
            f"<li><b>{one['name']}</b> <u>{one['price']}</u> <s>{one['before'] or ''}</s></li>" for one in same
        )
        html += f"<h3>{day}</h3><ul>{rows}</ul>"
    return html


def page(body: str) -> str:
    return f"<html><body><h1>Things</h1>{body}<p>The end.</p></body></html>"


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(
    "write", [*map(cards, (data_marks, build_tool, classes_around, all_classes, links)), under_days]
)
def test_fields_without_a_class_of_their_own_are_read_on_the_next_page_and_after_the_next_build(write: Write) -> None:
    recipe = learn(page(write(records_of(1), "3fa91")), URL, SCHEMA, records_of(1))
    assert recipe is not None and recipe.transferable
    read = replay(recipe, page(write(records_of(5), "b07c2")), URL, SCHEMA)
    assert not read.doubts
    assert same_data(read.records, records_of(5))


@pytest.mark.req("RC-2")
def test_a_group_that_has_lost_its_heading_is_not_put_under_the_one_before() -> None:
    recipe = learn(page(under_days(records_of(1), "")), URL, SCHEMA, records_of(1))
    assert recipe is not None
    lost = page(under_days(records_of(5), "").replace("<h3>4 May 2025</h3>", ""))
    assert replay(recipe, lost, URL, SCHEMA).doubts


def citations(records: list[Record], salt: str) -> str:
    """All that is known of a record in one text; the price before stands there for some."""
    each = (
        f"<p class='cite'><b>{one['name']}</b><i>{one['day']}</i> By no. {at}. Asked: {one['price']} marks{was}.</p>"
        for at, one in enumerate(records)
        for was in [f" (once {one['before']})" if one["before"] else ""]
    )
    return "".join(each)


@pytest.mark.req("RC-1", "RC-2")
def test_a_value_inside_a_text_is_read_between_the_words_that_all_texts_have() -> None:
    recipe = learn(page(citations(records_of(1), "")), URL, SCHEMA, records_of(1))
    assert recipe is not None and recipe.transferable
    read = replay(recipe, page(citations(records_of(5), "")), URL, SCHEMA)
    assert not read.doubts and same_data(read.records, records_of(5))
    other_words = page(citations(records_of(5), "").replace("Asked:", "Valued:"))
    assert replay(recipe, other_words, URL, SCHEMA).doubts


def broken_lines(records: list[Record], salt: str) -> str:
    """Paragraphs of lines that only breaks set apart, the last one shorter than the others."""
    lines = [
        f"<b>{one['name']}</b> of {one['day']} ... {one['price']} marks ({one['before'] or '-'} before)"
        for one in records
    ]
    return "".join(f"<p class='list'>{'<br>'.join(lines[at : at + 7])}</p>" for at in range(0, len(lines), 7))


def preformatted(records: list[Record], salt: str) -> str:
    lines = [
        f"<a href='/x'>{one['name']}</a>   [{one['day']}]  {one['price']:>8} {one['before'] or '-'}" for one in records
    ]
    return "<pre>" + "\n".join(lines) + "\n</pre>"


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("write", [broken_lines, preformatted])
def test_a_line_that_no_element_holds_is_a_record(write: Write) -> None:
    recipe = learn(page(write(records_of(1), "")), URL, SCHEMA, records_of(1))
    assert recipe is not None and recipe.transferable
    read = replay(recipe, page(write(records_of(5), "")), URL, SCHEMA)
    assert not read.doubts and same_data(read.records, records_of(5))


@pytest.mark.req("RC-2")
def test_a_month_that_many_days_are_of_is_no_label() -> None:
    rows = [f"<p><b>Filed:</b> April {at + 2}, 2021</p><p>Rooms {at}</p>" for at in range(9)]
    root = open_page(page("".join(f"<div>{row}</div>" for row in rows)))
    captions = captions_of([Box([one]) for one in root.iter("div")], [])
    assert "Rooms" in captions and "April" not in captions


def teams(records: list[Record], home: int) -> str:
    """Cards of two teams each; ``home`` is the place of the one that plays at home."""
    cards = ""
    for one in records:
        sides = [
            f"<li class='side side--{side}'><div class='who'><a>{one[side]['team']}</a></div>"
            f"<div class='sum'>{one[side]['points']}</div></li>"
            for side in ("away", "home")
        ]
        cards += f"<section class='game'><ul>{''.join(sides[::-1] if home == 0 else sides)}</ul></section>"
    return page(cards)


def rows_of_two(records: list[Record], home: int) -> str:
    """Two rows for each game, told apart by the rows' classes."""
    rows = [
        "".join(
            f"<tr class='{side}-row'><td class='who'>{one[side]['team']}</td>"
            f"<td class='sum'>{one[side]['points']}</td></tr>"
            for side in (("home", "away") if home == 0 else ("away", "home"))
        )
        for one in records
    ]
    return page(f"<table>{''.join(rows)}</table>")


def games_of(number: int) -> Any:
    return [
        {
            "home": {"team": f"{name} {number + at}", "points": 60 + 3 * at + number},
            "away": {"team": f"{NAMES[-at - 1]}s {number + at}", "points": 90 - 2 * at},
        }
        for at, name in enumerate(NAMES)
    ]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("write", [teams, rows_of_two])
def test_two_sides_of_a_game_are_told_apart_by_the_class_of_what_is_around_them(
    write: Callable[[list[Record], int], str],
) -> None:
    side = {"type": "object", "properties": {"team": {"type": "string"}, "points": {"type": "integer"}}}
    schema = {"type": "array", "items": {"type": "object", "properties": {"home": side, "away": side}}}
    recipe = learn(write(games_of(1), 1), URL, schema, games_of(1))
    assert recipe is not None and recipe.transferable
    read = replay(recipe, write(games_of(5), 1), URL, schema)
    assert not read.doubts and same_data(read.records, games_of(5))
    turned = replay(recipe, write(games_of(5), 0), URL, schema)
    assert turned.doubts or same_data(turned.records, games_of(5))


@pytest.mark.req("RC-1", "RC-2")
def test_the_ends_of_a_range_are_numbers_with_blanks_between_words_of_which_one_may_lack() -> None:
    def pay(one: Record) -> str:
        named = [(word, one[name]) for word, name in (("from", "low"), ("to", "high")) if one[name]]
        ends = [f"{word} {number:,}".replace(",", "\u202f") for word, number in named]
        return f"{' '.join(ends)} $ a month" if ends else ""

    def write(records: list[Record]) -> str:
        return page(
            "".join(f"<div class='job'><b>{one['name']}</b><p class='pay'>{pay(one)}</p></div>" for one in records)
        )

    def jobs(number: int) -> Any:
        lows = [None if at % 4 == 3 else (number + at) * 9_000 for at in range(len(NAMES))]
        return [
            {"name": f"{name} {number}", "low": low, "high": 120_000 + at * 1_000 if low and at % 2 else None}
            for at, (name, low) in enumerate(zip(NAMES, lows, strict=True))
        ]

    whole = {"type": ["integer", "null"]}
    schema = {
        "type": "array",
        "items": {"type": "object", "properties": {"name": {"type": "string"}, "low": whole, "high": whole}},
    }
    recipe = learn(write(jobs(2)), URL, schema, jobs(2))
    assert recipe is not None and recipe.transferable
    assert same_data(replay(recipe, write(jobs(5)), URL, schema).records, jobs(5))
    other_words = write(jobs(5)).replace("from", "at least")
    read = replay(recipe, other_words, URL, schema)
    assert read.doubts


@pytest.mark.req("RC-2")
def test_a_day_with_two_entries_is_not_read_as_one() -> None:
    """Where each day had one entry, the first of two must not stand for both, though they are of like stages."""

    def write(records: list[Record]) -> str:
        days: dict[str, str] = {}
        for one in records:
            days[one["day"]] = days.get(one["day"], "") + (
                f"<dd><a href='/bills'>{one['title']}</a> <span class='stage'>{one['stage']}</span></dd>"
            )
        return page(f"<dl>{''.join(f'<dt>{day}</dt>{entries}' for day, entries in days.items())}</dl>")

    def bills(number: int, *, is_double: bool = False) -> Any:
        days = [3 if is_double and at == 3 else at + 1 for at in range(len(NAMES))]
        return [
            {
                "day": f"{day} May {2010 + number}",
                "title": f"{name} Act {number}",
                "stage": ["First", "Second"][at // 5],
            }
            for at, (day, name) in enumerate(zip(days, NAMES, strict=True))
        ]

    text = {"type": "string"}
    schema = {
        "type": "array",
        "items": {"type": "object", "properties": {"day": text, "title": text, "stage": text}},
    }
    recipe = learn(write(bills(1)), URL, schema, bills(1))
    assert recipe is not None
    assert same_data(replay(recipe, write(bills(3)), URL, schema).records, bills(3))
    assert replay(recipe, write(bills(4, is_double=True)), URL, schema).doubts


@pytest.mark.req("RC-1", "RC-2")
def test_a_run_below_a_heading_ends_before_the_heading_of_the_next_group() -> None:
    def write(records: list[Record]) -> str:
        parts: list[str] = []
        for at, one in enumerate(records):
            title = "" if at and records[at - 1]["day"] == one["day"] else f"<h3>{one['day']}</h3>"
            parts.append(f"{title}<h4>{one['name']}</h4><p class='pay'>{one['price']}</p>")
        return page("".join(parts))

    root = open_page(write(records_of(1)))
    selector = RecordSelector(kind="run", by="path", tag="h4", value="html/body/h4")
    ends = [[str(element.tag) for element in box.elements] for box in boxes_of(root, selector)]
    assert ends[:-1] == [["h4", "p"]] * 9


def beneath_headings(records: list[Any], *, noted: int = -1, without: int = -1) -> str:
    """Paragraphs below headings, nothing around a record; a note or a missing text is in one of them."""

    def one(at: int, record: Any) -> str:
        closed = f"<p><strong>Closed until {record['closed']}.</strong></p>" if record["closed"] else ""
        note = "<p>Bring a lamp.</p>" if at == noted else ""
        said = "" if at == without else f"<p>{record['text']}</p>"
        head = f"<h3>{record['name']}</h3><p><em>{record['km']} km</em></p>"
        return f"{head}{closed}{note}{said}<p>Dogs: {record['dogs']}</p>"

    return f"<main>{''.join(one(*each) for each in enumerate(records))}<p>Stay on the paths.</p></main>"


TRAILS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {name: {"type": ["string", "null"]} for name in ("name", "text", "dogs")},
    },
}
for _name, _type in {"km": "number", "closed": ["string", "null"]}.items():
    TRAILS["items"]["properties"][_name] = {"type": _type}  # type: ignore[index]


def trails(page: int) -> list[Any]:
    return [
        {
            "name": f"{name} Way {at + page}",
            "text": f"It goes past {at + 3} {name.lower()}s and back over the hill {page}.",
            "dogs": "yes" if at % 2 else "no",
            "km": at * 3 + page + 0.5,
            "closed": f"{at + 1} May 2026" if at % 4 == page % 4 else None,
        }
        for at, name in enumerate(NAMES)
    ]


@pytest.mark.req("RC-1", "RC-2")
def test_a_paragraph_is_known_by_what_it_is_made_of() -> None:
    recipe = learn(beneath_headings(trails(1)), URL, TRAILS, trails(1))
    assert recipe is not None
    assert recipe.transferable
    read = replay(recipe, beneath_headings(trails(2)), URL, TRAILS)
    assert not read.doubts
    assert same_data(read.data, trails(2))  # type: ignore[arg-type]
    for html in (beneath_headings(trails(3), noted=9), beneath_headings(trails(3), noted=4)):
        assert replay(recipe, html, URL, TRAILS).doubts
    for at in (4, 9):
        assert replay(recipe, beneath_headings(trails(3), without=at), URL, TRAILS).doubts


def with_badges(records: list[Any], inside: str = "", *, is_named: bool = True) -> str:
    """Titles with a badge behind some of them; one has something else inside."""
    badge = " <span class=hot>Hot</span>" if is_named else " <b>Hot</b>"
    titles = [f"Show HN: {one['name']}{badge * (at % 3 == 0)}" for at, one in enumerate(records)]
    titles[4] += inside
    return "".join(
        f"<article><h2>{title}</h2><p>{one['km']} km</p></article>" for title, one in zip(titles, records, strict=True)
    )


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize("is_named", [True, False])
def test_a_title_before_a_badge_is_read_without_it_and_never_in_part(is_named: bool) -> None:
    properties = {"name": {"type": "string"}, "km": {"type": "number"}}
    schema = {"type": "array", "items": {"type": "object", "properties": properties}}

    def known(page: int) -> Any:
        return [{"name": f"Show HN: {one['name']}", "km": one["km"]} for one in trails(page)]

    recipe = learn(with_badges(trails(1), is_named=is_named), URL, schema, known(1))
    assert recipe is not None
    read = replay(recipe, with_badges(trails(2), is_named=is_named), URL, schema)
    assert not read.doubts
    assert same_data(read.data, known(2))
    for inside in (" <em>and back</em>", " <em>and</em> back", " <b>and back</b>"):
        assert replay(recipe, with_badges(trails(2), inside, is_named=is_named), URL, schema).doubts
