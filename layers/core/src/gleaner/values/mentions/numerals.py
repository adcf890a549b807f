"""Numbers as they stand in texts of any locale: grouped, scaled, signed, with a currency or a percent sign."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from gleaner.values.mentions.chinese_numerals import scan_kanji
from gleaner.values.mentions.grouping import FRACTION, ONE_NUMBER, SPACED, one_number_spans
from gleaner.values.mentions.money import currencies_at
from gleaner.values.money_signs import CURRENCY
from gleaner.values.numbers import LONGEST_NUMERAL, Number, as_number, interpret, times_ten
from gleaner.values.scales import Suffix, is_sure, suffix_behind

_WIDE = "(?<=[０-９])[，．](?=[０-９])"
_NUMERAL = re.compile(rf"\d+(?:(?:[.,'’٫٬]|{_WIDE})\d+)*")
_FALLING = re.compile(
    r"(?:(?<![^\W_])(?:down|fell|lost|moins|menos|meno)\s|[▼▾↓⬇🔻]\ufe0f?\s?)[$€£¥₹]?\Z", re.IGNORECASE
)
"""Words and arrows before a number that say that it is below zero, or by how much something fell."""

_BELOW_ZERO = re.compile(
    r"(?<!\d )(?:(?<![^\W_])(?:minus|miinus|минус)\s|マイナス|零下|영하\s?)[$€£¥₹]?\Z", re.IGNORECASE
)
"""Words that are a minus sign."""

_FALLING_REACH = 12
_ENDS_OF_FALLING = frozenset("nltsoс▼▾↓⬇🔻ス下하")
_BEFORE_A_LOSS = frozenset(" \n\t\u00a0\ufe0f$€£¥₹▼▾↓⬇🔻ス下하")
_SOUTH_OR_WEST = re.compile(r"\s?°\s?[SW](?![^\W_])")
_CLOSED = re.compile(r"\s?%?\)(?:\s?%)?")
_BRACKETED = re.compile(r"[^\W_]\(")
_CURRENCY_SIGNS = tuple("$€£¥₹")
_MONEY_SIGNS = frozenset(_CURRENCY_SIGNS)
_MINUS = "-−–－﹣"
UNSIGNED_PERCENT, UNSIGNED_AMOUNT = "unsigned_percent", "unsigned_amount"
UNSIGNED = frozenset((UNSIGNED_PERCENT, UNSIGNED_AMOUNT))
"""The transforms of a percentage, and of money, without a minus sign: what a discount of "-20 %" comes to, and a loss
does not."""

VERSION_PART = "version_part"
"""The transform of a number that is a part of a version, of a section's number, or of an address of a host."""

_SIGNS = "½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_FRACTIONS = {sign: unicodedata.numeric(sign) for sign in _SIGNS}
_FRACTION = re.compile(rf"(\d{{1,6}})?\s?([{_SIGNS}])")
_SLASHED = re.compile(r"(?<![\d.,/⁄])(?:(\d{1,3})\s)?(\d{1,2})⁄(\d{1,2})(?!\d)")
_PARTED = re.compile(r"\d/\d")
"""What every fraction of figures has: where a text has none, the slower pattern is not tried."""

SHORT_YEAR = "short_year"
"""The transform of a year that its last two figures stand for: "'98"."""

_APOSTROPHES = frozenset("'’‘")
_SHORT_YEAR = re.compile(r"(?<![^\W_])['’‘](\d\d)(?![\d'’\"”%]|[.,]\d)")
_MIDDLE = 50
_STARS = re.compile(r"★+")
_NEXT_MYRIADS = re.compile(r"\s?(\d[\d,.]{0,8})\s?([万萬천千만])|(?<=[万萬만])(\d{1,4})(?=[円元원])")
_RANGE_END = re.compile(r"\s?[-–—]\s?[$€£]?\d[\d.,]{0,8}")
"""What is behind the first number of a range whose scale only its end says: "95–120k"."""

_BETWEEN = r"[\s.,'’٫٬，．€°/⁄eE+\-−–×x⋅·*^{⁺⁻⁰¹²³⁴-⁹]{0,4}"
_BEGUN = re.compile(rf"(?:\d{_BETWEEN}|\.)\Z")
_GOES_ON = re.compile(rf"{_BETWEEN}[\d{_SIGNS}⁺⁻⁰¹²³⁴-⁹]|[-}}]|\s?°\s?[SW]|(?<=°)\s?[SW]|(?<=°\s)[SW]")
"""What stands before and behind a place within a numeral: figures, or signs of a numeral between it and figures."""

