"""Tier 0: what a page's own data answers without a model and beyond doubt (RC-4)."""

from gleaner.structured.answers import (
    Seen,
    StructuredAnswer,
    answer_from_structure,
    candidate_answers,
    certify_answer,
    certify_answers,
    extract_structured,
)

__all__ = [
    "Seen",
    "StructuredAnswer",
    "answer_from_structure",
    "candidate_answers",
    "certify_answer",
    "certify_answers",
    "extract_structured",
]
