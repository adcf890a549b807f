"""The values that the texts of a page stand for by the readings that recipes store (`gleaner.values.readings`).

``literal`` takes a text as it stands even if it is a dash.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

from gleaner.contracts.ports import JsonValue
from gleaner.html.link_targets import LinkResolver
from gleaner.schemas.dialects import Schema
from gleaner.schemas.fields import transforms_for
from gleaner.values.flags import says_nothing
from gleaner.values.mentions.numerals import scan_numbers
from gleaner.values.money import currencies_of
from gleaner.values.readings import (
    DURATIONS,
    ENDS,
    OF_DATES,
    OF_NUMBERS,
    OF_RANGES,
    ONLY_DATE,
    ONLY_DURATIONS,
    ONLY_NUMBER,
    reader_of,
)
from gleaner.values.texts.partial_days import day_below, time_below

PLACEHOLDERS = frozenset(("", "-", "--", "---", "–", "—", "−", "•", "·", "n/a", "N/A", "?", "…"))
"""Texts that stand where a page has no value."""

LOWER = "lower"
"""The reading of a text in small letters: "Closed" for a field whose values are all small."""

MARKS = ";|,/•·"
"""What may part the items of a list in one text."""

STRUCTURAL = "()[]{}<>|;“”*"
"""What a part of a text holds only where the way it was cut may not fit."""

AMOUNTS = ("amount", "short_amount")
"""The readings of an amount of money as a text: with the decimals that the page shows, and with none that are 0."""

SIGN = "currency_sign"
"""The reading of the currency beside an amount, as the page writes it."""

BELOW: Final = {"date": "date below", "local_date_time": "local_date_time below"}
"""The readings of days, and of times, of which something over the records states a part."""

OVER: Final = "\u2029"
"""Stands in a text before what is added to it from over the records."""

_FIGURES = frozenset(("number", "integer", "money", "percent", "count", "scale", "rating", ONLY_NUMBER, *AMOUNTS))
"""Readings that have no value for a text without a figure; durations are such, too."""

_NUMBER = re.compile(r"(?:[+\-−–]\s?)?(?:\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)|\d(?:[\d.,'’]*\d)?)")
_DIGIT_RUN = re.compile(r"\d(?:[\d.,'’\u00a0\u202f]*\d)?")
_GROUPED_RUN = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)|" + _DIGIT_RUN.pattern)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LOCAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_AMOUNT = re.compile(r"\d+(?:\.\d+)?")
_DECIMALS = re.compile(r"\d[.,](\d\d?)(?!\d)\D*$")
_LETTER_RUN = re.compile(r"[^\W\d_]+")
_LONGEST_TYPED = 120
_SCHEMES = ("http", "https")


class Unread:
    """Stands for a text that has no value of the field's type."""

    def __repr__(self) -> str:
        return "UNREAD"


UNREAD: Final = Unread()
Cell: TypeAlias = "JsonValue | Unread"


def readings_for(schema: Schema, values: list[JsonValue]) -> list[str]:
    """Give the readings by which a text may become a value of the schema, the plainest first.

    ``values`` are known ones: an address in a field of plain texts may stand on the page as a relative one.
    """
    names = [name for name in transforms_for(schema) if name not in ("null", "trim")]
    names += [name for name in _by_shape(values) if name not in names]
    if any(isinstance(value, str) for value in values) and not names:
        names = ["string"]
    found: list[str] = []
    more = ("abbreviated", *DURATIONS, *ONLY_DURATIONS) if "quantity" in names else ()
    alone = (ONLY_NUMBER, *OF_RANGES) if "number" in names or "integer" in names else ()
    for name in [*names, *more, *alone]:
        if name in OF_NUMBERS or name in DURATIONS or name in (ONLY_NUMBER, *OF_RANGES):
            found += [name, f"{name}:.", f"{name}:,"]
        elif name in OF_DATES:
            found += [name, f"{name}:dm", f"{name}:md"]
            found += [f"{end} {name}" for end in ENDS]
            found += [ONLY_DATE] if name == "date" else []
        elif name == "url":
            found.append("resolve")
        else:
            found.append(name)
    if "string" in found:
        found.append("literal")
        codes = {str(value) for value in values if value is not None}
        found += [f"currency:{code}" for code in sorted(codes) if len(codes) < 4 and code in currencies_of(code)]
        found += [LOWER] if codes and all(map(str.islower, codes)) else []
        found += [SIGN] if codes and all(map(currencies_of, codes)) else []
        if codes and all(map(_AMOUNT.fullmatch, codes)):
            found += [f"{name}{mark}" for name in AMOUNTS for mark in ("", ":.", ":,")]
    schemes = [str(value).partition("://")[0] for value in values if value is not None]
    addresses = [scheme in _SCHEMES for scheme in schemes]
    if "string" in found and any(addresses):
        # Whole addresses alone do not teach to take addresses as they stand: another page may have relative ones.
        found.insert(0 if all(addresses) else len(found), "resolve")
    if "resolve" in found and all(addresses) and len({*schemes}) == 1:
        found.insert(found.index("resolve") + 1, f"resolve:{schemes[0]}")
    return found


