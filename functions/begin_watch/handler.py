"""State BeginWatch: a watch's run begins, unless the one before goes on."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.watch import begin_watch
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {watch, run}; give {begun, run_id, job, request}."""
    return begin_watch(event, services_for(context))
