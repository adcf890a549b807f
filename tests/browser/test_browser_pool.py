"""Workers and settings: isolation, the pool's bounds, what is cleaned up, and what each setting does."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from gleaner.adapters.browser.pool import BrowserPool, LoopThread
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.errors import BlockedAddress, BrowserCrashed, InvalidSettings, QueueTimeout
from gleaner.contracts.ports import RenderOrder
from gleaner.wiring import browser_version


@pytest.fixture
def render_with(make_settings):
    """Render URLs one after the other in a renderer with settings of its own."""
    opened = []

    def render(*urls, **settings):
        renderer = PlaywrightRenderer(make_settings(**settings))
        opened.append(renderer)
        return [renderer.render(RenderOrder(url)) for url in urls]

    yield render
    for renderer in opened:
        renderer.close()


@pytest.mark.req("BR-1", "BR-4")
def test_pages_share_a_warm_browser_but_nothing_else(site, render_with):
    url = site.page(
        "/memory",
        "<p id=a></p><script>a.textContent = `cookie ${document.cookie} storage ${localStorage.k}`;"
        "document.cookie = 'k=1'; localStorage.k = 1</script>",
    )
    first, second = render_with(url, url)
    assert "cookie  storage undefined" in first.html
    assert "cookie  storage undefined" in second.html
    assert len({request[1]["User-Agent"] for request in site.requests if request[0] == "/memory"}) == 1


@pytest.mark.req("BR-4")
def test_the_pool_shows_as_many_pages_at_a_time_as_its_size_and_no_more(site, make_settings):
    meeting = threading.Barrier(2)
    site.routes["/meet"] = lambda handler: (meeting.wait(60), site.routes["/met"](handler))
    site.page("/met", "<p>met</p>")
    renderer = PlaywrightRenderer(make_settings(worker_pool_max_size_per_process=2, queue_offer_timeout_ms=100))
    gate = threading.Event()
    site.routes["/gate"] = lambda handler: (gate.wait(60), site.routes["/met"](handler))
    try:
        with ThreadPoolExecutor(3) as threads:
            met = [threads.submit(renderer.render, RenderOrder(site.url("/meet"))) for _ in range(2)]
            assert ["met" in one.result().html for one in met] == [True, True]
            names = [worker.name for worker in renderer.workers]
            assert names == [name for name in names if name.startswith(f"slave_{os.getpid()}_")]
            assert len(set(names)) == 2
            held = [threads.submit(renderer.render, RenderOrder(site.url("/gate"))) for _ in range(2)]
            while len([path for path, _ in site.requests if path == "/gate"]) < 2:
                pass
            with pytest.raises(QueueTimeout, match="100 ms"):
                renderer.render(RenderOrder(site.url("/met")))
            gate.set()
            assert [one.result().status for one in held] == [200, 200]
        assert renderer.render(RenderOrder(site.url("/met"))).status == 200
    finally:
        gate.set()
        renderer.close()


@pytest.mark.req("BR-4")
def test_the_least_number_of_workers_is_kept_ready(make_settings):
    renderer = PlaywrightRenderer(make_settings(worker_pool_min_size_per_process=2))
    try:
        renderer.warm_up()
        assert len(renderer.workers) == 2
    finally:
        renderer.close()
    assert renderer.workers == ()


@pytest.mark.req("BR-4")
def test_folders_of_dead_workers_are_removed_and_those_of_live_ones_kept(site, make_settings, tmp_path):
    root = tmp_path / "profiles"
    for name in ("slave_999999_0", "slave_1_7"):
        (root / name / "data").mkdir(parents=True)
        (root / f"{name}.lock").touch()
    (root / "master").mkdir()
    settings = make_settings(master_user_data_root=root)
    first, second = PlaywrightRenderer(settings), PlaywrightRenderer(settings)
    url = site.page("/any", "x")
    try:
        first.render(RenderOrder(url))
        second.render(RenderOrder(url))
        expected = {f"slave_{os.getpid()}_0", f"slave_{os.getpid()}_1", "master"}
        assert {path.name for path in root.iterdir() if path.is_dir()} == expected
    finally:
        first.close()
        second.close()
    assert {path.name for path in root.iterdir()} == {"master"}


CHILD = """
import sys
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.ports import RenderOrder
from gleaner.contracts.settings import load_settings
renderer = PlaywrightRenderer(load_settings({}, home=sys.argv[1], allow_hosts=[sys.argv[2]]))
page = renderer.render(RenderOrder(f"http://{sys.argv[2]}/any"))
print(page.status, renderer.workers[0].process_id, flush=True)
if len(sys.argv) > 3:
    sys.stdin.read()
