"""The sections of ``docs/faults.md`` that are written from tests."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

TABLE = Path(__file__).parents[2] / "docs/faults.md"
COLUMNS = "| where | what | the job | records then | run again | model calls in all |\n|---|---|---|---|---|---|\n"


def write_section(heading: str, text: str, rows: Sequence[str], columns: str = COLUMNS) -> None:
    """Put a section in the place of the one under its heading, or at the end."""
    written = TABLE.read_text("utf-8")
    above, found, below = written.partition(f"\n{heading}\n")
    _, has_next, following = below.partition("\n## ")
    section = f"{heading}\n\n{text}\n\n{columns}" + "\n".join(rows) + "\n"
    end = f"\n## {following}" if has_next else ""
    TABLE.write_text(f"{above}\n{section}{end}" if found else f"{written}\n{section}", "utf-8")


def write_when_asked(module: str, write_table: Callable[[], None]) -> None:
    """Be the program of a module whose rows stand in the table: it writes them."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(f"usage: python -m tests.workflow.{module} --write")
    write_table()
