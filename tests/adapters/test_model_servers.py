"""Every kind of server that people run models on, stood in for over real HTTP: a page comes through each one whole."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.adapters.models.openai_compatible import OpenAICompatibleModel
from gleaner.adapters.models.refusals import read_refusal
from gleaner.contracts.errors import ModelMisconfigured, ModelUnavailable, PromptTooLong, RateLimited
from gleaner.contracts.model_servers import model_servers, refusal_patterns, server_at, server_named
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import ModelRequest
from gleaner.contracts.settings import load_settings
from gleaner.local.engine import scaled_retry_waits
from gleaner.testing import ScriptedModel, TrueRecord

from tests.adapters import model_servers as stand_ins
from tests.adapters.model_servers import KEY, Server, StandIn, always, failed
from tests.support.schemas import NUMBER, TEXT, records_of

SCHEMA: dict[str, Any] = records_of(title=TEXT, price=NUMBER)
QUIET = "A long and quiet description of a book that was written in the rain. "


def page(count: int) -> str:
    rows = "".join(
        f"<article class=book><h3>Book of Rain no. {at}</h3><p>${5 + at}.25</p><p>{QUIET * 8}</p></article>"
        for at in range(count)
    )
    return f"<html><body><main><h1>Books</h1><div>{rows}</div></main></body></html>"


def books(count: int) -> ScriptedModel:
    truth = [
        TrueRecord({"title": f"Book of Rain no. {at}", "price": 5.25 + at}, (f"no. {at}\n", f"${5 + at}.25"))
        for at in range(count)
    ]
    return ScriptedModel(truth)


@contextmanager
def standing_in(server: Server, count: int = 0) -> Generator[StandIn]:
    with StandIn(server, books(count)) as stand_in:
        server.model = stand_in.model  # type: ignore[attr-defined]
        yield stand_in


def read_through(server: Server, count: int, home: Path, base: str = "/v1", **llm: Any) -> ScrapeResult:
    with standing_in(server, count) as stand_in, scaled_retry_waits(0):
        settings = {"openai_base_url": stand_in.url + base, "api_key": KEY, **llm}
        with Gleaner("openai:m", home, llm=settings) as gleaner:
            config = {"tiers": ["model"]}
            return gleaner.extract_html(page(count), "https://books.example/", output_schema=SCHEMA, config=config)


SERVERS = {
    "vllm 2024": (lambda: Server("vllm", stand_ins.vllm(stand_ins.VLLM_2024)), 40),
    "vllm 2025": (lambda: Server("vllm", stand_ins.vllm(stand_ins.VLLM_2025)), 40),
    "vllm 2026": (lambda: Server("vllm", stand_ins.vllm(stand_ins.VLLM_2026)), 40),
    "llama.cpp": (lambda: Server("llamacpp", stand_ins.llama_cpp, context=4_096), 40),
    "llama.cpp that says no numbers": (lambda: Server("llamacpp", stand_ins.llama_cpp_old, context=4_096), 40),
    "lm studio": (lambda: Server("lmstudio", stand_ins.lm_studio, context=4_096), 40),
    "openai": (lambda: Server("openai", stand_ins.openai, wants_key=True), 12),
    "groq": (lambda: Server("groq", stand_ins.groq, context=6_000, wants_key=True), 40),
    "gemini": (lambda: Server("gemini", stand_ins.gemini, context=4_096, wants_key=True), 40),
    "mistral": (lambda: Server("mistral", stand_ins.mistral, context=4_096, wants_key=True), 40),
    "deepseek": (lambda: Server("deepseek", stand_ins.deepseek, wants_key=True), 12),
    "openrouter": (lambda: Server("openrouter", stand_ins.openrouter, wants_key=True), 40),
}


@pytest.mark.req("EX-12")
@pytest.mark.parametrize("name", SERVERS)
def test_a_page_that_is_longer_than_a_servers_limits_comes_through_it_whole(name: str, tmp_path: Path) -> None:
    make, count = SERVERS[name]
    server = make()
    result = read_through(server, count, tmp_path)
    assert result.status == "complete", result.extraction and result.extraction.errors
    assert result.extraction is not None
    assert [one["title"] for one in result.extraction.data] == [f"Book of Rain no. {at}" for at in range(count)]
    assert len(server.asked) <= 30


@pytest.mark.req("EX-12")
def test_what_a_server_was_seen_to_take_is_asked_for_at_once_the_next_time() -> None:
    server = Server("openai", stand_ins.openai)
    request = ModelRequest("", "Tidal mug", SCHEMA, max_output_tokens=8_192, timeout_s=5)
    with standing_in(server) as stand_in:
        model = OpenAICompatibleModel("m", load_settings({}, openai_base_url=stand_in.url))
        model.answer(request)
        learned = len(server.asked)
        model.answer(request)
        model.close()
    assert (learned, len(server.asked)) == (4, 5)
    assert (server.asked[-1]["max_completion_tokens"], "temperature" in server.asked[-1]) == (4_096, False)


@pytest.mark.req("EX-12")
def test_ollama_is_asked_for_a_context_that_holds_the_whole_prompt(tmp_path: Path) -> None:
    server = Server("ollama", stand_ins.ollama, context=4_096)
    server.models = {"object": "list", "data": [{"id": "llama3.2:latest", "owned_by": "library"}]}
    with standing_in(server, 40) as stand_in:
        model = OpenAICompatibleModel("llama3.2", load_settings({}, openai_base_url=f"{stand_in.url}/v1"), "ollama")
        model.check()
        with Gleaner(model, tmp_path) as gleaner:
            config = {"tiers": ["model"]}
            result = gleaner.extract_html(page(40), "https://books.example/", output_schema=SCHEMA, config=config)
        model.close()
    assert result.status == "complete"
    assert len(server.asked) == 1
    assert server.asked[0]["options"]["num_ctx"] >= stand_ins.tokens(server.asked[0]) + 8_192
    assert "properties" in server.asked[0]["format"]


@pytest.mark.req("EX-12")
def test_a_prompt_that_a_server_cut_without_a_word_is_asked_about_in_parts(tmp_path: Path) -> None:
    server = Server("a gateway before Ollama", lambda server, path, body: stand_ins.ollama(server, "/v1", body))
    server.context = 4_096
    result = read_through(server, 40, tmp_path)
    assert result.status == "complete"
    assert result.extraction is not None
    assert len(result.extraction.data) == 40


@pytest.mark.req("EX-12")
@pytest.mark.parametrize("version", ["in the URL", "as a setting"])
def test_azure_is_given_its_version_and_its_key_in_their_places(version: str, tmp_path: Path) -> None:
    server = Server("azure", stand_ins.azure, wants_key=True, key_header="api-key")
    base, more = "/openai/deployments/gpt", {"api_version": "2024-10-21"}
    if version == "in the URL":
        base, more = f"{base}?api-version=2024-10-21", {}
    result = read_through(server, 6, tmp_path, base, **more)
    assert result.status == "complete"
    assert server.paths == ["/openai/deployments/gpt/chat/completions?api-version=2024-10-21"]
    assert "authorization" not in server.headers[0]


@pytest.mark.req("EX-12")
def test_one_schema_that_a_server_refuses_costs_no_other_schema_its_form() -> None:
    def refuse(server: Server, path: str, body: dict[str, Any]) -> Any:
        del server, path
        said = "Invalid schema for response_format 'answer': 'odd' is not permitted."
        return failed(400, said, param="response_format") if "odd" in json.dumps(body) else None

    server = Server("openai", refuse)
    schemas: list[Any] = [{"type": "object", "properties": {name: {"type": "string"}}} for name in ("odd", "title")]
    with standing_in(server) as stand_in:
        model = OpenAICompatibleModel("m", load_settings({}, openai_base_url=stand_in.url))
        for schema in (*schemas, schemas[0]):
            model.answer(ModelRequest("", "JSON Schema of the data:\n{}", schema, timeout_s=5))
        model.close()
    forms = [body.get("response_format", {}).get("type") for body in server.asked]
    assert forms == ["json_schema", "json_object", "json_schema", "json_object"]


@pytest.mark.req("EX-12")
@pytest.mark.parametrize(
    ("status", "body", "error", "said"),
    [
        (429, failed(429, "Rate limit reached for model `x` on tokens per minute: Limit 5000, Used 5747, Requested "
                     "~4251. Please try again in 59.977s.", code="rate_limit_exceeded")[1], RateLimited, "59.977"),
        (429, failed(429, "Requests have exceeded a rate limit. Please retry after 6 seconds.")[1], RateLimited, "6"),
        (429, [{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded.",
                          "details": [{"retryDelay": "17s"}]}}], RateLimited, "17"),
        (429, failed(429, "You exceeded your current quota, please check your plan and billing details.",
                     code="insufficient_quota")[1], ModelMisconfigured, "paid for"),
        (402, failed(402, "Insufficient Balance")[1], ModelMisconfigured, "paid for"),
        (400, [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}],
         ModelMisconfigured, "key"),
        (404, failed(404, "The model `gpt-9` does not exist or you do not have access to it.",
                     code="model_not_found")[1], ModelMisconfigured, "no model 'm'"),
        (404, {"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist."}},
         ModelMisconfigured, "no model 'm'"),
        (503, failed(503, "Loading model", type="unavailable_error")[1], ModelUnavailable, "Loading model"),
        (529, failed(529, "Overloaded")[1], ModelUnavailable, "Overloaded"),
        (200, {"error": {"code": 502, "message": "Provider returned error"}}, ModelUnavailable, "Provider returned"),
        (200, {"error": {"code": 429, "message": "Rate limit exceeded: free-models-per-day"}}, RateLimited, ""),
        (400, failed(400, "This model's maximum prompt length is 100 tokens.")[1], PromptTooLong, "longer"),
        (400, failed(400, "messages: unexpected role")[1], ModelMisconfigured, "status 400: messages: unexpected role"),
        (422, {"detail": [{"loc": ["body", "seed"], "msg": "Field required"}]}, ModelMisconfigured, "status 422"),
    ],
)  # fmt: skip
def test_what_servers_say_is_understood(status: int, body: Any, error: type[Exception], said: str) -> None:
    server = Server("any", always((status, body)))
    with standing_in(server) as stand_in:
        model = OpenAICompatibleModel("m", load_settings({}, openai_base_url=stand_in.url))
        with pytest.raises(error) as raised:
            model.answer(ModelRequest("", "Tidal mug", {"type": "array"}, max_output_tokens=256, timeout_s=5))
        model.close()
    assert said in f"{raised.value} {getattr(raised.value, 'retry_after', '')}"


@pytest.mark.req("EX-12")
@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("`max_tokens` must be less than or equal to `1024`, the maximum value for `max_tokens` is less than the "
         "`context_window` for this model", 1_024),
        ("max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku", 4_096),
        ("Unable to submit request because it has a maxOutputTokens value of 8192 but the supported range is from 1 "
         "(inclusive) to 2049 (exclusive).", 2_048),
        ("The maximum tokens you requested exceeds the model limit of 4,096. Try again with a lower value.", 4_096),
        ("This request requires more credits, or fewer max_tokens. You requested up to 8192 tokens, but can only "
         "afford 2871.", 2_871),
        ("Value for max_tokens out of bounds: must be between 1 and 3000", 3_000),
    ],
)  # fmt: skip
def test_the_longest_answer_is_read_from_what_servers_say(words: str, limit: int) -> None:
    refusal = read_refusal(402 if "afford" in words else 400, json.dumps({"error": {"message": words}}), {}, 8_192)
    assert (refusal.kind, refusal.answer_limit(8_192, 500)) == ("limit", limit)


@pytest.mark.req("EX-12")
def test_a_prompt_that_leaves_no_room_for_its_answer_is_asked_about_in_parts() -> None:
    words = stand_ins.VLLM_2024.format(context=8_192, prompt=7_500, output=8_192, total=15_692)
    refusal = read_refusal(400, json.dumps({"message": words}), {}, 8_192)
    assert refusal.answer_limit(8_192, 9_000) is None
    words = stand_ins.VLLM_2024.format(context=8_192, prompt=808, output=8_192, total=9_000)
    refusal = read_refusal(400, json.dumps({"message": words}), {}, 8_192)
    assert refusal.answer_limit(8_192, 9_000) == 7_384


def test_the_table_names_its_servers_and_every_refusal_is_of_one_of_them() -> None:
    known = {server.id for server in model_servers()} | {"bedrock"}
    assert {name for pattern in refusal_patterns() for name in pattern.servers} <= known
    assert [server_named(name) is not None for name in ("ollama", "vllm", "azure", "nobody")] == [
        True,
        True,
        False,
        False,
    ]
    assert server_at("https://my.openai.azure.com/openai/v1").id == "azure"
    assert server_at("http://gpu.example:11434/v1").id == "unknown"
