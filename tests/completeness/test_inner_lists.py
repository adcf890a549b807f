"""Parts of other values, and elements that another field says, too, are nothing that a record's list lacks (CM-1)."""

import asyncio
import json
from typing import Any

import pytest
from gleaner.extraction import ExtractionResult, ExtractionSubAgent
from gleaner.markdown.pages import clean_page
from gleaner.testing import FunctionModel

FIELDS = {name: {"type": "string"} for name in ("name", "about")}
SKILLS = {"type": "array", "items": {"type": "string"}}
SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {"type": "object", "properties": {**FIELDS, "remote": {"type": "boolean"}, "skills": SKILLS}},
}
ABOUT = "Likes the river and the town, asks why and reads on."
PEOPLE: list[dict[str, Any]] = [
    {"name": "Ada Roe", "remote": True, "skills": ["wool", "design", "oak"], "about": ABOUT},
    {"name": "Bo Lund", "remote": False, "skills": ["rye", "salt"], "about": ABOUT.replace("river", "harbour")},
    {"name": "Cy Ash", "remote": True, "skills": ["remote", "paint"], "about": ABOUT.replace("town", "sea")},
    {"name": "Di Oak", "remote": False, "skills": ["iron", "coal", "tin"], "about": ABOUT.replace("Likes", "Loves")},
]


def place_of(one: dict[str, Any]) -> str:
    return "Remote" if one["remote"] else "On-site"


def in_lines(one: dict[str, Any]) -> str:
    return f"<div><b>{one['name']}</b><br>{place_of(one)}<br>Skills: {', '.join(one['skills'])}<br>{one['about']}</div>"


def in_lists(one: dict[str, Any]) -> str:
    items = "".join(f"<li>{skill}</li>" for skill in one["skills"])
    return f"<div><h3>{one['name']}</h3><p>{place_of(one)}</p><ul>{items}</ul><p>{one['about']}</p></div>"


def lacks(write: Any, people: list[dict[str, Any]]) -> str:
    """Give what an answer is said to lack."""
    page = clean_page(f"<html><body><main>{''.join(map(write, PEOPLE))}</main></body></html>")
    model = FunctionModel(lambda _: json.dumps({"data": people, "skipped": []}))
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    result = asyncio.run(agent.extract(page.markdown, "all people", SCHEMA, units=page.units))
    return " ".join(error.message for error in result.errors)


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("write", [in_lines, in_lists])
def test_a_list_is_short_of_what_the_page_shows_and_of_nothing_else(write: Any) -> None:
    assert lacks(write, PEOPLE) == ""
    without = [{**one, "skills": [skill for skill in one["skills"] if skill != "coal"]} for one in PEOPLE]
    assert "coal" in lacks(write, without)


def extract(body: str, answer: Any, schema: dict[str, Any], *, claims: bool = False) -> ExtractionResult:
    """Give what comes of a page and a model that gives the same answer to each question, and passes over the rest."""
    page = clean_page(f"<html><body><main>{body}</main></body></html>")
    skipped = list(range(1, 40)) if claims else []
    model = FunctionModel(lambda _: json.dumps({"data": answer, "skipped": skipped}))
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    return asyncio.run(agent.extract(page.markdown, None, schema, units=page.units))


