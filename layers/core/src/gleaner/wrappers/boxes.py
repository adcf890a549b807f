"""Selecting the containers of records: by tags, attributes, classes and paths, inside elements around all of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from lxml.html import HtmlElement

from gleaner.html.dom import classes_of
from gleaner.wrappers.container import Container
from gleaner.wrappers.model import BoxSelector
from gleaner.wrappers.places import is_made
from gleaner.wrappers.readings import mask
from gleaner.wrappers.trees import PageTree, column_heads, label_form, text_of

_MOST_SELECTORS = 4
_SHORTEST_ENDING, _LONGEST_CLASS = 3, 60
_MOST_CHILDREN = 6
_SCOPES = 4
"""Records are looked for in elements around all of them, at most so many levels up."""

_SAYING = frozenset(("alt", "title", "aria-label", "content", "datetime", "value", "href", "src"))
"""Attributes by which an element without a text may be a record."""

Scope = tuple[str, str, str]


def box_selectors(page: PageTree, boxes: Sequence[Container], *, is_whole: bool, is_first: bool) -> list[BoxSelector]:
    """Give selectors that find these containers on the page, each by something else; likeliest to survive first.

    Those that find no other elements, or where there are none those that find the fewest. Of a page known in part
    (not ``is_whole``) the containers must be all that stand between the first and the last of them, or from the top of
    the page on where they are its first.
    """
    firsts = [box.elements[0] for box in boxes]
    tags = {str(node.tag) for node in firsts}
    around = common_ancestor(firsts)
    if len(tags) > 1 or around is None:
        return []
    tag, is_run = tags.pop(), any(len(box.elements) > 1 for box in boxes)
    exact: dict[tuple[str, str, str, bool], BoxSelector] = {}
    loose: list[tuple[int, BoxSelector]] = []
    for one in _candidates(firsts, tag, around, is_run):
        kind = one.by, one.name, one.value, bool(one.path)
        if kind in exact:
            continue
        found = select(page, one)
        extra = extra_of(found, boxes, is_whole=is_whole, is_first=is_first)
        if extra == 0:
            exact[kind] = one
        elif extra is not None:
            loose.append((extra, one))
        if len(exact) >= _MOST_SELECTORS:
            break
    if exact:
        return [*exact.values()]
    least = min((extra for extra, _ in loose), default=0)
    return [one for extra, one in loose if extra == least and extra <= len(firsts)][:2]


def extra_of(
    found: Sequence[HtmlElement], wanted: Sequence[Container], *, is_whole: bool, is_first: bool
) -> int | None:
    """Give how many more elements were found than records; None when one is missing or out of order."""
    places = {node: at for at, node in enumerate(found)}
    at = [places.get(box.elements[0], -1) for box in wanted]
    if -1 in at or at != sorted(at):
        return None
    begin, end = 0 if is_whole or is_first else at[0], len(found) if is_whole else at[-1] + 1
    return end - begin - len(wanted)


def _candidates(firsts: Sequence[HtmlElement], tag: str, around: HtmlElement, is_run: bool) -> Iterator[BoxSelector]:
    named = [*_scopes_of(around)]
    scopes: list[Scope | None] = [None, *dict.fromkeys(scope for _, scope in named)]
    children = ["", *_shared_children(firsts)]
    for (by, name, value), child, scope in product(_shared(firsts), children, scopes):
        yield BoxSelector(tag=tag, by=by, name=name, value=value, scope=scope, child=child, is_run=is_run)
    path = _path_below(around, firsts)
    ends = [*named, (None, ("body", "", ""))] if path is not None else []
    for child, (node, scope) in product(children, ends):
        below = "/".join([*_tags_between(node, around), path or ""])
        yield BoxSelector(tag=tag, scope=scope, path=below, child=child, is_run=is_run)
    for child, scope in product(children, scopes):
        yield BoxSelector(tag=tag, scope=scope, child=child, is_run=is_run)


def _shared(nodes: Sequence[HtmlElement]) -> list[tuple[str, str, str]]:
    """Give what all elements have: attributes with their values, classes, endings of these, and names of attributes.

    In values and classes 9 stands for any number: "post-9"; not in classes that a program made, where it is no number.
    """
    items = [
        frozenset((str(n), mask(v)) for n, v in node.items() if n not in ("class", "style") and 0 < len(v) <= 60)
        for node in nodes
    ]
    attributes = sorted(frozenset.intersection(*items))
    names = sorted(frozenset.intersection(*(frozenset(map(str, node.keys())) for node in nodes)) - {"class", "style"})
    tokens = [dict.fromkeys(one if is_made(one) else mask(one) for one in classes_of(node)) for node in nodes]
    shared = set(tokens[0]).intersection(*tokens[1:])
    ordered = [token for token in tokens[0] if token in shared]
    endings = [] if ordered else [*_shared_endings(tokens)]
    return [
        *(("attribute", name, value) for name, value in attributes),
        *(("class", "", token) for token in ordered if not is_made(token)),
        *(("class", "", f"*{ending}") for ending in endings),
        *(("attribute", name, "") for name in names),
        *(("class", "", token) for token in ordered if is_made(token)),
    ]


def _shared_endings(tokens: Sequence[Iterable[str]]) -> Iterator[str]:
    """Give what a class of each element ends with: "row" of "oddrow" and "evenrow"; the longest of each class."""
    for token in sorted(one for one in tokens[0] if len(one) <= _LONGEST_CLASS):
        for size in range(len(token) - 1, _SHORTEST_ENDING - 1, -1):
            if all(any(one.endswith(token[-size:]) for one in others) for others in tokens[1:]):
                yield token[-size:]
                break


def _shared_children(nodes: Sequence[HtmlElement]) -> list[str]:
    """Give the tags of elements inside that all elements have, children first."""
    inside = [{str(child.tag) for child in node.iterdescendants() if isinstance(child.tag, str)} for node in nodes]
    shared = set.intersection(*inside) if inside else set[str]()
    children = {str(child.tag) for child in nodes[0]}
    return sorted(shared, key=lambda tag: (tag not in children, tag))[:_MOST_CHILDREN]


def _scopes_of(around: HtmlElement) -> Iterator[tuple[HtmlElement, Scope]]:
    """Give names of the element around all records and of those around it, the likeliest to stay first.

    By an id, a class, the heads of a table's columns, and last by the number among its tag.
    """
    nodes = [one for one in (around, *around.iterancestors()) if one.tag not in ("html", "body")][:_SCOPES]
    for node in nodes:
        tag = str(node.tag)
        if identity := node.get("id"):
            yield node, (tag, "id", identity)
        for token in classes_of(node):
            if not is_made(token):
                yield node, (tag, "class", token)
        if tag == "table" and (heads := _heads_as_text(node)):
            yield node, (tag, "heads", heads)
        if tag in ("main", "table", "tbody", "article", "section"):
            yield node, (tag, "", "")
    for node in nodes[:2]:
        yield node, (str(node.tag), "nth", str([*node.getroottree().iter(str(node.tag))].index(node)))


def _heads_as_text(table: HtmlElement) -> str:
    return " | ".join(column_heads(table))


def _tags_between(scope: HtmlElement | None, around: HtmlElement) -> list[str]:
    """Give the tags of the elements below a scope, down to the element around all records; from the body for None."""
    steps: list[str] = []
    node: HtmlElement | None = around
    while node is not None and node is not scope and node.tag not in ("html", "body"):
        steps.append(str(node.tag))
        node = node.getparent()
    return steps[::-1]


def _path_below(around: HtmlElement, nodes: Sequence[HtmlElement]) -> str | None:
    """Give the tags from an element down to all others, where these are the same."""
    paths: set[str] = set()
    for node in nodes:
        steps, current = [str(node.tag)], node
        while (above := current.getparent()) is not None and above is not around:
            steps.append(str(above.tag))
            current = above
        paths.add("/".join(reversed(steps)))
    return paths.pop() if len(paths) == 1 else None


def select(page: PageTree, one: BoxSelector) -> list[HtmlElement]:
    """Give the elements that a selector finds, in page order; not empty ones, nor rows that head a table's columns."""
    if one.path:
        found = _at_path(_scoped(page, one.scope), one.path.split("/"))
    elif one.scope is None:
        found = page.tagged(one.tag)
    else:
        scopes = _scoped(page, one.scope)
        found = [node for scope in scopes for node in scope.iterdescendants(one.tag)]
        found = found if len(scopes) < 2 else [*dict.fromkeys(found)]
    if one.by == "class":
        found = _of_class(found, one.value)
    elif one.by == "attribute":
        values = ((node, node.get(one.name)) for node in found)
        found = [node for node, value in values if value is not None and one.value in ("", value, mask(value))]
    if one.child:
        holders = page.holding(one.child)
        found = [node for node in found if node in holders]
    if one.tag == "tr":
        return [node for node in found if not is_head(page, node)]
    said = (node for node in found if len(node) or (node.text or "").strip() or not _SAYING.isdisjoint(node.keys()))
    return [node for node in said if node not in page.copies]


