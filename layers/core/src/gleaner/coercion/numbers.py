"""Numbers as pages write them: "1,299.00", "1.299,00 €", "1 299,-", "12 %". In doubt, ValueError.

What decides, in this order: with both "." and "," the last is the decimal mark; a mark that occurs twice groups; one
mark with other than three digits after it is decimal; spaces and apostrophes only group. What is left ("1.299",
"1,299") is read as JSON and English have it, but for money only where the currency leaves no doubt. Leading zeros
(codes), ranges, "from", "5m" and fractions that a float can't hold are never numbers.
"""

import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal

from gleaner.contracts.word_lists import listed
from gleaner.values.money_signs import SIGNS

MAX_CHARS = 100

COMMA = re.compile(r"-?(?:0|[1-9]\d{0,11}|[1-9]\d{0,2}(?:\.\d{3}){1,3}),\d\d?", re.ASCII)
"""The same as PLAIN in most other languages; sure unless "." is the decimal mark."""
SIGNED = re.compile(r"(?P<sign>[+-]?)(?P<body>\d.*)")
SCIENTIFIC = re.compile(r"[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}")
PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,11}|[1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.\d\d?)?", re.ASCII)
"""Numbers as programs and English have them, short enough for a float to hold; sure unless "," is the decimal mark."""
FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875}
"""The fractions of one character that a float holds as they are."""
MIXED = re.compile(rf"(?P<whole>[1-9]\d{{0,5}})?\s?(?P<fraction>[{''.join(FRACTIONS)}])", re.ASCII)
ORDINAL = re.compile(
    r"((?:\d*[02-9])?(?:1(?=st)|2(?=nd)|3(?=rd))|\d*[04-9](?=th)|\d*1\d(?=th))(?:st|nd|rd|th)", re.IGNORECASE | re.ASCII
)
OTHER = re.compile(r"\D")
DIGITS = re.compile(r"\d+")
GROUPED = re.compile(r"\d{1,3}(?:([ ',.])\d{3})(?:\1\d{3})*")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
DOUBTFUL = re.compile(r"[+-]?\s*[1-9]\d{0,2}([.,])\d{3}")
INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}")
PRICE_DASH = re.compile(r"(?<=\d)[.,:]\s?--?$")
PERCENT = re.compile(r"(?P<number>.*\d)\s*(?:%|percent|per cent|prozent|pour cent|por ciento)", re.IGNORECASE)
RATING = re.compile(
    r"(?P<value>\d+(?:[.,]\d+)?)\s*(?:/|out of|of|von|sur|de|su|van|av|af)\s*(?P<scale>\d+)(?:\s*(?:\w+|[★⭐]))?\.?",
    re.IGNORECASE,
)
COUNT_NOUNS = listed("""
answer answers article articles book books comment comments customer customers download downloads employee employees
follower followers guest guests hit hits item items job jobs like likes listing listings member members page pages
people person persons piece pieces pcs photo photos player players point points post posts product products
question questions rating ratings record records reply replies result results review reviews room rooms row rows
seat seats share shares star stars student students ticket tickets unit units user users view views visitor
visitors vote votes word words
artikel bewertung bewertungen ergebnisse kommentare produkte rezensionen seiten stück
avis commentaires pages produits résultats artículos comentarios opiniones páginas productos reseñas resultados
valoraciones articoli commenti pagine prodotti recensioni risultati avaliações comentários produtos
beoordelingen producten reacties resultaten 件 個 人 条 个 评论 レビュー 개
""")
COUNT = re.compile(r"\(?(?P<number>\d[\d., ']*?)\s*(?P<noun>[^\W\d_]+)\)?")

SYMBOLS = SIGNS.removeprefix("$") + "元円원圆"
DOLLARS = r"(?:US|CA|AU|NZ|HK|NT|MX|AR|CL|COL|[ACRSJ])?\$"
WORDS = r"kr\.?|zł|Kč|Ft|lei|лв\.?|руб\.?|грн\.?|дин\.?|Rs\.?|Rp\.?|RM|TL|Fr\.?|SFr\.?"
CODES = """
AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CRC CZK DKK EGP EUR GBP GEL GHS HKD HUF IDR ILS INR ISK JOD JPY
KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD
UAH USD UYU VND ZAR
"""
CURRENCY = rf"(?:{DOLLARS}|[{SYMBOLS}]|{WORDS}|(?:{'|'.join(CODES.split())}))"
NO_FIGURE = re.compile(r"[^\d.,' ]")
MONEY = re.compile(
    rf"(?P<minus>-?)\s*(?P<before>{CURRENCY})?\s*"
    rf"(?P<number>[+-]?\s*\d(?:[\d., ']*\d)?(?:[.,:]\s?--?)?)\s*(?P<after>{CURRENCY})?\.?"
)
WHOLE_CURRENCIES = listed("¥ 円 元 圆 JPY ₩ 원 KRW ₫ VND Rp Rp. IDR CLP ISK ₲ PYG Ft HUF")
"""Prices in these have no decimals in practice: a mark with three digits after it groups."""

