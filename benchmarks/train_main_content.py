"""Learns the judgement of main content and writes ``gleaner/data/main_content.json``.

What it reaches on pages of sites that it was not learned from goes to ``benchmarks/results/left_out.json``, which
``make measure`` shows: the figures on the pages that it was learned from flatter it.

It learns from the pages of ``wcxb_dev`` with their true texts; from the articles of ``snippets``, where the passages
that must and must not be in count most, and a text of trafilatura (Apache-2.0), which is no part of what is written,
stands in for the rest; and from articles of a folder of yours: ``NAME.html`` with ``NAME.txt`` beside it. The
package's model has seen 255 of those: the test pages of mozilla/readability with their expected texts (Apache-2.0),
and those of postlight/parser with what its selectors for each site choose (Apache-2.0 or MIT). Captions of figures
count for nothing there, as these tools keep them and the passages do not.

    pip install lightgbm trafilatura
    PYTHONPATH=benchmarks python benchmarks/train_main_content.py [ARTICLES] [--write]
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any
from urllib.parse import urlsplit

import lightgbm
import numpy as np
import trafilatura
from gleaner.markdown.block_features import block_features, name_words
from gleaner.markdown.content_model import ContentModel, model_of
from gleaner.markdown.main_blocks import KIND_NUMBERS, judge_blocks
from gleaner.markdown.text_blocks import TextBlock, text_blocks
from gleaner.page.writing import read_for_main_content
from lxml.html import HtmlElement
from measure.content import LEFT_OUT, MODEL, article_lines, content_pages, digest_of_model
from measure.matching import holds_passage, rates
from measure.rows import Context, find_corpus

PARTS = 6
INNER_PARTS = 3
FEWEST_PAGES = 3
"""Pages that a word of a class must stand on to be weighed."""
GRAM = 4
TREES = 100
NAMELESS = 0.15
"""How much the second look at a page counts, as if its classes meant nothing: on many pages they do not."""
OF_PASSAGE = 20.0
"""The weight of a block with a passage; all blocks of a page have 100 together, or half of that without a truth."""
SETTINGS = {
    "objective": "cross_entropy", "num_leaves": 6, "learning_rate": 0.08, "min_data_in_leaf": 60, "max_bin": 63,
    "feature_fraction": 0.4, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5, "seed": 1, "num_threads": 1,
    "deterministic": True, "verbosity": -1,
}  # fmt: skip
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Page:
    """A page as the judgement sees it, with the share of each block that belongs to its main content."""

    kind: str
    site: str
    truth: str
    passages: tuple[Sequence[str], Sequence[str]]
    title: str
    number: int
    body: Any
    blocks: Sequence[TextBlock]
    shares: Any
    weights: Any

    def features(self, names: Mapping[str, float]) -> Any:
        """Give the features of the page's blocks as an array."""
        return np.array(block_features(self.body, self.blocks, self.title, self.number, names), dtype=np.float32)


def pages(articles: Path | None) -> Iterator[Page]:
    """Read all pages of the corpus and of the folder, if there is one."""
    context = Context(find_corpus())
    for case in content_pages(context):
        yield from _page(case.kind, urlsplit(case.url).netloc, case.html, case.text)
    for line, html in article_lines(context):
        text = str(trafilatura.extract(html, include_comments=False) or "")
        passages = (line["with"], line["without"])
        yield from _page("passages", urlsplit(line["url"]).netloc, html, text, passages)
    for path in sorted(articles.glob("*.html")) if articles else ():
        yield from _page("article", path.stem, path.read_text("utf-8"), path.with_suffix(".txt").read_text("utf-8"))


