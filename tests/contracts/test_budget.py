"""Caps that hold across parallel calls."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from gleaner.budget.guard import (
    LEAST_ANSWER,
    WAITS_S,
    BudgetGuard,
    Cap,
    MemoryLedger,
    TableLedger,
    estimate_tokens,
    with_counts,
)
from gleaner.budget.prices import FREE, Price, price_of
from gleaner.contracts.errors import BudgetExceeded, ModelRefused, ModelUnavailable
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.models import Budget
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.extraction.calling import Caller
from gleaner.extraction.prompts import Question

pytestmark = pytest.mark.req("EX-9")

REQUEST = ModelRequest(system="s" * 40, prompt="p" * 360, max_output_tokens=1_000, timeout_s=60)


def guard(ledger: object = None, price: Price | None = FREE, **budget: float) -> BudgetGuard:
    return BudgetGuard.of(Budget.model_validate(budget), ledger or MemoryLedger(), price, started_at=0)  # type: ignore[arg-type]


class Silent:
    """A model that tells no tokens, or raises."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def answer(self, request: ModelRequest) -> ModelAnswer:
        if self.error:
            raise self.error
        return ModelAnswer("x" * 400)


def spent(ledger: MemoryLedger) -> dict[str, int]:
    """Give the counters, of which calls in flight hold nothing."""
    totals = {"tokens": 0, "usd_micros": 0, **(ledger.add({"tokens": 0}) or {})}
    assert not totals.pop("held_tokens", 0)
    assert not totals.pop("held_usd_micros", 0)
    return totals


LEDGERS = {"memory": MemoryLedger, "table": lambda: TableLedger(MemoryTable(), "job")}


@pytest.mark.parametrize("name", LEDGERS)
@pytest.mark.parametrize("answer", [30, 300, 1_000])
def test_parallel_calls_never_pass_a_cap_and_use_what_it_allows(name: str, answer: int) -> None:
    shared = replace(guard(LEDGERS[name](), max_tokens=5_000), sleep=lambda seconds: time.sleep(seconds / 50))
    calls: list[int] = []

    def call(_: int) -> None:
        try:
            admission = shared.admit(REQUEST)
        except BudgetExceeded:
            return
        time.sleep(0.001)
        calls.append(100 + min(answer, admission.request.max_output_tokens))
        shared.settle(admission, ModelAnswer("x", input_tokens=100, output_tokens=calls[-1] - 100))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(call, range(60)))
    assert 5_000 - 100 - LEAST_ANSWER <= sum(calls) <= 5_000


class Outrun:
    """A ledger from which another call takes a thousand tokens right after the first look at what is left."""

    def __init__(self, ledger: TableLedger) -> None:
        self.ledger, self.is_outrun = ledger, False

    def add(self, amounts: Any, ceilings: Any = None) -> Any:
        seen = self.ledger.add(amounts, ceilings)
        if not self.is_outrun:
            self.is_outrun = True
            self.ledger.add({"tokens": 1_000})
        return seen


@pytest.mark.parametrize("name", LEDGERS)
def test_a_call_that_is_overtaken_after_its_look_takes_only_what_is_left_then(name: str) -> None:
    ledger = LEDGERS[name]()
    shared = replace(guard(Outrun(ledger), max_tokens=1_400), sleep=lambda _: None)
    assert shared.admit(REQUEST).reserved["tokens"] <= 400
    assert (ledger.add({"tokens": 0}) or {})["tokens"] <= 1_400


def test_what_calls_in_flight_hold_is_waited_for_and_what_is_spent_is_not() -> None:
    ledger, waits = MemoryLedger(), list[float]()
    shared = guard(ledger, max_tokens=1_000)
    first = shared.admit(REQUEST)
    other = replace(shared, sleep=lambda seconds: (waits.append(seconds), shared.settle(first, None))[0])
    assert other.admit(REQUEST).request.max_output_tokens == 900
    assert len(waits) == 1
    full = guard(MemoryLedger(), max_tokens=1_000)
    full.settle(full.admit(REQUEST), ModelAnswer("x", 100, 890))
    with pytest.raises(BudgetExceeded):
        replace(full, sleep=lambda _: pytest.fail("nothing will be given back")).admit(REQUEST)


def test_what_a_killed_call_holds_is_not_waited_for_without_end() -> None:
    waits: list[float] = []
    shared = replace(guard(max_tokens=1_000), sleep=waits.append)
    shared.admit(REQUEST)
    with pytest.raises(BudgetExceeded):
        shared.admit(REQUEST)
    assert waits == [*WAITS_S]


def test_a_budget_of_no_tokens_admits_no_call() -> None:
    with pytest.raises(BudgetExceeded, match=r"max_tokens 0\).*its prompt has about \d+ tokens, .* at least \d+"):
        guard(max_tokens=0).admit(REQUEST)


