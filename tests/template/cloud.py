"""The stack's functions run on moto, and what rights each of them makes use of."""

import json
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

import boto3
import pytest
from gleaner.adapters.aws.step_functions import StepFunctionsStarter
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.contracts.ports import JsonObject, JsonValue, Renderer
from gleaner.contracts.settings import load_settings
from gleaner.jobs.jobs import JobRef
from gleaner.local.engine import LocalEngine
from gleaner.local.interpreter import Outcome
from gleaner.local.runner import LocalContext, load_handler
from gleaner.testing import ScriptedModelServer, Site
from gleaner.wiring import WiredServices

from tests.template.stack import ACCOUNT, REGION, ROOT, SECRET, Stack

FUNCTION: ContextVar[str] = ContextVar("function", default="nobody")


@dataclass(frozen=True, slots=True)
class Need:
    """A right that a function's code has made use of."""

    function: str
    action: str
    resource: str


class Watcher:
    """Notes each AWS call of the process under the function that runs at the moment."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.needs: set[Need] = set()

    def watch(self, session: Any) -> None:
        """Follow all clients of a session."""
        session.register("provide-client-params", self._note)

    def _note(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        function = FUNCTION.get()
        if function != "nobody":
            for action, resource in self._rights(str(model.service_model.service_name), model.name, params):
                self.needs.add(Need(function, action, resource))

    def _rights(self, service: str, operation: str, params: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Give what IAM asks for: the Service Authorization Reference, by service."""
        match service:
            case "dynamodb":
                index = f"/index/{params['IndexName']}" if "IndexName" in params else ""
                table = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{params['TableName']}"
                yield f"dynamodb:{operation}", table + index
            case "s3":
                reads = operation in ("GetObject", "HeadObject")
                yield f"s3:{'GetObject' if reads else operation}", f"arn:aws:s3:::{params['Bucket']}/{params['Key']}"
                if reads:  # without it S3 answers 403 in place of 404, and what is absent looks forbidden
                    yield "s3:ListBucket", f"arn:aws:s3:::{params['Bucket']}"
            case "events":
                for entry in params["Entries"]:
                    yield "events:PutEvents", f"arn:aws:events:{REGION}:{ACCOUNT}:event-bus/{entry['EventBusName']}"
            case "stepfunctions":
                yield f"states:{operation}", params["stateMachineArn"]
            case "scheduler":
                schedule = f"schedule/{params['GroupName']}/{params['Name']}"
                yield f"scheduler:{operation}", f"arn:aws:scheduler:{REGION}:{ACCOUNT}:{schedule}"
                if "Target" in params:
                    yield "iam:PassRole", params["Target"]["RoleArn"]
            case "secretsmanager":
                named = str(params["SecretId"])
                arn = named if named.startswith("arn:") else f"{SECRET.rpartition(':')[0]}:{named}-AbCdEf"
                yield f"secretsmanager:{operation}", re.sub(r"(?<=secret:key-)\w+$", "AbCdEf", arn)
            case "bedrock-runtime":
                yield from _rights_of_model(params["modelId"])
            case _:
                yield f"{service}:{operation}", "*"


def _rights_of_model(model_id: str) -> Iterator[tuple[str, str]]:
    """A profile of inference asks for the right to itself and to the model behind it."""
    area, _, model = model_id.partition(".")
    is_profile = area in ("eu", "us", "apac", "global")
    yield "bedrock:InvokeModel", f"arn:aws:bedrock:{REGION}::foundation-model/{model if is_profile else model_id}"
    if is_profile:
        yield "bedrock:InvokeModel", f"arn:aws:bedrock:{REGION}:{ACCOUNT}:inference-profile/{model_id}"


class _WithOneBrowser(WiredServices):
    """A function's services with one browser for all pages: a new one for each, as in the cloud, asks AWS the same."""

    @cached_property
    def renderer(self) -> Renderer:
        warm = self.settings.model_copy(update={"cloud": False})
        return PlaywrightRenderer(warm, blobs=self.blobs, secrets=lambda: self.secrets)

    def close(self) -> None:
        if "renderer" in vars(self):
            self.renderer.close()
        super().close()


