"""What pages cost on this code and on an earlier one, in turns on the same pages: the ratio counts, not the seconds.

Run ``python benchmarks/pairs.py OTHER``, a checkout of the earlier code. Each round runs both, each in a process of its
own, and of each page the fastest round counts. Times are processor seconds; the model gives a text that is there.

| suite | what is timed |
|---|---|
| markdown | ``extract_clean_markdown`` of real pages |
| first | an extraction whose records a model gives: of real lists and pages, in a new installation each |
| next | the same page again in that installation, where both answer it by a recipe |
| memory | megabytes at the most while a page of 300,000 elements is opened, written and searched for units |
| render | real pages in a real browser, with no action and no dialog on them; both processes of it count |
| wait | the same in milliseconds on the clock, a page's median: what a person waits for |
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from measure.rows import CORPUS_VARIABLE, find_corpus

HERE = Path(__file__)
SUITES = ("markdown", "first", "next", "memory", "render", "wait")
UNITS = {"memory": "MB", "wait": "ms"}
PAGES, TABLES, WARM_UP, ELEMENTS, SHOWN, SHOWINGS = 80, 12, 3, 300_000, 16, 5
LISTENER = b"<script nonce=ours>addEventListener('scroll', () => 0)</script>"
"""With it a page may change later, so that a dialog is looked for."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-ours'"

Costs = dict[str, float]


def real_pages(corpus: Path) -> Iterator[Path]:
    """Give pages of all kinds, taken in turns from the folders of the corpus."""
    folders = [sorted(folder.glob("**/*.html")) for folder in sorted(corpus.iterdir()) if folder.is_dir()]
    for at in range(max(map(len, folders), default=0)):
        yield from (paths[at] for paths in folders if at < len(paths))


def time_markdown(corpus: Path) -> Costs:
    """Give the seconds of each page, the better of two."""
    from gleaner.markdown import extract_clean_markdown

    pages = {str(path): path.read_text("utf-8", errors="replace") for path in islice(real_pages(corpus), PAGES)}
    for html in islice(pages.values(), WARM_UP):
        extract_clean_markdown(html)
    return {
        name: min(_seconds(lambda html=html: extract_clean_markdown(html)) for _ in "12")
        for name, html in pages.items()
    }


def time_extractions(corpus: Path) -> tuple[Costs, Costs]:
    """Give the seconds of each first page, and of each next one that a recipe answered."""
    first, later = Costs(), Costs()
    for case in _cases(corpus):
        first[case.name], next_page = _asked_twice(case)
        if next_page is not None:
            later[case.name] = next_page
    return first, later


@dataclass(frozen=True, slots=True)
class _Case:
    name: str
    html: str
    url: str
    schema: Any
    query: str | None
    answer: Any


def _asked_twice(case: _Case) -> tuple[float, float | None]:
    """Give the seconds of an extraction by a model that gives the answer, and of the same again by a recipe, if any."""
    from gleaner import Gleaner
    from gleaner.testing import FunctionModel

    said = json.dumps({"data": case.answer}, ensure_ascii=False)
    asked: dict[str, Any] = {"output_schema": case.schema, "config": {"tiers": ["recipe", "model"]}}
    asked |= {"query": case.query} if case.query else {}
    with tempfile.TemporaryDirectory() as home, Gleaner(model=FunctionModel(lambda _: said), home=home) as gleaner:
        seconds, tier = list[float](), ""
        for _ in range(2):
            start = time.process_time()
            found = gleaner.extract_html(case.html, case.url, **asked).extraction
            seconds.append(time.process_time() - start)
            tier = found.tier if found else ""
    return seconds[0], seconds[1] if tier == "recipe" else None


def _cases(corpus: Path) -> Iterator[_Case]:
    for folder in sorted((corpus / "answered_lists").iterdir()) + sorted((corpus / "answered_pages").iterdir()):
        texts = [one.read_text("utf-8") for one in sorted(folder.glob("call-*.answer.txt"))]
        answers = [json.JSONDecoder().raw_decode(text[text.index("{") :])[0].get("data") for text in texts]
        yield _case(folder, max(answers, key=lambda answer: len(json.dumps(answer))))
    for folder in islice(sorted((corpus / "records/tables").iterdir()), TABLES):
        yield _case(folder, json.loads((folder / "expected.json").read_text("utf-8")))


def _case(folder: Path, answer: Any) -> _Case:
    html, url = (folder / "page.html").read_text("utf-8", errors="replace"), (folder / "url").read_text().strip()
    query, schema = folder / "query", json.loads((folder / "schema.json").read_text("utf-8"))
    asked = query.read_text("utf-8").strip() if query.exists() else None
    return _Case(folder.name, html, url if "://" in url else f"https://{url}", schema, asked, answer)


