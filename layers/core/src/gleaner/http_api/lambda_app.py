"""The API behind API Gateway: the tenant is what the authorizer said."""

from typing import Annotated

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, CORSConfig, Response
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver
from aws_lambda_powertools.event_handler.openapi.params import Path as PathParameter

from gleaner.errors import NotFound
from gleaner.gateway import Gateway, authorized_tenant
from gleaner.http_api.app import add_routes
from gleaner.http_api.playground import file_headers, web_file
from gleaner.ports import Services, Starter
from gleaner.wiring import starter_for


def lambda_app(
    services: Services, cors_origin: str | None = None, starter: Starter | None = None
) -> APIGatewayHttpResolver:
    """Make the resolver of functions/http_api; ``starter`` is what starts jobs where that is not Step Functions."""
    cors = CORSConfig(allow_origin=cors_origin, max_age=300) if cors_origin else None
    app = APIGatewayHttpResolver(cors=cors, enable_validation=True)
    starts = starter_for(services.settings, starter)

    def gateway_of(resolver: ApiGatewayResolver) -> Gateway:
        return Gateway(services, starts, authorized_tenant(dict(resolver.current_event.raw_event)))

    add_routes(app, gateway_of)
    _add_playground(app)
    return app


def _add_playground(app: APIGatewayHttpResolver) -> None:
    """Serve the playground's files; they hold nothing of anybody, so they need no token."""

    @app.get("/", include_in_schema=False)
    def page() -> Response[str]:
        return _file("/")

    @app.get("/<name>", include_in_schema=False)
    def asset(name: Annotated[str, PathParameter()]) -> Response[str]:
        return _file(name)


def _file(name: str) -> Response[str]:
    file = web_file(name)
    if file is None:
        raise NotFound(f"there is nothing at /{name}")
    headers = file_headers(file)
    kind = headers.pop("content-type")
    return Response(200, content_type=kind, body=file.read_text("utf-8"), headers=dict(headers))
