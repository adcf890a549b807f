"""What stands in the same place of each unit of a group: the fields that its records may have."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gleaner.html.dom import INLINE
from gleaner.html.elements import HEADINGS
from gleaner.page.content import read_content
from gleaner.page.model import READ, NodeRange, Page
from gleaner.page.pairs import find_pairs
from gleaner.values.names import split_name

_OFTEN = 0.5
"""Share of the units that have a field: what fewer have is mostly a mark of some, or a link in prose."""
_SAME = 0.9
"""Share of the units in which a text that never changes is a label or a button."""
_LIST = 3
"""Texts in one place of some unit from which on they are a list, where other units have fewer."""
_SHORTEST_WORD = 3
_ALONE = 1.1
"""How often a class that names a field may stand on the page for each unit."""
_EDGES = " \t·•|,;:–—-/()"
_WORDY = re.compile(r"[A-Za-z]+(?:[-_]+[A-Za-z]+)*")


@dataclass(frozen=True, slots=True)
class FieldTexts:
    """What each record says of a field, "" for nothing, and what the page calls it ("": nothing).

    ``kind`` is what the texts are: of the page, or addresses of links or images. ``is_title`` stands for a heading, or
    the first link.
    """

    label: str
    texts: tuple[str, ...]
    kind: str = "text"
    is_title: bool = False

    @property
    def share(self) -> float:
        """The share of the records that have it."""
        return sum(map(bool, self.texts)) / max(1, len(self.texts))


def repeated_fields(page: Page, regions: Sequence[NodeRange]) -> list[FieldTexts]:
    """Give the fields of units by their nodes: those that labels name, then those that stand in one place."""
    labelled = _labelled(page, regions)
    told = [
        {_squeezed(said) for label, texts in labelled.items() for said in (label, texts[at], label + texts[at])}
        for at in range(len(regions))
    ]
    slots = _slots(page, regions, told)
    found = [FieldTexts(label, tuple(texts)) for label, texts in labelled.items()]
    found += _texts_of(page, regions, slots)
    found += _addresses(page, regions)
    return [field for field in found if field.share >= _OFTEN]


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _labelled(page: Page, regions: Sequence[NodeRange]) -> dict[str, list[str]]:
    """Give by label what each unit says under it, of labels that most units have once."""
    found: dict[str, list[str]] = {}
    for at, region in enumerate(regions):
        for pair in find_pairs(page.unplaced, page.base, region):
            texts = found.setdefault(pair.label, [""] * len(regions))
            texts[at] = texts[at] or pair.cell.text
    often = _OFTEN * len(regions)
    return {
        label: texts
        for label, texts in found.items()
        if any(map(str.isalpha, label)) and sum(map(bool, texts)) >= often
    }


def _slots(
    page: Page, regions: Sequence[NodeRange], told: Sequence[Container[str]]
) -> dict[object, list[tuple[str, int]]]:
    """Give by place what each unit says there and the node that says it; what labels tell is left out.

    What stands there in numbers that differ from unit to unit is a list, such as of tags.
    """
    found: dict[object, list[tuple[str, int]]] = {}
    pieces: dict[object, list[list[tuple[str, int]]]] = {}
    paths: dict[tuple[int, str], int] = {}
    for at, region in enumerate(regions):
        for place, text, node in _pieces(page, region, paths):
            if text and _squeezed(text) not in told[at]:
                pieces.setdefault(place, [[] for _ in regions])[at].append((text, node))
    for place, each in pieces.items():
        most, least = max(map(len, each)), min(map(len, filter(None, each)))
        if most >= _LIST and least < most:
            found[place] = [("\n".join(text for text, _ in said), said[0][1] if said else -1) for said in each]
            continue
        for turn in range(most):
            found[(place, turn)] = [said[turn] if turn < len(said) else ("", -1) for said in each]
    return {key: said for key, said in found.items() if sum(bool(text) for text, _ in said) >= _OFTEN * len(regions)}


def _pieces(
    page: Page, region: NodeRange, paths: dict[tuple[int, str], int]
) -> Iterator[tuple[tuple[object, ...], str, int]]:
    """Give the texts of a unit, each with its place: elements that say one thing, and what stands beside them.

    ``paths`` numbers the ways of tags down from a unit.
    """
    nodes = page.unplaced
    first, end = region
    ways: dict[int, int] = {}
    at = first
    while at < end:
        if nodes.layers[at] not in READ:
            at = nodes.ends[at]
            continue
        step = (ways.get(nodes.parents[at], 0), nodes.tags[at])
        ways[at] = paths.setdefault(step, len(paths) + 1)
        place = (ways[at], nodes.get(at, "class") if at != first else "")
        children = [child for child in nodes.children(at) if nodes.layers[child] in READ]
        if not children:
            yield place, nodes.said(at), at
        elif all(nodes.tags[child] in INLINE for child in children):
            yield (*place, "beside"), _beside(page, at, children), at
        at += 1


def _beside(page: Page, node: int, children: Sequence[int]) -> str:
    """Give what a node says beside its children; all of it where they are words of a sentence."""
    nodes = page.unplaced
    own = " ".join(" ".join((nodes.texts[node], *(nodes.tails[child] for child in children))).split())
    said = nodes.said(node)
    return (said if len(own) > len(said) / 2 else own).strip(_EDGES)


def _texts_of(
    page: Page, regions: Sequence[NodeRange], slots: Mapping[object, list[tuple[str, int]]]
) -> Iterator[FieldTexts]:
    """Give the texts that change from unit to unit; one that never changes may be the label of the next."""
    label, has_title = "", False
    taken: set[tuple[str, ...]] = set()
    for said in sorted(slots.values(), key=lambda said: _depth_of(said, regions)):
        texts = tuple(text for text, _ in said)
        (usual, count), *_ = Counter(filter(None, texts)).most_common(1)
        if count >= _SAME * sum(map(bool, texts)) and len(regions) > 1:
            label = usual if usual.endswith((":", "：")) else ""
            continue
        if texts in taken or not any(map(str.isalnum, "".join(texts))):
            continue
        taken.add(texts)
        unit, node = next((regions[at][0], node) for at, (_, node) in enumerate(said) if node >= 0)
        is_title = not has_title and not label and _is_title(page, node)
        has_title = has_title or is_title
        named = label or ("" if is_title else _named_by_markup(page, node, unit, len(regions)))
        yield FieldTexts(named, texts, is_title=is_title)
        label = ""


def _depth_of(said: Sequence[tuple[str, int]], regions: Sequence[NodeRange]) -> int:
    """Give how far into its unit a text stands, in the first unit that has it."""
    return next(node - first for (_, node), (first, _) in zip(said, regions, strict=True) if node >= 0)


def _is_title(page: Page, node: int) -> bool:
    """Tell whether a node is a heading or a link, or stands right in one."""
    nodes = page.unplaced
    return any(nodes.tags[one] in (*HEADINGS, "a") for one in (node, nodes.parents[node]) if one >= 0)


def _named_by_markup(page: Page, node: int, unit: int, units: int) -> str:
    """Give the name that the markup of a ``unit`` has for a place: a property, or a class that nothing else has.

    Classes that say how something looks stand elsewhere, too, so they name nothing.
    """
    nodes = page.unplaced
    counts = page.once("counted classes", lambda: _count_classes(page))
    for one in (node, max(nodes.parents[node], unit)):
        if one == unit:
            break
        if name := nodes.get(one, "itemprop"):
            return name
        for token in (nodes.get(one, "class") or "").split():
            words = split_name(token)
            if counts[token] <= units * _ALONE and _WORDY.fullmatch(token) and min(map(len, words)) >= _SHORTEST_WORD:
                return " ".join(words[-2:])
    return ""


def _count_classes(page: Page) -> Counter[str]:
    nodes = page.unplaced
    return Counter(token for at in range(len(nodes)) for token in (nodes.get(at, "class") or "").split())


def _addresses(page: Page, regions: Sequence[NodeRange]) -> Iterator[FieldTexts]:
    """Give the first link of each unit, and the first image, where they differ from unit to unit."""
    units = [[read_content(page.unplaced, node, page.base) for node in _tops(page, region)] for region in regions]
    for kind, each in (
        ("url", [[link for one in unit for link in one.links] for unit in units]),
        ("image", [[image for one in unit for image in one.images] for unit in units]),
    ):
        texts = tuple(found[0] if found else "" for found in each)
        if 2 * len(set(texts)) > len(texts):
            yield FieldTexts(kind, texts, kind=kind)


def _tops(page: Page, region: NodeRange) -> Iterator[int]:
    at, end = region
    while at < end:
        yield at
        at = page.unplaced.ends[at]
