"""Pages about one thing that people look up: a flaw, a record, a board game, a flight."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _flaw(r: Random) -> Record:
    score = r.randint(20, 100) / 10 if r.random() < 0.8 else None
    return {
        "cve_id": f"CVE-{r.randint(2005, 2025)}-{r.randint(1000, 59999)}",
        "description": v.text(r, 1, 3),
        "base_score": score,
        "severity": None if score is None else "HIGH" if score >= 7 else "MEDIUM" if score >= 4 else "LOW",
        "vector": None if score is None else f"CVSS:3.1/AV:{r.choice('NAL')}/AC:{r.choice('LH')}/PR:{r.choice('NLH')}",
        "weakness": v.maybe(r, f"CWE-{r.randint(20, 1300)}", 0.7),
        "published": v.day(r, 2015, 2023),
        "modified": v.day(r, 2024, 2025),
        "source": v.company(r),
        "references": [f"https://{v.slug(v.thing(r))}.example/a/{r.randint(1, 999)}" for _ in range(r.randint(1, 4))],
        "_changes": [(v.day(r), v.company(r)) for _ in range(r.randint(1, 3))],
    }


def _flaw_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    score = (
        f'<div class="row no-gutters"><div class="col-lg-3"><strong>Base Score:</strong> <span class="severityDetail"><a id="Cvss3NistCalculatorAnchor" data-testid="vuln-cvss3-panel-score" class="label label-warning" href="/v"><span x-f="base_score">{r["base_score"]}</span> <span x-f="severity">{r["severity"]}</span></a></span></div><div class="col-lg-6"><strong>Vector:</strong> <span class="tooltipCvss3NistMetrics" data-testid="vuln-cvss3-nist-vector" x-f="vector">{r["vector"]}</span></div></div>'
        if r["base_score"] is not None
        else '<div class="row no-gutters"><p>NVD assessment not yet provided.</p></div>'
    )
    links = "".join(
        f'<tr data-testid="vuln-hyperlinks-row-{n}"><td data-testid="vuln-hyperlinks-link-{n}"><a href="{one}" rel="noopener">{one}</a></td><td>{r["source"]}</td></tr>'
        for n, one in enumerate(r["references"])
    )
    weak = (
        f'<div id="vulnTechnicalDetailsDiv"><h3>Weakness Enumeration</h3><table><thead><tr><th>CWE-ID</th><th>CWE Name</th><th>Source</th></tr></thead><tbody><tr><td x-f="weakness"><a href="/cwe">{r["weakness"]}</a></td><td>Improper {v.words(Random(r["weakness"]), 1)[0]}</td><td>NIST</td></tr></tbody></table></div>'
        if r["weakness"]
        else ""
    )
    changes = "".join(
        f"<div><strong>Changed by {who}</strong> <small>{s.date(day)}</small></div>" for day, who in r["_changes"]
    )
    return (
        f'<h2><span><i class="fa fa-bug fa-flip-vertical"></i></span><span data-testid="page-header-vuln-id" x-f="cve_id">{r["cve_id"]}</span> Detail</h2><div class="row"><div class="col-lg-9"><h3 id="vulnDescriptionTitle">Description</h3><p data-testid="vuln-description" x-f="description">{r["description"]}</p><hr><h3>Metrics</h3>{score}<h3>References to Advisories</h3><table class="table" data-testid="vuln-hyperlinks-table"><thead><tr><th>URL</th><th>Source(s)</th></tr></thead><tbody x-f="references">{links}</tbody></table>{weak}<h3>Change History</h3>{changes}</div>'
        f'<div class="col-lg-3"><div class="bs-callout"><h3>QUICK INFO</h3><strong>CVE Dictionary Entry:</strong><br><a href="/c">{r["cve_id"]}</a><br><strong>NVD Published Date:</strong><br><span data-testid="vuln-published-on" x-f="published">{_american(r["published"])}</span><br><strong>NVD Last Modified:</strong><br><span data-testid="vuln-last-modified-on" x-f="modified">{_american(r["modified"])}</span><br><strong>Source:</strong><br><span data-testid="vuln-source" x-f="source">{e(r["source"])}</span><br></div></div></div>'
    )


def _american(day: str) -> str:
    year, month, number = day.split("-")
    return f"{month}/{number}/{year}"


def _album(r: Random) -> Record:
    return {
        "artist": v.person(r),
        "title": v.thing(r),
        "label": v.company(r),
        "catalog_number": f"{r.choice('ABCDE')}{r.choice('KLM')}-{r.randint(100, 9999)}",
        "format": r.choice(["Vinyl, LP, Album", "CD, Album, Reissue", "Cassette, EP"]),
        "country": v.maybe(r, r.choice(["Norway", "Japan", "UK", "Germany"]), 0.8),
        "released": r.randint(1962, 2024),
        "genre": r.choice(["Electronic", "Jazz", "Rock", "Folk"]),
        "styles": r.sample(["Ambient", "Dub", "Bop", "Drone", "Shoegaze"], r.randint(0, 3)),
        "have": r.randint(5, 9000),
        "want": r.randint(5, 9000),
        "rating": v.maybe(r, r.randint(250, 499) / 100, 0.8),
        "lowest_price": v.maybe(r, v.amount(r, 3, 90), 0.6),
        "notes": v.maybe(r, v.text(r, 1, 2), 0.5),
        "_tracks": [
            (f"{side}{n}", v.thing(r), f"{r.randint(1, 9)}:{r.randint(10, 59)}")
            for side in "AB"
            for n in range(1, r.randint(3, 6))
        ],
        "_also": [(v.person(r), v.thing(r), r.randint(1962, 2024)) for _ in range(3)],
    }


def _album_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css
    styles = ", ".join(f'<a class="{c("lnk")}" href="/style/{one.lower()}">{one}</a>' for one in r["styles"])
    rows = "".join(
        f'<tr x-f="{name}"><th class="{c("hd")}" scope="row"><h2>{label}:</h2></th><td class="{c("cell")}">{value}</td></tr>'
        for name, label, value in [
            (
                "label",
                "Label",
                f'<a class="{c("lnk")}" href="/label/9">{e(r["label"])}</a> – <span x-f="catalog_number">{r["catalog_number"]}</span>',
            ),
            ("format", "Format", r["format"]),
            (
                "country",
                "Country",
                f'<a class="{c("lnk")}" href="/search?c=1">{r["country"]}</a>' if r["country"] else "",
            ),
            (
                "released",
                "Released",
                f'<a class="{c("lnk")}" href="/search?y=1"><time datetime="{r["released"]}">{r["released"]}</time></a>',
            ),
            ("genre", "Genre", f'<a class="{c("lnk")}" href="/genre/1">{r["genre"]}</a>'),
            ("styles", "Style", styles),
        ]
        if value
    )
    rating = (
        f'<li x-f="rating"><span class="{c("nm")}">Avg Rating</span><span>:</span> <span>{r["rating"]:.2f} / 5</span></li>'
        if r["rating"]
        else ""
    )
    low = (
        f'<li x-f="lowest_price"><span class="{c("nm")}">Low</span><span>:</span> <a href="/sell">{s.money(r["lowest_price"])}</a></li>'
        if r["lowest_price"]
        else ""
    )
    stats = f'<ul class="{c("stats")}"><li x-f="have"><span class="{c("nm")}">Have</span><span>:</span> <a href="/stats/1">{r["have"]}</a></li><li x-f="want"><span class="{c("nm")}">Want</span><span>:</span> <a href="/stats/2">{r["want"]}</a></li>{rating}{low}</ul>'
    tracks = "".join(
        f'<tr data-track-position="{at}"><td class="{c("pos")}">{at}</td><td class="{c("trk")}"><span>{name}</span></td><td class="{c("dur")}">{length}</td></tr>'
        for at, name, length in r["_tracks"]
    )
    notes = (
        f'<section id="release-notes"><h2>Notes</h2><div class="{c("html")}" x-f="notes">{r["notes"]}</div></section>'
        if r["notes"]
        else ""
    )
    also = "".join(
        f'<li class="{c("rec")}"><a href="/r">{who} – {title}</a><span>{year}</span></li>'
        for who, title, year in r["_also"]
    )
    return f'<div class="{c("body")}"><h1 class="{c("ttl")}"><span><a class="{c("lnk")}" href="/artist/1" x-f="artist">{r["artist"]}</a></span> – <span x-f="title">{r["title"]}</span></h1><div class="{c("info")}"><table class="{c("tbl")}"><tbody>{rows}</tbody></table></div><section id="release-tracklist"><h2>Tracklist</h2><table>{tracks}</table></section>{notes}<section id="release-stats"><h2>Statistics</h2>{stats}</section><section id="release-recs"><h2>Recommendations</h2><ul>{also}</ul></section></div>'


def _boardgame(r: Random) -> Record:
    fewest, most = r.randint(1, 2), r.randint(3, 8)
    return {
        "name": v.thing(r),
        "year": r.randint(1980, 2025),
        "rating": r.randint(45, 90) / 10,
        "min_players": fewest,
        "max_players": most,
        "playing_minutes": r.choice([20, 30, 45, 60, 90, 120]),
        "min_age": r.choice([6, 8, 10, 12, 14]),
        "weight": v.maybe(r, r.randint(110, 450) / 100, 0.9),
        "designers": [v.person(r) for _ in range(r.randint(1, 3))],
        "artist": v.maybe(r, v.person(r), 0.7),
        "publisher": v.company(r),
        "rank": v.maybe(r, r.randint(1, 20000), 0.6),
        "_text": [v.text(r, 2, 4) for _ in range(r.randint(1, 3))],
        "_also": [(v.thing(r), r.randint(1980, 2025), r.randint(45, 90) / 10) for _ in range(3)],
    }


def _boardgame_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    people = ", ".join(
        f'<a href="/boardgamedesigner/{n}" title="Designer">{one}</a>' for n, one in enumerate(r["designers"])
    )
    artist = (
        f'<li class="outline-item"><span class="outline-item-title">Artist</span> <span class="outline-item-description" x-f="artist"><a href="/a">{r["artist"]}</a></span></li>'
        if r["artist"]
        else ""
    )
    rank = (
        f'<div class="rank-number"><span class="rank-title">Overall Rank:</span> <a class="rank-value" href="/browse" x-f="rank">{r["rank"]:,}</a></div>'
        if r["rank"]
        else ""
    )
    weight = (
        f'<span class="ng-binding gameplay-weight-light" x-f="weight">{r["weight"]:.2f}</span> <span>/ 5</span>'
        if r["weight"]
        else "<span>--</span>"
    )
    body = "".join(f"<p>{one}</p>" for one in r["_text"])
    also = "".join(
        f'<div class="recommended-item"><span class="rating">{rating}</span><h3><a href="/boardgame/1">{name}</a> <span class="game-year">({year})</span></h3></div>'
        for name, year, rating in r["_also"]
    )
    return (
        f'<div class="game-header"><div class="game-header-title">{rank}<div class="game-header-title-info"><h1><a href="/boardgame/7" itemprop="name" x-f="name">{r["name"]}</a> <span class="game-year" x-f="year">({r["year"]})</span></h1></div><div class="rating-overall"><span itemprop="ratingValue" x-f="rating">{r["rating"]}</span></div></div><ul class="gameplay">'
        f'<li class="gameplay-item"><div class="gameplay-item-primary"><span x-f="min_players">{r["min_players"]}</span>–<span x-f="max_players">{r["max_players"]}</span> Players</div><div class="gameplay-item-secondary">Community: {r["max_players"]}</div></li><li class="gameplay-item"><div class="gameplay-item-primary"><span x-f="playing_minutes">{r["playing_minutes"]}</span> Min</div><div class="gameplay-item-secondary">Playing Time</div></li><li class="gameplay-item"><div class="gameplay-item-primary">Age: <span x-f="min_age">{r["min_age"]}+</span></div></li><li class="gameplay-item"><div class="gameplay-item-primary">Weight: {weight}</div><div class="gameplay-item-secondary">Complexity Rating</div></li></ul>'
        f'<ul class="outline"><li class="outline-item"><span class="outline-item-title">Designer{"s" if len(r["designers"]) > 1 else ""}</span> <span class="outline-item-description" x-f="designers">{people}</span></li>{artist}<li class="outline-item"><span class="outline-item-title">Publisher</span> <span class="outline-item-description" x-f="publisher"><a href="/p">{e(r["publisher"])}</a></span></li></ul></div><article class="game-description-body">{body}</article><section class="recommended"><h2>Fans Also Like</h2>{also}</section>'
    )


def _flight(r: Random) -> Record:
    state = r.choice(["On time", "Delayed", "Landed", "Cancelled"])
    return {
        "number": f"{r.choice(['NX', 'QF', 'VY'])}{r.randint(10, 9999)}",
        "airline": v.company(r),
        "status": state,
        "origin": v.city(r),
        "destination": v.city(r),
        "date": v.day(r, 2025, 2026),
        "departs": f"{r.randint(0, 11):02}:{r.randint(10, 59)}",
        "arrives": f"{r.randint(12, 23):02}:{r.randint(10, 59)}",
        "actual_departure": f"{r.randint(0, 11):02}:{r.randint(10, 59)}" if state in ("Delayed", "Landed") else None,
        "terminal": v.maybe(r, str(r.randint(1, 5)), 0.7),
        "gate": v.maybe(r, f"{r.choice('ABCD')}{r.randint(1, 60)}", 0.7),
        "aircraft": v.maybe(r, r.choice(["Airbus A320", "Boeing 737-800", "Embraer 190"]), 0.8),
        "_also": [(f"NX{r.randint(10, 9999)}", v.city(r), f"{r.randint(0, 23):02}:15") for _ in range(3)],
    }


def _flight_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css

    def box(name: str, label: str, value: str | None) -> str:
        return (
            f'<div class="{c("box")}" x-f="{name}"><div class="{c("lbl")}">{label}</div><div class="{c("vl")}">{value}</div></div>'
            if value
            else ""
        )

    real = box("actual_departure", "Actual", r["actual_departure"])
    also = "".join(f"<tr><td>{number}</td><td>{city}</td><td>{at}</td></tr>" for number, city, at in r["_also"])
    return (
        f'<div class="{c("head")}"><h1 class="{c("name")}"><span x-f="airline">{e(r["airline"])}</span> flight <span x-f="number">{r["number"]}</span></h1><div class="{c("state")}" data-testid="flight-status" x-f="status">{r["status"]}</div><div class="{c("when")}" x-f="date">{s.date(r["date"], "british")}</div></div><div class="{c("leg")}" data-testid="departure"><h2 class="{c("city")}" x-f="origin">{r["origin"]}</h2>{box("departs", "Scheduled", r["departs"])}{real}{box("terminal", "Terminal", r["terminal"])}{box("gate", "Gate", r["gate"])}</div>'
        f'<div class="{c("leg")}" data-testid="arrival"><h2 class="{c("city")}" x-f="destination">{r["destination"]}</h2>{box("arrives", "Scheduled", r["arrives"])}{box("terminal2", "Terminal", "2")}</div>{box("aircraft", "Aircraft type", r["aircraft"])}<h3>Other departures</h3><table><tr><th>Flight</th><th>To</th><th>Time</th></tr>{also}</table>'
    )


LOOKUP_PAGES = [
    Design(
        "cve_entry",
        schema_of(
            cve_id="string",
            description="string",
            base_score="number?",
            severity="string?",
            vector="string?",
            weakness="string?",
            published="date",
            modified="date",
            source="string",
            references=["uri"],
        ),
        _flaw,
        _flaw_page,
        is_list=False,
        words={"NVD Last Modified:": "Geändert:", "Vector:": "Vektor:"},
    ),
    Design(
        "album_release",
        schema_of(
            artist="string",
            title="string",
            label="string",
            catalog_number="string",
            format="string",
            country="string?",
            released="integer",
            genre="string",
            styles=["string"],
            have="integer",
            want="integer",
            rating="number?",
            lowest_price="number?",
            notes="string?",
        ),
        _album,
        _album_page,
        is_list=False,
        words={"Country:": "Land:", "Have": "Haben"},
    ),
    Design(
        "board_game",
        schema_of(
            name="string",
            year="integer",
            rating="number",
            min_players="integer",
            max_players="integer",
            playing_minutes="integer",
            min_age="integer",
            weight="number?",
            designers=["string"],
            artist="string?",
            publisher="string",
            rank="integer?",
        ),
        _boardgame,
        _boardgame_page,
        is_list=False,
        words={"Publisher": "Verlag", "Artist": "Illustration"},
    ),
    Design(
        "flight_status",
        schema_of(
            number="string",
            airline="string",
            status=("On time", "Delayed", "Landed", "Cancelled"),
            origin="string",
            destination="string",
            date="date",
            departs="string",
            arrives="string",
            actual_departure="string?",
            terminal="string?",
            gate="string?",
            aircraft="string?",
        ),
        _flight,
        _flight_page,
        is_list=False,
        words={"Scheduled": "Planmäßig", "Aircraft type": "Flugzeug"},
    ),
]
