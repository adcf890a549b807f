"""Recipes on pages that change: copies of real lists with other records or markup, and layouts made here.

A recipe is learned as a user's is, by asking for a page; each changed page is asked for in a copy of that installation,
without a model. What a recipe serves as complete must be right.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from zlib import crc32

from layouts import CHANGES, Design, strip_marks, truth_of
from layouts.split import Part, designs_of

from measure.answering import Reader
from measure.asking import PAID_TIERS, Asked, Installation, installation
from measure.cases import Case, attempt, layout_case, read_cases
from measure.comparing import compare, is_right, with_records
from measure.counting import Tally, Value, count, ratio, share
from measure.rows import Context, Row
from measure.surgery import CHANGES_OF_LISTS, changed_pages, reworded_pages

PAGES = 5
"""Pages of a layout that are asked for one after another."""

REWORDED = 4
"""Copies of a list with one text of one record reworded."""

REAL = ("courts", "answered_lists", "tables")
EVERY = {"tables": 2}
"""One list of so many: the tables are many, and much alike."""

LAYOUTS: dict[Part, int] = {"develop": 12, "check": 8}
CHANGES_OF_A_LAYOUT = 5


def real_lists(context: Context) -> Iterator[Case]:
    """Give the real lists that are replayed after changes; in a quick run few."""
    found = (case for case in read_cases(context, *REAL) if case.is_list and case.is_whole and len(case.records) > 2)
    chosen = (case for case in found if context.quick or crc32(case.name.encode()) % EVERY.get(case.corpus, 1) == 0)
    for number, case in enumerate(chosen):
        if not context.quick or number % 4 == 0:
            yield case


def count_replays(case: Case, seed: object, *, quick: bool = False) -> Tally:
    """Give the counts of a real list: its changed copies, answered by the recipe that was learned from it.

    ValueError when the elements of the records are not found, so that nothing can be changed.
    """
    records = without_nulls(case)
    changes = [*changed_pages(case.html, records, f"{seed}/{case.name}")]
    reworded = [*reworded_pages(case.html, records, f"{seed}/{case.name}", 1 if quick else REWORDED)]
    tally: Tally = Counter(lists=1)
    with installation() as known:
        known.ask(case, Reader(case), PAID_TIERS)
        for name, changed in changes[:: 3 if quick else 1]:
            shown = replace(case, html=changed.html, wanted=with_records(case.wanted, changed.records, case.steps))
            tally += _changed(known, shown, name)
        for row, name, html in reworded:
            tally += _reworded(known, replace(case, html=html), row, name)
    return tally


def without_nulls(case: Case) -> list[dict[str, object]]:
    """Give the true records as changes of a page look for them."""
    return [{name: value for name, value in record.items() if value is not None} for record in case.records]


def _by_recipe(known: Installation, case: Case) -> Asked:
    with known.copied() as copy:
        return copy.ask(case, tiers=["recipe"])


def _changed(known: Installation, case: Case, name: str) -> Tally:
    result = _by_recipe(known, case)
    right = result.is_complete and is_right(case.wanted, result.data)
    wrong = result.is_wrong(case.wanted)
    return Counter({"changed": 1, "changed_right": right, f"{name} all": 1, f"{name} right": right, "wrong": wrong})


def _reworded(known: Installation, case: Case, row: int, name: str) -> Tally:
    """Count a page in which one text of one record says something else than it did: the old value must not come."""
    result = _by_recipe(known, case)
    old = [there for own, there in compare(case.wanted, result.data).kept.items() if own == case.pointer(row, name)]
    return Counter(reworded=1, old_value=any(not result.is_told(there) for there in old))


def count_layout(design: Design, part: Part, seed: int, *, quick: bool = False) -> Tally:
    """Give the counts of a layout: calls for pages asked for one after another, then pages after a change of it."""
    tally: Tally = Counter(layouts=1)
    with installation() as known:
        for number in range(PAGES):
            case = layout_case(design, part, seed, number)
            result = known.ask(case, Reader(case), PAID_TIERS)
            tally.update(pages=1, calls=len(result.prompts), wrong_pages=is_served_wrong(case, result))
        names = Random(f"{seed}/{design.name}").sample([*CHANGES], 2 if quick else CHANGES_OF_A_LAYOUT)
        for name in names:
            case = changed_layout(design, part, seed, name)
            if case.wanted is None:
                continue  # the change took away the one thing that the page is about
            with known.copied() as copy:
                result = copy.ask(case, Reader(case), PAID_TIERS)
            right = not result.prompts and is_right(case.wanted, result.data)
            tally.update(pages=1, shifted=1, shifted_right=right, wrong_pages=is_served_wrong(case, result))
    return tally


def changed_layout(design: Design, part: Part, seed: int, name: str) -> Case:
    """Give the next page of a layout after a change of it."""
    records = design.records(seed, PAGES)
    html, shown = CHANGES[name](design, records, Random(f"{name}/{design.name}/{seed}"))
    truths = [truth_of(design, one) for one in shown]
    case = layout_case(design, part, seed, PAGES)
    return replace(case, html=strip_marks(html), wanted=truths if design.is_list else truths[0] if truths else None)


def is_served_wrong(case: Case, result: Asked) -> bool:
    """Tell whether a recipe has given data that is not the page's, alone or some fields of it, and nothing says so."""
    by_recipe = {name for name, tier in result.found.field_tiers.items() if tier == "recipe"}
    if result.found.tier != "recipe" and not by_recipe:
        return False
    fate = compare(case.wanted, result.data)
    if result.found.tier == "recipe":
        return result.is_wrong(case.wanted)
    wrong = [there for there in fate.wrong if by_recipe & set(there.split("/")) and not result.is_told(there)]
    return result.is_complete and bool(wrong)


