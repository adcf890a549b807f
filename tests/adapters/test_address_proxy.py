"""The address proxy against hostile clients, servers and resolvers on loopback."""

import asyncio
import base64
import contextlib
import os
import re
import socket
import threading
from pathlib import Path

import pytest
from gleaner.adapters.http.address_proxy import AddressProxy, ProxyLimits, UpstreamProxy
from gleaner.adapters.http.proxy_messages import MalformedMessage, parse_answer, parse_request
from gleaner.addresses import Policy, ResolvedUrl
from gleaner.contracts.errors import (
    BlockedAddress,
    GleanerError,
    HeadersTooLarge,
    InvalidSettings,
    UnreachableHost,
    UnsupportedContent,
)
from gleaner.contracts.settings import load_settings
from hypothesis import example, given
from hypothesis import strategies as st

from tests.adapters.raw_server import RawServer, read_all, read_head, serving


def echo_head(client: socket.socket) -> None:
    head = read_head(client)
    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: keep-alive\r\n\r\n" % len(head) + head)
    read_all(client)  # as servers that keep the connection open whatever they are asked


def echo_bytes(client: socket.socket) -> None:
    while data := client.recv(65_536):
        client.sendall(data)


def ask(proxy: AddressProxy, message: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as connection:
        connection.sendall(message)
        head = read_head(connection)
        found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        while found and len(head.partition(b"\r\n\r\n")[2]) < int(found[1]) and (more := connection.recv(65_536)):
            head += more
        return head


def open_tunnel(proxy: AddressProxy, server: RawServer) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", proxy.port), 10)
    connection.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % server.port)
    assert read_head(connection) == b"HTTP/1.1 200 Connection established\r\n\r\n"
    return connection


def get(url: str, *lines: str) -> bytes:
    return "\r\n".join((f"GET {url} HTTP/1.1", *lines, "", "")).encode()


def policy_for(server: RawServer, host: str = "127.0.0.1") -> Policy:
    return Policy(allow=(f"{host}:{server.port}",))


