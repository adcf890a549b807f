"""An HTTP server on 127.0.0.1 for tests and demos."""

import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers requests without a word on stderr, each by one whole answer."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def read_body(self) -> bytes:
        """Give the request's body."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status: int, kind: str, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send an answer of this type ("": without one) and its size."""
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    """A thread for each connection, without a word on stderr about those that the other side broke off."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback of the error, unless the connection is gone."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class LoopbackServer:
    """Serves on 127.0.0.1, on a free port unless one is named, from its making until it is closed.

    ``handler`` finds this server as its class's ``owner``. ``address`` is one of the loopback device's.
    """

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0, address: str = "127.0.0.1") -> None:
        owned: Any = type(handler.__name__, (handler,), {"owner": self})
        self._server = _Server((address, port), owned)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def host(self) -> str:
        """The host:port pair, as GLEANER_ALLOW_HOSTS takes it."""
        return f"{self._server.server_address[0]}:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The root, without a slash at the end."""
        return f"http://{self.host}"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
