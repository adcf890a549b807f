"""The registry of parsers: registered by name, or found in installed packages.

A plugin is foreign code: whatever it raises, when it is loaded, asked or run, is noted in ``problems`` and the default
parser takes the page.
"""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from gleaner.contracts.errors import InvalidRequest
from gleaner.parsers.contract import PageParser, ParsedContent
from gleaner.parsers.default import DefaultParser

ENTRY_POINT_GROUP = "gleaner.parsers"
DEFAULT = "default"
Given = TypeVar("Given")


class ParserRegistry:
    """Parsers by name; ``default`` takes what no other one claims."""

    def __init__(self, default: PageParser | None = None, *, plugins: bool = True) -> None:
        """Start with the default parser; ``plugins=False`` leaves the entry points unread."""
        self.problems: dict[str, str] = {}
        self._default = default or DefaultParser()
        self._parsers: dict[str, PageParser] = {}
        self._plugins_pending = plugins

    def register_parser(self, name: str, parser: PageParser) -> None:
        """Add a parser, or replace the one of that name. TypeError when it is none, ValueError without a name."""
        if not isinstance(parser, PageParser):
            raise TypeError(f"{parser!r} is not a parser; it must be an instance of a subclass of PageParser")
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"{name!r} is not a valid name for a parser")
        if name == DEFAULT:
            self._default = parser
        else:
            self._parsers.pop(name, None)
            self._parsers[name] = parser

    def list_parsers(self) -> dict[str, str]:
        """Give the descriptions by name, ``default`` first."""
        self._load_plugins()
        return {
            name: self._attempt(name, lambda parser=parser: str(parser.description)) or ""
            for name, parser in [(DEFAULT, self._default), *self._parsers.items()]
        }

    def get(self, name: str) -> PageParser:
        """Give the parser of that name (its key or its own name); InvalidRequest lists those that are there."""
        self._load_plugins()
        named = {DEFAULT: self._default, **self._parsers}
        if name in named:
            return named[name]
        for key, parser in named.items():
            if self._attempt(key, lambda parser=parser: parser.name) == name:
                return parser
        raise InvalidRequest(f"there is no parser {name!r}; there are: {', '.join(named)}")

    def select(self, url: str, html_content: str, mime_type: str | None = None) -> PageParser:
        """Give the parser that claims the page, the one registered last first; else the default one."""
        self._load_plugins()
        for name, parser in reversed(self._parsers.items()):
            if self._attempt(name, lambda parser=parser: parser.can_parse(url, html_content, mime_type)):
                return parser
        return self._default

    def parse(
        self,
        url: str,
        html_content: str,
        title: str = "",
        user_query: str | None = None,
        *,
        parser: str | None = None,
        mime_type: str | None = None,
    ) -> ParsedContent:
        """Parse a page by the named parser, or by the one that claims it.

        When that one fails the default parser does it, and ``metadata["parser_errors"]`` says so.
        """
        chosen = self.get(parser) if parser else self.select(url, html_content, mime_type)
        if chosen is self._default:
            return chosen.parse(url, html_content, title, user_query)
        name = next(key for key, value in self._parsers.items() if value is chosen)
        parsed = self._attempt(name, lambda: _checked(chosen.parse(url, html_content, title, user_query)))
        if parsed is None:
            parsed = self._default.parse(url, html_content, title, user_query)
            parsed.metadata["parser_errors"] = [f"{name}: {self.problems[name]}"]
        return parsed

    def _load_plugins(self) -> None:
        if not self._plugins_pending:
            return
        self._plugins_pending = False
        for entry in entry_points(group=ENTRY_POINT_GROUP):
            parser = self._attempt(entry.name, lambda entry=entry: _load(entry))
            if parser is not None and entry.name not in self._parsers and entry.name != DEFAULT:
                self._parsers[entry.name] = parser

    def _attempt(self, name: str, call: Callable[[], Given]) -> Given | None:
        """Run foreign code; None, and a note in ``problems``, when it raises."""
        try:
            return call()
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            self.problems[name] = f"{type(error).__name__}: {error}"
            return None


def _load(entry: EntryPoint) -> PageParser:
    """Give the parser of an entry point, which names an instance, or a class or function that makes one."""
    loaded: Any = entry.load()
    parser = loaded if isinstance(loaded, PageParser) else loaded()
    if not isinstance(parser, PageParser):
        raise TypeError(f"{entry.value} does not give a PageParser")
    return parser


def _checked(parsed: object) -> ParsedContent:
    if not isinstance(parsed, ParsedContent):
        raise TypeError(f"parse gave {type(parsed).__name__} instead of ParsedContent")
    return parsed
