"""Records from embedded objects: each field by a key of its name, or where schema.org keeps it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gleaner.contracts.ports import JsonValue
from gleaner.html.dom import text_of_markup
from gleaner.page.data import Source, data_of
from gleaner.page.data.properties import Node, types_of
from gleaner.page.data.states import walk
from gleaner.page.model import Page
from gleaner.schemas.fields import RecordSchema
from gleaner.structured.reading import ABSENT, PLACEHOLDER, Declined, read_value
from gleaner.values.conventions import Conventions, mark_of
from gleaner.values.fields import Field
from gleaner.values.flags import says_nothing
from gleaner.values.names import forms, listed, schema_org_paths, words_of
from gleaner.values.quantities import read_quantity

_GRAPHS: tuple[Source, ...] = ("json-ld", "microdata", "rdfa")
_FEWEST = 2
_SAYS = ("@value", "name", "text", "itemListElement", "item", "url", "contentUrl")
"""Where an object says in one text what it is, likeliest first."""
_IN_META = frozenset(["price", "priceCurrency"])
_ONE_QUANTITY = re.compile(r"\d+(?:[.,]\d+)? [^\W\d_]+(?: [^\W\d_]+)?")
_MOST_DEPTH = 6
_DIGITS = re.compile(r"(?<!\d)\d+$")
_CODE = re.compile(r"(?=\S*\d)[\w./#-]{4,40}")


@dataclass(frozen=True, slots=True)
class Embedded:
    """What an object, or a list of them, says of the fields; ``doubt`` says why that can't be read beyond doubt.

    ``name`` is what the object is called, and ``left_out`` says of optional texts, by key, why they
    are not taken.
    """

    records: Sequence[Mapping[str, Any]]
    source: str
    name: str = ""
    doubt: str = ""
    left_out: tuple[tuple[str, str], ...] = ()


def find_in_nodes(page: Page, wanted: RecordSchema) -> Iterator[list[Embedded]]:
    """Give what embedded data says of objects, or lists, with all required fields: the sources that count most first.

    Meta tags and the state of scripts count only where nothing else says what the page is about.
    """
    url, groups_of = page.base, lists_of if wanted.is_list else _singles
    grouped = [(source, group) for source in _GRAPHS for group in groups_of(data_of(page, source))]
    yield list(_read(wanted, grouped, url))
    if not wanted.is_list:
        yield list(_read(wanted, [("meta", [node]) for node in data_of(page, "meta")], url))
    groups = (group for state in data_of(page, "state") for group in (_arrays if wanted.is_list else _objects)(state))
    yield list(_read(wanted, (("state", group) for group in groups), url))


def _read(wanted: RecordSchema, groups: Iterable[tuple[str, Sequence[Node]]], url: str) -> Iterator[Embedded]:
    """Give the records of those groups of nodes of which each has all required fields."""
    required = [field for field in wanted.fields if field.is_required]
    for source, nodes in groups:
        if not all(_has(field, node) for node in nodes for field in required):
            continue
        name = _name_of(nodes[0])
        left_out: dict[str, str] = {}
        try:
            records = [_record(wanted, node, url, left_out) for node in nodes]
        except Declined as doubt:
            yield Embedded([], source, name, str(doubt))
            continue
        if any(value is not None for record in records for value in record.values()):
            yield Embedded(records, source, name, "", (*left_out.items(),))


def read_singles(page: Page, wanted: RecordSchema) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the name of each object that the page may be about, and what it says beyond doubt of single fields."""
    url = page.base
    for (node,) in (group for source in _GRAPHS for group in _singles(data_of(page, source))):
        record: dict[str, Any] = {}
        for field in wanted.fields:
            try:
                value: Any = ABSENT if field.kind == "texts" else _stated(field, node)
                if value is not ABSENT:
                    record[field.key] = read_value(field, value, url)
            except Declined:
                continue
        yield _name_of(node), record


def _name_of(node: Node) -> str:
    return next((str(node[key]) for key in ("name", "headline", "title") if node.get(key)), "")


