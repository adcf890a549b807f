"""Old pages: layout tables with fonts, grids that post back, archives of lists, indexes of files."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _part(r: Random) -> Record:
    return {
        "part_no": f"{r.choice('ABCX')}{r.randint(100, 999)}-{r.randint(10, 99)}",
        "description": v.product(r),
        "quantity": r.randint(0, 900),
        "price": v.maybe(r, v.amount(r, 1, 90), 0.85),
        "_new": r.random() < 0.15,
    }


def _render_parts(records: Sequence[Record], s: Style) -> str:
    """A table in a table in a table, with fonts for style and single pixels for space."""

    def one(n: int, r: Record) -> str:
        color = "#FFFFFF" if n % 2 else "#EEEEDD"
        new = ' <img src="/new.gif" alt="NEW!" width=28 height=11>' if r["_new"] else ""
        price = f"<B>{s.money(r['price'])}</B>" if r["price"] else "<I>call</I>"
        return (
            f'<TR BGCOLOR="{color}" x-r><TD><FONT FACE="Verdana,Arial" SIZE="1"><A HREF="part.asp?id={n}" x-f="part_no">{r["part_no"]}</A></FONT></TD><TD><FONT FACE="Verdana,Arial" SIZE="1" x-f="description">&nbsp;{e(r["description"])}</FONT>{new}</TD><TD ALIGN="right"><FONT FACE="Verdana,Arial" SIZE="1" x-f="quantity">{r["quantity"]}</FONT></TD><TD ALIGN="right" NOWRAP><FONT FACE="Verdana,Arial" SIZE="1" COLOR="#990000" x-f="price">{price}</FONT></TD></TR>\n'
            f'<TR><TD COLSPAN="4" BGCOLOR="#CCCCCC"><IMG SRC="/spacer.gif" WIDTH="1" HEIGHT="1"></TD></TR>\n'
        )

    head = "".join(
        f'<TD BGCOLOR="#003366"><FONT FACE="Verdana,Arial" SIZE="1" COLOR="#FFFFFF" x-f="{name}"><B>{label}</B></FONT></TD>'
        for name, label in (
            ("part_no", "Part #"),
            ("description", "Description"),
            ("quantity", "Qty"),
            ("price", "Price"),
        )
    )
    inner = f'<TABLE BORDER="0" CELLPADDING="2" CELLSPACING="0" WIDTH="100%"><TR>{head}</TR>\n{"".join(one(n, r) for n, r in enumerate(records, 1))}</TABLE>'
    menu = '<TABLE WIDTH="120"><TR><TD><FONT SIZE="1"><A HREF="/a.asp">Resistors</A><BR><A HREF="/b.asp">Switches</A></FONT></TD></TR></TABLE>'
    return f'<TABLE BORDER="0" WIDTH="760"><TR><TD COLSPAN="2"><FONT SIZE="4"><B>Parts in stock</B></FONT></TD></TR><TR><TD VALIGN="top" WIDTH="120">{menu}</TD><TD VALIGN="top"><TABLE BORDER="1"><TR><TD>{inner}</TD></TR></TABLE></TD></TR></TABLE>'


def _permit(r: Random) -> Record:
    return {
        "permit_no": f"BP-{r.randint(2015, 2025)}-{r.randint(1000, 99999)}",
        "applicant": v.person(r).upper(),
        "kind": r.choice(["Residential", "Commercial", "Demolition"]),
        "issued": v.maybe(r, v.day(r), 0.75),
        "value": v.maybe(r, float(r.randint(1, 900) * 100), 0.8),
        "inspected": r.random() < 0.5,
    }


def _render_permits(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        style = "GridRow" if n % 2 else "GridAltRow"
        checked = ' checked="checked"' if r["inspected"] else ""
        return f'<tr class="{style}" style="color:#333333;background-color:#F7F6F3;" x-r>\n\t\t<td><a href="javascript:__doPostBack(&#39;ctl00$Main$gv&#39;,&#39;Select${n}&#39;)" style="color:#333333;">Select</a></td><td x-f="permit_no">{r["permit_no"]}</td><td x-f="applicant">\n<span id="ctl00_Main_gv_ctl{n:02}_lblApplicant">{r["applicant"]}</span>\n</td><td x-f="kind">{r["kind"]}</td><td align="center" x-f="issued">{s.date(r["issued"], "short") or "&nbsp;"}</td><td align="right" x-f="value">{s.money(r["value"]) or "&nbsp;"}</td><td align="center" x-f="inspected"><span disabled="disabled"><input id="ctl00_Main_gv_ctl{n:02}_chk" type="checkbox"{checked} disabled="disabled" /></span>{"Yes" if r["inspected"] else "No"}</td>\n\t</tr>'

    names = [
        ("permit_no", "Permit No."),
        ("applicant", "Applicant"),
        ("kind", "Type"),
        ("issued", "Issued"),
        ("value", "Value"),
        ("inspected", "Inspected"),
    ]
    head = "".join(
        f'<th scope="col" x-f="{name}"><a href="javascript:__doPostBack(&#39;gv&#39;,&#39;Sort${name}&#39;)" style="color:White;">{label}</a></th>'
        for name, label in names
    )
    pages = "".join(
        f'<td><a href="javascript:__doPostBack(&#39;gv&#39;,&#39;Page${n}&#39;)">{n}</a></td>' for n in range(2, 8)
    )
    pager = f'<tr align="center" style="color:White;background-color:#284775;"><td colspan="7"><table border="0"><tr><td><span>1</span></td>{pages}</tr></table></td></tr>'
    return f'<form method="post" action="./Search.aspx" id="aspnetForm"><div class="aspNetHidden"><input type="hidden" name="__VIEWSTATE" value="/wEPDwUK" /></div><span id="ctl00_Main_lblCount">{len(records)} permit(s) found.</span><div>\n\t<table cellspacing="0" cellpadding="4" border="0" id="ctl00_Main_gv" style="color:#333333;border-collapse:collapse;">\n\t\t<tr style="color:White;background-color:#5D7B9D;font-weight:bold;"><th scope="col">&nbsp;</th>{head}</tr>{"".join(one(n, r) for n, r in enumerate(records, 2))}{pager}\n\t</table>\n</div></form>'


def _message(r: Random) -> Record:
    number = f"{r.randint(1, 99999):06}"
    return {
        "subject": f"[list] {r.choice(['Re: ', '', ''])}{v.headline(r)}",
        "author": v.person(r),
        "url": f"https://list-archive.example/{number}.html",
        "_depth": r.randint(0, 2),
    }


def _render_archive(records: Sequence[Record], s: Style) -> str:
    """Items that are never closed, in lists inside lists."""
    html, depth = "", 0
    for n, r in enumerate(records):
        own = 0 if n == 0 else min(r["_depth"], depth + 1)
        html += "<UL>\n" * (own - depth) + "</UL>\n" * (depth - own)
        depth = own
        name = r["url"].rsplit("/", 1)[1]
        html += f'<!--{own} {n}- -->\n<LI x-r><A HREF="/{name}" x-f="subject">{e(r["subject"])}\n</A><A NAME="{n}">&nbsp;</A>\n<I x-f="author">{r["author"]}\n</I>\n\n'
    return f'<h1>March 2026 Archives by thread</h1><ul><li><b>Messages sorted by:</b> <a href="subject.html#start">[ subject ]</a> <a href="author.html#start">[ author ]</a></li></ul><p><b>Starting:</b> <i>Sun Mar 1 2026</i><br><b>Messages:</b> {len(records)}</p><ul>\n{html}{"</UL>" * depth}</ul><p><hr><i>Archived on:</i> Mon</p>'


def _listed_file(r: Random) -> Record:
    is_folder = r.random() < 0.2
    stem = f"{r.choice(v.words(r, 3))}-{r.randint(0, 9)}.{r.randint(0, 40)}"
    return {
        "name": f"{stem}/" if is_folder else f"{stem}.{r.choice(['tar.gz', 'zip', 'txt', 'iso'])}",
        "modified": v.day(r),
        "size": None if is_folder else r.choice([f"{r.randint(1, 999)}K", f"{r.randint(10, 99) / 10}M"]),
    }


def _render_index(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        name = r["name"] if len(r["name"]) < 24 else r["name"][:21] + "..>"
        gap = " " * (24 - len(name))
        return f'<img src="/icons/x.gif" alt="[{"DIR" if r["size"] is None else "   "}]"> <a href="{r["name"]}" x-f="name">{r["name"]}</a>{gap}{r["modified"]} 10:{n % 60:02}  {r["size"] or "- ":>4}  \n'

    head = '<img src="/icons/blank.gif" alt="Icon "> <a href="?C=N;O=D">Name</a>                    <a href="?C=M;O=A">Last modified</a>      <a href="?C=S;O=A">Size</a>  <a href="?C=D;O=A">Description</a><hr>'
    return f'<h1>Index of /pub</h1>\n<pre>{head}<img src="/icons/back.gif" alt="[PARENTDIR]"> <a href="/">Parent Directory</a>                             -   \n{"".join(one(n, r) for n, r in enumerate(records))}<hr></pre>\n<address>Apache/2.4.57 Server at files.example Port 80</address>'


OLD_PAGES = [
    Design(
        "parts_in_fonts",
        schema_of(part_no="string", description="string", quantity="integer", price="number?"),
        _part,
        _render_parts,
        words={"Qty": "Menge", "Price": "Preis"},
    ),
    Design(
        "aspnet_grid",
        schema_of(
            permit_no="string", applicant="string", kind="string", issued="date?", value="number?", inspected="boolean"
        ),
        _permit,
        _render_permits,
        rows=15,
        words={"Issued": "Erteilt", "Applicant": "Antrag"},
    ),
    Design(
        "list_archive",
        schema_of(subject="string", author="string", url="uri"),
        _message,
        _render_archive,
        rows=24,
    ),
    Design(
        "apache_index",
        schema_of(name="string", modified="date", size="string?"),
        _listed_file,
        _render_index,
        words={"Last modified": "Geändert"},
    ),
]
