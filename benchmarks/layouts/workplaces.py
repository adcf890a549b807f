"""What people work with: trackers, wikis, registers, literature, archives of lists, files and parts."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _merge_request(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "reference": f"!{r.randint(100, 99999)}",
        "author": v.person(r),
        "created": v.day(r),
        "labels": [f"{r.choice(['type', 'group'])}::{t}" for t in v.tags(r, 0, 3)],
        "milestone": v.maybe(r, f"{r.randint(15, 17)}.{r.randint(0, 11)}", 0.5),
        "target_branch": v.maybe(r, f"release-{r.randint(1, 9)}", 0.2),
        "comments": r.randint(0, 60),
        "_merged": r.random() < 0.3,
    }


def _render_merge_requests(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        labels = "".join(
            f'<span class="gl-label gl-label-scoped" style="--label-background-color: #428bca;"><a class="gl-link gl-label-link has-tooltip" href="?label_name={t}" title="Scoped label">{t}</a></span>\n'
            for t in r["labels"]
        )
        labels = f'<div class="issuable-info labels" role="list" x-f="labels">\n{labels}</div>' if labels else ""
        milestone = (
            f'<span class="issuable-milestone gl-hidden sm:gl-inline-block">&nbsp;<a data-html="true" href="/m/1"><svg class="s12"></svg> <span x-f="milestone">{r["milestone"]}</span>\n</a></span>'
            if r["milestone"]
            else ""
        )
        branch = (
            f'<span class="project-ref-path has-tooltip" title="Target branch: {r["target_branch"]}">&nbsp;<a class="ref-name" href="/t/{r["target_branch"]}"><svg></svg><span x-f="target_branch">{r["target_branch"]}</span></a></span>'
            if r["target_branch"]
            else ""
        )
        status = '<li class="issuable-status gl-hidden sm:gl-inline-block">Merged</li>' if r["_merged"] else ""
        return (
            f'<li class="merge-request" data-id="{n}" data-labels="[]" id="merge_request_{n}" x-r>\n<div class="issuable-info-container">\n<div class="issuable-main-info">\n<div class="merge-request-title title">\n<span class="merge-request-title-text js-onboarding-mr-item">\n<a class="js-prefetch-document" href="/g/p/-/merge_requests/{r["reference"][1:]}" x-f="title">{e(r["title"])}</a>\n</span>\n</div>\n<div class="issuable-info">\n<span class="issuable-reference" x-f="reference">\n{r["reference"]}\n</span>\n<span class="issuable-authored gl-hidden sm:gl-inline-block">\n&middot; created <time class="js-timeago" title="x" datetime="{r["created"]}T11:02:55Z" data-toggle="tooltip" x-f="created">{s.date(r["created"], "short")}</time> by <a class="author-link js-user-link" data-user-id="{n}" href="/u{n}"><span class="author" x-f="author">{r["author"]}</span></a></span>\n{milestone}{branch}</div>{labels}</div>\n'
            f'<div class="issuable-meta"><ul class="controls">{status}<li class="issuable-comments gl-hidden sm:gl-inline-block"><a class="has-tooltip{"" if r["comments"] else " no-comments"}" title="Comments" href="#notes"><svg></svg><span x-f="comments">\n{r["comments"]}\n</span></a></li></ul><div class="issuable-timestamp"><span>updated <time class="js-timeago" datetime="2026-01-02T10:00:00Z">3 days ago</time></span></div></div>\n</div>\n</li>'
        )

    return f'<div class="top-area"><ul class="nav-links"><li><a href="?s=opened">Open <span class="badge">1,234</span></a></li><li><a href="?s=merged">Merged <span class="badge">9,999</span></a></li></ul></div><div class="issuable-list-container"><ul class="content-list mr-list issuable-list">{"".join(one(n, r) for n, r in enumerate(records, 1))}</ul></div>'


def _ticket(r: Random) -> Record:
    return {
        "key": f"{r.choice(['CORE', 'WEB', 'OPS'])}-{r.randint(10, 9999)}",
        "type": r.choice(["Bug", "Task", "Story"]),
        "summary": v.headline(r),
        "assignee": v.maybe(r, v.person(r), 0.7),
        "reporter": v.person(r),
        "priority": r.choice(["Highest", "High", "Medium", "Low"]),
        "status": r.choice(["To Do", "In Progress", "Done"]),
        "created": v.day(r),
        "due": v.maybe(r, v.day(r), 0.4),
    }


def _render_tickets(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        who = (
            f'<span class="tinylink"><a class="user-hover" rel="u{n}" href="/secure/ViewProfile.jspa?name=u{n}">{r["assignee"]}</a></span>'
            if r["assignee"]
            else "<em>Unassigned</em>"
        )
        due = (
            f'<span title="x"><time datetime="{r["due"]}">{s.date(r["due"], "british")}</time></span>'
            if r["due"]
            else "&nbsp;"
        )
        return (
            f'<tr id="issuerow{n}" rel="{n}" data-issuekey="{r["key"]}" class="issuerow" x-r><td class="issuetype" x-f="type"><a class="issue-link" data-issue-key="{r["key"]}" href="/browse/{r["key"]}"><img src="/t.svg" height="16" alt="{r["type"]}" title="{r["type"]} - A thing."></a></td><td class="issuekey" x-f="key"><a class="issue-link" data-issue-key="{r["key"]}" href="/browse/{r["key"]}">{r["key"]}</a></td>'
            f'<td class="summary" x-f="summary"><p><a class="issue-link" data-issue-key="{r["key"]}" href="/browse/{r["key"]}">{e(r["summary"])}</a></p></td><td class="assignee" x-f="assignee">{who}</td><td class="reporter" x-f="reporter"><span class="tinylink"><a class="user-hover" href="/u">{r["reporter"]}</a></span></td><td class="priority" x-f="priority"><img src="/p.svg" height="16" alt="{r["priority"]}" title="{r["priority"]}"></td>'
            f'<td class="status" x-f="status"><span class=" jira-issue-status-lozenge aui-lozenge jira-issue-status-lozenge-blue" data-tooltip="x">{r["status"]}</span></td><td class="created" x-f="created"><span title="x"><time datetime="{r["created"]}T08:14+0000">{s.date(r["created"], "british")}</time></span></td><td class="duedate" x-f="due">{due}</td><td class="issue_actions"><a class="aui-button" href="#" title="Actions"><span>Actions</span></a></td></tr>'
        )

    names = ["type", "key", "summary", "assignee", "reporter", "priority", "status", "created", "due"]
    labels = ["T", "Key", "Summary", "Assignee", "Reporter", "P", "Status", "Created", "Due"]
    head = "".join(
        f'<th class="colHeaderLink sortable headerrow-{name}" data-id="{name}" x-f="{name}"><span title="Sort By {label}">{label}</span></th>'
        for name, label in zip(names, labels, strict=True)
    )
    return f'<div class="aui-item"><span class="results-count-text"><span class="results-count-start">1</span>–<span class="results-count-end">{len(records)}</span> of <span class="results-count-total">{len(records)}</span></span></div><table id="issuetable" class="aui"><thead><tr class="rowHeader">{head}<th class="colHeaderLink headerrow-actions"></th></tr></thead><tbody>{"".join(one(n, r) for n, r in enumerate(records, 1))}</tbody></table>'


def _decision(r: Random) -> Record:
    return {
        "topic": v.thing(r) + f" {r.randint(1, 99)}",
        "owners": [v.person(r) for _ in range(r.randint(1, 3))],
        "status": r.choice(["APPROVED", "DRAFT", "REJECTED"]),
        "decided": v.maybe(r, v.day(r), 0.7),
        "notes": v.text(r, 1, 2),
        "link": v.maybe(r, f"https://docs.example/{v.login(r)}", 0.5),
    }


def _render_decisions(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        owners = "".join(
            f'<p><a class="confluence-userlink user-mention" data-username="u" href="/display/~u">{o}</a></p>'
            if (n + at) % 3
            else f'<p><span><a class="confluence-userlink user-mention" href="/display/~u">{o}</a> </span></p>'
            for at, o in enumerate(r["owners"])
        )
        day = (
            f'<div class="content-wrapper"><p><time datetime="{r["decided"]}" class="date-future">{s.date(r["decided"], "british")}</time>&nbsp;</p></div>'
            if r["decided"]
            else "<p><br/></p>"
        )
        note = (
            f"<p><span>{e(r['notes'])}</span></p>"
            if n % 2
            else f'<p class="auto-cursor-target">{e(r["notes"])}<br/></p>'
        )
        link = (
            f'<p><a class="external-link" href="{r["link"]}" rel="nofollow">{r["link"]}</a></p>'
            if r["link"]
            else "<p>&nbsp;</p>"
        )
        color = {"APPROVED": "success", "DRAFT": "current", "REJECTED": "error"}[r["status"]]
        return f'<tr x-r><td class="numberingColumn confluenceTd">{n}</td><td colspan="1" class="confluenceTd" x-f="topic"><p><strong>{r["topic"]}</strong></p></td><td class="confluenceTd" x-f="owners">{owners}</td><td class="confluenceTd" x-f="status"><div class="content-wrapper"><p><span class="status-macro aui-lozenge aui-lozenge-{color}">{r["status"]}</span></p></div></td><td class="confluenceTd" x-f="decided">{day}</td><td class="confluenceTd" x-f="notes">{note}</td><td class="confluenceTd" x-f="link">{link}</td></tr>'

    labels = {
        "topic": "Topic",
        "owners": "Owner(s)",
        "status": "Status",
        "decided": "Date",
        "notes": "Notes",
        "link": "Link",
    }
    head = "".join(f'<th class="confluenceTh" x-f="{name}"><p>{label}</p></th>' for name, label in labels.items())
    return f'<h1 id="title-text">Decision log</h1><p>All decisions of the team.</p><div class="table-wrap"><table class="wrapped relative-table confluenceTable"><colgroup><col style="width: 5%;"/></colgroup><tbody><tr><th class="numberingColumn confluenceTh"><br/></th>{head}</tr>{"".join(one(n, r) for n, r in enumerate(records, 1))}</tbody></table></div>'


def _task(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} {r.randint(1, 99)}",
        "tags": v.tags(r, 0, 3),
        "owner": v.maybe(r, v.person(r), 0.7),
        "due": v.maybe(r, v.day(r), 0.6),
        "estimate": v.maybe(r, r.randint(1, 40), 0.7),
        "url": v.maybe(r, f"https://{v.login(r)}.example/", 0.4),
    }


def _render_notion(records: Sequence[Record], s: Style) -> str:
    """Rows of divs that have styles only, and empty cells that stay."""

    def cell(width: int, name: str, inner: str) -> str:
        return f'<div style="display: flex; height: 100%; position: relative;"><div data-col-index="{width % 9}" class="notion-table-view-cell" style="display: flex; overflow: clip; width: {width}px; white-space: nowrap; min-height: 36px;"><div style="padding: 7.5px 8px; width: 100%;" x-f="{name}">{inner}</div></div></div>'

    def text(value: object) -> str:
        return (
            f'<span style="line-height: 1.5; white-space: pre-wrap; word-break: break-word;">{value}</span>'
            if value
            else '<div style="line-height: 1.5;"></div>'
        )

    def one(n: int, r: Record) -> str:
        tags = "".join(
            f'<div style="display: inline-flex; flex-shrink: 1; border-radius: 3px; background: rgb(2{n % 10}0, 235, 228);"><div style="display: flex; align-items: center;"><span style="overflow: hidden; text-overflow: ellipsis;">{t}</span></div></div>'
            for t in r["tags"]
        )
        who = (
            f'<div style="display: flex;"><div><img alt="{r["owner"]}" src="/i/{n}.png"></div><div class="notranslate">{r["owner"]}</div></div>'
            if r["owner"]
            else ""
        )
        day = (
            f'<div style="line-height: 1.5;">{s.date(r["due"])}</div>'
            if r["due"]
            else '<div style="line-height: 1.5;"></div>'
        )
        link = (
            f'<a href="{r["url"]}" target="_blank" rel="noopener" style="opacity: 0.7;">{r["url"]}</a>'
            if r["url"]
            else text(None)
        )
        name = f'<a href="/p/{n}f00" role="link" style="display: none;">Open</a><span style="line-height: 1.5; font-weight: 500;">{r["name"]}</span>'
        return f'<div data-block-id="0{n:03}-aa" class="notion-selectable notion-page-block notion-collection-item" x-r><div style="display: flex;">{cell(240, "name", name)}{cell(160, "tags", f"<div>{tags}</div>" if tags else "")}{cell(140, "owner", who)}{cell(130, "due", day)}{cell(120, "estimate", text(r["estimate"]))}{cell(180, "url", link)}</div></div>'

    labels = ["Name", "Tags", "Owner", "Due date", "Estimate", "URL"]
    head = "".join(
        f'<div style="display: flex; flex-direction: row;"><div style="display: flex; width: 100px; font-size: 14px;"><div role="button"><div style="white-space: nowrap;">{label}</div></div></div></div>'
        for label in labels
    )
    return f'<h1 style="max-width: 100%;">Road map</h1><div class="notion-scroller"><div class="notion-table-view"><div class="notion-table-view-header-row"><div style="display: flex;">{head}</div></div><div style="position: relative;">{"".join(one(n, r) for n, r in enumerate(records, 1))}</div><div style="height: 34px;">Count {len(records)}</div></div></div>'


def _paper(r: Random) -> Record:
    year = r.randint(1998, 2025)
    return {
        "title": f"{v.headline(r)}",
        "authors": ", ".join(
            f"{v.person(r).split()[1]} {r.choice('ABCDEFG')}{r.choice(['', 'M', 'J'])}" for _ in range(r.randint(1, 6))
        ),
        "journal": f"J {v.thing(r).split()[0]} {r.choice(['Med', 'Res', 'Sci'])}",
        "year": year,
        "pmid": str(r.randint(10**7, 4 * 10**7)),
        "free": r.random() < 0.4,
        "doi": v.maybe(r, f"10.{r.randint(1000, 9999)}/j.{r.randint(1000, 99999)}", 0.8),
        "snippet": v.text(r, 1, 2),
    }


def _render_papers(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        words = e(r["title"]).split(" ")
        title = " ".join(f"<b>{w}</b>" if at % 4 == 1 else w for at, w in enumerate(words))
        doi = f" doi: {r['doi']}." if r["doi"] else ""
        free = (
            '<span class="free-resources spaced-citation-item citation-part" x-f="free">Free article.</span>'
            if r["free"]
            else ""
        )
        return (
            f'<article class="full-docsum" data-rel-pos="{n}" x-r><div class="item-selector-wrap selectors-and-actions first-selector"><input class="search-result-selector" type="checkbox" id="select-{r["pmid"]}"/><label class="search-result-position" for="select-{r["pmid"]}"><span class="position-number">{n}</span></label><div class="result-actions-bar side-bar"><div class="cite dropdown-block"><button class="cite-search-result trigger result-action-trigger">Cite</button></div></div></div>'
            f'<div class="docsum-wrap"><div class="docsum-content"><a class="docsum-title" href="/{r["pmid"]}/" data-article-id="{r["pmid"]}" x-f="title">\n      \n        {title}\n      \n    </a><div class="docsum-citation full-citation"><span class="docsum-authors full-authors" x-f="authors">{r["authors"]}.</span><span class="docsum-journal-citation full-journal-citation"><span x-f="journal">{r["journal"]}</span>. {r["year"]} Mar;12(3):1-{n}.{doi}</span><span class="citation-part">PMID: <span class="docsum-pmid" x-f="pmid">{r["pmid"]}</span></span>{free}</div>'
            f'<div class="docsum-snippet"><div class="full-view-snippet" x-f="snippet">{e(r["snippet"])}</div></div></div></div></article>'
        )

    return f'<div class="results-amount-container"><div class="results-amount"><span class="value">12,481</span> results</div></div><section class="search-results-list"><div class="search-results-chunks"><div class="search-results-chunk results-chunk" data-chunk-ids="x"><div class="results-chunk-heading"></div>{"".join(one(n, r) for n, r in enumerate(records, 1))}</div></div></section><div class="bottom-pagination"><span class="page-number">Page 1 of 1,249</span><a class="next-page-link" href="?page=2">Next</a></div>'


def _preprint(r: Random) -> Record:
    return {
        "id": f"arXiv:{r.randint(1901, 2512)}.{r.randint(10000, 19999)}",
        "title": v.headline(r),
        "authors": [v.person(r) for _ in range(r.randint(1, 5))],
        "subject": r.choice(["Machine Learning (cs.LG)", "Optics (physics.optics)", "Algebra (math.RA)"]),
        "comments": v.maybe(r, f"{r.randint(4, 60)} pages, {r.randint(1, 12)} figures", 0.6),
        "journal_ref": v.maybe(r, f"J. {v.thing(r)} {r.randint(1, 90)} ({r.randint(2019, 2025)})", 0.2),
    }


def _render_preprints(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        number = r["id"].split(":")[1]
        people = ",\n ".join(f'<a href="https://arxiv.example/search/?query={v.slug(a)}">{a}</a>' for a in r["authors"])
        comments = (
            f'<div class="list-comments mathjax" x-f="comments"><span class="descriptor">Comments:</span>\n          {r["comments"]}\n        </div>'
            if r["comments"]
            else ""
        )
        ref = (
            f'<div class="list-journal-ref" x-f="journal_ref"><span class="descriptor">Journal-ref:</span> {r["journal_ref"]}\n </div>'
            if r["journal_ref"]
            else ""
        )
        return (
            f'<dt x-r>\n      <a name="item{n}">[{n}]</a>\n      \n        <a href="/abs/{number}" title="Abstract" id="{number}" x-f="id">\n        {r["id"]}\n      </a>\n[<a href="/pdf/{number}" title="Download PDF">pdf</a>, <a href="https://arxiv.example/html/{number}v1">html</a>, <a href="/format/{number}">other</a>]\n    </dt>\n    <dd>\n      <div class="meta">\n        <div class="list-title mathjax" x-f="title"><span class="descriptor">Title:</span>\n          {e(r["title"])}\n        </div>'
            f'<div class="list-authors" x-f="authors">{people}</div>{comments}{ref}<div class="list-subjects"><span class="descriptor">Subjects:</span>\n          <span class="primary-subject" x-f="subject">{r["subject"]}</span>; Other Things (x.OT)\n</div></div></dd>'
        )

    return f'<h1>New submissions</h1><ul><li><a href="#item1">New</a></li><li><a href="#item9">Cross-lists</a></li></ul><p>Total of {len(records)} entries</p><dl id="articles"><h3>New submissions (showing {len(records)} of {len(records)} entries)</h3>{"".join(one(n, r) for n, r in enumerate(records, 1))}</dl>'


def _registered(r: Random) -> Record:
    dissolved = r.random() < 0.3
    return {
        "name": v.company(r).upper(),
        "number": f"{r.randint(1, 99999999):08}",
        "incorporated": None if dissolved else v.day(r, 1985),
        "dissolved": v.day(r) if dissolved else None,
        "address": f"{r.randint(1, 300)} {v.thing(r).split()[1]} Street, {v.city(r)}, England, N{r.randint(1, 19)} {r.randint(1, 9)}AB",
    }


def _render_register(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        state = (
            f'Dissolved on <span x-f="dissolved">{s.date(r["dissolved"], "british")}</span>'
            if r["dissolved"]
            else f'Incorporated on <span x-f="incorporated">{s.date(r["incorporated"], "british")}</span>'
        )
        first, rest = r["name"][:3], r["name"][3:]
        return f'<li class="type-company" x-r>\n<h3>\n<a class="govuk-link" href="/company/{r["number"]}" onclick="x(\'SearchResult\')" title="View company" x-f="name"><strong>{first}</strong>{e(rest)}\n<span class="govuk-visually-hidden">(link opens a new window)</span>\n</a>\n</h3>\n<p class="meta crumbtrail">\n<strong></strong>\n<span x-f="number">{r["number"]}</span> - {state}\n</p>\n<p x-f="address">{r["address"]}</p>\n</li>'

    return f'<h2 class="govuk-heading-l">Search results</h2><div class="search-results"><p class="smaller">{len(records)} matches found</p><ul id="results" class="results-list">{"".join(one(n, r) for n, r in enumerate(records, 1))}</ul></div>'


WORKPLACES = [
    Design(
        "gitlab_merge_requests",
        schema_of(
            title="string",
            reference="string",
            author="string",
            created="date",
            labels=["string"],
            milestone="string?",
            target_branch="string?",
            comments="integer",
        ),
        _merge_request,
        _render_merge_requests,
        words={" by ": " von ", "created": "erstellt"},
        evidence="reference",
    ),
    Design(
        "jira_issues",
        schema_of(
            key="string",
            type="string",
            summary="string",
            assignee="string?",
            reporter="string",
            priority="string",
            status="string",
            created="date",
            due="date?",
        ),
        _ticket,
        _render_tickets,
        rows=25,
        words={"Unassigned": "Niemand", "Assignee": "Bearbeiter", "Due": "Fällig"},
        evidence="key",
    ),
    Design(
        "confluence_decisions",
        schema_of(topic="string", owners=["string"], status="string", decided="date?", notes="string", link="uri?"),
        _decision,
        _render_decisions,
        rows=12,
        words={"Topic": "Thema", "Status": "Stand", "Notes": "Notizen"},
    ),
    Design(
        "notion_table",
        schema_of(name="string", tags=["string"], owner="string?", due="date?", estimate="integer?", url="uri?"),
        _task,
        _render_notion,
        rows=16,
        words={"Owner": "Wer", "Due date": "Fällig"},
    ),
    Design(
        "pubmed",
        schema_of(
            title="string",
            authors="string",
            journal="string",
            year="integer",
            pmid="string",
            doi="string?",
            snippet="string",
        ),
        _paper,
        _render_papers,
        rows=10,
        words={"Free article": "Frei", "PMID:": "PM:"},
        evidence="pmid",
    ),
    Design(
        "arxiv_listing",
        schema_of(
            id="string", title="string", authors=["string"], subject="string", comments="string?", journal_ref="string?"
        ),
        _preprint,
        _render_preprints,
        words={"Comments:": "Bemerkungen:", "Title:": "Titel:"},
    ),
    Design(
        "company_register",
        schema_of(name="string", number="string", incorporated="date?", dissolved="date?", address="string"),
        _registered,
        _render_register,
        words={"Dissolved on": "Gelöscht am", "Incorporated on": "Eingetragen am"},
        evidence="number",
    ),
]
