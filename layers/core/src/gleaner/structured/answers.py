"""Tier 0: the answer that a page's own data gives without doubt, proven and certified like a model's (RC-4)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from lxml.html import HtmlElement

from gleaner.dom import parse_html, select_outer_html
from gleaner.errors import InvalidSchema
from gleaner.extraction.assembly import assemble
from gleaner.extraction.tasks import ChunkExtractionResult
from gleaner.hidden import drop_hidden
from gleaner.markdown import clean_page
from gleaner.merging import canonical
from gleaner.models import ExtractionConfig, ExtractionResult
from gleaner.ports import JsonValue
from gleaner.proof.leaves import read_pointer
from gleaner.schemas import is_valid, unenforceable
from gleaner.structured.fields import Wanted, read_wanted
from gleaner.structured.nodes import find_in_nodes
from gleaner.structured.pairs import find_in_pairs
from gleaner.structured.questions import asks_for_everything, remarks_are_plain
from gleaner.structured.shown import page_agrees
from gleaner.structured.tables import Found, find_in_tables
from gleaner.structured.visible import Surroundings, read_surroundings, units_showing
from gleaner.totals import stated_total
from gleaner.units import PlacedUnit


@dataclass(frozen=True, slots=True)
class StructuredAnswer:
    """Data that matches the schema, where it was found, and for each record the texts in its place on the page."""

    data: JsonValue
    source: str
    wanted: Wanted
    texts: tuple[tuple[str, ...], ...] = ()

    @property
    def records(self) -> list[Any]:
        """The records, out of what wraps them; the one object as a list."""
        data: Any = self.data
        for step in read_pointer(self.wanted.path.pointer) if self.wanted.path else ():
            data = data[step]
        return data if self.wanted.is_list else [data]


def extract_structured(html: str, url: str = "", schema: Any = None) -> Any | None:
    """Give the page's answer to a schema without a model; None where anything is in doubt (RC-4).

    The answer is complete, and each of its values is stated on the page. Equal rows are all given.

    >>> page = "<table><tr><th>Name<th>Price (€)</tr><tr><td>Lamp<td>5.50</tr><tr><td>Mug<td>3.20</tr></table>"
    >>> record = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    >>> extract_structured(page, "", {"type": "array", "items": record})
    [{'name': 'Lamp', 'price': 5.5}, {'name': 'Mug', 'price': 3.2}]
    """
    answer = answer_from_structure(html, url, schema)
    if answer is None:
        return None
    page = clean_page(html, url)
    config = ExtractionConfig(dedupe="none")
    certified = certify_answer(answer, page.markdown, page.units, schema=schema, config=config, url=url, snapshot=html)
    return None if certified is None else certified.data


def answer_from_structure(
    html: str, url: str, schema: Any, *, query: str | None = None, css_selector: str | None = None
) -> StructuredAnswer | None:
    """Give what the page's tables and embedded data say of the schema's fields; None where that is in doubt.

    The answer is not yet compared with what the page shows: ``certify_answer`` does that. ``css_selector`` narrows
    the page as it does the Markdown (InvalidSelector, SelectorNotFound).
    """
    wanted = _wanted(schema)
    if wanted is None:
        return None
    whole = parse_html(html)
    around = read_surroundings(whole)
    nouns = around.nouns()
    if not asks_for_everything(query, wanted, nouns) or not remarks_are_plain(wanted, nouns):
        return None
    root = whole if css_selector is None else parse_html(select_outer_html(html, css_selector))
    answers = list(_answers(root, _base(whole, url), wanted, around))
    return answers[0] if answers and len({canonical(answer.data) for answer in answers}) == 1 else None


def _wanted(schema: Any) -> Wanted | None:
    if not isinstance(schema, dict) or unenforceable(schema) is not None:
        return None
    try:
        return read_wanted(schema)
    except InvalidSchema:
        return None


def _base(root: HtmlElement, url: str) -> str:
    base = next((each.get("href") for each in root.iter("base") if each.get("href")), None)
    return urljoin(url, base) if base else url


_SOURCES: tuple[Callable[[HtmlElement, str, Wanted, Surroundings], Iterator[Found]], ...] = (
    find_in_tables,
    find_in_pairs,
    find_in_nodes,
)
_SEEN_BY_PEOPLE = ("table", "pairs")


def _answers(root: HtmlElement, url: str, wanted: Wanted, around: Surroundings) -> Iterator[StructuredAnswer]:
    drop_hidden(root)
    for source in _SOURCES:
        for found in source(root, url, wanted, around):
            if not found.records or (not wanted.is_list and len(found.records) != 1):
                continue
            data = wanted.wrap([dict(record) for record in found.records])
            if is_valid(wanted.schema, data):
                yield StructuredAnswer(data, found.source, wanted, found.texts)


def certify_answer(
    answer: StructuredAnswer,
    markdown: str,
    units: Sequence[PlacedUnit],
    *,
    schema: Any,
    config: ExtractionConfig,
    url: str,
    snapshot: str,
    chunk_starts: Sequence[int] = (0,),
) -> ExtractionResult | None:
    """Prove the answer and count it against the page; None unless all of it is proven and nothing is missing."""
    is_list, is_embedded = answer.wanted.is_list, answer.source not in _SEEN_BY_PEOPLE
    found = units_showing(answer.texts, markdown, units) if is_list else None
    if is_list and is_embedded and found is None:
        return None
    spans = [(units[at].start, units[at].end) for at in found or ()]
    outcome = ChunkExtractionResult(
        data=answer.data,
        record_spans=list(spans) or [None] * (len(answer.records) if is_list else 0),
        answered=list(found or ()),
    )
    result = assemble(
        [outcome],
        markdown=markdown,
        units=units,
        schema=schema,
        query=None,
        config=config,
        url=url,
        chunk_starts=chunk_starts,
        snapshot=snapshot,
    )
    if result.is_partial or any(entry.status == "ungrounded" for entry in result.provenance):
        return None
    if is_list and _states_more(result.completeness.returned, markdown):
        return None
    if is_embedded and not page_agrees(
        answer.wanted, answer.records, spans if is_list else None, markdown, result.provenance
    ):
        return None
    result.tier = "structured"
    return result


def _states_more(returned: int, markdown: str) -> bool:
    """Tell whether the page states more records than came back, be they on another page or not."""
    stated = stated_total(markdown)
    return stated is not None and stated.strength in ("range", "shown") and stated.total > returned
