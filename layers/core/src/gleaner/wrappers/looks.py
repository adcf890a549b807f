"""What parts of a page look like, by tag and class: parts are known again by that, and found by one walk over each."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.wrappers.container import Container
from gleaner.wrappers.places import Place, is_made, key_of
from gleaner.wrappers.readings import mask
from gleaner.wrappers.trees import Spot, squeeze, text_of

_LONG = 60
_SHORT = 40


def look_of(box: Container) -> str:
    """Give what a container looks like from outside."""
    return look_of_node(box.elements[0])


def look_of_node(node: HtmlElement) -> str:
    """Give what an element looks like: tag, classes, the tags inside, and whether it is long or has numbers."""
    tags = {str(one.tag) for one in node.iterdescendants() if isinstance(one.tag, str)}
    said = text_of(node)
    filled = sum(1 for child in node if text_of(child))
    size = f"{'+' if len(said) > _LONG else ''}{min(filled, 3)}/{min(len(node), 9)}"
    kind = f"{'9' if any(map(str.isdigit, said)) else 'a'}{size}"
    return f"{outside_of(node)}>{'+'.join(sorted(tags))} {kind}"


def outside_of(node: HtmlElement) -> str:
    """Give what the look of an element begins with: its tag and classes, but for those that a build tool made."""
    return _outside(f"{node.tag}", node.get("class") or "")


@lru_cache(4096)
def _outside(tag: str, classes: str) -> str:
    return f"{tag}.{mask('.'.join(token for token in classes.split() if not is_made(token)))}"


def part_of(node: HtmlElement) -> str:
    """Give what a part of a record is known again by: its tag and classes, with 9 for each number."""
    return _part(f"{node.tag}.{node.get('class') or ''}")


_part = lru_cache(4096)(mask)


def marks_of(box: Container) -> set[str]:
    """Give what may tell a part of the page from others that look alike: its own parts with a text, and short texts."""
    said = [(node, squeeze(node.text)) for node in box.nodes if node.text and not node.text.isspace()]
    return {part_of(node) for node, _ in said} | {f"={mask(text)}" for _, text in said if len(text) <= _SHORT}


def look_of_holder(node: HtmlElement) -> str:
    """Give what the element of a text looks like: its tag and classes, and those of the element around it."""
    above = node.getparent()
    around = "" if above is None else f"{above.tag}.{'.'.join(classes_of(above))}"
    return f"<{around}>{node.tag}.{'.'.join(classes_of(node))}"


class Looks(frozenset[str]):
    """Looks of elements, by which some are known again. What elements of one tag and class may have is told first."""

    def __init__(self, _looks: object = ()) -> None:
        self._outsides = frozenset(look.partition(">")[0] for look in self)

    def may_have(self, node: HtmlElement) -> bool:
        """Tell whether one of the looks is of the tag and classes of an element."""
        return bool(self) and outside_of(node) in self._outsides

    def have(self, node: HtmlElement) -> bool:
        """Tell whether an element looks like one of them."""
        return self.may_have(node) and look_of_node(node) in self


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
