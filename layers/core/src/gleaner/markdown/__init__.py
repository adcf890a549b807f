"""HTML to clean Markdown, in two views: everything but certain noise, and what there is to read (MD).

``extract_clean_markdown`` and ``main_content`` open a page and write it: their code is in ``gleaner.page.writing``.
"""

from typing import TYPE_CHECKING, Any

from gleaner.markdown.stats import ContentStats

if TYPE_CHECKING:
    from gleaner.page.writing import extract_clean_markdown, judged_blocks, main_content

__all__ = [
    "ContentStats",
    "extract_clean_markdown",
    "judged_blocks",
    "main_content",
]


def __getattr__(name: str) -> Any:
    """Give a public name of a room above: it imports from this one, so that it can't be imported here at first."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gleaner.page import writing

    return getattr(writing, name)
