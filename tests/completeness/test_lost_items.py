"""Answers that lack a record or an item of a list, or have one twice: partial, and what is missing is named (CM-1)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ScrapeResult
from gleaner.testing import FunctionModel

TEXT, NUMBER = {"type": "string"}, {"type": "number"}
TERMS = [
    ("Abaft", "Toward the stern of a ship."),
    ("Aweigh", "Of an anchor: just clear of the bottom."),
    ("Beam", "The greatest width of a vessel."),
    ("Bilge", "The lowest inner part of the hull."),
]
STAFF = [
    ("Ewa Kruk", "Board", "101"),
    ("Jan Mazur", "Rivers", "214"),
    ("Ola Wrona", "Rivers", "216"),
    ("Piotr Lis", "Library", "12"),
]
EVENTS = [("2 Mar 2026", "Reduced", 325000), ("11 Jan 2026", "Listed", 340000), ("19 Aug 2014", "Sold", 198500)]
NEWS = {"2.1.0": ["Option <code>--dry-run</code>", "Support for TOML"], "2.0.0": ["New reader"]}
PARTS = {"For the barley": ["300 g barley", "1 litre stock"], "For the leeks": ["2 leeks", "40 g butter"]}


def listed(name: str, /, **fields: object) -> dict[str, Any]:
    """Give the schema of a page with a list of objects."""
    item = {"type": "object", "properties": fields, "required": [*fields]}
    return {"type": "object", "properties": {name: {"type": "array", "items": item}}, "required": [name]}


def defined(terms: list[tuple[str, str]]) -> str:
    """Give a list of definitions."""
    return f"<dl>{''.join(f'<dt>{term}</dt><dd>{said}</dd>' for term, said in terms)}</dl>"


def bullets(items: list[str]) -> str:
    """Give a list of items."""
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


GLOSSARY = (
    f"<h1>Terms</h1><h2>A</h2>{defined(TERMS[:2])}<h2>B</h2>{defined(TERMS[2:])}",
    listed("terms", term=TEXT, definition=TEXT),
    {"terms": [dict(zip(("term", "definition"), one, strict=True)) for one in TERMS]},
)
SECTIONS = (
    "<h1>Staff</h1>"
    + "".join(
        f"<h2>{unit}</h2>{bullets([f'<b>{name}</b><br>room {room}' for name, own, room in STAFF if own == unit])}"
        for unit in ("Board", "Rivers", "Library")
    ),
    listed("staff", name=TEXT, unit=TEXT, room=TEXT),
    {"staff": [dict(zip(("name", "unit", "room"), one, strict=True)) for one in STAFF]},
)
HISTORY: tuple[str, dict[str, Any], dict[str, Any]] = (
    "<h1>14 Ash Grove</h1><p>Guide price £325,000</p><h2>Price history</h2>"
    "<table><tr><th>Date</th><th>Event</th><th>Price</th></tr>"
    + "".join(f"<tr><td>{day}</td><td>{what}</td><td>£{price:,}</td></tr>" for day, what, price in EVENTS)
    + "</table>",
    listed("events", day=TEXT, event=TEXT, price=NUMBER),
    {
        "address": "14 Ash Grove",
        "asked_first": 340000,
        "events": [{"day": day, "event": what, "price": price} for day, what, price in EVENTS],
    },
)
HISTORY[1]["properties"] |= {"address": TEXT, "asked_first": NUMBER}
HISTORY[1]["required"] += ["address", "asked_first"]
RELEASES = (
    "<h1>Changes</h1>"
    + "".join(f"<h2>{version}</h2><h3>Added</h3>{bullets(items)}" for version, items in NEWS.items()),
    listed("releases", version=TEXT, added={"type": "array", "items": TEXT}),
    {
        "releases": [
            {"version": "2.1.0", "added": ["Option --dry-run", "Support for TOML"]},
            {"version": "2.0.0", "added": ["New reader"]},
        ]
    },
)
RECIPE = (
    "<h1>Barley risotto</h1><h2>Ingredients</h2>"
    + "".join(f"<div class=part><h3>{part}</h3>{bullets(items)}</div>" for part, items in PARTS.items()),
    {
        "type": "object",
        "properties": {"title": TEXT, "ingredients": {"type": "array", "items": TEXT}},
        "required": ["title", "ingredients"],
    },
    {"title": "Barley risotto", "ingredients": [item for items in PARTS.values() for item in items]},
)
BOOKS = [
    (2026, ["L. Kay", "M. Orr"], "Gravel and silt", "River Press"),
    (2026, ["N. Abel"], "A cheap probe", "Weir Books"),
    (2024, ["M. Orr"], "Low flow", None),
]
YEARS = (
    "<h1>Books</h1>"
    + "".join(
        f"<h3>{year}</h3><ol>"
        + "".join(
            f"<li>{', '.join(by)}: <i>{title}</i>{f', {at}' if at else ''}</li>"
            for own, by, title, at in BOOKS
            if own == year
        )
        + "</ol>"
        for year in (2026, 2024)
    ),
    listed(
        "books",
        year={"type": "integer"},
        authors={"type": "array", "items": TEXT},
        title=TEXT,
        publisher={"type": ["string", "null"]},
    ),
    {"books": [dict(zip(("year", "authors", "title", "publisher"), one, strict=True)) for one in BOOKS]},
)
MINUTES = (
    "<h1>Meetings</h1>"
    + "".join(
        f"<p><b>{day}</b> – <a href='/minutes/{at}.pdf'><img src=/p.svg alt='View minutes'></a></p>{bullets([about])}"
        for at, (day, about) in enumerate([("4 May 2026", "Budget"), ("1 June 2026", "Roof"), ("6 July 2026", "Trees")])
    ),
    listed("meetings", day=TEXT, links={"type": "array", "items": {"type": "string", "format": "uri"}}),
    {
        "meetings": [
            {"day": day, "links": [f"https://site.example/minutes/{at}.pdf"]}
            for at, day in enumerate(("4 May 2026", "1 June 2026", "6 July 2026"))
        ]
    },
)
FILES = [
    ("4 May 2026", ["/may.pdf", "/may-map.pdf"]),
    ("1 June 2026", ["/june.pdf"]),
    ("6 July 2026", []),
    ("3 August 2026", ["/august.pdf"]),
]
MEETINGS = (
    "<h1>Meetings</h1><table><tr><th>Day</th><th>Files</th></tr>"
    + "".join(
        f"<tr><td>{day}</td><td>{' '.join(f'<a href={url}>Agenda</a>' for url in urls) or 'postponed'}</td></tr>"
        for day, urls in FILES
    )
    + "</table>",
    listed("meetings", day=TEXT, files={"type": "array", "items": {"type": "string", "format": "uri"}}),
    {"meetings": [{"day": day, "files": [f"https://site.example{url}" for url in urls]} for day, urls in FILES]},
)
TALKS = [
    ("Storage of tanks", "https://site.example/tanks", "ann@site.example"),
    ("Small wells", None, "bob@site.example"),
    ("Sewage", "https://site.example/sewage", "eve@site.example"),
]
CONTACTS = (
    "<h1>Talks</h1>"
    + "".join(
        f"<div class=talk><h2>{title}</h2><table><tr><td>Email:</td><td><a href='mailto:{mail}'>{mail}</a></td></tr>"
        + (f"<tr><td>Web:</td><td><a href='{url}'>{url}</a></td></tr>" if url else "")
        + "</table></div>"
        for title, url, mail in TALKS
    ),
    listed("talks", title=TEXT, links={"type": "array", "items": {"type": "string", "format": "uri"}}),
    {"talks": [{"title": title, "links": [url] if url else []} for title, url, _ in TALKS]},
)
SIZES = [("Small", 18, 3), ("Medium", 19, 0), ("Tall", 20, 8)]
SHIRT = (
    "<h1>Shirt</h1><p>Organic cotton</p><div>"
    + "".join(
        f"<article class='row size'><div><h5>{size}</h5></div><div><p>€{price}.00</p></div>"
        + (f"<div><i>{left} left</i> <input type=number></div>" if left else "<div><b>Sold out</b></div>")
        + "</article>"
        for size, price, left in SIZES
    )
    + "</div>",
    {
        "type": "object",
        "properties": {"name": TEXT, "sizes": listed("sizes", size=TEXT, price=NUMBER)["properties"]["sizes"]},
        "required": ["name", "sizes"],
    },
    {"name": "Shirt", "sizes": [{"size": size, "price": price} for size, price, _ in SIZES]},
)
HOSTS = [("Kim Collins", "Kim restores harbour cranes."), ("Jo Wilson", "Jo draws maps of tides.")]
TALK = (
    "<article><h3>Cranes</h3><p>9 May 2026, Hall 2</p><p>How to move what can not be moved.</p>"
    + "".join(
        f"<div class=person><div class=face><img alt='Picture of a speaker' src=/f.svg></div>"
        f"<div class=said><div><a href=/p/{at}>{name}</a></div><p>{bio}</p>"
        + ("<span>Also in:</span><ul><li>Quays</li></ul>" if not at else "")
        + "</div></div>"
        for at, (name, bio) in enumerate(HOSTS)
    )
    + "</article>",
    {
        "type": "object",
        "properties": {
            "title": TEXT,
            "day": TEXT,
            "room": TEXT,
            "about": TEXT,
            "speakers": listed("speakers", name=TEXT, about=TEXT)["properties"]["speakers"],
        },
        "required": ["title", "speakers"],
    },
    {
        "title": "Cranes",
        "day": "9 May 2026",
        "room": "Hall 2",
        "about": "How to move what can not be moved.",
        "speakers": [{"name": name, "about": bio} for name, bio in HOSTS],
    },
)
POST = (
    "<h1>How to darn</h1><p>By <a href=/by/ines>Ines Costa</a></p><p>Take a needle.</p>"
    "<p>Tags: <a href=/tag/bread/>bread</a> <a href=/tag/tools/>tools</a> <a href=/post/7/>Read more</a></p>",
    {
        "type": "object",
        "properties": {"title": TEXT, "authors": {"type": "array", "items": TEXT}},
        "required": ["title"],
    },
    {"title": "How to darn", "authors": ["Ines Costa"], "tags": ["bread", "tools"]},
)
CLOUD = "".join(
    f"<li><a href=/tag/{tag}/>{tag}</a></li>" for tag in ("bees", "bread", "canal", "city", "rail", "salt", "tools")
)
POST[1]["properties"]["tags"] = {"type": "array", "items": TEXT}
FETCH = (
    "<h1>fetch</h1><p>Reads one address.</p><h4>Parameters</h4><ul><li><b>url</b> – Where to read from.</li></ul>"
    "<h4>Raises</h4><ul><li><b>KeyError</b> – if there is none</li><li><b>OSError</b> – if it is shut</li></ul>",
    {
        "type": "object",
        "properties": {"name": TEXT, "summary": TEXT, "raises": {"type": "array", "items": TEXT}},
        "required": ["name"],
    },
    {"name": "fetch", "summary": "Reads one address.", "raises": ["KeyError", "OSError"]},
)
STEPS = ["Rub the butter into the flour.", "Bake it blind.", "Whisk eggs with cream, pour it in and bake it again."]
MADE_OF = ["250 g flour", "salt", "3 eggs", "200 ml cream", "salt", "nutmeg"]
GUESTS = ["Over 60 welcome", "Dogs allowed", "Free parking", "Open all year"]
PIE = (
    f"<h1>Leek pie</h1><ul>{''.join(f'<li>{one}</li>' for one in MADE_OF)}</ul>"
    f"<ol><li><h3>First</h3>{STEPS[0]}</li><li><h4>Then</h4>{STEPS[1]}</li><li class=last>{STEPS[2]}</li></ol>"
    f"<div>{''.join(f'<span class=a-{at}>{one}</span>' for at, one in enumerate(['rye', 'oats', 'malt']))}</div>"
    f"<p>{', '.join([GUESTS[1], GUESTS[0], *GUESTS[2:]])}</p>",
    {
        "type": "object",
        "properties": {name: {"type": "array", "items": TEXT} for name in ("of", "steps", "with", "at")},
    },
    {"of": MADE_OF, "steps": STEPS, "with": ["rye", "oats", "malt"], "at": [GUESTS[1], GUESTS[0], *GUESTS[2:]]},
)
STOPS = [("Harbour", "06:02"), ("Fish Market", "06:05"), ("Hill", "06:11")]
TRAM = (
    f"<h1>Tram 7: Harbour – Hill</h1>{bullets([f'<i>{stop}</i> {at}' for stop, at in STOPS])}",
    listed("stops", name=TEXT, time=TEXT),
    {"ends": ["Harbour", "Hill"], "stops": [{"name": stop, "time": at} for stop, at in STOPS]},
)
TRAM[1]["properties"]["ends"] = {"type": "array", "items": TEXT}
TALKS = {"Thursday": [("Peat", "Rut Alm", ["Carbon", "Rewetting"]), ("Clay", "Ben Ito", ["Cracks"])]}
TALKS["Friday"] = [("Sand", "Eva Sol", ["Dunes", "Glass", "Theft"])]
DAYS = (
    "<h1>Soil Days</h1>"
    + "".join(
        f"<h2>{day}</h2>"
        + "".join(
            f"<div class=s><h3>{name}</h3><p>Chair: {chair}</p>{bullets(talks)}</div>"
            for name, chair, talks in sessions
        )
        for day, sessions in TALKS.items()
    ),
    listed("sessions", name=TEXT, day=TEXT, chair=TEXT, talks=listed("talks", title=TEXT)["properties"]["talks"]),
    {
        "sessions": [
            {"name": name, "day": day, "chair": chair, "talks": [{"title": one} for one in talks]}
            for day, sessions in TALKS.items()
            for name, chair, talks in sessions
        ]
    },
)
COURSE = (
    "<h1>Rivers</h1><p>Taught by Dr. Ines Falk, Dr. Otto Renn and Dr. Mia Lund.</p>"
    "<p>Visits: Ann (Oslo, chair), Bo (Rome, member), Cy (Bern, member)</p>"
    "<p>Needs: GEO 110, MAT 101 or PHY 120</p><p>Soup with rye (A, G, L) 6.50</p>"
    "<ul><li>Added a reader (<a href=/88>#88</a>)</li><li>Added a writer</li></ul>"
    "<h2>Trips</h2><p>1931 Paris; 1968 Cologne; 1996 Ghent</p>"
    "<ul><li><a href=/linux>Linux</a> 4 MB</li><li><a href=/mac>macOS</a> 5 MB</li></ul>"
    "<details><summary>May I eat?</summary><p>Outside.</p></details>"
    "<details><summary>May I sleep?</summary><p>Never.</p></details>",
    {
        "type": "object",
        "properties": {
            **{
                name: {"type": "array", "items": TEXT} for name in ("teachers", "places", "needs", "allergens", "added")
            },
            "trips": listed("trips", year=NUMBER, city=TEXT)["properties"]["trips"],
            "files": listed("files", name=TEXT, size=TEXT)["properties"]["files"],
            "questions": listed("questions", asked=TEXT, answer=TEXT)["properties"]["questions"],
        },
    },
    {
        "teachers": ["Dr. Ines Falk", "Dr. Otto Renn", "Dr. Mia Lund"],
        "places": ["Oslo", "Rome", "Bern"],
        "needs": ["GEO 110", "MAT 101", "PHY 120"],
        "allergens": ["A", "G", "L"],
        "added": ["Added a reader (#88)", "Added a writer"],
        "trips": [{"year": 1931, "city": "Paris"}, {"year": 1968, "city": "Cologne"}, {"year": 1996, "city": "Ghent"}],
        "files": [{"name": "Linux", "size": "4 MB"}, {"name": "macOS", "size": "5 MB"}],
        "questions": [{"asked": "May I eat?", "answer": "Outside."}, {"asked": "May I sleep?", "answer": "Never."}],
    },
)
PAGES = {
    "course": COURSE,
    "pie": PIE,
    "tram": TRAM,
    "days": DAYS,
    "post and cloud": (f"{POST[0]}<div><h3>Tags</h3><ul>{CLOUD}</ul></div>", POST[1], POST[2]),
    "fetch": FETCH,
    "talk": TALK,
    "post": POST,
    "shirt": SHIRT,
    "meetings": MEETINGS,
    "minutes": MINUTES,
    "contacts": CONTACTS,
    "glossary": GLOSSARY,
    "sections": SECTIONS,
    "history": HISTORY,
    "releases": RELEASES,
    "recipe": RECIPE,
    "years": YEARS,
}


def answered(
    home: Path, name: str, way: tuple[str | int, ...], *, is_doubled: bool = False, is_null: bool = False
) -> ScrapeResult:
    """Ask with a plain function that gives a page's truth without the item at the end of the way, or with it twice."""
    html, schema, truth = PAGES[name]
    said: Any = json.loads(json.dumps(truth))
    at: Any = said
    for step in way[:-1]:
        at = at[step]
    if is_doubled:
        at.append(at[way[-1]])
    elif is_null:
        at[way[-1]] = None
    elif way:
        at.pop(way[-1])
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": said})), home=home) as gleaner:
        return gleaner.extract_html(html, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})


