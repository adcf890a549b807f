"""Batches: lists as people have them, politeness, the Distributed Map on this machine, and going on after a stop."""

import io
import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gleaner.cli import run
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.ports import JsonObject
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import BadLine, ParsedList, Politeness, page_job, parse_list, share_out
from gleaner.jobs.jobs import ENDED, JobRef
from gleaner.jobs.robots import RobotRules
from gleaner.local.runner import LocalRunner
from gleaner.local.unfinished import Unfinished
from gleaner.service.gateway import Gateway
from gleaner.steps.batch import batches_of
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.wiring import WiredServices
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.progress import Progress, TaskID

A, B = "https://a.example/1", "https://b.example/2"


def urls(parsed: ParsedList) -> list[Any]:
    return [(line, request["url"]) for line, request in parsed.requests]


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(
    ("body", "name"),
    [
        (f"{A}\n{B}\n", ""),
        (f"{A}\r\n\r\n# a remark\r\n{B}", "list.txt"),
        (f"\ufeff{A}\n{B}\n", ""),
        (f"url\n{A}\n{B}\n", ""),
        (f"{A},first\n{B},second\n", "list.csv"),
        (f'"URL",query\r\n"{A}",\r\n{B},\r\n', "list.csv"),
        (f'query;"URL"\r\nall;"{A}"\r\n;{B}\r\n', "list.csv"),
        (f"sep=;\r\nQuery;Url;Enable_JavaScript\r\nall;{A};\r\n;{B};FALSE\r\n", "list.csv"),
        (f"url\tquery\n{A}\tall\n{B}\t\n", ""),
        (json.dumps([A, B]), ""),
        (json.dumps([{"url": A}, {"url": B}]), "list.json"),
        (f'{{"url": "{A}"}}\n{{"url": "{B}"}}\n', "list.jsonl"),
        (f'"{A}"\r\n"{B}"\r\n', "list.ndjson"),
    ],
)
def test_a_list_is_read_in_whatever_form_it_comes(body: str, name: str) -> None:
    for encoded in (body.encode(), body.removeprefix("\ufeff").encode("utf-16")):
        parsed = parse_list(encoded, name)
        assert [url for _, url in urls(parsed)] == [A, B]
        assert parsed.bad == ()


@pytest.mark.req("WF-2")
def test_bad_lines_are_told_by_number_and_passed_over() -> None:
    parsed = parse_list(f"{A}\nftp://x\n\nno url\n{B}\n".encode())
    assert urls(parsed) == [(1, A), (5, B)]
    assert [bad.line for bad in parsed.bad] == [2, 4]
    lines = parse_list(f'{{"url": "{A}"}}\n{{broken\n7\n{{"url": "{B}", "colour": 1}}\n'.encode())
    assert urls(lines) == [(1, A)]
    assert [bad.line for bad in lines.bad] == [2, 3, 4]
    assert "colour" in lines.bad[2].reason
    table = parse_list(f'url,query\n{A},"two\nlines"\n,\n{B},x,y\n{B},z\n'.encode())
    assert urls(table) == [(3, A), (6, B)]
    assert [bad.line for bad in table.bad] == [5]


@pytest.mark.req("WF-2")
def test_a_file_of_json_lines_is_read_line_by_line_whatever_the_first_one_is() -> None:
    parsed = parse_list(f'["x"]\n"{A}"\n'.encode(), "list.jsonl")
    assert (urls(parsed), [bad.line for bad in parsed.bad]) == ([(2, A)], [1])


@pytest.mark.req("WF-2")
@pytest.mark.parametrize("fields", [{"per_host": 21}, {"concurrency": 201}, {"concurrency": 0}, {"delay_ms": 20_001}])
def test_a_batch_asks_no_more_of_a_host_than_is_polite(fields: JsonObject) -> None:
    with pytest.raises(InvalidRequest, match=next(iter(fields))):
        Politeness.read(fields)


@pytest.mark.req("WF-2")
def test_a_list_of_columns_without_a_header_is_told_what_it_lacks() -> None:
    parsed = parse_list(f"shop,site\none,{A}\n{B},two\n".encode(), "list.csv")
    assert urls(parsed) == [(3, B)]
    assert [bad.line for bad in parsed.bad] == [1, 2]
    assert parsed.bad[0].reason == "'shop' is not a URL, and no header names a column url"


