"""What became of a chunk: its outcome, or what it gave until it failed."""

import json

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import NotFound
from gleaner.contracts.models import ExtractionError
from gleaner.contracts.ports import Services
from gleaner.extraction import ChunkExtractionResult, model_name
from gleaner.extraction.replaying import with_what_was_found
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import Plan
from gleaner.jobs.places import failure_key
from gleaner.steps.extract import paid_answers, price_of_model, stored_outcome


def read_outcome(plan: Plan, index: int, services: Services) -> ChunkExtractionResult:
    """Give a chunk's stored outcome, else its failure with all that its answers gave before it (EX-5)."""
    known, model = stored_outcome(plan.ref, index, services), services.model
    if known is not None:
        return known
    failure = _failure(plan, index, services)
    if model is None:
        return failure
    return with_what_was_found(
        failure,
        JobContent(services.blobs, plan.ref).task(index),
        paid_answers(plan, services.table, services),
        model_name=model_name(model),
        config=plan.request.config,
        price=price_of_model(model, services),
    )


def _failure(plan: Plan, index: int, services: Services) -> ChunkExtractionResult:
    """Give a chunk's recorded failure; one that left none says so as an error."""
    try:
        stored = services.blobs.read(failure_key(plan.ref, index))
    except NotFound:
        error = ExtractionError(
            error_type=ErrorType.INTERNAL_ERROR,
            message="the chunk left no outcome",
            chunk_index=index,
            retries_exhausted=True,
        )
        return ChunkExtractionResult(chunk_index=index, errors=[error])
    return ChunkExtractionResult.model_validate(json.loads(stored))