def check_meta(page: Page, wanted: RecordSchema, record: Mapping[str, Any]) -> None:
    """Decline where the page's meta tags have another number, price or currency than its other data."""
    for node in data_of(page, "meta"):
        for field in wanted.fields:
            keys = {path[-1] for path in _paths(field, node) if next(_leaves(node, path), None) is not None}
            if record.get(field.key) is None or (field.kind != "number" and keys.isdisjoint(_IN_META)):
                continue
            stated = _stated(field, node)
            if stated is not ABSENT and not _is_same(read_value(field, stated), record[field.key]):
                raise Declined(f"the page's data has two values for {field.key}")


def _is_same(one: Any, other: Any) -> bool:
    """Tell whether two values are one; "126.00" is "126"."""
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


def _record(wanted: RecordSchema, node: Node, url: str, left_out: dict[str, str]) -> dict[str, Any]:
    """Give the values of one node; of optional texts in doubt, why they are ``left_out``."""
    record: dict[str, Any] = {}
    for field in wanted.fields:
        try:
            value = _stated(field, node)
            if value is not ABSENT:
                record[field.key] = value if field.kind == "texts" else read_value(field, value, url)
        except Declined as doubt:
            if field.kind not in ("text", "texts") or not field.may_be_absent:
                raise
            left_out[field.key] = str(doubt)
        if field.key not in record and field.is_nullable:
            record[field.key] = None
    return record


def _has(field: Field, node: Node) -> bool:
    return any(not _says_nothing(leaf) for path in _paths(field, node) for leaf in _leaves(node, path))