_GAP = "[*_ \u00a0]"
_CENTS = r"(\d\d)(?![\d%]|[.,:/-]\d)"
_CLOSES = rf"(?={_GAP}*(?:$|[|\n;)]))"
_PRICE_IN_PARTS = re.compile(
    rf"(?<![\d.,])(?<!\d )(\d{{1,3}}(?:[.,' ]\d{{3}}){{1,2}}|\d{{1,6}})"
    rf"(?:{_GAP}{{0,5}}{CURRENCY}{_GAP}{{1,5}}{_CENTS}{_CLOSES}|[.,]?{_GAP}{{1,5}}{_CENTS}(?:{_CLOSES}|(?={_GAP}{{0,5}}{CURRENCY})))"
)
"""What may be a price whose cents have a place of their own: around its sign, or with the sign before or behind it."""

_REACH, _FAR = 6, 24
_BESIDE_A_GAIN = re.compile(r"\+\d[\d.,]*[ /|,]{1,3}[-−–]\Z")
"""What is before the lines that a change takes away: "+270 -241"."""

_DASHES = frozenset("-–—")
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−–", "+-0123456789--")


_BEHIND_AN_ERA = re.compile(
    r"(?:\s?[-–—]\s?\d{1,4})?[ \u00a0\u202f]?"
    r"(?:B\.?C\.?(?:E\b\.?)?(?![^\W_])|v\.\s?(?:Chr|u\.\s?Z)\b\.?|av(?:ant)?\.?\s?J\.?[- ]?C\b\.?|a\.\s?(?:de\s)?C\."
    r"|до\s?н\.\s?[эе]\."
    r"|p\.\s?n\.\s?e\.|př\.\s?n\.\s?l\.|f\.\s?Kr\b\.?|eKr\b|v\.\s?C\.|î\.\s?(?:e\.\s?n|Hr)\.|i\.\s?e\.\s?sz\.|M\.?Ö\.?(?!\w)|π\.\s?Χ\."
    r"|TCN\b|ق\.\s?م|قبل الميلاد|לפנה[״\"]ס)"
)
_AHEAD_OF_AN_ERA = re.compile(r"(?:(?:公元|紀元|纪元|西元|(?<![\u3400-\u9fff]))前|기원전\s?|(?<![^\W_])BCE?\s?)\Z")
_ENDS_AHEAD_OF_AN_ERA = "前전CE"
"""What such words before a year end with."""

_ERA_REACH = 24
_LAST_YEAR = 9_999
_OUR_YEARS = range(1_500, 2_200)
"""Years that are our own, whatever stands beside them: 2020 of 以前2020年."""


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


def scan_numbers(text: str) -> Iterator[Numeral]:
    """Give every reading of every numeral, in one pass a notation; readings of one numeral share their place.

    >>> [numeral.value for numeral in scan_numbers("1.299,00 € or 1,5")]
    [1299.0, 1.5]
    """
    spaced, others = list(SPACED.finditer(text)), list(ONE_NUMBER.finditer(text))
    fractions = list(FRACTION.finditer(text)) if _PARTED.search(text) else []
    whole = sorted(one_number_spans(text, spaced, others, fractions))
    starts = [start for start, _ in whole]
    for match in _NUMERAL.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        is_part = at >= 0 and match.end() <= whole[at][1]
        if len(match[0]) <= LONGEST_NUMERAL and not is_part and not _is_short_year(text, match):
            yield from _readings(text, match.start(), match.end(), match[0])
    yield from _spaced_numbers(text, spaced, set(whole))
    yield from _fractions(text, fractions)
    for match in _SHORT_YEAR.finditer(text) if not _APOSTROPHES.isdisjoint(text) else ():
        yield from (Numeral(*match.span(), century + int(match[1]), SHORT_YEAR) for century in _centuries(match[1]))
    for match in _STARS.finditer(text) if "★" in text else ():
        yield Numeral(match.start(), match.end(), len(match[0]), "stars")
    for match in others:
        yield from _whole_number(text, match)
    for start, end, value in scan_kanji(text):
        yield Numeral(start, end, value, "kanji")
    yield from _prices_in_parts(text)


def _prices_in_parts(text: str) -> Iterator[Numeral]:
    """Give the prices whose cents shops draw apart from their units: "35, 99 €", "35 € 99", "$35 99"."""
    for match in _PRICE_IN_PARTS.finditer(text):
        units, around, cents = match.groups()
        if around or currencies_at(text, *match.span()):
            whole = re.sub(r"\D", "", units)
            yield Numeral(*match.span(), float(f"{whole}.{around or cents}"), "cents_apart")


