"""Plain lists: tables without heads or with rows for sections, lines of `<pre>`, entries between breaks, definition lists."""

from collections.abc import Sequence
from html import escape as e
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _grouped(records: Sequence[Record], name: str) -> list[tuple[str, list[Record]]]:
    ordered = sorted(records, key=lambda r: r[name], reverse=True)
    return [(key, list(group)) for key, group in groupby(ordered, key=lambda r: r[name])]


_REGIONS = ["North", "South", "East", "West", "Coast", "Hills"]


def _branch(r: Random) -> Record:
    return {
        "region": r.choice(_REGIONS),
        "branch": f"{v.city(r)} {r.choice(['I', 'II', 'III', 'IV', 'V', 'VI'])}{r.randint(1, 99)}",
        "manager": v.person(r),
        "staff": r.randint(3, 90),
        "turnover": v.amount(r, 90, 9000),
    }


def _render_branches(records: Sequence[Record], s: Style) -> str:
    """The region is one cell over all of its rows."""

    def rows(region: str, group: list[Record]) -> str:
        first = f'<td rowspan="{len(group)}">{region}</td>'
        return "".join(
            f'<tr x-r>{first if n == 0 else ""}<td x-f="branch">{r["branch"]}</td><td x-f="manager">{r["manager"]}</td><td class="n" x-f="staff">{r["staff"]}</td><td class="n" x-f="turnover">{r["turnover"]:,.2f}</td></tr>'
            for n, r in enumerate(group)
        )

    body = "".join(rows(*one) for one in _grouped(records, "region"))
    return f'<table class="report"><thead><tr><th>Region</th><th>Branch</th><th>Manager</th><th>Staff</th><th>Turnover</th></tr></thead><tbody>{body}</tbody></table>'


def _fund(r: Random) -> Record:
    return {
        "sector": r.choice(["Energy", "Health", "Metals", "Retail", "Transport"]),
        "fund": f"{v.company(r)} {r.choice(['A', 'B', 'C'])}{r.randint(1, 99)}",
        "isin": f"{r.choice(['LU', 'IE', 'DE'])}{r.randint(10**9, 10**10 - 1)}",
        "price": v.amount(r, 4, 400),
        "change": round(r.uniform(-9, 9), 2),
    }


def _render_funds(records: Sequence[Record], s: Style) -> str:
    """No head; rows over all columns name the sector of those below."""

    def one(r: Record) -> str:
        sign = "up" if r["change"] >= 0 else "down"
        return f'<tr x-r><td x-f="fund"><a href="/f/{r["isin"]}">{e(r["fund"])}</a></td><td x-f="isin">{r["isin"]}</td><td align="right" x-f="price">{r["price"]:.2f}</td><td align="right" class="{sign}" x-f="change">{r["change"]:+.2f}%</td></tr>'

    parts = [
        f'<tr class="sector"><th colspan="4">{sector}</th></tr>{"".join(map(one, group))}'
        for sector, group in _grouped(records, "sector")
    ]
    return f'<table class="funds"><tbody>{"".join(parts)}</tbody></table>'


def _minute(r: Random) -> Record:
    return {
        "date": v.day(r),
        "title": v.headline(r),
        "amount": v.maybe(r, v.amount(r, 100, 90000), 0.7),
        "pages": r.randint(1, 80),
        "file": f"https://council-minutes.example/docs/{r.randint(10**5, 10**6)}.pdf",
    }


def _render_minutes(records: Sequence[Record], s: Style) -> str:
    """A table of 1998: no head, no classes."""

    def one(r: Record) -> str:
        path = r["file"][len("https://council-minutes.example") :]
        amount = f"${r['amount']:,.2f}" if r["amount"] else "--"
        return f'<tr bgcolor="#eeeeee" x-r><td width="90" nowrap x-f="date"><font size="2">{s.date(r["date"], "short")}</font></td><td><font size="2"><a href="{path}" x-f="title">{e(r["title"])}</a></font></td><td align="right" x-f="amount"><font size="2">{amount}</font></td><td x-f="pages"><font size="1">{r["pages"]} pp.</font></td></tr>'

    return f'<center><b>Minutes and contracts</b></center><table width="100%" cellspacing="2">{"".join(map(one, records))}</table>'


def _file(r: Random) -> Record:
    name = f"{v.words(r, 1)[0]}-{r.randint(1, 9)}.{r.randint(0, 40)}.{r.choice(['tar.gz', 'zip', 'rpm', 'txt'])}"
    return {
        "name": name,
        "modified": f"{v.day(r)} {r.randint(10, 23)}:{r.randint(10, 59)}",
        "size": r.randint(400, 9 * 10**7),
    }


