"""Which pieces of a chunk the records come from, where nothing was numbered, or something else was. Pure."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from gleaner.completeness.certificate import kinds_stated
from gleaner.completeness.ledger import NumberedUnit, spans_of
from gleaner.contracts.ports import JsonValue
from gleaner.extraction.evidence import Witness
from gleaner.extraction.follow_up.remarks import text_of
from gleaner.extraction.record_store import Held
from gleaner.grounding import TextIndex
from gleaner.grounding.alignment import align_records
from gleaner.grounding.side_by_side import find_columns
from gleaner.results.tasks import ChunkTask
from gleaner.schemas import RecordPath
from gleaner.units import PRIMARY_SCORE, ROUND_SCORE, SPARE_SCORE, TURN_SCORE
from gleaner.units.vocabulary import LABELLED

_FEW = 0.2
_NEARLY_ALL = 0.8
_LEAST_STATED = 2
_MOST_STATED = 0.6
_FEWEST = 2
_FEWER = 0.75
_FAR_MORE = 1.5
_LINES = -1


def witness_of(
    task: ChunkTask, units: Sequence[NumberedUnit], path: RecordPath, index: TextIndex | None = None
) -> Witness:
    """Give the witness of a chunk whose records come from these units; ``index`` is the chunk's, where one is known."""
    context = f"{task.structural_context}\n{task.overlap_prefix}"
    return Witness(task.content if index is None else index, context, units, task.start_char, path.item_schema)


@dataclass(frozen=True, slots=True)
class Source:
    """A group of pieces that records come from, and how many of the records' values their own pieces state."""

    units: tuple[NumberedUnit, ...] = ()
    stated: int = 0


