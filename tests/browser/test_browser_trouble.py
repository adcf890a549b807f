"""Pages that misbehave: nothing blocks, each failure has its error, and the worker goes on."""

# ruff: noqa: E501 - a page in one line reads better than one in pieces

import os
import signal
import socket
import threading
import time
from pathlib import Path

import pytest
from gleaner.adapters.browser import renderer as playwright_browser
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.errors import (
    BlockedAddress,
    BrowserCrashed,
    FetchTimeout,
    HttpStatusError,
    TooManyRedirects,
    UnreachableHost,
    UnsupportedContent,
)
from gleaner.contracts.ports import RenderOrder

QUIET = {
    "dialogs": (
        "alert('a'); confirm('b'); prompt('c')", "addEventListener('load', () => alert('x'))",
        "onbeforeunload = () => 'stay'; document.onclick = () => 1", "print()",
    ),
    "popups": ("window.open('/other'); window.open('about:blank')", "setInterval(() => window.open('/other'), 500)"),
    "permissions": (
        "navigator.geolocation.getCurrentPosition(() => 0, () => 0)", "Notification.requestPermission()",
        "navigator.mediaDevices && navigator.mediaDevices.getUserMedia({video: true}).catch(() => 0)",
        "navigator.clipboard && navigator.clipboard.readText().catch(() => 0)",
        "const i = document.createElement('input'); i.type = 'file'; document.body.append(i); i.click()",
        "document.documentElement.requestFullscreen().catch(() => 0)",
        "navigator.serviceWorker && navigator.serviceWorker.register('/sw.js').catch(() => 0)",
    ),
    "a download": ("const a = document.createElement('a'); a.href = '/file'; a.download = 'x'; a.click()",),
    "a download in a frame": ("document.body.append(Object.assign(document.createElement('iframe'), {src: '/file'}))",),
    "another scheme": ("location.href = 'mailto:a@b.c'",),
    "to be closed": ("window.close()",),
    "errors without end": ("setInterval(() => { throw new Error('x'.repeat(9999)) }, 20)",),
    "document.open": ("document.open(); document.write('<p>still here</p>'); document.close()",),
    "a long history": ("for (let n = 0; n < 300; n++) history.pushState({}, '', '/pushed/' + n)",),
}  # fmt: skip


@pytest.mark.req("BR-1")
@pytest.mark.parametrize("trouble", QUIET)
def test_a_page_that_wants_attention_does_not_block(site, show, trouble):
    site.page("/other", "<p>other</p>")
    site.page("/file", "bytes", "application/octet-stream", Content_Disposition="attachment; filename=x.bin")
    scripts = "".join(f"<script>{script}</script>" for script in QUIET[trouble])
    page = show(f"<!doctype html><title>t</title><body><p>still here</p>{scripts}")
    assert "still here" in page.html
    assert len(page.console_errors) <= 50


@pytest.mark.req("BR-2")
@pytest.mark.parametrize("status", [401, 404, 429, 503])
def test_an_error_status_is_an_error_that_names_it(site, renderer, status):
    url = site.page("/status", "<p>a page about an error</p>", status=status)
    with pytest.raises(HttpStatusError, match=str(status)):
        renderer.render(RenderOrder(url))


@pytest.mark.req("BR-2")
def test_an_error_status_without_a_body_is_the_same_error(site, renderer):
    with pytest.raises(HttpStatusError, match="502 Bad Gateway"):
        renderer.render(RenderOrder(site.page("/bare", "", status=502)))


@pytest.mark.req("BR-2")
def test_a_check_that_lets_its_visitor_through_is_passed(site, renderer):
    asked = []

    def guarded(handler):
        asked.append(handler.path)
        body = b"<p>welcome</p>" if len(asked) > 1 else b"<script>setTimeout(() => location.reload(), 300)</script>"
        handler.send_response(200 if len(asked) > 1 else 503)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    site.routes["/guarded"] = guarded
    page = renderer.render(RenderOrder(site.url("/guarded")))
    assert (page.status, "welcome" in page.html) == (200, True)


