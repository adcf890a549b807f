"""Switch each mechanism off in turn and say what it earns: ``python -m measure.ablate [NAME…]``, or ``make ablate``.

First every case is measured with all mechanisms on, which also shows where each mechanism does anything at all. Only
those cases are measured again without it, at most some of them, and the difference is scaled up to all of them. Results
are written as they come, to ``benchmarks/results/ablation.json`` and ``docs/ablation.md``; ``--resume`` goes on with an
interrupted run.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from random import Random
from typing import Any

from measure.ablation_cases import FIGURES, RECIPES, Case, Group, cases
from measure.fault_pages import Tally
from measure.mechanisms import MECHANISMS, named
from measure.rows import ROOT, Context, find_corpus
from measure.switching import Mechanism, switched_off, traced

RESULTS = ROOT / "benchmarks/results/ablation.json"
TABLE = ROOT / "docs/ablation.md"
WORKERS = 2
LEAST_EARNED = 0.5
"""Points of a row on the develop part below which a mechanism earns nothing, if it earns nothing on the check part."""

MOST_CASES: Mapping[Group, tuple[int, int]] = {
    "proof": (14, 9),
    "guards": (60, 40),
    "learning": (6, 4),
    "tier0": (20, 10),
    "follow_ups": (6, 4),
}
"""Cases measured again, at most, of the develop and of the check part: 20 minutes of a core for all mechanisms."""

GROUPS: tuple[Group, ...] = ("proof", "learning", "guards", "tier0", "follow_ups")


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a case gave with all mechanisms on, and which of them did anything there."""

    tally: Tally
    fired: frozenset[str]


def group_of(mechanism: Mechanism) -> Group:
    """Give the cases that a mechanism can have an influence on."""
    name = mechanism.name
    if name.startswith("wrappers"):
        return "guards" if name.startswith("wrappers.guard.") else "learning"
    return "tier0" if name.startswith("structured") else "follow_ups" if name.startswith("extraction") else "proof"


@cache
def _cases(group: Group, seed: int) -> dict[str, Case]:
    return {one.name: one for one in cases(group, Context(find_corpus(), seed=seed))}


def _measured(
    group: Group, seed: int, case: str, off: str, watched: Sequence[str]
) -> tuple[Tally | str, set[str], Any]:
    """Measure a case, in a process of its own: with a mechanism off, or with all on and those watched traced."""
    mechanisms = [one for one in MECHANISMS if one.name == off]
    watch = traced([one for one in MECHANISMS if one.name in set(watched)]) if watched else nullcontext(set[str]())
    try:
        with switched_off(*mechanisms), watch as fired:
            tally = _cases(group, seed)[case].run()
    except Exception as error:  # noqa: BLE001 - without a mechanism the code may fail: that is a result, too
        return f"{type(error).__name__}: {error}"[:200], set(), None
    return tally, fired, RECIPES.get(case) if group == "learning" else None


def baseline(
    group: Group, seed: int, mechanisms: Sequence[Mechanism], pool: ProcessPoolExecutor
) -> dict[str, Baseline]:
    """Measure all cases of a group with everything on."""
    watched = [one.name for one in mechanisms]
    work = {name: pool.submit(_measured, group, seed, name, "", watched) for name in _cases(group, seed)}
    found: dict[str, Baseline] = {}
    for name, future in work.items():
        tally, fired, recipe = future.result()
        if isinstance(tally, str):
            print(f"  left out: {name}: {tally}", file=sys.stderr)
            continue
        found[name] = Baseline(tally, frozenset(fired))
        if group == "learning":
            RECIPES[name] = recipe
    return found


