"""A site of 300 pages on loopback with a sitemap index, a feed and robots rules, and what real sites get wrong.

Pages have 3 records each in a table; the same page is linked under several spellings of its address.
"""

import gzip
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from gleaner.contracts.ports import JsonObject
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

PAGES = 300
IN_SITEMAPS = 200
"""Pages 1 to 200 stand in sitemaps, 201 to 300 are found by links alone."""
PER_PAGE = 3
SITEMAP_SIZE = 50
LAST_CHANGE = "2026-03-01"

ITEM_SCHEMA: JsonObject = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
        "required": ["name", "price"],
    },
}


def item_records(number: int) -> list[JsonObject]:
    """Give the truth of a page."""
    return [
        {"name": f"Part {number}-{letter}", "price": round(1.5 + number * 0.37 + at, 2)}
        for at, letter in enumerate("ABC"[:PER_PAGE])
    ]


def page_path(number: int) -> str:
    """Give the one address of a page without detours."""
    return f"/parts/{number}?view=list&unit=mm" if number % 3 == 0 else f"/parts/{number}"


def spellings(number: int) -> tuple[str, str]:
    """Give two other ways in which links write a page's address."""
    if number % 3 == 0:
        return f"/parts/{number}?unit=mm&view=list", f"/parts/{number}/?view=list&unit=mm#table"
    return f"/parts/{number}/", f"/parts/{number}#top"


@dataclass
class SiteTrouble:
    """What goes wrong. ``files`` answers a path with (status, type, body) in place of what is there.

    ``fails_once`` are paths that answer 500 the first time; ``login`` sends these to a login page.
    """

    files: dict[str, tuple[int, str, bytes]] = field(default_factory=dict[str, tuple[int, str, bytes]])
    fails_once: frozenset[str] = frozenset()
    login: frozenset[str] = frozenset()
    crawl_delay: float = 0
    names_sitemap: bool = True


