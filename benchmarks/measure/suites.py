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
