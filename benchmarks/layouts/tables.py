"""Tables: leagues, wikis, orders, forecasts, quotes."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _team(r: Random) -> Record:
    won, drawn, lost = r.randint(0, 20), r.randint(0, 12), r.randint(0, 20)
    return {
        "team": f"{v.city(r)} {r.choice(['FC', 'United', 'Rovers', 'Town'])}",
        "played": won + drawn + lost,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "home_goals": r.randint(5, 50),
        "away_goals": r.randint(5, 50),
        "points": won * 3 + drawn,
    }


def _render_league(records: Sequence[Record], s: Style) -> str:
    names = ["played", "won", "drawn", "lost", "home_goals", "away_goals", "points"]
    rows = "".join(
        f'<tr x-r><td>{n}</td><th scope="row" x-f="team"><a href="/wiki/x">{r["team"]}</a></th>'
        + "".join(
            f'<td x-f="{name}">{"<b>" if name == "points" else ""}{r[name]}{"</b>" if name == "points" else ""}</td>'
            for name in names
        )
        + "</tr>"
        for n, r in enumerate(records, 1)
    )
    head = '<tr><th rowspan="2">Pos</th><th rowspan="2">Team</th><th colspan="4">Matches</th><th colspan="2">Goals</th><th rowspan="2">Pts</th></tr><tr><th x-f="played">Pld</th><th x-f="won">W</th><th x-f="drawn">D</th><th x-f="lost">L</th><th x-f="home_goals">Home</th><th x-f="away_goals">Away</th></tr>'
    return f'<table class="wikitable" style="text-align:center"><caption>League table</caption><tbody>{head}{rows}</tbody></table>'


def _mountain(r: Random) -> Record:
    return {
        "name": f"{v.city(r)} {r.choice(['Peak', 'Tor', 'Fell'])}",
        "height_m": r.randint(800, 8200),
        "range": f"{v.thing(r).split()[0]} Range",
        "country": r.choice(["Norway", "Peru", "Nepal", "Kenya"]),
        "first_ascent": v.maybe(r, r.randint(1780, 1999), 0.7),
    }


def _render_wikitable(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        year = (
            f'{r["first_ascent"]}<sup class="reference"><a href="#cite-{n}">[{n}]</a></sup>'
            if r["first_ascent"]
            else "—"
        )
        return f'<tr x-r><td x-f="name"><a href="/wiki/{v.slug(r["name"])}" title="{r["name"]}">{r["name"]}</a></td><td x-f="height_m">{r["height_m"]:,}</td><td x-f="range">{r["range"]}</td><td x-f="country"><span class="flagicon"><img alt="" src="/f.svg"/></span> {r["country"]}</td><td x-f="first_ascent">{year}</td></tr>'

    head = "".join(
        f'<th x-f="{name}">{label}</th>'
        for name, label in (
            ("name", "Mountain"),
            ("height_m", "Height (m)"),
            ("range", "Range"),
            ("country", "Country"),
            ("first_ascent", "First ascent"),
        )
    )
    return f'<p>This is a list.</p><table class="wikitable sortable"><tbody><tr>{head}</tr>{"".join(one(n, r) for n, r in enumerate(records, 1))}</tbody></table>'


def _order(r: Random) -> Record:
    return {
        "order_no": f"#{r.randint(10000, 99999)}",
        "customer": v.person(r),
        "placed": v.day(r),
        "total": v.amount(r),
        "status": r.choice(["Paid", "Pending", "Refunded"]),
        "email": f"{v.login(r)}@mail.example",
    }


def _render_bootstrap(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        kind = {"Paid": "success", "Pending": "warning", "Refunded": "danger"}[r["status"]]
        return (
            f'<tr x-r><td><input type="checkbox" class="form-check-input"/></td><td x-f="order_no"><a href="/o/{r["order_no"][1:]}">{r["order_no"]}</a></td><td x-f="customer"><div class="d-flex align-items-center"><img class="rounded-circle" src="/a.png" alt=""/><span class="ms-2">{r["customer"]}</span></div></td><td x-f="email"><a href="mailto:{r["email"]}">{r["email"]}</a></td>'
            f'<td x-f="placed">{s.date(r["placed"], "british")}</td><td class="text-end" x-f="total">{s.money(r["total"])}</td><td x-f="status"><span class="badge bg-{kind}">{r["status"]}</span></td><td><div class="btn-group"><button class="btn btn-sm btn-primary">Edit</button><button class="btn btn-sm btn-danger">Delete</button></div></td></tr>'
        )

    head = "".join(
        f"<th{mark}>{label}</th>"
        for mark, label in (
            ("", ""),
            (' x-f="order_no"', "Order"),
            (' x-f="customer"', "Customer"),
            (' x-f="email"', "Email"),
            (' x-f="placed"', "Date"),
            (' x-f="total"', "Total"),
            (' x-f="status"', "Status"),
            ("", "Actions"),
        )
    )
    return f'<div class="table-responsive"><table class="table table-striped table-hover"><thead class="table-dark"><tr>{head}</tr></thead><tbody>{"".join(map(one, records))}</tbody></table></div>'


def _forecast(r: Random) -> Record:
    high = r.randint(-5, 38)
    return {
        "date": v.day(r),
        "high_c": high,
        "low_c": high - r.randint(3, 14),
        "condition": r.choice(["Sunny", "Light rain", "Cloudy", "Snow showers"]),
        "rain_percent": r.randint(0, 100),
        "wind_kmh": r.randint(0, 80),
    }


def _render_weather(records: Sequence[Record], s: Style) -> str:
    rows = "".join(
        f'<tr x-r><td x-f="date">{s.date(r["date"], "short")}</td><td x-f="condition"><img src="/w.svg" alt=""/> {r["condition"]}</td><td x-f="high_c"><span class="hi">{r["high_c"]}°C</span></td><td x-f="low_c"><span class="lo">{r["low_c"]}°C</span></td><td x-f="rain_percent">{r["rain_percent"]}%</td><td x-f="wind_kmh">{r["wind_kmh"]} km/h</td></tr>'
        for r in records
    )
    head = "".join(
        f'<th x-f="{name}">{label}</th>'
        for name, label in (
            ("date", "Day"),
            ("condition", "Sky"),
            ("high_c", "High"),
            ("low_c", "Low"),
            ("rain_percent", "Rain"),
            ("wind_kmh", "Wind"),
        )
    )
    return f'<table class="forecast"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _quote(r: Random) -> Record:
    change = round(r.uniform(-9, 9), 2)
    return {
        "symbol": "".join(r.choice("ABCDEFGHKLMNOPQRST") for _ in range(4)),
        "name": v.company(r),
        "last": v.amount(r, 2, 3000),
        "change": change,
        "volume": r.randint(1000, 90_000_000),
    }


def _render_quotes(records: Sequence[Record], s: Style) -> str:
    rows = "".join(
        f'<tr class="row yf-{s.css("r")}" x-r><td x-f="symbol"><a data-testid="table-cell-ticker" href="/quote/{r["symbol"]}/"><span class="symbol">{r["symbol"]}</span></a></td><td x-f="name"><span title="{e(r["name"])}">{e(r["name"])}</span></td><td x-f="last"><fin-streamer data-field="price" data-value="{r["last"]}">{r["last"]:,.2f}</fin-streamer></td>'
        f'<td x-f="change"><fin-streamer data-field="change"><span class="txt-{"positive" if r["change"] > 0 else "negative"}">{r["change"]:+.2f}</span></fin-streamer></td><td x-f="volume"><fin-streamer data-field="volume" data-value="{r["volume"]}">{r["volume"]:,}</fin-streamer></td></tr>'
        for r in records
    )
    head = "".join(
        f'<th x-f="{name}">{label}</th>'
        for name, label in (
            ("symbol", "Symbol"),
            ("name", "Name"),
            ("last", "Price"),
            ("change", "Change"),
            ("volume", "Volume"),
        )
    )
    return f'<table class="markets-table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


TABLES = [
    Design(
        "league_two_heads",
        schema_of(
            team="string",
            played="integer",
            won="integer",
            drawn="integer",
            lost="integer",
            home_goals="integer",
            away_goals="integer",
            points="integer",
        ),
        _team,
        _render_league,
        rows=18,
        words={"Home": "Heim", "Away": "Gast"},
    ),
    Design(
        "wikitable",
        schema_of(name="string", height_m="integer", range="string", country="string", first_ascent="integer?"),
        _mountain,
        _render_wikitable,
        words={"Mountain": "Berg", "Height (m)": "Höhe (m)", "Country": "Land"},
    ),
    Design(
        "bootstrap_table",
        schema_of(
            order_no="string",
            customer="string",
            email="string",
            placed="date",
            total="number",
            status=("Paid", "Pending", "Refunded"),
        ),
        _order,
        _render_bootstrap,
        words={"Order": "Nr.", "Customer": "Kunde", "Total": "Summe", "Date": "Datum"},
    ),
    Design(
        "weather",
        schema_of(
            date="date",
            high_c="integer",
            low_c="integer",
            condition="string",
            rain_percent="number",
            wind_kmh="integer",
        ),
        _forecast,
        _render_weather,
        rows=14,
        words={"High": "Hoch", "Low": "Tief", "Day": "Tag"},
        evidence="condition",
    ),
    Design(
        "stock_quotes",
        schema_of(symbol="string", name="string", last="number", change="number", volume="integer"),
        _quote,
        _render_quotes,
        rows=25,
        words={"Change": "Diff.", "Volume": "Volumen"},
    ),
]
