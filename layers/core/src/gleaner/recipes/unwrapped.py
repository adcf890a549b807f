"""Records that nothing wraps: runs of siblings of one tag, parted by what each begins with, or comes after."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.beginnings import AFTER, NAMING, signs_at
from gleaner.recipes.boxes import Box
from gleaner.recipes.columns import Wanted
from gleaner.recipes.containers import PageMap, place_records
from gleaner.recipes.inner_learning import learn_records, stated
from gleaner.recipes.known_pages import KnownPage
from gleaner.recipes.model import Recipe, RecordSelector
from gleaner.recipes.record_selectors import boxes_of, common_ancestor, path_of, scopes_of, select

_LEAST_RECORDS = 3
_LEAST_SURE = 2
_MOST_WAYS = 6

Ways = dict[RecordSelector, list[Box]]
"""The records' containers on a page, by the selectors that part it so."""


def find_unwrapped(
    root: HtmlElement,
    page: PageMap,
    records: Sequence[Sequence[JsonValue]],
    inner: Sequence[Sequence[JsonValue]],
    *,
    are_all: bool,
) -> Ways:
    """Give the ways to part siblings into the records, each given by its leaves: best first."""
    tops, keys = (len(records) >= _LEAST_RECORDS and place_records(page, records, inner)) or ([], [])
    known = [one for one in (_piece_of(page, key, keys) for key in keys) if one is not None]
    are_wrapped = all(one in (top, *top.iterancestors()) for one, top in zip(known, tops, strict=False))
    if are_wrapped or keys != sorted(keys) or len(known) < len(keys) or len(set(map(path_of, known))) != 1:
        return {}
    level = [one for parent in dict.fromkeys(each.getparent() for each in known) for one in _alike(parent, known[0])]
    made = (way for sign in _parting(level, known, are_all=are_all) for way in _selectors(root, known, sign))
    found = ((one, boxes_of(root, one)) for one in made)
    return {one: kept for one, boxes in found if len(kept := _with(boxes, known)) == len(known)}


def _piece_of(page: PageMap, key: int, keys: Sequence[int]) -> HtmlElement | None:
    """Give the highest element around a record's key that has no other record's."""
    element = page.elements[key]
    while (parent := element.getparent()) is not None:
        span = page.spans[parent]
        if bisect_left(keys, span.end) - bisect_left(keys, span.start) > 1:
            return element
        element = parent
    return None


def _alike(parent: HtmlElement | None, one: HtmlElement) -> Iterator[HtmlElement]:
    yield from (child for child in (() if parent is None else parent) if child.tag == one.tag)


def _parting(level: Sequence[HtmlElement], known: Sequence[HtmlElement], *, are_all: bool) -> list[str]:
    """Give the signs of just one element from behind each record's piece up to the next one's."""
    places = {one: at for at, one in enumerate(level)}
    ends = [places[one] for one in known]
    counts: dict[str, Counter[int]] = {}
    firsts: Counter[int] = Counter()
    for at, one in enumerate(level):
        record = bisect_left(ends, at)
        for sign in dict.fromkeys(signs_at(one)):
            if sign == AFTER:
                firsts[record] += 1
            else:
                counts.setdefault(sign, Counter())[record] += 1
    found = [
        sign
        for sign, seen in counts.items()
        if _parts(seen + firsts if sign.startswith(AFTER) else seen, len(known), are_all=are_all)
    ]
    return sorted(found, key=_rank)


def _parts(seen: Counter[int], count: int, *, are_all: bool) -> bool:
    inner = all(seen[record] == 1 for record in range(1, count))
    return inner and (seen[0] == 1 and seen[count] == 0 if are_all else seen[0] > 0)


def _rank(sign: str) -> tuple[bool, bool, str]:
    kind, _, look = sign.partition(" ")
    return not look.startswith(NAMING), f"{kind} " == AFTER, sign


def _selectors(root: HtmlElement, known: Sequence[HtmlElement], sign: str) -> Iterator[RecordSelector]:
    tag, path = str(known[0].tag), path_of(known[0])
    plain = RecordSelector(kind="run", by="path", tag=tag, value=path, begun=sign)
    parents = {one.getparent() for one in known}
    if all(one.getparent() in parents for one in select(root, plain)):
        yield plain
    elif (around := common_ancestor(known)) is not None:
        yield from (plain.model_copy(update={"scope": scope}) for scope in scopes_of(around))


def _with(boxes: Sequence[Box], known: Sequence[HtmlElement]) -> list[Box]:
    """Give the runs that hold a record's piece each; where one holds several, fewer than there are."""
    wanted = set(known)
    return [box for box in boxes if sum(one in wanted for one in box.elements) == 1]


def learn_unwrapped(pages: Sequence[KnownPage], fields: Sequence[Wanted], counts: Sequence[int]) -> Recipe | None:
    """Give the recipe of records that nothing wraps, and no class names; ``counts`` are how many each page has."""
    ends = list(accumulate(counts))
    rows = [range(end - count, end) for end, count in zip(ends, counts, strict=True)]
    found = [
        find_unwrapped(page.root, PageMap(page.root, page.base), *stated(fields, one), are_all=page.is_whole)
        for page, one in zip(pages, rows, strict=True)
    ]
    learned = (learn_records([one], fields, boxes, pages[-1].base) for one, boxes in _shared(found))
    return next((one for one in learned if one is not None and _is_sure(one)), None)


def _shared(found: Sequence[Ways]) -> Iterator[tuple[RecordSelector, list[Box]]]:
    """Give the ways that all pages have, with the containers of all."""
    common = [one for one in found[0] if all(one in each for each in found[1:])][:_MOST_WAYS]
    yield from ((one, [box for each in found for box in each[one]]) for one in common)


def _is_sure(recipe: Recipe) -> bool:
    """Tell whether a record that is cut in two, or taken together with the next one, would be noticed.

    By fields that are always there, and by texts of nobody; where there are such, only the page's own marks say enough.
    """
    always = sum(one.figures.nulls == 0 and bool(one.selectors) for one in recipe.fields)
    _, _, look = recipe.record[0].begun.partition(" ")
    return always >= _LEAST_SURE and (recipe.accounted or look.startswith(NAMING))
