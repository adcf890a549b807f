"""A listing of 480 records over 40 pages on loopback, in all ways in which sites page, with what goes wrong on the way.

``/rel``, ``/header``, ``/next``, ``/numbers``, ``/offset``, ``/cursor`` are pages for any client; ``/more``,
``/scroll``, ``/inner`` and ``/polling`` are one page each, whose script loads the rest from ``/fragment``.
"""

import base64
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from gleaner.contracts.ports import JsonObject
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.testing.scripted import TrueRecord

PAGE_SIZE = 12
MAKERS = ("Arden", "Bexley", "Corran", "Dunmore", "Elgin", "Farrow", "Galloway", "Harrow")
WOODS = ("Oak", "Ash", "Elm", "Larch", "Maple", "Cherry", "Walnut", "Beech", "Birch", "Cedar")
THINGS = ("Bench", "Stool", "Table", "Shelf", "Chest", "Ladder")

LISTED_SCHEMA: JsonObject = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "maker": {"type": "string"}, "price": {"type": "number"}},
        "required": ["name", "maker", "price"],
    },
}


def listed_records(count: int = 480) -> list[JsonObject]:
    """Give the truth behind the listing."""
    names = [f"{wood} {thing} by {maker}" for maker in MAKERS for thing in THINGS for wood in WOODS]
    return [
        {"name": name, "maker": MAKERS[at % len(MAKERS)], "price": round(20 + at * 1.37 + (at % 7) * 10, 2)}
        for at, name in enumerate(names[:count])
    ]


def listed_truth(records: Iterable[JsonObject]) -> list[TrueRecord]:
    """Give the truth as a scripted model takes it."""
    return [TrueRecord(record, (str(record["name"]), f"{record['price']:.2f}")) for record in records]


@dataclass
class Trouble:
    """What goes wrong: pages that answer 500 the first time, one that wants a login, one that is forbidden.

    ``moves`` exchanges, once that page has been read, its last record with the first of the next. ``loops`` makes the
    last page lead to itself, or to the first.
    """

    fails_once: frozenset[int] = frozenset()
    login_at: int | None = None
    forbidden: str = ""
    moves_after: int | None = None
    loops: str = ""
    states_total: bool = True
    crawl_delay: int = 0


@dataclass
class PagedSite(LoopbackServer):
    """Serves the listing; ``asked`` counts what was asked for."""

    records: list[JsonObject] = field(default_factory=listed_records)
    trouble: Trouble = field(default_factory=Trouble)
    asked: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        super().__init__(_PagedHandler)

    @property
    def count(self) -> int:
        """How many pages there are."""
        return -(-len(self.records) // PAGE_SIZE)

    def cards(self, number: int) -> str:
        """Give the records of a page as HTML, an advertisement between them."""
        start = (number - 1) * PAGE_SIZE
        cards = [_card(record) for record in self.records[start : start + PAGE_SIZE]]
        advert = '<aside class="promo"><p>Sponsored</p><p>Insure your workshop from 4.99 a month</p></aside>'
        return "\n".join([*cards[:5], advert, *cards[5:]])

    def page(self, way: str, number: int) -> str:
        """Give a page of the listing."""
        start = (number - 1) * PAGE_SIZE
        last = min(start + PAGE_SIZE, len(self.records))
        counted = f"Showing {start + 1}-{last} of {len(self.records)} products" if self.trouble.states_total else ""
        head = f'<link rel="next" href="{self.address(way, number + 1)}">' if self._leads_on(way, number, "rel") else ""
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Workshop</title>{head}</head><body>'
            f'<header><a href="/">Workshop</a><nav><a href="/about">About</a><a href="/help">Help</a></nav></header>'
            f'<main><h1>All products</h1><p class="count">{counted}</p><div class="grid">{self.cards(number)}</div>'
            f"{self._pager(way, number)}</main><footer><p>© Workshop</p></footer></body></html>"
        )

    def address(self, way: str, number: int) -> str:
        """Give the address of a page."""
        if number > self.count:
            number = number - 1 if self.trouble.loops == "itself" else 1
        if way == "offset":
            return f"/offset?offset={(number - 1) * PAGE_SIZE}"
        if way == "cursor":
            token = base64.urlsafe_b64encode(f"after {number} of the list".encode()).decode().rstrip("=")
            return f"/cursor?after={token}"
        return f"/{way}?sort=name&page={number}"

    def header(self, way: str, number: int) -> dict[str, str]:
        """Give the header that names the next page, which the way of that name has."""
        if not self._leads_on(way, number, "header"):
            return {}
        return {"Link": f'<{self.address(way, 1)}>; rel="first", <{self.address(way, number + 1)}>; rel="next"'}

    def _leads_on(self, way: str, number: int, wanted: str) -> bool:
        return way == wanted and (number < self.count or bool(self.trouble.loops))

    def _pager(self, way: str, number: int) -> str:
        following = self.address(way, number + 1)
        if self._leads_on(way, number, "next"):
            return f'<p class="blaettern"><a href="{following}">Weiter ›</a></p>'
        if self._leads_on(way, number, "cursor"):
            return f'<p><a class="btn" aria-label="Next page" href="{following}"><svg></svg></a></p>'
        if way == "numbers":
            near = sorted({1, *range(max(1, number - 2), min(self.count, number + 2) + 1), self.count})
            links = [
                f'<li><span aria-current="page">{n}</span></li>' if n == number
                else f'<li><a href="{self.address(way, n)}">{n}</a></li>'
                for n in near
            ]  # fmt: skip
            return f'<nav aria-label="Pages"><ul>{"".join(links)}</ul></nav>'
        return SCRIPTS.get(way, "")


