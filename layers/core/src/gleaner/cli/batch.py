"""``gleaner batch``: scrape a list of pages politely, with a progress bar; resumes when run again."""

import json
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from gleaner.cli.display import Written, plain, stderr
from gleaner.cli.exit_codes import INTERRUPTED, PARTIAL, Said
from gleaner.cli.options import (
    Action,
    AllowHost,
    AsJson,
    Consent,
    Home,
    Model,
    Proxy,
    Session,
    check_output,
    given,
    read_action_options,
    read_input,
    read_json_option,
    write_output,
)
from gleaner.cli.places import opened
from gleaner.contracts.digests import digest_of
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonObject
from gleaner.jobs.batches import UNDER_WAY, BadLine, ParsedList, Politeness, parse_list
from gleaner.local.batch_runs import BatchRun
from gleaner.local.runner import LocalRunner
from gleaner.results.exports import to_csv
from gleaner.results.records import columns_of, marked_records
from gleaner.service.gateway import Gateway
from gleaner.wiring import WiredServices

BAD_LINES_SHOWN = 5


def batch(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="List of pages: CSV with a column url, JSON, JSON lines, or one URL per line; - reads standard input.",
        ),
    ],
    query: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="WORDS", help="What to extract, for lines without their own query."),
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option("--schema", "-s", metavar="FILE|JSON", help="JSON Schema, for lines without their own."),
    ] = None,
    extraction_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Extraction to reuse; new records are added to it.")
    ] = None,
    action: Action = None,
    session: Session = None,
    consent: Consent = None,
    proxy: Proxy = None,
    javascript: Annotated[bool, typer.Option(help="Use the browser, or plain HTTP.")] = True,
    concurrency: Annotated[int, typer.Option(metavar="N", help="Pages at a time, over all hosts.")] = 8,
    per_host: Annotated[int, typer.Option(metavar="N", help="Pages at a time on one host.")] = 2,
    delay_ms: Annotated[int, typer.Option(metavar="MS", help="Pause in ms between two pages of a host.")] = 0,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", help="Ignore robots.txt.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write each result to this file as a line of JSON; .csv writes all records at the end.",
        ),
    ] = None,
    again: Annotated[
        str, typer.Option(metavar="WORD", help="Run a finished list again; each new word starts a new run.")
    ] = "",
    model: Model = None,
    home: Home = None,
    allow_host: AllowHost = None,
    as_json: AsJson = False,
) -> int:
    """Scrape a list of pages, politely.

    If it was interrupted or killed, run the same command to resume.
    """
    check_output("--out", out)
    defaults = given(
        query=query, output_schema=read_json_option("--schema", schema), extraction_id=extraction_id, session=session,
        actions=read_action_options(action), consent=consent, proxy=proxy,
        enable_javascript=None if javascript else False,
    )  # fmt: skip
    parsed = parse_list(read_input(str(file)), file.name, defaults)
    said = {"concurrency": concurrency, "per_host": per_host, "delay_ms": delay_ms, "ignore_robots": ignore_robots}
    politeness = Politeness.read(said)
    with opened(home, model=model, allow_hosts=allow_host or None) as services:
        name = _name(parsed, politeness, services.settings.model, again)
        summary = run_to_end(services, lambda run: run.start(parsed, politeness, name), out, silent=as_json)
        return finish(services, summary, out, out or file, parsed.bad, as_json=as_json)


def finish(
    services: WiredServices, summary: JsonObject, out: Path | None, beside: Path, bad: Sequence[BadLine], *,
    as_json: bool,
) -> int:  # fmt: skip
    """Write what a batch or crawl came to, say so, and give the exit code."""
    gateway = Gateway(services, LocalRunner(services))
    if out is not None:
        write_output(out, _final_lines(out, gateway, str(summary["batch_id"])))
    failures = write_failures(beside, bad, gateway, str(summary["batch_id"]))
    _show(summary, out, failures, as_json=as_json)
    if summary["status"] in UNDER_WAY:
        return Said(INTERRUPTED)
    return 0 if summary["status"] == "complete" else PARTIAL


def write_failures(beside: Path, bad_lines: Sequence[BadLine], gateway: Gateway, batch_id: str) -> Path | None:
    """Write every page that failed, and every line that is no request, beside a file; None when there is none."""
    failed = [
        {"url": job.get("url"), "error_type": "", "message": "", **cast(JsonObject, job.get("error") or {})}
        for job in gateway.batches.jobs(batch_id)
        if job.get("status") == "failed"
    ]
    bad: list[Any] = [
        {"url": f"line {one.line}", "error_type": "invalid_request", "message": one.reason} for one in bad_lines
    ]
    if not failed and not bad:
        return None
    name = f"{beside.stem if str(beside) != '-' else 'batch'}.failures.csv"
    folder = beside.parent if os.access(beside.parent, os.W_OK) and beside.parent != Path("/dev") else Path()
    write_output(folder / name, to_csv([*failed, *bad], ["url", "error_type", "message"]))
    return folder / name


