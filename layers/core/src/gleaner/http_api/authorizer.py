"""The HTTP API's Lambda authorizer: a bearer token in, the tenant out (AU-1)."""

from gleaner.errors import RateLimited, Unauthorized
from gleaner.ports import JsonObject, Services
from gleaner.tokens import Tokens


def authorize(event: JsonObject, services: Services) -> JsonObject:
    """Give API Gateway's simple response (format 2.0), with the tenant as context."""
    headers = event.get("headers")
    header = headers.get("authorization") if isinstance(headers, dict) else None
    tokens = Tokens(services.table)
    try:
        principal = tokens.verify(header if isinstance(header, str) else None)
        tokens.admit(principal)
    except (Unauthorized, RateLimited):
        return {"isAuthorized": False, "context": {}}
    return {"isAuthorized": True, "context": {"tenant": principal.tenant, "token_id": principal.token_id}}
