"""The pages that a recipe is learned from: with their proven data, and open with the records' containers."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gleaner.contracts.ports import JsonValue
from gleaner.wrappers.container import Container
from gleaner.wrappers.model import Recipe
from gleaner.wrappers.trees import Page

ENOUGH = 120
"""Of more records, selectors are learned from so many, spread over the page; all are checked in the end."""
MOST_NOISE = 400


@dataclass(frozen=True, slots=True)
class Example:
    """A stored snapshot, its URL, and the proven data: an instance of the schema, its records in page order.

    ``is_whole`` when these are all records of the page, ``is_first`` when no others stand before them.
    """

    html: str
    url: str
    data: JsonValue
    is_whole: bool = True
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Learned:
    """A recipe, or in plain words why there is none."""

    recipe: Recipe | None
    reason: str = ""


@dataclass(slots=True)
class KnownPage:
    """An open page, its records and what stands around them, and the records' containers."""

    page: Page
    records: list[JsonValue]
    outer: JsonValue
    is_whole: bool
    is_first: bool
    boxes: list[Container]


def spread(one: KnownPage, enough: int) -> Iterator[tuple[Container, JsonValue]]:
    """Give enough of the containers with their records to learn from, from all over the page."""
    count = len(one.boxes)
    rows = range(count)
    if count > enough:
        rows = sorted({*Random(count).sample(range(count), enough), *range(enough // 4)})
    return ((one.boxes[row], one.records[row]) for row in rows)