@pytest.mark.parametrize("name", PAGES)
def test_the_right_answer_is_complete(tmp_path: Path, name: str) -> None:
    assert answered(tmp_path, name, ()).status == "complete"


@pytest.mark.parametrize(
    ("name", "way", "word"),
    [
        ("course", ("teachers", 0), "Ines Falk"),
        ("course", ("needs", 1), "MAT 101"),
        ("course", ("allergens", 1), "G"),
        ("course", ("trips", 1), "Cologne"),
        ("course", ("questions", 1), "May I sleep"),
        ("tram", ("stops", 0), "Harbour"),
        ("tram", ("stops", 2), "Hill"),
        ("days", ("sessions", 0), "Peat"),
        ("days", ("sessions", 1), "Clay"),
        ("pie", ("of", 1), "salt"),
        ("pie", ("of", 4), "salt"),
        ("pie", ("steps", 1), "Then"),
        ("pie", ("steps", 2), "Whisk"),
        ("pie", ("with", 1), "oats"),
        ("pie", ("at", 1), "Over 60"),
        ("shirt", ("sizes", 1), "Medium"),
        ("fetch", ("raises", 0), "KeyError"),
        ("fetch", ("raises", 1), "OSError"),
        ("talk", ("speakers", 0), "Kim Collins"),
        ("talk", ("speakers", 1), "Jo Wilson"),
        ("post", ("tags", 0), "bread"),
        ("post and cloud", ("tags", 0), "bread"),
        ("post and cloud", ("tags", 1), "tools"),
        ("post", ("tags", 1), "tools"),
        ("glossary", ("terms", 0), "Abaft"),
        ("glossary", ("terms", 3), "Bilge"),
        ("sections", ("staff", 1), "Jan Mazur"),
        ("sections", ("staff", 2), "Ola Wrona"),
        ("history", ("events", 1), "Listed"),
        ("releases", ("releases", 0, "added", 0), "dry-run"),
        ("releases", ("releases", 0, "added", 1), "TOML"),
        ("recipe", ("ingredients", 0), "barley"),
        ("recipe", ("ingredients", 1), "stock"),
        ("meetings", ("meetings", 1, "files", 0), "june.pdf"),
        ("minutes", ("meetings", 1, "links", 0), "View minutes"),
        ("contacts", ("talks", 2, "links", 0), "sewage"),
        ("years", ("books", 0), "Gravel"),
        ("years", ("books", 1), "probe"),
        ("years", ("books", 1, "authors", 0), "Abel"),
        ("years", ("books", 2, "authors", 0), "Orr"),
    ],
)
def test_what_was_left_out_is_named(tmp_path: Path, name: str, way: tuple[str | int, ...], word: str) -> None:
    result = answered(tmp_path, name, way)
    assert result.status == "partial"
    assert result.extraction is not None
    assert any(word in unit.text for unit in result.extraction.completeness.missing)