def texts_of(wanted: RecordSchema, record: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the texts that must stand where the page shows a record."""
    fields = (field for field in wanted.fields if field.kind == "text" and not is_code(record.get(field.key)))
    return tuple(str(record[field.key]) for field in fields if record.get(field.key))


def is_code(value: Any) -> bool:
    """Tell whether a text is a number of a thing, such as a SKU, which pages need not show.

    >>> is_code("4022664223553"), is_code("PU_106160/01"), is_code("Oak"), is_code("Oak 5")
    (True, True, False, False)
    """
    return isinstance(value, str) and _CODE.fullmatch(value) is not None


def _stated(field: Field, node: Node) -> Any:
    """Give the one value that a node has for a field, ABSENT where it has none; Declined where that is in doubt."""
    for path in _paths(field, node):
        leaves = [leaf for leaf in _leaves(node, path) if not _says_nothing(leaf)]
        if not leaves:
            continue
        if field.kind == "texts":
            return _list_of_texts(field, node, path, leaves)
        different = list(dict.fromkeys(leaves))
        fullest = max(different, key=lambda leaf: len(str(leaf)))
        if any(str(leaf).casefold() not in str(fullest).casefold() for leaf in different):
            raise Declined(f"the page's data has several values for {field.key}")
        return _in_form(field, path[-1], fullest)
    return ABSENT


def _list_of_texts(field: Field, node: Node, path: Sequence[str], leaves: Sequence[Any]) -> list[str]:
    """Give the items of a list; Declined where they stand in one text, or in sections whose names may be items."""
    inner: Any = node
    for step in path:
        inner = inner.get(step) if isinstance(inner, Mapping) else inner
    if isinstance(inner, str) and len(leaves) == 1:
        raise Declined(f"the page's data has one text for the list {field.key}")
    if any("HowToSection" in types_of(each) for each in walk(inner) if isinstance(each, Mapping)):
        raise Declined(f"the page's data has {field.key} in sections")
    return [str(leaf) for leaf in leaves]


def _in_form(field: Field, key: str, leaf: Any) -> Any:
    """Give a price as the plain number that schema.org has; Declined for a quantity that is no number of things."""
    if field.kind != "text":
        return leaf
    if key in listed("prices"):
        return _plain_price(str(leaf))
    if key in listed("quantities") and _ONE_QUANTITY.fullmatch(str(leaf)) is None:
        raise Declined(f"the page's data has {str(leaf)[:40]!r}, which does not say of what, or says more")
    return str(leaf)


def _plain_price(text: str) -> str:
    try:
        value = read_quantity(text, Conventions(mark_of(text.strip()) or ".")).value
    except ValueError:
        return text
    decimals = re.search(r"[.,](\d{1,2})\D*$", text)
    return f"{value:.{len(decimals[1]) if decimals else 0}f}"


def _paths(field: Field, node: Node) -> Iterator[tuple[str, ...]]:
    """Give where a node may keep a field: by its own key, without the type's name, by schema.org's."""
    own, keys = field.forms, [key for key in node if not key.startswith("@")]
    yield from ((key,) for key in keys if not own.isdisjoint(forms(key)))
    types = [words_of(name) for name in types_of(node)]
    for key in keys:
        words = words_of(key)
        bare = next((words[len(kind) :] for kind in types if kind and words[: len(kind)] == kind), ())
        if (bare and not own.isdisjoint(forms(" ".join(bare)))) or (
            (plain := _DIGITS.sub("", key)) != key and not own.isdisjoint(forms(plain))
        ):
            yield (key,)
    yield from schema_org_paths(field.names)
    if len(field.path) > 1:
        yield field.path


def _leaves(node: Any, path: tuple[str, ...], depth: int = 0) -> Iterator[Any]:
    """Give the scalars at a path, through lists and through objects that say in one text what they are."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(node, list):
        for each in node:
            yield from _leaves(each, path, depth + 1)
    elif path:
        if isinstance(node, Mapping) and path[0] in node:
            yield from _leaves(node[path[0]], path[1:], depth)
    elif isinstance(node, Mapping):
        key = next((key for key in _says(node) if node.get(key)), None)
        if key is not None:
            yield from _leaves(node[key], (), depth + 1)
    elif isinstance(node, str):
        yield " ".join(text_of_markup(node).split())
    elif isinstance(node, int | float):
        yield node


def _says(node: Node) -> Sequence[str]:
    """Give the keys of an object's text: a step says what to do in its text, and not by its name."""
    is_step = any(kind.startswith("HowTo") for kind in types_of(node))
    return ("text", "itemListElement", "name") if is_step else _SAYS


def _says_nothing(leaf: JsonValue) -> bool:
    """Tell whether a text is empty, says that there is nothing, or is what an unfilled template leaves."""
    return isinstance(leaf, str) and (says_nothing(leaf) or PLACEHOLDER.search(leaf) is not None)


def _singles(nodes: Sequence[Node]) -> Iterator[Sequence[Node]]:
    """Give the objects that the page may be about: the top ones, and what a page or a site says is its main thing."""
    for node in nodes:
        yield [node]
        for key in ("mainEntity", "mainEntityOfPage", "about"):
            if isinstance(inner := node.get(key), dict) and len(inner) > 1:
                yield [inner]


def lists_of(nodes: Sequence[Node]) -> Iterator[Sequence[Node]]:
    """Give the lists of alike objects: those of one type side by side, and those of an item list."""
    nodes = [node for node in nodes if listed("not_of_a_page").isdisjoint(types_of(node))]
    by_type: dict[tuple[str, ...], list[Node]] = {}
    for node in nodes:
        by_type.setdefault(types_of(node), []).append(node)
    yield from (group for group in by_type.values() if len(group) >= _FEWEST)
    for node in nodes:
        for value in node.values():
            items = [each.get("item", each) if isinstance(each, dict) else each for each in _as_list(value)]
            if len(items) >= _FEWEST and all(isinstance(each, dict) for each in items):
                yield items


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _objects(state: Any) -> Iterator[Sequence[Node]]:
    return ([each] for each in walk(state) if isinstance(each, dict))


def _arrays(state: Any) -> Iterator[Sequence[Node]]:
    """Give the lists of objects inside a script's state."""
    for each in walk(state):
        if isinstance(each, list) and len(each) >= _FEWEST and all(isinstance(inner, dict) for inner in each):
            yield each
