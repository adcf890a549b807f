"""Lists beside and inside the records: an invoice's items, a product's sizes, a second table (CM-1, EX-6)."""

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from generated_pages.nests import NESTED, NestedPage
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.extraction import ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord
from gleaner.testing.scripted import Faults

from tests.support.asking import answered, bullets, table
from tests.support.schemas import INTEGER, MAYBE_TEXT, NUMBER, TEXT, list_of, object_of


def run(home: Path, body: str, schema: Any, *answers: Any) -> tuple[ScrapeResult, list[str]]:
    return answered(home, f"<html><body>{body}</body></html>", schema, *answers, query="all of it")


HEADER = {
    "number": "INV-77",
    "dated": "2025-02-01",
    "buyer": "Ada Lum",
    "vat": "GB123",
    "due": "2025-03-01",
    "by": "post",
}
ITEMS: list[Any] = [{"part": f"Part {chr(65 + n % 26)}{n:02}", "amount": 10.5 + n} for n in range(40)]
INVOICE = "".join(f"<p>{name}: {value}</p>" for name, value in HEADER.items()) + table(
    ("Part", "Amount"), *((item["part"], f"{item['amount']:.2f}") for item in ITEMS)
)
INVOICE_SCHEMA = object_of(**dict.fromkeys(HEADER, TEXT), items=list_of(object_of(part=TEXT, amount=NUMBER)))


@pytest.mark.req("CM-1")
def test_an_object_whose_list_lacks_rows_is_partial_and_names_them(tmp_path: Path):
    result, _ = run(tmp_path, INVOICE, INVOICE_SCHEMA, {**HEADER, "items": ITEMS[:15]})
    assert result.status == "partial"
    assert result.extraction is not None
    assert len(result.extraction.completeness.missing) == 25
    assert any("/items: 15 of 40" in error.message for error in result.extraction.errors)


TALKS = [
    {"time": f"{hour}:15", "talk": talk} for hour, talk in [(10, "Bees at night"), (11, "Moss maps"), (12, "Tides")]
]
SPEAKERS = [
    {"name": name, "city": city} for name, city in [("Ada Lum", "Oslo"), ("Bo Trent", "Lyon"), ("Cy Dow", "Graz")]
]
MEETING = (
    "<h1>Meeting</h1><h2>Speakers</h2>"
    + bullets(*(f"{one['name']} of {one['city']}" for one in SPEAKERS))
    + "<h2>Talks</h2>"
    + table(("Time", "Talk"), *((one["time"], one["talk"]) for one in TALKS))
)
MEETING_SCHEMA = object_of(
    speakers=list_of(object_of(name=TEXT, city=TEXT)), talks=list_of(object_of(time=TEXT, talk=TEXT))
)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("short", ["speakers", "talks"])
def test_neither_of_two_lists_may_lack_a_record_and_both_are_kept(tmp_path: Path, short: str):
    whole = {"speakers": SPEAKERS, "talks": TALKS}
    result, _ = run(tmp_path, MEETING, MEETING_SCHEMA, {**whole, short: whole[short][:2]})
    assert result.status == "partial"
    assert result.extraction is not None
    assert result.extraction.data == {**whole, short: whole[short][:2]}
    assert result.extraction.completeness.missing


CHAIRS: list[Any] = [
    {"name": f"Chair {name}", "sizes": [{"size": "S", "price": low}, {"size": "L", "price": low + 20}]}
    for name, low in [("Ada", 120), ("Bob", 90), ("Cyd", 75)]
]
CATALOGUE = "".join(
    f"<section><h2>{chair['name']}</h2>"
    + table(("Size", "Price"), *((one["size"], one["price"]) for one in chair["sizes"]))
    + "</section>"
    for chair in CHAIRS
)
CATALOGUE_SCHEMA = list_of(object_of(name=TEXT, sizes=list_of(object_of(size=TEXT, price=NUMBER))))


