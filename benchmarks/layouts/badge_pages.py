"""Pages about one thing with words for nothing, badges and flags that come and go: a ticket, a shirt, an app, a concert."""

from collections.abc import Sequence
from datetime import date
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of

_MESI = ["gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"]  # fmt: skip
_GIORNI = ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"]


def _ticket(r: Random) -> Record:
    return {
        "key": f"CORE-{r.randint(100, 99999)}",
        "summary": v.headline(r),
        "type": r.choice(["Bug", "Story", "Task"]),
        "status": r.choice(["Open", "In Progress", "Resolved", "Closed"]),
        "priority": r.choice(["Blocker", "Major", "Minor"]),
        "resolution": r.choice(["Unresolved", "Fixed", "Won't Fix"]),
        "affects": [f"{r.randint(1, 9)}.{r.randint(0, 9)}" for _ in range(r.randint(0, 2))],
        "components": r.sample(["API", "Web UI", "Storage", "Scheduler"], r.randint(0, 2)),
        "assignee": v.maybe(r, v.person(r)),
        "reporter": v.person(r),
        "votes": r.randint(0, 40),
        "watchers": r.randint(1, 60),
        "created": f"{v.day(r, 2024, 2025)}T{r.randint(10, 23)}:{r.randint(10, 59)}:00Z",
        "description": v.maybe(r, v.text(r, 2, 4), 0.85),
    }


def _ticket_page(records: Sequence[Record], s: Style) -> str:
    """ "None" stands for empty lists, "Unassigned" for nobody."""
    r = records[0]
    facts = [
        ("Type", "type", r["type"]),
        ("Status", "status", r["status"]),
        ("Priority", "priority", r["priority"]),
        ("Resolution", "resolution", r["resolution"]),
        ("Affects Version/s", "affects", ", ".join(r["affects"]) or "None"),
        ("Component/s", "components", ", ".join(r["components"]) or "None"),
    ]
    items = "".join(
        f'<li class="item{" item-right" if at % 2 else ""}"><div class="wrap"><strong class="name">{label}:</strong> <span class="value" id="{name}-val" x-f="{name}">{value}</span></div></li>'
        for at, (label, name, value) in enumerate(facts)
    )
    text = f"<p>{e(r['description'])}</p>" if r["description"] else '<span class="blankDescription">None</span>'
    created = s.date(r["created"], "british")
    return (
        f'<div id="issue-content"><header id="stalker"><ol class="aui-nav-breadcrumbs"><li><a href="/p">Core</a></li><li><a class="issue-link" href="/browse/{r["key"]}" x-f="key">{r["key"]}</a></li></ol><h1 id="summary-val" x-f="summary">{e(r["summary"])}</h1></header>'
        f'<div class="aui-group"><div class="module" id="details-module"><h4 class="toggle-title">Details</h4><ul id="issuedetails" class="property-list two-cols">{items}</ul></div><div id="descriptionmodule" class="module"><h4>Description</h4><div id="description-val" x-f="description"><div class="user-content-block">{text}</div></div></div></div>'
        f'<div class="aui-item"><div id="peoplemodule"><h4>People</h4><dl><dt>Assignee:</dt><dd><span id="assignee-val" x-f="assignee">{r["assignee"] or "Unassigned"}</span></dd></dl><dl><dt>Reporter:</dt><dd><span id="reporter-val" x-f="reporter">{r["reporter"]}</span></dd></dl>'
        f'<dl><dt>Votes:</dt><dd><aui-badge id="vote-data" x-f="votes">{r["votes"]}</aui-badge> Vote for this issue</dd></dl><dl><dt>Watchers:</dt><dd><aui-badge id="watcher-data" x-f="watchers">{r["watchers"]}</aui-badge> Start watching this issue</dd></dl></div>'
        f'<div id="datesmodule"><h4>Dates</h4><dl class="dates"><dt>Created:</dt><dd class="date user-tz"><time class="livestamp" datetime="{r["created"]}" x-f="created">{created} {r["created"][11:16]}</time></dd></dl></div></div></div>'
    )


def _shirt(r: Random) -> Record:
    price = v.amount(r, 5, 300)
    on_sale = r.random() < 0.4
    return {
        "title": v.product(r),
        "vendor": v.company(r),
        "price": price,
        "compare_at": round(price * 1.3, 2) if on_sale else None,
        "on_sale": on_sale,
        "sold_out": r.random() < 0.2,
        "rating": v.maybe(r, r.randint(30, 50) / 10, 0.6),
        "options": r.sample(["XS", "S", "M", "L", "XL"], r.randint(1, 4)),
        "description": v.text(r, 1, 3),
        "sku": f"{r.choice('ABCD')}{r.randint(1000, 9999)}",
        "_also": [(v.product(r), v.amount(r, 5, 300)) for _ in range(3)],
    }


