"""Records from a table whose columns are the schema's fields."""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from lxml.html import HtmlElement

from gleaner.coercion.words import IN_STOCK, OUT_OF_STOCK
from gleaner.contracts.word_lists import listed
from gleaner.html.dom import visible_text
from gleaner.structured.columns import match_columns
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.grids import Cell, Grid, Labels, Texts, read_grids
from gleaner.structured.labels import Label, Words, words_of
from gleaner.structured.measures import SCALES
from gleaner.structured.readings import ABSENT, Manner, decimal_mark, nothing_for, read_column
from gleaner.structured.sums import is_figure
from gleaner.structured.visible import Surroundings
from gleaner.structured.vocabulary import GENERIC
from gleaner.units.vocabulary import RELATED_TEXT

_PEOPLE = listed("employee person people player student member staff teacher doctor lawyer customer user contact")
_PERSON = re.compile(r"\S\s+\S|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""A name of several words, or one in a script that sets no blanks between them."""
_FEWEST_SHARED = 2
_SCALE = "|".join(sorted(map(re.escape, SCALES), key=len, reverse=True))
_SCALES_STATED = re.compile(
    rf"[(\[](?:{_SCALE})s?\.?[)\]]|"
    r"\b(?:in|en|em|w|i|v|в|tsd|mio|figures|amounts|values|numbers|all)\b[ (]{1,2}(?:[^\W\d_]{1,12} |[€$£¥%] ?){0,3}"
    rf"(?:{_SCALE})s?\b|\b000s\b|(?<!\d)[’']000\b"
    r"|(?<!\w)(?:k|m|md|bn)[€$£]|\b[ktm](?:eur|usd|chf|pln)\b|[€$£] ?(?:k|m|mn|bn|000)\b|(?<!\d)(?:千|百万|億)円",
    re.IGNORECASE,
)
_SPEAKS_OF_STOCK = re.compile(
    "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(IN_STOCK | OUT_OF_STOCK, key=len, reverse=True)),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """Records of one source, and for each the texts that stand in its place on the page.

    ``nouns`` are what the source calls its records: the types of data, the header over a table's first column.
    """

    records: list[dict[str, Any]]
    texts: tuple[tuple[str, ...], ...]
    source: str
    nouns: tuple[Words, ...] = ()


def find_in_tables(root: HtmlElement, url: str, wanted: Wanted, around: Surroundings) -> Iterator[Found]:
    """Give the records of the one table that holds all fields; nothing when no table does, or another one might."""
    if any(field.kind == "texts" for field in wanted.fields):
        return
    in_text = [field for field in wanted.fields if field.kind not in ("address", "image")] or wanted.fields
    fewest = min(_FEWEST_SHARED, len(in_text))

    def match(labels: Labels, captions: Texts, figures: Set[int] = frozenset()) -> dict[str, int] | None:
        return match_columns(wanted, labels, around.nouns(captions), figures, around.language)

    def is_likely(labels: Labels, captions: Texts) -> bool:
        columns = match(labels, captions)
        return columns is None or len(columns) >= fewest

    grids = [grid for grid in read_grids(root, url, is_likely) if not RELATED_TEXT.search(grid.heading)]
    if any(grid.is_open for grid in grids):
        return
    matched = [(grid, match(grid.labels, grid.captions, _figures(grid))) for grid in grids]
    likely = [(grid, columns) for grid, columns in matched if columns is None or len(columns) >= fewest]
    if len(likely) != 1 or likely[0][1] is None:
        return
    grid, columns = likely[0]
    records = _read(grid, columns or {}, wanted, Manner(_mark(grid, around), url), visible_text(root))
    if records is not None:
        nouns = (grid.labels[0].words, *around.subjects((*grid.captions, grid.heading)))
        texts = tuple(tuple(cell.text for cell in row if cell.text) for row in grid.rows)
        yield Found(records, texts, "table", tuple(filter(None, nouns)))


def _figures(grid: Grid) -> set[int]:
    """Give the columns of numbers, amounts and dates: each cell has a figure and hardly a letter, or is empty."""
    return {
        at for at in range(len(grid.labels)) if all(not cell.text or is_figure(cell.text) for cell in grid.column(at))
    }


def _mark(grid: Grid, around: Surroundings) -> str | None:
    texts = (cell.text for row in grid.rows for cell in row)
    return decimal_mark(texts, around.language, is_declared=around.declares_language)


def _read(
    grid: Grid, columns: dict[str, int], wanted: Wanted, manner: Manner, page_text: str
) -> list[dict[str, Any]] | None:
    values: dict[str, list[Any]] = {}
    if _SCALES_STATED.search(page_text) and any(field.kind == "number" for field in wanted.fields):
        return None
    for field in wanted.fields:
        at = columns.get(field.name)
        if at is not None:
            read = read_column(field, grid.labels[at], grid.column(at), manner)
        else:
            read = _without_column(field, grid, columns, manner, page_text)
        if read is None or (field.names[0] == ("name",) and _are_no_people(wanted, read)):
            return None
        values[field.name] = read
    return [
        {name: column[row] for name, column in values.items() if column[row] is not ABSENT}
        for row in range(len(grid.rows))
    ]


def _are_no_people(wanted: Wanted, names: list[Any]) -> bool:
    """Tell whether people are wanted, and most names are of one word, as those of offices and things are."""
    wants_people = any(not _PEOPLE.isdisjoint(noun[-1:]) for noun in wanted.nouns)
    return wants_people and 2 * sum(_PERSON.search(str(name)) is not None for name in names) < len(names)


def _without_column(
    field: Field, grid: Grid, columns: dict[str, int], manner: Manner, page_text: str
) -> list[Any] | None:
    if field.kind in ("address", "image"):
        return _only_targets(field, grid, columns, manner)
    if field.kind == "text" or (field.is_required and not field.is_nullable):
        return None
    free = set(range(len(grid.labels))) - set(columns.values())
    if any(read_column(field, Label("", ()), grid.column(at), manner) is not None for at in free):
        return None
    if field.kind == "boolean" and _SPEAKS_OF_STOCK.search(page_text):
        return None
    said = page_text.casefold()
    if any(" ".join(words) in said for words in field.names) or free:
        return None
    return [nothing_for(field)] * len(grid.rows)


def _only_targets(field: Field, grid: Grid, columns: dict[str, int], manner: Manner) -> list[Any] | None:
    """Give the one address that each row has: in the cell that names the record, each row its own."""
    holding = [at for at in range(len(grid.labels)) if any(_targets(field, cell) for cell in grid.column(at))]
    naming = {0, *(at for name, at in columns.items() if words_of(name) in GENERIC)}
    if len(holding) != 1 or (holding[0] not in naming and not grid.labels[holding[0]].is_empty):
        return None
    read = read_column(field, Label("", ()), grid.column(holding[0]), manner)
    if read is None or any(not isinstance(value, str) for value in read) or len(set(read)) != len(read):
        return None
    return read


def _targets(field: Field, cell: Cell) -> tuple[str, ...]:
    return cell.images if field.kind == "image" else cell.links
