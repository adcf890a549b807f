"""Tier 0: the answer that a page's own data gives without doubt, proven and certified like a model's (RC-4)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, TypeAlias

from lxml.html import HtmlElement
from pydantic import BaseModel

from gleaner.completeness.likeness import like_given
from gleaner.completeness.query_restriction import asks_for_every, restricts, unknown_words
from gleaner.contracts.models import ExtractionConfig, ExtractionResult
from gleaner.html.dom import visible_text
from gleaner.judging.features import FORMER_PRICE
from gleaner.judging.origins.regions import Span
from gleaner.page.continuations import warn_of_more_pages
from gleaner.page.model import Page, PlacedUnit
from gleaner.page.opening import open_page
from gleaner.page.pairs import Pair
from gleaner.results.assembly import assemble
from gleaner.results.merging import canonical
from gleaner.results.settling import is_first_page, tell_unread
from gleaner.results.tasks import ChunkExtractionResult
from gleaner.schemas.fields import RecordSchema, fields_of
from gleaner.structured.labels import labelled, pair_of, plain, value_beside
from gleaner.structured.nodes import Embedded, check_meta, find_in_nodes, texts_of
from gleaner.structured.reading import ABSENT, Declined, Found, read_wanted
from gleaner.structured.shown import is_price, settle_embedded
from gleaner.structured.tables import find_in_tables
from gleaner.units import primary_units
from gleaner.values.fields import Field
from gleaner.values.names import listed, words_of

_FEWEST_LABELS = 2
_SAMPLE = 5
"""Rows of a table that are looked for in other lists."""
_MOST_TIMES_AS_LONG = 3
"""How long other things may be beside a row: what real tables sum up in prose is 3.3 and 7.5 times as long."""
_Find: TypeAlias = Callable[[Page, RecordSchema], Found | None]
_NOTHING_FITS = "no table, labels or embedded data have the schema's fields"


@dataclass(frozen=True, slots=True)
class Seen:
    """What answers are measured against: the page, the units in its text, and where its chunks begin."""

    page: Page
    units: Sequence[PlacedUnit]
    chunk_starts: Sequence[int] = (0,)

    @property
    def markdown(self) -> str:
        """The page's text."""
        return self.page.text


def extract_structured(html: str, url: str = "", schema: Any = None) -> Any | None:
    """Give the page's answer to a schema without a model; None where anything is in doubt (RC-4).

    It has all records, and each of its values is stated on the page; fields that were not read are left out or null.
    Equal rows are all given.

    >>> page = "<table><tr><th>Name<th>Price (€)</tr><tr><td>Lamp<td>5.50</tr><tr><td>Mug<td>3.20</tr></table>"
    >>> record = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    >>> extract_structured(page, "", {"type": "array", "items": record})
    [{'name': 'Lamp', 'price': 5.5}, {'name': 'Mug', 'price': 3.2}]
    """
    return answer_of(open_page(html, url), schema)


def answer_of(page: Page, schema: Any) -> Any | None:
    """Give what ``extract_structured`` does, of a page that is open."""
    try:
        answer = find_answer(page, schema)
        result = _certified(answer, Seen(page, page.units), ExtractionConfig(dedupe="none")).result
    except Declined:
        return None
    warn_of_more_pages(result, page.continuations, page.text)
    return None if result.is_partial or answer.in_doubt else result.data


def find_answer(page: Page, schema: Any, *, query: str | None = None) -> Found:
    """Give what the page's tables, labels and embedded data say of the schema's fields; Declined where in doubt.

    The answer matches the schema, but is not yet compared with what the page shows: ``certify`` does that.
    """
    wanted = read_wanted(schema)
    _check_query(query or "", page.tree, wanted)
    find = _find_list if wanted.is_list else _find_one
    answer = find(page, wanted)
    if answer is None:
        raise Declined(_what_is_lacking(find, page, wanted))
    return answer


def _what_is_lacking(find: _Find, page: Page, wanted: RecordSchema) -> str:
    """Say which fields the page's own data lacks, where it has others."""
    optional = tuple(replace(one, is_required=False) for one in wanted.fields)
    try:
        found = find(page, replace(wanted, fields=optional))
    except Declined as doubt:
        return str(doubt)
    lacking = [name for name, _ in found.unread] if found is not None else []
    return f"it has nothing for {', '.join(lacking)}" if lacking else _NOTHING_FITS


