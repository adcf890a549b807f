"""The reader of chunks that hold a list of records: each record is given its unit, and what is left is the loss."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Self, TypeAlias

from gleaner.completeness.certificate import like_given
from gleaner.completeness.ledger import UnitLedger, balance, batches, spans_of, whole_pieces, with_untouched
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionConfig
from gleaner.contracts.ports import JsonValue, ModelAnswer
from gleaner.extraction.own_words import in_own_words
from gleaner.extraction.pieces import LEAST_SPLIT, Piece, links_of, marks_of, part_of, piece_of_units, show, whole_piece
from gleaner.extraction.prompts import Question, list_name_of, name_of_number, take_number, with_number
from gleaner.extraction.record_pieces import (
    are_fields,
    only_mention,
    own_records,
    pieces_of,
    placing_of,
    stated_in,
    weight_of,
)
from gleaner.extraction.record_store import Shelf, complaints_of, place_of
from gleaner.extraction.recovery import Recovery, Verdict
from gleaner.extraction.shapes import (
    LOSSY,
    NO_SOUND_JSON,
    Checked,
    check,
    mend,
    mend_incomplete,
    read_sound_answer,
    says_nothing,
    unwrap,
)
from gleaner.extraction.skips import find_disputed, find_remarks
from gleaner.judging.origins.regions import Stretches
from gleaner.page.model import NumberedUnit, Part
from gleaner.results.answer_json import UnreadableAnswer
from gleaner.results.merging import canonical
from gleaner.results.record_lists import Listing, find_records, most_records, rebuild
from gleaner.results.refused import Refusals, left_out
from gleaner.schemas import RecordPath, relax
from gleaner.values.texts.text_index import TextIndex

MOST_UNITS_ALONE, LEAST_UNITS_ALONE = 50, 5
"""Units asked about in one question of their own: fewer for a model that stops early."""

MOST_CHARS_ALONE = 20_000

MOST_POOR_ANSWERS = 8
"""Answers about units alone that may settle less than half of the units; one that gives no record counts twice. A model
that passes over all but one of the units was asked 58 times for no record. One that gives 20 records at a time has one
or two such answers, until it is asked about 20 at a time."""

_LONGEST_NAME, _MOST_NAMED = 60, 1_000
"""Letters of a record's name, and of all names, in a question about the rest: some 250 tokens."""

Item: TypeAlias = tuple[Checked, int | None]
"""A record, checked, and the unit that it names."""


