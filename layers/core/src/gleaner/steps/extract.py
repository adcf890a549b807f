"""Extract: one chunk by the model."""

import time

from gleaner.budget.guard import BudgetGuard, Cap, TableLedger
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import ExtractionError
from gleaner.contracts.ports import JsonObject, Model, Services
from gleaner.extraction import CallLimits, ChunkExtractionResult, extract_chunk
from gleaner.extraction.patience import PatientModel
from gleaner.jobs.blob_texts import write_json
from gleaner.jobs.content import JobContent
from gleaner.jobs.jobs import JobRef, Plan
from gleaner.jobs.places import jobs_of, outcome_key, plan_of
from gleaner.steps.patience import patient
from gleaner.tiers.outcomes import TableCache, paid_answers, price_of_model, stored_outcome

LONGEST_WAIT_S = 60
"""What the state machine waits at most before it tries again (``MaxDelaySeconds``)."""


def extract_chunk_step(event: JsonObject, services: Services) -> JsonObject:
    """Take ``{job, chunk: {index}}``; store the chunk's outcome and give ``{index, status}``.

    An outcome that is stored is not paid for again; a chunk whose failure was recorded, or that a cap or the model's
    refusal has ended, is continued when the job is run again. RateLimited and ModelUnavailable go to the state
    machine, which tries again later; near the request's deadline they are waited out here.
    """
    plan = plan_of(event, services)
    index = chunk_index(event)
    known = stored_outcome(plan.ref, index, services)
    if known is None or known.was_ended:
        outcome = _extract(plan, index, services)
        if known is None or outcome.usage.calls >= known.usage.calls:
            write_json(services.blobs, outcome_key(plan.ref, index), outcome.model_dump(mode="json"))
    return {"index": index, "status": "done"}


def chunk_index(event: JsonObject) -> int:
    """Read the chunk that a payload names."""
    chunk = event.get("chunk")
    index = chunk.get("index") if isinstance(chunk, dict) else None
    if not isinstance(index, int):
        raise InvalidRequest(f"a chunk is {{index}}, not {chunk!r}")
    return index


def _extract(plan: Plan, index: int, services: Services) -> ChunkExtractionResult:
    model = services.model
    if model is None or jobs_of(services).is_cancelled(JobRef(plan.budget_owner, plan.ref.tenant)):
        return _called_off(index)
    task = JobContent(services.blobs, plan.ref).task(index)
    llm, table = services.settings.llm, patient(services.table)
    waits_here = plan.deadline_at is not None and plan.deadline_at - time.time() < LONGEST_WAIT_S
    return extract_chunk(
        task,
        _patient(model, plan) if waits_here else model,
        config=plan.request.config,
        guard=budget_guard(plan, services, model),
        limits=CallLimits(max_output_tokens=llm.max_output_tokens, timeout_s=llm.timeout_s),
        cache=TableCache(table, plan.ref.tenant, services.settings.cache_ttl_days),
        resume=paid_answers(plan, table, services),
        raises_transient=not waits_here,
    )


def _patient(model: Model, plan: Plan) -> PatientModel:
    """Give a model that waits by itself: the state machine's wait might go past the deadline."""
    retry = plan.request.config.retry
    return PatientModel(model, retry.rate_limit_initial_s, retry.rate_limit_max_s, plan.deadline_at)


def _called_off(index: int) -> ChunkExtractionResult:
    error = ExtractionError(error_type=ErrorType.CANCELLED, message="the job was cancelled", chunk_index=index)
    return ChunkExtractionResult(chunk_index=index, errors=[error])


def budget_guard(plan: Plan, services: Services, model: Model) -> BudgetGuard:
    """Give the guard of the job's caps and of the installation's daily one: their counters stand in the table."""
    price = price_of_model(model, services)
    budget = plan.request.budget
    job, table = f"{plan.ref.tenant}#{plan.budget_owner}", patient(services.table)
    ttl_days = services.settings.job_ttl_days
    caps = [Cap(TableLedger(table, job, ttl_days), budget.max_tokens, budget.max_usd)]
    if services.settings.daily_usd_cap is not None:
        day = time.strftime("%Y-%m-%d", time.gmtime())
        ledger = TableLedger(table, f"DAY#{day}", ttl_days)
        caps.append(Cap(ledger, max_usd=services.settings.daily_usd_cap, name="the installation's daily cap"))
    return BudgetGuard(tuple(caps), price, plan.deadline_at)
