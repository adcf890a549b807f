"""Both model adapters against the scripted server, over real HTTP: answers, schemas, and each way to go wrong."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import boto3
import pytest
from aws_lambda_powertools.utilities.parameters import clear_caches
from gleaner.adapters.models import endpoint as model_endpoint
from gleaner.adapters.models.bedrock import BedrockModel
from gleaner.adapters.models.openai_compatible import OPENAI, OpenAICompatibleModel
from gleaner.adapters.models.refusals import retry_after_s
from gleaner.contracts.errors import ModelMisconfigured, ModelRefused, ModelTimeout, ModelUnavailable, RateLimited
from gleaner.contracts.ports import Model, ModelRequest
from gleaner.contracts.settings import load_settings
from gleaner.testing import Faults, ScriptedModel, ScriptedModelServer, truth_of
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from moto import mock_aws

from tests.support.schemas import TEXT, list_of, object_of

SCHEMA: dict[str, Any] = object_of(data=list_of(object_of(name=TEXT)))
REQUEST = ModelRequest("You extract.", "The page: Tidal mug, Slate bowl", SCHEMA, max_output_tokens=777, timeout_s=5)
MakeModel = Callable[[ScriptedModelServer], Model]


def openai(server: ScriptedModelServer) -> Model:
    return OpenAICompatibleModel("scripted", load_settings({}, openai_base_url=server.openai_base_url, api_key="k"))


def bedrock(server: ScriptedModelServer) -> Model:
    return BedrockModel("anthropic.scripted", load_settings({}, bedrock_endpoint_url=server.bedrock_endpoint_url))


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "DEFAULT_REGION"):
        monkeypatch.setenv(f"AWS_{name}", "us-east-1")


@pytest.fixture(params=[openai, bedrock], ids=["openai", "bedrock"])
def make(request: pytest.FixtureRequest) -> Iterator[MakeModel]:
    made: list[Any] = []

    def remember(server: ScriptedModelServer) -> Model:
        model = request.param(server)
        made.append(model)
        return model

    yield remember
    for model in made:
        model.close()


@contextmanager
def serving(**options: Any) -> Iterator[ScriptedModelServer]:
    faults = options.pop("faults", Faults())
    truth = truth_of([{"name": "Tidal mug"}, {"name": "Slate bowl"}])
    with ScriptedModelServer(ScriptedModel(truth, faults), **options) as server:
        yield server


@pytest.mark.req("EX-2")
def test_an_answer_comes_back_with_its_tokens(make: MakeModel) -> None:
    with serving() as server:
        answer = make(server).answer(REQUEST)
    assert answer.text == '{"data": [{"name": "Tidal mug"}, {"name": "Slate bowl"}]}'
    assert answer.stop_reason == "end"
    assert answer.input_tokens > 0
    assert answer.output_tokens > 0


@pytest.mark.req("EX-2")
def test_a_request_is_asked_at_temperature_0_with_its_limit_and_its_schema(make: MakeModel) -> None:
    with serving() as server:
        make(server).answer(REQUEST)
    body = server.bodies[0]
    settings = body.get("inferenceConfig", body)
    assert settings["temperature"] == 0
    assert settings.get("maxTokens", settings.get("max_tokens")) == 777
    assert "You extract." in str(body.get("system") or body["messages"][0])
    assert "response_format" in body or "outputConfig" in body


@pytest.mark.req("EX-2")
def test_a_server_that_knows_no_schemas_is_asked_without_one_from_then_on(make: MakeModel) -> None:
    with serving(refuse_schemas=True) as server:
        model = make(server)
        with_a_hint = ModelRequest("", "JSON Schema of the data:\n{}\nTidal mug", SCHEMA, timeout_s=5)
        assert "Tidal mug" in model.answer(with_a_hint).text
        asked = len(server.bodies)
        assert "Tidal mug" in model.answer(with_a_hint).text
    assert len(server.bodies) == asked + 1


@pytest.mark.req("EX-2")
def test_an_answer_cut_by_the_limit_says_so(make: MakeModel) -> None:
    with serving(faults=Faults(cut=1)) as server:
        assert make(server).answer(REQUEST).stop_reason == "length"


@pytest.mark.req("EX-2", "EX-4")
@pytest.mark.parametrize(
    ("faults", "error"),
    [
        (Faults(rate_limit=1, retry_after_s=7), RateLimited),
        (Faults(fail=1), ModelUnavailable),
        (Faults(stall=1, stall_s=20), ModelTimeout),
    ],
)
def test_each_way_to_go_wrong_has_its_own_error(make: MakeModel, faults: Faults, error: type[Exception]) -> None:
    request = ModelRequest("", "Tidal mug", timeout_s=1)
    with serving(faults=faults) as server, pytest.raises(error) as raised:
        make(server).answer(request)
    assert len(server.bodies) == 1  # whoever retries is the state machine
    if isinstance(raised.value, RateLimited):
        assert raised.value.retry_after == 7


@pytest.mark.req("EX-2")
def test_a_dead_endpoint_is_unavailable(make: MakeModel) -> None:
    with serving() as server:
        model = make(server)
    with pytest.raises(ModelUnavailable, match="can't be reached"):
        model.answer(REQUEST)


# What no scripted model says


REFUSALS: dict[str, Any] = {
    "openai": {"choices": [{"message": {"content": None, "refusal": "I can't."}, "finish_reason": "stop"}]},
    "openai's filter": {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]},
    "bedrock": {"output": {"message": {"content": []}}, "stopReason": "guardrail_intervened"},
}


@contextmanager
def endpoint(answer: Callable[[Any], None]) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Serve what the function does with each request; give the endpoint's URL and the headers that come in."""
    headers: list[dict[str, str]] = []

    class Handler(LoopbackHandler):
        def do_POST(self) -> None:
            self.body = self.read_body()
            headers.append({name.lower(): value for name, value in self.headers.items()})
            answer(self)

    with LoopbackServer(Handler) as server:
        yield server.url, headers