@pytest.mark.req("WF-2")
def test_cells_and_defaults_become_fields_of_the_request() -> None:
    body = f'url,output_schema,extract_links,start_from_char,query\n{A},"{{""type"": ""object""}}",TRUE,5,12\n{B},,,,\n'
    parsed = parse_list(body.encode(), defaults={"query": "all", "format": "markdown"})
    first, second = (request for _, request in parsed.requests)
    assert first == {
        "url": A, "output_schema": {"type": "object"}, "extract_links": True, "start_from_char": 5, "query": "12",
        "format": "markdown",
    }  # fmt: skip
    assert second == {"url": B, "query": "all", "format": "markdown"}


@pytest.mark.req("WF-2")
@pytest.mark.parametrize("body", [b"\xff\x00\xfe", b"[1, 2", b"url,colour\nhttps://a.example,red\n", b"[" * 50_000,
             b"url,url\nhttps://a.example,https://b.example\n", b"url;colour\nhttps://a.example;red\n"])  # fmt: skip
def test_a_list_that_can_not_be_read_is_an_error_that_says_why(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        parse_list(body)


@pytest.mark.req("WF-2", "SS-2")
@pytest.mark.parametrize(
    ("limit", "most", "said"), [("MAX_LIST_BYTES", 30, "the limit is 30"), ("MAX_REQUESTS", 1, "split it")]
)
def test_a_list_has_limits(monkeypatch: pytest.MonkeyPatch, limit: str, most: int, said: str) -> None:
    body = f"{A}\n{B}\n".encode()
    assert len(parse_list(body).requests) == 2
    monkeypatch.setattr(f"gleaner.jobs.batches.{limit}", most)
    with pytest.raises(InvalidRequest, match=said):
        parse_list(body)


@pytest.mark.req("WF-2", "SS-2")
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")), st.booleans())
def test_no_bytes_bring_more_than_a_clear_error(body: bytes, is_csv: bool) -> None:
    try:
        parsed = parse_list(body, "list.csv" if is_csv else "")
    except InvalidRequest:
        return
    assert all(line >= 1 for line, _ in parsed.requests)


@pytest.mark.req("WF-2")
@given(st.lists(st.integers(0, 6), max_size=60), st.integers(1, 8))
def test_a_host_is_in_one_lane_and_no_page_is_lost(hosts: list[int], lanes: int) -> None:
    items: list[JsonObject] = [{"n": n, "request": {"url": f"https://h{host}/"}} for n, host in enumerate(hosts)]
    shares = share_out(items, lanes)
    assert len(shares) <= lanes
    assert sorted(int(str(item["n"])) for share in shares for item in share) == list(range(len(items)))
    for host in set(hosts):
        holding = [
            [item["n"] for item in share if hosts[int(str(item["n"]))] == host]
            for share in shares
            if any(hosts[int(str(item["n"]))] == host for item in share)
        ]
        assert len(holding) == 1
        assert holding[0] == sorted(holding[0], key=lambda n: int(str(n)))


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /a*b*c", "/aXbYc", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Gleaner\nAllow: /", "/a", True),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: other\nUser-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\r\nDisallow: /caf%C3%A9 # a remark", "/café", False),
        ("User-agent: *\nDisallow: /s?q=", "/s?q=1", False),
        ("<html>no robots here</html>", "/a", True),
        ("User-agent: *\nDisallow: " + "/*a" * 5_000 + "$", "/" + "a" * 4_000, True),
    ],
)
def test_robots_rules_are_read_as_rfc_9309_says(rules: str, path: str, allowed: bool) -> None:
    kept = RobotRules.from_json(RobotRules(rules).to_json())
    assert kept.allows(path) is allowed


class HostHandler(LoopbackHandler):
    owner: "Host"

    def do_GET(self) -> None:
        status, body = self.owner.answer(self.path)
        self.answer(status, "text/plain" if self.path == "/robots.txt" else "text/html", body)


class Host(LoopbackServer):
    """A web site on loopback that counts what it is asked, and how much of it at a time."""

    def __init__(self, robots: str = "") -> None:
        self.robots = robots
        self.robots_asked = 0
        self.paths: list[str] = []
        self.most_at_a_time = 0
        self._now = 0
        self._lock = threading.Lock()
        super().__init__(HostHandler)

    def answer(self, path: str) -> tuple[int, bytes]:
        if path == "/robots.txt":
            self.robots_asked += 1
            return (200, self.robots.encode()) if self.robots else (404, b"")
        with self._lock:
            self.paths.append(path)
            self._now += 1
            self.most_at_a_time = max(self.most_at_a_time, self._now)
        threading.Event().wait(0.01)  # long enough for pages to overlap
        with self._lock:
            self._now -= 1
        if path.startswith("/missing"):
            return 404, b"<h1>No</h1>"
        return 200, f"<title>{path}</title><h1>Page {path}</h1><p>Text of {path}.</p>".encode()


