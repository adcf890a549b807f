"""A web site on loopback that tests fill as they go, and a renderer that may reach it."""

import base64
import hashlib
import http.server
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from gleaner.adapters.browser.chromium import find_browser
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.ports import RenderedPage, RenderOrder
from gleaner.contracts.settings import Settings, load_settings
from gleaner.testing.loopback import LoopbackHandler
from playwright.sync_api import Browser, sync_playwright

Answer = Callable[[LoopbackHandler], None]


class Handler(LoopbackHandler):
    """Answers from the routes of its server."""

    def do_GET(self) -> None:
        site = self.server.site  # type: ignore[attr-defined]
        site.requests.append((self.path, dict(self.headers)))
        answer = site.routes.get(self.path.partition("?")[0])
        try:
            if answer is None:
                reply(self, b"no such page", status=404)
            else:
                answer(self)
        except OSError:  # the browser has gone away
            self.close_connection = True

    do_POST = do_GET


def reply(
    handler: LoopbackHandler,
    body: bytes,
    content_type: str = "text/html; charset=utf-8",
    status: int = 200,
    **headers: str,
) -> None:
    handler.answer(status, content_type, body, {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass
class Site:
    """Routes by path; ``url`` gives a path's URL under one of the two names of this machine."""

    port: int = 0
    routes: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def page(self, path: str, html: str, content_type: str = "text/html; charset=utf-8", **options: object) -> str:
        body = html.encode()
        self.routes[path] = lambda handler: reply(handler, body, content_type, **options)  # type: ignore[arg-type]
        return self.url(path)

    def hang(self, path: str) -> str:
        """Make a path whose answer never comes, while the test runs."""
        self.routes[path] = lambda handler: (self.hold.wait(60), None)[1]
        return self.url(path)

    def slow(self, path: str, body: str, seconds: float, content_type: str = "text/html") -> str:
        """Make a path whose answer takes its time."""

        def answer(handler: LoopbackHandler) -> None:
            time.sleep(seconds)
            reply(handler, body.encode(), content_type)

        self.routes[path] = answer
        return self.url(path)

    def socket(self, path: str, texts: list[str], gap_s: float, endless: bool = False) -> str:
        """Make a web socket that says the texts one by one."""

        def answer(handler: LoopbackHandler) -> None:
            key = handler.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            handler.send_response(101)
            handler.send_header("Upgrade", "websocket")
            handler.send_header("Connection", "Upgrade")
            handler.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
            handler.end_headers()
            handler.close_connection = True
            while True:
                for text in texts:
                    time.sleep(gap_s)
                    handler.wfile.write(bytes([0x81, len(text.encode())]) + text.encode())
                if not endless:
                    self.hold.wait(60)
                if self.hold.is_set():
                    return

        self.routes[path] = answer
        return self.url(path).replace("http:", "ws:")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def own_site() -> Iterator[Site]:
    found = Site()
    server = Server(("127.0.0.1", 0), Handler)
    server.site = found  # type: ignore[attr-defined]
    found.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield found
    found.hold.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def site(own_site: Site) -> Site:
    """The site that pages are rendered of; a module may have another one."""
    return own_site


@pytest.fixture(autouse=True)
def _requests_of_this_test_alone(own_site: Site) -> None:
    """Forget what earlier tests asked the site for: a test may look for what was not asked."""
    own_site.requests.clear()


@pytest.fixture(scope="session")
def make_settings(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Settings]:
    home = tmp_path_factory.mktemp("home")

    def make(**overrides: object) -> Settings:
        allowed = [f"127.0.0.1:{site.port}", f"localhost:{site.port}"]
        return load_settings({}, **{"home": home, "allow_hosts": allowed, **overrides})

    return make


@pytest.fixture(scope="session")
def home(make_settings: Callable[..., Settings]) -> Path:
    return make_settings().home


@pytest.fixture(scope="session")
def renderer(make_settings: Callable[..., Settings]) -> Iterator[PlaywrightRenderer]:
    found = PlaywrightRenderer(make_settings())
    yield found
    found.close()


@pytest.fixture
def show(site: Site, renderer: PlaywrightRenderer) -> Callable[..., RenderedPage]:
    """Render a piece of HTML as a page of the site."""

    def show_html(html: str, path: str = "/shown", **order: object) -> RenderedPage:
        return renderer.render(RenderOrder(site.page(path, html), **order))  # type: ignore[arg-type]

    return show_html


@pytest.fixture(scope="session")
def wide_renderer(make_settings):
    """A renderer for many pages at a time, as most of the time is waiting; on a loaded machine it waits longer."""
    found = PlaywrightRenderer(make_settings(worker_pool_max_size_per_process=4, stability_max_wait_ms=60_000))
    yield found
    found.close()


@pytest.fixture(scope="session")
def show_all(site, wide_renderer):
    """Render pages side by side; give them by name."""

    def render(htmls):
        urls = [site.page(f"/side/{name.replace(' ', '-')}", html) for name, html in htmls.items()]
        with ThreadPoolExecutor(8) as threads:
            pages = threads.map(lambda url: wide_renderer.render(RenderOrder(url)), urls)
            return dict(zip(htmls, pages, strict=True))

    return render


@pytest.fixture(scope="module")
def chromium(make_settings: Callable[..., Settings]) -> Iterator[Browser]:
    """A browser that tests drive themselves, to look at our own pages."""
    build = find_browser(make_settings())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=build.executable, args=["--no-sandbox"], env={**os.environ, **build.environment}
        )
        yield browser
        browser.close()
