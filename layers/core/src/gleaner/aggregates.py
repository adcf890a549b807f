"""Public names: the records of all pages under one extraction id (``gleaner.jobs.aggregates``)."""

from gleaner.jobs.aggregates import (
    ExtractionAggregator,
)

__all__ = [
    "ExtractionAggregator",
]
