"""A TCP server on loopback whose behaviour is one function."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

Answering = Callable[[socket.socket], None]


class RawServer:
    """A TCP server whose behaviour is one function over a socket; it keeps what the clients sent."""

    def __init__(self, answer: Answering) -> None:
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._one, args=(client,), daemon=True).start()

    def _one(self, client: socket.socket) -> None:
        client.settimeout(10)
        with client, contextlib.suppress(OSError):
            self._answer(client)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(60)


def read_head(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data and (more := connection.recv(65_536)):
        data += more
    return data


def read_all(connection: socket.socket) -> bytes:
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while more := connection.recv(65_536):
            data += more
    return data


@contextlib.contextmanager
def serving(answer: Answering) -> Iterator[RawServer]:
    server = RawServer(answer)
    try:
        yield server
    finally:
        server.close()