def earned(
    mechanism: Mechanism, group: Group, seed: int, known: Mapping[str, Baseline], pool: ProcessPoolExecutor
) -> dict[str, Any]:
    """Give what a mechanism earns per row, in points, on both parts, and how many cases say so."""
    result: dict[str, Any] = {"group": group, "earns": {}, "on": {}}
    work: dict[str, tuple[list[str], list[tuple[str, Any]]]] = {}
    for part, most in zip(("develop", "check"), MOST_CASES[group], strict=True):
        fired = [
            name
            for name, one in known.items()
            if _cases(group, seed)[name].part == part and mechanism.name in one.fired
        ]
        chosen = sorted(Random(f"{seed}/{mechanism.name}").sample(fired, min(most, len(fired))))
        work[part] = fired, [(name, pool.submit(_measured, group, seed, name, mechanism.name, ())) for name in chosen]
    for part, (fired, futures) in work.items():
        total = sum(
            (one.tally for name, one in known.items() if _cases(group, seed)[name].part == part), Counter[str]()
        )
        differences: Counter[str] = Counter()
        failed = 0
        for name, future in futures:
            tally, _, _ = future.result()
            if isinstance(tally, str):
                failed += 1
                continue
            differences.update(tally)
            differences.subtract(known[name].tally)
        scale = len(fired) / max(1, len(futures) - failed)
        without = Counter({name: total[name] + scale * differences[name] for name in {*total, *differences}})
        result["earns"][part] = dict(_earned_rows(group, total, without))
        result["on"][part] = {
            "cases": len([n for n in known if _cases(group, seed)[n].part == part]),
            "acts": len(fired),
        }
        result["on"][part] |= {"measured": len(futures) - failed, "fails_without": failed}
    result["verdict"] = verdict(result["earns"]["develop"], result["earns"]["check"], result["on"])
    return result


def _earned_rows(group: Group, on: Tally, off: Tally) -> Iterator[tuple[str, float]]:
    for name, figure in FIGURES[group].items():
        before, after = figure.of(on), figure.of(off)
        after = None if after is None else min(figure.most, max(0.0, after))
        if before is not None and after is not None and abs(before - after) > 1e-9:
            yield name, round(before - after if figure.better == "higher" else after - before, 3)


def verdict(develop: Mapping[str, float], check: Mapping[str, float], on: Mapping[str, Any]) -> str:
    """Say whether a mechanism earns its place.

    >>> verdict({"tier0.right": 0.6}, {}, {}), verdict({"tier0.right": 0.4}, {"tier0.right": -1.0}, {})
    ('earns', 'nothing')
    """
    if any(one.get("fails_without") for one in on.values()):
        return "needed"
    if on and not any(one.get("acts") for one in on.values()):
        return "unseen"
    is_earning = max(develop.values(), default=0.0) >= LEAST_EARNED or max(check.values(), default=0.0) > 0
    return "earns" if is_earning else "nothing"


def table_of(results: Mapping[str, Any]) -> str:
    """Give the page that tells the results."""
    counts = Counter(one["verdict"] for one in results["mechanisms"].values())
    lines = [
        "# What each mechanism earns",
        "",
        "Generated by `make ablate`, which switches off each mechanism in turn and measures again. A figure is how",
        "many percentage points a row loses without the mechanism; a negative one is what the row gains. `develop` is",
        "the part of the layouts to develop on, and the corpus; `check` is the held-out part of the layouts.",
        "",
        "- *earns*: at least half a point of some row on develop, or anything on check;",
        "- *needed*: the code fails without it;",
        "- *nothing*: neither;",
        "- *unseen*: it acts on no case at all, so it earns nothing here; the cases may lack what it is for.",
        "",
        "`acts on` counts the cases in which the mechanism changes any intermediate result. Points are estimated from",
        "a sample of those, so small figures are rough. The guards of recipes are measured on recipes learned with",
        "all guards on. Two mechanisms may stand in for each other: remove one, then measure again.",
        "",
        f"{counts['earns']} earn, {counts['needed']} are needed, {counts['nothing']} earn nothing, "
        f"{counts['unseen']} are unseen.",
        "",
    ]
    for group in GROUPS:
        chosen = {name: one for name, one in results["mechanisms"].items() if one["group"] == group}
        if chosen:
            lines += [*_table_of_group(group, chosen, results["baseline"].get(group, {})), ""]
    return "\n".join(lines)


_HEADINGS: Mapping[Group, str] = {
    "proof": "Proof: faulty and true answers",
    "learning": "Recipes: what they are learned from",
    "guards": "Recipes: reasons not to trust a replay",
    "tier0": "Tier 0",
    "follow_ups": "Extraction: follow-up questions and reports",
}


