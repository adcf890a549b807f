"""Learns the judgement of main content and writes ``gleaner/data/main_content.json``.

What it reaches on pages of sites that it was not learned from goes to ``benchmarks/results/left_out.json``, which
``make measure`` shows: the figures on the pages that it was learned from flatter it.

Learned from the pages of ``wcxb_dev`` with their true texts, and from articles of a folder of yours: ``NAME.html`` with
``NAME.txt`` beside it. The package's model was learned with 62 articles from the test data of open-source extractors,
each with the text on which two of these agree; the corpus has none. It then says what the model reaches
on sites that it was not learned from (six parts, a site in one of them, each judged by a model of the other five).

    pip install lightgbm
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
from gleaner.html.style_hiding import mark_hidden_by_styles
from gleaner.markdown.block_features import block_features, name_words
from gleaner.markdown.main_blocks import KIND_NUMBERS, least_share, page_kind
from gleaner.markdown.text_blocks import TextBlock, text_blocks
from gleaner.page.model import PageOptions
from gleaner.page.opening import parse_part, settle
from gleaner.page.writing import reduce_to_text
from lxml.html import HtmlElement
from measure.content import LEFT_OUT, MODEL, content_pages, digest_of_model
from measure.matching import rates
from measure.rows import Context, find_corpus

PARTS = 6
INNER_PARTS = 4
FEWEST_PAGES = 3
"""Pages that a word of a class must stand on to be weighed."""
NAMELESS = 0.5
"""How much the second look at a page counts, without its names."""
GRAM = 4
TREES = 150
SETTINGS = {
    "objective": "cross_entropy", "num_leaves": 15, "learning_rate": 0.05, "min_data_in_leaf": 40,
    "feature_fraction": 0.4, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5, "seed": 1, "num_threads": 1,
    "deterministic": True, "verbosity": -1,
}  # fmt: skip
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Page:
    """A page as the judgement sees it, with the share of each block that belongs to the true text."""

    kind: str
    site: str
    truth: str
    title: str
    number: int
    body: Any
    blocks: Sequence[TextBlock]
    shares: Sequence[float]
    weights: Sequence[float]


def pages(articles: Path | None) -> Iterator[Page]:
    """Read all pages of the corpus and of the folder, if there is one."""
    for case in content_pages(Context(find_corpus())):
        yield from _page(case.kind, urlsplit(case.url).netloc, case.html, case.text)
    for path in sorted(articles.glob("*.html")) if articles else ():
        yield from _page("article", path.stem, path.read_text("utf-8"), path.with_suffix(".txt").read_text("utf-8"))


def _page(kind: str, site: str, html: str, truth: str) -> Iterator[Page]:
    parsed, options = parse_part(mark_hidden_by_styles(html), "", PageOptions()), PageOptions()
    root, title, number = parsed.root, parsed.head.title, KIND_NUMBERS[page_kind(parsed.root)]
    noise = settle(root, parsed.words, options, by_name=True).noise
    reduce_to_text(root, noise.parts, parsed.words, options, parsed.head.base)
    body = root.find("body")
    blocks = [] if body is None else text_blocks(body)
    if len(_WORD.findall(truth)) > 20 and blocks:
        sizes = [max(1, len(_WORD.findall(block.text))) ** 0.5 for block in blocks]
        weights = [100 * size / sum(sizes) for size in sizes]
        yield Page(kind, site, truth, title, number, body, blocks, _shares(blocks, truth), weights)


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
            for name in _names_above(block.element):
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


def features(page: Page, names: Mapping[str, float]) -> Any:
    """Give the features of a page's blocks as an array."""
    return np.array(block_features(page.body, page.blocks, page.title, page.number, names))


def learn(some: Sequence[Page]) -> Any:
    """Learn the trees; the names' weights come from other pages than those that the trees see them on.

    Each page is seen a second time as if its classes meant nothing, as on pages that are written without any or with
    names that a build tool made up.
    """
    rows: list[Any] = []
    for part in range(INNER_PARTS):
        names = learn_names([page for at, page in enumerate(some) if at % INNER_PARTS != part])
        rows += [(at, features(page, names)) for at, page in enumerate(some) if at % INNER_PARTS == part]
    rows.sort(key=lambda row: row[0])
    nameless = [features(page, {}) for page in some]
    data = lightgbm.Dataset(
        np.concatenate([*(values for _, values in rows), *nameless]),
        np.concatenate([page.shares for page in some] * 2),
        weight=np.concatenate([*(page.weights for page in some), *(NAMELESS * np.array(one.weights) for one in some)]),
    )
    return lightgbm.train(SETTINGS, data, TREES)


def check(every: Sequence[Page]) -> None:
    """Say the F1 of the words of each kind of page, on sites that were not learned from, and without their names."""
    sites = sorted({page.site for page in every})
    parts = dict(zip(sites, np.random.RandomState(0).permutation(len(sites)) % PARTS, strict=True))
    scores: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for part in range(PARTS):
        some = [page for page in every if parts[page.site] != part]
        model, names = learn(some), learn_names(some)
        for page in every:
            if parts[page.site] == part:
                scores[page.kind].append((_score(page, model, names), _score(page, model, {})))
    for kind, pairs in sorted(scores.items()):
        named, nameless = (mean(values) for values in zip(*pairs, strict=True))
        print(f"{kind:15} {named:.3f}, without names {nameless:.3f}, of {len(pairs)} pages")
    of_kind = {kind: mean(named for named, _ in pairs) for kind, pairs in sorted(scores.items())}
    pages = sum(len(pairs) for pairs in scores.values())
    whole = mean(named for pairs in scores.values() for named, _ in pairs)
    found = {"model": digest_of_model(), "pages": pages, "sites": len(sites), "f1": whole, "kinds": of_kind}
    LEFT_OUT.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _score(page: Page, model: Any, names: Mapping[str, float]) -> float:
    shares = model.predict(features(page, names))
    least = least_share(page.blocks, shares)
    kept = [block.text for block, share in zip(page.blocks, shares, strict=True) if share >= least]
    return rates("\n".join(kept), page.truth)[2]


def as_data(model: Any) -> list[Any]:
    """Give the trees as nested lists: feature, limit, below, above; leaves are numbers."""

    def node(tree: Mapping[str, Any]) -> Any:
        if "leaf_value" in tree:
            return round(tree["leaf_value"], 4)
        sides = (node(tree["left_child"]), node(tree["right_child"]))
        return [tree["split_feature"], float(f"{tree['threshold']:.5g}"), *sides]

    return [node(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]


def main() -> None:
    """Check, and with ``--write`` learn from all pages and write the model."""
    folders = [Path(one) for one in sys.argv[1:] if not one.startswith("--")]
    every = list(pages(folders[0] if folders else None))
    if "--write" in sys.argv:
        data = {"trees": as_data(learn(every)), "names": learn_names(every)}
        MODEL.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
        print(f"{MODEL.name}: {MODEL.stat().st_size} bytes")
    check(every)


if __name__ == "__main__":
    main()
