"""Measure extraction with a model that drops, invents, repeats and corrupts records, cuts answers and fails calls.

Generated pages of many layouts go through the cleaner, the chunker and the sub-agent. Prints a Markdown table. Silent
losses: results that are not partial although a record is missing. Fabricated: values served that are not the record's
own. Rejected: true values of records that came back which are not in the result.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator

from gleaner.extraction import ExtractionConfig, ExtractionSubAgent
from gleaner.page.opening import open_page
from gleaner.testing import Faults, ScriptedModel, truth_of
from gleaner.testing.pages import GeneratedPage, PageKind, generate_page

KINDS: tuple[PageKind, ...] = ("table", "cards", "list", "definition", "forum", "flat")
UNKIND = Faults(drop=0.1, invent=0.05, corrupt=0.05, repeat=0.05, cut=0.05, fail=0.05, break_json=0.02, chatter=0.2)
SIZES = (10, 25, 60, 150)


def leaves(record: dict[str, object]) -> Iterator[tuple[str, object]]:
    return ((name, value) for name, value in record.items() if value is not None)


def judge(page: GeneratedPage, data: list[dict[str, object]], is_partial: bool) -> Counter[str]:
    """Count records and leaves of one page, by what became of them.

    A record is found when most of its fields came back, each record of the result standing for one of the page.
    """
    left = list(data)
    pairs: list[tuple[dict[str, object], dict[str, object]]] = []
    for record in page.records:
        fits = [sum(one.get(name) == value for name, value in leaves(record)) for one in left]
        best = max(range(len(left)), key=fits.__getitem__, default=None)
        if best is not None and fits[best] * 2 > sum(1 for _ in leaves(record)):
            pairs.append((left.pop(best), record))
    own = sum(served.get(name) == value for served, record in pairs for name, value in leaves(record))
    return Counter(
        pages=1,
        records=len(page.records),
        found=len(pairs),
        silent=int(not is_partial and len(pairs) < len(page.records)),
        partial=int(is_partial),
        leaves=sum(1 for _, record in pairs for _ in leaves(record)),
        own=own,
        served=sum(1 for record in data for _ in leaves(record)),
    )


def run(kind: PageKind, seed: int, size: int, chunk: int) -> Counter[str]:
    page = generate_page(seed, kind, size, ads_every=0)
    clean = open_page(page.html, page.url)
    fields = page.telling_fields(clean.text)
    model = ScriptedModel(truth_of(page.records, *fields), UNKIND, seed)
    agent = ExtractionSubAgent(model, sleep=lambda _: None)
    config = ExtractionConfig(max_chunk_chars=chunk)
    work = agent.extract(clean.text, "all records", page.schema, units=clean.units, config=config, url=page.url)
    result = asyncio.run(work)
    return judge(page, result.data, result.is_partial) + Counter(calls=result.usage.calls)


def row(name: str, counts: Counter[str]) -> str:
    recall = counts["found"] / counts["records"]
    fabricated = (counts["served"] - counts["own"]) / max(1, counts["served"])
    rejected = (counts["leaves"] - counts["own"]) / max(1, counts["leaves"])
    return (
        f"| {name} | {counts['pages']} | {counts['records']} | {counts['silent']} | {recall:.4f} | {fabricated:.2%} "
        f"| {rejected:.2%} | {counts['partial']} | {counts['calls'] / counts['pages']:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=70_000, help="first seed")
    parser.add_argument("--count", type=int, default=20, help="pages of each kind and size")
    parser.add_argument("--chunk", type=int, default=6_000, help="characters of a chunk")
    options = parser.parse_args()
    print("| kind | pages | records | silent losses | recall | fabricated | rejected | partial | calls a page |")
    print("|---|---|---|---|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for kind in KINDS:
        counts: Counter[str] = Counter()
        for size in SIZES:
            for seed in range(options.first, options.first + options.count):
                counts += run(kind, seed, size, options.chunk)
        total += counts
        print(row(kind, counts), flush=True)
    print(row("all", total))


if __name__ == "__main__":
    main()
