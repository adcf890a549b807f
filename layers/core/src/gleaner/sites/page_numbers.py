"""Series of page numbers: which numbers of a page are those of its pager, and where they lead (FP-3).

A series counts if the open page's own number, or its address, stands in it beside a neighbour. Years, sizes of pages,
ratings and ids have no such place, or their addresses call them something else than a page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from urllib.parse import urlsplit

from gleaner.contracts.word_lists import words_in
from gleaner.sites.addresses import same_page
from gleaner.sites.controls import Control, is_of_slides, is_row, like_address, page_number

MOST_PAGES = 1_000
"""Addresses that are given at the most: as many pages as a listing may be followed."""

_PARTS = re.compile(r"\d+|\D+")
_YEARS = range(1900, 2101)
_MOST_PAGERS = 2
"""Different series that a page may have, above and below its list; more are of its items."""

Numbered = tuple[int, Control]


def is_page_name(before: str) -> bool:
    """Tell whether the text in front of a number of an address calls it a page, or the place of a record.

    >>> is_page_name("/list?year="), is_page_name("/list?page_no="), is_page_name("/blog/page/")
    (False, True, True)
    """
    return _name_before(before) in words_in("paging_words", "code_page", "records")


def counts_records(before: str) -> bool:
    """Tell whether the text in front of a number of an address says that it counts records: "?offset="."""
    return _name_before(before) in words_in("paging_words", "records")


def _name_before(before: str) -> str:
    return re.sub(r"[^a-z]", "", re.split(r"[/?&;=]", before.rstrip("=/-_.").lower())[-1])


def is_next_number(target: str, url: str) -> bool:
    """Tell whether an address is another one with the number of its page raised by one; page 1 may leave it out.

    >>> is_next_number("https://a.example/list?page=3", "https://a.example/list?page=2")
    True
    """
    parts, own = _PARTS.findall(target), _PARTS.findall(url)
    for at in _page_places(parts):
        if len(parts) == len(own) and (parts[:at], parts[at + 1 :]) == (own[:at], own[at + 1 :]):
            return own[at].isdecimal() and int(parts[at]) == int(own[at]) + 1
        return int(parts[at]) == 2 and same_page(_without(parts, at)) == same_page(url)
    return False


Growth = tuple[list[str], int, int, int]
"""How addresses grow with their pages: the parts of one, which of them is the number, its step, and that of page 0."""


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers that stand beside each other, the lowest first; ``at`` is where among them the open page stands.

    ``growth`` is that of their addresses; None if they do not grow evenly. ``is_reversed`` tells that the page shows
    the highest number first.
    """

    numbers: tuple[Numbered, ...]
    at: int
    growth: Growth | None
    is_reversed: bool = False

    @property
    def page(self) -> int:
        """The number of the page that is open."""
        return self.numbers[self.at][0]

    @property
    def open(self) -> Control:
        """What shows that number."""
        return self.numbers[self.at][1]

    @property
    def next(self) -> Control | None:
        """The control of the next page; None on the last one."""
        return self._neighbour(1)

    @property
    def neighbours(self) -> list[Control]:
        """The controls of the pages right behind and before the open one."""
        return [one for one in (self.next, self._neighbour(-1)) if one is not None]

    def _neighbour(self, step: int) -> Control | None:
        at = self.at + step
        number, control = self.numbers[at] if 0 <= at < len(self.numbers) else (-1, None)
        return control if control and number == self.page + step and not control.is_text else None

    @property
    def is_called_pages(self) -> bool:
        """Whether the addresses call their number a page's."""
        return any(
            _page_places(parts := _PARTS.findall(one.url)) and (self.growth or _states(parts, page_number(one) or 0))
            for one in self.neighbours
        )

    def descends(self, url: str) -> bool:
        """Tell whether a listing that is entered at ``url`` goes on with the next lower number, from its newest page.

        So it does where the page shows the highest number first, and where the highest number is the open page's and
        its address alone has none: ``/lamps`` shows page 6, ``/lamps?page=5`` is linked.
        """
        before = self._neighbour(-1)
        if before is None or not self.is_called_pages:
            return False
        parts = _PARTS.findall(before.url)
        is_unnumbered = any(same_page(_without(parts, at)) == same_page(url) for at in _page_places(parts))
        return self.is_reversed or (self.next is None and self.page > 2 and is_unnumbered)

    def following(self, *, down: bool = False) -> tuple[tuple[str, ...], frozenset[str]]:
        """Give the addresses of the pages behind the open one, and those of them that nothing links to.

        Only gaps between linked pages are filled, and only where the next page is linked. ``down`` asks for the pages
        with lower numbers, from the next lower one.
        """
        urls, made_up, before, step = list[str](), set[str](), self.page, -1 if down else 1
        behind = self.numbers[: self.at][::-1] if down else self.numbers[self.at + 1 :]
        for number, one in behind if self._neighbour(step) is not None else ():
            missing = range(before + step, number, step)[:MOST_PAGES]
            if not one.url or (number - before) * step <= 0 or (missing and self.growth is None):
                break
            made = [_grown(self.growth, page) for page in missing if self.growth is not None]
            made_up.update(made)
            urls += [*made, one.url]
            before = number
        return tuple(urls[:MOST_PAGES]), frozenset(made_up)


