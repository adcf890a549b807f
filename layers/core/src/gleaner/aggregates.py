"""Public names: the records collected under an extraction id (``gleaner.jobs.aggregates``)."""

from gleaner.jobs.aggregates import (
    ExtractionAggregator,
)

__all__ = [
    "ExtractionAggregator",
]