def _page(
    kind: str, site: str, html: str, truth: str, passages: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> Iterator[Page]:
    parsed, said = read_for_main_content(html, "")
    root, head = parsed.root, parsed.head
    body = root.find("body")
    blocks = [] if body is None else text_blocks(body)
    if body is None or not blocks or not (len(_WORD.findall(truth)) > 20 or passages[0]):
        return
    sizes = [max(1, len(_WORD.findall(block.text))) ** 0.5 for block in blocks]
    weights = np.array([100 * size / sum(sizes) for size in sizes])
    shares = np.array(_shares(blocks, truth))
    if kind == "article":
        weights *= [not _is_caption(block.element) for block in blocks]
    elif kind == "passages":
        weights *= 0.5 if len(_WORD.findall(truth)) > 20 else 0.0
        for of_kind, share in zip(passages, (1.0, 0.0), strict=True):
            for number, block in enumerate(blocks):
                if any(holds_passage(block.text, passage) for passage in of_kind):
                    weights[number] += OF_PASSAGE
                    shares[number] = share
    number = KIND_NUMBERS[said]
    yield Page(kind, _name_of(site), truth, passages, head.title, number, body, blocks, shares, weights)


def _is_caption(element: HtmlElement) -> bool:
    return any(one.tag == "figcaption" for one in (element, *element.iterancestors()))


def _name_of(site: str) -> str:
    """Give the name of a site in its host or file: ``bbc`` of "www.bbc.co.uk" and "bbc-1"."""
    labels = [label for label in site.removeprefix("www.").split(".") if len(label) > 3] or [site]
    return labels[-1].split("-")[0]


def _shares(blocks: Sequence[TextBlock], truth: str) -> list[float]:
    """Give which part of each block stands in the true text; short ones need a neighbour beside them there."""
    wanted = _WORD.findall(truth.lower())
    grams = {tuple(wanted[at : at + GRAM]) for at in range(len(wanted))}
    line = f" {' '.join(wanted)} "
    words = [_WORD.findall(block.text.lower()) for block in blocks]
    times = Counter(" ".join(one) for one in words)
    shares: list[float] = []
    for at, own in enumerate(words):
        if len(own) >= GRAM + 2:
            mine = [tuple(own[start : start + GRAM]) for start in range(len(own) - GRAM + 1)]
            shares.append(sum(gram in grams for gram in mine) / len(mine))
        elif own:
            before = words[at - 1][-3:] if at else []
            after = words[at + 1][:3] if at + 1 < len(words) else []
            found = line.count(f" {' '.join(own)} ") / times[" ".join(own)]
            beside = [near for near in ([*before, *own], [*own, *after]) if len(near) > len(own)]
            is_beside = any(f" {' '.join(near)} " in line for near in beside)
            shares.append(1.0 if is_beside else min(1.0, found) * (0.5 if len(own) < 3 else 0.8))
        else:
            shares.append(0.5)
    return shares


def learn_names(some: Sequence[Page]) -> dict[str, float]:
    """Weigh the words of classes and ids: the log odds of content below them, each page with one vote."""
    content: defaultdict[str, float] = defaultdict(float)
    seen: Counter[str] = Counter()
    for page in some:
        good: defaultdict[str, float] = defaultdict(float)
        every: defaultdict[str, float] = defaultdict(float)
        for block, share, weight in zip(page.blocks, page.shares, page.weights, strict=True):
            for name in _names_above(block.element) if weight else ():
                good[name] += share * weight
                every[name] += weight
        for name, size in every.items():
            content[name] += good[name] / size
            seen[name] += 1
    return {
        name: round(float(np.log((content[name] + 1) / (count - content[name] + 1))), 2)
        for name, count in sorted(seen.items())
        if count >= FEWEST_PAGES
    }


def _names_above(element: HtmlElement) -> set[str]:
    around = (one for one in (element, *element.iterancestors()) if one.tag not in ("body", "html"))
    return {word for one in around for word in name_words(one.get("class", ""), one.get("id", ""))}


def learn(some: Sequence[Page]) -> tuple[list[Any], dict[str, float]]:
    """Learn the trees, and the names' weights; the trees see these as they are on pages that do not know them."""
    parts = parted(some, INNER_PARTS)
    known = [
        learn_names([page for page, of in zip(some, parts, strict=True) if of != part]) for part in range(INNER_PARTS)
    ]
    rows = [page.features(known[part]) for page, part in zip(some, parts, strict=True)]
    nameless = [page.features({}) for page in some]
    data = lightgbm.Dataset(
        np.concatenate([*rows, *nameless]),
        np.concatenate([page.shares for page in some] * 2),
        weight=np.concatenate([*(page.weights for page in some), *(NAMELESS * page.weights for page in some)]),
    )
    return as_data(lightgbm.train(SETTINGS, data, TREES)), learn_names(some)


def parted(some: Sequence[Page], parts: int) -> list[int]:
    """Give the part of each page; all pages of a site are in one."""
    sites = sorted({page.site for page in some})
    part_of = dict(zip(sites, np.random.RandomState(0).permutation(len(sites)) % parts, strict=True))
    return [int(part_of[page.site]) for page in some]


def check(every: Sequence[Page]) -> dict[str, Any]:
    """Measure on sites that were not learned from: the F1 of the words of each kind of page, and of the passages."""
    scores: defaultdict[str, list[float]] = defaultdict(list)
    seen: Counter[tuple[str, bool]] = Counter()
    parts = parted(every, PARTS)
    for part in range(PARTS):
        model = model_of(*learn([page for page, of in zip(every, parts, strict=True) if of != part]))
        for page in (page for page, of in zip(every, parts, strict=True) if of == part):
            text = _main_content(page, model)
            for wanted, passages in zip((True, False), page.passages, strict=True):
                seen.update(("kept" if holds_passage(text, one) else "lost", wanted) for one in passages)
            if page.kind != "passages":
                scores[page.kind].append(rates(text, page.truth)[2])
    of_kind = {kind: mean(some) for kind, some in sorted(scores.items())}
    whole = [score for kind, some in scores.items() if kind != "article" for score in some]
    recall = seen["kept", True] / (seen["kept", True] + seen["lost", True])
    precision = seen["kept", True] / (seen["kept", True] + seen["kept", False])
    of_passages = {"recall": recall, "precision": precision, "f1": 2 * precision * recall / (precision + recall)}
    sites = len({page.site for page in every if page.kind not in ("article", "passages")})
    return {
        "pages": len(whole), "sites": sites, "f1": mean(whole), "kinds": of_kind, "passages": of_passages
    }  # fmt: skip


def _main_content(page: Page, model: ContentModel) -> str:
    kept = judge_blocks(page.body, page.blocks, page.title, page.number, model).kept
    return "\n".join(block.text for block, is_kept in zip(page.blocks, kept, strict=True) if is_kept)


def as_data(model: Any) -> list[Any]:
    """Give the trees as nested lists: feature, limit, below, above; leaves are numbers."""

    def node(tree: Mapping[str, Any]) -> Any:
        if "leaf_value" in tree:
            return round(tree["leaf_value"], 3)
        sides = (node(tree["left_child"]), node(tree["right_child"]))
        return [tree["split_feature"], float(f"{tree['threshold']:.4g}"), *sides]

    return [node(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]


def main() -> None:
    """Check, and with ``--write`` learn from all pages and write the model."""
    folders = [Path(one) for one in sys.argv[1:] if not one.startswith("--")]
    every = list(pages(folders[0] if folders else None))
    print(Counter(page.kind for page in every))
    found = check(every)
    print(json.dumps(found, indent=1))
    if "--write" in sys.argv:
        trees, names = learn(every)
        MODEL.write_text(json.dumps({"trees": trees, "names": names}, separators=(",", ":")) + "\n", "utf-8")
        LEFT_OUT.write_text(json.dumps({"model": digest_of_model(), **found}, indent=1) + "\n", "utf-8")
        print(f"{MODEL.name}: {MODEL.stat().st_size} bytes")


if __name__ == "__main__":
    main()
