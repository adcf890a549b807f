"""Lists that load more as one scrolls are read to their end, and pages that only look like it are left as they were."""

# ruff: noqa: E501 - a script in few lines reads better than one in pieces

import json
import re
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

import pytest
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.ports import RenderedPage, RenderOrder
from gleaner.page.opening import open_page

from tests.browser.conftest import reply

BATCH, BATCHES = 12, 4
CARD = "const card = (n) => { const c = document.createElement('article'); c.className = 'card'; c.innerHTML = `<h3>Lamp ${n}</h3><p>€ ${n}.50</p>`; return c };"
STYLE = "<style>.card { height: 150px } footer { height: 300px }</style>"
FETCHED = "const load = async (page) => (await (await fetch('/cards?page=' + page)).json());"

WAYS: Mapping[str, str] = {
    "an observer of a sentinel": f"""<main id=list></main><div id=end style='height:1px'></div><footer>Imprint</footer><script>{CARD}{FETCHED}
        let page = 0; new IntersectionObserver(async (seen) => {{ if (!seen[0].isIntersecting || page > 3) return;
        for (const n of await load(page++)) list.append(card(n)) }}).observe(end)</script>""",
    "a debounced listener": f"""<main id=list></main><script>{CARD}{FETCHED} let page = 0, busy = false, timer; const more = async () => {{ if (busy || page > 3) return;
        busy = true; for (const n of await load(page++)) list.append(card(n)); busy = false }}; more(); addEventListener('scroll', () => {{ clearTimeout(timer);
        timer = setTimeout(() => {{ if (scrollY + innerHeight > document.body.scrollHeight - 200) more() }}, 250) }})</script>""",
    "a box of its own": f"""<div id=box style='height:600px; overflow-y:auto'><ul id=list></ul></div><script>{CARD}{FETCHED} let page = 0; const more = async () => {{ if (page > 3) return;
        for (const n of await load(page++)) {{ const li = document.createElement('li'); li.append(card(n)); list.append(li) }} }}; more();
        box.addEventListener('scroll', () => {{ if (box.scrollTop + box.clientHeight > box.scrollHeight - 50) more() }})</script>""",
    "a box in a shadow root, looked at now and then": f"""<div id=host></div><script>{CARD}{FETCHED} const root = host.attachShadow({{mode: 'open'}});
        root.innerHTML = "<style>.card {{ height: 150px }}</style><div id=box style='height:500px; overflow-y:scroll'><ul id=list></ul></div>";
        const [box, list] = [root.getElementById('box'), root.getElementById('list')]; let page = 0, busy = false; const more = async () => {{ if (busy || page > 3) return;
        busy = true; for (const n of await load(page++)) {{ const li = document.createElement('li'); li.append(card(n)); list.append(li) }} busy = false }}; more();
        setInterval(() => {{ if (box.scrollTop + box.clientHeight > box.scrollHeight - 80) more() }}, 150)</script>""",
    "boxes that are filled in turn": f"""<main id=list></main><script>{CARD}{FETCHED} let page = 0; const next = (around) => {{ const box = document.createElement('div');
        box.textContent = 'Loading'; around.append(box); new IntersectionObserver(async ([seen], observer) => {{ if (!seen.isIntersecting) return; observer.disconnect();
        const cards = await load(page++); box.replaceChildren(...cards.map(card)); if (page < 4) next(box) }}).observe(box) }}; next(list)</script>""",
    "a box for each batch": f"""<main id=list></main><script>{CARD}{FETCHED} let page = 0; const more = async () => {{ if (page > 3) return; const box = document.createElement('section');
        box.className = 'batch'; for (const n of await load(page++)) box.append(card(n)); list.append(box); history.replaceState(null, '', '?page=' + page) }}; more();
        addEventListener('scroll', () => {{ if (scrollY + innerHeight > document.body.scrollHeight - 50) more() }})</script>""",
}


def without_scripts(html: str) -> str:
    return re.sub(r"(?s)<script.*?</script>", "", html)


@pytest.fixture(scope="module")
def cards(site):
    def answer(handler):
        page = int(parse_qs(urlsplit(handler.path).query)["page"][0])
        reply(handler, json.dumps([*range(page * BATCH, (page + 1) * BATCH)]).encode(), "application/json")

    site.routes["/cards"] = answer


@pytest.fixture(scope="module")
def scrolled(cards, show_all) -> dict[str, RenderedPage]:
    return show_all({way: f"<!doctype html><title>Lamps</title><body>{STYLE}{WAYS[way]}" for way in WAYS})


