"""Relaxed schemas in the form that providers' constrained decoding takes.

Amazon Bedrock (user guide, "Get validated JSON results from models"): no limits but minItems 0 or 1, no recursion, no
outside references, enums of scalars, ``additionalProperties: false`` on every object; the grammars of its Claude models
take at most 24 optional properties and 16 unions (Claude's documentation of structured outputs).
OpenAI (guide "Structured outputs", supported schemas): the root an object and no anyOf, every property in ``required``,
``additionalProperties: false``, at most 5,000 properties, 10 levels of objects and 1,000 enum values.

Both close every object. So a schema with room for properties that it does not name, or for any value at all, has no
provider form: sent closed, it would make the model drop data. Then the schema goes into the prompt alone, and the
validation that follows is the same.
"""

from collections.abc import Iterator
from typing import Any, Literal

Provider = Literal["bedrock", "openai"]

MAX_OPTIONAL = 24
MAX_UNIONS = 16
MAX_PROPERTIES = 5_000
MAX_LEVELS = 10
MAX_ENUM_VALUES = 1_000


def provider_form(relaxed: dict[str, Any], provider: Provider) -> dict[str, Any] | None:
    """Give what ``relax`` gave in the provider's subset, or None when the subset can't carry it without loss.

    Objects are closed: undeclared properties, which the caller's schema may admit, can't come back (the prompt asks for
    none). For OpenAI every property is required, null standing for absent; for Bedrock the first 24 properties are
    optional in place of nullable, since unions are scarce there (gleaner.coercion puts back a null that is required).

    >>> provider_form({"type": "object", "properties": {"a": {"type": "string"}}}, "openai")["required"]
    ['a']
    """
    root = _without_null(relaxed)
    if root.get("type") != "object" or not all(_is_closed_form(form) for form in _forms(root)):
        return None
    if provider == "openai":
        closed = _closed(root, None)
        return closed if _within_openai_limits(closed) else None
    closed = _closed(root, iter(range(MAX_OPTIONAL)))
    unions = sum("anyOf" in form or isinstance(form.get("type"), list) for form in _forms(closed))
    return closed if unions <= MAX_UNIONS else None


def _closed(form: dict[str, Any], optional: Iterator[int] | None) -> dict[str, Any]:
    """Close the objects of the form; ``optional`` has an item for each property that may be absent, and not null."""
    copy = dict(form)
    if "anyOf" in form:
        copy["anyOf"] = [_closed(branch, optional) for branch in form["anyOf"]]
    if "items" in form:
        copy["items"] = _closed(_without_null(form["items"]), optional)
    if "object" not in _type_names(form):
        return copy
    copy["properties"], required = {}, list[str]()
    for name, value in form.get("properties", {}).items():
        may_be_absent = optional is not None and next(optional, None) is not None
        copy["properties"][name] = _closed(_without_null(value) if may_be_absent else value, optional)
        required += [] if may_be_absent else [name]
    return {**copy, "additionalProperties": False, "required": required}


def _without_null(form: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in form:
        branches = [branch for branch in form["anyOf"] if branch != {"type": "null"}]
        rest = {key: value for key, value in form.items() if key != "anyOf"}
        return {**rest, "anyOf": branches} if len(branches) > 1 else {**branches[0], **rest}
    names = [name for name in _type_names(form) if name != "null"]
    if not names:
        return form
    copy = {**form, "type": names[0] if len(names) == 1 else names}
    if "enum" in form:
        copy["enum"] = [value for value in form["enum"] if value is not None]
    return copy


def _type_names(form: dict[str, Any]) -> list[str]:
    declared = form.get("type", [])
    return [declared] if isinstance(declared, str) else list(declared)


def _forms(form: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the form and all forms in it; an array without items counts as one of anything."""
    stack = [form]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(current.get("anyOf", ()))
        stack.extend(current.get("properties", {}).values())
        if "array" in _type_names(current):
            stack.append(current.get("items", {}))


def _is_closed_form(form: dict[str, Any]) -> bool:
    """Tell whether closing the form's object loses nothing that the caller named."""
    if "anyOf" in form:
        return True
    if "object" in _type_names(form):
        return bool(form.get("properties")) and not isinstance(form.get("additionalProperties"), dict)
    return "type" in form


def _within_openai_limits(form: dict[str, Any]) -> bool:
    forms = list(_forms(form))
    properties = sum(len(each.get("properties", ())) for each in forms)
    values = sum(len(each.get("enum", ())) for each in forms)
    return properties <= MAX_PROPERTIES and values <= MAX_ENUM_VALUES and _levels(form) <= MAX_LEVELS


def _levels(form: dict[str, Any]) -> int:
    inner = [*form.get("anyOf", ()), *form.get("properties", {}).values()]
    inner += [form["items"]] if "items" in form else []
    return max((_levels(each) for each in inner), default=0) + ("object" in _type_names(form))