def best_series(tokens: Sequence[Control | None], url: str, page: int) -> Series | None:
    """Give the series of a page at ``url`` that is its pager; ``page`` is its number by other words, 0 if unknown."""
    runs = list(_runs(tokens))
    rows = [run for run in runs if len(run) > 1 and any(map(is_row, run[0][1].element.iterancestors()))]
    firsts, lasts = {run[0][0] for run in rows}, {run[-1][0] for run in rows}
    alone = [run for run in runs if run[-1][0] + 1 not in firsts and run[0][0] - 1 not in lasts]  # a calendar goes on
    found = [one for run in alone if (one := _opened(run, url, page)) and _is_pager(one, page)]
    called = [one for one in found if one.is_called_pages]
    if not called and len({tuple(same_page(one.url) for one in series.neighbours) for series in found}) > _MOST_PAGERS:
        return None
    return max(called or found, key=lambda one: _fitness(one, url, page), default=None)


def _fitness(series: Series, url: str, page: int) -> tuple[bool, float, int]:
    likeness = max(like_address(one.url, url) for one in series.neighbours)
    return series.page == page, likeness, len(series.numbers)


def _runs(tokens: Sequence[Control | None]) -> Iterator[list[Numbered]]:
    """Give the numbers that stand beside each other with nothing but signs between them.

    A number that is no control is one of them only beside its neighbour: "12.50" in front of a pager is not.
    """
    run: list[Numbered] = []
    for token in (*tokens, None):
        number = page_number(token) if token is not None else None
        if token is not None and number is None and not any(map(str.isalnum, "".join(token.names))):
            continue
        is_plain = token is None or token.is_text or (run and run[-1][1].is_text)
        if number is None or (run and is_plain and abs(number - run[-1][0]) != 1):
            if any(not one.is_text for _, one in run):
                yield run
            run = []
        if token is not None and number is not None:
            run.append((number, token))


def _opened(run: list[Numbered], url: str, page: int) -> Series | None:
    """Give a run with the place of the open page in it; None when that is not to be seen."""
    has_links, here, growth = any(one.url for _, one in run), same_page(url), _growth(run)
    is_reversed = all(one[0] > other[0] for one, other in pairwise(run)) and len(run) > 1
    numbers = tuple(reversed(run)) if is_reversed else tuple(run)
    every = [one for at in range(len(run)) if (one := Series(numbers, at, growth, is_reversed)).neighbours]
    marked = (one for one in every if one.open.is_marked)
    unlinked = (one for one in every if one.open.is_text or one.open.is_off or (has_links and not one.open.url))
    own = (one for one in every if (page and one.page == page) or (one.open.url and same_page(one.open.url) == here))
    called = (one for one in own if one.is_called_pages)
    opened = next(chain(marked, unlinked, called), None)
    if is_reversed:
        return opened if opened is not None and opened.is_called_pages else None
    return opened or _left_out(run, url, growth)


