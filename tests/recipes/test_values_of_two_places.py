"""Values of which a row states a part and what stands over it the rest; records that no element of the page holds."""

from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.wrappers import Example, Recipe, learn_from, replay

from tests.support.schemas import INTEGER, MAYBE_NUMBER, NUMBER, TEXT, records_of

URL = "https://quay.example/list"
DAY = {"type": "string", "format": "date"}
Rows = list[tuple[str, str]]


def learned(html: str, data: list[Any], **fields: Any) -> Recipe:
    made = learn_from([Example(open_page(html, URL), data)], records_of(**fields))
    assert made.recipe is not None, made.reason
    again = replay(made.recipe, open_page(html, URL), records_of(**fields))
    assert (again.records, again.doubts, dict(again.unread)) == (data, (), {})
    return made.recipe


def meetings(heading: str, rows: Rows) -> str:
    cells = "".join(f"<tr><td>{day}</td><td>{name}</td></tr>" for day, name in rows)
    return f"<main><h1>{heading}</h1><table><tr><th>Date</th><th>Name</th></tr>{cells}</table></main>"


def archive(**months: Rows) -> str:
    lists = (
        f"<h2>{month.replace('_', ' ')}</h2><ul>"
        + "".join(f"<li><span>{day}</span> <a>{name}</a></li>" for day, name in rows)
        + "</ul>"
        for month, rows in months.items()
    )
    return f"<main><h1>Archive</h1>{''.join(lists)}</main>"


def sailings(heading: str, days: dict[str, Rows]) -> str:
    lists = (
        f"<h3>{day}</h3><ul>{''.join(f'<li><b>{time}</b> <i>{name}</i></li>' for time, name in rows)}</ul>"
        for day, rows in days.items()
    )
    return f"<main><h1>{heading}</h1>{''.join(lists)}</main>"


MEETINGS = meetings("Meetings 2026", [("12 Mar", "Planning"), ("19 Mar", "Parks"), ("2 Apr", "Schools")])
OF_MEETINGS = [
    {"day": "2026-03-12", "name": "Planning"},
    {"day": "2026-03-19", "name": "Parks"},
    {"day": "2026-04-02", "name": "Schools"},
]
ARCHIVE = archive(March_2026=[("28", "Nets"), ("14", "Lights")], February_2026=[("27", "Knots"), ("03", "Charts")])
OF_ARCHIVE = [
    {"day": "2026-03-28", "name": "Nets"},
    {"day": "2026-03-14", "name": "Lights"},
    {"day": "2026-02-27", "name": "Knots"},
    {"day": "2026-02-03", "name": "Charts"},
]
SAILINGS = sailings(
    "Sailings, updated 3 May 2026",
    {
        "Monday 4 May": [("07:15", "Islay"), ("13:00", "Gigha")],
        "Tuesday 5 May": [("07:15", "Islay"), ("18:00", "Jura")],
    },
)
OF_SAILINGS = [
    {"day": "2026-05-04", "at": "2026-05-04T07:15:00", "name": "Islay"},
    {"day": "2026-05-04", "at": "2026-05-04T13:00:00", "name": "Gigha"},
    {"day": "2026-05-05", "at": "2026-05-05T07:15:00", "name": "Islay"},
    {"day": "2026-05-05", "at": "2026-05-05T18:00:00", "name": "Jura"},
]


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    ("html", "data", "other", "days"),
    [
        (
            MEETINGS,
            OF_MEETINGS,
            meetings("Meetings 2027", [("5 Jan", "Roads"), ("30 Sep", "Trees")]),
            "2027-01-05 2027-09-30",
        ),
        (
            ARCHIVE,
            OF_ARCHIVE,
            archive(January_2026=[("7", "Oars")], December_2025=[("24", "Candles"), ("1", "Frost")]),
            "2026-01-07 2025-12-24 2025-12-01",
        ),
        (
            SAILINGS,
            [{"day": one["day"], "name": one["name"]} for one in OF_SAILINGS],
            sailings(
                "Sailings, updated 30 December 2026", {"Thursday 31 December": [("09:00", "Jura"), ("11:00", "Eigg")]}
            ),
            "2026-12-31 2026-12-31",
        ),
    ],
)
def test_a_day_is_put_together_from_a_row_and_from_what_stands_over_it(
    html: str, data: list[Any], other: str, days: str
) -> None:
    recipe = learned(html, data, day=DAY, name=TEXT)
    read = replay(recipe, open_page(other, URL), records_of(day=DAY, name=TEXT))
    assert (read.doubts, dict(read.unread)) == ((), {})
    assert [one["day"] for one in read.records] == days.split()  # type: ignore[index, call-overload]


