"""Main content: a page's words, its snippets, and the values of its tables that reach the Markdown."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from gleaner.html.dom import parse_html, visible_text
from gleaner.markdown import extract_clean_markdown, main_content
from layouts import Style, page_of, strip_marks
from layouts.articles import ARTICLES
from markdownify import markdownify

from measure.cases import attempt, read_cases
from measure.matching import holds_passage, holds_words, rates, rows_in_markdown
from measure.rows import ROOT, Context, Row, processor_time, share

_NO_CORPUS = "the corpus is not there"
MODEL = ROOT / "layers/core/src/gleaner/data/main_content.json"
LEFT_OUT = ROOT / "benchmarks/results/left_out.json"
"""What a judgement learned from other sites reaches; ``train_main_content.py`` writes it."""
QUICK_PAGES = 18


@dataclass(frozen=True, slots=True)
class ContentPage:
    """A page with its wanted text, the snippets that belong to it, and those that do not."""

    name: str
    kind: str
    html: str
    url: str
    text: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def measure(context: Context) -> Sequence[Row]:
    """Give the rows of main content and of tables in the Markdown."""
    return [*_main_content(context), *_left_out(), *_snippets(context), *_made_articles(context), *_tables(context)]


def content_pages(context: Context) -> Iterator[ContentPage]:
    """Give the pages of ``wcxb_dev``; of a quick run some of each kind. Broken ones are noted."""
    folder = context.corpus / "wcxb_dev" if context.corpus else None
    if folder is None or not (folder / "pages.jsonl").exists():
        return
    taken: Counter[str] = Counter()
    for number, line in enumerate((folder / "pages.jsonl").read_text("utf-8").splitlines()):
        try:
            page = _page(json.loads(line), folder)
        except (OSError, ValueError, KeyError, TypeError) as error:
            context.note(f"wcxb_dev, line {number + 1}", error)
            continue
        taken[page.kind] += 1
        if not context.quick or taken[page.kind] <= QUICK_PAGES // 6:
            yield page


def _page(line: dict[str, object], folder: Path) -> ContentPage:
    html = (folder / str(line["html"])).read_bytes().decode("utf-8", "replace")
    wanted, unwanted = (tuple(map(str, line[name])) for name in ("with", "without"))  # type: ignore[call-overload]
    return ContentPage(str(line["id"]), str(line["type"]), html, str(line["url"]), str(line["text"]), wanted, unwanted)


def _main_content(context: Context) -> Iterator[Row]:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    seen: Counter[str] = Counter()
    seconds: list[float] = []
    for page in content_pages(context):
        with processor_time() as spent:
            text = attempt(context, f"wcxb_dev/{page.name}", lambda page=page: main_content(page.html, page.url))
        if text is None:
            continue
        seconds += spent
        scores[page.kind].append(rates(text, page.text)[2])
        seen.update({"wanted": len(page.wanted), "unwanted": len(page.unwanted)})
        seen["kept"] += sum(holds_words(text, one) for one in page.wanted)
        seen["let in"] += sum(holds_words(text, one) for one in page.unwanted)
    every = [score for of_kind in scores.values() for score in of_kind]
    note = "" if every else _NO_CORPUS
    yield Row(
        "content.f1", "main content of real pages, F1 of the words, mean", mean(every) if every else None, "F1",
        "higher", 0.002, f"{len(every)} pages", note=note, is_fitted=True,
    )  # fmt: skip
    for kind in sorted(scores):
        title, of = f"main content of real pages, F1: {kind}", f"{len(scores[kind])} pages"
        yield Row(f"content.f1.{kind}", title, mean(scores[kind]), "F1", "higher", 0.005, of, is_fitted=True)
    for name, title, better, part, whole in (
        ("snippets", "snippets of the content that stand in it", "higher", "kept", "wanted"),
        ("boilerplate", "snippets of boilerplate that stand in it", "lower", "let in", "unwanted"),
    ):
        told = f"{seen[part]} of {seen[whole]} snippets"
        value = share(seen[part], seen[whole])
        yield Row(f"content.{name}", title, value, "%", better, 0.5, told, note=note, is_fitted=True)
    yield Row(
        "content.time", "processor time of the main content of a real page, mean",
        1000 * mean(seconds) if seconds else None, "ms", "lower", 30,
        f"{max(seconds):.1f} s for the slowest" if seconds else "", note=note,
    )  # fmt: skip


def digest_of_model() -> str:
    """Give what tells one learned judgement from another."""
    return sha256(MODEL.read_bytes()).hexdigest()[:16]


def _left_out() -> Iterator[Row]:
    """Give what the judgement reaches on sites that it was not learned from, as it was measured when it was learned."""
    found: dict[str, Any] = json.loads(LEFT_OUT.read_text("utf-8")) if LEFT_OUT.exists() else {"model": ""}
    is_known = found["model"] == digest_of_model()
    note = "" if is_known else "learned anew: benchmarks/train_main_content.py measures it"
    told = f"{found['pages']} pages of {found['sites']} sites" if is_known else ""
    passages = found.get("passages", {})
    for name, title, value, of in (
        ("content.f1.left_out", "main content of real pages, F1, leaving each site out", found.get("f1"), told),
        (
            *("content.articles.left_out", "passages of real articles, F1, leaving each site out", passages.get("f1")),
            "recall {recall:.3f}, precision {precision:.3f}".format_map(passages) if passages else "",
        ),
    ):
        yield Row(name, title, value if is_known else None, "F1", "higher", 0.005, of, note=note)


def article_lines(context: Context) -> Iterator[tuple[dict[str, Any], str]]:
    """Give the articles of ``snippets``: what must and must not be in, and the page; of a quick run some."""
    folder = context.corpus / "snippets" if context.corpus else None
    if folder is None:
        return
    if not (folder / "pages.jsonl").is_file():
        context.note("snippets", "this folder is missing in the corpus")
        return
    lines = (folder / "pages.jsonl").read_text("utf-8").splitlines()
    for line in lines[:: len(lines) // QUICK_PAGES] if context.quick else lines:
        read = json.loads(line)
        yield read, (folder / read["file"]).read_bytes().decode("utf-8", "replace")


def _snippets(context: Context) -> Iterator[Row]:
    """Count passages that must and must not be in the main content of real articles."""
    seen: Counter[str] = Counter()
    for line, html in article_lines(context):
        text = attempt(
            context, f"snippets, {line['file']}", lambda line=line, html=html: main_content(html, line["url"])
        )
        if text is not None:
            wanted, unwanted = ([holds_passage(text, one) for one in line[name]] for name in ("with", "without"))
            seen.update({"kept": sum(wanted), "wanted": len(wanted), "pages": 1})
            seen.update({"let in": sum(unwanted), "unwanted": len(unwanted)})
    note = "" if seen else _NO_CORPUS
    for name, title, better, part, whole in (
        ("kept", "passages of real articles that stand in their main content", "higher", "kept", "wanted"),
        ("let_in", "passages from beside real articles that stand in it", "lower", "let in", "unwanted"),
    ):
        told, value = f"{seen[part]} of {seen[whole]} passages, {seen['pages']} pages", share(seen[part], seen[whole])
        yield Row(f"content.articles.{name}", title, value, "%", better, 0.5, told, note=note, is_fitted=True)


def _made_articles(context: Context) -> Iterator[Row]:
    """Measure the layouts of articles: what is there where there is no corpus."""
    scores: list[float] = []
    for design in ARTICLES:
        for number in range(1 if context.quick else 3):
            records = design.records(context.seed, number)
            page = page_of(design, records, Style(random=Random(f"{design.name}/{number}")))
            wanted = visible_text(parse_html(page).get_element_by_id("content"))
            text = attempt(context, design.name, lambda page=page: main_content(strip_marks(page)))
            if text is not None:
                scores.append(rates(text, wanted)[2])
    yield Row(
        "content.f1.made_articles",
        "main content of layouts of articles, F1",
        mean(scores) if scores else None,
        "F1",
        "higher",
        0.005,
        f"{len(scores)} pages",
    )


def _tables(context: Context) -> Iterator[Row]:
    """Count the values of real tables that stand in one line of the Markdown with their row; markdownify beside it."""
    ours = theirs = whole = tables = 0
    for case in read_cases(context, "tables"):
        rows = case.records
        if all("cookie" in str(row).lower() for row in rows):  # of a banner, which is left out (MD-1)
            continue
        found = attempt(
            context,
            case.name,
            lambda case=case, rows=rows: (
                rows_in_markdown(extract_clean_markdown(case.html, case.url)[0], rows),
                rows_in_markdown(markdownify(case.html), rows),
            ),
        )
        if found is not None:
            ours, theirs, whole, tables = ours + found[0][0], theirs + found[1][0], whole + found[0][1], tables + 1
    note = "" if tables else _NO_CORPUS
    yield Row(
        "content.tables",
        "values of real tables that stand in their row's line of the Markdown",
        share(ours, whole),
        "%",
        "higher",
        0.2,
        f"{ours} of {whole} values, {tables} tables",
        note=note,
    )
    yield Row(
        "peers.markdownify.tables",
        "the same by markdownify (keeps the whole page)",
        share(theirs, whole),
        "%",
        "higher",
        100,
        f"{theirs} of {whole} values",
        note=note,
    )
