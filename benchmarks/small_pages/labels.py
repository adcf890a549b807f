"""Single things and short lists whose labels say less, more or other words than the fields do."""

from small_pages.design import ADDRESS, COUNT, DAY, FLAG, NUMBER, TEXT, WORDS, SmallPage, many, page, records, thing


def _rows(**pairs: object) -> str:
    return "".join(f"<tr><th>{label.replace('_', ' ')}</th><td>{value}</td></tr>" for label, value in pairs.items())


_BOOK = page(
    f"<h1>Salt and Larch</h1><p>by Orla Fenwick</p><table>{_rows(Date='June 2031', Publisher='Quay Press')}</table>"
    "<p>212 pages, 9 maps</p><p>Read it at <a href='https://doi.org/10.5555/larch.2031.7'>doi.org/10.5555/larch.2031.7</a></p>"
)
_FLAT = page(
    "<h1>Flat 4, Mill House</h1><p>Rent: £1,150 a month</p><p>Deposit: not available</p><p>2 bedrooms, 71 m²</p>"
    "<p>Agent: Holt &amp; Daughters</p><p>Brixham TQ5 8AA<br>01632 960 144</p><p>Lift: no</p>"
)
_PIE = page(
    "<h1>Leek pie</h1><p>From Tilda Moor</p><dl><dt>Total</dt><dd>1 h 20</dd><dt>Prep</dt><dd>25 min</dd>"
    "<dt>Serves</dt><dd>6</dd></dl><p>4.6 of 5, 38 votes</p><h2>Ingredients</h2><ul><li>3 leeks</li><li>200 g flour</li>"
    "<li>1 egg</li><li>salt</li></ul>"
)
_GAMES = (("Gulls", 3, "Herons", 1), ("Terns", 0, "Skuas", 2), ("Auks", 4, "Knots", 2), ("Eiders", 1, "Petrels", 5))
_SCORES = page(
    "<h1>Results</h1>"
    + "".join(
        f"<div class=game><p>{a}</p><p>{x}</p><p>{b}</p><p>{y}</p><p>Round {at}</p></div>"
        for at, (a, x, b, y) in enumerate(_GAMES, 1)
    )
)
_JOBS = (("Night baker", 18, "Leeds"), ("Boat builder", 24, "Hull"), ("Tree surgeon", 21, "York"))
_THREADS = (("Loose hinge on a gate", "gwen", 14), ("Oil for a lathe", "otto", 0), ("Paint for oak", "ines", 3))
_PLACES = (
    ("Elm Hall", "EX4 4AB", "01632 960 101"),
    ("Oak Hall", "EX2 7CD", "01632 960 187"),
    ("Fir Hall", "EX1 3EF", "01632 960 122"),
)
_DOCKET = (
    ("7 March 2031", 1, "Case opened."),
    ("12 April 2031", 13, "Notice of hearing. Type and Date: Sentencing, 17 May 2031."),
    ("9 May 2031", 14, "Record filed."),
)

