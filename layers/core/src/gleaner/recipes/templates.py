"""Values that share one sentence, "Tin bowl – Vaal (1937), $12.50": read by the marks that all records have between.

A template is the texts between the values, and for each value whether it is a number. It reads a record only if the
record's text can be parted in one way.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise, product
from typing import Any

from lxml import etree

from gleaner.contracts.ports import JsonValue
from gleaner.recipes.boxes import Box, squeeze, text_of
from gleaner.recipes.unreadable import Unreadable

_NUMBER = re.compile(r"\d(?:[\d.,'\u00a0\u202f]*\d)?")
_SLOTS = {"number": r"\d(?:[\d.,']*\d)?", "text": r".+"}
_MOST_PLACES = 4
_MOST_TRIES = 60
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value stands in a text."""

    start: int
    end: int
    kind: str


def text_of_box(box: Box) -> str:
    """Give all that a container says, as one line."""
    return squeeze(" ".join(text_of(element) for element in box.elements))


IMAGE_TEXT = re.compile("\x02[^\x03]*\x03")
"""What images say in ``spoken_text``."""


def spoken_text(box: Box) -> str:
    """Give all that a container says as one line, with the texts of its images, each between signs of its own."""
    if not any(element.find(".//img") is not None for element in box.elements):
        return text_of_box(box)
    strings: list[str] = []
    for element in box.elements:
        walker: Any = etree.iterwalk(element, events=("start", "end"))
        for event, node in walker:
            if event == "start":
                said = f"\x02{node.get('alt')}\x03" if node.tag == "img" and node.get("alt") else ""
                strings.append(said + (node.text or ""))
            elif node is not element:
                strings.append(node.tail or "")
        strings.append(" ")
    return squeeze("".join(strings))


def own_text(box: Box) -> str:
    """Give what a container says before the first other record inside it; all of it when there is none."""
    if not box.stops:
        return text_of_box(box)
    strings: list[str] = []
    element = box.elements[0]
    walker: Any = etree.iterwalk(element, events=("start", "end"))
    for event, node in walker:
        if node in box.stops and node is not element:
            break
        strings.append((node.text if event == "start" else node.tail) or "")
    return squeeze("".join(strings))


def find_templates(text: str, values: Sequence[JsonValue]) -> Iterator[tuple[str, list[int]]]:
    """Give templates by which the first text has these values, each with the slot of each value.

    Values are what the text says word for word, or numbers; each must stand there. Between two values there must be
    more than blanks.
    """
    places = [list(islice(_places(text, value), _MOST_PLACES)) for value in values]
    if not places or not all(places) or len(text) > _LONGEST:
        return
    for chosen in islice(product(*places), _MOST_TRIES):
        order = sorted(range(len(chosen)), key=lambda at: chosen[at].start)
        slots = [chosen[at] for at in order]
        between = [text[one.end : other.start] for one, other in pairwise(slots)]
        if any(one.end > other.start for one, other in pairwise(slots)):
            continue
        if all(mark.strip() for mark in between):
            marks = [text[: slots[0].start], *between, text[slots[-1].end :]]
            template = json.dumps([marks, [slot.kind for slot in slots]], ensure_ascii=False)
            yield template, [order.index(at) for at in range(len(chosen))]


def _places(text: str, value: JsonValue) -> Iterator[Slot]:
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        return
    if isinstance(value, str):
        wanted = squeeze(value)
        for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", text) if wanted else ():
            yield Slot(match.start(), match.end(), "text")
        return
    for match in _NUMBER.finditer(text):
        yield Slot(match.start(), match.end(), "number")


def part_by_template(template: str, text: str) -> tuple[str, ...] | None:
    """Give the texts of the slots; None when the text is not of that form, or could be parted in several ways.

    >>> template = '[["", " by ", " (", ")"], ["text", "text", "number"]]'
    >>> part_by_template(template, "Emma by Jane Austen (1815)")
    ('Emma', 'Jane Austen', '1815')
    >>> part_by_template(template, "Stand by Me by Ann Roe (1990)") is None
    True
    """
    # The first and the last way to part it are the same only if it is the one way.
    greedy, lazy = _patterns(template)
    first, last = lazy.fullmatch(text), greedy.fullmatch(text)
    return first.groups() if first and last and first.groups() == last.groups() else None


def slot_of(template: str, nth: int, box: Box) -> str:
    """Give the text of a slot in a container. Unreadable when the container does not read as the template does."""
    parts = box.parted.get(template)
    if parts is None:
        parts = box.parted[template] = part_by_template(template, text_of_box(box)) or ()
    if not parts:
        raise Unreadable(f"not of the form {template}")
    return parts[nth]


def sentence_of(template: str) -> str:
    """Give the template as people read it: a dot for each value."""
    return '"' + "…".join(json.loads(template)[0]) + '"'


@lru_cache(maxsize=256)
def _patterns(template: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    marks, kinds = json.loads(template)
    greedy, lazy = [re.escape(marks[0])], [re.escape(marks[0])]
    for kind, mark in zip(kinds, marks[1:], strict=True):
        slot = _SLOTS[kind]
        greedy.append(f"({slot}){re.escape(mark)}")
        lazy.append(f"({slot}{'?' if kind == 'text' else ''}){re.escape(mark)}")
    return re.compile("".join(greedy)), re.compile("".join(lazy))
