"""Public names: what to extract on pages like this one (``gleaner.jobs.strategies``)."""

from gleaner.jobs.strategies import (
    ExtractionCache,
    ExtractionStrategy,
    strategy_id,
)

__all__ = [
    "ExtractionCache",
    "ExtractionStrategy",
    "strategy_id",
]