BOX = "<div class=tasty-recipe-ingredients-body><p>For four:</p><ul><li>leeks</li><li>butter</li></ul></div>"
MENU = "<ul class=tools><li>Print</li><li>Share</li></ul>"


@pytest.mark.parametrize(("box", "status"), [(BOX, "partial"), (MENU, "complete")])
def test_a_list_left_empty_lacks_the_items_of_the_box_with_its_name(tmp_path: Path, box: str, status: str) -> None:
    said = json.dumps({"data": {"title": "Soup", "ingredients": []}})
    schema = {"type": "object", "properties": {"title": TEXT, "ingredients": {"type": "array", "items": TEXT}}}
    with Gleaner(model=FunctionModel(lambda _: said), home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            f"<h1>Soup</h1><p>Warm.</p>{box}",
            "https://site.example/",
            output_schema=schema,
            config={"tiers": ["model"]},
        )
    assert result.status == status


def test_an_item_given_twice_that_the_page_states_once_is_told(tmp_path: Path) -> None:
    result = answered(tmp_path, "recipe", ("ingredients", 1), is_doubled=True)
    assert result.status == "partial"
    assert result.extraction is not None
    assert any("1 of 5 elements repeat" in error.message for error in result.extraction.errors)


def test_a_null_is_told_where_the_page_says_something_in_the_place_of_the_other_records_values(tmp_path: Path) -> None:
    result = answered(tmp_path, "years", ("books", 0, "publisher"), is_null=True)
    assert result.extraction is not None
    warnings = [one for one in result.extraction.warnings if one.startswith("/books/")]
    assert warnings == ['/books/0/publisher has no value; where others have it, the page says "River Press"']
    assert result.status == "complete"


