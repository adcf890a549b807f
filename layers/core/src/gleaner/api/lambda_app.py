"""The API behind API Gateway: the tenant comes from the authorizer."""

from collections.abc import Mapping
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, CORSConfig, Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.openapi.params import Path as PathParameter

from gleaner.api.app import add_routes, nothing_there
from gleaner.api.large_answers import MAX_BINARY, within_limit
from gleaner.api.playground import file_headers, origin_of_blobs, web_file
from gleaner.contracts.errors import NotFound
from gleaner.contracts.ports import JsonObject, Services, Starter
from gleaner.service.gateway import Gateway, authorized_tenant, authorizer_context
from gleaner.wiring import starter_for


def lambda_app(
    services: Services, cors_origin: str | None = None, starter: Starter | None = None
) -> APIGatewayHttpResolver:
    """Make the resolver of functions/http_api; ``starter`` is what starts jobs where that is not Step Functions."""
    cors = CORSConfig(allow_origin=cors_origin, max_age=300) if cors_origin else None
    app = APIGatewayHttpResolver(cors=cors, enable_validation=True)
    starts = starter_for(services.settings, starter)

    def gateway_of(resolver: ApiGatewayResolver) -> Gateway:
        tenant = authorized_tenant(dict(resolver.current_event.raw_event))
        return Gateway(services, starts, tenant, largest_body=MAX_BINARY)

    add_routes(app, gateway_of, has_model=services.settings.model != "none")
    _add_playground(app, services)
    return app


def answer_event(app: APIGatewayHttpResolver, event: Mapping[str, Any], context: Any, services: Services) -> JsonObject:
    """Take an HTTP API event (payload format 2.0); give its answer, or the way to one that is too large for Lambda.

    HEAD is GET without a body (RFC 9110), which API Gateway does not leave out.
    """
    is_head = event.get("requestContext", {}).get("http", {}).get("method") == "HEAD"
    answer: Any = app.resolve(_as_get(event) if is_head else dict(event), context)
    whole = within_limit(answer, services.blobs, authorizer_context(event).get("tenant"))
    return {**whole, "body": "", "isBase64Encoded": False} if is_head else whole


def _as_get(event: Mapping[str, Any]) -> dict[str, Any]:
    asked = event["requestContext"]
    return {**event, "requestContext": {**asked, "http": {**asked["http"], "method": "GET"}}}


def _add_playground(app: APIGatewayHttpResolver, services: Services) -> None:
    """Serve the playground's files; they hold nothing of anybody, so they need no token."""

    @app.get("/", include_in_schema=False)
    def page() -> Response[str]:
        return _file("/", services)

    @app.get("/<name>", include_in_schema=False)
    def asset(name: Annotated[str, PathParameter()]) -> Response[str]:
        return _file(name, services) if web_file(name) else nothing_there(app, "GET", f"/{name}")


def _file(name: str, services: Services) -> Response[str]:
    file = web_file(name)
    if file is None:
        raise NotFound(f"there is nothing at /{name}")
    headers = file_headers(file, origin_of_blobs(services.blobs))
    kind = headers.pop("content-type")
    return Response(200, content_type=kind, body=file.read_text("utf-8"), headers=dict(headers))