@pytest.mark.req("RC-2")
@pytest.mark.parametrize(
    ("html", "data", "other"),
    [
        (MEETINGS, OF_MEETINGS, meetings("Meetings 2026/27", [("12 Dec", "Roads"), ("9 Jan", "Trees")])),
        (
            MEETINGS,
            OF_MEETINGS,
            meetings("Meetings 2026", [("12 Nov", "Roads"), ("3 Dec", "Quay"), ("9 Jan", "Trees")]),
        ),
        (MEETINGS, OF_MEETINGS, meetings("Meetings", [("12 Mar", "Roads"), ("9 Apr", "Trees")])),
        (MEETINGS, OF_MEETINGS, meetings("Meetings 2026", [("12 Mar", "Roads"), ("to be set", "Trees")])),
        (ARCHIVE, OF_ARCHIVE, archive(January=[("7", "Oars"), ("2", "Buoys")], December_2025=[("24", "Candles")])),
        (
            SAILINGS,
            [{"day": one["day"], "name": one["name"]} for one in OF_SAILINGS],
            sailings(
                "Sailings, updated 30 December 2026", {"Friday 1 January": [("09:00", "Jura"), ("11:00", "Eigg")]}
            ),
        ),
    ],
)
def test_a_day_of_which_no_heading_surely_states_the_rest_is_not_served(html: str, data: list[Any], other: str) -> None:
    read = replay(learned(html, data, day=DAY, name=TEXT), open_page(other, URL), records_of(day=DAY, name=TEXT))
    assert read.doubts or "/day" in read.unread


@pytest.mark.req("RC-1")
def test_a_time_below_a_day_is_read_with_it() -> None:
    days = {"Saturday 16 May 2026": [("14:00", "Otters"), ("19:30", "Kiln")], "Sunday 17 May 2026": [("15:00", "Moss")]}
    data = [
        {"at": "2026-05-16T14:00:00", "name": "Otters"},
        {"at": "2026-05-16T19:30:00", "name": "Kiln"},
        {"at": "2026-05-17T15:00:00", "name": "Moss"},
    ]
    learned(sailings("Cinema", days), data, at=TEXT, name=TEXT)


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    "html",
    [
        "<ul><li>Gulls<ul><li>Herring gull<li>Kittiwake</ul><li>Auks<ul><li>Puffin<li>Razorbill</ul></ul>",
        "<table><tr><th>Bird<th>Seen<tr><td colspan=2>Gulls<tr><td>Herring gull<td>4<tr><td>Kittiwake<td>9"
        "<tr><td>In all 13<td><tr><td colspan=2>Auks<tr><td>Puffin<td>5<tr><td>Razorbill<td>7</table>",
    ],
)
def test_what_stands_over_records_may_be_a_cell_over_its_row_or_an_item_before_its_list(html: str) -> None:
    names = ("Gulls", "Herring gull"), ("Gulls", "Kittiwake"), ("Auks", "Puffin"), ("Auks", "Razorbill")
    data = [{"family": family, "name": name} for family, name in names]
    made = learn_from([Example(open_page(f"<main>{html}</main>", URL), data)], records_of(family=TEXT, name=TEXT))
    assert made.recipe is not None
    assert [one.unread for one in made.recipe.fields] == ["", ""]


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><th>Aero<th>Terra<tr><th>Memory<td>16 GB<td>32 GB<tr><th>Price<td>$899<td>$1,599</table>",
        "<table><tr><th>Model<td>Aero<td>Terra<tr><th>Memory<td>16 GB<td>32 GB<tr><th>Price<td>$899<td>$1,599</table>",
    ],
)
def test_records_are_found_in_the_columns_of_a_table(html: str) -> None:
    data = [{"name": "Aero", "memory": 16, "price": 899}, {"name": "Terra", "memory": 32, "price": 1599}]
    learned(f"<main><h1>Compare</h1>{html}</main>", data, name=TEXT, memory=INTEGER, price=NUMBER)


