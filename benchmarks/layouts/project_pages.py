"""Pages about one piece of software: two package indexes, a repository, a game."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _game(r: Random) -> Record:
    price = v.amount(r, 2, 70)
    return {
        "name": v.thing(r),
        "description": v.text(r, 1, 2),
        "verdict": r.choice(["Very Positive", "Mixed", "Mostly Positive", "Overwhelmingly Positive"]),
        "reviews": r.randint(10, 90000),
        "released": v.day(r, 2008, 2025),
        "developer": v.company(r),
        "publisher": v.company(r),
        "tags": [one.title() for one in v.words(r, r.randint(2, 6))],
        "price": price,
        "full_price": v.maybe(r, round(price * 2, 2), 0.35),
        "metascore": v.maybe(r, r.randint(40, 97), 0.5),
        "achievements": v.maybe(r, r.randint(5, 120), 0.7),
        "_also": [(v.thing(r), v.amount(r, 2, 70)) for _ in range(3)],
    }


def _game_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    tags = " ".join(f'<a href="/t/{v.slug(one)}" class="app_tag">{one}</a>' for one in r["tags"])
    if r["full_price"]:
        price = f'<div class="discount_block game_purchase_discount"><div class="discount_pct">-50%</div><div class="discount_prices"><div class="discount_original_price" x-f="full_price">{s.money(r["full_price"])}</div><div class="discount_final_price" x-f="price">{s.money(r["price"])}</div></div></div>'
    else:
        price = f'<div class="game_purchase_price price" x-f="price">{s.money(r["price"])}</div>'
    meta = (
        f'<div id="game_area_metascore"><div class="score high" x-f="metascore">{r["metascore"]}</div><div class="wordmark">metacritic</div></div>'
        if r["metascore"]
        else ""
    )
    achieved = (
        f'<div id="achievement_block"><div class="block_title" x-f="achievements">Includes {r["achievements"]} achievements</div></div>'
        if r["achievements"]
        else ""
    )
    also = "".join(
        f'<a class="small_cap" href="/app/{n}"><h4>{name}</h4><h5>{s.money(price_)}</h5></a>'
        for n, (name, price_) in enumerate(r["_also"])
    )
    return (
        f'<div class="breadcrumbs"><div class="blockbg"><a href="/">All Games</a> &gt; <a href="/g">{r["tags"][0]} Games</a> &gt; <a href="/app"><span itemprop="name">{r["name"]}</span></a></div></div><div id="appHubAppName" class="apphub_AppName" x-f="name">{r["name"]}</div><div class="game_description_snippet" x-f="description">{r["description"]}</div>'
        f'<div class="user_reviews"><a class="user_reviews_summary_row" href="#r"><div class="subtitle column all">All Reviews:</div><div class="summary column"><span class="game_review_summary positive" x-f="verdict">{r["verdict"]}</span> <span class="responsive_hidden" x-f="reviews">({r["reviews"]:,})</span></div></a><div class="release_date"><div class="subtitle column">Release Date:</div><div class="date" x-f="released">{s.date(r["released"], "british")}</div></div><div class="dev_row"><div class="subtitle column">Developer:</div><div class="summary column" x-f="developer"><a href="/d">{e(r["developer"])}</a></div></div><div class="dev_row"><div class="subtitle column">Publisher:</div><div class="summary column" x-f="publisher"><a href="/d">{e(r["publisher"])}</a></div></div></div>'
        f'<div class="glance_tags popular_tags" x-f="tags">{tags}</div><div class="game_area_purchase_game"><h2>Buy {r["name"]}</h2>{price}</div>{meta}{achieved}<div class="block"><h2>More like this</h2>{also}</div>'
    )


def _dist(r: Random) -> Record:
    return {
        "name": v.slug(v.thing(r)),
        "version": f"{r.randint(0, 9)}.{r.randint(0, 20)}.{r.randint(0, 30)}",
        "summary": v.sentence(r),
        "released": v.day(r),
        "license": v.maybe(r, r.choice(["MIT", "BSD-3-Clause", "Apache-2.0"]), 0.8),
        "author": v.maybe(r, v.person(r), 0.7),
        "requires_python": v.maybe(r, f">=3.{r.randint(6, 12)}", 0.8),
        "maintainers": [v.login(r) for _ in range(r.randint(1, 3))],
        "homepage": v.maybe(r, f"https://{v.slug(v.thing(r))}.example/", 0.6),
        "stars": v.maybe(r, r.randint(2, 9000), 0.6),
        "_text": [v.text(r, 1, 4) for _ in range(2)],
    }


def _pypi_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    home = (
        f'<li><a class="vertical-tabs__tab vertical-tabs__tab--with-icon" href="{r["homepage"]}" rel="nofollow" x-f="homepage"><i class="fas fa-home" aria-hidden="true"></i>Homepage</a></li>'
        if r["homepage"]
        else ""
    )
    stars = (
        f'<div class="sidebar-section"><h6>GitHub Statistics</h6><ul><li x-f="stars"><strong>Stars:</strong> <span>{r["stars"]}</span></li></ul></div>'
        if r["stars"]
        else ""
    )
    meta = "".join(
        f'<li><span x-f="{name}"><strong>{label}:</strong> {e(value)}</span></li>'
        for name, label, value in [
            ("license", "License", r["license"]),
            ("author", "Author", r["author"]),
            ("requires_python", "Requires", f"Python {r['requires_python']}" if r["requires_python"] else ""),
        ]
        if value
    )
    people = "".join(
        f'<span class="sidebar-section__maintainer"><a href="/user/{one}/"><span class="sidebar-section__user-gravatar-text">{one}</span></a></span>'
        for one in r["maintainers"]
    )
    body = "".join(f"<p>{one}</p>" for one in r["_text"])
    return (
        f'<div class="banner"><div class="package-header"><div class="package-header__left"><h1 class="package-header__name"><span x-f="name">{r["name"]}</span> <span x-f="version">{r["version"]}</span></h1><p class="package-header__pip-instructions"><span id="pip-command">pip install {r["name"]}</span></p></div><div class="package-header__right"><p class="package-header__date">Released: <time datetime="{r["released"]}T10:11:12+0000" x-f="released">{s.date(r["released"], "short")}</time></p></div></div></div><div class="package-description"><p class="package-description__summary" x-f="summary">{r["summary"]}</p></div>'
        f'<div class="vertical-tabs"><div class="sidebar-section"><h6>Project links</h6><ul class="vertical-tabs__list">{home}<li><a class="vertical-tabs__tab" href="https://docs.example/">Documentation</a></li></ul></div>{stars}<div class="sidebar-section"><h6>Meta</h6><ul>{meta}</ul></div><div class="sidebar-section"><h6>Maintainers</h6><span x-f="maintainers">{people}</span></div></div><div class="project-description"><h2>{r["name"]}</h2>{body}</div>'
    )


def _crate(r: Random) -> Record:
    return {
        "name": v.slug(v.thing(r)),
        "version": f"{r.randint(0, 3)}.{r.randint(0, 20)}.{r.randint(0, 30)}",
        "description": v.sentence(r),
        "keywords": v.tags(r, 0, 4),
        "edition": r.choice(["2018", "2021", "2024"]),
        "msrv": v.maybe(r, f"1.{r.randint(31, 85)}.0", 0.6),
        "license": r.choice(["MIT", "Apache-2.0", "MPL-2.0"]),
        "size": f"{r.randint(3, 900)}.{r.randint(1, 9)} KiB",
        "downloads": r.randint(1000, 90_000_000),
        "versions": r.randint(2, 140),
        "repository": v.maybe(r, f"https://code.example/{v.login(r)}/{v.slug(v.thing(r))}", 0.7),
        "owners": [v.login(r) for _ in range(r.randint(1, 3))],
    }


def _crate_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css
    words = "".join(
        f'<li><a href="/keywords/{one}"><span class="{c("hash")}">#</span>{one}</a></li>' for one in r["keywords"]
    )
    listed = f'<ul class="{c("keywords")}" x-f="keywords">{words}</ul>' if words else ""
    msrv = (
        f'<div class="{c("msrv")}" data-test-msrv x-f="msrv"><svg></svg><span>v{r["msrv"]}</span></div>'
        if r["msrv"]
        else ""
    )
    repo = (
        f'<div class="{c("lnk")}"><h3 class="{c("title")}">Repository</h3><a href="{r["repository"]}" class="{c("link")}" x-f="repository">{r["repository"].removeprefix("https://")}</a></div>'
        if r["repository"]
        else ""
    )
    owners = "".join(
        f'<li><a class="{c("link")}" href="/users/{one}"><span class="{c("who")}">{one}</span></a></li>'
        for one in r["owners"]
    )
    return (
        f'<div class="{c("header")}"><h1 class="{c("heading")}"><span x-f="name">{r["name"]}</span> <small data-test-crate-version x-f="version">v{r["version"]}</small></h1><div class="{c("desc")}" x-f="description">{r["description"]}</div>{listed}</div><section aria-label="Crate metadata" class="{c("sidebar")}"><div class="{c("metadata")}"><h2 class="{c("title")}">Metadata</h2><div class="{c("edition")}" data-test-edition x-f="edition"><span>{r["edition"]} edition</span></div>{msrv}<div class="{c("license")}" data-test-license x-f="license"><svg></svg><span><a href="/l">{r["license"]}</a></span></div><div class="{c("bytes")}" data-test-size x-f="size"><svg></svg>{r["size"]}</div></div>'
        f'<div><h2 class="{c("title")}">Install</h2><code>cargo add {r["name"]}</code></div>{repo}<div><h2 class="{c("title")}">Owners</h2><ul class="{c("list")}" data-test-owners x-f="owners">{owners}</ul></div></section><div class="{c("downloads")}"><h3 class="{c("title")}">Stats Overview</h3><div class="{c("stat")}" x-f="downloads"><span class="{c("num")}">{r["downloads"]:,}</span><span class="{c("text")}">Downloads all time</span></div><div class="{c("stat")}" x-f="versions"><span class="{c("num")}">{r["versions"]}</span><span class="{c("text")}">Versions published</span></div></div>'
    )


def _repo(r: Random) -> Record:
    return {
        "owner": v.login(r),
        "name": v.slug(v.thing(r)),
        "description": v.maybe(r, v.sentence(r), 0.8),
        "topics": v.tags(r, 0, 5),
        "stars": r.randint(3, 99000),
        "forks": r.randint(2, 9000),
        "watching": r.randint(2, 900),
        "license": v.maybe(r, r.choice(["MIT license", "Apache-2.0 license", "GPL-3.0 license"]), 0.7),
        "language": r.choice(["Python", "Rust", "Go", "C"]),
        "latest_release": v.maybe(r, f"v{r.randint(0, 9)}.{r.randint(0, 20)}", 0.6),
        "archived": r.random() < 0.2,
        "_files": [(one, v.headline(r)) for one in v.words(r, r.randint(3, 8))],
    }


def _repo_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    archived = (
        '<div class="flash flash-warn" x-f="archived">This repository has been archived by the owner. It is now read-only.</div>'
        if r["archived"]
        else ""
    )
    topics = "".join(
        f'<a href="/topics/{one}" title="Topic: {one}" class="topic-tag topic-tag-link">{one}</a>'
        for one in r["topics"]
    )
    listed = (
        f'<h3 class="sr-only">Topics</h3><div class="my-3"><div class="f6" x-f="topics">{topics}</div></div>'
        if topics
        else ""
    )
    about = (
        f'<p class="f4 my-3" x-f="description">{r["description"]}</p>'
        if r["description"]
        else '<div class="f4 my-3 color-fg-muted text-italic">No description, website, or topics provided.</div>'
    )
    lic = (
        f'<h3 class="sr-only">License</h3><div class="mt-2"><a href="#license" class="Link--muted" x-f="license"><svg></svg> {r["license"]}</a></div>'
        if r["license"]
        else ""
    )
    release = (
        f'<div class="BorderGrid-row"><h2 class="h4 mb-3"><a href="/releases">Releases</a></h2><a class="Link--primary d-flex" href="/releases/x"><div class="d-flex"><span class="css-truncate css-truncate-target text-bold mr-2" x-f="latest_release">{r["latest_release"]}</span><span title="Label: Latest" class="Label Label--success">Latest</span></div></a></div>'
        if r["latest_release"]
        else ""
    )
    files = "".join(
        f'<tr class="react-directory-row"><td><a href="/b/{one}">{one}</a></td><td><a href="/c">{e(said)}</a></td></tr>'
        for one, said in r["_files"]
    )
    return (
        f'{archived}<div id="repository-container-header"><span class="author flex-self-stretch" itemprop="author" x-f="owner"><a class="url fn" rel="author" href="/{r["owner"]}">{r["owner"]}</a></span> <span class="mx-1">/</span> <strong itemprop="name" class="mr-2" x-f="name"><a href="/x">{r["name"]}</a></strong><span class="Label Label--secondary">Public</span></div><table aria-labelledby="folders-and-files"><tbody>{files}</tbody></table>'
        f'<div class="Layout-sidebar"><div class="BorderGrid-row"><h2 class="mb-3 h4">About</h2>{about}{listed}{lic}<h3 class="sr-only">Stars</h3><div class="mt-2"><a href="/stargazers" class="Link Link--muted" x-f="stars"><svg></svg> <strong>{r["stars"]:,}</strong> stars</a></div><h3 class="sr-only">Watchers</h3><div class="mt-2"><a href="/watchers" class="Link Link--muted" x-f="watching"><svg></svg> <strong>{r["watching"]}</strong> watching</a></div><h3 class="sr-only">Forks</h3><div class="mt-2"><a href="/forks" class="Link Link--muted" x-f="forks"><svg></svg> <strong>{r["forks"]:,}</strong> forks</a></div></div>{release}<div class="BorderGrid-row"><h2 class="h4 mb-3">Languages</h2><ul class="list-style-none"><li class="d-inline" x-f="language"><span class="color-fg-default text-bold mr-1">{r["language"]}</span> <span>{90 + r["forks"] % 9}.{r["stars"] % 9}%</span></li><li class="d-inline"><span class="color-fg-default text-bold mr-1">Shell</span> <span>1.{r["stars"] % 9}%</span></li></ul></div></div>'
    )


PROJECT_PAGES = [
    Design(
        "pypi_project",
        schema_of(
            name="string",
            version="string",
            summary="string",
            released="date",
            license="string?",
            author="string?",
            requires_python="string?",
            maintainers=["string"],
            homepage="uri?",
            stars="integer?",
        ),
        _dist,
        _pypi_page,
        is_list=False,
        words={"License:": "Lizenz:", "Author:": "Autor:"},
    ),
    Design(
        "crate_page",
        schema_of(
            name="string",
            version="string",
            description="string",
            keywords=["string"],
            edition="string",
            msrv="string?",
            license="string",
            size="string",
            downloads="integer",
            versions="integer",
            repository="uri?",
            owners=["string"],
        ),
        _crate,
        _crate_page,
        is_list=False,
        words={"Repository": "Quelle", "Downloads all time": "Downloads gesamt"},
    ),
    Design(
        "github_repo",
        schema_of(
            owner="string",
            name="string",
            description="string?",
            topics=["string"],
            stars="integer",
            forks="integer",
            watching="integer",
            license="string?",
            language="string",
            latest_release="string?",
            archived="boolean",
        ),
        _repo,
        _repo_page,
        is_list=False,
        words={"stars": "Sterne", "forks": "Abspaltungen"},
    ),
    Design(
        "steam_app",
        schema_of(
            name="string",
            description="string",
            verdict="string",
            reviews="integer",
            released="date",
            developer="string",
            publisher="string",
            tags=["string"],
            price="number",
            full_price="number?",
            metascore="integer?",
            achievements="integer?",
        ),
        _game,
        _game_page,
        is_list=False,
        words={"Developer:": "Entwickler:", "Publisher:": "Verlag:"},
    ),
]