NULLABLE = {"type": ["string", "null"]}
AMOUNT = {"type": ["number", "null"]}
SAILINGS = {
    14: [("Red Knot", "Pier 6"), ("Wild Eider", "Pier 5")],
    15: [("Northern Gull", "Pier 3"), ("Grey Seal", "Pier 1")],
    17: [("Old Tern", "Pier 2"), ("Blue Heron", "Pier 9")],
}
OVER = "".join(
    f"<section><div class=day>{day} May 2027</div>"
    f"{bullets([f'<b>{ship}</b> ({pier})' for ship, pier in ships])}</section>"
    for day, ships in SAILINGS.items()
)
SHIPS = [(ship, f"{day} May 2027") for day, ships in SAILINGS.items() for ship, _ in ships]
GOODS = [("Oak shelf", 40), ("Ash stool", 25), ("Elm tray", 12)]
KILN = [
    ("Blue jug", "Ada Quill", "3 May 2027"),
    ("Tall vase", "Bo Fenn", "9 June 2027"),
    ("Bowl", "Cy Holt", "1 July 2027"),
]
POTS = "".join(
    f"<article><h3>{name}</h3><dl><dt>Potter</dt><dd>{potter}</dd></dl><p>{day}</p></article>"
    for name, potter, day in KILN
)
DAY = {"type": ["string", "null"], "format": "date"}
ROWS = "".join(f"<tr><td>{name}</td><td>{price}.00</td></tr>" for name, price in GOODS)


