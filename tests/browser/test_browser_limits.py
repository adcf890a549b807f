"""Hostile servers: each limit has an error of its own, the same by plain HTTP and through the browser (SS-2)."""

import gzip
import http.server
import itertools
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from functools import cache

import pytest
import zstandard
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.adapters.http.fetch import HttpFetcher
from gleaner.contracts.errors import (
    DecompressedTooLarge,
    FetchTimeout,
    GleanerError,
    HeadersTooLarge,
    PageTooLarge,
    TooManyRedirects,
    UnreachableHost,
    UnsupportedContent,
)
from gleaner.contracts.ports import RenderOrder
from gleaner.contracts.settings import Settings

pytestmark = pytest.mark.req("SS-2")

Raw = Callable[[http.server.BaseHTTPRequestHandler], Iterator[bytes]]
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
FILLING = b"<p>" + b"x" * 65_000


@cache
def bomb() -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*(packer.compress(b"<p>" + b"A" * 1_000_000) for _ in range(100)), packer.flush()])


PAGE = "".join(f"<p>{number} {hex(number**9)}" for number in range(2_000)).encode()


def packed(coding: bytes, body: bytes) -> list[bytes]:
    return [OK + b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (coding, len(body)), body]


def endless(start: bytes, piece: bytes) -> Iterator[bytes]:
    return itertools.chain([start], itertools.repeat(piece))


HOSTILE: dict[str, tuple[type[GleanerError], Callable[[], Iterator[bytes] | list[bytes]]]] = {
    "endless body": (PageTooLarge, lambda: endless(OK + b"\r\n", FILLING)),
    "endless comment": (PageTooLarge, lambda: endless(OK + b"\r\n<p>words<!--", b"x" * 65_000)),
    "endless chunks": (
        PageTooLarge,
        lambda: endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"%x\r\n%s\r\n" % (len(FILLING), FILLING)),
    ),
    "large by its own word": (PageTooLarge, lambda: [OK + b"Content-Length: 99999999999\r\n\r\n<p>"]),
    "gzip bomb": (DecompressedTooLarge, lambda: packed(b"gzip", bomb())),
    "gzip in gzip": (DecompressedTooLarge, lambda: packed(b"gzip, gzip", gzip.compress(bomb()))),
    "deflate bomb": (DecompressedTooLarge, lambda: packed(b"deflate", zlib.compress(b"A" * 100_000_000, 9))),
    "many codings": (UnsupportedContent, lambda: packed(b", ".join([b"gzip"] * 50), bomb())),
    "one large header": (HeadersTooLarge, lambda: [b"HTTP/1.1 200 OK\r\nX: ", b"y" * 5_000_000, b"\r\n\r\nok"]),
    "endless header": (HeadersTooLarge, lambda: endless(b"HTTP/1.1 200 OK\r\nX: ", b"y" * 65_000)),
    "many headers": (HeadersTooLarge, lambda: endless(b"HTTP/1.1 200 OK\r\n", b"X-Y: z\r\n" * 1_000)),
    "interim answers only": (UnsupportedContent, lambda: itertools.repeat(b"HTTP/1.1 103 Early Hints\r\n\r\n", 1_000)),
    "garbage": (UnsupportedContent, lambda: [b"\x00\x01\x02" * 1_000]),
    "no answer": (UnreachableHost, lambda: []),
    "shorter than it said": (UnsupportedContent, lambda: [OK + b"Content-Length: 1000\r\n\r\n<p>half"]),
    "cut in a chunk": (UnsupportedContent, lambda: [OK + b"Transfer-Encoding: chunked\r\n\r\n20\r\n<p>half"]),
    "cut in its gzip header": (UnsupportedContent, lambda: packed(b"gzip", gzip.compress(PAGE)[:12])),
    "cut in its first gzip block": (UnsupportedContent, lambda: packed(b"gzip", gzip.compress(PAGE)[:40])),
    "cut in its first zlib block": (UnsupportedContent, lambda: packed(b"deflate", zlib.compress(PAGE)[:40])),
    "redirect to itself": (TooManyRedirects, lambda: [redirect("/hostile")]),
}


