"""Judge the values of a result: refused, doubtful or proven, each with the place that states it (PR-1 to PR-6)."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from gleaner.contracts.models import ProvenanceEntry, Rival
from gleaner.contracts.ports import JsonValue
from gleaner.judging.denying import Denying
from gleaner.judging.features import SAYINGS, doubt_of, features_at
from gleaner.judging.origins.dittos import Dittos
from gleaner.judging.origins.items import settle_items
from gleaner.judging.origins.places import settle_places, unit_at
from gleaner.judging.origins.regions import Regions, Stretches, is_in_sentence, line_at, listed_others, related_sections
from gleaner.judging.origins.side_by_side import find_columns
from gleaner.judging.origins.snapshot import Snapshot
from gleaner.judging.scene import Scene
from gleaner.judging.spots import Spot
from gleaner.judging.stating import Stating
from gleaner.judging.surroundings import Surroundings
from gleaner.page.head_lines import head_spans
from gleaner.page.model import Page, Span
from gleaner.schemas.fields import field_of_leaf
from gleaner.schemas.leaves import (
    CONTEXT,
    Leaf,
    Schema,
    SchemaViews,
    Steps,
    constant_fields,
    field_at,
    iterate_leaves,
    leaves_by_record,
    lists_of_records,
    locate_records,
    record_number,
)
from gleaner.values.fields import ALIKE
from gleaner.values.flags import plain_answer
from gleaner.values.lookups import grouped
from gleaner.values.mentions.money import currencies_at
from gleaner.values.money import currencies_of
from gleaner.values.texts.partial_days import YEARLESS
from gleaner.values.texts.passages import find_passage
from gleaner.values.texts.text_index import Match, TextIndex, within

_LEAST_CONSTANT = 3
_MOST_PLACES, _MOST_LEARNED, _LEAST_TELLING = 8, 40, 2
"""Mentions of a value up to which its record tells the field's place; of more only where no two records have so few."""

_MOST_BEFORE = 3
"""Mentions before a record that may be the heading over it: prose below the heading may repeat it."""

_EMPTY_CELL = re.compile(r"\|[ \t]*\|")

NOT_FOUND = "not found on the page"
WITHIN = "the page has it only within a longer text or number"
OUTSIDE = "found only outside this record"
UNNAMED = "the page has it, and nothing there says that it is this field's"
SHARED = "one mention can't prove so many fields"
CONTRADICTED = "the page says otherwise"
EMPTY = "an empty text is not a value"
UNSAID = SAYINGS["stated nowhere: no"]
TURNED = "the range would begin behind its end"
EXCHANGED = "it and another value would fit better in each other's place"
NO_YEAR = "the page states the day and the month, and no year"
UNCLAIMED = "it stands in an item of the page for which no record was given"
"""Why a value is refused: what a person reads in warnings and in the provenance."""


