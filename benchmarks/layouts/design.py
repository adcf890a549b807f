"""What a page design is: a schema, a source of records, and a function that writes them as the site would.

Designs mark what they write with two attributes that no page shows: ``x-r`` on a record's own element, ``x-f="name"`` on
the element that holds a field (its label included, and the head of its column). Changes of a layout go by them.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import Any, cast

from gleaner.contracts.ports import JsonObject, JsonValue

Record = dict[str, Any]
"""A record's values by name; those that the schema does not ask for are only shown."""

_MARKS = re.compile(r'\s+x-(?:r|f="[^"]*"|f=\w+|r="")(?=[\s>/])')
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True, slots=True)
class Style:
    """What differs from deploy to deploy, or by locale: the salt of class names, money, dates; and a page's own luck."""

    salt: str = ""
    currency: str = "USD"
    dates: str = "long"
    random: Random = field(default_factory=lambda: Random(0))

    def css(self, role: str) -> str:
        """Give the class that a build tool makes of a role: another one with each deploy."""
        digest = hashlib.sha256(f"{self.salt}/{role}".encode()).hexdigest()
        return f"{role.split('-', maxsplit=1)[0][:4]}_{role}__{digest[:5]}" if len(role) % 2 else f"css-{digest[:6]}"

    def money(self, amount: float | None) -> str:
        """Write an amount as the shop's locale does; nothing for None."""
        if amount is None:
            return ""
        text = f"{amount:,.2f}"
        if self.currency == "EUR":
            return text.replace(",", "_").replace(".", ",").replace("_", ".") + " €"
        return f"${text}" if self.currency == "USD" else f"£{text}"

    def round(self, amount: float) -> str:
        """Write an amount without its cents."""
        return re.sub(r"[.,]00(?=\D|$)", "", self.money(amount))

    def date(self, day: str | None, form: str = "") -> str:
        """Write an ISO date; in the form of the design, or in another one when the site has changed that."""
        if day is None:
            return ""
        year, month, number = day[:10].split("-")
        name = _MONTHS[int(month) - 1]
        chosen = (form or "long") if self.dates == "long" else self.dates
        return {
            "long": f"{name} {int(number)}, {year}",
            "short": f"{name[:3]} {int(number)}, {year}",
            "german": f"{number}.{month}.{year}",
            "british": f"{int(number)} {name[:3]} {year}",
            "iso": f"{year}-{month}-{number}",
        }[chosen]


@dataclass(frozen=True, slots=True)
class Design:
    """One site's pages. ``draw`` gives a record, ``render`` the part of the page that the site writes around them.

    ``schema`` is that of one record. A design that is not ``is_list`` is about one record. ``evidence`` is the field
    whose text stands where the record does, ``words`` are its labels and what they are in another language. ``head``
    gives the title and meta tags of a page about one record, as most sites write them; without it they say nothing of it.
    """

    name: str
    schema: JsonObject
    draw: Callable[[Random], Record]
    render: Callable[[Sequence[Record], Style], str]
    is_list: bool = True
    rows: int = 20
    head: Callable[[Record, Style], str] | None = None
    words: dict[str, str] = field(default_factory=dict[str, str])
    evidence: str = ""
    sorted_by: str = ""

    @property
    def whole_schema(self) -> JsonObject:
        """The schema of a page's data."""
        return {"type": "array", "items": self.schema} if self.is_list else self.schema

    def url(self, number: int) -> str:
        """Give the address of the design's page of this number."""
        host = f"https://{self.name.replace('_', '-')}.example"
        return f"{host}/list?page={number}" if self.is_list else f"{host}/items/{1000 + number}"

    def records(self, seed: object, number: int) -> list[Record]:
        """Give the records of a page: other ones on each, and not always as many."""
        random = Random(f"{self.name}/{seed}/{number}")
        count = self.rows + random.randint(-self.rows // 4, self.rows // 4) if self.is_list else 1
        made = [self.draw(random) for _ in range(count)]
        return sorted(made, key=lambda one: one[self.sorted_by], reverse=True) if self.sorted_by else made

    def stated(self, record: Record) -> str:
        """Give a text that stands on the page where the record does."""
        value = record[self.evidence or next(iter(record))]
        return str(value[0] if isinstance(value, list) else value)


def truth_of(design: Design, record: Record) -> Record:
    """Give what the schema asks for of a record."""
    return {name: record[name] for name in cast(JsonObject, design.schema["properties"])}


def strip_marks(html: str) -> str:
    """Give the page as the site sends it."""
    return _MARKS.sub("", html)


def page_of(design: Design, records: Sequence[Record], style: Style) -> str:
    """Give a whole page, marks included: what sites put around their lists, and the design's own part."""
    title = escape(design.name.replace("_", " ").title())
    links = "".join(f'<li><a href="/{word}">{word.title()}</a></li>' for word in ("home", "new", "about", "contact"))
    more = "".join(f'<li><a href="/more/{n}">More like this {n}</a></li>' for n in range(1, 5))
    head = design.head(records[0], style) if design.head else f"<title>{title}</title>"
    return (
        f"<!DOCTYPE html><html lang=en><head>{head}<meta charset=utf-8></head><body>"
        f'<header class="site-header"><a class="logo" href="/">{title}</a><nav><ul>{links}</ul></nav></header>'
        f'<main id="content">{design.render(records, style)}</main>'
        f'<aside class="sidebar"><h4>More</h4><ul>{more}</ul></aside>'
        f"<footer><p>© 2026 {title}. All rights reserved.</p></footer></body></html>"
    )


_TYPES: dict[str, JsonObject] = {
    "uri": {"type": "string", "format": "uri"},
    "date": {"type": "string", "format": "date"},
    "date-time": {"type": "string", "format": "date-time"},
}


def schema_of(**fields: Any) -> JsonObject:
    """Give the schema of a record by the types of its fields.

    A type is a name ("string", "number", "uri", "date"; with "?" one that may be null), a list of one type, a tuple of
    words, or a dict of fields.
    """
    properties: JsonObject = {name: _typed(kind) for name, kind in fields.items()}
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _typed(kind: Any) -> JsonValue:
    if isinstance(kind, dict):
        return schema_of(**kind)
    if isinstance(kind, list):
        return {"type": "array", "items": _typed(kind[0])}
    if isinstance(kind, tuple):
        return {"type": "string", "enum": [*kind]}
    made = dict(_TYPES.get(kind.rstrip("?"), {"type": kind.rstrip("?")}))
    return {**made, "type": [made["type"], "null"]} if kind.endswith("?") else made
