"""Signs that a list continues elsewhere: "and 12 others", "Load more", a next page, a closed tab.

A number makes the result short of records ("6 of 18"); a sign without one is a warning. What stands inside of one item
of several ("+3 more" colours of one card) is about that item.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from gleaner.contracts.models import Completeness, ExtractionResult
from gleaner.contracts.word_lists import any_word, listed, words_in
from gleaner.html.layout import collapse
from gleaner.markdown.boilerplate_signs import words_of
from gleaner.page.blocks import blocks_of
from gleaner.page.model import Layer, Nodes
from gleaner.page.paging_words import says_all, says_more, says_next
from gleaner.units.listing_words import ANOTHER, NOUN, OTHERS
from gleaner.units.totals import NO_LISTING

Kind: TypeAlias = Literal["counted", "remainder", "more", "next", "tab"]

_LEAD = rf"{any_word('paging_words', 'leads')}\s+"
_REMAINDER = re.compile(
    rf"(?:{_LEAD})?(?:\+\s?)?(?P<count>\d{{1,6}})\s+(?P<noun>\w+\s+)?{OTHERS}(?P<nouns>(?:\s+\w+){{0,2}})"
    rf"|(?:{_LEAD})?{ANOTHER}\s+(?P<another>\d{{1,6}})(?P<things>(?:\s+\w+){{0,2}})"
    rf"|{any_word('paging_words', 'others_unspaced')}\s?(?P<other>\d{{1,6}})\s?(?:件|条|條|個|个|건|개)",
    re.IGNORECASE,
)
_ELLIPSES = ("…", "...")
_OTHER_PAGES = re.compile(r"the rest may be on other pages\.$")
_SAYS_MORE = re.compile(r"The listing has |This is page |\d+ of \d+ records")
ROOM_MARK = "data-gleaner-room"
"""The attribute by which the renderer tells of a list that draws only what is in view how many rows it has room for."""
_LONGEST_SIGN = 48
_MOST_SIGNS = 2
_LEAST_ITEMS = 3
_MOST_ANCESTORS = 12
_LEAST_TAB = 20
_NO_LISTS = listed("menu menubar tablist listbox radiogroup tree toolbar")
_UNREAD = listed("script style template noscript head title textarea option select code pre")
_LABELS = ("aria-label", "title")
_SEEN: frozenset[Layer] = frozenset(("content", "chrome"))
"""Where signs are looked for: what one click unfolds goes on elsewhere by itself."""

_CELL_ROLES = ("cell", "gridcell", "rowheader")
_ITEM_ROLES = ("listitem", "article", "row", "gridcell")
_BESIDE = listed("nav aside footer")
_FACETS = listed("filter filters facet facets refinement refinements sidebar")
_NO_NOUNS = words_in("paging_words", "no_things")
_RECORDS = re.compile(NOUN, re.IGNORECASE)
_STEM = 5


@dataclass(frozen=True, slots=True)
class Continuation:
    """One sign: what it says, the ``total`` of the list by the page's markup, how many of it are ``shown``, or how
    many records are ``more`` than those shown; ``nouns`` are what it calls them."""

    kind: Kind
    text: str
    total: int = 0
    shown: int = 0
    more: int = 0
    nouns: tuple[str, ...] = ()


def find_continuations(nodes: Nodes) -> tuple[Continuation, ...]:
    """Give the signs of a page that its lists go on; menus and the like are looked at, too."""
    signs = [*_counted(nodes), *_texts(nodes), *_tabs(nodes)]
    if not any(sign.kind == "next" for sign in signs) and any(_is_next(nodes, at) for at in range(len(nodes))):
        signs.append(Continuation("next", "rel=next"))
    return tuple(signs)


def _is_next(nodes: Nodes, at: int) -> bool:
    attributes = nodes.attributes[at]
    if not attributes or "rel" not in attributes or nodes.tags[at] not in ("link", "a"):
        return False
    return "next" in attributes["rel"].lower().split() and bool(attributes.get("href"))


def _counted(nodes: Nodes) -> Iterator[Continuation]:
    """Give the lists whose markup counts more items than there are, or that have room for more as one scrolls."""
    items: dict[tuple[int, int], int] = {}
    rest: list[Continuation] = []
    for at, attributes in enumerate(nodes.attributes):
        if not attributes:
            continue
        if "aria-setsize" in attributes:
            parent = nodes.parents[at]
            role = nodes.get(parent, "role") if parent >= 0 else None
            if role not in _NO_LISTS and attributes.get("role", "listitem") in _ITEM_ROLES:
                key = parent, _number(attributes["aria-setsize"])
                items[key] = items.get(key, 0) + 1
        if ROOM_MARK in attributes:
            shown, total = map(_number, attributes[ROOM_MARK].partition("/")[::2])
            if total > shown > 0:
                rest.append(
                    Continuation("counted", f"a list as high as {total:,} of its rows", total=total, shown=shown)
                )
        if "aria-rowcount" in attributes:
            rest += _counted_rows(nodes, at)
    for (_, total), shown in items.items():
        if total > shown:
            yield Continuation("counted", f"aria-setsize={total}", total=total, shown=shown)
    yield from rest


def _counted_rows(nodes: Nodes, table: int) -> Iterator[Continuation]:
    rows = [at for at in range(table, nodes.ends[table]) if nodes.tags[at] == "tr" or nodes.get(at, "role") == "row"]
    heads = sum(_is_head_row(nodes, row) for row in rows)
    total = _number(nodes.get(table, "aria-rowcount"))
    if total > len(rows):
        yield Continuation("counted", f"aria-rowcount={total}", total=total - heads, shown=len(rows) - heads)


def _is_head_row(nodes: Nodes, row: int) -> bool:
    """Tell whether a row has heads alone; what is neither head nor cell, as a filler, does not count."""
    cells = [one for one in nodes.children(row) if nodes.tags[one] == "td" or nodes.get(one, "role") in _CELL_ROLES]
    heads = [one for one in nodes.children(row) if _is_head(nodes, one)]
    return bool(heads) and len(heads) == len({*cells, *heads})


def _is_head(nodes: Nodes, cell: int) -> bool:
    return nodes.tags[cell] == "th" or nodes.get(cell, "role") == "columnheader"


def _number(text: str | None) -> int:
    return int(text) if text and text.strip().isascii() and text.strip().isdigit() else 0


def _texts(nodes: Nodes) -> Iterator[Continuation]:
    """Give the signs that are whole texts, but for those that many parts of the page have."""
    found: dict[Kind, list[Continuation]] = {"remainder": [], "more": [], "next": []}
    items = _Items(nodes)
    for at, tag in enumerate(nodes.tags):
        if tag in _UNREAD or nodes.layers[at] not in _SEEN:
            continue
        sign = _sign_at(nodes, at, tag)
        if sign is None or len(found[sign.kind]) > _MOST_SIGNS or items.hold(at):
            continue
        if sign.more and any(_is_beside(nodes, one) for one in (at, *nodes.ancestors(at))):
            continue
        found[sign.kind].append(sign)
    for signs in found.values():
        if len(signs) <= _MOST_SIGNS:
            yield from signs[:1]


def _sign_at(nodes: Nodes, at: int, tag: str) -> Continuation | None:
    is_control = tag in ("a", "button")
    for text in (nodes.texts[at], *((nodes.get(at, name) for name in _LABELS) if is_control else ())):
        sign = _sign_of(text) if text and len(text) <= 4 * _LONGEST_SIGN else None
        if sign is not None and (sign.kind != "next" or (is_control and _leads_on(nodes, at))):
            return sign
    return None


def _is_beside(nodes: Nodes, part: int) -> bool:
    """Tell whether a part of a page holds no records, but what narrows them: "+5 more" brands."""
    named = f"{nodes.get(part, 'class') or ''} {nodes.get(part, 'id') or ''}"
    return nodes.tags[part] in _BESIDE or not _FACETS.isdisjoint(words_of(named))


def _leads_on(nodes: Nodes, control: int) -> bool:
    """Tell whether a link or a button can be followed: on the last page "Next" leads nowhere."""
    is_off = nodes.get(control, "disabled") is not None or nodes.get(control, "aria-disabled") == "true"
    return not is_off and (nodes.tags[control] == "button" or bool(nodes.get(control, "href")))


@lru_cache(maxsize=4096)
def _sign_of(text: str) -> Continuation | None:
    plain = collapse(text)
    if not 0 < len(plain) <= _LONGEST_SIGN:
        return None
    if (match := _REMAINDER.fullmatch(plain)) and not NO_LISTING.search(plain):
        said = " ".join(filter(None, match.group("noun", "nouns", "things"))).casefold().split()
        nouns = tuple(word for word in said if word not in _NO_NOUNS)
        [more] = filter(None, match.group("count", "another", "other"))
        return Continuation("remainder", plain, more=int(more), nouns=nouns)
    if plain in _ELLIPSES or says_more(plain) or says_all(plain):
        return Continuation("more", plain)
    return Continuation("next", plain) if says_next(plain) else None


class _Items:
    """The like parts of a page; each parent's children are compared once, and each part is measured once."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._looks: dict[int, Counter[tuple[str, str | None]]] = {}
        self._sizes: dict[int, int] = {}

    def hold(self, at: int) -> bool:
        """Tell whether an element lies in one of several like parts of the page, beside other text."""
        nodes, part = self._nodes, at
        for _ in range(_MOST_ANCESTORS):
            parent = nodes.parents[part]
            if parent < 0 or nodes.tags[part] == "body":
                return False
            if parent not in self._looks:
                self._looks[parent] = Counter(map(self._look, nodes.children(parent)))
            if self._looks[parent][self._look(part)] >= _LEAST_ITEMS and self._size(part) > self._size(at):
                return True
            part = parent
        return False

    def _look(self, at: int) -> tuple[str, str | None]:
        return self._nodes.tags[at], self._nodes.get(at, "class")

    def _size(self, at: int) -> int:
        if at not in self._sizes:
            self._sizes[at] = len(collapse(self._nodes.text(at, _SEEN)))
        return self._sizes[at]


