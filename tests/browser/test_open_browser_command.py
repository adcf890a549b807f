"""``gleaner open-browser``: what it says when it can't open a window, and what it reports when it could."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from gleaner.adapters.browser.leases import ProfileLease
from gleaner.cli import run
from gleaner.contracts.settings import load_settings
from gleaner.wiring import WiredServices, open_master_browser

pytestmark = pytest.mark.req("BR-5", "CL-1")


@pytest.fixture
def services(tmp_path: Path, make_settings) -> Iterator[WiredServices]:
    made = WiredServices(
        make_settings(home=tmp_path, master_login_timeout_ms=1_000, master_login_refresh_interval_ms=100)
    )
    yield made
    made.close()


def test_without_a_display_the_command_says_where_to_run_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert run(["open-browser", "--home", str(tmp_path)]) == 78
    said = capsys.readouterr().err
    assert "no display" in said
    assert "Traceback" not in said


def test_a_profile_in_use_is_named_and_may_be_tried_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("GLEANER_BROWSER_MASTER_PROFILE_LOCK_TIMEOUT_MS", "0")
    services = WiredServices(load_settings(home=tmp_path))
    assert ProfileLease(services.blobs, services.settings.browser.default_profile_id).try_acquire()
    services.close()
    assert run(["open-browser", "--home", str(tmp_path)]) == 75
    assert "in use" in capsys.readouterr().err


def test_a_browser_that_cannot_open_a_window_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("GLEANER_BROWSER_EXECUTABLE_PATH", "/bin/false")
    assert run(["open-browser", "--home", str(tmp_path)]) == 75
    said = capsys.readouterr().err
    assert "the browser did not start" in said
    assert "Traceback" not in said


def test_a_session_reports_how_it_ended_and_what_was_saved(services: WiredServices, site) -> None:
    login = site.page("/login", "<script>document.cookie = 'session=ada'</script><p>done</p>")
    session = open_master_browser(services, login, headless=True)
    assert session == {"profile_id": "master", "ended": "timeout", "cookies": 1, "origins": 0}


@pytest.mark.req("SS-1")
def test_a_page_in_the_window_loads_nothing_from_inside_without_playwrights_arguments_either(
    site, make_settings, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.setblocking(False)
        base = f"http://127.0.0.1:{inside.getsockname()[1]}"
        tries = f"<img src={base}/1 onerror=next()><iframe src={base}/2 onload=next()></iframe>"
        after = f"let left = 3; const next = () => --left || fetch('/tried'); fetch('{base}/3').catch(next)"
        page = site.page("/loads", f"<script>{after}</script>{tries}")
        bare = make_settings(home=tmp_path, master_login_timeout_ms=4_000, ignore_all_default_args=True)
        services = WiredServices(bare)
        open_master_browser(services, page, headless=True)
        services.close()
        assert "/tried" in [path for path, _ in site.requests]
        with pytest.raises(BlockingIOError):
            inside.accept()
