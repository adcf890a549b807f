"""Reject texts that a page about one thing states for another field.

No place in a text tells whose it is, so that "Oslo" would be an author, too. But the heading of a page about one thing
is its name, and never who made it or what it is made of; a name that stands in no heading, and is what another field
says, is none while the heading is nobody's; and what stands behind the label of one field alone, and is given
for two, is that one's.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from gleaner.grounding.evidence.labels import Labels
from gleaner.grounding.leaves import Leaf, Steps
from gleaner.grounding.text.spellings import label_words
from gleaner.grounding.text.text_index import Match, TextIndex
from gleaner.values.names import roles_of

_HEADING = re.compile(r"^(#{1,6}) +(.*)$", re.MULTILINE)
_NO_NAME = " *_[]#"
_MOST = 24
_MOST_MENTIONS = 8


def find_copied(leaves: Sequence[Leaf], index: TextIndex, labels: Labels) -> set[str]:
    """Give the pointers of texts of the page's one thing that are surely another field's."""
    objects: dict[Steps, list[Leaf]] = {}
    for leaf in leaves:
        if _is_text(leaf):
            objects.setdefault(leaf.steps[:-1], []).append(leaf)
    small = [own for own in objects.values() if 1 < len(own) <= _MOST]
    return {
        leaf.pointer for own in small for leaf in (*_behind_labels(own, index, labels), *_against_heading(own, index))
    }


def is_name(leaf: Leaf) -> bool:
    """Tell whether a field is what its thing is called."""
    return "name" in roles_of(leaf.field[-1])


def _is_text(leaf: Leaf) -> bool:
    is_single = bool(leaf.field) and leaf.field[-1:] != ("*",)
    return is_single and isinstance(leaf.value, str) and leaf.is_open and any(map(str.isalpha, leaf.value))


def _behind_labels(own: Sequence[Leaf], index: TextIndex, labels: Labels) -> Iterator[Leaf]:
    """Give the texts that stand behind the label of another field alone, which says the same."""
    whole = (0, len(index.text))
    for leaf, other in permutations(own, 2):
        if leaf.value != other.value or not _words(leaf).isdisjoint(_words(other)):
            continue
        places = index.find(leaf.value)
        named = {labels.field_before(whole, place, leaf.field) for place in places[:_MOST_MENTIONS]}
        if named == {other.field} and len(places) <= _MOST_MENTIONS:
            yield leaf


def _against_heading(own: Sequence[Leaf], index: TextIndex) -> Iterator[Leaf]:
    """Give the texts that the one heading of the page tells to be another field's."""
    headings = list(_HEADING.finditer(index.text))
    first = [one for one in headings if len(one[1]) == 1]
    names = [leaf for leaf in own if is_name(leaf)]
    if len(first) != 1 or len(names) != 1:
        return
    name, heading = names[0], first[0]
    whole = [leaf for leaf in own if _is_headed_by(index.find(leaf.value), heading, index.text)]
    makers = [leaf for leaf in whole if leaf is not name and "maker_or_matter" in roles_of(leaf.field[-1])]
    mentions = index.find(name.value)
    is_headed = any(_lies_in(place, one) for place in mentions for one in headings)
    if name in whole or not is_headed:
        yield from (leaf for leaf in makers if len(index.find(leaf.value)) == 1)
    if is_headed:
        return
    is_of_two = any(leaf.value == name.value for leaf in own if leaf is not name)
    said = (place for leaf in own for place in index.find(leaf.value))
    if makers or (is_of_two and len(mentions) == 1 and not any(_lies_in(place, heading) for place in said)):
        yield name


def _is_headed_by(places: Sequence[Match], heading: re.Match[str], text: str) -> bool:
    """Tell whether a text is all of a heading."""
    return any(
        _lies_in(place, heading)
        and not text[heading.start() : place.start].strip(_NO_NAME)
        and not text[place.end : heading.end()].partition("](")[0].strip(_NO_NAME)
        for place in places
    )


def _lies_in(place: Match, heading: re.Match[str]) -> bool:
    return heading.start() <= place.start < heading.end()


def _words(leaf: Leaf) -> frozenset[str]:
    return frozenset(label_words(leaf.field[-1]))
