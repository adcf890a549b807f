"""Prove a result: for each scalar leaf, the place of the text that states it."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.anchors import find_anchors
from gleaner.grounding.claims import crowded_mentions, has_figure_of_its_own
from gleaner.grounding.copies import find_copied
from gleaner.grounding.dates.date_parts import DateParts
from gleaner.grounding.dates.durations import Durations
from gleaner.grounding.entries import as_context, entry_of, is_context
from gleaner.grounding.evidence.dom_path_features import find_exchanged
from gleaner.grounding.evidence.flags import denies, is_flag_denied
from gleaner.grounding.evidence.labels import Labels
from gleaner.grounding.evidence.markup_names import find_swapped
from gleaner.grounding.evidence.nearby_label_features import Figures
from gleaner.grounding.evidence.negation import is_denied
from gleaner.grounding.evidence.slots import Slots
from gleaner.grounding.evidence.superseded_prices import FormerPrices
from gleaner.grounding.evidence.value_cooccurrence import find_unfitting
from gleaner.grounding.leaves import (
    Leaf,
    Schema,
    SchemaViews,
    Steps,
    constant_fields,
    iterate_leaves,
    leaves_by_record,
    lists_of_records,
    locate_records,
    record_number,
)
from gleaner.grounding.maps import as_records, find_maps, leaves_of_map, refuted, unsaid_keys
from gleaner.grounding.numbers.converted import find_converted
from gleaner.grounding.numbers.counted_words import find_counted_words, follows_name, is_none_of_another
from gleaner.grounding.numbers.measures import is_measured_otherwise, is_scaled_otherwise, takes_off
from gleaner.grounding.numbers.ranges import turned_ends, without_ends
from gleaner.grounding.numbers.scaled_heads import ScaledHeads
from gleaner.grounding.numbers.wholes import is_of_a_whole
from gleaner.grounding.places import settle_places
from gleaner.grounding.regions import Regions, Span, listed_others, related_sections
from gleaner.grounding.shared_mentions import Doubles
from gleaner.grounding.side_by_side import FieldRows, find_columns
from gleaner.grounding.snapshot import Snapshot
from gleaner.grounding.statements import find_named, is_contradicted, is_denied_by_label, is_other_currency, unmarked
from gleaner.grounding.stating import places_of
from gleaner.grounding.text.passages import find_passage
from gleaner.grounding.text.text_index import Match, TextIndex, start_of, within
from gleaner.page.head_lines import head_spans
from gleaner.page.model import Page
from gleaner.units.vocabulary import OTHER_THINGS
from gleaner.values.mentions.numerals import UNSIGNED


def prove(
    data: JsonValue,
    text: str | TextIndex,
    *,
    schema: Schema | None = None,
    spans: Sequence[Span | None] | None = None,
    units: Sequence[Span] | None = None,
    chunk_starts: Sequence[int] | None = None,
    page: Page | None = None,
    records_at: str | None = None,
) -> tuple[ProvenanceEntry, ...]:
    """Give a provenance entry for each scalar leaf but nulls, in document order (PR-1).

    ``records_at`` points to the list of records; without it the likeliest list is taken. Lists of records beside it are
    proven like it, by units of their own. ``spans`` are the places of the records (by index; None where unknown),
    ``units`` the places of all units of the page, answered or not; without spans the rows and list items of the text
    are tried. A value that stands only in another unit than the record's own is ungrounded. ``chunk_starts`` are the
    rising offsets of the chunks. ``page`` is the page of the text, whose attributes and embedded data may state what
    the Markdown does not.
    """
    index = text if isinstance(text, TextIndex) else TextIndex(text, html=page.html if page is not None else None)
    views = SchemaViews(schema)
    maps = find_maps(data, views, index)
    located = locate_records(data, records_at)
    located = ((), []) if any(_is_in(located[0], root) for root, _ in maps) else located
    leaves = [leaf for leaf in iterate_leaves(data, views) if leaf.value is not None]
    beside = [one for one in lists_of_records(data) if one[0] != located[0][: len(one[0])]]
    beside = [one for one in beside if not any(_is_in(one[0], root) for root, _ in maps)]
    inside = {root: [leaf for leaf in leaves if _is_in(leaf.steps, root)] for root, _ in beside}
    apart = [*inside, *(root for root, _ in maps)]
    outside = [leaf for leaf in leaves if not any(_is_in(leaf.steps, root) for root in apart)]
    provers = [_Prover(outside, index, views, located, spans=spans, units=units, page=page)]
    others = [(inside[root], (root, items)) for root, items in beside]
    others += [(leaves_of_map(root, found, views, index), (root, as_records(found, index))) for root, found in maps]
    provers += [_Prover(own, index, views, one, spans=None, units=units, page=page) for own, one in others]
    for prover in provers if others else ():
        rest = [other for other in provers if other is not prover]
        prover.keep_apart([place for other in rest for place in other.own_places()])
    proofs = {leaf.pointer: (leaf, match, status) for prover in provers for leaf, match, status in prover.prove()}
    reasons = {pointer: reason for prover in provers for pointer, reason in prover.reasons.items()}
    unsaid = [steps for root, found in maps for steps in unsaid_keys(root, found, proofs)]
    return tuple(
        entry_of(
            *(refuted(leaf) if any(_is_in(leaf.steps, one) for one in unsaid) else proofs[leaf.pointer]),
            chunk_starts,
            reasons.get(leaf.pointer, OTHER_KEY),
        )
        for leaf in leaves
    )


def _is_in(steps: Steps, root: Steps) -> bool:
    return steps[: len(root)] == root


_LEAST_CONSTANT, _NEARLY_ALL = 3, 0.6
_FEW = 16
_LEADS_ON = re.compile(r"[:：|=\n–—-][*_\s]*\Z")

NOT_FOUND = "not found on the page"
WITHIN = "the page has it only within a longer text or number"
OUTSIDE = "found only outside this record"
OTHERWISE = "the page says it only about something else"
ANOTHER_FIELD = "it is another field's value there"
EXCHANGED = "it is in another field's place"
SHARED = "one mention can't prove so many fields"
CONTRADICTED = "the page says otherwise"
EMPTY = "an empty text is not a value"
OTHER_KEY = "the page does not state its key"
"""Why a value is rejected: what a person reads in warnings and in the provenance."""

_Proof = tuple[Leaf, Match | None, str]


class _Prover:
    def __init__(
        self,
        leaves: list[Leaf],
        index: TextIndex,
        views: SchemaViews,
        located: tuple[Steps, list[JsonValue]],
        *,
        spans: Sequence[Span | None] | None,
        units: Sequence[Span] | None,
        page: Page | None,
    ) -> None:
        self.index, self.views = index, views
        self.root, records = located
        self.leaves = leaves
        self.by_record = leaves_by_record(self.leaves, self.root)
        self.sides = find_columns(index, records) if len(records) > 1 and "|" in index.text else None
        self.rows = FieldRows(self.sides, self.by_record, index) if self.sides else None
        self.places = None if self.sides else settle_places(records, self.by_record, index, spans, units)
        own = self.own = self.places.own if self.places else ()
        self.lines = head_spans(page) if page is not None and page.text == index.text else []
        self.regions = Regions(index.text, self._known_units(), self.lines)
        self.labels = Labels(self.leaves, self.by_record, own, index, views)
        self.slots = Slots(self.by_record, own, index)
        self.doubles = Doubles(self.by_record, own, index, self.slots)
        self.windows = {} if self.places or self.sides else find_anchors(self.by_record, index)
        self.durations = Durations(self.leaves, index)
        self.scaled = ScaledHeads(self.labels.heads, index)
        self.measured = without_ends(self.leaves, views)
        self.date_parts = DateParts(index)
        self.former = FormerPrices(self.leaves, views, index.text)
        self.page = page
        related = related_sections(index.text) if self.root or not records else []
        self.related = [one for section in related if (one := listed_others(index.text, section))]
        self.constant = constant_fields(self.leaves, _LEAST_CONSTANT)
        self.taken: dict[object, int] = {}
        self.stated: dict[object, Sequence[Match]] = {}
        self.claimed: dict[Span, list[Match]] = {}
        self.outside: dict[object, list[Match]] = {}
        self.settled: dict[tuple[str, ...], bool] = {}
        self.doubtful: set[str] = set()
        self.reasons: dict[str, str] = {}

    def _known_units(self) -> list[Span]:
        return [*self.own_places(), *self.places.units] if self.places else []

    def own_places(self) -> list[Span]:
        """Give the places of the records, as far as they are known."""
        return [span for span in self.own if span is not None]

    def keep_apart(self, others: Sequence[Span]) -> None:
        """Take no value from the places of other lists' records."""
        self.regions = Regions(self.index.text, [*self._known_units(), *others], self.lines)

    def prove(self) -> list[_Proof]:
        """Prove the leaves, the long ones of each record first: what is left of its place is for the short ones."""
        open_leaves = sorted((leaf for leaf in self.leaves if not leaf.is_derived), key=_by_length)
        found = {leaf.pointer: match for leaf in open_leaves if (match := self._locate(leaf)) is not None}
        if self.page is not None and self.page.html:
            found |= self._found_in_snapshot(self.page.html, open_leaves, found)
            for exchanged in (find_swapped(self.page, self.by_record), find_exchanged(self.page, self.by_record)):
                found = {pointer: found[pointer] for pointer in found.keys() - exchanged}
                self.reasons |= dict.fromkeys(exchanged, EXCHANGED)
        self.doubtful = unmarked(self.leaves, found) | find_unfitting(self.by_record, self.own, self.index.text)
        claims = {
            EXCHANGED: turned_ends(self.leaves, found, self.index.text) | self.doubles.refuted(found),
            ANOTHER_FIELD: self._misplaced(),
            SHARED: crowded_mentions(self.leaves, found, self._mentions, self._is_labelled),
        }
        for reason, pointers in claims.items():
            self.reasons |= dict.fromkeys(pointers, reason)
            found = {pointer: match for pointer, match in found.items() if pointer not in pointers}
        return [self._judge(leaf, found.get(leaf.pointer)) for leaf in self.leaves]

    def _is_labelled(self, leaf: Leaf, match: Match) -> bool:
        return self.labels.is_by_own(leaf.field, self._own_place(leaf) or (0, len(self.index.text)), match)

    def _mentions(self, leaf: Leaf) -> Sequence[Match]:
        """Give the places that may state a leaf, in its record's own place where that is known."""
        found, own = self.index.find(leaf.value), self._own_place(leaf)
        return within(found, own) or found if own else found

    def _misplaced(self) -> set[str]:
        """Give the pointers of figures and texts of the page's one thing that are another field's."""
        single = [leaf for leaf in self.leaves if record_number(leaf.steps, self.root) is None]
        figures = Figures(single, self.views, self.index, self.labels, self._strongly_stating).refuted()
        return figures | find_copied(single, self.index, self.labels)

    def _strongly_stating(self, leaf: Leaf) -> Sequence[Match]:
        return [match for match in self._own_matches(leaf) if not match.weak]

    def _judge(self, leaf: Leaf, match: Match | None) -> _Proof:
        if match is not None:
            return leaf, match, match.status
        if not (leaf.is_open or self._is_contradicted(leaf)):
            return leaf, None, "inferred"
        self.reasons.setdefault(leaf.pointer, self._reason(leaf))
        return leaf, None, "ungrounded"

    def _reason(self, leaf: Leaf) -> str:
        """Say in plain words why nothing proves a leaf."""
        if leaf.value == "":
            return EMPTY
        if not leaf.is_open:
            return CONTRADICTED
        mentions, own = self.index.find(leaf.value), self._own_place(leaf)
        if not mentions:
            return WITHIN if str(leaf.value).strip().casefold() in self._all_letters else NOT_FOUND
        return OUTSIDE if own is not None and not within(mentions, own) else OTHERWISE

    @cached_property
    def _all_letters(self) -> str:
        return self.index.text.casefold()

    def _is_contradicted(self, leaf: Leaf) -> bool:
        if leaf.is_derived:
            return False
        if leaf.pointer in self.doubtful:
            return True
        own = self._own_place(leaf)
        if own is None:
            is_of_page = record_number(leaf.steps, self.root) is None
            return is_of_page and (
                is_denied_by_label(leaf, self.index)
                or self._says_the_opposite(leaf)
                or is_other_currency(leaf, self.index, (0, len(self.index.text)))
            )
        is_denied = self._is_denied_by_column(leaf, own)
        return is_denied or is_contradicted(leaf, self.index, own, self.claimed.get(own, ()), self.labels.heads)

    def _is_denied_by_column(self, leaf: Leaf, own: Span) -> bool:
        """Tell whether the opposite of a flag stands by the field's own label in a record's place."""
        is_flag = isinstance(leaf.value, bool)
        opposite = within(places_of(leaf, not leaf.value, self.index), own) if is_flag else ()
        found = self.labels.in_column_of_flag(leaf, own, opposite)
        by_own = [match for match in opposite if self.labels.is_by_own(leaf.field, own, match)]
        return bool(by_own if found is None else found)

    def _says_the_opposite(self, leaf: Leaf) -> bool:
        """Tell whether the page says that a flag of its one thing is not so, and nowhere that it is."""
        if not isinstance(leaf.value, bool):
            return False
        whole = (0, len(self.index.text))
        if is_flag_denied(leaf, self.index, whole, self.related):
            return True
        return not self._own_matches(leaf) and is_contradicted(leaf, self.index, whole, (), self.labels.heads)

    def _own_place(self, leaf: Leaf) -> Span | None:
        number = record_number(leaf.steps, self.root)
        return self.places.own[number] if self.places is not None and number is not None else None

    def _found_in_snapshot(self, html: str, leaves: Sequence[Leaf], found: Mapping[str, Match]) -> dict[str, Match]:
        """Look up in the HTML what the text says nowhere; what it says elsewhere is another record's."""
        proven = [leaf for leaf in leaves if leaf.pointer in found and not is_context(found[leaf.pointer])]
        snapshot = Snapshot(html, leaves_by_record(proven, self.root), self.index.hosts)
        return {
            leaf.pointer: match
            for leaf in leaves
            if leaf.pointer not in found and not self.index.find(leaf.value)
            if (match := snapshot.find(leaf, record_number(leaf.steps, self.root))) is not None
        }

    def _locate(self, leaf: Leaf) -> Match | None:
        number = record_number(leaf.steps, self.root)
        named = find_named(leaf, self.index, self._own_place(leaf), self.labels.heads)
        if named is not None:
            return named
        if self.places is not None and number is not None:
            return self._in_own_place(leaf, number, self.places.own[number])
        return self._anywhere(leaf, self.windows.get(number) if number is not None else None)

    def _in_own_place(self, leaf: Leaf, number: int, own: Span | None) -> Match | None:
        matches, is_told = self._stating(leaf), self._is_told_in_places(leaf.field)
        if own is not None:
            inside = within(matches, own)
            if inside:
                labelled = self.labels.fitting(leaf, number, own, inside)
                by_own = [match for match in labelled if self.labels.is_by_own(leaf.field, own, match)]
                chosen = self._claim(own, by_own or self.slots.fitting(leaf, number, own, labelled))
                if chosen is not None or is_told:
                    return chosen
            passage = find_passage(self.index, leaf.value, own) if isinstance(leaf.value, str) else None
            if passage:
                return passage
            if self.labels.states_another(leaf.field, own):
                return None
        if is_told and not isinstance(leaf.value, str):
            return None
        if leaf.key not in self.outside:
            self.outside[leaf.key] = self.regions.outside(matches)
        # What differs from record to record is said by each of them, or by a heading over some, not somewhere else.
        is_text = leaf.field in self.constant and not is_told
        shared = [match for match in self.outside[leaf.key] if self.regions.is_shared(match, own, is_text=is_text)]
        place = bisect_right(shared, own[0], key=start_of) - 1 if own else 0
        chosen = shared[max(place, 0)] if shared else None
        if chosen is None:
            return None
        is_beside = own is not None and not self.regions.is_shared(chosen, own, is_text=False)
        if own and is_beside and has_figure_of_its_own(leaf, chosen, own, self.by_record[number], self.index):
            return None
        return as_context(chosen)

    def _is_told_in_places(self, field: tuple[str, ...]) -> bool:
        """Tell whether nearly all records have a field's value in their own places.

        What the page says beside the list ("Brand: Dahon (1), Tern (2)", an advertisement) then speaks for none.
        """
        if field not in self.settled:
            own = self._values_of(field)
            inside = sum(bool(within(self.index.find(one.value), place)) for one, place in own)
            self.settled[field] = inside >= max(_LEAST_CONSTANT, _NEARLY_ALL * len(own))
        return self.settled[field]

    def _values_of(self, field: tuple[str, ...]) -> list[tuple[Leaf, Span]]:
        """Give the values of a field with the places of their records."""
        leaves = (leaf for own in self.by_record.values() for leaf in own if leaf.field == field)
        return [(leaf, place) for leaf in leaves if (place := self._own_place(leaf)) is not None]

    def _anywhere(self, leaf: Leaf, window: Span | None) -> Match | None:
        matches, number = self._own_matches(leaf), record_number(leaf.steps, self.root)
        if self.sides is not None and number is not None:
            matches = self.sides.own(number, matches)
            matches = self.rows.fitting(leaf, number, matches) if self.rows else matches
        if len(matches) <= _FEW:
            place = window or (0, len(self.index.text))
            matches = self.labels.fitting(leaf, number, place, matches)
        inside = within(matches, window) if window else ()
        if window and inside:
            return self._claim(window, inside)
        strong = [match for match in matches if not match.weak]
        if strong:
            return self._next(leaf, strong) if window is None else _nearest(strong, window)
        if not isinstance(leaf.value, str | bool) and (named := [one for one in matches if self._is_led_to(leaf, one)]):
            return self._next(leaf, named)
        return find_passage(self.index, leaf.value, None) if isinstance(leaf.value, str) else None

    def _is_led_to(self, leaf: Leaf, match: Match) -> bool:
        """Tell whether a field's own label leads to a word that is its number: "Rear cameras: three"."""
        is_behind = _LEADS_ON.search(self.index.text, max(0, match.start - _FEW), match.start)
        return (is_behind or follows_name(leaf, match, self.index)) and self.labels.is_by_own(
            leaf.field, (0, len(self.index.text)), match
        )

    def _stating(self, leaf: Leaf) -> Sequence[Match]:
        """Give where a value stands: the day of a date for fields of days alone, a loss for those of what is less."""
        key = leaf.field, leaf.key
        if key not in self.stated:
            self.stated[key] = self._stated(leaf)
        return self.stated[key]

    def _stated(self, leaf: Leaf) -> Sequence[Match]:
        matches = places_of(leaf, leaf.value, self.index)
        if not matches and isinstance(leaf.value, int | float):
            matches = self.scaled.find(leaf.value)
        if any(match.transform in UNSIGNED for match in matches):
            matches = tuple(match for match in matches if takes_off(leaf, match, self.index.text))
        matches = [match for match in matches if not is_none_of_another(leaf, match, self.index)]
        if (measured := self.measured.get(leaf.field, leaf.field)) != leaf.field:
            leaf = replace(leaf, field=measured)
        matches = [match for match in matches if not is_scaled_otherwise(leaf, match, self.index.text)]
        matches = self.former.without(leaf, self.durations.fitting(leaf, matches))
        if isinstance(leaf.value, str):
            return [match for match in matches if not is_denied(leaf, match, self.index.text)]
        is_true = leaf.value is True
        matches = [one for one in matches if not (is_true and denies(self.index.text, one, self.labels.heads))]
        matches = [match for match in matches if not is_measured_otherwise(leaf, match, self.index.text)]
        matches = [match for match in matches if not is_of_a_whole(leaf, match)]
        matches = self.date_parts.fitting(leaf, matches) or find_converted(leaf, self.index)
        return matches if any(not match.weak for match in matches) else find_counted_words(leaf, self.index) or matches

    def _own_matches(self, leaf: Leaf) -> Sequence[Match]:
        """Give where a value stands; a single object's own fields are not stated where the page shows other things."""
        matches = self._stating(leaf)
        if not self.related or any(isinstance(step, int) for step in leaf.steps):
            return matches
        if OTHER_THINGS.search(" ".join(map(str, leaf.steps)).replace("_", " ")):
            return matches
        return [one for one in matches if not self._is_related(one) or self._is_only_label(leaf, one)]

    def _is_related(self, match: Match) -> bool:
        return any(start <= match.start < end for start, end in self.related)

    def _is_only_label(self, leaf: Leaf, match: Match) -> bool:
        """Tell whether a field's own label leads to a place, and stands nowhere else: related things repeat theirs."""
        whole = (0, len(self.index.text))
        return self.labels.is_by_own(leaf.field, whole, match) and self.labels.times_labelled(leaf.field) == 1

    def _claim(self, region: Span, matches: Sequence[Match]) -> Match | None:
        """Take the first match that no other leaf of the place has taken; the last one when all are taken."""
        claimed = self.claimed.setdefault(region, [])
        for match in matches:
            if not any(match.start < other.end and other.start < match.end for other in claimed):
                claimed.append(match)
                return match
        return matches[-1] if matches else None

    def _next(self, leaf: Leaf, matches: Sequence[Match]) -> Match:
        """Take the mentions of equal values in turn: the k-th leaf gets the k-th, later ones the last."""
        turn = self.taken.get(leaf.key, 0)
        self.taken[leaf.key] = turn + 1
        return matches[min(turn, len(matches) - 1)]


def _nearest(matches: Sequence[Match], window: Span) -> Match:
    """Give the match that begins nearest to where a stretch does."""
    return min(matches, key=lambda match: abs(match.start - window[0]))


def _by_length(leaf: Leaf) -> int:
    return -len(leaf.value) if isinstance(leaf.value, str) else 0
