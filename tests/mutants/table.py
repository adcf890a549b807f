"""The table of mutants: small breaks of promises, each with the tests that ought to notice it."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
PACKAGE = Path("layers/core/src/gleaner")
FIELDS = frozenset(("id", "requirement", "breaks", "file", "old", "new", "tests"))


@dataclass(frozen=True, slots=True)
class Mutant:
    """One break: ``old``, which stands once in ``file`` (under the package), becomes ``new``.

    ``breaks`` says in words what is broken then, ``requirement`` is the id in docs/spec.md of what it breaks, and
    ``tests`` are the paths that are run, files or folders, or single functions as ``path::name``.
    """

    id: str
    requirement: str
    breaks: str
    file: Path
    old: str
    new: str
    tests: tuple[str, ...]


class WrongTable(Exception):
    """The table can't be used: what is wrong with it, a line for each fault."""


def read_table(ids: Sequence[str] = ()) -> list[Mutant]:
    """Read the mutants of these ids (none: all)."""
    mutants = [made(entry, path) for path in sorted(FOLDER.glob("*.toml")) for entry in entries(path)]
    known = [mutant.id for mutant in mutants]
    faults = [f"{name} stands twice in the table" for name in sorted({name for name in known if known.count(name) > 1})]
    faults += [f"{name} is not in the table; it has {', '.join(known)}" for name in ids if name not in known]
    if faults:
        raise WrongTable("\n".join(faults))
    return [mutant for mutant in mutants if not ids or mutant.id in ids]


def entries(path: Path) -> Iterable[dict[str, object]]:
    """Give the entries of one file as they are written."""
    return tomllib.loads(path.read_text("utf-8"))["mutant"]


def made(entry: dict[str, object], path: Path) -> Mutant:
    """Make a mutant of an entry; WrongTable when its fields are not the right ones."""
    if set(entry) != FIELDS:
        raise WrongTable(f"{path.name}: {entry.get('id')} has the fields {sorted(entry)}; they are {sorted(FIELDS)}")
    tests = entry["tests"]
    assert isinstance(tests, list)
    texts = {name: str(entry[name]) for name in ("id", "requirement", "breaks", "old", "new")}
    return Mutant(**texts, file=PACKAGE / str(entry["file"]), tests=tuple(map(str, tests)))


def stale_because(mutant: Mutant, root: Path) -> str:
    """Say what of a mutant no longer fits the code under ``root``: its text moved or changed, or a test is gone."""
    source = root / mutant.file
    gone = [test for test in mutant.tests if not (root / test.partition("::")[0]).exists()]
    if gone:
        return f"there is no {', '.join(gone)}; name the tests that guard it now"
    if not source.is_file():
        return f"there is no {mutant.file}; carry it over to where the code went"
    found = source.read_text("utf-8").count(mutant.old)
    return (
        ""
        if found == 1
        else f"its old text stands {found} times in {mutant.file}; carry it over to where the code went"
    )