def _shirt_page(records: Sequence[Record], s: Style) -> str:
    """Sizes with a hidden note in each label, prices with words for screen readers, badges for sales."""
    r = records[0]
    was = (
        f'<s class="price-item price-item--regular" x-f="compare_at">{s.money(r["compare_at"])} USD</s><span class="visually-hidden">Sale price</span>'
        if r["on_sale"]
        else ""
    )
    kind = "sale price-item--last" if r["on_sale"] else "regular"
    badges = '<span class="badge price__badge-sale" x-f="on_sale">Sale</span>' if r["on_sale"] else ""
    badges += '<span class="badge price__badge-sold-out" x-f="sold_out">Sold out</span>' if r["sold_out"] else ""
    rating = (
        f'<div class="rating-wrapper"><div class="rating" role="img" aria-label="{r["rating"]} out of 5.0 stars"></div><p class="rating-text" x-f="rating">{r["rating"]} / 5.0</p></div>'
        if r["rating"]
        else ""
    )
    sizes = "".join(
        f'<input type="radio" id="o{at}" name="Size" value="{size}"><label for="o{at}">{size}<span class="visually-hidden label-unavailable">Variant sold out or unavailable</span></label>'
        for at, size in enumerate(r["options"])
    )
    also = "".join(
        f'<li class="grid__item"><h3 class="card__heading"><a href="/p/{v.slug(name)}">{e(name)}</a></h3><span class="price-item">{s.money(price)} USD</span></li>'
        for name, price in r["_also"]
    )
    return (
        f'<section class="shopify-section"><div class="product__info-container"><p class="product__text caption-with-letter-spacing" x-f="vendor">{e(r["vendor"])}</p><div class="product__title"><h1 x-f="title">{e(r["title"])}</h1></div><p class="product__sku">SKU: <span x-f="sku">{r["sku"]}</span></p>'
        f'<div class="price price--large"><span class="visually-hidden">Regular price</span>{was}<span class="price-item price-item--{kind}" x-f="price">{s.money(r["price"])} USD</span>{badges}</div>{rating}'
        f'<variant-selects><fieldset class="product-form__input"><legend class="form__label">Size</legend>{sizes}</fieldset></variant-selects><product-form><button type="submit"><span>{"Sold out" if r["sold_out"] else "Add to cart"}</span></button></product-form>'
        f'<div class="product__description rte" x-f="description"><p>{e(r["description"])}</p></div></div></section><product-recommendations><h2>You may also like</h2><ul class="grid">{also}</ul></product-recommendations>'
    )


def _app(r: Random) -> Record:
    return {
        "name": v.thing(r),
        "developer": v.company(r),
        "rating": r.randint(20, 49) / 10,
        "reviews": r.randint(100, 9_000_000),
        "downloads": r.choice(["1K+", "10K+", "500K+", "1M+", "10M+"]),
        "age": r.choice(["Everyone", "Teen", "Mature 17+"]),
        "ads": r.random() < 0.5,
        "in_app": r.random() < 0.5,
        "updated": v.day(r, 2024, 2025),
        "about": v.text(r, 2, 4),
        "tags": [v.thing(r) for _ in range(r.randint(1, 3))],
        "_reviews": [(v.person(r), r.randint(1, 5), v.text(r, 1, 2)) for _ in range(3)],
    }


def _app_page(records: Sequence[Record], s: Style) -> str:
    """Class names of a build tool throughout; the site's name shares a word with a flag's."""
    r = records[0]
    marks = "".join(
        f'<span class="{s.css(f"mark-{name}")}" x-f="{name}">{text}</span>'
        for name, text in (("ads", "Contains ads"), ("in_app", "In-app purchases"))
        if r[name]
    )
    tags = "".join(f'<div class="{s.css("chip")}"><a href="/s">{tag}</a></div>' for tag in r["tags"])
    reviews = "".join(
        f'<div class="{s.css("review")}"><header><div class="{s.css("rname")}">{who}</div><div aria-label="Rated {stars} stars out of five stars" role="img"></div></header><div class="{s.css("rtext")}">{e(text)}</div></div>'
        for who, stars, text in r["_reviews"]
    )
    return (
        f'<c-wiz><div class="{s.css("hero")}"><h1 class="{s.css("app-name")}" itemprop="name"><span x-f="name">{r["name"]}</span></h1><div class="{s.css("dev")}"><a href="/dev"><span x-f="developer">{e(r["developer"])}</span></a></div><div class="{s.css("marks")}">{marks}</div>'
        f'<div class="{s.css("stats")}"><div class="{s.css("stat")}"><div itemprop="starRating" aria-label="Rated {r["rating"]} stars out of five stars" x-f="rating">{r["rating"]}<i class="google-material-icons">star</i></div><div class="{s.css("statl")}" x-f="reviews">{r["reviews"]:,} reviews</div></div>'
        f'<div class="{s.css("stat")}"><div class="{s.css("statv")}" x-f="downloads">{r["downloads"]}</div><div class="{s.css("statl")}">Downloads</div></div><div class="{s.css("stat")}"><img alt="Content rating"><div class="{s.css("statl")}"><span itemprop="contentRating"><span x-f="age">{r["age"]}</span></span></div></div></div></div>'
        f'<section><header><h2>About this app</h2></header><div data-g-id="description" x-f="about">{e(r["about"])}</div><div class="{s.css("upd")}"><div class="{s.css("updl")}">Updated on</div><div class="{s.css("updv")}" x-f="updated">{s.date(r["updated"], "short")}</div></div><div class="{s.css("chips")}" x-f="tags">{tags}</div></section>'
        f"<section><header><h2>Ratings and reviews</h2></header>{reviews}</section></c-wiz>"
    )


