"""``make demo`` and ``make test`` do all the set-up on a fresh machine, and none of it again (LO-1)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from gleaner.cli import run

ROOT = Path(__file__).parents[2]
INPUTS = (
    "requirements.lock", "layers/core/pyproject.toml", "layers/chromium/package-lock.json",
    "layers/core/consent/package-lock.json",
    "layers/core/requirements.in", "layers/mcp/requirements.in",
)  # fmt: skip
SET_UP = (
    "-m venv .venv", "uv pip install --quiet --require-hashes -r requirements.lock", "-e layers/core",
    "install-browser --from npm", "layers/core/consent/pack.py",
)  # fmt: skip
CONSENT = "layers/core/src/gleaner/adapters/browser/consent/autoconsent.zip"
TESTS = (
    "ruff format --check",
    "ruff check",
    "pyright",
    "lint-imports",
    "sam validate --lint",
    "mkdocs build",
    "bin/pytest -n",
)


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


def touch_all(checkout: Path) -> None:
    """Make what a finished set-up leaves."""
    for mark in (".venv/.ready", ".venv/.browser", CONSENT):
        (checkout / mark).parent.mkdir(parents=True, exist_ok=True)
        (checkout / mark).touch()


@pytest.mark.req("LO-1")
@pytest.mark.parametrize(("target", "then"), [("demo", (".venv/bin/gleaner demo",)), ("test", TESTS)])
def test_a_target_sets_up_all_that_it_needs_and_only_once(checkout: Path, target: str, then: tuple[str, ...]) -> None:
    plan = planned(checkout, target)
    places = [plan.find(command) for command in SET_UP]
    assert places[0] >= 0
    assert places == sorted(places)
    assert all(places[-1] < plan.find(command) for command in then)
    assert all(f"touch .venv/{mark}" in plan for mark in (".ready", ".browser"))
    touch_all(checkout)
    again = planned(checkout, target)
    assert not any(command in again for command in SET_UP)
    assert all(command in again for command in then)


@pytest.mark.req("LO-1")
@pytest.mark.parametrize(
    ("changed", "command"),
    [
        ("requirements.lock", SET_UP[1]), ("layers/core/pyproject.toml", SET_UP[2]),
        ("layers/chromium/package-lock.json", SET_UP[3]), ("layers/core/consent/package-lock.json", SET_UP[4]),
    ],
)  # fmt: skip
def test_what_has_changed_is_set_up_again(checkout: Path, changed: str, command: str) -> None:
    touch_all(checkout)
    assert command not in planned(checkout, "demo")
    later = (checkout / ".venv/.browser").stat().st_mtime + 60
    os.utime(checkout / changed, (later, later))
    assert command in planned(checkout, "demo")


@pytest.mark.req("LO-1")
@pytest.mark.parametrize(("ends", "code"), [(["complete"] * 2, 0), (["complete", "partial"], 1), (["failed"], 1)])
def test_the_demo_fails_where_one_of_its_pages_is_not_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: list[str], code: int
) -> None:
    def play(*_: object) -> list[str]:
        return ends

    monkeypatch.setattr("gleaner.cli.demo._play", play)
    assert run(["demo", "--home", str(tmp_path)]) == code
