"""What a model server's error means, whoever wrote it: the table's patterns, and the numbers in its words (EX-12)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from gleaner.contracts.errors import ModelTimeout
from gleaner.contracts.model_servers import refusal_patterns

Kind = Literal[
    "limit_name", "limit", "context", "quota", "credit", "slow", "key", "model", "temperature", "schema", "down",
    "timeout", "other",
]  # fmt: skip

LEAST_ANSWER = 256
"""Tokens of answer below which a question is not worth asking: about five records."""
ANSWER_SHARE = 4
"""An answer needs room for a quarter of what its prompt has, or the page is read in pieces: records in JSON take 0.3 to
1.0 times the tokens of the rows that they are read from, on the lists of the corpus."""

_THOUSANDS = re.compile(r"(?<=\d)[,_](?=\d{3}\b)")
_LIMIT_NAME = re.compile(r"max_(?:completion_|output_|new_)?tokens|maxOutputTokens|maxTokens|num_predict", re.I)
_TOO_MUCH = re.compile(r"too (?:large|high|big)|exceed|less than|at most|maximum|greater|range|must be|<=", re.I)
_WAIT = re.compile(
    r"(?:try again|retry)\b\D{0,20}?(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m(?!s))?(?P<s>\d+(?:\.\d+)?)\s?(?P<unit>ms|s)", re.I
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an error says: its kind, its words in one short line, and the tokens it states (None: not stated)."""

    kind: Kind
    text: str
    context: int | None = None
    prompt: int | None = None
    least: int | None = None
    output: int | None = None
    limit: int | None = None
    requested: int | None = None
    quota: int | None = None
    wait_s: float | None = None

    @property
    def most_context(self) -> int | None:
        """Tokens that prompt and answer share, where the error states them."""
        return self.context or self.quota

    def answer_limit(self, asked_for: int, estimated_prompt: int) -> int | None:
        """Give a lower limit under which the same prompt can be asked again; None when it is the prompt that is long.

        ``asked_for`` is the limit that was refused, ``estimated_prompt`` counts for a prompt that the error does not
        measure.
        """
        prompt = self._prompt_tokens(asked_for)
        if self.kind == "limit" and self.most_context is None:
            lower = self.limit if self.limit is not None else asked_for // 2
        elif self.most_context is None:
            lower = asked_for // 4 if prompt is None else 0
        else:
            lower = self.most_context - (prompt if prompt is not None else max(self.least or 0, estimated_prompt))
            lower = min(lower, asked_for // 2) if prompt is None else lower
        needed = max(LEAST_ANSWER, 0 if self.kind == "limit" else (prompt or estimated_prompt) // ANSWER_SHARE)
        if self.kind == "limit":
            return lower if 0 < lower < asked_for else None
        return lower if needed <= lower < asked_for else None

    def _prompt_tokens(self, asked_for: int) -> int | None:
        if self.prompt is not None:
            return self.prompt
        if self.requested is not None:
            return max(0, self.requested - (self.output or asked_for))
        return None


def read_refusal(status: int, body: str, headers: Mapping[str, str], asked_for: int) -> Refusal:
    """Read an error's status and body; ``asked_for`` is the limit of the answer that was asked for."""
    words, text = _THOUSANDS.sub("", _words(body)), error_text(body)
    wait_s = _wait_s(words, headers) if status in (408, 413, 429, 500, 502, 503, 529) else None
    for pattern in refusal_patterns():
        found = pattern.says.search(words) if not pattern.statuses or status in pattern.statuses else None
        if found is not None and _may_mean(pattern.kind, status):
            return Refusal(cast("Kind", pattern.kind), text, wait_s=wait_s, **_numbers(found))
        if pattern.kind == "context" and found is None and (limit := _stated_limit(words, status, asked_for)):
            return Refusal("limit", text, limit=limit)
    return Refusal(_kind_of_status(status), text, wait_s=wait_s)


def error_text(body: str) -> str:
    """Give what an error body says, in one short line."""
    try:
        parsed = json.loads(body)
    except ValueError:
        return " ".join(body.split())[:300]
    parsed = parsed[0] if isinstance(parsed, list) and parsed else parsed
    error = parsed.get("error", parsed) if isinstance(parsed, dict) else parsed
    message: Any = error.get("message", error.get("detail", error)) if isinstance(error, dict) else error
    shown = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)
    return " ".join(shown.split())[:300]


def _words(body: str) -> str:
    """Give the texts of an error body, and its numbers as ``name=number``: fields say what sentences do not."""
    try:
        return " | ".join(_leaves(json.loads(body)))
    except (ValueError, RecursionError):
        return body


def _leaves(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, str(key))
    elif isinstance(value, list):
        yield from (leaf for inner in value for leaf in _leaves(inner, name))
    elif isinstance(value, str):
        nested = value.lstrip()[:1] == "{"  # some gateways put the server's whole body into a text
        yield (
            _words(value) if nested else f"{name}={value}" if name in ("type", "code", "param", "retryDelay") else value
        )
    elif value is not None:
        yield f"{name}={value}"


def _numbers(found: re.Match[str]) -> dict[str, int]:
    named = {name.rstrip("0123456789"): int(text) for name, text in found.groupdict().items() if text is not None}
    if "beyond" in named:
        named["limit"] = named.pop("beyond") - 1
    return named


def _stated_limit(words: str, status: int, asked_for: int) -> int | None:
    """Give the longest answer that an error in unknown words states, if it is about the answer's limit."""
    if status not in (400, 413, 422) or not _LIMIT_NAME.search(words) or not _TOO_MUCH.search(words):
        return None
    if re.search("context|prompt|input", words, re.I):
        return None
    smaller = [int(number) for number in re.findall(r"\d{2,9}", words) if LEAST_ANSWER // 4 <= int(number) < asked_for]
    return max(smaller, default=asked_for // 2 if asked_for > LEAST_ANSWER else None)


def _may_mean(kind: str, status: int) -> bool:
    """Tell whether an error of this status may mean it: an outage that speaks of a schema is an outage."""
    if status >= 500:
        return kind in ("context", "quota")
    if status in (401, 403):
        return kind in ("key", "credit", "model")
    if status == 404:
        return kind == "model"
    if status == 429:
        return kind in ("quota", "credit", "slow")
    return True


def _kind_of_status(status: int) -> Kind:
    if status in (401, 403):
        return "key"
    if status == 402:
        return "credit"
    if status == 429:
        return "slow"
    if status in (408, 504):
        return "timeout"
    return "down" if status >= 500 else "other"


def _wait_s(words: str, headers: Mapping[str, str]) -> float | None:
    """Give the seconds that the server asks to wait: by Retry-After, by its words, or by Google's retryDelay."""
    asked = retry_after_s(headers)
    if asked is not None:
        return asked
    said = _WAIT.search(words) or re.search(r"retryDelay=(?P<s>[\d.]+)(?P<unit>s)", words)
    if said is None:
        return None
    parts = said.groupdict()
    seconds = float(parts["s"]) / (1000 if parts["unit"].lower() == "ms" else 1)
    return seconds + 60 * int(parts.get("m") or 0) + 3600 * int(parts.get("h") or 0)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Give the seconds of Retry-After, None when it says none (dates are not read)."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(name, "")) * unit)
        except ValueError:
            continue
    return None


def tokens_in(usage: Any, name: str) -> int:
    """Give a count of tokens from what a provider says of its usage; 0 where it says none."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) else 0


def late(name: str, timeout_s: float) -> ModelTimeout:
    """Give the error of a model that took too long, with the setting that would give it more time."""
    return ModelTimeout(
        f"{name} did not answer within {timeout_s:g} s; GLEANER_LLM_TIMEOUT_S or the request's budget.deadline_s "
        "gives it more time"
    )
