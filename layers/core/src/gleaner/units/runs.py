"""Records without a wrapper: runs of siblings such as h3 p p, or the dt and dd of a definition list."""

from collections import Counter
from statistics import median

from gleaner.units.candidates import Candidate
from gleaner.units.shapes import Likeness
from gleaner.units.survey import Survey

_Key = tuple[str, frozenset[str]]


def run_candidates(survey: Survey, likeness: Likeness, taken: set[int]) -> list[Candidate]:
    """Give the flat runs of the page's elements, and its definition lists."""
    del likeness
    found: list[Candidate] = []
    for place, children in enumerate(survey.children):
        if len(children) < 4 or place in taken:
            continue
        if survey.tags[place] == "dl":
            found.extend(_definitions(survey, children))
        elif survey.tags[place] not in ("table", "tbody", "tr", "ul", "ol", "p", "a"):
            found.extend(_flat(survey, children))
    return found


def _definitions(survey: Survey, children: list[int]) -> list[Candidate]:
    runs: list[list[int]] = []
    for place in children:
        starts = survey.tags[place] == "dt" and not (runs and survey.tags[runs[-1][-1]] == "dt")
        if starts:
            runs.append([])
        if runs:
            runs[-1].append(place)
    runs = [run for run in runs if len(run) > 1]
    if len(runs) < 2:
        return []
    values = [sum(survey.text[place] for place in run[1:]) for run in runs]
    plain = median(len(run) for run in runs) <= 2 and median(values) < 40
    return [Candidate("attribute" if plain else "definition", runs, weight=0.3 if plain else 1.0)]


def _flat(survey: Survey, children: list[int]) -> list[Candidate]:
    keys = [(survey.tags[place], survey.classes[place]) for place in children]
    counts = Counter(keys)
    seen: set[_Key] = set()
    for key in keys:
        if key in seen or counts[key] < 2:
            continue
        seen.add(key)
        runs = _segments(children, keys, key)
        if _is_regular(survey, runs, keys, children):
            return [Candidate("entry", runs, weight=0.9)]
        if len(seen) > 3:
            break
    return []


def _segments(children: list[int], keys: list[_Key], leader: _Key) -> list[list[int]]:
    runs: list[list[int]] = []
    for place, key in zip(children, keys, strict=True):
        if key == leader:
            runs.append([])
        if runs:
            runs[-1].append(place)
    return runs


def _is_regular(survey: Survey, runs: list[list[int]], keys: list[_Key], children: list[int]) -> bool:
    del keys, children
    if len(runs) < 3 or median(len(run) for run in runs) < 2:
        return False
    sets = [frozenset((survey.tags[place], survey.classes[place]) for place in run) for run in runs]
    usual = Counter(sets).most_common(1)[0][1]
    long_prose = median(sum(survey.text[place] for place in run) for run in runs) > 400
    return usual / len(sets) >= 0.6 and not long_prose
