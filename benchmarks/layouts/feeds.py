"""Feeds: posts, videos, reviews, news; relative times, counts behind pictures, replies inside."""

from collections.abc import Sequence
from html import escape as e
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _count(number: int) -> str:
    return f"{number / 1000:.1f}K" if number >= 10_000 else f"{number:,}"


def _status(r: Random) -> Record:
    login = v.login(r)
    return {
        "author": v.person(r),
        "handle": f"@{login}@{r.choice(['norden', 'fosst', 'hachy'])}.example",
        "posted": f"{v.day(r)}T{r.randint(10, 23)}:{r.randint(10, 59)}:00Z",
        "text": v.text(r, 1, 3),
        "replies": r.randint(0, 40),
        "boosts": r.randint(0, 400),
        "_image": r.random() < 0.4,
        "_boosted": r.random() < 0.25,
        "_age": f"{r.randint(1, 23)}h",
    }


def _render_statuses(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        above = (
            '<div class="status__prepend"><i class="fa fa-retweet"></i><span>Somebody boosted</span></div>'
            if r["_boosted"]
            else ""
        )
        image = (
            f'<div class="media-gallery"><a class="media-gallery__item" href="/m/{n}"><img src="/m/{n}s.jpg" alt="A picture"></a></div>'
            if r["_image"]
            else ""
        )
        return f'<article data-id="{n}" x-r>{above}<div class="status"><div class="status__info"><a href="/@x/{n}" class="status__relative-time"><time datetime="{r["posted"]}" x-f="posted">{r["_age"]}</time></a><a href="/@x" class="status__display-name"><span class="display-name"><bdi><strong class="display-name__html" x-f="author">{r["author"]}</strong></bdi> <span class="display-name__account" x-f="handle">{r["handle"]}</span></span></a></div><div class="status__content"><div class="status__content__text" x-f="text"><p>{e(r["text"])}</p></div></div>{image}<div class="status__action-bar"><button class="icon-button icon-button--with-counter" aria-label="Reply"><svg></svg><span class="icon-button__counter" x-f="replies"><span class="animated-number">{r["replies"]}</span></span></button><button class="icon-button icon-button--with-counter" aria-label="Boost"><svg></svg><span class="icon-button__counter" x-f="boosts"><span class="animated-number">{r["boosts"]}</span></span></button></div></div></article>'

    return f'<div role="feed" class="item-list">{"".join(one(n, r) for n, r in enumerate(records))}</div><button class="load-more">Load more</button>'


def _story(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "url": f"https://{v.company(r).split()[0].lower()}.example/{r.randint(100, 9999)}",
        "score": r.randint(1, 240),
        "tags": v.tags(r, 1, 3),
        "submitter": v.login(r),
        "age": f"{r.randint(2, 23)} hours ago",
        "comments": r.randint(0, 80),
    }


def _render_stories(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        tags = "".join(f'<a class="tag tag_{t}" href="/t/{t}">{t}</a> ' for t in r["tags"])
        talk = f"{r['comments']} comment{'s' if r['comments'] != 1 else ''}" if r["comments"] else "no comments"
        host = r["url"].split("/")[2]
        return f'<li id="story_{n}" data-shortid="a{n}" class="story" x-r><div class="story_liner h-entry"><div class="voters"><a class="upvoter" href="/login" x-f="score">{r["score"]}</a></div><div class="details"><span role="heading" aria-level="1" class="link h-cite u-repost-of"><a class="u-url" href="{r["url"]}" x-f="title">{e(r["title"])}</a></span> <span class="tags" x-f="tags">{tags}</span> <a class="domain" href="/domains/{host}">{host}</a><div class="byline"><a href="/~{r["submitter"]}"><img class="avatar" src="/a.png" alt="{r["submitter"]} avatar"></a> <span> via </span> <a class="u-author h-card" href="/~{r["submitter"]}" x-f="submitter">{r["submitter"]}</a> <time title="2025-01-01" x-f="age">{r["age"]}</time> <span class="comments_label"><span> | </span><a role="heading" aria-level="2" href="/s/a{n}" x-f="comments">{talk}</a></span></div></div></div></li>'

    return f'<ol class="stories list">{"".join(one(n, r) for n, r in enumerate(records))}</ol><div class="morelink"><a href="/page/2">Page 2 &gt;&gt;</a></div>'


def _video(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "channel": v.company(r),
        "views": f"{_count(r.randint(300, 900000))} views",
        "age": f"{r.randint(2, 11)} {r.choice(['days', 'weeks', 'months'])} ago",
        "length": v.maybe(r, f"{r.randint(1, 59)}:{r.randint(10, 59)}", 0.85),
        "verified": r.random() < 0.4,
        "_n": r.randint(10**6, 10**7),
    }


def _render_videos(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        badge = (
            f'<span id="text" class="style-scope ytd-thumbnail-overlay-time-status-renderer" aria-label="long" x-f="length">{r["length"]}</span>'
            if r["length"]
            else '<p class="badge-shape-wiz__text">LIVE</p>'
        )
        tick = (
            '<div class="badge badge-style-type-verified" aria-label="Verified" x-f="verified"><tp-yt-paper-tooltip>Verified</tp-yt-paper-tooltip></div>'
            if r["verified"]
            else ""
        )
        return f'<ytd-rich-item-renderer class="style-scope ytd-rich-grid-renderer" x-r><div id="content" class="style-scope ytd-rich-item-renderer"><a id="thumbnail" href="/watch?v={r["_n"]}"><yt-image><img src="/vi/{r["_n"]}.jpg"></yt-image>{badge}</a><div id="details"><h3><a id="video-title-link" href="/watch?v={r["_n"]}" title="{e(r["title"])}"><yt-formatted-string id="video-title" x-f="title">{e(r["title"])}</yt-formatted-string></a></h3><div id="metadata"><ytd-channel-name><a href="/@c" class="yt-simple-endpoint" x-f="channel">{e(r["channel"])}</a>{tick}</ytd-channel-name><div id="metadata-line"><span class="inline-metadata-item style-scope ytd-video-meta-block" x-f="views">{r["views"]}</span><span class="inline-metadata-item style-scope ytd-video-meta-block" x-f="age">{r["age"]}</span></div></div></div></div></ytd-rich-item-renderer>'

    ad = '<ytd-rich-item-renderer class="style-scope ytd-rich-grid-renderer"><ytd-ad-slot-renderer><h3>Build your site today</h3><span>Sponsored</span><a href="/aclk">Visit site</a></ytd-ad-slot-renderer></ytd-rich-item-renderer>'
    rows = [one(r) + (ad if n in (1, 12) else "") for n, r in enumerate(records)]
    return f'<ytd-rich-grid-renderer><div id="contents">{"".join(rows)}</div></ytd-rich-grid-renderer>'


def _opinion(r: Random) -> Record:
    return {
        "reviewer": v.person(r),
        "country": r.choice(["GB", "US", "DE", "NL"]),
        "rating": r.randint(1, 5),
        "title": v.sentence(r),
        "text": v.text(r, 1, 3),
        "date": v.day(r),
        "reply": v.maybe(r, f"Thank you, {v.person(r).split()[0]}. We are {v.words(r, 1)[0]} proud.", 0.3),
        "_total": r.randint(1, 20),
    }


def _render_opinions(records: Sequence[Record], s: Style) -> str:
    def c(role: str) -> str:
        return f"styles_{role}__{s.css(role)[-5:]}"

    def one(n: int, r: Record) -> str:
        reply = (
            f'<div class="{c("replyWrapper")}"><p class="typography_heading-xs">Reply from the shop</p><time datetime="{r["date"]}T18:00:00.000Z">Later</time><p class="{c("replyMessage")}" x-f="reply">{e(r["reply"])}</p></div>'
            if r["reply"]
            else ""
        )
        return f'<section class="{c("reviewListItem")}"><article class="paper_paper {c("reviewCard")}" data-service-review-card-paper="true" x-r><div class="{c("consumerDetails")}"><a href="/users/{n}" name="consumer-profile"><span class="typography_heading-xs" data-consumer-name-typography="true" x-f="reviewer">{r["reviewer"]}</span><div class="{c("extra")}" data-consumer-reviews-count="{r["_total"]}"><span>{r["_total"]} review{"s" if r["_total"] > 1 else ""}</span><div data-consumer-country-typography="true"><svg></svg><span x-f="country">{r["country"]}</span></div></div></a></div><section class="{c("reviewContentwrapper")}"><div class="{c("reviewHeader")}" data-service-review-rating="{r["rating"]}" x-f="rating"><div class="star-rating_starRating"><img alt="Rated {r["rating"]} out of 5 stars" src="/stars-{r["rating"]}.svg"></div><div class="{c("dates")}"><time datetime="{r["date"]}T08:12:00.000Z" data-service-review-date-time-ago="true" x-f="date">{s.date(r["date"], "short")}</time></div></div><a href="/reviews/{n}" data-review-title-typography="true"><h2 class="typography_heading-s" x-f="title">{e(r["title"])}</h2></a><p class="typography_body-l" data-service-review-text-typography="true" x-f="text">{e(r["text"])}</p></section>{reply}</article></section>'

    return f'<div class="{c("mainContent")}">{"".join(one(n, r) for n, r in enumerate(records))}</div><nav class="pagination"><a href="?page=2" rel="next">Next page</a></nav>'


def _news(r: Random) -> Record:
    return {
        "headline": v.headline(r),
        "kicker": v.maybe(r, r.choice(["Exclusive", "Opinion", "Analysis", "Live"]), 0.5),
        "summary": v.maybe(r, v.sentence(r), 0.7),
        "age": f"{r.randint(2, 59)} {r.choice(['min', 'hrs'])} ago",
        "section": r.choice(["Business", "Culture", "Science", "World"]),
        "url": f"https://news-portal.example/articles/c{r.randint(10**8, 10**9)}",
    }


def _render_news(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(n: int, r: Record) -> str:
        kicker = f'<span class="{c("kickers")}" x-f="kicker">{r["kicker"]}</span>' if r["kicker"] else ""
        summary = (
            f'<p data-testid="card-description" class="{c("desc")}" x-f="summary">{e(r["summary"])}</p>'
            if r["summary"]
            else ""
        )
        path = r["url"][len("https://news-portal.example") :]
        return f'<div data-testid="manchester-card" class="{c("card")}" x-r><a href="{path}" data-testid="internal-link" class="{c("link")}" x-f="url"><div class="{c("media")}"><img srcset="/480/{n}.jpg 480w, /800/{n}.jpg 800w" src="/480/{n}.jpg" alt=""></div><div data-testid="card-text-wrapper">{kicker}<h2 data-testid="card-headline" class="{c("head")}" x-f="headline">{e(r["headline"])}</h2>{summary}<div class="{c("meta")}"><span data-testid="card-metadata-lastupdated" class="{c("when")}" x-f="age">{r["age"]}</span><span data-testid="card-metadata-tag" class="{c("tags")}" x-f="section">{r["section"]}</span></div></div></a></div>'

    slot = '<div class="dotcom-ad"><span>Advertisement</span><div id="slot"></div></div>'
    rows = [one(n, r) + (slot if n in (3, 10) else "") for n, r in enumerate(records)]
    return f'<div data-testid="london-grid" class="{c("grid")}">{"".join(rows)}</div>'


def _post(r: Random) -> Record:
    replies = [{"by": v.login(r), "text": v.sentence(r)} for _ in range(r.choice([0, 0, 1, 2, 3]))]
    return {
        "author": v.login(r),
        "likes": r.randint(0, 300),
        "body": v.text(r, 1, 2),
        "replies": replies,
        "_age": f"{r.randint(2, 11)}d",
    }


def _render_posts(records: Sequence[Record], s: Style) -> str:
    """Replies are a list inside each comment, in the same parts but other classes."""

    def one(n: int, r: Record) -> str:
        replies = "".join(
            f'<li class="reply"><b class="reply__by">{x["by"]}</b><p class="reply__text">{e(x["text"])}</p></li>'
            for x in r["replies"]
        )
        replies = f'<ul class="replies" x-f="replies">{replies}</ul>' if replies else ""
        return f'<li class="comment" id="c{n}" x-r><div class="comment__head"><a class="comment__author" href="/u/{r["author"]}" x-f="author">{r["author"]}</a> <span class="comment__age">{r["_age"]}</span></div><div class="comment__body" x-f="body"><p>{e(r["body"])}</p></div><div class="comment__foot"><button aria-label="Like">♥</button> <span class="comment__likes" x-f="likes">{r["likes"]}</span></div>{replies}</li>'

    return f'<section id="comments"><h2>Comments</h2><ul class="comments">{"".join(one(n, r) for n, r in enumerate(records))}</ul></section>'


def _release(r: Random) -> Record:
    return {
        "version": f"{r.randint(0, 9)}.{r.randint(0, 40)}.{r.randint(0, 99)}",
        "date": v.day(r),
        "added": [v.sentence(r) for _ in range(r.randint(0, 3))],
        "fixed": [v.sentence(r) for _ in range(r.randint(0, 2))],
    }


def _render_releases(records: Sequence[Record], s: Style) -> str:
    """Headings and lists side by side: nothing holds one record."""

    def block(title: str, items: Sequence[str]) -> str:
        return f"<h3>{title}</h3>\n<ul>\n{''.join(f'<li>{e(x)}</li>' for x in items)}\n</ul>\n" if items else ""

    def one(r: Record) -> str:
        return f'<h2 id="{r["version"]}" x-r><a href="/compare/v{r["version"]}" x-f="version">[{r["version"]}]</a> - {r["date"]}</h2>\n{block("Added", r["added"])}{block("Fixed", r["fixed"])}'

    return f'<article class="markdown-body"><h1>Changelog</h1><p>All notable changes are documented in this file.</p>{"".join(map(one, records))}</article>'


_DAYS = ["2025-03-03", "2025-03-04", "2025-03-05", "2025-03-07", "2025-03-08", "2025-03-11"]


def _concert(r: Random) -> Record:
    return {
        "date": r.choice(_DAYS),
        "time": f"{r.randint(10, 22)}:{r.choice(['00', '15', '30'])}",
        "title": v.headline(r),
        "venue": f"{v.city(r)} {r.choice(['Hall', 'Arena', 'Club'])}",
        "price": v.maybe(r, r.randint(8, 90), 0.7),
    }


def _render_concerts(records: Sequence[Record], s: Style) -> str:
    """A section for each day, headed by it."""

    def one(r: Record) -> str:
        price = (
            f'<span class="cost" x-f="price">from €{r["price"]}</span>'
            if r["price"]
            else '<span class="cost free">Free entry</span>'
        )
        return f'<li class="show" x-r><span class="at" x-f="time">{r["time"]}</span><a class="what" href="/e" x-f="title">{e(r["title"])}</a><span class="where" x-f="venue">{r["venue"]}</span>{price}</li>'

    parts = [
        f'<section class="day"><h3><time>{s.date(day, "long")}</time></h3><ul>{"".join(map(one, group))}</ul></section>'
        for day, group in groupby(sorted(records, key=lambda r: r["date"], reverse=True), key=lambda r: r["date"])
    ]
    return f'<div class="agenda">{"".join(parts)}</div>'


def _vacancy(r: Random) -> Record:
    return {
        "title": f"{r.choice(['Senior', 'Junior', 'Lead', 'Staff'])} {r.choice(['Welder', 'Engineer', 'Nurse', 'Analyst', 'Cook'])} {r.randint(1, 99)}",
        "company": v.company(r),
        "city": v.city(r),
        "salary": v.maybe(r, f"{r.randint(28, 90)},000 – {r.randint(91, 140)},000 a year", 0.5),
        "posted": f"{r.randint(1, 30)} days ago",
    }


def _render_vacancies(records: Sequence[Record], s: Style) -> str:
    """More is loaded on scrolling: the page says how many there are, and shows the first of them."""

    def one(n: int, r: Record) -> str:
        pay = f'<div class="job__pay" x-f="salary">{r["salary"]}</div>' if r["salary"] else ""
        return f'<li class="job" data-job-id="{n}" x-r><a class="job__title" href="/j/{n}" x-f="title">{r["title"]}</a><div class="job__company" x-f="company">{e(r["company"])}</div><div class="job__city" x-f="city">{r["city"]}</div>{pay}<div class="job__age" x-f="posted">{r["posted"]}</div></li>'

    return f'<h1>{len(records) * 12} jobs found</h1><ul class="jobs">{"".join(one(n, r) for n, r in enumerate(records))}</ul><div class="spinner" hidden></div>'


FEEDS = [
    Design("mastodon_feed", schema_of(author="string", handle="string", posted="date-time", text="string", replies="integer", boosts="integer"), _status, _render_statuses, evidence="text"),
    Design("lobsters", schema_of(title="string", url="uri", score="integer", tags=["string"], submitter="string", age="string", comments="integer"), _story, _render_stories),
    Design("video_grid", schema_of(title="string", channel="string", views="string", age="string", length="string?", verified="boolean"), _video, _render_videos),
    Design("trust_reviews", schema_of(reviewer="string", country="string", rating="integer", title="string", text="string", date="date", reply="string?"), _opinion, _render_opinions, evidence="text"),
    Design("news_portal", schema_of(headline="string", kicker="string?", summary="string?", age="string", section="string", url="uri"), _news, _render_news),
    Design("comment_replies", schema_of(author="string", likes="integer", body="string", replies=[{"by": "string", "text": "string"}]), _post, _render_posts, evidence="body"),
    Design("keep_a_changelog", schema_of(version="string", date="date", added=["string"], fixed=["string"]), _release, _render_releases, rows=12),
    Design("agenda_by_day", schema_of(date="date", time="string", title="string", venue="string", price="number?"), _concert, _render_concerts, evidence="title", sorted_by="date"),
    Design("endless_jobs", schema_of(title="string", company="string", city="string", salary="string?", posted="string"), _vacancy, _render_vacancies),
]  # fmt: skip
