"""An installation whose functions and stores go wrong on command."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gleaner.contracts.errors import StoreThrottled
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import Item, ItemPage, JsonObject, JsonValue, RenderedPage, RenderOrder
from gleaner.contracts.settings import load_settings
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import jobs_of
from gleaner.local.runner import LocalContext, LocalRunner, load_handler
from gleaner.steps import patience
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.wiring import WiredServices

from tests.support.schemas import NUMBER, TEXT, records_of

SCHEMA = records_of(label=TEXT, cost=NUMBER)
RECORDS = [{"label": f"Item {number:03}", "cost": number * 7 + 3.4} for number in range(24)]
ROWS = "".join(f"<tr><td>{record['label']}</td><td>${record['cost']}</td></tr>" for record in RECORDS)
PAGE = f"<title>Items</title><h1>Items</h1><table><tr><th>What</th><th>How much</th></tr>{ROWS}</table>"
CHUNKS = 3


class Killed(Exception):
    """Lambda's own name for a function whose process ended."""


Killed.__name__ = "Runtime.ExitError"


class TimedOut(Exception):
    """Lambda's own name for a function that took longer than its limit."""


TimedOut.__name__ = "Sandbox.Timedout"


class LogicFault(Exception):
    """A fault that no table of errors knows."""


@dataclass
class Fault:
    """Goes wrong at one function: before or after the real handler, or by calling it twice, for some of its calls.

    With ``stops`` the execution ends there, as one does that is aborted or has reached its limit.
    """

    function: str
    error: type[Exception] | None = None
    times: int = 1
    after: bool = False
    twice: bool = False
    stops: bool = False
    seen: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def strikes(self, function: str) -> bool:
        if function != self.function:
            return False
        with self.lock:
            self.seen += 1
            return 0 < self.seen <= self.times


class FaultyRunner(LocalRunner):
    """The runner of this machine, whose functions go wrong as Lambda's may."""

    faults: Sequence[Fault] = ()

    def _invoke(self, function: str, payload: JsonObject) -> JsonValue:
        fault = next((fault for fault in self.faults if fault.strikes(function)), None)
        if fault is None:
            return super()._invoke(function, payload)
        if fault.twice:
            super()._invoke(function, json.loads(json.dumps(payload)))
        if fault.after:
            super()._invoke(function, payload)
        if fault.stops:
            self.halt()
        if fault.error is not None:
            raise fault.error("injected")
        return super()._invoke(function, payload)


class Throttle:
    """Refuses the n-th call, and as many after it as it is told."""

    def __init__(self) -> None:
        self.calls = 0
        self.refused: range = range(0)
        self.lock = threading.Lock()

    def pass_or_refuse(self) -> None:
        with self.lock:
            self.calls += 1
            if self.calls in self.refused:
                raise StoreThrottled(f"injected: call {self.calls} is one too many")