@pytest.mark.parametrize(
    ("page", "schema", "data", "told"),
    [
        (
            f"<h1>Departures</h1>{OVER}",
            listed("sailings", ship=TEXT, sails=NULLABLE),
            {"sailings": [{"ship": ship, "sails": None if at == 3 else day} for at, (ship, day) in enumerate(SHIPS)]},
            '/sailings/3/sails has no value; where others have it, the page says "15 May 2027"',
        ),
        (
            f"<h1>Goods</h1><table><tr><th>Article</th><th>Price</th></tr>{ROWS}</table>",
            listed("goods", name=TEXT, price=AMOUNT),
            {"goods": [{"name": name, "price": None} for name, _ in GOODS]},
            '/goods/*/price has no value in 3 records; the column "Price" says "40.00"',
        ),
        (
            f"<h1>Pots</h1>{POTS}",
            listed("pots", name=TEXT, potter=NULLABLE),
            {"pots": [{"name": name, "potter": None} for name, _, _ in KILN]},
            '/pots/*/potter has no value in 3 records; the label "Potter" says "Ada Quill"',
        ),
        (
            f"<h1>Pots</h1>{POTS}",
            listed("pots", name=TEXT, potter=TEXT, fired=DAY),
            {"pots": [{"name": name, "potter": potter, "fired": None} for name, potter, _ in KILN]},
            '/pots/*/fired has no value in 3 records; the records state "3 May 2027", which no field has',
        ),
        (
            "<h1>Oak shelf</h1><dl><dt>Weight</dt><dd>4.5 kg</dd><dt>Warranty</dt><dd>n/a</dd></dl>",
            {"type": "object", "properties": {"name": TEXT, "weight": AMOUNT, "warranty": NULLABLE}},
            {"name": "Oak shelf", "weight": None, "warranty": None},
            '/weight has no value; the page says "Weight: 4.5 kg"',
        ),
    ],
    ids=["over the record", "a column", "labels of records", "a day in each record", "a label"],
)
def test_a_null_is_told_where_the_page_states_the_field(
    tmp_path: Path, page: str, schema: dict[str, Any], data: dict[str, Any], told: str
) -> None:
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": data})), home=tmp_path) as gleaner:
        result = gleaner.extract_html(page, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})
    assert result.extraction is not None
    assert [one for one in result.extraction.warnings if " has no value" in one] == [told]


