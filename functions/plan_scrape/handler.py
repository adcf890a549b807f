"""State PlanScrape: the request becomes a job."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.plan import plan_scrape
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {input, execution}; give the job, and what it needs next."""
    return plan_scrape(event, services_for(context))