def redirect(to: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


def serve(site, path: str, answer: Callable[[], Iterator[bytes] | list[bytes]]) -> str:
    def send(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        for piece in answer():
            handler.wfile.write(piece)

    site.routes[path] = send
    return site.url(path)


@pytest.fixture(scope="module")
def limited(make_settings) -> Settings:
    return make_settings(max_page_size=2_000_000, navigate_timeout_ms=60_000, fetch_timeout_s=60)


@pytest.fixture(scope="module")
def readers(limited) -> Iterator[dict[str, Callable[[str], object]]]:
    renderer = PlaywrightRenderer(limited)
    yield {"fetch": HttpFetcher(limited).fetch, "browser": lambda url: renderer.render(RenderOrder(url))}
    renderer.close()


@pytest.mark.parametrize("way", ["fetch", "browser"])
@pytest.mark.parametrize("name", HOSTILE)
def test_each_limit_has_its_error_on_both_ways(site, readers, way, name):
    error, answer = HOSTILE[name]
    with pytest.raises(GleanerError) as caught:
        readers[way](serve(site, "/hostile", answer))
    assert type(caught.value) is error, caught.value


@pytest.mark.parametrize("way", ["fetch", "browser"])
def test_a_redirect_once_too_often_is_its_own_error(site, readers, way):
    for hop in range(12):
        serve(site, f"/step{hop}", lambda to=hop + 1: [redirect(f"/step{to}")])
    with pytest.raises(TooManyRedirects):
        readers[way](site.url("/step0"))


@pytest.mark.parametrize("way", ["fetch", "browser"])
@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\n"], ids=["nothing", "one line of headers"])
def test_a_server_that_keeps_its_answer_back_times_out(site, make_settings, way, start):
    settings = make_settings(navigate_timeout_ms=1_000, fetch_timeout_s=1)
    over = threading.Event()

    def drip():
        yield start
        while not over.wait(0.1):
            yield b"X" if start else b""

    url = serve(site, "/drip", drip)
    renderer = PlaywrightRenderer(settings)
    try:
        with pytest.raises(FetchTimeout):
            HttpFetcher(settings).fetch(url) if way == "fetch" else renderer.render(RenderOrder(url))
    finally:
        over.set()
        renderer.close()


ZSTD = zstandard.ZstdCompressor().compress(b"<p>" + b"A" * 100_000_000)


def test_a_coding_that_only_browsers_take_is_measured_in_the_browser_and_refused_elsewhere(site, readers):
    url = serve(site, "/zstd", lambda: packed(b"zstd", ZSTD))
    with pytest.raises(DecompressedTooLarge):
        readers["browser"](url)
    with pytest.raises(UnsupportedContent, match="zstd"):
        readers["fetch"](url)


def test_a_page_that_breaks_off_in_a_coding_that_only_browsers_take_is_no_empty_page(site, readers):
    frame = zstandard.ZstdCompressor().compress(PAGE)
    with pytest.raises(UnsupportedContent, match="ended early"):
        readers["browser"](serve(site, "/zstd", lambda: packed(b"zstd", frame[: len(frame) // 2])))


@pytest.mark.req("CM-1")
def test_a_packed_page_that_breaks_off_behind_its_first_words_is_not_taken_for_whole(site, readers):
    listing = b"<!doctype html><html><body><main><ul>" + PAGE.replace(b"<p>", b"<li>") + b"</ul></main></body></html>"
    frame = gzip.compress(listing)
    whole = readers["browser"](serve(site, "/whole", lambda: packed(b"gzip", frame)))
    half = readers["browser"](serve(site, "/half", lambda: packed(b"gzip", frame[: len(frame) // 2])))
    assert whole.cut_short is None
    assert "<li>7 " in half.html
    assert half.cut_short == ("unsupported_content", half.warnings[0])


@pytest.mark.parametrize(
    ("coding", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("zstd", zstandard.ZstdCompressor().compress), ("br", None)],
)
def test_an_empty_page_that_is_packed_is_a_page(site, readers, coding, pack):
    body = pack(b"") if pack else b"\x3b"
    assert readers["browser"](serve(site, "/empty", lambda: packed(coding.encode(), body))).status == 200


def test_a_page_that_leads_to_a_bomb_by_script_is_measured_there(site, readers):
    serve(site, "/bomb", lambda: packed(b"gzip", bomb()))
    url = site.page("/fuse", "<p>first<script>setTimeout(() => location.href = '/bomb', 150)</script>")
    # Its headers may have come before anybody listened again; then it is a page of too many bytes.
    with pytest.raises((DecompressedTooLarge, PageTooLarge), match="/bomb"):
        readers["browser"](url)


def test_a_frame_and_a_fetch_without_end_do_not_take_the_page_down(site, readers):
    serve(site, "/data", lambda: endless(OK.replace(b"text/html", b"text/plain") + b"\r\n", b"x" * 65_000))
    url = site.page("/asks", "<p>all words</p><script>fetch('/data').then((answer) => answer.text())</script>")
    assert "all words" in readers["browser"](url).html


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process has in memory")
@pytest.mark.parametrize("profile", ["default", "master"])
def test_a_page_that_takes_more_memory_than_it_may_is_ended_and_the_next_is_shown(site, make_settings, profile):
    endless = "const ten = 'abcdefghij'.repeat(1e6); while (true) document.body.append(ten + Math.random())"
    renderer = PlaywrightRenderer(make_settings(max_page_memory=600_000_000))
    swelling = site.page("/swelling", f"<p>words</p><script>{endless}</script>")
    try:
        with pytest.raises(PageTooLarge, match=r"/swelling used more than 600 MB of memory \(max_page_memory\)"):
            renderer.render(RenderOrder(swelling, profile=profile))
        assert len([path for path, _ in site.requests if path == "/swelling"]) == 1
        site.requests.clear()
        assert "well" in renderer.render(RenderOrder(site.page("/well", "<p>well</p>"), profile=profile)).html
    finally:
        renderer.close()


def test_the_browser_goes_on_after_a_hostile_server(site, readers):
    for name in ("endless body", "gzip bomb"):
        with pytest.raises(GleanerError):
            readers["browser"](serve(site, "/hostile", HOSTILE[name][1]))
    assert readers["browser"](site.page("/well", "<p>well</p>")).status == 200


def test_an_error_page_of_the_server_is_not_taken_for_the_proxys(site, readers):
    site.page("/gone", "<p>gone</p>", status=404)
    serve(site, "/broken", HOSTILE["garbage"][1])
    page = site.page("/mixed", "<p>words</p><img src=/broken>")
    assert readers["browser"](page).status == 200
    with pytest.raises(GleanerError, match="404 Not Found"):
        readers["browser"](site.url("/gone"))


def test_a_redirect_that_leads_nowhere_is_no_page_unless_it_says_something(site, readers):
    site.page("/nowhere", "", status=302)
    site.page("/moved", "<p>We have moved.</p>", status=300)
    assert "We have moved." in readers["browser"](site.url("/moved")).html
    with pytest.raises(GleanerError, match="302 Found"):
        readers["browser"](site.url("/nowhere"))
