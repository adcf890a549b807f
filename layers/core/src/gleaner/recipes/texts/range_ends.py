"""The ends of ranges, where one leaves out what the other one says: "12.–14. Mai 2026", "6–8 pm", "20–25k"."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Which = Literal["both", "first", "last", "second"]
"""The last one, of ranges alone; the first end, or the only one; the last, or the only one; the last one of a range,
none where there is one end alone."""

_LONGEST = 80
_TO = re.compile(r"\s*[–—−~〜-]\s*|\s+(?:to|until|till|bis|through|au|à|al|a|do|до|tot|t/m|til)\s+", re.IGNORECASE)
_FROM = re.compile(r"(?:from|vom|von|du|del|dal|van|od|с|fra)\s+(?=\S)", re.IGNORECASE)
_PART = re.compile(r"(?<=\d)(?=[^\W\d])|(?<=[\s.,/-])(?=\S)|(?<=\w)(?=\s|,\s)")
_MOST = 12
End = TypeVar("End", str, float)


@dataclass(frozen=True, slots=True)
class Ends(Generic[End]):
    """How the ends of a kind of ranges are read.

    ``parse`` reads one, or raises ValueError; ``earlier`` gives what a first one that leaves something out may mean in
    place of one past the last, which others may be where the kind ``goes_round``: "18:00–02:00".
    """

    parse: Callable[[str], End]
    earlier: Callable[[End, End], End] | None = None
    goes_round: bool = False

    def end(self, text: str, which: Which) -> End | None:
        """Give an end of a range; ValueError for a text that is not surely one.

        >>> from gleaner.values.dates import parse_date
        >>> [Ends(parse_date).end("12.–14. Mai 2026", which) for which in ("first", "last")]
        ['2026-05-12', '2026-05-14']
        """
        said = text.strip()
        if len(said) > _LONGEST:
            raise ValueError(f"too long for a range: {text[:80]!r}")
        alone = self._read(said)
        if alone is not None and which in ("first", "last"):
            return alone
        if alone is not None and which == "second":
            return None
        begun = _FROM.match(said)
        found = {*self._ranges(said[begun.end() :] if begun else said)} if alone is None else set[tuple[End, End]]()
        if len(found) != 1:
            raise ValueError(f"not surely a range: {text[:80]!r}")
        first, last = found.pop()
        return first if which == "first" else last

    def _ranges(self, said: str) -> Iterator[tuple[End, End]]:
        for match in [*_TO.finditer(said)][:_MOST]:
            left, right = said[: match.start()], said[match.end() :]
            first, last = self._read(left), self._read(right)
            is_whole = first is not None
            if first is None:
                first = self._completed(f"{left}{glue}{tail}" for tail in _tails(right) for glue in ("", " "))
                last = self._completed(f"{head} {right}" for head in _heads(left)) if last is None else last
                if first is not None and last is not None and first > last and self.earlier:
                    first = self.earlier(first, last)
            if first is not None and last is not None and (first <= last or (is_whole and self.goes_round)):
                yield first, last

    def _completed(self, offered: Iterator[str]) -> End | None:
        """Give the one value that the texts have of which any can be read; None where they have several, or none."""
        found = {value for text in offered if (value := self._read(text)) is not None}
        return found.pop() if len(found) == 1 else None

    def _read(self, text: str) -> End | None:
        try:
            return self.parse(text)
        except ValueError:
            return None


def _tails(text: str) -> list[str]:
    return [text[match.start() :] for match in _PART.finditer(text)][:_MOST]


def _heads(text: str) -> list[str]:
    return [text[: match.start()] for match in _PART.finditer(text)][:_MOST]