def peak_memory(_corpus: Path) -> Costs:
    """Give the megabytes that a large page takes at the most."""
    card = "<div class='card c{0}'><a href='/p/{0}'><img src='/i/{0}.jpg' alt='Lamp {0}'></a><h3>Lamp {0}</h3>"
    card += "<p class=price><b>{0}</b> €</p><ul><li>Oak</li><li>30 cm</li></ul></div>"
    html = f"<h1>Lamps</h1>{''.join(card.format(number) for number in range(ELEMENTS // 9))}"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        from gleaner.page.opening import open_page
    except ModuleNotFoundError:  # before there were pages
        from gleaner.markdown.pages import clean_page

        found: Any = clean_page(html, "https://shop.example/", place_units=True).units
    else:
        found = open_page(html, "https://shop.example/").units
    assert found
    return {"cards": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024}


def time_rendering(corpus: Path) -> tuple[Costs, Costs]:
    """Give the processor seconds of all renderings, and each page's median in milliseconds; none needs the network.

    Consent dialogs are to be rejected where the code knows how: that is what a request without a word gets.
    """
    from gleaner.adapters.browser.renderer import PlaywrightRenderer
    from gleaner.contracts.ports import RenderOrder
    from gleaner.contracts.settings import load_settings

    answers: Any = {"consent": "reject"} if "consent" in RenderOrder.__dataclass_fields__ else {}
    waits: dict[str, list[float]] = {}
    with served_pages(corpus, SHOWN) as (base, paths), tempfile.TemporaryDirectory() as home:
        renderer = PlaywrightRenderer(load_settings({}, home=Path(home), allow_hosts=[base.removeprefix("http://")]))
        waits.update((path, []) for path in paths)
        for _ in range(SHOWINGS + 1):
            for path, taken in waits.items():
                start = time.perf_counter()
                found = renderer.render(RenderOrder(base + path, **answers))
                taken.append((time.perf_counter() - start) * 1000)
                assert not getattr(found, "consent", None), f"{path} has a dialog"
        renderer.close()
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    return {"all": seconds}, {path: statistics.median(taken[1:]) for path, taken in waits.items()}


@contextmanager
def served_pages(corpus: Path, count: int) -> Iterator[tuple[str, list[str]]]:
    """Serve real pages on this machine, by their paths; of scripts they run LISTENER alone, and they load nothing."""
    pages = {f"/{at}": path.read_bytes() + LISTENER for at, path in enumerate(islice(real_pages(corpus), count))}
    from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

    class Handler(LoopbackHandler):
        def do_GET(self) -> None:
            """Answer with a page."""
            policy = {"Content-Security-Policy": POLICY}
            self.answer(200, "text/html; charset=utf-8", pages.get(self.path, b""), policy)

    with LoopbackServer(Handler) as server:
        yield server.url, list(pages)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def work_at(suites: list[str], corpus: Path) -> dict[str, Costs]:
    """Give what the code that Python finds takes."""
    told: dict[str, Costs] = {}
    if "markdown" in suites:
        told["markdown"] = time_markdown(corpus)
    if "first" in suites or "next" in suites:
        told["first"], told["next"] = time_extractions(corpus)
    if "memory" in suites:
        told["memory"] = peak_memory(corpus)
    if "render" in suites or "wait" in suites:
        told["render"], told["wait"] = time_rendering(corpus)
    return {name: costs for name, costs in told.items() if name in suites}


def run_in(checkout: Path, suites: list[str], corpus: Path) -> dict[str, Costs]:
    """Run the suites with the code of a checkout, in a process of their own."""
    paths = os.pathsep.join(str(checkout / one) for one in ("layers/core/src", "benchmarks"))
    command = [sys.executable, str(HERE), "--work", *suites]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONSAFEPATH": "1", CORPUS_VARIABLE: str(corpus)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Run both codes in turns and print how they compare; or, with ``--work``, what this one takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, nargs="?", help="a checkout of the earlier code")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (3)")
    parser.add_argument("--suites", nargs="+", choices=SUITES, default=SUITES, help="what is run (all)")
    parser.add_argument("--work", nargs="+", choices=SUITES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    corpus = find_corpus()
    if corpus is None:
        raise SystemExit("there is no corpus of real pages: name its folder in GLEANER_CORPUS")
    if options.work:
        print(json.dumps(work_at(options.work, corpus)))
        return
    if options.other is None or not (options.other / "layers/core/src").is_dir():
        raise SystemExit(f"{options.other} is no checkout of Gleaner: name one of the earlier code")
    best: tuple[dict[str, Costs], dict[str, Costs]] = {}, {}
    for _ in range(options.rounds):
        for at, checkout in enumerate((options.other.resolve(), HERE.parents[1])):
            for suite, costs in run_in(checkout, list(options.suites), corpus).items():
                known = best[at].setdefault(suite, {})
                known.update({name: min(cost, known.get(name, cost)) for name, cost in costs.items()})
    print("| suite | pages | earlier | now | now / earlier | earlier / now |\n|---|--:|--:|--:|--:|--:|")
    for suite in (one for one in SUITES if one in best[0]):
        names = best[0][suite].keys() & best[1][suite].keys()
        old, new = (sum(one[suite][name] for name in names) for one in best)
        unit = UNITS.get(suite, "s")
        if names:
            print(
                f"| {suite} | {len(names)} | {old:.2f} {unit} | {new:.2f} {unit} | {new / old:.2f} | {old / new:.2f} |"
            )


if __name__ == "__main__":
    main()