@pytest.mark.req("SS-1")
def test_a_plain_request_reaches_an_allowed_server_in_origin_form() -> None:
    with serving(echo_head) as server, AddressProxy(policy_for(server)) as proxy:
        url = f"http://127.0.0.1:{server.port}/a?b=c"
        answer = ask(proxy, get(url, "Host: elsewhere.example", "Proxy-Connection: keep-alive", "Accept: x/y", "Te: a"))
    head, _, seen = answer.partition(b"\r\n\r\n")
    assert b"Connection: close" in head and b"keep-alive" not in head
    assert seen.startswith(b"GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % server.port)
    assert b"Accept: x/y" in seen and b"elsewhere" not in seen and b"Proxy" not in seen and b"Te:" not in seen


@pytest.mark.req("SS-1")
def test_a_tunnel_carries_bytes_both_ways() -> None:
    payload = os.urandom(3_000_000)
    with serving(echo_bytes) as server, AddressProxy(policy_for(server)) as proxy, open_tunnel(proxy, server) as tunnel:
        sender = threading.Thread(target=tunnel.sendall, args=(payload,))
        sender.start()
        received = b""
        while len(received) < len(payload):
            received += tunnel.recv(65_536)
        sender.join()
        tunnel.shutdown(socket.SHUT_WR)
        assert tunnel.recv(1) == b""
    assert received == payload


REFUSED_AUTHORITIES = (
    "127.0.0.1:80", "localhost:80", "10.0.0.1:80", "169.254.169.254:80", "2130706433:80", "0x7f.1:80", "127.1:80",
    "0177.0.0.1:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "[64:ff9b::7f00:1]:80", "localhost.:80",
    "metadata.google.internal:80", "rebind.example:80", "mixed.example:80", "93.184.215.14:25", "[fe80::1]:443",
)  # fmt: skip


def attacker_names(host: str, port: int) -> tuple[str, ...]:
    return {"rebind.example": ("127.0.0.1",), "mixed.example": ("93.184.215.14", "10.0.0.1")}.get(host, ())


@pytest.mark.req("SS-1")
@pytest.mark.parametrize("authority", REFUSED_AUTHORITIES)
def test_internal_targets_are_refused_as_plain_requests_and_as_tunnels(authority: str) -> None:
    with AddressProxy(Policy(), attacker_names) as proxy:
        for message in (get(f"http://{authority}/"), f"CONNECT {authority} HTTP/1.1\r\n\r\n".encode()):
            answer = ask(proxy, message)
            assert answer.startswith(b"HTTP/1.1 403 "), answer
            assert b"x-gleaner-blocked: 1" in answer
        assert proxy.blocked
        assert isinstance(proxy.error_for(f"http://{authority}/x"), BlockedAddress)


@pytest.mark.req("SS-1")
def test_a_page_can_not_reach_another_port_than_the_allowed_one() -> None:
    with serving(echo_head) as allowed, serving(echo_head) as other, AddressProxy(policy_for(allowed)) as proxy:
        assert ask(proxy, get(f"http://127.0.0.1:{other.port}/")).startswith(b"HTTP/1.1 403 ")
        assert ask(proxy, get(f"http://localhost:{allowed.port}/")).startswith(b"HTTP/1.1 403 ")
        assert [(target.host, target.port) for target in proxy.blocked] == [
            ("127.0.0.1", other.port),
            ("localhost", allowed.port),
        ]
    assert other.connections == 0


@pytest.mark.req("SS-1")
def test_a_name_that_changes_its_answer_is_dialled_at_the_checked_address() -> None:
    answers = [("127.0.0.1",), ("10.0.0.1",)]
    with serving(echo_head) as server:
        policy = Policy(allow=(f"shop.example:{server.port}",))
        with AddressProxy(policy, lambda host, port: answers.pop(0)) as proxy:
            assert ask(proxy, get(f"http://shop.example:{server.port}/")).startswith(b"HTTP/1.1 200 ")
    assert answers == [("10.0.0.1",)]


@pytest.mark.req("SS-1")
def test_a_second_request_on_a_plain_connection_goes_nowhere() -> None:
    with serving(echo_head) as server, AddressProxy(policy_for(server)) as proxy:
        first = get(f"http://127.0.0.1:{server.port}/one")
        answer = ask(proxy, first + get("http://127.0.0.1:1/two", "Cookie: secret=1"))
    assert b"/one" in answer and b"secret" not in answer


def test_when_the_browser_hangs_up_so_does_the_proxy() -> None:
    gone = threading.Event()

    def keep_open(client: socket.socket) -> None:
        echo_head(client)
        gone.set()

    with serving(keep_open) as server, AddressProxy(policy_for(server)) as proxy:
        assert ask(proxy, get(f"http://127.0.0.1:{server.port}/")).startswith(b"HTTP/1.1 200 ")
        assert gone.wait(60)


@pytest.mark.req("SS-1")
def test_a_server_can_not_feign_the_mark_of_a_refusal() -> None:
    def feign(client: socket.socket) -> None:
        read_head(client)
        client.sendall(
            b"HTTP/1.1 403 Blocked\r\nX-Gleaner-Blocked: 1\r\nX-Gleaner-Error: 1\r\nContent-Length: 0\r\n\r\n"
        )

    with serving(feign) as server, AddressProxy(policy_for(server)) as proxy:
        answer = ask(proxy, get(f"http://127.0.0.1:{server.port}/"))
        assert not proxy.blocked
    assert b"leaner" not in answer


def test_a_body_with_a_length_is_sent_on() -> None:
    def take(client: socket.socket) -> None:
        data = read_head(client)
        while not data.endswith(b"END"):
            data += client.recv(65_536)
        client.sendall(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    with serving(take) as server, AddressProxy(policy_for(server)) as proxy:
        head = f"POST http://127.0.0.1:{server.port}/ HTTP/1.1\r\nContent-Length: 200003\r\n\r\n".encode()
        answer = ask(proxy, head + b"x" * 200_000 + b"END")
    assert answer.startswith(b"HTTP/1.1 200 OK") and answer.endswith(b"ok")


MALFORMED = (
    (b"hello\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    (b"GET ftp://a.example/ HTTP/1.1\r\n\r\n", 400),
    (b"GET file:///etc/passwd HTTP/1.1\r\n\r\n", 400),
    (b"CONNECT a.example HTTP/1.1\r\n\r\n", 400),
    (b"CONNECT user@127.0.0.1:80 HTTP/1.1\r\n\r\n", 400),
    (b"GET http://93.184.215.14/ HTTP/1.1\r\nbad line\r\n\r\n", 400),
    (b"GET http://93.184.215.14/ HTTP/1.1\r\nA: b\x00c\r\n\r\n", 400),
    (b"POST http://93.184.215.14/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
    (b"POST http://93.184.215.14/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    (b"GET http://93.184.215.14/ HTTP/1.1\r\nA: " + b"x" * 300_000 + b"\r\n\r\n", 431),
)


HEAD_LINES = (
    b"GET http://a.example/ HTTP/1.1", b"CONNECT a.example:443 HTTP/1.1", b"HTTP/1.1 200 OK", b"", b"A: b", b": x",
    b"Content-Length: 5", b"Connection: close, content-length", b"Transfer-Encoding: chunked", b"A: b\n\nC: d",
)  # fmt: skip
heads = st.lists(st.binary(max_size=30) | st.sampled_from(HEAD_LINES), max_size=8).map(b"\r\n".join)


@pytest.mark.req("SS-1")
def test_each_request_goes_to_its_own_place_of_a_server_that_was_looked_up_before() -> None:
    def echo(client: socket.socket) -> None:
        body = read_head(client).split(b" ")[1]
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    with serving(echo) as server, AddressProxy(policy_for(server)) as proxy:
        for path in ("/a", "/b?c"):
            assert ask(proxy, get(f"http://127.0.0.1:{server.port}{path}")).endswith(f"\r\n{path}".encode())


@pytest.mark.req("SS-1")
@example(b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 5\r\nConnection: close, content-length")
@given(heads)
def test_no_head_is_passed_on_unless_it_is_well_formed(head: bytes) -> None:
    with contextlib.suppress(MalformedMessage):
        request = parse_request(head)
        size = request.body_size
        sent = request.rewritten(ResolvedUrl("http://a.example/x", "http", "a.example", 80, (), False))
        assert sent.count(b"\r\n\r\n") == 1 and sent.endswith(b"\r\n\r\n")
        assert not size or b"content-length: %d\r\n" % size in sent.lower()
    with contextlib.suppress(MalformedMessage):
        answer = parse_answer(head).rewritten()
        assert answer.count(b"\r\n\r\n") == 1 and answer.endswith(b"\r\n\r\n")


@pytest.mark.req("SS-1", "SS-2")
@pytest.mark.parametrize(("message", "status"), MALFORMED)
def test_what_is_no_proxy_request_is_refused(message: bytes, status: int) -> None:
    with AddressProxy(Policy(), lambda host, port: ()) as proxy:
        assert ask(proxy, message).startswith(b"HTTP/1.1 %d " % status)


BAD_ANSWERS: dict[str, tuple[bytes, type[GleanerError]]] = {
    "garbage": (b"not http\r\n\r\n", UnsupportedContent),
    "garbage without an end": (b"\x00\x01\x02", UnsupportedContent),
    "nothing": (b"", UnreachableHost),
    "upgrade": (b"HTTP/1.1 101 Switching\r\n\r\n", UnsupportedContent),
    "interim answers only": (b"HTTP/1.1 103 Early\r\n\r\n" * 99, UnsupportedContent),
    "large head": (b"HTTP/1.1 200 OK\r\nA: " + b"x" * 200_000, HeadersTooLarge),
    "large head that ends": (b"HTTP/1.1 200 OK\r\nA: " + b"x" * 200_000 + b"\r\n\r\nok", HeadersTooLarge),
}


@pytest.mark.req("SS-2")
@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_an_answer_that_is_no_http_becomes_a_bad_gateway_with_its_reason(name: str) -> None:
    sent, error = BAD_ANSWERS[name]

    def send(client: socket.socket) -> None:
        read_head(client)
        client.sendall(sent)

    with serving(send) as server, AddressProxy(policy_for(server)) as proxy:
        url = f"http://127.0.0.1:{server.port}/"
        answer = ask(proxy, get(url))
        assert answer.startswith(b"HTTP/1.1 502 ")
        assert f"x-gleaner-error: {error('').error_type}".encode() in answer
        assert type(proxy.error_for(url)) is error


def test_an_unreachable_target_is_a_bad_gateway_with_its_reason() -> None:
    with serving(echo_head) as server:
        policy = policy_for(server)
        url = f"http://127.0.0.1:{server.port}/"
    with AddressProxy(policy) as proxy:
        answer = ask(proxy, get(url))
        assert answer.startswith(b"HTTP/1.1 502 ") and b"x-gleaner-error: unreachable_host" in answer
        assert isinstance(proxy.error_for(url), UnreachableHost)
        assert not proxy.blocked


@pytest.mark.req("SS-1")
def test_through_an_upstream_proxy_the_checked_address_is_asked_for() -> None:
    seen: list[bytes] = []

    def upstream_answer(client: socket.socket) -> None:
        seen.append(read_head(client))
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        echo_head(client)

    with serving(upstream_answer) as server:
        settings = load_settings(
            {}, proxy_server=f"http://127.0.0.1:{server.port}", proxy_username="u", proxy_password="p"
        )
        with AddressProxy.from_settings(settings, lambda host, port: ("93.184.215.14",)) as proxy:
            answer = ask(proxy, get("http://shop.example/x"))
            assert ask(proxy, b"CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 403 ")
    assert b"GET /x HTTP/1.1\r\nHost: shop.example\r\n" in answer
    (connect,) = seen
    assert connect.startswith(b"CONNECT 93.184.215.14:80 HTTP/1.1\r\n")
    assert b"Basic " + base64.b64encode(b"u:p") in connect


def test_an_upstream_proxy_that_is_no_http_proxy_is_a_setting_to_mend() -> None:
    with pytest.raises(InvalidSettings, match="socks5"):
        UpstreamProxy.from_settings(load_settings({}, proxy_server="socks5://127.0.0.1:1080"))
    for wrong in (
        "socks5://ada:sesame@127.0.0.1:1080",
        "http://ada:sesame@127.0.0.1:99999",
        "http://ada:1:sesame/2@a.example:80",
    ):
        with pytest.raises(InvalidSettings, match="proxy_server") as refused:
            UpstreamProxy.from_settings(load_settings({}, proxy_server=wrong))
        assert "sesame" not in str(refused.value)


@pytest.mark.req("BR-6")
def test_hosts_of_the_bypass_list_do_not_use_the_upstream_proxy() -> None:
    bypass = "direct.example, *.near.example,.bücher.example, 10.0.0.0/8"
    upstream = UpstreamProxy.from_settings(load_settings({}, proxy_server="proxy.example", proxy_bypass=bypass))
    assert upstream is not None
    past = ("direct.example", "x.near.example", "a.xn--bcher-kva.example", "10.1.2.3")
    assert [upstream.serves(host) for host in ("a.example", *past)] == [True, False, False, False, False]
    with pytest.raises(InvalidSettings, match="proxy_bypass: '<local>' is not a host"):
        UpstreamProxy.from_settings(load_settings({}, proxy_server="proxy.example", proxy_bypass="<local>"))


@pytest.mark.req("SS-2")
def test_an_idle_connection_is_dropped() -> None:
    limits = ProxyLimits(idle_timeout_s=0.2)
    with (
        serving(echo_bytes) as server,
        AddressProxy(policy_for(server), limits=limits) as proxy,
        open_tunnel(proxy, server) as connection,
    ):
        assert read_all(connection) == b""


@pytest.mark.req("SS-2")
def test_an_endless_answer_is_cut_at_the_cap() -> None:
    def endless(client: socket.socket) -> None:
        read_head(client)
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            client.sendall(b"x" * 65_536)

    limits = ProxyLimits(max_received_bytes=1_000_000)
    with serving(endless) as server, AddressProxy(policy_for(server), limits=limits) as proxy:
        url = f"http://127.0.0.1:{server.port}/"
        with socket.create_connection(("127.0.0.1", proxy.port), 10) as connection:
            connection.sendall(get(url))
            assert len(read_all(connection)) <= 1_100_000
        assert ask(proxy, get(url)).startswith(b"HTTP/1.1 200 ")  # each connection counts for itself


def count_open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files in /proc")
def test_a_thousand_connections_leave_nothing_open() -> None:
    with serving(echo_head) as server, AddressProxy(policy_for(server)) as proxy:
        plain = get(f"http://127.0.0.1:{server.port}/")
        ask(proxy, plain)
        before = count_open_files()
        for _ in range(500):
            assert ask(proxy, plain).startswith(b"HTTP/1.1 200 ")
            assert ask(proxy, b"CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 403 ")
        assert len(proxy.blocked) == 1
    assert count_open_files() <= before


def test_stopping_ends_open_tunnels_and_the_thread() -> None:
    before = {thread for thread in threading.enumerate() if thread.name == "address-proxy"}
    with serving(echo_bytes) as server:
        proxy = AddressProxy(policy_for(server)).start()
        with open_tunnel(proxy, server) as connection:
            proxy.stop()
            assert read_all(connection) == b""
        proxy.stop()
    assert {thread for thread in threading.enumerate() if thread.name == "address-proxy"} <= before
    with pytest.raises(UnreachableHost):
        _ = proxy.port


@pytest.mark.req("SS-1")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_forked_child_gets_a_proxy_of_its_own_and_the_parents_goes_on() -> None:
    with serving(echo_head) as server, AddressProxy(policy_for(server)) as proxy:
        message = get(f"http://127.0.0.1:{server.port}/")
        parent_port = proxy.port
        child = os.fork()
        if child == 0:
            with contextlib.suppress(Exception):
                served = ask(proxy.start(), message).startswith(b"HTTP/1.1 200 ")
                os._exit(0 if served and proxy.port != parent_port else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert proxy.port == parent_port
        assert ask(proxy, message).startswith(b"HTTP/1.1 200 ")


def test_the_proxy_serves_a_browser_like_crowd_at_once() -> None:
    async def one(port: int, message: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(message)
        head = await reader.readuntil(b"\r\n\r\n")
        writer.close()
        return head

    async def crowd(port: int, message: bytes) -> list[bytes]:
        return await asyncio.gather(*(one(port, message) for _ in range(100)))

    with serving(echo_head) as server, AddressProxy(policy_for(server)) as proxy:
        heads = asyncio.run(crowd(proxy.port, get(f"http://127.0.0.1:{server.port}/")))
    assert all(head.startswith(b"HTTP/1.1 200 ") for head in heads)
