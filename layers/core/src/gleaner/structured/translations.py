"""What a page's labels in other languages mean in English."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from gleaner.structured.labels import Label, Words, words_of
from gleaner.values.foreign_words import FOREIGN_WORDS


def _english() -> Iterator[tuple[str, Mapping[Words, str]]]:
    for language, text in FOREIGN_WORDS.items():
        lines = (entry.partition(":") for entry in text.replace("\n", ";").split(";") if entry.strip())
        yield language, {words_of(each): english.strip() for english, _, said in lines for each in said.split(",")}


_ENGLISH: Mapping[str, Mapping[Words, str]] = MappingProxyType(dict(_english()))


def in_english(label: Label, language: str) -> Label:
    """Give a label in English, where all of it is known in the page's language; else itself.

    >>> in_english(Label("Preis", ("preis",)), "de"), in_english(Label("Preis", ("preis",)), "fr")
    (Label(text='price', words=('price',), unit=None), Label(text='Preis', words=('preis',), unit=None))
    """
    english = _ENGLISH.get(language, {}).get(label.words)
    return label if english is None else Label(english, words_of(english), label.unit)
