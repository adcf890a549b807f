"""What a layout costs: long pages, many pages of one layout, layouts that change, and the time that a replay takes.

Everything goes through the library, with a scripted model that answers from the truth and counts what it is asked.
Run: ``python benchmarks/recipes.py --first 5000 --seeds 3`` (``--parts long,pages,changes,replay`` for some of it).
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from gleaner import Gleaner
from gleaner.models import ExtractionResult
from gleaner.recipes import learn, replay
from gleaner.recipes.learning import same_data
from gleaner.testing import ScriptedModel, TrueRecord
from gleaner.testing.pages import (
    KINDS,
    LIST_KINDS,
    MUTATIONS,
    GeneratedPage,
    Mutation,
    PageKind,
    Record,
    make_layout,
    mutate_layout,
    render_page,
)


class Site:
    """One installation, asked for page after page."""

    def __init__(self, home: str) -> None:
        self.model = ScriptedModel([])
        self.gleaner = Gleaner(model=self.model, home=home)

    def ask(self, page: GeneratedPage) -> tuple[ExtractionResult | None, int, float]:
        """Give the extraction, the model calls and the seconds of processor time."""
        name = page.layout.domain.fields[0].name if page.is_list else next(iter(page.records[0]))
        self.model.truth = [TrueRecord({**record}, (str(record[name]),)) for record in page.records]
        self.model.wrap = None if page.is_list else lambda records: records[0] if records else None
        calls, start = len(self.model.requests), time.process_time()
        config = {"tiers": ["recipe", "model"]}
        result = self.gleaner.extract_html(page.html, page.url, output_schema=page.schema, config=config)
        return result.extraction, len(self.model.requests) - calls, time.process_time() - start


@contextmanager
def site() -> Generator[Site]:
    with tempfile.TemporaryDirectory() as home:
        made = Site(home)
        try:
            yield made
        finally:
            made.gleaner.close()


def record_f1(found: ExtractionResult | None, page: GeneratedPage) -> float:
    data = found.data if found is not None else None
    got = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else [data] if data else []
    names = list(page.records[0])
    wanted = {written(names, record) for record in page.records}
    given = {written(names, one) for one in got}
    right = len(wanted & given)
    return 2 * right / (len(wanted) + len(given)) if wanted or given else 1.0


def written(names: list[str], record: Record) -> str:
    """Give a record as text: 1.0 is 1, what is absent is null."""
    numbers = {name: value for name in names if isinstance(value := record.get(name), int | float)}
    return repr([float(numbers[name]) if name in numbers else record.get(name) for name in names])


def is_right(found: ExtractionResult, page: GeneratedPage) -> bool:
    if not page.is_list:
        return same_data(found.data, page.truth)
    data = found.data or []
    return len(data) == len(page.records) and all(map(same_data, data, page.records))


def long_pages(first: int, sizes: tuple[int, ...]) -> None:
    print("| kind | records | calls | tokens in | tokens out | record F1 | complete | CPU s |")
    print("|---|--:|--:|--:|--:|--:|---|--:|")
    for number, kind in enumerate(("table", "cards", "list", "definition", "flat")):
        for size in sizes:
            with site() as asked:
                page = render_page(make_layout(first + number, kind), size)
                found, calls, seconds = asked.ask(page)
                usage = found.usage if found else None
                tokens = f"{usage.input_tokens:,} | {usage.output_tokens:,}" if usage else "- | -"
                state = "yes" if found and not found.is_partial else "no"
                score = f"{record_f1(found, page):.4f}"
                print(f"| {kind} | {size:,} | {calls} | {tokens} | {score} | {state} | {seconds:.1f} |", flush=True)


def many_pages(first: int, count: int) -> None:
    print("| kind | calls on page 1 | calls on the others | mean F1 of the others | worst F1 |\n|---|--:|--:|--:|--:|")
    for number, kind in enumerate(KINDS):
        with site() as asked:
            layout = make_layout(first + 50 + number, kind)
            _, paid, _ = asked.ask(render_page(layout, 20))
            later, scores = 0, [0.0] * 0
            for data in range(1, count):
                page = render_page(layout, 20, data=data)
                found, calls, _ = asked.ask(page)
                later += calls
                scores.append(record_f1(found, page))
            print(f"| {kind} | {paid} | {later} | {sum(scores) / len(scores):.4f} | {min(scores):.4f} |")


def changes(first: int, seeds: int) -> None:
    print("| change | pages | read right by the recipe | noticed: model asked | wrong data served | calls for repair |")
    print("|---|--:|--:|--:|--:|--:|")
    for mutation in MUTATIONS:
        seen: Counter[str] = Counter()
        for kind in KINDS:
            for seed in range(first + 100, first + 100 + seeds):
                seen.update(one_change(kind, seed, mutation))
        tried = seen["recipe"] + seen["noticed"] + seen["wrong"]
        print(f"| {mutation} | {tried} | {seen['recipe']} | {seen['noticed']} | {seen['wrong']} | {seen['repair']} |")


def one_change(kind: PageKind, seed: int, mutation: Mutation) -> Counter[str]:
    """Learn from a page, change the layout, and look at what its next page gets."""
    layout = make_layout(seed, kind)
    with site() as asked:
        asked.ask(render_page(layout, 20))
        page = render_page(mutate_layout(layout, mutation, seed), 20, data=1)
        found, calls, _ = asked.ask(page)
        if found is None or found.tier == "none":
            return Counter()
        if found.tier == "recipe":
            return Counter(["recipe" if is_right(found, page) else "wrong"])
        return Counter({"noticed": 1, "repair": calls})


def replay_time(first: int) -> None:
    print("| kind | records | bytes of HTML | CPU ms of a replay |\n|---|--:|--:|--:|")
    for kind in LIST_KINDS:
        layout = make_layout(first + 200, kind)
        page, after = render_page(layout, 30), render_page(layout, 1000, data=1)
        recipe = learn(page.html, page.url, page.schema, page.truth)
        if recipe is None:
            continue
        times: list[float] = []
        for _ in range(7):
            start = time.process_time()
            replay(recipe, after.html, after.url, after.schema)
            times.append(time.process_time() - start)
        print(f"| {kind} | 1,000 | {len(after.html):,} | {min(times) * 1000:.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=5000, help="first seed of the layouts")
    parser.add_argument("--seeds", type=int, default=3, help="layouts for each kind and change")
    parser.add_argument("--pages", type=int, default=50, help="pages of one layout")
    parser.add_argument("--sizes", default="1000,10000", help="records of the long pages")
    parser.add_argument("--parts", default="long,pages,changes,replay")
    chosen = parser.parse_args()
    parts = chosen.parts.split(",")
    if "long" in parts:
        long_pages(chosen.first, tuple(int(size) for size in chosen.sizes.split(",")))
    if "pages" in parts:
        many_pages(chosen.first, chosen.pages)
    if "changes" in parts:
        changes(chosen.first, chosen.seeds)
    if "replay" in parts:
        replay_time(chosen.first)


if __name__ == "__main__":
    main()
