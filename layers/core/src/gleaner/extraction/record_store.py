"""The records that a chunk's answers gave, each with its place and with what speaks for it."""

from collections.abc import Iterator
from dataclasses import dataclass

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.extraction.pieces import Piece
from gleaner.extraction.shapes import EMPTY_TEXT, Checked, check, empty_required
from gleaner.page.model import Part, Span
from gleaner.placing import Placing, Seen
from gleaner.results.merging import canonical
from gleaner.results.record_lists import rebuild
from gleaner.schemas import RecordPath, declared_properties, declared_types, is_valid


@dataclass(frozen=True, slots=True)
class Held:
    """A record that was taken: its place in the chunk (None: not known), what speaks for it, when it came, its units.

    ``order`` is the number of the answer and of the record in it.
    """

    record: JsonValue
    span: Span | None
    seen: Seen
    order: tuple[int, int]
    numbers: tuple[int, ...] = ()

    @property
    def worth(self) -> tuple[float, int]:
        """What speaks for it: the share of it that is stated, then how much is stated."""
        return self.seen.share, self.seen.count("inside", "around")


def place_of(held: Held) -> tuple[int, tuple[int, int]]:
    """Give what records are ordered by: their places in the chunk, those without one last, as they came."""
    return (held.span[0] if held.span else 1 << 62, held.order)


def complaints_of(item: Checked) -> list[str]:
    """Give what is wrong with a record, for the model to read."""
    return [f"{fault.pointer or '/'}: {fault.message}" for fault in item.faults[:5]]


