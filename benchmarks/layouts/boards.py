"""Boards: link lists, trackers, forums."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _hacker_news(r: Random) -> Record:
    number = r.randint(10**7, 4 * 10**7)
    return {
        "title": v.headline(r),
        "url": f"https://{v.slug(v.company(r))}.example/{r.randint(1, 999)}",
        "points": r.randint(1, 900),
        "author": v.login(r),
        "comments": r.choice([None, r.randint(1, 500)]),
        "_id": number,
        "_age": f"{r.randint(2, 23)} hours ago",
    }


def _render_hacker_news(records: Sequence[Record], s: Style) -> str:
    rows = "".join(
        f'<tr class=\'athing submission\' id=\'{r["_id"]}\' x-r><td align="right" class="title"><span class="rank">{n}.</span></td>'
        f"<td class=\"votelinks\"><center><a id='up_{r['_id']}' href='vote?id={r['_id']}&amp;how=up'><div class='votearrow' title='upvote'></div></a></center></td>"
        f'<td class="title"><span class="titleline" x-f="title"><a href="{r["url"]}" x-f="url">{e(r["title"])}</a><span class="sitebit comhead"> (<a href="from?site={r["url"].split("/")[2]}"><span class="sitestr">{r["url"].split("/")[2]}</span></a>)</span></span></td></tr>'
        f'<tr><td colspan="2"></td><td class="subtext"><span class="subline"><span class="score" id="score_{r["_id"]}" x-f="points">{r["points"]} points</span> by <a href="user?id={r["author"]}" class="hnuser" x-f="author">{r["author"]}</a> '
        f'<span class="age" title="2025-03-04T10:11:12"><a href="item?id={r["_id"]}">{r["_age"]}</a></span> | <a href="hide?id={r["_id"]}">hide</a> | <a href="item?id={r["_id"]}" x-f="comments">{"discuss" if not r["comments"] else str(r["comments"]) + "&nbsp;comments"}</a></span></td></tr>'
        "<tr class='spacer' style='height:5px'></tr>"
        for n, r in enumerate(records, 1)
    )
    return f"<table border='0' cellpadding='0' cellspacing='0'><tbody>{rows}<tr class='morespace' style='height:10px'></tr><tr><td colspan='2'></td><td class='title'><a href='?p=2' class='morelink' rel='next'>More</a></td></tr></tbody></table>"


def _reddit(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "score": v.maybe(r, r.randint(0, 9000), 0.85),
        "author": v.login(r),
        "subreddit": r.choice(["r/homelab", "r/woodworking", "r/askhistory", "r/trains"]),
        "comments": r.randint(0, 800),
        "flair": v.maybe(r, r.choice(["Help", "Discussion", "Meta", "Show & Tell"]), 0.4),
        "posted_at": f"{v.day(r)}T{r.randint(10, 23)}:{r.randint(10, 59)}:00+00:00",
        "_age": f"{r.randint(2, 23)} hours ago",
        "_id": f"t3_{r.randint(10**6, 10**7)}",
    }


def _render_reddit(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        flair = (
            f'<span class="linkflairlabel" title="{e(r["flair"])}" x-f="flair">{e(r["flair"])}</span>'
            if r["flair"]
            else ""
        )
        score = "•" if r["score"] is None else r["score"]
        number = "" if r["score"] is None else r["score"] + 1
        return (
            f'<div class=" thing id-{r["_id"]} {"odd" if n % 2 else "even"} link" id="thing_{r["_id"]}" data-fullname="{r["_id"]}" data-author="{r["author"]}" x-r><p class="parent"></p><span class="rank">{n}</span>'
            f'<div class="midcol unvoted"><div class="arrow up"></div><div class="score dislikes">{number}</div><div class="score unvoted" x-f="score">{score}</div><div class="score likes">{number}</div><div class="arrow down"></div></div>'
            f'<div class="entry unvoted"><div class="top-matter"><p class="title" x-f="title"><a class="title may-blank outbound" href="/{r["subreddit"]}/comments/{r["_id"]}/">{e(r["title"])}</a> {flair}<span class="domain">(<a href="/domain/self/">self.{r["subreddit"][2:]}</a>)</span></p>'
            f'<p class="tagline ">submitted <time title="then" datetime="{r["posted_at"]}" class="live-timestamp" x-f="posted_at">{r["_age"]}</time> by <a href="/user/{r["author"]}" class="author may-blank" x-f="author">{r["author"]}</a> to <a href="/{r["subreddit"]}/" class="subreddit hover may-blank" x-f="subreddit">{r["subreddit"]}</a></p>'
            f'<ul class="flat-list buttons"><li class="first"><a href="/c/{r["_id"]}" class="bylink comments may-blank" x-f="comments">{r["comments"]} comments</a></li><li class="share"><a href="#">share</a></li><li><a href="#">save</a></li></ul></div></div></div><div class="clearleft"></div>'
        )

    ad = '<div class="thing promotedlink promoted"><p class="title"><a href="/ad">The best mattress, tested</a> <span class="domain">(sleep.example)</span></p><span>promoted by sleepco</span></div><div class="clearleft"></div>'
    items = [one(n, r) + (ad if n % 9 == 4 else "") for n, r in enumerate(records, 1)]
    return f'<div id="siteTable" class="sitetable linklisting">{"".join(items)}<div class="nav-buttons"><span class="nextprev">view more: <a href="?after=x" rel="next">next ›</a></span></div></div>'


def _issue(r: Random) -> Record:
    number = r.randint(100, 19999)
    return {
        "number": number,
        "title": v.headline(r),
        "state": r.choice(["open", "closed"]),
        "labels": r.sample(
            ["bug", "enhancement", "good first issue", "docs", "help wanted", "regression"], r.randint(0, 3)
        ),
        "author": v.login(r),
        "opened": v.day(r),
        "comments": r.choice([0, 0, r.randint(1, 80)]),
    }


def _render_issues(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        labels = "".join(
            f'<a class="IssueLabel hx_IssueLabel" href="/labels/{v.slug(name)}" data-name="{name}">{name}</a> '
            for name in r["labels"]
        )
        comments = (
            f'<a href="/issues/{r["number"]}" class="Link--muted" aria-label="{r["comments"]} comments"><svg></svg><span class="text-small text-bold">{r["comments"]}</span></a>'
            if r["comments"]
            else ""
        )
        return (
            f'<div id="issue_{r["number"]}" class="Box-row Box-row--focus-gray p-0 mt-0 js-navigation-item js-issue-row" data-id="{r["number"]}" x-r><div class="d-flex Box-row--drag-hide position-relative">'
            f'<div class="flex-shrink-0 pt-2 pl-3"><span class="tooltipped" aria-label="{r["state"].title()} issue" x-f="state"><svg class="octicon octicon-issue-{r["state"]}"></svg></span></div>'
            f'<div class="flex-auto min-width-0 p-2 pr-3 pr-md-2"><a id="issue_{r["number"]}_link" class="Link--primary v-align-middle no-underline h4 js-navigation-open markdown-title" href="/o/p/issues/{r["number"]}" x-f="title">{e(r["title"])}</a> '
            f'<span class="lh-default d-block d-md-inline" x-f="labels">{labels}</span><div class="d-flex mt-1 text-small color-fg-muted"><span class="opened-by">#{r["number"]} opened <relative-time datetime="{r["opened"]}T09:30:00Z" class="no-wrap" title="x" x-f="opened">{s.date(r["opened"], "short")}</relative-time> by <a class="Link--muted" href="/o/p/issues?q=author%3A{r["author"]}" title="Open issues created by {r["author"]}" x-f="author">{r["author"]}</a></span></div></div>'
            f'<div class="flex-shrink-0 col-4 col-md-3 pt-2 text-right pr-3 no-wrap d-flex hide-sm "><span class="ml-2 flex-1 flex-shrink-0" x-f="comments">{comments}</span></div></div></div>'
        )

    return f'<div class="Box"><div class="Box-header"><a href="?q=open">124 Open</a> <a href="?q=closed">1,204 Closed</a></div><div class="js-navigation-container">{"".join(map(one, records))}</div></div><div class="paginate-container"><a rel="next" href="?page=2">Next</a></div>'


def _release(r: Random) -> Record:
    version = f"{r.randint(0, 9)}.{r.randint(0, 40)}.{r.randint(0, 30)}"
    return {
        "name": f"v{version}" if r.random() < 0.6 else f"{v.thing(r)} {version}",
        "tag": f"v{version}",
        "author": v.login(r),
        "published": v.day(r),
        "prerelease": r.random() < 0.2,
        "changes": [v.sentence(r) for _ in range(r.randint(1, 6))],
    }


def _render_releases(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        label = (
            '<span class="Label Label--warning Label--large">Pre-release</span>'
            if r["prerelease"]
            else '<span class="Label Label--success Label--large">Release</span>'
        )
        changes = "".join(f"<li>{e(line)}</li>" for line in r["changes"])
        return (
            f'<section aria-labelledby="h" x-r><h2 class="sr-only">{e(r["name"])}</h2><div class="d-flex flex-column flex-md-row my-5"><div class="col-md-2 d-flex"><div class="mb-2 f4 mr-3"><relative-time datetime="{r["published"]}T10:01:00Z" x-f="published">{s.date(r["published"], "short")}</relative-time></div>'
            f'<div><img class="avatar" src="/a/{r["author"]}.png" alt="@{r["author"]}"/><a href="/{r["author"]}" class="color-fg-muted wb-break-all" x-f="author">{r["author"]}</a></div><div><a href="/o/p/tree/{r["tag"]}" class="Link--muted" x-f="tag"><svg></svg><span class="ml-1">{r["tag"]}</span></a></div></div>'
            f'<div class="col-md-9"><div class="Box"><div class="Box-body"><div class="d-flex"><span class="f1 text-bold d-inline mr-3" x-f="name"><a href="/o/p/releases/tag/{r["tag"]}" class="Link--primary Link">{e(r["name"])}</a></span>'
            f'<span x-f="prerelease">{label}</span></div><div class="markdown-body my-3"><h3>What\'s changed</h3><ul x-f="changes">{changes}</ul></div></div><div class="Box-footer"><details><summary>Assets <span class="Counter">2</span></summary><ul><li><a href="/x.zip">Source code (zip)</a></li></ul></details></div></div></div></div></section>'
        )

    return f'<div data-pjax class="releases">{"".join(map(one, records))}</div>'


def _question(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "url": f"https://stack-overflow.example/questions/{r.randint(10**6, 10**7)}/x",
        "votes": r.randint(-4, 120),
        "answers": r.randint(0, 9),
        "views": r.randint(3, 20000),
        "excerpt": v.text(r),
        "tags": v.tags(r, 1, 5),
        "user": {"name": v.person(r) if r.random() < 0.5 else v.login(r), "reputation": r.randint(1, 99999)},
        "_accepted": r.random() < 0.3,
    }


def _render_questions(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        tags = "".join(
            f'<li class="d-inline mr4 js-post-tag-list-item"><a href="/questions/tagged/{t}" class="s-tag post-tag" rel="tag">{t}</a></li>'
            for t in r["tags"]
        )
        accepted = (
            " has-answers has-accepted-answer"
            if r["_accepted"] and r["answers"]
            else " has-answers"
            if r["answers"]
            else ""
        )
        return (
            f'<div id="question-summary-{r["votes"]}" class="s-post-summary js-post-summary" data-post-type-id="1" x-r><div class="s-post-summary--stats js-post-summary-stats">'
            f'<div class="s-post-summary--stats-item s-post-summary--stats-item__emphasized" title="Score of {r["votes"]}" x-f="votes"><span class="s-post-summary--stats-item-number">{r["votes"]}</span><span class="s-post-summary--stats-item-unit">votes</span></div>'
            f'<div class="s-post-summary--stats-item{accepted}" title="answers" x-f="answers"><span class="s-post-summary--stats-item-number">{r["answers"]}</span><span class="s-post-summary--stats-item-unit">answers</span></div>'
            f'<div class="s-post-summary--stats-item" title="{r["views"]} views" x-f="views"><span class="s-post-summary--stats-item-number">{r["views"] if r["views"] < 1000 else str(r["views"] // 1000) + "k"}</span><span class="s-post-summary--stats-item-unit">views</span></div></div>'
            f'<div class="s-post-summary--content"><h3 class="s-post-summary--content-title" x-f="title"><a href="{r["url"][len("https://stack-overflow.example") :]}" class="s-link" x-f="url">{e(r["title"])}</a></h3><div class="s-post-summary--content-excerpt" x-f="excerpt">{e(r["excerpt"])}</div>'
            f'<div class="s-post-summary--meta"><div class="s-post-summary--meta-tags tags js-tags"><ul class="ml0 list-ls-none js-post-tag-list-wrapper d-inline" x-f="tags">{tags}</ul></div><div class="s-user-card s-user-card__minimal"><a href="/users/1" class="s-avatar s-avatar__16"><img class="s-avatar--image" src="/u.png" alt=""/></a><div class="s-user-card--info"><div class="s-user-card--link d-flex gs4"><a href="/users/1" class="flex--item">{e(r["user"]["name"])}</a></div><ul class="s-user-card--awards"><li class="s-user-card--rep"><span class="todo-no-class-here" title="reputation score " dir="ltr">{r["user"]["reputation"]:,}</span></li></ul></div><time class="s-user-card--time">asked <span title="2025-02-03 10:00:00Z" class="relativetime">2 hours ago</span></time></div></div></div></div>'
        )

    return f'<div id="questions" class="flush-left">{"".join(map(one, records))}</div>'


def _topic(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "category": r.choice(["Support", "Plugins", "Feature", "Announcements", "Dev"]),
        "tags": v.tags(r, 0, 2),
        "replies": r.randint(0, 300),
        "views": r.randint(10, 990),
        "last_activity": v.day(r),
        "_posters": [v.login(r) for _ in range(r.randint(1, 4))],
        "_pinned": r.random() < 0.1,
    }


def _render_discourse(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        tags = "".join(
            f'<a href="/tag/{t}" data-tag-name="{t}" class="discourse-tag simple">{t}</a>' for t in r["tags"]
        )
        tags = f'<div class="discourse-tags" x-f="tags">{tags}</div>' if tags else ""
        posters = "".join(
            f'<a href="/u/{u}" data-user-card="{u}"><img class="avatar" src="/{u}.png" title="{u} - Frequent Poster"/></a>'
            for u in r["_posters"]
        )
        pin = (
            '<span class="topic-statuses"><a title="pinned" class="topic-status"><svg></svg></a></span>'
            if r["_pinned"]
            else ""
        )
        excerpt = (
            '<a class="topic-excerpt" href="/t/1">This is pinned for all, please read it first.</a>'
            if r["_pinned"]
            else ""
        )
        return (
            f'<tr class="topic-list-item category-{r["category"].lower()}{" pinned" if r["_pinned"] else ""}" data-topic-id="{r["views"] * 7}" x-r><td class="main-link clearfix topic-list-data" colspan="1"><span class="link-top-line">{pin}<a href="/t/{v.slug(r["title"])}/{r["views"]}" class="title raw-link raw-topic-link" x-f="title">{e(r["title"])}</a></span>'
            f'<div class="link-bottom-line"><a class="badge-category__wrapper" href="/c/{r["category"].lower()}"><span class="badge-category" x-f="category"><span class="badge-category__name">{r["category"]}</span></span></a>{tags}</div>{excerpt}</td>'
            f'<td class="posters topic-list-data">{posters}</td><td class="num posts-map posts topic-list-data" title="This topic has {r["replies"]} replies" x-f="replies"><button class="btn-link posts-map badge-posts"><span class="number">{r["replies"]}</span></button></td>'
            f'<td class="num views topic-list-data" x-f="views"><span class="number" title="viewed">{r["views"]}</span></td><td class="num topic-list-data age activity" title="First post: x" x-f="last_activity"><a class="post-activity" href="/t/x"><span class="relative-date" data-time="1700000000">{s.date(r["last_activity"], "short")}</span></a></td></tr>'
        )

    head = '<tr><th class="default topic-list-data" x-f="title">Topic</th><th class="posters"></th><th class="posts num" x-f="replies">Replies</th><th class="views num" x-f="views">Views</th><th class="activity num" x-f="last_activity">Activity</th></tr>'
    return f'<table class="topic-list"><thead class="topic-list-header">{head}</thead><tbody class="topic-list-body">{"".join(map(one, records))}</tbody></table>'


def _phpbb_topic(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "started_by": v.login(r),
        "started": v.day(r),
        "replies": r.randint(0, 99),
        "views": r.randint(100, 9000),
        "last_poster": v.login(r),
        "last_post": v.day(r),
    }


def _render_phpbb(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        return (
            f'<li class="row bg{n % 2 + 1}" x-r><dl class="row-item topic_read"><dt title="No unread posts"><div class="list-inner"><a href="./viewtopic.php?t={r["views"]}" class="topictitle" x-f="title">{e(r["title"])}</a><br/>'
            f'<div class="topic-poster responsive-hide left-box">by <a href="./m.php?u=1" class="username" x-f="started_by">{r["started_by"]}</a> » <time datetime="{r["started"]}T10:00:00+00:00" x-f="started">{s.date(r["started"], "short")}, 10:00 am</time></div></div></dt>'
            f'<dd class="posts" x-f="replies">{r["replies"]} <dfn>Replies</dfn></dd><dd class="views" x-f="views">{r["views"]} <dfn>Views</dfn></dd><dd class="lastpost"><span><dfn>Last post </dfn>by <a href="./m.php?u=2" class="username" x-f="last_poster">{r["last_poster"]}</a> <a href="#" title="Go to last post"><i></i></a><br/>'
            f'<time datetime="{r["last_post"]}T11:00:00+00:00" x-f="last_post">{s.date(r["last_post"], "short")}, 11:00 am</time></span></dd></dl></li>'
        )

    split = len(records) // 4
    announced, plain = records[:split], records[split:]
    head = '<ul class="topiclist"><li class="header"><dl class="row-item"><dt><div class="list-inner">{}</div></dt><dd class="posts">Replies</dd><dd class="views">Views</dd><dd class="lastpost"><span>Last post</span></dd></dl></li></ul>'
    first = (
        f'<div class="forumbg announcement"><div class="inner">{head.format("Announcements")}<ul class="topiclist topics">{"".join(one(n, r) for n, r in enumerate(announced))}</ul></div></div>'
        if announced
        else ""
    )
    return f'{first}<div class="forumbg"><div class="inner">{head.format("Topics")}<ul class="topiclist topics">{"".join(one(n, r) for n, r in enumerate(plain))}</ul></div></div>'


BOARDS = [
    Design(
        "hacker_news",
        schema_of(title="string", url="uri", points="integer", author="string", comments="integer?"),
        _hacker_news,
        _render_hacker_news,
        rows=30,
        words={" points": " Punkte", "discuss": "reden", "comments": "Kommentare"},
    ),
    Design(
        "old_reddit",
        schema_of(
            title="string",
            score="integer?",
            author="string",
            subreddit="string",
            comments="integer",
            flair="string?",
            posted_at="date-time",
        ),
        _reddit,
        _render_reddit,
        rows=25,
        words={"submitted": "eingereicht", " comments": " Kommentare"},
    ),
    Design(
        "github_issues",
        schema_of(
            number="integer",
            title="string",
            state=("open", "closed"),
            labels=["string"],
            author="string",
            opened="date",
            comments="integer",
        ),
        _issue,
        _render_issues,
        rows=25,
        words={" opened ": " geöffnet ", " by ": " von "},
        evidence="title",
    ),
    Design(
        "github_releases",
        schema_of(
            name="string", tag="string", author="string", published="date", prerelease="boolean", changes=["string"]
        ),
        _release,
        _render_releases,
        rows=10,
        words={"Release": "Ausgabe", "Pre-release": "Vorabausgabe"},
        evidence="tag",
    ),
    Design(
        "stack_overflow",
        schema_of(
            title="string",
            url="uri",
            votes="integer",
            answers="integer",
            excerpt="string",
            tags=["string"],
            user={"name": "string", "reputation": "integer"},
        ),
        _question,
        _render_questions,
        rows=15,
        words={"votes": "Stimmen", "answers": "Antworten", "views": "Aufrufe", "asked": "gefragt"},
    ),
    Design(
        "discourse",
        schema_of(
            title="string", category="string", tags=["string"], replies="integer", views="integer", last_activity="date"
        ),
        _topic,
        _render_discourse,
        rows=30,
        words={"Replies": "Antworten", "Views": "Aufrufe", "Topic": "Thema", "Activity": "Aktivität"},
    ),
    Design(
        "phpbb",
        schema_of(
            title="string",
            started_by="string",
            started="date",
            replies="integer",
            views="integer",
            last_poster="string",
            last_post="date",
        ),
        _phpbb_topic,
        _render_phpbb,
        rows=25,
        words={"Replies": "Antworten", "Views": "Zugriffe", "Last post": "Letzter Beitrag"},
    ),
]
