"""The recipe tier: answer from what was learned, and learn from what a model gave."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from gleaner.contracts.json_pointers import pointer_of, read_pointer
from gleaner.contracts.models import ExtractionResult, Usage
from gleaner.contracts.ports import JsonObject, JsonValue
from gleaner.extraction import ChunkExtractionResult, assemble
from gleaner.jobs.places import pages_of
from gleaner.page.model import Span
from gleaner.results.merging import canonical
from gleaner.results.record_lists import find_records, rebuild
from gleaner.results.settling import is_first_page, shows_less_than_it_states, tell_unread
from gleaner.schemas import RecordPath, declared_properties, declared_types
from gleaner.schemas.fields import fields_of
from gleaner.structured import Certified, labelled, read_named_fields
from gleaner.tiers.unit_account import account_of, aside_of, letters_of, outcomes
from gleaner.tiers.unstated import fields_to_ask
from gleaner.tiers.work import Work, open_stored, strategies_of, unless_it_fails
from gleaner.units import PlacedUnit
from gleaner.wrappers import (
    Example,
    KeptExample,
    Learned,
    Recipe,
    RecipeBook,
    Replay,
    learn_from,
    misreads,
    replay,
    same_data,
    told_apart,
)

KeptAs: TypeAlias = tuple[str, int]
"""A kept recipe: the id of its strategy, and its version."""


@dataclass(slots=True)
class Tried:
    """What the tiers without a model read of a page.

    ``recipes`` are those that were tried, and what each read, None for one that is for another part of the page;
    ``own`` is what the page's own data answers.
    """

    recipes: dict[KeptAs, Replay | None] = field(default_factory=dict["KeptAs", "Replay | None"])
    own: Certified | None = None


TOKEN = 4
"""Characters of a page that make about one token."""

_WORD = re.compile(r"\w+")
_TARGET = re.compile(r"\]\([^()\s]*\)")

_MOST_ASIDES = 60
EXAMPLE_RECORDS = 60
"""Of a long page, so many records are kept as an example."""
_UNSEEN = "no page that the recipe was learned from had it"


def answer_from_recipe(work: Work, tried: Tried) -> ExtractionResult | None:
    """Give the answer of the first recipe of the page's strategies whose checks, proof and certificate hold (RC-2).

    Recipes that were ``tried`` are skipped; the others are added to it, with what they read.
    """
    if not may_be_learned(work):
        return None
    book = RecipeBook(work.services.table, work.plan.ref.tenant)
    for strategy_id in strategies_of(work):
        for kept in book.recipes(strategy_id):
            if (strategy_id, kept.version) in tried.recipes:
                continue
            replayed = tried.recipes[strategy_id, kept.version] = replay_on(work, kept.recipe)
            answer = _certified_but_for_unstated(work, replayed, may_be_short=kept.recipe.short)
            book.record(strategy_id, kept.version, hit=answer is not None, use=work.plan.ref.job_id)
            if answer is not None:
                return answer
            work.content.declined["recipe"] = why_refused(replayed)
            book.note(strategy_id, "refused", f"{work.stored.source_url}: {work.content.declined['recipe']}")
    return None


def _certified_but_for_unstated(work: Work, replayed: Replay | None, *, may_be_short: bool) -> ExtractionResult | None:
    """Give the certified answer of a recipe that reads all, but for fields that the layout does not state."""
    if replayed is None or replayed.doubts or not replayed.absent >= {*replayed.unread}:
        return None
    if fields_to_ask(work, [*map(name_of, replayed.unread)], [*map(name_of, replayed.unseen)]):
        return None
    answer = certified(work, with_nulls(work, replayed), may_be_short=may_be_short)
    if answer is not None:
        answer.completeness.unread = [name_of(pointer) for pointer in (*replayed.unread, *replayed.unseen)]
    return answer


def answer_in_part(work: Work, tried: Tried) -> ExtractionResult | None:
    """Give what the recipe that reads the most fields beyond doubt read, where no model reads the others (RC-6)."""
    for _, replayed in sorted(usable_replays(tried), key=lambda one: len(one[1].unread)):
        answer = certified(work, with_nulls(work, replayed))
        if answer is not None:
            unread = {name_of(pointer): why for pointer, why in replayed.unread.items()}
            labels = labelled(unread, fields_of(work.schema, unread), work.markdown)
            unseen = dict.fromkeys(map(name_of, replayed.unseen), _UNSEEN)
            tell_unread(answer, unread | unseen, labels)
            return answer
    return None


def usable_replays(tried: Tried) -> list[tuple[KeptAs, Replay]]:
    """Give the recipes that find the records beyond doubt, and read some of the fields, but not all."""
    return [
        (kept, replayed)
        for kept, replayed in tried.recipes.items()
        if replayed is not None and not replayed.doubts and (replayed.unread or replayed.unseen) and replayed.records
    ]


def name_of(pointer: str) -> str:
    """Give the dotted name of a field by its pointer within a record; a field around the records has "^" before.

    >>> name_of("/offer/price"), name_of("^/shop")
    ('offer.price', 'shop')
    """
    return ".".join(read_pointer(pointer.removeprefix("^")))


def with_nulls(work: Work, replayed: Replay) -> Replay:
    """Say null for the fields that were not read, where the schema lets records say so."""
    path = work.records_at
    declared = declared_properties(path.item_schema if path else work.schema) if work.schema is not None else {}
    names = {step for pointer in replayed.unread if pointer.startswith("/") for step in read_pointer(pointer)[:1]}
    nulls = [name for name in names if name in declared and "null" in declared_types(declared[name])]
    records = [
        in_order({**dict.fromkeys(nulls), **one}, declared) if isinstance(one, dict) else one
        for one in replayed.records
    ]
    if path is None:
        return replace(replayed, data=records[0] if records else None, records=records)
    listing = find_records(replayed.data, path)
    return replace(replayed, data=rebuild(path, listing.outer if listing else {}, records), records=records)


def in_order(record: JsonObject, declared: Iterable[str]) -> JsonObject:
    """Give a record's properties in the order of the schema."""
    return {name: record[name] for name in (*(name for name in declared if name in record), *record)}


