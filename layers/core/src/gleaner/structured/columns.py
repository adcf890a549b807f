"""Which column holds which field: by names that are the same, with no other column that might be meant."""

import re
from collections.abc import Sequence

from gleaner.structured.fields import Field, Wanted
from gleaner.structured.labels import Label, Words, words_of
from gleaner.structured.measures import listed, unit_named
from gleaner.structured.readings import known_words

GENERIC = frozenset({("name",), ("title",)})
"""Names that any thing on a page may have."""

_SAYS_NOTHING = listed(
    "a an the of for in on at to as by and or with its it s this that which be is was are if each one any from "
    "full given stated shown listed displayed printed written found page row record item entry table column "
    "cell value number numeric amount string text integer float decimal boolean true false whether date "
    "datetime day month year yyyy mm dd iso 8601 rfc 3339 format formatted absolute url link address null none "
    "empty missing optional required e g eg ie example i when available present known otherwise without "
    "currency symbol sign unit name title label measured "
)
_DIGITS = re.compile(r"\d+")
_PIECES = re.compile(r"[\s,;:()\[\]]+|\.(?=\s|$)")


def match_columns(wanted: Wanted, labels: Sequence[Label], nouns: Sequence[Words]) -> dict[str, int] | None:
    """Give each field's column, for the fields that have one without doubt; None when a column might be two fields'.

    ``nouns`` are what the page calls a record, for a schema that says nothing of it.
    """
    called = tuple(wanted.nouns or nouns)
    found: dict[str, int] = {}
    for field in wanted.fields:
        places = _places(field, labels, called)
        if len(places) > 1 or (places and places[0] in found.values()):
            return None
        if places:
            found[field.name] = places[0]
    for field in wanted.fields:
        if field.name in found and _has_rival(field, found, labels):
            return None
        if field.name in found and not is_explained(field, labels[found[field.name]].words, called):
            return None
    return found


def _places(field: Field, labels: Sequence[Label], nouns: Sequence[Words]) -> list[int]:
    same = [at for at, label in enumerate(labels) if label.words in field.names]
    if not same and field.kind == "boolean":
        bare = [words[1:] for words in field.names if words[0] in ("is", "has") and len(words) > 1]
        same = [at for at, label in enumerate(labels) if label.words in bare]
    return same or [at for at, label in enumerate(labels) if _names_the_record(field, label, nouns)]


def _names_the_record(field: Field, label: Label, nouns: Sequence[Words]) -> bool:
    """Tell whether field and label differ only in saying what a record is: "Product name" and "name" of products."""
    if not label.words:
        return False
    for own in field.names:
        for noun in nouns:
            if label.words == noun + own or own == noun + label.words:
                return True
            if own in GENERIC and label.words == noun and field.kind == "text":
                return True
        if len(own) > 1 and own[-1:] in GENERIC and label.words == own[:-1] and field.kind == "text":
            return True
    return False


def _has_rival(field: Field, found: dict[str, int], labels: Sequence[Label]) -> bool:
    """Tell whether a column that no field takes has the field's name within a longer one: "Old price" for price."""
    taken = set(found.values())
    own = [set(words) for words in field.names]
    return any(at not in taken and any(words <= set(label.words) for words in own) for at, label in enumerate(labels))


def is_explained(field: Field, label: Words, nouns: Sequence[Words]) -> bool:
    """Tell whether the field's description says no more than its name does; what it adds may mean something else."""
    known = {*known_words(field), *label, *(word for noun in nouns for word in noun)}
    bare = " ".join(piece for piece in _PIECES.split(field.description) if not unit_named(piece))
    for word in words_of(bare):
        is_known = word in _SAYS_NOTHING or word in known or _DIGITS.fullmatch(word)
        if not is_known and not any(_is_akin(word, other) for other in known):
            return False
    return True


def _is_akin(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    return len(short) >= 4 and long.startswith(short)
