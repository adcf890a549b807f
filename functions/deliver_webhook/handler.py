"""State DeliverWebhook: the changes of a run go to whom the watch names."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.webhook import deliver_webhook
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {watch, run_id}; give {delivered}."""
    return deliver_webhook(event, services_for(context))