@pytest.mark.req("BR-2")
@pytest.mark.parametrize(
    ("content_type", "disposition"),
    [("application/octet-stream", ""), ("text/html", "attachment"), ("application/zip", ""), ("application/pdf", "")],
)
def test_a_navigation_that_turns_into_a_download_is_no_page(site, renderer, content_type, disposition):
    headers = {"Content_Disposition": disposition} if disposition else {}
    url = site.page("/download", "bytes", content_type, **headers)
    with pytest.raises(UnsupportedContent, match="download"):
        renderer.render(RenderOrder(url))


@pytest.mark.req("BR-2")
def test_an_answer_without_content_is_no_page(site, renderer):
    with pytest.raises(UnsupportedContent, match="204"):
        renderer.render(RenderOrder(site.page("/empty", "", status=204)))


@pytest.mark.req("BR-2")
def test_an_empty_page_is_a_page(site, renderer):
    page = renderer.render(RenderOrder(site.page("/blank", "")))
    assert (page.status, page.title, page.links) == (200, "", ())


@pytest.mark.req("SS-2")
def test_redirects_end(site, renderer):
    site.routes["/loop"] = lambda handler: _redirect(handler, "/loop")
    with pytest.raises(TooManyRedirects):
        renderer.render(RenderOrder(site.url("/loop")))
    for hop in range(12):
        site.routes[f"/hop{hop}"] = lambda handler, to=f"/hop{hop + 1}": _redirect(handler, to)
    site.page("/hop12", "<p>arrived</p>")
    assert renderer.render(RenderOrder(site.url("/hop3"))).url == site.url("/hop12")
    with pytest.raises(TooManyRedirects, match="more than 10"):
        renderer.render(RenderOrder(site.url("/hop0")))


def _redirect(handler, to: str) -> None:
    handler.send_response(302)
    handler.send_header("Location", to)
    handler.send_header("Content-Length", "0")
    handler.end_headers()


@pytest.mark.req("BR-2")
def test_a_server_that_is_not_there_is_unreachable(make_settings):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    renderer = PlaywrightRenderer(make_settings(allow_hosts=[f"127.0.0.1:{port}"]))
    try:
        with pytest.raises(UnreachableHost, match=str(port)):
            renderer.render(RenderOrder(f"http://127.0.0.1:{port}/"))
    finally:
        renderer.close()


@pytest.mark.req("SS-2", "BR-6")
def test_a_server_that_does_not_answer_times_out(site, make_settings):
    renderer = PlaywrightRenderer(make_settings(navigate_timeout_ms=400))
    try:
        with pytest.raises(FetchTimeout, match="400 ms"):
            renderer.render(RenderOrder(site.hang("/silent")))
    finally:
        renderer.close()


@pytest.mark.req("SS-2", "BR-3")
def test_an_endless_answer_gives_what_was_there(site, make_settings):
    def drip(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.end_headers()
        handler.close_connection = True
        handler.wfile.write(b"<!doctype html><body><p>first words</p>")
        while not site.hold.wait(0.05):
            handler.wfile.write(b"<!-- and so on -->")

    site.routes["/drip"] = drip
    renderer = PlaywrightRenderer(make_settings(navigate_timeout_ms=3_000, stability_max_wait_ms=400))
    try:
        page = renderer.render(RenderOrder(site.url("/drip")))
        hurried = renderer.render(RenderOrder(site.url("/drip"), ends_at=time.time() + 3))
    finally:
        renderer.close()
    assert "first words" in page.html
    assert "first words" in hurried.html
    assert hurried.cut_short
    assert hurried.cut_short[0] == "budget_exceeded"
    assert "still loading after 3000 ms" in page.warnings[0]
    assert page.cut_short == ("fetch_timeout", page.warnings[0])


@pytest.mark.req("SS-1")
@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "chrome://version", "view-source:http://127.0.0.1/", "data:text/html,x", "javascript:1",
     "about:blank", "ftp://127.0.0.1/", "http://127.0.0.1:1/", "http://169.254.169.254/", "http://localhost/", "blob:x"],
)  # fmt: skip
def test_what_is_no_allowed_address_is_refused_before_a_browser_starts(make_settings, url):
    renderer = PlaywrightRenderer(make_settings())
    with pytest.raises(BlockedAddress):
        renderer.render(RenderOrder(url))
    assert renderer.workers == ()


LEADS_AWAY = {
    "a redirect": None,
    "a script": "<script>location.href = 'http://127.0.0.1:{port}/secret'</script>",
    "a refresh": "<meta http-equiv=refresh content='0; url=http://127.0.0.1:{port}/secret'>",
}