def _check_query(query: str, root: HtmlElement, wanted: RecordSchema) -> None:
    """Decline where the query, or what the schema calls its list ("red_bulbs"), may ask for a part of the records."""
    heads = [visible_text(each) for each in root.iter("title", "h1", "h2", "caption", "th")]
    page = "\n".join(f"# {text}" for text in heads)
    part = next((name for name in wanted.steps if wanted.is_list and restricts(" ".join(words_of(name)), {}, page)), "")
    if part:
        raise Declined(f"the schema may ask for a part of the records: {part}")
    named = (name for field in wanted.fields for name in field.names)
    page = "\n".join(f"# {text}" for text in (*heads, *named, *wanted.words))
    if not query or (asks_for_every(query) and not restricts(query, wanted.schema, page)):
        return
    if left := unknown_words(query, wanted.schema, page, ""):
        raise Declined(f"the query may ask for a part of the records: {', '.join(sorted(left)[:3])}")


def _find_list(page: Page, wanted: RecordSchema) -> Found | None:
    found = find_in_tables(page, wanted)
    if found is not None:
        return found
    for candidates in find_in_nodes(page, wanted):
        readable = {canonical(wanted.wrap(each.records)): each for each in candidates if not each.doubt}
        if len(readable) > 1:
            raise Declined("the page's data has two lists with these fields")
        if readable:
            (chosen,) = readable.values()
            return _of_data(chosen, wanted)
    return None


def _of_data(chosen: Embedded, wanted: RecordSchema) -> Found:
    """Give what embedded data answers; fields that no record has, or that are in doubt for one, are unread."""
    lacking = (one.key for one in wanted.fields if all(record.get(one.key) is None for record in chosen.records))
    unread = dict.fromkeys(lacking, "the page's own data has no value") | dict(chosen.left_out)
    texts = tuple(texts_of(wanted, record) for record in chosen.records)
    return Found(wanted, chosen.records, chosen.source, texts, unread=(*unread.items(),))


def _find_one(page: Page, wanted: RecordSchema) -> Found | None:
    for candidates in find_in_nodes(page, wanted):
        chosen = _the_one(candidates, page.tree)
        if chosen is not None:
            record = dict(chosen.records[0])
            check_meta(page, wanted, record)
            for one in wanted.fields:
                if record.get(one.key) is None and one.key not in dict(chosen.left_out):
                    _fill_from_pairs(record, one, page.pairs)
            return _of_data(replace(chosen, records=[record]), wanted)
    record = _record_of_pairs(page, wanted)
    if record is not None:
        return Found(wanted, [record], "pairs")
    found = find_in_tables(page, wanted)
    if found is not None and len(found.records) > 1:
        raise Declined("a table has several records, and the schema asks for one")
    return found


def _the_one(candidates: Sequence[Embedded], root: HtmlElement) -> Embedded | None:
    """Give the object that the page is about, of what several sources say of it; None without any."""
    heads = [head for each in root.iter("h1", "title") if (head := plain(visible_text(each)))]
    if len({canonical([*each.records] or each.doubt) for each in candidates}) > 1:
        candidates = [each for each in candidates if _is_head(each.name, heads)] or candidates
    if not candidates:
        return None
    first, *others = candidates
    if heads and first.name and not _is_head(first.name, heads):
        raise Declined(f"the page's data is about {first.name[:40]!r}, the page about something else")
    doubt = next((each.doubt for each in candidates if each.doubt), "")
    if doubt:
        raise Declined(doubt)
    record = dict(first.records[0])
    for name, value in ((name, value) for other in others for name, value in other.records[0].items()):
        if record.get(name) is None:
            record[name] = value
        elif value is not None and canonical(value) != canonical(record[name]):
            raise Declined(f"the page's data has two values for {name}")
    return replace(first, records=[record])


def _is_head(name: str, heads: Sequence[str]) -> bool:
    own = plain(name)
    return bool(own) and any(own in head or head in own for head in heads)


def _fill_from_pairs(record: dict[str, Any], field: Field, pairs: Sequence[Pair]) -> None:
    """Take a field of which the data says nothing from the one label that the page has for it."""
    pair = None if field.kind in ("texts", "address", "image") else pair_of(field, pairs)
    if pair is not None:
        record[field.key] = value_beside(field, pair)


