"""The suites of the yardstick, in the order of the table."""

import importlib
from collections.abc import Sequence

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


def run_suite(name: str, context: Context) -> tuple[Sequence[Row], list[str]]:
    """Give a suite's rows and the notes that it made."""
    rows = importlib.import_module(f"measure.{name}").measure(context)
    return rows, context.notes
