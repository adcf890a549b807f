"""A text that goes on beside what an answer gave of it is asked about once, where the other records tell."""

import asyncio
import json
from typing import Any

import pytest
from gleaner.extraction import ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import FunctionModel

WHOLE = ["Red Velvet Armchair", "Blue Stool", "Green Sofa", "Oak Bench"]
CARDS = "".join(f"<li><h3>{name}</h3><p>{20 + at} EUR</p></li>" for at, name in enumerate(WHOLE))
ROWS = "".join(f"<tr><td>{name}</td><td>{20 + at} EUR</td></tr>" for at, name in enumerate(WHOLE))
INLINE = "".join(f"<li>{name} by Ada, {20 + at} EUR</li>" for at, name in enumerate(WHOLE))
PAGES = [f"<ul>{CARDS}</ul>", f"<table><tr><th>Name</th><th>Price</th></tr>{ROWS}</table>", f"<ul>{INLINE}</ul>"]
ITEM = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}, "required": ["name"]}


def records(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "price": 20 + at} for at, name in enumerate(names)]


def extract(html: str, *answers: Any) -> tuple[Any, FunctionModel]:
    """Give what is made of the answers, the last of which is given again and again, and the model."""
    left = list(answers)
    model = FunctionModel(lambda _: json.dumps(left.pop(0) if len(left) > 1 else left[0]))
    page = open_page(html)
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    done = agent.extract(page.text, "all things", {"type": "array", "items": ITEM}, units=page.units)
    return asyncio.run(done).data, model


@pytest.mark.req("EX-4", "PR-1")
@pytest.mark.parametrize("html", PAGES)
@pytest.mark.parametrize("cut", ["Red Velvet", "Velvet Armchair", "Velvet"])
def test_a_text_cut_in_one_record_is_asked_about_and_becomes_whole(html: str, cut: str) -> None:
    data, model = extract(html, records(cut, *WHOLE[1:]), records(WHOLE[0]))
    assert (data, len(model.prompts)) == (records(*WHOLE), 2)
    assert "/name: the text goes on" in model.prompts[1]


@pytest.mark.req("EX-4", "PR-1")
@pytest.mark.parametrize("html", PAGES)
def test_a_text_that_is_given_again_stays_and_is_not_asked_about_a_third_time(html: str) -> None:
    kept = records("Velvet Armchair", *WHOLE[1:])
    data, model = extract(html, kept, kept)
    assert (data, len(model.prompts)) == (kept, 2)


@pytest.mark.req("EX-4")
@pytest.mark.parametrize("other", ["Red Velvet Armchair by Ada", "Red Velvet Divan"])
def test_only_a_longer_text_of_the_same_record_takes_a_cut_ones_place(other: str) -> None:
    again = [{"name": other, "price": 77}]
    data, _ = extract(PAGES[2], records("Red Velvet", *WHOLE[1:]), again)
    assert {**data[0], "name": ""} == {"name": "", "price": 20}
    assert data[0]["name"] == ("Red Velvet" if "Divan" in other else other)


@pytest.mark.req("EX-4")
@pytest.mark.parametrize(
    "html",
    [
        PAGES[1].replace("Red Velvet Armchair", "Red Velvet <b>Armchair</b>"),
        PAGES[2].replace("Red Velvet Armchair by", "Red Velvet 20 EUR by"),
        PAGES[0].replace("Red Velvet Armchair", "We love Red Velvet"),
        PAGES[2].replace("Velvet Armchair by Ada,", "Velvet Price:"),
    ],
    ids=["an element ends it", "another value", "a sentence", "a label"],
)
def test_a_text_that_ends_where_something_else_begins_is_whole(html: str) -> None:
    _, model = extract(html, records("Red Velvet", *WHOLE[1:]))
    assert len(model.prompts) == 1


@pytest.mark.req("EX-4")
def test_texts_that_go_on_in_several_records_are_the_schemas_wish() -> None:
    cut = [name.split()[0] for name in WHOLE]
    _, model = extract(PAGES[0], records(*cut[:2], *WHOLE[2:]))
    assert len(model.prompts) == 1


TEAM = (
    "<h1>New York Jets</h1><p>Coach: Ada Lund</p><p>Stadium: Blue Hall, Oslo</p><p>Colour: dark green</p>"
    "<table><tr><td>Owner</td><td>Bo Tran Ltd</td></tr><tr><td>City</td><td>New York</td></tr></table>"
)
TEAM_SAID = {
    "name": "New York Jets",
    "coach": "Ada Lund",
    "stadium": "Blue Hall",
    "colour": "dark green",
    "owner": "Bo Tran Ltd",
}


def extract_one(html: str, *answers: dict[str, Any]) -> tuple[Any, int]:
    left = list(answers)
    model = FunctionModel(lambda _: json.dumps(left.pop(0) if len(left) > 1 else left[0]))
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in answers[0]}}
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    page = open_page(html)
    return asyncio.run(agent.extract(page.text, None, schema, units=page.units)).data, len(model.prompts)


@pytest.mark.req("EX-4", "PR-1")
@pytest.mark.parametrize(
    ("field", "cut"),
    [("name", "Jets"), ("coach", "Ada"), ("stadium", "Hall"), ("colour", "green"), ("owner", "Bo Tran")],
)
def test_a_part_of_what_stands_behind_a_label_or_heads_the_page_is_asked_about(field: str, cut: str) -> None:
    wrong = {**TEAM_SAID, field: cut}
    assert extract_one(TEAM, wrong, {**TEAM_SAID, "coach": "Cy", field: TEAM_SAID[field]}) == (TEAM_SAID, 2)
    assert extract_one(TEAM, wrong, wrong) == (wrong, 2)


@pytest.mark.req("EX-4")
@pytest.mark.parametrize(
    ("html", "said"),
    [
        (TEAM, TEAM_SAID),
        ("<h1>About Oak Mill</h1><p>Oak Mill today employs 12 people</p>", {"name": "Oak Mill"}),
        ("<h1>Oak Mill in the woods</h1>", {"name": "Oak Mill"}),
        ("<h1>New York Jets</h1><p>They are from New York.</p>", {"city": "New York", "name": "New York Jets"}),
        ("<h1>Ada Lund Trophy</h1><p>Winner: Ada Lund, Oslo</p>", {"winner": "Ada Lund"}),
        ("<p>Coach: Ada Lund Team: Jets</p>", {"coach": "Ada Lund", "team": "Jets"}),
        ("<p>Coach: Ada Lund since 2019</p>", {"coach": "Ada Lund"}),
    ],
)
def test_a_whole_text_costs_one_call(html: str, said: dict[str, Any]) -> None:
    assert extract_one(html, said) == (said, 1)
