"""Numbers as pages write them: "1,299.00", "1 299", "1 ½", "2.3k", "3万2000". In doubt, ValueError.

What decides, in this order: with both "." and "," the last is the decimal mark; a mark that occurs twice groups; one
mark with other than three digits after it is decimal; spaces and apostrophes only group. What is left ("1.299",
"1,299") is read as JSON and English have it, but for money only where the currency leaves no doubt. Leading zeros
(codes), ranges and fractions that a float can't hold are never numbers.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from gleaner.values import locales
from gleaner.values.mentions.chinese_numerals import read_kanji
from gleaner.values.scales import is_sure, suffix_behind
from gleaner.values.text import fold, plain

MAX_CHARS = 100

COMMA = re.compile(r"-?(?:0|[1-9]\d{0,11}|[1-9]\d{0,2}(?:\.\d{3}){1,3}),\d\d?", re.ASCII)
"""The same as PLAIN in most other languages; sure unless "." is the decimal mark."""
PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,11}|[1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.\d\d?)?", re.ASCII)
"""Numbers as programs and English have them, short enough for a float to hold; sure unless "," is the decimal mark."""
OPEN = re.compile(r"[+-]?\s*[1-9]\d{0,2}([.,])\d{3}")
"""A number whose one mark may group digits or stand before decimals."""

_SIGNED = re.compile(r"(?P<sign>[+-]?)(?P<body>\d.*)")
_POINTED = re.compile(r"(?P<sign>[+-]?)(?P<decimals>\.\d+)", re.ASCII)
"""A part of one without its zero: ".357"."""
_SCIENTIFIC = re.compile(r"[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}")
_MIXED = re.compile(r"(?:(?P<whole>[1-9]\d{0,5})(?:\s|(?=[^\d\s/])))?(?P<top>\d{1,2})?(?P<fraction>/\d{1,2}|[¼½¾⅐-⅞])")
_ORDINAL = re.compile(
    r"((?:\d*[02-9])?(?:1(?=st)|2(?=nd)|3(?=rd))|\d*[04-9](?=th)|\d*1\d(?=th))(?:st|nd|rd|th)", re.IGNORECASE | re.ASCII
)
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?")
_MARK = re.compile(r"[.,'’٫٬，．]")
_PLAIN_MARKS: dict[str, str] = {"’": "'", "٫": ".", "٬": "'", "，": "'", "．": "."}
LONGEST_NUMERAL = 60
Number = int | float
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
_FIGURES = re.compile(r"[+-]?\d(?:[\d., ']*\d)?")
_MYRIADS = re.compile(r"(?:(\d[\d,.]*)億)?(?:(\d[\d,.]*)[万萬만])?(\d+)?")
_ABBREVIATED = re.compile(r"\(?\s*(?P<number>\d[\d.,]*)\s?(?P<letter>[kmb]?)\+?\s*\)?", re.IGNORECASE)
_LETTERS = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9}
_LABELLED = re.compile(r"\(?(?P<number>\d[\d., ']*?)\s*(?P<noun>[^\W\d_]+)\)?")
_PERCENT = re.compile(r"(?P<number>.*\d)\s*(?:%|(?P<word>[^\W\d_]+(?: [^\W\d_]+)?))")
_RATING = re.compile(
    r"(?P<value>\d+(?:[.,]\d+)?)\s*(?P<of>/|[^\W\d_]+(?: [^\W\d_]+)?)\s*(?P<scale>\d+)(?:\s*(?:\w+|[★⭐]))?\.?"
)
_SIMPLE = re.compile(r"[\x00-\x7f€£¥\u00a0\u202f]*")
"""Texts in which nothing but narrow and fixed spaces is written otherwise in ASCII."""
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")


def clean(text: str) -> str:
    """Write digits, spaces, signs and marks of all scripts in ASCII; ValueError for raised digits and long texts."""
    stripped = text.strip()
    if len(stripped) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS} characters")
    if stripped.isascii():
        return stripped
    if _SIMPLE.fullmatch(stripped):
        return stripped.replace("\u00a0", " ").replace("\u202f", " ")
    if stripped.startswith("\u2014") or not _RAISED.isdisjoint(stripped) or any(map(_is_fraction, stripped)):
        raise ValueError(f"fractions, raised digits and dashes before a number are not read: {text[:80]!r}")
    return plain(stripped).replace("\u200e", "").replace("\u200f", "")


def _is_fraction(character: str) -> bool:
    return not character.isascii() and unicodedata.category(character) == "No"


def parse_number(text: str, *, decimal: str | None = None) -> int | float:
    """Give the number; ``decimal`` ("." or ",") says what the page's decimal mark is, where that is known.

    >>> parse_number("1,299.00"), parse_number("1.299,00"), parse_number("1 299"), parse_number("−5")
    (1299.0, 1299.0, 1299, -5)
    >>> parse_number("2½"), parse_number("1 1/4")
    (2.5, 1.25)
    >>> parse_number(".357"), parse_number("-.5")
    (0.357, -0.5)
    """
    if decimal != "," and PLAIN.fullmatch(text):
        digits = text.replace(",", "")
        return float(digits) if "." in digits else int(digits)
    if decimal != "." and COMMA.fullmatch(text):
        return float(text.replace(".", "").replace(",", "."))
    if (mixed := _MIXED.fullmatch(text.strip().replace("\u2044", "/"))) is not None:
        return _mixed(mixed, text)
    cleaned = clean(text)
    if _SCIENTIFIC.fullmatch(cleaned):
        return exact(cleaned)
    if decimal != "," and (pointed := _POINTED.fullmatch(cleaned)) is not None:
        return exact(f"{pointed['sign'].strip('+')}0{pointed['decimals']}")
    match = _SIGNED.fullmatch(cleaned)
    if match is None:
        raise ValueError(f"not a number: {text[:80]!r}")
    return exact(("-" if match["sign"] == "-" else "") + _spelled(match["body"], decimal))


def _spelled(body: str, decimal: str | None) -> str:
    """Give the one way to read a numeral, with "." for its decimal mark; ValueError where there is none."""
    numeral = body.replace(" ", "") if _SPACED.fullmatch(body) else body
    found = [form for form in forms(numeral) if decimal is None or decimal == form.mark or not form.uses(decimal)]
    if not found:
        raise ValueError(f"not a number: {body!r}")
    digits = (found[-1] if found[0].mark == "," else found[0]).digits
    if digits[:1] == "0" and digits[:2] not in ("0", "0."):
        raise ValueError(f"a code rather than a number: {body!r}")
    return digits


@dataclass(frozen=True, slots=True)
class Form:
    """One way to read a numeral: its digits with "." before decimals, and which marks part decimals and groups."""

    digits: str
    mark: str = ""
    groups: str = ""

    def uses(self, mark: str) -> bool:
        """Tell whether it reads a mark as one that groups, or has another one before its decimals."""
        return mark == self.groups or self.mark not in ("", mark)


def forms(numeral: str) -> list[Form]:
    """Give the ways to read a numeral: that with decimals first; none for a list, a version or a date.

    >>> [form.digits for form in forms("1.299")], [form.digits for form in forms("12,34,567")], forms("1.2.3")
    (['1.299', '1299'], ['1234567'], [])
    """
    if len(numeral) > LONGEST_NUMERAL:
        return []
    if numeral.isdecimal():
        return [Form(numeral)]
    parts = _MARK.split(numeral)
    if not all(map(str.isdecimal, parts)):
        return []
    marks = [_PLAIN_MARKS.get(mark, mark) for mark in map(str, _MARK.findall(numeral))]
    head, tail, first, last = "".join(parts[:-1]), parts[-1], marks[0], marks[-1]
    whole = [Form(head + tail, "", first)] if len({*marks}) == 1 and _is_grouped(parts, first) and int(head) else []
    if len(marks) == 1:
        return whole if first == "'" else [Form(f"{head}.{tail}", first), *whole]
    if whole or last == "'" or len({*marks[:-1]}) != 1 or last == first or not _is_grouped(parts[:-1], first):
        return whole
    return [Form(f"{head}.{tail}", last, first)]


def _is_grouped(parts: list[str], mark: str) -> bool:
    inner = {len(part) for part in parts[1:-1]}
    indian = mark == "," and inner == {2} and len(parts[0]) <= 2
    return len(parts[0]) <= 3 and len(parts[-1]) == 3 and (inner <= {3} or indian)


def interpret(numeral: str) -> list[Number]:
    """Give the numbers that a numeral can stand for.

    >>> interpret("1.299"), interpret("12,34,567"), interpret("0.125"), interpret("1.2.3")
    ([1.299, 1299], [1234567], [0.125], [])
    """
    return [float(form.digits) if form.mark else int(form.digits) for form in forms(numeral)]


def as_number(value: Number) -> Number:
    """Give an integral float as an int, so that equal numbers are one key."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _mixed(match: re.Match[str], text: str) -> float:
    """Give a number with a fraction behind it: a whole one must stand before "1/2", which else is a date or a share."""
    if match["fraction"].startswith("/"):
        if not match["whole"] or not match["top"]:
            raise ValueError(f"a fraction, a date or a share: {text[:80]!r}")
        part = Decimal(match["top"]) / max(int(match["fraction"][1:]), 1)
    elif match["top"] and not match["whole"]:
        return int(match["top"]) + _exact_part(Decimal(repr(unicodedata.numeric(match["fraction"]))), text)
    else:
        part = Decimal(repr(unicodedata.numeric(match["fraction"])))
    return int(match["whole"] or 0) + _exact_part(part, text)


