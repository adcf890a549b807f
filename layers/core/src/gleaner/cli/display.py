"""Print results at a terminal: errors, progress, tables of records, cost."""

import json
import re
import time
from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gleaner.budget.prices import dollars
from gleaner.contracts.actions import ActionOutcome
from gleaner.contracts.models import ExtractionResult, ScrapeResult
from gleaner.contracts.ports import JsonObject, Writing
from gleaner.jobs.aggregates import records_of

STEPS = {
    "plan_scrape": "plan",
    "probe_media": "probe",
    "render_page": "render",
    "read_document": "read the document",
    "chunk_page": "chunk",
    "extract_chunk": "extract",
    "aggregate_results": "aggregate",
    "record_failure": "record the failure",
}
TIERS = {
    "structured": "tier 0, the page's own data; no model was asked",
    "recipe": "a learned recipe; no model was asked",
    "model": "a model",
}
DECLINED = {"structured": "tier 0", "recipe": "the recipe"}
ADVICE = {
    "http_status_error": "open the page in a browser: it may have moved, or require a login (--profile master)",
    "walled": "ask the site for access or an API, or sign in (--profile master); docs/what-is-allowed.md says more",
    "site_in_trouble": "the site has problems or limits requests: try again later",
    "browser_crashed": "run `gleaner doctor` to check the browser",
    "execution_aborted": "run the same command again",
}
"""What to do about a failure, where its message does not say so."""
OWN_SERVER = re.compile(r" is (?:loopback|private|shared|unique local|a name for internal use)\b")
"""What an address is refused for that may be allowed with good reason: where it leads, not how it is written."""
IN_TROUBLE = re.compile(r" answered (?:429|5\d\d)\b")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line feed, and those that turn the direction of writing."""
PAGE_JOB = re.compile(r"page-(\d{4})-\d+-of-")
"""How the jobs of a listing's pages are called."""
ROWS_SHOWN = 20
CELL_WIDTH = 60
COLUMN_ROOM = 12
"""Columns of a terminal that a field needs to be read in a table."""

FILE_WIDTH = 10_000
REFRESHES = 2
"""Pictures a second while something is waited for: a spinner of twelve takes a twentieth of a processor."""


def _console(*, stderr: bool) -> Console:
    """Give a console that wraps at the terminal's width; what goes to a file or a program keeps its lines whole."""
    console = Console(stderr=stderr, highlight=False, emoji=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, emoji=False, width=FILE_WIDTH)


stderr = _console(stderr=True)
stdout = _console(stderr=False)


def shown(text: str) -> str:
    """Give the text as a terminal may show it: a page's control characters could move its cursor or retitle it."""
    return CONTROLS.sub("\ufffd", text)


def plain(text: str) -> str:
    """Give the text as it may stand in rich's markup."""
    return escape(shown(text))


def say_error(message: str) -> None:
    """Write one line to stderr."""
    line = " ".join(message.split())
    stderr.print(f"[bold red]error:[/] {plain(line)}", soft_wrap=True)


def _job_of(payload: JsonObject) -> str:
    job = payload.get("job")
    return str(job.get("job_id")) if isinstance(job, dict) else str(payload.get("execution"))


class Written:
    """What models on this machine are writing, as far as they have got."""

    def __init__(self) -> None:
        self._answers: list[Writing] = []

    def add(self, answer: Writing) -> None:
        """Take note of an answer that a model begins to write: what ``WiredServices.on_writing`` calls."""
        self._answers = [*(one for one in self._answers if one.is_going), answer]

    def __str__(self) -> str:
        """Say how much has been written of what is being written; "" for nothing."""
        going = [one for one in self._answers if one.is_going]
        tokens, records = sum(one.tokens for one in going), sum(one.records for one in going)
        counted = f", {records} record{'' if records == 1 else 's'} so far" if records else ""
        return f"{tokens:,} tokens{counted}" if tokens else ""


class _Life:
    """A step that goes on: its name, for how long, and what a model has read and written by now."""

    def __init__(self, name: str, since: float, progress: "Progress") -> None:
        self._name, self._since, self._progress = name, since, progress

    def __rich__(self) -> Text:
        """Draw it as it is now; the terminal is drawn anew several times a second."""
        done = ", ".join(filter(None, (self._name, self._progress.parts_read(), str(self._progress.written))))
        return Text(f"{done}  {time.monotonic() - self._since:.0f} s")


