"""Learns the weights of the features by which values are judged and writes ``gleaner/data/judging_weights.json``.

Each page of the develop corpora is asked for once with its right answer. What the proof was given there is judged again
with the faults of ``measure/faults.py`` in it. A right value counts as one of the 975 of 1,000 that a good model gives,
a wrong one by the mix of faults, times what it costs to serve it without a word; each corpus counts the same. It then
says what the weights reach on sites that they were not learned from: five parts, a site in one of them.

    PYTHONPATH=benchmarks python benchmarks/train_judging.py [--write] [--only=WORDS] [CORPUS…]

``--only`` learns the weights of the features that begin so, and holds the others where they are: a new feature moves
no doubt about a value that has it not.
"""

import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import gleaner
from gleaner.judging import features
from gleaner.judging.judge import Verdict, examine, judge
from gleaner.results import assembly
from measure.answering import Reader
from measure.asking import installation
from measure.cases import FITTED, Case, attempt, read_cases
from measure.comparing import compare, escaped, record_steps, records_of, with_records
from measure.fault_pages import spoilt_answers
from measure.faults import FAULTS, KINDS, MIX
from measure.harm import REPORTED, RIGHT, SERVED, harm
from measure.rows import Context, find_corpus

DATA = Path(gleaner.__file__).parent / "data/judging_weights.json"
PARTS = 5
ROUNDS, STEP, SHRINKING = 500, 0.6, 2e-5
MARGIN = -1.0
"""Logarithm of the odds of being wrong, times the costs, above which a value is doubted. Swept from 0 to -2: the harm
is least between -0.5 and -1.5 on most corpora, and at -1 about 2 % of the right values at most are doubted on each."""

BY_HAND = {
    "in a part about other things": 7.0,
    "a former price": 12.0,
    "a bare number for a price": 7.0,
    "shared by records, in prose": 7.0,
    "a sign of several currencies": 7.0,
    "it heads the page": 7.0,
    "another field heads the page": 7.0,
    "no currency": 7.0,
    "no figure": 3.5,
    "no letter": 4.0,
    "no sign of money": 4.0,
}
"""Weights that no fault of the mix shows, as none is made from what a page says beside its right values: learned, they
are 1.8 at the most. No right text that records share stands in a sentence, no page leaves a currency's sign open.
The last six speak of 4 of 19,000 right values and of 380 wrong ones, too few for the steps of the learning. A price in
a table needs no sign, a title may be a number, a salary "Competitive": a label or the other records outweigh 4."""

SEEDS = {True: (1,), False: (1, 2)}
"""Draws of the faults, for lists and for pages about one thing, which have few values."""

_WEIGHTS = {one.name: one.weight for one in FAULTS}


@dataclass(frozen=True, slots=True)
class Judged:
    """A value that was judged: on which page, the fault that made it wrong ("" for none), and its features.

    ``features`` is None where it was refused.
    """

    corpus: str
    site: str
    page: str
    fault: str
    features: Mapping[str, float] | None


def judged_of(case: Case) -> list[Judged]:
    """Give the values of a page's right answer and of its faulty ones."""
    given: list[tuple[Any, Any, dict[str, Any]]] = []

    def watched(data: Any, index: Any, **known: Any) -> Any:
        given.append((data, index, known))
        return judge(data, index, **known)

    assembly.judge = watched
    try:
        with installation() as asked:
            asked.ask(case, Reader(case), ["model"])
    finally:
        assembly.judge = judge
    if not given:
        return []
    data, index, known = given[-1]
    known.pop("chunk_starts", None)
    right = {there for own, there in compare(case.wanted, data).kept.items() if own in case.counted}
    found = [_judged(case, "", one) for one in _examined(data, index, known) if one.leaf.pointer in right]
    steps, records = record_steps(data), records_of(data)
    above = "".join(f"/{step}" for step in steps or ())
    for seed in SEEDS[case.is_list]:
        for spoilt in spoilt_answers(_answering(case, records), seed):
            verdicts = _examined(with_records(data, spoilt.change.applied(records), steps), index, known)
            by_pointer = {one.leaf.pointer: one for one in verdicts}
            for (at, name), fault in spoilt.by.items():
                pointer = f"{above}/{at}/{escaped(name)}" if steps is not None else f"/{escaped(name)}"
                if pointer in by_pointer:
                    found.append(_judged(case, fault, by_pointer[pointer]))
    return found


def _examined(data: Any, index: Any, known: Mapping[str, Any]) -> list[Verdict]:
    """Give the verdicts with all their features: no weights tell that those of labels are not needed."""
    with patch.object(features, "weights", lambda: features.Weights({}, -math.inf, 0.0, 0.0)):
        return examine(data, index, **known)


def _answering(case: Case, records: Sequence[Any]) -> Any:
    """Give a case with the records as they were merged: their numbers are those of the verdicts."""
    return type(
        "Given", (), {"records": records, "record_schema": case.record_schema, "donors": case.donors, "name": case.name}
    )


def _judged(case: Case, fault: str, verdict: Verdict) -> Judged:
    is_refused = verdict.status == "ungrounded"
    return Judged(case.corpus, case.site, case.name, fault, None if is_refused else verdict.features)


