"""How a replayed answer accounts for the units of a page: which its records answer, and which are known to be none."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby

from gleaner.completeness.ledger import spare_units
from gleaner.contracts.ports import JsonValue
from gleaner.extraction import ChunkExtractionResult
from gleaner.extraction.follow_up.sources import source_of
from gleaner.grounding.alignment import align_records
from gleaner.results.tasks import ChunkTask
from gleaner.tiers.record_places import Account, RecordPlaces, Sections, account_for, find_places, find_sections
from gleaner.tiers.work import Work
from gleaner.units import PlacedUnit, primary_units
from gleaner.units.vocabulary import OTHER_THINGS
from gleaner.wrappers import Interlude, Replay
from gleaner.wrappers.interludes import own_text

_LONGEST_ASIDE = 200
_LOOKED_AT = 20
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"#{1,6}[ \t]+[^\n]+(?=\n)")
_TARGET = re.compile(r"\]\([^()\s]*\)")


def aside_of(letters: str) -> str:
    """Give what a piece of a page is known again by: its letters, or what they are hashed to where they are many.

    >>> aside_of("Imprint"), aside_of("Imprint" * 40) == aside_of("imprint" * 40), len(aside_of("Imprint" * 40))
    ('Imprint', False, 33)
    """
    return letters if len(letters) <= _LONGEST_ASIDE else f"#{sha256(letters.encode()).hexdigest()[:32]}"


def leaves_in(value: JsonValue) -> Iterator[JsonValue]:
    """Give the scalars of a value, through objects and lists."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from leaves_in(one)
    else:
        yield value


def outcomes(work: Work, replayed: Replay) -> Iterator[ChunkExtractionResult]:
    """Give the ways to account for the page's units, one after the other, as long as they are asked for.

    On a page that has units each record must have one of its own: an advertisement read as a record has none. Records
    with lists of objects are not accounted for by their containers: the pieces inside are counted against the lists.
    """
    if (by_pieces := _outcome_by_pieces(work, replayed)) is not None:
        yield by_pieces
    by_records = _outcome(work, replayed)
    if not primary_units(work.content.whole_units) or len(by_records.answered) >= len(by_records.record_spans):
        yield by_records
    if replayed.texts:
        return
    ways = (_outcome_by_containers(work, replayed), _outcome_by_sections(work, replayed))
    yield from (one for one in ways if one is not None)


def _outcome_by_pieces(work: Work, replayed: Replay) -> ChunkExtractionResult | None:
    """Account for records that nothing wraps by the pieces that most of them come from, if each has its own."""
    path = work.records_at
    if path is None or primary_units(work.content.whole_units):
        return None
    placed = work.content.placed_units
    task = ChunkTask(content=work.markdown, spare=spare_units(placed))
    records = list(replayed.records)
    numbers = [unit.number for unit in source_of(task, path, records).units]
    spans = [(placed[number].start, placed[number].end) for number in numbers]
    homes = align_records(records, work.markdown, spans, schema=path.item_schema)
    own = [numbers[at] for at in homes if at is not None]
    if not own or len({*own}) < len(records):
        return None
    places = [(placed[number].start, placed[number].end) for number in own]
    return ChunkExtractionResult(data=replayed.data, record_spans=[*places], answered=sorted(own))


def _outcome_by_containers(work: Work, replayed: Replay) -> ChunkExtractionResult | None:
    """Account for the page's units by the containers that they stand in; None when some are not accounted for.

    No container may have more units than one had where the recipe was learned: a record could hide there.
    """
    account = account_of(work, replayed)
    if account is None or account.most > max(1, replayed.units):
        return None
    known = [number for number, letters in account.outside.items() if aside_of(letters) in replayed.asides]
    if len(known) < len(account.outside):
        return None
    skipped = sorted({*account.inside, *known})
    return ChunkExtractionResult(
        data=replayed.data, record_spans=[*account.places], answered=account.answered, skipped=skipped
    )


def _outcome_by_sections(work: Work, replayed: Replay) -> ChunkExtractionResult | None:
    """Account for records that are sections of the page: the pieces that begin inside have titles that are known."""
    sections = _sections(work, replayed)
    if sections is None or not all(title in replayed.asides for title in map(aside_of, sections.inside.values())):
        return None
    return ChunkExtractionResult(
        data=replayed.data,
        record_spans=[*sections.places],
        answered=sections.answered,
        skipped=sorted({*sections.inside} - {*sections.answered}),
    )


def titles_inside(work: Work, replayed: Replay) -> list[str]:
    """Give the letters of the titles of pieces that begin inside of records that are sections."""
    sections = _sections(work, replayed)
    return sorted({*sections.inside.values()}) if sections else []


def pieces_beside(work: Work, replayed: Replay) -> dict[int, str]:
    """Give what the units are known by that are built like records with lists and are none, as a row of heads."""
    units = work.content.whole_units
    found = find_places(replayed.texts, replayed.records, work.markdown, units) if replayed.texts else None
    return _names_beside(work, found) if found else {}


