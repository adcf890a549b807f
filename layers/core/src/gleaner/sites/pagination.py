"""Where a listing goes on: the pages behind one of its pages, read from that page (FP-1, FP-3).

Nothing here fetches. What counts, in this order: ``rel=next``, a control that says "next", a series of numbers in which
the open page stands beside its neighbour, an arrow, "more" or a link to the next number of this address, and last the
page's own address, when a number in it is the place of the page in the listing ("13-24 of 480" at ``?offset=12``).

What says that there is another page and has no address is named: ``Pager.unfollowed``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal
from urllib.parse import parse_qsl, urldefrag, urlsplit

from lxml.html import HtmlElement

from gleaner.contracts.word_lists import any_word, listed, words_in
from gleaner.html.dom import raw_text, visible_text
from gleaner.html.layout import collapse
from gleaner.html.links import absolute_url, base_url_of
from gleaner.page.paging_words import says_more, says_next
from gleaner.sites.addresses import same_page, site_of
from gleaner.sites.controls import LEVELS, LONGEST_LABEL, Control, code_words, controls_of, is_of_slides, like_address
from gleaner.sites.overlaps import Shown
from gleaner.sites.page_numbers import best_series, is_next_number, is_page_name
from gleaner.sites.page_turns import turning_target
from gleaner.units.listing_words import NOUN, PAGE
from gleaner.units.totals import stated_page

How = Literal["rel", "numbers", "control", "address"]

_SIGNS = frozenset({"›", "»", "»»", "→", ">", ">>", "⟩", "▶", "►", "❯", "⏵", "chevron_right", "arrow_forward"})
_DRAWN, _ONWARDS = listed("chevron arrow angle caret"), listed("right forward")
_TO_THE_END = listed("last end double prev previous back")
_PARTS = re.compile(r"\d+|\D+")
_LEADS_ELSEWHERE = re.compile(rf"{any_word('paging_words', 'next')}\s+(?!{PAGE}|{NOUN})[^\W\d_]")
_NEXT_THINGS = re.compile(rf"{any_word('paging_words', 'next')}(?:\s+[^\W\d_]+){{1,2}}\W{{0,3}}")
"""What comes next, by whatever name: "older lamps". It leads on if its address says so."""

_PAGE = re.compile(rf"\b{PAGE}", re.IGNORECASE)
_NUMBERS = re.compile(r"\s?\d+")
_ROUTES = ("#/", "#!")
_RANGE = re.compile(r"\d\s?(?:/|of|[-–—])\s?\d")
_LONGEST_PAGER = 240
"""In how much text around a button without an address is looked for what makes it one of a pager."""

_MOST_LOOKED_AT = 20
"""Controls that lead on which are looked at from both ends of a page: listings have one or two."""


@dataclass(frozen=True, slots=True)
class Pager:
    """The pages behind this one, in order, as far as they are known; nothing links to those that are ``made_up``.

    ``unfollowed`` names what says that there is more and has no address; ``turned_by`` is the target of a control that
    a click may turn the page by. All empty: the page says of no other. ``last`` is the number of the last page that a
    series names; 0 without one. ``descends`` tells that the page behind has the next lower number. ``stated_behind`` is
    how many pages the page says are behind it ("page 2 of 6"); None where it says nothing of that.
    """

    urls: tuple[str, ...] = ()
    how: How | None = None
    made_up: frozenset[str] = frozenset()
    unfollowed: str = ""
    turned_by: str = ""
    last: int = 0
    descends: bool = False
    stated_behind: int | None = None


def find_pager(root: HtmlElement, url: str, shown: Shown | None = None, *, descends: bool | None = None) -> Pager:
    """Give where the listing of a page at ``url`` goes on.

    ``descends`` is what the first page of the listing has told of the order of its numbers; None on that page.

    >>> from gleaner.html.dom import parse_html
    >>> find_pager(parse_html('<a rel="next" href="?page=2">2</a>'), "https://a.example/list").urls
    ('https://a.example/list?page=2',)
    """
    here, shown = urldefrag(url)[0], shown or Shown()
    if not shown.page and (said := stated_page(visible_text(root)) or _page_in_field(root)):
        shown = replace(shown, page=said[0], pages=said[1])  # the Markdown may have left the pager out
    pager = _pager_of(root, here, shown, descends=descends)
    if not shown.pages:
        return pager
    down = pager.descends or bool(descends)
    return replace(pager, stated_behind=max(0, shown.page - 1 if down else shown.pages - shown.page))


def _pager_of(root: HtmlElement, here: str, shown: Shown, *, descends: bool | None) -> Pager:
    tokens = list(controls_of(root, here))
    series = best_series(tokens, here, shown.page or _place(shown))
    leading = [*_related(root, here), *_leading_on(tokens, here)]
    best = max((one for one in leading if one[1].url), key=lambda one: one[0], default=(0.0, None))
    unlinked = [one for _, one in leading if not one.url and _is_of_a_pager(one)]
    if not unlinked and shown.page < shown.pages:
        unlinked = _turning(leading)
    down = (series is not None and series.descends(here)) if descends is None else descends
    last = series.numbers[-1][0] if series is not None and not down else 0
    following, made_up = series.following(down=down) if series is not None else ((), frozenset[str]())
    if following and (best[1] is None or best[0] < _SAYS_NEXT or same_page(best[1].url) == same_page(following[0])):
        return Pager(following, "numbers", made_up, last=last, descends=down)
    if best[1] is not None:
        return Pager((best[1].url,), "rel" if best[0] >= _RELATED else "control", last=last)
    if down and series is not None and series.page == 1:
        return Pager(descends=True)
    if own := _following_address(here, shown):
        return Pager(own, "address", frozenset(own))
    if series is not None and series.next is not None:
        unlinked.append(series.next)
    counted = f"page {shown.page} of {shown.pages}" if shown.page < shown.pages else ""
    said = next((one.names[0] if one.names else "an arrow" for one in unlinked), counted)
    return Pager(unfollowed=said, turned_by=turning_target(unlinked[0]) if unlinked else "", last=last)


def _page_in_field(root: HtmlElement) -> tuple[int, int] | None:
    """Give the number that stands in a field for the page's, and how many there are: "Page [1] of 6"."""
    for field in root.iter("input"):
        value, most, before = field.get("value") or "", field.get("max") or "", field.getprevious()
        is_number = value.isdecimal() and len(value) < 10 and field.get("type") != "hidden"
        if not is_number or not is_page_name(f"{field.get('name')}="):
            continue
        parent = field.getparent()
        if before is not None:
            text = f"{raw_text(before)} {before.tail or ''}"
        else:
            text = (parent.text or "") if parent is not None else ""
        if said := stated_page(f"{text[-LONGEST_LABEL:]} {value} {(field.tail or '')[:LONGEST_LABEL]}"):
            return said
        if most.isdecimal() and len(most) < 10:
            return int(value), int(most)
    return None


