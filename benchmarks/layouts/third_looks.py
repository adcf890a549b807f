"""Lists written after the mending that storefronts, feeds and plain lists had led to."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _post(r: Random) -> Record:
    return {
        "author": v.person(r),
        "handle": f"@{v.login(r)}",
        "posted": f"{v.day(r)}T{r.randint(10, 23)}:{r.randint(10, 59)}:00.000Z",
        "text": v.text(r, 1, 2),
        "replies": r.randint(2, 90),
        "reposts": r.randint(2, 900),
        "verified": r.random() < 0.3,
        "_pinned": r.random() < 0.1,
    }


def _render_timeline(records: Sequence[Record], s: Style) -> str:
    def c(role: str) -> str:
        return f'class="css-{s.css(role)[-6:]} r-{s.css(role + "q")[-6:]}"'

    def one(n: int, r: Record) -> str:
        pinned = f'<div data-testid="socialContext" {c("pin")}>Pinned</div>' if r["_pinned"] else ""
        tick = (
            f'<svg aria-label="Verified account" role="img" data-testid="icon-verified" {c("tick")} x-f="verified"><g></g></svg>'
            if r["verified"]
            else ""
        )
        bar = "".join(
            f'<button aria-label="{r[name]} {word}" role="button" data-testid="{test}" {c("act")} x-f="{name}"><div {c("in")}><svg></svg><span data-testid="app-text-transition-container"><span {c("num")}>{r[name]}</span></span></div></button>'
            for name, word, test in (("replies", "Replies. Reply", "reply"), ("reposts", "reposts. Repost", "retweet"))
        )
        return f'<div data-testid="cellInnerDiv" style="transform: translateY({n * 300}px)"><article aria-labelledby="id__{n}" role="article" tabindex="0" {c("tweet")} data-testid="tweet" x-r>{pinned}<div {c("head")}><div data-testid="User-Name" id="id__{n}"><a href="/{r["handle"][1:]}" role="link"><span {c("name")} x-f="author"><span>{r["author"]}</span></span>{tick}</a><a href="/{r["handle"][1:]}" tabindex="-1"><span {c("handle")} x-f="handle">{r["handle"]}</span></a><span aria-hidden="true">·</span><a href="/x/status/{n}"><time datetime="{r["posted"]}" x-f="posted">{s.date(r["posted"], "short")}</time></a></div></div><div data-testid="tweetText" dir="auto" lang="en" {c("text")} x-f="text"><span>{e(r["text"])}</span></div><div role="group" {c("bar")}>{bar}</div></article></div>'

    return f'<section role="region"><h1>Timeline</h1><div aria-label="Timeline">{"".join(one(n, r) for n, r in enumerate(records))}</div></section>'


def _flight(r: Random) -> Record:
    return {
        "airline": v.company(r),
        "departs": f"{r.randint(1, 12)}:{r.randint(10, 59)} {r.choice(['AM', 'PM'])}",
        "arrives": f"{r.randint(1, 12)}:{r.randint(10, 59)} {r.choice(['AM', 'PM'])}",
        "stops": r.choice(["Nonstop", "1 stop", "2 stops"]),
        "price": r.randint(40, 2400),
        "co2_kg": v.maybe(r, r.randint(80, 900), 0.8),
    }


def _render_flight_offers(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        co2 = (
            f'<div class="{s.css("co")}" x-f="co2_kg"><div aria-label="Carbon emissions estimate: {r["co2_kg"]} kilograms" class="O7CXue"><div class="AdWm1c">{r["co2_kg"]} kg CO2e</div></div></div>'
            if r["co2_kg"]
            else ""
        )
        return f'<li class="pIav2d" x-r><div class="yR1fYc" jsaction="c{n}"><div class="gQ6yfe"><div class="{s.css("t")}"><span class="mv1WYe" role="text"><span aria-label="Departure time: {r["departs"]}." x-f="departs">{r["departs"]}</span> – <span aria-label="Arrival time: {r["arrives"]}." x-f="arrives">{r["arrives"]}</span></span></div><div class="sSHqwe"><span x-f="airline">{e(r["airline"])}</span></div></div><div class="BbR8Ec"><span class="ogfYpf" x-f="stops">{r["stops"]}</span></div>{co2}<div class="U3gSDe"><div class="BVAVmf"><span role="text" aria-label="{r["price"]} US dollars" x-f="price">${r["price"]:,}</span></div><div class="N872Rd">round trip</div></div></div></li>'

    return f'<h3>Best departing flights</h3><ul class="Rk10dc">{"".join(one(n, r) for n, r in enumerate(records))}</ul><button>Show more flights</button>'


def _film(r: Random) -> Record:
    return {
        "year": r.randint(1950, 2024),
        "title": f"{v.thing(r)} {r.randint(2, 99)}",
        "director": v.person(r),
        "minutes": r.randint(70, 210),
        "note": v.maybe(r, r.choice(["restored", "silent", "short cut", "lost ending"]), 0.4),
    }


def _render_filmography(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        note = f' <small x-f="note">{r["note"]}</small>' if r["note"] else ""
        return f'<li x-r>{r["year"]} – <i><a href="/wiki/{v.slug(r["title"])}" x-f="title">{r["title"]}</a></i>, dir. {r["director"]} ({r["minutes"]} min){note}</li>'

    return f"<h2>Filmography</h2><ul>{''.join(map(one, records))}</ul>"


def _dish(r: Random) -> Record:
    return {
        "dish": f"{v.thing(r)} {r.choice(['Soup', 'Pie', 'Stew', 'Salad'])}",
        "cook": v.person(r),
        "total_minutes": r.randint(10, 59),
        "rating": v.maybe(r, r.choice([3.5, 4, 4.5, 5]), 0.7),
        "diet": r.sample(["Vegan", "Nut free", "Low carb", "Halal"], r.randint(0, 3)),
        "url": f"https://dish-cards.example/recipes/{r.randint(1000, 99999)}/",
    }


def _render_dish_cards(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        stars = (
            f'<div class="stars" role="img" aria-label="Rated {r["rating"]:g} out of 5" x-f="rating">{"<svg class=star></svg>" * 5}</div>'
            if r["rating"]
            else ""
        )
        diet = "".join(f'<span class="chip chip--{v.slug(d)}">{d}</span>' for d in r["diet"])
        return f'<a class="recipe-card" href="{r["url"][len("https://dish-cards.example") :]}" x-r><img srcset="/i/{n}.webp 1x" alt=""><h3 class="recipe-card__title" x-f="dish">{r["dish"]}</h3>{stars}<p class="recipe-card__by">by <span x-f="cook">{r["cook"]}</span></p><ul class="recipe-card__facts"><li><svg aria-label="Time"></svg><span x-f="total_minutes">{r["total_minutes"]} min</span></li><li><svg aria-label="Serves"></svg><span>Serves {n % 6 + 1}</span></li></ul><div class="recipe-card__diet" x-f="diet">{diet}</div></a>'

    return f'<div class="recipe-grid">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


def _lot(r: Random) -> Record:
    return {
        "lot": r.randint(100, 9999),
        "title": v.product(r),
        "bid": v.amount(r, 5, 900),
        "bids": r.randint(2, 60),
        "left": f"{r.randint(1, 6)}d {r.randint(1, 23)}h",
        "buy_now": v.maybe(r, v.amount(r, 901, 2000), 0.4),
    }


def _render_lot_tables(records: Sequence[Record], s: Style) -> str:
    """A table in each cell."""

    def one(r: Record) -> str:
        now = (
            f'<tr><td class="lbl">Buy it now:</td><td x-f="buy_now"><b>{s.money(r["buy_now"])}</b></td></tr>'
            if r["buy_now"]
            else ""
        )
        return f'<tr x-r><td class="pic"><img src="/l/{r["lot"]}.jpg"></td><td><a href="/lot/{r["lot"]}" class="ttl" x-f="title">{e(r["title"])}</a><table class="inner"><tr><td class="lbl">Lot</td><td x-f="lot">{r["lot"]}</td></tr><tr><td class="lbl">Current bid:</td><td x-f="bid"><b>{s.money(r["bid"])}</b> <span x-f="bids">({r["bids"]} bids)</span></td></tr>{now}</table></td><td class="time" x-f="left">{r["left"]}</td></tr>'

    return f'<table class="lots" width="100%"><tr><th>Photo</th><th>Item</th><th>Time left</th></tr>{"".join(map(one, records))}</table>'


def _ad(r: Random) -> Record:
    return {
        "titel": v.product(r),
        "preis": r.randint(2, 900) * 5,
        "verhandelbar": r.random() < 0.5,
        "ort": f"{r.randint(10000, 99999)} {v.city(r)}",
        "datum": f"{r.randint(10, 28)}.{r.randint(10, 12)}.202{r.randint(2, 5)}",
        "versand": r.random() < 0.4,
    }


def _render_small_ads(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        amount = f"{r['preis']:,}".replace(",", ".")
        tag = '<span class="simpletag" x-f="versand">Versand möglich</span>' if r["versand"] else ""
        return f'<li class="ad-listitem"><article class="aditem" data-adid="{n}" x-r><div class="aditem-image"><a href="/s/{n}"><div class="imagebox srpimagebox"><img srcset="/a/{n}.jpg" alt=""></div></a></div><div class="aditem-main"><div class="aditem-main--top"><div class="aditem-main--top--left" x-f="ort"><i class="icon icon-small icon-pin"></i> {r["ort"]}</div><div class="aditem-main--top--right" x-f="datum"><i class="icon icon-small icon-calendar-open"></i> {r["datum"]}</div></div><div class="aditem-main--middle"><h2 class="text-module-begin"><a class="ellipsis" href="/s/{n}" x-f="titel">{e(r["titel"])}</a></h2><p class="aditem-main--middle--price-shipping"><span class="aditem-main--middle--price-shipping--price" x-f="preis">{amount} €{" VB" if r["verhandelbar"] else ""}</span></p></div><div class="aditem-main--bottom"><p class="text-module-end">{tag}</p></div></div></article></li>'

    rows = [
        one(n, r)
        + ('<li class="liberty-wrapper"><div id="srps-middle"><p>Anzeige</p></div></li>' if n in (3, 9) else "")
        for n, r in enumerate(records)
    ]
    return f'<ul id="srchrslt-adtable" class="itemlist ad-list">{"".join(rows)}</ul>'


def _zhaopin(r: Random) -> Record:
    return {
        "position": f"{r.choice(['高级', '初级', '资深'])}{r.choice(['工程师', '分析师', '设计师', '会计'])}{r.randint(2, 99)}",
        "salary": f"{r.randint(8, 19)}k-{r.randint(20, 45)}k",
        "company": f"{r.choice(['华', '东', '明', '云'])}{r.choice(['海', '星', '川', '山'])}{r.choice(['科技', '网络', '实业'])}{r.randint(2, 99)}",
        "area": r.choice(["上海", "北京", "深圳", "杭州", "成都"]),
        "experience": r.choice(["1-3年", "3-5年", "5-10年", "不限"]),
        "tags": r.sample(["五险一金", "年终奖", "带薪年假", "弹性工作", "餐补"], r.randint(1, 4)),
    }


def _render_zhaopin(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        tags = "".join(f"<li>{t}</li>" for t in r["tags"])
        return f'<div class="joblist-box__item clearfix" x-r><div class="joblist-box__iteminfo"><div class="jobinfo"><div class="jobinfo__top"><a href="/j/{n}" class="jobinfo__name" x-f="position">{r["position"]}</a><p class="jobinfo__salary" x-f="salary">{r["salary"]}</p></div><div class="jobinfo__other-info"><div class="jobinfo__other-info-item"><img src="/pin.png" alt=""><span x-f="area">{r["area"]}</span></div><div class="jobinfo__other-info-item" x-f="experience">{r["experience"]}</div></div></div><div class="companyinfo"><a href="/c/{n}" class="companyinfo__name" x-f="company">{r["company"]}</a></div></div><ul class="joblist-box__tags" x-f="tags">{tags}</ul></div>'

    return f'<div class="positionlist"><div class="joblist-box">{"".join(one(n, r) for n, r in enumerate(records))}</div></div>'


def _stall(r: Random) -> Record:
    return {
        "name": v.company(r),
        "hall": f"Hall {r.randint(1, 9)}",
        "stand": f"{r.choice('ABCD')}{r.randint(10, 99)}",
        "country": r.choice(["Spain", "Norway", "Japan", "Chile"]),
        "site": v.maybe(r, f"www.{v.slug(v.company(r))}{r.randint(1, 99)}.example", 0.7),
    }


def _render_stalls(records: Sequence[Record], s: Style) -> str:
    """Three to a row of a table, as grids were once built."""

    def one(r: Record) -> str:
        site = f'<br><a href="http://{r["site"]}" x-f="site">{r["site"]}</a>' if r["site"] else ""
        return f'<td width="33%" valign="top" x-r><strong x-f="name">{e(r["name"])}</strong><br>{r["hall"]}, Stand {r["stand"]}<br>{r["country"]}{site}</td>'

    cells = [*map(one, records)]
    rows = "".join(f"<tr>{''.join(cells[at : at + 3])}</tr>" for at in range(0, len(cells), 3))
    return f'<table class="exhibitors" cellpadding="8">{rows}</table>'


def _hit(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "url": f"https://{v.slug(v.company(r))}.example/{r.randint(100, 9999)}",
        "date": v.maybe(r, v.day(r), 0.6),
        "snippet": v.text(r, 1, 2),
    }


def _render_hits(records: Sequence[Record], s: Style) -> str:
    """A date before the snippet in some; a sponsored hit with its own label among them."""

    def one(r: Record) -> str:
        date = (
            f'<span class="{s.css("when")}"><span x-f="date">{s.date(r["date"], "short")}</span> — </span>'
            if r["date"]
            else ""
        )
        return f'<div class="g {s.css("hit")}" x-r><div class="yuRUbf"><a href="{r["url"]}" x-f="url"><h3 class="LC20lb" x-f="title">{e(r["title"])}</h3><cite>{r["url"].split("/")[2]}</cite></a></div><div class="VwiC3b">{date}<span x-f="snippet">{e(r["snippet"])}</span></div></div>'

    ad = f'<div class="g {s.css("hit")}"><div class="yuRUbf"><span>Sponsored</span><a href="https://ads.example/1"><h3 class="LC20lb">Buy lamps online</h3><cite>ads.example</cite></a></div><div class="VwiC3b"><span>Large choice, low prices.</span></div></div>'
    return (
        f'<div id="rso">{ad}{"".join(map(one, records))}</div><div role="navigation"><a href="?start=10">Next</a></div>'
    )


def _talk(r: Random) -> Record:
    return {
        "time": f"{r.randint(9, 18):02}:{r.choice(['00', '20', '40'])}",
        "talk": v.headline(r),
        "speakers": [v.person(r) for _ in range(r.randint(1, 3))],
        "room": f"Room {r.choice('ABCDEF')}",
        "level": r.choice(["Beginner", "Expert", "All"]),
    }


def _render_talks(records: Sequence[Record], s: Style) -> str:
    """Entries that fold out, each with lines of a label and a value."""

    def one(r: Record) -> str:
        speakers = "".join(f'<a class="u" href="/s/{v.slug(x)}">{x}</a>, ' for x in r["speakers"]).removesuffix(", ")
        return f'<details class="talk" open x-r><summary><span class="t" x-f="time">{r["time"]}</span> <span class="h" x-f="talk">{e(r["talk"])}</span></summary><p><b>Speakers:</b> <span x-f="speakers">{speakers}</span></p><p><b>Room:</b> {r["room"]}</p><p><b>Level:</b> {r["level"]}</p></details>'

    return f'<h2>Programme</h2><div class="talks">{"".join(map(one, records))}</div>'


THIRD_LOOKS = [
    Design("timeline_hashed", schema_of(author="string", handle="string", posted="date-time", text="string", replies="integer", reposts="integer", verified="boolean"), _post, _render_timeline, evidence="text"),
    Design("flight_offers", schema_of(airline="string", departs="string", arrives="string", stops="string", price="integer", co2_kg="integer?"), _flight, _render_flight_offers),
    Design("filmography", schema_of(year="integer", title="string", director="string", minutes="integer", note="string?"), _film, _render_filmography, evidence="title"),
    Design("dish_cards", schema_of(dish="string", cook="string", total_minutes="integer", rating="number?", diet=["string"], url="uri"), _dish, _render_dish_cards),
    Design("lot_tables", schema_of(lot="integer", title="string", bid="number", bids="integer", left="string", buy_now="number?"), _lot, _render_lot_tables, evidence="title"),
    Design("small_ads", schema_of(titel="string", preis="integer", verhandelbar="boolean", ort="string", datum="string", versand="boolean"), _ad, _render_small_ads),
    Design("zhaopin", schema_of(position="string", salary="string", company="string", area="string", experience="string", tags=["string"]), _zhaopin, _render_zhaopin),
    Design("exhibitors_grid", schema_of(name="string", hall="string", stand="string", country="string", site="string?"), _stall, _render_stalls),
    Design("search_results", schema_of(title="string", url="uri", date="date?", snippet="string"), _hit, _render_hits),
    Design("folded_talks", schema_of(time="string", talk="string", speakers=["string"], room="string", level="string"), _talk, _render_talks, evidence="talk"),
]  # fmt: skip
