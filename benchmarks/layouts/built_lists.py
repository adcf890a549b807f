"""Lists by how they are built: calendars, rowspans, two rows or two teams a record, runs without boxes, images as links."""

from collections.abc import Sequence
from html import escape as e
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _by(records: Sequence[Record], name: str) -> list[tuple[str, list[Record]]]:
    return [(key, list(group)) for key, group in groupby(records, key=lambda r: r[name])]


_TEAMS = ["Owls", "Otters", "Rockets", "Pilots", "Miners", "Comets", "Herons", "Knights"]


def _game(r: Random) -> Record:
    home, away = (f"{v.city(r)} {team}" for team in r.sample(_TEAMS, 2))
    return {
        "home": {"team": home, "points": r.randint(60, 130)},
        "away": {"team": away, "points": r.randint(60, 130)},
        "status": r.choice(["Final", "Final/OT", "Final/2OT"]),
        "venue": f"{v.company(r)} Arena",
        "attendance": v.maybe(r, r.randint(2000, 21000), 0.8),
    }


def _render_games(records: Sequence[Record], s: Style) -> str:
    """A scoreboard: two lines of teams in each card, and how it ended."""

    def side(name: str, r: Record) -> str:
        won = r[name]["points"] == max(r["home"]["points"], r["away"]["points"])
        return f'<li class="ScoreboardScoreCell__Item ScoreboardScoreCell__Item--{name} {"ScoreboardScoreCell__Item--winner" if won else ""}"><img class="Image Logo" src="/t/{v.slug(r[name]["team"])}.png" alt=""><div class="ScoreCell__Team"><a class="AnchorLink" href="/team/{v.slug(r[name]["team"])}"><div class="ScoreCell__TeamName">{r[name]["team"]}</div></a></div><div class="ScoreCell__Score">{r[name]["points"]}</div></li>'

    def one(n: int, r: Record) -> str:
        crowd = (
            f'<div class="Scoreboard__Attendance" x-f="attendance">Attendance: {r["attendance"]:,}</div>'
            if r["attendance"]
            else ""
        )
        return f'<section class="Scoreboard bg-clr-white" id="g{n}" x-r><div class="Scoreboard__Row"><div class="ScoreCell__Time" x-f="status">{r["status"]}</div><ul class="ScoreboardScoreCell__Competitors">{side("away", r)}{side("home", r)}</ul></div><div class="Scoreboard__Info"><div class="Gamestrip__Venue" x-f="venue">{e(r["venue"])}</div>{crowd}</div><a href="/g/{n}">Box Score</a></section>'

    return f'<h1>Scores</h1><div class="gameModules"><header class="Card__Header"><h3>Saturday</h3></header>{"".join(one(n, r) for n, r in enumerate(records))}</div>'


def _match(r: Random) -> Record:
    home, away = r.sample(_TEAMS, 2)
    return {
        "kickoff": f"{r.randint(12, 21)}:{r.choice(['00', '30', '45'])}",
        "home": f"{v.city(r)} {home}",
        "away": f"{v.city(r)} {away}",
        "odds_home": r.randint(110, 890) / 100,
        "odds_away": r.randint(110, 890) / 100,
        "tv": v.maybe(r, r.choice(["Sky 1", "BBC Two", "DAZN"]), 0.5),
    }


def _render_matches(records: Sequence[Record], s: Style) -> str:
    """Two rows for each match, its hour one cell over both; the station stands in the second row."""

    def one(r: Record) -> str:
        tv = f'<span class="tv" x-f="tv">{r["tv"]}</span>' if r["tv"] else ""
        return f'<tr class="m1" x-r><td rowspan="2" class="t" x-f="kickoff">{r["kickoff"]}</td><td class="team" x-f="home">{r["home"]}</td><td class="odd" x-f="odds_home">{r["odds_home"]:.2f}</td><td class="x"></td></tr><tr class="m2"><td class="team" x-f="away">{r["away"]}</td><td class="odd" x-f="odds_away">{r["odds_away"]:.2f}</td><td class="x">{tv}</td></tr>'

    return f'<table class="matches"><caption>Today</caption><thead><tr><th>Time</th><th>Team</th><th>Odds</th><th>TV</th></tr></thead><tbody>{"".join(map(one, records))}</tbody></table>'


def _appointment(r: Random) -> Record:
    return {
        "date": f"2025-05-{r.randint(1, 31):02}",
        "start": f"{r.randint(8, 19):02}:{r.choice(['00', '15', '30', '45'])}",
        "title": f"{v.thing(r)} {r.choice(['workshop', 'clinic', 'choir', 'market'])} {r.randint(2, 99)}",
        "url": f"https://month-grid.example/event/{r.randint(1000, 9999)}",
        "cancelled": r.random() < 0.2,
    }


