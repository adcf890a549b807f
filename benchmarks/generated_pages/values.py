"""What generated pages tell: domains with typed fields, records of them, and how a layout writes each value."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from gleaner.contracts.ports import JsonObject, JsonValue

FieldKind: TypeAlias = Literal[
    "name", "text", "money", "number", "integer", "date", "boolean", "rating", "url", "prose"
]

Record: TypeAlias = dict[str, JsonValue]
"""Ground truth: one value for each field of the domain, None where the page shows none."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a domain: its name in records, the label on pages, what it holds, and how often it is there."""

    name: str
    label: str
    kind: FieldKind
    low: int = 0
    high: int = 100
    words: tuple[str, ...] = ()
    presence: float = 1.0


@dataclass(frozen=True, slots=True)
class Domain:
    """What the records of a page are about. The first field names the record and is always there."""

    name: str
    plural: str
    fields: tuple[FieldSpec, ...]

    def field(self, name: str) -> FieldSpec:
        """Give the field of that name."""
        return next(spec for spec in self.fields if spec.name == name)


_BRANDS = ("Norvik", "Åkerlund", "Helix", "Señorío", "Kōdo", "Brightway", "Łódź Works", "Ostrava", "Pemberton", "Tál")
_CITIES = (
    "Lisbon",
    "Zürich",
    "Kraków",
    "Oslo",
    "São Paulo",
    "Nagoya",
    "Austin",
    "Montréal",
    "Leeds",
    "Gdańsk",
    "Utrecht",
)
_FIRST = (
    "Maria",
    "José",
    "Zoë",
    "Yuki",
    "Ahmed",
    "Søren",
    "Chloé",
    "Lin",
    "Olga",
    "Priya",
    "Tomás",
    "Erik",
    "Nia",
    "Wei",
)
_LAST = (
    "Keller",
    "Núñez",
    "O'Brien",
    "Tanaka",
    "Haddad",
    "Lindqvist",
    "Dubois",
    "Zhang",
    "Ivanova",
    "Rao",
    "Müller",
    "Costa",
)
_ADJECTIVES = (
    *(
        "Compact",
        "Silent",
        "Golden",
        "Rapid",
        "Urban",
        "Classic",
        "Arctic",
        "Portable",
        "Solid",
        "Bright",
        "Café",
        "Smart",
    ),
    *("Vintage", "Nordic", "Heavy-Duty", "Mini", "Eco", "Royal", "Crimson", "Deep"),
)
_THINGS = (
    *(
        "Kettle",
        "Backpack",
        "Lamp",
        "Drill",
        "Keyboard",
        "Tent",
        "Blender",
        "Chair",
        "Camera",
        "Speaker",
        "Jacket",
        "Mug",
    ),
    *("Helmet", "Notebook", "Printer", "Router", "Scooter", "Sofa", "Telescope", "Watch"),
)
_ROLES = (
    "Engineer",
    "Analyst",
    "Designer",
    "Nurse",
    "Accountant",
    "Technician",
    "Editor",
    "Planner",
    "Chef",
    "Surveyor",
)
_SENTENCES = (
    "It arrived a day early and was packed with care.",
    "I have used it for about three weeks now without a problem.",
    "The manual could be clearer, but setting it up took only minutes.",
    "Has anybody tried this with the older version?",
    "Compared with the previous model it is a clear step forward.",
    "My neighbour recommended it, and I am glad that she did.",
    "You need to restart the service after changing the configuration.",
    "The colour is slightly darker than in the pictures.",
    "That worked for me as well, thank you for the hint.",
    "I would not buy it again at the full price.",
    "The committee met twice during the spring and published its notes.",
    "Rain is expected to continue through the weekend across the region.",
    "Researchers compared several approaches before they settled on one.",
    "The old mill by the river has been turned into a small museum.",
)

