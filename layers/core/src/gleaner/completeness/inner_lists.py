"""Whether the lists beside and inside the records hold all that the page shows of their kind (CM-2). Pure.

The proof says where on the page each value stands, and so each element of a list; ``inner_items`` says what the page
shows of their kind. A menu, a heading or a count of comments is no sibling of theirs.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gleaner.completeness.gaps import Gaps
from gleaner.completeness.inner_items import InnerList, ItemCounter
from gleaner.completeness.line_parts import words_of
from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.json_text import canonical
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.page.model import Page, Span
from gleaner.schemas.leaves import Schema, SchemaViews, Steps, field_at

_MOST_NAMED, _EXCERPT = 3, 60


@dataclass(frozen=True, slots=True)
class ShortList:
    """A list with fewer elements than the page shows: ``missing`` are the places of the others, ``texts`` their texts.

    ``record`` is the number of the record that holds the list.
    """

    pointer: str
    count: int
    missing: tuple[Span, ...]
    texts: tuple[str, ...]
    record: int | None = None

    def describe(self) -> str:
        """Say how much is missing, with the words of the page."""
        return describe_lack(self.pointer, self.count, self.texts)


def describe_lack(pointer: str, found: int, texts: Sequence[str]) -> str:
    """Say how many elements of a list were found, and what the page also says; ``texts`` are all that is missing.

    >>> describe_lack("/tags", 2, ["elm"])
    '/tags: 2 of 3; the page also shows "elm"'
    """
    named = ", ".join(f'"{" ".join(text.split())[:_EXCERPT]}"' for text in texts[:_MOST_NAMED])
    more = f" and {len(texts) - _MOST_NAMED} more" if len(texts) > _MOST_NAMED else ""
    return f"{pointer or '/'}: {found} of {found + len(texts)}; the page also shows {named}{more}"


def find_short_lists(
    data: JsonValue,
    page: Page,
    entries: Sequence[ProvenanceEntry],
    *,
    schema: Schema | None,
    records: Steps | None = None,
    spans: Sequence[Span | None] = (),
    start: int = 0,
) -> list[ShortList]:
    """Give the lists and maps of a result that lack elements which the page shows beside those they have.

    ``entries`` say where the values stand. ``records`` is the path of the list of records, which has an account of its
    own, ``spans`` are their places; ``start`` is where reading began. A list that is empty lacks what stands in its
    record as the elements of the other records' lists do.
    """
    views = SchemaViews(schema)
    walk = _Walk(data, entries, views, records, spans)
    fields: dict[tuple[str, ...], list[InnerList]] = defaultdict(list)
    for one in walk.found:
        fields[field_at(one[0])].append(walk.read(*one))
    if not fields:
        return []
    counter = ItemCounter(page, walk.heads(), sorted(place for _, place in walk.claims))
    for name, lists in fields.items():
        inside = [one for field, some in fields.items() if field[: len(name)] == name for one in some]
        counter.count(lists, walk.claims_but_for(name, inside))
        walk.look_into_empty(lists, page.text)
        _leave_out_templates(lists)
    if counter.joined:
        fields[()] = [InnerList(records or (), len(walk.heads()), missing=counter.joined)]
    return [
        ShortList(
            pointer_of(one.steps), one.count, tuple(missing), tuple(one.missing[span] for span in missing), record
        )
        for lists in fields.values()
        for one in lists
        if (missing := sorted(span for span in one.missing if span[0] >= start))
        and not views.is_full(field_at(one.steps), one.count)
        for record in [_record_of(one.steps, records)]
    ]


def find_repeated(data: JsonValue, entries: Sequence[ProvenanceEntry], records: Steps | None = None) -> list[str]:
    """Say which lists beside and inside the records have elements that repeat others whose text the page states once.

    One number may well stand for several: "3 × 12" are three twelves.
    """
    walk = _Walk(data, entries, SchemaViews(None), records, ())
    told: list[str] = []
    for steps, value, _ in walk.found:
        elements = value if isinstance(value, list) else []
        places = [walk.longest_text((*steps, key), element) for key, element in enumerate(elements)]
        stated = Counter((canonical(one), at) for one, at in zip(elements, places, strict=True) if at is not None)
        if count := stated.total() - len(stated):
            said = f"{count} of {len(elements)} elements repeat others that the page states once"
            told.append(f"{pointer_of(steps)}: {said}")
    return told


def _record_of(steps: Steps, records: Steps | None) -> int | None:
    if records is None or len(steps) <= len(records) or steps[: len(records)] != records:
        return None
    number = steps[len(records)]
    return number if isinstance(number, int) else None


def _leave_out_templates(lists: Sequence[InnerList]) -> None:
    """Leave out what several lists lack alike and none has: the template's words, such as "More"."""
    given = set[str]().union(*(one.own for one in lists))
    counts = Counter(words for one in lists for words in {*map(words_of, one.missing.values())})
    for one in lists:
        one.missing = {
            span: text for span, text in one.missing.items() if counts[words_of(text)] == 1 or words_of(text) in given
        }


