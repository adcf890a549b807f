"""Extract one chunk with a model: one call, and what recovery needs (EX-3 to EX-8). The Map state's task."""

from collections.abc import Sequence
from typing import Any

from gleaner.budget.guard import BudgetGuard
from gleaner.budget.prices import Price
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import BudgetExceeded, GleanerError, InternalError, TransientError
from gleaner.contracts.models import ExtractionConfig, MissingUnit
from gleaner.contracts.ports import Model, ModelAnswer, ModelRequest
from gleaner.extraction.calling import Caller, model_name
from gleaner.extraction.chunk_cache import ChunkCache, cache_key, from_cache, to_cache
from gleaner.extraction.listing import ListReader
from gleaner.extraction.pieces import unmarked_piece, whole_piece
from gleaner.extraction.record_pieces import heads_of_columns
from gleaner.extraction.recovery import Recovery
from gleaner.extraction.single import ObjectReader, TextReader
from gleaner.page.model import Part
from gleaner.results.merging import canonical
from gleaner.results.record_lists import find_records
from gleaner.results.refused import dropped, of_records
from gleaner.results.tasks import CallLimits, ChunkExtractionResult, count
from gleaner.schemas import record_path

_EXCERPT = 160


def extract_chunk(
    task: Part,
    model: Model,
    *,
    config: ExtractionConfig | None = None,
    guard: BudgetGuard | None = None,
    cache: ChunkCache | None = None,
    limits: CallLimits | None = None,
    resume: ChunkCache | None = None,
    raises_transient: bool = True,
) -> ChunkExtractionResult:
    """Give what the model finds in one chunk.

    Records that the chunk's text does not speak for are left out, units without a record are asked for again, and
    what is still missing is named. A failure ends in ``errors``, with all that was found before it kept; only
    RateLimited, ModelUnavailable and their like go through, for the state machine to retry later, unless
    ``raises_transient`` is false. ``resume`` keeps single answers of one job, so that such a retry pays for none
    twice; ``cache`` keeps complete results across jobs (EX-8). InvalidSchema for one that can't be enforced.
    """
    config = config or ExtractionConfig()
    key = cache_key(task, model_name(model), config.ungrounded) if cache else ""
    known = cache.get(key) if cache else None
    if known is not None:
        return from_cache(task, known)
    caller = Caller(model, guard or BudgetGuard(), limits or CallLimits(), resume, task.chunk_index)
    recovery = Recovery(task, caller, config, raises_transient=raises_transient)
    result = _extract(task, config, recovery)
    result.structural_context = task.structural_context
    result.retries = max(0, caller.usage.calls - 1)
    if cache and result.is_complete:
        cache.put(key, to_cache(task, result))
    result.usage = caller.usage
    return result


def _extract(task: Part, config: ExtractionConfig, recovery: Recovery) -> ChunkExtractionResult:
    if task.schema is None:
        return _extract_text(task, recovery)
    path = record_path(task.schema)
    if path is None:
        return _extract_object(task, recovery)
    return _extract_list(ListReader(task, path, config), recovery)


def _guarded(recovery: Recovery, *runs: Any) -> None:
    """Run the parts of an extraction; a cap or a model's refusal ends them, and what was found stays."""
    try:
        for run in runs:
            run()
    except TransientError:
        raise
    except BudgetExceeded as error:
        recovery.fail_with(error)
    except GleanerError as error:
        recovery.fail_with(error)


def _extract_text(task: Part, recovery: Recovery) -> ChunkExtractionResult:
    reader = TextReader(task)
    _guarded(recovery, lambda: recovery.run(reader, unmarked_piece(task)))
    if reader.was_cut:
        recovery.fail(
            ErrorType.OUTPUT_CUT, "the answer in words was cut by the output limit, or by a cap", fallback=True
        )
    return ChunkExtractionResult(chunk_index=task.chunk_index, data=reader.data, errors=recovery.errors)


def _extract_object(task: Part, recovery: Recovery) -> ChunkExtractionResult:
    reader = ObjectReader(task)
    _guarded(recovery, lambda: recovery.run(reader, unmarked_piece(task)))
    return ChunkExtractionResult(
        chunk_index=task.chunk_index,
        data=reader.data,
        refused=reader.refused,
        errors=recovery.errors,
        warnings=reader.warnings,
    )


