"""Groups of siblings and cousins of one shape: items, cards, grids, nested replies."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from gleaner.units.groups import Candidate, UnitKind
from gleaner.units.shapes import ALIKE, Likeness
from gleaner.units.survey import Survey
from gleaner.units.vocabulary import AD_CLASS, AD_TEXT, HEAD_CLASS, PART_TAGS

_MOST_LEADERS = 12
_MOST_SORTS = 40
_MOST_LEVELS = 3
_MOST_INNER = 300
_NEARLY_SAME = 0.85


@dataclass(slots=True)
class _Sort:
    """Siblings of one parent or more that belong together: their common classes, and their parents' classes."""

    own: frozenset[str]
    above: frozenset[str]
    families: list[list[int]] = field(default_factory=list[list[int]])


def sibling_candidates(survey: Survey, likeness: Likeness, taken: set[int]) -> list[Candidate]:
    """Give the groups of like siblings and cousins; ``taken`` are elements that a table finder has judged."""
    buckets: dict[tuple[int, bool], list[int]] = defaultdict(list)
    homes: dict[int, int] = {}
    for place, tag in enumerate(survey.tags):
        if tag in PART_TAGS or place in taken or survey.text[place] == 0 or place == 0:
            continue
        if tag in ("td", "span", "p") and survey.leaves[place] < 2:
            continue
        home = _home(survey, likeness, place, homes)
        buckets[home, survey.chrome[place] == 1.0].append(place)
    found: list[Candidate] = []
    for places in buckets.values():
        if len(places) > 1:
            for cluster in _clusters(survey, likeness, places):
                for part in _by_principal_class(survey, likeness, cluster):
                    found.extend(_split(survey, likeness, part))
    return found


def _home(survey: Survey, likeness: Likeness, place: int, homes: dict[int, int]) -> int:
    """Give the path of tags that an element counts under: its own, or that of its like around it (a reply's post)."""
    home = survey.paths[place]
    if survey.leaves[place] >= 2:
        branch, ancestor = place, survey.parents[place]
        for _ in range(_MOST_LEVELS):
            if ancestor < 0:
                break
            like = ancestor in homes and _may_be_like(survey, place, ancestor)
            if like and likeness.besides(ancestor, branch, place) >= ALIKE:
                home = homes[ancestor]
                break
            branch, ancestor = ancestor, survey.parents[ancestor]
        homes[place] = home
    return home


def _may_be_like(survey: Survey, place: int, ancestor: int) -> bool:
    if survey.tags[place] != survey.tags[ancestor]:
        return False
    mine, theirs = survey.classes[place], survey.classes[ancestor]
    return mine == theirs or any(survey.class_tags.get(name) for name in mine & theirs)


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


def _by_principal_class(survey: Survey, likeness: Likeness, cluster: list[int]) -> list[list[int]]:
    """Part a cluster by the class that most of its members share, when the parts are built differently too.

    A post's head and its text may be alike enough for one cluster; their classes tell them apart. Striped rows carry
    different classes on the very same shape, and stay together.
    """
    counts = Counter(name for place in cluster for name in survey.classes[place])
    parts: dict[str, list[int]] = defaultdict(list)
    for place in cluster:
        name = max(survey.classes[place], key=lambda one: (counts[one], one), default="")
        parts[name if counts[name] * 10 >= len(cluster) and counts[name] > 1 else ""].append(place)
    merged: list[list[int]] = []
    for part in sorted(parts.values(), key=lambda one: -len(one)):
        shape = _typical_shape(survey, part)
        for other in merged:
            alike = likeness.of(shape, _typical_shape(survey, other)) >= _NEARLY_SAME
            if alike and survey.children[part[0]]:
                other.extend(part)
                break
        else:
            merged.append(list(part))
    return [sorted(part) for part in merged]


