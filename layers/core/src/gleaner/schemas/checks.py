"""Check whether a schema can be enforced: valid, with resolvable references and working patterns."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from jsonschema import ValidationError
from jsonschema.exceptions import best_match
from jsonschema_specifications import REGISTRY
from referencing import Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import lookup_recursive_ref

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.json_pointers import pointer_of
from gleaner.schemas.dialects import (
    REFERENCES,
    Dialect,
    Schema,
    child_subschemas,
    hides_siblings,
    in_place_subschemas,
    walk,
)
from gleaner.schemas.patterns import PatternError, compile_pattern

MAX_SUBSCHEMAS = 50_000

MAX_FOR_ONE_VALUE = 4_000
"""Subschemas that references may have one value checked against. With 4,096 of them 200 records take 45 s, as each is
checked several times."""


@dataclass(frozen=True, slots=True)
class Place:
    """A subschema, where it stands (or by which reference it was reached), and the scope of its references."""

    pointer: str
    schema: Schema
    resolver: Any


@dataclass(slots=True)
class Reached:
    """What a walk has seen: places by identity, and which places apply to the same value as which."""

    pointers: dict[int, str] = field(default_factory=dict[int, str])
    in_place: dict[int, list[int]] = field(default_factory=dict[int, list[int]])


def check_parsed_schema(schema: Schema, dialect: Dialect) -> None:
    """Raise InvalidSchema, with the keyword and its path, when the schema can't be enforced."""
    checked = {id(subschema) for _, subschema in islice(walk(schema, dialect), MAX_SUBSCHEMAS + 1)}
    if len(checked) > MAX_SUBSCHEMAS:  # told before the metaschema is asked, which takes its time
        raise too_many_subschemas()
    try:
        check_against_metaschema(schema, dialect, "")
    except RecursionError:
        raise InvalidSchema("the schema is nested too deeply") from None
    reached = walk_references(schema, dialect, checked)
    refuse_multiplied(reached, refuse_loops(reached))


def too_many_subschemas() -> InvalidSchema:
    """Give the error of a schema that is too large."""
    return InvalidSchema(f"the schema has more than {MAX_SUBSCHEMAS} subschemas")


def root_resolver(schema: Schema, dialect: Dialect) -> Any:
    """Give the resolver of the schema's own references: it knows the metaschemas, and fetches nothing."""
    return REGISTRY.resolver_with_root(Resource(contents=schema, specification=dialect.specification))


def check_against_metaschema(schema: Schema, dialect: Dialect, pointer: str) -> None:
    """Raise InvalidSchema when the draft's metaschema refuses the schema."""
    validator = dialect.validator(dialect.validator.META_SCHEMA, registry=REGISTRY)
    error = best_match(validator.iter_errors(schema))
    if error is None:
        return
    # of the ways in which a keyword may be written: 'float' is none of the types, and no list of them either
    error = max(error.context or [error], key=_closeness)
    path = list(error.absolute_path)
    keyword = next((part for part in reversed(path) if isinstance(part, str)), "schema")
    raise InvalidSchema(f"{keyword} at {pointer + pointer_of(path) or '/'}: {error.message[:300]}")


def _closeness(error: ValidationError) -> tuple[int, bool]:
    return len(error.path), error.validator == "enum"


def walk_references(schema: Schema, dialect: Dialect, checked: set[int]) -> Reached:
    """Visit all that the schema reaches; InvalidSchema when a reference leads nowhere or a pattern is none."""
    reached = Reached()
    queue = [Place("", schema, root_resolver(schema, dialect))]
    while queue:
        place = queue.pop()
        if not isinstance(place.schema, dict) or id(place.schema) in reached.pointers:
            continue
        if len(reached.pointers) >= MAX_SUBSCHEMAS:
            raise too_many_subschemas()
        reached.pointers[id(place.schema)] = place.pointer
        _check_patterns(place.pointer, place.schema, dialect)
        targets = list(referenced_places(place, dialect))
        for target in targets:
            _check_target(target, dialect, checked)
        same_value = [*targets, *_places(place, in_place_subschemas(place.schema, dialect), dialect)]
        reached.in_place[id(place.schema)] = [id(below.schema) for below in same_value]
        queue.extend(same_value)
        queue.extend(_places(place, child_subschemas(place.schema, dialect), dialect))
    return reached


