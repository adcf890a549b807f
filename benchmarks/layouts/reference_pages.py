"""Pages that people look things up in: a judgment, a medicine, a chess player, a footballer, a piece in a collection."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _judgment(r: Random) -> Record:
    year = r.randint(2002, 2025)
    return {
        "citation": f"[{year}] EWHC {r.randint(10, 3900)} ({r.choice(['Ch', 'Comm', 'Admin'])})",
        "case_number": f"{r.choice(['HC', 'CL', 'CO'])}-{year}-{r.randint(100, 999999):06}",
        "date": f"{year}-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
        "judge": f"{r.choice(['MR', 'MRS'])} JUSTICE {v.person(r).split()[1].upper()}",
        "claimant": v.company(r).upper(),
        "defendant": v.company(r).upper() + " PLC",
        "claimant_counsel": v.person(r),
        "defendant_counsel": v.maybe(r, v.person(r), 0.7),
        "hearing_dates": [f"{n} March {year}" for n in sorted(r.sample(range(1, 28), r.randint(1, 3)))],
        "court": r.choice(["CHANCERY DIVISION", "COMMERCIAL COURT", "ADMINISTRATIVE COURT"]),
        "_text": [v.text(r, 2, 6) for _ in range(5)],
    }


def _judgment_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    year, month, number = r["date"].split("-")
    day = f"{number}/{month}/{year}" if s.dates == "long" else s.date(r["date"])
    absent = "The Defendant did not appear and was not represented"
    other = (
        f'<b x-f="defendant_counsel">{r["defendant_counsel"]}</b> (instructed by <b>Lakes LLP</b>) for the <b>Defendant</b>'
        if r["defendant_counsel"]
        else absent
    )
    dates = ", ".join(r["hearing_dates"])
    body = "".join(f"<li value={n}>{one}</li>" for n, one in enumerate(r["_text"], 1))
    return (
        f'<table width="100%"><tr><td></td><td align="right"><a>Neutral Citation Number:</a> <span x-f="citation">{r["citation"]}</span></td></tr><tr><td></td><td align="right">Case No: <span x-f="case_number">{r["case_number"]}</span></td></tr></table><p><b>IN THE HIGH COURT OF JUSTICE<br><span x-f="court">{r["court"]}</span></b></p><table width="100%"><tr><td></td><td align="right">Royal Courts of Justice<br>Strand, London</td></tr><tr><td></td><td align="right"><u x-f="date">{day}</u></td></tr></table><p align="center">B e f o r e :</p><p align="center"><b x-f="judge">{r["judge"]}</b><br>____________________</p><table width="100%" class="parties"><tr><td>Between:</td><td></td><td></td></tr><tr><td></td><td align="center"><b x-f="claimant">{e(r["claimant"])}</b></td><td align="right"><u>Claimant</u></td></tr><tr><td></td><td align="center">- and -</td><td></td></tr><tr><td></td><td align="center"><b x-f="defendant">{e(r["defendant"])}</b></td><td align="right"><u>Defendant</u></td></tr></table>'
        f'<p align="center">____________________</p><p align="center"><b x-f="claimant_counsel">{r["claimant_counsel"]}</b> (instructed by <b>Hill &amp; Co</b>) for the <b>Claimant</b><br>{other}<br><br>Hearing dates: <span x-f="hearing_dates">{dates}</span></p><h2 align="center">HTML VERSION OF JUDGMENT</h2><ol class="paras">{body}</ol>'
    )


def _medicine(r: Random) -> Record:
    return {
        "name": f"{v.company(r).split()[0]}ol",
        "generic_name": f"{r.choice(v.words(r, 3))}ine",
        "pronunciation": v.maybe(r, "-".join(w[:3] for w in v.words(r, 3)), 0.7),
        "brand_names": [v.company(r).split()[0] for _ in range(r.randint(0, 4))],
        "dosage_forms": r.sample(["oral tablet", "oral capsule", "injection", "topical gel"], r.randint(1, 3)),
        "drug_class": f"{r.choice(['Cardioselective', 'Non-selective', 'Atypical'])} {r.choice(v.words(r, 2))} agents",
        "availability": r.choice(["Prescription only", "Over the counter", "Rx and/or OTC"]),
        "pregnancy_risk": v.maybe(r, r.choice(["Risk data available", "Risk cannot be ruled out"]), 0.7),
        "csa_schedule": v.maybe(r, r.choice(["2", "3", "4"]), 0.4),
        "rating": v.maybe(r, r.randint(20, 95) / 10, 0.7),
        "ratings_count": None,
        "reviewed_on": v.day(r),
        "reviewer": v.person(r),
        "_count": r.randint(3, 3000),
        "_text": [v.text(r, 2, 5) for _ in range(3)],
        "_like": [v.company(r).split()[0].lower() for _ in range(5)],
    }


def _medicine_draw(r: Random) -> Record:
    made = _medicine(r)
    return {**made, "ratings_count": made["_count"] if made["rating"] is not None else None}


def _medicine_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    said = f" [ <i x-f='pronunciation'>{r['pronunciation']}</i> ]" if r["pronunciation"] else ""
    brands = (
        f'<b>Brand name{"s" if len(r["brand_names"]) > 1 else ""}:</b> <span x-f="brand_names">{", ".join(f"<i>{one}</i>" for one in r["brand_names"])}</span><br>'
        if r["brand_names"]
        else ""
    )
    forms = f'<b>Dosage form{"s" if len(r["dosage_forms"]) > 1 else ""}:</b> <span x-f="dosage_forms">{", ".join(r["dosage_forms"])}</span>'
    rating = (
        f'<div class="ddc-rating-summary"><b x-f="rating">{r["rating"]}</b> <span>/ 10</span> <p><em x-f="ratings_count">{r["ratings_count"]:,}</em> ratings from users</p></div>'
        if r["rating"] is not None
        else ""
    )
    states = "".join(
        f'<li x-f="{name}"><a class="ddc-status-info-item"><span class="ddc-status-info-item-heading">{label}</span> <span class="ddc-status-info-item-content">{value}</span></a></li>'
        for name, label, value in [
            ("availability", "Availability", r["availability"]),
            ("pregnancy_risk", "Pregnancy & Lactation".replace("&", "&amp;"), r["pregnancy_risk"]),
            ("csa_schedule", "CSA Schedule*", r["csa_schedule"] or "N/A"),
        ]
        if value
    )
    like = "".join(f'<a href="/d">{one}</a>, ' for one in r["_like"])
    return f'<h1 x-f="name">{r["name"]}</h1><p class="drug-subtitle"><b>Generic name:</b> <span x-f="generic_name">{r["generic_name"]}</span>{said}<br>{brands}{forms}<br><b>Drug class:</b> <a href="/c" x-f="drug_class">{r["drug_class"]}</a></p><p class="ddc-reviewed-by">Medically reviewed by <a href="/r" x-f="reviewer">{r["reviewer"]}</a>, PharmD. Last updated on <span x-f="reviewed_on">{s.date(r["reviewed_on"], "short")}</span>.</p><h2 id="uses">What is {r["name"]}?</h2><p>{r["_text"][0]}</p><h2 id="side-effects">Side effects</h2><p>{r["_text"][1]}</p><h2>Related medicines</h2><p>{like}and others</p><aside class="ddc-sidebox"><h3>Drug status</h3><ul class="ddc-status-info">{states}</ul>{rating}</aside>'


def _player(r: Random) -> Record:
    return {
        "name": ", ".join(reversed(v.person(r).split())),
        "federation": r.choice(["Norway", "India", "Peru", "Iran"]),
        "fide_id": str(r.randint(100000, 99999999)),
        "birth_year": v.maybe(r, r.randint(1940, 2014), 0.9),
        "gender": r.choice(["Male", "Female"]),
        "title": v.maybe(r, r.choice(["Grandmaster", "International Master", "FIDE Master"]), 0.6),
        "standard": v.maybe(r, r.randint(1400, 2850), 0.9),
        "rapid": v.maybe(r, r.randint(1400, 2850), 0.7),
        "blitz": v.maybe(r, r.randint(1400, 2850), 0.7),
        "world_rank": v.maybe(r, r.randint(1, 90000), 0.8),
        "is_active": r.random() < 0.7,
        "_table": [(f"2025-{r.choice(['Jan', 'Feb'])}", r.randint(1400, 2850)) for _ in range(4)],
    }


def _player_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    top = "".join(
        f'<div class="profile-info-row" x-f="{name}"><h5 class="profile-info-title">{label}</h5><p class="profile-info-{kind}">{value}</p></div>'
        for name, label, kind, value in [
            ("federation", "Federation", "country", r["federation"]),
            ("fide_id", "FIDE ID", "id", r["fide_id"]),
            ("birth_year", "B-Year", "byear", r["birth_year"] or "Not available"),
            ("gender", "Gender", "sex", r["gender"]),
            ("title", "FIDE title", "title", r["title"] or "None"),
            ("world_rank", "World rank", "rank", f"{r['world_rank']}" if r["world_rank"] else "-"),
        ]
    )
    games = "".join(
        f'<div class="profile-{kind} profile-game" x-f="{kind}"><img src="/{n}.svg" alt=""><p>{r[kind] or "Not rated"}</p><p class="game-label">{label}</p></div>'
        for n, (kind, label) in enumerate([("standard", "STANDARD"), ("rapid", "RAPID"), ("blitz", "BLITZ")])
    )
    state = "" if r["is_active"] else '<span class="profile-inactive" x-f="is_active">Inactive player</span>'
    rows = "".join(f"<tr><td>{month}</td><td>{points}</td></tr>" for month, points in r["_table"])
    return f'<section class="profile-section"><div class="profile-top"><h1 class="player-title" x-f="name">{r["name"]}</h1>{state}</div><div class="profile-info">{top}</div><div class="profile-games">{games}</div><h4>Rating progress</h4><table class="profile-table"><tr><th>Period</th><th>Rating</th></tr>{rows}</table></section>'


def _footballer(r: Random) -> Record:
    feet = v.maybe(r, r.choice(["right", "left", "both"]), 0.8)
    return {
        "name": v.person(r),
        "shirt_number": v.maybe(r, r.randint(1, 45), 0.8),
        "club": f"{v.city(r)} {r.choice(['FC', 'United', 'Rovers'])}",
        "born": v.day(r, 1985, 2006),
        "birth_place": v.maybe(r, v.city(r), 0.9),
        "height_cm": v.maybe(r, r.randint(165, 201), 0.9),
        "citizenship": r.sample(["Norway", "Ghana", "Brazil", "France"], r.randint(1, 2)),
        "position": r.choice(["Centre-Back", "Left Winger", "Goalkeeper"]),
        "foot": feet,
        "agent": v.maybe(r, v.company(r), 0.6),
        "joined": v.day(r, 2018, 2024),
        "contract_expires": v.maybe(r, v.day(r, 2026, 2030), 0.8),
        "market_value": v.maybe(r, r.randint(1, 90) * 100_000, 0.8),
        "_moves": [(v.day(r, 2010, 2018), v.city(r), v.city(r)) for _ in range(3)],
    }


def _footballer_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    first, last = r["name"].split(" ", 1)
    age = 2026 - int(r["born"][:4])
    height = f"{r['height_cm'] // 100},{r['height_cm'] % 100:02} m" if r["height_cm"] else ""

    def pair(name: str, label: str, value: str) -> str:
        return (
            f'<span x-f="{name}"><span class="info-table__content info-table__content--regular">{label}:</span> <span class="info-table__content info-table__content--bold">{value}</span></span> '
            if value
            else ""
        )

    flags = "&nbsp; ".join(f'<img class="flaggenrahmen" alt="" src="/f.png">{one}' for one in r["citizenship"])
    number = (
        f'<span class="data-header__shirt-number" x-f="shirt_number">#{r["shirt_number"]}</span> '
        if r["shirt_number"]
        else ""
    )
    worth = (
        f'<div class="data-header__box--small"><a class="data-header__market-value-wrapper" href="/mv" x-f="market_value"><span class="waehrung">€</span>{r["market_value"]:,} <p class="data-header__last-update">Last update: {s.date("2025-06-03", "short")}</p></a></div>'
        if r["market_value"]
        else ""
    )
    moves = "".join(
        f'<div class="tm-transfer"><span>{s.date(day, "short")}</span> <a href="/v">{a}</a> <a href="/v">{b}</a></div>'
        for day, a, b in r["_moves"]
    )
    table = (
        pair("born", "Date of birth/Age", f'<a href="/d">{s.date(r["born"], "short")} ({age})</a>')
        + pair("birth_place", "Place of birth", f"<span>{r['birth_place']}</span>" if r["birth_place"] else "")
        + pair("height", "Height", height)
        + pair("citizenship", "Citizenship", flags)
        + pair("position", "Position", r["position"])
        + pair("foot", "Foot", r["foot"] or "")
        + pair("agent", "Player agent", f'<a href="/b">{e(r["agent"])}</a>' if r["agent"] else "")
        + pair("club_", "Current club", f'<a href="/v">{r["club"]}</a>')
        + pair("joined", "Joined", s.date(r["joined"], "short"))
        + pair(
            "contract_expires",
            "Contract expires",
            s.date(r["contract_expires"], "short") if r["contract_expires"] else "-",
        )
    )
    return f'<header class="data-header"><h1 class="data-header__headline-wrapper">{number}<span x-f="name">{first} <strong>{last}</strong></span></h1><div class="data-header__club-info"><span class="data-header__club"><a href="/v" x-f="club">{r["club"]}</a></span></div>{worth}</header><div class="info-table info-table--right-space">{table}</div><div class="box transfers"><h2 class="content-box-headline">Transfer history</h2>{moves}</div>'


def _piece(r: Random) -> Record:
    return {
        "title": v.thing(r),
        "maker": v.maybe(r, v.person(r), 0.7),
        "made_in": v.city(r),
        "made_when": f"{r.choice(['ca.', 'before', 'after'])} {r.randint(1500, 1920)}",
        "materials": r.choice(["Earthenware, painted", "Silver, chased", "Silk, woven"]),
        "height_cm": v.maybe(r, r.randint(20, 2000) / 10, 0.8),
        "width_cm": v.maybe(r, r.randint(20, 2000) / 10, 0.8),
        "credit": v.maybe(r, f"Given by {v.person(r)}", 0.7),
        "number": f"{r.randint(100, 9999)}-{r.randint(1850, 2020)}",
        "on_display": r.random() < 0.5,
        "subjects": v.words(r, r.randint(0, 3)),
        "_room": f"Room {r.randint(1, 140)}",
        "_text": [v.text(r, 2, 4) for _ in range(2)],
        "_more": [(v.thing(r), f"{r.randint(1500, 1920)}") for _ in range(3)],
    }


def _piece_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    where = (
        f'<div class="object-page__hdr-display" x-f="on_display">On display at South Hall, {r["_room"]}</div>'
        if r["on_display"]
        else '<div class="object-page__hdr-display" x-f="on_display">In store</div>'
    )
    sizes = "".join(
        f'<li x-f="{name}">{label}: {value}cm</li>'
        for name, label, value in [("height_cm", "Height", r["height_cm"]), ("width_cm", "Width", r["width_cm"])]
        if value
    )
    maker = f'<a href="/p">{r["maker"]}</a> (maker)' if r["maker"] else "Unknown"
    subjects = "".join(f'<li><a href="/s">{one}</a></li>' for one in r["subjects"])
    rows = "".join(
        f'<tr x-f="{name}"><td class="b-object-details__cell-label">{label}</td><td class="b-object-details__cell-free">{value}</td></tr>'
        for name, label, value in [
            ("categories", "Object type", "Ceramics and metalwork"),
            ("maker", "Artist/Maker", maker),
            ("materials", "Materials and techniques", r["materials"]),
            ("sizes", "Dimensions", f"<ul>{sizes}</ul>" if sizes else ""),
            ("credit", "Credit line", r["credit"]),
            ("subjects", "Subjects depicted", f"<ul>{subjects}</ul>" if subjects else ""),
            ("number", "Accession number", r["number"]),
        ]
        if value
    )
    more = "".join(
        f'<a class="b-related-object" href="/o"><div class="b-related-object__name">{name}</div><div>{when}</div></a>'
        for name, when in r["_more"]
    )
    return f'<div class="object-page__hdr"><h1 class="object-page__hdr-title" x-f="title">{r["title"]}</h1><div class="object-page__hdr-info"><span x-f="made_when">{r["made_when"]}</span> <span class="object-page__hdr-place">(made), <span x-f="made_in">{r["made_in"]}</span></span></div>{where}</div><div class="b-object-summary"><p>{r["_text"][0]}</p><p>{r["_text"][1]}</p></div><h2>Object details</h2><table class="b-object-details">{rows}</table><h2>You may also like</h2>{more}'


REFERENCE_PAGES = [
    Design(
        "judgment_front",
        schema_of(
            citation="string",
            case_number="string",
            date="date",
            judge="string",
            claimant="string",
            defendant="string",
            claimant_counsel="string",
            defendant_counsel="string?",
            hearing_dates=["string"],
            court="string",
        ),
        _judgment,
        _judgment_page,
        is_list=False,
        words={"Case No:": "Aktenzeichen:", "Hearing dates:": "Verhandlung:"},
    ),
    Design(
        "medicine_subtitle",
        schema_of(
            name="string",
            generic_name="string",
            pronunciation="string?",
            brand_names=["string"],
            dosage_forms=["string"],
            drug_class="string",
            availability="string",
            pregnancy_risk="string?",
            csa_schedule="string?",
            rating="number?",
            ratings_count="integer?",
            reviewed_on="date",
            reviewer="string",
        ),
        _medicine_draw,
        _medicine_page,
        is_list=False,
        words={"Generic name:": "Wirkstoff:", "Drug class:": "Klasse:", "Availability": "Abgabe"},
    ),
    Design(
        "chess_player",
        schema_of(
            name="string",
            federation="string",
            fide_id="string",
            birth_year="integer?",
            gender="string",
            title="string?",
            standard="integer?",
            rapid="integer?",
            blitz="integer?",
            world_rank="integer?",
            is_active="boolean",
        ),
        _player,
        _player_page,
        is_list=False,
        words={"Federation": "Verband", "World rank": "Weltrang"},
    ),
    Design(
        "footballer_header",
        schema_of(
            name="string",
            shirt_number="integer?",
            club="string",
            born="date",
            birth_place="string?",
            citizenship=["string"],
            position="string",
            foot="string?",
            agent="string?",
            joined="date",
            contract_expires="date?",
            market_value="integer?",
        ),
        _footballer,
        _footballer_page,
        is_list=False,
        words={"Joined": "Im Team seit", "Foot": "Fuß"},
    ),
    Design(
        "collection_piece",
        schema_of(
            title="string",
            maker="string?",
            made_in="string",
            made_when="string",
            materials="string",
            height_cm="number?",
            width_cm="number?",
            credit="string?",
            number="string",
            on_display="boolean",
            subjects=["string"],
        ),
        _piece,
        _piece_page,
        is_list=False,
        words={"Credit line": "Vermerk", "Materials and techniques": "Technik"},
    ),
]
