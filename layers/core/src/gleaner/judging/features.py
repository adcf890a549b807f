"""What speaks for and against a value where it stands: each feature is one short function of the table ``FEATURES``.

Their weights are data (``data/judging_weights.json``), learned from right and spoilt answers of real pages by
``benchmarks/train_judging.py``, and judged leaving each site out.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from gleaner.contracts.json_text import packaged
from gleaner.contracts.models import Rival
from gleaner.judging.expected import (
    is_heading,
    is_unheaded,
    is_unsigned,
    lacks_figure,
    lacks_letter,
    names_no_currency,
)
from gleaner.judging.spots import NOTHING, Spot
from gleaner.values.fields import ALIKE
from gleaner.values.texts.text_index import DATE_PART


def _capped(value: float, most: float) -> float:
    return max(-1.0, min(1.0, value / most))


def _spread(of: Spot) -> float:
    """Give how much of the stretch that has all pieces of a text is not said in it."""
    if of.match is None or of.match.transform not in ("elided", "joined"):
        return 0.0
    length = max(1, len(str(of.leaf.value)))
    return _capped(max(0.0, (of.match.end - of.match.start) / length - 1.1), 1.0)


def _cut(of: Spot) -> float:
    """Give how unusual it is for the field that a text ends before a word: 1 where no other record's does."""
    return 0.0 if of.is_within and not of.is_name else of.unusual("word behind")


def _may_be_one_word(of: Spot) -> bool:
    """Tell whether one word of a text may be all that is meant, as a brand is of a title."""
    is_labelled = max(of.strong[0], of.weak[0]) >= ALIKE
    is_whole = of.is_name or "maker_or_matter" in of.field.roles or of.is_told or is_labelled
    return " " not in str(of.leaf.value).strip() and not is_whole


def _stated_share(of: Spot) -> float:
    """Give the share of the records with the same value that state it."""
    stated, unsaid = (of.scene.said[of.leaf.field, of.leaf.key, is_stated] for is_stated in (True, False))
    return stated / (stated + unsaid - 1) if stated + unsaid > 1 else 0.0


Feature = Callable[[Spot], float | bool]

KINDS = {"text": ("is a text",), "number": ("is a number",), "day": ("is a day",), "link": ("is an address",)}
LEVELS = {
    "page": ("in no record",),
    "other things": ("in no record", "in a part about other things"),
    "outside": ("shared by records",),
    "sentence": ("shared by records",),
    "elsewhere": ("elsewhere on the page",),
    "snapshot": ("only in the HTML",),
}
"""The features that say what a value is, and where it stands; a value in its own record has none of these."""

Groups = Sequence[tuple[Callable[[Spot], object], Mapping[str, Feature]]]
"""Features by what they are made of: whether those of a group may be other than zero, and each with its name."""

NAMED: Groups = (
    (
        lambda of: of.strong != NOTHING,  # heads of columns and rows, terms, colons and pairs
        {
            "label is the name": lambda of: of.strong[0] == 3,
            "label is alike": lambda of: of.strong[0] == 2,
            "label is a part of the name": lambda of: of.strong[0] == 1,
        },
    ),
    (
        lambda of: of.weak != NOTHING,  # the line above, and the words beside
        {
            "words beside are the name": lambda of: max(of.weak[0] - 1, 0) / 2,
            "words beside are a part": lambda of: of.weak[0] == 1,
        },
    ),
    # names of classes and attributes
    (lambda of: of.markup != NOTHING, {"markup is named so": lambda of: of.markup[0] / 3}),
)
"""What labels say for a place: nothing of a value that is cut there or in another unit."""

NAMED_OTHERWISE: Groups = (
    (
        lambda of: of.strong != NOTHING,
        {
            "label is another's name": lambda of: of.strong[1] == 3,
            "label is like another": lambda of: of.strong[1] == 2,
        },
    ),
    (lambda of: of.weak != NOTHING, {"words beside are another's": lambda of: max(of.weak[1] - 1, 0) / 2}),
    (
        lambda of: of.markup != NOTHING and not of.is_within,
        {"markup is named as another": lambda of: of.markup[1] / 3},
    ),
    (lambda of: of.rival is not None, {"name leads elsewhere": lambda _: True}),
)
"""What labels say against a place: so much as it is strange to the field."""

