"""Tier 0: the answer that a page's own data gives without doubt, proven and certified like a model's (RC-4)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

from gleaner.contracts.errors import InvalidSchema
from gleaner.contracts.models import ExtractionConfig, ExtractionResult
from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import class_values, parse_html, select_outer_html, visible_text
from gleaner.html.dom import words_of as names_in
from gleaner.html.links import base_url_of
from gleaner.html.non_text.graphics import replace_graphics_with_text
from gleaner.html.non_text.icons import replace_icons_with_text
from gleaner.html.visibility import drop_hidden, json_ld_texts
from gleaner.markdown.pages import clean_page
from gleaner.markdown.pagination_signals import warn_of_more_pages
from gleaner.results.assembly import assemble
from gleaner.results.merging import ChunkOutcome, canonical, merge
from gleaner.results.tasks import ChunkExtractionResult
from gleaner.schemas import is_valid, unenforceable
from gleaner.structured.fields import Wanted, read_wanted
from gleaner.structured.labels import Words, words_of
from gleaner.structured.nodes import find_in_nodes
from gleaner.structured.pairs import find_in_pairs
from gleaner.structured.parts import hides_more, hides_rows, states_more
from gleaner.structured.questions import asks_for_everything, names_are_plain, remarks_are_plain, wrapper_is_plain
from gleaner.structured.shown import page_agrees
from gleaner.structured.tables import Found, find_in_tables
from gleaner.structured.visible import Surroundings, has_another_listing, read_surroundings, units_showing
from gleaner.units import PlacedUnit


@dataclass(frozen=True, slots=True)
class StructuredAnswer:
    """Data that matches the schema, where it was found, and for each record the texts in its place on the page.

    ``nouns`` are the source's own words for its records.
    """

    data: JsonValue
    source: str
    wanted: Wanted
    texts: tuple[tuple[str, ...], ...] = ()
    nouns: tuple[Words, ...] = ()

    @property
    def records(self) -> list[Any]:
        """The records, out of what wraps them; the one object as a list."""
        return self.wanted.unwrap(self.data)


def extract_structured(html: str, url: str = "", schema: Any = None) -> Any | None:
    """Give the page's answer to a schema without a model; None where anything is in doubt (RC-4).

    The answer is complete, and each of its values is stated on the page. Equal rows are all given.

    >>> page = "<table><tr><th>Name<th>Price (€)</tr><tr><td>Lamp<td>5.50</tr><tr><td>Mug<td>3.20</tr></table>"
    >>> record = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    >>> extract_structured(page, "", {"type": "array", "items": record})
    [{'name': 'Lamp', 'price': 5.5}, {'name': 'Mug', 'price': 3.2}]
    """
    answers = candidate_answers(html, url, schema)
    if not answers:
        return None
    page = clean_page(html, url)
    seen = Seen(page.markdown, page.units, html, url)
    certified = certify_answers(answers, seen, ExtractionConfig(dedupe="none"))
    if certified is None:
        return None
    warn_of_more_pages(certified, page.continuations, page.markdown)
    return None if certified.is_partial else certified.data


def answer_from_structure(
    html: str, url: str, schema: Any, *, query: str | None = None, css_selector: str | None = None
) -> StructuredAnswer | None:
    """Give what the page's tables and embedded data say of the schema's fields; None where that is in doubt.

    The answer matches the schema, but is not yet compared with what the page shows: ``certify_answer`` does that.
    ``css_selector`` narrows the page as it does the Markdown (InvalidSelector, SelectorNotFound).
    """
    answers = candidate_answers(html, url, schema, query=query, css_selector=css_selector)
    return answers[0] if len(answers) == 1 and is_valid(schema, answers[0].data) else None


def candidate_answers(
    html: str, url: str, schema: Any, *, query: str | None = None, css_selector: str | None = None
) -> list[StructuredAnswer]:
    """Give the different answers of all sources, the page's own text first; none of them is compared with it yet."""
    wanted = _wanted(schema)
    if wanted is None:
        return []
    whole = parse_html(html)
    around = read_surroundings(whole)
    nouns = around.nouns()
    if not remarks_are_plain(wanted, nouns):
        return []
    if wanted.is_list and not names_are_plain(
        wanted, (*nouns, *_words_of_captions(whole)), _words_shown(whole, wanted), _words_of_cells(whole, wanted)
    ):
        return []
    if not wanted.is_list and not wrapper_is_plain(wanted, nouns):
        return []
    root = whole if css_selector is None else parse_html(select_outer_html(html, css_selector))
    words = names_in(html)
    classes = class_values(root)
    replace_icons_with_text(root, words, classes)
    replace_graphics_with_text(root, words, classes)
    if hides_rows(whole) or (wanted.is_list and hides_more(root)):
        return []
    found: dict[str, StructuredAnswer] = {}
    for answer in _answers(root, base_url_of(whole, url), wanted, around):
        found.setdefault(canonical(answer.data), answer)
        if len(found) > _MOST_ANSWERS:
            return []
    answers = list(found.values())
    return answers if _asks_for_all(query, wanted, around, answers) else []


def _asks_for_all(query: str | None, wanted: Wanted, around: Surroundings, answers: Sequence[StructuredAnswer]) -> bool:
    """Tell whether the question is about these records, and about all of them."""
    if not query:
        return True
    nouns = [*around.subjects(), *(noun for answer in answers for noun in answer.nouns)]
    records = [record for answer in answers for record in answer.records]
    return asks_for_everything(query, wanted, nouns, records, around.language)