def _lists_other_things(work: Work, number: int) -> bool:
    """Tell whether a unit is a section of the page under a title such as "You may also like", and no main unit."""
    unit = work.content.whole_units[number]
    title = _HEADING.match(work.markdown[unit.start : unit.end])
    is_main = any(one is unit for one in primary_units(work.content.whole_units))
    return title is not None and not is_main and OTHER_THINGS.search(title[0]) is not None


def _names_beside(work: Work, found: RecordPlaces) -> dict[int, str]:
    """Give the letters of such pieces; of a section that is no main unit, as "You may also like", its title's."""
    units = work.content.whole_units
    main = {id(unit) for unit in primary_units(units)} if found.others else set[int]()
    texts = {number: work.markdown[units[number].start : units[number].end] for number in found.others}
    titles = {number: _HEADING.match(text) for number, text in texts.items() if id(units[number]) not in main}
    return {
        number: _letters(title[0]) if (title := titles.get(number)) else _letters(_TARGET.sub("]", text))
        for number, text in texts.items()
    }


def _sections(work: Work, replayed: Replay) -> Sections | None:
    texts = [own_text(box) for box in replayed.boxes]
    return find_sections(texts, work.markdown, work.content.whole_units) if texts else None


def account_of(work: Work, replayed: Replay) -> Account | None:
    """Give what units the containers have; None when some can't be found, or runs of siblings have some more."""
    if not replayed.boxes:
        return None
    texts = [own_text(box) for box in replayed.boxes]
    are_runs = any(len(box.elements) > 1 for box in replayed.boxes)
    return account_for(texts, work.markdown, work.content.whole_units, are_runs=are_runs)


def _outcome(work: Work, replayed: Replay) -> ChunkExtractionResult:
    units = work.content.whole_units
    found = find_places(replayed.texts, replayed.records, work.markdown, units) if replayed.texts else None
    if found is not None:
        skipped = {unit for row in found.rows for unit in _units_of_none(work, row, replayed.interludes)}
        beside = _names_beside(work, found)
        skipped |= {number for number, name in beside.items() if aside_of(name) in replayed.asides}
        skipped |= {number for number in beside if _lists_other_things(work, number)}
        answered = found.answered if skipped >= found.others else []
        return ChunkExtractionResult(
            data=replayed.data,
            record_spans=[*found.places],
            answered=answered,
            skipped=sorted(skipped.union(found.titles)),
        )
    numbers = _unit_numbers(work, replayed.records, units)
    answered = sorted({number for number in numbers if number is not None})
    passed = {*_units_of_none(work, numbers, replayed.interludes)}
    return ChunkExtractionResult(
        data=replayed.data,
        record_spans=[None if number is None else (units[number].start, units[number].end) for number in numbers],
        answered=answered,
        skipped=sorted(passed),
    )


def _units_of_none(work: Work, numbers: Sequence[int | None], interludes: Sequence[Interlude]) -> list[int]:
    """Give the units that are known to be no records: each says what an interlude between the same records says."""
    units = work.content.whole_units
    answered = [number for number in numbers if number is not None]
    starts = [units[number].start for number in answered]
    if not interludes or len(answered) < len(numbers) or starts != sorted(starts):
        return []
    groups = {units[number].group for number in answered}
    waiting = Counter((one.after, _letters(one.text)) for one in interludes)
    found: list[int] = []
    for number, unit in enumerate(units):
        place = (bisect_left(starts, unit.start), _said(work.markdown[unit.start : unit.end]))
        if unit.group in groups and number not in answered and waiting[place]:
            waiting[place] -= 1
            found.append(number)
    return found


def _unit_numbers(work: Work, records: Sequence[JsonValue], units: Sequence[PlacedUnit]) -> list[int | None]:
    """Give each record's unit: the k-th of a group of as many that say the records, else by what units state."""
    path = work.records_at
    if path is None:
        return []
    positions = {id(unit): number for number, unit in enumerate(units)}
    primary = primary_units(units)
    for group in dict.fromkeys(unit.group for unit in primary):
        members = sorted((unit for unit in primary if unit.group == group), key=lambda unit: unit.start)
        if len(members) == len(records) and _say_the_records(work.markdown, members, records):
            return [positions[id(unit)] for unit in members]
    chosen = [positions[id(unit)] for unit in primary]
    spans = [(units[number].start, units[number].end) for number in chosen]
    aligned = align_records(list(records), work.markdown, spans, schema=path.item_schema)
    return [None if at is None else chosen[at] for at in aligned]


def _say_the_records(markdown: str, members: Sequence[PlacedUnit], records: Sequence[JsonValue]) -> bool:
    """Tell whether the k-th unit says something of the k-th record: the page's three parts are not its three records.

    Looked at are some of them; a record without a text is not.
    """
    for at in range(0, len(records), max(1, len(records) // _LOOKED_AT)):
        texts = [said for leaf in leaves_in(records[at]) if isinstance(leaf, str) and (said := _letters(leaf))]
        unit = _letters(markdown[members[at].start : members[at].end])
        if texts and not any(text in unit for text in texts):
            return False
    return True


def _said(markdown: str) -> str:
    """Give the letters and digits of a unit's Markdown; those of a cell over several columns once."""
    cells = [_letters(cell) for cell in _TARGET.sub("]", markdown).split("|")]
    return "".join(cell for cell, _ in groupby(cells))


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text))
