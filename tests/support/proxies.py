"""Small proxies on loopback, HTTP (CONNECT) and SOCKS5, and a page that says from where it was asked."""

import base64
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

ABROAD = "127.0.0.2"
"""The address that proxies connect from: a site tells by it from which country a visitor comes."""


@dataclass
class LoopbackProxy:
    """A proxy that connects to whatever address it is asked for, and notes it in ``targets``.

    ``credentials`` are what it asks for, ``user:password``; with ``refuses`` it connects to nothing.
    """

    scheme: str
    credentials: str = ""
    refuses: bool = False
    targets: list[str] = field(default_factory=list)
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._handle, args=(client,), daemon=True).start()

    def _handle(self, client: socket.socket) -> None:
        with suppress(OSError, ValueError), client, client.makefile("rb") as stream:
            target = self._asked_over_http(client, stream) if self.scheme == "http" else self._asked(client, stream)
            if target is None:
                return
            with socket.create_connection(target, source_address=(ABROAD, 0)) as server:
                client.sendall(b"HTTP/1.1 200 OK\r\n\r\n" if self.scheme == "http" else b"\5\0\0\1" + bytes(6))
                back = threading.Thread(target=pass_on, args=(server, client), daemon=True)
                back.start()
                pass_on(client, server)
                back.join()

    def _asked_over_http(self, client: socket.socket, stream) -> tuple[str, int] | None:
        line = stream.readline().decode()
        heads = list(iter(lambda: stream.readline() or b"\r\n", b"\r\n"))
        expected = b"Proxy-Authorization: Basic " + base64.b64encode(self.credentials.encode()) + b"\r\n"
        if self.credentials and expected not in heads:
            client.sendall(b"HTTP/1.1 407 Who?\r\n\r\n")
            return None
        method, _, target = line.partition(" ")
        if method != "CONNECT":  # no request of HTTP
            return None
        host, _, port = target.split()[0].rpartition(":")
        self.targets.append(f"{host}:{port}")
        if self.refuses:
            client.sendall(b"HTTP/1.1 403 No\r\n\r\n")
            return None
        return host.strip("[]"), int(port)

    def _asked(self, client: socket.socket, stream) -> tuple[str, int] | None:
        _, count = stream.read(2)
        method = 2 if self.credentials else 0
        if method not in stream.read(count):
            client.sendall(b"\5\xff")
            return None
        client.sendall(bytes([5, method]))
        if self.credentials:
            user = stream.read(stream.read(2)[1])
            password = stream.read(stream.read(1)[0])
            is_right = user + b":" + password == self.credentials.encode()
            client.sendall(b"\1\0" if is_right else b"\1\1")
            if not is_right:
                return None
        kind = stream.read(4)[3]
        size = {1: 4, 4: 16}[kind]
        host = socket.inet_ntop(socket.AF_INET if kind == 1 else socket.AF_INET6, stream.read(size))
        port = int.from_bytes(stream.read(2), "big")
        self.targets.append(f"{host}:{port}")
        if self.refuses:
            client.sendall(b"\5\2\0\1" + bytes(6))
            return None
        return host, port


def pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextmanager
def loopback_proxy(scheme: str, **options: object) -> Iterator[LoopbackProxy]:
    proxy = LoopbackProxy(scheme, **options)  # type: ignore[arg-type]
    threading.Thread(target=proxy.serve, daemon=True).start()
    try:
        yield proxy
    finally:
        with suppress(OSError):
            proxy.listener.shutdown(socket.SHUT_RDWR)
        proxy.listener.close()


def closed_port() -> int:
    """Give a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
