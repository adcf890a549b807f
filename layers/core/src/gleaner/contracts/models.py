"""The request and the result: the same JSON in the API, MCP, executions, events, batches, CLI and library."""

import json
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Generic, Literal, Self, cast, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from typing_extensions import TypeVar

from gleaner.contracts.actions import ActionOutcome, Actions, ConsentOutcome, ConsentWish
from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.errors import InvalidRequest, NoData, UnsupportedFormat, error_of
from gleaner.contracts.schema_input import parse_schema_text
from gleaner.contracts.web_addresses import clean_reference

Format = Literal["markdown", "links", "screenshot", "fullscreenshot"]
FORMATS: tuple[Format, ...] = get_args(Format)
Picture = Literal["screenshot", "fullscreenshot"]
PICTURES: tuple[Picture, ...] = get_args(Picture)
"""The formats that show one page as a browser draws it."""

Tier = Literal["structured", "recipe", "model", "none"]
"""How an answer came about: tier 0 (data in the page), a learned recipe, a model; ``none`` when nothing answered."""

REQUEST_BYTES = 250_000
"""What a request may have as JSON in ASCII: the states pass it on, and AWS lets them pass 256 KB."""


def _no_flag(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"Input should be a number, not {value}")
    return value


Whole = Annotated[int, BeforeValidator(_no_flag)]
Amount = Annotated[float, BeforeValidator(_no_flag)]


def _none_if_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _web_address(url: str | None) -> str | None:
    """Give a URL without the blanks that copying left around it."""
    return None if url is None else checked_address(clean_reference(url))


def checked_address(url: str) -> str:
    """Give an http or https URL with a host as it is; ValueError for anything else."""
    if not is_web_address(url):
        raise ValueError("must be an http or https URL with a host")
    return url


def is_web_address(url: str) -> bool:
    """Tell whether a text is an http or https URL with a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)


SchemaField = Annotated[dict[str, Any] | bool, BeforeValidator(parse_schema_text)]


class Closed(BaseModel):
    """Base of what callers send: unknown fields are errors that name the field."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, allow_inf_nan=False)

    @classmethod
    def read(cls, fields: Any) -> Self:
        """Read it from any way in; InvalidRequest names the field."""
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            raise InvalidRequest(problem_lines(error)) from None


class ExtractionRetryConfig(Closed):
    """Which failures of a chunk are retried (seed 001, PR 5)."""

    on_validation_error: bool = True
    on_empty: bool = True
    split_on_timeout: bool = True
    split_on_length: bool = True
    rate_limit_initial_s: Amount = Field(default=1.0, gt=0, le=60)
    rate_limit_max_s: Amount = Field(default=30.0, gt=0, le=300)


class ExtractionConfig(Closed):
    """How a page is extracted. Sizes are in characters of Markdown."""

    max_concurrent_chunks: Whole = Field(default=3, ge=1, le=40)
    max_retries_per_chunk: Whole = Field(default=2, ge=0, le=10)
    max_chunk_chars: Whole = Field(default=100_000, ge=200, le=1_000_000)
    overlap_lines: Whole = Field(default=3, ge=0, le=50)
    dedupe: Literal["exact", "keys", "none"] = "exact"
    dedupe_keys: list[str] = Field(default_factory=list[str])
    retry: ExtractionRetryConfig = Field(default_factory=ExtractionRetryConfig)
    ungrounded: Literal["null", "flag", "keep"] = "null"
    doubtful: Literal["flag", "null", "partial"] = Field(
        default="flag",
        description="What becomes of a value that the page states and that may be another field's, cut short or a "
        "default (PR-6): kept and reported, removed as if the page did not state it, or kept in a partial result",
    )
    tiers: list[Literal["structured", "recipe", "model"]] = Field(
        default_factory=lambda: ["structured", "recipe", "model"]
    )

    @model_validator(mode="after")
    def _keys_when_deduplicating_by_keys(self) -> Self:
        if self.dedupe == "keys" and not self.dedupe_keys:
            raise ValueError("dedupe: keys needs dedupe_keys, the names of the fields that identify a record")
        return self


