"""Write into docs/deploy.md when `make cloud-check` last passed: python scripts/write_cloud_check.py [--check]."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/deploy.md"
RECORD = ROOT / "benchmarks/results/cloud_check.json"
BEGIN, END = "<!-- cloud-check: begin -->\n", "<!-- cloud-check: end -->"


def table() -> str:
    """Give the table in Markdown."""
    if not RECORD.exists():
        return "It has not passed yet.\n"
    record = json.loads(RECORD.read_text("utf-8"))
    commit = f"`{record['commit']}`{' with changes' if record['changed'] else ''}"
    times = (f"{record[name]} s" for name in ("deploy_s", "seconds", "core_s"))
    row = (record["date"], commit, record["plays"], "none", *times)
    head = (
        "last passed",
        "commit",
        "plays",
        "calls denied",
        "until deployed",
        "in all, after the build",
        "of one core",
    )
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in (head, ["---"] * len(head), row)) + "\n"


if __name__ == "__main__":
    from generated import keep_between

    keep_between(PAGE, BEGIN, table(), END)