def _tabs(nodes: Nodes) -> Iterator[Continuation]:
    """Give the first tab that is not open and was not read: what one click shows is."""
    for at, attributes in enumerate(nodes.attributes):
        if nodes.layers[at] == "hidden" and attributes and attributes.get("role") == "tabpanel":
            said = collapse(nodes.text(at, ("hidden",)))
            if len(said) >= _LEAST_TAB:
                yield Continuation("tab", attributes.get("aria-label") or said[:_LONGEST_SIGN])
                return


def is_about_other_pages(warning: str) -> bool:
    """Tell whether a warning is about what other pages of the listing hold, and no fault of this one's records."""
    return bool(_SAYS_MORE.match(warning) or _OTHER_PAGES.search(warning))


def warn_of_more_pages(extraction: ExtractionResult, signs: Sequence[Continuation], markdown: str = "") -> None:
    """Make an extraction of a list short of what a sign counts, or warn of a sign that counts nothing.

    ``markdown`` is the text that the records' places lead to. What the page states of its range ("1–20 of 240") says
    more than any of them.
    """
    completeness = extraction.completeness
    if not completeness.returned or any(map(_SAYS_MORE.match, extraction.warnings)):
        return
    short = expected_by([sign for sign in signs if _is_about_records(sign, extraction, markdown)], completeness)
    if short is not None:
        expected, sign = short
        said = f'{completeness.returned} of {expected} records were extracted: the page says "{sign.text}".'
        extraction.warnings.insert(0, said)
        update = {"expected": expected, "method": "stated_total"}
        extraction.completeness = completeness.model_copy(update=update)
        extraction.is_partial = True
    else:
        extraction.warnings += [_describe(sign) for sign in signs if sign.kind in ("more", "next", "tab")]


