"""The scalar leaves of a result, each with its JSON Pointer and its schema."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from gleaner.contracts.json_pointers import escape_step, pointer_of, read_pointer, value_at
from gleaner.contracts.ports import JsonValue
from gleaner.schemas.patterns import matches
from gleaner.values.lookups import grouped

Steps = tuple[str | int, ...]
View = Mapping[str, Any]
Views = tuple[View, ...]
Schema = dict[str, Any] | bool
MemberKind = Literal["scalar", "list"]
_MOST_VIEWS = 64
_DEEPEST_REFERENCE = 24
_DEEPEST_LIST = 4
CONTEXT = "context"
"""The transform of a value that stands in text shared by several records, such as the heading of their section."""


def field_at(steps: Steps) -> tuple[str, ...]:
    """Give the field that steps lead to: the steps with ``*`` for array indices.

    >>> field_at(("rows", 3, "price"))
    ('rows', '*', 'price')
    """
    return tuple("*" if isinstance(step, int) else step for step in steps)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One scalar: its pointer, the steps to it, its field (the steps with ``*`` for array indices), value and schemas.

    ``views`` are the subschemas that can apply to it, references followed and alternatives side by side.
    """

    pointer: str
    steps: Steps
    field: tuple[str, ...]
    value: str | int | float | bool | None
    views: Views = ()

    @property
    def name(self) -> str:
        """The name of its property; "*" for an element of a list, "" for the whole result."""
        return "".join(self.field[-1:])

    @property
    def key(self) -> tuple[type, object]:
        """The value as it is compared: 1 is not true."""
        return type(self.value), self.value

    @property
    def is_derived(self) -> bool:
        """Whether the schema marks the field as ``x-derived``: not to be found in the text."""
        return any(view.get("x-derived") is True for view in self.views)

    @property
    def choices(self) -> tuple[JsonValue, ...]:
        """The values of an enum or const; none for an open field, and where a value is of another alternative."""
        listed = [choice for view in self.views for choice in _choices_of(view)]
        is_listed = self.value in listed
        return tuple(choice for choice in listed if choice is not None) if is_listed else ()

    @property
    def is_open(self) -> bool:
        """Whether a text has to say it: it is no flag, no choice of the schema's, and not derived."""
        return not (isinstance(self.value, bool) or self.choices or self.is_derived)


def _choices_of(view: View) -> Iterable[JsonValue]:
    if "const" in view:
        return (view["const"],)
    enum = view.get("enum")
    return enum if isinstance(enum, list) else ()


def _kind_of(views: Views) -> MemberKind | None:
    """Tell whether all views are of scalars, or all of lists; None for others, and where one says nothing of it."""
    types = [{*types_of(view)} - {"null"} for view in views]
    if types and all(one == {"array"} for one in types):
        return "list"
    return "scalar" if types and all(one and one.isdisjoint(("object", "array")) for one in types) else None


