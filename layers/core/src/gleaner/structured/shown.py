"""Whether the page's own text says what its embedded data says: where it says something else, the data is stale."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gleaner.coercion.numbers import COUNT_NOUNS
from gleaner.coercion.words import NOTHING
from gleaner.completeness.emptiness import says_it_is_empty
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ProvenanceEntry
from gleaner.structured.amounts import Span, amounts_in, currencies, currency_agrees
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.labels import words_of
from gleaner.structured.mentions import (
    ORDINAL,
    is_meant,
    main_part,
    number_is_meant_in,
    spans_days,
    unproven,
    words_are_meant,
)
from gleaner.structured.nodes import must_show
from gleaner.structured.silence import GIVEN, IN, OUT, is_called, is_silent_on, may_be_unseen, own_words
from gleaner.structured.visible import plain

NOTHING_WORDS = frozenset(word for text in NOTHING for word in words_of(text))
_CODE = re.compile(r"[^\s,;|()]+")
_SHORTEST_CODE = 6
_NOUN = re.compile(r"[ \u00a0]([^\W\d_]+)")
_LINKED = re.compile(r"!?\[[^\]]*\]\([^)]*\)")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)")


def page_agrees(
    wanted: Wanted,
    records: Sequence[Mapping[str, Any]],
    places: Sequence[Span] | None,
    markdown: str,
    entries: Sequence[ProvenanceEntry],
    *,
    may_be_silent: bool = False,
) -> bool:
    """Tell whether all that people can see of the records stands in the page's text, and nothing there denies it.

    ``places`` are the records' units; None for the one object that the page is about. ``may_be_silent``: a value of
    that object counts, too, where the page has no words at all that might be another one.
    """
    unseen = _unseen(wanted, entries)
    if unseen and not (may_be_silent and places is None):
        return False
    spans = list(places) if places is not None else [main_part(markdown)]
    texts = [markdown[start:end] for start, end in spans]
    if not all(_agrees(wanted, record, text) for record, text in zip(records, texts, strict=True)):
        return False
    if places and places[0][0] >= main_part(markdown)[1]:
        return False
    if any(
        _is_written_otherwise(field, record.get(field.name), text)
        for field in _opaque(wanted, entries)
        for record, text in zip(records, texts, strict=True)
    ):
        return False
    if places is not None and not _stand_in_their_units(wanted, entries, places, markdown):
        return False
    if places is None:
        rest = unproven(spans[0], _known(entries), markdown)
        above = _LINKED.sub("", unproven((0, spans[0][0]), _known(entries), markdown))
        return (
            _mentions_are_meant(wanted, entries, markdown)
            and all(is_silent_on(field, rest) for field in wanted.fields if records[0].get(field.name) is None)
            and all(may_be_unseen(field, records[0][field.name], f"{above}\n{rest}") for field in unseen)
            and not (spans_days(texts[0]) and any(field.kind == "date" for field in unseen))
        )
    return _gaps_are_empty(wanted, records, places, markdown, entries)


def _stand_in_their_units(
    wanted: Wanted, entries: Sequence[ProvenanceEntry], places: Sequence[Span], markdown: str
) -> bool:
    """Tell whether each value that people see stands in its own record's unit, in its role: a twin's proves nothing."""
    fields = {field.name: field for field in wanted.fields if must_show(field)}
    known = _known(entries)
    for entry in entries:
        field = fields.get(wanted.property_at(entry.pointer))
        if field is None or entry.start is None or entry.end is None:
            continue
        place = places[int(read_pointer(entry.pointer)[len(wanted.steps)])]
        if not place[0] <= entry.start < place[1] or _counts_something_else(field, entry, markdown):
            return False
        mention = (entry.start, entry.end)
        if field.kind in ("date", "text") and not words_are_meant(field, markdown, mention, known, place):
            return False
        is_plain_number = field.kind == "number" and not is_called(field, "price")
        if is_plain_number and not number_is_meant_in(field, markdown, mention, place, known):
            return False
    return True


def _counts_something_else(field: Field, entry: ProvenanceEntry, markdown: str) -> bool:
    """Tell whether a number stands before the noun of another field: a rating that is proven by "120 reviews"."""
    noun = _NOUN.match(markdown, entry.end or 0)
    if field.kind != "number" or noun is None or noun[1].casefold() not in COUNT_NOUNS:
        return False
    return own_words(field).isdisjoint((*words_of(noun[1]), "count"))


def _gaps_are_empty(
    wanted: Wanted,
    records: Sequence[Mapping[str, Any]],
    places: Sequence[Span],
    markdown: str,
    entries: Sequence[ProvenanceEntry],
) -> bool:
    """Tell whether the units of records that lack a field say nothing more than those of whole records do.

    What is left of a unit without the record's own values is what its site writes in every unit, or a lost value.
    """
    lacking = [any(record.get(field.name) is None for field in wanted.fields) for record in records]
    if not any(lacking):
        return True
    known = _known(entries)
    left = [_left_over(place, known, markdown) for place in places]
    usual = set(NOTHING_WORDS).union(*(words for words, lacks in zip(left, lacking, strict=True) if not lacks))
    return not all(lacking) and all(words <= usual for words in left)


def _left_over(place: Span, known: Sequence[Span], markdown: str) -> set[str]:
    ordinal = ORDINAL.match(markdown, place[0])
    return set(words_of(unproven((ordinal.end() if ordinal else place[0], place[1]), known, markdown)))


def _known(entries: Sequence[ProvenanceEntry]) -> list[Span]:
    """Give the places of the Markdown that prove values, in order."""
    places = ((entry.start, entry.end) for entry in entries if entry.source == "markdown")
    return sorted((start, end) for start, end in places if start is not None and end is not None)


def _agrees(wanted: Wanted, record: Mapping[str, Any], text: str) -> bool:
    said = [field for field in wanted.fields if record.get(field.name) is not None]
    return all(_field_agrees(field, record[field.name], text) for field in said) and all(
        currency_agrees(code, text) for field in said for code in currencies(field, record[field.name])
    )


def _opaque(wanted: Wanted, entries: Sequence[ProvenanceEntry]) -> list[Field]:
    """Give the text fields that people need not see, where they don't."""
    names = {wanted.property_at(entry.pointer) for entry in entries if entry.source != "markdown"}
    return [field for field in wanted.fields if field.kind == "text" and field.name in names and not must_show(field)]


