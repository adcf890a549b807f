"""The template as a stack would be: its references resolved, its data made on moto, its functions run and watched."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import botocore
import pytest
from cfnlint import decode
from gleaner.adapters.step_functions import StepFunctionsStarter
from gleaner.cli.demo import PRODUCTS, scripted_shopkeeper
from gleaner.jobs import JobRef
from gleaner.local.engine import LocalEngine, scale_retry_waits
from gleaner.local.runner import LocalContext, load_handler
from gleaner.mcp_server import lambda_app
from gleaner.ports import Item, JsonObject, JsonValue
from gleaner.settings import load_settings
from gleaner.steps.places import jobs_of
from gleaner.testing import ScriptedModelServer, Site
from gleaner.tokens import Tokens
from gleaner.wiring import WiredServices
from moto import mock_aws

ROOT = Path(__file__).parents[2]
REGION, ACCOUNT = "eu-central-1", "123456789012"
SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:key-AbCdEf"
PARAMETERS = {"Model": "bedrock:eu.anthropic.claude-haiku-4-5-v1:0", "ApiKeySecretArn": SECRET}
FUNCTION: ContextVar[str] = ContextVar("function", default="nobody")
NAMES = {"AWS::Partition": "aws", "AWS::AccountId": ACCOUNT, "AWS::Region": REGION, "AWS::StackName": "gleaner"}
NAMES_OF_TYPES = {
    "AWS::DynamoDB::Table": "arn:aws:dynamodb:{region}:{account}:table/{name}",
    "AWS::S3::Bucket": "arn:aws:s3:::{name}",
    "AWS::Events::EventBus": "arn:aws:events:{region}:{account}:event-bus/{name}",
    "AWS::SQS::Queue": "arn:aws:sqs:{region}:{account}:{name}",
    "AWS::Serverless::StateMachine": "arn:aws:states:{region}:{account}:stateMachine:{name}",
    "AWS::Serverless::Function": "arn:aws:lambda:{region}:{account}:function:{name}",
}
REFERRED_BY_ARN = ("AWS::Serverless::StateMachine",)


class Stack:
    """The template with its parameters, references and conditions resolved."""

    def __init__(self) -> None:
        decoded, problems = decode.decode(str(ROOT / "template.yaml"))
        assert not problems
        self.template: dict[str, Any] = json.loads(json.dumps(decoded))
        self.resources: dict[str, dict[str, Any]] = self.template["Resources"]
        defaults = {name: entry.get("Default", "") for name, entry in self.template["Parameters"].items()}
        self.parameters = {**defaults, **PARAMETERS}

    def functions(self) -> dict[str, dict[str, Any]]:
        """Give the properties of each function by the name of its folder."""
        entries = [entry["Properties"] for entry in self.resources.values() if entry["Type"].endswith("less::Function")]
        return {entry["CodeUri"].removeprefix("functions/"): entry for entry in entries}

    def environment(self, function: str) -> dict[str, str]:
        """Give the variables that a function gets."""
        shared = self.template["Globals"]["Function"]["Environment"]["Variables"]
        own = self.functions()[function].get("Environment", {}).get("Variables", {})
        return {name: str(self.resolve(value)) for name, value in {**shared, **own}.items()}

    def rights(self, function: str) -> list[tuple[str, str]]:
        """Give what a function's policies allow: action and resource, one pair each."""
        return self.allowed(self.functions()[function]["Policies"])

    def allowed(self, policies: list[Any]) -> list[tuple[str, str]]:
        """Give what policies allow: action and resource, one pair each."""
        pairs: list[tuple[str, str]] = []
        for policy in filter(None, map(self.resolve, policies)):
            for statement in policy["Statement"]:
                assert statement["Effect"] == "Allow"
                for action in _listed(statement["Action"]):
                    pairs += [(action, resource) for resource in _listed(statement["Resource"])]
        return pairs

    def arn(self, name: str) -> str:
        """Give the ARN that a resource will have."""
        form = NAMES_OF_TYPES[self.resources[name]["Type"]]
        return form.format(region=REGION, account=ACCOUNT, name=self.name(name))

    def name(self, resource: str) -> str:
        """Give the name that a resource will have: the one that the template gives it, or any."""
        given = self.resources[resource]["Properties"].get("Name")
        return str(self.resolve(given)) if given else f"gleaner-{resource.lower()}"

    def resolve(self, value: Any) -> Any:
        """Resolve Ref, GetAtt, Sub and If."""
        if isinstance(value, list):
            return [self.resolve(one) for one in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((function, argument),) = value.items()
            if function == "Ref":
                return self._ref(argument)
            if function == "Fn::GetAtt":
                name, attribute = argument if isinstance(argument, list) else argument.split(".")
                return self.arn(name) if attribute == "Arn" else self.name(name)
            if function == "Fn::Sub":
                return re.sub(r"\$\{([\w.:]+)\}", lambda found: str(self._ref(found[1])), argument)
            if function == "Fn::If":
                return self.resolve(argument[1] if self._holds(argument[0]) else argument[2])
        return {name: self.resolve(one) for name, one in value.items()}

    def _ref(self, name: str) -> Any:
        if name == "AWS::NoValue":
            return None
        if name in NAMES or name in self.parameters:
            return NAMES.get(name) or self.parameters[name]
        if name.endswith((".Arn", ".Name")):
            resource, _, attribute = name.partition(".")
            return self.arn(resource) if attribute == "Arn" else self.name(resource)
        return self.arn(name) if self.resources[name]["Type"] in REFERRED_BY_ARN else self.name(name)

    def _holds(self, condition: str) -> bool:
        parameter, nothing = self.template["Conditions"][condition]["Fn::Not"][0]["Fn::Equals"]
        return str(self.parameters[parameter["Ref"]]) != str(nothing)


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


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
            case "secretsmanager":
                yield f"secretsmanager:{operation}", re.sub(r"(?<=secret:key-)\w+$", "AbCdEf", params["SecretId"])
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


class Cloud:
    """The stack's functions in this process, each with the settings that the template gives it, on moto."""

    def __init__(self, stack: Stack, site: Site, model: ScriptedModelServer) -> None:
        self.stack = stack
        self.site = site
        self._model = model
        self._services: dict[str, WiredServices] = {}
        self._engine = LocalEngine(self.invoke)
        self.patch = pytest.MonkeyPatch()

    def services(self, function: str) -> WiredServices:
        """Give a function's services. What a stack refuses, a page on this machine, is let in after validation."""
        if function not in self._services:
            settings = load_settings(self.stack.environment(function))
            llm = settings.llm.model_copy(update={"bedrock_endpoint_url": self._model.bedrock_endpoint_url})
            local = {"allow_hosts": [self.site.host], "llm": llm}
            self._services[function] = WiredServices(settings.model_copy(update=local))
        return self._services[function]

    def invoke(self, function: str, payload: JsonObject) -> JsonValue:
        """Call a function's handler."""
        before = FUNCTION.set(function)
        try:
            answer = load_handler(function)(payload, LocalContext(function, self.services(function)))
            return json.loads(json.dumps(answer))
        finally:
            FUNCTION.reset(before)

    def scrape(self, path: str, name: str, tenant: str = "default", **request: Any) -> dict[str, Any]:
        """Run the state machine for a page; give the stored result."""
        text = (ROOT / "statemachine/scrape_page.asl.json").read_text("utf-8")
        url = {} if "page_id" in request else {"url": self.site.url + path}
        payload: JsonObject = {"job": {"job_id": name, "tenant": tenant}, "request": {**url, **request}}
        self._engine.load("scrape_page", text).run(payload, name)
        stored = self.services("http_api").blobs.read(JobRef(name, tenant).key("result.json"))
        return json.loads(stored)

    def starting(self) -> None:
        """Let executions that a function starts run to their end, as Step Functions would."""
        begin = StepFunctionsStarter.start

        def start(starter: StepFunctionsStarter, machine: str, payload: JsonObject, name: str) -> None:
            begin(starter, machine, payload, name)
            if machine == "scrape_page":
                text = (ROOT / "statemachine/scrape_page.asl.json").read_text("utf-8")
                self._engine.load(machine, text).run(payload, name)

        self.patch.setattr(StepFunctionsStarter, "start", start)

    def call_api(self, method: str, path: str, body: Any = None, function: str = "http_api", **headers: str) -> Any:
        """Send a request as API Gateway does (payload format 2.0)."""
        path, _, query = path.partition("?")
        event: JsonObject = {
            "version": "2.0",
            "routeKey": "$default",
            "rawPath": path,
            "rawQueryString": query,
            "queryStringParameters": dict(pair.split("=", 1) for pair in query.split("&")) if query else {},
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
        self._engine.close()


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
    boto3.client("secretsmanager").create_secret(Name="key", SecretString="hush")


@pytest.fixture(scope="session")
def stack() -> Stack:
    return Stack()


@pytest.fixture(scope="session")
def used(stack: Stack) -> set[Need]:
    """What every function's code made use of while each of its ways was gone."""
    watcher = Watcher(stack)
    with ExitStack() as after:
        patch = after.enter_context(pytest.MonkeyPatch.context())
        after.enter_context(mock_aws())
        site = after.enter_context(Site(ROOT / "tests/fixtures/site"))
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        patch.setenv("AWS_DEFAULT_REGION", REGION)
        patch.setattr(boto3, "DEFAULT_SESSION", None)
        patch.setattr(lambda_app, "WAIT_S", 0.1)  # the job that MCP starts runs nowhere
        botocore.register_initializer(watcher.watch)
        after.callback(botocore.unregister_initializer, watcher.watch)
        scale_retry_waits(0)
        after.callback(scale_retry_waits, 1)
        make_data(stack)
        model = after.enter_context(ScriptedModelServer(scripted_shopkeeper(site)))
        cloud = Cloud(stack, site, model)
        cloud.patch = patch
        after.callback(cloud.close)
        play(cloud)
    return watcher.needs


def play(cloud: Cloud) -> None:
    """Go every way that a function can go as far as AWS is concerned."""
    play_pages(cloud)
    play_failures(cloud)
    play_stops(cloud)
    play_model_server(cloud)
    play_starts(cloud)
    play_batch(cloud)
    play_api(cloud)


def play_pages(cloud: Cloud) -> None:
    question = {"output_schema": PRODUCTS, "query": "all products"}
    first = cloud.scrape("/products", "listing", **question)
    assert first["status"] == "complete", first.get("error") or {**first["extraction"], "data": 0, "provenance": 0}
    assert cloud.scrape("/products?page=2", "next", **question)["status"] == "complete"
    spoil_recipes(cloud)
    assert cloud.scrape("/products?page=3", "again", **question)["status"] == "complete"
    cloud.scrape("/", "work-again", page_id=first["page_id"])
    assert cloud.scrape("/journal/kiln", "plain", enable_javascript=False)["status"] == "complete"
    assert cloud.scrape("/forum/glaze", "picture", format="screenshot")["status"] == "complete"
    assert cloud.scrape("/files/price-list.pdf", "media")["format"] == "media"
    assert cloud.scrape("/journal/kiln", "as-me", profile="master")["status"] == "complete"


def spoil_recipes(cloud: Cloud) -> None:
    """Put recipes of another version in the place of those that were learned: the next page learns, and clears up."""
    table = boto3.resource("dynamodb").Table(cloud.stack.name("Table"))
    for item in table.scan()["Items"]:
        if str(item["pk"]).startswith("RECIPE#default#"):
            store = cloud.services("aggregate_results").table
            store.delete(str(item["pk"]), str(item["sk"]))
            store.put(Item(str(item["pk"]), "0099", {"recipe": {"format": 0}}))


def play_failures(cloud: Cloud) -> None:
    assert cloud.scrape("/nowhere", "lost")["status"] == "failed"
    failure: JsonObject = {"Error": "RateLimited", "Cause": "{}"}
    chunk: JsonObject = {"index": 7}
    job: JsonObject = {"job_id": "listing", "tenant": "default"}
    cloud.invoke("record_failure", {"job": job, "chunk": chunk, "failure": failure})


def play_stops(cloud: Cloud) -> None:
    """Let executions be stopped where it hurts most: with every piece there, and no result."""
    spoil_recipes(cloud)
    for name, path, request in (
        ("stopped", "/products?page=4", {"output_schema": PRODUCTS, "query": "all products"}),
        ("stopped-picture", "/forum/glaze", {"format": "screenshot"}),
        ("stopped-media", "/files/price-list.pdf", {}),
        ("stopped-early", "/nowhere", {}),
    ):
        cloud.scrape(path, name, **request)
        forget_result(cloud, name)
        payload = {"job": {"job_id": name, "tenant": "default"}, "request": {"url": cloud.site.url + path, **request}}
        detail: JsonObject = {"status": "TIMED_OUT", "name": name, "input": json.dumps(payload)}
        closed: Any = cloud.invoke("close_stopped", {"detail": detail})
        assert closed["status"] == ("failed" if name == "stopped-early" else "complete"), (name, closed)


def forget_result(cloud: Cloud, name: str) -> None:
    """Put a job back to where it was before its last state, its strategy and recipe too."""
    services, ref = cloud.services("aggregate_results"), JobRef(name)
    jobs_of(services).update(ref, status="running")
    boto3.client("s3").delete_object(Bucket=cloud.stack.name("Bucket"), Key=ref.key("result.json"))
    spoil_recipes(cloud)


def play_model_server(cloud: Cloud) -> None:
    from gleaner.adapters.openai_compatible import OpenAICompatibleModel
    from gleaner.ports import ModelRequest

    settings = load_settings({**cloud.stack.environment("extract_chunk"), "GLEANER_MODEL": "openai:scripted"})
    llm = settings.llm.model_copy(update={"openai_base_url": cloud._model.openai_base_url})
    arn = boto3.client("secretsmanager").describe_secret(SecretId="key")["ARN"]
    assert settings.llm.api_key_secret_arn == SECRET
    llm = llm.model_copy(update={"api_key_secret_arn": arn})
    before = FUNCTION.set("extract_chunk")
    with closing(OpenAICompatibleModel("scripted", settings.model_copy(update={"llm": llm}))) as model:
        model.answer(ModelRequest("", "", None))
    FUNCTION.reset(before)


def play_starts(cloud: Cloud) -> None:
    detail: JsonObject = {"url": cloud.site.url + "/"}
    cloud.invoke("start_scrape", {"detail-type": "ScrapeRequested", "id": "e-1", "detail": detail})
    bucket = cloud.stack.name("Bucket")
    boto3.client("s3").put_object(Bucket=bucket, Key="inbox/list.txt", Body=f"{cloud.site.url}/\n".encode())
    uploaded: JsonObject = {"bucket": {"name": bucket}, "object": {"key": "inbox/list.txt", "version-id": "v"}}
    cloud.invoke("start_batch", {"detail-type": "Object Created", "id": "e-2", "detail": uploaded})


def play_batch(cloud: Cloud) -> None:
    pages: JsonValue = [{"url": f"{cloud.site.url}/{name}"} for name in ("open", "closed")]
    record: Any = cloud.invoke("start_batch", {"requests": pages})
    batch: JsonObject = {"job_id": str(record["batch_id"]), "tenant": "default"}
    admitted = [admit(cloud, batch, "/open"), admit(cloud, batch, "/open", delay_ms=1)]
    rules: JsonObject = {"rules": [[False, "/closed"]], "crawl_delay_s": 0}
    cloud.services("admit_page").table.put(Item("ROBOTS", cloud.site.url, rules))
    assert [*admitted, admit(cloud, batch, "/closed")] == [True, True, False]
    assert cloud.invoke("summarize_batch", {"batch": batch})


def admit(cloud: Cloud, batch: JsonObject, path: str, **politeness: Any) -> bool:
    job: JsonObject = {"job_id": f"page{path.replace('/', '-')}", "tenant": "default"}
    item: JsonObject = {"job": job, "request": {"url": cloud.site.url + path}}
    answer: Any = cloud.invoke("admit_page", {"batch": batch, "item": item, "politeness": politeness})
    return answer["admitted"]


def play_api(cloud: Cloud) -> None:
    cloud.starting()
    _, token = Tokens(cloud.services("http_api").table).create("default")
    authorized: Any = cloud.invoke("authorize", {"headers": {"authorization": f"Bearer {token}"}})
    assert authorized["isAuthorized"]
    request = {"url": cloud.site.url + "/"}
    assert cloud.call_api("POST", "/v1/scrape?wait=0", request)["statusCode"] in (200, 202)
    strategies = json.loads(cloud.call_api("GET", "/v1/strategies")["body"])["strategies"]
    extraction = strategies[0]["id"]
    for path in (
        "/v1/jobs", "/v1/jobs/listing", "/v1/jobs/listing/result", "/v1/jobs/listing/markdown", "/v1/parsers",
        f"/v1/strategies/{extraction}",
        f"/v1/extractions/{extraction}", f"/v1/extractions/{extraction}?format=csv", "/health",
    ):  # fmt: skip
        answer = cloud.call_api("GET", path)
        assert answer["statusCode"] == 200, (path, answer)
    for name in ("picture", "media"):
        assert cloud.call_api("GET", f"/v1/jobs/{name}/screenshot")["statusCode"] == 200
    for path, body in (
        ("/v1/content", {"html": "<p>x"}),
        ("/v1/similarity", {"text_a": "a", "text_b": "b"}),
        ("/v1/browse", {**request, "enable_javascript": False}),
    ):
        assert cloud.call_api("POST", path, body)["statusCode"] == 200, path
    batch = cloud.call_api("POST", "/v1/batches", {"requests": [request]})
    assert batch["statusCode"] in (200, 201, 202), batch
    batch_id = json.loads(batch["body"])["batch_id"]
    assert cloud.call_api("GET", f"/v1/batches/{batch_id}")["statusCode"] == 200
    assert cloud.call_api("DELETE", "/v1/jobs/listing")["statusCode"] == 200
    play_mcp(cloud)
    assert cloud.call_api("DELETE", f"/v1/strategies/{extraction}")["statusCode"] == 204


def play_mcp(cloud: Cloud) -> None:
    for tool, arguments in (
        ("get_result", {"job_id": "next"}),
        ("get_result", {"job_id": "next", "part": "markdown"}),
        ("get_result", {"job_id": "picture"}),
        ("get_result", {"job_id": "media"}),
        ("scrape", {"url": cloud.site.url}),
        ("browse_url", {"url": cloud.site.url}),
    ):
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        answer = cloud.call_api("POST", "/mcp", call, "mcp_server", **{"mcp-protocol-version": "2025-06-18"})
        assert answer["statusCode"] == 200, answer
        assert not json.loads(answer["body"])["result"].get("isError"), answer
