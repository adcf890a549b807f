"""Markets: collections of a shop, rooms, homes, games; discounts and badges that come and go."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _collection(r: Random) -> Record:
    price = v.amount(r, 9, 400)
    title = v.product(r)
    return {
        "title": title,
        "url": f"https://shopify-collection.example/products/{v.slug(title)}",
        "vendor": v.company(r),
        "price": price,
        "compare_at": v.maybe(r, round(price * 1.4, 2), 0.3),
        "sold_out": r.random() < 0.2,
        "_lazy": r.random() < 0.5,
    }


def _render_collection(records: Sequence[Record], s: Style) -> str:
    def money(amount: float) -> str:
        return f"{s.money(amount)} {s.currency}"

    def one(n: int, r: Record) -> str:
        sale = r["compare_at"] is not None
        badge = "Sold out" if r["sold_out"] else "Sale" if sale else ""
        badge = (
            f'<span id="NoMedia-{n}" class="badge badge--bottom-left" x-f="sold_out">{badge}</span>' if badge else ""
        )
        old = (
            f'<div class="price__sale"><span class="visually-hidden visually-hidden--inline">Regular price</span><span><s class="price-item price-item--regular" x-f="compare_at">\n          {money(r["compare_at"])}\n        </s></span><span class="visually-hidden visually-hidden--inline">Sale price</span><span class="price-item price-item--sale price-item--last" x-f="price">\n        {money(r["price"])}\n      </span></div>'
            if sale
            else f'<div class="price__regular"><span class="visually-hidden visually-hidden--inline">Regular price</span><span class="price-item price-item--regular" x-f="price">\n        {money(r["price"])}\n      </span></div>'
        )
        path = r["url"][len("https://shopify-collection.example") :]
        lazy = ' loading="lazy"' if r["_lazy"] else ""
        return (
            f'<li class="grid__item scroll-trigger animate--slide-in" data-cascade style="--animation-order: {n};" x-r>\n<div class="card-wrapper product-card-wrapper underline-links-hover">\n<div class="card card--standard card--media"><div class="card__inner ratio"><div class="card__media"><div class="media media--transparent"><img srcset="/i/{n}_165.jpg 165w" src="/i/{n}.jpg" alt="{e(r["title"])}"{lazy} width="900"></div></div></div>'
            f'<div class="card__content"><div class="card__information"><h3 class="card__heading h5" id="title-{n}"><a href="{path}" id="CardLink-{n}" class="full-unstyled-link" aria-labelledby="CardLink-{n} Badge-{n}" x-f="title">\n              {e(r["title"])}\n            </a></h3><div class="card-information"><div class="caption-with-letter-spacing light" x-f="vendor">{e(r["vendor"])}</div><span class="caption-large light"></span>'
            f'<div class="price {"price--on-sale" if sale else ""}{" price--sold-out" if r["sold_out"] else ""}"><div class="price__container">{old}<small class="unit-price caption hidden"><span class="visually-hidden">Unit price</span></small></div></div></div></div><div class="card__badge bottom left">{badge}</div></div></div></div></li>'
        )

    promo = '<li class="grid__item grid__item--promo"><div class="promo"><h3>Free shipping over $75</h3><a href="/pages/shipping">Learn more</a></div></li>'
    rows = [one(n, r) + (promo if n == 4 else "") for n, r in enumerate(records, 1)]
    return f'<div class="collection-hero"><h1>Collection: All goods</h1></div><div class="facets-container"><p>Filter: Availability Price</p><select><option>Featured</option><option>Best selling</option></select></div><div id="product-grid"><ul class="grid product-grid grid--2-col-tablet-down">{"".join(rows)}</ul></div>'


def _magento(r: Random) -> Record:
    price = v.amount(r, 15, 90)
    return {
        "name": f"{v.thing(r)} {r.choice(['Hoodie', 'Jacket', 'Tee', 'Pant', 'Tank'])} {r.randint(1, 60)}",
        "price": price,
        "old_price": v.maybe(r, round(price * 1.25, 2), 0.35),
        "rating_percent": v.maybe(r, r.randint(2, 10) * 10, 0.6),
        "reviews": r.randint(1, 12),
        "colors": r.sample(["Black", "Blue", "Gray", "Orange", "White", "Green"], r.randint(0, 3)),
        "in_stock": r.random() < 0.85,
    }


def _magento_record(r: Random) -> Record:
    made = _magento(r)
    return {**made, "reviews": None if made["rating_percent"] is None else made["reviews"]}


def _render_magento(records: Sequence[Record], s: Style) -> str:
    def price(n: int, amount: float, kind: str) -> str:
        return f'<span id="{kind}-{n}" data-price-amount="{amount:g}" data-price-type="{kind}" class="price-wrapper "><span class="price">{s.money(amount)}</span></span>'

    def one(n: int, r: Record) -> str:
        path = f"/{v.slug(r['name'])}.html"
        rating = (
            f'<div class="product-reviews-summary short"><div class="rating-summary"><span class="label"><span>Rating:</span></span><div class="rating-result" title="{r["rating_percent"]}%" x-f="rating_percent"><span style="width:{r["rating_percent"]}%"><span>{r["rating_percent"]}%</span></span></div></div><div class="reviews-actions"><a class="action view" href="{path}#reviews" x-f="reviews">{r["reviews"]}&nbsp;<span>Review{"s" if r["reviews"] > 1 else ""}</span></a></div></div>'
            if r["rating_percent"]
            else ""
        )
        cost = (
            f'<span class="special-price" x-f="price"><span class="price-container price-final_price"><span class="price-label">Special Price</span>{price(n, r["price"], "finalPrice")}</span></span><span class="old-price" x-f="old_price"><span class="price-container price-final_price"><span class="price-label">Regular Price</span>{price(n, r["old_price"], "oldPrice")}</span></span>'
            if r["old_price"]
            else f'<span class="price-container price-final_price" x-f="price">{price(n, r["price"], "finalPrice")}</span>'
        )
        swatches = "".join(
            f'<div class="swatch-option color" aria-label="{c}" data-option-label="{c}" style="background: {c.lower()}">{c}</div>'
            for c in r["colors"]
        )
        swatches = (
            f'<div class="swatch-attribute color"><div class="swatch-attribute-options clearfix" x-f="colors">{swatches}</div></div>'
            if swatches
            else ""
        )
        action = (
            '<button type="submit" title="Add to Cart" class="action tocart primary"><span>Add to Cart</span></button>'
            if r["in_stock"]
            else '<div class="stock unavailable"><span>Out of stock</span></div>'
        )
        return (
            f'<li class="item product product-item" x-r><div class="product-item-info" data-container="product-grid"><a href="{path}" class="product photo product-item-photo" tabindex="-1"><span class="product-image-container"><img class="product-image-photo" src="/media/{n}.jpg" alt="{r["name"]}"/></span></a><div class="product details product-item-details"><strong class="product name product-item-name"><a class="product-item-link" href="{path}" x-f="name">\n {r["name"]}  </a></strong>'
            f'{rating}<div class="price-box price-final_price" data-role="priceBox" data-product-id="{n}">{cost}</div>{swatches}<div class="product-item-inner"><div class="product actions product-item-actions"><div class="actions-primary" x-f="in_stock">{action}</div><div data-role="add-to-links" class="actions-secondary"><a href="#" class="action towishlist" title="Add to Wish List"><span>Add to Wish List</span></a><a href="#" class="action tocompare" title="Add to Compare"><span>Add to Compare</span></a></div></div></div></div></div></li>'
        )

    bar = f'<div class="toolbar toolbar-products"><p class="toolbar-amount">Items <span class="toolbar-number">1</span>-<span class="toolbar-number">{len(records)}</span> of <span class="toolbar-number">{len(records)}</span></p></div>'
    return f'{bar}<div class="products wrapper grid products-grid"><ol class="products list items product-items">{"".join(one(n, r) for n, r in enumerate(records, 1))}</ol></div>'


def _rental(r: Random) -> Record:
    return {
        "name": f"{r.choice(['Loft', 'Cabin', 'Home', 'Room', 'Tiny home'])} in {v.city(r)}",
        "tagline": v.thing(r),
        "beds": r.randint(1, 6),
        "dates": f"{r.choice(['Mar', 'Apr', 'May'])} {r.randint(1, 14)} – {r.randint(15, 28)}",
        "price_per_night": r.randint(30, 900),
        "rating": v.maybe(r, r.randint(300, 500) / 100, 0.8),
        "reviews": r.randint(3, 700),
        "guest_favorite": r.random() < 0.4,
    }


def _rental_record(r: Random) -> Record:
    made = _rental(r)
    return {**made, "reviews": None if made["rating"] is None else made["reviews"]}


def _render_rentals(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(n: int, r: Record) -> str:
        rating = (
            f'<div class="{c("score")} {c("flexend")}"><span class="{c("row")}"><span aria-hidden="true">★</span><span aria-hidden="true" x-f="rating">{r["rating"]:.2f} ({r["reviews"]})</span><span class="{c("a11ytext")}">{r["rating"]:.2f} out of 5 average rating, {r["reviews"]} reviews</span></span></div>'
            if r["rating"]
            else f'<div class="{c("score")} {c("flexend")}"><span>New</span></div>'
        )
        pill = (
            f'<div class="{c("pill")} {c("flex")}" x-f="guest_favorite">Guest favorite</div>'
            if r["guest_favorite"]
            else ""
        )
        return (
            f'<div class="{c("cell")} {c("flex")} dir dir-ltr" x-r><div itemprop="itemListElement" class="{c("card")}"><a rel="noopener" target="_blank" href="/rooms/{1000 + n}?adults=1" class="{c("cover")}" aria-labelledby="title_{n}"></a><div class="{c("media")}"><img src="/r/{n}.webp" alt="" aria-hidden="true">{pill}<button aria-label="Add to wishlist" class="{c("heart")}"></button></div>'
            f'<div class="{c("body")} dir dir-ltr"><div id="title_{n}" class="{c("title")}" data-testid="listing-card-title" x-f="name">{r["name"]}</div><div class="{c("sub")}"><span class="{c("line")}" x-f="tagline">{r["tagline"]}</span></div><div class="{c("sub")}"><span class="{c("line")}" x-f="beds">{r["beds"]} bed{"s" if r["beds"] > 1 else ""}</span></div><div class="{c("sub")}"><span class="{c("line")}" x-f="dates">{r["dates"]}</span></div>'
            f'<div class="{c("sub")}"><div class="{c("pricerow")}"><span class="{c("amount")}" x-f="price_per_night">{s.round(r["price_per_night"])}&nbsp;</span><span class="{c("unit")}"> night</span></div></div></div>{rating}</div></div>'
        )

    return f'<h1 class="{c("head")}"><span>Over 1,000 places in the north</span></h1><div class="{c("grid")}">{"".join(one(n, r) for n, r in enumerate(records, 1))}</div>'


def _hotel(r: Random) -> Record:
    price = r.randint(50, 700)
    return {
        "name": f"{v.company(r).split()[0]} {r.choice(['Hotel', 'Inn', 'Suites', 'Hostel'])}",
        "address": f"{v.thing(r).split()[1]} Quarter, {v.city(r)}",
        "stars": r.randint(1, 5),
        "score": v.maybe(r, r.randint(50, 99) / 10, 0.85),
        "score_word": r.choice(["Good", "Very Good", "Superb", "Exceptional"]),
        "reviews": r.randint(5, 9000),
        "price": price,
        "original_price": v.maybe(r, price + r.randint(10, 90), 0.4),
        "free_cancellation": r.random() < 0.5,
        "_ad": r.random() < 0.15,
    }


def _hotel_record(r: Random) -> Record:
    made = _hotel(r)
    return made if made["score"] else {**made, "score_word": None, "reviews": None}


def _render_hotels(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(n: int, r: Record) -> str:
        score = (
            f'<div class="{c("bui")}"><a href="#rv" data-testid="review-score-link"><div data-testid="review-score" class="{c("score")}"><div class="{c("badge")}" aria-label="Scored {r["score"]}" x-f="score">{r["score"]}</div><div class="{c("side")}"><div class="{c("word")}" x-f="score_word">{r["score_word"]}</div><div class="{c("count")}" x-f="reviews">{r["reviews"]:,} reviews</div></div></div></a></div>'
            if r["score"]
            else ""
        )
        old = (
            f'<span class="{c("strike")}" aria-hidden="true" x-f="original_price">{s.round(r["original_price"])}</span>'
            if r["original_price"]
            else ""
        )
        cancel = (
            f'<li class="{c("bullet")}" x-f="free_cancellation"><span><strong>Free cancellation</strong></span></li>'
            if r["free_cancellation"]
            else ""
        )
        ad = f'<span class="{c("adtag")}">Ad</span>' if r["_ad"] else ""
        stars = "".join(f'<span aria-hidden="true" class="{c("star")}"><svg></svg></span>' for _ in range(r["stars"]))
        return (
            f'<div data-testid="property-card" class="{c("card")} {c("pad")}" role="listitem" x-r><div class="{c("pic")}"><a href="/hotel/{n}.html"><img data-testid="image" src="/h/{n}.jpg" alt="{e(r["name"])}"/></a></div><div class="{c("main")}"><div class="{c("top")}"><div><h3 class="{c("heading")}"><a href="/hotel/{n}.html?aid=1" data-testid="title-link"><div data-testid="title" class="{c("title")}" x-f="name">{e(r["name"])}</div><div class="{c("hint")}">Opens in new window</div></a></h3>'
            f'<div class="{c("stars")}" aria-label="{r["stars"]} out of 5" role="button" data-testid="rating-stars" x-f="stars">{stars}</div>{ad}</div><div class="{c("loc")}"><a href="/map"><span aria-expanded="false"><span data-testid="address" x-f="address">{r["address"]}</span><span class="{c("map")}">Show on map</span></span></a></div></div>{score}'
            f'<div class="{c("offer")}" data-testid="availability-rate-information"><div class="{c("room")}">Standard Double Room</div><ul class="{c("perks")}">{cancel}<li class="{c("bullet")}"><span>No prepayment needed</span></li></ul><div class="{c("cost")}"><div class="{c("nights")}" data-testid="price-for-x-nights">1 week, 2 adults</div>{old}<span data-testid="price-and-discounted-price" class="{c("now")}" x-f="price">{s.round(r["price"])}</span><div data-testid="taxes-and-charges">Includes taxes and charges</div></div></div></div></div>'
        )

    genius = f'<div class="{c("genius")}"><div>Sign in, save money</div><button>Sign in</button></div>'
    rows = [one(n, r) + (genius if n == 3 else "") for n, r in enumerate(records, 1)]
    return f'<h1 aria-live="assertive">Northport: {len(records)} properties found</h1><div class="{c("list")}">{"".join(rows)}</div>'


def _home(r: Random) -> Record:
    return {
        "address": f"{r.randint(1, 999)} {v.thing(r).split()[1]} St, {v.city(r)}, {r.choice(['OR', 'WA', 'TX'])} {r.randint(10000, 99999)}",
        "price": r.randint(90, 2200) * 1000,
        "beds": v.maybe(r, r.randint(1, 6), 0.9),
        "baths": r.randint(1, 4),
        "sqft": v.maybe(r, r.randint(500, 5200), 0.85),
        "broker": v.company(r).upper(),
        "status": r.choice(["House for sale", "Condo for sale", "Townhouse for sale"]),
        "_flag": r.choice(["", "", "Price cut: $5,000 (3/1)", "3D Tour", "2 days on the market"]),
    }


def _render_homes(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(n: int, r: Record) -> str:
        beds = f'<li class=""><b>{r["beds"] or "--"}</b> <abbr class="{c("unit")}">bds</abbr></li>'
        sqft = f'<li class=""><b>{format(r["sqft"], ",") if r["sqft"] else "--"}</b> <abbr class="{c("unit")}">sqft</abbr></li>'
        flag = f'<div class="{c("flag")}"><span>{r["_flag"]}</span></div>' if r["_flag"] else ""
        return (
            f'<li class="ListItem-{c("item")}" x-r><div id="zpid_{n * 31}"><article role="presentation" class="StyledCard-{c("card")} property-card" data-test="property-card"><div class="{c("data")} property-card-data"><a href="https://homes.example/d/{n}_zpid/" class="StyledLink {c("link")} property-card-link" data-test="property-card-link" x-f="address"><address data-test="property-card-addr">{r["address"]}</address></a>'
            f'<div class="{c("broker")}" x-f="broker">{e(r["broker"])}</div><div class="{c("row")}"><div class="{c("price")}"><span data-test="property-card-price" class="{c("amount")}" x-f="price">{s.round(r["price"])}</span></div></div><div class="{c("row")}"><ul class="{c("details")}">{beds}<li class=""><b>{r["baths"]}</b> <abbr class="{c("unit")}">ba</abbr></li>{sqft}</ul>- <span x-f="status">{r["status"]}</span></div></div>'
            f'<div class="{c("photo")}">{flag}<img src="/z/{n}.jpg" alt="{r["address"]}"/></div></article></div></li>'
        )

    ad = f'<li class="ListItem-{c("item")}"><div id="nav-ad-container-2" class="{c("nav")}"></div></li>'
    rows = [one(n, r) + (ad if n % 5 == 0 else "") for n, r in enumerate(records, 1)]
    return f'<div class="search-page-list-header"><h1>Homes For Sale</h1><span class="result-count">{len(records)} results</span></div><div id="grid-search-results"><ul class="List-{c("list")} photo-cards">{"".join(rows)}</ul></div>'


def _game(r: Random) -> Record:
    price = r.choice([4.99, 9.99, 14.99, 19.99, 29.99, 59.99]) if r.random() < 0.85 else None
    cut = r.choice([10, 25, 50, 75]) if price and r.random() < 0.4 else None
    return {
        "name": v.thing(r) + r.choice(["", " II", ": Origins", " VR", " – Deluxe Edition"]),
        "released": v.day(r),
        "discount_percent": cut,
        "full_price": price,
        "final_price": round(price * (100 - cut) / 100, 2) if price and cut else price,
        "url": f"https://steam-search.example/app/{r.randint(10**5, 10**6)}/x/",
        "_vr": r.random() < 0.2,
    }


def _game_record(r: Random) -> Record:
    made = _game(r)
    return {**made, "full_price": made["full_price"] if made["discount_percent"] else None}


def _render_games(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        if r["discount_percent"]:
            cost = f'<div class="discount_block search_discount_block" data-price-final="{round(r["final_price"] * 100)}" data-bundlediscount="0" data-discount="{r["discount_percent"]}"><div class="discount_pct" x-f="discount_percent">-{r["discount_percent"]}%</div><div class="discount_prices"><div class="discount_original_price" x-f="full_price">{s.money(r["full_price"])}</div><div class="discount_final_price" x-f="final_price">{s.money(r["final_price"])}</div></div></div>'
        elif r["final_price"]:
            cost = f'<div class="discount_block search_discount_block no_discount" data-price-final="{round(r["final_price"] * 100)}" data-bundlediscount="0" data-discount="0"><div class="discount_prices"><div class="discount_final_price" x-f="final_price">{s.money(r["final_price"])}</div></div></div>'
        else:
            cost = '<div class="discount_block search_discount_block no_discount" data-price-final="0"><div class="discount_prices"><div class="discount_final_price free">Free</div></div></div>'
        vr = '<span class="vr_supported">VR Supported</span>' if r["_vr"] else ""
        return (
            f'<a href="{r["url"]}?snr=1_7" data-ds-appid="{n}" class="search_result_row ds_collapse_flag" x-r><div class="col search_capsule"><img src="/s/{n}.jpg"></div><div class="responsive_search_name_combined"><div class="col search_name ellipsis"><span class="title" x-f="name">{e(r["name"])}</span><div><span class="platform_img win"></span>{vr}</div></div>'
            f'<div class="col search_released responsive_secondrow" x-f="released">\n                    {s.date(r["released"], "british")}                </div><div class="col search_reviewscore responsive_secondrow"><span class="search_review_summary positive" data-tooltip-html="Very Positive"></span></div><div class="col search_price_discount_combined responsive_secondrow" data-price-final="0"><div class="col search_discount_and_price responsive_secondrow">{cost}</div></div></div><div style="clear: left;"></div></a>'
        )

    return f'<div id="search_results"><div class="search_results_count">{len(records)} results match your search.</div><div id="search_resultsRows">{"".join(one(n, r) for n, r in enumerate(records, 1))}</div></div>'


MARKETS = [
    Design(
        "shopify_collection",
        schema_of(title="string", url="uri", vendor="string", price="number", compare_at="number?", sold_out="boolean"),
        _collection,
        _render_collection,
        rows=16,
        words={"Regular price": "Normaler Preis", "Sale price": "Verkaufspreis", "Sold out": "Ausverkauft"},
    ),
    Design(
        "magento_grid",
        schema_of(
            name="string",
            price="number",
            old_price="number?",
            rating_percent="integer?",
            reviews="integer?",
            colors=["string"],
            in_stock="boolean",
        ),
        _magento_record,
        _render_magento,
        rows=12,
        words={"Special Price": "Sonderpreis", "Regular Price": "Normalpreis", "Out of stock": "Ausverkauft"},
    ),
    Design(
        "airbnb_hashed",
        schema_of(
            name="string",
            tagline="string",
            beds="integer",
            dates="string",
            price_per_night="number",
            rating="number?",
            reviews="integer?",
        ),
        _rental_record,
        _render_rentals,
        rows=18,
        words={" night": " pro Nacht", " bed": " Bett"},
        evidence="tagline",
    ),
    Design(
        "booking_hotels",
        schema_of(
            name="string",
            address="string",
            score="number?",
            score_word="string?",
            reviews="integer?",
            price="number",
            original_price="number?",
            free_cancellation="boolean",
        ),
        _hotel_record,
        _render_hotels,
        words={" reviews": " Bewertungen", "Free cancellation": "Kostenlose Stornierung"},
    ),
    Design(
        "zillow_homes",
        schema_of(
            address="string",
            price="number",
            beds="integer?",
            baths="integer",
            sqft="integer?",
            broker="string",
            status="string",
        ),
        _home,
        _render_homes,
        words={"bds": "Zi.", "sqft": "qft"},
    ),
    Design(
        "steam_search",
        schema_of(
            name="string",
            url="uri",
            released="date",
            discount_percent="integer?",
            full_price="number?",
            final_price="number?",
        ),
        _game_record,
        _render_games,
        rows=24,
        words={"Free": "Gratis"},
    ),
]
