"""An adapter for what still asks for a page's Markdown and units alone."""

from dataclasses import dataclass

from gleaner.markdown.stats import ContentStats
from gleaner.page.continuations import Continuation
from gleaner.page.model import PageOptions, PlacedUnit
from gleaner.page.opening import open_page
from gleaner.page.writing import extract_clean_markdown, main_content

__all__ = ["CleanPage", "clean_page", "extract_clean_markdown", "main_content"]


@dataclass(frozen=True, slots=True)
class CleanPage:
    """A page's Markdown, where it came from in numbers, its title, and the places of its repeated units."""

    markdown: str
    stats: ContentStats
    title: str = ""
    units: tuple[PlacedUnit, ...] = ()
    continuations: tuple[Continuation, ...] = ()


def clean_page(
    html: str,
    url: str = "",
    *,
    extract_links: bool = False,
    css_selector: str | None = None,
    strip_chrome_tags: bool = True,
    remove_base64_images: bool = True,
    place_units: bool = True,
    tell_behind: bool = False,
    max_page_size: int = 10_000_000,
) -> CleanPage:
    """Give the page's Markdown with its title, numbers and units."""
    options = PageOptions(
        css_selector, extract_links, not strip_chrome_tags, not remove_base64_images, tell_behind, max_page_size
    )
    page = open_page(html, url, options)
    units = page.units if place_units else ()
    return CleanPage(page.text, page.stats, page.title, units, page.continuations if place_units else ())