def _final_lines(out: Path, gateway: Gateway, batch_id: str) -> Iterator[str]:
    """Give the lines of the finished file, in the list's order: results, or for .csv their records with their pages."""
    if out.suffix.lower() != ".csv":
        yield from _results(gateway, batch_id)
        return
    records: list[Any] = []
    columns = {"source_url": None}
    for result in map(json.loads, _results(gateway, batch_id)):
        extraction = ExtractionResult.model_validate(result.get("extraction") or {})
        columns |= dict.fromkeys(columns_of(extraction))
        found = marked_records(extraction)
        records += [{"source_url": result.get("source_url"), **one} if isinstance(one, dict) else one for one in found]
    yield from to_csv(records, [*columns])


def _name(parsed: ParsedList, politeness: Politeness, model: str, again: str) -> str:
    """Give the key by which the same list, asked in the same way of the same model, is the same batch."""
    return digest_of(json.dumps([parsed.lines, politeness.model_dump(), model, again], sort_keys=True))


def run_to_end(
    services: WiredServices, begin: Callable[[BatchRun], JsonObject], out: Path | None, *, silent: bool
) -> JsonObject:
    """Run a batch or crawl to its end, with a bar; give its record, that of one under way if it is interrupted."""
    runner = LocalRunner(services)
    gateway = Gateway(services, runner)
    run = BatchRun(gateway, runner)
    is_shown, written = stderr.is_terminal and not silent, Written()
    services.on_writing = written.add if is_shown else None
    try:
        started = begin(run)
        if started["status"] in UNDER_WAY and not run.is_mine and not silent:
            stderr.print("another process is working on this list; waiting for it to finish")
        with _bar(is_shown=is_shown) as bar, _as_it_goes(out) as write:
            task = bar.add_task("pages", total=run.total or None, completed=0, written=written)
            for count, result in enumerate(run.results(), start=1):
                write(json.dumps(result.to_json(), ensure_ascii=False) + "\n")
                bar.update(task, completed=count, total=run.total)
    except KeyboardInterrupt:
        if not run.batch_id:
            raise
        runner.halt()
        stderr.print("stopping after the pages in progress; press Ctrl-C again to stop at once")
    finally:
        runner.close()
    return gateway.batches.view(run.batch_id)


@contextmanager
def _as_it_goes(out: Path | None) -> "Generator[Callable[[str], object]]":
    """Give what writes a line to the file at once; to a file that can only be written whole, or to none, nothing."""
    if out is None or out.suffix.lower() == ".csv" or (out.exists() and not out.is_file()):
        yield lambda _: None
        return
    with out.open("w", encoding="utf-8", errors="backslashreplace", newline="", buffering=1) as file:
        yield file.write


def _bar(*, is_shown: bool) -> Progress:
    """Give the bar; beside it stands what a model is writing of the pages under way: one may take it minutes."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, TextColumn("{task.fields[written]}"), console=stderr, disable=not is_shown)


def _results(gateway: Gateway, batch_id: str) -> Iterator[str]:
    """Give the results in the list's order, as lines of JSON."""
    after: str | None = None
    while True:
        results, after = gateway.batch_results(batch_id, limit=500, after=after)
        yield from (json.dumps(result, ensure_ascii=False) + "\n" for result in results)
        if after is None:
            return


def _show(summary: JsonObject, out: Path | None, failed: Path | None, *, as_json: bool) -> None:
    if as_json:
        told = {**summary, **({"failures_file": str(failed)} if failed else {})}
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    warnings: Any = summary.get("warnings") or []
    for warning in warnings:
        stderr.print(f"  [yellow]{plain(str(warning))}[/]", soft_wrap=True)
    lines: Any = summary["bad_lines"]
    for bad in lines[:BAD_LINES_SHOWN]:
        stderr.print(f"  [yellow]line {bad['line']}[/] skipped: {plain(bad['reason'])}", soft_wrap=True)
    if int(str(summary["bad_line_count"])) > BAD_LINES_SHOWN:
        stderr.print(f"  … {summary['bad_line_count']} lines skipped in all")
    failures: Any = summary.get("failures") or []
    for failure in failures[:BAD_LINES_SHOWN]:
        why = (failure.get("error") or {}).get("message", "unknown")
        stderr.print(f"  [red]failed[/] {plain(str(failure['url']))}: {plain(str(why))}", soft_wrap=True)
    counts: Any = summary["counts"]
    shown = ", ".join(
        f"{counts[name]} {name}" for name in ("complete", "partial", "failed", "not_run") if counts.get(name)
    )
    word = "cancelled" if summary["status"] == "cancelled" else "some did not run" if counts.get("not_run") else "done"
    word = "interrupted" if summary["status"] in UNDER_WAY else word
    colour = "green" if summary["status"] == "complete" else "yellow"
    told = f"{shown or 0} of {summary['total']} pages, batch {summary['batch_id']}"
    stderr.print(f"  [bold {colour}]{word}[/]: {told}", soft_wrap=True)
    results = (
        plain(str(out)) if out else "stored; run the same command with --out FILE to write them without fetching again"
    )
    if copies := summary.get("copy_count"):
        stderr.print(f"  duplicates  {copies}, each fetched once with the first of its kind")
    stderr.print(f"  results     {results}", soft_wrap=True)
    if failed is not None:
        stderr.print(f"  failures    {plain(str(failed))}: every page that failed, and why", soft_wrap=True)
