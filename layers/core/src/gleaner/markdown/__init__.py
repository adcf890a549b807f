"""HTML to clean Markdown, in two views: everything but certain noise, and what there is to read (MD)."""

from gleaner.markdown.pages import (
    CleanPage,
    ContentStats,
    extract_clean_markdown,
    main_content,
)

__all__ = [
    "CleanPage",
    "ContentStats",
    "extract_clean_markdown",
    "main_content",
]
