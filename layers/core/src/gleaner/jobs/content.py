"""The stored content of a job: the page's Markdown, units and chunks."""

import json
from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from pydantic import BaseModel, Field

from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import BlobStore
from gleaner.jobs.blob_texts import read_json, read_text, write_text
from gleaner.jobs.jobs import JobRef
from gleaner.page.continuations import Continuation
from gleaner.page.model import NodeRange, NumberedUnit, Part
from gleaner.structured import Certified
from gleaner.units import PlacedUnit, UnitKind, whole_units

_OF_UNIT = tuple(one.name for one in fields(NumberedUnit))

StoredUnit = tuple[int, int, int, int, float, UnitKind, NodeRange | None]


class Remaining(BaseModel):
    """What a model is asked about alone: some fields, ``asked``, that the page's own data or a recipe did not read.

    The rest is in the answer of the page's ``own`` data, or else read by the recipe of a strategy. ``whole`` are the
    chunks of the whole page.
    """

    asked: list[str]
    whole: list[int]
    own: Certified | None = None
    strategy_id: str = ""
    version: int = 0


class PageContent(BaseModel):
    """A page's content, but for its Markdown. ``chunk_starts`` are offsets in the Markdown of the chunks by index."""

    title: str = ""
    content_stats: dict[str, Any] = Field(default_factory=dict[str, Any])
    units: list[StoredUnit] = Field(default_factory=list[StoredUnit])
    chunk_starts: list[int] = Field(default_factory=list[int])
    waiting: list[int] = Field(default_factory=list[int], description="Chunks that a model has not been asked about")
    asked: list[int] = Field(default_factory=list[int], description="Chunks given to the Map so far")
    remaining: Remaining | None = Field(default=None, description="Set while a model is asked about some fields alone")
    spent: list[int] = Field(default_factory=list[int], description="Chunks asked before that gave nothing of use")
    rounds: int = Field(default=0, description="How often chunks that left nothing were sent to the Map again")
    answer: ExtractionResult | None = Field(default=None, description="An answer that needed no model")
    warnings: list[str] = Field(default_factory=list[str])
    continuations: list[Continuation] = Field(default_factory=list[Continuation])
    base_url: str | None = Field(default=None, description="What relative addresses of the page are resolved against")
    declined: dict[str, str] = Field(default_factory=dict[str, str], description="Why a tier gave no answer, by tier")
    cut_short: str = Field(default="", description="Why the page is not whole: its HTML breaks off, or is no text")

    def place(self, units: Sequence[PlacedUnit]) -> None:
        """Set the units of the page."""
        self.units = [
            (one.group, one.index, one.start, one.end, one.group_score, one.kind, one.region) for one in units
        ]
        for made in ("placed_units", "whole_units"):
            vars(self).pop(made, None)

    @cached_property
    def placed_units(self) -> tuple[PlacedUnit, ...]:
        """The units as the ledger takes them; made once."""
        return tuple(PlacedUnit(*unit) for unit in self.units)

    @cached_property
    def whole_units(self) -> Sequence[PlacedUnit]:
        """The places that are some by themselves: the first ones, under the same numbers."""
        return whole_units(self.placed_units)


def _members(unit: NumberedUnit) -> dict[str, Any]:
    """Give what a unit is stored as: pages have tens of thousands of them."""
    return {name: getattr(unit, name) for name in _OF_UNIT}


class JobContent:
    """Reads and writes the content of one job."""

    def __init__(self, blobs: BlobStore, ref: JobRef) -> None:
        self._blobs = blobs
        self._ref = ref

    def write(self, content: PageContent, markdown: str | None = None) -> None:
        """Store the content, the Markdown first when it is given."""
        if markdown is not None:
            write_text(self._blobs, self._ref.key("content.md"), markdown, "text/markdown; charset=utf-8")
        write_text(self._blobs, self._ref.key("content.json"), content.model_dump_json())

    def exists(self) -> bool:
        """Tell whether chunk_page is done."""
        return self._blobs.exists(self._ref.key("content.json"))

    def read(self) -> PageContent:
        """Give the content."""
        return PageContent.model_validate_json(read_text(self._blobs, self._ref.key("content.json")))

    def markdown(self) -> str:
        """Give the page's Markdown."""
        return read_text(self._blobs, self._ref.key("content.md"))

    def write_tasks(self, tasks: Sequence[Part]) -> None:
        """Store each chunk's task under its index."""
        for task in tasks:
            text = json.dumps({one.name: getattr(task, one.name) for one in fields(task)}, default=_members)
            write_text(self._blobs, self._ref.key(f"chunks/{task.chunk_index:04}.json"), text)

    def task(self, index: int) -> Part:
        """Give the task of a chunk."""
        stored = read_json(self._blobs, self._ref.key(f"chunks/{index:04}.json"))
        units, spare = (tuple(NumberedUnit(**unit) for unit in stored.pop(name)) for name in ("units", "spare"))
        return Part(**stored, units=units, spare=spare)
