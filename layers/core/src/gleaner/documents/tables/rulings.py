"""The rules that are drawn on a page: joined where they are in pieces, told from underlines, put together to areas."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter

from gleaner.documents.page import Box, PageContents, Word, around

NEAR = 3.0
"""Points by which rules that are meant to meet miss each other."""
SHORTEST_RULE = 6.0
TOUCHING, DASHED = 1.5, 4.0
"""Points between pieces of one rule, and between dashes."""
ALIKE = 6.0
"""Points by which the ends of the rules of one table differ."""
STRUCK = (0.12, 0.5)
"""How many sizes over the base line of a word a rule runs that strikes it out."""
UNDERLINED = (-0.25, 0.12)
COVERED = 0.6
"""Share of an underline that words stand on: borders are longer."""
_FEWEST_BARS = 3
_MOST_RULES = 1_000
"""Joined rules of a page, in each direction; more make a drawing."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a page or of a part of it, each as long as it is drawn without a gap.

    ``starts`` are the places at which columns begin without a rule (``shared_starts``).
    """

    across: list[Box]
    down: list[Box]
    starts: Sequence[float] = ()

    @property
    def sides(self) -> tuple[list[Box], list[Box]]:
        """Those from left to right, and those from top to bottom."""
        return self.across, self.down

    @property
    def box(self) -> Box:
        """The box around all of them."""
        return around([*self.across, *self.down])


def take_rules(contents: PageContents) -> Rules:
    """Give the rules of a page; its words learn which of them are struck out."""
    drawn = _joined(contents.rules)
    meshes = [mesh.box for mesh in meshes_of(drawn) if len(mesh.down) > 1]
    edges = [edge for fill in _cells(contents, meshes) for edge in _edges(fill)]
    across, down = (drawn if not edges else _joined(contents.rules + edges)).sides
    ordered = sorted(enumerate(contents.words), key=lambda found: found[1].base)
    bases, largest = [word.base for _, word in ordered], max((word.size for word in contents.words), default=0.0)
    lines = dict[int, tuple[list[Word], list[Word]]]()
    for rule in across:
        low, high = bisect_left(bases, rule.y - largest), bisect_right(bases, rule.y + largest)
        lines[id(rule)] = _words_along(rule, [word for _, word in sorted(ordered[low:high], key=itemgetter(0))])
    borders = [rule for rule in across if not lines[id(rule)][0] and not _underlines(rule, lines[id(rule)][1])]
    struck: set[int] = set()
    for rule in across:
        through, _ = lines[id(rule)]
        if through and any(_are_close(rule.x0, one.x0) and _are_close(rule.x1, one.x1) for one in borders):
            borders.append(rule)
        else:
            struck |= set(map(id, through))
    if struck:
        contents.words = [replace(word, is_struck=True) if id(word) in struck else word for word in contents.words]
    return Rules(borders, down)


def _words_along(rule: Box, words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Give the words that a rule runs through, if it runs through all of a line, and those that it underlines."""
    near = [word for word in words if abs(word.base - rule.y) < word.size and _shared(rule, word) > 0.5 * word.width]
    through = [word for word in near if STRUCK[0] * word.size <= word.base - rule.y < STRUCK[1] * word.size]
    under = [word for word in near if UNDERLINED[0] * word.size <= word.base - rule.y < UNDERLINED[1] * word.size]
    beside = [word for word in near if through and abs(word.base - through[0].base) <= 2]
    return (through if len(beside) == len(through) else []), under


def _shared(rule: Box, word: Word) -> float:
    return min(word.x1, rule.x1) - max(word.x0, rule.x0)


def _underlines(rule: Box, words: Sequence[Word]) -> bool:
    """Tell whether a rule stands under words and ends with them."""
    if not words or sum(word.width for word in words) < COVERED * rule.width:
        return False
    box, slack = around(words), 0.6 * words[0].size
    return rule.x0 >= box.x0 - slack and rule.x1 <= box.x1 + slack


def _joined(lines: Sequence[Box]) -> Rules:
    across = joined_rules(line for line in lines if line.width > line.height)
    down = joined_rules((line for line in lines if line.width <= line.height), upright=True)
    return Rules(across, down) if max(len(across), len(down)) <= _MOST_RULES else Rules([], [])


