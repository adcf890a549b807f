"""Lists written after the mending that world_lists and built_lists had led to."""

from collections.abc import Sequence
from html import escape as e
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _report(r: Random) -> Record:
    return {
        "company": f"{v.company(r)} {r.randint(2, 99)}",
        "ticker": "".join(r.choice("ABCDEFGHJKLM") for _ in range(4)),
        "revenue_musd": r.randint(100, 99999) / 10,
        "profit_musd": r.choice([-1, 1, 1]) * r.randint(10, 9999) / 10,
        "growth_percent": r.randint(-300, 900) / 10,
    }


def _render_reports(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        loss = r["profit_musd"] < 0
        profit = f"-{-r['profit_musd']:,.1f}" if loss else f"{r['profit_musd']:,.1f}"
        return f'<tr x-r><th scope="row"><a href="/q/{r["ticker"]}" x-f="company">{e(r["company"])}</a><br><small x-f="ticker">{r["ticker"]}</small></th><td x-f="revenue_musd">{r["revenue_musd"]:,.1f}</td><td class="{"neg" if loss else ""}" x-f="profit_musd">{profit}</td><td x-f="growth_percent">{r["growth_percent"]:+.1f}%</td></tr>'

    return f'<table class="fin"><caption>Results, USD millions</caption><thead><tr><th>Company</th><th>Revenue</th><th>Profit</th><th>Growth</th></tr></thead><tbody>{"".join(map(one, records))}</tbody></table>'


def _sailing(r: Random) -> Record:
    return {
        "route": f"{v.city(r)} – {v.city(r)} {r.randint(2, 99)}",
        "departs": f"{r.randint(5, 22):02}:{r.choice(['05', '20', '45'])}",
        "vessel": f"MS {v.thing(r)}",
        "days": r.sample(["Mon", "Tue", "Wed", "Thu", "Fri"], r.randint(1, 4)),
        "cars": r.random() < 0.6,
        "fare_eur": r.randint(4, 90),
    }


def _render_sailings(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        days = "".join(f'<abbr class="d">{day}</abbr> ' for day in r["days"])
        cars = '<img src="/i/car.svg" alt="Takes cars" x-f="cars">' if r["cars"] else ""
        return f'<li class="sailing" x-r><div class="sailing-main"><strong x-f="route">{r["route"]}</strong><time x-f="departs">{r["departs"]}</time></div><div class="sailing-sub"><span x-f="vessel">{r["vessel"]}</span> {cars} <span class="days" x-f="days">{days}</span><span class="fare">from <b x-f="fare_eur">{r["fare_eur"]} EUR</b></span></div></li>'

    return f'<h2>Sailings</h2><ul class="sailings">{"".join(map(one, records))}</ul>'


def _wine(r: Random) -> Record:
    return {
        "wine": f"{r.choice(['Château', 'Domaine', 'Cave'])} {v.company(r)} {r.randint(2, 99)}",
        "year": r.randint(1995, 2023),
        "region": r.choice(["Valais", "Rioja", "Douro", "Jura"]),
        "colour": r.choice(["red", "white", "rosé"]),
        "glass_chf": v.maybe(r, r.randint(7, 19), 0.5),
        "bottle_chf": r.randint(32, 190),
    }


def _render_wines(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        glass = f" · dl {r['glass_chf']}.–" if r["glass_chf"] else ""
        return f'<p class="wine" x-r><b x-f="wine">{e(r["wine"])}</b>, {r["region"]}, {r["year"]}, {r["colour"]}<span class="pr">{glass} · Fl. <i x-f="bottle_chf">{r["bottle_chf"]}.–</i></span></p>'

    return f"<h3>Wines</h3>{''.join(map(one, records))}"


def _chess(r: Random) -> Record:
    return {
        "white": v.person(r),
        "black": v.person(r),
        "white_elo": r.randint(1400, 2800),
        "black_elo": r.randint(1400, 2800),
        "result": r.choice(["1-0", "0-1", "½-½"]),
        "moves": r.randint(12, 99),
        "opening": f"{v.thing(r)} {r.choice(['Gambit', 'Defence'])}",
    }


def _render_chess(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        return f'<tr class="{"odd" if n % 2 else "even"}" x-r><td><div class="post-view-meta-user"><span class="white-piece"></span><a class="username" href="/m/{n}w" x-f="white">{r["white"]}</a> <span class="user-rating">({r["white_elo"]})</span></div><div class="post-view-meta-user"><span class="black-piece"></span><a class="username" href="/m/{n}b" x-f="black">{r["black"]}</a> <span class="user-rating">({r["black_elo"]})</span></div></td><td x-f="result">{r["result"]}</td><td x-f="moves">{r["moves"]}</td><td x-f="opening">{r["opening"]}</td></tr>'

    return f'<table class="games"><thead><tr><th>Players</th><th>Result</th><th>Moves</th><th>Opening</th></tr></thead><tbody>{"".join(one(n, r) for n, r in enumerate(records))}</tbody></table>'


def _commit(r: Random) -> Record:
    return {
        "date": v.day(r, 2025, 2025),
        "message": v.headline(r),
        "sha": f"{r.randint(16**6, 16**7 - 1):x}",
        "author": v.login(r),
        "verified": r.random() < 0.5,
        "comments": v.maybe(r, r.randint(2, 20), 0.3),
    }


def _render_commits(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        tick = '<span class="Label Label--success" x-f="verified">Verified</span>' if r["verified"] else ""
        talk = (
            f'<a class="Link--muted" href="/c/{r["sha"]}#comments" x-f="comments"><svg></svg> {r["comments"]}</a>'
            if r["comments"]
            else ""
        )
        return f'<li class="Box-row {s.css("row")}" x-r><div><h4 class="{s.css("title")}"><a href="/c/{r["sha"]}" x-f="message">{e(r["message"])}</a></h4><div class="{s.css("desc")}"><a href="/u/{r["author"]}" data-testid="avatar-name" x-f="author">{r["author"]}</a> committed</div></div><div>{tick}{talk}<a class="{s.css("sha")}" href="/c/{r["sha"]}"><span x-f="sha">{r["sha"]}</span></a></div></li>'

    def day(date: str, group: list[Record]) -> str:
        return f'<div data-testid="commit-group"><h3 class="{s.css("head")}">Commits on {s.date(date, "short")}</h3><ul>{"".join(map(one, group))}</ul></div>'

    return "".join(day(date, list(group)) for date, group in groupby(records, lambda r: r["date"]))


def _webtoon(r: Random) -> Record:
    return {
        "title": f"{r.choice(['푸른', '조용한', '마지막', '달빛'])} {r.choice(['학교', '정원', '기사', '여행'])} {r.randint(2, 99)}",
        "author": f"{r.choice(['김', '이', '박', '최'])}{r.choice(['민수', '서연', '지훈', '하늘'])}",
        "rating": r.randint(70, 99) / 10,
        "episodes": r.randint(3, 400),
        "genre": r.choice(["로맨스", "판타지", "스릴러"]),
        "adult": r.random() < 0.2,
    }


def _render_webtoons(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        adult = (
            f'<span class="{s.css("badge")}"><span class="blind" x-f="adult">19세 이용가</span></span>'
            if r["adult"]
            else ""
        )
        return f'<li class="{s.css("item")}" x-r><a href="/w/{n}"><div class="{s.css("thumb")}"><img src="/w/{n}.jpg" alt="">{adult}</div></a><div class="{s.css("info")}"><a class="{s.css("titlearea")}" href="/w/{n}"><span class="text" x-f="title">{r["title"]}</span></a><a class="{s.css("author")}" href="/a/{n}" x-f="author">{r["author"]}</a><div class="{s.css("ratingarea")}"><span class="text" x-f="rating">★{r["rating"]:.1f}</span></div><p><em x-f="genre">{r["genre"]}</em> · 총 {r["episodes"]}화</p></div></li>'

    return f'<ul class="{s.css("list")}">{"".join(one(n, r) for n, r in enumerate(records))}</ul>'


def _hammer(r: Random) -> Record:
    return {
        "rubrik": f"{r.choice(['Byrå', 'Lampa', 'Klocka', 'Skål'])}, {r.choice(['gustaviansk', 'mässing', 'silver'])} nr {r.randint(100, 9999)}",
        "slutpris": v.maybe(r, r.randint(3, 400) * 100, 0.8),
        "utrop": r.randint(2, 300) * 100,
        "bud": r.randint(2, 60),
        "avslutad": v.day(r),
    }


def _render_hammers(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        final = (
            f'<p class="lot__price">Slutpris <strong x-f="slutpris">{r["slutpris"]:,} kr</strong></p>'.replace(
                ",", "\xa0"
            )
            if r["slutpris"]
            else '<p class="lot__price">Ej såld</p>'
        )
        start = f"{r['utrop']:,}".replace(",", "\xa0")
        return f'<div class="lot" x-r><a class="lot__link" href="/l/{n}"><img src="/l/{n}.jpg" alt=""><h3 class="lot__title" x-f="rubrik">{r["rubrik"]}</h3></a><p class="lot__start">Utropspris <span x-f="utrop">{start} kr</span></p>{final}<p class="lot__meta"><span x-f="bud">{r["bud"]} bud</span> <span x-f="avslutad">{r["avslutad"]}</span></p></div>'

    return f'<section class="lots">{"".join(one(n, r) for n, r in enumerate(records))}</section>'


def _school(r: Random) -> Record:
    return {
        "school": f"{v.city(r)} {r.choice(['Primary', 'Grammar', 'Academy'])} {r.randint(2, 99)}",
        "head": v.person(r),
        "pupils": r.randint(80, 1800),
        "ages": f"{r.randint(3, 6)} to {r.randint(11, 19)}",
        "address": {
            "street": f"{v.thing(r)} Street {r.randint(1, 90)}",
            "town": v.city(r),
            "postcode": f"{r.choice('ABC')}{r.randint(10, 99)} {r.randint(1, 9)}XY",
        },
        "inspected": v.maybe(r, v.day(r), 0.7),
    }


def _render_schools(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        pairs = [("Headteacher", r["head"]), ("Number of pupils", f"{r['pupils']:,}"), ("Age range", r["ages"])]
        if r["inspected"]:
            pairs.append(("Last inspection", s.date(r["inspected"], "british")))
        rows = "".join(
            f'<div class="govuk-summary-list__row"><dt class="govuk-summary-list__key">{label}</dt><dd class="govuk-summary-list__value">{value}</dd></div>'
            for label, value in pairs
        )
        place = r["address"]
        return f'<li class="document" x-r><h3 class="govuk-heading-s"><a class="govuk-link" href="/s" x-f="school">{r["school"]}</a></h3><address class="addr">{place["street"]}, {place["town"]}, {place["postcode"]}</address><dl class="govuk-summary-list">{rows}</dl></li>'

    return f'<ol class="document-list">{"".join(map(one, records))}</ol>'


def _vote(r: Random) -> Record:
    return {
        "motion": v.headline(r),
        "date": v.day(r),
        "ayes": r.randint(100, 400),
        "noes": r.randint(100, 400),
        "abstained": v.maybe(r, r.randint(1, 60), 0.6),
        "outcome": r.choice(["Adopted", "Rejected"]),
    }


def _render_votes(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        other = (
            f'<li class="tally tally--abstain"><span class="tally__num" x-f="abstained">{r["abstained"]}</span><span class="tally__lbl">Abstained</span></li>'
            if r["abstained"]
            else ""
        )
        return f'<a class="card card-vote" href="/v/{n}" x-r><div class="card-inner"><div class="text"><div class="primary-info" x-f="motion">{e(r["motion"])}</div><div class="secondary-info" x-f="date">{s.date(r["date"], "british")}</div></div><ul class="tallies"><li class="tally tally--aye"><span class="tally__num" x-f="ayes">{r["ayes"]}</span><span class="tally__lbl">Ayes</span></li><li class="tally tally--no"><span class="tally__num" x-f="noes">{r["noes"]}</span><span class="tally__lbl">Noes</span></li>{other}</ul><div class="indicator" x-f="outcome">{r["outcome"]}</div></div></a>'

    return f'<h1>Divisions</h1><div class="card-list">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


def _episode(r: Random) -> Record:
    return {
        "number": r.randint(10, 900),
        "title": v.headline(r),
        "guests": [v.person(r) for _ in range(r.randint(0, 3))],
        "minutes": r.randint(12, 59),
        "released": v.day(r),
        "explicit": r.random() < 0.3,
    }


def _render_episodes(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        guests = f"<p>With {', '.join(f'<a>{x}</a>' for x in r['guests'])}</p>" if r["guests"] else ""
        mark = ' <span aria-label="Explicit" class="e" x-f="explicit">E</span>' if r["explicit"] else ""
        return f'<article x-r><p><small>#{r["number"]} — {s.date(r["released"], "short")} — {r["minutes"]} min</small></p><h2 x-f="title">{e(r["title"])}{mark}</h2>{guests}</article>'

    return "".join(map(one, records))


FRESH_LISTS = [
    Design("results_table", schema_of(company="string", ticker="string", revenue_musd="number", profit_musd="number", growth_percent="number"), _report, _render_reports),
    Design("sailings", schema_of(route="string", departs="string", vessel="string", days=["string"], cars="boolean", fare_eur="integer"), _sailing, _render_sailings),
    Design("wine_lines", schema_of(wine="string", year="integer", region="string", colour=("red", "white", "rosé"), glass_chf="integer?", bottle_chf="integer"), _wine, _render_wines),
    Design("chess_games", schema_of(white="string", black="string", white_elo="integer", black_elo="integer", result=("1-0", "0-1", "½-½"), moves="integer", opening="string"), _chess, _render_chess),
    Design("commits", schema_of(date="date", message="string", sha="string", author="string", verified="boolean", comments="integer?"), _commit, _render_commits, evidence="message", sorted_by="date"),
    Design("webtoons", schema_of(title="string", author="string", rating="number", episodes="integer", genre="string", adult="boolean"), _webtoon, _render_webtoons),
    Design("klubbade", schema_of(rubrik="string", slutpris="integer?", utrop="integer", bud="integer", avslutad="date"), _hammer, _render_hammers, words={"Slutpris": "Klubbat"}),
    Design("schools", schema_of(school="string", head="string", pupils="integer", ages="string", address={"street": "string", "town": "string", "postcode": "string"}, inspected="date?"), _school, _render_schools, words={"Headteacher": "Director"}),
    Design("divisions", schema_of(motion="string", date="date", ayes="integer", noes="integer", abstained="integer?", outcome=("Adopted", "Rejected")), _vote, _render_votes, words={"Ayes": "Pour", "Noes": "Contre"}),
    Design("episodes_plain", schema_of(number="integer", title="string", guests=["string"], minutes="integer", released="date", explicit="boolean"), _episode, _render_episodes, evidence="title"),
]  # fmt: skip
