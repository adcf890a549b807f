"""Where a page has no words at all that might be a field's value: what its data alone says is not denied."""

import re
from typing import Any

from gleaner.coercion.words import IN_STOCK, OUT_OF_STOCK
from gleaner.grounding.dates.dates import MONTHS
from gleaner.grounding.numbers.number_words import NUMBER_WORDS
from gleaner.structured.fields import Field
from gleaner.structured.labels import words_of
from gleaner.structured.measures import CURRENCIES, listed, unit_named
from gleaner.structured.vocabulary import PATHS

_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+|\n+")
_SENTENCE = re.compile(r"[^\W\d_]\w*(?:[,;:]?[ -][^\W\d_A-ZÀ-Þ][^\s]*){3,}[.!?]")
_ON_REQUEST = re.compile(
    r"\b(?:call|contact|ask|enquir\w+|inquir\w+|quotes?|request|application|poa|free|gratis|sold|"
    r"anfrage|devis|demande|preventivo|richiesta|presupuesto|consultar|aanvraag)\b",
    re.IGNORECASE,
)
PROSE = listed("description summary abstract text body content excerpt teaser story")
"""Words of fields that hold sentences."""
_FIGURE = re.compile(r"\d|[★☆⭐]")
_UNDER_A_LABEL = re.compile(r"\W*[^\W\d_][^\d|:]{0,40}[^\W\d_]\W{0,4}[|:]")
_PAGE = re.compile(r"\s*- (?:\[?\d{1,3}\]?(?:\([^)\s]*\))?)\s*$")
_DAY_WORDS = frozenset(MONTHS) | listed("today yesterday ago tomorrow heute gestern aujourd hier hoy ayer oggi")
_NUMBER_WORDS = frozenset(word for word, number in NUMBER_WORDS.items() if number > 1)
_LONGEST_PARTICLE = 2
GIVEN = ("rating", "review_count", "rating_count")
"""What customers give."""
_OF_REVIEWS = listed("rating review rated reviewed star vote score bewertung avi reseña valoracione recensione")
OUT = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(OUT_OF_STOCK, key=len, reverse=True)))
IN = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(IN_STOCK, key=len, reverse=True)))


def may_be_unseen(field: Field, value: Any, text: str) -> bool:
    """Tell whether the page says nothing that denies a value which its data alone has; zero often stands for none."""
    if any(is_called(field, name) for name in GIVEN) and not _OF_REVIEWS.isdisjoint(words_of(text)):
        return False
    speaks_of_money = any(unit_named(word) in CURRENCIES for word in words_of(text))
    if field.kind == "number" and (value == 0 or speaks_of_money or _ON_REQUEST.search(text)):
        return False
    return is_silent_on(field, text) or _names_nothing(field, text)


def is_silent_on(field: Field, text: str) -> bool:
    """Tell whether a text says nothing that might be the value of a field.

    What stands under another label is not the field's. A text might be any of the words: always in doubt.
    """
    if field.kind not in ("number", "date", "boolean"):
        return False
    said = set(words_of(text))
    if any(len(word) > _LONGEST_PARTICLE for word in own_words(field) & said):
        return False
    if field.kind == "boolean":
        return is_called(field, "in_stock") and not OUT.search(text.casefold()) and not IN.search(text.casefold())
    in_words = _DAY_WORDS if field.kind == "date" else _NUMBER_WORDS
    free = "\n".join(line for line in text.splitlines() if not _UNDER_A_LABEL.match(line) and not _PAGE.match(line))
    return in_words.isdisjoint(said) and not _FIGURE.search(free)


def _names_nothing(field: Field, text: str) -> bool:
    """Tell whether a text has no words that might be a text field's value: it holds plain sentences without names.

    A short line may be a name by itself, and so may a capital inside a sentence.
    """
    said = set(words_of(text))
    if field.kind != "text" or any(len(word) > _LONGEST_PARTICLE for word in own_words(field) & said):
        return False
    if _FIGURE.search(text) or "@" in text:
        return False
    sentences = [each.strip() for each in _SENTENCE_ENDS.split(text) if words_of(each)]
    is_prose = not PROSE.isdisjoint(own_words(field))
    return not sentences or (not is_prose and all(_SENTENCE.fullmatch(each) for each in sentences))


def own_words(field: Field) -> set[str]:
    """Give the words of the field's names, and of those that go for the same in schema.org."""
    return {word for words in field.names for word in words} | _synonyms(field)


def _synonyms(field: Field) -> set[str]:
    paths = {PATHS[words] for words in field.names if words in PATHS}
    return {word for words, others in PATHS.items() if others in paths for word in words}


def is_called(field: Field, name: str) -> bool:
    """Tell whether the field is what schema.org calls by a name, or by one that stands for the same."""
    return any(PATHS.get(words) == PATHS[words_of(name)] for words in field.all_names)
