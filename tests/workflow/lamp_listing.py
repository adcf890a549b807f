"""A listing of invented lamps on loopback, five a page in a plain table, with the pagers that programs and sites have.

``/WAY`` is the listing by one of ``PAGERS``, ``/WAY?page=2`` its second page; no model is needed to read it.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from gleaner.contracts.ports import JsonObject
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.support.schemas import NUMBER, TEXT, records_of

PER_PAGE = 5
LAMPS: JsonObject = records_of(name=TEXT, price=NUMBER)
WOODS = (
    "Alder Ash Beech Birch Box Cedar Cherry Elm Fir Hazel Holly Larch Lime Maple Oak Pear Pine Plane Plum Rowan Teak"
)


def lamps(count: int = 21) -> list[tuple[str, str]]:
    """Give names and prices."""
    return [(f"{wood} lamp", f"{10 + at}.50") for at, wood in enumerate(WOODS.split()[:count])]


Pager = Callable[[str, int, int], str]
"""Takes the listing's path, the number of the page and how many there are."""


def _numbers(path: str, page: int, pages: int) -> str:
    links = (f"<b>{n}</b>" if n == page else f'<a href="{path}?page={n}">{n}</a>' for n in range(1, pages + 1))
    return f"<p>{' '.join(links)}</p>"


def _shortened(path: str, page: int, pages: int) -> str:
    near = sorted({1, page - 1, page, page + 1, pages} & {*range(1, pages + 1)})
    links = (f"<b>{n}</b>" if n == page else f'<a href="{path}?page={n}">{n}</a>' for n in near)
    return f"<p>{' … '.join(links)}</p>"


def _all_linked(path: str, page: int, pages: int) -> str:
    items = (
        f'<li class="page-item{" active" * (n == page)}"><a href="{path}?page={n}">{n}</a></li>'
        for n in range(1, pages + 1)
    )
    return f"<ul>{''.join(items)}</ul>"


def _next(label: str, markup: str = '<a class="step" href="{url}">{label}</a>') -> Pager:
    def pager(path: str, page: int, pages: int) -> str:
        back = markup.format(url=f"{path}?page={page - 1}", label="Previous", page=page - 1) if page > 1 else ""
        on = markup.format(url=f"{path}?page={page + 1}", label=label, page=page + 1) if page < pages else ""
        return f"<nav>{back}{on}</nav>"

    return pager


def _arrows(path: str, page: int, pages: int) -> str:
    drawn = '<svg width="8"><path d="M0 0L4 4"/></svg>'
    places = (n for n in (page - 1, page + 1) if 1 <= n <= pages)
    return "".join(f'<a class="arrow" href="{path}?page={n}">{drawn}</a>' for n in places)


def _select(path: str, page: int, pages: int) -> str:
    options = (
        f'<option value="{path}?page={n}"{" selected" * (n == page)}>Page {n} of {pages}</option>'
        for n in range(1, pages + 1)
    )
    return f'<select onchange="location=this.value">{"".join(options)}</select>'


def _beside(other: str) -> Pager:
    return lambda path, page, pages: other.replace("PATH", path) + _numbers(path, page, pages)


def _renamed(path: str, page: int, pages: int) -> str:
    """Pages that are given another name once one has come to the second: "?page=3" alone is none."""
    if page == 1:
        return _shortened(path, page, pages)
    return _next("Next")(path, page, pages).replace(f"page={page + 1}", f"page={page + 1}&amp;since=2")


def _on_first_page(path: str, page: int, pages: int) -> str:
    return _shortened(path, page, pages) if page == 1 else ""


def _newest_first(path: str, page: int, pages: int) -> str:
    """The first page has the highest number, which stands first."""
    return _shown_newest(path, page, range(pages, 0, -1), pages)


def _newest_at_the_end(path: str, page: int, pages: int) -> str:
    """The first page has the highest number, which stands last."""
    return _shown_newest(path, page, range(1, pages + 1), pages)


def _newest_beside_the_next(path: str, page: int, pages: int) -> str:
    number = pages - page + 1
    return _shown_newest(path, page, [n for n in (number + 1, number, number - 1) if 1 <= n <= pages], pages)


def _shown_newest(path: str, page: int, numbers: Iterable[int], pages: int) -> str:
    shown = pages - page + 1
    where = {pages: path}
    links = (f"<b>{n}</b>" if n == shown else f'<a href="{where.get(n, f"{path}?page={n}")}">{n}</a>' for n in numbers)
    return f"<p>{' '.join(links)}</p>"