def test_an_answer_is_limited_to_what_the_budget_leaves() -> None:
    assert guard(max_tokens=250).admit(REQUEST).request.max_output_tokens == 150
    assert guard(max_tokens=100_000).admit(REQUEST).request.max_output_tokens == 1_000


def test_dollars_limit_calls_and_answers() -> None:
    price = Price(1_000, 10_000)
    assert guard(price=price, max_usd=1.6).admit(REQUEST).request.max_output_tokens == 150
    with pytest.raises(BudgetExceeded, match=r"max_usd 0\.1"):
        guard(price=price, max_usd=0.1).admit(REQUEST)


def test_a_dollar_cap_without_a_price_says_how_to_set_one() -> None:
    with pytest.raises(BudgetExceeded, match="GLEANER_LLM_INPUT_USD_PER_MILLION"):
        guard(price=None, max_usd=5).admit(REQUEST)


def test_without_caps_an_unknown_price_is_no_obstacle() -> None:
    unlimited = guard(price=None)
    unlimited.settle(unlimited.admit(REQUEST), ModelAnswer("x", 100, 300))
    assert unlimited.cost(100, 300) is None


def test_a_failed_call_gives_its_reservation_back_and_a_timed_out_one_keeps_its_prompt() -> None:
    ledger = MemoryLedger()
    shared = guard(ledger, max_tokens=10_000)
    shared.settle(shared.admit(REQUEST), None)
    assert spent(ledger) == {"tokens": 0, "usd_micros": 0}
    shared.settle(shared.admit(REQUEST), None, was_read=True)
    assert spent(ledger) == {"tokens": 100, "usd_micros": 0}


def test_tokens_that_a_provider_does_not_report_are_estimated_so_that_the_cap_is_reached() -> None:
    shared = guard(max_tokens=1_000)
    with pytest.raises(BudgetExceeded):
        for _ in range(20):
            shared.settle(shared.admit(REQUEST), ModelAnswer("x" * 400))
    for answer in (ModelAnswer("x" * 400), ModelAnswer("", 100, 100), ModelAnswer("x" * 400, input_tokens=100)):
        ledger = MemoryLedger()
        shared = guard(ledger, max_tokens=1_000)
        shared.settle(shared.admit(REQUEST), answer)
        assert spent(ledger) == {"tokens": 200, "usd_micros": 0}


@pytest.mark.parametrize("count", [0, -5_000, 10**30, None, 2.5, "9"])
def test_a_count_that_can_not_be_true_neither_widens_a_cap_nor_ends_it(count: Any) -> None:
    answer = with_counts(ModelAnswer("x" * 400, count, count), REQUEST)
    assert (answer.input_tokens, answer.output_tokens) == (100, 100)
    ledger = MemoryLedger()
    shared = guard(ledger, max_tokens=1_000)
    shared.settle(shared.admit(REQUEST), ModelAnswer("x" * 400, count, count))
    assert spent(ledger) == {"tokens": 200, "usd_micros": 0}


def test_the_usage_of_a_model_that_counts_nothing_is_what_the_cap_counted() -> None:
    ledger = MemoryLedger()
    caller = Caller(Silent(), guard(ledger, Price(10, 10), max_tokens=9_999))
    caller.ask(Question("p" * 360))
    counted = spent(ledger)
    assert counted["tokens"] == caller.usage.input_tokens + caller.usage.output_tokens > 100
    assert caller.usage.usd == pytest.approx(counted["usd_micros"] / 1_000_000)


@pytest.mark.parametrize(
    ("error", "times"),
    [(ModelUnavailable("500"), 0), (ModelUnavailable("cut", was_read=True), 1), (ModelRefused(""), 1)],
)
def test_a_prompt_that_was_read_counts_although_no_answer_came(error: Exception, times: int) -> None:
    ledger = MemoryLedger()
    caller = Caller(Silent(error), guard(ledger, max_tokens=9_999))
    with pytest.raises(type(error)):
        caller.ask(Question("p" * 360))
    assert spent(ledger)["tokens"] >= 100 * times
    assert caller.usage.calls == times


def test_only_data_that_can_be_gone_on_with_is_kept_short_by_a_cap_that_has_room() -> None:
    wanted = replace(REQUEST, max_output_tokens=8_000)
    assert guard(max_tokens=99_999).admit(wanted).request.max_output_tokens == 8_000
    assert guard(max_tokens=99_999).admit(replace(wanted, schema={})).request.max_output_tokens == 1_024
    assert guard().admit(replace(wanted, schema={})).request.max_output_tokens == 8_000


