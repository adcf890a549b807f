"""Generated pages with known ground truth: realistic, varied, and the same for the same seed.

A Layout is a design without data; it renders any records of its domain, and ``mutate_layout`` changes it as a site's
redesign would. Tests, benchmarks and users' own tests build on these pages.

>>> page = generate_page(7, "cards", records=12)
>>> len(page.records), page.kind
(12, 'cards')
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from random import Random

from gleaner.contracts.ports import JsonObject, JsonValue

from generated_pages.chrome import page_around
from generated_pages.layouts import (
    KINDS,
    LIST_KINDS,
    MUTATIONS,
    Layout,
    Mutation,
    PageKind,
    make_layout,
    mutate_layout,
)
from generated_pages.listings import LISTINGS
from generated_pages.singles import ARTICLE_FIELDS, article_body, detail_body
from generated_pages.values import DOMAINS, Domain, FieldSpec, Record, generate_records, item_schema

__all__ = [
    "DOMAINS",
    "KINDS",
    "LIST_KINDS",
    "MUTATIONS",
    "Domain",
    "FieldSpec",
    "GeneratedPage",
    "Layout",
    "Mutation",
    "PageKind",
    "Record",
    "generate_page",
    "generate_records",
    "make_layout",
    "mutate_layout",
    "render_page",
]


@dataclass(frozen=True, slots=True)
class GeneratedPage:
    """A page and the truth about it.

    ``records`` are in page order, with None for what the page does not show (one record on ``detail`` and
    ``article`` pages). ``schema`` describes the whole answer: an array of records, or one object; ``truth`` is that
    answer. ``stated`` is the total that the page states about its listing, if any.
    """

    html: str
    records: list[Record]
    schema: JsonObject
    kind: PageKind
    url: str
    title: str
    layout: Layout
    stated: int | None = None

    @property
    def is_list(self) -> bool:
        """Tell whether the page lists records, rather than being about one thing."""
        return self.kind in LIST_KINDS

    @property
    def truth(self) -> JsonValue:
        """Give the right answer for ``schema``."""
        return list(self.records) if self.is_list else self.records[0]

    def telling_fields(self, markdown: str) -> list[str]:
        """Give the text fields that stand in the Markdown as they are: together they tell one record from another."""
        texts = [name for name, value in self.records[0].items() if isinstance(value, str)]
        return [name for name in texts if all(str(record[name]) in markdown for record in self.records if record[name])]


def generate_page(
    seed: int,
    kind: PageKind,
    records: int | Sequence[Record] = 20,
    *,
    twins: int = 0,
    links: bool = False,
    domain: str | None = None,
    ads_every: int | None = None,
) -> GeneratedPage:
    """Generate one page: a layout for the seed and kind, and so many records (or the records given).

    ``twins`` of the records repeat others in every field. ``links`` adds a ``url`` to each record. Numbers of
    advertisements between records: ``ads_every`` (0: none), else as the layout likes.
    """
    layout = make_layout(seed, kind, domain=domain, links=links, ads_every=ads_every)
    return render_page(layout, records, twins=twins)


def render_page(
    layout: Layout, records: int | Sequence[Record] = 20, *, twins: int = 0, data: int = 0
) -> GeneratedPage:
    """Render records with a layout. ``data`` seeds other records for the same design: the site's next page.

    >>> layout = make_layout(3, "table")
    >>> first, second = render_page(layout, 5), render_page(layout, 5, data=1)
    >>> first.records != second.records and first.schema == second.schema
    True
    """
    if layout.kind not in LIST_KINDS:
        return _render_single(layout, data)
    if isinstance(records, int):
        records = generate_records(f"{layout.seed}/{data}", layout.domain, records, twins=twins, links=layout.links)
    listed = [*records, *_extra(layout, data)]
    if layout.shuffle:
        Random(layout.shuffle).shuffle(listed)
    truth = [layout.truth(record) for record in listed]
    stated, text = _stated(layout, len(truth))
    title = f"{layout.domain.plural.capitalize()} for you"
    html = page_around(
        layout, title, LISTINGS[layout.kind](layout, truth), heading=_heading(layout, title), stated=text
    )
    schema: JsonObject = {"type": "array", "items": item_schema(layout.domain, links=layout.links)}
    url = f"https://shop.example/{layout.kind}/{layout.seed}?page={data + 1}"
    return GeneratedPage(html, truth, schema, layout.kind, url, title, layout, stated)


def _extra(layout: Layout, data: int) -> list[Record]:
    if not layout.extra_records:
        return []
    extra = generate_records(f"extra/{layout.seed}/{data}", layout.domain, layout.extra_records, links=layout.links)
    name = layout.domain.fields[0].name
    return [{**record, name: f"{record[name]} (new)"} for record in extra]


def _heading(layout: Layout, title: str) -> str:
    return f"<h1>{title}</h1>" if layout.chance("heading", 0.85) else ""


def _stated(layout: Layout, count: int) -> tuple[int | None, str]:
    forms = {
        "range": f"Showing 1–{count} of {count} results",
        "results": f"{count} results",
        "plural": f"{count:,} {layout.domain.plural.capitalize()}",
        "german": f"{count} Treffer",
    }
    form = layout.choose("stated", "none", "none", "none", *forms)
    if form == "none":
        return None, ""
    return count, f"<p{layout.css('count')}>{forms[form]}</p>"


def _render_single(layout: Layout, data: int) -> GeneratedPage:
    url = f"https://shop.example/{layout.kind}/{layout.seed}-{data}"
    if layout.kind == "detail":
        record = layout.truth(generate_records(f"{layout.seed}/{data}", layout.domain, 1)[0])
        title = str(record[layout.domain.fields[0].name])
        html = page_around(layout, escape(title), detail_body(layout, record))
        return GeneratedPage(html, [record], item_schema(layout.domain), "detail", url, title, layout)
    record = _article_record(layout, data)
    title = str(record["title"])
    schema = item_schema(Domain("article", "articles", ARTICLE_FIELDS))
    html = page_around(layout, title, article_body(layout, record))
    return GeneratedPage(html, [record], schema, "article", url, title, layout)


def _article_record(layout: Layout, data: int) -> Record:
    book = generate_records(f"article/{layout.seed}/{data}", DOMAINS["book"], 1)[0]
    day = generate_records(f"article/{layout.seed}/{data}", DOMAINS["event"], 1)[0]["date"]
    return {"title": book["title"], "author": book["author"], "published": day}
