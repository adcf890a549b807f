"""Words for true, false and nothing, in the languages of common pages."""

import unicodedata

from gleaner.contracts.word_lists import listed

YES = listed("true yes y on ✓ ✔ ✅ ☑ ja oui si sí sì sim tak да так ano igen evet kyllä jah はい 是 有 예")
NO = listed("false no n off ✗ ✘ ❌ ☒ ✖ nein non não nie nej nei ne нет ні nem hayır ei nu いいえ 否 无 아니요")
IN_STOCK = frozenset(
    (
        "in stock", "instock", "available", "available now", "in store", "auf lager", "lieferbar", "sofort lieferbar",
        "verfügbar", "vorrätig", "en stock", "disponible", "in magazzino", "disponibile", "em estoque", "em stock",
        "disponível", "op voorraad", "leverbaar", "i lager", "på lager", "varastossa", "dostępny", "w magazynie",
        "skladem", "na skladě", "raktáron", "în stoc", "на складе", "в наличии", "в наявності", "stokta", "stokta var",
        "在庫あり", "有货", "有貨", "现货", "現貨", "재고 있음", "còn hàng", "متوفر", "במלאי", "σε απόθεμα",
    )
)  # fmt: skip
OUT_OF_STOCK = frozenset(
    (
        "out of stock", "outofstock", "sold out", "soldout", "unavailable", "not available", "currently unavailable",
        "not in stock", "ausverkauft", "nicht verfügbar", "nicht vorrätig", "nicht lieferbar", "nicht auf lager",
        "rupture de stock", "en rupture de stock", "épuisé", "indisponible", "agotado", "sin stock", "no disponible",
        "esaurito", "non disponibile", "esgotado", "sem estoque", "indisponível", "uitverkocht", "niet op voorraad",
        "slutsåld", "slut i lager", "ej i lager", "udsolgt", "ikke på lager", "utsolgt", "loppuunmyyty", "wyprzedany",
        "niedostępny", "brak w magazynie", "vyprodáno", "není skladem", "нет в наличии", "немає в наявності",
        "stokta yok", "tükendi", "在庫なし", "在庫切れ", "売り切れ", "品切れ", "缺货", "缺貨", "无货", "無貨", "售罄",
        "품절", "재고 없음", "hết hàng", "غير متوفر", "אזל מהמלאי", "εξαντλήθηκε", "elfogyott", "nincs raktáron",
        "stoc epuizat", "нет на складе", "распродано", "rasprodano", "vypredané", "backordered", "on backorder",
        "no longer available",
    )
)  # fmt: skip
SCHEMA_PREFIXES = ("http://schema.org/", "https://schema.org/", "schema:")
SCHEMA_ORG = {"instock": True, "instoreonly": True, "onlineonly": True, "outofstock": False, "soldout": False}
ANSWERS = (
    dict.fromkeys(NO | OUT_OF_STOCK, False)
    | {f"{prefix}{word}": is_yes for prefix in SCHEMA_PREFIXES for word, is_yes in SCHEMA_ORG.items()}
    | dict.fromkeys(YES | IN_STOCK, True)
)
"""What each word says."""
NOTHING = listed("- -- – — n/a n.a. na none null nil k.a. 無し") | {"", "not applicable", "нет данных"}
_HOLLOW = NOTHING | frozenset(
    (
        "unknown", "not known", "not available", "not specified", "not stated", "not given", "not provided",
        "not rated", "unassigned", "not assigned", "nicht zugewiesen", "non attribué", "sin asignar", "не назначен",
        "not yet rated", "not set", "no data", "no information", "unspecified", "undisclosed", "not disclosed", "tba",
        "tbd", "to be announced", "to be determined", "unbekannt", "keine", "keine angabe", "keine angaben", "k. a.",
        "nicht bekannt", "nicht angegeben", "inconnu", "inconnue", "non renseigné", "non précisé", "aucun", "aucune",
        "desconocido", "desconocida", "ninguno", "ninguna", "sin datos", "no disponible", "sconosciuto", "nessuno",
        "non disponibile", "desconhecido", "nenhum", "onbekend", "geen", "okänd", "ukjent", "ukendt", "ingen",
        "tuntematon", "nieznany", "brak", "brak danych", "неизвестно", "не указано", "不明", "未知", "なし", "无",
    )
)  # fmt: skip
"""What stands where a value would, and says in words that there is none."""
_BEGINNINGS = frozenset(word[:2] for word in _HOLLOW)
HOLLOW_SPELLINGS = frozenset(
    spelling for word in _HOLLOW if word for spelling in (word, word.capitalize(), word.title(), word.upper())
)
"""The same as pages mostly spell it, for a quick look."""
NEGATIVE_NAMES = listed(
    "out sold unavailable soldout outofstock oos ausverkauft agotado esaurito uitverkocht epuise esgotado"
)
"""A field named with one of these asks the opposite question: "sold out" makes ``sold_out`` true."""


def folded(text: str) -> str:
    """Give the text in lower case, compatibility forms resolved, one space between words."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def says_nothing(text: str) -> bool:
    """Tell whether a text says that there is no value.

    >>> says_nothing("Not available"), says_nothing("None."), says_nothing("None of these")
    (True, True, False)
    """
    is_word = text[:3].isascii() and text[:3].isalnum() and len(text) > 2
    return not (is_word and text[:2].lower() not in _BEGINNINGS) and folded(text).strip(" .!()*") in _HOLLOW


def parse_boolean(text: str) -> bool:
    """Give true or false for a word that says yes, no, in stock or out of stock.

    >>> parse_boolean("In stock"), parse_boolean("ausverkauft"), parse_boolean("✓")
    (True, False, True)
    """
    answer = ANSWERS.get(folded(text).strip(" .!"))
    if answer is not None:
        return answer
    raise ValueError(f"neither yes nor no: {text[:80]!r}")


def is_availability(text: str) -> bool:
    """Tell whether the text speaks of stock, not plainly yes or no."""
    word = folded(text).strip(" .!")
    return word not in YES and word not in NO


def parse_null(text: str) -> None:
    """Give None for a placeholder that says that there is no value.

    >>> parse_null("N/A")
    """
    if folded(text) not in NOTHING:
        raise ValueError(f"says something: {text[:80]!r}")