def _typical_shape(survey: Survey, places: list[int]) -> int:
    return Counter(survey.shapes[place] for place in places[:200]).most_common(1)[0][0]


def _split(survey: Survey, likeness: Likeness, cluster: list[int]) -> list[Candidate]:
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
    members = [sorted(place for family in sort.families for place in family) for sort in sorts]
    return [
        _candidate(survey, likeness, places)
        for sort, places in zip(sorts, (_with_own_text(survey, one) for one in members), strict=True)
        if any(len(family) > 1 for family in sort.families) or _answer_one_another(survey, places)
    ]


def _sort_for(sorts: list[_Sort], own: frozenset[str], above: frozenset[str]) -> _Sort:
    for sort in sorts:
        if own & sort.own or above & sort.above or (own, above) == (sort.own, sort.above) or own == sort.own == above:
            sort.own = sort.own & own or sort.own
            return sort
    if len(sorts) >= _MOST_SORTS:
        return sorts[-1]
    sorts.append(_Sort(own, above))
    return sorts[-1]


def _with_own_text(survey: Survey, places: list[int]) -> list[int]:
    """Leave out boxes around others of the group: what holds another must say something itself, as a post does."""
    kept: list[int] = []
    for position, place in enumerate(places):
        text, leaves, covered = survey.text[place], survey.leaves[place], -1
        for inner in places[position + 1 : position + 1 + _MOST_INNER]:
            if inner > survey.last[place]:
                break
            if inner > covered:
                text, leaves, covered = text - survey.text[inner], leaves - survey.leaves[inner], survey.last[inner]
        if covered < 0 or (leaves >= 2 and text >= 8):
            kept.append(place)
    return kept


def _answer_one_another(survey: Survey, places: list[int]) -> bool:
    """Tell whether they are a chain of replies, each within the one before."""
    return len(places) > 1 and any(survey.last[place] >= inner for place, inner in pairwise(places))


def _candidate(survey: Survey, likeness: Likeness, places: list[int]) -> Candidate:
    kept = _without_strangers(survey, likeness, places)
    tag = survey.tags[kept[0]] if kept else ""
    has_role = bool(kept) and survey.get(kept[0], "role") == "row"
    kind: UnitKind = "item" if tag == "li" else "row" if tag == "tr" or has_role else "card"
    return Candidate(kind, [[place] for place in kept])


def _without_strangers(survey: Survey, likeness: Likeness, places: list[int]) -> list[int]:
    """Leave out advertisements between the units, and a row of column names before them."""
    counts = Counter(name for place in places for name in survey.classes[place])
    usual = {name for name, count in counts.items() if count * 2 >= len(places)}
    typical = _typical_shape(survey, places)
    kept: list[int] = []
    for position, place in enumerate(places):
        names = survey.classes[place]
        foreign = names - usual
        same = survey.shapes[place] == typical
        if foreign and not names & usual and any(AD_CLASS.search(name) for name in foreign):
            continue
        if not same and (_is_labelled_ad(survey, place) or _is_other(survey, likeness, place, typical, usual)):
            continue
        if position == 0 and len(places) > 2 and any(HEAD_CLASS.search(name) for name in foreign):
            continue
        if not _is_column_header(survey, place):
            kept.append(place)
    return kept


def _is_labelled_ad(survey: Survey, place: int) -> bool:
    first = survey.run_text([place], 0)
    return len(first) < 20 and AD_TEXT.match(first) is not None


def _is_other(survey: Survey, likeness: Likeness, place: int, typical: int, usual: set[str]) -> bool:
    """Tell whether an element shares no class with the others, and is not quite built like them either."""
    names = survey.classes[place]
    if not usual or not names or names & usual:
        return False
    return likeness.of(survey.shapes[place], typical) < _NEARLY_SAME


def _is_column_header(survey: Survey, place: int) -> bool:
    children = survey.children[place]
    return bool(children) and all(survey.get(child, "role") == "columnheader" for child in children)