def _concert_it(r: Random) -> Record:
    is_free = r.random() < 0.3
    return {
        "titolo": f"{r.choice(['Concerto', 'Mostra', 'Visita guidata', 'Sagra'])} {r.choice(['del borgo', 'in villa', 'sul lago'])} {r.randint(2, 99)}",
        "inizio": v.day(r, 2025, 2026),
        "orario": f"{r.randint(9, 22):02}.{r.choice(['00', '30'])}",
        "luogo": f"{r.choice(['Teatro', 'Villa', 'Palazzo'])} {v.thing(r).split()[1]}",
        "comune": r.choice(["Lecco", "Asti", "Siena", "Udine"]),
        "prezzo_eur": None if is_free else r.randint(4, 60) + r.choice([0, 0.5]),
        "ingresso_libero": is_free,
        "telefono": v.maybe(r, f"0{r.randint(10, 99)} {r.randint(100000, 999999)}", 0.6),
        "organizzatore": v.maybe(r, f"Associazione {v.thing(r)}"),
        "annullato": r.random() < 0.12,
        "descrizione": v.text(r, 1, 3),
    }


def _concert_it_page(records: Sequence[Record], s: Style) -> str:
    """A day and an hour in one sentence; a price where other events say that they are free."""
    r = records[0]
    year, month, day = map(int, r["inizio"].split("-"))
    gone = '<p class="alert alert-danger" x-f="annullato">Evento annullato</p>' if r["annullato"] else ""
    entry = "Ingresso libero" if r["ingresso_libero"] else f"€ {r['prezzo_eur']:.2f}".replace(".", ",")
    field = "ingresso_libero" if r["ingresso_libero"] else "prezzo_eur"
    phone = (
        f'<p><strong>Telefono:</strong> <a href="tel:{r["telefono"]}" x-f="telefono">{r["telefono"]}</a></p>'
        if r["telefono"]
        else ""
    )
    host = (
        f'<p><strong>A cura di:</strong> <span x-f="organizzatore">{r["organizzatore"]}</span></p>'
        if r["organizzatore"]
        else ""
    )
    when = f"{_GIORNI[date(year, month, day).weekday()]} {day} {_MESI[month - 1]} {year}, ore {r['orario']}"
    return (
        f'<article class="tribe_events"><h1 class="tribe-events-single-event-title" x-f="titolo">{r["titolo"]}</h1>{gone}<div class="tribe-events-schedule"><h2><span class="tribe-event-date-start">{when}</span></h2></div>'
        f'<div class="wp-block-columns"><div class="wp-block-column"><p><strong>Dove:</strong> <span x-f="luogo">{r["luogo"]}</span>, <span x-f="comune">{r["comune"]}</span></p><p><strong>Ingresso:</strong> <span x-f="{field}">{entry}</span></p>{phone}{host}</div></div>'
        f'<div class="tribe-events-content" x-f="descrizione"><p>{e(r["descrizione"])}</p></div><div class="sharedaddy"><h3>Condividi:</h3><ul><li><a>Facebook</a></li></ul></div></article>'
    )


BADGE_PAGES = [
    Design("jira_issue", schema_of(key="string", summary="string", type="string", status="string", priority="string", resolution="string", affects=["string"], components=["string"], assignee="string?", reporter="string", votes="integer", watchers="integer", created="date-time", description="string?"), _ticket, _ticket_page, is_list=False, words={"Reporter": "Autor"}),
    Design("dawn_product", schema_of(title="string", vendor="string", price="number", compare_at="number?", on_sale="boolean", sold_out="boolean", rating="number?", options=["string"], description="string", sku="string"), _shirt, _shirt_page, is_list=False),
    Design("app_page", schema_of(name="string", developer="string", rating="number", reviews="integer", downloads="string", age="string", ads="boolean", in_app="boolean", updated="date", about="string", tags=["string"]), _app, _app_page, is_list=False),
    Design("evento_it", schema_of(titolo="string", inizio="date", orario="string", luogo="string", comune="string", prezzo_eur="number?", ingresso_libero="boolean", telefono="string?", organizzatore="string?", annullato="boolean", descrizione="string"), _concert_it, _concert_it_page, is_list=False),
]  # fmt: skip