def _is_short_year(text: str, match: re.Match[str]) -> bool:
    """Tell whether a number is the end of a year, and nothing by itself: the 98 of "'98"."""
    is_led = match.start() > 0 and text[match.start() - 1] in _APOSTROPHES
    return is_led and _SHORT_YEAR.match(text, match.start() - 1) is not None


def _centuries(year: str) -> tuple[int, ...]:
    """Give the centuries that a year of two figures may be of: this one up to its middle, and the last."""
    return (1900, 2000) if int(year) < _MIDDLE else (1900,)


def may_part_a_numeral(text: str, place: int) -> bool:
    """Tell whether a place may lie within a numeral that is more than a run of digits, by the signs on both its sides.

    False is certain, and costs no reading of the text's numbers.

    >>> [may_part_a_numeral("| 1,299 kg |", place) for place in (1, 2, 3, 4, 7)]
    [False, False, True, True, False]
    """
    return _GOES_ON.match(text, place) is not None and _BEGUN.search(text, max(0, place - _REACH), place) is not None


def _fractions(text: str, slashed: Iterable[re.Match[str]]) -> Iterator[Numeral]:
    for match in _FRACTION.finditer(text) if any(sign in text for sign in _SIGNS) else ():
        whole = int(match[1] or 0)
        start = match.start() if match[1] else match.start(2)
        yield Numeral(start, match.end(), whole + _FRACTIONS[match[2]], "fraction", whole=True)
    simple = ((match, *match[2].split("/")) for match in slashed)
    signed = _SLASHED.finditer(text) if "⁄" in text else ()
    for match, upper, lower in [*simple, *((match, match[2], match[3]) for match in signed)]:
        if int(lower):
            value = int(match[1] or 0) + int(upper) / int(lower)
            yield Numeral(match.start(), match.end(), as_number(value), "fraction", whole=match[1] is not None)


def _spaced_numbers(text: str, spaced: Iterable[re.Match[str]], sure: Container[tuple[int, int]]) -> Iterator[Numeral]:
    for match in spaced:
        if match[0][0] in "eE":
            yield from _scientific(text, match)
            continue
        digits = re.sub(r"\s", "", match[0])
        for value in interpret(digits)[:1] if digits.isdigit() else interpret(digits):
            yield from _with_context(text, match.start(), match.end(), value, whole=match.span() in sure)


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
        transform = VERSION_PART if numeral.replace(".", "").isdigit() else "number"
        for piece in re.finditer(r"\d+", numeral):
            yield Numeral(start + piece.start(), start + piece.end(), int(piece[0]), transform)


def _with_context(text: str, start: int, end: int, value: Number, *, whole: bool) -> Iterator[Numeral]:
    sign = text[end : end + 2].strip()[:1]
    negative = _is_negative(text, start)
    signed = -value if negative else value
    suffix = suffix_behind(text, end) if sign else None
    percent = suffix is not None and suffix.is_share and suffix.power == -2
    hemisphere = _SOUTH_OR_WEST.match(text, end) if sign == "°" and value and not negative else None
    if hemisphere is None or isinstance(value, int):
        yield Numeral(start, end, signed, whole=whole)
    if hemisphere:
        yield Numeral(start, hemisphere.end(), -value, "hemisphere", whole=whole)
    if negative and percent:
        yield Numeral(start, end, value, UNSIGNED_PERCENT)
    elif negative and (
        sign in _CURRENCY_SIGNS
        or not _MONEY_SIGNS.isdisjoint(text[max(0, start - 2) : start])
        or _BESIDE_A_GAIN.search(text, max(0, start - _FAR), start)
    ):
        yield Numeral(start, end, value, UNSIGNED_AMOUNT)
    if suffix and suffix.is_share:
        yield Numeral(start, suffix.end, round(signed / 10**-suffix.power, 12), "percent")
    elif suffix:
        yield _scaled(text, start, signed, suffix)
    elif (
        not _DASHES.isdisjoint(text[end : end + 2])
        and (behind := _RANGE_END.match(text, end))
        and (power := _power_of_range(text, behind.end()))
    ):
        yield Numeral(start, end, times_ten(signed, power), "scale")
    if not negative and isinstance(value, int) and (era := before_christ(text, start, end)):
        yield Numeral(era[0], era[1], -value, "era", whole=whole)
    if not negative and value and _says_less(text, start, _FALLING):
        yield Numeral(start, end, -value, "falling", whole=whole)
    bracket = start - 2 if text[start - 1 : start] in _CURRENCY_SIGNS else start - 1
    if (
        text[bracket : bracket + 1] == "("
        and (closed := _CLOSED.match(text, end))
        and _may_be_a_loss(text, bracket, closed.end())
    ):
        yield Numeral(bracket, closed.end(), -value, "accounting")


