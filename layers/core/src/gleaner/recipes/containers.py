"""Where the records stand: the smallest repeated elements that separate them, and selectors for those."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urljoin

from lxml import etree
from lxml.html import HtmlElement

from gleaner.ports import JsonValue
from gleaner.proof import TextIndex
from gleaner.recipes.boxes import Box, is_header_row
from gleaner.recipes.model import RecordSelector

_MOST_HITS = 60
_ADDRESSES = ("href", "src", "content", "datetime", "data-src", "value", "title", "alt", "aria-label")
_SPOKEN = ("title", "alt", "aria-label")
_BLOCKED = frozenset({"id", "style", "class", "href", "src", "alt", "title", "onclick", "tabindex", "name", "for"})
_HASHED = re.compile(r"(?=[^\d]*\d)(?=[^a-z]*[a-z])[a-z0-9]{4,}$|[0-9a-f]{5,}$|^(?:css|sc|jsx|styled)-", re.I)


_LOOKS = re.compile(
    r"-?(?:[mp][trblxy]?|w|h|min-[wh]|max-[wh]|text|bg|font|border|rounded|gap|items|justify|flex|grid|col|row|shadow|"
    r"leading|tracking|space-[xy]|z|top|left|right|bottom|inset|opacity|order|size|basis|divide|ring|(?:sm|md|lg|xl):.*)"
    r"(?:-[\w./%\[\]]+)*$"
)


def is_hashed(token: str) -> bool:
    """Tell whether a class name looks made by a build tool: another one tomorrow.

    >>> is_hashed("css-3fa91c"), is_hashed("product-price")
    (True, False)
    """
    return any(_HASHED.search(part) for part in re.split(r"[-_]+", token)) or bool(_HASHED.match(token))


def is_telling_class(token: str) -> bool:
    """Tell whether a class name may say what an element is, rather than how it looks.

    >>> is_telling_class("price"), is_telling_class("mt-2"), is_telling_class("text-sm")
    (True, False, False)
    """
    return not is_hashed(token) and not _LOOKS.match(token)


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
        self._base = base_url
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
            piece = " ".join(text.split()) + "\n"
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
            return urljoin(self._base, address)
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


def find_containers(root: HtmlElement, page: PageMap, records: Sequence[Sequence[JsonValue]]) -> Found | None:
    """Give the containers of records, each given by its leaves; None when they can't be told apart."""
    placed = _place(page, records)
    if placed is None:
        return None
    tops, keys = placed
    if len(set(tops)) == len(tops) and (levelled := _level(page, tops, keys)) is not None:
        return _elements(root, levelled)
    return _runs(root, page, tops, keys)


def _place(page: PageMap, records: Sequence[Sequence[JsonValue]]) -> tuple[list[HtmlElement], list[int]] | None:
    """Give for each record the smallest element with all its leaves, and the position of its key."""
    width = max((len(leaves) for leaves in records), default=0)
    key = _key_field(page, records, width)
    if key is None:
        return None
    tops: list[HtmlElement] = []
    keys: list[int] = []
    taken: set[int] = set()
    for leaves in records:
        others = [hits for leaf in leaves if leaf is not None and (hits := page.hits(leaf))]
        choices = [hit for hit in page.hits(leaves[key]) if hit not in taken][:_MOST_HITS]
        if not choices:
            return None
        found = [(_enclosing(page, hit, others), hit) for hit in choices]
        best, hit = min(found, key=lambda pair: (pair[0][0], pair[1]))
        taken.add(hit)
        tops.append(best[1])
        keys.append(hit)
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


def _level(page: PageMap, tops: Sequence[HtmlElement], keys: Sequence[int]) -> list[HtmlElement] | None:
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
    common = set(chains[0]).intersection(*chains[1:])
    if not common:
        return None
    exact = [sign for sign in common if sign[0] >= 0]
    sign = min(exact, key=lambda s: s[0]) if exact else sorted(common, key=str)[0]
    levelled = [chain[sign] for chain in chains]
    return levelled if len(set(levelled)) == len(levelled) else None


def _elements(root: HtmlElement, found: Sequence[HtmlElement]) -> Found | None:
    selectors = _selecting(root, found, "element")
    stops = frozenset(found) if _is_nested(found) else frozenset[Any]()
    boxes = [Box([element], stops=stops - {element} if stops else stops) for element in found]
    return Found(boxes, selectors) if selectors else None


