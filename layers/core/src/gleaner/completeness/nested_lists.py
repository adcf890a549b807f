"""Whether the lists beside and inside the records hold all that the page shows of their kind (CM-1). Pure.

An order has its rows, a recipe its ingredients, a review its replies. On the page they are siblings: children of one
element, or of several alike, each of which states one of the list's elements. A sibling of the same build that states
none of them is an element which the list lacks. A menu, a heading or a count of comments is no sibling of theirs.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from typing import Any

from gleaner.completeness.likeness import kinds_stated
from gleaner.completeness.page_elements import PageElements, words_of
from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.ports import JsonValue
from gleaner.page.model import NodeRange, Page
from gleaner.schemas.leaves import Schema, SchemaViews, Steps, field_at, types_of
from gleaner.values import locales

_LEAST_MATCHED = 1 / 3
_LEAST_IN_A_FAMILY = 2
_MOST_TIMES_AS_LONG, _SHORT = 3, 40
"""An element is at most so many times as long as the longest that is known, or short."""

_LEAST_LIKE_IT = 2
_MOSTLY = 0.6
_HALF = 0.5
_OF_ITEMS = 0.25
_FIGURE = re.compile(r"\d")
_MOST_LOOKED_AT = 50
_MOST_NAMED = 3
_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class ShortList:
    """A list with fewer elements than the page has items like theirs.

    ``missing`` are the texts of the others, ``leads`` the first piece of each; ``record`` is the number of the one that
    holds the list.
    """

    pointer: str
    count: int
    missing: tuple[str, ...]
    leads: tuple[str, ...] = ()
    record: int | None = None

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
    """A list of the data: its path, the words that each element says, and where on the page it stands.

    ``owner`` numbers the record or object that holds it, ``known`` are the words of that one's values. ``others`` are
    the siblings of its elements, if these hold lists in turn, in which none stands.
    """

    steps: Steps
    elements: list[list[str]]
    region: NodeRange | None
    known: set[str]
    others: dict[int, NodeRange] = field(default_factory=dict[int, NodeRange])
    families: dict[int, dict[int, int]] = field(default_factory=dict[int, dict[int, int]])

    def best(self, page: PageElements) -> dict[int, int]:
        """Give the items, children of one element, that state most of the list's elements."""
        ranked = sorted(self.families, key=lambda parent: (-len(self.families[parent]), page.sizes[parent]))
        return self.families[ranked[0]] if ranked else {}


def find_short_lists(
    data: JsonValue,
    page: Page,
    *,
    schema: Schema | None,
    records: Steps | None = None,
    removed: Collection[JsonValue] = (),
    is_shown: Callable[[str], bool] = bool,
) -> list[ShortList]:
    """Give the lists and maps of a result that lack elements which the page shows as siblings of those they have.

    One that is empty lacks what stands in its record as the elements of the other records' lists do; one that is empty
    in all records, what repeats in them and no value says. ``records`` is the path of the list of records, which has an
    account of its own. ``removed`` are values that the proof has taken out: they were there. ``is_shown`` tells whether
    a text stands in the part of the page that was read.
    """
    views = SchemaViews(schema)
    if not any(steps != records for steps, _ in _lists_in(data, views)):
        return []
    elements = PageElements(deepcopy(page.tree), is_shown)
    gone = {words_of(str(value)) for value in removed}
    lists = list(_Walk(elements, views, gone).lists(data))
    given = {text for one in lists for element in one.elements for text in element}
    return [
        ShortList(
            pointer_of(one.steps),
            len(one.elements),
            tuple(map(elements.text, missing)),
            tuple(map(elements.lead, missing)),
            _record_of(one.steps, records),
        )
        for one, missing in _but_for_templates(elements, list(_lacks(elements, lists, records, views)), given)
        if not views.is_full(field_at(one.steps), len(one.elements))
    ]


def _lacks(
    page: PageElements, lists: Sequence[_List], records: Steps | None, views: SchemaViews
) -> Iterator[tuple[_List, list[int]]]:
    """Give what each list lacks; the list of records only those siblings of theirs that hold lists as they do."""
    kinds: Counter[Hashable] = Counter()
    for each in _by_field(one for one in lists if one.steps != records):
        if any(one.elements for one in each):
            kinds += (homes := _homes(page, each))
            yield from ((one, _missing(page, one, homes) or _unnamed(page, one)) for one in each)
        else:
            yield from _in_none(page, each, has_figures=_has_figures(views.of((*field_at(each[0].steps), "*"))))
    for one in lists:
        if one.steps == records:
            holding = {
                at for at, place in one.others.items() if kinds.keys() & set(map(page.kind_of, page.in_region(place)))
            }
            yield one, [at for at in _unnamed(page, one) if at in holding]


def _record_of(steps: Steps, records: Steps | None) -> int | None:
    if records is None or len(steps) <= len(records) or steps[: len(records)] != records:
        return None
    number = steps[len(records)]
    return number if isinstance(number, int) else None