def _by_shape(values: Sequence[JsonValue]) -> list[str]:
    """Give the readings of days and times whose form all values have, whatever the schema says of them."""
    texts = [value for value in values if value is not None]
    shapes = (("date", _DAY), ("local_date_time", _LOCAL))
    return [
        name for name, shape in shapes if texts and all(isinstance(one, str) and shape.fullmatch(one) for one in texts)
    ]


def is_typed(reading: str) -> bool:
    """Tell whether texts that have no value by a reading are many: numbers, days, flags."""
    return reading not in ("string", "literal", LOWER) and not reading.startswith("resolve")


def is_nothing(text: str) -> bool:
    """Tell whether a text says that there is no value."""
    return text in PLACEHOLDERS or says_nothing(text)


class Reader(dict[str, Cell]):
    """The values that texts have by a reading; each text is read once.

    ``decimal`` is the page's decimal mark, for readings that have none of their own.

    >>> Reader("money:,")["1.299,00 €"], Reader("integer")["many"], Reader("number")["n/a"]
    (1299.0, UNREAD, None)
    >>> [Reader("number", decimal=mark)["129.900"] for mark in (".", ",")]
    [129.9, 129900]
    """

    def __init__(self, reading: str, base: str = "", decimal: str | None = None) -> None:
        super().__init__()
        own: dict[str, Callable[[str], JsonValue]] = {"string": _plain_text, LOWER: str.lower, SIGN: _sign_in}
        if reading in BELOW.values():
            own[reading] = _below(day_below if reading == BELOW["date"] else time_below)
        elif reading.startswith(AMOUNTS):
            own[reading] = _amount_reader(reading)
        elif (name := reading.partition(":"))[0] == "resolve":
            # Some readers take "//a.example/b" for an address of another scheme than the page's own.
            own[reading] = _address_reader(name[2] + base[base.find(":") :] if name[2] and base else base)
        is_open = decimal is not None and reading in (*OF_NUMBERS, *DURATIONS, ONLY_NUMBER, *OF_RANGES)
        self._as_the_page_writes = reader_of(f"{reading}:{decimal}") if is_open else None
        self._read: Callable[[str], JsonValue] = own.get(reading) or reader_of(reading, base)
        self.is_typed = is_typed(reading)
        self._is_literal = reading == "literal"
        name = reading.partition(":")[0]
        self.is_figure = name in _FIGURES or name.endswith((" duration", " number"))

    def __missing__(self, text: str) -> Cell:
        value: Cell
        if text in PLACEHOLDERS and not self._is_literal:
            value = None
        elif self.is_typed and len(text) > _LONGEST_TYPED:
            value = UNREAD
        elif self.is_figure and not has_figure(text):
            value = None if says_nothing(text) else UNREAD
        else:
            try:
                value = self._read_by_conventions(text)
            except (ValueError, OverflowError):
                value = None if self.is_typed and says_nothing(text) else UNREAD
        self[text] = value
        return value

    def _read_by_conventions(self, text: str) -> JsonValue:
        """Read a text with the page's decimal mark; one that this does not fit as it stands."""
        if self._as_the_page_writes is not None:
            with suppress(ValueError):
                return self._as_the_page_writes(text)
        return self._read(text)


def _plain_text(text: str) -> str:
    """Give a text; ValueError for "none" and the like, which may be a value or none: only known pages tell."""
    if says_nothing(text):
        raise ValueError(f"says nothing: {text!r}")
    return text


def _sign_in(text: str) -> str:
    """Give the currency of an amount as it is written; ValueError for none.

    >>> _sign_in("71,91 €"), _sign_in("Rs 23,450")
    ('€', 'Rs')
    """
    sign = _GROUPED_RUN.sub("", text, count=1).strip()
    if sign == text or not currencies_of(sign):
        raise ValueError(f"no amount with its currency alone: {text[:80]!r}")
    return sign


def _below(read: Callable[[str, str], str]) -> Callable[[str], str]:
    return lambda text: read(*text.partition(OVER)[::2])


