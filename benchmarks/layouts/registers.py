"""What passes for tables: grids of divs, definition lists, labelled paragraphs."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _employee(r: Random) -> Record:
    return {
        "name": v.person(r),
        "role": r.choice(["Engineer", "Designer", "Support", "Finance", "Legal"]),
        "office": v.city(r),
        "phone": f"+1 555 {r.randint(100, 999)} {r.randint(1000, 9999)}",
        "since": r.randint(1999, 2025),
    }


def _render_div_grid(records: Sequence[Record], s: Style) -> str:
    """Rows and cells of divs, told apart by the grid's columns only."""
    names = ["name", "role", "office", "phone", "since"]
    head = "".join(f'<div class="cell head" x-f="{name}">{name.title()}</div>' for name in names)
    rows = "".join(
        '<div class="tr" x-r>' + "".join(f'<div class="cell" x-f="{name}">{r[name]}</div>' for name in names) + "</div>"
        for r in records
    )
    return f'<div class="grid-table" style="display:grid"><div class="tr thead">{head}</div>{rows}</div>'


def _render_flat_grid(records: Sequence[Record], s: Style) -> str:
    """A CSS grid without rows: cell after cell."""
    names = ["name", "role", "office", "phone", "since"]
    head = "".join(f'<div class="h">{name.title()}</div>' for name in names)
    cells = "".join(
        "".join(f'<div class="c{" first" if name == "name" else ""}" x-f="{name}">{r[name]}</div>' for name in names)
        for r in records
    )
    return f'<div class="staff" style="display:grid;grid-template-columns:repeat(5,1fr)">{head}{cells}</div>'


def _render_aria_grid(records: Sequence[Record], s: Style) -> str:
    c = s.css
    names = ["name", "role", "office", "phone", "since"]
    head = "".join(
        f'<div role="columnheader" class="{c("head")}" x-f="{name}"><span>{name.title()}</span></div>' for name in names
    )
    rows = "".join(
        f'<div role="row" class="{c("row")}" aria-rowindex="{n}" x-r>'
        + "".join(
            f'<div role="gridcell" class="{c("cell")}" x-f="{name}"><span>{r[name]}</span></div>' for name in names
        )
        + "</div>"
        for n, r in enumerate(records, 2)
    )
    return f'<div role="grid" class="{c("grid")}"><div role="row" class="{c("headrow")}">{head}</div>{rows}</div>'


def _case(r: Random) -> Record:
    return {
        "case_no": f"{r.randint(18, 25)}-CV-{r.randint(1000, 9999)}",
        "title": f"{r.choice(['State', v.company(r)])} v. {v.person(r)}",
        "judge": v.person(r),
        "filed": v.day(r),
        "decided": v.maybe(r, v.day(r), 0.5),
        "status": r.choice(["Open", "Closed", "Appealed"]),
    }


