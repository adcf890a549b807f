"""Detect units: survey the page, collect candidates, choose between nested ones, score."""

from collections.abc import Collection, Sequence

from gleaner.html.elements import HEADINGS
from gleaner.page.model import Nodes
from gleaner.page.tables import Table, find_tables
from gleaner.units.candidates import Candidate
from gleaner.units.crowds import crowd_groups, is_crowded
from gleaner.units.groups import UnitGroup
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
    than can be surveyed in a few seconds, only its crowds of like elements are counted (``gleaner.units.crowds``).
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