@pytest.fixture
def secret():
    """A server on a port that no allow list names; ``asked`` has what reached it."""
    asked = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                asked.append(connection.recv(9999))
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<p>TOP SECRET")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1], asked
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(60)


@pytest.mark.req("SS-1")
@pytest.mark.parametrize("way", LEADS_AWAY)
def test_a_page_that_leads_to_an_internal_address_is_refused(site, renderer, secret, way):
    port, asked = secret
    site.routes["/away"] = lambda handler: _redirect(handler, f"http://127.0.0.1:{port}/secret")
    if LEADS_AWAY[way]:
        site.page("/away", LEADS_AWAY[way].replace("{port}", str(port)))
    with pytest.raises(BlockedAddress, match=str(port)):
        renderer.render(RenderOrder(site.url("/away")))
    assert asked == []


@pytest.mark.req("SS-1")
def test_nothing_that_a_page_loads_reaches_an_internal_address(show, secret):
    port, asked = secret
    base = f"http://127.0.0.1:{port}"
    page = show(
        f"<head><link rel=preconnect href='{base}'><link rel=prefetch href='{base}/1'><link rel=stylesheet href='{base}/2'>"
        f"<link rel='dns-prefetch' href='{base}'><link rel=preload as=image href='{base}/3'></head>"
        f"<body><p>the page</p><img src='{base}/4'><iframe src='{base}/5'></iframe><object data='{base}/6'></object>"
        f"<video src='{base}/7'></video><script src='{base}/8'></script><script type=module>import('{base}/9').catch(() => 0);"
        f"fetch('{base}/10', {{mode: 'no-cors'}}).catch(() => 0); navigator.sendBeacon('{base}/11', 'x');"
        f"new WebSocket('ws://127.0.0.1:{port}/12'); new EventSource('{base}/13');"
        f"new Worker(URL.createObjectURL(new Blob([`fetch('{base}/14', {{mode: 'no-cors'}}).catch(() => 0);"
        f"new WebSocket('ws://127.0.0.1:{port}/15')`])));"
        f"const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}, "
        f"{{urls: 'turn:127.0.0.1:{port}?transport=tcp', username: 'u', credential: 'c'}}]}}); peer.createDataChannel('x');"
        f"peer.createOffer().then((o) => peer.setLocalDescription(o)); open('{base}/16');"
        f"const f = document.createElement('form'); f.action = '{base}/17'; f.target = 'x'; document.body.append(f); f.submit();"
        f'</script><script type=speculationrules>{{"prerender": [{{"urls": ["{base}/18"]}}]}}</script>',
        wait_for_ms=800,
    )
    assert "the page" in page.html
    assert "TOP SECRET" not in page.html
    assert asked == []


