"""Plain HTTP against hostile servers on loopback: each ends in a page, or in one clear error."""

import gzip
import re
import socket
import threading
import time
import zlib

import pytest
from gleaner.adapters.http.fetch import HttpFetcher
from gleaner.contracts.errors import (
    BlockedAddress,
    DecompressedTooLarge,
    FetchTimeout,
    HeadersTooLarge,
    HttpStatusError,
    PageError,
    PageTooLarge,
    UnreachableHost,
    UnsupportedContent,
    raise_for_status,
)

from tests.adapters.hostile_server import KILO, Answering, answer, fetcher_for, flood, serving


@pytest.mark.req("LB-3")
def test_a_page_comes_with_its_final_url_status_headers_body_and_text() -> None:
    page = answer("<p>grün".encode("cp1252"), "Content-Type: text/html; charset=iso-8859-1", "X-A: 1", "x-a: 2")
    with serving(page) as server:
        fetched = fetcher_for(server).fetch(f"{server.url}/a b?c=ü#part")
    assert fetched.url == f"{server.url}/a%20b?c=%C3%BC#part"
    assert (fetched.status, fetched.body, fetched.text) == (200, b"<p>gr\xfcn", "<p>grün")
    assert fetched.headers["x-a"] == fetched.headers["X-A"] == "1, 2"
    assert server.heads[0].startswith(b"GET /a%20b?c=%C3%BC HTTP/1.1\r\n")
    assert b"\r\nHost: 127.0.0.1:%d\r\n" % server.port in server.heads[0]


def test_the_fetcher_works_with_nothing_but_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(answer(b"hello", "Content-Type: text/plain")) as server:
        monkeypatch.setenv("GLEANER_ALLOW_HOSTS", f"127.0.0.1:{server.port}")
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        assert HttpFetcher().fetch(server.url).text == "hello"


def test_an_error_status_is_an_answer_and_raises_on_request() -> None:
    with serving(answer(b"gone", "Content-Type: text/html", status="410 Gone")) as server:
        page = fetcher_for(server).fetch(server.url)
        with pytest.raises(HttpStatusError, match="410"):
            fetcher_for(server).download(server.url)
    assert (page.status, page.text) == (410, "gone")
    with pytest.raises(HttpStatusError, match="answered 410 Gone"):
        raise_for_status(page.url, page.status)
    raise_for_status(page.url, 399)
    with pytest.raises(UnsupportedContent, match="answered 204 No Content"):
        raise_for_status(page.url, 204)


@pytest.mark.req("BR-6")
def test_the_configured_headers_are_sent_and_the_framing_ones_are_not() -> None:
    with serving(answer(b"x")) as server:
        extra = {"X-Team": "blue", "accept": "text/plain", "Host": "evil.example", "Connection": "keep-alive"}
        fetcher_for(server, extra_headers=extra, user_agent="Test/1", accept_language="de").fetch(server.url)
    head = server.heads[0].lower()
    assert b"x-team: blue" in head and b"user-agent: test/1" in head and b"accept-language: de" in head
    assert head.count(b"accept: ") == 1 and b"evil.example" not in head and b"keep-alive" not in head


@pytest.mark.req("BR-6")
def test_configured_headers_of_any_letters_are_sent_as_browsers_send_them() -> None:
    with serving(answer(b"x")) as server:
        fetcher_for(server, extra_headers={"X-Name": "Löwe, 5 €"}, user_agent="Löwe/1").fetch(server.url)
    assert "X-Name: Löwe, 5 €\r\n".encode() in server.heads[0]
    assert "User-Agent: Löwe/1\r\n".encode() in server.heads[0]


# What a hostile server can do


def drip(client: socket.socket, head: bytes) -> None:
    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    never = threading.Event()
    while not never.wait(0.02):
        client.sendall(b"x")


def drip_headers(client: socket.socket, head: bytes) -> None:
    never = threading.Event()
    client.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while not never.wait(0.02):
        client.sendall(b"x")


def say_nothing(client: socket.socket, head: bytes) -> None:
    client.recv(1)


@pytest.mark.req("SS-2")
@pytest.mark.parametrize("behave", [drip, drip_headers, say_nothing])
def test_a_slow_server_is_cut_at_the_deadline(behave: Answering) -> None:
    with serving(behave) as server, pytest.raises(FetchTimeout, match=r"0\.3 s \(fetch_timeout_s\)"):
        fetcher_for(server, fetch_timeout_s=0.3).fetch(server.url)


