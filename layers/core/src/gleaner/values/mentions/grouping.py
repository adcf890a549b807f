"""Numerals of several parts that are one number, or none: no part of them is a number of its own.

"1 450 EUR" says neither 1 nor 450, "+49 30 1234567" no 30, "1.5e3" no 3 and "25 m2" no 2. What is in doubt is not given
here: "15 256" may be two counts side by side.
"""

import re
from collections.abc import Iterable, Iterator

from gleaner.contracts.word_lists import listed
from gleaner.values.money_signs import CURRENCY

_SPACE = "[ \u00a0\u202f\u2009]"
SPACED = re.compile(
    rf"[\deE](?:(?<=\d)(?<![\d.,]\d)(?<!\d{_SPACE}\d)\d{{0,2}}(?:{_SPACE}\d{{3}})+(?:[.,]\d{{1,6}})?(?!\d)"
    r"|(?<=\d[eE])[+-]?\d{1,3}\b)"
)
"""Digits in groups of three with blanks between them, and the power of ten of "1.5e3"."""

_SURELY_GROUPED = re.compile(r"\d[\u00a0\u202f\u2009]\d|[ \u00a0]0\d\d")
"""Groups that nothing else can be: "000" of "285 000" is no number of its own, nor is what a fixed blank joins."""

_PAID_BEHIND = re.compile(rf"{_SPACE}?{CURRENCY}(?![^\W_])(?!{_SPACE}?\d)")
_PAID_AHEAD = re.compile(rf"(?<![^\W_]){CURRENCY}{_SPACE}?[-−–]?\Z")
_CLOSES = re.compile(r"[*_ ]*(?:$|[|\n,;)/]|\.(?!\d))")
_TWO = 2
_SAMPLE = 200_000
_LONGEST_SIGN = 6
_MORE_FIGURES = re.compile(rf"{_SPACE}\d")
_GROUPED_OTHERWISE = re.compile(
    rf"{CURRENCY}{_SPACE}?(?:\d{{4,}}|\d{{1,3}}[.,’']\d{{3}}(?!\d))"
    rf"|(?<![\d.,])(?:\d{{4,}}|\d{{1,3}}[.,’']\d{{3}})(?:[.,]\d\d)?{_SPACE}?{CURRENCY}(?![^\W_])"
)
"""Money of a thousand or more that is written without blanks: then blanks part numbers."""

_PHONE = (
    r"(?<![\w+])\+\d(?:[ \u00a0()./-]{0,2}\d){7,14}(?!\d)"
    r"|(?<![\w.,+/-])0\d{2,4}(?:[ \u00a0-]\d{2,4}){2,4}(?![\d.,/-]\d|\d)"
)
_BOOK = r"(?<![\d-])97[89](?:[ -]\d{1,7}){3}[ -][\dX](?![\d-])"
_SCIENTIFIC = r"(?<![\w.,])\d+(?:[.,]\d+)?[eE][+-]?\d{1,3}(?!\w)"
_RAISED_UNIT = r"(?:(?<=\dm)|(?<=\d\sm)|(?<=\d[kcdm]m)|(?<=\d\s[kcdm]m)|(?<=\dft)|(?<=\d\sft))[23](?![^\W_])"
_AROUND_A_SIGN = r"(?<![\d.,€])(?P<units>\d{1,6})€(?P<cents>\d\d)(?!\d|[.,]\d|\s?€)"
_AHEAD_OF_DECIMALS = r"(?:(?<=[\s|($€£¥+−*_-])|^)\.(?P<decimals>\d{1,4})(?![\d.])"
_CODE = r"(?<![^\W_])[A-Z]{1,5}(?P<code>-\d{1,6})+(?![^\W_])"
_SIGNED_FRACTION = r"(?<![\d.,])\d{1,6} ?[½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]"
_FORMULA = (
    r"(?<![^\W_])(?:(?!S\d+E\d|P\d)[A-Z][a-z]?\d{1,2}(?=[A-Z])(?:[A-Z][a-z]?\d{0,2}){1,6}"
    r"|(?:CO|SO|NO|CH|NH)\d)(?![^\W_])"
)
_RESULT = r"(?:=|≈|\\approx)\s*[-−]?\d[\d.,]*\s*(?:(?:\\[,;:!% ]|~|\\(?:mathrm|text|operatorname)\b)[^$\n]*)?\$"
_EXPRESSION = (
    rf"(?<![\w\\])\$\$?(?=[^\s$])(?=[^$\n]*[^$\s]\$(?!\d))(?=[^$\n]*(?:\\[A-Za-z]|[\^_]))(?:(?!{_RESULT})[^$\n])+"
    r"|\\\([^\n]{0,400}?\\\)|\\\[[^\n]{0,400}?\\\]"
    r"|(?:\\[A-Za-z]+(?:\[[^\]\n]{0,50}\])?|[\^_])(?:\{[^{}\n]{0,200}\})+"
    r"|(?:√|(?<![^\W_])sqrt)(?:\s?\([^()\n]{0,200}\)|\s?\d+(?:[.,]\d+)?)"
    r"|(?<![\d.,/⁄])(?:\d{1,3}\s)?\d{1,2}⁄\d{1,2}(?!\d)"
)
"""A formula, but for the number that it comes to ("= 5$"): a number within it is not the formula's value."""

