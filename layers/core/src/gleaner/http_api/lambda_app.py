"""The API behind API Gateway: the tenant is what the authorizer said."""

from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, CORSConfig
from aws_lambda_powertools.event_handler.api_gateway import ApiGatewayResolver

from gleaner.errors import Unauthorized
from gleaner.gateway import Gateway
from gleaner.http_api.app import add_routes
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
    return app


def authorized_tenant(event: dict[str, Any]) -> str:
    """Read the tenant from the authorizer's context; Unauthorized when there is none."""
    context = event.get("requestContext", {}).get("authorizer", {}).get("lambda") or {}
    tenant = context.get("tenant")
    if not tenant:
        raise Unauthorized("the request came past the authorizer")
    return str(tenant)
