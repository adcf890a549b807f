"""Pages about one entry of a register, a person, an event, a question: labels beside values in many forms."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of

_CONTRACTS = ("Full-time", "Part-time", "Temporary", "Internship")


def _vacancy(r: Random) -> Record:
    return {
        "title": f"{r.choice(['Senior', 'Lead', 'Junior', 'Staff'])} {r.choice(['Welder', 'Nurse', 'Analyst', 'Baker'])}",
        "employer": v.company(r),
        "location": v.city(r),
        "contract": r.choice(_CONTRACTS),
        "salary_from": (low := v.maybe(r, r.randint(20, 60) * 1000, 0.6)),
        "salary_to": low and low + r.randint(1, 20) * 1000,  # type: ignore[operator]
        "hours": v.maybe(r, r.randint(10, 40), 0.6),
        "reference": f"REF{r.randint(1000, 99999)}",
        "closing": v.day(r),
        "requirements": [v.sentence(r) for _ in range(r.randint(2, 5))],
        "_text": v.text(r, 2, 4),
        "_posted": v.day(r),
    }


def _vacancy_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    low = s.round(r["salary_from"]) if r["salary_from"] else ""
    pairs = [
        ("employer", "Employer", e(r["employer"])),
        ("location", "Location", r["location"]),
        ("contract", "Contract", r["contract"]),
        ("salary_from", "Salary", low and f"{low} to {s.round(r['salary_to'])} a year"),
        ("hours", "Hours per week", r["hours"]),
        ("reference", "Reference", r["reference"]),
        ("posted", "Date posted", s.date(r["_posted"])),
        ("closing", "Closing date", s.date(r["closing"])),
    ]
    lines = "<br>".join(f"<b>{label}:</b> {value}" for _, label, value in pairs if value)
    wants = "".join(f"<li>{e(one)}</li>" for one in r["requirements"])
    return f'<h1 x-f="title">{r["title"]}</h1><div class="vacancy-summary"><p>{lines}</p></div><h2>About the role</h2><p>{e(r["_text"])}</p><h2>Requirements</h2><ul x-f="requirements">{wants}</ul><p><a class="button" href="/apply">Apply now</a></p><h2>Similar jobs</h2><ul class="similar"><li><a href="/j1">Cook</a> – {v.city(Random(r["reference"]))}</li></ul>'


def _painter(r: Random) -> Record:
    return {
        "name": v.person(r),
        "born": v.day(r, 1850, 1990),
        "birthplace": v.city(r),
        "died": v.maybe(r, v.day(r, 1991, 2023), 0.5),
        "nationality": r.choice(["Dutch", "Peruvian", "Kenyan", "French"]),
        "occupations": r.sample(["painter", "sculptor", "writer", "singer", "engineer"], r.randint(1, 3)),
        "spouse": v.maybe(r, v.person(r), 0.6),
        "children": v.maybe(r, r.randint(1, 9), 0.6),
        "awards": v.maybe(r, f"{v.thing(r)} Prize", 0.5),
        "website": v.maybe(r, f"https://{v.login(r)}.example/", 0.5),
        "_text": v.text(r, 2, 5),
    }


def _painter_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]

    def row(name: str, label: str, value: object) -> str:
        if not value:
            return ""
        return f'<tr x-f="{name}"><th scope="row" class="infobox-label">{label}</th><td class="infobox-data">{value}</td></tr>'

    born = f'<tr><th scope="row" class="infobox-label">Born</th><td class="infobox-data"><span x-f="born">{s.date(r["born"])}</span><br><div class="birthplace" x-f="birthplace">{r["birthplace"]}</div></td></tr>'
    jobs = "".join(f"<li>{one}</li>" for one in r["occupations"])
    site = r["website"] and f'<a class="external text" href="{r["website"]}">{r["website"][8:-1]}</a>'
    return (
        f'<h1 id="firstHeading"><span class="mw-page-title-main" x-f="name">{r["name"]}</span></h1><table class="infobox biography vcard"><tbody><tr><th colspan="2" class="infobox-above"><div class="fn">{r["name"]}</div></th></tr>{born}{row("died", "Died", s.date(r["died"]))}{row("nationality", "Nationality", r["nationality"])}'
        f"{row('occupations', 'Occupations', f'<div class=hlist><ul>{jobs}</ul></div>')}{row('spouse', 'Spouse', r['spouse'])}{row('children', 'Children', r['children'])}{row('awards', 'Awards', r['awards'])}{row('website', 'Website', site)}</tbody></table><p><b>{r['name']}</b> ({s.date(r['born'])}) is known for {e(r['_text'])}</p><h2>Life</h2><p>{e(r['_text'])}</p>"
    )


def _painter_head(r: Record, s: Style) -> str:
    return f"<title>{r['name']} - Person Infobox</title>"


_COMPANY_STATES = ("Active", "Dissolved", "Liquidation")


def _firm(r: Random) -> Record:
    state = r.choice(_COMPANY_STATES)
    return {
        "name": v.company(r).upper(),
        "number": f"{r.randint(10**7, 10**8 - 1)}",
        "status": state,
        "type": r.choice(["Private limited company", "Public limited company", "Partnership"]),
        "address": f"{r.randint(1, 200)} {v.thing(r)} Road, {v.city(r)}",
        "incorporated": v.day(r, 1980, 2020),
        "dissolved": v.day(r) if state == "Dissolved" else None,
        "sic_codes": [f"{r.randint(10000, 99999)} - {v.thing(r)}" for _ in range(r.randint(1, 3))],
        "previous_names": [v.company(r).upper() for _ in range(r.choice([0, 0, 1, 2]))],
        "next_accounts": v.maybe(r, v.day(r), 0.8),
    }


def _firm_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    closed = (
        f'<dl class="column-half" x-f="dissolved"><dt>Dissolved on</dt><dd class="data" id="cessation-date">{s.date(r["dissolved"], "british")}</dd></dl>'
        if r["dissolved"]
        else ""
    )
    codes = "".join(f'<li><span id="sic{n}">{one}</span></li>' for n, one in enumerate(r["sic_codes"]))
    names = "".join(f"<tr><td>{e(one)}</td><td>01 Jan 2001 - 02 Feb 2011</td></tr>" for one in r["previous_names"])
    former = (
        f'<h2>Previous company names</h2><table id="previousNameTable" x-f="previous_names"><tr><th>Name</th><th>Period</th></tr>{names}</table>'
        if names
        else ""
    )
    accounts = (
        f'<h2>Accounts</h2><p x-f="next_accounts">Next accounts due by <strong>{s.date(r["next_accounts"], "british")}</strong></p>'
        if r["next_accounts"]
        else ""
    )
    return (
        f'<div class="company-header"><p class="heading-xlarge" x-f="name">{e(r["name"])}</p><p id="company-number" x-f="number">Company number <strong>{r["number"]}</strong></p></div><dl x-f="address"><dt>Registered office address</dt><dd class="text data">{r["address"]}</dd></dl><dl x-f="status"><dt>Company status</dt><dd class="text data" id="company-status">{r["status"]}</dd></dl>{closed}'
        f'<dl class="column-half" x-f="type"><dt>Company type</dt><dd class="text data" id="company-type">{r["type"]}</dd></dl><dl class="column-half" x-f="incorporated"><dt>Incorporated on</dt><dd class="data" id="company-creation-date">{s.date(r["incorporated"], "british")}</dd></dl>{accounts}<h2>Nature of business (SIC)</h2><ul x-f="sic_codes">{codes}</ul>{former}'
    )


def _gig(r: Random) -> Record:
    day = v.day(r)
    return {
        "title": f"{v.thing(r)} {r.choice(['Night', 'Meetup', 'Summit', 'Fair'])}",
        "starts": f"{day}T{r.randint(8, 20):02}:30:00Z",
        "venue": f"{v.thing(r)} Hall",
        "city": v.city(r),
        "organizer": v.company(r),
        "price": v.maybe(r, v.amount(r, 5, 200), 0.6),
        "speakers": [v.person(r) for _ in range(r.randint(1, 4))],
        "online": r.random() < 0.3,
        "places_left": v.maybe(r, r.randint(1, 90), 0.5),
        "about": v.text(r, 1, 3),
    }


def _gig_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    people = "".join(f'<div class="speaker"><img alt="" src="/p.png"><span>{one}</span></div>' for one in r["speakers"])
    left = f'<p class="left" x-f="places_left">Only {r["places_left"]} places left</p>' if r["places_left"] else ""
    online = '<span class="pill">Online</span>' if r["online"] else '<span class="pill">In person</span>'
    price = s.money(r["price"]) if r["price"] else "Free"
    return (
        f'<div class="event-hero"><time datetime="{r["starts"]}" x-f="starts">{s.date(r["starts"], "short")}, {r["starts"][11:16]}</time><h1 x-f="title">{r["title"]}</h1><p x-f="online">{online}</p></div><div class="event-info"><div class="info"><h4>Location</h4><p><span class="venue" x-f="venue">{r["venue"]}</span><br><span class="city" x-f="city">{r["city"]}</span></p></div><div class="info" x-f="organizer"><h4>Organizer</h4><p>{e(r["organizer"])}</p></div><div class="info" x-f="price"><h4>Price</h4><p>{price}</p></div></div>{left}'
        f'<div class="about" x-f="about"><p>{e(r["about"])}</p></div><h3>Speakers</h3><div class="speakers" x-f="speakers">{people}</div><h3>Other events</h3><div class="others"><a href="/e1">{v.thing(Random(r["title"]))} Fair</a> <time datetime="2025-01-01T10:00:00">Jan 1, 2025</time></div>'
    )


_OUTCOMES = ("Dismissed", "Allowed", "Remitted")


def _ruling(r: Random) -> Record:
    return {
        "case_number": f"{r.randint(1, 900)} {r.choice(['CR', 'CV', 'AD'])} {r.randint(10, 99)}/{r.randint(10, 24)}",
        "court": f"{r.choice(['Regional', 'High', 'Supreme'])} Court of {v.city(r)}",
        "decided": v.day(r),
        "judges": [v.person(r) for _ in range(r.choice([1, 3]))],
        "claimant": v.company(r),
        "defendant": v.person(r),
        "outcome": r.choice(_OUTCOMES),
        "value_in_dispute": v.maybe(r, float(r.randint(1, 900) * 100), 0.6),
        "appeal_allowed": r.random() < 0.5,
        "keywords": v.words(r, r.randint(1, 4)),
        "_text": [v.text(r, 2, 4) for _ in range(3)],
    }


def _ruling_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    value = (
        f'<p x-f="value_in_dispute"><strong>Value in dispute:</strong> {s.round(r["value_in_dispute"])}</p>'
        if r["value_in_dispute"]
        else ""
    )
    body = "".join(f"<p>[{n}] {e(one)}</p>" for n, one in enumerate(r["_text"], 1))
    return (
        f'<div class="judgment"><p class="center"><b x-f="court">{r["court"]}</b></p><p class="center" x-f="case_number">Case No. {r["case_number"]}</p><p x-f="decided"><strong>Date of decision:</strong> {s.date(r["decided"], "british")}</p><p x-f="judges"><strong>Before:</strong> {"; ".join(r["judges"])}</p><p class="parties"><span x-f="claimant">{e(r["claimant"])}</span> <i>v</i> <span x-f="defendant">{r["defendant"]}</span></p>'
        f'{value}<p x-f="outcome"><strong>Outcome:</strong> {r["outcome"]}</p><p x-f="appeal_allowed"><strong>Leave to appeal:</strong> {"granted" if r["appeal_allowed"] else "refused"}</p><p x-f="keywords"><strong>Keywords:</strong> {", ".join(r["keywords"])}</p><h2>Reasons</h2>{body}</div>'
    )


def _ruling_head(r: Record, s: Style) -> str:
    return f'<title>{r["case_number"]} – Court Decision</title><meta name="DC.date" content="{r["decided"]}"><meta name="DC.identifier" content="{r["case_number"]}">'


def _asked(r: Random) -> Record:
    answers = r.randint(0, 9)
    return {
        "title": v.headline(r),
        "body": v.text(r, 1, 3),
        "author": v.login(r),
        "asked": v.day(r),
        "modified": v.maybe(r, v.day(r), 0.5),
        "views": r.randint(10, 90_000),
        "score": r.randint(0, 300),
        "answers": answers,
        "tags": v.tags(r, 1, 5),
        "solved": answers > 0 and r.random() < 0.6,
        "_replies": [(v.login(r), v.text(r), r.randint(0, 90)) for _ in range(answers)],
    }


def _question_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    modified = (
        f'<div class="flex--item" title="modified" x-f="modified"><span class="fc-light">Modified</span> <a href="?lastactivity">{s.date(r["modified"])}</a></div>'
        if r["modified"]
        else ""
    )
    tags = "".join(f'<li><a href="/questions/tagged/{one}" class="post-tag">{one}</a></li>' for one in r["tags"])
    replies = "".join(
        f'<div class="answer"><div class="js-vote-count">{score}</div><div class="s-prose"><p>{e(text)}</p></div><div class="user-details"><a href="/users/{n}">{name}</a></div></div>'
        for n, (name, text, score) in enumerate(r["_replies"])
    )
    solved = '<div class="js-accepted" title="This question is solved"><svg></svg>Solved</div>' if r["solved"] else ""
    return (
        f'<div id="question-header"><h1 class="fs-headline1"><a href="/q/1" class="question-hyperlink" x-f="title">{e(r["title"])}</a></h1></div><div class="stats"><div class="flex--item" title="asked" x-f="asked"><span class="fc-light">Asked</span> <time>{s.date(r["asked"])}</time></div>{modified}<div class="flex--item" x-f="views"><span class="fc-light">Viewed</span> {r["views"]:,} times</div></div>{solved}'
        f'<div id="question" class="question"><div class="js-vote-count" data-value="{r["score"]}" x-f="score">{r["score"]}</div><div class="s-prose" x-f="body"><p>{e(r["body"])}</p></div><ul class="js-post-tags" x-f="tags">{tags}</ul><div class="user-details" itemprop="author"><a href="/users/7" x-f="author">{r["author"]}</a></div></div><div id="answers"><h2 data-answercount="{r["answers"]}" x-f="answers">{r["answers"]} Answers</h2>{replies}</div>'
    )


def _question_head(r: Record, s: Style) -> str:
    return f'<title>{e(r["title"])} - Forum Question</title><meta property="og:title" content="{e(r["title"])}">'


_FORMS = ("Tablet", "Capsule", "Solution")


def _pill(r: Random) -> Record:
    name = f"{r.choice(['Zo', 'Ami', 'Fen', 'Lora'])}{r.choice(['vex', 'dine', 'pril', 'tan'])}"
    return {
        "name": f"{name} {r.choice([5, 10, 20, 250, 500])} mg",
        "substance": f"{r.choice(['meto', 'cli', 'bero'])}{r.choice(['profen', 'zolam', 'cillin'])}",
        "strength_mg": r.choice([5, 10, 20, 250, 500]),
        "form": r.choice(_FORMS),
        "atc": f"{r.choice('ABCN')}{r.randint(1, 16):02}{r.choice('AB')}{r.choice('ABX')}{r.randint(1, 60):02}",
        "prescription": r.random() < 0.6,
        "holder": v.company(r),
        "revised": v.day(r),
        "storage": f"Store below {r.choice([8, 25, 30])} degrees.",
        "side_effects": v.words(r, r.randint(2, 6)),
        "shelf_life_months": v.maybe(r, r.choice([12, 24, 36]), 0.7),
    }


def _pill_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    shelf = (
        f'<div class="field field--name-shelf" x-f="shelf_life_months"><div class="field__label">Shelf life</div><div class="field__item">{r["shelf_life_months"]} months</div></div>'
        if r["shelf_life_months"]
        else ""
    )

    def field(name: str, label: str, value: object) -> str:
        return f'<div class="field" x-f="{name}"><div class="field__label">{label}</div><div class="field__item">{value}</div></div>'

    effects = "".join(f"<li>{one}</li>" for one in r["side_effects"])
    return (
        f'<h1 class="page-title" x-f="name">{r["name"]}</h1>{field("substance", "Active substance", r["substance"])}{field("strength_mg", "Strength", str(r["strength_mg"]) + " mg")}{field("form", "Pharmaceutical form", r["form"])}{field("atc", "ATC code", r["atc"])}{field("prescription", "Prescription only", "yes" if r["prescription"] else "no")}{shelf}{field("holder", "Marketing authorisation holder", e(r["holder"]))}'
        f'<h2>1. What {r["name"]} is and what it is used for</h2><p>Ask your doctor.</p><h2>4. Possible side effects</h2><ul class="effects" x-f="side_effects">{effects}</ul><h2>5. How to store {r["name"]}</h2><p x-f="storage">{r["storage"]}</p><p class="revised" x-f="revised">This leaflet was last revised in {s.date(r["revised"])}.</p>'
    )


_PROCEDURES = ("Open", "Restricted", "Negotiated")


def _tender(r: Random) -> Record:
    return {
        "title": f"Supply of {v.thing(r).lower()}s",
        "reference": f"{r.randint(100000, 999999)}-{r.randint(2021, 2025)}",
        "buyer": f"City of {v.city(r)}",
        "published": v.day(r),
        "deadline": v.day(r),
        "value": (value := v.maybe(r, float(r.randint(10, 9000) * 1000), 0.6)),
        "currency": value and "USD",
        "procedure": r.choice(_PROCEDURES),
        "cpv": [f"{r.randint(10**7, 10**8 - 1)}" for _ in range(r.randint(1, 3))],
        "lots": v.maybe(r, r.randint(2, 12), 0.5),
        "email": f"{v.login(r)}@tender-page.example",
        "eu_funded": r.random() < 0.5,
    }


def _tender_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    rows = [
        ("reference", "Reference number", r["reference"]),
        ("buyer", "Contracting authority", r["buyer"]),
        ("procedure", "Type of procedure", r["procedure"]),
        ("value", "Estimated value", r["value"] and f"{r['value']:,.2f} <abbr>USD</abbr>"),
        ("lots", "Number of lots", r["lots"]),
        ("cpv", "CPV codes", "<br>".join(r["cpv"])),
        ("published", "Date of publication", s.date(r["published"], "german")),
        ("deadline", "Time limit for receipt", s.date(r["deadline"], "german")),
        ("eu_funded", "EU funds", "Yes" if r["eu_funded"] else "No"),
        ("email", "Contact", f'<a href="mailto:{r["email"]}">{r["email"]}</a>'),
    ]
    table = "".join(
        f'<tr class="{"odd" if n % 2 else "even"}" x-f="{name}"><td class="k">{label}</td><td class="v">{value}</td></tr>'
        for n, (name, label, value) in enumerate(rows)
        if value
    )
    return f'<h2 class="notice-title" x-f="title">{r["title"]}</h2><table class="notice" border="0">{table}</table><p><a href="/pdf">Download PDF</a> <a href="/xml">XML</a></p>'


ENTRY_PAGES = [
    Design(
        "vacancy_lines",
        schema_of(
            title="string",
            employer="string",
            location="string",
            contract=_CONTRACTS,
            salary_from="number?",
            salary_to="number?",
            hours="integer?",
            reference="string",
            closing="date",
            requirements=["string"],
        ),
        _vacancy,
        _vacancy_page,
        is_list=False,
        words={"Employer:": "Firma:", "Closing date:": "Frist:", "Location:": "Ort:"},
    ),
    Design(
        "person_infobox",
        schema_of(
            name="string",
            born="date",
            birthplace="string",
            died="date?",
            nationality="string",
            occupations=["string"],
            spouse="string?",
            children="integer?",
            awards="string?",
            website="uri?",
        ),
        _painter,
        _painter_page,
        is_list=False,
        head=_painter_head,
        words={"Died": "Gestorben", "Spouse": "Verheiratet mit", "Children": "Kinder"},
    ),
    Design(
        "register_entry",
        schema_of(
            name="string",
            number="string",
            status=_COMPANY_STATES,
            type="string",
            address="string",
            incorporated="date",
            dissolved="date?",
            sic_codes=["string"],
            previous_names=["string"],
            next_accounts="date?",
        ),
        _firm,
        _firm_page,
        is_list=False,
        words={"Company status": "Status", "Company type": "Rechtsform", "Incorporated on": "Gegründet am"},
    ),
    Design(
        "event_page",
        schema_of(
            title="string",
            starts="date-time",
            venue="string",
            city="string",
            organizer="string",
            price="number?",
            speakers=["string"],
            online="boolean",
            places_left="integer?",
            about="string",
        ),
        _gig,
        _gig_page,
        is_list=False,
        words={"Organizer": "Veranstalter", "Price": "Preis", "Online": "Im Netz"},
    ),
    Design(
        "court_decision",
        schema_of(
            case_number="string",
            court="string",
            decided="date",
            judges=["string"],
            claimant="string",
            defendant="string",
            outcome=_OUTCOMES,
            value_in_dispute="number?",
            appeal_allowed="boolean",
            keywords=["string"],
        ),
        _ruling,
        _ruling_page,
        is_list=False,
        head=_ruling_head,
        words={"Date of decision:": "Datum:", "Before:": "Richter:", "Outcome:": "Ergebnis:"},
    ),
    Design(
        "forum_question",
        schema_of(
            title="string",
            body="string",
            author="string",
            asked="date",
            modified="date?",
            views="integer",
            score="integer",
            answers="integer",
            tags=["string"],
            solved="boolean",
        ),
        _asked,
        _question_page,
        is_list=False,
        head=_question_head,
        words={"Asked": "Gefragt", "Viewed": "Gesehen", "Modified": "Geändert"},
    ),
    Design(
        "leaflet",
        schema_of(
            name="string",
            substance="string",
            strength_mg="number",
            form=_FORMS,
            atc="string",
            prescription="boolean",
            holder="string",
            revised="date",
            storage="string",
            side_effects=["string"],
            shelf_life_months="integer?",
        ),
        _pill,
        _pill_page,
        is_list=False,
        words={"Active substance": "Wirkstoff", "Strength": "Stärke", "ATC code": "ATC-Code"},
    ),
    Design(
        "tender_page",
        schema_of(
            title="string",
            reference="string",
            buyer="string",
            published="date",
            deadline="date",
            value="number?",
            currency="string?",
            procedure=_PROCEDURES,
            cpv=["string"],
            lots="integer?",
            email="string",
            eu_funded="boolean",
        ),
        _tender,
        _tender_page,
        is_list=False,
        words={"Reference number": "Aktenzeichen", "Contact": "Kontakt", "Number of lots": "Lose"},
    ),
]
