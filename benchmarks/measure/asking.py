"""Asking the product as a user of the library would: through its public door, in an installation of its own."""

import shutil
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from gleaner import Gleaner
from gleaner.contracts.models import ExtractionResult, ScrapeResult
from gleaner.contracts.ports import ModelAnswer, ModelRequest

from measure.cases import Case
from measure.comparing import Fate, Json, compare, is_right, without_fields

TIERS = ("structured", "recipe", "model")
PAID_TIERS = ("recipe", "model")
"""What a page goes through that tier 0 did not answer; a recipe is learned on the way."""


class AskedModel(Protocol):
    """A model that knows its own processor time: that is none of the product's."""

    name: str
    seconds: float
    prompts: list[str]

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer a request."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a page: the result, the prompts that were sent, seconds of processor time outside the model."""

    result: ScrapeResult[Any]
    prompts: Sequence[str]
    seconds: float

    @property
    def found(self) -> ExtractionResult:
        """The extraction; an empty one where nothing was extracted."""
        return self.result.extraction or ExtractionResult()

    @property
    def data(self) -> Json:
        """The data that is served."""
        return self.found.data

    @property
    def is_complete(self) -> bool:
        """Whether the result claims to be complete."""
        return self.result.status == "complete"

    def is_told(self, pointer: str) -> bool:
        """Tell whether a served value is marked: as stated nowhere, as doubtful, or by a warning that names it."""
        entries = [entry for entry in self.found.provenance if entry.pointer == pointer]
        if any(entry.status == "ungrounded" or is_doubted(entry) for entry in entries):
            return True
        return any(f"{pointer} " in f"{said} " or f"{pointer}:" in said for said in self.found.warnings)

    def is_wrong(self, wanted: Json) -> bool:
        """Tell whether the result claims to be complete and is not right, but for fields that it names as not read."""
        unread = {name.rsplit("/", 1)[-1] for name in self.found.completeness.unread}
        return self.is_complete and not is_right(without_fields(wanted, unread), without_fields(self.data, unread))

    def doubted(self) -> set[str]:
        """Give the pointers of the values that are kept and doubted."""
        return {entry.pointer for entry in self.found.provenance if is_doubted(entry)}

    def refused(self) -> set[str]:
        """Give the pointers of the values that are marked as stated nowhere, though they may stand in the data."""
        return {entry.pointer for entry in self.found.provenance if entry.status == "ungrounded"}


def is_doubted(entry: Any) -> bool:
    """Tell whether a provenance entry carries a doubt; none does until the product knows doubts."""
    return bool(getattr(entry, "doubt", None) or (entry.model_extra or {}).get("doubt"))


@dataclass(slots=True)
class Installation:
    """A Gleaner with a home of its own. ``model`` may be exchanged between two questions."""

    gleaner: Gleaner
    home: str
    _seat: "_Seat"

    def ask(self, case: Case, model: AskedModel | None = None, tiers: Sequence[str] = TIERS, **config: Any) -> Asked:
        """Ask for a page. ``config`` goes to the request's configuration.

        What the model raises is raised: the model is the yardstick's. A job that fails by itself is a result.
        """
        self._seat.model, self._seat.error = model, None
        before = (len(model.prompts), model.seconds) if model else (0, 0.0)
        wanted: dict[str, Any] = {"query": case.query} if case.query else {}
        start = time.process_time()
        result = self.gleaner.extract_html(
            case.html, case.url, output_schema=case.schema, config={"tiers": [*tiers], **config}, **wanted
        )
        spent = time.process_time() - start
        if self._seat.error is not None:
            raise self._seat.error
        if model is None:
            return Asked(result, (), spent)
        return Asked(result, model.prompts[before[0] :], spent - (model.seconds - before[1]))

    @contextmanager
    def copied(self) -> "Generator[Installation]":
        """Give a copy of the installation: what is asked there is not remembered here."""
        with tempfile.TemporaryDirectory() as home:
            shutil.copytree(self.home, home, dirs_exist_ok=True)
            with _opened(home) as made:
                yield made


@dataclass(slots=True)
class _Seat:
    """The model of an installation: whatever sits there."""

    model: AskedModel | None = None
    error: Exception | None = None
    name: str = field(default="local:seat")

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer as the model does that sits there."""
        if self.model is None:
            self.error = RuntimeError("a model was asked where none should be")
            raise self.error
        try:
            return self.model.answer(request)
        except Exception as error:
            self.error = error
            raise


@contextmanager
def _opened(home: str) -> Generator[Installation]:
    seat = _Seat()
    with Gleaner(model=seat, home=home) as gleaner:
        yield Installation(gleaner, home, seat)


@contextmanager
def installation() -> Generator[Installation]:
    """Give a new installation; its home goes with the block."""
    with tempfile.TemporaryDirectory() as home, _opened(str(Path(home))) as made:
        yield made


def fate_of(case: Case, asked: Asked) -> Fate:
    """Say what became of a case's right values; one that is marked as stated nowhere is lost, though it is there."""
    fate = compare(case.wanted, asked.data)
    refused = asked.refused()
    gone = {own for own, there in fate.kept.items() if there in refused}
    fate.lost = [own for own in (*fate.lost, *gone) if own in case.counted]
    fate.kept = {own: there for own, there in fate.kept.items() if own in case.counted and own not in gone}
    fate.marked = gone & case.counted
    return fate
