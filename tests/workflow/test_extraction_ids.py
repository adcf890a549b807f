"""Extraction ids over real runs: what is registered, counted, reused and gathered."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.local.engine import scale_retry_waits
from gleaner.strategies import ExtractionCache, ExtractionStrategy
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord

Make = Callable[..., Gleaner]
URL = "https://shop.example/items"
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"label": {"type": "string"}, "cost": {"type": "number"}},
        "required": ["label", "cost"],
    },
}


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    scale_retry_waits(0)
    made: list[Gleaner] = []

    def build(model: Any = None, **options: Any) -> Gleaner:
        gleaner = Gleaner(model=model, home=tmp_path / "home", **options)
        made.append(gleaner)
        return gleaner

    yield build
    for gleaner in made:
        gleaner.close()
    scale_retry_waits(1)


def page(*rows: tuple[str, float]) -> str:
    body = "".join(f"<tr><td>{name}</td><td>${price:.2f}</td></tr>" for name, price in rows)
    return f"<title>Items</title><h1>Items</h1><table><tr><th>What</th><th>How much</th></tr>{body}</table>"


def knowing(*rows: tuple[str, float]) -> ScriptedModel:
    return ScriptedModel([TrueRecord({"label": name, "cost": price}, (name,)) for name, price in rows])


def strategies(gleaner: Gleaner) -> list[ExtractionStrategy]:
    items = ExtractionCache(gleaner.services.table, gleaner.tenant).list().items
    return [ExtractionStrategy.model_validate(item.data) for item in items]


LAMP, VASE, DISH = ("Larch lamp", 12.5), ("Gorse vase", 30.25), ("Fir dish", 8.75)


@pytest.mark.req("ST-2", "ST-1")
def test_an_extraction_that_ends_partial_is_registered_as_a_failure(make: Make) -> None:
    gleaner = make(FunctionModel(lambda _: json.dumps([{"label": "Larch lamp", "cost": 12.5}])))
    result = gleaner.extract_html(page(LAMP, VASE, DISH), URL, output_schema=SCHEMA)
    assert result.status == "partial"
    assert [(one.success_count, one.failure_count) for one in strategies(gleaner)] == [(0, 1)]


@pytest.mark.req("ST-2")
def test_an_extraction_that_finds_nothing_is_not_registered(make: Make) -> None:
    gleaner = make(FunctionModel(lambda _: "I would rather not."))
    result = gleaner.extract_html(page(LAMP, VASE, DISH), URL, output_schema=SCHEMA)
    assert result.status == "partial"
    assert strategies(gleaner) == []
    assert result.extraction is not None
    assert result.extraction.extraction_id is None


@pytest.mark.req("ST-2")
def test_an_id_that_is_begun_with_a_question_alone_carries_it_to_the_next_page(make: Make) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "The lamp costs $12.50."

    gleaner = make(FunctionModel(answer))
    question = "What does the larch lamp cost?"
    first = gleaner.extract_html(page(LAMP), URL, query=question, extraction_id="lamps")
    second = gleaner.extract_html(page(LAMP, VASE), URL + "?page=2", extraction_id="lamps")
    assert (first.status, second.status) == ("complete", "complete")
    assert question in asked[-1]
    assert len(asked) == 2
