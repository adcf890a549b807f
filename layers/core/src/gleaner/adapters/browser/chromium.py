"""Find the browser, and build its arguments and environment (BR-1, SS-1)."""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from gleaner.contracts.errors import InvalidSettings
from gleaner.contracts.settings import Settings, desktop_variables, usual_homes

LAYER = Path("/opt/chromium")
"""Where the Lambda layer holds chromium.zst and, beside it, fonts."""

UNPACKED = Path("/tmp/gleaner-chromium")  # noqa: S108 - the only folder that a Lambda function may write to
INSTALLED_NAMES = ("chromium-headless-shell", "google-chrome-stable", "google-chrome", "chromium", "chromium-browser")
INSTALLED_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
)
DOWNLOAD_FOLDERS = (".cache/ms-playwright", "Library/Caches/ms-playwright", "AppData/Local/ms-playwright")

BASE_ARGUMENTS = (
    "--no-zygote",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",  # QUIC would go around the filtering proxy, as would WebRTC and the browser's own DNS
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--no-pings",
)


@dataclass(frozen=True, slots=True)
class BrowserBuild:
    """A browser to start. ``executable`` is None where Playwright finds it by ``channel``."""

    executable: Path | None
    source: str
    channel: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


def find_browser(settings: Settings, *, headed: bool = False) -> BrowserBuild:
    """Find a browser: the one set, the Lambda layer's, the installed pinned one, Chrome or Chromium, Playwright's own.

    The pinned one can't open a window, so it is skipped for ``headed``. InvalidSettings says how to get one when
    there is none.
    """
    if build := find_browser_or_none(settings, headed=headed):
        return build
    raise InvalidSettings(NO_WINDOW if headed else NO_BROWSER)


def find_browser_or_none(settings: Settings, *, headed: bool = False) -> BrowserBuild | None:
    """Find a browser as find_browser() does; InvalidSettings when the one that is set is not there."""
    browser = settings.browser
    if browser.executable_path:
        if not browser.executable_path.is_file():
            raise InvalidSettings(f"browser_executable_path: there is no file {browser.executable_path}")
        return BrowserBuild(browser.executable_path, "executable_path")
    if browser.browser_channel:
        return BrowserBuild(None, "browser_channel", channel=browser.browser_channel)
    if not headed and (LAYER / "chromium.zst").is_file():
        return pinned_build(unpack_layer(LAYER, UNPACKED), "layer")
    for folder in () if headed else pinned_folders(settings.home):
        return pinned_build(folder, "pinned")
    for executable in installed_browsers():
        if not headed or "headless" not in executable.name:
            return BrowserBuild(executable, "installed")
    return None


NO_WINDOW = (
    "no browser with a window found: install Chrome or Chromium, run `playwright install chromium`, or set "
    "GLEANER_BROWSER_EXECUTABLE_PATH"
)
NO_BROWSER = (
    "no browser found: run `gleaner install-browser`, install Chrome or Chromium, or set "
    "GLEANER_BROWSER_EXECUTABLE_PATH"
)


def pinned_folders(home: Path) -> Iterator[Path]:
    """Give the folders that `install-browser` filled: in the checkout above this file, in ``home``, in the usual one.

    The command is run once, mostly without a data folder; a browser that it installed serves all others, too.
    """
    checkouts = (parent / ".chromium" for parent in Path(__file__).resolve().parents)
    for root in (*checkouts, *(folder / "chromium" for folder in dict.fromkeys((home, *usual_homes())))):
        for marker in sorted(root.glob("*/fonts.conf"), reverse=True) if root.is_dir() else ():
            yield marker.parent


def pinned_build(folder: Path, source: str) -> BrowserBuild:
    """Give the build in a folder of {chromium, lib/, fonts.conf}, with its own libraries where the system has none."""
    environment = {"FONTCONFIG_FILE": str(folder / "fonts.conf")}
    if source == "layer" or lacks_libraries(folder / "chromium"):
        libraries = LAYER.parent / "lib" if source == "layer" else folder / "lib"
        environment["LD_LIBRARY_PATH"] = str(libraries)
    return BrowserBuild(folder / "chromium", source, environment=environment)


@lru_cache
def lacks_libraries(executable: Path) -> bool:
    """Tell whether the system misses a shared library that the program needs."""
    ldd = shutil.which("ldd")
    if not ldd:
        return False
    listing = subprocess.run([ldd, str(executable)], check=False, capture_output=True, text=True, timeout=20)  # noqa: S603
    return "not found" in listing.stdout