class _Walk:
    """The lists of a result, with the places of their elements."""

    def __init__(
        self,
        data: JsonValue,
        entries: Sequence[ProvenanceEntry],
        views: SchemaViews,
        records: Steps | None,
        spans: Sequence[Span | None],
    ) -> None:
        self.data, self.views, self.records, self.spans = data, views, records, spans
        self.found = [*self._found()]
        self.claims: list[tuple[tuple[str, ...], Span]] = []
        self.stated: list[tuple[Steps, Span]] = []
        self.places: dict[Steps, list[Span]] = {}
        self.removed: dict[Steps, set[str]] = defaultdict(set)
        for entry in entries if self.found else ():
            steps = tuple(_number(step) for step in read_pointer(entry.pointer))
            if entry.start is not None and entry.end is not None and entry.source == "markdown":
                self.claims.append((field_at(steps), (entry.start, entry.end)))
                self.stated.append((steps, (entry.start, entry.end)))
                for depth in range(len(steps) + 1):
                    self.places.setdefault(steps[:depth], []).append((entry.start, entry.end))
            if entry.status == "ungrounded":
                for depth in range(len(steps)):
                    self.removed[steps[:depth]].add(words_of(str(entry.value)))

    def claims_but_for(self, name: tuple[str, ...], lists: Sequence[InnerList]) -> list[Span]:
        """Give the places of all other fields' values, and the first of each element of these lists.

        What else the elements say may be told in several of them: a value may be proven by another element's text.
        """
        others = {place for own, place in self.claims if own[: len(name)] != name}
        return sorted(others.union(*(one.places for one in lists)))

    def longest_text(self, steps: Steps, element: JsonValue) -> Span | None:
        """Give where the longest text of an element stands."""
        texts = [((), element), *(((name,), one) for name, one in _members(element))]
        texts = [
            (len(one), (*steps, *way)) for way, one in texts if isinstance(one, str) and (*steps, *way) in self.places
        ]
        return self.places[max(texts)[1]][0] if texts else None

    def look_into_empty(self, lists: Sequence[InnerList], text: str) -> None:
        """Note what an object whose list is empty says in the place of the other objects' lists."""
        field = lists[0].steps
        depth = next((at for at in range(len(field), 0, -1) if isinstance(field[at - 1], int)), 0)
        empty = {one.steps[:depth]: one for one in lists if not one.count and not one.missing}
        if not depth or not empty or len(empty) == len(lists):
            return
        regions = self._regions([one.steps[:depth] for one in lists])
        claims: dict[Steps, list[tuple[tuple[str, ...], Span]]] = defaultdict(list)
        for steps, place in self.stated:
            claims[steps[:depth]].append((field_at(steps[depth:]), place))
        for owner, place, said in Gaps(text, regions, claims).unsaid(field_at(field[depth:])):
            if owner in empty:
                empty[owner].missing[place] = said

    def _regions(self, owners: Iterable[Steps]) -> dict[Steps, Span]:
        """Give where objects of one kind stand: each up to the next one, the last of a record up to that one's end."""
        known = {one: places for one in owners if (places := self.places.get(one))}
        starts = sorted(min(places)[0] for places in known.values())
        regions: dict[Steps, Span] = {}
        for one, places in known.items():
            number = _record_of(one, self.records)
            around = self._region(number) if number is not None else None
            if one[:-1] == self.records:
                regions |= {one: around} if around else {}
                continue
            start = min(places)[0]
            following = bisect_right(starts, start)
            after = starts[following] if following < len(starts) else around[1] if around else 0
            regions[one] = start, max(max(end for _, end in places), min(after, around[1]) if around else after)
        return regions

    def heads(self) -> list[Span]:
        """Give the first place of each record that has one."""
        depth = len(self.records or ())
        found = (
            places[0] for steps, places in self.places.items() if len(steps) == depth + 1 and self._is_record(steps)
        )
        return [] if self.records is None else [*found]

    def _is_record(self, steps: Steps) -> bool:
        return steps[:-1] == self.records and isinstance(steps[-1], int)

    def _found(self) -> Iterator[tuple[Steps, JsonValue, JsonValue]]:
        """Give the lists and maps but for that of the records: the steps to each, itself, and what holds it."""
        stack: list[tuple[Steps, JsonValue, JsonValue]] = [((), self.data, self.data)]
        while stack:
            steps, value, owner = stack.pop()
            is_list = isinstance(value, list) or (isinstance(value, dict) and self._is_map(steps))
            if is_list and steps != self.records:
                yield steps, value, owner
            for key, inner in enumerate(value) if isinstance(value, list) else _members(value):
                if isinstance(inner, dict | list):
                    is_record = steps == self.records and isinstance(key, int)
                    stack.append(((*steps, key), inner, inner if is_record else owner))

    def read(self, steps: Steps, value: JsonValue, owner: JsonValue) -> InnerList:
        """Give a list with the places and words of its elements."""
        elements = [*enumerate(value)] if isinstance(value, list) else [*_members(value)]
        record = _record_of(steps, self.records)
        own = {words_of(str(one)) for _, element in elements for one in scalars(element)} - {""}
        return InnerList(
            steps,
            len(elements),
            [places[0] for key, _ in elements if (places := self.places.get((*steps, key)))],
            sorted(self.places.get(steps, [])) if elements else [],
            own,
            {words_of(str(one)) for one in scalars(owner)} - {""},
            self.removed[steps] - {""},
            self._region(record),
        )

    def _region(self, record: int | None) -> Span | None:
        """Give where a record stands: its unit and all of its values, up to the next record."""
        start, end = self._own_region(record) if record is not None else (0, 0)
        following = bisect_right(self._record_starts, start)
        after = self._record_starts[following] if following < len(self._record_starts) else 0
        return (start, max(end, after)) if end else None

    @cached_property
    def _record_starts(self) -> list[int]:
        return sorted(start for record in range(len(self.spans)) for start, end in [self._own_region(record)] if end)

    def _own_region(self, record: int) -> Span:
        span = self.spans[record] if record < len(self.spans) else None
        places = [*([span] if span else []), *self.places.get((*(self.records or ()), record), [])]
        return (min(place[0] for place in places), max(place[1] for place in places)) if places else (0, 0)

    def _is_map(self, steps: Steps) -> bool:
        """Tell whether the schema leaves the names of an object's members to the page, and types their values."""
        schemas = self.views.of(field_at(steps))
        typed = any(isinstance(schema.get("additionalProperties"), Mapping) for schema in schemas)
        return typed and not any(schema.get("properties") for schema in schemas)


def _members(value: JsonValue) -> Iterable[tuple[str, JsonValue]]:
    return value.items() if isinstance(value, dict) else ()


def _number(step: str) -> str | int:
    return int(step) if step.isdecimal() else step


def scalars(value: JsonValue) -> Iterator[JsonValue]:
    """Give the texts and numbers in a value."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value
