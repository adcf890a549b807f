"""The two ends of a range, each for the field that its name says: "2015–2019" begins with ``from_year``."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from gleaner.proof.leaves import Leaf
from gleaner.proof.spellings import Field, spellings
from gleaner.proof.text_index import Match
from gleaner.word_lists import listed

_FIRST = listed("from start starts begin begins min minimum low lowest lower first since von ab de desde da opens")
_LAST = listed("to end ends until till max maximum high highest upper last through bis a hasta closes")
_DASH = re.compile(r"[*_ ]*[-–—−][*_ ]*")


def turned_ends(records: Mapping[int, Sequence[Leaf]], found: Mapping[str, Match], text: str) -> set[str]:
    """Give the pointers of values that stand at the other end of a range than their fields' names say."""
    turned: set[str] = set()
    fields = {leaf.field for leaves in records.values() for leaf in leaves}
    for leaves in records.values() if any(map(_end_of, fields)) else ():
        ends = {key: leaf for leaf in leaves if leaf.pointer in found and (key := _end_of(leaf.field))}
        for (rest, is_last), leaf in ends.items():
            other = ends.get((rest, True)) if not is_last else None
            if other is not None and _is_before(found[other.pointer], found[leaf.pointer], text):
                turned |= {leaf.pointer, other.pointer}
    return turned


@lru_cache(maxsize=1024)
def _end_of(field: Field) -> tuple[Field, bool] | None:
    """Give what a field's name says but for the end of a range, and whether that is the last one."""
    words = "".join(spellings(field)[:1]).casefold().split()
    for is_last, names in ((False, _FIRST), (True, _LAST)):
        if words and len(told := [word for word in words if word in names]) == 1:
            return (*field[:-1], *(word for word in words if word != told[0])), is_last
    return None


def _is_before(one: Match, other: Match, text: str) -> bool:
    return _DASH.fullmatch(text, one.end, other.start) is not None
