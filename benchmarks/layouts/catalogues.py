"""Catalogues and directories: books, places, events, search results, dishes, versions."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _book(r: Random) -> Record:
    return {
        "title": f"The {v.thing(r)} of {v.city(r)}",
        "author": f"{v.person(r).split()[1]}, {v.person(r).split()[0]}",
        "year": r.randint(1850, 2025),
        "publisher": v.company(r),
        "call_number": f"{r.choice(['PR', 'QA', 'HD'])}{r.randint(10, 9999)} .{r.choice('ABCD')}{r.randint(1, 99)}",
        "format": r.choice(["Book", "eBook", "Audio"]),
        "available": r.random() < 0.6,
        "isbn": v.maybe(r, f"978{r.randint(10**9, 10**10 - 1)}", 0.7),
    }


def _render_library(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        isbn = (
            f'<div class="results_summary isbn" x-f="isbn"><span class="label">ISBN:</span> {r["isbn"]}</div>'
            if r["isbn"]
            else ""
        )
        status = (
            '<span class="available">Available</span>'
            if r["available"]
            else '<span class="unavailable">Checked out</span>'
        )
        return (
            f'<tr x-r><td class="select">{n}.</td><td class="bibliocol"><a class="title" href="/bib/{n}" x-f="title">{r["title"]}</a><p>by <span class="author" x-f="author">{r["author"]}</span></p><div class="results_summary type"><span class="label">Material type:</span> <span x-f="format">{r["format"]}</span></div><div class="results_summary publisher"><span class="label">Publication:</span> <span x-f="publisher">{e(r["publisher"])}</span>, <span x-f="year">{r["year"]}</span></div>{isbn}'
            f'<div class="results_summary availability"><span class="label">Availability:</span> <span x-f="available">{status}</span></div><div class="results_summary"><span class="label">Call number:</span> <span class="cn" x-f="call_number">{r["call_number"]}</span></div></td><td class="covercol"><img src="/c.png" alt=""/></td></tr>'
        )

    return f'<div id="userresults"><table class="table"><tbody>{"".join(one(n, r) for n, r in enumerate(records, 1))}</tbody></table></div>'


def _place(r: Random) -> Record:
    return {
        "name": v.company(r),
        "category": r.choice(["Dentist", "Bakery", "Plumber", "Vet"]),
        "address": {
            "street": f"{r.randint(1, 99)} {v.thing(r).split()[1]} Road",
            "city": v.city(r),
            "zip": f"{r.randint(10000, 99999)}",
        },
        "phone": v.maybe(r, f"(555) {r.randint(100, 999)}-{r.randint(1000, 9999)}", 0.8),
        "website": v.maybe(r, f"https://{v.login(r)}.example/", 0.5),
        "rating": v.maybe(r, r.randint(10, 50) / 10, 0.6),
    }


def _render_directory(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        a = r["address"]
        phone = f'<div class="phones phone primary" x-f="phone">{r["phone"]}</div>' if r["phone"] else ""
        site = (
            f'<a class="track-visit-website" href="{r["website"]}" rel="nofollow" x-f="website">Website</a>'
            if r["website"]
            else ""
        )
        rating = (
            f'<div class="ratings"><span class="rating" data-score="{r["rating"]}" x-f="rating">{r["rating"]} stars</span></div>'
            if r["rating"]
            else ""
        )
        return (
            f'<div class="result" id="lid-{n}" x-r><div class="srp-listing clickable-area"><div class="v-card"><div class="info"><div class="info-section info-primary"><h2 class="n">{n}. <a class="business-name" href="/b/{n}" x-f="name"><span>{e(r["name"])}</span></a></h2><div class="categories" x-f="category"><a href="/c">{r["category"]}</a></div>{rating}<div class="links">{site}<a class="directions" href="/d">Directions</a></div></div>'
            f'<div class="info-section info-secondary">{phone}<div class="adr"><div class="street-address">{a["street"]}</div><div class="locality"><span class="city">{a["city"]}</span>, <span class="zip">{a["zip"]}</span></div></div></div></div></div></div></div>'
        )

    return f'<div class="search-results organic">{"".join(one(n, r) for n, r in enumerate(records, 1))}</div>'


def _event(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} {r.choice(['Festival', 'Meetup', 'Workshop'])}",
        "date": v.day(r),
        "time": f"{r.randint(8, 22)}:{r.choice(['00', '30'])}",
        "venue": f"{v.city(r)} Hall",
        "free": r.random() < 0.3,
        "price": None,
    }


def _event_record(r: Random) -> Record:
    made = _event(r)
    return {**made, "price": None if made["free"] else float(r.randint(5, 90))}


def _render_events(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        price = (
            '<span class="price" x-f="price">Free</span>'
            if r["free"]
            else f'<span class="price" x-f="price">From {s.money(r["price"])}</span>'
        )
        return f'<section class="event-card" x-r><a href="/e/1" class="event-card-link" aria-label="View {r["name"]}"><h3 class="{s.css("h")}" x-f="name">{r["name"]}</h3></a><p class="{s.css("p")}" x-f="date">{s.date(r["date"], "short")} • {r["time"]}</p><p class="{s.css("p")}" x-f="venue">{r["venue"]}</p><div class="{s.css("cost")}">{price}</div></section>'

    return f'<ul class="events">{"".join("<li>" + one(r) + "</li>" for r in records)}</ul>'


def _hit(r: Random) -> Record:
    title = v.headline(r)
    host = f"{v.slug(v.company(r))}.example"
    return {
        "title": title,
        "url": f"https://{host}/{v.slug(title)}",
        "snippet": v.text(r, 1, 2),
        "date": v.maybe(r, v.day(r), 0.4),
    }


def _render_hits(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(r: Record) -> str:
        host, path = r["url"].split("/")[2], r["url"].split("/")[3]
        day = (
            f'<span class="{c("day")}"><span x-f="date">{s.date(r["date"], "short")}</span> — </span>'
            if r["date"]
            else ""
        )
        return f'<div class="g {c("hit")}" x-r><div class="{c("head")}"><a href="{r["url"]}" x-f="url"><br/><h3 class="{c("title")}" x-f="title">{e(r["title"])}</h3><div class="{c("cite")}"><cite>{host}<span> › {path[:12]}</span></cite></div></a></div><div class="{c("snip")}">{day}<span x-f="snippet">{e(r["snippet"])}</span></div></div>'

    ask = '<div class="related-question"><div>People also ask</div><div>What is a kettle?</div></div>'
    return f'<div id="search"><div id="rso">{"".join(one(r) + (ask if n == 2 else "") for n, r in enumerate(records))}</div></div>'


def _dish(r: Random) -> Record:
    return {
        "name": f"{v.thing(r).split()[0]} {r.choice(['soup', 'tart', 'curry', 'salad'])} with {v.words(r, 1)[0]}",
        "minutes": r.randint(10, 180),
        "servings": r.randint(1, 12),
        "difficulty": r.choice(["Easy", "Medium", "Hard"]),
        "rating": v.maybe(r, r.randint(20, 50) / 10, 0.7),
        "vegetarian": r.random() < 0.4,
    }


def _render_dishes(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        veg = '<span class="chip chip--veg" x-f="vegetarian">Vegetarian</span>' if r["vegetarian"] else ""
        stars = (
            f'<meter min="0" max="5" value="{r["rating"]}" x-f="rating">{r["rating"]}/5</meter>' if r["rating"] else ""
        )
        return f'<li x-r><article><a href="/r/1"><h3 x-f="name">{r["name"]}</h3></a><ul><li x-f="minutes">{r["minutes"]} mins</li><li x-f="servings">Serves {r["servings"]}</li><li x-f="difficulty">{r["difficulty"]}</li></ul>{stars}{veg}</article></li>'

    return f"<h1>Recipes</h1><ul>{''.join(map(one, records))}</ul>"


def _change(r: Random) -> Record:
    return {
        "version": f"{r.randint(1, 9)}.{r.randint(0, 40)}.{r.randint(0, 9)}",
        "date": v.day(r),
        "added": [v.sentence(r) for _ in range(r.randint(0, 3))],
        "fixed": [v.sentence(r) for _ in range(r.randint(1, 3))],
    }


def _render_changelog(records: Sequence[Record], s: Style) -> str:
    """Headings and lists as Markdown makes them: no containers, all siblings."""

    def part(name: str, items: list[str]) -> str:
        return (
            f'<h3>{name}</h3><ul x-f="{name.lower()}">{"".join(f"<li>{e(i)}</li>" for i in items)}</ul>'
            if items
            else ""
        )

    return "<h1>Changelog</h1>" + "".join(
        f'<h2 id="v{r["version"]}" x-r>{r["version"]} - {s.date(r["date"], "iso")}</h2>{part("Added", r["added"])}{part("Fixed", r["fixed"])}'
        for r in records
    )


CATALOGUES = [
    Design(
        "library",
        schema_of(
            title="string",
            author="string",
            year="integer",
            publisher="string",
            call_number="string",
            format=("Book", "eBook", "Audio"),
            available="boolean",
            isbn="string?",
        ),
        _book,
        _render_library,
        words={"Publication:": "Verlag:", "Call number:": "Signatur:", "Available": "Verfügbar"},
    ),
    Design(
        "directory",
        schema_of(
            name="string",
            category="string",
            address={"street": "string", "city": "string", "zip": "string"},
            phone="string?",
            website="uri?",
            rating="number?",
        ),
        _place,
        _render_directory,
        words={" stars": " Sterne"},
    ),
    Design(
        "events",
        schema_of(name="string", date="date", venue="string", price="number?"),
        _event_record,
        _render_events,
        words={"From": "Ab", "Free": "Frei"},
    ),
    Design(
        "search_hits", schema_of(title="string", url="uri", snippet="string", date="date?"), _hit, _render_hits, rows=10
    ),
    Design(
        "dishes",
        schema_of(
            name="string",
            minutes="integer",
            servings="integer",
            difficulty=("Easy", "Medium", "Hard"),
            rating="number?",
        ),
        _dish,
        _render_dishes,
        rows=18,
        words={" mins": " Min.", "Serves": "Für"},
    ),
    Design(
        "changelog",
        schema_of(version="string", date="date", added=["string"], fixed=["string"]),
        _change,
        _render_changelog,
        rows=14,
        words={"Added": "Neu", "Fixed": "Behoben"},
        evidence="version",
    ),
]