class Budget(Closed):
    """Hard limits of one request; None means no limit."""

    max_tokens: Whole | None = Field(default=None, ge=0)
    max_usd: Amount | None = Field(default=None, ge=0)
    deadline_s: Amount | None = Field(default=None, gt=0)


class Follow(Closed):
    """How far to follow a listing over its next pages (FP-1); a whole number stands for ``max_pages``.

    ``max_pages`` counts the first page; so does each press of a "load more" control. robots.txt holds for the pages
    after the first, unless ``ignore_robots``.
    """

    max_pages: Whole = Field(default=100, ge=1, le=1_000)
    max_records: Whole | None = Field(default=None, ge=1, le=100_000)
    ignore_robots: bool = False


def _follow(value: Any) -> Any:
    """Read ``follow: 40`` as 40 pages, ``true`` as the default, ``false`` as none."""
    if isinstance(value, bool):
        return {} if value else None
    if isinstance(value, str | float | list):
        raise ValueError("Input should be a number of pages, or an object")
    return {"max_pages": value} if isinstance(value, int) else value


Following = Annotated[Follow | None, BeforeValidator(_follow, json_schema_input_type=Follow | int | bool | None)]


class ScrapeRequest(Closed):
    """What to do with one page, or with ``follow``, with all pages of the listing that begins there."""

    url: Annotated[str | None, AfterValidator(_web_address)] = None
    page_id: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]{8,80}$")
    format: Format = "markdown"
    formats: tuple[Format, ...] | None = Field(
        default=None, min_length=1, description="Several formats at once, each in its own field; in place of format"
    )
    query: Annotated[str | None, BeforeValidator(_none_if_blank)] = Field(default=None, max_length=20_000)
    output_schema: SchemaField | None = None
    extract_links: bool = False
    start_from_char: Whole = Field(default=0, ge=0)
    css_selector: str | None = Field(default=None, min_length=1, max_length=2_000)
    extraction_id: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]{1,80}$")
    wait_for: Whole | None = Field(
        None,
        ge=0,
        le=120_000,
        validation_alias=AliasChoices("wait_for", "waitFor"),
        description="Milliseconds to wait after loading",
    )
    actions: Actions = Field(
        default=(), description="What to do on the page before it is read: up to 20 steps, as objects or lines of text"
    )
    consent: ConsentWish | None = Field(
        default=None,
        description="What to answer a known consent dialog; by default reject, and leave for a profile or a session",
    )
    proxy: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9][a-z0-9-]{0,62}$",
        description="Name of the configured proxy (GLEANER_PROXIES) that the page is reached through",
    )
    session: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9][a-z0-9-]{0,62}$",
        description="Named session: cookies and storage to begin with, kept for the next request that names it",
    )
    profile: Literal["default", "master"] = "default"
    enable_javascript: bool = True
    documents: bool = Field(
        default=False,
        description="Read a PDF as Markdown in place of handing on the file; with a query or schema it is read anyway",
    )
    parser: str | None = None
    follow: Annotated[Follow | None, BeforeValidator(_follow, json_schema_input_type=Follow | int | bool | None)] = (
        Field(default=None, description="Read the next pages of the listing too")
    )
    config: ExtractionConfig = Field(default_factory=ExtractionConfig)
    budget: Budget = Field(default_factory=Budget)

    @model_validator(mode="before")
    @classmethod
    def _gives_each_field_once(cls, value: Any) -> Any:
        if isinstance(value, dict) and {"wait_for", "waitFor"} <= value.keys():
            raise ValueError("wait_for and waitFor are the same field; give one of them")
        if isinstance(value, dict) and None not in (value.get("format"), value.get("formats")):
            raise ValueError("give format for one or formats for several, and not both")
        return value

    @field_validator("formats")
    @classmethod
    def _names_each_format_once(cls, formats: tuple[Format, ...] | None) -> tuple[Format, ...] | None:
        if formats is not None and len(set(formats)) < len(formats):
            raise ValueError(f"a format is there twice: {', '.join(formats)}")
        return formats

    @model_validator(mode="after")
    def _names_one_page(self) -> Self:
        if (self.url is None) == (self.page_id is None):
            raise ValueError("give either url or page_id")
        if self.follow is not None and self.pictures:
            raise ValueError(f"follow reads a listing's pages as text; format {self.pictures[0]} shows one page")
        if self.actions and self.url is None:
            raise ValueError("actions need a page to act on: give its url, and not page_id")
        if self.proxy is not None and self.url is None:
            raise ValueError("a proxy needs a page to reach: give its url, and not page_id")
        if self.session is not None and (self.url is None or self.profile == "master"):
            raise ValueError("a session goes with a url, and with profile default")
        return self

    @property
    def consent_wish(self) -> ConsentWish:
        """What a consent dialog is answered: logins keep the answer that they have given."""
        is_own = self.profile == "default" and self.session is None
        return self.consent or ("reject" if is_own else "leave")

    @property
    def wanted(self) -> tuple[Format, ...]:
        """The formats to give, at least one."""
        return self.formats or (self.format,)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The screenshots to give."""
        return tuple(one for one in PICTURES if one in self.wanted)

    @property
    def wants_extraction(self) -> bool:
        """Whether records or an answer are asked for, not only content."""
        return self.query is not None or self.output_schema is not None or self.extraction_id is not None

    @property
    def reads_documents(self) -> bool:
        """Whether the text of a PDF is wanted, and not the file or a picture."""
        return self.wants_extraction or (self.documents and not set(self.wanted) <= set(PICTURES))

    @property
    def needs_content(self) -> bool:
        """Whether the page's Markdown is needed: links and pictures alone do without."""
        return "markdown" in self.wanted or self.wants_extraction