def _render_month(records: Sequence[Record], s: Style) -> str:
    """A month as a table; the events stand in the cells of their days."""

    def one(r: Record) -> str:
        gone = ' <span class="tag tag-cancelled" x-f="cancelled">Cancelled</span>' if r["cancelled"] else ""
        return f'<div class="fc-daygrid-event-harness" x-r><a class="fc-event fc-daygrid-event" href="{r["url"]}"><div class="fc-event-time" x-f="start">{r["start"]}</div><div class="fc-event-title" x-f="title">{r["title"]}</div></a>{gone}</div>'

    def cell(number: int) -> str:
        day = f"2025-05-{number:02}"
        events = "".join(one(r) for r in records if r["date"] == day)
        return f'<td role="gridcell" class="fc-day" data-date="{day}"><div class="fc-daygrid-day-top"><a class="fc-daygrid-day-number" aria-label="May {number}, 2025">{number}</a></div><div class="fc-daygrid-day-events">{events}</div></td>'

    cells = ["<td class=fc-day-other></td>"] * 3 + [cell(number) for number in range(31, 0, -1)]
    rows = "".join(f"<tr role=row>{''.join(cells[at : at + 7])}</tr>" for at in range(0, len(cells), 7))
    heads = "".join(f"<th>{day}</th>" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
    return f'<h2 class="fc-toolbar-title">May 2025</h2><table class="fc-scrollgrid"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _seat(r: Random) -> Record:
    votes = sorted((r.randint(500, 30000) for _ in range(r.randint(2, 5))), reverse=True)
    return {
        "constituency": f"{v.city(r)} {r.choice(['North', 'South', 'East', 'West', 'Central'])} {r.randint(1, 40)}",
        "turnout": r.randint(400, 799) / 10,
        "candidates": [
            {"name": v.person(r), "party": r.choice(["Green", "Labour", "Liberal", "Unity", "Farmers"]), "votes": count}
            for count in votes
        ],
    }


def _render_seats(records: Sequence[Record], s: Style) -> str:
    """The constituency is one cell over all rows of its candidates, and so is the turnout."""

    def one(r: Record) -> str:
        count = len(r["candidates"])
        first = (
            f'<td rowspan="{count}" class="seat"><a href="/c/{v.slug(r["constituency"])}">{r["constituency"]}</a></td>'
        )
        last = f'<td rowspan="{count}" class="turnout">{r["turnout"]}%</td>'
        return "".join(
            f'<tr class="{"elected" if n == 0 else ""}">{first if n == 0 else ""}<td>{c["name"]}</td><td>{c["party"]}</td><td class="num">{c["votes"]:,}</td>{last if n == 0 else ""}</tr>'
            for n, c in enumerate(r["candidates"])
        )

    return f'<table class="results"><thead><tr><th>Constituency</th><th>Candidate</th><th>Party</th><th>Votes</th><th>Turnout</th></tr></thead><tbody>{"".join(map(one, records))}</tbody></table>'


def _office(r: Random) -> Record:
    return {
        "office": f"{r.choice(['Consulate', 'Embassy', 'Trade office'])} in {v.city(r)} {r.randint(2, 99)}",
        "head": v.person(r),
        "phone": f"+{r.randint(20, 98)} {r.randint(100, 999)} {r.randint(10**5, 10**6 - 1)}",
        "languages": r.sample(["English", "Spanish", "Arabic", "Hindi", "Finnish"], r.randint(1, 3)),
        "fee": v.maybe(r, r.randint(20, 180), 0.6),
        "walk_in": r.random() < 0.5,
    }


def _render_offices(records: Sequence[Record], s: Style) -> str:
    """One `<dl>` for all: a `<dt>` for each office, and several `<dd>` with what they say in front."""

    def one(r: Record) -> str:
        fee = f'<dd>Visa fee: <span x-f="fee">€{r["fee"]}</span></dd>' if r["fee"] else ""
        walk = '<dd class="hint">Walk-in visitors welcome</dd>' if r["walk_in"] else ""
        return f'<dt x-f="office">{r["office"]}</dt><dd>Head of mission: <span x-f="head">{r["head"]}</span></dd><dd>Tel. <a href="tel:{r["phone"].replace(" ", "")}" x-f="phone">{r["phone"]}</a></dd><dd>Languages: <span x-f="languages">{", ".join(r["languages"])}</span></dd>{fee}{walk}'

    return f"<h1>Our missions abroad</h1><dl>{''.join(map(one, records))}</dl>"


def _trail(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} Trail {r.randint(2, 99)}",
        "length_km": r.randint(20, 380) / 10,
        "ascent_m": r.randint(40, 1900),
        "difficulty": r.choice(["easy", "moderate", "hard"]),
        "description": v.text(r, 1, 2),
        "dogs": r.random() < 0.5,
        "closed_until": v.maybe(r, v.day(r, 2026, 2027), 0.2),
    }


