"""How a field's name appears as a label, and which words before a value are its label."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gleaner.contracts.ports import JsonValue
from gleaner.grounding.evidence.table_heads import full_words
from gleaner.grounding.leaves import Leaf, SchemaViews, types_of
from gleaner.grounding.text.spellings import Field, Label, label_words
from gleaner.values.flags import says_nothing

MOST_WORDS = 4
"""Words of a label that are compared: its last ones."""

_NUMBER = re.compile(r"(?<![^\W_])\d+(?![^\W_])")
_ABOUT = "approx|about|around|circa|etwa|environ|约|約|ок|около|руб"
_UNIT = rf"[*_ ]*(?:(?:[A-Za-z]{{1,4}}|{_ABOUT})\.?)?[^\w\s:：]{{0,3}}[*_ ]*$"
_UNIT_ALONE, _UNIT_AHEAD = re.compile(_UNIT), re.compile(f"([:：]){_UNIT}")
"""A unit or currency, or "about", between a label's colon and the value: "Price: US$5", "Price: Rs. 5"."""


@lru_cache(maxsize=1024)
def forms_of(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Give the patterns of a field's names before a colon, and before the one other cell of a row."""
    name, *bare = (r"[\s_-]+".join(map(re.escape, one.split())) for one in names)
    forms = [rf"{name}[*_ ]*(?=[:：])", *(rf"{one}[*_ ]*(?=[:：][*_ ]*[^\n]{{0,4}}\d)" for one in bare)]
    forms.append(rf"(?m:^){name}[*_ ]*(?=\n[ \t>]*[:：])")  # the term of a list of definitions
    cell = rf"(?im)^\|[ *_]*({'|'.join((name, *bare))})[ *_]*\|(?:[ *_]*\1[ *_]*\|)*"
    row = cell + r"[^|\n]*\w[^|\n]*\|[ \t]*$(?!\n[|: -]+$)"
    return re.compile(rf"(?i)(?<![^\W_])(?:{'|'.join(forms)})"), re.compile(row)


@lru_cache(maxsize=8192)
def last_words(text: str) -> Label:
    """Give the words before a value, as a label: from the last number on before a colon, "12 €Company:", else none with
    a number before them: "100 points" is no label. A number that ends the label is a part of it: "ISBN-13:"."""
    numbers = list(_NUMBER.finditer(text))
    if numbers and not text.rstrip(" *_").endswith((":", "：")):
        return ()
    starts = [0, *(number.end() for number in numbers)]
    begin = starts[-2] if numbers and not any(map(str.isalpha, text[starts[-1] :])) else starts[-1]
    return full_words(text[begin:])[-MOST_WORDS:]


def without_unit(text: str) -> str:
    """Give what stands before a value without its unit or currency: "1904 Price:" of "1904 Price: US$"."""
    return _UNIT_AHEAD.sub(r"\1", text) if ":" in text or "：" in text else text


def is_unit(text: str) -> bool:
    """Tell whether what stands before a value in its cell looks like its unit or currency, not like a label."""
    return _UNIT_ALONE.match(text) is not None


def is_named_as_its_record(field: Field, said: Collection[Field]) -> bool:
    """Tell whether records have a field of the name that the elements of their list have: a label is the record's.

    >>> is_named_as_its_record(("*", "sizes", "*", "price"), {("*", "price")})
    True
    """
    return field.count("*") > 1 and (*field[: field.index("*") + 1], field[-1]) in said


def is_said(text: str) -> bool:
    """Tell whether a text behind a label says something."""
    return any(map(str.isalnum, text)) and not says_nothing(text.strip(" *_."))


@dataclass(frozen=True, slots=True)
class Said:
    """The values of a record by field, and its texts as labels would be read."""

    values: Mapping[Field, Sequence[JsonValue]]
    labels: frozenset[Label]

    @classmethod
    def of(cls, leaves: Sequence[Leaf]) -> "Said":
        """Collect what leaves say."""
        values: dict[Field, list[JsonValue]] = {}
        for leaf in leaves:
            values.setdefault(leaf.field, []).append(leaf.value)
        return cls(values, frozenset(label_words(leaf.value) for leaf in leaves if isinstance(leaf.value, str)))


def asked_beside(fields: Iterable[Field], views: SchemaViews | None) -> set[Field]:
    """Give the fields that the schema names beside these, flags left out."""
    parents = {field[:-1] for field in fields}
    named = [(parent, view.get("properties")) for parent in parents for view in (views.of(parent) if views else ())]
    properties = [(parent, one) for parent, one in named if isinstance(one, Mapping)]
    return {
        (*parent, str(name))
        for parent, one in properties
        for name, rule in one.items()
        if not (isinstance(rule, Mapping) and "boolean" in types_of(rule))
    }
