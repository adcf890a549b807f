"""The caller's JSON Schema: enforced as it is, carried by Pydantic, relaxed for providers, and read for its records."""

from gleaner.schemas.validation import Violation, check_schema, is_valid, unenforceable, violations

__all__ = ["Violation", "check_schema", "is_valid", "unenforceable", "violations"]