def _record_of_pairs(page: Page, wanted: RecordSchema) -> dict[str, Any] | None:
    """Give the object whose fields are all labelled, under no heading of something else."""
    found = {field: pair for field in wanted.fields if (pair := pair_of(field, page.pairs)) is not None}
    lacking = [field for field in wanted.fields if field not in found]
    if len(found) < min(_FEWEST_LABELS, len(wanted.fields)) or any(field.is_required for field in lacking):
        return None
    if lacking:
        raise Declined(f"the page has no label for {lacking[0].name}")
    known = frozenset(word for head in page.tree.iter("h1") for word in words_of(visible_text(head)))
    for heading in {pair.heading for pair in found.values()}:
        if not known | wanted.words | listed("sections") >= set(words_of(heading)):
            raise Declined(f"the labels stand under the heading {heading!r}")
    read = {field.key: value_beside(field, pair) for field, pair in found.items()}
    return {name: value for name, value in read.items() if value is not ABSENT}


class Certified(BaseModel):
    """An answer that is proven and whole, but for the fields that were not read.

    ``unread`` says why, by their dotted names; ``labelled`` are those of them that the page seems to state. ``rows``
    are the places of the records in the Markdown; none of one object.
    """

    result: ExtractionResult
    unread: dict[str, str]
    labelled: frozenset[str]
    rows: list[Span]

    def told(self, *, is_known: bool = False) -> ExtractionResult:
        """Give the result as it is where nobody reads the rest; ``is_known``: the layout does not state that."""
        result = self.result.model_copy(deep=True)
        if is_known:
            result.completeness.unread = [*self.unread]
        else:
            tell_unread(result, self.unread, self.labelled)
        return result


def certify(found: Found, seen: Seen, config: ExtractionConfig) -> Certified:
    """Prove the answer and count it against the page; Declined unless all of it is proven and no record is missing.

    Optional fields of a table, or of embedded data of one object, that the page does not bear out are left to whoever
    reads the page.
    """
    try:
        return _certified(found, seen, config)
    except Declined as doubt:
        if (left := _without(found, doubt)) is None:
            raise
        return certify(left, seen, config)


def _without(found: Found, doubt: Declined) -> Found | None:
    """Give an answer without a doubtful field; None where that is needed.

    None, too, for lists of embedded data, and where a price, a flag or a choice of it is in doubt: then the data may be
    older than the page.
    """
    field = doubt.field
    if field is None or not field.may_be_absent or (found.is_embedded and found.wanted.is_list):
        return None
    is_of_today = found.is_embedded and (field.kind == "boolean" or bool(field.choices) or is_price(field))
    if is_of_today or all(record.get(field.key) is None for record in found.records):
        return None
    nothing = {field.key: None} if field.is_nullable else {}
    records = [{key: value for key, value in one.items() if key != field.key} | nothing for one in found.records]
    unread = (*(one for one in found.unread if one[0] != field.key), (field.key, str(doubt)))
    return replace(found, records=records, unread=unread, in_doubt=found.in_doubt | {field.key})


def _certified(found: Found, seen: Seen, config: ExtractionConfig) -> Certified:
    wanted, is_list = found.wanted, found.wanted.is_list
    units, answered = _units_of(found, seen) if is_list else (seen.units, [])
    places = [(units[at].start, units[at].end) for at in answered] if is_list else None
    if found.source == "table" and places:
        _check_other_lists(found.texts, places, seen)
    outcome = ChunkExtractionResult(data=found.data, record_spans=list(places or []), answered=answered)
    result = assemble(
        [outcome],
        page=seen.page,
        units=units,
        schema=wanted.schema,
        query=None,
        config=config,
        chunk_starts=seen.chunk_starts,
    )
    for entry in result.provenance:
        if entry.status == "ungrounded":
            raise Declined(f"the page does not show {entry.pointer}", wanted.field_at(entry.pointer))
        if entry.doubt == FORMER_PRICE:
            raise Declined(f"the page shows {entry.pointer} as what it cost before")
    _pass_over_unread(result, found)
    if result.is_partial and not is_first_page(result):
        said = result.errors[0].message if result.errors else "; ".join(result.warnings) or "records are missing"
        raise Declined(said, _field_said(said, wanted))
    if found.is_embedded:
        settle_embedded(wanted, result, places, seen.markdown, pairs=seen.page.pairs)
    result.tier = "structured"
    outer = () if is_list else wanted.steps
    unread = {".".join((*outer, name)): why for name, why in found.unread}
    labels = labelled(unread, fields_of(wanted.schema, unread), seen.markdown) if unread else frozenset[str]()
    labels |= {".".join((*outer, name)) for name in found.in_doubt}
    return Certified(result=result, unread=unread, labelled=labels, rows=places or [])


