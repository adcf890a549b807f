"""Codes of countries and languages, which pages write as names: "Germany" and "Allemagne" state DE, "Dutch" nl.

And days of the week, which pages shorten. Only of fields that ask for such; "it" is no IT. The names are those of
CLDR (``data/code_names.json``).
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gleaner.contracts.json_text import packaged
from gleaner.judging.flags import fills_a_part
from gleaner.schemas.leaves import Leaf
from gleaner.values.names import roles_of
from gleaner.values.texts.text_index import Match, TextIndex, start_of

_DESCRIBED = {
    "countries": ("iso 3166", "country code", "iso-3166"),
    "languages": ("iso 639", "language code", "iso-639"),
}
_LONGER = {"countries": "iso3166_alpha3", "languages": "iso639_3"}
_LONGEST = 3
_SHORTENED = re.compile(r"\.?(?:[ \u00a0]?\d|,[ \u00a0]?\d|[ \u00a0]?[-–—/&+:|\n]|[ \u00a0]*\Z)")
"""What follows a name of a day that is shortened, and no word."""


def asked_code(leaf: Leaf, value: str) -> tuple[str, str] | None:
    """Give the table and the code of two letters of a value that is a code which its field asks for; else None."""
    if "weekday" in _roles_of(leaf) and (day := _codes_by_name("weekdays").get(value.casefold())):
        return "weekdays", day
    if not 1 < len(value) <= _LONGEST or not value.isalpha() or not value.isascii():
        return None
    table = _table_of(leaf)
    if table is None:
        return None
    code = value.upper() if table == "countries" else value.lower()
    code = _tables()[_LONGER[table]].get(code, code)
    return (table, code) if code in _tables()[table] else None


def places_of_code(table: str, code: str, value: str, index: TextIndex) -> Sequence[Match]:
    """Give the places that state a code: in capitals or as all of a part, or by a name that is not another's."""
    text = index.text
    written = [
        match
        for match in index.find(value)
        if len(value) > _LONGEST
        or text[match.start : match.end].isupper()
        or fills_a_part(text, match.start, match.end)
    ]
    named = {
        match.start: match
        for name in _tables()[table][code]
        for match in index.find(name)
        if table != "weekdays" or _is_day(name, match, text)
    }
    others = [match for name in _longer_names(table, code) for match in index.find(name)] if named else ()
    kept = [
        Match(match.start, match.end, "normalized", "code_name")
        for match in named.values()
        if not any(other.start <= match.start and match.end <= other.end for other in others)
    ]
    return sorted([*written, *kept], key=start_of)


def names_country(code: str, index: TextIndex) -> bool:
    """Tell whether a text names the country of a code."""
    is_known = code in _tables()["countries"]
    return is_known and any(one.transform == "code_name" for one in places_of_code("countries", code, code, index))


def _table_of(leaf: Leaf) -> str | None:
    choices = [choice for choice in leaf.choices if isinstance(choice, str)]
    for table in ("countries", "languages") if len(choices) > 1 else ():
        if all(choice in _tables()[table] for choice in choices):
            return table
    roles = _roles_of(leaf)
    for table, role in (("countries", "country"), ("languages", "language")):
        if role in roles or any(
            said in str(view.get("description", "")).casefold() for view in leaf.views for said in _DESCRIBED[table]
        ):
            return table
    return None


def _roles_of(leaf: Leaf) -> frozenset[str]:
    return roles_of(next((step for step in reversed(leaf.field) if step != "*"), ""))


def _is_day(name: str, match: Match, text: str) -> bool:
    """Tell whether a name of a day is that of one day only, and a short one is written as one."""
    if not _codes_by_name("weekdays")[name.casefold()]:
        return False
    return len(name) > _LONGEST or _SHORTENED.match(text, match.end) is not None


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    return packaged("code_names")


@cache
def _codes_by_name(table: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for code, names in _tables()[table].items():
        for name in {one.casefold() for one in names}:
            found[name] = "" if name in found else code
    return found


@cache
def _longer_names(table: str, code: str) -> tuple[str, ...]:
    """Give the names of other codes that a name of this one is a part of: "South Sudan" is not SD."""
    own = _tables()[table][code]
    return tuple(
        other
        for key, names in _tables()[table].items()
        if key != code
        for other in names
        if any(name in other and name != other for name in own)
    )