FEATURES: Groups = (
    (lambda of: of.unit, {"in the field's unit": lambda of: of.unit > 0, "in another unit": lambda of: of.unit < 0}),
    (
        lambda of: of.level == "own" and not of.is_its_name,  # the other records
        {
            "another field's place": lambda of: _capped(max(0.0, of.learned[0]), 6.0),
            "surely another field's place": lambda of: of.learned[0] > 3,
            "own place": lambda of: 0 if of.is_cut else _capped(max(0.0, -of.learned[0]), 6.0),
            "not the usual place": lambda of: _capped(max(0.0, of.learned[1]), 12.0),
            "not the usual place at all": lambda of: of.learned[1] > 8,
            "few records tell": lambda of: of.learned[2] < 3,
        },
    ),
    (
        lambda of: of.sharing,  # other fields
        {
            "said by another field": lambda of: of.lone_sharing,
            "said by another field that fits better": lambda of: of.is_worse,
        },
    ),
    (
        lambda of: of.borders,  # where a text is cut
        {
            "ends inside a text": lambda of: _cut(of) if not of.starts_inside else 0,
            "inside a text": lambda of: _cut(of) if of.starts_inside else 0,
            "ends inside a text, others too": lambda of: "word behind" in of.borders and 1 - of.unusual("word behind"),
            "a maker, inside a text": lambda of: _cut(of) if "maker_or_matter" in of.field.roles else 0,
            "a name, inside a text": lambda of: _cut(of) if of.is_name else 0,
            "one word, inside a text": lambda of: _cut(of) if _may_be_one_word(of) else 0,
            "ends inside a text, no other does": lambda of: of.is_told and not of.starts_inside and _cut(of) == 1,
            "has another's value in it": lambda of: of.unusual("another value inside"),
            "has another's value in it, no other does": lambda of: (
                of.is_told and of.unusual("another value inside") == 1
            ),
            "begins inside a text": lambda of: of.starts_inside and "word behind" not in of.borders,
            "goes on in brackets": lambda of: 0 if of.is_within else of.unusual("bracket behind"),
            "goes on in brackets, no other does": lambda of: of.is_told and of.unusual("bracket behind") == 1,
        },
    ),
    (lambda of: of.level == "sentence" and of.kind == "text", {"shared by records, in prose": lambda _: True}),
    (
        lambda of: of.match is not None and (of.match.transform is not None or of.match.weak),  # how it is stated
        {
            "put together from afar": _spread,
            "put together": lambda of: of.match is not None and of.match.transform in ("elided", "joined"),
            "stated weakly": lambda of: of.match is not None and of.match.weak,
            "part of a date": lambda of: of.match is not None and of.match.transform == DATE_PART,
            "a sign of several currencies": lambda of: of.is_open_currency,
        },
    ),
    (
        lambda of: of.shown,
        {
            "a former price": lambda of: of.is_former,
            "a bare number for a price": lambda of: of.is_no_price,
            "no sign of money": is_unsigned,
        },
    ),
    (
        lambda of: of.kind == "text",  # what a value of the field looks like
        {
            "no figure": lacks_figure,
            "no letter": lacks_letter,
            "no currency": names_no_currency,
            "it heads the page": is_heading,
            "another field heads the page": is_unheaded,
        },
    ),
    (
        lambda of: of.match is None,  # what goes without saying
        {
            "stated nowhere: no": lambda of: of.leaf.value is False,
            "stated nowhere: yes": lambda of: of.leaf.value is True,
            "stated nowhere: a choice": lambda of: not isinstance(of.leaf.value, bool),
            "stated for the other records": _stated_share,
        },
    ),
    (
        lambda _: True,
        {
            "item of a list": lambda of: of.leaf.field[-1:] == ("*",),
            "stated often": lambda of: _capped(math.log2(1 + len(of.scene.stated[of.leaf.pointer][1])) - 1, 3.0),
        },
    ),
)
"""The other features."""


def features_at(spot: Spot) -> dict[str, float]:
    """Give the features of a value at its place; those of labels only where they might make it doubtful."""
    features = dict.fromkeys(("always", *LEVELS.get(spot.level, ()), *KINDS.get(spot.kind, ())), 1.0)
    _add(features, FEATURES, spot)
    known = weights()
    if score(features) + known.most_for + known.most_against * spot.strangeness > known.margin:
        if not spot.is_cut and spot.unit >= 0:
            _add(features, NAMED, spot)
        _add(features, NAMED_OTHERWISE, spot, spot.strangeness)
    return features