COMMA_GROUPS_BEFORE = re.compile(rf"{DOLLARS}|[€£₹₦₱฿₪₨]|Rs\.?|RM|USD|GBP|EUR|INR|AUD|CAD|SGD|HKD|MYR|CHF")
COMMA_GROUPS_AFTER = re.compile(rf"{DOLLARS}|[£₹]|USD|GBP|INR|AUD|CAD|SGD|HKD|AED")


def parse_number(text: str, *, decimal: str | None = None) -> int | float:
    """Give the number; ``decimal`` ("." or ",") says what the page's decimal mark is, where that is known.

    >>> parse_number("1,299.00"), parse_number("1.299,00"), parse_number("1 299"), parse_number("−5")
    (1299.0, 1299.0, 1299, -5)
    >>> parse_number("2½")
    2.5
    """
    if decimal != "," and PLAIN.fullmatch(text):
        digits = text.replace(",", "")
        return float(digits) if "." in digits else int(digits)
    if decimal != "." and COMMA.fullmatch(text):
        return float(text.replace(".", "").replace(",", "."))
    if (mixed := MIXED.fullmatch(text.strip())) is not None:
        return int(mixed["whole"] or 0) + FRACTIONS[mixed["fraction"]]
    cleaned = clean(text)
    if SCIENTIFIC.fullmatch(cleaned):
        return _exact(cleaned)
    match = SIGNED.fullmatch(cleaned)
    if match is None:
        raise ValueError(f"not a number: {text[:80]!r}")
    digits = _split(match["body"], decimal)
    return _exact(("-" if match["sign"] == "-" else "") + digits)


def parse_integer(text: str, *, decimal: str | None = None) -> int:
    """Give the whole number, an English ordinal's too; a mark with three digits after it can only group here.

    >>> parse_integer("1.299"), parse_integer("5.0"), parse_integer("22nd")
    (1299, 5, 22)
    """
    if (ordinal := ORDINAL.fullmatch(text.strip())) is not None and not ordinal[1].startswith("0"):
        return int(ordinal[1])
    if decimal is None and THOUSANDS.fullmatch(cleaned := clean(text)):
        return int(cleaned.replace(".", ""))
    value = parse_number(text, decimal=decimal)
    if value != int(value):
        raise ValueError(f"not a whole number: {text[:80]!r}")
    return int(value)


def parse_money(text: str, *, decimal: str | None = None) -> int | float:
    """Give the amount of a price with its currency (or the dash of "5,-"); the currency itself is not kept.

    >>> parse_money("$1,299.00"), parse_money("1.299,00 €"), parse_money("1'299.-"), parse_money("($5.20)")
    (1299.0, 1299.0, 1299, -5.2)
    """
    if not NO_FIGURE.search(text):
        raise ValueError(f"no currency: {text[:80]!r}")
    cleaned = clean(text)
    accounting = cleaned.startswith("(") and cleaned.endswith(")")
    match = MONEY.fullmatch(cleaned[1:-1].strip() if accounting else cleaned)
    if match is None or not (match["before"] or match["after"] or PRICE_DASH.search(match["number"])):
        raise ValueError(f"not an amount of money: {text[:80]!r}")
    number = match["number"]
    body = PRICE_DASH.sub("", number) if number[-1] in ".,:-" else number
    body = body.replace(" ", "") if number[0] in "+-" else body
    value = parse_number(body, decimal=decimal or _decimal_mark(match, body))
    if (accounting or match["minus"]) and value < 0:
        raise ValueError(f"two minus signs: {text[:80]!r}")
    return -value if accounting or match["minus"] else value


def _decimal_mark(match: re.Match[str], body: str) -> str | None:
    """Give the decimal mark that the currency implies for one mark with three digits after it; ValueError in doubt."""
    doubtful = DOUBTFUL.fullmatch(body)
    if doubtful is None:
        return None
    mark, before, after = doubtful[1], match["before"] or "", match["after"] or ""
    groups = {before, after} & WHOLE_CURRENCIES
    if mark == ",":
        groups = groups or COMMA_GROUPS_BEFORE.fullmatch(before) or COMMA_GROUPS_AFTER.fullmatch(after)
    if not groups:
        raise ValueError(f"{body!r} may have thousands or three decimals")
    return "." if mark == "," else ","


def parse_percent(text: str, *, decimal: str | None = None) -> int | float:
    """Give the number before a percent sign: "12 %" is 12, as pages and people say it, not 0.12.

    >>> parse_percent("12,5 %")
    12.5
    """
    match = PERCENT.fullmatch(clean(text))
    if match is None:
        raise ValueError(f"not a percentage: {text[:80]!r}")
    return parse_number(match["number"], decimal=decimal)