"""


def is_alive(process_id: int) -> bool:
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.req("BR-4")
@pytest.mark.parametrize("end", ["exits", "is killed"])
def test_no_browser_outlives_its_process(site, tmp_path, end):
    site.page("/any", "x")
    command = [sys.executable, "-W", "error", "-c", CHILD, str(tmp_path), f"127.0.0.1:{site.port}"]
    child = subprocess.Popen(
        [*command, *(["wait"] if end == "is killed" else [])],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    status, browser = child.stdout.readline().split()
    assert status == "200"
    if end == "is killed":
        child.kill()
    _, errors = child.communicate(timeout=90)
    for _ in range(1_200):
        if not is_alive(int(browser)):
            break
        threading.Event().wait(0.05)
    assert not is_alive(int(browser))
    if end == "exits":
        assert errors == ""
        assert list((tmp_path / "profiles").iterdir()) == []


SETTINGS_PAGE = """<p id=a></p><script>const format = Intl.DateTimeFormat().resolvedOptions();
a.textContent = JSON.stringify({ua: navigator.userAgent, language: navigator.language, format: format.locale,
zone: format.timeZone, driven: navigator.webdriver, extra: window.extra})</script>"""


@pytest.mark.req("BR-6")
def test_what_a_page_sees_follows_the_settings(site, render_with):
    url = site.page("/settings", SETTINGS_PAGE)
    (page,) = render_with(
        url,
        user_agent="Gleaner/1.0",
        locale="de-DE",
        timezone_id="Asia/Tokyo",
        accept_language="fr-CH, fr;q=0.9",
        extra_headers={"X-Team": "blue"},
        stealth_enabled=True,
        stealth_script="window.extra = 'stealth'",
    )
    for expected in (
        '"ua":"Gleaner/1.0"',
        '"language":"fr-CH"',
        '"format":"de-DE"',
        '"zone":"Asia/Tokyo"',
        '"extra":"stealth"',
    ):
        assert expected in page.html
    headers = next(headers for path, headers in reversed(site.requests) if path == "/settings")
    assert headers["User-Agent"] == "Gleaner/1.0"
    assert headers["X-Team"] == "blue"
    assert headers["Accept-Language"].replace(" ", "") == "fr-CH,fr;q=0.9"


@pytest.mark.req("BR-6")
def test_user_agents_take_turns(site, render_with):
    url = site.page("/settings", SETTINGS_PAGE)
    pages = render_with(url, url, url, user_agents=["One/1", "Two/2"])
    assert [agent for page in pages for agent in ("One/1", "Two/2") if agent in page.html] == [
        "One/1",
        "Two/2",
        "One/1",
    ]


@pytest.mark.req("BR-6")
def test_stealth_without_a_script_hides_that_a_program_drives(site, renderer, render_with):
    url = site.page("/settings", SETTINGS_PAGE)
    plain = renderer.render(RenderOrder(url))
    (stealthy,) = render_with(url, stealth_enabled=True)
    assert '"driven":true' in plain.html
    assert '"driven"' not in stealthy.html.split("</script>")[0].split("<script>")[0]


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(
    "settings",
    [
        {"ignore_default_args": ["--mute-audio"], "launch_args": ["--disable-remote-fonts"]},
        {"single_process": True},
    ],
    ids=str,
)
def test_the_browser_starts_with_the_arguments_of_the_settings(site, render_with, settings):
    (page,) = render_with(site.page("/settings", SETTINGS_PAGE), user_agent="Gleaner/1.0", **settings)
    assert '"ua":"Gleaner/1.0"' in page.html


@pytest.mark.req("BR-6", "SS-1")
def test_without_default_arguments_pages_still_go_through_the_filtering_proxy(site, make_settings):
    away = site.page("/away2", "<script>location.href = 'http://127.0.0.1:9001/'</script>")
    renderer = PlaywrightRenderer(make_settings(ignore_all_default_args=True, user_agent="Gleaner/1.0"))
    try:
        page = renderer.render(RenderOrder(site.page("/settings", SETTINGS_PAGE)))
        assert '"ua":"Gleaner/1.0"' in page.html
        with pytest.raises(BlockedAddress):
            renderer.render(RenderOrder(away))
    finally:
        renderer.close()


@pytest.mark.req("BR-6")
def test_the_upstream_proxy_of_the_settings_is_used(site, render_with):
    asked = []

    def tunnel(listener):
        connection, _ = listener.accept()
        with connection:
            asked.append(connection.recv(9999).decode())
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            connection.recv(9999)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 16\r\n\r\n<p>from proxy</p"
            )

    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=tunnel, args=(listener,), daemon=True)
        thread.start()
        server = f"http://127.0.0.1:{listener.getsockname()[1]}"
        (page,) = render_with(site.url("/x"), proxy_server=server, proxy_username="u", proxy_password="p")
        thread.join(60)
    assert "from proxy" in page.html
    assert "Proxy-Authorization: Basic dTpw" in asked[0]


@pytest.mark.req("BR-6")
@pytest.mark.parametrize(
    "settings", [{"executable_path": "/no/such/browser"}, {"browser_channel": "chrome-canary"}], ids=str
)
def test_a_browser_that_is_not_there_is_an_error_that_names_the_setting(site, render_with, settings):
    with pytest.raises(InvalidSettings, match=f"{next(iter(settings))}.*"):
        render_with(site.page("/any", "x"), **settings)


@pytest.mark.req("BR-6")
@pytest.mark.parametrize("changes", [{"timezone_id": "Mars/Base"}, {"locale": "x-mars"}], ids=str)
@pytest.mark.parametrize("single_process", [False, True])
def test_a_place_that_only_the_browser_knows_not_to_be_is_an_error_that_names_the_setting(
    site, make_settings, changes, single_process
):
    settings = make_settings(single_process=single_process)  # as where there is no tz database to look into
    unchecked = settings.model_copy(update={"browser": settings.browser.model_copy(update=changes)})
    renderer = PlaywrightRenderer(unchecked)
    try:
        with pytest.raises(InvalidSettings, match=f"browser_{next(iter(changes))}.* the browser reports Invalid"):
            renderer.render(RenderOrder(site.page("/any", "x")))
    finally:
        renderer.close()


@pytest.mark.req("BR-6")
def test_a_program_that_is_no_browser_is_an_error(site, render_with):
    with pytest.raises(BrowserCrashed, match=r"^the browser did not start: process did exit: exitCode=0[^\n]*$"):
        render_with(site.page("/any", "x"), executable_path="/bin/true")


@pytest.mark.req("BR-6")
def test_what_a_browser_says_that_does_not_start_is_told(site, render_with, tmp_path):
    chrome = tmp_path / "chrome"
    chrome.write_text("#!/bin/sh\necho 'chrome: error while loading shared libraries: libnss3.so' >&2\nexit 127\n")
    chrome.chmod(0o755)
    with pytest.raises(BrowserCrashed, match=r"^the browser did not start: chrome: error .* libnss3\.so; [^\n]*127"):
        render_with(site.page("/any", "x"), executable_path=str(chrome))


@pytest.mark.req("BR-1", "SS-1")
def test_the_browser_gets_no_secrets_of_this_process(site, make_settings, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "top-secret")
    monkeypatch.setenv("LD_PRELOAD_NOTE", "x")
    renderer = PlaywrightRenderer(make_settings())
    try:
        renderer.render(RenderOrder(site.page("/any", "x")))
        environment = Path(f"/proc/{renderer.workers[0].process_id}/environ").read_bytes()
    finally:
        renderer.close()
    names = {entry.partition(b"=")[0] for entry in environment.split(b"\0") if entry}
    assert b"top-secret" not in environment
    assert names <= {b"PATH", b"HOME", b"TMPDIR", b"LANG", b"FONTCONFIG_FILE", b"LD_LIBRARY_PATH"}


@pytest.mark.req("BR-1")
def test_where_the_browser_was_found_is_told(make_settings):
    _, _, path = browser_version(make_settings()).partition(": ")
    assert Path(path).is_file()


@pytest.mark.req("BR-1")
def test_many_pages_in_a_row_renew_the_browser(site, make_settings, monkeypatch):
    monkeypatch.setattr("gleaner.adapters.browser.pool.PAGES_PER_BROWSER", 3)
    renderer = PlaywrightRenderer(make_settings())
    url = site.page("/any", "x")
    try:
        seen = []
        for _ in range(7):
            renderer.render(RenderOrder(url))
            seen.append(tuple(worker.process_id for worker in renderer.workers))
    finally:
        renderer.close()
    assert len(set(seen) - {()}) == 3


@pytest.mark.req("BR-1")
def test_in_the_cloud_each_page_gets_a_new_browser(site, make_settings):
    settings = make_settings().model_copy(update={"cloud": True})
    renderer = PlaywrightRenderer(settings)
    try:
        assert renderer.render(RenderOrder(site.page("/any", "<p>x</p>"))).status == 200
        assert renderer.workers == ()
    finally:
        renderer.close()


@pytest.mark.req("BR-4", "EX-9")
def test_a_browser_that_starts_too_late_for_its_page_serves_the_next(make_settings, monkeypatch):
    async def start_late() -> tuple[BrowserPool, object]:
        pool, late = BrowserPool(make_settings(), None), SimpleNamespace(usable=True, idle_since=0.0)

        async def start() -> object:
            await asyncio.sleep(0.01)
            return late

        monkeypatch.setattr(pool, "_start_worker", start)
        with pytest.raises(QueueTimeout, match="in time"):
            async with pool.worker(ends_at=time.time() - 1):
                pass
        await asyncio.gather(*pool._tasks)
        return pool, late

    pool, late = asyncio.run(start_late())
    assert pool._idle == [late]


@pytest.mark.req("BR-1", "CL-1")
@pytest.mark.parametrize(
    ("said", "reports"), [("Connection closed while reading from the driver", 0), ("something else", 1)]
)
def test_a_driver_that_is_ended_with_all_of_a_service_leaves_no_trace(
    caplog: pytest.LogCaptureFixture, said: str, reports: int
) -> None:
    async def leave_an_answer_to_nobody() -> None:
        asyncio.get_running_loop().create_future().set_exception(Exception(said))

    thread = LoopThread()
    thread.run(leave_an_answer_to_nobody())
    gc.collect()
    thread.stop()
    assert len(caplog.records) == reports
