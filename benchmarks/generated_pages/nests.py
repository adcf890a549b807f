"""Pages whose records hold lists of objects: a card with its sizes, an order with its lines, a thing with its details.

Written by hand, one function a layout. A page of a layout is made from a number: other numbers are other records, with
other counts of inner ones, some of them none.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.ports import JsonValue

from generated_pages.nested_records import (
    PROFILE,
    THING,
    WITH_CINEMAS,
    WITH_LINES,
    WITH_NEEDS,
    WITH_OFFERS,
    WITH_PARAMETERS,
    WITH_SLOTS,
    WITH_VARIANTS,
    WITH_WORKS,
    Record,
    Schema,
    draw_calls,
    draw_dishes,
    draw_events,
    draw_films,
    draw_offers,
    draw_orders,
    draw_profile,
    draw_staff,
    draw_thing,
    draw_variants,
)


@dataclass(frozen=True, slots=True)
class NestedPage:
    """A page, its URL, the schema to ask by, and the true records (one for a page about one thing)."""

    html: str
    url: str
    schema: Schema
    truth: JsonValue

    @property
    def records(self) -> list[Any]:
        """The records that a model is to give, each with its own lists."""
        return self.truth if isinstance(self.truth, list) else [self.truth]


@dataclass(frozen=True, slots=True)
class NestedLayout:
    """What the records of a layout are, and how they are shown."""

    schema: Schema
    draw: Callable[[random.Random], JsonValue]
    show: Callable[[Any], str]

    def page(self, number: int, *, change: Callable[[str], str] | None = None) -> NestedPage:
        """Give the page of a number, its HTML changed if asked."""
        truth = self.draw(random.Random(f"nested/{number}"))
        html = self.whole(truth)
        url = f"https://site.example/list?page={number}"
        return NestedPage(change(html) if change else html, url, self.schema, truth)

    def whole(self, truth: JsonValue) -> str:
        """Give the page that shows these records."""
        return _whole(self.show(truth))


def _whole(body: str) -> str:
    head = "<head><title>Site</title></head>"
    nav = "<nav><ul><li><a href='/'>Home</a></li><li><a href='/about'>About</a></li></ul></nav>"
    return f"<html>{head}<body>{nav}<main>{body}</main><footer><p>© Site 2020</p></footer></body></html>"


def _each(items: Sequence[Any], show: Callable[[Any], str]) -> str:
    return "".join(show(item) for item in items)


def _stock(one: Record) -> str:
    return "In stock" if one["in_stock"] else "Sold out"


def _variant_table(one: Record) -> str:
    rows = _each(
        one["variants"], lambda v: f"<tr><td>{v['size']}</td><td>${v['price']:.2f}</td><td>{_stock(v)}</td></tr>"
    )
    head = "<tr><th>Size</th><th>Price</th><th>Availability</th></tr>"
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows else ""
    return f"<article class='product'><h3>{one['name']}</h3>{table}</article>"


def _variant_list(one: Record) -> str:
    items = _each(
        one["variants"],
        lambda v: (
            f"<li class='variant'><span class='size'>{v['size']}</span> <b class='price'>£{v['price']:.2f}</b>"
            f" <i class='stock'>{_stock(v)}</i></li>"
        ),
    )
    return f"<div class='card'><h2><a href='/p'>{one['name']}</a></h2><ul class='variants'>{items}</ul></div>"


def _variant_rows(one: Record) -> str:
    """One table for all: a row with the name, then a row for each size."""
    rows = _each(
        one["variants"],
        lambda v: f"<tr class='size'><td>{v['size']}</td><td>{v['price']:.2f}</td><td>{_stock(v)}</td></tr>",
    )
    return f"<tr class='item'><td colspan='3'>{one['name']}</td></tr>{rows}"


def _order(one: Record) -> str:
    rows = _each(
        one["lines"],
        lambda line: f"<tr><td>{line['sku']}</td><td>{line['qty']}</td><td>${line['price']:.2f}</td></tr>",
    )
    total = sum(line["qty"] * line["price"] for line in one["lines"])
    foot = f"<tr class='total'><td colspan='2'>Total</td><td>${total:.2f}</td></tr>"
    head = "<tr><th>SKU</th><th>Qty</th><th>Price</th></tr>"
    return f"<section><h2>{one['order']}</h2><table>{head}{rows}{foot}</table></section>"


def _works_in_list(one: Record) -> str:
    items = _each(one["publications"], lambda work: f"<li><cite>{work['title']}</cite> ({work['year']})</li>")
    listed = f"<p>Publications:</p><ol>{items}</ol>" if items else "<p>No publications yet</p>"
    return f"<div class='person'><h3>{one['person']}</h3>{listed}</div>"


def _works_under_heading(one: Record) -> str:
    """The group-by-heading shape: no container of the person's own."""
    items = _each(
        one["publications"],
        lambda work: f"<p class='work'><em>{work['title']}</em>, <span class='year'>{work['year']}</span></p>",
    )
    return f"<h2>{one['person']}</h2>{items}"


