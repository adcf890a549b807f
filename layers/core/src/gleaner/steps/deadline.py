"""Apply ``deadline_s`` to fetching and rendering (EX-9)."""

import time
from collections.abc import Generator
from contextlib import contextmanager

from gleaner.contracts.errors import BudgetExceeded, FetchTimeout, TransientError, UnreachableHost
from gleaner.jobs.jobs import Plan

LEAST_WAIT_S = 1.5
"""What the state machine may wait before it tries again: with less time left, it is not asked to."""

STOPPED_BY_TIME = (FetchTimeout, UnreachableHost, TransientError)


@contextmanager
def before_deadline(plan: Plan) -> Generator[float | None]:
    """Give the epoch second by which a page must be there, None without a deadline.

    BudgetExceeded when it is over, before or after what is done here.
    """
    ends_at = plan.deadline_at
    if ends_at is not None and time.time() >= ends_at:
        raise BudgetExceeded(f"deadline_s, {plan.request.budget.deadline_s:g} s, passed before the page was requested")
    try:
        yield ends_at
    except STOPPED_BY_TIME as error:
        if ends_at is None or time.time() + LEAST_WAIT_S < ends_at:
            raise
        limit = plan.request.budget.deadline_s
        raise BudgetExceeded(f"deadline_s, {limit:g} s, passed before the page was loaded: {error}") from error
