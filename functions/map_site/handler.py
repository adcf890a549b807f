"""State MapSite: a site is mapped, a slice of time at a call."""

from typing import Any

from gleaner.contracts.ports import JsonObject
from gleaner.service.telemetry import observed
from gleaner.steps.site.mapping import map_site
from gleaner.wiring import services_for


@observed
def handler(event: JsonObject, context: Any) -> JsonObject:
    """Take {site}; give {status}, and of a crawl the batch to scrape."""
    return map_site(event, services_for(context))
