"""Pages about one thing to read or to see: posts of three blogs, a film, a dish."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _blog(r: Random) -> Record:
    day = v.day(r, 2021, 2024)
    return {
        "title": v.headline(r),
        "author": v.person(r),
        "published": day,
        "modified": v.maybe(r, v.day(r, 2025, 2025), 0.4),
        "categories": [one.title() for one in v.words(r, r.randint(1, 2))],
        "tags": v.tags(r, 0, 4),
        "comments": v.maybe(r, r.randint(1, 40), 0.7),
        "first_paragraph": v.text(r, 2, 3),
        "_body": [v.text(r, 2, 5) for _ in range(r.randint(1, 5))],
        "_also": [(v.headline(r), v.day(r)) for _ in range(r.randint(0, 3))],
    }


def _wp_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    updated = (
        f'<time class="updated" datetime="{r["modified"]}T09:00:00+00:00" x-f="modified">Updated {s.date(r["modified"])}</time>'
        if r["modified"]
        else ""
    )
    cats = ", ".join(f'<a href="/category/{v.slug(one)}" rel="category tag">{one}</a>' for one in r["categories"])
    tags = ", ".join(f'<a href="/tag/{one}" rel="tag">{one}</a>' for one in r["tags"])
    tagged = (
        f'<span class="tags-links" x-f="tags"><span class="screen-reader-text">Tags: </span>{tags}</span>'
        if tags
        else ""
    )
    comments = (
        f'<h2 class="comments-title" x-f="comments">{r["comments"]} comment{"s" if r["comments"] > 1 else ""}</h2>'
        if r["comments"]
        else ""
    )
    body = "".join(f"<p>{one}</p>" for one in r["_body"])
    also = "".join(
        f'<li><a href="/{v.slug(name)}">{e(name)}</a> <time datetime="{day}">{s.date(day)}</time></li>'
        for name, day in r["_also"]
    )
    return (
        f'<article id="post-{1000 + len(r["title"])}" class="post type-post status-publish hentry"><header class="entry-header"><h1 class="entry-title" x-f="title">{e(r["title"])}</h1><div class="entry-meta"><span class="posted-on">Posted on <a href="/p" rel="bookmark"><time class="entry-date published" datetime="{r["published"]}T08:30:00+00:00" x-f="published">{s.date(r["published"])}</time>{updated}</a></span><span class="byline"> by <span class="author vcard" x-f="author"><a class="url fn n" href="/author/x">{r["author"]}</a></span></span></div></header>'
        f'<div class="entry-content"><p x-f="first_paragraph">{r["first_paragraph"]}</p>{body}</div><footer class="entry-footer"><span class="cat-links" x-f="categories">Posted in {cats}</span>{tagged}</footer></article><div id="comments" class="comments-area">{comments}<h3 id="reply-title">Leave a Reply</h3></div><section class="widget widget_recent_entries"><h2>Recent Posts</h2><ul>{also}</ul></section>'
    )


def _wp_head(r: Record, s: Style) -> str:
    return f'<title>{e(r["title"])} – WP Blog</title><meta property="og:title" content="{e(r["title"])}"><meta property="article:published_time" content="{r["published"]}T08:30:00+00:00"><meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="{r["author"]}">'


def _ghost(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "excerpt": v.maybe(r, v.sentence(r), 0.6),
        "author": v.person(r),
        "published": v.day(r),
        "reading_minutes": r.randint(1, 19),
        "tag": v.maybe(r, v.words(r, 1)[0].title(), 0.7),
        "image_caption": v.maybe(r, v.sentence(r), 0.4),
        "_body": [v.text(r, 2, 5) for _ in range(r.randint(2, 6))],
        "_also": [(v.headline(r), v.day(r), v.person(r)) for _ in range(3)],
    }


def _ghost_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    tag = f'<a class="gh-article-tag" href="/tag/x/" x-f="tag">{r["tag"]}</a>' if r["tag"] else ""
    excerpt = f'<p class="gh-article-excerpt is-body" x-f="excerpt">{r["excerpt"]}</p>' if r["excerpt"] else ""
    caption = f'<figcaption x-f="image_caption">{r["image_caption"]}</figcaption>' if r["image_caption"] else ""
    body = "".join(f"<p>{one}</p>" for one in r["_body"])
    also = "".join(
        f'<article class="gh-card post"><h3 class="gh-card-title">{e(name)}</h3><footer class="gh-card-meta"><span class="gh-card-author">By {who}</span><time class="gh-card-date" datetime="{day}">{s.date(day, "british")}</time></footer></article>'
        for name, day, who in r["_also"]
    )
    return (
        f'<article class="gh-article post"><header class="gh-article-header gh-canvas">{tag}<h1 class="gh-article-title is-title" x-f="title">{e(r["title"])}</h1>{excerpt}<div class="gh-article-meta"><div class="gh-article-author-image instapaper_ignore"></div><div class="gh-article-meta-wrapper"><h4 class="gh-article-author-name" x-f="author"><a href="/author/x/">{r["author"]}</a></h4><div class="gh-article-meta-content"><time class="gh-article-meta-date" datetime="{r["published"]}" x-f="published">{s.date(r["published"], "british")}</time><span class="gh-article-meta-length" x-f="reading_minutes"><span class="bull">—</span> {r["reading_minutes"]} min read</span></div></div></div><figure class="gh-article-image"><img src="/i.jpg" alt="">{caption}</figure></header>'
        f'<section class="gh-content gh-canvas is-body">{body}</section></article><section class="gh-container is-grid"><h2 class="gh-container-title">Read more</h2><div class="gh-feed">{also}</div></section>'
    )


def _story(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "subtitle": v.maybe(r, v.sentence(r), 0.6),
        "author": v.person(r),
        "publication": v.maybe(r, v.company(r), 0.6),
        "read_minutes": r.randint(2, 20),
        "published": v.day(r),
        "claps": r.randint(2, 990),
        "responses": v.maybe(r, r.randint(2, 60), 0.7),
        "topics": [one.title() for one in v.words(r, r.randint(1, 5))],
        "_body": [v.text(r, 2, 5) for _ in range(r.randint(2, 6))],
        "_also": [(v.headline(r), v.person(r), r.randint(2, 20), r.randint(1, 900)) for _ in range(3)],
    }


def _medium_page(records: Sequence[Record], s: Style) -> str:
    r, c = records[0], s.css
    subtitle = (
        f'<h2 class="pw-subtitle-paragraph {c("subtitle")}" x-f="subtitle">{r["subtitle"]}</h2>'
        if r["subtitle"]
        else ""
    )
    where = (
        f'<div class="{c("pub")}"><p class="{c("small")}">Published in</p><a data-testid="publicationName" href="/p" x-f="publication"><p class="{c("small")}">{e(r["publication"])}</p></a></div>'
        if r["publication"]
        else ""
    )
    responses = (
        f'<button aria-label="responses" class="{c("btn")}"><p class="{c("small")}"><span class="pw-responses-count {c("count")}" x-f="responses">{r["responses"]}</span></p></button>'
        if r["responses"]
        else ""
    )
    topics = "".join(
        f'<a class="{c("chip")}" href="/tag/{v.slug(one)}"><div class="{c("chip-in")}">{one}</div></a>'
        for one in r["topics"]
    )
    body = "".join(f'<p class="pw-post-body-paragraph {c("para")}">{one}</p>' for one in r["_body"])
    also = "".join(
        f'<div class="{c("card")}"><p class="{c("small")}">{who}</p><h2 class="{c("card-title")}">{e(name)}</h2><span class="{c("small")}">{minutes} min read</span><span class="{c("count")}">{claps}</span></div>'
        for name, who, minutes, claps in r["_also"]
    )
    return f'<article><div class="{c("wrap")}"><h1 class="pw-post-title {c("title")}" data-testid="storyTitle" x-f="title">{e(r["title"])}</h1>{subtitle}<div class="{c("by")}"><a data-testid="authorName" class="{c("link")}" href="/@x" x-f="author">{r["author"]}</a>{where}<span data-testid="storyReadTime" x-f="read_minutes">{r["read_minutes"]} min read</span><span class="{c("dot")}" aria-hidden="true">·</span><span data-testid="storyPublishDate" x-f="published">{s.date(r["published"], "short")}</span></div><div class="{c("bar")}"><div class="pw-multi-vote-count"><p class="{c("small")}"><button class="{c("btn")}" x-f="claps">{r["claps"]}</button></p></div>{responses}</div>{body}</div></article><div class="{c("chips")}" x-f="topics">{topics}</div><div class="{c("more")}"><h2 class="{c("head")}">Recommended</h2>{also}</div>'


def _film(r: Random) -> Record:
    return {
        "title": v.thing(r),
        "year": r.randint(1950, 2025),
        "certificate": v.maybe(r, r.choice(["PG", "PG-13", "R", "12A"]), 0.8),
        "runtime": f"{r.randint(1, 2)}h {r.randint(1, 59)}m",
        "rating": r.randint(20, 95) / 10,
        "genres": r.sample(["Drama", "Comedy", "Crime", "Horror", "Romance", "Sci-Fi"], r.randint(1, 3)),
        "plot": v.text(r, 1, 2),
        "director": v.person(r),
        "stars": [v.person(r) for _ in range(r.randint(2, 4))],
        "release_date": v.day(r, 1950, 2025),
        "country": r.choice(["Norway", "Japan", "Chile", "Ghana"]),
        "budget": v.maybe(r, f"${r.randint(1, 200)},000,000", 0.5),
        "_also": [(v.thing(r), r.randint(20, 95) / 10) for _ in range(3)],
    }


def _imdb_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    cert = (
        f'<li role="presentation" class="ipc-inline-list__item" x-f="certificate"><a class="ipc-link" href="/parentalguide">{r["certificate"]}</a></li>'
        if r["certificate"]
        else ""
    )
    genres = "".join(
        f'<a class="ipc-chip ipc-chip--on-baseAlt" href="/g"><span class="ipc-chip__text">{one}</span></a>'
        for one in r["genres"]
    )
    stars = "".join(
        f'<li role="presentation" class="ipc-inline-list__item"><a class="ipc-metadata-list-item__list-content-item" href="/n">{one}</a></li>'
        for one in r["stars"]
    )
    budget = (
        f'<li role="presentation" class="ipc-metadata-list__item" data-testid="title-boxoffice-budget" x-f="budget"><span class="ipc-metadata-list-item__label">Budget</span><div><span class="ipc-metadata-list-item__list-content-item">{r["budget"]}</span></div></li>'
        if r["budget"]
        else ""
    )
    also = "".join(
        f'<div class="ipc-poster-card"><span class="ipc-rating-star">{rating}</span><a href="/t"><span data-testid="title">{name}</span></a></div>'
        for name, rating in r["_also"]
    )
    return (
        f'<section class="ipc-page-section"><h1 data-testid="hero__pageTitle" x-f="title"><span class="hero__primary-text" data-testid="hero__primary-text">{r["title"]}</span></h1><ul class="ipc-inline-list" role="presentation"><li role="presentation" class="ipc-inline-list__item" x-f="year"><a class="ipc-link" href="/releaseinfo">{r["year"]}</a></li>{cert}<li role="presentation" class="ipc-inline-list__item" x-f="runtime">{r["runtime"]}</li></ul><div data-testid="hero-rating-bar__aggregate-rating__score"><span x-f="rating">{r["rating"]}</span><span>/10</span></div></section>'
        f'<div class="ipc-chip-list__scroller" x-f="genres">{genres}</div><p data-testid="plot"><span data-testid="plot-xl" x-f="plot">{r["plot"]}</span></p><ul class="ipc-metadata-list"><li role="presentation" class="ipc-metadata-list__item" data-testid="title-pc-principal-credit" x-f="director"><span class="ipc-metadata-list-item__label">Director</span><div><ul class="ipc-inline-list"><li role="presentation" class="ipc-inline-list__item"><a class="ipc-metadata-list-item__list-content-item" href="/n">{r["director"]}</a></li></ul></div></li><li role="presentation" class="ipc-metadata-list__item" data-testid="title-pc-principal-credit" x-f="stars"><a class="ipc-metadata-list-item__label" href="/cast">Stars</a><div><ul class="ipc-inline-list">{stars}</ul></div></li></ul>'
        f'<section><h3 class="ipc-title__text">More like this</h3>{also}</section><section data-testid="Details"><h3 class="ipc-title__text">Details</h3><ul class="ipc-metadata-list"><li class="ipc-metadata-list__item" data-testid="title-details-releasedate" x-f="release_date"><a class="ipc-metadata-list-item__label" href="/r">Release date</a><div><a class="ipc-metadata-list-item__list-content-item" href="/r">{s.date(r["release_date"])} ({r["country"]})</a></div></li><li class="ipc-metadata-list__item" data-testid="title-details-origin" x-f="country"><span class="ipc-metadata-list-item__label">Country of origin</span><div><a class="ipc-metadata-list-item__list-content-item" href="/c">{r["country"]}</a></div></li>{budget}</ul></section>'
    )


def _imdb_head(r: Record, s: Style) -> str:
    return f'<title>{r["title"]} ({r["year"]}) - Imdb Title</title><meta property="og:title" content="{r["title"]} ({r["year"]}) ⭐ {r["rating"]} | {r["genres"][0]}"><meta name="description" content="{r["title"]}: Directed by {r["director"]}. With {", ".join(r["stars"])}.">'


def _dish(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} {r.choice(['Pie', 'Soup', 'Stew', 'Bread'])}",
        "author": v.person(r),
        "rating": v.maybe(r, r.randint(30, 50) / 10, 0.8),
        "ratings": None,
        "prep_minutes": r.randint(5, 55),
        "cook_minutes": v.maybe(r, r.randint(5, 55), 0.8),
        "servings": r.randint(2, 12),
        "yield": v.maybe(r, f"{r.randint(1, 3)} 9-inch pan{r.choice(['', 's'])}", 0.4),
        "ingredients": [
            f"{r.randint(1, 4)} {r.choice(['cups', 'tablespoons', 'ounces'])} {one}"
            for one in v.words(r, r.randint(3, 7))
        ],
        "calories": r.randint(90, 900),
        "updated": v.day(r),
        "_steps": [v.sentence(r) for _ in range(r.randint(2, 6))],
        "_also": [(v.thing(r), r.randint(2, 900)) for _ in range(3)],
    }


def _dish_draw(r: Random) -> Record:
    made = _dish(r)
    return {**made, "ratings": r.randint(2, 900) if made["rating"] else None}


def _dish_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    rating = (
        f'<div class="mm-recipes-review-bar__rating" x-f="rating">{r["rating"]}</div> <div class="mm-recipes-review-bar__rating-count" x-f="ratings">({r["ratings"]})</div>'
        if r["rating"]
        else '<div class="mm-recipes-review-bar__add">Rate it</div>'
    )
    pairs = [
        ("prep_minutes", "Prep Time:", f"{r['prep_minutes']} mins"),
        ("cook_minutes", "Cook Time:", f"{r['cook_minutes']} mins" if r["cook_minutes"] else ""),
        ("servings", "Servings:", r["servings"]),
        ("yield", "Yield:", r["yield"]),
    ]
    rows = "".join(
        f'<div class="mm-recipes-details__item" x-f="{name}"><div class="mm-recipes-details__label">{label}</div><div class="mm-recipes-details__value">{value}</div></div>'
        for name, label, value in pairs
        if value
    )
    parts = "".join(
        '<li class="mm-recipes-structured-ingredients__list-item"><p><span data-ingredient-quantity="true">{}</span> <span data-ingredient-unit="true">{}</span> <span data-ingredient-name="true">{}</span></p></li>'.format(
            *one.split(" ", 2)
        )
        for one in r["ingredients"]
    )
    steps = "".join(f'<li class="comp mntl-sc-block"><p>{one}</p></li>' for one in r["_steps"])
    also = "".join(
        f'<a class="card" href="/r"><span class="card__title-text">{name}</span><span class="mm-recipes-card-meta__rating-count">{count} Ratings</span></a>'
        for name, count in r["_also"]
    )
    return f'<article><h1 class="article-heading text-headline-400" x-f="name">{r["name"]}</h1><div id="review-bar">{rating}</div><div class="mntl-bylines__item"><span>Submitted by</span> <a class="mntl-attribution__item-name" href="/a" x-f="author">{r["author"]}</a></div><div class="mntl-attribution__item-date" x-f="updated">Updated on {s.date(r["updated"])}</div><div class="mm-recipes-details__content">{rows}</div><h2>Ingredients</h2><ul class="mm-recipes-structured-ingredients__list" x-f="ingredients">{parts}</ul><h2>Directions</h2><ol>{steps}</ol><h2>Nutrition Facts <span>(per serving)</span></h2><table class="mm-recipes-nutrition-facts-summary__table"><tbody><tr x-f="calories"><td class="cell-value">{r["calories"]}</td><td class="cell-label">Calories</td></tr><tr><td class="cell-value">{r["servings"] + 11}g</td><td class="cell-label">Fat</td></tr></tbody></table></article><div class="also"><h2>You’ll also love</h2>{also}</div>'


POST_PAGES = [
    Design(
        "wp_post",
        schema_of(
            title="string",
            author="string",
            published="date",
            modified="date?",
            categories=["string"],
            tags=["string"],
            comments="integer?",
            first_paragraph="string",
        ),
        _blog,
        _wp_page,
        is_list=False,
        head=_wp_head,
        words={"Posted on": "Veröffentlicht am", "Posted in": "Kategorie"},
    ),
    Design(
        "ghost_post",
        schema_of(
            title="string",
            excerpt="string?",
            author="string",
            published="date",
            reading_minutes="integer",
            tag="string?",
            image_caption="string?",
        ),
        _ghost,
        _ghost_page,
        is_list=False,
        words={"min read": "Min. Lesezeit"},
    ),
    Design(
        "medium_story",
        schema_of(
            title="string",
            subtitle="string?",
            author="string",
            publication="string?",
            read_minutes="integer",
            published="date",
            claps="integer",
            responses="integer?",
            topics=["string"],
        ),
        _story,
        _medium_page,
        is_list=False,
        words={"min read": "Min. Lesezeit", "Published in": "Erschienen in"},
    ),
    Design(
        "imdb_title",
        schema_of(
            title="string",
            year="integer",
            certificate="string?",
            runtime="string",
            rating="number",
            genres=["string"],
            plot="string",
            director="string",
            stars=["string"],
            release_date="date",
            country="string",
            budget="string?",
        ),
        _film,
        _imdb_page,
        is_list=False,
        head=_imdb_head,
        words={"Director": "Regie", "Stars": "Besetzung", "Release date": "Start"},
    ),
    Design(
        "dish_page",
        schema_of(
            **{
                "name": "string",
                "author": "string",
                "rating": "number?",
                "ratings": "integer?",
                "prep_minutes": "integer",
                "cook_minutes": "integer?",
                "servings": "integer",
                "yield": "string?",
                "ingredients": ["string"],
                "calories": "integer",
                "updated": "date",
            }
        ),
        _dish_draw,
        _dish_page,
        is_list=False,
        words={"Prep Time:": "Vorbereitung:", "Servings:": "Portionen:"},
    ),
]