def _amount_reader(reading: str) -> Callable[[str], str]:
    """Give what writes an amount of money as a text.

    >>> [_amount_reader(name)("1.259,00 €") for name in ("amount:,", "short_amount:,")]
    ['1259.00', '1259']
    """
    name, mark, decimal_mark = reading.partition(":")
    read_money = reader_of(f"money{mark}{decimal_mark}", "")

    def read(text: str) -> str:
        amount = read_money(text)
        if not isinstance(amount, int | float):
            raise ValueError(f"no amount: {text[:80]!r}")
        shown = _DECIMALS.search(text) if name == "amount" else None
        written = f"{amount:.{len(shown[1])}f}" if shown else f"{amount:.10g}"
        if float(written) != amount:
            raise ValueError(f"no amount of a currency: {text[:80]!r}")
        return written

    return read


def _address_reader(base: str) -> Callable[[str], str]:
    """Give what makes addresses whole, in the form in which the page's Markdown has them."""
    resolver = LinkResolver(base)

    def read(text: str) -> str:
        if not (address := resolver.resolve(text)):
            raise ValueError(f"no address: {text[:80]!r}")
        return address

    return read


class Said:
    """Texts by what they say, so that all that say a value are found without asking each of them."""

    def __init__(self, texts: Iterable[str], readers: "Readers") -> None:
        self._texts = tuple(dict.fromkeys(texts))
        self._short = tuple(text for text in self._texts if len(text) <= _LONGEST_TYPED)
        self._with_figures = tuple(filter(has_figure, self._short))
        self._readers = readers
        self._by_reading: dict[str, dict[Hashable, list[str]]] = {}

    def saying(self, value: JsonValue, readings: Iterable[str]) -> frozenset[str]:
        """Give the texts that are a value as a whole: as they stand, or read by one of the readings.

        >>> sorted(Said(["1,299", "1299.0", "12"], Readers("")).saying(1299, ["number", "string"]))
        ['1,299', '1299.0']
        """
        names = [name for name in readings if name not in ("string", "literal")]
        found: set[str] = set()
        for name in ["literal", *names] if isinstance(value, str) else names:
            if found and name.endswith(" date"):
                break  # a day that is stated needs no range
            found.update(self._of(name).get(_alike(value), ()) if _is_plain(value) else ())
        return frozenset(found)

    def _of(self, reading: str) -> dict[Hashable, list[str]]:
        """Give the texts by what they say."""
        if reading not in self._by_reading:
            reader = self._readers.of(reading)
            by_value = self._by_reading[reading] = dict[Hashable, list[str]]()
            # No others have a value by the reading.
            texts = self._with_figures if reader.is_figure else self._short if reader.is_typed else self._texts
            for text in texts:
                value = reader[text]
                if value is not None and value is not UNREAD and _is_plain(value):
                    by_value.setdefault(_alike(value), []).append(text)
        return self._by_reading[reading]


def has_figure(text: str) -> bool:
    """Tell whether a text has a figure, in any script."""
    return any(map(str.isnumeric, text))


def _is_plain(value: Cell) -> bool:
    return not isinstance(value, dict | list)


def _alike(value: Any) -> Hashable:
    """Give what is equal for scalars that are the ``same``, and for no others."""
    return _form_of(value) if isinstance(value, str) else (type(value) is bool, value)


class Readers:
    """The readers of one page with its decimal mark, one for each reading."""

    def __init__(self, base: str, decimal: str | None = None) -> None:
        self._base = base
        self._decimal = decimal
        self._known: dict[str, Reader] = {}
        self._said: dict[Hashable, Said] = {}

    def said(self, part: Hashable, texts: Callable[[], Iterable[str]]) -> Said:
        """Give the texts of a part of the page by what they say; ``texts`` gives them when they are first asked for."""
        found = self._said.get(part)
        if found is None:
            found = self._said[part] = Said(texts(), self)
        return found

    def of(self, reading: str) -> Reader:
        """Give the reader of a reading."""
        found = self._known.get(reading)
        if found is None:
            found = self._known[reading] = Reader(reading, self._base, self._decimal)
        return found


def same(left: Any, right: Any) -> bool:
    """Tell whether two values say the same: true is not 1, 1.0 is 1, white space and an absent field do not count."""
    if isinstance(left, str) and isinstance(right, str):
        return left == right or (left.lstrip()[:1] == right.lstrip()[:1] and _form_of(left) == _form_of(right))
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return all(same(left.get(name), right.get(name)) for name in {*left, *right})
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right or (left in (None, []) and right in (None, []) and not isinstance(left, bool | int))


