"""Pages whose records are known: does a recipe give exactly those again, and what else does it read? (RC-1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.columns import same
from gleaner.recipes.model import Recipe, RecordSelector
from gleaner.recipes.reading import PageReading, read_page
from gleaner.recipes.record_selectors import narrowed, twin_of
from gleaner.results.record_lists import find_records
from gleaner.schemas import RecordPath


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page's tree, the base of its addresses, and its proven data: all records, or a run of them if not whole.

    ``is_first`` when no record stands before that run.
    """

    root: HtmlElement
    base: str
    data: JsonValue
    is_whole: bool
    is_first: bool = False


def known_records(data: JsonValue, recipe: Recipe) -> list[JsonValue]:
    """Give the records of a page's data; of a page about one thing, that one."""
    if recipe.pointer is None:
        return [data]
    listing = find_records(data, RecordPath(recipe.pointer, True))
    return listing.records if listing else []


def by_alone(recipe: Recipe, selector: RecordSelector) -> Recipe:
    """Give the recipe with no other record selector."""
    return recipe.model_copy(update={"record": [selector]})


def exact_selectors(
    recipe: Recipe, selectors: Sequence[RecordSelector], pages: Sequence[KnownPage]
) -> list[RecordSelector]:
    """Give those record selectors by which the recipe gives the known records again, and nothing else among them."""
    return [one for one in selectors if _is_exact(by_alone(recipe, one), pages)]


def _is_exact(recipe: Recipe, pages: Sequence[KnownPage]) -> bool:
    readings: list[PageReading] = []
    for page in pages:
        readings.append(read_page(recipe, page.root, page.base))
        if not _gives_back(readings[-1], page):
            return False
    parts = [(read, page) for read, page in zip(readings, pages, strict=True) if not page.is_whole]
    is_all = recipe.pointer is None or all(
        len(span_of(read, page)) == len(known_records(page.data, recipe)) for read, page in parts
    )
    return is_all and _is_safe(recipe, pages)


def span_of(reading: PageReading, page: KnownPage) -> range:
    """Give which of the read records are the known ones of a page, and what stands among them: the shortest such run.

    All, if the page was read whole; from the first one on, if no record stands before the known ones.
    """
    read, known = reading.records, known_records(page.data, reading.recipe)
    if page.is_whole or not known:
        return range(len(read))
    spans: list[range] = []
    for start in (at for at, one in enumerate(read) if same_data(one, known[0])):
        after = start
        for one in known:
            after = next((at + 1 for at in range(after, len(read)) if same_data(read[at], one)), len(read) + 1)
        spans += [range(start, after)] if after <= len(read) else []
    if page.is_first:
        return range(min((one.stop for one in spans), default=0))
    return min(spans, key=len, default=range(0))


def without_others(recipe: Recipe, pages: Sequence[KnownPage]) -> list[RecordSelector]:
    """Give selectors without what is read among the known records of a page, and is none of them."""
    made: dict[RecordSelector, None] = {}
    tried = [(page, one) for page in reversed(pages) for one in recipe.record if recipe.pointer is not None]
    for page, one in tried:
        reading = read_page(by_alone(recipe, one), page.root, page.base)
        boxes = reading.inner.whole or reading.inner.boxes
        known = iter(known_records(page.data, recipe))
        wanted = next(known, None)
        leaders: list[list[HtmlElement]] = [[], []]
        for at in span_of(reading, page):
            is_known = wanted is not None and same_data(reading.records[at], wanted)
            leaders[not is_known].append(boxes[at].elements[0])
            wanted = next(known, None) if is_known else wanted
        if wanted is None and all(leaders):
            made |= dict.fromkeys(narrowed(page.root, one, *leaders))
    return [*made]


def _is_safe(recipe: Recipe, pages: Sequence[KnownPage]) -> bool:
    """Tell whether what a selector leaves out for its very words would be noticed if it said something else."""
    one = recipe.record[0]
    bare = recipe.model_copy(update={"record": [one.model_copy(update={"unless": ()})]})
    return not one.unless or all(_has_more_doubts(bare, recipe, page) for page in pages)


def _has_more_doubts(bare: Recipe, recipe: Recipe, page: KnownPage) -> bool:
    """Tell whether a page is in doubt for what a recipe leaves out, or has none of that."""
    with_all, without = (read_page(one, page.root, page.base) for one in (bare, recipe))
    is_noticed = len(with_all.doubts) > len(without.doubts)
    return is_noticed or len(with_all.records) == len(known_records(page.data, recipe))


def _gives_back(reading: PageReading, page: KnownPage) -> bool:
    """Tell whether a recipe gives the records that it was learned from, in their order, and no doubt of its own.

    Of a page that is known in part, the records that are not known may be in doubt; not what stands among all records,
    and has their class.
    """
    recipe = reading.recipe
    if recipe.pointer is None:
        return same_data(reading.data, page.data) and not reading.doubts
    if twin_of(recipe.record[0], reading.inner.boxes) is not None:
        return False
    if page.is_whole and len(reading.records) != len(known_records(page.data, recipe)):
        return False
    remaining = iter(reading.records)
    return not (page.is_whole and reading.doubts) and all(
        any(same_data(got, one) for got in remaining) for one in known_records(page.data, recipe)
    )


def same_data(left: JsonValue, right: JsonValue) -> bool:
    """Tell whether two records say the same, also in their lists; an absent field is a null one."""
    if isinstance(left, dict) and isinstance(right, dict):
        return all(same_data(left.get(name), right.get(name)) for name in {*left, *right})
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_data, left, right))
    return same(left, right)