def _is_written_otherwise(field: Field, value: Any, text: str) -> bool:
    """Tell whether the page states a field that its data has another value of, or a code of the same form."""
    if len(str(value)) >= _SHORTEST_CODE and any(_form(code) == _form(str(value)) for code in _CODE.findall(text)):
        return True
    own = "|".join(re.escape(word) for word in own_words(field) if len(word) > 1)
    return (
        bool(own) and re.search(rf"\b(?:{own})\b[^\w\n]{{0,6}}(?:\w+ )?[^\n]{{0,8}}\d", text, re.IGNORECASE) is not None
    )


def _form(code: str) -> str:
    return re.sub(r"\d", "0", re.sub(r"[^\W\d_]", "a", code)) if any(map(str.isdigit, code)) else code


def _unseen(wanted: Wanted, entries: Sequence[ProvenanceEntry]) -> list[Field]:
    """Give the fields that people should see on the page, and that its embedded data alone states."""
    names = {wanted.property_at(entry.pointer) for entry in entries if entry.source != "markdown"}
    return [field for field in wanted.fields if must_show(field) and field.name in names]


def _field_agrees(field: Field, value: Any, text: str) -> bool:
    if field.kind == "boolean" and is_called(field, "in_stock"):
        return _stock_agrees(value, text)
    if field.kind == "texts":
        return _are_a_list(value, text)
    if any(is_called(field, name) for name in GIVEN) and says_it_is_empty(text):
        return False
    if field.kind == "number" and is_called(field, "price"):
        amounts = list(amounts_in(text))
        return not amounts or (
            any(amount == value and not beside for amount, beside in amounts)
            and all(beside or amount == value for amount, beside in amounts)
        )
    return True


def _are_a_list(items: Sequence[str], text: str) -> bool:
    """Tell whether the page lists the items line by line, one after the other, with none before, between or after."""
    lines = [line for line in text.splitlines() if line.strip()]
    bullets = [match[1] if (match := _BULLET.match(line)) else None for line in lines]
    found = [None if bullet is None else plain(bullet) for bullet in bullets]
    wanted = [plain(item) for item in items]
    starts = [at for at in range(len(found)) if found[at : at + len(wanted)] == wanted]
    return len(starts) == 1 and all(
        not 0 <= at < len(found) or found[at] is None for at in (starts[0] - 1, starts[0] + len(wanted))
    )


def _stock_agrees(value: bool, text: str) -> bool:
    folded = text.casefold()
    gone = OUT.search(folded) is not None
    there = IN.search(OUT.sub(" ", folded)) is not None
    return not (gone and there) and not (there if not value else gone)


def _mentions_are_meant(wanted: Wanted, entries: Sequence[ProvenanceEntry], markdown: str) -> bool:
    """Tell whether the places that prove values speak of the fields: "3" is on every page, and so are dates."""
    fields = {field.name: field for field in wanted.fields}
    known = _known(entries)
    return all(
        is_meant(fields[name], markdown, (entry.start, entry.end), known)
        for entry in entries
        if entry.start is not None
        and entry.end is not None
        and entry.source == "markdown"
        and (name := wanted.property_at(entry.pointer)) in fields
    )