@pytest.mark.req("SS-2")
def test_a_server_that_takes_a_connection_and_goes_no_further_is_cut_at_the_limit_of_connecting() -> None:
    with serving(say_nothing) as server, pytest.raises(FetchTimeout, match=r"0\.1 s \(connect_timeout_s\)"):
        fetcher_for(server, connect_timeout_s=0.1).fetch(server.url.replace("http:", "https:"))


@pytest.mark.req("SS-2", "EX-9")
@pytest.mark.parametrize("ask", ["fetch", "probe", "download"])
def test_a_slow_server_is_cut_when_the_request_has_no_time_left(ask: str) -> None:
    with serving(drip_headers) as server, pytest.raises(FetchTimeout, match=r"\(deadline_s\)"):
        getattr(fetcher_for(server), ask)(server.url, ends_at=time.time() + 0.1)


@pytest.mark.req("ME-1", "EX-9")
def test_a_probe_does_not_wait_for_bytes_where_the_headers_tell_what_it_is() -> None:
    def drip_page(client: socket.socket, head: bytes) -> None:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
        say_nothing(client, head)

    with serving(drip_page) as server:
        probed = fetcher_for(server).probe(server.url)
    assert (probed.is_media, probed.prefix) == (False, b"<p>")


BOMB = gzip.compress(bytes(20_000_000))
ENDLESS = {
    "body without length": (flood(b"HTTP/1.1 200 OK\r\n\r\n", KILO), PageTooLarge),
    "chunked body": (
        flood(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + KILO + b"\r\n"),
        PageTooLarge,
    ),
    "body of stated length": (flood(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", KILO), PageTooLarge),
    "length that is stated, and no body": (answer(length=10_000_001), PageTooLarge),
    "headers in one piece": (answer(b"", "X: " + "y" * 70_000), HeadersTooLarge),
    "one header": (flood(b"HTTP/1.1 200 OK\r\nX: ", KILO), HeadersTooLarge),
    "many headers": (flood(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000), HeadersTooLarge),
    "status line": (flood(b"HTTP/1.1 200 ", KILO), HeadersTooLarge),
    "chunk extension": (flood(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", KILO), HeadersTooLarge),
    "interim answers": (flood(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"), UnsupportedContent),
    "packed body of nothing": (
        flood(b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n\x78\x9c", b"\x00\x00\x00\xff\xff" * 10_000),
        PageTooLarge,
    ),
    "gzip bomb": (answer(BOMB, "Content-Encoding: gzip"), DecompressedTooLarge),
    "gzip bomb in gzip": (answer(gzip.compress(BOMB), "Content-Encoding: gzip, gzip"), DecompressedTooLarge),
    "deflate bomb": (answer(zlib.compress(bytes(20_000_000)), "Content-Encoding: deflate"), DecompressedTooLarge),
}


@pytest.mark.req("SS-2", "MD-6")
@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_answer_is_cut_at_its_limit(name: str) -> None:
    behave, expected = ENDLESS[name]
    with serving(behave) as server, pytest.raises(expected) as caught:
        fetcher_for(server).fetch(server.url)
    assert re.search(r"max_\w+|did not answer", caught.value.message)


@pytest.mark.req("SS-2")
def test_a_bomb_is_noticed_while_it_unpacks() -> None:
    import tracemalloc

    with serving(answer(BOMB, "Content-Encoding: gzip")) as server, pytest.raises(DecompressedTooLarge):
        fetcher = fetcher_for(server, max_page_size=1_000_000)
        tracemalloc.start()
        try:
            fetcher.fetch(server.url)
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    assert peak < 6_000_000


@pytest.mark.req("MD-6", "SS-2")
def test_a_page_of_exactly_the_limit_is_taken_and_one_byte_more_is_not() -> None:
    for body, encoding in ((b"x" * 5_000, None), (gzip.compress(b"x" * 5_000), "Content-Encoding: gzip")):
        with serving(answer(body, *[encoding] if encoding else [])) as server:
            assert len(fetcher_for(server, max_page_size=5_000).fetch(server.url).body) == 5_000
            with pytest.raises(PageError, match=r"4999.*\(max_page_size\)"):
                fetcher_for(server, max_page_size=4_999).fetch(server.url)


PACKED = gzip.compress(b"".join(b"%d\n" % (number * number) for number in range(1_000)))
MALFORMED = {
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "HTTP/0.9": b"<html>hello</html>",
    "half a head": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
    "wrong status": b"HTTP/1.1 abc OK\r\n\r\n",
    "body shorter than stated": answer(b"short", length=10),
    "bad chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n",
    "chunks broken off": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhello",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    "length that is no number": b"HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello",
    "packing unknown": answer(b"x", "Content-Encoding: br"),
    "packing damaged": answer(PACKED[:200] + b"damage" + PACKED[206:], "Content-Encoding: gzip"),
    "packing broken off": answer(PACKED[:-10], "Content-Encoding: gzip"),
    "packed thrice": answer(b"x", "Content-Encoding: gzip, gzip, gzip"),
}


@pytest.mark.req("SS-2")
def test_a_server_that_hangs_up_without_a_word_is_unreachable() -> None:
    with serving(b"") as server, pytest.raises(UnreachableHost, match="without an answer"):
        fetcher_for(server).fetch(server.url)


@pytest.mark.req("SS-2")
@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_answer_is_said_to_be_so(name: str) -> None:
    with serving(MALFORMED[name]) as server, pytest.raises(UnsupportedContent) as caught:
        fetcher_for(server).fetch(server.url)
    assert caught.value.error_type == "unsupported_content"


WELL_FORMED = {
    "until close": b"HTTP/1.1 200 OK\r\n\r\nhello",
    "HTTP/1.0": b"HTTP/1.0 200 OK\r\n\r\nhello",
    "no reason": b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello",
    "more than stated": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more",
    "chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nA: b\r\n\r\n",
    "early hints": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer(b"hello"),
    "gzip": answer(gzip.compress(b"hello"), "Content-Encoding: GZIP"),
    "gzip in two members": answer(gzip.compress(b"he") + gzip.compress(b"llo"), "Content-Encoding: x-gzip"),
    "gzip with a tail": answer(gzip.compress(b"hello") + b"\x00\x00", "Content-Encoding: gzip"),
    "gzip said, plain sent": answer(b"hello", "Content-Encoding: gzip"),
    "deflate": answer(zlib.compress(b"hello"), "Content-Encoding: deflate"),
    "bare deflate": answer(zlib.compress(b"hello")[2:-4], "Content-Encoding: deflate"),
    "twice packed": answer(gzip.compress(zlib.compress(b"hello")), "Content-Encoding: deflate, gzip"),
    "identity": answer(b"hello", "Content-Encoding: identity"),
}


@pytest.mark.parametrize("name", WELL_FORMED)
def test_an_odd_answer_that_browsers_take_is_taken(name: str) -> None:
    with serving(WELL_FORMED[name]) as server:
        assert fetcher_for(server).fetch(server.url).body == b"hello"


def test_a_packed_answer_in_tiny_pieces_is_put_together() -> None:
    packed = gzip.compress(b"hello" * 1_000)

    def send(client: socket.socket, head: bytes) -> None:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in packed:
            client.sendall(b"1\r\n" + bytes([byte]) + b"\r\n")
        client.sendall(b"0\r\n\r\n")

    with serving(send) as server:
        assert fetcher_for(server).fetch(server.url).body == b"hello" * 1_000


def test_a_port_where_nothing_listens_is_an_unreachable_host() -> None:
    with serving(b"") as server:
        pass
    with pytest.raises(UnreachableHost, match="connection to 127"):
        fetcher_for(server).fetch(server.url)


@pytest.mark.req("SS-2")
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"\x00\x01garbage\r\n\r\n", "is not valid HTTP: illegal status line"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<h1>Cut</h1>", "ended early"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said_without_what_was_sent(sent: bytes, said: str) -> None:
    with serving(sent) as server, pytest.raises(UnsupportedContent) as raised:
        fetcher_for(server).fetch(server.url)
    assert str(raised.value) == f"the answer of 127.0.0.1 {said}"


@pytest.mark.req("SS-1", "WA-1")
def test_nothing_is_posted_to_an_address_inside_nor_on_to_where_an_answer_leads() -> None:
    with serving(answer(b"taken")) as inside:
        with serving(answer(b"", f"Location: {inside.url}/", status="307 Temporary Redirect")) as server:
            fetcher = fetcher_for(server)
            assert fetcher.post(server.url, b"{}", {"Content-Type": "application/json"}) == 307
            with pytest.raises(BlockedAddress):
                fetcher.post(f"{inside.url}/", b"{}", {})
        assert inside.heads == []
