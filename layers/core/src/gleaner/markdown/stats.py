"""How much of a page its Markdown has, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ContentStats:
    """How much of a page came in, was filtered, and is left; all in characters.

    ``input_chars`` counts the HTML, ``output_chars`` the Markdown, ``filtered_chars`` what lies between. ``removed``
    splits up the text (and code) that was taken out on purpose, by reason; ``hidden_chars`` is text that a person
    can't see, ``unfolded_chars`` text that was kept although it is hidden at first: one click on a control shows it.
    """

    input_chars: int
    filtered_chars: int
    output_chars: int
    hidden_chars: int = 0
    unfolded_chars: int = 0
    removed: Mapping[str, int] = field(default_factory=dict[str, int])


def stats_of(html: str, text: str, hidden: int, unfolded: int, removed: Mapping[str, int]) -> ContentStats:
    """Give the numbers of a page and its Markdown, with what was told of hidden text and of what was taken out."""
    return ContentStats(len(html), max(0, len(html) - len(text)), len(text), hidden, unfolded, removed)
