"""Which makes of elements follow on each other: a line where none stood is seen by what it stands between."""

from collections.abc import Iterator
from itertools import pairwise

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.html.elements import HEADINGS
from gleaner.recipes.asides import direct_text
from gleaner.recipes.boxes import Box, text_of

_TITLES = frozenset(HEADINGS[1:])


def sequences_of(box: Box) -> Iterator[tuple[str, str]]:
    """Give the makes of two siblings with texts, of which the second one says something itself, and what that says.

    A heading below the first is none: it names a part of the page.

    >>> from gleaner.recipes.boxes import open_page
    >>> page = open_page("<h1>Oak</h1><p>A tree.</p><p><a>Ada</a></p>")
    >>> [*sequences_of(Box([page]))]
    [('h1 p', 'A tree.')]
    """
    for parent in box.inside:
        said = [child for child in parent if child not in box.stops and text_of(child)] if len(parent) > 1 else []
        for before, after in pairwise(said):
            if after.tag not in _TITLES and (own := direct_text(after)):
                yield f"{_make(before)} {_make(after)}", own


def _make(element: HtmlElement) -> str:
    """Give a tag, with the classes, and what stands inside in place of a text of its own."""
    classes = ".".join(["", *sorted(classes_of(element))])
    inside = "" if direct_text(element) else f"({','.join(str(child.tag) for child in element)})"
    return f"{element.tag}{classes}{inside}"
