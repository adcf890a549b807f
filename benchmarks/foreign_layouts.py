"""What a layout costs that nobody built against: pages after pages of one layout, and layouts that change.

The layouts of ``benchmarks/layouts`` imitate the markup of well known kinds of sites. Everything goes through the
library, with a scripted model that answers from the truth and counts what it is asked.
Run: ``python benchmarks/foreign_layouts.py --parts pages,changes --seed 5`` (``--only`` for some of the layouts).
"""

import argparse
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from gleaner import Gleaner
from gleaner.adapters.local.sqlite import SqliteTable
from gleaner.contracts.models import ExtractionResult
from gleaner.jobs.strategies import ExtractionCache
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.wrappers import RecipeBook, same_data
from layouts import CHANGES, DESIGNS, Design, Record, Style, page_of, strip_marks, truth_of

MOST_LEARNED_FROM = 6
"""Pages of a layout until it counts as one without a recipe, and after a change as one that is not repaired."""


@dataclass(frozen=True)
class Answer:
    """What a page got: the extraction, and the calls of the model."""

    found: ExtractionResult | None
    calls: int
    is_right: bool
    f1: float
    is_joined_wrong: bool = False
    """Whether a recipe gave some of the fields, and one of those is not the page's."""

    @property
    def by_recipe(self) -> bool:
        return self.found is not None and self.found.tier == "recipe"

    @property
    def is_wrong(self) -> bool:
        """Whether the recipe has served data that is not the page's, alone or beside fields that a model gave."""
        return self.is_joined_wrong or (self.by_recipe and not self.is_right)


class Site:
    """One installation, asked for page after page of a design."""

    def __init__(self, home: str, design: Design) -> None:
        self.design = design
        self.home = home
        self.model = ScriptedModel([])
        self.model.wrap = None if design.is_list else lambda records: records[0] if records else None
        self.gleaner = Gleaner(model=self.model, home=home)

    def ask(self, html: str, records: Sequence[Record], number: int) -> Answer:
        truth = [truth_of(self.design, one) for one in records]
        stated = [self.design.stated(one) for one in records]
        self.model.truth = [TrueRecord({**one}, (text,)) for one, text in zip(truth, stated, strict=True)]
        before = len(self.model.requests)
        config = {"tiers": ["recipe", "model"]}
        result = self.gleaner.extract_html(
            strip_marks(html), self.design.url(number), output_schema=self.design.whole_schema, config=config
        )
        calls = len(self.model.requests) - before
        given = records_of(result.extraction, self.design)
        is_right = len(given) == len(truth) and all(map(same_data, given, truth))
        is_joined_wrong = not is_right and differs_in_fields_of_recipe(result.extraction, given, truth)
        return Answer(result.extraction, calls, is_right, record_f1(given, truth), is_joined_wrong)

    def page(self, seed: object, number: int) -> Answer:
        records = self.design.records(seed, number)
        return self.ask(page_of(self.design, records, Style()), records, number)

    def history(self) -> str:
        """Give why the last page was refused, and why nothing was learned."""
        table = SqliteTable(Path(self.home) / "gleaner.db")
        found = ExtractionCache(table).find_matching(self.design.url(1))
        notes = [RecipeBook(table).history(strategy.id) for strategy in found]
        table.close()
        return " / ".join(f"{name}: {one[name]}" for one in notes for name in ("not_learned", "refused") if name in one)


@contextmanager
def site(design: Design) -> Generator[Site]:
    with tempfile.TemporaryDirectory() as home:
        made = Site(home, design)
        try:
            yield made
        finally:
            made.gleaner.close()


def records_of(found: ExtractionResult | None, design: Design) -> list[Any]:
    if found is None or found.data is None:
        return []
    return [found.data] if not design.is_list else found.data if isinstance(found.data, list) else []


def differs_in_fields_of_recipe(found: ExtractionResult | None, given: Sequence[Any], truth: Sequence[Record]) -> bool:
    """Tell whether an answer of both tiers has records, or values that a recipe read, which are not the page's.

    A value that the proof has nulled is named as not proven, and not served.
    """
    names = [name for name, tier in found.field_tiers.items() if tier == "recipe"] if found is not None else []
    if not names or found is None:
        return False
    is_nulled = any(entry.status == "ungrounded" for entry in found.provenance)
    return len(given) != len(truth) or any(
        not same_data(one.get(name), other.get(name)) and not (is_nulled and one.get(name) is None)
        for one, other in zip(given, truth, strict=True)
        for name in names
    )


