"""Which column of a table is which field's: by name, by what its values are, and by what is left; beyond doubt or not.

Each step gives a column to a field only where no other column and no other field would do as well. Of labels that only
share words with a field's name the values decide: days for a date, codes for a number of something, words for a name.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from gleaner.schemas.fields import RecordSchema
from gleaner.structured.grids import Grid
from gleaner.structured.reading import Declined, read_column
from gleaner.values.fields import ALIKE, NEAR, Field
from gleaner.values.names import telling_words, without_brackets, words_of

_LONG_WORD = re.compile(r"[^\W\d_]{4}")
_FEWEST_SHARED = 2
_OFTEN = 2
"""Of so many cells one is often."""
_WORDS = re.compile(r"\w[\w./-]*")
_LINKED = ("address", "image")

Sign = Callable[[Field, Grid, int, Sequence[int], frozenset[str]], bool]
"""What tells that a column is a field's: asked with the columns that no field has yet, and the kinds of the fields."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The columns of the fields that have one beyond doubt, and of the others that a column might be, why not."""

    columns: Mapping[str, int]
    doubts: Mapping[str, str]


def match_columns(grid: Grid, wanted: RecordSchema, *, by_name: bool) -> Matched | None:
    """Give the column of each field that has one; None for a table that is about something else.

    With ``by_name`` only labels that say a field's name, or mean the same, count, and each field has one. Declined
    where a required field is in doubt: it has two columns by its name, or what has no column may stand in its own.
    """
    in_text = [field for field in wanted.fields if field.kind not in _LINKED] or list(wanted.fields)
    named = _by_name(grid, wanted.fields)
    found = dict(named)
    for sign in () if by_name else (_is_part_of_name, _ends_alike):
        left = [field for field in in_text if field.key not in found]
        found |= _told_by(sign, grid, left, {*found.values()}, _kinds_of(in_text))
    missing = [field for field in in_text if field.key not in found]
    due = [field for field in missing if field.is_required]
    is_name = wanted.is_list and grid.is_headed and any("name" in field.roles for field in due)
    if not by_name and len(due) == 1 and len(found) >= (1 if is_name else _FEWEST_SHARED):
        found |= _left_over(grid, due[0], {*found.values()})
        missing = [field for field in missing if field.key not in found]
    if by_name and missing:
        return None
    is_short = len(in_text) - len(missing) < min(_FEWEST_SHARED, len(in_text))
    if is_short or any(field.is_required for field in missing):
        return None
    read = [field for field in in_text if field.key in found]
    doubts = {field.key: why for field in read if (why := _doubt_of(field, grid, found, named, is_short=bool(missing)))}
    needed = next((field.key for field in read if field.is_required and field.key in doubts), None)
    if needed is not None:
        raise Declined(doubts[needed])
    taken = {*found.values()}
    doubts |= {field.key: why for field in missing if (why := _holder_of(field, grid, taken))}
    return Matched({name: at for name, at in found.items() if name not in doubts}, doubts)


def _kinds_of(fields: Sequence[Field]) -> frozenset[str]:
    """Give the last words of the fields' names, which say what they are: a name, a number."""
    return frozenset(words[-1] for field in fields if len(words := words_of(field.name)) >= _FEWEST_SHARED)


def _by_name(grid: Grid, fields: Sequence[Field]) -> dict[str, int]:
    found: dict[str, int] = {}
    for field in fields:
        scores = [max(map(field.likeness, texts), default=0) for texts in grid.labels]
        best = max([ALIKE, *scores])
        positions = [at for at, score in enumerate(scores) if score == best]
        if len(positions) > 1:
            raise Declined(f"two columns may be {field.key}")
        found.update(dict.fromkeys([field.key], positions[0]) if positions else {})
    if len({*found.values()}) < len(found):
        raise Declined("one column may be that of two fields")
    return found


def _told_by(
    sign: Sign, grid: Grid, fields: Sequence[Field], taken: Collection[int], kinds: frozenset[str]
) -> dict[str, int]:
    """Give the columns of which a sign tells the field, where it tells no other of either."""
    free = [at for at in range(len(grid.labels)) if at not in taken]
    pairs = [
        (field, at)
        for field in fields
        for at in free
        if sign(field, grid, at, free, kinds) and _may_be(field, grid, at)
    ]
    return {
        field.key: at
        for field, at in pairs
        if sum(one is field for one, _ in pairs) == 1 and sum(column == at for _, column in pairs) == 1
    }


def _is_part_of_name(field: Field, grid: Grid, at: int, _free: Sequence[int], _kinds: frozenset[str]) -> bool:
    """Tell whether the label is a part of the field's name, or says more: "Case", "Short case name", "Date filed"."""
    label = grid.labels[at][0]
    if field.kind == "number":
        return False
    own, words = telling_words(words_of(field.name)), telling_words(words_of(without_brackets(label) or label))
    says_more = set(own) <= set(words) if field.kind == "date" else words[-len(own) :] == own
    return field.likeness(label) == NEAR or says_more


