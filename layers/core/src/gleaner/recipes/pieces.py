"""The pieces of text that a container says, each with its label, as in "Price: 5 EUR"."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_SEPARATOR = re.compile(r"\s+[–—|·•]\s+|\s+-\s+")
_EDGES = "–—|·•-"
_EDGE = re.compile(r"^[–—|·•]\s*|^-\s+|\s*[–—|·•]$|\s+-$")
_MARKED = re.compile(r"[–—|·•:]|\s-|-\s|^-|-$")
_LABEL = re.compile(r"[^\W\d][^:,;]{0,30}")
_SIMPLE = re.compile(r"([^\W\d][^:,;–—|·•]{0,30}): ([^:–—|·•]*[^:–—|·•\s,;])")
"""A text with one label, and nothing else that may part it."""
_LABEL_MARK = re.compile("[:,;]")

Piece = tuple[str, str]
"""A label ("" when it has none) and a text."""

_Labels = tuple[tuple[str, bool], ...]
"""The label of each piece of a string, and whether it stands alone."""

Cut = tuple[int, tuple[str, ...]]
"""The kind of a string, by the labels in it, and the texts of its pieces."""

Layout = tuple[int, ...]
"""The kinds of the strings that a container says, without those that say nothing."""

BLANK, PLAIN = 0, 1
"""The kinds of a string that says nothing, and of one text without a label."""

_NO_PIECE: Cut = BLANK, ()


class Pieces(NamedTuple):
    """Containers whose pieces have the same labels: their rows, these labels, and for each the texts by row."""

    rows: list[int]
    labels: list[str]
    texts: Sequence[Sequence[str]]


def _is_plain(text: str) -> bool:
    """Tell at little cost whether a text surely is one piece, without a label."""
    return text.isascii() and ":" not in text and "-" not in text and "|" not in text


def _may_be_separated(text: str) -> bool:
    return not text.isascii() or "|" in text or " - " in text


def _labels_in(part: str) -> list[tuple[int, int]]:
    """Give where the labels of a text begin and end: at its start or after a comma or semicolon, up to a colon."""
    found: list[tuple[int, int]] = []
    begin: int | None = 0
    for mark in _LABEL_MARK.finditer(part):
        at = mark.start()
        is_apart = part[at + 1 : at + 2].isspace()
        if mark[0] != ":":
            begin = at + 2 if is_apart else None
            continue
        if begin is not None and (is_apart or at + 1 == len(part)) and _LABEL.fullmatch(part, begin, at):
            found.append((begin, at))
        begin = None
    return found


def _by_labels(part: str) -> Iterator[Piece]:
    labels = _labels_in(part)
    head = part[: labels[0][0]].rstrip(" ,;") if labels else part
    if head or not labels:
        yield "", head
    for (begin, at), (end, _) in zip(labels, [*labels[1:], (len(part), 0)], strict=False):
        yield part[begin:at], part[at + 1 : end].lstrip().rstrip(" ,;")


class Cutter(dict[str, Cut]):
    """The pieces that a string of a page is cut into; each string is cut once. ``captions`` are texts known as labels.

    >>> cutter = Cutter()
    >>> kind, texts = cutter["Price: 5 EUR · in stock"]
    >>> list(zip(cutter.labels((kind,)), texts))
    [('Price', '5 EUR'), ('', 'in stock')]
    """

    def __init__(self, captions: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.captions = captions
        self._kinds: dict[_Labels, int] = {(): BLANK, (("", False),): PLAIN}
        self._labels_of: dict[Layout, list[str]] = {}

    def labels(self, layout: Layout) -> list[str]:
        """Give the label of each text of a container. A label alone is that of the next text."""
        known = self._labels_of.get(layout)
        if known is None:
            known = self._labels_of[layout] = list(self._along(layout))
        return known

    def _along(self, layout: Layout) -> Iterator[str]:
        kinds = list(self._kinds)
        pending = ""
        for kind in layout:
            for label, is_alone in kinds[kind]:
                if is_alone:
                    pending = label
                else:
                    yield label or pending
                    pending = ""

    def __missing__(self, string: str) -> Cut:
        text = " ".join(string.split())
        if _is_plain(text):
            cut = self._plain(text) if text else _NO_PIECE
        else:
            cut = self._marked(_EDGE.sub("", text) if text[0] in _EDGES or text[-1] in _EDGES else text)
        self[string] = cut
        return cut

    def _plain(self, text: str) -> Cut:
        if not self.captions:
            return PLAIN, (text,)
        if text in self.captions:
            return self._kind(((text, True),)), ()
        label, text = self._captioned(text)
        return (self._kind(((label, False),)) if label else PLAIN), (text,)

    def _marked(self, text: str) -> Cut:
        if not text:
            return _NO_PIECE
        if (match := _SIMPLE.fullmatch(text)) and " - " not in text and text not in self.captions:
            return self._kind(((match[1], False),)), (match[2],)
        if not _MARKED.search(text):
            return self._plain(text)
        parts = _SEPARATOR.split(text) if _may_be_separated(text) else (text,)
        pieces = [piece for part in parts for piece in self._labelled(part)]
        return self._kind(tuple([(label, not text) for label, text in pieces])), tuple(
            [text for _, text in pieces if text]
        )

    def _kind(self, labels: _Labels) -> int:
        return self._kinds.setdefault(labels, len(self._kinds))

    def _labelled(self, part: str) -> Sequence[Piece]:
        if part in self.captions or part.rstrip(":") in self.captions:
            return ((part.rstrip(":"), ""),)
        return list(_by_labels(part)) if ":" in part else (self._captioned(part),)

    def _captioned(self, part: str) -> Piece:
        head, blank, rest = part.partition(" ") if self.captions else (part, "", "")
        if blank and head in self.captions and not rest[0].isalpha():
            return head, rest
        return "", part
