"""Fields of a page about one thing that stand in another place on some pages: a price beside a former one, or alone."""

from collections.abc import Sequence
from dataclasses import replace

from gleaner.recipes.fields import is_general
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.page.boxes import Box
from gleaner.recipes.page.containers import PageMap
from gleaner.recipes.selectors.columns import Wanted, same
from gleaner.recipes.selectors.naming import Columns, beyond_chance, fit_on_pages
from gleaner.recipes.selectors.readers import Reader
from gleaner.recipes.texts.decoding import Unread
from gleaner.recipes.texts.flags import is_flag

_MOST_PLACES = 3
_FOR_EACH_PLACE = 2


def in_several_places(
    one: Wanted,
    boxes: Sequence[Box],
    maps: Sequence[PageMap],
    *,
    columns: Columns,
    base: str,
    fields: Sequence[Wanted],
) -> list[FieldSelector]:
    """Give selectors that read the field on some pages each and find nothing on the others, for all pages together.

    None when a page has no such selector, or there are many places. Words around a value name no place that one page
    shows alone: they may be that page's.
    """
    if one.is_list or is_flag(one):
        return []
    known = [at for at, value in enumerate(one.values) if value is not None]
    chosen: list[FieldSelector] = []
    left = known if len(one.values) > 1 else []
    for _ in range(_MOST_PLACES):
        if not left:
            return chosen
        at = left[0]
        alone = replace(one, values=[one.values[at]])
        own = {key: [texts[at]] for key, texts in columns.items() if texts[at] is not None}
        found = [each for each in fit_on_pages(alone, [boxes[at]], own, base) if is_general(each, fields, one)]
        found = beyond_chance(alone, found, [boxes[at]], [maps[at]])
        readers = [(each, Reader(each, base)) for each in found]
        right = [(each, hits) for each, reader in readers if (hits := _pages_read(reader, one, boxes))]
        right = [(each, hits) for each, hits in right if each.kind != "worded" or len(hits) > 1]
        if not right:
            return []
        right.sort(key=lambda pair: -len(pair[1]))
        chosen += [each for each, _ in right[:_FOR_EACH_PLACE]]
        left = [page for page in left if page not in right[0][1]]
    return [] if left else chosen


def _pages_read(reader: Reader, one: Wanted, boxes: Sequence[Box]) -> set[int]:
    """Give the pages on which the value is read; none when another value is, or something that is no value."""
    cells = [reader.cell(box) for box in boxes]
    for cell, value in zip(cells, one.values, strict=True):
        if cell is not None and (isinstance(cell, Unread) or not same(cell, value)):
            return set()
    return {at for at, cell in enumerate(cells) if cell is not None}
