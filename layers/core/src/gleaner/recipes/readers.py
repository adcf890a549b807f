"""Read one field in containers: find the place that a selector names, and what its text stands for."""

from collections.abc import Callable, Sequence
from typing import cast

from lxml.html import HtmlElement

from gleaner.ports import JsonValue
from gleaner.recipes.boxes import Box, squeeze, text_of
from gleaner.recipes.decoding import UNREAD, Cell, Memory
from gleaner.recipes.finders import finder_of
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.templates import slot_of
from gleaner.recipes.unreadable import Unreadable

NOWHERE, TOO_MANY, UNKNOWN = -1, -2, -3
"""In place of a place: there is no such element, there are several, it is none of those inside."""

_BY_BUILD = frozenset({"self", "attribute", "class", "within", "tag", "column", "path"})
"""Kinds of selectors that go by how a container is built, not by its texts."""


class Reader:
    """One selector, made ready.

    ``rivals`` are the typed readers of other fields: what is theirs is not left over. ``memory`` keeps what texts were
    read as, for all readers of one page that read alike.
    """

    def __init__(
        self, selector: FieldSelector, base_url: str = "", rivals: Sequence["Reader"] = (), memory: Memory | None = None
    ) -> None:
        self.selector = selector
        self.decoded = Memory(base_url).of(selector) if memory is None else memory.of(selector)
        self._rivals = [rival.decoded for rival in rivals]
        self._find = finder_of(selector)
        self._texts = _PIECES.get(selector.kind)
        self._is_alone = selector.kind in ("class", "attribute", "beside", "within", "worded")
        self.goes_by_build = selector.kind in _BY_BUILD and not selector.many and not selector.presence
        """Whether it names the same place in all containers that are built alike."""

    def cell(self, box: Box) -> Cell:
        """Give the value; None when the container has none, UNREAD when there is something else."""
        try:
            if self.selector.many:
                return self._many(box)
            if self.selector.presence:
                return bool(self._find(box))
            text = self.text(box)
        except Unreadable:
            return UNREAD
        return None if text is None else self.decoded[text]

    def column(self, boxes: Sequence[Box]) -> list[Cell]:
        """Give the value in each container."""
        if self._texts is None or self.selector.many or self.selector.presence:
            return [self.cell(box) for box in boxes]
        find, known = self._texts, self.decoded
        found = [find(self, box) for box in boxes]
        return [
            known[texts[0]] if len(texts) == 1 else self.cell(box) if texts else None
            for texts, box in zip(found, boxes, strict=True)
        ]

    def text(self, box: Box) -> str | None:
        """Give the text that the selector names in a container, uncut; None when there is none.

        Unreadable when the selector can't tell which.
        """
        if self._texts is not None:
            return _only(self._texts(self, box))
        if self.selector.kind == "template":
            return slot_of(self.selector.value, self.selector.nth, box)
        found = self._find(box)
        texts = [self._text(element) for element in (found if self._is_alone else found[:1])]
        if any(text != texts[0] for text in texts):
            raise Unreadable(f"{len(found)} in place of one")
        return texts[0] if texts else None

    def place(self, box: Box) -> int:
        """Give the place of the selector's element inside a container; or NOWHERE, TOO_MANY, UNKNOWN."""
        try:
            found = self._find(box)
        except Unreadable:
            return TOO_MANY
        if not found:
            return NOWHERE
        if len(found) > 1 and self._is_alone:
            return TOO_MANY
        return box.inside.index(found[0]) if found[0] in box.inside else UNKNOWN

    def accepts(self, text: str) -> bool:
        """Tell whether a text reads as this field's type."""
        return self.decoded.accepts(text)

    def _text(self, element: HtmlElement) -> str | None:
        if not self.selector.attribute:
            return text_of(element)
        value = element.get(self.selector.attribute)
        return None if value is None else squeeze(value)

    def by_label(self, box: Box) -> Sequence[str]:
        """Give the texts after the label."""
        return box.by_label.get(self.selector.value, ())

    def by_type(self, box: Box) -> Sequence[str]:
        """Give the texts without a label that are of the field's type."""
        known = self.decoded
        texts = box.by_label.get("", ())
        return [text for text in texts if (value := known[text]) is not None and value is not UNREAD]

    def by_rest(self, box: Box) -> Sequence[str]:
        """Give the text that is left by the other fields, by its rank."""
        left = [text for text in box.by_label.get("", ()) if not any(rival.accepts(text) for rival in self._rivals)]
        return left[self.selector.nth : self.selector.nth + 1]

    def _many(self, box: Box) -> Cell:
        if self._texts is not None:
            one = _only(self._texts(self, box))
            texts = [] if one is None else [one]
        else:
            found = self._find(box)
            if self.selector.separator and len(found) > 1:
                return UNREAD
            texts = [text for element in found if (text := self._text(element))]
        if self.selector.separator:
            texts = [part.strip() for text in texts for part in text.split(self.selector.separator)]
        values = [self.decoded[text] for text in texts]
        if UNREAD in values:
            return UNREAD
        return cast(JsonValue, [value for value in values if value is not None])


_PIECES: dict[str, Callable[[Reader, Box], Sequence[str]]] = {
    "label": Reader.by_label,
    "typed": Reader.by_type,
    "rest": Reader.by_rest,
}
"""How the selectors that go by the container's pieces of text find theirs."""


def _only(texts: Sequence[str]) -> str | None:
    if len(texts) > 1 and len(set(texts)) > 1:
        raise Unreadable(" / ".join(texts[:3]))
    return texts[0] if texts else None
