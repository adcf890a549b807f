"""Models that callers bring: their own errors cost a call, and no chunk (LB-2, EX-5)."""

import json
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import ModelAnswer, ModelRequest

from tests.support.schemas import NUMBER, TEXT, list_of, object_of

LAMPS = [{"name": f"Lamp {number}", "price": number + 0.5} for number in range(1, 9)]
PAGE = "<ul>" + "".join(f"<li>{lamp['name']}: ${lamp['price']:.2f}</li>" for lamp in LAMPS) + "</ul>"
SCHEMA = list_of(object_of(name=TEXT, price=NUMBER))


class Stumbling:
    """Raises, or gives no answer, at its first calls."""

    def __init__(self, *stumbles: BaseException | None) -> None:
        self.stumbles = list(stumbles)
        self.calls = 0

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.calls += 1
        if self.stumbles:
            stumble = self.stumbles.pop(0)
            if stumble is not None:
                raise stumble
            return None  # type: ignore[return-value]
        return ModelAnswer(json.dumps([lamp for lamp in LAMPS if f"{lamp['name']}:" in request.prompt]), 10, 10, "end")


def extract(home: Path, model: Stumbling) -> ScrapeResult:
    with Gleaner(model=model, home=home) as gleaner:
        return gleaner.extract_html(PAGE, "https://lamps.example/", output_schema=SCHEMA, query="lamps")


@pytest.mark.req("EX-5")
@pytest.mark.parametrize("stumble", [ConnectionResetError("peer went away"), RuntimeError("boom"), SystemExit(3), None])
def test_a_model_that_stumbles_once_costs_one_call_more(tmp_path: Path, stumble: BaseException | None):
    model = Stumbling(stumble)
    result = extract(tmp_path, model)
    assert result.extraction is not None
    assert (result.status, result.extraction.data, model.calls) == ("complete", LAMPS, 2)


@pytest.mark.req("LB-2")
def test_a_model_that_only_raises_is_named_in_the_result(tmp_path: Path):
    result = extract(tmp_path, Stumbling(*[KeyError("choices")] * 9))
    assert result.status in {"partial", "failed"}
    assert result.extraction is not None
    assert "the model raised KeyError: 'choices'" in result.extraction.errors[0].message
