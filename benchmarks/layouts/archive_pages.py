"""Pages about one entry: a town, a study, a ruling, a patent, a book, a work of art."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _town(r: Random) -> Record:
    return {
        "name": f"{v.city(r)} {r.choice(['Bay', 'Hills', 'Upon Tern', 'Major'])}",
        "country": r.choice(["Norway", "Portugal", "Kenya", "Chile"]),
        "region": v.maybe(r, v.thing(r), 0.7),
        "founded": v.maybe(r, r.randint(900, 1950), 0.7),
        "mayor": v.maybe(r, v.person(r), 0.6),
        "area_km2": r.randint(100, 90000) / 100,
        "elevation_m": v.maybe(r, r.randint(1, 2400), 0.7),
        "population": r.randint(900, 900000),
        "time_zone": r.choice(["UTC+1 (CET)", "UTC+0 (WET)", "UTC+3 (EAT)", "UTC−4 (CLT)"]),
        "postal_code": r.randint(10000, 99999),
        "website": v.maybe(r, f"www.{v.slug(v.thing(r))}.example", 0.6),
        "_text": [v.text(r, 2, 5) for _ in range(3)],
    }


def _town_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]

    def row(name: str, label: str, value: object, kind: str = "mergedrow") -> str:
        return (
            f'<tr class="{kind}" x-f="{name}"><th scope="row" class="infobox-label">{label}</th><td class="infobox-data">{value}</td></tr>'
            if value
            else ""
        )

    def head(text: str, inner: str) -> str:
        return (
            f'<tr class="mergedtoprow"><th colspan="2" class="infobox-header">{text}</th></tr>{inner}' if inner else ""
        )

    country = f'<a href="/w">{r["country"]}</a>'
    site = (
        f'<span class="url"><a rel="nofollow" class="external text" href="http://{r["website"]}">{r["website"]}</a></span>'
        if r["website"]
        else ""
    )
    body = "".join(f"<p>{one}</p>" for one in r["_text"])
    return (
        f'<h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main" x-f="name">{r["name"]}</span></h1><div id="siteSub">From the free encyclopedia</div><div class="mw-parser-output"><table class="infobox ib-settlement vcard"><tbody><tr><th colspan="2" class="infobox-above"><div class="fn org">{r["name"]}</div></th></tr>{row("country", "Country", country, "mergedtoprow")}{row("region", "Region", r["region"])}{row("founded", "Founded", r["founded"])}'
        + head("Government", row("mayor", "&nbsp;•&nbsp;Mayor", r["mayor"]))
        + head(
            "Area",
            row(
                "area_km2",
                "&nbsp;•&nbsp;Total",
                f"{r['area_km2']:,.2f}&nbsp;km<sup>2</sup> ({r['area_km2'] * 0.3861:,.2f}&nbsp;sq&nbsp;mi)",
            ),
        )
        + row(
            "elevation_m",
            "Elevation",
            f"{r['elevation_m']:,}&nbsp;m ({round(r['elevation_m'] * 3.28):,}&nbsp;ft)" if r["elevation_m"] else "",
        )
        + head(
            'Population<div class="ib-settlement-fn">(2021)</div>',
            row("population", "&nbsp;•&nbsp;Total", f"{r['population']:,}"),
        )
        + row("time_zone", "Time zone", r["time_zone"])
        + row("postal_code", "Postal code", r["postal_code"])
        + row("website", "Website", site)
        + f'</tbody></table><p><b>{r["name"]}</b> is a town in <a href="/w">{r["country"]}</a>. {r["_text"][0]}</p>{body}<h2 id="History">History</h2><p>{r["_text"][2]}</p><div class="navbox"><a href="/w1">{v.city(Random(r["population"]))}</a></div></div>'
    )


def _town_head(r: Record, s: Style) -> str:
    return f'<title>{r["name"]} - Wiki Town</title><meta property="og:title" content="{r["name"]} - Wiki Town">'


def _study(r: Random) -> Record:
    return {
        "title": v.headline(r).rstrip("?"),
        "authors": [v.person(r) for _ in range(r.randint(1, 6))],
        "journal": f"J {v.thing(r)}",
        "pmid": str(r.randint(10**7, 4 * 10**7)),
        "doi": v.maybe(r, f"10.{r.randint(1000, 9999)}/j.{v.slug(v.thing(r))}.{r.randint(100, 999)}", 0.8),
        "pmcid": v.maybe(r, f"PMC{r.randint(10**6, 10**7)}", 0.5),
        "abstract": v.text(r, 3, 6),
        "keywords": v.maybe(r, v.words(r, r.randint(2, 5)), 0.7) or [],
        "free_full_text": False,
        "_when": f"{r.randint(1990, 2025)} Mar {r.randint(1, 28)};{r.randint(1, 60)}({r.randint(1, 12)}):{r.randint(100, 400)}-{r.randint(401, 900)}.",
        "_also": [(v.headline(r), v.person(r), str(r.randint(10**7, 4 * 10**7))) for _ in range(3)],
    }


def _study_draw(r: Random) -> Record:
    made = _study(r)
    return {**made, "free_full_text": made["pmcid"] is not None}


def _pubmed_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    who = "".join(
        f'<span class="authors-list-item"><a class="full-name" href="/a">{one}</a><sup class="affiliation-links"><span class="author-sup-separator"> </span><a class="affiliation-link" href="#a">{n + 1}</a></sup>{", " if n + 1 < len(r["authors"]) else ""}</span>'
        for n, one in enumerate(r["authors"])
    )
    free = '<span class="free-label" x-f="free_full_text">Free PMC article</span>' if r["free_full_text"] else ""
    pmc = (
        f'<li><span class="identifier pmc"><span class="id-label">PMCID:</span> <a class="id-link" href="/pmc" x-f="pmcid">{r["pmcid"]}</a></span></li>'
        if r["pmcid"]
        else ""
    )
    doi = (
        f'<li><span class="identifier doi"><span class="id-label">DOI:</span> <a class="id-link" href="/doi" x-f="doi">{r["doi"]}</a></span></li>'
        if r["doi"]
        else ""
    )
    words = (
        f'<p x-f="keywords"><strong class="sub-title">Keywords:</strong> {"; ".join(r["keywords"])}.</p>'
        if r["keywords"]
        else ""
    )
    also = "".join(
        f'<li class="full-docsum"><a class="docsum-title" href="/{pmid}">{e(name)}</a><span class="docsum-authors">{one} et al.</span><span class="docsum-pmid">{pmid}</span></li>'
        for name, one, pmid in r["_also"]
    )
    return (
        f'<main class="article-page"><div class="article-citation"><button class="journal-actions-trigger" title="{r["journal"]}" x-f="journal">{r["journal"]}.</button><span class="period">. </span><span class="cit">{r["_when"]}</span></div><header class="heading"><h1 class="heading-title" x-f="title">{e(r["title"])}</h1><div class="authors-list" x-f="authors">{who}</div><ul class="identifiers"><li><span class="identifier pubmed"><span class="id-label">PMID:</span> <strong class="current-id" title="PubMed ID" x-f="pmid">{r["pmid"]}</strong></span></li>{pmc}{doi}</ul>{free}</header>'
        f'<div class="abstract"><h2 class="title">Abstract</h2><div class="abstract-content selected" x-f="abstract"><p>{r["abstract"]}</p></div>{words}</div><div class="similar-articles"><h2 class="title">Similar articles</h2><ul class="articles-list">{also}</ul></div></main>'
    )


def _pubmed_head(r: Record, s: Style) -> str:
    return f'<title>{e(r["title"])} - Study Index</title><meta name="citation_title" content="{e(r["title"])}"><meta name="citation_pmid" content="{r["pmid"]}">'


def _opinion(r: Random) -> Record:
    return {
        "case": f"{v.person(r).split()[1]} v. {v.company(r)}",
        "docket": f"{r.randint(10, 25)}-{r.randint(100, 9999)}",
        "court": f"Court of Appeals for the {r.choice(['First', 'Second', 'Ninth'])} Circuit",
        "decided": v.day(r, 1990, 2025),
        "argued": v.maybe(r, v.day(r, 1985, 1990), 0.6),
        "judge": v.person(r),
        "citation": v.maybe(r, f"{r.randint(100, 999)} F.3d {r.randint(10, 1500)}", 0.7),
        "attorneys": [v.person(r) for _ in range(r.randint(1, 3))],
        "disposition": r.choice(["Affirmed", "Reversed", "Vacated and remanded"]),
        "_text": [v.text(r, 2, 6) for _ in range(4)],
    }


def _opinion_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    argued = f'<span x-f="argued"><b>Argued:</b> {s.date(r["argued"])}</span><br>' if r["argued"] else ""
    cite = f'<span x-f="citation"><b>Citation:</b> {r["citation"]}</span><br>' if r["citation"] else ""
    body = "".join(f"<p>{n}. {one}</p>" for n, one in enumerate(r["_text"], 1))
    return f'<center><font size="4"><b x-f="case">{e(r["case"])}</b></font><br><i x-f="court">{r["court"]}</i></center><hr><p class="head"><span x-f="docket"><b>Docket Number:</b> {r["docket"]}</span><br>{cite}{argued}<span x-f="decided"><b>Decided:</b> {s.date(r["decided"])}</span><br><span x-f="judge"><b>Judge:</b> {r["judge"]}</span><br><span x-f="attorneys"><b>Attorneys:</b> {"; ".join(r["attorneys"])}</span><br><span x-f="disposition"><b>Disposition:</b> {r["disposition"]}</span></p><hr><div class="opinion">{body}</div>'


def _patent(r: Random) -> Record:
    return {
        "title": v.thing(r) + " and method",
        "number": f"US{r.randint(10**6, 10**8)}B{r.randint(1, 2)}",
        "inventors": [v.person(r) for _ in range(r.randint(1, 4))],
        "assignee": v.maybe(r, v.company(r), 0.8),
        "priority_date": v.day(r, 2000, 2010),
        "filed": v.day(r, 2011, 2014),
        "granted": v.maybe(r, v.day(r, 2015, 2024), 0.6),
        "status": r.choice(["Active", "Expired", "Pending"]),
        "abstract": v.text(r, 2, 5),
        "claims": r.randint(2, 40),
        "_cited": [
            (f"US{r.randint(10**6, 10**8)}A1", v.day(r, 2000, 2024), v.company(r)) for _ in range(r.randint(1, 4))
        ],
    }


def _patent_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    people = "".join(f'<dd itemprop="inventor" repeat x-f="inventors">{one}</dd>' for one in r["inventors"])
    owner = (
        f'<dt>Current Assignee</dt><dd itemprop="assigneeCurrent" x-f="assignee">{e(r["assignee"])}</dd>'
        if r["assignee"]
        else ""
    )
    granted = (
        f'<div class="event"><time datetime="{r["granted"]}" itemprop="grantDate" x-f="granted">{r["granted"]}</time><span itemprop="title">Application granted</span></div>'
        if r["granted"]
        else ""
    )
    cited = "".join(
        f'<tr itemprop="backwardReferences"><td><a href="/p">{number}</a></td><td itemprop="priorityDate">{day}</td><td><span itemprop="assigneeOriginal">{e(who)}</span></td></tr>'
        for number, day, who in r["_cited"]
    )
    return (
        f'<article class="patent-result"><h1 itemprop="pageTitle" x-f="title">{r["title"]}</h1><section><h2>Info</h2><dl><dt>Publication number</dt><dd itemprop="publicationNumber" x-f="number">{r["number"]}</dd><dt>Inventor</dt>{people}{owner}<dt>Legal status</dt><dd itemprop="legalStatusIfi"><span itemprop="status" x-f="status">{r["status"]}</span></dd></dl><h3>Application events</h3><div class="event"><time datetime="{r["priority_date"]}" itemprop="priorityDate" x-f="priority_date">{r["priority_date"]}</time><span itemprop="title">Priority claimed</span></div><div class="event"><time datetime="{r["filed"]}" itemprop="filingDate" x-f="filed">{r["filed"]}</time><span itemprop="title">Application filed</span></div>{granted}</section>'
        f'<section itemprop="abstract"><h2>Abstract</h2><div class="abstract" x-f="abstract">{r["abstract"]}</div></section><section itemprop="claims"><h2>Claims (<span itemprop="count" x-f="claims">{r["claims"]}</span>)</h2></section><section><h2>Patent citations</h2><table>{cited}</table></section></article>'
    )


def _catalogue(r: Random) -> Record:
    return {
        "title": v.headline(r),
        "author": v.maybe(r, f"{v.person(r)}, {r.randint(1850, 1990)}-", 0.8),
        "publisher": v.company(r),
        "place": v.city(r),
        "year": r.randint(1900, 2025),
        "pages": r.randint(40, 900),
        "isbn": v.maybe(r, f"978{r.randint(10**9, 10**10 - 1)}", 0.7),
        "language": r.choice(["English", "German", "Norwegian"]),
        "subjects": [one.title() for one in v.words(r, r.randint(0, 4))],
        "call_number": f"{r.choice('ABCDQ')}{r.choice('ABC')}{r.randint(10, 999)}.{r.choice('KLM')}{r.randint(10, 99)}",
        "copies": r.randint(1, 9),
        "edition": v.maybe(r, f"{r.randint(2, 5)}th ed.", 0.4),
    }


def _opac_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]

    def row(name: str, label: str, value: object) -> str:
        return f'<tr x-f="{name}"><th scope="row">{label}:</th><td>{value}</td></tr>' if value else ""

    author = f'<a href="/a">{r["author"]}</a>' if r["author"] else ""
    size = f"{r['pages']} p. ; 24 cm"
    subjects = "<br>".join(f'<a href="/s">{one}</a>' for one in r["subjects"])
    return f'<div class="record" id="bib-record"><h3 class="record-title" x-f="title">{e(r["title"])}</h3><table class="citation table table-striped"><tbody>{row("author", "Main Author", author)}{row("language", "Language", r["language"])}<tr><th scope="row">Published:</th><td><span class="publisher-place" x-f="place">{r["place"]}</span> : <span class="publisher-name" x-f="publisher">{e(r["publisher"])}</span>, <span class="publisher-date" x-f="year">{r["year"]}</span></td></tr>{row("edition", "Edition", r["edition"])}{row("pages", "Physical Description", size)}{row("isbn", "ISBN", r["isbn"])}{row("subjects", "Subjects", subjects)}{row("call_number", "Call Number", r["call_number"])}</tbody></table><div class="availability" x-f="copies">{r["copies"]} {"copies" if r["copies"] > 1 else "copy"} available</div></div>'


def _object(r: Random) -> Record:
    return {
        "title": v.thing(r),
        "artist": v.maybe(r, v.person(r), 0.7),
        "date": f"ca. {r.randint(1500, 1950)}",
        "medium": r.choice(["Oil on canvas", "Bronze", "Silver gelatin print", "Silk and wool"]),
        "dimensions": v.maybe(r, f"{r.randint(10, 200)} x {r.randint(10, 200)} cm", 0.8),
        "accession_number": f"{r.randint(1900, 2024)}.{r.randint(1, 900)}.{r.randint(1, 40)}",
        "credit_line": f"Gift of {v.person(r)}, {r.randint(1900, 2024)}",
        "culture": v.maybe(r, r.choice(["French", "Japanese", "Ghanaian"]), 0.5),
        "on_view": r.random() < 0.5,
        "gallery": None,
        "_hall": r.randint(100, 900),
        "_text": v.text(r, 2, 5),
        "_also": [(v.thing(r), v.person(r)) for _ in range(3)],
    }


def _object_draw(r: Random) -> Record:
    made = _object(r)
    return {**made, "gallery": made["_hall"] if made["on_view"] else None}


def _museum_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    view = (
        f'<span class="artwork__location--message" x-f="on_view">On view at Gallery <a href="/g" x-f="gallery">{r["gallery"]}</a></span>'
        if r["on_view"]
        else '<span class="artwork__location--message" x-f="on_view">Not on view</span>'
    )
    rows = "".join(
        f'<div class="artwork-tombstone--item" x-f="{name}"><span class="artwork-tombstone--label">{label}:</span> <span class="artwork-tombstone--value">{value}</span></div>'
        for name, label, value in [
            ("title_", "Title", r["title"]),
            ("artist", "Artist", r["artist"]),
            ("date", "Date", r["date"]),
            ("culture", "Culture", r["culture"]),
            ("medium", "Medium", r["medium"]),
            ("dimensions", "Dimensions", r["dimensions"]),
            ("credit_line", "Credit Line", r["credit_line"]),
            ("accession_number", "Object Number", r["accession_number"]),
        ]
        if value
    )
    also = "".join(f'<div class="related-artwork"><h3>{name}</h3><p>{who}</p></div>' for name, who in r["_also"])
    return f'<h1 class="artwork__title--text" x-f="title">{r["title"]}</h1><div class="artwork__location">{view}</div><div class="artwork__intro__desc"><p>{r["_text"]}</p></div><section class="artwork-tombstone"><h2>Artwork Details</h2>{rows}</section><div class="related"><h2>Related artworks</h2>{also}</div>'


ARCHIVE_PAGES = [
    Design(
        "wiki_town",
        schema_of(
            name="string",
            country="string",
            region="string?",
            founded="integer?",
            mayor="string?",
            area_km2="number",
            elevation_m="integer?",
            population="integer",
            time_zone="string",
            postal_code="integer",
            website="string?",
        ),
        _town,
        _town_page,
        is_list=False,
        head=_town_head,
        words={"Country": "Land", "Time zone": "Zeitzone"},
    ),
    Design(
        "pubmed_article",
        schema_of(
            title="string",
            authors=["string"],
            journal="string",
            pmid="string",
            doi="string?",
            pmcid="string?",
            abstract="string",
            keywords=["string"],
            free_full_text="boolean",
        ),
        _study_draw,
        _pubmed_page,
        is_list=False,
        head=_pubmed_head,
        words={"Keywords:": "Schlagwörter:", "DOI:": "Kennung:"},
    ),
    Design(
        "opinion_lines",
        schema_of(
            case="string",
            docket="string",
            court="string",
            decided="date",
            argued="date?",
            judge="string",
            citation="string?",
            attorneys=["string"],
            disposition="string",
        ),
        _opinion,
        _opinion_page,
        is_list=False,
        words={"Judge:": "Richter:", "Decided:": "Entschieden:"},
    ),
    Design(
        "patent_page",
        schema_of(
            title="string",
            number="string",
            inventors=["string"],
            assignee="string?",
            priority_date="date",
            filed="date",
            granted="date?",
            status="string",
            abstract="string",
            claims="integer",
        ),
        _patent,
        _patent_page,
        is_list=False,
        words={"Inventor": "Erfinder", "Legal status": "Status"},
    ),
    Design(
        "opac_record",
        schema_of(
            title="string",
            author="string?",
            publisher="string",
            place="string",
            year="integer",
            pages="integer",
            isbn="string?",
            language="string",
            subjects=["string"],
            call_number="string",
            copies="integer",
            edition="string?",
        ),
        _catalogue,
        _opac_page,
        is_list=False,
        words={"Language:": "Sprache:", "Subjects:": "Schlagwörter:"},
    ),
    Design(
        "museum_object",
        schema_of(
            title="string",
            artist="string?",
            date="string",
            medium="string",
            dimensions="string?",
            accession_number="string",
            credit_line="string",
            culture="string?",
            on_view="boolean",
            gallery="integer?",
        ),
        _object_draw,
        _museum_page,
        is_list=False,
        words={"Medium:": "Technik:", "Date:": "Datierung:"},
    ),
]
