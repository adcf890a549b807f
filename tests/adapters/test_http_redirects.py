"""Redirects, rebound names and proxies: each hop goes to a checked address, or nowhere."""

import socket

import pytest
from gleaner.adapters.http.fetch import HttpFetcher
from gleaner.contracts.errors import (
    BlockedAddress,
    TooManyRedirects,
    UnreachableHost,
    UnsupportedContent,
)
from gleaner.contracts.settings import load_settings

from tests.adapters.hostile_server import answer, fetcher_for, redirect, serving


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


@pytest.mark.req("SS-1")
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


@pytest.mark.req("SS-1")
@pytest.mark.req("SS-2")
@pytest.mark.parametrize("cookie", ["name=Gr\xfc\xdfe", "name=Gr\xc3\xbc\xc3\x9fe", "\xff=1"])
def test_a_cookie_of_any_bytes_goes_back_as_it_came(cookie: str) -> None:
    def want_cookie(client: socket.socket, head: bytes) -> None:
        is_back = f"Cookie: {cookie}\r\n".encode("latin-1") in head
        reply = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        first = f"HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: {cookie}; Path=/\r\nContent-Length: 0\r\n\r\n"
        client.sendall(reply if is_back else first.encode("latin-1"))

    with serving(want_cookie) as server:
        assert fetcher_for(server).fetch(server.url).body == b"ok"


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
