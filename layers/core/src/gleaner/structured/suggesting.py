"""Schemas that fit a page, proposed without a model: from tables, embedded data, lists and labels (GT-3)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, TypeAlias

from gleaner.contracts.ports import JsonObject
from gleaner.page.data import Source, data_of
from gleaner.page.data.properties import Node, types_of
from gleaner.page.model import Page
from gleaner.schemas.fields import read_schema
from gleaner.structured.answers import answer_of
from gleaner.structured.grids import Grid, read_grids
from gleaner.structured.nodes import lists_of
from gleaner.structured.reading import Declined, read_column
from gleaner.structured.repeated_fields import FieldTexts, repeated_fields
from gleaner.units import PRIMARY_SCORE
from gleaner.values.conventions import Conventions, conventions
from gleaner.values.fields import ALIKE, Field
from gleaner.values.money import split_money
from gleaner.values.names import listed, name_words, roles_of
from gleaner.values.readers import parse

From: TypeAlias = Literal["table", "embedded data", "list", "labels"]

_GRAPHS: tuple[Source, ...] = ("json-ld", "microdata", "rdfa")
_MOST_FIELDS, _MOST_SUGGESTIONS, _EXAMPLES = 16, 3, 3
_FEWEST_OF_ONE = 3
"""Fields of the one thing that a page is about: with fewer, a list on the page is the better guess."""
_DATE = Field("date", frozenset(["string"]), ("date",))
_TRUST: Mapping[From, int] = {"table": 3, "embedded data": 2, "list": 1, "labels": 1}
"""How many times as much text other sources have to tell: a table's head and the keys of data say what is a field."""
_LONGEST_NAME, _MOST_WORDS, _LONGEST_EXAMPLE = 40, 6, 60
_CODE_LENGTH = 5
"""Digits from which on texts of one length are taken for codes: docket numbers, postcodes, articles' numbers."""
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("time", re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\.?)?", re.I)),
    ("rating", re.compile(r"\d(?:[.,]\d+)?\s*/\s*(?:5|10)")),
    ("percent", re.compile(r"[-+−]?\d+(?:[.,]\d+)?\s*%")),
    ("description", re.compile(r"(?=(?:\S+\s+){8}).{60,}", re.S)),
)
"""Names of nameless texts by how all of them look."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A schema that fits a page: where its fields are from, how many records the page has, and the first few as text.

    ``schema`` is of a list of records, or of the one thing that the page is about (``records`` is 1 then). With
    ``needs_model`` the page's own data does not answer it: nothing but their places tells what its texts are.
    """

    schema: JsonObject
    source: From
    records: int
    examples: tuple[Mapping[str, str], ...]
    needs_model: bool

    def to_json(self) -> JsonObject:
        """Give it as the interfaces do."""
        return {
            "schema": self.schema, "source": self.source, "records": self.records,
            "examples": [dict(one) for one in self.examples], "needs_model": self.needs_model,
        }  # fmt: skip

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Suggestion":
        """Give what ``to_json`` was made of."""
        return cls(given["schema"], given["source"], given["records"], tuple(given["examples"]), given["needs_model"])


@dataclass(frozen=True, slots=True)
class Found:
    """Fields of records by their texts, in one source."""

    source: From
    fields: tuple[FieldTexts, ...]
    is_list: bool = True

    @property
    def records(self) -> int:
        """How many there are."""
        return max((len(field.texts) for field in self.fields), default=0)

    @property
    def weight(self) -> int:
        """How much of the page it tells: characters of texts, of each not more than those of a short line."""
        told = sum(min(len(text), _LONGEST_EXAMPLE) for field in self.fields for text in field.texts)
        return told * _TRUST[self.source]


def suggest_schemas(page: Page) -> list[Suggestion]:
    """Give schemas that fit a page, the likeliest first; none for a page without records, labels or embedded data.

    What the page is about goes first where it says so in data of its own, else what tells most of its text.

    >>> from gleaner.page.opening import open_page
    >>> page = open_page("<table><tr><th>Name<th>Price<tr><td>Mug<td>3.50<tr><td>Jug<td>12.00</table>")
    >>> suggest_schemas(page)[0].schema["items"]["properties"]
    {'name': {'type': 'string'}, 'price': {'type': 'number'}}
    """
    ranked = found_in(page)[:_MOST_SUGGESTIONS]
    settled = conventions((text for found in ranked for field in found.fields for text in field.texts), page.language)
    return [_suggestion(found, settled, page) for found in ranked]


