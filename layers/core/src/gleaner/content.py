"""Public names: the content tools of seed 002 (``gleaner.markdown.statistics``)."""

from gleaner.markdown.statistics import (
    scrape_extract_content,
    scrape_text_similarity,
)

__all__ = [
    "scrape_extract_content",
    "scrape_text_similarity",
]
