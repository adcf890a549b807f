"""Parts of texts as values: several ways for texts of several kinds, odd ones as they were given, guards of both."""

from collections.abc import Sequence
from typing import Any

import pytest
from gleaner.page.opening import open_page
from gleaner.wrappers import Example, learn_from, replay
from gleaner.wrappers.cuts import MOST_WAYS, Cut, fit, slips_in
from gleaner.wrappers.readings import Readers

from tests.support.schemas import TEXT, records_of

URL = "https://courts.example/opinions/list"
DAY = {"type": ["string", "null"], "format": "date"}
LINK = {"type": ["string", "null"], "format": "uri"}
NAMES = (
    "Wray v. Quist",
    "May v. Bell",
    "In re Dow",
    "Hood v. Lane",
    "Ash v. Elm",
    "Fir v. Oak",
    "Yew v. Bay",
    "Birch v. Ivy",
)


def page_of(rows: list[str], above: str = "") -> str:
    return f"<html><body><main>{above}<ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul></main></body></html>"


def read(learned: tuple[str, list[dict[str, Any]]], other: str, fields: dict[str, Any]) -> Any:
    html, data = learned
    made = learn_from([Example(open_page(html, URL), data)], records_of(**fields))
    assert made.recipe is not None, made.reason
    again = replay(made.recipe, open_page(html, URL), records_of(**fields))
    assert again.holds
    assert again.data == data
    return replay(made.recipe, open_page(other, URL), records_of(**fields))


@pytest.mark.req("RC-1")
def test_texts_of_two_kinds_have_a_way_each() -> None:
    ends = (", Appellant. A20-0316, Civil", ", Inc., Respondent. A21")
    pairs: list[tuple[str, Any]] = [
        (f"{name}{ends[at % 2]}", f"{name}{', Inc.' if at % 2 else ''}") for at, name in enumerate(NAMES)
    ]
    way = fit(pairs, ["string"], Readers(""), ways=MOST_WAYS)
    assert way is not None
    assert len(way.cuts) == len(ends)
    assert fit(pairs[:4], ["string"], Readers(""), ways=MOST_WAYS) is None, "four texts are too few for two ways"


@pytest.mark.req("RC-1")
def test_one_value_in_fifty_may_be_a_slip_and_is_kept_as_it_was_given() -> None:
    pairs: list[tuple[str, Any]] = [
        (f"{name} {at}, 20{at} Tex. 1", f"{name} {at}") for at, name in enumerate(NAMES * 4, 10)
    ]
    odd = ("Gale v. Orr (now Reed), 2099 Tex. 1", "Gale v. Orr")
    assert fit([*pairs, odd], ["string"], Readers(""), ways=1) is None
    way = fit([*pairs, odd], ["string"], Readers(""), ways=1, is_tolerant=True)
    assert way is not None
    assert dict(way.odd) == dict([odd])
    assert [slips_in(count) for count in (10, 24, 25, 99, 100)] == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("cut", "text", "part"),
    [
        (Cut("", ", 9 Tex."), "May v. Bell, 1,024 Tex. Bus. 3", "May v. Bell"),
        (Cut("No. 9: ", ""), "No. 12: Oak", "Oak"),
        (Cut("", "9 Tex."), "7" * 50_000, None),
    ],
)
def test_a_nine_in_a_mark_is_any_number(cut: Cut, text: str, part: str | None) -> None:
    assert cut.of(text) == part


@pytest.mark.req("RC-2")
def test_a_part_with_a_sign_that_no_part_had_is_not_served() -> None:
    rows = [f"<b>{name}, 2026 Tex. {at}</b>" for at, name in enumerate(NAMES, 10)]
    data = [{"name": name} for name in NAMES]
    found = read(
        (page_of(rows), data), page_of([*rows[:-1], "<b>Gale v. Orr (now Reed), 2026 Tex. 9</b>"]), {"name": TEXT}
    )
    assert not found.holds