def record_f1(given: Sequence[Any], truth: Sequence[Record]) -> float:
    """Give the share of records that are wholly right, of those given and those wanted."""
    left = list(given)
    right = 0
    for one in truth:
        at = next((at for at, other in enumerate(left) if same_data(other, one)), None)
        if at is not None:
            right += 1
            left.pop(at)
    return 2 * right / (len(given) + len(truth)) if given or truth else 1.0


def many_pages(designs: Sequence[Design], seed: object, count: int, *, explain: bool) -> None:
    print("| layout | calls for the pages | pages by recipe | wrong data served | worst F1 |\n|---|--:|--:|--:|--:|")
    totals: Counter[str] = Counter()
    for design in designs:
        with site(design) as asked:
            answers = [asked.page(seed, number) for number in range(count)]
            note = asked.history() if explain else ""
        calls = sum(one.calls for one in answers)
        recipe = sum(one.by_recipe for one in answers)
        wrong = sum(one.is_wrong for one in answers)
        totals.update(calls=calls, recipe=recipe, wrong=wrong)
        worst = min(one.f1 for one in answers)
        print(f"| {design.name} | {calls} | {recipe} | {wrong} | {worst:.3f} |{' ' + note if note else ''}", flush=True)
    print(f"| all {len(designs)} | {totals['calls']} | {totals['recipe']} | {totals['wrong']} | |")


def changes(designs: Sequence[Design], seed: object, names: Sequence[str], *, explain: bool) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    repairs: dict[str, list[int]] = {name: [] for name in names}
    for design in designs:
        with site(design) as asked:
            if not any(asked.page(seed, number).by_recipe for number in range(MOST_LEARNED_FROM)):
                continue
            for name in names:
                outcome, paid = one_change(asked, seed, name, explain=explain)
                seen[name, outcome] += 1
                repairs[name] += [paid] if outcome == "noticed" else []
    print("| change | layouts | next page by recipe, right | model asked | wrong data served |", end="")
    print(" model pages to be back, mean | most | not back after 6 |\n|---|--:|--:|--:|--:|--:|--:|--:|")
    for name in names:
        paid = repairs[name]
        back = f"{sum(paid) / len(paid):.1f} | {max(paid)}" if paid else "- | -"
        right, lost, wrong = (seen[name, outcome] for outcome in ("recipe", "lost", "wrong"))
        known = right + lost + wrong + len(paid)
        print(f"| {name} | {known} | {right} | {len(paid) + lost} | {wrong} | {back} | {lost} |")


def one_change(known: Site, seed: object, name: str, *, explain: bool) -> tuple[str, int]:
    """Change a layout in a copy of an installation that knows it, and look at what its next pages get."""
    design = known.design
    with tempfile.TemporaryDirectory() as home:
        shutil.copytree(known.home, home, dirs_exist_ok=True)
        asked = Site(home, design)
        outcome, paid, answer = _after(asked, seed, name)
        if explain and (outcome in ("wrong", "lost") or paid > 1):
            state = "right" if answer.is_right else "not right"
            print(f"  {outcome} {design.name} {name} {paid}, {state}: {asked.history()}", flush=True)
        asked.gleaner.close()
    return outcome, paid


def _after(asked: Site, seed: object, name: str) -> tuple[str, int, Answer]:
    answer = Answer(None, 0, False, 0.0)
    for paid in range(MOST_LEARNED_FROM):
        number = MOST_LEARNED_FROM + paid
        records = asked.design.records(seed, number)
        luck = Random(f"{name}/{asked.design.name}/{seed}")
        answer = asked.ask(*CHANGES[name](asked.design, records, luck), number)
        if answer.by_recipe or answer.is_wrong:
            return ("wrong" if answer.is_wrong else "noticed" if paid else "recipe"), paid, answer
    return "lost", MOST_LEARNED_FROM, answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default=None, help="seed of the pages' data; default: a new one")
    parser.add_argument("--pages", type=int, default=16, help="pages of one layout")
    parser.add_argument("--only", default="", help="names of layouts, with commas")
    parser.add_argument("--changes", default=",".join(CHANGES), help="names of changes, with commas")
    parser.add_argument("--parts", default="pages,changes")
    parser.add_argument("--explain", action="store_true", help="say why pages were refused and nothing was learned")
    chosen = parser.parse_args()
    seed = chosen.seed or str(random.randrange(10**6, 10**9))
    designs = [one for one in DESIGNS if not chosen.only or one.name in chosen.only.split(",")]
    print(f"pages from seed {seed}")
    if "pages" in chosen.parts:
        many_pages(designs, seed, chosen.pages, explain=chosen.explain)
    if "changes" in chosen.parts:
        changes(designs, seed, chosen.changes.split(","), explain=chosen.explain)


if __name__ == "__main__":
    main()
