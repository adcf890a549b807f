"""Storefronts as they are built now: hashed and utility classes, elements of the site's own, attributes that hold values."""

import json
from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _styled(r: Random) -> Record:
    price = v.amount(r, 4, 1400)
    return {
        "name": v.product(r),
        "price": price,
        "was": v.maybe(r, round(price * 1.3, 2), 0.3),
        "rating": v.maybe(r, r.randint(21, 50) / 10, 0.8),
        "reviews": r.randint(2, 4000),
        "_n": r.randint(1000, 99999),
    }


def _styled_record(r: Random) -> Record:
    made = _styled(r)
    return {**made, "reviews": None if made["rating"] is None else made["reviews"]}


def _render_styled(records: Sequence[Record], s: Style) -> str:
    """Prices split over nodes, a label in a promoted card that is no record."""

    def c(role: str) -> str:
        return f'class="sc-{s.css(role)[-5:]}-0 {s.css(role + "x")[-6:]}"'

    def money(amount: float) -> str:
        whole, cents = f"{amount:,.2f}".split(".")
        return f"<span {c('sign')}>$</span><span {c('whole')}>{whole}</span><sup {c('cents')}>{cents}</sup>"

    def one(r: Record) -> str:
        was = f'<del {c("was")} x-f="was">${r["was"]:,.2f}</del>' if r["was"] else ""
        stars = (
            f'<div {c("stars")}><span {c("score")} x-f="rating">{r["rating"]}</span><span {c("count")} x-f="reviews">({r["reviews"]:,})</span></div>'
            if r["rating"]
            else ""
        )
        return f'<div {c("cell")} x-r><div {c("card")}><a {c("link")} href="/p/{r["_n"]}"><img {c("image")} src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/i/{r["_n"]}.jpg" alt=""></a><div {c("body")}><a {c("title")} href="/p/{r["_n"]}" x-f="name">{e(r["name"])}</a>{stars}<div {c("price")} x-f="price">{money(r["price"])}</div>{was}<button {c("add")}>Add to cart</button></div></div></div>'

    ad = f'<div {c("cell")}><div {c("promo")}><span {c("label")}>Sponsored</span><a href="/ad">Upgrade your kitchen this spring</a></div></div>'
    rows = [one(r) + (ad if n % 7 == 3 else "") for n, r in enumerate(records)]
    return f"<div {c('grid')}>{''.join(rows)}</div>"


def _deal(r: Random) -> Record:
    price = v.amount(r, 8, 300)
    sale = r.random() < 0.5
    return {
        "title": v.product(r),
        "brand": v.company(r),
        "price": price,
        "old_price": round(price / 0.8, 2) if sale else None,
        "colors": v.maybe(r, r.randint(2, 9), 0.5),
        "is_new": r.random() < 0.3,
        "url": f"https://tailwind-deals.example/item/{r.randint(10**5, 10**6)}",
    }


