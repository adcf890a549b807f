"""Units without a record: those that are passed over although they are built like records, and those that hold none.

Who is asked for all records has nothing to pass over among rows of one build. Who is asked for some of them has.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from gleaner.completeness.emptiness import may_hold_records, says_it_is_empty
from gleaner.completeness.ledger import SURE_SCORE, UnitLedger
from gleaner.completeness.likeness import calls_itself_an_ad, is_unlike, kinds_stated
from gleaner.completeness.query_restriction import (
    DIGIT,
    LIMITING,
    restricts,
    stems,
    thing_asked_for,
    things_asked_for,
    unknown_words,
)
from gleaner.extraction.pieces import head_of_table
from gleaner.judging.origins.regions import related_sections
from gleaner.judging.table_heads import labels_in, named_field
from gleaner.page.blocks import blocks_of
from gleaner.page.model import NumberedUnit, Part
from gleaner.page.totals import is_carried, is_total
from gleaner.schemas import declared_properties
from gleaner.units import PRIMARY_SCORE
from gleaner.units.totals import stated_total
from gleaner.values.texts.spellings import label_words

_RUN = re.compile(r"\d+|[^\W\d_]+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]")


Kinds = tuple[str, ...]

_LEAST_FIELDS = 2
_LEAST_PARTS = 2
_NEARLY_ALL = 0.75
_LEAST_LISTED = 2
_SCORE_OF_LISTING = 0.5
_ALIKE = 0.6
_MOST_READ = 20


def find_disputed(task: Part, claimed: Collection[int], given: Collection[int], item_schema: Any) -> set[int]:
    """Give the numbers of units, of those ``claimed`` to hold no record, that are built like records.

    ``given`` are the units with a record: a unit of their group, section and build is one more. Without any, a unit is
    that states what the schema asks for, or all are when their labels name its fields, or when they are the page's
    listing and the question says no more than the page. Advertisements, totals and lists
    of related things are left alone, and all are where the question restricts, or only those given say what it asks for
    ("talks").
    """
    text, around = f"{task.structural_context}\n{task.content}", _around(task)
    open_units = [unit for unit in task.units if unit.number in claimed and not _is_no_record(task, unit)]
    names_fields = not given and _name_fields(task, open_units, item_schema)
    things = things_asked_for(task.query or "")
    is_theirs = bool(given or (things and things <= stems(text)))
    is_theirs = is_theirs or _share_of_names(task, open_units, item_schema) >= _NEARLY_ALL
    restricted = restricts(task.query, task.schema, text, has_records=is_theirs, around=around)
    wanted = unknown_words(task.query, task.schema, text, around) - LIMITING if restricted else frozenset[str]()
    if restricted and not _are_in_all(task, wanted, [unit for unit in task.units if unit.number in given]):
        return set()
    open_units = [unit for unit in open_units if wanted <= stems(text_of(task, unit))]
    if given and _tells_apart(task, open_units, [unit for unit in task.units if unit.number in given]):
        return set()
    if not given:
        are_listed = names_fields or (not says_it_is_empty(around) and _are_the_listing(task, open_units))
        return {unit.number for unit in open_units if are_listed or may_hold_records(text_of(task, unit), item_schema)}
    sections = _Sections(task)
    known: dict[tuple[object, ...], set[Kinds]] = {}
    for unit in task.units:
        if unit.number in given:
            known.setdefault(sections.place(unit), set()).add(_kinds(task, unit))
    return {
        unit.number
        for unit in open_units
        if any(_are_alike(_kinds(task, unit), kinds) for kinds in known.get(sections.place(unit), ()))
    }


def _are_the_listing(task: Part, units: Sequence[NumberedUnit]) -> bool:
    """Tell whether the pieces passed over are surely a listing, of things of several parts each; menus have one."""
    sure = [unit for unit in units if unit.score >= _SCORE_OF_LISTING]
    several = sum(sum(map(bool, _kinds(task, unit))) >= _LEAST_PARTS for unit in sure)
    return len(sure) >= _LEAST_LISTED and several >= _ALIKE * len(units)


def _around(task: Part) -> str:
    """Give the text of a task outside of its units."""
    parts: list[str] = []
    at = task.start_char
    for unit in sorted(task.units, key=lambda unit: unit.start):
        parts.append(task.content[max(0, at - task.start_char) : max(0, unit.start - task.start_char)])
        at = max(at, unit.end)
    return "\n".join([*parts, task.content[at - task.start_char :]])


def _are_in_all(task: Part, words: frozenset[str], units: Sequence[NumberedUnit]) -> bool:
    """Tell whether all words, and no figures among them, stand in each of several units."""
    is_told = bool(words) and len(units) > 1 and not any(map(DIGIT.search, words))
    return is_told and all(words <= stems(text_of(task, unit)) for unit in units)


def _tells_apart(task: Part, claimed: Sequence[NumberedUnit], given: Sequence[NumberedUnit]) -> bool:
    """Tell whether the name of what is asked for stands in all pieces that gave records, and in none passed over."""
    thing = stems(thing_asked_for(task.query or ""))
    return (
        bool(thing)
        and all(thing <= stems(text_of(task, unit)) for unit in given)
        and not any(thing <= stems(text_of(task, unit)) for unit in claimed)
    )


def _is_no_record(task: Part, unit: NumberedUnit) -> bool:
    text = text_of(task, unit)
    return (
        calls_itself_an_ad(text) or is_total(text, is_whole=_is_filled(text)) or _is_spanned(text) or _is_balance(text)
    )


def _is_balance(text: str) -> bool:
    """Tell whether a row that does not fill all its cells is a balance that an account begins or ends with."""
    return not _is_filled(text) and any(is_carried(cell.strip()) for cell in text.strip().strip("|").split("|"))


def _is_filled(text: str) -> bool:
    """Tell whether a text is a row all of whose cells say something."""
    return text.startswith("|") and all(cell.strip() for cell in text.strip().strip("|").split("|"))


def _is_spanned(text: str) -> bool:
    """Tell whether one cell of a row spans all columns but the last: "| Shipping | Shipping | 5 € |"."""
    cells = [cell.strip() for cell in text.strip().strip("|").split("|")] if text.startswith("|") else []
    return len(cells) > _LEAST_FIELDS and len(set(cells[:-1])) == 1 and cells[-1] != cells[0] != ""


def _name_fields(task: Part, units: Sequence[NumberedUnit], item_schema: Any) -> bool:
    """Tell whether the labels of the units, or the heads of their tables, name several fields of the schema."""
    return len(_named_fields(task, units, item_schema)) >= _LEAST_FIELDS


def _share_of_names(task: Part, units: Sequence[NumberedUnit], item_schema: Any) -> float:
    """Give the share of a schema's fields, of three or more, that the labels of the units name."""
    count = len(declared_properties(item_schema))
    return len(_named_fields(task, units, item_schema)) / count if count > _LEAST_FIELDS else 0.0


