"""What stands above a column, beside a value or before a colon, in the form in which names are compared."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from gleaner.contracts.word_lists import listed
from gleaner.structured.measures import SCALES, is_plain_unit, shorten_units, speaks_of_length, unit_named

Words = tuple[str, ...]

_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TOKEN = re.compile(r"[^\W_]+")
_KEPT_PLURALS = frozenset(["news", "series", "species", "class", "status", "address", "gas", "plus", "less"])
_IRREGULAR = MappingProxyType({"people": "person", "men": "man", "women": "woman", "children": "child"})
_PLAIN_PLURALS = frozenset(["shoes", "toes", "canoes", "axes", "caches", "aches", "headaches"])


@dataclass(frozen=True, slots=True)
class Label:
    """A label's words, in the singular, and the unit that it states beside them."""

    text: str
    words: Words
    unit: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not self.words


@lru_cache(maxsize=8192)
def words_of(text: str) -> Words:
    """Give the words of a name in any case and number.

    >>> words_of("releaseDate"), words_of("Release dates:"), words_of("release_date")
    (('release', 'date'), ('release', 'date'), ('release', 'date'))
    """
    spaced = _CAMEL.sub(" ", unicodedata.normalize("NFKC", text))
    return tuple(singular(word) for word in _TOKEN.findall(spaced.casefold()))


def singular(word: str) -> str:
    """Give the word without an English plural's ending; both sides of a comparison go through it."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word in _KEPT_PLURALS or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "oes")) and word not in _PLAIN_PLURALS:
        return word[:-2]
    return word.removesuffix("s")


def is_plural(text: str) -> bool:
    """Tell whether the last word of a name, but for a unit in brackets, has a plural's ending.

    >>> is_plural("Ratings:"), is_plural("Preis (€)")
    (True, False)
    """
    tokens = _TOKEN.findall(_BRACKETS.sub(" ", text).casefold().replace("_", " "))
    return bool(tokens) and singular(tokens[-1]) != tokens[-1]


@lru_cache(maxsize=4096)
def read_label(text: str) -> Label:
    """Read a header or a label; a bracket that is no unit stays among its words, since it says something else.

    >>> read_label("Price (€)"), read_label("Price (incl. VAT)").words
    (Label(text='Price (€)', words=('price',), unit='eur'), ('price', 'incl', 'vat'))
    """
    said, text = text, shorten_units(text)
    units = [unit for piece in _BRACKETS.findall(text) if (unit := _unit_of_bracket(piece))]
    plain = _BRACKETS.sub(lambda match: " " if _unit_of_bracket(match[1]) else f" {match[1]} ", text)
    tokens = plain.replace("/", " / ").split()
    if not units and len(tokens) > 1 and _is_unit_at_end(tokens):
        units = [str(unit_named(tokens[-1]))]
        tokens = tokens[:-1]
        if len(tokens) > 1 and tokens[-1].casefold() == "in":
            tokens = tokens[:-1]
    return Label(said, words_of(" ".join(tokens)), units[0] if len(units) == 1 else None)


def _unit_of_bracket(piece: str) -> str | None:
    bare = piece.strip().casefold().removeprefix("in ").strip()
    return unit_named(bare)


def _is_unit_at_end(tokens: list[str]) -> bool:
    last = tokens[-1]
    if tokens[-2] in ("/", "per"):
        return False
    return is_plain_unit(last) or (tokens[-2].casefold() == "in" and unit_named(last) is not None)


_COUNTED = listed("quantity amount population revenue turnover profit loss income budget capital price cost salary qty")
_HEAT = listed("temperature temp melting boiling heat kelvin")
_LETTERS = listed("k m b t")


def states_a_scale(label: Label) -> bool:
    """Tell whether the numbers under the label are to be multiplied: thousands, millions.

    A letter that is short for a unit is short for a scale over what is counted.

    >>> [states_a_scale(read_label(text)) for text in ("Sales (in thousands)", "Users (m)", "Height (m)")]
    [True, True, False]
    """
    if not SCALES.isdisjoint(word for word in re.findall(r"[^\W_]+", label.text.casefold())):
        return True
    piece = _BRACKETS.search(label.text.casefold())
    if piece is None or piece[1].strip() not in _LETTERS:
        return False
    is_counted = (is_plural(label.text) and not speaks_of_length(label.words)) or not _COUNTED.isdisjoint(label.words)
    return is_counted or (piece[1].strip() == "k" and _HEAT.isdisjoint(label.words))
