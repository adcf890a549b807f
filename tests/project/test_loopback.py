"""The server of tests and demos: a client that leaves is no error, a fault of a handler is one."""

import socket
import struct
import threading

import pytest
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer


def ask(server: LoopbackServer, *, breaks_off: bool) -> None:
    host, port = server.host.split(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        if breaks_off:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            client.recv(1)


@pytest.mark.parametrize(("breaks_off", "lines"), [(True, 0), (False, 1)])
def test_a_connection_that_breaks_off_leaves_no_traceback_and_a_fault_does(
    capsys: pytest.CaptureFixture[str], breaks_off: bool, lines: int
) -> None:
    before = set(threading.enumerate())
    ended = threading.Event()

    class Handler(LoopbackHandler):
        def do_GET(self) -> None:
            if not breaks_off:
                raise ValueError("a fault of the handler")
            try:
                while True:
                    self.wfile.write(b"x" * 65_536)
            finally:
                ended.set()

    with LoopbackServer(Handler) as server:
        ask(server, breaks_off=breaks_off)
        assert not breaks_off or ended.wait(60)
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
    assert capsys.readouterr().err.count("Traceback") == lines
