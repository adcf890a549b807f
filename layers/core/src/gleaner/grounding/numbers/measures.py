"""What the name of a field says it is measured in: "31 km" is no area, "19 €" no ``usd`` and no ``year``.

So a number that stands in another unit, or another currency, than the field's own is no proof, and an amount of money
is none of what is counted or measured. Where a name says nothing of it, any place will do.
"""

import re

from gleaner.contracts.word_lists import listed
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.text.spellings import Field, spellings, words_of_name
from gleaner.grounding.text.text_index import Match
from gleaner.values import locales
from gleaner.values.measures import dimension_of, is_of_time, unit_beside, unit_spelled
from gleaner.values.mentions.eras import before_christ
from gleaner.values.mentions.money import counts_beside_an_amount, currencies_at
from gleaner.values.mentions.numerals import UNSIGNED, UNSIGNED_PERCENT
from gleaner.values.name_measures import NameMeasure, is_large, is_of_a_scale, is_rating, measure_of
from gleaner.values.names import roles_of
from gleaner.values.scales import Suffix, doubtful, suffix_behind

_PERCENT = "percent"
_FEE = re.compile(r"fee|cost|commission|charge|rate", re.IGNORECASE)
"""Names of what may be told as a part of something else."""

_BEHIND = re.compile(
    r"[*_~]{0,4}[ \u00a0\u202f-]?(%|(?:sq\.?[ ]?)?°?(?:[^\W\d_]{1,12}|㎡)(?:\^?[²2]|/[^\W\d_]{1,3})?)"
    r"(?![^\W_]|\.?:?[ ]\d)"
)
_SCALED_NAME = re.compile(r"\bin\s+((?:\w{1,12}\.?\s+){0,2}\w+)", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"[-+−]?\d[\d.,]*")
_POWERS_OF_NAMES = {"minor": -2, "permille": 0}
_READ_WITH_IT = frozenset(["scale", "percent", "power", "fraction"])
_GIVERS = listed(
    "reviews ratings votes voters bewertungen stimmen avis votos reseñas opiniones valoraciones recensioni voti "
    "avaliações"
)
_SCALE_AHEAD = re.compile(
    r"(?:\d(?:st|nd|rd|th)?[*_]{0,2}(?:/|\s(?:of|von|sur|de|su|van|av|af|из|з)\s)|\bout of\s)[*_]{0,2}\Z", re.IGNORECASE
)
_GAIN = re.compile(r"\+\s?\d[\d.,]*\s?%")
_OFF = re.compile(r"[*_]{0,2}[ \u00a0]?off\b(?!-)", re.IGNORECASE)
_SAVED = re.compile(
    r"(?<![^\W_])(?:saves?|savings?|sparen|sie sparen|ersparnis|économisez|ahorras?|risparmi|bespaar)"
    r"(?:\s(?:up to|of))?[\s:*_]{0,4}[^\w\s]?\s?\Z",
    re.IGNORECASE,
)
_OF_THE_CLOCK = re.compile(r":\d|\s?Uhr\b")
_YEAR = re.compile(
    r"(?:1\d|20)\d\d(?!\d)(?=[.,;:)]?(?:\s*\Z|\s*\n|[.,;)]\s)|\s(?:by|as|and|with|when|und|von|et|par|y|por|e|da)\s)"
)
_YEAR_AHEAD = re.compile(r"(?<![^\W_])(?:in|since|seit|jahre?|en|depuis|desde|dal|nel|em|sinds)\s\Z", re.IGNORECASE)
"""What leads to a year: four plain digits with no word behind them that they could count."""

_FOUR_FIGURES = re.compile(r"(?:1\d|20)\d\d")
_TIMES_MORE = re.compile(r"(?:\s?[×x–-]\s?\d[\d.,]*){1,2}(?=\s?[^\W\d_])")
_WORDS = re.compile(r"[^\W\d_]+[²2]?")
_LEADING = re.compile(r"[^\d\n,;]*(?:[²2]\W*)?\Z")
_OUT_OF = re.compile(r"(?:\s?/\s?|\s(?:out of|von|sur|su)\s)(5|10|20|100)(?![\d/]|[.,]\d|\s?[^\W\d_°%])")
_MARKER = re.compile(r"^[ \t]*\Z", re.MULTILINE)
_MOST_STARS = 5
_SCALES = (5, 10, 20, 100)
_CODE_AHEAD = re.compile(r"[A-WYZa-wyz]\Z")
_HUNDRED = 100
_YEARS_NAMED = "years"
_REACH = 24
_SURE = 2
"""Units of one letter mean several things: metres, minutes, millions."""


