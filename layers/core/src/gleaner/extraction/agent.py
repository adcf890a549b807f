"""The sub-agent of seed 001: Markdown in, structured data out, in process, by the same per-chunk code as the cloud."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from gleaner.budget.guard import BudgetGuard, MemoryLedger
from gleaner.budget.prices import price_of
from gleaner.chunking import chunk_at
from gleaner.contracts.arguments import check_whole_number
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import GleanerError
from gleaner.contracts.models import Budget, ExtractionConfig, ExtractionError, ExtractionResult
from gleaner.contracts.ports import Model
from gleaner.contracts.schema_input import parse_schema_text
from gleaner.extraction.calling import model_name
from gleaner.extraction.chunk import extract_chunk, with_what_was_found
from gleaner.extraction.chunk_cache import ChunkCache
from gleaner.extraction.chunk_ends import ChunkEnds
from gleaner.extraction.patience import PatientModel
from gleaner.page.model import Page, Part, PlacedUnit
from gleaner.page.opening import open_page
from gleaner.results.assembly import assemble
from gleaner.results.settling import warn_of_unenforced_schema
from gleaner.results.tasks import CallLimits, ChunkExtractionResult, chunk_tasks
from gleaner.schemas import unenforceable
from gleaner.units.markdown_units import place_markdown_units


class ExtractionSubAgent:
    """Extracts from Markdown with a model: chunks in parallel, each recovered on its own, merged and proven (EX-3).

    ``llm`` is anything with ``answer(request)``; see ``gleaner.ports.Model``. ``sleep`` is how rate limits are waited
    out.
    """

    def __init__(
        self,
        llm: Model,
        max_concurrent_chunks: int = 3,
        max_retries_per_chunk: int = 2,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not callable(getattr(llm, "answer", None)):
            raise TypeError(f"llm is an object with answer(request); {llm!r} has no such method")
        check_whole_number("max_concurrent_chunks", max_concurrent_chunks, least=1)
        check_whole_number("max_retries_per_chunk", max_retries_per_chunk, least=0)
        self.llm = llm
        self.max_concurrent_chunks = max_concurrent_chunks
        self.max_retries_per_chunk = max_retries_per_chunk
        self._sleep = sleep

    async def extract(
        self,
        content: str,
        query: str | None = None,
        output_schema: dict[str, Any] | bool | str | None = None,
        *,
        config: ExtractionConfig | None = None,
        budget: Budget | None = None,
        cache: ChunkCache | None = None,
        limits: CallLimits | None = None,
        units: Sequence[PlacedUnit] | None = None,
        url: str | None = None,
        snapshot: str | None = None,
    ) -> ExtractionResult:
        """Give the content's records that match ``output_schema`` (an object or JSON text), or an answer in words.

        ``units`` are the content's repeated pieces when they are known from the DOM; else its table rows and list
        items are taken. ``snapshot`` is the HTML that the content was made of. ``config`` gives all but concurrency and
        retries, which are the agent's.
        """
        schema, reason = _read_schema(output_schema)
        settled = self._settled(config)
        placed = tuple(place_markdown_units(content) if units is None else units)
        move = ChunkEnds(content, placed)
        chunks = chunk_at(content, (), settled.max_chunk_chars, settled.overlap_lines, move=move)
        guard = self._guard(budget or Budget())
        tasks = chunk_tasks(chunks, placed, query=query, schema=schema)
        outcomes = await self._extract_all(
            [task for task in tasks if task.content.strip()], settled, guard, cache, limits
        )
        result = assemble(
            outcomes,
            page=_page_of(content, url or "", snapshot),
            units=placed,
            schema=schema,
            query=query,
            config=settled,
            chunk_starts=[chunk.start_char for chunk in chunks],
        )
        if not content.strip():
            result.warnings.insert(0, "the content is empty: no model was asked")
        if reason is not None:
            warn_of_unenforced_schema(result, reason)
        return result

    def _settled(self, config: ExtractionConfig | None) -> ExtractionConfig:
        fields = (config or ExtractionConfig()).model_dump()
        fields |= {
            "max_concurrent_chunks": self.max_concurrent_chunks,
            "max_retries_per_chunk": self.max_retries_per_chunk,
        }
        return ExtractionConfig.model_validate(fields)

    def _guard(self, budget: Budget) -> BudgetGuard:
        return BudgetGuard.of(budget, MemoryLedger(), price_of(model_name(self.llm)))

    async def _extract_all(
        self,
        tasks: Sequence[Part],
        config: ExtractionConfig,
        guard: BudgetGuard,
        cache: ChunkCache | None,
        limits: CallLimits | None,
    ) -> list[ChunkExtractionResult]:
        retry, retries, paid = config.retry, config.max_retries_per_chunk, MemoryCache()
        model = PatientModel(
            self.llm, retry.rate_limit_initial_s, retry.rate_limit_max_s, guard.deadline, sleep=self._sleep
        )

        def extract_one(task: Part) -> ChunkExtractionResult:
            return extract_chunk(
                task,
                model,
                config=config,
                guard=guard,
                cache=cache,
                limits=limits,
                resume=paid,
                raises_transient=False,
            )

        with ThreadPoolExecutor(config.max_concurrent_chunks) as threads:
            ended = await asyncio.gather(*(_patiently(threads, extract_one, task, retries) for task in tasks))
        known: Any = {"model_name": model.name, "config": config, "price": guard.price}
        return [
            one if one.usage.calls or not one.errors else with_what_was_found(one, task, paid, **known)
            for one, task in zip(ended, tasks, strict=True)
        ]


class MemoryCache:
    """A ChunkCache that lives as long as the process."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        """Give the text, or None."""
        return self._texts.get(key)

    def put(self, key: str, text: str) -> None:
        """Keep the text."""
        self._texts[key] = text


def _page_of(content: str, url: str, snapshot: str | None) -> Page:
    """Give the page that a content is the text of, with its HTML where that is known."""
    return replace(open_page(snapshot, url), known=content) if snapshot else Page.from_markdown(content, url)


def _read_schema(given: Any) -> tuple[Any, str | None]:
    """Give the schema, or why it can't be enforced: then the answer is in words (SC-5)."""
    try:
        schema = None if given is None else parse_schema_text(given)
    except ValueError as error:
        return None, str(error)
    reason = None if schema is None else unenforceable(schema)
    return (None, reason) if reason else (schema, None)


async def _patiently(
    threads: ThreadPoolExecutor,
    extract_one: Callable[[Part], ChunkExtractionResult],
    task: Part,
    retries: int,
) -> ChunkExtractionResult:
    """Give the outcome of a chunk, tried again when the caller's model raises something of its own (EX-5).

    Answers that were paid for before it did are not asked for again.
    """
    loop = asyncio.get_running_loop()
    problem: BaseException | None = None
    for attempt in range(retries + 1):
        (ended,) = await asyncio.gather(loop.run_in_executor(threads, extract_one, task), return_exceptions=True)
        if isinstance(ended, ChunkExtractionResult):
            return ended.model_copy(update={"retries": ended.retries + attempt})
        if not isinstance(ended, Exception):
            raise ended
        problem = ended
    kind = problem.error_type if isinstance(problem, GleanerError) else ErrorType.INTERNAL_ERROR
    error = ExtractionError(
        error_type=kind,
        message=f"{type(problem).__name__}: {problem}",
        chunk_index=task.chunk_index,
        retries_exhausted=True,
    )
    return ChunkExtractionResult(
        chunk_index=task.chunk_index, errors=[error], retries=retries, structural_context=task.structural_context
    )