def _cells(contents: PageContents, meshes: Sequence[Box]) -> Iterator[Box]:
    """Give the coloured areas that make rows and columns, but for those in tables whose cells are drawn."""
    area = contents.width * contents.height
    fills = [fill for fill in contents.fills if fill.width * fill.height < 0.6 * area]
    for fill in fills:
        others = [other for other in fills if other is not fill]
        has_mates = any(_are_close(fill.x0, other.x0) and _are_close(fill.x1, other.x1) for other in others)
        beside = [other for other in others if other.top < fill.y < other.bottom and not other.covers(fill)]
        are_even = all(_are_close(fill.top, other.top) and _are_close(fill.bottom, other.bottom) for other in beside)
        if has_mates and are_even and not any(mesh.covers(fill, NEAR) for mesh in meshes):
            yield fill


def bars_of(contents: PageContents, rules: Rules) -> Iterator[Box]:
    """Give the areas of bars: coloured rectangles of different lengths that begin at one line."""
    loose = [fill for fill in contents.fills if not _is_highlight(fill, contents.words) and not _is_cell(fill, rules)]
    for fill in loose:
        level = [other for other in loose if _are_close(fill.x0, other.x0)]
        upright = [other for other in loose if _are_close(fill.bottom, other.bottom)]
        if len({round(bar.width / 2) for bar in level}) >= _FEWEST_BARS:
            yield around(level)
        if len({round(bar.height / 2) for bar in upright}) >= _FEWEST_BARS:
            yield around(upright)


def _is_cell(fill: Box, rules: Rules) -> bool:
    """Tell whether an area fills a cell: it is between rules that go on beyond it."""
    walls = [wall.x for wall in rules.down if wall.height > 1.5 * fill.height and wall.top <= fill.y <= wall.bottom]
    return all(any(_are_close(x, wall) for wall in walls) for x in (fill.x0, fill.x1))


def _is_highlight(fill: Box, words: Sequence[Word]) -> bool:
    """Tell whether an area is coloured right behind words."""
    inside = [word for word in words if fill.holds(word)]
    return bool(inside) and fill.width * fill.height <= 3 * sum(word.width * word.height for word in inside)


def _are_close(one: float, other: float) -> bool:
    return abs(one - other) <= 2


def _edges(box: Box) -> tuple[Box, ...]:
    return (
        Box(box.x0, box.top, box.x1, box.top),
        Box(box.x0, box.bottom, box.x1, box.bottom),
        Box(box.x0, box.top, box.x0, box.bottom),
        Box(box.x1, box.top, box.x1, box.bottom),
    )


def joined_rules(rules: Iterable[Box], *, upright: bool = False) -> list[Box]:
    """Give rules of one direction, those joined that go on where another ends or lie on it."""
    turned = [_turned(rule) if upright else rule for rule in rules]
    lines: list[list[Box]] = []
    for rule in sorted(turned, key=lambda rule: rule.y):
        if lines and rule.y - lines[-1][0].y <= 1:
            lines[-1].append(rule)
        else:
            lines.append([rule])
    found: list[Box] = []
    for line in lines:
        ordered = sorted(line, key=lambda rule: rule.x0)
        open_rule = ordered[0]
        for before, rule in pairwise(ordered):
            is_dash = max(before.width, rule.width) <= SHORTEST_RULE
            if rule.x0 - open_rule.x1 <= (DASHED if is_dash else TOUCHING):
                open_rule = around([open_rule, rule])
            else:
                found.append(open_rule)
                open_rule = rule
        found.append(open_rule)
    kept = [rule for rule in found if rule.width >= SHORTEST_RULE]
    return [_turned(rule) for rule in kept] if upright else kept


def _turned(box: Box) -> Box:
    return Box(box.top, box.x0, box.bottom, box.x1)


def meshes_of(rules: Rules) -> list[Rules]:
    """Give the rules that hang together, from top to bottom; a rule that meets no other is alone."""
    across, down = rules.across, rules.down
    owner = list(range(len(across) + len(down)))

    def root(at: int) -> int:
        while owner[at] != at:
            owner[at] = owner[owner[at]]
            at = owner[at]
        return at

    for one, rule in enumerate(across):
        for other, wall in enumerate(down, len(across)):
            if rule.x0 - NEAR <= wall.x <= rule.x1 + NEAR and wall.top - NEAR <= rule.y <= wall.bottom + NEAR:
                owner[root(one)] = root(other)
    found: dict[int, Rules] = {}
    for at, rule in enumerate([*across, *down]):
        mesh = found.setdefault(root(at), Rules([], []))
        (mesh.across if at < len(across) else mesh.down).append(rule)
    return sorted((mesh for mesh in found.values() if mesh.across), key=lambda mesh: mesh.box.top)