Row = tuple[tuple[tuple[str, float], ...], bool, float]


def weighted(values: Sequence[Judged]) -> Iterator[tuple[str, Row]]:
    """Give the values that were not refused as rows with their weights, by site."""
    right = Counter((one.corpus, one.page) for one in values if not one.fault)
    whole = Counter[str]()
    for (corpus, _), count in right.items():
        whole[corpus] += math.sqrt(count)  # type: ignore[assignment] - a page counts for the root of its values
    wrong = Counter((one.corpus, one.fault) for one in values if one.fault)
    of_kind: dict[tuple[str, str], float] = defaultdict(float)
    for corpus, fault in wrong:
        of_kind[corpus, KINDS[fault]] += _WEIGHTS[fault]
    for one in values:
        if one.features is None:
            continue
        if one.fault:
            kind = KINDS[one.fault]
            share = _WEIGHTS[one.fault] / of_kind[one.corpus, kind] / wrong[one.corpus, one.fault]
            weight = (SERVED - REPORTED) * MIX[kind] * share
        else:
            count = right[one.corpus, one.page]
            weight = RIGHT / math.sqrt(count) / whole[one.corpus]
        row = tuple((name, round(value, 2)) for name, value in one.features.items())
        yield one.site, (row, bool(one.fault), weight)


def learned(rows: Sequence[Row], held: Mapping[str, float]) -> dict[str, float]:
    """Give the weights: logistic regression by steps that get smaller for what was moved before (AdaGrad).

    Those that are ``held`` stay as they are.
    """
    total = sum(weight for _, _, weight in rows)
    alike: dict[tuple[tuple[tuple[str, float], ...], bool], float] = defaultdict(float)
    for row, is_wrong, weight in rows:
        alike[row, is_wrong] += weight / total
    weights = {
        name: held.get(name, 0.0) for name in sorted({name for row, _ in alike for name, _ in row} | held.keys())
    }
    moved = dict.fromkeys(weights, 1e-6)
    for _ in range(ROUNDS):
        slope = {name: SHRINKING * value for name, value in weights.items()}
        for (row, is_wrong), weight in alike.items():
            odds = sum(weights[name] * value for name, value in row)
            miss = (1 / (1 + math.exp(-max(-30.0, min(30.0, odds)))) - is_wrong) * weight
            for name, value in row:
                slope[name] += miss * value
        for name, value in slope.items():
            if name in held:
                continue
            moved[name] += value * value
            weights[name] -= STEP * value / math.sqrt(moved[name])
    return weights


def score(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Give the logarithm of the odds that a value is wrong."""
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


def tell(values: Sequence[Judged], models: Mapping[str, Mapping[str, float]]) -> None:
    """Print what the weights reach on each corpus, each site judged by a model that does not know it."""
    for corpus in dict.fromkeys(one.corpus for one in values):
        tally: Counter[str] = Counter()
        for one in (one for one in values if one.corpus == corpus):
            is_doubted = one.features is not None and score(models[one.site], one.features) > MARGIN
            if one.fault:
                tally.update(
                    {f"tried/{one.fault}": 1, f"served/{one.fault}": one.features is not None and not is_doubted}
                )
            else:
                tally.update(given=1, refused=one.features is None, doubted=is_doubted)
        told = harm(tally)[0]
        print(
            f"{corpus:16}{'*' * (corpus in FITTED):2} right {tally['given']:6,}  refused {tally['refused']:4}"
            f"  doubted {tally['doubted']:4}  harm per 1,000 {told or 0:6.1f}"
        )


def _held(arguments: Sequence[str]) -> Mapping[str, float]:
    only = tuple(one.removeprefix("--only=") for one in arguments if one.startswith("--only="))
    if not only:
        return BY_HAND
    known: dict[str, float] = json.loads(DATA.read_text("utf-8"))["weights"]
    return {name: weight for name, weight in known.items() if not name.startswith(only)} | BY_HAND


def main(arguments: Sequence[str]) -> None:
    """Learn, say what that reaches, and write."""
    context = Context(find_corpus(), develops=True)
    names = [one for one in arguments if not one.startswith("-")]
    values: list[Judged] = []
    for case in read_cases(context, *names):
        if case.schema is not None:
            values += attempt(context, f"{case.corpus}/{case.name}", lambda case=case: judged_of(case)) or []
    rows = [*weighted(values)]
    sites = sorted({one.site for one in values})
    Random(1).shuffle(sites)
    part_of = {site: at % PARTS for at, site in enumerate(sites)}
    held = _held(arguments)
    parts = [learned([row for site, row in rows if part_of[site] != part], held) for part in range(PARTS)]
    tell(values, {site: parts[part] for site, part in part_of.items()})
    print(*context.notes, sep="\n")
    weights = {name: round(value, 2) for name, value in learned([row for _, row in rows], held).items()}
    if "--write" in arguments:
        DATA.write_text(
            json.dumps({"margin": MARGIN, "weights": weights}, ensure_ascii=False, indent=1) + "\n", "utf-8"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
