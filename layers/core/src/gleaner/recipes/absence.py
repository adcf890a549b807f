"""Is a value absent, or does it stand where the selectors do not look? Texts that nobody claims decide."""

from collections.abc import Iterable, Iterator, Sequence

from gleaner.ports import JsonValue
from gleaner.recipes.boxes import Box, Piece, squeeze
from gleaner.recipes.model import FieldRecipe, FieldSelector
from gleaner.recipes.readers import Reader
from gleaner.recipes.unreadable import Unreadable

LEAST_TEXT = 2


class Claims:
    """Which pieces of a record's text its values account for, and which fields the others could be values of.

    ``labels`` are those that records had where the recipe was learned, ``noise`` the texts that were nobody's there.
    """

    def __init__(
        self, fields: Sequence[FieldRecipe], base_url: str, labels: Iterable[str] = (), noise: Iterable[str] = ()
    ) -> None:
        self._fields = fields
        self._readers = [[_bare(selector, base_url) for selector in _selectors(one)] for one in fields]
        self._cutters = [[Reader(one, base_url) for one in each.selectors if one.mark] for each in fields]
        self._labels = frozenset(labels)
        self._noise = frozenset(noise)

    def unclaimed(self, box: Box, cells: Sequence[JsonValue]) -> Iterator[Piece]:
        """Give the pieces that are no value of the record, nor known as noise."""
        for label, text in box.pieces:
            if text not in self._noise and not any(
                self._claims(at, text, value) for at, value in enumerate(cells) if value is not None
            ):
                yield label, text

    def _claims(self, at: int, text: str, value: JsonValue) -> bool:
        if isinstance(value, list):
            return any(self._claims(at, text, item) for item in value)
        if isinstance(value, str) and text in squeeze(value):
            return True
        return any(_reads(reader, text) == value for reader in (*self._readers[at], *self._cutters[at]))

    def could_hold(self, at: int, box: Box, cells: Sequence[JsonValue]) -> bool:
        """Tell whether a text of the record that nobody claims could be the value of a field that seems absent."""
        return any(
            self.accepts(at, text)
            for label, text in self.unclaimed(box, cells)
            if not label or label not in self._labels
        )

    def count(self, at: int, box: Box) -> int | None:
        """Give how many texts could be a value of a field by their type; None when any text could."""
        if not self.goes_by_type(at):
            return None
        return sum(self.accepts(at, text) for _, text in box.pieces)

    def accepts(self, at: int, text: str) -> bool:
        """Tell whether a text could be a value of a field: by its type, where it goes by one."""
        if self.goes_by_type(at):
            return any(reader.accepts(text) for reader in self._typed(at))
        return len(text) >= LEAST_TEXT

    def _typed(self, at: int) -> list[Reader]:
        return [reader for reader in self._readers[at] if reader.selector.transforms or reader.selector.words]

    def goes_by_type(self, at: int) -> bool:
        """Tell whether a field takes texts of a type only."""
        return bool(self._typed(at)) or self._fields[at].figures.kind in ("number", "boolean")


def _selectors(one: FieldRecipe) -> list[FieldSelector]:
    return one.selectors or [FieldSelector(kind="rest", transforms=one.types)]


def _bare(selector: FieldSelector, base_url: str) -> Reader:
    """Give a reader of the selector's transforms alone, whatever stands around."""
    return Reader(selector.model_copy(update={"prefix": "", "suffix": "", "mark": ""}), base_url)


def _reads(reader: Reader, text: str) -> JsonValue:
    try:
        return reader.decode(text)
    except Unreadable:
        return None
