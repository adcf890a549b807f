"""Read a model's answer as JSON and repair it, so that a missing comma costs no further call (LB-2)."""

import json
import math
import re
from dataclasses import dataclass
from itertools import pairwise

from gleaner.contracts.json_text import encodable
from gleaner.contracts.ports import JsonValue
from gleaner.contracts.schema_input import nests_deeper
from gleaner.results.answer_json_syntax import MOST_DEPTH, Scan, ScannedValue, scan

_THOUGHT_ENDS = ("</think>", "</thinking>", "</reasoning>")
_FENCE = "```"
_MOST_FIGURES = 300
"""Figures of a whole number, so that it is no greater than the greatest float."""

_RECORDS_BEGIN = re.compile(r'\[\s*+\{\s*+"|\{\s*+"')
_BETWEEN_VALUES = re.compile(r"[\s,;]*")


class UnreadableAnswer(ValueError):
    """The text holds no JSON value; the message says what it holds instead."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The JSON value of an answer.

    ``cut`` tells that the text ended before the value did: ``value`` then holds the complete records that came before,
    and never half a one. ``repaired`` tells that the text was not plain JSON, ``lossy`` that a part of it could not be
    understood and is left out.
    """

    value: JsonValue
    cut: bool = False
    repaired: bool = False
    lossy: bool = False


def read_answer(text: str) -> Answer:
    """Give the JSON value that a model's answer holds; UnreadableAnswer when there is none.

    Taken as they are meant: code fences, prose before and after, reasoning tags, a byte order mark, trailing commas,
    comments, single and curly quotes, quotes that were not escaped, Python's literals, names without quotes, NaN and
    infinities (null), several values in a row (a list, or one where they are the same), brackets that are missing at
    the end. Linear in the text.

    >>> read_answer("Here you are: [{'name': 'Lamp', price: 9.5,}]").value
    [{'name': 'Lamp', 'price': 9.5}]
    >>> read_answer('[{"n": 1}, {"n": 2}, {"n": 3').value
    [{'n': 1}, {'n': 2}]
    """
    whole = text.replace("\ufeff", "").strip()
    body = _without_thoughts(whole).strip()
    if not body:
        raise UnreadableAnswer("the answer is empty")
    for candidate in dict.fromkeys((whole, *_strict_candidates(body))):
        value = _read_strictly(candidate)
        if value is not _NOTHING:
            return Answer(value, repaired=candidate not in (whole, body))  # type: ignore[arg-type]
    texts = [_read_strictly(line) for line in body.splitlines() if line.strip()]
    if len(texts) > 1 and all(isinstance(text, str) for text in texts):
        return Answer(texts, repaired=True)  # type: ignore[arg-type]
    return _read_tolerantly(body)


_NOTHING = object()


def _without_thoughts(text: str) -> str:
    """Drop what a reasoning model wrote to itself before its answer."""
    ends = [text.rfind(tag) + len(tag) for tag in _THOUGHT_ENDS if tag in text]
    return text[max(ends) :] if ends and text[max(ends) :].strip() else text


def _strict_candidates(body: str) -> list[str]:
    """Give the few substrings that are likely the whole value, so that sound JSON is read by the sound parser."""
    candidates = [body]
    fences = body.split(_FENCE)[1::2]
    if fences:
        candidates.append(_without_language(max(fences, key=len)))
    for opener, closer in ("[]", "{}"):
        start, end = body.find(opener), body.rfind(closer)
        if 0 <= start < end and not _other_opener_before(body, start, opener):
            candidates.append(body[start : end + 1])
    return candidates


def _from_first_record(body: str) -> str:
    """Give the text from where a record or a list of records begins to its last bracket: prose may hold others."""
    begin = _RECORDS_BEGIN.search(body)
    return body[begin.start() : body.rfind("]" if begin[0][0] == "[" else "}") + 1] if begin else ""


def _without_language(fenced: str) -> str:
    first, _, rest = fenced.partition("\n")
    return rest if first.strip().replace("-", "").isalnum() else fenced


def _other_opener_before(body: str, start: int, opener: str) -> bool:
    other = "{" if opener == "[" else "["
    return other in body[:start]


def _read_strictly(candidate: str) -> object:
    try:
        value = json.loads(candidate, parse_constant=lambda _: None, parse_float=_finite, parse_int=_whole)
    except (ValueError, RecursionError):
        return _NOTHING
    return clean(value)


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _whole(text: str) -> int | None:
    """Give a whole number; None for one beyond all floats, as for infinities."""
    return int(text) if len(text) <= _MOST_FIGURES else None


def clean(value: object) -> object:
    """Give the value without lone surrogates; ``_NOTHING`` when it is nested deeper than any record is."""
    if nests_deeper(value, MOST_DEPTH):
        return _NOTHING
    return _without_surrogates(value)


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {str(_without_surrogates(key)): _without_surrogates(item) for key, item in value.items()}
    return value


def _read_tolerantly(body: str) -> Answer:
    found = scan(body)
    runs = _runs(body, found)
    if not runs and (value := _read_strictly(_from_first_record(body))) is not _NOTHING:
        return Answer(value, repaired=True)  # type: ignore[arg-type]
    if not runs:
        raise UnreadableAnswer(f"the answer holds no JSON value; it begins with {body[:80]!r}")
    best = max(runs, key=lambda run: (run[-1].end - run[0].start, run[0].start))
    telling = [item for item in best if item.value] or best[:1]  # "{end}" beside a list says nothing
    said = [item.value for item in telling]
    value = said[0] if all(one == said[0] for one in said) else _joined(said)  # an answer that was given twice is one
    cut = found.cut and best[-1].end >= len(body)
    return Answer(_without_surrogates(value), cut=cut, repaired=True, lossy=found.lossy)  # type: ignore[arg-type]


def _runs(body: str, found: Scan) -> list[list[ScannedValue]]:
    """Group values with nothing but blanks, commas or semicolons between them: JSON lines, and objects in a row."""
    runs: list[list[ScannedValue]] = [[item] for item in found.values[:1]]
    for before, item in pairwise(found.values):
        between = _BETWEEN_VALUES.match(body, before.end)
        if between is not None and between.end() >= item.start:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def _joined(values: list[JsonValue]) -> JsonValue:
    if all(isinstance(value, list) for value in values):
        return [item for value in values if isinstance(value, list) for item in value]
    return values
