"""Whether the lists beside and inside the records hold all that the page shows of their kind (CM-2). Pure.

The proof says where on the page each value stands, and so each element of a list; ``inner_items`` says what the page
shows of their kind. A menu, a heading or a count of comments is no sibling of theirs.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gleaner.completeness.gaps import Key
from gleaner.completeness.inner_items import InnerList, ItemCounter
from gleaner.completeness.line_parts import words_of
from gleaner.completeness.named_nulls import find_named
from gleaner.completeness.stated_values import StatedValues, members
from gleaner.contracts.json_pointers import pointer_of
from gleaner.contracts.json_text import canonical
from gleaner.contracts.ports import JsonValue
from gleaner.page.model import Page, Span
from gleaner.schemas.leaves import SchemaViews, Steps, field_at, iterate_leaves
from gleaner.values.lookups import grouped

_MOST_NAMED, _EXCERPT = 3, 60
_MOST_NULLS = 20
"""Nulls of one field that are named one by one."""

_FARTHEST = 200
"""Characters before a value of a map in which its name is looked for."""

_NO_VIEWS = SchemaViews(None)
_ADDRESS = re.compile(r"https?://\S+\Z")
_LINK = re.compile(r"\]\((?:https?:)?/")
"""A whole address as an element of a list, and where a link of the page leads to one."""


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
    values: StatedValues, page: Page, *, start: int = 0, only: Steps | None = None, in_prose: bool = False
) -> list[ShortList]:
    """Give the lists and maps of a result that lack elements which the page shows beside those they have.

    That of the records has an account of its own; ``start`` is where reading began. A list that is empty lacks what its
    object says in the place of the other objects' lists. With ``only`` that list alone is counted, and what any value
    claims is no element of it; it may stand ``in_prose``.
    """
    fields: dict[Key, list[InnerList]] = defaultdict(list)
    no_addresses: set[Key] = set()
    for steps, value, owner in values.lists:
        if only is not None and steps != only:
            continue
        one = _inner_list(values, steps, value, owner, page.text)
        may_repeat = only is None and not values.views.are_unique(field_at(steps))
        one = replace(one, are_records=only is not None, in_prose=in_prose, may_repeat=may_repeat)
        fields[field_at(steps)].append(one)
        if not isinstance(value, list) or not all(isinstance(one, str) and _ADDRESS.match(one) for one in value):
            no_addresses.add(field_at(steps))
    if not fields:
        return []
    every = sorted(place for _, place in values.claims)
    counter = ItemCounter(page, values.heads(), every)
    for name, lists in fields.items():
        inside = [one for field, some in fields.items() if field[: len(name)] == name for one in some]
        counter.count(lists, every if only is not None else _claims_but_for(values, name, inside))
        empty = {one.steps: one for one in lists if not one.count and not one.missing}
        for steps, place, said in values.unsaid(empty, page):
            empty[steps].missing[place] = said
        _leave_out_templates(lists)
        if name not in no_addresses and any(one.count for one in lists):
            _keep_links(lists, page.text)
    if counter.joined:
        fields[()] = [InnerList(values.records or (), len(values.heads()), missing=counter.joined)]
    return [
        ShortList(
            pointer_of(one.steps),
            one.count,
            tuple(missing),
            tuple(one.missing[span] for span in missing),
            values.record_of(one.steps),
        )
        for lists in fields.values()
        for one in lists
        if (missing := sorted(span for span in one.missing if span[0] >= start))
        and not values.views.is_full(field_at(one.steps), one.count)
    ]


def _keep_links(lists: Sequence[InnerList], text: str) -> None:
    """Keep what has a link, for lists of addresses: "Email: ann@site.example" is none of these."""
    for one in lists:
        found = one.missing.items()
        one.missing = {at: said for at, said in found if _LINK.search(text, max(0, at[0] - 2), at[1])}


def find_repeated(values: StatedValues) -> list[str]:
    """Say which lists beside and inside the records have elements that repeat others whose text the page states once.

    One number may well stand for several: "3 × 12" are three twelves.
    """
    told: list[str] = []
    for steps, value, _ in values.lists:
        elements = value if isinstance(value, list) else []
        places = [_longest_text(values, (*steps, key), element) for key, element in enumerate(elements)]
        stated = Counter((canonical(one), at) for one, at in zip(elements, places, strict=True) if at is not None)
        if count := stated.total() - len(stated):
            said = f"{count} of {len(elements)} elements repeat others that the page states once"
            told.append(f"{pointer_of(steps)}: {said}")
    return told


def find_unread(values: StatedValues, page: Page) -> list[str]:
    """Say which values the answer leaves null where the page says something in the place of the other objects' values,
    or beside the field's very name.

    What was refused has a reason of its own.
    """
    nulls = [steps for steps in values.nulls if steps not in values.removed]
    said: dict[Steps, str] = {}
    for steps, _, text in sorted(values.unsaid(nulls, page), key=lambda one: one[1]):
        said.setdefault(steps, text)
    told: list[str] = []
    for name, some in grouped((field_at(steps), steps) for steps in said).items():
        told += (
            f'{pointer_of(steps)} has no value; where others have it, the page says "{said[steps][:_EXCERPT]}"'
            for steps in some[:_MOST_NULLS]
        )
        if (more := len(some) - _MOST_NULLS) > 0:
            told.append(f"{pointer_of(name)} has no value in {more} more records for which the page says something")
    return [*told, *find_named(values, nulls, page)]


def _inner_list(values: StatedValues, steps: Steps, value: JsonValue, owner: JsonValue, text: str) -> InnerList:
    """Give a list with the places and words of its elements; of a map those of the names, too."""
    is_map = not isinstance(value, list)
    elements = [*members(value)] if is_map else [*enumerate(value)]
    stated = _places_of(values, steps, elements)
    names = {key: _place_of_name(str(key), place, text) for key, place in stated.items()} if is_map else {}
    named = {key: place for key, place in names.items() if place is not None}
    each = [{words_of(str(one)) for one in scalars(element)} - {""} for _, element in elements]
    return InnerList(
        steps,
        len(elements),
        [named.get(key, place) for key, place in stated.items()],
        sorted([*values.places.get(steps, []), *named.values()]) if elements else [],
        set[str]().union(*each, map(words_of, map(str, named))),
        each,
        {words_of(str(one)) for one in scalars(owner)} - {""},
        values.removed[steps] - {""},
        values.region(values.record_of(steps)),
        is_map,
    )


def _place_of_name(name: str, value: Span, text: str) -> Span | None:
    """Give where the name of an entry of a map stands: right before its value, or where the page alone says it."""
    at = text.rfind(name, max(0, value[0] - _FARTHEST), value[0])
    if at < 0 and text.count(name) == 1:
        at = text.find(name)
    return (at, at + len(name)) if name and at >= 0 else None


def _places_of(
    values: StatedValues, steps: Steps, elements: Sequence[tuple[int | str, JsonValue]]
) -> dict[int | str, Span]:
    """Give the place of each element that has one: of the field that tells most of them apart, the first of such.

    A heading may be said of several.
    """
    found: dict[Key, dict[int | str, Span]] = defaultdict(dict)
    for key, element in elements:
        for leaf in iterate_leaves(element, _NO_VIEWS):
            if places := values.places.get((*steps, key, *leaf.steps)):
                found[leaf.field].setdefault(key, places[0])
    apart = {field: len({*places.values()}) for field, places in found.items()}
    telling = found[max(apart, key=lambda field: apart[field])] if apart else {}
    stated = {key: places[0] for key, _ in elements if (places := values.places.get((*steps, key)))}
    return {key: telling.get(key, place) for key, place in stated.items()}


def _claims_but_for(values: StatedValues, name: Key, lists: Sequence[InnerList]) -> list[Span]:
    """Give the places of all other fields' values, and the first of each element of these lists.

    What else the elements say may be told in several of them: a value may be proven by another element's text.
    """
    others = {place for own, places in values.by_field.items() if own[: len(name)] != name for place in places}
    return sorted(others.union(*(one.places for one in lists)))


def _longest_text(values: StatedValues, steps: Steps, element: JsonValue) -> Span | None:
    """Give where the longest text of an element stands."""
    texts = [((), element), *(((name,), one) for name, one in members(element))]
    texts = [
        (len(one), (*steps, *way)) for way, one in texts if isinstance(one, str) and (*steps, *way) in values.places
    ]
    return values.places[max(texts)[1]][0] if texts else None


def _leave_out_templates(lists: Sequence[InnerList]) -> None:
    """Leave out what several lists lack alike and none has: the template's words, such as "More"."""
    given = set[str]().union(*(one.own for one in lists))
    counts = Counter(words for one in lists for words in {*map(words_of, one.missing.values())})
    for one in lists:
        one.missing = {
            span: text for span, text in one.missing.items() if counts[words_of(text)] == 1 or words_of(text) in given
        }


def scalars(value: JsonValue) -> Iterator[JsonValue]:
    """Give the texts and numbers in a value."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value
