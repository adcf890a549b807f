"""The two ends of a range, each for the field that its name says: "2015–2019" begins with ``from_year``."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from gleaner.contracts.word_lists import listed
from gleaner.grounding.leaves import Leaf, SchemaViews
from gleaner.grounding.text.spellings import Field, words_of_name
from gleaner.grounding.text.text_index import Match
from gleaner.values.mentions.dates import read_moment
from gleaner.values.numbers import interpret

_FIRST = listed(
    "from start starts begin begins min minimum low lowest lower first since von ab de desde da opens born opened "
    "beginn beginnt anfang inicio início inizio debut début"
)
_LAST = listed(
    "to end ends until till max maximum high highest upper last through bis a hasta closes died closed ende fin fim "
    "fine"
)
_OF_AMOUNTS = listed("min minimum max maximum lowest highest")
"""Ends of which the first is never the greater one, also of plain numbers."""

_DASH = re.compile(r"[*_ ]*[-–—−～〜~][*_ ]*")


_REACH, _FAR = 24, 40
_UNIT = r"[ \u00a0]?(?:[^\W\d_]{1,3}\.?|[%€$£¥₹°])?(?:[^\W\d_]{1,2})?"
_WORDS = r"to|bis|à|do|до|tot|til|till|(?P<and>and|und|et|y|e|en|och|og|i|и)"
_TO = rf"[ \u00a0]?(?:[-–—−～〜~]|(?<=[ \u00a0])(?:{_WORDS})(?=[ \u00a0]))[ \u00a0]?"
_NUMBER = r"(?P<number>\d[\d.,'’]*(?:[ \u00a0\u202f]\d{3})*)"
_BEGUN = re.compile(rf"(?<![\d.,–—-]){_NUMBER}{_UNIT}{_TO}[€$£¥₹]?\Z")
_GOES_ON = re.compile(rf"{_UNIT}{_TO}[€$£¥₹]?{_NUMBER}(?![\d–—-])")
_BETWEEN = re.compile(
    r"(?<![^\W_])(?:between|zwischen|entre|tra|tussen|mellan|mellom|mellem|między|между)(?![^\W_])", re.IGNORECASE
)
_FIGURES = re.compile(r"\d[\d.,'’]*(?:[ \u00a0\u202f]\d{3})*")
_BLANK = re.compile(r"\s")


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


def is_other_end(leaf: Leaf, match: Match, text: str) -> bool:
    """Tell whether a number stands at the other end of a range than its field's name says: the 10 of "5–10 kg" is no
    ``weight_min``, whatever ``weight_max`` says."""
    value, end = leaf.value, _end_of(leaf.field[-1:])
    if end is None or isinstance(value, str | bool) or value is None:
        return False
    before = _BEGUN.search(text, max(0, match.start - _REACH), match.start)
    after = _GOES_ON.match(text, match.end, match.end + _REACH)
    found = after if end[1] else before
    if (
        found is None
        or (before and after)
        or (found["and"] and not _BETWEEN.search(text, max(0, match.start - _FAR), match.start))
    ):
        return False
    others = interpret(_BLANK.sub("", found["number"].rstrip(".,'’")))
    scale = _scale_of(value, text[match.start : match.end])
    return any(other * scale > value if end[1] else other * scale < value for other in others)


def _scale_of(value: float, said: str) -> float:
    """Give by what the figures of a place are multiplied in a value: 10,000 for 45,000,000 of "4,500만원"."""
    figures = _FIGURES.search(said)
    own = interpret(_BLANK.sub("", figures[0].rstrip(".,'’"))) if figures else ()
    return 1 if value in own or not any(own) else value / max(own)


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


def _are_turned(first: Leaf, last: Leaf) -> bool:
    """Tell whether a day that begins something is later than the one that ends it, or a least number the greater."""
    if isinstance(first.value, str) and isinstance(last.value, str):
        days = read_moment(first.value), read_moment(last.value)
        return days[0] is not None and days[1] is not None and days[0].days > days[1].days
    words = {word for leaf in (first, last) for word in words_of_name(leaf.field)}
    are_numbers = all(isinstance(leaf.value, int | float) for leaf in (first, last))
    return are_numbers and len(words & _OF_AMOUNTS) > 1 and float(first.value or 0) > float(last.value or 0)


def _is_before(one: Match, other: Match, text: str) -> bool:
    return _DASH.fullmatch(text, one.end, other.start) is not None
