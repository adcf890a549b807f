"""Pastimes: charts, diaries, shelves, fixtures, guides, timetables."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _chart_film(r: Random) -> Record:
    return {
        "title": f"The {v.thing(r)}",
        "year": r.randint(1930, 2025),
        "runtime": f"{r.randint(1, 3)}h {r.randint(1, 59)}m",
        "certificate": v.maybe(r, r.choice(["PG", "R", "PG-13", "Approved"]), 0.8),
        "rating": r.randint(60, 93) / 10,
        "votes": f"{r.randint(20, 999)}K",
        "url": f"https://imdb-chart.example/title/tt{r.randint(10**6, 10**7)}/?ref_=chttp",
        "_score": r.random() < 0.5,
    }


def _render_chart(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(n: int, r: Record) -> str:
        cert = (
            f'<span class="sc-{c("meta")} cli-title-metadata-item" x-f="certificate">{r["certificate"]}</span>'
            if r["certificate"]
            else ""
        )
        path = r["url"][len("https://imdb-chart.example") :]
        meta = (
            '<span class="metacritic-score-box">81</span><span class="metacritic-score-label">Metascore</span>'
            if r["_score"]
            else ""
        )
        return (
            f'<li class="ipc-metadata-list-summary-item sc-{c("row")} cli-parent" x-r><div class="ipc-metadata-list-summary-item__c"><div class="ipc-poster"><img alt="{r["title"]}" src="/p/{n}.jpg" width="50"/><a class="ipc-lockup-overlay" href="{path}i" aria-label="View title page for {r["title"]}"></a></div><div class="ipc-metadata-list-summary-item__tc"><div class="sc-{c("inner")} cli-children">'
            f'<div class="ipc-title ipc-title--base ipc-title--title cli-title"><a href="{path}" class="ipc-title-link-wrapper" tabindex="0" x-f="url"><h3 class="ipc-title__text" x-f="title">{n}. {r["title"]}</h3></a></div><div class="sc-{c("line")} cli-title-metadata"><span class="sc-{c("meta")} cli-title-metadata-item" x-f="year">{r["year"]}</span><span class="sc-{c("meta")} cli-title-metadata-item" x-f="runtime">{r["runtime"]}</span>{cert}{meta}</div>'
            f'<span class="sc-{c("ratings")}"><div class="sc-{c("group")} cli-ratings-container"><span aria-label="IMDb rating: {r["rating"]}" class="ipc-rating-star ipc-rating-star--base"><svg></svg><span class="ipc-rating-star--rating" x-f="rating">{r["rating"]}</span><span class="ipc-rating-star--voteCount" x-f="votes">&nbsp;({r["votes"]})</span></span><button class="ipc-rate-button"><span>Rate</span></button></div></span></div></div></div></li>'
        )

    return f'<h1>Top films</h1><div>{len(records)} Titles</div><ul class="ipc-metadata-list compact-list-view">{"".join(one(n, r) for n, r in enumerate(records, 1))}</ul>'


def _viewing(r: Random) -> Record:
    return {
        "film": f"The {v.thing(r)} of {v.city(r)}",
        "year": r.randint(1930, 2025),
        "member": v.login(r),
        "stars": v.maybe(r, "★" * r.randint(1, 5) + r.choice(["", "½"]), 0.8),
        "watched": v.day(r),
        "review": v.text(r, 1, 3),
        "likes": v.maybe(r, r.randint(2, 900), 0.6),
        "_rewatch": r.random() < 0.2,
    }


def _render_viewings(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        stars = f'<span class="rating -green rated-{n % 10}" x-f="stars"> {r["stars"]} </span>' if r["stars"] else ""
        again = "Rewatched" if r["_rewatch"] else "Watched"
        parts = r["review"].split(". ", 1)
        likes = (
            f'<p class="like-link-target react-component -monotone" data-likes-page="/l" x-f="likes"><a href="/likes">{r["likes"]:,} likes</a></p>'
            if r["likes"]
            else '<p class="like-link-target react-component -monotone">No likes yet</p>'
        )
        return (
            f'<li class="film-detail" x-r><div class="react-component poster film-poster" data-film-slug="{v.slug(r["film"])}"><img src="/l/{n}.jpg" class="image" alt="{r["film"]}"></div><div class="film-detail-content"><h2 class="headline-2 prettify"><a href="/film/{n}/" x-f="film">{r["film"]}</a> <small class="metadata"><a href="/films/year/{r["year"]}/" x-f="year">{r["year"]}</a></small></h2>'
            f'<div class="attribution-block"><a class="avatar -a16" href="/{r["member"]}/"><img src="/a.jpg" alt="{r["member"]}"></a><p class="attribution">{stars}<span class="content-metadata"><strong class="name"><a href="/{r["member"]}/" x-f="member">{r["member"]}</a></strong> <span class="date">{again} <span class="_nobr" x-f="watched">{s.date(r["watched"], "british")}</span></span></span></p></div>'
            f'<div class="body-text -prose collapsible-text" x-f="review"><p>{e(r["review"]) if len(parts) < 2 or n % 3 else e(parts[0]) + ". <em>" + e(parts[1]) + "</em>"}</p></div>{likes}</div></li>'
        )

    return f'<section class="section"><h2 class="section-heading">Popular reviews</h2><ul class="film-details-list">{"".join(one(n, r) for n, r in enumerate(records, 1))}</ul></section>'


def _shelf_book(r: Random) -> Record:
    return {
        "title": v.thing(r) + r.choice(["", f" (Harbor Saga, #{r.randint(1, 9)})"]),
        "author": v.person(r),
        "average": r.randint(300, 480) / 100,
        "ratings": r.randint(50, 900000),
        "score": r.randint(100, 90000),
        "voters": r.randint(2, 900),
        "_badge": r.random() < 0.3,
    }


def _render_shelf(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        badge = ' <span class="greyText">(Goodreads Author)</span>' if r["_badge"] else ""
        return (
            f'<tr itemscope itemtype="http://schema.org/Book" x-r>\n<td valign="top" class="number">{n}</td>\n<td width="5%" valign="top">\n<div id="{n}" class="u-anchorTarget"></div>\n<a title="{r["title"]}" href="/book/show/{n}"><img alt="{r["title"]}" class="bookCover" itemprop="image" src="/b/{n}.jpg" /></a></td>\n<td width="100%" valign="top">\n<a class="bookTitle" itemprop="url" href="/book/show/{n}">\n<span itemprop="name" role="heading" aria-level="4" x-f="title">{r["title"]}</span>\n</a>    <br/>\n<span class="by">by</span>\n<span itemprop="author" itemscope itemtype="http://schema.org/Person">\n<div class="authorName__container">\n<a class="authorName" itemprop="url" href="/author/{n}"><span itemprop="name" x-f="author">{r["author"]}</span></a>{badge}\n</div></span>\n'
            f'<br/>\n<div><span class="greyText smallText uitext"><span class="minirating"><span class="stars staticStars notranslate"><span size="12x12" class="staticStar p10"></span></span> {r["average"]:.2f} avg rating &mdash; {r["ratings"]:,} ratings</span></span></div>\n<div style="margin-top: 5px"><span class="smallText uitext"><a href="#" onclick="x(); return false;">score: {r["score"]:,}</a>,\n<span class="greyText">and</span>\n<a id="loading_link_{n}" href="#" onclick="y(); return false;">{r["voters"]} people voted</a>\n&emsp;</span></div></td>\n<td width="130px" valign="top"><div class="wtrButtonContainer"><button class="wtrToRead"><span class="progressTrigger">Want to Read</span></button></div></td></tr>'
        )

    return f'<h1 class="gr-h1">Best books of the north</h1><div class="stacked">A list by many people.</div><table class="tableList js-dataTooltip">{"".join(one(n, r) for n, r in enumerate(records, 1))}</table>'


def _match(r: Random) -> Record:
    played = r.random() < 0.6
    return {
        "home": f"{v.city(r)} {r.choice(['FC', 'United', 'Town'])}",
        "away": f"{v.city(r)} {r.choice(['Rovers', 'City', 'Athletic'])}",
        "home_score": r.randint(0, 6) if played else None,
        "away_score": r.randint(0, 6) if played else None,
        "kick_off": None if played else f"{r.randint(12, 20)}:{r.choice(['00', '30', '45'])}",
        "_late": r.random() < 0.1,
    }


def _render_matches(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def team(name: str, side: str, score: object) -> str:
        goals = f'<div class="ssrcss-{side}-{c("score")}" x-f="{side}_score">{score}</div>' if score is not None else ""
        return f'<div class="ssrcss-{c("team")} Team{side.title()}"><span class="ssrcss-{c("crest")}"><img src="/c.svg" alt=""/></span><div class="ssrcss-{c("label")}"><span class="ssrcss-{c("desktop")}" aria-hidden="true" x-f="{side}">{name}</span></div>{goals}</div>'

    def one(n: int, r: Record) -> str:
        time = (
            f'<time class="ssrcss-{c("kick")}" x-f="kick_off">{r["kick_off"]}</time>'
            if r["kick_off"]
            else f'<div class="ssrcss-{c("period")}"><abbr title="Full time">FT</abbr></div>'
        )
        late = f'<div class="ssrcss-{c("note")}">Match postponed once</div>' if r["_late"] else ""
        return f'<li class="ssrcss-{c("item")} HeadToHeadWrapper" x-r><div class="ssrcss-{c("grid")}" data-tipo-topic-id="{n}">{team(r["home"], "home", r["home_score"])}{time}{team(r["away"], "away", r["away_score"])}</div>{late}</li>'

    cut = max(1, len(records) // 3)
    groups = [records[at : at + cut] for at in range(0, len(records), cut)]
    parts = "".join(
        f'<div class="ssrcss-{c("group")}"><h2 class="ssrcss-{c("head")}">Division {number}</h2><ul role="list" class="ssrcss-{c("list")}">{"".join(one(n, r) for n, r in enumerate(group))}</ul></div>'
        for number, group in enumerate(groups, 1)
    )
    return f'<h1>Scores and fixtures</h1><div data-testid="datepicker-date-link-today">Today</div>{parts}'


def _show(r: Random) -> Record:
    return {
        "starts": f"{r.randint(0, 23):02}:{r.choice(['00', '05', '15', '30'])}",
        "title": v.thing(r),
        "episode": v.maybe(r, f"Series {r.randint(1, 12)}: {r.randint(1, 20)}. {v.thing(r)}", 0.6),
        "synopsis": v.text(r, 1, 2),
        "minutes": r.randint(5, 180),
        "repeat": r.random() < 0.4,
    }


def _render_guide(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        episode = (
            f'<span class="programme__subtitle centi"><span x-f="episode">{r["episode"]}</span></span>'
            if r["episode"]
            else ""
        )
        repeat = '<abbr title="Repeat" x-f="repeat">(R)</abbr>' if r["repeat"] else ""
        now = '<p class="on-now">On now</p>' if n == 3 else ""
        return (
            f'<li id="p{n:05}" class="grid-item {"on-now" if n == 3 else ""}" x-r><div class="broadcast block-link highlight-box--grid" data-pid="b{n}"><div class="broadcast__info grid 1/4"><h3 class="broadcast__time gamma" content="2026-03-01T{r["starts"]}:00+00:00"><span class="timezone--time" x-f="starts">{r["starts"]}</span><span class="timezone--note"></span></h3>{now}</div>'
            f'<div class="broadcast__programme grid 3/4"><div class="programme programme--tv"><div class="programme__img"><img alt="" src="/i/{n}.jpg"/></div><div class="programme__body"><h4 class="programme__titles"><a href="/programmes/{n}" class="block-link__target"><span class="programme__title delta"><span x-f="title">{r["title"]}</span></span>{episode}</a></h4><p class="programme__synopsis text--subtle centi"><span class="programme__service">One. </span><span x-f="synopsis">{e(r["synopsis"])}</span> {repeat}</p><p class="duration" x-f="minutes">{r["minutes"]} mins</p></div></div></div></div></li>'
        )

    rows = [one(n, r) for n, r in enumerate(records)]
    cut = len(rows) // 2
    return f'<h1>Schedule</h1><div id="morning"><h2 class="gel-pica">Morning</h2><ol class="highlight-box-wrapper">{"".join(rows[:cut])}</ol></div><div id="evening"><h2 class="gel-pica">Evening</h2><ol class="highlight-box-wrapper">{"".join(rows[cut:])}</ol></div>'


def _train(r: Random) -> Record:
    late = r.random() < 0.3
    return {
        "departs": f"{r.randint(5, 23):02}:{r.randint(0, 59):02}",
        "destination": v.city(r),
        "via": v.maybe(r, f"{v.city(r)} and {v.city(r)}", 0.4),
        "platform": v.maybe(r, r.randint(1, 16), 0.7),
        "expected": f"{r.randint(5, 23):02}:{r.randint(0, 59):02}" if late else "On time",
        "operator": f"{v.thing(r).split()[0]} Rail",
        "coaches": v.maybe(r, r.randint(2, 12), 0.5),
    }


def _render_trains(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        via = f'<small class="via">via <span x-f="via">{r["via"]}</span></small>' if r["via"] else ""
        coaches = (
            f'<span class="coaches" title="{r["coaches"]} coaches"><span x-f="coaches">{r["coaches"]}</span> coaches</span>'
            if r["coaches"]
            else ""
        )
        state = "ontime" if r["expected"] == "On time" else "late"
        return f'<tr class="call" x-r>\n  <td class="time" x-f="departs">{r["departs"]}</td>\n  <td class="dest"><a href="/t/{n}"><span x-f="destination">{r["destination"]}</span></a> {via}</td>\n  <td class="plat" x-f="platform">{r["platform"] or "&ndash;"}</td>\n  <td class="exp {state}" x-f="expected">{r["expected"]}</td>\n</tr>\n<tr class="sub">\n  <td></td><td colspan="3"><i x-f="operator">{r["operator"]}</i> service {coaches}</td>\n</tr>\n'

    head = '<tr><th x-f="departs">Time</th><th x-f="destination">Destination</th><th x-f="platform">Plat</th><th x-f="expected">Expected</th></tr>'
    return f'<h1>Departures</h1><p class="updated">Last updated 10:32</p><table id="board"><thead>{head}</thead><tbody>{"".join(one(n, r) for n, r in enumerate(records))}</tbody></table>'


PASTIMES = [
    Design(
        "imdb_chart",
        schema_of(
            title="string",
            year="integer",
            runtime="string",
            certificate="string?",
            rating="number",
            votes="string",
            url="uri",
        ),
        _chart_film,
        _render_chart,
        rows=25,
        words={"Rate": "Bewerten", "Metascore": "Wertung"},
    ),
    Design(
        "letterboxd_reviews",
        schema_of(
            film="string",
            year="integer",
            member="string",
            stars="string?",
            watched="date",
            review="string",
            likes="integer?",
        ),
        _viewing,
        _render_viewings,
        rows=12,
        words={" likes": " Mal gemocht", "Watched": "Gesehen"},
        evidence="film",
    ),
    Design(
        "goodreads_list",
        schema_of(
            title="string", author="string", average="number", ratings="integer", score="integer", voters="integer"
        ),
        _shelf_book,
        _render_shelf,
        words={" avg rating": " im Mittel", "score:": "Punkte:"},
    ),
    Design(
        "fixtures",
        schema_of(home="string", away="string", home_score="integer?", away_score="integer?", kick_off="string?"),
        _match,
        _render_matches,
        rows=18,
        words={"FT": "Ende"},
    ),
    Design(
        "tv_guide",
        schema_of(starts="string", title="string", episode="string?", synopsis="string", minutes="integer"),
        _show,
        _render_guide,
        rows=18,
        words={" mins": " Min."},
        evidence="synopsis",
    ),
    Design(
        "departures",
        schema_of(
            departs="string",
            destination="string",
            via="string?",
            platform="integer?",
            expected="string",
            operator="string",
            coaches="integer?",
        ),
        _train,
        _render_trains,
        rows=16,
        words={"coaches": "Wagen", "via": "über"},
    ),
]
