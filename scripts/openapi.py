"""Write docs/openapi.json as the API's code describes itself."""

from pathlib import Path

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from gleaner.api.app import add_routes, openapi


def described() -> str:
    """Give the description's text."""
    app = APIGatewayHttpResolver(enable_validation=True)
    add_routes(app, lambda _: NotImplemented)
    return openapi(app) + "\n"


if __name__ == "__main__":
    (Path(__file__).parents[1] / "docs/openapi.json").write_text(described(), "utf-8")
