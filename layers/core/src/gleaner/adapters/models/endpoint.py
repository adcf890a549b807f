"""The HTTP endpoint of a model's server: its address, its key, and one request at a time within a deadline."""

import json
import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx

from gleaner.adapters.aws.secrets import read_secret
from gleaner.adapters.models.refusals import late
from gleaner.adapters.models.streaming import STREAM_ROOM, STREAMS, StreamedAnswer
from gleaner.contracts.errors import ModelMisconfigured, ModelUnavailable
from gleaner.contracts.model_servers import LOOPBACK, ModelServer
from gleaner.contracts.settings import ModelSettings
from gleaner.contracts.time_limits import GRACE_S, TookTooLong, within

MAX_ANSWER_BYTES = 8_000_000
SHORTEST_KEY = 8
"""Letters of a key that is one; servers that want none are given "x" or the like."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an endpoint answered."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def is_answer(self) -> bool:
        """Whether it is no error."""
        return self.status < 300

    def json(self) -> Any:
        """Give the body as JSON; None when it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Endpoint:
    """One server at ``base_url``. Safe to share between threads.

    A query of the URL (Azure's ``api-version``) goes along with each request. The environment's proxies and
    certificates (HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE) count, except for a server on this machine.
    """

    def __init__(self, base_url: str, server: ModelServer, llm: ModelSettings, name: str) -> None:
        self.base_url = base_url
        self.server = server
        self._llm = llm
        self._name = name
        self._parts = urlsplit(base_url)

    def url(self, path: str, *, from_root: bool = False) -> str:
        """Give the URL of a path below the base, or below the server's root, for what is not of this protocol."""
        base = re.sub(r"/v1$", "", self._parts.path.rstrip("/")) if from_root else self._parts.path.rstrip("/")
        return urlunsplit(self._parts._replace(path=base + path))

    def post(
        self, url: str, question: Mapping[str, Any], timeout_s: float, streamed: StreamedAnswer | None = None
    ) -> Reply:
        """Send a question; ModelTimeout, ModelUnavailable or ModelMisconfigured when no whole answer comes.

        Where the server streams, ``streamed`` is told what has come.
        """
        return self._within(timeout_s, lambda: self._exchange("POST", url, question, timeout_s, streamed))

    def get(self, url: str, timeout_s: float) -> Reply:
        """Read what the server says of itself."""
        return self._within(timeout_s, lambda: self._exchange("GET", url, None, timeout_s))

    def _within(self, timeout_s: float, exchange: Any) -> Reply:
        try:  # httpx's own limit begins anew with each byte
            return within(timeout_s + GRACE_S, exchange)
        except TookTooLong:
            raise late(self._name, timeout_s) from None

    def _exchange(
        self,
        method: str,
        url: str,
        question: Mapping[str, Any] | None,
        timeout_s: float,
        streamed: StreamedAnswer | None = None,
    ) -> Reply:
        deadline = time.monotonic() + timeout_s
        try:
            with self._client.stream(method, url, json=question, timeout=timeout_s) as answer:
                parts: list[bytes] = []
                size = 0
                if not (answer.is_success and answer.headers.get("content-type", "").startswith(STREAMS)):
                    streamed = None
                most = MAX_ANSWER_BYTES * (STREAM_ROOM if streamed else 1)
                for part in answer.iter_bytes():
                    (streamed.feed if streamed else parts.append)(part)
                    size += len(part)
                    if time.monotonic() > deadline:
                        raise late(self._name, timeout_s)
                    if size > most:
                        raise ModelUnavailable(f"{self._name} answered more than {most} bytes", was_read=True)
                body = streamed.body() if streamed else b"".join(parts).decode("utf-8", "replace")
                if body is None:
                    raise ModelUnavailable(f"{self.shown} broke its answer off", was_read=True)
                said = self.without_key(body) if answer.is_success else self.without_headers(self.without_key(body))
                return Reply(answer.status_code, answer.headers, said)
        except httpx.TimeoutException:
            raise late(self._name, timeout_s) from None
        except httpx.InvalidURL as error:
            raise ModelMisconfigured(f"openai_base_url {self.shown!r} is no URL: {error}") from None
        except (httpx.ReadError, httpx.RemoteProtocolError, httpx.DecodingError) as error:
            said = str(error) or type(error).__name__
            raise ModelUnavailable(f"{self.shown} broke its answer off: {said}", was_read=True) from None
        except (httpx.LocalProtocolError, UnicodeEncodeError) as error:
            raise self._unsendable(type(error).__name__) from None
        except httpx.HTTPError as error:
            raise self._unreachable(error) from None

    def _unsendable(self, why: str) -> ModelMisconfigured:
        hint = "look at llm_api_key and llm_headers"
        return ModelMisconfigured(f"a header for {self.shown} can't be sent ({why}): {hint}")

    def _unreachable(self, error: httpx.HTTPError) -> ModelMisconfigured | ModelUnavailable:
        said = str(error) or type(error).__name__
        if "CERTIFICATE_VERIFY_FAILED" in said:
            hint = "if its certificate is your organisation's own, set SSL_CERT_FILE to a file that holds the authority"
            return ModelMisconfigured(f"{self.shown} can't be trusted: {said}; {hint}")
        hint = (
            f"; {self.hint(self.server.start)}" if self.server.start and isinstance(error, httpx.ConnectError) else ""
        )
        return ModelUnavailable(f"{self.shown} can't be reached: {said}{hint}")

    def hint(self, text: str, model: str = "") -> str:
        """Give a hint of the table with its blanks filled."""
        return text.format(model=model or self._name.partition(":")[2], port=self._parts.port or "")

    @property
    def shown(self) -> str:
        """The base as messages show it, which callers read: without a user, a password and a query."""
        return re.sub(r"//[^/@]*@", "//", self.base_url).partition("?")[0]

    def without_key(self, text: str) -> str:
        """Take the key out of an answer: some servers repeat it in their errors, which callers read."""
        return text.replace(self._key, "(the key)") if self._key and len(self._key) >= SHORTEST_KEY else text

    def without_headers(self, text: str) -> str:
        """Take the values of llm_headers out of a refusal: a header may hold a key, and some servers repeat it.

        An answer keeps them. They may be data there, as the name of the site that OpenRouter is told.
        """
        values = {part for value in self._llm.headers.values() for part in value.split() if len(part) >= SHORTEST_KEY}
        for value in sorted(values, key=len, reverse=True):
            text = text.replace(value, "(a header)")
        return text

    @cached_property
    def _key(self) -> str | None:
        llm = self._llm
        key = llm.api_key or (read_secret(llm.api_key_secret_arn) if llm.api_key_secret_arn else None)
        return key.strip() if key else None

    @property
    def has_key(self) -> bool:
        """Whether a key is sent."""
        return bool(self._key)

    @cached_property
    def _client(self) -> httpx.Client:
        headers = dict(self._llm.headers)
        if self._key and self.server.key_header not in headers:
            scheme = "Bearer " if self.server.key_header == "Authorization" else ""
            headers[self.server.key_header] = f"{scheme}{self._key}"
        direct = {f"all://{f'[{host}]' if ':' in host else host}": None for host in LOOPBACK}
        try:
            return httpx.Client(headers=headers, trust_env=True, mounts=direct, follow_redirects=False)
        except UnicodeEncodeError:
            raise self._unsendable(UnicodeEncodeError.__name__) from None
        except (ImportError, ValueError) as error:
            raise ModelMisconfigured(f"the proxy that HTTPS_PROXY or ALL_PROXY names can't be used: {error}") from None
        except (OSError, ssl.SSLError) as error:
            raise ModelMisconfigured(f"SSL_CERT_FILE or SSL_CERT_DIR can't be read: {error}") from None

    def close(self) -> None:
        """Close the connections."""
        if "_client" in self.__dict__:
            self._client.close()
