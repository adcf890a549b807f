"""What parts of a page look like, by tag and class: parts are known again by that, and found by one walk over each."""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from lxml.html import HtmlElement

from gleaner.wrappers.container import Container, Shape
from gleaner.wrappers.places import Place, is_made
from gleaner.wrappers.readings import mask
from gleaner.wrappers.trees import squeeze, text_of

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


def signs_of(node: HtmlElement) -> Iterator[str]:
    """Give what tells an element from others of its tag: its id, and its classes but for those that a build tool made.

    >>> from lxml.html import fromstring
    >>> [*signs_of(fromstring("<aside id=featured class='css-1x2y3z body'></aside>"))], [*signs_of(fromstring("<p>a"))]
    (['aside#featured', 'aside.body'], [])
    """
    if name := node.get("id"):
        yield f"{node.tag}#{mask(name)}"
    if not (outside := outside_of(node)).endswith("."):
        yield outside


def look_of_holder(node: HtmlElement) -> str:
    """Give what the element of a text looks like: its tag and classes, and those of the element around it."""
    above = node.getparent()
    return f"<{'' if above is None else outside_of(above)}>{outside_of(node)}"


def look_of_text(text: str, holder: HtmlElement) -> str:
    """Give what the element of a text looks like, and whether that has figures."""
    return f"{look_of_holder(holder)} {'9' if any(map(str.isdigit, text)) else 'a'}"


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


class Shapes:
    """Tells containers by their shapes: the same few occur in all records, and each place is found once for each.

    ``places`` are those that will be asked for: shapes differ in the attributes that these go by. Elements of other
    tags and classes than ``parts`` are strange.
    """

    def __init__(self, places: Iterable[Place], parts: Collection[str] | None = None) -> None:
        self._attributes = frozenset((one.tag, one.name, one.value) for one in places if one.kind == "attribute")
        self._by_tag: dict[str, list[tuple[str, str]]] = {}
        for tag, name, value in sorted(self._attributes):
            self._by_tag.setdefault(tag, []).append((name, value))
        self._parts = parts
        self._known: dict[tuple[object, ...], Shape] = {}

    def tell(self, boxes: Iterable[Container]) -> None:
        """Give each container its shape."""
        known, by_tag = self._known, self._by_tag
        for box in boxes:
            nodes = box.nodes
            key: list[object] = [sign for node in nodes for sign in (node.tag, node.get("class"), len(node))]
            for node in nodes if by_tag else ():
                for name, value in (*by_tag.get("", ()), *by_tag.get(str(node.tag), ())):
                    said = node.get(name)
                    key.append(said is not None and (not value or said == value))
            signs = len(box.elements), *key
            shape = known.get(signs)
            if shape is None:
                shape = known[signs] = Shape(self._attributes, self._strange_of(box))
            box.shape = shape

    def _strange_of(self, box: Container) -> list[int]:
        parts = self._parts
        return [] if parts is None else [at for at, node in enumerate(box.nodes) if part_of(node) not in parts]
