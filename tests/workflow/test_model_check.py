"""A model that can't be asked is found before a page is fetched for it, and everybody is told who has to be (EX-12)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.adapters.models.openai_compatible import OpenAICompatibleModel
from gleaner.cli import run
from gleaner.contracts.errors import ModelMisconfigured, ModelUnavailable
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.settings import load_settings
from gleaner.local.engine import scaled_retry_waits
from gleaner.steps.closing import measures_of
from gleaner.steps.model_check import chunk_chars
from gleaner.testing import ScriptedModel
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.adapters.model_servers import KEY, Server, StandIn, always, failed

OLLAMA = {"object": "list", "data": [{"id": "llama3.2:latest", "owned_by": "library"}, {"id": "qwen3:8b"}]}
VLLM = {"object": "list", "data": [{"id": "qwen", "owned_by": "vllm", "max_model_len": 8_192}]}


class Page(LoopbackServer):
    """A page that counts its visitors."""

    def __init__(self) -> None:
        self.visits = 0
        super().__init__(_PageHandler)


class _PageHandler(LoopbackHandler):
    owner: Page

    def do_GET(self) -> None:
        self.owner.visits += self.path == "/"
        self.answer(200, "text/html", b"<h1>Mugs</h1><p>The Tidal mug holds 300 ml and was made by hand.</p>")

    do_HEAD = do_GET


@pytest.fixture
def page() -> Iterator[Page]:
    with scaled_retry_waits(0), Page() as served:
        yield served


def ollamas_port(base_url: str) -> int:
    del base_url
    return 11_434


def unused_port() -> int:
    with LoopbackServer(LoopbackHandler) as server:
        return int(server.host.rpartition(":")[2])


def refusing(answer: Any) -> Server:
    return Server("any", always(answer))


BROKEN: dict[str, tuple[Server | None, str, int, str]] = {
    "a wrong key": (Server("any", wants_key=True), "openai:m", 78, "refused the key with status 401"),
    "a name that the list lacks": (Server("ollama", models=OLLAMA), "openai:llama3.3", 78, "did you mean 'llama3.2"),
    "a model to be fetched": (Server("ollama", models=OLLAMA), "openai:phi4", 78, "`ollama pull phi4`"),
    "a name that only a question shows to be wrong": (
        refusing(failed(404, "The model `m` does not exist", code="model_not_found")), "openai:m", 78, "no model 'm'",
    ),
    "a place where no such server is": (refusing((404, {"detail": "Not Found"})), "openai:m", 78, "ends in /v1"),
    "an account without credit": (
        refusing(failed(429, "You exceeded your current quota", code="insufficient_quota")), "openai:m", 78, "paid for",
    ),
    "a server that is starting": (refusing(failed(503, "Loading model")), "openai:m", 75, "Loading model"),
    "nobody listening": (None, "ollama:llama3.2", 75, "is Ollama running? `ollama serve`"),
}  # fmt: skip


@pytest.mark.req("EX-12", "CL-1")
@pytest.mark.parametrize("what", BROKEN)
def test_a_model_that_cannot_be_asked_ends_the_command_before_the_page_is_fetched(
    what: str, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server, model, code, said = BROKEN[what]
    stand_in = StandIn(server, ScriptedModel([])) if server else None
    base = "" if what.startswith("a place") else "/v1"
    url = stand_in.url + base if stand_in else f"http://127.0.0.1:{unused_port()}/v1"
    monkeypatch.setenv("GLEANER_LLM_OPENAI_BASE_URL", url)
    if stand_in is None:
        monkeypatch.setattr("gleaner.contracts.model_servers._port", ollamas_port)
    arguments = ["scrape", f"{page.url}/", "-q", "Which mugs?", "--no-javascript", "--model", model, "--json"]
    left = run([*arguments, "--home", str(tmp_path), "--allow-host", page.host])
    if stand_in:
        stand_in.close()
    result = json.loads(capsys.readouterr().out)
    assert (left, page.visits) == (code, 0)
    assert result["status"] == "failed"
    assert result["error"]["error_type"] == {78: "model_misconfigured", 75: "model_unavailable"}[code]
    assert said in result["error"]["message"]


@pytest.mark.req("EX-12")
def test_operators_are_alarmed_of_a_job_that_its_model_has_failed() -> None:
    failures = {"model_misconfigured": 1, "model_unavailable": 1, "rate_limited": 1, "unreachable_host": 0}
    for error_type, alarm in failures.items():
        error = {"error_type": error_type, "message": "no"}
        result = ScrapeResult.model_validate({"status": "failed", "job_id": "j", "error": error})
        assert measures_of(result)["ModelUnusable"] == alarm


@pytest.mark.req("EX-12")
def test_a_request_that_needs_no_model_does_not_ask_whether_there_is_one(page: Page, tmp_path: Path) -> None:
    server = refusing(failed(401, "no"))
    with StandIn(server, ScriptedModel([])) as stand_in:
        llm = {"openai_base_url": stand_in.url}
        with Gleaner("openai:m", tmp_path, allow_hosts=[page.host], llm=llm) as gleaner:
            plain = gleaner.scrape(f"{page.url}/", enable_javascript=False)
            config = {"tiers": ["structured", "recipe"]}
            tier = gleaner.scrape(f"{page.url}/", query="Which?", config=config, enable_javascript=False)
    assert (plain.status, tier.error, server.paths) == ("complete", None, [])


@pytest.mark.req("EX-12")
def test_a_model_that_was_found_is_not_looked_for_before_every_page(page: Page, tmp_path: Path) -> None:
    server = Server("vllm", models=VLLM)
    with StandIn(server, ScriptedModel([], text="The Tidal mug.")) as stand_in:
        llm = {"openai_base_url": f"{stand_in.url}/v1"}
        with Gleaner("openai:qwen", tmp_path, allow_hosts=[page.host], llm=llm) as gleaner:
            for _ in range(2):
                result = gleaner.scrape(f"{page.url}/", query="Which mugs?", enable_javascript=False)
                assert result.error is None
            assert chunk_chars(100_000, gleaner.services) == (8_192 // 2 - 700) * 3
    assert server.paths.count("/v1/models") == 1


@pytest.mark.req("EX-12")
def test_a_model_answers_the_check_by_its_list_alone_where_that_decides() -> None:
    for models, name in ((OLLAMA, "llama3.2"), (VLLM, "qwen")):
        server = Server("any", models=models)
        with StandIn(server, ScriptedModel([])) as stand_in:
            model = OpenAICompatibleModel(name, load_settings({}, openai_base_url=f"{stand_in.url}/v1"))
            model.check()
            model.close()
        assert server.asked == []


@pytest.mark.req("EX-12")
def test_bedrock_without_a_region_or_credentials_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    from gleaner.adapters.models.bedrock import BedrockModel

    with pytest.raises(ModelMisconfigured, match="set AWS_REGION"):
        BedrockModel("amazon.nova-lite-v1:0", load_settings({})).check()
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with pytest.raises(ModelMisconfigured, match="set AWS_PROFILE"):
        BedrockModel("amazon.nova-lite-v1:0", load_settings({})).check()


@pytest.mark.req("EX-12")
def test_a_key_is_taken_from_the_variable_that_every_client_of_its_server_reads() -> None:
    environ = {"OPENAI_API_KEY": KEY, "GROQ_API_KEY": "gsk", "GLEANER_MODEL": "openai:gpt-4o-mini"}
    assert load_settings(environ).llm.api_key == KEY
    assert load_settings(environ | {"GLEANER_LLM_API_KEY": "own"}).llm.api_key == "own"
    assert load_settings(environ | {"GLEANER_MODEL": "groq:llama-3.3"}).llm.api_key == "gsk"
    assert load_settings(environ | {"GLEANER_MODEL": "ollama:llama3.2"}).llm.api_key is None
    assert load_settings(environ | {"GLEANER_MODEL": "bedrock:m"}).llm.api_key is None
    elsewhere = environ | {"GLEANER_LLM_OPENAI_BASE_URL": "https://api.groq.com/openai/v1"}
    assert load_settings(elsewhere).llm.api_key == "gsk"
    proxied = load_settings(environ | {"OPENAI_BASE_URL": "https://gateway.example/v1"}).llm
    assert (proxied.openai_base_url, proxied.api_key) == ("https://gateway.example/v1", KEY)


@pytest.mark.req("EX-12")
def test_a_proxy_of_the_environment_is_used_but_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = refusing((200, {"choices": [{"message": {"content": "[]"}}]}))
    with StandIn(proxy, ScriptedModel([])) as stand_in:
        monkeypatch.setenv("HTTP_PROXY", stand_in.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        away = OpenAICompatibleModel("m", load_settings({}, openai_base_url="http://models.example/v1"))
        away.check()
        away.close()
        here = OpenAICompatibleModel("m", load_settings({}, openai_base_url=f"http://localhost:{unused_port()}/v1"))
        with pytest.raises(ModelUnavailable):
            here.check()
        here.close()
    assert proxy.paths[0] == "http://models.example/v1/models"


@pytest.mark.req("EX-12")
def test_authorities_that_cannot_be_read_are_a_setting_to_mend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
    model = OpenAICompatibleModel("m", load_settings({}, openai_base_url="https://127.0.0.1:1/v1"))
    with pytest.raises(ModelMisconfigured, match="SSL_CERT_FILE"):
        model.check()
