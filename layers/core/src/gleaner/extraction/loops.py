"""Answers that repeat themselves until the model's limit ends them, as small models do: where the repetition begins.

Such an answer is no sign that the piece of the page was too long. Split in half, each half is asked about at the price
of a whole answer, and loops again.
"""

import re

LEAST_CHARS = 200
"""Characters of repetition: a row of zeros or of dashes is shorter, a loop goes on for thousands."""

LEAST_TIMES = 3
"""How often it says the same. Fewer is a pair of twins, which pages do have."""

_PROBE = 32
_REST_OF_WORD = re.compile(r"(?<=[^\s,\]}])[^\s,\]}]*")


def find_loop(text: str) -> tuple[int, int] | None:
    """Give where the repetition at a text's end begins, and how long what it repeats is; None without one. Linear.

    >>> find_loop("Here: " + "so it is, " * 40)
    (5, 10)
    >>> find_loop("Every word of this is another one. " * 2)
    """
    if len(text) < LEAST_CHARS or text.count(text[-_PROBE:]) < LEAST_TIMES:
        return None
    backwards = text[::-1]
    for period, match in enumerate(_self_matches(backwards, len(text) // LEAST_TIMES), start=1):
        repeated = period + match
        if repeated >= max(LEAST_CHARS, LEAST_TIMES * period):
            return len(text) - repeated, period
    return None


def without_loop(text: str) -> str:
    """Give a text up to where it begins to repeat itself, with what it repeats once.

    >>> without_loop('{"tags": ["oak", "ash"' + ', "elm", "fir"' * 50)
    '{"tags": ["oak", "ash", "elm", "fir"'
    """
    found = find_loop(text)
    if found is None:
        return text
    end = found[0] + found[1]
    rest = _REST_OF_WORD.match(text, end)  # what precedes the loop may end as it does: its last word is still to come
    return text[: rest.end() if rest and rest.end() - end < found[1] else end].rstrip()


def _self_matches(text: str, most: int) -> list[int]:
    """Give how many characters from each of the places 1 to ``most`` agree with the text's begin (the Z function)."""
    length, left, right = len(text), 0, 0
    matches = [0] * (most + 1)
    for place in range(1, most + 1):
        match = min(right - place, matches[place - left]) if place < right else 0
        while place + match < length and text[match] == text[place + match]:
            match += 1
        if place + match > right:
            left, right = place, place + match
        matches[place] = match
    return matches[1:]
