"""Strategies and aggregates when there are many: finding by URL, adding, reading by pages, exports.

Run: ``python benchmarks/aggregates.py --records 10000,100000 --strategies 10000``. Each export is the command itself in
a process of its own; its peak is what that process held at the most. CPU seconds tell what a busy machine hides.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gleaner.adapters.local.sqlite import SqliteTable
from gleaner.cli.demo import PRODUCTS
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonValue
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy

EXPORT = """
import resource, sys
from gleaner.cli import run
code = run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""
RECORDS_A_PAGE = 100
TRIES = 5


class Clock:
    """Seconds since it was made: as the wall shows them, and of CPU."""

    def __init__(self) -> None:
        self._started = time.perf_counter(), time.process_time()

    def cells(self) -> str:
        """Give both for a table."""
        return f"{time.perf_counter() - self._started[0]:.2f} | {time.process_time() - self._started[1]:.2f}"


def find(count: int) -> None:
    """Find one of many strategies of a host, and one of many for any host."""
    print("| strategies | what | seconds | CPU s |")
    print("|--:|---|--:|--:|")
    patterns = {
        "of one host": ("https://shop.example/item-{}*", "https://shop.example/item-{}?from=home"),
        "with a wildcard for the host": ("https://*.shop{}.example/p/*", "https://uk.shop{}.example/p/1"),
    }
    for kind, (pattern, url) in patterns.items():
        with tempfile.TemporaryDirectory() as home:
            table = SqliteTable(Path(home) / "gleaner.db")
            cache = ExtractionCache(table)
            clock = Clock()
            for number in range(count):
                letters = "".join(chr(ord("a") + int(digit)) for digit in str(number))
                cache.register(ExtractionStrategy(url_pattern=pattern.format(letters), output_schema=PRODUCTS))
            print(f"| {count:,} | registered, {kind} | {clock.cells()} |")
            times: list[str] = []
            for _ in range(TRIES):
                clock = Clock()
                found = cache.find_matching(url.format("bcd"))
                times.append(clock.cells())
                assert pattern.format("bcd") in [strategy.url_pattern for strategy in found]
            table.close()
        print(f"| {count:,} | found by a URL, {kind}, median of {TRIES} | {sorted(times)[TRIES // 2]} |")


def gather(count: int) -> None:
    """Fill an aggregate, read it, and export it in each format."""
    with tempfile.TemporaryDirectory() as home:
        table = SqliteTable(Path(home) / "gleaner.db")
        clock = Clock()
        for first in range(0, count, RECORDS_A_PAGE):
            records: list[JsonValue] = [product(number) for number in range(first, first + RECORDS_A_PAGE)]
            data: JsonValue = {"products": records}
            page = ExtractionResult(data=data, schema_used=PRODUCTS, source_url=f"https://a.example/{first}")
            ExtractionAggregator(table, "shop").add(page)
        print(f"| {count:,} | added, {RECORDS_A_PAGE} a page | {clock.cells()} | | |")
        clock, after, read = Clock(), None, 0
        while True:
            items, after = ExtractionAggregator(table, "shop").records(limit=1000, after=after)
            read += len(items)
            if after is None:
                break
        print(f"| {count:,} | read by pages of 1,000 | {clock.cells()} | | |")
        clock = Clock()
        summary = ExtractionAggregator(table, "shop").summary
        print(f"| {count:,} | summed up | {clock.cells()} | | |")
        table.close()
        assert (read, summary) == (count, f"{count} unique products from {count // RECORDS_A_PAGE} pages")
        for format in ("json", "ndjson", "csv"):
            export(home, count, format)


def export(home: str, count: int, format: str) -> None:
    """Export by the command in a process of its own."""
    output = Path(home) / f"shop.{format}"
    command = ["extraction", "show", "shop", "--home", home, "--format", format, "--output", str(output)]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", EXPORT, *command], check=True, capture_output=True, text=True)
    taken, usage = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime
    written, peak = output.stat().st_size / 1e6, done.stderr.split()[-1]
    print(f"| {count:,} | exported as {format} | {taken:.2f} | {cpu:.2f} | {written:.1f} | {peak} |")


def product(number: int) -> JsonValue:
    """Give a record of some 150 bytes."""
    words = " ".join(f"word{(number * step) % 997}" for step in (3, 5, 7, 11))
    return {"name": f"Product {number} {words}", "price": number / 4, "rating": number % 5, "in_stock": number % 2 == 0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", default="10000,100000", help="records of the aggregates")
    parser.add_argument("--strategies", type=int, default=10_000)
    chosen = parser.parse_args()
    find(chosen.strategies)
    print("\n| records | what | seconds | CPU s | MB written | peak memory MB |")
    print("|--:|---|--:|--:|--:|--:|")
    for count in map(int, chosen.records.split(",")):
        gather(count)


if __name__ == "__main__":
    main()
