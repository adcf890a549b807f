"""Plain HTTP against hostile servers on loopback: each ends in a page, or in one clear error."""

import contextlib
import datetime
import gzip
import re
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from gleaner import media
from gleaner.adapters.http_fetch import HttpFetcher, raise_for_status
from gleaner.errors import (
    BlockedAddress,
    DecompressedTooLarge,
    FetchTimeout,
    GleanerError,
    HeadersTooLarge,
    HttpStatusError,
    MediaTooLarge,
    PageError,
    PageTooLarge,
    TooManyRedirects,
    UnreachableHost,
    UnsupportedContent,
)
from gleaner.settings import load_settings

TLS_HELLO = b"\x16\x03"
Answering = Callable[[socket.socket, bytes], None]


class HostileServer:
    """A TCP server that answers each request head by a function; it keeps the heads it was sent."""

    def __init__(self, answer: Answering, tls: ssl.SSLContext | None = None) -> None:
        self._answer = answer
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.heads: list[bytes] = []
        self.is_closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._one, args=(self._listener.accept()[0],), daemon=True).start()

    def _one(self, plain: socket.socket) -> None:
        plain.settimeout(10)
        with contextlib.suppress(OSError), plain, self._secure(plain) as client:
            head = b""
            while b"\r\n\r\n" not in head and not head.startswith(TLS_HELLO) and (data := client.recv(65_536)):
                head += data
            self.heads.append(head)
            self._answer(client, head)

    def _secure(self, plain: socket.socket) -> socket.socket:
        return self._tls.wrap_socket(plain, server_side=True) if self._tls else plain

    def close(self) -> None:
        self.is_closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)


@contextlib.contextmanager
def serving(answer: Answering | bytes, tls: ssl.SSLContext | None = None) -> Iterator[HostileServer]:
    def send(client: socket.socket, head: bytes) -> None:
        client.sendall(answer if isinstance(answer, bytes) else b"")

    server = HostileServer(send if isinstance(answer, bytes) else answer, tls)
    try:
        yield server
    finally:
        server.close()


def fetcher_for(*servers: HostileServer, **overrides: Any) -> HttpFetcher:
    allowed = [f"127.0.0.1:{server.port}" for server in servers]
    return HttpFetcher(load_settings({}, allow_hosts=allowed, **overrides))


def answer(body: bytes = b"", *lines: str, status: str = "200 OK", length: int | None = None) -> bytes:
    head = [f"HTTP/1.1 {status}", *lines, f"Content-Length: {len(body) if length is None else length}", "", ""]
    return "\r\n".join(head).encode("latin-1") + body


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


def test_the_configured_headers_are_sent_and_the_framing_ones_are_not() -> None:
    with serving(answer(b"x")) as server:
        extra = {"X-Team": "blue", "accept": "text/plain", "Host": "evil.example", "Connection": "keep-alive"}
        fetcher_for(server, extra_headers=extra, user_agent="Test/1", accept_language="de").fetch(server.url)
    head = server.heads[0].lower()
    assert b"x-team: blue" in head and b"user-agent: test/1" in head and b"accept-language: de" in head
    assert head.count(b"accept: ") == 1 and b"evil.example" not in head and b"keep-alive" not in head


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


def flood(head: bytes, piece: bytes) -> Answering:
    def send(client: socket.socket, _: bytes) -> None:
        client.sendall(head)
        sent = 0
        while sent < 200_000_000:
            client.sendall(piece)
            sent += len(piece)
        raise AssertionError("all 200 MB were taken")

    return send


@pytest.mark.req("SS-2")
@pytest.mark.parametrize("behave", [drip, drip_headers, say_nothing])
def test_a_slow_server_is_cut_at_the_deadline(behave: Answering) -> None:
    with serving(behave) as server, pytest.raises(FetchTimeout, match=r"0\.3 s \(fetch_timeout_s\)"):
        fetcher_for(server, fetch_timeout_s=0.3).fetch(server.url)