def _form_of(text: str) -> str:
    """Give the one form of texts that say the same.

    With single blanks, and none inside brackets or before punctuation, where markup often has some; an address with its
    signs decoded.
    """
    if text.startswith(("http://", "https://")):
        return unquote(text).strip()
    return _LOOSE.sub("", " ".join(text.split()))


_LOOSE = re.compile(r"(?<=[(\[{]) | (?=[)\]},.;:!?])")


def spans_of(value: JsonValue, text: str, readings: Sequence[str], readers: Readers) -> Iterator[tuple[int, int]]:
    """Give where a value stands in a text: as it is, or as a number that reads so.

    >>> [*spans_of(1299, "was 1,299 now 5", ["integer"], Readers(""))]
    [(4, 9)]
    """
    if isinstance(value, str):
        plain = value.strip() if "\n" in text else " ".join(value.split())
        if LOWER in readings:
            text = text.lower()
        at = text.find(plain) if plain else -1
        while at >= 0:
            yield at, at + len(plain)
            at = text.find(plain, at + 1)
        if plain and (typed := [one for one in readings if one.partition(":")[0] in OF_DATES]):
            yield from _spans_of_day(value, text, typed, readers)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        for match in _NUMBER.finditer(text):
            for start in dict.fromkeys((match.start(), _DIGIT_RUN.search(text, match.start()).start())):  # type: ignore[union-attr]
                said = text[start : match.end()]
                if any(readers.of(one)[said] == value for one in readings if one.partition(":")[0] in _PLAIN):
                    yield start, match.end()
                    break
        if abs(value) >= _LEAST_SCALED and len(text) <= _LONGEST_TYPED:
            scaled = (one for one in scan_numbers(text) if one.transform == "scale")
            yield from ((one.start, one.end) for one in scaled if one.value == value)


_PLAIN = ("number", "integer")
_LEAST_SCALED = 1000
_WORD = re.compile(r"[^\s,;()\[\]]+")
_MOST_WORDS_OF_A_DAY = 6
_MOST_WORDS_READ = 60


def _spans_of_day(value: str, text: str, readings: Sequence[str], readers: Readers) -> Iterator[tuple[int, int]]:
    """Give the runs of a few words that read as a day or an instant, and begin or end with a figure."""
    words = [match.span() for match in _WORD.finditer(text)][:_MOST_WORDS_READ]
    has_figures = [has_figure(text[start:end]) for start, end in words]
    for first in range(len(words)):
        for last in range(first, min(first + _MOST_WORDS_OF_A_DAY, len(words))):
            start, end = words[first][0], words[last][1]
            is_one = (has_figures[first] or has_figures[last]) and end - start <= _LONGEST_TYPED
            if is_one and any(readers.of(one)[text[start:end]] == value for one in readings):
                yield start, end


def shape_of(text: str) -> str:
    """Give a text with 9 for each number and a for each word: what texts of one kind have in common.

    >>> shape_of("$1,234.50"), shape_of("Nov 9, 2021"), shape_of("n/a")
    ('$9', 'a 9, 9', 'a/a')
    """
    return _shape(text.translate(_ALIKE)) if len(text) <= _LONGEST_TYPED else "…"


_ALIKE = {
    **{ord(one): "9" for one in "0123456789"},
    **{ord(one): "a" for one in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"},
}


@lru_cache(8192)
def _shape(text: str) -> str:
    """Give the shape of a text whose letters and digits are alike already: there are few such on a page."""
    return _LETTER_RUN.sub("a", _GROUPED_RUN.sub("9", text))


def words_beside(text: str) -> tuple[str, ...]:
    """Give the words of a text, in small letters: what a number counts, or is measured in."""
    return tuple(_LETTER_RUN.findall(text.casefold()))


def is_figure(reading: str) -> bool:
    """Tell whether a reading gives numbers."""
    return reading.partition(":")[0] in (*OF_NUMBERS, *DURATIONS)


def as_template(text: str) -> str:
    """Give a text without case and blanks, with 9 for each number.

    >>> as_template("1.204 Ratings")
    '9ratings'
    """
    return "".join(_GROUPED_RUN.sub("9", text).casefold().split())


def numbers_in(text: str) -> list[str]:
    """Give the numbers of a text as they are written."""
    return _GROUPED_RUN.findall(text)


def mask(text: str) -> str:
    """Give a text with 9 for each number: what a fixed text of a layout is known again by."""
    return _DIGIT_RUN.sub("9", text)
