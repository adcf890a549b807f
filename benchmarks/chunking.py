"""Megabytes a second of ``chunk_markdown_by_structure`` over Markdown of many shapes; prints a Markdown table.

Times are of the processor, the best of a few rounds.
"""

import argparse
import tracemalloc
from collections.abc import Callable
from time import process_time

from gleaner.chunking import chunk_markdown_by_structure

PARAGRAPH = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor. "
SECTION = (
    f"# Section\n\n{PARAGRAPH * 3}\n\n{PARAGRAPH * 2}\n\n## Part\n\n"
    "- item one here is\n- item two\n  goes on\n- three\n\n"
    "| name | price |\n| --- | --- |\n| 1 some cell text | 2 and more text |\n| 3 | 4 |\n\n"
    f"```\ncode here\n\nmore\n```\n\n{PARAGRAPH}\n\n"
)
SHAPES: dict[str, Callable[[int], str]] = {
    "ordinary page": lambda size: SECTION * (size // len(SECTION)),
    "one table": lambda size: "| a | b |\n| - | - |\n" + "| cell | other cell |\n" * (size // 22),
    "one list": lambda size: "- item of a list\n" * (size // 17),
    "nested lists": lambda size: "".join("  " * (n % 50) + "- x\n" for n in range(size // 53)),
    "one fence": lambda size: "```\n" + "a line of code\n" * (size // 15),
    "one line": lambda size: "x" * size,
    "one line of words": lambda size: "word " * (size // 5),
    "one row": lambda size: "| cell " * (size // 7),
    "only headers": lambda size: "# a\n" * (size // 4),
    "headers of some words": lambda size: "## A heading of some words\n" * (size // 27),
    "lines of one letter": lambda size: "a\n" * (size // 2),
    "blank lines": lambda size: "\n" * size,
    "quotes": lambda size: "> a quote\n>\n" * (size // 12),
}


def best_seconds(content: str, limit: int, rounds: int) -> float:
    times: list[float] = []
    for _ in range(rounds):
        start = process_time()
        chunk_markdown_by_structure(content, limit)
        times.append(process_time() - start)
    return min(times)


def peak_megabytes(content: str, limit: int) -> float:
    tracemalloc.start()
    chunk_markdown_by_structure(content, limit)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limits", type=int, nargs="+", default=[100_000, 4_000])
    parser.add_argument("--memory", action="store_true", help="measure the peak too (slow)")
    arguments = parser.parse_args()
    heads = [f"limit {limit:,}" for limit in arguments.limits] + ["peak memory"] * arguments.memory
    print("| shape | " + " | ".join(heads) + " |\n|---|" + "---|" * len(heads))
    for name, make in SHAPES.items():
        content = make(int(arguments.megabytes * 1e6))
        speeds = [len(content) / 1e6 / best_seconds(content, limit, arguments.rounds) for limit in arguments.limits]
        cells = [f"{speed:.0f} MB/s" for speed in speeds]
        if arguments.memory:
            cells.append(f"{peak_megabytes(content, arguments.limits[0]):.0f} MB")
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