def _growth(run: Sequence[Numbered]) -> Growth | None:
    linked = {number: _PARTS.findall(one.url) for number, one in run if one.url}
    if len(linked) > 2:
        linked.pop(1, None)  # whose address often has no number
    if len(linked) < 2:
        return None
    low, high = min(linked), max(linked)
    first, last = linked[low], linked[high]
    differing = [at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b]
    if len(differing) != 1 or not (first[at := differing[0]] + last[at]).isdecimal() or len(last[at]) > 9:
        return None
    step, rest = divmod(int(last[at]) - int(first[at]), high - low)
    growth = first, at, step, int(first[at]) - step * low
    is_even = step > 0 and not rest and all(_grown(growth, page) == "".join(url) for page, url in linked.items())
    return growth if is_even else None


def _left_out(run: list[Numbered], url: str, growth: Growth | None) -> Series | None:
    """Give the run with the open page put in where it is missing: page 1 of "2 3 4", or the one that ``url`` names."""
    number, first = run[0]
    parts, own = _PARTS.findall(first.url), _PARTS.findall(url)
    for at in _page_places(parts):
        is_alike = len(own) == len(parts) and (own[:at], own[at + 1 :]) == (parts[:at], parts[at + 1 :])
        if not is_alike and urlsplit(_without(parts, at)).path.rstrip("/") != urlsplit(url).path.rstrip("/"):
            return None
        page = number + int(own[at][:9]) - int(parts[at]) if is_alike and own[at].isdecimal() else 1
        before = [one for one in run if one[0] < page]
        behind = [one for one in run if one[0] > page]
        shown = Control(first.element, (str(page),), is_text=True)
        put_in = Series((*before, (page, shown), *behind), len(before), growth)
        return put_in if put_in.neighbours else None
    return None


def _is_pager(series: Series, page: int) -> bool:
    """Tell whether a series is of pages: no years, no slides, no choice of something else."""
    one = series.neighbours[0]
    if series.page in _YEARS and series.page != page and all(number != 1 for number, _ in series.numbers):
        return False
    if one.element.tag == "option":
        select = next(one.element.iterancestors("select"), None)
        says_page = not one.names[0].strip().isdecimal()
        return series.is_called_pages or says_page or (select is not None and is_page_name(f"{select.get('name')}="))
    if not one.url:
        return not is_of_slides(one.element)
    return (
        series.growth is not None or series.is_called_pages or _states(_PARTS.findall(one.url), page_number(one) or 0)
    )


def _states(parts: Sequence[str], page: int) -> bool:
    """Tell whether an address has the number of its page, counted from 1 or from 0, or that of a record."""
    return any(
        part in (str(page), str(page - 1)) or (part.isdecimal() and counts_records(before))
        for before, part in pairwise(parts)
    )


def _grown(growth: Growth, page: int) -> str:
    parts, at, step, start = growth
    width = len(parts[at]) if parts[at].startswith("0") else 0
    return "".join((*parts[:at], str(step * page + start).zfill(width), *parts[at + 1 :]))


def _page_places(parts: Sequence[str]) -> list[int]:
    """Give which parts of an address are numbers that it calls a page's."""
    return [
        at for at in range(1, len(parts))
        if parts[at].isdecimal() and len(parts[at]) < 10 and is_page_name(parts[at - 1])
    ]  # fmt: skip


def _without(parts: Sequence[str], at: int) -> str:
    """Give an address without one of its numbers and what that is called: that of page 1."""
    before, behind = re.sub(r"[?&/;][\w.-]*[=/_-]?$", "", parts[at - 1]), "".join(parts[at + 1 :])
    start = "".join((*parts[: at - 1], before))
    return start + (f"?{behind[1:]}" if behind.startswith("&") and "?" not in start else behind)
