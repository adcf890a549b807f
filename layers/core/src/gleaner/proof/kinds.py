"""Texts that can't be what a field's name asks for: a postcode without a figure, a city of figures alone."""

from collections import Counter
from collections.abc import Iterable

from gleaner.proof.leaves import Leaf, Steps
from gleaner.proof.spellings import label_words
from gleaner.word_lists import listed

_OF_FIGURES = listed(
    "postcode postalcode zip zipcode plz postleitzahl codepostal codigopostal telephone telefon telefono tel fax "
    "phonenumber isbn issn ean gtin iban latitude longitude"
)
_OF_LETTERS = listed(
    "city town country street author firstname lastname surname stadt ort land strasse autor vorname nachname ville "
    "pays rue auteur ciudad pais calle citta paese"
)
_PHONE = listed("phone mobile")


def of_another_kind(leaves: Iterable[Leaf]) -> set[str]:
    """Give the pointers of texts without a figure where a name wants some, or with nothing else where it wants words.

    A ``phone`` may be the name of one: it has no figures only if it says what another field of its object says.
    """
    said: dict[Steps, Counter[object]] = {}
    named = [(leaf, "".join(label_words(str(leaf.field[-1])))) for leaf in leaves if _is_text(leaf)]
    for leaf, _ in named:
        said.setdefault(leaf.steps[:-1], Counter())[leaf.value] += 1
    return {leaf.pointer for leaf, name in named if _is_other(str(leaf.value), name, said[leaf.steps[:-1]][leaf.value])}


def _is_text(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and bool(leaf.field) and not leaf.is_derived


def _is_other(value: str, name: str, times: int) -> bool:
    if name in _OF_FIGURES or (name in _PHONE and times > 1):
        return not any(map(str.isdigit, value))
    return name in _OF_LETTERS and any(map(str.isdigit, value)) and not any(map(str.isalpha, value))