def is_measured_otherwise(leaf: Leaf, match: Match, text: str) -> bool:
    """Tell whether a number stands in another unit or currency than the field's name says, or is a rating's scale."""
    if isinstance(leaf.value, str | bool) or not leaf.field:
        return False
    is_score = leaf.value in _SCALES and words_of_name(leaf.field)[-1:] == ["score"]
    is_rated = is_of_a_scale(leaf.name)
    if (is_score or is_rated) and _SCALE_AHEAD.search(text, max(0, match.start - _REACH), match.start):
        return True  # the 5 of "4.5/5", the 240 of "17th of 240"
    if is_rated and (
        currencies_at(text, match.start, match.end)
        or _is_of_another_scale(leaf, match, text)
        or _is_surely_measured(match, text)
    ):
        return True
    measure = measure_of(leaf.name)
    if measure == NameMeasure():
        return False
    if _is_read_otherwise(leaf, match, text, measure):
        return True
    if measure.is_paid and _is_saved(text, match) and "less" not in roles_of(leaf.name):
        return True  # "$5 off", "save $5"
    if measure.is_paid and _is_of_a_clock(text, match.start, match.end):
        return True
    if measure.is_paid and counts_beside_an_amount(text, match.start, match.end):
        return True  # "2 pairs from $349"
    stated = currencies_at(text, match.start, match.end)
    if stated:
        is_other = bool(measure.currencies) and measure.currencies.isdisjoint(stated)
        return measure.is_counted or measure.is_year or measure.unit is not None or is_other
    return _is_in_another_unit(leaf, match, text, measure)


def _is_in_another_unit(leaf: Leaf, match: Match, text: str, measure: NameMeasure) -> bool:
    beside = unit_beside(text, match.start, match.end) if measure.unit else None
    if beside and measure.unit and _is_of_one_kind(measure.unit, beside):
        return measure.unit != beside
    found = _BEHIND.match(text, match.end, match.end + _REACH)
    unit = unit_spelled(found[1]) if found else None
    if found is None or unit is None:
        return False
    if measure.unit is not None and _is_of_one_kind(measure.unit, unit):
        return measure.unit != unit
    if measure.is_year and not is_of_time(unit):
        return True
    is_counted = measure.is_counted and not (is_of_time(unit) and measure.is_year)
    is_other_than_paid = measure.is_paid and not (unit == _PERCENT and _FEE.search(leaf.name))
    return _is_surely_unit(found[1]) and (measure.is_sure or is_other_than_paid or is_counted)


def _is_surely_measured(match: Match, text: str) -> bool:
    found = _BEHIND.match(text, match.end, match.end + _REACH)
    unit = unit_spelled(found[1]) if found else None
    return found is not None and unit not in (None, _PERCENT) and _is_surely_unit(found[1])


def _is_of_one_kind(one: str, other: str) -> bool:
    return dimension_of(one) == dimension_of(other) or (is_of_time(one) and is_of_time(other))


def has_unit(match: Match, text: str) -> bool:
    """Tell whether a number stands in a unit or a currency."""
    return unit_behind(match, text) is not None or bool(currencies_at(text, match.start, match.end))


def is_in_unit_of(field: Field, match: Match, text: str) -> bool:
    """Tell whether a number is told as a field's name says: in its unit, its currency, any money, or as a year."""
    measure = measure_of("".join(field[-1:]))
    stated = currencies_at(text, match.start, match.end)
    if stated:
        return measure.is_paid and (not measure.currencies or not measure.currencies.isdisjoint(stated))
    if measure.is_year:
        return _FOUR_FIGURES.fullmatch(text, match.start, match.end) is not None
    if measure.unit is not None and unit_beside(text, match.start, match.end) == measure.unit:
        return True
    more = _TIMES_MORE.match(text, match.end, match.end + _REACH)
    end = more.end() if more else match.end
    found = _BEHIND.match(text, end, end + _REACH)
    unit = unit_spelled(found[1]) if found else None
    if unit is not None or measure.unit is None:
        return unit is not None and unit == measure.unit
    ahead = _LEADING.search(text, max(0, match.start - 2 * _REACH), match.start)
    words = _WORDS.findall(ahead[0]) if ahead else []
    return any(unit_spelled(word) == measure.unit for word in words if _is_surely_unit(word) or f"({word})" in text)


def _is_surely_unit(spelling: str) -> bool:
    """Tell whether a unit is spelled with more than one letter, which may mean several."""
    return len(spelling.casefold().removesuffix("s")) >= _SURE or not spelling.isascii() or spelling == "%"


def _is_of_another_scale(leaf: Leaf, match: Match, text: str) -> bool:
    """Tell whether a rating is given out of another number than the field's highest: "4/5", of a maximum of 10.

    How many gave it is no rating, either.
    """
    counted = _BEHIND.match(text, match.end, match.end + _REACH)
    is_given = is_rating(leaf.field[-1])
    if is_given and counted and counted[1].casefold() in _GIVERS:
        return True  # "1,204 reviews"
    highest = [most for view in leaf.views if isinstance(most := view.get("maximum"), int | float)]
    if not highest or max(highest) <= 1:
        return False
    if match.transform == "stars":
        return max(highest) > _MOST_STARS
    out_of = _OUT_OF.match(text, match.end, match.end + _REACH)
    return out_of is not None and int(out_of[1]) not in highest


