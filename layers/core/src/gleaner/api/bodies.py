"""What the HTTP API takes and gives, for its validation and its OpenAPI description."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.models import ScrapeRequest
from gleaner.jobs.batches import Politeness
from gleaner.jobs.strategies import ExtractionStrategy

BROWSE_FIELDS: dict[str, Any] = {
    "url": {"type": "string", "description": "The page: an http or https URL"},
    "query": {"type": "string", "description": "Scores each piece of text for this question"},
    "parser": {"type": "string", "description": "Name of a page parser; without one it is chosen"},
    "enable_javascript": {"type": "boolean", "default": True, "description": "false: fetched without a browser"},
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
    """HTML to take apart (seed 002)."""

    model_config = ConfigDict(extra="forbid")
    html: str
    base_url: str = ""


class BatchBody(Politeness):
    """Pages to scrape: ``requests`` (URLs or ScrapeRequests), or ``list``: CSV, JSON lines or a URL a line."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["requests"]}, {"required": ["list"]}]})
    requests: list[Any] = Field(
        default_factory=list[Any],
        min_length=1,
        json_schema_extra={"items": {"anyOf": [{"type": "string"}, {"type": "object"}]}},
    )
    list_text: str = Field(default="", min_length=1, alias="list", description="The list as text, in place of requests")
    defaults: dict[str, Any] = Field(
        default_factory=dict[str, Any], description="Fields of a ScrapeRequest for each page that does not give them"
    )


class BatchRecord(BaseModel):
    """A batch's record: running, complete, partial or cancelled; lines passed over; the upload that started it."""

    model_config = ConfigDict(extra="allow")
    batch_id: str
    status: str
    total: int
    bad_line_count: int
    bad_lines: list[dict[str, Any]]
    source: str | None = None


class Batch(BatchRecord):
    """A batch's record, and what has become of its pages."""

    counts: dict[str, int]


class BatchList(BaseModel):
    """Batches in the order of their ids, without counts of those that run; ``next`` continues after them."""

    batches: list[BatchRecord]
    next: str | None = None


class BatchResults(BaseModel):
    """Results of a batch's pages that have ended; ``next`` continues after them."""

    results: list[dict[str, Any]]
    next: str | None = None


class SimilarityBody(BaseModel):
    """Two texts to compare (seed 002)."""

    model_config = ConfigDict(extra="forbid")
    text_a: str
    text_b: str


class BrowseBody(Loose):
    """A page to browse (seed 003); what is wrong with it is said in the answer's ``error``."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"properties": BROWSE_FIELDS})


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
    """A job's record, and how far it is."""

    steps: list[Step] = Field(default_factory=list[Step])
    chunks_done: int = 0
    chunks_total: int = 0


class JobList(BaseModel):
    """Jobs, oldest first, without their steps; ``next`` continues after them."""

    jobs: list[JobRecord]
    next: str | None = None


class ExtractionRecords(BaseModel):
    """Records of an aggregate, each with the pages that it stands on."""

    extraction_id: str
    summary: str
    records: list[dict[str, Any]]
    next: str | None = None


class StrategyList(BaseModel):
    """Strategies of the tenant."""

    strategies: list[ExtractionStrategy]
    next: str | None = None


class StrategyDetails(ExtractionStrategy):
    """A strategy, and its recipes in words: ``hits``, ``misses``, ``repairs``, and each one that is ``kept``."""

    recipes: dict[str, Any]


class Parsers(BaseModel):
    """Page parsers by name, with what they are for."""

    parsers: dict[str, str]


class Health(BaseModel):
    """That the API answers."""

    status: str = "ok"


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
