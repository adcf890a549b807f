"""Numbers as they stand in texts of any locale: grouped, scaled, signed, with a currency or a percent sign."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

Number = int | float

_NUMERAL = re.compile(r"\d+(?:[.,'’٫٬]\d+)*")
_SPACED = re.compile(
    r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:[.,]\d{1,6})?(?!\d)|(?<=\d)[eE][+-]?\d{1,3}\b"
)
_SURELY_GROUPED = re.compile(r"\d[\u202f\u2009]\d|[ \u00a0]0\d\d")
"""A number with groups that nothing else can be: "000" of "285 000" is no number of its own."""

_SPLIT = re.compile(r"[.,'’٫٬]")
_SUFFIX = re.compile(
    r"\s?(?:(?P<percent>%|٪|percent\b|per\s?cent\b|prozent\b|pct\b)"
    r"|(?P<scale>(?:k|m|b|g|t|tsd|mio|mln|mrd|mld|bn|thousand|million(?:s|en)?|millones|milliarden?|billion(?:s|en)?"
    r"|trillion|lakh|crore|тыс|млн|млрд)(?![^\W\d_])|[万萬億亿천만억]))",
    re.IGNORECASE,
)
_NEXT_SCALE = re.compile(r"\s?(\d[\d,.]{0,8})\s?([万萬천만])")
_POWER = re.compile(
    r"\s?[×x⋅·*]\s?10(?:\^\{?(?P<caret>[-−–+]?\d{1,3})\}?|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3})|(?P<minus>[-−–]\d{1,3}))(?!\d)"
)
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−–", "+-0123456789--")
_FALLING = re.compile(
    r"(?:(?<![^\W_])(?:down|fell|lost|minus|moins|menos|meno|miinus|минус)\s|[▼▾↓⬇🔻]\ufe0f?\s?|マイナス|零下|영하\s?)[$€£¥₹]?\Z",
    re.IGNORECASE,
)
"""Words and arrows before a number that say that it is below zero, or by how much something fell."""

_FALLING_REACH = 12
_ENDS_OF_FALLING = frozenset("nltsoс▼▾↓⬇🔻ス下하")
_BEFORE_A_POWER = tuple("×x⋅·*")
_SCALES = {
    "k": 10**3, "tsd": 10**3, "thousand": 10**3, "тыс": 10**3, "천": 10**3, "万": 10**4, "萬": 10**4, "만": 10**4,
    "lakh": 10**5, "m": 10**6, "mio": 10**6, "mln": 10**6, "million": 10**6, "millions": 10**6, "millionen": 10**6,
    "millones": 10**6, "млн": 10**6, "crore": 10**7, "億": 10**8, "亿": 10**8, "억": 10**8, "b": 10**9, "g": 10**9,
    "bn": 10**9, "mrd": 10**9, "mld": 10**9, "milliarde": 10**9, "milliarden": 10**9, "billion": 10**9,
    "billions": 10**9, "billionen": 10**12, "млрд": 10**9, "t": 10**12, "trillion": 10**12,
}  # fmt: skip
_PLAIN_MARKS: dict[str, str] = {"’": "'", "٫": ".", "٬": ","}
_MINUS = "-−–"
_LONGEST_NUMERAL = 60
UNSIGNED = "unsigned_percent"
"""The transform of a percentage without its minus sign: what a discount of "-20 %" comes to, and a loss does not."""

_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}
_FRACTION = re.compile(r"(\d{1,6})?\s?([½¼¾⅓⅔⅛])")
_STARS = re.compile(r"★+")
NUMBER_WORDS = {
    word: number
    for number, words in enumerate(
        ("zero none no free gratis kostenlos gratuit", "one", "two", "three", "four", "five", "six", "seven", "eight",
         "nine", "ten", "eleven", "twelve")
    )
    for word in words.split()
}  # fmt: skip
"""Words that state a number; they prove it only within the record's own place."""