_TRAILING_MINUS = r"(?<![\w.,])(?P<owed>\d{1,3}(?:[.,]?\d{3})*[.,]\d\d)-(?=[ \t]*(?:[|\n;]|$))"
_POWER = (
    r"(?<![\d.,])(?:(?P<mantissa>\d+(?:[.,]\d+)?)\s?[×x⋅·*]\s?10(?:\^\{?(?P<caret>[-−–+]?\d{1,3})\}?"
    r"|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3})|(?P<minus>[-−–]\d{1,3}))|10\^\{?(?P<alone>[-−–+]?\d{1,3})\}?)(?!\d)"
)
_KINDS = (
    _EXPRESSION,
    _SIGNED_FRACTION,
    _FORMULA,
    _TRAILING_MINUS,
    _CODE,
    _PHONE,
    _BOOK,
    _SCIENTIFIC,
    _RAISED_UNIT,
    _AROUND_A_SIGN,
    _AHEAD_OF_DECIMALS,
    _POWER,
)
ONE_NUMBER = re.compile(rf"(?=[\d+.A-Z$\\√^_]|sqrt)(?:{'|'.join(_KINDS)})")
"""Codes ("TX-20"), formulas ("H2O"), telephone numbers, powers, the 2 of "m2", decimals behind a mark or sign (".99"),
and amounts with their minus sign behind ("120.50-")."""

_UNITS = listed("""
cup cups tsp tbsp teaspoon teaspoons tablespoon tablespoons oz ounce ounces lb lbs pound pounds pint pints quart quarts
gallon gallons inch inches in mile miles hour hours litre liter stick sticks kg l dl el tl tasse tassen liter packung
bund teaspoonful onion lemon bunch clove cloves can pinch
""")
_PARTS = "1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8"
_PART_OF_ONE = "|".join(_PARTS.split())
FRACTION = re.compile(rf"(?<![\d/.,-])(?:(\d{{1,3}})[ \u00a0-])?({_PART_OF_ONE})(?![\d/]|[.,]\d)")
"""A fraction of small numbers, perhaps behind a whole one: "1/2", "2 3/4"."""

_WORD_BEHIND = re.compile(r"[\s\"”″]{0,2}([^\W\d_]*)")


def one_number_spans(
    text: str, spaced: Iterable[re.Match[str]], others: Iterable[re.Match[str]], fractions: Iterable[re.Match[str]]
) -> Iterator[tuple[int, int]]:
    """Give the places of numbers of several parts, in no order, of what SPACED, ONE_NUMBER and FRACTION found.

    >>> text = "Flat: 1 450 EUR, 15 256 views, +49 30 1234567, 2 1/2 cups"
    >>> found = one_number_spans(text, *(one.finditer(text) for one in (SPACED, ONE_NUMBER, FRACTION)))
    >>> [text[start:end] for start, end in sorted(found)]
    ['1 450', '+49 30 1234567', '2 1/2']
    """
    paid = None
    for match in spaced:
        sure = match[0][0] not in "eE" and _is_grouped(text, match)
        if sure is None:
            paid = _GROUPED_OTHERWISE.search(text, 0, _SAMPLE) is None if paid is None else paid
            sure = paid
        if sure:
            yield match.span()
    yield from (match.span() for match in others if not match["minus"])
    yield from (match.span() for match in fractions if is_measured(text, match))


def _is_grouped(text: str, match: re.Match[str]) -> bool | None:
    """Tell whether digits with blanks between them can be nothing but one number; None for money."""
    start, end = match.span()
    if _SURELY_GROUPED.search(match[0]) or (len(match[0].split()) > _TWO and not _MORE_FIGURES.match(text, end)):
        return True
    is_paid = _PAID_BEHIND.match(text, end) or (
        _CLOSES.match(text, end) and _PAID_AHEAD.search(text, max(0, start - _LONGEST_SIGN), start)
    )
    return None if is_paid else False


def is_measured(text: str, match: re.Match[str]) -> bool:
    """Tell whether a fraction is an amount: behind a whole number or before a unit, and no page or score."""
    unit = _WORD_BEHIND.match(text, match.end())
    return match[1] is not None or (unit is not None and unit[1].casefold() in _UNITS)
