"""Tier 0: the answer that a page's own data gives without doubt, proven and certified like a model's (RC-4)."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, TypeAlias

from lxml.html import HtmlElement
from pydantic import BaseModel

from gleaner.completeness.likeness import like_given
from gleaner.completeness.query_restriction import asks_for_every, restricts, unknown_words
from gleaner.contracts.models import ExtractionConfig, ExtractionResult
from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import visible_text
from gleaner.judging.features import FORMER_PRICE
from gleaner.judging.origins.regions import Span
from gleaner.page.continuations import warn_of_more_pages
from gleaner.page.model import Page, PlacedUnit
from gleaner.page.opening import open_page
from gleaner.page.pairs import Pair
from gleaner.results.assembly import assemble, outcomes_of
from gleaner.results.merging import canonical, merge
from gleaner.results.settling import is_first_page, tell_unread
from gleaner.results.tasks import ChunkExtractionResult
from gleaner.schemas.fields import RecordSchema, fields_of
from gleaner.structured.decline import Declined, read_wanted
from gleaner.structured.labels import labelled
from gleaner.structured.nodes import Embedded, check_meta, find_in_nodes
from gleaner.structured.pairs import pairs_of
from gleaner.structured.places import lines_showing, plain, units_showing
from gleaner.structured.reading import ABSENT, read_column
from gleaner.structured.shown import is_price, settle_embedded
from gleaner.structured.tables import Found, find_in_tables
from gleaner.units import primary_units
from gleaner.values.fields import Field
from gleaner.values.names import listed, words_of

_FEWEST_LABELS = 2
_SAMPLE = 5
"""Rows of a table that are looked for in other lists."""
_MOST_TIMES_AS_LONG = 3
"""How long other things may be beside a row: what real tables sum up in prose is 3.3 and 7.5 times as long."""
_Find: TypeAlias = Callable[[Page, RecordSchema], "StructuredAnswer | None"]
_NOTHING_FITS = "no table, labels or embedded data have the schema's fields"


@dataclass(frozen=True, slots=True)
class StructuredAnswer:
    """Data that matches the schema, where it was found, and for each record the texts in its place on the page.

    ``pairs`` are the labels that the page shows, with their values; ``unread`` says of each field that was not read
    why, by its name.
    """

    data: JsonValue
    found: Found
    wanted: RecordSchema
    pairs: Sequence[Pair] = ()
    unread: tuple[tuple[str, str], ...] = ()


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
    return None if result.is_partial or answer.found.in_doubt else result.data


def find_answer(page: Page, schema: Any, *, query: str | None = None) -> StructuredAnswer:
    """Give what the page's tables, labels and embedded data say of the schema's fields; Declined where in doubt.

    The answer matches the schema, but is not yet compared with what the page shows: ``certify_answer`` does that.
    """
    wanted = read_wanted(schema)
    if query:
        _check_query(query, page.tree, wanted)
    if wanted.is_list:
        _check_names(page.tree, wanted)
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
    heads = (visible_text(each) for each in root.iter("title", "h1", "h2", "caption", "th"))
    named = [name for field in wanted.fields for name in field.names]
    page = "\n".join(f"# {text}" for text in (*heads, *named, *wanted.words))
    if asks_for_every(query) and not restricts(query, wanted.schema, page):
        return
    if left := unknown_words(query, wanted.schema, page, ""):
        raise Declined(f"the query may ask for a part of the records: {', '.join(sorted(left)[:3])}")


def _check_names(root: HtmlElement, wanted: RecordSchema) -> None:
    """Decline where the schema calls its list by what may be a part of it, "red_bulbs"; a title names a class."""
    page = "\n".join(f"# {visible_text(each)}" for each in root.iter("title", "h1", "h2", "caption"))
    for name in wanted.steps:
        if restricts(" ".join(words_of(name)), {}, page):
            raise Declined(f"the schema may ask for a part of the records: {name}")


def _find_list(page: Page, wanted: RecordSchema) -> StructuredAnswer | None:
    found = find_in_tables(page, wanted)
    if found is not None:
        return _of_table(found, wanted)
    for candidates in find_in_nodes(page, wanted):
        readable = {canonical(wanted.wrap(each.found.records)): each for each in candidates if not each.doubt}
        if len(readable) > 1:
            raise Declined("the page's data has two lists with these fields")
        if readable:
            (chosen,) = readable.values()
            records = chosen.found.records
            return StructuredAnswer(wanted.wrap(records), chosen.found, wanted, (), _unread(chosen, wanted, records))
    return None


def _unread(
    chosen: Embedded, wanted: RecordSchema, records: Sequence[Mapping[str, Any]]
) -> tuple[tuple[str, str], ...]:
    """Give the fields that no record of embedded data has, or that it leaves in doubt for one, and why."""
    lacking = (one.key for one in wanted.fields if all(record.get(one.key) is None for record in records))
    return (*{**dict.fromkeys(lacking, "the page's own data has no value"), **dict(chosen.left_out)}.items(),)


def _find_one(page: Page, wanted: RecordSchema) -> StructuredAnswer | None:
    root = page.tree
    pairs = page.pairs
    for candidates in find_in_nodes(page, wanted):
        chosen = _the_one(candidates, root)
        if chosen is not None:
            record = dict(chosen.found.records[0])
            check_meta(page, wanted, record)
            for one in wanted.fields:
                if record.get(one.key) is None and one.key not in dict(chosen.left_out):
                    _fill_from_pairs(record, one, pairs)
            found = Found([record], (), chosen.found.source)
            return StructuredAnswer(wanted.wrap([record]), found, wanted, pairs, _unread(chosen, wanted, [record]))
    record = _record_of_pairs(root, wanted, pairs)
    if record is not None:
        return StructuredAnswer(wanted.wrap([record]), Found([record], (), "pairs"), wanted)
    found = find_in_tables(page, wanted)
    if found is not None and len(found.records) > 1:
        raise Declined("a table has several records, and the schema asks for one")
    return None if found is None else _of_table(found, wanted)


def _of_table(found: Found, wanted: RecordSchema) -> StructuredAnswer:
    """Give a table's answer; fields without a column are unread."""
    return StructuredAnswer(wanted.wrap(found.records), found, wanted, unread=found.unread)