def found_in(page: Page) -> list[Found]:
    """Give what a page says of records and of one thing, the likeliest first."""
    lists = sorted((*_from_tables(page), *_from_lists(page), *_from_units(page)), key=lambda found: -found.weight)
    single = _about_one(page)
    if single is None:
        return lists
    return [single, *lists] if single.source == "embedded data" else [*lists, single]


def told_of(page: Page, schema: Any) -> str:
    """Say which fields of a schema the page names somewhere, and which it does not, as far as it can be told.

    >>> from gleaner.page.opening import open_page
    >>> page = open_page("<table><tr><th>Name<th>Price<tr><td>Mug<td>3.50<tr><td>Jug<td>12.00</table>")
    >>> record = {"type": "object", "properties": {"name": {"type": "string"}, "mood": {"type": "string"}}}
    >>> told_of(page, {"type": "array", "items": record})
    'its table has name, and nothing that is called mood'
    """
    wanted = read_schema(schema)
    best: tuple[list[str], str] = ([], "")
    for found in found_in(page) if wanted.fields else []:
        labels = [field.label for field in found.fields]
        has = [field.key for field in wanted.fields if any(field.likeness(label) >= ALIKE for label in labels)]
        best = max(best, (has, found.source), key=lambda one: len(one[0]))
    lacks = [field.key for field in wanted.fields if field.key not in best[0]]
    if not best[0] or not lacks:
        return ""
    return f"its {best[1]} has {', '.join(best[0])}, and nothing that is called {' or '.join(lacks)}"


def _from_tables(page: Page) -> Iterator[Found]:
    for grid in read_grids(page):
        if grid.is_headed and len(grid.rows) > 1 and len(grid.labels) > 1:
            fields = [_column(grid, at) for at in range(len(grid.labels))]
            yield Found("table", tuple(field for field in (*fields, *_links(grid)) if any(field.texts)))


def _column(grid: Grid, at: int) -> FieldTexts:
    texts = tuple(cell.text for cell in grid.column(at))
    return FieldTexts(grid.labels[at][-1] or grid.labels[at][0], texts, is_title=at == 0)


def _links(grid: Grid) -> Iterator[FieldTexts]:
    """Give the one address that each row has, where they are different."""
    rows = [{target for cell in row for target in cell.links} for row in grid.rows]
    targets = tuple(next(iter(row), "") for row in rows)
    if all(len(row) == 1 for row in rows) and len(set(targets)) == len(targets):
        yield FieldTexts("url", targets, "url")


def _from_lists(page: Page) -> Iterator[Found]:
    for source in _GRAPHS:
        for nodes in lists_of(data_of(page, source)):
            rows = [dict(_leaves(node)) for node in nodes]
            names = list(dict.fromkeys(name for row in rows for name in row))
            if len(names) > 1:
                fields = (FieldTexts(name, tuple(row.get(name, "") for row in rows)) for name in names)
                yield Found("embedded data", tuple(fields))


def _leaves(node: Node) -> Iterator[tuple[str, str]]:
    """Give the plain properties of an object, and for each object inside it what it is called, or else its own ones."""
    for key, value in node.items():
        first = value[0] if isinstance(value, list) and value else value
        if key.startswith("@"):
            continue
        if isinstance(first, dict):
            inner = {name: str(one) for name, one in first.items() if isinstance(one, str | int | float)}
            own = {key: inner["name"]} if "name" in inner else inner
            yield from ((name, text) for name, text in own.items() if not name.startswith("@"))
        elif isinstance(first, str | int | float):
            yield key, "\n".join(" ".join(str(one).split()) for one in (value if isinstance(value, list) else [value]))


def _from_units(page: Page) -> Iterator[Found]:
    groups: dict[int, list[tuple[int, int]]] = {}
    for unit in page.units:
        if unit.region is not None and unit.group_score >= PRIMARY_SCORE and unit.kind != "attribute":
            groups.setdefault(unit.group, []).append(unit.region)
    for regions in groups.values():
        fields = repeated_fields(page, regions)
        if len(regions) > 1 and fields:
            yield Found("list", tuple(fields))


