"""Shops: search results, cards, classifieds, price lists."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _amazon(r: Random) -> Record:
    price = v.amount(r, 5, 1900)
    return {
        "title": v.product(r),
        "price": v.maybe(r, price, 0.9),
        "list_price": v.maybe(r, round(price * 1.2 + 1, 2), 0.4),
        "rating": v.maybe(r, r.randint(20, 50) / 10, 0.9),
        "reviews": r.randint(3, 40000),
        "prime": r.random() < 0.6,
        "asin": "B0" + "".join(r.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(8)),
    }


def _render_amazon(records: Sequence[Record], s: Style) -> str:
    def price(amount: float) -> str:
        whole, cents = f"{amount:,.2f}".split(".")
        return f'<span class="a-price" data-a-size="xl"><span class="a-offscreen">{s.money(amount)}</span><span aria-hidden="true"><span class="a-price-symbol">$</span><span class="a-price-whole">{whole}<span class="a-price-decimal">.</span></span><span class="a-price-fraction">{cents}</span></span></span>'

    def one(r: Record) -> str:
        rating = (
            f'<div class="a-row a-size-small"><span aria-label="{r["rating"]} out of 5 stars" x-f="rating"><i class="a-icon a-icon-star-small"><span class="a-icon-alt">{r["rating"]} out of 5 stars</span></i></span><a href="#r"><span class="a-size-base s-underline-text" x-f="reviews">{r["reviews"]:,}</span></a></div>'
            if r["rating"]
            else f'<div class="a-row a-size-small"><a href="#r"><span class="a-size-base s-underline-text" x-f="reviews">{r["reviews"]:,}</span></a></div>'
        )
        old = (
            f'<div class="list-price" x-f="list_price"><span class="a-size-base a-color-secondary">List: </span><span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">{s.money(r["list_price"])}</span></span></div>'
            if r["list_price"] and r["price"]
            else ""
        )
        cost = (
            f'<div class="a-row a-size-base a-color-base price-row" x-f="price">{price(r["price"])}</div>{old}'
            if r["price"]
            else '<span class="a-color-secondary">Currently unavailable.</span>'
        )
        prime = (
            '<i class="a-icon a-icon-prime" role="img" aria-label="Amazon Prime" x-f="prime"></i><span>FREE delivery <b>Tue</b></span>'
            if r["prime"]
            else "<span>Delivery in 4 days</span>"
        )
        return (
            f'<div data-asin="{r["asin"]}" data-component-type="s-search-result" class="sg-col-4-of-24 s-result-item s-asin" x-r><div class="s-card-container"><span class="s-product-image"><a href="/dp/{r["asin"]}"><img class="s-image" src="/i/{r["asin"]}.jpg" alt=""/></a></span>'
            f'<div class="title-recipe"><a class="a-link-normal" href="/dp/{r["asin"]}"><h2 class="a-size-base-plus" x-f="title"><span>{e(r["title"])}</span></h2></a></div>{rating}{cost}<div class="a-row">{prime}</div></div></div>'
        )

    ad = '<div data-asin="" data-component-type="s-ads" class="sg-col-4-of-24 s-result-item AdHolder"><div><span>Sponsored</span><h2>Shop our brand store</h2><a href="/store">Shop now</a></div></div>'
    items = [one(r) + (ad if n % 8 == 3 else "") for n, r in enumerate(records)]
    return f'<div class="s-main-slot s-result-list">{"".join(items)}</div>'


def _amazon_truth(r: Random) -> Record:
    made = _amazon(r)
    if made["price"] is None:
        made["list_price"] = None
    return made


def _ebay(r: Random) -> Record:
    return {
        "title": v.product(r),
        "price": v.amount(r, 1, 700),
        "condition": r.choice(["Brand New", "Pre-Owned", "Open Box", "Refurbished"]),
        "shipping": v.maybe(r, v.amount(r, 1, 40), 0.6),
        "bids": v.maybe(r, r.randint(0, 30), 0.4),
        "location": v.maybe(r, v.city(r), 0.5),
        "url": f"https://ebay.example/itm/{r.randint(10**9, 10**10)}",
    }


def _render_ebay(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        shipping = f"+{s.money(r['shipping'])} delivery" if r["shipping"] else "Free delivery"
        bids = (
            f'<span class="s-item__bids s-item__bidCount" x-f="bids">{r["bids"]} bids</span> · <span class="s-item__time-left">2d 4h left</span>'
            if r["bids"] is not None
            else '<span class="s-item__dynamic s-item__buyItNowOption">Buy It Now</span>'
        )
        location = (
            f'<span class="s-item__location s-item__itemLocation" x-f="location">Located in {r["location"]}</span>'
            if r["location"]
            else ""
        )
        return (
            f'<li class="s-item s-item__pl-on-bottom" data-view="mi:1686|iid:1" x-r><div class="s-item__wrapper clearfix"><div class="s-item__image-section"><a href="{r["url"]}?hash=1"><div class="s-item__image-wrapper"><img alt="" src="/i.jpg"/></div></a></div>'
            f'<div class="s-item__info clearfix"><a class="s-item__link" href="{r["url"]}" x-f="url"><div class="s-item__title" x-f="title"><span role="heading" aria-level="3">{e(r["title"])}</span></div></a><div class="s-item__subtitle"><span class="SECONDARY_INFO" x-f="condition">{r["condition"]}</span></div>'
            f'<div class="s-item__details clearfix"><div class="s-item__detail s-item__detail--primary"><span class="s-item__price" x-f="price">{s.money(r["price"])}</span></div><div class="s-item__detail">{bids}</div><div class="s-item__detail"><span class="s-item__shipping s-item__logisticsCost" x-f="shipping">{shipping}</span></div><div class="s-item__detail">{location}</div></div></div></div></li>'
        )

    return f'<div class="srp-river-results clearfix"><ul class="srp-results srp-list clearfix">{"".join(map(one, records))}</ul></div>'


def _classified(r: Random) -> Record:
    return {
        "title": f"{v.thing(r)} {r.choice(['- like new', 'for parts', '', 'obo'])}".strip(),
        "price": v.maybe(r, r.randint(5, 4000), 0.85),
        "posted": v.day(r, 2025, 2025),
        "neighborhood": v.maybe(r, v.city(r), 0.7),
        "url": f"https://craigslist.example/sfc/d/{r.randint(10**9, 10**10)}.html",
    }


def _render_craigslist(records: Sequence[Record], s: Style) -> str:
    def money(amount: int) -> str:
        return s.round(amount)

    def one(r: Record) -> str:
        price = f'<span class="result-price">{money(r["price"])}</span>' if r["price"] is not None else ""
        hood = (
            f'<span class="result-hood" x-f="neighborhood"> ({r["neighborhood"]})</span>' if r["neighborhood"] else ""
        )
        gallery = f'<a href="{r["url"]}" class="result-image gallery">{price}</a>'
        return (
            f'<li class="result-row" data-pid="{r["url"][-14:-5]}" x-r>{gallery}<div class="result-info"><span class="icon icon-star" role="button"><span class="screen-reader-text">favorite this post</span></span><time class="result-date" datetime="{r["posted"]} 10:31" title="x" x-f="posted">{s.date(r["posted"], "short")[:6]}</time>'
            f'<h3 class="result-heading" x-f="title"><a href="{r["url"]}" data-id="1" class="result-title hdrlnk" x-f="url">{e(r["title"])}</a></h3><span class="result-meta"><span x-f="price">{price}</span>{hood}<span class="result-tags">pic</span><span class="banish icon icon-trash" role="button"><span class="screen-reader-text">hide this posting</span></span></span></div></li>'
        )

    return f'<ul class="rows" id="search-results">{"".join(map(one, records))}</ul>'


def _ali(r: Random) -> Record:
    price = v.amount(r, 1, 90)
    return {
        "title": v.product(r),
        "price": price,
        "was": v.maybe(r, round(price * 1.5 + 1, 2), 0.5),
        "sold": v.maybe(r, r.randint(1, 999), 0.8),
        "rating": v.maybe(r, r.randint(30, 50) / 10, 0.6),
        "store": v.company(r),
        "image": f"https://ali-hashed.example/img/{r.randint(10**6, 10**7)}.jpg",
    }


def _render_ali(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(r: Record) -> str:
        was = f'<div class="{c("was")}" x-f="was"><span>{s.money(r["was"])}</span></div>' if r["was"] else ""
        sold = f'<span class="{c("sold")}" x-f="sold">{r["sold"]} sold</span>' if r["sold"] else ""
        stars = f'<span class="{c("stars")}" x-f="rating">{r["rating"]}</span>' if r["rating"] else ""
        return (
            f'<div class="{c("card")} {c("out")}" x-r><a class="{c("link")}" href="/item/{v.slug(r["title"])}.html" target="_blank"><div class="{c("pic")}"><img class="{c("img")}" src="{r["image"][len("https://ali-hashed.example") :]}" x-f="image"/></div>'
            f'<div class="{c("body")}"><h3 class="{c("name")}" x-f="title">{e(r["title"])}</h3><div class="{c("prices")}"><div class="{c("price")}" x-f="price"><span>{s.money(r["price"])}</span></div>{was}</div><div class="{c("trade")}">{stars}{sold}</div></div></a>'
            f'<a class="{c("store")}" href="/store/1" x-f="store"><span>{e(r["store"])}</span></a></div>'
        )

    return f'<div id="card-list" class="{c("list")}">{"".join(map(one, records))}</div>'


def _tailwind(r: Random) -> Record:
    price = v.amount(r, 10, 300)
    sale = r.random() < 0.4
    return {
        "name": v.product(r),
        "category": r.choice(["Lighting", "Kitchen", "Outdoor", "Office"]),
        "price": price,
        "original_price": round(price * 1.3 + 2, 2) if sale else None,
        "colors": r.randint(1, 9),
        "in_stock": r.random() < 0.8,
    }


def _render_tailwind(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        old = (
            f'<p class="text-sm text-gray-400 line-through" x-f="original_price">{s.money(r["original_price"])}</p>'
            if r["original_price"]
            else ""
        )
        stock = (
            '<span class="inline-flex rounded-full bg-green-50 px-2 text-xs text-green-700">In stock</span>'
            if r["in_stock"]
            else '<span class="inline-flex rounded-full bg-red-50 px-2 text-xs text-red-700">Sold out</span>'
        )
        return (
            f'<div class="group relative flex flex-col rounded-lg border border-gray-200 bg-white" x-r><div class="aspect-h-4 aspect-w-3 bg-gray-200 sm:h-96"><img src="/p/{v.slug(r["name"])}.jpg" alt="" class="h-full w-full object-cover"/></div><div class="flex flex-1 flex-col space-y-2 p-4">'
            f'<p class="text-xs uppercase text-gray-500" x-f="category">{r["category"]}</p><h3 class="text-sm font-medium text-gray-900" x-f="name"><a href="/p/{v.slug(r["name"])}"><span aria-hidden="true" class="absolute inset-0"></span>{e(r["name"])}</a></h3><p class="text-sm italic text-gray-500" x-f="colors">{r["colors"]} colors</p>'
            f'<div class="flex items-end gap-2"><p class="text-base font-medium text-gray-900" x-f="price">{s.money(r["price"])}</p>{old}</div><div x-f="in_stock">{stock}</div></div></div>'
        )

    return f'<div class="bg-white"><div class="mx-auto max-w-2xl px-4"><h2 class="text-2xl font-bold tracking-tight">Products</h2><div class="grid grid-cols-1 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">{"".join(map(one, records))}</div></div></div>'


def _woo(r: Random) -> Record:
    price = v.amount(r, 3, 200)
    return {
        "name": v.product(r),
        "price": price,
        "regular_price": v.maybe(r, round(price + 5 + r.random() * 20, 2), 0.35),
        "rating": v.maybe(r, r.randint(20, 50) / 10, 0.6),
        "url": f"https://woocommerce.example/product/p-{r.randint(100, 9999)}/",
        "sku": f"WX-{r.randint(1000, 9999)}",
    }


def _render_woo(records: Sequence[Record], s: Style) -> str:
    def bdi(amount: float) -> str:
        text = s.money(amount)
        sign = text[0] if text[0] in "$£" else text[-1]
        number = text.strip("$£€ ")
        inner = (
            f'<span class="woocommerce-Price-currencySymbol">{sign}</span>{number}'
            if text[0] in "$£"
            else f'{number}&nbsp;<span class="woocommerce-Price-currencySymbol">{sign}</span>'
        )
        return f'<span class="woocommerce-Price-amount amount"><bdi>{inner}</bdi></span>'

    def one(n: int, r: Record) -> str:
        rating = (
            f'<div class="star-rating" role="img" aria-label="Rated {r["rating"]} out of 5" x-f="rating"><span style="width:{r["rating"] * 20:.0f}%">Rated <strong class="rating">{r["rating"]}</strong> out of 5</span></div>'
            if r["rating"]
            else ""
        )
        price = (
            f'<del aria-hidden="true" x-f="regular_price">{bdi(r["regular_price"])}</del> <ins x-f="price">{bdi(r["price"])}</ins>'
            if r["regular_price"]
            else f'<span x-f="price" class="solo">{bdi(r["price"])}</span>'.replace(' class="solo"', "")
        )
        flash = '<span class="onsale">Sale!</span>' if r["regular_price"] else ""
        end = " first" if n % 4 == 0 else " last" if n % 4 == 3 else ""
        return (
            f'<li class="product type-product post-{n + 40} status-publish{end} instock{" sale" if r["regular_price"] else ""} purchasable" x-r><a href="/product/{r["url"].rstrip("/").rsplit("/", 1)[1]}/" class="woocommerce-LoopProduct-link woocommerce-loop-product__link" x-f="url">{flash}<img src="/w/{n}.jpg" class="attachment-woocommerce_thumbnail" alt=""/><h2 class="woocommerce-loop-product__title" x-f="name">{e(r["name"])}</h2>{rating}<span class="price">{price}</span></a>'
            f'<a href="?add-to-cart={n}" data-quantity="1" class="button product_type_simple add_to_cart_button" data-product_sku="{r["sku"]}" aria-label="Add to cart" rel="nofollow">Add to cart</a></li>'
        )

    return f'<h1 class="page-title">Shop</h1><ul class="products columns-4">{"".join(one(n, r) for n, r in enumerate(records))}</ul>'


def _wire(r: Random) -> Record:
    return {
        "item": v.thing(r),
        "code": f"{r.choice('ABCDE')}-{r.randint(100, 999)}",
        "price": v.amount(r, 1, 99),
        "unit": r.choice(["each", "per box", "per m"]),
    }


def _render_price_lines(records: Sequence[Record], s: Style) -> str:
    """A price list as somebody typed it: lines in paragraphs, parted by breaks."""
    lines = [f"{e(r['item'])} ({r['code']}) ..... {s.money(r['price'])} {r['unit']}" for r in records]
    parts = [lines[at : at + 7] for at in range(0, len(lines), 7)]
    return "<h1>Price list</h1><p>All prices without tax. Ask us for anything that is not listed.</p>" + "".join(
        f"<p>{'<br>'.join(part)}</p>" for part in parts
    )


def _render_price_paragraphs(records: Sequence[Record], s: Style) -> str:
    return "<h1>Price list</h1>" + "".join(
        f'<p x-r><b x-f="item">{e(r["item"])}</b><br/><span x-f="code">No. {r["code"]}</span><br/><span x-f="price">{s.money(r["price"])}</span> <span x-f="unit">{r["unit"]}</span></p>'
        for r in records
    )


def _home(r: Random) -> Record:
    return {
        "address": f"{r.randint(1, 999)} {v.thing(r).split()[1]} St, {v.city(r)}",
        "price": r.randint(90, 2500) * 1000,
        "beds": v.maybe(r, r.randint(1, 6), 0.85),
        "baths": v.maybe(r, r.randint(2, 8) / 2, 0.8),
        "sqft": r.randint(400, 5200),
        "status": r.choice(["For sale", "Pending", "New"]),
        "agent": v.company(r),
    }


def _render_homes(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        beds = f"<li><b>{r['beds']}</b> <abbr>bds</abbr></li>" if r["beds"] else ""
        baths = f"<li><b>{r['baths']:g}</b> <abbr>ba</abbr></li>" if r["baths"] else ""
        return (
            f'<li class="ListItem-{s.css("item")} {s.css("card")}" x-r><div><article role="presentation" class="{s.css("wrap")} property-card" data-test="property-card"><div class="{s.css("data")} property-card-data"><a href="/homedetails/{r["sqft"]}_zpid/" class="property-card-link" data-test="property-card-link"><address data-test="property-card-addr" x-f="address">{e(r["address"])}</address></a>'
            f'<div class="{s.css("agent")}" x-f="agent">{e(r["agent"])}</div><div class="{s.css("cost")}"><span data-test="property-card-price" class="{s.css("price")}" x-f="price">{s.round(r["price"])}</span></div><ul class="{s.css("facts")}">{beds}{baths}<li x-f="sqft"><b>{r["sqft"]:,}</b> <abbr>sqft</abbr></li></ul><div class="{s.css("status")}" x-f="status">{r["status"]}</div></div></article></div></li>'
        )

    return (
        f'<div id="grid-search-results"><ul class="photo-cards {s.css("list")}">{"".join(map(one, records))}</ul></div>'
    )


SHOPS = [
    Design(
        "amazon",
        schema_of(
            title="string",
            price="number?",
            list_price="number?",
            rating="number?",
            reviews="integer",
            prime="boolean",
            asin="string",
        ),
        _amazon_truth,
        _render_amazon,
        rows=24,
        words={"out of 5 stars": "von 5 Sternen", "List: ": "UVP: "},
    ),
    Design(
        "ebay",
        schema_of(
            title="string",
            price="number",
            condition="string",
            shipping="number?",
            bids="integer?",
            location="string?",
            url="uri",
        ),
        _ebay,
        _render_ebay,
        rows=24,
        words={" delivery": " Versand", "Located in": "Standort", " bids": " Gebote"},
    ),
    Design(
        "craigslist",
        schema_of(title="string", price="number?", neighborhood="string?", url="uri"),
        _classified,
        _render_craigslist,
        rows=28,
    ),
    Design(
        "ali_hashed",
        schema_of(
            title="string",
            price="number",
            was="number?",
            sold="integer?",
            rating="number?",
            store="string",
            image="uri",
        ),
        _ali,
        _render_ali,
        words={" sold": " verkauft"},
    ),
    Design(
        "tailwind_cards",
        schema_of(
            name="string",
            category="string",
            price="number",
            original_price="number?",
            colors="integer",
            in_stock="boolean",
        ),
        _tailwind,
        _render_tailwind,
        words={" colors": " Farben", "In stock": "Auf Lager", "Sold out": "Ausverkauft"},
        evidence="name",
    ),
    Design(
        "woocommerce",
        schema_of(name="string", price="number", regular_price="number?", rating="number?", url="uri"),
        _woo,
        _render_woo,
        rows=16,
        words={"Rated": "Bewertet", "out of 5": "von 5", "Add to cart": "In den Warenkorb"},
    ),
    Design(
        "price_lines_br",
        schema_of(item="string", code="string", price="number", unit="string"),
        _wire,
        _render_price_lines,
        words={"each": "Stück"},
        evidence="code",
    ),
    Design(
        "price_paragraphs",
        schema_of(item="string", code="string", price="number", unit="string"),
        _wire,
        _render_price_paragraphs,
        words={"No. ": "Nr. "},
    ),
    Design(
        "real_estate",
        schema_of(
            address="string",
            price="number",
            beds="integer?",
            baths="number?",
            sqft="integer",
            status=("For sale", "Pending", "New"),
            agent="string",
        ),
        _home,
        _render_homes,
        words={"sqft": "qm", "bds": "Zi", "ba": "Bd"},
    ),
]