def _extract_list(reader: ListReader, recovery: Recovery) -> ChunkExtractionResult:
    task = reader.task
    _guarded(
        recovery,
        lambda: recovery.run(reader, whole_piece(task)),
        lambda: reader.ask_for_the_rest(recovery),
    )
    task = reader.refine().task
    complaints = reader.mend_refused()
    if complaints:
        more = f"; and {len(complaints) - 3} more" if len(complaints) > 3 else ""
        recovery.fail(ErrorType.VALIDATION_ERROR, "; ".join(complaints[:3]) + more, exhausted=True)
    ledger = reader.ledger()
    headed, headless = _columns(reader)
    missing = _missing(task, sorted({*ledger.missing, *headless}))
    if missing:
        recovery.fail(
            ErrorType.MISSING_UNITS,
            _missing_message(missing, len(task.units) or len(headed | headless)),
            exhausted=not recovery.errors,
        )
    data, spans = reader.data()
    listing = find_records(data, reader.path)
    passed = (reader.fields or set()) | (reader.shelf.skipped & {unit.number for unit in task.spare})
    return ChunkExtractionResult(
        chunk_index=task.chunk_index,
        data=data,
        record_spans=spans,
        refused=of_records(listing.records if listing else (), reader.refused, reader.path),
        answered=[*ledger.answered, *sorted(headed)],
        skipped=sorted({*ledger.skipped, *passed}),
        missing=missing,
        errors=recovery.errors,
        warnings=[*reader.warnings, *_losses(reader)],
    )


def _columns(reader: ListReader) -> tuple[set[int], set[int]]:
    """Give the pieces that head columns with a record and without one, where the units were the records' fields."""
    if reader.fields is None or reader.task.units:
        return set(), set()
    return heads_of_columns(reader.task, reader.placing.index, [one.record for one in reader.shelf.records()])


def _missing(task: Part, numbers: Sequence[int]) -> list[MissingUnit]:
    units = {unit.number: unit for unit in (*task.units, *task.spare)}
    return [
        MissingUnit(
            unit=number,
            chunk=task.chunk_index,
            start=units[number].start,
            end=units[number].end,
            text=task.content[units[number].start - task.start_char :][: units[number].end - units[number].start][
                :_EXCERPT
            ],
        )
        for number in numbers
    ]


def _missing_message(missing: Sequence[MissingUnit], total: int) -> str:
    named = ", ".join(f'#{unit.unit} "{" ".join(unit.text.split())[:60]}"' for unit in missing[:3])
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    return f"the model gave no record for {len(missing)} of {total} items that the page lists: {named}{more}"


def _losses(reader: ListReader) -> list[str]:
    """Say which records of the answers were left out, and why."""
    where = f"chunk {reader.task.chunk_index}"
    said: list[str] = []
    placed_later = {canonical(held.record) for held in reader.shelf.records()} if reader.shelf.invented else set[str]()
    if invented := [one for one in reader.shelf.invented if canonical(one) not in placed_later]:
        said.append(f"{where}: dropped {dropped(invented)}: not found in the text")
    if reader.shelf.repeated:
        said.append(f"{where}: dropped {dropped(reader.shelf.repeated)}: given twice")
    if not any(reader.shelf.records()) and (passed := reader.shelf.skipped & {*reader.marks}):
        none = f"the model gave no record for any of the {count(passed, 'item')} that the page lists"
        said.append(f"{where}: {none}; say in the query what a record is")
    return said


class NobodyAnswers:
    """Stands in for a model where only what was paid for is read again."""

    def __init__(self, name: str) -> None:
        self.name = name

    def answer(self, request: ModelRequest) -> ModelAnswer:  # noqa: ARG002
        """Raise: no question that was not answered before is asked."""
        raise InternalError("nothing more is asked")


def with_what_was_found(
    failure: ChunkExtractionResult,
    task: Part,
    paid: ChunkCache,
    *,
    model_name: str,
    config: ExtractionConfig,
    price: Price | None,
) -> ChunkExtractionResult:
    """Give a failure with all that the answers in ``paid`` say; as it is when there are none."""
    found = extract_chunk(task, NobodyAnswers(model_name), config=config, guard=BudgetGuard(price=price), resume=paid)
    if not found.usage.calls:
        return failure
    own = [error for error in found.errors if error.error_type is not ErrorType.INTERNAL_ERROR]
    return found.model_copy(update={"errors": [*failure.errors, *own], "retries": max(found.retries, failure.retries)})
