"""Fields that are the two ends of a range: ``from_year`` and ``to_year``."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from gleaner.grounding.leaves import Leaf, SchemaViews
from gleaner.grounding.text.spellings import Field, words_of_name
from gleaner.grounding.text.text_index import Match
from gleaner.values.mentions.dates import read_moment
from gleaner.values.names import roles_of

_OF_AMOUNTS = frozenset(["lowest", "highest"])
"""Ends of which the first is never the greater one, also of plain numbers."""

_DASH = re.compile(r"[*_ ]*[-–—−～〜~][*_ ]*")


def turned_ends(leaves: Iterable[Leaf], found: Mapping[str, Match], text: str) -> set[str]:
    """Give the pointers of values that stand at the other end of a range than their fields' names say, or end before
    they begin."""
    ends = {
        (leaf.steps[:-1], *end): leaf for leaf in leaves if leaf.pointer in found and (end := _end_of(leaf.field[-1:]))
    }
    turned: set[str] = set()
    for (parent, name, is_last), leaf in ends.items():
        other = ends.get((parent, name, True)) if not is_last else None
        if other is not None and (
            _is_before(found[other.pointer], found[leaf.pointer], text) or _are_turned(leaf, other)
        ):
            turned |= {leaf.pointer, other.pointer}
    return turned


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
    for is_last, role in ((False, "first"), (True, "last")):
        if words and len(told := [word for word in words if role in roles_of(word)]) == 1:
            return tuple(word for word in words if word != told[0]), is_last
    return None


def _are_turned(first: Leaf, last: Leaf) -> bool:
    """Tell whether a day that begins something is later than the one that ends it, or a least number the greater."""
    if isinstance(first.value, str) and isinstance(last.value, str):
        days = read_moment(first.value), read_moment(last.value)
        return days[0] is not None and days[1] is not None and days[0].days > days[1].days
    limits = {word for leaf in (first, last) for word in words_of_name(leaf.field) if roles_of(word) & _OF_AMOUNTS}
    are_numbers = all(isinstance(leaf.value, int | float) for leaf in (first, last))
    return are_numbers and len(limits) > 1 and float(first.value or 0) > float(last.value or 0)


def _is_before(one: Match, other: Match, text: str) -> bool:
    return _DASH.fullmatch(text, one.end, other.start) is not None
