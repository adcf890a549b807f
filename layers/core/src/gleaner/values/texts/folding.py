"""Fold text for comparison, and map offsets back to the original.

Folding takes away what Markdown, HTML and keyboards add without changing what is said: emphasis marks and backslash
escapes, link targets, tags, entities, letter case, Unicode compatibility forms, kinds of quotes and dashes, invisible
characters. Whitespace stays: words are compared one by one, so what lies between them may differ.
"""

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_letters

from gleaner.contracts.word_lists import listed

_TAGS = listed(
    "a abbr article aside b big blockquote body br button caption center cite code col dd del details div dl dt em "
    "figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i img input ins label li link main mark meta nav "
    "ol option p picture pre q s samp script section select small source span strike strong style sub summary sup svg "
    "table tbody td template textarea tfoot th thead time title tr tt u ul var video wbr"
)
_TAG = "|".join(sorted(_TAGS | {tag.upper() for tag in _TAGS if len(tag) > 1}))
"""Names of elements that texts are marked up with; other names between such signs are words: "Vec<String>", "<T>"."""

_SPECIAL = re.compile(
    rf"""(?P<target>\]\((?P<inner><[^<>\n]{{0,4000}}>|[^()\s]{{0,4000}}(?:\([^()\s]{{0,400}}\)[^()\s]{{0,4000}}){{0,8}})
          (?:\s+"[^"\n]{{0,1000}}")?\))
      | (?P<unicode>\\u[0-9a-fA-F]{{4}})
      | (?P<marks>[*_`\\]+)
      | (?P<tag>(?<!\\)</?(?:{_TAG})(?:\s[^<>]{{0,2000}})?/?>)
      | (?P<entity>&(?:\#[0-9]{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[a-zA-Z][a-zA-Z0-9]{{1,30}});)
      | (?P<accented>[a-zA-Z][\u0300-\u036f]+)
      | (?P<foreign>[^\x00-\x7f]+)""",
    re.VERBOSE,
)

_SIGN = re.compile(r"[\]\\*_`<&]|[^\x00-\x7f]")
"""What each of them has: a text without is plain."""

_SAME = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´＇ʼ", "'"),
        **dict.fromkeys("“”„‟″«»‹›", '"'),
        **dict.fromkeys("‐‑‒–—―−－﹣", "-"),
        **dict.fromkeys("\u00a0\u202f\u2007\u2009\u200a\u3000", " "),
    }
)
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text, and for each run of it where it stands in the original.

    Run i starts at ``folded_starts[i]`` and stands at ``starts[i]``; ``lengths[i]`` is 0 for a run whose characters
    map one to one, else the length of the original that the whole run stands for.
    """

    text: str
    folded_starts: tuple[int, ...]
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    targets: tuple[tuple[int, int], ...] = ()

    def start_of(self, position: int) -> int:
        """Give the original offset at which the folded character at ``position`` starts."""
        run = bisect_right(self.folded_starts, position) - 1
        return self.starts[run] if self.lengths[run] else self.starts[run] + position - self.folded_starts[run]

    def end_of(self, position: int) -> int:
        """Give the original offset at which the folded character before ``position`` ends."""
        run = bisect_right(self.folded_starts, position - 1) - 1
        if self.lengths[run]:
            return self.starts[run] + self.lengths[run]
        return self.starts[run] + position - self.folded_starts[run]


def fold(text: str) -> Folded:
    """Fold a text in one pass. Link targets leave the flow of the text and follow at its end, each on a line."""
    if _SIGN.search(text) is None:
        return Folded(text.lower(), (0,), (0,), (0,))
    builder = _Builder(text)
    position = 0
    for match in _specials(text):
        builder.copy(position, match.start())
        builder.special(match)
        position = match.end()
    builder.copy(position, len(text))
    return builder.finish()


def _specials(text: str) -> Iterator[re.Match[str]]:
    """Give what folding changes, in order: what ``_SPECIAL.finditer`` gives, without trying it at each letter."""
    position = 0
    while (sign := _SIGN.search(text, position)) is not None:
        start, is_mark = sign.start(), "\u0300" <= sign[0] <= "\u036f"
        if is_mark and start > position and text[start - 1] in ascii_letters:  # the letter that the mark combines with
            start -= 1
        match = _SPECIAL.match(text, start)
        if match is not None:
            yield match
        position = match.end() if match is not None else sign.end()


class _Builder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[str] = []
        self.length = 0
        self.folded_starts: list[int] = [0]
        self.starts: list[int] = [0]
        self.lengths: list[int] = [0]
        self.targets: list[tuple[int, int]] = []

    def copy(self, start: int, end: int) -> None:
        if start < end:
            self._run(self.text[start:end].lower(), start, 0)

    def special(self, match: re.Match[str]) -> None:
        kind, start, end = match.lastgroup, match.start(), match.end()
        if match["target"] is not None:
            self.targets.append(match.span("inner"))
            self._run("]", start, end - start)
        elif kind == "marks":
            self._run(" " if self._splits_numbers(start, end) else "", start, end - start)
        elif kind == "tag":
            self._run(" ", start, end - start)
        elif kind == "unicode":
            self._run(_fold_plain(chr(int(match[0][2:], 16))), start, end - start)
        elif kind == "entity":
            self._run(_fold_plain(html.unescape(match[0])), start, end - start)
        elif kind == "accented":
            self._run(_fold_plain(match[0]), start, end - start)
        else:
            self._foreign(match[0], start)

    def finish(self) -> Folded:
        for start, end in self.targets:
            self._run("\n", end, 1)
            for match in re.finditer(r"\\u[0-9a-fA-F]{4}|[*_`\\]+|&amp;|[^*_`\\&]+|&", self.text[start:end]):
                self._target_piece(match[0], start + match.start())
        text = "".join(self.parts)
        return Folded(text, tuple(self.folded_starts), tuple(self.starts), tuple(self.lengths), tuple(self.targets))

    def _target_piece(self, piece: str, start: int) -> None:
        if piece[0] in "*_`\\":
            return
        folded = _fold_plain(html.unescape(piece))
        self._run(folded, start, 0 if len(folded) == len(piece) else len(piece))

    def _splits_numbers(self, start: int, end: int) -> bool:
        return self.text[start - 1 : start].isdigit() and self.text[end : end + 1].isdigit()

    def _foreign(self, run: str, start: int) -> None:
        folded = run.translate(_SAME)
        lowered = folded.casefold()
        plain = len(lowered) == len(run) and _INVISIBLE.isdisjoint(run)
        if plain and unicodedata.is_normalized("NFKC", lowered):
            self._run(lowered, start, 0)
            return
        for offset, cluster in _clusters(run):
            self._run(_fold_plain(cluster), start + offset, len(cluster))

    def _run(self, folded: str, start: int, length: int) -> None:
        if not folded:
            return
        self.folded_starts.append(self.length)
        self.starts.append(start)
        self.lengths.append(length)
        self.parts.append(folded)
        self.length += len(folded)


def _clusters(run: str) -> list[tuple[int, str]]:
    """Split into characters with the marks that combine with them."""
    clusters: list[tuple[int, str]] = []
    for offset, character in enumerate(run):
        if clusters and unicodedata.combining(character):
            clusters[-1] = (clusters[-1][0], clusters[-1][1] + character)
        else:
            clusters.append((offset, character))
    return clusters


def _fold_plain(text: str) -> str:
    kept = "".join(character for character in text if character not in _INVISIBLE)
    folded = unicodedata.normalize("NFKC", kept).casefold().translate(_SAME)
    return unicodedata.normalize("NFKC", folded)
