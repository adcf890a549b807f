"""Read a page with the parser that the request names (PA-1)."""

from dataclasses import replace

from gleaner.contracts.models import ScrapeRequest
from gleaner.html.invisible_characters import drop_invisible
from gleaner.page.model import Page
from gleaner.parsers import ParserRegistry

DEFAULT = "default"


def parse_page(request: ScrapeRequest, page: Page, title: str, warnings: list[str]) -> Page:
    """Give the page with the texts of the named parser, one after the other, in place of its Markdown.

    The page itself where none is named, or the default one, whose text is the Markdown; and where the parser raises,
    which the warnings then say. ``title`` is what the browser calls the page.
    """
    if request.parser in (None, DEFAULT):
        return page
    parsed = ParserRegistry().parse(page.url, page.part, title, request.query, parser=request.parser)
    problem = parsed.metadata.get("parser_errors") or parsed.error
    if problem:
        warnings.append(f"the parser {request.parser!r} failed, so the page's Markdown was used: {problem}")
        return page
    text = drop_invisible("\n\n".join(chunk.text for chunk in parsed.visible_text_chunks))
    return replace(page, known=text, title=parsed.title, removed={}, hidden_chars=0, unfolded_chars=0)