def _of_class(nodes: Sequence[HtmlElement], token: str) -> list[HtmlElement]:
    """Give the elements that have a class; what each attribute says is worked out once."""
    has: dict[str | None, bool] = {None: False}
    chosen: list[HtmlElement] = []
    for node in nodes:
        classes = node.get("class")
        known = has.get(classes)
        if known is None:
            known = has[classes] = any(_is_of(token, one) for one in classes_of(node))
        if known:
            chosen.append(node)
    return chosen


def _is_of(token: str, one: str) -> bool:
    """Tell whether a class is the one meant: itself, with other numbers, or with the ending behind a star."""
    return one.endswith(token[1:]) if token[0] == "*" else token in (one, mask(one))


def is_head(page: PageTree, row: HtmlElement) -> bool:
    """Tell whether a row says the heads of its table's columns: each way to find the records asks it of each row."""
    if row not in page.head_rows:
        page.head_rows[row] = _says_heads(page, row)
    return page.head_rows[row]


def _says_heads(page: PageTree, row: HtmlElement) -> bool:
    above = row.getparent()
    if above is not None and above.tag == "thead" and above.getnext() is not None:
        return True
    heads = page.heads_of(row)
    if len(row) < 2 or len(heads) < len(row) or label_form(text_of(row[0])) != heads[0]:
        return False
    return [label_form(text_of(cell)) for cell in row] == heads[: len(row)]


