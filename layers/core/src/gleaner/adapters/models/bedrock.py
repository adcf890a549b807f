"""Models on Amazon Bedrock, through the Converse API."""

import json
import math
from functools import partial
from threading import Lock
from typing import Any, TypeGuard

from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    NoRegionError,
    ParamValidationError,
    ReadTimeoutError,
)

from gleaner.adapters.aws.errors import code_of
from gleaner.adapters.models.limits import LearnedLimits, prompt_tokens
from gleaner.adapters.models.refusals import Refusal, late, read_refusal, retry_after_s, tokens_in
from gleaner.contracts.errors import (
    GleanerError,
    ModelMisconfigured,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    PromptTooLong,
    RateLimited,
)
from gleaner.contracts.model_servers import least_cached_tokens
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.contracts.settings import Settings
from gleaner.schemas import provider_form

BUSY = frozenset({"ThrottlingException", "TooManyRequestsException", "ServiceQuotaExceededException"})
DOWN = frozenset(
    {"InternalServerException", "ServiceUnavailableException", "ModelErrorException", "ModelNotReadyException"}
)
ACCESS = "let the account use the model in the Bedrock console, and look at the region and the id (docs/models.md)"
CHARS_A_TOKEN = 5
"""Many enough that a prefix which is taken for long is long: a cache point after less would do nothing."""
CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
INPUT_COUNTS = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
REFUSALS = frozenset({"guardrail_intervened", "content_filtered", "refusal"})


