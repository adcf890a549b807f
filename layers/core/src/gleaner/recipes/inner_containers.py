"""Where the items of a list of objects stand in the records that they were proven for, and selectors for them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box, is_header_row
from gleaner.recipes.containers import PageMap
from gleaner.recipes.inner_boxes import inner_boxes, place_in, scopes_in, selected
from gleaner.recipes.model import RecordSelector
from gleaner.recipes.record_selectors import BLOCKED, common_ancestor, is_nested, is_telling_class, runs, tokens_of

_MOST_HITS = 60
_FARTHEST_LEADER = 4
_MOST_SELECTORS = 3
_MOST_SCOPES = 12
Leaves = Sequence[JsonValue]


@dataclass(frozen=True, slots=True)
class FoundItems:
    """The containers of the items in each record, and what selects them, best first; ``is_exact``: and nothing else."""

    rows: list[list[Box]]
    selectors: list[RecordSelector]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class _Record:
    """A record's container, the page that it stands in, and the places of it in that."""

    box: Box
    page: PageMap
    spans: list[tuple[int, int]]

    def hits(self, value: JsonValue) -> list[int]:
        """Give the places in the container that state a value."""
        found = self.page.hits(value)
        return [
            hit
            for start, end in self.spans
            for hit in found[bisect_left(found, start) : bisect_left(found, end)]
            if not self.box.stops or self.page.elements[hit] in self.box.inside
        ]


def find_items(boxes: Sequence[Box], maps: Sequence[PageMap], rows: Sequence[Sequence[Leaves]]) -> FoundItems | None:
    """Give the containers of items, of which ``rows`` holds the leaves of each one in each record.

    None when they can't be told apart, or no record has two: one alone does not show how far it reaches.
    """
    if max(map(len, rows), default=0) < 2:
        return None
    records = [_record(box, page) for box, page in zip(boxes, maps, strict=True)]
    stated = [
        [[record.hits(leaf) if leaf is not None else [] for leaf in leaves] for leaves in items]
        for record, items in zip(records, rows, strict=True)
    ]
    key = _key([hits for row in stated for hits in row])
    if key is None:
        return None
    placed = [_placed(record, row, key) if row else [] for record, row in zip(records, stated, strict=True)]
    known = [row for row in placed if row is not None]
    if len(known) < len(placed):
        return None
    return _as_elements(records, known) or _as_runs(records, known, rows)


def _record(box: Box, page: PageMap) -> _Record:
    spans = [page.spans[element] for element in box.elements if element in page.spans]
    return _Record(box, page, [(span.start, span.end) for span in spans])


@dataclass(frozen=True, slots=True)
class _Item:
    """The smallest element with all leaves of an item, and the place of the leaf that names it best."""

    top: HtmlElement
    key: int


def _key(stated: Sequence[Sequence[list[int]]]) -> int | None:
    """Give the field that every item states, in the fewest places."""
    counts = {at: [len(hits[at]) for hits in stated] for at in range(min(map(len, stated)))}
    keys = [at for at, found in counts.items() if min(found) > 0]
    return min(keys, key=lambda at: sum(counts[at]), default=None)


def _placed(record: _Record, stated: Sequence[Sequence[list[int]]], key: int) -> list[_Item] | None:
    """Give the items of one record, of each of which all places of its leaves are given; None when they are too few."""
    found: list[_Item] = []
    taken: set[int] = set()
    for hits in stated:
        choices = [hit for hit in hits[key] if hit not in taken][:_MOST_HITS]
        others = [each for each in hits if each]
        if not choices:
            return None
        sizes = [(_smallest(record.page, hit, others), hit) for hit in choices]
        (_, top), hit = min(sizes, key=lambda one: (one[0][0], one[1]))
        taken.add(hit)
        found.append(_Item(top, hit))
    return found if [item.key for item in found] == sorted(taken) else None


def _smallest(page: PageMap, hit: int, others: Sequence[list[int]]) -> tuple[int, HtmlElement]:
    element = page.elements[hit]
    while True:
        span = page.spans[element]
        parent = element.getparent()
        if parent is None or all(_is_in(hits, span.start, span.end) for hits in others):
            return span.end - span.start, element
        element = parent