ID_RULE = "an id has at most 80 letters, digits, _ and -; a page id has at least 8"
OBJECT_RULE = "Input should be an object"
RULES: dict[Any, str] = dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), OBJECT_RULE)
"""What to say in place of Pydantic's words."""
PROBLEMS_SHOWN = 20
VALUE_SHOWN = 100
"""Characters of a wrong value that an error repeats."""


def parse_request(value: Any) -> ScrapeRequest:
    """Validate a request from any way in; InvalidRequest or UnsupportedFormat names the field."""
    if not isinstance(value, dict):
        raise InvalidRequest(f"a ScrapeRequest is a JSON object, not {type(value).__name__}")
    _check_request_size(value)
    try:
        request = ScrapeRequest.model_validate(value)
    except ValidationError as error:
        problems = error.errors()
        place = problems[0]["loc"]
        if place == ("format",) or (place[:1] == ("formats",) and problems[0]["type"] == "literal_error"):
            raise UnsupportedFormat(
                f"format {repr(problems[0]['input'])[:VALUE_SHOWN]} is not supported; supported: {', '.join(FORMATS)}"
            ) from None
        raise InvalidRequest(problem_lines(error)) from None
    return request


def _check_request_size(value: dict[Any, Any]) -> None:
    """Refuse a request that no state can pass on, before its fields are looked at: that takes a hundred times as long.

    What can't be written as JSON is left to the fields' own checks, which name it.
    """
    try:
        size = len(json.dumps(value, default=str))
    except (TypeError, ValueError, RecursionError):
        return
    if size > REQUEST_BYTES:
        raise InvalidRequest(
            f"the request has {size} bytes of JSON; the limit is {REQUEST_BYTES}: shorten the output_schema"
        )


def problem_lines(error: ValidationError) -> str:
    """Say in one line which fields are wrong, what would be right, and what was given."""
    problems = error.errors()
    lines = [_problem_line(problem, error.title) for problem in problems[:PROBLEMS_SHOWN]]
    more = len(problems) - len(lines)
    return "; ".join([*lines, f"and {more} more"] if more else lines)


def _problem_line(problem: ErrorDetails, kind: str) -> str:
    is_id = problem["type"] == "string_pattern_mismatch"  # ids alone have patterns
    where = ".".join(str(part) for part in problem["loc"]) or "request"
    return wrong_value(where, ID_RULE if is_id else problem["msg"], problem["input"], problem["type"], kind)