def _render_files(records: Sequence[Record], s: Style) -> str:
    """What a server writes of a folder: one line each in a `<pre>`."""

    def one(r: Record) -> str:
        blank = " " * max(1, 51 - len(r["name"]))
        return f'<a href="{r["name"]}" x-f="name">{r["name"]}</a>{blank}{r["modified"]} {r["size"]:>19}\n'

    return f'<h1>Index of /pub/</h1><hr><pre><a href="../">../</a>\n{"".join(map(one, records))}</pre><hr>'


def _order(r: Random) -> Record:
    return {
        "number": f"{r.choice('KLM')}-{r.randint(10000, 99999)}",
        "customer": v.person(r),
        "placed": v.day(r),
        "total": v.amount(r, 10, 900),
        "state": r.choice(["Shipped", "Open", "Returned"]),
        "note": v.maybe(r, v.sentence(r), 0.4),
        "items": r.randint(1, 12),
    }


def _render_orders(records: Sequence[Record], s: Style) -> str:
    """Two rows for each order: what it is, and a row to fold out."""

    def one(n: int, r: Record) -> str:
        note = f'<p class="note" x-f="note">{e(r["note"])}</p>' if r["note"] else ""
        return f'<tr class="order-row" id="o{n}" x-r><td><button aria-expanded="true">▾</button></td><td x-f="number">{r["number"]}</td><td x-f="customer">{r["customer"]}</td><td x-f="placed">{s.date(r["placed"], "british")}</td><td><span class="pill" x-f="state">{r["state"]}</span></td><td x-f="total">{s.money(r["total"])}</td></tr><tr class="order-more" id="m{n}"><td colspan="6"><span class="items" x-f="items">{r["items"]} items</span>{note}</td></tr>'

    return f'<table class="orders"><thead><tr><th></th><th>Order</th><th>Customer</th><th>Placed</th><th>Status</th><th>Total</th></tr></thead><tbody>{"".join(one(n, r) for n, r in enumerate(records))}</tbody></table>'


def _member(r: Random) -> Record:
    return {
        "name": v.person(r),
        "trade": r.choice(["Joiner", "Glazier", "Potter", "Weaver"]),
        "street": f"{v.thing(r)} Lane {r.randint(1, 200)}",
        "phone": f"0{r.randint(200, 990)} {r.randint(10**5, 10**6 - 1)}",
        "email": v.maybe(r, f"{v.login(r)}@mail.example", 0.6),
    }


def _render_members(records: Sequence[Record], s: Style) -> str:
    """Entries of a few lines, parted by empty lines."""

    def one(r: Record) -> str:
        mail = f'<br>\n<a href="mailto:{r["email"]}" x-f="email">{r["email"]}</a>' if r["email"] else ""
        return f'<b x-f="name">{r["name"]}</b>, {r["trade"]}<br>\n{r["street"]}<br>\nTel. {r["phone"]}{mail}'

    return f"<h2>Members of the guild</h2><p>{'<br><br>'.join(map(one, records))}</p>"


def _plant(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} {r.choice(['Fern', 'Rose', 'Sage', 'Birch'])}",
        "latin": f"{r.choice(['Salvia', 'Rosa', 'Betula', 'Carex'])} {r.choice(['alba', 'minor', 'montana', 'rubra'])} {r.randint(1, 99)}",
        "height_cm": r.randint(10, 900),
        "blooms": v.maybe(r, r.choice(["March to May", "June", "July to August"]), 0.7),
        "price": v.amount(r, 2, 80),
    }


def _render_plants(records: Sequence[Record], s: Style) -> str:
    """Cards of terms and definitions; a dash where nothing is known."""

    def one(n: int, r: Record) -> str:
        return f'<div class="plant" x-r><h4><a href="/plants/{n}" x-f="name">{r["name"]}</a></h4><dl><dt>Botanical name</dt><dd><em x-f="latin">{r["latin"]}</em></dd><dt>Height</dt><dd x-f="height_cm">{r["height_cm"]} cm</dd><dt>Blooms</dt><dd x-f="blooms">{r["blooms"] or "–"}</dd><dt>Price</dt><dd x-f="price">{s.money(r["price"])}</dd></dl></div>'

    return f'<div class="nursery">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


