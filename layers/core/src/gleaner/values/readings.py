"""Readings by name: coercion applies them, results and recipes keep their names, recipes replay them.

A name may have the page's convention behind a colon: ``money:,`` has a decimal comma, ``date:dm`` the day before the
month. ``first date`` is an end of a range of days, ``minute duration`` a length of time in a unit, ``local_date_time``
a day and a time without the offset from UTC. Of a range of days either end may leave out what the other one says:
"12.–14. Mai 2026".
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal, cast
from urllib.parse import urljoin, urlsplit

from gleaner.contracts.ports import JsonValue
from gleaner.values import locales
from gleaner.values.conventions import NOTHING_KNOWN, Conventions
from gleaner.values.dates import only_date, parse_date, parse_time, split_date_time
from gleaner.values.fields import Field
from gleaner.values.measures import parse_duration, parse_quantity
from gleaner.values.mentions.durations import scan_durations
from gleaner.values.mentions.numerals import scan_numbers
from gleaner.values.money import parse_currency
from gleaner.values.numbers import as_number, parse_abbreviated, parse_number, split_rating
from gleaner.values.readers import READERS, readers_for
from gleaner.values.text import fold

Which = Literal["first", "last", "second"]
"""The first end, or the only one; the last, or the only one; the last one of a range, none where there is one alone."""

_LONGEST_RANGE = 80
_MOST_PARTS = 12
TO = re.compile(r"\s*[–—−~〜-]\s*|\s+(?:to|until|till|bis|through|au|à|al|a|do|до|tot|t/m|til)\s+", re.IGNORECASE)
"""What stands between the two ends of a range."""

_WORDS_OF_FROM = "from|vom|von|du|del|dal|van|od|с|fra|от|ab|desde|dès|à partir de|a partir de"
_FROM = re.compile(rf"(?:^(?=\D)|(?<=\s)(?=\w+\s+\d))(?:{_WORDS_OF_FROM})\s+(?=\S)", re.IGNORECASE)
FROM = re.compile(rf"\s*(?:{_WORDS_OF_FROM})\s*", re.IGNORECASE)
UP_TO = re.compile(r"\s*(?:(?:up )?to|до|bis(?: zu)?|jusqu['’]à|hasta|até|fino a|tot|til)\s*", re.IGNORECASE)
"""What stands before the one end that a range has, where that is its first, and where it is its last."""
_PART = re.compile(r"(?<=\d)(?=[^\W\d])|(?<=[\s.,/-])(?=\S)|(?<=\w)(?=\s|,\s)")

OF_NUMBERS = ("number", "integer", "money", "percent", "count", "quantity", "abbreviated")
DURATIONS = ("minute duration", "second duration", "hour duration")
OF_DATES = ("date", "date_time", "local_date_time")
ENDS: tuple[Which, ...] = ("first", "second", "last")
ONLY_DATE, ONLY_NUMBER = "only date", "only number"
"""The readings of a text that says one day among other things, and of one that has a number and no words."""

OF_RANGES = tuple(f"{end} number" for end in ENDS)
"""The readings of the ends of a range of numbers."""

ONLY_DURATIONS = tuple(f"only {name}" for name in DURATIONS)
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_BELOW_ZERO = ("accounting", "falling")
_AS_IT_STANDS = ("number", *_BELOW_ZERO)
_WORD = re.compile(r"[^\W\d_]+")
_CLOCK = re.compile(r"\d[:.h]\d\d(?!\d)|\d\s?[ap]\.?m", re.IGNORECASE)

_SIGN = re.compile(r"[$€£¥₹₽₩+]")
_URLS = ("uri", "iri")
_PLAIN_PATH = re.compile(r"(?:/[\w~%+@=&,-][\w.~%+@=&,-]*)+/?(?:\?[\w.=&%+-]+)?", re.ASCII)


def parse_url(text: str) -> str:
    """Give an absolute http(s) URL as it stands, trimmed; ValueError for anything else.

    >>> parse_url(" https://example.com/a ")
    'https://example.com/a'
    """
    trimmed = text.strip()
    parts = urlsplit(trimmed)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc or any(c.isspace() for c in trimmed):
        raise ValueError(f"not an absolute URL: {text[:80]!r}")
    return trimmed


def _resolver(base: str) -> Callable[[str], str]:
    """Give what makes links whole addresses. One that is but a path of its site needs no more than the site before it.

    >>> [_resolver("https://a.example/b/c")(link) for link in ("/d?e=1", "../d")]
    ['https://a.example/d?e=1', 'https://a.example/d']
    """
    origin = urljoin(base, "/").removesuffix("/")

    def whole(text: str) -> str:
        text = text.strip()
        return f"{origin}{text}" if origin and _PLAIN_PATH.fullmatch(text) else urljoin(base, text)

    return whole


def only_duration(text: str, unit: str) -> int | float:
    """Give the one duration that a text states among other words, in minutes, seconds or hours; else ValueError.

    >>> only_duration("Ep. 41 · Mar 19, 2026 · 1 hr 4 min", "minute")
    64
    """
    found = [seconds for *_, seconds in scan_durations(text)]
    if len(found) != 1:
        raise ValueError(f"not one duration: {text[:80]!r}")
    return as_number(found[0] / _SECONDS[unit])


def only_number(text: str, decimal: str | None = None) -> int | float:
    """Give the one number of a text that has no words, with the sign that goes with it; ValueError for another text.

    >>> only_number("(310)"), only_number("▼ 1.24%"), only_number("£62,000+", "."), only_number("Eintritt frei")
    (-310, -1.24, 62000, 0)
    """
    if fold(text.strip()) in locales.words("free_of_charge"):
        return 0
    cell = f"| {text.strip()} |"
    found = sorted((one for one in scan_numbers(cell) if one.transform in _AS_IT_STANDS), key=lambda one: one.start)
    words = (word.casefold() for word in _WORD.findall(text))
    is_one = bool(found) and all(one.start < found[0].end for one in found)
    if not is_one or not all(word in locales.marks_of_money() for word in words):
        raise ValueError(f"not one number alone: {text[:80]!r}")
    plain = next(one for one in found if one.transform == "number")
    value = parse_number(cell[plain.start : plain.end], decimal=decimal)
    return -abs(value) if any(one.transform in _BELOW_ZERO for one in found) else value


def number_of_range(text: str, which: Which, decimal: str | None = None) -> int | float | None:
    """Give an end of a range of numbers that has no words but scales and signs of money; ValueError for another text.

    One number is both ends, or has no second one.

    >>> [number_of_range("€80k – €95k", which) for which in ENDS], number_of_range("£62,000+", "second")
    ([80000, 95000, 95000], None)
    >>> number_of_range("AED 8,000 - AED 12,000 per month", "first")
    Traceback (most recent call last):
    ValueError: no numbers of a range: 'AED 8,000 - AED 12,000 per month'
    >>> number_of_range("AED 8,000 - AED 12,000", "last")
    12000
    >>> [number_of_range("до 85 000 ₽", which) for which in ENDS]
    [None, 85000, 85000]
    """
    numerals = sorted(scan_numbers(text), key=lambda one: (one.start, -one.end))
    firsts = [one for at, one in enumerate(numerals) if not at or one.start >= numerals[at - 1].end]
    spans = [(one.start, max(each.end for each in numerals if each.start == one.start)) for one in firsts]
    edges = [0, *(place for span in spans for place in span), len(text)]
    beside = [_unpaid(text[start:end]) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    is_last = len(spans) == 1 and UP_TO.fullmatch(beside[0]) is not None
    beside[0] = "" if is_last or FROM.fullmatch(beside[0]) else beside[0]
    is_range = len(spans) == 1 or (len(spans) == 2 and TO.fullmatch(beside.pop(1)))
    if not is_range or _WORD.search(" ".join(beside)):
        raise ValueError(f"no numbers of a range: {text[:80]!r}")
    if len(spans) == 1 and which == ("first" if is_last else "second"):
        return None
    start, end = spans[0 if which == "first" else -1]
    scaled = {one.value for one in numerals if one.start == start and one.transform == "scale"}
    return scaled.pop() if len(scaled) == 1 else parse_number(text[start:end], decimal=decimal)


def end_of_range(text: str, which: Which, parse: Callable[[str], str]) -> str | None:
    """Give an end of a range of days or times that ``parse`` reads; ValueError for a text that is not surely one.

    >>> [end_of_range("12.–14. Mai 2026", which, parse_date) for which in ("first", "last")]
    ['2026-05-12', '2026-05-14']
    >>> end_of_range("3 June 2026", "second", parse_date)
    """
    said = text.strip()
    if len(said) > _LONGEST_RANGE:
        raise ValueError(f"too long for a range: {text[:80]!r}")
    alone = _read(said, parse)
    if alone is not None:
        return None if which == "second" else alone
    found = {*_ranges(_FROM.sub("", said), parse)}
    if len(found) != 1:
        raise ValueError(f"not surely a range: {text[:80]!r}")
    first, last = found.pop()
    return first if which == "first" else last


def _ranges(said: str, parse: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    for match in [*TO.finditer(said)][:_MOST_PARTS]:
        left, right = said[: match.start()], said[match.end() :]
        last = _read(right, parse) or _only((f"{left[: one.start()]} {right}" for one in _parts(left)), parse)
        tails = [right[one.start() :] for one in _parts(right)]
        glued = (tail for tail in tails if not (left[-1:].isdigit() and tail[:1].isdigit()))
        joined = (*(f"{left}{tail}" for tail in glued), *(f"{left} {tail}" for tail in tails))
        first = _read(left, parse) or _only(iter(joined), parse)
        if first is not None and last is not None and first <= last:
            yield first, last


def _parts(text: str) -> list[re.Match[str]]:
    return [*_PART.finditer(text)][:_MOST_PARTS]


def _only(offered: Iterator[str], parse: Callable[[str], str]) -> str | None:
    """Give the one value that the texts have of which any can be read; None where they have several, or none."""
    found = {value for text in offered if (value := _read(text, parse)) is not None}
    return found.pop() if len(found) == 1 else None


def _read(text: str, parse: Callable[[str], str]) -> str | None:
    try:
        return parse(text)
    except ValueError:
        return None


def _unpaid(text: str) -> str:
    """Give a text without signs and words of money."""
    marks = locales.marks_of_money()
    return _SIGN.sub("", _WORD.sub(lambda word: "" if word[0].casefold() in marks else word[0], text))


def _of_one_time(parse: Callable[[str], str]) -> Callable[[str], str]:
    """Give a reader of days with a time that reads no text with several times."""

    def read(text: str) -> str:
        if len(_CLOCK.findall(text)) > 1:
            raise ValueError(f"several times: {text[:80]!r}")
        return parse(text)

    return read


def _alone(name: str, page: Conventions = NOTHING_KNOWN) -> Callable[[str], JsonValue]:
    """Give a reader that knows nothing of its field."""
    return lambda text: READERS[name](text, Field(), page)


TRANSFORMS: Mapping[str, Callable[[str], JsonValue]] = MappingProxyType(
    {
        "string": str,
        "trim": str.strip,
        **{name: _alone(name) for name in READERS},
        "quantity": parse_quantity,
        "rating": lambda text: split_rating(text)[0],
        "time": parse_time,
        "url": parse_url,
    }
)
"""Each gives the value of a text, or raises ValueError when the text has no such value without doubt."""


def transforms_of(field: Field) -> tuple[str, ...]:
    """Give the names of the transforms that may make a text a value of a field, likeliest first."""
    names = list(readers_for(field))
    if "string" in field.types:
        names += ["url"] if any(each in _URLS for each in field.formats) else []
        names += [] if any(name in names for name in ("date", "date_time", "time", "url")) else ["string"]
        names.append("trim")
    return tuple(names)


def reader_of(reading: str, base: str = "") -> Callable[[str], JsonValue]:
    """Give what reads a text by the name of a reading; it raises ValueError for a text that has no such value.

    >>> reader_of("money:,")("1.299,00 €"), reader_of("minute duration")("1 h 30 min"), reader_of("date:dm")("3/4/2026")
    (1299.0, 90, '2026-04-03')
    """
    name, _, convention = reading.partition(":")
    if name == "resolve":
        return _resolver(base)
    if name == "currency":
        return partial(parse_currency, known=convention)
    if name in ONLY_DURATIONS:
        return partial(only_duration, unit=name.split(" ")[1])
    if name in DURATIONS:
        return partial(parse_duration, unit=name.partition(" ")[0], decimal=convention or None)
    if name == ONLY_DATE:
        return only_date
    if name == ONLY_NUMBER:
        return partial(only_number, decimal=convention or None)
    if name in OF_RANGES:
        return partial(number_of_range, which=cast(Which, name.partition(" ")[0]), decimal=convention or None)
    end, _, of_range = name.partition(" ")
    if of_range in OF_DATES:
        parse = _of_one_time(cast(Callable[[str], str], reader_of(of_range, base)))
        return lambda text: end_of_range(text, cast(Which, end), parse if of_range != "date" else parse_date)
    if name == "local_date_time":
        return lambda text: split_date_time(text, day_first=None if not convention else convention == "dm")[0]
    if name in OF_DATES:
        return _alone(name, Conventions(day_first=None if not convention else convention == "dm"))
    if name in ("quantity", "abbreviated"):
        return partial(parse_quantity if name == "quantity" else parse_abbreviated, decimal=convention or None)
    if name in OF_NUMBERS:
        return _alone(name, Conventions(decimal=convention or None))
    return TRANSFORMS["string" if name == "literal" else name]
