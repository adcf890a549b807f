"""Stand-ins for the servers that people run models on: over real HTTP, with their paths, their limits and their words.

Each one counts tokens as four characters. What they say was copied from their own error messages.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gleaner.testing import ScriptedModel
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.testing.server import chat_answer, read_chat

Answer = tuple[int, Any]
KEY = "sk-right-1234567890"


def tokens(body: dict[str, Any]) -> int:
    return sum(len(message["content"]) for message in body["messages"]) // 4


def limit_of(body: dict[str, Any]) -> int:
    return body.get("max_tokens") or body.get("max_completion_tokens") or 0


def never(server: "Server", path: str, body: dict[str, Any]) -> Answer | None:
    del server, path, body


def always(answer: Answer) -> Callable[["Server", str, dict[str, Any]], Answer | None]:
    def refuse(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
        del server, path, body
        return answer

    return refuse


def failed(status: int, message: str, **more: Any) -> Answer:
    return status, {"error": {"message": message, **more}}


@dataclass
class Server:
    """One server: which models it lists and how it refuses; None from a manner lets the model answer."""

    name: str
    refuse: Callable[["Server", str, dict[str, Any]], Answer | None] = never
    models: Any = None
    context: int = 8_192
    wants_key: bool = False
    key_header: str = "authorization"
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    paths: list[str] = field(default_factory=list[str])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])


class StandIn(LoopbackServer):
    """Serves as the server does; what its model knows is scripted."""

    def __init__(self, server: Server, model: ScriptedModel) -> None:
        self.server, self.model = server, model
        super().__init__(_Handler)


class _Handler(LoopbackHandler):
    owner: StandIn

    def do_GET(self) -> None:
        self._serve({})

    def do_POST(self) -> None:
        self._serve(json.loads(self.read_body()))

    def _serve(self, body: dict[str, Any]) -> None:
        server, headers = self.owner.server, {name.lower(): value for name, value in self.headers.items()}
        server.paths.append(self.path)
        server.headers.append(headers)
        if server.wants_key and headers.get(server.key_header, "").removeprefix("Bearer ") != KEY:
            self._say(failed(401, "Incorrect API key provided: sk-wr****.", code="invalid_api_key"))
            return
        path = self.path.partition("?")[0]
        if self.command == "GET" and path.endswith("/models"):
            self._say((200, server.models) if server.models else (404, {"detail": "Not Found"}))
            return
        if body.get("messages"):
            server.asked.append(body)
        refused = server.refuse(server, path, body)
        if refused is None and not body.get("messages"):
            refused = (404, {"detail": "Not Found"})
        self._say(refused or (200, self._answered(body)))

    def _answered(self, body: dict[str, Any]) -> Any:
        return chat_answer(self.owner.model.answer(read_chat(body | {"max_tokens": limit_of(body)})))

    def _say(self, answer: Answer) -> None:
        self.answer(answer[0], "application/json", json.dumps(answer[1]).encode())


def vllm(says: str) -> Callable[[Server, str, dict[str, Any]], Answer | None]:
    def refuse(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
        del path
        if not body or tokens(body) + limit_of(body) <= server.context:
            return None
        prompt, output = tokens(body), limit_of(body)
        words = says.format(context=server.context, prompt=prompt, output=output, total=prompt + output,
                            least=server.context - output + 1)  # fmt: skip
        return 400, {"object": "error", "message": words, "type": "BadRequestError", "param": None, "code": 400}

    return refuse


VLLM_2024 = (
    "This model's maximum context length is {context} tokens. However, you requested {total} tokens ({prompt} in the "
    "messages, {output} in the completion). Please reduce the length of the messages or completion."
)
VLLM_2025 = (
    "'max_tokens' or 'max_completion_tokens' is too large: {output}. This model's maximum context length is {context} "
    "tokens and your request has {prompt} input tokens ({output} > {context} - {prompt})."
)
VLLM_2026 = (
    "This model's maximum context length is {context} tokens. However, you requested {output} output tokens and your "
    "prompt contains at least {least} input tokens, for a total of at least 8193 tokens."
)


def llama_cpp(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path
    if not body or tokens(body) <= server.context:
        return None
    said = f"request ({tokens(body)} tokens) exceeds the available context size ({server.context} tokens)"
    return failed(
        400,
        f"{said}, try increasing it",
        type="exceed_context_size_error",
        n_prompt_tokens=tokens(body),
        n_ctx=server.context,
    )


def llama_cpp_old(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path
    fits = not body or tokens(body) <= server.context
    return None if fits else failed(500, "Context size has been exceeded.", type="server_error", code=500)


def lm_studio(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path
    said = (
        f"Trying to keep the first {tokens(body) if body else 0} tokens when context the overflows. However, the model "
        f"is loaded with context length of only {server.context} tokens, which is not enough. Try to load the model "
        "with a larger context length, or provide a shorter input"
    )
    return (400, {"error": said}) if body and tokens(body) > server.context else None


def openai(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path, server
    if "max_tokens" in body:
        said = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        return failed(400, said, type="invalid_request_error", param="max_tokens", code="unsupported_parameter")
    if body.get("temperature") == 0:
        said = "Unsupported value: 'temperature' does not support 0 with this model. Only 1 is supported."
        return failed(400, said, param="temperature", code="unsupported_value")
    if limit_of(body) > 4_096:
        said = f"max_tokens is too large: {limit_of(body)}. This model supports at most 4096 completion tokens."
        return failed(400, said, type="invalid_request_error", param="max_tokens", code="invalid_value")
    return None


def azure(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    if "api-version=2024-10-21" not in server.paths[-1] or not path.startswith("/openai/deployments/gpt/"):
        return 404, {"error": {"code": "404", "message": "Resource not found"}}
    if body and not isinstance(body.get("max_tokens"), int):
        return failed(
            400, "Unrecognized request argument supplied: max_completion_tokens", type="invalid_request_error"
        )
    return None


def groq(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path
    requested = tokens(body) + limit_of(body) if body else 0
    if requested <= server.context:
        return None
    said = (
        "Request too large for model `llama-3.3-70b-versatile` in organization `org_01` service tier `on_demand` on "
        f"tokens per minute (TPM): Limit {server.context}, Requested {requested}, please reduce your message size and "
        "try again."
    )
    return failed(413, said, type="tokens", code="rate_limit_exceeded")


def gemini(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path
    if body and tokens(body) > server.context:
        said = (
            f"The input token count ({tokens(body)}) exceeds the maximum number of tokens allowed ({server.context})."
        )
        return 400, [{"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}]
    if "json_schema" in str(body.get("response_format")):
        said = "Unknown name \"additionalProperties\" at 'generation_config.response_schema': Cannot find field."
        return 400, [{"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}]
    return None


def mistral(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path
    if body and tokens(body) > server.context:
        said = f"Prompt contains {tokens(body)} tokens and 0 draft tokens, "
        said += f"too large for model with {server.context} maximum context length"
        return 400, {"object": "error", "message": said, "type": "invalid_request_prompt", "code": "3051"}
    if "json_schema" in str(body.get("response_format")):
        detail = [{"type": "extra_forbidden", "loc": ["body", "response_format", "json_schema", "strict"],
                   "msg": "Extra inputs are not permitted", "input": True}]  # fmt: skip
        return 422, {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error", "code": None}
    return None


def deepseek(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path, server
    if limit_of(body) > 4_096:
        return failed(
            400, "Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", type="invalid_request_error"
        )
    if "json_schema" in str(body.get("response_format")):
        return failed(400, "This response_format type is unavailable now", type="invalid_request_error")
    return None


def openrouter(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    del path
    total = tokens(body) + limit_of(body) if body else 0
    if total <= server.context:
        return None
    said = (
        f"This endpoint's maximum context length is {server.context} tokens. However, you requested about {total} "
        f"tokens ({tokens(body)} of text input, {limit_of(body)} in the output). Please reduce one."
    )
    return failed(400, said, code=400)


def ollama(server: Server, path: str, body: dict[str, Any]) -> Answer | None:
    """Cut a prompt at its context without a word, as Ollama does, and answer from what is left."""
    if path == "/api/version":
        return 200, {"version": "0.13.1"}
    if path == "/api/show":
        return 200, {"model_info": {"general.architecture": "llama", "llama.context_length": 131_072}}
    if not body.get("messages"):
        return None
    context = body.get("options", {}).get("num_ctx", server.context) if path == "/api/chat" else server.context
    last = body["messages"][-1]
    read = min(tokens(body), context)
    last["content"] = last["content"][max(0, tokens(body) - context) * 4 :]
    if path != "/api/chat":
        return None
    from_model = server.model.answer(read_chat({**body, "max_tokens": body["options"]["num_predict"]}))  # type: ignore[attr-defined]
    done = "length" if from_model.stop_reason == "length" else "stop"
    return 200, {"model": body["model"], "message": {"role": "assistant", "content": from_model.text}, "done": True,
                 "done_reason": done, "prompt_eval_count": read, "eval_count": from_model.output_tokens}  # fmt: skip
