"""Score from 0 to 1 how much a group looks like records."""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from statistics import median

from gleaner.units.groups import Candidate
from gleaner.units.survey import Survey
from gleaner.units.vocabulary import RELATED_TEXT

_SAMPLE = 40
_MOST_COMPARED = 16
_NEARLY_ALL = 0.8
_LOWERED = 0.4
_FEW = 3
_MOST_OF_A_PAGE = 0.6
"""What holds so much of a page's text is no menu, whatever its classes are called: set on the 50 lists and forums of
``corpus/wcxb_dev``, where three threads of posts were taken for decoration."""

_NUMBER = re.compile(r"\d")
_SEPARATOR = re.compile(r"\s[–—|·•/:-]\s|\s?[|·•—–]\s?|: |\t")


def score_candidate(survey: Survey, candidate: Candidate) -> None:
    """Set the score and the number of fields of a candidate.

    Many fields, many units, much of the page's text and numbers raise the score; bare links, repeated texts, a place
    in the navigation and a heading such as "Related" lower it.
    """
    candidate.starts = [run[0] for run in candidate.runs]
    runs = _sampled(candidate.runs)
    texts = [survey.run_text(run) for run in runs]
    masses = [_mass(survey, candidate, run, survey.text) for run in runs]
    leaves = [_mass(survey, candidate, run, survey.leaves) for run in runs]
    candidate.fields = max(median(leaves), _segments(texts))
    share = min(1.0, median(masses) * len(candidate.runs) / max(1, survey.text[0]))
    linked = sum(survey.linked[place] for run in runs for place in run)
    whole = sum(survey.text[place] for run in runs for place in run)
    factors = (
        1.15,
        math.sqrt(min(candidate.fields, 5.0) / 5.0),
        1 - 1 / (len(candidate.runs) + 1),
        0.45 + 0.55 * math.sqrt(share),
        0.75 + 0.25 * sum(1 for text in texts if _NUMBER.search(text)) / len(texts),
        0.35 if linked > 0.9 * whole and candidate.fields < 2 else 1.0,
        1.0 if len(set(texts)) > 0.3 * len(texts) else 0.3,
        1.0 if share >= _MOST_OF_A_PAGE else _chrome(survey, candidate),
        0.4 if RELATED_TEXT.search(candidate.label) else 1.0,
        min(1.0, 0.5 + median(masses) / 20),
        _prose_factor(survey, candidate, texts),
        candidate.weight,
    )
    candidate.score = min(1.0, math.prod(factors))


def _chrome(survey: Survey, candidate: Candidate) -> float:
    return min(survey.chrome[candidate.runs[0][0]], survey.chrome[candidate.runs[-1][0]])


def _prose_factor(survey: Survey, candidate: Candidate, texts: list[str]) -> float:
    """Lower paragraphs with a link in them, and boxes of nothing but paragraphs or points."""
    if median(len(text) for text in texts) < 80 or _segments(texts) > 1:
        return 1.0
    runs = _sampled(candidate.runs)
    own = sum(survey.own[place] for run in runs for place in run)
    whole = sum(survey.text[place] for run in runs for place in run)
    if own > 0.6 * whole:
        return 0.4
    tags = {survey.tags[leaf] for run in runs for place in run for leaf in _text_leaves(survey, place)}
    return 0.4 if tags <= {"p", "li", "a"} else 1.0


def _text_leaves(survey: Survey, place: int) -> Iterator[int]:
    return (leaf for leaf in range(place, min(survey.last[place] + 1, place + 200)) if survey.own[leaf])


