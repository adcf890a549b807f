"""Whether a number stands in the unit, or in the currency, that its field is measured in."""

import re

from gleaner.schemas.leaves import Leaf
from gleaner.values.texts.text_index import Match
from gleaner.values.fields import Field
from gleaner.values.measures import dimension_of, is_of_time, unit_beside, unit_spelled
from gleaner.values.mentions.money import currencies_at
from gleaner.values.name_measures import measure_of
from gleaner.values.scales import suffix_behind

_BEHIND = re.compile(
    r"[*_~]{0,4}[ \u00a0\u202f-]?(%|(?:sq\.?[ ]?)?°?(?:[^\W\d_]{1,12}|㎡)(?:\^?[²2]|/[^\W\d_]{1,3})?)(?![^\W_]|\.?:?[ ]\d)"
)
_FOUR_FIGURES = re.compile(r"(?:1\d|20)\d\d")
_REACH = 24


def unit_fit(leaf: Leaf, field: Field, match: Match, text: str) -> int:
    """Give 1 for a number in its field's unit, -1 for one in another unit, 0 where nothing tells."""
    if isinstance(leaf.value, str | bool) or not leaf.field or match.source != "markdown":
        return 0
    measure = measure_of(field.name)
    is_paid = measure.is_paid or field.is_paid
    currencies = measure.currencies or field.currencies
    unit = measure.unit or (field.units[0] if field.units else None)
    stated = currencies_at(text, match.start, match.end)
    if stated:
        if is_paid:
            return -1 if currencies and currencies.isdisjoint(stated) else 1
        return -1 if measure.is_counted or measure.is_year or unit is not None else 0
    if measure.is_year:
        return 1 if _FOUR_FIGURES.fullmatch(text, match.start, match.end) else 0
    if match.transform in ("unit", "duration", "percent", "scale", "scaled_head"):
        return 1 if unit is not None or match.transform in ("scale", "scaled_head") else 0
    suffix = suffix_behind(text, match.end)
    if suffix is not None and suffix.power > 1 and len(suffix.word) > 1:
        return -1
    found = _BEHIND.match(text, match.end, match.end + _REACH)
    behind = unit_beside(text, match.start, match.end) or (unit_spelled(found[1]) if found else None)
    if behind is None:
        return 0
    if unit is not None:
        is_alike = behind == unit or (dimension_of(behind) == dimension_of(unit)) or (is_of_time(unit) and is_of_time(behind))
        return 1 if behind == unit else -1 if is_alike or len(found[1] if found else "") > 1 else 0
    is_sure = found is not None and len(found[1]) > 1 or (found is not None and found[1] == "%")
    return -1 if is_sure and (is_paid or measure.is_counted) and not is_of_time(behind) else 0


def unit_behind(match: Match, text: str) -> str | None:
    """Give the unit that stands right behind a number; None for none."""
    found = _BEHIND.match(text, match.end, match.end + _REACH)
    return unit_spelled(found[1]) if found else None