def why_refused(replayed: Replay | None) -> str:
    """Say in plain words why a recipe does not answer a page."""
    if replayed is None:
        return "it was learned for another part of the page"
    if replayed.doubts:
        return replayed.doubts[0]
    if replayed.unread:
        return "; ".join(f"{name.lstrip('/^')}: {why}" for name, why in replayed.unread.items())
    if replayed.unseen:
        return f"{', '.join(map(name_of, replayed.unseen))}: {_UNSEEN}"
    return "its answer is not proven, or not complete"


def may_be_learned(work: Work) -> bool:
    """Tell whether a recipe may answer the request, and be learned from an answer to it."""
    request = work.plan.request
    return work.schema is not None and "recipe" in request.config.tiers and not request.start_from_char


def replay_on(work: Work, recipe: Recipe) -> Replay | None:
    """Read the page by a recipe; None when that is for another part of it, or fails."""
    if recipe.css_selector != work.plan.request.css_selector or work.schema is None:
        return None
    replayed = unless_it_fails(replay, recipe, work.page, work.schema)
    told = _told_by_labels(work, replayed) if replayed is not None and replayed.absent else None
    return unless_it_fails(replay, recipe, work.page, work.schema, told) if told else replayed


def _told_by_labels(work: Work, replayed: Replay) -> dict[str, tuple[JsonValue, str]] | None:
    """Give the fields of a page about one thing that a recipe finds nowhere, and that a label of the page names."""
    if work.records_at is not None or replayed.doubts or not isinstance(replayed.data, dict):
        return None
    left = {pointer[1:] for pointer in replayed.absent}
    found = unless_it_fails(read_named_fields, work.page, work.schema, left, replayed.data)
    return {f"/{name}": told for name, told in (found or {}).items()}


def certified(
    work: Work, replayed: Replay, usage: Usage | None = None, *, may_be_short: bool = False
) -> ExtractionResult | None:
    """Give the replayed answer as a result when every value is proven and no record is missing; else None.

    A doubted value is served with its doubt.

    A page may state far more records than it shows, with ``may_be_short`` a few more, too: that answer is partial, as a
    model's would be.

    On a page that has units each record must have one of its own: an advertisement read as a record has none. Records
    with lists of objects are not accounted for by their containers: the pieces inside are counted against the lists.
    """
    ways = (_assembled(work, replayed, one, usage, may_be_short=may_be_short) for one in outcomes(work, replayed))
    return next(filter(None, ways), None)