@pytest.mark.req("RC-1")
def test_records_are_found_in_lines_of_preformatted_text() -> None:
    stops = (("Station Road", "06:52"), ("Market Place", "06:58"), ("Hospital", "07:05"), ("College", "07:11"))
    lines = "\n".join(f"{name:20}{time}" for name, time in stops)
    data = [{"name": name, "time": time} for name, time in stops]
    learned(f"<main><h1>Route 14</h1><pre>{lines}</pre></main>", data, name=TEXT, time=TEXT)


def shows(*rows: tuple[str, str]) -> str:
    items = "".join(f"<li><h3>{name}</h3><p class=fee>{fee}</p><p>10 rooms</p></li>" for name, fee in rows)
    return f"<main><ul>{items}</ul></main>"


@pytest.mark.req("RC-1", "RC-2")
def test_zero_is_read_where_the_words_that_said_it_stand_and_nowhere_else() -> None:
    data: list[Any] = [{"name": "Salt", "fee": 12}, {"name": "Ink", "fee": 0}, {"name": "Oak", "fee": 8}]
    html = shows(("Salt", "£12"), ("Ink", "Members only"), ("Oak", "£8"))
    recipe = learned(html, data, name=TEXT, fee=NUMBER)
    again = replay(
        recipe, open_page(shows(("Elm", "Members only"), ("Ash", "£7")), URL), records_of(name=TEXT, fee=NUMBER)
    )
    assert again.records == [{"name": "Elm", "fee": 0}, {"name": "Ash", "fee": 7}]
    other = replay(recipe, open_page(shows(("Elm", "Sold out"), ("Ash", "£7")), URL), records_of(name=TEXT, fee=NUMBER))
    assert other.doubts or "/fee" in other.unread


@pytest.mark.req("RC-1", "RC-2")
def test_both_ends_of_a_range_of_numbers_are_read_and_words_beside_them_put_both_in_doubt() -> None:
    fields = {"name": TEXT, "least": MAYBE_NUMBER, "most": MAYBE_NUMBER}
    rows = (
        ("Cook", "£24k – £28k", 24000, 28000),
        ("Clerk", "£31k – £35k", 31000, 35000),
        ("Guard", "£22k", 22000, 22000),
    )
    data = [{"name": name, "least": least, "most": most} for name, _, least, most in rows]
    recipe = learned(shows(*((name, pay) for name, pay, *_ in rows)), data, **fields)
    other = replay(
        recipe, open_page(shows(("Nurse", "up to £41k"), ("Baker", "£30k – £32k")), URL), records_of(**fields)
    )
    assert other.doubts or {*other.unread} == {"/least", "/most"}


@pytest.mark.req("RC-1")
def test_both_ends_of_a_range_of_times_are_read() -> None:
    rows = (
        ("Salt", "12 May 2026, 9:00–11:30", "12", "09:00", "11:30"),
        ("Ink", "14 May 2026, 14:00–15:45", "14", "14:00", "15:45"),
    )
    data = [
        {"name": name, "starts": f"2026-05-{day}T{start}:00", "ends": f"2026-05-{day}T{end}:00"}
        for name, _, day, start, end in rows
    ]
    learned(shows(*((name, when) for name, when, *_ in rows)), data, name=TEXT, starts=TEXT, ends=TEXT)


@pytest.mark.req("RC-1")
def test_the_text_before_the_first_element_inside_another_is_a_place_of_its_own() -> None:
    rows = (("Cook", "3–5 years", "degree"), ("Clerk", "1–3 years", "school"), ("Guard", "5–10 years", "degree"))
    html = "".join(f"<li><h3>{name}</h3><p>{years}<em></em>{school}</p></li>" for name, years, school in rows)
    data = [{"name": name, "years": years, "school": school} for name, years, school in rows]
    learned(f"<main><ul>{html}</ul></main>", data, name=TEXT, years=TEXT, school=TEXT)


GRID = (
    "<table><tr><th><th>Mon<th>Tue<tr><th>09:00<td>Algebra<td>Music<tr><th>10:00<td><td rowspan=2>Logic"
    "<tr><th>11:00<td>Sets</table>"
)


