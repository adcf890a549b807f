"""Pages about one work: a film, a book, an episode, a paper, an article, a package, a course, a dish."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of

_STATES = ("Released", "Post Production", "Planned")


def _movie(r: Random) -> Record:
    return {
        "title": f"{v.thing(r)} {r.choice(['Rising', 'Nights', 'Returns', ''])}".strip(),
        "year": r.randint(1950, 2024),
        "tagline": v.maybe(r, v.sentence(r), 0.6),
        "overview": v.text(r, 1, 3),
        "status": r.choice(_STATES),
        "original_language": r.choice(["English", "French", "Korean"]),
        "budget": v.maybe(r, r.randint(1, 200) * 100_000, 0.7),
        "revenue": v.maybe(r, r.randint(1, 900) * 100_000, 0.7),
        "genres": r.sample(["Drama", "Comedy", "War", "Crime", "Family"], r.randint(1, 3)),
        "director": v.person(r),
        "writer": v.maybe(r, v.person(r), 0.7),
        "cast": [v.person(r) for _ in range(r.randint(3, 6))],
        "score": r.randint(20, 95),
    }


def _movie_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]

    def money(amount: int | None) -> str:
        return f"${amount:,}.00" if amount else "-"

    genres = ", ".join(f'<a href="/genre/{one.lower()}">{one}</a>' for one in r["genres"])
    crew = f'<li class="profile" x-f="director"><p><a href="/person/1">{r["director"]}</a></p><p class="character">Director</p></li>'
    if r["writer"]:
        crew += f'<li class="profile" x-f="writer"><p><a href="/person/2">{r["writer"]}</a></p><p class="character">Writer</p></li>'
    cast = "".join(
        f'<li class="card"><p><a href="/person/{n}">{one}</a></p><p class="character">{v.thing(Random(one))}</p></li>'
        for n, one in enumerate(r["cast"])
    )
    tagline = f'<h3 class="tagline" x-f="tagline">{e(r["tagline"])}</h3>' if r["tagline"] else ""
    return (
        f'<div class="title"><h2><a href="/movie/1" x-f="title">{r["title"]}</a> <span class="tag release_date" x-f="year">({r["year"]})</span></h2><div class="facts"><span class="genres" x-f="genres">{genres}</span></div></div><div class="user_score_chart" data-percent="{r["score"]}" x-f="score"></div><div class="header_info">{tagline}<h3>Overview</h3><div class="overview"><p x-f="overview">{e(r["overview"])}</p></div><ol class="people">{crew}</ol></div>'
        f'<h3>Top Billed Cast</h3><ol class="people scroller" x-f="cast">{cast}</ol><section class="facts left_column"><p x-f="status"><strong><bdi>Status</bdi></strong> {r["status"]}</p><p x-f="original_language"><strong><bdi>Original Language</bdi></strong> {r["original_language"]}</p><p x-f="budget"><strong><bdi>Budget</bdi></strong> {money(r["budget"])}</p><p x-f="revenue"><strong><bdi>Revenue</bdi></strong> {money(r["revenue"])}</p></section>'
    )


def _movie_head(r: Record, s: Style) -> str:
    return f'<title>{r["title"]} ({r["year"]}) — Movie Page</title><meta property="og:title" content="{r["title"]}"><meta name="description" content="{e(r["overview"])}">'


_FORMATS = ("Hardback", "Paperback", "eBook")


def _volume(r: Random) -> Record:
    price = v.amount(r, 6, 50)
    return {
        "title": f"{r.choice(['A Life of', 'The', 'Beyond the'])} {v.thing(r)}",
        "subtitle": v.maybe(r, f"{v.thing(r)} and other stories", 0.5),
        "authors": [v.person(r) for _ in range(r.choice([1, 1, 2, 3]))],
        "price": price,
        "rrp": v.maybe(r, round(price * 1.2, 2), 0.5),
        "format": r.choice(_FORMATS),
        "publisher": v.company(r),
        "published": v.day(r),
        "pages": v.maybe(r, r.randint(60, 900), 0.8),
        "isbn": f"978{r.randint(10**9, 10**10 - 1)}",
        "rating": r.randint(250, 480) / 100,
        "ratings": r.randint(10, 90_000),
        "_also": [v.thing(r) for _ in range(3)],
    }


def _book_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    authors = ", ".join(f'<a href="/author/{v.slug(one)}" itemprop="author">{one}</a>' for one in r["authors"])
    subtitle = f'<h2 class="subtitle" x-f="subtitle">{r["subtitle"]}</h2>' if r["subtitle"] else ""
    rrp = f' <span class="rrp" x-f="rrp">RRP <del>{s.money(r["rrp"])}</del></span>' if r["rrp"] else ""
    pairs = [
        ("format", "Format", r["format"]),
        ("publisher", "Publisher", e(r["publisher"])),
        ("published", "Published", s.date(r["published"], "british")),
        ("pages", "Pages", r["pages"]),
        ("isbn", "ISBN", r["isbn"]),
    ]
    rows = "".join(
        f'<li x-f="{name}"><span class="label">{label}:</span> {value}</li>' for name, label, value in pairs if value
    )
    also = "".join(
        f'<li><a href="/b/{n}">{one}</a> <span>{s.money(9.0 + n)}</span></li>' for n, one in enumerate(r["_also"])
    )
    return f'<div class="book"><h1 x-f="title">{r["title"]}</h1>{subtitle}<p class="by" x-f="authors">by {authors}</p><p class="avg"><span x-f="rating">{r["rating"]:.2f}</span> avg rating — <span x-f="ratings">{r["ratings"]:,}</span> ratings</p><p class="cost"><strong x-f="price">{s.money(r["price"])}</strong>{rrp}</p><ul class="bibliographic">{rows}</ul></div><h3>People also bought</h3><ul>{also}</ul>'


def _episode(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "show": f"The {v.thing(r)} Hour",
        "number": r.randint(1, 400),
        "season": v.maybe(r, r.randint(1, 9), 0.6),
        "minutes": r.randint(12, 140),
        "published": v.day(r),
        "guests": [v.person(r) for _ in range(r.randint(0, 3))],
        "audio": f"https://podcast-episode.example/a/{r.randint(10**6, 10**7)}.mp3",
        "explicit": r.random() < 0.4,
        "summary": v.text(r, 1, 3),
        "_more": [v.headline(r) for _ in range(3)],
    }


def _episode_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    season = f'<span class="season" x-f="season">Season {r["season"]}</span> · ' if r["season"] else ""
    guests = (
        f'<p class="guests" x-f="guests"><strong>With:</strong> {", ".join(f"<a href=/g>{one}</a>" for one in r["guests"])}</p>'
        if r["guests"]
        else ""
    )
    explicit = '<span class="badge badge-explicit" title="Explicit">E</span>' if r["explicit"] else ""
    more = "".join(
        f'<article class="ep"><h3><a href="/e/{n}">{e(one)}</a></h3><p>Episode {n + 40} · {20 + n} min</p></article>'
        for n, one in enumerate(r["_more"])
    )
    return (
        f'<p class="show"><a href="/show" x-f="show">{r["show"]}</a></p><h1 class="episode-title" x-f="title">{e(r["title"])}</h1><p x-f="explicit">{explicit}</p><p class="episode-meta">{season}<span x-f="number">Episode {r["number"]}</span> · <time datetime="{r["published"]}" x-f="published">{s.date(r["published"], "short")}</time> · <span x-f="minutes">{r["minutes"]} min</span></p>'
        f'<audio controls src="{r["audio"]}" x-f="audio"></audio><div class="summary" x-f="summary"><p>{e(r["summary"])}</p></div>{guests}<h2>More episodes</h2>{more}'
    )


def _paper(r: Random) -> Record:
    return {
        "title": f"On {v.thing(r)}s and the {v.thing(r)}",
        "authors": [v.person(r) for _ in range(r.randint(1, 5))],
        "abstract": v.text(r, 2, 4),
        "submitted": v.day(r),
        "comments": v.maybe(r, f"{r.randint(5, 40)} pages, {r.randint(2, 12)} figures", 0.7),
        "subjects": r.sample(
            ["Machine Learning (cs.LG)", "Number Theory (math.NT)", "Optics (physics.optics)"], r.randint(1, 2)
        ),
        "identifier": f"{r.randint(10, 24)}{r.randint(1, 12):02}.{r.randint(10000, 99999)}",
        "journal": v.maybe(
            r, f"Journal of {v.thing(r)}s {r.randint(2, 90)}, {r.randint(100, 900)} ({r.randint(2001, 2024)})", 0.5
        ),
        "doi": v.maybe(r, f"10.{r.randint(1000, 9999)}/{v.login(r)}.{r.randint(100, 999)}", 0.5),
    }


def _paper_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    authors = ", ".join(f'<a href="/search/?query={v.slug(one)}">{one}</a>' for one in r["authors"])
    rows = [
        ("comments", "Comments", "comments", r["comments"]),
        ("subjects", "Subjects", "subjects", "; ".join(r["subjects"])),
        ("identifier", "Cite as", "arxivid", f'<a href="/abs/{r["identifier"]}">{r["identifier"]}</a>'),
        ("journal", "Journal reference", "jref", r["journal"]),
        ("doi", "Related DOI", "doi", r["doi"] and f'<a href="https://doi.example/{r["doi"]}">{r["doi"]}</a>'),
    ]
    table = "".join(
        f'<tr x-f="{name}"><td class="tablecell label">{label}:</td><td class="tablecell {css}">{value}</td></tr>'
        for name, label, css, value in rows
        if value
    )
    return (
        f'<div id="abs"><div class="dateline" x-f="submitted">[Submitted on {s.date(r["submitted"], "british")}]</div><h1 class="title mathjax" x-f="title"><span class="descriptor">Title:</span>{r["title"]}</h1><div class="authors" x-f="authors"><span class="descriptor">Authors:</span>{authors}</div><blockquote class="abstract mathjax" x-f="abstract"><span class="descriptor">Abstract:</span>{e(r["abstract"])}</blockquote><div class="metatable"><table summary="Additional metadata">{table}</table></div></div>'
        '<div class="extra-services"><h2>Access Paper:</h2><ul><li><a href="/pdf">View PDF</a></li><li><a href="/tex">TeX Source</a></li></ul></div>'
    )


def _paper_head(r: Record, s: Style) -> str:
    authors = "".join(f'<meta name="citation_author" content="{one}">' for one in r["authors"])
    return f'<title>[{r["identifier"]}] {r["title"]}</title><meta name="citation_title" content="{r["title"]}">{authors}<meta name="citation_date" content="{r["submitted"].replace("-", "/")}">'


def _story(r: Random) -> Record:
    return {
        "headline": v.headline(r),
        "standfirst": v.maybe(r, v.sentence(r), 0.6),
        "authors": [v.person(r) for _ in range(r.choice([1, 1, 2]))],
        "published": v.day(r),
        "updated": v.maybe(r, v.day(r), 0.4),
        "section": r.choice(["Business", "Sport", "Culture", "Science"]),
        "read_minutes": r.randint(2, 15),
        "tags": v.tags(r, 1, 4),
        "body": v.text(r, 4, 8),
        "_more": [v.headline(r) for _ in range(4)],
    }


def _story_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    standfirst = f'<p class="standfirst" x-f="standfirst">{e(r["standfirst"])}</p>' if r["standfirst"] else ""
    authors = " and ".join(f'<a rel="author" href="/profile/{v.slug(one)}">{one}</a>' for one in r["authors"])
    updated = (
        f'<span class="updated" x-f="updated">Updated <time>{s.date(r["updated"])}</time></span>'
        if r["updated"]
        else ""
    )
    tags = "".join(f'<li><a href="/tag/{one}">{one}</a></li>' for one in r["tags"])
    more = "".join(
        f'<li class="story"><a href="/n/{n}">{e(one)}</a><time>{s.date(f"2025-0{n + 1}-11")}</time></li>'
        for n, one in enumerate(r["_more"])
    )
    return (
        f'<article class="story-full"><a class="kicker" href="/s" x-f="section">{r["section"]}</a><h1 x-f="headline">{e(r["headline"])}</h1>{standfirst}<div class="byline" x-f="authors">By {authors}</div><div class="dates"><span class="published" x-f="published">Published <time>{s.date(r["published"])}</time></span>{updated} <span class="reading" x-f="read_minutes">{r["read_minutes"]} min read</span></div>'
        f'<div class="article-body" x-f="body"><p>{e(r["body"])}</p></div><ul class="topics" x-f="tags">{tags}</ul></article><section class="most-read"><h2>Most read</h2><ol>{more}</ol></section>'
    )


def _story_head(r: Record, s: Style) -> str:
    return f'<title>{e(r["headline"])} | News Article</title><meta property="og:title" content="{e(r["headline"])}"><meta property="article:published_time" content="{r["published"]}"><meta property="article:section" content="{r["section"]}">'


def _package(r: Random) -> Record:
    name = v.slug(v.thing(r))
    return {
        "name": name,
        "version": f"{r.randint(0, 9)}.{r.randint(0, 30)}.{r.randint(0, 30)}",
        "summary": v.sentence(r),
        "license": r.choice(["MIT", "ISC", "Apache-2.0", "BSD-3-Clause"]),
        "weekly_downloads": r.randint(3, 9_000_000),
        "unpacked_kb": r.randint(10, 999) / 10,
        "files": r.randint(2, 400),
        "published": v.day(r),
        "homepage": v.maybe(r, f"https://{v.login(r)}.example/", 0.6),
        "maintainers": [v.login(r) for _ in range(r.randint(1, 4))],
        "keywords": v.tags(r, 0, 5),
    }


def _package_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css
    home = (
        f'<div class="{c("block")}" x-f="homepage"><h3 class="{c("head")}">Homepage</h3><p class="{c("text")}"><a href="{r["homepage"]}">{r["homepage"][8:-1]}</a></p></div>'
        if r["homepage"]
        else ""
    )
    keywords = (
        f'<div x-f="keywords"><h3 class="{c("head")}">Keywords</h3><ul class="{c("keys")}">{"".join(f"<li><a href=/k>{one}</a></li>" for one in r["keywords"])}</ul></div>'
        if r["keywords"]
        else ""
    )
    people = "".join(
        f'<li><a href="/~{one}" title="{one}"><img alt="{one}" src="/a.png"></a></li>' for one in r["maintainers"]
    )

    def block(name: str, label: str, value: str) -> str:
        return f'<div class="{c("block")}" x-f="{name}"><h3 class="{c("head")}">{label}</h3><p class="{c("text")}">{value}</p></div>'

    return (
        f'<div id="top"><h1 class="{c("title")}"><span title="{r["name"]}" x-f="name">{r["name"]}</span></h1><span class="{c("version")}" x-f="version">{r["version"]}</span> • <span>Public</span> • Published <time datetime="{r["published"]}T10:00:00Z" title="{s.date(r["published"], "short")}" x-f="published">{s.date(r["published"], "short")}</time></div><div id="readme"><p x-f="summary">{e(r["summary"])}</p><h2>Usage</h2><pre><code>import x from "{r["name"]}"</code></pre></div>'
        f'<div class="{c("side")}"><h3>Install</h3><code>npm i {r["name"]}</code>{home}{block("weekly_downloads", "Weekly Downloads", format(r["weekly_downloads"], ","))}{block("license", "License", r["license"])}{block("unpacked_kb", "Unpacked Size", str(r["unpacked_kb"]) + " kB")}{block("files", "Total Files", str(r["files"]))}<div x-f="maintainers"><h3>Collaborators</h3><ul>{people}</ul></div>{keywords}</div>'
    )


_LEVELS = ("Beginner", "Intermediate", "Advanced")


def _course(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} for {r.choice(['Everyone', 'Engineers', 'Teachers'])}",
        "provider": v.company(r),
        "instructor": v.person(r),
        "level": r.choice(_LEVELS),
        "weeks": r.randint(2, 16),
        "hours_per_week": r.randint(2, 12),
        "language": r.choice(["English", "Spanish", "German"]),
        "price": v.maybe(r, float(r.randint(20, 400)), 0.6),
        "starts": v.day(r),
        "certificate": r.random() < 0.6,
        "skills": v.words(r, r.randint(2, 6)),
    }


def _course_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    skills = "\n".join(f'<span class="skill-tag">{one}</span>' for one in r["skills"])
    price = s.round(r["price"]) if r["price"] else "Free"
    return (
        f'<div class="hero"><h1 data-e2e="hero-title" x-f="name">{r["name"]}</h1><p x-f="instructor">Instructor: <a href="/i">{r["instructor"]}</a></p><p x-f="provider">Offered by <a href="/p">{e(r["provider"])}</a></p></div><h2>At a glance</h2><ul class="at-a-glance"><li x-f="level">Level: {r["level"]}</li><li x-f="weeks">Length: {r["weeks"]} Weeks</li><li x-f="hours_per_week">Effort: {r["hours_per_week"]} hours per week</li>'
        f'<li x-f="price">Price: {price}</li><li x-f="language">Language: {r["language"]}</li><li x-f="certificate">Certificate: {"Yes" if r["certificate"] else "No"}</li><li x-f="starts">Starts: {s.date(r["starts"], "short")}</li></ul><h2>Skills you will gain</h2><div class="skills" x-f="skills">{skills}</div>'
    )


_DIETS = ("Vegan", "Vegetarian", "Meat")


def _cake(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} pie",
        "author": v.person(r),
        "diet": r.choice(_DIETS),
        "prep_minutes": r.randint(5, 60),
        "bake_minutes": v.maybe(r, r.randint(5, 120), 0.7),
        "serves": r.randint(1, 12),
        "calories": v.maybe(r, r.randint(90, 1200), 0.7),
        "ingredients": [f"{r.randint(1, 900)} g {one}" for one in v.words(r, r.randint(3, 8))],
        "steps": [v.sentence(r) for _ in range(r.randint(2, 6))],
        "note": v.maybe(r, v.sentence(r), 0.4),
        "_comments": [(v.login(r), v.sentence(r)) for _ in range(r.randint(0, 3))],
    }


def _cake_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    lines = [f'<span x-f="prep_minutes"><b>Prep:</b> {r["prep_minutes"]} min</span>']
    if r["bake_minutes"]:
        lines.append(f'<span x-f="bake_minutes"><b>Bake:</b> {r["bake_minutes"]} min</span>')
    lines.append(f'<span x-f="serves"><b>Serves:</b> {r["serves"]}</span>')
    if r["calories"]:
        lines.append(f'<span x-f="calories"><b>Calories:</b> {r["calories"]} kcal</span>')
    lines.append(f'<span x-f="diet"><b>Diet:</b> {r["diet"]}</span>')
    ingredients = "".join(f"<li>{one}</li>" for one in r["ingredients"])
    steps = "".join(f"<p><strong>Step {n}</strong> {e(one)}</p>" for n, one in enumerate(r["steps"], 1))
    note = f'<div class="tip" x-f="note">Tip: {e(r["note"])}</div>' if r["note"] else ""
    comments = "".join(f"<div class=comment><b>{one}</b><p>{e(text)}</p></div>" for one, text in r["_comments"])
    return f'<h1 x-f="name">{r["name"]}</h1><p>Recipe by <em x-f="author">{r["author"]}</em></p><p class="times">{"<br>".join(lines)}</p><h2>What you need</h2><ul x-f="ingredients">{ingredients}</ul><h2>What to do</h2><div class="method" x-f="steps">{steps}</div>{note}<h2>Comments</h2>{comments}'


WORK_PAGES = [
    Design(
        "movie_page",
        schema_of(
            title="string",
            year="integer",
            tagline="string?",
            overview="string",
            status=_STATES,
            original_language="string",
            budget="integer?",
            revenue="integer?",
            genres=["string"],
            director="string",
            writer="string?",
            cast=["string"],
            score="integer",
        ),
        _movie,
        _movie_page,
        is_list=False,
        head=_movie_head,
        words={"Status": "Stand", "Budget": "Kosten", "Director": "Regie"},
    ),
    Design(
        "book_page",
        schema_of(
            title="string",
            subtitle="string?",
            authors=["string"],
            price="number",
            rrp="number?",
            format=_FORMATS,
            publisher="string",
            published="date",
            pages="integer?",
            isbn="string",
            rating="number",
            ratings="integer",
        ),
        _volume,
        _book_page,
        is_list=False,
        words={"Publisher:": "Verlag:", "Pages:": "Seiten:", "Format:": "Einband:"},
    ),
    Design(
        "podcast_episode",
        schema_of(
            title="string",
            show="string",
            number="integer",
            season="integer?",
            minutes="integer",
            published="date",
            guests=["string"],
            audio="uri",
            explicit="boolean",
            summary="string",
        ),
        _episode,
        _episode_page,
        is_list=False,
        words={"Episode": "Folge", "Season": "Staffel", "With:": "Mit:"},
    ),
    Design(
        "paper_abstract",
        schema_of(
            title="string",
            authors=["string"],
            abstract="string",
            submitted="date",
            comments="string?",
            subjects=["string"],
            identifier="string",
            journal="string?",
            doi="string?",
        ),
        _paper,
        _paper_page,
        is_list=False,
        head=_paper_head,
        words={"Abstract:": "Zusammenfassung:", "Subjects:": "Themen:", "Comments:": "Anmerkungen:"},
    ),
    Design(
        "news_article",
        schema_of(
            headline="string",
            standfirst="string?",
            authors=["string"],
            published="date",
            updated="date?",
            section="string",
            read_minutes="integer",
            tags=["string"],
            body="string",
        ),
        _story,
        _story_page,
        is_list=False,
        head=_story_head,
        words={"Published": "Veröffentlicht", "Updated": "Geändert", "By ": "Von "},
    ),
    Design(
        "package_page",
        schema_of(
            name="string",
            version="string",
            summary="string",
            license="string",
            weekly_downloads="integer",
            unpacked_kb="number",
            files="integer",
            published="date",
            homepage="uri?",
            maintainers=["string"],
            keywords=["string"],
        ),
        _package,
        _package_page,
        is_list=False,
        words={"License": "Lizenz", "Total Files": "Dateien", "Weekly Downloads": "Abrufe je Woche"},
    ),
    Design(
        "course_page",
        schema_of(
            name="string",
            provider="string",
            instructor="string",
            level=_LEVELS,
            weeks="integer",
            hours_per_week="integer",
            language="string",
            price="number?",
            starts="date",
            certificate="boolean",
            skills=["string"],
        ),
        _course,
        _course_page,
        is_list=False,
        words={"Level:": "Stufe:", "Length:": "Dauer:", "Effort:": "Aufwand:"},
    ),
    Design(
        "cake_lines",
        schema_of(
            name="string",
            author="string",
            diet=_DIETS,
            prep_minutes="integer",
            bake_minutes="integer?",
            serves="integer",
            calories="integer?",
            ingredients=["string"],
            note="string?",
        ),
        _cake,
        _cake_page,
        is_list=False,
        words={"Prep:": "Vorbereitung:", "Serves:": "Portionen:", "Bake:": "Backen:"},
    ),
]
