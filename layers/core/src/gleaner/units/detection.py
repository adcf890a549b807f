"""Detect units: survey the page, collect candidates, choose between nested ones, score."""

from array import array
from collections.abc import Collection, Sequence
from typing import TypeAlias

from gleaner.contracts.errors import PageTooLarge
from gleaner.html.elements import HEADINGS
from gleaner.page.model import READ, Nodes
from gleaner.page.tables import Table, find_tables
from gleaner.units.groups import PRIMARY_SCORE, Candidate, UnitGroup, UnitKind
from gleaner.units.runs import run_candidates
from gleaner.units.scoring import score_candidate, settle_nesting
from gleaner.units.shapes import Likeness
from gleaner.units.siblings import sibling_candidates
from gleaner.units.survey import Survey, survey_page
from gleaner.units.tables import table_candidates

_TITLES = frozenset((*HEADINGS, "caption", "legend"))
_LEAST_SCORE = 0.05
_MOST_GROUPS = 40


def find_unit_groups(
    nodes: Nodes, tables: Sequence[Table] | None = None, code: Collection[int] = (), bars: Collection[int] = ()
) -> tuple[UnitGroup, ...]:
    """Find the repeated pieces of a page that could each hold a record, the likeliest group first.

    ``tables`` are the page's, found where None are given, ``code`` are the nodes that are shown as code, inside of
    which nothing repeats, ``bars`` those beside code. Rows of headers, totals and section titles are no units; like
    units of several sections or tables form one group. Linear in the size of the page; where that has more elements
    than can be surveyed in a few seconds, only its crowds of like elements are counted (``gleaner.units.detection``).
    """
    if is_crowded(nodes):
        return crowd_groups(nodes)
    survey = survey_page(nodes, code, bars)
    likeness = Likeness(survey)
    found, taken = table_candidates(survey, find_tables(nodes) if tables is None else tables)
    found += sibling_candidates(survey, likeness, taken)
    found += run_candidates(survey, taken)
    found = [candidate for candidate in found if candidate.runs]
    headings = _headings(survey)
    for candidate in found:
        candidate.label = candidate.label or _label(survey, headings, candidate.runs[0][0])
        score_candidate(survey, candidate)
    settle_nesting(survey, found)
    kept = sorted((one for one in found if one.score >= _LEAST_SCORE), key=lambda one: -one.score)
    return tuple(_group(survey, candidate) for candidate in kept[:_MOST_GROUPS])


def _group(survey: Survey, candidate: Candidate) -> UnitGroup:
    runs = tuple(tuple(survey.numbers[place] for place in run) for run in candidate.runs)
    return UnitGroup(candidate.kind, runs, round(candidate.score, 4), candidate.label, candidate.columns)


def _headings(survey: Survey) -> list[int]:
    """Give, for each element, the position of the last heading before it (-1: none)."""
    last = -1
    before: list[int] = []
    for place, tag in enumerate(survey.tags):
        before.append(last)
        if tag in _TITLES and survey.text[place]:
            last = place
    return before


def _label(survey: Survey, headings: list[int], place: int) -> str:
    heading = headings[place]
    return survey.run_text([heading], 120) if heading >= 0 else ""


MOST_SURVEYED = 400_000
"""Elements up to which a page is surveyed whole; pages of 10,000 records have a quarter as many."""

MOST_UNITS = 500_000
"""Units up to which a page is accounted for: their places alone take a kilobyte each."""

_LEAST_PER_PARENT = 50
_LEAST_SHARE = 0.2
_KINDS: dict[str, UnitKind] = {"tr": "row", "li": "item", "dt": "definition", "dd": "definition"}
_Key: TypeAlias = tuple[str, str, str, str]


def is_crowded(nodes: Nodes) -> bool:
    """Tell whether a page has too many elements for a survey."""
    return len(nodes) > MOST_SURVEYED and sum(layer in READ for layer in nodes.layers) > MOST_SURVEYED


def crowd_groups(nodes: Nodes) -> tuple[UnitGroup, ...]:
    """Give the crowds of a page as groups of units, the one with most text first.

    PageTooLarge where they are more than MOST_UNITS: no result could say which of them are missing.
    """
    sizes = _text_sizes(nodes)
    whole = sizes[0] or 1
    crowds = [(crowd, sum(sizes[node] for node in crowd)) for crowd in _crowds(nodes).values()]
    chosen = sorted((one for one in crowds if one[1] >= _LEAST_SHARE * whole), key=lambda one: -one[1])
    count = sum(len(crowd) for crowd, _ in chosen)
    if count > MOST_UNITS:
        raise PageTooLarge(
            f"the page has {count:,} repeated pieces, and at most {MOST_UNITS:,} can be accounted for; "
            "give a css_selector for a part of it"
        )
    return tuple(
        UnitGroup(_KINDS.get(nodes.tags[crowd[0]], "card"), tuple((node,) for node in crowd), _score(size / whole))
        for crowd, size in chosen
    )


def _score(share: float) -> float:
    return round(PRIMARY_SCORE + (1 - PRIMARY_SCORE) * min(1.0, share), 4)


def _crowds(nodes: Nodes) -> dict[_Key, list[int]]:
    """Give the outermost crowds: the way down ends at the elements of one."""
    found: dict[_Key, list[int]] = {}
    level: dict[tuple[str, str], list[int]] = {(nodes.tags[0], ""): [0]}
    while level:
        below: dict[_Key, list[int]] = {}
        parents: dict[_Key, int] = {}
        for (tag, name), some in level.items():
            for node in some:
                inside = [
                    ((tag, name, nodes.tags[child], nodes.get(child, "class") or ""), child)
                    for child in nodes.children(node)
                    if nodes.layers[child] in READ
                ]
                for key, child in inside:
                    below.setdefault(key, []).append(child)
                for key in {key for key, _ in inside}:
                    parents[key] = parents.get(key, 0) + 1
        crowded = {key for key, children in below.items() if len(children) >= _LEAST_PER_PARENT * parents[key]}
        for key in crowded:
            found.setdefault(key, []).extend(below[key])
        level = {}
        for key, children in below.items():
            if key not in crowded:
                level.setdefault(key[2:], []).extend(children)
    return found


def _text_sizes(nodes: Nodes) -> "array[int]":
    """Give how many characters each node says that is read."""
    sizes = array("i", (len(text) for text in nodes.texts))
    for node in range(len(nodes) - 1, 0, -1):
        up = nodes.parents[node]
        sizes[up] += len(nodes.tails[node]) + (sizes[node] if nodes.layers[node] in READ else 0)
    return sizes