@pytest.mark.req("RC-1", "RC-2")
def test_an_address_is_read_in_the_form_that_the_markdown_has() -> None:
    rows = [f"<a href='/files/{name}  ({at}).pdf'>{name}</a>" for at, name in enumerate(NAMES)]
    addresses = [
        f"https://courts.example/files/{name}  ({at}).pdf".replace(" ", "%20") for at, name in enumerate(NAMES)
    ]
    data = [{"name": name, "url": url} for name, url in zip(NAMES, addresses, strict=True)]
    html = page_of(rows)
    made = learn_from([Example(open_page(html, URL), data)], records_of(name=TEXT, url=LINK))
    assert made.recipe is not None
    found = replay(made.recipe, open_page(html, URL), records_of(name=TEXT, url=LINK))
    assert [one["url"] for one in found.data] == [one.replace("(", "%28").replace(")", "%29") for one in addresses]  # type: ignore[index,union-attr]


@pytest.mark.req("RC-1")
def test_the_order_of_day_and_month_that_one_page_shows_holds_on_the_next() -> None:
    rows = [f"<b>{name}</b> <i>0{at + 1}/2{at}/2026</i>" for at, name in enumerate(NAMES)]
    data = [{"name": name, "day": f"2026-0{at + 1}-2{at}"} for at, name in enumerate(NAMES)]
    other = page_of([f"<b>Gale v. Orr {at}</b> <i>0{at}/0{at + 3}/2026</i>" for at in (3, 4, 5)])
    found = read((page_of(rows), data), other, {"name": TEXT, "day": DAY})
    assert [one["day"] for one in found.data] == ["2026-03-06", "2026-04-07", "2026-05-08"]


@pytest.mark.req("RC-1")
@pytest.mark.parametrize("mark", ["<span>E</span>", "<sup><a href='#n1'>[3]</a></sup>"])
def test_what_stands_beside_a_text_in_its_element_is_no_part_of_it(mark: str) -> None:
    rows = [f"<b>{name} {mark if at % 3 == 1 else ''}</b>" for at, name in enumerate(NAMES)]
    other = page_of([f"<b>Gale v. Orr {at} {mark}</b>" for at in range(4)])
    found = read((page_of(rows), [{"name": name} for name in NAMES]), other, {"name": TEXT})
    assert [one["name"] for one in found.data] == [f"Gale v. Orr {at}" for at in range(4)]


@pytest.mark.req("RC-1")
def test_a_day_beside_another_word_over_a_run_of_records_is_read() -> None:
    def runs(days: list[tuple[str, str]]) -> str:
        return "".join(
            f"<div class='day'>{day}{tag}</div><div class='run'>"
            f"<p class='row'><b>{name}</b></p><p class='row'><b>{name} II</b></p></div>"
            for (day, tag), name in zip(days, NAMES, strict=False)
        )

    first = runs([("June 4, 2026", "<em>Today</em>"), ("June 3, 2026", ""), ("June 2, 2026", "")])
    data = [{"name": f"{NAMES[at]}{more}", "day": f"2026-06-0{4 - at}"} for at in range(3) for more in ("", " II")]
    next_one = runs([("June 9, 2026", "<em>Today</em>"), ("June 8, 2026", "")])
    found = read((first, data), next_one, {"name": TEXT, "day": DAY})
    assert [one["day"] for one in found.data] == ["2026-06-09"] * 2 + ["2026-06-08"] * 2


@pytest.mark.req("RC-1")
def test_records_are_told_by_the_ending_of_their_classes() -> None:
    row = "<tr class='{kind}row'><td>{name}</td><td>{at}</td></tr>"
    rows = "".join(row.format(kind=("odd", "even")[at % 2], name=name, at=at) for at, name in enumerate(NAMES))
    head, foot = "<tr class='top'><td>Names</td><td>No</td></tr>", "<tr class='foot'><td>All</td><td>8</td></tr>"
    html = f"<html><body><table>{head}{rows}{foot}</table></body></html>"
    data = [{"name": name, "at": at} for at, name in enumerate(NAMES)]
    found = read((html, data), html, {"name": TEXT, "at": {"type": "integer"}})
    assert found.holds


