"""What a layout costs: long pages, many pages of one layout, layouts that change, the time of a replay, many writers.

Everything goes through the library, with a scripted model that answers from the truth and counts what it is asked.
Run: ``python benchmarks/recipes.py --first 5000 --seeds 3`` (``--parts`` for some of it: long, pages, lists, site,
changes, replay, writers). ``--first`` takes layouts that nobody has looked at; without it the seed is new each time.
"""

import argparse
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from generated_pages import (
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
from generated_pages.nests import NESTED
from gleaner import Gleaner
from gleaner.adapters.local.sqlite import SqliteTable
from gleaner.cli.demo import PRODUCTS, scripted_shopkeeper
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonValue, ModelRequest
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.page.opening import open_page
from gleaner.service.gc_tuning import seldom_collected
from gleaner.testing import ScriptedModel, ScriptedModelServer, TrueRecord
from gleaner.testing.scripted import ScriptedReply, page_text, records_in
from gleaner.testing.site import Site as Shop
from gleaner.wrappers import Example, Recipe, learn_from, replay, same_data
from gleaner.wrappers.opening import tree_of
from gleaner.wrappers.replaying import replay_on
from gleaner.wrappers.trees import PageTree

SHOP = Path(__file__).parent.parent / "tests/fixtures/site"
MOST_LEARNED_FROM = 5
"""Pages of a layout until it counts as one without a recipe, and after a change as one that is not repaired."""


class ModelOfPages(ScriptedModel):
    """Answers of each page from that page's own records: pages have texts in common."""

    def __init__(self, pages: Sequence[GeneratedPage]) -> None:
        super().__init__([])
        self._truths = [[truth_of(record, page) for record in page.records] for page in pages]

    def reply(self, request: ModelRequest) -> ScriptedReply:
        self.requests.append(request)
        asked = page_text(request.prompt)
        return ScriptedModel(max(self._truths, key=lambda truth: len(records_in(asked, truth)))).reply(request)


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


def many_pages(first: int, seeds: int, count: int) -> None:
    print("| kind | layouts | pages each | calls for each layout | calls, mean | worst F1 | wrong data served |")
    print("|---|--:|--:|---|--:|--:|--:|")
    for kind in KINDS:
        calls: list[int] = []
        worst, wrong = 1.0, 0
        for seed in range(first + 50, first + 50 + seeds):
            with site() as asked:
                layout = make_layout(seed, kind)
                paid = 0
                for data in range(count):
                    page = render_page(layout, 20, data=data)
                    found, asked_now, _ = asked.ask(page)
                    paid += asked_now
                    worst = min(worst, record_f1(found, page))
                    wrong += found is not None and found.tier == "recipe" and not is_right(found, page)
                calls.append(paid)
        listed = " ".join(map(str, calls))
        print(
            f"| {kind} | {seeds} | {count} | {listed} | {sum(calls) / seeds:.1f} | {worst:.4f} | {wrong} |", flush=True
        )


def lists_of_objects(first: int, count: int) -> None:
    """Read pages whose records hold lists of objects, some of them empty, in layouts written by hand."""
    print(
        "| records with lists | pages | calls | pages by recipe | of a model, wrong or partial | wrong data by recipe |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for name, layout in NESTED.items():
        seen: Counter[str] = Counter()
        with site() as asked:
            for number in range(first, first + count):
                page = layout.page(number)
                names = next(iter(page.records[0]))
                asked.model.truth = [TrueRecord(record, (str(record[names]),)) for record in page.records]
                asked.model.wrap = (
                    None if isinstance(page.truth, list) else lambda records: records[0] if records else None
                )
                config = {"tiers": ["recipe", "model"]}
                found = asked.gleaner.extract_html(
                    page.html, page.url, output_schema=page.schema, config=config
                ).extraction
                if found is None:
                    continue
                seen[found.tier] += 1
                if found.is_partial or not same_data(found.data, page.truth):
                    seen[f"{found.tier}, wrong"] += 1
            calls = len(asked.model.requests)
        wrong = f"{seen['model, wrong']} | {seen['recipe, wrong']}"
        print(f"| {name} | {count} | {calls} | {seen['recipe']} | {wrong} |", flush=True)


def fixture_site(pages: int) -> None:
    """Read the listing of the test shop page by page, drawn by its JavaScript in a real browser."""
    print("| page of the test shop | tier | calls | record F1 |\n|---|---|--:|--:|")
    with Shop(SHOP) as shop, tempfile.TemporaryDirectory() as home:
        model = scripted_shopkeeper(shop)
        with Gleaner(model=model, home=home, allow_hosts=[shop.host]) as gleaner:
            for number in range(1, pages + 1):
                before = len(model.requests)
                config = {"tiers": ["recipe", "model"]}
                url = f"{shop.url}/products?page={number}"
                found = gleaner.scrape(url, output_schema=PRODUCTS, config=config).extraction
                calls = len(model.requests) - before
                given = found.data["products"] if found and isinstance(found.data, dict) else []
                wanted = [(one["name"], float(one["price"])) for one in shop.listing(number)["items"]]
                right = len({(one["name"], one["price"]) for one in given} & set(wanted))
                score = 2 * right / (len(given) + len(wanted))
                print(f"| {number} | {found.tier if found else '-'} | {calls} | {score:.4f} |", flush=True)


def changes(first: int, seeds: int) -> None:
    print("| change | layouts with a recipe | next page by recipe, right | model asked | wrong data served |", end="")
    print(
        " calls to be back at the recipe, mean | most | layouts without a recipe |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    )
    for mutation in MUTATIONS:
        seen: Counter[str] = Counter()
        repairs: list[int] = []
        for kind in KINDS:
            for seed in range(first + 100, first + 100 + seeds):
                outcome, repair = one_change(kind, seed, mutation)
                seen[outcome] += 1
                repairs += [repair] if outcome == "noticed" else []
        tried = seen["recipe"] + seen["noticed"] + seen["wrong"]
        mean = f"{sum(repairs) / len(repairs):.1f} | {max(repairs)}" if repairs else "- | -"
        counts = f"{tried} | {seen['recipe']} | {seen['noticed']} | {seen['wrong']}"
        print(f"| {mutation} | {counts} | {mean} | {seen['none']} |", flush=True)


def one_change(kind: PageKind, seed: int, mutation: Mutation) -> tuple[str, int]:
    """Learn a layout, change it, and look at what its next pages get: of the first, and the calls until it is known.

    "recipe" (and right), "wrong", "noticed" (the model was asked), or "none" when nothing was learned to begin with.
    """
    layout = make_layout(seed, kind)
    with site() as asked:
        if not any(tier_of(asked, render_page(layout, 20, data=data)) == "recipe" for data in range(MOST_LEARNED_FROM)):
            return "none", 0
        changed = mutate_layout(layout, mutation, seed)
        paid = 0
        for data in range(MOST_LEARNED_FROM, 2 * MOST_LEARNED_FROM):
            page = render_page(changed, 20, data=data)
            found, calls, _ = asked.ask(page)
            if found is not None and found.tier == "recipe":
                if not is_right(found, page):
                    return "wrong", paid
                return ("noticed" if paid else "recipe"), paid
            paid += calls
        return "noticed", paid


def tier_of(asked: Site, page: GeneratedPage) -> str:
    found, _, _ = asked.ask(page)
    return found.tier if found is not None else "none"


def replay_time(first: int) -> None:
    """Time the replay of 1,000 records, and in turns with it a loop that tells how fast the machine is just then.

    The replay is all between an open page and its records: selecting, reading, the guard. Parsing the HTML and opening
    the tree (hidden parts, icons, line breaks) are timed apart; the proof of what is read, validating all of it, and
    storing it are not in here at all. By a recipe of one page, or of two where the page to
    read leaves that in doubt. Garbage is collected as it is while a function works.
    """
    print(
        "| kind | learned from | records | bytes of HTML | CPU ms to open the page | CPU ms of the replay "
        "| CPU ms of 1,000,000 additions |\n|---|--:|--:|--:|--:|--:|--:|"
    )
    for kind in LIST_KINDS:
        layout = make_layout(first + 200, kind)
        page, after, other = render_page(layout, 30), render_page(layout, 1000, data=1), render_page(layout, 30, data=2)
        for known in ([], [Example(open_page(other.html, other.url), other.truth)]):
            example = Example(open_page(page.html, page.url), page.truth)
            recipe = learn_from([*known, example], page.schema).recipe
            if recipe is None or not (
                (is_sure := replay(recipe, open_page(after.html, after.url), after.schema).holds) or known
            ):
                continue
            with seldom_collected:
                turns = [(*opened_and_replayed(recipe, after), cpu_ms(add_a_million)) for _ in range(9)]
            opening, replaying, loop = map(min, zip(*turns, strict=True))
            pages = f"{1 + len(known)} page{'s' * bool(known)}{'' if is_sure else ', in doubt'}"
            print(f"| {kind} | {pages} | 1,000 | {len(after.html):,} | {opening:.0f} | {replaying:.0f} | {loop:.0f} |")
            break


def opened_and_replayed(recipe: Recipe, page: GeneratedPage) -> tuple[float, float]:
    """Give the milliseconds of processor time that opening a page takes, and its replay."""
    opened: list[PageTree] = []
    opening = cpu_ms(lambda: opened.append(tree_of(open_page(page.html, page.url), form=recipe.form)))
    return opening, cpu_ms(lambda: replay_on(recipe, opened[0], page.schema))


def cpu_ms(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def add_a_million() -> None:
    total = 0
    for number in range(1_000_000):
        total += number


def truth_of(record: Record, page: GeneratedPage) -> TrueRecord:
    """Give a record that is known by all its texts: pages have some of them in common."""
    said = [value for value in record.values() if isinstance(value, str) and value in page.html]
    return TrueRecord({**record}, tuple(said))


def at_once(first: int, count: int, threads: int) -> None:
    """Ask for many pages of each layout at the same time, of a model that takes two seconds to answer."""
    print("| kind | pages | at a time | calls | tokens in | worst F1 | complete | seconds |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for kind in LIST_KINDS:
        pages = [render_page(make_layout(first + 300, kind), 20, data=data) for data in range(count)]
        model = ModelOfPages(pages)
        with (
            tempfile.TemporaryDirectory() as home,
            ScriptedModelServer(model, latency_s=2.0) as server,
            Gleaner("openai:scripted", home, openai_base_url=server.openai_base_url) as gleaner,
            ThreadPoolExecutor(threads) as pool,
        ):
            start = time.perf_counter()

            def ask(page: GeneratedPage, gleaner: Gleaner = gleaner) -> ExtractionResult | None:
                config = {"tiers": ["recipe", "model"]}
                return gleaner.extract_html(page.html, page.url, output_schema=page.schema, config=config).extraction

            found = list(pool.map(ask, pages))
            taken = time.perf_counter() - start
        worst = min(record_f1(one, page) for one, page in zip(found, pages, strict=True))
        complete = sum(one is not None and not one.is_partial for one in found)
        tokens = sum(one.usage.input_tokens for one in found if one is not None)
        calls = len(model.requests)
        print(f"| {kind} | {count} | {threads} | {calls} | {tokens:,} | {worst:.4f} | {complete} | {taken:.1f} |")


def writers(count: int) -> None:
    """Let many writers add overlapping pages to one aggregate at once, each page twice."""
    print("| writers | records of each | unique records, expected | kept | lost | twice | seconds |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as home:
        table = SqliteTable(Path(home) / "gleaner.db")

        def add(number: int) -> None:
            records: list[JsonValue] = [{"n": n} for n in range(number, number + 10)]
            page = ExtractionResult(data=records, source_url=f"https://a.example/{number}")
            for _ in range(2):
                ExtractionAggregator(table, "ex").add(page)
            table.close()

        threads = [threading.Thread(target=add, args=(number,)) for number in range(count)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        taken = time.perf_counter() - start
        kept = [str(record) for record in ExtractionAggregator(table, "ex").all_records()]
        unique = count + 9
        lost, twice = unique - len(set(kept)), len(kept) - len(set(kept))
        print(f"| {count} | 10 | {unique} | {len(kept)} | {lost} | {twice} | {taken:.1f} |")
        table.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=None, help="first seed of the layouts; default: a new one")
    parser.add_argument("--seeds", type=int, default=3, help="layouts for each kind, and for each kind and change")
    parser.add_argument("--pages", type=int, default=50, help="pages of one layout")
    parser.add_argument("--sizes", default="1000,10000", help="records of the long pages")
    parser.add_argument("--parts", default="long,pages,at_once,lists,site,changes,replay,writers")
    chosen = parser.parse_args()
    first = random.randrange(10**6, 10**9) if chosen.first is None else chosen.first
    sizes = tuple(int(size) for size in chosen.sizes.split(","))
    parts: dict[str, Callable[[], None]] = {
        "long": lambda: long_pages(first, sizes),
        "pages": lambda: many_pages(first, chosen.seeds, chosen.pages),
        "at_once": lambda: at_once(first, 24, 8),
        "lists": lambda: lists_of_objects(first, chosen.pages),
        "site": lambda: fixture_site(4),
        "changes": lambda: changes(first, chosen.seeds),
        "replay": lambda: replay_time(first),
        "writers": lambda: writers(100),
    }
    print(f"layouts from seed {first} on")
    for name in chosen.parts.split(","):
        print(f"\n{name}\n")
        parts[name]()


if __name__ == "__main__":
    main()
