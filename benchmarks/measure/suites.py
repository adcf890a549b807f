"""The suites of the yardstick, in the order of the table."""

import importlib
import time
import traceback
from pathlib import Path

from measure.rows import Context, Row

SUITES = (
    "recorded",
    "truth",
    "inventions",
    "words",
    "fault_pages",
    "small_answers",
    "tier0",
    "wrappers",
    "content",
    "lists2000",
    "peers",
)
"""Names of modules of this package, each with ``measure(context) -> list[Row]``."""

MAIN = frozenset(
    [
        "recorded.lists.nulled",
        "recorded.lists.partial",
        "recorded.lists.lossy",
        "recorded.lists.calls",
        "recorded.lists.tokens",
        "recorded.lists.cpu",
        "recorded.pages.nulled",
        "recorded.pages.partial",
        "truth.products",
        "truth.recipes",
        "truth.tables",
        "truth.silent",
        "truth.layouts",
        "inventions.complete",
        "inventions.alarms",
        "words.right_partial",
        "words.changed_digit",
        "faults.served.list",
        "faults.served.single",
        "faults.served.real",
        "faults.claimed",
        "small_answers.false_claims",
        "tier0.tables",
        "tier0.pages",
        "wrappers.same_page",
        "wrappers.changed_page",
        "wrappers.wrong",
        "wrappers.calls",
        "content.f1",
        "content.tables",
        "lists2000.first",
        "lists2000.next",
        "peers.trafilatura.f1",
        "peers.markdownify.tables",
    ]
)
"""The rows that people read; ``current.json`` has every row, and with ``--all`` the terminal, too."""

QUICK = ("recorded", "truth", "inventions", "words", "fault_pages", "small_answers", "tier0", "content")
"""Those that the ratchet runs, each on its quick subset."""


def run(name: str, corpus: Path | None, *, quick: bool, seed: int) -> tuple[str, list[Row], list[str], float]:
    """Run a suite in a process of its own; one that fails gives no row, and a note that says why."""
    start = time.process_time()
    context = Context(corpus, quick=quick, seed=seed)
    try:
        rows = importlib.import_module(f"measure.{name}").measure(context)
    except Exception:  # noqa: BLE001 - a suite that breaks must not take the others with it: it is named
        told = traceback.format_exc(limit=-3).strip().replace("\n", " | ")
        return name, [], [*context.notes, f"FAILED {name}: {told}"], time.process_time() - start
    return name, list(rows), [f"{name}: {note}" for note in context.notes], time.process_time() - start
