"""What a crawled page of plain HTML costs beside scrapy, in processor time: `python benchmarks/crawl.py [--pages N]`.

A server of its own process gives N product pages that a sitemap lists. Each tool crawls them in a process of its own,
in turns: Gleaner with the recipe that it learns from the first page, and scrapy with CSS selectors for the same four
fields. Printed are milliseconds of processor time a page (user and system, of the process and its children) and the
most memory that the process had; the mean of the rounds. `make crawl-peers` installs scrapy. With --other PATH the
Gleaner of another checkout runs beside, in the same rounds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean
from typing import Any

from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

HERE = Path(__file__)
SCRAPY = HERE.parents[1] / ".cache/scrapy/bin/python"
WORDS = (
    "larch", "oak", "elm", "ash", "birch", "maple", "cedar", "pine",
    "walnut", "cherry", "beech", "alder", "hazel", "rowan", "willow", "aspen",
)  # fmt: skip
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "price": {"type": "number"},
        "maker": {"type": "string"},
        "sku": {"type": "string"},
    },
    "required": ["name", "price", "maker", "sku"],
}


def product(number: int) -> dict[str, Any]:
    """Give the truth of a page."""
    words = [WORDS[number // 16**power % 16].title() for power in (2, 1, 0)]
    return {
        "name": f"{' '.join(words)} Lamp",
        "price": round(5 + number * 0.37, 2),
        "maker": f"{WORDS[number % 13].title()} & Daughters",
        "sku": f"LMP-{number:05}",
    }


def page(number: int) -> str:
    """Give a product page of some 12 KB, with menus, related products and a footer, as shops have them."""
    one = product(number)
    menu = "".join(f'<li><a href="/c/{word}">{word.title()} lamps</a></li>' for word in WORDS)
    related = "".join(
        f'<li class="card"><a href="/p/{n}">{product(n)["name"]}</a> <span>£{product(n)["price"]:.2f}</span></li>'
        for n in range(number + 1, number + 9)
    )
    text = " ".join(f"The {word} is turned by hand, oiled twice and left to dry for a week." for word in WORDS * 4)
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{one['name']}</title></head><body><header>"
        f"<nav><ul>{menu}</ul></nav></header><main><h1 class=title>{one['name']}</h1>"
        f"<p class=price>£{one['price']:.2f}</p>"
        f"<dl><dt>Maker</dt><dd class=maker>{one['maker']}</dd><dt>SKU</dt><dd class=sku>{one['sku']}</dd></dl>"
        f"<div class=text><p>{text}</p></div><aside><h2>Related</h2><ul>{related}</ul></aside></main>"
        f"<footer><p>© Lamps</p></footer></body></html>"
    )


class Shop(LoopbackHandler):
    """Serves the pages, and a sitemap of the first ``count``."""

    count = 3_000

    def do_GET(self) -> None:
        """Answer with a page, the sitemap or 404."""
        if self.path == "/sitemap.xml":
            host = self.headers.get("host")
            urls = "".join(f"<url><loc>http://{host}/p/{n}</loc></url>" for n in range(1, self.count + 1))
            self.answer(200, "application/xml", f"<urlset>{urls}</urlset>".encode())
        elif self.path.startswith("/p/") and self.path[3:].isdigit():
            self.answer(200, "text/html; charset=utf-8", page(int(self.path[3:])).encode())
        else:
            self.answer(404, "text/html", b"<h1>Not found</h1>")


def serve(count: int) -> None:
    """Serve until stdin ends; print the port first."""
    Shop.count = count
    with LoopbackServer(Shop) as server:
        print(server.host, flush=True)
        sys.stdin.read()


GLEANER = """
import json, re, sys, tempfile
from gleaner import Gleaner
host, schema, truth = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
calls = []
def answer(prompt):
    calls.append(1)
    found = re.search(r"LMP-(\\d{5})", prompt)
    return json.dumps(truth[int(found[1])] if found else {})
with Gleaner(answer, home=tempfile.mkdtemp(), allow_hosts=[host]) as gleaner:
    crawl = gleaner.crawl(f"http://{host}/sitemap.xml", output_schema=schema, enable_javascript=False, depth=0,
                          max_pages=50000, config={"tiers": ["structured", "recipe", "model"]})
    good = sum(one.status == "complete" and one.extraction.data["sku"].startswith("LMP") for one in crawl)
    print(json.dumps({"pages": len(crawl), "good": good, "calls": len(calls)}))
"""
SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.spiders import SitemapSpider
found = []
class Lamps(SitemapSpider):
    name = "lamps"
    sitemap_urls = [f"http://{sys.argv[1]}/sitemap.xml"]
    def parse(self, response):
        found.append(1)
        yield {"name": response.css("h1.title::text").get(),
               "price": float(response.css("p.price::text").re_first(r"[\\d.]+")),
               "maker": response.css("dd.maker::text").get(), "sku": response.css("dd.sku::text").get()}
feeds = {sys.argv[2]: {"format": "jsonlines"}}
process = CrawlerProcess({"LOG_LEVEL": "ERROR", "FEEDS": feeds, "CONCURRENT_REQUESTS": 8})
process.crawl(Lamps)
process.start()
print(json.dumps({"pages": len(found), "good": len(found), "calls": 0}))
"""


def run(command: list[str], environment: dict[str, str]) -> dict[str, Any]:
    """Run a tool to its end; give what it printed, its processor seconds and its memory in MB."""
    # A process of its own, whose children are this tool alone: the memory is its own, too.
    code = (
        "import json, resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "sys.stderr.write(done.stderr[-2000:])\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "told = json.loads(done.stdout.splitlines()[-1])\n"
        "print(json.dumps({**told, 'seconds': used.ru_utime + used.ru_stime, 'megabytes': used.ru_maxrss / 1024}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], check=False, capture_output=True, text=True, env=environment
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def main() -> None:
    """Run the rounds and print a line for each tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--other", type=Path, help="another checkout of Gleaner")
    asked = parser.parse_args()
    truth = json.dumps([product(number) for number in range(asked.pages + 1)][:400])
    server = subprocess.Popen(
        [sys.executable, str(HERE), "--serve", str(asked.pages)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    host = server.stdout.readline().strip()
    tools: dict[str, tuple[list[str], dict[str, str]]] = {
        "gleaner": ([sys.executable, "-c", GLEANER, host, json.dumps(SCHEMA), truth], {**os.environ}),
    }
    if asked.other:
        source = str((asked.other / "layers/core/src").resolve())
        tools["other"] = (tools["gleaner"][0], {**os.environ, "PYTHONPATH": source})
    if SCRAPY.exists():
        folder = Path(tempfile.mkdtemp())
        (folder / "spider.py").write_text(SPIDER, "utf-8")  # scrapy reads the source of its callbacks
        tools["scrapy"] = ([str(SCRAPY), str(folder / "spider.py"), host, str(folder / "out.jsonl")], {**os.environ})
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in tools}
    for _ in range(asked.rounds):
        for name, (command, environment) in tools.items():
            found[name].append(run(command, environment))
    server.kill()
    for name, runs in found.items():
        cost = [1000 * one["seconds"] / one["pages"] for one in runs]
        memory = max(one["megabytes"] for one in runs)
        last = runs[-1]
        print(f"{name:8} {mean(cost):6.2f} ms a page ({', '.join(f'{one:.2f}' for one in cost)}), {memory:.0f} MB, "
              f"{last['good']} of {last['pages']} pages, {last['calls']} model calls")  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(int(sys.argv[2]))
    else:
        main()
