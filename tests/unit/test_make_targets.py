"""``make demo`` and ``make test`` do all the set-up on a fresh machine, and none of it again (LO-1)."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INPUTS = (
    "requirements.lock", "layers/core/pyproject.toml", "layers/chromium/package-lock.json",
    "layers/mcp/requirements.in", "scripts/install_chromium.py",
)  # fmt: skip
SET_UP = (
    "-m venv .venv", "uv pip install --quiet --require-hashes -r requirements.lock", "-e layers/core",
    "scripts/install_chromium.py",
)  # fmt: skip
TESTS = ("ruff format --check", "ruff check", "pyright", "lint-imports", "sam validate --lint", "bin/pytest -n")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Give a fresh checkout: the Makefile, and what its targets are made of."""
    for name in ("Makefile", *INPUTS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def planned(checkout: Path, target: str) -> str:
    command = ["make", "--dry-run", "--no-print-directory", target]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True).stdout


@pytest.mark.req("LO-1")
@pytest.mark.parametrize(("target", "then"), [("demo", (".venv/bin/gleaner demo",)), ("test", TESTS)])
def test_a_target_sets_up_all_that_it_needs_and_only_once(checkout: Path, target: str, then: tuple[str, ...]) -> None:
    plan = planned(checkout, target)
    places = [plan.find(command) for command in SET_UP]
    assert places[0] >= 0
    assert places == sorted(places)
    assert all(places[-1] < plan.find(command) for command in then)
    for mark in (".ready", ".browser"):
        (checkout / ".venv").mkdir(exist_ok=True)
        (checkout / ".venv" / mark).touch()
    again = planned(checkout, target)
    assert not any(command in again for command in SET_UP)
    assert all(command in again for command in then)
