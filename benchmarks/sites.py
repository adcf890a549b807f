"""How long `gleaner map` takes for 50,000 URLs of sitemaps, and how much memory: `python benchmarks/sites.py`.

The command runs as a process of its own against a server on this machine: one sitemap of 50,000 URLs, then 50 packed
ones of 1,000 below an index. Memory is the most that the process had (`ru_maxrss` of the children).
"""

import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

COUNT = 50_000
PACKED = 50
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass
class Served(LoopbackServer):
    """Serves the files given."""

    files: Mapping[str, bytes]

    def __post_init__(self) -> None:
        super().__init__(_Handler)


class _Handler(LoopbackHandler):
    owner: Served

    def do_GET(self) -> None:
        body = self.owner.files.get(self.path)
        with suppress(OSError):  # who sees that a page is too large hangs up
            self.answer(200 if body else 404, "application/octet-stream" if body else "text/html", body or b"no")


def sitemap(host: str, first: int, count: int) -> bytes:
    """Give a sitemap as shops write them."""
    entries = "".join(
        f"<url><loc>http://{host}/catalogue/garden/product-{n}-with-a-long-name?colour=red&amp;size=xl</loc>"
        f"<lastmod>2026-02-03T10:00:00+00:00</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url>\n"
        for n in range(first, first + count)
    )
    return f'<?xml version="1.0"?><urlset xmlns="{NAMESPACE}">{entries}</urlset>'.encode()


def index(host: str) -> bytes:
    """Give the index of the packed ones."""
    listed = "".join(f"<sitemap><loc>http://{host}/part-{n}.xml.gz</loc></sitemap>" for n in range(PACKED))
    return f'<sitemapindex xmlns="{NAMESPACE}">{listed}</sitemapindex>'.encode()


def measure(name: str, url: str, host: str) -> None:
    """Run the command once, and print a line."""
    with tempfile.TemporaryDirectory() as home:
        program = "import sys; from gleaner.cli import main; main(sys.argv[1:])"
        command = [sys.executable, "-c", program, "map", url, "--home", home, "--allow-host", host]
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run([*command, "--json"], capture_output=True, check=False)
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(done.stdout)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert found["url_count"] == COUNT, found
    print(f"| {name} | {seconds:.1f} s | {processor:.1f} s | {after.ru_maxrss / 1024:.0f} MB |")


def main() -> None:
    """Measure both."""
    files: dict[str, bytes] = {}
    with Served(files) as server:
        host = server.host
        files["/one.xml"] = sitemap(host, 0, COUNT)
        size = COUNT // PACKED
        files |= {f"/part-{n}.xml.gz": gzip.compress(sitemap(host, n * size, size)) for n in range(PACKED)}
        files["/index.xml"] = index(host)
        print("| 50,000 URLs | time | processor time | memory |\n|---|--:|--:|--:|")
        measure("50 packed sitemaps and an index", f"{server.url}/index.xml", host)
        measure("one sitemap", f"{server.url}/one.xml", host)


if __name__ == "__main__":
    main()
