"""Real pages with what a capable model answered: is what came of it right, at what cost? (``corpus/answered_*``)"""

import json
import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gleaner.contracts.models import ScrapeResult
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page

from measure.replay import Replay, ask, json_in
from measure.rows import Context, Row, share
from measure.values import Fate, Json, PageText, fate_of, key_of, records_of

CHUNK = 100_000
"""Characters of Markdown that one call may read: what the default of ``max_chunk_chars`` says."""


@dataclass(slots=True)
class Case:
    """One recorded page: the fullest of its answers (later ones repeat it in part), and its Markdown with links."""

    name: str
    html: str
    url: str
    query: str | None
    schema: Json
    answer: Json
    markdown: str


@dataclass(slots=True)
class Outcome:
    """What all cases of a kind came to."""

    pages: int = 0
    partial: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])
    silent: int = 0
    calls: int = 0
    needed: int = 0
    tokens: int = 0
    markdown_tokens: int = 0
    seconds: float = 0.0
    fate: Fate = field(default_factory=Fate)


def read_case(folder: Path) -> Case:
    """Read a recorded case; what is broken raises OSError, KeyError or ValueError."""
    html, url = (folder / "page.html").read_text("utf-8", errors="replace"), (folder / "url").read_text().strip()
    answers = [json_in(one.read_text("utf-8"))["data"] for one in sorted(folder.glob("call-*.answer.txt"))]
    fullest = max(answers, key=lambda answer: len(records_of(answer)))
    query = folder / "query"
    return Case(
        folder.name,
        html,
        url if "://" in url else f"https://{url}",
        query.read_text("utf-8").strip() if query.exists() else None,
        json.loads((folder / "schema.json").read_text("utf-8")),
        fullest,
        open_page(html, url, PageOptions(extract_links=True)).text,
    )


def measure(context: Context) -> list[Row]:
    """Give the rows of recorded lists and of recorded pages about one thing."""
    lists = _run(context, "answered_lists", quick=4)
    pages = _run(context, "answered_pages", quick=6)
    return [*_rows("lists", "lists", lists), *_rows("pages", "pages about one thing", pages), *_lossy(context)]


def _run(context: Context, folder: str, quick: int) -> Outcome:
    outcome = Outcome()
    cases = context.cases(folder)
    for path in cases[:quick] if context.quick else cases:
        try:
            case = read_case(path)
        except (OSError, ValueError, KeyError) as error:
            context.note(f"{folder}/{path.name}", error)
            continue
        _add(outcome, case, *_asked(case))
    return outcome


def _asked(case: Case, edit: Callable[[list[Any]], list[Any]] | None = None) -> tuple[ScrapeResult, Replay, float]:
    model = Replay(case.answer, edit)
    with tempfile.TemporaryDirectory() as home:
        start = time.process_time()
        wanted: dict[str, Any] = {"query": case.query} if case.query else {}
        result = ask(home, case.html, case.url, case.schema, model, config={"tiers": ["model"]}, **wanted)
        return result, model, time.process_time() - start


def _add(outcome: Outcome, case: Case, result: ScrapeResult, model: Replay, seconds: float) -> None:
    found = result.extraction
    fate = fate_of(case.answer, found.data if found else None, PageText.of(case.markdown))
    outcome.pages += 1
    outcome.seconds += seconds
    outcome.calls += len(model.prompts)
    outcome.needed += max(1, math.ceil(len(case.markdown) / CHUNK))
    outcome.tokens += sum(len(one) for one in model.prompts) // 4
    outcome.markdown_tokens += len(case.markdown) // 4
    outcome.fate.add(fate)
    if result.status != "complete":
        outcome.partial.append(case.name)
    elif fate.nulled:
        outcome.silent += sum(not is_named(one, result) for one in fate.nulled)


def is_named(pointer: str, result: ScrapeResult) -> bool:
    """Tell whether a warning or an error names the field of a value that is gone."""
    said = [*(result.extraction.warnings if result.extraction else ()), *result.warnings]
    said += [error.message for error in result.extraction.errors] if result.extraction else []
    name = pointer.rsplit("/", 1)[-1]
    field_name = pointer.split("/")[-2] if name.isdigit() else name
    return any(field_name in one for one in said)


def _rows(kind: str, title: str, seen: Outcome) -> list[Row]:
    if not seen.pages:
        note = "no corpus: set GLEANER_CORPUS"
        return [
            Row(f"recorded.{kind}.nulled", f"recorded {title}: right values nulled", None, "%", "lower", 0.1, note=note)
        ]
    fate, ratio = seen.fate, seen.calls / seen.needed
    named = ", ".join(seen.partial)
    values = f"{len(fate.nulled):,} of {fate.stated:,} values that stand on the page"
    alarms = f"{len(seen.partial)} of {seen.pages} pages" + (f": {named}" if named else "")
    tokens = f"{seen.tokens:,} of {seen.markdown_tokens:,} tokens of Markdown"
    return [
        Row(
            f"recorded.{kind}.nulled",
            f"recorded {title}: right values nulled",
            share(len(fate.nulled), fate.stated),
            "%",
            "lower",
            0.1,
            values,
        ),
        Row(
            f"recorded.{kind}.silent",
            f"recorded {title}: nulled and not named",
            float(seen.silent),
            "count",
            "lower",
            0,
            f"of {len(fate.nulled)} nulled",
        ),
        Row(
            f"recorded.{kind}.partial",
            f"recorded {title}: false alarms",
            float(len(seen.partial)),
            "count",
            "lower",
            0,
            alarms,
        ),
        Row(
            f"recorded.{kind}.calls",
            f"recorded {title}: calls per call needed",
            ratio,
            "ratio",
            "lower",
            0.05,
            f"{seen.calls} of {seen.needed}",
        ),
        Row(
            f"recorded.{kind}.tokens",
            f"recorded {title}: prompt tokens per token of Markdown",
            seen.tokens / seen.markdown_tokens,
            "ratio",
            "lower",
            0.05,
            tokens,
        ),
        Row(
            f"recorded.{kind}.cpu",
            f"recorded {title}: processor time a page",
            seen.seconds / seen.pages,
            "s",
            "lower",
            1.0,
            f"{seen.pages} pages",
        ),
    ]


def _lossy(context: Context) -> list[Row]:
    """Let the recorded model leave out a record in the middle, always: the result must not say complete."""
    cases = context.cases("answered_lists")
    tried = 0
    wrong: list[str] = []
    for path in cases[:3] if context.quick else cases:
        try:
            case = read_case(path)
        except (OSError, ValueError, KeyError):
            continue
        rows = records_of(case.answer)
        gone = key_of(rows[len(rows) // 2])
        result, _, _ = _asked(case, lambda here, gone=gone: [row for row in here if key_of(row) != gone])
        tried += 1
        if result.status == "complete":
            wrong.append(case.name)
    of = f"{len(wrong)} of {tried}" + (f": {', '.join(wrong)}" if wrong else "")
    value = float(len(wrong)) if tried else None
    return [
        Row("recorded.lists.lossy", "recorded lists: complete with a record left out", value, "count", "lower", 0, of)
    ]