@dataclass
class MappedSite(LoopbackServer):
    """Serves the site; ``asked`` counts what was asked for."""

    trouble: SiteTrouble = field(default_factory=SiteTrouble)
    asked: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        super().__init__(_MappedHandler)

    def robots(self) -> str:
        """Give robots.txt: the pages below /private are forbidden."""
        lines = ["User-agent: *", "Disallow: /private/", "Disallow: /parts/13"]
        lines += [f"Crawl-delay: {self.trouble.crawl_delay}"] if self.trouble.crawl_delay else []
        lines += [f"Sitemap: {self.url}/sitemap-index.xml"] if self.trouble.names_sitemap else []
        return "\n".join(lines) + "\n"

    def index(self) -> str:
        """Give the sitemap index: plain sitemaps, one that is packed, one of another index, which leads back here."""
        names = [f"sitemap-{n}.xml{'.gz' if n == 2 else ''}" for n in range(1, IN_SITEMAPS // SITEMAP_SIZE + 1)]
        listed = "".join(f"<sitemap><loc>{self.url}/{name}</loc></sitemap>" for name in [*names, "nested-index.xml"])
        return f'<?xml version="1.0"?><sitemapindex xmlns="{NAMESPACE}">{listed}</sitemapindex>'

    def sitemap(self, number: int) -> str:
        """Give a sitemap of 50 pages: some of them twice, in other spellings, and one of another host."""
        start = (number - 1) * SITEMAP_SIZE
        numbers = range(start + 1, start + SITEMAP_SIZE + 1)
        paths = [page_path(n) for n in numbers] + [spellings(n)[0] for n in numbers if n % 10 == 0]
        entries = [
            f"<url><loc>{self.url}{path.replace('&', '&amp;')}</loc><lastmod>{LAST_CHANGE}</lastmod></url>"
            for path in paths
        ]
        other = "<url><loc>https://elsewhere.example/parts/1</loc></url>"
        return f'<?xml version="1.0"?><urlset xmlns="{NAMESPACE}">{"".join([*entries, other])}</urlset>'

    def home(self) -> str:
        """Give the first page: it names a feed, and leads to the first pages of the links alone."""
        links = "".join(
            f'<li><a href="{path}">Part {n}</a></li>' for n in range(201, 211) for path in (page_path(n), *spellings(n))
        )
        feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
        others = ("/private/plans", "https://elsewhere.example/", "/gone", "/manual.pdf")
        more = " ".join(f'<a href="{address}">More</a>' for address in others)
        return _html("Parts", f"<h1>Parts</h1><ul>{links}</ul><p>{more}</p>", feed)

    def page(self, number: int) -> str:
        """Give a page with its records; those that are in no sitemap lead on by ten."""
        rows = "".join(f"<tr><td>{one['name']}</td><td>£{one['price']:.2f}</td></tr>" for one in item_records(number))
        following = number + 10
        on = f'<p><a href="{page_path(following)}">Part {following}</a></p>' if 200 < number <= PAGES - 10 else ""
        return _html(
            f"Part {number}", f"<h1>Part {number}</h1><table><tr><th>Name</th><th>Price</th></tr>{rows}</table>{on}"
        )

    def feed(self) -> str:
        """Give an RSS feed with the titles of two pages that are in sitemaps, and one that is not."""
        items = "".join(
            f"<item><title>Part {n} is new</title><link>{self.url}{page_path(n)}</link>"
            "<pubDate>Tue, 03 Mar 2026 10:00:00 GMT</pubDate></item>"
            for n in (1, 2, 300)
        )
        return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Parts</title>{items}</channel></rss>'


NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def _html(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head><body>'
        f'<header><a href="/">Parts</a></header><main>{body}</main></body></html>'
    )


class _MappedHandler(LoopbackHandler):
    owner: MappedSite

    def do_GET(self) -> None:
        """Answer with a page, a file of the site, or 404."""
        site, trouble = self.owner, self.owner.trouble
        site.asked[self.path] += 1
        path = urlsplit(self.path).path
        if self.path in trouble.files:
            status, kind, body = trouble.files[self.path]
            self.answer(status, kind, body)
        elif self.path in trouble.fails_once and site.asked[self.path] == 1:
            self.answer(500, "text/html", b"<h1>Sorry</h1>")
        elif self.path in trouble.login:
            self.answer(302, "text/plain", b"", {"Location": "/login"})
        elif path in FILES:
            kind, make = FILES[path]
            self.answer(200, kind, make(site).encode())
        elif path.startswith("/sitemap-") and path.endswith((".xml", ".xml.gz")):
            body = site.sitemap(int(path.removeprefix("/sitemap-").partition(".")[0])).encode()
            packed = path.endswith(".gz")
            self.answer(
                200, "application/gzip" if packed else "application/xml", gzip.compress(body) if packed else body
            )
        elif path.startswith("/parts/") and path.strip("/").removeprefix("parts/").isdigit():
            self._page(int(path.strip("/").removeprefix("parts/")), dict(parse_qsl(urlsplit(self.path).query)))
        else:
            self.answer(404, "text/html", b"<h1>Not found</h1>")

    def _page(self, number: int, query: dict[str, str]) -> None:
        is_there = 1 <= number <= PAGES and (number % 3 != 0 or query == {"view": "list", "unit": "mm"})
        body = self.owner.page(number).encode() if is_there else b"<h1>Not found</h1>"
        self.answer(200 if is_there else 404, "text/html; charset=utf-8", body)


FILES: dict[str, tuple[str, Callable[[MappedSite], str]]] = {
    "/": ("text/html; charset=utf-8", MappedSite.home),
    "/robots.txt": ("text/plain", MappedSite.robots),
    "/sitemap-index.xml": ("application/xml", MappedSite.index),
    "/nested-index.xml": ("application/xml", MappedSite.index),
    "/feed.xml": ("application/rss+xml", MappedSite.feed),
    "/login": (
        "text/html",
        lambda _: _html("Sign in", '<h1>Sign in</h1><form><input name="u"><input type="password"></form>'),
    ),
}
