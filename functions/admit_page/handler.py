"""State AdmitPage: a page of a batch waits for its turn."""

from typing import Any

from gleaner.ports import JsonObject
from gleaner.steps.batch import admit_page
from gleaner.telemetry import observed
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {batch, item, politeness}; give {admitted}."""
    return admit_page(event, services_for(context))
