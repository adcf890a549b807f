"""Measure the detector of repeated units on generated pages: is the best group the records, and all of them?

Prints a Markdown table, one row a kind of page. ``--misses`` lists the pages that went wrong.
"""

import argparse
import time
from collections.abc import Iterator

from generated_pages import KINDS, GeneratedPage, PageKind, generate_page
from gleaner.page.model import Nodes
from gleaner.page.opening import open_page
from gleaner.units import UnitGroup, find_unit_groups, primary_groups


def unit_texts(group: UnitGroup, nodes: Nodes) -> list[str]:
    return [" ".join(" ".join(text for node in run for text in nodes.pieces(node)).split()) for run in group.runs]


def judge(page: GeneratedPage) -> str:
    """Give "right", or what is wrong with the groups found on the page."""
    nodes = open_page(page.html, page.url).nodes
    groups = primary_groups(find_unit_groups(nodes))
    if not page.is_list:
        return "right" if not groups else f"false group: {groups[0].kind} x{len(groups[0].runs)} {groups[0].score}"
    if not groups:
        return "no group"
    texts = unit_texts(groups[0], nodes)
    if len(texts) != len(page.records):
        return f"{groups[0].kind} x{len(texts)} for {len(page.records)} ({groups[0].score})"
    name = page.layout.domain.fields[0].name
    wrong = sum(str(record[name]) not in text for record, text in zip(page.records, texts, strict=True))
    if wrong:
        return f"{wrong} units are not their records"
    return "right" if len(groups) == 1 else "right, and others"


def pages_of(kind: PageKind, first: int, count: int) -> Iterator[GeneratedPage]:
    sizes = (3, 5, 8, 12, 20, 40, 60)
    for seed in range(first, first + count):
        size = sizes[seed % len(sizes)]
        yield generate_page(seed, kind, size, twins=1 if seed % 5 == 0 and size > 5 else 0, links=seed % 3 == 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--count", type=int, default=100, help="pages of each kind")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    print("| kind | pages | right | right, with others beside | wrong | ms a page |\n|---|---|---|---|---|---|")
    chosen: list[PageKind] = [kind for kind in KINDS if kind in args.kinds]
    for kind in chosen:
        start = time.perf_counter()
        verdicts = {page.layout.seed: judge(page) for page in pages_of(kind, args.first, args.count)}
        spent = (time.perf_counter() - start) * 1000 / args.count
        right = sum(verdict == "right" for verdict in verdicts.values())
        beside = sum(verdict == "right, and others" for verdict in verdicts.values())
        wrong = args.count - right - beside
        print(f"| {kind} | {args.count} | {right / args.count:.1%} | {beside} | {wrong} | {spent:.1f} |")
        if args.misses:
            for seed, verdict in verdicts.items():
                if verdict != "right":
                    print(f"  {kind} {seed}: {verdict}")


if __name__ == "__main__":
    main()