class ListReader:
    """Reads answers that hold records, keeps the ledger of the units, and asks for what is missing, alone (EX-6)."""

    def __init__(self, task: Part, path: RecordPath, config: ExtractionConfig) -> None:
        self.task = task
        self.path = path
        self.config = config
        self.schema: Any = task.schema
        self.index = TextIndex(task.content)
        self.links = links_of(task)
        self.list_name = list_name_of(task.schema, path)
        self._set_up(task)
        self.asked: Counter[int] = Counter()
        self.questions: set[tuple[tuple[int, ...], tuple[str, ...]]] = set()
        self.readable: set[Piece] = set()
        self.empty: set[Piece] = set()
        self.most_alone = self.enough_alone = MOST_UNITS_ALONE
        self.poor_answers = 0
        self.warnings: list[str] = []
        self.empty_values: dict[int, list[str]] = {}
        self.hollow: set[Piece] = set()
        self.fields: set[int] | None = None
        self.judged: list[JsonValue] = []
        self.broken: dict[Piece, ModelAnswer] = {}
        self.refused: list[tuple[JsonValue, Refusals]] = []
        self.passed_over: set[int] = set()

    def _set_up(self, task: Part) -> None:
        """Begin with the units of the task, and an empty shelf."""
        self.task = task
        self.units = {unit.number: unit for unit in (*task.units, *whole_pieces(task.spare))}
        self.marks = marks_of(task)
        self.number_name = name_of_number(self.path.item_schema) if task.units else ""
        relaxed = relax(self.schema)
        self.answer_schema = with_number(relaxed, self.path, self.number_name) if self.number_name else relaxed
        self.placing = placing_of(task, task.units, self.path, self.index)
        self.shelf = Shelf(self.placing, keeps_all=self.config.ungrounded != "null")

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
            before="\n".join(filter(None, (piece.before, self._there_already() if piece.alone else ""))),
            place=piece.place,
            marker=marker,
            number_name=self.number_name if marker else "",
            is_part=self.task.total_chunks > 1 or piece.length < len(self.task.content),
            is_list=True,
            links=self.links,
            list_name=self.list_name,
            complaints=complaints,
            was_empty=was_empty,
        )

    def _there_already(self) -> str:
        """Say which records are there, by what names each: who is asked about the rest need not give them again."""
        held = sorted(self.shelf.records(), key=place_of)
        named = dict.fromkeys(str(lead)[:_LONGEST_NAME] for one in held if (lead := self.placing.lead(one.record)))
        ends = accumulate(len(name) + 2 for name in named)
        names = [name for name, end in zip(named, ends, strict=True) if end <= _MOST_NAMED]
        more = f" and {len(named) - len(names)} more" if len(names) < len(named) else ""
        return f"Records that are there already: {'; '.join(names)}{more}" if names else ""

    def ask_for_the_rest(self, recovery: Recovery) -> None:
        """Ask about units of the records' groups that have none, alone, while that may help.

        No question is asked twice, and none more once an answer brought nothing: who has nothing to say of the first of
        the units has nothing to say of the others, and who gave no record of the whole text gives none of its parts.
        Who gives little again and again is not asked for all of it.
        """
        is_barren = not any(self.shelf.records()) and not self.shelf.refused
        while not is_barren and not recovery.is_looping and (numbers := self.refine()._open_numbers()):
            sizes = {number: self.units[number].end - self.units[number].start for number in numbers}
            is_barren = True
            size = self.most_alone
            for run in batches(numbers, sizes, most_units=size, most_chars=MOST_CHARS_ALONE):
                complaints = self._complaints(run)
                if recovery.is_looping or (run, complaints) in self.questions:
                    continue
                self.questions.add((run, complaints))
                known, answered, left = self._known_of(run), len(self.shelf.by_unit), self._unsettled(run)
                recovery.run(
                    self, piece_of_units(self.task, [self.units[number] for number in run]), complaints=complaints
                )
                if left:
                    is_poor = self._unsettled(run) * 2 > left
                    self.poor_answers += 2 if len(self.shelf.by_unit) <= answered else int(is_poor)
                is_barren = self._known_of(run) <= known or self.poor_answers >= MOST_POOR_ANSWERS
                if is_barren or self.most_alone > size:
                    break

    def refine(self) -> Self:
        """Take other pieces for units where those say better what the records are: ``record_pieces.pieces_of``.

        Smaller ones where several records came from one (items of lists in sections), larger ones (sections of tables)
        where records with lists inside take in several, those of a further list where records have no unit.
        """
        held = sorted(self.shelf.records(), key=place_of)
        are_several = len(held) > len(self.shelf.by_unit)
        is_one_each = not are_several and all(len(one.numbers) <= 1 for one in held)
        stated, around = (sum(one.seen.count(where) for one in held) for where in ("inside", "around"))
        is_theirs = is_one_each and stated >= around  # else the records come from elsewhere: the names come again here
        if is_theirs or self.fields is not None or not self.task.spare:
            return self
        records = [one.record for one in held]
        if records == self.judged:
            return self
        self.judged = records
        homeless = [one.record for one in held if not one.numbers]
        known = weight_of({one.numbers: one.seen for one in self.shelf.by_unit.values()}.values())
        chosen = pieces_of(self.task, self.path, records, known=known, are_several=are_several, index=self.index)
        if not chosen and 1 < len(homeless) < len(held):
            beside = pieces_of(self.task, self.path, homeless, least=len(homeless), index=self.index)
            touched = self.placing.touched(spans_of(beside, self.task.start_char))
            chosen = tuple(piece for piece, is_touched in zip(beside, touched, strict=True) if not is_touched)
        if chosen:
            self._number_anew(chosen)
        return self

    def _unsettled(self, numbers: Sequence[int]) -> int:
        """Count the units of these that are neither answered nor skipped."""
        return len({*numbers} - self.shelf.by_unit.keys() - self.shelf.skipped)

    def _known_of(self, numbers: Sequence[int]) -> float:
        """Give a figure that rises with each unit of these that is answered, answered better, or skipped."""
        held = (self.shelf.by_unit[number] for number in numbers if number in self.shelf.by_unit)
        stated = sum(1 + one.seen.share + one.seen.count("inside") for one in held)
        return stated + sum(map(len, self.shelf.lists_beside())) + len(self.shelf.skipped & set(numbers))

    def _open_numbers(self) -> list[int]:
        """Give the units worth another question: each at most ``max_retries_per_chunk`` times more than once.

        Worth one are only units of the groups that gave the records, and that the model did not pass over. Required
        texts that are empty are asked about once.
        """
        self._number_begun()
        retries = self.config.max_retries_per_chunk
        most: dict[int, int] = {}
        if self.config.retry.on_validation_error:
            self.empty_values = self.shelf.empty_values()
            most = dict.fromkeys(self.empty_values, min(1, retries))
        most |= dict.fromkeys(self.ledger().missing, retries)
        passed = (self.shelf.skipped | self.shelf.answered_for) - self.shelf.by_unit.keys()
        room = most_records(self.schema, self.path)
        if room is not None and len([*self.shelf.records()]) >= room:
            return []
        return sorted(number for number, times in most.items() if self.asked[number] <= times and number not in passed)

    def _disputed(self) -> set[int]:
        """Give the units passed over that are built like records, where the question leaves none of them out."""
        claimed = self.shelf.skipped - self.shelf.by_unit.keys()
        elsewhere = self.shelf.units_of_others() if claimed else set[int]()
        given = self.shelf.by_unit.keys() | elsewhere
        return find_disputed(self.task, claimed - elsewhere, given, self.path.item_schema) if claimed else set()

    def _number_begun(self) -> None:
        """Number the pieces of further lists, apart from the units and like those with a record, that gave one, too."""
        given = [self.placing.spans[number] for number in self.shelf.by_unit]
        beside = [one.span for one in self.shelf.records() if one.span is not None and not one.numbers]
        groups: dict[int, list[NumberedUnit]] = {}
        for unit in whole_pieces(self.task.spare) if given and beside else ():
            groups.setdefault(unit.group, []).append(unit)
        for units in sorted(groups.values(), key=lambda units: (-units[0].score, units[0].end - units[0].start)):
            spans = spans_of(units, self.task.start_char)
            held = (sum(low <= start and end <= high for start, end in beside) for low, high in spans)
            if 1 in held and not any(self.placing.touched(spans)) and like_given({0: spans}, given, self.task.content):
                self._number_anew((*self.task.units, *units))
                self._number_begun()
                return

    def _number_anew(self, chosen: Sequence[NumberedUnit]) -> None:
        """Number these pieces from now on, and give all records that are known their places among them."""
        records = [one.record for one in sorted(self.shelf.records(), key=place_of)]
        outer, skipped = self.shelf.outer, self.shelf.skipped
        self._take_for_units(with_untouched(self.task.units, chosen))
        self.shelf.outer, self.shelf.skipped = outer, skipped
        self._take(whole_piece(self.task), Listing(records), self._checked(records, {}))

    def _complaints(self, numbers: Sequence[int]) -> tuple[str, ...]:
        refused = self.shelf.refused
        wrong = [said for number in numbers if number in refused for said in complaints_of(refused[number])]
        wrong += [complaint for number in numbers for complaint in self.empty_values.get(number, ())]
        return tuple(dict.fromkeys(wrong))

    # Answers

    def read(self, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Take the records of an answer."""
        was_cut = answer.stop_reason == "length"
        try:
            read = read_sound_answer(answer.text, self.schema)
        except UnreadableAnswer as error:
            return Verdict("cut" if was_cut else "invalid" if answer.text.strip() else "empty", (str(error),))
        was_cut = was_cut or read.cut
        if read.lossy and not was_cut and piece not in self.broken:
            self.broken[piece] = answer
            return Verdict("invalid", (NO_SOUND_JSON,))
        if read.lossy:
            self.warnings.append(LOSSY.format(self.task.chunk_index))
        piece = replace(piece, units=tuple(unit for unit in piece.units if unit.number in self.placing.spans))
        unwrapped = unwrap(read.value, self.schema)
        listing = find_records(unwrapped.data, self.path)
        if listing is None:
            return Verdict("invalid", (f"the answer holds no list at {self.path.pointer or 'its root'}",))
        shown = {*piece.numbers}
        numbers = {mark: number for number, mark in self.marks.items() if number in shown}
        said = {numbers[mark] for mark in unwrapped.skipped if mark in numbers}
        items = self._checked(listing.records, numbers)
        named = {number: self.placing.spans[number] for number in said}
        passed = Stretches(named.values())
        piece = self._adopt(piece, [item.value for item, _ in items])
        self.readable.add(piece)
        own = {number: self.placing.spans[number] for number in piece.numbers}
        inside = Stretches(own.values())
        self.passed_over |= {number for number, (start, end) in named.items() if not inside.touch(start, end)}
        said = {number for number, (start, end) in own.items() if passed.hold(start) and passed.hold(end - 1)}
        self.shelf.skipped |= said
        before = len(self.shelf.by_unit)
        complaints = self._take(piece, listing, items) + self.shelf.faults_around(self.task, self.path, piece)
        self._learn_size(piece)
        if was_cut:
            return self._after_a_cut(piece, gained=len(self.shelf.by_unit) > before)
        self.hollow.discard(piece)
        if listing.records and not items and not piece.alone:
            self.hollow.add(piece)
            return Verdict("invalid", ("the records hold nothing but null: use the schema's own names",))
        if not items and self._is_unsaid(piece):
            self.empty.add(piece)
            return Verdict("empty")
        return Verdict("invalid", complaints) if complaints else Verdict()

    def _learn_size(self, piece: Piece) -> None:
        """Ask about fewer units at a time when an answer came to less than half of them, about more when to all.

        But not about more than a question about units alone was once answered for.
        """
        done = len(piece.numbers) - self._unsettled(piece.numbers)
        if piece.alone and done < len(piece.numbers):
            self.enough_alone = max(LEAST_UNITS_ALONE, min(self.enough_alone, done))
        if done * 2 < len(piece.numbers):
            self.most_alone = max(LEAST_UNITS_ALONE, min(self.most_alone, done or self.most_alone // 2))
        elif piece.alone and done == len(piece.numbers) >= self.most_alone:
            self.most_alone *= 2
        self.most_alone = min(self.most_alone, self.enough_alone)

    def _is_unsaid(self, piece: Piece) -> bool:
        """Tell whether an answer without records left numbered pieces unmentioned, for the first time.

        A text without any, or all of whose pieces were passed over, may well hold no record.
        """
        return not piece.alone and piece not in self.empty and bool({*piece.numbers} - self.shelf.skipped)

    def _take(self, piece: Piece, listing: Listing, items: Sequence[Item]) -> tuple[str, ...]:
        """Give each record its unit and keep it; give the complaints about records that no unit can answer for."""
        around = {name: value for name, value in listing.outer.items() if [name] != read_pointer(self.path.pointer)}
        self.shelf.take_outer(around)
        self.shelf.begin_answer()
        checked = [item for item, _ in items]
        numbers = self.placing.place([item.value for item in checked], [number for _, number in items], piece.numbers)
        if not piece.alone:
            self.shelf.stretches = len({canonical(item.value) for item in checked}) < len(piece.numbers)
        named = list(zip(numbers, checked, strict=True))
        self.shelf.homes.update((number, canonical(item.value)) for number, item in named if number is not None)
        for number, item in named:
            self.shelf.begin_record()
            if number is not None and item.faults:
                self.shelf.refused[number] = item
            elif number is not None:
                self.shelf.take(piece, number, item.value)
        return self._take_all_beside(piece, [item for number, item in named if number is None])

    def _checked(self, records: Sequence[JsonValue], numbers: Mapping[int, int]) -> list[Item]:
        """Give the records coerced and validated, each with the unit that it names, without those that say nothing."""
        found: list[Item] = []
        for record in records:
            bare, mark = take_number(in_own_words(record, self.task.content), self.number_name)
            item = check(self.path.item_schema, bare, base_url=self.task.base_url)
            if item.faults or not says_nothing(item.value):
                found.append((item, None if mark is None else numbers.get(mark)))
        return found

    def _take_all_beside(self, piece: Piece, items: list[Checked]) -> tuple[str, ...]:
        """Keep records without a unit. Asked again about a text without units, the fuller answer counts, not both."""
        earlier = self.shelf.beside.pop(piece, [])
        self.shelf.beside[piece] = [] if not piece.units else earlier
        self.shelf.refused_beside[piece] = refused = [item for item in items if item.faults]
        for item in items:
            self.shelf.begin_record()
            if not item.faults:
                self.shelf.take_beside(piece, item.value)
        if len(self.shelf.beside[piece]) < len(earlier):
            self.shelf.beside[piece] = earlier
        if piece.units and self.shelf.by_unit:
            return ()
        return tuple(dict.fromkeys(complaint for item in refused for complaint in complaints_of(item)))

    def _adopt(self, piece: Piece, records: list[JsonValue]) -> Piece:
        """Make units of the pieces that the first records come from, where none or parts of them were numbered."""
        if piece.alone or not records or any(self.shelf.records()):
            return piece
        if are_fields(self.task, self.placing, records):
            return self._without_units(piece)
        if not self.task.spare:
            return piece
        distinct = list({canonical(record): record for record in records}.values())
        own = own_records(self.placing, distinct, self.placing.spans)
        known = weight_of(stated_in(self.placing, own).values())
        chosen = pieces_of(self.task, self.path, distinct, known=known, index=self.index)
        if not chosen:
            return self._without_units(piece) if only_mention(self.placing, own) else piece
        self._take_for_units(chosen)
        adopted = replace(piece, units=tuple(unit for unit in chosen if piece.holds(unit.start - self.task.start_char)))
        self.asked.update(adopted.numbers)
        return adopted

    def _without_units(self, piece: Piece) -> Piece:
        """Number nothing from now on: what was numbered are fields of the records, or text that only mentions them."""
        self.fields = {unit.number for unit in self.task.units}
        self._take_for_units(())
        return replace(piece, units=())

    def _take_for_units(self, chosen: tuple[NumberedUnit, ...]) -> None:
        """Number these pieces from now on, and none of the others."""
        numbers = {unit.number for unit in chosen}
        others = {unit.number: unit for unit in (*self.task.units, *self.task.spare) if unit.number not in numbers}
        self._set_up(replace(self.task, units=chosen, spare=tuple(others[number] for number in sorted(others))))

    def _after_a_cut(self, piece: Piece, *, gained: bool) -> Verdict:
        """Say how to go on: with the units not come to, alone; or with the text behind the last record."""
        if piece.units:
            reached = max((number for number in piece.numbers if number in self.shelf.by_unit), default=-1)
            self.asked.subtract(number for number in piece.numbers if gained and number > reached)
            if gained and reached >= 0 and not piece.alone and (rest := self._unread(piece, reached)):
                return Verdict("cut", rest=rest)
            return Verdict() if gained else Verdict("cut")
        start, end = piece.ranges[0]
        places = [held.span[1] for held in self.shelf.beside.get(piece, []) if held.span]
        if not places or not start < places[-1] < end:
            return Verdict("cut")
        return Verdict("cut", rest=part_of(self.task, piece, places[-1], end, ""))

    def _unread(self, piece: Piece, reached: int) -> Piece | None:
        """Give what follows the last unit that a cut answer came to, if that is more than units: text, other lists."""
        end = piece.ranges[0][1]
        last = self.placing.spans[reached][1]
        known = sum(stop - start for start, stop in self.placing.spans.values() if last <= start < end)
        return part_of(self.task, piece, last, end, "") if end - last - known > LEAST_SPLIT else None

    # Settling

    def settle(self, piece: Piece) -> bool:
        """Take what can be kept of refused records. Units are settled by the ledger; prose may well hold nothing."""
        if piece in self.broken and piece not in self.readable:
            return self.read(piece, self.broken[piece]).outcome != "empty"
        records = [self._mended(item) for item in self.shelf.refused_beside.pop(piece, [])]
        for record in (one for one in records if one is not None):
            self.shelf.take_beside(piece, record)
        return piece in self.readable and piece not in self.hollow and None not in records

    def mend_refused(self) -> list[str]:
        """Take refused records without the fields at fault; give complaints about those beyond that."""
        lost: list[str] = []
        for number, item in sorted(self.shelf.refused.items()):
            record = None if number in self.shelf.by_unit else self._mended(item)
            if record is not None:
                self.shelf.take(whole_piece(self.task), number, record)
            elif number not in self.shelf.by_unit:
                lost.extend(complaints_of(item))
        for piece, item in [(piece, one) for piece, items in self.shelf.refused_beside.items() for one in items]:
            lost += self.shelf.take_late(piece, item, self._mended(item))
        return lost

    def _mended(self, item: Checked) -> JsonValue:
        mended = mend(self.path.item_schema, item) or mend_incomplete(self.path.item_schema, item)
        if mended is None or says_nothing(mended[0]):
            return None
        self.refused.append(mended)
        self.warnings += left_out(mended[1], self.task.chunk_index, "of a record")
        return mended[0]

    def ledger(self) -> UnitLedger:
        """Give the account of the units as it stands; those of the schema's other lists count as skipped here."""
        elsewhere = self.shelf.units_of_others() - self.shelf.by_unit.keys()
        account = balance(
            self.task.units,
            self.shelf.by_unit.keys() | elsewhere,
            self.shelf.skipped - self._disputed(),
            has_others=any(self.shelf.beside.values()),
        )
        passed = elsewhere | find_remarks(
            self.task,
            self.units,
            account,
            self.asked,
            self.path.item_schema,
        )
        unit_numbers = {unit.number for unit in self.task.units}
        return replace(
            account,
            answered=tuple(number for number in account.answered if number not in elsewhere),
            skipped=tuple(sorted({*account.skipped, *passed, *(self.passed_over - unit_numbers)})),
            missing=tuple(number for number in account.missing if number not in passed),
        )

    def data(self) -> tuple[JsonValue, list[tuple[int, int] | None]]:
        """Give the instance of the schema, and its records' places in the page, both in page order."""
        held = sorted(self.shelf.records(), key=place_of)
        spans = [one.span and (one.span[0] + self.task.start_char, one.span[1] + self.task.start_char) for one in held]
        outer = rebuild(self.path, self.shelf.outer, [])
        sound = (
            check(self.schema, outer, is_part=True, base_url=self.task.base_url).value
            if isinstance(outer, dict)
            else None
        )
        return rebuild(self.path, sound if isinstance(sound, dict) else {}, [item.record for item in held]), spans
