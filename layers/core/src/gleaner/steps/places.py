"""Where the steps find the jobs and leave their pieces."""

from gleaner.jobs import JobRef, Jobs, Plan
from gleaner.pages import Pages
from gleaner.ports import JsonObject, Services


def jobs_of(services: Services) -> Jobs:
    """Give the jobs of this installation."""
    return Jobs(services.table, services.blobs, services.settings.job_ttl_days)


def plan_of(event: JsonObject, services: Services) -> Plan:
    """Give the plan of the job that a state's payload names."""
    return jobs_of(services).plan(JobRef.read(event.get("job")))


def pages_of(plan: Plan, services: Services) -> Pages:
    """Give the pages of the job's tenant."""
    return Pages(services.blobs, plan.ref)
