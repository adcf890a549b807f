"""Pages about one thing: infobox, specifications, a recipe, a job, a film, a book."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _town(r: Random) -> Record:
    return {
        "name": f"{v.city(r)}{r.choice(['ville', 'stad', 'borg'])}",
        "country": r.choice(["Norway", "Peru", "Kenya", "France"]),
        "population": r.randint(900, 2_000_000),
        "area_km2": v.amount(r, 3, 900),
        "mayor": v.person(r),
        "founded": v.maybe(r, r.randint(900, 1950), 0.7),
        "website": v.maybe(r, f"https://{v.login(r)}.example/", 0.7),
        "_text": v.text(r, 3, 8),
    }


def _render_infobox(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    founded = (
        f'<tr x-f="founded"><th scope="row" class="infobox-label">Founded</th><td class="infobox-data">{r["founded"]}</td></tr>'
        if r["founded"]
        else ""
    )
    site = (
        f'<tr x-f="website"><th scope="row" class="infobox-label">Website</th><td class="infobox-data"><a rel="nofollow" class="external text" href="{r["website"]}">Official website</a></td></tr>'
        if r["website"]
        else ""
    )
    return (
        f'<h1 id="firstHeading" class="firstHeading"><span class="mw-page-title-main" x-f="name">{r["name"]}</span></h1><div class="mw-parser-output"><table class="infobox geography vcard"><tbody><tr><th colspan="2" class="infobox-above"><div class="fn org">{r["name"]}</div></th></tr><tr><td colspan="2" class="infobox-image"><img src="/m.png" alt=""/></td></tr>'
        f'<tr x-f="country"><th scope="row" class="infobox-label">Country</th><td class="infobox-data"><span class="flagicon"></span><a href="/wiki/c">{r["country"]}</a></td></tr>{founded}<tr><th colspan="2" class="infobox-header">Government</th></tr><tr x-f="mayor"><th scope="row" class="infobox-label"> • Mayor</th><td class="infobox-data">{r["mayor"]}</td></tr><tr><th colspan="2" class="infobox-header">Area</th></tr>'
        f'<tr x-f="area_km2"><th scope="row" class="infobox-label"> • Total</th><td class="infobox-data">{r["area_km2"]:,.2f} km<sup>2</sup></td></tr><tr><th colspan="2" class="infobox-header">Population</th></tr><tr x-f="population"><th scope="row" class="infobox-label"> • City</th><td class="infobox-data">{r["population"]:,}</td></tr>{site}</tbody></table><p><b>{r["name"]}</b> is a town in {r["country"]}. {e(r["_text"])}</p><h2>History</h2><p>{e(r["_text"])}</p></div>'
    )


def _device(r: Random) -> Record:
    return {
        "name": v.product(r),
        "brand": v.company(r),
        "price": v.amount(r, 20, 2000),
        "weight_kg": r.randint(1, 90) / 10,
        "color": r.choice(["Black", "Silver", "Red"]),
        "warranty_months": v.maybe(r, r.choice([12, 24, 36]), 0.7),
        "in_stock": r.random() < 0.7,
        "sku": f"SKU{r.randint(10000, 99999)}",
        "images": [f"https://product-specs.example/img/{r.randint(1000, 9999)}.jpg" for _ in range(r.randint(1, 4))],
        "_text": v.text(r, 2, 5),
        "_old": r.random() < 0.4,
    }


def _render_specs(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    images = "".join(f'<li><img src="{i[len("https://product-specs.example") :]}" alt=""/></li>' for i in r["images"])
    warranty = (
        f'<tr x-f="warranty_months"><th>Warranty</th><td>{r["warranty_months"]} months</td></tr>'
        if r["warranty_months"]
        else ""
    )
    old = f'<s class="was">{s.money(r["price"] * 1.25)}</s> ' if r["_old"] else ""
    stock = (
        '<p class="stock in">In stock, ships today</p>' if r["in_stock"] else '<p class="stock out">Out of stock</p>'
    )
    also = "".join(
        f'<li class="also"><a href="/p/{n}">Also bought {n}</a> <span class="p">{s.money(10 + n)}</span></li>'
        for n in range(1, 4)
    )
    return (
        f'<nav class="breadcrumb"><a href="/">Home</a> › <a href="/c">Devices</a></nav><div class="product"><ul class="gallery" x-f="images">{images}</ul><div class="summary"><h1 class="product_title" x-f="name">{e(r["name"])}</h1><p class="brand">by <a href="/b" x-f="brand">{e(r["brand"])}</a></p><p class="price">{old}<span class="now" x-f="price">{s.money(r["price"])}</span></p><div x-f="in_stock">{stock}</div><p class="desc">{e(r["_text"])}</p>'
        f'<p class="sku" x-f="sku">SKU: <span>{r["sku"]}</span></p></div><h2>Specifications</h2><table class="specs"><tr x-f="weight_kg"><th>Weight</th><td>{r["weight_kg"]} kg</td></tr><tr x-f="color"><th>Colour</th><td>{r["color"]}</td></tr>{warranty}</table></div><h2>Also bought</h2><ul class="related">{also}</ul>'
    )


def _dish(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} stew",
        "author": v.person(r),
        "published": v.day(r),
        "prep_minutes": r.randint(5, 60),
        "cook_minutes": v.maybe(r, r.randint(5, 180), 0.8),
        "servings": r.randint(1, 10),
        "ingredients": [f"{r.randint(1, 9)} {w}s" for w in v.words(r, r.randint(3, 9))],
        "steps": [v.sentence(r) for _ in range(r.randint(2, 6))],
        "rating": v.maybe(r, r.randint(20, 50) / 10, 0.8),
        "_text": v.text(r, 1, 4),
    }


def _render_dish(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    rating = (
        f'<span class="wprm-recipe-rating-average" x-f="rating">{r["rating"]}</span> from <span class="count">{r["servings"] * 13 + 11}</span> votes'
        if r["rating"]
        else ""
    )
    cook = (
        f'<div class="wprm-cook" x-f="cook_minutes"><span class="wprm-recipe-details-label">Cook Time: </span><span class="wprm-recipe-cook_time">{r["cook_minutes"]}</span> <span class="unit">minutes</span></div>'
        if r["cook_minutes"]
        else ""
    )
    ingredients = "".join(
        f'<li class="wprm-recipe-ingredient"><input type="checkbox"/><span>{i}</span></li>' for i in r["ingredients"]
    )
    steps = "".join(
        f'<li class="wprm-recipe-instruction"><div class="wprm-recipe-instruction-text">{e(i)}</div></li>'
        for i in r["steps"]
    )
    return (
        f'<article><h1 class="entry-title" x-f="name">{r["name"]}</h1><p class="entry-meta">By <span class="entry-author" x-f="author">{r["author"]}</span> on <time class="entry-time" x-f="published">{s.date(r["published"])}</time></p><p>{e(r["_text"])}</p><div class="wprm-recipe">{rating}<div class="wprm-prep" x-f="prep_minutes"><span class="wprm-recipe-details-label">Prep Time: </span><span class="wprm-recipe-prep_time">{r["prep_minutes"]}</span> <span class="unit">minutes</span></div>{cook}'
        f'<div class="wprm-serv" x-f="servings"><span class="wprm-recipe-details-label">Servings: </span><span class="wprm-recipe-servings">{r["servings"]}</span></div><h3>Ingredients</h3><ul class="wprm-recipe-ingredients" x-f="ingredients">{ingredients}</ul><h3>Instructions</h3><ol class="wprm-recipe-instructions" x-f="steps">{steps}</ol></div></article>'
    )


def _job(r: Random) -> Record:
    return {
        "title": f"{r.choice(['Senior', 'Lead', 'Junior'])} {r.choice(['Welder', 'Nurse', 'Analyst'])}",
        "company": v.company(r),
        "location": v.city(r),
        "salary": v.maybe(r, f"${r.randint(30, 90)},000 - ${r.randint(91, 150)},000", 0.6),
        "employment_type": r.choice(["Full-time", "Part-time", "Contract"]),
        "deadline": v.day(r),
        "remote": r.random() < 0.4,
        "_text": v.text(r, 3, 6),
        "_more": [v.sentence(r) for _ in range(r.randint(2, 5))],
    }


def _render_job(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    salary = f'<li x-f="salary"><strong>Salary:</strong> {r["salary"]}</li>' if r["salary"] else ""
    more = "".join(f"<li>{e(m)}</li>" for m in r["_more"])
    return (
        f'<div class="posting"><div class="posting-headline"><h2 x-f="title">{r["title"]}</h2><div class="posting-categories"><div class="location" x-f="location">{r["location"]}</div><div class="commitment" x-f="employment_type">{r["employment_type"]}</div><div class="workplace" x-f="remote">{"Remote" if r["remote"] else "On-site"}</div></div></div>'
        f'<div class="section"><p>{e(r["_text"])}</p></div><ul class="facts"><li x-f="company"><strong>Company:</strong> {e(r["company"])}</li>{salary}<li x-f="deadline"><strong>Apply by:</strong> {s.date(r["deadline"])}</li></ul><div class="section"><h3>What you do</h3><ul>{more}</ul></div></div>'
    )


def _film(r: Random) -> Record:
    return {
        "title": v.thing(r),
        "year": r.randint(1950, 2025),
        "minutes": r.randint(70, 200),
        "rating": r.randint(10, 99) / 10,
        "votes": r.randint(100, 900) * 10,
        "directors": [v.person(r) for _ in range(r.randint(1, 2))],
        "stars": [v.person(r) for _ in range(r.randint(2, 4))],
        "plot": v.text(r, 1, 3),
        "genres": r.sample(["Drama", "Comedy", "War", "Crime"], r.randint(1, 3)),
    }


def _render_film(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css

    def people(names: list[str]) -> str:
        return "".join(
            f'<li role="presentation" class="ipc-inline-list__item"><a class="ipc-metadata-list-item__list-content-item" href="/name/nm1">{n}</a></li>'
            for n in names
        )

    genres = "".join(
        f'<a class="ipc-chip ipc-chip--on-baseAlt" href="/search"><span class="ipc-chip__text">{g}</span></a>'
        for g in r["genres"]
    )
    return (
        f'<section class="ipc-page-section"><h1 data-testid="hero__pageTitle" class="{c("h1")}"><span class="hero__primary-text" data-testid="hero__primary-text" x-f="title">{r["title"]}</span></h1><ul class="ipc-inline-list {c("meta")}" role="presentation"><li role="presentation"><a href="/year" x-f="year">{r["year"]}</a></li><li role="presentation"><a href="/cert">PG-13</a></li><li role="presentation" x-f="minutes">{r["minutes"]} min</li></ul>'
        f'<div data-testid="hero-rating-bar__aggregate-rating__score" class="{c("score")}"><span class="{c("num")}" x-f="rating">{r["rating"]}</span><span>/10</span></div><div class="{c("votes")}" x-f="votes">{r["votes"]:,}</div><div data-testid="genres" x-f="genres">{genres}</div><p data-testid="plot"><span role="presentation" data-testid="plot-xl" class="{c("plot")}" x-f="plot">{e(r["plot"])}</span></p>'
        f'<ul class="ipc-metadata-list title-pc-list"><li role="presentation" data-testid="title-pc-principal-credit" x-f="directors"><span class="ipc-metadata-list-item__label">Director{"s" if len(r["directors"]) > 1 else ""}</span><div><ul class="ipc-inline-list">{people(r["directors"])}</ul></div></li><li role="presentation" data-testid="title-pc-principal-credit" x-f="stars"><a class="ipc-metadata-list-item__label">Stars</a><div><ul class="ipc-inline-list">{people(r["stars"])}</ul></div></li></ul></section>'
    )


def _book(r: Random) -> Record:
    return {
        "title": f"{v.thing(r)} Days",
        "author": v.person(r),
        "price": v.amount(r, 5, 60),
        "publisher": v.company(r),
        "published": v.day(r),
        "pages": r.randint(80, 900),
        "language": r.choice(["English", "German", "French"]),
        "isbn13": f"978-{r.randint(10**9, 10**10 - 1)}",
        "series": v.maybe(r, v.thing(r), 0.4),
    }


def _render_book(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    pairs = [
        ("publisher", "Publisher", e(r["publisher"])),
        ("published", "Publication date", s.date(r["published"], "british")),
        ("series", "Series", r["series"]),
        ("pages", "Pages", f"{r['pages']} pages"),
        ("language", "Language", r["language"]),
        ("isbn13", "ISBN-13", r["isbn13"]),
    ]
    rows = "".join(f'<dt x-f="{name}">{label}</dt><dd x-f="{name}">{text}</dd>' for name, label, text in pairs if text)
    return f'<div><div><h1 x-f="title">{r["title"]}</h1><div>By <a href="/a" x-f="author">{r["author"]}</a></div><div><span>Paperback</span> <b x-f="price">{s.money(r["price"])}</b> <button>Add to basket</button></div></div><h2>Product details</h2><dl>{rows}</dl></div>'


DETAILS = [
    Design(
        "infobox",
        schema_of(
            name="string",
            country="string",
            population="integer",
            area_km2="number",
            mayor="string",
            founded="integer?",
            website="uri?",
        ),
        _town,
        _render_infobox,
        is_list=False,
        words={"Population": "Einwohner", "Country": "Land", "Mayor": "Bürgermeister"},
    ),
    Design(
        "product_specs",
        schema_of(
            name="string",
            brand="string",
            price="number",
            weight_kg="number",
            color="string",
            warranty_months="integer?",
            in_stock="boolean",
            sku="string",
        ),
        _device,
        _render_specs,
        is_list=False,
        words={"Weight": "Gewicht", "Colour": "Farbe", "Warranty": "Garantie"},
    ),
    Design(
        "cooking_recipe",
        schema_of(
            name="string",
            author="string",
            published="date",
            prep_minutes="integer",
            cook_minutes="integer?",
            servings="integer",
            ingredients=["string"],
            steps=["string"],
            rating="number?",
        ),
        _dish,
        _render_dish,
        is_list=False,
        words={"Prep Time": "Vorbereitung", "Cook Time": "Kochzeit", "Servings": "Portionen"},
    ),
    Design(
        "job_posting",
        schema_of(
            title="string",
            company="string",
            location="string",
            salary="string?",
            employment_type="string",
            deadline="date",
            remote="boolean",
        ),
        _job,
        _render_job,
        is_list=False,
        words={"Company:": "Firma:", "Salary:": "Gehalt:", "Apply by:": "Bis:"},
    ),
    Design(
        "film",
        schema_of(
            title="string",
            year="integer",
            minutes="integer",
            rating="number",
            votes="integer",
            directors=["string"],
            stars=["string"],
            plot="string",
            genres=["string"],
        ),
        _film,
        _render_film,
        is_list=False,
        words={"Director": "Regie", "Stars": "Besetzung"},
    ),
    Design(
        "book_dl",
        schema_of(
            title="string",
            author="string",
            price="number",
            publisher="string",
            published="date",
            pages="integer",
            language="string",
            isbn13="string",
            series="string?",
        ),
        _book,
        _render_book,
        is_list=False,
        words={"Publisher": "Verlag", "Pages": "Seiten", "Language": "Sprache"},
    ),
]
