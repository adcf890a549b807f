"""Numbers in Chinese numerals: 三千五百円 is 3500, 二〇二六年 the year 2026."""

import re
from collections.abc import Iterator
from functools import cache

from gleaner.values import locales

_DIGITS = {sign: number for number, signs in enumerate(("〇零", "一壱", "二弐两", *"三四五六七八九")) for sign in signs}
_TENS = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8}
NUMERAL = f"[{''.join((*_DIGITS, *_TENS, *_LARGE))}]{{1,16}}"
_KNOWN = frozenset((*_DIGITS, *_TENS, *_LARGE))
_ANY = re.compile(f"[{''.join(sorted(_KNOWN))}]")


@cache
def _counted() -> re.Pattern[str]:
    counters = "".join(sorted(locales.words("counters")))
    return re.compile(
        rf"(?<![\u4e00-\u9fff])(?:第)?({NUMERAL})(?=[{counters}])|(?<=[约約价價計计])({NUMERAL})(?=[{counters}])"
    )


def scan_kanji(text: str) -> Iterator[tuple[int, int, int]]:
    """Give the numbers before words for what is counted: start, end, value.

    >>> [value for _, _, value in scan_kanji("三千五百円、二十名、二〇二六年、千葉市、一般")]
    [3500, 20, 2026]
    """
    if text.isascii() or not _ANY.search(text):
        return
    for match in _counted().finditer(text):
        group = 1 if match[1] else 2
        value = read_kanji(match[group])
        if value is not None:
            yield *match.span(group), value


def read_kanji(numeral: str) -> int | None:
    """Read a number in Chinese numerals, place by place (二〇二六) or with tens and hundreds; None for neither.

    >>> read_kanji("千二百三十四"), read_kanji("三億二千万"), read_kanji("一九"), read_kanji("十百")
    (1234, 320000000, 19, None)
    """
    if not _KNOWN.issuperset(numeral):
        return None
    if all(sign in _DIGITS for sign in numeral):
        return int("".join(str(_DIGITS[sign]) for sign in numeral))
    total, section, digit, last_ten, last_large = 0, 0, -1, 10**4, 10**12
    for sign in numeral:
        if sign in _DIGITS:
            if digit > 0:
                return None
            digit = _DIGITS[sign]
        elif sign in _TENS:
            if _TENS[sign] >= last_ten:
                return None
            last_ten = _TENS[sign]
            section, digit = section + (1 if digit < 0 else digit) * last_ten, -1
        else:
            section += max(digit, 0)
            if _LARGE[sign] >= last_large or not section:
                return None
            last_large = _LARGE[sign]
            total, section, digit, last_ten = total + section * last_large, 0, -1, 10**4
    return total + section + max(digit, 0)