def _homes(page: PageElements, lists: Sequence[_List]) -> Counter[Hashable]:
    """Match the elements of a field's lists, and count what kinds of items state most of a list each."""
    for one in lists:
        one.families = page.families(one.elements, one.region) if one.region else {}
    bests = [(one, best) for one in lists if (best := one.best(page))]
    return Counter(page.kind_of(min(best)) for one, best in bests if len(one.elements) <= 2 * len(best))


def _missing(page: PageElements, one: _List, homes: Counter[Hashable]) -> list[int]:
    """Give the siblings of a list's elements that are none of its own, of those families that hold most of it."""
    kind, count = max(homes.items(), key=lambda home: home[1], default=(None, 0))
    is_usual = count >= max(_LEAST_LIKE_IT, _MOSTLY * homes.total())
    if not one.elements:
        found = page.in_region(one.region) if is_usual and one.region and one.region != (0, page.count) else ()
        return [
            at for at in found if page.kind_of(at) == kind and not page.is_part(at) and page.says_anew(at, one.known)
        ]
    best = one.best(page)
    if len(best) < _LEAST_IN_A_FAMILY:
        usual = (family for family in one.families.values() if is_usual and page.kind_of(min(family)) == kind)
        best = next(usual, {})
    if not best:
        return []
    looks = page.looks(page.parent(min(best)))
    chosen: list[dict[int, int]] = []
    left = {*range(len(one.elements))}
    for parent, family in sorted(one.families.items(), key=lambda item: (-len(item[1]), page.sizes[item[0]])):
        if page.looks(parent) == looks and {*family.values()} & left:
            chosen.append(family)
            left -= {*family.values()}
    items = {item for family in chosen for item in family}
    longest = max(_SHORT, _MOST_TIMES_AS_LONG * max(len(page.words[item]) for item in items))
    siblings = [
        other
        for family in chosen
        for other in page.siblings(family, one.region or (0, page.count))
        if other not in items
    ]
    if page.is_part(min(items)):
        siblings = _joined(page, items, siblings)
    others = [at for at in siblings if len(page.words[at]) <= longest and page.says_anew(at, one.known)]
    own = {text for element in one.elements for text in element}
    is_mixed = sum(any(page.states(at, said) for said in one.known - own) for at in siblings) >= len(items)
    is_a_part = len(items) < _LEAST_MATCHED * (len(items) + len(others))
    return [] if is_a_part or is_mixed else others


def _joined(page: PageElements, items: Collection[int], others: Sequence[int]) -> list[int]:
    """Give the parts of a line that go on with a list's elements: up to one that states other things, or "et al."."""
    said = [page.text(item) for item in items]
    by_most, by_any = kinds_stated(said)
    shortest, longest = min(map(len, said)) / 2, _MOST_TIMES_AS_LONG * max(map(len, said))

    def goes_on(at: int) -> bool:
        text = page.text(at)
        is_like = by_most <= kinds_stated([text])[0] <= by_any and shortest <= len(text) <= longest
        return is_like and not _and_so_on().search(text)

    first, last = min(items), max(items)
    ordered = sorted(others)
    before = takewhile(goes_on, (at for at in reversed(ordered) if at < first))
    between = filter(goes_on, (at for at in ordered if first < at < last))
    behind = takewhile(goes_on, (at for at in ordered if at > last))
    return [*before, *between, *behind]


@cache
def _and_so_on() -> re.Pattern[str]:
    words = "|".join(sorted(locales.words("and_so_on")))
    return re.compile(rf"\b(?:{words})\b|…|\.\.\.", re.IGNORECASE)


