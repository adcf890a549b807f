"""Tier 0: what a page's own data answers without a model and beyond doubt (RC-4)."""

from gleaner.structured.answers import (
    Certified,
    Seen,
    StructuredAnswer,
    certify,
    certify_answer,
    extract_structured,
    find_answer,
)
from gleaner.structured.decline import Declined
from gleaner.structured.labels import labelled
from gleaner.structured.named_fields import read_named_fields

__all__ = [
    "Certified",
    "Declined",
    "Seen",
    "StructuredAnswer",
    "certify",
    "certify_answer",
    "extract_structured",
    "find_answer",
    "labelled",
    "read_named_fields",
]