def _scoped(page: PageTree, scope: Scope | None) -> list[HtmlElement]:
    if scope is None:
        return [page.root]
    tag, by, value = scope
    if by == "id":
        return [node for node in page.tagged(tag) if node.get("id") == value]
    if by == "class":
        return _of_class(page.tagged(tag), value)
    if by == "heads":
        return [node for node in page.tagged(tag) if _heads_as_text(node) == value]
    if by == "nth":
        return page.tagged(tag)[int(value) :][:1]
    return page.tagged(tag)


def _at_path(level: Sequence[HtmlElement], steps: Sequence[str]) -> list[HtmlElement]:
    found = [*level]
    for step in steps:
        found = [child for node in found for child in node.iterchildren(step)]
    return [*dict.fromkeys(found)]


def boxes_of(
    page: PageTree,
    one: BoxSelector,
    run_length: int = 1,
    *,
    may_grow: bool = False,
    firsts: Sequence[HtmlElement] | None = None,
) -> list[Container]:
    """Give the containers that a selector finds on a page; runs of at most ``run_length``, unless they may grow.

    ``firsts`` are the elements that it selects, where these are known.
    """
    firsts = select(page, one) if firsts is None else firsts
    if one.is_run:
        runs = runs_of(firsts, run_length)
        return [Container(page, run if may_grow else run[:run_length]) for run in runs]
    stops = frozenset(firsts) if are_nested(firsts) else frozenset[Any]()
    return [Container(page, [node], stops - {node} if stops else stops) for node in firsts]


def runs_of(firsts: Sequence[HtmlElement], run_length: int) -> Iterator[list[HtmlElement]]:
    """Give each element with the siblings behind it, up to the next one; the last by what the others are like."""
    known = {*firsts}
    ended: list[list[HtmlElement]] = []
    for node in firsts:
        run = [node]
        for after in node.itersiblings():
            if after in known:
                ended.append(run)
                break
            if isinstance(after.tag, str):
                run.append(after)
        else:
            run = run[: size_of_last(run, ended, run_length)]
        yield run


def behind_runs(boxes: Sequence[Container]) -> Iterator[tuple[int, HtmlElement]]:
    """Give what stands behind each run up to the next; behind the last, what is of the runs' tags and classes."""
    firsts = {box.elements[0] for box in boxes}
    kinds = {(node.tag, node.get("class")) for box in boxes for node in box.elements}
    for row, box in enumerate(boxes):
        behind: list[HtmlElement] = []
        for node in box.elements[-1].itersiblings():
            if node in firsts:
                break
            behind.append(node)
        else:
            behind = [node for node in behind if (node.tag, node.get("class")) in kinds]
        yield from ((row, node) for node in behind if isinstance(node.tag, str) and text_of(node))


def size_of_last(last: Sequence[HtmlElement], known: Sequence[list[HtmlElement]], run_length: int) -> int:
    """Give how many siblings the last run has: others of their looks if runs are of several lengths, else as many."""
    if len({len(run) for run in known}) < 2:
        return min(len(last), run_length)
    looks = {(node.tag, node.get("class")) for run in known for node in run[1:]}
    other = (at for at, node in enumerate(last) if at and (node.tag, node.get("class")) not in looks)
    return next(other, len(last))


def common_ancestor(nodes: Sequence[HtmlElement]) -> HtmlElement | None:
    """Give the innermost element around all elements."""
    parents = [*dict.fromkeys(node.getparent() for node in nodes)]
    shared: list[HtmlElement] | None = None
    for parent in parents:
        around = [parent, *parent.iterancestors()] if parent is not None else []
        known = {*around}
        shared = around if shared is None else [one for one in shared if one in known]
    return shared[0] if shared else None


def are_nested(nodes: Sequence[HtmlElement]) -> bool:
    """Tell whether some of the elements stand inside others of them."""
    if len({node.getparent() for node in nodes}) == 1:
        return False
    known = {*nodes}
    return any(above in known for node in nodes for above in node.iterancestors())
