"""What a result serves although the page does not state it."""

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from gleaner.extraction.tasks import count
from gleaner.ports import JsonValue
from gleaner.proof import Rejection, TextIndex
from gleaner.proof.conventions import date_of_two_readings, day_comes_first, day_first_by_language
from gleaner.proof.leaves import Leaf, SchemaViews
from gleaner.proof.money import currency_signs
from gleaner.relevance import UNSPACED
from gleaner.schemas import RecordPath

MOST_NAMED = 5
_MOST_OF_A_NAME = 5
_DIGIT = re.compile(r"\d")
_WORD = re.compile(rf"(?<![\w-])[^\W\d_]{{3,}}(?![\w-])|[{UNSPACED}]")
"""A word of letters alone: what has digits and none of these is a code, as "XX-9", or a date."""


def kept_unproven(
    proven: Rejection, schema: dict[str, Any] | bool, path: RecordPath | None, index: TextIndex, snapshot: str | None
) -> str:
    """Say what is served without proof because the schema has no room for null; "" when that is nothing.

    Words that half of the records have from elsewhere (a summary, a translation) are the schema's wish: that they are
    not proven is a warning. A field that the page states for the others is a mistake, and so is a value that the page
    states of another record. Figures, codes, currencies and choices are mistakes, too, and so are of a single object
    names of which the page says no word.
    """
    standings = {entry.status for entry in proven.entries}
    if path is None and "ungrounded" in standings and not standings & {"verbatim", "normalized"}:
        return "the page states none of the values that the model gave"
    flagged = set(proven.flagged)
    if not flagged:
        return ""
    values = {entry.pointer: entry.value for entry in proven.entries if entry.pointer in flagged}
    views = SchemaViews(schema)
    closed = [name for name, value in values.items() if not _is_open_text(name, value, views)]
    if path is None:
        named = [name for name, value in values.items() if _is_name(value, index)]
        return _not_stated(sorted({*closed, *named}))
    strayed = {pointer for pointer in flagged if _is_stated(values.get(pointer), index, snapshot)}
    total = Counter(_field(entry.pointer) for entry in proven.entries)
    kept = Counter(_field(pointer) for pointer in flagged)
    seldom = {pointer for pointer in flagged if kept[_field(pointer)] * 2 <= total[_field(pointer)]}
    return _not_stated(sorted(strayed.union(seldom, closed)))


def doubtful_days(proven: Rejection, text: str, html: str | None = None) -> list[str]:
    """Warn of days that are proven by dates such as 03/04/2026 where no date of the page tells which way it writes."""
    dates = [
        (entry.pointer, said)
        for entry in proven.entries
        if (entry.transform or "").endswith("date") and entry.source == "markdown" and entry.start is not None
        if (said := date_of_two_readings(text[entry.start : entry.end]))
    ]
    if not dates or (day_comes_first(text), day_first_by_language(html or "")) != (None, None):
        return []
    named = ", ".join(pointer for pointer, _ in dates[:MOST_NAMED])
    return [
        f'The page does not tell whether "{dates[0][1]}" begins with the day or with the month: '
        f"{count(dates, 'date')} taken as answered: {named}"
    ]


def _not_stated(odd: Sequence[str]) -> str:
    named = ", ".join(odd[:MOST_NAMED])
    return f"{count(odd, 'value')} not stated by the page, where the schema allows no null: {named}" if odd else ""


def _is_open_text(pointer: str, value: JsonValue, views: SchemaViews) -> bool:
    """Tell whether a value is words, which may be said otherwise: no figure, code, date, currency or choice."""
    if not isinstance(value, str) or currency_signs(value) or (_DIGIT.search(value) and not _WORD.search(value)):
        return False
    field = tuple(_field(pointer).split("/")[1:])
    return not Leaf(pointer, (), field, value, views.of(field)).choices


def _is_name(value: JsonValue, index: TextIndex) -> bool:
    """Tell whether a text is several words with capitals of which the page says none: an invention."""
    words = value.split() if isinstance(value, str) else []
    is_title = 1 < len(words) <= _MOST_OF_A_NAME and all(word[0].isupper() for word in words)
    return is_title and not any(index.find(word) for word in words)


def _is_stated(value: JsonValue, index: TextIndex, snapshot: str | None) -> bool:
    """Tell whether the page states a value at all; what a flag contradicts, it states too."""
    if isinstance(value, bool):
        return True
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        parts = urlsplit(value)
        return (
            bool(snapshot) and len(parts.path) > 1 and value[value.index(parts.path, 8) :] in unescape(snapshot or "")
        )
    return bool(index.find(value))


def _field(pointer: str) -> str:
    """Give a pointer without the numbers of records and items."""
    return "/".join("*" if step.isdigit() else step for step in pointer.split("/"))
