"""What the page shows of the kind of a list's elements, and no value of the answer claims (CM-2). Pure.

The elements of a list stand in siblings, as items, rows or links, or in the parts of one line that a mark joins. A
sibling of their build, or a part of their line, that nothing claims is an element which the list lacks.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise
from typing import NamedTuple

from gleaner.completeness.line_parts import Likeness, Lines, and_so_on, words_of
from gleaner.html.elements import SPACED
from gleaner.page.model import READ, Page, Span
from gleaner.schemas.leaves import Steps, field_at
from gleaner.values.lookups import grouped
from gleaner.values.names import name_words
from gleaner.values.texts.spellings import label_words

_LEAST_SHARE = 1 / 3
"""A list that has fewer of the siblings is one of several fields that share them."""

_TIMES_AS_LONG, _SHORT = 3, 40
"""An element is at most so many times as long as the longest that is known, or short."""

_USUAL, _MOST = 0.6, 0.5
_SEVERAL, _A_QUARTER = 2, 0.25
_NEAR, _MOST_ELEMENTS = 4, 200
_MOST_LEADING = 20
"""Words of the text that an item of several begins with."""

_ITEMS = ("li", "tr", "dd", "blockquote", "article", "details")
_OF_TABLES = ("tr", "td", "th")
_INLINE = SPACED - {"a", "button", "label", "b", "strong"}
"""What some items of a list have in their texts and others lack: code, a raised note, a badge."""

_TRAILS = frozenset(("breadcrumb", "breadcrumbs", "crumb", "crumbs"))
_NUMBER = re.compile(r"[0-9]+")
_NEW_LINE = re.compile(r"[\n:：]")
_HEADING = re.compile(r"#{1,6} ")
"""A heading where a page is known by its Markdown alone."""


@dataclass
class InnerList:
    """A list or map of the data: its path, the first place of each element that has one, all places of its elements.

    And the words of these, each element's for itself, and of all values of the record or object that holds it. Of
    records that may stand ``in_prose`` only what is marked as an item counts: paragraphs may mention them.
    """

    steps: Steps
    count: int
    places: list[Span] = field(default_factory=list[Span])
    all_places: list[Span] = field(default_factory=list[Span])
    own: set[str] = field(default_factory=set[str])
    each: list[set[str]] = field(default_factory=list[set[str]])
    known: set[str] = field(default_factory=set[str])
    removed: set[str] = field(default_factory=set[str])
    region: Span | None = None
    is_map: bool = False
    are_records: bool = False
    in_prose: bool = False
    may_repeat: bool = True
    missing: dict[Span, str] = field(default_factory=dict[Span, str])

    def says(self, words: str, *, is_own: bool = False) -> bool:
        """Tell whether these are an element's words, or among those of one that was taken out or of the list's owner.

        An element whose words are among another one's may well be missing: "HEAD" beside "HEAD_NEW".
        """
        is_theirs = words in self.own or f" {words} " in self._gone or self._is_made_up(words)
        return is_theirs or (not is_own and f" {words} " in self._known_words)

    def _is_made_up(self, words: str) -> bool:
        """Tell whether the texts of one element, side by side, are all of these words."""
        said = words.split(" ", _MOST_LEADING)
        leads = (" ".join(said[:count]) for count in range(1, min(len(said), _MOST_LEADING) + 1))
        return any(_make_up(one, words) for lead in leads for one in self._by_text.get(lead, ()))

    @cached_property
    def _by_text(self) -> Mapping[str, Sequence[set[str]]]:
        return grouped((text, one) for one in self.each for text in one)

    def elements_in(self, span: Span) -> int:
        """Give how many elements begin in a stretch."""
        low, high = (bisect_left(self._starts, place) for place in span)
        return high - low

    @cached_property
    def _starts(self) -> list[int]:
        return sorted(start for start, _ in self.places)

    @cached_property
    def _known_words(self) -> str:
        return _side_by_side(self.known - self.own)

    @cached_property
    def _gone(self) -> str:
        return _side_by_side(self.removed)


class _Column(NamedTuple):
    """How many cells each row has, and which of them holds an element; no cells where the elements are whole items."""

    cells: int = 0
    at: int = 0


class ItemCounter:
    """Counts lists on one page; ``claims`` are the places of what is no unknown element of the field at hand.

    ``joined`` are the heads of records that stand between the elements of one list, and that no record has: two records
    were joined. ``heads`` are the places that records begin with, ``every`` those of all values.
    """

    def __init__(self, page: Page, heads: Sequence[Span], every: Sequence[Span]) -> None:
        self.text, self.nodes, self.every = page.text, page.nodes, every
        self.lines = Lines(page.text)
        self.claims: Sequence[Span] = ()
        self._elements: set[Span] = set()
        self.joined: dict[Span, str] = {}
        self._is_in_line, self._like = False, Likeness()
        self._usual: set[object] = set()
        self._children: dict[int, list[int]] = {}
        self._texts: dict[int, str] = {}
        self._builds: dict[int, object] = {}
        self.placed = sorted(
            (node for node in range(len(self.nodes)) if self.nodes.starts[node] >= 0),
            key=lambda node: (self.nodes.starts[node], node),
        )
        self._starts = [self.nodes.starts[node] for node in self.placed]
        leads = [node for place in heads if (node := self._node_at(place)) is not None]
        kind, count = max(Counter(map(self._kind, leads)).items(), key=lambda one: one[1], default=(None, 0))
        self._head = kind if count >= max(2, _USUAL * len(heads)) else None
        self._heads_lead = all(self._leads(node) for node in leads if self._kind(node) == self._head)

    def count(self, lists: Sequence[InnerList], claims: Sequence[Span]) -> None:
        """Note what each list of one field lacks."""
        self.claims = claims
        for one in lists:
            self._put_together(one)
        self._elements = {place for one in lists for place in one.places}
        kinds: Counter[object] = Counter()
        families: list[dict[int, set[int]]] = []
        for one in lists:
            families.append(self._families(one))
            kinds.update({self._kind(item) for items in families[-1].values() for item in items})
        self._usual = {self._build(item) for own in families for items in own.values() for item in items}
        kind, times = max(kinds.items(), key=lambda item: item[1], default=(None, 0))
        usual = kind if times >= max(2, _USUAL * sum(map(bool, families))) else None
        for one, known in zip(lists, families, strict=True):
            known.update(self._lone_items(one, known, kinds))
        mark = self._mark_of_field(lists)
        several = [items for own in families for items in own.values() if len(items) > 1]
        self._is_in_line = bool(several) and all(map(self._stand_in_line, several))
        self._like = Likeness.of([self.lines.plain(place) for one in lists for place in one.places])
        if not any(one.count for one in lists):
            self._count_in_none(lists)
        for one, known in zip(lists, families, strict=True):
            if one.count and one.places and self._is_a_crumb(one):
                continue
            if one.count and one.places:
                self._note_joined(one)
                found = (known or self._family_of_one(one, usual)).items()
                own = {parent: items for parent, items in found if self._are_elements(one, items)}
                self._count_siblings(one, own)
                self._count_repeats(one, own)
                if not one.are_records:
                    self._count_parts(one, mark)
                if one.count == 1 and not one.missing:
                    self._count_links(one)

    def _put_together(self, one: InnerList) -> None:
        """Take the places of the elements where all stand side by side, where the page says some elsewhere, too."""
        texts = [self.text[slice(*place)] for place in one.places]
        if not 1 < len(texts) == len({*texts}) == len(one.all_places) <= _MOST_ELEMENTS:
            return
        low, high = one.region or (0, len(self.text))
        if all(self.text.count(text, low, high) == 1 for text in texts):
            return
        widest = _TIMES_AS_LONG * sum(map(len, texts)) + _SHORT * len(texts)
        narrowest = min(widest, max(one.places)[1] - min(one.places)[0])
        said = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
        last: dict[str, Span] = {}
        for found in re.compile(rf"(?<![\w.,])(?:{said})(?![.,]?\w)").finditer(self.text, low, high):
            last[found[0]] = found.span()
            width = found.end() - min(last.values())[0]
            if len(last) == len(texts) and width < narrowest:
                narrowest, one.places = width, [last[text] for text in texts]
                one.all_places = sorted(one.places)

    def _note_joined(self, one: InnerList) -> None:
        """Note the heads of records, which nobody claims, amid a list's elements."""
        low, high = min(one.places)[0], max(one.places)[0]
        for node in self.placed[bisect_left(self._starts, low) : bisect_left(self._starts, high)]:
            is_head = self._head is not None and self._kind(node) == self._head
            if is_head and (self._leads(node) or not self._heads_lead) and not _touches(self.every, self._span(node)):
                self.joined[self._span(node)] = self._said(node)

    def _leads(self, node: int) -> bool:
        """Tell whether a node is the first that is said in its parent."""
        parent = self.nodes.parents[node]
        return parent < 0 or not words_of(self.text[self.nodes.starts[parent] : self.nodes.starts[node]])

    # Siblings

    def _families(self, one: InnerList) -> dict[int, set[int]]:
        """Give by parent the children that hold one element each, of those that stand in neighbours."""
        leaves = [self._node_at(place) for place in sorted(one.places)]
        found: dict[int, set[int]] = defaultdict(set)
        for first, second in pairwise(node for node in leaves if node is not None):
            parent, *children = self._parted(first, second)
            if children:
                found[parent].update(children)
        return found

    def _parted(self, first: int, second: int) -> list[int]:
        """Give the innermost node around two others, and its children that they stand in, if they do in two."""
        above = {node: below for below, node in pairwise([-1, first, *self.nodes.ancestors(first)])}
        under, node = -1, second
        while node >= 0 and node not in above:
            under, node = node, self.nodes.parents[node]
        return [node, above[node], under] if node >= 0 and above[node] >= 0 and under >= 0 else [node]

    def _lone_items(
        self, one: InnerList, families: Mapping[int, Collection[int]], kinds: Collection[object]
    ) -> dict[int, set[int]]:
        """Give the families of elements that stand alone in their parent, and are items as others of the field are."""
        found: dict[int, set[int]] = {}
        for node in filter(None, map(self._node_at, one.places)):
            item = next((at for at in (node, *self.nodes.ancestors(node)) if self._kind(at) in kinds), None)
            parent = -1 if item is None else self.nodes.parents[item]
            if item is not None and parent not in families:
                found.setdefault(parent, set()).add(item)
        return found

    def _family_of_one(self, one: InnerList, usual: object) -> dict[int, set[int]]:
        """Give the family of a lone element: an item as the other records' lists have, or an item of a list."""
        node = next((node for place in one.places if (node := self._node_at(place)) is not None), None)
        chain = [] if node is None else [node, *self.nodes.ancestors(node)]
        items = (at for at in chain if (self._kind(at) == usual if usual else self._is_item(at)))
        item = next(items, None)
        said = sum(end - start for start, end in one.all_places)
        if item is None or (not usual and self._is_led(item, one.places[0])):
            return {}  # a label of it
        least = _A_QUARTER if self.nodes.tags[item] == "li" else _MOST
        if not usual and said < least * len(self._said(item)):
            return {}  # a row that has more to say than the element
        return {} if self.nodes.parents[item] < 0 else {self.nodes.parents[item]: {item}}

    def _is_a_crumb(self, one: InnerList) -> bool:
        """Tell whether a lone element stands in the page's breadcrumbs: what leads to a category is none."""
        node = self._node_at(one.places[0]) if one.count == 1 else None
        chain = [] if node is None else [node, *self.nodes.ancestors(node)]
        names = (self.nodes.get(at, name) or "" for at in chain for name in ("class", "aria-label"))
        return any(not _TRAILS.isdisjoint(name_words(given)) for given in names)

    def _is_item(self, node: int) -> bool:
        """Tell whether a node is an item by its tag, or has a class, and stands beside one of its build."""
        if self.nodes.parents[node] < 0 or not self._is_marked(node):
            return False
        return any(self._is_like(at, node) for at in self._beside(node))

    def _is_like(self, node: int, other: int) -> bool:
        """Tell whether two nodes are built alike, or are boxes of one class."""
        is_box = self.nodes.ends[node] - node > _NEAR and self._looks(node)[1]
        return self._build(node) == self._build(other) or bool(is_box and self._looks(node) == self._looks(other))

    def _is_marked(self, node: int) -> bool:
        """Tell whether a node is an item by its tag, or has a class."""
        return self.nodes.tags[node] in _ITEMS or bool(self.nodes.get(node, "class"))

    def _count_siblings(self, one: InnerList, families: Mapping[int, Collection[int]]) -> None:
        for parent, items in families.items():
            if one.in_prose and not all(map(self._is_marked, items)):
                continue
            if one.are_records and any(self.nodes.tags[item] in _OF_TABLES for item in items):
                continue
            children, column = self._in_turn(one, items, self._children_of(parent)), self._column(one, items)
            first, last = bisect_left(children, min(items)), bisect_left(children, max(items))
            between = [at for at in children[first + 1 : last] if at not in items]
            is_mixed = sum(self._is_claimed(at) and not self._is_part(one, at) for at in between) >= len(items)
            runs = (
                self._others(one, between, items, column),
                self._others(one, islice(reversed(children), len(children) - first, None), items, column, min(items)),
                self._others(one, islice(children, last + 1, None), items, column, max(items)),
            )
            within, *beside = ([at for at in run if not _HEADING.match(self._said(at))] for run in runs)
            count = len(items) + len(within) + sum(map(len, beside))
            if len(items) >= _LEAST_SHARE * count and not is_mixed:
                missing = self._meant(one, items, within, [at for run in beside for at in run])
                one.missing.update((self._span(at), self._said(at)) for at in missing)

    def _count_repeats(self, one: InnerList, families: Mapping[int, Collection[int]]) -> None:
        """Note the siblings that repeat an element more often than the list does: "Salt" for the dough and the filling.

        Where most are repeated it is the page that has the list twice, or the ends of a carousel.
        """
        said: dict[str, list[int]] = defaultdict(list)
        for parent, items in families.items():
            children, builds = self._children_of(parent), {self._build(item) for item in items}
            first, last = bisect_left(children, min(items)), bisect_left(children, max(items))
            near = slice(max(0, first - len(items)), last + 1 + len(items))  # thousands may share a parent
            for at in children[near]:
                if self._build(at) in builds and (words := words_of(self._said(at))) in one.own:
                    said[words].append(at)
        given = Counter(words for element in one.each for words in element)
        often = {words: nodes for words, nodes in said.items() if len(nodes) > given[words]}
        if one.may_repeat and len(often) <= _LEAST_SHARE * len(said):
            for words, nodes in often.items():
                spare = sorted(nodes, key=self._is_claimed)[: len(nodes) - given[words]]
                one.missing.update((self._span(node), self._said(node)) for node in spare)

    def _meant(
        self, one: InnerList, items: Collection[int], within: Sequence[int], beside: Sequence[int]
    ) -> Sequence[int]:
        """Give those siblings between the items, and beside them, that are elements which the list lacks.

        Where an item holds several records, other lists stand beside them, and titles between two of them.
        """
        if one.are_records and any(one.elements_in(self._span(item)) > 1 for item in items):
            return [at for at in within if not self._is_leaf(at)]
        return [*within, *filter(self._is_meant, beside)]

    def _is_meant(self, node: int) -> bool:
        """Tell whether a node beside the items may be an element: a plain paragraph only if it states what these do."""
        is_cell = self.nodes.tags[node] == "td"
        return is_cell or self._is_marked(node) or self._like.is_of_kind(self._said(node))

    def _in_turn(self, one: InnerList, items: Collection[int], children: Sequence[int]) -> Sequence[int]:
        """Give the siblings that may be elements: those in the items' turn, where others hold more of each element."""
        turns = [bisect_left(children, item) for item in sorted(items)]
        steps = {after - before for before, after in pairwise(turns)}
        if len(turns) <= _SEVERAL or len(steps) != 1 or steps == {1}:
            return children
        (step,) = steps
        between = (at for turn, at in enumerate(children[turns[0] : turns[-1]]) if turn % step)
        return children[turns[0] % step :: step] if any(self._is_part(one, at) for at in between) else children

    def _column(self, one: InnerList, items: Collection[int]) -> _Column:
        """Give what of an item is an element: a cell, where each element is all of that cell in a row of its own.

        Other lists of the object may have the other cells of the rows.
        """
        rows = {item: self._children_of(item) for item in items}
        count = len(next(iter(rows.values())))
        is_alone = not one.is_map and len(one.all_places) == len(one.places)
        if count < _SEVERAL or not is_alone or {len(row) for row in rows.values()} != {count}:
            return _Column()
        at = {place for row in rows.values() for place, cell in enumerate(row) if self._is_part(one, cell)}
        column = _Column(count, min(at, default=0))
        are_whole = all(words_of(self._said(row[column.at])) in one.own for row in rows.values())
        return column if len(at) == 1 and are_whole else _Column()

    def _cell(self, row: int, column: _Column) -> int:
        """Give the cell of a row that may be an element; the row where it has other cells."""
        cells = self._children_of(row) if column.cells else ()
        return cells[column.at] if len(cells) == column.cells > 0 else row

    def _count_links(self, one: InnerList) -> None:
        """Note the links beside a lone one that lead to pages of the same folder: "Tags: elm larch".

        Where the page has the link in several places, it is a list's where the fewest stand beside it.
        """
        link = self._node_at(one.places[0])
        if link is None or not self._folder(link):
            return
        low, high = one.region or (0, len(self.text))
        address, said = self.nodes.get(link, "href"), self._said(link)
        copies = [
            node
            for node in self.placed[bisect_left(self._starts, low) : bisect_left(self._starts, high)]
            if self.nodes.get(node, "href") == address and self._said(node) == said
        ]
        beside = min((self._links_beside(one, node) for node in copies or [link]), key=len)
        if len(beside) + 1 <= 1 / _LEAST_SHARE:
            one.missing.update((self._span(other), self._said(other)) for other in beside)

    def _links_beside(self, one: InnerList, link: int) -> list[int]:
        """Give the links right beside one that lead to the same folder, each alone in its box as this one is."""
        folder, box = self._folder(link), link
        while self.nodes.parents[box] >= 0 and self._said(self.nodes.parents[box]) == self._said(link):
            box = self.nodes.parents[box]
        children = self._children_of(self.nodes.parents[box])
        at, found = bisect_left(children, box), list[int]()
        if children[at : at + 1] != [box]:
            return found
        low, high = one.region or (0, len(self.text))
        for run in (reversed(children[:at]), children[at + 1 :]):
            last = box
            for other in run:
                inner = range(other, self.nodes.ends[other])
                is_inside = low <= self.nodes.starts[other] < high
                if not is_inside or words_of(self._gap(last, other)):
                    break
                if not any(self._folder(node) == folder and self._said(node) == self._said(other) for node in inner):
                    break
                if not self._is_said(one, other):
                    found.append(other)
                last = other
        return found

    def _folder(self, node: int) -> str:
        """Give the folder of the page that a link leads to; "" for none, as at a site's root."""
        address = self.nodes.get(node, "href") if self.nodes.tags[node] == "a" else None
        return (address or "").partition("?")[0].rstrip("/").rpartition("/")[0].strip("./")

    def _are_elements(self, one: InnerList, items: Collection[int]) -> bool:
        """Tell whether most items are elements, and no paragraphs that name some."""
        return 2 * sum(self._is_of_an_element(one, item) for item in items) >= len(items)

    def _is_of_an_element(self, one: InnerList, item: int) -> bool:
        """Tell whether an item begins with an element, or says little else: not so a paragraph that names one."""
        start, end = self._span(item)
        own = one.all_places[bisect_left(one.all_places, (start, -1)) : bisect_left(one.all_places, (end, -1))]
        told = sum(last - first for first, last in own)
        is_most = len(self._said(item)) <= max(_SHORT, told / _A_QUARTER)
        return bool(own) and (is_most or not self._is_led(item, own[0]))

    def _is_led(self, item: int, place: Span) -> bool:
        """Tell whether an item says something before a place in it, or before the link that leads there.

        What others beside it begin with, too, is the template's: the name of a picture.
        """
        node = self._node_at(place)
        start = self.nodes.starts[node] if node is not None and node > item else place[0]
        lead = words_of(self.text[self.nodes.starts[item] : start])
        alike = (
            (words_of(self.text[slice(*self._span(at))]) for at in self._beside(item) if self._is_like(at, item))
            if lead
            else ()
        )
        return bool(lead) and not any(f"{words} ".startswith(f"{lead} ") for words in alike)

    def _others(
        self,
        one: InnerList,
        nodes: Iterable[int],
        items: Collection[int],
        column: _Column,
        beside: int | None = None,
    ) -> Iterator[int]:
        """Give the siblings that are elements, too: all of the items' build between these, and those right beside.

        ``beside`` is the item that a run begins at; what is no element ends it, and so does a line's end or a label
        where the items stand in a line. Where the items differ in what is in them, others of their class may, too.
        Siblings with only a part of an element, as in definitions, end none. A link to another folder of the site than
        all of them lead to does.
        """
        builds = {self._build(item) for item in items}
        looks = (
            {look for look in map(self._looks, items) if look[1]}
            if len(builds) > 1 or beside is None or len(items) == 1
            else ()
        )
        shared = frozenset[str].intersection(*map(self._classes, items)) if len(builds) > 1 else frozenset[str]()
        are_of_list = len(items) >= _SEVERAL and {self.nodes.tags[item] for item in items} == {"li"}
        longest = max(_SHORT, _TIMES_AS_LONG * max(len(self._said(item)) for item in items))
        is_line = self._stand_in_line(items) if len(items) > 1 else self._is_in_line
        folders = {self._folder(item) for item in items} if len(items) > 1 and beside is not None else set[str]()
        folder = folders.pop() if len(folders) == 1 else ""
        is_between, last = beside is None, beside
        for at in nodes:
            if last is not None and is_line and _NEW_LINE.search(self._gap(last, at)):
                return
            last = None if is_between else at
            if folder and self._folder(at) != folder and not self._is_part(one, at):
                return
            is_shared = bool(shared) and shared <= self._classes(at) and self._is_leaf(at)
            build = self._build(at)
            is_built = build in builds or build in self._usual or self._looks(at) in looks or is_shared
            is_item = are_of_list and self.nodes.tags[at] == "li" and (is_between or len(self._said(at)) > _SHORT)
            cell = self._cell(at, column)
            is_like = (is_built or is_item) and len(self._said(at)) <= longest
            if is_like and not self._is_said(one, cell, is_between=is_between):
                yield cell
            elif not is_between and not self._is_part(one, at) and not self._is_more(one, at, cell):
                return

    def _is_more(self, one: InnerList, node: int, cell: int) -> bool:
        """Tell whether a run of siblings may go on behind one that is no element: it is no one's, and passed over."""
        return not self._is_claimed(cell) and self._is_passed(one, node)

    def _stand_in_line(self, items: Collection[int]) -> bool:
        return not any("\n" in self._gap(*pair) for pair in pairwise(sorted(items)))

    def _gap(self, first: int, second: int) -> str:
        """Give the text between two nodes."""
        low, high = sorted((self._span(first), self._span(second)))
        return self.text[low[1] : high[0]]

    def _is_part(self, one: InnerList, node: int) -> bool:
        """Tell whether a node holds something of an element."""
        return _touches(one.all_places, self._span(node))

    def _is_passed(self, one: InnerList, node: int) -> bool:
        """Tell whether a node is built like a part of an element beside its item: the term of a definition."""
        return any(self._build(at) == self._build(node) for at in self._beside(node) if self._is_part(one, at))

    def _beside(self, node: int) -> list[int]:
        children = self._children_of(self.nodes.parents[node])
        at = bisect_left(children, node)
        return [*children[max(0, at - _NEAR) : at], *children[at + 1 : at + 1 + _NEAR]]

    def _children_of(self, parent: int) -> list[int]:
        known = self._children.get(parent)
        if known is None:
            read = (at for at in self.nodes.children(parent) if self.nodes.layers[at] in READ and self._said(at))
            known = self._children[parent] = [*read]
        return known

    def _count_in_none(self, lists: Sequence[InnerList]) -> None:
        """Note what repeats in records, or in an object, whose lists are all empty, and no value claims.

        It is theirs if its class has the field's name, or if such things are most of what several records say.
        """
        name = label_words(next((step for step in reversed(field_at(lists[0].steps)) if step != "*"), ""))
        regions = [one.region or (0, len(self.text)) for one in lists]
        free: dict[object, dict[int, list[int]]] = defaultdict(dict)
        for at, (one, (low, high)) in enumerate(zip(lists, regions, strict=True)):
            for node in self.placed[bisect_left(self._starts, low) : bisect_left(self._starts, high)]:
                if self.nodes.layers[node] in READ and not self._is_said(one, node):
                    free[self._kind(node)].setdefault(at, []).append(node)
        usual = {
            kind: [node for nodes in found.values() for node in nodes]
            for kind, found in free.items()
            if len(found) >= _USUAL * len(lists) and sum(map(len, found.values())) > len(found)
        }
        named = {kind: nodes for kind, nodes in usual.items() if self._is_called(name, nodes[0])}
        said = {kind: sum(len(self._said(node)) for node in nodes) for kind, nodes in (named or usual).items()}
        best = max(said, key=lambda kind: said[kind], default=None)
        every = [self._span(node) for nodes in usual.values() for node in nodes]
        unsaid = sum(len(words_of(self.lines.plain(span))) for span in _outermost(every))
        whole = sum(len(words_of(self.lines.plain(region))) for region in regions)
        if best is None or not (named or (len(lists) > 1 and unsaid > _MOST * whole)):
            return
        for at, nodes in free[best].items():
            lists[at].missing = {self._span(node): self._said(node) for node in nodes}

    def _is_called(self, name: Sequence[str], node: int) -> bool:
        """Tell whether a node, or a box close around it that values claim little of, has a name that holds this one."""
        around = islice((node, *self.nodes.ancestors(node)), _NEAR)
        named = next((at for at in around if self._has_name(name, at)), None)
        if named is None:
            return False
        start, end = self._span(named)
        claims = self.claims[bisect_left(self.claims, (start, -1)) : bisect_left(self.claims, (end, -1))]
        return sum(last - first for first, last in claims) < _A_QUARTER * (end - start)

    def _has_name(self, name: Sequence[str], node: int) -> bool:
        """Tell whether a node's class, id or property says a name: "recipe-ingredients-list" for ``ingredients``."""
        given = (self.nodes.get(node, key) or "" for key in ("class", "id", "itemprop"))
        labels = [label_words(word) for words in given for word in words.split()]
        return bool(name) and any(
            label[at : at + len(name)] == tuple(name) for label in labels for at in range(len(label))
        )

    def _is_said(self, one: InnerList, node: int, *, is_between: bool = False) -> bool:
        """Tell whether a node holds a value of the answer, or says what is one of the list's owner.

        What stands between elements may well be another field's value, too: one that the page states elsewhere as well.
        """
        words = words_of(self._said(node))
        is_claimed = not is_between or self._is_stated_there_alone(node)
        is_claimed = is_claimed and self._is_mostly_claimed(one, node)
        return not words or is_claimed or one.says(words, is_own=is_between)

    def _is_mostly_claimed(self, one: InnerList, node: int) -> bool:
        """Tell whether values claim what a node says, not a single one of a row or a sentence that says more."""
        start, end = self._span(node)
        claims = self.claims[bisect_left(self.claims, (start, -1)) : bisect_left(self.claims, (end, -1))]
        usual = len(one.all_places) / max(1, len(one.places))
        if not self._elements.isdisjoint(claims):
            return True
        if usual >= _SEVERAL:
            return 2 * len(claims) >= usual
        said, claimed = len(self._said(node)), sum(last - first for first, last in claims)
        return claimed > 0 and (said <= _SHORT or claimed >= _A_QUARTER * said)

    def _is_stated_there_alone(self, node: int) -> bool:
        start, end = self._span(node)
        at = bisect_right(self.claims, (start, -1))
        while at < len(self.claims) and self.claims[at][0] < end:
            if self.text.count(self.text[slice(*self.claims[at])]) == 1:
                return True
            at += 1
        return False

    def _is_claimed(self, node: int) -> bool:
        return _touches(self.claims, self._span(node))

    def _node_at(self, place: Span) -> int | None:
        """Give the innermost node that holds a run of the text."""
        at = bisect_right(self._starts, place[0]) - 1
        node = self.placed[at] if at >= 0 else -1
        while node >= 0 and not self.nodes.starts[node] <= place[0] < place[1] <= self.nodes.stops[node]:
            node = self.nodes.parents[node]
        return node if node >= 0 else None

    def _span(self, node: int) -> Span:
        return self.nodes.starts[node], self.nodes.stops[node]

    def _said(self, node: int) -> str:
        if node not in self._texts:
            said = self.nodes.said(node) if self.nodes.starts[node] >= 0 else ""
            self._texts[node] = said or (self._drawn(node) if self.nodes.tags[node] == "a" else "")
        return self._texts[node]

    def _drawn(self, link: int) -> str:
        """Give what a picture in a link stands for, or where the link leads."""
        texts = (self.nodes.get(at, "alt") for at in range(link + 1, self.nodes.ends[link]))
        return next(filter(None, texts), None) or self.nodes.get(link, "href") or ""

    def _looks(self, node: int) -> tuple[str, str]:
        """Give a node's tag and class, without numbers and what of the class the node says, too: "icon windows"."""
        given = _NUMBER.sub("0", self.nodes.get(node, "class") or "")
        if given and self.nodes.stops[node] - self.nodes.starts[node] <= _SHORT:
            said = "".join(label_words(self._said(node)))
            given = " ".join(word for word in given.split() if "".join(label_words(word)) != said)
        return self.nodes.tags[node], given

    def _is_leaf(self, node: int) -> bool:
        return self.nodes.ends[node] == node + 1

    def _classes(self, node: int) -> frozenset[str]:
        return frozenset((self.nodes.get(node, "class") or "").split())

    def _kind(self, node: int) -> object:
        """Give what items of one list in different records have in common: tag and class, theirs and their parent's."""
        parent = self.nodes.parents[node]
        return (*self._looks(node), *(self._looks(parent) if parent >= 0 else ()))

    def _build(self, node: int) -> object:
        if node not in self._builds:
            inside = (at for at in range(node + 1, self.nodes.ends[node]) if self.nodes.layers[at] in READ)
            tags = frozenset(self.nodes.tags[at] for at in inside) - {self.nodes.tags[node], *_INLINE}
            self._builds[node] = (*self._looks(node), tags)
        return self._builds[node]

    # Parts of a line

    def _mark_of_field(self, lists: Sequence[InnerList]) -> str | None:
        """Give the mark that joins most elements of a field's lists within a line; "" for figures with blanks."""
        marks: Counter[str] = Counter()
        for one in lists:
            for first, second in pairwise(sorted(one.places)):
                gap = self.text[first[1] : second[0]]
                is_line = "\n" not in gap or self._node_at(first) == self._node_at(second)
                if first[1] < second[0] and is_line and (mark := self.lines.mark_in(gap)) is not None:
                    marks[mark] += 1
        return max(marks, key=lambda mark: marks[mark], default=None)

    def _count_parts(self, one: InnerList, mark: str | None) -> None:
        """Note the parts of the elements' lines that are none of them.

        Of several lines that hold one element each, the other parts say other things: "(Oslo, chair), (Rome, member)".
        """
        lines: dict[Span, list[Span]] = defaultdict(list)
        for place in one.places:
            lines[self.lines.line_around(place, mark)].append(place)
        if 1 < len(lines) == len(one.places):
            return
        for line, places in lines.items():
            parts = self.lines.parts(line, mark if mark is not None else self.lines.mark_beside(places[0]), places)
            low, high = (bisect_left(one.all_places, (end, -1)) for end in line)
            are_objects = any(len(texts) > 1 for texts in one.each)
            said = one.all_places[low:high] if are_objects else places
            told = [sum(max(0, min(part[1], end) - max(part[0], start)) for start, end in said) for part in parts]
            owned = [at for at, length in enumerate(told) if length]
            if not owned or len(owned) < _LEAST_SHARE * len(parts):
                continue
            if sum(told) < _A_QUARTER * sum(len(self.lines.plain(part)) for part in parts):
                continue  # a paragraph that names elements
            if 2 * sum(2 * told[at] >= len(self.lines.plain(parts[at])) for at in owned) < len(owned):
                continue  # a sentence that names an element
            like = self._like.with_more([self.lines.plain(parts[at]) for at in owned])
            free = {
                at
                for at, part in enumerate(parts)
                if at not in owned and self._is_free(one, part, like, is_between=owned[0] < at < owned[-1])
            }
            for at in sorted(free):
                way = range(at, owned[0]) if at < owned[0] else range(owned[-1] + 1, at + 1)
                if owned[0] < at < owned[-1] or all(step in free for step in way):
                    one.missing.setdefault(parts[at], self.lines.plain(parts[at]))

    def _is_free(self, one: InnerList, part: Span, like: Likeness, *, is_between: bool) -> bool:
        """Tell whether a part of a line is an element that nobody gave: like the others, and claimed by no value."""
        text = self.lines.plain(part)
        words = words_of(text)
        at = bisect_right(one.all_places, (part[0], -1))
        is_end = at > 0 and one.all_places[at - 1][1] > part[0]  # "Ines Falk" of an element "Dr. Ines Falk"
        is_known = is_end or _touches(self.claims, part) or one.says(words, is_own=is_between)
        return bool(words) and like.fits(text, is_between=is_between) and not (is_known or and_so_on().search(text))


def _side_by_side(texts: Iterable[str]) -> str:
    return f" {' | '.join(texts)} "


def _make_up(texts: Iterable[str], words: str) -> bool:
    """Tell whether several texts of an element, side by side, are all that an item says: "path" and "The file"."""
    said = f" {words} "
    parts = [text for text in texts if f" {text} " in said]
    return len(parts) > 1 and sum(text.count(" ") + 1 for text in parts) == words.count(" ") + 1


def _touches(claims: Sequence[Span], span: Span) -> bool:
    """Tell whether a claim begins in a run."""
    at = bisect_right(claims, (span[0], -1))
    return at < len(claims) and claims[at][0] < span[1]


def _outermost(spans: Iterable[Span]) -> list[Span]:
    found: list[Span] = []
    for span in sorted(spans, key=lambda one: (one[0], -one[1])):
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found