@pytest.mark.req("CM-1")
def test_a_list_inside_a_record_may_not_lack_a_row(tmp_path: Path):
    short = [{**CHAIRS[0], "sizes": CHAIRS[0]["sizes"][:1]}, *CHAIRS[1:]]
    result, prompts = run(tmp_path, CATALOGUE, CATALOGUE_SCHEMA, short)
    assert (result.status, len(prompts)) == ("partial", 1)
    assert result.extraction is not None
    assert any("/0/sizes: 1 of 2" in error.message for error in result.extraction.errors)


TEAMS: list[Any] = [
    {"team": "Reds", "players": [{"name": "Al", "goals": 3}, {"name": "Bo", "goals": 5}]},
    {"team": "Blues", "players": [{"name": "Cy", "goals": 2}, {"name": "Di", "goals": 7}, {"name": "Ed", "goals": 1}]},
]
LEAGUE = table(("Team", "Player", "Goals"), *((t["team"], p["name"], p["goals"]) for t in TEAMS for p in t["players"]))


@pytest.mark.req("EX-5")
def test_a_row_missing_amid_a_records_rows_does_not_cost_the_rows_behind_it(tmp_path: Path):
    blues = {"team": "Blues", "players": [TEAMS[1]["players"][0], TEAMS[1]["players"][2]]}
    schema = list_of(object_of(team=TEXT, players=list_of(object_of(name=TEXT, goals=NUMBER))))
    result, _ = run(tmp_path, LEAGUE, schema, [TEAMS[0], blues])
    assert result.status == "partial"
    assert result.extraction is not None
    assert result.extraction.data == [TEAMS[0], blues]


PRICES = {"Oak": 12.5, "Ash": 9, "Elm": 11, "Fir": 7.25, "Yew": 30}
PRICE_TABLE = table(("Tree", "Price"), *PRICES.items())


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("answer", [{**PRICES, "Elm": None}, {**PRICES, "Elm": 12}])
def test_a_map_may_not_lack_a_name_that_the_page_lists(tmp_path: Path, answer: dict[str, Any]):
    schema = {"type": "object", "additionalProperties": NUMBER}
    whole, _ = run(tmp_path / "a", PRICE_TABLE, schema, PRICES)
    assert whole.status == "complete"
    given = {name: price for name, price in answer.items() if price is not None}
    short, _ = run(tmp_path / "b", PRICE_TABLE, schema, given)
    assert short.status == "partial"
    assert short.extraction is not None
    assert short.extraction.data == {name: price for name, price in PRICES.items() if name != "Elm"}


@pytest.mark.req("PR-2")
@pytest.mark.parametrize(("text", "status"), [("Status: open", "partial"), ("It shuts at five.", "complete")])
def test_a_choice_that_the_pages_own_label_denies_is_not_served_as_complete(tmp_path: Path, text: str, status: str):
    schema = object_of("name", "status", name=TEXT, status={"enum": ["open", "closed"]})
    result, _ = run(tmp_path, f"<h1>Gate</h1><p>{text}</p>", schema, {"name": "Gate", "status": "closed"})
    assert result.status == status


