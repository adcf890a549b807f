"""Values known by fixed words around them ("3 beds", "Departure: 9:40."), and flags known by what stands for them."""

import re
from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box, squeeze, text_of
from gleaner.recipes.model import Columns, FieldSelector

_SPOKEN = ("aria-label", "title", "alt")
_SAMPLES = 4
_LONGEST = 80
_LONGEST_LABEL = 24
_MOST = 40
_LEAST_FLAGS = 8
_LEAST_OF_EACH = 2
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_DIGIT = re.compile(r"\d")


def worded_selectors(values: Sequence[JsonValue], boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give selectors for elements in which words stand before or after what could be the field's value."""
    known = [at for at, value in enumerate(values) if isinstance(value, str | int | float) and value != ""]
    if len(boxes) <= 1 or any(isinstance(value, bool | list | dict) for value in values):
        return []
    chosen = known[:: max(1, len(known) // _SAMPLES)][:_SAMPLES]
    found = (one for at in chosen for node in boxes[at].inside for one in _around(node, values[at]))
    return list(dict.fromkeys(found))[:_MOST]


def lone_wordings(value: JsonValue, box: Box) -> list[FieldSelector]:
    """Give such selectors for a page's only value: of elements that hold others, with all the words around in them."""
    if isinstance(value, bool | list | dict) or value is None or value == "":
        return []
    return list(dict.fromkeys(one for node in box.inside for one in _around(node, value)))


def _around(node: HtmlElement, value: JsonValue) -> Iterator[FieldSelector]:
    said = [("", text_of(node)), *((name, squeeze(text)) for name in _SPOKEN if (text := node.get(name)))]
    for name, text in said:
        for start, end in _places(text, value) if len(text) <= _LONGEST else ():
            prefix, suffix = text[:start], text[end:]
            if _LETTERS.search(prefix + suffix) and not _DIGIT.search(prefix + suffix):
                yield FieldSelector(kind="worded", tag=str(node.tag), attribute=name, prefix=prefix, suffix=suffix)


def _places(text: str, value: JsonValue) -> Iterator[tuple[int, int]]:
    if isinstance(value, str):
        if text.count(value) == 1:
            yield text.index(value), text.index(value) + len(value)
        return
    yield from (match.span() for match in _NUMBER.finditer(text))


def presence_selectors(values: Sequence[JsonValue], columns: Columns, boxes: Sequence[Box]) -> list[FieldSelector]:
    """Give the selectors whose element is in the records for which a flag is true, and in no other.

    By its class or mark, else by the short text that is all it says ("New").
    """
    flags = [value for value in values if isinstance(value, bool)]
    if len(flags) < max(_LEAST_FLAGS, len(values)) or min(map(flags.count, (True, False))) < _LEAST_OF_EACH:
        return []
    marked = [
        one.model_copy(update={"presence": True})
        for one, texts in columns.items()
        if one.kind in ("class", "attribute") and not one.attribute and [text is not None for text in texts] == flags
    ]
    return marked or _said_where_true(flags, boxes)


def _said_where_true(flags: Sequence[bool], boxes: Sequence[Box]) -> list[FieldSelector]:
    for name in ("", *_SPOKEN):
        said = [{(str(node.tag), text) for node, text in _labels(box, name)} for box in boxes]
        shared = only_where_true(said, flags)
        if shared:
            return [
                FieldSelector(kind="worded", tag=tag, attribute=name, prefix=text, presence=True)
                for tag, text in shared
            ]
    return []


def _labels(box: Box, name: str) -> Iterator[tuple[HtmlElement, str]]:
    """Give the elements that say a short text, or whose attribute of this name does: an icon's, "Takes cars"."""
    for node in box.inside:
        text = squeeze(node.get(name) or "") if name else text_of(node)
        if _is_label(text):
            yield node, text


def only_where_true(said: Sequence[set[tuple[str, str]]], flags: Sequence[object]) -> list[tuple[str, str]]:
    """Give the tags and texts that stand wherever the flag is true, and nowhere else."""
    true = [texts for texts, flag in zip(said, flags, strict=True) if flag]
    others = [texts for texts, flag in zip(said, flags, strict=True) if not flag]
    return sorted(true[0].intersection(*true).difference(*others)) if true else []


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and _LETTERS.search(text) is not None and not _DIGIT.search(text)
