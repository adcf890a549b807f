"""The lines of the objects in lists within records: "| Linen napkin | 5 |" says no quantity of the candle above it.

Where nearly all objects of such lists have all their values in one line each, what an object has from another line than
its own is refused: from one that another object has, while its own line has something more to say.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from gleaner.grounding.leaves import Leaf, Steps
from gleaner.grounding.regions import Span
from gleaner.grounding.text.text_index import Match, TextIndex, within

_LEAST = 2
_NEARLY_ALL = 0.6
_MOST_PLACES = 40
_OWN_LINE = 1_000


@dataclass(frozen=True, slots=True)
class _Object:
    """The values of one object, each with the starts of the lines that say it."""

    leaves: Sequence[Leaf]
    lines: Sequence[frozenset[int]]

    @property
    def common(self) -> frozenset[int]:
        return frozenset.intersection(*self.lines)


def out_of_line(
    leaves: Sequence[Leaf],
    found: Mapping[str, Match],
    index: TextIndex,
    own_place: Callable[[Leaf], Span | None],
    depth: int,
) -> set[str]:
    """Give the pointers of values that stand in another line than their object's.

    ``depth`` is the number of steps to the objects that have places of their own already.
    """
    lists: dict[tuple[str, ...], dict[Steps, dict[Steps, list[Leaf]]]] = {}
    for leaf in leaves:
        if len(leaf.steps) > depth + 1 and isinstance(leaf.steps[-2], int) and leaf.pointer in found and leaf.is_open:
            objects = lists.setdefault(leaf.field[:-2], {}).setdefault(leaf.steps[:-2], {})
            objects.setdefault(leaf.steps[:-1], []).append(leaf)
    refuted: set[str] = set()
    for by_parent in lists.values():
        listed = [[_placed(own, found, index, own_place) for own in of.values()] for of in by_parent.values()]
        several = [one for objects in listed for one in objects if len(one.leaves) >= _LEAST]
        whole = sum(bool(one.common) for one in several)
        if _LEAST <= whole < len(several) and whole >= _NEARLY_ALL * len(several):
            refuted.update(leaf.pointer for objects in listed for leaf in _astray(objects, found, index))
    return refuted


def _placed(
    leaves: Sequence[Leaf], found: Mapping[str, Match], index: TextIndex, own_place: Callable[[Leaf], Span | None]
) -> _Object:
    return _Object(leaves, [_lines_of(leaf, found[leaf.pointer], index, own_place(leaf)) for leaf in leaves])


def _lines_of(leaf: Leaf, match: Match, index: TextIndex, own: Span | None) -> frozenset[int]:
    matches = within(index.find(leaf.value), own) if own else index.find(leaf.value)
    near = matches if len(matches) <= _MOST_PLACES else ()
    return frozenset(index.text.rfind("\n", 0, one.start) + 1 for one in (match, *near) if one.source == "markdown")


def _astray(objects: Sequence[_Object], found: Mapping[str, Match], index: TextIndex) -> Iterator[Leaf]:
    """Give the values of a list's objects that stand in none but other objects' lines."""
    taken: list[int | None] = []
    known: set[int] = set()
    for one in objects:
        taken.append(line := min(one.common - known or one.common, default=None))
        known |= {line} if line is not None else set()
    used, nowhere = sorted(known), len(index.text)
    before = list(accumulate((-1 if line is None else line for line in taken), max, initial=-1))
    behind = list(accumulate((nowhere if line is None else line for line in reversed(taken)), min, initial=nowhere))
    for number, one in enumerate(objects):
        if one.common or len(one.leaves) < _LEAST:
            continue
        first, last = before[number], behind[len(objects) - number - 1]
        line = _likeliest(one, [at for at in sorted(frozenset.union(*one.lines)) if first < at < last])
        if line is None:
            continue
        inside = [found[leaf.pointer] for leaf, lines in zip(one.leaves, one.lines, strict=True) if line in lines]
        for leaf, lines in zip(one.leaves, one.lines, strict=True):
            place = index.text.rfind("\n", 0, found[leaf.pointer].start) + 1
            if line not in lines and lines and _is_in(place, used) and _says_more(leaf, inside, line, index):
                yield leaf


def _is_in(line: int, used: Sequence[int]) -> bool:
    at = bisect_left(used, line)
    return at < len(used) and used[at] == line


def _likeliest(one: _Object, free: Sequence[int]) -> int | None:
    counts = [(sum(line in lines for lines in one.lines), -line) for line in free]
    return -max(counts)[1] if counts else None


def _says_more(leaf: Leaf, inside: Sequence[Match], line: int, index: TextIndex) -> bool:
    """Tell whether a line says something of a value's kind beside what an object has from it."""
    end = index.text.find("\n", line)
    end = min(len(index.text) if end < 0 else end, line + _OWN_LINE)
    said = [index.text[line:end]]
    for match in sorted(inside, key=lambda one: -one.start):
        said = [said[0][: max(0, match.start - line)], said[0][max(0, match.end - line) :], *said[1:]]
    return leaf.may_be_said_in("".join(said))