@pytest.mark.req("CM-1", "BR-3")
@pytest.mark.parametrize("way", WAYS)
def test_a_list_that_loads_more_as_one_scrolls_is_read_to_its_end(scrolled, way: str) -> None:
    page = scrolled[way]
    assert [int(n) for n in re.findall(r"<h3>Lamp (\d+)</h3>", page.html)] == [*range(BATCH * BATCHES)]
    assert not page.warnings
    assert page.url.partition("page=")[2] in ("", "1")  # as it was before


LEFT_ALONE: Mapping[str, str] = {
    "the next article": """<main><article><h1>One</h1><p>a</p><p>b</p><p>c</p><div style='height:2000px'></div></article></main><script>addEventListener('scroll', () => {
        const next = document.createElement('article'); next.innerHTML = '<h1>Two</h1><p>d</p><p>e</p><p>f</p>'; document.querySelector('main').append(next) }, {once: true})</script>""",
    "a window that asks for an address": """<h1>One</h1><div style='height:2000px'>text</div><script>addEventListener('scroll', () => { const box = document.createElement('div');
        box.textContent = 'Subscribe to Two'; document.body.append(box) }, {once: true})</script>""",
    "a page that moves on": """<h1>One</h1><ul><li>a<li>b<li>c</ul><div style='height:2000px'></div><script>addEventListener('scroll', () => { location.href = '/two' })</script>""",
    "a script that never ends": """<h1>One</h1><div style='height:2000px'></div><script>addEventListener('scroll', () => { for (;;) { } })</script>""",
    "a page in place of the page": """<h1>One</h1><div style='height:2000px'></div><script>addEventListener('scroll', () => { document.body.innerHTML = '<h1>Two</h1>' })</script>""",
}


@pytest.fixture(scope="module")
def left_alone(site, show_all) -> dict[str, RenderedPage]:
    site.page("/two", "<h1>Two</h1>")
    return show_all({what: f"<!doctype html><body>{LEFT_ALONE[what]}" for what in LEFT_ALONE})


@pytest.mark.req("BR-3")
@pytest.mark.parametrize("what", LEFT_ALONE)
def test_what_else_comes_as_one_scrolls_is_none_of_the_page(left_alone, what: str) -> None:
    shown = without_scripts(left_alone[what].html)
    assert "One" in shown
    assert "Two" not in shown


@pytest.mark.req("CM-1", "BR-3")
def test_a_list_without_end_is_read_as_far_as_there_is_time_and_says_so(site, make_settings) -> None:
    way = (
        WAYS["a box for each batch"]
        .replace("page > 3", "false")
        .replace("await load(page++)", "[1, 2, 3, 4, 5, 6, ++page]")
    )
    url = site.page("/endless", f"<!doctype html><body>{STYLE}{way}")
    cards = {}
    for scroll_enabled in (True, False):
        renderer = PlaywrightRenderer(make_settings(stability_max_wait_ms=1500, scroll_enabled=scroll_enabled))
        try:
            page = renderer.render(RenderOrder(url))
        finally:
            renderer.close()
        cards[scroll_enabled] = without_scripts(page.html).count("<h3>")
        assert [*page.warnings] == [
            "the page loads more while scrolling, and did not reach its end within the time limit"
        ] * scroll_enabled
    assert cards[False] == 7
    assert cards[True] >= 14


