"""The pieces of text that a container says, each with its label, as in "Price: 5 EUR"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_SEPARATOR = re.compile(r"\s+[–—|·•]\s+|\s+-\s+")
_EDGES = "–—|·•-"
_EDGE = re.compile(r"^[–—|·•]\s*|^-\s+|\s*[–—|·•]$|\s+-$")
_MARKED = re.compile(r"[–—|·•:]|\s-|-\s|^-|-$")
_LABEL = re.compile(r"[^\W\d][^:,;]{0,30}")
_SIMPLE = re.compile(r"([^\W\d][^:,;–—|·•]{0,30}): ([^:–—|·•]*[^:–—|·•\s,;])")
"""A text with one label, and nothing else that may part it."""
_LABEL_MARK = re.compile("[:,;]")
_PARTING = ":|–—·•"
_DASHED = (" -", "- ", "\n-", "-\n")
_UNEVEN = ("  ", "\n ", " \n")

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

Column = tuple[int | None, Sequence[Cut], Sequence[Sequence[str]]]
"""Strings at one place of several containers: their kind and, by piece, their texts; or None and the cuts."""


class Pieces(NamedTuple):
    """Containers whose pieces have the same labels: their rows, these labels, and for each the texts by row."""

    rows: Sequence[int]
    labels: list[str]
    texts: Sequence[Sequence[str]]


def squeezed(strings: Sequence[str]) -> Sequence[str]:
    """Give strings with their whitespace collapsed; at little cost where they are alike, or have none to collapse."""
    if strings[0] == strings[-1] and strings.count(strings[0]) == len(strings):
        return [" ".join(strings[0].split())] * len(strings)
    lines = "\n".join(["", *strings, ""])
    is_one_each = lines.count("\n") == len(strings) + 1 and lines.replace("\n", "").isprintable()
    if is_one_each and not any(mark in lines for mark in _UNEVEN):
        return strings
    return [" ".join(string.split()) for string in strings]


def _are_plain(texts: Sequence[str]) -> bool:
    """Tell at little cost whether each of many squeezed texts surely is one piece without a label, as it stands."""
    lines = "\n".join(["", *texts, ""])
    marks = (*_PARTING, *(_DASHED if "-" in lines else ()))
    return "" not in texts and not any(mark in lines for mark in marks)


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

    def column(self, strings: Sequence[str]) -> Column:
        """Cut squeezed strings that stand at one place of several containers: most often all are of one kind."""
        first = strings[0]
        if first == strings[-1] and strings.count(first) == len(strings):
            kind, texts = self[first]
            return kind, (), [[text] * len(strings) for text in texts]
        if found := self._alike(strings):
            return found
        cuts = list(map(self.__getitem__, strings))
        kinds = [kind for kind, _ in cuts]
        if kinds.count(kinds[0]) < len(kinds):
            return None, cuts, ()
        return kinds[0], (), list(zip(*[texts for _, texts in cuts], strict=True))

    def _alike(self, texts: Sequence[str]) -> Column | None:
        """Cut texts at once that are plain, or all begin with one label before what is plain."""
        if not self.captions.isdisjoint(texts):
            return None
        if _are_plain(texts):
            heads = {text.partition(" ")[0] for text in texts} if self.captions else set[str]()
            if self.captions.isdisjoint(heads):
                return PLAIN, (), [texts]
            return self._begun(texts, heads.pop(), " ") if len(heads) == 1 else None
        labelled = _SIMPLE.fullmatch(texts[0])
        return self._begun(texts, labelled[1], ": ") if labelled else None

    def _begun(self, texts: Sequence[str], label: str, mark: str) -> Column | None:
        begin = f"{label}{mark}"
        rest = [text[len(begin) :] for text in texts if text.startswith(begin)]
        if len(rest) < len(texts) or not _are_plain(rest):
            return None
        if any(text[0].isalpha() for text in rest) if mark == " " else any(text[-1] in ",;" for text in rest):
            return None
        return self._kind(((label, False),)), (), [rest]

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


def alike(containers: Iterable[tuple[Cutter, Sequence[str]]]) -> list[Pieces]:
    """Give containers, each with its strings, in groups whose pieces have the same labels."""
    groups: dict[tuple[int, int], tuple[Cutter, list[int], list[Sequence[str]]]] = {}
    for row, (cutter, strings) in enumerate(containers):
        _, rows, found = groups.setdefault((id(cutter), len(strings)), (cutter, [], []))
        rows.append(row)
        found.append(strings)
    return [
        pieces
        for cutter, rows, strings in groups.values()
        for pieces in parted(cutter, rows, map(squeezed, zip(*strings, strict=True)))
    ]


def parted(cutter: Cutter, rows: Sequence[int], strings: Iterable[Sequence[str]]) -> Iterator[Pieces]:
    """Give containers in groups whose pieces have the same labels; ``strings`` are theirs, place by place, squeezed."""
    columns = [cutter.column(each) for each in strings]
    varied = [[cut[0] for cut in cuts] for kind, cuts, _ in columns if kind is None]
    if not varied:
        texts = [text for _, _, found in columns for text in found]
        yield Pieces(rows, cutter.labels(tuple([kind for kind, _, _ in columns if kind])), texts)
        return
    parts: dict[tuple[int, ...], list[int]] = {}
    for at, kinds in enumerate(zip(*varied, strict=True)):
        parts.setdefault(kinds, []).append(at)
    for kinds, part in parts.items():
        those = iter(kinds)
        layout: list[int] = []
        texts: list[Sequence[str]] = []
        for kind, cuts, found in columns:
            layout.append(next(those) if kind is None else kind)
            texts += (
                zip(*[cuts[at][1] for at in part], strict=True)
                if cuts
                else [[text[at] for at in part] for text in found]
            )
        yield Pieces([rows[at] for at in part], cutter.labels(tuple(filter(None, layout))), texts)