class SchemaViews:
    """Finds the subschemas of a field; what was found once for a field is remembered."""

    def __init__(self, schema: Schema | None) -> None:
        self._root: View = schema if isinstance(schema, Mapping) else {}
        self._known: dict[tuple[str, ...], Views] = {}
        self._members: dict[tuple[str, ...], dict[str, MemberKind]] = {}

    def of(self, field: tuple[str, ...]) -> Views:
        """Give the views of a field; ``*`` stands for any array index."""
        if field not in self._known:
            views = self._expand([self._root]) if not field else self._expand(self._children(field))
            self._known[field] = views
        return self._known[field]

    def allows_null(self, field: tuple[str, ...]) -> bool:
        """Tell whether null may stand in a field; yes where the schema says nothing of it."""
        schemas = self._children(field) if field else [self._root]
        stated = [schema for schema in schemas if schema is not None]
        return not stated or any(self._accepts_null(schema, _DEEPEST_REFERENCE) for schema in stated)

    def is_unnamed(self, field: tuple[str, ...]) -> bool:
        """Tell whether the schema names properties of an object, and says nothing of this one."""
        return not any(child is not None for child in self._children(field)) and any(
            view.get("properties") for view in self.of(field[:-1])
        )

    def members(self, field: tuple[str, ...]) -> Mapping[str, MemberKind]:
        """Give the properties that each alternative of an object names, but for those that hold objects."""
        if field not in self._members:
            named = [properties for view in self.of(field) if isinstance(properties := view.get("properties"), Mapping)]
            shared = [str(name) for name in (named[0] if named else ()) if all(name in one for one in named)]
            members = self._members[field] = dict[str, MemberKind]()
            for name in shared:
                if (kind := _kind_of(self.of((*field, name)))) is not None:
                    members[name] = kind
        return self._members[field]

    def is_required(self, field: tuple[str, ...]) -> bool:
        """Tell whether a property must be there, by any of the schemas of its object."""
        return any(field[-1] in as_list(view.get("required")) for view in self.of(field[:-1]))

    def is_full(self, field: tuple[str, ...], count: int) -> bool:
        """Tell whether a list of so many elements takes no more: one of ``maxItems``, or whose places have meanings."""
        views = self.of(field)
        most = [view["maxItems"] for view in views if isinstance(view.get("maxItems"), int)]
        has_places = any(view.get("prefixItems") or isinstance(view.get("items"), list) for view in views)
        return has_places or any(count >= limit for limit in most)

    def are_unique(self, field: tuple[str, ...]) -> bool:
        """Tell whether a list takes no element twice (``uniqueItems``)."""
        return any(view.get("uniqueItems") is True for view in self.of(field))

    def _accepts_null(self, schema: Any, depth: int) -> bool:
        if not isinstance(schema, Mapping) or depth == 0:
            return schema is not False
        kinds, target = schema.get("type"), self._referenced(schema.get("$ref"))
        own = (
            (kinds is None or kinds == "null" or (isinstance(kinds, list) and "null" in kinds))
            and ("enum" not in schema or None in as_list(schema["enum"]))
            and ("const" not in schema or schema["const"] is None)
        )
        return own and all(
            (
                target is None or self._accepts_null(target, depth - 1),
                all(self._accepts_null(part, depth - 1) for part in as_list(schema.get("allOf"))),
                self._any_accepts_null(schema.get("anyOf"), depth),
                self._any_accepts_null(schema.get("oneOf"), depth),
            )
        )

    def _any_accepts_null(self, parts: Any, depth: int) -> bool:
        return not as_list(parts) or any(self._accepts_null(part, depth - 1) for part in parts)

    def _children(self, field: tuple[str, ...]) -> list[Any]:
        step = field[-1]
        return [child for view in self.of(field[:-1]) for child in _child_schemas(view, step)]

    def _expand(self, schemas: Sequence[Any]) -> Views:
        pending = [schema for schema in reversed(schemas) if isinstance(schema, Mapping)]
        views: list[View] = []
        while pending and len(views) < _MOST_VIEWS:
            view = pending.pop()
            if any(view is known for known in views):
                continue
            views.append(view)
            for keyword in ("allOf", "anyOf", "oneOf"):
                pending.extend(part for part in as_list(view.get(keyword)) if isinstance(part, Mapping))
            others = (view.get("then"), view.get("else"), self._referenced(view.get("$ref")))
            pending.extend(part for part in others if isinstance(part, Mapping))
        return tuple(views)

    def _referenced(self, reference: Any) -> Any:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        return value_at(cast(JsonValue, self._root), reference[1:])


def _child_schemas(view: View, step: str) -> Iterator[Any]:
    if step == "*":
        items = view.get("items")
        yield from items if isinstance(items, list) else [items]
        yield from as_list(view.get("prefixItems"))
        return
    properties = view.get("properties")
    if isinstance(properties, Mapping) and step in properties:
        yield properties[step]
        return
    patterns = view.get("patternProperties")
    for pattern, schema in patterns.items() if isinstance(patterns, Mapping) else ():
        if matches(pattern, step):
            yield schema
    yield view.get("additionalProperties")


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """Give the types that a schema names itself, one or several."""
    said = schema.get("type")
    return [kind for kind in (said, *as_list(said)) if isinstance(kind, str)]


