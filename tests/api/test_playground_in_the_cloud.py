"""The deployed API serves the playground, to anybody, and nothing else without a token; it reads as `serve` does."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from gleaner.api.lambda_app import lambda_app
from gleaner.contracts.settings import load_settings
from gleaner.local.runner import LocalRunner
from gleaner.wiring import WiredServices


@pytest.fixture
def runner(tmp_path: Path):
    services = WiredServices(load_settings({}, home=tmp_path))
    runner = LocalRunner(services)
    yield runner
    runner.close()
    services.close()


def get(runner: LocalRunner, path: str) -> dict[str, Any]:
    return send(runner, path, "GET", {}, {})


def send(runner: LocalRunner, path: str, method: str, headers: dict[str, str], more: dict[str, Any]) -> dict[str, Any]:
    event = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {
            "http": {"method": method, "path": path},
            "stage": "$default",
            "authorizer": {"lambda": {"tenant": "acme"}} if method == "POST" else None,
        },
        "isBase64Encoded": False,
        **more,
    }
    return lambda_app(runner.services, starter=runner).resolve(event, None)


@pytest.mark.req("UI-1")
@pytest.mark.parametrize(
    ("path", "kind"), [("/", "text/html"), ("/app.js", "text/javascript"), ("/style.css", "text/css")]
)
def test_the_playground_needs_no_token(runner: LocalRunner, path: str, kind: str) -> None:
    answer = get(runner, path)
    assert answer["statusCode"] == 200
    headers = {name.lower(): str(value) for name, value in answer["headers"].items()}
    assert headers["content-type"].startswith(kind)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert answer["body"]


@pytest.mark.req("UI-1", "AU-1")
@pytest.mark.parametrize(("path", "status"), [("/nothing.js", 404), ("/v1/jobs", 401), ("/v1/parsers", 401)])
def test_all_else_is_as_before(runner: LocalRunner, path: str, status: int) -> None:
    answer = get(runner, path)
    assert answer["statusCode"] == status
    assert json.loads(answer["body"])["status"] == status


TEXTS = {"text_a": "a", "text_b": "a"}


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"content-type": "Application/JSON; charset=utf-8"}, json.dumps(TEXTS).encode(), 200),
        ({}, json.dumps(TEXTS).encode(), 200),
        ({}, json.dumps([TEXTS]).encode(), 422),
        ({"content-type": "application/json"}, b"\xff\xfe", 422),
        ({"content-type": "application/x-www-form-urlencoded"}, b"text_a=a&text_b=a", 415),
        ({"content-encoding": "gzip"}, gzip.compress(json.dumps(TEXTS).encode(), mtime=0), 415),
    ],
)
def test_a_body_is_one_json_object_also_where_the_gateway_has_packed_it(
    runner: LocalRunner, headers: dict[str, str], body: bytes, status: int
) -> None:
    packed = {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}
    answer = send(runner, "/v1/similarity", "POST", headers, packed)
    assert answer["statusCode"] == status, answer["body"]
