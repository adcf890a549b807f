"""Gleaner: web pages to clean Markdown and to proven, schema-valid JSON records."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gleaner.contracts.errors import GleanerError
    from gleaner.contracts.models import ExtractionResult, ScrapeRequest, ScrapeResult
    from gleaner.contracts.ports import ModelAnswer, ModelRequest
    from gleaner.library import AsyncGleaner, Gleaner

__all__ = [
    "AsyncGleaner",
    "ExtractionResult",
    "Gleaner",
    "GleanerError",
    "ModelAnswer",
    "ModelRequest",
    "ScrapeRequest",
    "ScrapeResult",
]

_HOMES = {
    "AsyncGleaner": "gleaner.library",
    "Gleaner": "gleaner.library",
    "GleanerError": "gleaner.contracts.errors",
    "ExtractionResult": "gleaner.contracts.models",
    "ScrapeRequest": "gleaner.contracts.models",
    "ScrapeResult": "gleaner.contracts.models",
    "ModelAnswer": "gleaner.contracts.ports",
    "ModelRequest": "gleaner.contracts.ports",
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use: a Lambda function does not pay for the local engine."""
    if name not in _HOMES:
        raise AttributeError(f"module 'gleaner' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
