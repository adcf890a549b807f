"""Write the tables of benchmarks/README.md and docs/how-good-is-it.md from the last measurement.

With --check they are only compared.

python scripts/write_measurements.py [--check]
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from generated import keep_between  # noqa: E402
from measure import report  # noqa: E402
from measure.report import figure  # noqa: E402
from measure.rows import Row  # noqa: E402
from measure.suites import MAIN  # noqa: E402

CURRENT, BASELINE = ROOT / "benchmarks/results/current.json", ROOT / "benchmarks/results/baseline.json"
BEGIN, END = "<!-- measurements: begin -->\n", "<!-- measurements: end -->"
PAGES = (ROOT / "benchmarks/README.md", ROOT / "docs/how-good-is-it.md")


def rows_of(path: Path) -> tuple[list[Row], str]:
    """Give the rows of a stored measurement, and the commit that it was made on."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return [Row(**row) for row in found["rows"]], found["commit"] or "unknown"


def tables() -> str:
    """Give the tables: each corpus, the other rows with version 2 and now, and the lines of each room."""
    found, commit = rows_of(CURRENT)
    before, first = rows_of(BASELINE)
    known = {row.id: row for row in before}
    lines = [
        f"Measured on `{commit}`; version 2 is `{first}`. ↑: more is better, ↓: less is. Held out: the layouts that",
        "only the measurement opens.\n",
        report.matrix(found, before),
        "| | | version 2 | now | held out | of |",
        "|---|---|--:|--:|--:|---|",
        *(line(row, known.get(row.id)) for row in found if row.id in MAIN),
        report.rooms(found, before),
    ]
    return "\n".join(lines) + "\n"


def line(row: Row, old: Row | None) -> str:
    """Give a row beside what it was."""
    was = figure(old.value, old) if old else "–"
    held = figure(row.check, row) if row.check is not None else ""
    of = "; ".join(part for part in (row.of, row.note) if part).replace("|", "/")
    arrow = "↑" if row.better == "higher" else "↓"
    return f"| {report.titled(row)} | {arrow} | {was} | {figure(row.value, row)} | {held} | {of} |"


if __name__ == "__main__":
    for page in PAGES:
        keep_between(page, BEGIN, tables(), END)
