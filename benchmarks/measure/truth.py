"""Human truth given as the model's answer: each value that stands in the page's Markdown must survive.

``corpus/records``: products, recipes, tables. What is refused here is a false rejection, whatever rule did it.
"""

import json
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gleaner.contracts.models import ScrapeResult
from gleaner.page.model import PageOptions
from gleaner.page.opening import open_page
from layouts.design import Design, Style, page_of, strip_marks, truth_of
from layouts.split import designs_of

from measure.recorded import is_named
from measure.replay import Replay, ask
from measure.rows import Context, Row, share
from measure.values import Fate, Json, PageText, fate_of, first_choice

KINDS = {"products": "product pages", "recipes": "recipe pages", "tables": "tables"}
QUICK = 6
LAYOUTS_QUICK = 8


@dataclass(slots=True)
class Outcome:
    """What the pages of a kind came to; ``silent`` are values that are gone though the result says complete and names
    no such field."""

    pages: int = 0
    partial: int = 0
    silent: int = 0
    seconds: float = 0.0
    fate: Fate = field(default_factory=Fate)

    def add(self, truth: Json, page: PageText, result: ScrapeResult, seconds: float) -> None:
        """Count a page."""
        fate = fate_of(truth, result.extraction.data if result.extraction else None, page)
        self.pages += 1
        self.seconds += seconds
        self.fate.add(fate)
        self.partial += result.status != "complete"
        if result.status == "complete":
            self.silent += sum(not is_named(pointer, result) for pointer in fate.nulled)


def measure(context: Context) -> list[Row]:
    """Give the rows: values nulled per kind, those nulled in silence, and the same on generated layouts."""
    seen = {kind: _of_kind(context, kind) for kind in KINDS}
    rows = [
        _nulled(f"truth.{kind}", f"truth as the answer, {KINDS[kind]}: values nulled", seen[kind]) for kind in KINDS
    ]
    silent, gone = sum(one.silent for one in seen.values()), sum(len(one.fate.nulled) for one in seen.values())
    rows.append(
        Row("truth.silent", "truth as the answer: nulled, complete and not named", float(silent) if gone or silent or
            any(one.pages for one in seen.values()) else None, "count", "lower", 0, f"of {gone} nulled")
    )  # fmt: skip
    return [*rows, *_on_layouts(context)]


def _nulled(name: str, title: str, seen: Outcome) -> Row:
    fate = seen.fate
    of = f"{len(fate.nulled):,} of {fate.stated:,} values, {seen.partial} of {seen.pages} pages partial"
    return Row(name, title, share(len(fate.nulled), fate.stated), "%", "lower", 0.1, of if seen.pages else "no corpus")


def _of_kind(context: Context, kind: str) -> Outcome:
    outcome = Outcome()
    cases = context.cases("records", kind)
    for path in cases[:QUICK] if context.quick else cases:
        try:
            html, url, schema, truth, page = read_case(path)
        except (OSError, ValueError, KeyError) as error:
            context.note(f"records/{kind}/{path.name}", error)
            continue
        outcome.add(truth, page, *answered(html, url, schema, truth))
    return outcome


def read_case(folder: Path) -> tuple[str, str, Json, Json, PageText]:
    """Give a case's HTML, address, schema, truth (choices made, absent fields null) and what its Markdown states."""
    html, url = (folder / "page.html").read_text("utf-8", errors="replace"), (folder / "url").read_text().strip()
    url = url if "://" in url else f"https://{url}"
    schema = json.loads((folder / "schema.json").read_text("utf-8"))
    page = PageText.of(open_page(html, url, PageOptions(extract_links=True)).text)
    truth = first_choice(json.loads((folder / "expected.json").read_text("utf-8")), page)
    absent = {name: None for name in schema["properties"] if name not in truth}
    return html, url, schema, {**truth, **absent}, page


def answered(html: str, url: str, schema: Json, truth: Json) -> tuple[ScrapeResult, float]:
    """Give the result of a page whose model answers the truth, and the seconds of processor time."""
    with tempfile.TemporaryDirectory() as home:
        start = time.process_time()
        result = ask(home, html, url, schema, Replay(truth), config={"tiers": ["model"]})
        return result, time.process_time() - start


def _on_layouts(context: Context) -> list[Row]:
    developed = _of_designs(designs_of("develop"), context)
    checked = None if context.quick else _of_designs(designs_of("check", is_measurement=True), context)
    row = _nulled("truth.layouts", "truth as the answer, generated layouts: values nulled", developed)
    alarms = f"{developed.partial} of {developed.pages} pages"
    partial = Row(
        "truth.layouts.partial", "truth as the answer, generated layouts: false alarms",
        share(developed.partial, developed.pages), "%", "lower", 1.0, alarms,
    )  # fmt: skip
    if checked is None:
        return [row, partial]
    fate = checked.fate
    return [
        _with_check(row, share(len(fate.nulled), fate.stated), f"{len(fate.nulled):,} of {fate.stated:,}"),
        _with_check(partial, share(checked.partial, checked.pages), f"{checked.partial} of {checked.pages}"),
    ]


def _with_check(row: Row, value: float | None, of: str) -> Row:
    return replace(row, check=value, check_of=of)


def _of_designs(designs: list[Design], context: Context) -> Outcome:
    outcome = Outcome()
    for design in designs[:: max(1, len(designs) // LAYOUTS_QUICK)] if context.quick else designs:
        records = design.records(context.seed, 0)[:10]
        html = strip_marks(page_of(design, records, Style()))
        truths: list[Any] = [truth_of(design, record) for record in records]
        truth: Json = truths if design.is_list else truths[0]
        page = PageText.of(open_page(html, design.url(0), PageOptions(extract_links=True)).text)
        outcome.add(truth, page, *answered(html, design.url(0), design.whole_schema, truth))
    return outcome
