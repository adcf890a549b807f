"""Records from embedded objects: each field by its own name, or by the path that schema.org has for it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml.html import HtmlElement

from gleaner.coercion.words import NOTHING, folded
from gleaner.contracts.word_lists import listed
from gleaner.structured.descriptions import adds_nothing
from gleaner.structured.fields import Field, Wanted
from gleaner.structured.graphs import (
    Node,
    read_json_ld,
    read_meta,
    read_microdata,
    read_rdfa,
    read_states,
    types_of,
    walk,
    without_markup,
)
from gleaner.structured.labels import Words, words_of
from gleaner.structured.measures import CURRENCIES, stated_range, unit_named
from gleaner.structured.readings import ABSENT, UNSAID, Manner, coerce_all, nothing_for
from gleaner.structured.roles import BYLINE_WORDS, is_a_person
from gleaner.structured.tables import Found
from gleaner.structured.visible import Surroundings, plain
from gleaner.structured.vocabulary import ALSO_CALLED, OPAQUE, PATHS, REMARKS, STRUCTURE, TEXTS

_FEWEST = 2
_DEEPEST_LIST = 4
_UNFILLED = (
    UNSAID
    | listed("undefined unknown unset nan test admin administrator webmaster root default")
    | {
        "not set",
        "lorem ipsum",
        "[object object]",
    }
)
"""What programs write for nothing, and the accounts that nobody writes under."""
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\$\{|<%|%>|\[\[|\]\]|(?<!\w)%[a-z_]{3,40}%(?!\w)", re.IGNORECASE)
_LONGEST_NOTHING = max(map(len, NOTHING | _UNFILLED))
_LED = re.compile(rf"^(?:(?:(?:written|posted|published) )?by(?::|\s)|(?:{BYLINE_WORDS}|da)\s?:)\s*", re.IGNORECASE)
"""What leads to a person's name. "Von", "di" and the like are parts of names, too, but for a colon."""
_BLANKS = re.compile(r"[^\S\n]+")
_SIGNS = listed("symbol sign unit formatted displayed")
_NAMES = ("name", "headline", "title")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads nodes of one source for what is wanted; ``is_graph``: the source speaks schema.org."""

    wanted: Wanted
    url: str
    source: str
    is_graph: bool = True

    def records(self, nodes: Sequence[Node]) -> list[dict[str, Any]] | None:
        """Give one record for each node; None when a node leaves a field open.

        Of several nodes some may lack an optional field that others have; whether the page shows it is seen later.
        """
        columns: dict[str, list[Any]] = {}
        for field in self.wanted.fields:
            values = [self._value(field, node) for node in nodes]
            said = [value for value in values if value is not ABSENT]
            is_open = not said and (len(nodes) > 1 or not field.may_be_absent)
            if is_open or None in said or (len(said) < len(values) and not field.may_be_absent):
                return None
            read = said if field.kind == "texts" else coerce_all(field, said, Manner(None, self.url), decimal=".")
            if not all(_fits(field, value) and field.holds(value) for value in read):
                return None
            rest = iter(read)
            columns[field.name] = [nothing_for(field) if value is ABSENT else next(rest) for value in values]
        return [
            {name: column[at] for name, column in columns.items() if column[at] is not ABSENT}
            for at in range(len(nodes))
        ]

    def _value(self, field: Field, node: Node) -> Any:
        """Give the one value that the node has for the field, ABSENT where it has none, None in doubt."""
        paths = list(_named(node, field))
        if self.is_graph:
            paths += [(*path, "name") for path in paths]
            paths += [path for words in field.all_names for path in PATHS.get(words, ())]
            paths += _inner_paths(field)
            # A date of no kind is the only one that there is.
            dates = [key for key in node if "date" in words_of(key)] if field.names[0] == ("date",) else []
            paths += [(key,) for key in dates[:1] if len({str(node[each])[:10] for each in dates}) == 1]
            # A "question" of the type Question is its name.
            paths += [("name",) for kind in types_of(node) if words_of(kind) == field.names[0]]
        for path in paths:
            if field.kind == "texts" and (texts := list(_leaves(node, path))):
                return (
                    [each.strip() if isinstance(each, str) else each for each in texts]
                    if self._is_meant(field, node, path)
                    else None
                )
            found = list(dict.fromkeys(_leaves(node, path)))
            if len(found) == 1 and self._is_meant(field, node, path) and not _has_another(node, path, found[0]):
                return _bare(field, found[0]) if isinstance(found[0], str) else found[0]
            if found:
                return None
        return ABSENT

    def _is_meant(self, field: Field, node: Node, path: tuple[str, ...]) -> bool:
        words = tuple(word for part in path for word in words_of(part))
        types = [words_of(name) for name in types_of(node)]
        types += [(word,) for name in types_of(node) for word in ALSO_CALLED.get(name, ())]
        if (unit := field.unit_under(words)) is not None and not self._has_unit(unit, node):
            return False
        if not _is_on_the_scale(field, node, path) or _wants_a_sign(field):
            return False
        others = frozenset(word for key in node if key != path[0] for word in words_of(key))
        return adds_nothing(field, words, others, [*types, *self.wanted.nouns], is_list=False)

    def _has_unit(self, unit: str, node: Node) -> bool:
        if unit not in CURRENCIES:
            return False
        stated = {each for path in PATHS[("currency",)] for each in _leaves(node, path)}
        return {unit_named(str(each)) for each in stated} == {unit}


def _bare(field: Field, text: str) -> str:
    """Give a text with plain blanks, and without the "By:" that pages write into the element of a person's name."""
    text = _BLANKS.sub(" ", text).strip()
    return _LED.sub("", text) if is_a_person(field) else text


