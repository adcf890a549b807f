"""The routes of batches."""

import json
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from gleaner.api.answers import (
    MAX_PAGE,
    After,
    GatewayOf,
    Id,
    IdempotencyKey,
    Limit,
    LinesKind,
    answering,
    json_answer,
    json_of,
    next_link,
    raw_answer,
)
from gleaner.api.bodies import Batch, BatchBody, BatchList, BatchRecord, BatchResults
from gleaner.contracts.errors import InvalidRequest
from gleaner.jobs.batches import ParsedList, Politeness, check_count, parse_list
from gleaner.results.exports import to_ndjson
from gleaner.service.gateway import public_record

Source = Annotated[
    str | None,
    Query(min_length=1, max_length=1_024, description="Only batches that this upload started (its key, `inbox/…`)"),
]


def add_batches(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    """Put the routes on a resolver."""
    taken = answering("The batch is still running", 202)

    @app.post("/v1/batches", summary="Scrape a list of pages", tags=["batches"], status_code=202, responses=taken)
    def start_batch(body: Annotated[BatchBody, Body()], idempotency_key: IdempotencyKey = None) -> Response[Batch]:
        gateway = gateway_of(app)
        politeness = Politeness(**{name: getattr(body, name) for name in Politeness.model_fields})
        batch = gateway.start_batch(_parsed(body), politeness, idempotency_key=idempotency_key)
        return json_answer(202, batch, {"Location": f"/v1/batches/{batch['batch_id']}", "Retry-After": "2"})

    @app.get("/v1/batches", summary="List batches", tags=["batches"], responses=answering("Batches"))
    def list_batches(limit: Limit = 50, after: After = None, source: Source = None) -> Response[BatchList]:
        page = gateway_of(app).list_batches(limit=limit, after=after, source=source)
        batches = [BatchRecord.model_validate(public_record(item.data)).model_dump(mode="json") for item in page.items]
        return json_answer(200, {"batches": batches, "next": page.next})

    seen = answering("Batch")

    @app.get("/v1/batches/<batch_id>", summary="Get a batch", tags=["batches"], responses=seen)
    def see_batch(batch_id: Id) -> Response[Batch]:
        return json_answer(200, gateway_of(app).batches.view(batch_id))

    content = json_of(BatchResults) | {"application/x-ndjson": {}}
    read = answering("Results, in the order of the list", content=content)

    @app.get("/v1/batches/<batch_id>/results", summary="Get a batch's results", tags=["batches"], responses=read)
    def read_results(
        batch_id: Id, format: LinesKind = "json", limit: Limit = 100, after: After = None
    ) -> Response[Any]:
        gateway = gateway_of(app)
        results, following = gateway.batch_results(batch_id, limit=limit, after=after, max_bytes=MAX_PAGE)
        headers = next_link(f"/v1/batches/{batch_id}/results", following, format=format, limit=limit)
        if format == "json":
            return json_answer(200, {"results": results, "next": following}, headers)
        return raw_answer("application/x-ndjson", "".join(to_ndjson(results)), headers)

    @app.delete("/v1/batches/<batch_id>", summary="Cancel a batch", tags=["batches"], responses=seen)
    def cancel_batch(batch_id: Id) -> Response[Batch]:
        return json_answer(200, gateway_of(app).cancel_batch(batch_id))


def _parsed(body: BatchBody) -> ParsedList:
    if ("requests" in body.model_fields_set) == ("list_text" in body.model_fields_set):
        raise InvalidRequest("give either requests or list")
    check_count(len(body.requests))
    text = body.list_text or json.dumps(body.requests)
    return parse_list(text.encode("utf-8", "surrogatepass"), defaults=body.defaults)