def _render_trails(records: Sequence[Record], s: Style) -> str:
    """An editor's page: headings and paragraphs below one another, nothing around a trail."""

    def one(r: Record) -> str:
        closed = (
            f'<p><strong>Closed until <span x-f="closed_until">{s.date(r["closed_until"], "british")}</span>.</strong></p>'
            if r["closed_until"]
            else ""
        )
        return f'<h3 x-f="name">{r["name"]}</h3><p><em>{r["length_km"]} km, {r["ascent_m"]:,} m of ascent, {r["difficulty"]}</em></p>{closed}<p x-f="description">{r["description"]}</p><p>Dogs: {"yes" if r["dogs"] else "no"}</p>'

    return f'<div class="entry-content"><h2>Trails</h2><p>All trails of the district, newest first.</p>{"".join(map(one, records))}<p>Please stay on the paths.</p></div>'


def _brand(r: Random) -> Record:
    name = f"{v.company(r)} {r.randint(2, 99)}"
    slug = v.slug(name)
    return {
        "brand": name,
        "url": f"https://brand-wall.example/brands/{slug}",
        "logo": f"https://brand-wall.example/media/{slug}.svg",
        "country": r.choice(["Italy", "Peru", "Korea", "Ghana"]),
        "new": r.random() < 0.2,
    }


def _render_brands(records: Sequence[Record], s: Style) -> str:
    """Nothing but images that are links; the flag of the country is an image, too."""

    def one(r: Record) -> str:
        new = '<img class="ribbon" src="/media/ribbon-new.png" alt="New">' if r["new"] else ""
        return f'<div class="col-6 col-md-3 brand-tile" x-r><a href="{r["url"]}" x-f="url"><img class="brand-tile__logo" src="/media/{v.slug(r["brand"])}.svg" alt="{e(r["brand"])}" x-f="brand"></a><img class="brand-tile__flag" src="/flags/{r["country"].lower()}.png" alt="{r["country"]}" x-f="country">{new}</div>'

    return f'<h2>Brands</h2><div class="row brand-wall">{"".join(map(one, records))}</div>'


def _colleague(r: Random) -> Record:
    name = v.person(r)
    return {
        "name": name,
        "role": f"{r.choice(['Senior', 'Lead', 'Junior'])} {r.choice(['Designer', 'Engineer', 'Accountant'])}",
        "email": f"{name.lower().replace(' ', '.')}{r.randint(1, 99)}@team-soup.example",
        "office": v.maybe(r, v.city(r), 0.8),
        "joined": r.randint(2008, 2025),
        "skills": r.sample(["Figma", "Rust", "SQL", "Audit", "Python", "Tax"], r.randint(0, 3)),
        "on_leave": r.random() < 0.2,
    }


def _render_team(records: Sequence[Record], s: Style) -> str:
    """Utility classes only, of which many elements have the same."""

    def one(n: int, r: Record) -> str:
        leave = (
            '<span class="inline-flex rounded-full bg-yellow-50 px-2 text-xs" x-f="on_leave">On leave</span>'
            if r["on_leave"]
            else ""
        )
        office = (
            f'<p class="mt-1 truncate text-sm text-gray-500">Based in <span x-f="office">{r["office"]}</span></p>'
            if r["office"]
            else ""
        )
        skills = "".join(f'<span class="rounded-md bg-gray-100 px-1 text-xs">{x}</span>' for x in r["skills"])
        return f'<li class="col-span-1 divide-y rounded-lg bg-white shadow" x-r><div class="flex w-full items-center p-6"><div class="flex-1 truncate"><div class="flex items-center space-x-3"><h3 class="truncate text-sm font-medium text-gray-900" x-f="name">{r["name"]}</h3>{leave}</div><p class="mt-1 truncate text-sm text-gray-500" x-f="role">{r["role"]}</p>{office}<p class="mt-1 truncate text-sm text-gray-500">Joined in {r["joined"]}</p><div class="flex gap-1" x-f="skills">{skills}</div></div><img class="size-10 rounded-full" src="/p/{n}.jpg" alt=""></div><div class="-mt-px flex divide-x"><a href="mailto:{r["email"]}" class="inline-flex flex-1 py-4 text-sm font-semibold" x-f="email">Email</a></div></li>'

    return f'<ul role="list" class="grid grid-cols-1 gap-6 sm:grid-cols-2">{"".join(one(n, r) for n, r in enumerate(records))}</ul>'


def _parcel(r: Random) -> Record:
    return {
        "tracking": f"{r.choice('XYZ')}{r.randint(10**8, 10**9 - 1)}",
        "sender": v.company(r),
        "destination": v.city(r),
        "weight_kg": r.randint(2, 400) / 10,
        "pieces": r.randint(1, 9),
        "status": r.choice(["In transit", "Delivered", "Held at customs"]),
        "delivered": None,
    }


