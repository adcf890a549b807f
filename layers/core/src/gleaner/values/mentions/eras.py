"""Years before Christ: "753 BC", "753 v. Chr.", 前753年 are -753, and no 753 of a year."""

import re

_BEHIND = re.compile(
    r"(?:\s?[-–—]\s?\d{1,4})?[ \u00a0\u202f]?"
    r"(?:B\.?C\.?(?:E\b\.?)?(?![^\W_])|v\.\s?(?:Chr|u\.\s?Z)\b\.?|av(?:ant)?\.?\s?J\.?[- ]?C\b\.?|a\.\s?(?:de\s)?C\."
    r"|до\s?н\.\s?[эе]\."
    r"|p\.\s?n\.\s?e\.|př\.\s?n\.\s?l\.|f\.\s?Kr\b\.?|eKr\b|v\.\s?C\.|î\.\s?(?:e\.\s?n|Hr)\.|i\.\s?e\.\s?sz\.|M\.?Ö\.?(?!\w)|π\.\s?Χ\."
    r"|TCN\b|ق\.\s?م|قبل الميلاد|לפנה[״\"]ס)"
)
_AHEAD = re.compile(r"(?:(?:公元|紀元|纪元|西元|(?<![\u3400-\u9fff]))前|기원전\s?|(?<![^\W_])BCE?\s?)\Z")
_ENDS_AHEAD = "前전CE"
"""What such words before a year end with."""

_REACH = 24
_LAST = 9_999
_NOW = range(1_500, 2_200)
"""Years that are our own, whatever stands beside them: 2020 of 以前2020年."""


def before_christ(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Give the place of a year with what says that it is before Christ; None for any other number.

    >>> text = "from 753 BC to AD 476, 100–44 v. Chr., 公元前221年"
    >>> [before_christ(text, at, at + 3) is not None for at in (5, 18, 23, 42)]
    [True, False, True, True]
    """
    if end - start > len(str(_LAST)) or not text[start:end].isdecimal():
        return None
    if int(text[start:end]) in _NOW:
        return None
    behind = _BEHIND.match(text, end, end + _REACH)
    if behind:
        return start, behind.end()
    last = text[start - 1 : start]
    last = text[start - 2 : start - 1] if last.isspace() else last
    if not last or last not in _ENDS_AHEAD:
        return None
    ahead = _AHEAD.search(text, max(0, start - _REACH), start)
    return (ahead.start(), end) if ahead else None