def parse_count(text: str, *, decimal: str | None = None) -> int:
    """Give the number before a word for countable things (COUNT_NOUNS).

    >>> parse_count("1,024 reviews"), parse_count("(312 ratings)")
    (1024, 312)
    """
    number, noun = split_label(text)
    if noun.casefold() not in COUNT_NOUNS:
        raise ValueError(f"not a count of known things: {text[:80]!r}")
    return parse_integer(number, decimal=decimal)


def parse_quantity(text: str, *, decimal: str | None = None) -> int | float:
    """Give the number before one word, whatever it is; the caller knows that the word is the field's own unit.

    >>> parse_quantity("12.5 kg")
    12.5
    """
    return parse_number(split_label(text)[0], decimal=decimal)


def split_label(text: str) -> tuple[str, str]:
    """Give the number and the one word after it; ValueError for anything else."""
    match = COUNT.fullmatch(clean(text))
    if match is None:
        raise ValueError(f"not a number and a word: {text[:80]!r}")
    return match["number"], match["noun"]


def parse_rating(text: str) -> int | float:
    """Give the points of a rating that names its scale; points over the scale are no rating.

    >>> parse_rating("4.5 out of 5"), parse_rating("4,5/5")
    (4.5, 4.5)
    """
    return split_rating(text)[0]


def split_rating(text: str) -> tuple[int | float, int]:
    """Give the points and the scale."""
    match = RATING.fullmatch(clean(text))
    if match is None:
        raise ValueError(f"not a rating: {text[:80]!r}")
    value, scale = parse_number(match["value"].replace(",", ".")), int(match["scale"])
    if not 0 <= value <= scale:
        raise ValueError(f"more points than the scale has: {text[:80]!r}")
    return value, scale


def clean(text: str) -> str:
    """Write digits, spaces, signs and marks of all scripts in ASCII; ValueError for fractions and raised digits."""
    stripped = text.strip()
    if len(stripped) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS} characters")
    if stripped.isascii():
        return stripped
    if PLAIN_SIGNS.fullmatch(stripped):
        return stripped.replace("\u00a0", " ").replace("\u202f", " ")
    if stripped.startswith("\u2014") or _NO_DIGIT in stripped.translate(_RAISED):
        raise ValueError(f"fractions, raised digits and dashes before a number are not read: {text[:80]!r}")
    return unicodedata.normalize("NFKC", stripped).translate(MARKS).translate(_DIGITS)


PLAIN_SIGNS = re.compile(r"[\x00-\x7f€£¥\u00a0\u202f]*")
"""Texts in which nothing but narrow and fixed spaces is written otherwise in ASCII."""
MINUS_SIGNS = "\u2010\u2011\u2012\u2013\u2014\u2212"
MARKS = str.maketrans(
    dict.fromkeys(MINUS_SIGNS, "-")
    | {"\u2019": "'", "\u02bc": "'", "\u066b": ".", "\u066c": "'", "\u066a": "%", "\u200e": "", "\u200f": ""}
)


class _Characters(dict[int, str]):
    """What to write for characters, each looked up once."""

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, code: int) -> str:
        written = self[code] = self._write(chr(code))
        return written


_NO_DIGIT = "\0"
_RAISED = _Characters(lambda one: _NO_DIGIT if unicodedata.category(one) == "No" else one)
_DIGITS = _Characters(lambda one: str(unicodedata.digit(one)) if unicodedata.category(one) == "Nd" else one)


def _split(body: str, decimal: str | None) -> str:
    """Give the digits with "." as decimal mark and nothing that groups."""
    mark = _find_decimal_mark(body, decimal)
    whole, _, fraction = body.rpartition(mark) if mark else (body, "", None)
    plain = DIGITS.fullmatch(whole) or GROUPED.fullmatch(whole) or INDIAN.fullmatch(whole)
    grouped_by_mark = mark is not None and mark in whole
    if plain is None or grouped_by_mark or (fraction is not None and not DIGITS.fullmatch(fraction)):
        raise ValueError(f"not a number: {body!r}")
    digits = OTHER.sub("", whole)
    if digits != "0" and digits.startswith("0"):
        raise ValueError(f"a code rather than a number: {body!r}")
    return digits if fraction is None else f"{digits}.{fraction}"


def _find_decimal_mark(body: str, decimal: str | None) -> str | None:
    marks = [character for character in body if character in ".,"]
    if decimal is not None:
        return decimal if decimal in marks else None
    if not marks:
        return None
    if len(set(marks)) == 2:
        return marks[-1]
    if len(marks) > 1:
        return None
    whole, _, fraction = body.partition(marks[0])
    groups = len(fraction) == 3 and len(whole) <= 3 and not whole.startswith("0") and whole.isdigit()
    return None if groups and marks[0] == "," else marks[0]


def _exact(text: str) -> int | float:
    """Give the number without losing a digit."""
    if "." not in text and "e" not in text and "E" not in text:
        return int(text)
    value = float(text)
    if Decimal(repr(value)) != Decimal(text):
        raise ValueError(f"more digits than a float holds: {text!r}")
    return value