def _is_nested(found: Sequence[HtmlElement]) -> bool:
    known = set(found)
    parents = {parent for element in found if (parent := element.getparent()) is not None}
    return any(above in known for parent in parents for above in (parent, *parent.iterancestors()))


def _runs(root: HtmlElement, page: PageMap, tops: Sequence[HtmlElement], keys: Sequence[int]) -> Found | None:
    """Take the child that holds each record's key as the leader of a run of siblings."""
    leaders: list[HtmlElement] = []
    for top, key in zip(tops, keys, strict=True):
        element = page.elements[key]
        while element is not top and element.getparent() is not top:
            parent = element.getparent()
            if parent is None:
                return None
            element = parent
        leaders.append(element)
    if len(set(leaders)) < len(leaders):
        return None
    selectors = _selecting(root, leaders, "run")
    if not selectors:
        return None
    runs = {box.elements[0]: box for box in boxes_of(root, selectors[0])}
    return Found([runs[leader] for leader in leaders], selectors)


def _selecting(root: HtmlElement, found: Sequence[HtmlElement], kind: Any) -> list[RecordSelector]:
    """Give the selectors that select all of the elements; after them such as leave out others like them."""
    plain = [one for one in _selectors(found, kind) if set(found) <= set(select(root, one))]
    narrow: list[RecordSelector] = []
    for one in plain:
        others = [each for each in select(root, one) if each not in set(found) and not is_header_row(each)]
        narrow += _narrowed(root, one, found, others) if others else []
    return [*plain, *narrow]


def _narrowed(
    root: HtmlElement, one: RecordSelector, found: Sequence[HtmlElement], others: Sequence[HtmlElement]
) -> Iterator[RecordSelector]:
    """Give selectors without the others: by classes that only those have, and by what the records stand in."""
    own = {token for element in found for token in _tokens(element)}
    foreign = [_tokens(element) - own for element in others]
    if all(foreign):
        yield one.model_copy(update={"without": tuple(sorted(set[str]().union(*foreign)))})
    around = _common_ancestor(found)
    scopes = _scopes(around) if around is not None else []
    for scope in scopes:
        less = one.model_copy(update={"scope": scope})
        if set(found) <= set(select(root, less)):
            yield less


def _tokens(element: HtmlElement) -> set[str]:
    return set((element.get("class") or "").split())


def looks_of(boxes: Sequence[Box]) -> list[str]:
    """Give the classes of the containers' own elements, but for those that a build tool made."""
    tokens = {token for box in boxes for token in _tokens(box.elements[0])}
    return sorted(token for token in tokens if is_telling_class(token))


def _common_ancestor(found: Sequence[HtmlElement]) -> HtmlElement | None:
    shared = list(found[0].iterancestors())
    for element in found[1:]:
        above = set(element.iterancestors())
        shared = [one for one in shared if one in above]
    return shared[0] if shared else None


def _scopes(around: HtmlElement) -> list[tuple[str, str, str]]:
    tag = cast(str, around.tag)
    names = [("id", around.get("id") or "")] + [("class", token) for token in sorted(_tokens(around))]
    made = [(tag, name, value) for name, value in names if value and not is_hashed(value)]
    return [*made, (tag, "place", _place_of(around))]


def _scoped(root: HtmlElement, scope: tuple[str, str, str]) -> HtmlElement | None:
    tag, name, value = scope
    if name == "place":
        return _at_place(root, value)
    nodes = (node for node in root.iter() if node.tag == tag)
    if name == "class":
        return next((node for node in nodes if value in _tokens(node)), None)
    return next((node for node in nodes if node.get(name) == value), None)


def _selectors(found: Sequence[HtmlElement], kind: Any) -> list[RecordSelector]:
    tags = {cast(str, element.tag) for element in found}
    if len(tags) != 1:
        return []
    tag = tags.pop()
    made: list[RecordSelector] = []
    shared = set(found[0].attrib.items()).intersection(*(element.attrib.items() for element in found[1:]))
    for name, value in sorted(shared):
        if name not in _BLOCKED and not name.startswith("data-gleaner"):
            made.append(RecordSelector(kind=kind, by="attribute", tag=tag, name=name, value=value))
    classes = set((found[0].get("class") or "").split()).intersection(
        *((element.get("class") or "").split() for element in found[1:])
    )
    made += [
        RecordSelector(kind=kind, by="class", tag=tag, value=token)
        for token in sorted(classes, key=lambda t: (is_hashed(t), t))
        if not is_hashed(token)
    ]
    made += [
        RecordSelector(kind=kind, by="path", tag=tag, value=path)
        for path, _ in Counter(map(path_of, found)).most_common()
    ][:1]
    made += [
        RecordSelector(kind=kind, by="class", tag=tag, value=token) for token in sorted(classes) if is_hashed(token)
    ]
    return made


