"""The outcome of a chunk, or what it gave before it failed."""

import json
import time

from gleaner.budget.prices import Price, price_of
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import NotFound
from gleaner.contracts.items import DAY_S
from gleaner.contracts.models import ExtractionError
from gleaner.contracts.ports import Item, Model, Services, TableStore
from gleaner.extraction import ChunkExtractionResult, model_name
from gleaner.extraction.chunk import with_what_was_found
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import JobRef, Plan
from gleaner.jobs.places import failure_key, outcome_key
from gleaner.tiers.work import unless_it_fails


def read_outcome(plan: Plan, index: int, services: Services) -> ChunkExtractionResult:
    """Give a chunk's stored outcome, else its failure with all that its answers gave before it (EX-5)."""
    known, model = stored_outcome(plan.ref, index, services), services.model
    if known is not None:
        return known
    failure = _failure(plan, index, services)
    if model is None:
        return failure
    found = unless_it_fails(
        with_what_was_found,
        failure,
        JobContent(services.blobs, plan.ref).task(index),
        paid_answers(plan, services.table, services),
        model_name=model_name(model),
        config=plan.request.config,
        price=price_of_model(model, services),
    )
    return found or failure


def _failure(plan: Plan, index: int, services: Services) -> ChunkExtractionResult:
    """Give a chunk's recorded failure; one that left none says so as an error."""
    try:
        stored = services.blobs.read(failure_key(plan.ref, index))
    except NotFound:
        error = ExtractionError(
            error_type=ErrorType.INTERNAL_ERROR,
            message="the chunk left no outcome",
            chunk_index=index,
            retries_exhausted=True,
        )
        return ChunkExtractionResult(chunk_index=index, errors=[error])
    return ChunkExtractionResult.model_validate(json.loads(stored))


def stored_outcome(ref: JobRef, index: int, services: Services) -> ChunkExtractionResult | None:
    """Give what a chunk's extraction came to; None while it has not ended, or when it failed."""
    try:
        stored = services.blobs.read(outcome_key(ref, index))
    except NotFound:
        return None
    return ChunkExtractionResult.model_validate(json.loads(stored))


def paid_answers(plan: Plan, table: TableStore, services: Services) -> "TableCache":
    """Give the answers that this job has paid for: they are kept for as long as the job is."""
    return TableCache(table, f"{plan.ref.tenant}#{plan.ref.job_id}", services.settings.job_ttl_days)


def price_of_model(model: Model, services: Services) -> Price | None:
    """Give what the model costs by the settings, or by its name."""
    llm = services.settings.llm
    return price_of(model_name(model), input_usd=llm.input_usd_per_million, output_usd=llm.output_usd_per_million)


class TableCache:
    """Model answers in the table, ``CHUNK#tenant / key``, for as long as the settings say (EX-8)."""

    def __init__(self, table: TableStore, owner: str, ttl_days: int) -> None:
        self._table = table
        self._pk = f"CHUNK#{owner}"
        self._ttl_days = ttl_days

    def get(self, key: str) -> str | None:
        """Give the text, or None."""
        item = self._table.get(self._pk, key)
        return str(item.data["text"]) if item else None

    def put(self, key: str, text: str) -> None:
        """Keep the text."""
        self._table.put(Item(self._pk, key, {"text": text}, ttl=int(time.time()) + self._ttl_days * DAY_S))
