"""Runs in the peers' own environment (`make peers`), which knows nothing of this project: JSON in, JSON out.

The task on standard input is ``{"tool": name, "pages": [...]}``; the answer is a list with one entry a page, null where
the tool failed. ``trafilatura``: a page is ``{"file"}``, the answer its text. ``autoscraper``: a page is ``{"file",
"url", "examples": {field: [texts]}}``, the answer what each field's rule gives on the same page.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any


def trafilatura(page: dict[str, Any]) -> Any:
    html = Path(page["file"]).read_bytes().decode("utf-8", "replace")
    return import_module("trafilatura").extract(html, include_comments=True, include_tables=True) or ""


def autoscraper(page: dict[str, Any]) -> Any:
    html = Path(page["file"]).read_bytes().decode("utf-8", "replace")
    scraper = import_module("autoscraper").AutoScraper()
    scraper.build(url=page["url"], html=html, wanted_dict=page["examples"])
    return scraper.get_result_similar(
        url=page["url"], html=html, group_by_alias=True, unique=False, keep_order=True, keep_blank=True
    )


TOOLS: dict[str, Callable[[dict[str, Any]], Any]] = {"trafilatura": trafilatura, "autoscraper": autoscraper}


def main() -> None:
    task = json.load(sys.stdin)
    answers: list[Any] = []
    started = process_time()
    for page in task["pages"]:
        try:
            answers.append(TOOLS[task["tool"]](page))
        except Exception as error:  # noqa: BLE001 - a peer may fail in any way: that page is not answered
            print(f"{page['file']}: {type(error).__name__}: {error}", file=sys.stderr)
            answers.append(None)
    json.dump({"answers": answers, "seconds": process_time() - started}, sys.stdout)


if __name__ == "__main__":
    main()