HONEST: dict[str, tuple[str, Any, Any]] = {
    "another list of the same shape under its own heading": (
        "<h1>Engineer</h1><p>Moss Labs, Oslo. Full time.</p><h2>You bring</h2>"
        + bullets("5 years of Python", "Knowledge of AWS", "Good English")
        + "<h2>We give</h2>"
        + bullets("25 days of leave", "Free lunch", "A bike"),
        object_of(title=TEXT, firm=TEXT, city=TEXT, kind=TEXT, wanted=list_of(TEXT)),
        {
            "title": "Engineer",
            "firm": "Moss Labs",
            "city": "Oslo",
            "kind": "Full time",
            "wanted": ["5 years of Python", "Knowledge of AWS", "Good English"],
        },
    ),
    "a list of bullets that hold other fields": (
        "<h1>Deep Water</h1>" + bullets("Ann Roe", "Ben Foe", "12 March 2020", "320 pages", "Hardback"),
        object_of(title=TEXT, writers=list_of(TEXT), dated=TEXT, pages=NUMBER, isbn=MAYBE_TEXT),
        {
            "title": "Deep Water",
            "writers": ["Ann Roe", "Ben Foe"],
            "dated": "12 March 2020",
            "pages": 320,
            "isbn": None,
        },
    ),
    "a list beside another one in each record": (
        "".join(
            f"<div><h3>{name}</h3><p>${price}</p>{bullets(*colours)}{bullets('S', 'M', 'L')}</div>"
            for name, price, colours in [
                ("Linen shirt", 30, ("red", "blue")),
                ("Wool shirt", 50, ("grey", "navy")),
                ("Silk shirt", 80, ("white", "black")),
            ]
        ),
        list_of(object_of(name=TEXT, price=NUMBER, colours=list_of(TEXT))),
        [
            {"name": "Linen shirt", "price": 30, "colours": ["red", "blue"]},
            {"name": "Wool shirt", "price": 50, "colours": ["grey", "navy"]},
            {"name": "Silk shirt", "price": 80, "colours": ["white", "black"]},
        ],
    ),
    "two teams of which one is wanted": (
        "<h1>Reds 2 - 1 Blues</h1><h2>Reds</h2>" + bullets("Al", "Bo", "Cy") + "<h2>Blues</h2>" + bullets("Di", "Ed"),
        object_of(home=TEXT, away=TEXT, score=TEXT, title=TEXT, home_players=list_of(TEXT)),
        {
            "home": "Reds",
            "away": "Blues",
            "score": "2 - 1",
            "title": "Reds 2 - 1 Blues",
            "home_players": ["Al", "Bo", "Cy"],
        },
    ),
}


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("case", HONEST)
def test_what_is_no_part_of_a_list_is_not_missing_from_it(tmp_path: Path, case: str):
    body, schema, answer = HONEST[case]
    result, prompts = run(tmp_path, body, schema, answer)
    assert (result.status, len(prompts)) == ("complete", 1)
    assert result.extraction is not None
    assert result.extraction.data == answer


@pytest.mark.req("EX-1")
def test_fields_that_the_schema_does_not_name_are_not_served(tmp_path: Path):
    answer = {"title": "Deep Water", "note": "a fine book", "writers": [{"name": "Ann Roe", "age": 12}]}
    schema = object_of(title=TEXT, writers=list_of(object_of(name=TEXT)), a=TEXT, b=TEXT, c=TEXT, d=TEXT)
    result, prompts = run(tmp_path, "<h1>Deep Water</h1><p>By Ann Roe</p>", schema, answer)
    assert result.extraction is not None
    assert result.extraction.data == {"title": "Deep Water", "writers": [{"name": "Ann Roe"}]}
    assert len(prompts) == 1


def test_a_question_about_one_object_shows_the_page_without_marks(tmp_path: Path):
    _, prompts = run(tmp_path, INVOICE, INVOICE_SCHEMA, {**HEADER, "items": ITEMS})
    assert "[#" not in prompts[0]


NESTS = ("variants in tables", "variants in rows", "variants in lists", "order lines", "publications under headings")


def _read_nested(page: NestedPage, home: Path, faults: Faults) -> tuple[bool, list[Any]]:
    truth = [TrueRecord(record, (str(next(iter(record.values()))),)) for record in page.records]
    config = {"tiers": ["model"]}
    with Gleaner(ScriptedModel(truth, faults=faults, seed=3), home) as gleaner:
        result = gleaner.extract_html(page.html, page.url, output_schema=page.schema, config=config)
    assert result.extraction is not None
    data: Any = result.extraction.data
    return result.extraction.is_partial, data if isinstance(data, list) else next(iter(data.values()))


@pytest.mark.req("EX-6", "CM-1")
@pytest.mark.parametrize("name", NESTS)
def test_records_with_lists_are_all_there_or_known_to_be_missing(tmp_path: Path, name: str):
    page = NESTED[name].page(2)
    is_partial, records = _read_nested(page, tmp_path / "kind", Faults())
    assert (is_partial, records) == (False, page.records)
    is_partial, records = _read_nested(page, tmp_path / "unkind", Faults(drop=0.4))
    assert is_partial or len(records) == len(page.records)


