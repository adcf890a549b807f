"""The pages that a small model is tried on: generated ones about one thing, short generated lists, and saved ones."""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from gleaner import Gleaner
from gleaner.contracts.errors import GleanerError
from layouts import Style, page_of, strip_marks, truth_of
from layouts.design import Design
from layouts.split import designs_of

from measure.rows import Context

ROWS = 3
"""So that an answer takes 80 to 200 tokens."""
MOST_CHARS_OF_A_LIST, MOST_CHARS = 400, 2_000
"""Of Markdown: a prompt has up to 1,200 tokens then, of which llama.cpp reads 30 to 150 a second on one core."""
KINDS = ("products", "tables")
"""Of saved pages. Recipes are left out: their answers are longer than the limit."""
MOST_OF_A_KIND = 10
"""Saved pages of a kind that are looked at, the smallest files first: of larger ones next to none is short enough."""


@dataclass(frozen=True, slots=True)
class TriedPage:
    """A page, what is asked of it, and the truth. ``markdown`` is Gleaner's, which both ways read."""

    id: str
    html: str
    url: str
    schema: dict[str, Any]
    truth: Any
    markdown: str

    @property
    def query(self) -> str:
        """What is asked for."""
        return "all records" if self.schema.get("type") == "array" else "what the schema describes"


def find_pages(count: int, context: Context) -> list[TriedPage]:
    """Give pages, of each kind in turn, lists last; a case that can't be read is named in the notes.

    Lists take the most time by far, a dozen calls or more: the model repeats items up to the limit of tokens, and what
    was cut off is asked for again in parts. So pages about one thing are those without a list in them.
    """
    with tempfile.TemporaryDirectory() as home, Gleaner("none", home) as gleaner:
        single = _layouts(gleaner, context, is_list=False)
        rounds = zip_longest(single, _saved(gleaner, context), single, _layouts(gleaner, context, is_list=True))
        mixed = (page for page in chain.from_iterable(rounds) if page is not None)
        return [page for _, page in zip(range(count), mixed, strict=False)]


def _layouts(gleaner: Gleaner, context: Context, *, is_list: bool) -> Iterator[TriedPage]:
    """Give pages of the layouts to develop on, every eighth layout first: neighbours among them are alike."""
    of_kind = [design for design in designs_of("develop") if design.is_list == is_list]
    designs = [design for design in of_kind if is_list or '"array"' not in json.dumps(design.schema)]
    most = MOST_CHARS_OF_A_LIST if is_list else MOST_CHARS
    for design in (one for start in range(8) for one in designs[start::8]):
        page = _generated(replace(design, rows=ROWS), context.seed)
        if (short := _short(gleaner, page, most, context)) is not None:
            yield short


def _generated(design: Design, seed: int) -> TriedPage:
    records = design.records(seed, 1)
    html = strip_marks(page_of(design, records, Style()))
    truth = [truth_of(design, record) for record in records]
    truth = truth if design.is_list else truth[0]
    return TriedPage(f"layouts/{design.name}", html, design.url(1), design.whole_schema, truth, "")


def _saved(gleaner: Gleaner, context: Context) -> Iterator[TriedPage]:
    """Give saved pages, the smallest of each kind first."""
    by_kind = [sorted(context.cases("records", kind), key=_size)[:MOST_OF_A_KIND] for kind in KINDS]
    for folder in (one for kinds in zip_longest(*by_kind) for one in kinds if one is not None):
        name = f"{folder.parent.name}/{folder.name}"
        try:
            page = TriedPage(
                id=name,
                html=(folder / "page.html").read_text("utf-8"),
                url=(folder / "url").read_text("utf-8").strip(),
                schema=json.loads((folder / "schema.json").read_text("utf-8")),
                truth=json.loads((folder / "expected.json").read_text("utf-8")),
                markdown="",
            )
        except (OSError, ValueError) as error:
            context.note(name, error)
            continue
        if not page.url.startswith("http"):
            page = replace(page, url=f"https://{page.url or folder.name}/")
        if (short := _short(gleaner, page, MOST_CHARS, context)) is not None:
            yield short


def _size(folder: Path) -> int:
    page = folder / "page.html"
    return page.stat().st_size if page.is_file() else 0


def _short(gleaner: Gleaner, page: TriedPage, most: int, context: Context) -> TriedPage | None:
    """Give the page with its Markdown; None when that is too long, or there is none."""
    try:
        markdown = gleaner.extract_html(page.html, page.url).markdown or ""
    except GleanerError as error:
        context.note(page.id, error)
        return None
    return replace(page, markdown=markdown) if 0 < len(markdown) <= most else None
