"""The scripted model behind real HTTP on loopback, by two protocols: OpenAI chat completions and Bedrock Converse."""

import json
import threading
import time
from typing import Any

from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.testing.scripted import ScriptedModel


class ScriptedModelServer(LoopbackServer):
    """Serves a scripted model on 127.0.0.1 until it is closed.

    ``openai_base_url`` goes into ``GLEANER_LLM_OPENAI_BASE_URL``, ``bedrock_endpoint_url`` into
    ``GLEANER_LLM_BEDROCK_ENDPOINT_URL``. ``latency_s`` passes before each answer. ``refuse_schemas`` answers 400 to a
    request that carries an answer's schema, as servers do that know none; while ``denies`` is set, 403 to every one.
    """

    def __init__(
        self, model: ScriptedModel, *, latency_s: float = 0.0, refuse_schemas: bool = False, port: int = 0
    ) -> None:
        self.model = model
        self.latency_s = latency_s
        self.refuse_schemas = refuse_schemas
        self.denies = False
        self.bodies: list[dict[str, Any]] = []
        self._closing = threading.Event()
        super().__init__(_ModelHandler, port)

    @property
    def openai_base_url(self) -> str:
        """The base of the OpenAI protocol."""
        return f"{self.url}/v1"

    @property
    def bedrock_endpoint_url(self) -> str:
        """The endpoint of the Bedrock protocol."""
        return self.url

    def close(self) -> None:
        """Stop serving; calls that stall end at once."""
        self._closing.set()
        super().close()

    def wait(self, seconds: float) -> None:
        """Wait, or until the server is closed."""
        self._closing.wait(seconds)


class _ModelHandler(LoopbackHandler):
    owner: ScriptedModelServer

    def do_GET(self) -> None:
        """List the one model that there is, as llama.cpp does: it answers to any name."""
        self._send(200, {"object": "list", "data": [{"id": "scripted", "owned_by": "llamacpp"}]}, {})

    def do_POST(self) -> None:
        """Answer one call, or go wrong as the script says."""
        body: dict[str, Any] = json.loads(self.read_body())
        self.owner.bodies.append(body)
        is_bedrock = self.path.endswith("/converse")
        if self.owner.denies:
            self._refuse(403, "AccessDeniedException", "you don't have access to the model", is_bedrock)
            return
        if self.owner.refuse_schemas and ("response_format" in body or "outputConfig" in body):
            self._refuse(400, "ValidationException", "this model does not support an output schema", is_bedrock)
            return
        request = read_converse(body) if is_bedrock else read_chat(body)
        reply = self.owner.model.reply(request)
        if self.owner.latency_s:
            time.sleep(self.owner.latency_s)
        if reply.kind == "stall":
            self.owner.wait(self.owner.model.faults.stall_s)
            self.close_connection = True
        elif reply.kind == "rate_limit":
            self._refuse(429, "ThrottlingException", "slow down", is_bedrock)
        elif reply.kind == "fail":
            self._refuse(500, "InternalServerException", "it broke", is_bedrock)
        else:
            self._send(200, (converse_answer if is_bedrock else chat_answer)(reply.answer), {})

    def _refuse(self, status: int, code: str, message: str, is_bedrock: bool) -> None:
        headers = {"Retry-After": str(self.owner.model.faults.retry_after_s)} if status == 429 else {}
        if is_bedrock:
            self._send(status, {"message": message}, {**headers, "x-amzn-ErrorType": code})
        else:
            self._send(status, {"error": {"message": message, "type": code}}, headers)

    def _send(self, status: int, value: dict[str, Any], headers: dict[str, str]) -> None:
        self.answer(status, "application/json", json.dumps(value).encode(), headers)


def read_chat(body: dict[str, Any]) -> ModelRequest:
    """Read a chat-completions request."""
    texts = {message["role"]: message["content"] for message in body["messages"]}
    form = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    return _request(texts.get("system", ""), texts["user"], form, body.get("max_tokens"))


def read_converse(body: dict[str, Any]) -> ModelRequest:
    """Read a Converse request."""
    system = "".join(block.get("text", "") for block in body.get("system", []))
    prompt = "".join(block.get("text", "") for message in body["messages"] for block in message["content"])
    form = body.get("outputConfig", {}).get("textFormat", {}).get("structure", {}).get("jsonSchema", {}).get("schema")
    return _request(
        system, prompt, json.loads(form) if form else None, body.get("inferenceConfig", {}).get("maxTokens")
    )


def _request(system: str, prompt: str, form: Any, max_tokens: Any) -> ModelRequest:
    wants_json = form is not None or "JSON Schema of the data:" in prompt
    schema = form if form is not None else ({} if wants_json else None)
    return ModelRequest(system, prompt, schema, int(max_tokens or 4096))


def chat_answer(answer: ModelAnswer) -> dict[str, Any]:
    """Write a chat completion."""
    reason = "length" if answer.stop_reason == "length" else "stop"
    message = {"role": "assistant", "content": answer.text}
    usage = {
        "prompt_tokens": answer.input_tokens,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.input_tokens + answer.output_tokens,
    }
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {"id": "scripted", "object": "chat.completion", "choices": [choice], "usage": usage}


def converse_answer(answer: ModelAnswer) -> dict[str, Any]:
    """Write a Converse answer."""
    return {
        "output": {"message": {"role": "assistant", "content": [{"text": answer.text}]}},
        "stopReason": "max_tokens" if answer.stop_reason == "length" else "end_turn",
        "usage": {
            "inputTokens": answer.input_tokens,
            "outputTokens": answer.output_tokens,
            "totalTokens": answer.input_tokens + answer.output_tokens,
        },
        "metrics": {"latencyMs": 1},
    }