DOMAINS: Mapping[str, Domain] = {
    domain.name: domain
    for domain in (
        Domain(
            "product",
            "products",
            (
                FieldSpec("name", "Product", "name"),
                FieldSpec("price", "Price", "money", 3, 2500),
                FieldSpec("brand", "Brand", "text", words=_BRANDS),
                FieldSpec("rating", "Rating", "rating", presence=0.8),
                FieldSpec("in_stock", "Availability", "boolean", words=("In stock", "Out of stock"), presence=0.9),
                FieldSpec("released", "Released", "date", presence=0.7),
            ),
        ),
        Domain(
            "job",
            "jobs",
            (
                FieldSpec("title", "Position", "name"),
                FieldSpec("company", "Company", "text", words=_BRANDS),
                FieldSpec("location", "Location", "text", words=_CITIES),
                FieldSpec("salary", "Salary", "money", 28_000, 180_000, presence=0.7),
                FieldSpec("posted", "Posted", "date"),
            ),
        ),
        Domain(
            "book",
            "books",
            (
                FieldSpec("title", "Title", "name"),
                FieldSpec("author", "Author", "text", words=tuple(f"{a} {b}" for a in _FIRST for b in _LAST)),
                FieldSpec("year", "Year", "integer", 1890, 2026),
                FieldSpec("pages", "Pages", "integer", 60, 1400, presence=0.8),
                FieldSpec("price", "Price", "money", 4, 90),
            ),
        ),
        Domain(
            "event",
            "events",
            (
                FieldSpec("name", "Event", "name"),
                FieldSpec("date", "Date", "date"),
                FieldSpec("city", "City", "text", words=_CITIES),
                FieldSpec("fee", "Fee", "money", 5, 400, presence=0.75),
            ),
        ),
        Domain(
            "home",
            "homes",
            (
                FieldSpec("address", "Address", "name"),
                FieldSpec("price", "Price", "money", 90_000, 2_400_000),
                FieldSpec("bedrooms", "Bedrooms", "integer", 1, 9),
                FieldSpec("area", "Area", "number", 24, 480),
                FieldSpec(
                    "agent", "Agent", "text", words=tuple(f"{a} {b}" for a in _FIRST for b in _LAST), presence=0.6
                ),
            ),
        ),
        Domain(
            "post",
            "posts",
            (
                FieldSpec("author", "Author", "name"),
                FieldSpec("posted", "Posted", "date"),
                FieldSpec("text", "Text", "prose"),
                FieldSpec("likes", "Likes", "integer", 0, 300, presence=0.8),
            ),
        ),
    )
}
"""The domains by name. ``post`` is the forums' own."""


def generate_records(seed: object, domain: Domain, count: int, *, twins: int = 0, links: bool = False) -> list[Record]:
    """Generate records; the last ``twins`` of them repeat earlier ones in every field, at random places.

    >>> records = generate_records(1, DOMAINS["book"], 3)
    >>> len({record["title"] for record in records})
    3
    """
    random = Random(f"{seed}/{domain.name}/records")
    singles = [_record(random, domain, number, links) for number in range(count - twins)]
    for _ in range(min(twins, count - 1)):
        singles.insert(random.randrange(len(singles) + 1), dict(random.choice(singles)))
    return singles


def _record(random: Random, domain: Domain, number: int, links: bool) -> Record:
    record: Record = {}
    for spec in domain.fields:
        there = random.random() < spec.presence
        value = _value(random, domain, spec, number)
        record[spec.name] = value if there else None
    if links:
        record["url"] = f"https://shop.example/{domain.plural}/{random.randrange(10**6)}-{number}"
    return record


