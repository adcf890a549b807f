"""A cap is a cap, and what was found before it is kept: whole jobs of several chunks, one by one and side by side."""

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from gleaner.budget.guard import MemoryLedger, TableLedger
from gleaner.errors import ModelRefused, ModelUnavailable, RateLimited
from gleaner.extraction import ExtractionSubAgent
from gleaner.markdown import extract_clean_markdown
from gleaner.models import Budget, ExtractionConfig
from gleaner.ports import ModelAnswer, ModelRequest
from gleaner.testing import FunctionModel

from tests.promises.lamps import FORTY, IN_CHUNKS, LAMPS, URL, giving, page_of, read
from tests.support.asking import Make

ONE_BY_ONE = {**IN_CHUNKS, "max_concurrent_chunks": 1}
HTML = page_of(FORTY)


@dataclass
class Talkative:
    """A model that gives the right records and takes all the tokens that it may; ``requests`` is what it was asked."""

    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        read_tokens = -(-len(request.system + request.prompt) // 4)
        return ModelAnswer(str(giving(FORTY).fn(request.prompt)), read_tokens, request.max_output_tokens)


@pytest.mark.req("EX-9", "EX-5")
@pytest.mark.parametrize("config", [ONE_BY_ONE, IN_CHUNKS], ids=["one by one", "side by side"])
@pytest.mark.parametrize("cap", [2_500, 4_000])
def test_all_calls_together_stay_below_the_cap_and_what_they_found_is_kept(make: Make, config: Any, cap: int) -> None:
    status, extraction = read(make(Talkative()), HTML, config=config, budget={"max_tokens": cap})
    assert status == "partial"
    assert 0 < extraction.usage.input_tokens + extraction.usage.output_tokens <= cap
    assert {error.error_type for error in extraction.errors} >= {"budget_exceeded"}
    found = [one["name"] for one in extraction.data]
    assert 0 < len(found) < 40
    assert extraction.data == [one for one in FORTY if one["name"] in found]
    assert len(extraction.completeness.missing) == 40 - len(found)


@pytest.mark.req("EX-9")
def test_what_a_call_did_not_take_is_there_for_the_next_one(make: Make) -> None:
    """Each call reserves a long answer and gives a short one: room for one reservation is enough for all chunks."""
    free = read(make(giving(FORTY)), HTML, config=ONE_BY_ONE)[1].usage
    cap = free.input_tokens + free.output_tokens + 1_200
    status, extraction = read(
        make(giving(FORTY)), HTML, config=ONE_BY_ONE, budget={"max_tokens": cap, "deadline_s": 60}
    )
    assert (status, extraction.data, extraction.errors) == ("complete", FORTY, [])


@pytest.mark.req("EX-9")
def test_calls_that_have_ended_are_not_waited_for_when_there_is_no_more_room(make: Make) -> None:
    """A chunk for which no room is left fails by the cap at once; none waits for it until the deadline."""
    budget = {"max_tokens": 2_500, "deadline_s": 20}
    _, extraction = read(make(Talkative()), HTML, config=ONE_BY_ONE, budget=budget)
    told = [error.message for error in extraction.errors if error.error_type == "budget_exceeded"]
    assert len(told) >= 4
    assert all("max_tokens 2500" in message for message in told)


class LookingTogether:
    """Lets nobody reserve before so many have looked at what is left: the race that each would win by itself."""

    def __init__(self, count: int) -> None:
        self.barrier = threading.Barrier(count, timeout=30)
        self.looked = threading.local()

    def over(self, add: Callable[..., Any]) -> Callable[..., Any]:
        def look_or_add(ledger: Any, amounts: Mapping[str, int], ceilings: Any = None) -> Any:
            totals = add(ledger, amounts, ceilings)
            if not any(amounts.values()) and not getattr(self.looked, "once", False):
                self.looked.once = True
                with contextlib.suppress(threading.BrokenBarrierError):
                    self.barrier.wait()
            return totals

        return look_or_add


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    def patch(count: int) -> None:
        race = LookingTogether(count)
        for ledger in (MemoryLedger, TableLedger):
            monkeypatch.setattr(ledger, "add", race.over(ledger.add))

    yield patch


@pytest.mark.req("EX-9")
@pytest.mark.parametrize("door", ["library", "agent"])
def test_calls_that_looked_at_the_same_time_do_not_spend_the_same_tokens(
    make: Make, together: Callable[[int], None], door: str
) -> None:
    counted = giving(FORTY)
    read(make(counted), HTML, config=ONE_BY_ONE)
    together(len(counted.prompts))
    model = Talkative()
    if door == "library":
        read(make(model), HTML, config=IN_CHUNKS, budget={"max_tokens": 4_000})
    else:
        agent = ExtractionSubAgent(model, max_concurrent_chunks=8)
        config, budget = ExtractionConfig.model_validate(IN_CHUNKS), Budget(max_tokens=4_000)
        asyncio.run(agent.extract(extract_clean_markdown(HTML)[0], None, LAMPS, config=config, budget=budget))
    spent = [-(-len(one.system + one.prompt) // 4) + one.max_output_tokens for one in model.requests]
    assert len(spent) >= 2
    assert sum(spent) <= 4_000


@pytest.mark.req("EX-9")
def test_no_call_is_made_after_the_deadline(make: Make) -> None:
    model = Talkative()
    _, extraction = read(make(model), HTML, config=ONE_BY_ONE, budget={"deadline_s": 1e-6})
    assert model.requests == []
    assert "deadline_s" in extraction.errors[0].message


@pytest.mark.req("AP-1", "EX-9")
def test_a_job_that_is_called_off_asks_the_model_no_more(make: Make) -> None:
    steps: list[Any] = []

    def answer(prompt: str) -> str:
        gleaner.gateway.cancel(steps[-1]["job"]["job_id"])
        return str(giving(FORTY).fn(prompt))

    model = FunctionModel(answer)
    gleaner = make(model, on_step=lambda _function, _phase, payload: steps.append(payload))
    gleaner.extract_html(HTML, URL, output_schema=LAMPS, config=ONE_BY_ONE)
    assert len(model.prompts) == 1


HALF = FORTY[:20]
FAULTY = [{**one, "price": "cheap"} if one is FORTY[7] else one for one in FORTY]
MENDED = [{**one, "price": None} if one is FORTY[7] else one for one in FORTY]


@pytest.mark.req("EX-5", "EX-9")
@pytest.mark.parametrize(("first", "kept"), [(HALF, HALF), (FAULTY, MENDED)], ids=["half of the rows", "a wrong value"])
@pytest.mark.parametrize("error", [RateLimited("slow down"), ModelUnavailable("down"), ModelRefused("no")], ids=repr)
@pytest.mark.parametrize("door", ["library", "agent"])
def test_an_answer_that_was_paid_for_is_kept_when_the_next_call_fails_for_good(
    make: Make, door: str, error: Exception, first: Any, kept: Any
) -> None:
    def answer(prompt: str) -> str:
        if len(model.prompts) > 1:
            raise error
        return json.dumps(first)

    model = FunctionModel(answer)
    if door == "library":
        extraction = read(make(model), HTML)[1]
    else:
        agent = ExtractionSubAgent(model, sleep=lambda _: None)
        extraction = asyncio.run(agent.extract(extract_clean_markdown(HTML)[0], None, LAMPS))
    assert (extraction.is_partial, extraction.data) == (True, kept)
    assert len(extraction.completeness.missing) == 40 - len(kept)


TOWN = {"type": "object", "properties": {"town": {"type": "string"}, "founded": {"type": "integer"}}}


@pytest.mark.req("EX-5", "EX-9")
@pytest.mark.parametrize("door", ["library", "agent"])
def test_what_is_right_in_a_wrong_answer_is_kept_when_it_may_not_be_asked_again(make: Make, door: str) -> None:
    def answer(prompt: str) -> str:
        if len(model.prompts) > 1:
            raise ModelRefused("no more today")
        return json.dumps({"town": "Alder", "founded": "long ago"})

    model, text = FunctionModel(answer), "In 1901 the town of Alder was founded."
    if door == "library":
        extraction = read(make(model), f"<p>{text}</p>", output_schema=TOWN)[1]
    else:
        extraction = asyncio.run(ExtractionSubAgent(model).extract(text, None, TOWN))
    assert len(model.prompts) == 2
    assert (extraction.is_partial, extraction.data) == (True, {"town": "Alder"})


@pytest.mark.req("EX-8")
def test_an_answer_to_another_question_is_never_taken_from_the_cache(make: Make) -> None:
    gleaner = make(giving(FORTY))
    assert read(gleaner, HTML)[1].usage.calls == 1
    assert read(gleaner, HTML)[1].usage.calls == 0
    priced = {"type": "array", "items": {**LAMPS["items"], "required": ["name", "price"]}}
    for changed in ({"output_schema": priced}, {"query": "all lamps that are for sale"}):
        assert read(gleaner, HTML, **changed)[1].usage.calls == 1