def _exact_part(part: Decimal, text: str) -> float:
    if part * 16 != int(part * 16) or not 0 < part < 1:
        raise ValueError(f"a fraction that a float does not hold: {text[:80]!r}")
    return float(part)


def parse_integer(text: str, *, decimal: str | None = None) -> int:
    """Give the whole number, an English ordinal's too; a mark with three digits after it can only group here.

    >>> parse_integer("1.299"), parse_integer("5.0"), parse_integer("22nd")
    (1299, 5, 22)
    """
    if (ordinal := read_ordinal(text)) is not None:
        return ordinal
    if decimal is None and _THOUSANDS.fullmatch(cleaned := clean(text)):
        return int(cleaned.replace(".", ""))
    value = parse_number(text, decimal=decimal)
    if value != int(value):
        raise ValueError(f"not a whole number: {text[:80]!r}")
    return int(value)


def read_ordinal(text: str) -> int | None:
    """Give the number of an English ordinal with its right ending, "22nd"; None for any other text."""
    ordinal = _ORDINAL.fullmatch(text.strip())
    return int(ordinal[1]) if ordinal is not None and not ordinal[1].startswith("0") else None


def parse_scaled(text: str, *, decimal: str | None = None, language: str = "") -> int | float:
    """Give a number with a word or a letter for thousands and more; letters that are units, too, are in doubt.

    >>> parse_scaled("2.3k"), parse_scaled("1,2 Mio."), parse_scaled("3万2000"), parse_scaled("5 lakh")
    (2300, 1200000, 32000, 500000)
    """
    cleaned = clean(text)
    myriads = _MYRIADS.fullmatch(cleaned)
    if myriads is not None and (myriads[1] or myriads[2]):
        parts = zip(myriads.groups(), (8, 4, 0), strict=True)
        return _times(sum(Decimal(part.replace(",", "")) * 10**power for part, power in parts if part), 0, text)
    if len(cleaned) > 1 and (written := read_kanji(cleaned)) is not None:
        return written
    match = _FIGURES.match(cleaned)
    suffix = suffix_behind(cleaned, match.end(), language) if match else None
    is_whole = suffix is not None and cleaned[suffix.end :].strip() in ("", ".")
    if match is None or suffix is None or not is_whole or suffix.power < 0 or not is_sure(suffix.word):
        raise ValueError(f"not a number of thousands or more: {text[:80]!r}")
    return _times(Decimal(str(parse_number(match[0], decimal=decimal))), suffix.power, text)