def _value(random: Random, domain: Domain, spec: FieldSpec, number: int) -> JsonValue:
    if spec.kind == "name":
        return _name(random, domain, number)
    if spec.kind == "text":
        return random.choice(spec.words)
    if spec.kind == "prose":
        return " ".join(random.sample(_SENTENCES, random.randint(1, 3)))
    if spec.kind == "date":
        return (datetime.date(2021, 1, 1) + datetime.timedelta(days=random.randrange(2000))).isoformat()
    if spec.kind == "boolean":
        return random.random() < 0.7
    if spec.kind == "rating":
        return random.randint(10, 50) / 10
    whole = random.randint(spec.low, spec.high)
    if spec.kind == "integer":
        return whole
    if spec.kind == "number":
        return whole + random.choice((0.0, 0.5, 0.25))
    return float(whole) if spec.low >= 1000 else whole + random.choice((0.0, 0.5, 0.95, 0.99))


def _name(random: Random, domain: Domain, number: int) -> str:
    if domain.name == "post":
        return f"{random.choice(_FIRST)} {random.choice(_LAST)}"
    if domain.name == "job":
        return f"{random.choice(_ADJECTIVES)} Systems {random.choice(_ROLES)} (ref. {number + 101})"
    if domain.name == "home":
        return f"{number + 1} {random.choice(_LAST)} Street, {random.choice(_CITIES)}"
    if domain.name == "event":
        return f"{random.choice(_CITIES)} {random.choice(_THINGS)} Fair No. {number + 1}"
    if domain.name == "book":
        return f"The {random.choice(_ADJECTIVES)} {random.choice(_THINGS)}, Volume {number + 1}"
    return f"{random.choice(_ADJECTIVES)} {random.choice(_THINGS)} {random.choice('ABKLMRSTX')}{number + 100}"


def prose(random: Random, sentences: int) -> str:
    """Give so many sentences of filler text."""
    return " ".join(random.choice(_SENTENCES) for _ in range(sentences))


def filler_name(random: Random) -> str:
    """Give the name of a thing that is no record (a related product, a link)."""
    return f"{random.choice(_ADJECTIVES)} {random.choice(_THINGS)}"


MoneyStyle: TypeAlias = Literal["dollar", "euro", "pound", "code"]
DateStyle: TypeAlias = Literal["iso", "short", "long", "german"]


def write_money(value: float, style: MoneyStyle) -> str:
    """Write an amount as a page does.

    >>> [write_money(1299.5, style) for style in ("dollar", "euro", "pound", "code")]
    ['$1,299.50', '1.299,50 €', '£1,299.50', 'USD 1,299.50']
    """
    text = f"{value:,.2f}"
    if style == "euro":
        return text.translate(str.maketrans(",.", ".,")) + " €"
    return {"dollar": "$", "pound": "£", "code": "USD "}[style] + text


def write_date(value: str, style: DateStyle) -> str:
    """Write an ISO date as a page does.

    >>> [write_date("2026-03-09", style) for style in ("iso", "short", "long", "german")]
    ['2026-03-09', '9 Mar 2026', 'March 9, 2026', '09.03.2026']
    """
    day = datetime.date.fromisoformat(value)
    month = _MONTHS[day.month - 1]
    return {
        "iso": value,
        "short": f"{day.day} {month[:3]} {day.year}",
        "long": f"{month} {day.day}, {day.year}",
        "german": f"{day.day:02d}.{day.month:02d}.{day.year}",
    }[style]


_MONTHS: Sequence[str] = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def item_schema(domain: Domain, *, links: bool = False) -> JsonObject:
    """Give the JSON Schema of one record: the naming field required, all others may be null."""
    properties: JsonObject = {spec.name: _property(spec) for spec in domain.fields}
    if links:
        properties["url"] = {"type": ["string", "null"], "format": "uri"}
    return {
        "type": "object",
        "properties": properties,
        "required": [domain.fields[0].name],
        "additionalProperties": False,
    }


def _property(spec: FieldSpec) -> JsonObject:
    if spec.kind == "name":
        return {"type": "string"}
    if spec.kind == "date":
        return {"type": ["string", "null"], "format": "date"}
    kinds = {"money": "number", "number": "number", "rating": "number", "integer": "integer", "boolean": "boolean"}
    return {"type": [kinds.get(spec.kind, "string"), "null"]}
