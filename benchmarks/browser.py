"""Rendering against bare Playwright, and pages per minute: python benchmarks/browser.py [--pages 40] [--seconds 10]
[--memory 500] [--consent].

The bare run does what everybody writes first: one warm browser, and for each page a new context, goto and content.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gleaner.adapters.browser.chromium import find_browser
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.ports import RenderOrder
from gleaner.contracts.settings import Settings, load_settings
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from measure.rows import find_corpus
from pairs import served_pages
from playwright.async_api import async_playwright

ROWS = "".join(f"<tr><td>Item {n}</td><td>{n * 3}.99 EUR</td></tr>" for n in range(300))
STATIC = f"<!doctype html><title>Static</title><style>td{{padding:2px}}</style><body><h1>List</h1><table>{ROWS}</table>"
SCRIPTED = STATIC + "<script>document.title += '!'</script>"
PAGES = {"/static": STATIC.encode(), "/scripted": SCRIPTED.encode()}


class Handler(LoopbackHandler):
    """Serves the two pages."""

    def do_GET(self) -> None:
        """Answer."""
        body = PAGES.get(self.path, b"")
        self.answer(200, "text/html; charset=utf-8", body)


async def time_bare(settings: Settings, url: str, pages: int) -> list[float]:
    """Time goto and content in a context of its own, in milliseconds."""
    build = find_browser(settings)
    taken = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=build.executable, env=dict(build.environment), args=["--disable-gpu", "--no-zygote"]
        )
        for _ in range(pages):
            start = time.perf_counter()
            context = await browser.new_context()
            page = await context.new_page()
            await page.goto(url)
            await page.content()
            await context.close()
            taken.append((time.perf_counter() - start) * 1000)
        await browser.close()
    return taken


def time_renderer(renderer: PlaywrightRenderer, url: str, pages: int) -> list[float]:
    """Time whole renderings in a warm browser, in milliseconds."""
    renderer.render(RenderOrder(url))
    taken = []
    for _ in range(pages):
        start = time.perf_counter()
        renderer.render(RenderOrder(url))
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def pages_per_minute(settings: Settings, url: str, size: int, seconds: float) -> float:
    """Render without pause for some seconds with a pool of this size."""
    browser = settings.browser.model_copy(update={"worker_pool_max_size_per_process": size})
    renderer = PlaywrightRenderer(settings.model_copy(update={"browser": browser}))
    try:
        with ThreadPoolExecutor(size) as threads:
            list(threads.map(renderer.render, [RenderOrder(url)] * size))
            start = time.perf_counter()
            counts = threads.map(lambda _: _render_until(renderer, url, start + seconds), range(size))
            return sum(counts) * 60 / (time.perf_counter() - start)
    finally:
        renderer.close()


def _render_until(renderer: PlaywrightRenderer, url: str, end: float) -> int:
    count = 0
    while time.perf_counter() < end:
        renderer.render(RenderOrder(url))
        count += 1
    return count


def resident_megabytes() -> float:
    """Give the memory of this process and all below it: driver, browser, renderers (Linux)."""
    parents: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
            rollup = (entry / "smaps_rollup").read_text()
            sizes[int(entry.name)] = int(rollup.partition("\nPss:")[2].split()[0])  # shared pages count once
        except (OSError, IndexError, ValueError):
            continue
    total = 0
    for process, size in sizes.items():
        at = process
        while at > 1 and at != os.getpid():
            at = parents.get(at, 0)
        total += size if at == os.getpid() else 0
    return total / 1024


def watch_memory(settings: Settings, base: str, pages: int) -> None:
    """Print the memory after some pages and after many."""
    renderer = PlaywrightRenderer(settings)
    try:
        print("\n| pages | resident, MB | threads |\n|---|---|---|")
        for done in range(1, pages + 1):
            renderer.render(RenderOrder(base + "/static"))
            if done == 50 or done % 150 == 0 or done == pages:
                print(f"| {done} | {resident_megabytes():.0f} | {threading.active_count()} |", flush=True)
    finally:
        renderer.close()


def compare_consent(settings: Settings, url: str, rounds: int = 5) -> None:
    """Print what looking for a dialog costs on a page that has none, in turns, and whether it changes the page."""
    renderer = PlaywrightRenderer(settings)
    orders = [RenderOrder(url, consent=wish) for wish in ("leave", "reject")]
    taken: tuple[list[float], list[float]] = [], []
    steps: list[float] = []
    try:
        shown = [renderer.render(order) for order in orders]
        for _ in range(rounds):
            for order, times in zip(orders, taken, strict=True):
                start = time.perf_counter()
                found = renderer.render(order)
                times.append((time.perf_counter() - start) * 1000)
            steps.append(found.timings["consent"])
    finally:
        renderer.close()
    left, looked = map(statistics.median, taken)
    same = "the same HTML" if shown[0].html == shown[1].html else "OTHER HTML"
    print(f"| {url} | {left:.0f} | {looked:.0f} | {statistics.median(steps):.1f} | {same} |", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--memory", type=int, default=0, metavar="PAGES", help="only watch the memory")
    parser.add_argument("--consent", action="store_true", help="only what looking for a dialog costs, on real pages")
    options = parser.parse_args()
    if options.consent:
        watch_consent(options.pages)
        return
    base = LoopbackServer(Handler).url
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings({}, home=Path(home), allow_hosts=[base.removeprefix("http://")])
        if options.memory:
            watch_memory(settings, base, options.memory)
            return
        compare(settings, base, options.pages)
        print("\n| pool | pages a minute, static | with a script |\n|---|---|---|")
        for size in (1, 2, 4):
            figures = [pages_per_minute(settings, base + path, size, options.seconds) for path in PAGES]
            print(f"| {size} | {figures[0]:.0f} | {figures[1]:.0f} |")


def watch_consent(pages: int) -> None:
    """Look for dialogs on real pages that have none."""
    if (corpus := find_corpus()) is None:
        raise SystemExit("there is no corpus of real pages: name its folder in GLEANER_CORPUS")
    with served_pages(corpus, pages) as (base, paths), tempfile.TemporaryDirectory() as home:
        settings = load_settings({}, home=Path(home), allow_hosts=[base.removeprefix("http://")])
        print("| page | left, ms (median) | looked for, ms | of it the look, ms | |\n|---|---|---|---|---|")
        for path in paths:
            compare_consent(settings, base + path)


def compare(settings: Settings, base: str, pages: int) -> None:
    """Print bare Playwright and Gleaner side by side, the two taking turns so that both see the same machine."""
    print("| page | bare, ms (median) | Gleaner, ms | times | of it smart wait, ms |\n|---|---|---|---|---|")
    renderer = PlaywrightRenderer(settings)
    try:
        for path in PAGES:
            bare, ours = [], []
            for _ in range(4):
                bare += asyncio.run(time_bare(settings, base + path, pages // 4 + 1))[1:]
                ours += time_renderer(renderer, base + path, pages // 4)
            wait = renderer.render(RenderOrder(base + path)).timings["wait"]
            one, other = statistics.median(bare), statistics.median(ours)
            print(f"| {path[1:]} | {one:.0f} | {other:.0f} | {other / one:.2f} | {wait:.0f} |")
    finally:
        renderer.close()


if __name__ == "__main__":
    main()
