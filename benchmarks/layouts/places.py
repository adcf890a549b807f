"""Places and posts: where to eat and to work, in classes that a build tool made."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _eatery(r: Random) -> Record:
    return {
        "name": v.company(r),
        "rating": r.randint(2, 10) / 2,
        "reviews": r.randint(1, 3000),
        "price_level": v.maybe(r, "$" * r.randint(1, 4), 0.7),
        "neighborhood": v.maybe(r, f"{v.thing(r).split()[0]} Hill", 0.8),
        "categories": r.sample(["Bakeries", "Sushi Bars", "Vegan", "Tapas", "Noodles", "Pizza"], r.randint(1, 3)),
        "snippet": v.sentence(r),
        "_open": r.random() < 0.5,
    }


def _render_eateries(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(n: int, r: Record, sponsored: bool = False) -> str:
        tags = "".join(
            f'<a href="/search?c={v.slug(t)}" class="{c("tagwrap")}"><button class="{c("tag")}" type="button"><span class="{c("tagtext")}">{t}</span></button></a>'
            for t in r["categories"]
        )
        level = (
            f'<span class="priceRange__{c("price")}" x-f="price_level">{r["price_level"]}</span>'
            if r["price_level"]
            else ""
        )
        hood = f'<span class="{c("hood")}" x-f="neighborhood">{r["neighborhood"]}</span>' if r["neighborhood"] else ""
        is_open = f'<p class="{c("hours")}"><span>Open</span> until 10:00 PM</p>' if r["_open"] else ""
        number = "" if sponsored else f"{n}.&nbsp;"
        return (
            f'<li class="{c("entry")}" {"" if sponsored else "x-r"}><div class="container__{c("box")} hoverable" data-testid="serp-ia-card"><div class="{c("photo")}"><a href="/biz/{n}"><img class="{c("img")}" src="/y/{n}.jpg" alt="{e(r["name"])}"/></a></div><div class="{c("mainattrs")}"><div class="businessName__{c("name")}"><h3 class="{c("h")}"><span class="{c("num")}">{number}<a href="/biz/{v.slug(r["name"])}" class="{c("link")}" name="{e(r["name"])}" x-f="name">{e(r["name"])}</a></span></h3></div>'
            f'<div class="{c("stars")}"><div class="five-stars__{c("five")}" aria-label="{r["rating"]:g} star rating" role="img"></div><span class="{c("ratingtext")}" x-f="rating">{r["rating"]}</span> <span class="{c("count")}" x-f="reviews">({r["reviews"]:,} reviews)</span></div><p class="{c("line")}"><span class="{c("tags")}" x-f="categories">{tags}</span>{level}{hood}</p>{is_open}<div class="{c("quote")}"><p class="{c("line")}" x-f="snippet"><span class="raw">“{e(r["snippet"])}”</span>&nbsp;<a href="/biz/{n}?hrid=1">more</a></p></div></div></div></li>'
        )

    ad = {**records[0], "name": "Sponsored Diner", "rating": 3.5, "reviews": 12, "snippet": "An advertisement."}
    head = f'<li class="{c("section")}"><h2>Sponsored Results</h2></li>{one(0, ad, True)}<li class="{c("section")}"><h2>All results</h2></li>'
    return f'<h1>The best places near Northport</h1><ul class="list__{c("list")}">{head}{"".join(one(n, r) for n, r in enumerate(records, 1))}</ul>'


def _job(r: Random) -> Record:
    low = r.randint(40, 120) * 1000
    return {
        "title": f"{r.choice(['Senior', 'Junior', 'Lead'])} {r.choice(['Engineer', 'Nurse', 'Welder', 'Analyst'])}",
        "company": v.company(r),
        "location": f"{r.choice(['', '', 'Remote in '])}{v.city(r)}, {r.choice(['NY', 'CA', 'ON'])}",
        "salary": v.maybe(r, f"${low:,} - ${low + 20000:,} a year", 0.6),
        "job_type": v.maybe(r, r.choice(["Full-time", "Part-time", "Contract"]), 0.7),
        "points": [v.sentence(r) for _ in range(r.randint(1, 3))],
        "_new": r.random() < 0.3,
    }


def _render_jobs(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(n: int, r: Record) -> str:
        pay = (
            f'<div class="metadata salary-snippet-container"><div class="{c("attr")}" x-f="salary">{r["salary"]}</div></div>'
            if r["salary"]
            else ""
        )
        kind = (
            f'<div class="metadata"><div class="{c("attr")}" x-f="job_type">{r["job_type"]}</div></div>'
            if r["job_type"]
            else ""
        )
        points = "".join(f'<li style="margin-bottom:0px;">{e(p)}</li>' for p in r["points"])
        new = f'<span class="{c("new")}">new</span>' if r["_new"] else ""
        return (
            f'<li class="{c("li")} eu4oa1w0" x-r><div class="cardOutline tapItem result job_{n:x}"><div class="slider_container"><div class="slider_item"><div class="job_seen_beacon"><table class="big6_visualChanges" role="presentation"><tbody><tr><td class="resultContent"><div class="{c("titlerow")}"><h2 class="jobTitle {c("h")}" tabindex="-1"><a id="job_{n}" data-jk="{n:x}" role="button" class="jcs-JobTitle" href="/rc/clk?jk={n:x}"><span title="{r["title"]}" id="jobTitle-{n:x}" x-f="title">{r["title"]}</span></a></h2>{new}</div>'
            f'<div class="company_location"><div><span data-testid="company-name" class="{c("co")}" x-f="company">{e(r["company"])}</span><div data-testid="text-location" class="{c("loc")}" x-f="location">{r["location"]}</div></div></div><div class="heading6 tapItem-gutter metadataContainer">{pay}{kind}</div></td></tr></tbody></table><table class="jobCardShelfContainer" role="presentation"><tbody><tr class="underShelfFooter"><td><div class="heading6"><div class="job-snippet"><ul style="list-style-type:circle;" x-f="points">{points}</ul></div></div></td></tr></tbody></table></div></div></div></div></li>'
        )

    rows = [
        one(n, r) + ('<li class="eu4oa1w0"><div id="mosaic-afterTenthJobResult"></div></li>' if n == 5 else "")
        for n, r in enumerate(records, 1)
    ]
    return f'<div class="jobsearch-JobCountAndSortPane"><span>{len(records)} jobs</span></div><div id="mosaic-provider-jobcards"><ul class="{c("ul")}">{"".join(rows)}</ul></div>'


PLACES = [
    Design(
        "yelp_hashed",
        schema_of(
            name="string",
            rating="number",
            reviews="integer",
            price_level="string?",
            neighborhood="string?",
            categories=["string"],
            snippet="string",
        ),
        _eatery,
        _render_eateries,
        rows=12,
        words={" reviews": " Beiträge"},
    ),
    Design(
        "indeed_jobs",
        schema_of(
            title="string",
            company="string",
            location="string",
            salary="string?",
            job_type="string?",
            points=["string"],
        ),
        _job,
        _render_jobs,
        rows=14,
        evidence="points",
    ),
]
