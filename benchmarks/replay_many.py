"""Many pages of known layouts by recipes alone, after certification: what is served wrong or in doubt must be nothing.

A layout, or with ``--real`` a real list of the corpus, is asked for once, as a user would; then its next pages and its
changed pages are asked for in copies of that installation, without a model::

    PYTHONPATH=benchmarks python benchmarks/replay_many.py [--tries 400] [--seed 1] [--only NAME] [--real]
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from layouts import CHANGES
from layouts.split import designs_of
from measure.answering import Reader
from measure.asking import PAID_TIERS, Asked, Installation, installation
from measure.cases import Case, layout_case
from measure.comparing import is_right, with_records, without_fields
from measure.replays import changed_layout, real_lists, without_nulls
from measure.rows import Context, find_corpus
from measure.surgery import changed_pages

NEXT_PAGES = 2

Pages = tuple[Case, list[tuple[str, Case]]]
"""A page that is asked for first, and the others of its layout, each with what became of the layout."""


def of_layouts(seed: int) -> Iterator[Pages]:
    """Give the layouts in an order that the seed draws, each with its next and its changed pages."""
    found = designs_of("develop")
    for design in Random(seed).sample(found, len(found)):
        others = [("next", layout_case(design, "develop", seed, number)) for number in range(1, NEXT_PAGES + 1)]
        changed = ((name, changed_layout(design, "develop", seed, name)) for name in CHANGES)
        yield (
            layout_case(design, "develop", seed),
            [*others, *((name, one) for name, one in changed if one.wanted is not None)],
        )


def of_real_lists(seed: int) -> Iterator[Pages]:
    """Give the real lists with their further pages, and copies of them with other records or markup."""
    for case in real_lists(Context(find_corpus(), seed=seed)):
        others = [("next", other) for other in case.others if other.is_whole]
        try:
            changed = [*changed_pages(case.html, without_nulls(case), f"{seed}/{case.name}")]
        except ValueError:  # the elements of its records are not told from others
            changed = []
        for name, page in changed:
            wanted = with_records(case.wanted, page.records, case.steps)
            others.append((name, replace(case, html=page.html, wanted=wanted)))
        yield case, others


def replayed(known: Installation, case: Case) -> Asked:
    """Ask for a page by the recipe alone; nothing is remembered of it."""
    with known.copied() as copy:
        return copy.ask(case, tiers=["recipe"])


def is_wrong(case: Case, result: Asked) -> bool:
    """Tell whether data is served that is not the page's, but for fields that are named as not read."""
    unread = {name.rsplit(".", 1)[-1] for name in result.found.completeness.unread}
    return not result.doubted() and not is_right(
        without_fields(case.wanted, unread), without_fields(result.data, unread)
    )


def main() -> int:
    """Print what came of the replays; 1 when one was wrong."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tries", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--real", action="store_true", help="the real lists of the corpus, not the layouts")
    asked = arguments.parse_args()
    seen: Counter[str] = Counter()
    for case, others in (of_real_lists if asked.real else of_layouts)(asked.seed):
        if (asked.only and case.name != asked.only) or seen["tries"] >= asked.tries:
            continue
        with installation() as known:
            known.ask(case, Reader(case), PAID_TIERS)
            for name, page in others:
                result = replayed(known, page)
                is_served = result.found.tier == "recipe"
                wrong = is_served and is_wrong(page, result)
                seen.update(tries=1, served=is_served, wrong=wrong, doubted=len(result.doubted()) if is_served else 0)
                if wrong or (is_served and result.doubted()):
                    doubts = sorted(result.doubted())[:3]
                    print(f"{case.name}, {name}: {'WRONG' if wrong else 'in doubt'} {doubts}", flush=True)
    came = f"{seen['wrong']} wrong, {seen['doubted']} doubted values"
    print(f"{seen['tries']} tries, {seen['served']} served by a recipe: {came}")
    return min(1, seen["wrong"])


if __name__ == "__main__":
    raise SystemExit(main())