_FORM = '<form action="{url}"><input type="hidden" name="page" value="{page}"><button>{label}</button></form>'
_SET = """<button onclick="location.href='{url}'">{label}</button>"""
_SIZES = '<p>Show <b>5</b> <a href="PATH?per=10">10</a> <a href="PATH?per=25">25</a></p>'
PAGERS: dict[str, Pager] = {
    "numbers": _numbers,
    "shortened": _shortened,
    "all-linked": _all_linked,
    "next": _next("Next"),
    "more": _next("More"),
    "next-5": _next("Next 5"),
    "sign": _next("»"),
    "arrows": _arrows,
    "select": _select,
    "form": _next("Next", _FORM),
    "button": _next("Next", _SET),
    "years": _beside("".join(f'<a href="PATH?year={year}">{year}</a> ' for year in range(2018, 2026))),
    "sizes": _beside(_SIZES),
    "ratings": _beside("".join(f'<a href="PATH?stars={stars}">{stars}</a> ' for stars in range(1, 6))),
    "show-all-in-a-menu": _beside('<a href="PATH?all=1">Show all</a>'),
    "next-beside-sizes": lambda path, page, pages: _SIZES.replace("PATH", path) + _next("Next")(path, page, pages),
}
BACKWARDS: dict[str, Pager] = {
    "newest-first": _newest_first,
    "newest-at-the-end": _newest_at_the_end,
    "newest-beside-the-next": _newest_beside_the_next,
}
"""The page without a number in its address has the highest one, and the last page is the first that there was."""


def _counted_on_first_page(path: str, page: int, pages: int) -> str:
    return f"<p>Page 1 of {pages}</p>{_next('Next')(path, page, pages)}" if page == 1 else ""


OTHER_PAGERS: dict[str, Pager] = {
    "renamed": _renamed,
    "first-page-only": _on_first_page,
    "counted-on-the-first-page": _counted_on_first_page,
}
UNFOLLOWED: dict[str, tuple[Pager, str]] = {
    "letters": (
        lambda path, *_: (
            "<p><b>A</b> " + " ".join(f'<a href="{path}?part={one}">{one}</a>' for one in "BCDEF") + "</p>"
        ),
        "an index of letters leads to 5 other parts, B to F, not followed",
    ),
    "script": (_next("Next", '<div class="pagination"><a href="javascript:show({page})">{label}</a></div>'), "Next"),
    "post": (_next("Next", '<form method="post" class="pager"><button>{label}</button></form>'), "Next"),
    "load-more": (lambda _, page, pages: "<button>Load more</button>" if page < pages else "", "Load more"),
    "field": (
        lambda path, page, pages: (
            f'<form action="{path}">Page <input name="page" value="{page}"> of {pages} <button>Go</button></form>'
        ),
        "page 1 of 5",
    ),
    "field-with-max": (
        lambda path, page, pages: (
            f'<form action="{path}"><label>Go to</label> <input type="number" name="page" value="{page}" max="{pages}">'
            "<button>Go</button></form>"
        ),
        "page 1 of 5",
    ),
    "counted": (lambda _, page, pages: f"<p>Page {page} / {pages}</p>", "page 1 of 5"),
}
"""Pagers that can't be followed without a browser, and what of them is to be named."""


@dataclass
class LampListing(LoopbackServer):
    """Serves the listing; ``asked`` counts what was asked for.

    ``change`` is done to the rows when page 3 is asked for the first time, ``later`` when the listing's first page is
    read again; ``empty_at`` gives pages from this one on another body; ``states`` writes the total.
    """

    rows: list[tuple[str, str]] = field(default_factory=lamps)
    change: Callable[[list[tuple[str, str]]], object] | None = None
    later: Callable[[list[tuple[str, str]]], object] | None = None
    bodies: dict[int, str] = field(default_factory=dict[int, str])
    states: str = ""
    linked_pages: int = 0
    asked: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        super().__init__(_Handler)

    def page(self, way: str, number: int) -> str:
        """Give a page of the listing."""
        pages = self.linked_pages or max(1, -(-len(self.rows) // PER_PAGE))
        rows = self.rows[(number - 1) * PER_PAGE : number * PER_PAGE]
        pager = UNFOLLOWED[way][0] if way in UNFOLLOWED else {**PAGERS, **OTHER_PAGERS, **BACKWARDS}[way]
        total = self.states.format(total=len(self.rows), shown=len(rows))
        head = "<table><tr><th>Name</th><th>Price</th></tr>"
        listed = head + "".join(f"<tr><td>{name}</td><td>{price}</td></tr>" for name, price in rows) + "</table>"
        body = self.bodies.get(number, listed if rows else "<p>No lamps found: 0 results.</p>")
        return (
            f"<!doctype html><html lang=en><head><title>Lamps</title></head><body><h1>Lamps</h1><p>{total}</p>{body}"
            f"{pager(f'/{way}', number, pages)}</body></html>"
        )


class _Handler(LoopbackHandler):
    owner: LampListing

    def do_GET(self) -> None:
        site, parts = self.owner, urlsplit(self.path)
        way, query = parts.path.strip("/"), parse_qs(parts.query)
        site.asked[self.path] += 1
        number = int(query.get("page", ["1"])[0])
        if way in BACKWARDS and "page" in query:
            number = max(1, -(-len(site.rows) // PER_PAGE)) - number + 1
        if way not in PAGERS.keys() | OTHER_PAGERS.keys() | BACKWARDS.keys() | UNFOLLOWED.keys():
            self.answer(404, "text/html", b"<h1>Not found</h1>")
            return
        if way == "renamed" and number in (3, 4) and "since" not in query:
            self.answer(200, "text/html", b"<p>0 results</p>")
            return
        if number == 3 and site.change is not None:
            change, site.change = site.change, None
            change(site.rows)
        if number == 1 and site.asked[self.path] > 1 and site.later is not None:
            site.later(site.rows)
        self.answer(200, "text/html; charset=utf-8", site.page(way, number).encode())