def _the_one(candidates: Sequence[Embedded], root: HtmlElement) -> Embedded | None:
    """Give the object that the page is about, of what several sources say of it; None without any."""
    if len({canonical(each.found.records or each.doubt) for each in candidates}) > 1:
        heads = [plain(visible_text(each)) for each in root.iter("h1", "title")]
        candidates = [each for each in candidates if any(_is_head(each.name, head) for head in heads)] or candidates
    if not candidates:
        return None
    heads = [plain(visible_text(each)) for each in root.iter("h1", "title")]
    if any(heads) and candidates[0].name and not any(_is_head(candidates[0].name, head) for head in heads):
        raise Declined(f"the page's data is about {candidates[0].name[:40]!r}, the page about something else")
    doubt = next((each.doubt for each in candidates if each.doubt), "")
    if doubt:
        raise Declined(doubt)
    first, *others = candidates
    record = dict(first.found.records[0])
    for other in others:
        for name, value in other.found.records[0].items():
            if record.get(name) is None:
                record[name] = value
            elif value is not None and canonical(value) != canonical(record[name]):
                raise Declined(f"the page's data has two values for {name}")
    return Embedded(Found([record], (), first.found.source), first.name, "", first.left_out)


def _is_head(name: str, head: str) -> bool:
    own = plain(name)
    return bool(own) and bool(head) and (own in head or head in own)


def _fill_from_pairs(record: dict[str, Any], field: Field, pairs: Sequence[Pair]) -> None:
    """Take a field of which the data says nothing from the one label that the page has for it."""
    found = pairs_of(field, pairs)
    if not found or field.kind in ("texts", "address", "image"):
        return
    if len(found) > 1:
        raise Declined(f"the page has two labels for {field.key}")
    record[field.key] = read_column(field, found[0].label, [found[0].cell.text])[0]


