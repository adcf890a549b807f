"""The caps of a request, held across parallel calls: each call reserves before it starts and settles after (EX-9).

A reservation is the prompt's tokens and a modest guess at the answer's; the answer itself is limited to what the caps
leave. So spending passes a cap by the calls in flight at the most, and a call whose prompt alone does not fit is not
made. Money is counted in whole millionths of a US dollar, so that counters can be added atomically.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from gleaner.errors import BudgetExceeded
from gleaner.models import Budget
from gleaner.ports import ModelAnswer, ModelRequest, TableStore
from gleaner.prices import Price

LEAST_ANSWER = 64
"""Tokens of answer below which a call is not worth making."""

MOST_TOKENS = 100_000_000
"""No call reads or writes so many; a provider that reports more reports nothing."""

Amounts = Mapping[str, int]


class BudgetLedger(Protocol):
    """Counters of ``tokens`` and ``usd_micros`` that many writers add to."""

    def add(self, amounts: Amounts, ceilings: Amounts | None = None) -> Amounts | None:
        """Add all amounts at once and give the new totals; None, and nothing added, when one would pass its ceiling."""
        ...


class MemoryLedger:
    """The counters of one process."""

    def __init__(self) -> None:
        self._totals: dict[str, int] = {}
        self._lock = threading.Lock()

    def add(self, amounts: Amounts, ceilings: Amounts | None = None) -> Amounts | None:
        """Add all amounts at once, unless one would pass its ceiling."""
        with self._lock:
            totals = {**self._totals, **{name: self._totals.get(name, 0) + more for name, more in amounts.items()}}
            if any(totals.get(name, 0) > ceiling for name, ceiling in (ceilings or {}).items()):
                return None
            self._totals = totals
            return dict(totals)


class TableLedger:
    """The counters of one job in the table: ``BUDGET#job``, shared by all of its functions."""

    def __init__(self, table: TableStore, job: str) -> None:
        self._table = table
        self._key = f"BUDGET#{job}"

    def add(self, amounts: Amounts, ceilings: Amounts | None = None) -> Amounts | None:
        """Add all amounts at once, unless one would pass its ceiling."""
        data = self._table.add(self._key, "total", amounts, ceilings=ceilings)
        if data is None:
            return None
        return {name: value for name, value in data.items() if isinstance(value, int)}


@dataclass(frozen=True, slots=True)
class Cap:
    """A ledger and what it may reach; None is no limit. ``name`` is how messages call it."""

    ledger: BudgetLedger
    max_tokens: int | None = None
    max_usd: float | None = None
    name: str = "the request's budget"

    @property
    def ceilings(self) -> dict[str, int]:
        """The limits as the ledger counts."""
        limits: dict[str, int] = {}
        if self.max_tokens is not None:
            limits["tokens"] = self.max_tokens
        if self.max_usd is not None:
            limits["usd_micros"] = math.floor(self.max_usd * 1_000_000)
        return limits

    @property
    def shown(self) -> str:
        """The cap for a message: its name and its limits."""
        limits = {"max_tokens": self.max_tokens, "max_usd": self.max_usd}
        return f"{self.name} ({', '.join(f'{name} {limit}' for name, limit in limits.items() if limit is not None)})"


@dataclass(frozen=True, slots=True)
class Admission:
    """A call that may be made: the request within what is left, and what was reserved for it in each cap."""

    request: ModelRequest
    reserved: dict[str, int]
    input_tokens: int


def estimate_tokens(text: str) -> int:
    """Guess the tokens of a text, rather too few than too many: a quarter of its ASCII, two thirds of the rest.

    >>> estimate_tokens("four letters")
    3
    """
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / 4 + (len(text) - plain) / 1.5)


def with_counts(answer: ModelAnswer, request: ModelRequest) -> ModelAnswer:
    """Give the answer with its provider's counts of tokens, or with estimates where these can't be true.

    A cap that took nothing, less than nothing or all there is for a count would never be reached, or at once.
    """
    asked = estimate_tokens(request.system) + estimate_tokens(request.prompt)
    read = _believed(answer.input_tokens, asked)
    return replace(
        answer, input_tokens=read, output_tokens=_believed(answer.output_tokens, estimate_tokens(answer.text))
    )


def _believed(reported: object, estimated: int) -> int:
    return reported if isinstance(reported, int) and 0 < reported <= MOST_TOKENS else estimated


