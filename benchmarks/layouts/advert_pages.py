"""Pages about one offer: a car, a room, a vacancy, an evening out."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _crumbs(*words: str) -> str:
    inner = "".join(f'<li><a href="/{v.slug(word)}">{e(word)}</a></li>' for word in words)
    return f'<nav class="breadcrumb" aria-label="Breadcrumb"><ol>{inner}</ol></nav>'


def _advert(r: Random) -> Record:
    return {
        "title": f"{r.choice(['Vela', 'Tarn', 'Moro', 'Lyric'])} {r.choice(['1.0', '1.6', '2.0'])} {r.choice(['SE', 'GT', 'Eco'])} {r.choice(['5dr', '3dr'])}",
        "price": r.randint(10, 450) * 100,
        "year": r.randint(2005, 2025),
        "miles": r.randint(10, 150) * 1000 + r.randint(0, 999),
        "body": r.choice(["Hatchback", "Estate", "SUV", "Saloon"]),
        "gearbox": r.choice(["Manual", "Automatic"]),
        "fuel": r.choice(["Petrol", "Diesel", "Electric"]),
        "owners": v.maybe(r, r.randint(1, 6), 0.6),
        "seller": v.company(r),
        "seller_rating": v.maybe(r, r.randint(30, 50) / 10, 0.7),
        "description": v.text(r, 2, 4),
        "_also": [(v.thing(r), r.randint(10, 450) * 100, r.randint(2005, 2025)) for _ in range(3)],
    }


def _advert_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    rating = (
        f'<p class="seller__rating" x-f="seller_rating"><span>{r["seller_rating"]}</span> <span>out of 5</span></p>'
        if r["seller_rating"]
        else ""
    )
    owners = (
        f'<li class="key-specifications__item" x-f="owners">{r["owners"]} owner{"s" if r["owners"] > 1 else ""}</li>'
        if r["owners"]
        else ""
    )
    items = "".join(
        f'<li class="key-specifications__item" x-f="{name}">{value}</li>'
        for name, value in [
            ("year", r["year"]),
            ("body", r["body"]),
            ("miles", f"{r['miles']:,} miles"),
            ("gearbox", r["gearbox"]),
            ("fuel", r["fuel"]),
        ]
    )
    also = "".join(
        f'<article class="similar-advert"><h3>{name}</h3><span class="similar-advert__price">{s.round(price)}</span><ul><li>{year}</li><li>Manual</li></ul></article>'
        for name, price, year in r["_also"]
    )
    return (
        f'{_crumbs("Used cars", r["body"])}<section class="advert-heading"><h1 class="advert-heading__title" x-f="title">{r["title"]}</h1><h2 class="advert-price__cash-price" x-f="price">{s.round(r["price"])}</h2></section><ul class="key-specifications">{items}{owners}</ul><section class="fpa-description"><h2>Description</h2><p class="fpa-description-text" x-f="description">{r["description"]}</p></section>'
        f'<section class="seller"><h3 class="seller__name" x-f="seller">{e(r["seller"])}</h3>{rating}</section><section class="similar"><h2>Similar adverts</h2>{also}</section>'
    )


def _room(r: Random) -> Record:
    return {
        "title": v.thing(r) + " Loft",
        "kind": r.choice(["Entire rental unit", "Private room", "Entire cabin"]),
        "city": v.city(r),
        "guests": r.randint(1, 9),
        "bedrooms": r.randint(1, 4),
        "beds": r.randint(1, 7),
        "baths": r.randint(1, 3),
        "rating": r.randint(350, 500) / 100,
        "reviews": r.randint(2, 600),
        "host": v.person(r).split()[0],
        "superhost": r.random() < 0.5,
        "price": r.randint(30, 600),
        "amenities": r.sample(["Kitchen", "Wifi", "Free parking", "Pool", "Washer", "Crib"], r.randint(2, 5)),
        "_text": v.text(r, 2, 4),
    }


def _room_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css

    def many(count: int, word: str) -> str:
        return f"{count} {word}{'s' if count > 1 else ''}"

    facts = "".join(
        f'<li class="{c("fact")}" x-f="{name}">{"<span> · </span>" if n else ""}{many(r[name], word)}</li>'
        for n, (name, word) in enumerate(
            [("guests", "guest"), ("bedrooms", "bedroom"), ("beds", "bed"), ("baths", "bath")]
        )
    )
    superhost = '<li class="c1l7d" x-f="superhost">Superhost</li>' if r["superhost"] else ""
    amenities = "".join(f'<div class="{c("amenity")}"><div>{one}</div></div>' for one in r["amenities"])
    return (
        f'<div data-section-id="TITLE_DEFAULT"><h1 elementtiming="LCP-target" class="{c("title")}" x-f="title">{r["title"]}</h1></div><div data-section-id="OVERVIEW_DEFAULT_V2"><div class="{c("over")}"><h2 class="{c("kind")}"><span x-f="kind">{r["kind"]}</span> in <span x-f="city">{r["city"]}</span></h2><ol class="{c("facts")}">{facts}</ol></div><div class="{c("rev")}"><span x-f="rating">{r["rating"]:.2f}</span> <span>·</span> <a href="#r" x-f="reviews">{r["reviews"]} reviews</a></div></div>'
        f'<div data-section-id="HOST_OVERVIEW_DEFAULT"><div class="{c("host")}" x-f="host">Hosted by {r["host"]}</div><ol>{superhost}<li class="c1l7d">{r["guests"] + 1} years hosting</li></ol></div><div data-section-id="DESCRIPTION_DEFAULT"><span>{r["_text"]}</span></div><div data-section-id="AMENITIES_DEFAULT"><h2>What this place offers</h2><div x-f="amenities">{amenities}</div></div><div data-section-id="BOOK_IT_SIDEBAR"><span class="{c("price")}" x-f="price">${r["price"]}</span> <span class="{c("unit")}">night</span><button>Reserve</button></div>'
    )


def _job(r: Random) -> Record:
    low = r.randint(30, 120) * 1000
    return {
        "title": f"{r.choice(['Senior', 'Junior', 'Lead', 'Staff'])} {r.choice(['Engineer', 'Nurse', 'Analyst', 'Welder', 'Teacher'])}",
        "company": v.company(r),
        "company_rating": v.maybe(r, r.randint(20, 50) / 10, 0.7),
        "location": f"{v.city(r)}, {r.choice(['TX', 'NY', 'WA', 'IL'])}",
        "salary_min": None,
        "salary_max": None,
        "_pay": (low, low + r.randint(5, 40) * 1000) if r.random() < 0.6 else None,
        "job_type": v.maybe(r, r.choice(["Full-time", "Part-time", "Contract"]), 0.8),
        "benefits": r.sample(
            ["401(k)", "Dental insurance", "Paid time off", "Vision insurance", "Parking"], r.randint(0, 4)
        ),
        "remote": r.random() < 0.3,
        "posted": v.day(r, 2025, 2025),
        "_text": [v.text(r, 2, 4) for _ in range(3)],
        "_also": [(v.thing(r), v.company(r)) for _ in range(3)],
    }


def _job_draw(r: Random) -> Record:
    made = _job(r)
    low, high = made["_pay"] or (None, None)
    return {**made, "salary_min": low, "salary_max": high}


def _indeed_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    rating = (
        f'<span class="css-1unnuiz"><span aria-hidden="true" x-f="company_rating">{r["company_rating"]}</span></span>'
        if r["company_rating"]
        else ""
    )
    pay = f"${r['salary_min']:,} - ${r['salary_max']:,} a year" if r["salary_min"] else ""
    salary = f'<span class="css-1jh4tn2">{pay}</span>' if pay else ""
    kind = (
        f'<span class="css-k5flys" x-f="job_type">{"-  " if pay else ""}{r["job_type"]}</span>' if r["job_type"] else ""
    )
    details = (
        f'<div role="group" aria-label="Pay"><h3 class="css-1q">Pay</h3><ul><li data-testid="list-item"><span class="css-k0" x-f="salary_min">{pay}</span></li></ul></div>'
        if pay
        else ""
    )
    details += (
        f'<div role="group" aria-label="Job type"><h3 class="css-1q">Job type</h3><ul><li data-testid="list-item"><span class="css-k0">{r["job_type"]}</span></li></ul></div>'
        if r["job_type"]
        else ""
    )
    benefits = (
        f'<div id="benefits"><h2>Benefits</h2><ul x-f="benefits">{"".join(f"<li>{one}</li>" for one in r["benefits"])}</ul></div>'
        if r["benefits"]
        else ""
    )
    also = "".join(
        f'<div class="job_seen_beacon"><h3>{name}</h3><span>{e(who)}</span></div>' for name, who in r["_also"]
    )
    body = "".join(f"<p>{one}</p>" for one in r["_text"])
    return (
        f'<div class="jobsearch-InfoHeaderContainer"><h1 class="jobsearch-JobInfoHeader-title" data-testid="jobsearch-JobInfoHeader-title" x-f="title"><span>{r["title"]}</span></h1><div data-testid="jobsearch-CompanyInfoContainer"><div data-company-name="true" data-testid="inlineHeader-companyName" x-f="company"><span><a href="/cmp">{e(r["company"])}</a></span></div>{rating}<div data-testid="inlineHeader-companyLocation" x-f="location"><div>{r["location"]}</div></div>{"<div class=css-17c>Remote</div>" if r["remote"] else ""}</div><div id="salaryInfoAndJobType">{salary}{kind}</div></div>'
        f'<div id="jobDetailsSection"><h2>Job details</h2>{details}</div>{benefits}<h2>Full job description</h2><div id="jobDescriptionText">{body}</div><div class="posted" x-f="posted">Posted on {s.date(r["posted"])}</div><div class="more"><h2>Similar jobs</h2>{also}</div>'
    )


def _happening(r: Random) -> Record:
    return {
        "title": f"{v.thing(r)} {r.choice(['Workshop', 'Meetup', 'Concert', 'Fair'])}",
        "date": v.day(r, 2025, 2026),
        "starts": f"{r.randint(8, 21)}:{r.choice(['00', '15', '30'])}",
        "organizer": v.company(r),
        "organizer_followers": v.maybe(r, r.randint(3, 900), 0.6),
        "venue": v.maybe(r, f"{v.thing(r)} Hall", 0.75),
        "address": None,
        "price_from": v.maybe(r, v.amount(r, 5, 90), 0.7),
        "duration_hours": r.randint(1, 9),
        "tags": [one.title() for one in v.words(r, r.randint(0, 4))],
        "refunds": r.choice(["No Refunds", "Refunds up to 7 days before event", "Refunds up to 1 day before event"]),
        "_text": v.text(r, 2, 5),
        "_street": f"{r.randint(1, 200)} {v.thing(r)} Street, {v.city(r)}",
        "_also": [(v.thing(r), v.day(r, 2025, 2026), v.amount(r, 5, 90)) for _ in range(3)],
    }


def _happening_draw(r: Random) -> Record:
    made = _happening(r)
    return {**made, "address": made["_street"] if made["venue"] else None}


def _eventbrite_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    price = (
        f'<div class="conversion-bar__panel-info" x-f="price_from">From {s.money(r["price_from"])}</div>'
        if r["price_from"]
        else '<div class="conversion-bar__panel-info">Free</div>'
    )
    where = (
        f'<div class="location-info__address"><p class="location-info__address-text" x-f="venue">{r["venue"]}</p><span x-f="address">{r["_street"]}</span></div>'
        if r["venue"]
        else '<div class="location-info__address"><p>Online</p></div>'
    )
    fans = (
        f'<div class="organizer-stats__highlight" x-f="organizer_followers"><strong>{r["organizer_followers"]}</strong> followers</div>'
        if r["organizer_followers"]
        else ""
    )
    tags = "".join(f'<li class="tags-item"><a class="tags-link" href="/t">{one}</a></li>' for one in r["tags"])
    tagged = f'<div class="tags-wrap"><h2>Tags</h2><ul x-f="tags">{tags}</ul></div>' if tags else ""
    also = "".join(
        f'<section class="event-card-details"><h3>{name}</h3><p>{s.date(day, "short")}</p><p>From {s.money(amount)}</p></section>'
        for name, day, amount in r["_also"]
    )
    return (
        f'<div class="event-listing"><h1 class="event-title" x-f="title">{r["title"]}</h1><div class="descriptive-organizer-info"><strong class="organizer-listing-info-variant-b__name-link" x-f="organizer">By {e(r["organizer"])}</strong>{fans}</div><div data-testid="dateAndTime"><h2>Date and time</h2><span class="date-info__full-datetime"><span x-f="date">{s.date(r["date"])}</span> · Starts at <span x-f="starts">{r["starts"]}</span></span></div><div data-testid="location"><h2>Location</h2>{where}</div><div data-testid="refundPolicy"><h2>Refund Policy</h2><section x-f="refunds">{r["refunds"]}</section></div>'
        f'<div data-testid="aboutThisEvent"><h2>About this event</h2><ul class="highlights"><li x-f="duration_hours">Event lasts {r["duration_hours"]} hour{"s" if r["duration_hours"] > 1 else ""}</li></ul><p>{r["_text"]}</p></div>{tagged}<div class="conversion-bar">{price}<button>Get tickets</button></div><div class="other-events"><h2>Other events you may like</h2>{also}</div></div>'
    )


ADVERT_PAGES = [
    Design(
        "car_advert",
        schema_of(
            title="string",
            price="number",
            year="integer",
            miles="integer",
            body="string",
            gearbox="string",
            fuel="string",
            owners="integer?",
            seller="string",
            seller_rating="number?",
            description="string",
        ),
        _advert,
        _advert_page,
        is_list=False,
        words={"miles": "Meilen", "owners": "Besitzer"},
    ),
    Design(
        "airbnb_room",
        schema_of(
            title="string",
            kind="string",
            city="string",
            guests="integer",
            bedrooms="integer",
            beds="integer",
            baths="integer",
            rating="number",
            reviews="integer",
            host="string",
            superhost="boolean",
            price="number",
            amenities=["string"],
        ),
        _room,
        _room_page,
        is_list=False,
        words={"guests": "Gäste", "reviews": "Bewertungen", "Hosted by": "Gastgeber:"},
    ),
    Design(
        "indeed_job",
        schema_of(
            title="string",
            company="string",
            company_rating="number?",
            location="string",
            salary_min="number?",
            salary_max="number?",
            job_type="string?",
            benefits=["string"],
            remote="boolean",
            posted="date",
        ),
        _job_draw,
        _indeed_page,
        is_list=False,
        words={"Pay": "Gehalt", "Job type": "Art", "Posted on": "Seit"},
    ),
    Design(
        "ticket_event",
        schema_of(
            title="string",
            date="date",
            starts="string",
            organizer="string",
            organizer_followers="integer?",
            venue="string?",
            address="string?",
            price_from="number?",
            duration_hours="integer",
            tags=["string"],
            refunds="string",
        ),
        _happening_draw,
        _eventbrite_page,
        is_list=False,
        words={"Location": "Ort", "Refund Policy": "Erstattung"},
    ),
]
