"""One model call at a time, within the budget, counted, and replayed when a job is resumed."""

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import cast

from gleaner.budget.guard import BudgetGuard, with_counts
from gleaner.contracts.errors import GleanerError, ModelTimeout, ModelUnavailable
from gleaner.contracts.models import Usage
from gleaner.contracts.ports import Model, ModelAnswer, ModelRequest
from gleaner.contracts.time_limits import GRACE_S, TookTooLong, within
from gleaner.extraction.chunk_cache import ChunkCache
from gleaner.extraction.prompts import PROMPT_VERSION, Question, build_request, new_nonce
from gleaner.results.tasks import CallLimits

MOST_CHARS_A_TOKEN = 16
"""Tokens have four letters or so; long runs of blanks have more."""
MOST_CHARS_A_CHAR = 4
"""How much longer than what was read an answer's JSON may be."""


def model_name(model: Model) -> str:
    """Give the name that prices and cache keys go by; the class's name for a model that has none."""
    name = getattr(model, "name", None)
    return name if isinstance(name, str) and name else type(model).__name__


def readable(answer: ModelAnswer, request: ModelRequest) -> ModelAnswer:
    """Give the answer up to where none that keeps its limits can reach: eight megabytes took minutes to be refused.

    A caller's function knows no tokens; what it writes is measured by what it was given to read, too.
    """
    most = max(MOST_CHARS_A_TOKEN * request.max_output_tokens, MOST_CHARS_A_CHAR * len(request.prompt))
    if len(answer.text) <= most:
        return answer
    return replace(answer, text=answer.text[:most], stop_reason="length")


def _checked(answer: object) -> ModelAnswer:
    """Give what a model answered; TypeError, which says what it is, for what has no text."""
    if isinstance(getattr(answer, "text", None), str):
        return cast("ModelAnswer", answer)
    raise TypeError(f"answer() gives a ModelAnswer, whose text is a str; the model gave {answer!r}"[:300])


@dataclass(slots=True)
class Caller:
    """Asks the model for one chunk, and keeps the account.

    ``resume`` holds the answers that an earlier attempt at this very chunk has paid for, when its function failed in
    the middle (a rate limit): they are read, not asked for again. ``fence`` is the word of its prompts' fences.
    """

    model: Model
    guard: BudgetGuard
    limits: CallLimits = field(default_factory=CallLimits)
    resume: ChunkCache | None = None
    chunk_index: int = 0
    asked: int = 0
    fence: str = field(default_factory=new_nonce)
    usage: Usage = field(default_factory=Usage)

    def ask(self, question: Question) -> ModelAnswer:
        """Give the model's answer, its addresses written out.

        BudgetExceeded before a call that a cap forbids, else what the model raises.

        Python's own timeouts and connection errors, which a caller's model may raise, are named as ours.
        """
        self.asked += 1
        key = self._key(question) if self.resume else ""
        known = self.resume.get(key) if self.resume else None
        answer = self._replayed(known) if known is not None else self._called(question)
        if self.resume and known is None:
            self.resume.put(
                key, json.dumps([answer.text, answer.input_tokens, answer.output_tokens, answer.stop_reason])
            )
        self._count(answer)
        return replace(answer, text=question.links.resolve(answer.text))

    def _replayed(self, known: str) -> ModelAnswer:
        text, input_tokens, output_tokens, stop_reason = json.loads(known)
        return ModelAnswer(text, input_tokens, output_tokens, stop_reason)

    def _called(self, question: Question) -> ModelAnswer:
        request = build_request(
            question,
            max_output_tokens=self.limits.max_output_tokens,
            timeout_s=self.limits.timeout_s,
            nonce=lambda: self.fence,
        )
        admission = self.guard.admit(request)
        try:
            answer = readable(with_counts(_checked(self._answer(admission.request)), request), admission.request)
        except BaseException as error:
            was_read = isinstance(error, GleanerError) and error.was_read
            self.usage = self.usage + Usage(calls=int(was_read))
            self.guard.settle(admission, None, was_read=was_read)
            raise
        self.guard.settle(admission, answer)
        return answer

    def _answer(self, request: ModelRequest) -> ModelAnswer:
        try:
            return self._in_time(request)
        except TimeoutError as error:
            raise ModelTimeout(f"the model did not answer in {request.timeout_s:g} s: {error}") from error
        except ConnectionError as error:
            raise ModelUnavailable(f"the model can't be reached: {error}") from error

    def _in_time(self, request: ModelRequest) -> ModelAnswer:
        """Give the model's answer; ModelTimeout at the deadline, whatever the model does about its own timeout."""
        deadline = self.guard.deadline
        if deadline is None:
            return self.model.answer(request)
        try:
            return within(max(0.0, deadline - self.guard.clock()) + GRACE_S, lambda: self.model.answer(request))
        except TookTooLong:
            raise ModelTimeout("the model did not answer before deadline_s was over") from None

    def _count(self, answer: ModelAnswer) -> None:
        usd = self.guard.cost(answer.input_tokens, answer.output_tokens)
        as_of = self.guard.price.as_of if usd and self.guard.price else None
        self.usage = self.usage + Usage(
            calls=1,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            usd=usd,
            prices_as_of=as_of or None,
        )

    def _key(self, question: Question) -> str:
        # The same question may be asked twice on purpose, and then the first answer is no answer to the second.
        asked = json.dumps([PROMPT_VERSION, model_name(self.model), self.chunk_index, self.asked, repr(question)])
        return "answer:" + hashlib.sha256(asked.encode()).hexdigest()
