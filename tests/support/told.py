"""What the judging tells of an answer: values that it refuses or doubts are both told."""

from typing import Any

from gleaner.contracts.models import ProvenanceEntry
from gleaner.judging.judge import judge

_REFUSED = {"status": "ungrounded", "transform": None, "start": None, "end": None}


def told(data: Any, text: Any, **known: Any) -> tuple[ProvenanceEntry, ...]:
    """Give the provenance with the doubted values as refused ones, whatever becomes of them."""
    return tuple(
        one.model_copy(update={**_REFUSED, "reason": one.doubt}) if one.doubt else one
        for one in judge(data, text, **known)
    )
