"""Siblings and cousins of one shape: list items, cards, grids, whatever their classes are called."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from gleaner.units.candidates import Candidate
from gleaner.units.groups import UnitKind
from gleaner.units.shapes import ALIKE, Likeness
from gleaner.units.survey import Survey

NO_UNITS = frozenset(
    [
        "html",
        "body",
        "head",
        "thead",
        "tbody",
        "tfoot",
        "caption",
        "dt",
        "dd",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "b",
        "i",
        "em",
        "strong",
        "u",
        "s",
        "small",
        "sup",
        "sub",
        "mark",
        "code",
        "kbd",
        "label",
        "time",
        "button",
        "img",
        "abbr",
        "cite",
        "q",
        "legend",
        "th",
        "figcaption",
        "summary",
        "form",
    ]
)
"""Tags that are parts of a record, never a record."""

_MOST_LEADERS = 12
_MOST_SORTS = 40
_AD = re.compile(
    r"(?:^|[-_])(?:ads?|adv|advert\w*|adslot|sponsor\w*|promo\w*|banner|newsletter|placeholder|skeleton)(?:$|[-_])"
)
_HEAD = re.compile(r"(?:^|[-_])(?:head|header|heading|thead|columns?-?names|legend)(?:$|[-_])")


@dataclass(slots=True)
class _Sort:
    """Siblings of one parent or more that belong together: their common classes, and their parents' classes."""

    own: frozenset[str]
    above: frozenset[str]
    families: list[list[int]] = field(default_factory=list[list[int]])


def sibling_candidates(survey: Survey, likeness: Likeness, taken: set[int]) -> list[Candidate]:
    """Give the groups of like siblings and cousins; ``taken`` are elements that a table finder has judged."""
    buckets: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for place, tag in enumerate(survey.tags):
        if tag in NO_UNITS or place in taken or survey.text[place] == 0 or place == 0:
            continue
        if tag in ("td", "span", "p") and survey.leaves[place] < 2:
            continue
        buckets[survey.paths[place], survey.chrome[place] == 1.0].append(place)
    found: list[Candidate] = []
    for places in buckets.values():
        if len(places) > 1:
            for cluster in _clusters(survey, likeness, places):
                found.extend(_split(survey, cluster))
    return found


def _clusters(survey: Survey, likeness: Likeness, places: list[int]) -> list[list[int]]:
    """Part the elements of one path by shape, the most frequent shapes leading."""
    by_shape: dict[int, list[int]] = defaultdict(list)
    for place in places:
        by_shape[survey.shapes[place]].append(place)
    clusters: list[tuple[int, list[int]]] = []
    for shape, members in sorted(by_shape.items(), key=lambda entry: -len(entry[1])):
        best = max(clusters, key=lambda cluster: likeness.of(cluster[0], shape), default=None)
        if best is not None and likeness.of(best[0], shape) >= ALIKE:
            best[1].extend(members)
        elif len(clusters) < _MOST_LEADERS:
            clusters.append((shape, list(members)))
    return [sorted(members) for _, members in clusters if len(members) > 1]


def _split(survey: Survey, cluster: list[int]) -> list[Candidate]:
    """Part a cluster into sorts: siblings belong together, cousins when their classes or their parents' agree."""
    families: dict[int, list[int]] = defaultdict(list)
    for place in cluster:
        families[survey.parents[place]].append(place)
    sorts: list[_Sort] = []
    known: dict[tuple[frozenset[str], frozenset[str]], _Sort] = {}
    for parent, family in families.items():
        own = frozenset[str].intersection(*[survey.classes[place] for place in family])
        key = (own, survey.classes[parent])
        sort = known.get(key) or _sort_for(sorts, *key)
        known[key] = sort
        sort.families.append(family)
    return [
        _candidate(survey, sorted(place for family in sort.families for place in family))
        for sort in sorts
        if any(len(family) > 1 for family in sort.families)
    ]


def _sort_for(sorts: list[_Sort], own: frozenset[str], above: frozenset[str]) -> _Sort:
    for sort in sorts:
        if own & sort.own or above & sort.above or (own, above) == (sort.own, sort.above):
            sort.own = sort.own & own or sort.own
            return sort
    if len(sorts) >= _MOST_SORTS:
        return sorts[-1]
    sorts.append(_Sort(own, above))
    return sorts[-1]


def _candidate(survey: Survey, places: list[int]) -> Candidate:
    kept = _without_strangers(survey, places)
    tag = survey.tags[kept[0]] if kept else ""
    kind: UnitKind = "item" if tag == "li" else "row" if tag == "tr" else "card"
    return Candidate(kind, [[place] for place in kept])


def _without_strangers(survey: Survey, places: list[int]) -> list[int]:
    """Leave out advertisements between the units, and a row of column names before them."""
    counts = Counter(name for place in places for name in survey.classes[place])
    usual = {name for name, count in counts.items() if count * 2 >= len(places)}
    kept: list[int] = []
    for position, place in enumerate(places):
        names = survey.classes[place]
        foreign = names - usual
        alone = (bool(usual) and not names & usual) or not usual
        if foreign and alone and any(_AD.search(name) for name in foreign):
            continue
        if position == 0 and len(places) > 2 and any(_HEAD.search(name) for name in foreign):
            continue
        if _is_column_header(survey, place):
            continue
        kept.append(place)
    return kept


def _is_column_header(survey: Survey, place: int) -> bool:
    children = survey.children[place]
    return bool(children) and all(survey.elements[child].get("role") == "columnheader" for child in children)
