"""State AdmitPage: a page of a batch waits for its turn."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.batch import admit_page
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {batch, item, politeness}; give {admitted}."""
    return admit_page(event, services_for(context))
