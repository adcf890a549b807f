"""Where the records stand: the smallest repeated elements that separate them, and selectors for those."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urljoin

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.grounding import TextIndex
from gleaner.recipes.boxes import Box
from gleaner.recipes.closings import closing_sign
from gleaner.recipes.model import RecordSelector
from gleaner.recipes.record_selectors import boxes_of, is_nested, selecting

_MOST_HITS = 60
_ADDRESSES = ("href", "src", "content", "datetime", "data-src", "value", "title", "alt", "aria-label")
_SPOKEN = ("title", "alt", "aria-label")
_BLANKS = re.compile(r"[ \t\n\r\f]+")
"""Whitespace that is layout; a no-break space stays, as in "2 837" it keeps one number from being two."""


@dataclass(frozen=True, slots=True)
class Span:
    """An element's place in page order: it and all inside it are ``start <= position < end``."""

    start: int
    end: int


class PageMap:
    """A page's elements by position, and where its texts and attributes state a value."""

    def __init__(self, root: HtmlElement, base_url: str = "") -> None:
        self.elements: list[HtmlElement] = []
        self.spans: dict[HtmlElement, Span] = {}
        self._owners: list[int] = []
        self._starts: list[int] = []
        self._parts: list[str] = []
        self._length = 0
        self._attributes: dict[str, list[int]] = {}
        self.root = root
        self.base = base_url
        self._walk(root)
        self._index = TextIndex("".join(self._parts))
        self._hits: dict[tuple[type, JsonValue], list[int]] = {}

    def _walk(self, root: HtmlElement) -> None:
        walker: Any = etree.iterwalk(root, events=("start", "end"))
        starts: dict[HtmlElement, int] = {}
        for event, node in walker:
            if event == "start":
                starts[node] = len(self.elements)
                self.elements.append(node)
                self._add(node.text, starts[node])
                self._note(node, starts[node])
            else:
                self.spans[node] = Span(starts[node], len(self.elements))
                parent = node.getparent()
                if parent is not None and node is not root:
                    self._add(node.tail, starts[parent])

    def _add(self, text: str | None, owner: int) -> None:
        if text and text.strip():
            self._starts.append(self._length)
            self._owners.append(owner)
            piece = _BLANKS.sub(" ", text).strip(" ") + "\n"
            self._parts.append(piece)
            self._length += len(piece)

    def _note(self, node: HtmlElement, place: int) -> None:
        for name, value in node.attrib.items():
            if name in _ADDRESSES or name.startswith("data-"):
                if name in _SPOKEN:
                    self._add(value, place)
                for form in {value.strip(), self._absolute(value.strip()) if name in ("href", "src") else value}:
                    self._attributes.setdefault(form, []).append(place)

    def _absolute(self, address: str) -> str:
        try:
            return urljoin(self.base, address)
        except ValueError:
            return address

    def hits(self, value: JsonValue) -> list[int]:
        """Give the positions of the elements that state a value, in page order; none for lists and objects."""
        if isinstance(value, list | dict):
            return []
        key = (type(value), cast(Any, value))
        if key not in self._hits:
            owners = [self._owner(match.start) for match in self._index.find(value)]
            stated = self._attributes.get(str(value), []) if not isinstance(value, bool) else []
            self._hits[key] = sorted({*owners, *stated})
        return self._hits[key]

    def _owner(self, offset: int) -> int:
        return self._owners[max(0, bisect_left(self._starts, offset + 1) - 1)]


@dataclass(frozen=True, slots=True)
class Found:
    """The containers of the records, in page order, and how to find such ones again, best first."""

    boxes: list[Box]
    selectors: list[RecordSelector]


def find_containers(
    root: HtmlElement,
    page: PageMap,
    records: Sequence[Sequence[JsonValue]],
    inner: Sequence[Sequence[JsonValue]] | None = None,
    *,
    are_all: bool = True,
    are_seen: bool = True,
    tag: str = "",
) -> Found | None:
    """Give the containers of records, each given by its leaves, of a ``tag`` if one is given; None in doubt.

    ``inner`` are values in each record's lists: they stand in its container, too, and do not name it. ``are_all`` says
    whether these are all records of the page, ``are_seen`` whether each field has a value in some record.
    """
    placed = place_records(page, records, inner or [[] for _ in records])
    if placed is None:
        return None
    tops, keys = placed
    if len(set(tops)) == len(tops) and (levelled := _level(page, tops, keys, tag)) is not None:
        return _elements(root, levelled, are_all=are_all)
    found = _runs(root, page, tops, keys, are_all=are_all)
    return _ended(root, found) if found and are_seen else found


def place_records(
    page: PageMap, records: Sequence[Sequence[JsonValue]], inner: Sequence[Sequence[JsonValue]]
) -> tuple[list[HtmlElement], list[int]] | None:
    """Give for each record the smallest element with all its leaves, and the position of its key."""
    width = max((len(leaves) for leaves in records), default=0)
    key = _key_field(page, records, width)
    if key is None:
        return None
    offered: list[list[tuple[int, HtmlElement, int]]] = []
    alike = Counter(str(leaves[key]) for leaves in records)
    for leaves, within in zip(records, inner, strict=True):
        others = [hits for leaf in (*leaves, *within) if leaf is not None and (hits := page.hits(leaf))]
        hits = page.hits(leaves[key])[: _MOST_HITS + alike[str(leaves[key])]]
        places = [(*_enclosing(page, hit, others), hit) for hit in hits]
        offered.append(sorted(places, key=lambda one: (one[0], one[2])))
    return _chosen(offered)


