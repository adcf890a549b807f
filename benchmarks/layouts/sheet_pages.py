"""Pages about one thing that are a sheet of facts: a plant, a beer, a call for grants, a doctor's practice in Polish."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _plant(r: Random) -> Record:
    tall = r.randint(2, 90) / 10
    return {
        "botanical_name": f"{v.thing(r).split()[1]}ia {v.thing(r).split()[0].lower()}ensis",
        "common_name": v.maybe(r, v.thing(r).lower(), 0.7),
        "height_min_m": tall,
        "height_max_m": round(tall + r.randint(1, 30) / 10, 1),
        "hardiness": r.choice(["H3", "H4", "H5", "H6"]),
        "sunlight": r.choice(["Full sun", "Partial shade", "Full shade"]),
        "soils": r.sample(["Chalk", "Clay", "Loam", "Sand"], r.randint(1, 4)),
        "evergreen": r.random() < 0.4,
        "award": v.maybe(r, f"AGM {r.randint(1993, 2024)}", 0.4),
        "family": f"{v.thing(r).split()[1]}aceae",
        "flowering": v.maybe(r, r.choice(["Spring", "Summer", "Spring, Summer", "Autumn"]), 0.8),
        "toxic": v.maybe(r, "Harmful if eaten", 0.3),
        "about": v.text(r, 1, 3),
        "_suppliers": r.randint(0, 40),
        "_also": [(v.thing(r), r.choice(["H3", "H4", "H5"])) for _ in range(3)],
    }


def _plant_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    common = f'<p class="summary summary--sub" x-f="common_name">{r["common_name"]}</p>' if r["common_name"] else ""
    award = (
        f'<div class="l-module u-bg-award" x-f="award"><img alt="" src="/agm.svg"><span>{r["award"]}</span></div>'
        if r["award"]
        else ""
    )
    soils = "".join(f'<div class="flag__body"><i class="icon"></i>{one}</div>' for one in r["soils"])
    poison = (
        f'<div class="flag" x-f="toxic"><h6>Potentially harmful</h6><p>{r["toxic"]}</p></div>' if r["toxic"] else ""
    )
    flowers = f'<dt>Flowering</dt><dd x-f="flowering">{r["flowering"]}</dd>' if r["flowering"] else ""
    green = f'<dt>Foliage</dt><dd x-f="evergreen">{"Evergreen" if r["evergreen"] else "Deciduous"}</dd>'
    sold = f'<p class="stock">Available from {r["_suppliers"]} suppliers</p>' if r["_suppliers"] else ""
    also = "".join(
        f'<li class="card"><a href="/plants/{v.slug(name)}"><h4>{name}</h4></a><span>{hardy}</span></li>'
        for name, hardy in r["_also"]
    )
    return (
        f'<div class="plant-head"><h1 class="h1--alt"><i x-f="botanical_name">{r["botanical_name"]}</i></h1>{common}{award}</div>'
        f'<p class="lead" x-f="about">{r["about"]}</p>{sold}'
        f'<div class="plant-attributes"><div class="panel"><h6 class="u-m-b-0">Ultimate height</h6>{r["height_min_m"]}&ndash;{r["height_max_m"]:.1f} metres</div>'
        f'<div class="panel"><h6 class="u-m-b-0">Hardiness</h6><span x-f="hardiness">{r["hardiness"]}</span></div>'
        f'<div class="panel"><h6 class="u-m-b-0">Position</h6><ul><li x-f="sunlight">{r["sunlight"]}</li></ul></div>'
        f'<div class="panel" x-f="soils"><h6 class="u-m-b-0">Soil</h6>{soils}</div></div>'
        f'<h5>Botanical details</h5><dl class="plant-details"><dt>Family</dt><dd x-f="family">{r["family"]}</dd>{green}{flowers}</dl>{poison}'
        f'<h3>You may also like</h3><ul class="cards">{also}</ul>'
    )


def _beer(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} Ale",
        "brewery": v.company(r),
        "style": r.choice(["IPA - American", "Stout - Oatmeal", "Lager - Pale", "Sour - Gose"]),
        "abv": r.randint(30, 120) / 10,
        "ibu": v.maybe(r, r.randint(5, 110), 0.6),
        "rating": r.randint(250, 470) / 100,
        "ratings": r.randint(20, 90000),
        "check_ins": r.randint(5000, 200000),
        "drinkers": r.randint(900, 4900),
        "added": v.day(r, 2011, 2024),
        "description": v.maybe(r, v.text(r, 1, 2), 0.8),
        "in_production": r.random() < 0.7,
        "_month": r.randint(1, 800),
        "_also": [(f"{v.thing(r)} Ale", r.randint(250, 470) / 100) for _ in range(r.randint(2, 4))],
    }


def _beer_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    bitter = f"{r['ibu']} IBU" if r["ibu"] is not None else "N/A IBU"
    gone = "" if r["in_production"] else '<p class="oop">Out of Production</p>'
    about = (
        f'<div class="desc"><div class="beer-descrption-read-less" x-f="description">{r["description"]}</div></div>'
        if r["description"]
        else ""
    )
    also = "".join(
        f'<div class="item"><a class="name" href="/b/{v.slug(name)}">{name}</a><span class="num">({score})</span></div>'
        for name, score in r["_also"]
    )
    return (
        f'<div class="b_info"><div class="content"><div class="top"><div class="name"><h1 x-f="name">{r["name"]}</h1>'
        f'<p class="brewery" x-f="brewery"><a href="/w">{e(r["brewery"])}</a></p><p class="style" x-f="style">{r["style"]}</p>{gone}</div>'
        f'<div class="stats"><p><span class="stat">Total (<a>?</a>)</span> <span class="count" x-f="check_ins">{r["check_ins"]:,}</span></p>'
        f'<p><span class="stat">Unique (<a>?</a>)</span> <span class="count" x-f="drinkers">{r["drinkers"]:,}</span></p>'
        f'<p><span class="stat">Monthly (<a>?</a>)</span> <span class="count">{r["_month"]:,}</span></p></div></div>'
        f'<div class="details"><p class="abv" x-f="abv">{r["abv"]}% ABV</p><p class="ibu" x-f="ibu">{bitter}</p>'
        f'<div class="caps" data-rating="{r["rating"]}"><span class="num" x-f="rating">({r["rating"]})</span></div>'
        f'<p class="raters" x-f="ratings">{r["ratings"]:,} Ratings</p><p class="date" x-f="added">Added {s.date(r["added"], "long")}</p></div>{about}</div></div>'
        f'<div class="box"><h3>Similar beers</h3>{also}</div>'
    )


def _call(r: Random) -> Record:
    total = r.randint(2, 400) * 250_000
    return {
        "identifier": f"HZ-{r.randint(2021, 2027)}-{r.choice(['CL', 'EIC', 'MISS'])}{r.randint(1, 6)}-{r.randint(1, 30):02}",
        "title": f"{v.thing(r)} for {v.city(r)} and beyond",
        "programme": f"{v.thing(r)} Programme",
        "status": r.choice(["Forthcoming", "Open for submission", "Closed"]),
        "kind": r.choice(["Research and innovation action", "Innovation action", "Coordination and support action"]),
        "opens": v.day(r, 2024, 2024),
        "deadline": v.day(r, 2025, 2026),
        "second_deadline": v.maybe(r, v.day(r, 2027, 2027), 0.3),
        "budget_eur": total,
        "grants": v.maybe(r, r.randint(1, 40), 0.7),
        "scope": v.text(r, 2, 4),
        "contact": v.maybe(r, f"{v.slug(v.person(r))}@grants.example", 0.5),
        "_partners": r.randint(1, 900),
    }


def _call_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    items = "".join(
        f'<div class="MuiGrid-item css-1k{at}x9"><span class="eui-label">{label}</span><div class="eui-u-text" x-f="{name}">{value}</div></div>'
        for at, (name, label, value) in enumerate(
            [
                ("programme", "Programme", r["programme"]),
                ("kind", "Type of action", r["kind"]),
                ("opens", "Opening date", s.date(r["opens"], "british")),
                ("deadline", "Deadline date", f"{s.date(r['deadline'], 'british')} 17:00:00 Brussels time"),
                (
                    "second_deadline",
                    "Second stage",
                    s.date(r["second_deadline"], "british") if r["second_deadline"] else "",
                ),
                ("budget_eur", "Budget", f"{r['budget_eur']:,}".replace(",", "\u00a0") + " EUR"),
                ("grants", "Expected grants", r["grants"]),
            ]
        )
        if value
    )
    help_ = (
        f'<h2 class="eui-h2">Help</h2><p class="eui-u-p">Write to <a href="mailto:{r["contact"]}" x-f="contact">{r["contact"]}</a></p>'
        if r["contact"]
        else ""
    )
    return (
        f'<div class="eui-page"><div class="eui-card-header"><h1 class="eui-card-header__title" x-f="title">{r["title"]}</h1>'
        f'<div class="eui-card-header__sub" x-f="identifier">{r["identifier"]}</div><span class="eui-chip" x-f="status">{r["status"]}</span></div>'
        f'<div class="MuiGrid-container">{items}</div><h2 class="eui-h2">Scope</h2><div class="showMore--three-lines" x-f="scope"><p>{r["scope"]}</p></div>{help_}'
        f'<h2 class="eui-h2">Partner search</h2><p class="eui-u-p">{r["_partners"]} organisations are looking for partners.</p></div>'
    )


def _practice(r: Random) -> Record:
    return {
        "name": f"dr {v.person(r)}",
        "specialty": r.choice(["Kardiolog", "Dermatolog", "Okulista", "Internista"]),
        "opinions": r.randint(3, 900),
        "stars": r.randint(30, 50) / 10,
        "address": f"ul. {v.thing(r).split()[1]}owa {r.randint(1, 90)}, {v.city(r)}",
        "visit_price": r.randint(10, 60) * 10,
        "online_visits": r.random() < 0.5,
        "languages": r.sample(["polski", "angielski", "niemiecki", "ukraiński"], r.randint(1, 3)),
        "licence": f"{r.randint(1000000, 9999999)}",
        "since": v.maybe(r, r.randint(1975, 2015), 0.6),
        "takes_children": r.random() < 0.5,
        "phone": v.maybe(r, f"{r.randint(500, 799)} {r.randint(100, 999)} {r.randint(100, 999)}", 0.6),
        "_reviews": [(v.person(r), v.text(r, 1, 2)) for _ in range(r.randint(1, 3))],
    }


def _practice_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    online = (
        '<span class="badge badge-info" x-f="online_visits">Konsultacje online</span>' if r["online_visits"] else ""
    )
    since = f'<li><strong>W zawodzie od:</strong> <span x-f="since">{r["since"]}</span></li>' if r["since"] else ""
    phone = (
        f'<a class="btn" href="tel:+48{r["phone"].replace(" ", "")}" x-f="phone">{r["phone"]}</a>' if r["phone"] else ""
    )
    patients = "dorośli, dzieci" if r["takes_children"] else "tylko dorośli"
    reviews = "".join(
        f'<div class="opinion"><h5>{name}</h5><p class="opinion-text">{text}</p></div>' for name, text in r["_reviews"]
    )
    return (
        f'<div class="doctor-card"><h1 class="doctor-name"><span x-f="name">{r["name"]}</span></h1><h2 class="h4" x-f="specialty">{r["specialty"]}</h2>'
        f'<a class="opinion-count" href="#o"><span class="rating" data-score="{r["stars"]}"></span><span x-f="opinions">{r["opinions"]} opinii</span></a> <b x-f="stars">{r["stars"]:.1f}</b>{online}</div>'
        f'<section id="adres"><h3>Adres</h3><p x-f="address">{r["address"]}</p>{phone}</section>'
        f'<section id="uslugi"><h3>Usługi i ceny</h3><div class="service"><span>Konsultacja</span><span class="price" x-f="visit_price">{r["visit_price"]} zł</span></div></section>'
        f'<section id="o-mnie"><h3>O mnie</h3><ul class="facts"><li><strong>Języki:</strong> <span x-f="languages">{", ".join(r["languages"])}</span></li><li><strong>Numer PWZ:</strong> <span x-f="licence">{r["licence"]}</span></li>{since}<li><strong>Przyjmuje:</strong> <span x-f="takes_children">{patients}</span></li></ul></section>'
        f'<section id="o"><h3>Opinie pacjentów</h3>{reviews}</section>'
    )


SHEET_PAGES = [
    Design(
        "plant_sheet",
        schema_of(
            botanical_name="string",
            common_name="string?",
            height_min_m="number",
            height_max_m="number",
            hardiness="string",
            sunlight="string",
            soils=["string"],
            evergreen="boolean",
            award="string?",
            family="string",
            flowering="string?",
            toxic="string?",
            about="string",
        ),
        _plant,
        _plant_page,
        is_list=False,
        words={"Hardiness": "Winter", "Family": "Familie"},
    ),
    Design(
        "beer_label",
        schema_of(
            name="string",
            brewery="string",
            style="string",
            abv="number",
            ibu="integer?",
            rating="number",
            ratings="integer",
            check_ins="integer",
            drinkers="integer",
            added="date",
            description="string?",
            in_production="boolean",
        ),
        _beer,
        _beer_page,
        is_list=False,
        words={"Ratings": "Bewertungen", "Added": "Seit"},
    ),
    Design(
        "grant_call",
        schema_of(
            identifier="string",
            title="string",
            programme="string",
            status="string",
            kind="string",
            opens="date",
            deadline="date",
            second_deadline="date?",
            budget_eur="number",
            grants="integer?",
            scope="string",
            contact="string?",
        ),
        _call,
        _call_page,
        is_list=False,
        words={"Budget": "Mittel", "Programme": "Programm"},
    ),
    Design(
        "lekarz",
        schema_of(
            name="string",
            specialty="string",
            opinions="integer",
            stars="number",
            address="string",
            visit_price="number",
            online_visits="boolean",
            languages=["string"],
            licence="string",
            since="integer?",
            takes_children="boolean",
            phone="string?",
        ),
        _practice,
        _practice_page,
        is_list=False,
        words={"Numer PWZ:": "Licence:", "Adres": "Address"},
    ),
]
