"""Pages per second of HTML to Markdown beside its peers, and time and memory on awkward shapes of 10 MB.

Run ``python benchmarks/markdown.py``; ``--shapes`` adds the awkward shapes, each in a process of its own. Peers that
are not installed are left out: markdownify, trafilatura, readability (readability-lxml), markitdown.
"""

import argparse
import importlib
import io
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

from gleaner.markdown import extract_clean_markdown, main_content
from gleaner.page.opening import open_page

WORDS = [
    "water",
    "river",
    "stone",
    "light",
    "house",
    "green",
    "market",
    "winter",
    "paper",
    "garden",
    "bridge",
    "morning",
    "copper",
    "window",
    "silver",
    "road",
]


def sentence(pick: random.Random, length: int = 14) -> str:
    return " ".join(pick.choices(WORDS, k=length)).capitalize() + "."


def around(body: str, pick: random.Random) -> str:
    menu = "".join(f"<li><a href='/s/{n}'>{pick.choice(WORDS)}</a></li>" for n in range(30))
    links = "".join(f'<a href="/f/{n}">{pick.choice(WORDS)} {n}</a> ' for n in range(40))
    return (
        "<!doctype html><html><head><title>Page</title><style>.a{color:red}</style>"
        f"<script>{'var x=1;' * 300}</script></head><body>"
        f"<header class='site-header'><nav><ul>{menu}</ul></nav></header>"
        f"<div id='root' class='css-1x2y'>{body}</div><footer class='footer'>{links}</footer></body></html>"
    )


def article(pick: random.Random, size: int) -> str:
    parts = [
        f"<p class='css-9z'>{sentence(pick)} <a href='/x/{n}'>{sentence(pick, 3)}</a> {sentence(pick, 30)} "
        f"<strong>{pick.choice(WORDS)}</strong> {sentence(pick)}</p>" + ("<h2>Part</h2>" if n % 5 == 0 else "")
        for n in range(size)
    ]
    return f"<main><article><h1>Title</h1>{''.join(parts)}</article></main>"


def listing(pick: random.Random, size: int) -> str:
    return "<div class='grid'>" + "".join(
        f"<div class='sc-a1b'><a class='sc-c2' href='/p/{n}'><img src='/i/{n}.jpg' alt='Item {n}'><div class='sc-d3'>"
        f"<h3 class='sc-e4'>Item {n} {pick.choice(WORDS)}</h3><span class='sc-f5'>${pick.randint(5, 900)}.99</span>"
        f"<span class='sc-g6'>{pick.randint(1, 5)} stars</span></div></a></div>"
        for n in range(size)
    ) + "</div>"  # fmt: skip


def table(pick: random.Random, size: int) -> str:
    rows = "".join(
        f"<tr><td>{n}</td><td><a href='/r/{n}'>{sentence(pick, 3)}</a></td><td>{pick.random():.3f}</td>"
        "<td>x|y</td></tr>"
        for n in range(size)
    )
    head = "<thead><tr><th>No</th><th>Name</th><th>Value</th><th>Note</th></tr></thead>"
    return f"<table>{head}<tbody>{rows}</tbody></table>"


def thread(pick: random.Random, size: int) -> str:
    return "".join(
        f"<div class='post' id='p{n}'><div class='author'><a href='/u/{n}'>user{n}</a><span>Posts: {n}</span></div>"
        f"<div class='text'><blockquote>{sentence(pick, 6)}</blockquote>{sentence(pick, 25)}"
        f"<br>{sentence(pick)}</div></div>"
        for n in range(size)
    )


def documentation(pick: random.Random, size: int) -> str:
    return "<main>" + "".join(
        f"<h2 id='s{n}'>{sentence(pick, 3)}</h2><p>Use <code>f_{n}()</code>: {sentence(pick)}</p>"
        f"<pre><code class='language-py'>def f_{n}():\n    return {n}\n</code></pre>"
        f"<ul><li>{sentence(pick, 5)}<ul><li>{sentence(pick, 4)}</li></ul></li></ul>"
        for n in range(size)
    ) + "</main>"  # fmt: skip


KINDS: dict[str, Callable[[random.Random, int], str]] = {
    "article": article,
    "listing": listing,
    "table": table,
    "thread": thread,
    "documentation": documentation,
}
SIZES = {"small": 15, "medium": 120, "large": 1000}