FREE = (
    "entrée libre", "entrée gratuite", "entrada libre", "entrada gratuita", "entrada franca", "ingresso libero",
    "ingresso gratuito", "eintritt frei", "gratuite", "gratuita", "gratuito", "kostenfrei", "for free", "fri entré",
    "gratuitement", "za darmo", "zdarma", "bezpłatnie", "wstęp wolny", "ingyenes", "ilmainen", "ücretsiz", "бесплатно",
    "безкоштовно",
    "δωρεάν", "miễn phí", "無料", "免费", "免費", "무료", "ฟรี", "مجاني", "مجانا", "חינם", "मुफ़्त", "निःशुल्क",
)  # fmt: skip
"""Phrases that state a price of 0, as weak as NUMBER_WORDS."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A numeral of a text: its place, one reading of it, and the transform that reads it so.

    ``whole`` is true for a numeral that is more than a run of digits ("2.5"): no value may end inside of it.
    """

    start: int
    end: int
    value: Number
    transform: str = "number"
    whole: bool = False


@lru_cache(maxsize=1024)
def words_of_number(value: Number) -> tuple[str, ...]:
    """Give the words that state a number, in the order in which they are known."""
    return tuple(word for word, number in NUMBER_WORDS.items() if number == value)


def scan_numbers(text: str) -> Iterator[Numeral]:
    """Give every reading of every numeral, in one pass a notation; readings of one numeral share their place.

    >>> [numeral.value for numeral in scan_numbers("1.299,00 € or 1,5")]
    [1299.0, 1.5]
    """
    spaced = list(_SPACED.finditer(text))
    grouped = [match.span() for match in spaced if _SURELY_GROUPED.search(match[0])]
    starts = [start for start, _ in grouped]
    for match in _NUMERAL.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        is_part = at >= 0 and match.end() <= grouped[at][1]
        if len(match[0]) <= _LONGEST_NUMERAL and not is_part:
            yield from _readings(text, match.start(), match.end(), match[0])
    yield from _spaced_numbers(text, spaced)
    for match in _FRACTION.finditer(text):
        whole = int(match[1] or 0)
        yield Numeral(match.start(), match.end(), whole + _FRACTIONS[match[2]], "fraction", whole=True)
    for match in _STARS.finditer(text):
        yield Numeral(match.start(), match.end(), len(match[0]), "stars")


def _spaced_numbers(text: str, spaced: Iterable[re.Match[str]]) -> Iterator[Numeral]:
    for match in spaced:
        if match[0][0] in "eE":
            yield from _scientific(text, match)
            continue
        digits = re.sub(r"\s", "", match[0])
        for value in interpret(digits)[:1] if digits.isdigit() else interpret(digits):
            yield from _with_context(text, match.start(), match.end(), value, whole=False)


def _scientific(text: str, match: re.Match[str]) -> Iterator[Numeral]:
    mantissa = re.search(r"\d+(?:\.\d+)?$", text[max(0, match.start() - 30) : match.start()])
    if mantissa:
        value = float(mantissa[0] + match[0])
        yield Numeral(match.start() - len(mantissa[0]), match.end(), value, whole=True)


def _readings(text: str, start: int, end: int, numeral: str) -> Iterator[Numeral]:
    values = interpret(numeral)
    whole = len(values) > 0 and not numeral.isdigit()
    for value in values:
        yield from _with_context(text, start, end, value, whole=whole)
    if not values:
        for piece in re.finditer(r"\d+", numeral):
            value = int(piece[0])
            yield from _with_context(text, start + piece.start(), start + piece.end(), value, whole=False)


