"""The units and currencies that stood beside numbers: where "3 kg" and "5 kg" were learned, "500 g" is not 500."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import get_args

from gleaner.recipes.texts.range_ends import Which
from gleaner.values.numbers import split_rating

UNITED = frozenset({"money", "count", "quantity", "rating", "scaled", "directed", "share"}) | {
    f"scaled_{which}" for which in get_args(Which)
}
"""The transforms that take whatever stands beside a number."""

_MOST_UNITS = 6
_FIGURES = "0123456789., "
_NUMBER = re.compile(r"[\d\s.,'’()+−–—:-]+")
_STEM = 3
_LONGEST_ENDING = 3


def unit_beside(text: str) -> str:
    """Give what stands beside the number of a text; of a rating its scale.

    >>> unit_beside("1,299.00 €"), unit_beside("3 days"), unit_beside("4.5 out of 5"), unit_beside("12")
    ('€', 'days', '/5', '')
    """
    try:
        return f"/{split_rating(text)[1]}"
    except ValueError:
        return _NUMBER.sub("", text).casefold()


def is_in_one_of(text: str, units: Iterable[str]) -> bool:
    """Tell whether the number of a text stands in one of the units, written in any form: "day" for "days"; or in none.

    >>> [is_in_one_of(text, ("days", "kg")) for text in ("1 day", "2 weeks", "500 g", "5 kg", "12")]
    [True, False, False, True, True]
    """
    if text.strip(_FIGURES) in units:
        return True
    unit = unit_beside(text)
    return not unit or any(unit == one or _is_form(unit, one) for one in units)


def units_beside(texts: Iterable[str]) -> tuple[str, ...]:
    """Give what stood beside numbers; none where there was all sorts."""
    found = {unit for text in texts if (unit := unit_beside(text))}
    return tuple(sorted(found)) if len(found) <= _MOST_UNITS else ()


def _is_form(left: str, right: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
    endings: Sequence[str] = (left[shared:], right[shared:])
    is_plural = shared > 0 and {*endings} == {"", "s"}
    is_inflected = shared >= _STEM and all(len(one) <= _LONGEST_ENDING for one in endings)
    return (is_plural or is_inflected) and all(one.isalpha() for one in (left, right))
