"""What a killed command leaves on this machine: jobs that can be read, and batches that are gone on with."""

import errno
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gleaner.cli import run
from gleaner.contracts.errors import QueueTimeout
from gleaner.contracts.ports import Item, JsonObject
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.local.runner import LocalRunner
from gleaner.local.unfinished import Execution, Unfinished, _born
from gleaner.service.gateway import Gateway
from gleaner.steps.failure import read_failure
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.wiring import WiredServices

from tests.support.paged_site import PagedSite, listed_records

LISTEN = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's background jobs ignore it
COMMAND = [sys.executable, "-c", f"import signal; {LISTEN}; from gleaner.cli import main; main()"]


class Site(LoopbackHandler):
    """Answers at once, but for pages from ``gate`` on, which wait until it is opened."""

    asked: list[str]
    reached: threading.Event
    opened: threading.Event
    gate: str

    def do_GET(self) -> None:
        if self.path == "/robots.txt":
            self.answer(404, "text/plain", b"")
            return
        self.asked.append(self.path)
        if self.path >= self.gate:
            self.reached.set()
            self.opened.wait(90)
        body = f"<title>{self.path}</title><h1>Page {self.path}</h1>".encode()
        with suppress(OSError):  # who asked may be dead
            self.answer(200, "text/html", body)


@pytest.fixture
def site() -> Iterator[LoopbackServer]:
    Site.asked, Site.reached, Site.opened, Site.gate = [], threading.Event(), threading.Event(), "/5"
    with LoopbackServer(Site) as server:
        yield server
        Site.opened.set()


def kill_midway(*arguments: str) -> None:
    """Run the command until it waits at the gate, and kill it there."""
    process = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        assert Site.reached.wait(60)
    finally:
        process.kill()
        process.wait()


@pytest.mark.req("AP-1")
def test_a_call_that_comes_while_the_server_ends_is_told_so_and_its_job_is_done_by_the_next(tmp_path: Path) -> None:
    services = WiredServices(load_settings({}, home=tmp_path))
    ending = LocalRunner(services)
    ending.close()
    with pytest.raises(QueueTimeout, match="resumes at its next start"):
        Gateway(services, ending).start_scrape({"url": "http://10.0.0.1/"})
    runner = LocalRunner(services)
    assert runner.resume() == 1
    runner.close()
    (job,) = Gateway(services, runner).list_jobs().items
    assert job.data["status"] == "failed"
    services.close()


@pytest.mark.req("CL-1", "WF-2")
@pytest.mark.timeout(300)
def test_a_batch_whose_end_can_not_be_stored_ends_with_what_stood_in_its_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "result.json")

    monkeypatch.setattr(LocalRunner, "run_machine", full)
    (tmp_path / "list.txt").write_text("http://10.0.0.1/\n")
    assert run(["batch", str(tmp_path / "list.txt"), "--home", str(tmp_path / "home")]) == 74
    assert "error: result.json: No space left on device" in capsys.readouterr().err


