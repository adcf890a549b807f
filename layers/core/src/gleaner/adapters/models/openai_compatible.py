"""Models behind an OpenAI-compatible chat-completions endpoint: hosted ones, and Ollama, vLLM, llama.cpp, LM Studio.

What a server does not take is learned from how it refuses it (``refusals``): a name of an option, an answer's limit, a
context, a schema. Such a question is asked again at once in another form, since a refused one costs nothing.
"""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from gleaner.adapters.models.endpoint import Endpoint, Reply
from gleaner.adapters.models.limits import LearnedLimits, prompt_tokens, was_cut_in_silence
from gleaner.adapters.models.refusals import Refusal, read_refusal, tokens_in
from gleaner.adapters.models.streaming import StreamedAnswer
from gleaner.contracts.digests import digest_of
from gleaner.contracts.errors import (
    GleanerError,
    ModelMisconfigured,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    PromptTooLong,
    RateLimited,
)
from gleaner.contracts.model_servers import is_local, server_at, server_named
from gleaner.contracts.ports import ModelAnswer, ModelRequest, Writing
from gleaner.contracts.settings import Settings
from gleaner.schemas import provider_form

OPENAI = "https://api.openai.com/v1"
MOST_FORMS = 8
"""In how many forms one question is asked: two names of the limit, three of the schema, and a few lower limits."""
FORMS = ("json_schema", "json_object", "text")
"""How the answer's schema is sent, from the strictest on."""
REFUSED_SCHEMAS = 2
"""Schemas that a server must refuse before it is taken to know none: one may be at fault itself."""
FORGET_S = 600
"""For how long such a server is not asked for schemas: it may be another model by then."""

_NAMES_STREAM = re.compile(r"\bstream", re.I)
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.S)


