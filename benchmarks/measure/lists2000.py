"""Generated lists of 2,000 records: processor time outside the model, on the first page and on the next.

And of shorter ones in more layouts: the calls that a first page costs.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from generated_pages import GeneratedPage, PageKind, make_layout, render_page
from gleaner import Gleaner
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.testing import FunctionModel, ScriptedModel, TrueRecord
from gleaner.wrappers import same_data

from measure.cases import attempt
from measure.rows import Context, Row

RECORDS = 2_000
QUICK_RECORDS = 300
LONG_RECORDS = 700
"""Records of a list that is too long for one prompt in every layout."""

LAYOUTS = 6
"""Of each kind."""

KINDS: tuple[PageKind, ...] = ("cards", "table", "list", "definition")

Script = TypeVar("Script", ScriptedModel, FunctionModel)


@dataclass(slots=True)
class TimedModel(Generic[Script]):
    """A model that knows how long it took itself: that is no time of the product's."""

    script: Script
    seconds: float = 0.0
    name: str = field(default="local:scripted")

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer as the script does; the processor time is that of the thread that asks."""
        start = time.thread_time()
        try:
            return self.script.answer(request)
        finally:
            self.seconds += time.thread_time() - start


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page took: seconds of processor time outside the model, calls, and whether its answer is right."""

    seconds: float
    calls: int
    tier: str
    is_right: bool


def measure(context: Context) -> Sequence[Row]:
    """Give the time of the first page and of the next, the mean over some kinds of lists.

    A short list comes before them: what the product loads when it is first used is no time of a page.
    """
    count = QUICK_RECORDS if context.quick else RECORDS
    kinds = KINDS[:1] if context.quick else KINDS
    attempt(context, "warming up", lambda: _two(context, "table", 10))
    found = {kind: pair for kind in kinds if (pair := attempt(context, kind, lambda k=kind: _two(context, k, count)))}
    return [*_rows(context, found, count), *([] if context.quick else [_calls(context)])]


def _calls(context: Context) -> Row:
    """Give the calls that the first page of a long list costs, over several layouts of each kind."""
    seeds = range(100 * context.seed, 100 * context.seed + LAYOUTS)
    layouts = [(kind, seed) for kind in KINDS for seed in seeds]
    found = [
        one for kind, seed in layouts
        if (one := attempt(context, f"{kind} {seed}", lambda k=kind, s=seed: _first(k, s))) is not None
    ]  # fmt: skip
    calls = [one.calls for one in found]
    for (kind, seed), one in zip(layouts, found, strict=False):
        if not one.is_right:
            context.note(f"a long list, {kind} {seed}", "its answer is not right")
    return Row(
        "lists2000.calls",
        f"lists of {LONG_RECORDS} records: calls of the model for the first page, mean",
        sum(calls) / len(calls) if calls else None,
        "ratio",
        "lower",
        0.0,
        f"{sum(calls)} of {len(calls)} lists, {calls.count(1)} with one",
    )


def _first(kind: PageKind, seed: int) -> Asked:
    model = TimedModel(ScriptedModel([]))
    page = render_page(make_layout(2_000 * seed + KINDS.index(kind), kind), LONG_RECORDS, data=0)
    with tempfile.TemporaryDirectory() as home, Gleaner(model=model, home=home) as gleaner:
        return _ask(gleaner, model, page)


def _rows(context: Context, found: dict[PageKind, tuple[Asked, Asked]], count: int) -> Iterator[Row]:
    for number, (name, what) in enumerate((("first", "the first page"), ("next", "the next page"))):
        asked = {kind: pair[number] for kind, pair in found.items()}
        seconds = [one.seconds for one in asked.values()]
        told = (f"{kind} {one.seconds:.1f} s by {one.tier}, {one.calls} calls" for kind, one in asked.items())
        for kind, one in asked.items():
            if not one.is_right:
                context.note(f"{what} of {kind}", "its answer is not right")
        yield Row(
            f"lists2000.{name}",
            f"lists of {count:,} records: processor time outside the model, {what}, mean",
            sum(seconds) / len(seconds) if seconds else None,
            "s",
            "lower",
            2.0,
            "; ".join(told),
        )


def _two(context: Context, kind: PageKind, count: int) -> tuple[Asked, Asked]:
    """Ask one installation for two pages of a layout."""
    layout = make_layout(2_000 * context.seed + KINDS.index(kind), kind)
    model = TimedModel(ScriptedModel([]))
    with tempfile.TemporaryDirectory() as home, Gleaner(model=model, home=home) as gleaner:
        first, after = (_ask(gleaner, model, render_page(layout, count, data=data)) for data in (0, 1))
    return first, after


def _ask(gleaner: Gleaner, model: TimedModel[ScriptedModel], page: GeneratedPage) -> Asked:
    name = page.layout.domain.fields[0].name
    model.script.truth = [TrueRecord({**record}, (str(record[name]),)) for record in page.records]
    calls, before, start = len(model.script.requests), model.seconds, time.process_time()
    config = {"tiers": ["recipe", "model"]}
    found = gleaner.extract_html(page.html, page.url, output_schema=page.schema, config=config).extraction
    spent = time.process_time() - start - (model.seconds - before)
    data = found.data if found is not None and isinstance(found.data, list) else []
    is_right = len(data) == len(page.records) and all(map(same_data, data, page.records))
    return Asked(spent, len(model.script.requests) - calls, found.tier if found else "none", is_right)
