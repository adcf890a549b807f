"""What a schema says of the field of a leaf, as labels and units are compared with it."""

from gleaner.contracts.ports import JsonValue
from gleaner.schemas.leaves import Leaf, View, as_list, types_of
from gleaner.values.fields import Field
from gleaner.values.measures import unit_of_name
from gleaner.values.names import words_of


def field_of_leaf(leaf: Leaf) -> Field:
    """Give the field of a leaf: its own name, or that of the list it is an item of."""
    names = [step for step in leaf.field if step != "*"]
    name = names[-1] if names else ""
    also = [name, _without_unit(name)]
    choices: list[JsonValue] = []
    types: set[str] = set()
    formats: list[str] = []
    maximum = None
    for view in leaf.views:
        types.update(types_of(view))
        choices += as_list(view.get("enum"))
        formats += [form for form in (view.get("format"),) if isinstance(form, str)]
        maximum = view.get("maximum", maximum)
        also += [one for one in (view.get("title"), *as_list(view.get("x-aliases"))) if isinstance(one, str)]
    return Field(
        name,
        frozenset(types),
        tuple(dict.fromkeys(formats)),
        " ".join(said for said in map(_description, leaf.views) if said),
        maximum,
        tuple(one for one in choices if isinstance(one, str | int | float)),
        tuple(names[-2:-1]),
        tuple(one for one in dict.fromkeys(also) if one.strip()),
        is_required=True,
        is_list=leaf.field[-1:] == ("*",),
    )


def _description(view: View) -> str:
    said = view.get("description")
    return said if isinstance(said, str) else ""


def _without_unit(name: str) -> str:
    words = words_of(name)
    return " ".join(words[:-1]) if len(words) > 1 and unit_of_name(name) else ""
