"""Whether the lists beside and inside the records hold all that the page shows of their kind (CM-1). Pure.

An order has its rows, a recipe its ingredients, a review its replies. On the page they are siblings: children of one
element, or of several alike, each of which states one of the list's elements. A sibling of the same build that states
none of them is an element which the list lacks. A menu, a heading or a count of comments is no sibling of theirs.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.leaves import Schema, SchemaViews, Steps, field_at
from gleaner.html.dom import parse_html

_WORD = re.compile(r"[^\W_]+")
_UNSEEN = ("script", "style", "template", "noscript", "head", "svg", "select")
_LONGEST_ITEM = 2_000
"""Characters of an element's text; what says more is a part of the page and no item of a list."""

_LEAST_MATCHED = 1 / 3
_NEARLY_ALL = 0.8
_LEAST_IN_A_FAMILY = 2
_MOST_MATCHED_NODES = 200
_MOST_TIMES_AS_LONG, _SHORT = 3, 40
"""An element is at most so many times as long as the longest that is known, or short."""

_LEAST_LIKE_IT = 2
_MOSTLY = 0.6
_MOST_NAMED = 3
_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class ShortList:
    """A list with fewer elements than the page has items like theirs; ``missing`` are the texts of the others."""

    pointer: str
    count: int
    missing: tuple[str, ...]

    def describe(self) -> str:
        """Say how much is missing, with the words of the page."""
        return describe_lack(self.pointer, self.count, "shows", self.missing)


def describe_lack(pointer: str, found: int, verb: str, texts: Sequence[str]) -> str:
    """Say how many elements of a list were found, and what the page also says; ``texts`` are all that is missing.

    >>> describe_lack("/tags", 2, "names", ["elm"])
    '/tags: 2 of 3; the page also names "elm"'
    """
    named = ", ".join(f'"{" ".join(text.split())[:_EXCERPT]}"' for text in texts[:_MOST_NAMED])
    more = f" and {len(texts) - _MOST_NAMED} more" if len(texts) > _MOST_NAMED else ""
    return f"{pointer or '/'}: {found} of {found + len(texts)}; the page also {verb} {named}{more}"


@dataclass(slots=True)
class _List:
    """A list of the data: its path, the words that each element says, and its record's number (None: of no record)."""

    steps: Steps
    elements: list[list[str]]
    record: int | None
    families: dict[int, dict[int, int]] = field(default_factory=dict[int, dict[int, int]])


def find_short_lists(
    data: JsonValue,
    html: str,
    *,
    schema: Schema | None,
    records: Steps | None = None,
    removed: Collection[JsonValue] = (),
    is_shown: Callable[[str], bool] = bool,
) -> list[ShortList]:
    """Give the lists and maps of a result that lack elements which the page shows as siblings of those they have.

    One that is empty lacks what stands in its record as the elements of the other records' lists do. ``records`` is the
    path of the list of records, which has an account of its own. ``removed`` are values that the proof has taken out:
    they were there. ``is_shown`` tells whether a text stands in the part of the page that was read.
    """
    views = SchemaViews(schema)
    lists = [
        _List(steps, [_said_by(one) for one in value], _record_of(steps, records))
        for steps, value in _lists_in(data, views)
        if steps != records and not views.is_full(field_at(steps), len(value))
    ]
    if not any(one.elements for one in lists):
        return []
    page = _Page(parse_html(html), is_shown)
    gone = {_words(str(value)) for value in removed}
    starts = _starts_of_records(page, _at(data, records or ())) if records is not None else []
    found: list[ShortList] = []
    for each in _by_field(lists):
        for one in each:
            one.families = page.families(one.elements, _region(one.record, starts, page.count))
        looks = Counter(look for one in each for look in {page.looks(parent) for parent in one.families})
        homes = Counter(page.kind_of(best) for one in each if (best := _best(page, one)) is not None)
        for one in each:
            around = data if one.record is None else _at(data, records or ())[one.record]  # type: ignore[index,call-overload]
            known = {_words(str(value)) for value in _scalars(around)} | gone
            if one.elements:
                missing = _missing(page, one, looks, known - {""})
            else:
                missing = _left_out(page, _region(one.record, starts, page.count), homes, known - {""})
            if missing:
                found.append(ShortList(pointer_of(one.steps), len(one.elements), tuple(missing)))
    return _but_for_templates(found, {text for one in lists for element in one.elements for text in element})


def _best(page: "_Page", one: _List) -> int | None:
    """Give the first item of the element whose children state most of a list's elements."""
    best = min(one.families, key=lambda parent: (-len(one.families[parent]), page.sizes[parent]), default=None)
    return None if best is None or len(one.elements) > 2 * len(one.families[best]) else min(one.families[best])


