"""What the library takes for a small page that a recipe answers: processor time of one ``extract_html`` (LB-4).

python benchmarks/library.py [PAGES]
"""

import json
import re
import statistics
import sys
import tempfile
import time

from gleaner import Gleaner
from pydantic import BaseModel

PAGES = 40
BOOKS = 12
WARM_UP = 5


class Book(BaseModel):
    """One book of the page."""

    title: str
    price: float


def page(number: int) -> str:
    """Give a small listing, of which no two have the same books."""
    cards = "".join(
        f"<article><h3><a href='/b/{at}'>The Book of Rain no. {at}</a></h3>"
        f"<p class=price>${5 + 7 * at % 40}.25</p></article>"
        for at in range(number * BOOKS, number * BOOKS + BOOKS)
    )
    return f"<title>Shop</title><h1>Books</h1><div class=list>{cards}</div>"


def reader(prompt: str) -> str:
    """Answer the first page; the recipe answers the others."""
    found = re.findall(r"(The Book of Rain no\. \d+)[^$]*\$([\d.]+)", prompt)
    return json.dumps([{"title": title, "price": float(price)} for title, price in found])


def main() -> None:
    """Print the median and the slowest, in milliseconds of processor time."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    took: list[float] = []
    with tempfile.TemporaryDirectory() as home, Gleaner(reader, home) as gleaner:
        gleaner.extract_html(page(0), "https://shop.example/books", output_schema=list[Book])
        for number in range(1, count + WARM_UP + 1):
            url = f"https://shop.example/books?page={number}"
            begun = time.process_time()
            result = gleaner.extract_html(page(number), url, output_schema=list[Book])
            took.append((time.process_time() - begun) * 1000)
            assert result.extraction is not None
            assert (result.extraction.tier, len(result.data)) == ("recipe", BOOKS), result
    kept = took[WARM_UP:]
    print(f"{count} pages of {BOOKS} records: median {statistics.median(kept):.1f} ms, slowest {max(kept):.1f} ms")


if __name__ == "__main__":
    main()