def _is_read_otherwise(leaf: Leaf, match: Match, text: str, measure: NameMeasure) -> bool:
    """Tell whether a reading of a number is none of what a field asks for.

    So are "81 %" as 0.81 of ``humidity_percent``, "1,240 m" as millions of ``elevation_m``, "2,340" as a year, and
    "in 1998." as a count or a price.
    """
    is_of_code = _CODE_AHEAD.search(text, max(0, match.start - 1), match.start) is not None
    if is_of_code and not currencies_at(text, match.start, match.end):
        return True  # the 20 of "S20" and "IP20"
    if match.transform == "percent":
        return measure.unit == _PERCENT and not any(view.get("maximum") in (1, 1.0) for view in leaf.views)
    if match.transform == "scale":
        unit = unit_spelled(text[match.end - 1]) if not text[match.end - 2].isalpha() else None
        return unit is not None and measure.unit is not None and _is_of_one_kind(unit, measure.unit)
    said = text[match.start : match.end]
    out_of = _OUT_OF.match(text, match.end, match.end + _REACH)
    if out_of and (measure.is_paid or measure.unit is not None):
        return measure.unit != _PERCENT or int(out_of[1]) != _HUNDRED
    if text[match.end : match.end + 2] in (". ", ") ") and _MARKER.search(text, match.start - 8, match.start):
        return True  # The number of an item of a list.
    if measure.is_year:
        if match.transform != "era" and before_christ(text, match.start, match.end):
            return True
        is_of_figures = match.transform in (None, "number") and said[:1].isdecimal()
        return is_of_figures and not said.isdecimal() and _YEARS_NAMED not in leaf.field[-1].casefold()
    ahead = _YEAR_AHEAD.search(text, max(0, match.start - _REACH), match.start)
    return ahead is not None and _YEAR.match(text, match.start) is not None


def takes_off(leaf: Leaf, match: Match, text: str) -> bool:
    """Tell whether a number may be read as it is: one without its minus sign where the field says what is less.

    That is by the field's name, of percentages also where none of the text is a gain.
    """
    if match.transform not in UNSIGNED or "less" in roles_of(leaf.name):
        return True
    is_whole = isinstance(leaf.value, int) or float(str(leaf.value)).is_integer()
    return match.transform == UNSIGNED_PERCENT and is_whole and not _GAIN.search(text)


def _is_saved(text: str, match: Match) -> bool:
    ahead = text[max(0, match.start - _REACH) : match.start]
    return _OFF.match(text, match.end) is not None or _SAVED.search(ahead) is not None


def _is_of_a_clock(text: str, start: int, end: int) -> bool:
    """Tell whether a number is the hour or the minute of a time of day, or all of it: "10:30", "7.45 Uhr"."""
    before = text[max(0, start - 2) : start]
    return (before[-1:] == ":" and before[:1].isdigit()) or _OF_THE_CLOCK.match(text, end) is not None


def is_scaled_otherwise(leaf: Leaf, match: Match, text: str) -> bool:
    """Tell whether a word behind a number multiplies it, and the field's name does not say that it counts so.

    "$12.4m" is no ``revenue`` of 12.4, but one of ``revenue_millions``. A single letter says so behind money, or for
    what is counted in large numbers; elsewhere it may be a unit.
    """
    behind = text[match.end : match.end + 2].lstrip()[:1]
    if not (behind.isalpha() or behind == "¢") or match.transform in _READ_WITH_IT or isinstance(leaf.value, bool):
        return False
    if isinstance(leaf.value, str) and not _BARE_NUMBER.fullmatch(leaf.value):
        return False
    suffix = suffix_behind(text, match.end)
    if suffix is None or suffix.is_share or suffix.power in _powers_named(leaf):
        return False
    return suffix.word not in doubtful() or _is_surely_scaled(leaf, match, text, suffix)


def _is_surely_scaled(leaf: Leaf, match: Match, text: str, suffix: Suffix) -> bool:
    measure, letter = measure_of(leaf.name), suffix.word
    if measure.unit is not None:
        return False
    if suffix.power < 0:
        return measure.is_paid  # "99p", "50 Cent"
    is_glued = text[match.end].casefold() == letter[0]
    if letter == "k":
        return is_glued
    is_of_money = (measure.is_paid and is_glued) or bool(currencies_at(text, match.start, match.end))
    name = " ".join(spellings(leaf.field)[:1])
    return is_of_money or (letter in ("m", "b") and is_large(name))


def _powers_named(leaf: Leaf) -> set[int]:
    """Give the powers of ten that a field says, by its name or behind "in": "in millions of euros"."""
    words = [word.casefold() for word in " ".join(spellings(leaf.field)[:1]).split()]
    for view in leaf.views:
        for said in (view.get("title"), view.get("description")):
            found = _SCALED_NAME.findall(said) if isinstance(said, str) else []
            words += [word.strip(".").casefold() for phrase in found for word in phrase.split()]
    known = {**locales.scales(), **_POWERS_OF_NAMES}
    return {known[word] for word in words if word in known}


def unit_behind(match: Match, text: str) -> str | None:
    """Give the unit that stands right behind a number; None for none."""
    found = _BEHIND.match(text, match.end, match.end + _REACH)
    return unit_spelled(found[1]) if found else None