@pytest.mark.req("CL-1")
def test_a_full_disk_is_the_reason_that_a_job_and_the_command_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk is full for large files alone, so that the failure itself can be kept."""
    known = os.fdopen

    class Full(io.BytesIO):
        def __init__(self, descriptor: int) -> None:
            super().__init__()
            os.close(descriptor)

        def write(self, *_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def opened(descriptor: int, *more: Any, **options: Any) -> Any:
        name = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        return Full(descriptor) if "snapshot" in name else known(descriptor, *more, **options)

    monkeypatch.setattr(os, "fdopen", opened)
    with PagedSite(records=listed_records(3)) as site:
        request = ["scrape", f"{site.url}/next", "--no-javascript", "--json", "--home", str(tmp_path / "home")]
        assert run([*request, "--allow-host", site.host]) == 74
    told = json.loads(capsys.readouterr().out)
    assert told["error"]["error_type"] == "storage_full"
    assert "no space is left on its disk; make room" in told["error"]["message"]
    assert not list((tmp_path / "home").rglob("*.part"))


def test_a_function_whose_folder_is_full_says_so() -> None:
    cause = json.dumps({"errorMessage": "[Errno 28] No space left on device: '/tmp/page'", "errorType": "OSError"})
    assert read_failure({"Error": "OSError", "Cause": cause}).error_type == "storage_full"


@pytest.mark.req("CL-1")
def test_an_interrupted_scrape_says_so_and_leaves_with_130(tmp_path: Path, site: LoopbackServer) -> None:
    arguments = ["scrape", f"{site.url}/9", "--no-javascript", "--home", str(tmp_path), "--allow-host", site.host]
    process = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True)
    try:
        assert Site.reached.wait(60)
        process.send_signal(signal.SIGINT)
        Site.opened.set()
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "error: interrupted" in told
    assert "Traceback" not in told


@pytest.mark.req("CL-1", "MC-1")
def test_an_mcp_server_goes_on_with_what_was_left_and_ends_when_interrupted_although_its_client_is_there(
    tmp_path: Path,
) -> None:
    services = WiredServices(load_settings({}, home=tmp_path))
    left: JsonObject = {
        "machine": "scrape_page",
        "payload": {"url": "http://127.0.0.1:9/"},
        "name": "left",
        "pid": 1,
        "born": "",
    }
    services.table.put(Item(Unfinished.PARTITION, "scrape_page#left", left))
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([*COMMAND, "mcp", "--home", str(tmp_path)], text=True, **pipes)
    assert process.stdin is not None
    assert process.stdout is not None
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    try:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}) + "\n")
        process.stdin.flush()
        assert '"gleaner"' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(90) == 130
    finally:
        process.kill()
        process.communicate()
    item = services.table.get(Unfinished.PARTITION, "scrape_page#left")
    services.close()
    assert item is None or item.data["pid"] == process.pid


def only_job(services: WiredServices) -> dict[str, Any]:
    (item,) = services.table.query("JOB#default").items
    return dict(item.data)


@pytest.mark.req("CL-1", "LO-1")
def test_the_job_of_a_killed_scrape_is_closed_and_says_how_to_go_on(tmp_path: Path, site: LoopbackServer) -> None:
    kill_midway("scrape", f"{site.url}/9", "--no-javascript", "--home", str(tmp_path), "--allow-host", site.host)
    services = WiredServices(load_settings({}, home=tmp_path, allow_hosts=[site.host]))
    assert only_job(services)["status"] == "running"
    LocalRunner(services).close_left()
    record = only_job(services)
    services.close()
    assert (record["status"], record["error"]["error_type"]) == ("failed", "execution_aborted")
    assert "send the request again" in record["error"]["message"]


@pytest.mark.req("WF-2", "AP-1")
def test_batches_do_not_keep_a_single_page_waiting(tmp_path: Path, site: LoopbackServer) -> None:
    services = WiredServices(load_settings({}, home=tmp_path, allow_hosts=[site.host]))
    runner = LocalRunner(services)
    gateway = Gateway(services, runner)
    plain: dict[str, Any] = {"enable_javascript": False}
    for number in range(10):
        gateway.start_batch(parse_list(f"{site.url}/9?{number}".encode(), defaults=plain), Politeness())
    assert Site.reached.wait(90)
    _, result = gateway.scrape({"url": f"{site.url}/1", **plain}, wait_s=25)
    Site.opened.set()
    runner.close()
    services.close()
    assert result is not None
    assert result.status == "complete"


@pytest.mark.req("LO-1")
def test_a_job_that_this_process_waits_for_is_left_alone(tmp_path: Path) -> None:
    services = WiredServices(load_settings({}, home=tmp_path))
    mine = Execution("scrape_page", {"url": "https://e.example/"}, "mine", may_go_on=False)
    Unfinished(services).note(mine)
    LocalRunner(services).close_left()
    assert services.table.query("JOB#default").items == ()
    assert len(services.table.query(Unfinished.PARTITION).items) == 1
    services.close()


@pytest.mark.req("LO-1")
@pytest.mark.parametrize(
    ("pid", "born", "is_left"),
    [(os.getppid(), _born(os.getppid()), False), (os.getppid(), "in another year", True), (2**30, "then", True)],
    ids=["lives", "its id was given again", "is gone"],
)
def test_what_a_process_that_lives_works_on_is_left_to_it(
    tmp_path: Path, pid: int, born: str | None, is_left: bool
) -> None:
    services = WiredServices(load_settings({}, home=tmp_path))
    unfinished = Unfinished(services)
    execution = Execution("scrape_page", {"url": "https://e.example/"}, "theirs")
    unfinished.note(execution)
    item = services.table.get(Unfinished.PARTITION, "scrape_page#theirs")
    assert item is not None
    theirs = replace(item, data={**item.data, "pid": pid, "born": born})
    for takes in (
        lambda: unfinished.claim(execution),
        lambda: unfinished.left_by_another("scrape_page", "theirs") == execution,
        lambda: unfinished.take_over(may_go_on=True) == [execution],
    ):
        services.table.put(theirs)
        assert takes() is is_left
    services.close()


@pytest.mark.req("WF-2", "CL-1")
def test_a_killed_batch_goes_on_and_asks_no_finished_page_again(
    tmp_path: Path, site: LoopbackServer, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("".join(f"{site.url}/{number}\n" for number in range(10)))
    command = ["batch", str(listed), "--no-javascript", "--home", str(tmp_path), "--allow-host", site.host]
    kill_midway(*command, "--per-host", "1")
    assert Site.asked == [f"/{number}" for number in range(6)]
    Site.opened.set()
    assert run([*command, "--per-host", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"complete": 10, "done": 10, "not_run": 0}
    assert Site.asked == [f"/{number}" for number in (*range(6), *range(5, 10))]
