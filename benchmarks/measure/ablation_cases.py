"""What a mechanism is measured on: cases of four kinds, each with a tally of what came out right and wrong.

Proof: faulty and true answers, proven. Wrappers: learned on a page, replayed on it, on another one and on changed ones.
Tier 0: tables, embedded data, and generated pages whose data is spoilt. Follow-up questions: extraction with answers
that lack records at first, or for good.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Literal

from gleaner.contracts.json_pointers import escape_step
from gleaner.contracts.models import ExtractionConfig
from gleaner.grounding import TextIndex, prove
from gleaner.grounding.alignment import align_records
from gleaner.page.opening import open_page
from gleaner.structured import Declined, Seen, certify_answer, find_answer
from gleaner.testing.pages import KINDS, generate_page
from gleaner.units import primary_units
from gleaner.wrappers import Recipe, learn, replay, same_data
from layouts import CHANGES, Design, Style, page_of, strip_marks, truth_of
from layouts.split import Part, designs_of
from structured import trials

from measure.fault_pages import Tally, figures_of, spoilt_answers, tally_of
from measure.faults import kind_of
from measure.rows import Context, share
from measure.true_pages import GivenAnswer, TruePage, extracted, layout_pages, page_of_design, real_pages

Group = Literal["proof", "guards", "learning", "tier0", "follow_ups"]
LEARNED_ROWS = 10
MOST_CHANGES = 8
LATE = 5
"""One record of so many is not given by the first call."""

GENERATED = 4
MOST_FAULTS: Mapping[Group, int] = {"proof": 4, "follow_ups": 1}
"""Faulty answers to a page, at most."""

LONGEST_REAL_PAGE = 200_000
"""Characters of HTML: the proof reads all of it for each answer."""

STEPS: Mapping[Group, int] = {"proof": 2, "guards": 4, "learning": 4, "tier0": 2, "follow_ups": 5}
"""Each so-many-th layout, or page of a set, is a case."""


@dataclass(frozen=True)
class Case:
    """One page to measure on; ``run`` gives its tally. A design is given by name, so that a case can be sent about."""

    name: str
    group: Group
    part: Part
    run: Callable[[], Tally] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """How a row is made of a tally, which way is up, and how high it can be: what is scaled up may overshoot."""

    of: Callable[[Tally], float | None]
    better: Literal["higher", "lower"]
    most: float = 100.0


def cases(group: Group, context: Context) -> list[Case]:
    """Give the cases of a group; those of the corpus count as develop."""
    make: Mapping[Group, Callable[[Context], Iterator[Case]]] = {
        "proof": _proof_cases,
        "guards": _guard_cases,
        "learning": _learning_cases,
        "tier0": _tier0_cases,
        "follow_ups": _follow_up_cases,
    }
    return [*make[group](context)]


# Proof


def _proof_cases(context: Context) -> Iterator[Case]:
    real = (page for page in real_pages(context, 3) if len(page.html) <= LONGEST_REAL_PAGE)
    for page in (*layout_pages(context, STEPS["proof"]), *real):
        yield Case(page.name, "proof", page.part, _bound(_proof_tally, page, context.seed))


def _bound(tally: Callable[..., Tally], *given: Any) -> Callable[[], Tally]:
    return lambda: tally(*given)


def _proof_tally(page: TruePage, seed: object) -> Tally:
    """Count what the proof alone refuses: of the true answer, and of the faulty ones."""
    index = TextIndex(page.opened.text, html=page.html)
    places = [(unit.start, unit.end) for unit in primary_units(page.opened.units)] if page.pointer is not None else []
    truth = _proven(page, index, places, page.records)
    tally: Tally = Counter()
    tally[f"right/{page.kind}"] = len(truth)
    tally[f"refused/{page.kind}"] = sum(truth.values())
    answers = [one for one in spoilt_answers(page, seed) if one.by]
    for spoilt in Random(f"{seed}/{page.name}").sample(answers, min(MOST_FAULTS["proof"], len(answers))):
        answer = [one for one in spoilt.change.applied(page.records) if one is not None]
        refused = _proven(page, index, places, answer)
        for place, fault in spoilt.by.items():
            if kind_of(spoilt.change.values[place]) != "none" and spoilt.change.values[place] != "":
                tally[f"tried/{page.kind}/{fault}"] += 1
                tally[f"served/{page.kind}/{fault}"] += not refused.get(place, True)
        tally["right_beside"] += sum(place not in spoilt.by for place in refused)
        tally["collateral"] += sum(is_refused for place, is_refused in refused.items() if place not in spoilt.by)
    return tally


def _proven(
    page: TruePage, index: TextIndex, places: Sequence[tuple[int, int]], answer: Sequence[Any]
) -> dict[tuple[int, str], bool]:
    """Tell of each single value of an answer, by record and field, whether the proof refuses it."""
    schema, spans = dict(page.schema), None
    if places:
        numbers = align_records(list(answer), index, places, schema=dict(page.truth.schema))
        spans = [None if number is None else places[number] for number in numbers]
    entries = prove(
        page.wrapped([*answer]),
        index,
        schema=schema,
        spans=spans,
        units=places or None,
        page=page.opened,
        records_at=page.pointer,
    )
    refused = {entry.pointer: entry.status == "ungrounded" for entry in entries}
    found: dict[tuple[int, str], bool] = {}
    for at, record in enumerate(answer):
        around = "" if page.pointer is None else f"{page.pointer}/{at}"
        for name, value in record.items():
            pointer = f"{around}/{escape_step(name)}"
            if kind_of(value) != "none" and pointer in refused:
                found[at, name] = refused[pointer]
    return found


# Wrappers


@dataclass(frozen=True, slots=True)
class Shown:
    """A page to replay a recipe on, and the records that it shows."""

    html: str
    url: str
    records: Sequence[Any]


@cache
def _shown(name: str, seed: int) -> dict[str, Shown]:
    """Give the pages that a layout's recipe is replayed on: the same, the next, fewer records, and changed ones."""
    design = _design(name)
    records = design.records(seed, 0)[:LEARNED_ROWS]
    following = design.records(seed, 1)[:LEARNED_ROWS]
    pages = {
        "same": (page_of(design, records, Style()), records),
        "next": (page_of(design, following, Style()), following),
    }
    if design.is_list:
        fewer = [*records[1::2], *records[:1]]
        pages["fewer"] = page_of(design, fewer, Style()), fewer
    for change in Random(f"{seed}/{name}").sample(sorted(CHANGES), MOST_CHANGES):
        pages[change] = CHANGES[change](design, following, Random(f"{seed}/{name}/{change}"))
    return {
        kind: Shown(strip_marks(html), design.url(1), [truth_of(design, one) for one in shown])
        for kind, (html, shown) in pages.items()
    }


