"""Long pages: a model reads a sample, a recipe the rest, and a second sample decides doubts (RC-3)."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

from gleaner.chunking import MarkdownChunk, chunk_at
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonValue
from gleaner.extraction import ChunkEnds, chunk_tasks
from gleaner.extraction.link_numbers import LinkNumbers
from gleaner.results.record_lists import find_records, rebuild
from gleaner.tiers.outcomes import read_outcome
from gleaner.tiers.recipe_tier import (
    assembled,
    certified,
    count_of_records,
    learn_on,
    may_be_learned,
    may_be_taught,
    replay_on,
)
from gleaner.tiers.unit_account import UnitAccount, account_of, aside_of, letters_of
from gleaner.tiers.work import Work
from gleaner.units import BEGINNING, ROUND_SCORE, PlacedUnit, primary_units
from gleaner.wrappers import Example, Recipe, Replay

LONG_PAGE = 80
"""From so many units on, a model reads a sample and a recipe the rest."""

ONE_PROMPT = 32_000
"""Characters as a prompt shows them, about 8,000 tokens: what fits is read whole. On ten pages of 80 to 143 records,
samples cost 36 calls where 11 were enough."""

LARGEST_SAMPLE = 0.25
"""A sample that is more of the page saves too little for the calls that may follow it."""

SAMPLE = 25
_LEAST_SAMPLE = 8
_PIECES = 3
"""So many pieces a record may have where nothing is a listing by its looks."""

_SHORT_PREAMBLE = 2_000
"""Characters above the first unit that are read with the sample: a title, a filter, an introduction."""


def sample_chunks(work: Work, chunks: Sequence[MarkdownChunk]) -> tuple[Sequence[MarkdownChunk], list[int]]:
    """Give the chunks, and the indices of those to ask a model about: all; of a long page that lists units a sample.

    It begins where the units do, not at the menu above them, and ends after a few of them.
    """
    every = [chunk.chunk_index for chunk in chunks]
    if not may_be_learned(work) or not chunks or work.records_at is None or _fits_one_prompt(work):
        return chunks, every
    starts = _starts(work, chunks[0].start_char, len(work.markdown))
    if len(starts) <= _LEAST_SAMPLE:
        return chunks, every
    move = _ends(work)
    begin = _beginning(work, chunks[0].start_char, starts[0])
    end = move(begin, _border(work, starts, min(SAMPLE * _pieces(work), len(starts) - 1)))
    if end - begin > LARGEST_SAMPLE * len(work.markdown):
        return chunks, every
    cut = _cut(work, move, *([begin] if begin > chunks[0].start_char else []), end)
    return cut, [chunk.chunk_index for chunk in cut if begin <= chunk.start_char < end]


def _fits_one_prompt(work: Work) -> bool:
    return len(LinkNumbers.of(work.markdown, work.schema).show(work.markdown)) <= ONE_PROMPT


def _beginning(work: Work, start: int, first: int) -> int:
    """Give where the sample begins: at the page's own beginning, or at the block or heading before the first unit."""
    if first - start <= _SHORT_PREAMBLE:
        return start
    block = work.markdown.rfind("\n\n", start, first) + 2
    heading = work.markdown.rfind("\n\n", start, max(start, block - 2)) + 2
    return heading if heading > start and work.markdown.startswith("#", heading) else max(start, block)


def answer_from_samples(work: Work, samples: Sequence[ExtractionResult]) -> ExtractionResult | None:
    """Give the whole page's answer by a recipe learned from its samples; None when it is not beyond doubt.

    After the first sample, a second one has then been cut where the doubt is, if that is of use.
    """
    known = [_proven_part(work, one, is_first=at == 0) for at, one in enumerate(samples)]
    if work.schema is None or None in known or any(map(_lacks_some, repeat(work), samples, work.content.asked)):
        return None
    doubtful = len(work.markdown) // 2
    recipe = _learned(work, known)
    if recipe is not None:
        replayed = _with_asides(work, replay_on(work, recipe))
        usage = sum((one.usage for one in samples[1:]), samples[0].usage)
        answer = certified(work, replayed, usage, may_be_short=True) if replayed and replayed.holds else None
        if replayed is not None and answer is not None:
            work.sampled.append((recipe, replayed))
            return answer
        doubtful = _place_in_doubt(work, replayed, doubtful) if replayed else doubtful
    if len(samples) == 1:
        _cut_again(work, doubtful, count_of_records(work, samples[0].data))
    return None


def _lacks_some(work: Work, found: ExtractionResult, chunk: int) -> bool:
    """Tell whether a sample lacks a piece that it shows: a recipe would learn to leave out such, too."""
    begin, end = [*work.content.chunk_starts, len(work.markdown)][chunk : chunk + 2]
    missing = [(one.start, one.end) for one in found.completeness.missing]
    return any(a is not None and b is not None and begin <= a and b <= end for a, b in missing)


def _proven_part(work: Work, found: ExtractionResult, *, is_first: bool) -> JsonValue:
    """Give a sample's data without a first or last record that its border cut; None when others are not proven.

    The first sample has no border before it.
    """
    path = work.records_at
    listing = find_records(found.data, path) if path is not None else None
    if path is None or listing is None or may_be_taught(found, is_whole=False):
        return found.data if listing is not None else None
    steps = len(read_pointer(path.pointer))
    unproven = [read_pointer(entry.pointer)[steps:] for entry in found.provenance if entry.status == "ungrounded"]
    cut = {int(one[0]) if one and one[0].isdigit() else -1 for one in unproven}
    last = len(listing.records) - 1
    if not cut or not cut <= {0, last} or (is_first and 0 in cut):
        return None
    return rebuild(path, listing.outer, listing.records[0 in cut : last if last in cut else None])


