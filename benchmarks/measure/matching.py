"""When an answer is right: values against the truth, words of a text against the wanted ones, rows against Markdown."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

WORD = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W_]+")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_AFTER_OPENING = re.compile(r"(?<=[(\[{]) ")
_BEFORE_CLOSING = re.compile(r" (?=[)\]},.;:!?])")
_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\]\((?:<[^>]*>|(?:[^()\\]|\\.|\([^()]*\))*)\)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKUP = re.compile(r"[*_`~]+|<br ?/?>")


def squeezed(text: str) -> str:
    """Give a text in compatibility form, with single blanks, and none inside brackets or before punctuation.

    Texts gathered element by element have those: "(by an <a>ISP</a>)" becomes "(by an ISP )".
    """
    single = " ".join(unicodedata.normalize("NFKC", text).split())
    return _BEFORE_CLOSING.sub("", _AFTER_OPENING.sub("", single))


def same_value(given: Any, wanted: Any) -> bool:
    """Tell whether a value is the wanted one; ``{"$any": [...]}`` wants any of them.

    Blanks and compatibility forms do not count, nor does a field that is null in one and absent in the other; 1 is 1.0
    and true is not 1.
    """
    if isinstance(wanted, dict) and set(wanted) == {"$any"}:
        return any(same_value(given, one) for one in wanted["$any"])
    if isinstance(given, dict) and isinstance(wanted, dict):
        return all(same_value(given.get(name), wanted.get(name)) for name in {*given, *wanted})
    if isinstance(given, list) and isinstance(wanted, list):
        return len(given) == len(wanted) and all(map(same_value, given, wanted))
    if isinstance(given, str) and isinstance(wanted, str):
        return squeezed(given) == squeezed(wanted)
    if isinstance(given, bool) != isinstance(wanted, bool):
        return False
    return given == wanted


def same_meaning(given: Any, wanted: Any) -> bool:
    """Tell whether a value says what a person wrote down: case does not count, and "15.90" is 15.9."""
    if isinstance(wanted, dict) and set(wanted) == {"$any"}:
        return any(same_meaning(given, one) for one in wanted["$any"])
    if isinstance(given, list) and isinstance(wanted, list):
        return len(given) == len(wanted) and all(map(same_meaning, given, wanted))
    if isinstance(given, str | int | float) and isinstance(wanted, str | int | float):
        one, other = squeezed(str(given)).casefold(), squeezed(str(wanted)).casefold()
        is_number = _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)
        return one == other or bool(is_number and float(one) == float(other))
    return same_value(given, wanted)


def judge_fields(given: dict[str, Any], wanted: dict[str, Any]) -> tuple[int, int, int]:
    """Count the fields that an answer has right, wrong and not at all; nulls of the truth say nothing."""
    right = wrong = silent = 0
    for name, value in wanted.items():
        if value is None or value == []:
            continue
        answer = given.get(name)
        if answer is None or answer == []:
            silent += 1
        elif same_meaning(answer, value):
            right += 1
        else:
            wrong += 1
    return right, wrong, silent


def words(text: str) -> Counter[str]:
    """Give the words of a text as a bag; characters of scripts without spaces are words."""
    return Counter(WORD.findall(text.lower()))


def rates(text: str, wanted: str) -> tuple[float, float, float]:
    """Give precision, recall and F1 of the words.

    >>> rates("a b", "b c")
    (0.5, 0.5, 0.5)
    """
    mine, theirs = words(text), words(wanted)
    shared = (mine & theirs).total()
    return (
        shared / max(1, mine.total()),
        shared / max(1, theirs.total()),
        2 * shared / max(1, mine.total() + theirs.total()),
    )


def holds_words(text: str, snippet: str) -> bool:
    """Tell whether the words of a snippet stand in a text one after another; punctuation and markup do not count."""
    wanted = WORD.findall(snippet.lower())
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(WORD.findall(text.lower()))} "


def plain_lines(markdown: str) -> list[str]:
    """Give the lines of a Markdown text as they read: no emphasis, escapes, or targets of links."""
    return [squeezed(_ESCAPED.sub(r"\1", _MARKUP.sub(" ", _LINK.sub(r"\1", line)))) for line in markdown.splitlines()]


def values_in_line(line: str, values: Sequence[str]) -> int:
    """Count the values that stand in a line one after another, each as a whole."""
    start = found = 0
    for value in values:
        at = _find_whole(line, value, start)
        if at >= 0:
            start, found = at + len(value), found + 1
    return found


def rows_in_markdown(markdown: str, rows: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """Count the values of rows that stand in the line of their row, and all of them.

    A row's line is the one that holds the most of its values in order: so a "1" elsewhere on the page proves nothing.
    """
    lines = [line for line in plain_lines(markdown) if line]
    kept = whole = 0
    for row in rows:
        values = [text for value in row.values() if (text := _cell(value))]
        whole += len(values)
        kept += max((values_in_line(line, values) for line in lines), default=0)
    return kept, whole


def _cell(value: Any) -> str:
    return squeezed(_MARKUP.sub(" ", str(value))) if value is not None else ""


def _find_whole(line: str, value: str, start: int) -> int:
    at = line.find(value, start)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(value) : at + len(value) + 1]
        if not (before.isalnum() and value[0].isalnum()) and not (after.isalnum() and value[-1].isalnum()):
            return at
        at = line.find(value, at + 1)
    return -1


def named_values(data: Any) -> Iterator[tuple[str, str]]:
    """Give the (property, text) pairs of embedded data, nested ones too: JSON-LD, microdata and lists of properties."""
    if isinstance(data, list):
        for one in data:
            yield from named_values(one)
    elif isinstance(data, dict):
        properties = data.get("properties", data)
        pairs = properties.items() if isinstance(properties, dict) else map(tuple, properties)
        for name, value in pairs:
            if not name.startswith("@"):
                yield from _leaves(re.split(r"[:/#.]", name)[-1], value)


def _leaves(name: str, value: Any) -> Iterator[tuple[str, str]]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield from _leaves(name, one["@value"]) if "@value" in one else named_values(one)
        elif one is not None and (text := squeezed(str(one))):
            yield name, text