def _named(node: Node, field: Field) -> Iterator[tuple[str, ...]]:
    """Give the paths of the node's own names that are the field's; an inner object's field stands in one like it."""
    yield from ((key,) for key in node if not key.startswith("@") and words_of(key) in field.all_names)
    *holders, own = field.path
    if not holders:
        return
    paths: list[tuple[tuple[str, ...], Node]] = [((), node)]
    for step in (*holders, own):
        paths = [
            ((*path, key), value if isinstance(value, Mapping) else {})
            for path, inner in paths
            for key, value in inner.items()
            if words_of(key) == words_of(step)
        ]
    yield from (path for path, _ in paths)


def _inner_paths(field: Field) -> Iterator[tuple[str, ...]]:
    """Give where schema.org keeps the field of an inner object: the city of a venue, in the address of its location."""
    holder, own = words_of(" ".join(field.path[:-1])), words_of(field.path[-1])
    objects = dict.fromkeys(path[:-1] or path for path in PATHS.get(holder, ()))
    paths = PATHS.get(own, ())
    yield from (path if path[: len(start)] == start else (*start, *path) for start in objects for path in paths)


def _has_another(node: Node, path: tuple[str, ...], value: Any) -> bool:
    """Tell whether the object has a second address that says something else."""
    if path[0] != "address":
        return False
    return any(isinstance(each, Mapping) and each.get(path[-1], value) != value for each in walk(node))


def _wants_a_sign(field: Field) -> bool:
    """Tell whether a text is to have the sign or the unit that pages write and data leaves out."""
    return field.kind == "text" and not _SIGNS.isdisjoint(words_of(field.description))


def _is_on_the_scale(field: Field, node: Node, path: tuple[str, ...]) -> bool:
    """Tell whether a rating ends where the field's description says; schema.org: at 5 where nothing is stated."""
    bounds = stated_range(field.description)
    if bounds is None or path[-1] != "ratingValue":
        return True
    best = list(_leaves(node, (*path[:-1], "bestRating"))) or [5]
    return [str(each) for each in best] == [f"{bounds[1]:g}"]


def _fits(field: Field, value: Any) -> bool:
    if field.kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if field.kind == "boolean":
        return isinstance(value, bool)
    if field.kind == "texts":
        return all(isinstance(each, str) and each for each in value)
    return isinstance(value, str) and bool(value) and not (field.kind == "text" and "schema.org/" in value)