def _card(record: JsonObject) -> str:
    path = str(record["name"]).lower().replace(" ", "-")
    return (
        f'<article class="card"><h3><a href="/p/{path}">{record["name"]}</a></h3>'
        f'<p class="maker">{record["maker"]}</p><p class="price">£{record["price"]:.2f}</p></article>'
    )


_LOAD = """
let page = 1, busy = false, done = false;
const grid = document.querySelector(".grid");
const load = async () => {
  if (busy || done) return;
  busy = true;
  const html = await (await fetch("/fragment?page=" + (page + 1))).text();
  page += 1;
  grid.insertAdjacentHTML("beforeend", html);
  document.querySelector(".count").textContent = `Showing 1-${grid.querySelectorAll(".card").length} of TOTAL products`;
  done = html === "" || grid.querySelectorAll(".card").length >= TOTAL;
  busy = false;
  if (done) document.querySelector("#more")?.remove();
};
"""
_BOX = "<style>.grid{height:600px;overflow-y:auto}.card{min-height:90px}</style>"
SCRIPTS = {
    "more": f'<button id="more" type="button">Load more</button><script>{_LOAD}'
    'document.querySelector("#more").onclick = load;</script>',
    "scroll": f'<style>.card{{min-height:90px}}</style><script>{_LOAD}addEventListener("scroll", () => '
    "{ if (scrollY + innerHeight > document.documentElement.scrollHeight - 400) load(); });</script>",
    "inner": f"{_BOX}<script>{_LOAD}grid.onscroll = () => "
    "{ if (grid.scrollTop + grid.clientHeight > grid.scrollHeight - 200) load(); };</script>",
    "polling": f"{_BOX}<script>{_LOAD}setInterval(() => "
    "{ if (grid.scrollTop + grid.clientHeight > grid.scrollHeight - 200) load(); }, 300);</script>",
}


class _PagedHandler(LoopbackHandler):
    owner: PagedSite

    def do_GET(self) -> None:
        """Answer with a page, a fragment, robots.txt, or 404."""
        site, parts = self.owner, urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        way = parts.path.strip("/")
        site.asked[self.path] += 1
        if way == "robots.txt":
            rules = f"User-agent: *\nCrawl-delay: {site.trouble.crawl_delay}\n"
            forbidden = f"Disallow: {site.trouble.forbidden}\n" if site.trouble.forbidden else ""
            self.answer(200, "text/plain", f"{rules}{forbidden}".encode())
        elif way == "login":
            self._html('<title>Sign in</title><h1>Sign in</h1><form><input name="u"><input type="password"></form>')
        elif way == "fragment":
            number = int(query["page"])
            self._html(site.cards(number) if number <= site.count else "")
        elif way in ("rel", "header", "next", "numbers", "offset", "cursor", *SCRIPTS):
            self._page(way, _number_of(way, query))
        else:
            self.answer(404, "text/html", b"<h1>Not found</h1>")

    def _page(self, way: str, number: int) -> None:
        site, trouble = self.owner, self.owner.trouble
        if number in trouble.fails_once and site.asked[self.path] == 1:
            self.answer(500, "text/html", b"<h1>Sorry</h1>")
        elif trouble.login_at is not None and number >= trouble.login_at:
            self.answer(302, "text/plain", b"", {"Location": "/login"})
        else:
            html = site.page(way, number).replace("TOTAL", str(len(site.records)))
            self.answer(200, "text/html; charset=utf-8", html.encode(), site.header(way, number))
            if trouble.moves_after == number:
                at = number * PAGE_SIZE
                site.records[at - 1], site.records[at] = site.records[at], site.records[at - 1]
                trouble.moves_after = None

    def _html(self, text: str) -> None:
        self.answer(200, "text/html; charset=utf-8", text.encode())


def _number_of(way: str, query: dict[str, str]) -> int:
    if way == "offset":
        return int(query.get("offset", "0")) // PAGE_SIZE + 1
    if way == "cursor" and "after" in query:
        token = query["after"]
        return int(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode().split()[1])
    return int(query.get("page", "1"))
