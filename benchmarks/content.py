"""Cost of ``scrape_extract_content`` and ``DefaultParser`` against parsing alone; prints a Markdown table.

Pages are made here, or given: ``python benchmarks/content.py page.html …``. Times are of the processor.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from time import process_time

from gleaner.html.dom import parse_html
from gleaner.html.statistics import scrape_extract_content
from gleaner.parsers import DefaultParser

SENTENCE = "Lorem <a href='/x' class='link'>ipsum</a> dolor sit amet, <em>consectetur</em> elit, sed do eiusmod. "
ARTICLE = f"<article><h2>A title</h2>{f'<p class=text>{SENTENCE * 3}</p>' * 8}</article>"
CARD = (
    "<div class='card product-card' data-id='17'><a href='/product/17' class='card-link'><img src='/img/17.jpg' "
    "alt='A name' loading='lazy' width='200'><h3 class='name'>A name of a thing</h3></a>"
    "<span class='price'>$9.00</span><button type='button' class='buy'>Buy</button></div>"
)
ROW = "<tr><td>Name of it</td><td class='number'>12.50</td><td>in stock</td></tr>"
PAGES = {
    "articles": ARTICLE * 400,
    "product cards": CARD * 3_000,
    "a table": f"<table>{ROW * 10_000}</table>",
    "inline markup": f"<p>{'a<b>b</b> ' * 60_000}</p>",
    "with hidden parts": (ARTICLE + "<div style='display:none'>menu</div><p hidden>x</p>") * 400,
}


def best_seconds(call: Callable[[], object], rounds: int) -> float:
    times: list[float] = []
    for _ in range(rounds):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    pages = {path.name: path.read_text("utf-8", "replace") for path in arguments.pages} or PAGES
    tool = DefaultParser()
    print("| page | size | parse alone | extract_content | DefaultParser, with a query |\n|---|---|---|---|---|")
    for name, html in pages.items():
        alone = best_seconds(lambda html=html: parse_html(html), arguments.rounds)
        extract = best_seconds(lambda html=html: scrape_extract_content(html), arguments.rounds)
        parse = best_seconds(
            lambda html=html: tool.parse("https://e.example/", html, "", "name price"), arguments.rounds
        )
        ratios = f"{extract * 1e3:.0f} ms ({extract / alone:.1f} x) | {parse * 1e3:.0f} ms ({parse / alone:.1f} x)"
        print(f"| {name} | {len(html) / 1e6:.2f} MB | {alone * 1e3:.0f} ms | {ratios} |")


if __name__ == "__main__":
    main()
