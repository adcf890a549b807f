"""Connections of ``gleaner serve``: whoever takes too long over the head of a request is hung up on (SS-2)."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_S = 10.0
"""Within how many seconds the head of a request has to be there, from the connection's begin or the answer before."""


class Connection(H11Protocol):
    """uvicorn's own, which bounds the silence between two requests alone: a byte now and then held it for ever."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
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

    def _await_head(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._patience = self.loop.call_later(HEAD_S, self._hang_up, self.cycle)

    def _hang_up(self, last: RequestResponseCycle | None) -> None:
        is_waiting = self.cycle is last and (last is None or last.response_complete)
        if is_waiting and not self.transport.is_closing():
            self.transport.close()
