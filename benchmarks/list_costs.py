"""What long lists cost outside the model, part by part: units, ledger, grounding, certificate, aggregate.

Each part is a few functions of the product, and its time is that of their calls without the calls of another part
inside them ("own" time). Times are processor time of the thread that calls, so that another program on the machine
counts for nothing. What no part has is under "rest": parsing, Markdown, chunks, recipes, storage, the prompt.

| part | what is timed |
|---|---|
| units | finding the pieces that repeat, in the DOM and in the Markdown |
| ledger | numbering them, giving each record its unit, settling the account |
| grounding | the index of the page's text, the proof of each value, what is rejected |
| certificate | the total that the page states, what is missing, lists inside the records |
| aggregate | merging and assembling the chunks' records, adding them to the aggregate |

The lists are generated ones of four kinds and, with a corpus, its longest real lists. Each page is asked for twice in
one installation: "first" is answered by the model, and "next" (of a real list the same page again) by a recipe where
one was learned. ``--sizes 500,1000,2000`` shows whether a part grows faster than the list.

Run: ``python benchmarks/list_costs.py`` (``--kinds``, ``--sizes``, ``--real 0`` for generated lists alone).
"""

import argparse
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from typing import Any

from generated_pages import GeneratedPage, PageKind, make_layout, render_page
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord
from measure.cases import Case, read_cases, records_of
from measure.lists2000 import KINDS, TimedModel
from measure.replay import Replay
from measure.rows import Context, find_corpus
from measure.values import leaves

PARTS = {
    "units": (
        "gleaner.units.detection.find_unit_groups",
        "gleaner.units.containers.container_groups",
        "gleaner.units.lines.line_units",
    ),
    "ledger": (
        "gleaner.completeness.ledger.number_units",
        "gleaner.completeness.ledger.spare_units",
        "gleaner.completeness.ledger.units_between",
        "gleaner.completeness.ledger.balance",
        "gleaner.grounding.alignment.align_records",
        "gleaner.tiers.unit_account.account_of",
    ),
    "grounding": (
        "gleaner.results.assembly.index_page",
        "gleaner.grounding.proving.prove",
        "gleaner.grounding.rejection.reject_ungrounded",
    ),
    "certificate": (
        "gleaner.units.totals.stated_total",
        "gleaner.completeness.certificate.certify",
        "gleaner.completeness.nested_lists.find_short_lists",
        "gleaner.completeness.named_lists.report_named_lists",
        "gleaner.results.grids.count_cells",
    ),
    "aggregate": ("gleaner.results.assembly.assemble",),
}
"""Where the time of each part is spent; ``ExtractionAggregator.add`` belongs to "aggregate", too."""


@dataclass
class Clock:
    """Adds up the own time of each part, whatever thread works at it."""

    spent: Counter[str] = field(default_factory=Counter[str])
    _inside: threading.local = field(default_factory=threading.local)

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Give a function that does the same, its time added to a part's and taken from that of a part around it."""

        @wraps(function)
        def run(*args: Any, **named: Any) -> Any:
            around: list[float] = self._inside.__dict__.setdefault("spent_in_others", [])
            around.append(0.0)
            start = time.thread_time()
            try:
                return function(*args, **named)
            finally:
                taken = time.thread_time() - start
                self.spent[part] += taken - around.pop()
                if around:
                    around[-1] += taken

        return run

    def attach(self) -> None:
        """Time the parts wherever a module of the product calls them."""
        for part, names in PARTS.items():
            for name in names:
                home, _, own = name.rpartition(".")
                function = getattr(import_module(home), own)
                timed = self.timed(part, function)
                for module in [one for at, one in sys.modules.items() if at.startswith("gleaner.")]:
                    for known in [at for at, value in vars(module).items() if value is function]:
                        setattr(module, known, timed)
        ExtractionAggregator.add = self.timed("aggregate", ExtractionAggregator.add)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one page took: the parts' seconds, and all seconds of the process outside the model."""

    parts: Counter[str]
    whole: float
    tier: str
    records: int
    values: int

    def line(self, name: str, which: str) -> str:
        """Give a row of the table: milliseconds a record for each part, their sum, and what is left of the whole.

        Then the sum of the five a value, and the seconds of the whole page.
        """
        each = 1000 / max(1, self.records)
        five = sum(self.parts.values())
        told = " | ".join(f"{self.parts[part] * each:.2f}" for part in PARTS)
        rest, a_value = (self.whole - five) * each, 1000 * five / max(1, self.values)
        return (
            f"| {name} | {self.records:,} | {self.values:,} | {which} | {self.tier} | {told} | {five * each:.2f} "
            f"| {rest:.2f} | {a_value:.2f} | {self.whole:.2f} |"
        )


