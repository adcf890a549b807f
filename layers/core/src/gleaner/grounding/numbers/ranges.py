"""Fields that are the two ends of a range: ``from_year`` and ``to_year``."""

from collections.abc import Iterable
from functools import lru_cache

from gleaner.contracts.word_lists import listed
from gleaner.grounding.leaves import Leaf, SchemaViews
from gleaner.grounding.text.spellings import Field, words_of_name

_FIRST = listed(
    "from start starts begin begins min minimum low lowest lower first since von ab de desde da opens born opened "
    "beginn beginnt anfang inicio início inizio debut début"
)
_LAST = listed(
    "to end ends until till max maximum high highest upper last through bis a hasta closes died closed ende fin fim "
    "fine"
)


def without_ends(leaves: Iterable[Leaf], views: SchemaViews) -> dict[Field, Field]:
    """Give the name without its end of each field whose other end is a field beside it: ``min`` is no minutes then."""
    fields = {leaf.field: leaf.field[:-1] for leaf in leaves if _end_of(leaf.field[-1:])}
    for parent in {*fields.values()}:
        named = (name for view in views.of(parent) for name in view.get("properties") or ())
        fields |= {(*parent, name): parent for name in named if _end_of((name,))}
    ends = {(parent, *end): field for field, parent in fields.items() if (end := _end_of(field[-1:]))}
    return {
        field: (*parent, " ".join(name))
        for (parent, name, is_last), field in ends.items()
        if (parent, name, not is_last) in ends
    }


@lru_cache(maxsize=1024)
def _end_of(field: Field) -> tuple[tuple[str, ...], bool] | None:
    """Give the words of a field's name but for the end of a range, and whether that is the last one."""
    words = words_of_name(field)
    for is_last, names in ((False, _FIRST), (True, _LAST)):
        if words and len(told := [word for word in words if word in names]) == 1:
            return tuple(word for word in words if word != told[0]), is_last
    return None
