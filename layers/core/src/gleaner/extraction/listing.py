"""The reader of chunks that hold a list of records: each names its unit, and what is left of their groups is lost."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gleaner.completeness.ledger import UnitLedger, balance, batches
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionConfig
from gleaner.contracts.ports import JsonObject, JsonValue, ModelAnswer
from gleaner.extraction.answers.shapes import Checked, check, mend, says_nothing, unwrap
from gleaner.extraction.evidence import Span, Witness, any_inside
from gleaner.extraction.pieces import LEAST_SPLIT, Piece, marks_of, part_of, piece_of_units, show
from gleaner.extraction.prompts import Question
from gleaner.extraction.record_store import Held, RecordStore, complaints_of, place_of
from gleaner.extraction.recovery import Recovery, Verdict
from gleaner.extraction.unit_numbers import name_of_number, take_number, with_number
from gleaner.grounding.alignment import align_records
from gleaner.results.most_records import is_full
from gleaner.results.record_lists import Listing, find_records, rebuild
from gleaner.results.refused import Refusals, left_out
from gleaner.results.tasks import ChunkTask
from gleaner.schemas import RecordPath, relax
from gleaner.values.lenient_json import UnreadableAnswer, read_answer

MOST_UNITS_ALONE, LEAST_UNITS_ALONE = 50, 5
"""Units asked about in one question of their own: fewer for a model that stops early."""

MOST_CHARS_ALONE = 20_000


class ListReader:
    """Reads answers that hold records, keeps the ledger of the units, and asks for what is missing, alone (EX-6)."""

    def __init__(self, task: ChunkTask, path: RecordPath, config: ExtractionConfig) -> None:
        self.task = task
        self.path = path
        self.config = config
        self.schema: Any = task.schema
        self.units = {unit.number: unit for unit in task.units}
        self.marks = marks_of(task)
        context = f"{task.structural_context}\n{task.overlap_prefix}"
        self.witness = Witness(task.content, context, task.units, task.start_char, path.item_schema)
        self.store = RecordStore(self.witness, keeps_all=config.ungrounded != "null")
        self.number_name = name_of_number(path.item_schema) if task.units else ""
        self.answer_schema = relax(self.schema)
        if self.number_name:
            self.answer_schema = with_number(self.answer_schema, path, self.number_name)
        self.outer: JsonObject = {}
        self.wrong: set[str] = set()
        self.asked: Counter[int] = Counter()
        self.questions: set[tuple[int, ...]] = set()
        self.readable: set[Piece] = set()
        self.empty: set[Piece] = set()
        self.hollow: set[Piece] = set()
        self.most_alone = MOST_UNITS_ALONE
        self.warnings: list[str] = []
        self.refused: list[tuple[JsonValue, Refusals]] = []

    # Questions

    def question(self, piece: Piece, complaints: tuple[str, ...], *, was_empty: bool) -> Question:
        """Give the question about a piece, and count that its units were asked about."""
        self.asked.update(piece.numbers)
        text, marker = show(self.task, piece)
        return Question(
            page=text,
            query=self.task.query,
            schema=self.schema,
            answer_schema=self.answer_schema,
            before=piece.before,
            place=piece.place,
            marker=marker,
            number_name=self.number_name if marker else "",
            is_part=self.task.total_chunks > 1 or piece.length < len(self.task.content),
            is_list=True,
            complaints=complaints,
            was_empty=was_empty,
        )

    def ask_for_the_rest(self, recovery: Recovery) -> None:
        """Ask about the missing units alone, as long as the answers leave fewer of them: no question is asked twice.

        A model that has given no record of the whole text, though asked again, is not asked about its parts.
        """
        while any(self.store.records()) and not recovery.is_looping and (numbers := self._open_numbers()):
            sizes = {number: self.units[number].end - self.units[number].start for number in numbers}
            runs = batches(numbers, sizes, most_units=self.most_alone, most_chars=MOST_CHARS_ALONE)
            known = len(self.store.by_unit) + len(self.store.skipped)
            for run in runs:
                if run in self.questions or recovery.is_looping:
                    continue
                self.questions.add(run)
                piece = piece_of_units(self.task, [self.units[number] for number in run])
                recovery.run(self, piece, complaints=self._complaints(run))
                if len(self.store.by_unit) + len(self.store.skipped) == known:
                    break  # who has nothing to say of the first of them has nothing to say of the others
            if len(self.store.by_unit) + len(self.store.skipped) == known:
                return

    def _open_numbers(self) -> list[int]:
        """Give the missing units, and those whose record the schema refused, but for what was asked about often."""
        if is_full(self.schema, self.path, sum(1 for _ in self.store.records())):
            return []
        most = self.config.max_retries_per_chunk
        refused = self.store.refused if self.config.retry.on_validation_error else ()
        return sorted(number for number in {*self.ledger().missing, *refused} if self.asked[number] <= most)

    def _complaints(self, numbers: Sequence[int]) -> tuple[str, ...]:
        refused = self.store.refused
        said = (complaint for number in numbers if number in refused for complaint in complaints_of(refused[number]))
        return tuple(dict.fromkeys(said))

    # Answers

    def read(self, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Take the records of an answer."""
        was_cut = answer.stop_reason == "length"
        try:
            read = read_answer(answer.text)
        except UnreadableAnswer as error:
            return Verdict("cut" if was_cut else "invalid" if answer.text.strip() else "empty", (str(error),))
        unwrapped = unwrap(read.value, self.schema)
        listing = find_records(unwrapped.data, self.path)
        if listing is None:
            return Verdict("invalid", (f"the answer holds no list at {self.path.pointer or 'its root'}",))
        self.readable.add(piece)
        numbers = {mark: number for number, mark in self.marks.items() if number in {*piece.numbers}}
        self.store.skipped |= {numbers[mark] for mark in unwrapped.skipped if mark in numbers}
        before = len(self.store.by_unit)
        items = self._checked(listing, numbers)
        complaints = self._take(piece, listing, items) + self._faults_around(piece)
        self._learn_size(piece)
        if was_cut or read.cut:
            return self._after_a_cut(piece, gained=len(self.store.by_unit) > before)
        self.hollow.discard(piece)
        if listing.records and not items and not piece.alone:
            self.hollow.add(piece)
            return Verdict("invalid", ("the records hold nothing but null: use the schema's own names",))
        if not items and self._is_unsaid(piece):
            self.empty.add(piece)
            return Verdict("empty")
        return Verdict("invalid", complaints) if complaints else Verdict()

    def _checked(self, listing: Listing, numbers: dict[int, int]) -> list[tuple[Checked, int | None]]:
        """Give the records coerced and validated, each with the unit that it names, without those that say nothing."""
        found: list[tuple[Checked, int | None]] = []
        for record in listing.records:
            bare, mark = take_number(record, self.number_name)
            item = check(self.path.item_schema, bare, base_url=self.task.base_url)
            if item.faults or not says_nothing(item.value):
                found.append((item, None if mark is None else numbers.get(mark)))
        return found

    def _is_unsaid(self, piece: Piece) -> bool:
        """Tell whether an answer without records left numbered pieces unmentioned, for the first time.

        A text without any, or all of whose pieces were passed over, may well hold no record.
        """
        return not piece.alone and piece not in self.empty and bool(set(piece.numbers) - self.store.skipped)

    def _learn_size(self, piece: Piece) -> None:
        """Ask about fewer units at a time when an answer came to less than half of those it was asked about."""
        done = sum(number in self.store.by_unit or number in self.store.skipped for number in piece.numbers)
        if done * 2 < len(piece.numbers):
            self.most_alone = max(LEAST_UNITS_ALONE, min(self.most_alone, done or self.most_alone // 2))

    def _take(self, piece: Piece, listing: Listing, items: Sequence[tuple[Checked, int | None]]) -> tuple[str, ...]:
        """Give each record its unit and keep it; give the complaints about records that no unit can answer for."""
        self._take_outer(listing.outer)
        self.store.begin_answer()
        beside: list[Checked] = []
        for (item, _), unit in zip(items, self._units_of(piece, items), strict=True):
            if unit is None:
                beside.append(item)
            elif item.faults:
                if unit not in self.store.by_unit:
                    self.store.refused[unit] = item
            else:
                self.store.take(item.value, unit)
        self.store.take_outside(piece, beside)
        refused = self.store.refused_outside[piece]
        if piece.units and self.store.by_unit:
            return ()
        return tuple(dict.fromkeys(complaint for item in refused for complaint in complaints_of(item)))

    def _units_of(self, piece: Piece, items: Sequence[tuple[Checked, int | None]]) -> list[int | None]:
        """Give each record's unit: the one it names, if that speaks for it; else the one that it shares values with."""
        units = [
            number if number is not None and self.store.fits(item.value, number) else None for item, number in items
        ]
        left = [at for at, unit in enumerate(units) if unit is None]
        if not left or not piece.units:
            return units
        own = [number for number in piece.numbers if number not in units]
        records = [items[at][0].value for at in left]
        places = align_records(
            records, self.witness.index, [self.witness.spans[number] for number in own], schema=self.path.item_schema
        )
        for at, place in zip(left, places, strict=True):
            if place is not None and self._is_of(items[at][0].value, own[place]):
                units[at] = own[place]
        for at in (at for at in left if units[at] is None):
            units[at] = self._unit_of_another(piece, [item.value for item, _ in items], units, at)
        return units

    def _unit_of_another(
        self, piece: Piece, records: Sequence[JsonValue], units: Sequence[int | None], at: int
    ) -> int | None:
        """Give the unit that alone states what a record begins with, where no record of that unit begins so."""
        lead = self.witness.lead(records[at])
        homes = self.witness.units_stating(lead) if lead is not None else set[int]()
        if lead is None or len(homes) != 1 or not homes <= {*piece.numbers}:
            return None
        (home,) = homes
        others = [self.witness.lead(record) for record, unit in zip(records, units, strict=True) if unit == home]
        is_first_again = any(other is not None and other.key == lead.key for other in others)
        return home if not is_first_again and self._is_of(records[at], home) else None

    def _is_of(self, record: JsonValue, unit: int) -> bool:
        """Tell whether a record that shares values with a unit is its record, and none of the text before the chunk."""
        return self.store.fits(record, unit) and not (self.witness.is_echo(record) and not self._says_all(record, unit))

    def _says_all(self, record: JsonValue, unit: int) -> bool:
        start, end = self.witness.spans[unit]
        return all(
            any(start <= first and last <= end for first, last in self.witness.places(leaf))
            for leaf in self.witness.checkable(record)
        )

    def _take_outer(self, outer: JsonObject) -> None:
        """Keep what an answer holds around its list of records, where nothing is known yet."""
        for name, value in outer.items():
            if [name] == read_pointer(self.path.pointer):
                continue
            if self.outer.get(name) in (None, []) or (name in self.wrong and value is not None):
                self.outer[name] = value

    def _faults_around(self, piece: Piece) -> tuple[str, ...]:
        """Say, once, what is wrong with the fields around the list of records, where the whole page was asked about.

        What the next answer says of these fields counts, if it says anything.
        """
        if self.wrong or piece.alone or self.task.total_chunks > 1 or not self.path.pointer:
            return ()
        checked = check(self.schema, rebuild(self.path, self.outer, []), base_url=self.task.base_url)
        faults = [fault for fault in checked.faults if fault.pointer or fault.keyword == "required"]
        faults = [fault for fault in faults if not f"{fault.pointer}/".startswith(f"{self.path.pointer}/")]
        self.wrong |= {step for fault in faults for step in [*read_pointer(fault.pointer), ""][:1]}
        return tuple(complaints_of(Checked(None, tuple(faults))))

    def _after_a_cut(self, piece: Piece, *, gained: bool) -> Verdict:
        """Say how to go on: with the units not come to, alone; or with the text behind the last record."""
        if piece.units:
            ends = [self.witness.spans[unit][1] for unit in piece.numbers if unit in self.store.by_unit]
            reached = max(ends, default=-1)
            later = [unit for unit in piece.numbers if self.witness.spans[unit][0] >= reached]
            self.asked.subtract(later if gained else ())
            if gained and not piece.alone and (rest := self._unread(piece, reached)):
                return Verdict("cut", rest=rest)
            return Verdict() if gained else Verdict("cut")
        start, end = piece.ranges[0]
        places = [held.span[1] for held in self.store.outside.get(piece, []) if held.span]
        if not places or not start < places[-1] < end:
            return Verdict("cut")
        return Verdict("cut", rest=part_of(self.task, piece, places[-1], end, ""))

    def _unread(self, piece: Piece, reached: int) -> Piece | None:
        """Give what follows the last unit that a cut answer came to, if that is more than units: text, other lists."""
        end = piece.ranges[0][1]
        known = sum(stop - start for start, stop in self.witness.spans.values() if reached <= start < end)
        return part_of(self.task, piece, reached, end, "") if end - reached - known > LEAST_SPLIT else None

    # Settling

    def settle(self, piece: Piece) -> bool:
        """Take what can be kept of refused records. Units are settled by the ledger; prose may well hold nothing."""
        mended = [self._mended(item) for item in self.store.refused_outside.pop(piece, [])]
        found = [Checked(record) for record in mended if record is not None]
        if found:
            self.store.take_outside(
                piece, [*(Checked(held.record) for held in self.store.outside.get(piece, [])), *found]
            )
        return piece in self.readable and piece not in self.hollow and None not in mended

    def mend_refused(self) -> list[str]:
        """Take refused records without the fields at fault; give complaints about those beyond that."""
        lost: list[str] = []
        for number, item in sorted(self.store.refused.items()):
            record = self._mended(item)
            if record is None:
                lost.extend(complaints_of(item))
            else:
                self.store.begin_answer()
                self.store.take(record, number)
        for piece, items in list(self.store.refused_outside.items()):
            for item in items:
                record = self._mended(item)
                if record is not None:
                    known = [Checked(held.record) for held in self.store.outside.get(piece, [])]
                    self.store.take_outside(piece, [*known, Checked(record)])
                elif (lead := self.witness.lead(item.value)) is not None and self.witness.states(lead):
                    lost.extend(complaints_of(item))
        return lost

    def _mended(self, item: Checked) -> JsonValue:
        if (mended := mend(self.path.item_schema, item)) is None or says_nothing(mended[0]):
            return None
        self.refused.append(mended)
        self.warnings += left_out(mended[1], self.task.chunk_index, "of a record")
        return mended[0]

    def ledger(self) -> UnitLedger:
        """Give the account of the units as it stands; those of the schema's other lists count as passed over here."""
        known, elsewhere = self.store.by_unit.keys(), self._units_of_others()
        passed = self.store.skipped | (elsewhere - known)
        account = balance(self.task.units, known, passed)
        if known and len(known) < len(self.task.units):
            unsaid, listed = ({unit: self._unsaid(unit, in_lists=one) for unit in known} for one in (False, True))
            account = balance(self.task.units, known, passed, unsaid, listed)
        if known or elsewhere or any(self.store.records()) or not self.task.units:
            return account
        best = max(unit.score for unit in self.task.units)
        listing = {unit.number for unit in self.task.units if unit.score == best}
        return UnitLedger(skipped=account.skipped, missing=tuple(sorted(listing - passed)))

    def _unsaid(self, unit: int, *, in_lists: bool) -> list[int]:
        """Give where on the page values of a unit's records, or of lists in these, stand that it does not state."""
        records = (held.record for held in self.store.by_unit[unit])
        found = (self.witness.unsaid(one, self.witness.spans[unit], in_lists=in_lists) for one in records)
        return [self.task.start_char + place for places in found for place in places]

    def _units_of_others(self) -> set[int]:
        """Give the units whose text names an element of another list than the records'."""
        lists = [value for value in self.outer.values() if isinstance(value, list) and value]
        leads = [self.witness.lead(element) for elements in lists for element in elements]
        places = sorted(place for lead in leads if lead is not None for place in self.witness.places(lead))
        return {unit for unit, span in self.witness.spans.items() if any_inside(places, span)} if places else set()

    def data(self, account: UnitLedger) -> tuple[JsonValue, list[Span | None]]:
        """Give the instance of the schema, and its records' places in the page, both in page order."""
        held = sorted(self.store.records(), key=place_of)
        reach: dict[int, list[int]] = {}
        for unit, owner in account.covered.items():
            reach.setdefault(owner, []).append(unit)
        spans = [self._place(one, reach) for one in held]
        outer = rebuild(self.path, self.outer, [])
        sound = (
            check(self.schema, outer, is_part=True, base_url=self.task.base_url).value
            if isinstance(outer, dict)
            else None
        )
        return rebuild(self.path, sound if isinstance(sound, dict) else {}, [item.record for item in held]), spans

    def _place(self, held: Held, reach: dict[int, list[int]]) -> Span | None:
        """Give where a record stands in the page, with the units beside its own that are its."""
        if held.span is None:
            return None
        places = [
            held.span,
            *(self.witness.spans[unit] for unit in reach.get(-1 if held.unit is None else held.unit, ())),
        ]
        base = self.task.start_char
        return base + min(start for start, _ in places), base + max(end for _, end in places)
