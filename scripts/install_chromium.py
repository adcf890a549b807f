"""Install the Chromium that Gleaner renders with: python scripts/install_chromium.py [--into FOLDER].

Puts .chromium/VERSION/{chromium,lib/,fonts/,fonts.conf} into the checkout (or FOLDER/VERSION) from the npm package that
layers/chromium/package-lock.json pins by version and hash. Needs node and npm. A second run finds the folder and ends.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYER = ROOT / "layers/chromium"
PACKAGE = "node_modules/@sparticuz/chromium"
SYSTEM_PACKAGES = ("libnss3", "libnspr4", "libexpat1", "libgcc-s1")


def main() -> int:
    """Install unless it is there; the exit code says whether a browser can be used."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--into", type=Path, default=ROOT / ".chromium", help="folder of the installations")
    target = parser.parse_args().into.resolve() / pinned_version()
    if (target / "fonts.conf").exists():
        return 0
    if (sys.platform, platform.machine()) not in {("linux", "x86_64"), ("linux", "AMD64")}:
        return explain_other_platforms()
    if problem := missing_tools():
        print(problem, file=sys.stderr)
        return 1
    install(target)
    print(f"Chromium {target.name} is in {target}")
    return supply_libraries(target)


def pinned_version() -> str:
    """Give the version that the lock file names."""
    lock = json.loads((LAYER / "package-lock.json").read_text("utf-8"))
    return str(lock["packages"][PACKAGE]["version"])


def explain_other_platforms() -> int:
    """Say what is used where the npm package does not run; not an error, as tests can run with those."""
    print(
        f"The pinned Chromium is for Linux on x86-64, this is {sys.platform} on {platform.machine()}. An installed "
        "Chrome or Chromium is used; without one run: .venv/bin/playwright install chromium"
    )
    return 0


def missing_tools() -> str:
    """Say which tool is missing, or give ''."""
    missing = [tool for tool in ("node", "npm") if not shutil.which(tool)]
    if not missing:
        return ""
    return (
        f"{' and '.join(missing)} not found: install Node.js 20 or newer (https://nodejs.org), or name a browser of "
        "your own in GLEANER_BROWSER_EXECUTABLE_PATH"
    )


def install(target: Path) -> None:
    """Fetch, check and unpack into a .part folder, then rename, so that nobody sees half of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, suffix=".part") as folder:
        part = Path(folder)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LAYER / name, part / name)
        # npm ci fetches exactly what the lock names, and refuses a tarball whose hash differs.
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=part)
        unpacked = part / "unpacked"
        run("node", str(LAYER / "unpack.mjs"), str(part / PACKAGE), str(unpacked), cwd=part)
        (unpacked / "cache").mkdir()
        (unpacked / "fonts.conf").write_text(fonts_conf(target), "utf-8")
        publish(unpacked, target)


def publish(unpacked: Path, target: Path) -> None:
    """Rename the folder into place; another installer that was faster has made the same one."""
    if target.exists() and not (target / "fonts.conf").exists():
        shutil.rmtree(target)
    try:
        unpacked.rename(target)
    except OSError:
        if not (target / "fonts.conf").exists():
            raise


def fonts_conf(target: Path) -> str:
    """Fill in where the fonts are, and where fontconfig may keep its cache."""
    template = (LAYER / "fonts.conf").read_text("utf-8")
    return template.replace("@FONTS@", str(target / "fonts")).replace("@CACHE@", str(target / "cache"))


def run(*command: str, cwd: Path) -> None:
    """Run a tool; its own words explain a failure."""
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout[-1000:]}{done.stderr[-2000:]}")


def missing_libraries(target: Path) -> list[str]:
    """Name the shared libraries that neither the system nor the package has."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(target / "lib")}
    listing = subprocess.run(
        ["ldd", str(target / "chromium")], check=False, capture_output=True, text=True, env=environment
    )
    return [line.split()[0] for line in listing.stdout.splitlines() if "not found" in line]


def supply_libraries(target: Path) -> int:
    """Install what is missing where we may; else say what to do."""
    missing = missing_libraries(target)
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-q", "-y", *SYSTEM_PACKAGES]):
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        missing = missing_libraries(target)
    if missing:
        print(
            f"Chromium lacks {', '.join(missing)}. On Debian or Ubuntu run: sudo apt-get install "
            f"{' '.join(SYSTEM_PACKAGES)}; on Fedora: sudo dnf install nss nspr expat libgcc",
            file=sys.stderr,
        )
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