def sending(value: Any, status: int = 200, **headers: str) -> Callable[[Any], None]:
    return lambda handler: handler.answer(status, "application/json", json.dumps(value).encode(), headers)


@contextmanager
def openai_at(url: str, **settings: Any) -> Iterator[OpenAICompatibleModel]:
    model = OpenAICompatibleModel("m", load_settings({}, openai_base_url=url, **settings))
    try:
        yield model
    finally:
        model.close()


SOUND: Any = {"choices": [{"message": {"content": "[]"}, "finish_reason": "stop"}]}


@pytest.mark.req("EX-2")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_completion_tokens temperature",
        ),
        ("'temperature' does not support 0 with this model. Only 1 is supported.", "max_tokens"),
    ],
)
def test_an_option_that_a_model_does_not_take_is_left_out_from_then_on(said: str, kept: str) -> None:
    bodies: list[dict[str, Any]] = []
    refused = "max_tokens" if "max_tokens" in said else "temperature"

    def answer(handler: Any) -> None:
        bodies.append(json.loads(handler.body))
        (sending({"error": {"message": said}}, 400) if refused in bodies[-1] else sending(SOUND))(handler)

    with endpoint(answer) as (url, _), openai_at(url) as model:
        assert [model.answer(REQUEST).text, model.answer(REQUEST).text] == ["[]", "[]"]
    assert [refused in body for body in bodies] == [True, False, False]
    assert all({*kept.split(), "response_format"} <= body.keys() for body in bodies[1:])


@pytest.mark.req("EX-2")
def test_a_temperature_that_bedrock_does_not_take_is_left_out_from_then_on() -> None:
    bodies: list[dict[str, Any]] = []
    refusal = sending(
        {"message": "temperature is deprecated for this model"}, 400, **{"x-amzn-ErrorType": "ValidationException"}
    )
    said = {"output": {"message": {"role": "assistant", "content": [{"text": "[]"}]}}, "stopReason": "end_turn"}

    def answer(handler: Any) -> None:
        bodies.append(json.loads(handler.body))
        (refusal if "temperature" in bodies[-1]["inferenceConfig"] else sending(said))(handler)

    with endpoint(answer) as (url, _):
        model = BedrockModel("m", load_settings({}, bedrock_endpoint_url=url))
        assert [model.answer(REQUEST).text, model.answer(REQUEST).text] == ["[]", "[]"]
        model.close()
    assert ["temperature" in body["inferenceConfig"] for body in bodies] == [True, False, False]
    assert all("outputConfig" in body for body in bodies)


