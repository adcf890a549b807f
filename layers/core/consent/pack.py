"""Pack the rule set that knows consent dialogs into the gleaner package: python pack.py [NODE_MODULES].

npm ci fetches what the lock file names, and refuses a tarball whose hash differs; with NODE_MODULES it was run before.
The archive holds three files of @duckduckgo/autoconsent, unchanged, and its licence (MPL-2.0).
"""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "src/gleaner/adapters/browser/consent/autoconsent.zip"
PACKAGE = "@duckduckgo/autoconsent"
FILES = ("LICENSE", "package.json", "rules/rules.json", "dist/autoconsent.playwright.js")
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of each file in the archive: the same files make the same bytes."""


def main(node_modules: Path | None) -> None:
    """Write the archive, at once; without npm, say what will be missing."""
    if node_modules is not None:
        pack(node_modules / PACKAGE)
        return
    npm = shutil.which("npm")
    if npm is None:
        sys.stderr.write("npm not found: consent dialogs will not be answered. Install Node.js 20 or newer\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=folder, check=True)  # noqa: S603
        pack(Path(folder) / "node_modules" / PACKAGE)


def pack(package: Path) -> None:
    """Write the package's files into the archive."""
    part = TARGET.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as archive:
        for name in FILES:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, (package / name).read_bytes())
    part.replace(TARGET)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
