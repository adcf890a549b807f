"""Public names: the content tools of seed 002 (``gleaner.html.statistics``)."""

from gleaner.html.statistics import (
    scrape_extract_content,
    scrape_text_similarity,
)

__all__ = [
    "scrape_extract_content",
    "scrape_text_similarity",
]