def selectors_of_one(root: HtmlElement, element: HtmlElement) -> list[RecordSelector]:
    """Give selectors that name this element of the page alone: by marks and classes, or by its place."""
    made = [one for one in _selectors([element], "element") if one.by != "path"]
    made.append(RecordSelector(kind="element", by="place", tag=cast(str, element.tag), value=_place_of(element)))
    return [one for one in made if select(root, one) == [element]]


def _place_of(element: HtmlElement) -> str:
    """Give the tags from the root to the element, each with its place among its like."""
    steps: list[str] = []
    current: HtmlElement | None = element
    while current is not None:
        before = sum(1 for node in current.itersiblings(preceding=True) if node.tag == current.tag)
        steps.append(f"{current.tag}[{before + 1}]")
        current = current.getparent()
    return "/".join(reversed(steps))


def smallest_with(page: PageMap, places: Sequence[list[int]]) -> HtmlElement | None:
    """Give the smallest element with one of the places of each kind; None when there are no places."""
    if not places:
        return None
    rarest = min(places, key=len)
    return min((_enclosing(page, place, places) for place in rarest[:_MOST_HITS]), key=lambda found: found[0])[1]


def path_of(element: HtmlElement) -> str:
    """Give the tags from the root to the element."""
    return "/".join([*reversed([cast(str, a.tag) for a in element.iterancestors()]), cast(str, element.tag)])


def select(root: HtmlElement, selector: RecordSelector) -> list[HtmlElement]:
    """Give the elements that a record selector names, in page order."""
    found = _select_anywhere(root, selector)
    if selector.scope is not None:
        top = _scoped(root, selector.scope)
        inside = set(top.iter()) if top is not None else set[HtmlElement]()
        found = [node for node in found if node in inside]
    return [node for node in found if _tokens(node).isdisjoint(selector.without)] if selector.without else found


def _select_anywhere(root: HtmlElement, selector: RecordSelector) -> list[HtmlElement]:
    if selector.by == "path":
        return _at_path(root, selector.value)
    if selector.by == "place":
        found = _at_place(root, selector.value)
        return [] if found is None else [found]
    nodes = (node for node in root.iter() if node.tag == selector.tag)
    if selector.by == "class":
        return [node for node in nodes if selector.value in (node.get("class") or "").split()]
    return [node for node in nodes if node.get(selector.name) == selector.value]


def _at_path(root: HtmlElement, path: str) -> list[HtmlElement]:
    first, *rest = path.split("/")
    level = [root] if root.tag == first else []
    for tag in rest:
        level = [child for node in level for child in node if child.tag == tag]
    return level


def _at_place(root: HtmlElement, place: str) -> HtmlElement | None:
    found: HtmlElement | None = None
    level: Sequence[HtmlElement] = [root]
    for step in place.split("/"):
        tag, _, number = step.removesuffix("]").rpartition("[")
        same = [child for child in level if child.tag == tag]
        if int(number) > len(same):
            return None
        found = same[int(number) - 1]
        level = list(same[int(number) - 1])
    return found


def boxes_of(root: HtmlElement, selector: RecordSelector, captions: frozenset[str] = frozenset()) -> list[Box]:
    """Give the containers that a record selector names."""
    if selector.kind == "page":
        return [Box([root], captions)]
    found = [one for one in select(root, selector) if not is_header_row(one)]
    if selector.kind == "element":
        stops = frozenset(found) if _is_nested(found) else frozenset[Any]()
        return [Box([element], captions, stops - {element} if stops else stops) for element in found]
    leaders = set(found)
    boxes: list[Box] = []
    for leader in found:
        run = [leader]
        for sibling in leader.itersiblings():
            if sibling in leaders:
                break
            run.append(sibling)
        boxes.append(Box(run, captions))
    return boxes