def _pass_over_unread(result: ExtractionResult, found: Found) -> None:
    """Leave out what is said of fields that were not read: others read them, or they are named with the reason."""
    unread = {name for name, _ in found.unread}

    def is_of_read(message: str) -> bool:
        field = _field_said(message, found.wanted)
        return field is None or field.key not in unread

    left = [error for error in result.errors if is_of_read(error.message)]
    if len(left) < len(result.errors):
        result.errors, result.is_partial = left, bool(left)
    result.warnings = [*filter(is_of_read, result.warnings)]


def _field_said(message: str, wanted: RecordSchema) -> Field | None:
    """Give the field of which a message speaks: "/tags: 2 of 3", "/0/price has no value"."""
    return wanted.field_at(message.partition(" ")[0].rstrip(":")) if message.startswith("/") else None


def _check_other_lists(texts: Sequence[Sequence[str]], places: Sequence[Span], seen: Seen) -> None:
    """Decline where the page lists more things that say what the table's rows say: the table may sum them up.

    They say so at about the same length, as prose does not, or some of them all that some of the rows say.
    """
    groups: dict[int, list[Span]] = {}
    for unit in primary_units(seen.units):
        groups.setdefault(unit.group, []).append((unit.start, unit.end))
    longer = {group: some for group, some in groups.items() if len(some) > len(places)}
    longest = max(end - start for start, end in places)
    rows = [shown for row in texts[:_SAMPLE] if len(shown := [*filter(None, row)]) > 1]
    for some in (longer[group] for group in like_given(longer, places, seen.markdown)):
        said = [seen.markdown[start:end] for start, end in some]
        is_as_long = median(map(len, said)) <= _MOST_TIMES_AS_LONG * longest
        if is_as_long or any(all(text in one for text in row) for row in rows for one in said):
            raise Declined(f"beside the table of {len(places)} rows the page lists {len(some)} more such things")


def _units_of(found: Found, seen: Seen) -> tuple[Sequence[PlacedUnit], list[int]]:
    """Give the units that may hold records, and those that show the answer's, in their order.

    A table's rows are all that there are: what else the page repeats is another matter.
    """
    if found.rows:
        return [PlacedUnit(0, at, *row, 1.0, "row") for at, row in enumerate(found.rows)], [*range(len(found.rows))]
    shown = _units_showing(found.texts, seen.markdown, seen.units)
    if shown is None:
        raise Declined("the page does not show the records one by one")
    return seen.units, shown


def _units_showing(texts: Sequence[Sequence[str]], markdown: str, units: Sequence[PlacedUnit]) -> list[int] | None:
    """Give for each record the position of the unit that shows its texts; None when no group shows all of them.

    Records stand on the page in their order. Of several groups the one with fewest other units counts.
    """
    groups: dict[int, list[int]] = {}
    for position, unit in enumerate(units):
        if unit.kind != "attribute":
            groups.setdefault(unit.group, []).append(position)
    wanted = [[plain(each) for each in record] for record in texts]
    for positions in sorted(groups.values(), key=len):
        if len(positions) >= len(texts) and (found := _in_order(wanted, positions, markdown, units)) is not None:
            return found
    return None


def _in_order(
    wanted: Sequence[Sequence[str]], positions: Sequence[int], markdown: str, units: Sequence[PlacedUnit]
) -> list[int] | None:
    found: list[int] = []
    left = iter(positions)
    for record in wanted:
        for at in left:
            shown = plain(markdown[units[at].start : units[at].end])
            if all(text in shown for text in record):
                found.append(at)
                break
        else:
            return None
    return found
