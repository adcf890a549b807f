"""Lists in the shapes that pages give them: cards, tables, items inside items, tables that go on, heads and feet."""

from small_pages.design import ADDRESS, COUNT, DAY, NUMBER, TEXT, WORDS, SmallPage, many, page, records, thing

_JUGS = tuple(
    (f"{wood} jug", 10.5 + at, f"J-{40 + 7 * at}")
    for at, wood in enumerate(["Ash", "Birch", "Cherry", "Elm", "Fir", "Hazel", "Larch", "Maple"])
)
_JUG_SCHEMA = records(name=TEXT, price=NUMBER, code=WORDS)
_JUG_TRUTH = [{"name": name, "price": price, "code": code} for name, price, code in _JUGS]


def _jug_rows(first: int, last: int) -> str:
    return "".join(f"<tr><td>{n}</td><td>£{p:.2f}</td><td>{c}</td></tr>" for n, p, c in _JUGS[first:last])


_JUG_HEAD = "<tr><th>Name</th><th>Price</th><th>Code</th></tr>"
_MEETINGS = {
    "North School": (("9 January 2031", "Elm Hall"), ("16 January 2031", "Oak Hall"), ("25 January 2031", "Office")),
    "South School": (("10 January 2031", "Pine Hall"), ("17 January 2031", "Fir Hall"), ("31 January 2031", "Office")),
    "West School": (("11 January 2031", "Ash Hall"), ("18 January 2031", "Yew Hall"), ("30 January 2031", "Office")),
}
_PAPER = page(
    "<h1>On tides</h1><p>Authors: <a href='/a/1'>Ada Quist</a>, <a href='/a/2'>Bram Holt</a>, <a href='/a/3'>Cleo Marsh</a>, "
    "<a href='/a/4'>Dov Rask</a></p><p>Abstract: Tides rise and fall twice a day on most coasts.</p>"
)
_CASE = page(
    "<h1>Case 31-204</h1><h2>Briefs</h2><table><tr><th>Date</th><th>Event</th></tr>"
    + "".join(f"<tr><td>{at} June 2031</td><td>Brief {at} filed</td></tr>" for at in range(1, 7))
    + "</table><h2>Parties</h2><table><tr><th>Party</th><th>Role</th></tr><tr><td>Ada Quist</td><td>Appellant</td></tr>"
    "<tr><td>Bram Holt</td><td>Appellee</td></tr><tr><td>Cleo Marsh</td><td>Appellee</td></tr></table>"
)
_FILES = (
    ("Exhibit A", 3, "58.1 KB"),
    ("Exhibit B", 5, "101.2 KB"),
    ("Exhibit C", 44, "14.1 KB"),
    ("Exhibit D", 13, "412.7 KB"),
)
_METHODS = (
    ("Box scores of a day", "box_scores"),
    ("Search", "search"),
    ("Season schedule", "season_schedule"),
    ("Standings", "standings"),
)

