"""The routes of batches."""

import json
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.openapi.params import Body

from gleaner.batches import ParsedList, Politeness, parse_list
from gleaner.errors import InvalidRequest
from gleaner.http_api.answers import PROBLEMS, GatewayOf, Id, IdempotencyKey, json_answer
from gleaner.http_api.bodies import Batch, BatchBody


def add_batches(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    """Put the routes on a resolver."""
    taken: Any = {202: {"description": "The batch goes on"}, **PROBLEMS}

    @app.post("/v1/batches", summary="Scrape a list of pages", tags=["batches"], status_code=202, responses=taken)
    def start_batch(body: Annotated[BatchBody, Body()], idempotency_key: IdempotencyKey = None) -> Response[Batch]:
        gateway = gateway_of(app)
        politeness = Politeness(**{name: getattr(body, name) for name in Politeness.model_fields})
        batch = gateway.start_batch(_parsed(body), politeness, idempotency_key=idempotency_key)
        return json_answer(202, batch, {"Location": f"/v1/batches/{batch['batch_id']}", "Retry-After": "2"})

    seen: Any = {200: {"description": "Batch"}, **PROBLEMS}

    @app.get("/v1/batches/<batch_id>", summary="See a batch", tags=["batches"], responses=seen)
    def see_batch(batch_id: Id) -> Response[Batch]:
        return json_answer(200, gateway_of(app).batches.view(batch_id))

    @app.delete("/v1/batches/<batch_id>", summary="Let no more of its pages in", tags=["batches"], responses=seen)
    def cancel_batch(batch_id: Id) -> Response[Batch]:
        return json_answer(200, gateway_of(app).cancel_batch(batch_id))


def _parsed(body: BatchBody) -> ParsedList:
    if (body.requests is None) == (body.list_text is None):
        raise InvalidRequest("give either requests or list")
    text = body.list_text if body.list_text is not None else json.dumps(body.requests)
    return parse_list(text.encode("utf-8", "surrogatepass"), defaults=body.defaults)