def installed_browsers() -> Iterator[Path]:
    """Give Chrome and Chromium as they are installed on this machine, then what Playwright downloaded."""
    for name in INSTALLED_NAMES:
        if found := shutil.which(name):
            yield Path(found)
    yield from (Path(path) for path in INSTALLED_PATHS if Path(path).is_file())
    for folder in DOWNLOAD_FOLDERS:
        for pattern in (
            "chromium-*/chrome-*/chrome",
            "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell*",
            "chromium-*/chrome-*/*.app/Contents/MacOS/*",
            "chromium-*/*/*.exe",
        ):
            yield from sorted((Path.home() / folder).glob(pattern), reverse=True)


def unpack_layer(layer: Path, target: Path) -> Path:
    """Unpack the layer's browser once per execution environment; a later caller finds it whole or not at all."""
    if target.is_dir():
        return target
    import zstandard

    part = Path(tempfile.mkdtemp(prefix=f"{target.name}-", suffix=".part", dir=target.parent))
    with (layer / "chromium.zst").open("rb") as packed, (part / "chromium").open("wb") as plain:
        zstandard.ZstdDecompressor().copy_stream(packed, plain, write_size=4_194_304)
    (part / "chromium").chmod(0o755)
    with (
        (layer / "swiftshader.tar.zst").open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as stream,
        tarfile.open(fileobj=stream, mode="r|") as archive,
    ):
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11 has it from 3.11.4 on
        archive.extractall(part)  # noqa: S202 - the layer's own archive
    (part / "cache").mkdir()
    template = (layer / "fonts.conf").read_text("utf-8")
    fonts = template.replace("@FONTS@", str(layer / "fonts")).replace("@CACHE@", str(target / "cache"))
    (part / "fonts.conf").write_text(fonts, "utf-8")
    try:
        part.rename(target)
    except OSError:  # another invocation was faster
        shutil.rmtree(part, ignore_errors=True)
    return target


def launch_options(
    settings: Settings, build: BrowserBuild, scratch: Path, *, headless: bool, proxy_url: str | None
) -> dict[str, Any]:
    """Give the keyword arguments with which Playwright starts the build; ``scratch`` is its home and temporary folder.

    The environment is made from nothing: credentials of this process never reach the browser. ``proxy_url`` is the
    filtering proxy; Playwright's own option is used because it closes Chromium's way around it for loopback.
    """
    bare = settings.browser.ignore_all_default_args
    arguments = browser_arguments(settings)
    environment = {**build.environment, **font_environment(build, settings.home / "fonts", scratch)}
    options: dict[str, Any] = {
        "headless": headless,
        "args": [*needed_arguments(scratch, proxy_url, headless=headless), *arguments] if bare else arguments,
        "env": {**environment, **scrubbed_environment(scratch, headless=headless)},
        "ignore_default_args": bare or list(settings.browser.ignore_default_args),
        "executable_path": build.executable and str(build.executable),
        "channel": build.channel,
        "proxy": {"server": proxy_url} if proxy_url else None,
        **dict.fromkeys(("handle_sigint", "handle_sigterm", "handle_sighup"), False),
    }
    return {name: value for name, value in options.items() if value not in (None, [])}


def font_environment(build: BrowserBuild, fonts: Path, scratch: Path) -> dict[str, str]:
    """Let a browser find the fonts of a folder beside those that its build knows; {} where there is no such folder."""
    if sys.platform != "linux" or not fonts.is_dir():
        return {}
    known = build.environment.get("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    config = scratch / "fonts.conf"
    config.write_text(
        f'<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>'
        f"<include>{escape(known)}</include><dir>{escape(str(fonts.resolve()))}</dir></fontconfig>",
        "utf-8",
    )
    return {"FONTCONFIG_FILE": str(config)}


def browser_arguments(settings: Settings) -> list[str]:
    """Give the browser's command line as the settings ask for it."""
    single = ["--single-process"] if settings.browser.single_process else []
    return [*BASE_ARGUMENTS, *single, *settings.browser.launch_args]


def needed_arguments(scratch: Path, proxy_url: str | None, *, headless: bool) -> list[str]:
    """Give what stays when all of Playwright's own arguments are left out: its pipe, a profile, the filtering proxy."""
    return [
        *(["--headless"] if headless else []),
        "--remote-debugging-pipe",
        "--no-sandbox",
        "--no-first-run",
        f"--user-data-dir={scratch / 'data'}",
        *([f"--proxy-server={proxy_url}", "--proxy-bypass-list=<-loopback>"] if proxy_url else []),
        "about:blank",
    ]


def scrubbed_environment(folder: Path, *, headless: bool) -> dict[str, str]:
    """Give an environment that holds no secrets: a path, a scratch folder as home, and a display for a window."""
    environment = {"PATH": os.defpath, "HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8"}
    if sys.platform == "win32":
        return {**environment, "SYSTEMROOT": "C:\\Windows", "TEMP": str(folder), "TMP": str(folder)}
    return environment if headless else {**environment, **desktop_variables()}