def as_list(value: Any) -> list[Any]:
    """Give a list as it is; for what is none, an empty one."""
    return value if isinstance(value, list) else []


def iterate_leaves(data: JsonValue, views: SchemaViews, steps: Steps = ()) -> Iterator[Leaf]:
    """Give the scalar leaves of a value in document order, nulls too; ``steps`` is where the value stands."""
    # A stack in place of recursion: the value may be nested deeper than Python's own stack.
    stack: list[tuple[JsonValue, Steps, tuple[str, ...], str]] = [(data, steps, field_at(steps), pointer_of(steps))]
    while stack:
        value, path, field, at = stack.pop()
        if isinstance(value, dict):
            stack.extend(
                (child, (*path, key), (*field, key), f"{at}/{escape_step(key)}")
                for key, child in reversed(value.items())
            )
        elif isinstance(value, list):
            inner = (*field, "*")
            stack.extend(
                (value[number], (*path, number), inner, f"{at}/{number}") for number in reversed(range(len(value)))
            )
        else:
            yield Leaf(at, path, field, value, views.of(field))


def constant_fields(leaves: Iterable[Leaf], least: int) -> set[tuple[str, ...]]:
    """Give the fields that say one thing of all records, at least so many, such as a year that the page says once."""
    values: dict[tuple[str, ...], Counter[object]] = {}
    for leaf in leaves:
        values.setdefault(leaf.field, Counter())[leaf.key] += 1
    return {field for field, counts in values.items() if len(counts) == 1 and counts.total() >= least}


def record_number(steps: Steps, root: Steps) -> int | None:
    """Give the index of the record that a leaf belongs to; None outside of the records."""
    depth = len(root)
    if len(steps) <= depth or (depth and steps[:depth] != root):
        return None
    step = steps[depth]
    return step if isinstance(step, int) else None


def leaves_by_record(leaves: Iterable[Leaf], root: Steps) -> dict[int, list[Leaf]]:
    """Give the leaves of each record, by its index."""
    numbered = ((record_number(leaf.steps, root), leaf) for leaf in leaves)
    return grouped((number, leaf) for number, leaf in numbered if number is not None)


def locate_records(data: JsonValue, pointer: str | None = None) -> tuple[Steps, list[JsonValue]]:
    """Give where the list of records stands in a result, and its items; a lone object is one record at the root.

    Where no pointer says it, a root array is the list; in an object it is the array of objects, else the longest.
    """
    if pointer is not None:
        found: Any = data
        for step in read_pointer(pointer):
            found = found.get(step) if isinstance(found, dict) else None
        return (tuple(read_pointer(pointer)), found) if isinstance(found, list) else ((), [])
    if isinstance(data, list):
        return (), data
    lists = list(_lists_in(data, (), _DEEPEST_LIST))
    if not lists:
        return (), []
    return max(lists, key=lambda pair: (any(isinstance(item, dict) for item in pair[1]), len(pair[1])))


def lists_of_records(data: JsonValue) -> list[tuple[Steps, list[JsonValue]]]:
    """Give where the lists of several objects stand in an object, in no other list, and their items."""
    lists = _lists_in(data, (), _DEEPEST_LIST) if isinstance(data, dict) else ()
    return [
        (steps, items) for steps, items in lists if len(items) > 1 and all(isinstance(item, dict) for item in items)
    ]


def _lists_in(data: JsonValue, steps: Steps, depth: int) -> Iterator[tuple[Steps, list[JsonValue]]]:
    for key, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, list) and value:
            yield (*steps, key), value
        elif depth > 1:
            yield from _lists_in(value, (*steps, key), depth - 1)
