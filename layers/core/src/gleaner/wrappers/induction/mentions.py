"""Where the values of a field stand on a page: hypotheses of places, and those that all records share.

Each place that names a value's element in one container is a hypothesis; what a few containers have in common is
their least general generalisation (anti-unification).
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.wrappers.container import Container
from gleaner.wrappers.labels import has_text
from gleaner.wrappers.places import (
    BARE,
    LEAD,
    MARKED,
    OWN,
    Place,
    own_places,
    part_said,
    places_of,
    places_of_link,
    text_places,
    words_of_field,
)
from gleaner.wrappers.readings import UNREAD, Readers, Said, readings_for, same, spans_of

SEEDS = 4
MOST_TRIED = 160
MOST_WORDS = 12
MOST_NOTHINGS = 4
_MOST_TELLING = 60
"""A value is looked for in so many texts; one that more of them say is told by no place."""
LONGEST_AROUND = 4000
"""A value is looked for in texts of at most so many characters more than its own."""
_MOST_TEXTS = 3
SAID = ("alt", "title", "aria-label", "content", "datetime", "value", "href", "src")
_WORD = re.compile(r"\w+")
Shared = TypeVar("Shared", bound=Hashable)
Hypothesis = tuple[Place, str]
"""A place, and the attribute read there, "" for the text."""


@dataclass(slots=True)
class Wanted:
    """A field, and its value in each container."""

    steps: tuple[str, ...]
    schema: Any
    values: list[JsonValue]
    is_omitted: bool = False
    is_sampled: bool = False
    """Whether other records of the pages are not known."""
    told: frozenset[str] = frozenset()
    """What other fields say on pages about one thing, in small letters: no label and no fixed text says that."""
    has_twin: bool = False
    """Whether another field has the same value on each of the pages about one thing."""
    proven: list[HtmlElement | None] = field(default_factory=list["HtmlElement | None"])
    """For each container the element where its value is proven; None where that is not known."""
    is_blank: bool = field(init=False, default=False)
    words: frozenset[str] = field(init=False)
    readings: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.proven = self.proven or [None] * len(self.values)
        self.is_blank = "" in self.values
        self.values = [None if value == "" else value for value in self.values]
        self.words = words_of_field(self.steps)
        inner = [one for value in self.values for one in (value if isinstance(value, list) else [value])]
        self.readings = readings_for(self.item_schema, inner)

    @property
    def has_lines(self) -> bool:
        """Whether some value has several lines."""
        return any(isinstance(value, str) and "\n" in value for value in self.values)

    @property
    def is_figure(self) -> bool:
        """Whether the schema wants a number."""
        return bool({"number", "integer", "quantity"} & {one.partition(":")[0] for one in self.readings})

    @property
    def is_array(self) -> bool:
        """Whether the schema wants a list and takes no null."""
        return isinstance(self.schema, dict) and self.schema.get("type") == "array"

    @property
    def is_list(self) -> bool:
        """Whether values are lists of scalars."""
        return any(isinstance(value, list) for value in self.values)

    @property
    def item_schema(self) -> Any:
        """The schema of a value, or of an item of a list."""
        if self.is_list and isinstance(self.schema, dict):
            return self.schema.get("items", True)
        return self.schema


def seeds_of(known: Sequence[int]) -> list[int]:
    """Give some of the containers that have a value, from all over the page."""
    step = max(1, len(known) // SEEDS)
    return [*known[::step]][:SEEDS]


def mentions(
    value: JsonValue,
    wanted: Wanted,
    box: Container,
    readers: Readers,
    *,
    in_part: bool,
    proof: HtmlElement | None = None,
) -> Iterator[Hypothesis]:
    """Give the places and sources whose text is the value, or with ``in_part`` holds it.

    With a ``proof`` those around the element where the value is proven, and inside it.
    """
    nodes = box.nodes if proof is None else _near(proof, box, in_part=in_part)
    among = frozenset(nodes)
    said = readers.said(box, lambda: box.every_text) if proof is None else Said(box.texts_of(nodes), readers)
    whole = said.saying(value, wanted.readings)

    def tells(text: str, *, in_part: bool = in_part) -> bool:
        return text in whole if not in_part else holds(value, text, wanted, readers)

    texts = ((node, text) for node in nodes if (text := box.text(node)))
    telling = [*islice((node for node, text in texts if tells(text)), _MOST_TELLING)]
    yield from ((place, "") for node in telling for place in places_of(node, box))
    for node in telling if in_part and box.elements != [box.page.root] else ():
        if not len(node):  # that of another record may have more below its first line
            yield from ((place, "") for place in own_places(node, box, LEAD))
    for inner in (OWN, BARE) if in_part else ():
        said_there = ((node, part_said(node, inner, box)) for node in nodes if inner == OWN or box.page.has_notes)
        own = (node for node, said in said_there if said and _tells_own(value, said, wanted, readers))
        yield from ((place, "") for node in islice(own, _MOST_TELLING) for place in own_places(node, box, inner))
    if wanted.has_lines and isinstance(value, str):
        tells_lines = holds if in_part else says
        long = (node for node in nodes if _may_hold(value, box.text(node)))
        lined = (node for node in long if tells_lines(value, part_said(node, MARKED, box), wanted, readers))
        yield from ((place, "") for node in islice(lined, _MOST_TELLING) for place in own_places(node, box, MARKED))
    for node, name, said in box.attribute_texts:
        if node in among and tells(said, in_part=in_part and name in SAID):
            yield from ((place, name) for place in (*places_of(node, box), *places_of_link(node, box)))
    if len(telling) == _MOST_TELLING:
        return
    for text, holder in box.pieces:
        if holder in among and text != box.text(holder) and tells(text):
            yield from ((place, "") for place in text_places(holder, text, box))
    for spot in box.labels_of:
        if isinstance(spot, str) and (proof is None or spot in box.text(proof)) and tells(spot):
            yield from ((Place("label", label, "", how, nth=nth), "") for label, how, nth in box.labels_of[spot])


def _near(proof: HtmlElement, box: Container, *, in_part: bool = False) -> list[HtmlElement]:
    """Give what holds the element of a proof in a container, the element itself, and what is in it; in page order.

    With ``in_part`` of what says more only the innermost, and not if that is made of many texts: the number of one
    among others is no place.
    """
    above = [proof, *proof.iterancestors()]
    top = next((at for at, one in enumerate(above) if one in box.elements), None)
    if top is None:
        return []
    around, said = [proof], [box.text(proof)]
    for one in above[1 : top + 1]:
        if in_part and box.text(one) not in said:
            if len(said) > 1 or not _may_be_cut(one):
                break
            said.append(box.text(one))
        around.append(one)
    return [*around[::-1], *(inner for inner in proof.iterdescendants("*") if inner not in box.stops)]


def _may_be_cut(node: HtmlElement) -> bool:
    """Tell whether an element has a text of its own, or is made of no more texts than a label, a value and a note."""
    return has_text(node) or sum(1 for text in node.itertext() if not text.isspace()) <= _MOST_TEXTS


def _tells_own(value: JsonValue, said: str, wanted: Wanted, readers: Readers) -> bool:
    """Tell whether what an element says itself is a value, or of a text holds it: of a sample that is too little."""
    may_hold = isinstance(value, str) and not wanted.is_sampled
    return says(value, said, wanted, readers) or (may_hold and holds(value, said, wanted, readers))


def _may_hold(value: str, text: str) -> bool:
    """Tell whether a text on one line may hold the lines of a value, by its length and a word."""
    is_near = len(value) <= 2 * len(text) <= 2 * (2 * len(value) + LONGEST_AROUND)
    return is_near and (word := _WORD.search(value)) is not None and word[0] in text


def holds(value: JsonValue, text: str, wanted: Wanted, readers: Readers) -> bool:
    """Tell whether a text holds a value."""
    own = len(value) if isinstance(value, str) else 0
    return len(text) <= own + LONGEST_AROUND and next(spans_of(value, text, wanted.readings, readers), None) is not None


def says(value: JsonValue, text: str, wanted: Wanted, readers: Readers) -> bool:
    """Tell whether a whole text is a value, as it stands or read."""
    if isinstance(value, str) and same(text, value):
        return True
    return any(
        same(read, value)
        for name in wanted.readings
        if name not in ("string", "literal") and (read := readers.of(name)[text]) is not UNREAD and read is not None
    )


def common(found: Iterable[Iterable[Shared]], missing: int = 0) -> list[Shared]:
    """Give the hypotheses that all seeds share, or all but so many, in the order in which the first one has them."""
    counts: Counter[Shared] = Counter()
    total = 0
    for one in found:
        counts.update([*dict.fromkeys(one)])
        total += 1
    return [one for one, count in counts.items() if count >= total - missing]
