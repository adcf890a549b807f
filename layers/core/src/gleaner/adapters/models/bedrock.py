"""Models on Amazon Bedrock, through the Converse API."""

import json
import math
from threading import Lock
from typing import Any

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
from gleaner.adapters.models.openai_compatible import is_too_long, retry_after_s, tokens_in
from gleaner.contracts.errors import (
    GleanerError,
    ModelMisconfigured,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
)
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.contracts.settings import Settings
from gleaner.schemas import provider_form

BUSY = frozenset({"ThrottlingException", "TooManyRequestsException", "ServiceQuotaExceededException"})
DOWN = frozenset(
    {"InternalServerException", "ServiceUnavailableException", "ModelErrorException", "ModelNotReadyException"}
)
CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
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
            raise ModelTimeout(f"{self.name} did not answer within {request.timeout_s:g} s") from None
        except (NoCredentialsError, NoRegionError, ParamValidationError) as error:
            raise ModelMisconfigured(f"{self.name}: {error}") from None
        except EndpointConnectionError as error:
            raise ModelUnavailable(f"{self.name} can't be reached: {error}") from None
        except BotoCoreError as error:
            raise ModelUnavailable(f"{self.name}: {error}") from None
        return self._read(answer)

    def _converse(self, request: ModelRequest) -> dict[str, Any]:
        while True:
            without = self._without
            form = provider_form(request.schema, "bedrock") if request.schema and "schema" not in without else None
            try:
                return self._send(request, form, without)
            except (ClientError, ParamValidationError) as error:
                if "temperature" not in without and _is_about_the_temperature(error):
                    self._without |= {"temperature"}
                elif form is not None and _is_about_the_schema(error):
                    self._without |= {"schema"}
                else:
                    raise self._meaning(error) from None

    def _send(self, request: ModelRequest, form: dict[str, Any] | None, without: frozenset[str]) -> dict[str, Any]:
        structured: dict[str, Any] = {}
        if form is not None:
            text = json.dumps(form, separators=(",", ":"))
            layout = {"jsonSchema": {"name": "answer", "schema": text}}
            structured["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": layout}}
        return self._client_for(request.timeout_s).converse(
            modelId=self.model_id,
            **({"system": [{"text": request.system}]} if request.system else {}),
            messages=[{"role": "user", "content": [{"text": request.prompt}]}],
            inferenceConfig={
                "maxTokens": request.max_output_tokens,
                **({} if "temperature" in without else {"temperature": 0}),
            },
            **structured,
        )

    def _meaning(self, error: ClientError | ParamValidationError) -> GleanerError:
        if not isinstance(error, ClientError):
            return ModelMisconfigured(f"{self.name}: {error}")
        code = code_of(error)
        said = f"{self.name}: {code}: {error.response.get('Error', {}).get('Message', '')}"
        headers = error.response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in BUSY or status == 429:
            return RateLimited(said, retry_after_s(headers))
        if code == "ModelTimeoutException" or is_too_long(said):
            return ModelTimeout(said)
        if code in DOWN or status >= 500:
            return ModelUnavailable(said)
        return ModelMisconfigured(said)

    def _read(self, answer: dict[str, Any]) -> ModelAnswer:
        blocks = answer.get("output", {}).get("message", {}).get("content", [])
        text = "".join(block.get("text", "") for block in blocks)
        reason = str(answer.get("stopReason"))
        if reason in REFUSALS:
            raise ModelRefused(f"{self.name} declined: {reason}")
        usage = answer.get("usage")
        return ModelAnswer(
            text=text,
            input_tokens=tokens_in(usage, "inputTokens"),
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


def _is_about_the_temperature(error: ClientError | ParamValidationError) -> bool:
    return isinstance(error, ClientError) and code_of(error) == "ValidationException" and "temperature" in str(error)


def _is_about_the_schema(error: ClientError | ParamValidationError) -> bool:
    said = str(error).lower()
    return "outputconfig" in said or "schema" in said or "output_config" in said or "structured" in said