def _named_fields(task: Part, units: Sequence[NumberedUnit], item_schema: Any) -> set[str]:
    texts = {
        head_of_table(task, unit.start - task.start_char) if unit.kind == "row" else text_of(task, unit)
        for unit in units[:_MOST_READ]
    }
    names = list(declared_properties(item_schema))
    named = (named_field(label, names) for text in texts for label in labels_in(text))
    return {name for name in named if name is not None}


class _Sections:
    """The headings of a chunk that stand outside of its units, and the lists of related things.

    Those of the level of the units' own are titles of things like them: of an advertisement among them.
    """

    def __init__(self, task: Part) -> None:
        self._task = task
        spans = sorted((unit.start - task.start_char, unit.end - task.start_char) for unit in task.units)
        starts = [start for start, _ in spans]
        blocks = blocks_of(task.content)
        found = [(block, _lies_in(spans, starts, block.start)) for block in blocks.headings]
        titles = {block.level for block, is_inside in found if is_inside}
        heads = [block for block, is_inside in found if not is_inside and block.level not in titles]
        self._heads = [block.start for block in heads]
        lines = (task.content[block.start : block.end] for block in heads)
        self._names = [_form_of(line) or str(at) for at, line in enumerate(lines)]
        self._related = related_sections(task.content)

    def place(self, unit: NumberedUnit) -> tuple[object, ...]:
        """Give what units of one list have in common; parts of one list are headed alike: "Round 3", "Round 4"."""
        at = unit.start - self._task.start_char
        is_related = any(start <= at < end for start, end in self._related)
        head = bisect_right(self._heads, at) - 1
        return unit.group, self._names[head] if head >= 0 else "", is_related


def _form_of(heading: str) -> str:
    """Give the kinds of characters of a heading with a number in it; "" for one without.

    >>> _form_of("### Round 12"), _form_of("## 5 May 2026"), _form_of("## More lamps")
    ('### a 9', '## 9 a 9', '')
    """
    return _RUN.sub(lambda run: "9" if run[0][0].isdigit() else "a", heading) if DIGIT.search(heading) else ""


def _kinds(task: Part, unit: NumberedUnit) -> Kinds:
    """Give what kinds of things stand in the cells of a row, or in the lines of another unit.

    The items of a list within a unit count once: one record has three of them, another five.
    """
    parts = text_of(task, unit).strip().strip("|").split("|" if unit.kind == "row" else "\n")
    if unit.kind == "row":
        return tuple(map(_kind, parts))
    kinds: list[str] = []
    for part in filter(str.strip, parts):
        kind = "items" if kinds and _ITEM.match(part) else _kind(part)
        if kind != "items" or kinds[-1] != "items":
            kinds.append(kind)
    return tuple(kinds)


