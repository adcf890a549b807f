"""The regular expressions of JSON Schema (ECMA-262), compiled for Python and bounded in time.

Python's ``re`` differs where it matters: ``$`` matches before a last newline, ``\\d`` matches digits of any script,
``\\p{L}`` and ``(?<name>…)`` are errors, and a pattern like ``(a+)+$`` can run for hours. The ``regex`` package has the
syntax and a time limit; what differs still is rewritten here.
"""

import re
from functools import lru_cache
from typing import Any

MATCH_SECONDS = 0.5
"""How long one match may take before it counts as no match that can be trusted."""

LEAST_MATCH_SECONDS = 0.001
MAX_PATTERN_CHARS = 20_000
MOST_SLOW_PATTERNS = 500

_timeouts: dict[str, int] = {}
"""How often each pattern has run out of time in this process."""

SPACE = r"\t\n\v\f\r\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
CLASSES = {
    "d": ("[0-9]", "0-9"),
    "D": ("[^0-9]", None),
    "w": ("[A-Za-z0-9_]", "A-Za-z0-9_"),
    "W": ("[^A-Za-z0-9_]", None),
    "s": (f"[{SPACE}]", SPACE),
    "S": (f"[^{SPACE}]", None),
}
NEGATED_IN_SET = {
    "D": r"\x00-\x2f\x3a-\U0010ffff",
    "W": r"\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\U0010ffff",
    "S": r"\x00-\x08\x0e-\x1f\x21-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    r"\u3001-\ufefe\uff00-\U0010ffff",
}
QUANTIFIER = re.compile(r"\{\d+(,\d*)?\}")
ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\}|c[A-Za-z]|k<\w+>|.)", re.DOTALL)
LETTER_ESCAPES = frozenset("dDwWsSbBtnvfruxcpPkAZz")
"""ECMA-262's escapes, and the anchors that Python and Rust add; other letters are errors there and so here."""


class PatternError(ValueError):
    """The pattern does not compile."""


@lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> Any:
    """Compile an ECMA-262 pattern; PatternError says what is wrong with it.

    >>> bool(compile_pattern("^[a-z]+$").search("abc"))
    True
    """
    import regex

    if len(pattern) > MAX_PATTERN_CHARS:
        raise PatternError(f"longer than {MAX_PATTERN_CHARS} characters")
    try:
        return regex.compile(translate(pattern))
    except regex.error as error:
        raise PatternError(f"{error}") from None
    except (RecursionError, OverflowError, KeyError, IndexError) as error:
        raise PatternError(f"too complex ({type(error).__name__})") from None


def search(pattern: str, text: str) -> bool:
    """Tell whether the pattern occurs in the text; TimeoutError after MATCH_SECONDS.

    A pattern that has run out of time gets half of it from then on, so that a thousand values cost little more than
    two of them.
    """
    seconds = max(LEAST_MATCH_SECONDS, MATCH_SECONDS / 2 ** _timeouts.get(pattern, 0))
    try:
        return compile_pattern(pattern).search(text, timeout=seconds) is not None
    except TimeoutError:
        if len(_timeouts) >= MOST_SLOW_PATTERNS:
            _timeouts.clear()
        _timeouts[pattern] = _timeouts.get(pattern, 0) + 1
        raise


def matches(pattern: str, name: str) -> bool:
    """Tell whether a pattern of a schema occurs in a name; no where it is none, or takes too long."""
    try:
        return search(pattern, name)
    except (PatternError, TimeoutError):
        return False


def translate(pattern: str) -> str:
    """Rewrite an ECMA-262 pattern in the syntax of the ``regex`` package."""
    parts: list[str] = []
    position, in_set = 0, False
    while position < len(pattern):
        piece, length, in_set = _translate_one(pattern, position, in_set)
        parts.append(piece)
        position += length
    return "".join(parts)


def _translate_one(pattern: str, position: int, in_set: bool) -> tuple[str, int, bool]:
    character = pattern[position]
    if character == "\\":
        escape = ESCAPE.match(pattern, position)
        if escape is None:
            raise PatternError("ends in a backslash")
        return _translate_escape(escape[1], in_set), len(escape[0]), in_set
    if in_set:
        return (r"\[" if character == "[" else character), 1, character != "]"
    if character == "[":
        return _open_set(pattern, position)
    if character == "$":
        return r"\Z", 1, False
    if character == "{" and not QUANTIFIER.match(pattern, position):
        return r"\{", 1, False
    return character, 1, False


def _open_set(pattern: str, position: int) -> tuple[str, int, bool]:
    if pattern.startswith("[^]", position):
        return r"[\x00-\U0010ffff]", 3, False
    if pattern.startswith("[]", position):
        return "(?!)", 2, False
    return "[", 1, True


def _translate_escape(escape: str, in_set: bool) -> str:
    if escape in CLASSES:
        outside, inside = CLASSES[escape]
        return (inside or NEGATED_IN_SET[escape]) if in_set else outside
    if escape.startswith("u{"):
        return _code_point(int(escape[2:-1], 16))
    if len(escape) == 2 and escape[0] == "c":
        return f"\\x{ord(escape[1]) % 32:02x}"
    if escape.startswith("k<"):
        return f"(?P={escape[2:-1]})"
    if escape == "z":
        return r"\Z"
    if escape[0].isascii() and escape[0].isalpha() and escape[0] not in LETTER_ESCAPES:
        raise PatternError(f"no such escape: \\{escape}")
    return f"\\{escape}"


def _code_point(number: int) -> str:
    if number > 0x10FFFF:
        raise PatternError(f"no such code point: {number:x}")
    return f"\\U{number:08x}"