def _add(features: dict[str, float], groups: Groups, spot: Spot, share: float = 1.0) -> None:
    for may_be, group in groups:
        if may_be(spot):
            for name, feature in group.items():
                if value := feature(spot) * share:
                    features[name] = value


_CUTS = frozenset(("ends inside a text", "inside a text", "goes on in brackets"))

# What becomes of it


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the features, the score from which on a value is doubted, and the most that labels may add to it.

    That is for a place, and against one that is strange to the field.
    """

    of: Mapping[str, float]
    margin: float
    most_for: float
    most_against: float


@cache
def weights() -> Weights:
    """Give the weights as they were learned."""
    data = packaged("judging_weights")
    most = [
        sum(max(0.0, data["weights"].get(name, 0.0)) for _, group in groups for name in group)
        for groups in (NAMED, NAMED_OTHERWISE)
    ]
    return Weights(data["weights"], data["margin"], *most)


def score(features: Mapping[str, float]) -> float:
    """Give the logarithm of the odds that a value is wrong."""
    known = weights().of
    return sum(known.get(name, 0.0) * value for name, value in features.items())


FORMER_PRICE = "it is what it cost before"
"""The one doubt that speaks against data of the page, too: they may be older than what it shows."""

_SAID = {
    "the text goes on behind it": (
        "ends inside a text",
        "inside a text",
        "a name, inside a text",
        "goes on in brackets",
    ),
    "the text begins before it": ("begins inside a text",),
    "it is put together from pieces of the text": ("put together from afar", "put together"),
    "another field's value is a part of it": ("has another's value in it", "has another's value in it, no other does"),
    "it stands in another unit": ("in another unit",),
    "it stands behind another field's label": ("label is another's name", "label is like another"),
    "the words beside it name another field": ("words beside are another's",),
    "its element is named as another field": ("markup is named as another",),
    "it stands where other records have another field": ("another field's place", "surely another field's place"),
    "it stands elsewhere than in other records": ("not the usual place", "not the usual place at all"),
    "another field has the same value, and the page states it once": ("said by another field",),
    "another field fits its place better": ("said by another field that fits better",),
    "the field's name leads to another value": ("name leads elsewhere",),
    "nothing states it": ("stated nowhere: no", "stated nowhere: yes", "stated nowhere: a choice"),
    "other records state it, this one does not": ("stated for the other records",),
    "it stands outside of the record": ("shared by records", "elsewhere on the page"),
    "it stands in a sentence outside of all records": ("shared by records, in prose",),
    "a word states it that may mean something else": ("stated weakly",),
    "it is a part of a date": ("part of a date",),
    "its sign stands for several currencies": ("a sign of several currencies",),
    "it stands in a part of the page about other things": ("in a part about other things",),
    FORMER_PRICE: ("a former price",),
    "it is no amount of money there": ("a bare number for a price", "no sign of money"),
    "it has too few figures": ("no figure",),
    "it has no letter": ("no letter",),
    "it is no currency": ("no currency",),
    "it is the heading of the page": ("it heads the page",),
    "the page is headed with the value of another field": ("another field heads the page",),
}
SAYINGS: Mapping[str, str] = MappingProxyType({name: said for said, names in _SAID.items() for name in names})
"""What a feature says against a value, in words for a person."""


def doubt_of(spot: Spot, features: Mapping[str, float]) -> tuple[str | None, Rival | None]:
    """Give the doubt about a value as a sentence, and what may be meant instead; None where there is none."""
    if score(features) <= weights().margin:
        return None, None
    known = weights().of
    against = sorted((-known.get(name, 0.0) * value, name) for name, value in features.items() if name in SAYINGS)
    said = [SAYINGS[name] for weight, name in against if weight < 0][:1]
    found = spot.rival or (None if _CUTS.isdisjoint(features) else spot.whole)
    rival = Rival(value=found[0], start=found[1], end=found[2]) if found is not None else None
    return (said[0] if said else "its place does not fit the field"), rival
