"""Runs in the peers' own environment (`make peers`), which knows nothing of this project: JSON in, JSON out.

The task on standard input is ``{"tool": name, "pages": [...]}``; the answers are one a page, null where the tool failed
or took longer than ``SECONDS`` of processor time. ``trafilatura``: a page is ``{"file"}``, the answer its text.
``autoscraper``: a page is ``{"file", "url", "examples": {field: [texts]}}``, the answer what each rule of each field
gives on the same page.
"""

import json
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

SECONDS = 15.0


class TooSlow(Exception):
    """A page took too long."""


def trafilatura(page: dict[str, Any]) -> Any:
    html = Path(page["file"]).read_bytes().decode("utf-8", "replace")
    return import_module("trafilatura").extract(html, include_comments=True, include_tables=True) or ""


def autoscraper(page: dict[str, Any]) -> Any:
    html = Path(page["file"]).read_bytes().decode("utf-8", "replace")
    found: dict[str, Any] = {}
    for name, texts in page["examples"].items():
        scraper = import_module("autoscraper").AutoScraper()
        scraper.build(url=page["url"], html=html, wanted_list=texts)
        found[name] = scraper.get_result_similar(url=page["url"], html=html, grouped=True, unique=False)
    return found


TOOLS: dict[str, Callable[[dict[str, Any]], Any]] = {"trafilatura": trafilatura, "autoscraper": autoscraper}


def give_up(*_: object) -> None:
    raise TooSlow(f"over {SECONDS} s of processor time")


def main() -> None:
    signal.signal(signal.SIGPROF, give_up)
    task = json.load(sys.stdin)
    answers: list[Any] = []
    started = process_time()
    for page in task["pages"]:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            answers.append(TOOLS[task["tool"]](page))
        except Exception as error:  # noqa: BLE001 - a peer may fail in any way: that page is not answered
            print(f"{page['file']}: {type(error).__name__}: {error}", file=sys.stderr)
            answers.append(None)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    json.dump({"answers": answers, "seconds": process_time() - started}, sys.stdout)


if __name__ == "__main__":
    main()
