"""A server on loopback that answers as no server should, and fetchers that may reach it."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from typing import Any

from gleaner.adapters.http.fetch import HttpFetcher
from gleaner.contracts.settings import load_settings

from tests.adapters.raw_server import RawServer

TLS_HELLO = b"\x16\x03"
KILO = b"x" * 65_536
Answering = Callable[[socket.socket, bytes], None]


class HostileServer(RawServer):
    """A TCP server that answers each request head by a function; it keeps the heads it was sent."""

    def __init__(self, answer: Answering, tls: ssl.SSLContext | None = None) -> None:
        self._answer_head = answer
        self._tls = tls
        self.heads: list[bytes] = []
        self.is_closing = threading.Event()
        super().__init__(self._read_and_answer)

    def _read_and_answer(self, plain: socket.socket) -> None:
        with self._tls.wrap_socket(plain, server_side=True) if self._tls else plain as client:
            head = b""
            while b"\r\n\r\n" not in head and not head.startswith(TLS_HELLO) and (data := client.recv(65_536)):
                head += data
            self.heads.append(head)
            self._answer_head(client, head)

    def close(self) -> None:
        self.is_closing.set()
        super().close()


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


def redirect(location: str, *lines: str, status: str = "302 Found") -> bytes:
    return answer(b"moved", f"Location: {location}", *lines, status=status)


def flood(head: bytes, piece: bytes) -> Answering:
    def send(client: socket.socket, _: bytes) -> None:
        client.sendall(head)
        sent = 0
        while sent < 200_000_000:
            client.sendall(piece)
            sent += len(piece)
        raise AssertionError("all 200 MB were taken")

    return send
