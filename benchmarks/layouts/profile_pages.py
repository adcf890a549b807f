"""Pages about one person and one firm."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _profile(r: Random) -> Record:
    return {
        "name": v.person(r),
        "headline": f"{r.choice(['Head of', 'Director of', 'Partner,'])} {v.thing(r)} at {v.company(r)}",
        "location": f"{v.city(r)}, {r.choice(['Norway', 'Kenya', 'Peru'])}",
        "company": v.company(r),
        "school": v.maybe(r, f"University of {v.city(r)}", 0.8),
        "followers": r.randint(2, 90) * 100,
        "connections": r.choice(["500+", "312", "87", "204"]),
        "about": v.maybe(r, v.text(r, 2, 4), 0.7),
        "languages": r.sample(["English", "Norwegian", "Spanish", "French"], r.randint(0, 3)),
        "_also": [(v.person(r), v.thing(r)) for _ in range(3)],
    }


def _profile_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    school = (
        f'<div class="top-card-link" data-section="educationsDetails"><span class="top-card-link__description" x-f="school">{r["school"]}</span></div>'
        if r["school"]
        else ""
    )
    about = (
        f'<section class="core-section-container summary" data-section="summary"><h2 class="core-section-container__title">About</h2><div class="core-section-container__content"><p x-f="about">{r["about"]}</p></div></section>'
        if r["about"]
        else ""
    )
    languages = (
        f'<section class="core-section-container languages"><h2 class="core-section-container__title">Languages</h2><ul class="languages__list" x-f="languages">{"".join(f"<li><h3 class=profile-section-card__title>{one}</h3></li>" for one in r["languages"])}</ul></section>'
        if r["languages"]
        else ""
    )
    also = "".join(
        f'<li><h3 class="base-aside-card__title">{name}</h3><p class="base-aside-card__subtitle">{what}</p></li>'
        for name, what in r["_also"]
    )
    return f'<section class="top-card-layout"><div class="top-card-layout__entity-info"><h1 class="top-card-layout__title" x-f="name">{r["name"]}</h1><h2 class="top-card-layout__headline" x-f="headline">{e(r["headline"])}</h2><div class="not-first-middot"><span x-f="location">{r["location"]}</span></div><div class="not-first-middot"><span x-f="followers">{r["followers"]:,} followers</span><span x-f="connections">{r["connections"]} connections</span></div></div><div class="top-card__links-container"><div class="top-card-link" data-section="currentPositionsDetails"><span class="top-card-link__description" x-f="company">{e(r["company"])}</span></div>{school}</div></section>{about}{languages}<aside class="right-rail"><h2>People also viewed</h2><ul>{also}</ul></aside>'


def _startup(r: Random) -> Record:
    return {
        "name": v.company(r),
        "tagline": v.sentence(r),
        "founded": r.randint(1990, 2024),
        "headquarters": v.city(r),
        "employees": r.choice(["1-10", "11-50", "51-100", "101-250"]),
        "status": r.choice(["Private", "Public", "Acquired"]),
        "funding_usd": v.maybe(r, r.randint(1, 900) * 100_000, 0.6),
        "founders": [v.person(r) for _ in range(r.randint(1, 3))],
        "website": v.maybe(r, f"https://{v.slug(v.thing(r))}.example", 0.8),
        "industries": [one.title() for one in v.words(r, r.randint(1, 4))],
        "phone": v.maybe(r, f"+1 {r.randint(200, 999)}-{r.randint(200, 999)}-{r.randint(1000, 9999)}", 0.4),
        "_news": [(v.headline(r), v.day(r)) for _ in range(3)],
    }


def _startup_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css

    def cell(name: str, label: str, value: str) -> str:
        return (
            f'<li class="{c("field")}" x-f="{name}"><p class="{c("label")}">{label}</p><div class="{c("value")}">{value}</div></li>'
            if value
            else ""
        )

    site = f'<a href="{r["website"]}">{r["website"].removeprefix("https://")}</a>' if r["website"] else ""
    funding = f"${r['funding_usd']:,}" if r["funding_usd"] else ""
    chips = "".join(f'<a class="{c("chip")}" href="/i">{one}</a> ' for one in r["industries"])
    who = ", ".join(f'<a href="/p">{one}</a>' for one in r["founders"])
    news = "".join(
        f'<li class="{c("news")}"><span>{s.date(day, "short")}</span> <a href="/n">{e(name)}</a></li>'
        for name, day in r["_news"]
    )
    return f'<div class="{c("profile")}"><h1 class="{c("name")}" x-f="name">{e(r["name"])}</h1><p class="{c("tag")}" x-f="tagline">{r["tagline"]}</p><ul class="{c("fields")}">{cell("founded", "Founded", str(r["founded"]))}{cell("headquarters", "Headquarters", r["headquarters"])}{cell("employees", "Number of Employees", r["employees"])}{cell("status", "Operating Status", r["status"])}{cell("funding_usd", "Total Funding", funding)}{cell("founders", "Founders", who)}{cell("website", "Website", site)}{cell("industries", "Industries", chips)}{cell("phone", "Phone Number", r["phone"] or "")}</ul></div><section class="{c("recent")}"><h2>Recent News</h2><ul>{news}</ul></section>'


PROFILE_PAGES = [
    Design(
        "profile_card",
        schema_of(
            name="string",
            headline="string",
            location="string",
            company="string",
            school="string?",
            followers="integer",
            connections="string",
            about="string?",
            languages=["string"],
        ),
        _profile,
        _profile_page,
        is_list=False,
        words={"followers": "Follower", "connections": "Kontakte"},
    ),
    Design(
        "startup_profile",
        schema_of(
            name="string",
            tagline="string",
            founded="integer",
            headquarters="string",
            employees="string",
            status="string",
            funding_usd="integer?",
            founders=["string"],
            website="uri?",
            industries=["string"],
            phone="string?",
        ),
        _startup,
        _startup_page,
        is_list=False,
        words={"Founded": "Gegründet", "Headquarters": "Sitz"},
    ),
]
