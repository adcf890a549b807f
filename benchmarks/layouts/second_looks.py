"""Written after the recipes were mended for the layouts before: packages, auctions, coins, menus, notices, lectures."""

from collections.abc import Sequence
from html import escape as e
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _package(r: Random) -> Record:
    return {
        "name": f"{v.words(r, 1)[0]}-{r.choice(['core', 'cli', 'loader', 'utils'])}-{r.randint(1, 999)}",
        "description": v.maybe(r, v.sentence(r), 0.85),
        "keywords": v.tags(r, 0, 5),
        "publisher": v.login(r),
        "version": f"{r.randint(0, 19)}.{r.randint(0, 30)}.{r.randint(0, 9)}",
        "published": v.day(r),
        "dependents": r.randint(0, 9000),
        "license": v.maybe(r, r.choice(["MIT", "ISC", "Apache-2.0"]), 0.8),
    }


def _render_packages(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        keywords = "".join(
            f'<li class="_75a5f581"><a class="_75a5f582 f6" href="/search?q=keywords:{k}">{k}</a></li>'
            for k in r["keywords"]
        )
        keywords = (
            f'<ul class="list pl0 {s.css("keywords")}" aria-label="Keywords" x-f="keywords">{keywords}</ul>'
            if keywords
            else ""
        )
        text = (
            f'<p class="{s.css("text")} lh-copy" x-f="description">{e(r["description"])}</p>'
            if r["description"]
            else ""
        )
        terms = f'<span aria-hidden="true"> • </span><span x-f="license">{r["license"]}</span>' if r["license"] else ""
        return (
            f'<section class="{s.css("package")} flex flex-column" x-r><div class="w-80"><div class="flex items-end"><a target="_self" class="flex items-end" href="/package/{r["name"]}"><h3 class="db7ee1ac fw6" x-f="name">{r["name"]}</h3></a></div>{text}{keywords}<div class="flex items-center {s.css("meta")}"><a href="/~{r["publisher"]}" aria-label="publisher {r["publisher"]}" class="flex items-center" x-f="publisher">{r["publisher"]}</a>'
            f'<span class="{s.css("when")}"> • <span x-f="version">{r["version"]}</span> • <time datetime="{r["published"]}T10:00:00Z" title="x" x-f="published">{s.date(r["published"], "short")}</time> • <span x-f="dependents">{r["dependents"]:,}</span> dependents{terms}</span></div></div></section>'
        )

    return f'<h2 class="f3">{len(records)} packages found</h2><div><ul class="pagination"><li><a href="?page=1">2</a></li><li><a href="?page=2">»</a></li></ul></div><div class="{s.css("results")}">{"".join(map(one, records))}</div>'


def _lot(r: Random) -> Record:
    low = r.randint(2, 300) * 10
    return {
        "lot": r.randint(1, 999),
        "title": v.product(r),
        "estimate_low": low,
        "estimate_high": low + r.randint(1, 30) * 10,
        "sold_for": v.maybe(r, low + r.randint(0, 90) * 10, 0.6),
        "provenance": v.maybe(r, f"Private collection, {v.city(r)}", 0.5),
        "_bids": r.randint(0, 40),
    }


def _render_lots(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        pounds = Style(currency="GBP", salt=s.salt) if s.currency == "USD" else s
        sold = (
            f'<p class="lot-sold">Sold for <strong x-f="sold_for">{pounds.round(r["sold_for"])}</strong></p>'
            if r["sold_for"]
            else '<p class="lot-passed">Passed</p>'
        )
        origin = (
            f'<p class="lot-more" x-f="provenance"><em>Provenance</em>: {r["provenance"]}</p>'
            if r["provenance"]
            else ""
        )
        return f'<div class="col-xs-6 col-md-3 lot-item" x-r><a class="lot-link" href="/lots/{r["lot"]}"><span class="lot-number" x-f="lot">Lot {r["lot"]}</span><div class="lot-title" x-f="title">{e(r["title"])}</div></a><p class="lot-estimate">Est. {pounds.round(r["estimate_low"])} – {pounds.round(r["estimate_high"])}</p>{sold}{origin}<p class="bids">{r["_bids"]} bids</p></div>'

    return f'<h1>Autumn sale</h1><p>Buyer\'s premium of 25% applies.</p><div class="row lots">{"".join(map(one, records))}</div>'


def _coin(r: Random) -> Record:
    name = v.thing(r).split()[1]
    return {
        "rank": r.randint(1, 2000),
        "name": name + str(r.randint(1, 99)),
        "symbol": name[:3].upper() + r.choice("XYZ"),
        "price": v.amount(r, 1, 60000),
        "market_cap": r.randint(10**6, 10**11),
        "supply": v.maybe(r, r.randint(10**5, 10**9), 0.8),
        "_up": r.random() < 0.5,
        "_change": r.randint(1, 900) / 100,
    }


def _render_coins(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(r: Record) -> str:
        supply = (
            f'<div class="sc-{c("supply")}"><p class="sc-{c("ptext")}" x-f="supply">{r["supply"]:,} {r["symbol"]}</p></div>'
            if r["supply"]
            else '<div class="sc-4984dd93"><p>--</p></div>'
        )
        way = "up" if r["_up"] else "down"
        return (
            f'<tr style="cursor:pointer" x-r><td><span class="icon-Star"></span></td><td style="text-align:start"><p class="sc-{c("ptext")}" x-f="rank">{r["rank"]}</p></td><td style="text-align:start"><div class="sc-{c("coin")}"><a href="/currencies/{r["symbol"]}/" class="cmc-link"><div class="sc-{c("names")}"><img class="coin-logo" src="/c.png" alt="{r["symbol"]} logo"/><div class="sc-{c("hide")}"><p color="text" class="sc-{c("ptext")} coin-item-name" x-f="name">{r["name"]}</p><div class="sc-{c("under")}"><p color="text3" class="sc-{c("ptext")} coin-item-symbol" x-f="symbol">{r["symbol"]}</p></div></div></div></a></div></td>'
            f'<td style="text-align:end"><div class="sc-{c("pricebox")}"><span x-f="price">{s.money(r["price"])}</span></div></td><td style="text-align:end"><span class="sc-{c("change")}"><span class="icon-Caret-{way}"></span>{r["_change"]}%</span></td><td style="text-align:end"><p class="sc-{c("ptext")}" style="white-space:nowrap"><span class="sc-{c("short")}" x-f="market_cap">${r["market_cap"]:,}</span></p></td><td style="text-align:end">{supply}</td></tr>'
        )

    head = "".join(
        f'<th style="text-align:end"><div class="sc-{c("thbox")}"><p>{t}</p></div></th>'
        for t in ("", "#", "Name", "Price", "24h %", "Market Cap", "Circulating Supply")
    )
    return f'<h1>Prices by market cap</h1><div class="sc-{c("wrap")}"><table class="cmc-table"><thead><tr>{head}</tr></thead><tbody>{"".join(map(one, records))}</tbody></table></div>'


def _menu_item(r: Random) -> Record:
    return {
        "section": "",
        "dish": f"{v.thing(r)} {r.choice(['soup', 'curry', 'pie'])}",
        "ingredients": v.maybe(r, ", ".join(v.words(r, r.randint(2, 4))), 0.8),
        "price": r.randint(4, 40) + r.choice([0, 0.5]),
        "spicy": r.random() < 0.3,
    }


def _menu(r: Random) -> Record:
    return {**_menu_item(r), "section": r.choice(["1 Starters", "2 Mains", "3 Sweets"])}


def _render_menu(records: Sequence[Record], s: Style) -> str:
    """The section stands above its dishes, in one list of them all."""

    def one(r: Record) -> str:
        extra = f'<span class="menu-desc" x-f="ingredients">{r["ingredients"]}</span>' if r["ingredients"] else ""
        hot = '<i class="hot" title="spicy">Spicy</i>' if r["spicy"] else ""
        return f'<div class="menu-item" x-r><div class="menu-line"><span class="menu-name" x-f="dish">{r["dish"]}</span>{hot}<span class="dots"></span><span class="menu-price" x-f="price">{s.money(r["price"])}</span></div>{extra}</div>'

    parts: list[str] = []
    for section, group in groupby(
        sorted(records, key=lambda r: r["section"], reverse=True), key=lambda r: r["section"]
    ):
        parts += [f'<h2 class="menu-head">{section}</h2>', *map(one, group)]
    return f'<div class="menu">{"".join(parts)}</div>'


def _notice(r: Random) -> Record:
    return {
        "title": f"{v.company(r)} ({r.choice(['winding-up', 'change of name', 'general meeting'])})",
        "number": f"{r.randint(10000, 99999)}",
        "published": v.day(r),
        "kind": r.choice(["Corporate insolvency", "Companies", "Personal insolvency"]),
        "town": v.maybe(r, v.city(r), 0.6),
    }


def _render_notices(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        town = f", <span class=town>{r['town']}</span>" if r["town"] else ""
        return f'<article class="feed-item" id="notice-{r["number"]}" x-r><div class="content"><h3 class="title"><a href="/notice/{r["number"]}" x-f="title">{e(r["title"])}</a></h3><dl class="metadata"><dt>Type:</dt><dd class="category" x-f="kind">{r["kind"]}</dd><dt>Notice ID:</dt><dd x-f="number">{r["number"]}</dd><dt>Published:</dt><dd><time datetime="{r["published"]}" x-f="published">{s.date(r["published"], "british")}</time>{town}</dd></dl><p class="summary">In the matter of the above. <a href="/n">Read</a></p></div></article>'

    return f'<h1>All notices</h1><div class="number-notices">{len(records)} notices</div><div id="results" class="feed">{"".join(map(one, records))}</div>'


def _lecture(r: Random) -> Record:
    return {
        "day": v.day(r, 2024, 2025),
        "topic": v.headline(r),
        "speaker": v.person(r),
        "slides": v.maybe(r, f"https://lectures-table.example/slides/{r.randint(1, 9999)}.pdf", 0.6),
        "reading": v.maybe(r, f"Chapters {r.randint(1, 9)} and {r.randint(10, 20)}", 0.7),
    }


def _render_lectures(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        slides = (
            f'<a href="{r["slides"][len("https://lectures-table.example") :]}" x-f="slides">[slides]</a>'
            if r["slides"]
            else ""
        )
        return f'<tr valign=top x-r><td>{n}<td nowrap x-f="day">{s.date(r["day"], "short")}<td><b x-f="topic">{e(r["topic"])}</b><br><i x-f="speaker">{r["speaker"]}</i><td>{slides}<td x-f="reading">{r["reading"] or "&nbsp;"}'

    head = "<tr><th>#<th>Date<th>Topic<th>Material<th>Reading"
    return f"<h2>Schedule (tentative)</h2><table border=1 cellpadding=4>{head}{''.join(one(n, r) for n, r in enumerate(records, 1))}</table>"


def _quake(r: Random) -> Record:
    return {
        "magnitude": r.randint(25, 79) / 10,
        "place": f"{r.randint(2, 300)} km {r.choice(['NE', 'SW', 'S'])} of {v.city(r)}",
        "time": f"{v.day(r)} {r.randint(0, 23):02}:{r.randint(0, 59):02}:{r.randint(0, 59):02}",
        "depth_km": r.randint(1, 600),
        "felt": v.maybe(r, r.randint(1, 900), 0.4),
    }


def _render_quakes(records: Sequence[Record], s: Style) -> str:
    """Elements of the site's own, as Angular writes them."""

    def one(n: int, r: Record) -> str:
        felt = (
            f'<div _ngcontent-ng-c{n % 3} class="felt"><span>{r["felt"]} felt reports</span></div>' if r["felt"] else ""
        )
        return f'<mat-list-item _ngcontent-ng-c12 role="listitem" class="mat-list-item ng-star-inserted" x-r><usgs-event-item _nghost-ng-c9><span class="list-callout ng-star-inserted" x-f="magnitude"> {r["magnitude"]} </span><div class="list-content"><h6 class="header" x-f="place">{r["place"]}</h6><div class="subheader"><span class="time" x-f="time">{r["time"]}</span><aside class="aside" x-f="depth_km">{r["depth_km"]} km</aside></div>{felt}</div></usgs-event-item><!----></mat-list-item>'

    return f'<usgs-list><div class="count">{len(records)} of {len(records)} earthquakes in map area.</div><mat-list role="list">{"".join(one(n, r) for n, r in enumerate(records))}</mat-list></usgs-list>'


def _repository(r: Random) -> Record:
    return {
        "name": f"{v.login(r)} / {v.words(r, 1)[0]}{r.randint(1, 99)}",
        "about": v.maybe(r, v.sentence(r), 0.8),
        "language": v.maybe(r, r.choice(["Rust", "Go", "Python", "Zig"]), 0.8),
        "stars": r.randint(1, 99999),
        "forks": r.randint(1, 9999),
        "stars_today": r.randint(1, 900),
    }


def _render_repositories(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        owner, name = r["name"].split(" / ")
        path = f"/{owner}/{name}"
        about = (
            f'<p class="col-9 color-fg-muted my-1 pr-4" x-f="about">\n      {e(r["about"])}\n    </p>'
            if r["about"]
            else ""
        )
        language = (
            f'<span class="d-inline-block ml-0 mr-3"><span class="repo-language-color"></span><span itemprop="programmingLanguage" x-f="language">{r["language"]}</span></span>'
            if r["language"]
            else ""
        )
        return f'<article class="Box-row" x-r><div class="float-right d-flex"><a class="btn btn-sm" href="/login">Star</a></div><h2 class="h3 lh-condensed"><a href="{path}" class="Link" x-f="name"><svg></svg><span class="text-normal">{owner} /</span>\n {name}</a></h2>{about}<div class="f6 color-fg-muted mt-2">{language}<a href="{path}/stargazers" class="Link Link--muted d-inline-block mr-3"><svg aria-label="star"></svg>\n {r["stars"]:,}</a><a href="{path}/forks" class="Link Link--muted d-inline-block mr-3"><svg aria-label="fork"></svg>\n {r["forks"]:,}</a><span class="d-inline-block float-sm-right"><svg></svg>\n {r["stars_today"]:,} stars today</span></div></article>'

    return f'<div class="Box"><div class="Box-header"><nav><a href="/trending">Repositories</a><a href="/trending/developers">Developers</a></nav></div><div>{"".join(map(one, records))}</div></div>'


def _obituary(r: Random) -> Record:
    born = r.randint(1920, 1960)
    return {
        "name": v.person(r),
        "born": born,
        "died": r.randint(2015, 2025),
        "town": v.city(r),
        "summary": v.text(r, 1, 2),
        "funeral_home": v.maybe(r, f"{v.person(r).split()[1]} & Sons", 0.6),
    }


def _render_obituaries(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        home = f"<small>Arrangements by {e(r['funeral_home'])}.</small>" if r["funeral_home"] else ""
        return f'<li class="obit media" x-r><img class="mr-3" src="/o.jpg" alt="{r["name"]}"><div class="media-body"><h5 class="mt-0" x-f="name">{r["name"]} ({r["born"]} – {r["died"]})</h5><p class="obit-text"><b x-f="town">{r["town"]}</b> – <span x-f="summary">{e(r["summary"])}</span></p>{home}</div></li>'

    ad = '<li class="obit-ad"><a href="/flowers">Send flowers</a></li>'
    rows = [one(r) + (ad if n % 6 == 2 else "") for n, r in enumerate(records)]
    return f'<ul class="list-unstyled">{"".join(rows)}</ul>'


def _bus(r: Random) -> Record:
    return {
        "stop": f"{v.thing(r)} {r.choice(['Road', 'Square', 'Bridge'])}",
        "first": f"0{r.randint(4, 6)}:{r.randint(10, 59)}",
        "last": f"2{r.randint(2, 3)}:{r.randint(10, 59)}",
        "minutes": r.randint(1, 90),
        "zone": r.choice(["A", "B", "C"]),
        "lift": r.random() < 0.5,
    }


def _render_bus(records: Sequence[Record], s: Style) -> str:
    """Bootstrap rows and columns, each with its label for small screens."""

    def cell(name: str, label: str, value: object) -> str:
        return f'<div class="col-6 col-md-2" data-label="{label}" x-f="{name}"><span class="d-md-none fw-bold">{label}</span> <span>{value}</span></div>'

    def one(r: Record) -> str:
        lift = (
            '<i class="bi bi-wheelchair" title="Step-free"></i><span class="visually-hidden">Step-free</span>'
            if r["lift"]
            else ""
        )
        return f'<div class="row border-bottom py-2" x-r>{cell("stop", "Stop", r["stop"])}{cell("first", "First", r["first"])}{cell("last", "Last", r["last"])}{cell("minutes", "Ride", str(r["minutes"]) + " min")}{cell("zone", "Zone", r["zone"])}<div class="col-6 col-md-2">{lift}</div></div>'

    head = "".join(
        f'<div class="col-md-2">{label}</div>' for label in ("Stop", "First", "Last", "Ride", "Zone", "Access")
    )
    return f'<h1>Line 12</h1><div class="container stops"><div class="row fw-bold d-none d-md-flex">{head}</div>{"".join(map(one, records))}</div>'


SECOND_LOOKS = [
    Design(
        "npm_search",
        schema_of(
            name="string",
            description="string?",
            keywords=["string"],
            publisher="string",
            version="string",
            published="date",
            dependents="integer",
            license="string?",
        ),
        _package,
        _render_packages,
        words={"dependents": "Abhängige"},
    ),
    Design(
        "auction_lots",
        schema_of(
            lot="integer",
            title="string",
            estimate_low="number",
            estimate_high="number",
            sold_for="number?",
            provenance="string?",
        ),
        _lot,
        _render_lots,
        words={"Sold for": "Zuschlag", "Est.": "Schätzwert"},
        evidence="title",
    ),
    Design(
        "coin_market",
        schema_of(
            rank="integer", name="string", symbol="string", price="number", market_cap="number", supply="number?"
        ),
        _coin,
        _render_coins,
        rows=30,
        words={"Price": "Preis"},
        evidence="name",
    ),
    Design(
        "restaurant_menu",
        schema_of(section="string", dish="string", ingredients="string?", price="number", spicy="boolean"),
        _menu,
        _render_menu,
        words={"Spicy": "Scharf"},
        evidence="dish",
        sorted_by="section",
    ),
    Design(
        "gazette_notices",
        schema_of(title="string", number="string", published="date", kind="string", town="string?"),
        _notice,
        _render_notices,
        rows=12,
        words={"Published:": "Vom:", "Type:": "Art:"},
        evidence="number",
    ),
    Design(
        "lectures_table",
        schema_of(day="date", topic="string", speaker="string", slides="uri?", reading="string?"),
        _lecture,
        _render_lectures,
        rows=16,
        words={"Date": "Tag", "Reading": "Lektüre"},
        evidence="topic",
    ),
    Design(
        "earthquakes_angular",
        schema_of(magnitude="number", place="string", time="string", depth_km="integer", felt="integer?"),
        _quake,
        _render_quakes,
        rows=24,
        words={"felt reports": "Meldungen"},
        evidence="time",
    ),
    Design(
        "github_trending",
        schema_of(
            name="string", about="string?", language="string?", stars="integer", forks="integer", stars_today="integer"
        ),
        _repository,
        _render_repositories,
        words={"stars today": "Sterne heute"},
        evidence="name",
    ),
    Design(
        "obituaries",
        schema_of(
            name="string", born="integer", died="integer", town="string", summary="string", funeral_home="string?"
        ),
        _obituary,
        _render_obituaries,
        rows=15,
        words={"Arrangements by": "Bestattung:"},
    ),
    Design(
        "bus_stops_grid",
        schema_of(stop="string", first="string", last="string", minutes="integer", zone="string", lift="boolean"),
        _bus,
        _render_bus,
        rows=18,
        words={"First": "Erste", "Last": "Letzte"},
    ),
]