def _assembled(
    work: Work, replayed: Replay, outcome: ChunkExtractionResult, usage: Usage | None, *, may_be_short: bool
) -> ExtractionResult | None:
    result = assemble_outcome(work, outcome)
    if not (replayed.zeros and differs_in_zeros_only(result)):
        is_short = may_be_short and shows_less_than_it_states(result)
        is_all = not result.is_partial or is_short or is_first_page(result)
        if not is_all or result.errors or not _is_proven(result):
            return None
    if _records_of(work, result.data) != _records_of(work, outcome.data):
        return None
    result.tier = "recipe" if usage is None else "model"
    result.usage = usage or Usage(saved_input_tokens=len(work.markdown) // TOKEN)
    return result


def assembled(work: Work, replayed: Replay) -> ExtractionResult:
    """Give a replayed answer as the first way to account for the page's units has it, complete or not."""
    return assemble_outcome(work, next(outcomes(work, replayed), ChunkExtractionResult()))


def assemble_outcome(
    work: Work, outcome: ChunkExtractionResult, units: Sequence[PlacedUnit] | None = None
) -> ExtractionResult:
    """Give an outcome for the whole page as a result, with its proof and its certificate by its ``units``."""
    return assemble(
        [outcome],
        page=work.page,
        units=work.content.placed_units if units is None else units,
        schema=work.schema,
        query=work.plan.request.query,
        config=work.plan.request.config,
        chunk_starts=work.content.chunk_starts,
    )


def differs_in_zeros_only(result: ExtractionResult, *, is_whole: bool = True) -> bool:
    """Tell whether all that a result lacks is proof of counts of 0, which the page leaves out, and the schema wants.

    A sample of a page (not ``is_whole``) lacks the page's other records, too.
    """
    found = result.completeness
    is_all = not is_whole or (not found.missing and found.expected in (None, found.returned))
    unsaid = [entry.value for entry in result.provenance if entry.status == "ungrounded"]
    are_zeros = bool(unsaid) and all(type(value) is int and value == 0 for value in unsaid)
    known = ("ungrounded",) if is_whole else ("ungrounded", "missing_units")
    return is_all and are_zeros and all(error.error_type in known for error in result.errors)


def lacks_only_proof(result: ExtractionResult) -> bool:
    """Tell whether a result has all the records of its page, and is partial for values without proof alone."""
    found = result.completeness
    is_all = not found.missing and found.expected in (None, found.returned)
    return is_all and all(error.error_type == "ungrounded" for error in result.errors)


def _records_of(work: Work, data: JsonValue) -> set[str]:
    """Give the records of an answer, for comparing: none that was read may be left out of what is served."""
    path = work.records_at
    listing = find_records(data, path) if path else None
    return {canonical(record) for record in (listing.records if listing else [data])}


def learn_on(
    work: Work,
    data: JsonValue,
    earlier: Sequence[Example],
    proofs: Mapping[str, Span],
    *,
    is_whole: bool = True,
    is_first: bool = False,
) -> Learned:
    """Learn from proven data of the page, all of it or a part, together with earlier ones."""
    if work.schema is None:
        return Learned(None, "there is no schema")
    examples = [*earlier, Example(work.page, data, is_whole, is_first, proofs)]
    made = unless_it_fails(learn_from, examples, work.schema, page_id=work.stored.page_id)
    return made or Learned(None, "learning failed by a fault of Gleaner; the log has it")


def proofs_of(found: ExtractionResult) -> dict[str, Span]:
    """Give where the page's text proves the values of a result, by their pointers."""
    proven = (one for one in found.provenance if one.status != "ungrounded" and one.source == "markdown")
    return {one.pointer: (one.start, one.end) for one in proven if one.start is not None and one.end is not None}


def _is_proven(found: ExtractionResult) -> bool:
    stated = [entry.status for entry in found.provenance]
    return found.data is not None and bool(stated) and "ungrounded" not in stated


def may_be_taught(found: ExtractionResult, *, is_whole: bool = True) -> bool:
    """Tell whether a recipe may be learned from a result: all its values are proven, but for counts of 0."""
    return _is_proven(found) or (found.data is not None and differs_in_zeros_only(found, is_whole=is_whole))


def keep_recipe(work: Work, extraction: ExtractionResult) -> None:
    """Learn a recipe from a result with all that the page shows, and keep it for the strategy's next page (RC-1)."""
    name, is_short = extraction.extraction_id, extraction.is_partial and not lacks_only_proof(extraction)
    if extraction.tier != "model" or name is None or not may_be_learned(work):
        return
    if is_short and not shows_less_than_it_states(extraction):
        return
    book = RecipeBook(work.services.table, work.plan.ref.tenant)
    if not may_be_taught(extraction):
        made = _learned_in_part(work, extraction)
        if made.recipe is None:
            book.note(name, "not_learned", made.reason)
        else:
            book.save(name, _with_units(work, made.recipe, _records_read(work, made)))
        return
    page = work.stored
    kept = [one for one in book.examples(name) if one.page_id != page.page_id]
    known = _stored(work, kept)
    data, proofs, reason = _shortened(work, extraction.data), proofs_of(extraction), ""
    alone = (
        [] if work.records_at is None else [at for at, one in enumerate(known) if count_of_records(work, one.data) < 2]
    )
    for earlier, others in _choices(known, alone, are_single=work.records_at is None):
        made, replayed = _learned(work, extraction.data, data, earlier, proofs)
        reason = reason or made.reason
        fitting = _fitting(work, made.recipe, earlier, others) if made.recipe is not None else None
        if fitting is not None:
            knows = [page.page_id, *(one.page_id for one in kept)] if not others else []
            recipe = _with_units(work, fitting, replayed)
            book.save(name, recipe.model_copy(update={"short": is_short}), knows=knows)
            break
    else:
        book.note(name, "not_learned", f"{page.source_url}: {reason}")
    is_whole = count_of_records(work, data) == count_of_records(work, extraction.data)
    book.remember(name, KeptExample(page.page_id, page.source_url, data, is_whole, proofs))


def _learned(
    work: Work, data: JsonValue, first: JsonValue, earlier: Sequence[Example], proofs: Mapping[str, Span]
) -> tuple[Learned, Replay | None]:
    """Learn from the ``first`` records of a long list if that reads them all, else from all; with what was read.

    What answered from a sample of the page has read them all already.
    """
    if work.sampled and not earlier:
        recipe, read = work.sampled[-1]
        return Learned(recipe), read
    if count_of_records(work, first) < count_of_records(work, data):
        made = learn_on(work, first, earlier, proofs, is_whole=False, is_first=True)
        replayed = _records_read(work, made)
        if replayed is not None and replayed.holds and same_data(replayed.data, data):
            return made, replayed
    made = learn_on(work, data, earlier, proofs)
    return made, _records_read(work, made)


def _records_read(work: Work, made: Learned) -> Replay | None:
    """Read the page by what was learned, where that reads records."""
    return replay_on(work, made.recipe) if made.recipe is not None and made.recipe.pointer is not None else None


def _learned_in_part(work: Work, extraction: ExtractionResult) -> Learned:
    """Learn from the records all of whose values are proven, if that reads the others as they are."""
    last, *others = proven_runs(extraction, work.records_at) or [None]
    if last is None:
        return Learned(None, "not every value of the result is proven")
    earlier = [
        Example(work.page, one.data, is_whole=False, is_first=one.is_first, proofs=one.proofs) for one in others if one
    ]
    made = learn_on(work, last.data, earlier, last.proofs, is_whole=False, is_first=last.is_first)
    replayed = replay_on(work, made.recipe) if made.recipe is not None else None
    if replayed is None or not replayed.holds:
        return Learned(None, f"not every value of the result is proven; {made.reason or why_refused(replayed)}")
    agrees = agree_but_for_unproven(replayed.records, extraction, work.records_at)
    return made if agrees else Learned(None, "what is proven and what the recipe reads differ")


def _choices(
    examples: Sequence[Example], alone: Sequence[int], *, are_single: bool
) -> Iterator[tuple[list[Example], list[Example]]]:
    """Give the earlier pages to learn from together with this one, and the other ones.

    All; all but one, as an odd one may have what no selector explains, if each is about one thing; the last one; none.
    A list with one record (``alone``) does not show where another would stand: it is among the other ones.
    """
    every = [at for at in range(len(examples)) if at not in alone]
    odd = [{at} for at in reversed(every)] if are_single and len(every) > 1 else []
    for left in dict.fromkeys(map(frozenset, [set[int](), *odd, {*every[:-1]}, {*every}])):
        without = left.union(alone)
        yield [one for at, one in enumerate(examples) if at not in without], [examples[at] for at in sorted(without)]


def _stored(work: Work, kept: Sequence[KeptExample]) -> list[Example]:
    pages = pages_of(work.plan, work.services)
    stored = [(one, pages.read(one.page_id)) for one in kept if pages.exists(one.page_id)]
    return [
        Example(open_stored(work.plan, work.services, page), one.data, one.is_whole, is_first=True, proofs=one.proofs)
        for one, page in stored
    ]


def _fitting(work: Work, recipe: Recipe, earlier: Sequence[Example], others: Sequence[Example]) -> Recipe | None:
    """Give a recipe that leaves the ``others`` to a model if it would serve for one what no model has read there.

    None where nothing tells such a page from those that it was learned from.
    """
    pages = [work.page, *(one.page for one in earlier)]
    for one in others:
        if (schema := work.schema) is not None and unless_it_fails(misreads, recipe, one, schema) is not False:
            apart = unless_it_fails(told_apart, recipe, one, schema, pages)
            if apart is None:
                return None
            recipe = apart
    return recipe


def _shortened(work: Work, data: JsonValue) -> JsonValue:
    """Give the data with the first records of a long list: they are enough to learn from."""
    path = work.records_at
    listing = find_records(data, path) if path else None
    return rebuild(path, listing.outer, listing.records[:EXAMPLE_RECORDS]) if path and listing else data


def _with_units(work: Work, recipe: Recipe, replayed: Replay | None) -> Recipe:
    """Note how the containers and the units of a page that was read whole go together."""
    account = account_of(work, replayed) if replayed is not None else None
    if account is None:
        return recipe
    pieces = [aside_of(letters_of(work, number)) for number in account.outside[:_MOST_ASIDES]]
    asides = tuple(sorted({*recipe.asides, *pieces})[:_MOST_ASIDES])
    return recipe.model_copy(update={"units": max(recipe.units, account.most), "asides": asides})


def count_of_records(work: Work, data: Any) -> int:
    """Give how many records an answer holds."""
    path = work.records_at
    listing = find_records(data, path) if path else None
    return len(listing.records) if listing else 1


_LEAST = 5
_MOST_RUNS = 2


class Run(NamedTuple):
    """The data of a run of a page's records with its proofs, and whether no other record stands before them."""

    data: JsonValue
    is_first: bool
    proofs: Mapping[str, Span]


def proven_runs(found: ExtractionResult, path: RecordPath | None) -> list[Run]:
    """Give the longest runs of records without a value that is not proven; none where something else is not proven.

    None either where no record of them has one of the properties that others were refused: it would seem to be absent.
    """
    listing = find_records(found.data, path) if path is not None else None
    if path is None or listing is None:
        return []
    records = listing.records
    refused = [*_unproven(found, path)]
    unproven = {one[0] if len(one) > 1 else None for one in refused}
    if not unproven <= {str(at) for at in range(len(records))}:
        return []
    runs = [[*run] for is_proven, run in groupby(range(len(records)), lambda at: str(at) not in unproven) if is_proven]
    chosen = sorted((run for run in runs if len(run) >= _LEAST), key=len, reverse=True)[:_MOST_RUNS]
    known = [records[at] for run in chosen for at in run]
    if not all(any(_has(one, name) for one in known) for name in {one[1] for one in refused}):
        return []
    proofs = proofs_of(found)
    return [
        Run(
            rebuild(path, listing.outer, records[run[0] : run[-1] + 1]),
            is_first=not run[0],
            proofs=_of_run(proofs, run, path),
        )
        for run in chosen
    ]


def _of_run(proofs: Mapping[str, Span], run: Sequence[int], path: RecordPath) -> dict[str, Span]:
    """Give the proofs of a run of the records alone, by their pointers in its data, which begin at 0."""
    base, found = read_pointer(path.pointer), dict[str, Span]()
    for pointer, span in proofs.items():
        steps, depth = read_pointer(pointer), len(base)
        if steps[:depth] == base and len(steps) > depth and run[0] <= int(steps[depth]) <= run[-1]:
            found[pointer_of((*base, str(int(steps[depth]) - run[0]), *steps[depth + 1 :]))] = span
    return found


def _has(record: JsonValue, name: str) -> bool:
    return isinstance(record, dict) and record.get(name) not in (None, [])


def agree_but_for_unproven(read: Sequence[JsonValue], found: ExtractionResult, path: RecordPath | None) -> bool:
    """Tell whether records say the same as an answer's, in all but the properties that are not proven there."""
    listing = find_records(found.data, path) if path is not None else None
    if path is None or listing is None or len(read) != len(listing.records):
        return False
    unproven = {tuple(one[:2]) for one in _unproven(found, path)}
    return all(
        same_data(_without(one, at, unproven), _without(wanted, at, unproven))
        for at, (one, wanted) in enumerate(zip(read, listing.records, strict=True))
    )


def _unproven(found: ExtractionResult, path: RecordPath) -> Iterator[list[str]]:
    """Give the steps from the list of records to each value that is not proven."""
    around = read_pointer(path.pointer)
    for entry in found.provenance:
        if entry.status == "ungrounded":
            steps = read_pointer(entry.pointer)
            yield steps[len(around) :] if steps[: len(around)] == around else []


def _without(record: JsonValue, at: int, unproven: set[tuple[str, ...]]) -> JsonValue:
    if not isinstance(record, dict):
        return record
    return {name: value for name, value in record.items() if (str(at), name) not in unproven}
