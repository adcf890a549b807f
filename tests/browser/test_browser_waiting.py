"""Smart wait on real pages: nothing that comes is lost, and nothing is waited for in vain."""

# ruff: noqa: E501 - a script in few lines reads better than one in pieces

import re
import time

import pytest
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.ports import RenderOrder

STEPS = {
    "chained timers": """<script>let n = 0; const step = () => { if (n++ < 4) { put(n); setTimeout(step, 500) } };
        setTimeout(step, 500)</script>""",
    "an interval": """<script>let n = 0; const id = setInterval(() => { put(++n); if (n === 4) clearInterval(id) }, 500)
        </script>""",
    "one late timer": "<script>setTimeout(() => { for (const n of [1, 2, 3, 4]) put(n) }, 2000)</script>",
    "awaited sleeps": """<script>(async () => { for (const n of [1, 2, 3, 4]) {
        await new Promise((done) => setTimeout(done, 500)); put(n) } })()</script>""",
    "slow fetches": """<script>(async () => { for (const n of [1, 2, 3, 4]) {
        await (await fetch('/slow')).text(); put(n) } })()</script>""",
    "a slow XHR": """<script>const x = new XMLHttpRequest(); x.onload = () => { for (const n of [1, 2, 3, 4]) put(n) };
        x.open('GET', '/slower'); x.send()</script>""",
    "an injected script": """<script>const s = document.createElement('script'); s.src = '/late.js';
        document.head.append(s)</script>""",
    "a web socket": """<script>const w = new WebSocket('ws://' + location.host + '/socket');
        w.onmessage = (e) => put(e.data)</script>""",
    "an idle callback after a fetch": """<script>fetch('/slower').then(() => requestIdleCallback(() => {
        for (const n of [1, 2, 3, 4]) put(n) }))</script>""",
    "values filled in place": """<p id=a>-</p><script>const texts = ['step 1 ', 'step 2 ', 'step 3 ', 'step 4 '];
        texts.forEach((text, at) => setTimeout(() => { const p = document.createElement('p'); p.textContent = '-------';
        document.body.append(p); setTimeout(() => { p.textContent = text }, 300) }, at * 500))</script>""",
    "a shadow root": """<div id=host></div><script>const root = host.attachShadow({mode: 'open'});
        const show = (n) => { const p = document.createElement('p'); p.textContent = 'step ' + n; root.append(p) };
        [1, 2, 3, 4].forEach((n) => setTimeout(show, n * 500, n))</script>""",
    "a frame": "<iframe src='/steps-inside'></iframe>",
    "an animation that draws now and then": """<script>const start = performance.now(); let n = 0; const frame = () => {
        if (performance.now() - start > (n + 1) * 500) put(++n); if (n < 4) requestAnimationFrame(frame) }; frame()</script>""",
    "idle callbacks": """<script>const start = performance.now(); let n = 0; const idle = () => {
        if (performance.now() - start > (n + 1) * 500) put(++n); if (n < 4) requestIdleCallback(idle) }; idle()</script>""",
    "an observer of mutations": """<script>const box = document.createElement('div'); document.body.append(box); let n = 0;
        new MutationObserver(() => setTimeout(() => { if (n < 4) { put(++n); box.dataset.n = n } }, 500))
        .observe(box, {attributes: true}); box.dataset.n = 0</script>""",
    "a worker that works": """<script>const w = new Worker(URL.createObjectURL(new Blob([`let n = 0;
        setInterval(() => { if (n < 4) postMessage(++n) }, 500)`]))); w.onmessage = (e) => put(e.data)</script>""",
    "a worker that fetches": """<script>const w = new Worker(URL.createObjectURL(new Blob([`(async () => {
        for (const n of [1, 2, 3, 4]) { await (await fetch('${location.origin}/slow')).text(); postMessage(n) } })()`])));
        w.onmessage = (e) => put(e.data)</script>""",
    "modules that import one another": """<script type=module>await import('/first.mjs'); put(1); await import('/second.mjs');
        put(2); await import('/third.mjs'); put(3); await import('/fourth.mjs'); put(4)</script>""",
    "an event stream": """<script>const s = new EventSource('/stream'); s.onmessage = (e) => put(e.data)</script>""",
    "a list that loads what comes into view": """<script>let n = 0; const end = document.createElement('div'); end.textContent = 'more';
        document.body.prepend(end); const seen = new IntersectionObserver(async (entries) => { if (!entries[0].isIntersecting || n > 3) return;
        seen.unobserve(end); await (await fetch('/slow')).text(); const p = document.createElement('p'); p.textContent = 'step ' + ++n;
        end.before(p); seen.observe(end) }); seen.observe(end)</script>""",
    "messages between windows": """<script>let n = 0; onmessage = () => setTimeout(() => { if (n < 4) { put(++n); postMessage(0) } }, 500);
        postMessage(0)</script>""",
    "an answer that streams": """<script>fetch('/stream').then(async (answer) => { const reader = answer.body.getReader();
        const decoder = new TextDecoder(); for (;;) { const {value, done} = await reader.read(); if (done) break;
        for (const [, n] of decoder.decode(value).matchAll(/data: (\\d)/g)) put(n) } })</script>""",
    "scheduled tasks": """<script>for (const n of [1, 2, 3, 4]) scheduler.postTask(() => put(n), {delay: n * 500})</script>""",
    "timers given as text": """<script>for (const n of [1, 2, 3, 4]) setTimeout(`put(${n})`, n * 500)</script>""",
    "timers of a worker and a channel": """<script>const c = new BroadcastChannel('c'); c.onmessage = (e) => put(e.data);
        new Worker(URL.createObjectURL(new Blob([`const c = new BroadcastChannel('c'); let n = 0;
        setInterval(() => { if (n < 4) c.postMessage(++n) }, 500)`])))</script>""",
}
PUT = """<script>function put(n) { const p = document.createElement('p'); p.textContent = 'step ' + n;
    document.body.append(p) }</script>"""