def pages() -> list[tuple[str, str]]:
    pick = random.Random(7)
    return [
        (f"{kind}, {name}", around(make(pick, size), pick))
        for kind, make in KINDS.items()
        for name, size in SIZES.items()
    ]


def peers() -> dict[str, Callable[[str], object]]:
    found: dict[str, Callable[[str], object]] = {
        "gleaner, full view": extract_clean_markdown,
        "gleaner, with units": lambda html: open_page(html).units,
        "gleaner, main content": main_content,
        "markdownify, html.parser": importlib.import_module("markdownify").markdownify,
    }
    for name, adapt in PEERS.items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        found[name] = adapt(module)
    return found


def _markitdown(module: object) -> Callable[[str], object]:
    converter = module.MarkItDown()  # type: ignore[attr-defined]
    return lambda html: converter.convert_stream(io.BytesIO(html.encode()), file_extension=".html")


PEERS: dict[str, Callable[..., Callable[[str], object]]] = {
    "trafilatura": lambda module: lambda html: module.extract(html, output_format="markdown"),
    "readability": lambda module: lambda html: module.Document(html).summary(),
    "markitdown": _markitdown,
}


def seconds(convert: Callable[[str], object], html: str, rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        convert(html)
        best = min(best, time.process_time() - start)
    return best


def compare(rounds: int) -> None:
    tools, samples = peers(), pages()
    print("| page | KB | " + " | ".join(tools) + " |")
    print("| --- | ---: |" + " ---: |" * len(tools))
    totals = dict.fromkeys(tools, 0.0)
    for name, html in samples:
        times = {tool: seconds(convert, html, rounds) for tool, convert in tools.items()}
        for tool, spent in times.items():
            totals[tool] += spent
        print(
            f"| {name} | {len(html) / 1000:.0f} | "
            + " | ".join(f"{1 / max(t, 1e-6):.1f}" for t in times.values())
            + " |"
        )
    print("| all, pages/s | | " + " | ".join(f"**{len(samples) / total:.1f}**" for total in totals.values()) + " |")


def fill(unit: str, before: str = "", size: int = 10_000_000) -> str:
    return before + unit * ((size - len(before)) // len(unit))


SHAPES: dict[str, Callable[[], str]] = {
    "one line of text": lambda: fill("word ", "<p>"),
    "one list": lambda: fill("<li>item 12345 text</li>", "<ul>"),
    "one list of `<li>x`": lambda: fill("<li>x", "<ul>"),
    "one table": lambda: fill("<tr><td>cell 1</td><td>cell 2</td><td>3</td></tr>", "<table>"),
    "one table row": lambda: fill("<td>cell", "<table><tr>"),
    "10,000 levels": lambda: "<div>" * 10_000 + fill("word ", size=9_900_000),
    "100,000 unclosed tags": lambda: "<div>x" * 100_000,
    "rowspan=65534 in each row": lambda: fill("<tr><td rowspan=65534>a<td>b", "<table>"),
    "rowspan=65534 colspan=1000": lambda: fill(
        "<tr><td>cell", "<table><tr>" + "<td rowspan=65534 colspan=1000>a" * 1000
    ),
    "9 MB of spaces": lambda: "<p>a" + " " * 9_000_000 + "b",
    "one data image": lambda: "<img alt=x src='data:image/png;base64," + "A" * 9_900_000 + "'>",
    "one script": lambda: "<script>" + "x" * 9_900_000 + "</script>y",
    "links": lambda: fill("<a href=/x?a=1>link</a> "),
    "menus": lambda: fill("<nav><a href=x>y</a></nav>"),
}


def shape(name: str) -> None:
    html = SHAPES[name]()
    start = time.process_time()
    full = open_page(html)
    middle = time.process_time()
    main_content(html)
    end = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"| {name} | {len(html) / 1e6:.1f} | {len(full.text) / 1e6:.1f} | {middle - start:.1f} | "
          f"{end - middle:.1f} | {memory:.0f} |", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--shapes", action="store_true", help="add the awkward shapes")
    parser.add_argument("--shape", choices=SHAPES, help="only this one, in this process")
    options = parser.parse_args()
    if options.shape:
        shape(options.shape)
        return
    compare(options.rounds)
    if options.shapes:
        print("\n| shape | MB in | MB out | full view, s | main content, s | peak MB |", flush=True)
        print("| --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
        for name in SHAPES:
            subprocess.run([sys.executable, __file__, "--shape", name], check=True)


if __name__ == "__main__":
    main()
