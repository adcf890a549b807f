"""Other pages of a layout: what carries over to them, and what puts a value of theirs in doubt."""

import json
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.extraction.pieces import show, whole_piece
from gleaner.page.model import Part
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel
from gleaner.wrappers import Example, Recipe, Replay, learn_from, replay

from tests.support.schemas import MAYBE_TEXT, TEXT, list_of, object_of

URL = "https://a.example/list"
LINK = {"type": ["string", "null"], "format": "uri"}
NAMES = ("Ash", "Bay", "Cole", "Dow", "Elm", "Fir", "Gale", "Hood")


def schema(**fields: Any) -> dict[str, Any]:
    return list_of(object_of(next(iter(fields)), **fields))


def page_of(rows: list[str]) -> str:
    return f"<html><body><main><ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul></main></body></html>"


def learned(html: str, data: list[dict[str, Any]], **fields: Any) -> Recipe:
    made = learn_from([Example(open_page(html, URL), data)], schema(**fields))
    assert made.recipe is not None, made.reason
    assert replay(made.recipe, open_page(html, URL), schema(**fields)).data == data
    return made.recipe


def read(recipe: Recipe, html: str, **fields: Any) -> Replay:
    return replay(recipe, open_page(html, URL), schema(**fields))


@pytest.mark.req("RC-1")
def test_a_link_is_told_by_the_words_that_say_where_it_leads() -> None:
    both = [("Agenda", "a"), ("Minutes", "m")]
    rows = [
        f"<b>{name}</b> " + " ".join(f"<a href='/{sign}/{at}.pdf'>{word}</a>" for word, sign in both[at % 2 :])
        for at, name in enumerate(NAMES)
    ]
    data = [
        {
            "name": name,
            "agenda_url": None if at % 2 else f"https://a.example/a/{at}.pdf",
            "minutes_url": f"https://a.example/m/{at}.pdf",
        }
        for at, name in enumerate(NAMES)
    ]
    fields = {"name": TEXT, "agenda_url": LINK, "minutes_url": LINK}
    recipe = learned(page_of(rows), data, **fields)
    other = page_of(["<b>Ivy</b> <a href='/m/9.pdf'>Minutes</a>"] * 2)
    assert (
        read(recipe, other, **fields).records
        == [{"name": "Ivy", "agenda_url": None, "minutes_url": "https://a.example/m/9.pdf"}] * 2
    )


@pytest.mark.req("RC-1")
def test_the_winner_of_two_is_told_by_a_class_inside_a_class() -> None:
    def row(home: str, away: str, sign: tuple[str, str]) -> str:
        teams = zip((home, away), sign, ("2", "1"), strict=True)
        said = (
            f"<div class='team {won}'><div><div class='of'>{one}</div></div><div>{n}</div></div>"
            for one, won, n in teams
        )
        return "".join(said)

    signs = [("won", "lost") if at % 3 else ("lost", "won") for at in range(len(NAMES) - 1)]
    rows = [row(NAMES[at], NAMES[at + 1], sign) for at, sign in enumerate(signs)]
    data = [
        {"home": NAMES[at], "winner": NAMES[at] if sign[0] == "won" else NAMES[at + 1]} for at, sign in enumerate(signs)
    ]
    recipe = learned(page_of(rows), data, home=TEXT, winner=TEXT)
    other = page_of([row("Ivy", "Jay", ("lost", "won")), row("Kim", "Lee", ("won", "lost"))])
    assert [one["winner"] for one in read(recipe, other, home=TEXT, winner=TEXT).records] == ["Jay", "Kim"]  # type: ignore[index,call-overload]


@pytest.mark.req("RC-2")
def test_a_page_whose_records_lack_all_that_each_had_some_of_is_not_read() -> None:
    rows = [f"<b>{name}</b><i class='{'when' if at % 2 else 'score'}'>{at}:30</i>" for at, name in enumerate(NAMES)]
    data = [
        {"name": name, "when": f"{at}:30" if at % 2 else None, "score": None if at % 2 else f"{at}:30"}
        for at, name in enumerate(NAMES)
    ]
    fields = {"name": TEXT, "when": MAYBE_TEXT, "score": MAYBE_TEXT}
    recipe = learned(page_of(rows), data, **fields)
    assert read(recipe, page_of([f"<b>{name}</b><i class='when'></i>" for name in NAMES]), **fields).doubts
    assert not read(recipe, page_of([f"<b>{name}</b><i class='when'>9:15</i>" for name in NAMES]), **fields).doubts


