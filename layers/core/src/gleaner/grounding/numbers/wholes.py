"""Numbers that are parts of a date or a version: they prove only fields whose names ask for such parts."""

import re

from gleaner.grounding.leaves import Leaf
from gleaner.grounding.text.text_index import DATE_PART, Match
from gleaner.values.mentions.numerals import VERSION_PART
from gleaner.values.name_measures import counts_days

_DAY_FIELD = re.compile(
    r"day|month|date|week|hour|minute|time|tag|monat|jour|mois|d[ií]a|mes|giorno|mese", re.IGNORECASE
)
_VERSION_FIELD = re.compile(
    r"version|major|minor|patch|build|release|revision|section|chapter|article|level|octet", re.I
)
_PARTS = {DATE_PART: _DAY_FIELD, VERSION_PART: _VERSION_FIELD}


def is_of_a_whole(leaf: Leaf, match: Match) -> bool:
    """Tell whether a number is a part of a date or of a version, and the field's name asks for no such part."""
    asked = _PARTS.get(match.transform or "")
    if asked is None:
        return False
    return counts_days(leaf.name) or not asked.search(leaf.name)