LABELS = (
    SmallPage(
        "label with fewer words",
        _BOOK,
        thing(
            title=TEXT, author=WORDS, publication_date=WORDS, publisher=WORDS, page_count=COUNT, maps=COUNT, doi=WORDS
        ),
        {
            "title": "Salt and Larch",
            "author": "Orla Fenwick",
            "publication_date": "June 2031",
            "publisher": "Quay Press",
            "page_count": 212,
            "maps": 9,
            "doi": "10.5555/larch.2031.7",
        },
    ),
    SmallPage(
        "value not available",
        _FLAT,
        thing(
            title=TEXT,
            monthly_rent=NUMBER,
            deposit=NUMBER,
            bedrooms=COUNT,
            area_m2=NUMBER,
            agent=WORDS,
            phone=WORDS,
            lift=FLAG,
        ),
        {
            "title": "Flat 4, Mill House",
            "monthly_rent": 1150,
            "deposit": None,
            "bedrooms": 2,
            "area_m2": 71,
            "agent": "Holt & Daughters",
            "phone": "01632 960 144",
            "lift": False,
        },
    ),
    SmallPage(
        "times and votes",
        _PIE,
        thing(
            title=TEXT,
            author=WORDS,
            total_minutes=COUNT,
            prep_minutes=COUNT,
            servings=COUNT,
            rating=NUMBER,
            votes=COUNT,
            ingredients=many(TEXT),
        ),
        {
            "title": "Leek pie",
            "author": "Tilda Moor",
            "total_minutes": 80,
            "prep_minutes": 25,
            "servings": 6,
            "rating": 4.6,
            "votes": 38,
            "ingredients": ["3 leeks", "200 g flour", "1 egg", "salt"],
        },
    ),
    SmallPage(
        "winner is one of two",
        _SCORES,
        records(home=TEXT, home_goals=COUNT, guest=WORDS, guest_goals=COUNT, winner=WORDS),
        [
            {"home": a, "home_goals": x, "guest": b, "guest_goals": y, "winner": a if x > y else b}
            for a, x, b, y in _GAMES
        ],
    ),
    SmallPage(
        "lowest pay",
        page(
            "<h1>Jobs</h1><ul>"
            + "".join(f"<li><h2>{job}</h2><p>{town}</p><p>from £{pay} an hour</p></li>" for job, pay, town in _JOBS)
            + "</ul>"
        ),
        records(job=TEXT, town=WORDS, hourly_pay_min=NUMBER),
        [{"job": job, "town": town, "hourly_pay_min": pay} for job, pay, town in _JOBS],
    ),
    SmallPage(
        "nought replies",
        page(
            "<h1>Workshop</h1><table><tr><th>Thread</th><th>By</th><th>Replies</th></tr>"
            + "".join(f"<tr><td>{t}</td><td>{a}</td><td>{n}</td></tr>" for t, a, n in _THREADS)
            + "</table>"
        ),
        records(thread=TEXT, author=WORDS, replies=COUNT),
        [{"thread": t, "author": a, "replies": n} for t, a, n in _THREADS],
    ),
    SmallPage(
        "phone behind a postcode",
        page(
            "<h1>Halls</h1>"
            + "".join(
                f"<div class=hall><h3>{n}</h3><p>2 Quay Street, Exeter {c}<br>{p}</p></div>" for n, c, p in _PLACES
            )
        ),
        records(hall=TEXT, phone=WORDS),
        [{"hall": n, "phone": p} for n, _, p in _PLACES],
    ),
    SmallPage(
        "label inside a long text",
        page(
            "<h1>Docket</h1><table>"
            + "".join(f"<tr><td>{d}</td><td>{n}</td><td>{t}</td></tr>" for d, n, t in _DOCKET)
            + "</table>"
        ),
        records(text=TEXT, number=COUNT, date=DAY),
        [
            {"text": t, "number": n, "date": d}
            for (_, n, t), d in zip(_DOCKET, ("2031-03-07", "2031-04-12", "2031-05-09"), strict=True)
        ],
    ),
    SmallPage(
        "data with fewer fields than asked for",
        page(
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Heath bowl",'
            '"offers":{"@type":"Offer","price":"13.75","priceCurrency":"GBP"}}</script><h1>Heath bowl</h1>'
            "<p>Price: £13.75</p><p>Material: ash wood</p><p>Made in Wales.</p>"
        ),
        thing(title=TEXT, price=NUMBER, material=WORDS, made_in=WORDS),
        {"title": "Heath bowl", "price": 13.75, "material": "ash wood", "made_in": "Wales"},
    ),
    SmallPage(
        "data with all fields",
        page(
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Reed basket",'
            '"sku":"RB-204","offers":{"@type":"Offer","price":"28.00","priceCurrency":"GBP"}}</script><h1>Reed basket</h1>'
            "<p>£28.00</p><p>Item RB-204</p>"
        ),
        thing(name=TEXT, sku=WORDS, price=NUMBER),
        {"name": "Reed basket", "sku": "RB-204", "price": 28},
    ),
    SmallPage(
        "addresses and a manual",
        page(
            "<h1>Harbour lamp</h1><p>€129.00</p><p>Weight: 2.4 kg</p><p><a href='/manuals/harbour-lamp.pdf'>Manual</a></p>"
            "<p>Questions? orders@lumo.example</p>"
        ),
        thing(name=TEXT, price=NUMBER, weight_kg=NUMBER, manual=ADDRESS, email=WORDS),
        {
            "name": "Harbour lamp",
            "price": 129,
            "weight_kg": 2.4,
            "manual": "https://small.example/manuals/harbour-lamp.pdf",
            "email": "orders@lumo.example",
        },
    ),
)
