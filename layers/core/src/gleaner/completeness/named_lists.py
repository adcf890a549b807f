"""Find lists that the page labels with a field's name, but the answer leaves empty or short (CM-1).

"Tags: a, b, c" says all of a record's tags in one line; items or rows below "Colours" are what a list of colours holds;
a table whose head has the names of a list's fields holds its elements.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gleaner.completeness.inner_lists import describe_lack, scalars
from gleaner.completeness.query_restriction import restricts
from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.models import ProvenanceEntry
from gleaner.contracts.ports import JsonValue
from gleaner.judging.table_heads import named_field, table_heads
from gleaner.page.blocks import Block, Blocks, blocks_of
from gleaner.page.model import Span
from gleaner.schemas.leaves import Schema, SchemaViews, Steps, field_at, types_of
from gleaner.values import locales
from gleaner.values.flags import says_nothing
from gleaner.values.lookups import grouped
from gleaner.values.texts.spellings import label_words

_LABELLED = re.compile(r"\**+([^|:：*]{2,40}?)\**+[ \t]*+[:：]\**+[ \t]*+(\S[^|]*)")
_PARTED = re.compile(r"(?<!\s)\s*(?:[,;|•·、，؛،]|\s/\s)\s*")
_LEADS = re.compile("[:：]")
"""What ends a list: the next label in its line, which its last piece runs into."""

_WORD = re.compile(r"[^\W_]+")
_LEAST_FIELDS = 2
_MOST_WORDS = 5
_MOST_LINES = 2


@dataclass(frozen=True, slots=True)
class NamedList:
    """A list by its path, how many elements it has, and the places of what it lacks, in words that name it."""

    steps: Steps
    count: int
    missing: tuple[Span, ...]

    def describe(self, text: str) -> str:
        """Say how much is missing, with the words of the page."""
        texts = [text[slice(*place)] for place in self.missing]
        return describe_lack(pointer_of(self.steps), self.count, texts)


def unsaid_lists(
    data: JsonValue,
    text: str,
    entries: Sequence[ProvenanceEntry],
    query: str | None,
    *,
    said: Collection[str],
    schema: Schema | None,
    records: Steps | None,
    spans: Sequence[Span | None],
) -> list[str]:
    """Say what the lists of a result lack of what the page names; nothing of those at the pointers ``said``.

    The list of records may be empty for good where the question asks for some of them only. What the proof has taken
    out of a list, by its ``entries``, was there.
    """
    known = {*said}
    for steps in (read_pointer(one.pointer) for one in entries if one.status == "ungrounded"):
        known |= {pointer_of(steps[:depth]) for depth in range(1, len(steps))}
    stated = grouped(
        (pointer_of(read_pointer(one.pointer)[:-1]), one.start)
        for one in entries
        if one.start is not None and one.source == "markdown"
    )
    return [
        short.describe(text)
        for short in find_named_lists(data, text, schema=schema, records=records, spans=spans, stated=stated)
        if pointer_of(short.steps) not in known and not (short.steps == records and restricts(query, schema, text))
    ]


def find_named_lists(
    data: JsonValue,
    text: str,
    *,
    schema: Schema | None,
    records: Steps | None = None,
    spans: Sequence[Span | None] = (),
    stated: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> list[NamedList]:
    """Give the lists of an object, and of the records at ``records`` in their places, that lack what the page names.

    ``spans`` are the places of the records, ``stated`` says by a list's pointer where the page states its elements.
    """
    views = SchemaViews(schema)
    found: list[NamedList] = []
    for steps, value in _objects(data, records):
        region = (0, len(text))
        if records is not None and steps[: len(records)] == records and len(steps) > len(records):
            number = steps[len(records)]
            place = spans[number] if isinstance(number, int) and number < len(spans) else None
            if place is None:
                continue
            region = place
        field = field_at(steps)
        for name, item in _lists_of(field, views):
            path = (*steps, name)
            if not views.is_full(field_at(path), _count_of(value.get(name))) and (
                short := _measure(path, value, item, text, region=region, stated=stated.get(pointer_of(path), ()))
            ):
                found.append(short)
    return found


def _count_of(value: JsonValue) -> int:
    return len(value) if isinstance(value, list) else 0


def _objects(data: JsonValue, records: Steps | None) -> Iterator[tuple[Steps, Mapping[str, JsonValue]]]:
    """Give the objects whose place is known: the answer's own, those in it, and the records."""
    stack: list[tuple[Steps, JsonValue]] = [((), data)]
    while stack:
        steps, value = stack.pop()
        if isinstance(value, dict):
            yield steps, value
            stack.extend(((*steps, name), inner) for name, inner in value.items() if isinstance(inner, dict | list))
        elif isinstance(value, list) and steps == records:
            stack.extend(((*steps, number), inner) for number, inner in enumerate(value))


def _lists_of(field: tuple[str, ...], views: SchemaViews) -> Iterator[tuple[str, Any]]:
    """Give the properties of an object that the schema says are lists, with the schema of their items."""
    seen: set[str] = set()
    for view in views.of(field):
        properties = view.get("properties")
        for name in properties if isinstance(properties, Mapping) else ():
            for inner in views.of((*field, str(name))):
                if name not in seen and ("items" in inner or "array" in types_of(inner)):
                    seen.add(str(name))
                    yield str(name), views.of((*field, str(name), "*"))


