"""A listing, map or crawl that is stopped keeps what was found, says where it goes on, and does (FP-4)."""

import json
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from gleaner.cli import main, run
from gleaner.contracts.ports import Item, JsonObject
from gleaner.steps.stopped import close_stopped
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.workflow.faulty import Fault, Installation, Killed
from tests.workflow.lamp_listing import LAMPS, LampListing, lamps

pytestmark = pytest.mark.req("FP-4")

LISTEN = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's background jobs ignore it
COMMAND = [sys.executable, "-c", f"import signal; {LISTEN}; from gleaner.cli import main; main()"]
PAGES = 6


@dataclass
class GatedSite(LoopbackServer):
    """Six pages of a listing, linked and by "Next"; those from the fourth on wait until the gate is opened."""

    asked: Counter[str] = field(default_factory=Counter[str])
    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        super().__init__(_Gated)


class _Gated(LoopbackHandler):
    owner: GatedSite

    def do_GET(self) -> None:
        site = self.owner
        site.asked[self.path] += 1
        number = int(self.path.removeprefix("/list/") or 0) if self.path.startswith("/list/") else 0
        if not 1 <= number <= PAGES:
            self.answer(404, "text/html", b"<h1>Not found</h1>")
            return
        if number >= 4:
            site.reached.set()
            site.opened.wait(60)
        rows = "".join(
            f"<tr><td>{name}</td><td>{price}</td></tr>" for name, price in lamps()[number * 3 - 3 : number * 3]
        )
        following = f'<a href="/list/{number + 1}">Next</a>' if number < PAGES else ""
        table = f"<table><tr><th>Name</th><th>Price</th></tr>{rows}</table>"
        with suppress(OSError):  # who asked may be dead
            self.answer(200, "text/html", f"<title>Lamps {number}</title><h1>Lamps</h1>{table}{following}".encode())


@pytest.fixture
def site() -> Iterator[GatedSite]:
    with GatedSite() as server:
        yield server
        server.opened.set()


def stop_midway(site: GatedSite, number: int, *arguments: str) -> tuple[int, str]:
    """Run the command until it waits at the gate, and send it a signal there; give its exit code and stderr."""
    process = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        assert site.reached.wait(60)
        process.send_signal(number)
        process.send_signal(number)  # as ``timeout`` does
        if number != signal.SIGKILL:
            site.opened.set()
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
        site.opened.set()
    return process.returncode, told


def command_of(site: GatedSite, tmp_path: Path, *words: str) -> list[str]:
    return [*words, "--home", str(tmp_path / "home"), "--allow-host", site.host]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_followed_listing_is_gone_on_with_by_the_same_command(
    tmp_path: Path, site: GatedSite, number: signal.Signals
) -> None:
    out = tmp_path / "lamps.csv"
    words = ("scrape", f"{site.url}/list/1", "--schema", json.dumps(LAMPS), "--follow", "9", "--no-javascript")
    command = command_of(site, tmp_path, *words, "-o", str(out))
    code, told = stop_midway(site, number, *command)
    if number == signal.SIGKILL:
        assert code == -signal.SIGKILL
    else:
        assert code == 130
        assert told.count("interrupted") == 1
        assert "interrupted; the same command goes on there" in told
        assert out.read_text().count(" lamp,") >= 9
    before = dict(site.asked)
    assert run(command) == 0
    assert out.read_text().count(" lamp,") == 18
    assert {path for path, count in site.asked.items() if count > before.get(path, 0)} <= {
        "/list/1", "/list/4", "/list/5", "/list/6",
    }, "pages that were read are not read again, but the first one, to see whether the listing has changed"  # fmt: skip
    before = dict(site.asked)
    assert run(command) == 0
    assert site.asked["/list/2"] == before["/list/2"] + 1, "what has come to its end begins anew"


@pytest.fixture
def _own_signals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a command of another test may have taken it
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("_own_signals")
@pytest.mark.parametrize(("after_s", "left"), [(1.0, []), (-1.0, [130])], ids=["at once", "later"])
def test_a_second_signal_breaks_off_what_is_written_only_if_it_comes_later(
    monkeypatch: pytest.MonkeyPatch, after_s: float, left: list[int]
) -> None:
    written: list[str] = []
    ended: list[int] = []

    def stopped(_: object) -> int:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
        written.append("what was found")
        return 130

    monkeypatch.setattr("gleaner.cli._SAME_STOP_S", after_s)
    monkeypatch.setattr("gleaner.cli.os._exit", ended.append)
    monkeypatch.setattr("gleaner.cli.run", stopped)
    with pytest.raises(SystemExit):
        main()
    assert (written, ended) == (["what was found"], left)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_map_is_written_as_far_as_it_is_and_gone_on_with(
    tmp_path: Path, site: GatedSite, number: signal.Signals
) -> None:
    out = tmp_path / "urls.ndjson"
    command = command_of(site, tmp_path, "map", f"{site.url}/list/1", "--depth", "9", "-o", str(out))
    code, told = stop_midway(site, number, *command)
    assert code == 130
    assert told.count("interrupted") == 1
    assert "these URLs were found by then; the same command goes on there" in told
    assert len(out.read_text().splitlines()) == 4
    assert run(command) == 0
    assert len(out.read_text().splitlines()) == PAGES
    assert (site.asked["/list/2"], site.asked["/list/6"]) == (1, 1)
    assert run(command) == 0
    assert site.asked["/list/2"] == 2


def test_a_crawl_writes_what_it_has_and_asks_for_no_page_again(tmp_path: Path, site: GatedSite) -> None:
    out = tmp_path / "lamps.csv"
    words = ("crawl", f"{site.url}/list/1", "--schema", json.dumps(LAMPS), "--no-javascript", "--depth", "2")
    command = command_of(site, tmp_path, *words, "--concurrency", "1", "-o", str(out))
    site.reached.set()
    site.opened.set()
    assert run(command) == 0
    whole = out.read_text()
    assert whole.count(" lamp,") == 9
    assert {site.asked[f"/list/{number}"] for number in (1, 2)} == {1}, "the map has read them"
    assert site.asked["/list/3"] == 1


def test_the_first_end_that_is_seen_of_a_stopped_listing_is_its_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LampListing() as listing:
        installation = Installation(tmp_path / "home", listing.host)
        installation.request = {
            "url": f"{listing.url}/next", "output_schema": LAMPS, "enable_javascript": False, "follow": 10,
        }  # fmt: skip
        installation.runner.faults = [Fault("aggregate_results", Killed, after=True, stops=True, times=1)]
        seen: list[str] = []
        put = type(installation.services.table).put

        def note(table: Any, item: Item, **more: Any) -> bool:
            if item.sk == installation.ref.job_id and "status" in item.data:
                seen.append(str(item.data["status"]))
            return put(table, item, **more)

        monkeypatch.setattr(type(installation.services.table), "put", note)
        payload: JsonObject = {"job": installation.ref.to_json(), "request": installation.request}
        installation.runner.run_machine("scrape_page", payload, "the-job")
        detail: JsonObject = {"status": "ABORTED", "name": "the-job", "input": json.dumps(payload)}
        close_stopped({"detail": detail}, installation.services)
        installation.close()
    ends = [status for status in seen if status not in ("queued", "running")]
    assert set(ends) == {"partial"}
