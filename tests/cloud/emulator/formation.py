"""CloudFormation: properties that the emulator drops or refuses, and the HTTP API that SAM writes as OpenAPI."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

import ministack.services.apigateway as gateway
import ministack.services.lambda_svc as functions
from ministack.services.cloudformation import provisioners
from replacing import replace


def install() -> None:
    """Take up what the templates say of functions, alarms and the API."""
    for verb in ("create", "update"):
        _after("AWS::Lambda::Function", verb, _keep_function_properties)
        _after("AWS::ApiGatewayV2::Api", verb, _import_api)
    replace(provisioners, "_cw_metric_alarm_record", _taking_mathematics)


def _after(kind: str, verb: str, then: Callable[[str, Any], None]) -> None:
    handlers = provisioners._RESOURCE_HANDLERS[kind]
    before = handlers[verb]

    @wraps(before)
    def both(*args: Any, **named: Any) -> Any:
        made = before(*args, **named)
        then(made[0], args[1] if verb == "create" else args[2])
        return made

    handlers[verb] = both


def _keep_function_properties(name: str, properties: Any) -> None:
    record = functions._functions[name]
    if properties.get("DeadLetterConfig"):
        record["config"]["DeadLetterConfig"] = properties["DeadLetterConfig"]
    if properties.get("ReservedConcurrentExecutions") is not None:
        most = int(properties["ReservedConcurrentExecutions"])
        record["concurrency"] = record["config"]["ReservedConcurrentExecutions"] = (
            most  # Step Functions sees the latter
        )


def _taking_mathematics(make: Any) -> Any:
    """An alarm over an expression becomes one over a metric that nobody sends: it is kept, and says nothing."""

    @wraps(make)
    def record(name: str, properties: Any) -> Any:
        if not properties.get("Metrics"):
            return make(name, properties)
        rest = {key: value for key, value in properties.items() if key != "Metrics"}
        return make(name, {**rest, "MetricName": "mathematics", "Namespace": "none", "Period": 300, "Statistic": "Sum"})

    return record


def _import_api(api_id: str, properties: Any) -> None:
    body = properties.get("Body") or {}
    cors = properties.get("CorsConfiguration") or body.get("x-amazon-apigateway-cors")
    if cors:
        gateway._apis[api_id]["corsConfiguration"] = {key[0].lower() + key[1:]: value for key, value in cors.items()}
    if not body:
        return
    gateway._routes[api_id], gateway._integrations[api_id] = {}, {}
    authorizers = _import_authorizers(api_id, body)
    for path, operations in (body.get("paths") or {}).items():
        for method, operation in operations.items():
            if isinstance(operation, dict) and operation.get("x-amazon-apigateway-integration"):
                _import_route(api_id, f"{method.upper()} {path}", operation, authorizers)


def _import_authorizers(api_id: str, body: Any) -> dict[str, str]:
    made: dict[str, str] = {}
    for name, scheme in ((body.get("components") or {}).get("securitySchemes") or {}).items():
        said = scheme.get("x-amazon-apigateway-authorizer") or {}
        source = said.get("identitySource") or []
        sources = [one.strip() for one in source.split(",")] if isinstance(source, str) else source
        answer = gateway._create_authorizer(api_id, {
            "authorizerType": "REQUEST", "name": name, "identitySource": sources,
            "authorizerUri": said.get("authorizerUri"), "authorizerPayloadFormatVersion": "2.0",
            "enableSimpleResponses": str(said.get("enableSimpleResponses")).lower() == "true",
            "authorizerResultTtlInSeconds": int(said.get("authorizerResultTtlInSeconds", 0)),
        })  # fmt: skip
        made[name] = json.loads(answer[2])["authorizerId"]
    return made


def _import_route(api_id: str, key: str, operation: Any, authorizers: dict[str, str]) -> None:
    said = operation["x-amazon-apigateway-integration"]
    answer = gateway._create_integration(api_id, {
        "integrationType": "AWS_PROXY", "integrationUri": said.get("uri"), "integrationMethod": "POST",
        "payloadFormatVersion": said.get("payloadFormatVersion", "2.0"), "timeoutInMillis": 30_000,
    })  # fmt: skip
    route = {"routeKey": key, "target": f"integrations/{json.loads(answer[2])['integrationId']}"}
    names = [name for security in operation.get("security") or [] for name in security if name in authorizers]
    if names:
        route |= {"authorizationType": "CUSTOM", "authorizerId": authorizers[names[0]]}
    gateway._create_route(api_id, route)