def source_of(
    task: ChunkTask, path: RecordPath, records: list[JsonValue], least: int = 1, index: TextIndex | None = None
) -> Source:
    """Give the group of spare pieces that most of the records come from, each from a piece of its own, if any.

    ``least`` is how many pieces at least must hold a record; ``index`` is the chunk's, where one is known.
    """
    whole = witness_of(task, (), path, index)
    most = sum(bool(whole.places(leaf)) for record in records for leaf in whole.checkable(record))
    best = Source()
    lowest = ROUND_SCORE if any(map(_holds_records, records)) else 0.0
    fewest = max(least, len(records) // 2 + 1)  # fewer can't hold most of the records
    groups = [
        units
        for units in (*_groups(task.spare), _lines(task))
        if units and units[0].score > lowest and len(units) >= fewest
    ]
    for units in sorted(groups, key=lambda units: units[0].score <= TURN_SCORE):
        if units[0].score <= TURN_SCORE and best.stated >= _NEARLY_ALL * most:
            break
        found = _judged(witness_of(task, units, path, whole.index), path, units, records, least)
        best = max(best, found, key=lambda one: (one.stated, -len(one.units)))
    return replace(best, units=(*best.units, *_bare_headings(task, best.units)))


def _holds_records(value: JsonValue) -> bool:
    if isinstance(value, list):
        return any(isinstance(inner, dict) or _holds_records(inner) for inner in value)
    return isinstance(value, dict) and any(map(_holds_records, value.values()))


def units_beside(task: ChunkTask, witness: Witness, path: RecordPath, held: Sequence[Held]) -> tuple[NumberedUnit, ...]:
    """Give the pieces of another list, apart from the units, that the records without a unit come from."""
    homeless = [one.record for one in held if not one.numbers]
    if not _FEWEST <= len(homeless) < len(held):
        return ()
    found = source_of(task, path, homeless, len(homeless)).units
    return () if any(witness.overlap(spans_of(found, task.start_char))) else found


def _judged(
    witness: Witness, path: RecordPath, units: list[NumberedUnit], records: list[JsonValue], least: int
) -> Source:
    """Give a group of pieces as the source of the records; nothing where most do not come from it."""
    index = witness.index
    spans = [witness.spans[unit.number] for unit in units]
    places = align_records(records, index, spans, schema=path.item_schema)
    seen = {
        place: witness.evidence(record, spans[place])
        for record, place in zip(records, places, strict=True)
        if place is not None
    }
    led = [
        one
        for one in seen.values()
        if one.sightings and (one.sightings[0].standing == "inside" or one.counts("inside") >= _LEAST_STATED)
    ]
    at_home = sum(len(one.doubts) * 2 < len(one.sightings) for one in led)
    is_part = at_home >= max(_FEW * len(units), min(2, len(units))) or (
        at_home >= _LEAST_STATED and _are_alike(index.text, spans, seen)
    )
    enough = (
        len(seen) >= least and at_home * 2 > len(records) and (is_part or _say_all(witness, records, spans, places))
    )
    return Source(tuple(units), sum(one.counts("inside") for one in led)) if enough else Source()


def are_parts(
    task: ChunkTask, witness: Witness, records: list[JsonValue], numbers: Sequence[int | None], found: Source
) -> bool:
    """Tell whether the task's units are parts of the records: the pieces found hold several and state far more.

    Where the units are no listing by their looks it is enough that the pieces state one value more of most records.
    ``numbers`` names the unit of each record, as far as it has one; ``witness`` knows the units.
    """
    known = _stated_at_home(witness, records, numbers)
    if _is_guess_beaten(task, found.stated, known, len(records)):
        return True
    if len(found.units) > _FEWER * len(task.units) or found.stated < _FAR_MORE * known:
        return False
    return witness.are_wider(spans_of(found.units, task.start_char))


def may_be_parts(task: ChunkTask, witness: Witness, records: list[JsonValue], numbers: Sequence[int | None]) -> bool:
    """Tell whether pieces that state all which the text does could make parts of the task's units: see ``are_parts``.

    Where the units state nearly all of it themselves, there is no need to look for such pieces.
    """
    most = sum(bool(witness.places(leaf)) for record in records for leaf in witness.checkable(record))
    known = _stated_at_home(witness, records, numbers)
    return most >= _FAR_MORE * known or _is_guess_beaten(task, most, known, len(records))


def _stated_at_home(witness: Witness, records: list[JsonValue], numbers: Sequence[int | None]) -> int:
    homes = {number: record for number, record in zip(numbers, records, strict=True) if number is not None}
    return sum(witness.evidence(record, witness.spans[number]).counts("inside") for number, record in homes.items())


def _is_guess_beaten(task: ChunkTask, stated: int, known: int, count: int) -> bool:
    return all(unit.score < PRIMARY_SCORE for unit in task.units) and stated * 2 > known * 2 + count


def are_fields(task: ChunkTask, witness: Witness, records: list[JsonValue]) -> bool:
    """Tell whether the task's units are the fields of the records: rows of a table that compares them side by side,
    or the labelled lines of a page about one thing.
    """
    if all(unit.kind == "row" for unit in task.units) and len(records) > 1:
        return find_columns(witness.index, records) is not None
    if len(records) != 1:
        return False
    leaves = list(witness.checkable(records[0]))
    stating = {number for leaf in leaves if len(homes := witness.units_stating(leaf)) == 1 for number in homes}
    labels = {number: LABELLED.match(_plain(task, witness.spans[number])) for number in witness.spans}
    values = {str(leaf.value).casefold() for leaf in leaves}
    labelled = [number for number in stating if (label := labels[number]) and label[1].casefold() not in values]
    return len(labelled) >= _LEAST_STATED and len(labelled) >= _MOST_STATED * len(task.units)


def heads_of_columns(task: ChunkTask, index: TextIndex, records: list[JsonValue]) -> tuple[set[int], set[int]]:
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


def _plain(task: ChunkTask, span: tuple[int, int]) -> str:
    """Give the text of a unit without the marks of lists, quotations and emphasis."""
    return task.content[slice(*span)].replace("*", "").lstrip(" \t-+|>")


def _bare_headings(task: ChunkTask, units: Sequence[NumberedUnit]) -> Iterator[NumberedUnit]:
    """Give the sections of nothing but a heading that stand among sections: records whose lists are empty."""
    levels = {_level(text_of(task, unit)) for unit in units}
    level = levels.pop() if len(levels) == 1 else 0
    if not level:
        return
    first, last = min(unit.start for unit in units), max(unit.end for unit in units)
    taken = {unit.start for unit in units}
    for unit in task.spare:
        text = text_of(task, unit)
        if first < unit.start < last and unit.start not in taken and "\n" not in text and _level(text) == level:
            taken.add(unit.start)
            yield unit


def _level(text: str) -> int:
    """Give the level of the heading that a text begins with; 0 for another text."""
    marks = len(text) - len(text.lstrip("#"))
    return marks if text[marks : marks + 1] == " " else 0


def _groups(spare: Sequence[NumberedUnit]) -> list[list[NumberedUnit]]:
    """Give the pieces by their groups, and all list items and all rows as one more group each."""
    groups: dict[object, list[NumberedUnit]] = {}
    for unit in spare:
        groups.setdefault(unit.group, []).append(unit)
        if unit.kind in ("item", "row"):
            groups.setdefault(unit.kind, []).append(unit)
    return [units for units in groups.values() if units[0].score > SPARE_SCORE or len(units) >= _FEWEST]


def _lines(task: ChunkTask) -> list[NumberedUnit]:
    """Give the pieces that are a line each and no heading, of all paragraphs, as one group: names below departments."""
    found: dict[tuple[int, int], NumberedUnit] = {}
    for unit in task.spare:
        start, end = unit.start - task.start_char, unit.end - task.start_char
        around = {task.content[max(0, start - 1) : start], task.content[end : end + 1]}
        text = task.content[start:end]
        if unit.score == SPARE_SCORE and around <= {"", "\n"} and "\n" not in text and not _level(text):
            found.setdefault((start, end), replace(unit, group=_LINES))
    return [found[span] for span in sorted(found)]


def _are_alike(text: str, spans: Sequence[tuple[int, int]], chosen: Collection[int]) -> bool:
    """Tell whether most of the pieces state the kinds of things that those with a record do."""
    said = kinds_stated([text[slice(*spans[place])] for place in chosen])[0]
    alike = sum(said <= kinds_stated([text[start:end]])[1] for start, end in spans)
    return bool(said) and alike * 2 >= len(spans)


def _say_all(
    witness: Witness, records: list[JsonValue], spans: list[tuple[int, int]], places: list[int | None]
) -> bool:
    """Tell whether records and pieces say nearly the same: then even one record shows what the pieces are.

    A piece that only repeats what stands elsewhere, such as the last crumb of a trail, is no record's own.
    """
    found = [(record, spans[place]) for record, place in zip(records, places, strict=True) if place is not None]
    return bool(found) and all(
        witness.is_stated_only_in(record, span) and witness.covers(record, span) >= _NEARLY_ALL
        for record, span in found
    )