LISTS = (
    SmallPage(
        "table named as the fields",
        page(f"<h1>Jugs</h1><table>{_JUG_HEAD}{_jug_rows(0, 8)}</table>"),
        _JUG_SCHEMA,
        _JUG_TRUTH,
    ),
    SmallPage(
        "table that goes on in a second one",
        page(f"<h1>Jugs</h1><table>{_JUG_HEAD}{_jug_rows(0, 5)}</table><table>{_jug_rows(5, 8)}</table>"),
        _JUG_SCHEMA,
        _JUG_TRUTH,
    ),
    SmallPage(
        "all that the page shows",
        page(f"<h1>Wooden jugs</h1><table>{_JUG_HEAD}{_jug_rows(0, 8)}</table>"),
        _JUG_SCHEMA,
        _JUG_TRUTH,
        query="all jugs on the page",
    ),
    SmallPage(
        "cards",
        page(
            "<h1>Jugs</h1><div class=grid>"
            + "".join(
                f"<div class=card><h3><a href='/jugs/{at}'>{n}</a></h3><p>£{p:.2f}</p><p class=code>{c}</p></div>"
                for at, (n, p, c) in enumerate(_JUGS)
            )
            + "</div>"
        ),
        records(name=TEXT, price=NUMBER, code=WORDS, url=ADDRESS),
        [{**one, "url": f"https://small.example/jugs/{at}"} for at, one in enumerate(_JUG_TRUTH)],
    ),
    SmallPage(
        "three cards",
        page(
            "<h1>Jugs</h1>"
            + "".join(f"<div class=card><h3>{n}</h3><p>£{p:.2f}</p><p>{c}</p></div>" for n, p, c in _JUGS[:3])
        ),
        _JUG_SCHEMA,
        _JUG_TRUTH[:3],
    ),
    SmallPage(
        "definitions",
        page(
            "<h1>Jugs</h1><dl>"
            + "".join(f"<dt>{n}</dt><dd>Price: £{p:.2f}</dd><dd>Code: {c}</dd>" for n, p, c in _JUGS)
            + "</dl>"
        ),
        _JUG_SCHEMA,
        _JUG_TRUTH,
    ),
    SmallPage(
        "meetings inside schools",
        page(
            "".join(
                f"<div class=school><h3>{school}</h3>"
                + "".join(
                    f"<table><tr><td>{day}</td><td>6 p.m.</td><td>at {place}</td></tr></table>"
                    for day, place in meetings
                )
                + "</div>"
                for school, meetings in _MEETINGS.items()
            )
        ),
        records(school=TEXT, meetings=many(thing(date=DAY, place=WORDS))),
        [
            {
                "school": school,
                "meetings": [{"date": f"2031-01-{int(day.split()[0]):02}", "place": place} for day, place in meetings],
            }
            for school, meetings in _MEETINGS.items()
        ],
    ),
    SmallPage(
        "authors in one line",
        _PAPER,
        thing(title=TEXT, authors=many(TEXT), abstract=WORDS),
        {
            "title": "On tides",
            "authors": ["Ada Quist", "Bram Holt", "Cleo Marsh", "Dov Rask"],
            "abstract": "Tides rise and fall twice a day on most coasts.",
        },
    ),
    SmallPage(
        "two lists in one thing",
        _CASE,
        thing(case=TEXT, briefs=many(thing(date=DAY, event=WORDS)), parties=many(thing(name=TEXT, role=WORDS))),
        {
            "case": "31-204",
            "briefs": [{"date": f"2031-06-{at:02}", "event": f"Brief {at} filed"} for at in range(1, 7)],
            "parties": [
                {"name": "Ada Quist", "role": "Appellant"},
                {"name": "Bram Holt", "role": "Appellee"},
                {"name": "Cleo Marsh", "role": "Appellee"},
            ],
        },
    ),
    SmallPage(
        "head and foot of rows",
        page(
            "<p><b>Document:</b> 158, 12 pages, 53.2 KB</p><table><tr><td><b>File</b></td><td><b>Pages</b></td><td><b>Size</b></td></tr></table>"
            + "".join(f"<table><tr><td>{n}</td><td>{p} pages</td><td>{s}</td></tr></table>" for n, p, s in _FILES)
            + "<table><tr><td>or all in one file</td><td></td><td>38.1 MB</td></tr></table>"
        ),
        records(description=TEXT, pages=COUNT, size=WORDS),
        [{"description": n, "pages": p, "size": s} for n, p, s in _FILES],
    ),
    SmallPage(
        "headings over code",
        page(
            "<h1>Methods</h1>"
            + "".join(f"<h3>{t}</h3><ul><li>Example</li></ul><pre>client.{f}(day=1)</pre>" for t, f in _METHODS)
        ),
        records(function=TEXT, title=WORDS),
        [{"function": f, "title": t} for t, f in _METHODS],
    ),
    SmallPage(
        "links in preformatted text",
        page(
            "<h1>Orders</h1><pre>"
            + "".join(
                f"<a href='/o/{at}.pdf'>{at}.pdf</a>   0{at - 30}/06/2031  Quist v. Holt {at}\n" for at in range(31, 37)
            )
            + "</pre>"
        ),
        records(name=TEXT, url=ADDRESS),
        [{"name": f"Quist v. Holt {at}", "url": f"https://small.example/o/{at}.pdf"} for at in range(31, 37)],
    ),
    SmallPage(
        "content in a class that says no footer",
        page(f"<h1>Jugs</h1><div class='mod-no-footer'><table>{_JUG_HEAD}{_jug_rows(0, 8)}</table></div>"),
        _JUG_SCHEMA,
        _JUG_TRUTH,
    ),
    SmallPage(
        "reference marks in a text",
        page(
            "<h1>Films</h1><table><tr><th>Film</th><th>Year</th><th>Story</th></tr>"
            + "".join(
                f"<tr><td>{f}</td><td>{y}</td><td>{a}<sup>[{y - 1980}]</sup> {b}<sup>[{y - 1970}]</sup></td></tr>"
                for f, y, a, b in (
                    ("Rain", 1993, "He lives one day again.", "It ends well."),
                    ("Salt", 2016, "A man goes back.", "Nobody waits."),
                    ("Fog", 2001, "They get lost.", "A dog helps."),
                )
            )
            + "</table>"
        ),
        records(film=TEXT, year=COUNT, story=WORDS),
        [
            {"film": "Rain", "year": 1993, "story": "He lives one day again. It ends well."},
            {"film": "Salt", "year": 2016, "story": "A man goes back. Nobody waits."},
            {"film": "Fog", "year": 2001, "story": "They get lost. A dog helps."},
        ],
    ),
)
