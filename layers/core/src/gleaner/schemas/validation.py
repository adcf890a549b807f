"""Validation of instances against the caller's schema, unchanged (SC-1)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import ValidationError
from jsonschema_specifications import REGISTRY
from referencing.exceptions import Unresolvable

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import pointer_of
from gleaner.schemas.checks import check_parsed_schema
from gleaner.schemas.dialects import Dialect, Schema, dialect_of
from gleaner.schemas.effort import TooMuchWork, bounded_work
from gleaner.schemas.formats import format_checker
from gleaner.schemas.keywords import enforcing_validator
from gleaner.schemas.plain import Accepts, plain_check

MAX_MESSAGE_CHARS = 400
MAX_VIOLATIONS = 1_000


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong with an instance: where (JSON Pointer), by which keyword, and why."""

    pointer: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class EnforcedSchema:
    """A checked schema, its draft, and its validators with and without ``format``.

    ``plain`` tells of most instances without them that they are valid.
    """

    schema: Schema
    dialect: Dialect
    strict: Any
    without_formats: Any
    plain: Accepts | None


def enforced(schema: Schema) -> EnforcedSchema:
    """Give the schema ready to validate with; InvalidSchema when it can't be enforced. Cached by content."""
    return _enforced_text(schema_text(schema))


def schema_text(schema: Any) -> str:
    """Give the schema as JSON text, in the caller's order; InvalidSchema when it is no JSON."""
    if not isinstance(schema, dict | bool):
        raise InvalidSchema(f"a JSON Schema is an object or a boolean, not {type(schema).__name__}")
    try:
        return json.dumps(schema, allow_nan=False, check_circular=True)
    except RecursionError:
        raise InvalidSchema("the schema is nested too deeply") from None
    except (TypeError, ValueError) as error:
        raise InvalidSchema(f"the schema is not valid JSON: {error}") from None


@lru_cache(maxsize=256)
def _enforced_text(text: str) -> EnforcedSchema:
    schema: Schema = json.loads(text)
    dialect = dialect_of(schema)
    check_parsed_schema(schema, dialect)
    validator = enforcing_validator(dialect)
    return EnforcedSchema(
        schema=schema,
        dialect=dialect,
        strict=validator(schema, registry=REGISTRY, format_checker=format_checker()),
        without_formats=validator(schema, registry=REGISTRY),
        plain=plain_check(schema),
    )


def is_valid(schema: Schema, instance: Any, *, formats: bool = True) -> bool:
    """Tell whether the schema accepts the instance; InvalidSchema when the schema can't be enforced.

    The draft is ``$schema``'s, 2020-12 without it; ``format`` is checked (``formats=False``: an annotation only).
    Nothing is ever fetched. What can't be checked (nested too deeply, a pattern that takes too long) is not accepted.

    >>> is_valid({"type": "integer"}, 1.0), is_valid({"type": "integer"}, True), is_valid({"type": "integer"}, "1")
    (True, False, False)
    """
    return not violations(schema, instance, formats=formats, most=1)


def violations(schema: Schema, instance: Any, *, formats: bool = True, most: int = MAX_VIOLATIONS) -> list[Violation]:
    """List what is wrong with the instance, in the instance's order; empty when it is valid.

    At most ``most``; InvalidSchema when the schema can't be enforced.

    >>> violations({"properties": {"price": {"type": "number"}}}, {"price": "cheap"})
    [Violation(pointer='/price', keyword='type', message="'cheap' is not of type 'number'")]
    """
    ready = enforced(schema)
    validator = ready.strict if formats else ready.without_formats
    found: list[Violation] = []
    try:
        if ready.plain is not None and ready.plain(instance):
            return found
        with bounded_work(instance):
            found.extend(map(_violation, islice(validator.iter_errors(instance), most)))
    except RecursionError:
        found.append(Violation("", "depth", "nested too deeply to be checked"))
    except TimeoutError:
        found.append(Violation("", "pattern", "a pattern of the schema takes too long on this value"))
    except TooMuchWork as error:
        found.append(Violation("", "schema", str(error)))
    except OverflowError as error:
        found.append(Violation("", "multipleOf", f"a number is too large to be checked ({error})"))
    return found


def _violation(error: ValidationError) -> Violation:
    message = _shortened(error.message)
    if error.context:
        closest = max(error.context, key=_closeness)
        place = pointer_of(closest.absolute_path) or "the value"
        message = f"{message}; closest: {place}: {_shortened(closest.message)}"
    return Violation(pointer_of(error.absolute_path), str(error.validator), message)


def _closeness(error: ValidationError) -> tuple[int, bool]:
    """Rank the faults of alternatives: the branch that fits furthest down is the one that was meant."""
    return len(error.path), error.validator not in ("type", "const", "enum")


def _shortened(message: str) -> str:
    if len(message) <= MAX_MESSAGE_CHARS:
        return message
    half = MAX_MESSAGE_CHARS // 2
    return f"{message[:half]} … {message[-half:]}"


def unenforceable(schema: Any) -> str | None:
    """Say why the schema can't be enforced, or None when it can (SC-5): then extraction is free text, with a warning.

    >>> unenforceable({"$ref": "https://example.com/product.json"})
    "$ref at /$ref: 'https://example.com/product.json' is not part of the schema, and nothing is fetched"
    """
    try:
        check_schema(schema)
    except InvalidSchema as error:
        return error.message
    return None


def check_schema(schema: Any) -> None:
    """Raise InvalidSchema, with the keyword and its path, when the schema is invalid or can't be enforced."""
    if isinstance(schema, Mapping) and not isinstance(schema, dict):
        schema = dict(schema)
    try:
        enforced(schema)
    except Unresolvable as error:
        raise InvalidSchema(f"$ref: {error.ref!r} leads nowhere") from None
