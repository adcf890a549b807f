"""The few texts that stand where a field has no value, or 0: "Free delivery", "No comments"."""

import re
from collections import Counter
from collections.abc import Sequence

from gleaner.coercion.words import says_nothing
from gleaner.contracts.ports import JsonValue
from gleaner.recipes.decoding import NOTHING

_LONGEST_WORD = 40
_MOST_NOTHING = 3
_DIGIT = re.compile(r"\d")


def texts_for_nothing(pairs: Sequence[tuple[str | None, JsonValue]], least: int) -> tuple[str, ...]:
    """Give the few texts that stand where there is no value, ``least`` times each; none when those say something, too.

    Words where a number is named need to be seen once only: "Floor: ground".
    """
    empty = Counter(text for text, value in pairs if value is None and text is not None and text not in NOTHING)
    spoken = {text for text, value in pairs if value is not None}
    is_plain = all(
        says_nothing(text) or (count >= least and len(text) <= _LONGEST_WORD and not _DIGIT.search(text))
        for text, count in empty.items()
    )
    return tuple(sorted(empty)) if is_plain and len(empty) <= _MOST_NOTHING and spoken.isdisjoint(empty) else ()


def texts_for_zero(pairs: Sequence[tuple[str | None, JsonValue]]) -> tuple[str, ...]:
    """Give the few texts without a digit that stand for 0 ("No comments"); none when those say something else, too."""
    said = [(text, value) for text, value in pairs if text is not None and not _DIGIT.search(text)]
    found = {text for text, value in said if type(value) is int and value == 0 and len(text) <= _LONGEST_WORD}
    is_plain = not any(text in found and value != 0 for text, value in said)
    return tuple(sorted(found)) if is_plain and len(found) <= _MOST_NOTHING else ()
