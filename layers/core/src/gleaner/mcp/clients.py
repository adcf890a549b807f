"""Report progress to the caller of a tool, and notice when it leaves."""

from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from threading import Event
from typing import Any

import anyio
from mcp.server import ServerRequestContext

from gleaner.contracts.ports import JsonObject
from gleaner.jobs.jobs import JobRef
from gleaner.service.gateway import CallerGone, Gateway


class Client:
    """The client of one call: ``is_gone`` once it has cancelled the call or closed the connection.

    One that has sent a progress token is told of each step that begins or ends, where the wire takes more than one
    message for a call: on stdio.
    """

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self.is_gone = Event()
        self._session = context.session
        self._wants_progress = context.request is None and "progress_token" in (context.meta or {})
        self._told = 0

    def heeded_by(self, gateway: Gateway) -> Gateway:
        """Give the gateway, whose waits tell the client of progress and end when it leaves."""

        def heed(ref: JobRef) -> None:
            if self.is_gone.is_set():
                raise CallerGone
            if self._wants_progress:
                self._tell(gateway.job(ref.job_id))

        return replace(gateway, heed=heed)

    def _tell(self, job: JsonObject) -> None:
        """Tell of a change; the number has to grow, and a chunk that is tried again has ended no more."""
        steps: Any = job["steps"]
        number = len(steps) + sum(step["status"] != "running" for step in steps)
        if number <= self._told:
            return
        self._told = number
        with suppress(CancelledError):
            anyio.from_thread.run(self._session.report_progress, number, None, _words(job, steps[-1]["name"]))


def _words(job: JsonObject, step: str) -> str:
    if step == "extract_chunk":
        return f"extract: {job['chunks_done']} of {job['chunks_total']} chunks done"
    return step.partition("_")[0]