def times_ten(value: int | float, power: int) -> int | float:
    """Give a number times a power of ten, without the digits that a float would make up.

    >>> times_ten(2.3, 3), times_ten(1.2345, 3)
    (2300, 1234.5)
    """
    return _times(Decimal(str(value)), power, str(value))


def _times(value: Decimal | int, power: int, text: str) -> int | float:
    product = Decimal(value).scaleb(power)
    if product == product.to_integral_value():
        return int(product)
    return exact(format(product, "f")) if product.is_finite() else exact(text)


def parse_percent(text: str, *, decimal: str | None = None) -> int | float:
    """Give the number before a percent sign: "12 %" is 12, as pages and people say it, not 0.12.

    >>> parse_percent("12,5 %"), parse_percent("12 Prozent")
    (12.5, 12)
    """
    match = _PERCENT.fullmatch(clean(text))
    if match is None or (match["word"] and fold(match["word"]) not in locales.words("percent")):
        raise ValueError(f"not a percentage: {text[:80]!r}")
    return parse_number(match["number"], decimal=decimal)


def split_label(text: str) -> tuple[str, str]:
    """Give the number and the one word after it; ValueError for anything else."""
    match = _LABELLED.fullmatch(clean(text))
    if match is None:
        raise ValueError(f"not a number and a word: {text[:80]!r}")
    return match["number"], match["noun"]


