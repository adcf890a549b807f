"""Switch mechanisms off and say what they earn: ``python -m measure.ablate``, or ``make ablate``.

    make ablate NAMES="proof.labels wrappers.guard"          one after another, by default all of them
    make ablate TOGETHER="proof verdict=nothing"             a group at once: names, a verdict of the last run, or both
    make ablate ONLY="proof.values wrappers.guard.absence"   everything off but these
    make ablate TOGETHER="proof" ONLY="proof.values"         everything of the proof off but this

The cases are the develop half of what ``make measure`` counts: the pages of all corpora with right, faulty and lossy
answers, and pages that change. Held-out layouts are left alone. A group is measured on every case. A single mechanism
is measured where it acts, on some pages of each corpus, and the difference is scaled up: small figures are rough.

What everything on gives is kept in ``.cache/ablation`` until the code changes. Results go as they come to
``benchmarks/results/ablation.json`` and ``docs/ablation.md``; ``--resume`` goes on with an interrupted run.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from random import Random
from typing import Any

from measure import ablation_report
from measure.ablation_cases import SOURCES, Counted, Work, works
from measure.counting import Tally
from measure.mechanisms import MECHANISMS, named
from measure.rows import ROOT, Context, find_corpus
from measure.switching import switched_off, traced

RESULTS = ROOT / "benchmarks/results/ablation.json"
TABLE = ROOT / "docs/ablation.md"
KEPT = ROOT / ".cache/ablation"
WORKERS = 2
PAGES_OF_A_SOURCE = 3
"""Pages of each corpus that a single mechanism is measured on, of those where it acts."""

LEAST_EARNED = 0.5
"""Points of a row over all corpora below which a mechanism earns nothing: harm per 1,000 values, per cent, or calls and
tokens per 100. One value of the smallest corpus is about as much."""

Sums = dict[str, Tally]
"""Counts by source: a corpus, or the pages that change."""


@cache
def _works(seed: int, every: int) -> dict[str, Work]:
    context = Context(find_corpus(), seed=seed, develops=True)
    return {one.name: one for one in [*works(context)][::every]}


def _measured(seed: int, every: int, name: str, off: Sequence[str], watched: bool) -> Counted:
    """Measure a case, in a process of its own: with mechanisms off, or with all on and traced."""
    chosen = set(off)
    watch = traced(MECHANISMS) if watched else nullcontext(set[str]())
    start = time.process_time()
    try:
        with switched_off(*(one for one in MECHANISMS if one.name in chosen)), watch as fired:
            tally = _works(seed, every)[name].run()
    except Exception as error:  # noqa: BLE001 - without a mechanism the code may fail: that is a result, too
        return Counted(Tally(), 0.0, failure=f"{type(error).__name__}: {error}"[:200])
    return Counted(tally, time.process_time() - start, frozenset(fired))


@dataclass(slots=True)
class Bench:
    """The cases, and the processes that measure them."""

    pool: ProcessPoolExecutor
    seed: int
    every: int

    @property
    def names(self) -> list[str]:
        """The names of the cases."""
        return [*_works(self.seed, self.every)]

    def source(self, name: str) -> str:
        """Give the corpus of a case."""
        return _works(self.seed, self.every)[name].source

    def counted(self, names: Iterable[str], off: Sequence[str] = (), *, watched: bool = False) -> dict[str, Counted]:
        """Measure cases; each failure is named."""
        work = {name: self.pool.submit(_measured, self.seed, self.every, name, off, watched) for name in names}
        found = {name: future.result() for name, future in work.items()}
        for name, one in found.items():
            if one.failure:
                print(f"  fails: {name}: {one.failure}", file=sys.stderr)
        return found

    def all_on(self, *, watched: bool) -> dict[str, Counted]:
        """Give what each case gives with everything on, kept from an earlier run of the same code or measured now."""
        kept = (
            KEPT / f"{ablation_report.digest_of_code()}-{self.seed}-{self.every}-{'traced' if watched else 'on'}.json"
        )
        if kept.exists():
            return {name: Counted.read(one) for name, one in json.loads(kept.read_text("utf-8")).items()}
        found = {name: one for name, one in self.counted(self.names, watched=watched).items() if not one.failure}
        KEPT.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({name: one.as_json() for name, one in found.items()}), "utf-8")
        return found


def sums_of(bench: Bench, counted: Mapping[str, Counted], names: Iterable[str]) -> Sums:
    """Add the counts of some cases, by source."""
    found: Sums = {source: Tally() for source in SOURCES}
    for name in names:
        found[bench.source(name)].update(counted[name].tally)
    return found


def together(bench: Bench, off: Sequence[str]) -> dict[str, Any]:
    """Give what a group is worth: each row with it and without it, the time, and the cases that fail without it."""
    on = bench.all_on(watched=False)
    without = bench.counted(on, off)
    whole = [name for name, one in without.items() if not one.failure]
    rows = ablation_report.differences(sums_of(bench, on, whole), sums_of(bench, without, whole))
    seconds = [sum(one[name].seconds for name in whole) for one in (on, without)]
    failed = [name for name, one in without.items() if one.failure]
    return {"off": [*off], "cases": len(whole), "seconds": seconds, "rows": rows, "fails_without": failed}


def alone(bench: Bench, name: str, on: Mapping[str, Counted]) -> dict[str, Any]:
    """Give what one mechanism earns, of each row over all corpora, and on how many cases it acts."""
    acting = [case for case, one in on.items() if name in one.fired]
    chosen: dict[str, list[str]] = {}
    for source in SOURCES:
        own = [case for case in acting if bench.source(case) == source]
        chosen[source] = sorted(Random(f"{bench.seed}/{name}").sample(own, min(PAGES_OF_A_SOURCE, len(own))))
    without = bench.counted((case for some in chosen.values() for case in some), [name])
    before, after = sums_of(bench, on, on), sums_of(bench, on, on)
    for source, some in chosen.items():
        measured = [case for case in some if not without[case].failure]
        acts = sum(bench.source(case) == source for case in acting)
        for case in measured:
            for key in {*without[case].tally, *on[case].tally}:
                change = without[case].tally[key] - on[case].tally[key]
                after[source][key] += change * acts / len(measured)  # type: ignore[assignment]
    earns = {
        row["id"]: row["earns"] for row in ablation_report.differences(before, after) if row["id"].startswith("all.")
    }
    failed = sum(bool(one.failure) for one in without.values())
    found = {"earns": earns, "cases": len(on), "acts": len(acting), "measured": len(without), "fails_without": failed}
    return {**found, "verdict": verdict(earns, acts=len(acting), failed=failed)}


def verdict(earns: Mapping[str, float], *, acts: int, failed: int) -> str:
    """Say whether a mechanism earns its place.

    >>> verdict({"all.tier0": 0.6}, acts=3, failed=0), verdict({"all.tier0": 0.4}, acts=3, failed=0)
    ('earns', 'nothing')
    """
    if failed:
        return "needed"
    if not acts:
        return "unseen"
    return "earns" if max(earns.values(), default=0.0) >= LEAST_EARNED else "nothing"


def chosen_by(words: Sequence[str], results: Mapping[str, Any]) -> list[str]:
    """Give the mechanisms that names and verdicts choose: "proof verdict=nothing" those of the proof that earn nothing.

    ValueError for a name or a verdict that none has.
    """
    names = [word for word in words if "=" not in word]
    verdicts = {word.removeprefix("verdict=") for word in words if "=" in word}
    known = {name: one["verdict"] for name, one in results["mechanisms"].items()}
    if wrong := sorted(verdicts - {*known.values()}):
        raise ValueError(
            f"no mechanism has the verdict {', '.join(wrong)}; there are {', '.join(sorted({*known.values()}))}"
        )
    return [one.name for one in named(names) if not verdicts or known.get(one.name) in verdicts]


def switched(together_words: Sequence[str], only_words: Sequence[str], results: Mapping[str, Any]) -> list[str]:
    """Give the mechanisms that a group run switches off."""
    kept = set(chosen_by(only_words, results)) if only_words else set[str]()
    return [name for name in chosen_by(together_words, results) if name not in kept]


def run_group(options: argparse.Namespace, results: dict[str, Any]) -> None:
    """Measure a group, print what it is worth, and keep it under its label."""
    off = switched(options.together or (), options.only or (), results)
    label = " ".join([*(options.together or ["everything"]), *(["but", *options.only] if options.only else [])])
    with _pool(options) as pool:
        found = together(Bench(pool, options.seed, options.every), off)
    label += f", one case in {options.every}" if options.every > 1 else ""
    print(ablation_report.of_group(label, found))
    results.setdefault("groups", {})[label] = found
    _write(results)


def run_alone(options: argparse.Namespace, results: dict[str, Any]) -> None:
    """Measure mechanisms one after another, and write what they earn as it comes."""
    started = time.monotonic()
    names = [one.name for one in named(options.names)]
    names = [name for name in names if not (options.resume and name in results["mechanisms"])]
    with _pool(options) as pool:
        bench = Bench(pool, options.seed, options.every)
        on = bench.all_on(watched=True)
        print(f"{len(on)} cases, {time.monotonic() - started:.0f} s", flush=True)
        results["baseline"] = ablation_report.baseline(sums_of(bench, on, on))
        for name in names:
            results["mechanisms"][name] = one = alone(bench, name, on)
            _write(results)
            print(f"  {name:38} {one['verdict']:8} {ablation_report.told(one['earns'])}", flush=True)


def _pool(options: argparse.Namespace) -> ProcessPoolExecutor:
    """Give a pool whose processes know the cases."""
    _works(options.seed, options.every)
    return ProcessPoolExecutor(WORKERS, mp_context=get_context("fork"))


def _read() -> dict[str, Any]:
    """Give the results so far, of mechanisms that there still are."""
    found: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    known = {one.name for one in MECHANISMS}
    mechanisms = {name: one for name, one in found.get("mechanisms", {}).items() if name in known}
    return {**found, "mechanisms": mechanisms}


def _write(results: Mapping[str, Any]) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")
    TABLE.write_text(ablation_report.page(results), "utf-8")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(
        prog="measure.ablate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a mechanism, or all below a name: proof.labels")
    parser.add_argument("--together", type=str.split, metavar="WORDS", help='off at once: "proof verdict=nothing"')
    parser.add_argument("--only", type=str.split, metavar="WORDS", help="on, while everything else is off")
    parser.add_argument(
        "--every",
        type=int,
        default=1,
        help="each so-many-th case, for a first look",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="measure only what the results do not hold yet")
    parser.add_argument("--list", action="store_true", help="name all mechanisms, and measure nothing")
    options = parser.parse_args()
    results = _read()
    if options.list:
        for one in MECHANISMS:
            print(one.name, results["mechanisms"].get(one.name, {}).get("verdict", ""))
        return
    try:
        (run_group if options.together or options.only else run_alone)(options, results)
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
