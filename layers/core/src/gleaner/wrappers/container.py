"""The part of a page that one record fills, and what stands in it: elements, texts, columns, labels and ways down."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, cast

from lxml import etree
from lxml.html import HtmlElement

from gleaner.wrappers.labels import labelled_in
from gleaner.wrappers.readings import mask
from gleaner.wrappers.trees import (
    CELLS,
    LINE_END,
    MARKER,
    PageTree,
    Spot,
    attribute_text,
    columns_of,
    label_form,
    label_name,
    squeeze,
    text_of,
)

_LONGEST_ATTRIBUTE = 2000
EXACTLY = "="
"""Marks a label that is compared as it stands, not as the name of one thing or of several."""


class Shape:
    """What containers have in common that hold the same tags and classes in the same order, at the same depths.

    ``places`` has the numbers, among the elements of such a container, of those that each place names; worked out in
    the first one. ``attributes`` are those that shapes tell apart, ``strange`` the numbers of the elements of unknown
    tags and classes.
    """

    def __init__(self, attributes: frozenset[tuple[str, str, str]], strange: Sequence[int]) -> None:
        self.attributes = attributes
        self.strange = strange
        self.places: dict[tuple[Any, ...], tuple[int, ...]] = {}


class Container:
    """The part of a page that one record fills: an element, or a run of siblings."""

    def __init__(
        self, page: PageTree, elements: Sequence[HtmlElement], stops: frozenset[HtmlElement] = frozenset()
    ) -> None:
        self.page = page
        self.elements = [*elements]
        self.stops = stops
        self._texts: dict[HtmlElement, str] = {}
        self._steps: dict[HtmlElement, str] = {}
        self.shape: Shape | None = None

    @cached_property
    def nodes(self) -> list[HtmlElement]:
        """All elements of the container in page order, without those of other records inside it."""
        if not self.stops:
            return [node for element in self.elements for node in element.iter("*")]
        return [node for element in self.elements for node in self._open(element)]

    def _open(self, element: HtmlElement) -> Iterator[HtmlElement]:
        walker: Any = etree.iterwalk(element, events=("start",))
        for _, node in walker:
            if node is not element and node in self.stops:
                walker.skip_subtree()
            elif isinstance(node.tag, str):
                yield node

    def text(self, node: HtmlElement) -> str:
        """Give an element's text on one line."""
        known = self._texts.get(node)
        if known is None:
            known = self._texts[node] = text_of(node)
        return known

    @cached_property
    def whole_text(self) -> str:
        """All that the container says, on one line."""
        return squeeze(" ".join(text_of(element) for element in self.elements))

    @cached_property
    def by_class(self) -> dict[str, list[HtmlElement]]:
        """The elements by their class tokens."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.nodes:
            classes = node.get("class")
            if classes:
                for token in dict.fromkeys(classes.split()):
                    found.setdefault(token, []).append(node)
        return found

    @cached_property
    def by_tag(self) -> dict[str, list[HtmlElement]]:
        """The elements by their tags."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.nodes:
            found.setdefault(cast(str, node.tag), []).append(node)
        return found

    @cached_property
    def by_attribute(self) -> dict[tuple[str, str], list[HtmlElement]]:
        """The elements by their attributes, by name alone and by name and value; classes and styles aside."""
        found: dict[tuple[str, str], list[HtmlElement]] = {}
        for node in self.nodes:
            for name, value in node.items():
                if name not in ("class", "style"):
                    found.setdefault((name, ""), []).append(node)
                    if value:
                        found.setdefault((name, value), []).append(node)
        return found

    @cached_property
    def attribute_texts(self) -> list[tuple[HtmlElement, str, str]]:
        """The attributes that may say a value: each element with the name and the text, on one line.

        And the numbers before items of numbered lists.
        """
        numbered = ((node, self.page.markers.get(node)) for node in self.nodes) if self.page.markers else ()
        return [(node, MARKER, said) for node, said in numbered if said] + [
            (node, str(name), attribute_text(str(name), said))
            for node in self.nodes
            for name, said in node.items()
            if said and name not in ("class", "style", "id") and len(said) <= _LONGEST_ATTRIBUTE
        ]

    def strings(self) -> Iterator[tuple[str, HtmlElement]]:
        """Give the texts between tags as they stand, each with the element that holds it; in no order."""
        for node in self.nodes:
            said = node.text
            if said:
                yield said, node
            said = node.tail
            if said and node not in self.elements and (above := node.getparent()) is not None:
                yield said, above

    @cached_property
    def pieces(self) -> list[tuple[str, HtmlElement]]:
        """The texts between tags that are not blank, each with the element that holds it, in page order."""
        found: list[tuple[str, HtmlElement]] = []
        for element in self.elements:
            walker: Any = etree.iterwalk(element, events=("start", "end"))
            for event, node in walker:
                if event == "start" and node in self.stops and node is not element:
                    walker.skip_subtree()
                    continue
                if event == "end" and node is element:
                    continue
                said = node.text if event == "start" else node.tail
                if said and not said.isspace() and isinstance(node.tag, str):
                    holder = node if event == "start" else node.getparent()
                    found += [(line, holder) for part in said.split(LINE_END) if (line := squeeze(part))]
        return found

    @cached_property
    def every_text(self) -> Sequence[str]:
        """All that an element, an attribute, a piece of text or what a label names says, in no order."""
        return self.texts_of(self.nodes)

    def texts_of(self, nodes: Sequence[HtmlElement]) -> list[str]:
        """Give all that some elements, their attributes and pieces of text say, and what labels of the page name."""
        among = frozenset(nodes)
        said = [self.text(node) for node in nodes]
        said += [text for node, _, text in self.attribute_texts if node in among]
        said += [text for text, holder in self.pieces if holder in among]
        return [*said, *(spot for spot in self.labels_of if isinstance(spot, str))]

    @cached_property
    def templates(self) -> tuple[dict[str, list[Spot]], dict[str, list[Spot]]]:
        """The elements, and the pieces of text, by what they say as labels with 9 for each number."""
        of_nodes: dict[str, list[Spot]] = {}
        of_pieces: dict[str, list[Spot]] = {}
        for node in self.nodes:
            of_nodes.setdefault(mask(label_name(self.text(node))), []).append(node)
        for text, _ in self.pieces:
            of_pieces.setdefault(mask(label_name(text)), []).append(text)
        return of_nodes, of_pieces

    @cached_property
    def by_label(self) -> dict[str, list[HtmlElement]]:
        """The elements that say something, by their text as a label."""
        found: dict[str, list[HtmlElement]] = {}
        for node in self.nodes:
            if text := self.text(node):
                found.setdefault(self.page.label_of(text), []).append(node)
        return found

    @cached_property
    def labelled(self) -> dict[str, list[Spot]]:
        """What stands behind each short text, which may be its label."""
        return labelled_in(self)

    @cached_property
    def label_names(self) -> dict[str, str]:
        """The label of each name in one number or the other, without the names that several labels have."""
        names = Counter(map(label_name, self.labelled))
        return {name: label for label in self.labelled if names[name := label_name(label)] == 1}

    @cached_property
    def labels_of(self) -> dict[Spot, list[tuple[str, str, int | None]]]:
        """The labels of each place that has some, with its number among the places that have the same one.

        As a name, which other pages may say in the other number; as it stands, with `EXACTLY`, where two have the name.
        """
        found: dict[Spot, list[tuple[str, str, int | None]]] = {}
        for label, spots in self.labelled.items():
            said = {spot if isinstance(spot, str) else self.text(spot) for spot in spots}
            name = label_name(label)
            form, how = (name, "") if name in self.label_names else (label, EXACTLY)
            for at, spot in enumerate(spots):
                found.setdefault(spot, []).append((form, how, None if len(said) == 1 else at))
        return found

    @cached_property
    def columns(self) -> dict[str, list[HtmlElement]]:
        """The cells of a table row, or of the tables inside, by the heads of their columns."""
        found: dict[str, list[HtmlElement]] = {}
        own = [element for element in self.elements if element.tag == "tr"]
        for row in own or [row for element in self.elements for row in element.iter("tr")][:500]:
            heads, at = self.page.heads_of(row), 0
            cells = [cell for cell in row if cell.tag in CELLS]
            if not own and [label_form(text_of(cell)) for cell in cells] == heads:
                continue
            for cell in cells:
                if at < len(heads) and heads[at]:
                    found.setdefault(heads[at], []).append(cell)
                at += columns_of(cell)
        return found

    def steps_to(self, node: HtmlElement) -> str | None:
        """Give the way from the container down to an element: tags with their number among siblings of that tag."""
        way: list[HtmlElement] = []
        while node not in self._steps and node not in self.elements:
            above = node.getparent()
            if above is None:
                return None
            way.append(node)
            node = above
        first = f"+{self.elements.index(node)}" if node in self.elements and len(self.elements) > 1 else ""
        steps = self._steps.get(node, first)
        for inner in reversed(way):
            seen: Counter[str] = Counter()
            for child in node.iterchildren("*"):
                tag = str(child.tag)
                self._steps[child] = f"{steps}{'/' if steps else ''}{tag}.{seen[tag]}"
                seen[tag] += 1
            node, steps = inner, self._steps[inner]
        return steps

    def follow(self, steps: str) -> HtmlElement | None:
        """Give the element that a way leads to; None where it leads nowhere."""
        node = self.elements[0]
        for step in steps.split("/") if steps else ():
            if step[0] == "+":
                at = int(step[1:])
                if at >= len(self.elements):
                    return None
                node = self.elements[at]
                continue
            tag, _, number = step.rpartition(".")
            left = int(number)
            for child in node.iterchildren(tag):
                if not left:
                    node = child
                    break
                left -= 1
            else:
                return None
            if node in self.stops:
                return None
        return node