def _are_alike(some: Kinds, others: Kinds) -> bool:
    """Tell whether most parts are of the same kinds; a row whose first cell is empty is none like those that name a day
    or thing there: a balance that is carried over.
    """
    same = sum(one == other for one, other in zip(some, others, strict=False))
    is_named_alike = bool(some[:1] and some[0]) == bool(others[:1] and others[0])
    return is_named_alike and len(some) == len(others) and same >= _ALIKE * len(some)


def _lies_in(spans: Sequence[tuple[int, int]], starts: Sequence[int], position: int) -> bool:
    at = bisect_right(starts, position) - 1
    return at >= 0 and position < spans[at][1]


def _kind(part: str) -> str:
    return "number" if DIGIT.search(part) else "text" if part.strip() else ""


_SEPARATORS = tuple(re.compile(pattern) for pattern in (";", r"\|", r"\t", r"\s{2,}", ","))
_FEWEST_GIVEN = 3
_SHORT = 30


def find_remarks(
    task: Part,
    units: Mapping[int, NumberedUnit],
    account: UnitLedger,
    asked: Mapping[int, int],
    item_schema: Any = None,
) -> set[int]:
    """Give the numbers of open units that may count as passed over; ``asked`` tells how often each was asked about.

    So may all when the page says that it lists nothing and they state nothing that a record of ``item_schema`` would.
    What calls itself an advertisement may be one of the records: it has to be asked about alone first.
    """
    is_empty = not account.answered and says_it_is_empty(task.content)
    given: dict[int, list[str]] = {}
    for number in account.answered:
        given.setdefault(units[number].group, []).append(text_of(task, units[number]))
    heads = _heads(task, units.values(), given, item_schema)
    sizes = Counter(unit.group for unit in units.values())
    return {
        number
        for number in account.missing
        if number in heads
        or _is_balance(text_of(task, units[number]))
        or (asked.get(number, 0) > 1 and calls_itself_an_ad(text_of(task, units[number])))
        or (is_empty and _states_no_record(task, units[number], item_schema))
        or _is_remark(task, units[number], given.get(units[number].group, []), sizes[units[number].group])
    }


def _heads(task: Part, units: Iterable[NumberedUnit], given: Mapping[int, Sequence[str]], item_schema: Any) -> set[int]:
    """Give the units that are the first of a group and hold the names of its columns, as in text set in columns.

    Such a line has as many parts as most of those with a record. It names fields, or states nothing where they state
    numbers.
    """
    firsts: dict[int, NumberedUnit] = {}
    for unit in units:
        if unit.group in given and (unit.group not in firsts or unit.start < firsts[unit.group].start):
            firsts[unit.group] = unit
    names = list(declared_properties(item_schema))
    return {
        unit.number
        for group, unit in firsts.items()
        if unit.score < PRIMARY_SCORE and _is_head(text_of(task, unit), given[group], names)
    }


def _is_head(text: str, given: Sequence[str], names: Sequence[str]) -> bool:
    says_nothing = bool(kinds_stated(given)[0]) and not kinds_stated([text])[1]
    for separator in _SEPARATORS:
        parts = separator.split(text.strip())
        usual = Counter(len(separator.split(one.strip())) for one in given).most_common(1)[0][0]
        if len(parts) == usual >= _LEAST_PARTS:
            named = {named_field(label_words(part), names) for part in parts} - {None}
            return says_nothing or len(named) * 2 >= len(parts)
    return False


def _states_no_record(task: Part, unit: NumberedUnit, item_schema: Any) -> bool:
    return unit.score < SURE_SCORE and not may_hold_records(text_of(task, unit), item_schema)


def _is_remark(task: Part, unit: NumberedUnit, given: Sequence[str], size: int) -> bool:
    text = text_of(task, unit)
    return unit.score < PRIMARY_SCORE and (_sums_up(text, given, size) or is_unlike(text, given))


def _sums_up(text: str, given: Sequence[str], size: int) -> bool:
    """Tell whether one of ``size`` lines counts the others, as databases do below a table, or is their total.

    >>> _sums_up("3 rows in set", ["Oslo  4", "Rome  2", "Bath  7"], 4), _sums_up("Total    13", ["Oslo  4"] * 3, 4)
    (True, True)
    """
    if len(given) < _FEWEST_GIVEN or "\n" in text:
        return False
    total = stated_total(text)
    return is_total(text) or (
        total is not None and total.total in (len(given), size - 1) and total.text in text[:_SHORT]
    )


def text_of(task: Part, unit: NumberedUnit) -> str:
    """Give the text of a unit."""
    return task.content[unit.start - task.start_char : unit.end - task.start_char]