def cost_of(clock: Clock, model: TimedModel[Any], ask: Callable[[], ScrapeResult]) -> Cost:
    """Ask for one page and give what it took."""
    clock.spent.clear()
    before, start = model.seconds, time.process_time()
    found = ask().extraction
    whole = time.process_time() - start - (model.seconds - before)
    records = records_of(found.data) if found is not None else None
    values = sum(1 for _ in leaves(found.data)) if found is not None else 0
    return Cost(Counter(clock.spent), whole, found.tier if found else "none", len(records or ()), values)


def generated(clock: Clock, kind: PageKind, count: int, seed: int) -> Iterator[tuple[str, Cost]]:
    """Ask one installation for two pages of a generated layout."""
    layout = make_layout(2_000 * seed + KINDS.index(kind), kind)
    model = TimedModel(ScriptedModel([]))
    with tempfile.TemporaryDirectory() as home, Gleaner(model=model, home=home) as gleaner:
        for number, which in enumerate(("first", "next")):
            page: GeneratedPage = render_page(layout, count, data=number)
            name = layout.domain.fields[0].name
            model.script.truth = [TrueRecord({**record}, (str(record[name]),)) for record in page.records]
            yield which, cost_of(clock, model, lambda page=page: asked(gleaner, page.html, page.url, page.schema))


def real(clock: Clock, case: Case) -> Iterator[tuple[str, Cost]]:
    """Ask one installation twice for a real list, whose truth is the model's answer."""
    model = TimedModel(FunctionModel(Replay(case.expected)))
    with tempfile.TemporaryDirectory() as home, Gleaner(model=model, home=home) as gleaner:
        for which in ("first", "next"):
            yield which, cost_of(clock, model, lambda: asked(gleaner, case.html, case.url, case.schema))


def asked(gleaner: Gleaner, html: str, url: str, schema: Any) -> ScrapeResult:
    """Extract from a page by recipe, else with the model."""
    return gleaner.extract_html(html, url, output_schema=schema, config={"tiers": ["recipe", "model"]})


def longest_lists(most: int) -> list[Case]:
    """Give the real lists with the most records."""
    context = Context(find_corpus())
    cases = [*read_cases(context, "answered_lists", quick=0), *read_cases(context, "records", "tables", quick=0)]
    return sorted(cases, key=lambda case: -len(records_of(case.expected) or ()))[:most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of generated lists")
    parser.add_argument("--sizes", default="2000", help="records of the generated lists")
    parser.add_argument("--real", type=int, default=3, help="how many of the longest real lists")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generated layouts")
    chosen = parser.parse_args()
    find_corpus()  # takes its variable out of the environment, which Gleaner would refuse
    clock = Clock()
    clock.attach()
    list(generated(clock, "table", 10, chosen.seed))  # what is loaded when it is first used is no time of a page
    names = " | ".join(PARTS)
    print("Milliseconds of processor time a record; at last the five a value, and the seconds of the whole page\n")
    print(f"| list | records | values | page | tier | {names} | all five | rest | a value | page, s |")
    print(f"|---|--:|--:|---|---|{'--:|' * (len(PARTS) + 4)}")
    for kind in [one for one in KINDS if one in chosen.kinds.split(",")]:
        for size in map(int, chosen.sizes.split(",")):
            for which, cost in generated(clock, kind, size, chosen.seed):
                print(cost.line(kind, which), flush=True)
    for case in longest_lists(chosen.real):
        for which, cost in real(clock, case):
            print(cost.line(case.name, which), flush=True)


if __name__ == "__main__":
    main()
