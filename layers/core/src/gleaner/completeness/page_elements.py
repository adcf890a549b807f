"""The elements of a page in document order: what each says, which are siblings, and where records begin and end. Pure."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from lxml import etree
from lxml.html import HtmlElement

Region = tuple[int, int]
"""A part of the page: from an element to the one where it ends, as numbers in document order."""

_WORD = re.compile(r"[^\W_]+")
_UNSEEN = ("script", "style", "template", "noscript", "head", "svg", "select")
_LONGEST_ITEM = 2_000
"""Characters of an element's text; what says more is a part of the page and no item of a list."""

_NEARLY_ALL = 0.8
_MOST_MATCHED_NODES = 200


@dataclass(frozen=True, slots=True)
class Records:
    """Where each record of a list stands (None: nowhere), and siblings built like theirs in which none stands."""

    regions: list[Region | None]
    others: list[Region]


class PageElements:
    """The elements of a page in order, what each says, and which of them are siblings of one tag."""

    def __init__(self, root: HtmlElement, is_shown: Callable[[str], bool]) -> None:
        self._is_shown = is_shown
        etree.strip_elements(root, *_UNSEEN, with_tail=False)
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

    def families(self, elements: Sequence[list[str]], region: Region) -> dict[int, dict[int, int]]:
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

    def _stating(self, said: Sequence[str], region: Region) -> Iterator[tuple[int, int]]:
        """Give the items that state the first text of an element and at least half of them all, and how many."""
        seen = 0
        for item in self._around(said[0] if said else "", region[0] + 1 if region[0] else 0):
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

    def _first(self, said: str, region: Region) -> int | None:
        """Give the first element of a region that states a text and holds no other which does."""
        last: int | None = None
        for at in self._around(said, region[0]):
            if at >= region[1] or (last is not None and self._parents[at] != last):
                break
            last = at
        return last

    def records(self, elements: Sequence[list[str]], within: Region) -> Records:
        """Give where the records of a list stand, each named by the first text of its element, in their order.

        A record has the largest element around its name that holds no other record's, or what follows its name up to
        the next sibling which looks like it: headings part records that nothing wraps.
        """
        starts: list[int | None] = []
        reached = within[0]
        for said in elements:
            at = self._first(said[0], (reached, within[1])) if said else None
            reached = reached if at is None else at + 1
            starts.append(at)
        known = sorted({at for at in starts if at is not None})
        chains = {at: self._chain(at, known, within) for at in known}
        kinds = Counter(kind for chain in chains.values() for kind in {self.kind_of(one) for one in chain})
        wrappers = {at: max(chain, key=lambda one: (kinds[self.kind_of(one)], -one)) for at, chain in chains.items()}
        tops = {wrappers[at] for at in known}
        borders = sorted({*tops, *(like for top in tops for like in self._like(top) if within[0] < like < within[1])})
        limits = [*borders, within[1]]
        follow = {one: min(after, self._ends[self._parents[one]]) for one, after in pairwise(limits)}
        is_wrapped = all(follow[one] == self._ends[one] for one in borders[:-1])
        regions = {one: (one, self._ends[one] if is_wrapped and borders[1:] else follow[one]) for one in borders}
        return Records(
            [None if at is None else regions[wrappers[at]] for at in starts],
            [regions[one] for one in borders if one not in tops],
        )

    def _chain(self, at: int, known: Sequence[int], within: Region) -> list[int]:
        """Give an element and those around it that hold no other of those known."""
        chain = [at]
        while (up := self._parents[chain[-1]]) > within[0] or (up == 0 and within[0] == 0 and up >= 0):
            if bisect_left(known, self._ends[up]) - bisect_left(known, up) > 1:
                break
            chain.append(up)
        return chain

    def _like(self, at: int) -> Iterator[int]:
        """Give the siblings of an element that have its tag and class and say something."""
        if at in self._items:
            for other in self._children(self._parents[at]):
                if other != at and self.sizes[other] and self.kind_of(other) == self.kind_of(at):
                    yield other

    def _children(self, parent: int) -> Iterator[int]:
        at = parent + 1
        while 0 < at < self._ends[parent]:
            yield at
            at = self._ends[at]

    def siblings(self, items: Collection[int], region: Region) -> Iterator[int]:
        """Give the other children of the items' parent in a region that are built like them, and say something."""
        builds = {self._build(item) for item in items}
        for at in self._children(self._parents[min(items)]):
            if region[0] < at < region[1] and at not in items and self.words[at] and self._build(at) in builds:
                yield at

    def _build(self, at: int) -> Hashable:
        tags = frozenset(str(one.tag) for one in self._elements[at].iterdescendants(etree.Element))
        return str(self._elements[at].tag), self._elements[at].get("class") or "", tags

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

    def is_item(self, at: int) -> bool:
        """Tell whether an element has a sibling of its tag."""
        return at in self._items

    def in_region(self, region: Region) -> Iterator[int]:
        """Give the elements of a region that say something."""
        return (at for at in range(region[0] + 1, region[1]) if self.words[at])

    def says_anew(self, at: int, known: Collection[str]) -> bool:
        """Tell whether an element says what is none of the values known, in the part of the page that was read."""
        if any(_share(self.words[at], said) for said in known):
            return False
        return self._is_shown(next(filter(str.strip, map(str, self._elements[at].itertext())), "").strip())

    def text(self, at: int) -> str:
        """Give what an element says."""
        return " ".join(" ".join(map(str, self._elements[at].itertext())).split())

    def size(self, region: Region) -> int:
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
