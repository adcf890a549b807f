"""The suites of the yardstick, in the order of the table."""

import importlib
import time
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

from measure.cases import CORPORA
from measure.rows import Context, Row

SUITES = (
    "pages",
    "recorded",
    "strengths",
    "attacks",
    "inventions",
    "words",
    "small_answers",
    "tier0",
    "replays",
    "content",
    "documents",
    "costs",
    "lists2000",
    "rooms",
    "peers",
)
"""Names of modules of this package, each with ``measure(context) -> list[Row]``; ``pages`` takes corpora, too."""

QUICK = tuple(name for name in SUITES if name not in ("lists2000", "rooms", "peers"))
"""Those that the ratchet runs, each on its quick subset."""

LONGEST = ("pages:layouts", "replays", "pages:tables", "pages:courts", "pages:recipes")
"""Jobs that begin first, so that no core waits for one of them at the end."""

MAIN = frozenset(
    [
        "recorded.records",
        "strengths.neighbours_value",
        "strengths.changed_digit",
        "strengths.swapped_days",
        "strengths.slips",
        "strengths.absent",
        "attacks.served",
        "attacks.hostile",
        "inventions.complete",
        "inventions.alarms",
        "words.right_partial",
        "words.changed_digit",
        "words.swapped_number",
        "small_answers.false_claims",
        "tier0.pages",
        "replays.changed_page",
        "replays.wrong",
        "replays.old_value",
        "replays.calls",
        "replays.changed_layout",
        "replays.layouts_wrong",
        "content.f1",
        "content.f1.left_out",
        "content.articles.kept",
        "content.articles.let_in",
        "content.tables",
        "documents.tables",
        "documents.markdown",
        "costs.parses",
        "costs.functions",
        "lists2000.first",
        "lists2000.next",
        "lists2000.calls",
        "peers.trafilatura.f1",
        "peers.markdownify.tables",
    ]
)
"""The rows that people read below the table of the corpora; ``current.json`` has every row, ``--all`` prints them."""


def jobs_of(names: Iterable[str]) -> Iterator[str]:
    """Give the jobs of suites, each for a process of its own: ``pages`` is one for each corpus."""
    for name in names:
        if name == "pages":
            yield from (f"pages:{corpus.name}" for corpus in CORPORA)
        else:
            yield name


def is_job(name: str) -> bool:
    """Tell whether a name is a suite, or ``pages:`` with a corpus."""
    return name in SUITES or name in jobs_of(["pages"])


def run(job: str, corpus: Path | None, *, quick: bool, seed: int) -> tuple[str, list[Row], list[str], float]:
    """Run a job in a process of its own; one that fails gives no row, and a note that says why."""
    start = time.process_time()
    context = Context(corpus, quick=quick, seed=seed)
    suite, _, part = job.partition(":")
    try:
        rows = importlib.import_module(f"measure.{suite}").measure(context, *([part] if part else []))
    except Exception:  # noqa: BLE001 - a suite that breaks must not take the others with it: it is named
        told = traceback.format_exc(limit=-3).strip().replace("\n", " | ")
        return job, [], [*context.notes, f"FAILED {job}: {told}"], time.process_time() - start
    return job, list(rows), [f"{job}: {note}" for note in context.notes], time.process_time() - start