def _render_deals(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        badge = (
            '<span class="absolute left-2 top-2 rounded bg-emerald-600 px-2 py-0.5 text-xs text-white" x-f="is_new">New</span>'
            if r["is_new"]
            else ""
        )
        if r["old_price"]:
            cost = f'<span class="text-sm font-bold text-red-600" x-f="price">{s.money(r["price"])}</span><span class="ml-2 text-sm text-gray-400 line-through" x-f="old_price">{s.money(r["old_price"])}</span><span class="ml-2 text-xs text-red-600">-20%</span>'
        else:
            cost = f'<span class="text-sm font-bold text-gray-900" x-f="price">{s.money(r["price"])}</span>'
        colors = f'<p class="mt-1 text-xs text-gray-500" x-f="colors">{r["colors"]} colors</p>' if r["colors"] else ""
        path = r["url"][len("https://tailwind-deals.example") :]
        return f'<div class="group relative" x-r>{badge}<div class="aspect-h-1 aspect-w-1 w-full overflow-hidden rounded-md bg-gray-200 lg:h-80"><img data-src="/img/{n}.webp" srcset="/img/{n}-1x.webp 1x, /img/{n}-2x.webp 2x" loading="lazy" alt="Front of the product" class="h-full w-full object-cover"></div><div class="mt-4 flex justify-between"><div><h3 class="text-sm text-gray-700"><a href="{path}" x-f="url"><span aria-hidden="true" class="absolute inset-0"></span><span x-f="title">{e(r["title"])}</span></a></h3><p class="mt-1 text-sm text-gray-500" x-f="brand">{e(r["brand"])}</p>{colors}</div><p>{cost}</p></div></div>'

    banner = '<div class="col-span-full rounded-lg bg-indigo-50 p-6 text-center"><p class="text-lg font-semibold text-indigo-700">Free returns for 60 days</p></div>'
    rows = [one(n, r) + (banner if n == 8 else "") for n, r in enumerate(records, 1)]
    return f'<div class="mx-auto max-w-7xl px-4"><h2 class="text-2xl font-bold tracking-tight">Customers also purchased</h2><div class="mt-6 grid grid-cols-2 gap-x-6 gap-y-10 lg:grid-cols-4">{"".join(rows)}</div></div>'


def _component(r: Random) -> Record:
    return {
        "name": v.product(r),
        "sku": f"{r.choice('ABCDE')}{r.randint(10000, 99999)}",
        "price": v.amount(r, 3, 600),
        "stock": r.randint(1, 90),
        "seller": v.maybe(r, v.company(r), 0.6),
    }


def _render_components(records: Sequence[Record], s: Style) -> str:
    """Elements of the site's own, values in their attributes and again in what they hold."""

    def one(r: Record) -> str:
        seller = f'<seller-badge slot="seller" x-f="seller">{e(r["seller"])}</seller-badge>' if r["seller"] else ""
        return f'<product-tile sku="{r["sku"]}" data-price="{r["price"]}" x-r><h3 slot="heading" x-f="name">{e(r["name"])}</h3><price-tag currency="USD" x-f="price"><span part="amount">{s.money(r["price"])}</span></price-tag><stock-level x-f="stock">{r["stock"]} in stock</stock-level>{seller}<small slot="sku" x-f="sku">Art. {r["sku"]}</small></product-tile>'

    return f'<product-list layout="grid">{"".join(map(one, records))}</product-list>'


def _tracked(r: Random) -> Record:
    return {
        "name": v.product(r),
        "brand": v.company(r),
        "price": v.amount(r, 5, 500),
        "category": r.choice(["Lighting", "Garden", "Kitchen", "Office", "Bath"]),
    }


def _render_tracked(records: Sequence[Record], s: Style) -> str:
    """JSON for the site's statistics in an attribute of each card; the card says less, brand and category among it."""

    def one(n: int, r: Record) -> str:
        data = e(
            json.dumps(
                {"item_id": 4000 + n, "item_brand": r["brand"], "item_category": r["category"], "price": r["price"]}
            )
        )
        return f'<article class="pc" data-gtm="{data}" x-r><a class="pc__link" href="/d/{4000 + n}"><picture><source srcset="/w/{n}.avif 1x"><img src="/w/{n}.jpg" alt="{e(r["name"])}"></picture><p class="pc__brand" x-f="brand">{e(r["brand"])}</p><h2 class="pc__name" x-f="name">{e(r["name"])}</h2></a><p class="pc__crumb" x-f="category">{r["category"]}</p><p class="pc__price" x-f="price">{s.money(r["price"])}</p></article>'

    return f'<section class="plp" data-count="{len(records)}">{"".join(one(n, r) for n, r in enumerate(records))}</section>'


_JA = ["陶器", "木製", "軽量", "折りたたみ", "北欧風", "職人", "手作り", "防水"]
_JA_THINGS = ["ランプ", "マグカップ", "リュック", "まな板", "ブランケット", "やかん", "椅子", "時計"]


def _ichiba(r: Random) -> Record:
    return {
        "item": f"{r.choice(_JA)} {r.choice(_JA_THINGS)} {r.choice('ABCDEFGH')}{r.randint(100, 9999)}",
        "price": r.randint(3, 900) * 40,
        "shop": f"{r.choice(['青山', '京都', '北海', '丸山', '桜井'])}{r.choice(['商店', '雑貨', 'ストア', '工房'])}",
        "rating": v.maybe(r, r.randint(310, 500) / 100, 0.7),
        "reviews": r.randint(2, 900),
        "free_shipping": r.random() < 0.4,
    }


def _ichiba_record(r: Random) -> Record:
    made = _ichiba(r)
    return {**made, "reviews": None if made["rating"] is None else made["reviews"]}


def _render_ichiba(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        review = (
            f'<div class="content review"><a href="/review/{n}"><span class="score" x-f="rating">{r["rating"]:.2f}</span><span class="legend" x-f="reviews">({r["reviews"]:,}件)</span></a></div>'
            if r["rating"]
            else ""
        )
        free = '<span class="with-help" x-f="free_shipping">送料無料</span>' if r["free_shipping"] else ""
        return f'<div class="dui-card searchresultitem" x-r><div class="image"><a href="/i/{n}"><img class="_verticallyaligned" src="/t/{n}.jpg" alt=""></a></div><div class="content title"><h2><a href="/i/{n}" x-f="item">{r["item"]}</a></h2></div><div class="content description price"><span class="important" x-f="price">{r["price"]:,}<small>円</small></span>{free}</div>{review}<div class="content merchant _ellipsis"><a href="/s/{n % 4}" x-f="shop">{r["shop"]}</a></div></div>'

    return f'<div class="count"><span>検索結果 1～{len(records)}件 （{len(records)}件）</span></div><div class="dui-cards searchresultitems">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


_AR = ["مصباح", "حقيبة", "كرسي", "ساعة", "غلاية", "خزانة", "بطانية", "كاميرا"]
_AR_KINDS = ["خشبي", "ذهبي", "صغير", "محمول", "أزرق", "حديث"]


def _souq(r: Random) -> Record:
    return {
        "name": f"{r.choice(_AR)} {r.choice(_AR_KINDS)} {r.randint(100, 999)}",
        "price": v.amount(r, 20, 900),
        "discount_percent": v.maybe(r, r.choice([10, 15, 20, 30]), 0.4),
        "seller": f"متجر {r.choice(['النور', 'الواحة', 'الخليج', 'المدينة', 'الربيع'])}",
        "sold": r.randint(3, 900),
    }


def _render_souq(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        off = (
            f'<span class="badge off" x-f="discount_percent">خصم {r["discount_percent"]}%</span>'
            if r["discount_percent"]
            else ""
        )
        return f'<li class="product" dir="rtl" x-r><a href="#"><bdi class="name" x-f="name">{r["name"]}</bdi></a>{off}<div class="row"><b class="cost" x-f="price"><span>{r["price"]:.2f}</span> <span class="cur">ر.س</span></b><span class="sold" x-f="sold">تم بيع {r["sold"]}</span></div><small class="by" x-f="seller">{r["seller"]}</small></li>'

    return f'<div lang="ar" dir="rtl"><h1>كل المنتجات</h1><ul class="products">{"".join(map(one, records))}</ul></div>'


def _grocery(r: Random) -> Record:
    price = v.amount(r, 0.4, 25)
    return {
        "product": f"{v.thing(r)} {r.choice(['Muesli', 'Juice', 'Pasta', 'Cheese', 'Soap'])}",
        "size": f"{r.choice([250, 400, 500, 750, 1000])} {r.choice(['g', 'ml'])}",
        "price": price,
        "price_per_kg": round(price * r.choice([1, 2, 4]), 2),
        "offer_until": v.maybe(r, v.day(r, 2025, 2025), 0.3),
        "labels": r.sample(["Vegan", "Organic", "Gluten free", "Local", "Fair trade"], r.randint(0, 3)),
    }


def _render_groceries(records: Sequence[Record], s: Style) -> str:
    def c(role: str) -> str:
        return f'class="ProductCard_{role}__{s.css(role)[-5:]}"'

    def one(n: int, r: Record) -> str:
        until = (
            f'<p {c("offer")}>Offer ends <time datetime="{r["offer_until"]}" x-f="offer_until">{s.date(r["offer_until"], "short")}</time></p>'
            if r["offer_until"]
            else ""
        )
        chips = "".join(f"<li {c('chip')}>{x}</li>" for x in r["labels"])
        chips = f'<ul {c("chips")} x-f="labels">{chips}</ul>' if chips else ""
        return f'<li {c("item")} data-testid="product-{n}" x-r><a href="/g/{n}" aria-label="{e(r["product"])}, {r["size"]}"></a><h3 {c("name")} x-f="product">{e(r["product"])}</h3><span {c("size")} x-f="size">{r["size"]}</span>{chips}<div {c("prices")}><span {c("price")} aria-label="Price: {r["price"]:.2f}" x-f="price">{s.money(r["price"])}</span><span {c("unit")} x-f="price_per_kg">{s.money(r["price_per_kg"])} / kg</span></div>{until}<div {c("stepper")}><button aria-label="Less">-</button><input value="1"><button aria-label="More">+</button></div></li>'

    return f"<ul {c('list')}>{''.join(one(n, r) for n, r in enumerate(records))}</ul>"


def _shelf(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "price": v.amount(r, 9, 60),
        "rating": r.randint(1, 5),
        "in_stock": r.random() < 0.8,
        "url": f"https://book-shelf.example/catalogue/{v.slug(v.thing(r))}_{r.randint(1, 999)}/index.html",
        "image": f"https://book-shelf.example/media/cache/{r.randint(10**6, 10**7)}.jpg",
    }


def _render_shelf(records: Sequence[Record], s: Style) -> str:
    words = ["", "One", "Two", "Three", "Four", "Five"]

    def one(r: Record) -> str:
        title = r["title"] if len(r["title"]) < 24 else r["title"][:20] + " ..."
        path = r["url"][len("https://book-shelf.example/") :]
        stock = (
            '<p class="instock availability" x-f="in_stock">\n<i class="icon-ok"></i>\n    \n        In stock\n    \n</p>'
            if r["in_stock"]
            else '<p class="outofstock availability" x-f="in_stock">\n<i class="icon-remove"></i>\n        Out of stock\n</p>'
        )
        return f'<li class="col-xs-6 col-sm-4 col-md-3 col-lg-3"><article class="product_pod" x-r><div class="image_container"><a href="{path}"><img src="media/cache/{r["image"].rpartition("/")[2]}" alt="{e(r["title"])}" class="thumbnail" x-f="image"></a></div><p class="star-rating {words[r["rating"]]}" x-f="rating"><i class="icon-star"></i><i class="icon-star"></i><i class="icon-star"></i><i class="icon-star"></i><i class="icon-star"></i></p><h3><a href="{path}" title="{e(r["title"])}" x-f="title">{e(title)}</a></h3><div class="product_price"><p class="price_color" x-f="price">£{r["price"]}</p>{stock}<form><button type="submit" class="btn btn-primary btn-block">Add to basket</button></form></div></article></li>'

    return f'<base href="https://book-shelf.example/"><div class="page-header action"><h1>All products</h1></div><form class="form-horizontal"><strong>{len(records)}</strong> results.</form><section><ol class="row">{"".join(map(one, records))}</ol></section>'


def _twin(r: Random) -> Record:
    return {
        "name": f"{v.company(r)} {r.choice(['Roofing', 'Plumbing', 'Movers', 'Cleaning'])}",
        "rating": r.randint(20, 50) / 10,
        "reviews": r.randint(1, 900),
        "phone": v.maybe(r, f"({r.randint(200, 990)}) 555-{r.randint(1000, 9999)}", 0.7),
        "area": v.city(r),
    }


def _render_twins(records: Sequence[Record], s: Style) -> str:
    """Advertisements in the records' own markup: only a label inside tells."""

    def card(r: Record, label: str, mark: str) -> str:
        phone = f'<p class="tel" x-f="phone">{r["phone"]}</p>' if r["phone"] else ""
        return f'<div class="result"{mark}>{label}<h3 class="result-name"><a href="/biz/{v.slug(r["name"])}" x-f="name">{e(r["name"])}</a></h3><div class="meta"><span class="score" x-f="rating">{r["rating"]}</span> <span class="count" x-f="reviews">({r["reviews"]} reviews)</span></div><p class="area" x-f="area">{r["area"]}</p>{phone}</div>'

    label = '<span class="tag">Sponsored</span>'
    luck = Random(str(records[0]["name"]))
    rows = [card(r, "", " x-r") + (card(_twin(luck), label, "") if n % 9 == 4 else "") for n, r in enumerate(records)]
    return f'<h2>Results</h2><div class="results">{"".join(rows)}</div>'


STOREFRONTS = [
    Design("styled_shop", schema_of(name="string", price="number", was="number?", rating="number?", reviews="integer?"), _styled_record, _render_styled),
    Design("tailwind_deals", schema_of(title="string", brand="string", price="number", old_price="number?", colors="integer?", is_new="boolean", url="uri"), _deal, _render_deals),
    Design("web_components", schema_of(name="string", sku="string", price="number", stock="integer", seller="string?"), _component, _render_components),
    Design("json_attributes", schema_of(name="string", brand="string", price="number", category="string"), _tracked, _render_tracked),
    Design("ichiba", schema_of(item="string", price="integer", shop="string", rating="number?", reviews="integer?", free_shipping="boolean"), _ichiba_record, _render_ichiba),
    Design("souq", schema_of(name="string", price="number", discount_percent="integer?", seller="string", sold="integer"), _souq, _render_souq),
    Design("groceries", schema_of(product="string", size="string", price="number", price_per_kg="number", offer_until="date?", labels=["string"]), _grocery, _render_groceries),
    Design("book_shelf", schema_of(title="string", price="number", rating="integer", in_stock="boolean", url="uri", image="uri"), _shelf, _render_shelf),
    Design("sponsored_twins", schema_of(name="string", rating="number", reviews="integer", phone="string?", area="string"), _twin, _render_twins),
]  # fmt: skip