@cache
def _design(name: str) -> Design:
    return next(
        one for part in ("develop", "check") for one in designs_of(part, is_measurement=True) if one.name == name
    )


RECIPES: dict[str, str | None] = {}
"""The recipes that were learned with all mechanisms on, as JSON, by layout: the guards are measured on these."""


def _learned(name: str, seed: int) -> Recipe | None:
    page = page_of_design(_design(name), "develop", seed, rows=LEARNED_ROWS)
    return learn(page.opened, dict(page.schema), page.data)


def _replayed(recipe: Recipe | None, name: str, kind: str, seed: int) -> Tally:
    """Count what a recipe makes of a page: right data, wrong data, or nothing for doubt.

    Wrong data whose values the proof refuses is not served: the recipe tier proves what it answers.
    """
    tally: Tally = Counter({"replays": 1})
    if recipe is None:
        return tally
    design, shown = _design(name), _shown(name, seed)[kind]
    page = TruePage(name, "develop", "list", shown.html, shown.url, design.whole_schema, [], [], {})
    read = replay(recipe, page.opened, design.whole_schema)
    if not read.holds:
        return tally
    is_right = len(read.records) == len(shown.records) and all(map(same_data, read.records, shown.records))
    if is_right:
        tally["answered"] = 1
        return tally
    index = TextIndex(page.opened.text, html=page.html)
    entries = prove(read.data, index, schema=design.whole_schema, page=page.opened, records_at=page.pointer)
    tally["wrong"] = int(not any(entry.status == "ungrounded" for entry in entries))
    return tally