def judge(
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
    """Give a provenance entry for each scalar leaf but nulls, in document order."""
    verdicts = examine(data, text, schema=schema, spans=spans, units=units, page=page, records_at=records_at)
    return tuple(_entry(one, chunk_starts) for one in verdicts)


@dataclass(slots=True)
class Verdict:
    """What is said of a leaf: how it is stated and where, why it is refused, or what speaks against it."""

    leaf: Leaf
    match: Match | None
    status: Literal["verbatim", "normalized", "inferred", "ungrounded"]
    reason: str | None = None
    features: Mapping[str, float] | None = None
    doubt: str | None = None
    rival: Rival | None = None


def examine(
    data: JsonValue,
    text: str | TextIndex,
    *,
    schema: Schema | None = None,
    spans: Sequence[Span | None] | None = None,
    units: Sequence[Span] | None = None,
    page: Page | None = None,
    records_at: str | None = None,
) -> list[Verdict]:
    """Give the verdicts of all scalar leaves but nulls, in document order."""
    html, title = (page.html, page.title) if page is not None else ("", "")
    index = text if isinstance(text, TextIndex) else TextIndex(text, html=html, title=title)
    page = page if page is not None and page.text == index.text else Page.from_markdown(index.text)
    views = SchemaViews(schema)
    root, records = locate_records(data, records_at)
    given = [leaf for leaf in iterate_leaves(data, views) if leaf.value is not None]
    answers = {field: _answers_of(leaf) for field, leaf in {leaf.field: leaf for leaf in given}.items()}
    flags = {leaf.pointer: answer for leaf in given if (answer := answers[leaf.field].get(leaf.value)) is not None}
    leaves = [replace(leaf, value=flags[leaf.pointer]) if leaf.pointer in flags else leaf for leaf in given]
    beside = [one for one in lists_of_records(data) if one[0] != root[: len(one[0])]]
    inside = {top: [leaf for leaf in leaves if leaf.steps[: len(top)] == top] for top, _ in beside}
    rest = [leaf for leaf in leaves if not any(leaf.steps[: len(top)] == top for top in inside)]
    parts = [(rest, (root, records), spans), *((inside[top], (top, items), None) for top, items in beside)]
    lists = [
        _List(own, located, index, page, html=html, spans=places, units=units, views=views)
        for own, located, places in parts
    ]
    for one in lists if len(lists) > 1 else ():
        one.others = [span for other in lists if other is not one for span in other.claimed()]
    found = {verdict.leaf.pointer: verdict for one in lists for verdict in one.verdicts()}
    for leaf in given:
        found[leaf.pointer].leaf = leaf
    return [found[leaf.pointer] for leaf in given]


def _answers_of(leaf: Leaf) -> Mapping[object, bool]:
    """Give what the two choices of a field say that are yes and no: a flag, whose "yes" "In stock" may say."""
    found: dict[object, bool] = {}
    for choice in leaf.choices:
        if isinstance(choice, str) and (answer := plain_answer(choice)) is not None:
            found[choice] = answer
    return found if len(leaf.choices) == len(found) == 2 and len({*found.values()}) == 2 else {}


def _entry(one: Verdict, chunk_starts: Sequence[int] | None) -> ProvenanceEntry:
    """Give the entry of a verdict: with its place, or with the value that was refused and why."""
    match, pointer = one.match, one.leaf.pointer
    if match is None:
        value, reason = (one.leaf.value, one.reason) if one.status == "ungrounded" else (None, None)
        return ProvenanceEntry(pointer=pointer, status=one.status, value=value, reason=reason, doubt=one.doubt)
    in_text = match.source == "markdown"
    return ProvenanceEntry(
        pointer=pointer,
        status=one.status,
        chunk=max(bisect_right(chunk_starts, match.start) - 1, 0) if chunk_starts and in_text else None,
        start=match.start,
        end=match.end,
        transform=match.transform,
        source=match.source,
        doubt=one.doubt,
        rival=one.rival,
    )


class _List:
    """A list of records, or the fields of one thing, with the places that their values may come from."""

    def __init__(
        self,
        leaves: list[Leaf],
        located: tuple[Steps, Sequence[JsonValue]],
        index: TextIndex,
        page: Page,
        *,
        html: str,
        spans: Sequence[Span | None] | None,
        units: Sequence[Span] | None,
        views: SchemaViews,
    ) -> None:
        self.root, records = located
        self.views = views
        self.leaves, self.index, self.page, self.html = leaves, index, page, html
        self.around = around = page.once("surroundings", lambda: Surroundings(page))
        self.by_record = leaves_by_record(leaves, self.root)
        self.sides = find_columns(index, records) if len(records) > 1 and "|" in index.text else None
        self.places = None if self.sides else settle_places(records, self.by_record, index, spans, units)
        self.others: Sequence[Span] = ()
        """Where records of other lists stand: no value is taken from there."""
        self.stating = Stating(index, around, leaves)
        self.denying = Denying(index, around, self.stating)
        self.fields = {field: field_of_leaf(leaf) for field, leaf in {leaf.field: leaf for leaf in leaves}.items()}
        self.items = self._place_items(records)
        self._filled: dict[tuple[tuple[str, ...], int], bool] = {}

    # Places

    def _place_items(self, records: Sequence[JsonValue]) -> Mapping[Steps, Span]:
        """Give the rows of the items of the records' own lists, where these have some."""
        inner = grouped((item, leaf) for leaf in self.leaves if (item := _item_of(leaf, self.root)))
        placed = {(*self.root, at): (record, own) for at, record in enumerate(records) if (own := self.own(at))}
        return settle_items(placed, inner, self.index, self.stating.find) if inner else {}

    @cached_property
    def _rows(self) -> Stretches:
        return Stretches(self.items.values())

    def stretch(self, leaf: Leaf) -> Span | None:
        """Give the place of a leaf's item of an inner list, else of its record; None where neither is known."""
        item = _item_of(leaf, self.root) if self.items else ()
        return self.items.get(item) or self.own(record_number(leaf.steps, self.root))

    def number(self, leaf: Leaf) -> int | None:
        """Give the number of a leaf's record, or one of its own for an item with a place."""
        item = _item_of(leaf, self.root) if self.items else ()
        return self._numbers[item] if item in self.items else record_number(leaf.steps, self.root)

    @cached_property
    def _numbers(self) -> Mapping[Steps, int]:
        return {item: len(self.by_record) + at for at, item in enumerate(self.items)}

    def claimed(self) -> list[Span]:
        """Give the places of the records, as far as they are known."""
        return [span for span in self.places.own if span is not None] if self.places else []

    @cached_property
    def regions(self) -> Regions:
        """What of the page is in no record."""
        units = [*self.claimed(), *self.places.units] if self.places else []
        return Regions(self.index.text, [*units, *self.others], head_spans(self.page))

    @cached_property
    def constant(self) -> set[tuple[str, ...]]:
        """The fields that say one thing of all records."""
        return constant_fields(self.leaves, _LEAST_CONSTANT)

    def own(self, number: int | None) -> Span | None:
        """Give the place of a record; None where it is not known."""
        return self.places.own[number] if self.places is not None and number is not None else None

    def candidates(self, leaf: Leaf) -> tuple[str, Sequence[Match]]:
        """Give the places that state a leaf where it may come from, nearest kind of place first, and the kind."""
        number = record_number(leaf.steps, self.root)
        matches = self.stating.find(leaf)
        if number is None or (self.places is None and self.sides is None):
            found = self._on_the_page(leaf, matches)
            own_part = [one for one in found if not self._is_related(one)]
            return ("page", own_part) if own_part or not found else ("other things", found)
        if self.sides is not None:
            labelled = self._cells_of(leaf, number) if isinstance(leaf.value, bool) else []
            return "own", self.sides.own(number, [one for one in matches if not labelled or within([one], labelled[0])])
        own = self.own(number)
        row = self.items.get(_item_of(leaf, self.root)) if self.items else None
        if row is not None and own is not None:
            matches = within(matches, row) or [one for one in matches if not self._rows.hold(one.start)]
        if own is not None:
            if inside := within(matches, own):
                return "own", inside
            passage = find_passage(self.index, leaf.value, own) if isinstance(leaf.value, str) else None
            if passage:
                return "own", (passage,)
            if carried := self._carried(leaf, matches):
                return "own", carried
        days = [one for one in matches if one.weak and one.transform == "date"]
        if own is not None and (led := [one for one in days if self.regions.leads_to(one, own)]):
            return "own", led[-1:]  # days that their month heads, before a record in its cell: "24 13:45 Clinic"
        if own is not None and self._names_another(leaf, own):
            return "outside", ()
        is_text = leaf.field in self.constant
        outside = self.regions.outside(matches)
        shared = [one for one in outside if self.regions.is_shared(one, own, is_text=is_text)]
        shared = shared or self._over(matches, own)
        few = shared if isinstance(leaf.value, str) and len(shared) <= _MOST_PLACES else []
        plain = [one for one in few if self.regions.is_in_head(one) or not is_in_sentence(self.index.text, one)]
        is_told = bool(few) and not plain and not currencies_of(str(leaf.value))
        shared = plain or shared
        nearest = [one for one in shared if own is None or one.start < own[0]][-1:] or shared[:1]
        free = [one for one in outside if not self.regions.is_in_head(one)][:1]
        level, found = ("outside", nearest) if shared or own is None else ("elsewhere", free)
        level = "sentence" if is_told else level
        if not found and own is not None:
            level, found = "unclaimed", self._unclaimed(leaf, matches, self.by_record[number])
        for match in found:
            is_over = own is None or match.transform == "date" or self.regions.is_shared(match, own, is_text=False)
            if not is_over and own and has_figure_of_its_own(leaf, match, own, self.by_record[number], self.index):
                return level, ()
        return level, [replace(one, transform="+".join(filter(None, (CONTEXT, one.transform)))) for one in found]

    def _carried(self, leaf: Leaf, matches: Sequence[Match]) -> Sequence[Match]:
        """Give where a row above states a value for the empty cells that a record's own row begins with.

        All records with such a cell must have a value there: else it is empty as there is none.
        """
        own = self.stretch(leaf)
        for column, cell in self._dittos.over(own).items() if own else ():
            if (found := within(matches, cell)) and self._fills_all(leaf.field, column):
                return [replace(found[-1], transform="+".join(filter(None, (CONTEXT, found[-1].transform))))]
        return ()

    @cached_property
    def _dittos(self) -> Dittos:
        return Dittos(self.index.text)

    def _fills_all(self, field: tuple[str, ...], column: int) -> bool:
        """Tell whether each row of a field's list that leaves a column to the rows above has a value of the field."""
        if (field, column) not in self._filled:
            given = {self.number(leaf) for leaf in self.leaves if leaf.field == field}
            above = next((at for at in range(len(field), 0, -1) if field[at - 1] == "*"), 0)
            rows = {self._numbers[item]: row for item, row in self.items.items() if field_at(item) == field[:above]}
            claimed = self.places.own if self.places is not None and not rows else ()
            rows = rows or {number: row for number, row in enumerate(claimed) if row is not None}
            self._filled[field, column] = all(
                number in given for number, row in rows.items() if column in self._dittos.over(row)
            )
        return self._filled[field, column]

    def _unclaimed(self, leaf: Leaf, matches: Sequence[Match], record: Sequence[Leaf]) -> list[Match]:
        """Give the mention of a value in a unit that no record stands in, and that states more of the ``record``.

        A page may list days in one place and their agendas in another: a reader takes a record from both. A record that
        was left out says nothing of its neighbour, and there is a mention for each record with the value.
        """
        strong = [one for one in matches if not one.weak]
        if self.places is None or isinstance(leaf.value, bool) or len(strong) < self._uses[leaf.field, leaf.key]:
            return []
        if any(self._claimed.hold(one.start) for one in strong):
            return []
        last = max(at for at, step in enumerate(leaf.steps) if isinstance(step, int)) + 1
        is_own = last == len(self.root) + 1
        others = [one for one in record if one is not leaf and (is_own or one.steps[:last] != leaf.steps[:last])]
        for match in strong:
            unit = unit_at(match, self.places.units)
            if unit and any(within(self.index.find(one.value), unit) for one in others):
                return [match]
        return []

    @cached_property
    def _uses(self) -> Counter[tuple[tuple[str, ...], object]]:
        return Counter((leaf.field, leaf.key) for leaf in self.leaves)

    @cached_property
    def _claimed(self) -> Stretches:
        return Stretches([*self.claimed(), *self.others])

    def _over(self, matches: Sequence[Match], own: Span | None) -> list[Match]:
        """Give the mention that stands over a record: the nearest day outside of all units, or a heading over it.

        The first row of a table without heads is written as one, and is a record's own.
        """
        if own is None:
            return []
        before = [one for one in matches if one.end <= own[0] and not one.weak][-_MOST_BEFORE:]
        for match in reversed(before):
            is_outside = bool(self.regions.outside([match]))
            if match.transform == "date" and is_outside and match is before[-1]:
                between = self.days[bisect_right(self.days, match.start) : bisect_left(self.days, own[0])]
                if not any(place >= match.end for place in between):
                    return [match]
            line = self.index.text.rfind("\n", 0, match.start) + 1
            is_of_a_record = self.index.text.startswith("|", line) and not is_outside
            if self.regions.heads(match, own) and not is_of_a_record:
                return [match]
        return []

    @cached_property
    def days(self) -> list[int]:
        """Where days stand outside of all units."""
        places = (Match(*place, "normalized") for day, found in self.index.days.items() if day[2] for place in found)
        return sorted({one.start for one in self.regions.outside(places)})

    def _is_related(self, match: Match) -> bool:
        """Tell whether a mention stands in a part of the page about other things, such as "You may also like"."""
        return any(start <= match.start < end for start, end in self._related)

    @cached_property
    def _related(self) -> list[Span]:
        sections = related_sections(self.index.text) if self.root or not self.by_record else []
        return [one for section in sections if (one := listed_others(self.index.text, section))]

    def _names_another(self, leaf: Leaf, own: Span) -> bool:
        """Tell whether a record's place has the field's very name with another value behind it."""
        known = self.fields[leaf.field]
        return any(
            known.likeness(one.text) == 3 and any(map(str.isalnum, self.index.text[slice(*one.span)]))
            for one in self.around.labels_in(own)
        )

    def _on_the_page(self, leaf: Leaf, matches: Sequence[Match]) -> Sequence[Match]:
        strong = [one for one in matches if not one.weak]
        if strong or isinstance(leaf.value, bool):
            return strong
        known = self.fields[leaf.field]
        named = [
            one
            for one in matches
            if any(known.likeness(label.text) for label in self.around.labels_at(one.start, one.end, is_figure=True))
        ]
        if named:
            return named
        passage = find_passage(self.index, leaf.value, None) if isinstance(leaf.value, str) else None
        return (passage,) if passage else ()

    # Verdicts

    def verdicts(self) -> Iterator[Verdict]:
        """Give the verdict of each leaf."""
        open_leaves = [leaf for leaf in self.leaves if not leaf.is_derived]
        stated = {leaf.pointer: self.candidates(leaf) for leaf in open_leaves}
        stated |= self._in_snapshot(open_leaves, stated)
        scene = self._scene(open_leaves, stated)
        scene.assign()
        scene.learn_chosen()
        chosen = scene.assign()
        crowded = scene.crowded(chosen)
        for leaf in self.leaves:
            yield self._verdict(leaf, stated, chosen, crowded, scene)

    def _verdict(
        self,
        leaf: Leaf,
        stated: Mapping[str, tuple[str, Sequence[Match]]],
        chosen: Mapping[str, Match],
        crowded: set[str],
        scene: Scene,
    ) -> Verdict:
        match = chosen.get(leaf.pointer)
        number = record_number(leaf.steps, self.root)
        place = self.stretch(leaf)
        if leaf.is_derived:
            return Verdict(leaf, None, "inferred")
        if leaf.value == "":
            return self._of_empty(leaf, place or self._line_of(number, chosen))
        if match is not None and leaf.pointer in crowded:
            return Verdict(leaf, None, "ungrounded", SHARED)
        if self._is_denied(leaf, match, number):
            return Verdict(leaf, None, "ungrounded", CONTRADICTED)
        in_list = self._is_in_list(leaf)
        own = place if match is None and not in_list else None
        if own is not None and self._says_another_choice(leaf, own, chosen, scene):
            return Verdict(leaf, None, "ungrounded", CONTRADICTED)
        if match is None and self._is_unsaid_zero(leaf):
            return Verdict(leaf, None, "inferred", doubt=UNSAID)
        if match is None and leaf.is_open:
            return Verdict(leaf, None, "ungrounded", self._reason(leaf))
        if match is not None and match.transform is not None and match.transform.endswith(YEARLESS):
            return Verdict(leaf, match, match.status, doubt=NO_YEAR)
        if match is not None and stated[leaf.pointer][0] == "unclaimed":
            return Verdict(leaf, match, match.status, doubt=UNCLAIMED)
        spot = Spot(scene, leaf, match, stated[leaf.pointer][0])
        if match is not None and spot.is_turned:
            return Verdict(leaf, match, match.status, doubt=TURNED)
        features = features_at(spot)
        doubt, rival = doubt_of(spot, features)
        if doubt is None and (other := spot.exchanged):
            said = self.index.text[other.start : other.end]
            doubt, rival = EXCHANGED, Rival(value=said, start=other.start, end=other.end)
        return Verdict(leaf, match, match.status if match is not None else "inferred", None, features, doubt, rival)

    def _is_in_list(self, leaf: Leaf) -> bool:
        return "*" in leaf.field[len(self.root) + 1 :]

    def _is_denied(self, leaf: Leaf, match: Match | None, number: int | None) -> bool:
        """Tell whether the record's own place says otherwise: in a table that compares records, its cell of the row."""
        if self.sides is not None and number is not None:
            is_open = match is None or isinstance(leaf.value, bool)
            return is_open and self.denying.is_otherwise(leaf, self._cells_of(leaf, number))
        around = self.stretch(leaf) or (0, len(self.index.text))
        return self.denying.is_denied(leaf, match, around, self.fields[leaf.field], is_shared=self._is_in_list(leaf))

    def _cells_of(self, leaf: Leaf, number: int) -> list[Span]:
        """Give the cells of a record's column, in a table that compares records, in rows whose head names the field."""
        column, text, known = self.sides.homes[number] if self.sides else None, self.index.text, self.fields[leaf.field]
        rows = self.sides.rows if self.sides else ()
        return [
            cells[column]
            for cells in rows
            if column in cells and known.likeness(text[slice(*cells[min(cells)])].strip(" *_")) >= ALIKE
        ]

    def _of_empty(self, leaf: Leaf, place: Span | None) -> Verdict:
        """Give the verdict of an empty text: no value, but where null may not stand for an empty cell of its row."""
        text = self.index.text
        is_cell = place is not None and _EMPTY_CELL.search(text, *line_at(text, *place)) is not None
        if is_cell and not self.views.allows_null(leaf.field):
            return Verdict(leaf, None, "inferred")
        return Verdict(leaf, None, "ungrounded", EMPTY)

    def _line_of(self, number: int | None, chosen: Mapping[str, Match]) -> Span | None:
        """Give the line of a record whose place is not known, by the first of its values that is stated."""
        found = (chosen.get(leaf.pointer) for leaf in self.by_record[number]) if number is not None else ()
        first = next((one for one in found if one is not None and one.source == "markdown"), None)
        return line_at(self.index.text, first.start) if first else None

    def _says_another_choice(self, leaf: Leaf, own: Span, chosen: Mapping[str, Match], scene: Scene) -> bool:
        beside = scene.objects[scene.object_of(leaf)]
        claimed = [chosen[one.pointer] for one in beside if one.pointer in chosen]
        return self.denying.says_another_choice(leaf, own, claimed)

    def _is_unsaid_zero(self, leaf: Leaf) -> bool:
        """Tell whether a leaf is a count of 0, which pages leave out, and its field has no other word for none."""
        return type(leaf.value) is int and leaf.value == 0 and leaf.is_open and not self.views.allows_null(leaf.field)

    def _reason(self, leaf: Leaf) -> str:
        """Say in plain words why nothing proves a leaf."""
        if self.stating.find(leaf):
            return UNNAMED if record_number(leaf.steps, self.root) is None else OUTSIDE
        return WITHIN if str(leaf.value).strip().casefold() in self.index.text.casefold() else NOT_FOUND

    def _is_said(self, leaf: Leaf) -> bool:
        """Tell whether the text says a value somewhere, and not the day of a month alone."""
        return any(not (one.weak and one.transform == "date") for one in self.index.find(leaf.value))

    def _in_snapshot(
        self, leaves: Sequence[Leaf], stated: Mapping[str, tuple[str, Sequence[Match]]]
    ) -> dict[str, tuple[str, Sequence[Match]]]:
        """Look up in the HTML what the text says nowhere; what it says elsewhere is another record's."""
        if not self.html:
            return {}
        missing = [leaf for leaf in leaves if not stated[leaf.pointer][1] and not self._is_said(leaf)]
        if not missing:
            return {}
        proven = [leaf for leaf in leaves if stated[leaf.pointer][1] and stated[leaf.pointer][0] in ("own", "page")]
        snapshot = Snapshot(self.html, leaves_by_record(proven, self.root), self.index.hosts)
        sharing: defaultdict[object, set[int | None]] = defaultdict(set)
        for leaf in leaves:
            sharing[leaf.field, leaf.key].add(record_number(leaf.steps, self.root))
        found: dict[str, tuple[str, Sequence[Match]]] = {}
        for leaf in missing:
            number = record_number(leaf.steps, self.root)
            match = snapshot.find(leaf, number, sharing[leaf.field, leaf.key])
            found |= {} if match is None else {leaf.pointer: ("snapshot", (match,))}
        return found

    def _scene(self, leaves: Sequence[Leaf], stated: Mapping[str, tuple[str, Sequence[Match]]]) -> Scene:
        scene = Scene(self.index, self.around, self.fields, leaves, stated=stated, number=self.number, own=self.stretch)
        listed = [leaf for leaf in leaves if leaf.field[-1:] != ("*",)] if self.places is not None else []
        telling = Counter(leaf.field for leaf in listed if len(stated[leaf.pointer][1]) <= _MOST_PLACES)
        for leaf in listed:
            number, matches = self.number(leaf), stated[leaf.pointer][1]
            if number is not None and (len(matches) <= _MOST_PLACES or telling[leaf.field] < _LEAST_TELLING):
                places = (scene.place(leaf, one) for one in matches[:_MOST_LEARNED])
                scene.likelihood.add(number, leaf.field, filter(None, places))
        return scene


def _item_of(leaf: Leaf, root: Steps) -> Steps:
    """Give the steps to the innermost item of a list in its record that a leaf is a field of; none without one."""
    steps = leaf.steps[:-1]
    while len(steps) > len(root) + 1 and not isinstance(steps[-1], int):
        steps = steps[:-1]
    return steps if len(steps) > len(root) + 1 else ()


def has_figure_of_its_own(leaf: Leaf, context: Match, own: Span, others: Sequence[Leaf], index: TextIndex) -> bool:
    """Tell whether a record's place states a figure of the same sort that no other field of the record claims.

    It is what the record says of the field then: "every price is 0.01" below a list is no price of one with "$5.50".
    """
    if isinstance(leaf.value, bool | str):
        return False
    claimed = [match for other in others if other is not leaf for match in within(index.find(other.value), own)]
    is_money = bool(currencies_at(index.text, context.start, context.end))
    return any(
        not any(match.start < one.end and one.start < match.end for match in claimed)
        for one in index.figures(own)
        if bool(currencies_at(index.text, one.start, one.end)) >= is_money
    )
