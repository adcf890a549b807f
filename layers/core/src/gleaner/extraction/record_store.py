"""The records that a chunk's answers gave, each with its place and with what speaks for it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.extraction.answers.shapes import EMPTY_TEXT, Checked, check, empty_required
from gleaner.extraction.evidence import Evidence, Witness
from gleaner.extraction.pieces import Piece
from gleaner.grounding.alignment import align_records
from gleaner.grounding.leaves import Leaf
from gleaner.page.model import Part
from gleaner.results.merging import canonical
from gleaner.results.record_lists import rebuild
from gleaner.schemas import RecordPath, declared_properties, declared_types, is_valid


@dataclass(frozen=True, slots=True)
class Held:
    """A record that was taken: its place in the chunk (None: not known), what speaks for it, when it came, its units.

    ``order`` is the number of the answer and of the record in it.
    """

    record: JsonValue
    span: tuple[int, int] | None
    evidence: Evidence
    order: tuple[int, int]
    numbers: tuple[int, ...] = ()


def place_of(held: Held) -> tuple[int, tuple[int, int]]:
    """Give what records are ordered by: their places in the chunk, those without one last, as they came."""
    return (held.span[0] if held.span else 1 << 62, held.order)


def complaints_of(item: Checked) -> list[str]:
    """Give what is wrong with a record, for the model to read."""
    return [f"{fault.pointer or '/'}: {fault.message}" for fault in item.faults[:5]]


class Shelf:
    """Keeps records by unit and beside, takes the better of two answers, and leaves out what the text does not state.

    ``homes`` names the record that each unit was given; ``stretches`` tells that a record may take in several units,
    as there were fewer records than units. ``refused`` and ``refused_beside`` hold what the schema refuses; ``outer``
    what stands around the list of records. ``keeps_all`` keeps records that nothing speaks for (the caller wants them
    flagged, or as they are).
    """

    def __init__(self, witness: Witness, item_schema: Any, *, keeps_all: bool) -> None:
        self.witness = witness
        self.item_schema = item_schema
        self.keeps_all = keeps_all
        self.by_unit: dict[int, Held] = {}
        self.beside: dict[Piece, list[Held]] = {}
        self.refused: dict[int, Checked] = {}
        self.refused_beside: dict[Piece, list[Checked]] = {}
        self.skipped: set[int] = set()
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
        taken = self.units_of(known)
        names = {canonical(record) for record in known}
        fresh = [record for record in new if canonical(record) not in names and self._is_free(record, taken)]
        return self.witness.in_page_order([*known, *fresh]) if fresh else known

    def _is_free(self, record: JsonValue, taken: Collection[int]) -> bool:
        home = self.witness.home(record)[0]
        return home >= 0 and home not in taken and home not in self.by_unit

    def units_of(self, records: list[JsonValue]) -> set[int]:
        """Give the units that records of another list than the main one came from, and that state half of each."""
        numbers = sorted(self.witness.spans)
        places = align_records(records, self.witness.index, [self.witness.spans[n] for n in numbers])
        return {
            numbers[place]
            for record, place in zip(records, places, strict=True)
            if place is not None and self.fits(record, numbers[place]) and self._is_half_in(record, numbers[place])
        }

    def _is_half_in(self, record: JsonValue, number: int) -> bool:
        evidence = self.witness.evidence(record, self.witness.spans[number])
        return evidence.counts("inside") * 2 >= len(evidence.sightings)

    def units_of_others(self) -> set[int]:
        """Give the units that the lists beside the main one account for, and the thing around it of the same kind."""
        whole: list[list[JsonValue]] = [[self.outer]] if self.outer and self._is_one_around() else []
        return {number for records in (*self.lists_beside(), *whole) for number in self.units_of(records)}

    def _is_one_around(self) -> bool:
        """Tell whether what stands around the list has all that a record has but a list: a comment over its replies."""
        declared = declared_properties(self.item_schema)
        lacked = [declared_types(declared[name]) for name in declared.keys() - self.outer.keys()]
        return len(lacked) == 1 and "array" in lacked[0] and self.outer.keys() <= declared.keys()

    def lists_beside(self) -> Iterator[list[JsonValue]]:
        """Give the lists beside the main one that hold something."""
        yield from (value for value in self.outer.values() if isinstance(value, list) and value)

    def fits(self, record: JsonValue, number: int) -> bool:
        """Tell whether a unit says something of a record, and the record is none of the text before the chunk."""
        evidence = self.witness.evidence(record, self.witness.spans[number])
        if not evidence.sightings:
            return True
        inside = evidence.counts("inside")
        return inside > 0 and (inside == len(evidence.sightings) or not self.witness.is_echo(record))

    def _held(self, record: JsonValue, number: int) -> Held:
        numbers = (
            self.witness.stretch(record, number, lambda: self._others(record, number)) if self.stretches else (number,)
        )
        span = self.witness.span_of(numbers)
        return Held(record, span, self.witness.evidence(record, span), self.order, numbers)

    def _others(self, record: JsonValue, number: int) -> list[int]:
        """Give the units that other records begin in."""
        name = canonical(record)
        return [home for home, known in self.homes.items() if home != number and known != name]

    def take_for_unit(self, piece: Piece, number: int, record: JsonValue) -> None:
        """Keep a record as its unit's, or what it does better than the one known, or as a second one of the unit."""
        new = self._held(record, number)
        held = next((self.by_unit[n] for n in new.numbers if n in self.by_unit), None)
        if held is None and self._is_part_of_known(new):
            self.repeated.append(record)
        elif held is None:
            self.by_unit.update(dict.fromkeys(new.numbers, new))
            self.refused.pop(number, None)
        elif self._is_another(new, held):
            self._put_beside(piece, new)
        elif held.numbers == new.numbers and (better := self._better(held, new)) is not None:
            self.by_unit.update(dict.fromkeys(held.numbers, better))

    def _is_part_of_known(self, new: Held) -> bool:
        """Tell whether a later answer says less of a record that an earlier one gave: a date whose links stand apart.

        It is not taken once more. Its unit counts as missing, as it may be a record of its own that says little.
        """
        if not isinstance(new.record, dict):
            return False
        said = {name: value for name, value in new.record.items() if value not in (None, "", [])}
        return bool(said) and any(
            isinstance(held.record, dict)
            and held.order[0] < new.order[0]
            and all(held.record.get(name) == value for name, value in said.items())
            and any(value not in (None, "", []) for name, value in held.record.items() if name not in said)
            for held in self.records()
        )

    def _better(self, held: Held, new: Held) -> Held | None:
        """Give the better of two answers about a unit, field by field where one states what the other does not.

        A null says nothing: it takes the place of no value that the unit states.
        """
        best = new if _worth(new) > _worth(held) else held
        if not isinstance(held.record, dict) or not isinstance(new.record, dict):
            return best if best is new else None
        other = held if best is new else new
        doubted, others = (one.evidence.fields("elsewhere", "nowhere") for one in (best, other))
        unsaid = {name for name, value in best.record.items() if value is None}  # type: ignore[union-attr]
        taken = (doubted & (set(other.record) - others)) | (unsaid & other.evidence.fields("inside") - others)  # type: ignore[arg-type]
        joined: JsonValue = {**best.record, **{name: other.record[name] for name in taken}}  # type: ignore[dict-item,index]
        if taken and is_valid(self.item_schema, joined):
            return self._held(joined, held.numbers[0])
        return best if best is new else None

    def _is_another(self, new: Held, held: Held) -> bool:
        """Tell whether a unit holds a second record (a card with two offers), and not the first one again.

        Two of one answer that the unit states in full are two, and two that the unit names differently. Of two answers,
        one may be the other's correction.
        """
        if canonical(new.record) == canonical(held.record):
            return False
        is_one_answer = new.order[0] == held.order[0]
        is_named_otherwise = self._leading(new.record) != self._leading(held.record)
        if new.evidence.doubts or held.evidence.doubts:
            return is_one_answer and is_named_otherwise and new.evidence.leads and held.evidence.leads
        return is_one_answer or is_named_otherwise

    def _leading(self, record: JsonValue) -> JsonValue:
        lead = self._lead(record)
        return None if lead is None else lead.value

    def _lead(self, record: JsonValue) -> Leaf | None:
        """Give the first leaf of a record that a text would state: what names it."""
        return next(iter(self.witness.checkable(record)), None)

    def take_late(self, piece: Piece, item: Checked, mended: JsonValue) -> list[str]:
        """Keep what is left of a refused record if no other begins with its text.

        Gives complaints where nothing is left of one that the page speaks of.
        """
        lead = self._lead(item.value if mended is None else mended)
        if lead is None or any(self._leading(held.record) == lead.value for held in self.records()):
            return []
        if mended is None:
            self.invented += [] if self.witness.states(lead) else [item.value]
            return complaints_of(item) if self.witness.states(lead) else []
        self.take_beside(piece, mended)
        return []

    def take_beside(self, piece: Piece, record: JsonValue) -> None:
        """Keep a record that was given no unit if the text speaks for it, and it is none of those known."""
        number, hits = self.witness.home(record)
        new = Held(record, self.witness.hull(record), self.witness.evidence(record, None), self.order)
        at_home = self._held(record, number) if number >= 0 else new
        if hits and at_home.evidence.share == 1 and (hits == len(new.evidence.sightings) or len(at_home.numbers) > 1):
            self._take_home(piece, at_home)
        elif not new.evidence.sightings or self.keeps_all or self._is_supported(new.evidence):
            self._put_beside(piece, new)
        elif (named := self._named_in_a_unit(record)) is not None:
            self._put_beside(piece, named)
        elif not self.witness.is_echo(record):
            self.invented.append(record)

    def _named_in_a_unit(self, record: JsonValue) -> Held | None:
        """Give a record the unit that alone states the text it begins with, and whose own record begins otherwise."""
        lead = self._lead(record)
        homes = self.witness.units_stating(lead) if lead is not None and isinstance(lead.value, str) else set[int]()
        held = self.by_unit.get(min(homes)) if len(homes) == 1 else None
        if lead is None or held is None or self._leading(held.record) == lead.value:
            return None
        return self._held(record, min(homes))

    def _take_home(self, piece: Piece, new: Held) -> None:
        """Keep a record that units state in full, though it was given none: the first of a unit, or another one."""
        held = next((self.by_unit[n] for n in new.numbers if n in self.by_unit), None)
        if held is None:
            self.by_unit.update(dict.fromkeys(new.numbers, new))
        elif self._is_another(new, held):
            self._put_beside(piece, new)
        elif held.order[0] == new.order[0]:  # a later answer may well say it again
            self.repeated.append(new.record)

    def _is_supported(self, evidence: Evidence) -> bool:
        """Tell whether enough of a record stands in the chunk, outside of its units."""
        around = evidence.counts("around")
        if self.by_unit:
            return around * 2 >= len(evidence.sightings) and evidence.sightings[0].standing != "nowhere"
        stated = around + evidence.counts("elsewhere")
        return stated > 0 and (stated * 2 >= len(evidence.sightings) or evidence.sightings[0].standing != "nowhere")

    def _put_beside(self, piece: Piece, new: Held) -> None:
        name = canonical(new.record)
        known = (held for listed in self.beside.values() for held in listed)
        same = [held for held in known if held.span == new.span and canonical(held.record) == name]
        if self.witness.spans and same:
            self.repeated += [new.record] if any(held.order[0] == new.order[0] for held in same) else []
        else:
            self.beside.setdefault(piece, []).append(new)

    def drop_unbelievable(self) -> None:
        """Take out records that their unit does not speak for, after all was asked: the unit counts as missing."""
        if self.keeps_all:
            return
        sure = {canonical(held.record) for held in self.records() if not held.evidence.doubts}
        for number, held in list(self.by_unit.items()):
            is_another_units = bool(held.evidence.doubts) and canonical(held.record) in sure
            if is_another_units or not held.evidence.is_believable:
                del self.by_unit[number]
                left_out = self.repeated if is_another_units else self.invented
                left_out += [held.record] if held.numbers[0] == number else []
        for piece, listed in self.beside.items():
            kept = [held for held in listed if not (held.evidence.doubts and self._is_answered(held.record))]
            self.repeated += [held.record for held in listed if held not in kept]
            self.beside[piece] = kept

    def empty_values(self) -> dict[int, list[str]]:
        """Give the units whose record leaves a required text empty, with complaints."""
        found = {number: empty_required(held.record, self.witness.views) for number, held in self.by_unit.items()}
        return {number: [f"{name}: {EMPTY_TEXT}" for name in names] for number, names in found.items() if names}

    def _is_answered(self, record: JsonValue) -> bool:
        """Tell whether what a record begins with stands in one unit alone, whose own record begins with the same."""
        lead = self._lead(record)
        homes = set() if lead is None else self.witness.units_stating(lead)
        known = [self.by_unit[number].record for number in homes if number in self.by_unit]
        return lead is not None and len(homes) == 1 and [self._leading(one) for one in known] == [lead.value]


def _worth(held: Held) -> tuple[float, int]:
    """Give what speaks for a record: the share of it that is stated, then how much is stated."""
    return held.evidence.share, held.evidence.counts("inside", "around")
