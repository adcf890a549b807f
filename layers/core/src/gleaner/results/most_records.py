"""Enforce ``maxItems``: extra records are neither asked for nor returned."""

from dataclasses import replace
from typing import Any

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionError
from gleaner.results.merging import Merged
from gleaner.results.record_lists import find_records, rebuild
from gleaner.schemas import RecordPath
from gleaner.schemas.leaves import SchemaViews


def most_records(schema: Any, path: RecordPath) -> int | None:
    """Give the most records that the schema takes; None for any number.

    >>> most_records({"type": "array", "maxItems": 3}, RecordPath("", {}))
    3
    """
    views = SchemaViews(schema).of(tuple(read_pointer(path.pointer)))
    return min((view["maxItems"] for view in views if isinstance(view.get("maxItems"), int)), default=None)


def is_full(schema: Any, path: RecordPath, count: int) -> bool:
    """Tell whether a list of so many records takes no more."""
    most = most_records(schema, path)
    return most is not None and count >= most


def cut_to_most(merged: Merged, schema: Any, path: RecordPath | None) -> tuple[Merged, list[ExtractionError]]:
    """Give the first records of the page, as many as the schema takes, and an error that counts the others."""
    most = None if path is None else most_records(schema, path)
    listing = find_records(merged.data, path) if path else None
    if path is None or most is None or listing is None or len(listing.records) <= most:
        return merged, []
    data = rebuild(path, listing.outer, listing.records[:most])
    message = f"the schema allows at most {most} records (maxItems); {len(listing.records) - most} were dropped"
    error = ExtractionError(error_type=ErrorType.VALIDATION_ERROR, message=message, retries_exhausted=True)
    return replace(merged, data=data, spans=merged.spans[:most]), [error]