@pytest.mark.req("RC-2")
def test_texts_of_another_kind_are_not_read() -> None:
    rows = [f"<span>{name}</span><span>{at + 1} May</span>" for at, name in enumerate(NAMES)]
    data = [{"name": name, "day": f"{at + 1} May"} for at, name in enumerate(NAMES)]
    recipe = learned(page_of(rows), data, name=TEXT, day=TEXT)
    turned = page_of([f"<span>{at + 1} May</span><span>{name}</span>" for at, name in enumerate(NAMES)])
    found = read(recipe, turned, name=TEXT, day=TEXT)
    assert found.doubts or {*found.unread} == {"/name", "/day"}


@pytest.mark.req("RC-2")
def test_a_remark_in_brackets_that_no_text_had_is_not_read_where_some_are_cut_off() -> None:
    ends = ("", " (corrected)", "", " (two parts)")
    rows = [f"<b>{name} v. Orr{ends[at % 4]}</b>" for at, name in enumerate(NAMES)]
    data = [{"name": f"{name} v. Orr{'' if at % 4 == 3 else ends[at % 4]}"} for at, name in enumerate(NAMES)]
    recipe = learned(page_of(rows), data, name=TEXT)
    assert not read(recipe, page_of([f"<b>{one} v. Poe (corrected)</b>" for one in NAMES]), name=TEXT).unread
    found = read(recipe, page_of([f"<b>{one} v. Poe (Davis, J. dissenting)</b>" for one in NAMES]), name=TEXT)
    assert found.doubts or found.unread


@pytest.mark.req("RC-1")
@pytest.mark.parametrize(
    "written", ["{day:02d}/07/2026 a las 18:00:00", "Mon Jul {day:2d} 18:00:00 2026"], ids=["at an hour", "of a log"]
)
def test_times_are_read_though_the_schema_names_no_format(written: str) -> None:
    rows = [f"<b>{name}</b><i>{written.format(day=at + 13)}</i>" for at, name in enumerate(NAMES)]
    data = [{"name": name, "ends": f"2026-07-{at + 13}T18:00:00"} for at, name in enumerate(NAMES)]
    recipe = learned(page_of(rows), data, name=TEXT, ends=TEXT)
    other = page_of([f"<b>Ivy</b><i>{written.format(day=30)}</i>"] * 2)
    assert {one["ends"] for one in read(recipe, other, name=TEXT, ends=TEXT).records} == {"2026-07-30T18:00:00"}  # type: ignore[index,call-overload]


@pytest.mark.req("RC-1")
def test_rows_in_the_head_of_a_table_are_no_records() -> None:
    head = "<thead><tr><th colspan='2'>Type</th></tr><tr><th>Name</th><th>Town</th></tr></thead>"
    rows = "".join(f"<tr><td>{name}</td><td>Town {at}</td></tr>" for at, name in enumerate(NAMES))
    data = [{"name": name, "town": f"Town {at}"} for at, name in enumerate(NAMES)]
    plain = head.replace("<tr><th colspan='2'>Type</th></tr>", "")
    recipe = learned(f"<table>{plain}<tbody>{rows}</tbody></table>", data, name=TEXT, town=TEXT)
    found = read(recipe, f"<table>{head}<tbody>{rows}</tbody></table>", name=TEXT, town=TEXT)
    assert (found.holds, found.data) == (True, data)


@pytest.mark.req("RC-5")
def test_a_question_leaves_out_what_was_read_already() -> None:
    part = Part(content="Ash\nlong and read\nnew\n", start_char=10, known=((14, 28),))
    assert show(part, whole_piece(part))[0] == "Ash\nnew\n"


def post(number: int, flair: str | None, place: str) -> str:
    said = f'<span class="flair">{flair}</span>' if flair else ""
    return f'<p class="title"><a class="name">Story of {number}</a>{said}<span class="domain">(self.{place})</span></p>'


