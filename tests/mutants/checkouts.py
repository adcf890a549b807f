"""Copies of the checkout in which mutants are tried, so that nobody's work is touched."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutants.table import Mutant

LONGEST_S = 240
"""After which the tests of one mutant are broken off: one that hangs has been noticed by then, or never will be."""

LONGEST_TEST_S = 120
"""After which one test counts as fallen: some breaks make a job wait for what never comes."""

SHARED = (".venv", ".chromium")
"""What a copy shares with the checkout, since it is large and nobody writes to it."""

FELL = re.compile(r"^(FAILED|ERROR) (tests/[^:\s]+)(?:::(\w+))?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of tests came to: the functions that fell, as ``path::name``, and what was wrong with the run."""

    fell: frozenset[str]
    fault: str = ""


@dataclass
class Checkout:
    """A copy of the checkout at ``root``, changes that are not committed included."""

    folder: Path
    _clock: int = field(default=1_000_000_000)

    @classmethod
    def of(cls, root: Path, folder: Path) -> "Checkout":
        """Copy what git knows, or would add."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root, check=True, capture_output=True, text=True,
        )  # fmt: skip
        for name in filter(None, listed.stdout.split("\0")):
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        for name in SHARED:
            if (root / name).exists():
                (folder / name).symlink_to((root / name).resolve())
        return cls(folder)

    def try_out(self, mutant: Mutant) -> Run:
        """Run a mutant's tests on the changed code, then take the change back."""
        source = self.folder / mutant.file
        plain = source.read_text("utf-8")
        self._write(source, plain.replace(mutant.old, mutant.new))
        try:
            return self.run(mutant.tests)
        finally:
            self._write(source, plain)

    def run(self, tests: Iterable[str], *more: str, longest_s: float = LONGEST_S) -> Run:
        """Run tests, all of them however many fall; ``more`` are further options of pytest."""
        options = ["-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", f"--timeout={LONGEST_TEST_S}", *more]
        command = [sys.executable, "-m", "pytest", *options, *tests]
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "layers/core/src")}
        environment["HYPOTHESIS_STORAGE_DIRECTORY"] = str(self.folder / ".hypothesis")
        with subprocess.Popen(
            command, cwd=self.folder, env=environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as process:  # fmt: skip
            try:
                said, _ = process.communicate(timeout=longest_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGINT)
                said, _ = process.communicate()
        return read_run(said, process.returncode)

    def _write(self, source: Path, text: str) -> None:
        """Write a source file with a time that no earlier version had: by time and size Python knows its bytecode."""
        source.write_text(text, "utf-8")
        self._clock += 2
        os.utime(source, (self._clock, self._clock))


def read_run(said: str, code: int) -> Run:
    """Read what pytest has said at its end.

    >>> read_run("FAILED tests/a.py::test_b[1] - x\\nFAILED tests/a.py::test_b[2] - x\\n1 failed", 1)
    Run(fell=frozenset({'tests/a.py::test_b'}), fault='')
    """
    found = FELL.findall(said)
    broken = sorted({path for kind, path, name in found if kind == "ERROR" and not name})
    fault = f"could not be read: {', '.join(broken)}" if broken else ""
    if code not in (0, 1) and not fault:
        last = (said.strip().splitlines() or ["nothing"])[-1]
        fault = f"pytest ended with {code}: {last}"
    return Run(frozenset(f"{path}::{name}" for _, path, name in found if name), fault)
