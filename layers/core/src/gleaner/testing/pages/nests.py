"""Pages whose records hold lists of objects: a card with its sizes, an order with its lines, a thing with its details.

Written by hand, one function a layout. A page of a layout is made from a number: other numbers are other records, with
other counts of inner ones, some of them none.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.ports import JsonValue

_WOODS = ("Larch", "Gorse", "Fir", "Oak", "Elm", "Ash", "Yew", "Box", "Bay", "Fig", "Hop", "Rowan", "Alder", "Hazel")
_THINGS = ("jug", "bowl", "lamp", "stool", "tray", "clock", "shelf", "basket")
_FIRST = ("Ada", "Bo", "Cleo", "Dov", "Esa", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lena")
_LAST = ("Roe", "Stern", "Vale", "Hart", "Moss", "Penn", "Quist", "Rook", "Sand", "Thorn", "Uhl", "Wray")
_TOPICS = ("tides", "lichens", "kilns", "sparrows", "dunes", "glaciers", "looms", "bridges", "ferns", "comets")
_SIZES = ("Small", "Medium", "Large", "Extra large", "Travel")
_FOODS = ("flour", "butter", "sugar", "cream", "salt", "oats", "plums", "leeks", "rye", "milk", "honey", "thyme")
_PLACES = ("Harbour Hall", "North Pier", "Old Mill", "Town Garden", "Quarry Stage", "Lantern Room")

Record = dict[str, Any]
Schema = dict[str, Any]


def _object(**properties: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
MAYBE: Schema = {"type": ["string", "null"]}


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


def _many(draw: random.Random, make: Callable[[int], Record], counts: Sequence[int], size: int = 8) -> list[Record]:
    """Give records with these counts of inner ones in turn, in random order."""
    wanted = [counts[at % len(counts)] for at in range(size)]
    draw.shuffle(wanted)
    return [make(count) for count in wanted]


def _name(draw: random.Random) -> str:
    return f"{draw.choice(_WOODS)} {draw.choice(_THINGS)} {draw.randint(100, 999)}"


def _person(draw: random.Random) -> str:
    return f"{draw.choice(_FIRST)} {draw.choice('ABCDEFGHJKLM')}. {draw.choice(_LAST)}"


def _money(draw: random.Random) -> float:
    return draw.randint(310, 9890) / 100


def _variants(draw: random.Random) -> JsonValue:
    def make(count: int) -> Record:
        sizes = sorted(draw.sample(_SIZES, count), key=_SIZES.index)
        return {
            "name": _name(draw),
            "variants": [{"size": s, "price": _money(draw), "in_stock": draw.random() < 0.6} for s in sizes],
        }

    return [*_many(draw, make, (3, 2, 4, 1, 0))]


_VARIANT = _object(size=TEXT, price=NUMBER, in_stock=FLAG)
_WITH_VARIANTS = _list(_object(name=TEXT, variants=_list(_VARIANT)))


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


def _orders(draw: random.Random) -> JsonValue:
    def make(count: int) -> Record:
        lines = [
            {
                "sku": f"{draw.choice('KLMN')}-{draw.randint(1000, 9999)}",
                "qty": draw.randint(1, 9),
                "price": _money(draw),
            }
            for _ in range(count)
        ]
        return {"order": f"No. {draw.randint(20000, 99999)}", "lines": lines}

    return [*_many(draw, make, (2, 1, 3, 5))]


_WITH_LINES = _list(_object(order=TEXT, lines=_list(_object(sku=TEXT, qty=WHOLE, price=NUMBER))))


def _order(one: Record) -> str:
    rows = _each(
        one["lines"],
        lambda line: f"<tr><td>{line['sku']}</td><td>{line['qty']}</td><td>${line['price']:.2f}</td></tr>",
    )
    total = sum(line["qty"] * line["price"] for line in one["lines"])
    foot = f"<tr class='total'><td colspan='2'>Total</td><td>${total:.2f}</td></tr>"
    head = "<tr><th>SKU</th><th>Qty</th><th>Price</th></tr>"
    return f"<section><h2>{one['order']}</h2><table>{head}{rows}{foot}</table></section>"


def _staff(draw: random.Random) -> JsonValue:
    def make(count: int) -> Record:
        works = [
            {"title": f"On {draw.choice(_TOPICS)} and {draw.choice(_TOPICS)} {draw.randint(1, 99)}", "year": year}
            for year in sorted(draw.sample(range(1990, 2024), count), reverse=True)
        ]
        return {"person": _person(draw), "publications": works}

    return [*_many(draw, make, (2, 3, 1, 4, 0))]


_WITH_WORKS = _list(_object(person=TEXT, publications=_list(_object(title=TEXT, year=WHOLE))))


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


def _recipes(draw: random.Random) -> JsonValue:
    def make(count: int) -> Record:
        foods = draw.sample(_FOODS, count)
        needs = [{"amount": f"{draw.randint(2, 90) * 5} g", "name": food} for food in foods]
        return {
            "dish": f"{draw.choice(_WOODS)} {draw.choice(('pie', 'soup', 'bake'))} {draw.randint(1, 99)}",
            "needs": needs,
        }

    return [*_many(draw, make, (3, 4, 2, 1))]


_WITH_NEEDS = _list(_object(dish=TEXT, needs=_list(_object(amount=TEXT, name=TEXT))))


def _dish(one: Record) -> str:
    items = _each(
        one["needs"],
        lambda need: f"<li><span class='amount'>{need['amount']}</span> <span class='what'>{need['name']}</span></li>",
    )
    return f"<section class='dish'><h3>{one['dish']}</h3><h4>Ingredients</h4><ul>{items}</ul></section>"


def _dish_pairs(one: Record) -> str:
    pairs = _each(one["needs"], lambda need: f"<dt>{need['name']}</dt><dd>{need['amount']}</dd>")
    return f"<section class='dish'><h3>{one['dish']}</h3><dl>{pairs}</dl></section>"


def _events(draw: random.Random) -> JsonValue:
    def make(count: int) -> Record:
        hours = sorted(draw.sample(range(8, 22), count))
        slots = [{"time": f"{hour:02}:{draw.choice((0, 15, 30)):02}", "left": draw.randint(0, 40)} for hour in hours]
        name = f"{draw.choice(_TOPICS).title()} evening {draw.randint(1, 99)}"
        return {"event": name, "place": draw.choice(_PLACES), "slots": slots}

    return [*_many(draw, make, (2, 4, 1, 3))]


_WITH_SLOTS = _list(_object(event=TEXT, place=TEXT, slots=_list(_object(time=TEXT, left=WHOLE))))


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


def _films(draw: random.Random) -> JsonValue:
    def showing() -> Record:
        return {"time": f"{draw.randint(10, 23)}:{draw.choice((10, 25, 40))}", "price": _money(draw)}

    def make(count: int) -> Record:
        cinemas = [
            {"cinema": cinema, "showings": [showing() for _ in range(draw.randint(1, 3))]}
            for cinema in draw.sample(_PLACES, count)
        ]
        return {"film": f"The {draw.choice(_WOODS)} {draw.choice(_TOPICS)} {draw.randint(2, 99)}", "cinemas": cinemas}

    return [*_many(draw, make, (2, 1, 3), 6)]


_WITH_CINEMAS = _list(
    _object(film=TEXT, cinemas=_list(_object(cinema=TEXT, showings=_list(_object(time=TEXT, price=NUMBER)))))
)


def _film(one: Record) -> str:
    def showing(each: Record) -> str:
        return f"<li><time>{each['time']}</time> <data class='fee'>€{each['price']:.2f}</data></li>"

    cinemas = _each(
        one["cinemas"],
        lambda c: f"<div class='cinema'><h4>{c['cinema']}</h4><ul>{_each(c['showings'], showing)}</ul></div>",
    )
    return f"<div class='film'><h3>{one['film']}</h3>{cinemas}</div>"


def _calls(draw: random.Random) -> JsonValue:
    def parameter() -> Record:
        note = f"Of {draw.choice(_TOPICS)} {draw.randint(2, 99)}" if draw.random() < 0.7 else None
        return {
            "name": f"{draw.choice(_TOPICS)}_{draw.choice(_THINGS)}",
            "type": draw.choice(("str", "int")),
            "note": note,
        }

    def make(count: int) -> Record:
        return {
            "call": f"get_{draw.choice(_THINGS)}_{draw.randint(10, 999)}",
            "parameters": [parameter() for _ in range(count)],
        }

    return [*_many(draw, make, (2, 3, 1, 4, 0), 10)]


_WITH_PARAMETERS = _list(_object(call=TEXT, parameters=_list(_object(name=TEXT, type=TEXT, note=MAYBE))))


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


def _offers(draw: random.Random) -> JsonValue:
    return [{"name": one["name"], "offers": {"items": one["variants"]}} for one in _rows(_variants(draw))]


def _rows(value: JsonValue) -> list[Any]:
    return value if isinstance(value, list) else []


_WITH_OFFERS = _list(_object(name=TEXT, offers=_object(items=_list(_VARIANT))))


def _offer_card(one: Record) -> str:
    return _variant_list({"name": one["name"], "variants": one["offers"]["items"]})


def _thing(draw: random.Random) -> Any:
    names = draw.sample(("Weight", "Height", "Colour", "Material", "Made in", "Finish"), draw.randint(3, 5))
    values = ("oak", "2 kg", "31 cm", "blue", "Norway", "waxed", "steel", "1.5 kg", "70 cm", "green")
    reviews = [
        {
            "author": _person(draw),
            "stars": draw.randint(1, 5),
            "text": f"Good for {draw.choice(_TOPICS)} {draw.randint(2, 999)}",
        }
        for _ in range(draw.randint(2, 5))
    ]
    specs = [{"name": name, "value": draw.choice(values)} for name in names]
    return {"title": _name(draw), "price": _money(draw), "specs": specs, "reviews": reviews}


_THING = _object(
    title=TEXT,
    price=NUMBER,
    specs=_list(_object(name=TEXT, value=TEXT)),
    reviews=_list(_object(author=TEXT, stars=WHOLE, text=TEXT)),
)


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


def _profile(draw: random.Random) -> Any:
    works = [
        {"title": f"On {draw.choice(_TOPICS)} {draw.randint(2, 999)}", "year": draw.randint(1980, 2023)}
        for _ in range(draw.randint(2, 5))
    ]
    facts = {name: f"{draw.choice(_WOODS)} {draw.randint(100, 999)}" for name in ("room", "street", "group", "project")}
    return {
        "person": _person(draw),
        "phone": f"+47 {draw.randint(20, 79)} {draw.randint(100, 999)}",
        **facts,
        "publications": works,
    }


_PROFILE = _object(
    person=TEXT,
    phone=TEXT,
    room=TEXT,
    street=TEXT,
    group=TEXT,
    project=TEXT,
    publications=_list(_object(title=TEXT, year=WHOLE)),
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
    "variants in tables": NestedLayout(_WITH_VARIANTS, _variants, _in("<div>{}</div>", _variant_table)),
    "variants in lists": NestedLayout(_WITH_VARIANTS, _variants, _in("<div class='grid'>{}</div>", _variant_list)),
    "variants in rows": NestedLayout(_WITH_VARIANTS, _variants, _in("<table>{}</table>", _variant_rows)),
    "order lines": NestedLayout(_WITH_LINES, _orders, _in("{}", _order)),
    "publications in lists": NestedLayout(_WITH_WORKS, _staff, _in("<div>{}</div>", _works_in_list)),
    "publications under headings": NestedLayout(_WITH_WORKS, _staff, _in("<div>{}</div>", _works_under_heading)),
    "ingredients in lists": NestedLayout(_WITH_NEEDS, _recipes, _in("{}", _dish)),
    "ingredients in pairs": NestedLayout(_WITH_NEEDS, _recipes, _in("{}", _dish_pairs)),
    "time slots": NestedLayout(_WITH_SLOTS, _events, _in("<div>{}</div>", _event)),
    "showings in cinemas": NestedLayout(_WITH_CINEMAS, _films, _in("<div>{}</div>", _film)),
    "parameters": NestedLayout(_WITH_PARAMETERS, _calls, _in("<div>{}</div>", _call)),
    "offers in an object": NestedLayout(_WITH_OFFERS, _offers, _in("<div class='grid'>{}</div>", _offer_card)),
    "specs and reviews": NestedLayout(_THING, _thing, _detail),
    "one profile": NestedLayout(_PROFILE, _profile, _profile_page),
}
"""Layouts by name."""
