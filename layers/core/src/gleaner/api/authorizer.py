"""The HTTP API's Lambda authorizer: a bearer token in, the tenant out (AU-1)."""

from gleaner.contracts.errors import RateLimited, Unauthorized
from gleaner.contracts.ports import JsonObject, Services
from gleaner.jobs.tokens import Tokens


def authorize(event: JsonObject, services: Services) -> JsonObject:
    """Give API Gateway's simple response (format 2.0), with the tenant as context.

    An authorizer can't answer 429: a caller over its rate is let through with ``retry_after`` and no tenant, and the
    function behind it refuses.
    """
    headers = event.get("headers")
    header = headers.get("authorization") if isinstance(headers, dict) else None
    tokens = Tokens(services.table)
    try:
        principal = tokens.verify(header if isinstance(header, str) else None)
        tokens.admit(principal)
    except Unauthorized:
        return {"isAuthorized": False, "context": {}}
    except RateLimited as error:
        return {"isAuthorized": True, "context": {"retry_after": f"{error.retry_after or 1:.0f}"}}
    return {"isAuthorized": True, "context": {"tenant": principal.tenant, "token_id": principal.token_id}}
