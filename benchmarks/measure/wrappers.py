"""Wrappers: recipes learned from proven pages, on the same page, on changed pages, and on layouts made here."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from foreign_layouts import Site, site
from gleaner.page.opening import open_page
from gleaner.wrappers import Recipe, learn, replay
from layouts import CHANGES, Design
from layouts.split import Part, designs_of

from measure.cases import Case, attempt, read_cases, records_of, with_records
from measure.matching import same_value
from measure.rows import Context, Row, processor_time, share
from measure.surgery import CHANGES_OF_LISTS, changed_pages, reworded_pages

PAGES = 5
"""Pages of a layout that are asked for one after another."""


def measure(context: Context) -> Sequence[Row]:
    """Give the rows of wrappers: on real lists, and on the layouts to develop on and to check with."""
    return [*_real_lists(context), *_layouts(context)]


def _real_lists(context: Context) -> Iterator[Row]:
    """Learn from each real list whose records are known, and replay on it and on changed copies of it."""
    seen: Counter[str] = Counter()
    seconds = [0.0]
    for folders, quick in ((("answered_lists",), 1), (("records", "tables"), 6)):
        for case in read_cases(context, *folders, quick=quick):
            if records_of(case.expected) is None:
                context.note(case.name, "its truth holds no list of records")
                continue
            found = attempt(context, case.name, lambda case=case: _replayed(context, case))
            if found is not None:
                seen.update(found[0])
                seen.update({f"{folders[-1]} pages": 1, f"{folders[-1]} same": found[0]["same"]})
                seconds.append(found[1])
    note = "" if seen["pages"] else "the corpus is not there"
    changed = seen["changed"]
    yield Row(
        "wrappers.same_page",
        "real lists: the recipe answers the page it was learned from",
        share(seen["same"], seen["pages"]),
        "%",
        "higher",
        1.0,
        f"{seen['answered_lists same']} of {seen['answered_lists pages']} lists, "
        f"{seen['tables same']} of {seen['tables pages']} tables",
        note=note,
    )
    yield Row(
        "wrappers.fields",
        "fields of real lists that the recipes read",
        share(seen["fields"], seen["wanted"]),
        "%",
        "higher",
        1.0,
        f"{seen['fields']} of {seen['wanted']} fields",
        note=note,
    )
    yield Row(
        "wrappers.changed_page",
        "real lists after a change: answered right without a call",
        share(seen["changed right"], changed),
        "%",
        "higher",
        1.0,
        ", ".join(f"{seen[f'{name} right']} of {seen[f'{name} all']} {name}" for name in CHANGES_OF_LISTS),
        note=note,
    )
    yield Row(
        "wrappers.changed_in_part",
        "real lists after a change: right without a call, or with one for single fields",
        share(seen["changed right"] + seen["changed in part"], changed),
        "%",
        "higher",
        1.0,
        f"{seen['changed right'] + seen['changed in part']} of {changed} changed pages",
        note=note,
    )
    yield Row(
        "wrappers.wrong",
        "real lists: replays that hold and are wrong",
        float(seen["wrong"]) if seen["pages"] else None,
        "count",
        "lower",
        0,
        f"{seen['pages'] + changed} pages",
        note=note or "before the answer is certified",
    )
    yield Row(
        "wrappers.old_value",
        "real lists after one text of a record was reworded: replays that give the old value",
        float(seen["old value"]) if seen["reworded"] else None,
        "count",
        "lower",
        0,
        f"{seen['reworded']} reworded pages, {seen['new value']} with the new value",
        note=note,
    )
    yield Row(
        "wrappers.learning",
        "processor time of learning from a real list, the slowest",
        max(seconds) if seen["pages"] else None,
        "s",
        "lower",
        2.0,
        f"{sum(seconds):.1f} s for {seen['pages']} lists",
        note=note,
    )


def _replayed(context: Context, case: Case) -> tuple[Counter[str], float]:
    """Learn from a case, and count what comes of it; without a recipe no changed page is answered."""
    seen: Counter[str] = Counter(pages=1)
    with processor_time() as spent:
        recipe = learn(open_page(case.html, case.url), case.schema, case.expected)
    records = records_of(case.expected) or []
    names = {name for record in records for name, value in record.items() if value is not None}
    seen["wanted"] += len(names)

    def outcome(html: str, truth: Any) -> tuple[str, Any]:
        replayed = replay(recipe, open_page(html, case.url), case.schema) if recipe is not None else None
        if replayed is None or replayed.doubts:
            return "silent", None
        if replayed.unread:
            left = {pointer.lstrip("^/").split("/")[0] for pointer in replayed.unread}
            is_right = same_value(_without(replayed.records, left), _without(records_of(truth) or [], left))
            return "in part" if is_right else "wrong", replayed.data
        return "right" if same_value(replayed.data, truth) else "wrong", replayed.data

    same, data = outcome(case.html, case.expected)
    seen.update(same=same == "right", wrong=same == "wrong", fields=len(names & columns_read(data, records)))
    try:
        changes = [*changed_pages(case.html, records, f"{context.seed}/{case.name}")]
        if recipe is not None:
            seen.update(_reworded(context, case, recipe, records))
    except ValueError as error:
        context.note(case.name, f"not changed: {error}")
        return seen, spent[0]
    for name, changed in changes:
        found, _ = outcome(changed.html, with_records(case.expected, changed.records))
        right = found == "right"
        seen.update({"changed": 1, "changed right": right, "wrong": found == "wrong"})
        seen.update({"changed in part": found == "in part"})
        seen.update({f"{name} all": 1, f"{name} right": right})
        if found == "wrong":
            context.note(case.name, f"{name}: the recipe holds and reads it wrong")
    return seen, spent[0]


def _reworded(context: Context, case: Case, recipe: Recipe, records: Sequence[dict[str, Any]]) -> Counter[str]:
    """Replay copies of the page in which one text of one record says something else than it did."""
    seen: Counter[str] = Counter()
    for row, name, html in reworded_pages(case.html, records, f"{context.seed}/{case.name}"):
        seen["reworded"] += 1
        replayed = replay(recipe, open_page(html, case.url), case.schema)
        is_read = not replayed.doubts and f"/{name}" not in replayed.unread and row < len(replayed.records)
        found = replayed.records[row] if is_read else None
        if isinstance(found, dict):
            is_old = same_value(found.get(name), records[row][name])
            seen["old value" if is_old else "new value"] += 1
            if is_old:
                context.note(case.name, f"{name} of record {row + 1} was reworded: the recipe gives the old value")
    return seen


def _without(records: Any, names: set[str]) -> list[Any]:
    """Give records without some of their fields."""
    return [
        {name: value for name, value in one.items() if name not in names} if isinstance(one, dict) else one
        for one in records
    ]


def columns_read(data: Any, records: Sequence[dict[str, Any]]) -> set[str]:
    """Give the fields that an answer has right in every record; none when it has another number of records."""
    given = records_of(data) or []
    if len(given) != len(records):
        return set()
    names = {name for record in records for name in record}
    return {
        name
        for name in names
        if all(same_value(one.get(name), other.get(name)) for one, other in zip(given, records, strict=True))
    }


def _layouts(context: Context) -> Iterator[Row]:
    """Ask for pages of layouts one after another, then for a page of each after a change of the layout."""
    parts: tuple[Part, Part] = ("develop", "check")
    found = {part: _of_part(context, part) for part in parts}
    develop, check = (found[part] for part in parts)

    def of(seen: Counter[str], text: str) -> str:
        return text.format(**{name.replace(" ", "_"): seen[name] for name in _COUNTED})

    yield Row(
        "wrappers.calls",
        f"layouts: calls of the model for {PAGES} pages of one layout",
        _mean(develop),
        "ratio",
        "lower",
        0.1,
        of(develop, "{calls} calls, {layouts} layouts sampled"),
        _mean(check),
        of(check, "{calls} calls, {layouts} layouts sampled"),
    )
    counted = "{changed_right} of {changed} changed pages"
    yield Row(
        "wrappers.changed_layout",
        "layouts: pages after a change that the recipe answers right, without a call",
        share(develop["changed right"], develop["changed"]),
        "%",
        "higher",
        2.0,
        of(develop, counted),
        share(check["changed right"], check["changed"]),
        of(check, counted),
    )
    yield Row(
        "wrappers.layouts_wrong",
        "layouts: wrong data served by a recipe",
        float(develop["wrong"]),
        "count",
        "lower",
        0,
        of(develop, "{pages} pages"),
        float(check["wrong"]),
        of(check, "{pages} pages"),
    )


_COUNTED = ("calls", "layouts", "pages", "changed", "changed right")


def _mean(seen: Counter[str]) -> float | None:
    return seen["calls"] / seen["layouts"] if seen["layouts"] else None


def _of_part(context: Context, part: Part) -> Counter[str]:
    """Measure some layouts of a part, drawn by the seed."""
    designs = designs_of(part, is_measurement=True)
    count = (1 if context.quick else 8) if part == "check" else (1 if context.quick else 12)
    seen: Counter[str] = Counter()
    for design in Random(f"{context.seed}/{part}").sample(designs, count):
        found = attempt(context, design.name, lambda design=design: _of_design(context, design))
        seen.update(found or {})
    return seen


def _of_design(context: Context, design: Design) -> Counter[str]:
    seen: Counter[str] = Counter(layouts=1)
    with site(design) as asked:
        answers = [asked.page(context.seed, number) for number in range(PAGES)]
        for name in Random(f"{context.seed}/{design.name}").sample([*CHANGES], 2 if context.quick else 5):
            _change(context, asked, name, seen)
    seen["pages"] += len(answers)
    seen["calls"] += sum(one.calls for one in answers)
    seen["wrong"] += sum(one.is_wrong for one in answers)
    return seen


def _change(context: Context, known: Site, name: str, seen: Counter[str]) -> None:
    """Ask a copy of an installation for the next page of the layout that it knows, after a change."""
    design = known.design
    with tempfile.TemporaryDirectory() as home:
        shutil.copytree(known.home, home, dirs_exist_ok=True)
        asked = Site(home, design)
        try:
            luck = Random(f"{name}/{design.name}/{context.seed}")
            html, records = CHANGES[name](design, design.records(context.seed, PAGES), luck)
            answer = asked.ask(html, records, PAGES)
        finally:
            asked.gleaner.close()
    seen.update(pages=1, changed=1, wrong=answer.is_wrong)
    seen["changed right"] += answer.by_recipe and answer.is_right
    if answer.is_wrong:
        context.note(design.name, f"{name}: wrong data served by a recipe")