def interpret(numeral: str) -> list[Number]:
    """Give the numbers that a numeral can stand for, none for a list, a version, a date, or what is too long for one.

    >>> interpret("1.299"), interpret("12,34,567"), interpret("0.125"), interpret("1.2.3")
    ([1.299, 1299], [1234567], [0.125], [])
    """
    if len(numeral) > _LONGEST_NUMERAL:
        return []
    if numeral.isdigit():
        return [int(numeral)]
    parts = _SPLIT.split(numeral)
    marks = [_PLAIN_MARKS.get(mark, mark) for mark in map(str, _SPLIT.findall(numeral))]
    if len(marks) == 1:
        return _one_mark(parts[0], marks[0], parts[1])
    if len(set(marks)) == 1:
        return [int("".join(parts))] if _is_grouped(parts, marks[0]) else []
    if marks[-1] != "'" and len(set(marks[:-1])) == 1 and marks[-1] != marks[0] and _is_grouped(parts[:-1], marks[0]):
        return [float(f"{''.join(parts[:-1])}.{parts[-1]}")]
    return []


def _one_mark(head: str, mark: str, tail: str) -> list[Number]:
    grouped: list[Number] = [int(head + tail)] if _is_grouped([head, tail], mark) and int(head) else []
    return grouped if mark == "'" else [float(f"{head}.{tail}"), *grouped]


def _is_grouped(parts: list[str], mark: str) -> bool:
    inner = {len(part) for part in parts[1:-1]}
    indian = mark == "," and inner == {2} and len(parts[0]) <= 2
    return len(parts[0]) <= 3 and len(parts[-1]) == 3 and (inner <= {3} or indian)


def _with_context(text: str, start: int, end: int, value: Number, *, whole: bool) -> Iterator[Numeral]:
    sign = text[end : end + 2].strip()[:1]
    power = _POWER.match(text, end) if sign in _BEFORE_A_POWER else None
    if power:
        yield _with_power(text, start, value, power)
    negative = _is_negative(text, start)
    signed = -value if negative else value
    suffix = _SUFFIX.match(text, end) if sign else None
    percent = suffix is not None and suffix["percent"] is not None
    yield Numeral(start, end, signed, whole=whole)
    if negative and percent:
        yield Numeral(start, end, value, UNSIGNED)
    if suffix and percent:
        yield Numeral(start, suffix.end(), round(signed / 100, 12), "percent")
    elif suffix:
        scale = _SCALES.get(suffix["scale"].casefold(), 1)
        lower = _NEXT_SCALE.match(text, suffix.end())
        rest = max(interpret(lower[1]), default=0) * _SCALES[lower[2]] if lower else 0
        whole_sum = signed * scale + (-rest if negative else rest)
        yield Numeral(start, (lower or suffix).end(), as_number(round(whole_sum, 6)), "scale")
    if not negative and value and _falls(text[max(0, start - _FALLING_REACH) : start]):
        yield Numeral(start, end, -value, "falling", whole=whole)
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        yield Numeral(start - 1, end + 1, -value, "accounting")


def _falls(before: str) -> bool:
    """Tell whether what stands before a number says that it is below zero, or by how much something fell."""
    last = before.rstrip("$€£¥₹").rstrip().rstrip("\ufe0f")[-1:].casefold()
    return last in _ENDS_OF_FALLING and _FALLING.search(before) is not None


def _with_power(text: str, start: int, value: Number, power: re.Match[str]) -> Numeral:
    """Give a number times a power of ten: "8.4 × 10^-16", "8.4×10⁻¹⁶", "8.4 x 10-16"."""
    exponent = (power["caret"] or power["raised"] or power["minus"]).translate(_RAISED)
    signed = -value if _is_negative(text, start) else value
    return Numeral(start, power.end(), as_number(float(f"{signed}e{exponent}")), "power", whole=True)


def _is_negative(text: str, start: int) -> bool:
    position = start - 1
    if position >= 0 and text[position] in "$€£¥₹":
        position -= 1
    if position < 0 or text[position] not in _MINUS:
        return False
    return position == 0 or not (text[position - 1].isalnum() or text[position - 1] in _MINUS)


def as_number(value: Number) -> Number:
    """Give an integral float as an int, so that equal numbers are one key."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