def stream_steps(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()
    handler.close_connection = True
    for n in (1, 2, 3, 4):
        time.sleep(0.5)
        handler.wfile.write(b"data: %d\n\n" % n)
        handler.wfile.flush()


@pytest.fixture(scope="module")
def steps(site, show_all):
    site.slow("/slow", "ok", 0.5)
    site.slow("/slower", "ok", 2.0)
    site.slow("/late.js", "for (const n of [1, 2, 3, 4]) put(n)", 2.0, "text/javascript")
    for name in ("first", "second", "third", "fourth"):
        site.slow(f"/{name}.mjs", "export default 1", 0.5, "text/javascript")
    site.routes["/stream"] = stream_steps
    site.socket("/socket", ["1", "2", "3", "4"], 0.5)
    site.page("/steps-inside", f"<body>{PUT}{STEPS['chained timers']}")
    filler = "<p>Some text that is there from the start.</p>" * 200  # so that each step is a small change of the whole
    return show_all({way: f"<!doctype html><title>Steps</title><body>{filler}{PUT}{STEPS[way]}" for way in STEPS})


@pytest.mark.req("BR-3")
@pytest.mark.parametrize("way", STEPS)
def test_content_that_arrives_in_steps_over_two_seconds_is_all_there(steps, way):
    page = steps[way]
    shown = re.sub(r"(?s)<script.*?</script>", "", page.html)
    assert [n for n in (1, 2, 3, 4) if f"step {n}" not in shown] == []
    assert not page.warnings


STATIC = {
    "no script": "<h1>Title</h1>" + "<p>Plain text.</p>" * 50,
    "a script that ran": "<p id=a></p><script>document.getElementById('a').textContent = 'filled'</script>",
    "structured data": '<script type="application/ld+json">{"a": 1}</script><p>text</p>',
}


@pytest.mark.req("BR-3")
@pytest.mark.parametrize("kind", STATIC)
def test_a_static_page_loses_less_than_400_ms(show, kind):
    waits = (show(f"<!doctype html><body>{STATIC[kind]}").timings["wait"] for _ in range(8))
    assert any(wait < 400 for wait in waits)  # one of eight: a machine may be busy with other things, too


ENDLESS = {
    "a ticker": "<p id=t>0</p><script>let n = 0; setInterval(() => { t.textContent = String(++n) }, 50)</script>",
    "a clock": "<p id=t>0</p><script>setInterval(() => { t.textContent = new Date().toISOString() }, 1000)</script>",
    "an animation": "<p id=t>0</p><script>const f = () => { t.style.left = 0; requestAnimationFrame(f) }; f()</script>",
    "a poll": "<p>text</p><script>const f = () => { fetch('/quick').then(() => setTimeout(f, 400)) }; f()</script>",
    "a long poll": "<p>text</p><script>fetch('/never')</script>",
    "a feed in place": "<p id=t>0</p><script>const w = new WebSocket('ws://' + location.host + '/ticker');"
    "w.onmessage = (e) => { t.textContent = e.data }</script>",
    "infinite scroll": "<div id=list></div><script>const more = () => { for (let i = 0; i < 20; i++) { const p = "
    "document.createElement('p'); p.textContent = 'row ' + i; list.append(p) } }; more();"
    "addEventListener('scroll', more)</script>",
}


@pytest.fixture(scope="module")
def endless(site, show_all):
    site.page("/quick", "ok")
    site.hang("/never")
    site.socket("/ticker", ["price 10", "price 11"], 0.1, endless=True)
    return show_all({kind: f"<!doctype html><body><h1>Live</h1>{ENDLESS[kind]}" for kind in ENDLESS})


@pytest.mark.req("BR-3")
@pytest.mark.parametrize("kind", ENDLESS)
def test_a_page_that_never_rests_ends_before_the_longest_wait(endless, kind):
    page = endless[kind]
    assert "<h1>Live</h1>" in page.html
    assert not page.warnings, page.timings


@pytest.mark.req("BR-3")
def test_a_feed_that_grows_without_end_stops_at_the_longest_wait(site, make_settings):
    html = "<body><p>feed</p><script>setInterval(() => document.body.append('new line of the feed '), 50)</script>"
    url = site.page("/feed", html)
    renderer = PlaywrightRenderer(make_settings(stability_max_wait_ms=700))
    try:
        page = renderer.render(RenderOrder(url))
    finally:
        renderer.close()
    assert "new line of the feed" in page.html
    assert "stability_max_wait_ms" in page.warnings[0]


@pytest.mark.req("BR-3")
def test_a_page_that_never_fires_load_is_shown(site, show):
    site.hang("/never.png")
    assert "Here it is" in show("<body><img src='/never.png'><p>Here it is</p>").html


@pytest.mark.req("BR-3")
def test_wait_for_is_a_fixed_wait_in_place_of_the_smart_one(show):
    html = "<body><p>first</p><script>setTimeout(() => document.body.append('second'), 60)</script>"
    early = show(html + "<script>setTimeout(() => document.body.append('third'), 2500)</script>", wait_for_ms=300)
    assert "second" in early.html.split("</script>")[-1]
    assert "third" not in early.html.split("</script>")[-1]


@pytest.mark.req("BR-3", "BR-6")
def test_without_smart_wait_the_page_is_taken_as_it_loaded(site, make_settings):
    url = site.page(
        "/late", "<body><p>first</p><script>setTimeout(() => document.body.append('second'), 1500)</script>"
    )
    renderer = PlaywrightRenderer(make_settings(smart_wait_enabled=False))
    try:
        assert "second" not in renderer.render(RenderOrder(url)).html.split("</script>")[-1]
    finally:
        renderer.close()


@pytest.mark.req("BR-3")
def test_a_page_behind_a_veil_is_waited_for(show):
    unveil = "<script>setTimeout(() => { document.body.style.opacity = 1 }, 1500)</script>"
    page = show(f"<body style='opacity:0'><p>Unveiled</p>{unveil}")
    assert 'style="opacity: 1' in page.html


@pytest.mark.req("BR-3")
def test_a_page_that_moves_on_is_taken_where_it_ends(site, show):
    end = site.page("/end", "<title>End</title><p>Arrived</p>")
    for way in (
        "<script>location.href = '/end'</script>",
        "<script>setTimeout(() => location.replace('/end'), 400)</script>",
        "<meta http-equiv=refresh content='1; url=/end'>",
    ):
        page = show(f"<body><p>Moving</p>{way}")
        assert (page.url, page.title) == (end, "End"), way
