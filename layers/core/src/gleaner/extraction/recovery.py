"""What is done when a call goes wrong (EX-4): ask again with what was wrong, give a hint, or split the text in half.

No question is asked twice in the same words. A chain of failures is bounded: a question is asked at most
``max_retries_per_chunk`` times more than once, counting the splits that led to it; a question about units alone begins
a chain of its own. An answer that was cut, but gave records, is progress and no failure. An answer that only repeats
itself is asked about once more, with that said, and never split; a model that keeps to it is asked no further
questions about the chunk.
"""

import logging
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError, InternalError, ModelTimeout, PromptTooLong, TransientError
from gleaner.contracts.models import ExtractionConfig, ExtractionError
from gleaner.contracts.ports import ModelAnswer
from gleaner.extraction.calling import Caller
from gleaner.extraction.loops import find_loop
from gleaner.extraction.pieces import Piece, split
from gleaner.extraction.prompts import Question
from gleaner.page.model import Part

MOST_LOOPS = 8
"""Answers about a chunk that may end in a loop while each brings something: every one costs a whole output limit. A
model that reads half of what it is shown, and loops then, comes to the end of a hundred records in as many."""

MOST_HALVINGS = 8
"""How often a text is halved for a model whose context is small: a question that is refused costs nothing."""

MOST_BARREN_LOOPS = 2
"""Those that may bring nothing: the first, and the one to the question that says so."""

LOOPED = "it repeated itself without end: give each value and each record once, then close the JSON and stop"
"""What the model is told of an answer in a loop."""

log = logging.getLogger("gleaner.extraction")

