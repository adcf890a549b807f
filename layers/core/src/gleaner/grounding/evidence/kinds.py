"""Reject values that can't be what the field's name asks for: a postcode without digits."""

from collections import Counter
from collections.abc import Callable, Sequence

from gleaner.contracts.word_lists import listed
from gleaner.grounding.leaves import Leaf, Steps
from gleaner.grounding.numbers.measures import is_told
from gleaner.grounding.text.spellings import label_words
from gleaner.grounding.text.text_index import Match

_OF_FIGURES = listed(
    "postcode postalcode zip zipcode plz postleitzahl codepostal codigopostal telephone telefon telefono tel fax "
    "phonenumber isbn issn ean gtin iban latitude longitude"
)
_OF_LETTERS = listed(
    "city town country street author firstname lastname surname stadt ort land strasse autor vorname nachname ville "
    "pays rue auteur ciudad pais calle citta paese"
)
_PHONE = listed("phone mobile")


_OF_ADDRESSES = listed(
    "address street adresse adres adresa anschrift strasse calle direccion indirizzo endereco rua rue via ulica gata"
)


def of_another_kind(leaves: Sequence[Leaf], mentions: Callable[[Leaf], Sequence[Match]]) -> set[str]:
    """Give the pointers of texts without a figure where a name wants some, or with nothing else where it wants words,
    and of counts, prices and measures that only an address of the same record says.

    A ``phone`` may be the name of one: it has no figures only if it says what another field of its object says.
    """
    said: dict[Steps, Counter[object]] = {}
    named = [(leaf, "".join(label_words(str(leaf.field[-1])))) for leaf in leaves if _is_text(leaf)]
    for leaf, _ in named:
        said.setdefault(leaf.steps[:-1], Counter())[leaf.value] += 1
    texts = {
        leaf.pointer for leaf, name in named if _is_other(str(leaf.value), name, said[leaf.steps[:-1]][leaf.value])
    }
    addresses: dict[Steps, list[Leaf]] = {}
    for leaf, _ in named:
        if not _OF_ADDRESSES.isdisjoint(label_words(str(leaf.field[-1]))):
            for depth in range(len(leaf.steps)):
                addresses.setdefault(leaf.steps[:depth], []).append(leaf)
    return texts | {
        leaf.pointer
        for leaf in leaves
        if (near := addresses.get(leaf.steps[:-1])) and _is_of_address(leaf, near, mentions)
    }


def _is_of_address(leaf: Leaf, addresses: Sequence[Leaf], mentions: Callable[[Leaf], Sequence[Match]]) -> bool:
    """Tell whether all places of a number lie in an address of the record: "24" of "Lindenallee 24" counts nothing."""
    if (leaf.value is None or isinstance(leaf.value, str | bool)) or not leaf.field or not is_told(leaf.field):
        return False
    own = [place for one in addresses for place in mentions(one)]
    found = mentions(leaf) if own else ()
    return bool(found) and all(any(of.start <= one.start and one.end <= of.end for of in own) for one in found)


def _is_text(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and bool(leaf.field) and not leaf.is_derived


def _is_other(value: str, name: str, times: int) -> bool:
    if name in _OF_FIGURES or (name in _PHONE and times > 1):
        return not any(map(str.isdigit, value))
    return name in _OF_LETTERS and any(map(str.isdigit, value)) and not any(map(str.isalpha, value))
