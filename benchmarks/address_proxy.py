"""What the address proxy costs: a page of many resources in Chromium with and without it, and its bare throughput.

Run: python benchmarks/address_proxy.py [--resources 100] [--rounds 5]
"""

import argparse
import asyncio
import socket
import statistics
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

from gleaner.adapters.browser.chromium import BASE_ARGUMENTS, find_browser
from gleaner.adapters.http.address_proxy import AddressProxy
from gleaner.addresses import Policy
from gleaner.contracts.settings import load_settings
from playwright.sync_api import Browser, sync_playwright

BULK = bytes(64_000_000)


class Site:
    """A small asyncio web server on loopback: / is a page of images, /N.svg an image, /bulk 64 MB."""

    def __init__(self, resources: int) -> None:
        images = "".join(f"<img src='/{number}.svg' width=9 height=9>" for number in range(resources))
        self._page = f"<!doctype html><title>t</title>{images}".encode()
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self.port = 0

        async def serve() -> None:
            server = await asyncio.start_server(self._answer, "127.0.0.1", 0, backlog=500)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()

        threading.Thread(target=self._run, args=(serve,), daemon=True).start()
        started.wait(5)

    def _run(self, serve: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._loop.run_until_complete(serve())

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split()[1]
                body, kind = self._page, b"text/html"
                if path.endswith(b".svg"):
                    body, kind = b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"image/svg+xml"
                elif path == b"/bulk":
                    body, kind = BULK, b"application/octet-stream"
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind, len(body)))
                writer.write(body)
                await writer.drain()
                if b"Connection: close" in head:
                    break
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def time_page(browser: Browser, url: str, rounds: int) -> float:
    times: list[float] = []
    for number in range(rounds + 1):
        context = browser.new_context()
        page = context.new_page()
        begin = time.perf_counter()
        page.goto(f"{url}?{number}", wait_until="load")
        times.append((time.perf_counter() - begin) * 1000)
        context.close()
    return statistics.median(times[1:])


def time_bulk(port: int, message: bytes) -> float:
    begin = time.perf_counter()
    received = 0
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(message)
        while received < len(BULK) and (data := connection.recv(262_144)):
            received += len(data)
    return received / (time.perf_counter() - begin) / 1e6


def time_requests(port: int, message: bytes, count: int = 1_000) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(message)
            while connection.recv(65_536):
                pass
    return (time.perf_counter() - begin) / count * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    site = Site(options.resources)
    url = f"http://127.0.0.1:{site.port}/"
    build = find_browser(load_settings())
    with AddressProxy(Policy(allow=(f"127.0.0.1:{site.port}",))) as proxy, sync_playwright() as playwright:
        launch: dict[str, Any] = {
            "executable_path": build.executable,
            "args": list(BASE_ARGUMENTS),
            "env": {**build.environment, "HOME": "/tmp"},
        }
        direct = playwright.chromium.launch(**launch)
        proxied = playwright.chromium.launch(**launch, proxy={"server": proxy.url})
        direct_ms = time_page(direct, url, options.rounds)
        proxied_ms = time_page(proxied, url, options.rounds)
        direct.close()
        proxied.close()
        close = b"GET /1.svg HTTP/1.1\r\nConnection: close\r\n\r\n"
        plain = f"GET {url}1.svg HTTP/1.1\r\n\r\n".encode()
        rows = (
            (f"page of {options.resources} images, load event", f"{direct_ms:.0f} ms", f"{proxied_ms:.0f} ms"),
            (
                "one small request on a new connection",
                f"{time_requests(site.port, close):.2f} ms",
                f"{time_requests(proxy.port, plain):.2f} ms",
            ),
            (
                "64 MB download",
                f"{time_bulk(site.port, b'GET /bulk HTTP/1.1' + bytes((13, 10, 13, 10))):.0f} MB/s",
                f"{time_bulk(proxy.port, f'GET {url}bulk HTTP/1.1'.encode() + bytes((13, 10, 13, 10))):.0f} MB/s",
            ),
        )
    print("| | direct | through the proxy |\n|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
