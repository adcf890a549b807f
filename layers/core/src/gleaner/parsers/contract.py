"""The interface of page parsers (seed 003)."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from gleaner.contracts.ports import JsonObject

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Give the time as parsed pages carry it."""
    return datetime.now(UTC)


@dataclass(slots=True)
class ContentChunk:
    """One run of a page's visible text.

    ``document_score`` says how much it belongs to what the page is about, ``query_score`` how well it answers the
    query (None without one), both in [0, 1]. ``section`` is the nearest landmark of the page, ``tag`` the element.
    """

    text: str
    document_score: float
    query_score: float | None = None
    section: str | None = None
    tag: str | None = None


@dataclass(slots=True)
class ParsedContent:
    """A parsed page; ``error`` is set, and the title is "Error", when there is none."""

    title: str
    visible_text_chunks: list[ContentChunk] = field(default_factory=list[ContentChunk])
    metadata: JsonObject = field(default_factory=dict)
    links: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    media: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    source_url: str = ""
    timestamp: str = field(default_factory=lambda: utc_now().isoformat(timespec="seconds"))
    parser_used: str = "DefaultParser"
    error: str | None = None

    def to_dict(self) -> JsonObject:
        """Give the JSON of seed 003, its fields in its order."""
        return asdict(self)


class PageParser(ABC):
    """Turns the HTML of the pages that it knows into content.

    Parsers are registered by ``ParserRegistry.register_parser``, or found through the entry-point group
    ``gleaner.parsers`` of any installed package.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The name that ``parser_used`` carries."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What this parser is for, in a line."""

    @abstractmethod
    def can_parse(self, url: str, html_content: str, mime_type: str | None = None) -> bool:
        """Tell whether this parser does better on the page than the default one."""

    @abstractmethod
    def parse(self, url: str, html_content: str, title: str = "", user_query: str | None = None) -> ParsedContent:
        """Give the content of the page, scored for the query when there is one."""
