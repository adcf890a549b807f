"""What became of a chunk: its outcome, or what it gave until it failed."""

import json

from gleaner.budget import BudgetGuard
from gleaner.error_types import ErrorType
from gleaner.errors import InternalError, NotFound
from gleaner.extraction import ChunkExtractionResult, extract_chunk, model_name
from gleaner.jobs import Plan
from gleaner.models import ExtractionError
from gleaner.ports import ModelAnswer, ModelRequest, Services
from gleaner.steps.content import JobContent
from gleaner.steps.extract import paid_answers, price_of_model, stored_outcome
from gleaner.steps.places import failure_key


class NobodyAnswers:
    """Stands in for a model where only what was paid for is read again."""

    def __init__(self, name: str) -> None:
        self.name = name

    def answer(self, request: ModelRequest) -> ModelAnswer:  # noqa: ARG002
        """Raise: no question that was not answered before is asked."""
        raise InternalError("nothing more is asked")


def read_outcome(plan: Plan, index: int, services: Services) -> ChunkExtractionResult:
    """Give a chunk's stored outcome, else its failure with all that its answers gave before it (EX-5)."""
    known = stored_outcome(plan.ref, index, services)
    return known or _with_what_was_found(plan, index, _failure(plan, index, services), services)


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


def _with_what_was_found(
    plan: Plan, index: int, failure: ChunkExtractionResult, services: Services
) -> ChunkExtractionResult:
    """Read the answers again that were paid for before the failure; the failure as it is when there was none."""
    model = services.model
    if model is None:
        return failure
    found = extract_chunk(
        JobContent(services.blobs, plan.ref).task(index),
        NobodyAnswers(model_name(model)),
        config=plan.request.config,
        guard=BudgetGuard(price=price_of_model(model, services)),
        resume=paid_answers(plan, services.table, services),
    )
    if not found.usage.calls:
        return failure
    own = [error for error in found.errors if error.error_type is not ErrorType.INTERNAL_ERROR]
    return found.model_copy(update={"errors": [*failure.errors, *own]})