@pytest.fixture
def hosts() -> Iterator[list[Host]]:
    made = [Host("User-agent: *\nDisallow: /private"), Host()]
    yield made
    for host in made:
        host.close()


@pytest.fixture
def services(tmp_path: Path, hosts: list[Host]) -> Iterator[WiredServices]:
    services = WiredServices(load_settings({}, home=tmp_path / "home", allow_hosts=[host.host for host in hosts]))
    yield services
    services.close()


@pytest.fixture
def gateway(services: WiredServices) -> Iterator[Gateway]:
    runner = LocalRunner(services)
    yield Gateway(services, runner)
    runner.close()


def page_list(hosts: list[Host]) -> bytes:
    pages = [f"http://{host.host}/{n}" for n in range(6) for host in hosts]
    extra = [
        f"http://{hosts[0].host}/private/1",
        f"http://{hosts[1].host}/private/1",
        f"http://{hosts[1].host}/missing",
    ]
    return "\n".join([*pages, *extra, "no url"]).encode()


def finish(gateway: Gateway, batch_id: str) -> JsonObject:
    for _ in range(12_000):
        view = gateway.batches.view(batch_id)
        if view["status"] != "running":
            return view
        threading.Event().wait(0.01)
    raise AssertionError("the batch does not end")


PLAIN = {"enable_javascript": False}


@pytest.mark.req("WF-2")
@pytest.mark.parametrize(("wrong", "status"), [("", "complete"), ("no url", "partial"), ("HOST/missing", "partial")])
def test_a_batch_is_complete_when_nothing_of_its_list_is_missing(
    gateway: Gateway, hosts: list[Host], wrong: str, status: str
) -> None:
    lines = f"http://{hosts[0].host}/1\n" + wrong.replace("HOST", f"http://{hosts[0].host}")
    started = gateway.start_batch(parse_list(lines.encode(), defaults=PLAIN), Politeness())
    assert finish(gateway, str(started["batch_id"]))["status"] == status


@pytest.mark.req("WF-2")
def test_a_batch_scrapes_each_page_once_and_sums_up(gateway: Gateway, hosts: list[Host]) -> None:
    parsed = parse_list(page_list(hosts), defaults=PLAIN)
    started = gateway.start_batch(parsed, Politeness(per_host=2), idempotency_key="one")
    view = finish(gateway, str(started["batch_id"]))
    assert view["status"] == "partial"
    assert view["counts"] == {"complete": 13, "failed": 2, "done": 15, "not_run": 0}
    assert view["bad_lines"] == [{"line": 16, "reason": parsed.bad[0].reason}]
    errors = {failure["url"]: failure["error"]["error_type"] for failure in view["failures"]}  # pyright: ignore
    assert errors == {
        f"http://{hosts[0].host}/private/1": "disallowed_by_robots",
        f"http://{hosts[1].host}/missing": "http_status_error",
    }
    asked = sorted(hosts[0].paths)
    assert asked == [f"/{n}" for n in range(6)]
    assert all(host.most_at_a_time <= 2 for host in hosts)
    first = gateway.jobs.result(JobRef(f"{started['batch_id']}-000001"))
    assert first.markdown is not None
    assert "Page /0" in first.markdown
    again = gateway.start_batch(parsed, Politeness(per_host=2), idempotency_key="one")
    assert again["batch_id"] == started["batch_id"]
    assert sorted(hosts[0].paths) == asked
    with pytest.raises(InvalidRequest, match="another list"):
        gateway.start_batch(parse_list(A.encode()), Politeness(), idempotency_key="one")
    with pytest.raises(InvalidRequest, match="another list"):
        one_bad = replace(parsed, bad=(*parsed.bad, BadLine(99, "no URL")))
        gateway.start_batch(one_bad, Politeness(per_host=2), idempotency_key="one")