def inner_list(record: dict[str, Any]) -> list[Any]:
    """Give the first list of a record, or of the object in it."""
    value = next(value for value in record.values() if isinstance(value, list | dict))
    return value["items"] if isinstance(value, dict) else value


def without_an_item(records: list[Any]) -> None:
    longest = max(records, key=lambda record: len(inner_list(record)))
    del inner_list(longest)[1]


def without_items_of_one(records: list[Any]) -> None:
    inner_list(max(records, key=lambda record: len(inner_list(record)))).clear()


def without_items_of_any(records: list[Any]) -> None:
    for record in records:
        inner_list(record).clear()


def with_two_in_one(records: list[Any]) -> None:
    at = next(at for at in range(1, len(records)) if inner_list(records[at]))
    inner_list(records[at - 1]).extend(inner_list(records.pop(at)))


def with_an_item_of_another(records: list[Any]) -> None:
    longest = max(records, key=lambda record: len(inner_list(record)))
    inner_list(records[records.index(longest) - 1]).append(inner_list(longest).pop())


HARMS = [without_an_item, without_items_of_one, without_items_of_any, with_two_in_one, with_an_item_of_another]


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("name", sorted(name for name, one in NESTED.items() if one.schema["type"] == "array"))
def test_an_answer_with_one_thing_wrong_in_its_lists_is_never_complete(name: str):
    page = NESTED[name].page(3)
    shown = open_page(page.html, page.url)
    for harm in HARMS:
        records = copy.deepcopy(page.records)
        harm(records)
        answers = [json.dumps(records)]
        agent = ExtractionSubAgent(FunctionModel(lambda _, said=answers: said[0]), sleep=lambda _: None)
        result = asyncio.run(agent.extract(shown.text, None, page.schema, units=shown.units))
        assert result.is_partial, harm.__name__


