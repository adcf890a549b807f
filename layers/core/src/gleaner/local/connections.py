"""Limit the connections of ``gleaner serve``, and close those that are too slow (SS-2)."""

import asyncio
import resource
from collections.abc import Iterable
from typing import Literal

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from gleaner.contracts.error_types import ErrorType
from gleaner.service.asgi import Receive, Refusal, Scope, Send, send_refusal

HEAD_S = 10.0
"""Within how many seconds the head of a request has to be there, from the connection's begin or the answer before."""
MOST = 512
"""Connections at one time; fewer where the process may open fewer files than twice as many."""
BACKLOG = 128
"""Connections that wait to be taken: those taken at one time must not crowd out the one whose request is on its way."""


class Connection(H11Protocol):
    """uvicorn's own, which bounds the silence between two requests alone: a byte now and then held it for ever.

    Where there are too many, the one that has kept us waiting the longest makes room; where all wait for their answers,
    a newcomer is told to come back.
    """

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        if len(self.connections) > most_connections() and not make_room(self.connections, self):
            self.app = refuse
        self._await_head()

    def on_response_complete(self) -> None:
        """Begin to wait for the next one; what still comes of the body before it is no reason to wait longer."""
        super().on_response_complete()
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        if self._patience is not None:
            self._patience.cancel()
        super().connection_lost(exc)

    @property
    def holds_up(self) -> tuple[bool, float] | None:
        """What to order those by that keep us waiting, the first to go first; None while an answer is made.

        First those whose request is not there, by when we began to wait, then those that do not read their answers.
        """
        owes = _owes(self.cycle)
        begun = self._patience.when() if self._patience else 0.0
        return None if owes == "nothing" else (owes == "reading", begun)

    def hang_up(self) -> None:
        """Close it at once, and count it no more."""
        self.connections.discard(self)
        self.transport.abort()

    def _await_head(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._patience = self.loop.call_later(HEAD_S, self._lose_patience, self.cycle)

    def _lose_patience(self, last: RequestResponseCycle | None) -> None:
        is_waiting = self.cycle is last and (last is None or last.response_complete)
        if is_waiting and not self.transport.is_closing():
            self.transport.close()


def _owes(cycle: RequestResponseCycle | None) -> Literal["a request", "reading", "nothing"]:
    """Tell what is the other side's turn to do."""
    if cycle is None or cycle.response_complete or cycle.more_body:
        return "a request"
    return "reading" if cycle.response_started else "nothing"


def most_connections() -> int:
    """Give how many connections there may be: half of the files that the process may open are for its work."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 2)


def make_room(connections: Iterable[object], newcomer: Connection) -> bool:
    """Hang up on the first of those that keep us waiting; False if all wait for us."""
    others = [one for one in connections if isinstance(one, Connection) and one is not newcomer]
    waiting = [(order, one) for one in others if (order := one.holds_up) is not None]
    if not waiting:
        return False
    min(waiting, key=lambda pair: pair[0])[1].hang_up()
    return True


async def refuse(_: Scope, __: Receive, send: Send) -> None:
    """Tell a caller that there are too many."""
    detail = f"the server has {most_connections()} requests in progress, which is its limit; try again in a second"
    headers = {"retry-after": "1", "connection": "close"}
    await send_refusal(send, Refusal(503, ErrorType.QUEUE_TIMEOUT, detail, headers))