Outcome = Literal["done", "invalid", "empty", "cut"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer was worth.

    ``complaints`` say what was wrong with it; ``rest`` is the piece that a cut answer did not come to.
    """

    outcome: Outcome = "done"
    complaints: tuple[str, ...] = ()
    rest: Piece | None = None


class Reader(Protocol):
    """Asks about pieces, reads the answers and keeps what they gave."""

    def question(self, piece: Piece, complaints: tuple[str, ...], *, was_empty: bool) -> Question:
        """Give the question about a piece."""
        ...

    def read(self, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Keep what the answer gave, and judge it."""
        ...

    def settle(self, piece: Piece) -> bool:
        """Keep what can be kept of a piece that is given up; tell whether that is enough."""
        ...


@dataclass(frozen=True, slots=True)
class _Step:
    """One question to come, and how many failures led to it; ``refused`` are the useless answers that it names."""

    piece: Piece
    attempt: int = 0
    complaints: tuple[str, ...] = ()
    was_empty: bool = False
    halvings: int = 0
    refused: int = 0


class Recovery:
    """Runs pieces through the model until they are read or given up."""

    def __init__(self, task: Part, caller: Caller, config: ExtractionConfig, *, raises_transient: bool) -> None:
        self.task = task
        self.caller = caller
        self.config = config
        self.raises_transient = raises_transient
        self.errors: list[ExtractionError] = []
        self._is_settled = False
        self._loops = 0
        self._barren_loops = 0

    @property
    def is_looping(self) -> bool:
        """Whether the model's answers about this chunk end in loops too often for another question."""
        return self._loops >= MOST_LOOPS or self._barren_loops >= MOST_BARREN_LOOPS

    def run(
        self, reader: Reader, piece: Piece, attempt: int = 0, complaints: tuple[str, ...] = (), halvings: int = 0
    ) -> None:
        """Ask about a piece, and again as its failures allow. BudgetExceeded goes through; transient errors may."""
        step: _Step | None = _Step(piece, attempt, complaints, halvings=halvings, refused=int(bool(complaints)))
        while step is not None:
            step = self._take(reader, step)

    def _take(self, reader: Reader, step: "_Step") -> "_Step | None":
        """Ask once, and give what is to be asked next."""
        try:
            question = reader.question(step.piece, step.complaints, was_empty=step.was_empty)
            answer = self.caller.ask(replace(question, failures=step.refused))
        except (ModelTimeout, PromptTooLong) as error:
            return self._split(reader, step, error.error_type, str(error))
        except TransientError as error:
            if self.raises_transient:
                raise
            kept = reader.settle(step.piece)
            return self.fail(error.error_type, str(error), exhausted=True, fallback=kept)
        except GleanerError:  # a cap or a refusal ends the chunk: what an earlier answer gave is kept
            self._is_settled = reader.settle(step.piece)
            raise
        verdict = self._read(reader, step.piece, answer)
        loops = find_loop(answer.text) is not None
        self._loops += loops
        if verdict.outcome == "done":
            return None
        if loops:
            return self._after_a_loop(reader, step, verdict)
        if verdict.outcome != "cut":
            return self._again(reader, step, verdict)
        if verdict.rest is not None:
            return _Step(verdict.rest, step.attempt)
        return self._split(reader, step, ErrorType.OUTPUT_CUT, "the answer was cut before its end")

    def _read(self, reader: Reader, piece: Piece, answer: ModelAnswer) -> Verdict:
        """Read an answer; one that no reader was made for ends the chunk, and what earlier ones gave is kept."""
        try:
            return reader.read(piece, answer)
        except Exception as error:  # a bug of ours, which must not cost what was paid for
            log.exception("an answer about chunk %s could not be read", self.task.chunk_index)
            raise InternalError(f"an answer could not be read: {type(error).__name__}: {error}") from error

    def _after_a_loop(self, reader: Reader, step: "_Step", verdict: Verdict) -> "_Step | None":
        """Go on behind what a looping answer gave, or say once what was wrong with it; then take it as it is."""
        self._barren_loops += verdict.rest is None
        if not self.is_looping and verdict.rest is not None:
            return _Step(verdict.rest, step.attempt)
        exhausted = step.attempt >= self.config.max_retries_per_chunk
        if not self.is_looping and not exhausted and self.config.retry.on_validation_error:
            return _again(step, (LOOPED, *verdict.complaints))
        kept = reader.settle(step.piece)
        return self.fail(ErrorType.OUTPUT_CUT, "the answer repeated itself without end", exhausted=True, fallback=kept)

    def _again(self, reader: Reader, step: "_Step", verdict: Verdict) -> "_Step | None":
        retry, is_empty = self.config.retry, verdict.outcome == "empty"
        wanted = retry.on_empty if is_empty else retry.on_validation_error
        exhausted = step.attempt >= self.config.max_retries_per_chunk
        if wanted and not exhausted:
            return _again(step, verdict.complaints, was_empty=is_empty)
        if reader.settle(step.piece):
            return None
        kind = ErrorType.EMPTY_ANSWER if is_empty else ErrorType.VALIDATION_ERROR
        said = "; ".join(verdict.complaints[:3]) or "the model's answer is empty"
        return self.fail(kind, said, exhausted=exhausted)

    def _split(self, reader: Reader, step: "_Step", kind: ErrorType, message: str) -> None:
        retry = self.config.retry
        allowed = retry.split_on_timeout if kind is ErrorType.MODEL_TIMEOUT else retry.split_on_length
        is_free = kind is ErrorType.PROMPT_TOO_LONG
        parts = split(self.task, step.piece) if allowed else []
        if is_free:
            exhausted = step.halvings >= MOST_HALVINGS or len(parts) < 2
        else:
            exhausted = step.attempt >= self.config.max_retries_per_chunk
        if not allowed or exhausted:
            kept = reader.settle(step.piece)
            return self.fail(kind, message, exhausted=exhausted, fallback=kept)
        for part in parts:
            self.run(reader, part, step.attempt + (not is_free), halvings=step.halvings + is_free)
        return None

    def fail(self, kind: ErrorType, message: str, *, exhausted: bool = False, fallback: bool = False) -> None:
        """Record an error of this chunk; ``fallback`` tells that the best answer so far stands in for a sound one."""
        self.errors.append(
            ExtractionError(
                error_type=kind,
                message=message,
                chunk_index=self.task.chunk_index,
                retries_exhausted=exhausted,
                fallback_used=fallback,
            )
        )

    def fail_with(self, error: GleanerError) -> None:
        """Record an error that ended the chunk."""
        self.fail(error.error_type, str(error), fallback=self._is_settled)


def _again(step: _Step, complaints: tuple[str, ...], *, was_empty: bool = False) -> _Step:
    """Give the same question with what was wrong with its last answer."""
    return _Step(step.piece, step.attempt + 1, complaints, was_empty=was_empty, refused=step.refused + 1)