COURSES: list[Any] = [
    {
        "course": f"{craft} course",
        "dates": [{"start": f"{day} {month} 2025", "places": day // 2} for day, month in days],
    }
    for craft, days in (
        ("Pottery", [(4, "May"), (9, "Jun")]),
        ("Joinery", [(6, "Jan")]),
        ("Weaving", [(8, "Feb"), (12, "Mar"), (21, "Oct")]),
        ("Drawing", [(14, "Apr"), (25, "Nov")]),
    )
]
COURSE_SCHEMA = list_of(object_of(course=TEXT, dates=list_of(object_of(start=TEXT, places=INTEGER))))


def courses_table() -> str:
    lines = ""
    for one in COURSES:
        head = f"<td rowspan='{len(one['dates'])}'>{one['course']}</td>"
        rows_of = [f"<td>{date['start']}</td><td>{date['places']}</td></tr>" for date in one["dates"]]
        lines += f"<tr>{head}{'<tr>'.join(rows_of)}"
    return f"<table><tr><th>Course</th><th>Start</th><th>Places</th></tr>{lines}</table>"


@pytest.mark.req("CM-1")
def test_a_row_below_a_cell_over_several_rows_may_not_be_left_out(tmp_path: Path):
    whole, _ = run(tmp_path / "whole", courses_table(), COURSE_SCHEMA, COURSES)
    assert whole.status == "complete"
    for at in (0, 2, 3):
        short = copy.deepcopy(COURSES)
        del short[at]["dates"][0]
        result, _ = run(tmp_path / f"short{at}", courses_table(), COURSE_SCHEMA, short)
        assert result.status == "partial"


@pytest.mark.req("CM-1", "EX-6")
def test_a_record_again_does_not_stand_for_one_of_its_name_that_lists_more(tmp_path: Path) -> None:
    given = [
        {"name": "Blue Sofa", "parts": ["heavy 6"]},
        {"name": "Slate Desk", "parts": ["glass 9", "glass 4"]},
        {"name": "Steel Mug", "parts": ["light 1"]},
    ]
    lost = {"name": "Blue Sofa", "parts": ["wood 8", "heavy 6", "light 7"]}
    body = "".join(f"<section><h3>{one['name']}</h3>{bullets(*one['parts'])}</section>" for one in [*given, lost])
    result, _ = run(tmp_path, body, list_of(object_of(name=TEXT, parts=list_of(TEXT))), given)
    assert result.status == "partial"
    assert result.extraction is not None
    assert [one.text for one in result.extraction.completeness.missing] != []


NOTE = object_of(by=TEXT, text=TEXT, replies=list_of({"$ref": "#/$defs/note"}))
NOTES_SCHEMA = list_of({"$ref": "#/$defs/note"}) | {"$defs": {"note": NOTE}}


def note(by: str, text: str, *replies: Any) -> dict[str, Any]:
    return {"by": by, "text": text, "replies": [*replies]}


def notes(*without: str) -> list[Any]:
    """Give a thread of comments, without those of some people."""
    tobi = note("tobi", "Mine works now.", note("lin", "Which oil was that?", note("ruben", "Camellia, a drop.")))
    mara = note(
        "mara",
        "The lock is hard.",
        *(one for one in (tobi, note("pia", "I had it replaced.")) if one["by"] not in without),
    )
    return [
        one
        for one in (mara, note("oskar", "A new key helped.", note("sade", "Where is it from?")))
        if one["by"] not in without
    ]


def quoted(one: dict[str, Any]) -> str:
    return (
        f"<blockquote><p><b>{one['by']}</b></p><p>{one['text']}</p>{''.join(map(quoted, one['replies']))}</blockquote>"
    )


def quoted_in_a_line(one: dict[str, Any]) -> str:
    return f"<blockquote><b>{one['by']}</b>: {one['text']}{''.join(map(quoted_in_a_line, one['replies']))}</blockquote>"


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("write", [quoted, quoted_in_a_line])
def test_quoted_replies_to_replies_are_none_that_a_list_of_replies_lacks(tmp_path: Path, write: Any) -> None:
    result, prompts = run(tmp_path, f"<h1>Locks</h1>{''.join(map(write, notes()))}", NOTES_SCHEMA, notes())
    assert result.extraction is not None and result.extraction.data == notes()
    assert (result.status, len(prompts)) == ("complete", 1)


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize(("write", "lost"), [(quoted, "pia"), (quoted, "oskar"), (quoted_in_a_line, "oskar")])
def test_a_quoted_comment_that_a_model_leaves_out_is_missing(tmp_path: Path, write: Any, lost: str) -> None:
    result, _ = run(tmp_path, f"<h1>Locks</h1>{''.join(map(write, notes()))}", NOTES_SCHEMA, notes(lost))
    assert result.extraction is not None and result.extraction.data == notes(lost)
    assert result.status == "partial"
    assert any(lost in one.text for one in result.extraction.completeness.missing)


@pytest.mark.req("CM-1", "EX-6")
@pytest.mark.parametrize("lost", [0, 3, 7, 13])
def test_a_record_of_two_typed_side_by_side_in_a_line_may_not_be_left_out(tmp_path: Path, lost: int) -> None:
    stops = [
        {"stop": f"{name} Road", "bay": at * 3 + 1}
        for at, name in enumerate(["Abbey", "Bath", "Cole", "Dock", "Elm", "Fore", "Gate"])
    ]
    others = [
        {"stop": f"{name} Lane", "bay": at * 2 + 1}
        for at, name in enumerate(["Hill", "Inn", "Jay", "Kiln", "Lock", "Mill", "Nest"])
    ]
    pairs = zip(stops, others, strict=True)
    typed = "\n".join("     ".join(f"{one['stop']:<16}{one['bay']:>3}" for one in pair) for pair in pairs)
    records = [one for pair in zip(stops, others, strict=True) for one in pair]
    answer = [one for at, one in enumerate(records) if at != lost]
    result, _ = run(tmp_path, f"<h1>Stops</h1><pre>{typed}</pre>", list_of(object_of(stop=TEXT, bay=NUMBER)), answer)
    assert result.extraction is not None and result.extraction.data == answer
    assert result.status == "partial"
    [missing] = result.extraction.completeness.missing
    assert missing.text.split() == f"{records[lost]['stop']} {records[lost]['bay']}".split()
