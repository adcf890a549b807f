"""Decide whether a page is text, or binary noise sent as a page."""

import re

_CONTROL = re.compile("[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
"""What no text holds but by accident. Terminals' escapes and overstrikes are text."""
_LOST = re.compile("\ufffd")
_CODE = re.compile(r"<(/?)(?:script|style)\b", re.IGNORECASE)

_LEAST = 20
_SHARES = ((_CONTROL, 0.01, "are controls"), (_LOST, 0.04, "could not be decoded"))
"""Of random or packed bytes a tenth are controls. A page whose accents were lost on their way is still a page."""

NO_TEXT = "the page is not, or not only, text"


def illegible(html: str) -> str:
    """Say how much of a page, its scripts left out, is no text; "" for a page that is.

    >>> illegible("<p>Caf\ufffd</p>"), illegible("\x02\x84#k&" * 50)
    ('', 'the page is not, or not only, text: 40 % of its characters are controls')
    """
    if not any(mark.search(html) for mark, _, _ in _SHARES):
        return ""
    text = "".join(_beside_code(html))
    for mark, share, what in _SHARES:
        odd = sum(1 for _ in mark.finditer(text))
        if odd >= max(_LEAST, share * len(text)):
            return f"{NO_TEXT}: {round(100 * odd / len(text))} % of its characters {what}"
    return ""


def _beside_code(html: str) -> list[str]:
    """Give the runs of a page that stand in no script and no style sheet."""
    runs, start = list[str](), 0
    is_code = False
    for mark in _CODE.finditer(html):
        if not is_code:
            runs.append(html[start : mark.start()])
        is_code, start = not mark[1], mark.start()
    return runs if is_code else [*runs, html[start:]]
