"""The elements of a page in document order: what each says, which are siblings, where records begin and end. Pure."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from lxml import etree
from lxml.html import HtmlElement

from gleaner.completeness.text_parts import PART, PARTS, part_texts
from gleaner.page.model import NodeRange
from gleaner.values.texts.spellings import label_words

_WORD = re.compile(r"[^\W_]+")
_UNSEEN = ("head", "svg", "select")
_LONGEST_ITEM = 2_000
"""Characters of an element's text; what says more is a part of the page and no item of a list."""

_NEARLY_ALL = 0.8
_MOST_MATCHED_NODES = 200


@dataclass(frozen=True, slots=True)
class Records:
    """Where each record of a list stands (None: nowhere), and siblings built like theirs in which none does."""

    regions: list[NodeRange | None]
    others: dict[int, NodeRange]


class PageElements:
    """The elements of a page in order, what each says, and which of them are siblings of one tag."""

    def __init__(self, root: HtmlElement, is_shown: Callable[[str], bool]) -> None:
        self._is_shown = is_shown
        etree.strip_elements(root, *_UNSEEN, with_tail=False)
        part_texts(root)
        self._elements = list(root.iter(etree.Element))
        self.count = len(self._elements)
        places = {one: at for at, one in enumerate(self._elements)}
        self._parents = [-1 if (up := one.getparent()) is None else places[up] for one in self._elements]
        self.sizes = [0] * self.count
        self.words = [""] * self.count
        self._ends = list(range(1, self.count + 1))
        self._index: dict[str, list[int]] = {}
        self._read()
        tags = Counter((self._parents[at], one.tag) for at, one in enumerate(self._elements))
        self._items = {at for at, one in enumerate(self._elements) if tags[self._parents[at], one.tag] > 1}

    def _read(self) -> None:
        texts = ["".join(_pieces(one)) for one in self._elements]
        for at in range(self.count - 1, -1, -1):
            self.sizes[at] += len(texts[at])
            if (up := self._parents[at]) >= 0:
                self.sizes[up] += self.sizes[at]
                self._ends[up] = max(self._ends[up], self._ends[at])
        for at, one in enumerate(self._elements):
            if 0 < self.sizes[at] <= _LONGEST_ITEM:
                self.words[at] = words_of(" ".join(map(str, one.itertext())))
                for word in {*self.words[at].split()}:
                    self._index.setdefault(word, []).append(at)

    def families(self, elements: Sequence[list[str]], region: NodeRange) -> dict[int, dict[int, int]]:
        """Give by parent the children that state an element each, with the element's number.

        An element is stated by those items that state most of its texts, the first one among them.
        """
        found: dict[int, dict[int, int]] = {}
        for number, said in enumerate(elements):
            stating = list(self._stating(said, region))
            most = max((count for _, count in stating), default=0)
            for item in (item for item, count in stating if count == most):
                own = found.setdefault(self._parents[item], {})
                if item not in own and number not in own.values():
                    own[item] = number
        return found

    def _stating(self, said: Sequence[str], region: NodeRange) -> Iterator[tuple[int, int]]:
        """Give the items that state the first text of an element and at least half of them all, and how many."""
        seen = 0
        for item in self._around(said[0] if said else "", region[0]):
            text = f" {self.words[item]} "
            if item >= region[1] or seen == _MOST_MATCHED_NODES:
                return
            count = sum(f" {one} " in text for one in said)
            if item in self._items and 2 * count >= len(said):
                seen += 1
                yield item, count

    def _around(self, said: str, start: int) -> Iterator[int]:
        """Give the elements from a place on that state a text, in order."""
        found = min((self._index.get(word, []) for word in said.split()), key=len, default=[])
        for at in islice(found, bisect_left(found, start), None):
            if f" {said} " in f" {self.words[at]} ":
                yield at

    def _first(self, said: str, region: NodeRange) -> int | None:
        """Give the first element of a region that states a text and holds no other which does."""
        last: int | None = None
        for at in self._around(said, region[0]):
            if at >= region[1] or (last is not None and self._parents[at] != last):
                break
            last = at
        return last

    def records(self, elements: Sequence[list[str]], values: Sequence[Collection[str]], within: NodeRange) -> Records:
        """Give where the records of a list stand, each named by the first text of its element, in their order.

        A record has the largest element around its name that holds no other record's, or what follows its name up to
        the next sibling which looks like it: headings part records that nothing wraps. A sibling that begins with one
        of the record's ``values`` is a part of it.
        """
        starts: list[int | None] = []
        reached = within[0]
        for said in elements:
            at = self._first(said[0], (reached, within[1])) if said else None
            reached = reached if at is None else at + 1
            starts.append(at)
        numbers = {at: number for number, at in reversed([*enumerate(starts)]) if at is not None}
        known = sorted(numbers)
        chains = {at: self._chain(at, known, within) for at in known}
        kinds = Counter(kind for chain in chains.values() for kind in {self.kind_of(one) for one in chain})
        wrappers = {at: max(chain, key=lambda one: (kinds[self.kind_of(one)], -one)) for at, chain in chains.items()}
        tops = {wrappers[at]: values[numbers[at]] for at in known}
        borders = sorted({*tops, *self._between(tops, within)})
        follow = {
            one: min(after, self._ends[self._parents[one]] if one else self.count)
            for one, after in pairwise([*borders, within[1]])
        }
        is_wrapped = all(follow[one] == self._ends[one] for one in borders[:-1]) and len(borders) > 1
        regions = {one: (one + 1, self._ends[one]) if is_wrapped else (one, follow[one]) for one in borders}
        common = frozenset[str]().union(*map(self._tags, tops)).intersection(*map(self._tags, tops))
        return Records(
            [None if at is None else regions[wrappers[at]] for at in starts],
            {one: regions[one] for one in borders if one not in tops and common <= self._tags(one)},
        )

    def _between(self, tops: Mapping[int, Collection[str]], within: NodeRange) -> Iterator[int]:
        """Give the siblings like records that are none, and no part of the one before them either."""
        ordered = sorted(tops)
        parents = {self._parents[top]: top for top in ordered if top in self._items}
        for parent, top in parents.items():
            kind = self.kind_of(top)
            for at in self._children(parent):
                before = bisect_left(ordered, at)
                if within[0] < at < within[1] and at not in tops and self.sizes[at] and self.kind_of(at) == kind:
                    lead = words_of(self.lead(at))
                    if not before or lead not in tops[ordered[before - 1]]:
                        yield at

    def _chain(self, at: int, known: Sequence[int], within: NodeRange) -> list[int]:
        """Give an element and those around it that hold no other of those known."""
        chain = [at]
        while (up := self._parents[chain[-1]]) >= within[0]:
            if bisect_left(known, self._ends[up]) - bisect_left(known, up) > 1:
                break
            chain.append(up)
        return chain

    def _children(self, parent: int) -> Iterator[int]:
        at = parent + 1
        while 0 < at < self._ends[parent]:
            yield at
            at = self._ends[at]

    def siblings(self, items: Collection[int], region: NodeRange) -> Iterator[int]:
        """Give the other children of the items' parent in a region that are built like them, and say something."""
        builds = {self._build(item) for item in items}
        for at in self._children(self._parents[min(items)]):
            if region[0] <= at < region[1] and at not in items and self.words[at] and self._build(at) in builds:
                yield at

    def _build(self, at: int) -> Hashable:
        return *self.looks(at), self._tags(at)

    def _tags(self, at: int) -> frozenset[str]:
        """Give the tags of the elements in another, but for its own: a reply may hold replies."""
        element = self._elements[at]
        tags = frozenset(str(one.tag) for one in element.iterdescendants(etree.Element))
        return tags - {element.tag, PART, PARTS}

    def is_item(self, at: int) -> bool:
        """Tell whether the page marks an element as an item of a list or the row of a table."""
        return self._elements[at].tag in ("li", "tr", "dd", "dt")

    def is_part(self, at: int) -> bool:
        """Tell whether an element was made of a part of a text."""
        return self._elements[at].tag == PART

    def kind_of(self, at: int) -> Hashable:
        """Give what items of one list in different records have in common: their tag and class, and their parent's."""
        parent = self._parents[at]
        return (*self.looks(at), *self.looks(parent)) if parent >= 0 else self.looks(at)

    def looks(self, at: int) -> tuple[str, str]:
        """Give the tag and class of an element."""
        return str(self._elements[at].tag), self._elements[at].get("class") or ""

    def parent(self, at: int) -> int:
        """Give the element around another."""
        return self._parents[at]

    def in_region(self, region: NodeRange) -> Iterator[int]:
        """Give the elements of a region that say something."""
        return (at for at in range(*region) if self.words[at])

    def is_called(self, name: str, at: int) -> bool:
        """Tell whether the class or id of an element or the one around it, or its column's head, ends in a name."""
        wanted, around = label_words(name), self._parents[at]
        elements = [self._elements[one] for one in (at, around) if one >= 0]
        given = [word for one in elements for word in f"{one.get('class') or ''} {one.get('id') or ''}".split()]
        return bool(wanted) and any(
            label_words(one)[-len(wanted) :] == wanted for one in (*given, *self._head_of(self._elements[at]))
        )

    def _head_of(self, element: HtmlElement) -> Iterator[str]:
        """Give what the first row of its table says above the cell that an element stands in."""
        cell = next((one for one in (element, *element.iterancestors()) if one.tag in ("td", "th")), None)
        row = cell.getparent() if cell is not None else None
        table = next(row.iterancestors("table"), None) if row is not None else None
        if row is not None and table is not None and (first := next(table.iter("tr"))) is not row:
            yield from (" ".join(map(str, one.itertext())) for one in first[row.index(cell) :][:1])

    def outermost(self, elements: Iterable[int]) -> list[int]:
        """Give those of some elements that stand in no other of them."""
        found: list[int] = []
        for at in sorted({*elements}):
            if not found or at >= self._ends[found[-1]]:
                found.append(at)
        return found

    def says_anew(self, at: int, known: Collection[str]) -> bool:
        """Tell whether an element says what is none of the values known, in the part of the page that was read."""
        if any(_share(self.words[at], said) for said in known):
            return False
        return self._is_shown(self.lead(at))

    def states(self, at: int, said: str) -> bool:
        """Tell whether an element states a text, or is one alone."""
        return f" {said} " in f" {self.words[at]} "

    def lead(self, at: int) -> str:
        """Give the first text in an element."""
        return " ".join(next(filter(str.strip, map(str, self._elements[at].itertext())), "").split())

    def text(self, at: int) -> str:
        """Give what an element says."""
        return " ".join(" ".join(map(str, self._elements[at].itertext())).split())

    def size(self, region: NodeRange) -> int:
        """Give how many characters a region says."""
        total, at = 0, region[0]
        while at < region[1]:
            total += self.sizes[at]
            at = self._ends[at]
        return total


def words_of(text: str) -> str:
    """Give the words of a text in lower case, parted by blanks."""
    return " ".join(_WORD.findall(text.casefold()))


def _share(text: str, said: str) -> bool:
    """Tell whether a text is a value of the data, or a part of one, or says little more than one."""
    return f" {text} " in f" {said} " or (f" {said} " in f" {text} " and len(said) >= _NEARLY_ALL * len(text))


def _pieces(element: HtmlElement) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield child.tail or ""
