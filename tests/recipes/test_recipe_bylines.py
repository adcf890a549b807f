"""A name and a day in one sentence, learned from one page."""

from typing import Any

import pytest
from gleaner.recipes import learn, replay
from gleaner.recipes.learning import same_data

URL = "https://news.example/story/1"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "author": {"type": "string"},
        "published": {"type": "string", "format": "date"},
    },
}
FIRST: Any = {"title": "The mill", "author": "Ada Roe", "published": "2024-05-03"}
SECOND: Any = {"title": "The dam", "author": "Bo Larch, Jr.", "published": "2023-12-11"}


def page(title: str, line: str, more: str = "") -> str:
    return f"<html><body><main><h1>{title}</h1><p>{line}</p><p>It was a long year.</p>{more}</main></body></html>"


@pytest.mark.req("RC-1", "RC-2")
@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("By Ada Roe, May 3, 2024", "By Bo Larch, Jr., December 11, 2023"),
        ("Posted by Ada Roe on 2024-05-03", "Posted by Bo Larch, Jr. on 2023-12-11"),
    ],
)
def test_a_name_and_a_day_after_words_that_lead_to_them_are_learned_from_one_page(line: str, other: str) -> None:
    recipe = learn(page("The mill", line), URL, SCHEMA, FIRST)
    assert recipe is not None
    read = replay(recipe, page("The dam", other), URL, SCHEMA)
    assert same_data(read.data, SECOND)
    assert not read.doubts
    for strange in (line.replace("2024", "year"), line.replace("Ada Roe", ""), f"{line}, updated", line[3:]):
        assert replay(recipe, page("The dam", strange), URL, SCHEMA).doubts
    twice = page("The dam", other, f"<p>{line}</p>")
    assert replay(recipe, twice, URL, SCHEMA).doubts


@pytest.mark.req("RC-1")
def test_a_name_and_a_day_without_words_before_them_are_not() -> None:
    assert learn(page("The mill", "Ada Roe, May 3, 2024"), URL, SCHEMA, FIRST) is None
