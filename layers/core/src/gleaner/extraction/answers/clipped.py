"""Texts that an answer seems to have cut: "Red Velvet", where the record's place says "Red Velvet Armchair".

Any part of a text is stated by it, so that no proof tells. But where the other records of a list give a field up to a
sign, a line's end or one common word, and a word goes on from this one's, the model is asked once more; of one thing,
where all that stands behind the field's own label, or the heading of its name, goes on so.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gleaner.contracts.ports import JsonValue
from gleaner.contracts.word_lists import listed
from gleaner.grounding.evidence.nearby_words import with_english
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.text.spellings import Field, label_words
from gleaner.grounding.text.text_index import Match, TextIndex, within

CUT = "the text goes on beside this value; give all of it, or the same again if the rest is none of it"
"""What the model is told of a text that seems cut."""

_LEAST = 2
_SELDOM = 0.1
_AS_WRITTEN = (None, "case", "whitespace", "text")
_JOINT = r"(?:[ \t\u00a0]+|[-\u2010\u2011](?=[^\W_]))"
_BEFORE = re.compile(rf"([^\W_][\w'’]*){_JOINT}\Z")
_AFTER = re.compile(rf"{_JOINT}([^\W_][\w'’]{{0,40}})")
_LABEL = re.compile(r"[ \t\u00a0]{1,4}(?:[^\W\d_]{1,30} ){0,2}[^\W\d_]{1,30}[*_ ]{0,4}[:：](?!\d)")
"""What begins the next field: "Oak jug Price: 5"."""

_SAID = re.compile(r"[ \t>*_+-]*([^\W\d_][^:：\n|]{0,38}?)[*_ ]*[:：][*_ ]*")
_HEADING = re.compile(r"# ")
_END = re.compile(r"[\n|,;:!?()·•/]| [-–—] |\.(?:\s|$)")
_NAMES = listed("name title headline titel titre titolo titulo nombre nome naam nom nazwa nazev nazvanie navn namn")
_REACH, _FAR = 40, 400
_MOST_MENTIONS = 40
"""Of a word that stands oftener nothing is told: it would take time in the square of the text."""

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
    by_field: dict[Field, list[Sequence[_Edges]]] = {}
    for own in edges.values():
        for leaf, around in own:
            by_field.setdefault(leaf.field, []).append(around)
    told = {field: (_Side(around, 0), _Side(around, 1)) for field, around in by_field.items()}
    clipped = {
        number: [leaf for leaf, around in own if any(side.is_cut(_best(around)) for side in told[leaf.field])]
        for number, own in edges.items()
    }
    return {number: leaves for number, leaves in clipped.items() if leaves}


def find_cut_parts(leaves: Sequence[Leaf], index: TextIndex) -> list[Leaf]:
    """Give the texts of one thing that are only a part of what stands behind their own labels, or of its heading."""
    whole = (0, len(index.text))
    found = [
        leaf
        for leaf, around in _edges((whole, leaves), index, as_written=True)
        if len(leaf.field) == 1
        if all(_goes_on(edges, str(leaf.value)) for edges in around)
    ]
    return [leaf for leaf in found if any(_is_cut_part(leaf, one, leaves, index) for one in index.find(leaf.value))]


def _is_cut_part(leaf: Leaf, match: Match, leaves: Sequence[Leaf], index: TextIndex) -> bool:
    """Tell whether a place lies in a part of its field, of whose words it leaves some out that are written like it."""
    text = index.text
    far = max(0, match.start - _FAR)
    start = max(text.rfind("\n", far, match.start), text.rfind("|", far, match.start), far - 1) + 1
    end = _END.search(text, match.end, match.end + _FAR)
    said = _SAID.match(text, start, match.start)
    label = said[1] if said else text[text.rfind("\n", far, max(0, start - 1)) + 1 : max(0, start - 1)].strip("|* ")
    if not (_is_name(leaf) if _HEADING.match(text, start) else _names(label, leaf)):
        return False
    own = (said.end() if said else start, end.start() if end else len(text))
    taken = [(one.start, one.end) for other in leaves if other is not leaf for one in _places(other, own, index)]
    return _goes_on(_around(text, own, match, taken, as_written=True), text[match.start])


def _is_name(leaf: Leaf) -> bool:
    return not _NAMES.isdisjoint(label_words(leaf.field[-1]))


def _names(label: str, leaf: Leaf) -> bool:
    """Tell whether a label is a field's name, in its own words or in English."""
    words, own = label_words(label), label_words(leaf.field[-1])
    return bool(words and own) and (words == own or {*own} <= {*with_english(words)})


