"""What the judging tells of an answer: values that it refuses or doubts are both told."""

from typing import Any

from gleaner.contracts.models import ProvenanceEntry
from gleaner.judging.judge import judge


def told(data: Any, text: Any, **known: Any) -> tuple[ProvenanceEntry, ...]:
    """Give the provenance with the doubted values as refused ones: for tests of what is told, whatever becomes of it."""
    return tuple(
        one.model_copy(
            update={"status": "ungrounded", "reason": one.doubt, "transform": None, "start": None, "end": None}
        )
        if one.doubt
        else one
        for one in judge(data, text, **known)
    )
