"""State RenderPage: the page as a browser shows it."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.render import render_page
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {job}; give {page_id}."""
    return render_page(event, services_for(context))