def wrong_value(where: str, message: str, given: Any, kind: str = "", model: str = "ScrapeRequest") -> str:
    """Say what is wrong with a value, which is repeated when it is a short one.

    ``kind`` is Pydantic's name for it, ``model`` the name of the class whose fields a misspelt one is compared with.

    >>> wrong_value("limit", "Input should be less than 9", 12)
    'limit: Input should be less than 9, not 12'
    >>> wrong_value("deadline_s", "", 3, "extra_forbidden")
    'deadline_s: unknown field; did you mean budget.deadline_s?'
    """
    where = where[:VALUE_SHOWN]
    if kind == "extra_forbidden":
        meant = _meant(where.rpartition(".")[2], model)
        return f"{where}: unknown field" + (f"; did you mean {meant}?" if meant else "")
    message = RULES.get(kind) or message.removeprefix("Value error, ")
    short = given[:VALUE_SHOWN] if isinstance(given, str) else given
    is_said = ", not " in message or (isinstance(short, str) and bool(short.strip()) and short in message)
    if is_said or not isinstance(short, str | int | float):
        return f"{where}: {message}"
    return f"{where}: {message}, not {short!r}"


def _meant(name: str, model: str) -> str:
    """Give the field that a wrong name probably means, with the parts that lead to it; "" for none."""
    known = _field_paths(model)
    close = get_close_matches(name, known, n=1, cutoff=0.7) or [one for one in known if name in one.split("_")]
    return known[close[0]] if close else ""


@cache
def _field_paths(model: str) -> dict[str, str]:
    """Give the names of all fields of what callers send, those of its parts too, with the parts that lead to them."""
    kinds = [Closed]
    for kind in kinds:
        kinds += kind.__subclasses__()
    found: dict[str, str] = {}
    left = [("", next((kind for kind in kinds if kind.__name__ == model), ScrapeRequest))]
    for above, kind in left:
        for name, field in kind.model_fields.items():
            found.setdefault(name, above + name)
            parts = (field.annotation, *get_args(field.annotation))
            left += [(f"{above}{name}.", part) for part in kinds if part in parts]
    return found


class Open(BaseModel):
    """Base of what Gleaner gives back."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)


class ExtractionError(Open):
    """What went wrong in one chunk of an extraction (seed 001, PR 5)."""

    error_type: ErrorType
    message: str
    chunk_index: int | None = None
    retries_exhausted: bool = False
    fallback_used: bool = False


class Rival(Open):
    """Another value that the page states for a field, with its place in the stored Markdown."""

    value: Any = None
    start: int | None = None
    end: int | None = None


class ProvenanceEntry(Open):
    """Where one leaf of ``data`` comes from (PR-1). Offsets are in characters of the page's stored Markdown.

    ``source`` is ``snapshot`` when the text stands only in data embedded in the page (JSON-LD and the like): the
    offsets are then in the stored HTML. ``value`` holds a rejected value: one of ``transform`` "refused" was taken out
    because the schema refuses it, whatever the page says. ``reason`` says in plain words why a value was rejected.
    ``doubt`` says why a value that is kept may be wrong (PR-6), ``rival`` what the page states in its place, if
    anything.
    ``page`` is the number of the page in ``ScrapeResult.pages`` where a listing was followed, and in a document the
    number of its page, from 1.
    """

    pointer: str
    status: Literal["verbatim", "normalized", "inferred", "ungrounded"]
    chunk: int | None = None
    start: int | None = None
    end: int | None = None
    transform: str | None = None
    source: Literal["markdown", "snapshot"] = "markdown"
    value: Any = None
    reason: str | None = None
    doubt: str | None = None
    rival: Rival | None = None
    page: int | None = None


class Withheld(Open):
    """A record, or an item of a list in one, that is not in ``data``: it has no value where the schema requires one.

    ``item`` is what the model gave, the refused value included. ``pointer`` leads to where that value would stand, with
    ``-`` in place of the item's number; ``reason`` says in plain words why it was refused. ``page`` is the
    number of its page in ``ScrapeResult.pages`` where a listing was followed.
    """

    item: Any = None
    pointer: str = ""
    reason: str = ""
    page: int | None = None


class MissingUnit(Open):
    """A unit of the page whose record is missing from the result."""

    unit: int
    chunk: int | None = None
    start: int | None = None
    end: int | None = None
    text: str = ""
    page: int | None = None


class Completeness(Open):
    """The certificate (CM-1): ``method`` says what was counted, or ``unknown`` if nothing could be."""

    expected: int | None = None
    returned: int = 0
    missing: list[MissingUnit] = Field(default_factory=list[MissingUnit])
    skipped: int = 0
    method: Literal["units", "stated_total", "single", "structured", "unknown"] = "unknown"
    unread: list[str] = Field(
        default_factory=list[str],
        description="Fields that no tier read on this page: the page may state them all the same",
    )
    listing_total: int | None = Field(
        default=None,
        description='How many records the listing has on all of its pages, as this one states it: 240 of "1–12 of 240"',
    )


class Usage(Open):
    """What the answer cost. ``usd`` is None when the model has no known price.

    ``saved_input_tokens`` is about what a recipe spared: the tokens of the page's text that no model was sent.
    ``prices_as_of`` is the month of the list prices that it was reckoned by.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_hits: int = 0
    usd: float | None = 0.0
    saved_input_tokens: int = 0
    prices_as_of: str | None = None

    def __add__(self, other: "Usage") -> "Usage":
        """Sum two usages; an unknown price makes the sum unknown."""
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_hits=self.cache_hits + other.cache_hits,
            usd=usd,
            saved_input_tokens=self.saved_input_tokens + other.saved_input_tokens,
            prices_as_of=self.prices_as_of or other.prices_as_of,
        )