def _ends_alike(field: Field, grid: Grid, at: int, free: Sequence[int], kinds: frozenset[str]) -> bool:
    """Tell whether label and name end with one word, and the column alone has such values: "Case No" has the codes.

    A column whose label ends as another field's name does is of that kind: a "Slip Number" is no name.
    """
    own, words = words_of(field.name), _words_of_label(grid, at)
    if field.kind != "text" or len(own) < _FEWEST_SHARED or words[-1:] != own[-1:]:
        return False
    others = {kind for kind in kinds if kind != own[-1]}
    return [
        one
        for one in free
        if tells_rows(grid, one) and is_wordy(grid, one) == is_wordy(grid, at) and _is_full_for(field, grid, one)
        and others.isdisjoint(_words_of_label(grid, one)[-1:])
    ] == [at]  # fmt: skip


def _is_full_for(field: Field, grid: Grid, at: int) -> bool:
    """Tell whether a column has a text in each row, where the field asks for one."""
    return field.may_be_absent or all(cell.text for cell in grid.column(at))


def _words_of_label(grid: Grid, at: int) -> Sequence[str]:
    label = grid.labels[at][0]
    return words_of(without_brackets(label) or label)


def _left_over(grid: Grid, field: Field, taken: set[int]) -> dict[str, int]:
    """Give the one column that is left and tells the rows apart in words, for the one field that is left."""
    columns = (at for at in range(len(grid.labels)) if at not in taken and _is_full_for(field, grid, at))
    free = [at for at in columns if tells_rows(grid, at) and is_wordy(grid, at)]
    return {field.key: free[0]} if len(free) == 1 and field.kind == "text" and not field.choices else {}


def _doubt_of(field: Field, grid: Grid, found: Mapping[str, int], named: Mapping[str, int], *, is_short: bool) -> str:
    """Say why the texts of a field's column may be more than its values; "" where nothing says so.

    Where fields have no column (``is_short``), one that holds several texts, or what other columns say, may hold those,
    too. Where not all columns are known by their names, a remark in brackets that is marked off from what stands
    before it, in some cell, may be no part of the value.
    """
    at = found[field.key]
    cells = [cell for cell in grid.column(at) if cell.text]
    if field.kind != "text" or not cells:
        return ""
    label = grid.labels[at][0]
    remarks = [cell for cell in cells if _ends_with_remark(cell.text)] if len(found) > len(named) else []
    if 2 * len(remarks) < len(cells) and any(cell.pieces > 1 for cell in remarks):
        return f"some cells under {label!r} end with a remark in brackets"
    if is_short and _OFTEN * sum(cell.pieces > 1 for cell in cells) > len(cells):
        return f"the cells under {label!r} hold several texts"
    if is_short and any(_holds(grid, at, other) for other in range(len(grid.labels)) if other != at):
        return f"the cells under {label!r} hold what other columns say"
    return ""


def _holds(grid: Grid, at: int, other: int) -> bool:
    """Tell whether most cells of a column say what those of another one say, too."""
    pairs = [(row[at].text, row[other].text) for row in grid.rows if row[at].text and row[other].text]
    inside = sum(len(text) > len(part) and part in _WORDS.findall(text) for text, part in pairs)
    return bool(pairs) and _OFTEN * inside > len(pairs)


def _ends_with_remark(text: str) -> bool:
    """Tell whether a text ends with words in brackets: "(dissenting)", but not "(II)"."""
    start = max(text.rfind("("), text.rfind("["))
    return start >= 0 and text.endswith((")", "]")) and _LONG_WORD.search(text, start) is not None


def tells_rows(grid: Grid, at: int) -> bool:
    """Tell whether a column tells most rows apart."""
    texts = [cell.text for cell in grid.column(at) if cell.text]
    return 2 * len({*texts}) > len(grid.rows) > 0


def is_wordy(grid: Grid, at: int) -> bool:
    """Tell whether most texts of a column have more letters than figures, in two words or more."""
    texts = [cell.text for cell in grid.column(at) if cell.text]
    wordy = [text for text in texts if " " in text and sum(map(str.isalpha, text)) > sum(map(str.isdigit, text))]
    return 2 * len(wordy) > len(texts)


def _may_be(field: Field, grid: Grid, at: int) -> bool:
    """Tell whether a column's texts may be values of a field: a name of something is words, a number of it is none."""
    texts = [cell.text for cell in grid.column(at)]
    if not any(texts):
        return False
    try:
        read_column(field, grid.labels[at][0], texts)
    except Declined:
        return False
    return True


def _holder_of(field: Field, grid: Grid, taken: Collection[int]) -> str:
    """Say which column without a field might be one that goes by another name; "" where none could be."""
    free = (at for at in range(len(grid.labels)) if at not in taken and _may_be(field, grid, at))
    return next((f"the column {grid.labels[at][0]!r} may be {field.key}" for at in free), "")