BOMB = gzip.compress(bytes(20_000_000))
KILO = b"x" * 65_536
ENDLESS = {
    "body without length": (flood(b"HTTP/1.1 200 OK\r\n\r\n", KILO), PageTooLarge),
    "chunked body": (
        flood(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + KILO + b"\r\n"),
        PageTooLarge,
    ),
    "body of stated length": (flood(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", KILO), PageTooLarge),
    "one header": (flood(b"HTTP/1.1 200 OK\r\nX: ", KILO), HeadersTooLarge),
    "many headers": (flood(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000), HeadersTooLarge),
    "status line": (flood(b"HTTP/1.1 200 ", KILO), HeadersTooLarge),
    "chunk extension": (flood(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", KILO), HeadersTooLarge),
    "interim answers": (flood(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"), UnsupportedContent),
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
    assert re.search(r"max_\w+|no answer", caught.value.message)


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


# Redirects


def redirect(location: str, *lines: str, status: str = "302 Found") -> bytes:
    return answer(b"moved", f"Location: {location}", *lines, status=status)


@pytest.mark.req("SS-1")
@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:9/", "http://localhost/", "http://169.254.169.254/latest/", "file:///etc/passwd",
        "data:text/html,x", "javascript:alert(1)", "//10.0.0.1/", "http://2130706433/", "http://[::1]/",
        "http://[::ffff:7f00:1]/", "gopher://127.0.0.1/", "http://user@example.com/", "http://inner.example/",
        "http://0x7f.1/", "ftp://example.com/", "http://[::1/",
    ],
)  # fmt: skip
@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirect_to_where_nobody_may_go_is_refused(location: str, status: str) -> None:
    with serving(redirect(location, status=status)) as server:
        settings = load_settings({}, allow_hosts=[f"127.0.0.1:{server.port}"])
        fetcher = HttpFetcher(settings, lambda host, port: ("10.0.0.1",))
        for act in (fetcher.fetch, fetcher.probe, fetcher.download):
            with pytest.raises((BlockedAddress, UnsupportedContent)):
                act(server.url)
    assert len(server.heads) == 3


@pytest.mark.req("SS-1")
def test_a_redirect_to_another_port_of_an_allowed_host_is_refused() -> None:
    with serving(answer(b"secret")) as inner, serving(redirect(f"{inner.url}/admin")) as outer:
        with pytest.raises(BlockedAddress):
            fetcher_for(outer).fetch(outer.url)
        assert inner.heads == []
        assert fetcher_for(outer, inner).fetch(outer.url).url == f"{inner.url}/admin"


@pytest.mark.parametrize(
    ("location", "target"),
    [("/b?c", b"/b?c"), ("b", b"/a/b"), ("?d", b"/a/start?d"), ("../x y", b"/x%20y"), ("/\xc3\xbc", b"/%C3%BC")],
)
def test_a_relative_redirect_is_followed(location: str, target: bytes) -> None:
    def send(client: socket.socket, head: bytes) -> None:
        client.sendall(redirect(location) if b"GET /a/start HTTP" in head else answer(b"there"))

    with serving(send) as server:
        page = fetcher_for(server).fetch(f"{server.url}/a/start")
    assert page.body == b"there"
    assert server.heads[1].split()[1] == target


@pytest.mark.req("SS-2")
def test_a_redirect_loop_ends_early_and_a_long_chain_at_its_limit() -> None:
    def count_up(client: socket.socket, head: bytes) -> None:
        number = int(head.split()[1][1:] or b"0")
        client.sendall(redirect(f"/{number + 1}"))

    with serving(redirect("/again")) as server, pytest.raises(TooManyRedirects, match="circle"):
        fetcher_for(server).fetch(server.url)
    assert len(server.heads) == 2
    with serving(count_up) as server, pytest.raises(TooManyRedirects, match=r"10 \(max_redirects"):
        fetcher_for(server).fetch(f"{server.url}/0")
    assert len(server.heads) == 11


def test_a_server_that_wants_its_cookie_back_gets_it_and_no_other_server_does() -> None:
    def want_cookie(client: socket.socket, head: bytes) -> None:
        location = f"http://b.example:{other.port}/" if b"Cookie: seen=yes" in head else "/"
        client.sendall(redirect(location, "Set-Cookie: seen=yes; Path=/; HttpOnly", "Set-Cookie: s=1; Secure"))

    with serving(answer(b"done")) as other, serving(want_cookie) as server:
        allowed = [f"127.0.0.1:{server.port}", f"b.example:{other.port}"]
        settings = load_settings({}, allow_hosts=allowed, extra_headers={"Authorization": "t"})
        page = HttpFetcher(settings, lambda host, port: ("127.0.0.1",)).fetch(server.url)
    assert page.url == f"http://b.example:{other.port}/"
    assert b"Authorization: t" in server.heads[1] and b"s=1" not in server.heads[1]
    assert b"Cookie" not in other.heads[0] and b"Authorization" not in other.heads[0]


def test_a_redirect_without_a_place_to_go_is_a_page() -> None:
    with serving(answer(b"choose", status="302 Found")) as server:
        assert fetcher_for(server).fetch(server.url).status == 302


# DNS


@pytest.mark.req("SS-1")
def test_a_name_that_changes_its_answer_is_dialled_at_the_checked_address() -> None:
    answers = [("127.0.0.1",), ("10.0.0.1",), ("10.0.0.1",)]
    with serving(answer(b"pinned")) as server:
        settings = load_settings({}, allow_hosts=[f"shop.example:{server.port}"])
        page = HttpFetcher(settings, lambda host, port: answers.pop(0)).fetch(f"http://shop.example:{server.port}/")
    assert page.body == b"pinned" and len(answers) == 2
    assert b"Host: shop.example:%d\r\n" % server.port in server.heads[0]


@pytest.mark.req("SS-1")
def test_the_checked_address_is_dialled_without_asking_the_resolver_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def rebind(host: str, port: int, *_: object, **__: object) -> list[object]:
        asked.append(host)
        address = "127.0.0.1" if len(asked) == 1 else "127.0.0.2"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    with serving(answer(b"pinned")) as server:
        monkeypatch.setattr(socket, "getaddrinfo", rebind)
        settings = load_settings({}, allow_hosts=[f"shop.example:{server.port}"])
        assert HttpFetcher(settings).fetch(f"http://shop.example:{server.port}/").body == b"pinned"
    assert asked == ["shop.example"]


@pytest.mark.req("SS-1")
def test_a_redirect_back_to_a_rebound_name_is_checked_anew() -> None:
    answers = [("127.0.0.1",), ("93.184.215.14", "127.0.0.1")]
    with serving(redirect("http://rebind.example/")) as server:
        settings = load_settings({}, allow_hosts=[f"first.example:{server.port}"])
        with pytest.raises(BlockedAddress, match=r"rebind\.example leads to 127\.0\.0\.1"):
            HttpFetcher(settings, lambda host, port: answers.pop(0)).fetch(f"http://first.example:{server.port}/")


def test_the_second_address_is_tried_when_the_first_does_not_answer() -> None:
    with serving(answer(b"second")) as server:
        settings = load_settings({}, allow_hosts=[f"shop.example:{server.port}"])
        fetcher = HttpFetcher(settings, lambda host, port: ("::1", "127.0.0.1"))
        assert fetcher.fetch(f"http://shop.example:{server.port}/").body == b"second"


@pytest.mark.req("SS-1", "BR-6")
def test_through_the_configured_proxy_the_checked_address_is_asked_for() -> None:
    def tunnel(client: socket.socket, head: bytes) -> None:
        client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        server.heads.append(client.recv(65_536))
        client.sendall(answer(b"through"))

    with serving(tunnel) as server:
        settings = load_settings({}, proxy_server=server.url, proxy_username="u", proxy_password="p")
        fetcher = HttpFetcher(settings, lambda host, port: ("93.184.215.14",))
        assert fetcher.fetch("http://shop.example/a").body == b"through"
        with pytest.raises(BlockedAddress):
            fetcher.fetch("http://10.0.0.1/")
    assert server.heads[0].startswith(b"CONNECT 93.184.215.14:80 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic dTpw" in server.heads[0]
    assert server.heads[1].startswith(b"GET /a HTTP/1.1\r\nHost: shop.example\r\n")


@pytest.mark.parametrize("reply", [b"HTTP/1.1 407 No\r\n\r\n", b"nonsense\r\n\r\n", b""])
def test_a_proxy_that_refuses_is_an_unreachable_host(reply: bytes) -> None:
    with serving(reply) as server:
        fetcher = HttpFetcher(load_settings({}, proxy_server=server.url), lambda host, port: ("93.184.215.14",))
        with pytest.raises(UnreachableHost, match="upstream proxy"):
            fetcher.fetch("http://shop.example/a")


# TLS


def make_certificate(folder: Path, name: str) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


@pytest.mark.req("SS-1")
def test_the_certificate_is_checked_for_the_name_although_the_address_is_dialled(tmp_path: Path) -> None:
    names: list[str | None] = []
    context = make_certificate(tmp_path, "shop.example")
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    trusting = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
    with serving(answer(b"safe"), context) as server:
        pairs = [f"{host}:{server.port}" for host in ("shop.example", "other.example", "127.0.0.1")]
        settings = load_settings({}, allow_hosts=pairs)
        fetcher = HttpFetcher(settings, lambda host, port: ("127.0.0.1",), tls=trusting)
        assert fetcher.fetch(f"https://shop.example:{server.port}/").body == b"safe"
        for host in ("other.example", "127.0.0.1"):
            with pytest.raises(UnreachableHost, match="certificate of"):
                fetcher.fetch(f"https://{host}:{server.port}/")
        with pytest.raises(UnreachableHost, match="certificate of"):
            HttpFetcher(settings, lambda host, port: ("127.0.0.1",)).fetch(f"https://shop.example:{server.port}/")
    assert names[0] == "shop.example"


def test_a_server_that_speaks_no_tls_is_an_unreachable_host() -> None:
    with serving(answer(b"plain")) as server, pytest.raises(UnreachableHost, match="TLS"):
        fetcher_for(server).fetch(f"https://127.0.0.1:{server.port}/")


# Probes and downloads

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)


@pytest.mark.req("ME-1")
def test_a_probe_asks_for_a_range_and_follows_checked_redirects() -> None:
    def send(client: socket.socket, head: bytes) -> None:
        if b"GET /start" in head:
            client.sendall(redirect("/image"))
        else:
            client.sendall(answer(PNG, "Content-Range: bytes 0-107/5000", status="206 Partial Content"))

    with serving(send) as server:
        probed = fetcher_for(server).probe(f"{server.url}/start")
    assert (probed.url, probed.status, probed.size) == (f"{server.url}/image", 206, 5_000)
    assert probed.is_media and probed.mime == "image/png"
    assert b"Range: bytes=0-4095" in server.heads[1]


@pytest.mark.req("ME-1", "SS-2")
@pytest.mark.parametrize(
    "status", ["416 Range Not Satisfiable", "400 Bad Request", "403 No", "405 No", "500 Oh", "501 Not Implemented"]
)
def test_a_server_that_refuses_ranges_is_asked_without(status: str) -> None:
    def send(client: socket.socket, head: bytes) -> None:
        client.sendall(answer(b"", status=status) if b"Range:" in head else answer(PNG))

    with serving(send) as server:
        assert fetcher_for(server).probe(server.url).mime == "image/png"


@pytest.mark.req("ME-1", "SS-2")
def test_a_server_that_ignores_ranges_is_hung_up_on_after_the_first_bytes() -> None:
    with serving(flood(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n", KILO)) as server:
        probed = fetcher_for(server).probe(server.url)
    assert probed.mime == "video/mp4" and len(probed.prefix) == 4_096


@pytest.mark.req("ME-1")
def test_a_probe_of_a_packed_page_sees_its_first_bytes() -> None:
    packed = gzip.compress(b"%PDF-1.7" + bytes(100_000))
    with serving(answer(packed[:60], "Content-Encoding: gzip")) as server:
        assert fetcher_for(server).probe(server.url).mime == "application/pdf"


@pytest.mark.req("ME-1")
def test_the_public_probe_uses_the_settings_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(answer(b"%PDF-1.7")) as server:
        with pytest.raises(BlockedAddress):
            media.probe(server.url)
        monkeypatch.setenv("GLEANER_ALLOW_HOSTS", f"127.0.0.1:{server.port}")
        assert media.probe(server.url).is_media


@pytest.mark.req("ME-2")
def test_a_download_gives_bytes_type_and_name() -> None:
    with serving(answer(PNG, "Content-Disposition: attachment; filename*=UTF-8''gr%C3%BCn.png")) as server:
        file = fetcher_for(server).download(f"{server.url}/x")
    assert (file.body, file.mime, file.filename) == (PNG, "image/png", "grün.png")


@pytest.mark.req("ME-2", "SS-2")
@pytest.mark.parametrize(
    "behave",
    [
        answer(b"x" * 5_000, "Content-Type: image/png"),
        b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n" + b"x" * 5_000,
    ],
    ids=["stated", "found out"],
)
def test_media_over_the_limit_is_an_error_that_names_the_sizes(behave: bytes) -> None:
    with serving(behave) as server, pytest.raises(MediaTooLarge, match=r"4000 .*max_media_size|4000 \(max_media_size"):
        fetcher_for(server, max_media_size=4_000).download(server.url)


def test_binary_content_has_no_text() -> None:
    with serving(answer(PNG, "Content-Type: image/png")) as server:
        page = fetcher_for(server).fetch(server.url)
    assert page.body == PNG and page.text == ""


def test_every_error_is_one_of_the_tree() -> None:
    with serving(b"\x00") as server, pytest.raises(GleanerError):
        fetcher_for(server).fetch(server.url)
