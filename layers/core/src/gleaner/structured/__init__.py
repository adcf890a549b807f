"""Tier 0: what a page's own data answers without a model and beyond doubt (RC-4)."""

from gleaner.structured.answers import StructuredAnswer, answer_from_structure, certify_answer, extract_structured

__all__ = ["StructuredAnswer", "answer_from_structure", "certify_answer", "extract_structured"]