def _is_about_records(sign: Continuation, extraction: ExtractionResult, markdown: str) -> bool:
    """Tell whether what is more is records: called so, as the schema or a heading does; right below the last one."""
    if not sign.more:
        return True
    called = [json.dumps(extraction.schema_used, ensure_ascii=False), *blocks_of(markdown).titles]
    asked = {word[:_STEM] for text in called for word in words_of(text)}
    if sign.nouns and not any(_RECORDS.fullmatch(noun) or noun[:_STEM] in asked for noun in sign.nouns):
        return False
    ends = [entry.end for entry in extraction.provenance if entry.source == "markdown" and entry.end]
    if not ends or sign.text not in markdown:
        return True
    at = markdown.find(sign.text, max(ends))
    between = blocks_of(markdown).between(max(ends), at)
    return at >= 0 and not any(block.kind == "heading" for block in between)


def expected_by(signs: Sequence[Continuation], completeness: Completeness) -> tuple[int, Continuation] | None:
    """Give how many records there would be by what a sign counts, and the sign; None where none counts more.

    >>> expected_by([Continuation("remainder", "and 12 others", more=12)], Completeness(returned=6, method="units"))[0]
    18
    """
    accounted = completeness.returned + completeness.skipped
    for sign in signs:
        if sign.more:
            return completeness.returned + sign.more, sign
        is_about = sign.kind == "counted" and abs(sign.shown - accounted) <= max(1, sign.shown // 10)
        if is_about and sign.total > accounted:
            return sign.total - completeness.skipped, sign
    return None


def _describe(sign: Continuation) -> str:
    if sign.kind == "tab":
        return f'A tab that is not open holds text that was not read: "{sign.text}".'
    where = "has a next page" if sign.kind == "next" else "goes on behind what this page shows"
    return f"The listing {where}: the page says {sign.text!r}."
