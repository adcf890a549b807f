"""Numbers that are written alike but for their digits ("USD 5.20", "USD 7.95"), read at once.

The rules of ``coercion/numbers.py`` go by marks, by how many digits stand where, and by a zero that comes first; only
those of whole numbers go by which digits these are.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Way: TypeAlias = Callable[[str], int | float]

ALIKE = frozenset({"number", "integer", "money", "percent", "count", "quantity"})
"""The transforms that read texts alike which differ in their digits only."""

_WHOLE = frozenset({"integer", "count"})
_FEW = 4
_MOST_DIGITS = 15
"""More of them a float may not hold."""
_AS_ZEROS = str.maketrans("123456789", "0" * 9)
_ONE_NUMBER = re.compile(r"\D*(?P<body>0(?:[0.,]*0)?)(?P<after>\D*)")
_WAYS: tuple[Way, ...] = (
    int,
    float,
    lambda body: float(body.replace(",", "")),
    lambda body: float(body.replace(".", "").replace(",", ".")),
    lambda body: int(body.replace(",", "").replace(".", "")),
)


def read_alike(texts: Iterable[str], transform: str, read: Callable[[str], T]) -> dict[str, T | int | float]:
    """Give the values of those texts that are written as several others are: of each kind one is read by ``read``.

    >>> from gleaner.values.money import parse_money
    >>> sorted(read_alike(["$1.50", "$2.75", "$3.20", "$9.99", "from $5"], "money", parse_money).items())
    [('$1.50', 1.5), ('$2.75', 2.75), ('$3.20', 3.2), ('$9.99', 9.99)]
    """
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.translate(_AS_ZEROS), []).append(text)
    return {
        text: value
        for kind, alike in kinds.items()
        if len(alike) >= _FEW and (number := _ONE_NUMBER.fullmatch(kind)) and _goes_by_form(number, transform)
        for text, value in _read(alike, *number.span("body"), read)
    }


def _goes_by_form(number: re.Match[str], transform: str) -> bool:
    """Tell whether a number of this form is one whatever its digits are: "5.00" is a whole one, "5.20" is not."""
    if transform in _WHOLE and (not number["body"].isdigit() or number["after"][:1].isalpha()):
        return False
    return len(number["body"]) <= _MOST_DIGITS


def _read(
    texts: Iterable[str], start: int, end: int, read: Callable[[str], T]
) -> Iterator[tuple[str, T | int | float]]:
    """Give the values of texts whose numbers stand at one place; none of texts that are codes, with a zero first."""
    texts = [text for text in texts if text[start] != "0"]
    way = _way_of(texts[0][start:end], read(texts[0])) if texts else None
    return ((text, way(text[start:end])) for text in texts) if way else iter(())


def _way_of(body: str, value: object) -> Way | None:
    """Give how a number is made of its figures."""
    for way in _WAYS:
        try:
            made = way(body)
        except ValueError:
            continue
        if type(made) is type(value) and made == value:
            return way
    return None
