"""Whether a number stands in the unit, or in the currency, that its field is measured in."""

import re

from gleaner.schemas.leaves import Leaf
from gleaner.values import locales
from gleaner.values.fields import Field
from gleaner.values.measures import dimension_of, is_of_time, unit_beside, unit_spelled, units_stated
from gleaner.values.mentions.money import currencies_at
from gleaner.values.name_measures import is_large, is_of_a_scale, is_rating, measure_of
from gleaner.values.scales import suffix_behind
from gleaner.values.texts.text_index import Match

_BEHIND = re.compile(
    r"[*_~]{0,4}[ \u00a0\u202f-]?(%|(?:sq\.?[ ]?)?°?(?:[^\W\d_]{1,12}|㎡)(?:\^?[²2]|/[^\W\d_]{1,3})?)"
    r"(?![^\W_]|\.?:?[ ]\d)"
)
_FOUR_FIGURES = re.compile(r"(?:1\d|20)\d\d")
_SCALE_AHEAD = re.compile(r"\d[*_]{0,2}(?:\s?/\s?|\s(?:of|out of|von|sur|de|su)\s)[*_]{0,2}\Z|\bout of\s[*_]{0,2}\Z")
_SCALE_BEHIND = re.compile(r"\s?/\s?(?:5|10|20|100)(?![\d/]|[.,]\d)")
_CLOCK = re.compile(r":\d|\s?Uhr\b")
_MARKER = re.compile(r"(?:\A|\n)[ \t]*\Z")
_SAVED = re.compile(r"[*_]{0,2}[ \u00a0](?:off|cheaper)\b(?!-)")
_REACH = 24
_FIRST_WITHOUT_BLANKS = "\u2e80"
_HIGHEST_RATING = 1_000
_SHARE = re.compile(r"fee|cost|commission|charge|rate", re.IGNORECASE)
"""Names of what may be told as a part of something else."""


def unit_fit(leaf: Leaf, field: Field, match: Match, text: str) -> int:
    """Give 1 for a number in its field's unit, -1 for one in another unit, 0 where nothing tells."""
    if isinstance(leaf.value, str | bool) or not leaf.field or match.source != "markdown":
        return 0
    measure, start, end = measure_of(field.name), match.start, match.end
    is_paid, unit = measure.is_paid or field.is_paid, measure.unit or next(iter(units_stated(field.description)), None)
    is_told = is_paid or measure.is_counted or measure.is_year or unit is not None
    if is_of_a_scale(field.name):
        return -1 if _is_no_rating(leaf, field, match, text) else 0
    stated = currencies_at(text, start, end)
    if field.is_in_cents and stated:
        return 1 if match.transform == "unit" else -1
    if match.transform != "scale" and _is_multiplied(field, match, text, is_money=bool(stated)):
        return -1
    if stated:
        currencies = measure.currencies or field.currencies
        if is_paid:
            return -1 if _SAVED.match(text, end) or (currencies and currencies.isdisjoint(stated)) else 1
        return -1 if is_told else 0
    if match.transform in ("unit", "duration", "scaled_head", "era"):
        return 1
    if match.transform == "percent":
        return -1 if unit == "percent" and field.maximum not in (1, 1.0) else 0
    if is_told and (_is_marker(text, start, end) or (is_paid and _is_no_amount(text, start, end))):
        return -1
    found = _BEHIND.match(text, end, end + _REACH)
    beside = unit_beside(text, start, end)
    behind = beside or (unit_spelled(found[1]) if found else None)
    if match.transform == "scale":
        letter = unit_spelled(text[end - 1]) if not text[end - 2].isalpha() else None
        return -1 if letter and unit and dimension_of(letter) == dimension_of(unit) else 1
    if measure.is_year:
        is_year = _FOUR_FIGURES.fullmatch(text, start, end) is not None
        return -1 if behind and not is_of_time(behind) else 1 if is_year else -1 if text[start:end][:1].isdigit() else 0
    if behind == "percent" and is_paid and _SHARE.search(field.name):
        return 0
    return _beside(behind, beside or (found[1] if found else ""), unit, is_paid=is_paid, is_counted=measure.is_counted)


def _is_multiplied(field: Field, match: Match, text: str, *, is_money: bool) -> bool:
    """Tell whether what stands behind a number multiplies it: "$12.4m" is no 12.4, but of ``revenue_millions``."""
    suffix = suffix_behind(text, match.end)
    if suffix is None or (suffix.is_share and suffix.word != "¢"):
        return False
    is_scale = len(suffix.word) > 1 or suffix.word >= _FIRST_WITHOUT_BLANKS or is_money or is_large(field.name)
    named = {locales.scales().get(word) for word in field.words}
    return is_scale and suffix.power not in (0, *named)


def _beside(behind: str | None, spelled: str, unit: str | None, *, is_paid: bool, is_counted: bool) -> int:
    """Compare the unit beside a number with its field's; one of a single letter may mean many things."""
    is_sure = len(spelled) > 1 or spelled == "%" or not spelled.isascii()
    if behind is None:
        return 0
    if unit is not None:
        is_alike = dimension_of(behind) == dimension_of(unit) or (is_of_time(unit) and is_of_time(behind))
        return 1 if behind == unit else -1 if is_alike or is_sure else 0
    return -1 if is_sure and (is_paid or (is_counted and not is_of_time(behind))) else 0


def _is_no_rating(leaf: Leaf, field: Field, match: Match, text: str) -> bool:
    """Tell whether a number is an amount, a count, or the scale itself: the 5 of "4.5/5"."""
    may_count = field.types - {"null"} == frozenset({"integer"})  # the stars of a repository are a count
    is_large = isinstance(leaf.value, int | float) and leaf.value > _HIGHEST_RATING and is_rating(field.name)
    is_large = is_large and not may_count
    is_scale = _SCALE_AHEAD.search(text, max(0, match.start - _REACH), match.start) is not None
    return is_large or is_scale or bool(currencies_at(text, match.start, match.end))


def _is_no_amount(text: str, start: int, end: int) -> bool:
    """Tell whether a number is of a time of day, of a rating, or what is taken off: no amount of money."""
    is_of_clock = text[max(0, start - 1) : start] == ":" or _CLOCK.match(text, end) is not None
    return is_of_clock or any(sign.match(text, end) is not None for sign in (_SCALE_BEHIND, _SAVED))


def _is_marker(text: str, start: int, end: int) -> bool:
    """Tell whether a number is that of an item of a list: "2. Slice the leeks"."""
    return text[end : end + 2] in (". ", ") ") and _MARKER.search(text, max(0, start - _REACH), start) is not None


def unit_behind(match: Match, text: str) -> str | None:
    """Give the unit that stands right behind a number; None for none."""
    found = _BEHIND.match(text, match.end, match.end + _REACH)
    return unit_spelled(found[1]) if found else None
