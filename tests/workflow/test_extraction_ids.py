"""Extraction ids over real runs: what is registered, counted, reused and gathered."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.errors import InvalidRequest
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.steps.aggregate import aggregate_results
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord

from tests.support.schemas import NUMBER, TEXT, list_of, object_of, records_of

Make = Callable[..., Gleaner]
URL = "https://shop.example/items"
SCHEMA = records_of(label=TEXT, cost=NUMBER)


def page(*rows: tuple[str, float]) -> str:
    body = "".join(f"<tr><td>{name}</td><td>${price:.2f}</td></tr>" for name, price in rows)
    return f"<title>Items</title><h1>Items</h1><table><tr><th>What</th><th>How much</th></tr>{body}</table>"


def knowing(*rows: tuple[str, float]) -> ScriptedModel:
    return ScriptedModel([TrueRecord({"label": name, "cost": price}, (name,)) for name, price in rows])


def strategies(gleaner: Gleaner) -> list[ExtractionStrategy]:
    items = ExtractionCache(gleaner.services.table, gleaner.tenant).list().items
    return [ExtractionStrategy.model_validate(item.data) for item in items]


@pytest.mark.req("ST-2")
@pytest.mark.parametrize("name", ["a/b", "a#b", "..", "a b", "ａｂ", "", "x" * 81, "a\n"])
def test_an_id_with_other_characters_is_refused_and_the_error_says_which_are_right(make: Make, name: str) -> None:
    with pytest.raises(InvalidRequest, match=r"extraction_id: an id has at most 80 letters, digits, _ and -"):
        make().extract_html(page(LAMP), URL, output_schema=SCHEMA, extraction_id=name)


LAMP, VASE, DISH = ("Larch lamp", 12.5), ("Gorse vase", 30.25), ("Fir dish", 8.75)


@pytest.mark.req("ST-2", "ST-1")
def test_an_extraction_that_ends_partial_is_registered_as_a_failure(make: Make) -> None:
    gleaner = make(FunctionModel(lambda _: json.dumps([{"label": "Larch lamp", "cost": 12.5}])))
    result = gleaner.extract_html(page(LAMP, VASE, DISH), URL, output_schema=SCHEMA)
    assert result.status == "partial"
    aggregate_results({"job": JobRef(result.job_id).to_json()}, gleaner.services)  # a step may run twice
    assert [(one.success_count, one.failure_count) for one in strategies(gleaner)] == [(0, 1)]


@pytest.mark.req("ST-2", "ST-1")
def test_the_next_page_under_an_id_is_narrowed_and_counted_as_the_first_was(make: Make) -> None:
    def two_lists(*rows: tuple[str, float]) -> str:
        return f"<div id=shop>{page(*rows)}</div><div>{page(('Ashen stool', 99.0), DISH)}</div>"

    gleaner = make(knowing(LAMP, VASE, DISH, ("Ashen stool", 99.0)))
    first = gleaner.extract_html(
        two_lists(LAMP, VASE), URL, output_schema=SCHEMA, css_selector="#shop", extraction_id="shop"
    )
    again = gleaner.extract_html(two_lists(VASE, DISH), URL, extraction_id="shop")
    for result, names in ((first, [LAMP, VASE]), (again, [VASE, DISH])):
        assert result.extraction is not None
        assert [record["label"] for record in result.extraction.data] == [name for name, _ in names]
        assert result.extraction.extraction_id == "shop"
    (one,) = strategies(gleaner)
    assert (one.id, one.css_selector, one.success_count) == ("shop", "#shop", 2)


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


def cards(*rows: tuple[str, float, str]) -> str:
    items = (f'<li class="jug"><b>{name}</b> <i>${price:.2f}</i> <u>{code}</u></li>' for name, price, code in rows)
    return f"<title>Jugs</title><h1>Jugs</h1><ul>{''.join(items)}</ul>"


JUGS = [(f"Jug {letter}", 10.5 + number, f"SKU-{number}{letter}") for number, letter in enumerate("ABCDEFGHIJKL")]
MUGS = [(f"Mug {letter}", 60.5 + number, f"MKU-{number}{letter}") for number, letter in enumerate("ABCDEFGHIJKL")]
PRICES = list_of(object_of(label=TEXT, cost=NUMBER))
CODES = list_of(object_of(heading=TEXT, code=TEXT))


def prices_of(*rows: tuple[str, float, str]) -> ScriptedModel:
    return ScriptedModel([TrueRecord({"label": name, "cost": price}, (name,)) for name, price, _ in rows])


def codes_of(*rows: tuple[str, float, str]) -> ScriptedModel:
    return ScriptedModel([TrueRecord({"heading": name, "code": code}, (name,)) for name, _, code in rows])


def learn_prices(make: Make) -> None:
    first = make(prices_of(*JUGS)).extract_html(cards(*JUGS), URL, output_schema=PRICES, extraction_id="jugs")
    assert first.extraction is not None
    assert (first.status, first.extraction.tier) == ("complete", "model")


@pytest.mark.req("ST-2", "RC-2")
@pytest.mark.parametrize("own", [{"output_schema": CODES}, {"output_schema": CODES, "query": "their codes"}])
def test_a_recipe_does_not_answer_for_another_schema_under_the_same_id(make: Make, own: dict[str, Any]) -> None:
    learn_prices(make)
    gleaner = make(codes_of(*MUGS))
    other = gleaner.extract_html(cards(*MUGS), URL + "?page=2", extraction_id="jugs", **own)
    assert other.extraction is not None
    assert other.extraction.data[0] == {"heading": "Mug A", "code": "MKU-0A"}
    assert other.extraction.extraction_id == "jugs"
    assert other.extraction.aggregate_summary == "24 unique records from 2 pages"
    kept = ExtractionCache(gleaner.services.table).get("jugs")
    assert kept is not None
    assert (kept.output_schema, kept.success_count) == (PRICES, 1)


@pytest.mark.req("ST-2", "RC-2")
def test_a_recipe_does_not_answer_for_another_question_under_the_same_id(make: Make) -> None:
    learn_prices(make)
    some = make(prices_of(*MUGS[:3])).extract_html(
        cards(*MUGS), URL + "?page=2", extraction_id="jugs", query="mugs for less than 63 dollars"
    )
    assert some.extraction is not None
    assert some.extraction.tier == "model"
    assert [record["label"] for record in some.extraction.data] == ["Mug A", "Mug B", "Mug C"]


@pytest.mark.req("ST-2", "RC-2")
def test_what_was_learned_for_an_own_schema_is_kept_for_it_and_apart(make: Make) -> None:
    learn_prices(make)
    for page_number, rows in ((2, MUGS), (3, JUGS[:7])):
        result = make(codes_of(*MUGS)).extract_html(
            cards(*rows), f"{URL}?page={page_number}", output_schema=CODES, extraction_id="jugs"
        )
        assert result.extraction is not None
        assert result.extraction.tier == ("model" if page_number == 2 else "recipe")
        assert result.extraction.data[0].keys() == {"heading", "code"}
    back = make().extract_html(cards(*MUGS[:5]), URL + "?page=4", extraction_id="jugs")
    assert back.extraction is not None
    assert (back.extraction.tier, back.extraction.data[0]) == ("recipe", {"label": "Mug A", "cost": 60.5})


@pytest.mark.req("ST-2", "AG-1")
def test_the_rule_of_what_is_the_same_record_holds_for_the_pages_that_follow(make: Make) -> None:
    gleaner = make(prices_of(*JUGS, *[(name, price + 5, code) for name, price, code in JUGS]))
    config = {"dedupe": "keys", "dedupe_keys": ["label"]}
    first = gleaner.extract_html(cards(*JUGS), URL, output_schema=PRICES, extraction_id="jugs", config=config)
    dearer = [(name, price + 5, code) for name, price, code in JUGS]
    second = gleaner.extract_html(cards(*dearer), URL + "?page=2", extraction_id="jugs")
    assert first.extraction is not None
    assert second.extraction is not None
    assert second.extraction.data[0]["cost"] == 15.5
    assert (second.extraction.aggregate_summary or "").startswith(
        "12 unique records from 2 pages; 12 more are the same"
    )