@pytest.mark.req("RC-1")
def test_cells_of_a_grid_are_records_below_a_head_and_behind_an_hour_and_empty_ones_are_none() -> None:
    hours = ("Mon", "09:00", "Algebra"), ("Tue", "09:00", "Music"), ("Tue", "10:00", "Logic"), ("Mon", "11:00", "Sets")
    data = [{"day": day, "hour": hour, "name": name} for day, hour, name in hours]
    learned(f"<main>{GRID}</main>", data, day=TEXT, hour=TEXT, name=TEXT)


@pytest.mark.req("RC-1")
def test_cents_in_an_element_of_their_own_behind_a_sign_in_another_belong_to_the_price() -> None:
    rows = (("Salt", "349", "99"), ("Ink", "159", "00"), ("Oak", "89", "50"))
    html = "".join(
        f"<li><h3>{name}</h3><p><span>$</span><span>{whole}</span><sup>{cents}</sup></p></li>"
        for name, whole, cents in rows
    )
    data = [{"name": name, "price": float(f"{whole}.{cents}")} for name, whole, cents in rows]
    learned(f"<main><ul>{html}</ul></main>", data, name=TEXT, price=NUMBER)


@pytest.mark.req("RC-1", "RC-2")
def test_numbers_in_one_cell_are_a_list_and_another_count_of_them_is_not_served() -> None:
    rows = (("14 March", [3, 11, 19]), ("11 March", [5, 8, 22]), ("7 March", [1, 2, 40]))
    fields = {"name": TEXT, "balls": {"type": "array", "items": INTEGER}}
    data = [{"name": name, "balls": balls} for name, balls in rows]
    recipe = learned(shows(*((name, " ".join(map(str, balls))) for name, balls in rows)), data, **fields)
    other = replay(recipe, open_page(shows(("4 March", "9 10 30"), ("1 March", "7 8")), URL), records_of(**fields))
    assert other.doubts or "/balls" in other.unread


@pytest.mark.req("RC-1")
def test_an_end_that_a_range_leaves_open_is_null() -> None:
    rows = (("Cook", "from £24,000 to £28,000", 24000, 28000), ("Clerk", "from £31,000", 31000, None))
    rows += (("Guard", "up to £22,000", None, 22000),)
    data = [{"name": name, "least": least, "most": most} for name, _, least, most in rows]
    learned(shows(*((name, pay) for name, pay, *_ in rows)), data, name=TEXT, least=MAYBE_NUMBER, most=MAYBE_NUMBER)


@pytest.mark.req("RC-1")
def test_an_item_cut_out_of_a_text_is_one_though_the_text_goes_on_with_other_marks() -> None:
    rows = (
        ("Roe, K.; Lind, E. (2019). Markets, slow ones", ["Roe, K.", "Lind, E."], "Markets, slow ones"),
        ("Mora, C. (2007). Roads", ["Mora, C."], "Roads"),
        ("Sato, H.; Wu, L.; Orr, P. (2023). Ledger; quill", ["Sato, H.", "Wu, L.", "Orr, P."], "Ledger; quill"),
    )
    html = "".join(f"<li>{text}</li>" for text, *_ in rows)
    data = [{"authors": authors, "title": title} for _, authors, title in rows]
    learned(f"<main><ol>{html}</ol></main>", data, authors={"type": "array", "items": TEXT}, title=TEXT)


@pytest.mark.req("RC-2")
def test_words_in_the_place_of_what_always_had_figures_are_asked_about() -> None:
    fields = {"title": TEXT, "last_post": {"type": ["string", "null"]}}

    def rows(*said: str) -> str:
        lines = (f"<tr><td class='t'>Topic {at}</td><td class='p'>{one}</td></tr>" for at, one in enumerate(said))
        return f"<table>{''.join(lines)}</table>"

    posts = [f"Today, 14:0{at}" for at in range(6)]
    data = [{"title": f"Topic {at}", "last_post": one} for at, one in enumerate(posts)]
    made = learn_from([Example(open_page(rows(*posts), URL), data)], records_of(**fields))
    assert made.recipe is not None
    found = replay(made.recipe, open_page(rows(*posts[:5], "no posts"), URL), records_of(**fields))
    assert "/last_post" in found.unread
