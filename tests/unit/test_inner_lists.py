"""Parts of other values, and elements that another field says, too, are nothing that a record's list lacks (CM-1)."""

import asyncio
import json
from typing import Any

import pytest
from gleaner.extraction import ExtractionSubAgent
from gleaner.markdown import clean_page
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