def _table_of_group(group: Group, chosen: Mapping[str, Any], rows: Mapping[str, Any]) -> list[str]:
    lines = [f"## {_HEADINGS[group]}", ""]
    if rows:
        lines += ["With everything on:", "", "| row | develop | check |", "|---|--:|--:|"]
        lines += [f"| {name} | {_number(one[0])} | {_number(one[1])} |" for name, one in rows.items()] + [""]
    lines += [
        "| mechanism | acts on (develop, check) | on develop | on check | verdict |",
        "|---|---|---|---|---|",
    ]
    for name, one in sorted(chosen.items(), key=lambda item: -_worth(item[1])):
        acts = ", ".join(f"{one['on'][part]['acts']} of {one['on'][part]['cases']}" for part in ("develop", "check"))
        told = (_told(one["earns"][part]) for part in ("develop", "check"))
        lines.append(f"| `{name}` | {acts} | {' | '.join(told)} | {one['verdict']} |")
    return lines


def _worth(one: Mapping[str, Any]) -> float:
    best = max((value for part in one["earns"].values() for value in part.values()), default=0.0)
    return {"needed": 3000.0, "earns": 2000.0, "nothing": 1000.0, "unseen": 0.0}[one["verdict"]] + best


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _told(earns: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:+.2f}" for name, value in sorted(earns.items(), key=lambda item: -item[1])) or "–"


def _written(results: Mapping[str, Any]) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")
    TABLE.write_text(table_of(results), "utf-8")


def _pool() -> ProcessPoolExecutor:
    """Give a pool that knows what this process does by now: the recipes that were learned."""
    return ProcessPoolExecutor(WORKERS, mp_context=get_context("fork"))


def run(names: list[str], seed: int, *, resumes: bool) -> dict[str, Any]:
    """Measure mechanisms, all of them without names, and write what they earn as it comes."""
    chosen, started = named(names), time.monotonic()
    results: dict[str, Any] = {"seed": seed, "baseline": {}, "mechanisms": {}}
    if RESULTS.exists() and (resumes or names):
        results = json.loads(RESULTS.read_text("utf-8"))
        known_names = {one.name for one in MECHANISMS}
        results["mechanisms"] = {name: one for name, one in results["mechanisms"].items() if name in known_names}
    for group in GROUPS:
        own = [one for one in chosen if group_of(one) == group]
        own = [one for one in own if not (resumes and one.name in results["mechanisms"])]
        if not own:
            continue
        if group == "guards" and not RECIPES:
            with _pool() as pool:
                baseline("learning", seed, (), pool)
        _cases(group, seed)
        with _pool() as pool:
            known = baseline(group, seed, own, pool)
            results["baseline"][group] = _baseline_rows(group, seed, known)
            print(f"{group}: {len(known)} cases, {time.monotonic() - started:.0f} s", flush=True)
            for mechanism in own:
                results["mechanisms"][mechanism.name] = one = earned(mechanism, group, seed, known, pool)
                _written(results)
                print(f"  {mechanism.name:38} {one['verdict']:8} {_told(one['earns']['develop'])} | ", end="")
                print(f"{_told(one['earns']['check'])} ({time.monotonic() - started:.0f} s)", flush=True)
    _written(results)
    return results


def _baseline_rows(group: Group, seed: int, known: Mapping[str, Baseline]) -> dict[str, list[float | None]]:
    parts = [
        sum((one.tally for name, one in known.items() if _cases(group, seed)[name].part == part), Counter[str]())
        for part in ("develop", "check")
    ]
    return {name: [figure.of(tally) for tally in parts] for name, figure in FIGURES[group].items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="measure.ablate", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a mechanism, or all below a name: proof.labels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="measure only what the results do not hold yet")
    parser.add_argument("--list", action="store_true", help="name all mechanisms, and measure nothing")
    options = parser.parse_args()
    if options.list:
        print("\n".join(one.name for one in MECHANISMS))
        return
    try:
        run(options.names, options.seed, resumes=options.resume)
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
