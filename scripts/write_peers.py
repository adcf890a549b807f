"""Write the tables of docs/alternatives.md from the last `make measure-peers`. With --check they are only compared."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generated import keep_between

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "benchmarks/results/peers.json", ROOT / "docs/alternatives.md"
BEGIN, END = "<!-- peers: begin -->\n", "<!-- peers: end -->"
TITLES = {
    "gleaner": "Gleaner",
    "crawl4ai": "Crawl4AI",
    "scrapegraphai": "ScrapeGraphAI",
    "langextract": "langextract",
    "instructor": "instructor",
}
Faults = dict[str, dict[str, float]]
LEFT_OUT = ("one left out", "last three left out")


def of(name: str, whole: str, *faults: str) -> Callable[[Faults], str]:
    """Give a cell "N of M" of some faults."""
    return lambda found: f"{_sum(found, name, faults):,} of {_sum(found, whole, faults):,}"


def number(name: str, fault: str) -> Callable[[Faults], str]:
    """Give a cell with a count."""
    return lambda found: f"{found[fault][name]:,.0f}"


def a_page(name: str, fault: str, factor: float = 1.0, digits: int = 0) -> Callable[[Faults], str]:
    """Give a cell with a mean over the pages."""
    return lambda found: f"{factor * found[fault][name] / found[fault]['pages']:,.{digits}f}"


def _sum(found: Faults, name: str, faults: tuple[str, ...]) -> int:
    return int(sum(found[fault][name] for fault in faults))


ROWS: tuple[tuple[str, Callable[[Faults], str]], ...] = (
    ("Right answers: pages served whole, without a warning", of("whole", "pages", "right")),
    ("Right answers: right values served", of("right", "values", "right")),
    ("Records left out: pages on which it says so", of("noticed", "lacking", *LEFT_OUT)),
    ("Another record's value: served without a word", number("silent", "a neighbour's value")),
    ("Another record's value: right values served beside it", of("right", "values", "a neighbour's value")),
    ("An invented field: values served without a word", number("silent", "an invented field")),
    ("Answers cut off: pages served whole all the same", of("whole", "pages", "cut off")),
    ("Answers cut off: records lost without a word, pages", lambda found: f"{_unsaid(found):.0f}"),
    ("Prose around the JSON: pages served whole", of("whole", "pages", "prose around")),
    ("Calls a page, right answers", a_page("calls", "right", digits=1)),
    ("Calls a page, records left out", a_page("calls", "one left out", digits=1)),
    ("Prompt tokens a page, right answers", a_page("tokens_in", "right")),
    ("Answer tokens a page, right answers", a_page("tokens_out", "right")),
    ("Processor time a page, right answers, ms", a_page("seconds", "right", 1000)),
)


def _unsaid(found: Faults) -> float:
    return found["cut off"]["lacking"] - found["cut off"]["noticed"]


CAPTIONS = {"layouts": "{} generated lists:", "courts": "{} real lists of courts:"}


def tables() -> str:
    """Give a table for each corpus that was measured."""
    found: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text("utf-8"))
    return "\n".join(
        f"{caption.format(len(found[name]['pages']))}\n\n{table(found[name]['tools'])}"
        for name, caption in CAPTIONS.items()
        if name in found
    )


def table(tools: dict[str, dict[str, Any]]) -> str:
    """Give a table in Markdown; a tool that could not be run has its reason below."""
    ran = {name: one for name, one in tools.items() if "failed" not in one}
    heads = [f"{TITLES[name]} {one['version']}" for name, one in ran.items()]
    lines = [
        f"| | {' | '.join(heads)} |",
        f"|---|{'--:|' * len(ran)}",
        *(f"| {title} | {' | '.join(cell(one['faults']) for one in ran.values())} |" for title, cell in ROWS),
    ]
    failed = [f"\nNot run: {TITLES[name]}: {one['failed']}" for name, one in tools.items() if name not in ran]
    return "\n".join([*lines, *failed]) + "\n"


if __name__ == "__main__":
    keep_between(PAGE, BEGIN, tables(), END)
