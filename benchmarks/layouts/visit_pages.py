"""Pages about one dish, house, hotel, ship and share: what people look at before they cook, move, travel or buy."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _blog_dish(r: Random) -> Record:
    prep, cook = r.randint(1, 11) * 5, v.maybe(r, r.randint(2, 18) * 5, 0.8)
    return {
        "name": f"{v.thing(r)} {r.choice(['Stew', 'Pie', 'Salad', 'Bake'])}",
        "author": v.person(r),
        "prep_minutes": prep,
        "cook_minutes": cook,
        "total_minutes": prep + (cook or 0),
        "servings": r.randint(2, 12),
        "course": r.choice(["Main Course", "Side Dish", "Dessert"]),
        "cuisine": v.maybe(r, r.choice(["Italian", "Lebanese", "Thai"]), 0.7),
        "calories": v.maybe(r, r.randint(80, 900), 0.6),
        "rating": v.maybe(r, r.randint(30, 50) / 10, 0.8),
        "votes": None,
        "ingredients": [
            f"{r.randint(1, 9)} {r.choice(['cups', 'tbsp', 'cloves', 'oz'])} {one}"
            for one in v.words(r, r.randint(3, 8))
        ],
        "steps": [v.sentence(r) for _ in range(r.randint(2, 6))],
        "published": v.day(r),
        "_intro": [v.text(r, 2, 5) for _ in range(4)],
        "_votes": r.randint(2, 900),
        "_comments": [(v.person(r), v.sentence(r), v.day(r)) for _ in range(r.randint(0, 4))],
    }


def _blog_dish_draw(r: Random) -> Record:
    made = _blog_dish(r)
    return {**made, "votes": made["_votes"] if made["rating"] is not None else None}


def _time(name: str, role: str, label: str, minutes: int | None) -> str:
    if minutes is None:
        return ""
    hours, rest = divmod(minutes, 60) if minutes > 90 else (0, minutes)
    parts = [(hours, "hour"), (rest, "min")]
    said = " ".join(
        f'<span class="wprm-recipe-details wprm-recipe-{role}_time-{unit}s">{number}</span> '
        f'<span class="wprm-recipe-details-unit">{unit}{"s" if number > 1 else ""}</span>'
        for number, unit in parts
        if number
    )
    return (
        f'<div class="wprm-recipe-{role}-time-container" x-f="{name}"><span class="wprm-recipe-details-label '
        f'wprm-recipe-{role}-time-label">{label} </span><span class="wprm-recipe-time">{said}</span></div>'
    )


def _blog_dish_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    intro = "".join(f"<p>{one}</p>" for one in r["_intro"])
    stars = (
        f'<div class="wprm-recipe-rating"><div class="wprm-recipe-rating-details"><span class="wprm-recipe-rating-average" x-f="rating">{r["rating"]}</span> from <span class="wprm-recipe-rating-count" x-f="votes">{r["votes"]}</span> votes</div></div>'
        if r["rating"] is not None
        else ""
    )
    tags = "".join(
        f'<div class="wprm-recipe-tag-container wprm-recipe-{name}-container" x-f="{name}"><span class="wprm-recipe-details-label wprm-recipe-tag-label">{name.title()}: </span><span class="wprm-recipe-{name}">{r[name]}</span></div>'
        for name in ("course", "cuisine")
        if r[name]
    )
    serves = f'<div class="wprm-recipe-servings-container" x-f="servings"><span class="wprm-recipe-details-label">Servings: </span><span class="wprm-recipe-servings">{r["servings"]}</span> <span class="wprm-recipe-servings-unit">people</span></div>'
    energy = (
        f'<div class="wprm-recipe-calories-container" x-f="calories"><span class="wprm-recipe-details-label">Calories: </span><span class="wprm-recipe-calories">{r["calories"]}</span><span class="wprm-recipe-calories-unit">kcal</span></div>'
        if r["calories"]
        else ""
    )
    needs = "".join(
        f'<li class="wprm-recipe-ingredient"><span class="wprm-recipe-ingredient-amount">{one.split(" ")[0]}</span> <span class="wprm-recipe-ingredient-unit">{one.split(" ")[1]}</span> <span class="wprm-recipe-ingredient-name">{one.split(" ", 2)[2]}</span></li>'
        for one in r["ingredients"]
    )
    steps = "".join(
        f'<li class="wprm-recipe-instruction"><div class="wprm-recipe-instruction-text">{one}</div></li>'
        for one in r["steps"]
    )
    said = "".join(
        f'<li class="comment"><div class="comment-author"><b class="fn">{who}</b> <span class="says">says:</span></div><div class="comment-metadata"><a href="#c"><time>{s.date(day)}</time></a></div><div class="comment-content"><p>{text}</p></div></li>'
        for who, text, day in r["_comments"]
    )
    card = f'<div id="recipe" class="wprm-recipe-container"><div class="wprm-recipe wprm-recipe-template-chic"><h2 class="wprm-recipe-name wprm-block-text-bold">{r["name"]}</h2>{stars}<div class="wprm-recipe-meta-container">{_time("prep_minutes", "prep", "Prep Time", r["prep_minutes"])}{_time("cook_minutes", "cook", "Cook Time", r["cook_minutes"])}{_time("total_minutes", "total", "Total Time", r["total_minutes"])}</div>{tags}{serves}{energy}<div class="wprm-recipe-ingredients-container"><h3 class="wprm-recipe-header">Ingredients</h3><ul class="wprm-recipe-ingredients" x-f="ingredients">{needs}</ul></div><div class="wprm-recipe-instructions-container"><h3 class="wprm-recipe-header">Instructions</h3><ol class="wprm-recipe-instructions" x-f="steps">{steps}</ol></div></div></div>'
    return f'<article class="post type-post"><header class="entry-header"><h1 class="entry-title" x-f="name">{r["name"]}</h1><p class="entry-meta">Published: <time class="entry-time" x-f="published">{s.date(r["published"], "short")}</time> by <span class="entry-author"><a class="entry-author-link" href="/a"><span class="entry-author-name" x-f="author">{r["author"]}</span></a></span></p></header><div class="entry-content"><p><a href="#recipe" class="wprm-jump-to-recipe">Jump to Recipe</a></p>{intro}{card}</div><section class="comments"><h3>Comments</h3><ol class="comment-list">{said}</ol></section></article>'


def _house(r: Random) -> Record:
    return {
        "address": f"{v.city(r)} Road, {v.city(r)}, {r.choice('ABDEGHLMN')}{r.randint(1, 30)}",
        "price": r.randint(90, 1900) * 1000,
        "qualifier": v.maybe(r, r.choice(["Guide Price", "Offers Over", "Offers in Region of"]), 0.5),
        "added_on": v.day(r),
        "property_type": r.choice(["Semi-Detached", "Terraced", "Flat", "Bungalow"]),
        "bedrooms": r.randint(1, 6),
        "bathrooms": v.maybe(r, r.randint(1, 4), 0.8),
        "size_sq_ft": v.maybe(r, r.randint(400, 4000), 0.6),
        "tenure": r.choice(["Freehold", "Leasehold"]),
        "council_tax_band": v.maybe(r, r.choice("ABCDEFG"), 0.8),
        "key_features": [f"{v.thing(r)} included" for _ in range(r.randint(2, 6))],
        "description": v.text(r, 3, 6),
        "agent": f"{v.company(r)}, {v.city(r)}",
        "_near": [(f"{v.city(r)} Station", r.randint(1, 30) / 10) for _ in range(3)],
        "_like": [(r.randint(90, 1900) * 1000, r.randint(1, 6), v.city(r)) for _ in range(2)],
    }


def _house_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css

    def pounds(amount: float) -> str:
        return f"£{amount:,.0f}" if s.currency == "USD" else s.round(amount)

    said = f'<div class="{c("qualifier")}" x-f="qualifier">{r["qualifier"]}</div>' if r["qualifier"] else ""
    size = f"{r['size_sq_ft']:,} sq ft" if r["size_sq_ft"] else ""
    facts = "".join(
        f'<div class="{c("fact-item")}" x-f="{name}"><dt class="{c("fact-head")}"><span class="{c("fact-title")}">{label}</span></dt><dd class="{c("fact-value")}"><span class="{c("fact-icon")}"></span><p class="{c("fact-text")}">{value}</p></dd></div>'
        for name, label, value in [
            ("property_type", "PROPERTY TYPE", r["property_type"]),
            ("bedrooms", "BEDROOMS", r["bedrooms"]),
            ("bathrooms", "BATHROOMS", r["bathrooms"]),
            ("size_sq_ft", "SIZE", size),
            ("tenure", "TENURE", r["tenure"]),
        ]
        if value
    )
    band = (
        f'<li x-f="council_tax_band"><span>COUNCIL TAX</span> <span>Band: {r["council_tax_band"]}</span></li>'
        if r["council_tax_band"]
        else ""
    )
    points = "".join(f"<li class='{c('point')}'>{one}</li>" for one in r["key_features"])
    near = "".join(f"<li><span>{name}</span> <span>{far} miles</span></li>" for name, far in r["_near"])
    like = "".join(
        f'<a class="{c("like-card")}" href="/p"><div class="{c("like-price")}">{pounds(price)}</div><div>{beds} bedroom house in {city}</div></a>'
        for price, beds, city in r["_like"]
    )
    return f'<div class="{c("page")}"><div class="{c("head-box")}"><h1 class="{c("address")}" itemprop="streetAddress" x-f="address">{r["address"]}</h1></div><article class="{c("price-box")}"><div class="{c("price-line")}"><span x-f="price">{pounds(r["price"])}</span> {said}</div><div class="{c("added")}" x-f="added_on">Added on {s.date(r["added_on"], "british")}</div></article><article data-testid="info-reel"><dl class="{c("facts")}">{facts}</dl></article><article class="{c("features")}"><h2 class="{c("title")}">Key features</h2><ul class="{c("points")}" x-f="key_features">{points}</ul></article><article class="{c("about")}"><h2 class="{c("title")}">Description</h2><div class="{c("about-text")}" x-f="description">{r["description"]}</div></article><ul class="{c("costs")}">{band}</ul><h2>Nearest stations</h2><ul class="{c("stations")}">{near}</ul><aside class="{c("agent-box")}"><h3>About the agent</h3><a href="/agent" class="{c("agent-name")}" x-f="agent">{e(r["agent"])}</a><button>Request details</button></aside><h2>Similar properties</h2><div class="{c("likes")}">{like}</div></div>'


def _stay(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} {r.choice(['Hotel', 'Inn', 'Suites'])}",
        "address": f"{r.randint(1, 99)} {v.city(r)} Street, {r.randint(10000, 99999)} {v.city(r)}",
        "score": v.maybe(r, r.randint(60, 99) / 10, 0.85),
        "reviews": None,
        "check_in": f"{r.randint(13, 16)}:00",
        "check_out": f"{r.randint(9, 12)}:00",
        "pets_allowed": r.random() < 0.5,
        "facilities": r.sample(["Free WiFi", "Parking", "Spa", "Restaurant", "Bar", "Pool"], r.randint(2, 5)),
        "description": v.text(r, 3, 6),
        "from_price": r.randint(40, 400),
        "phone": v.maybe(
            r, f"+47 {r.randint(20, 99)} {r.randint(10, 99)} {r.randint(10, 99)} {r.randint(10, 99)}", 0.5
        ),
        "_count": r.randint(3, 4000),
        "_quotes": [(v.person(r), v.sentence(r)) for _ in range(3)],
    }


def _stay_draw(r: Random) -> Record:
    made = _stay(r)
    return {**made, "reviews": made["_count"] if made["score"] is not None else None}


def _stay_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    word = "Wonderful" if (r["score"] or 0) >= 9 else "Very good" if (r["score"] or 0) >= 8 else "Good"
    score = (
        f'<div data-testid="review-score"><div class="bui-score__badge" x-f="score">{r["score"]}</div><div class="bui-score__content"><span class="bui-score__title">{word}</span><span class="bui-score__text" x-f="reviews">{r["reviews"]:,} reviews</span></div></div>'
        if r["score"] is not None
        else '<div class="hp-new">New to our site</div>'
    )
    what = "".join(f'<li class="hp-facility"><span>{one}</span></li>' for one in r["facilities"])
    pets = "Pets are allowed on request." if r["pets_allowed"] else "Pets are not allowed."
    phone = f'<p class="hp-phone">Phone: <a href="tel:1" x-f="phone">{r["phone"]}</a></p>' if r["phone"] else ""
    said = "".join(f"<li><q>{text}</q><cite>{who}</cite></li>" for who, text in r["_quotes"])
    rules = "".join(
        f'<div class="policy-row" x-f="{name}"><div class="policy-head"><span class="policy-title">{label}</span></div><div class="policy-text"><p>{text}</p></div></div>'
        for name, label, text in [
            ("check_in", "Check-in", f"From {r['check_in']}"),
            ("check_out", "Check-out", f"Until {r['check_out']}"),
            ("cancel", "Cancellation", "Policies vary by room type."),
            ("pets_allowed", "Pets", pets),
            ("cards", "Cards accepted", "Visa, Mastercard"),
        ]
    )
    return f'<div class="hp-head"><h2 class="pp-header__title" x-f="name">{r["name"]}</h2><p class="address"><span class="hp_address_subtitle" x-f="address">{r["address"]}</span> – <a href="#map">Great location - show map</a></p>{score}</div><div class="hp-price">From <b x-f="from_price">{s.round(r["from_price"])}</b> per night</div><div id="property_description_content"><p x-f="description">{r["description"]}</p></div><div class="hp-facilities"><h3>Most popular facilities</h3><ul x-f="facilities">{what}</ul></div>{phone}<section class="policies"><h2>House rules</h2>{rules}</section><section class="quotes"><h2>Guests who stayed here loved</h2><ul>{said}</ul></section>'


def _vessel(r: Random) -> Record:
    return {
        "name": f"{v.thing(r).upper()}",
        "ship_type": r.choice(["Bulk Carrier", "Container Ship", "Crude Oil Tanker"]),
        "flag": r.choice(["Panama", "Liberia", "Norway"]),
        "imo": str(r.randint(9000000, 9999999)),
        "mmsi": str(r.randint(200000000, 700000000)),
        "call_sign": v.maybe(r, f"{r.choice('ABCDEH')}{r.randint(10, 99)}{r.choice('KLMX')}", 0.7),
        "built": v.maybe(r, r.randint(1975, 2024), 0.8),
        "length_m": r.randint(60, 400),
        "beam_m": r.randint(10, 60),
        "gross_tonnage": r.randint(2000, 200000),
        "deadweight_t": v.maybe(r, r.randint(2000, 300000), 0.7),
        "destination": v.maybe(r, v.city(r), 0.8),
        "speed_kn": v.maybe(r, r.randint(1, 220) / 10, 0.8),
        "_calls": [(v.city(r), v.day(r, 2025, 2025)) for _ in range(3)],
    }


def _vessel_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]

    def rows(kind: str, pairs: list[tuple[str, str, object]]) -> str:
        cells = "".join(
            f'<tr x-f="{name}"><td class="n3">{label}</td><td class="v3">{"-" if value is None else value}</td></tr>'
            for name, label, value in pairs
        )
        return f'<table class="{kind}"><tbody>{cells}</tbody></table>'

    speed = None if r["speed_kn"] is None else f"{r['speed_kn']} kn"
    sailing = rows(
        "aparams",
        [
            ("destination", "Destination", r["destination"]),
            ("speed_kn", "Speed", speed),
            ("_status", "Navigation Status", "Under way"),
            ("_callsign", "IMO / MMSI", f"{r['imo']} / {r['mmsi']}"),
        ],
    )
    whole = rows(
        "tpt1",
        [
            ("imo", "IMO number", r["imo"]),
            ("name_", "Vessel Name", r["name"]),
            ("ship_type", "Ship type", r["ship_type"]),
            ("flag", "Flag", r["flag"]),
            ("mmsi", "MMSI", r["mmsi"]),
            ("call_sign", "Callsign", r["call_sign"]),
            ("built", "Year of Build", r["built"]),
        ],
    )
    sizes = rows(
        "tpt2",
        [
            ("length_m", "Length Overall (m)", r["length_m"]),
            ("beam_m", "Beam (m)", r["beam_m"]),
            ("gross_tonnage", "Gross Tonnage", r["gross_tonnage"]),
            ("deadweight_t", "Deadweight (t)", r["deadweight_t"]),
        ],
    )
    calls = "".join(
        f"<div class='pc'><a href='/port'>{city}</a> <span>{s.date(day, 'short')}</span></div>"
        for city, day in r["_calls"]
    )
    return f'<section class="ship-section"><div class="title-row"><h1 class="title" x-f="name">{r["name"]}</h1><h2 class="vst">{r["ship_type"]}, IMO {r["imo"]}</h2></div><p class="text2">The vessel <b>{r["name"]}</b> is a {r["ship_type"]} sailing under the flag of <b>{r["flag"]}</b>.</p><h3>Voyage Data</h3>{sailing}<h3>Vessel Particulars</h3><div class="s0">{whole}{sizes}</div><h3>Recent Port Calls</h3><div class="pcs">{calls}</div></section>'


def _share(r: Random) -> Record:
    low, high = sorted([v.amount(r), v.amount(r)])
    return {
        "company": v.company(r),
        "symbol": "".join(r.choice("ABCDEFGHKLMNPRSTVX") for _ in range(r.randint(3, 4))),
        "price": v.amount(r),
        "change": round(r.uniform(0.1, 9), 2),
        "change_percent": round(r.uniform(0.1, 5), 2),
        "previous_close": v.amount(r),
        "open": v.amount(r),
        "day_low": low,
        "day_high": high,
        "volume": r.randint(10_000, 90_000_000),
        "market_cap": v.maybe(r, f"{r.randint(100, 900) / 100}{r.choice('BTM')}", 0.9),
        "pe_ratio": v.maybe(r, r.randint(300, 9000) / 100, 0.7),
        "dividend_yield": v.maybe(r, r.randint(10, 600) / 100, 0.5),
        "earnings_date": v.maybe(r, v.day(r, 2025, 2026), 0.7),
        "_also": [("".join(r.choice("ABCDEFG") for _ in range(3)), v.amount(r)) for _ in range(4)],
    }


def _share_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css
    facts = "".join(
        f'<li class="{c("stat")}" x-f="{name}"><span class="{c("stat-label")}" title="{label}">{label}</span> <span class="{c("stat-value")}">{value}</span></li>'
        for name, label, value in [
            ("previous_close", "Previous Close", r["previous_close"]),
            ("open", "Open", r["open"]),
            ("range", "Day's Range", f"{r['day_low']} - {r['day_high']}"),
            ("volume", "Volume", f"{r['volume']:,}"),
            ("market_cap", "Market Cap (intraday)", r["market_cap"] or "--"),
            ("pe_ratio", "PE Ratio (TTM)", r["pe_ratio"] or "--"),
            ("earnings_date", "Earnings Date", s.date(r["earnings_date"], "short") or "--"),
            (
                "dividend_yield",
                "Forward Dividend & Yield".replace("&", "&amp;"),
                f"{r['dividend_yield']}%" if r["dividend_yield"] else "--",
            ),
        ]
    )
    also = "".join(
        f'<li class="{c("peer")}"><a href="/q">{name}</a> <span>{price}</span></li>' for name, price in r["_also"]
    )
    return f'<section class="{c("top")}"><h1 class="{c("title")}"><span x-f="company">{e(r["company"])}</span> (<span x-f="symbol">{r["symbol"]}</span>)</h1><div class="{c("prices")}"><span class="{c("price")}" data-testid="qsp-price" x-f="price">{r["price"]}</span> <span data-testid="qsp-price-change" x-f="change">+{r["change"]}</span> <span data-testid="qsp-price-change-percent" x-f="change_percent">(+{r["change_percent"]}%)</span></div><div>At close: 4:00 PM EDT</div></section><div data-testid="quote-statistics"><ul class="{c("stats")}">{facts}</ul></div><section class="{c("also")}"><h3>People Also Watch</h3><ul>{also}</ul></section>'


VISIT_PAGES = [
    Design(
        "blog_recipe",
        schema_of(
            name="string",
            author="string",
            prep_minutes="integer",
            cook_minutes="integer?",
            servings="integer",
            course="string",
            cuisine="string?",
            calories="integer?",
            rating="number?",
            votes="integer?",
            ingredients=["string"],
            steps=["string"],
            published="date",
        ),
        _blog_dish_draw,
        _blog_dish_page,
        is_list=False,
        words={"Servings:": "Portionen:", "Prep Time": "Vorbereitung", "Course:": "Gang:"},
    ),
    Design(
        "house_for_sale",
        schema_of(
            address="string",
            price="integer",
            qualifier="string?",
            added_on="date",
            property_type="string",
            bedrooms="integer",
            bathrooms="integer?",
            size_sq_ft="integer?",
            tenure="string",
            council_tax_band="string?",
            key_features=["string"],
            description="string",
            agent="string",
        ),
        _house,
        _house_page,
        is_list=False,
        words={"BEDROOMS": "ZIMMER", "TENURE": "EIGENTUM", "Band:": "Stufe:"},
    ),
    Design(
        "hotel_rules",
        schema_of(
            name="string",
            address="string",
            score="number?",
            reviews="integer?",
            check_in="string",
            check_out="string",
            pets_allowed="boolean",
            facilities=["string"],
            description="string",
            from_price="number",
            phone="string?",
        ),
        _stay_draw,
        _stay_page,
        is_list=False,
        words={"Check-in": "Anreise", "Check-out": "Abreise", "reviews": "Bewertungen"},
    ),
    Design(
        "ship_particulars",
        schema_of(
            name="string",
            ship_type="string",
            flag="string",
            imo="string",
            mmsi="string",
            call_sign="string?",
            built="integer?",
            length_m="integer",
            beam_m="integer",
            gross_tonnage="integer",
            deadweight_t="integer?",
            destination="string?",
            speed_kn="number?",
        ),
        _vessel,
        _vessel_page,
        is_list=False,
        words={"Flag": "Flagge", "Year of Build": "Baujahr"},
    ),
    Design(
        "share_quote",
        schema_of(
            company="string",
            symbol="string",
            price="number",
            change="number",
            change_percent="number",
            previous_close="number",
            open="number",
            day_low="number",
            day_high="number",
            volume="integer",
            market_cap="string?",
            pe_ratio="number?",
            earnings_date="date?",
            dividend_yield="number?",
        ),
        _share,
        _share_page,
        is_list=False,
        words={"Open": "Eröffnung", "Volume": "Umsatz"},
    ),
]
