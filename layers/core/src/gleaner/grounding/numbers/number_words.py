"""Numbers written as words, or in Roman numerals: each proves a number only in the record's own place."""

from collections.abc import Mapping
from functools import cache, lru_cache

from gleaner.contracts.word_lists import listed
from gleaner.grounding.dates.dates import Words
from gleaner.grounding.numbers.numerals import Number
from gleaner.values import locales

NUMBER_WORDS = {
    word: number
    for number, words in enumerate(
        ("zero none no free gratis kostenlos gratuit", "one", "two", "three", "four", "five", "six", "seven", "eight",
         "nine", "ten", "eleven", "twelve")
    )
    for word in words.split()
}  # fmt: skip
"""Words that state a number; they prove it only within the record's own place."""

FREE = (
    "entrée libre", "entrée gratuite", "entrada libre", "entrada gratuita", "entrada franca", "ingresso libero",
    "ingresso gratuito", "eintritt frei", "gratuite", "gratuita", "gratuito", "kostenfrei", "for free", "fri entré",
    "gratuitement", "versandkostenfrei", "portofrei", "frei Haus", "offert", "offerte", "bezpłatna", "darmowa",
    "送料無料", "包邮", "包郵", "za darmo", "zdarma", "bezpłatnie", "wstęp wolny", "ingyenes", "ilmainen", "ücretsiz",
    "бесплатно", "безкоштовно",
    "δωρεάν", "miễn phí", "無料", "免费", "免費", "무료", "ฟรี", "مجاني", "مجانا", "חינם", "मुफ़्त", "निःशुल्क",
)  # fmt: skip
"""Phrases that state a price of 0, as weak as NUMBER_WORDS."""

_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FOREIGN = """
zwei deux dois twee två dwa два
drei trois tres tre três drie trzy три
vier quatre cuatro quattro quatro fyra cztery четыре
fünf cinq cinco cinque vijf fem pięć пять
sechs seis zes sześć шесть
sieben siete sette sete zeven sju siedem семь
acht huit ocho otto oito åtta osiem восемь
neun nueve nove negen nio dziewięć девять
zehn diez dieci dziesięć десять
"""
"""From two to ten, without words that mean something else in another language ("dos", "sex", "neuf", "sept")."""

_KNOWN: tuple[tuple[Number, str], ...] = (
    *((number, word) for word, number in NUMBER_WORDS.items()),
    *((number, word) for number, word in enumerate(_TEENS, start=13)),
    *((10 * ten, word) for ten, word in enumerate(_TENS, start=2)),
    *((number, word) for number, line in enumerate(_FOREIGN.split("\n")[1:-1], start=2) for word in line.split()),
)
_COUNTS: dict[int, str] = {
    2: "dos due duas doi două dwie dwiema dwóch две двумя двух дві двома двум iki két két dva dvě dve dvije "
    "två to δύο δυο dua hai "
    "שני שתי שתיים kaksi du dvi kaks",
    3: "trei trzej trzema trzech тремя трёх трех трьома üç három tři tri τρεις τρία tiga "
    "שלושה שלוש ثلاث ثلاثة kolme "
    "trys kolm",
    4: "quatro patru fire czterema czterech четырьмя четырёх четырех чотири dört négy čtyři štyri "
    "četiri τέσσερα τέσσερις empat "
    "ארבעה ארבע أربع أربعة neljä keturi neli",
    5: "cinci pięcioma пятью пяти п'ять beş öt pět päť pet πέντε lima חמישה חמש خمس خمسة viisi penki viis",
    6: "six seis sei zes sex seks șase sześcioma шестью шести шість altı hat šest έξι enam שישה שש ست "
    "ستة kuusi šeši kuus",
    7: "sept șapte siedmioma семью семи сім yedi hét sedm sedem sedam επτά εφτά tujuh שבעה שבע سبع سبعة "
    "seitsemän septyni seitse",
    8: "otte opt ośmioma восемью восьми вісім sekiz nyolc osm osem osam οκτώ delapan שמונה ثمان ثماني "
    "ثمانية kahdeksan kaheksa",
    9: "neuf ni nouă dziewięcioma девятью девяти дев'ять dokuz kilenc devět deväť devet εννέα sembilan "
    "תשעה תשע تسع تسعة yhdeksän",
    10: "dix dez tien tio ti zece dziesięcioma десятью десяти on tíz deset desať δέκα sepuluh עשרה עשר "
    "عشر عشرة kymmenen",
}
"""More words for two to ten, some of which mean other things, too: they count only what stands right behind them."""

_HUNDREDS = listed("hundred hundert dozen")
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_TIMES_TEN, _TIMES_HUNDRED = str.maketrans("IVX", "XLC"), str.maketrans("IVX", "CDM")
_LARGEST_ROMAN = 39
_ROMAN_YEARS = range(1400, 2100)


@lru_cache(maxsize=1024)
def words_of_number(value: Number) -> tuple[str, ...]:
    """Give the words that state a number, in the order in which they are known."""
    return tuple(dict.fromkeys(word for number, word in _KNOWN if number == value))


@cache
def _values() -> Mapping[str, int]:
    known = {word: number for number, word in _KNOWN if isinstance(number, int) and number}
    return {word: number for number, words in _COUNTS.items() for word in words.split()} | known


def value_of_word(word: str) -> int:
    """Give the number that a word says, 0 for any other word.

    >>> value_of_word("three"), value_of_word("Drei"), value_of_word("jug")
    (3, 3, 0)
    """
    return _values().get(word.casefold(), 0)


def words_that_count(value: Number) -> tuple[str, ...]:
    """Give the words that say a number before what they count: those of ``words_of_number``, and more.

    >>> words_that_count(3)[:4], words_that_count(2.5)
    (('three', 'drei', 'trois', 'tres'), ())
    """
    more = _COUNTS.get(value, "").split() if isinstance(value, int) else []
    return tuple(dict.fromkeys([*words_of_number(value), *more])) if value else ()


def compound_of(value: Number) -> str:
    """Give the two words of a number from 21 to 99; "" for any other.

    >>> compound_of(21), compound_of(30)
    ('twenty-one', '')
    """
    if not isinstance(value, int) or not 20 < value < 100 or value % 10 == 0:
        return ""
    return f"{_TENS[value // 10 - 2]}-{words_of_number(value % 10)[0]}"


def roman(value: Number) -> str:
    """Give a small number or a year in Roman numerals, of two letters at least: "I" and "V" are words; else "".

    >>> roman(14), roman(5), roman(1987)
    ('XIV', '', 'MCMLXXXVII')
    """
    if not isinstance(value, int) or not (1 < value <= _LARGEST_ROMAN or value in _ROMAN_YEARS):
        return ""
    tens, hundreds = _ROMAN[value // 10 % 10].translate(_TIMES_TEN), _ROMAN[value // 100 % 10].translate(_TIMES_HUNDRED)
    numeral = "M" * (value // 1000) + hundreds + tens + _ROMAN[value % 10]
    return numeral if len(numeral) > 1 else ""


def is_a_part(words: Words, place: int) -> bool:
    """Tell whether a number's word is a part of a larger number: the "one" of "twenty-one" and of "one million"."""
    last = len(words.forms) - 1
    if place < last and words.starts[place + 1] - words.ends[place] == 1:
        form, following = words.forms[place], words.forms[place + 1]
        is_scale = len(following) > 1 and (following in locales.scales() or following in _HUNDREDS)
        if is_scale or (form in _TENS and following in NUMBER_WORDS):
            return True
    return place > 0 and words.forms[place - 1] in _TENS and words.starts[place] - words.ends[place - 1] == 1