ROWS = "Array.from({length: 20}, (_, n) => n)"
WINDOWED: Mapping[str, str] = {
    "rows placed in a high box": f"""<div style='height:600px; overflow-y:auto'><div id=list style='height:30000px; position:relative'></div></div><script>for (const n of {ROWS}) {{
        const row = document.createElement('div'); row.style.cssText = `position:absolute; top:${{n * 60}}px; height:60px`; row.textContent = 'Row ' + n; list.append(row) }}</script>""",
    "rows moved in a high box": f"""<div style='height:600px; overflow-y:auto'><div id=list style='height:30000px; position:relative'></div></div><script>for (const n of {ROWS}) {{
        const row = document.createElement('div'); row.style.cssText = `transform:translateY(${{n * 60}}px); position:absolute; height:60px`; row.textContent = 'Row ' + n; list.append(row) }}</script>""",
    "padding of the list": f"""<div style='height:600px; overflow-y:auto'><div id=list style='padding-bottom:28800px'></div></div><script>for (const n of {ROWS}) {{
        const row = document.createElement('div'); row.style.height = '60px'; row.textContent = 'Row ' + n; list.append(row) }}</script>""",
    "a row that holds the place of others": f"""<table style='border-spacing:0'><tbody id=list></tbody></table><script>for (const n of {ROWS}) {{
        const row = list.insertRow(); row.style.height = '60px'; row.insertCell().textContent = 'Row ' + n }} list.insertRow().style.height = '28800px'</script>""",
    "a spacer beside a moved list": f"""<div style='height:600px; overflow-y:auto; position:relative'><div style='height:30000px; width:1px'></div>
        <ul id=list style='position:absolute; top:0; transform:translateY(0px)'></ul></div><script>for (const n of {ROWS}) {{
        const row = document.createElement('li'); row.style.height = '60px'; row.textContent = 'Row ' + n; list.append(row) }}</script>""",
}
FULL: Mapping[str, str] = {
    "a column beside a long one": f"<div style='display:flex'><nav>{'<a style=display:block>Link</a>' * 8}</nav><main style='height:9000px'>Text</main></div>",
    "a list of all its rows": f"<div style='height:600px; overflow-y:auto'><ul>{'<li style=height:60px>Row</li>' * 200}</ul></div>",
    "sections as high as the window": f"<main>{'<section style=height:100vh><h2>Part</h2></section>' * 9}</main>",
    "a picture below a list": f"<ul>{'<li>Row</li>' * 9}<li><canvas style='height:5000px'></canvas></ul>",
    "marks placed on a plan": "<div style='height:6000px; position:relative'>"
    + "".join(f"<i style='position:absolute; top:{n * 900}px'>Mark {n}</i>" for n in range(6))
    + "</div>",
}


@pytest.fixture(scope="module")
def lists(show_all) -> dict[str, RenderedPage]:
    return show_all({name: f"<!doctype html><body>{html}" for name, html in {**WINDOWED, **FULL}.items()})


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("kind", [*WINDOWED, *FULL])
def test_a_list_that_draws_what_is_in_view_tells_for_how_many_rows_it_has_room(lists, kind: str) -> None:
    signs = open_page(lists[kind].html).continuations
    assert [(sign.shown, round(sign.total, -1)) for sign in signs] == ([(20, 500)] if kind in WINDOWED else [])


DRAW = """const draw = () => { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 3), rows = Array.from({length: 24}, (_, n) => from + n).filter((n) => n < 200);
    PLACE }; const make = (n, tag) => { const row = document.createElement(tag); row.style.height = '40px'; row.innerHTML = `<b>Row ${n}</b> of ${n % 3} parts`; return row };
    draw(); box.addEventListener('scroll', draw)"""
REDRAWN: Mapping[str, str] = {
    "rows placed": "list.style.height = '8000px'; list.replaceChildren(...rows.map((n) => { const row = make(n, 'div'); row.style.cssText += `position:absolute; top:${n * 40}px`; return row }))",
    "rows used again in turn": """list.style.height = '8000px'; for (const n of rows) { const row = list.children[n % 24] || list.appendChild(document.createElement('div'));
        row.replaceChildren(...make(n, 'div').childNodes); row.style.cssText = `height:40px; position:absolute; transform:translateY(${n * 40}px)` }""",
    "spacers": """const spacer = (rows) => { const one = document.createElement('div'); one.style.height = rows * 40 + 'px'; return one };
        list.replaceChildren(spacer(from), ...rows.map((n) => make(n, 'div')), spacer(200 - rows.at(-1) - 1))""",
    "a moved list": "list.style.transform = `translateY(${from * 40}px)`; list.style.height = `${8000 - from * 40}px`; list.replaceChildren(...rows.map((n) => make(n, 'section')))",
}


@pytest.fixture(scope="module")
def redrawn(show_all) -> dict[str, RenderedPage]:
    box = "<!doctype html><body><div id=box style='height:600px; overflow-y:auto; position:relative'><div id=list></div></div>"
    return show_all(
        {f"redrawn {way}": f"{box}<script>{DRAW.replace('PLACE', REDRAWN[way])}</script>" for way in REDRAWN}
    )


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("way", REDRAWN)
def test_the_rows_of_a_list_that_draws_what_is_in_view_are_read_window_by_window(redrawn, way: str) -> None:
    page = redrawn[f"redrawn {way}"]
    assert "data-gleaner-hidden" not in page.html
    assert [int(n) for n in re.findall(r"<b>Row (\d+)</b>", without_scripts(page.html))] == [*range(200)]
    assert not open_page(page.html).continuations


