"""Which column holds which field: by names that are the same, with no other column that might be meant."""

import re
from collections.abc import Container, Sequence

from gleaner.contracts.word_lists import listed
from gleaner.structured.descriptions import adds_nothing
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.labels import Label, Words, is_plural, words_of
from gleaner.structured.names import mean_the_same, name_one_date, spelled_out
from gleaner.structured.translations import in_english
from gleaner.structured.vocabulary import GENERIC, NAMED, PATHS, TITLED

_IN_STOCK = frozenset(words for words, paths in PATHS.items() if paths == PATHS["in", "stock"])
_THINGS: dict[Words, frozenset[str]] = {
    ("title",): TITLED | listed("article position role vacancy"),
    ("name",): NAMED,
}
"""By a field that may mean any thing: the nouns of things over a column of names or titles."""

_YEAR_IN_BRACKETS = re.compile(r"\((?:1[89]|20)\d\d\)$")


def match_columns(
    wanted: Wanted, labels: Sequence[Label], nouns: Sequence[Words], figures: Container[int] = (), language: str = ""
) -> dict[str, int] | None:
    """Give each field's column, for the fields that have one without doubt; None when a column might be two fields'.

    ``figures`` are the columns that hold numbers alone.
    ``nouns`` are what the page calls a record, for a schema that says nothing of it. ``language`` is the page's: where
    no label has a field's own name, one that means it in English is the field's.
    """
    called = tuple(wanted.nouns or nouns)
    said, labels = labels, [_translated(label, wanted, language) for label in labels]
    found: dict[str, int] = {}
    for field in wanted.fields:
        places = _places(field, labels, called)
        if len(places) > 1 or (places and places[0] in found.values()):
            return None
        if places:
            found[field.name] = places[0]
    found |= _by_elimination(wanted, labels, found, figures, called)
    for field in wanted.fields:
        if field.name in found and (_has_rival(field, found, labels) or _has_rival(field, found, said)):
            return None
        if field.name in found and not adds_nothing(field, *_beside(found[field.name], labels), (*called, *nouns)):
            return None
    return found


def _translated(label: Label, wanted: Wanted, language: str) -> Label:
    """Give the label in English, unless one of the fields has its name."""
    is_own = any(mean_the_same(own, label.words) for each in wanted.fields for own in each.all_names)
    return label if is_own else in_english(label, language)


def _beside(place: int, labels: Sequence[Label]) -> tuple[Words, frozenset[str]]:
    """Give the words of one label, and those of all others."""
    others = frozenset(word for at, label in enumerate(labels) if at != place for word in label.words)
    return labels[place].words, others


def _by_elimination(
    wanted: Wanted, labels: Sequence[Label], found: dict[str, int], figures: Container[int], nouns: Sequence[Words]
) -> dict[str, int]:
    """Give the column of what a record is called, where no label says so.

    It is the first if that has no label; for a "name" or "title" the only one left, if things are called so.
    """
    nameless = [field for field in wanted.fields if field.name not in found and field.kind == "text"]
    taken = set(found.values())
    if len(nameless) != 1 or not found:
        return {}
    (field,) = nameless
    if labels[0].is_empty and 0 not in figures and not {*GENERIC, *nouns}.isdisjoint(field.names):
        return {field.name: 0}
    left = [at for at, label in enumerate(labels) if at not in taken and label.words and at not in figures]
    if len(left) != 1:
        return {}
    words = labels[left[0]].words
    is_thing = len(words) == 1 and words[0] in _THINGS.get(field.names[0], ())
    return {field.name: left[0]} if is_thing else {}


def _places(field: Field, labels: Sequence[Label], nouns: Sequence[Words]) -> list[int]:
    """Give the columns that may be the field's: of the closest kind of name that any column has."""
    for is_called in (_has_the_name, _says_yes_or_no, _means_the_same):
        if found := [at for at, label in enumerate(labels) if is_called(field, label)]:
            return _of_the_unit(field, labels, found)
    return [at for at, label in enumerate(labels) if _names_the_record(field, label, nouns)]


def _of_the_unit(field: Field, labels: Sequence[Label], found: list[int]) -> list[int]:
    """Of columns that differ in their units alone, give the one with the field's: "Weight (kg)" and "Weight (lb)"."""
    own = [at for at in found if labels[at].unit is not None and labels[at].unit == field.unit_under(labels[at].words)]
    return own if len(own) == 1 and all(labels[at].unit for at in found) else found


def _words(field: Field, label: Label) -> Words:
    """Give the label's words for a field; what ends them is a unit for numbers alone: "Office hours" are no office."""
    return label.words if field.kind == "number" or "(" in label.text or "[" in label.text else words_of(label.text)


def _has_the_name(field: Field, label: Label) -> bool:
    return _words(field, label) in field.names and not _counts_what_is_one(field, label)


def _counts_what_is_one(field: Field, label: Label) -> bool:
    """Tell whether field and label differ as "ratings", a count, and "Rating", a mark out of five, do."""
    if field.kind != "number" or label.words[-1:] != words_of(field.name)[-1:]:
        return False
    return is_plural(field.name) and not is_plural(label.text)


def _says_yes_or_no(field: Field, label: Label) -> bool:
    """Tell whether the label is the field's name without "is" or "has", or both speak of what is in stock."""
    if field.kind != "boolean" or not label.words:
        return False
    if label.words in _IN_STOCK and not _IN_STOCK.isdisjoint(field.names):
        return True
    return any(own[:1] in (("is",), ("has",)) and label.words == own[1:] for own in field.names)


def _means_the_same(field: Field, label: Label) -> bool:
    """Tell whether label and field mean the same; what is bracketed in a label may be a part of its name."""
    if any(mean_the_same(own, _words(field, label)) for own in field.all_names):
        return not _counts_what_is_one(field, label)
    if _YEAR_IN_BRACKETS.search(label.text) and any(mean_the_same(own, label.words[:-1]) for own in field.all_names):
        return True
    if label.unit and label.words and any(mean_the_same(own, words_of(label.text)) for own in field.names):
        return True
    if field.kind == "date":
        return any(name_one_date(own, _words(field, label)) for own in field.names)
    return field.kind == "number" and any(_counts(own, label) for own in field.names)


def _counts(own: Words, label: Label) -> bool:
    """Tell whether the label is the plural of what the field counts: "Pages" for page_count."""
    long = spelled_out(own)
    is_of_many = is_plural(label.text) and label.words == words_of(label.text)
    return is_of_many and long[-1:] == ("count",) and len(long) > 1 and spelled_out(label.words) == long[:-1]


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
    taken, own_label = set(found.values()), labels[found[field.name]]
    own = [set(spelled_out(words)) for words in (*field.names, *([own_label.words] if own_label.words else ()))]
    for at, label in enumerate(labels):
        if at in taken or (label.words == own_label.words and label.unit and label.unit != own_label.unit):
            continue
        said = set(spelled_out(label.words))
        if any(words <= said for words in own) or _means_the_same(field, label):
            return True
    return False
