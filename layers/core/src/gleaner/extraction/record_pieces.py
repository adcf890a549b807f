"""Which pieces of a chunk its records come from, where nothing was numbered, or something else was. Pure.

Numbers are given by the looks of the page, before any model is asked; what it answers tells more. A record comes from
one piece, which states its values, and each record from a piece of its own. So the group of pieces that states most
values, each in the piece of their own record, is what the records are.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from gleaner.completeness.ledger import spans_of
from gleaner.completeness.likeness import is_prose, is_unlike, kinds_stated
from gleaner.contracts.ports import JsonValue
from gleaner.judging.origins.side_by_side import find_columns
from gleaner.page.model import NumberedUnit, Part, Span
from gleaner.placing import Placing, Seen, first_inside
from gleaner.schemas import RecordPath
from gleaner.units import PRIMARY_SCORE, ROUND_SCORE, SPARE_SCORE, TURN_SCORE
from gleaner.values.texts.text_index import TextIndex

_FEW, _HALF = 0.2, 0.5
"""How many of a group's pieces must hold a record, of pieces in general and of running text."""

_A_QUARTER = 0.25
_NEARLY_ALL = 0.8
_LEAST_STATED = 2
_LINES = -1
_A_WORD = 6
"""Letters of what may stand before a record's first value: an article, a number."""

Units = tuple[NumberedUnit, ...]


def placing_of(task: Part, units: Sequence[NumberedUnit], path: RecordPath, index: TextIndex | None) -> Placing:
    """Place records among units of a chunk; ``index`` is the chunk's, where one is known."""
    spans = {unit.number: (unit.start - task.start_char, unit.end - task.start_char) for unit in units}
    before = f"{task.structural_context}\n{task.overlap_prefix}"
    return Placing(TextIndex(task.content) if index is None else index, spans, path.item_schema, before)