class OpenAICompatibleModel:
    """One model of one endpoint: ``llm.openai_base_url``, or the provider's own. Safe to share between threads.

    ``on_writing`` is given each answer as a server on this machine begins to write it; without it nothing is streamed.
    """

    def __init__(
        self,
        model: str,
        settings: Settings,
        provider: str = "openai",
        *,
        on_writing: Callable[[Writing], None] | None = None,
    ) -> None:
        self.model = model
        named = server_named(provider)
        base = settings.llm.openai_base_url or (named.base_url if named else None) or OPENAI
        if settings.llm.api_version and "api-version=" not in base:
            base += f"{'&' if '?' in base else '?'}api-version={settings.llm.api_version}"
        self._local = is_local(base)
        self._provider = provider
        self._on_writing = on_writing if self._local else None
        self.endpoint = Endpoint(base, server_at(base), settings.llm, self.name)
        self.limits = LearnedLimits(context=settings.llm.context_tokens)
        self._without: frozenset[str] = frozenset()
        """The options of a question that the endpoint was seen to refuse."""
        self._refused: dict[str, set[str]] = {}
        """The digests of the schemas that were refused, by the form in which they were sent."""
        self._refused_at = 0.0
        self.speaks_ollama: bool | None = None if self.endpoint.server.id == "ollama" else False
        """Whether Ollama's own protocol is spoken, which alone can ask for a context; None: not tried yet."""

    @property
    def name(self) -> str:
        """What prices and cache keys go by; a server on this machine costs nothing."""
        return f"{'local' if self._local else self._provider}:{self.model}"

    @property
    def context_tokens(self) -> int | None:
        """The context of the model, where it is known."""
        return self.limits.context

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Ask once. RateLimited, ModelUnavailable, ModelTimeout, PromptTooLong, ModelRefused or ModelMisconfigured."""
        limit, said = self.limits.output_for(request), ""
        deadline = time.monotonic() + request.timeout_s
        for _ in range(MOST_FORMS):
            reply = self._send(request, limit, max(0.001, deadline - time.monotonic()))
            refusal = self._refusal(reply, limit)
            if refusal is None:
                return self._read(request, reply)
            lower = self._adapt(refusal, request, limit)
            if lower is None:
                raise self.error_of(refusal, reply.status, request)
            limit, said = lower, refusal.text
        raise ModelMisconfigured(f"{self.name} refused the request in {MOST_FORMS} forms: {said}")

    def check(self, timeout_s: float = 10.0) -> None:
        """Raise ModelMisconfigured or ModelUnavailable if the model can't be asked, and learn what it can do."""
        from gleaner.adapters.models.check import check_model

        check_model(self, timeout_s)

    def _send(self, request: ModelRequest, limit: int, timeout_s: float) -> Reply:
        if self.speaks_ollama is not False:
            from gleaner.adapters.models.ollama import ollama_question

            if self.limits.context and prompt_tokens(request) // 2 > self.limits.context:
                raise PromptTooLong(
                    f"the prompt is longer than the context of {self.name}, {self.limits.context} tokens"
                )
            has_form = request.schema is not None and self._form_for(request) == "json_schema"
            form = provider_form(request.schema or {}, "openai") if has_form else None
            question = ollama_question(self.model, request, form, self.limits.context_for(request), limit)
            reply = self._asked(self.endpoint.url("/api/chat", from_root=True), question, timeout_s)
            self.speaks_ollama = reply.status not in (404, 405, 501) or "model" in reply.body
            if self.speaks_ollama:
                return reply
        return self._asked(self.endpoint.url("/chat/completions"), self._question(request, limit), timeout_s)

    def _asked(self, url: str, question: dict[str, Any], timeout_s: float) -> Reply:
        """Ask, and have the answer streamed where somebody watches it being written and the server can."""
        if self._on_writing is None:
            return self.endpoint.post(url, question, timeout_s)
        deadline = time.monotonic() + timeout_s
        usage = {} if url.endswith("/api/chat") else {"stream_options": {"include_usage": True}}
        answer = StreamedAnswer()
        self._on_writing(answer)
        try:
            reply = self.endpoint.post(url, {**question, "stream": True, **usage}, timeout_s, answer)
        finally:
            answer.is_going = False
        if reply.is_answer or not _NAMES_STREAM.search(reply.body):
            return reply
        self._on_writing = None
        return self.endpoint.post(url, question, max(0.001, deadline - time.monotonic()))

    def _question(self, request: ModelRequest, limit: int) -> dict[str, Any]:
        question: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}],
            "max_completion_tokens" if "max_tokens" in self._without else "max_tokens": limit,
        }
        if not request.system:
            del question["messages"][0]
        if "temperature" not in self._without:
            question["temperature"] = 0
        form = self._form_for(request)
        if form == "json_schema":
            schema = provider_form(request.schema or {}, "openai")
            layout = {"name": "answer", "schema": schema, "strict": True}
            question["response_format"] = {"type": "json_schema", "json_schema": layout}
        elif form == "json_object":
            question["response_format"] = {"type": "json_object"}
        if self.endpoint.server.id == "ollama":
            question["options"] = {"num_ctx": self.limits.context_for(request)}
        return question

    def _form_for(self, request: ModelRequest) -> str:
        """Give the form in which the schema of a question is sent: the first that was not refused."""
        if request.schema is None or provider_form(request.schema, "openai") is None:
            return "text"
        if self._refused and time.monotonic() - self._refused_at > FORGET_S:
            self._refused = {}
        digest = _schema_digest(request)
        return next(
            form
            for form in FORMS
            if form == "text"
            or not (digest in (refused := self._refused.get(form, set())) or len(refused) >= REFUSED_SCHEMAS)
        )

    def _refusal(self, reply: Reply, limit: int) -> Refusal | None:
        """Give what an error says; gateways send errors of the server behind them as answers, too."""
        if not reply.is_answer:
            return read_refusal(reply.status, reply.body, reply.headers, limit)
        answer = reply.json()
        error = answer.get("error") if isinstance(answer, dict) and not answer.get("choices") else None
        if not error:
            return None
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
        return read_refusal(status, reply.body, reply.headers, limit)

    def _adapt(self, refusal: Refusal, request: ModelRequest, limit: int) -> int | None:
        """Learn from a refusal; give the limit to ask again with, None when another form does not help."""
        if refusal.kind == "limit_name" and "max_tokens" not in self._without:
            self._without |= {"max_tokens"}
            return limit
        if refusal.kind == "temperature" and "temperature" not in self._without:
            self._without |= {"temperature"}
            return limit
        if refusal.kind == "schema" and (form := self._form_for(request)) != "text":
            self._refused.setdefault(form, set()).add(_schema_digest(request))
            self._refused_at = time.monotonic()
            return limit
        if refusal.kind not in ("limit", "context", "quota"):
            return None
        if refusal.most_context is not None:
            self.limits.context = min(refusal.most_context, self.limits.context or refusal.most_context)
        lower = refusal.answer_limit(limit, prompt_tokens(request))
        if lower is not None and refusal.kind == "limit":
            self.limits.most_output = lower
        return lower

    def error_of(self, refusal: Refusal, status: int, request: ModelRequest) -> GleanerError:
        """Give the error that a refusal is raised as."""
        said = refusal.text
        server = self.endpoint.server
        match refusal.kind:
            case "limit" | "context" | "quota":
                return PromptTooLong(f"the prompt is longer than {self.name} takes: {said}")
            case "slow":
                return RateLimited(f"{self.name} asks to slow down: {said}", refusal.wait_s)
            case "credit":
                return ModelMisconfigured(f"{self.name} has to be paid for first (status {status}): {said}")
            case "key":
                named = " or ".join(["GLEANER_LLM_API_KEY", *server.key_variables])
                hint = "is the key the right one?" if self.endpoint.has_key else f"set its key: {named}"
                return ModelMisconfigured(f"{self.name} refused the key with status {status}; {hint} {said}".rstrip())
            case "model":
                hint = f"; {self.endpoint.hint(server.fetch, self.model)}" if server.fetch else ""
                return ModelMisconfigured(f"{self.endpoint.shown} has no model {self.model!r}: {said}{hint}")
            case "timeout":
                return ModelTimeout(f"{self.name} did not answer within {request.timeout_s:g} s: {said}")
            case "down":
                return ModelUnavailable(f"{self.name} answered with status {status}: {said}")
            case _:
                hint = "" if status != 404 or "/v1" in self.endpoint.base_url else "; a base URL ends in /v1 as a rule"
                return ModelMisconfigured(f"{self.name} refused the request with status {status}: {said}{hint}")

    def _read(self, request: ModelRequest, reply: Reply) -> ModelAnswer:
        try:
            answer = reply.json()
            if self.speaks_ollama:
                from gleaner.adapters.models.ollama import ollama_answer

                read = ollama_answer(answer)
            else:
                read = _chat_answer(answer, self.name)
        except (LookupError, TypeError, AttributeError):
            raise ModelUnavailable(
                f"{self.name} gave no chat completion: {reply.body[:200]!r}", was_read=True
            ) from None
        if was_cut_in_silence(request, read.input_tokens):
            self.limits.context = min(read.input_tokens, self.limits.context or read.input_tokens)
            raise PromptTooLong(f"{self.name} read {read.input_tokens} tokens of a longer prompt and dropped the rest")
        return read

    def close(self) -> None:
        """Close the connections."""
        self.endpoint.close()


def _chat_answer(answer: Any, name: str) -> ModelAnswer:
    choice = answer["choices"][0]
    message = choice["message"]
    text = _THOUGHTS.sub("", _text(message.get("content")))
    if not text and (message.get("refusal") or choice.get("finish_reason") == "content_filter"):
        raise ModelRefused(f"{name} declined: {message.get('refusal') or 'content filter'}")
    usage = answer.get("usage")
    return ModelAnswer(
        text=text,
        input_tokens=tokens_in(usage, "prompt_tokens"),
        output_tokens=tokens_in(usage, "completion_tokens"),
        stop_reason="length" if choice.get("finish_reason") == "length" else "end",
    )


def _text(content: Any) -> str:
    """Give the text of a message: a string, or parts of which some are text (and some, say, thoughts)."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is not None and not isinstance(content, str):
        raise TypeError(content)
    return content or ""


def _schema_digest(request: ModelRequest) -> str:
    return digest_of(json.dumps(request.schema))
