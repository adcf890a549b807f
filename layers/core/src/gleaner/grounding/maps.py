"""Prove maps with open keys ("prices by name"): each entry is a record named by its key.

So a value must stand where the page says the key of its entry. That a page says the keys at all is not taken for
granted: a model may have to choose words for them ("founded" for "Open since 1998"). Where most are the page's own, one
that is not is as invented as any other text, and with it what stands under it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.leaves import Leaf, SchemaViews, Steps, View, field_at, iterate_leaves
from gleaner.grounding.text.spellings import spellings
from gleaner.grounding.text.text_index import TextIndex

_KEY, _VALUE = "key", "value"
_LEAST, _MOSTLY, _DEEPEST = 2, 0.6, 4
_OPEN_KEYWORDS = ("additionalProperties", "patternProperties")

OpenMap = tuple[Steps, dict[str, JsonValue]]


def find_maps(data: JsonValue, views: SchemaViews, index: TextIndex) -> list[OpenMap]:
    """Give where the maps stand whose keys the schema leaves open and the page mostly says, in no list."""
    return [
        (steps, entries)
        for steps, entries in _maps_in(data, views, ())
        if len(entries) >= _LEAST
        and not any(isinstance(value, list) for value in entries.values())
        and sum(bool(index.find(_as_said(key, index))) for key in entries) >= _MOSTLY * len(entries)
    ]


def as_records(entries: Mapping[str, JsonValue], index: TextIndex) -> list[JsonValue]:
    """Give the entries of a map as records."""
    values = [value if isinstance(value, dict) else {_VALUE: value} for value in entries.values()]
    return [{_KEY: _as_said(key, index), **value} for key, value in zip(entries, values, strict=True)]


def leaves_of_map(steps: Steps, entries: Mapping[str, JsonValue], views: SchemaViews, index: TextIndex) -> list[Leaf]:
    """Give the leaves of a map as those of a list of records: the key of each entry, and what stands under it."""
    found: list[Leaf] = []
    field = (*field_at(steps), "*")
    for number, (key, value) in enumerate(entries.items()):
        found.append(Leaf(key_pointer((*steps, key)), (*steps, number, _KEY), (*field, _KEY), _as_said(key, index)))
        for leaf in iterate_leaves(value, views, (*steps, key)):
            rest = leaf.steps[len(steps) + 1 :] or (_VALUE,)
            found.append(replace(leaf, steps=(*steps, number, *rest), field=(*field, *field_at(rest))))
    return [leaf for leaf in found if leaf.value is not None]


def unsaid_keys(root: Steps, entries: Mapping[str, JsonValue], proofs: Mapping[str, tuple[Any, ...]]) -> list[Steps]:
    """Give the entries of a map whose keys the page does not say; ``proofs`` end with each leaf's status."""
    steps = [(*root, key) for key in entries]
    return [one for one in steps if proofs[key_pointer(one)][-1] == "ungrounded"]


def refuted(leaf: Leaf) -> tuple[Leaf, None, str]:
    """Give the proof of what stands under a key that the page does not say: none."""
    return leaf, None, "ungrounded"


def key_pointer(entry: Steps) -> str:
    """Give the pointer by which the key of a map's entry goes; no value has it."""
    return f"{pointer_of(entry)}#"


def _as_said(key: str, index: TextIndex) -> str:
    """Give a key as the page may say it: ``screen_size`` as "screen size"."""
    plain = "".join(spellings((key,))[:1])
    return plain if plain and not index.find(key) and index.find(plain) else key


def _maps_in(value: JsonValue, views: SchemaViews, steps: Steps) -> Iterator[OpenMap]:
    if not isinstance(value, dict) or len(steps) >= _DEEPEST:
        return
    if any(_is_open(view) for view in views.of(field_at(steps))):
        yield steps, value
        return
    for key, inner in value.items():
        yield from _maps_in(inner, views, (*steps, key))


def _is_open(view: View) -> bool:
    names = view.get("propertyNames")
    is_named = bool(view.get("properties")) or (isinstance(names, Mapping) and not {"enum", "const"}.isdisjoint(names))
    parts = [part for keyword in _OPEN_KEYWORDS if isinstance(part := view.get(keyword), Mapping) and part]
    return not is_named and bool(parts) and not any(part.get("x-derived") for part in parts)
