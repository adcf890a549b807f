"""What the texts that a selector names stand for."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeAlias
from urllib.parse import urljoin

from gleaner.coercion import TRANSFORMS
from gleaner.coercion.dates import parse_date, parse_date_time
from gleaner.coercion.numbers import (
    parse_count,
    parse_integer,
    parse_money,
    parse_number,
    parse_percent,
    parse_quantity,
)
from gleaner.coercion.words import says_nothing
from gleaner.contracts.ports import JsonValue
from gleaner.grounding.numbers.conventions import day_comes_first
from gleaner.recipes.between import is_stated, parts_between
from gleaner.recipes.cuts import parts_at
from gleaner.recipes.figures_alike import ALIKE, read_alike
from gleaner.recipes.lengths import LENGTHS, parse_length
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.notations import notation
from gleaner.recipes.phrases import parts_by
from gleaner.recipes.plurals import end_of
from gleaner.recipes.stated_units import is_in_one_of

NOTHING = frozenset({"", "-", "--", "---", "–", "—", "−", "•", "·", "n/a", "N/A", "n. a.", "none", "null", "?", "…"})
"""Texts that stand where a page has no value."""

_NUMERIC: Mapping[str, Callable[..., JsonValue]] = {
    "number": parse_number,
    "integer": parse_integer,
    "money": parse_money,
    "percent": parse_percent,
    "count": parse_count,
    "quantity": parse_quantity,
}
_DATES: Mapping[str, Callable[..., str]] = {"date": parse_date, "date_time": parse_date_time}
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![\d.,])(?!0+(?:[.,]0+)?(?![\d.,]))\d+(?:[.,]\d+)*")
_ANY = re.compile("")
_SIGNS_OF: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(_NUMERIC, _DIGIT),
    **dict.fromkeys(("number", "integer"), re.compile(r"^\s*[+-]?\d")),
    "money": re.compile(r"^(?!.*[A-Za-z]{5}).*\d", re.DOTALL),
    **dict.fromkeys(("date", "date_time"), re.compile(r"\b\d{4}")),
    "rating": re.compile(r"^\s*\d+(?:[.,]\d+)?\s*[/a-zA-Z]"),
    "boolean": re.compile(r"^\D*$"),
}
"""What texts of a type have at the least, if they are in ASCII, or numbers: a quick look before a closer one."""


class Unread:
    """Stands for what a selector could not read."""


UNREAD: Final = Unread()
Cell: TypeAlias = "JsonValue | Unread"
"""A value that was read, or UNREAD."""

NO_VALUES: frozenset[type] = frozenset({Unread, type(None)})
"""The types of cells without a value."""

Reading = tuple[Any, ...]
"""All of a selector that says how its texts are read; equal for selectors that read alike."""

Decode = Callable[[str], Cell]


def reading_of(selector: FieldSelector) -> Reading:
    """Give how a selector reads its texts."""
    cut = (
        selector.prefix,
        selector.suffix,
        selector.between,
        selector.mark,
        selector.side,
        selector.beyond,
        selector.part,
        selector.phrase,
        selector.slot,
    )
    read = (selector.transforms, selector.units, selector.decimal, selector.day_first, selector.words)
    return (*cut, *read, selector.nothing, selector.zeros)


_UNCUT = {
    "prefix": "",
    "suffix": "",
    "between": False,
    "mark": "",
    "part": None,
    "side": "",
    "beyond": (),
    "nothing": (),
    "zeros": (),
    "phrase": "",
}


class Decoded(dict[str, Cell]):
    """The values that texts stand for, cut and read as a selector says; each text is read once.

    >>> Decoded(FieldSelector(kind="self", suffix=" EUR", transforms=("number",)))["5 EUR"]
    5
    """

    def __init__(self, selector: FieldSelector, base_url: str = "", memory: "Memory | None" = None) -> None:
        super().__init__()
        self._selector = selector
        self._known: dict[str, Cell] = {
            **dict.fromkeys(selector.zeros, 0),
            **dict.fromkeys(NOTHING.union(selector.nothing)),
        }
        self._is_typed = bool(selector.transforms) and "boolean" not in selector.transforms
        self._decode = _decoder(selector, base_url)
        self._beyond = _decoder(FieldSelector(kind="rest", transforms=selector.beyond), base_url)
        self._read = self._decode
        is_cut = bool(selector.prefix or selector.suffix or selector.mark or selector.phrase)
        if is_cut or selector.units:
            plain = selector.model_copy(update=_UNCUT if is_cut else {"units": ()})
            self._inner = (Memory(base_url) if memory is None else memory).of(plain)
            self._read = self._cut if is_cut else self._in_unit
        is_plain = not (selector.mark or selector.phrase or selector.between or selector.words)
        self._is_bulky = is_plain and len(selector.transforms) == 1 and selector.transforms[0] in ALIKE

    def __missing__(self, text: str) -> Cell:
        value = self._known[text] if text in self._known else self._read(text)
        if value is UNREAD and self._is_typed and says_nothing(text):
            value = None
        self[text] = value
        return value

    def fill(self, texts: Iterable[str]) -> None:
        """Read texts at once as far as they are alike; the others are read when they are asked for."""
        if self._is_bulky:
            new = {text for text in texts if text not in self and text not in self._known}
            if new:
                self.update(self._read_at_once(new))

    def _read_at_once(self, texts: Collection[str]) -> Mapping[str, Cell]:
        selector = self._selector
        if self._read == self._decode:
            transform = selector.transforms[0]
            read: dict[str, Cell] = {**read_alike(texts, transform, self._decode)}
            signs = _SIGNS_OF[transform]
            lost = (
                text for text in texts if text not in read and _is_no_number(text, signs) and not says_nothing(text)
            )
            return read | dict.fromkeys(lost, UNREAD)
        if self._read == self._in_unit:
            self._inner.fill(texts)
            return {text: self._in_unit(text) for text in texts if text in self._inner}
        ends = selector.prefix, selector.suffix
        cut = {text: _between(text, *ends) for text in texts if text.startswith(ends[0]) and text.endswith(ends[1])}
        self._inner.fill(cut.values())
        values = {text: self._inner[part] for text, part in cut.items() if part in self._inner}
        return {text: value for text, value in values.items() if type(value) not in NO_VALUES}

    def accepts(self, text: str) -> bool:
        """Tell whether a text stands for a value."""
        value = self[text]
        return value is not None and value is not UNREAD

    def read(self) -> Iterator[str]:
        """Give the texts that were read as values, cut as they were for it."""
        decoded = self if self._read == self._decode else self._inner
        yield from (text for text, value in decoded.items() if type(value) not in NO_VALUES)

    def _in_unit(self, text: str) -> Cell:
        """Give the value of a text beside whose number one of the known units stands."""
        value = self._inner[text]
        return value if type(value) in NO_VALUES or is_in_one_of(text, self._selector.units) else UNREAD

    def _cut(self, text: str) -> Cell:
        selector = self._selector
        if selector.phrase:
            return self._slot(text)
        if selector.between:
            return self._inside(text)
        end = end_of(text, selector.suffix)
        if end is None or not text.startswith(selector.prefix):
            return UNREAD
        text = _between(text, selector.prefix, text[len(text) - end :])
        if selector.mark:
            return self._part(text)
        return self._inner[text]

    def _slot(self, text: str) -> Cell:
        """Give the value of a slot of the phrase that the text is; None where the text is one without it."""
        parts = parts_by(self._selector.phrase, text)
        if parts is None:
            return UNREAD
        part = parts[self._selector.slot]
        if part is None:
            return dict(self._selector.words or ()).get("")
        return self._inner[part]

    def _inside(self, text: str) -> Cell:
        """Give the only value between the words; None where the first ones are not."""
        parts = parts_between(text, self._selector.prefix, self._selector.suffix)
        values = [value for part in dict.fromkeys(parts) if (value := self._inner[part]) is not UNREAD]
        if len(values) == 1:
            return values[0]
        return UNREAD if values or is_stated(self._selector.prefix, text) else None

    def _part(self, text: str) -> Cell:
        """Give the value on its side of the only mark where both sides can be read, or the part of its number."""
        if self._selector.part:
            at, count = self._selector.part
            parts = text.split(self._selector.mark)
            return self._inner[parts[at].strip()] if len(parts) == count else UNREAD
        values: list[Cell] = []
        for before, after in parts_at(text, self._selector.mark):
            part, other = (before, after) if self._selector.side == "before" else (after, before)
            value = self._decode(part)
            if value is not UNREAD and self._beyond(other) is not UNREAD:
                values.append(value)
        return values[0] if len(values) == 1 and values[0] not in NOTHING else UNREAD


def _between(text: str, prefix: str, suffix: str) -> str:
    return text[len(prefix) : len(text) - len(suffix)].strip()


def _decoder(selector: FieldSelector, base_url: str) -> Decode:
    if selector.words is not None:
        words: dict[str, Cell] = dict(selector.words)
        return lambda text: words.get(text, words.get(masked(text), UNREAD))
    reads = [
        (_transform(name, selector, base_url), _SIGNS_OF.get(name, _ANY), name in _NUMERIC)
        for name in selector.transforms
    ]

    def decode(text: str) -> Cell:
        is_ascii = text.isascii()
        for read, signs, is_numeric in reads:
            if _is_no_number(text, signs) if is_numeric else is_ascii and not signs.search(text):
                continue
            try:
                return read(text)
            except ValueError:
                continue
        return UNREAD

    return decode if reads else lambda text: text


def _is_no_number(text: str, signs: re.Pattern[str]) -> bool:
    """Tell at little cost whether a text surely is no number: it lacks its signs, and is in ASCII or of letters."""
    return not signs.search(text) and (text.isascii() or text.replace(" ", "").isalpha())


def masked(text: str) -> str:
    """Give a text with a tab for each number in it but 0, as words of flags are kept.

    >>> masked("1,200 in stock"), masked("0 in stock"), masked("€ 0,00")
    ('\\t in stock', '0 in stock', '€ 0,00')
    """
    return _NUMBER.sub("\t", text)


def _transform(name: str, selector: FieldSelector, base_url: str) -> Callable[[str], JsonValue]:
    if name in _NUMERIC:
        return partial(_NUMERIC[name], decimal=selector.decimal)
    if read := notation(name, selector.day_first):
        return read
    if name in LENGTHS:
        return partial(parse_length, unit=LENGTHS[name])
    if name in _DATES:
        return _DATES[name] if selector.day_first is None else partial(_date, _DATES[name], selector.day_first)
    if name == "resolve":
        return lambda text: urljoin(base_url, text)
    if name == "url":
        return lambda text: TRANSFORMS["url"](urljoin(base_url, text))
    return TRANSFORMS[name]


def _date(parse: Callable[..., str], day_first: bool, text: str) -> str:
    """Read a date in the layout's order; one that shows the other order is of a page that has changed its own."""
    if day_comes_first(text) is (not day_first):
        raise ValueError(f"day and month in another order: {text[:80]!r}")
    return parse(text, day_first=day_first)


class Memory(dict[Reading, Decoded]):
    """What the texts of one page were read as, for all that read alike. ``base_url`` is that of its addresses."""

    def __init__(self, base_url: str = "") -> None:
        super().__init__()
        self._base_url = base_url

    def of(self, selector: FieldSelector) -> Decoded:
        """Give the values that texts stand for, read as a selector says."""
        reading = reading_of(selector)
        if reading not in self:
            self[reading] = Decoded(selector, self._base_url, self)
        return self[reading]
