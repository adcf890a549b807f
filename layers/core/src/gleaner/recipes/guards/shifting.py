"""Would what follows a value stand in its place, were that absent? The second of two paragraphs becomes the first.

Records that lack the value, and what follows too, show that the one comes with the other; a few may do so by chance.
"""

from collections.abc import Sequence

from gleaner.recipes.model import FieldRecipe
from gleaner.recipes.page.boxes import Box, text_of
from gleaner.recipes.selectors.columns import Wanted
from gleaner.recipes.selectors.finders import found_by
from gleaner.recipes.selectors.readers import Reader

_LEAST_CHANCE = 0.001
_BY_PLACE = frozenset({"path", "tag"})


def may_shift(one: FieldRecipe, wanted: Wanted, boxes: Sequence[Box]) -> bool:
    """Tell whether another element may come to stand where the selectors of a field look that records may lack."""
    placed = [each for each in one.selectors if each.kind in _BY_PLACE and not each.many]
    lacking = sum(value is None for value in wanted.values)
    if not (lacking and placed) or len(placed) + _ranked(one) < len(one.selectors):
        return False
    followed = [
        _is_followed(Reader(placed[0]), box)
        for box, value in zip(boxes, wanted.values, strict=True)
        if value is not None
    ]
    return sum(followed) > 0 and (1 - sum(followed) / len(followed)) ** lacking > _LEAST_CHANCE


def _ranked(one: FieldRecipe) -> int:
    """Give how many selectors go by the rank of the text, which moves as the element does."""
    return sum(each.kind == "rest" for each in one.selectors)


def _is_followed(reader: Reader, box: Box) -> bool:
    """Tell whether an element of the same tag that reads so comes after the value: beside it, or anywhere."""
    found = found_by(reader.selector, box)
    beside = (
        found[1:]
        if reader.selector.kind == "tag"
        else [each for one in found[:1] for each in one.itersiblings(one.tag)]
    )
    return any(reader.accepts(text) for one in beside if one not in box.stops and (text := text_of(one)))
