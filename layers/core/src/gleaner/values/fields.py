"""What a schema says of one value: the names, types, formats, choices, limits, unit, currency and role of a field."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Literal

from gleaner.contracts.ports import JsonValue
from gleaner.values import locales
from gleaner.values.lookups import grouped
from gleaner.values.measures import dimension_of, unit_of_name, units_stated
from gleaner.values.money import CENTS, currencies_stated, currency_of_name
from gleaner.values.names import (
    forms,
    name_words,
    roles_of,
    same_names,
    telling_words,
    without_brackets,
    without_marks,
    words_of,
)

Kind = Literal["text", "number", "boolean", "date", "address", "image", "texts", "other"]

DATES = frozenset(["date", "date-time", "time"])
ADDRESSES = frozenset(["uri", "uri-reference", "iri", "iri-reference"])
_LONGEST_HINT = 6
"""Words of a description that may be a label of the field, and no sentence about it."""

_ASKED = re.compile(r"(?<!not )\b(?:in|en|em) (\w+)(?: (\w+))?")
"""What a description asks for: "in cents", "en céntimos de euro", "in euro cents"."""

_SHORTEST_PART = 3
"""Letters of a word of a name that alone may be its label: the "ID" of a ``product_id`` is anything's."""

VERY_NAME, ALIKE, NEAR = 3, 2, 1
"""How like a label is to a field: its very name; the same in other words or but for brackets; a part of its name."""