def _has_figures(elements: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the elements of a list are objects with a number beside other values."""
    return any(
        kind in ("number", "integer")
        for schema in elements
        if len(schema.get("properties") or ()) > 1
        for inner in schema["properties"].values()
        if isinstance(inner, Mapping)
        for kind in types_of(inner)
    )


def _in_none(page: PageElements, lists: Sequence[_List], *, has_figures: bool = False) -> list[tuple[_List, list[int]]]:
    """Give what repeats in records (or an object) whose lists are all empty and no value says, if it may be theirs.

    It may be if its class has the field's name, or if such things are most of what several records say. A quarter is
    enough where the list's elements have a figure, and the page marks those as items or rows, with a figure in each.
    """
    placed = [(one, one.region) for one in lists[:_MOST_LOOKED_AT] if one.region]
    name = next((step for step in reversed(field_at(lists[0].steps)) if step != "*"), "")
    unsaid: dict[Hashable, dict[int, list[int]]] = {}
    for number, (one, region) in enumerate(placed):
        for at in page.in_region(region):
            if len(placed) == 1 and not page.is_called(name, at):
                continue
            if page.says_anew(at, one.known):
                unsaid.setdefault(page.kind_of(at), {}).setdefault(number, []).append(at)
    usual = [kind for kind, found in unsaid.items() if _is_list_like(page, found, len(placed))]
    named = [kind for kind in usual if page.is_called(name, next(iter(unsaid[kind].values()))[0])]
    said = {kind: sum(page.sizes[at] for each in unsaid[kind].values() for at in each) for kind in usual}
    tops = page.outermost(at for kind in usual for each in unsaid[kind].values() for at in each)
    is_alike = has_figures and all(page.is_item(at) and _FIGURE.search(page.words[at]) for at in tops)
    share = _OF_ITEMS if is_alike else _HALF
    is_most = len(placed) > 1 and sum(page.sizes[at] for at in tops) > share * sum(
        page.size(region) for _, region in placed
    )
    best = max(named or (usual if is_most else ()), key=said.__getitem__, default=None)
    return [] if best is None else [(placed[number][0], missing) for number, missing in unsaid[best].items()]


def _is_list_like(page: PageElements, found: Mapping[int, Sequence[int]], count: int) -> bool:
    """Tell whether a kind of elements stands in most records, in some of them twice, and seldom says the same."""
    texts = [page.words[at] for each in found.values() for at in each]
    return len(texts) > len(found) >= max(min(_LEAST_LIKE_IT, count), _MOSTLY * count) and len({*texts}) > _HALF * len(
        texts
    )


def _unnamed(page: PageElements, one: _List) -> list[int]:
    """Give the siblings of elements that hold lists, which no element names."""
    return [other for other in one.others if page.says_anew(other, one.known)]


def _but_for_templates(
    page: PageElements, found: Sequence[tuple[_List, list[int]]], given: Collection[str]
) -> Iterator[tuple[_List, list[int]]]:
    """Leave out what several lists lack alike and none has: the template's words, such as "More"."""
    counts = Counter(text for _, missing in found for text in {page.words[at] for at in missing})
    for one, missing in found:
        kept = [at for at in missing if counts[page.words[at]] == 1 or page.words[at] in given]
        if kept:
            yield one, kept


@dataclass(frozen=True, slots=True)
class _Walk:
    """The way through a result, with the place on the page of each list's elements."""

    page: PageElements
    views: SchemaViews
    gone: Collection[str]

    def lists(self, data: JsonValue) -> Iterator[_List]:
        """Give the lists of a result."""
        whole = (0, self.page.count)
        return self._lists(data, (), whole, {words_of(str(value)) for value in _scalars(data)} | {*self.gone})

    def _lists(self, value: JsonValue, steps: Steps, region: NodeRange | None, known: set[str]) -> Iterator[_List]:
        if isinstance(value, dict) and not _is_map(steps, self.views):
            for name, inner in value.items():
                yield from self._lists(inner, (*steps, name), region, known)
        elif isinstance(value, dict | list):
            elements = _elements(value)
            one = _List(steps, [_said_by(element) for element in elements], region, known - {""})
            if region is not None and any(True for each in elements for _ in _lists_in(each, self.views, (*steps, 0))):
                values = [{words_of(str(scalar)) for scalar in _scalars(element)} for element in elements]
                placed = self.page.records(one.elements, values, region)
                one.others = placed.others
                for at, (element, place) in enumerate(zip(elements, placed.regions, strict=True)):
                    yield from self._lists(element, (*steps, at), place, values[at] | {*self.gone})
            yield one


def _elements(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return [{"name": name, "value": one} for name, one in value.items()]
    return value if isinstance(value, list) else []


def _by_field(lists: Iterator[_List]) -> list[list[_List]]:
    groups: dict[tuple[str, ...], list[_List]] = {}
    for one in lists:
        groups.setdefault(field_at(one.steps), []).append(one)
    return list(groups.values())


def _lists_in(data: JsonValue, views: SchemaViews, at: Steps = ()) -> Iterator[tuple[Steps, JsonValue]]:
    """Give the lists of a result by their paths, and the maps."""
    stack: list[tuple[Steps, JsonValue]] = [(at, data)]
    while stack:
        steps, value = stack.pop()
        if isinstance(value, list) or (isinstance(value, dict) and _is_map(steps, views)):
            yield steps, value
        inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
        stack.extend(((*steps, key), one) for key, one in inner if isinstance(one, dict | list))


def _is_map(steps: Steps, views: SchemaViews) -> bool:
    """Tell whether the schema leaves the names of an object's members to the page, and types their values."""
    schemas = views.of(field_at(steps))
    typed = any(isinstance(schema.get("additionalProperties"), Mapping) for schema in schemas)
    return typed and not any(schema.get("properties") for schema in schemas)


def _said_by(element: JsonValue) -> list[str]:
    """Give the words of an element: of its texts first, then of its numbers; none of lists inside."""
    values = list(element.values()) if isinstance(element, dict) else [element]
    texts = [words_of(value) for value in values if isinstance(value, str)]
    figures = [
        words_of(f"{value:g}") for value in values if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    return [one for one in (*texts, *figures) if one]


def _scalars(value: JsonValue) -> Iterator[JsonValue]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value