def processes_of(worker) -> list[int]:
    """The browser's processes that are alive: all that carry its profile folder in their command line."""
    mark = str(worker.folder.path).encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def wait_until(condition, seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


@pytest.mark.req("BR-1", "BR-4")
def test_a_killed_browser_is_replaced_and_leaves_nothing_behind(site, make_settings):
    url = site.page("/plain", "<p>plain</p>")
    renderer = PlaywrightRenderer(make_settings())
    try:
        renderer.render(RenderOrder(url))
        worker = renderer.workers[0]
        assert worker.process_id in processes_of(worker)
        os.kill(worker.process_id, signal.SIGKILL)
        assert wait_until(lambda: not worker.browser.is_connected())
        assert "plain" in renderer.render(RenderOrder(url)).html
        assert renderer.workers[0] is not worker
    finally:
        last = renderer.workers
        renderer.close()
    for gone in (worker, *last):
        assert wait_until(lambda gone=gone: not processes_of(gone))
        assert not gone.folder.path.exists()


@pytest.mark.req("BR-1")
def test_a_browser_that_is_killed_while_it_shows_a_page_is_replaced_and_the_page_shown(site, make_settings):
    renderer = PlaywrightRenderer(make_settings())
    killed = []

    def kill_once(handler):
        if not killed:
            killed.append(renderer.workers[0].process_id)
            os.kill(killed[0], signal.SIGKILL)
        body = b"<p>shown in the second browser</p>"
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    site.routes["/killer"] = kill_once
    try:
        assert "second browser" in renderer.render(RenderOrder(site.url("/killer"))).html
        assert renderer.workers[0].process_id != killed[0]
    finally:
        renderer.close()


@pytest.mark.req("BR-1")
def test_a_page_that_crashes_every_browser_is_an_error_and_the_next_page_is_shown(site, make_settings):
    renderer = PlaywrightRenderer(make_settings())
    asked = []

    def kill(handler):
        asked.append(handler.path)
        os.kill(renderer.workers[0].process_id, signal.SIGKILL)
        time.sleep(0.3)

    site.routes["/always"] = kill
    try:
        with pytest.raises(BrowserCrashed, match="/always"):
            renderer.render(RenderOrder(site.url("/always")))
        assert len(asked) == 2
        assert "fine" in renderer.render(RenderOrder(site.page("/fine", "<p>fine</p>"))).html
    finally:
        renderer.close()


@pytest.mark.req("BR-1", "MD-6")
def test_a_page_that_crashes_its_process_is_told_at_once_and_the_next_page_is_shown(site, renderer):
    nested = (
        "let at = document.body; for (let n = 0; n < 20000; n++) at = at.appendChild(document.createElement('div'))"
    )
    site.page("/deep", f"<p>deep</p><script>{nested}; at.append('end')</script>")
    with pytest.raises(BrowserCrashed, match=r"the page's process crashed on .*/deep"):
        renderer.render(RenderOrder(site.url("/deep")))
    assert "fine" in renderer.render(RenderOrder(site.page("/fine", "<p>fine</p>"))).html


@pytest.mark.req("BR-1", "SS-2")
@pytest.mark.parametrize(
    ("profile", "pages_before", "asked"),
    [("default", 0, 1), ("default", 1, 2), ("master", 0, 1)],
    ids=["new browser", "used browser", "master profile"],
)
def test_a_page_that_a_new_browser_hangs_on_is_not_tried_again(
    site, make_settings, monkeypatch, profile, pages_before, asked
):
    monkeypatch.setattr(playwright_browser, "SLACK_S", 0.0)  # less than the patience with a busy script
    renderer = PlaywrightRenderer(make_settings(navigate_timeout_ms=3_000, stability_max_wait_ms=1_000))
    site.page("/hangs", "<p>words</p><script>while (true);</script>")
    site.requests.clear()
    try:
        for _ in range(pages_before):
            renderer.render(RenderOrder(site.page("/fine", "<p>fine</p>")))
        with pytest.raises(FetchTimeout, match=r"/hangs kept a new browser busy for over 5 s"):
            renderer.render(RenderOrder(site.url("/hangs"), profile=profile))
        assert [path for path, _ in site.requests].count("/hangs") == asked
    finally:
        renderer.close()


@pytest.mark.req("SS-1", "MD-4")
def test_a_frame_that_leads_to_a_refused_address_is_empty_and_told(show):
    refused = ["http://169.254.169.254/latest", "https://10.0.0.1/admin", "http://127.0.0.1:9999/inside"]
    page = show("<p>shown</p>" + "".join(f"<iframe src='{url}'></iframe>" for url in refused))
    assert "shown" in page.html
    assert "is refused" not in page.html
    assert [warning.split(" ")[5] for warning in page.warnings] == [refused[0], "https://10.0.0.1:443/", refused[2]]


HANGS = {
    "while parsing": "<p>before</p><script>while (true) {}</script><p>after</p>",
    "after loading": "<p>before</p><script>setTimeout(() => { while (true) {} }, 50)</script>",
    "again and again": "<p>before</p><script>setInterval(() => { while (true) {} }, 10)</script>",
    "in a promise": "<p>before</p><script>const f = () => Promise.resolve().then(f); f()</script>",
}


@pytest.mark.req("BR-1")
@pytest.mark.parametrize("way", HANGS)
def test_a_page_that_hangs_in_its_script_gives_what_was_there(show, way, monkeypatch):
    monkeypatch.setattr("gleaner.adapters.browser.page.BUSY_S", 1.0)
    page = show(f"<!doctype html><body>{HANGS[way]}")
    assert "<p>before</p>" in page.html
    assert any("script" in warning for warning in page.warnings)
