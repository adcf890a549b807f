"""Layouts chosen to hurt: like values of which one is often missing, labels of two sections, lines that come and go."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of

_ENDS = ("sender", "recipient")
_RENTS = (("cold_rent", " €"), ("extra_costs", " €"), ("deposit", " €"), ("rooms", ""), ("area", " m²"))


def _phone(r: Random) -> object:
    return v.maybe(r, f"0{r.randint(100, 999)} {r.randint(1000, 9999)}", 0.5)


def _parcel(r: Random) -> Record:
    return {
        "number": f"PK{r.randint(10**6, 10**7)}",
        "sender_name": v.person(r),
        "sender_city": v.city(r),
        "sender_phone": _phone(r),
        "recipient_name": v.person(r),
        "recipient_city": v.maybe(r, v.city(r), 0.7),
        "recipient_phone": _phone(r),
        "weight_kg": v.maybe(r, r.randint(1, 30), 0.7),
    }


def _parcel_page(records: Sequence[Record], s: Style) -> str:
    """Two sections with the same labels, of which each may lack some."""
    r = records[0]
    parts = [(end, [(part, f"{end}_{part}") for part in ("name", "city", "phone")]) for end in _ENDS]
    sections = "".join(
        f"<section><h2>{end.title()}</h2><dl>"
        + "".join(f'<dt>{part.title()}</dt><dd x-f="{name}">{r[name]}</dd>' for part, name in rows if r[name])
        + "</dl></section>"
        for end, rows in parts
    )
    weight = f'<p x-f="weight_kg">Weight: {r["weight_kg"]} kg</p>' if r["weight_kg"] else ""
    return f'<h1>Parcel <span x-f="number">{r["number"]}</span></h1>{sections}{weight}'


def _flat(r: Random) -> Record:
    return {
        "title": v.thing(r),
        "cold_rent": r.randint(400, 2500),
        "extra_costs": v.maybe(r, r.randint(50, 300), 0.6),
        "deposit": v.maybe(r, r.randint(800, 5000), 0.6),
        "rooms": v.maybe(r, r.randint(1, 6), 0.8),
        "area": r.randint(20, 200),
        "agent": v.maybe(r, v.person(r), 0.6),
    }


def _flat_page(records: Sequence[Record], s: Style) -> str:
    """Figures above their labels, all of one make."""
    r = records[0]
    facts = "".join(
        f'<div class="f"><b x-f="{name}">{r[name]}{unit}</b><span>{name.replace("_", " ")}</span></div>'
        for name, unit in _RENTS
        if r[name]
    )
    agent = f'<div class="agent" x-f="agent">{r["agent"]}</div>' if r["agent"] else ""
    return f'<h1 x-f="title">{r["title"]}</h1><div class="fs">{facts}</div>{agent}'


def _channel(r: Random) -> Record:
    return {
        "channel": v.thing(r),
        "views": v.maybe(r, r.randint(100, 99_999), 0.8),
        "likes": v.maybe(r, r.randint(10, 9999)),
        "shares": v.maybe(r, r.randint(1, 999), 0.5),
        "joined": v.day(r),
    }


def _channel_page(records: Sequence[Record], s: Style) -> str:
    """Tiles in the order of their figures."""
    r = records[0]
    names = sorted((name for name in ("views", "likes", "shares") if r[name]), key=lambda name: -r[name])
    tiles = "".join(
        f'<div class="tile" x-f="{name}"><div>{r[name]:,}</div><div>{name.title()}</div></div>' for name in names
    )
    joined = f'<p x-f="joined">Joined {s.date(r["joined"], "short")}</p>'
    return f'<h1 x-f="channel">{r["channel"]}</h1><div class="tiles">{tiles}</div>{joined}'


def _essay(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "subtitle": v.maybe(r, v.sentence(r), 0.5),
        "author": v.person(r),
        "editor": v.maybe(r, v.person(r), 0.4),
        "published": v.day(r),
        "updated": v.maybe(r, v.day(r), 0.4),
        "minutes": v.maybe(r, r.randint(2, 30)),
        "_text": v.text(r, 3, 5),
    }


def _essay_page(records: Sequence[Record], s: Style) -> str:
    """A subtitle in a paragraph like any other, two people, two days."""
    r = records[0]
    subtitle = f'<p x-f="subtitle">{e(r["subtitle"])}</p>' if r["subtitle"] else ""
    editor = f' <span>Edited by <a href="/e" x-f="editor">{r["editor"]}</a></span>' if r["editor"] else ""
    updated = f' <span>Updated <time x-f="updated">{s.date(r["updated"])}</time></span>' if r["updated"] else ""
    minutes = f' <span x-f="minutes">{r["minutes"]} min read</span>' if r["minutes"] else ""
    return (
        f'<article><h1 x-f="title">{e(r["title"])}</h1>{subtitle}<p><a href="/a" x-f="author">{r["author"]}</a>{editor}</p>'
        f'<p><time x-f="published">{s.date(r["published"])}</time>{updated}{minutes}</p><p>{e(r["_text"])}</p></article>'
    )


def _bilingual(r: Random) -> Record:
    return {
        "title_en": v.thing(r),
        "title_fr": v.maybe(r, f"Le {v.thing(r).lower()}", 0.6),
        "note": v.maybe(r, v.sentence(r), 0.5),
        "date": v.day(r),
    }


def _bilingual_list(records: Sequence[Record], s: Style) -> str:
    """Two optional lines of one make."""
    lines = [
        (r, "".join(f'<p x-f="{name}">{e(r[name])}</p>' for name in ("title_fr", "note") if r[name])) for r in records
    ]
    return "".join(
        f'<div class="item" x-r><h4 x-f="title_en">{r["title_en"]}</h4>{line}<time x-f="date">{r["date"]}</time></div>'
        for r, line in lines
    )


HURTING_PAGES = [
    Design(
        "parcel_ends",
        schema_of(
            number="string",
            sender_name="string",
            sender_city="string",
            sender_phone="string?",
            recipient_name="string",
            recipient_city="string?",
            recipient_phone="string?",
            weight_kg="integer?",
        ),
        _parcel,
        _parcel_page,
        is_list=False,
        words={"Phone": "Telefon", "City": "Ort", "Weight": "Gewicht"},
    ),
    Design(
        "flat_facts",
        schema_of(
            title="string",
            cold_rent="number",
            extra_costs="number?",
            deposit="number?",
            rooms="integer?",
            area="number",
            agent="string?",
        ),
        _flat,
        _flat_page,
        is_list=False,
        words={"deposit": "Kaution", "rooms": "Zimmer"},
    ),
    Design(
        "channel_tiles",
        schema_of(channel="string", views="integer?", likes="integer?", shares="integer?", joined="date"),
        _channel,
        _channel_page,
        is_list=False,
        words={"Views": "Aufrufe", "Likes": "Gefällt"},
    ),
    Design(
        "essay_lines",
        schema_of(
            title="string",
            subtitle="string?",
            author="string",
            editor="string?",
            published="date",
            updated="date?",
            minutes="integer?",
        ),
        _essay,
        _essay_page,
        is_list=False,
    ),
    Design(
        "bilingual_lines",
        schema_of(title_en="string", title_fr="string?", note="string?", date="date"),
        _bilingual,
        _bilingual_list,
        rows=14,
    ),
]
