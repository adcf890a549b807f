"""Models behind an OpenAI-compatible chat-completions endpoint: OpenAI, Ollama, vLLM, llama.cpp, OpenRouter."""

import json
import re
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx

from gleaner.adapters.aws.secrets import read_secret
from gleaner.contracts.errors import ModelMisconfigured, ModelRefused, ModelTimeout, ModelUnavailable, RateLimited
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.contracts.settings import Settings
from gleaner.contracts.time_limits import GRACE_S, TookTooLong, within
from gleaner.schemas import provider_form

OPENAI = "https://api.openai.com/v1"
MAX_ANSWER_BYTES = 8_000_000
SHORTEST_KEY = 8
"""Letters of a key that is one; servers that want none are given "x" or the like."""
TOO_LONG_MARKS = ("context_length", "context length", "maximum context", "too many tokens", "too long")


class OpenAICompatibleModel:
    """One model of one endpoint, ``llm.openai_base_url``. Safe to share between threads."""

    def __init__(self, model: str, settings: Settings) -> None:
        self.model = model
        self._settings = settings
        self._base = (settings.llm.openai_base_url or OPENAI).rstrip("/")
        self._without: frozenset[str] = frozenset()
        """The options of a question that the endpoint was seen to refuse."""

    @property
    def name(self) -> str:
        """What prices and cache keys go by; a server on this machine costs nothing."""
        host = urlsplit(self._base).hostname or ""
        is_local = host in ("localhost", "127.0.0.1", "::1")
        return f"{'local' if is_local else 'openai'}:{self.model}"

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Ask once. RateLimited, ModelUnavailable, ModelTimeout, ModelRefused or ModelMisconfigured otherwise."""
        while True:
            question = self._question(request)
            status, headers, body = self._post(question, request.timeout_s)
            refused = refused_option(question, body) if status == 400 else None
            if refused is None:
                break
            self._without |= {refused}
        raise_for_model_status(status, headers, body, self.name, request.timeout_s)
        return self._read(body)

    def _question(self, request: ModelRequest) -> dict[str, Any]:
        question: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}],
            "max_completion_tokens" if "max_tokens" in self._without else "max_tokens": request.max_output_tokens,
        }
        if "temperature" not in self._without:
            question["temperature"] = 0
        form = provider_form(request.schema, "openai") if request.schema else None
        if form is not None and "response_format" not in self._without:
            question["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": form, "strict": True},
            }
        return question

    def _post(self, question: dict[str, Any], timeout_s: float) -> tuple[int, Mapping[str, str], str]:
        """Send a question, and give status, headers and body; httpx's own limit begins anew with each byte."""
        try:
            return within(timeout_s + GRACE_S, lambda: self._exchange(question, timeout_s))
        except TookTooLong:
            raise ModelTimeout(f"{self.name} did not answer within {timeout_s:g} s") from None

    def _exchange(self, question: dict[str, Any], timeout_s: float) -> tuple[int, Mapping[str, str], str]:
        deadline = time.monotonic() + timeout_s
        try:
            with self._client.stream("POST", "/chat/completions", json=question, timeout=timeout_s) as answer:
                parts: list[bytes] = []
                size = 0
                for part in answer.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if time.monotonic() > deadline:
                        raise ModelTimeout(f"{self.name} did not answer within {timeout_s:g} s")
                    if size > MAX_ANSWER_BYTES:
                        said = f"{self.name} answered more than {MAX_ANSWER_BYTES} bytes"
                        raise ModelUnavailable(said, was_read=True)
                return answer.status_code, answer.headers, self._without_key(b"".join(parts).decode("utf-8", "replace"))
        except httpx.TimeoutException:
            raise ModelTimeout(f"{self.name} did not answer within {timeout_s:g} s") from None
        except httpx.InvalidURL as error:
            raise ModelMisconfigured(f"openai_base_url {self._shown!r} is no URL: {error}") from None
        except (httpx.ReadError, httpx.RemoteProtocolError, httpx.DecodingError) as error:
            said = str(error) or type(error).__name__
            raise ModelUnavailable(f"{self._shown} broke its answer off: {said}", was_read=True) from None
        except httpx.HTTPError as error:
            raise ModelUnavailable(f"{self._shown} can't be reached: {str(error) or type(error).__name__}") from None

    def _read(self, body: str) -> ModelAnswer:
        try:
            answer = json.loads(body)
            choice = answer["choices"][0]
            message = choice["message"]
            text = _text(message.get("content"))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            raise ModelUnavailable(f"{self.name} gave no chat completion: {body[:200]!r}", was_read=True) from None
        if not text and (message.get("refusal") or choice.get("finish_reason") == "content_filter"):
            raise ModelRefused(f"{self.name} declined: {message.get('refusal') or 'content filter'}")
        usage = answer.get("usage")
        return ModelAnswer(
            text=text,
            input_tokens=tokens_in(usage, "prompt_tokens"),
            output_tokens=tokens_in(usage, "completion_tokens"),
            stop_reason="length" if choice.get("finish_reason") == "length" else "end",
        )

    @property
    def _shown(self) -> str:
        """The base as messages show it, which callers read: without a user and a password."""
        return re.sub(r"//[^/@]*@", "//", self._base)

    def _without_key(self, text: str) -> str:
        """Take the key out of an answer: some servers repeat it in their errors, which callers read."""
        return text.replace(self._key, "(the key)") if self._key and len(self._key) >= SHORTEST_KEY else text

    @cached_property
    def _key(self) -> str | None:
        llm = self._settings.llm
        return llm.api_key or (read_secret(llm.api_key_secret_arn) if llm.api_key_secret_arn else None)

    @cached_property
    def _client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        return httpx.Client(base_url=self._base, headers=headers, trust_env=False, follow_redirects=False)

    def close(self) -> None:
        """Close the connections."""
        if "_client" in self.__dict__:
            self._client.close()