@pytest.mark.req("WF-2")
def test_robots_may_be_ignored_when_one_is_told_to(gateway: Gateway, hosts: list[Host]) -> None:
    parsed = parse_list(f"http://{hosts[0].host}/private/1".encode(), defaults=PLAIN)
    started = gateway.start_batch(parsed, Politeness(ignore_robots=True))
    assert finish(gateway, str(started["batch_id"]))["counts"] == {"complete": 1, "done": 1, "not_run": 0}


@pytest.mark.req("WF-2", "EV-1")
def test_each_page_that_ends_is_told_of_those_that_robots_forbid_too(tmp_path: Path, hosts: list[Host]) -> None:
    told: list[tuple[str, JsonObject]] = []
    settings = load_settings({}, home=tmp_path, allow_hosts=[host.host for host in hosts])
    services = WiredServices(settings, on_event=lambda name, detail: told.append((name, detail)))
    runner = LocalRunner(services)
    lines = [f"http://{hosts[0].host}/private/1", f"http://{hosts[0].host}/1"]
    started = Gateway(services, runner).start_batch(
        parse_list("\n".join(lines).encode(), defaults=PLAIN), Politeness(per_host=1)
    )
    finish(Gateway(services, runner), str(started["batch_id"]))
    runner.close()
    services.close()
    pages = {str(detail["url"]): (name, detail.get("error_type")) for name, detail in told if "url" in detail}
    assert pages == {lines[0]: ("ScrapeFailed", "disallowed_by_robots"), lines[1]: ("ScrapeCompleted", None)}
    batch_id = str(started["batch_id"])
    ids = {str(detail["event_id"]) for _, detail in told}
    jobs = (f"{page_job(batch_id, 1)}/failed", f"{page_job(batch_id, 2)}/complete", f"{batch_id}/partial")
    assert ids == {f"default/{job}" for job in jobs}
    name, detail = told[-1]
    assert (name, detail["counts"]) == ("BatchCompleted", {"complete": 1, "failed": 1, "done": 2, "not_run": 0})
    assert hosts[0].robots_asked == 1


@pytest.mark.req("WF-2", "LO-1")
def test_a_batch_that_was_stopped_goes_on_and_does_nothing_twice(services: WiredServices, hosts: list[Host]) -> None:
    seen: list[str] = []
    first = LocalRunner(services, lambda function, phase, _: stop_after(first, seen, function, phase))
    parsed = parse_list(page_list(hosts), defaults=PLAIN)
    batch_id = str(Gateway(services, first).start_batch(parsed, Politeness(), idempotency_key="k")["batch_id"])
    first.close()
    assert Gateway(services, first).batches.record(batch_id)["status"] == "running"
    ended = {str(job["job_id"]) for job in batches_of(services, "default").jobs(batch_id) if job["status"] in ENDED}
    assert 3 <= len(ended) < 15
    begun: set[str] = set()
    later = LocalRunner(services, lambda function, _, payload: note_begin(begun, function, payload))
    assert later.resume() == 1
    assert finish(Gateway(services, later), batch_id)["counts"] == {
        "complete": 13, "failed": 2, "done": 15, "not_run": 0,
    }  # fmt: skip
    later.close()
    assert begun
    assert not begun & ended


def note_begin(begun: set[str], function: str, payload: JsonObject) -> None:
    if function == "plan_scrape":
        begun.add(str(payload["execution"]))


def stop_after(runner: LocalRunner, seen: list[str], function: str, phase: str) -> None:
    if (function, phase) == ("aggregate_results", "succeeded"):
        seen.append(function)
        if len(seen) == 3:
            runner.halt()


