"""Texts that each stand for one value: "Sold out" for no, "$" for USD, "Full-time" for FULL_TIME."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gleaner.contracts.ports import JsonValue
from gleaner.grounding.numbers.money import currencies_at
from gleaner.recipes.decoding import masked
from gleaner.recipes.model import FieldSelector

_MOST_WORDS = 6
_LEAST_WORDS = 6
_LONGEST_WORD = 40
_WORD = re.compile(r"[^\W\d_]+")


def in_words(
    selector: FieldSelector, known: Sequence[tuple[str, JsonValue]], steps: Sequence[str]
) -> Iterator[FieldSelector]:
    """Few texts that each stand for one value: "Yes" and "Sold out", or the sign of a currency.

    Or what texts say beside their numbers: "€ VB" in "1.200 € VB".
    """
    table = _table_of(known)
    bare = [(masked(text), value) for text, value in known]
    is_told = table is not None and (_are_telling(table, known) or _are_spelled(table, known))
    if table is not None and (is_told or (bare == [*known] and _name_flags(table, steps))):
        yield _with_words(selector, table)
    elif bare != [*known]:
        table = _table_of(bare)
        if table and (_are_telling(table, bare) or _name_flags(table, steps) or _mean_currencies(table)):
            yield _with_words(selector, table)


def _table_of(known: Sequence[tuple[str, JsonValue]]) -> dict[str, Any] | None:
    """Give the value of each text; None where one has two, or a text is long."""
    table: dict[str, Any] = {}
    for text, value in known:
        if isinstance(value, list | dict) or len(text) > _LONGEST_WORD or table.setdefault(text, value) != value:
            return None
    return table


def _are_telling(table: Mapping[str, Any], known: Sequence[tuple[str, JsonValue]]) -> bool:
    """Tell whether the texts are few, stand in several records each, and are words for a flag or for few values."""
    seen = Counter(text for text, _ in known)
    is_few = len(table) <= min(_MOST_WORDS, max(2, len(known) // 4))
    if not is_few or len(known) < _LEAST_WORDS or min(seen.values()) <= 1:
        return False
    said = set(map(str, table.values()))
    is_word = len(said) > 1 and all(isinstance(value, bool | str) for value in table.values())
    return is_word and (isinstance(known[0][1], bool) or len(said) < len(known))


def _with_words(selector: FieldSelector, table: Mapping[str, Any]) -> FieldSelector:
    return selector.model_copy(update={"words": tuple(table.items()), "prefix": "", "suffix": "", "mark": ""})


def _are_spelled(table: Mapping[str, Any], known: Sequence[tuple[str, JsonValue]]) -> bool:
    """Tell whether texts of several records each are values but for case, blanks and signs: "Full-time", FULL_TIME."""
    spelled = ((_letters(text), value) for text, value in table.items())
    is_few = len(table) <= _MOST_WORDS and min(Counter(text for text, _ in known).values()) > 1
    return is_few and all(isinstance(value, str) and text != "" and text == _letters(value) for text, value in spelled)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _mean_currencies(table: Mapping[str, Any]) -> bool:
    """Tell whether each text, with a tab for each number, says a currency by its sign or code: "USD" of "$5"."""
    return len(table) <= _MOST_WORDS and all(_means(text, value) for text, value in table.items())


def _means(text: str, value: Any) -> bool:
    shown = text.replace("\t", "1")
    stated = [codes for at, sign in enumerate(text) if sign == "\t" and (codes := currencies_at(shown, at, at + 1))]
    return bool(stated) and isinstance(value, str) and all(value.casefold() in codes for codes in stated)


def _name_flags(table: Mapping[str, Any], steps: Sequence[str]) -> bool:
    """Tell whether texts say a flag by its name: "In stock, today" is one for ``in_stock``, "Out of stock" none."""
    name = {word.lower() for word in _WORD.findall(steps[-1].replace("_", " "))} if steps else set[str]()
    if not name or len(table) > _MOST_WORDS or set(map(str, table.values())) != {"True", "False"}:
        return False
    return all((name <= {word.lower() for word in _WORD.findall(text)}) == value for text, value in table.items())
