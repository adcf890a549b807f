"""Free-text answers where the schema can't be enforced: partial, with a warning (SC-5)."""

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import ExtractionError, ExtractionResult


def warn_of_unenforced_schema(result: ExtractionResult, reason: str) -> None:
    """Say in the result that its answer is in words, and for what ``reason`` its schema can't be enforced."""
    message = f"the output_schema can't be enforced ({reason}): the answer is free text"
    result.is_partial = True
    result.warnings.insert(0, message)
    result.errors.append(ExtractionError(error_type=ErrorType.INVALID_SCHEMA, message=message, retries_exhausted=True))
