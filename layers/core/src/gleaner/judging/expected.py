"""What is expected of a field's values, whatever is around them: a price has a figure, a name stands in the heading."""

import re
from functools import lru_cache

from gleaner.judging.origins.regions import line_at
from gleaner.judging.spots import Spot
from gleaner.judging.surroundings import plain_words
from gleaner.schemas.leaves import Leaf
from gleaner.values import locales
from gleaner.values.fields import Field
from gleaner.values.mentions.number_words import has_number_word
from gleaner.values.money import currencies_of, currencies_stated
from gleaner.values.money_signs import CURRENCY
from gleaner.values.names import name_words, roles_of, schema_org_paths
from gleaner.values.texts.text_index import Match

_FIGURED = frozenset(("year", "figured"))
_WORDED = frozenset(("name", "worded"))
_LONG_CODE = 7
"""The fewest digits of codes of goods, books and journals: an ISSN may end in X (ISO 3297), an EAN has eight."""

_CURRENCY = ("priceCurrency",)
_SIGNED = re.compile(rf"{CURRENCY}\s?\d|\d[.,]{{0,2}}\s?{CURRENCY}")
_REACH, _MOST_FIELDS = 40, 400


def lacks_figure(of: Spot) -> bool:
    """Tell whether a text without a number is given for an amount or a year, or one of few figures for a long code."""
    said, least = _said(of.leaf), _least_figures(of.field)
    return sum(map(str.isdigit, said)) < least and not (least == 1 and has_number_word(said))


def lacks_letter(of: Spot) -> bool:
    """Tell whether a text without a letter is given for what has a name; what heads the page may be one: "1984"."""
    has_letter = any(map(str.isalpha, _said(of.leaf)))
    return not has_letter and _is_worded(of.field) and plain_words(_said(of.leaf)) not in of.scene.around.headings


def names_no_currency(of: Spot) -> bool:
    """Tell whether a text is given for a currency that stands for none, and beside no figure, as unknown signs do."""
    said = _said(of.leaf)
    if not _is_currency(of.field) or currencies_of(said) or currencies_stated(said):
        return False
    return any(map(str.isdigit, said)) or of.match is None or not _is_beside_a_figure(of.scene.text, of.match)


def is_unsigned(of: Spot) -> bool:
    """Tell whether figures alone are given for the price of a page's one thing, and the page's amounts have signs."""
    if of.match is None or of.number is not None or not _said(of.leaf)[:1].isdigit():
        return False
    if not of.field.is_paid or not _least_figures(of.field) or not of.scene.around.has_amounts:
        return False
    text, start, end = of.scene.text, of.match.start, of.match.end
    first, stop = line_at(text, start, end)
    return _SIGNED.search(text, max(first, start - _REACH), min(stop, end + _REACH)) is None


def is_heading(of: Spot) -> bool:
    """Tell whether the page is headed with a value, and its one thing has a name, which should be that."""
    return (
        of.number is None
        and "name" not in of.field.roles
        and of.scene.around.headings.get(plain_words(_said(of.leaf))) == 1
        and any(_is_name(of.scene.fields[field]) for field in of.scene.beside(of.leaf))
    )


def is_unheaded(of: Spot) -> bool:
    """Tell whether a value names a page's one thing, is no heading, and the page is headed with another field's."""
    headings = of.scene.around.headings
    if of.number is not None or not headings or not _is_name(of.field):
        return False
    said = plain_words(_said(of.leaf))
    own = of.scene.objects[of.scene.object_of(of.leaf)][:_MOST_FIELDS]
    others = (one for one in own if isinstance(one.value, str) and "name" not in of.scene.fields[one.field].roles)
    if said in headings or any(said in one or one in said for one, level in headings.items() if level == 1):
        return False
    return any(headings.get(plain_words(str(one.value))) == 1 for one in others)


def _is_beside_a_figure(text: str, match: Match) -> bool:
    before, behind = text[max(0, match.start - 2) : match.start].strip(), text[match.end : match.end + 2].strip()
    return before[-1:].isdigit() or behind[:1].isdigit()


def _said(leaf: Leaf) -> str:
    return str(leaf.value).strip()


@lru_cache(maxsize=1024)
def _least_figures(field: Field) -> int:
    """Give how many figures each value of a field has, by the last word of its name: a ``price``, no ``price_note``."""
    if "long_code" in field.roles:
        return _LONG_CODE
    is_amount = not locales.words("paid").isdisjoint(name_words(field.name)[-1:])
    return int(is_amount or not _FIGURED.isdisjoint(field.roles))


@lru_cache(maxsize=1024)
def _is_worded(field: Field) -> bool:
    """Tell whether a field has names, by the last word of its own: an ``author``, no ``author_id``."""
    return any(not _WORDED.isdisjoint(roles_of(word)) for word in name_words(field.name)[-1:])


@lru_cache(maxsize=1024)
def _is_currency(field: Field) -> bool:
    return schema_org_paths((field.name,))[:1] == [_CURRENCY]


@lru_cache(maxsize=1024)
def _is_name(field: Field) -> bool:
    """Tell whether a field is nothing but the name of the thing: ``title``, and no ``venue_name``."""
    words = name_words(field.name)
    return bool(words) and all("name" in roles_of(word) for word in words)
