"""A small shop that shows what a page holds only to who acts on it: a search form, tabs, "show all", a login, traps.

``pages(site)`` puts it on a test's site. Records are those of ``LAMPS``; the search finds by a word of the name.
"""

# ruff: noqa: E501 - a page in one line reads better than one in pieces

import json
from collections.abc import Callable
from html import escape
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from gleaner.testing.loopback import LoopbackHandler

LAMPS = [
    {"name": f"{colour} {kind} lamp", "price": 20 + 7 * at}
    for at, (colour, kind) in enumerate(
        (colour, kind) for kind in ("desk", "floor", "wall") for colour in ("Amber", "Blue", "Copper", "Dark")
    )
]


class HasRoutes(Protocol):
    """A site that tests fill."""

    routes: dict[str, Callable[[LoopbackHandler], object]]


def table(lamps: list[dict[str, object]]) -> str:
    """Give lamps as a table."""
    rows = "".join(f"<tr><td>{lamp['name']}</td><td>{lamp['price']}</td></tr>" for lamp in lamps)
    return f"<table><tr><th>name</th><th>price</th></tr>{rows}</table>"


def found_lamps(word: str) -> list[dict[str, object]]:
    """Give the lamps whose name has the word."""
    return [lamp for lamp in LAMPS if word.lower() in str(lamp["name"]).lower()]


HOME = """<!doctype html><title>Lamps</title><h1>Lamps</h1>
<form action=/found method=get role=search><label for=q>Find</label> <input id=q name=q> <button>Search</button></form>
<p>Say what you look for.</p>"""

TABS = """<!doctype html><title>A lamp</title><h1>A lamp</h1>
<div role=tablist><button role=tab onclick="show('Brass, 40 W')">About</button>
<button role=tab onclick="setTimeout(() => show('Ann: a fine lamp. Ben: too bright.'), 300)">Reviews</button></div>
<div role=tabpanel id=panel>Brass, 40 W</div>
<script>function show(text) { panel.textContent = text }</script>"""

SHOW_ALL = """<!doctype html><title>Lamps</title><h1>Lamps</h1><div id=list>FIRST</div>
<button onclick="fetch('/rest').then(a => a.text()).then(t => { list.innerHTML = t; this.remove() })">Show all</button>"""

CONTROLS = """<!doctype html><title>Controls</title>
<label>Country <select id=country onchange="out.textContent = 'country ' + value">
<option value=de>Germany</option><option value=no>Norway</option></select></label>
<label><input type=checkbox onchange="out.textContent = 'in stock ' + checked"> In stock</label>
<div id=menu onmouseenter="out.textContent = 'menu open'">Menu</div>
<input aria-label=Word onkeydown="if (event.key == 'Enter') out.textContent = 'entered ' + value">
<button disabled>Sold out</button><button hidden>Secret</button><button>More</button><button>More</button>
<div style="position:relative;height:40px"><button style="position:absolute">Under</button>
<div id=veil style="position:absolute;inset:0;background:#fff">veil</div></div>
<my-box></my-box><iframe srcdoc="<button onclick=&quot;parent.out.textContent = 'from a frame'&quot;>Framed</button>"></iframe>
<p id=out>nothing yet</p><div style="height:3000px"></div><p>the end</p>
<script>customElements.define('my-box', class extends HTMLElement { connectedCallback() {
this.attachShadow({mode: 'open'}).innerHTML = "<button onclick=\\"out.textContent = 'from a shadow root'\\">Shadowed</button>" } });
addEventListener('scroll', () => { if (scrollY > 1000) out.textContent = 'scrolled down' })</script>"""

DRAWN = """<!doctype html><title>Drawn controls</title><style>input.over { position: absolute; inset: 0; opacity: 0 }</style>
<label for=name>Full name</label><fieldset aria-hidden=true><legend style="opacity:0">Full name</legend></fieldset>
<input id=name oninput="say('name ' + value)">
<input placeholder="Start date" onkeyup="say('from ' + value)"> <p>Start dates are Mondays</p>
<div style="position:relative;width:200px">Pick a colour<input class=over aria-label=Paint onclick="say('painted')"></div>
<label for=size>Size</label> <input id=size readonly role=combobox onclick="sizes.hidden = false">
<div id=sizes role=listbox hidden><div role=option onclick="say('size small')">Small</div><div role=option onclick="say('size large')">Large</div></div>
<label style="position:relative;display:block"><input type=checkbox onchange="say('wrap ' + checked)">
<span style="position:absolute;inset:0;background:#fff">Gift wrap</span></label>
<button role=switch aria-label="In stock" aria-checked=false onclick="ariaChecked = true; say('stock ' + ariaChecked)">.</button>
<label for=make>Maker</label><div role=combobox aria-haspopup=listbox style="position:relative" onclick="makes.hidden = false"><select id=make
style="position:absolute; opacity:0; pointer-events:none"><option>Any<option>Nordby</select><b id=made>Any</b></div>
<div id=makes role=listbox hidden><div role=option onclick="made.textContent = 'Nordby'; makes.hidden = true; say('made by Nordby')">Nordby</div></div>
<p id=out>nothing yet</p><script>function say(text) { out.textContent = text }</script>"""
"""Controls as libraries draw them over real ones: names that only attributes give, copies that keep a place free."""

TRAPS = """<!doctype html><title>Traps</title><h1>Traps</h1><p>the page</p>
<button onclick="while (true) alert('again')">Alerts</button>
<button onclick="while (true);">Busy</button>
<button onclick="confirm('Sure?'); document.title = 'asked'">Ask</button>
<button onclick="window.open('/elsewhere')">Window</button>
<a href=/file download>File</a> <a href=/elsewhere>Away</a> <a href=/gone>Gone</a> <a href="http://127.0.0.1:9999/">Nobody</a>"""


