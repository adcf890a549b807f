"""Survey a page's elements in one pass: places, text lengths and shapes, in flat lists."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree
from lxml.html import HtmlElement

from gleaner.units.vocabulary import (
    CHROME_ROLES,
    CHROME_TAGS,
    CHROME_WORDS,
    LABELLED,
    SECTION_TAGS,
    STATES,
    UNSEEN_TAGS,
)

_NAMED_CHROME = 0.35
_MOST_STEPS_UP = 30
_LONGEST_LABEL = 31
"""Characters that tell whether a text begins with a label: 30, and its colon."""

_MAY_BE_CHROME = CHROME_TAGS | {"aside", "header"}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(slots=True)
class Survey:
    """A page as lists with one entry per element, in page order; -1 is no parent.

    ``last`` is the position of the last element inside, ``own`` the characters directly in the element, ``text`` and
    ``linked`` those in its subtree (in links), ``leaves`` the elements of the subtree that hold text or are images.
    ``class_tags`` gives the tag of a class that stands on one sort of tag only (else ""). ``chrome`` is 1.0 for
    content and less for what looks like navigation.
    """

    elements: list[HtmlElement] = field(default_factory=list[HtmlElement])
    tags: list[str] = field(default_factory=list[str])
    parents: list[int] = field(default_factory=list[int])
    children: list[list[int]] = field(default_factory=list[list[int]])
    classes: list[frozenset[str]] = field(default_factory=list[frozenset[str]])
    last: list[int] = field(default_factory=list[int])
    own: list[int] = field(default_factory=list[int])
    text: list[int] = field(default_factory=list[int])
    linked: list[int] = field(default_factory=list[int])
    leaves: list[int] = field(default_factory=list[int])
    shapes: list[int] = field(default_factory=list[int])
    paths: list[int] = field(default_factory=list[int])
    class_tags: dict[str, str] = field(default_factory=dict[str, str])
    chrome: list[float] = field(default_factory=list[float])
    shape_tags: list[str] = field(default_factory=list[str])
    shape_children: list[frozenset[int]] = field(default_factory=list[frozenset[int]])

    def run_text(self, run: list[int], limit: int = 400) -> str:
        """Give the visible text of a run of elements, words apart by one blank, cut at about ``limit``."""
        parts: list[str] = []
        size = 0
        for position in run:
            for part in self.elements[position].itertext():
                words = " ".join(str(part).split())
                if words:
                    parts.append(words)
                    size += len(words)
                if size > limit:
                    return " ".join(parts)
        return " ".join(parts)

    def label(self, position: int) -> str:
        """Give the label that an element's text begins with ("Weight: 2 kg"); "" when it begins with none."""
        found = LABELLED.match(self.run_text([position], _LONGEST_LABEL))
        return found[1].strip().casefold() if found else ""


def survey_page(root: HtmlElement) -> Survey:
    """Survey all elements below the root that can hold visible text."""
    survey = Survey()
    _collect(root, survey)
    _sum_up(survey)
    _spread_chrome(survey)
    return survey


@lru_cache(maxsize=4096)
def _class_set(text: str) -> frozenset[str]:
    return frozenset(token for token in text.lower().split() if token not in STATES)


def _collect(root: HtmlElement, survey: Survey) -> None:
    places: dict[HtmlElement, int] = {}
    path_ids: dict[tuple[int, str], int] = {}
    elements, tags, parents, children = survey.elements, survey.tags, survey.parents, survey.children
    for element in root.iter(etree.Element):
        parent = -1
        if element is not root:
            parent = places.get(element.getparent(), -1)
            if parent < 0:
                continue
            tail = element.tail
            if tail:
                survey.own[parent] += len(tail.strip())
        tag = element.tag
        attributes = dict(element.items())
        if (tag in UNSEEN_TAGS or "data-gleaner-hidden" in attributes) and parent >= 0:
            continue
        place = places[element] = len(elements)
        elements.append(element)
        tags.append(tag)
        parents.append(parent)
        children.append([])
        names = attributes.get("class")
        survey.classes.append(_class_set(names) if names else frozenset())
        for name in survey.classes[place]:
            if survey.class_tags.setdefault(name, tag) != tag:
                survey.class_tags[name] = ""
        text = element.text
        survey.own.append(len(text.strip()) if text else 0)
        survey.paths.append(path_ids.setdefault((survey.paths[parent] if parent >= 0 else -1, tag), len(path_ids)))
        if parent >= 0:
            children[parent].append(place)
        survey.chrome.append(_chrome_of(survey, place, attributes) if attributes or tag in _MAY_BE_CHROME else 1.0)


def _sum_up(survey: Survey) -> None:
    count = len(survey.elements)
    survey.text = list(survey.own)
    survey.linked = [0] * count
    survey.leaves = [0] * count
    survey.last = list(range(count))
    survey.shapes = [0] * count
    shape_ids: dict[tuple[str, frozenset[int]], int] = {}
    for place in range(count - 1, -1, -1):
        tag = survey.tags[place]
        if tag == "a":
            survey.linked[place] = survey.text[place]
        if survey.own[place] or tag == "img":
            survey.leaves[place] += 1
        key = (tag, frozenset([survey.shapes[child] for child in survey.children[place]]))
        shape = shape_ids.get(key)
        if shape is None:
            shape = shape_ids[key] = len(shape_ids)
            survey.shape_tags.append(tag)
            survey.shape_children.append(key[1])
        survey.shapes[place] = shape
        parent = survey.parents[place]
        if parent >= 0:
            survey.text[parent] += survey.text[place]
            survey.linked[parent] += survey.linked[place]
            survey.leaves[parent] += survey.leaves[place]
            survey.last[parent] = max(survey.last[parent], survey.last[place])


def _spread_chrome(survey: Survey) -> None:
    """Let elements inherit what they stand in, but for boxes that hold most of the page's text."""
    whole = survey.text[0] if survey.text else 0
    for place, parent in enumerate(survey.parents):
        above = survey.chrome[parent] if parent >= 0 else 1.0
        own = survey.chrome[place]
        most = 0.5 if own >= _NAMED_CHROME else 0.9
        survey.chrome[place] = min(above, own if survey.text[place] < most * whole else 1.0)


def _chrome_of(survey: Survey, place: int, attributes: dict[str, str]) -> float:
    tag = survey.tags[place]
    if tag in CHROME_TAGS or attributes.get("role") in CHROME_ROLES:
        return 0.15
    if tag == "aside":
        return 0.3
    if tag == "header" and not _inside_section(survey, place):
        return 0.2
    return _NAMED_CHROME if _chrome_words(attributes.get("class") or "", attributes.get("id") or "") else 1.0


@lru_cache(maxsize=4096)
def _chrome_words(classes: str, identifier: str) -> bool:
    return any(word.lower() in CHROME_WORDS for word in _WORD.findall(classes + " " + identifier))


def _inside_section(survey: Survey, place: int) -> bool:
    parent = survey.parents[place]
    for _ in range(_MOST_STEPS_UP):
        if parent < 0:
            return False
        if survey.tags[parent] in SECTION_TAGS:
            return True
        parent = survey.parents[parent]
    return False
