"""Tier 0: what a page's own data answers without a model and beyond doubt (RC-4)."""

from gleaner.structured.answers import (
    Certified,
    Seen,
    certify,
    extract_structured,
    find_answer,
)
from gleaner.structured.labels import labelled, read_named_fields
from gleaner.structured.reading import Declined

__all__ = [
    "Certified",
    "Declined",
    "Seen",
    "certify",
    "extract_structured",
    "find_answer",
    "labelled",
    "read_named_fields",
]
