"""Class, ``itemprop`` and ``data-`` names in the markup that match a field.

So two fields that an answer has swapped in every record are told where no label of the text does.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from lxml.html import HtmlElement

from gleaner.grounding.leaves import Leaf
from gleaner.grounding.text.spellings import Field, label_words
from gleaner.grounding.text.text_index import TextIndex
from gleaner.page.model import Page

_ATTRIBUTES = ("class", "itemprop", "id", "data-field", "data-testid", "data-name")
_LEAST = 2
_LEAST_MARKED = 3
_MOSTLY = 0.6


def find_swapped(page: Page, records: Mapping[int, Sequence[Leaf]]) -> set[str]:
    """Give the pointers of values that stand in places marked as another field's, whose value stands in their own's.

    Both must be so, and neither value stand in a place of its own: names of classes alone say little. One text is
    enough that is all of another field's place, where most records have theirs in a place of their own.
    """
    fields = frozenset(leaf.field for own in records.values() for leaf in own if _is_open(leaf))
    stated = page.once(("markup names", fields), lambda: _stated(page, fields))
    if not stated:
        return set()
    told = {
        number: [leaf for leaf in own if leaf.field in stated and _is_open(leaf)] for number, own in records.items()
    }
    away = {number: [leaf for leaf in own if not stated[leaf.field].says(leaf)] for number, own in told.items()}
    marked = Counter(leaf.field for own in told.values() for leaf in own)
    marked.subtract(leaf.field for own in away.values() for leaf in own)
    sure = {field for field, count in marked.items() if count >= max(_LEAST_MARKED, _MOSTLY * len(records))}
    swapped: set[str] = set()
    for leaf, others in ((leaf, own) for own in away.values() for leaf in own):
        wholly = isinstance(leaf.value, str) and leaf.field in sure and plain(leaf.value)
        if any(_are_swapped(leaf, other, stated) for other in others) or any(
            wholly in stated[field].texts for field in sure - {leaf.field} if wholly
        ):
            swapped.add(leaf.pointer)
    return swapped


def _are_swapped(leaf: Leaf, other: Leaf, stated: Mapping[Field, "_Stated"]) -> bool:
    return leaf is not other and stated[other.field].says(leaf) and stated[leaf.field].says(other)


class _Stated:
    """The texts that the markup calls a field's: together, and each for itself (plain)."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._all = texts
        self.texts = frozenset(map(plain, texts))

    def says(self, leaf: Leaf) -> bool:
        """Tell whether one of the texts states a value: most are all of their text, which no search is needed for."""
        is_all = isinstance(leaf.value, str) and plain(leaf.value) in self.texts
        return is_all or self._together.states(leaf.value)

    @cached_property
    def _together(self) -> TextIndex:
        return TextIndex("\n\n".join(self._all))


def _stated(page: Page, fields: frozenset[Field]) -> Mapping[Field, _Stated]:
    """Give what the markup marks as each field's, none where it marks too few."""
    named = _Names(fields)
    marked = [(element, field) for element in page.tree.iter("*") if (field := named.of_element(element))]
    if len({field for _, field in marked}) < _LEAST:
        return {}
    return {field: _Stated(texts) for field, texts in _texts(marked).items()}


def plain(text: str) -> str:
    """Give a text by which it is compared with what elements say: in small letters, its whitespace collapsed."""
    return " ".join(text.casefold().split())


def _is_open(leaf: Leaf) -> bool:
    return leaf.field[-1:] != ("*",) and not (leaf.value is None or isinstance(leaf.value, bool) or leaf.choices)


class _Names:
    """Tells which field a name in the markup is of: the one with most words in it."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self._words = {field: set(label_words(field[-1])) for field in fields}
        self._known: dict[str, Field | None] = {}
        self._of_attributes: dict[tuple[tuple[str, str], ...], Field | None] = {}

    def field_of(self, name: str) -> Field | None:
        if name not in self._known:
            words = set(label_words(name))
            inside = [field for field, own in self._words.items() if own and own <= words]
            most = max((len(self._words[field]) for field in inside), default=0)
            best = [field for field in inside if len(self._words[field]) == most]
            self._known[name] = best[0] if len(best) == 1 else None
        return self._known[name]

    def of_element(self, element: HtmlElement) -> Field | None:
        """Give the one field that an element's attributes name."""
        attributes = tuple(element.items())
        if attributes not in self._of_attributes:
            names = (name for attribute, value in attributes if attribute in _ATTRIBUTES for name in value.split())
            found = {field for name in names if (field := self.field_of(name)) is not None}
            self._of_attributes[attributes] = found.pop() if len(found) == 1 else None
        return self._of_attributes[attributes]


def _texts(marked: Sequence[tuple[HtmlElement, Field]]) -> dict[Field, list[str]]:
    """Give the texts of the innermost of the elements that are marked as each field's."""
    found: dict[Field, list[str]] = {}
    around = {parent for element, _ in marked for parent in element.iterancestors()}
    for element, field in marked:
        if element not in around:
            text = " ".join(map(str, element.itertext()))
            found.setdefault(field, []).append(text if text.strip() else element.get("content") or "")
    return found