class ThrottledTable:
    """The table, through a throttle."""

    def __init__(self, table: Any, throttle: Throttle) -> None:
        self.table, self.throttle = table, throttle

    def get(self, pk: str, sk: str) -> Item | None:
        self.throttle.pass_or_refuse()
        return self.table.get(pk, sk)

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        self.throttle.pass_or_refuse()
        return self.table.put(item, if_version=if_version)

    def get_many(self, pk: str, sks: Sequence[str]) -> list[Item | None]:
        self.throttle.pass_or_refuse()
        return self.table.get_many(pk, sks)

    def put_new(self, items: Sequence[Item]) -> list[bool]:
        self.throttle.pass_or_refuse()
        return self.table.put_new(items)

    def add(
        self,
        pk: str,
        sk: str,
        amounts: Mapping[str, int],
        *,
        ceilings: Mapping[str, int] | None = None,
        ttl: int | None = None,
    ) -> JsonObject | None:
        self.throttle.pass_or_refuse()
        return self.table.add(pk, sk, amounts, ceilings=ceilings, ttl=ttl)

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        self.throttle.pass_or_refuse()
        return self.table.query(pk, prefix=prefix, limit=limit, after=after)

    def query_host(self, host: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        self.throttle.pass_or_refuse()
        return self.table.query_host(host, limit=limit, after=after)

    def delete(self, pk: str, sk: str) -> bool:
        self.throttle.pass_or_refuse()
        return self.table.delete(pk, sk)

    def every_key(self) -> Iterator[tuple[str, str]]:
        return self.table.every_key()

    def close(self) -> None:
        self.table.close()


class ThrottledBlobs:
    """The blob store, through a throttle."""

    def __init__(self, blobs: Any, throttle: Throttle) -> None:
        self.blobs, self.throttle = blobs, throttle

    def write(self, key: str, body: bytes, content_type: str = "application/octet-stream") -> None:
        self.throttle.pass_or_refuse()
        self.blobs.write(key, body, content_type)

    def read(self, key: str) -> bytes:
        self.throttle.pass_or_refuse()
        return self.blobs.read(key)

    def exists(self, key: str) -> bool:
        self.throttle.pass_or_refuse()
        return self.blobs.exists(key)

    def url(self, key: str, expires_s: int = 3600) -> str:
        return self.blobs.url(key, expires_s)


class FetchingRenderer:
    """Stands in for the browser, which is not what fails here: the page as plain HTTP gives it."""

    def __init__(self, services: WiredServices) -> None:
        self.services = services

    def render(self, order: RenderOrder) -> RenderedPage:
        fetched = self.services.fetcher.fetch(order.url)
        return RenderedPage(fetched.url, fetched.status, "Items", fetched.text)


class FaultyServices(WiredServices):
    """The services of this machine over stores that can be throttled."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.table_throttle, self.blob_throttle = Throttle(), Throttle()
        self._throttled_table = ThrottledTable(super().table, self.table_throttle)
        self._throttled_blobs = ThrottledBlobs(super().blobs, self.blob_throttle)
        self._fetching = FetchingRenderer(self)

    @property
    def table(self) -> Any:
        return self._throttled_table

    @property
    def blobs(self) -> Any:
        return self._throttled_blobs

    @property
    def renderer(self) -> Any:
        return self._fetching


class Page(LoopbackHandler):
    """One page, whatever is asked for."""

    def do_GET(self) -> None:
        self.answer(200, "text/html; charset=utf-8", PAGE.encode())


@dataclass
class Installation:
    """An installation with one job to do."""

    home: Path
    host: str
    ref: JobRef = field(default_factory=lambda: JobRef("the-job"))

    def __post_init__(self) -> None:
        self.model = ScriptedModel([TrueRecord(record, (str(record["label"]),)) for record in RECORDS])
        self.services = FaultyServices(load_settings(home=self.home, allow_hosts=[self.host]), model=self.model)
        self.runner = FaultyRunner(self.services)
        self.request = {
            "url": f"http://{self.host}/items",
            "output_schema": SCHEMA,
            "extraction_id": "the-items",
            "config": {"max_chunk_chars": 220, "overlap_lines": 0, "tiers": ["model"], "max_concurrent_chunks": 1},
        }

    def run(self) -> ScrapeResult:
        payload: JsonObject = {"job": self.ref.to_json(), "request": self.request}
        self.runner.run_machine("scrape_page", payload, self.ref.job_id)
        if any(fault.stops for fault in self.runner.faults):
            self.tell_of_the_stop(payload)
            self.runner.close()
            self.runner = FaultyRunner(self.services)
        return jobs_of(self.services).result(self.ref)

    def tell_of_the_stop(self, payload: JsonObject) -> None:
        """Deliver the event of the execution's end, twice, as it may come."""
        detail: JsonObject = {"status": "ABORTED", "name": self.ref.job_id, "input": json.dumps(payload)}
        for _ in range(2):
            load_handler("close_stopped")({"detail": detail}, LocalContext("close_stopped", self.services))

    def close(self) -> None:
        self.runner.close()
        self.services.close()


@contextmanager
def serving() -> Iterator[str]:
    with LoopbackServer(Page) as server:
        yield server.host


@contextmanager
def without_waits() -> Iterator[None]:
    waits = patience.WAITS_S
    patience.WAITS_S = (0.0,) * len(waits)  # type: ignore[assignment]
    yield
    patience.WAITS_S = waits


@contextmanager
def installed(home: Path, host: str) -> Iterator[Installation]:
    made = Installation(home, host)
    yield made
    made.close()
