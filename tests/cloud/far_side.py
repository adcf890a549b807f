"""What lies beyond the cloud: web sites at public addresses, so that the address guard stays on, and the model."""

import subprocess
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

from gleaner.cli.demo import scripted_shopkeeper
from gleaner.testing import ScriptedModelServer, Site
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

ROOT = Path(__file__).parents[2]
ADDRESSES = {"kiln.example": "11.22.33.44", "shop.example": "11.22.33.45"}
"""kiln.example is the shop of the demo; shop.example is what events/ speak of."""
LARGE_LINES = 420_000
SLOW_S = 20
SHELVES, SLOW_SHELF = 5, 3
HELD_S = 25
"""A browser gives up on a page after 30 s."""


@dataclass(frozen=True, slots=True)
class FarSide:
    """The demo's shop, the plain pages, and the model's address."""

    site: Site
    pages: "PlainSite"
    model: ScriptedModelServer


@contextmanager
def far_side(scratch: Path) -> Generator[FarSide]:
    """Give the device lo the sites' addresses, and serve."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for address in ADDRESSES.values():
        subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)
    hosts = scratch / "hosts"
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{to} {name}\n" for name, to in ADDRESSES.items()), "utf-8")
    subprocess.run(["mount", "--bind", str(hosts), "/etc/hosts"], check=True)
    with ExitStack() as stack:
        site = stack.enter_context(Site(ROOT / "tests/fixtures/site", 80, ADDRESSES["kiln.example"]))
        pages = stack.enter_context(PlainSite())
        yield FarSide(site, pages, stack.enter_context(ScriptedModelServer(scripted_shopkeeper(site))))


class PlainSite(LoopbackServer):
    """Pages without a script. What a play changes on /lamps is here, and what was sent to /hook: headers and body.

    The first ``refusals`` calls of /hook are answered 503. Browsers wait on /held until ``gate`` is opened; ``held``
    counts them. Of the listing /shelf the third page takes long; ``shelves`` counts how often it was asked for.
    """

    def __init__(self) -> None:
        self.lamps = {"Gorse lamp": "18.50", "Reed lamp": "21.00", "Fen lamp": "34.25"}
        self.told: list[tuple[Message, bytes]] = []
        self.refusals = 0
        self.shelves = 0
        self.gate = threading.Event()
        self.held = 0
        super().__init__(PlainPages, 80, ADDRESSES["shop.example"])


class PlainPages(LoopbackHandler):
    """Any number of pages; /large has over 6 MB of text, /slow takes its time, /lost is not there, /lamps changes,
    /shelf/1 begins a listing of five pages."""

    owner: PlainSite

    def do_POST(self) -> None:
        """Take what a webhook tells, or refuse it."""
        told = self.headers, self.read_body()
        if self.owner.refusals:
            self.owner.refusals -= 1
            self.answer(503, "", b"")
        else:
            self.owner.told.append(told)
            self.answer(204, "", b"")

    def do_GET(self) -> None:
        if self.path == "/robots.txt":
            self.answer(200, "text/plain", b"User-agent: *\nDisallow: /forbidden\n")
        elif self.path == "/lost":
            self.answer(404, "text/html", b"<!doctype html><title>Lost</title><h1>Lost</h1>")
        elif self.path == "/gate.js":
            self.owner.held += 1
            self.owner.gate.wait(HELD_S)
            self.answer(200, "text/javascript", b"")
        elif self.path == "/lamps":
            self.answer(200, "text/html", table_page("Lamps", self.owner.lamps, "").encode())
        elif self.path.startswith("/shelf/"):
            number = int(self.path.removeprefix("/shelf/"))
            if number == SLOW_SHELF:
                self.owner.shelves += 1
                time.sleep(SLOW_S)
            jars = {f"Jar {number}{letter}": f"{number}{place}.50" for place, letter in enumerate("ABCD")}
            more = f'<a rel="next" href="/shelf/{number + 1}">Next</a>' if number < SHELVES else ""
            self.answer(200, "text/html", table_page("Jars", jars, more).encode())
        else:
            if self.path == "/slow":
                time.sleep(SLOW_S)
            self.answer(200, "text/html; charset=utf-8", page(self.path).encode())


def table_page(title: str, prices: dict[str, str], more: str) -> str:
    """Give a page with a table of names and prices."""
    rows = "".join(f"<tr><td>{name}<td>{price}" for name, price in prices.items())
    table = f"<h1>{title}</h1><table><tr><th>Name<th>Price{rows}</table>{more}"
    return f"<!doctype html><title>{title}</title><main>{table}</main>"


def page(path: str) -> str:
    """Give a page of its own words."""
    lines = "".join(f"line {number} of it\n" for number in range(LARGE_LINES)) if path == "/large" else ""
    title = f"Page {path}"
    script = '<script src="/gate.js"></script>' if path.startswith("/held") else ""
    said = f"<p>This is the page at {path}, and it has a paragraph of its own that says so." + "<p>Another one."
    return f"<!doctype html><title>{title}</title>{script}<main><h1>{title}</h1>{said}<pre>{lines}</pre></main>"
