"""The request and response bodies of the HTTP API, for validation and for OpenAPI."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import ScrapeRequest
from gleaner.jobs.batches import Politeness
from gleaner.jobs.strategies import ExtractionStrategy

BROWSE_FIELDS: dict[str, Any] = {
    "url": {"type": "string", "description": "URL of the page (http or https)"},
    "query": {"type": "string", "description": "Scores each piece of text for this question"},
    "parser": {"type": "string", "description": "Name of a page parser; chosen automatically by default"},
    "enable_javascript": {"type": "boolean", "default": True, "description": "false: fetch without a browser"},
}


class Loose(BaseModel):
    """Base of bodies whose fields the core validates: one place decides what is right."""

    model_config = ConfigDict(extra="allow")


class ScrapeBody(Loose):
    """A ScrapeRequest; unknown fields are errors that name the field."""

    model_config = ConfigDict(extra="allow", json_schema_extra=lambda schema: schema.update(_request_schema()))


def _request_schema() -> dict[str, Any]:
    schema = ScrapeRequest.model_json_schema()
    definitions = schema["$defs"]
    named = ("properties", "additionalProperties", "title")
    return {name: _inlined(value, definitions) for name, value in schema.items() if name in named}


def _inlined(value: Any, definitions: dict[str, Any]) -> Any:
    """Put definitions where they are referred to: Powertools takes over no ``$defs`` of its own accord."""
    if isinstance(value, list):
        return [_inlined(item, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _inlined(definitions[value["$ref"].rpartition("/")[2]], definitions)
    return {name: _inlined(item, definitions) for name, item in value.items()}


class ContentBody(BaseModel):
    """HTML to analyse (seed 002)."""

    model_config = ConfigDict(extra="forbid")
    html: str
    base_url: str = ""


class BatchBody(Politeness):
    """Pages to scrape: ``requests`` (URLs or ScrapeRequests), or ``list``: CSV, JSON lines or one URL per line."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["requests"]}, {"required": ["list"]}]})
    requests: list[Any] = Field(
        default_factory=list[Any],
        min_length=1,
        json_schema_extra={"items": {"anyOf": [{"type": "string"}, {"type": "object"}]}},
    )
    list_text: str = Field(default="", min_length=1, alias="list", description="The list as text, instead of requests")
    defaults: dict[str, Any] = Field(
        default_factory=dict[str, Any], description="Default fields for requests that do not give them"
    )


class BatchRecord(BaseModel):
    """A batch's record: running, complete, partial or cancelled; of a crawl also mapping or failed."""

    model_config = ConfigDict(extra="allow")
    batch_id: str
    status: str
    total: int
    bad_line_count: int
    bad_lines: list[dict[str, Any]]
    source: str | None = None


class Batch(BatchRecord):
    """A batch's record, with the state of its pages."""

    counts: dict[str, int]


class BatchList(BaseModel):
    """Batches in the order of their ids, without counts of running ones; ``next`` continues after them."""

    batches: list[BatchRecord]
    next: str | None = None


class BatchResults(BaseModel):
    """Results of a batch's finished pages; ``next`` continues after them."""

    results: list[dict[str, Any]]
    next: str | None = None


class SimilarityBody(BaseModel):
    """Two texts to compare (seed 002)."""

    model_config = ConfigDict(extra="forbid")
    text_a: str
    text_b: str


class BrowseBody(Loose):
    """A page to browse (seed 003); problems are in the answer's ``error``."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"properties": BROWSE_FIELDS})


class SuggestBody(BaseModel):
    """A page to suggest schemas for: ``url``, or the ``page_id`` of an earlier result."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"oneOf": [{"required": ["url"]}, {"required": ["page_id"]}]}
    )
    url: str | None = Field(default=None, description="URL of the page (http or https)")
    page_id: str | None = Field(default=None, description="The stored page of an earlier result; nothing is fetched")
    enable_javascript: bool = Field(default=True, description="false: fetch without a browser")


class Controls(BaseModel):
    """What can be pressed and filled in on a page, as steps of ``actions``: ``click: role=button[name=Go]``."""

    controls: list[str]


class SuggestedSchema(BaseModel):
    """A schema that fits: its source, how many records the page has, what the first ones say, and what it needs."""

    output_schema: dict[str, Any] = Field(alias="schema")
    source: str
    records: int
    examples: list[dict[str, str]]
    needs_model: bool = Field(description="The page's own data does not answer it: a model has to read the page")


class Suggestions(BaseModel):
    """Schemas that fit a page, the likeliest first; none where nothing repeats and nothing is labelled."""

    url: str
    page_id: str
    suggestions: list[SuggestedSchema]


class Step(BaseModel):
    """One step of a job: its state, and epoch seconds of its begin and end where they are known."""

    name: str
    status: str
    started_at: float | None = None
    ended_at: float | None = None


class JobRecord(BaseModel):
    """A job's record: queued, running, complete, partial, failed or cancelled; times are epoch seconds."""

    model_config = ConfigDict(extra="allow")
    job_id: str
    status: str
    url: str | None = None
    created_at: float | None = None
    finished_at: float | None = None
    error: dict[str, Any] | None = None


class Job(JobRecord):
    """A job's record and progress."""

    steps: list[Step] = Field(default_factory=list[Step])
    chunks_done: int = 0
    chunks_total: int = 0


class JobList(BaseModel):
    """Jobs, oldest first, without their steps; ``next`` continues after them."""

    jobs: list[JobRecord]
    next: str | None = None


class ExtractionRecords(BaseModel):
    """Records of an extraction, each with the pages where it was found; ``unproven``: values without proof."""

    extraction_id: str
    summary: str
    records: list[dict[str, Any]]
    next: str | None = None


class SessionRecord(BaseModel):
    """A named session; times are in epoch seconds."""

    name: str
    created_at: float
    used_at: float
    expires_at: float


class SessionRecords(BaseModel):
    """Named sessions of the tenant."""

    sessions: list[SessionRecord]
    next: str | None = None


class StrategyList(BaseModel):
    """Strategies of the tenant."""

    strategies: list[ExtractionStrategy]
    next: str | None = None


class StrategyDetails(ExtractionStrategy):
    """A strategy, with a description of its recipes: ``hits``, ``misses``, ``repairs`` and all that are ``kept``."""

    recipes: dict[str, Any]


class Parsers(BaseModel):
    """Page parsers by name, with their purpose."""

    parsers: dict[str, str]


class Health(BaseModel):
    """That the API answers, and whether a model is set for what pages do not answer themselves."""

    status: str = "ok"
    has_model: bool = False


class Problem(BaseModel):
    """A problem (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    error_type: ErrorType


class Answer(BaseModel):
    """Any JSON object."""

    model_config = ConfigDict(extra="allow")
