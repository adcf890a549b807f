"""A machine without a browser: pages come by plain HTTP, and each result says so (GT-1)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gleaner import Gleaner, wiring
from gleaner.adapters.browser import installing
from gleaner.adapters.browser.chromium import pinned_folders
from gleaner.cli import browsers, run
from gleaner.contracts.errors import InvalidSettings
from gleaner.testing import Site

ROOT = Path(__file__).parents[2]
STATIONS = [{"station": "", "altitude": ""}]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(wiring, "browser_found", lambda _: "")
    with Site(ROOT / "tests/fixtures/site") as site:
        yield site


@pytest.mark.req("GT-1")
def test_without_a_browser_a_page_comes_by_plain_http_and_the_result_says_so_once(site: Site, tmp_path: Path) -> None:
    with Gleaner(home=tmp_path, allow_hosts=[site.host]) as gleaner:
        result = gleaner.scrape(f"{site.url}/stations", output_schema=STATIONS)
        assert result.extraction is not None
        assert len(result.extraction.data) == 200
        said = [warning for warning in result.warnings if "gleaner install-browser" in warning]
        assert len(said) == 1
        assert "JavaScript was not run" in said[0]
        refused = gleaner.scrape(f"{site.url}/stations", format="screenshot")
        assert refused.status == "failed"
        assert refused.error is not None
        assert "gleaner install-browser" in refused.error.message
        unacted = gleaner.scrape(f"{site.url}/stations", actions=["scroll"])
        assert unacted.error is not None
        assert unacted.error.message.startswith("a request with actions needs a browser")


@pytest.mark.req("GT-1")
def test_a_browser_that_is_there_is_not_installed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "chrome"
    own.touch()
    monkeypatch.setenv("GLEANER_BROWSER_EXECUTABLE_PATH", str(own))
    assert run(["install-browser", "--home", str(tmp_path)]) == 0
    assert str(own) in capsys.readouterr().err


@pytest.mark.req("GT-1")
def test_a_browser_in_the_usual_data_folder_serves_every_other_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GLEANER_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    installed = tmp_path / "gleaner/chromium/1.0"
    installed.mkdir(parents=True)
    (installed / "fonts.conf").touch()
    assert installed in pinned_folders(tmp_path / "another")
    monkeypatch.setenv("GLEANER_HOME", str(tmp_path / "a third"))
    assert list(pinned_folders(tmp_path / "gleaner")).count(installed) == 1
    assert installed in pinned_folders(tmp_path / "a third")


@pytest.mark.req("GT-1")
def test_where_playwright_can_not_download_the_npm_registry_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(browsers, "browser_found", lambda _: "")
    monkeypatch.setattr(installing, "install_from_playwright", lambda: "cdn.example can't be reached")
    monkeypatch.setattr(installing, "runs_pinned_build", lambda: True)
    monkeypatch.setattr(installing.shutil, "which", lambda _: None)
    assert run(["install-browser", "--home", str(tmp_path)]) == InvalidSettings.exit_code
    said = " ".join(capsys.readouterr().err.split())
    assert "cdn.example can't be reached" in said
    assert "node and npm not found" in said
    assert not (tmp_path / "chromium").exists()
    monkeypatch.setattr(installing, "runs_pinned_build", lambda: False)
    assert run(["install-browser", "--home", str(tmp_path)]) == InvalidSettings.exit_code
    assert "no browser was installed: cdn.example can't be reached" in " ".join(capsys.readouterr().err.split())
