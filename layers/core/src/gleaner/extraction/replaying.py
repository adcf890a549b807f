"""What a chunk's paid answers gave before it failed for good: they are read again, and nobody is asked (EX-5)."""

from gleaner.budget.guard import BudgetGuard
from gleaner.budget.prices import Price
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import InternalError
from gleaner.contracts.models import ExtractionConfig
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.extraction.chunk import extract_chunk
from gleaner.extraction.chunk_cache import ChunkCache
from gleaner.page.model import Part
from gleaner.results.tasks import ChunkExtractionResult


class NobodyAnswers:
    """Stands in for a model where only what was paid for is read again."""

    def __init__(self, name: str) -> None:
        self.name = name

    def answer(self, request: ModelRequest) -> ModelAnswer:  # noqa: ARG002
        """Raise: no question that was not answered before is asked."""
        raise InternalError("nothing more is asked")


def with_what_was_found(
    failure: ChunkExtractionResult,
    task: Part,
    paid: ChunkCache,
    *,
    model_name: str,
    config: ExtractionConfig,
    price: Price | None,
) -> ChunkExtractionResult:
    """Give a failure with all that the answers in ``paid`` say; as it is when there are none."""
    found = extract_chunk(task, NobodyAnswers(model_name), config=config, guard=BudgetGuard(price=price), resume=paid)
    if not found.usage.calls:
        return failure
    own = [error for error in found.errors if error.error_type is not ErrorType.INTERNAL_ERROR]
    return found.model_copy(update={"errors": [*failure.errors, *own], "retries": max(found.retries, failure.retries)})