def _measure(
    path: Steps,
    around: Mapping[str, JsonValue],
    item: Sequence[Mapping[str, Any]],
    text: str,
    *,
    region: Span,
    stated: Sequence[int],
) -> NamedList | None:
    value = around.get(str(path[-1]))
    elements = value if isinstance(value, list) else []
    if any(isinstance(element, dict | list) for element in elements):
        return None
    fields = [str(name) for view in item for name in (view.get("properties") or ())]
    missing: Sequence[Span] = ()
    if not fields:
        missing = _unsaid_in_line(str(path[-1]), [str(element) for element in elements], text, region, stated)
    if not elements and not missing:
        missing = _below_heading(str(path[-1]), around, text, region) or _rows_under(fields, around, text, region)
    return NamedList(path, len(elements), tuple(missing)) if missing else None


def _unsaid_in_line(name: str, elements: Sequence[str], text: str, region: Span, stated: Sequence[int]) -> list[Span]:
    """Give the pieces of a line behind the list's own name that are none of its elements.

    A line that holds none of the elements there are is about something else. What shares an element's words is one, and
    so is what states it: "Wi-Fi" for ``wifi``.
    """
    blocks = blocks_of(text).between(*region)
    found = (_LABELLED.fullmatch(text, block.said, block.end) for block in blocks if block.kind in ("item", "text"))
    lines = [one for one in found if one and named_field(label_words(one[1]), [name])]
    known = [_words(element) for element in elements]
    missing: list[Span] = []
    for line in lines:
        pieces = list(_pieces(text, *line.span(2)))
        said = [_words(text[slice(*piece)]) for piece in pieces]
        own = [any(start <= at < end for at in stated) for start, end in pieces]
        if elements and not any(own) and not any(words in known for words in said):
            return []
        told = zip(pieces, said, own, strict=True)
        missing += [piece for piece, words, is_own in told if not is_own and _is_new(words, known)]
    return missing


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """Give the pieces of a line up to the next label in it."""
    at = start
    for border in _PARTED.finditer(text, start, end):
        if _LEADS.search(text, at, border.start()):
            return
        yield at, border.start()
        at = border.end()
    if not _LEADS.search(text, at, end):
        yield at, end


def _is_new(words: tuple[str, ...], known: Sequence[tuple[str, ...]]) -> bool:
    is_nothing = " ".join(words) in locales.words("no") or any(says_nothing(sign.join(words)) for sign in " /")
    if is_nothing or len(words) > _MOST_WORDS or any(map(str.isdigit, words)):
        return False
    return not any(set(words) <= set(one) or set(one) <= set(words) for one in known)


def _below_heading(name: str, around: Mapping[str, JsonValue], text: str, region: Span) -> list[Span]:
    """Give the items below a heading or bold line that begins with the name of an empty list, and that none claims.

    A line or two may stand before them, and smaller headings between them.
    """
    said = {_words(str(one)) for one in scalars(dict(around))}
    blocks, words = blocks_of(text), label_words(name)
    for number in blocks.numbers(*region):
        heading = blocks.all[number]
        if heading.kind == "item" or not heading.level or label_words(blocks.said(heading))[: len(words)] != words:
            continue
        items = [(one.said, one.end) for one in _items_below(blocks, number) if one.start < region[1]]
        if len(items) > 1:
            return [] if any(_words(text[slice(*item)]) in said for item in items) else items
    return []


def _items_below(blocks: Blocks, number: int) -> Iterator[Block]:
    level, lines = blocks.all[number].level, 0
    for block in blocks.all[number + 1 :]:
        if block.kind == "item":
            lines = _MOST_LINES
            yield block
        elif not block.level:
            lines += 1
        if lines > _MOST_LINES or (block.kind != "item" and 0 < block.level <= level):
            return


def _rows_under(fields: Sequence[str], around: Mapping[str, JsonValue], text: str, region: Span) -> list[Span]:
    """Give the rows of a table whose head names most fields of an empty list's elements, and more than of any other."""
    others = [_names_in(value) for value in around.values()]
    blocks = blocks_of(text)
    for head in table_heads(blocks) if len(fields) >= _LEAST_FIELDS else ():
        named = _named(head.labels, fields)
        if not region[0] <= head.start < region[1] or named < max(_LEAST_FIELDS, len(fields) / 2):
            continue
        if all(_named(head.labels, other) < named for other in others):
            below = blocks.numbers(head.start + 1, min(head.stop, region[1]))
            rows = (row for row in below if blocks.all[row].kind == "row" and len(blocks.cells(row)) > 1)
            return [blocks.span_of(row) for row in rows]
    return []


def _named(labels: Sequence[tuple[str, ...]], fields: Sequence[str]) -> int:
    return len({named_field(label, fields) for label in labels} - {None})


def _names_in(value: JsonValue) -> list[str]:
    return list({name: 0 for one in value if isinstance(one, dict) for name in one}) if isinstance(value, list) else []


def _words(text: str) -> tuple[str, ...]:
    return tuple(map(str.casefold, _WORD.findall(text)))
