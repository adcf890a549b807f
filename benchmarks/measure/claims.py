"""What the claims of many answers are worth: how many that say "complete" have a wrong value or lack a record."""

from dataclasses import dataclass
from typing import Any

from measure.comparing import compare


@dataclass(frozen=True, slots=True)
class Score:
    """What one answer holds: right and wrong values, and how many records (or items of a list) are not in it."""

    right: int = 0
    wrong: int = 0
    missing: int = 0


def score(truth: Any, served: Any) -> Score:
    """Give the score of an answer.

    >>> score([{"name": "Oak", "age": 90}, {"name": "Elm", "age": 40}], [{"name": "Oak", "age": 40}])
    Score(right=1, wrong=1, missing=1)
    """
    fate = compare(truth, served)
    return Score(len(fate.kept), len(fate.wrong), fate.missing + fate.items_missing)


@dataclass(slots=True)
class Claims:
    """What many answers hold, and how many of those that claim to be complete are not."""

    answers: int = 0
    claims: int = 0
    claims_with_losses: int = 0
    claims_with_wrong_values: int = 0
    false_claims: int = 0
    right: int = 0
    wrong: int = 0
    wrong_in_claims: int = 0

    def add(self, one: Score, *, is_complete: bool) -> None:
        """Count one answer. A claim is false when a value is wrong or a record is missing."""
        self.answers += 1
        self.right += one.right
        self.wrong += one.wrong
        if is_complete:
            self.claims += 1
            self.claims_with_losses += one.missing > 0
            self.claims_with_wrong_values += one.wrong > 0
            self.false_claims += one.missing > 0 or one.wrong > 0
            self.wrong_in_claims += one.wrong