@pytest.mark.req("EX-12", "EX-9")
def test_bedrock_caches_what_all_pages_share_where_that_is_long_enough() -> None:
    bodies: list[dict[str, Any]] = []
    usage = {"inputTokens": 10, "cacheReadInputTokens": 4_000, "outputTokens": 5}
    said = {"output": {"message": {"content": [{"text": "[]"}]}}, "stopReason": "end_turn", "usage": usage}

    def answer(handler: Any) -> None:
        bodies.append(json.loads(handler.body))
        sending(said)(handler)

    sonnet, haiku, other = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-haiku-4-5", "meta.llama4"
    with endpoint(answer) as (url, _):
        for model_id, shared in ((sonnet, 6_000), (haiku, 6_000), (haiku, 21_000), (sonnet, 300), (other, 60_000)):
            model = BedrockModel(model_id, load_settings({}, bedrock_endpoint_url=url))
            request = ModelRequest("", "s" * shared + "the page", timeout_s=5, shared_chars=shared)
            read = model.answer(request).input_tokens
            model.close()
    contents = [body["messages"][0]["content"] for body in bodies]
    assert ["cachePoint" in str(content) for content in contents] == [True, False, True, False, False]
    assert [*map(len, contents)] == [3, 1, 3, 1, 1]
    assert contents[0][2] == {"text": "the page"}
    assert read == 4_010


@pytest.mark.req("EX-12")
def test_an_answer_limit_that_bedrock_refuses_is_lowered() -> None:
    limits: list[int] = []
    words = "The maximum tokens you requested exceeds the model limit of 512. Try again with a lower value."
    refusal = sending({"message": words}, 400, **{"x-amzn-ErrorType": "ValidationException"})
    said = {"output": {"message": {"content": [{"text": "[]"}]}}, "stopReason": "end_turn"}

    def answer(handler: Any) -> None:
        limits.append(json.loads(handler.body)["inferenceConfig"]["maxTokens"])
        (refusal if limits[-1] > 512 else sending(said))(handler)

    with endpoint(answer) as (url, _):
        model = BedrockModel("m", load_settings({}, bedrock_endpoint_url=url))
        for _ in range(2):
            assert model.answer(REQUEST).text == "[]"
        model.close()
    assert limits == [777, 512, 512]


@pytest.mark.req("EX-2", "EX-5")
@pytest.mark.parametrize("said", REFUSALS)
def test_a_model_that_declines_is_told_from_one_that_finds_nothing(said: str) -> None:
    with endpoint(sending(REFUSALS[said])) as (url, _), pytest.raises(ModelRefused, match="declined"):
        if said == "bedrock":
            BedrockModel("m", load_settings({}, bedrock_endpoint_url=url)).answer(REQUEST)
        with openai_at(url) as model:
            model.answer(REQUEST)


@pytest.mark.req("EX-2")
def test_a_key_is_sent_and_may_be_a_secret_of_the_account() -> None:
    clear_caches()
    with endpoint(sending(SOUND)) as (url, headers), mock_aws():
        secrets = boto3.client("secretsmanager", "us-east-1")
        arn = secrets.create_secret(Name="key", SecretString="kept apart")["ARN"]
        for settings in ({"api_key": "given"}, {"api_key_secret_arn": arn}, {}):
            with openai_at(url, **settings) as model:
                model.answer(REQUEST)
    sent = [one.get("authorization") for one in headers]
    assert sent == ["Bearer given", "Bearer kept apart", None]


@pytest.mark.req("EX-2", "AU-1")
def test_no_error_that_callers_read_tells_the_key_or_a_password() -> None:
    refusal = {"error": {"message": "invalid key Bearer sk-1234567890"}}
    with (
        endpoint(sending(refusal, 401)) as (url, _),
        openai_at(url, api_key="sk-1234567890") as model,
        pytest.raises(ModelMisconfigured, match=r"invalid key Bearer \(the key\)$"),
    ):
        model.answer(REQUEST)
    with (
        openai_at("http://user:secret@127.0.0.1:1/v1") as model,
        pytest.raises(ModelUnavailable, match=r"^http://127\.0\.0\.1:1/v1 can't be reached"),
    ):
        model.answer(REQUEST)


