"""Where a listing goes on: the addresses of its next pages, read from one of its pages (FP-1).

Nothing here fetches. What counts, in this order: link relations, numbered pages whose addresses differ in one number,
a control that says "next" (by word, sign or class), a "load more" that is a link, and last the page's own address, when
a number in it is where the page stands in the listing ("13-24 of 480" at ``?offset=12``).
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urldefrag, urlsplit

from gleaner.contracts.word_lists import words_in
from gleaner.html.layout import collapse
from gleaner.markdown.paging_words import says_more, says_next
from gleaner.page.model import LAYERS, Nodes, Page
from gleaner.sites.addresses import same_page, site_of
from gleaner.sites.links import link_label, link_target

How = Literal["rel", "numbers", "control", "address"]

_SIGNS = frozenset({"›", "»", "→", ">", ">>", "⟩", "▶", "►", "❯", "⏵", "chevron_right", "arrow_forward"})
_PARTS = re.compile(r"\d+|\D+")
_NUMBER = re.compile(r"\d{1,5}")
_TOKENS = re.compile(r"[^\w-]+")
_LONGEST_LABEL = 40
_NEAREST = 4
"""How far up from a numbered link the number of the page that is open is looked for."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Which records of a listing a page shows by its own words: ``first`` to ``last`` of ``total``; 0 is unknown."""

    first: int = 0
    last: int = 0
    total: int = 0

    @property
    def size(self) -> int:
        """How many records the page shows; 0 when it does not say."""
        return self.last - self.first + 1 if self.last else 0


@dataclass(frozen=True, slots=True)
class NextPages:
    """The pages after this one, in order; all that are known, which may be the next one alone."""

    urls: tuple[str, ...]
    how: How


@dataclass(frozen=True, slots=True)
class _Link:
    """A link: its node, where it leads, and what it is called."""

    nodes: Nodes
    node: int
    url: str
    label: str

    def get(self, name: str) -> str:
        """Give an attribute of the link; "" for none."""
        return self.nodes.get(self.node, name) or ""


def find_next(page: Page, shown: Shown | None = None) -> NextPages | None:
    """Give where the listing of a page goes on; None when the page does not say.

    >>> from gleaner.page.opening import open_page
    >>> find_next(open_page('<a rel="next" href="?page=2">2</a>', "https://a.example/list")).urls
    ('https://a.example/list?page=2',)
    """
    here, shown = urldefrag(page.url)[0], shown or Shown()
    links = _links(page, here)
    related = next((link.url for link in links if "next" in link.get("rel").lower().split()), None)
    numbered = _numbered(links, here, shown)
    if numbered and related in (None, numbered[0]):
        return NextPages(numbered, "numbers")
    if related is not None:
        return NextPages((related,), "rel")
    control = _control(links, here)
    if control is not None:
        return NextPages((control,), "control")
    follows = _following_address(here, shown)
    return NextPages(follows, "address") if follows else None


def _links(page: Page, url: str) -> list[_Link]:
    """Give the links to other pages of this site that a person can follow, be it one without scripts."""
    nodes, found = page.unplaced, list[_Link]()
    for node in nodes.tagged("a", "link", "area"):
        target = link_target(page, node)
        if not target or same_page(target) == same_page(url) or site_of(target) != site_of(url):
            continue
        if _is_seen(nodes, node) and not _is_off(nodes, node):
            found.append(_Link(nodes, node, target, link_label(nodes, node)))
    return found


def _is_seen(nodes: Nodes, node: int) -> bool:
    return nodes.layers[node] != "hidden" or any(nodes.tags[one] == "noscript" for one in nodes.ancestors(node))


def _is_off(nodes: Nodes, node: int) -> bool:
    is_disabled = nodes.get(node, "aria-disabled") == "true" or nodes.get(node, "disabled") is not None
    return is_disabled or "disabled" in (nodes.get(node, "class") or "").lower().split()


def _page_number(link: _Link) -> int:
    """Give the page that a link is labelled with: "7", or the only number of "Go to page 7"; 0 for none."""
    if len(link.label) > _LONGEST_LABEL:
        return 0
    if _NUMBER.fullmatch(link.label):
        return int(link.label)
    said = link.get("aria-label")
    numbers = _NUMBER.findall(said) if len(said) <= _LONGEST_LABEL else []
    return int(numbers[0]) if len(numbers) == 1 and not re.search(r"\d", link.label.replace(numbers[0], "")) else 0


# Numbered pages


