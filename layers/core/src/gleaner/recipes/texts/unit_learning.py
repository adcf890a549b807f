"""Which units and currencies a selector takes: those that stood beside the numbers that it was learned from."""

from collections.abc import Sequence

from gleaner.recipes.model import FieldSelector
from gleaner.recipes.selectors.readers import Reader
from gleaner.recipes.texts.lengths import LENGTHS
from gleaner.recipes.texts.stated_units import UNITED, units_beside


def with_units(selector: FieldSelector, texts: Sequence[str], base_url: str) -> FieldSelector:
    """Give the selector with the units that stood beside the numbers of these texts, which it reads."""
    names = selector.transforms
    if (
        selector.mark
        or selector.between
        or UNITED.isdisjoint(names)
        or not LENGTHS.keys().isdisjoint(names)
        or names[0].startswith("in_")
    ):
        return selector
    reader = Reader(selector, base_url)
    for text in texts:
        reader.decoded[text]
    return selector.model_copy(update={"units": units_beside(reader.decoded.read())})
