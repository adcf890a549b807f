"""Read a page with the parser that the request names (PA-1)."""

from gleaner.contracts.models import ScrapeRequest
from gleaner.html.dom import select_outer_html
from gleaner.html.invisible_characters import drop_invisible
from gleaner.jobs.pages import Page
from gleaner.markdown.pages import CleanPage, ContentStats
from gleaner.parsers import ParserRegistry
from gleaner.units.markdown_units import place_markdown_units

DEFAULT = "default"


def parse_page(request: ScrapeRequest, page: Page, html: str, warnings: list[str]) -> CleanPage | None:
    """Give the texts of the named parser, one after the other, in place of the page's Markdown.

    None where none is named, or the default one, whose text is the Markdown; and where the parser raises, which the
    warnings then say.
    """
    if request.parser in (None, DEFAULT):
        return None
    part = html if request.css_selector is None else select_outer_html(html, request.css_selector)
    parsed = ParserRegistry().parse(page.source_url, part, page.title, request.query, parser=request.parser)
    problem = parsed.metadata.get("parser_errors") or parsed.error
    if problem:
        warnings.append(f"the parser {request.parser!r} failed, so the page's Markdown was used: {problem}")
        return None
    text = drop_invisible("\n\n".join(chunk.text for chunk in parsed.visible_text_chunks))
    stats = ContentStats(len(html), max(0, len(html) - len(text)), len(text))
    return CleanPage(text, stats, parsed.title, place_markdown_units(text))
