"""Finding all that a recipe's places name by one walk over each container, the work shared between its fields."""

from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from lxml.html import HtmlElement

from gleaner.wrappers.container import Container
from gleaner.wrappers.looks import part_of
from gleaner.wrappers.places import Place, key_of
from gleaner.wrappers.trees import Spot

Key: TypeAlias = tuple[str, str, str, str]
"""A place's kind, value, tag and name."""


class _Wanted(NamedTuple):
    """What elements of one tag and class are wanted for: keys, attributes that decide, and whether they are strange."""

    keys: tuple[Key, ...]
    attributes: tuple[Key, ...]
    is_strange: bool


class Search:
    """Looks in many containers for what places name, and for elements of tags and classes other than ``parts``.

    Elements are told by tag and class, and the same few occur in every record: what each is wanted for is worked out
    once. Places by labels, columns, paths and pieces of text are not searched for but found where they are asked for.
    """

    def __init__(self, places: Iterable[Place], parts: Collection[str] | None = None) -> None:
        self._keys = frozenset(key for place in places if (key := key_of(place)) is not None)
        self._parts = parts
        self._wanted: dict[tuple[str, str | None], _Wanted | None] = {}

    def in_all(self, boxes: Iterable[Container]) -> None:
        """Search containers; `places.find` then takes what was found."""
        if not self._keys and self._parts is None:
            return
        for box in boxes:
            self._search(box)

    def _search(self, box: Container) -> None:
        known = self._wanted
        found: dict[Key, list[Spot]] = {}
        strange: list[HtmlElement] = []
        for node in box.nodes:
            look = node.tag, node.get("class")
            try:
                wanted = known[look]  # type: ignore[index]
            except KeyError:
                wanted = self._look(node)
            if wanted is None:
                continue
            for key in wanted.keys:
                found.setdefault(key, []).append(node)
            for key in wanted.attributes:
                value = node.get(key[3])
                if value is not None and (not key[1] or value == key[1]):
                    found.setdefault(key, []).append(node)
            if wanted.is_strange:
                strange.append(node)
        box.sought, box.found, box.strange = self._keys, found, strange

    def _look(self, node: HtmlElement) -> _Wanted | None:
        tag, classes = str(node.tag), node.get("class")
        tokens = classes.split() if classes else []
        same_tag = [key for key in self._keys if not key[2] or key[2] == tag]
        wanted = _Wanted(
            tuple(key for key in same_tag if key[0] == "tag" or (key[0] == "class" and key[1] in tokens)),
            tuple(key for key in same_tag if key[0] == "attribute"),
            self._parts is not None and part_of(node) not in self._parts,
        )
        self._wanted[tag, classes] = made = wanted if any(wanted) else None
        return made
