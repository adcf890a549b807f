"""Watches on this machine: whatever is due is run, for as long as a process looks (``gleaner watch``, ``serve``)."""

import time
from collections.abc import Callable, Iterator
from threading import Event, Thread

from gleaner.contracts.items import every_item
from gleaner.contracts.ports import Item, JsonObject, Services
from gleaner.jobs.watches import Watches, WatchRun
from gleaner.local.runner import LocalRunner
from gleaner.steps.watch import watches_of

LOOK_S = 5.0
"""How often is looked whether a watch is due; the shortest time between two runs is a minute."""


def run_watch(runner: LocalRunner, watch_id: str, tenant: str, run: str) -> WatchRun | None:
    """Run a watch once, to its end; give what is in its history of that run, None when it was not begun."""
    watches = watches_of(runner.services, tenant)
    before = {item.sk for item in _history(watches, watch_id)}
    payload: JsonObject = {"watch": {"watch_id": watch_id, "tenant": tenant}, "run": run}
    runner.run_machine("watch_run", payload, f"{watch_id[:40]}-{run}")
    fresh = [item for item in _history(watches, watch_id) if item.sk not in before and item.data["status"] != "missed"]
    return WatchRun.model_validate(fresh[-1].data) if fresh else None


def _history(watches: Watches, watch_id: str) -> list[Item]:
    return list(every_item(lambda after: watches.runs(watch_id, limit=500, after=after)))


def due(services: Services, tenant: str) -> Iterator[tuple[str, float]]:
    """Give the watches of a tenant whose time has come, and the time that it was."""
    for record in watches_of(services, tenant).all():
        due_at = float(str(record.get("due_at") or 0))
        if due_at <= time.time() and not record.get("paused"):
            yield str(record["watch_id"]), due_at


class WatchKeeper:
    """Starts the runs of watches that are due, in a thread, until it is closed."""

    def __init__(self, runner: LocalRunner, tenants: Callable[[], list[str]], look_s: float = LOOK_S) -> None:
        self._runner, self._tenants, self._look_s = runner, tenants, look_s
        self._over = Event()
        self._thread = Thread(target=self._keep, name="gleaner-watches", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Start no more runs."""
        self._over.set()
        self._thread.join()

    def _keep(self) -> None:
        while not self._over.wait(self._look_s):
            self.start_due()

    def start_due(self) -> int:
        """Start what is due; give how many. A run is named for its time: it begins once, whoever looks."""
        started = 0
        for tenant in self._tenants():
            for watch_id, due_at in due(self._runner.services, tenant):
                run = f"at-{int(due_at)}"
                watch: JsonObject = {"watch_id": watch_id, "tenant": tenant}
                self._runner.start("watch_run", {"watch": watch, "run": run}, f"{watch_id[:40]}-{run}")
                started += 1
        return started
