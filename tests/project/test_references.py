"""The reference pages are what the code says: settings, errors, the command."""

import subprocess
import sys
from pathlib import Path

import pytest
from gleaner.contracts import errors

ROOT = Path(__file__).parents[2]


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("name", ["cli", "error", "settings"])
def test_a_reference_page_is_what_the_code_says(name: str) -> None:
    script = ROOT / f"scripts/write_{name}_reference.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.req("GT-1")
def test_the_tables_of_other_tools_are_what_was_measured() -> None:
    script = [sys.executable, str(ROOT / "scripts/write_peers.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_error_that_can_be_raised_is_in_the_reference() -> None:
    text = (ROOT / "docs/errors.md").read_text("utf-8")
    open_classes, leaves = [errors.GleanerError], set()
    while open_classes:
        current = open_classes.pop()
        open_classes += current.__subclasses__()
        if not current.__subclasses__() and current.__module__ == "gleaner.contracts.errors":
            leaves.add(f"| `{current.__name__}` |")
    assert len(leaves) > 20
    assert not [leaf for leaf in leaves if leaf not in text]