def _learned(work: Work, samples: Sequence[JsonValue]) -> Recipe | None:
    earlier = [Example(work.page, data, is_whole=False, is_first=True) for data in samples[:-1]]
    return learn_on(work, samples[-1], earlier, {}, is_whole=False, is_first=len(samples) == 1).recipe


def _with_asides(work: Work, replayed: Replay | None) -> Replay | None:
    """Note how many pieces a sampled record has, and those outside of which a model has said that they hold none."""
    account = account_of(work, replayed) if replayed is not None else None
    if replayed is None or account is None:
        return replayed
    read = (read_outcome(work.plan, index, work.services) for index in work.content.asked)
    passed = {number for one in read for number in one.skipped}.intersection(account.outside)
    said = frozenset(aside_of(letters_of(work, number)) for number in passed)
    return replace(replayed, units=_most_units(work, account), asides=said)


def _most_units(work: Work, account: UnitAccount) -> int:
    """Give how many pieces a record has at most of those that a sample shows whole."""
    starts = [*work.content.chunk_starts, len(work.markdown)]
    shown = [(starts[index], starts[index + 1]) for index in work.content.asked]
    pairs = [(span, len(own)) for span, own in zip(account.spans, account.inside, strict=True) if span is not None]
    return max((count for (start, end), count in pairs if any(a <= start and end <= b for a, b in shown)), default=0)


def _place_in_doubt(work: Work, replayed: Replay, otherwise: int) -> int:
    """Give about where the page says what the recipe can't be sure of."""
    if replayed.doubtful is not None:
        return int(len(work.markdown) * replayed.doubtful)
    missing = assembled(work, replayed).completeness.missing if replayed.holds else []
    return next((one.start for one in missing if one.start is not None), otherwise)


def _cut_again(work: Work, doubtful: int, found: int) -> None:
    """Cut a second sample around a place, with as many units as hold about as many records as the first should have."""
    content = work.content
    first = content.asked[0]
    first_begin, first_end = content.chunk_starts[first], content.chunk_starts[first + 1]
    starts = _starts(work, first_end, len(work.markdown))
    size = SAMPLE * max(1, SAMPLE // max(1, found))
    if len(starts) < 2 * size:
        return
    at = min(max(0, bisect_left(starts, doubtful) - size // 2), len(starts) - size - 1)
    move = _ends(work)
    begin = move(first_end, _border(work, starts, at))
    end = move(begin, _border(work, starts, at + size))
    chunks = _cut(work, move, *([first_begin] if first_begin else []), first_end, begin, end)
    chosen = next((chunk for chunk in chunks if chunk.start_char == begin), None)
    if chosen is None or chosen.end_char != end:
        return
    work.store.write_tasks(
        chunk_tasks(
            chunks,
            content.placed_units,
            query=work.plan.request.query,
            schema=work.schema,
            base_url=content.base_url,
        )
    )
    content.chunk_starts = [chunk.start_char for chunk in chunks]
    content.asked = [first, chosen.chunk_index]
    content.waiting = [chunk.chunk_index for chunk in chunks if chunk.chunk_index not in content.asked]


def _border(work: Work, starts: Sequence[int], at: int) -> int:
    """Give where a unit begins, or a little farther down a piece that holds some: it parts no record from its head.

    Where nothing is a listing by its looks, most ways to join the pieces to records begin one there.
    """
    first, last = starts[at], starts[min(at + SAMPLE // 2, len(starts) - 1)]
    content = work.content
    if not primary_units(content.placed_units):
        joined = Counter(one.start for one in content.placed_units if one.group_score == ROUND_SCORE)
        begins = [start for start in starts if first <= start < last]
        marked = [start for start in begins if BEGINNING.match(work.markdown, start)]
        return max(marked or begins, key=lambda start: (joined[start], -start), default=first)
    begun = [unit for unit in content.whole_units if first <= unit.start < last]
    largest = max(begun, key=lambda unit: unit.end - unit.start, default=None)
    return next((unit.start for unit in begun if largest and unit.group == largest.group), first)


def _ends(work: Work) -> ChunkEnds:
    return ChunkEnds(work.markdown, work.content.placed_units)


def _cut(work: Work, move: ChunkEnds, *places: int) -> list[MarkdownChunk]:
    config = work.plan.request.config
    return chunk_at(work.markdown, places, config.max_chunk_chars, config.overlap_lines, move=move)


def _starts(work: Work, start: int, end: int) -> list[int]:
    return [unit.start for unit in _listed(work) if start < unit.start < end]


def _listed(work: Work) -> Sequence[PlacedUnit]:
    """Give the many units that a long page lists: the primary ones, or others that hold most of its text; else none.

    Not the pieces that primary units are made of: a short page may have many of those.
    """
    placed = work.content.placed_units
    primary = primary_units(placed)
    if len(primary) >= LONG_PAGE or _holds_most(work, primary):
        return primary if len(primary) >= LONG_PAGE else ()
    groups: dict[int, list[PlacedUnit]] = {}
    for unit in placed:
        groups.setdefault(unit.group, []).append(unit)
    least = LONG_PAGE * _pieces(work)
    large = [group for group in groups.values() if len(group) >= least and _holds_most(work, group)]
    return max(large, key=lambda group: group[0].group_score, default=())


def _pieces(work: Work) -> int:
    """Give how many pieces of the page a record may have: several where nothing wraps those, else 1."""
    placed = work.content.placed_units
    return _PIECES if not primary_units(placed) and any(one.group_score == ROUND_SCORE for one in placed) else 1


def _holds_most(work: Work, units: Sequence[PlacedUnit]) -> bool:
    return 2 * sum(one.end - one.start for one in units) > len(work.markdown)
