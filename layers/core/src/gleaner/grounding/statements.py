"""Prove booleans and enums by what a record's own text says for or against them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gleaner.contracts.ports import JsonValue
from gleaner.grounding.evidence.flags import denies, fills_a_part, is_flag_denied, name_of
from gleaner.grounding.evidence.table_heads import TableHeads
from gleaner.grounding.leaves import Leaf
from gleaner.grounding.regions import Span
from gleaner.grounding.stating import asks_whether_gone, places_of
from gleaner.grounding.text.spellings import Field
from gleaner.grounding.text.text_index import Match, TextIndex, within
from gleaner.values.mentions.money import currency_signs

_STOCK = re.compile(r"stock|avail", re.IGNORECASE)
_OPPOSITE = re.compile(r"out|un|not|no_|sold", re.IGNORECASE)
_BORDER = re.compile(r"[|\n]")
_LEAST_TELLING = 6
_MOST_CHOICES = 30
_LONGEST_LABEL = 80
_LEAST_MARKED = 3
_MOSTLY = 3


def find_named(leaf: Leaf, index: TextIndex, own: Span | None, heads: TableHeads) -> Match | None:
    """Give the place that says a true in the field's own words: ``on_sale`` is stated by "On sale"."""
    if leaf.value is not True or not leaf.field:
        return None
    phrase = name_of(leaf)
    for match in within(index.find(phrase), own or (0, len(index.text))) if len(phrase) > 2 else ():
        if not denies(index.text, match, heads):
            return replace(match, status="normalized", transform="boolean")
    return None


def is_denied_by_label(leaf: Leaf, index: TextIndex) -> bool:
    """Tell whether the field's own label stands before another choice, or the opposite, and never before this one.

    "Status: open" denies that the status is closed. For objects without a place of their own, the whole text counts.
    """
    name = name_of(leaf) if leaf.field else ""
    if not name:
        return False
    words = r"[\s_-]+".join(map(re.escape, name.split()))
    label = re.compile(rf"(?<!\w){words}\W{{1,8}}$", re.IGNORECASE)
    choices = list(leaf.choices[:_MOST_CHOICES])
    others = [choice for choice in choices if choice != leaf.value] or [not leaf.value] * isinstance(leaf.value, bool)
    return _is_labelled(leaf, leaf.value, label, index) < any(_is_labelled(leaf, one, label, index) for one in others)


def unmarked(leaves: Iterable[Leaf], found: Mapping[str, Match]) -> set[str]:
    """Give the pointers of choices, and of yeses, that nothing states though nearly all others of their value are.

    What says so on three of four records would say so on this one, too: "On sale". Choices that no record states, as
    what goes without saying, are left.
    """
    marks: dict[tuple[Field, object], tuple[list[str], list[str]]] = {}
    for leaf in leaves:
        if "*" in leaf.field and not (leaf.is_open or leaf.is_derived) and leaf.value not in (None, False):
            without, with_mark = marks.setdefault((leaf.field, leaf.key), ([], []))
            (with_mark if leaf.pointer in found else without).append(leaf.pointer)
    telling = (both for both in marks.values() if len(both[1]) >= max(_LEAST_MARKED, _MOSTLY * len(both[0])))
    return {pointer for without, _ in telling for pointer in without}


def _weight(phrase: str) -> int:
    """Give how much a phrase tells: its length, three times that where a sign is a word or half of one."""
    return sum(3 if sign >= "\u2e80" else 1 for sign in phrase)


def _is_labelled(leaf: Leaf, value: JsonValue, label: re.Pattern[str], index: TextIndex) -> bool:
    """Tell whether a value stands as a text of its own behind a label."""
    return any(
        label.search(index.text, max(0, match.start - _LONGEST_LABEL), match.start) and _ends(index.text, match)
        for match in places_of(leaf, value, index)
    )


def _ends(text: str, match: Match) -> bool:
    after = text[match.end : match.end + 20].lstrip(" \t*_`.,;)")
    return not after or _BORDER.match(after) is not None


def is_contradicted(leaf: Leaf, index: TextIndex, own: Span, claimed: Sequence[Match], heads: TableHeads) -> bool:
    """Tell whether the record's place says the opposite: "out of stock" for a true, another choice in a cell.

    What another leaf of the record has taken says nothing against this one, nor does what is denied: "In stock: no".
    """
    if is_flag_denied(leaf, index, own):
        return True
    if isinstance(leaf.value, bool):
        name = "_".join(leaf.field[-1:])
        if not asks_whether_gone(leaf) and (not _STOCK.search(name) or _OPPOSITE.search(name)):
            return False
        opposite = within(places_of(leaf, not leaf.value, index), own)
        opposite = [one for one in opposite if not denies(index.text, one, heads)]
        return any(_weight(index.text[match.start : match.end]) >= _LEAST_TELLING for match in opposite)
    if is_other_currency(leaf, index, own):
        return True
    return any(
        fills_a_part(index.text, match.start, match.end) and not any(_overlap(match, other) for other in claimed)
        for choice in _other_choices(leaf)
        for match in within(places_of(leaf, choice, index), own)
    )


def is_other_currency(leaf: Leaf, index: TextIndex, own: Span) -> bool:
    """Tell whether a choice is a currency that a place does not name, while it names another one of the choices."""
    if not isinstance(leaf.value, str) or not currency_signs(leaf.value) or within(index.find(leaf.value), own):
        return False
    return any(currency_signs(choice) and within(index.find(choice), own) for choice in _other_choices(leaf))


def _other_choices(leaf: Leaf) -> list[str]:
    return [choice for choice in leaf.choices[:_MOST_CHOICES] if isinstance(choice, str) and choice != leaf.value]


def _overlap(one: Match, other: Match) -> bool:
    return one.start < other.end and other.start < one.end
