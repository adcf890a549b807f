"""Compares an answer with the truth, value by value and record by record, and counts what its claims are worth.

The rules are lenient to both sides. Numbers compare by value, texts after their whitespace is normalised. A field that
the truth does not name is not judged: not every data set names all that a page states. ``null`` and "" are no values.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
"""What is a number and no code: "007" is none."""


@dataclass(slots=True)
class Score:
    """What one answer holds: right and wrong values, and how many records (or items of a list) are not in it."""

    right: int = 0
    wrong: int = 0
    missing: int = 0
    unjudged: int = 0

    def __add__(self, other: "Score") -> "Score":
        """Sum two scores."""
        return Score(
            self.right + other.right,
            self.wrong + other.wrong,
            self.missing + other.missing,
            self.unjudged + other.unjudged,
        )


@dataclass(slots=True)
class Tally:
    """What many answers hold, and how many of those that claim to be complete are not."""

    answers: int = 0
    claims: int = 0
    claims_with_losses: int = 0
    claims_with_wrong_values: int = 0
    false_claims: int = 0
    right: int = 0
    wrong: int = 0
    wrong_in_claims: int = 0

    def add(self, score: Score, *, is_complete: bool) -> None:
        """Count one answer. A claim is false when a value is wrong or a record is missing."""
        self.answers += 1
        self.right += score.right
        self.wrong += score.wrong
        if is_complete:
            self.claims += 1
            self.claims_with_losses += score.missing > 0
            self.claims_with_wrong_values += score.wrong > 0
            self.false_claims += score.missing > 0 or score.wrong > 0
            self.wrong_in_claims += score.wrong


def judge(truth: Any, served: Any) -> Score:
    """Judge an answer; records are paired with those of the truth that they share most values with.

    >>> judge([{"name": "Oak", "age": 90}, {"name": "Elm", "age": 40}], [{"name": "Oak", "age": 40}])
    Score(right=1, wrong=1, missing=1, unjudged=0)
    """
    if isinstance(truth, dict) and "$any" not in truth:
        return _judge_object(truth, served)
    if isinstance(truth, list):
        return _judge_list(truth, served)
    if is_nothing(served):
        return Score()
    return Score(right=1) if same(truth, served) else Score(wrong=_count(served))


def same(truth: Any, served: Any) -> bool:
    """Tell whether two leaves are one value; a truth ``{"$any": [...]}`` is any of its values.

    >>> same(78.5, "78.50"), same("Maria  Rao", " Maria Rao"), same("007", "7"), same(True, 1)
    (True, True, False, False)
    """
    if isinstance(truth, dict):
        return any(same(one, served) for one in truth.get("$any", ()))
    if isinstance(truth, bool) or isinstance(served, bool):
        return truth is served
    numbers = [_number(truth), _number(served)]
    if None not in numbers:
        return numbers[0] == numbers[1]
    return isinstance(truth, str) and isinstance(served, str) and truth.split() == served.split()


def is_nothing(value: Any) -> bool:
    """Tell whether a leaf holds no value."""
    return value is None or (isinstance(value, str) and not value.strip())


def leaves(value: Any) -> Iterator[Any]:
    """Give the values of an answer, one by one, without those that are nothing."""
    if isinstance(value, dict):
        for one in value.values():
            yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    elif not is_nothing(value):
        yield value


def _judge_object(truth: dict[str, Any], served: Any) -> Score:
    if served is None:
        return Score(missing=1)
    if not isinstance(served, dict):
        return Score(wrong=_count(served), missing=1)
    score = Score(unjudged=_count([value for name, value in served.items() if name not in truth]))
    for name, value in truth.items():
        score += judge(value, served.get(name))
    return score


def _judge_list(truth: Sequence[Any], served: Any) -> Score:
    given = served if isinstance(served, list) else []
    pairs = _pairs(truth, given)
    paired = {number for _, number in pairs}
    invented = [one for number, one in enumerate(given) if number not in paired]
    score = Score(missing=len(truth) - len(pairs), wrong=_count(invented if given else served))
    for own, number in pairs:
        score += judge(truth[own], given[number])
    return score


def _pairs(truth: Sequence[Any], given: Sequence[Any]) -> list[tuple[int, int]]:
    """Pair what is alike, the most alike first, in the order of the lists among equals."""
    likeness = [(_likeness(one, other), a, b) for a, one in enumerate(truth) for b, other in enumerate(given)]
    pairs: list[tuple[int, int]] = []
    for likely, a, b in sorted(likeness, key=lambda one: (-one[0], one[1], one[2])):
        if likely > 0 and all(a != x and b != y for x, y in pairs):
            pairs.append((a, b))
    return pairs


def _likeness(truth: Any, served: Any) -> float:
    """Count the values that two records share: 0 when it is less than half and the first field, its name, differs."""
    if not isinstance(truth, dict) or "$any" in truth:
        return float(not is_nothing(served) and same(truth, served))
    if not isinstance(served, dict):
        return 0.0
    stated = {name: value for name, value in truth.items() if _count(value)}
    shared = [name for name, value in stated.items() if judge(value, served.get(name)).right]
    is_named = bool(shared) and shared[0] == next(iter(stated))
    return len(shared) + 0.5 * is_named if is_named or 2 * len(shared) > len(stated) else 0.0


def _count(value: Any) -> int:
    return sum(1 for _ in leaves(value))


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return float(value) if _PLAIN_NUMBER.fullmatch(value.strip()) else None
    return float(value) if isinstance(value, int | float) else None