class BedrockModel:
    """One model or inference profile of the account. Safe to share between threads.

    The answer's schema goes along as ``outputConfig``, and is left out from then on once the service, or an older
    boto3, has refused it; the temperature once a model has.
    """

    def __init__(self, model_id: str, settings: Settings, client: Any = None) -> None:
        self.model_id = model_id
        self._settings = settings
        self._given_client = client
        self.limits = LearnedLimits(context=settings.llm.context_tokens)
        self._without: frozenset[str] = frozenset()
        self._clients: dict[int, Any] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        """What prices and cache keys go by."""
        return f"bedrock:{self.model_id}"

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Ask once. RateLimited, ModelUnavailable, ModelTimeout, ModelRefused or ModelMisconfigured otherwise."""
        try:
            answer = self._converse(request)
        except (ConnectTimeoutError, ReadTimeoutError):
            raise late(self.name, request.timeout_s) from None
        except NoRegionError:
            raise ModelMisconfigured(f"{self.name}: no region is set; set AWS_REGION, as eu-central-1") from None
        except NoCredentialsError:
            hint = "set AWS_PROFILE, or run `aws configure`"
            raise ModelMisconfigured(f"{self.name}: there are no AWS credentials; {hint}") from None
        except ParamValidationError as error:
            raise ModelMisconfigured(f"{self.name}: {error}") from None
        except EndpointConnectionError as error:
            raise ModelUnavailable(f"{self.name} can't be reached: {error}") from None
        except BotoCoreError as error:
            raise ModelUnavailable(f"{self.name}: {error}") from None
        return self._read(answer)

    def check(self, timeout_s: float = 10.0) -> None:
        """Ask for one word; raise ModelMisconfigured or ModelUnavailable when the model can't be asked at all."""
        try:
            self.answer(ModelRequest("", "Say OK.", max_output_tokens=16, timeout_s=timeout_s))
        except (RateLimited, ModelTimeout, ModelRefused, PromptTooLong):
            return  # it is there

    @property
    def context_tokens(self) -> int | None:
        """The context of the model, where it is known."""
        return self.limits.context

    def _converse(self, request: ModelRequest) -> dict[str, Any]:
        limit = self.limits.output_for(request)
        while True:
            without = self._without
            form = provider_form(request.schema, "bedrock") if request.schema and "schema" not in without else None
            try:
                return self._send(request, form, without, limit)
            except (ClientError, ParamValidationError) as error:
                refusal = self._refusal(error, limit)
                option = _refused_option(error, refusal)
                lower = refusal.answer_limit(limit, prompt_tokens(request)) if refusal.kind == "limit" else None
                if option is not None and option not in without and (option != "schema" or form is not None):
                    self._without |= {option}
                elif lower is not None:
                    self.limits.most_output = limit = lower
                else:
                    raise self._meaning(error, refusal) from None

    def _refusal(self, error: ClientError | ParamValidationError, limit: int) -> Refusal:
        """Read what an error says, as one of any other server's."""
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 400) if _is_answer(error) else 400
        return read_refusal(status, str(error), {}, limit)

    def _send(
        self, request: ModelRequest, form: dict[str, Any] | None, without: frozenset[str], limit: int
    ) -> dict[str, Any]:
        structured: dict[str, Any] = {}
        if form is not None:
            text = json.dumps(form, separators=(",", ":"))
            layout = {"jsonSchema": {"name": "answer", "schema": text}}
            structured["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": layout}}
        return self._client_for(request.timeout_s).converse(
            modelId=self.model_id,
            **({"system": [{"text": request.system}]} if request.system else {}),
            messages=[{"role": "user", "content": self._content(request, without)}],
            inferenceConfig={"maxTokens": limit, **({} if "temperature" in without else {"temperature": 0})},
            **structured,
        )

    def _content(self, request: ModelRequest, without: frozenset[str]) -> list[dict[str, Any]]:
        """Give the prompt, with a cache point behind what all pages of a question share, if that is long enough."""
        shared, least = request.shared_chars, least_cached_tokens(self.model_id)
        if "cache" in without or least is None or len(request.system) + shared < least * CHARS_A_TOKEN:
            return [{"text": request.prompt}]
        cache: dict[str, Any] = {"cachePoint": {"type": "default"}}
        return [{"text": request.prompt[:shared]}, cache, {"text": request.prompt[shared:]}]

    def _meaning(self, error: ClientError | ParamValidationError, refusal: Refusal) -> GleanerError:
        if not isinstance(error, ClientError):
            return ModelMisconfigured(f"{self.name}: {error}")
        code = code_of(error)
        said = f"{self.name}: {code}: {error.response.get('Error', {}).get('Message', '')}"
        headers = error.response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in BUSY or status == 429:
            return RateLimited(said, retry_after_s(headers))
        if code == "ModelTimeoutException":
            return ModelTimeout(said)
        if refusal.kind in ("context", "limit"):
            return PromptTooLong(said)
        if code in DOWN or status >= 500:
            return ModelUnavailable(said)
        is_access = code in ("AccessDeniedException", "ResourceNotFoundException") or refusal.kind == "model"
        return ModelMisconfigured(f"{said}; {ACCESS}" if is_access else said)

    def _read(self, answer: dict[str, Any]) -> ModelAnswer:
        blocks = answer.get("output", {}).get("message", {}).get("content", [])
        text = "".join(block.get("text", "") for block in blocks)
        reason = str(answer.get("stopReason"))
        if reason in REFUSALS:
            raise ModelRefused(f"{self.name} declined: {reason}")
        usage = answer.get("usage")
        return ModelAnswer(
            text=text,
            # What was read from a cache, or written to it, is counted as read: it is paid for at 0.1 to 1.25 times.
            input_tokens=sum(map(partial(tokens_in, usage), INPUT_COUNTS)),
            output_tokens=tokens_in(usage, "outputTokens"),
            stop_reason="length" if reason in CUT else "end",
        )

    def close(self) -> None:
        """Close the connections."""
        for client in self._clients.values():
            client.close()

    def _client_for(self, timeout_s: float) -> Any:
        """Give a client whose read timeout is the request's, in whole seconds; clients are made once each."""
        if self._given_client is not None:
            return self._given_client
        seconds = max(1, math.ceil(timeout_s))
        with self._lock:
            if seconds not in self._clients:
                import boto3

                config = Config(
                    read_timeout=seconds, connect_timeout=min(seconds, 10), retries={"total_max_attempts": 1}
                )
                endpoint = self._settings.llm.bedrock_endpoint_url
                self._clients[seconds] = boto3.client("bedrock-runtime", endpoint_url=endpoint, config=config)
            return self._clients[seconds]


def _is_answer(error: ClientError | ParamValidationError) -> TypeGuard[ClientError]:
    return isinstance(error, ClientError)


def _refused_option(error: ClientError | ParamValidationError, refusal: Refusal) -> str | None:
    """Give the option of a question that an error refuses and that can be done without; an older boto3 refuses, too."""
    said = str(error).lower()
    if "cachepoint" in said or "cache_point" in said or "prompt caching" in said:
        return "cache"
    is_refused = not _is_answer(error) or code_of(error) == "ValidationException"
    return refusal.kind if is_refused and refusal.kind in ("temperature", "schema") else None
