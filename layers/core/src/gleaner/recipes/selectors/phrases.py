"""Texts made of several values of which some may be missing: "Ada Roe, 1650 (oil)", "Ada Roe (oil)", "Ada Roe".

A phrase says what kinds of values such a text is made of, and which may stand right after which, with what between
them. It reads a text only if all of it is made so, and in one way alone: then what is missing is known to be missing.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

NUMBER, SHAPED, WORDS, KNOWN = "number", "shaped", "words", "known"
"""Kinds of slots: a number; a text of one of these shapes; words with no signs but these; one of these texts."""

START = -1
"""Stands before the first slot of a text; the number after the last one's stands for the text's end."""

HARMLESS = "'’-"
"""Signs that words may have though none of the known ones did, where they part no values."""

_UNGROUPED = r"\d+(?:[.,'’]\d+)*)(?!\d)"
_NUMERAL = re.compile(rf"[-+−]?(?<![\d.,])(?:{_UNGROUPED}")
GROUPED = re.compile(rf"[-+−]?(?<![\d.,])(?:\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?|{_UNGROUPED}")
"""A numeral, with blanks between its groups of three figures if it has such."""

_RUN = re.compile(r"\d+|[^\W\d_]+|\s+")
_MOST_STEPS = 400

Parts = tuple[str | None, ...]
"""The text of each slot; None for one that is missing."""


class Joint(NamedTuple):
    """That a slot may stand after another one, with what is between them."""

    before: int
    after: int
    between: str


class Slot(NamedTuple):
    """A kind of value: what it is made of, by its kind shapes, signs or texts; of a number a blank if it parts groups.

    Words have digits or none, are of a case as ``cases_of`` gives it (or any), and are not longer than ``longest``.
    """

    kind: str
    of: tuple[str, ...] = ()
    has_digits: bool = False
    case: str = ""
    longest: int = 0

    def takes(self, text: str) -> bool:
        """Tell whether a text could be such a value."""
        if not text or text[0].isspace() or text[-1].isspace():
            return False
        if self.kind == SHAPED:
            return shape_of(text) in self.of
        if self.case and self.case not in cases_of(text):
            return False
        if 0 < self.longest < len(text):
            return False
        signs = self.of[0]
        return all(
            one.isalpha() or one.isspace() or one in signs or (self.has_digits and one.isdigit()) for one in text
        )


class Phrase:
    """A phrase, made ready to read texts."""

    def __init__(self, slots: list[Slot], joints: list[Joint]) -> None:
        self._slots = slots
        self._after: dict[int, list[Joint]] = {}
        for one in joints:
            self._after.setdefault(one.before, []).append(one)

    def parts(self, text: str) -> Parts | None:
        """Give the parts of a text; None when it is not made so, or could be in several ways."""
        steps = iter(range(_MOST_STEPS))
        found = [*islice(self._ways(text, START, 0, (), steps), 2)]
        if len(found) != 1 or next(steps, None) is None:
            return None
        said = dict(found[0])
        return tuple(said.get(at) for at in range(len(self._slots)))

    def _ways(
        self, text: str, before: int, start: int, read: tuple[tuple[int, str], ...], steps: Iterator[int]
    ) -> Iterator[tuple[tuple[int, str], ...]]:
        """Give all ways to read the rest of a text, as long as ``steps`` are left."""
        for joint in self._after.get(before, ()):
            if next(steps, None) is None:
                return
            if not text.startswith(joint.between, start):
                continue
            begin = start + len(joint.between)
            if joint.after == len(self._slots):
                if begin == len(text):
                    yield read
                continue
            for end in self._ends(text, joint.after, begin):
                yield from self._ways(text, joint.after, end, (*read, (joint.after, text[begin:end])), steps)

    def _ends(self, text: str, at: int, begin: int) -> Iterator[int]:
        slot = self._slots[at]
        if slot.kind == NUMBER:
            match = (GROUPED if slot.of else _NUMERAL).match(text, begin)
            yield from [match.end()] if match else []
            return
        if slot.kind == KNOWN:
            ends = [begin + len(one) for one in slot.of if text.startswith(one, begin)]
            yield from (end for end in ends if not (text[end - 1].isalnum() and text[end : end + 1].isalnum()))
            return
        yield from (end for end in self._offered(text, at, begin) if slot.takes(text[begin:end]))

    def _offered(self, text: str, at: int, begin: int) -> list[int]:
        """Give where a slot may end: before each place of what may stand after it."""
        ends: set[int] = set()
        for joint in self._after.get(at, ()):
            if joint.after == len(self._slots):
                end = len(text) - len(joint.between)
                ends |= {end} if text.endswith(joint.between) and end > begin else set()
                continue
            place = text.find(joint.between, begin + 1) if joint.between else -1
            while place >= 0:
                ends.add(place)
                place = text.find(joint.between, place + 1)
        return sorted(ends)


def shape_of(text: str) -> str:
    """Give the kinds of characters of a text.

    >>> shape_of("12 Mar 2026"), shape_of("€55k")
    ('9 a 9', '€9a')
    """
    return _RUN.sub(lambda run: "9" if run[0][0].isdigit() else " " if run[0][0].isspace() else "a", text)


def cases_of(text: str) -> list[str]:
    """Give whether all words of a text have capitals, or its first one: the strictest first.

    >>> cases_of("Ada Roe"), cases_of("Ada of Roe"), cases_of("unknown")
    (['capitals', 'capital'], ['capital'], ['small'])
    """
    words = [word for word in text.split() if word[0].isalpha()]
    if not words or not text[0].isalpha():
        return ["none"]
    if not text[0].isupper():
        return ["small"]
    return ["capitals", "capital"] if all(word[0].isupper() for word in words) else ["capital"]


def written(slots: list[Slot], joints: list[Joint]) -> str:
    """Give a phrase as a selector keeps it."""
    return json.dumps([slots, joints], ensure_ascii=False)


@lru_cache(maxsize=128)
def phrase_of(said: str) -> Phrase:
    """Give the phrase that a selector keeps."""
    slots, joints = json.loads(said)
    return Phrase([_slot(*one) for one in slots], [Joint(*one) for one in joints])


def leads_of(said: str, slot: int) -> set[str]:
    """Give what may stand before a slot of a phrase.

    >>> leads_of(written([Slot(NUMBER)], [Joint(-1, 0, "Lot "), Joint(0, 1, "")]), 0)
    {'Lot '}
    """
    return {between for _, after, between in json.loads(said)[1] if after == slot}


def _slot(kind: str, of: Any, *rest: Any) -> Slot:
    return Slot(kind, tuple(of), *rest)


@lru_cache(maxsize=4096)
def parts_by(said: str, text: str) -> Parts | None:
    """Give the parts of a text by a phrase; None when it is not made so, or could be in several ways.

    >>> slots = [Slot(WORDS, ("",)), Slot(NUMBER)]
    >>> said = written(slots, [Joint(-1, 0, ""), Joint(0, 1, ", "), Joint(1, 2, ""), Joint(0, 2, "")])
    >>> [parts_by(said, text) for text in ("Ada Roe, 1650", "Ada Roe", "Ada Roe, signed")]
    [('Ada Roe', '1650'), ('Ada Roe', None), None]
    """
    return phrase_of(said).parts(text)
