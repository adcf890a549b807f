"""Pages whose true records are known, and what Gleaner makes of an answer given for them, be it right or wrong."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from gleaner.chunking import chunk_at
from gleaner.contracts.json_pointers import read_pointer
from gleaner.contracts.models import ExtractionConfig, ExtractionResult
from gleaner.contracts.ports import ModelAnswer, ModelRequest
from gleaner.extraction import assemble
from gleaner.extraction.chunk import extract_chunk
from gleaner.extraction.chunk_ends import ChunkEnds
from gleaner.page.model import Page, PageOptions
from gleaner.page.opening import open_page
from gleaner.results.tasks import chunk_tasks
from gleaner.schemas import record_path
from gleaner.testing.scripted import TrueRecord, page_text, records_in, skipped_pieces
from layouts import Design, Style, page_of, strip_marks, truth_of
from layouts.split import Part, designs_of

from measure.faults import Record, Truth
from measure.rows import Context

PageKind = Literal["list", "single", "real"]
CONFIG = ExtractionConfig(dedupe="none")
ROWS = 12
"""Records that a list of the layouts is cut to: enough to learn from, few enough to spoil many lists."""

_SPACE = re.compile(r"[\s\\*_`|#\[\]()>~-]+")


@dataclass(frozen=True)
class TruePage:
    """A page, what is asked of it, and its true records (one, for a page about one thing).

    ``stated`` are texts that stand on the page where the records do; ``outer`` is what stands around a list of records.
    """

    name: str
    part: Part
    kind: PageKind
    html: str
    url: str
    schema: Mapping[str, Any]
    records: Sequence[Record]
    stated: Sequence[str]
    outer: Mapping[str, Any]
    donors: Sequence[Record] = ()

    @cached_property
    def pointer(self) -> str | None:
        """Where the list of records stands in the data; None for a page about one thing."""
        path = record_path(dict(self.schema))
        return None if path is None else path.pointer

    @cached_property
    def truth(self) -> Truth:
        """The records with the schema of one."""
        path = record_path(dict(self.schema))
        schema: Any = self.schema if path is None else path.item_schema
        return Truth(self.records, schema, self.donors)

    @cached_property
    def opened(self) -> Page:
        """The page, open."""
        return open_page(self.html, self.url, PageOptions(extract_links=True))

    @property
    def data(self) -> Any:
        """The whole true answer."""
        return self.wrapped(list(self.records))

    def wrapped(self, records: list[Any]) -> Any:
        """Give an instance of the schema with these records."""
        if self.pointer is None:
            return records[0] if records else {}
        steps = read_pointer(self.pointer)
        return {**self.outer, steps[0]: records} if steps else records

    def unwrapped(self, data: Any) -> list[Any]:
        """Give the records in an instance of the schema."""
        if self.pointer is None:
            return [data] if isinstance(data, dict) else []
        steps = read_pointer(self.pointer)
        found = data.get(steps[0]) if steps and isinstance(data, dict) else data
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


@dataclass(slots=True)
class GivenAnswer:
    """A model that gives one answer however it is asked: of each part of the page, the records that stand there.

    ``answer`` holds a record, or None for one that the model does not give, for each text of ``stated``. Pieces without
    any record are named as skipped; those of records not given are not. ``at_first`` are records that only the first
    call does not give.
    """

    page: TruePage
    answer: Sequence[Any]
    at_first: frozenset[int] = frozenset()
    calls: int = 0
    name: str = "local:given"

    def answer_to(self, prompt: str) -> str:
        """Give the answer's JSON for a prompt."""
        text = page_text(prompt)
        if self.page.pointer is None:
            return json.dumps(self.answer[0])
        all_of_it = [TrueRecord(at, (text,)) for at, text in enumerate(self.page.stated)]  # type: ignore[arg-type]
        found = [one.data for one in records_in(text, all_of_it)]
        late = self.at_first if self.calls == 1 else frozenset[int]()
        given = [self.answer[at] for at in found if self.answer[at] is not None and at not in late]  # type: ignore[index]
        skipped = skipped_pieces(prompt, text, all_of_it)
        data = {"data": self.page.wrapped(given)}
        return json.dumps(data if skipped is None else {**data, "skipped": skipped})

    def answer_request(self, request: ModelRequest) -> ModelAnswer:
        """Answer in process."""
        self.calls += 1
        text = self.answer_to(request.prompt)
        return ModelAnswer(text, (len(request.system) + len(request.prompt)) // 4, len(text) // 4)


class _AsModel:
    """The face of a given answer that extraction asks."""

    def __init__(self, given: GivenAnswer) -> None:
        self.name = given.name
        self.answer = given.answer_request


def extracted(page: TruePage, given: GivenAnswer) -> ExtractionResult:
    """Give what Gleaner makes of an answer: extraction with its follow-up questions, proof, certificate."""
    opened, schema = page.opened, dict(page.schema)
    ends = ChunkEnds(opened.text, opened.units)
    chunks = chunk_at(opened.text, (), CONFIG.max_chunk_chars, CONFIG.overlap_lines, move=ends)
    tasks = [task for task in chunk_tasks(chunks, opened.units, query=None, schema=schema) if task.content.strip()]
    model: Any = _AsModel(given)
    outcomes = [extract_chunk(task, model, config=CONFIG, raises_transient=False) for task in tasks]
    return assemble(
        outcomes,
        page=opened,
        units=opened.units,
        schema=schema,
        query=None,
        config=CONFIG,
        chunk_starts=[chunk.start_char for chunk in chunks],
    )


def page_of_design(design: Design, part: Part, seed: object, number: int = 0, rows: int = ROWS) -> TruePage:
    """Give a page of a layout with its truth; the records of the next page are those to invent from."""
    records, others = design.records(seed, number)[:rows], design.records(seed, number + 1)[:rows]
    return TruePage(
        design.name,
        part,
        "list" if design.is_list else "single",
        strip_marks(page_of(design, records, Style())),
        design.url(number),
        design.whole_schema,
        [truth_of(design, one) for one in records],
        [design.stated(one) for one in records],
        {},
        [truth_of(design, one) for one in others],
    )


def layout_pages(context: Context, step: int, parts: Sequence[Part] = ("develop", "check")) -> Iterator[TruePage]:
    """Give a page of each ``step``-th layout of the parts."""
    for part in parts:
        for design in designs_of(part, is_measurement=True)[::step]:
            yield page_of_design(design, part, context.seed)


def real_pages(context: Context, step: int = 1) -> Iterator[TruePage]:
    """Give the corpus' pages whose data is known: lists that a model was asked about, products and recipes."""
    sources: list[tuple[Path, Callable[[Path], TruePage | None]]] = [
        *((case, _answered_list) for case in _lists_of(context)),
        *((case, _record_page) for case in context.cases("records", "products")[::step]),
        *((case, _record_page) for case in context.cases("records", "recipes")[::step]),
    ]
    for case, read in sources:
        try:
            page = read(case)
        except (OSError, ValueError, KeyError, TypeError) as error:
            context.note(f"{case.parent.name}/{case.name}", error)
            continue
        if page is None:
            context.note(f"{case.parent.name}/{case.name}", "too little of its truth stands in the Markdown")
        else:
            yield page


def _lists_of(context: Context) -> list[Path]:
    """Give the answered lists, the smallest page alone where it must be quick."""
    found = context.cases("answered_lists")
    return found if not context.quick else sorted(found, key=lambda case: (case / "page.html").stat().st_size)[:1]


def _read(case: Path, name: str) -> Any:
    text = (case / name).read_text("utf-8", errors="replace")
    return json.loads(text) if name.endswith(".json") else text.strip()


def _answered_list(case: Path) -> TruePage | None:
    """Give a list with the data that was judged right; records that no text of the page tells are not asked for."""
    data, schema = _read(case, "result.json")["data"], _read(case, "schema.json")
    made = _page_around(case, schema, [], {})
    outer = (
        {name: value for name, value in data.items() if not isinstance(value, list)} if isinstance(data, dict) else {}
    )
    records = made.unwrapped(data)
    stated = [_stated(one, made.opened.text) for one in records]
    known = [(record, text) for record, text in zip(records, stated, strict=True) if text]
    if 2 * len(known) < len(records) or len(known) < 2:
        return None
    page = _page_around(case, schema, [record for record, _ in known], outer)
    return TruePage(**{**vars_of(page), "stated": [text for _, text in known]})


def _page_around(case: Path, schema: Any, records: list[Record], outer: Mapping[str, Any]) -> TruePage:
    stated = [""] * len(records)
    name, html, url = f"{case.parent.name}/{case.name}", _read(case, "page.html"), _read(case, "url")
    return TruePage(name, "develop", "real", html, url, schema, records, stated, outer)


def vars_of(page: TruePage) -> dict[str, Any]:
    """Give the fields of a page by name."""
    return {name: getattr(page, name) for name in TruePage.__dataclass_fields__}


def _stated(record: Record, markdown: str) -> str:
    """Give the longest text of a record that stands in the Markdown as it is; "" for none."""
    texts = [value for value in record.values() if isinstance(value, str)]
    lines = [line for text in texts for line in (text, *text.split("\n")) if len(line) > 2]
    return max((line for line in lines if line in markdown), key=len, default="")


def _record_page(case: Path) -> TruePage | None:
    """Give a page about one thing with those true values that stand in its Markdown."""
    schema, expected = _read(case, "schema.json"), _read(case, "expected.json")
    page = _page_around(case, schema, [], {})
    text = f" {_plain(page.opened.text)} "
    known = {name: value for name, value in _chosen(expected, text).items() if _stands_in(value, text)}
    missing = [name for name in schema["required"] if name not in known and "null" not in _types(schema, name)]
    if missing or not known:
        return None
    nulls = {name: None for name in schema["required"] if name not in known}
    return TruePage(**{**vars_of(page), "records": [{**nulls, **known}], "stated": [""]})


def _types(schema: Any, name: str) -> list[str]:
    given = schema["properties"][name].get("type", [])
    return given if isinstance(given, list) else [given]


def _chosen(expected: Any, text: str) -> dict[str, Any]:
    """Give the expected values, of alternatives the one that stands in the text."""

    def choose(value: Any) -> Any:
        if isinstance(value, dict) and "$any" in value:
            return next((one for one in value["$any"] if _stands_in(one, text)), None)
        return value

    return {name: choose(value) for name, value in expected.items()}


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).casefold().strip()


def _stands_in(value: Any, text: str) -> bool:
    """Tell whether a value stands in a text as words of its own."""
    if isinstance(value, list):
        return bool(value) and all(_stands_in(one, text) for one in value)
    if isinstance(value, bool | dict) or value is None:
        return False
    words = _plain(f"{value:g}" if isinstance(value, float) else str(value))
    return bool(words) and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