def parse_count(text: str, *, decimal: str | None = None) -> int:
    """Give the number before a word for countable things.

    >>> parse_count("1,024 reviews"), parse_count("(312 ratings)"), parse_count("3万2000人")
    (1024, 312, 32000)
    """
    stripped = text.strip()
    ends = (word for word in locales.words("countable") if not word.isascii() and stripped.endswith(word))
    if thing := max(ends, key=len, default=""):
        number = stripped.removesuffix(thing).strip()
        return (
            parse_integer(number, decimal=decimal) if number.isascii() else int(parse_scaled(number, decimal=decimal))
        )
    number, noun = split_label(text)
    if fold(noun) not in locales.words("countable"):
        raise ValueError(f"not a count of known things: {text[:80]!r}")
    return parse_integer(number, decimal=decimal)


def parse_abbreviated(text: str, *, decimal: str | None = None) -> int | float:
    """Give a number as counters abbreviate it; the caller knows that the letter is no unit.

    >>> parse_abbreviated("1.4M"), parse_abbreviated("(803K)"), parse_abbreviated("2,1 m", decimal=",")
    (1400000, 803000, 2100000)
    """
    match = _ABBREVIATED.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not an abbreviated number: {text[:80]!r}")
    value = Decimal(str(parse_number(match["number"], decimal=decimal))) * _LETTERS[match["letter"].casefold()]
    return int(value) if value == int(value) else float(value)


def split_rating(text: str) -> tuple[int | float, int]:
    """Give the points and the scale of a rating; points over the scale are no rating.

    >>> split_rating("4.5 out of 5"), split_rating("4,5/5"), split_rating("4,5 von 5 Sternen")
    ((4.5, 5), (4.5, 5), (4.5, 5))
    """
    match = _RATING.fullmatch(clean(text))
    if match is None or (match["of"] != "/" and fold(match["of"]) not in locales.words("rating_scale")):
        raise ValueError(f"not a rating: {text[:80]!r}")
    value, scale = parse_number(match["value"].replace(",", ".")), int(match["scale"])
    if not 0 <= value <= scale:
        raise ValueError(f"more points than the scale has: {text[:80]!r}")
    return value, scale


def exact(text: str) -> int | float:
    """Give the number of a plain text without losing a digit; ValueError where a float has too few."""
    if "." not in text and "e" not in text and "E" not in text:
        return int(text)
    value = float(text)
    if Decimal(repr(value)) != Decimal(text):
        raise ValueError(f"more digits than a float holds: {text!r}")
    return value
