"""What the scripts that write pages from the code have in common: they write, or with --check only compare."""

import sys
from pathlib import Path


def keep(target: Path, text: str) -> None:
    """Write the page; with --check end with an error when it is another one."""
    if "--check" not in sys.argv:
        target.write_text(text, "utf-8")
    elif target.read_text("utf-8") != text:
        sys.exit(f"{target} is not what the code says: run {sys.argv[0]}")


def keep_between(page: Path, begin: str, text: str, end: str) -> None:
    """Write what stands between two marks of a page, or compare it."""
    before, _, rest = page.read_text("utf-8").partition(begin)
    keep(page, before + begin + text + end + rest.partition(end)[2])
