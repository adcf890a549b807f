"""Quality of ``main_content`` and of the full view beside peers, on a folder of pages with their wanted text.

``python benchmarks/main_content.py FOLDER…``, where a folder holds ``<kind>/<name>.html``, and ``<kind>/<name>.txt``
with the text that is wanted of it. F1 is that of the words as bags, and the mean over pages; characters of scripts
without spaces are words. The full view is judged by the share of the wanted words that survive in it and by its size
relative to plain markdownify. Peers that are not installed are left out: trafilatura, readability (readability-lxml),
markitdown.
"""

import argparse
import importlib
import io
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

from gleaner.html.dom import parse_html, visible_text
from gleaner.markdown import extract_clean_markdown, main_content
from measure.matching import rates

READERS = ("gleaner, main_content", "trafilatura", "trafilatura, recall", "readability")
Scores = defaultdict[str, list[float]]


def tools() -> dict[str, Callable[[str], str]]:
    """Give those that can be run here; each turns a page into text."""
    found: dict[str, Callable[[str], str]] = {
        "gleaner, main_content": main_content,
        "gleaner, full view": lambda html: extract_clean_markdown(html)[0],
        "markdownify": _plain(importlib.import_module("markdownify")),
    }
    for name, adapt in PEERS.items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        found |= adapt(module)
    return found


def _plain(module: object) -> Callable[[str], str]:
    convert: Callable[[str], str] = module.markdownify  # type: ignore[attr-defined]
    return convert


def _trafilatura(module: object) -> dict[str, Callable[[str], str]]:
    extract: Any = module.extract  # type: ignore[attr-defined]
    return {
        "trafilatura": lambda html: str(extract(html, include_comments=False) or ""),
        "trafilatura, recall": lambda html: str(extract(html, include_comments=False, favor_recall=True) or ""),
    }


def _readability(module: object) -> dict[str, Callable[[str], str]]:
    document: Callable[..., Any] = module.Document  # type: ignore[attr-defined]
    return {"readability": lambda html: visible_text(parse_html(str(document(html).summary())))}


def _markitdown(module: object) -> dict[str, Callable[[str], str]]:
    converter: Any = module.MarkItDown()  # type: ignore[attr-defined]

    def convert(html: str) -> str:
        return str(converter.convert_stream(io.BytesIO(html.encode()), file_extension=".html").markdown)

    return {"markitdown": convert}


PEERS: dict[str, Callable[..., dict[str, Callable[[str], str]]]] = {
    "trafilatura": _trafilatura,
    "readability": _readability,
    "markitdown": _markitdown,
}


def attempt(tool: Callable[[str], str], html: str) -> str:
    """Give what the tool makes of a page; a page that it fails on gives nothing."""
    try:
        return tool(html)
    except Exception:  # noqa: BLE001 - any peer may fail in any way, and that is its score
        return ""


def judge(folders: list[Path], show: float) -> dict[str, Scores]:
    """Give, for each tool and kind of page, the F1 of the readers, or the survival and relative size of the others."""
    found = tools()
    scores: dict[str, Scores] = {name: defaultdict(list) for name in found}
    for page in sorted(path for folder in folders for path in folder.glob("*/*.html")):
        html, wanted = page.read_text("utf-8"), page.with_suffix(".txt").read_text("utf-8")
        texts = {name: attempt(tool, html) for name, tool in found.items()}
        kind, plain = page.parent.name, max(1, len(texts["markdownify"]))
        for name, text in texts.items():
            precision, recall, f1 = rates(text, wanted)
            scores[name][kind].append(f1 if name in READERS else recall)
            scores[name][f"{kind}, size"].append(len(text) / plain)
            if name == "gleaner, main_content" and f1 < show:
                print(f"{page}: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}")
            if name == "gleaner, full view" and recall < show:
                print(f"{page}: full view keeps {recall:.3f}")
    return scores


def report(title: str, scores: dict[str, Scores], kinds: list[str]) -> None:
    print(f"\n| {title} | " + " | ".join(scores) + " |\n|---|" + "--:|" * len(scores))
    for kind in kinds:
        cells = [f"{mean(of_kind[kind]):.3f}" for of_kind in scores.values()]
        print(f"| {kind} ({len(next(iter(scores.values()))[kind])}) | " + " | ".join(cells) + " |")
    overall = [f"**{mean(mean(of_kind[kind]) for kind in kinds):.3f}**" for of_kind in scores.values()]
    print("| mean over kinds | " + " | ".join(overall) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--show", type=float, default=0.0, help="name our pages below this score")
    options = parser.parse_args()
    scores = judge(options.folders, options.show)
    kinds = sorted(kind for kind in scores["markdownify"] if not kind.endswith(", size"))
    report("F1", {name: one for name, one in scores.items() if name in READERS}, kinds)
    whole = {name: one for name, one in scores.items() if name not in READERS}
    report("wanted words kept", whole, kinds)
    report("size", whole, [f"{kind}, size" for kind in kinds])


if __name__ == "__main__":
    main()