def _places(place: Place, subschemas: Iterator[tuple[str, Schema]], dialect: Dialect) -> Iterator[Place]:
    scope = place.resolver
    for relative, child in subschemas:
        inner = scope.in_subresource(dialect.specification.create_resource(child)) if isinstance(child, dict) else scope
        yield Place(place.pointer + relative, child, inner)


def referenced_places(place: Place, dialect: Dialect) -> Iterator[Place]:
    """Give what the references of the schema lead to; InvalidSchema when one leads nowhere."""
    schema = place.schema
    if not isinstance(schema, dict):
        return
    for keyword in REFERENCES:
        reference = schema.get(keyword)
        if isinstance(reference, str) and dialect.knows(keyword):
            resolved = _look_up(place, keyword, reference)
            yield Place(f"{place.pointer}/{keyword}", resolved.contents, resolved.resolver)


def _look_up(place: Place, keyword: str, reference: str) -> Any:
    at = f"{keyword} at {place.pointer}/{keyword}"
    try:
        if keyword == "$recursiveRef":
            return lookup_recursive_ref(place.resolver)
        resolved = place.resolver.lookup(reference)
    except (Unresolvable, LookupError, ValueError, TypeError, AttributeError):
        reason = "leads nowhere" if reference.startswith("#") else "is not part of the schema, and nothing is fetched"
        raise InvalidSchema(f"{at}: {reference[:200]!r} {reason}") from None
    if not isinstance(resolved.contents, dict | bool):
        raise InvalidSchema(f"{at}: {reference[:200]!r} does not lead to a schema")
    return resolved


def _check_target(target: Place, dialect: Dialect, checked: set[int]) -> None:
    """Check what stands where the metaschema does not look ("#/components/…"); such places are schemas by use only."""
    if id(target.schema) in checked:
        return
    check_against_metaschema(target.schema, dialect, target.pointer)
    checked.update(id(subschema) for _, subschema in walk(target.schema, dialect))


def _check_patterns(pointer: str, schema: dict[str, Any], dialect: Dialect) -> None:
    if hides_siblings(schema, dialect):
        return
    patterns = [("/pattern", schema.get("pattern"))]
    patterns += [("/patternProperties", pattern) for pattern in schema.get("patternProperties") or ()]
    for relative, pattern in patterns:
        if isinstance(pattern, str):
            try:
                compile_pattern(pattern)
            except PatternError as error:
                keyword = relative[1:]
                raise InvalidSchema(
                    f"{keyword} at {pointer}{relative}: {pattern[:200]!r} does not compile: {error}"
                ) from None


def refuse_loops(reached: Reached) -> list[int]:
    """Raise InvalidSchema when subschemas apply to the same value in a circle: validation would never end.

    Gives the subschemas in an order in which each stands behind those that apply with it.
    """
    finished: dict[int, None] = {}
    for start in reached.in_place:
        on_path: set[int] = set()
        stack: list[tuple[int, bool]] = [(start, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                on_path.discard(node)
                finished[node] = None
            elif node in on_path:
                raise InvalidSchema(f"$ref at {reached.pointers[node] or '/'}: an endless loop of references")
            elif node not in finished:
                on_path.add(node)
                stack.append((node, True))
                stack.extend((below, False) for below in reached.in_place.get(node, ()))
    return list(finished)


def refuse_multiplied(reached: Reached, innermost_first: list[int]) -> None:
    """Raise InvalidSchema when references multiply so that one value would be checked against too many subschemas."""
    applied: dict[int, int] = {}
    for node in innermost_first:
        applied[node] = 1 + sum(applied.get(below, 1) for below in reached.in_place.get(node, ()))
        if applied[node] > MAX_FOR_ONE_VALUE:
            where = reached.pointers[node][:200] or "/"
            raise InvalidSchema(
                f"$ref at {where}: references for one value multiply to over {MAX_FOR_ONE_VALUE} subschemas"
            )
