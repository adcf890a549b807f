"""Whether the lists beside and inside the records hold all that the page shows of their kind (CM-2). Pure.

The proof says where on the page each value stands. The elements of a list stand in siblings, as items, rows or links,
or in the parts of one line that a mark joins. A sibling of their build, or a part of their line, that no value of the
answer claims is an element which the list lacks. A menu, a heading or a count of comments is no sibling of theirs.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice, pairwise
from typing import NamedTuple

from gleaner.completeness.likeness import kinds_stated
from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.contracts.word_lists import any_word
from gleaner.page.model import READ, Page, Span
from gleaner.schemas.leaves import Schema, SchemaViews, Steps, field_at
from gleaner.values import locales
from gleaner.values.texts.spellings import label_words

_LEAST_SHARE = 1 / 3
"""A list that has fewer of the siblings is one of several fields that share them."""

_TIMES_AS_LONG, _SHORT = 3, 40
"""An element is at most so many times as long as the longest that is known, or short."""

_USUAL, _MOST = 0.6, 0.5
_NEAR, _FAR = 4, 400
_MOST_NAMED, _EXCERPT = 3, 60
_ITEMS = ("li", "tr", "dd", "blockquote", "article")
_MARK = re.compile(r"(?<!\s)\s*([,;•·、，؛،|/])\s*")
_BORDER = re.compile(r"[:：]\s|(?<=[^\W\d]{2})[.。]\s|\||\n")
_NEW_LINE = re.compile(r"[\n:：]")
_MARKDOWN = re.compile(r"\]\([^()\s]*\)|[\[\]*_`\\]")
_FIGURE = re.compile(r"(?<!\S)\S*\d\S*")
_WORD = re.compile(r"[^\W_]+")


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


@dataclass
class _List:
    """A list of the data: its path, the first place of each element that has one, all places of its elements; the words
    of these, and of all values of the record or object that holds it."""

    steps: Steps
    count: int
    places: list[Span] = field(default_factory=list[Span])
    all_places: list[Span] = field(default_factory=list[Span])
    own: set[str] = field(default_factory=set[str])
    known: set[str] = field(default_factory=set[str])
    removed: set[str] = field(default_factory=set[str])
    region: Span | None = None
    missing: dict[Span, str] = field(default_factory=dict[Span, str])

    def says(self, words: str, *, is_own: bool = False) -> bool:
        """Tell whether these are an element's words, or among those of one that was taken out or of the list's owner.

        An element whose words are among another one's may well be missing: "HEAD" beside "HEAD_NEW".
        """
        is_theirs = words in self.own or f" {words} " in self._gone
        return is_theirs or (not is_own and f" {words} " in self._known_words)

    @cached_property
    def _known_words(self) -> str:
        return _side_by_side(self.known - self.own)

    @cached_property
    def _gone(self) -> str:
        return _side_by_side(self.removed)


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
    fields: dict[tuple[str, ...], list[_List]] = defaultdict(list)
    for one in walk.found:
        fields[field_at(one[0])].append(walk.read(*one))
    if not fields:
        return []
    counter = _Counter(page, walk.heads(), sorted(place for _, place in walk.claims))
    for name, lists in fields.items():
        inside = [one for field, some in fields.items() if field[: len(name)] == name for one in some]
        counter.count(lists, walk.claims_but_for(name, inside))
        _leave_out_templates(lists)
    if counter.joined:
        fields[()] = [_List(records or (), len(walk.heads()), missing=counter.joined)]
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


def _record_of(steps: Steps, records: Steps | None) -> int | None:
    if records is None or len(steps) <= len(records) or steps[: len(records)] != records:
        return None
    number = steps[len(records)]
    return number if isinstance(number, int) else None


def _leave_out_templates(lists: Sequence[_List]) -> None:
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
        self.places: dict[Steps, list[Span]] = {}
        self.removed: dict[Steps, set[str]] = defaultdict(set)
        for entry in entries if self.found else ():
            steps = tuple(_number(step) for step in read_pointer(entry.pointer))
            if entry.start is not None and entry.end is not None and entry.source == "markdown":
                self.claims.append((field_at(steps), (entry.start, entry.end)))
                for depth in range(len(steps) + 1):
                    self.places.setdefault(steps[:depth], []).append((entry.start, entry.end))
            if entry.status == "ungrounded":
                for depth in range(len(steps)):
                    self.removed[steps[:depth]].add(words_of(str(entry.value)))

    def claims_but_for(self, name: tuple[str, ...], lists: Sequence[_List]) -> list[Span]:
        """Give the places of all other fields' values, and the first of each element of these lists.

        What else the elements say may be told in several of them: a value may be proven by another element's text.
        """
        others = {place for own, place in self.claims if own[: len(name)] != name}
        return sorted(others.union(*(one.places for one in lists)))

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

    def read(self, steps: Steps, value: JsonValue, owner: JsonValue) -> _List:
        """Give a list with the places and words of its elements."""
        elements = [*enumerate(value)] if isinstance(value, list) else [*_members(value)]
        record = _record_of(steps, self.records)
        own = {words_of(str(one)) for _, element in elements for one in scalars(element)} - {""}
        return _List(
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


class _Counter:
    """Counts lists on one page; ``claims`` are the places of what is no unknown element of the field at hand.

    ``joined`` are the heads of records that stand between the elements of one list, and that no record has: two records
    were joined. ``heads`` are the places that records begin with, ``every`` those of all values.
    """

    def __init__(self, page: Page, heads: Sequence[Span], every: Sequence[Span]) -> None:
        self.text, self.nodes, self.every = page.text, page.nodes, every
        self.claims: Sequence[Span] = ()
        self.joined: dict[Span, str] = {}
        self._is_in_line, self._like = False, _Likeness()
        self._children: dict[int, list[int]] = {}
        self._texts: dict[int, str] = {}
        self._builds: dict[int, object] = {}
        self.placed = sorted(
            (node for node in range(len(self.nodes)) if self.nodes.starts[node] >= 0),
            key=lambda node: (self.nodes.starts[node], node),
        )
        self._starts = [self.nodes.starts[node] for node in self.placed]
        leads = [node for place in heads if (node := self._node_at(place)) is not None]
        kind, count = max(Counter(map(self._kind, leads)).items(), key=lambda one: one[1], default=(None, 0))
        self._head = kind if count >= max(2, _USUAL * len(heads)) else None

    def count(self, lists: Sequence[_List], claims: Sequence[Span]) -> None:
        """Note what each list of one field lacks."""
        self.claims = claims
        for one in lists:
            self._put_together(one)
        kinds: Counter[object] = Counter()
        families: list[dict[int, set[int]]] = []
        for one in lists:
            families.append(self._families(one))
            kinds.update({self._kind(item) for items in families[-1].values() for item in items})
        kind, times = max(kinds.items(), key=lambda item: item[1], default=(None, 0))
        usual = kind if times >= max(2, _USUAL * sum(map(bool, families))) else None
        mark = self._mark_of_field(lists)
        several = [items for own in families for items in own.values() if len(items) > 1]
        self._is_in_line = bool(several) and all(map(self._stand_in_line, several))
        self._like = _Likeness.of([self._plain(place) for one in lists for place in one.places])
        if not any(one.count for one in lists):
            self._count_in_none(lists)
        for one, known in zip(lists, families, strict=True):
            if one.count and one.places:
                self._note_joined(one)
                self._count_siblings(one, known or self._family_of_one(one, usual))
                self._count_parts(one, mark)
            elif (
                usual is not None
                and not one.count
                and not any(self._of_kind(other, usual) for other in lists if other.count)
            ):
                one.missing.update((self._span(node), self._said(node)) for node in self._of_kind(one, usual))

    def _put_together(self, one: _List) -> None:
        """Take a text that stands in a line of its own where the line of the one before or after it says it, too."""
        lines = [self._line_at(place) for place in one.places]
        for at, place in enumerate(one.places if len(one.places) == len(one.all_places) else ()):
            beside = [other for other in (at - 1, at + 1) if 0 <= other < len(lines)]
            if all(lines[at] != lines[other] for other in beside):
                said = re.compile(rf"(?<![\w.,]){re.escape(self.text[slice(*place)])}(?![.,]?\w)")
                found = (said.search(self.text, *lines[other]) for other in beside)
                one.places[at] = next((new.span() for new in found if new), place)

    def _line_at(self, place: Span) -> Span:
        low, high = max(0, place[0] - _FAR), place[1] + _FAR
        end = self.text.find("\n", place[1], high)
        start = self.text.rfind("\n", low, place[0]) + 1
        return start or low, end if end >= 0 else min(high, len(self.text))

    def _note_joined(self, one: _List) -> None:
        """Note the heads of records, which nobody claims, amid a list's elements."""
        low, high = min(one.places)[0], max(one.places)[0]
        for node in self.placed[bisect_left(self._starts, low) : bisect_left(self._starts, high)]:
            if self._head and self._kind(node) == self._head and not _touches(self.every, self._span(node)):
                self.joined[self._span(node)] = self._said(node)

    # Siblings

    def _families(self, one: _List) -> dict[int, set[int]]:
        """Give by parent the children that hold one element each, of those that stand in neighbours."""
        leaves = [self._node_at(place) for place in sorted(one.places)]
        found: dict[int, set[int]] = defaultdict(set)
        for first, second in pairwise(node for node in leaves if node is not None):
            parent, *children = self._parted(first, second)
            if children:
                found[parent].update(children)
        return found

    def _parted(self, first: int, second: int) -> list[int]:
        """Give the innermost node around two others, and its children that they stand in, if they do in two."""
        above = {node: below for below, node in pairwise([-1, first, *self.nodes.ancestors(first)])}
        under, node = -1, second
        while node >= 0 and node not in above:
            under, node = node, self.nodes.parents[node]
        return [node, above[node], under] if node >= 0 and above[node] >= 0 and under >= 0 else [node]

    def _family_of_one(self, one: _List, usual: object) -> dict[int, set[int]]:
        """Give the family of a lone element: an item as the other records' lists have, or an item of a list."""
        node = next((node for place in one.places if (node := self._node_at(place)) is not None), None)
        chain = [] if node is None else [node, *self.nodes.ancestors(node)]
        items = (at for at in chain if (self._kind(at) == usual if usual else self._is_item(at)))
        item = next(items, None)
        said = sum(end - start for start, end in one.all_places)
        if item is not None and not usual and 2 * said < len(self._said(item)):
            return {}  # a row that has more to say than the element
        return {} if item is None or self.nodes.parents[item] < 0 else {self.nodes.parents[item]: {item}}

    def _is_item(self, node: int) -> bool:
        """Tell whether a node is an item by its tag, or has a class, and stands beside one of its build."""
        if self.nodes.parents[node] < 0 or not (self.nodes.tags[node] in _ITEMS or self.nodes.get(node, "class")):
            return False
        return any(self._build(at) == self._build(node) for at in self._beside(node))

    def _count_siblings(self, one: _List, families: Mapping[int, Collection[int]]) -> None:
        for parent, items in families.items():
            children = self._children_of(parent)
            first, last = bisect_left(children, min(items)), bisect_left(children, max(items))
            between = [at for at in children[first + 1 : last] if at not in items]
            is_mixed = sum(self._is_claimed(at) and not self._is_part(one, at) for at in between) >= len(items)
            runs = (
                self._others(one, between, items),
                self._others(one, islice(reversed(children), len(children) - first, None), items, beside=min(items)),
                self._others(one, islice(children, last + 1, None), items, beside=max(items)),
            )
            others = [at for run in runs for at in run]
            if len(items) >= _LEAST_SHARE * (len(items) + len(others)) and not is_mixed:
                one.missing.update((self._span(at), self._said(at)) for at in others)

    def _others(
        self, one: _List, nodes: Iterable[int], items: Collection[int], *, beside: int | None = None
    ) -> Iterator[int]:
        """Give the siblings that are elements, too: all of the items' build between these, and those right beside.

        ``beside`` is the item that a run begins at; what is no element ends it, and so does a line's end or a label
        where the items stand in a line. Where the items differ in what is in them, others of their class may, too.
        Siblings with only a part of an element, as in definitions, end none.
        """
        builds = {self._build(item) for item in items}
        looks = {look for look in map(self._looks, items) if look[1]} if len(builds) > 1 else ()
        longest = max(_SHORT, _TIMES_AS_LONG * max(len(self._said(item)) for item in items))
        is_line = self._stand_in_line(items) if len(items) > 1 else self._is_in_line
        is_between, last = beside is None, beside
        for at in nodes:
            if last is not None and is_line and _NEW_LINE.search(self._gap(last, at)):
                return
            last = None if is_between else at
            is_built = self._build(at) in builds or self._looks(at) in looks
            is_like = is_built and len(self._said(at)) <= longest
            if is_like and not self._is_said(one, at, is_between=is_between):
                yield at
            elif (
                not is_between and not self._is_part(one, at) and (self._is_claimed(at) or not self._is_passed(one, at))
            ):
                return

    def _stand_in_line(self, items: Collection[int]) -> bool:
        return not any("\n" in self._gap(*pair) for pair in pairwise(sorted(items)))

    def _gap(self, first: int, second: int) -> str:
        """Give the text between two nodes."""
        low, high = sorted((self._span(first), self._span(second)))
        return self.text[low[1] : high[0]]

    def _is_part(self, one: _List, node: int) -> bool:
        """Tell whether a node holds something of an element."""
        return _touches(one.all_places, self._span(node))

    def _is_passed(self, one: _List, node: int) -> bool:
        """Tell whether a node is built like a part of an element beside its item: the term of a definition."""
        return any(self._build(at) == self._build(node) for at in self._beside(node) if self._is_part(one, at))

    def _beside(self, node: int) -> list[int]:
        children = self._children_of(self.nodes.parents[node])
        at = bisect_left(children, node)
        return [*children[max(0, at - _NEAR) : at], *children[at + 1 : at + 1 + _NEAR]]

    def _children_of(self, parent: int) -> list[int]:
        known = self._children.get(parent)
        if known is None:
            read = (at for at in self.nodes.children(parent) if self.nodes.layers[at] in READ and self._said(at))
            known = self._children[parent] = [*read]
        return known

    def _of_kind(self, one: _List, usual: object) -> list[int]:
        """Give what a list's record has in the place of the others' elements, and no value claims."""
        low, high = one.region or (0, 0)
        found = self.placed[bisect_left(self._starts, low) : bisect_left(self._starts, high)]
        alike = (node for node in found if self._kind(node) == usual and self.nodes.stops[node] <= high)
        return [node for node in alike if not self._is_said(one, node)]

    def _count_in_none(self, lists: Sequence[_List]) -> None:
        """Note what repeats in records, or in an object, whose lists are all empty, and no value claims.

        It is theirs if its class has the field's name, or if such things are most of what several records say.
        """
        name = label_words(next((step for step in reversed(field_at(lists[0].steps)) if step != "*"), ""))
        regions = [one.region or (0, len(self.text)) for one in lists]
        free: dict[object, dict[int, list[int]]] = defaultdict(dict)
        for at, (one, (low, high)) in enumerate(zip(lists, regions, strict=True)):
            for node in self.placed[bisect_left(self._starts, low) : bisect_left(self._starts, high)]:
                if self.nodes.layers[node] in READ and not self._is_said(one, node):
                    free[self._kind(node)].setdefault(at, []).append(node)
        usual = {
            kind: [node for nodes in found.values() for node in nodes]
            for kind, found in free.items()
            if len(found) >= _USUAL * len(lists) and sum(map(len, found.values())) > len(found)
        }
        named = {kind: nodes for kind, nodes in usual.items() if self._is_called(name, nodes[0])}
        said = {kind: sum(len(self._said(node)) for node in nodes) for kind, nodes in (named or usual).items()}
        best = max(said, key=lambda kind: said[kind], default=None)
        every = [self._span(node) for nodes in usual.values() for node in nodes]
        unsaid = sum(len(words_of(self._plain(span))) for span in _outermost(every))
        whole = sum(len(words_of(self._plain(region))) for region in regions)
        if best is None or not (named or (len(lists) > 1 and unsaid > _MOST * whole)):
            return
        for at, nodes in free[best].items():
            lists[at].missing = {self._span(node): self._said(node) for node in nodes}

    def _is_called(self, name: Sequence[str], node: int) -> bool:
        """Tell whether the class or id of a node, or of the one around it, ends in a name."""
        around = (node, self.nodes.parents[node])
        given = (self.nodes.get(at, key) or "" for at in around if at >= 0 for key in ("class", "id"))
        return bool(name) and any(
            label_words(word)[-len(name) :] == tuple(name) for words in given for word in words.split()
        )

    def _is_said(self, one: _List, node: int, *, is_between: bool = False) -> bool:
        """Tell whether a node holds a value of the answer, or says what is one of the list's owner.

        What stands between elements may well be another field's value, too: one that the page states elsewhere as well.
        """
        words = words_of(self._said(node))
        is_claimed = self._is_stated_there_alone(node) if is_between else self._is_claimed(node)
        return not words or is_claimed or one.says(words, is_own=is_between)

    def _is_stated_there_alone(self, node: int) -> bool:
        start, end = self._span(node)
        at = bisect_right(self.claims, (start, -1))
        while at < len(self.claims) and self.claims[at][0] < end:
            if self.text.count(self.text[slice(*self.claims[at])]) == 1:
                return True
            at += 1
        return False

    def _is_claimed(self, node: int) -> bool:
        return _touches(self.claims, self._span(node))

    def _node_at(self, place: Span) -> int | None:
        """Give the innermost node that holds a run of the text."""
        at = bisect_right(self._starts, place[0]) - 1
        node = self.placed[at] if at >= 0 else -1
        while node >= 0 and not self.nodes.starts[node] <= place[0] < place[1] <= self.nodes.stops[node]:
            node = self.nodes.parents[node]
        return node if node >= 0 else None

    def _span(self, node: int) -> Span:
        return self.nodes.starts[node], self.nodes.stops[node]

    def _said(self, node: int) -> str:
        if node not in self._texts:
            self._texts[node] = self.nodes.said(node) if self.nodes.starts[node] >= 0 else ""
        return self._texts[node]

    def _looks(self, node: int) -> tuple[str, str]:
        return self.nodes.tags[node], self.nodes.get(node, "class") or ""

    def _kind(self, node: int) -> object:
        """Give what items of one list in different records have in common: tag and class, theirs and their parent's."""
        parent = self.nodes.parents[node]
        return (*self._looks(node), *(self._looks(parent) if parent >= 0 else ()))

    def _build(self, node: int) -> object:
        if node not in self._builds:
            inside = (at for at in range(node + 1, self.nodes.ends[node]) if self.nodes.layers[at] in READ)
            tags = frozenset(self.nodes.tags[at] for at in inside) - {self.nodes.tags[node]}
            self._builds[node] = (*self._looks(node), tags)
        return self._builds[node]

    # Parts of a line

    def _mark_of_field(self, lists: Sequence[_List]) -> str | None:
        """Give the mark that joins most elements of a field's lists within a line; "" for figures with blanks."""
        marks: Counter[str] = Counter()
        for one in lists:
            for first, second in pairwise(sorted(one.places)):
                gap = self.text[first[1] : second[0]]
                is_line = "\n" not in gap or self._node_at(first) == self._node_at(second)
                if first[1] < second[0] and is_line and (mark := self._mark_in(gap)) is not None:
                    marks[mark] += 1
        return max(marks, key=lambda mark: marks[mark], default=None)

    @staticmethod
    def _mark_in(gap: str) -> str | None:
        plain = _MARKDOWN.sub("", gap)
        if "\n" in plain:
            return None if "\n\n" in plain else "\n"
        found = [one[1] for one in _MARK.finditer(plain)]
        return found[-1] if found else "" if not plain.strip() else None

    def _count_parts(self, one: _List, mark: str | None) -> None:
        """Note the parts of the elements' lines that are none of them."""
        lines: dict[Span, list[Span]] = defaultdict(list)
        for place in one.places:
            lines[self._line_around(place, mark)].append(place)
        for line, places in lines.items():
            parts = self._parts(line, mark if mark is not None else self._mark_beside(places[0]), places)
            told = [sum(max(0, min(part[1], end) - max(part[0], start)) for start, end in places) for part in parts]
            owned = [at for at, length in enumerate(told) if length]
            if not owned or len(owned) < _LEAST_SHARE * len(parts):
                continue
            if 2 * sum(2 * told[at] >= len(self._plain(parts[at])) for at in owned) < len(owned):
                continue  # a sentence that names an element
            like = self._like.with_more([self._plain(parts[at]) for at in owned])
            free = {
                at
                for at, part in enumerate(parts)
                if at not in owned and self._is_free(one, part, like, is_between=owned[0] < at < owned[-1])
            }
            for at in sorted(free):
                way = range(at, owned[0]) if at < owned[0] else range(owned[-1] + 1, at + 1)
                if owned[0] < at < owned[-1] or all(step in free for step in way):
                    one.missing.setdefault(parts[at], self._plain(parts[at]))

    def _mark_beside(self, place: Span) -> str | None:
        behind = _MARK.match(_MARKDOWN.sub("", self.text[place[1] : place[1] + 200]))
        before = re.search(r"([,;•·、，؛،/])\s*\Z", _MARKDOWN.sub("", self.text[max(0, place[0] - 20) : place[0]]))
        found = before or (behind if behind and behind[1] != "|" else None)
        line = self.text[slice(*self._line_around(place, None))]
        return found[1] if found else "," if re.search(_joining(), line) else None

    def _line_around(self, place: Span, mark: str | None) -> Span:
        """Give the run of the text around a place that no label, sentence or cell ends."""
        end = "\n\n" if mark == "\n" else "\n"
        low = self.text.rfind(end, 0, place[0])
        low = 0 if low < 0 else low + len(end)
        high = self.text.find(end, place[1])
        high = len(self.text) if high < 0 else high
        if mark == "\n":
            return low, high
        for border in _BORDER.finditer(self.text, low, high):
            if border[0].strip() == mark and mark:
                continue
            if border.end() <= place[0]:
                low = border.end()
            elif border.start() >= place[1]:
                return low, border.start()
        return low, high

    def _parts(self, line: Span, mark: str | None, places: Sequence[Span]) -> list[Span]:
        """Give the parts of a line by its mark, and by "and" right beside an element; a target of a link has none."""
        if mark is None:
            return []
        text = self.text[slice(*line)]
        if not mark:
            return [(line[0] + one.start(), line[0] + one.end()) for one in _FIGURE.finditer(text)]
        hidden = re.sub(r"\]\([^()\s]*\)", lambda found: "]" + "\0" * (len(found[0]) - 1), text)
        sign = r"\n" if mark == "\n" else rf"\s*(?:(?<!\d){re.escape(mark)}|{re.escape(mark)}(?!\d))\s*"
        cuts = [one.span() for one in re.finditer(sign, hidden)]
        sides = {side - line[0] for place in places for side in place}
        cuts += [one.span() for one in re.finditer(_joining(), hidden) if sides & {*one.span()}]
        cuts.sort()
        borders = [(0, 0), *cuts, (len(text), len(text))]
        found = [(first[1], second[0]) for first, second in pairwise(borders) if text[first[1] : second[0]].strip()]
        return [(line[0] + start, line[0] + end) for start, end in found]

    def _plain(self, span: Span) -> str:
        return " ".join(_MARKDOWN.sub("", self.text[slice(*span)]).split())

    def _is_free(self, one: _List, part: Span, like: "_Likeness", *, is_between: bool) -> bool:
        """Tell whether a part of a line is an element that nobody gave: like the others, and claimed by no value."""
        text = self._plain(part)
        words = words_of(text)
        is_known = _touches(self.claims, part) or one.says(words, is_own=is_between)
        return bool(words) and like.fits(text) and not (is_known or _and_so_on().search(text))