def _scaled(text: str, start: int, signed: Number, suffix: Suffix) -> Numeral:
    """Give a number times its scale, with what follows in a smaller one: "3万2千"."""
    lower = _NEXT_MYRIADS.match(text, suffix.end)
    scaled = times_ten(signed, suffix.power)
    if lower is None:
        return Numeral(start, suffix.end, scaled, "scale")
    following = suffix_behind(lower[2], 0) if lower[2] else None
    rest = times_ten(max(interpret(lower[1] or lower[3]), default=0), following.power if following else 0)
    return Numeral(start, lower.end(), as_number(scaled - rest if signed < 0 else scaled + rest), "scale")


def _power_of_range(text: str, end: int) -> int:
    """Give the power of ten behind the last number of a range; 0 for a word that may mean something else."""
    suffix = suffix_behind(text, end)
    if suffix is None or suffix.power < 0 or not is_sure(suffix.word) or text[suffix.end : suffix.end + 1].isalnum():
        return 0
    return suffix.power


def _may_be_a_loss(text: str, start: int, end: int) -> bool:
    """Tell whether brackets may be a minus sign: not behind a letter or figure, "41(3)", and not around plain figures
    or shares in a line of text, "★ 4.6 (213)", "12,408 votes (41.3%)"."""
    is_plain = text[start + 1 : end - 1].isdecimal() or text[end - 2] in "%٪"
    return not _BRACKETED.match(text, start - 1) and not (is_plain and not _is_in_row(text, start))


def _is_in_row(text: str, start: int) -> bool:
    return text.startswith("|", text.rfind("\n", 0, start) + 1)


def _says_less(text: str, start: int, words: re.Pattern[str]) -> bool:
    """Tell whether what stands before a number says that it is below zero, or by how much something fell."""
    if text[start - 1 : start] not in _BEFORE_A_LOSS:
        return False
    before = text[max(0, start - _FALLING_REACH) : start]
    last = before.rstrip("$€£¥₹").rstrip().rstrip("\ufe0f")[-1:].casefold()
    return last in _ENDS_OF_FALLING and words.search(before) is not None


def _whole_number(text: str, match: re.Match[str]) -> Iterator[Numeral]:
    """Give the number that one of ONE_NUMBER is, if any: "8.4 × 10^-16", "8.4×10⁻¹⁶", "10^6", ".99", "12€50"."""
    exponent = match["caret"] or match["raised"] or match["minus"] or match["alone"]
    if exponent:
        sign = "-" if _is_negative(text, match.start()) else ""
        for value in interpret(match["mantissa"] or "1"):
            power = as_number(float(f"{sign}{value}e{exponent.translate(_RAISED)}"))
            yield Numeral(*match.span(), power, "power", whole=True)
    elif match["owed"]:
        for value in interpret(match["owed"]):
            yield Numeral(*match.span(), -value, "minus_behind", whole=True)
    elif decimals := match["decimals"] or match["cents"]:
        yield from _with_context(text, *match.span(), float(f"{match['units'] or 0}.{decimals}"), whole=True)


def _is_negative(text: str, start: int) -> bool:
    if _says_less(text, start, _BELOW_ZERO):
        return True
    position = start - 1
    if position >= 0 and text[position] in "$€£¥₹":
        position -= 1
    if position < 0 or text[position] not in _MINUS:
        return False
    return position == 0 or not (text[position - 1].isalnum() or text[position - 1] in _MINUS)


def before_christ(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Give the place of a year with what says that it is before Christ; None for any other number.

    >>> text = "from 753 BC to AD 476, 100–44 v. Chr., 公元前221年"
    >>> [before_christ(text, at, at + 3) is not None for at in (5, 18, 23, 42)]
    [True, False, True, True]
    """
    if end - start > len(str(_LAST_YEAR)) or not text[start:end].isdecimal():
        return None
    if int(text[start:end]) in _OUR_YEARS:
        return None
    behind = _BEHIND_AN_ERA.match(text, end, end + _ERA_REACH)
    if behind:
        return start, behind.end()
    last = text[start - 1 : start]
    last = text[start - 2 : start - 1] if last.isspace() else last
    if not last or last not in _ENDS_AHEAD_OF_AN_ERA:
        return None
    ahead = _AHEAD_OF_AN_ERA.search(text, max(0, start - _ERA_REACH), start)
    return (ahead.start(), end) if ahead else None
