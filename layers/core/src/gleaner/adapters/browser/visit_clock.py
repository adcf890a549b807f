"""The time limit of one visit: ``deadline_s`` shortens every wait in the browser (EX-9)."""

import time
from dataclasses import dataclass, field

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import BudgetExceeded, FetchTimeout, GleanerError

RESERVE_S = 1.0
"""Time kept of what is left for reading the page, half of it at most; not for waiting."""

GRACE_S = 0.5
"""What a visit may take beyond its end, before it is broken off."""


@dataclass(slots=True)
class VisitClock:
    """The time that a visit has for waiting until ``ends_at``, in epoch seconds; None is without end.

    ``cut_short`` is why the page may not be whole, when it is not: its type and what to say.
    """

    ends_at: float | None
    cut_short: tuple[ErrorType, str] | None = None
    _wait_until: float | None = field(init=False)

    def __post_init__(self) -> None:
        left = None if self.ends_at is None else self.ends_at - time.time()
        self._wait_until = None if left is None else time.monotonic() + left - min(RESERVE_S, left / 2)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing more is to be waited for."""
        return self._wait_until is not None and time.monotonic() >= self._wait_until

    def shortened(self, wanted_s: float) -> float:
        """Give the wait, or what is left when that is less."""
        return wanted_s if self._wait_until is None else max(0.001, min(wanted_s, self._wait_until - time.monotonic()))

    def cut(self, said: str) -> str:
        """Note that what the page still loads is not waited for; give the words, with ``deadline_s`` if it is over."""
        said = f"{said} (deadline_s)" if self.is_over else said
        kind: type[GleanerError] = BudgetExceeded if self.is_over else FetchTimeout
        self.cut_short = self.cut_short or (kind(said).error_type, said)
        return said

    def break_off(self, said: str) -> str:
        """Note that the page came in part, for a reason that has nothing to do with time; give the words."""
        self.cut_short = self.cut_short or (ErrorType.UNSUPPORTED_CONTENT, said)
        return said


def seconds_until(ends_at: float | None, most_s: float) -> float:
    """Give the seconds until an epoch second with the grace, ``most_s`` at most; 0 when it is over."""
    return most_s if ends_at is None else max(0.0, min(most_s, ends_at + GRACE_S - time.time()))
