"""Measure everything and print one table: ``make measure``.

``--quick`` runs the subset of the ratchet and compares with ``benchmarks/results/ratchet.json``; ``--accept`` writes
that file anew. Exit code 0: measured, and no figure of the ratchet got worse; 1: a figure got worse, or a suite failed;
2: wrong arguments.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from measure import report
from measure.counting import rows_over_all
from measure.pages import FIGURES
from measure.rows import CORPUS_VARIABLE, ROOT, UNJUDGED, Row, find_corpus
from measure.suites import LONGEST, MAIN, QUICK, SUITES, is_job, jobs_of, run

RESULTS = ROOT / "benchmarks/results"
RATCHET = RESULTS / "ratchet.json"
CURRENT = RESULTS / "current.json"


def measure(names: Sequence[str], corpus: Path | None, *, quick: bool, seed: int) -> tuple[list[Row], list[str]]:
    """Run suites, two jobs at a time, and give their rows in the order of the suites; then those over all corpora.

    Each job has a process of its own, forked from one that has imported the suites and run nothing: an import costs a
    second.
    """
    workers = max(1, min(2, os.cpu_count() or 1))
    jobs = [*jobs_of(names)]
    done: dict[str, tuple[list[Row], list[str]]] = {}
    context = get_context("forkserver")
    context.set_forkserver_preload([f"measure.{name}" for name in names])
    with ProcessPoolExecutor(workers, context, max_tasks_per_child=1) as pool:
        order = sorted(jobs, key=lambda job: LONGEST.index(job) if job in LONGEST else len(LONGEST))
        running = {job: pool.submit(run, job, corpus, quick=quick, seed=seed) for job in order}
        for job in jobs:
            _, rows, notes, seconds = running[job].result()
            print(f"  {job:22} {len(rows):3} rows  {seconds:6.1f} s", file=sys.stderr, flush=True)
            done[job] = rows, notes
    rows = [row for job in jobs for row in done[job][0]]
    over_all = [*rows_over_all(FIGURES, rows)] if "pages" in names else []
    return [*over_all, *rows], [note for job in jobs for note in done[job][1]]


def write_current(rows: Sequence[Row], notes: Sequence[str], path: Path) -> None:
    """Write the rows with the commit that they were measured on."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = {"commit": commit.stdout.strip() or None, "rows": [asdict(row) for row in rows], "notes": list(notes)}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def compare(rows: Sequence[Row], known: dict[str, dict[str, float | None]]) -> list[str]:
    """Give what got worse than the ratchet allows, in plain words; a row that is gone is worse, too."""
    worse: list[str] = []
    values = {row.id: row for row in rows}
    for name, entry in known.items():
        row, before, tolerance = values.get(name), entry["value"], entry["tolerance"] or 0.0
        if before is None:
            continue
        if row is None or row.value is None:
            worse.append(f"{name}: was {before:g}, could not be measured now")
            continue
        change = row.value - before if row.better == "lower" else before - row.value
        if change > tolerance + 1e-9:
            worse.append(f"{name}: was {before:g}, is {row.value:g} (tolerance {tolerance:g}, {row.better} is better)")
    return worse


def read_ratchet() -> dict[str, dict[str, dict[str, float | None]]]:
    """Give the figures that may not get worse, apart for measurements with the corpus and without it ("own")."""
    return json.loads(RATCHET.read_text("utf-8")) if RATCHET.exists() else {}


def is_held(row: Row) -> bool:
    """Tell whether a ratchet holds a row: not times, which depend on the machine, and not lines."""
    return row.unit not in UNJUDGED and row.tolerance is not None


def accept(rows: Sequence[Row], corpus: Path | None) -> None:
    """Write the figures as those that may not get worse."""
    known = read_ratchet()
    kept = {row.id: {"value": row.value, "tolerance": row.tolerance} for row in rows if is_held(row)}
    known["corpus" if corpus else "own"] = {name: one for name, one in kept.items() if one["value"] is not None}
    RATCHET.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for; give the exit code."""
    parser = argparse.ArgumentParser(prog="measure", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"some of: {', '.join(SUITES)}, pages:CORPUS")
    parser.add_argument("--quick", action="store_true", help="the ratchet's subset, compared with ratchet.json")
    parser.add_argument("--accept", action="store_true", help="with --quick: take the figures as the new ratchet")
    parser.add_argument("--all", action="store_true", help="print every row; by default those that people read")
    parser.add_argument("--own", action="store_true", help="leave the corpus out, though it is there")
    parser.add_argument("--seed", type=int, default=1, help="seed of generated pages and of drawn faults")
    parser.add_argument("--output", type=Path, default=None, help="where the JSON goes (default: results/current.json)")
    chosen = parser.parse_args(arguments)
    if unknown := sorted(name for name in set(chosen.suites) if not is_job(name)):
        parser.error(f"no such suite: {', '.join(unknown)}; there are {', '.join([*SUITES, *jobs_of(['pages'])])}")
    corpus = None if chosen.own else find_corpus()
    if corpus is None:
        print(f"No corpus: {CORPUS_VARIABLE} names no folder. Rows on real pages are left out.", file=sys.stderr)
    names = chosen.suites or (QUICK if chosen.quick else SUITES)
    rows, notes = measure(names, corpus, quick=chosen.quick, seed=chosen.seed)
    is_short = not (chosen.all or chosen.suites)
    print(report.matrix(rows))
    print(report.table([row for row in rows if (row.id in MAIN if is_short else not report.is_of_corpus(row))]))
    print(report.rooms(rows))
    print(report.notes(notes))
    failed = any(note.startswith("FAILED") for note in notes)
    if not chosen.quick:
        is_whole = not chosen.suites and corpus is not None
        if is_whole or chosen.output:
            write_current(rows, notes, chosen.output or CURRENT)
        return int(failed)
    if chosen.accept:
        accept(rows, corpus)
        return int(failed)
    worse = compare(rows, read_ratchet().get("corpus" if corpus else "own", {})) if not chosen.suites else []
    print("\n".join(f"WORSE {one}" for one in worse) or "No figure of the ratchet got worse.")
    return int(failed or bool(worse))


if __name__ == "__main__":
    sys.exit(main())