class Passage(Open):
    """A passage of the page that supports an answer in words."""

    text: str
    start: int
    end: int
    score: float


class Claim(Open):
    """What an answer in words claims, ``data[start:end]``: a number, date, name or the like (EX-11).

    ``support`` says what supports it: the page, the question, the answer itself (a number that counts its items), or
    ``none``. ``passage`` is the index in ``passages`` of one that states it.
    """

    text: str
    kind: Literal["number", "date", "time", "name", "code", "address", "quotation"]
    start: int
    end: int
    support: Literal["page", "question", "answer", "none"] = "none"
    passage: int | None = None


class ExtractionResult(Open):
    """The outcome of an extraction, as in seed 001, with proof and completeness."""

    data: Any = None
    schema_used: dict[str, Any] | bool | None = None
    is_partial: bool = False
    source_url: str | None = None
    content_stats: dict[str, Any] | None = None
    extraction_id: str | None = None
    tier: Tier = "none"
    field_tiers: dict[str, Tier] = Field(
        default_factory=dict[str, Tier], description="The tier of each field, where a recipe gave some of them only"
    )
    completeness: Completeness = Field(default_factory=Completeness)
    provenance: list[ProvenanceEntry] = Field(default_factory=list[ProvenanceEntry])
    withheld: list[Withheld] = Field(
        default_factory=list[Withheld],
        description="Records and items of lists that are not in data, as the page does not prove a required value",
    )
    passages: list[Passage] = Field(default_factory=list[Passage])
    claims: list[Claim] = Field(default_factory=list[Claim])
    conflicts: list[str] = Field(default_factory=list[str])
    usage: Usage = Field(default_factory=Usage)
    errors: list[ExtractionError] = Field(default_factory=list[ExtractionError])
    warnings: list[str] = Field(default_factory=list[str])
    aggregate_summary: str | None = None
    declined: dict[str, str] = Field(
        default_factory=dict[str, str], description="Why a tier before the one that answered gave no answer, by tier"
    )


class MediaPayload(Open):
    """Media, or a screenshot, under seed 004's names; ``url`` reads the stored object."""

    format: Literal["media", "screenshot", "fullscreenshot"] = "media"
    screenshot_mime: str = Field(serialization_alias="screenshotMime", validation_alias="screenshotMime")
    screenshot_base64: str | None = Field(
        None, serialization_alias="screenshotBase64", validation_alias="screenshotBase64"
    )
    key: str
    url: str
    size: int
    filename: str | None = None


class JobError(Open):
    """Why a job failed, for a person and for a program."""

    error_type: ErrorType
    message: str


