"""What a suite gives: rows of one table, and what it runs on."""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from layouts.split import held_out

ROOT = Path(__file__).parents[2]
CORPUS_VARIABLE = "GLEANER_CORPUS"


Unit = Literal["%", "per 1,000", "F1", "ratio", "count", "lines", "ms", "s"]
UNJUDGED: frozenset[Unit] = frozenset(("lines", "ms", "s"))
"""Units of figures that no ratchet holds: times depend on the machine, lines have budgets of their own."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of the yardstick.

    ``id`` is stable ("lists.calls"); ``value`` is the figure on the corpus or on the part of the layouts to develop on,
    ``check`` the one on the held-out part, where there is one. None means: could not be measured, ``note`` says why.
    ``better`` says which way is up, and ``tolerance`` how much worse a later run may be, in the unit of the figure:
    None for what is not held to anything.
    ``of`` says what was counted ("13 of 471 values"); ``is_fitted`` that something was learned from what it is measured
    on, so that it flatters.
    """

    id: str
    title: str
    value: float | None
    unit: Unit
    better: Literal["higher", "lower"]
    tolerance: float | None
    of: str = ""
    check: float | None = None
    check_of: str = ""
    note: str = ""
    is_fitted: bool = False


@dataclass(slots=True)
class Context:
    """What a suite runs on.

    ``corpus`` is None where there is none: a suite then gives rows with the value None, or leaves out that part.
    ``quick`` asks for the subset of the ratchet: at most a few seconds a suite. ``notes`` names what was left out, case
    by case: a broken case is named here and never counted. ``develops`` leaves out what only `make measure` may open.
    """

    corpus: Path | None
    quick: bool = False
    seed: int = 1
    develops: bool = False
    notes: list[str] = field(default_factory=list[str])

    def note(self, case: str, error: BaseException | str) -> None:
        """Name a case that could not be measured, and why; of a held-out layout only that it is one."""
        case = "a held-out layout" if case.rpartition(" ")[2] in held_out() else case
        told = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        self.notes.append(f"{case}: {told}")

    def cases(self, *folders: str) -> list[Path]:
        """Give the case folders below the corpus' folder, by name; none where the corpus is not there."""
        if self.corpus is None:
            return []
        folder = self.corpus.joinpath(*folders)
        if not folder.is_dir():
            self.note("/".join(folders), "this folder is missing in the corpus")
            return []
        return sorted(one for one in folder.iterdir() if one.is_dir())


@cache
def find_corpus() -> Path | None:
    """Give the folder named by GLEANER_CORPUS, by default ../shared/corpus; None if there is none.

    The variable is taken out of the environment: Gleaner refuses to start with a ``GLEANER_`` variable that names none
    of its settings.
    """
    named = os.environ.pop(CORPUS_VARIABLE, None)
    folder = Path(named) if named else ROOT.parent / "shared/corpus"
    return folder if folder.is_dir() else None


def share(part: int, whole: int) -> float | None:
    """Give a part as a percentage; None of nothing."""
    return 100 * part / whole if whole else None


@contextmanager
def processor_time() -> Generator[list[float]]:
    """Give a list that holds the seconds of processor time of the block once it has ended."""
    spent: list[float] = []
    start = time.process_time()
    yield spent
    spent.append(time.process_time() - start)