def _layout_names(step: int) -> Iterator[tuple[str, Part]]:
    for part in ("develop", "check"):
        for design in designs_of(part, is_measurement=True)[::step]:
            yield design.name, part


def _guard_cases(context: Context) -> Iterator[Case]:
    for name, part in _layout_names(STEPS["guards"]):
        if RECIPES.get(name) is not None:
            for kind in _shown(name, context.seed):
                yield Case(f"{name}/{kind}", "guards", part, _bound(_guard_tally, name, kind, context.seed))


def _guard_tally(name: str, kind: str, seed: int) -> Tally:
    kept = RECIPES[name]
    return _replayed(None if kept is None else Recipe.model_validate_json(kept), name, kind, seed)


def _learning_cases(context: Context) -> Iterator[Case]:
    for name, part in _layout_names(STEPS["learning"]):
        yield Case(name, "learning", part, _bound(_learning_tally, name, context.seed))


def _learning_tally(name: str, seed: int) -> Tally:
    recipe = _learned(name, seed)
    RECIPES.setdefault(name, None if recipe is None else recipe.model_dump_json())
    tally: Tally = Counter({"layouts": 1, "learned": int(recipe is not None)})
    for kind in [*_shown(name, seed)][:6]:
        tally.update(_replayed(recipe, name, kind, seed))
    return tally


# Tier 0


def _tier0_cases(context: Context) -> Iterator[Case]:
    for kind in ("tables", "embedded", "products", "recipes"):
        for case in context.cases("records", kind)[:: STEPS["tier0"]]:
            yield Case(f"{kind}/{case.name}", "tier0", "develop", _bound(_tier0_of_corpus, case))
    for kind in KINDS:
        for seed in range(GENERATED):
            part: Part = "develop" if seed % 2 == 0 else "check"
            yield Case(f"{kind}/{seed}", "tier0", part, _bound(_tier0_of_generated, kind, context.seed * 1000 + seed))


def _tier0_of_corpus(case: Path) -> Tally:
    html = (case / "page.html").read_text("utf-8", errors="replace")
    schema = json.loads((case / "schema.json").read_text("utf-8"))
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    return _judged(html, (case / "url").read_text("utf-8").strip(), schema, expected)


def _tier0_of_generated(kind: Any, seed: int) -> Tally:
    """Count the answers for a generated page as it is, with spoilt data, and for a question that asks for a part."""
    random, tally = Random(seed), Counter[str]()
    page = generate_page(seed, kind, random.randint(3, 20))
    for _, html, schema, truth in trials(page, random):
        tally.update(_judged(html, page.url, schema, truth))
        if page.is_list:
            tally.update(_judged(html, page.url, schema, None, "only the first two, please"))
    return tally


def _judged(html: str, url: str, schema: Any, truth: Any, query: str | None = None) -> Tally:
    """Count an answer of tier 0 as right or wrong; ``truth`` None for a question that it must leave alone."""
    tally: Tally = Counter({"asked": 1, "wanted": int(truth is not None)})
    try:
        page = open_page(html, url)
        answer = find_answer(page, schema, query=query)
    except Declined:
        return tally
    seen = Seen(page, page.units)
    try:
        result = certify_answer(answer, seen, ExtractionConfig(dedupe="none"))
    except Declined:
        return tally
    if not result.is_partial:
        is_right = truth is not None and _agrees(result.data, truth)
        tally["right" if is_right else "wrong"] += 1
    return tally