def _dish(one: Record) -> str:
    items = _each(
        one["needs"],
        lambda need: f"<li><span class='amount'>{need['amount']}</span> <span class='what'>{need['name']}</span></li>",
    )
    return f"<section class='dish'><h3>{one['dish']}</h3><h4>Ingredients</h4><ul>{items}</ul></section>"


def _dish_pairs(one: Record) -> str:
    pairs = _each(one["needs"], lambda need: f"<dt>{need['name']}</dt><dd>{need['amount']}</dd>")
    return f"<section class='dish'><h3>{one['dish']}</h3><dl>{pairs}</dl></section>"


def _event(one: Record) -> str:
    slots = _each(
        one["slots"],
        lambda slot: (
            f"<div class='slot'><time>{slot['time']}</time><span class='left'>{slot['left']} left</span></div>"
        ),
    )
    return (
        f"<article class='event'><h3>{one['event']}</h3><p class='venue'>{one['place']}</p>"
        f"<div class='slots'>{slots}</div><a class='more' href='/e'>More</a></article>"
    )


def _film(one: Record) -> str:
    def showing(each: Record) -> str:
        return f"<li><time>{each['time']}</time> <data class='fee'>€{each['price']:.2f}</data></li>"

    cinemas = _each(
        one["cinemas"],
        lambda c: f"<div class='cinema'><h4>{c['cinema']}</h4><ul>{_each(c['showings'], showing)}</ul></div>",
    )
    return f"<div class='film'><h3>{one['film']}</h3>{cinemas}</div>"


def _call(one: Record) -> str:
    rows = _each(
        one["parameters"],
        lambda p: (
            f"<tr><td><code>{p['name']}</code></td><td class='type'>{p['type']}</td>"
            f"<td class='note'>{p['note'] or ''}</td></tr>"
        ),
    )
    table = f"<table class='parameters'><tbody>{rows}</tbody></table>" if rows else ""
    return f"<section class='call'><h3>{one['call']}</h3>{table}</section>"


def _offer_card(one: Record) -> str:
    return _variant_list({"name": one["name"], "variants": one["offers"]["items"]})


def _detail(one: Record) -> str:
    specs = _each(one["specs"], lambda spec: f"<tr><th>{spec['name']}</th><td>{spec['value']}</td></tr>")
    reviews = _each(
        one["reviews"],
        lambda r: (
            f"<div class='review'><b class='by'>{r['author']}</b> <span class='stars'>{r['stars']}</span>"
            f"<p>{r['text']}</p></div>"
        ),
    )
    return (
        f"<h1>{one['title']}</h1><p class='price'>${one['price']:.2f}</p><h2>Specifications</h2>"
        f"<table class='specs'>{specs}</table><h2>Reviews</h2>{reviews}"
    )


def _profile_page(one: Record) -> str:
    names = ("phone", "room", "street", "group", "project")
    facts = _each(names, lambda name: f"<dt>{name.title()}</dt><dd>{one[name]}</dd>")
    works = _each(one["publications"], lambda w: f"<li><i>{w['title']}</i> <span class='year'>{w['year']}</span></li>")
    return f"<h1>{one['person']}</h1><dl>{facts}</dl><h2>Publications</h2><ul class='works'>{works}</ul>"


def _in(around: str, show: Callable[[Record], str]) -> Callable[[Any], str]:
    def shown(records: Any) -> str:
        return around.format(_each(records, lambda one: show({**one})))

    return shown


NESTED: Mapping[str, NestedLayout] = {
    "variants in tables": NestedLayout(WITH_VARIANTS, draw_variants, _in("<div>{}</div>", _variant_table)),
    "variants in lists": NestedLayout(WITH_VARIANTS, draw_variants, _in("<div class='grid'>{}</div>", _variant_list)),
    "variants in rows": NestedLayout(WITH_VARIANTS, draw_variants, _in("<table>{}</table>", _variant_rows)),
    "order lines": NestedLayout(WITH_LINES, draw_orders, _in("{}", _order)),
    "publications in lists": NestedLayout(WITH_WORKS, draw_staff, _in("<div>{}</div>", _works_in_list)),
    "publications under headings": NestedLayout(WITH_WORKS, draw_staff, _in("<div>{}</div>", _works_under_heading)),
    "ingredients in lists": NestedLayout(WITH_NEEDS, draw_dishes, _in("{}", _dish)),
    "ingredients in pairs": NestedLayout(WITH_NEEDS, draw_dishes, _in("{}", _dish_pairs)),
    "time slots": NestedLayout(WITH_SLOTS, draw_events, _in("<div>{}</div>", _event)),
    "showings in cinemas": NestedLayout(WITH_CINEMAS, draw_films, _in("<div>{}</div>", _film)),
    "parameters": NestedLayout(WITH_PARAMETERS, draw_calls, _in("<div>{}</div>", _call)),
    "offers in an object": NestedLayout(WITH_OFFERS, draw_offers, _in("<div class='grid'>{}</div>", _offer_card)),
    "specs and reviews": NestedLayout(THING, draw_thing, _detail),
    "one profile": NestedLayout(PROFILE, draw_profile, _profile_page),
}
"""Layouts by name."""
