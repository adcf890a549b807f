"""Is a value absent, or does it stand where the selectors do not look? Texts that nobody claims decide."""

from collections.abc import Iterable, Iterator, Sequence

from gleaner.ports import JsonValue
from gleaner.recipes.boxes import Box, Piece, squeeze
from gleaner.recipes.model import FieldRecipe, FieldSelector
from gleaner.recipes.readers import Reader, Unreadable

LEAST_TEXT = 2


class Claims:
    """Which pieces of a record's text its values account for, and which fields the others could be values of.

    ``labels`` are those that records had where the recipe was learned, ``noise`` the texts that were nobody's there.
    """

    def __init__(
        self, fields: Sequence[FieldRecipe], base_url: str, labels: Iterable[str] = (), noise: Iterable[str] = ()
    ) -> None:
        self._fields = fields
        self._readers = [[_bare(selector, base_url) for selector in one.selectors] for one in fields]
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
        return any(_reads(reader, text) == value for reader in self._readers[at])

    def could_hold(self, at: int, box: Box, cells: Sequence[JsonValue]) -> bool:
        """Tell whether a text of the record that nobody claims could be the value of a field that seems absent."""
        return any(
            self._accepts(at, text)
            for label, text in self.unclaimed(box, cells)
            if not label or label not in self._labels
        )

    def _accepts(self, at: int, text: str) -> bool:
        one = self._fields[at]
        typed = [reader for reader in self._readers[at] if reader.selector.transforms or reader.selector.words]
        if typed or one.figures.kind in ("number", "boolean"):
            return any(reader.accepts(text) for reader in typed)
        return len(text) >= LEAST_TEXT


def _bare(selector: FieldSelector, base_url: str) -> Reader:
    """Give a reader of the selector's transforms alone, whatever stands around."""
    return Reader(selector.model_copy(update={"prefix": "", "suffix": ""}), base_url)


def _reads(reader: Reader, text: str) -> JsonValue:
    try:
        return reader.decode(text)
    except Unreadable:
        return None
