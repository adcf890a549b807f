"""Survey a page's elements in one pass: places, text lengths and shapes, in flat lists."""

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from gleaner.page.model import READ, Nodes
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
    """The nodes of a page that can hold a unit, as lists with one entry for each, in page order; -1 is no parent.

    ``numbers`` are the nodes' own. ``last`` is the position of the last element inside, ``own`` the characters directly
    in the element, ``text`` and ``linked`` those in its subtree (in links), ``leaves`` the elements of the subtree that
    hold text or are images. What an element says are ``pieces[first:beyond]``: the page's texts without blank ones,
    white space collapsed. ``class_tags`` gives the tag of a class that stands on one sort of tag only (else "").
    ``chrome`` is 1.0 for content and less for what looks like navigation.
    """

    nodes: Nodes
    numbers: list[int] = field(default_factory=list[int])
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
    pieces: list[str] = field(default_factory=list[str])
    first: list[int] = field(default_factory=list[int])
    beyond: list[int] = field(default_factory=list[int])
    class_tags: dict[str, str] = field(default_factory=dict[str, str])
    chrome: list[float] = field(default_factory=list[float])
    shape_tags: list[str] = field(default_factory=list[str])
    shape_children: list[frozenset[int]] = field(default_factory=list[frozenset[int]])

    def get(self, position: int, name: str) -> str | None:
        """Give an attribute of an element."""
        return self.nodes.get(self.numbers[position], name)

    def place_of(self, node: int) -> int:
        """Give the position of a node; -1 for one that is not surveyed."""
        at = bisect_left(self.numbers, node)
        return at if at < len(self.numbers) and self.numbers[at] == node else -1

    def run_text(self, run: list[int], limit: int = 400) -> str:
        """Give the visible text of a run of elements, words apart by one blank, cut at about ``limit``."""
        parts: list[str] = []
        size = 0
        for position in run:
            for at in range(self.first[position], self.beyond[position]):
                words = self.pieces[at]
                parts.append(words)
                size += len(words)
                if size > limit:
                    return " ".join(parts)
        return " ".join(parts)

    def label(self, position: int) -> str:
        """Give the label that an element's text begins with ("Weight: 2 kg"); "" when it begins with none."""
        found = LABELLED.match(self.run_text([position], _LONGEST_LABEL))
        return found[1].strip().casefold() if found else ""


def survey_page(nodes: Nodes, code: Collection[int] = (), bars: Collection[int] = ()) -> Survey:
    """Survey all nodes that can hold visible text; what lies in a piece of ``code`` is one text, ``bars`` are none."""
    survey = Survey(nodes)
    _Walk(survey, code, bars).walk()
    _sum_up(survey)
    _spread_chrome(survey)
    return survey


@lru_cache(maxsize=4096)
def _class_set(text: str) -> frozenset[str]:
    return frozenset(token for token in text.lower().split() if token not in STATES)


class _Walk:
    """One walk over the nodes that are read, from which a survey is filled."""

    def __init__(self, survey: Survey, code: Collection[int], bars: Collection[int]) -> None:
        self.survey = survey
        self.code = code
        self.bars = bars
        self.open: list[tuple[int, int]] = []
        """The nodes around, each with its position in the survey: -1 for what holds no units, and all inside of it."""
        self.path_ids: dict[tuple[int, str], int] = {}

    def walk(self) -> None:
        nodes, ends, layers = self.survey.nodes, self.survey.nodes.ends, self.survey.nodes.layers
        node, count = 0, len(nodes)
        while node < count:
            while self.open and node >= ends[self.open[-1][0]]:
                self._close()
            if node and (layers[node] not in READ or node in self.bars):
                self._say(nodes.tails[node], self.open[-1][1])
                node = ends[node]
                continue
            parent = self.open[-1][1] if self.open else -1
            is_unit = node == 0 or (parent >= 0 and nodes.tags[node] not in UNSEEN_TAGS)
            place = self._enter(node, parent) if is_unit else -1
            self.open.append((node, place))
            is_code = node in self.code
            self._say(nodes.text(node) if is_code else nodes.texts[node], place)
            node = ends[node] if is_code else node + 1
        while self.open:
            self._close()

    def _close(self) -> None:
        node, place = self.open.pop()
        if place >= 0:
            self.survey.beyond[place] = len(self.survey.pieces)
        if self.open:
            self._say(self.survey.nodes.tails[node], self.open[-1][1])

    def _say(self, text: str, place: int) -> None:
        """Take in a text, right inside of an element of the survey or of one that holds no units."""
        if text and (words := " ".join(text.split())):
            self.survey.pieces.append(words)
            if place >= 0:
                self.survey.own[place] += len(text.strip())

    def _enter(self, node: int, parent: int) -> int:
        survey, tag = self.survey, self.survey.nodes.tags[node]
        attributes = survey.nodes.attributes[node]
        place = len(survey.tags)
        survey.numbers.append(node)
        survey.tags.append(tag)
        survey.parents.append(parent)
        survey.children.append([])
        names = attributes.get("class") if attributes else None
        survey.classes.append(_class_set(names) if names else frozenset())
        for name in survey.classes[place]:
            if survey.class_tags.setdefault(name, tag) != tag:
                survey.class_tags[name] = ""
        survey.own.append(0)
        survey.first.append(len(survey.pieces))
        survey.beyond.append(0)
        above = survey.paths[parent] if parent >= 0 else -1
        survey.paths.append(self.path_ids.setdefault((above, tag), len(self.path_ids)))
        if parent >= 0:
            survey.children[parent].append(place)
        if tag == "img" and attributes and attributes.get("alt") and self._is_all_of_a_link(node):
            self._say(attributes["alt"], place)
        may_be_chrome = attributes or tag in _MAY_BE_CHROME
        survey.chrome.append(_chrome_of(survey, place, attributes or {}) if may_be_chrome else 1.0)
        return place

    def _is_all_of_a_link(self, node: int) -> bool:
        """Tell whether an image is all that a link shows: what it stands for is the link's text then."""
        nodes = self.survey.nodes
        link = nodes.parents[node]
        return link >= 0 and nodes.tags[link] == "a" and not nodes.text(link).strip()


def _sum_up(survey: Survey) -> None:
    count = len(survey.tags)
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


def _chrome_of(survey: Survey, place: int, attributes: Mapping[str, str]) -> float:
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
