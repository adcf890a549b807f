"""The browser's layers: pinned by version and hash, packed so that the function finds a browser, and small enough."""

import importlib.util
import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from gleaner.adapters.browser import chromium

ROOT = Path(__file__).parents[2]


@pytest.mark.req("BR-1")
def test_the_driver_in_the_layer_is_the_one_that_the_tests_run():
    layer = re.findall(
        r"^playwright==(\S+)", (ROOT / "layers/playwright/requirements.txt").read_text("utf-8"), re.MULTILINE
    )
    core = tomllib.loads((ROOT / "layers/core/pyproject.toml").read_text("utf-8"))
    wanted = [name for name in core["project"]["optional-dependencies"]["browser"] if name.startswith("playwright==")]
    assert wanted == [f"playwright=={layer[0]}"]


@pytest.mark.req("BR-1")
def test_every_package_of_the_layers_is_pinned_by_hash():
    for name in ("playwright/requirements.txt", "chromium/requirements-build.txt", "mcp/requirements.txt"):
        lines = (ROOT / "layers" / name).read_text("utf-8").splitlines()
        packages = [at for at, line in enumerate(lines) if re.match(r"[a-z]", line)]
        assert packages
        assert all("==" in lines[at] and "--hash=sha256:" in lines[at + 1] for at in packages)
    for folder in ("chromium", "core/consent"):
        lock = json.loads((ROOT / "layers" / folder / "package-lock.json").read_text("utf-8"))
        assert all("integrity" in package for path, package in lock["packages"].items() if path)


@pytest.mark.parametrize("program", ["/no/such/strip", "true"])
def test_a_layer_that_could_not_be_made_small_is_not_built(tmp_path, program):
    command = ["make", "-C", str(ROOT / "layers/playwright"), "build-PlaywrightLayer"]
    command += [f"ARTIFACTS_DIR={tmp_path}", f"STRIP={program}"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 2
    assert f"GNU strip is needed ({program} is none)" in built.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def unpacked(tmp_path):
    """What unpack.mjs makes of the npm package, in small."""
    folder = tmp_path / "unpacked"
    for name, text in {
        "chromium": "#!/bin/sh\n" * 5000, "lib/libnss3.so": "nss", "fonts/Open_Sans/a.ttf": "font",
        "libEGL.so": "egl", "libvulkan.so.1": "vulkan", "vk_swiftshader_icd.json": "{}",
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.req("BR-1")
def test_what_the_layer_holds_is_unpacked_to_a_browser_with_fonts(unpacked, tmp_path, monkeypatch, make_plain_settings):
    spec = importlib.util.spec_from_file_location("pack", ROOT / "layers/chromium/pack.py")
    pack = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pack)
    pack.main(unpacked, tmp_path / "opt")
    monkeypatch.setattr(chromium, "LAYER", tmp_path / "opt/chromium")
    monkeypatch.setattr(chromium, "UNPACKED", tmp_path / "out/browser")
    (tmp_path / "out").mkdir()
    build = chromium.find_browser(make_plain_settings())
    again = chromium.find_browser(make_plain_settings())
    assert build == again
    assert build.executable.read_text() == (unpacked / "chromium").read_text()
    assert build.executable.stat().st_mode & 0o111
    assert (build.executable.parent / "libvulkan.so.1").read_text() == "vulkan"
    assert build.environment["LD_LIBRARY_PATH"] == str(tmp_path / "opt/lib")
    fonts = Path(build.environment["FONTCONFIG_FILE"]).read_text()
    assert f"<dir>{tmp_path / 'opt/chromium/fonts'}</dir>" in fonts
    assert "@" not in re.sub(r"<!--.*?-->", "", fonts)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["browser"]  # no .part is left behind


@pytest.fixture
def make_plain_settings(tmp_path):
    from gleaner.contracts.settings import load_settings

    return lambda **overrides: load_settings({}, **{"home": tmp_path / "home", **overrides})


@pytest.mark.req("BR-6")
def test_a_browser_is_looked_for_in_the_order_that_is_promised(tmp_path, monkeypatch, make_plain_settings):
    own, installed = tmp_path / "own", tmp_path / "installed"
    for path in (own, installed):
        path.touch()
    home = tmp_path / "home/chromium/1.0"
    home.mkdir(parents=True)
    (home / "fonts.conf").touch()
    monkeypatch.setattr(chromium, "installed_browsers", lambda: iter([installed]))
    monkeypatch.setattr(chromium, "__file__", str(tmp_path / "elsewhere/chromium.py"))
    assert chromium.find_browser(make_plain_settings(executable_path=own)).executable == own
    assert chromium.find_browser(make_plain_settings(browser_channel="chrome")).channel == "chrome"
    assert chromium.find_browser(make_plain_settings()).executable == home / "chromium"
    (home / "fonts.conf").unlink()
    assert chromium.find_browser(make_plain_settings()).executable == installed
    monkeypatch.setattr(chromium, "installed_browsers", lambda: iter(()))
    with pytest.raises(chromium.InvalidSettings, match="gleaner install-browser"):
        chromium.find_browser(make_plain_settings())