def _goes_on(edges: _Edges, value: str) -> bool:
    """Tell whether a word goes on from a value as it is written: a name in capitals ends before small letters."""
    return any(word and not (value[:1].isupper() and word[0].islower()) for word in edges)


def is_longer(text: JsonValue, part: JsonValue) -> bool:
    """Tell whether a text holds another one that is shorter.

    >>> is_longer("Red Velvet Armchair", "Red Velvet"), is_longer("Red Velvet", "Red Velvet")
    (True, False)
    """
    return isinstance(text, str) and isinstance(part, str) and part in text and part != text


class _Side:
    """What the records show of one side of a field: its words are common that stand there in several records."""

    def __init__(self, records: Sequence[Sequence[_Edges]], side: int) -> None:
        self._side = side
        found = Counter(word for around in records for word in {one[side] for one in around})
        self._common = {word for word, count in found.items() if count > 1}
        self._others = len(records) - 1
        self._cut = sum(self._is_odd(_best(around)) for around in records)

    def is_cut(self, edges: _Edges) -> bool:
        """Tell whether a word that goes on from a value is one where hardly any record has one."""
        return self._is_odd(edges) and self._others >= _LEAST and self._cut - 1 <= _SELDOM * self._others

    def _is_odd(self, edges: _Edges) -> bool:
        return bool(edges[self._side]) and edges[self._side] not in self._common


def _best(around: Sequence[_Edges]) -> _Edges:
    """Give what goes on around a value where least does: the whole mention counts where there is one."""
    return min(around, key=lambda words: sum(map(bool, words)))


def _edges(record: _Record, index: TextIndex, *, as_written: bool = False) -> Iterator[tuple[Leaf, Sequence[_Edges]]]:
    """Give the single texts of a record with what goes on around each of their mentions."""
    own, leaves = record
    for leaf in leaves:
        if not isinstance(leaf.value, str) or leaf.choices or leaf.is_derived or leaf.field[-1:] == ("*",):
            continue
        found = [match for match in within(index.find(leaf.value), own) if match.transform in _AS_WRITTEN]
        if not 0 < len(found) <= _MOST_MENTIONS:
            continue
        taken = [(one.start, one.end) for other in leaves if other is not leaf for one in _places(other, own, index)]
        yield leaf, [_around(index.text, own, match, taken, as_written=as_written) for match in found]


def _places(leaf: Leaf, own: Span, index: TextIndex) -> Sequence[Match]:
    return within(index.find(leaf.value), own)[:_MOST_MENTIONS] if leaf.value is not None else ()


def _around(text: str, own: Span, match: Match, taken: Sequence[Span], *, as_written: bool = False) -> _Edges:
    before = _BEFORE.search(text, max(own[0], match.start - _REACH), match.start)
    before = None if before and before[1].islower() and text[match.start].isupper() else before  # "We sell Oak jugs"
    after = None if _LABEL.match(text, match.end, own[1]) else _AFTER.match(text, match.end, own[1])
    words = _word(before, taken), _word(after, taken)
    return words if as_written else (words[0].casefold(), words[1].casefold())


def _word(found: re.Match[str] | None, taken: Sequence[Span]) -> str:
    return "" if found is None or _is_taken(found.span(1), taken) else found[1]


def _is_taken(place: Span, taken: Sequence[Span]) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in taken)
