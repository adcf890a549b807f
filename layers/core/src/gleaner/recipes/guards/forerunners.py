"""What stands before the first of records that are runs of siblings, and looks like a part of one.

Where a site turns the parts of its records round, a run that begins with the old first part pairs each one's end with
the beginning of the next. What is left over then stands before the first run.
"""

from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from gleaner.recipes.page.boxes import Box, is_header_row, text_of
from gleaner.recipes.page.class_names import sign_of


def forerunners(boxes: Sequence[Box]) -> set[str]:
    """Give the signs of elements before the first run of each parent that are written like later parts of runs."""
    if all(len(box.elements) == 1 for box in boxes) or not (before := set(map(sign_of, _before(boxes)))):
        return set()
    return before.intersection(sign_of(element) for box in boxes for element in box.elements[1:])


def are_apart(boxes: Sequence[Box]) -> bool:
    """Tell whether records that are runs of siblings stand in several parts of the page."""
    are_runs = any(len(box.elements) > 1 for box in boxes)
    return are_runs and len({box.elements[0].getparent() for box in boxes}) > 1


def _before(boxes: Sequence[Box]) -> Iterator[HtmlElement]:
    firsts: dict[HtmlElement | None, HtmlElement] = {}
    for box in boxes:
        firsts.setdefault(box.elements[0].getparent(), box.elements[0])
    for first in firsts.values():
        siblings = first.itersiblings(preceding=True)
        yield from (one for one in siblings if text_of(one) and not is_header_row(one))