def _text(content: Any) -> str:
    """Give the text of a message: a string, or parts of which some are text (and some, say, thoughts)."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is not None and not isinstance(content, str):
        raise TypeError(content)
    return content or ""


def tokens_in(usage: Any, name: str) -> int:
    """Give a count of tokens from what a provider says of its usage; 0 where it says none."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) else 0


def refused_option(question: Mapping[str, Any], body: str) -> str | None:
    """Give the option of a question that an error refuses and that can be done without; None when there is none.

    Models that think take ``max_completion_tokens`` and no temperature; where nothing is named it is the schema.
    """
    if is_too_long(body):
        return None
    if "max_tokens" in question and "max_completion_tokens" in body:
        return "max_tokens"
    named = (name for name in ("temperature", "response_format") if name in question)
    return next((name for name in named if name in body or name == "response_format"), None)


def is_too_long(body: str) -> bool:
    """Tell whether an error says that the prompt is over the model's context."""
    return any(mark in body.lower() for mark in TOO_LONG_MARKS)


def raise_for_model_status(status: int, headers: Mapping[str, str], body: str, name: str, timeout_s: float) -> None:
    """Raise what an error status of a model's endpoint means; do nothing below 400."""
    if status < 300:
        return
    said = error_text(body)
    if status == 429:
        raise RateLimited(f"{name} asks to slow down: {said}", retry_after_s(headers))
    if status in (408, 504):
        raise ModelTimeout(f"{name} did not answer within {timeout_s:g} s: {said}")
    if status >= 500:
        raise ModelUnavailable(f"{name} answered with status {status}: {said}")
    if status in (400, 413) and is_too_long(body):
        raise ModelTimeout(f"the prompt is longer than {name} takes: {said}")
    raise ModelMisconfigured(f"{name} refused the request with status {status}: {said}")


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Give the seconds of Retry-After, None when it says none (dates are not read)."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def error_text(body: str) -> str:
    """Give what an error body says, in one short line."""
    try:
        parsed = json.loads(body)
    except ValueError:
        return " ".join(body.split())[:300]
    error = parsed.get("error", parsed) if isinstance(parsed, dict) else parsed
    message = error.get("message", error) if isinstance(error, dict) else error
    return " ".join(str(message).split())[:300]
