"""Random records with inner lists, for ``nests``."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from gleaner.contracts.ports import JsonValue

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


def draw_variants(draw: random.Random) -> JsonValue:
    """Draw things with sizes, each with a price."""

    def make(count: int) -> Record:
        sizes = sorted(draw.sample(_SIZES, count), key=_SIZES.index)
        return {
            "name": _name(draw),
            "variants": [{"size": s, "price": _money(draw), "in_stock": draw.random() < 0.6} for s in sizes],
        }

    return [*_many(draw, make, (3, 2, 4, 1, 0))]


_VARIANT = _object(size=TEXT, price=NUMBER, in_stock=FLAG)
WITH_VARIANTS = _list(_object(name=TEXT, variants=_list(_VARIANT)))


def draw_orders(draw: random.Random) -> JsonValue:
    """Draw orders with lines."""

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


WITH_LINES = _list(_object(order=TEXT, lines=_list(_object(sku=TEXT, qty=WHOLE, price=NUMBER))))


def draw_staff(draw: random.Random) -> JsonValue:
    """Draw people with publications."""

    def make(count: int) -> Record:
        works = [
            {"title": f"On {draw.choice(_TOPICS)} and {draw.choice(_TOPICS)} {draw.randint(1, 99)}", "year": year}
            for year in sorted(draw.sample(range(1990, 2024), count), reverse=True)
        ]
        return {"person": _person(draw), "publications": works}

    return [*_many(draw, make, (2, 3, 1, 4, 0))]


WITH_WORKS = _list(_object(person=TEXT, publications=_list(_object(title=TEXT, year=WHOLE))))


def draw_dishes(draw: random.Random) -> JsonValue:
    """Draw dishes with ingredients."""

    def make(count: int) -> Record:
        foods = draw.sample(_FOODS, count)
        needs = [{"amount": f"{draw.randint(2, 90) * 5} g", "name": food} for food in foods]
        return {
            "dish": f"{draw.choice(_WOODS)} {draw.choice(('pie', 'soup', 'bake'))} {draw.randint(1, 99)}",
            "needs": needs,
        }

    return [*_many(draw, make, (3, 4, 2, 1))]


WITH_NEEDS = _list(_object(dish=TEXT, needs=_list(_object(amount=TEXT, name=TEXT))))


def draw_events(draw: random.Random) -> JsonValue:
    """Draw events with time slots."""

    def make(count: int) -> Record:
        hours = sorted(draw.sample(range(8, 22), count))
        slots = [{"time": f"{hour:02}:{draw.choice((0, 15, 30)):02}", "left": draw.randint(0, 40)} for hour in hours]
        name = f"{draw.choice(_TOPICS).title()} evening {draw.randint(1, 99)}"
        return {"event": name, "place": draw.choice(_PLACES), "slots": slots}

    return [*_many(draw, make, (2, 4, 1, 3))]


WITH_SLOTS = _list(_object(event=TEXT, place=TEXT, slots=_list(_object(time=TEXT, left=WHOLE))))


def draw_films(draw: random.Random) -> JsonValue:
    """Draw films with cinemas, each with showings."""

    def showing() -> Record:
        return {"time": f"{draw.randint(10, 23)}:{draw.choice((10, 25, 40))}", "price": _money(draw)}

    def make(count: int) -> Record:
        cinemas = [
            {"cinema": cinema, "showings": [showing() for _ in range(draw.randint(1, 3))]}
            for cinema in draw.sample(_PLACES, count)
        ]
        return {"film": f"The {draw.choice(_WOODS)} {draw.choice(_TOPICS)} {draw.randint(2, 99)}", "cinemas": cinemas}

    return [*_many(draw, make, (2, 1, 3), 6)]


WITH_CINEMAS = _list(
    _object(film=TEXT, cinemas=_list(_object(cinema=TEXT, showings=_list(_object(time=TEXT, price=NUMBER)))))
)


def draw_calls(draw: random.Random) -> JsonValue:
    """Draw functions with parameters, some without a note."""

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


WITH_PARAMETERS = _list(_object(call=TEXT, parameters=_list(_object(name=TEXT, type=TEXT, note=MAYBE))))


def draw_offers(draw: random.Random) -> JsonValue:
    """Draw things whose sizes are under an object."""
    return [{"name": one["name"], "offers": {"items": one["variants"]}} for one in _rows(draw_variants(draw))]


def _rows(value: JsonValue) -> list[Any]:
    return value if isinstance(value, list) else []


WITH_OFFERS = _list(_object(name=TEXT, offers=_object(items=_list(_VARIANT))))


def draw_thing(draw: random.Random) -> Any:
    """Draw one thing with its details and reviews."""
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


THING = _object(
    title=TEXT,
    price=NUMBER,
    specs=_list(_object(name=TEXT, value=TEXT)),
    reviews=_list(_object(author=TEXT, stars=WHOLE, text=TEXT)),
)


def draw_profile(draw: random.Random) -> Any:
    """Draw one person with facts and publications."""
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


PROFILE = _object(
    person=TEXT,
    phone=TEXT,
    room=TEXT,
    street=TEXT,
    group=TEXT,
    project=TEXT,
    publications=_list(_object(title=TEXT, year=WHOLE)),
)