def designs(context: Context) -> Iterator[tuple[Design, Part]]:
    """Give the layouts that are measured, drawn by the seed."""
    for part, most in LAYOUTS.items():
        if part == "develop" or not context.develops:
            found = designs_of(part, is_measurement=part == "check")
            for design in Random(f"{context.seed}/{part}").sample(found, 2 if context.quick else most):
                yield design, part


def measure(context: Context) -> Sequence[Row]:
    """Give the rows: real lists after changes, and layouts."""
    lists: Tally = Counter()
    for case in real_lists(context):
        found = attempt(
            context,
            f"{case.corpus}/{case.name}",
            lambda case=case: count_replays(case, context.seed, quick=context.quick),
        )
        lists += found or Counter()
    parts: dict[Part, Tally] = {"develop": Counter(), "check": Counter()}
    for design, part in designs(context):
        found = attempt(
            context, design.name, lambda one=(design, part): count_layout(*one, context.seed, quick=context.quick)
        )
        parts[part] += found or Counter()
    return [*_rows_of_lists(lists), *_rows_of_layouts(parts["develop"], parts["check"])]


def of_changes(tally: Tally) -> Value:
    """Give the share of changed copies that a recipe answers right, with what came of each change."""
    value, _ = share("changed_right", "changed")(tally)
    return value, ", ".join(f"{tally[f'{name} right']} of {tally[f'{name} all']} {name}" for name in CHANGES_OF_LISTS)


def _rows_of_lists(tally: Tally) -> Iterator[Row]:
    note = "" if tally["lists"] else "the corpus is not there"
    title = "real lists after a change: answered right without a call"
    value, of = of_changes(tally)
    yield Row("replays.changed_page", title, value, "%", "higher", 1.0, of if value is not None else "", note=note)
    value, of = count("wrong", "changed", called="changed pages")(tally)
    yield Row(
        "replays.wrong",
        "real lists after a change: recipes that answer wrong",
        value,
        "count",
        "lower",
        0,
        of,
        note=note,
    )
    title = "real lists after one text was reworded: recipes that give the old value"
    value, of = count("old_value", "reworded", called="reworded pages")(tally)
    yield Row("replays.old_value", title, value, "count", "lower", 0, of, note=note)


def _rows_of_layouts(develop: Tally, check: Tally) -> Iterator[Row]:
    calls, right = ratio("calls", "layouts", called="layouts"), share("shifted_right", "shifted", called="pages")
    wrong = count("wrong_pages", "pages")
    for name, title, unit, better, tolerance, of in (
        ("calls", f"layouts: calls of the model for {PAGES} pages of one layout", "ratio", "lower", 0.1, calls),
        ("changed_layout", "layouts: pages after a change answered right without a call", "%", "higher", 2.0, right),
        ("layouts_wrong", "layouts: wrong data served by a recipe", "count", "lower", 0, wrong),
    ):
        (value, told), (held, held_of) = of(develop), of(check)
        yield Row(f"replays.{name}", title, value, unit, better, tolerance, told, held, held_of)
