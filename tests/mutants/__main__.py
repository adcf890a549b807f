"""Break each promise on purpose and see which tests notice: ``make mutants``, or ``make mutants IDS="P1 P2"``.

    python -m tests.mutants [--check] [IDS…]

Each entry of the tables beside this file is a small break of a promise. It is made in a copy of the checkout, and the
tests that it names are run. At least two test functions must fall, one of them at a public door. Entries that no longer
fit the code are named and count as not noticed; ``--check`` names them alone. Exit codes: 0 all promises are guarded,
1 some are not, 2 nothing could be tried.
"""

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.checkouts import Checkout, Run
from tests.mutants.table import Mutant, WrongTable, read_table, stale_because

ROOT = Path(__file__).parents[2]
REPORT = ROOT / ".cache/mutants.json"
DOORS = (
    "tests/promises/", "tests/api/", "tests/mcp/", "tests/cli/", "tests/browser/",
    "tests/workflow/test_batches.py", "tests/workflow/test_batch_faults.py", "tests/workflow/test_follow_faults.py",
    "tests/adapters/test_http_fetch.py", "tests/adapters/test_http_redirects.py", "tests/jobs/test_aggregates.py",
    "tests/schemas/test_schema_suite.py", "tests/structured/test_structured_corpus.py",
)  # fmt: skip
"""Where tests call what users call: the library, the HTTP API, MCP, the command, and the names that LB-3 promises."""

LONGEST_WHOLE_S = 2_400
"""After which the run of all tests on the code as it is, which comes first, is broken off."""

FEWEST = 2
"""Test functions that must notice each break: one may be deleted or weakened by a mistake."""


def main(arguments: Sequence[str]) -> int:
    """Try the mutants; print the table and give the exit code."""
    if unknown := [one for one in arguments if one.startswith("-") and one != "--check"]:
        print(__doc__ if unknown[0] in ("-h", "--help") else f"no such option: {unknown[0]}; there is --check")
        return 0 if unknown[0] in ("-h", "--help") else 2
    try:
        table = read_table([name for name in arguments if not name.startswith("-")])
    except WrongTable as error:
        print(error, file=sys.stderr)
        return 2
    stale = {mutant.id: why for mutant in table if (why := stale_because(mutant, ROOT))}
    mutants = [mutant for mutant in table if mutant.id not in stale]
    for mutant in table:
        if mutant.id in stale:
            print(f"!! {mutant.id} {mutant.breaks}: {stale[mutant.id]}", file=sys.stderr)
    if "--check" in arguments:
        print(f"{len(mutants)} of {len(table)} mutants fit the code")
        return 1 if stale else 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="gleaner-mutants-") as folder:
        copies = [Checkout.of(ROOT, Path(folder) / str(number)) for number in range(os.cpu_count() or 1)]
        tests = sorted({test for one in mutants for test in one.tests})
        whole = copies[0].run(tests, "-n", str(len(copies)), "--dist", "loadfile", longest_s=LONGEST_WHOLE_S)
        if whole.fell or whole.fault:
            print("These tests fall on the code as it is:", *sorted(whole.fell), whole.fault, sep="\n", file=sys.stderr)
            return 2
        print(f"All tests pass on the code as it is ({time.monotonic() - began:.0f} s)", flush=True)
        runs = try_all(mutants, copies)
    report(runs)
    weak = [
        f"  {one.id} {one.breaks}: {'; '.join(faults_of(runs[one.id]))}" for one in mutants if faults_of(runs[one.id])
    ]
    good = len(mutants) - len(weak)
    print(f"{good} of {len(table)} breaks are noticed by {FEWEST} functions, one at a door", *weak, sep="\n")
    print(f"{time.monotonic() - began:.0f} s; all that fell: {REPORT.relative_to(ROOT)}")
    return 0 if good == len(table) else 1


def try_all(mutants: Sequence[Mutant], copies: Sequence[Checkout]) -> dict[str, Run]:
    """Try mutants side by side, one in each copy at a time; print a line for each as it ends."""
    free: SimpleQueue[Checkout] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def run(mutant: Mutant) -> Run:
        copy = free.get()
        began = time.monotonic()
        try:
            found = copy.try_out(mutant)
        finally:
            free.put(copy)
        print(line_of(mutant, found, time.monotonic() - began), flush=True)
        return found

    with ThreadPoolExecutor(len(copies)) as threads:
        return dict(zip((mutant.id for mutant in mutants), threads.map(run, mutants), strict=True))


def report(runs: Mapping[str, Run]) -> None:
    """Write for each mutant which tests noticed; what an earlier run has found of others stays."""
    known = json.loads(REPORT.read_text("utf-8")) if REPORT.exists() else {}
    known |= {name: sorted(run.fell) for name, run in runs.items()}
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(dict(sorted(known.items())), indent=1), "utf-8")


def line_of(mutant: Mutant, run: Run, took_s: float) -> str:
    """Say of one mutant who noticed it: by folders, and one test at a door by name."""
    folders = Counter(name.split("/")[1] for name in run.fell)
    where = ", ".join(f"{folder} {count}" for folder, count in sorted(folders.items())) or "nobody"
    doors = at_doors(run)
    seen = f"{len(run.fell)} functions ({where})" + (f", such as {doors[0]}" if doors else "")
    mark = "; ".join(faults_of(run))
    return (
        f"{'!!' if mark else 'ok'} {mutant.id:5}{mutant.requirement:6}{mutant.breaks}: {mark or seen} [{took_s:.0f} s]"
    )


def at_doors(run: Run) -> list[str]:
    """Give the functions at a public door that noticed, those of tests/promises first."""
    return [name for door in DOORS for name in sorted(run.fell) if name.startswith(door)]


def faults_of(run: Run) -> list[str]:
    """Say what is missing for a promise to be guarded."""
    faults = [run.fault] if run.fault else []
    if len(run.fell) < FEWEST:
        faults.append(f"noticed by {len(run.fell)} functions of at least {FEWEST}: {', '.join(sorted(run.fell))}")
    if not at_doors(run):
        faults.append("noticed at no public door")
    return faults


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