class Shelf:
    """Keeps records by unit and beside, takes the better of two answers, and leaves out what the text does not state.

    ``homes`` names the record that each unit was given; ``stretches`` tells that a record may take in several units,
    as there were fewer records than units. ``answered_for`` are the units that a known record was given
    for, which are not asked about once more. ``refused`` and ``refused_beside`` hold what the schema refuses; ``outer``
    what stands around the list of records. ``keeps_all`` keeps records that nothing speaks for (the caller wants them
    flagged, or as they are).
    """

    def __init__(self, placing: Placing, *, keeps_all: bool) -> None:
        self.placing, self.keeps_all = placing, keeps_all
        self.by_unit: dict[int, Held] = {}
        self.beside: dict[Piece, list[Held]] = {}
        self.refused: dict[int, Checked] = {}
        self.refused_beside: dict[Piece, list[Checked]] = {}
        self.skipped: set[int] = set()
        self.answered_for: set[int] = set()
        self.homes: dict[int, str] = {}
        self.stretches = True
        self.outer: JsonObject = {}
        self.order = (0, 0)
        self.wrong: set[str] = set()
        self.invented: list[JsonValue] = []
        self.repeated: list[JsonValue] = []

    def records(self) -> Iterator[Held]:
        """Give all records taken."""
        yield from (held for number, held in self.by_unit.items() if held.numbers[0] == number)
        for held in self.beside.values():
            yield from held

    def begin_answer(self) -> None:
        """Count the next answer."""
        self.order = (self.order[0] + 1, 0)

    def begin_record(self) -> None:
        """Count the next record of the answer."""
        self.order = (self.order[0], self.order[1] + 1)

    # What stands around the list of records

    def take_outer(self, outer: JsonObject) -> None:
        """Keep what an answer holds around its list, where nothing is known yet; lists gain what they had missed."""
        for name, value in outer.items():
            known = self.outer.get(name)
            if isinstance(known, list) and known and isinstance(value, list):
                self.outer[name] = self._joined(known, value)
            elif known is None or known == [] or (name in self.wrong and value is not None):
                self.outer[name] = value

    def faults_around(self, task: Part, path: RecordPath, piece: Piece) -> tuple[str, ...]:
        """Say, once, what is wrong with the fields around the list of records, where the whole page was asked about.

        What the next answer says of these fields counts, if it says anything.
        """
        if self.wrong or piece.alone or task.total_chunks > 1 or not path.pointer:
            return ()
        checked = check(task.schema, rebuild(path, self.outer, []), base_url=task.base_url)
        faults = [fault for fault in checked.faults if fault.pointer or fault.keyword == "required"]
        faults = [fault for fault in faults if not f"{fault.pointer}/".startswith(f"{path.pointer}/")]
        self.wrong |= {step for fault in faults for step in [*read_pointer(fault.pointer), ""][:1]}
        return tuple(complaints_of(Checked(None, tuple(faults))))

    def _joined(self, known: list[JsonValue], new: list[JsonValue]) -> list[JsonValue]:
        """Give a list with the new records of units that no known one came from, in page order."""
        taken = {*self.units_of(known), *self.by_unit, None}
        names = {canonical(record) for record in known}
        fresh = [one for one in new if canonical(one) not in names and self.placing.home(one) not in taken]
        return self.placing.in_page_order([*known, *fresh]) if fresh else known

    def units_of(self, records: list[JsonValue]) -> set[int]:
        """Give the units that records of another list than the main one came from.

        A text that is stated outside of all units, too, comes from there: the ends of a line, beside its stops.
        """
        own = [one for one in records if isinstance(one, dict) or not self.placing.seen(one, None).count("around")]
        homes = self.placing.place(own, [None] * len(own), self.placing.spans)
        return {number for number in homes if number is not None}

    def units_of_others(self) -> set[int]:
        """Give the units that the lists beside the main one account for, and the thing around it of the same kind."""
        whole: list[list[JsonValue]] = [[self.outer]] if self.outer and self._is_one_around() else []
        return {number for records in (*self.lists_beside(), *whole) for number in self.units_of(records)}

    def _is_one_around(self) -> bool:
        """Tell whether what stands around the list has all that a record has but a list: a comment over its replies."""
        declared = declared_properties(self.placing.schema)
        lacked = [declared_types(declared[name]) for name in declared.keys() - self.outer.keys()]
        return len(lacked) == 1 and "array" in lacked[0] and self.outer.keys() <= declared.keys()

    def lists_beside(self) -> Iterator[list[JsonValue]]:
        """Give the lists beside the main one that hold something."""
        yield from (value for value in self.outer.values() if isinstance(value, list) and value)

    # Records with a unit

    def take(self, piece: Piece, number: int, record: JsonValue) -> None:
        """Keep a record as its unit's, or what it does better than the one known, or as a second one of the unit."""
        new = self._held(record, number)
        held = self._holder(new)
        if held is None and self._is_known(new):
            self.repeated.append(record)
            self.answered_for.update(new.numbers)
        elif held is None:
            self.by_unit.update(dict.fromkeys(new.numbers, new))
            self.refused.pop(number, None)
        elif self._is_another(new, held):
            self._put_beside(piece, new)
        else:
            if held.numbers == new.numbers:
                self.by_unit.update(dict.fromkeys(held.numbers, self._better(held, new)))
            if held.order[0] == new.order[0]:
                kept = _said(self.by_unit[held.numbers[0]].record)
                self.repeated += [one for one in (held.record, record) if not _said(one).items() <= kept.items()]

    def _held(self, record: JsonValue, number: int) -> Held:
        name = canonical(record)
        others = [home for home, known in self.homes.items() if home != number and known != name]
        numbers = self.placing.stretch(record, number, others) if self.stretches else (number,)
        spans = [self.placing.spans[one] for one in numbers]
        span = min(start for start, _ in spans), max(end for _, end in spans)
        return Held(record, span, self.placing.seen(record, span), self.order, numbers)

    def _holder(self, new: Held) -> Held | None:
        return next((self.by_unit[number] for number in new.numbers if number in self.by_unit), None)

    def _is_known(self, new: Held) -> bool:
        """Tell whether a later answer says less of a record that an earlier one gave, or the same in a wrong place.

        A date whose links stand apart is not taken once more. Its unit counts as missing, as it may be a record of its
        own that says little.
        """
        said = _said(new.record)
        return bool(said) and any(
            held.order[0] < new.order[0]
            and said.items() <= (known := _said(held.record)).items()
            and (len(known) > len(said) or new.seen.doubts > 0)
            for held in self.records()
        )

    def _better(self, held: Held, new: Held) -> Held:
        """Give the better of two answers about a unit. A null says nothing: what the other one says counts instead."""
        best, other = (new, held) if new.worth > held.worth else (held, new)
        if not isinstance(best.record, dict) or not isinstance(other.record, dict):
            return best
        more = {name: value for name, value in other.record.items() if best.record.get(name) is None is not value}
        joined = self._held({**best.record, **more}, held.numbers[0]) if more else best
        is_sound = is_valid(self.placing.schema, joined.record) and joined.seen.doubts <= best.seen.doubts
        return joined if more and is_sound else best

    def _is_another(self, new: Held, held: Held) -> bool:
        """Tell whether a unit holds a second record (a card with two offers), and not the first one again.

        Two of one answer that the unit states in full are two, and two that the unit names differently. Of two answers,
        one may be the other's correction.
        """
        if canonical(new.record) == canonical(held.record):
            return False
        is_one_answer = new.order[0] == held.order[0]
        is_named_otherwise = self.placing.lead(new.record) != self.placing.lead(held.record)
        if new.seen.doubts or held.seen.doubts:
            return is_one_answer and is_named_otherwise and new.seen.leads and held.seen.leads
        return is_one_answer or is_named_otherwise

    def empty_values(self) -> dict[int, list[str]]:
        """Give the units whose record leaves a required text empty, with complaints."""
        found = {number: empty_required(held.record, self.placing.views) for number, held in self.by_unit.items()}
        return {number: [f"{name}: {EMPTY_TEXT}" for name in names] for number, names in found.items() if names}

    # Records without one

    def take_beside(self, piece: Piece, record: JsonValue) -> None:
        """Keep a record that was given no unit if the text speaks for it, and it is none of those known."""
        new = Held(record, self.placing.hull(record), self.placing.seen(record, None), self.order)
        number = self.placing.home(record)
        whole = None if number is None else self._held(record, number)
        if whole is not None and self._is_of(whole):
            self._take_home(piece, whole)
        elif self.keeps_all or not new.seen.standings or self._is_supported(new.seen):
            self._put_beside(piece, new)
        elif not self.placing.is_echo(record):
            self.invented.append(record)

    def _is_of(self, whole: Held) -> bool:
        """Tell whether a unit, or a run of them, begins with what a record does, or states all of it.

        What stands around all units, as the day at the head of a column, is a part of each.
        """
        seen = whole.seen
        inside, stated = seen.count("inside"), seen.count("inside", "around")
        is_mostly = stated == len(seen.standings) and 2 * inside > stated
        is_whole = not seen.doubts and (len(whole.numbers) > 1 or is_mostly)
        return is_whole or (seen.leads and seen.is_believable)

    def _take_home(self, piece: Piece, new: Held) -> None:
        """Keep a record of a unit's, though it was given none: the first of the unit, or another one."""
        held = self._holder(new)
        if held is None:
            self.by_unit.update(dict.fromkeys(new.numbers, new))
        elif self._is_another(new, held):
            self._put_beside(piece, new)
        elif held.order[0] == new.order[0]:  # a later answer may well say it again
            self.repeated.append(new.record)

    def _is_supported(self, seen: Seen) -> bool:
        """Tell whether enough of a record stands in the chunk, outside of its units."""
        if self.by_unit:
            return seen.count("around") * 2 >= len(seen.standings) and seen.standings[0] != "nowhere"
        stated = seen.count("around", "elsewhere")
        return stated > 0 and (stated * 2 >= len(seen.standings) or seen.standings[0] != "nowhere")

    def _put_beside(self, piece: Piece, new: Held) -> None:
        name = canonical(new.record)
        known = (held for listed in self.beside.values() for held in listed)
        same = [held for held in known if held.span == new.span and canonical(held.record) == name]
        if self.placing.spans and same:
            self.repeated += [new.record] if any(held.order[0] == new.order[0] for held in same) else []
        else:
            self.beside.setdefault(piece, []).append(new)

    def take_late(self, piece: Piece, item: Checked, mended: JsonValue) -> list[str]:
        """Keep what is left of a refused record if no other begins with its text.

        Gives complaints where nothing is left of one that the page speaks of.
        """
        value = item.value if mended is None else mended
        lead = next(iter(self.placing.leaves(value)), None)
        if lead is None or any(self.placing.lead(held.record) == lead.value for held in self.records()):
            return []
        if mended is not None:
            self.take_beside(piece, mended)
        elif self.placing.places(lead):
            return complaints_of(item)
        else:
            self.invented.append(item.value)
        return []


def _said(record: JsonValue) -> JsonObject:
    """Give the fields of a record that say something."""
    fields = record.items() if isinstance(record, dict) else ()
    return {name: value for name, value in fields if value not in (None, "", [])}
