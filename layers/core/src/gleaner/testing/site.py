"""A small shop on loopback: what the demo scrapes, and what the browser tests look at.

Its pages are files; the product listing is drawn by JavaScript from ``/api/products?page=N``, ``/account`` wants a
cookie that signing in at ``/login`` gives, and ``/search`` finds products by a word of their name.
"""

import json
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

PAGES = {
    "/": "index.html",
    "/products": "products.html",
    "/stations": "stations.html",
    "/journal/kiln": "article.html",
    "/docs/client": "docs.html",
    "/forum/glaze": "forum.html",
    "/greetings": "greetings.html",
    "/login": "login.html",
    "/files/price-list.pdf": "price-list.pdf",
    "/files/lamp.png": "lamp.png",
}
TYPES = {".html": "text/html; charset=utf-8", ".pdf": "application/pdf", ".png": "image/png"}
PAGE_SIZE = 12
SESSION = "session=guest"


class Site(LoopbackServer):
    """Serves a folder of pages on 127.0.0.1, on a free port, until it is closed."""

    def __init__(self, folder: Path, port: int = 0, address: str = "127.0.0.1") -> None:
        self.folder = folder
        super().__init__(_SiteHandler, port, address)

    @cached_property
    def products(self) -> list[dict[str, str]]:
        """The truth behind the listing."""
        return json.loads((self.folder / "products.json").read_text("utf-8"))

    def listing(self, number: int) -> dict[str, Any]:
        """Give one page of the listing, as the page's script gets it."""
        start = (number - 1) * PAGE_SIZE
        items = self.products[start : start + PAGE_SIZE]
        pages = -(-len(self.products) // PAGE_SIZE)
        return {
            "items": items,
            "total": len(self.products),
            "first": start + 1,
            "last": start + len(items),
            "pages": pages,
        }


class _SiteHandler(LoopbackHandler):
    owner: Site

    def do_GET(self) -> None:
        """Answer with a page, a listing, or 404."""
        parts = urlsplit(self.path)
        if parts.path == "/api/products":
            number = int(parse_qs(parts.query).get("page", ["1"])[0])
            self.answer(200, "application/json", json.dumps(self.owner.listing(number)).encode())
        elif parts.path == "/search":
            self._search(parse_qs(parts.query).get("q", [""])[0].lower())
        elif parts.path == "/account":
            self._account()
        elif parts.path in PAGES:
            self._file(PAGES[parts.path])
        else:
            self.answer(404, "text/html; charset=utf-8", b"<!doctype html><title>Not found</title><h1>Not found</h1>")

    def do_POST(self) -> None:
        """Sign anybody in."""
        self.read_body()
        cookie = f"{SESSION}; Path=/; HttpOnly; Max-Age=86400"
        self.answer(303, "text/plain", b"", {"Location": "/account", "Set-Cookie": cookie})

    def _search(self, word: str) -> None:
        found = [one for one in self.owner.products if word and word in one["name"].lower()]
        rows = "".join(f"<tr><td>{one['name']}</td><td>£{one['price']}</td></tr>" for one in found)
        table = f"<p>{len(found)} found</p><table><tr><th>Name</th><th>Price</th></tr>{rows}</table>" if word else ""
        page = (self.owner.folder / "search.html").read_text("utf-8").replace("<!-- found -->", table)
        self.answer(200, TYPES[".html"], page.encode())

    def _account(self) -> None:
        if SESSION in (self.headers.get("Cookie") or ""):
            self._file("account.html")
        else:
            self.answer(303, "text/plain", b"", {"Location": "/login"})

    def _file(self, name: str) -> None:
        path = self.owner.folder / name
        self.answer(200, TYPES[path.suffix], path.read_bytes())
