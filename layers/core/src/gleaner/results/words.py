"""Answers in words: their claims, and the passages of the page that support these (PR-3)."""

from collections.abc import Sequence

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import Claim, ExtractionConfig, ExtractionError, ExtractionResult, Passage
from gleaner.judging.words.answers import check_answer
from gleaner.results.counting import Measure
from gleaner.results.merging import ChunkOutcome, merge

_MOST_NAMED = 20


def settle_words(
    result: ExtractionResult, outcomes: Sequence[ChunkOutcome], measure: Measure, config: ExtractionConfig
) -> ExtractionResult:
    """Give the answer in words with its claims and passages; what has no support is treated as ``ungrounded`` says."""
    result.data = merge(outcomes).data
    checked = check_answer(result.data if isinstance(result.data, str) else "", measure.index, measure.query)
    result.passages = [
        Passage(text=measure.markdown[found.start : found.end], start=found.start, end=found.end, score=found.score)
        for found in checked.passages
    ]
    result.claims = [
        Claim(
            text=one.claim.text,
            kind=one.claim.kind,
            start=one.claim.start,
            end=one.claim.end,
            support=one.support,
            passage=one.passage,
        )
        for one in checked.claims
    ]
    unsupported = list(dict.fromkeys(f'"{claim.text}"' for claim in checked.unsupported))
    if unsupported:
        more = f" and {len(unsupported) - _MOST_NAMED} more" if len(unsupported) > _MOST_NAMED else ""
        message = f"Not found on the page: {', '.join(unsupported[:_MOST_NAMED])}{more}"
        if config.ungrounded == "null":
            error = ExtractionError(error_type=ErrorType.UNGROUNDED, message=message, retries_exhausted=True)
            result.errors.append(error)
        elif config.ungrounded == "flag":
            result.warnings.append(message)
    result.is_partial = bool(result.errors) or result.data is None
    return result