LOGIN = """<!doctype html><title>Login</title><h1>Login</h1><form action=/session method=post>
<input type=hidden name=token value=TOKEN><label>Name <input name=name></label>
<label>Password <input type=password name=password></label><button>Log in</button></form>"""

TOKEN = "t-5309"
"""What the login's form carries, and who logs in must send."""

PASSWORD = "correct horse & <battery>"


def login_pages(site: HasRoutes) -> None:
    """Put a login on a site, and the lamps behind it, at ``/mine`` and its second page ``/mine2``."""

    def log_in(handler: LoopbackHandler) -> None:
        sent = parse_qs(handler.rfile.read(int(handler.headers.get("Content-Length", 0))).decode())
        if sent == {"token": [TOKEN], "name": ["ada"], "password": [PASSWORD]}:
            handler.answer(303, "text/html", b"", {"Location": "/mine", "Set-Cookie": "user=ada; Path=/; HttpOnly"})
        else:
            _answer(handler, "<!doctype html><h1>Wrong name or password</h1>")

    def mine(lamps: list[dict[str, object]], link: str) -> Callable[[LoopbackHandler], object]:
        page = f"<!doctype html><title>Ada's lamps</title><h1>12 lamps</h1>{table(lamps)}{link}"
        asked = "<!doctype html><h1>Please log in</h1>"
        return lambda handler: _answer(handler, page if "user=ada" in handler.headers.get("Cookie", "") else asked)

    site.routes["/login"] = lambda handler: _answer(handler, LOGIN.replace("TOKEN", TOKEN))
    site.routes["/session"] = log_in
    site.routes["/mine"] = mine(LAMPS[:6], "<a rel=next href=/mine2>Next</a>")
    site.routes["/mine2"] = mine(LAMPS[6:], "<a rel=prev href=/mine>Previous</a>")


SCRIPTED_PAGER = """<!doctype html><title>Lamps</title><h1>Lamps</h1><div id="list"></div>
<nav class="pagination"><button class="prev"><i class="fa fa-chevron-left"></i></button><span></span>
<button class="next"><i class="fa fa-chevron-right"></i></button></nav><script>
const rows = ROWS, size = 4; let at = 0;
const [back, on] = document.querySelectorAll("nav button");
function draw() {
  const shown = rows.slice(at, at + size).map(([name, price]) => `<tr><td>${name}<td>$${price}`).join("");
  document.getElementById("list").innerHTML = `<table><tr><th>Name<th>Price${shown}</table>`;
  document.querySelector("nav span").textContent = `${at + 1}-${Math.min(at + size, rows.length)} of ${rows.length}`;
  back.disabled = at === 0; on.disabled = at + size >= rows.length;
}
on.onclick = () => setTimeout(() => { at += STEP; draw(); }, 20);
draw();
</script>"""
"""A list that a script pages: its pages have no addresses. STEP is how far a click leads."""

SCRIPTED_GRID = """<!doctype html><title>Lamps</title><h1>Lamps</h1>
<main><div id=grid role=grid></div><div class=pagination><span></span><button>Next</button></div></main><script>
const rows = ROWS, size = 4; let at = 0;
const row = (kind, cells) => `<div role=row>${cells.map((cell) => `<div role=${kind}>${cell}</div>`).join("")}</div>`;
function draw() {
  const shown = rows.slice(at, at + size).map(([name, price]) => row("gridcell", [name, `$${price}`]));
  document.querySelector("div").innerHTML = row("columnheader", ["Name", "Price"]) + shown.join("");
  document.querySelector("span").textContent = `${at + 1}-${Math.min(at + size, rows.length)} of ${rows.length}`;
  document.querySelector("button").disabled = at + size >= rows.length;
}
document.querySelector("button").onclick = () => { at += size; draw(); };
draw();
</script>"""
"""The same as a grid of plain boxes, which roles make a table; what turns the page stands beside it."""


def acting_pages(site: HasRoutes) -> None:
    """Put the shop on a site."""

    def page(path: str, html: str) -> None:
        site.routes[path] = lambda handler: _answer(handler, html)

    def found(handler: LoopbackHandler) -> None:
        word = parse_qs(urlsplit(handler.path).query).get("q", [""])[0]
        lamps = found_lamps(word)
        _answer(handler, f"<!doctype html><h1>{len(lamps)} lamps for {escape(word)}</h1>{table(lamps)}")

    page("/lamps", HOME)
    page("/lamp", TABS)
    page("/all", SHOW_ALL.replace("FIRST", table(LAMPS[:3])))
    page("/rest", table(LAMPS))
    rows = json.dumps([[one["name"], one["price"]] for one in LAMPS])
    scripted = SCRIPTED_PAGER.replace("ROWS", rows)
    page("/paged", scripted.replace("STEP", "size"))
    page("/grid", SCRIPTED_GRID.replace("ROWS", rows))
    page("/stuck", scripted.replace("STEP", "0"))
    page("/controls", CONTROLS)
    page("/drawn", DRAWN)
    page("/traps", TRAPS)
    page("/elsewhere", "<!doctype html><title>Elsewhere</title><p>another page</p>")
    site.routes["/found"] = found
    site.routes["/gone"] = lambda handler: handler.answer(404, "text/html", b"<p>no such page</p>", {})
    site.routes["/file"] = lambda handler: handler.answer(
        200, "application/octet-stream", b"bytes", {"Content-Disposition": "attachment; filename=x.bin"}
    )


def _answer(handler: LoopbackHandler, html: str) -> None:
    handler.answer(200, "text/html; charset=utf-8", html.encode(), {})
