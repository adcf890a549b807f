"""Units within lines: sentences, parts of an enumeration, table cells."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from gleaner.page.blocks import cells_between
from gleaner.page.tables import is_rule

_SENTENCE_END = re.compile(r"(?<![.]{3})(?<!\s[.]{2})(?<!\s[.])[.!?。！？][\"'”’)\]*_]*(?:\s+(?=[^\sa-z])|\Z)|[。！？]")
"""No row of dots that leads from a name to its price: "Larch ..... $5"."""
_SEPARATORS = tuple(
    re.compile(pattern) for pattern in (r"[ \t]\\?\|[ \t]", r"\s[·•‣]\s", r"[ \t]/[ \t]", r";\s", r"\s[–—]\s")
)
_BOLD = re.compile(r"\*\*[^*\n]+\*\*")
_LISTING = re.compile(r",\s+(?:and|or|und|et|y|e)\s+|,\s+|(?<!\s)\s+(?:and|or|und|et|y|e|&)\s+")
_MAY_PART = re.compile(r"[|·•‣/;–—,&*]|\s(?:and|or|und|et|y|e)\s")
"""What each separator has in it: without one of these a run has no parts."""

_BRACKETS = re.compile(r"[()\[\]]")
_TYPED = re.compile(r"\S+(?:[ \t]\S+)*")
"""What no wide blank parts."""

_FIGURE = re.compile(r"[^\w\s]{0,3}\d")
_NEARLY_ALL = 0.8
_FEWEST = 2
_MOST_CELLS = 5_000

Spans = list[tuple[int, int]]


def sentences(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    """Give the places of the sentences of these runs.

    >>> sentences("Tea is 3 €. Milk, 2.50 €!", [(0, 25)])
    [(0, 11), (12, 25)]
    >>> sentences("Tea ..... $3 Milk ... $2. Or... None", [(0, 36)])
    [(0, 25), (26, 31), (32, 36)]
    """
    return [part for start, end in spans for part in _parts(text, start, end, _SENTENCE_END, keeps_mark=True)]


def enumerations(text: str, start: int, end: int) -> list[Spans]:
    """Give the ways to part a run by what stands between like things: bars, dots, slashes, semicolons, commas."""
    if not _MAY_PART.search(text, start, end):
        return []
    found = [_parts(text, start, end, separator) for separator in _SEPARATORS]
    found += [_listed(text, start, end), _led(text, start, end)]
    return [parts for parts in found if len(parts) >= _FEWEST]


def cells(rows: Iterable[Mapping[int, tuple[int, int]]]) -> Spans:
    """Give the filled cells of a table's rows, row by row; none of a table with more cells than a page lays out by one.

    >>> cells(row_cells("| a | b |\\n|---|---|\\n| c |  |", 0, 28))
    [(2, 3), (6, 7), (22, 23)]
    """
    found: Spans = []
    for row in rows:
        found += row.values()
        if len(found) > _MOST_CELLS:
            return []
    return found


def typed_columns(text: str, lines: Sequence[tuple[int, int]]) -> Iterator[Spans]:
    """Give the parts of typed lines that hold several records each: wide blanks part figures and words in turn.

    >>> text = "Oak  3   Ash  1\\nElm  7   Fir  2\\n"
    >>> [[text[start:end] for start, end in way] for way in typed_columns(text, [(0, 15), (16, 31)])]
    [['Oak  3', 'Ash  1', 'Elm  7', 'Fir  2']]
    """
    yield from columns_in_turn(text, [[found.span() for found in _TYPED.finditer(text, *line)] for line in lines])


def columns_in_turn(text: str, rows: Sequence[Spans]) -> Iterator[Spans]:
    """Give the parts of rows of places that hold several records each: figures and words stand in turn.

    >>> text = "| Oak | 3 | Ash | 1 |\\n| Elm | 7 | Fir | 2 |"
    >>> rows = [[*row.values()] for row in row_cells(text, 0, len(text))]
    >>> [[text[start:end] for start, end in way] for way in columns_in_turn(text, rows)]
    [['Oak | 3', 'Ash | 1', 'Elm | 7', 'Fir | 2']]
    """
    counts = Counter(map(len, rows))
    count, times = counts.most_common(1)[0] if counts else (0, 0)
    full = [row for row in rows if len(row) == count]
    if count < 2 * _FEWEST or times < max(_FEWEST, _NEARLY_ALL * len(rows)):
        return
    kinds = [_is_figure_column(text, [row[at] for row in full]) for at in range(count)]
    for size in range(_FEWEST, count // 2 + 1):
        if count % size == 0 and len({*kinds[:size]}) > 1 and kinds == kinds[:size] * (count // size):
            parts = (row[at : at + size] for row in rows for at in range(0, len(row), size))
            yield [(part[0][0], part[-1][1]) for part in parts]
            return


def _is_figure_column(text: str, places: Iterable[tuple[int, int]]) -> bool:
    """Tell whether most texts of a column begin with a figure, a sign of money before it left aside."""
    begun = [_FIGURE.match(text, start, end) is not None for start, end in places]
    return sum(begun) * 2 > len(begun)


def row_cells(text: str, start: int, end: int) -> Iterator[dict[int, tuple[int, int]]]:
    """Give the filled cells of each row of a table, its rule left out, by their columns.

    >>> list(row_cells("| a | b |\\n|---|---|\\n|  | d |", 0, 29))
    [{1: (2, 3), 2: (6, 7)}, {2: (25, 26)}]
    """
    for line in re.finditer(r"[^\n]+", text[start:end]):
        if not is_rule(line[0]):
            yield cells_between(text, start + line.start(), start + line.end())


def _parts(text: str, start: int, end: int, border: re.Pattern[str], *, keeps_mark: bool = False) -> Spans:
    """Give what stands between the borders, without the blanks around it."""
    edges = [(start, start), *(match.span() for match in border.finditer(text, start, end)), (end, end)]
    return list(
        _trimmed(text, ((first[1], second[1] if keeps_mark else second[0]) for first, second in pairwise(edges)))
    )


def _listed(text: str, start: int, end: int) -> Spans:
    """Give the parts of an enumeration with commas, those in brackets left alone."""
    depth, position = 0, start
    edges = [(start, start)]
    for match in _LISTING.finditer(text, start, end):
        signs = _BRACKETS.findall(text, position, match.start())
        depth = max(0, depth + sum(1 if sign in "([" else -1 for sign in signs))
        position = match.start()
        if depth == 0:
            edges.append(match.span())
    edges.append((end, end))
    return list(_trimmed(text, ((first[1], second[0]) for first, second in pairwise(edges))))


def _led(text: str, start: int, end: int) -> Spans:
    """Give the parts that begin with bold words each."""
    begins = [match.start() for match in _BOLD.finditer(text, start, end)]
    return list(_trimmed(text, pairwise([*begins, end])))


def _trimmed(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in spans:
        part = text[start:end]
        if part.strip():
            yield start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