def list_of(**fields: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": fields}}


TEXT, NUMBER = {"type": "string"}, {"type": "number"}
TWO_LISTS = {
    "type": "object",
    "properties": {"board": list_of(name=TEXT, role=TEXT), "stock": list_of(name=TEXT, price=NUMBER)},
}
BOARD = [{"name": "Ida Holm", "role": "chair"}, {"name": "Per Aas", "role": "treasurer"}]
STOCK = [{"name": f"{wood} stool", "price": 20.5 + at} for at, wood in enumerate(["Oak", "Elm", "Ash", "Yew", "Fir"])]


def in_items(row: dict[str, Any]) -> str:
    return f"<li>{', '.join(str(value) for value in row.values())}</li>"


def in_paragraphs(row: dict[str, Any]) -> str:
    return f"<p>{', '.join(str(value) for value in row.values())}</p>"


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("write", [in_items, in_paragraphs])
@pytest.mark.parametrize(("name", "at", "claims"), [("board", 1, False), ("stock", 2, False), ("stock", 2, True)])
def test_neither_of_two_lists_is_short_in_silence(write: Any, name: str, at: int, claims: bool) -> None:
    lists = {"board": BOARD, "stock": STOCK}
    box = "<ul>{}</ul>" if write is in_items else "{}"
    body = "".join(f"<h2>{name}</h2>{box.format(''.join(map(write, rows)))}" for name, rows in lists.items())
    assert not extract(body, lists, TWO_LISTS).is_partial
    short = {**lists, name: [row for row in lists[name] if row is not lists[name][at]]}
    assert extract(body, short, TWO_LISTS, claims=claims).is_partial


ORDER = list_of(number=TEXT, day=TEXT, lines=list_of(thing=TEXT, count=NUMBER, price=NUMBER))
ORDERS = [
    {
        "number": f"P-10{at}",
        "day": f"2026-02-0{at + 1}",
        "lines": [
            {"thing": f"{name} {kind}", "count": 2 + at + more, "price": 11.25 + 7 * at + more}
            for more, kind in enumerate(["cup", "plate", "bowl", "jug"][: 2 + at])
        ],
    }
    for at, name in enumerate(["Blue", "Green", "White"])
]


@pytest.mark.req("EX-6")
def test_what_stands_below_the_last_heading_is_the_last_records_own() -> None:
    body = "".join(
        f"<p><b>{one['number']}</b>, {one['day']}</p>"
        + "".join(f"<p>{row['thing']}, {row['count']}, {row['price']:.2f} €</p>" for row in one["lines"])
        for one in ORDERS
    )
    whole = extract(body, ORDERS, ORDER)
    assert whole.data == ORDERS
    assert not whole.is_partial
    for order in (0, 2):
        short = json.loads(json.dumps(ORDERS))
        lost = short[order]["lines"].pop(1)["thing"]
        assert lost in " ".join(error.message for error in extract(body, short, ORDER).errors)


@pytest.mark.req("CM-1")
def test_the_name_that_several_texts_of_a_definition_list_stand_below_is_none_of_them() -> None:
    people = ["Omar Kowalski", "Priya Okafor", "Sven Moreau"]
    said = "".join(f"<dd>{one}</dd>" for one in people)
    rest = "<dt>Status</dt><dd>Expired</dd>"
    body = f"<h1>Drill</h1><dl><dt>Number</dt><dd>US99277919</dd><dt>Inventor</dt>{said}{rest}</dl>"
    text = {"type": "string"}
    fields = {"title": text, "number": text, "status": text, "inventors": {"type": "array", "items": text}}
    schema = {"type": "object", "properties": fields}
    answer = {"title": "Drill", "number": "US99277919", "status": "Expired", "inventors": people}
    assert not extract(body, answer, schema).is_partial
    short = extract(body, {**answer, "inventors": people[:2]}, schema)
    assert short.is_partial
    assert "Sven Moreau" in short.errors[0].message


COMMENT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "author": {"type": "string"},
        "text": {"type": "string"},
        "replies": {"type": "array", "items": {"$ref": "#/$defs/comment"}},
    },
    "required": ["author", "text", "replies"],
}
THREAD: dict[str, Any] = {
    "author": "mara",
    "text": "The lock is hard to open.",
    "replies": [
        {
            "author": "tobi",
            "text": "Mine works since I oiled it.",
            "replies": [{"author": "lin", "text": "Which oil was that?", "replies": []}],
        },
        {"author": "pia", "text": "I had it replaced.", "replies": []},
    ],
}


def _boxed(comment: dict[str, Any]) -> str:
    inner = "".join(map(_boxed, comment["replies"]))
    return f"<div class=comment><b>{comment['author']}</b><p>{comment['text']}</p>{inner}</div>"


def _headed(comment: dict[str, Any], level: int = 1) -> str:
    inner = "".join(_headed(reply, level + 1) for reply in comment["replies"])
    return f"<h{level}>{comment['author']}</h{level}><p>{comment['text']}</p>{inner}"


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("write", [_boxed, _headed])
def test_a_thing_of_things_like_itself_is_whole_and_asked_about_once(write: Any) -> None:
    page, model = clean_page(f"<main>{write(THREAD)}</main>"), FunctionModel(lambda _: json.dumps(THREAD))
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    schema = {"$defs": {"comment": COMMENT}, "$ref": "#/$defs/comment"}
    result = asyncio.run(agent.extract(page.markdown, None, schema, units=page.units))
    assert (result.data, result.is_partial, len(model.prompts)) == (THREAD, False, 1)


@pytest.mark.req("CM-1")
def test_a_shop_of_lamps_is_no_lamp_itself() -> None:
    lamps = [{"name": name, "text": f"{name} of oak, at ${at}.50"} for at, name in enumerate(("Ash", "Elm", "Fir"))]
    html = "".join(f"<article><h3>{one['name']}</h3><p>{one['text']}</p></article>" for one in lamps)
    page = clean_page(f"<main><h1>Fir</h1>{html}</main>")
    items = {
        "type": "array",
        "items": {"type": "object", "properties": {name: {"type": "string"} for name in lamps[0]}},
    }
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "lamps": items}}
    model = FunctionModel(lambda _: json.dumps({"name": "Fir", "lamps": lamps[:2]}))
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    assert asyncio.run(agent.extract(page.markdown, None, schema, units=page.units)).is_partial