class Progress:
    """Shows the steps of a job as they begin and end; silent when told so."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent
        self._started: dict[str, float] = {}
        self._chunks: dict[str, int] = {}
        self._waits = False
        self.written = Written()
        self._status = (
            stderr.status("starting", refresh_per_second=REFRESHES) if stderr.is_terminal and not silent else None
        )

    def __enter__(self) -> "Progress":
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def step(self, function: str, phase: str, payload: JsonObject) -> None:
        """Take note of a step: the listener that LocalRunner calls."""
        if self._silent:
            return
        page = PAGE_JOB.match(_job_of(payload))
        key = f"page {page[1]}" if page else f"{function} {json.dumps(payload.get('chunk'))}"
        name = f"page {int(page[1])}" if page else STEPS.get(function, function)
        if phase != "started" and (function == "follow_listing" or (page and function != "aggregate_results")):
            return  # a page of a listing has one line, at its end
        if phase == "started":
            if function == "extract_chunk" and not page:
                self._chunks.setdefault(key, len(self._chunks) + 1)
            self._started.setdefault(key, time.monotonic())
            if self._status:
                self._status.update(_Life(name, self._started[key], self))
            return
        if phase == "waiting":
            self._wait()
            return
        if key in self._chunks:
            name = f"extract chunk {self._chunks[key]}"
        took = time.monotonic() - self._started.pop(key, time.monotonic())
        mark = "[green]✓[/]" if phase == "succeeded" else "[red]✗[/]"
        stderr.print(f"  {mark} {name:<18} [dim]{took:6.2f} s[/]")

    def parts_read(self) -> str:
        """Say how many parts of the page have been read, where there are several."""
        going = sum(key in self._started for key in self._chunks)
        return f"{len(self._chunks) - going} of {len(self._chunks)} parts read" if len(self._chunks) > 1 else ""

    @property
    def is_shown(self) -> bool:
        """Whether anybody sees what goes on."""
        return self._status is not None

    def _wait(self) -> None:
        """Say once that the page waits."""
        if not self._waits:
            stderr.print("  [dim]… waiting for the recipe of a similar page[/]")
        self._waits = True


def show_result(result: ScrapeResult, files: Sequence[str] = (), *, limit: int | None = None) -> None:
    """Write the result for a person: payload on stdout, everything about it on stderr.

    ``limit`` cuts the payload to so many records, links or lines.
    """
    _show_payload(result, limit)
    _show_status(result)
    for file in files:
        stderr.print(f"  file        {plain(file)}", soft_wrap=True)


def _show_payload(result: ScrapeResult, limit: int | None) -> None:
    extraction = result.extraction
    if extraction is not None and extraction.data is not None:
        _show_data(extraction, limit)
    elif result.markdown is not None and extraction is None:
        _show_lines(result.markdown.split("\n"), limit)
    elif result.links is not None:
        _show_lines(result.links, limit)


def _show_lines(lines: Sequence[str], limit: int | None) -> None:
    for line in lines[:limit]:
        _write_line(line)
    if limit is not None and len(lines) > limit:
        left = len(lines) - limit
        stdout.print(f"… {left} more line{'' if left == 1 else 's'}", style="dim")


def _write_line(text: str) -> None:
    """Write a line as a terminal may show it; a file or a program gets it as it is, where rich would alter tabs."""
    if stdout.is_terminal:
        stdout.print(Text(shown(text)), soft_wrap=True)
    else:
        stdout.file.write(text + "\n")


def _show_data(extraction: ExtractionResult, limit: int | None) -> None:
    if isinstance(extraction.data, str):
        _show_lines(extraction.data.split("\n"), limit)
        return
    found, _ = records_of(extraction)
    records = [record for record in found if isinstance(record, dict)]
    if not records or len(records) < len(found) or not (stdout.is_terminal or limit):
        _write_line(json.dumps(extraction.data, ensure_ascii=False, indent=2))
        return
    stdout.print(records_shown(records, stdout.width, limit or ROWS_SHOWN))


def records_shown(records: Sequence[dict[str, Any]], width: int, limit: int = ROWS_SHOWN) -> Table:
    """Give the first records as a table, a column a field; where there is no room for that, a line a field."""
    names = list(dict.fromkeys(name for record in records for name in record))
    is_wide = len(names) * COLUMN_ROOM > width
    table = _record_lines(names, records[:limit]) if is_wide else _record_rows(names, records, limit)
    if len(records) > limit:
        table.caption = f"{limit} of {len(records)} records shown"
    return table


def _record_rows(names: Sequence[str], records: Sequence[dict[str, Any]], limit: int) -> Table:
    table = Table(show_header=True, header_style="bold", pad_edge=False, box=SIMPLE_HEAD)
    for name in names:
        numeric = all(_is_number(record.get(name)) for record in records)
        room = min(cell_len(name), COLUMN_ROOM)
        justify = "right" if numeric else "left"
        table.add_column(Text(shown(name)), justify=justify, overflow="fold", min_width=room, max_width=CELL_WIDTH)
    for record in records[:limit]:
        table.add_row(*(_cell(record.get(name)) for name in names))
    return table


def _record_lines(names: Sequence[str], records: Sequence[dict[str, Any]]) -> Table:
    table = Table(show_header=False, pad_edge=False, box=None)
    table.add_column(style="bold", overflow="fold", max_width=24)
    table.add_column(overflow="fold")
    for number, record in enumerate(records, start=1):
        table.add_row(Text(f"— {number}", style="dim"), "")
        for name in names:
            table.add_row(Text(shown(name)), _cell(record.get(name)))
    return table


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _cell(value: Any) -> Text:
    if value is None:
        return Text("–", style="dim")
    text = shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return Text(text if len(text) <= CELL_WIDTH else text[: CELL_WIDTH - 1] + "…")


def _show_status(result: ScrapeResult) -> None:
    colour = {"complete": "green", "partial": "yellow", "failed": "red"}[result.status]
    stderr.print(f"  [bold {colour}]{result.status}[/]    {plain(_headline(result))}", soft_wrap=True)
    if advice := _advice(result):
        stderr.print(f"  [dim]→ {advice}[/]", soft_wrap=True)
    if result.consent is not None:
        did = CONSENT_DEEDS[result.consent.did]
        stderr.print(f"  consent dialog of {plain(result.consent.dialog)}: {did}", soft_wrap=True)
    for outcome in result.actions or []:
        stderr.print(f"  {plain(_action_line(outcome))}", soft_wrap=True)
    extraction = result.extraction
    if extraction is not None:
        _show_tiers(extraction)
        stderr.print(f"  usage       {usage_line(extraction)}", soft_wrap=True)
        if extraction.withheld:
            stderr.print(f"  withheld    {len(extraction.withheld)}: no proof of a required value", soft_wrap=True)
        if extraction.extraction_id:
            stderr.print(f"  reuse       --extraction-id {extraction.extraction_id}", soft_wrap=True)
        if extraction.aggregate_summary:
            stderr.print(f"  collected   {plain(extraction.aggregate_summary)}", soft_wrap=True)
    if result.links is not None:
        hint = " (shown with --json)" if result.markdown is not None else ""
        stderr.print(f"  links       {len(result.links)}{hint}")
    for picture in result.pictures:
        stderr.print(f"  {picture.format:<11} {picture.screenshot_mime}, {picture.size:,} bytes")
        stderr.print(f"  stored      {plain(picture.url)}", soft_wrap=True)
    warnings = [*result.warnings, *(extraction.warnings if extraction else [])]
    for warning in dict.fromkeys(warnings):
        stderr.print(f"  [yellow]warning[/]     {plain(warning)}", soft_wrap=True)
    for error in extraction.errors if extraction else []:
        stderr.print(f"  [red]error[/]       {error.error_type}: {plain(error.message)}", soft_wrap=True)


CONSENT_DEEDS = {
    "rejected": "rejected",
    "accepted": "accepted",
    "hidden": "hidden, as it takes nothing but consent",
    "nothing": "could not be answered",
}


def _action_line(outcome: ActionOutcome) -> str:
    """Give what came of an action in one line."""
    mark = "✓" if outcome.error is None else "✗"
    moved = f"now {outcome.url}" if outcome.url != outcome.url_before and outcome.error is None else ""
    met = f" ({', '.join(filter(None, (outcome.met, moved)))})" if outcome.met or moved else ""
    notes = "".join(f"; {note}" for note in outcome.notes)
    shown = f"; the page then: {outcome.screenshot}" if outcome.screenshot else ""
    return f"{mark} step {outcome.step:<4} {outcome.action}{met}{notes}{shown}"


def _show_tiers(extraction: ExtractionResult) -> None:
    """Say what answered, and why the tiers that were asked before it did not."""
    answered = TIERS.get(extraction.tier)
    if answered is None and extraction.passages:
        answered = "the passages of the page that fit the query best; no model was asked"
    stderr.print(f"  answered by {answered}" if answered else "  nothing extracted", soft_wrap=True)
    for tier, why in extraction.declined.items():
        stderr.print(f"  [dim]{DECLINED[tier]:<11} gave no answer: {plain(why)}[/]", soft_wrap=True)


def _advice(result: ScrapeResult) -> str | None:
    if result.error is None:
        return None
    in_trouble = result.error.error_type == "http_status_error" and IN_TROUBLE.search(result.error.message)
    return ADVICE.get("site_in_trouble" if in_trouble else result.error.error_type)


def _headline(result: ScrapeResult) -> str:
    if result.error is not None:
        return result.error.message
    completeness = result.extraction.completeness if result.extraction else None
    if completeness is None or completeness.expected is None:
        return result.title or result.source_url or ""
    return f"{completeness.returned} of {completeness.expected} records"


def usage_line(extraction: ExtractionResult) -> str:
    """Give what the answer cost, in words."""
    usage = extraction.usage
    if not usage.calls and not usage.cache_hits:
        return "no model call"
    tokens = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    cached = f", {usage.cache_hits} from the cache" if usage.cache_hits else ""
    cost = dollars(usage.usd, usage.prices_as_of)
    return f"{usage.calls} model call{'' if usage.calls == 1 else 's'}, {tokens}, {cost}{cached}"
