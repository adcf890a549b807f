"""What a result says when no model was asked though one is there, and when its price is not known."""

from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner, ModelAnswer, ModelRequest
from gleaner.contracts.models import ExtractionError
from gleaner.testing import FunctionModel

PAGE = "<h1>Harbour</h1><p>High water at Leith 12:40.</p>"
SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}


def _error(home: Path, **fields: Any) -> ExtractionError:
    with Gleaner(model=FunctionModel(lambda _: "{}"), home=home) as gleaner:
        result = gleaner.extract_html(PAGE, "https://harbour.example/", output_schema=SCHEMA, **fields)
    assert result.status == "partial"
    assert result.extraction is not None
    return result.extraction.errors[0]


@pytest.mark.req("EX-2", "RC-4")
def test_tiers_that_leave_the_model_out_are_named_as_the_reason(tmp_path: Path) -> None:
    error = _error(tmp_path, config={"tiers": ["structured", "recipe"]})

    assert error.error_type == "no_model"
    assert "[structured, recipe]" in error.message
    assert "GLEANER_MODEL" not in error.message


@pytest.mark.req("CH-5", "EX-2")
def test_a_start_past_the_end_is_named_as_the_reason(tmp_path: Path) -> None:
    error = _error(tmp_path, start_from_char=10_000)

    assert error.error_type == "invalid_request"
    assert "start_from_char 10000 is past the page's Markdown, which has 37 characters" in error.message


@pytest.mark.req("EX-2", "EX-9")
def test_a_page_without_text_costs_no_call(tmp_path: Path) -> None:
    model = FunctionModel(lambda _: "{}")
    with Gleaner(model=model, home=tmp_path) as gleaner:
        result = gleaner.extract_html("<title>Shop</title><img src=a.png>", "https://e.example/", output_schema=SCHEMA)
    assert model.prompts == []
    assert result.status == "partial"
    assert result.extraction is not None
    assert "no text" in result.extraction.errors[0].message


@pytest.mark.req("GT-4")
def test_the_first_failure_without_a_model_says_what_is_there_and_how_to_read_it(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>Lamp {at}<td>{at}.50</tr>" for at in range(9))
    page = f"<table><tr><th>Name<th>Price</tr>{rows}</table>"
    fields = {"name": {"type": "string"}, "price": {"type": "number"}, "mood": {"type": "string"}}
    record = {"type": "object", "properties": fields, "required": ["mood"]}
    with Gleaner(model="none", home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            page, "https://lamps.example/a b", output_schema={"type": "array", "items": record}
        )
    assert result.extraction is not None
    assert result.extraction.declined == {"structured": "it has nothing for mood"}
    told = result.extraction.errors[0].message
    assert told.startswith("the page lists 9 records; ")
    assert "its table has name, price, and nothing that is called mood" in told
    assert "gleaner scrape 'https://lamps.example/a b' --schema FILE --model bedrock:MODEL_ID" in told
    assert "gleaner suggest 'https://lamps.example/a b'" in told


class PricelessModel:
    """A model of the caller's own, of which no price is known."""

    def answer(self, request: ModelRequest) -> ModelAnswer:
        assert request.prompt
        return ModelAnswer('{"mood": "High water"}', 1_000, 200, "end")


@pytest.mark.req("EX-9")
def test_a_price_that_is_not_known_is_told_as_none_and_not_as_nothing(tmp_path: Path) -> None:
    with Gleaner(model=PricelessModel(), home=tmp_path) as gleaner:
        result = gleaner.extract_html(PAGE, "https://harbour.example/", output_schema=SCHEMA)
    assert result.extraction is not None
    assert (result.extraction.usage.calls > 0, result.extraction.usage.usd) == (True, None)
    assert result.to_json()["extraction"]["usage"]["usd"] is None
