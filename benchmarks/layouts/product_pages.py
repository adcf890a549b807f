"""Pages about one product: two shop systems, a large marketplace, a shop with class names of a build tool, a car, a room."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _tile(r: Random) -> tuple[str, float]:
    return v.product(r), v.amount(r, 5, 300)


def _shirt(r: Random) -> Record:
    price = v.amount(r, 10, 200)
    return {
        "name": v.product(r),
        "vendor": v.company(r),
        "price": price,
        "compare_at": v.maybe(r, round(price * 1.3, 2), 0.4),
        "available": r.random() < 0.8,
        "sizes": r.sample(["XS", "S", "M", "L", "XL"], r.randint(2, 5)),
        "sku": v.maybe(r, f"{r.choice('ABCD')}{r.choice('XYZ')}-{r.randint(1000, 9999)}", 0.8),
        "description": v.text(r, 1, 3),
        "_also": [_tile(r) for _ in range(r.randint(0, 4))],
    }


def _shopify(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    sizes = "\n".join(
        f'<input type="radio" id="o{n}" name="Size" value="{one}"><label for="o{n}">{one}</label>'
        for n, one in enumerate(r["sizes"])
    )
    old = (
        f'<span class="visually-hidden">Regular price</span><s class="price-item price-item--regular" x-f="compare_at">{s.money(r["compare_at"])}</s>'
        if r["compare_at"]
        else ""
    )
    sku = (
        f'<p class="product__sku" x-f="sku"><span class="visually-hidden">SKU:</span> {r["sku"]}</p>'
        if r["sku"]
        else ""
    )
    button = "Add to cart" if r["available"] else "Sold out"
    state = "" if r["available"] else " disabled"
    also = "".join(
        f'<li class="grid__item"><div class="card"><h3 class="card__heading"><a href="/products/{v.slug(name)}">{e(name)}</a></h3><span class="price-item">{s.money(price)}</span></div></li>'
        for name, price in r["_also"]
    )
    more = f'<div class="related"><h2>You may also like</h2><ul class="grid">{also}</ul></div>' if also else ""
    return (
        f'<section class="product"><div class="product__info-container"><p class="product__text caption-with-letter-spacing" x-f="vendor">{e(r["vendor"])}</p><div class="product__title"><h1 x-f="name">{e(r["name"])}</h1></div>'
        f'<div class="price"><span class="visually-hidden">{"Sale" if old else "Regular"} price</span><span class="price-item price-item--sale" x-f="price">{s.money(r["price"])}</span>{old}</div><div class="product__tax">Taxes included.</div>{sku}'
        f'<fieldset class="product-form__input" x-f="sizes"><legend class="form__label">Size</legend>{sizes}</fieldset><button type="submit" name="add"{state} x-f="available"><span>{button}</span></button><div class="product__description rte" x-f="description"><p>{e(r["description"])}</p></div></div></section>{more}'
    )


def _shopify_head(r: Record, s: Style) -> str:
    return f'<title>{e(r["name"])} – Shopify Product</title><meta property="og:title" content="{e(r["name"])}"><meta property="og:price:amount" content="{r["price"]}">'


def _bag(r: Random) -> Record:
    price = v.amount(r, 10, 200)
    return {
        "name": v.product(r),
        "sku": f"{r.randint(10, 99)}-{r.choice(['MB', 'WS', 'UG'])}{r.randint(10, 99)}",
        "price": price,
        "old_price": v.maybe(r, round(price * 1.2, 2), 0.4),
        "currency": "USD",
        "in_stock": r.random() < 0.75,
        "reviews": v.maybe(r, r.randint(2, 40), 0.7),
        "material": v.maybe(r, r.choice(["Leather", "Nylon", "Canvas", "Mesh"]), 0.8),
        "activity": r.sample(["Gym", "Hiking", "Trail", "Urban"], r.randint(1, 3)),
        "short_text": v.sentence(r),
        "_also": [_tile(r) for _ in range(3)],
    }


def _magento(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    old = (
        f'<span class="old-price" x-f="old_price"><span class="price-label">Was</span> <span class="price">{s.money(r["old_price"])}</span></span>'
        if r["old_price"]
        else ""
    )
    reviews = (
        f'<div class="product-reviews-summary" x-f="reviews"><a class="action view" href="#reviews"><span itemprop="reviewCount">{r["reviews"]}</span>&nbsp;<span>Reviews</span></a></div>'
        if r["reviews"]
        else '<div class="product-reviews-summary empty"><a class="action add" href="#review-form">Be the first to review this product</a></div>'
    )
    material = (
        f'<tr x-f="material"><th class="col label" scope="row">Material</th><td class="col data" data-th="Material">{r["material"]}</td></tr>'
        if r["material"]
        else ""
    )
    also = "".join(
        f'<li class="item product product-item"><strong class="product name product-item-name"><a class="product-item-link" href="/x">{e(name)}</a></strong><span class="price">{s.money(price)}</span></li>'
        for name, price in r["_also"]
    )
    return (
        f'<div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper" itemprop="name" x-f="name">{e(r["name"])}</span></h1></div><div class="product-info-main">{reviews}<div class="product-info-price"><div class="price-box price-final_price"><span class="special-price" x-f="price"><span class="price-wrapper" data-price-amount="{r["price"]}" itemprop="price"><span class="price">{s.money(r["price"])}</span></span></span>{old}<meta itemprop="priceCurrency" content="USD"></div>'
        f'<div class="product-info-stock-sku"><div class="stock {"available" if r["in_stock"] else "unavailable"}" title="Availability" x-f="in_stock"><span>{"In stock" if r["in_stock"] else "Out of stock"}</span></div><div class="product attribute sku" x-f="sku"><strong class="type">SKU</strong><div class="value" itemprop="sku">{r["sku"]}</div></div></div></div><div class="product attribute overview" x-f="short_text"><div class="value" itemprop="description">{e(r["short_text"])}</div></div></div>'
        f'<div class="additional-attributes-wrapper table-wrapper"><table class="data table additional-attributes"><caption>More Information</caption><tbody>{material}<tr x-f="activity"><th class="col label" scope="row">Activity</th><td class="col data" data-th="Activity">{", ".join(r["activity"])}</td></tr></tbody></table></div><div class="block related"><strong>We found other products you might like!</strong><ol class="products list items">{also}</ol></div>'
    )


def _gadget(r: Random) -> Record:
    price = v.amount(r, 10, 900)
    return {
        "title": v.product(r),
        "brand": v.company(r),
        "price": price,
        "list_price": v.maybe(r, round(price * 1.25, 2), 0.5),
        "rating": r.randint(30, 50) / 10,
        "ratings": r.randint(3, 30_000),
        "features": [v.sentence(r) for _ in range(r.randint(2, 5))],
        "weight_kg": v.maybe(r, r.randint(1, 99) / 10, 0.8),
        "asin": f"B0{r.randint(10**7, 10**8 - 1)}",
        "first_available": v.day(r),
        "in_stock": r.random() < 0.7,
        "_also": [_tile(r) for _ in range(r.randint(2, 5))],
        "_rank": r.randint(100, 9999),
    }


def _amazon(records: Sequence[Record], s: Style) -> str:
    r = records[0]

    def price(amount: float, kind: str) -> str:
        whole, cents = f"{amount:,.2f}".split(".")
        return f'<span class="a-price {kind}"><span class="a-offscreen">${whole}.{cents}</span><span aria-hidden="true"><span class="a-price-symbol">$</span><span class="a-price-whole">{whole}<span class="a-price-decimal">.</span></span><span class="a-price-fraction">{cents}</span></span></span>'

    listed = (
        f'<div class="basisPrice" x-f="list_price"><span class="a-size-small">List Price:</span> <span class="a-price a-text-price"><span class="a-offscreen">{s.money(r["list_price"])}</span></span></div>'
        if r["list_price"]
        else ""
    )
    weight = (
        f'<tr x-f="weight_kg"><th class="a-color-secondary prodDetSectionEntry">Item Weight</th><td class="a-size-base prodDetAttrValue">{r["weight_kg"]} Kilograms</td></tr>'
        if r["weight_kg"]
        else ""
    )
    bullets = "".join(
        f'<li class="a-spacing-mini"><span class="a-list-item"> {e(one)} </span></li>' for one in r["features"]
    )
    stock = (
        '<span class="a-size-medium a-color-success">In Stock</span>'
        if r["in_stock"]
        else '<span class="a-size-medium a-color-price">Currently unavailable.</span>'
    )
    also = "".join(
        f'<li class="a-carousel-card"><a class="a-link-normal" href="/dp/{n}"><div class="p13n-sc-truncated">{e(name)}</div></a><span class="a-icon-alt">4.{n} out of 5 stars</span>{price(cost, "p13n")}</li>'
        for n, (name, cost) in enumerate(r["_also"], 1)
    )
    return (
        f'<div id="dp"><div id="centerCol"><div id="titleSection"><h1 id="title"><span id="productTitle" class="a-size-large" x-f="title"> {e(r["title"])} </span></h1></div><a id="bylineInfo" href="/stores/x" x-f="brand">Brand: {e(r["brand"])}</a><div id="averageCustomerReviews"><span class="reviewCountTextLinkedHistogram" title="{r["rating"]} out of 5 stars" x-f="rating"><i class="a-icon a-icon-star"><span class="a-icon-alt">{r["rating"]} out of 5 stars</span></i></span><a href="#r"><span id="acrCustomerReviewText" x-f="ratings">{r["ratings"]:,} ratings</span></a></div>'
        f'<div id="corePrice_feature_div" x-f="price">{price(r["price"], "priceToPay")}</div>{listed}<div id="availability" x-f="in_stock">{stock}</div><div id="feature-bullets" x-f="features"><h2>About this item</h2><ul class="a-unordered-list">{bullets}</ul></div></div>'
        f'<div id="prodDetails"><h2>Product information</h2><table id="productDetails_techSpec_section_1">{weight}<tr x-f="asin"><th class="prodDetSectionEntry">ASIN</th><td class="prodDetAttrValue">{r["asin"]}</td></tr><tr><th class="prodDetSectionEntry">Best Sellers Rank</th><td class="prodDetAttrValue">#{r["_rank"]:,} in Tools</td></tr><tr x-f="first_available"><th class="prodDetSectionEntry">Date First Available</th><td class="prodDetAttrValue">{s.date(r["first_available"])}</td></tr></table></div><div class="a-carousel-container"><h2>Products related to this item</h2><ol class="a-carousel">{also}</ol></div></div>'
    )


def _amazon_head(r: Record, s: Style) -> str:
    return f'<title>Amazon Product : {e(r["title"])} : Tools</title><meta name="title" content="Amazon Product : {e(r["title"])}">'


def _lamp(r: Random) -> Record:
    return {
        "name": v.product(r),
        "price": v.amount(r, 20, 900),
        "rating": v.maybe(r, r.randint(30, 50) / 10, 0.8),
        "reviews": r.randint(1, 400),
        "material": r.choice(["Oak", "Steel", "Glass", "Linen"]),
        "color": v.maybe(r, r.choice(["Sand", "Black", "Moss"]), 0.8),
        "height_cm": r.randint(10, 200),
        "article": f"{r.randint(100, 999)}.{r.randint(100, 999)}.{r.randint(10, 99)}",
        "image": f"https://hashed-product.example/i/{r.randint(10000, 99999)}.webp",
        "delivery": r.choice(["2-3 days", "1-2 weeks", "Pick up only"]),
        "_also": [_tile(r) for _ in range(r.randint(0, 3))],
    }


def _hashed(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css
    rating = (
        f'<div class="{c("stars")}" role="img" aria-label="Rated {r["rating"]} out of 5" x-f="rating"><svg></svg></div>'
        if r["rating"]
        else ""
    )
    pairs = [
        ("material", "Material", r["material"]),
        ("color", "Colour", r["color"]),
        ("height_cm", "Height", f"{r['height_cm']} cm"),
        ("article", "Article number", r["article"]),
    ]
    rows = "".join(
        f'<div class="{c("row")}" x-f="{name}"><span class="{c("label")}">{label}</span><span class="{c("value")}">{value}</span></div>'
        for name, label, value in pairs
        if value
    )
    also = "".join(
        f'<a class="{c("tile")}" href="/p"><span class="{c("tile-name")}">{e(name)}</span><span class="{c("price")}">{s.money(price)}</span></a>'
        for name, price in r["_also"]
    )
    return (
        f'<div class="{c("page")}"><div class="{c("media")}" x-f="image"><img src="{r["image"]}" alt="{e(r["name"])}"></div><div class="{c("buy")}"><h1 class="{c("title")}" x-f="name">{e(r["name"])}</h1><div class="{c("price")}" x-f="price">{s.money(r["price"])}</div><div class="{c("rate")}">{rating}<button class="{c("count")}" x-f="reviews">({r["reviews"]})</button></div><p class="{c("ship")}" x-f="delivery">Delivery: {r["delivery"]}</p><button class="{c("cart")}">Add to bag</button></div>'
        f'<div class="{c("facts")}">{rows}</div></div><div class="{c("also")}">{also}</div>'
    )


_FUELS = ("Petrol", "Diesel", "Electric", "Hybrid")


def _car(r: Random) -> Record:
    kw = r.randint(50, 300)
    return {
        "title": f"{r.choice(['Orvel', 'Tavri', 'Kestra'])} {r.choice('ABCX')}{r.randint(1, 9)} {r.choice(['Touring', 'Sport', 'Estate'])}",
        "price": r.randint(20, 600) * 100,
        "mileage_km": r.randint(10, 200_000),
        "first_registration": f"{r.randint(1, 12):02}/{r.randint(2008, 2024)}",
        "fuel": r.choice(_FUELS),
        "power_kw": kw,
        "doors": r.choice([2, 3, 4, 5]),
        "seats": r.choice([2, 4, 5, 7]),
        "accident_free": r.random() < 0.7,
        "owners": v.maybe(r, r.randint(1, 5), 0.7),
        "features": v.words(r, r.randint(2, 7)),
        "dealer": v.maybe(r, v.company(r), 0.7),
    }


def _car_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    owners = (
        f'<th x-f="owners">Previous owners</th><td x-f="owners">{r["owners"]}</td>'
        if r["owners"]
        else "<th>Gearbox</th><td>Manual</td>"
    )
    dealer = (
        f'<div class="seller" x-f="dealer"><b>Dealer:</b> {e(r["dealer"])}</div>'
        if r["dealer"]
        else '<div class="seller">Private seller</div>'
    )
    features = "".join(f"<li>{one}</li>" for one in r["features"])
    return (
        f'<h1 class="vehicle-title" x-f="title">{r["title"]}</h1><div class="vehicle-price"><span x-f="price">{s.round(r["price"])}</span> <small>incl. 19% VAT</small></div><table class="vehicle-data"><tr><th x-f="mileage_km">Mileage</th><td x-f="mileage_km">{r["mileage_km"]:,} km</td><th x-f="first_registration">First registration</th><td x-f="first_registration">{r["first_registration"]}</td></tr><tr><th x-f="fuel">Fuel</th><td x-f="fuel">{r["fuel"]}</td><th x-f="power_kw">Power</th><td x-f="power_kw">{r["power_kw"]} kW ({round(r["power_kw"] * 1.36)} hp)</td></tr>'
        f'<tr><th x-f="doors">Doors</th><td x-f="doors">{r["doors"]}</td><th x-f="seats">Seats</th><td x-f="seats">{r["seats"]}</td></tr><tr><th x-f="accident_free">Accident-free</th><td x-f="accident_free">{"Yes" if r["accident_free"] else "No"}</td>{owners}</tr></table><h3>Features</h3><ul class="vehicle-features" x-f="features">{features}</ul>{dealer}'
    )


def _car_head(r: Record, s: Style) -> str:
    return f"<title>{r['title']} for {s.round(r['price'])} | Car Page</title>"


def _hotel(r: Random) -> Record:
    return {
        "name": f"Hotel {v.thing(r)}",
        "stars": r.randint(2, 5),
        "address": f"{r.randint(1, 200)} {v.thing(r)} Street, {v.city(r)}",
        "score": r.randint(60, 98) / 10,
        "reviews": r.randint(12, 9000),
        "price_from": v.amount(r, 40, 600),
        "check_in": f"{r.randint(13, 16)}:00",
        "check_out": f"{r.randint(9, 12)}:00",
        "pets_allowed": r.random() < 0.5,
        "rooms": v.maybe(r, r.randint(8, 400), 0.7),
        "amenities": r.sample(["Free WiFi", "Pool", "Spa", "Parking", "Bar", "Gym", "Lift"], r.randint(2, 6)),
        "_near": [f"Hotel {v.thing(r)}" for _ in range(3)],
    }


def _hotel_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    amenities = "".join(f'<li><span aria-hidden="true">✓</span><span>{one}</span></li>' for one in r["amenities"])
    rooms = f'<div class="fact" x-f="rooms">{r["rooms"]} rooms</div>' if r["rooms"] else ""
    near = "".join(
        f'<div class="near"><a href="/h{n}">{one}</a> <b>{s.money(50.0 + n * 17)}</b> <i>7.{n}</i></div>'
        for n, one in enumerate(r["_near"])
    )
    return (
        f'<div class="hp__hotel-title"><h2 class="pp-header__title" x-f="name">{r["name"]}</h2><span class="bui-rating" x-f="stars">{r["stars"]}-star hotel</span></div><p class="address"><span class="hp_address_subtitle" x-f="address">{r["address"]}</span> – <a href="#map">Show map</a></p>'
        f'<div data-testid="review-score"><div class="score" x-f="score">{r["score"]}</div><div class="count" x-f="reviews">{r["reviews"]:,} reviews</div></div>{rooms}<p class="from" x-f="price_from">from <b>{s.money(r["price_from"])}</b> per night</p><h3>Most popular facilities</h3><ul class="facilities" x-f="amenities">{amenities}</ul>'
        f'<h3>House rules</h3><div class="rules"><div class="rule" x-f="check_in"><div>Check-in</div><div>From {r["check_in"]}</div></div><div class="rule" x-f="check_out"><div>Check-out</div><div>Until {r["check_out"]}</div></div><div class="rule" x-f="pets_allowed"><div>Pets</div><div>{"Pets are allowed." if r["pets_allowed"] else "Pets are not allowed."}</div></div></div><h3>Similar hotels</h3>{near}'
    )


def _flat(r: Random) -> Record:
    return {
        "address": f"{r.randint(1, 200)} {v.thing(r)} Road, {v.city(r)}",
        "price": r.randint(60, 900) * 1000,
        "bedrooms": r.randint(1, 6),
        "bathrooms": r.randint(1, 4),
        "area_m2": r.randint(30, 400),
        "built": v.maybe(r, r.randint(1890, 2024), 0.7),
        "energy": r.choice(["A", "B", "C", "D", "E"]),
        "listed": v.day(r),
        "features": r.sample(["Garden", "Garage", "Balcony", "Cellar", "Fireplace"], r.randint(0, 4)),
        "agent": v.person(r),
        "phone": f"+44 {r.randint(1000, 9999)} {r.randint(100000, 999999)}",
        "_text": v.text(r, 2, 4),
        "_reduced": r.random() < 0.3,
    }


def _flat_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    reduced = f'<span class="badge">Reduced from {s.round(r["price"] + 10000)}</span>' if r["_reduced"] else ""
    built = f'<li x-f="built"><span>Year built</span><strong>{r["built"]}</strong></li>' if r["built"] else ""
    features = (
        f'<h3>Key features</h3><ul class="key-features" x-f="features">{"".join(f"<li>{one}</li>" for one in r["features"])}</ul>'
        if r["features"]
        else ""
    )
    return (
        f'<h1 class="listing-address" itemprop="streetAddress" x-f="address">{r["address"]}</h1><p class="listing-price">{reduced}<span x-f="price">{s.round(r["price"])}</span></p><ul class="icons"><li x-f="bedrooms"><svg></svg>{r["bedrooms"]} bed{"s" if r["bedrooms"] > 1 else ""}</li><li x-f="bathrooms"><svg></svg>{r["bathrooms"]} bath{"s" if r["bathrooms"] > 1 else ""}</li><li x-f="area_m2"><svg></svg>{r["area_m2"]} m²</li></ul>{features}<p class="text">{e(r["_text"])}</p>'
        f'<ul class="facts">{built}<li x-f="energy"><span>Energy class</span><strong>{r["energy"]}</strong></li><li x-f="listed"><span>Listed on</span><strong>{s.date(r["listed"], "british")}</strong></li></ul><div class="agent-card"><h4 x-f="agent">{r["agent"]}</h4><a href="tel:{r["phone"].replace(" ", "")}" x-f="phone">{r["phone"]}</a></div>'
    )


PRODUCT_PAGES = [
    Design(
        "shopify_product",
        schema_of(
            name="string",
            vendor="string",
            price="number",
            compare_at="number?",
            available="boolean",
            sizes=["string"],
            sku="string?",
            description="string",
        ),
        _shirt,
        _shopify,
        is_list=False,
        head=_shopify_head,
        words={"Size": "Größe", "SKU:": "Art.-Nr.:", "Sold out": "Ausverkauft"},
    ),
    Design(
        "magento_product",
        schema_of(
            name="string",
            sku="string",
            price="number",
            old_price="number?",
            currency=("USD", "EUR", "GBP"),
            in_stock="boolean",
            reviews="integer?",
            material="string?",
            activity=["string"],
            short_text="string",
        ),
        _bag,
        _magento,
        is_list=False,
        words={"Material": "Stoff", "Activity": "Aktivität", "In stock": "Auf Lager"},
    ),
    Design(
        "amazon_product",
        schema_of(
            title="string",
            brand="string",
            price="number",
            list_price="number?",
            rating="number",
            ratings="integer",
            features=["string"],
            weight_kg="number?",
            asin="string",
            first_available="date",
            in_stock="boolean",
        ),
        _gadget,
        _amazon,
        is_list=False,
        head=_amazon_head,
        words={"Item Weight": "Gewicht", "Brand:": "Marke:", "In Stock": "Auf Lager"},
    ),
    Design(
        "hashed_product",
        schema_of(
            name="string",
            price="number",
            rating="number?",
            reviews="integer",
            material="string",
            color="string?",
            height_cm="integer",
            article="string",
            image="uri",
            delivery="string",
        ),
        _lamp,
        _hashed,
        is_list=False,
        words={"Material": "Stoff", "Height": "Höhe", "Colour": "Farbe", "Delivery:": "Lieferung:"},
    ),
    Design(
        "car_page",
        schema_of(
            title="string",
            price="number",
            mileage_km="integer",
            first_registration="string",
            fuel=_FUELS,
            power_kw="integer",
            doors="integer",
            seats="integer",
            accident_free="boolean",
            owners="integer?",
            features=["string"],
            dealer="string?",
        ),
        _car,
        _car_page,
        is_list=False,
        head=_car_head,
        words={"Mileage": "Laufleistung", "Fuel": "Kraftstoff", "Doors": "Türen"},
    ),
    Design(
        "hotel_page",
        schema_of(
            name="string",
            stars="integer",
            address="string",
            score="number",
            reviews="integer",
            price_from="number",
            check_in="string",
            check_out="string",
            pets_allowed="boolean",
            rooms="integer?",
            amenities=["string"],
        ),
        _hotel,
        _hotel_page,
        is_list=False,
        words={"Check-in": "Anreise", "Check-out": "Abreise", "reviews": "Bewertungen"},
    ),
    Design(
        "property_page",
        schema_of(
            address="string",
            price="number",
            bedrooms="integer",
            bathrooms="integer",
            area_m2="integer",
            built="integer?",
            energy=("A", "B", "C", "D", "E"),
            listed="date",
            features=["string"],
            agent="string",
            phone="string",
        ),
        _flat,
        _flat_page,
        is_list=False,
        words={"Energy class": "Energieklasse", "Year built": "Baujahr", "beds": "Zimmer"},
    ),
]