def _place(shown: Shown) -> int:
    """Give the number of the page by the range that it shows; 0 for unknown."""
    page, rest = divmod(shown.first - 1, shown.size) if shown.size else (-1, 0)
    return page + 1 if not rest else 0


# Controls

_RELATED, _SAYS_NEXT, _SIGN, _SAYS_MORE, _NEXT_NUMBER = 8.0, 6.0, 4.0, 2.0, 1.0
"""How plainly a control says that it leads on; of equal ones that with the most similar address, which adds up to 1."""

_ELSEWHERE = 0.5
"""An arrow to another path: it leads on where a pager is around it, as from ``/index.html`` to ``/index2.html``."""


def _related(root: HtmlElement, url: str) -> Iterator[tuple[float, Control]]:
    base = base_url_of(root, url)
    for element in root.iter("link"):
        if "next" in (element.get("rel") or "").lower().split():
            target = urldefrag(absolute_url(element.get("href") or "", base))[0]
            if target and site_of(target) == site_of(url) and same_page(target) != same_page(url):
                yield _RELATED, Control(element, ("rel=next",), target)


def _leading_on(tokens: Sequence[Control | None], url: str) -> Iterator[tuple[float, Control]]:
    """Give the controls that lead on, with how plainly they say so."""
    here = same_page(url)
    pressed = (one for one in tokens if one is not None and not one.is_text and same_page(one.url) != here)
    rated = [(rate, one) for one in pressed if (rate := _rate(one, url))]
    for rate, one in _at_both_ends([(rate, one) for rate, one in rated if rate > _ELSEWHERE]):
        if not one.is_off:
            yield rate + like_address(one.url, url) * (rate < _RELATED), one
    for _, one in _at_both_ends([(rate, one) for rate, one in rated if rate == _ELSEWHERE]):
        if not one.is_off and not is_of_slides(one.element) and _stands_in_pager(one, stated_page):
            yield _SIGN + like_address(one.url, url), one


def _at_both_ends(rated: list[tuple[float, Control]]) -> list[tuple[float, Control]]:
    return rated if len(rated) <= 2 * _MOST_LOOKED_AT else rated[:_MOST_LOOKED_AT] + rated[-_MOST_LOOKED_AT:]


