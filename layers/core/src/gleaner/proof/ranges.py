"""The two ends of a range, each for the field that its name says: "2015–2019" begins with ``from_year``."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from gleaner.proof.leaves import Leaf, SchemaViews
from gleaner.proof.spellings import Field, spellings
from gleaner.proof.text_index import Match
from gleaner.word_lists import listed

_FIRST = listed("from start starts begin begins min minimum low lowest lower first since von ab de desde da opens")
_LAST = listed("to end ends until till max maximum high highest upper last through bis a hasta closes")
_DASH = re.compile(r"[*_ ]*[-–—−～〜][*_ ]*")


def turned_ends(leaves: Iterable[Leaf], found: Mapping[str, Match], text: str) -> set[str]:
    """Give the pointers of values that stand at the other end of a range than their fields' names say."""
    ends = {
        (leaf.steps[:-1], *end): leaf for leaf in leaves if leaf.pointer in found and (end := _end_of(leaf.field[-1:]))
    }
    turned: set[str] = set()
    for (parent, name, is_last), leaf in ends.items():
        other = ends.get((parent, name, True)) if not is_last else None
        if other is not None and _is_before(found[other.pointer], found[leaf.pointer], text):
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
    words = "".join(spellings(field)[:1]).casefold().split()
    for is_last, names in ((False, _FIRST), (True, _LAST)):
        if words and len(told := [word for word in words if word in names]) == 1:
            return tuple(word for word in words if word != told[0]), is_last
    return None


def _is_before(one: Match, other: Match, text: str) -> bool:
    return _DASH.fullmatch(text, one.end, other.start) is not None