def _words_of_captions(root: HtmlElement) -> tuple[Words, ...]:
    return tuple(words for each in root.iter("caption", "h3", "h4") if (words := words_of(visible_text(each))))


def _words_shown(root: HtmlElement, wanted: Wanted) -> frozenset[str]:
    """Give the page's words, where the schema calls its records anything."""
    return frozenset(words_of(visible_text(root))) if wanted.nouns else frozenset()


def _words_of_cells(root: HtmlElement, wanted: Wanted) -> frozenset[str]:
    """Give the words that stand in cells of their own, where the schema calls its records anything."""
    cells = islice(root.iter("td"), _MOST_CELLS if wanted.nouns else 0)
    return frozenset(words[0] for each in cells if len(words := words_of(visible_text(each))) == 1)


def _wanted(schema: Any) -> Wanted | None:
    if not isinstance(schema, dict) or unenforceable(schema) is not None:
        return None
    try:
        return read_wanted(schema)
    except InvalidSchema:
        return None


_SOURCES: tuple[Callable[[HtmlElement, str, Wanted, Surroundings], Iterator[Found]], ...] = (
    find_in_tables,
    find_in_pairs,
    find_in_nodes,
)
_SEEN_BY_PEOPLE = ("table", "pairs")
_SPEAKS_OF_THE_PAGE = ("json-ld", "microdata", "rdfa", "meta")
"""Kinds of data made to be read by others; a script's state may have cents, or whatever its code knows."""
_MOST_CELLS = 1_000
_MOST_ANSWERS = 6


def _answers(root: HtmlElement, url: str, wanted: Wanted, around: Surroundings) -> Iterator[StructuredAnswer]:
    drop_hidden(root, data=json_ld_texts(root, None))
    for source in _SOURCES:
        for found in source(root, url, wanted, around):
            if not found.records or (not wanted.is_list and len(found.records) != 1):
                continue
            data = wanted.wrap([dict(record) for record in found.records])
            yield StructuredAnswer(data, found.source, wanted, found.texts, found.nouns)


@dataclass(frozen=True, slots=True)
class Seen:
    """The page that answers are measured against: its Markdown and the units in it, its HTML, and its address."""

    markdown: str
    units: Sequence[PlacedUnit]
    snapshot: str
    url: str
    chunk_starts: Sequence[int] = (0,)


def certify_answers(
    answers: Sequence[StructuredAnswer], seen: Seen, config: ExtractionConfig
) -> ExtractionResult | None:
    """Give the one answer that the page bears out; None when none is, or two different ones are."""
    certified = [result for answer in answers if (result := certify_answer(answer, seen, config)) is not None]
    return certified[0] if len(certified) == 1 else None


def certify_answer(answer: StructuredAnswer, seen: Seen, config: ExtractionConfig) -> ExtractionResult | None:
    """Prove the answer and count it against the page; None unless all of it is proven and nothing is missing."""
    is_list, is_embedded = answer.wanted.is_list, answer.source not in _SEEN_BY_PEOPLE
    found = units_showing(answer.texts, seen.markdown, seen.units) if is_list else None
    if (is_list and not _stands_alone(answer, found, seen)) or (not is_list and _is_a_name_alone(answer)):
        return None
    spans = [(seen.units[at].start, seen.units[at].end) for at in found or ()]
    outcome = ChunkExtractionResult(
        data=answer.data,
        record_spans=list(spans) or [None] * (len(answer.records) if is_list else 0),
        answered=list(found or ()),
    )
    result = assemble(
        [outcome],
        markdown=seen.markdown,
        units=seen.units,
        schema=answer.wanted.schema,
        query=None,
        config=config,
        url=seen.url,
        chunk_starts=seen.chunk_starts,
        snapshot=seen.snapshot,
    )
    if result.is_partial or not _is_kept_whole(result, outcome, config):
        return None
    if is_embedded and not page_agrees(
        answer.wanted,
        answer.records,
        spans if is_list else None,
        seen.markdown,
        result.provenance,
        may_be_silent=answer.source in _SPEAKS_OF_THE_PAGE,
    ):
        return None
    result.tier = "structured"
    return result


def _is_a_name_alone(answer: StructuredAnswer) -> bool:
    """Tell whether one value was found of several, in data that does not say what it is of: "My account"."""
    said = [value for value in answer.records[0].values() if value is not None]
    return len(said) == 1 < len(answer.wanted.fields) and not answer.nouns


def _stands_alone(answer: StructuredAnswer, places: list[int] | None, seen: Seen) -> bool:
    """Tell whether the records are units of the page, one by one, and no other list or further page may hold more."""
    is_single_row = answer.source == "table" and len(answer.records) == 1
    if places is None and not is_single_row:
        return False
    return not has_another_listing(places or (), seen.units) and not states_more(len(answer.records), seen.markdown)


def _is_kept_whole(result: ExtractionResult, outcome: ChunkExtractionResult, config: ExtractionConfig) -> bool:
    """Tell whether the proof took nothing out of the data."""
    if any(entry.status == "ungrounded" for entry in result.provenance):
        return False
    merged = merge([ChunkOutcome(0, outcome.data)], result.schema_used, config.dedupe, config.dedupe_keys)
    return canonical(merged.data) == canonical(result.data)
