"""Tables whose heads name a schema's fields: their rows are the pieces that records come from (EX-6).

What looks most like records on a page need not be what is asked for: an article's sections hold more than the rows of
the table in one of them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gleaner.judging.amounts.nearby_words import with_english
from gleaner.judging.table_heads import Head, TableHeads
from gleaner.schemas import declared_properties, record_path, unenforceable
from gleaner.units import PRIMARY_SCORE, PlacedUnit, UnitKind
from gleaner.values.texts.spellings import label_words

_LEAST_FIELDS = 2
_LEAST_SHARE = 2 / 3
_ABOVE = 0.001
_ROWS: tuple[UnitKind, ...] = ("row", "attribute")


def put_first(units: Sequence[PlacedUnit], markdown: str, schema: Any) -> tuple[PlacedUnit, ...]:
    """Give a page's units, with the rows of the tables that name most of a record's fields before all others.

    Of several tables those that name the most fields go first; two fields at least, and two of three. ``units`` come
    back unchanged where there is no such table, or where the schema asks for no list of objects.
    """
    path = record_path(schema) if isinstance(schema, dict) and unenforceable(schema) is None else None
    names = [label_words(name) for name in declared_properties(path.item_schema)] if path is not None else []
    if len(names) < _LEAST_FIELDS:
        return tuple(units)
    heads = TableHeads(markdown)
    named = {head: _named(names, head) for head in heads.heads}
    most = max(named.values(), default=0)
    if most < max(_LEAST_FIELDS, _LEAST_SHARE * len(names)):
        return tuple(units)
    first = {unit.group for unit in units if _is_row(unit, heads.over(unit.start), named, most)}
    score = max((unit.group_score for unit in units if unit.kind != "attribute"), default=0.0)
    above = min(1.0, max(score, PRIMARY_SCORE) + _ABOVE)
    return tuple(replace(unit, group_score=above, kind="row") if unit.group in first else unit for unit in units)


def _named(names: Sequence[tuple[str, ...]], head: Head) -> int:
    """Count the fields that a table's columns name, each by a column of its own."""
    columns = [{*with_english(label)} for label in head.labels if label]
    count = 0
    for name in names:
        at = next((at for at, words in enumerate(columns) if name and {*name} <= words), None)
        if at is not None:
            del columns[at]
            count += 1
    return count


def _is_row(unit: PlacedUnit, head: Head | None, named: dict[Head, int], most: int) -> bool:
    return head is not None and unit.kind in _ROWS and named[head] == most