def _left_out(page: "_Page", region: tuple[int, int], homes: Counter[Hashable], known: set[str]) -> list[str]:
    """Give what stands in a record as nearly all other records' lists do, where the record's own list is empty."""
    kind, count = max(homes.items(), key=lambda home: home[1], default=(None, 0))
    if count < max(_LEAST_LIKE_IT, _MOSTLY * homes.total()) or region == (0, page.count):
        return []
    found = [at for at in range(*region) if page.words[at] and page.kind_of(at) == kind]
    return [page.text(at) for at in found if page.says_anew(at, known)]


def _missing(page: "_Page", one: _List, looks: Mapping[tuple[str, ...], int], known: set[str]) -> list[str]:
    """Give the texts of the siblings of a list's elements that are none, of those families that hold most of it."""
    ranked = sorted(one.families, key=lambda parent: (-len({*one.families[parent].values()}), page.sizes[parent]))
    if not ranked:
        return []
    best = ranked[0]
    is_alone = len({*one.families[best].values()}) < _LEAST_IN_A_FAMILY
    if is_alone and (len(one.elements) > 1 or looks[page.looks(best)] < _LEAST_IN_A_FAMILY):
        return []
    left = {*range(len(one.elements))}
    chosen: list[int] = []
    for parent in ranked:
        own = {*one.families[parent].values()}
        if page.looks(parent) == page.looks(best) and own & left:
            chosen.append(parent)
            left -= own
    items = {item for parent in chosen for item in one.families[parent]}
    longest = max(_SHORT, _MOST_TIMES_AS_LONG * max(len(page.words[item]) for item in items))
    others = [
        other
        for parent in chosen
        for other in page.siblings(parent, items)
        if len(page.words[other]) <= longest and page.says_anew(other, known)
    ]
    is_a_part = len(items) < _LEAST_MATCHED * (len(items) + len(others))
    return [] if is_a_part else [page.text(other) for other in others]


def _share(text: str, said: str) -> bool:
    """Tell whether a text is a value of the data, or a part of one, or says little more than one."""
    return f" {text} " in f" {said} " or (f" {said} " in f" {text} " and len(said) >= _NEARLY_ALL * len(text))


def _but_for_templates(found: Sequence[ShortList], given: Collection[str]) -> list[ShortList]:
    """Leave out what several lists lack alike and none has: the template's words, such as "More"."""
    counts = Counter(text for one in found for text in {*one.missing})
    kept = ((one, tuple(text for text in one.missing if counts[text] == 1 or _words(text) in given)) for one in found)
    return [ShortList(one.pointer, one.count, missing) for one, missing in kept if missing]


class _Page:
    """The elements of a page in order, what each says, and which of them are siblings of one tag."""

    def __init__(self, root: HtmlElement, is_shown: Callable[[str], bool]) -> None:
        self._is_shown = is_shown
        etree.strip_elements(root, *_UNSEEN, with_tail=False)
        self._elements = list(root.iter(etree.Element))
        self.count = len(self._elements)
        places = {one: at for at, one in enumerate(self._elements)}
        self._parents = [-1 if (up := one.getparent()) is None else places[up] for one in self._elements]
        self.sizes = [0] * self.count
        self.words = [""] * self.count
        self._index: dict[str, list[int]] = {}
        self._read()
        tags = Counter((self._parents[at], one.tag) for at, one in enumerate(self._elements))
        self._items = {at for at, one in enumerate(self._elements) if tags[self._parents[at], one.tag] > 1}

    def _read(self) -> None:
        texts = ["".join(_pieces(one)) for one in self._elements]
        for at in range(self.count - 1, -1, -1):
            self.sizes[at] += len(texts[at])
            if (up := self._parents[at]) >= 0:
                self.sizes[up] += self.sizes[at]
        for at, one in enumerate(self._elements):
            if 0 < self.sizes[at] <= _LONGEST_ITEM:
                self.words[at] = _words(" ".join(map(str, one.itertext())))
                for word in {*self.words[at].split()}:
                    self._index.setdefault(word, []).append(at)

    def families(self, elements: Sequence[list[str]], region: tuple[int, int]) -> dict[int, dict[int, int]]:
        """Give by parent the children that state an element each, with the element's number."""
        found: dict[int, dict[int, int]] = {}
        for number, said in enumerate(elements):
            for item in self._stating(said, region):
                own = found.setdefault(self._parents[item], {})
                if item not in own and (number not in own.values()):
                    own[item] = number
        return found

    def _stating(self, said: Sequence[str], region: tuple[int, int]) -> Iterator[int]:
        """Give the items that state the first text of an element and at least half of them all."""
        count = 0
        for item in self._around(said[0] if said else "", region[0]):
            text = f" {self.words[item]} "
            if item >= region[1] or count == _MOST_MATCHED_NODES:
                return
            if item in self._items and 2 * sum(f" {one} " in text for one in said) >= len(said):
                count += 1
                yield item

    def _around(self, said: str, start: int) -> Iterator[int]:
        """Give the elements from a place on that state a text, in order."""
        found = min((self._index.get(word, []) for word in said.split()), key=len, default=[])
        for at in islice(found, bisect_left(found, start), None):
            if f" {said} " in f" {self.words[at]} ":
                yield at

    def first(self, said: str, start: int) -> int | None:
        """Give the first element from a place on that states a text and holds no other which does."""
        last: int | None = None
        for at in self._around(said, start):
            if last is not None and self._parents[at] != last:
                break
            last = at
        return last

    def siblings(self, parent: int, items: Collection[int]) -> Iterator[int]:
        """Give the other children of a parent that are built like items of it, and say something."""
        builds = {self._build(item) for item in items if self._parents[item] == parent}
        for at in range(parent + 1, self.count):
            if self._parents[at] < parent:
                return
            if self._parents[at] == parent and at not in items and self.words[at] and self._build(at) in builds:
                yield at

    def _build(self, at: int) -> tuple[str, str, frozenset[str]]:
        element = self._elements[at]
        tags = frozenset(str(one.tag) for one in element.iterdescendants(etree.Element))
        return str(element.tag), element.get("class") or "", tags

    def kind_of(self, at: int) -> Hashable:
        """Give what items of one list in different records have in common: their tag and class, and their parent's."""
        element, parent = self._elements[at], self._parents[at]
        own = str(element.tag), element.get("class") or ""
        return (*own, *self.looks(parent)) if parent >= 0 else own

    def looks(self, parent: int) -> tuple[str, ...]:
        """Give what like parents have in common: their tag and class."""
        element = self._elements[parent]
        return str(element.tag), element.get("class") or ""

    def says_anew(self, at: int, known: Collection[str]) -> bool:
        """Tell whether an element says what is none of the values known, in the part of the page that was read."""
        if any(_share(self.words[at], said) for said in known):
            return False
        return self._is_shown(next(filter(str.strip, map(str, self._elements[at].itertext())), "").strip())

    def text(self, at: int) -> str:
        """Give what an element says."""
        return " ".join(" ".join(map(str, self._elements[at].itertext())).split())


