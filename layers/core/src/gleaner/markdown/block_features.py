"""What the judgement of main content looks at in a block of text: its words, its place, and what is around it.

The features are those that block classifiers have used since Kohlschütter et al., "Boilerplate Detection using Shallow
Text Features" (2010): length, share of links, the neighbours; and of the tree: which parts of a page a block lies in,
and what these consist of. No feature knows a word of a language; words of classes and ids are weighed by what was
learned about them.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import Final, TypeAlias

from lxml.html import HtmlElement

from gleaner.html.elements import HEADINGS
from gleaner.markdown.boilerplate_signs import DAY, PRICE, words_of
from gleaner.markdown.text_blocks import TextBlock

_TAGS: Final = ("p", "li", "td", "th", "div", "dt", "dd", "blockquote", "pre", "section", "button", "summary")
_PARTS: Final = (
    "main", "article", "section", "aside", "nav", "header", "footer", "form", "table", "ul", "ol", "dl", "li",
    "blockquote", "figure", "details", "pre", "fieldset", "dialog",
)  # fmt: skip
_PART_NUMBERS: Final = {part: number for number, part in enumerate(_PARTS)}
_FAR = 20
"""The distance that stands for an ancestor that is not there."""
_LEVELS = 6
_VALUES_OF_LEVEL = 6
_PROSE = 80
"""Characters from which a block that is mostly no link counts as running text."""
_NEAR = 3
_KnownWords: TypeAlias = list[tuple[str, float, float]]
_DEEPEST = 100
"""Ancestors that are looked at: pages of people have fewer than fifty; hostile ones nest without end."""
_WORD = re.compile(r"\w+")


def block_features(
    body: HtmlElement, blocks: Sequence[TextBlock], title: str, kind: int, names: Mapping[str, float]
) -> list[list[float]]:
    """Give the features of each block, in the same order for all.

    ``kind`` is the number of the page's kind, ``names`` the weight of each known word of a class or id: above 0 where
    it stood mostly at content.
    """
    page = _Page(body, blocks, title)
    places = _Places(body, page.masses, names)
    return [
        [
            *_of_text(block),
            *places.of(block.element),
            *page.place(number),
            *page.neighbours(number),
            *page.likeness(number),
            float(kind),
        ]
        for number, block in enumerate(blocks)
    ]


@lru_cache(maxsize=8192)
def name_words(classes: str, identity: str) -> frozenset[str]:
    """Give the words that a class and an id are made of, without numbers and very short ones."""
    words = words_of(f"{classes[:200]} {identity[:100]}")
    return frozenset(word for word in words if len(word) > 2 and not word.isdigit())


def _of_text(block: TextBlock) -> list[float]:
    text, size = block.text, len(block.text)
    words = _WORD.findall(text)
    return [
        *(float(block.element.tag == tag) for tag in _TAGS),
        math.log1p(size),
        len(words),
        block.link_share,
        block.links,
        sum(map(len, words)) / max(1, len(words)),
        float(text[-1] in ".!?:;。！？…"),
        float(text[-1] == ":"),
        sum(map(str.isdigit, text)) / size,
        sum(map(str.isupper, text)) / size,
        text.count(",") + text.count("."),
        float(bool(PRICE.search(text))),
        float(bool(DAY.search(text))),
    ]


class _Places:
    """What each element above a block says of its place: worked out from the top down, once for each element."""

    def __init__(
        self, body: HtmlElement, masses: Mapping[HtmlElement, Sequence[int]], names: Mapping[str, float]
    ) -> None:
        self.total = masses[body][0] if body in masses else 1
        self.names = names
        self.parts: dict[HtmlElement, list[float]] = {}
        self.levels: dict[HtmlElement, list[float]] = {}
        self.known: dict[HtmlElement, _KnownWords] = {}
        outside = [float(_FAR)] * len(_PARTS)
        top: list[float] = [*outside, -1.0]
        for element in body.iter():
            if element in masses:
                above = element.getparent()
                self.parts[element] = _part_distances(element, self.parts.get(above, top))
                self.levels[element] = self._levels(masses[element], self.levels.get(above, []))
                self.known[element] = self._known(element, self.known.get(above, []), self.parts[element][-1])

    def of(self, element: HtmlElement) -> list[float]:
        """Give the features that all blocks of an element share."""
        levels, parts = self.levels[element], self.parts[element]
        missing = levels[-_VALUES_OF_LEVEL:] * (_LEVELS - len(levels) // _VALUES_OF_LEVEL)
        return [*_of_names(self.known[element], parts[-1]), *parts, *levels, *missing]

    def _levels(self, mass: Sequence[int], above: list[float]) -> list[float]:
        """Give what the next larger parts around a block consist of, from the inside out."""
        text, linked, running, count = mass
        own = [text / self.total, linked / text, running / text, math.log1p(text), count, text / count]
        is_same = bool(above) and above[4] == count
        return [*own, *above[_VALUES_OF_LEVEL if is_same else 0 :]][: _LEVELS * _VALUES_OF_LEVEL]

    def _known(self, element: HtmlElement, above: _KnownWords, depth: float) -> _KnownWords:
        """Give the known words of the classes and ids around, each with its weight and depth; the nearest of each."""
        words = name_words(element.get("class", ""), element.get("id", "")) if element.tag != "body" else frozenset()
        own = [(word, self.names[word], depth) for word in words if word in self.names]
        return [*own, *(known for known in above if known[0] not in words)] if own else above


def _of_names(known: _KnownWords, depth: float) -> list[float]:
    if not known:
        return [0.0] * 6
    values = [weight for _, weight, _ in known]
    near = sum(weight for _, weight, at in known if depth - at <= _NEAR)
    fading = sum(weight / (1 + depth - at) for _, weight, at in known)
    return [min(values), max(values), sum(values) / len(values), near, sum(values), fading]


def _part_distances(element: HtmlElement, above: list[float]) -> list[float]:
    """Give how far above the element the nearest of each part of a page is, and the element's depth."""
    found = [min(distance + 1, _FAR) for distance in above[:-1]]
    number = _PART_NUMBERS.get(element.tag)
    if number is not None:
        found[number] = 0.0
    return [*found, min(above[-1] + 1, _DEEPEST)]