def test_a_second_record_of_a_unit_that_the_page_does_not_bear_out_is_told(tmp_path: Path) -> None:
    meetings = [("Board", "3 May 2027"), ("Budget", "9 May 2027"), ("Works", "12 May 2027")]
    records = [{"unit": at, "name": name, "day": day} for at, (name, day) in enumerate(meetings)]
    records.insert(2, {"unit": 1, "name": "Budget", "day": "30 May 2027"})
    page = f"<h1>Meetings</h1>{bullets([f'<b>{name}</b> <i>{day}</i>' for name, day in meetings])}"
    schema = listed("meetings", name=TEXT, day=NULLABLE)["properties"]["meetings"]
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": records})), home=tmp_path) as gleaner:
        result = gleaner.extract_html(page, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})
    assert result.extraction is not None
    assert result.extraction.data == [{"name": name, "day": day} for name, day in meetings]
    assert result.extraction.warnings == [
        'chunk 0: dropped 1 record ({"day":"30 May 2027","name":"Budget"}): given twice'
    ]


SOUP = (
    "<h1>Leek soup</h1><ul><li>3 leeks<li>200 g flour<li>1 egg</ul><h2>Preparation</h2>"
    "<p>Wash the leeks.</p><p>Cut them up.</p><p>Cook it all for an hour.</p>"
)