def pieces_of(
    task: Part,
    path: RecordPath,
    records: list[JsonValue],
    *,
    known: int = 0,
    are_several: bool = False,
    least: int = 1,
    index: TextIndex | None = None,
) -> Units:
    """Give the group of spare pieces that most of the records come from; none where the task's units say it as well.

    ``known`` is the weight of the records in those units (``weight_of``). Another group is better if it adds one value
    of most records, or at all where the units have several records each (``are_several``). Where the units are a
    listing by their looks, it must be a finer view of the same text, or a wider one of units that are parts of records.
    At least ``least`` of its pieces must hold a record; ``index`` is the chunk's, where one is known.
    """
    whole = placing_of(task, (), path, index)
    stated = [whole.mentions(record) for record in records]
    most = sum(1 + len(values) for values in stated)
    mentions = sorted((at, number) for number, values in enumerate(stated) for places in values for at, _ in places)
    fewest = max(least, len(records) // 2 + 1)  # fewer can't hold most of the records
    hold_records = any(map(_holds_records, records))
    lowest = ROUND_SCORE if hold_records else 0.0  # such a record takes in several pieces anyway
    groups = [
        units for units in (*_groups(task.spare), _lines(task)) if len(units) >= fewest and units[0].score > lowest
    ]
    is_listing = known > 0 and any(unit.score >= PRIMARY_SCORE for unit in task.units)
    numbered = placing_of(task, task.units, path, whole.index)
    starts = sorted(unit.start for unit in task.units)
    best, weight = Units(), known + len(records) // 2 if known and not are_several else known
    for units in sorted(groups, key=lambda units: (units[0].score <= TURN_SCORE, -_spread(units, starts), len(units))):
        if weight >= most or (units[0].score <= TURN_SCORE and best and weight >= _NEARLY_ALL * most):
            break
        if len(_mentioned_in(spans_of(units, task.start_char), mentions)) * 2 <= len(records):
            continue
        placing = placing_of(task, units, path, whole.index)
        seen = _seen(placing, records, least)
        is_view = not is_listing or numbered.hold(seen) or (not are_several and numbered.lie_in(seen))
        if is_view and is_listing and _join_others(numbered, own_records(placing, records, placing.spans)):
            continue
        found = weight_of(seen.values())
        if found > weight and is_view:
            best, weight = tuple(units), found
    return best


def _spread(units: Sequence[NumberedUnit], starts: Sequence[int]) -> int:
    """Count the stretches from one start to the next that pieces begin in: the lines of all days, not of Monday."""
    return len({bisect_right(starts, unit.start) for unit in units})


def _mentioned_in(spans: Iterable[Span], mentions: Sequence[tuple[int, int]]) -> set[int]:
    """Give the numbers of the records of which a piece states a value; ``mentions`` are these by their places."""
    return {
        number
        for start, end in spans
        for _, number in mentions[bisect_left(mentions, (start, 0)) : bisect_left(mentions, (end, 0))]
    }


def _seen(placing: Placing, records: list[JsonValue], least: int) -> dict[Span, Seen]:
    """Give the pieces with what they state of a record of their own; none where most records do not come from these."""
    text, spans = placing.index.text, list(placing.spans.values())
    own = own_records(placing, records, placing.spans)
    seen = stated_in(placing, own)
    at_home = sum(one.doubts * 2 < len(one.standings) for one in seen.values())
    if len(own) < least or at_home * 2 <= len(records):
        return {}
    share = _HALF if sum(is_prose(text[start:end]) for start, end in spans) * 2 > len(spans) else _FEW
    is_usual = at_home >= max(share * len(spans), min(2, len(spans)))
    is_alike = is_usual or (at_home >= _LEAST_STATED and _are_alike(text, spans, own))
    return seen if is_alike or _say_all(placing, own) else {}


def _join_others(numbered: Placing, own: Mapping[Span, JsonValue]) -> bool:
    """Tell whether wider pieces hold units that state nothing more of their records, and are like the units that do.

    These are records that were left out: a section with one of its two records is no record's piece. Of records with
    records inside, units may be these, which have an account of their own: they don't begin as the records do.
    """
    text = numbered.index.text
    order = sorted((span, number) for number, span in numbered.spans.items())
    homes = {span: numbered.home(record) for span, record in own.items()}
    for span, record in own.items():
        home = homes[span]
        if _holds_records(record) and (home is None or not numbered.seen(record, numbered.spans[home]).leads):
            return False
    given = [text[slice(*numbered.spans[home])] for home in homes.values() if home is not None]
    for span, record in own.items():
        stating = [numbered.units_stating(leaf) for leaf in numbered.leaves(record)]
        parts = frozenset[int]().union(*(units for units in stating if homes[span] not in units))
        inside = order[bisect_left(order, ((span[0], -1), -1)) : bisect_left(order, ((span[1], -1), -1))]
        others = {number: place for place, number in inside if number != homes[span] and number not in parts}
        if len(others) < len(inside) and any(not is_unlike(text[slice(*place)], given) for place in others.values()):
            return True
    return False


def own_records(placing: Placing, records: Sequence[JsonValue], among: Collection[int]) -> dict[Span, JsonValue]:
    """Give the places of the units that records come from, with these."""
    homes = placing.place(records, [None] * len(records), among)
    return {placing.spans[home]: record for record, home in zip(records, homes, strict=True) if home is not None}


def stated_in(placing: Placing, own: Mapping[Span, JsonValue]) -> dict[Span, Seen]:
    """Give what the pieces state of their records, if they begin as those do or state two values.

    Running text that only mentions a record is none of its own.
    """
    seen = {span: placing.seen(record, span) for span, record in own.items()}
    return {
        span: one
        for span, one in seen.items()
        if (one.leads or one.count("inside") >= _LEAST_STATED) and _is_about(placing, own[span], span)
    }


def only_mention(placing: Placing, own: Mapping[Span, JsonValue]) -> bool:
    """Tell whether there are pieces, each of them running text that only mentions its record."""
    return bool(own) and not any(_is_about(placing, record, span) for span, record in own.items())


def _is_about(placing: Placing, record: JsonValue, span: Span) -> bool:
    """Tell whether a piece is no running text, or begins with a value of its record, or is a quarter made of them."""
    if not is_prose(placing.index.text[slice(*span)]):
        return True
    found = (first_inside(places, span) for places in placing.mentions(record))
    start = min((place[0] for place in found if place is not None), default=span[1])
    before = sum(map(str.isalnum, placing.index.text[span[0] : start]))
    return before <= _A_WORD or placing.covers(record, span) >= _A_QUARTER


def weight_of(seen: Iterable[Seen]) -> int:
    """Count what speaks for pieces: each record that has one of its own, and each of its values that stands there."""
    return sum(1 + one.count("inside") for one in seen)


def are_fields(task: Part, placing: Placing, records: list[JsonValue]) -> bool:
    """Tell whether the task's units are the fields of the records: rows of a table that compares them side by side,
    or the lines of a page about one thing, which state one value each.
    """
    if all(unit.kind == "row" for unit in task.units) and len(records) > 1:
        return find_columns(placing.index, records) is not None
    if len(records) != 1 or _holds_records(records[0]):
        return False
    stated = [homes for leaf in placing.leaves(records[0]) if (homes := placing.units_stating(leaf))]
    own = sum(placing.home(records[0]) in homes for homes in stated)
    return len(stated) > 2 * own and len({*stated}) > _LEAST_STATED


def heads_of_columns(task: Part, index: TextIndex, records: list[JsonValue]) -> tuple[set[int], set[int]]:
    """Give the pieces that head the columns of a table which compares the records: with a record, and without one.

    A column that says less than half of what the rows hold is none of a record's.
    """
    sides = find_columns(index, records)
    if sides is None:
        return set(), set()
    columns = {place: column for column, place in sides.rows[0].items()}
    base = task.start_char
    for units in _groups(task.spare):
        heads = [(unit.number, columns.get((unit.start - base, unit.end - base))) for unit in units]
        if all(column is not None for _, column in heads):
            taken = {number for number, column in heads if column in sides.homes}
            filled = {
                column for column in columns.values() if 2 * sum(column in row for row in sides.rows) >= len(sides.rows)
            }
            return taken, {number for number, column in heads if column in filled} - taken
    return set(), set()


def _groups(spare: Sequence[NumberedUnit]) -> list[list[NumberedUnit]]:
    """Give the pieces by their groups, and all list items and all rows as one more group each."""
    groups: dict[object, list[NumberedUnit]] = {}
    for unit in spare:
        groups.setdefault(unit.group, []).append(unit)
        if unit.kind in ("item", "row"):
            groups.setdefault(unit.kind, []).append(unit)
    return [units for units in groups.values() if units[0].score > SPARE_SCORE or len(units) > 1]


def _lines(task: Part) -> list[NumberedUnit]:
    """Give the pieces that are a line each and no heading, of all paragraphs, as one group: names below departments."""
    found: dict[tuple[int, int], NumberedUnit] = {}
    for unit in task.spare:
        start, end = unit.start - task.start_char, unit.end - task.start_char
        around = {task.content[max(0, start - 1) : start], task.content[end : end + 1]}
        text = task.content[start:end]
        if unit.score == SPARE_SCORE and around <= {"", "\n"} and "\n" not in text and not text.startswith("#"):
            found.setdefault((start, end), replace(unit, group=_LINES))
    return [found[span] for span in sorted(found)]


def _are_alike(text: str, spans: Sequence[Span], chosen: Collection[Span]) -> bool:
    """Tell whether most of the pieces state the kinds of things that those with a record do."""
    said = kinds_stated([text[start:end] for start, end in chosen])[0]
    alike = sum(said <= kinds_stated([text[start:end]])[1] for start, end in spans)
    return bool(said) and alike * 2 >= len(spans)


def _say_all(placing: Placing, own: Mapping[Span, JsonValue]) -> bool:
    """Tell whether records and their pieces say nearly the same: then even one record shows what the pieces are.

    A piece that only repeats what stands elsewhere, such as the last crumb of a trail, is no record's own.
    """
    return bool(own) and all(
        placing.covers(record, span) >= _NEARLY_ALL
        and {*placing.seen(record, span).standings} <= {"inside"}
        and not placing.seen(record, None).count("around")
        for span, record in own.items()
    )


def _holds_records(value: JsonValue) -> bool:
    if isinstance(value, list):
        return any(isinstance(inner, dict) or _holds_records(inner) for inner in value)
    return isinstance(value, dict) and any(map(_holds_records, value.values()))
