"""Gleaner: web pages to clean Markdown and to proven, schema-valid JSON records."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gleaner.contracts.errors import GleanerError, HttpStatusError, NoData
    from gleaner.contracts.models import ExtractionResult, ScrapeRequest, ScrapeResult
    from gleaner.contracts.ports import ModelAnswer, ModelRequest
    from gleaner.jobs.record_changes import RecordChanges
    from gleaner.jobs.site_maps import SiteMap
    from gleaner.library import AsyncGleaner, Gleaner
    from gleaner.library.crawl_result import CrawlResult
    from gleaner.structured.suggesting import Suggestion

__all__ = [
    "AsyncGleaner",
    "CrawlResult",
    "ExtractionResult",
    "Gleaner",
    "GleanerError",
    "HttpStatusError",
    "ModelAnswer",
    "ModelRequest",
    "NoData",
    "RecordChanges",
    "ScrapeRequest",
    "ScrapeResult",
    "SiteMap",
    "Suggestion",
]

_HOMES = {
    "AsyncGleaner": "gleaner.library",
    "Gleaner": "gleaner.library",
    "CrawlResult": "gleaner.library.crawl_result",
    "GleanerError": "gleaner.contracts.errors",
    "HttpStatusError": "gleaner.contracts.errors",
    "NoData": "gleaner.contracts.errors",
    "RecordChanges": "gleaner.jobs.record_changes",
    "SiteMap": "gleaner.jobs.site_maps",
    "Suggestion": "gleaner.structured.suggesting",
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
