"""State FinishWatch: what a run found is compared, kept and told."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.watch import finish_watch
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {watch, run_id, job}; give {status, counts, deliver}."""
    return finish_watch(event, services_for(context))
