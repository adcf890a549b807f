"""The routes of sites: their maps and crawls."""

import json
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.openapi.params import Body
from pydantic import BaseModel, ConfigDict

from gleaner.api.answers import (
    After,
    AnyLimit,
    GatewayOf,
    Id,
    IdempotencyKey,
    LinesKind,
    Wait,
    answering,
    json_answer,
    json_of,
    next_link,
    raw_answer,
)
from gleaner.api.bodies import Batch
from gleaner.jobs.jobs import ENDED
from gleaner.jobs.site_maps import CrawlOrder, MapOrder

USUAL_LIMIT = 1_000
MOST_LINES = 20_000
"""URLs of one answer: a URL may have 2,000 characters, an answer on AWS 6 MB; most have a hundred."""


class SiteMapRecord(BaseModel):
    """A map: running, complete, partial, failed or cancelled. ``found`` and ``read`` count what its URLs are from."""

    model_config = ConfigDict(extra="allow")
    map_id: str
    status: str
    url: str
    url_count: int = 0
    found: dict[str, int] | None = None
    read: dict[str, int] | None = None
    left_out: dict[str, int] | None = None
    unopened: int | None = None
    problems: list[dict[str, Any]] | None = None
    warnings: list[str] | None = None
    error: dict[str, Any] | None = None


class ListedUrl(BaseModel):
    """A page of a site; what is unknown is null."""

    url: str
    title: str | None = None
    last_modified: str | None = None
    source: str
    page_id: str | None = None


class ListedUrls(BaseModel):
    """URLs of a map; ``next`` continues after them."""

    urls: list[ListedUrl]
    next: str | None = None


def add_sites(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    """Put the routes on a resolver."""
    made = answering("The map is still being made", 202, json_of(SiteMapRecord)) | answering(
        "The map", 200, json_of(SiteMapRecord)
    )

    @app.post("/v1/maps", summary="Map a site", tags=["sites"], responses=made)
    def map_site(
        body: Annotated[MapOrder, Body()], wait: Wait = 20, idempotency_key: IdempotencyKey = None
    ) -> Response[SiteMapRecord]:
        order = body.model_dump(mode="json", exclude_unset=True)
        record = gateway_of(app).sites.map(order, wait_s=wait, idempotency_key=idempotency_key)
        headers = {"Location": f"/v1/maps/{record['map_id']}"}
        if record["status"] in ENDED:
            return json_answer(200, record, headers)
        return json_answer(202, record, {**headers, "Retry-After": "2"})

    seen = answering("The map")

    @app.get("/v1/maps/<map_id>", summary="Get a map", tags=["sites"], responses=seen)
    def see_map(map_id: Id) -> Response[SiteMapRecord]:
        return json_answer(200, gateway_of(app).sites.view(map_id))

    content = json_of(ListedUrls) | {"application/x-ndjson": {}}
    read = answering("URLs: those of sitemaps first, then of feeds and links", content=content)

    @app.get("/v1/maps/<map_id>/urls", summary="Get the URLs of a map", tags=["sites"], responses=read)
    def read_urls(map_id: Id, format: LinesKind = "json", limit: AnyLimit = None, after: After = None) -> Response[Any]:
        most = min(MOST_LINES, limit or (USUAL_LIMIT if format == "json" else MOST_LINES))
        lines, following = gateway_of(app).sites.urls(map_id, limit=most, after=after)
        headers = next_link(f"/v1/maps/{map_id}/urls", following, format=format, limit=limit)
        if format == "json":
            return json_answer(200, {"urls": [json.loads(line) for line in lines], "next": following}, headers)
        return raw_answer("application/x-ndjson", "".join(f"{line}\n" for line in lines), headers)

    begun = answering("The crawl, a batch whose pages are looked for first", 202)

    @app.post("/v1/crawls", summary="Crawl a site", tags=["sites"], status_code=202, responses=begun)
    def crawl_site(body: Annotated[CrawlOrder, Body()], idempotency_key: IdempotencyKey = None) -> Response[Batch]:
        order = body.model_dump(mode="json", exclude_unset=True)
        record = gateway_of(app).sites.start_crawl(order, idempotency_key=idempotency_key)
        return json_answer(202, record, {"Location": f"/v1/batches/{record['batch_id']}", "Retry-After": "2"})

    @app.delete("/v1/maps/<map_id>", summary="Stop a map", tags=["sites"], responses=seen)
    def cancel_map(map_id: Id) -> Response[SiteMapRecord]:
        return json_answer(200, gateway_of(app).sites.cancel_map(map_id))
