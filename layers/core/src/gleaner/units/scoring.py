"""How much a group of repeated pieces looks like records that somebody would want, from 0 to 1."""

import math
import re
from bisect import bisect_left, bisect_right
from statistics import median

from gleaner.units.candidates import Candidate
from gleaner.units.survey import Survey

_SAMPLE = 40
_NUMBER = re.compile(r"\d")
_SEPARATOR = re.compile(r"\s[–—|·•/:-]\s|\s?[|·•—–]\s?|: |\t")
_RELATED = re.compile(
    r"\b(?:related|similar|recommend\w*|you (?:may|might) also|also (?:like|bought|viewed)|customers who|"
    r"recently viewed|more from|frequently bought|trending|popular|sponsored|read next|see also|references|further reading|tags|"
    r"ähnliche|auch interessant|kunden kauften|zuletzt angesehen|vous aimerez aussi|similaires|relacionad\w+|"
    r"también te|correlati|похожие|関連|相关)",
    re.IGNORECASE,
)


def score_candidate(survey: Survey, candidate: Candidate) -> None:
    """Set the score and the number of fields of a candidate."""
    runs = _sampled(candidate.runs)
    texts = [survey.run_text(run) for run in runs]
    masses = [sum(survey.text[place] for place in run) for run in runs]
    count = len(candidate.runs)
    leaves = [sum(survey.leaves[place] for place in run) for run in runs]
    segments = _segments(texts)
    candidate.fields = max(median(leaves), segments)
    candidate.starts = [run[0] for run in candidate.runs]
    whole = max(1, survey.text[0])
    share = min(1.0, median(masses) * count / whole)
    numbers = sum(1 for text in texts if _NUMBER.search(text)) / len(texts)
    linked = sum(survey.linked[place] for run in runs for place in run) / max(1, sum(masses))
    distinct = len(set(texts)) / len(texts)
    richness = math.sqrt(min(candidate.fields, 5.0) / 5.0)
    amount = 1 - 1 / (count + 1)
    mass = 0.45 + 0.55 * math.sqrt(share)
    data = 0.75 + 0.25 * numbers
    bare_links = 0.35 if linked > 0.9 and candidate.fields < 2 else 1.0
    repeated = 1.0 if distinct > 0.3 else 0.3
    chrome = min(survey.chrome[candidate.runs[0][0]], survey.chrome[candidate.runs[-1][0]])
    related = 0.4 if _RELATED.search(candidate.label) else 1.0
    terse = min(1.0, 0.5 + median(masses) / 20)
    candidate.score = (
        1.15 * richness * amount * mass * data * bare_links * repeated * chrome * related * terse * candidate.weight
    )
    candidate.score = min(1.0, candidate.score)


def _sampled(runs: list[list[int]]) -> list[list[int]]:
    step = max(1, len(runs) // _SAMPLE)
    return runs[::step]


def _segments(texts: list[str]) -> float:
    """Give the number of parts that most of the texts have, when separators part them alike; else 1."""
    counts = [len(_SEPARATOR.split(text)) for text in texts]
    usual = max(set(counts), key=counts.count)
    long_prose = median(len(text) for text in texts) > 160
    alike = counts.count(usual) / len(counts)
    return float(usual) if alike >= 0.6 and not long_prose else 1.0


def settle_nesting(survey: Survey, candidates: list[Candidate]) -> None:
    """Lower the scores of wrappers around records and of the parts inside records."""
    ranked = sorted(candidates, key=lambda candidate: -candidate.score)[:14]
    factors = {id(candidate): 1.0 for candidate in ranked}
    for outer in ranked:
        for inner in ranked:
            if outer is not inner:
                _compare(survey, outer, inner, factors)
    for candidate in ranked:
        candidate.score *= factors[id(candidate)]


def _compare(survey: Survey, outer: Candidate, inner: Candidate, factors: dict[int, float]) -> None:
    inside, mass, whole = 0, 0, 0
    alone = 0
    runs = [run for run in _sampled(outer.runs) if run]
    for run in runs:
        low = bisect_left(inner.starts, run[0])
        high = bisect_right(inner.starts, max(survey.last[place] for place in run))
        members = [member for member in inner.runs[low:high] if member != run]
        inside += len(members)
        alone += len(members) == 0
        mass += sum(survey.text[place] for member in members for place in member)
        whole += sum(survey.text[place] for place in run)
    if not inside or not whole:
        return
    ratio = inside / len(runs)
    coverage = mass / whole
    part_of_outer = inside * len(outer.runs) / len(runs) >= 0.5 * len(inner.runs)
    if not part_of_outer:
        return
    wraps = ratio >= 1.5 and coverage >= 0.75 and inner.fields >= 2 and not _is_parted(survey, runs, inner)
    if wraps or (len(outer.runs) < 3 <= len(inner.runs) and inner.fields >= 2):
        factors[id(outer)] = min(factors[id(outer)], 0.4)
    elif inner.kind != "row" or outer.kind == "row" or ratio > 1:
        factors[id(inner)] = min(factors[id(inner)], 0.4)


def _is_parted(survey: Survey, runs: list[list[int]], inner: Candidate) -> bool:
    """Tell whether the inner pieces are the halves of one record: always in the same order of classes."""
    orders: set[tuple[frozenset[str], ...]] = set()
    for run in runs:
        low = bisect_left(inner.starts, run[0])
        high = bisect_right(inner.starts, max(survey.last[place] for place in run))
        orders.add(tuple(survey.classes[member[0]] for member in inner.runs[low:high]))
    if len(orders) != 1:
        return False
    order = next(iter(orders))
    return len(order) > 1 and len(set(order)) == len(order)
