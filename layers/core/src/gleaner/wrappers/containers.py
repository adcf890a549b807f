"""Containers of records: found on a page by what the records say, and again on other pages by tags, classes, paths."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any, TypeAlias

from lxml.html import HtmlElement

from gleaner.contracts.ports import JsonValue
from gleaner.wrappers.model import BoxSelector
from gleaner.wrappers.places import is_made
from gleaner.wrappers.readings import mask
from gleaner.wrappers.trees import Container, Page, column_heads, label_form, text_of, tokens_of

_MOST_TRIES = 5
_SHARED = 0.8
"""A field may stand above groups of records if it has at most this share of different texts."""

_NEAR = 8_000
"""Records stand in page order: the next one's texts within so many characters."""

_MOST_SHIFT = 3
_LONG = 60
_MOST_SELECTORS = 4
_LONGEST_RUN = 12
_SCOPES = 4
"""Records are looked for in elements around all of them, at most so many levels up."""

Scope = tuple[str, str, str]

_LISTS = frozenset(("table", "tbody", "ul", "ol", "dl", "section"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def forms_of(value: JsonValue) -> Iterator[str]:
    """Give the texts that a page may write a value as, the likeliest first."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str):
        if (text := " ".join(value.split())) and not value.startswith(("http://", "https://")):
            yield text
    elif isinstance(value, int | float):
        plain = f"{value:g}" if abs(value) < 1e6 else str(value)
        grouped = f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
        turned = grouped.translate(str.maketrans(",.", ".,"))
        yield from dict.fromkeys((grouped, turned, plain, plain.replace(".", ","), grouped.replace(",", " ")))
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value[:5]:
            yield from (form for form in forms_of(one) if isinstance(one, str | dict | list))


def _ends_of_lists(values: Sequence[JsonValue]) -> Iterator[tuple[str, list[JsonValue]]]:
    """Give what tells most of the first and of the last item of each list of objects: a record holds both."""
    lists = [[item for item in value if isinstance(item, dict)] if isinstance(value, list) else [] for value in values]
    for name, at in ((" first", 0), (" last", -1)) if any(lists) else ():
        ends = [one[at].values() if one else () for one in lists]
        yield name, [max((text for text in end if isinstance(text, str)), key=len, default=None) for end in ends]


def spoken_text(node: HtmlElement) -> str:
    """Give an element's text, and behind it the texts of its images."""
    said = text_of(node)
    if not len(node) and node.tag != "img":
        return said
    alts = [alt for image in node.iter("img") if (alt := image.get("alt"))]
    return " ".join([said, *alts]) if alts else said


Forms: TypeAlias = tuple[str, ...]
"""The texts that a page may write a value as, of which one is enough."""


class Anchors:
    """The texts by which each record is known on a page, field by field."""

    def __init__(self, page: Page, records: Sequence[dict[str, JsonValue]]) -> None:
        self._stated = spoken_text(page.root)
        self.by_field: dict[str, list[Forms]] = {}
        names = dict.fromkeys(name for record in records for name in record)
        for name in names:
            values = [record.get(name) for record in records]
            for at, column in (("", values), *_ends_of_lists(values)):
                texts = self._forms_of(column)
                if any(texts):
                    self.by_field[f"{name}{at}"] = texts

    def _forms_of(self, column: Sequence[JsonValue]) -> list[Forms]:
        """Give for each value the forms that the page has: near the record before it, or else anywhere."""
        found: list[Forms] = []
        cursor = 0
        for value in column:
            near = self._stated[max(0, cursor - _NEAR) : cursor + _NEAR]
            offered = [*forms_of(value)]
            forms = tuple(form for form in offered if form in near) or self._anywhere(offered)
            cursor = max(cursor, self._stated.find(forms[0], cursor, cursor + _NEAR)) if forms else cursor
            found.append(forms)
        return found

    def _anywhere(self, offered: Sequence[str]) -> Forms:
        return tuple(form for form in offered if form in self._stated)

    def without(self, names: Iterable[str]) -> list[list[Forms]]:
        """Give the texts of each record but for some fields; none of a record that says nothing else."""
        left = {*names}
        columns = [texts for name, texts in self.by_field.items() if name not in left]
        rows = [[*filter(None, row)] for row in zip(*columns, strict=True)]
        return [sorted(row, key=lambda forms: len(forms[0]), reverse=True) for row in rows]

    def may_stand_above(self) -> list[str]:
        """Give the fields of which several records share a text, the fewest texts first: one may head a group."""
        counts = {name: len({*texts}) for name, texts in self.by_field.items()}
        several = [name for name in counts if counts[name] <= _SHARED * len(self.by_field[name])]
        return sorted(several, key=lambda name: counts[name])[:_MOST_TRIES]

    def most_telling(self) -> list[str]:
        """Give the fields that all records have, the most different texts first."""
        whole = [name for name, texts in self.by_field.items() if all(texts)]
        return sorted(whole, key=lambda name: -len({*self.by_field[name]}))[:_MOST_TRIES]


def find_containers(
    page: Page, records: Sequence[dict[str, JsonValue]], within: Sequence[HtmlElement] = ()
) -> list[Container] | None:
    """Give the container of each record in page order, inside some elements; None when they are not beyond doubt.

    Looked for are elements of one path of tags that say the records' values, one after the other; of several such the
    tightest, widened as far as each holds one record. Where none are, runs of siblings that begin alike.
    """
    anchors = Anchors(page, records)
    if len(records) < 2 or not anchors.by_field:
        return None
    groups = _groups(within or [page.root])
    texts: dict[HtmlElement, str] = {}
    above = anchors.may_stand_above()
    for dropped in ((), *((name,) for name in above), *combinations(above, 2)):
        wanted = anchors.without(dropped)
        found = _tightest(groups, wanted, texts) if all(wanted) else None
        if found is not None:
            widest = _widened(found)
            stops = frozenset(widest) if _are_nested(widest) else frozenset[HtmlElement]()
            return [Container(page, [one], stops - {one}) for one in widest]
        runs = _find_runs(page, anchors, wanted, groups, texts) if not dropped else None
        if runs is not None:
            return runs
    nested = _find_nested(within or [page.root], anchors.without(()), texts)
    stops = frozenset(nested or ())
    return nested and [Container(page, [one], stops - {one}) for one in nested]


def _find_nested(
    roots: Sequence[HtmlElement], wanted: Sequence[list[Forms]], texts: dict[HtmlElement, str]
) -> list[HtmlElement] | None:
    """Give elements of one tag and class that hold the records, answers inside what they answer.

    An element around several records says what all of them do: so the last record is looked for first.
    """
    groups: defaultdict[tuple[str, str], list[HtmlElement]] = defaultdict(list)
    for node in (one for root in roots for one in root.iter() if isinstance(one.tag, str)):
        for token in tokens_of(node) or ("",):
            groups[str(node.tag), token].append(node)
    last_first = wanted[::-1]
    fitting = (nodes[::-1] for nodes in groups.values() if len(nodes) >= len(wanted)) if all(wanted) else ()
    for nodes in fitting:
        found = _in_order(nodes, last_first, texts)
        if found is not None and _are_nested(found):
            return found[::-1]
    return None


def _groups(roots: Sequence[HtmlElement]) -> list[list[HtmlElement]]:
    """Give the elements by their paths of tags."""
    numbers: dict[tuple[int, str], int] = {}
    paths: dict[HtmlElement, int] = {}
    groups: defaultdict[int, list[HtmlElement]] = defaultdict(list)
    for node in (one for root in roots for one in root.iter()):
        if not isinstance(node.tag, str):
            continue
        above = node.getparent()
        key = (paths.get(above, -1) if above is not None else -1, node.tag)
        paths[node] = number = numbers.setdefault(key, len(numbers))
        groups[number].append(node)
    return [*groups.values()]


def _tightest(
    groups: Sequence[list[HtmlElement]], wanted: Sequence[list[Forms]], texts: dict[HtmlElement, str]
) -> list[HtmlElement] | None:
    best: tuple[int, list[HtmlElement]] | None = None
    for nodes in groups:
        if len(nodes) < len(wanted):
            continue
        matched = _in_order(nodes, wanted, texts)
        if matched is not None:
            size = sum(len(texts[node]) for node in matched)
            if best is None or size < best[0]:
                best = size, matched
    return best and best[1]


def _in_order(
    nodes: Sequence[HtmlElement], wanted: Sequence[list[Forms]], texts: dict[HtmlElement, str]
) -> list[HtmlElement] | None:
    """Give for each record the next element that states all its texts; None when the elements run out."""
    rest = iter(nodes)
    matched: list[HtmlElement] = []
    for values in wanted:
        for node in rest:
            said = texts.get(node)
            if said is None:
                said = texts[node] = spoken_text(node)
            if _states(said, values):
                matched.append(node)
                break
        else:
            return None
    return matched


def _widened(nodes: list[HtmlElement]) -> list[HtmlElement]:
    """Give the largest elements around these that still hold one each."""
    while True:
        above = [node.getparent() for node in nodes]
        if None in above or len({*above}) < len(nodes) or len({one.tag for one in above if one is not None}) > 1:
            return nodes
        nodes = [node for node in above if node is not None]


def _are_nested(nodes: Sequence[HtmlElement]) -> bool:
    known = {*nodes}
    return any(above in known for node in nodes for above in node.iterancestors())


def common_ancestor(nodes: Sequence[HtmlElement]) -> HtmlElement | None:
    """Give the innermost element around all elements."""
    shared = [*nodes[0].iterancestors()]
    for node in nodes[1:]:
        around = {*node.iterancestors()}
        shared = [one for one in shared if one in around]
    return shared[0] if shared else None


def _find_runs(
    page: Page,
    anchors: Anchors,
    wanted: Sequence[list[Forms]],
    groups: Sequence[list[HtmlElement]],
    texts: dict[HtmlElement, str],
) -> list[Container] | None:
    """Give runs of siblings, one for each record, that begin alike and say what the records do."""
    for name in anchors.most_telling():
        keys = anchors.by_field[name]
        if len({*keys}) < 2:
            continue
        found = _tightest(groups, [[key] for key in keys], texts)
        around = common_ancestor(found) if found else None
        if not found or around is None:
            continue
        starts = [_child_of(around, node) for node in found]
        if len({*starts}) < len(starts):
            continue
        siblings = [one for one in around if isinstance(one.tag, str)]
        for shift in range(_MOST_SHIFT + 1):
            runs = _runs_from(siblings, starts, shift)
            if runs and all(_says(run, one, texts) for run, one in zip(runs, wanted, strict=True)):
                return [Container(page, run) for run in runs]
    return None


def _child_of(around: HtmlElement, node: HtmlElement) -> HtmlElement:
    while (above := node.getparent()) is not around and above is not None:
        node = above
    return node


def _runs_from(
    siblings: Sequence[HtmlElement], starts: Sequence[HtmlElement], shift: int
) -> list[list[HtmlElement]] | None:
    places = [siblings.index(one) - shift for one in starts]
    if places[0] < 0 or len({siblings[at].tag for at in places}) > 1:
        return None
    sizes = [after - at for at, after in pairwise(places)]
    if max(sizes, default=0) > _LONGEST_RUN:
        return None
    known = [[*siblings[at:end]] for at, end in pairwise(places)]
    last = siblings[places[-1] :]
    return [*known, [*last[: _size_of_last(last, known, max(sizes, default=_LONGEST_RUN))]]]


def _size_of_last(last: Sequence[HtmlElement], known: Sequence[list[HtmlElement]], run_length: int) -> int:
    """Give how many siblings the last run has: others of their looks if runs are of several lengths, else as many."""
    if len({len(run) for run in known}) < 2:
        return min(len(last), run_length)
    looks = {(node.tag, node.get("class")) for run in known for node in run[1:]}
    other = (at for at, node in enumerate(last) if at and (node.tag, node.get("class")) not in looks)
    return next(other, len(last))


def _says(run: Sequence[HtmlElement], values: Sequence[Forms], texts: dict[HtmlElement, str]) -> bool:
    return _states(" ".join(texts.setdefault(node, spoken_text(node)) for node in run), values)


def _states(said: str, values: Sequence[Forms]) -> bool:
    """Tell whether a text has a form of each value."""
    return all(any(form in said for form in forms) for forms in values)


def box_selectors(page: Page, boxes: Sequence[Container], *, is_whole: bool) -> list[BoxSelector]:
    """Give selectors that find these containers on the page, each by something else; likeliest to survive first.

    Those that find no other elements, or where there are none those that find the fewest. Of a page known in part
    (not ``is_whole``) the containers must be all that stand between the first and the last of them.
    """
    firsts = [box.elements[0] for box in boxes]
    tags = {str(node.tag) for node in firsts}
    around = common_ancestor(firsts)
    if len(tags) > 1 or around is None:
        return []
    tag, is_run = tags.pop(), any(len(box.elements) > 1 for box in boxes)
    exact: list[BoxSelector] = []
    loose: list[tuple[int, BoxSelector]] = []
    for one in _candidates(firsts, tag, around, is_run):
        if any(same_kind(one, other) for other in exact):
            continue
        found = select(page, one)
        extra = _extra(found, firsts, is_whole=is_whole)
        if extra == 0:
            exact.append(one)
        elif extra is not None:
            loose.append((extra, one))
        if len(exact) >= _MOST_SELECTORS:
            break
    if exact:
        return exact
    least = min((extra for extra, _ in loose), default=0)
    return [one for extra, one in loose if extra == least and extra <= len(firsts)][:2]


def same_kind(one: BoxSelector, other: BoxSelector) -> bool:
    """Tell whether two selectors go by the same."""
    return (one.by, one.name, one.value, bool(one.path)) == (other.by, other.name, other.value, bool(other.path))


def _extra(found: Sequence[HtmlElement], wanted: Sequence[HtmlElement], *, is_whole: bool) -> int | None:
    """Give how many more elements were found than wanted; None when one is missing or out of order."""
    places = {node: at for at, node in enumerate(found)}
    at = [places.get(node, -1) for node in wanted]
    if -1 in at or at != sorted(at):
        return None
    return len(found) - len(wanted) if is_whole else at[-1] - at[0] + 1 - len(wanted)


def _candidates(firsts: Sequence[HtmlElement], tag: str, around: HtmlElement, is_run: bool) -> Iterator[BoxSelector]:
    named = [*_scopes_of(around)]
    scopes: list[Scope | None] = [None, *dict.fromkeys(scope for _, scope in named)]
    shared = _shared(firsts)
    children = ["", *_shared_children(firsts)]
    for by, name, value in shared:
        for child in children:
            for scope in scopes:
                yield BoxSelector(tag=tag, by=by, name=name, value=value, scope=scope, child=child, is_run=is_run)
    path = _path_below(around, firsts)
    if path is not None:
        for child in children:
            for node, scope in named:
                below = "/".join([*_tags_between(node, around), path])
                yield BoxSelector(tag=tag, scope=scope, path=below, child=child, is_run=is_run)
            whole = "/".join([*_tags_between(None, around), path])
            yield BoxSelector(tag=tag, scope=("body", "", ""), path=whole, child=child, is_run=is_run)
    for child in children:
        for scope in scopes:
            yield BoxSelector(tag=tag, scope=scope, child=child, is_run=is_run)


def _shared(nodes: Sequence[HtmlElement]) -> list[tuple[str, str, str]]:
    """Give what all elements have: attributes with their values, classes, and names of attributes."""
    items = [
        frozenset((n, v) for n, v in node.items() if n not in ("class", "style") and 0 < len(v) <= 60) for node in nodes
    ]
    attributes = sorted(frozenset.intersection(*items))
    names = sorted(frozenset.intersection(*(frozenset(map(str, node.keys())) for node in nodes)) - {"class", "style"})
    classes = set(tokens_of(nodes[0])).intersection(*(tokens_of(node) for node in nodes[1:]))
    ordered = sorted(classes, key=lambda one: (is_made(one), tokens_of(nodes[0]).index(one)))
    return [
        *(("attribute", name, value) for name, value in attributes),
        *(("class", "", token) for token in ordered if not is_made(token)),
        *(("attribute", name, "") for name in names),
        *(("class", "", token) for token in ordered if is_made(token)),
    ]


def _shared_children(nodes: Sequence[HtmlElement]) -> list[str]:
    """Give the tags of children that all elements have."""
    kinds = [{str(child.tag) for child in node if isinstance(child.tag, str)} for node in nodes]
    return sorted(set.intersection(*kinds))[:4] if kinds else []


def _scopes_of(around: HtmlElement) -> Iterator[tuple[HtmlElement, Scope]]:
    """Give names of the element around all records and of those around it, the likeliest to stay first.

    By an id, a class, the heads of a table's columns, the heading above, and last by the number among its tag.
    """
    nodes = [one for one in (around, *around.iterancestors()) if one.tag not in ("html", "body")][:_SCOPES]
    for node in nodes:
        tag = str(node.tag)
        if identity := node.get("id"):
            yield node, (tag, "id", identity)
        for token in tokens_of(node):
            if not is_made(token):
                yield node, (tag, "class", token)
        if tag == "table" and (heads := _heads_as_text(node)):
            yield node, (tag, "heads", heads)
        if tag in ("main", "table", "tbody", "article", "section"):
            yield node, (tag, "", "")
    for node in nodes[:2]:
        if node.tag in _LISTS and (heading := _heading_above(node)):
            yield node, (str(node.tag), "under", heading)
    for node in nodes[:2]:
        yield node, (str(node.tag), "nth", str([*node.getroottree().iter(str(node.tag))].index(node)))


def _heads_as_text(table: HtmlElement) -> str:
    return " | ".join(column_heads(table))


def _heading_above(node: HtmlElement) -> str:
    """Give the text of the nearest heading before an element, before it or the elements around it."""
    current: HtmlElement | None = node
    for _ in range(3):
        if current is None or current.tag == "body":
            return ""
        for before in current.itersiblings(preceding=True):
            if before.tag in _HEADINGS:
                return label_form(text_of(before))
        current = current.getparent()
    return ""


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


def select(page: Page, one: BoxSelector) -> list[HtmlElement]:
    """Give the elements that a selector finds, in page order; rows that say the heads of their columns aside."""
    if one.path:
        found = _at_path(_scoped(page, one.scope), one.path.split("/"))
    elif one.scope is None:
        found = page.root.iter(one.tag)
    else:
        inside = (node for scope in _scoped(page, one.scope) for node in scope.iterdescendants(one.tag))
        found = dict.fromkeys(inside)
    chosen = [node for node in found if _has(node, one)]
    return [node for node in chosen if not is_head(page, node)] if one.tag == "tr" else chosen


def _has(node: HtmlElement, one: BoxSelector) -> bool:
    if one.by == "class" and one.value not in tokens_of(node):
        return False
    if one.by == "attribute" and (node.get(one.name) != one.value if one.value else node.get(one.name) is None):
        return False
    return not one.child or next(node.iterchildren(one.child), None) is not None


def is_head(page: Page, row: HtmlElement) -> bool:
    """Tell whether a row says the heads of its table's columns."""
    heads = page.heads_of(row)
    cells = [label_form(text_of(cell)) for cell in row]
    return len(cells) > 1 and cells == heads[: len(cells)]


def _scoped(page: Page, scope: Scope | None) -> list[HtmlElement]:
    if scope is None:
        return [page.root]
    tag, by, value = scope
    if by == "id":
        return [node for node in page.root.iter(tag) if node.get("id") == value]
    if by == "class":
        return [node for node in page.root.iter(tag) if value in tokens_of(node)]
    if by == "heads":
        return [node for node in page.root.iter(tag) if _heads_as_text(node) == value]
    if by == "under":
        return [node for node in page.root.iter(tag) if _heading_above(node) == value]
    if by == "nth":
        return [*page.root.iter(tag)][int(value) :][:1]
    return [*page.root.iter(tag)]


def _at_path(level: Sequence[HtmlElement], steps: Sequence[str]) -> list[HtmlElement]:
    found = [*level]
    for step in steps:
        found = [child for node in found for child in node.iterchildren(step)]
    return [*dict.fromkeys(found)]


def boxes_of(page: Page, one: BoxSelector, run_length: int = 1, *, may_grow: bool = False) -> list[Container]:
    """Give the containers that a selector finds on a page; runs of at most ``run_length``, unless they may grow."""
    firsts = select(page, one)
    if one.is_run:
        runs = runs_of(firsts, run_length)
        return [Container(page, run if may_grow else run[:run_length]) for run in runs]
    stops = frozenset(firsts) if _are_nested(firsts) else frozenset[Any]()
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
            run = run[: _size_of_last(run, ended, run_length)]
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


def look_of(box: Container) -> str:
    """Give what a container looks like from outside."""
    return look_of_node(box.elements[0])


def look_of_node(node: HtmlElement) -> str:
    """Give what an element looks like: tag, classes, the tags inside, and whether it is long or has numbers."""
    tokens = ".".join(token for token in tokens_of(node) if not is_made(token))
    tags = {str(one.tag) for one in node.iterdescendants() if isinstance(one.tag, str)}
    said = text_of(node)
    filled = sum(1 for child in node if text_of(child))
    size = f"{'+' if len(said) > _LONG else ''}{min(filled, 3)}/{min(len(node), 9)}"
    kind = f"{'9' if any(map(str.isdigit, said)) else 'a'}{size}"
    return f"{node.tag}.{mask(tokens)}>{'+'.join(sorted(tags))} {kind}"