def _pieces(element: HtmlElement) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield child.tail or ""


def _starts_of_records(page: _Page, records: JsonValue) -> list[int | None]:
    """Give where on the page each record is named, in the order of the records."""
    starts: list[int | None] = []
    reached = 0
    for record in records if isinstance(records, list) else ():
        said = _said_by(record)
        at = page.first(said[0], reached) if said else None
        reached = reached if at is None else at
        starts.append(at)
    return starts


def _region(record: int | None, starts: Sequence[int | None], count: int) -> tuple[int, int]:
    """Give where a list may stand: from its record's name to the next one's; anywhere for a list of no record."""
    if record is None or record >= len(starts):
        return 0, count
    start = starts[record]
    if start is None:
        return 0, 0
    known = sorted({at for at in starts if at is not None})
    following = bisect_right(known, start)
    return start, known[following] if following < len(known) else count


def _by_field(lists: Sequence[_List]) -> list[list[_List]]:
    groups: dict[tuple[str, ...], list[_List]] = {}
    for one in lists:
        groups.setdefault(field_at(one.steps), []).append(one)
    return list(groups.values())


def _lists_in(data: JsonValue, views: SchemaViews) -> Iterator[tuple[Steps, list[JsonValue]]]:
    """Give the lists of a result by their paths, and the maps, as lists of names with what they stand for."""
    stack: list[tuple[Steps, JsonValue]] = [((), data)]
    while stack:
        steps, value = stack.pop()
        if isinstance(value, list):
            yield steps, value
        elif isinstance(value, dict) and _is_map(steps, views):
            yield steps, [{"name": name, "value": one} for name, one in value.items()]
        inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
        stack.extend(((*steps, key), one) for key, one in inner if isinstance(one, dict | list))


def _is_map(steps: Steps, views: SchemaViews) -> bool:
    """Tell whether the schema leaves the names of an object's members to the page, and types their values."""
    schemas = views.of(field_at(steps))
    typed = any(isinstance(schema.get("additionalProperties"), Mapping) for schema in schemas)
    return typed and not any(schema.get("properties") for schema in schemas)


def _record_of(steps: Steps, records: Steps | None) -> int | None:
    if records is None or len(steps) <= len(records) or steps[: len(records)] != records:
        return None
    number = steps[len(records)]
    return number if isinstance(number, int) else None


def _at(data: JsonValue, steps: Steps) -> JsonValue:
    for step in steps:
        if isinstance(data, dict):
            data = data.get(str(step))
    return data


def _said_by(element: JsonValue) -> list[str]:
    """Give the words of an element: of its texts first, then of its numbers; none of lists inside."""
    values = list(element.values()) if isinstance(element, dict) else [element]
    texts = [_words(value) for value in values if isinstance(value, str)]
    figures = [
        _words(f"{value:g}") for value in values if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    return [one for one in (*texts, *figures) if one]


def _scalars(value: JsonValue) -> Iterator[JsonValue]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
