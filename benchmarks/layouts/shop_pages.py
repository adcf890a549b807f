"""Pages about one product as shops write them: two shop systems, utility classes, marks of microdata."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _crumbs(*words: str) -> str:
    inner = "".join(f'<li><a href="/{v.slug(word)}">{e(word)}</a></li>' for word in words)
    return f'<nav class="breadcrumb" aria-label="Breadcrumb"><ol>{inner}</ol></nav>'


def _woo(r: Random) -> Record:
    price = v.amount(r, 8, 400)
    return {
        "name": v.product(r),
        "price": price,
        "regular_price": v.maybe(r, round(price * 1.25, 2), 0.4),
        "rating": v.maybe(r, r.randint(30, 50) / 10, 0.7),
        "reviews": None,
        "sku": v.maybe(r, f"WC-{r.randint(100, 9999)}", 0.8),
        "in_stock": r.random() < 0.8,
        "categories": [one.title() for one in v.words(r, r.randint(1, 3))],
        "tags": v.tags(r, 0, 3),
        "weight": v.maybe(r, f"{r.randint(1, 40) / 10} kg", 0.6),
        "short_description": v.text(r, 1, 2),
        "_also": [(v.product(r), v.amount(r, 8, 400)) for _ in range(r.randint(0, 4))],
    }


def _woo_draw(r: Random) -> Record:
    made = _woo(r)
    return {**made, "reviews": r.randint(1, 80) if made["rating"] else None}


def _amount(s: Style, amount: float) -> str:
    return f'<span class="woocommerce-Price-amount amount"><bdi>{s.money(amount)}</bdi></span>'


def _woo_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    if r["regular_price"]:
        price = f'<del aria-hidden="true" x-f="regular_price">{_amount(s, r["regular_price"])}</del> <ins x-f="price">{_amount(s, r["price"])}</ins>'
    else:
        price = f'<span x-f="price">{_amount(s, r["price"])}</span>'
    rating = (
        f'<div class="woocommerce-product-rating"><div class="star-rating" role="img" aria-label="Rated {r["rating"]:.2f} out of 5" x-f="rating"><span style="width:80%"></span></div><a href="#reviews" class="woocommerce-review-link" rel="nofollow">(<span class="count" x-f="reviews">{r["reviews"]}</span> customer review{"s" if r["reviews"] > 1 else ""})</a></div>'
        if r["rating"]
        else ""
    )
    sku = f'<span class="sku_wrapper" x-f="sku">SKU: <span class="sku">{r["sku"]}</span></span>' if r["sku"] else ""
    cats = ", ".join(f'<a href="/c/{v.slug(one)}" rel="tag">{one}</a>' for one in r["categories"])
    tags = ", ".join(f'<a href="/t/{one}" rel="tag">{one}</a>' for one in r["tags"])
    tagged = f'<span class="tagged_as" x-f="tags">Tag{"s" if len(r["tags"]) > 1 else ""}: {tags}</span>' if tags else ""
    stock = (
        '<p class="stock in-stock" x-f="in_stock">In stock</p><form class="cart"><button type="submit" class="single_add_to_cart_button button alt">Add to cart</button></form>'
        if r["in_stock"]
        else '<p class="stock out-of-stock" x-f="in_stock">Out of stock</p>'
    )
    weight = (
        f'<table class="woocommerce-product-attributes shop_attributes"><tr class="woocommerce-product-attributes-item" x-f="weight"><th class="woocommerce-product-attributes-item__label">Weight</th><td class="woocommerce-product-attributes-item__value">{r["weight"]}</td></tr></table>'
        if r["weight"]
        else ""
    )
    also = "".join(
        f'<li class="product type-product"><a href="/p/{v.slug(name)}" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">{e(name)}</h2><span class="price">{_amount(s, price_)}</span></a><a href="?add-to-cart=1" class="button add_to_cart_button">Add to cart</a></li>'
        for name, price_ in r["_also"]
    )
    more = (
        f'<section class="related products"><h2>Related products</h2><ul class="products columns-4">{also}</ul></section>'
        if also
        else ""
    )
    return (
        f'<nav class="woocommerce-breadcrumb"><a href="/">Home</a> / <a href="/c">{r["categories"][0]}</a> / {e(r["name"])}</nav><div class="product type-product"><div class="summary entry-summary"><h1 class="product_title entry-title" x-f="name">{e(r["name"])}</h1>{rating}<p class="price">{price}</p><div class="woocommerce-product-details__short-description" x-f="short_description"><p>{r["short_description"]}</p></div>{stock}'
        f'<div class="product_meta">{sku}<span class="posted_in" x-f="categories">Categor{"ies" if len(r["categories"]) > 1 else "y"}: {cats}</span>{tagged}</div></div><div class="woocommerce-tabs"><h2>Additional information</h2>{weight}</div>{more}</div>'
    )


def _woo_head(r: Record, s: Style) -> str:
    return f'<title>{e(r["name"])} - Woo Store</title><meta property="og:title" content="{e(r["name"])}"><meta property="og:type" content="article">'


def _craft(r: Random) -> Record:
    return {
        "title": f"{v.thing(r)}, {v.thing(r)} for {v.city(r)}",
        "shop": v.company(r).replace(" ", ""),
        "price": v.amount(r, 5, 250),
        "shop_sales": r.randint(10, 90000),
        "shop_rating": r.randint(35, 50) / 10,
        "favorites": v.maybe(r, r.randint(2, 900), 0.8),
        "materials": r.sample(["Oak", "Brass", "Linen", "Wool", "Glass", "Clay"], r.randint(1, 4)),
        "handmade": r.random() < 0.6,
        "ships_from": v.city(r),
        "listed": v.day(r, 2024, 2025),
        "_also": [(v.thing(r), v.amount(r, 5, 250)) for _ in range(r.randint(2, 5))],
    }


def _craft_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    handmade = (
        '<li class="wt-list-unstyled wt-display-flex-xs" x-f="handmade"><div class="wt-ml-xs-1">Handmade</div></li>'
        if r["handmade"]
        else ""
    )
    favorites = (
        f'<div class="wt-pr-xs-2"><a class="wt-text-link" href="/f" x-f="favorites">{r["favorites"]} favorites</a></div>'
        if r["favorites"]
        else ""
    )
    also = "".join(
        f'<div class="wt-grid__item-xs-6"><h3 class="wt-text-caption">{name}</h3><p class="lc-price"><span class="currency-symbol">$</span><span class="currency-value">{price:.2f}</span></p></div>'
        for name, price in r["_also"]
    )
    return (
        f'{_crumbs("Homepage", "Home & Living", "Decor")}<div class="listing-page-content"><div data-buy-box><div data-selector="price-only"><p class="wt-text-title-larger wt-mr-xs-1" x-f="price"><span class="wt-screen-reader-only">Price:</span> {s.money(r["price"])}</p></div><h1 class="wt-line-height-tight wt-break-word wt-text-body" data-buy-box-listing-title="true" x-f="title">{e(r["title"])}</h1>'
        f'<div class="wt-mb-xs-2"><a href="/shop/{r["shop"]}" class="wt-text-link-no-underline" x-f="shop">{r["shop"]}</a> <span class="wt-text-caption" x-f="shop_sales">{r["shop_sales"]:,} sales</span> <span class="wt-text-caption" x-f="shop_rating"><span class="wt-screen-reader-only">{r["shop_rating"]} out of 5 stars</span></span></div></div><div data-id="product-details"><h2>Highlights</h2><ul>{handmade}<li class="wt-list-unstyled wt-display-flex-xs" x-f="materials"><div class="wt-ml-xs-1">Materials: {", ".join(r["materials"])}</div></li></ul></div>'
        f'<div data-estimated-delivery><div class="wt-grid"><div x-f="ships_from">Ships from: <b>{r["ships_from"]}</b></div></div></div><div class="wt-display-flex-xs"><div class="wt-pr-xs-2" x-f="listed">Listed on {s.date(r["listed"], "short")}</div>{favorites}</div><div class="wt-grid" data-recs><h2>You may also like</h2>{also}</div></div>'
    )


def _phone(r: Random) -> Record:
    return {
        "name": v.product(r),
        "price": v.amount(r, 99, 1400),
        "brand": v.company(r),
        "color": r.choice(["Graphite", "Sand", "Ocean", "Rose"]),
        "storage_gb": r.choice([64, 128, 256, 512]),
        "battery_mah": v.maybe(r, r.randint(30, 60) * 100, 0.7),
        "released": v.day(r, 2019, 2025),
        "warranty_years": r.randint(1, 5),
        "rating": r.randint(30, 50) / 10,
        "reviews": r.randint(1, 2400),
        "in_stock": r.random() < 0.7,
        "_also": [(v.product(r), v.amount(r, 99, 1400)) for _ in range(3)],
    }


def _tailwind_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    pairs = [
        ("brand", "Brand", e(r["brand"])),
        ("color", "Colour", r["color"]),
        ("storage_gb", "Storage", f"{r['storage_gb']} GB"),
        ("battery_mah", "Battery", f"{r['battery_mah']} mAh" if r["battery_mah"] else ""),
        ("released", "Released", s.date(r["released"])),
        ("warranty_years", "Warranty", f"{r['warranty_years']} year{'s' if r['warranty_years'] > 1 else ''}"),
    ]
    rows = "".join(
        f'<div class="px-4 py-6 sm:grid sm:grid-cols-3" x-f="{name}"><dt class="text-sm font-medium text-gray-900">{label}</dt><dd class="mt-1 text-sm text-gray-700">{value}</dd></div>'
        for name, label, value in pairs
        if value
    )
    stock = (
        '<span class="inline-flex rounded-full bg-green-100 px-2 text-xs text-green-800">In stock</span>'
        if r["in_stock"]
        else '<span class="inline-flex rounded-full bg-red-100 px-2 text-xs text-red-800">Out of stock</span>'
    )
    also = "".join(
        f'<a href="/p" class="group"><h3 class="mt-4 text-sm text-gray-700">{e(name)}</h3><p class="mt-1 text-lg font-medium text-gray-900">{s.money(price)}</p></a>'
        for name, price in r["_also"]
    )
    return (
        f'<div class="mx-auto max-w-7xl px-4"><div class="lg:col-span-2"><h1 class="text-3xl font-bold tracking-tight text-gray-900" x-f="name">{e(r["name"])}</h1><div class="mt-3"><h2 class="sr-only">Product information</h2><p class="text-3xl tracking-tight text-gray-900" x-f="price">{s.money(r["price"])}</p></div><div class="mt-3 flex items-center"><p class="sr-only" x-f="rating">{r["rating"]} out of 5 stars</p><a href="#reviews" class="ml-3 text-sm font-medium text-indigo-600" x-f="reviews">{r["reviews"]:,} review{"s" if r["reviews"] > 1 else ""}</a></div><div class="mt-4" x-f="in_stock">{stock}</div></div>'
        f'<dl class="divide-y divide-gray-100">{rows}</dl><div class="mt-6 grid grid-cols-1 gap-x-6">{also}</div></div>'
    )


def _watch(r: Random) -> Record:
    return {
        "name": v.product(r),
        "price": v.amount(r, 20, 2000),
        "currency": r.choice(["USD", "EUR", "GBP"]),
        "rating": r.randint(20, 50) / 10,
        "votes": r.randint(1, 900),
        "available": r.random() < 0.7,
        "gtin": f"{r.randint(10**12, 10**13 - 1)}",
        "image": f"https://microdata-shop.example/img/{r.randint(1000, 9999)}.jpg",
        "delivery_days": r.randint(1, 14),
        "energy": v.maybe(r, r.choice("ABCDEFG"), 0.6),
        "seller": v.company(r),
        "_also": [(v.product(r), v.amount(r, 20, 2000)) for _ in range(2)],
    }


def _watch_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    energy = (
        f'<figure class="energy" x-f="energy"><img src="/e/{r["energy"]}.svg" alt="Energy efficiency class {r["energy"]}"></figure>'
        if r["energy"]
        else ""
    )
    also = "".join(
        f'<li><a href="/p/{v.slug(name)}" title="{e(name)}">{e(name)}</a> <data value="{price}">{price} {r["currency"]}</data></li>'
        for name, price in r["_also"]
    )
    state = "available now" if r["available"] else "currently not available"
    return (
        f'<div itemscope><h1 itemprop="name" x-f="name">{e(r["name"])}</h1><img class="hero" src="{r["image"]}" alt="{e(r["name"])}" x-f="image"><div itemprop="offers"><data itemprop="price" value="{r["price"]}" x-f="price">{r["price"]:,.2f}</data> <abbr itemprop="priceCurrency" title="{r["currency"]}" x-f="currency">{r["currency"]}</abbr><p class="availability" x-f="available">This article is {state}</p><p x-f="delivery_days">Delivered in <strong>{r["delivery_days"]}</strong> working day{"s" if r["delivery_days"] > 1 else ""}</p><p x-f="seller">Sold and shipped by <a href="/s">{e(r["seller"])}</a></p></div>'
        f'<div itemprop="aggregateRating"><meter min="0" max="5" value="{r["rating"]}">{r["rating"]}</meter> <span itemprop="ratingValue" x-f="rating">{r["rating"]}</span> / 5 from <span itemprop="reviewCount" x-f="votes">{r["votes"]}</span> votes</div>{energy}<p class="gtin" x-f="gtin">GTIN <span itemprop="gtin13">{r["gtin"]}</span></p><aside><h2>Others bought</h2><ul>{also}</ul></aside></div>'
    )


SHOP_PAGES = [
    Design(
        "woo_product",
        schema_of(
            name="string",
            price="number",
            regular_price="number?",
            rating="number?",
            reviews="integer?",
            sku="string?",
            in_stock="boolean",
            categories=["string"],
            tags=["string"],
            weight="string?",
            short_description="string",
        ),
        _woo_draw,
        _woo_page,
        is_list=False,
        head=_woo_head,
        words={"SKU:": "Art.-Nr.:", "Weight": "Gewicht", "In stock": "Vorrätig"},
    ),
    Design(
        "craft_listing",
        schema_of(
            title="string",
            shop="string",
            price="number",
            shop_sales="integer",
            shop_rating="number",
            favorites="integer?",
            materials=["string"],
            handmade="boolean",
            ships_from="string",
            listed="date",
        ),
        _craft,
        _craft_page,
        is_list=False,
        words={"Materials:": "Material:", "Ships from:": "Versand aus:"},
    ),
    Design(
        "tailwind_product",
        schema_of(
            name="string",
            price="number",
            brand="string",
            color="string",
            storage_gb="integer",
            battery_mah="integer?",
            released="date",
            warranty_years="integer",
            rating="number",
            reviews="integer",
            in_stock="boolean",
        ),
        _phone,
        _tailwind_page,
        is_list=False,
        words={"Colour": "Farbe", "Storage": "Speicher", "Warranty": "Garantie"},
    ),
    Design(
        "microdata_shop",
        schema_of(
            name="string",
            price="number",
            currency="string",
            rating="number",
            votes="integer",
            available="boolean",
            gtin="string",
            image="uri",
            delivery_days="integer",
            energy="string?",
            seller="string",
        ),
        _watch,
        _watch_page,
        is_list=False,
        words={"votes": "Stimmen", "Sold and shipped by": "Verkauf durch"},
    ),
]
