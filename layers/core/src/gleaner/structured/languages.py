"""The language that a page's words are of, for pages that do not declare theirs."""

from collections.abc import Iterable

from gleaner.contracts.word_lists import listed

_FEWEST = 2
_CLEARLY = 4

_WORDS = {
    "en": listed(
        "the and of with from by this that are was which your our all for about home price height weight length width "
        "depth year country town city size stock author address street company founded area date time state day "
        "month week amount quantity bedroom bedrooms bathroom bathrooms brand color colour fee cost range population "
        "number employees salary built opened first last team player points score owner seats speed distance phone"
    ),
    "de": listed(
        "der das und mit für von ist ein eine nicht auf zu im dem den bei nach über preis jahr stadt größe gewicht"
    ),
    "fr": listed("le les du et une est pour dans avec sur au aux par nom prix ville année taille poids"),
    "it": listed("il gli che di una della nel dal sono prezzo nome città anno peso altezza"),
    "nl": listed("het een van voor met zijn aan naar niet prijs naam stad jaar gewicht hoogte"),
    "es": listed("el los las una para del por precio nombre ciudad año peso altura"),
    "pt": listed("os uma para dos das pelo são preço nome cidade ano altura"),
    "pl": listed("w na i z jest nie się dla cena nazwa rok miasto"),
    "sv": listed("och att det som för på med är ett pris namn stad år"),
    "da": listed("og det som for på med er et pris navn by år"),
    "fi": listed("ja on ei hinta nimi vuosi kaupunki"),
    "ru": listed("и в на с по из для цена название год город"),
}


def language_of(words: Iterable[str]) -> str:
    """Give the language whose usual words a page has by far the most of; "" when no language has.

    >>> language_of("the price of the lamp".split()), language_of("Lamp 12".split())
    ('en', '')
    """
    said = frozenset(words)
    counts = sorted(((len(own & said), language) for language, own in _WORDS.items()), reverse=True)
    (most, language), (second, _) = counts[:2]
    return language if most >= max(_FEWEST, _CLEARLY * second) else ""