@dataclass(frozen=True, slots=True)
class _Series:
    """Links that differ in one number of their addresses, which grows by ``step`` from one page to the next."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    step: int
    offset: int
    width: int
    pages: dict[int, _Link]

    def url(self, page: int) -> str:
        value = str(self.step * page + self.offset).zfill(self.width)
        return "".join((*self.before, value, *self.after))

    def page_of(self, url: str) -> int:
        """Give the page that an address of this series is of; 0 for another address."""
        parts = tuple(_PARTS.findall(url))
        at = len(self.before)
        if (parts[:at], parts[at + 1 :]) != (self.before, self.after) or not parts[at].isdigit():
            return 0
        page, rest = divmod(int(parts[at]) - self.offset, self.step)
        return page if not rest else 0


def _numbered(links: Sequence[_Link], url: str, shown: Shown) -> tuple[str, ...]:
    """Give the addresses of all pages after this one by the numbered links of the page; () when there are none."""
    for series in _series(links):
        current = _current_page(series, url, shown)
        if current is None:
            continue
        last = max(series.pages)
        if shown.total and shown.size and shown.first == (current - 1) * shown.size + 1:
            last = max(last, -(-shown.total // shown.size)) if len(series.pages) > 1 else last
        if last > current and (current + 1 in series.pages or len(series.pages) > 1):
            return tuple(
                series.pages[page].url if page in series.pages else series.url(page)
                for page in range(current + 1, last + 1)
            )
    return ()


def _series(links: Sequence[_Link]) -> Iterator[_Series]:
    """Give the series of numbered links, those of most pages first."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[int, tuple[int, str, _Link]]] = defaultdict(dict)
    for link in links:
        if page := _page_number(link):
            parts = tuple(_PARTS.findall(link.url))
            for at, part in enumerate(parts):
                if part.isdigit():
                    groups[parts[:at], parts[at + 1 :]].setdefault(page, (int(part), part, link))
    made = [_fitted(key, entries) for key, entries in groups.items()]
    yield from sorted(filter(None, made), key=lambda series: -len(series.pages))


def _fitted(key: tuple[tuple[str, ...], tuple[str, ...]], entries: dict[int, tuple[int, str, _Link]]) -> _Series | None:
    """Give the series whose numbers grow evenly with the pages; None for links whose numbers do not."""
    points = {page: value for page, (value, _, _) in entries.items()}
    pages = sorted(points)
    if len(pages) > 1:
        step, rest = divmod(points[pages[-1]] - points[pages[0]], pages[-1] - pages[0])
        offset = points[pages[0]] - step * pages[0]
        if rest or step < 1 or any(step * page + offset != value for page, value in points.items()):
            return None
    else:
        step, offset = 1, points[pages[0]] - pages[0]
    around = ((link.nodes, row) for _, _, link in entries.values() for row in link.nodes.ancestors(link.node))
    rows = {row for nodes, row in around if nodes.tags[row] == "tr"}
    if len(rows) > 1:  # days of a calendar, rows of a table
        return None
    width = max((len(text) for _, text, _ in entries.values() if text.startswith("0")), default=0)
    return _Series(*key, step, offset, width, {page: link for page, (_, _, link) in entries.items()})


def _current_page(series: _Series, url: str, shown: Shown) -> int | None:
    """Give the number of the page that is open; None when the links are about something else."""
    own = series.page_of(url)
    if own > 0:
        return own
    first = next(iter(series.pages.values()))
    nodes = first.nodes
    for part in nodes.ancestors(first.node):
        inside = range(part, nodes.ends[part])
        marked = (_open_number(nodes, one) for one in inside)
        if found := next((number for number in marked if number and number not in series.pages), 0):
            return found
        links = sum(1 for one in inside if nodes.tags[one] == "a")
        if nodes.tags[part] in ("nav", "body") or links > 3 * len(series.pages) + _NEAREST:
            break
    is_below = "".join(series.before).startswith(url.partition("?")[0].rstrip("/"))
    if 1 not in series.pages and is_below and (len(series.pages) > 1 or shown.first == 1):
        return 1
    return None


def _open_number(nodes: Nodes, node: int) -> int:
    """Give the number that an element shows as that of the page that is open: it is no link, or is marked so."""
    if nodes.get(node, "aria-current") not in ("page", "true", "step"):
        has_inside = nodes.ends[node] > node + 1
        if has_inside or not (nodes.get(node, "href") or "#").startswith("#"):
            return 0
        if any(nodes.tags[one] == "a" and nodes.get(one, "href") for one in nodes.ancestors(node)):
            return 0
    text = collapse(nodes.text(node, LAYERS))
    return int(text) if _NUMBER.fullmatch(text) else 0


# Controls


def _control(links: Sequence[_Link], url: str) -> str | None:
    """Give where a control leads that says "next" or "load more"; of several the one most like this address."""
    rated = [(rating + _likeness(link.url, url), -at, link) for at, link in enumerate(links) if (rating := _rate(link))]
    return max(rated)[2].url if rated else None


def _rate(link: _Link) -> float:
    """Tell how plainly a link says that it leads on; 0 when it does not."""
    if link.nodes.tags[link.node] == "link":
        return 0.0
    texts = {link.label, collapse(link.get("aria-label")), collapse(link.get("title"))}
    said = [text.casefold() for text in texts if 0 < len(text) <= _LONGEST_LABEL]
    if any(map(says_next, said)):
        return 3.0
    if any(map(says_more, said)):
        return 2.0
    if any(text in _SIGNS for text in said):
        return 1.5
    named = _TOKENS.split(f"{link.get('class')} {link.get('id')}".lower())
    return 0.0 if words_in("paging_words", "code_next", "code_more").isdisjoint(named) else 1.0


def _likeness(target: str, url: str) -> float:
    """Give how much of an address another one begins with, from 0 to 1."""
    one, other = urlsplit(target), urlsplit(url)
    parts, own = one.path.strip("/").split("/"), other.path.strip("/").split("/")
    same = next((at for at, (a, b) in enumerate(zip(parts, own, strict=False)) if a != b), min(len(parts), len(own)))
    return same / max(1, len(parts), len(own))


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
