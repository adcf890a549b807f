"""The tool that breaks promises on purpose: it says what nobody notices, and what no longer fits the code."""

import ast
import subprocess
from pathlib import Path

import pytest

from tests.conftest import KNOWN
from tests.mutants import table
from tests.mutants.__main__ import faults_of, line_of
from tests.mutants.checkouts import Checkout, Run, read_run
from tests.mutants.table import PACKAGE, WrongTable, entries, read_table, stale_because

ROOT = Path(__file__).parents[2]
ENTRY = """[[mutant]]
id = "{id}"
requirement = "PR-1"
breaks = "The answer is another one"
file = "answer.py"
old = '{old}'
new = 'return 43'
tests = ["tests/test_answer.py"]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one function, a test of it, and a table of mutants."""
    (tmp_path / PACKAGE).mkdir(parents=True)
    (tmp_path / PACKAGE / "__init__.py").touch()
    (tmp_path / PACKAGE / "answer.py").write_text("def answer():\n    return 42\n")
    (tmp_path / "tests").mkdir()
    test = "from gleaner.answer import answer\n\n\ndef test_answer():\n    assert answer() == 42\n"
    (tmp_path / "tests/test_answer.py").write_text(test)
    (tmp_path / "mutants").mkdir()
    monkeypatch.setattr(table, "FOLDER", tmp_path / "mutants")
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


def put(project: Path, *olds: str) -> None:
    """Write a table with an entry for each old text."""
    text = "\n".join(ENTRY.format(id=f"M{number}", old=old) for number, old in enumerate(olds))
    (project / "mutants/all.toml").write_text(text)


def test_a_break_is_made_in_a_copy_alone_and_who_noticed_is_told(project: Path) -> None:
    put(project, "return 42")
    [mutant] = read_table()
    copy = Checkout.of(project, project / "copy")
    assert copy.run(mutant.tests) == Run(frozenset())
    run = copy.try_out(mutant)
    assert run == Run(frozenset({"tests/test_answer.py::test_answer"}))
    assert [source.read_text() for source in (project / mutant.file, copy.folder / mutant.file)] == [
        "def answer():\n    return 42\n"
    ] * 2
    assert copy.run(mutant.tests) == Run(frozenset())
    assert line_of(mutant, run, 1.0).startswith("!! M0   PR-1  The answer is another one: noticed by 1 functions of")


def test_what_no_longer_fits_the_code_is_named_with_where_it_was(project: Path) -> None:
    put(project, "return 42", "return 41")
    fitting, moved = read_table()
    assert stale_because(fitting, project) == ""
    assert stale_because(moved, project).startswith(
        f"its old text stands 0 times in {PACKAGE}/answer.py; carry it over"
    )
    (project / PACKAGE / "answer.py").unlink()
    assert stale_because(fitting, project).startswith(f"there is no {PACKAGE}/answer.py; carry it over")
    (project / "tests/test_answer.py").unlink()
    assert stale_because(fitting, project).startswith("there is no tests/test_answer.py; name the tests")


def test_a_mutant_that_is_not_in_the_table_is_refused_with_those_that_are(project: Path) -> None:
    put(project, "return 42", "return 41")
    with pytest.raises(WrongTable, match="M7 is not in the table; it has M0, M1"):
        read_table(["M7"])


@pytest.mark.parametrize(
    ("fell", "fault"),
    [
        ((), "noticed by 0 functions of at least 2"),
        (("tests/promises/test_a.py::test_a",), "noticed by 1 functions of at least 2"),
        (("tests/values/test_a.py::test_a", "tests/values/test_b.py::test_b"), "noticed at no public door"),
    ],
)
def test_a_promise_that_hangs_on_one_test_or_on_inner_ones_is_not_guarded(fell: tuple[str, ...], fault: str) -> None:
    assert any(fault in one for one in faults_of(Run(frozenset(fell))))


def test_tests_that_can_not_be_read_notice_nothing() -> None:
    run = read_run("ERROR tests/a.py - SyntaxError: x\n!!! Interrupted: 1 error during collection !!!", 2)
    assert run == Run(frozenset(), "could not be read: tests/a.py")


def test_each_mutant_names_a_requirement_and_tests_that_there_are() -> None:
    known = [entry for path in sorted(table.FOLDER.glob("*.toml")) for entry in entries(path)]
    assert len(known) > 80
    assert {str(entry["requirement"]) for entry in known} <= KNOWN


PUBLIC = (
    "gleaner", "gleaner.chunking", "gleaner.cli", "gleaner.errors", "gleaner.extraction", "gleaner.markdown",
    "gleaner.models", "gleaner.ports", "gleaner.testing", "gleaner.testing.loopback",
)  # fmt: skip
BESIDES = {"test_budget.py": "gleaner.budget.guard", "asking.py": "gleaner.local.engine"}
"""What has no public name: the two ledgers, between whose calls a race is made, and waits that tests cut short."""


SHOWN_BY = [*sorted((ROOT / "tests/promises").glob("*.py")), ROOT / "tests/support/asking.py"]


@pytest.mark.parametrize("path", SHOWN_BY, ids=lambda path: path.name)
def test_a_promise_is_shown_through_public_names_alone(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    inner = [name for name in imported if name.startswith("gleaner") and name not in PUBLIC]
    assert inner == ([BESIDES[path.name]] if path.name in BESIDES else [])


def test_every_break_of_a_promise_fits_the_code() -> None:
    stale = {mutant.id: why for mutant in read_table([]) if (why := stale_because(mutant, ROOT))}
    assert stale == {}
