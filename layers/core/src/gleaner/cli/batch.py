"""``gleaner batch``: a list of pages, politely, with a progress bar; started again it goes on where it was."""

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from gleaner.cli.display import plain, stderr
from gleaner.cli.exit_codes import INTERRUPTED, PARTIAL
from gleaner.cli.options import AllowHost, AsJson, Home, Model, check_output, read_input, read_json_option, write_output
from gleaner.cli.places import opened
from gleaner.contracts.digests import digest_of
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.batches import ParsedList, Politeness, parse_list
from gleaner.local.runner import LocalRunner
from gleaner.service.gateway import Gateway
from gleaner.wiring import WiredServices

LOOK_S = 0.2
BAD_LINES_SHOWN = 5


def batch(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="CSV with a url column, JSON, JSON lines, or a URL a line; - is the standard input."
        ),
    ],
    query: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="WORDS", help="What to extract, for lines that ask nothing."),
    ] = None,
    schema: Annotated[
        str | None, typer.Option("--schema", "-s", metavar="FILE|JSON", help="JSON Schema for them.")
    ] = None,
    extraction_id: Annotated[str | None, typer.Option(metavar="ID", help="Extraction to reuse and to add to.")] = None,
    javascript: Annotated[bool, typer.Option(help="Use the browser; without it plain HTTP fetches.")] = True,
    concurrency: Annotated[int, typer.Option(metavar="N", help="Pages at a time.")] = 8,
    per_host: Annotated[int, typer.Option(metavar="N", help="Pages at a time at one host.")] = 2,
    delay_ms: Annotated[int, typer.Option(metavar="MS", help="Time between two pages of a host.")] = 0,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", help="Do not ask robots.txt.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the results there, one JSON a line.")
    ] = None,
    again: Annotated[
        str, typer.Option(metavar="WORD", help="Any word: run a list that was done before once more.")
    ] = "",
    model: Model = None,
    home: Home = None,
    allow_host: AllowHost = None,
    as_json: AsJson = False,
) -> int:
    """Scrape a list of pages, politely.

    Interrupted or killed, the same command goes on where it was.
    """
    check_output("--out", out)
    asked = {"query": query, "output_schema": read_json_option("--schema", schema), "extraction_id": extraction_id}
    defaults = {name: value for name, value in asked.items() if value is not None}
    parsed = parse_list(
        read_input(str(file)), file.name, defaults | ({} if javascript else {"enable_javascript": False})
    )
    said = {"concurrency": concurrency, "per_host": per_host, "delay_ms": delay_ms, "ignore_robots": ignore_robots}
    politeness = Politeness.read(said)
    with opened(home, model=model, allow_hosts=allow_host or None) as services:
        name = _name(parsed, politeness, services.settings.model, again)
        summary = _run(services, parsed, politeness, name, silent=as_json)
        if out is not None:
            write_output(out, _results(Gateway(services, LocalRunner(services)), str(summary["batch_id"])))
    _show(summary, out, as_json=as_json)
    return 0 if _is_whole(summary) else PARTIAL


def _name(parsed: ParsedList, politeness: Politeness, model: str, again: str) -> str:
    """Give the key by which the same list, asked in the same way of the same model, is the same batch."""
    return digest_of(json.dumps([parsed.lines, politeness.model_dump(), model, again], sort_keys=True))


def _run(services: WiredServices, parsed: ParsedList, politeness: Politeness, name: str, *, silent: bool) -> JsonObject:
    ended: Counter[str] = Counter()
    lock = threading.Lock()

    def on_step(function: str, phase: str, payload: JsonObject) -> None:
        if phase == "succeeded" and function in ("aggregate_results", "record_failure") and "chunk" not in payload:
            with lock:
                ended["pages"] += 1

    runner = LocalRunner(services, on_step)
    gateway = Gateway(services, runner)
    try:
        started = gateway.start_batch(parsed, politeness, idempotency_key=name)
        batch_id = str(started["batch_id"])
        before = _done(started)
        if started["status"] == "running" and not runner.go_on("scrape_batch", batch_id) and not silent:
            stderr.print("another process works on this list; its end is waited for")
        with _bar(silent=silent) as bar:
            task = bar.add_task("pages", total=len(parsed.requests), completed=before)
            while gateway.batches.record(batch_id)["status"] == "running":
                runner.go_on("scrape_batch", batch_id)
                bar.update(task, completed=min(before + ended["pages"], len(parsed.requests)))
                threading.Event().wait(LOOK_S)
            bar.update(task, completed=_done(gateway.batches.view(batch_id)))
        return gateway.batches.view(batch_id)
    except KeyboardInterrupt:
        runner.halt()
        stderr.print("ending when the pages that are being fetched are there; Ctrl-C again leaves at once")
        signal.signal(signal.SIGINT, _leave)
        raise
    finally:
        runner.close()


def _leave(*_: object) -> None:
    """End at once, as a kill would, for whoever asks twice."""
    os._exit(INTERRUPTED)


def _bar(*, silent: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=stderr, disable=silent or not stderr.is_terminal)


def _done(view: Mapping[str, Any]) -> int:
    return int(view["counts"].get("done", 0))


def _results(gateway: Gateway, batch_id: str) -> Iterator[str]:
    """Give the results in the list's order, as lines of JSON."""
    after: str | None = None
    while True:
        results, after = gateway.batch_results(batch_id, limit=500, after=after)
        yield from (json.dumps(result, ensure_ascii=False) + "\n" for result in results)
        if after is None:
            return


def _is_whole(summary: JsonObject) -> bool:
    return summary["status"] == "complete"


def _show(summary: JsonObject, out: Path | None, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
        return
    lines: Any = summary["bad_lines"]
    for bad in lines[:BAD_LINES_SHOWN]:
        stderr.print(f"  [yellow]line {bad['line']}[/] passed over: {plain(bad['reason'])}", soft_wrap=True)
    if int(str(summary["bad_line_count"])) > BAD_LINES_SHOWN:
        stderr.print(f"  … {summary['bad_line_count']} lines passed over in all")
    failures: Any = summary.get("failures") or []
    for failure in failures[:BAD_LINES_SHOWN]:
        stderr.print(f"  [red]failed[/] {plain(str(failure['url']))}: {plain(_why(failure))}", soft_wrap=True)
    counts: Any = summary["counts"]
    shown = ", ".join(
        f"{counts[name]} {name}" for name in ("complete", "partial", "failed", "not_run") if counts.get(name)
    )
    word = "cancelled" if summary["status"] == "cancelled" else "not all were run" if counts.get("not_run") else "done"
    colour = "green" if _is_whole(summary) else "yellow"
    told = f"{shown} of {summary['total']} pages, batch {summary['batch_id']}"
    stderr.print(f"  [bold {colour}]{word}[/]: {told}", soft_wrap=True)
    results = (
        plain(str(out)) if out else "kept: the same command with --out FILE writes them, and fetches nothing again"
    )
    stderr.print(f"  results     {results}", soft_wrap=True)


def _why(failure: Mapping[str, Any]) -> str:
    error = failure.get("error") or {}
    return str(error.get("message", "unknown"))