class _Page:
    """The sums over a page that the features of its blocks relate to."""

    def __init__(self, body: HtmlElement, blocks: Sequence[TextBlock], title: str) -> None:
        self.blocks = blocks
        self.sizes = [len(block.text) for block in blocks]
        self.total = sum(self.sizes) or 1
        self.linked = sum(block.linked for block in blocks)
        self.running = [len(block.text) if is_running(block) else 0 for block in blocks]
        self.running_share = sum(self.running) / self.total
        self.masses = self._masses(body)
        self.signatures = [signature(block.element) for block in blocks]
        self.alike = self._alike()
        self.texts = Counter(block.text for block in blocks)
        self.headings = [_heading_level(block.element) for block in blocks]
        self.main_heading = main_heading(blocks, title)
        self.before = list(accumulate(self.sizes, initial=0))
        self.last_headings = list(accumulate(range(len(blocks)), self._later_heading, initial=-1))[1:]

    def place(self, number: int) -> list[float]:
        """Give where a block stands on the page, and below which heading."""
        count, total = len(self.blocks), self.total
        main, last = self.main_heading, self.last_headings[number]
        return [
            number / count,
            self.before[number] / total,
            count,
            math.log1p(total),
            self.linked / total,
            self.running_share,
            (number - main) / count if main >= 0 else -2,
            float(number == main),
            float(number >= main) if main >= 0 else 2,
            self.headings[number],
            number - last if last >= 0 else -1,
            self.headings[last] if last >= 0 else 0,
        ]

    def _later_heading(self, last: int, number: int) -> int:
        return number if self.headings[number] else last

    def neighbours(self, number: int) -> list[float]:
        """Give length, share of links and likeness of the two blocks before and after."""
        found: list[float] = []
        for other in (number - 2, number - 1, number + 1, number + 2):
            if 0 <= other < len(self.blocks):
                same = self.signatures[other] == self.signatures[number]
                found += (math.log1p(self.sizes[other]), self.blocks[other].link_share, float(same))
            else:
                found += (-1.0, -1.0, -1.0)
        return found

    def likeness(self, number: int) -> list[float]:
        """Give how many blocks lie in elements of the same kind, and what these consist of."""
        count, text, linked = self.alike[self.signatures[number]]
        return [count, text / self.total, linked / text, text / count, self.texts[self.blocks[number].text]]

    def _masses(self, body: HtmlElement) -> Mapping[HtmlElement, list[int]]:
        """Sum up text, linked text, running text and blocks of each element, from the leaves up."""
        sums: defaultdict[HtmlElement, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for block, size, running in zip(self.blocks, self.sizes, self.running, strict=True):
            _add(sums[block.element], (size, block.linked, running, 1))
        for element in reversed(list(body.iter())):
            parent = element.getparent()
            if element in sums and parent is not None:
                _add(sums[parent], sums[element])
        return sums

    def _alike(self) -> Mapping[tuple[str, ...], list[int]]:
        sums: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
        for block, size, signature in zip(self.blocks, self.sizes, self.signatures, strict=True):
            mass = sums[signature]
            mass[0] += 1
            mass[1] += size
            mass[2] += block.linked
        return sums


def is_running(block: TextBlock) -> bool:
    """Tell whether a block is running text: long, and mostly no link."""
    return len(block.text) >= _PROSE and block.linked < len(block.text) / 2


def main_heading(blocks: Sequence[TextBlock], title: str) -> int:
    """Give the number of the heading that shares most words with the title; of equals an ``h1``, then the first.

    -1 where the page has no heading of the first two levels.
    """
    wanted = frozenset(_WORD.findall(title.lower()))
    ranked = (
        (len(wanted.intersection(_WORD.findall(block.text.lower()))) + (level == 1), -number)
        for number, block in enumerate(blocks)
        if (level := _heading_level(block.element)) in (1, 2)
    )
    return -max(ranked, default=(0, 1))[1]


def _add(mass: list[int], more: Sequence[int]) -> None:
    for at, amount in enumerate(more):
        mass[at] += amount


def signature(element: HtmlElement) -> tuple[str, ...]:
    """Give what an element and the three around it are: tag and first class of each."""
    chain = [element, *islice(element.iterancestors(), 3)]
    return tuple(f"{one.tag}.{(one.get('class') or '').partition(' ')[0]}" for one in chain)


def _heading_level(element: HtmlElement) -> int:
    for one in (element, *islice(element.iterancestors(), 2)):
        if one.tag in HEADINGS:
            return int(one.tag[1])
    return 0