def _rate(control: Control, url: str) -> float:
    """Tell how plainly a control says that it leads on; 0 when it does not."""
    related = (control.element.get("rel") or "").lower().split()
    if "next" in related:
        return _RELATED
    if "prev" in related:  # pages may be numbered from the oldest one: to the next number is back then
        return 0.0
    said = [name.casefold() for name in control.names]
    if any(map(says_next, said)):
        return 0.0 if any(map(_LEADS_ELSEWHERE.match, said)) else _SAYS_NEXT
    if any(map(_NEXT_THINGS.fullmatch, said)) and _turns_by_query(control.url, url):
        return _SIGN
    path = urlsplit(url).path
    is_number = is_next_number(control.url, url)
    is_here = not control.url or urlsplit(control.url).path == path or is_number
    has_words = any(map(str.isalnum, "".join(said[:1])))
    is_sign = any(one in _SIGNS for one in said) or (not has_words and _is_drawn_next(control))
    if is_sign and control.icons.isdisjoint(_TO_THE_END):
        return _SIGN if is_here else _ELSEWHERE
    more = words_in("paging_words", "bare_more")
    if is_here and any(
        says_more(_NUMBERS.sub("", one)) or (control.url and one.strip(" .…»›>") in more) for one in said
    ):
        return _SAYS_MORE
    return _NEXT_NUMBER if is_number and not any(map(str.isdigit, "".join(said))) else 0.0


def _turns_by_query(target: str, url: str) -> bool:
    """Tell whether an address differs from the open one's in a parameter that names a page or a cursor, as "?after=x7".

    >>> [_turns_by_query(one, "/list?sort=new") for one in ("/list?sort=new&cursor=c1", "/list?sort=old", "/b?page=2")]
    [True, False, False]
    """
    (one, query), (other, known) = (
        (split.path, dict(parse_qsl(split.query))) for split in map(urlsplit, (target, url))
    )
    named = {name for name, value in query.items() if value and known.get(name) != value}
    turning = words_in("paging_words", "cursors") | words_in("paging_words", "code_page")
    return one == other and any("".join(filter(str.isalnum, name)).lower() in turning for name in named)


def _is_drawn_next(control: Control) -> bool:
    """Tell whether a control without words is an arrow to the right by its classes or pictures, and not to the end."""
    if len(raw_text(control.element).strip()) > LONGEST_LABEL:  # the title of what comes next
        return False
    words = control.icons
    is_arrow = not words.isdisjoint(_DRAWN) and not words.isdisjoint(_ONWARDS)
    return is_arrow or not words.isdisjoint(words_in("paging_words", "code_next"))


def _is_of_a_pager(control: Control) -> bool:
    """Tell whether a control without an address turns pages: by its own name, a pager's around it, or a range there.

    So does one that leads to a route of the page's script: ``#/lamps/2``.
    """
    if is_of_slides(control.element):
        return False
    if (control.element.get("href") or "").startswith(_ROUTES):
        return True
    return any(_PAGE.search(name) for name in control.names) or _stands_in_pager(control, _RANGE.search)


def _turning(leading: Sequence[tuple[float, Control]]) -> list[Control]:
    """Give what says most plainly that it leads on and has no address, on a page that states that others follow it."""
    rated = [(rate, one) for rate, one in leading if not one.url and rate >= _SIGN and not is_of_slides(one.element)]
    return [max(rated, key=lambda one: one[0])[1]] if rated else []


def _stands_in_pager(control: Control, states_place: Callable[[str], object]) -> bool:
    """Tell whether what is around a control is called a pager, or its text states a place in a listing."""
    for one in (control.element, *islice(control.element.iterancestors(), LEVELS)):
        if not words_in("paging_words", "code_pager").isdisjoint(code_words(one)):
            return True
        text = collapse(raw_text(one)) if one.tag not in ("body", "html") else " " * _LONGEST_PAGER
        if len(text) >= _LONGEST_PAGER:
            return False
        if states_place(text):
            return True
    return False


# The page's own address


def _following_address(url: str, shown: Shown) -> tuple[str, ...]:
    """Give the addresses of the pages behind, where a number in this one is the page's place in the listing.

    The number is that of the page, the records before it, or its first record; () unless exactly one parameter fits.
    """
    if not shown.size or shown.last >= shown.total:
        return ()
    page, rest = divmod(shown.first - 1, shown.size)
    parts = _PARTS.findall(url)
    start = len(_PARTS.findall(url.partition("?")[0])) if "?" in url else len(parts)
    meanings = [(page + 1, 1), (page, 1), (shown.first - 1, shown.size), (shown.first, shown.size)]
    for at in range(start, len(parts)):
        if not parts[at].isdigit() or not parts[at - 1].endswith("="):
            continue
        value = int(parts[at])
        fitting = {step for meant, step in meanings if value == meant and not (rest and step == 1)}
        if fitting:
            step = shown.size if _counts_records(parts[at - 1]) and shown.size in fitting else min(fitting)
            count = -(-(shown.total - shown.last) // shown.size)
            return tuple("".join((*parts[:at], str(value + step * n), *parts[at + 1 :])) for n in range(1, count + 1))
    return ()


def _counts_records(before: str) -> bool:
    """Tell whether a parameter is called as those are that count records: "offset"."""
    return re.split(r"[?&=]", before)[-2].lower() in words_in("paging_words", "records")
