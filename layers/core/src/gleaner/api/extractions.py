"""The routes of extractions: the records collected under an extraction id."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver

from gleaner.api.answers import (
    MAX_PAGE,
    After,
    AnyLimit,
    GatewayOf,
    Id,
    Kind,
    answering,
    json_answer,
    json_of,
    next_link,
    raw_answer,
)
from gleaner.api.bodies import Answer, ExtractionRecords
from gleaner.results.exports import to_csv, to_ndjson
from gleaner.results.records import marked_item

USUAL_LIMIT = 100
MOST_RECORDS = 50_000
MOST_DELETIONS = 2_000
"""Items that one call deletes: it has seconds for them."""


def add_extractions(app: ApiGatewayResolver, gateway_of: GatewayOf) -> None:
    """Put the routes on a resolver."""
    content = json_of(ExtractionRecords) | {"application/x-ndjson": {}, "text/csv": {}}
    read = answering("Records; the header `Link` leads to more of them", content=content)

    @app.get(
        "/v1/extractions/<extraction_id>",
        summary="Get the records of an extraction",
        tags=["extractions"],
        responses=read,
    )
    def read_extraction(
        extraction_id: Id, format: Kind = "json", limit: AnyLimit = None, after: After = None
    ) -> Response[Any]:
        aggregate = gateway_of(app).aggregate(extraction_id)
        most = limit or (USUAL_LIMIT if format == "json" else MOST_RECORDS)
        items, following = aggregate.records(limit=most, after=after, max_bytes=MAX_PAGE)
        headers = next_link(f"/v1/extractions/{extraction_id}", following, format=format, limit=limit)
        if format == "json":
            body = {"extraction_id": extraction_id, "summary": aggregate.summary, "records": items, "next": following}
            return json_answer(200, body, headers)
        records = [*map(marked_item, items)]
        if format == "ndjson":
            return raw_answer("application/x-ndjson", "".join(to_ndjson(records)), headers)
        lines = to_csv(records, aggregate.columns, has_header=after is None)
        return raw_answer("text/csv; charset=utf-8", "".join(lines), headers)

    unfinished = answering("Partly deleted: send the request again", 202, json_of(Answer))
    gone = answering("Deleted", 204) | unfinished

    @app.delete(
        "/v1/extractions/<extraction_id>",
        summary="Delete the records of an extraction",
        tags=["extractions"],
        responses=gone,
    )
    def delete_extraction(extraction_id: Id) -> Response[Any]:
        if gateway_of(app).aggregate(extraction_id).delete(MOST_DELETIONS):
            return Response(204)
        return json_answer(202, {"extraction_id": extraction_id, "deleted": False}, {"Retry-After": "0"})
