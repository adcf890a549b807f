"""What must stay as it is while rules go: wrong values of whole lists are told, slips harm nothing, calls are few.

On each whole court list, or on lists of the layouts where there is no corpus: values of a neighbouring record, days of
two records exchanged, a digit changed, records numbered as carelessly as models do. And pages of one layout on which
one fact is always absent: it must not be asked for on every page.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from small_pages.design import NUMBER, TEXT, WORDS, page, thing

from measure.answering import Reader
from measure.asking import PAID_TIERS, fate_of, installation
from measure.cases import Case, attempt, read_cases
from measure.comparing import Json, compare, is_nothing, with_records
from measure.counting import Tally, share
from measure.faults import FAULTS, Truth
from measure.rows import Context, Row

FEWEST = 5
"""Records of a list that is spoilt."""

SPOILT = 4
"""One record of so many is spoilt."""

PAGES = 50
"""Pages of the layout on which a fact is always absent."""

_FAULTS = {one.name: one for one in FAULTS if one.name in ("neighbours_value", "changed_digit")}
Changes = dict[tuple[int, str], Json]


def lists(context: Context) -> Iterator[Case]:
    """Give the whole lists to spoil."""
    names = ("courts",) if context.corpus else ("layouts",)
    for case in read_cases(context, *names):
        if case.is_list and case.is_whole and case.part == "develop" and len(case.records) >= FEWEST:
            yield case


def by_fault(case: Case, name: str, seed: object) -> Changes:
    """Give what a fault does to one record in four."""
    truth, random = Truth(case.records, case.record_schema, case.donors), Random(f"{seed}/{case.name}/{name}")
    changes: Changes = {}
    for at in range(len(case.records) - 1)[::SPOILT]:
        found = _FAULTS[name].spoil(truth, at, random)
        changes |= found.values if found else {}
    return changes


def swapped_days(case: Case) -> Changes:
    """Exchange the days of records with other days, two by two, one pair in four."""
    fields = [
        name for name, own in case.record_schema["properties"].items() if str(own.get("format")).startswith("date")
    ]
    changes: Changes = {}
    for name in fields[:1]:
        known = [(at, one[name]) for at, one in enumerate(case.records) if not is_nothing(one.get(name))]
        pairs = [pair for pair in pairwise(known) if pair[0][1] != pair[1][1]]
        for (at, day), (other, its) in pairs[:: 2 * SPOILT] or pairs[:1]:
            changes |= {(at, name): its, (other, name): day}
    return changes


def count_list(case: Case, seed: object) -> Tally:
    """Give the counts of a list: what is served of each fault, and what is lost when the numbers slip."""
    tally: Tally = Counter(lists=1)
    spoilt = {name: by_fault(case, name, seed) for name in _FAULTS} | {"swapped_days": swapped_days(case)}
    for name, changes in spoilt.items():
        if changes:
            tally.update({f"{name}/tried": len(changes), f"{name}/served": _served(case, changes)})
    with installation() as asked:
        result = asked.ask(case, Reader(case, slips=True), PAID_TIERS)
    fate = fate_of(case, result)
    tally.update(values=fate.values, slipped=len(fate.lost), partial=not result.is_complete)
    return tally


def _served(case: Case, changes: Changes) -> int:
    given: list[Json] = [{**record} for record in case.records]
    for (at, name), value in changes.items():
        given[at][name] = value
    with installation() as asked:
        result = asked.ask(case, Reader(case, given=given), PAID_TIERS)
    kept = compare(with_records(case.truth, given, case.steps), result.data).kept
    places = [kept.get(case.pointer(*place)) for place in changes]
    return sum(there is not None and not result.is_told(there) for there in places)


def absent_pages(seed: int, count: int) -> Iterator[Case]:
    """Give pages of one layout, each about one thing, none of which states the guarantee that is asked for."""
    random = Random(f"absent/{seed}")
    words = ["Alder", "Birch", "Cedar", "Damson", "Elder", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Kale", "Larch"]
    things = ["bowl", "jug", "lamp", "stool", "bench", "shelf", "tray", "hook"]
    for number in range(count):
        name = f"{random.choice(words)} {random.choice(things)} No. {number + 11}"
        price, maker, weight = (
            random.randint(400, 9900) / 100,
            f"{random.choice(words)} & Sons",
            random.randint(2, 40) / 10,
        )
        html = page(
            f"<h1>{name}</h1><p class=price>£{price:.2f}</p><table><tr><th>Maker</th><td>{maker}</td></tr>"
            f"<tr><th>Weight</th><td>{weight} kg</td></tr></table>"
            f"<p class=text>{name} is made by hand in {random.choice(words)}ton.</p>"
        )
        truth = {"name": name, "price": price, "maker": maker, "weight_kg": weight, "guarantee_years": None}
        schema = thing(name=TEXT, price=NUMBER, maker=WORDS, weight_kg=NUMBER, guarantee_years=NUMBER)
        yield Case(
            "own", f"absent {number}", "absent", html, f"https://absent.example/things/{number}", schema, None, truth
        )


def calls_for_absent(seed: int, count: int = PAGES) -> int:
    """Count the calls for pages of one layout that never state one of the facts."""
    with installation() as asked:
        return sum(len(asked.ask(case, Reader(case), PAID_TIERS).prompts) for case in absent_pages(seed, count))


def measure(context: Context) -> Sequence[Row]:
    """Give the rows of strengths."""
    tally: Tally = Counter()
    for case in lists(context):
        found = attempt(context, f"{case.corpus}/{case.name}", lambda case=case: count_list(case, context.seed))
        tally += found or Counter()
    calls = attempt(context, "a fact that is always absent", lambda: calls_for_absent(context.seed))
    titles = {
        "neighbours_value": "whole lists: neighbours' values served without a word",
        "changed_digit": "whole lists: changed digits served without a word",
        "swapped_days": "whole lists: exchanged days served without a word",
    }
    rows = [
        Row(f"strengths.{name}", title, *_value(tally, f"{name}/served", f"{name}/tried"))
        for name, title in titles.items()
    ]
    value, of = share("slipped", "values", of=1000)(tally)
    rows.append(
        Row(
            "strengths.slips",
            "whole lists: right values refused when records are numbered carelessly",
            value,
            "per 1,000",
            "lower",
            2.0,
            of,
        )
    )
    told = f"{PAGES} pages of one layout"
    title = f"calls for {PAGES} pages of a layout with a fact that is always absent"
    return [*rows, Row("strengths.absent", title, None if calls is None else float(calls), "count", "lower", 2, told)]


def _value(tally: Tally, part: str, whole: str) -> tuple[float | None, str, str, float, str]:
    value, of = share(part, whole)(tally)
    return value, "%", "lower", 2.0, of
