"""Waiting in the function for a provider that asks to slow down: where no state machine does, and near a deadline."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from gleaner.contracts.errors import RateLimited, TransientError
from gleaner.contracts.ports import Model, ModelAnswer, ModelRequest
from gleaner.extraction.calling import model_name

MOST_WAITS = 5
"""How often a call that the provider refuses for the moment is tried again."""


@dataclass(frozen=True, slots=True)
class PatientModel:
    """A model that waits when its provider asks it to: exponential backoff with full jitter, ``MOST_WAITS`` times.

    In the cloud the state machine does this, unless the deadline is near; in process there is none. ``sleep`` takes
    seconds; ``chance`` gives [0, 1). No wait goes past ``deadline`` (on the clock's scale).
    """

    model: Model
    initial_s: float = 1.0
    max_s: float = 30.0
    deadline: float | None = None
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    clock: Callable[[], float] = time.time

    @property
    def name(self) -> str:
        """The model's own name."""
        return model_name(self.model)

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer, waiting as long as it takes and is allowed; then the provider's error."""
        for attempt in range(MOST_WAITS):
            try:
                return self.model.answer(self._in_time(request))
            except TransientError as error:
                wait = self._wait(error, attempt)
                if self.deadline is not None and self.clock() + wait > self.deadline:
                    raise
                self.sleep(wait)
        return self.model.answer(self._in_time(request))

    def _in_time(self, request: ModelRequest) -> ModelRequest:
        """Give the request with the time that the waits have left of the deadline."""
        if self.deadline is None:
            return request
        return replace(request, timeout_s=max(0.001, min(request.timeout_s, self.deadline - self.clock())))

    def _wait(self, error: TransientError, attempt: int) -> float:
        asked = error.retry_after if isinstance(error, RateLimited) else None
        return max(min(asked or 0.0, self.max_s), min(self.max_s, self.initial_s * 2**attempt) * self.chance())