@pytest.mark.req("EX-2", "AU-1")
@pytest.mark.parametrize("settings", [{"api_key": "sk-é123456789"}, {"api_key": "sk-1\n23456789"}])
def test_a_key_that_no_header_can_hold_is_the_key_to_look_at(settings: dict[str, Any]) -> None:
    with (
        endpoint(sending(SOUND)) as (url, _),
        openai_at(url, **settings) as model,
        pytest.raises(ModelMisconfigured, match=r"a header for .* can't be sent .*: look at llm_api_key") as told,
    ):
        model.answer(REQUEST)
    assert "123456789" not in str(told.value)


@pytest.mark.req("EX-2", "SS-1")
def test_an_endpoint_leads_nowhere_else() -> None:
    with (
        endpoint(sending(SOUND)) as (other, reached),
        endpoint(sending({}, 307, Location=f"{other}/chat/completions")) as (url, _),
        openai_at(url, api_key="k") as model,
        pytest.raises(ModelMisconfigured, match="status 307"),
    ):
        model.answer(REQUEST)
    assert reached == []


@pytest.mark.req("EX-2", "SS-2")
def test_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_endpoint, "MAX_ANSWER_BYTES", 1_000)
    with (
        endpoint(sending(SOUND | {"padding": "x" * 2_000})) as (url, _),
        openai_at(url) as model,
        pytest.raises(ModelUnavailable, match="more than 1000 bytes"),
    ):
        model.answer(REQUEST)


SAID = {"content": "[]"}
STRANGE: dict[str, dict[str, Any]] = {
    "no usage": {"choices": [{"message": SAID}], "usage": "none"},
    "counts that are none": {
        "choices": [{"message": SAID}],
        "usage": {"prompt_tokens": float("inf"), "completion_tokens": "7"},
    },
    "a text in parts": {
        "choices": [{"message": {"content": [{"type": "thinking"}, {"type": "text", "text": "[]"}]}}],
        "usage": {"prompt_tokens": True},
    },
}


@pytest.mark.req("EX-2", "EX-9")
@pytest.mark.parametrize("name", STRANGE)
def test_a_sound_text_is_taken_whatever_stands_beside_it(name: str) -> None:
    with endpoint(sending(STRANGE[name])) as (url, _), openai_at(url) as model:
        answer = model.answer(REQUEST)
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("[]", 0, 0)


def break_off(handler: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.close_connection = True


BROKEN: dict[str, Callable[[Any], None]] = {
    "a message that is none": sending({"choices": [{"message": None}]}),
    "a text that is none": sending({"choices": [{"message": {"content": 5}}]}),
    "brackets without end": lambda handler: handler.answer(200, "application/json", b"[" * 100_000),
    "an answer broken off": break_off,
}


@pytest.mark.req("EX-2", "EX-9")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_answer_is_tried_again_and_its_prompt_was_read(name: str) -> None:
    with (
        endpoint(BROKEN[name]) as (url, _),
        openai_at(url) as model,
        pytest.raises(ModelUnavailable) as raised,
    ):
        model.answer(REQUEST)
    assert raised.value.was_read


@pytest.mark.req("EX-2", "SS-2")
def test_an_answer_that_trickles_in_takes_no_longer_than_its_time() -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        body = json.dumps(SOUND).encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        for at in range(0, len(body), 8):
            handler.wfile.write(body[at : at + 8])
            time.sleep(0.05)

    def trickle_headers(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(40):
            handler.wfile.write(b"X-%d: x\r\n" % number)
            time.sleep(0.05)
        handler.close_connection = True

    hurried = ModelRequest("", "names?", timeout_s=0.15)
    for slow in (trickle, trickle_headers):
        with endpoint(slow) as (url, _), openai_at(url) as model, pytest.raises(ModelTimeout):
            model.answer(hurried)


@pytest.mark.req("EX-2", "EX-9")
def test_a_model_on_this_machine_goes_by_a_name_that_costs_nothing() -> None:
    with openai_at("http://localhost:11434/v1") as here, openai_at(OPENAI) as there:
        assert (here.name, there.name) == ("local:m", "openai:m")


def test_retry_after_is_read_in_seconds_and_nothing_else() -> None:
    assert retry_after_s({"retry-after": "3"}) == 3
    assert retry_after_s({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}) is None
    assert retry_after_s({}) is None