def _leaves(node: Any, path: tuple[str, ...], depth: int = 0) -> Iterator[Any]:
    """Give the scalars at a path, through lists."""
    if isinstance(node, list):
        for each in node if depth < _DEEPEST_LIST else ():
            yield from _leaves(each, path, depth + 1)
    elif not path:
        if isinstance(node, int | float) or (isinstance(node, str) and not _says_nothing(node)):
            yield without_markup(node) if isinstance(node, str) else node
        elif isinstance(node, Mapping) and isinstance(node.get("@value"), str):
            yield node["@value"]
        elif isinstance(node, Mapping) and "PostalAddress" in types_of(node):
            said = [value for key, value in node.items() if not key.startswith("@")]
            yield from (value for value in said if len(said) == 1 and isinstance(value, str) and value)
    elif isinstance(node, Mapping) and path[0] in node:
        yield from _leaves(node[path[0]], path[1:], depth)


def _says_nothing(text: str) -> bool:
    """Tell whether a text is empty, says that there is nothing, or is what an unfilled template leaves."""
    return (len(text) <= _LONGEST_NOTHING and folded(text) in (NOTHING | _UNFILLED)) or bool(_PLACEHOLDER.search(text))


def find_in_nodes(root: HtmlElement, url: str, wanted: Wanted, around: Surroundings) -> Iterator[Found]:
    """Give what each kind of embedded data answers; none where a kind leaves a choice."""
    graphs = (
        ("json-ld", read_json_ld(root)),
        ("microdata", read_microdata(root, url)),
        ("rdfa", read_rdfa(root, url)),
    )
    for source, nodes in graphs:
        reader = Reader(wanted, url, source)
        yield from _read(reader, _lists(nodes)) if wanted.is_list else _read_one(reader, _singles(nodes, around))
    states = list(read_states(root))
    reader = Reader(wanted, url, "state", is_graph=False)
    if wanted.is_list:
        yield from _read(reader, (alike for state in states for alike in _arrays(state)))
        return
    yield from _read_one(Reader(wanted, url, "meta"), _about_this_page(read_meta(root), around))
    yield from _read_one(reader, _about_this_page((each for state in states for each in _objects(state)), around))


def _read_one(reader: Reader, lists: Iterator[Sequence[Node]]) -> list[Found]:
    """Give the one object of a source; none when it has two of the same name that differ, such as variants."""
    found = list(_read(reader, lists))
    return found[:1] if all(each.records == found[0].records for each in found) else []


def _read(reader: Reader, lists: Iterator[Sequence[Node]]) -> Iterator[Found]:
    for nodes in lists:
        records = reader.records(nodes) if _are_called(reader.wanted, nodes) else None
        if records:
            texts = tuple(_texts(reader.wanted, record) for record in records)
            if all(texts):
                yield Found(records, texts, reader.source, _types(nodes))


def _types(nodes: Sequence[Node]) -> tuple[Words, ...]:
    """Give what the nodes are called: by their types, and by the usual words for those."""
    names = {name for node in nodes for name in types_of(node)}
    called = {words_of(name) for name in names} | {(each,) for name in names for each in ALSO_CALLED.get(name, ())}
    return tuple(sorted(called))


def _texts(wanted: Wanted, record: dict[str, Any]) -> tuple[str, ...]:
    """Give the texts that a reader of the page must see where the record stands."""
    shown = (record.get(field.name) for field in wanted.fields if field.kind == "text" and must_show(field))
    return tuple(str(value) for value in shown if value is not None)


def must_show(field: Field) -> bool:
    """Tell whether a field's value is to stand in the page's text, and not in its embedded data alone."""
    if field.kind in ("address", "image", "boolean"):
        return False
    return not any(OPAQUE.intersection(words) for words in field.names)


