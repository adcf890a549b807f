"""Read one field in containers: find the place that a selector names, and what its text stands for."""

from collections.abc import Sequence
from typing import cast

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.asides import own_text
from gleaner.recipes.boxes import LINES, Box, lines_in, squeeze, text_of
from gleaner.recipes.decoding import NO_VALUES, UNREAD, Cell, Memory, Unread
from gleaner.recipes.finders import finder_of
from gleaner.recipes.markers import text_behind
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.pieces import Pieces
from gleaner.recipes.templates import slot_of
from gleaner.recipes.unreadable import Unreadable

NOWHERE, TOO_MANY, UNKNOWN = -1, -2, -3
"""In place of a place: there is no such element, there are several, it is none of those inside."""

Found = str | Unread | None
"""The text that a selector names in a container; None for none, UNREAD for more than one."""

_BY_BUILD = frozenset({"self", "attribute", "class", "within", "tag", "column", "path"})
"""Kinds of selectors that go by how a container is built, not by its texts."""


class Reader:
    """One selector, made ready.

    ``rivals`` are readers of other fields that know their texts anywhere: what is theirs is not left over. ``memory``
    keeps what texts were read as, for all readers of one page that read alike.
    """

    def __init__(
        self, selector: FieldSelector, base_url: str = "", rivals: Sequence["Reader"] = (), memory: Memory | None = None
    ) -> None:
        self.selector = selector
        self._label = selector.prefix if selector.kind == "worded" and selector.separator else ""
        ends = {"suffix": "", "prefix": "" if self._label else selector.prefix}
        read = selector.model_copy(update=ends) if selector.separator else selector
        self.decoded = Memory(base_url).of(read) if memory is None else memory.of(read)
        self._rivals = [rival.decoded for rival in rivals]
        self._find = finder_of(selector)
        self._claimed: dict[str, bool] = {}
        by_pieces = {"label": self._by_label, "typed": self._by_type, "rest": self._by_rest}
        self._texts = by_pieces.get(selector.kind, self._by_label)
        self.goes_by_pieces = selector.kind in by_pieces
        """Whether it goes by the container's pieces of text, not by its elements."""
        self._is_alone = selector.kind in ("class", "attribute", "beside", "within", "worded", "linked", "behind")
        is_plain = not selector.many and not selector.presence and not selector.aside
        self.goes_by_build = selector.kind in _BY_BUILD and is_plain
        """Whether it names the same place in all containers that are built alike."""
        is_beside = selector.kind == "beside" and not selector.name and "/" not in selector.tag
        self.goes_by_neighbour = is_beside and is_plain
        """Whether it names what stands right after a text."""

    def cell(self, box: Box) -> Cell:
        """Give the value; None when the container has none, UNREAD when there is something else."""
        try:
            if self.selector.many:
                return self._many(box)
            if self.selector.presence:
                return bool(self._find(box)) != self.selector.inverse
            text = self.text(box)
        except Unreadable:
            return UNREAD
        return None if text is None else self.decoded[text]

    def column(self, boxes: Sequence[Box]) -> list[Cell]:
        """Give the value in each container."""
        return [self.cell(box) for box in boxes]

    def cells(self, pieces: Pieces) -> list[Cell]:
        """Give the value in each container of a group, for selectors that go by pieces."""
        known, texts = self.decoded, self._texts(pieces)
        known.fill(text for text in texts if isinstance(text, str))
        return [known[text] if isinstance(text, str) else text for text in texts]

    def text(self, box: Box) -> str | None:
        """Give the text that the selector names in a container, uncut; None when there is none.

        Unreadable when the selector can't tell which.
        """
        if self.goes_by_pieces:
            found = self._texts(box.alone)[0]
            if isinstance(found, Unread):
                raise Unreadable(f"more than one {self.selector.value or self.selector.kind}")
            return found
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

    def sure_text(self, box: Box) -> str | None:
        """Give the field's text in a container; None where it can't tell, too."""
        try:
            return self.text(box)
        except Unreadable:
            return None

    def accepts(self, text: str) -> bool:
        """Tell whether a text reads as this field's type."""
        return self.decoded.accepts(text)

    def _text(self, element: HtmlElement) -> str | None:
        if self.selector.aside:
            return own_text(element, self.selector.aside)
        if self.selector.kind == "behind":
            return text_behind(element)
        if not self.selector.attribute:
            return text_of(element)
        value = element.get(self.selector.attribute)
        return None if value is None else squeeze(value)

    def _by_label(self, pieces: Pieces) -> list[Found]:
        """Give the texts after the label."""
        found: list[Found] = [None] * len(pieces.rows)
        for label, texts in zip(pieces.labels, pieces.texts, strict=True):
            if label == self.selector.value:
                found = _one_of(found, texts)
        return found

    def _by_type(self, pieces: Pieces) -> list[Found]:
        """Give the texts without a label that are of the field's type."""
        known = self.decoded
        found: list[Found] = [None] * len(pieces.rows)
        for label, texts in zip(pieces.labels, pieces.texts, strict=True):
            if not label:
                known.fill(texts)
                values = list(map(known.__getitem__, texts))
                if not NO_VALUES.issuperset(map(type, values)):
                    pairs = zip(texts, values, strict=True)
                    found = _one_of(found, [None if type(value) in NO_VALUES else text for text, value in pairs])
        return found

    def _by_rest(self, pieces: Pieces) -> list[Found]:
        """Give the text that is left by the other fields, by its rank."""
        left: list[list[str]] = [[] for _ in pieces.rows]
        for label, texts in zip(pieces.labels, pieces.texts, strict=True):
            if not label:
                for rival in self._rivals:
                    rival.fill(texts)
                for row, text in zip(left, texts, strict=True):
                    if not self._is_claimed(text):
                        row.append(text)
        nth = self.selector.nth
        return [row[nth] if len(row) > nth else None for row in left]

    def _is_claimed(self, text: str) -> bool:
        known = self._claimed.get(text)
        if known is None:
            known = self._claimed[text] = any(rival.accepts(text) for rival in self._rivals)
        return known

    def _many(self, box: Box) -> Cell:
        if self.goes_by_pieces:
            one = self.text(box)
            texts = [] if one is None else [one]
        else:
            found = self._find(box)
            if self.selector.separator and len(found) > 1:
                return UNREAD
            texts = [text for element in found if (text := self._text(element))]
            if self.selector.separator == LINES:
                texts = [line for element in found for line in lines_in(element)]
        if self.selector.separator and self.selector.separator != LINES:
            bare = [text.removeprefix(self._label).removesuffix(self.selector.suffix) for text in texts]
            texts = [part.strip() for text in bare for part in text.split(self.selector.separator)]
        values = [self.decoded[text] for text in texts]
        if UNREAD in values:
            return UNREAD
        return cast(JsonValue, [value for value in values if value is not None])


def _one_of(found: Sequence[Found], texts: Sequence[str | None]) -> list[Found]:
    """Give what was found or stands in these texts; UNREAD where both are something, and not the same."""
    pairs = zip(found, texts, strict=True)
    return [text if one is None else one if text is None or text == one else UNREAD for one, text in pairs]