class ListedPage(Open):
    """A page of a listing that was followed: its number from 1, and what became of it.

    ``status`` is that of its own result; ``job_id`` leads to it. ``records`` are those that the whole result has of it.
    """

    number: int
    url: str
    status: Literal["complete", "partial", "failed"]
    job_id: str
    page_id: str | None = None
    records: int = 0
    tier: Tier = "none"
    error: JobError | None = None


T = TypeVar("T", default=Any)
"""What ``output_schema`` asks for: a class, or a list of one."""


class ScrapeResult(Open, Generic[T]):
    """The outcome of one request. ``ScrapeResult[Product]`` is one whose ``data`` is a Product.

    ``format`` is the first that was asked for. Asked for as ``format``, a screenshot is in ``media``; as one of
    ``formats``, in the field of its name.
    ``pages`` are those of a listing that was followed.
    """

    status: Literal["complete", "partial", "failed"]
    job_id: str
    url: str | None = None
    source_url: str | None = None
    title: str | None = None
    page_id: str | None = None
    format: Literal["markdown", "links", "screenshot", "fullscreenshot", "media"] = "markdown"
    markdown: str | None = None
    links: list[str] | None = None
    media: MediaPayload | None = None
    screenshot: MediaPayload | None = None
    fullscreenshot: MediaPayload | None = None
    actions: list[ActionOutcome] | None = None
    consent: ConsentOutcome | None = None
    extraction: ExtractionResult | None = None
    content_stats: dict[str, Any] | None = None
    error: JobError | None = None
    pages: list[ListedPage] | None = None
    warnings: list[str] = Field(default_factory=list[str])
    timings_ms: dict[str, float] = Field(default_factory=dict[str, float])
    _typed: Any = PrivateAttr(default=None)
    _is_typed: bool = PrivateAttr(default=False)
    _records: list[Any] = PrivateAttr(default_factory=list[Any])

    @property
    def pictures(self) -> list[MediaPayload]:
        """All screenshots and media of the result."""
        return [one for one in (self.media, self.screenshot, self.fullscreenshot) if one is not None]

    @property
    def data(self) -> T:
        """What was extracted: instances of the class that was asked for, else JSON or text; None when nothing was.

        Where one object of a class was asked for and none was found, NoData says why.
        """
        if not self._is_typed:
            return cast("T", self.extraction.data if self.extraction is not None else None)
        if self._typed is None:
            raise NoData(self.why_no_data())
        return self._typed

    def why_no_data(self) -> str:
        """Say why there is no data, or not all of it; "" when nothing is known to be wrong."""
        errors = [self.error] if self.error else [*self.extraction.errors] if self.extraction else []
        said = errors[0].message if errors else "; ".join([*self.warnings, *self._extraction_warnings()][:3])
        return said or ("" if self.status == "complete" else f"the result is {self.status}")

    def _extraction_warnings(self) -> list[str]:
        return self.extraction.warnings if self.extraction is not None else []

    def take_records(self, records: list[Any]) -> None:
        """Hold the records of the data."""
        self._records = records

    def take_data(self, typed: Any, left_out: Sequence[str] = ()) -> None:
        """Hold the data as instances; what the class refuses is warned of, and makes the result partial."""
        self._typed, self._is_typed = typed, True
        self.warnings = [*self.warnings, *left_out]
        if left_out and self.status == "complete":
            self.status = "partial"

    def raise_for_status(self) -> Self:
        """Give the result itself; raise the error that it failed with, if it did."""
        if self.error is not None:
            raise error_of(self.error.error_type, self.error.message)
        return self

    @property
    def records(self) -> list[Any]:
        """The records as JSON, of a result that the library gave: the list that the data is or holds, or its object."""
        return self._records

    def to_pandas(self) -> Any:
        """Give the records as a pandas DataFrame; ImportError where pandas is not installed."""
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.records)

    def _repr_html_(self) -> str:
        """Give what a notebook shows: records, status, and each value's proof on hover."""
        from gleaner.reports.notebook import result_html

        return result_html(self)

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form, without the fields that hold nothing; an unknown price is told, being no price of 0."""
        plain = self.model_dump(mode="json", by_alias=True, exclude_none=True)
        if self.extraction is not None and self.extraction.usage.usd is None:
            plain["extraction"]["usage"]["usd"] = None
        return plain
