"""Lists of texts: blogs, news, jobs, podcasts, pictures."""

from collections.abc import Sequence
from html import escape as e
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _post(r: Random) -> Record:
    title = v.headline(r)
    return {
        "title": title,
        "url": f"https://wordpress-blog.example/{v.slug(title)}/",
        "author": v.person(r),
        "published": v.day(r),
        "categories": r.sample(["Travel", "Food", "Notes", "Reviews", "Howto"], r.randint(1, 3)),
        "excerpt": v.text(r),
        "comments": r.choice([None, 1, r.randint(2, 40)]),
    }


def _render_blog(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        cats = ", ".join(f'<a href="/category/{c.lower()}/" rel="category tag">{c}</a>' for c in r["categories"])
        said = {None: "Leave a comment", 1: "1 Comment"}.get(r["comments"], f"{r['comments']} Comments")
        return (
            f'<article id="post-{n + 300}" class="post-{n + 300} post type-post status-publish format-standard hentry{"".join(" category-" + c.lower() for c in r["categories"])}" x-r><header class="entry-header"><h2 class="entry-title" x-f="title"><a href="{r["url"]}" rel="bookmark" x-f="url">{e(r["title"])}</a></h2>'
            f'<div class="entry-meta"><span class="posted-on">Posted on <a href="{r["url"]}" rel="bookmark"><time class="entry-date published" datetime="{r["published"]}T08:00:00+00:00" x-f="published">{s.date(r["published"])}</time></a></span><span class="byline"> by <span class="author vcard"><a class="url fn n" href="/author/x/" x-f="author">{r["author"]}</a></span></span></div></header>'
            f'<div class="entry-summary"><p x-f="excerpt">{e(r["excerpt"])}</p></div><footer class="entry-footer"><span class="cat-links">Posted in <span x-f="categories">{cats}</span></span> <span class="comments-link" x-f="comments"><a href="{r["url"]}#respond">{said}</a></span></footer></article>'
        )

    return f'<div id="primary" class="content-area">{"".join(one(n, r) for n, r in enumerate(records))}<nav class="navigation"><a href="/page/2/">Older posts</a></nav></div>'


def _release(r: Random) -> Record:
    title = f"{v.company(r)} {r.choice(['opens in', 'leaves', 'hires in'])} {v.city(r)}"
    return {
        "headline": title,
        "url": f"https://press-by-date.example/news/{v.slug(title)}-{r.randint(1, 999)}",
        "date": f"2025-{r.randint(1, 12):02}-{r.choice([3, 9, 14, 22]):02}",
        "topic": r.choice(["Markets", "People", "Products"]),
    }


def _render_press(records: Sequence[Record], s: Style) -> str:
    """Titles grouped under a day: the date stands once above its releases."""
    ordered = sorted(records, key=lambda r: r["date"], reverse=True)
    html = ""
    for day, group in groupby(ordered, key=lambda r: r["date"]):
        items = "".join(
            f'<li class="release" x-r><span class="topic" x-f="topic">{r["topic"]}</span> <a href="{r["url"]}" x-f="url"><span x-f="headline">{e(r["headline"])}</span></a></li>'
            for r in group
        )
        html += f'<h3 class="day">{s.date(day)}</h3><ul class="releases">{items}</ul>'
    return f"<h1>Press releases</h1>{html}"


def _job(r: Random) -> Record:
    low = r.randint(30, 150) * 1000
    pay = r.random() < 0.6
    return {
        "title": f"{r.choice(['Senior', 'Junior', 'Lead', 'Staff'])} {r.choice(['Data Engineer', 'Nurse', 'Welder', 'Product Manager', 'Chef'])}",
        "company": v.company(r),
        "location": v.city(r),
        "salary_min": low if pay else None,
        "salary_max": low + r.randint(5, 60) * 1000 if pay else None,
        "remote": r.random() < 0.3,
        "skills": v.tags(r, 1, 4),
        "posted": v.day(r, 2025, 2025),
    }


def _render_jobs(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        pay = (
            f'<div class="metadata salary-snippet-container"><div class="salary-snippet" x-f="salary_min">${r["salary_min"]:,} - ${r["salary_max"]:,} a year</div></div>'
            if r["salary_min"]
            else ""
        )
        remote = '<span class="remote-badge" x-f="remote">Remote</span>' if r["remote"] else ""
        skills = "".join(f'<li class="skill">{t}</li>' for t in r["skills"])
        return (
            f'<li class="{s.css("li")} eu4oa1w0"><div class="cardOutline tapItem result job_{r["posted"].replace("-", "")}" x-r><h2 class="jobTitle {s.css("title")}" x-f="title"><a class="jcs-JobTitle" href="/rc/clk?jk=1"><span title="{r["title"]}">{r["title"]}</span></a></h2><div class="company_location"><span data-testid="company-name" class="{s.css("co")}" x-f="company">{e(r["company"])}</span>'
            f'<div data-testid="text-location" class="{s.css("loc")}" x-f="location">{r["location"]}</div>{remote}</div>{pay}<ul class="skills" x-f="skills">{skills}</ul><span class="date" x-f="posted">Posted {s.date(r["posted"], "short")}</span></div></li>'
        )

    gap = '<li><div class="mosaic-zone"></div></li>'
    return f'<ul class="jobsearch-ResultsList {s.css("list")}">{"".join(one(r) + (gap if n % 5 == 4 else "") for n, r in enumerate(records))}</ul>'


def _episode(r: Random) -> Record:
    return {
        "number": r.randint(1, 400),
        "title": v.headline(r),
        "published": v.day(r),
        "minutes": r.randint(12, 140),
        "audio": f"https://podcast.example/audio/{r.randint(10**5, 10**6)}.mp3",
        "guests": [v.person(r) for _ in range(r.randint(0, 3))],
    }


def _render_podcast(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        guests = f'<p class="guests">With <span x-f="guests">{", ".join(r["guests"])}</span></p>' if r["guests"] else ""
        return f'<article class="episode" x-r><h2 class="episode-title"><a href="/e/{r["number"]}">#{r["number"]}: <span x-f="title">{e(r["title"])}</span></a></h2><p class="meta"><time datetime="{r["published"]}" x-f="published">{s.date(r["published"], "short")}</time> · <span class="duration" x-f="minutes">{r["minutes"]} min</span></p>{guests}<audio controls><source src="{r["audio"]}" type="audio/mpeg" x-f="audio"/></audio> <a class="download" href="{r["audio"]}">Download</a></article>'

    return f'<div class="episodes">{"".join(map(one, records))}</div>'


def _picture(r: Random) -> Record:
    return {
        "caption": f"{v.thing(r)} at dusk, {v.city(r)}",
        "photographer": v.person(r),
        "year": r.randint(1950, 2025),
        "image": f"https://gallery.example/photos/{r.randint(10**5, 10**6)}.jpg",
    }


def _render_gallery(records: Sequence[Record], s: Style) -> str:
    figures = "".join(
        f'<figure x-r><a href="/large/{n}"><img src="/photos/{r["image"].rsplit("/", 1)[1]}" loading="lazy" alt="{r["caption"]}" x-f="image"/></a><figcaption><em x-f="caption">{r["caption"]}</em>. Photo: <span x-f="photographer">{r["photographer"]}</span>, <span x-f="year">{r["year"]}</span></figcaption></figure>'
        for n, r in enumerate(records)
    )
    return f"<h1>Gallery</h1><div>{figures}</div>"


ARTICLES = [
    Design(
        "wordpress_blog",
        schema_of(
            title="string",
            url="uri",
            author="string",
            published="date",
            categories=["string"],
            excerpt="string",
            comments="integer?",
        ),
        _post,
        _render_blog,
        rows=10,
        words={"Posted on": "Veröffentlicht am", "Posted in": "In", " by ": " von "},
    ),
    Design(
        "press_by_date",
        schema_of(headline="string", url="uri", topic="string"),
        _release,
        _render_press,
        rows=18,
        sorted_by="date",
    ),
    Design(
        "press_with_date",
        schema_of(headline="string", url="uri", date="date", topic="string"),
        _release,
        _render_press,
        rows=18,
        sorted_by="date",
    ),
    Design(
        "job_board",
        schema_of(
            title="string",
            company="string",
            location="string",
            salary_min="number?",
            salary_max="number?",
            remote="boolean",
            skills=["string"],
            posted="date",
        ),
        _job,
        _render_jobs,
        rows=15,
        words={"Posted": "Seit", "Remote": "Heimarbeit"},
        evidence="company",
    ),
    Design(
        "podcast",
        schema_of(title="string", published="date", minutes="integer", audio="uri", guests=["string"]),
        _episode,
        _render_podcast,
        rows=12,
        words={" min": " Min.", "With": "Mit"},
    ),
    Design(
        "gallery",
        schema_of(caption="string", photographer="string", year="integer", image="uri"),
        _picture,
        _render_gallery,
        rows=18,
        words={"Photo:": "Foto:"},
    ),
]