def _record_of_pairs(root: HtmlElement, wanted: RecordSchema, pairs: Sequence[Pair]) -> dict[str, Any] | None:
    """Give the object whose fields are all labelled, under no heading of something else."""
    record: dict[str, Any] = {}
    unlabelled: list[Field] = []
    headings: set[str] = set()
    for field in wanted.fields:
        found = pairs_of(field, pairs)
        headings.update(pair.heading for pair in found)
        if len(found) > 1:
            raise Declined(f"the page has two labels for {field.key}")
        if not found:
            unlabelled.append(field)
        elif field.kind in ("address", "image"):
            addresses = found[0].cell.images if field.kind == "image" else found[0].cell.links
            if len(addresses) != 1:
                raise Declined(f"the label {found[0].label!r} has no single address")
            record[field.key] = addresses[0]
        elif field.kind == "texts":
            raise Declined(f"{field.key} is a list, and the page has one text for it")
        else:
            record[field.key] = read_column(field, found[0].label, [found[0].cell.text])[0]
    if len(record) < min(_FEWEST_LABELS, len(wanted.fields)):
        return None
    if unlabelled:
        if any(field.is_required for field in unlabelled):
            return None
        raise Declined(f"the page has no label for {unlabelled[0].name}")
    known = frozenset(word for head in root.iter("h1") for word in words_of(visible_text(head)))
    for heading in headings:
        if not known | wanted.words | listed("sections") >= set(words_of(heading)):
            raise Declined(f"the labels stand under the heading {heading!r}")
    return {name: value for name, value in record.items() if value is not ABSENT}


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


def certify_answer(answer: StructuredAnswer, seen: Seen, config: ExtractionConfig) -> ExtractionResult:
    """Give the proven and counted answer where nobody reads what it leaves unread; Declined as ``certify`` does."""
    return certify(answer, seen, config).told()


def certify(answer: StructuredAnswer, seen: Seen, config: ExtractionConfig) -> Certified:
    """Prove the answer and count it against the page; Declined unless all of it is proven and no record is missing.

    Optional fields of embedded data of one object that the page does not bear out are left to whoever reads the page.
    """
    try:
        return _certified(answer, seen, config)
    except Declined as doubt:
        if (left := _without(answer, doubt)) is None:
            raise
        return certify(left, seen, config)


def _without(answer: StructuredAnswer, doubt: Declined) -> StructuredAnswer | None:
    """Give an answer without a doubtful field; None where that is needed, or the page labels it otherwise.

    None, too, for lists of embedded data, and where a price, a flag or a choice of it is in doubt: then the data may be
    older than the page.
    """
    wanted, field = answer.wanted, doubt.field
    is_embedded = answer.found.source not in ("table", "pairs")
    if field is None or not field.may_be_absent or answer.found.source == "pairs" or (is_embedded and wanted.is_list):
        return None
    is_of_today = is_embedded and (field.kind == "boolean" or bool(field.choices) or is_price(field))
    if is_of_today or all(record.get(field.key) is None for record in answer.found.records):
        return None
    nothing = {field.key: None} if field.is_nullable else {}
    others = [{key: value for key, value in one.items() if key != field.key} for one in answer.found.records]
    records = [one | nothing for one in others]
    found = replace(answer.found, records=records, in_doubt=answer.found.in_doubt | {field.key})
    unread = (*(one for one in answer.unread if one[0] != field.key), (field.key, str(doubt)))
    data = wanted.wrap(records)
    return replace(answer, data=data, found=found, unread=unread)


