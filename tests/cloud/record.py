"""When the check last passed, and on what: a small file, and the table of it in docs/deploy.md.

The check leaves the work tree as it is; ``python -m tests.cloud.record`` keeps there what its last run has noted.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTED = ROOT / ".cache/cloud-check.json"
RECORD = ROOT / "benchmarks/results/cloud_check.json"


def what_is_checked() -> dict[str, str | bool]:
    """Give the date, the commit, and whether files have changed since; to be asked before the check begins."""
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": _git("rev-parse", "--short=12", "HEAD"),
        "changed": _git("status", "--porcelain", "--untracked-files=no") != "",
    }


def note(checked: dict[str, str | bool], plays: int, deploy_s: int, seconds: int, core_s: int) -> None:
    """Note what was checked, how long it took and how much of a core."""
    record = {**checked, "plays": plays, "deploy_s": deploy_s, "seconds": seconds, "core_s": core_s}
    NOTED.write_text(json.dumps(record, indent=2) + "\n", "utf-8")


def _git(*arguments: str) -> str:
    command = ["git", "-c", f"safe.directory={ROOT}", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    RECORD.write_bytes(NOTED.read_bytes())
    subprocess.run([sys.executable, ROOT / "scripts/write_cloud_check.py"], check=True)
