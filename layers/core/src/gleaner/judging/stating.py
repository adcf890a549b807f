"""Where a page states a value of a field: all kinds of match count, in the places that the value may come from."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gleaner.judging.amounts.converted import find_converted
from gleaner.judging.amounts.counted_words import find_counted_words, is_none_of_another
from gleaner.judging.amounts.date_parts import DateParts
from gleaner.judging.amounts.durations import Durations
from gleaner.judging.amounts.scaled_heads import ScaledHeads
from gleaner.judging.flags import denies, name_of
from gleaner.judging.named_values import places_of
from gleaner.judging.surroundings import Surroundings
from gleaner.judging.table_heads import TableHeads
from gleaner.schemas.leaves import Leaf
from gleaner.values.name_measures import measure_of
from gleaner.values.names import words_of
from gleaner.values.texts.targets import looks_like_address
from gleaner.values.texts.text_index import Match, TextIndex, start_of

_PART = re.compile(r"(?=.*\d|[\w-]+\.)[\w./-]{4,200}")
_FEWEST = 3
"""Parts that the borders of a head with two cells part it into, the empty ones at its ends among them."""

_ASKING = frozenset(("doi", "id", "identifier", "code", "host", "domain", "website", "sku", "isbn", "number", "handle"))
"""Words of the names of fields that ask for what addresses end in."""


@dataclass
class Stating:
    """Finds the places that state the values of some leaves; what was found for a value of a field is remembered."""

    index: TextIndex
    around: Surroundings
    leaves: Sequence[Leaf]

    def __post_init__(self) -> None:
        """Begin with nothing found."""
        self._found: dict[object, Sequence[Match]] = {}

    @cached_property
    def heads(self) -> TableHeads:
        """The heads of the tables of the text."""
        return TableHeads(self.index.text)

    @cached_property
    def _durations(self) -> Durations:
        return Durations(self.leaves, self.index)

    @cached_property
    def _parts(self) -> DateParts:
        return DateParts(self.index)

    @cached_property
    def _scaled(self) -> ScaledHeads:
        return ScaledHeads(self.heads, self.index)

    def find(self, leaf: Leaf) -> Sequence[Match]:
        """Give all places that state a leaf's value, sorted by place."""
        key = leaf.field, leaf.key
        if key not in self._found:
            self._found[key] = self._shown(leaf, self._find(leaf)) or self._in_address(leaf)
        return self._found[key]

    def _shown(self, leaf: Leaf, matches: Sequence[Match]) -> Sequence[Match]:
        """Leave out parts of addresses where the text has the value, too, or where no part of one could be meant."""
        if isinstance(leaf.value, str) and looks_like_address(leaf.value):
            return matches
        shown = [one for one in matches if not self._is_in_target(one)]
        is_measured = not isinstance(leaf.value, str) and measure_of(leaf.name).is_told
        return shown if shown or is_measured else matches

    def _is_in_target(self, match: Match) -> bool:
        targets = self.index.link_targets
        at = bisect_right(targets, (match.start, len(self.index.text))) - 1
        return at >= 0 and match.end <= targets[at][1]

    def _in_address(self, leaf: Leaf) -> Sequence[Match]:
        """Give where a code that a field asks for is a part of an address: a DOI, an id, a host."""
        value = leaf.value
        if not isinstance(value, str) or _PART.fullmatch(value) is None or _ASKING.isdisjoint(words_of(leaf.name)):
            return ()
        found = re.finditer(rf"(?<=[/=?&#.:]){re.escape(value)}(?![\w-])", self.index.text)
        return [Match(*one.span(), "verbatim", "part_of_address") for one in found]

    def _is_head(self, match: Match) -> bool:
        """Tell whether a name is the head of a column, which says nothing of the rows below it."""
        head = self.heads.over(match.start)
        return head is not None and "\n" not in self.index.text[head.start : match.start] and len(head.labels) > _FEWEST

    def _find(self, leaf: Leaf) -> Sequence[Match]:
        matches = places_of(leaf, leaf.value, self.index)
        if leaf.value is True and leaf.field and len(phrase := name_of(leaf)) > 2:
            named = (one for one in self.index.find(phrase) if not self._is_head(one))
            named = (one for one in named if not denies(self.index.text, one, self.heads))
            stated = [replace(one, status="normalized", transform="boolean") for one in named]
            matches = sorted([*matches, *stated], key=start_of)
        if isinstance(leaf.value, str):
            return matches or self._durations.in_words(leaf, leaf.value)
        return matches if isinstance(leaf.value, bool | None) else self._of_number(leaf, leaf.value, matches)

    def _of_number(self, leaf: Leaf, value: int | float, matches: Sequence[Match]) -> Sequence[Match]:
        """Give the places that state a number, those too that say it in another unit, or in words."""
        found = (one for one in matches or self._scaled.find(value) if not is_none_of_another(leaf, one, self.index))
        in_its_unit = self._durations.fitting(leaf, value, [*found])
        fitting = self._parts.fitting(leaf, value, in_its_unit) or find_converted(leaf, value, self.index)
        if any(not one.weak for one in fitting):
            return fitting
        return find_counted_words(leaf, value, self.index) or fitting