def _are_called(wanted: Wanted, nodes: Sequence[Node]) -> bool:
    """Tell whether the nodes' types are what the schema calls its records, where both say something."""
    types = {words_of(name) for node in nodes for name in types_of(node)}
    if not types or not wanted.nouns:
        return True
    if any(kind[-1:] == ("organization",) for kind in types):
        # Most pages have data of their site's owner.
        return not _OWNERS.isdisjoint(word for noun in wanted.nouns for word in noun)
    return any(_ends_alike(kind, noun) for kind in types for noun in wanted.nouns) or not _known(wanted.nouns)


def _ends_alike(kind: Words, noun: Words) -> bool:
    return kind[-1:] == noun[-1:]


_OWNERS = listed(
    "organization organisation company corporation firm business brand club shop store charity institution institute "
    "employer publisher association society agency foundation ngo team contact profile result data page info item "
    "record response output entity details detail"
)
_COMMON_TYPES = frozenset(
    words_of(name)
    for name in listed(
        "Product Offer Person Organization Article NewsArticle BlogPosting Event Place Recipe Book Movie Review "
        "Comment JobPosting Course Car Hotel Restaurant LocalBusiness Question Answer VideoObject SoftwareApplication"
    )
)


def _known(nouns: Sequence[Words]) -> bool:
    return any(_ends_alike(kind, noun) for kind in _COMMON_TYPES for noun in nouns)


def _lists(nodes: Sequence[Node]) -> Iterator[Sequence[Node]]:
    """Give the lists of alike objects: of item lists, in properties, and the top objects of one type."""
    for holder in _with_main_entities(nodes):
        if "BreadcrumbList" in types_of(holder):
            continue
        for value in holder.values():
            if isinstance(value, list) and (alike := _alike([_unlisted(each) for each in value])):
                yield alike
    tops: dict[tuple[str, ...], list[Node]] = {}
    for node in nodes:
        if (types := types_of(node)) and STRUCTURE.isdisjoint(types):
            tops.setdefault(types, []).append(node)
    yield from (alike for alike in tops.values() if len(alike) >= _FEWEST)


def _with_main_entities(nodes: Sequence[Node]) -> list[Node]:
    return [each for node in nodes for each in (node, node.get("mainEntity")) if isinstance(each, Mapping)]


def _unlisted(value: Any) -> Any:
    if isinstance(value, Mapping) and "ListItem" in types_of(value) and isinstance(value.get("item"), Mapping):
        return value["item"]
    return value


def _alike(values: Sequence[Any]) -> list[Node]:
    found = [each for each in values if isinstance(each, Mapping)]
    same = len(found) == len(values) >= _FEWEST and len({types_of(each) for each in found}) == 1
    return found if same else []


def _singles(nodes: Sequence[Node], around: Surroundings) -> Iterator[Sequence[Node]]:
    inner = _with_main_entities(nodes)
    return _about_this_page((each for each in inner if (STRUCTURE | REMARKS).isdisjoint(types_of(each))), around)


def bears_its_name(root: HtmlElement, url: str, around: Surroundings) -> bool:
    """Tell whether a thing's name stands over the page: its data says so, or the heading looks like nothing else."""
    nodes = [node for nodes in (read_json_ld(root), read_microdata(root, url), read_rdfa(root, url)) for node in nodes]
    types = [types_of(node) for single in _singles(nodes, around) for node in single]
    if any(kinds and TEXTS.isdisjoint(kinds) for kinds in types):
        return True
    return not any(TEXTS.intersection(types_of(node)) for node in nodes) and around.is_headed_by_a_name()


def _about_this_page(nodes: Any, around: Surroundings) -> Iterator[Sequence[Node]]:
    """Give the objects that bear the name that stands over the page."""
    for node in nodes:
        names = {plain(str(name)) for key in _NAMES for name in _leaves(node, (key,))}
        if around.is_about(names):
            yield [node]


def _arrays(state: Any) -> Iterator[Sequence[Node]]:
    for value in walk(state):
        if isinstance(value, list) and len(value) >= _FEWEST and all(isinstance(each, Mapping) for each in value):
            yield value


def _objects(state: Any) -> Iterator[Node]:
    yield from (value for value in walk(state) if isinstance(value, Mapping))
