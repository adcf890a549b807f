"""The stores of a step: its jobs, pages and their keys."""

from typing import Any, cast

from gleaner.contracts.ports import BlobStore, Fetcher, JsonObject, Services
from gleaner.jobs.jobs import JobRef, Jobs, Plan
from gleaner.jobs.pages import Pages
from gleaner.jobs.sessions import SessionStates


def jobs_of(services: Services) -> Jobs:
    """Give the jobs of this installation."""
    return Jobs(services.table, services.blobs, services.settings.job_ttl_days)


def plan_of(event: JsonObject, services: Services) -> Plan:
    """Give the plan of the job that a state's payload names."""
    return jobs_of(services).plan(JobRef.read(event.get("job")))


def pages_of(plan: Plan, services: Services) -> Pages:
    """Give the pages of the job's tenant."""
    return Pages(services.blobs, plan.ref)


def states_of(plan: Plan, services: Services) -> SessionStates:
    """Give the states of the tenant's sessions."""
    days = services.settings.session_ttl_days
    return SessionStates(services.blobs, services.sealer, plan.ref.tenant, days)


class _Reaching:
    """Services whose fetcher is another one."""

    def __init__(self, services: Services, fetcher: Fetcher) -> None:
        self._services = services
        self.fetcher = fetcher

    def __getattr__(self, name: str) -> Any:
        return getattr(self._services, name)


def reached_through(proxy: str | None, services: Services) -> Services:
    """Give services that fetch through a named proxy; those themselves for None."""
    return services if proxy is None else cast("Services", _Reaching(services, services.fetcher.through(proxy)))


def outcome_key(ref: JobRef, index: int) -> str:
    """Give the key of what a chunk's extraction came to."""
    return ref.key(f"outcomes/{index:04}.json")


def failure_key(ref: JobRef, index: int) -> str:
    """Give the key of a chunk's recorded failure, beside its outcome: neither may hide an outcome that is there."""
    return ref.key(f"outcomes/{index:04}.failed.json")


def actions_key(ref: JobRef) -> str:
    """Give the key of what came of a job's actions, where one of them could not be done."""
    return ref.key("actions.json")


def has_ended(ref: JobRef, index: int, blobs: BlobStore) -> bool:
    """Tell whether a chunk left an outcome or a failure."""
    return any(blobs.exists(key(ref, index)) for key in (outcome_key, failure_key))
