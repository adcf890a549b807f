"""What the markup itself calls the places of values: a class, an ``itemprop`` or a ``data-`` name that is a field's.

So two fields that an answer has swapped in every record are told where no label of the text does.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from lxml.html import HtmlElement

from gleaner.dom import parse_html
from gleaner.proof.leaves import Leaf
from gleaner.proof.spellings import Field, label_words
from gleaner.proof.text_index import TextIndex

_ATTRIBUTES = ("class", "itemprop", "id", "data-field", "data-testid", "data-name")
_NAMES = re.compile(
    r"(?:class|itemprop|id|data-(?:field|testid|name))\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE
)
_LEAST = 2


def find_swapped(html: str, records: Mapping[int, Sequence[Leaf]]) -> set[str]:
    """Give the pointers of values that stand in places marked as another field's, whose value stands in their own's.

    Both must be so, and neither value stand in a place of its own: names of classes alone say little.
    """
    fields = {leaf.field for own in records.values() for leaf in own if _is_open(leaf)}
    named = _Names(fields)
    if len(named.in_markup(html)) < _LEAST:
        return set()
    stated = {field: TextIndex("\n\n".join(texts)) for field, texts in _texts(html, named).items()}
    swapped: set[str] = set()
    for own in records.values():
        told = [leaf for leaf in own if leaf.field in stated and _is_open(leaf)]
        away = [leaf for leaf in told if not stated[leaf.field].find(leaf.value)]
        for leaf in away:
            for other in away:
                if stated[other.field].find(leaf.value) and stated[leaf.field].find(other.value) and leaf is not other:
                    swapped.add(leaf.pointer)
    return swapped


def _is_open(leaf: Leaf) -> bool:
    return leaf.field[-1:] != ("*",) and not (leaf.value is None or isinstance(leaf.value, bool) or leaf.choices)


class _Names:
    """Tells which field a name in the markup is of: the one with most words in it."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self._words = {field: set(label_words(field[-1])) for field in fields}
        self._known: dict[str, Field | None] = {}

    def field_of(self, name: str) -> Field | None:
        if name not in self._known:
            words = set(label_words(name))
            inside = [field for field, own in self._words.items() if own and own <= words]
            most = max((len(self._words[field]) for field in inside), default=0)
            best = [field for field in inside if len(self._words[field]) == most]
            self._known[name] = best[0] if len(best) == 1 else None
        return self._known[name]

    def in_markup(self, html: str) -> set[Field]:
        names = {name for found in _NAMES.finditer(html) for name in (found[1] or found[2] or found[3] or "").split()}
        return {field for name in names if (field := self.field_of(name)) is not None}

    def of_element(self, element: HtmlElement) -> Field | None:
        """Give the one field that an element's attributes name."""
        names = (name for attribute in _ATTRIBUTES for name in (element.get(attribute) or "").split())
        found = {field for name in names if (field := self.field_of(name)) is not None}
        return found.pop() if len(found) == 1 else None


def _texts(html: str, named: _Names) -> dict[Field, list[str]]:
    """Give the texts of the innermost elements that are marked as each field's."""
    found: dict[Field, list[str]] = {}
    marked = [(element, field) for element in parse_html(html).iter("*") if (field := named.of_element(element))]
    around = {parent for element, _ in marked for parent in element.iterancestors()}
    for element, field in marked:
        if element not in around:
            found.setdefault(field, []).append(" ".join(map(str, element.itertext())))
    return found