class Cloud:
    """The stack's functions in this process, each with the settings that the template gives it, on moto."""

    def __init__(self, stack: Stack, site: Site, model: ScriptedModelServer) -> None:
        self.stack = stack
        self.site = site
        self._model = model
        self._services: dict[str, WiredServices] = {}
        self._engine = LocalEngine(self.invoke, run_machine=self._run_machine)
        self.patch = pytest.MonkeyPatch()

    def services(self, function: str) -> WiredServices:
        """Give a function's services. What a stack refuses, a page on this machine, is let in after validation."""
        if function not in self._services:
            settings = load_settings(self.stack.environment(function))
            llm = settings.llm.model_copy(update={"bedrock_endpoint_url": self._model.bedrock_endpoint_url})
            local = {"allow_hosts": [self.site.host], "llm": llm}
            self._services[function] = _WithOneBrowser(settings.model_copy(update=local))
        return self._services[function]

    def invoke(self, function: str, payload: JsonObject) -> JsonValue:
        """Call a function's handler."""
        before = FUNCTION.set(function)
        try:
            answer = load_handler(function)(payload, LocalContext(function, self.services(function)))
            return json.loads(json.dumps(answer))
        finally:
            FUNCTION.reset(before)

    def _run_machine(self, machine: str, payload: JsonValue, name: str) -> Outcome:
        """Run an execution as Step Functions would, one that a state starts too."""
        text = (ROOT / f"statemachine/{machine}.asl.json").read_text("utf-8")
        return self._engine.load(machine, text).run(payload, name)

    def scrape(self, path: str, name: str, tenant: str = "default", **request: Any) -> dict[str, Any]:
        """Run the state machine for a page; give the stored result."""
        url = {} if "page_id" in request else {"url": self.site.url + path}
        payload: JsonObject = {"job": {"job_id": name, "tenant": tenant}, "request": {**url, **request}}
        self._run_machine("scrape_page", payload, name)
        stored = self.services("http_api").blobs.read(JobRef(name, tenant).key("result.json"))
        return json.loads(stored)

    @contextmanager
    def starting(self) -> Generator[None]:
        """Let scrapes that a function starts run to their end, as Step Functions would, and sites be mapped."""
        begin = StepFunctionsStarter.start

        def start(starter: StepFunctionsStarter, machine: str, payload: JsonObject, name: str) -> None:
            begin(starter, machine, payload, name)
            if machine == "scrape_page":
                self._run_machine(machine, payload, name)
            elif machine == "crawl_site":
                self.invoke("map_site", payload)

        with self.patch.context() as patch:
            patch.setattr(StepFunctionsStarter, "start", start)
            yield

    def call_api(self, method: str, path: str, body: Any = None, function: str = "http_api", **headers: str) -> Any:
        """Send a request as API Gateway does (payload format 2.0)."""
        path, _, query = path.partition("?")
        event: JsonObject = {
            "version": "2.0",
            "routeKey": "$default",
            "rawPath": path,
            "rawQueryString": query,
            "queryStringParameters": dict(parse_qsl(query)),
            "headers": {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers},
            "requestContext": {
                "http": {"method": method, "path": path, "sourceIp": "192.0.2.1", "protocol": "HTTP/1.1"},
                "authorizer": {"lambda": {"tenant": "default"}},
                "stage": "$default",
                "domainName": "api.example",
                "requestId": "r",
            },
            "body": None if body is None else json.dumps(body),
            "isBase64Encoded": False,
        }
        return self.invoke(function, event)

    def close(self) -> None:
        """End browsers and engine."""
        for services in self._services.values():
            services.close()


def make_data(stack: Stack) -> None:
    """Make the table as the template describes it, and the rest by name."""
    table = stack.resources["Table"]["Properties"]
    made = {
        name: table[name] for name in ("BillingMode", "KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes")
    }
    boto3.client("dynamodb").create_table(TableName=stack.name("Table"), **made)
    where = {"LocationConstraint": REGION}
    boto3.client("s3").create_bucket(Bucket=stack.name("Bucket"), CreateBucketConfiguration=where)
    boto3.client("events").create_event_bus(Name=stack.name("EventBus"))
    for name, entry in stack.resources.items():
        if entry["Type"] == "AWS::Serverless::StateMachine":
            definition = json.dumps({"StartAt": "A", "States": {"A": {"Type": "Succeed"}}})
            role = f"arn:aws:iam::{ACCOUNT}:role/machine"
            boto3.client("stepfunctions").create_state_machine(
                name=stack.name(name), definition=definition, roleArn=role
            )
    boto3.client("scheduler").create_schedule_group(Name=stack.name("WatchSchedules"))
    boto3.client("secretsmanager").create_secret(Name="key", SecretString="hush")
