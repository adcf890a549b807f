"""Page parsers: HTML to scored text, links and media; pluggable (PA-1 to PA-3, seed 003)."""

from gleaner.parsers.browsing import browse_page
from gleaner.parsers.contract import ContentChunk, PageParser, ParsedContent
from gleaner.parsers.default import DefaultParser
from gleaner.parsers.registry import ParserRegistry

__all__ = ["ContentChunk", "DefaultParser", "PageParser", "ParsedContent", "ParserRegistry", "browse_page"]
