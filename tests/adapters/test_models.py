"""Both model adapters against the scripted server, over real HTTP: answers, schemas, and each way to go wrong."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from gleaner.adapters.bedrock import BedrockModel
from gleaner.adapters.openai_compatible import OpenAICompatibleModel, retry_after_s
from gleaner.errors import ModelMisconfigured, ModelTimeout, ModelUnavailable, RateLimited
from gleaner.ports import Model, ModelRequest
from gleaner.settings import load_settings
from gleaner.testing import Faults, ScriptedModel, ScriptedModelServer, truth_of

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"data": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}},
}
REQUEST = ModelRequest("You extract.", "The page: Tidal mug, Slate bowl", SCHEMA, timeout_s=5)
MakeModel = Callable[[ScriptedModelServer], Model]


def openai(server: ScriptedModelServer) -> Model:
    return OpenAICompatibleModel("scripted", load_settings({}, openai_base_url=server.openai_base_url, api_key="k"))


def bedrock(server: ScriptedModelServer) -> Model:
    return BedrockModel("anthropic.scripted", load_settings({}, bedrock_endpoint_url=server.bedrock_endpoint_url))


@pytest.fixture(params=[openai, bedrock], ids=["openai", "bedrock"])
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeModel]:
    for name, value in {"ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
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
    assert settings.get("maxTokens", settings.get("max_tokens")) == REQUEST.max_output_tokens
    assert "response_format" in body or "outputConfig" in body


@pytest.mark.req("EX-2")
def test_a_server_that_knows_no_schemas_is_asked_without_one_from_then_on(make: MakeModel) -> None:
    with serving(refuse_schemas=True) as server:
        model = make(server)
        with_a_hint = ModelRequest("", "JSON Schema of the data:\n{}\nTidal mug", SCHEMA, timeout_s=5)
        assert "Tidal mug" in model.answer(with_a_hint).text
        assert "Tidal mug" in model.answer(with_a_hint).text
    assert len(server.bodies) == 3


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
    if isinstance(raised.value, RateLimited):
        assert raised.value.retry_after == 7


@pytest.mark.req("EX-2")
def test_a_dead_endpoint_is_unavailable(make: MakeModel) -> None:
    with serving() as server:
        model = make(server)
    with pytest.raises(ModelUnavailable, match="can't be reached"):
        model.answer(REQUEST)


@pytest.mark.req("EX-2")
def test_a_base_that_is_no_url_is_a_setting_to_mend() -> None:
    model = OpenAICompatibleModel("m", load_settings({}, openai_base_url="http://[bad"))
    with pytest.raises((ModelMisconfigured, ModelUnavailable)):
        model.answer(REQUEST)
    model.close()


def test_retry_after_is_read_in_seconds_and_nothing_else() -> None:
    assert retry_after_s({"retry-after": "3"}) == 3
    assert retry_after_s({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}) is None
    assert retry_after_s({}) is None