@pytest.mark.req("WF-2", "CL-1")
def test_the_command_scrapes_a_list_and_goes_on(
    tmp_path: Path, hosts: list[Host], capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "list.txt", tmp_path / "results.ndjson"
    file.write_bytes(page_list(hosts))
    allowed = [option for host in hosts for option in ("--allow-host", host.host)]
    command = ["batch", str(file), "--no-javascript", "--home", str(tmp_path / "home"), "--out", str(out), *allowed]
    assert run([*command, "--json"]) == 3
    summary = json.loads(capsys.readouterr().out)
    assert summary["counts"] == {"complete": 13, "failed": 2, "done": 15, "not_run": 0}
    results = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [result["url"] for result in results] == page_list(hosts).decode().split("\n")[:15]
    asked = len(hosts[0].paths)
    assert run(command) == 3
    error = capsys.readouterr().err
    assert "13 complete, 2 failed of 15 pages" in error
    assert "line 16 skipped" in error
    assert f"failed http://{hosts[1].host}/missing: " in error
    assert len(hosts[0].paths) == asked
    assert run(["batch", str(tmp_path / "none.txt")]) == 2


class Held(Host):
    """A host whose pages but the first are answered only once something has happened."""

    def __init__(self, awaited: Callable[[], bool]) -> None:
        self._awaited = awaited
        super().__init__()

    def answer(self, path: str) -> tuple[int, bytes]:
        found = super().answer(path)
        for _ in range(6_000):
            if path in ("/0", "/robots.txt") or self._awaited():
                break
            threading.Event().wait(0.01)
        return found

    def command(self, folder: Path, pages: int) -> list[str]:
        """Give the command that scrapes so many of its pages, one after the other."""
        file = folder / "list.txt"
        file.write_text("".join(f"http://{self.host}/{n}\n" for n in range(pages)))
        return [
            "batch", str(file), "--no-javascript", "--home", str(folder), "--allow-host", self.host, "--per-host", "1",
        ]  # fmt: skip


@pytest.mark.req("WF-2", "CL-1")
def test_a_bar_counts_the_pages_as_they_end_and_any_word_runs_a_list_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr("gleaner.cli.batch.stderr", Console(file=terminal, force_terminal=True, width=100))
    monkeypatch.setattr("gleaner.local.batch_runs.LOOK_S", 0.01)
    with Held(lambda: "1/2" in terminal.getvalue()) as host:
        command = host.command(tmp_path, 2)
        for again, asked in (([], 2), ([], 2), (["--again", "today"], 4)):
            assert run([*command, *again]) == 0
            assert len(host.paths) == asked
        shown = terminal.getvalue()
        assert 0 < shown.index("1/2") < shown.index("2/2")
        assert run([*command, "--json"]) == 0
    assert terminal.getvalue() == shown


@pytest.mark.req("WF-2", "CL-1")
def test_a_list_with_one_more_bad_line_and_one_for_another_model_are_lists_of_their_own(tmp_path: Path) -> None:
    with Held(lambda: True) as host:
        command = [*host.command(tmp_path, 1), "--json"]
        assert run(command) == 0
        file = tmp_path / "list.txt"
        file.write_text(file.read_text() + "no url\n")
        assert run(command) == 3
        assert run(command) == 3
        assert len(host.paths) == 2
        assert run([*command, "--model", "openai:other"]) == 3
        assert len(host.paths) == 3


@pytest.mark.req("CL-1")
def test_an_interrupted_batch_begins_no_more_pages_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(Progress):
        def update(self, task_id: TaskID, *, completed: float | None = None, **_: Any) -> None:
            if completed == 1:
                raise KeyboardInterrupt

    heard: list[LocalRunner] = []
    halt = LocalRunner.halt

    def hear(runner: LocalRunner) -> None:
        halt(runner)
        heard.append(runner)

    with Held(lambda: bool(heard)) as host, monkeypatch.context() as patch:
        patch.setattr("gleaner.cli.batch.Progress", Interrupted)
        patch.setattr("gleaner.local.batch_runs.LOOK_S", 0.01)
        patch.setattr(LocalRunner, "halt", hear)
        command = host.command(tmp_path, 5)
        assert run(command) == 130
        assert set(host.paths) <= {"/0", "/1"}
        assert "Ctrl-C again to stop at once" in capsys.readouterr().err
        patch.undo()
        asked = belongs_to_another_process(tmp_path, host, patch)
        assert run(command) == 0
        assert "another process is working on this list" in capsys.readouterr().err
        assert len(asked) >= 5
        assert len(set(asked)) == 1  # nothing was asked while the other process was there
        assert set(host.paths) == {f"/{n}" for n in range(5)}


def belongs_to_another_process(home: Path, host: Host, patch: pytest.MonkeyPatch) -> list[int]:
    """Make what was left another process's, which is gone when it has been looked at often; give the pages asked."""
    services = WiredServices(load_settings({}, home=home))
    (item,) = services.table.query(Unfinished.PARTITION).items
    services.table.put(replace(item, data={**item.data, "pid": os.getppid(), "born": None}))
    services.close()
    asked: list[int] = []

    def is_alive(_: int) -> bool:
        asked.append(len(host.paths))
        return len(asked) < 5

    patch.setattr("gleaner.local.unfinished._born", [].append)  # gives None: nobody says when a process began
    patch.setattr("gleaner.local.unfinished._is_alive", is_alive)
    return asked