def _chosen(
    offered: Sequence[Sequence[tuple[int, HtmlElement, int]]],
) -> tuple[list[HtmlElement], list[int]] | None:
    """Give for each record its smallest place, each place once; of the tag that all offer, where these differ.

    So a post stands where it was written, not where another one quotes it.
    """
    smallest = {one[0][1].tag for one in offered if one}
    shared = set[Any].intersection(*({place[1].tag for place in one} for one in offered)) if len(smallest) > 1 else None
    tops: list[HtmlElement] = []
    keys: list[int] = []
    taken: set[int] = set()
    for places in offered:
        free = [one for one in places if one[2] not in taken and (not shared or one[1].tag in shared)][:1]
        if not free:
            return None
        taken.add(free[0][2])
        tops.append(free[0][1])
        keys.append(free[0][2])
    return tops, keys


def _key_field(page: PageMap, records: Sequence[Sequence[JsonValue]], width: int) -> int | None:
    """Give the field that names records best: always there, stated in the fewest places."""
    best: tuple[int, int] | None = None
    for number in range(width):
        values = [leaves[number] if number < len(leaves) else None for leaves in records]
        if any(value is None or isinstance(value, bool) for value in values):
            continue
        counts = [len(page.hits(value)) for value in values]
        if min(counts) > 0 and (best is None or sum(counts) < best[0]):
            best = sum(counts), number
    return None if best is None else best[1]


def _enclosing(page: PageMap, hit: int, others: Sequence[list[int]]) -> tuple[int, HtmlElement]:
    element = page.elements[hit]
    while True:
        span = page.spans[element]
        parent = element.getparent()
        if parent is None or element.tag == "body" or all(_holds(span, hits) for hits in others):
            return span.end - span.start, element
        element = parent


def _holds(span: Span, hits: list[int]) -> bool:
    at = bisect_left(hits, span.start)
    return at < len(hits) and hits[at] < span.end


def _level(page: PageMap, tops: Sequence[HtmlElement], keys: Sequence[int], tag: str) -> list[HtmlElement] | None:
    """Raise the elements to one common level, the highest on which each holds one record."""
    ordered = sorted(keys)
    chains: list[dict[tuple[Any, ...], HtmlElement]] = []
    for top in tops:
        chain: dict[tuple[Any, ...], HtmlElement] = {}
        current: HtmlElement | None = top
        while current is not None and current.tag not in ("body", "html"):
            span = page.spans[current]
            alone = bisect_left(ordered, span.end) - bisect_left(ordered, span.start) == 1
            if current is not top and not alone:
                break
            depth = sum(1 for _ in current.iterancestors())
            chain[depth, current.tag] = current
            chain.setdefault((-1, current.tag, current.get("class")), current)
            current = current.getparent()
        chains.append(chain)
    common = {sign for sign in set(chains[0]).intersection(*chains[1:]) if tag in ("", sign[1])}
    if not common:
        return None
    exact = [sign for sign in common if sign[0] >= 0]
    sign = min(exact, key=lambda s: s[0]) if exact else sorted(common, key=str)[0]
    levelled = [chain[sign] for chain in chains]
    return levelled if len(set(levelled)) == len(levelled) else None


def _elements(root: HtmlElement, found: Sequence[HtmlElement], *, are_all: bool) -> Found | None:
    selectors = selecting(root, found, "element", are_all=are_all)
    stops = frozenset(found) if is_nested(found) else frozenset[Any]()
    boxes = [Box([element], stops=stops) for element in found]
    return Found(boxes, selectors) if selectors else None


def _runs(
    root: HtmlElement, page: PageMap, tops: Sequence[HtmlElement], keys: Sequence[int], *, are_all: bool
) -> Found | None:
    """Take the child that holds each record's key as the leader of a run of siblings."""
    leaders: list[HtmlElement] = []
    shared = set(tops)
    for lowest, key in zip(tops, keys, strict=True):
        top = next((one for one in [*lowest.iterancestors()][::-1] if one in shared), lowest)
        element = page.elements[key]
        while element is not top and element.getparent() is not top:
            parent = element.getparent()
            if parent is None:
                return None
            element = parent
        leaders.append(element)
    if len(set(leaders)) < len(leaders):
        return None
    selectors = selecting(root, leaders, "run", are_all=are_all)
    if not selectors:
        return None
    runs = {box.elements[0]: box for box in boxes_of(root, selectors[0])}
    return Found([runs[leader] for leader in leaders], selectors) if runs.keys() >= set(leaders) else None


def _ended(root: HtmlElement, found: Found) -> Found:
    """Let the last run end with what ends all others; with a field that nobody has seen, it may stand behind that."""
    sign = closing_sign([[*box.elements] for box in found.boxes])
    selectors = [one.model_copy(update={"end": sign}) for one in found.selectors]
    kept = {box.elements[0]: box for box in boxes_of(root, selectors[0])}
    return Found([kept[box.elements[0]] for box in found.boxes], selectors)


def smallest_with(page: PageMap, places: Sequence[list[int]]) -> HtmlElement | None:
    """Give the smallest element with one of the places of each kind; None when there are no places."""
    if not places:
        return None
    rarest = min(places, key=len)
    return min((_enclosing(page, place, places) for place in rarest[:_MOST_HITS]), key=lambda found: found[0])[1]
