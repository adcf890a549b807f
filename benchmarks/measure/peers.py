"""Peers on the same pages in the same run, each told apart by what it needs; `make peers` installs them."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from measure.cases import Case, read_cases
from measure.comparing import squeezed
from measure.content import content_pages
from measure.matching import rates
from measure.rows import ROOT, Context, Row, share

PYTHON = ROOT / ".cache/peers/bin/python"
SECONDS = 600
NOT_INSTALLED = "not installed: make peers"
LISTS_ASKED = 10
"""autoscraper takes seconds to minutes for a page, so it gets the smallest ones."""
EXAMPLES = 2
"""autoscraper learns from so many values of each field."""


class PeerFailed(Exception):
    """A peer's process ended without an answer."""


def measure(context: Context) -> Sequence[Row]:
    """Give the rows of peers; without the corpus, or a peer, they say so."""
    return [*_trafilatura(context), *_autoscraper(context)]


def run_peer(tool: str, pages: Sequence[dict[str, Any]]) -> tuple[list[Any], float]:
    """Give a peer's answers for pages, None where it failed, and its seconds of processor time; PeerFailed if none."""
    script = Path(__file__).with_name("in_peers.py")
    task = json.dumps({"tool": tool, "pages": pages})
    try:
        done = subprocess.run(
            [str(PYTHON), str(script)], input=task, capture_output=True, text=True, timeout=SECONDS, check=True
        )
        found = json.loads(done.stdout)
    except subprocess.CalledProcessError as error:
        raise PeerFailed(f"{tool} ended with {error.returncode}: {error.stderr.strip()[-200:]}") from error
    except (subprocess.TimeoutExpired, ValueError, OSError) as error:
        raise PeerFailed(f"{tool}: {error}") from error
    return found["answers"], found["seconds"]


def _trafilatura(context: Context) -> Iterator[Row]:
    pages = [*content_pages(context)]
    folder = context.corpus / "wcxb_dev/html" if context.corpus else Path()
    asked = [{"file": str(folder / f"{page.name}.html")} for page in pages]
    answers, seconds, note = _asked(context, "trafilatura", asked)
    scores = [rates(text or "", page.text)[2] for text, page in zip(answers, pages, strict=True)] if answers else []
    yield Row(
        "peers.trafilatura.f1",
        "trafilatura on the same pages (no schema, main content only), F1 of the words, mean",
        mean(scores) if scores else None,
        "F1",
        "higher",
        1,
        f"{len(scores)} pages, {1000 * seconds / len(scores):.0f} ms a page" if scores else "",
        note=note,
    )


def _autoscraper(context: Context) -> Iterator[Row]:
    """Let autoscraper learn from the first values of each field, and compare whole columns on the same page."""
    cases = sorted((case for case in read_cases(context, *LISTS) if case.is_list), key=lambda case: len(case.html))
    cases = cases[: 2 if context.quick else LISTS_ASKED]
    folder = context.corpus or Path()
    asked = [
        {"file": str(folder / _folder(case) / "page.html"), "url": case.url, "examples": examples_of(case)}
        for case in cases
    ]
    answers, seconds, note = _asked(context, "autoscraper", asked)
    right = fields = wanted = 0
    for case, found in zip(cases, answers, strict=True) if answers else ():
        columns = columns_of(case)
        same = [name for name, texts in columns.items() if is_read(found, name, texts)]
        fields, wanted = fields + len(same), wanted + len(columns)
        right += len(same) == len(columns)
    yield Row(
        "peers.autoscraper.same_page",
        "autoscraper (needs examples as written on the page): small real lists, some rule right for each column",
        share(right, len(answers)),
        "%",
        "higher",
        100,
        f"{right} of {len(answers)} lists, {fields} of {wanted} columns, {seconds:.0f} s" if answers else "",
        note=note,
    )


LISTS = ("answered_lists", "tables")


def _folder(case: Case) -> Path:
    return Path(case.corpus) / case.name if case.corpus == "answered_lists" else Path("records", case.corpus, case.name)


def _asked(context: Context, tool: str, pages: Sequence[dict[str, Any]]) -> tuple[list[Any], float, str]:
    """Give a peer's answers, its seconds, and why there are none."""
    if not PYTHON.exists():
        return [], 0.0, NOT_INSTALLED
    if not pages:
        return [], 0.0, "the corpus is not there"
    try:
        answers, seconds = run_peer(tool, pages)
    except PeerFailed as error:
        context.note(tool, error)
        return [], 0.0, str(error)
    for page, answer in zip(pages, answers, strict=True):
        if answer is None:
            context.note(f"{tool}, {Path(page['file']).parent.name}/{Path(page['file']).name}", "gave no answer")
    return answers, seconds, ""


def columns_of(case: Case) -> dict[str, list[str]]:
    """Give the texts of each field that has single values, record by record; nulls are left out."""
    columns: dict[str, list[str]] = {}
    for record in case.records:
        for name, value in record.items():
            if isinstance(value, str | int | float) and not isinstance(value, bool) and squeezed(str(value)):
                columns.setdefault(name, []).append(squeezed(str(value)))
    return columns


def examples_of(case: Case) -> dict[str, list[str]]:
    """Give the first values of each field."""
    return {name: texts[:EXAMPLES] for name, texts in columns_of(case).items()}


def is_read(found: Any, name: str, texts: Sequence[str]) -> bool:
    """Tell whether any rule of a field gives just its column: that is kind, as a user would have to choose the rule."""
    rules = found.get(name) if isinstance(found, dict) else None
    given = rules.values() if isinstance(rules, dict) else ()
    return any([text for one in column if (text := squeezed(str(one)))] == [*texts] for column in given)
