"""What a job may cost, and what is never paid for twice, over the whole state machine."""

import json
import re
import threading
import time
from collections.abc import Callable

import pytest
from gleaner import Gleaner
from gleaner.contracts.errors import RateLimited
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.models import ScrapeResult
from gleaner.jobs.jobs import JobRef
from gleaner.steps.aggregate import aggregate_results
from gleaner.testing import FunctionModel
from gleaner.tiers.outcomes import TableCache

from tests.support.schemas import NUMBER, TEXT, object_of

Make = Callable[..., Gleaner]

PAGE = (
    "<h1>Items</h1><table><tr><th>What</th><th>How much</th></tr>"
    + "".join(f"<tr><td>Item {number:03}</td><td>${number + 3}.40</td></tr>" for number in range(30))
    + "</table>"
)
ITEM = object_of("label", label=TEXT, cost=NUMBER)
REQUEST = {"output_schema": {"type": "array", "items": ITEM}, "config": {"tiers": ["model"]}}


def rows_in(prompt: str) -> list[dict[str, object]]:
    shown = re.findall(r"\| (Item \d+) \| \$([\d.]+) \|", prompt[prompt.index("<<<PAGE") :])
    return [{"label": label, "cost": float(cost)} for label, cost in shown]


def read(gleaner: Gleaner, **more: object) -> ScrapeResult:
    result = gleaner.extract_html(PAGE, "https://shop.example/items", **{**REQUEST, **more})
    assert result.extraction is not None
    return result


@pytest.mark.req("EX-4", "EX-8")
def test_answers_from_before_a_rate_limit_are_not_asked_for_again(make: Make) -> None:
    asked: list[int] = []

    def answer(prompt: str) -> str:
        rows = rows_in(prompt)
        asked.append(len(rows))
        if len(asked) == 2:
            raise RateLimited("slow down")
        return json.dumps(rows[:20] if len(rows) == 30 else rows)

    result = read(make(FunctionModel(answer)))
    assert result.status == "complete"
    assert asked == [30, 10, 10]


@pytest.mark.req("EX-8", "AU-1")
def test_one_tenant_does_not_read_what_another_has_paid_for(make: Make) -> None:
    models = [FunctionModel(lambda prompt: json.dumps(rows_in(prompt)), name="function:same") for _ in range(3)]
    for model, tenant in zip(models, ("one", "one", "other"), strict=True):
        read(make(model, tenant=tenant))
    assert [len(model.prompts) for model in models] == [1, 0, 1]


@pytest.mark.req("EX-8")
def test_an_answer_is_kept_for_as_long_as_the_settings_say() -> None:
    table = MemoryTable()
    TableCache(table, "tenant", 3).put("key", "text")
    item = table.get("CHUNK#tenant", "key")
    assert item is not None
    assert item.ttl == pytest.approx(time.time() + 3 * 86_400, abs=60)


@pytest.mark.req("EX-9")
@pytest.mark.parametrize(
    ("settings", "budget", "cap"),
    [
        ({}, {"max_usd": 0.001}, "max_usd 0.001"),
        ({}, {"max_tokens": 100}, "max_tokens 100"),
        ({"daily_usd_cap": 0.001}, {}, "the installation's daily cap"),
    ],
)
def test_a_cap_that_leaves_no_room_is_named_and_no_call_is_made(
    make: Make, settings: dict[str, float], budget: dict[str, float], cap: str
) -> None:
    model = FunctionModel(lambda prompt: json.dumps(rows_in(prompt)), name="openai:gpt-4.1")
    prices = {"input_usd_per_million": 1_000, "output_usd_per_million": 2_000}
    gleaner = make(model, **prices, **settings)
    result = read(gleaner, budget=budget)
    assert result.status == "partial"
    assert model.prompts == []
    assert result.extraction is not None
    assert cap in result.extraction.errors[0].message

    paid = read(make(model, **prices))
    assert paid.extraction is not None
    usage = paid.extraction.usage
    assert usage.usd == pytest.approx((usage.input_tokens * 1_000 + usage.output_tokens * 2_000) / 1_000_000)


@pytest.mark.req("EX-9")
def test_after_the_deadline_no_model_is_asked(make: Make) -> None:
    model = FunctionModel(lambda prompt: json.dumps(rows_in(prompt)))
    result = read(make(model), budget={"deadline_s": 0.001})
    assert result.status == "partial"
    assert model.prompts == []
    assert result.extraction is not None
    assert "deadline_s" in result.extraction.errors[0].message


@pytest.mark.req("EX-3", "WF-1")
def test_as_many_chunks_are_asked_about_at_once_as_the_request_says(make: Make) -> None:
    lock, together, running = threading.Lock(), threading.Event(), list[int]([0])

    def answer(prompt: str) -> str:
        with lock:
            running.append(running[-1] + 1)
            if running[-1] == 2:
                together.set()
        together.wait(60)
        threading.Event().wait(0.05)  # a third call would come now, if it were let
        with lock:
            running.append(running[-1] - 1)
        return json.dumps(rows_in(prompt))

    config = {"tiers": ["model"], "max_chunk_chars": 220, "max_concurrent_chunks": 2}
    read(make(FunctionModel(answer)), config=config)
    assert max(running) == 2


@pytest.mark.req("WF-1", "MG-2")
def test_the_last_step_run_once_more_gives_the_same_bytes(make: Make) -> None:
    gleaner = make(FunctionModel(lambda prompt: json.dumps(rows_in(prompt))))
    ref = JobRef(read(gleaner).job_id)
    stored = gleaner.services.blobs.read(ref.key("result.json"))
    again = aggregate_results({"job": ref.to_json()}, gleaner.services)
    assert again["status"] == "complete"
    assert gleaner.services.blobs.read(ref.key("result.json")) == stored
