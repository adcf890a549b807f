"""In which role a page's text says a value: "by Ann", "Photos: Ann" and "from Hale to Ripon" say different things."""

import re

from gleaner.structured.descriptions import is_known, words_beside
from gleaner.structured.fields import Field
from gleaner.structured.labels import is_plural, words_of
from gleaner.structured.measures import listed
from gleaner.structured.silence import is_called, own_words

_LEADING = frozenset(
    words_of(
        "by in at on the a an of is my our mr mrs ms dr prof von par de di da do door av af bei im am durch del della "
        "der die das le la les el los por per przez fra från"
    )
)
_PROSE = listed("description summary abstract text body content excerpt teaser story")
_PARTS = re.compile(r"[\n|·•;,–—()\[\]*_#]|\.\s|\s[-/]\s|\\")
_COUNTED = re.compile(r"(\d[\d.,]*)\s+([^\W\d_]+)")


def is_in_its_role(field: Field, text: str, value: str) -> bool:
    """Tell whether one of the places of a text field's value stands alone or is led to by the field's words only.

    >>> from gleaner.structured.fields import read_wanted
    >>> wanted = read_wanted({"type": "object", "properties": {"author": {"type": "string"}}})
    >>> [is_in_its_role(wanted.fields[0], text, "Ann Lo") for text in ("By Ann Lo, May 1", "Photos: Ann Lo")]
    [True, False]
    """
    is_heading = is_called(field, "name") or is_called(field, "title")
    if field.kind != "text" or is_heading or not _PROSE.isdisjoint(field.names[0]):
        return True
    known = own_words(field) | words_beside(field)
    places = re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)
    return any(_leads(_PARTS.split(text[: each.start()])[-1], known, field) for each in places)


def _leads(before: str, known: set[str], field: Field) -> bool:
    words = words_of(before)
    if words and before.rstrip(" \u00a0").endswith((":", "：")):
        label = next((word for word in reversed(words) if word not in _LEADING), None)
        return label is not None and is_known(label, known) and (is_plural(field.name) or not is_plural(before))
    return all(word in _LEADING or is_known(word, known) for word in words)


def is_counted_once(field: Field, text: str, number: str) -> bool:
    """Tell whether no other number stands before the noun that the field's does: "300 pages are slow; 512 in all"."""
    own = own_words(field)
    counted = [(each, noun) for each, noun in _COUNTED.findall(text) if not own.isdisjoint(words_of(noun))]
    is_count = any(each == number for each, _ in counted)
    return not is_count or all(each == number for each, _ in counted)