@dataclass(frozen=True, slots=True)
class BudgetGuard:
    """Lets model calls through while every cap and the deadline allow it.

    ``price`` is the model's; None when it has none known, and then no call is made under a cap in dollars.
    ``deadline`` is on the clock's scale, in seconds.
    """

    caps: tuple[Cap, ...] = ()
    price: Price | None = None
    deadline: float | None = None
    clock: Callable[[], float] = field(default=time.time)

    @classmethod
    def of(
        cls, budget: Budget, ledger: BudgetLedger, price: Price | None, *, started_at: float | None = None
    ) -> "BudgetGuard":
        """Make the guard of a request's budget; ``started_at`` is when its time began, in epoch seconds."""
        start = time.time() if started_at is None else started_at
        deadline = None if budget.deadline_s is None else start + budget.deadline_s
        return cls((Cap(ledger, budget.max_tokens, budget.max_usd),), price, deadline)

    def admit(self, request: ModelRequest) -> Admission:
        """Reserve for the call, or raise BudgetExceeded with the cap that stands in the way."""
        timeout_s = self._time_left(request.timeout_s)
        prompt = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        likely = min(request.max_output_tokens, max(LEAST_ANSWER, prompt // 2))
        for answer in (likely, min(likely, LEAST_ANSWER)):
            reserved = self._amounts(prompt, answer)
            left = self._reserve(reserved)
            if left is not None:
                limit = self._answer_limit(left, answer)
                allowed = replace(request, timeout_s=timeout_s, max_output_tokens=min(request.max_output_tokens, limit))
                return Admission(allowed, reserved, prompt)
        raise BudgetExceeded(f"{self._names()} leaves no room for another model call of {prompt} tokens")

    def settle(self, admission: Admission, answer: ModelAnswer | None, *, was_read: bool = False) -> None:
        """Replace the reservation with what the call cost.

        ``answer`` is None when the call failed; ``was_read`` tells that the provider has read the prompt all the same
        (it timed out), and will want money for it.
        """
        if answer is None:
            spent = self._amounts(admission.input_tokens if was_read else 0, 0)
        else:
            counted = with_counts(answer, admission.request)
            spent = self._amounts(counted.input_tokens, counted.output_tokens)
        difference = {name: spent[name] - held for name, held in admission.reserved.items()}
        for cap in self.caps:
            cap.ledger.add(difference)

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Give the price of a call in US dollars; None when it is not known."""
        return None if self.price is None else self.price.cost(input_tokens, output_tokens)

    def _time_left(self, timeout_s: float) -> float:
        if self.deadline is None:
            return timeout_s
        left = self.deadline - self.clock()
        if left <= 0:
            raise BudgetExceeded("deadline_s has passed: no further model call is made")
        return min(timeout_s, left)

    def _amounts(self, input_tokens: int, output_tokens: int) -> dict[str, int]:
        usd = self.cost(input_tokens, output_tokens) or 0.0
        return {"tokens": input_tokens + output_tokens, "usd_micros": math.ceil(round(usd * 1_000_000, 3))}

    def _reserve(self, amounts: Amounts) -> dict[str, int] | None:
        """Reserve in every cap, or in none; give what is left under the tightest one."""
        left: dict[str, int] = {}
        for position, cap in enumerate(self.caps):
            if cap.max_usd is not None and self.price is None:
                raise BudgetExceeded(
                    "max_usd can't be held: the model has no known price; set GLEANER_LLM_INPUT_USD_PER_MILLION and "
                    "GLEANER_LLM_OUTPUT_USD_PER_MILLION"
                )
            totals = cap.ledger.add(amounts, cap.ceilings)
            if totals is None:
                for earlier in self.caps[:position]:
                    earlier.ledger.add({name: -amount for name, amount in amounts.items()})
                return None
            for name, ceiling in cap.ceilings.items():
                left[name] = min(left.get(name, ceiling), ceiling - totals.get(name, 0))
        return left

    def _answer_limit(self, left: Amounts, reserved: int) -> int:
        limits: list[float] = [reserved + left["tokens"]] if "tokens" in left else []
        if "usd_micros" in left and self.price is not None and self.price.output > 0:
            limits.append(reserved + left["usd_micros"] / self.price.output)
        return int(min(limits)) if limits else 1 << 31

    def _names(self) -> str:
        return " and ".join(cap.shown for cap in self.caps if cap.ceilings) or "the budget"