class _Likeness(NamedTuple):
    """What the elements of a field state, by kind, how long they are, and whether each begins with a capital."""

    by_most: frozenset[str] = frozenset()
    by_any: frozenset[str] = frozenset()
    shortest: int = 0
    longest: int = 0
    are_cased: bool = False

    @classmethod
    def of(cls, texts: Sequence[str]) -> "_Likeness":
        sizes = [*map(len, texts)] or [0]
        are_cased = all(text[:1].isupper() for text in texts)
        return cls(*kinds_stated(texts), min(sizes), max(sizes), are_cased)

    def with_more(self, texts: Sequence[str]) -> "_Likeness":
        """Give the likeness of these elements, too, which are among the others, or hold them."""
        more = _Likeness.of(texts)
        shortest, longest = min(self.shortest, more.shortest), max(self.longest, more.longest)
        return _Likeness(self.by_most, self.by_any | more.by_any, shortest, longest, more.are_cased)

    def fits(self, text: str) -> bool:
        """Tell whether a text is like these."""
        is_as_long = self.shortest / 2 <= len(text) <= _TIMES_AS_LONG * self.longest
        is_cased = text[:1].isupper() or not self.are_cased
        return is_as_long and is_cased and self.by_most <= kinds_stated([text])[0] <= self.by_any


@cache
def _joining() -> str:
    return rf"(?<=\w)\s+{any_word('query_words', 'joins')}\s+(?=[^\W\d_])"


@cache
def _and_so_on() -> re.Pattern[str]:
    words = "|".join(sorted(locales.words("and_so_on")))
    return re.compile(rf"\b(?:{words})\b|…|\.\.\.", re.IGNORECASE)


def words_of(text: str) -> str:
    """Give the words of a text in lower case, parted by blanks."""
    return " ".join(_WORD.findall(text.casefold()))


def _side_by_side(texts: Iterable[str]) -> str:
    return f" {' | '.join(texts)} "


def _touches(claims: Sequence[Span], span: Span) -> bool:
    """Tell whether a claim begins in a run."""
    at = bisect_right(claims, (span[0], -1))
    return at < len(claims) and claims[at][0] < span[1]


def _outermost(spans: Iterable[Span]) -> list[Span]:
    found: list[Span] = []
    for span in sorted(spans, key=lambda one: (one[0], -one[1])):
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found


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
