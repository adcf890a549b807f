"""The table of docs/costs.md is the one that the list prices give."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_of_costs_is_what_the_prices_give() -> None:
    program = ROOT / "scripts/write_cost_table.py"
    assert subprocess.run([sys.executable, program, "--check"], check=False).returncode == 0