def _about_one(page: Page) -> Found | None:
    """Give the fields of the one thing that the page is about: of its own data, or its labels."""
    others = listed("not_of_a_page") | listed("of_the_document")
    nodes = [node for source in _GRAPHS for node in data_of(page, source) if others.isdisjoint(types_of(node))]
    leaves = max((dict(_leaves(node)) for node in nodes if not [*lists_of([node])]), key=len, default={})
    types = {name for node in nodes for name in types_of(node)}
    if len(leaves) >= _FEWEST_OF_ONE and len(nodes) <= len(types) + 1:
        told = tuple(FieldTexts(name, (text,)) for name, text in leaves.items())
        return Found("embedded data", told, is_list=False)
    pairs = {pair.label: pair.cell.text for pair in reversed(page.pairs)}
    fields = tuple(FieldTexts(label, (text,)) for label, text in reversed(pairs.items()))
    return Found("labels", fields, is_list=False) if len(fields) >= _FEWEST_OF_ONE else None


def _suggestion(found: Found, settled: Conventions, page: Page) -> Suggestion:
    properties: dict[str, Any] = {}
    chosen: dict[str, FieldTexts] = {}
    for field in found.fields[:_MOST_FIELDS]:
        said = [text for text in field.texts if text]
        kind = _kind_of(field, said, settled)
        name = _name_of(field, kind, said, chosen)
        if name in properties:
            continue
        may_lack = len(said) < len(field.texts) or (not found.is_list and bool(chosen))
        properties[name] = {**kind, "type": [kind["type"], "null"]} if may_lack and kind["type"] != "array" else kind
        chosen[name] = field
    needed = [name for name, field in chosen.items() if all(field.texts)][:1]
    record: dict[str, Any] = {"type": "object", "properties": properties, "required": needed}
    examples = tuple(
        {name: shortened for name, field in chosen.items() if (shortened := field.texts[at][:_LONGEST_EXAMPLE])}
        for at in range(min(found.records, _EXAMPLES))
    )
    schema: JsonObject = {"type": "array", "items": record} if found.is_list else record
    return Suggestion(schema, found.source, found.records, examples, answer_of(page, schema) is None)


def _kind_of(field: FieldTexts, said: Sequence[str], settled: Conventions) -> dict[str, Any]:
    """Give the JSON Schema of a field: the narrowest type that all of its texts have."""
    if field.kind != "text":
        return {"type": "string", "format": "uri"}
    if said and all(text.startswith(("https://", "http://")) for text in said):
        return {"type": "string", "format": "uri"}
    if any("\n" in text for text in said):
        return {"type": "array", "items": {"type": "string"}}
    named = Field(name=" ".join(name_words(field.label)), types=frozenset(["number", "null"]))
    is_code = _are_codes(said) and field.label not in listed("prices")
    if said and not is_code and (values := _read(named, field.label, said, settled)) is not None:
        is_whole = all(isinstance(value, int) for value in values) and not any(map(_is_money, said))
        return {"type": "integer" if is_whole and roles_of(field.label) & {"year", "count"} else "number"}
    return {"type": "string", "format": "date"} if said and _are_dates(said, settled) else {"type": "string"}


def _are_dates(said: Sequence[str], settled: Conventions) -> bool:
    try:
        return all(parse(text, _DATE, settled) for text in said)
    except ValueError:
        return False


def _is_money(text: str) -> bool:
    try:
        return bool(split_money(text)[1])
    except ValueError:
        return False


def _are_codes(said: Sequence[str]) -> bool:
    """Tell whether digits stand for no number: one begins with 0, or all are long and of one length."""
    if any(len(text) > 1 and text.isdigit() and text.startswith("0") for text in said):
        return True
    return all(text.isdigit() and len(text) >= _CODE_LENGTH for text in said) and len({len(text) for text in said}) == 1


def _read(field: Field, label: str, said: Sequence[str], settled: Conventions) -> list[Any] | None:
    try:
        values = read_column(field, label, said, settled)
    except (Declined, ValueError):
        return None
    return values if any(value is not None for value in values) else None


def _name_of(field: FieldTexts, kind: Mapping[str, Any], said: Sequence[str], taken: Iterable[str]) -> str:
    """Give a name: the page's word for the field, else one for what its texts are."""
    words = "_".join(name_words(field.label)[:_MOST_WORDS])[:_LONGEST_NAME]
    if words or field.label.strip():
        return words or field.label.strip()[:_LONGEST_NAME]
    if field.is_title and kind["type"] == "string":
        usual = "title"
    elif kind["type"] == "number" and any(map(_is_money, said)):
        usual = "price"
    else:
        by_kind = {"date": "date", "number": "number", "integer": "number", "array": "texts"}
        shape = next((name for name, shape in _SHAPES if said and all(map(shape.fullmatch, said))), "")
        usual = shape or by_kind.get(kind.get("format", kind["type"]), "text")
    used = set(taken)
    return next(name for at in count(1) if (name := usual if at == 1 else f"{usual}_{at}") not in used)