def _is_in(hits: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(hits, start)
    return at < len(hits) and hits[at] < end


def _as_elements(records: Sequence[_Record], placed: Sequence[Sequence[_Item]]) -> FoundItems | None:
    """Take one element for each item: the highest of one kind that holds no other item."""
    chains = [_chain(record, row, item) for record, row in zip(records, placed, strict=True) for item in row]
    common = set(chains[0]).intersection(*chains[1:])
    if not common:
        return None
    levels = [sign for sign in common if sign[0] >= 0]
    sign = min(levels) if levels else min(common, key=str)
    chosen = iter([chain[sign] for chain in chains])
    found = [[next(chosen) for _ in row] for row in placed]
    every = [element for row in found for element in row]
    if len(set(every)) < len(every) or is_nested(every):
        return None
    return _selecting([record.box for record in records], found, "element")


def _chain(record: _Record, row: Sequence[_Item], item: _Item) -> dict[tuple[Any, ...], HtmlElement]:
    """Give the elements from an item's smallest up to the record, by level and tag, and by tag and class."""
    box, page = record.box, record.page
    whole = box.elements[0]
    keys = [one.key for one in row]
    chain: dict[tuple[Any, ...], HtmlElement] = {}
    current: HtmlElement | None = item.top
    while current is not None and current is not whole and any(_covers(page, top, current) for top in box.elements):
        span = page.spans[current]
        if bisect_left(keys, span.end) - bisect_left(keys, span.start) > 1:
            break
        place = place_in(box, current)
        chain[place.count("/"), current.tag] = current
        chain.setdefault((-1, current.tag, current.get("class") or ""), current)
        current = current.getparent()
    return chain


def _covers(page: PageMap, top: HtmlElement, node: HtmlElement) -> bool:
    return page.spans[top].start <= page.spans[node].start < page.spans[top].end


def _as_runs(
    records: Sequence[_Record], placed: Sequence[Sequence[_Item]], rows: Sequence[Sequence[Leaves]]
) -> FoundItems | None:
    """Take runs of siblings, each beginning as far before the one with the item's key as all others do."""
    keyed = [_children(record, row) for record, row in zip(records, placed, strict=True)]
    if any(one is None for one in keyed):
        return None
    for before in range(_FARTHEST_LEADER):
        leaders = [_leaders(row or [], before) for row in keyed]
        found = [row for row in leaders if row is not None]
        every = [leader for row in found for leader in row]
        if len(found) < len(leaders) or len({leader.tag for leader in every}) > 1 or len(set(every)) < len(every):
            continue
        if all(_hold(record, row, items) for record, row, items in zip(records, found, rows, strict=True)):
            return _selecting([record.box for record in records], found, "run")
    return None


def _children(record: _Record, row: Sequence[_Item]) -> list[HtmlElement] | None:
    """Give the children of what the items share that hold their keys; None when two keys stand in one."""
    if not row:
        return []
    nodes = [record.page.elements[item.key] for item in row]
    around = row[0].top if len(row) == 1 else common_ancestor(nodes)
    if around is None:
        return None
    found: list[HtmlElement] = []
    for node in nodes:
        child = node
        while (parent := child.getparent()) is not None and parent is not around:
            child = parent
        if child.getparent() is not around:
            return None
        found.append(child)
    return found if len(set(found)) == len(found) else None


def _leaders(children: Sequence[HtmlElement], before: int) -> list[HtmlElement] | None:
    """Give the siblings so many places before each child; None where another child comes first."""
    known = set(children)
    leaders: list[HtmlElement] = []
    for child in children:
        node: HtmlElement | None = child
        for _ in range(before):
            node = node.getprevious() if node is not None else None
            if node is None or node in known:
                return None
        if node is None:
            return None
        leaders.append(node)
    return leaders


def _hold(record: _Record, leaders: Sequence[HtmlElement], items: Sequence[Leaves]) -> bool:
    """Tell whether the run of each leader states all leaves of its item."""
    page, inside = record.page, set(record.box.inside)
    if not inside.issuperset(leaders):
        return False
    for run, leaves in zip(runs(leaders, inside), items, strict=True):
        start, end = page.spans[run[0]].start, page.spans[run[-1]].end
        hits = [found for leaf in leaves if leaf is not None and (found := record.hits(leaf))]
        if not all(_is_in(found, start, end) for found in hits):
            return False
    return True


def _selecting(boxes: Sequence[Box], found: list[list[HtmlElement]], kind: Any) -> FoundItems | None:
    """Give what selects the elements and nothing else in all containers; else what selects others, too."""
    exact: list[RecordSelector] = []
    wider: list[RecordSelector] = []
    for one in _candidates(boxes, found, kind):
        chosen = [selected(box, one) for box in boxes]
        if chosen == found:
            exact.append(one)
        elif all(set(row) <= set(more) for row, more in zip(found, chosen, strict=True)):
            wider.append(one)
    unnamed = [] if any(map(is_named, exact)) else exact
    narrowed = [less for one in [*unnamed, *wider[:_MOST_SELECTORS]] for less in _narrowed(boxes, found, one)]
    exact += [one for one in narrowed if [selected(box, one) for box in boxes] == found]
    kept = sorted(exact, key=lambda one: not is_named(one))[:_MOST_SELECTORS] or wider[:1]
    if not kept:
        return None
    rows = [inner_boxes(box, kept[0]) for box in boxes]
    if not exact:
        mine = [set(row) for row in found]
        rows = [[box for box in row if box.elements[0] in own] for row, own in zip(rows, mine, strict=True)]
    return FoundItems(rows, kept, bool(exact))


def is_named(selector: RecordSelector) -> bool:
    """Tell whether a selector goes by what the page says of the items, not by tags alone."""
    return selector.by in ("attribute", "class") or selector.scope is not None


def _candidates(boxes: Sequence[Box], found: Sequence[Sequence[HtmlElement]], kind: Any) -> Iterator[RecordSelector]:
    every = [element for row in found for element in row]
    tag = cast(str, every[0].tag)
    if any(element.tag != tag for element in every):
        return
    shared = set(every[0].attrib.items()).intersection(*(element.attrib.items() for element in every[1:]))
    for name, value in sorted((str(name), str(value)) for name, value in shared):
        if name not in BLOCKED and not name.startswith("data-gleaner"):
            yield RecordSelector(kind=kind, by="attribute", tag=tag, name=name, value=value)
    tokens = tokens_of(every[0]).intersection(*(tokens_of(element) for element in every[1:]))
    for token in sorted(tokens):
        if is_telling_class(token):
            yield RecordSelector(kind=kind, by="class", tag=tag, value=token)
    paths = Counter(place_in(box, element) for box, row in zip(boxes, found, strict=True) for element in row)
    for path, _ in paths.most_common(1):
        yield RecordSelector(kind=kind, by="path", tag=tag, value=path)


def _narrowed(
    boxes: Sequence[Box], found: Sequence[Sequence[HtmlElement]], one: RecordSelector
) -> Iterator[RecordSelector]:
    """Give the selector without the classes that only others have, and inside of what the items stand in."""
    pairs = list(zip(boxes, found, strict=True))
    own = {token for row in found for element in row for token in tokens_of(element)}
    others = [node for box, row in pairs for node in selected(box, one) if node not in set(row)]
    foreign = [tokens_of(node) - own for node in others]
    if others and all(foreign):
        yield one.model_copy(update={"without": tuple(sorted(set[str]().union(*foreign)))})
    scopes: dict[tuple[str, str, str], None] | None = None
    for box, row in pairs:
        if row and (around := row[0].getparent() if len(row) == 1 else common_ancestor(row)) is not None:
            here = dict.fromkeys(scopes_in(box, around))
            scopes = here if scopes is None else {scope: None for scope in scopes if scope in here}
    for scope in list(scopes or ())[:_MOST_SCOPES]:
        yield one.model_copy(update={"scope": scope})


def others_selected(boxes: Sequence[Box], found: FoundItems) -> list[Box]:
    """Give the containers that the selector names, and that are none of the items."""
    known = {box.elements[0] for row in found.rows for box in row}
    every = (inner for box in boxes for inner in inner_boxes(box, found.selectors[0]))
    return [box for box in every if box.elements[0] not in known and not is_header_row(box.elements[0])]