def _agrees(found: Any, truth: Any) -> bool:
    """Tell whether data says what the truth does; fields that the truth does not know do not count."""
    if isinstance(truth, dict) and "$any" in truth:
        return any(_agrees(found, one) for one in truth["$any"])
    if isinstance(truth, dict):
        return isinstance(found, dict) and all(_agrees(found.get(name), value) for name, value in truth.items())
    if isinstance(truth, list):
        return isinstance(found, list) and len(found) == len(truth) and all(map(_agrees, found, truth))
    return (
        " ".join(found.split()) == " ".join(truth.split())
        if isinstance(found, str) and isinstance(truth, str)
        else found == truth
    )


# Follow-up questions


def _follow_up_cases(context: Context) -> Iterator[Case]:
    real = (page for page in real_pages(context, 12) if len(page.html) <= LONGEST_REAL_PAGE / 4)
    for page in (*layout_pages(context, STEPS["follow_ups"]), *real):
        yield Case(page.name, "follow_ups", page.part, _bound(_follow_up_tally, page, context.seed))


def _follow_up_tally(page: TruePage, seed: int) -> Tally:
    """Count calls, losses and false alarms: the true answer, one that lacks records at first, and faulty ones."""
    whole = GivenAnswer(page, page.records)
    result = extracted(page, whole)
    tally: Tally = Counter({"pages": 1, "calls": whole.calls, "alarms": int(result.is_partial)})
    if page.pointer is not None:
        late = frozenset(Random(f"{seed}/{page.name}").sample(range(len(page.records)), 1 + len(page.records) // LATE))
        forgetful = GivenAnswer(page, page.records, late)
        result = extracted(page, forgetful)
        lost = max(0, len(page.records) - len(page.unwrapped(result.data)))
        tally.update({"late": len(late), "late_lost": min(lost, len(late)), "late_calls": forgetful.calls, "lists": 1})
        tally["late_silent"] += lost > 0 and not result.is_partial
    return tally + tally_of(page, seed, MOST_FAULTS["follow_ups"])


# Rows


def _share_of(part: str, whole: str) -> Callable[[Tally], float | None]:
    return lambda tally: share(tally[part], tally[whole])


def _fault_figure(name: str) -> Callable[[Tally], float | None]:
    return lambda tally: figures_of(tally)[name][0]


_FAULTS = {
    name: Figure(_fault_figure(name), "lower")
    for kind in ("list", "single", "real")
    for name in (f"faults.served.{kind}", f"faults.refused.{kind}")
} | {"faults.collateral": Figure(_fault_figure("faults.collateral"), "lower")}
_REPLAYS = {
    "wrappers.answered": Figure(_share_of("answered", "replays"), "higher"),
    "wrappers.wrong": Figure(_share_of("wrong", "replays"), "lower"),
}
FIGURES: Mapping[Group, Mapping[str, Figure]] = {
    "proof": _FAULTS,
    "guards": _REPLAYS,
    "learning": {"wrappers.learned": Figure(_share_of("learned", "layouts"), "higher"), **_REPLAYS},
    "tier0": {
        "tier0.right": Figure(_share_of("right", "wanted"), "higher"),
        "tier0.wrong": Figure(_share_of("wrong", "asked"), "lower"),
    },
    "follow_ups": {
        "calls.per_page": Figure(_share_of("calls", "pages"), "lower", inf),
        "calls.per_late_list": Figure(_share_of("late_calls", "lists"), "lower", inf),
        "lists.late_records_lost": Figure(_share_of("late_lost", "late"), "lower"),
        "lists.silent_losses": Figure(_share_of("late_silent", "lists"), "lower"),
        "pages.false_alarms": Figure(_share_of("alarms", "pages"), "lower"),
        "faults.claimed": Figure(_fault_figure("faults.claimed"), "lower"),
        **_FAULTS,
    },
}