def _render_court(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        decided = (
            f'<p x-f="decided"><strong>Decided:</strong> {s.date(r["decided"], "long")}</p>' if r["decided"] else ""
        )
        return f'<div class="well" x-r><h4 x-f="title"><a href="/c/{r["case_no"]}">{e(r["title"])}</a></h4><p x-f="case_no"><strong>Case No.:</strong> {r["case_no"]}</p><p x-f="judge"><strong>Judge:</strong> {r["judge"]}</p><p x-f="filed"><strong>Filed:</strong> {s.date(r["filed"], "long")}</p>{decided}<p x-f="status"><strong>Status:</strong> {r["status"]}</p></div><hr/>'

    return f"<h1>Recent cases</h1>{''.join(map(one, records))}"


def _notice(r: Random) -> Record:
    return {
        "title": f"{v.thing(r)} supply {r.randint(2020, 2026)}",
        "reference": f"RFP-{r.randint(100, 999)}/{r.randint(20, 26)}",
        "agency": f"Department of {v.thing(r).split()[1]}s",
        "closes": v.day(r),
        "value": v.maybe(r, float(r.randint(10, 900) * 1000), 0.6),
    }


def _render_notices(records: Sequence[Record], s: Style) -> str:
    """Government tenders: a heading and a definition list each, all siblings."""

    def one(r: Record) -> str:
        value = f'<dt x-f="value">Estimated value</dt><dd x-f="value">{s.money(r["value"])}</dd>' if r["value"] else ""
        return f'<h3 x-r x-f="title">{r["title"]}</h3><dl class="govuk-summary"><dt x-f="reference">Reference</dt><dd x-f="reference">{r["reference"]}</dd><dt x-f="agency">Agency</dt><dd x-f="agency">{r["agency"]}</dd><dt x-f="closes">Closing date</dt><dd x-f="closes">{s.date(r["closes"], "british")}</dd>{value}</dl>'

    return f"<h1>Tenders</h1><div>{''.join(map(one, records))}</div>"


def _function(r: Random) -> Record:
    name = f"{v.words(r, 1)[0]}.{v.words(r, 1)[0]}_{r.randint(1, 99)}"
    return {
        "name": name,
        "signature": f"{name}({', '.join(v.words(r, r.randint(0, 3)))})",
        "summary": v.text(r, 1, 2),
        "since": v.maybe(r, f"{r.randint(1, 4)}.{r.randint(0, 12)}", 0.5),
    }


def _render_api(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        params = r["signature"][len(r["name"]) + 1 : -1]
        inner = ", ".join(f'<em class="sig-param"><span class="n">{p}</span></em>' for p in params.split(", ") if p)
        since = (
            f'<div class="versionadded"><p><span class="versionmodified added">New in version <b x-f="since">{r["since"]}</b></span></p></div>'
            if r["since"]
            else ""
        )
        return f'<dt class="sig sig-object py" id="{r["name"]}" x-r><code class="sig-name descname" x-f="signature"><span class="pre" x-f="name">{r["name"]}</span><span class="sig-paren">(</span>{inner}<span class="sig-paren">)</span></code><a class="headerlink" href="#{r["name"]}" title="Link to this definition">¶</a></dt><dd><p x-f="summary">{e(r["summary"])}</p>{since}</dd>'

    return (
        f'<section id="api"><h1>API reference</h1><dl class="py function">{"".join(map(one, records))}</dl></section>'
    )


def _term(r: Random) -> Record:
    return {"term": f"{v.thing(r)} {r.randint(1, 99)}", "definition": v.text(r, 1, 2)}


def _render_glossary(records: Sequence[Record], s: Style) -> str:
    pairs = "".join(
        f'<dt x-r x-f="term">{r["term"]}</dt><dd x-f="definition">{e(r["definition"])}</dd>' for r in records
    )
    return f"<h1>Glossary</h1><dl>{pairs}</dl>"


def _flight(r: Random) -> Record:
    return {
        "airline": f"{v.city(r)} Air",
        "departs": f"{r.randint(0, 23):02}:{r.randint(0, 59):02}",
        "arrives": f"{r.randint(0, 23):02}:{r.randint(0, 59):02}",
        "origin": "".join(r.choice("ABCDEFGHKLMN") for _ in range(3)),
        "destination": "".join(r.choice("OPQRSTUVWXYZ") for _ in range(3)),
        "stops": r.randint(0, 2),
        "price": r.randint(39, 1900),
    }


def _render_flights(records: Sequence[Record], s: Style) -> str:
    c = s.css

    def one(r: Record) -> str:
        stops = "Nonstop" if not r["stops"] else f"{r['stops']} stop{'s' if r['stops'] > 1 else ''}"
        return (
            f'<li class="{c("item")}" x-r><div class="{c("times")}"><span aria-label="Departure time: {r["departs"]}." x-f="departs">{r["departs"]}</span> – <span aria-label="Arrival time: {r["arrives"]}." x-f="arrives">{r["arrives"]}</span></div><div class="{c("carrier")}" x-f="airline"><span>{r["airline"]}</span></div>'
            f'<div class="{c("dur")}">{len(r["airline"])} hr 10 min</div><div class="{c("route")}"><span x-f="origin">{r["origin"]}</span>–<span x-f="destination">{r["destination"]}</span></div><div class="{c("stops")}" x-f="stops"><span>{stops}</span></div><div class="{c("cost")}" x-f="price"><span role="text">{s.round(r["price"])}</span></div></li>'
        )

    return f'<h3>Best departing flights</h3><ul class="{c("list")}">{"".join(map(one, records))}</ul>'


_STAFF = schema_of(name="string", role="string", office="string", phone="string", since="integer")
_STAFF_WORDS = {"Name": "Wer", "Role": "Rolle", "Office": "Büro", "Phone": "Telefon", "Since": "Seit"}


REGISTERS = [
    Design("div_grid", _STAFF, _employee, _render_div_grid, words=_STAFF_WORDS),
    Design("flat_css_grid", _STAFF, _employee, _render_flat_grid, words=_STAFF_WORDS, evidence="phone"),
    Design("aria_grid_hashed", _STAFF, _employee, _render_aria_grid, words=_STAFF_WORDS),
    Design(
        "court_cases",
        schema_of(
            case_no="string",
            title="string",
            judge="string",
            filed="date",
            decided="date?",
            status=("Open", "Closed", "Appealed"),
        ),
        _case,
        _render_court,
        rows=14,
        words={"Filed": "Eingang", "Decided": "Urteil", "Judge": "Richter"},
        evidence="case_no",
    ),
    Design(
        "tenders_dl",
        schema_of(title="string", reference="string", agency="string", closes="date", value="number?"),
        _notice,
        _render_notices,
        rows=14,
        words={"Reference": "Aktenzeichen", "Agency": "Amt", "Closing date": "Schluss"},
    ),
    Design(
        "docs_api_dl",
        schema_of(name="string", signature="string", summary="string", since="string?"),
        _function,
        _render_api,
        rows=16,
        words={"New in version": "Neu in Version"},
        evidence="signature",
    ),
    Design("glossary", schema_of(term="string", definition="string"), _term, _render_glossary, rows=18),
    Design(
        "flights",
        schema_of(
            airline="string", departs="string", arrives="string", origin="string", destination="string", price="number"
        ),
        _flight,
        _render_flights,
        rows=15,
        words={"Nonstop": "Direkt"},
        evidence="airline",
    ),
]