def _sampled(runs: list[list[int]]) -> list[list[int]]:
    return runs[:: max(1, len(runs) // _SAMPLE)]


def _end(survey: Survey, run: list[int]) -> int:
    return max(survey.last[place] for place in run)


def _mass(survey: Survey, candidate: Candidate, run: list[int], measure: list[int]) -> int:
    """Sum a measure over a unit, without the units of the same group inside it."""
    inner = sum(measure[place] for member in _outermost(survey, _members(survey, candidate, run)) for place in member)
    return sum(measure[place] for place in run) - inner


def _outermost(survey: Survey, members: Iterator[list[int]]) -> Iterator[list[int]]:
    covered = -1
    for member in members:
        if member[0] > covered:
            yield member
            covered = _end(survey, member)


def _members(survey: Survey, candidate: Candidate, run: list[int]) -> Iterator[list[int]]:
    """Give the candidate's units that lie wholly inside a run of elements (of another unit)."""
    end = _end(survey, run)
    low, high = bisect_left(candidate.starts, run[0]), bisect_right(candidate.starts, end)
    for member in candidate.runs[low:high]:
        if member is not run and _end(survey, member) <= end and member != run:
            yield member


def _segments(texts: list[str]) -> float:
    """Give the number of parts that most of the texts have, when separators part them alike; else 1."""
    counts = sorted(len(_SEPARATOR.split(text)) for text in texts)
    usual = counts[len(counts) // 2]
    alike = sum(1 for count in counts if abs(count - usual) <= 1 < count)
    long_prose = median(len(text) for text in texts) > 200
    return float(usual) if usual > 1 and alike >= 0.8 * len(counts) and not long_prose else 1.0


def settle_nesting(survey: Survey, candidates: list[Candidate]) -> None:
    """Lower the scores of wrappers around records and of the parts inside records.

    A group that is itself lowered lowers no other: of a wrapper, its records and their parts the records are left.
    """
    ranked = sorted(candidates, key=lambda candidate: -candidate.score)[:_MOST_COMPARED]
    above: dict[int, set[int]] = {at: set() for at in range(len(ranked))}
    for outer in range(len(ranked)):
        for inner in range(len(ranked)):
            loser = _loser(survey, ranked[outer], ranked[inner]) if outer != inner else None
            if loser is not None:
                lost, won = (inner, outer) if loser is ranked[inner] else (outer, inner)
                above[lost].add(won)
    left = list(above)
    while left:
        best = next((at for at in left if not above[at].intersection(left)), left[0])
        lowered = [at for at in left if best in above[at] and at != best]
        for at in lowered:
            ranked[at].score *= _LOWERED
        left = [at for at in left if at != best and at not in lowered]


def _loser(survey: Survey, outer: Candidate, inner: Candidate) -> Candidate | None:
    """Tell which of two groups is not the records, when the units of one lie in the units of the other.

    Where each lies in the other (a post in its replies, the replies in a post), the outermost are the records. Else
    the outer ones are wrappers when they hold little but several rich inner ones (a row of a grid, a category), and
    the inner ones are parts when not.
    """
    runs = _sampled(outer.runs)
    members = [list(_outermost(survey, _members(survey, inner, run))) for run in runs]
    inside = sum(map(len, members))
    holders = sum(map(bool, members))
    if inside * len(outer.runs) < 0.5 * len(inner.runs) * len(runs) or not inside:
        return None
    if any(any(_members(survey, outer, run)) for run in _sampled(inner.runs)):
        return inner if outer.starts[0] < inner.starts[0] else outer
    is_region = inside >= 2 * len(runs) or (inside > len(runs) and len(runs) <= _FEW)
    if holders * 2 < len(runs) and is_region and inner.fields >= 2:
        return outer  # the regions of a page, one of which has the list: parts of a record come again in most of them
    covered = sum(survey.text[place] for inner_runs in members for run in inner_runs for place in run)
    whole = sum(survey.text[place] for run in runs for place in run)
    ratio = inside / len(runs)
    rich = inner.fields >= 2 and not _are_parts(survey, members)
    if rich and ratio >= 1.15 and covered >= 0.7 * whole:
        return outer
    if inner.kind == "row" and covered >= 0.4 * whole and outer.kind != "row":
        return outer
    if rich and len(outer.runs) < 3 <= len(inner.runs) and ratio > 1:
        return outer
    return inner


def _are_parts(survey: Survey, members: list[list[list[int]]]) -> bool:
    """Tell whether the inner pieces are unlike parts of one record.

    The first ones differ from all that follow, or each has a label, or begins with a text of its own as "Owner" in
    "<b>Owner</b> <i>Ann</i>", and these come again in the next unit.
    """
    several = [inner_runs for inner_runs in members if len(inner_runs) > 1]
    if len(several) < 2:
        return False
    if labels_come_round([[survey.label(run[0]) or _head(survey, run[0]) for run in runs] for runs in several]):
        return True
    first = {_look(survey, inner_runs[0]) for inner_runs in several}
    others = [_look(survey, run) for inner_runs in several for run in inner_runs[1:]]
    return sum(1 for look in others if look in first) <= 0.1 * len(others)


def _head(survey: Survey, place: int) -> str:
    """Give the first text of a piece that has more."""
    return survey.pieces[survey.first[place]] if survey.beyond[place] - survey.first[place] > 1 else ""


def labels_come_round(units: list[list[str]]) -> bool:
    """Tell whether the pieces of each unit are labelled otherwise, and those of several units alike.

    >>> labels_come_round([["Price", "Size"], ["Price", "Size"]]), labels_come_round([["Price", "Price"], ["Size", ""]])
    (True, False)
    """
    labels = [label for unit in units for label in unit if label]
    every = sum(map(len, units))
    distinct = all(len({*unit} - {""}) == len([label for label in unit if label]) for unit in units)
    return distinct and len(labels) >= _NEARLY_ALL * every and len(set(labels)) * 2 <= len(labels)


def _look(survey: Survey, run: list[int]) -> tuple[str, bool, int]:
    """Give what a piece looks like: the tag it begins with inside, whether it holds a link, how many texts."""
    place = run[0]
    inside = survey.tags[survey.children[place][0]] if survey.children[place] else ""
    return inside, survey.linked[place] > 0, min(survey.leaves[place], 3)
