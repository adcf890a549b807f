"""What the judgement of main content looks at in a block of text: its words, its place, and what is around it.

The features are those that block classifiers have used since Kohlschütter et al., "Boilerplate Detection using Shallow
Text Features" (2010): length, share of links, the neighbours; and of the tree: which parts of a page a block lies in,
and what these consist of. No feature knows a word of a language; words of classes and ids are weighed by what was
learned about them. Of 160 features that were tried, these do as well as all (leaving each site out).
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from typing import Final

from lxml.html import HtmlElement

from gleaner.markdown.boilerplate_signs import words_of
from gleaner.markdown.text_blocks import TextBlock

PARTS: Final = (
    "main", "article", "section", "aside", "header", "footer", "form", "table", "li", "figure", "figcaption",
    "blockquote", "dl",
)  # fmt: skip
"""Parts of a page: how far above a block the nearest of each is."""

LEVELS: Final = 5
"""Larger and larger parts around a block that are looked at; one that adds no block to another is none of its own."""

FEATURES: Final = (
    *("size", "words", "size of words", "links", "link share", "capitals", "digits"),
    *("end of a sentence", "words of the title"),
    *("heading", "heading above", "blocks since that heading"),
    *("text before", "running text before", "running text after"),
    *("levels to running text before", "levels to running text after"),
    *("size of the block before", "links of the block before", "size of the block after", "links of the block after"),
    *("links around", "running text around", "size around"),
    *("blocks alike", "text alike", "links alike", "size alike"),
    *("running text of the page", "links of the page", "kind of the page", "depth"),
    *("names, the nearer the more", "names, the least", "names, the mean", "names, near"),
    *(f"in {part}" for part in PARTS),
    *(
        f"level {level}: {what}"
        for level in range(LEVELS)
        for what in ("text", "links", "running", "of all running", "size")
    ),
)
"""The names of the features, in their order."""

_PART_NUMBERS: Final = {part: number for number, part in enumerate(PARTS)}
_VALUES = 5
_FAR = 20.0
"""The distance that stands for an ancestor that is not there."""
_NOWHERE = 30
_PROSE = 80
"""Characters from which a block that is mostly no link counts as running text."""
_NEAR = 3
_AROUND = 5
_DEEPEST = 100
"""Ancestors that are counted: pages of people have fewer than fifty; hostile ones nest without end."""
_SIGNING = 3
"""Elements around one that are alike where blocks are of the same kind."""
_WORD = re.compile(r"\w+")


class _Spot:
    """An element with text inside: what is told of it once for all blocks in it.

    ``known`` are the words of classes and ids around, the nearest of each, with weight and depth. ``sign`` is tag and
    first class of the element and of the three around it.
    """

    __slots__ = (
        *("above", "depth", "known", "known_words", "levels", "linked", "number", "parts", "running", "sign", "text"),
    )

    def __init__(self, element: HtmlElement, above: "_Spot | None", names: Mapping[str, float]) -> None:
        classes: str = element.get("class", "")
        self.above = above
        self.depth = above.depth + 1 if above else 0
        self.text = self.linked = self.running = self.number = 0
        self.levels: list[float] = []
        parts = above.parts if above else (-1,) * len(PARTS)
        part = _PART_NUMBERS.get(element.tag)
        self.parts: tuple[int, ...] = parts if part is None else (*parts[:part], self.depth, *parts[part + 1 :])
        look = f"{element.tag}.{classes.partition(' ')[0]}"
        self.sign: tuple[str, ...] = (look, *(above.sign[:_SIGNING] if above else _signs_above(element)))
        self.known: list[tuple[str, float, int]] = above.known if above else []
        self.known_words: frozenset[str] = above.known_words if above else frozenset()
        if above and (own_words := name_words(classes, element.get("id", "")) & names.keys()):
            own = [(word, names[word], self.depth) for word in own_words]
            is_new = own_words.isdisjoint(self.known_words)
            self.known = [*own, *(self.known if is_new else (one for one in self.known if one[0] not in own_words))]
            self.known_words |= own_words

    def settle_levels(self, total: int, running: int) -> None:
        """Say what the next larger parts around consist of, from the inside out; those above are settled before."""
        above = self.above
        text = self.text
        own = [text / total, self.linked / text, self.running / text, self.running / running, math.log1p(text)]
        passed = len(own) if above and above.number == self.number else 0
        self.levels = [*own, *(above.levels[passed:] if above else ())][: LEVELS * len(own)]

    def features(self) -> list[float]:
        """Give the features that all blocks of an element share."""
        depth, levels = self.depth, self.levels
        distances = [float(min(depth - at, _FAR)) if at >= 0 else _FAR for at in self.parts]
        missing = levels[-_VALUES:] * (LEVELS - len(levels) // _VALUES)
        return [float(min(depth, _DEEPEST)), *_of_names(self.known, depth), *distances, *levels, *missing]


def block_features(
    body: HtmlElement, blocks: Sequence[TextBlock], title: str, kind: int, names: Mapping[str, float]
) -> list[list[float]]:
    """Give the features of each block, in the order of ``FEATURES``.

    ``kind`` is the number of the page's kind, ``names`` the weight of each known word of a class or id: above 0 where
    it stood mostly at content.
    """
    running = [len(block.text) if is_running(block) else 0 for block in blocks]
    total, all_running = sum(len(block.text) for block in blocks), sum(running) or 1
    spots = _spots(body, blocks, running, names)
    for spot in spots.values():
        spot.settle_levels(total, all_running)
    own = [spots[block.element] for block in blocks]
    shared = {spot: spot.features() for spot in dict.fromkeys(own)}
    wanted = frozenset(_WORD.findall(title.lower()))
    page = [sum(running) / total, sum(block.linked for block in blocks) / total, float(kind)]
    return [
        [*_of_text(block, wanted), *order, *likeness, *page, *shared[spot]]
        for block, order, likeness, spot in zip(
            blocks, _order(blocks, running, own), _likeness(blocks, own), own, strict=True
        )
    ]


@lru_cache(maxsize=8192)
def name_words(classes: str, identity: str) -> frozenset[str]:
    """Give the words that a class and an id are made of, without numbers and very short ones."""
    if not classes and not identity:
        return frozenset()
    words = words_of(f"{classes[:200]} {identity[:100]}")
    return frozenset(word for word in words if len(word) > 2 and not word.isdigit())


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
        if (level := block.level) in (1, 2)
    )
    return -max(ranked, default=(0, 1))[1]


def _spots(
    body: HtmlElement, blocks: Sequence[TextBlock], running: Sequence[int], names: Mapping[str, float]
) -> Mapping[HtmlElement, _Spot]:
    """Give the elements that blocks lie in, and those around them, each after the one above it."""
    spots = {body: _Spot(body, None, names)}
    for block, size in zip(blocks, running, strict=True):
        path: list[HtmlElement] = []
        element = block.element
        while element not in spots:
            path.append(element)
            element = element.getparent()
        spot = spots[element]
        for one in reversed(path):
            spot = spots[one] = _Spot(one, spot, names)
        spot.text += len(block.text)
        spot.linked += block.linked
        spot.running += size
        spot.number += 1
    for spot in reversed(spots.values()):
        if above := spot.above:
            above.text += spot.text
            above.linked += spot.linked
            above.running += spot.running
            above.number += spot.number
    return spots


def _of_text(block: TextBlock, title: frozenset[str]) -> list[float]:
    text, size = block.text, len(block.text)
    words = _WORD.findall(text.lower())
    return [
        math.log1p(size),
        len(words),
        sum(map(len, words)) / (len(words) or 1),
        block.links,
        block.linked / size,
        sum(map(str.isupper, text)) / size,
        sum(map(str.isdigit, text)) / size,
        float(text[-1] in ".!?:;。！？…"),
        len(title.intersection(words)) / (len(words) or 1),
    ]


def _of_names(known: Sequence[tuple[str, float, int]], depth: int) -> list[float]:
    """Weigh the words of the classes and ids around: by nearness, the least, the mean, and the sum of the near ones."""
    if not known:
        return [0.0] * 4
    values = [weight for _, weight, _ in known]
    fading = near = 0.0
    for _, weight, at in known:
        fading += weight / (1 + depth - at)
        if depth - at <= _NEAR:
            near += weight
    return [fading, min(values), sum(values) / len(values), near]


def _order(blocks: Sequence[TextBlock], running: Sequence[int], spots: Sequence[_Spot]) -> Iterator[list[float]]:
    """Give what stands before, after and around each block: headings, running text and how near that is in the tree."""
    count = len(blocks)
    sizes = [len(block.text) for block in blocks]
    texts, runs, links = ([*accumulate(some, initial=0)] for some in (sizes, running, [one.linked for one in blocks]))
    depths, joints = [spot.depth for spot in spots], [_joint(*pair) for pair in pairwise(spots)]
    before = _steps_to_running(depths, [0, *joints], running)
    after = _steps_to_running(depths[::-1], [0, *reversed(joints)], running[::-1])[::-1]
    logs = [math.log1p(size) for size in sizes]
    shares = [block.linked / size for block, size in zip(blocks, sizes, strict=True)]
    last = level = -1
    for number in range(count):
        own = blocks[number].level
        if own:
            last, level = number, own
        low, high = max(0, number - _AROUND), min(count, number + _AROUND + 1)
        around = texts[high] - texts[low]
        yield [
            *(own, level, number - last if last >= 0 else -1),
            *(texts[number] / texts[-1], runs[number] / (runs[-1] or 1), 1 - runs[number + 1] / (runs[-1] or 1)),
            *(before[number], after[number]),
            *((logs[number - 1], shares[number - 1]) if number else (-1.0, -1.0)),
            *((logs[number + 1], shares[number + 1]) if number + 1 < count else (-1.0, -1.0)),
            *((links[high] - links[low]) / around, (runs[high] - runs[low]) / around),
            math.log1p(around / (high - low)),
        ]


def _steps_to_running(depths: Sequence[int], joints: Sequence[int], running: Sequence[int]) -> list[int]:
    """Give for each block how many levels up it shares a part with the running text before it.

    ``joints`` are the depths of what each block shares with the one before it.
    """
    steps: list[int] = []
    shared = -1
    for depth, joint, size in zip(depths, joints, running, strict=True):
        shared = min(shared, joint)
        steps.append(min(depth - shared, _DEEPEST) if shared >= 0 else _NOWHERE)
        if size:
            shared = depth
    return steps


def _joint(one: _Spot, other: _Spot) -> int:
    """Give the depth of the nearest part around two blocks that follow one another: in all, a walk over the tree."""
    while one is not other:
        if one.depth > other.depth:
            one = one.above or one
        else:
            other = other.above or other
    return one.depth


def _likeness(blocks: Sequence[TextBlock], spots: Sequence[_Spot]) -> Iterator[list[float]]:
    """Give how many blocks lie in elements of the same kind as each, and what these consist of."""
    total = sum(len(block.text) for block in blocks)
    sums: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
    for block, spot in zip(blocks, spots, strict=True):
        mass = sums[spot.sign]
        mass[0] += 1
        mass[1] += len(block.text)
        mass[2] += block.linked
    for spot in spots:
        count, text, linked = sums[spot.sign]
        yield [count, text / total, linked / text, text / count]


def _signs_above(body: HtmlElement) -> Iterator[str]:
    """Give what the elements around a body are: tag and first class of each."""
    for one in islice(body.iterancestors(), _SIGNING):
        yield f"{one.tag}.{(one.get('class') or '').partition(' ')[0]}"
