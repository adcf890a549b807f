"""Texts that an answer seems to have cut: "Red Velvet", where the record's place says "Red Velvet Armchair".

Any part of a text is stated by it, so that no proof tells. But where the other records of a list give a field up to a
sign, a line's end or one common word, and a word goes on from this one's, the model is asked once more.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gleaner.ports import JsonValue
from gleaner.proof.leaves import Leaf
from gleaner.proof.regions import Span
from gleaner.proof.spellings import Field
from gleaner.proof.text_index import Match, TextIndex, within

_LEAST = 2
_LEAST_COMMON, _SELDOM = 3, 0.1
_COMMON = 0.25
_AS_WRITTEN = (None, "case", "whitespace", "text")
_JOINT = r"(?:[ \t\u00a0]+|[-\u2010\u2011](?=[^\W_]))"
_BEFORE = re.compile(rf"([^\W_][\w'’]*){_JOINT}\Z")
_AFTER = re.compile(rf"{_JOINT}([^\W_][\w'’]*)")
_LABEL = re.compile(r"[ \t\u00a0]+(?:[^\W\d_]+ ){0,2}[^\W\d_]+[*_ ]*[:：](?!\d)")
"""What begins the next field: "Oak jug Price: 5"."""

_REACH = 40
_Record = tuple[Span, Sequence[Leaf]]
_Edges = tuple[str, str]
"""The words that go on before and behind a value; "" where it is whole."""


def find_clipped(records: Mapping[int, _Record], index: TextIndex) -> dict[int, list[Leaf]]:
    """Give the texts that end before a word of nobody where the other records' do not, by the records' numbers.

    ``records`` have their places and all their leaves: what goes on with another value of the record is whole.
    """
    if len(records) <= _LEAST:
        return {}
    edges = {number: list(_edges(record, index)) for number, record in records.items()}
    by_field: dict[Field, list[_Edges]] = {}
    for own in edges.values():
        for leaf, found in own:
            by_field.setdefault(leaf.field, []).append(found)
    told = {
        field: (_Side(one[0] for one in found), _Side(one[1] for one in found)) for field, found in by_field.items()
    }
    clipped = {
        number: [
            leaf
            for leaf, found in own
            if any(side.is_cut(word) for side, word in zip(told[leaf.field], found, strict=True))
        ]
        for number, own in edges.items()
    }
    return {number: leaves for number, leaves in clipped.items() if leaves}


def is_longer(text: JsonValue, part: JsonValue) -> bool:
    """Tell whether a text holds another one that is shorter.

    >>> is_longer("Red Velvet Armchair", "Red Velvet"), is_longer("Red Velvet", "Red Velvet")
    (True, False)
    """
    return isinstance(text, str) and isinstance(part, str) and part in text and part != text


class _Side:
    """What the records show of one side of a field."""

    def __init__(self, words: Iterable[str]) -> None:
        found = Counter(words)
        total = found.total()
        self._common = {word for word, count in found.items() if count >= max(_LEAST_COMMON, _COMMON * total)}
        self._others = total - 1
        self._cut = sum(count for word, count in found.items() if self._is_odd(word))

    def is_cut(self, word: str) -> bool:
        """Tell whether a word that goes on from a value is one where hardly any record has one."""
        return self._is_odd(word) and self._others >= _LEAST and self._cut - 1 <= _SELDOM * self._others

    def _is_odd(self, word: str) -> bool:
        return bool(word) and word not in self._common


def _edges(record: _Record, index: TextIndex) -> Iterator[tuple[Leaf, _Edges]]:
    """Give the single texts of a record with what goes on around them; the whole mention counts where there is one."""
    own, leaves = record
    for leaf in leaves:
        if not isinstance(leaf.value, str) or leaf.choices or leaf.is_derived or leaf.field[-1:] == ("*",):
            continue
        found = [match for match in within(index.find(leaf.value), own) if match.transform in _AS_WRITTEN]
        if not found:
            continue
        taken = [(one.start, one.end) for other in leaves if other is not leaf for one in _places(other, own, index)]
        around = [_around(index.text, own, match, taken) for match in found]
        yield leaf, min(around, key=lambda words: sum(map(bool, words)))


def _places(leaf: Leaf, own: Span, index: TextIndex) -> Sequence[Match]:
    return within(index.find(leaf.value), own) if leaf.value is not None else ()


def _around(text: str, own: Span, match: Match, taken: Sequence[Span]) -> _Edges:
    before = _BEFORE.search(text, max(own[0], match.start - _REACH), match.start)
    before = None if before and before[1].islower() and text[match.start].isupper() else before  # "We sell Oak jugs"
    after = None if _LABEL.match(text, match.end, own[1]) else _AFTER.match(text, match.end, own[1])
    return _word(before, taken), _word(after, taken)


def _word(found: re.Match[str] | None, taken: Sequence[Span]) -> str:
    return "" if found is None or _is_taken(found.span(1), taken) else found[1].casefold()


def _is_taken(place: Span, taken: Sequence[Span]) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in taken)
