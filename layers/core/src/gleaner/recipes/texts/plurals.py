"""Words after a number that change with it: "44 comments" and "1 comment" end alike."""

import re
from itertools import takewhile

_ONE = re.compile(r"(?<![\d.,])1(\s?[^\W\d_]{2}.*)")
_INFLECTED = re.compile(r"[^\W\d_]{0,3}")
_LETTERS = re.compile(r"[^\W\d_]{3}")


def end_of(text: str, suffix: str) -> int | None:
    """Give how long the end of a text is that is the suffix, or stands for it after the number 1; None for no such end.

    >>> end_of("44 comments", " comments"), end_of("1 comment", " comments"), end_of("1 like", " comments")
    (9, 8, None)
    """
    if text.endswith(suffix):
        return len(suffix)
    one = _ONE.search(text)
    if one is None:
        return None
    shared = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one[1], suffix, strict=False)))
    rests = {_INFLECTED.sub("", each[len(shared) :], count=1) for each in (one[1], suffix)}
    return len(one[1]) if _LETTERS.search(shared) and len(rests) == 1 else None
