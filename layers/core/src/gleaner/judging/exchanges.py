"""Values of one record that were exchanged: each would fit better where the other one stands.

A place by itself tells little in a list of two or three records, and on a page about one thing; two places that the
other records have the other way round, or that labels and classes name so, tell much.
"""

from gleaner.judging.scene import Scene
from gleaner.page.model import Span
from gleaner.schemas.leaves import Leaf
from gleaner.values.texts.text_index import Match

_MOST = 40
"""Values of an object up to which each is compared with all others."""

_LEAST = 1.0
"""What both must gain together. Of 19,460 right values of the develop corpora two do, from 0 up to 2; of 997 values of
one record that were exchanged more than half do, most of them in lists of few records and on pages about one thing."""

_FEWEST = 3
"""Records with a field from which on they tell whether it stands in their own places."""

_INSIDE, _LEARNED = 3.0, 0.3
"""What it weighs that a field stands in its records or over them, and where in them, beside a label's likeness, which
is 3 for the field's very name."""

_OF_NEIGHBOURS = frozenset(("above", "beside"))
"""Labels that may be of what stands before or behind."""


def exchanged_with(scene: Scene, leaf: Leaf, match: Match) -> Match | None:
    """Give where another value of the object stands if both would fit better in each other's place; else None."""
    own = scene.objects[scene.object_of(leaf)]
    if not _may_be_exchanged(leaf) or len(own) > _MOST:
        return None
    mine, most, found = _standing(scene, leaf, match), _LEAST, None
    for one in own:
        place = scene.chosen.get(one.pointer)
        if place is None or place.source != "markdown" or place.start == match.start or not _are_like(one, leaf):
            continue
        gain = _standing(scene, leaf, place) - mine
        its = _standing(scene, one, match) - _standing(scene, one, place) if gain > 0.0 else 0.0
        if its > 0.0 and gain + its >= most:
            most, found = gain + its, place
    return found


def _may_be_exchanged(leaf: Leaf) -> bool:
    return leaf.field[-1:] != ("*",) and not isinstance(leaf.value, bool)


def _are_like(one: Leaf, other: Leaf) -> bool:
    """Tell whether each of two fields could hold the other one's value."""
    is_text = isinstance(one.value, str) == isinstance(other.value, str)
    return one.field != other.field and _may_be_exchanged(one) and is_text and bool(one.choices) == bool(other.choices)


def _standing(scene: Scene, leaf: Leaf, match: Match) -> float:
    """Give how well a place fits a field, whatever stands there: by its own labels, and the other records."""
    labels = (one.text for one in scene.labels(leaf, match) if one.kind not in _OF_NEIGHBOURS)
    alike = [scene.likeness(leaf.field, one) for one in labels]
    named = max((own for own, _ in alike), default=0) - max((other for _, other in alike), default=0)
    place, number, learned = scene.place(leaf, match), scene.number(leaf), 0.0
    if place is not None and number is not None and scene.likelihood.others(number, leaf.field):
        learned = scene.likelihood.score(leaf.field, place, number)
    return named + _LEARNED * learned + _INSIDE * _share_there(scene, leaf, match, scene.own(leaf))


def _share_there(scene: Scene, leaf: Leaf, match: Match, own: Span | None) -> float:
    """Give the share of the other records that have a field in their own place, as this match is, or outside of it."""
    count = scene.inside[leaf.field]
    if own is None or count.total() < _FEWEST:
        return 0.0
    is_inside, was_inside = own[0] <= match.start < own[1], scene.stated[leaf.pointer][0] == "own"
    return (count[is_inside] - (is_inside == was_inside)) / (count.total() - 1)