def _certified(answer: StructuredAnswer, seen: Seen, config: ExtractionConfig) -> Certified:
    wanted, is_list = answer.wanted, answer.wanted.is_list
    units, answered = _units_of(answer, seen) if is_list else (seen.units, [])
    places = [(units[at].start, units[at].end) for at in answered] if is_list else None
    if answer.found.source == "table" and places:
        _check_other_lists(answer.found.texts, places, seen)
    data, schema = _without_blanks(answer)
    outcome = ChunkExtractionResult(data=data, record_spans=list(places or []), answered=answered)
    result = assemble(
        [outcome],
        page=seen.page,
        units=units,
        schema=schema,
        query=None,
        config=config,
        chunk_starts=seen.chunk_starts,
    )
    unread = dict(answer.unread)
    is_embedded = answer.found.source not in ("table", "pairs")
    for entry in result.provenance:
        if entry.status == "ungrounded":
            raise Declined(f"the page does not show {entry.pointer}", wanted.field_at(entry.pointer))
        if entry.doubt == FORMER_PRICE:
            raise Declined(f"the page shows {entry.pointer} as what it cost before")
    if is_embedded and not is_list:
        unread |= _leave_out_short_lists(result, wanted)
    if result.is_partial and not is_first_page(result):
        raise Declined(
            result.errors[0].message if result.errors else "; ".join(result.warnings) or "records are missing"
        )
    if not is_embedded and not _is_kept_whole(result, outcome, units, seen, config):
        raise Declined("a part of the records is not proven")
    if is_embedded:
        settle_embedded(wanted, result, places, seen.markdown, pairs=answer.pairs, unread=unread)
    result.data, result.schema_used = (
        (answer.data, wanted.schema) if schema is not wanted.schema else (result.data, schema)
    )
    result.tier = "structured"
    outer = () if is_list else wanted.steps
    unread = {".".join((*outer, name)): why for name, why in unread.items()}
    labels = labelled(unread, fields_of(wanted.schema, unread), seen.markdown) if unread else frozenset[str]()
    labels |= {".".join((*outer, name)) for name in answer.found.in_doubt}
    return Certified(result=result, unread=unread, labelled=labels, rows=places or [])


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


def _leave_out_short_lists(result: ExtractionResult, wanted: RecordSchema) -> dict[str, str]:
    """Leave out optional lists of which the page shows more than its data has; give these, with the reason."""
    left_out: dict[str, str] = {}
    for field in wanted.fields:
        pointer = f"/{'/'.join((*wanted.steps, *field.path))}"
        short = [error for error in result.errors if error.message.startswith(f"{pointer}:")]
        if not short or field.kind != "texts" or not field.may_be_absent:
            continue
        inner = result.data
        for step in (*wanted.steps, *field.path[:-1]):
            inner = inner[step]
        inner.pop(field.path[-1], None)
        if field.is_nullable:
            inner[field.path[-1]] = None
        result.errors = [error for error in result.errors if error not in short]
        result.provenance = [one for one in result.provenance if not one.pointer.startswith(f"{pointer}/")]
        left_out[field.key] = short[0].message.removeprefix(f"{pointer}: ")
    result.is_partial = bool(result.errors)
    return left_out


def _without_blanks(answer: StructuredAnswer) -> tuple[JsonValue, Any]:
    """Give data and schema for the proof: a blank cell claims nothing, though a text that is required can't be null."""
    wanted, records = answer.wanted, answer.found.records
    blank = [field for field in wanted.fields if any(record.get(field.key) == "" for record in records)]
    if not blank:
        return answer.data, wanted.schema
    schema = deepcopy(wanted.schema)
    inner = schema
    for step in wanted.steps:
        inner = inner["properties"][step]
    for field in blank:
        node = inner["items"] if wanted.is_list else inner
        for step in field.path:
            node = node.get("properties", {}).get(step, {})
        if node.get("type") != "string":
            raise Declined(f"a row has no {field.key}")
        node["type"] = ["string", "null"]
    plain = [{name: None if value == "" else value for name, value in record.items()} for record in records]
    return wanted.wrap(plain), schema


def _units_of(answer: StructuredAnswer, seen: Seen) -> tuple[Sequence[PlacedUnit], list[int]]:
    """Give the units that may hold records, and those that show the answer's, in their order.

    A table's rows are all that there are: what else the page repeats is another matter.
    """
    texts = answer.found.texts
    found = units_showing(texts, seen.markdown, seen.units)
    if found is not None and answer.found.source != "table":
        return seen.units, found
    places = lines_showing(texts, seen.markdown) if found is None else None
    if found is not None:
        return [seen.units[at] for at in found], list(range(len(found)))
    if places is None:
        raise Declined("the page does not show the records one by one")
    return [PlacedUnit(0, at, *place, 1.0, "row") for at, place in enumerate(places)], list(range(len(places)))


def _is_kept_whole(
    result: ExtractionResult,
    outcome: ChunkExtractionResult,
    units: Sequence[PlacedUnit],
    seen: Seen,
    config: ExtractionConfig,
) -> bool:
    outcomes = outcomes_of([outcome], units, seen.markdown)
    merged = merge(outcomes, result.schema_used, config.dedupe, config.dedupe_keys)
    return canonical(merged.data) == canonical(result.data)
