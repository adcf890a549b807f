"""Is a value absent, or does it stand where the selectors do not look? Texts that nobody claims decide."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gleaner.coercion.words import says_nothing
from gleaner.contracts.ports import JsonValue
from gleaner.contracts.word_lists import listed
from gleaner.recipes.boxes import Box, Piece, squeeze
from gleaner.recipes.decoding import Cell, Decoded, Memory, Unread
from gleaner.recipes.drift import characters_of
from gleaner.recipes.model import FieldRecipe, FieldSelector
from gleaner.recipes.pieces import Pieces
from gleaner.recipes.readers import Reader

_LEAST_TEXT = 2
_BEGINNING = 2
_LEAST_VALUES = 3
_LONGEST_DENIAL = 40
_STEM = 5
_LEAST_STEM = 3
_DENYING = listed("no not without kein keine keinen sans sin senza sem ohne geen ingen bez без")
"""Words that deny what follows them."""


def says_something(text: str) -> bool:
    """Tell whether a text may be a value: one sign is no text, but one letter or figure is.

    >>> says_something("·"), says_something("3"), says_something("on")
    (False, True, True)
    """
    return len(text) >= _LEAST_TEXT or text.isalnum()


def _is_part(text: str, value: str) -> bool:
    """Tell whether a text is part of a value; a figure or one letter only where it stands alone, not in a date.

    >>> _is_part("Roe", "Ada Roe"), _is_part("2", "2 Elm Road"), _is_part("2", "2025-01-20")
    (True, True, False)
    """
    if text not in value or not (text.isdigit() or len(text) < _LEAST_TEXT):
        return text in value
    return re.search(rf"(?<![\w.,:/+-]){re.escape(text)}(?![\w.,:/-])", value) is not None


def _is_in(text: str, texts: Sequence[str]) -> bool:
    return any(text in one for one in texts)


class Claims:
    """Which pieces of a record's text its values account for, and which fields the others could be values of.

    ``labels`` are those that records had where the recipe was learned, ``noise`` the texts that were nobody's there;
    ``memory`` is what the page's texts were read as.
    """

    def __init__(
        self,
        fields: Sequence[FieldRecipe],
        base_url: str,
        labels: Iterable[str] = (),
        noise: Iterable[str] = (),
        memory: Memory | None = None,
    ) -> None:
        memory = Memory(base_url) if memory is None else memory
        self._texts = [_distinct(_selectors_of(one), memory) for one in fields]
        self._typed = [_distinct(_typed(one), memory) for one in fields]
        self._goes_by_type = [
            bool(typed) or one.figures.kind in ("number", "boolean")
            for one, typed in zip(fields, self._typed, strict=True)
        ]
        self._begins = [_beginning(one) for one in fields]
        self._separators = [{one.separator for one in each.selectors if one.separator} for each in fields]
        phrased = {
            (each.kind, each.value, each.phrase): each for one in fields for each in one.selectors if each.phrase
        }
        self._phrased = [Reader(one, memory=memory) for one in phrased.values()]
        self._labels = frozenset(labels)
        self._noise = frozenset(noise)

    def unclaimed(self, box: Box, cells: Sequence[JsonValue], among: Sequence[Piece] | None = None) -> Iterator[Piece]:
        """Give the pieces that are no value of the record, nor known as noise; ``among`` are those that may be so."""
        among = box.pieces if among is None else among
        left = [piece for piece in among if piece[1] not in self._noise and not self._is_one_of(cells, piece[1])]
        if left:
            is_claimed = self.claimed(cells)
            said = self._explained(box)
            yield from (piece for piece in left if not (is_claimed(piece[1]) or _is_in(piece[1], said)))

    def left_over(
        self, groups: Iterable[Pieces], values: Sequence[Sequence[JsonValue]]
    ) -> Mapping[int, Sequence[Piece]]:
        """Give the records' pieces, by row, that are at first sight neither noise nor one of the record's values."""
        left: dict[int, list[Piece]] = {}
        for one in groups:
            for label, texts in zip(one.labels, one.texts, strict=True):
                for row, text in self._left_in(one.rows, texts, values):
                    left.setdefault(row, []).append((label, text))
        return left

    def _left_in(
        self, rows: Sequence[int], texts: Sequence[str], values: Sequence[Sequence[JsonValue]]
    ) -> Iterable[tuple[int, str]]:
        """Look at texts that stand at one place of several records: most often all are values of one field."""
        if self._noise.issuperset(texts):
            return ()
        for column, decoded in zip(values, self._texts, strict=True):
            first = column[rows[0]]
            for read in (str, *(one.get for one in decoded)) if first is not None else ():
                if read(texts[0]) == first:
                    cells = [column[row] for row in rows]
                    if None not in cells and [*map(read, texts)] == cells:
                        return ()
        pairs = ((row, text) for row, text in zip(rows, texts, strict=True) if text not in self._noise)
        return [(row, text) for row, text in pairs if not self._is_one_of([column[row] for column in values], text)]

    def _is_one_of(self, cells: Sequence[JsonValue], text: str) -> bool:
        """Tell at little cost whether a text is one of these values as it stands, or was read as one."""
        if text in cells:
            return True
        pairs = zip(cells, self._texts, strict=True)
        return any(one.get(text) == value for value, decoded in pairs if value is not None for one in decoded)

    def claimed(self, cells: Sequence[JsonValue]) -> Callable[[str], bool]:
        """Give what tells whether a text is one of these values, or part of one."""
        known: list[tuple[JsonValue, list[Decoded]]] = []
        for value, decoded in zip(cells, self._texts, strict=True):
            known += [(item, decoded) for item in (value if isinstance(value, list) else [value]) if item is not None]
        said = [squeeze(value) for value, _ in known if isinstance(value, str)]
        said += [mark.join(map(str, value)) for value, mark in self._joined(cells)]

        def is_claimed(text: str) -> bool:
            if text in said or any(_is_part(text, value) for value in said):
                return True
            return any(one[text] == value for value, decoded in known for one in decoded)

        return is_claimed

    def _joined(self, cells: Sequence[JsonValue]) -> Iterator[tuple[list[JsonValue], str]]:
        """Give the lists that stand in one text, with what stands between their items."""
        for value, marks in zip(cells, self._separators, strict=True):
            yield from ((value, mark) for mark in marks if isinstance(value, list))

    def could_hold(self, at: int, box: Box, cells: Sequence[JsonValue], among: Sequence[Piece] | None = None) -> bool:
        """Tell whether one of a record's texts that nobody claims could be the value of a field that seems absent.

        ``among`` are those texts that may be nobody's, if they are known.
        """
        among = box.pieces if among is None else among
        texts = [text for label, text in among if not (label and label in self._labels) and self.accepts(at, text)]
        is_claimed = self.claimed(cells) if texts else None
        left = [text for text in texts if is_claimed and text not in self._noise and not is_claimed(text)]
        said = self._explained(box) if left else []
        return any(not _is_in(text, said) for text in left)

    def _explained(self, box: Box) -> list[str]:
        """Give the texts of a container that are phrases: each part of them is a value, or stands between such."""
        pairs = ((one.sure_text(box), one.decoded) for one in self._phrased)
        return [text for text, decoded in pairs if text is not None and not isinstance(decoded[text], Unread)]

    def count(self, at: int, box: Box) -> int | None:
        """Give how many texts could be a value of a field by their type; None when any text could."""
        if not self._goes_by_type[at]:
            return None
        return sum(self.accepts(at, text) for _, text in box.pieces)

    def accepts(self, at: int, text: str) -> bool:
        """Tell whether a text could be a value of a field: by its type, where it goes by one."""
        if self._goes_by_type[at]:
            return any(decoded.accepts(text) for decoded in self._typed[at])
        begin = self._begins[at]
        return says_something(text) and (not begin or begin in characters_of(text))

    def goes_by_type(self, at: int) -> bool:
        """Tell whether a field takes texts of a type only."""
        return self._goes_by_type[at]


def doubt_of_words(fields: Sequence[FieldRecipe], cells: Sequence[Cell]) -> str:
    """Say which text says that there is no value, where no page that is known has it as a value."""
    for one, cell in zip(fields, cells, strict=True):
        text = cell[0] if isinstance(cell, list) and len(cell) == 1 else cell
        if isinstance(text, str) and text not in one.figures.common and _may_be_none(one, text):
            return f"{one.name} is {text!r}, which may say that there is none"
    return ""


def _may_be_none(one: FieldRecipe, text: str) -> bool:
    return says_nothing(text) or (bool(one.steps) and denies(text, one.steps[-1]))


def denies(text: str, name: str) -> bool:
    """Tell whether a few words deny what a field is named for.

    >>> denies("Unassigned", "assignee"), denies("No due date", "due_date"), denies("Union Street", "street")
    (True, True, False)
    """
    words = text.lower().split() if len(text) <= _LONGEST_DENIAL else []
    stems = tuple(word[:_STEM] for word in re.findall(r"[^\W_]+", name.lower()) if len(word) >= _LEAST_STEM)
    if words and words[0] in _DENYING:
        return any(word.startswith(stems) for word in words[1:])
    return bool(words) and words[0].startswith("un") and words[0][2:].startswith(stems)


def _beginning(one: FieldRecipe) -> str:
    """Give the characters, by their kinds, that all values begin with, if they tell these from prose: "$9"."""
    figures = one.figures
    begins = {pattern[:_BEGINNING] for pattern in figures.patterns}
    if figures.kind != "text" or figures.count - figures.nulls < _LEAST_VALUES or len(begins) != 1:
        return ""
    begin = begins.pop()
    return begin if "9" in begin and not begin.startswith(("9", "a")) else ""


def _distinct(selectors: Iterable[FieldSelector], memory: Memory) -> list[Decoded]:
    return list({id(decoded): decoded for decoded in map(memory.of, selectors)}.values())


def _selectors_of(one: FieldRecipe) -> list[FieldSelector]:
    """Give all that says how texts are read as the field's value; whatever stands around, too."""
    cut = (each for each in one.selectors if each.mark or each.prefix or each.suffix or each.phrase)
    return [*map(_bare, _selectors(one)), *cut]


def _typed(one: FieldRecipe) -> list[FieldSelector]:
    return [_bare(selector) for selector in _selectors(one) if selector.transforms or selector.words]


def _selectors(one: FieldRecipe) -> list[FieldSelector]:
    return one.selectors or [FieldSelector(kind="rest", transforms=one.types)]


def _bare(selector: FieldSelector) -> FieldSelector:
    return selector.model_copy(update={"prefix": "", "suffix": "", "mark": "", "phrase": "", "units": ()})