def test_every_cap_is_settled_and_the_tightest_one_limits_the_answer() -> None:
    ledgers = [MemoryLedger(), MemoryLedger()]
    for limits in ((250, 9_999), (9_999, 250)):
        caps = tuple(Cap(ledger, max_tokens=limit) for ledger, limit in zip(ledgers, limits, strict=True))
        shared = BudgetGuard(caps, FREE)
        admission = shared.admit(REQUEST)
        assert admission.request.max_output_tokens == 150
        shared.settle(admission, None)
    shared.settle(shared.admit(REQUEST), ModelAnswer("x", 100, 30))
    assert [spent(ledger) for ledger in ledgers] == [{"tokens": 130, "usd_micros": 0}] * 2


def test_each_job_spends_from_its_own_budget() -> None:
    table = MemoryTable()
    assert TableLedger(table, "one").add({"tokens": 5}, {"tokens": 8}) == {"tokens": 5}
    assert TableLedger(table, "two").add({"tokens": 5}, {"tokens": 8}) == {"tokens": 5}
    assert TableLedger(table, "one").add({"tokens": 5}, {"tokens": 8}) is None
    item = table.get("BUDGET#one", "total")
    assert item and item.ttl and item.ttl > time.time() + 30 * 86_400, "it goes with its job, not before"


def test_the_deadline_stops_calls_and_shortens_their_timeout() -> None:
    now = [100.0]
    shared = BudgetGuard((), FREE, deadline=130.0, clock=lambda: now[0])
    assert shared.admit(REQUEST).request.timeout_s == 30
    now[0] = 131.0
    with pytest.raises(BudgetExceeded, match="deadline_s"):
        shared.admit(REQUEST)
    with pytest.raises(BudgetExceeded, match="deadline_s"):
        guard(deadline_s=600).admit(REQUEST)  # begun in 1970


def test_a_call_that_a_second_cap_refuses_is_not_counted_in_the_first() -> None:
    first, second = MemoryLedger(), MemoryLedger()
    shared = BudgetGuard((Cap(first, max_tokens=9_999), Cap(second, max_tokens=10, name="the daily cap")), FREE)
    with pytest.raises(BudgetExceeded, match="the daily cap"):
        shared.admit(REQUEST)
    assert spent(first) == {"tokens": 0, "usd_micros": 0}


def test_tokens_of_other_scripts_are_estimated_higher() -> None:
    assert estimate_tokens("a" * 400) == 100
    assert estimate_tokens("価" * 300) == 200


PRICES = {
    "bedrock:anthropic.claude-sonnet-4-5-20250929-v1:0": (3.0, 15.0),
    "bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0": (3.0, 15.0),
    "bedrock:arn:aws:bedrock:eu-west-1:1:inference-profile/eu.amazon.nova-lite-v1:0": (0.06, 0.24),
    "openai:gpt-4o-mini-2024-07-18": (0.15, 0.6),
    "openai:gpt-4o": (2.5, 10.0),
    "ollama:qwen3": (0.0, 0.0),
    "function:test": (0.0, 0.0),
}


@pytest.mark.parametrize("name", PRICES)
def test_the_price_of_a_known_model_is_found_by_its_name(name: str) -> None:
    price = price_of(name)
    assert price is not None
    assert (price.input, price.output) == PRICES[name]


@pytest.mark.parametrize(
    "name", [None, "", "MyModel", "openai:gpt-4o-audio-preview", "bedrock:anthropic.claude-opus-4-7"]
)
def test_a_model_that_only_resembles_a_known_one_has_no_price(name: str | None) -> None:
    assert price_of(name) is None


def test_configured_prices_override_the_table() -> None:
    assert price_of("openai:gpt-4o", input_usd=1.0, output_usd=2.0) == Price(1.0, 2.0)


class Overtaken(MemoryLedger):
    """A ledger whose first reservation comes too late."""

    is_first = True

    def add(self, amounts: Any, ceilings: Any = None) -> Any:
        if self.is_first and ceilings and any(amounts.values()):
            self.is_first = False
            return None
        return super().add(amounts, ceilings)


def test_what_one_cap_refuses_is_held_by_no_other() -> None:
    first, second = MemoryLedger(), Overtaken()
    shared = BudgetGuard((Cap(first, max_tokens=9_999), Cap(second, max_tokens=9_999)), FREE, sleep=lambda _: None)
    shared.settle(shared.admit(REQUEST), ModelAnswer("x", 100, 10))
    assert spent(first) == spent(second) == {"tokens": 110, "usd_micros": 0}


def test_a_cap_in_dollars_is_never_rounded_up() -> None:
    assert Cap(MemoryLedger(), max_usd=0.0000019).ceilings == {"usd_micros": 1}