TAGS = {"type": "array", "items": TEXT}
FLAG = {"type": ["boolean", "null"]}
PICTURES = [f"//courts.example/{at}.png" for at in range(5)]
PROSE = ("One.|Two <b>a</b>.", "Three.", "Four.|Five.", "Six.", "Seven.|<b>Eight</b>.")
SAID = ("One.\n\nTwo a.", "Three.", "Four.\n\nFive.", "Six.", "Seven.\n\nEight.")
LISTS = [["oak", "elm"], ["ash"], ["fir", "yew", "bay"], ["ivy", "oak"], ["elm", "fir"]]


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(
    ("kind", "texts", "values"),
    [
        (TAGS, [f"({', '.join(each)})" for each in LISTS], LISTS),
        (FLAG, ["Garagem incluída", "", *["Garagem incluída"] * 2, ""], [True, None, True, True, None]),
        (TEXT, [f"<p>{each.replace('|', '<p>')}<p>Offline" for each in PROSE], SAID),
        (LINK, [f"<img src='{each}'>" for each in PICTURES], [f"http:{each}" for each in PICTURES]),
    ],
    ids=["a list in one text", "a flag by its word", "several lines", "an address of another scheme"],
)
def test_values_come_as_a_model_gave_them(kind: Any, texts: list[str], values: list[Any]) -> None:
    rows = [f"<b>{name}</b> <div class='more'>{text}</div>" for name, text in zip(NAMES, texts, strict=False)]
    data = [{"name": name, "garage": value} for name, value in zip(NAMES, values, strict=False)]
    replayed = read((page_of(rows[:-1]), data[:-1]), page_of([rows[0], rows[-1]]), {"name": TEXT, "garage": kind})
    assert not replayed.doubts
    assert [one["garage"] for one in replayed.records] == [values[0], values[-1]]


@pytest.mark.req("RC-2")
def test_a_flag_is_not_read_where_its_sign_says_something_else() -> None:
    rows = [f"<b>{name}</b> <i class='more'>Garagem incluída</i>" for name in NAMES]
    data = [{"name": name, "garage": True} for name in NAMES]
    other = page_of([*rows[:3], "<b>Gale v. Orr</b> <i class='more'>Sem garagem</i>"])
    assert not read((page_of(rows), data), other, {"name": TEXT, "garage": FLAG}).holds


@pytest.mark.req("RC-2")
def test_the_second_of_three_is_another_one_where_there_are_two() -> None:
    marks = ["".join(f"<i class='n'>{at}{each}</i>" for each in (1, 2, 3)) for at in range(1, 9)]
    rows = [f"<b>{name}</b> {each}" for name, each in zip(NAMES, marks, strict=True)]
    data = [{"name": name, "score": int(f"{at}2")} for at, name in enumerate(NAMES, 1)]
    fields = {"name": TEXT, "score": {"type": ["integer", "null"]}}
    assert read((page_of(rows), data), page_of(rows[::-1]), fields).holds
    two = [row.replace(f"<i class='n'>{at}2</i>", "") for at, row in enumerate(rows, 1)]
    assert "/score" in read((page_of(rows), data), page_of(two), fields).unread


@pytest.mark.req("RC-2", "PR-1")
@pytest.mark.parametrize(("word", "odd"), [("Rooms", range(12)), ("Rooms", (6,)), ("Bedrooms", ())])
def test_a_part_that_may_lack_and_is_written_otherwise_is_no_null(word: str, odd: Sequence[int]) -> None:
    def shown(at: int, moved: int) -> tuple[str, dict[str, object]]:
        beds = at % 4 + 1 if at % 5 else None
        agent = NAMES[(at + moved) % len(NAMES)] if at % 3 else None
        label = word if moved and at in odd else "Bedrooms"
        parts = [f"Area {40 + at * 7 + moved}", f"{label} {beds}" if beds else "", f"Agent {agent}" if agent else ""]
        record = {"name": f"{at + moved} Elm Road", "area": 40 + at * 7 + moved, "bedrooms": beds, "agent": agent}
        return f"<a href='/{at}'>{record['name']}</a> | {' | '.join(filter(None, parts))}", record

    first, second = ([shown(at, moved) for at in range(12)] for moved in (0, 3))
    number: dict[str, object] = {"type": ["integer", "null"]}
    fields = {"name": TEXT, "area": number, "bedrooms": number, "agent": {"type": ["string", "null"]}}
    known = page_of([text for text, _ in first]), [record for _, record in first]
    replayed = read(known, page_of([text for text, _ in second]), fields)
    assert replayed.holds is not bool(odd)
    assert bool(odd) is ("/bedrooms" in replayed.unread)
    assert odd or replayed.records == [record for _, record in second]
