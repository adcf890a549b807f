"""Whether what the page shows bears out what its embedded data says: data may be stale, or of something else."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionResult
from gleaner.structured.decline import Declined
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.names import words_of
from gleaner.structured.nodes import is_code
from gleaner.structured.pairs import Pair, values_of
from gleaner.structured.places import plain
from gleaner.structured.reading import read_column
from gleaner.values import locales

Span = tuple[int, int]

_NOTHING_WORDS = frozenset(word for text in locales.words("nothing") for word in words_of(text))
_TARGET = re.compile(r"\]\([^)\s]*\)?|^\s*\d{1,3}\.\s")


def check_embedded(
    wanted: Wanted,
    result: ExtractionResult,
    places: Sequence[Span] | None,
    markdown: str,
    pairs: Sequence[Pair],
    silent: Sequence[Field],
) -> None:
    """Decline where a value is not seen on the page, or in its record's place, or where a label denies it."""
    for entry in result.provenance:
        field = wanted.field_at(entry.pointer)
        if field is None:
            continue
        is_seen = entry.source == "markdown" and entry.start is not None
        value = _at(result.data, entry.pointer)
        if not is_seen and not _may_be_unseen(field, value):
            raise Declined(f"the page's data has {field.name} {value!r}, which the page does not show")
        if is_seen and places is not None:
            start, end = places[wanted.record_at(entry.pointer)]
            if not start <= (entry.start or 0) < end:
                raise Declined(f"the page does not show {field.name} {value!r} where its record stands")
        if field.kind == "boolean":
            _check_stock(
                value, markdown if places is None else markdown[slice(*places[wanted.record_at(entry.pointer)])]
            )
        if places is None:
            _check_labels(field, value, pairs)
    if places is not None:
        _check_gaps(wanted, result, places, markdown)
        return
    for field in silent:
        _check_silence(field, markdown)


def _check_gaps(wanted: Wanted, result: ExtractionResult, places: Sequence[Span], markdown: str) -> None:
    """Decline where the place of a record without some field says more than those of whole records do.

    What is left of a place without the record's own values is what its site writes in each, or a lost value.
    """
    proven: list[list[Span]] = [[] for _ in places]
    stated = Counter[int]()
    for entry in result.provenance:
        number = wanted.record_at(entry.pointer)
        stated[number] += 1
        if entry.source == "markdown" and entry.start is not None and entry.end is not None:
            proven[number].append((entry.start, entry.end))
    lacking = [stated[number] < len(wanted.fields) for number in range(len(places))]
    if not any(lacking):
        return
    left = [_words_left(place, spans, markdown) for place, spans in zip(places, proven, strict=True)]
    usual = set(_NOTHING_WORDS).union(*(words for words, lacks in zip(left, lacking, strict=True) if not lacks))
    if all(lacking) or any(words - usual for words, lacks in zip(left, lacking, strict=True) if lacks):
        raise Declined("the page may state what its data lacks of some records")


def _words_left(place: Span, proven: Sequence[Span], markdown: str) -> set[str]:
    pieces: list[str] = []
    start = place[0]
    for begin, end in sorted(proven):
        pieces.append(markdown[start : max(begin, start)])
        start = max(start, end)
    pieces.append(markdown[start : place[1]])
    return set(words_of(_TARGET.sub("](", " ".join(pieces))))


def _at(data: Any, pointer: str) -> Any:
    for step in read_pointer(pointer):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data


def _may_be_unseen(field: Field, value: Any) -> bool:
    """Tell whether pages need not show a value: a code, a yes or no, an address, one of a schema's own words."""
    return field.kind in ("boolean", "address", "image") or "enum" in field.schema or is_code(value)


def _check_labels(field: Field, value: Any, pairs: Sequence[Pair]) -> None:
    if field.kind in ("texts", "address", "image", "boolean") or "enum" in field.schema:
        return
    for pair in values_of(field, list(pairs)):
        try:
            said = read_column(field, pair.label, [pair.cell.text])[0]
        except Declined:
            continue
        is_same = (
            said == value
            if not isinstance(said, str)
            else plain(said) in plain(str(value)) or plain(str(value)) in plain(said)
        )
        if not is_same:
            raise Declined(f"the page's data has {field.name} {value!r}, the page shows {pair.cell.text[:40]!r}")


def _check_stock(value: Any, text: str) -> None:
    said = text.casefold()
    is_gone = any(
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said) for word in locales.words("out_of_stock") if word in said
    )
    is_there = any(
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said) for word in locales.words("in_stock") if word in said
    )
    if is_there not in (is_gone, value):
        raise Declined("the page's data and its text differ on what is in stock")


def _check_silence(field: Field, markdown: str) -> None:
    """Decline where the page speaks of a field by its name, and its data does not."""
    if field.kind == "texts":
        return
    words = words_of(markdown)
    for name in field.names:
        own = words_of(name)
        if own and any(words[at : at + len(own)] == own for at, word in enumerate(words) if word == own[0]):
            raise Declined(f"the page speaks of {name}, its data has none")