@pytest.mark.parametrize("given", [{"steps": []}, {}], ids=["empty", "left out"])
def test_a_list_that_is_empty_in_all_of_the_answer_is_named(tmp_path: Path, given: dict[str, Any]) -> None:
    data = {"name": "Leek soup", "ingredients": ["3 leeks", "200 g flour", "1 egg"], **given}
    texts = {"type": "array", "items": TEXT}
    schema = {"type": "object", "properties": {"name": TEXT, "ingredients": texts, "steps": texts}}
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": data})), home=tmp_path) as gleaner:
        result = gleaner.extract_html(SOUP, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})
    assert result.extraction is not None
    assert result.extraction.warnings == ["/steps is empty"]


def test_a_field_that_several_records_leave_out_is_named(tmp_path: Path) -> None:
    data = [{"name": name, "potter": potter} for name, potter, _ in KILN]
    schema = {"type": "array", "items": {"type": "object", "properties": {"name": TEXT, "potter": TEXT, "glaze": TEXT}}}
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": data})), home=tmp_path) as gleaner:
        result = gleaner.extract_html(POTS, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})
    assert result.extraction is not None
    assert result.extraction.warnings == ["/*/glaze has no value in 3 records"]


@pytest.mark.parametrize(
    ("pots", "told"),
    [
        (POTS, ['/*/fired: none of 3 values is proven; the records state "3 May 2027", which no field has']),
        (re.sub(r"<p>.*?</p>", "", POTS), []),
    ],
    ids=["the page has days", "it has none"],
)
def test_a_column_that_is_refused_is_lost_where_the_page_states_such_values(
    tmp_path: Path, pots: str, told: list[str]
) -> None:
    data = [{"name": name, "potter": potter, "fired": "2019-01-01"} for name, potter, _ in KILN]
    fields = {"name": TEXT, "potter": TEXT, "fired": DAY}
    schema = {"type": "array", "items": {"type": "object", "properties": fields, "required": ["name"]}}
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": data})), home=tmp_path) as gleaner:
        result = gleaner.extract_html(
            f"<h1>Pots</h1>{pots}", "https://site.example/", output_schema=schema, config={"tiers": ["model"]}
        )
    assert result.extraction is not None
    assert [one.message for one in result.extraction.errors] == told
    assert result.status == ("partial" if told else "complete")


def test_of_many_nulls_of_a_field_twenty_are_named_and_the_rest_are_counted(tmp_path: Path) -> None:
    rows = [{"name": f"Shelf {at}", "code": f"C-{at}"} for at in range(60)]
    cells = "".join(f"<tr><td>{one['name']}</td><td>{one['code']}</td></tr>" for one in rows)
    page = f"<h1>Shelves</h1><table><tr><th>Article</th><th>No.</th></tr>{cells}</table>"
    data = {"shelves": [{**one, "code": None if at % 2 else one["code"]} for at, one in enumerate(rows)]}
    schema = listed("shelves", name=TEXT, code=NULLABLE)
    with Gleaner(model=FunctionModel(lambda _: json.dumps({"data": data})), home=tmp_path) as gleaner:
        result = gleaner.extract_html(page, "https://site.example/", output_schema=schema, config={"tiers": ["model"]})
    assert result.extraction is not None
    warnings = [one for one in result.extraction.warnings if " has no value" in one]
    assert len(warnings) == 21
    assert warnings[0] == '/shelves/1/code has no value; where others have it, the page says "C-1"'
    assert warnings[-1] == "/shelves/*/code has no value in 10 more records for which the page says something"