def _topic(r: Random) -> Record:
    return {
        "subject": v.headline(r),
        "starter": v.login(r),
        "last_poster": v.login(r),
        "replies": r.randint(0, 90),
        "url": f"https://topic-links.example/t/{r.randint(1000, 99999)}",
    }


def _render_topics(records: Sequence[Record], s: Style) -> str:
    """Three links in each item, none with a class."""

    def one(r: Record) -> str:
        return f'<li x-r><a href="{r["url"][len("https://topic-links.example") :]}" x-f="subject">{e(r["subject"])}</a> <a href="/u/{r["starter"]}" x-f="starter">{r["starter"]}</a> <small>{r["replies"]} replies</small> <a href="/u/{r["last_poster"]}" x-f="last_poster">{r["last_poster"]}</a></li>'

    return f"<h1>Topics</h1><ul>{''.join(map(one, records))}</ul>"


def _law(r: Random) -> Record:
    return {
        "date": v.day(r, 2022, 2025),
        "title": f"{v.thing(r)} Act {r.randint(1, 400)}",
        "house": r.choice(["Commons", "Lords"]),
        "stage": r.choice(["First reading", "Second reading", "Committee", "Royal Assent"]),
    }


def _render_laws(records: Sequence[Record], s: Style) -> str:
    """A term for each day, several definitions below it."""

    def one(r: Record) -> str:
        return f'<dd x-r><a href="/bills" x-f="title">{r["title"]}</a> <span class="house" x-f="house">{r["house"]}</span> <span class="stage" x-f="stage">{r["stage"]}</span></dd>'

    parts = [f"<dt>{s.date(day, 'british')}</dt>{''.join(map(one, group))}" for day, group in _grouped(records, "date")]
    return f'<dl class="bills">{"".join(parts)}</dl>'


def _station(r: Random) -> Record:
    return {
        "station": f"{v.city(r)} {r.choice(['Park', 'Quay', 'Mill', 'Gate'])} {r.randint(1, 60)}",
        "free": r.randint(0, 30),
        "docks": r.randint(31, 60),
        "distance_m": r.randint(40, 4000),
        "updated": f"{r.randint(0, 23):02}:{r.randint(0, 59):02}",
    }


def _render_stations(records: Sequence[Record], s: Style) -> str:
    """Values in attributes that screen readers say; the text is pictures and bars."""

    def one(r: Record) -> str:
        return f'<li role="listitem" class="st" data-distance="{r["distance_m"]}" x-r><strong class="st-n" x-f="station">{r["station"]}</strong><span class="bar" role="img" aria-label="{r["free"]} bikes free" x-f="free"><i style="width:{r["free"]}%"></i></span><span class="bar" role="img" aria-label="{r["docks"]} docks" x-f="docks"><i></i></span><span class="far" x-f="distance_m">{r["distance_m"]} m</span><time x-f="updated">{r["updated"]}</time></li>'

    return f'<ul role="list" class="sts">{"".join(map(one, records))}</ul>'


PLAIN_LISTS = [
    Design("rowspan_regions", schema_of(region="string", branch="string", manager="string", staff="integer", turnover="number"), _branch, _render_branches, evidence="branch", sorted_by="region"),
    Design("section_rows", schema_of(sector="string", fund="string", isin="string", price="number", change="number"), _fund, _render_funds, evidence="isin", sorted_by="sector"),
    Design("council_minutes", schema_of(date="date", title="string", amount="number?", pages="integer", file="uri"), _minute, _render_minutes, evidence="title"),
    Design("pre_folder", schema_of(name="string", modified="string", size="integer"), _file, _render_files),
    Design("two_row_orders", schema_of(number="string", customer="string", placed="date", total="number", state=("Shipped", "Open", "Returned"), note="string?", items="integer"), _order, _render_orders),
    Design("guild_members", schema_of(name="string", trade="string", street="string", phone="string", email="string?"), _member, _render_members, evidence="street"),
    Design("plant_cards", schema_of(name="string", latin="string", height_cm="integer", blooms="string?", price="number"), _plant, _render_plants),
    Design("topic_links", schema_of(subject="string", starter="string", last_poster="string", replies="integer", url="uri"), _topic, _render_topics),
    Design("bills_by_day", schema_of(date="date", title="string", house="string", stage="string"), _law, _render_laws, evidence="title", sorted_by="date"),
    Design("bike_stations", schema_of(station="string", free="integer", docks="integer", distance_m="integer", updated="string"), _station, _render_stations),
]  # fmt: skip