@pytest.mark.req("RC-2", "RC-4")
def test_what_stands_behind_a_value_is_no_label() -> None:
    flairs = {3: "Help", 7: "Meta"}
    places = ["wood", "ships", "trains", "history", "maps", "bees", "coins", "history", "tea", "kites", "clay", "boats"]
    rows = [post(at, flairs.get(at), place) for at, place in enumerate(places)]
    fields = {"name": TEXT, "flair": MAYBE_TEXT}
    data: list[Any] = [{"name": f"Story of {at}", "flair": flairs.get(at)} for at in range(len(rows))]
    recipe = learned(page_of(rows), data, **fields)
    shown = ["Show" if at in (2, 9) else None for at in range(30)]
    many = page_of([post(at, flair, places[(at + 2) % 12]) for at, flair in enumerate(shown)])
    assert read(recipe, many, **fields).records == [
        {"name": f"Story of {at}", "flair": flair} for at, flair in enumerate(shown)
    ]


def table_of(heads: list[str], rows: list[list[str]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{one}</td>' for one in row)}</tr>" for row in rows)
    return f"<html><body><table><tr>{''.join(f'<th>{one}</th>' for one in heads)}</tr>{cells}</table></body></html>"


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("heads", [["Code", "Sell", "Buy"], ["Kod", "Sprzedaż", "Kupno"]])
def test_columns_that_changed_places_are_not_read_by_their_places(heads: list[str]) -> None:
    fields = {"code": TEXT, "buy": {"type": "number"}, "sell": {"type": "number"}}
    english, french = ["Code", "Buy", "Sell"], ["Devise", "Achat", "Vente"]
    rows = [[name, f"{at}.5", f"{at}.7"] for at, name in enumerate(NAMES, 1)]
    data = [{"code": row[0], "buy": float(row[1]), "sell": float(row[2])} for row in rows]
    examples = [Example(open_page(table_of(one, rows), URL), data) for one in (english, french)]
    recipe = learn_from(examples, schema(**fields)).recipe
    assert recipe is not None
    assert read(recipe, table_of(french, rows[:3]), **fields).data == data[:3]
    assert not read(recipe, table_of(heads, rows[:3]), **fields).holds


@pytest.mark.req("RC-2")
def test_a_featured_item_beside_the_list_that_no_page_had_is_noticed() -> None:
    def item(name: str) -> str:
        return f"<b>{name}</b><p class='byline'>by {name}</p>"

    data = [{"name": name, "author": name} for name in NAMES]
    recipe = learned(page_of([*map(item, NAMES)]), data, name=TEXT, author=TEXT)
    featured = page_of([*map(item, NAMES)]).replace("<ul>", f"<section class='hero'>{item('Ivy')}</section><ul>")
    assert read(recipe, featured, name=TEXT, author=TEXT).doubts


@pytest.mark.req("RC-2")
def test_what_is_told_by_a_number_of_elements_is_not_learned_where_records_differ() -> None:
    def row(at: int, name: str) -> str:
        maker, sold = f"<i>{name}</i>" if at % 4 == 0 else "", "Withdrawn" if at == 4 else f"Sold for ${at}00"
        return f"<b>{at}</b>{maker}<i>{name} lamp</i><i class='res'>{sold}</i>"

    data = [
        {"lot": str(at), "title": f"{name} lamp", "result": "Withdrawn" if at == 4 else None}
        for at, name in enumerate(NAMES)
    ]
    fields = {"lot": TEXT, "title": TEXT, "result": MAYBE_TEXT}
    html = page_of([row(at, name) for at, name in enumerate(NAMES)])
    made = learn_from([Example(open_page(html, URL), data)], schema(**fields))
    for one in made.recipe.fields if made.recipe else ():
        assert one.name != "result" or not one.selectors


@pytest.mark.req("RC-1")
def test_a_number_in_another_column_tells_no_name() -> None:
    heads = ["Name", "Room"]
    rows = [[name, "–" if at == 7 else f"3.{at}"] for at, name in enumerate(NAMES)]
    data = [{"name": name, "group": "Botany" if at == 7 else "Physics"} for at, name in enumerate(NAMES)]
    made = learn_from([Example(open_page(table_of(heads, rows), URL), data)], schema(name=TEXT, group=TEXT))
    for one in made.recipe.fields if made.recipe else ():
        assert one.name != "group" or not one.selectors


@pytest.mark.req("RC-2")
def test_a_part_with_a_class_that_a_record_lacks_for_the_first_time_is_null() -> None:
    rows = [f"<b>{name}</b><span class='hall'>Hall {name}</span>" for name in NAMES]
    data = [{"name": name, "hall": f"Hall {name}"} for name in NAMES]
    fields = {"name": TEXT, "hall": MAYBE_TEXT}
    recipe = learned(page_of(rows), data, **fields)
    assert read(recipe, page_of(["<b>Ivy</b>", rows[0]]), **fields).records == [{"name": "Ivy", "hall": None}, data[0]]
    for other in ("<em class='room'>Hall Ivy</em>", "<span class='place'>Hall Ivy</span>", "<span>Hall Ivy</span>"):
        assert not read(recipe, page_of([f"<b>Ivy</b>{other}", rows[0]]), **fields).holds


@pytest.mark.req("RC-1")
def test_the_heading_of_a_table_is_read_above_the_lines_between_them() -> None:
    def page(court: str, *names: str) -> str:
        table = table_of(["Case"], [[name] for name in names])
        return table.replace("<body>", f"<body><h1>List</h1><h2>{court}</h2><p>Monday</p><p>Before Judge Ash</p>")

    data = [{"case": name, "court": "Court 4"} for name in NAMES]
    recipe = learned(page("Court 4", *NAMES), data, case=TEXT, court=TEXT)
    assert read(recipe, page("Court 7", "Ivy", "Jay"), case=TEXT, court=TEXT).records == [
        {"case": name, "court": "Court 7"} for name in ("Ivy", "Jay")
    ]


@pytest.mark.req("RC-2")
@pytest.mark.parametrize("said", ["–", "n/a"])
def test_a_sign_for_nothing_in_the_place_of_a_value_is_null(said: str) -> None:
    rows = [f"<b>{name}</b><span class='hall'>Hall {name}</span>" for name in NAMES]
    data = [{"name": name, "hall": f"Hall {name}"} for name in NAMES]
    fields = {"name": TEXT, "hall": MAYBE_TEXT}
    recipe = learned(page_of(rows), data, **fields)
    other = read(recipe, page_of([f"<b>Ivy</b><span class='hall'>{said}</span>", rows[0]]), **fields)
    assert other.holds
    assert other.records == [{"name": "Ivy", "hall": None}, data[0]]


@pytest.mark.req("RC-1")
def test_a_text_that_stands_for_nothing_is_known_again() -> None:
    price = {"type": ["number", "null"]}
    lots = [(name, None if at in (2, 5) else (100 + 30 * at, 120 + 40 * at)) for at, name in enumerate(NAMES)]
    rows = [
        f"<b>{name}</b><i class='est'>{f'Estimate £{both[0]} – £{both[1]}' if both else 'Estimate on request'}</i>"
        for name, both in lots
    ]
    data = [{"name": name, "low": both and both[0], "high": both and both[1]} for name, both in lots]
    fields = {"name": TEXT, "low": price, "high": price}
    recipe = learned(page_of(rows), data, **fields)
    other = read(recipe, page_of([rows[2], "<b>Ivy</b><i class='est'>Estimate £90 – £95</i>"]), **fields)
    assert other.holds
    assert other.records == [data[2], {"name": "Ivy", "low": 90, "high": 95}]


def test_a_list_beside_an_object_is_learned_from_where_one_value_is_not_proven(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>Tool {at}</td><td>{10 + at} €</td></tr>" for at in range(12))
    page = f"<h1>Shop</h1><p>Ask <b>Ann Lee</b></p><table><tr><th>Name</th><th>Price</th></tr>{rows}</table>"
    items = [{"name": f"Tool {at}", "price": 999 if at == 5 else 10 + at} for at in range(12)]
    said = json.dumps({"data": {"contact": {"name": "Ann Lee"}, "items": items}})
    schema = {
        "type": "object",
        "properties": {
            "contact": {"type": "object", "properties": {"name": {"type": "string"}}},
            "items": {
                "type": "array",
                "items": {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}},
            },
        },
    }
    with Gleaner(model=FunctionModel(lambda _: said), home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            page, "https://shop.example/a", output_schema=schema, config={"tiers": ["recipe", "model"]}
        )
    assert result.status == "complete"
    assert result.extraction is not None
    assert isinstance(result.extraction.data, dict)
    assert result.extraction.data["items"][4] == {"name": "Tool 4", "price": 14}
