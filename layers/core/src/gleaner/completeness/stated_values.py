"""The values of a result with the places where the page states them, and what its objects say beside these. Pure."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from gleaner.completeness.gaps import Gaps, Key
from gleaner.completeness.line_parts import words_of
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.page.model import Page, Span
from gleaner.schemas.leaves import Schema, SchemaViews, Steps, field_at


class StatedValues:
    """The values of a result, its lists and its nulls.

    ``records`` is the path of the list of records, ``spans`` are their places; ``entries`` say where the values stand.
    A list is given with the steps to it and with what holds it; one that is left out, though the schema names it, is
    empty. ``nulls`` are the steps to what has no value: null, or left out. ``removed`` are the words of what was
    refused.
    """

    def __init__(
        self,
        data: JsonValue,
        entries: Sequence[ProvenanceEntry],
        *,
        schema: Schema | None = None,
        records: Steps | None = None,
        spans: Sequence[Span | None] = (),
    ) -> None:
        self.data, self.views, self.records, self.spans = data, SchemaViews(schema), records, spans
        self.lists: list[tuple[Steps, JsonValue, JsonValue]] = []
        self.nulls: list[Steps] = []
        self._look_around()
        self.claims: list[tuple[Steps, Span]] = []
        self.places: dict[Steps, list[Span]] = {}
        self.removed: dict[Steps, set[str]] = defaultdict(set)
        for entry in entries if self.lists or self.nulls else ():
            steps = tuple(_number(step) for step in read_pointer(entry.pointer))
            if entry.start is not None and entry.end is not None and entry.source == "markdown":
                self.claims.append((steps, (entry.start, entry.end)))
                for depth in range(len(steps) + 1):
                    self.places.setdefault(steps[:depth], []).append((entry.start, entry.end))
            if entry.status == "ungrounded" and (said := words_of(str(entry.value))):
                for depth in range(len(steps) + 1):
                    self.removed[steps[:depth]].add(said)

    def _look_around(self) -> None:
        """Find the lists and maps but for that of the records, and what has no value."""
        stack: list[tuple[Steps, JsonValue, JsonValue]] = [((), self.data, self.data)]
        while stack:
            steps, value, owner = stack.pop()
            is_list = isinstance(value, list) or (isinstance(value, dict) and self._is_map(steps))
            if is_list and steps != self.records:
                self.lists.append((steps, value, owner))
            for key, inner in enumerate(value) if isinstance(value, list) else members(value):
                if isinstance(inner, dict | list):
                    is_record = steps == self.records and isinstance(key, int)
                    stack.append(((*steps, key), inner, inner if is_record else owner))
                elif inner is None:
                    self.nulls.append((*steps, key))
            given = dict(members(value))
            named = self.views.members(field_at(steps)) if isinstance(value, dict) else {}
            for name in (one for one in named if one not in given):
                if named[name] == "scalar":
                    self.nulls.append((*steps, name))
                elif (*steps, name) != self.records:
                    self.lists.append(((*steps, name), [], owner))

    def _is_map(self, steps: Steps) -> bool:
        """Tell whether the schema leaves the names of an object's members to the page, and types their values."""
        schemas = self.views.of(field_at(steps))
        typed = any(isinstance(schema.get("additionalProperties"), Mapping) for schema in schemas)
        typed = typed or any(schema.get("patternProperties") for schema in schemas)
        return typed and not any(schema.get("properties") for schema in schemas)

    @cached_property
    def by_field(self) -> Mapping[Key, Sequence[Span]]:
        """The places of each field's values."""
        found: dict[Key, list[Span]] = defaultdict(list)
        for steps, place in self.claims:
            found[field_at(steps)].append(place)
        return found

    def heads(self) -> list[Span]:
        """Give the first place of each record that has one."""
        depth = len(self.records or ())
        found = (
            places[0] for steps, places in self.places.items() if len(steps) == depth + 1 and self._is_record(steps)
        )
        return [] if self.records is None else [*found]

    def _is_record(self, steps: Steps) -> bool:
        return steps[:-1] == self.records and isinstance(steps[-1], int)

    def record_of(self, steps: Steps) -> int | None:
        """Give the number of the record that something stands in."""
        if self.records is None or len(steps) <= len(self.records) or steps[: len(self.records)] != self.records:
            return None
        number = steps[len(self.records)]
        return number if isinstance(number, int) else None

    # Where objects stand

    def region(self, record: int | None) -> Span | None:
        """Give where a record stands: its unit, or else all of its values, up to the next record."""
        start, end = self._own_region(record) if record is not None else (0, 0)
        following = bisect_right(self._record_starts, start)
        after = self._record_starts[following] if following < len(self._record_starts) else 0
        return (start, max(end, after)) if end else None

    @cached_property
    def _record_starts(self) -> list[int]:
        return sorted(start for record in range(len(self.spans)) for start, end in [self._own_region(record)] if end)

    def _own_region(self, record: int) -> Span:
        span = self.spans[record] if record < len(self.spans) else None
        places = [span] if span else self.places.get((*(self.records or ()), record), [])
        return (min(place[0] for place in places), max(place[1] for place in places)) if places else (0, 0)

    def _regions(self, owners: Iterable[Steps]) -> dict[Steps, Span]:
        """Give where objects of one kind stand: a record's unit, or each up to the next one and its record's end."""
        known = {one: places for one in owners if (places := self.places.get(one))}
        starts = sorted(min(places)[0] for places in known.values())
        regions: dict[Steps, Span] = {}
        for one, places in known.items():
            number = self.record_of(one)
            around = self.region(number)
            span = self.spans[number] if number is not None and number < len(self.spans) else None
            if around and self._is_record(one):
                regions[one] = span or around
                continue
            start, end = min(places)[0], max(end for _, end in places)
            following = bisect_right(starts, start)
            after = starts[following] if following < len(starts) else around[1] if around else 0
            regions[one] = start, max(end, min(after, around[1]) if around else after)
        return regions

    # What they say beside their values

    def unsaid(self, lacking: Iterable[Steps], page: Page) -> Iterator[tuple[Steps, Span, str]]:
        """Give which of some fields without a value, by the steps to each, the page states where others have one.

        With each comes where it says so, and what.
        """
        found: dict[tuple[Key, Key], dict[Steps, Steps]] = defaultdict(dict)
        for steps in lacking:
            depth = next((at for at in range(len(steps), 0, -1) if isinstance(steps[at - 1], int)), 0)
            if 0 < depth < len(steps):
                found[field_at(steps[:depth]), field_at(steps[depth:])][steps[:depth]] = steps
        known: dict[Key, Gaps] = {}
        for (kind, field), owners in found.items():
            if kind not in known:
                known[kind] = self._gaps(kind, page)
            for owner, place, said in known[kind].unsaid(field):
                if owner in owners:
                    yield owners[owner], place, said

    def _gaps(self, kind: Key, page: Page) -> Gaps:
        claims: dict[Steps, list[tuple[Key, Span]]] = defaultdict(list)
        for steps, place in self.claims:
            if field_at(steps[: len(kind)]) == kind:
                claims[steps[: len(kind)]].append((field_at(steps[len(kind) :]), place))
        return Gaps(page, self._regions(claims), claims)


def members(value: JsonValue) -> Iterable[tuple[str, JsonValue]]:
    """Give the members of an object; none of what is no object."""
    return value.items() if isinstance(value, dict) else ()


def _number(step: str) -> str | int:
    return int(step) if step.isdecimal() else step