@dataclass(frozen=True)
class Field:
    """One scalar of a schema, or a list of texts (``is_list``); hashable by all that a schema says of it.

    ``outer`` are the properties of its record that lead to it, ``also`` its other names: title, aliases, the path.
    ``types`` are those of JSON Schema, "null" among them; none where nothing is known.
    """

    name: str = ""
    types: frozenset[str] = frozenset()
    formats: tuple[str, ...] = ()
    description: str = ""
    maximum: Any = None
    choices: tuple[JsonValue, ...] = ()
    outer: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    is_required: bool = False
    is_list: bool = False
    has_other_end: bool = False
    schema: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), compare=False, repr=False)

    @property
    def path(self) -> tuple[str, ...]:
        """The properties of a record that lead to it."""
        return (*self.outer, self.name)

    @property
    def key(self) -> str:
        """The path in one, by which records in the making have the field."""
        return ".".join(self.path)

    @property
    def is_nullable(self) -> bool:
        """Whether null may stand in its place; so it may where nothing is known of it."""
        return "null" in self.types or not self.types

    @property
    def may_be_absent(self) -> bool:
        """Whether a record may lack it, or have null in its place."""
        return self.is_nullable or not self.is_required

    @cached_property
    def kind(self) -> Kind:
        """What its values are, as far as tables and embedded data can hold them; "other" for all else."""
        types = sorted(self.types - {"null"})
        if self.is_list:
            return "texts" if types == ["string"] and not self.choices else "other"
        if types and {"number", "integer"}.issuperset(types):
            return "number"
        if types == ["boolean"]:
            return "boolean"
        if types != ["string"]:
            return "other" if types else "text"
        return self._kind_of_text()

    def _kind_of_text(self) -> Kind:
        if not DATES.isdisjoint(self.formats):
            return "date"
        is_address = not ADDRESSES.isdisjoint(self.formats)
        if "picture" in self.roles or (
            is_address and any("picture" in roles_of(word) for word in name_words(self.name))
        ):
            return "image"
        return "address" if is_address or "link" in self.roles else "text"

    @cached_property
    def roles(self) -> frozenset[str]:
        """What the words of its name say that it is, in any language."""
        return roles_of(self.name)

    def is_other_end_of(self, other: "Field") -> bool:
        """Tell whether both are ends of one range, of which this is the first.

        >>> Field("price_min").is_other_end_of(Field("price_max")), Field("start").is_other_end_of(Field("end_date"))
        (True, False)
        """
        own, theirs = frozenset(name_words(self.name)), frozenset(name_words(other.name))
        are_ends = "first" in self.roles - other.roles and "last" in other.roles - self.roles
        return are_ends and len(own - theirs) == 1 == len(theirs - own)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its name and description."""
        return frozenset((*name_words(self.name), *name_words(self.description)))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units that its name ends in or its description states; none where it says nothing of a unit.

        What is paid is in no unit of time, the least of two ends in no minutes: ``hourly_wage_min``. A year is a year.

        >>> Field("weight_kg").units, Field("gesamtzeit", description="in Minuten").units, Field("weight").units
        (('kilogram',), ('minute',), ())
        >>> Field("hourly_wage_min").units, Field("hike_min", has_other_end=True).units, Field("hike_min").units
        ((), (), ('minute',))
        """
        named = unit_of_name(self.name)
        is_end = "lowest" in self.roles and (self.has_other_end or self.is_paid)
        is_other = "year" in self.roles or (is_end and named is not None and dimension_of(named) == "duration")
        own = [named] if named and not is_other else []
        return tuple(dict.fromkeys([*own, *units_stated(self.description)]))

    @cached_property
    def currencies(self) -> frozenset[str]:
        """The currencies of which its name or description says that it is in one; none where they say nothing."""
        return currency_of_name(self.name) or currencies_stated(self.description)

    @cached_property
    def is_paid(self) -> bool:
        """Whether its name or description says that it is an amount of money."""
        return not locales.words("paid").isdisjoint(self.words)

    @cached_property
    def is_in_cents(self) -> bool:
        """Whether its name or description asks for an amount in the hundredths of a currency.

        >>> Field("price_cents").is_in_cents, Field("price", description="Price in euro cents").is_in_cents
        (True, True)
        >>> Field("price", description="In dollars, not in cents").is_in_cents, Field("price_ore").is_in_cents
        (False, True)
        """
        asked = _ASKED.findall(self.description.casefold())
        words = (*name_words(self.name), *(word for pair in asked for word in pair))
        return not _words_for_cents(may_lack_accents=self.is_paid).isdisjoint(words)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its name and its other ones, each once."""
        return tuple(dict.fromkeys((*(() if self.outer else (self.name,)), *self.also)))

    @cached_property
    def forms(self) -> frozenset[str]:
        """The forms of its names."""
        return frozenset(form for name in self.names for form in forms(name))

    @cached_property
    def hints(self) -> frozenset[str]:
        """The forms of a short description, which people write as they would a label."""
        first = self.description.split(".")[0].split(",")[0]
        return forms(first) if 0 < len(words_of(first)) <= _LONGEST_HINT else frozenset()

    @cached_property
    def synonyms(self) -> frozenset[str]:
        """The forms of what means the same in any table or data, and of its short description."""
        same = frozenset[str]().union(*map(same_names, self.names))
        own = frozenset(form for name in self.names for word in words_of(name) for form in forms(word))
        return same | (self.hints - own)

    @cached_property
    def label_words(self) -> frozenset[str]:
        """The words of which a label of the field has one at least."""
        named = {word for name in (*self.names, self.name) for word in words_of(name)}
        same = {word for name in self.names for form in same_names(name) for word in form.split()}
        return frozenset(named | same | {word for form in self.hints for word in form.split()})

    def likeness(self, label: str) -> int:
        """Tell how like a label, column head or key is to the field, from 0 to 3.

        3: its very name, in any case, number and order of the words. 2: its name but for what stands in brackets, or
        what means the same by ``data/field_names.json`` or a short description. 1: a part of its name, which is the
        field's unless another field is nearer. 0: none.

        >>> birth = Field("birth_date")
        >>> [birth.likeness(label) for label in ("Date of birth", "BirthDates (UTC)", "Date", "Born")]
        [3, 2, 1, 0]
        """
        return _likeness(self, _bare(label))


class VeryNames:
    """Which of some fields a label is the very name of.

    >>> names = VeryNames([Field("price"), Field("sale_price")])
    >>> [field.name for label in ("Sale price", "Price:", "Cost") if (field := names.alone(label))]
    ['sale_price', 'price']
    """

    def __init__(self, fields: Iterable[Field]) -> None:
        self._fields = grouped((form, one) for one in fields for form in one.forms)

    def alone(self, label: str) -> Field | None:
        """Give the one field that a label is the very name of; None for none, and for several."""
        found = {one for form in forms(_bare(label)) for one in self._fields.get(form, ())}
        return next(iter(found)) if len(found) == 1 else None


def _bare(label: str) -> str:
    return " ".join(label.split()).rstrip(" :：")


@cache
def _words_for_cents(*, may_lack_accents: bool) -> frozenset[str]:
    """Give the words for cents and the like, as names of properties write them, too, if asked: "ore", "kurus"."""
    words = {word for word, power in locales.scales().items() if power == -CENTS and len(word) > len("ct")}
    return frozenset(words.union(map(without_marks, words)) if may_lack_accents else words)


@lru_cache(maxsize=16_384)
def _likeness(of: Field, label: str) -> int:
    found = forms(label)
    if not found:
        return 0
    if not of.forms.isdisjoint(found):
        return VERY_NAME
    bare = without_brackets(label)
    if (bare and bare != label and not of.forms.isdisjoint(forms(bare))) or not of.synonyms.isdisjoint(found):
        return ALIKE
    words = telling_words(words_of(bare or label))
    is_part = any(set(words) <= set(words_of(name)) for name in of.names)
    return NEAR if is_part and any(len(word) >= _SHORTEST_PART for word in words) else 0