SMALL = """<!doctype html><body><div id=box style='height:300px; overflow:auto; overflow-anchor:none; position:relative'>INNER</div><script>
    const make = (n, tag = 'div') => { const row = document.createElement(tag); row.style.height = '30px'; row.innerHTML = `<b>Row ${n}</b>`; return row };
    const seen = (count) => { const from = Math.min(60 - count, Math.max(0, Math.floor(box.scrollTop / 30) - 3)); return Array.from({length: count}, (_, n) => from + n) }; DRAW</script>"""
LITTLE_ROOM: Mapping[str, tuple[str, str]] = {
    "most rows are drawn, and padding holds the place of the others": (
        "<div id=list></div>",
        """const draw = () => { const rows = seen(45); list.style.padding = `${rows[0] * 30}px 0 ${(59 - rows.at(-1)) * 30}px`; list.replaceChildren(...rows.map((n) => make(n))) };
        draw(); box.addEventListener('scroll', draw)"""),
    "the box itself holds the rows and what makes it high": (
        "",
        """const room = document.createElement('div'); room.style.height = '1800px'; box.append(room);
        const draw = () => { box.replaceChildren(...seen(14).map((n) => { const row = make(n); row.style.cssText += `position:absolute; transform:translateY(${n * 30}px)`; return row }), room) };
        draw(); box.addEventListener('scroll', draw)"""),
    "rows between bodies of a table that are drawn a while after a scroll": (
        "<table style='border-spacing:0'><thead><tr style='height:30px'><th>Name</thead><tbody id=over><tr><td></tbody><tbody id=list></tbody><tbody id=under><tr><td></tbody></table>",
        """const high = (body, rows) => { body.firstChild.firstChild.style.cssText = `padding:0; height:${rows * 30}px`; body.style.display = rows ? '' : 'none' };
        const draw = () => { const rows = seen(16); high(over, rows[0]); high(under, 59 - rows.at(-1)); list.replaceChildren(...rows.map((n) => { const row = make(n, 'tr'); row.innerHTML = `<td style='padding:0'>${row.innerHTML}`; return row })) };
        draw(); let due; box.addEventListener('scroll', () => { clearTimeout(due); due = setTimeout(() => fetch('/late').then(() => setTimeout(draw, 150)), 20) })"""),
    "rows in a zone that is moved over what makes the box high": (
        "<div style='height:1830px'><div style='height:0'><div style='height:30px; position:sticky; top:0'>Name</div><div id=list style='position:absolute'></div><div style='height:1800px'></div></div></div>",
        """const draw = () => { const rows = seen(13); list.style.transform = `translateY(${rows[0] * 30}px)`; list.replaceChildren(...rows.map((n) => make(n))) };
        draw(); box.addEventListener('scroll', draw)"""),
}  # fmt: skip


@pytest.mark.req("CM-1")
@pytest.mark.parametrize("way", LITTLE_ROOM)
def test_the_rows_of_a_low_list_that_draws_what_is_in_view_are_all_read(show, site, way: str) -> None:
    site.routes["/late"] = lambda handler: reply(handler, b"late")
    inner, draw = LITTLE_ROOM[way]
    page = show(SMALL.replace("INNER", inner).replace("DRAW", draw))
    assert [int(n) for n in re.findall(r"<b>Row (\d+)</b>", without_scripts(page.html))] == [*range(60)]
    assert not open_page(page.html).continuations


@pytest.mark.req("CM-1")
def test_a_list_that_draws_all_its_rows_over_a_foot_has_no_room_for_more(show) -> None:
    rows = "".join(f"<li style='height:30px'><b>Row {n}</b></li>" for n in range(40))
    page = show(
        f"<!doctype html><body><div style='height:300px; overflow:auto'><ul style='padding-bottom:200px'>{rows}</ul></div>"
        "<script>addEventListener('scroll', () => {})</script>"
    )
    assert "data-gleaner-room" not in page.html
    assert not open_page(page.html).continuations


@pytest.mark.req("CM-1")
def test_rows_that_say_something_else_each_time_are_those_of_one_window(show) -> None:
    draw = DRAW.replace("${n % 3} parts", "${performance.now()} parts").replace("PLACE", REDRAWN["rows placed"])
    box = "<div id=box style='height:600px; overflow-y:auto; position:relative'><div id=list></div></div>"
    html = show(f"<!doctype html><body>{box}<script>{draw}</script>").html
    assert [int(n) for n in re.findall(r"<b>Row (\d+)</b>", without_scripts(html))] == [*range(24)]
    assert [(sign.shown, sign.total) for sign in open_page(html).continuations] == [(24, 200)]