def _parcel_with_day(r: Random) -> Record:
    made = _parcel(r)
    return {**made, "delivered": v.day(r) if made["status"] == "Delivered" else None}


def _render_parcels(records: Sequence[Record], s: Style) -> str:
    """Two rows a parcel: what it is, and pairs of labels and values in one wide cell."""

    def one(r: Record) -> str:
        day = (
            f'<dt>Delivered on</dt><dd x-f="delivered">{s.date(r["delivered"], "short")}</dd>' if r["delivered"] else ""
        )
        return f'<tr class="parcel"><td x-f="tracking"><a href="/t/{r["tracking"]}">{r["tracking"]}</a></td><td x-f="destination">{r["destination"]}</td><td x-f="status"><span class="chip">{r["status"]}</span></td></tr><tr class="parcel-details"><td colspan="3"><dl class="inline"><dt>From</dt><dd x-f="sender">{e(r["sender"])}</dd><dt>Weight</dt><dd x-f="weight_kg">{r["weight_kg"]} kg</dd><dt>Pieces</dt><dd x-f="pieces">{r["pieces"]}</dd>{day}</dl></td></tr>'

    return f'<table class="parcels"><thead><tr><th>Tracking no.</th><th>To</th><th>Status</th></tr></thead><tbody>{"".join(map(one, records))}</tbody></table>'


def _album(r: Random) -> Record:
    return {
        "title": f"{v.thing(r)} {r.choice(['Sessions', 'Suite', 'Nights'])} {r.randint(2, 99)}",
        "year": r.randint(1965, 2024),
        "label": v.company(r),
        "tracks": [
            {"title": f"{v.thing(r)} {r.randint(100, 999)}", "length": f"{r.randint(1, 9)}:{r.randint(10, 59)}"}
            for _ in range(r.randint(2, 7))
        ],
    }


def _render_albums(records: Sequence[Record], s: Style) -> str:
    """Decades, albums, tracks: three levels of headings and lists."""

    def one(r: Record) -> str:
        tracks = "".join(f'<li>{t["title"]} <span class="len">{t["length"]}</span></li>' for t in r["tracks"])
        return f'<section class="album" x-r><h3><i x-f="title">{r["title"]}</i> (<span x-f="year">{r["year"]}</span>)</h3><p>Released by <span x-f="label">{e(r["label"])}</span></p><ol class="tracklist">{tracks}</ol></section>'

    def decade(r: Record) -> int:
        return r["year"] // 10 * 10

    parts = [
        f'<div class="decade"><h2>{year}s</h2>{"".join(map(one, group))}</div>'
        for year, group in groupby(records, decade)
    ]
    return f"<h1>Discography</h1>{''.join(parts)}"


BUILT_LISTS = [
    Design("scoreboard", schema_of(home={"team": "string", "points": "integer"}, away={"team": "string", "points": "integer"}, status=("Final", "Final/OT", "Final/2OT"), venue="string", attendance="integer?"), _game, _render_games, evidence="venue"),
    Design("match_rows", schema_of(kickoff="string", home="string", away="string", odds_home="number", odds_away="number", tv="string?"), _match, _render_matches, evidence="home"),
    Design("month_grid", schema_of(date="date", start="string", title="string", url="uri", cancelled="boolean"), _appointment, _render_month, evidence="title", sorted_by="date"),
    Design("constituencies", schema_of(constituency="string", turnout="number", candidates=[{"name": "string", "party": "string", "votes": "integer"}]), _seat, _render_seats, rows=12),
    Design("missions_dl", schema_of(office="string", head="string", phone="string", languages=["string"], fee="integer?", walk_in="boolean"), _office, _render_offices, words={"Languages": "Sprachen"}),
    Design("trail_runs", schema_of(name="string", length_km="number", ascent_m="integer", difficulty=("easy", "moderate", "hard"), description="string", dogs="boolean", closed_until="date?"), _trail, _render_trails, words={"Dogs": "Hunde"}),
    Design("brand_wall", schema_of(brand="string", url="uri", logo="uri", country="string", new="boolean"), _brand, _render_brands),
    Design("team_soup", schema_of(name="string", role="string", email="string", office="string?", joined="integer", skills=["string"], on_leave="boolean"), _colleague, _render_team, words={"Joined in": "Seit"}),
    Design("parcel_rows", schema_of(tracking="string", sender="string", destination="string", weight_kg="number", pieces="integer", status=("In transit", "Delivered", "Held at customs"), delivered="date?"), _parcel_with_day, _render_parcels, words={"Weight": "Gewicht", "Pieces": "Stück"}),
    Design("albums", schema_of(title="string", year="integer", label="string", tracks=[{"title": "string", "length": "string"}]), _album, _render_albums, rows=10, sorted_by="year"),
]  # fmt: skip
