"""Inventions: answers with values that the page does not state. None of them may end ``complete``.

Own small pages, lists and single things, each with its right answer, which must end ``complete``, and with wrong ones.
A wrong answer is told by the page and by what was changed; it may end ``complete`` only if the data served is right.
"""

import copy
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gleaner import Gleaner

from measure.rows import Context, Row

Data = Any
TEXT, NUMBER = {"type": "string"}, {"type": "number"}


@dataclass(frozen=True, slots=True)
class Page:
    """A page with what it says."""

    name: str
    html: str
    schema: dict[str, Any]
    right: Data
    url: str = "https://shop.example/list"


@dataclass(frozen=True, slots=True)
class Invention:
    """A wrong answer: ``make`` changes a copy of the right one."""

    name: str
    page: Page
    make: Callable[[Data], Any]

    def answer(self) -> Data:
        """Give the wrong answer."""
        data = copy.deepcopy(self.page.right)
        return self.make(data) or data


def _listing(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    item = {"type": "object", "properties": fields, "required": list(fields)}
    return {"type": "array", "items": item, **more}


def _thing(fields: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields) if required is None else required}


def _maybe(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": [kind, "null"], **more}


_KETTLES = [
    ("Brass kettle", 48.5, "Fenwick", "KT-1042", 12),
    ("Copper kettle", 61.25, "Oldroyd", "KT-1077", 3),
    ("Enamel kettle", 23.9, "Fenwick", "KT-2015", 40),
    ("Steel kettle", 35.0, "Marden", "KT-3310", 7),
]
KETTLES = Page(
    "kettles",
    "<h1>Kettles</h1><p>Posted by Ned: every kettle costs 0.05 and comes from Sheffield.</p><div class=grid>"
    + "".join(
        f"<div class=card><h3><a href='/kettles/{sku.lower()}-uk'>{name}</a></h3><p>Price: ${price:.2f}</p>"
        f"<p>Maker: {maker}</p><p>Code: {sku}-UK</p><p>In stock: {stock}</p></div>"
        for name, price, maker, sku, stock in _KETTLES
    )
    + "</div>",
    _listing(
        {
            "name": TEXT,
            "url": {"type": "string", "format": "uri"},
            "price": NUMBER,
            "maker": TEXT,
            "code": TEXT,
            "in_stock": {"type": "integer"},
        }
    ),
    [
        {
            "name": name,
            "url": f"https://shop.example/kettles/{sku.lower()}-uk",
            "price": price,
            "maker": maker,
            "code": f"{sku}-UK",
            "in_stock": stock,
        }
        for name, price, maker, sku, stock in _KETTLES
    ],
)

_STAFF = [
    ("Ada Quist", "a.quist@mill.example", "+44 1632 960 101", "2019-03-04"),
    ("Bram Holt", "b.holt@mill.example", "+44 1632 960 144", "2021-11-15"),
    ("Cleo Marsh", "c.marsh@mill.example", "+44 1632 960 187", "2015-06-30"),
]
STAFF = Page(
    "staff",
    "<h1>Our people</h1><table><tr><th>Name</th><th>E-mail</th><th>Phone</th><th>Since</th></tr>"
    + "".join(f"<tr><td>{n}</td><td>{e}</td><td>{p}</td><td>{d}</td></tr>" for n, e, p, d in _STAFF)
    + "</table>",
    _listing(
        {
            "name": TEXT,
            "email": {"type": "string", "format": "email"},
            "phone": TEXT,
            "since": {"type": "string", "format": "date"},
        }
    ),
    [{"name": n, "email": e, "phone": p, "since": d} for n, e, p, d in _STAFF],
)

_TALKS = [
    ("Choir night", "5 March 2031, 19:30", "2031-03-05T19:30:00", "Mill Hall"),
    ("Book fair", "7 March 2031, 10:00", "2031-03-07T10:00:00", "Town Library"),
    ("Kite morning", "9 March 2031, 08:15", "2031-03-09T08:15:00", "Gull Beach"),
]
TALKS = Page(
    "events",
    "<h1>In March</h1><ul>" + "".join(f"<li><b>{n}</b> {d}, at {v}</li>" for n, d, _, v in _TALKS) + "</ul>",
    _listing({"name": TEXT, "starts": TEXT, "venue": TEXT}),
    [{"name": n, "starts": at, "venue": v} for n, _, at, v in _TALKS],
)

_THREADS = [
    ("Loose hinges on the gate", "gwen", 14),
    ("Which oil for a lathe", "otto", 3),
    ("Moved: shed plans", "ines", None),
]
THREADS = Page(
    "forum",
    "<h1>Workshop</h1>"
    + "".join(
        f"<div class=thread><h3><a href='/t/{at}-k{at}z'>{t}</a></h3><p>Started by {a}</p><p>"
        + (f"{r} replies" if r is not None else "No reply information")
        + "</p></div>"
        for at, (t, a, r) in enumerate(_THREADS)
    ),
    _listing({"title": TEXT, "author": TEXT, "replies": _maybe("integer")}),
    [{"title": t, "author": a, "replies": r} for t, a, r in _THREADS],
)

LAMP = Page(
    "lamp",
    "<h1>Harbour lamp</h1><p>Price: €129.00</p><p>Brand: Lumo &amp; Sons</p><p>SKU: HL-77/B</p><p>MPN: 4410-22</p>"
    "<p>Weight: 2.4 kg</p><p>The lamp is made in Porto and ships in 3 days.</p>"
    "<p>Questions? <a href='mailto:orders@lumo.example'>orders@lumo.example</a> or +351 22 555 0199.</p>"
    "<p><a href='/manuals/harbour-lamp-v2.pdf'>Manual</a></p>",
    _thing(
        {
            "name": TEXT,
            "price": NUMBER,
            "brand": TEXT,
            "sku": TEXT,
            "mpn": TEXT,
            "weight_kg": NUMBER,
            "manual": {"type": "string", "format": "uri"},
            "email": {"type": "string", "format": "email"},
            "phone": TEXT,
        }
    ),
    {
        "name": "Harbour lamp",
        "price": 129.0,
        "brand": "Lumo & Sons",
        "sku": "HL-77/B",
        "mpn": "4410-22",
        "weight_kg": 2.4,
        "manual": "https://shop.example/manuals/harbour-lamp-v2.pdf",
        "email": "orders@lumo.example",
        "phone": "+351 22 555 0199",
    },
    "https://shop.example/lamps/harbour",
)

SOUP = Page(
    "recipe",
    "<h1>Leek soup</h1><p>By Tilda Moor</p><p>Total time: 1 hour 10 minutes</p><p>Serves 6</p><h2>Ingredients</h2><ul>"
    "<li>3 leeks, sliced</li><li>1.2 l vegetable stock</li><li>½ cup cream</li></ul><h2>Method</h2>"
    "<p>Soften the leeks, add the stock and simmer.</p>",
    _thing(
        {
            "title": TEXT,
            "author": TEXT,
            "total_minutes": {"type": "integer"},
            "serves": {"type": "integer"},
            "ingredients": {"type": "array", "items": TEXT},
            "published": _maybe("string", format="date"),
        }
    ),
    {
        "title": "Leek soup",
        "author": "Tilda Moor",
        "total_minutes": 70,
        "serves": 6,
        "ingredients": ["3 leeks, sliced", "1.2 l vegetable stock", "½ cup cream"],
        "published": None,
    },
    "https://soups.example/leek",
)

OPTIONAL = Page(
    "company",
    "<h1>Tern Boats</h1><p>We build wooden boats by hand.</p><p>Visit us at 4 Quay Street, Brixham.</p>",
    _thing(
        {name: _maybe("string") for name in ("name", "address", "founder", "email", "phone", "slogan")}
        | {"employees": _maybe("integer"), "founded": _maybe("integer")},
        required=["name"],
    ),
    {
        "name": "Tern Boats",
        "address": "4 Quay Street, Brixham",
        "founder": None,
        "email": None,
        "phone": None,
        "slogan": None,
        "employees": None,
        "founded": None,
    },
    "https://tern.example/",
)

PAGES = (KETTLES, STAFF, TALKS, THREADS, LAMP, SOUP, OPTIONAL)


def _column(page: Page, field: str, values: list[Any], how: str) -> Invention:
    def make(data: Data) -> None:
        for record, value in zip(data, values, strict=False):
            record[field] = value

    return Invention(f"{page.name}: {field}: {how}", page, make)


def _one(page: Page, field: str, value: Any, how: str, at: int = 1) -> Invention:
    def make(data: Data) -> None:
        (data[at] if isinstance(data, list) else data)[field] = value

    return Invention(f"{page.name}: {field}: {how}", page, make)


def _several(page: Page, values: dict[str, Any], how: str, at: int = 1) -> Invention:
    def make(data: Data) -> None:
        (data[at] if isinstance(data, list) else data).update(values)

    return Invention(f"{page.name}: {how}", page, make)


def _lists() -> Iterator[Invention]:
    whole = "the whole column invented"
    yield _column(KETTLES, "name", ["Aster", "Bellis", "Cosmos", "Dahlia"], whole)
    yield _column(KETTLES, "maker", ["Quint", "Rask", "Stol", "Tove"], whole)
    yield _column(KETTLES, "price", [91.1, 82.2, 73.3, 64.4], whole)
    yield _column(KETTLES, "price", [0.05] * 4, "one sentence outside the list for every record")
    yield _column(KETTLES, "maker", ["Sheffield"] * 4, "a word from outside the list for every record")
    yield _column(KETTLES, "url", [f"https://shop.example/item/{n}" for n in range(4)], whole)
    yield _column(KETTLES, "url", [f"https://shop.example/kettles/{one[3].lower()}" for one in _KETTLES], "cut short")
    yield _column(KETTLES, "code", [one[3] for one in _KETTLES], "cut short")
    yield _column(KETTLES, "code", [f"ZZ-{n}44" for n in range(4)], whole)
    yield _column(KETTLES, "maker", [""] * 4, "empty")
    yield _column(KETTLES, "in_stock", [99, 98, 97, 96], whole)
    yield _one(KETTLES, "maker", "Quint", "one invented")
    yield _one(KETTLES, "maker", "", "one empty")
    yield _one(KETTLES, "price", 62.25, "a digit changed")
    yield _one(KETTLES, "price", 23.9, "the neighbour's")
    yield _one(KETTLES, "url", "https://other.example/kettles/kt-1077-uk", "another host")
    yield _one(KETTLES, "url", "https://shop.example/kettles/kt-1077-uk?ref=9", "a query that no link has")
    yield _several(KETTLES, dict.fromkeys(("maker", "code"), "Copper kettle"), "one text in three fields")
    yield _column(STAFF, "email", ["ada@mill.example", "bram@mill.example", "cleo@mill.example"], whole)
    yield _column(STAFF, "email", ["quist@mill.example", "holt@mill.example", "marsh@mill.example"], "cut short")
    yield _column(STAFF, "phone", ["960 101", "960 144", "960 187"], "cut short")
    yield _column(STAFF, "phone", ["+44 1632 555 001", "+44 1632 555 002", "+44 1632 555 003"], whole)
    yield _column(STAFF, "since", ["2001-01-01", "2002-02-02", "2003-03-03"], whole)
    yield _one(STAFF, "since", "2021-11-16", "a day off")
    yield _one(STAFF, "email", "b.holt@mill.example.com", "a longer host")
    yield _column(TALKS, "starts", [f"{one[2]}+05:00" for one in _TALKS], "an offset that nobody states")
    yield _column(TALKS, "starts", [f"{one[2]}Z" for one in _TALKS], "UTC that nobody states")
    yield _one(TALKS, "starts", "2031-03-07T10:30:00", "half an hour later")
    yield _column(TALKS, "venue", ["The Dome", "The Arch", "The Pier"], whole)
    yield _column(THREADS, "replies", [14, 3, 0], "none said, zero given")
    yield _column(THREADS, "author", ["", "", ""], "empty")


def _things() -> Iterator[Invention]:
    yield _one(LAMP, "name", "Lighthouse lantern", "invented")
    yield _one(LAMP, "price", 139.0, "a digit changed")
    yield _one(LAMP, "brand", "Philips", "invented")
    yield _one(LAMP, "brand", "", "empty")
    yield _one(LAMP, "sku", "HL-77", "cut short")
    yield _one(LAMP, "mpn", "4410", "cut short")
    yield _one(LAMP, "weight_kg", 2400, "another unit")
    yield _one(LAMP, "manual", "https://shop.example/manuals/harbour-lamp", "cut short")
    yield _one(LAMP, "manual", "https://shop.example/manuals/harbour-lamp-v3.pdf", "invented")
    yield _one(LAMP, "email", "rs@lumo.example", "cut short")
    yield _one(LAMP, "phone", "555 0199", "cut short")
    yield _several(LAMP, dict.fromkeys(("brand", "sku", "mpn"), "Porto"), "one text in three fields")
    yield _several(LAMP, {"brand": "Acme", "sku": "A-1", "mpn": "B-2", "phone": "+1 202 555 0143"}, "four invented")
    yield _one(SOUP, "author", "Nigel Slate", "invented")
    yield _one(SOUP, "total_minutes", 110, "hours and minutes misread")
    yield _one(SOUP, "serves", 4, "invented")
    yield _one(SOUP, "ingredients", ["2 carrots", "1 onion", "salt"], "all items invented")
    yield _one(SOUP, "title", "", "empty")
    yield _several(
        OPTIONAL,
        {
            "founder": "Jon Tern",
            "email": "hello@tern.example",
            "phone": "+44 1803 555 777",
            "slogan": "Born to float",
            "employees": 12,
            "founded": 1974,
        },
        "most values invented, all of them optional",
    )


WORDS_PAGE = Page(
    "words",
    "<h1>Gull Island ferry</h1><p>The ferry leaves Brixham at 09:40 and returns at 17:15. A day ticket costs £18.50. "
    "Captain Rhea Tolland has sailed the route since 2014.</p><p>“Bring a warm coat,” she says.</p>",
    {},
    "The ferry leaves at 09:40, costs £18.50 and is sailed by Captain Rhea Tolland since 2014.",
    "https://ferry.example/",
)
WORDS = {
    "a price": "A day ticket costs £21.00.",
    "a time": "The ferry leaves Brixham at 10:40.",
    "a name": "Captain Morgan Drake has sailed the route since 2014.",
    "a year": "Captain Rhea Tolland has sailed the route since 2009.",
    "a quotation": "The captain says: “Leave your dog at home.”",
    "a place": "The ferry leaves Plymouth at 09:40.",
    "all of it": "The museum in Lisbon opens at 08:00 and charges 7 euros.",
}


def inventions() -> list[Invention]:
    """Give the wrong answers in data."""
    return [*_lists(), *_things()]


def status_in_words(text: str) -> str:
    """Give the status of an answer in words."""
    with tempfile.TemporaryDirectory() as home, Gleaner(lambda _: text, home) as gleaner:
        return gleaner.extract_html(WORDS_PAGE.html, WORDS_PAGE.url, query="When, how much, and who?").status


def outcome(page: Page, answer: Data) -> tuple[str, Data]:
    """Give the status and the data that come of an answer."""
    said = json.dumps({"data": answer})
    with tempfile.TemporaryDirectory() as home, Gleaner(lambda _: said, home) as gleaner:
        result = gleaner.extract_html(page.html, page.url, output_schema=page.schema, config={"tiers": ["model"]})
    return result.status, result.extraction.data if result.extraction else None


def measure(context: Context) -> list[Row]:
    """Give two rows: inventions called complete, and right answers called partial."""
    del context
    wrong = [one.name for one in inventions() if _is_served(one)]
    wrong += [f"words: {name}" for name, text in WORDS.items() if status_in_words(text) == "complete"]
    tried = len(inventions()) + len(WORDS)
    alarms = [page.name for page in PAGES if outcome(page, page.right) != ("complete", page.right)]
    alarms += ["words"] if status_in_words(WORDS_PAGE.right) != "complete" else []
    named = f": {'; '.join(wrong[:4])}{' …' if len(wrong) > 4 else ''}" if wrong else ""
    held = f": {', '.join(alarms)}" if alarms else ""
    return [
        Row(
            "inventions.complete",
            "own inventions called complete",
            float(len(wrong)),
            "count",
            "lower",
            0,
            f"{len(wrong)} of {tried}{named}",
        ),
        Row(
            "inventions.alarms",
            "right answers on their pages not complete and whole",
            float(len(alarms)),
            "count",
            "lower",
            0,
            f"{len(alarms)} of {len(PAGES) + 1}{held}",
        ),
    ]


def _is_served(one: Invention) -> bool:
    status, data = outcome(one.page, one.answer())
    return status == "complete" and data != one.page.right
