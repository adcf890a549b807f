"""Decide whether a page without records is truly empty, by its words and by the schema: for all ways in."""

import re
from functools import partial
from typing import Any

from gleaner.contracts.error_types import ErrorType
from gleaner.contracts.word_lists import any_word
from gleaner.page.blocks import blocks_of
from gleaner.page.model import Nodes
from gleaner.schemas import declared_properties, declared_types
from gleaner.units.totals import NO_LISTING
from gleaner.values.money_signs import AMOUNT

_any = partial(any_word, "listing_words")
_THINGS = _any("search_nouns", "nouns_of_none")
_NOTHING = re.compile(
    rf"\b(?:{_any('none')} (?:\w+ ){{0,2}}{_THINGS}\b|{_THINGS} {_any('is_not_there')}|{_any('found_nothing')})"
    rf"|{_any('found_nothing_unspaced')}",
    re.IGNORECASE,
)
_DOOR = re.compile(
    rf"(?<!\w)(?<!\w[.,'’\u2010\u2011-])(?:{_any('doors')})(?!\w)|{_any('doors_unspaced')}", re.IGNORECASE
)
"""What is shown in place of a list: a login, an error, a check, maintenance; 4.423 houses and AVX-512 are none."""

_FEW_WORDS = 60
"""Words of a page whose every line may say that it shows something else; of a longer one its title and headings may."""

_ZERO = re.compile(rf"(?<![\d.,])0 (?:\w+ )?{_THINGS}\b", re.IGNORECASE)
_LONGEST_LINE = 200
_SHORT_LINE = re.compile(rf"(?m)^[^\n|]{{1,{_LONGEST_LINE}}}$")
_MONEY = re.compile(AMOUNT)
_MONEY_FIELD = re.compile(r"price|cost|amount|fee|salary|fare|rent|preis|prix|precio|prezzo|цена", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WINDOW = 400
_LEAST_NUMBERS = 2


def says_it_is_empty(markdown: str) -> bool:
    """Tell whether a short line of the page says that there is nothing to list.

    >>> says_it_is_empty("# Jobs\\n\\nNo open positions right now."), says_it_is_empty("0 items in your cart")
    (True, False)
    """
    return any(_says_nothing(line[0]) for line in _SHORT_LINE.finditer(markdown))


def why_not_empty(markdown: str, nodes: Nodes | None = None, title: str = "") -> tuple[ErrorType, str] | None:
    """Say why a page that gave no record can't be taken for an empty list; None where nothing speaks against it.

    A login, an error, a check or maintenance is no list, whatever the status it came with. What the page says of its
    list counts before: a shop may ask for a login beside it.

    >>> why_not_empty("# Sorry\\n\\nWe will be back soon.")[1]
    'no record was found, and the page says "We will be back soon."'
    """
    if says_it_is_empty(markdown):
        return None
    if nodes is not None and any((nodes.get(one, "type") or "").lower() == "password" for one in nodes.tagged("input")):
        return ErrorType.UNAUTHORIZED, 'the page asks for a login: profile "master" keeps one'
    blocks = blocks_of(markdown)
    heads = (blocks.said(one) for one in blocks.headings if one.kind == "heading")
    lines = [title, *(head for head in heads if len(head) <= _LONGEST_LINE)]
    if len(markdown.split(maxsplit=_FEW_WORDS)) <= _FEW_WORDS:
        lines += [line for line in markdown.splitlines() if len(line) <= _LONGEST_LINE]
    if said := next((line for line in lines if _DOOR.search(line)), None):
        return ErrorType.EMPTY_ANSWER, f'no record was found, and the page says "{said.strip("# ")}"'
    return None


def _says_nothing(line: str) -> bool:
    """Tell whether a line says so; "0 items in your cart" counts something else."""
    is_zero = _ZERO.search(line) is not None and NO_LISTING.search(line) is None
    return is_zero or _NOTHING.search(line) is not None


def may_hold_records(markdown: str, item_schema: Any) -> bool:
    """Tell whether a page states what a record of this schema would: an amount of money, or several numbers together.

    A schema of nothing but texts looks for nothing that can be told from other text.

    >>> schema = {"properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    >>> may_hold_records("The lamp costs $5.", schema), may_hold_records("We are open from 9.", schema)
    (True, False)
    """
    properties = declared_properties(item_schema)
    numeric = [name for name, schema in properties.items() if _is_numeric(schema)]
    if any(_MONEY_FIELD.search(name) for name in properties) and _MONEY.search(markdown):
        return True
    wanted = len(numeric)
    places = [match.start() for match in _NUMBER.finditer(markdown)]
    return wanted >= _LEAST_NUMBERS and any(
        last - first <= _WINDOW for first, last in zip(places, places[wanted - 1 :], strict=False)
    )


def _is_numeric(schema: dict[str, Any] | bool) -> bool:
    if isinstance(schema, dict) and schema.get("format") in ("date", "date-time", "time"):
        return True
    types = declared_types(schema)
    return bool(types & {"number", "integer"}) and "string" not in types
