"""The caller's JSON Schema: enforced as it is, carried by Pydantic, relaxed for providers, and read for its records."""

from gleaner.schemas.carriers import schema_dict_to_pydantic_model
from gleaner.schemas.links import asks_for_images, asks_for_links
from gleaner.schemas.providers import provider_form
from gleaner.schemas.records import RecordPath, declared_properties, declared_types, record_path
from gleaner.schemas.relaxation import relax
from gleaner.schemas.undeclared import drop_undeclared, drop_unnamed, named_as_declared
from gleaner.schemas.validation import Violation, check_schema, is_valid, unenforceable, violations

__all__ = [
    "RecordPath",
    "Violation",
    "asks_for_images",
    "asks_for_links",
    "check_schema",
    "declared_properties",
    "declared_types",
    "drop_undeclared",
    "drop_unnamed",
    "is_valid",
    "named_as_declared",
    "provider_form",
    "record_path",
    "relax",
    "schema_dict_to_pydantic_model",
    "unenforceable",
    "violations",
]
