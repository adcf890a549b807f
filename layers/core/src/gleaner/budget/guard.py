"""Hold a request's limits across parallel calls: each reserves before it starts and settles after (EX-9).

A reservation is the prompt's tokens and the longest answer that the call is allowed, so that however many run side by
side, and however much their model talks, spending passes a cap by what the estimate of a prompt errs at the most. What
calls in flight hold and may give back is waited for; a call whose prompt alone does not fit is not made. Money is
counted in whole millionths of a US dollar, so that counters can be added atomically.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from gleaner.budget.prices import Price
from gleaner.contracts.errors import BudgetExceeded
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.items import DAY_S, count_of
from gleaner.contracts.models import Budget
from gleaner.contracts.ports import ModelAnswer, ModelRequest, TableStore

LEAST_ANSWER = 64
"""Tokens of answer below which a call is not worth making."""

LONG_ANSWER = 1_024
"""Tokens of answer that a call under a cap may take, or twice its prompt: data that is cut is continued; words are
given their whole length."""

WAITS_S = (0.05, 0.1, 0.2, 0.4, 0.8, *(1.0,) * 30)
"""How long the calls in flight are waited for, when they hold what this one needs. A killed one gives nothing back."""

MOST_TOKENS = 100_000_000
"""No call reads or writes so many; a provider that reports more reports nothing."""

HELD = "held_"

Amounts = Mapping[str, int]


class TableLedger:
    """The counters of one job in the table: ``BUDGET#job``, shared by all of its functions, kept as long as the job.

    They count ``tokens`` and ``usd_micros``; ``held_…`` is what calls in flight hold.
    """

    def __init__(self, table: TableStore, job: str, ttl_days: int = 30) -> None:
        self._table = table
        self._key = f"BUDGET#{job}"
        self._ttl_s = (ttl_days + 1) * DAY_S

    def add(self, amounts: Amounts, ceilings: Amounts | None = None) -> Amounts | None:
        """Add all amounts at once and give the new totals; None, and nothing added, when one would pass its ceiling."""
        if any(amounts.values()):
            ttl = int(time.time()) + self._ttl_s
            data = self._table.add(self._key, "total", amounts, ceilings=ceilings, ttl=ttl)
        else:  # to read costs less, and comes in no writer's way
            item = self._table.get(self._key, "total")
            data = item.data if item else {}
        if data is None:
            return None
        return {name: value for name, value in data.items() if isinstance(value, int)}

    def forget_held(self) -> None:
        """Wait no more for calls that are gone: what they held counts as spent, since they may have to be paid for."""
        item = self._table.get(self._key, "total")
        held = {name: -count_of(item.data, name) for name in item.data if name.startswith(HELD)} if item else {}
        if any(held.values()):
            self.add(held)


class MemoryLedger(TableLedger):
    """The counters of one process."""

    def __init__(self) -> None:
        super().__init__(MemoryTable(), "here")


@dataclass(frozen=True, slots=True)
class Cap:
    """A ledger and what it may reach; None is no limit. ``name`` is how messages call it."""

    ledger: TableLedger
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
    sleep: Callable[[float], None] = field(default=time.sleep)

    @classmethod
    def of(
        cls, budget: Budget, ledger: TableLedger, price: Price | None, *, started_at: float | None = None
    ) -> "BudgetGuard":
        """Make the guard of a request's budget; ``started_at`` is when its time began, in epoch seconds."""
        start = time.time() if started_at is None else started_at
        deadline = None if budget.deadline_s is None else start + budget.deadline_s
        return cls((Cap(ledger, budget.max_tokens, budget.max_usd),), price, deadline)

    def admit(self, request: ModelRequest) -> Admission:
        """Reserve for the call, or raise BudgetExceeded with the cap that stands in the way."""
        prompt = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        is_gone_on_with = self._ceilings and request.schema is not None
        most = min(request.max_output_tokens, max(LONG_ANSWER, 2 * prompt) if is_gone_on_with else 1 << 31)
        likely = min(most, max(LEAST_ANSWER, prompt // 2))
        for wait_s in (*WAITS_S, None):
            timeout_s = self._time_left(request.timeout_s)
            room, later = self._room(prompt)
            is_worth_waiting = wait_s is not None and room < likely <= later
            answer = min(most, room)
            if answer >= min(likely, LEAST_ANSWER) and not is_worth_waiting:
                reserved = self._amounts(prompt, answer)
                if self._reserve(reserved):
                    allowed = replace(request, timeout_s=timeout_s, max_output_tokens=answer)
                    return Admission(allowed, reserved, prompt)
            elif not is_worth_waiting:
                break
            self.sleep(wait_s or 0.0)
        raise BudgetExceeded(
            f"{self._names()} leaves no room for another model call: its prompt has about {prompt} tokens, and its "
            f"answer needs at least {min(likely, LEAST_ANSWER)}"
        )

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
            cap.ledger.add({**difference, **_held(admission.reserved, -1)})

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

    @property
    def _ceilings(self) -> bool:
        return any(cap.ceilings for cap in self.caps)

    def _room(self, prompt: int) -> tuple[int, int]:
        """Give the tokens of answer that the tightest cap leaves a prompt, now and once the calls in flight are over.

        Negative when the prompt alone does not fit.
        """
        now = later = 1 << 31
        for cap in self.caps:
            if cap.max_usd is not None and self.price is None:
                raise BudgetExceeded(
                    "max_usd can't be enforced: the model's price is unknown; set "
                    "GLEANER_LLM_INPUT_USD_PER_MILLION and GLEANER_LLM_OUTPUT_USD_PER_MILLION"
                )
            totals = cap.ledger.add(dict.fromkeys(cap.ceilings, 0)) or {}
            for name, ceiling in cap.ceilings.items():
                left = ceiling - totals.get(name, 0)
                now = min(now, self._answer(name, left, prompt))
                later = min(later, self._answer(name, left + max(0, totals.get(f"{HELD}{name}", 0)), prompt))
        return now, later

    def _answer(self, name: str, left: int, prompt: int) -> int:
        """Give the tokens of answer that so much of a counter is enough for, beside the prompt."""
        beside = left - self._amounts(prompt, 0)[name]
        each = 1.0 if name == "tokens" or self.price is None else self.price.output
        if beside < 0:
            return -1
        return min(1 << 31, int(beside / each)) if each > 0 else 1 << 31

    def _reserve(self, amounts: Amounts) -> bool:
        """Reserve in every cap, or in none; false when another call was faster."""
        held = {**amounts, **_held(amounts, 1)}
        for position, cap in enumerate(self.caps):
            if cap.ledger.add(held, cap.ceilings) is None:
                for earlier in self.caps[:position]:
                    earlier.ledger.add({name: -amount for name, amount in held.items()})
                return False
        return True

    def _names(self) -> str:
        return " and ".join(cap.shown for cap in self.caps if cap.ceilings) or "the budget"


def _held(amounts: Amounts, sign: int) -> dict[str, int]:
    return {f"{HELD}{name}": sign * amount for name, amount in amounts.items()}
