"""Write the table of sizes in docs/deploy.md from what `sam build` made; with --check only compare.

python scripts/write_size_table.py [--check]. Sizes differ by some bytes from one build to the next: within TOLERANCE
the table stays, so that it is written anew only when something has changed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/deploy.md"
BUILT = ROOT / ".aws-sam/build"
BEGIN, END = "<!-- sizes: begin -->\n", "<!-- sizes: end -->"
LIMIT = 262_144_000
"""Bytes of a function with its layers, unpacked (AWS Lambda quotas)."""
TOLERANCE = 500_000
ROWS = {
    "core layer": ("CoreLayer",),
    "Chromium layer": ("ChromiumLayer",),
    "Playwright layer": ("PlaywrightLayer",),
    "MCP layer": ("McpLayer",),
    "documents layer": ("DocumentsLayer",),
    "render_page: core, Playwright and Chromium": (
        "CoreLayer",
        "PlaywrightLayer",
        "ChromiumLayer",
        "RenderPageFunction",
    ),
    "read_document: core and documents": ("CoreLayer", "DocumentsLayer", "ReadDocumentFunction"),
    "mcp_server: core and MCP": ("CoreLayer", "McpLayer", "McpServerFunction"),
    "every other function: core": ("CoreLayer", "HttpApiFunction"),
}


def size(folder: Path) -> int:
    """Give the bytes of all files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def table() -> str:
    """Give the table in Markdown."""
    sizes = {name: size(BUILT / name) for names in ROWS.values() for name in names}
    rows = {title: sum(sizes[name] for name in names) for title, names in ROWS.items()}
    lines = [f"| {title} | {total:,} |" for title, total in rows.items()]
    left = LIMIT - rows["render_page: core, Playwright and Chromium"]
    return (
        "\n".join(["| what | bytes |", "| --- | ---: |", *lines, f"| left of {LIMIT:,} for render_page | {left:,} |"])
        + "\n"
    )


def stated(text: str) -> list[int]:
    """Give the bytes that a table states, row by row."""
    return [int(number.replace(",", "")) for number in re.findall(r"\| ([\d,]+) \|$", text, re.MULTILINE)]


def is_near(one: str, other: str) -> bool:
    """Tell whether two tables say the same but for what builds differ by."""
    pairs = list(zip(stated(one), stated(other), strict=False))
    return len(pairs) == len(ROWS) + 1 and all(abs(first - second) <= TOLERANCE for first, second in pairs)


if __name__ == "__main__":
    from generated import keep_between

    if not (BUILT / "RenderPageFunction").is_dir():
        sys.exit("sam build has not run here: make sam-build")
    known = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    found = table()
    keep_between(PAGE, BEGIN, known if is_near(known, found) else found, END)
