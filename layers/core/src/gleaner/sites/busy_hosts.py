"""Ask a busy host again when it says so: the wait that 429 and 503 ask for with Retry-After (AC-6, RFC 9110)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Protocol, TypeVar

from gleaner.contracts.errors import HttpStatusError

BUSY = frozenset((429, 503))
LONGEST_WAIT_S = 60.0
"""What is waited for a host in all: the function that probes a page has 120 s, the one that shows it 300 s."""

MOST_RETRIES = 3


class Answered(Protocol):
    """An answer of a host."""

    @property
    def status(self) -> int:
        """The HTTP status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by lower-case names."""
        ...


Answer = TypeVar("Answer", bound=Answered)
Page = TypeVar("Page")


def asked_wait_s(status: int, headers: Mapping[str, str], now: float) -> float | None:
    """Give the seconds that a busy host asks to wait, None where it asks for none; ``now`` is in epoch seconds.

    >>> asked_wait_s(429, {"retry-after": "7"}, 0), asked_wait_s(503, {}, 0), asked_wait_s(404, {"retry-after": "7"}, 0)
    (7.0, None, None)
    """
    said = headers.get("retry-after", "").strip()
    if status not in BUSY or not said:
        return None
    if said.isdecimal():
        return float(said[:9])
    try:
        date = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now)


@dataclass(slots=True)
class Patience:
    """How long and how often one host is still waited for; ``ends_at`` is the job's end in epoch seconds."""

    ends_at: float | None = None
    sleep: Callable[[float], None] = time.sleep
    left_s: float = LONGEST_WAIT_S
    retries: int = MOST_RETRIES

    def waits(self, wait_s: float | None) -> bool:
        """Wait as long as the host asks; False, at once, where it asks for nothing or for too much."""
        if wait_s is None or wait_s > self.left_s or not self.retries:
            return False
        if self.ends_at is not None and time.time() + wait_s >= self.ends_at:
            return False
        self.left_s -= wait_s
        self.retries -= 1
        self.sleep(wait_s)
        return True

    def fetched(self, ask: Callable[[], Answer]) -> Answer:
        """Give the answer; of a busy host, the one after the wait that it asks for."""
        while True:
            answer = ask()
            if not self.waits(asked_wait_s(answer.status, answer.headers, time.time())):
                return answer

    def shown(self, ask: Callable[[], Page]) -> Page:
        """Give what ``ask`` gives; HttpStatusError that carries a wait has it asked again after that."""
        while True:
            try:
                return ask()
            except HttpStatusError as error:
                if not self.waits(error.retry_after):
                    raise
